/* The reader takes decimal numbers as the C library's strtof does, bit for bit: ten million, many of them at, just
 * above and just below the middle of two neighbouring floats. */
#include "random.h"
#include "test.h"

#include <float.h>
#include <math.h>

#include "../../examples/perceptron/text/number.c"

static uint32_t draw_below(uint32_t n)
{
    return (uint32_t)((uint64_t)random_bits() * n >> 32);
}

/* ---- One number: parse_float, and what the reader takes ---- */

static long numbers, numerals, wrong;
static const char *expected_end;
static float expected;

static void check_result(const char *text, const char *end, const float *got)
{
    if (end == expected_end && (!end || memcmp(got, &expected, sizeof expected) == 0)) return;
    if (wrong++ < 5) printf("'%s': %.9g, strtof: %.9g\n", text, (double)*got, (double)expected);
}

static void check_below(const char *limit, const char *text)
{
    const char *end;
    char *strtof_end;
    float got = 0;
    expected = strtof(text, &strtof_end);
    expected_end = strtof_end == text ? NULL : strtof_end;
    numbers++;
    end = parse_float(text, &got);
    check_result(text, end, &got);
    end = parse_decimal(limit, text, &got);
    check_result(text, end, &got);
}

/* The numeral at the text's start, which is followed by a NUL: its end, NULL if there is none. */
static const char *find_numeral(const char *text, float *value)
{
    char block[80];
    const size_t length = strlen(text);
    uint64_t breaks, breaks_of_fraction, end, end_of_fraction;
    numeral n, fraction;
    if (length >= 56) return NULL;
    memset(block, '7', sizeof block);
    memcpy(block, text, length + 1);
    breaks = breaks_of_fraction = ~digit_mask(block) | (uint64_t)0xFF << 56;
    end = take_numeral(block, 0, &breaks, &n);
    end_of_fraction = take_fraction(block, 0, &breaks_of_fraction, &fraction);
    if (end_of_fraction != (memcmp(text, "0.", 2) == 0 ? end : 0) ||
        (end_of_fraction != 0 && (fraction.unit != n.unit || breaks_of_fraction != breaks ||
                                  number_of(fraction.digits) != number_of(n.digits))))
        wrong++;
    if (end == 0 || block[end] != '\0') return NULL;
    *value = numeral_value(&n, number_of(n.digits));
    return text + end;
}

static void check_number(const char *text)
{
    float got;
    const char *end = find_numeral(text, &got);
    check_below(text + strlen(text) + 16, text);
    numerals += end != NULL;
    if (end) check_result(text, end, &got); /* the reader leaves the others to parse_decimal */
}

/* Nothing behind the text may be read, and none is there. */
static void check_exact(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    check_below(copy + size, memcpy(copy, text, size));
    free(copy);
}

/* ---- Texts ---- */

static char text[400];

static char *put_digits(char *to, uint32_t count)
{
    while (count--) *to++ = (char)('0' + draw_below(10));
    return to;
}

/* [sign] whole digits [. places digits] [e exponent], ended by a NUL; exponents from -reach to reach. */
static void random_number(uint32_t whole, uint32_t places, uint32_t reach)
{
    char *to = text;
    if (draw_below(4) == 0) *to++ = draw_below(2) ? '-' : '+';
    to = put_digits(to, whole);
    if (places != 0 || draw_below(16) == 0) *to++ = '.';
    to = put_digits(to, places);
    *to = '\0';
    if (reach != 0) sprintf(to, "%c%d", draw_below(2) ? 'e' : 'E', (int)draw_below(2 * reach + 1) - (int)reach);
    check_number(text);
}

static void test_random(void)
{
    long i;
    wrong = 0;
    for (i = 0; i < 1100000; i++) {
        random_number(1 + draw_below(4), draw_below(4), 0);
        random_number(1, 6, 0);
        random_number(1 + draw_below(8), 1 + draw_below(9), 0);
        random_number(1, 16 + draw_below(3), 0);
        random_number(1, 8, 50);
        random_number(draw_below(21), draw_below(21), 60);
    }
    CHECK(wrong == 0);
}

/* All numbers of up to three digits and all fractions of six. */
static void test_short(void)
{
    uint32_t i;
    numerals = wrong = 0;
    for (i = 0; i < 1000000; i++) {
        sprintf(text, "0.%06lu", (unsigned long)i);
        check_number(text);
        if (i >= 1000) continue;
        sprintf(text, "-%lu", (unsigned long)i);
        check_number(text);
    }
    CHECK(wrong == 0);
    CHECK(numerals == 1001000);
}

/* The decimal d.ddd...e+-x in `text`, cut after `count` digits, the last of which moves by `step`. */
static void check_cut(const char *exact, int count, int step)
{
    const char *exponent = strchr(exact, 'e');
    char *last = text + (count == 1 ? 0 : count);
    memcpy(text, exact, (size_t)(last - text) + 1);
    if (*last + step < '0' || *last + step > '9') step = 0;
    *last = (char)(*last + step);
    strcpy(last + 1, exponent);
    check_number(text);
}

/* The same without an exponent, for numbers from 1 to 10^18. */
static void check_plain(double exact)
{
    sprintf(text, "%.60f", exact);
    check_number(text);
}

/* middle: of two neighbouring floats, exactly. Its decimal has at most 113 digits. */
static void check_middle(double middle)
{
    char exact[140];
    int count;
    sprintf(exact, "%.112e", middle);
    check_number(strcpy(text, exact));
    for (count = 8; count <= 24; count += 4) check_cut(exact, count + (int)draw_below(4), (int)draw_below(3) - 1);
    check_cut(exact, 30 + (int)draw_below(80), (int)draw_below(3) - 1);
    if (middle >= 1 && middle < 1e18) check_plain(middle);
}

static double middle_above(uint32_t bits)
{
    float low, high;
    memcpy(&low, &bits, sizeof low);
    bits++;
    memcpy(&high, &bits, sizeof high);
    return ((double)low + (double)high) / 2;
}

/* Of positive floats all over the range, of those where decimals are usual, and of the subnormals. */
static void test_middles(void)
{
    const uint32_t infinite = 0x7F800000u, one = 0x3F800000u;
    int i;
    wrong = 0;
    for (i = 0; i < 150000; i++) {
        check_middle(middle_above(draw_below(infinite - 1)));
        check_middle(middle_above(one - (10u << 23) + draw_below(70u << 23)));
        check_middle(middle_above(draw_below(1u << 23)));
        sprintf(text, "%lu.5", (1ul << 23) + draw_below(1611392)); /* the middle of two, in eight digits */
        check_number(text);
    }
    CHECK(wrong == 0);
}

/* The least and the greatest floats, the middles beside them and what is next to these. */
static void test_borders(void)
{
    const double overflow = (double)FLT_MAX + ldexp(1, 103); /* half a unit above FLT_MAX */
    /* clang-format off */
    const double at[] = {0, ldexp(1, -150), ldexp(1, -149), ldexp(3, -150), (double)FLT_MIN - ldexp(1, -150),
                         (double)FLT_MIN, (double)FLT_MIN + ldexp(1, -150), 1, 9007199254740993.0,
                         (double)FLT_MAX, overflow};
    /* clang-format on */
    float f;
    size_t i;
    int count, step;
    wrong = 0;
    for (i = 0; i < sizeof at / sizeof *at; i++) {
        char exact[140];
        sprintf(exact, "%.112e", at[i]);
        for (count = 1; count <= 113; count++)
            for (step = -1; step <= 1; step++) check_cut(exact, count, step);
    }
    CHECK(wrong == 0);
    sprintf(text, "%.112e", overflow);
    CHECK(parse_float(text, &f) && isinf(f));
    CHECK(parse_float("3.4028235677973367e38", &f) && isinf(f));
    CHECK(parse_float("3.4028235677973366e38", &f) && f == FLT_MAX);
}

/* ---- Texts that are unusual, or no numbers ---- */

static void test_unusual(void)
{
    /* clang-format off */
    static const char *const same[] = {
        "0", "-0", "+0", "-0.0", "0e999", "00000000000000000000000000001.5", "1.", ".5", "-.5", "+.5e1", "5.e3",
        "1e+2", "1E-2", "1e0000000000000000000000000000000000002", "1e99999999999999999999", "-1e-99999999999999999999",
        "16777217", "16777219", "8388608.5", "8388609.5", "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000001", "99999999999999999999e-19", "999999999999999999",
        "1000000000000000000", "17179869185", "1e55", "1e56", "1e-55", "100000000000000000e-56", "9.5.5", "1e5e5",
        "1e5.5", "12345678.12345678", "1234567.1234567\xC3\xA9", "1,5", "1 2", "7:3", "1.5#", "1..5"};
    static const char *const none[] = {"", "-", "+", ".", "-.", "e5", ".e5", "1e", "1e+", "1.5e-", "+-1", "--1",
                                       "nan", "inf", "infinity", "x", " 1", "\xC3\xA9"};
    /* clang-format on */
    char buffer[4100];
    float f;
    size_t i;
    wrong = 0;
    for (i = 0; i < sizeof same / sizeof *same; i++) {
        check_number(strcpy(text, same[i]));
        check_exact(same[i]);
    }
    CHECK(wrong == 0);
    for (i = 0; i < sizeof none / sizeof *none; i++) {
        const char *limit = text + strlen(strcpy(text, none[i])) + 16;
        CHECK(parse_float(none[i], &f) == NULL);
        CHECK(parse_decimal(limit, text, &f) == NULL);
        CHECK(find_numeral(text, &f) == NULL);
    }
    CHECK(*parse_float("0x10", &f) == 'x' && f == 0); /* not hexadecimal */
    sprintf(buffer, "0.%02000d1e2001", 0);
    CHECK(*parse_float(buffer, &f) == '\0' && f == 1);
    sprintf(buffer, "1%02000de-2000", 0);
    CHECK(*parse_float(buffer, &f) == '\0' && f == 1);
    sprintf(buffer, "0.%04000d", 0);
    memcpy(buffer + 3990, "1e40000000000", 14);
    CHECK(*parse_float(buffer, &f) == '\0' && isinf(f));
}

/* What is a numeral: up to eight digits, not counting a 0 before a point. */
static void test_numerals(void)
{
    static const char *const taken[] = {"0",          "-0",          "12345678",  "-1234.5678",
                                        "0.00000001", "-0.12345678", "1.2345678", "01234567.8"};
    static const char *const left[] = {"123456789", "1.23456789", "0.123456789", "12345678.9", "+1",
                                       "1.",        "-.5",        "1e5",         "1-2",        "-",
                                       "0x1",       "12.34.5",    "00.12345678"};
    size_t i;
    float f;
    wrong = 0;
    for (i = 0; i < sizeof taken / sizeof *taken; i++) {
        CHECK(find_numeral(taken[i], &f) != NULL);
        check_number(strcpy(text, taken[i]));
    }
    for (i = 0; i < sizeof left / sizeof *left; i++) CHECK(find_numeral(left[i], &f) == NULL);
    CHECK(wrong == 0);
}

/* Eight characters at once: all digits, and the first that is none, whatever stands behind it. */
static void test_eight(void)
{
    char eight[8];
    long i;
    wrong = 0;
    for (i = 0; i < 1000000; i++) {
        uint32_t value = 0, count = draw_below(9), k;
        uint64_t digits, breaks;
        for (k = 0; k < 8; k++) eight[k] = (char)random_bits();
        for (k = 0; k < count; k++) {
            eight[k] = (char)('0' + draw_below(10));
            value = 10 * value + (uint32_t)(eight[k] - '0');
        }
        if (count < 8 && digit_at(eight + count) <= 9) eight[count] = "/:\x80 "[draw_below(4)];
        digits = text_digits(eight);
        breaks = above_nine(digits);
        if (count == 8)
            wrong += breaks != 0 || digits_value(digits) != value;
        else
            wrong += breaks == 0 || first_mark(breaks) != 8 * count + 7 ||
                     digits_value(digits << 1 << (63 - 8 * count)) != value;
    }
    CHECK(wrong == 0);
}

/* Four numbers at once, each in front of what the buffer holds behind it. */
static void test_four(void)
{
    long i;
    wrong = 0;
    for (i = 0; i < 100000; i++) {
        uint32_t expected_number[4], number[4], k;
        uint64_t last[4];
        float value[4];
        for (k = 0; k < 4; k++) {
            const uint32_t count = 1 + draw_below(8);
            char *end = put_digits(text, count);
            *end = '\0';
            expected_number[k] = (uint32_t)strtoul(text, NULL, 10);
            memset(end, "9 :\xFF"[draw_below(4)], 8);
            last[k] = last_characters(text, count);
        }
        four_numbers(last[0], last[1], last[2], last[3], number, value);
        for (k = 0; k < 4; k++) wrong += number[k] != expected_number[k] || value[k] != (float)number[k];
    }
    CHECK(wrong == 0);
}

/* Which of 64 characters are digits, for every character; and the bits taken one by one. */
static void test_sixty_four(void)
{
    char block[64];
    long i;
    wrong = 0;
    for (i = 0; i < 5000; i++) {
        uint64_t bits;
        unsigned k;
        for (k = 0; k < 64; k++) block[k] = (char)(draw_below(2) ? '/' + draw_below(12) : random_bits());
        bits = digit_mask(block);
        for (k = 0; k < 64; k++) wrong += (bits >> k & 1) != (block[k] >= '0' && block[k] <= '9');
        for (k = 0; k < 64; k++)
            if (block[k] >= '0' && block[k] <= '9') wrong += take_bit(&bits) != k;
        wrong += bits != 0;
    }
    CHECK(wrong == 0);
}

int main(void)
{
    test_random();
    test_short();
    test_middles();
    test_borders();
    test_unusual();
    test_numerals();
    test_eight();
    test_four();
    test_sixty_four();
    CHECK(numbers > 10000000);
    return report();
}
