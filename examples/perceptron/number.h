/* Decimal numbers from text, correctly rounded to floats. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>
#include <string.h>

/* A decimal number as in C, without hexadecimal, infinity or NaN: the end of it, NULL if none stands
 * at p. *value is correctly rounded, and infinite if too large. */
const char *parse_float(const char *p, float *value);

static inline unsigned digit_at(const char *p) /* above 9: none */
{
    return (unsigned char)*p - (unsigned)'0';
}

/* ---- Eight characters at once, the first in the low byte ---- */

/* Digits become 0 .. 9, other characters more. */
static inline uint64_t text_digits(const char *p)
{
    uint64_t text;
    memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    text = __builtin_bswap64(text);
#endif
    return text ^ 0x3030303030303030u;
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
