/* Decimal numbers from text, correctly rounded to floats. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
static inline uint64_t last_characters(const char *p, unsigned count)
{
    return eight_bytes(p) << (64 - 8 * count);
}

/* Four numbers of eight characters each, NULs before the digits: the steps of digits_value for all at once.
 * value[i] is number[i]. */
static inline void four_numbers(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint32_t number[4],
                                float value[4])
{
#ifdef __SSE2__
    const __m128i zero = _mm_set1_epi8('0'), ten = _mm_set1_epi16(10 << 8 | 1);
    __m128i ab = _mm_subs_epu8(_mm_set_epi64x((long long)b, (long long)a), zero);
    __m128i cd = _mm_subs_epu8(_mm_set_epi64x((long long)d, (long long)c), zero);
    ab = _mm_srli_epi16(_mm_mullo_epi16(ab, ten), 8); /* the low byte times 10 and the high one */
    cd = _mm_srli_epi16(_mm_mullo_epi16(cd, ten), 8);
    ab = _mm_madd_epi16(ab, _mm_set1_epi32(1 << 16 | 100));
    cd = _mm_madd_epi16(cd, _mm_set1_epi32(1 << 16 | 100));
    ab = _mm_madd_epi16(_mm_packs_epi32(ab, cd), _mm_set1_epi32(1 << 16 | 10000));
    _mm_storeu_si128((__m128i *)(void *)number, ab);
    _mm_storeu_ps(value, _mm_cvtepi32_ps(ab));
#else
    const uint64_t text[] = {a, b, c, d};
    int i;
    for (i = 0; i < 4; i++) value[i] = (float)(int)(number[i] = digits_value(text[i] & 0x0F0F0F0F0F0F0F0Fu));
#endif
}

/* ---- 64 characters at once ---- */

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
#ifdef __SSE2__
    return four_masks(sixteen_digits(p), sixteen_digits(p + 16), sixteen_digits(p + 32), sixteen_digits(p + 48));
#else
    uint64_t mask = 0;
    unsigned i;
    for (i = 0; i < 64; i++) mask |= (uint64_t)(digit_at(p + i) <= 9) << i;
    return mask;
#endif
}

/* Where the first of the bits is, which is taken away; there is one. */
static inline unsigned take_bit(uint64_t *bits)
{
    unsigned at = (unsigned)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return at;
}

/* ---- Numbers where every byte below `limit` may be read; else as parse_float ---- */

const char *parse_decimal(const char *limit, const char *start, float *value);

/* The first of it, up to eight digits and up to seven behind a point, NULL if these are more; one digit and
 * `behind` at once. Number and power below are exact doubles. Their quotient is the middle of two floats or
 * at least 10^-15 of itself away from it, so rounding it to a double and then to a float is exact, too. */
static inline const char *short_number(const char *limit, const char *start, char behind, float *value)
{
    static const uint32_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    const char *first = start, *p;
    uint32_t whole = digit_at(start);
    float size;
    if (whole <= 9 && start[1] == behind) {
        *value = (float)(int)whole;
        return start + 1;
    }
    if (whole > 9) first += *start == '-' || *start == '+';
    whole = 0;
    for (p = first; digit_at(p) <= 9 && whole < 10000000; p++) whole = whole * 10 + digit_at(p);
    if (p == first) return NULL;
    size = (float)(int)whole;
    if (*p == '.' && limit - p > 8) {
        uint64_t digits = text_digits(p + 1), breaks = above_nine(digits), number;
        unsigned places;
        if (breaks == 0) return NULL;
        places = first_mark(breaks) / 8;
        number = (uint64_t)whole * power[places] + digits_value(digits << 1 << (63 - 8 * places));
        size = (float)((double)(int64_t)number / power[places]);
        p += 1 + places;
    }
    *value = *start == '-' ? -size : size;
    return p;
}

#endif
