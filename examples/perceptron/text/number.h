/* Reads decimal numbers from text, correctly rounded to floats. */
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

/* Reads the decimal number at p, as C writes it, but not hexadecimal, infinity or NaN. Returns its end, or NULL if
 * there is no number at p. *value is correctly rounded, and infinite if the number is too large. */
const char *parse_float(const char *p, float *value);

static inline unsigned digit_at(const char *p) /* above 9: the character is not a digit */
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

/* ---- Eight characters at once: the first is in the low byte ---- */

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

/* Turns digits into 0 .. 9, and other characters into more. */
static inline uint64_t text_digits(const char *p)
{
    return eight_bytes(p) ^ 0x3030303030303030u;
}

/* Returns the high bit of each byte that is above 9. It is wrong only behind a byte above 0x7F, whose own bit is
 * right. */
static inline uint64_t above_nine(uint64_t digits)
{
    return ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
}

/* Returns the place of the first bit that above_nine has set: 7 + 8 times the number of bytes before it. */
static inline unsigned first_mark(uint64_t marks)
{
    return (unsigned)__builtin_ctzll(marks);
}

/* Returns the decimal number of eight digits: neighbours become pairs, pairs fours, and fours the number. */
static inline uint32_t digits_value(uint64_t digits)
{
    uint64_t pairs = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFu;
    uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(fours * 10000 + (fours >> 32));
}

/* Returns the `count` characters at p, from 1 to 8, as the last of eight; NULs stand before them. */
static inline uint64_t last_characters(const char *p, uint64_t count)
{
    return eight_bytes(p) << (64 - 8 * count);
}

/* Returns the number of up to eight digits that have NULs before them. */
static inline uint32_t number_of(uint64_t characters)
{
    return digits_value(characters & 0x0F0F0F0F0F0F0F0Fu);
}

#ifdef __SSE2__
/* Returns for each pair of digits the low byte times 10 plus the high byte. */
static inline __m128i pairs_of_digits(__m128i digits)
{
#ifdef __SSSE3__
    return _mm_maddubs_epi16(digits, _mm_set1_epi16(1 << 8 | 10));
#else
    return _mm_srli_epi16(_mm_mullo_epi16(digits, _mm_set1_epi16(10 << 8 | 1)), 8);
#endif
}
#endif

/* Converts four numbers of eight characters each, with NULs before the digits. It takes the steps of digits_value for
 * all of them at once. value[i] is number[i] as a float. */
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

/* Returns 64 bits: bit i says that p[i] is a digit. */
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

/* Returns the place of the lowest bit that is set, and clears it. One must be set. */
static inline uint64_t take_bit(uint64_t *bits)
{
    uint64_t at = (uint64_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return at;
}

/* ---- Numbers by their breaks: bit i is set if the character at place i is not a digit ---- */

typedef struct numeral {
    uint64_t digits; /* up to eight: the last is in the high byte, and NULs stand before the first */
    double unit; /* 10 to the minus number of digits behind the point, rounded; negative if the number is negative */
} numeral;

static inline double signed_unit(uint64_t negative, uint64_t places)
{
    static const double unit[2][9] = {{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8},
                                      {-1, -1e-1, -1e-2, -1e-3, -1e-4, -1e-5, -1e-6, -1e-7, -1e-8}};
    return unit[negative][places];
}

/* Takes the numeral at text[at], which has up to eight digits, not counting a 0 before a point. Returns its end, or 0
 * if there is no such numeral. It clears the breaks within it and the break at its end. */
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

/* Does what take_numeral does in half as many steps, for "0." and up to eight digits only. */
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

/* Returns the value of the numeral, correctly rounded. number: what its digits make. The product with the unit is
 * wrong by less than 4 10^-16 of itself. Most decimal numbers of eight digits are at least 10^-14 of themselves away
 * from the middle of two floats. Others are such a middle; they have at most one digit behind the point, and the
 * product is exact. */
static inline float numeral_value(const numeral *n, uint32_t number)
{
    return (float)((double)(int)number * n->unit);
}

/* Does what parse_float does, faster. It may read every byte below `limit`. */
const char *parse_decimal(const char *limit, const char *start, float *value);

#endif
