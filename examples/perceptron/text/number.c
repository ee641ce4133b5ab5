#include "number.h"

#include <float.h>
#include <stdlib.h>

/* Appends the digits at p to *number as long as that stays below 10^18. Returns the end of the digits that it took. */
static const char *add_digits(const char *limit, const char *p, uint64_t *number)
{
    static const uint32_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    uint64_t n = *number;
    unsigned count = 8;
    while (count == 8 && limit - p >= 8 && n < 10000000000u) {
        uint64_t digits = text_digits(p), breaks = above_nine(digits);
        if (breaks) count = first_mark(breaks) / 8;
        if (count == 0) break;
        n = n * power[count] + digits_value(digits << (64 - 8 * count));
        p += count;
    }
    for (; digit_at(p) <= 9 && n < 100000000000000000u; p++) n = n * 10 + digit_at(p);
    *number = n;
    return p;
}

static const char *skip_digits(const char *p)
{
    while (digit_at(p) <= 9) p++;
    return p;
}

/* Adds the exponent at p, which stands behind an e, to *exponent. Returns its end, or NULL if there is no exponent. */
static const char *parse_exponent(const char *p, int64_t *exponent)
{
    int negative = *p == '-';
    int64_t e = 0;
    p += *p == '-' || *p == '+';
    if (digit_at(p) > 9) return NULL;
    for (; digit_at(p) <= 9; p++)
        if (e < INT64_MAX / 100) e = e * 10 + digit_at(p);
    *exponent += negative ? -e : e;
    return p;
}

/* Rounds number * 10^exponent to the nearest float. The number is below 10^18, and further digits may follow it. The
 * number, the power and their product are rounded to doubles, so the product is wrong by less than 4 units of its last
 * place. If it is farther than that from the middle of two floats, it is on the right side of the middle. Returns 0 if
 * it is not so far from it, or not a normal float. */
static int round_to_float(uint64_t number, int64_t exponent, float *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                   1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27,
                                   1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41,
                                   1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, 1e50, 1e51, 1e52, 1e53, 1e54, 1e55};
    const int64_t most = sizeof power / sizeof *power - 1;
    const uint64_t below_float = ((uint64_t)1 << 29) - 1, middle = (uint64_t)1 << 28;
    double d = (double)(int64_t)number;
    uint64_t bits;
    if (exponent < -most || exponent > most) return 0;
    d = exponent < 0 ? d / power[-exponent] : d * power[exponent];
    memcpy(&bits, &d, sizeof bits);
    if (((bits - middle + 4) & below_float) <= 8) return 0;
    if (!(d >= (double)FLT_MIN && d <= (double)FLT_MAX) && number != 0) return 0;
    *value = (float)d;
    return 1;
}

const char *parse_decimal(const char *limit, const char *start, float *value)
{
    const char *first = start + (*start == '-' || *start == '+'), *taken, *p;
    uint64_t number = 0;
    int64_t exponent;
    int seen;
    taken = add_digits(first, first, &number);
    p = skip_digits(taken);
    exponent = p - taken;
    seen = p != first;
    if (*p == '.') {
        first = p + 1;
        taken = add_digits(limit, first, &number);
        exponent -= taken - first;
        p = skip_digits(taken);
        seen |= p != first;
    }
    if (!seen) return NULL;
    if (*p == 'e' || *p == 'E') p = parse_exponent(p + 1, &exponent);
    if (!p) return NULL;
    if (!round_to_float(number, exponent, value))
        *value = strtof(start, NULL);
    else if (*start == '-')
        *value = -*value;
    return p;
}

const char *parse_float(const char *p, float *value)
{
    return parse_decimal(p, p, value);
}
