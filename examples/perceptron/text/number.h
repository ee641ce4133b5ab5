/* Decimal numbers from text, correctly rounded to floats. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>
#include <string.h>
#ifdef __AVX512BW__
#include <immintrin.h>
#elif defined(__SSSE3__)
#include <tmmintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* A decimal number as in C, without hexadecimal, infinity or NaN: the end of it, NULL if none stands
 * at p. *value is correctly rounded, and infinite if too large. */
const char *parse_float(const char *p, float *value);

static inline unsigned digit_at(const char *p) /* above 9: none */
{
    return (unsigned char)*p - (unsigned)'0';
}

static inline int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline const char *skip_blanks(const char *p)
{
    while (is_blank(*p)) p++;
    return p;
}

/* ---- Eight characters at once, the first in the low byte ---- */

static inline uint64_t eight_bytes(const char *p)
{
    uint64_t text;
    memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    text = __builtin_bswap64(text);
#endif
    return text;
}

static inline void put_eight_bytes(char *p, uint64_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(p, &bytes, sizeof bytes);
}

/* Digits become 0 .. 9, other characters more. */
static inline uint64_t text_digits(const char *p)
{
    return eight_bytes(p) ^ 0x3030303030303030u;
}

/* The high bit of each byte that is above 9; wrong only behind a byte above 0x7F, which is right. */
static inline uint64_t above_nine(uint64_t digits)
{
    return ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
}

/* The bit of the first such mark: 7 + 8 times the number of bytes before its byte. */
static inline unsigned first_mark(uint64_t marks)
{
    return (unsigned)__builtin_ctzll(marks);
}

/* The decimal number of eight digits: neighbours become pairs, pairs fours, fours the number. */
static inline uint32_t digits_value(uint64_t digits)
{
    uint64_t pairs = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFu;
    uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(fours * 10000 + (fours >> 32));
}

/* Its last `count` characters are those at p, from 1 to 8, the others NULs. */
static inline uint64_t last_characters(const char *p, uint64_t count)
{
    return eight_bytes(p) << (64 - 8 * count);
}

/* Of digits with NULs before them. */
static inline uint32_t number_of(uint64_t characters)
{
    return digits_value(characters & 0x0F0F0F0F0F0F0F0Fu);
}

#ifdef __SSE2__
/* Of each pair of digits the low byte times 10 and the high one. */
static inline __m128i pairs_of_digits(__m128i digits)
{
#ifdef __SSSE3__
    return _mm_maddubs_epi16(digits, _mm_set1_epi16(1 << 8 | 10));
#else
    return _mm_srli_epi16(_mm_mullo_epi16(digits, _mm_set1_epi16(10 << 8 | 1)), 8);
#endif
}
#endif

/* Four numbers of eight characters each, NULs before the digits: the steps of digits_value for all at once.
 * value[i] is number[i]. */
static inline void four_numbers(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint32_t number[4], float value[4])
{
#ifdef __SSE2__
    const __m128i zero = _mm_set1_epi8('0');
    __m128i ab = _mm_subs_epu8(_mm_set_epi64x((long long)b, (long long)a), zero);
    __m128i cd = _mm_subs_epu8(_mm_set_epi64x((long long)d, (long long)c), zero);
    ab = pairs_of_digits(ab);
    cd = pairs_of_digits(cd);
    ab = _mm_madd_epi16(ab, _mm_set1_epi32(1 << 16 | 100));
    cd = _mm_madd_epi16(cd, _mm_set1_epi32(1 << 16 | 100));
    ab = _mm_madd_epi16(_mm_packs_epi32(ab, cd), _mm_set1_epi32(1 << 16 | 10000));
    _mm_storeu_si128((__m128i *)(void *)number, ab);
    _mm_storeu_ps(value, _mm_cvtepi32_ps(ab));
#else
    const uint64_t text[] = {a, b, c, d};
    int i;
    for (i = 0; i < 4; i++) value[i] = (float)(int)(number[i] = number_of(text[i]));
#endif
}

/* ---- 64 characters at once ---- */

#ifdef __AVX512BW__
#define QUICK_DIGIT_MASK 1
#else
#define QUICK_DIGIT_MASK 0
#endif

#ifdef __SSE2__
static inline uint64_t four_masks(__m128i a, __m128i b, __m128i c, __m128i d)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(a) | (uint64_t)(unsigned)_mm_movemask_epi8(b) << 16 |
           (uint64_t)(unsigned)_mm_movemask_epi8(c) << 32 | (uint64_t)(unsigned)_mm_movemask_epi8(d) << 48;
}

static inline __m128i sixteen_digits(const char *p)
{
    __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), _mm_set1_epi8('0'));
    return _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
}

#endif

/* Bit i: p[i] is a digit. */
static inline uint64_t digit_mask(const char *p)
{
#ifdef __AVX512BW__
    __m512i digits = _mm512_sub_epi8(_mm512_loadu_si512(p), _mm512_set1_epi8('0'));
    return _mm512_cmplt_epu8_mask(digits, _mm512_set1_epi8(10));
#elif defined(__SSE2__)
    return four_masks(sixteen_digits(p), sixteen_digits(p + 16), sixteen_digits(p + 32), sixteen_digits(p + 48));
#else
    uint64_t mask = 0;
    unsigned i;
    for (i = 0; i < 64; i++) mask |= (uint64_t)(digit_at(p + i) <= 9) << i;
    return mask;
#endif
}

/* Where the first of the bits is, which is taken away; there is one. */
static inline uint64_t take_bit(uint64_t *bits)
{
    uint64_t at = (uint64_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return at;
}

/* ---- A number found by its breaks: bit i is set if the character at place i is no digit ---- */

typedef struct numeral {
    uint64_t digits; /* up to eight, the last in the high byte, NULs before the first */
    double unit;     /* 1 over 10 to the number of those behind the point, rounded; negative if the number is */
} numeral;

static inline double signed_unit(uint64_t negative, uint64_t places)
{
    static const double unit[2][9] = {{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8},
                                      {-1, -1e-1, -1e-2, -1e-3, -1e-4, -1e-5, -1e-6, -1e-7, -1e-8}};
    return unit[negative][places];
}

/* The numeral at text[at] of up to eight digits, not counting a 0 before a point: its end, 0 if there is
 * none. Takes its breaks and the one at its end. */
static inline uint64_t take_numeral(const char *text, uint64_t at, uint64_t *breaks, numeral *n)
{
    const uint64_t negative = *breaks >> at & 1;
    uint64_t whole, end, places = 0;
    if (negative > (text[at] == '-')) return 0;
    *breaks &= *breaks - negative;
    at += negative;
    end = take_bit(breaks);
    whole = end - at;
    if (whole - 1 >= 8) return 0;
    n->digits = last_characters(text + at, whole);
    if (text[end] == '.') {
        const char *behind = text + end + 1;
        places = ~end;
        end = take_bit(breaks);
        places += end;
        if (places - 1 >= 8 || (whole + places > 8 && (whole + places > 9 || text[at] != '0'))) return 0;
        n->digits = n->digits >> 8 >> 8 * (places - 1) | last_characters(behind, places);
    }
    n->unit = signed_unit(negative, places);
    return end;
}

/* The same for "0." and up to eight digits only, in half as many steps. */
static inline uint64_t take_fraction(const char *text, uint64_t at, uint64_t *breaks, numeral *n)
{
    uint64_t end, places;
    if (memcmp(text + at, "0.", 2) != 0) return 0;
    *breaks &= *breaks - 1; /* the point */
    end = take_bit(breaks);
    places = end - at - 2;
    if (places - 1 >= 8) return 0;
    n->digits = last_characters(text + at + 2, places);
    n->unit = signed_unit(0, places);
    return end;
}

/* Its value, correctly rounded, given the number its digits make. The product with the unit is off by less than
 * 4 10^-16 of itself; what it stands for is at least 10^-14 of itself away from the middle of two floats, or is such
 * a middle, when there is at most one digit behind the point and the product exact. */
static inline float numeral_value(const numeral *n, uint32_t number)
{
    return (float)((double)(int)number * n->unit);
}

/* ---- Numbers where every byte below `limit` may be read; else as parse_float ---- */

const char *parse_decimal(const char *limit, const char *start, float *value);

#endif
