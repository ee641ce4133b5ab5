/* Models that lie in the flash of an AVR: weights, biases and scales are read by PCN_READ_WEIGHT, and texts too. The
 * float model is larger than the RAM of an ATmega328P. Weights are small whole numbers, so that scores are exact and
 * can be computed here by integers. Prints to the serial port, then sleeps, which ends simavr. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>

#define PCN_READ_WEIGHT(to, from) memcpy_P(to, from, sizeof *(to))
#define PCN_TEXT(text) PSTR(text)
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 80, K = 8 };

#define NUMBER(c, j) ((37 * (c) + 11 * (j)) % 23 - 11)
#define EIGHT(c, j)                                                                                                    \
    NUMBER(c, j), NUMBER(c, j + 1), NUMBER(c, j + 2), NUMBER(c, j + 3), NUMBER(c, j + 4), NUMBER(c, j + 5),            \
        NUMBER(c, j + 6), NUMBER(c, j + 7)
#define CLASS(c)                                                                                                       \
    EIGHT(c, 0), EIGHT(c, 8), EIGHT(c, 16), EIGHT(c, 24), EIGHT(c, 32), EIGHT(c, 40), EIGHT(c, 48), EIGHT(c, 56),      \
        EIGHT(c, 64), EIGHT(c, 72)
#define MODEL CLASS(0), CLASS(1), CLASS(2), CLASS(3), CLASS(4), CLASS(5), CLASS(6), CLASS(7)

static const float weight[K * N] PROGMEM = {MODEL};
static const float bias[K] PROGMEM = {EIGHT(3, 1)};
static const int32_t weight32[K * N] PROGMEM = {MODEL};
static const int16_t weight16[K * N] PROGMEM = {MODEL};
static const int8_t weight8[K * N] PROGMEM = {MODEL};
static const int32_t ibias[K] PROGMEM = {EIGHT(3, 1)};
static const uint16_t scale[K] PROGMEM = {3, 1, 4, 1, 5, 9, 2, 6};

static volatile int result;
static uint16_t checks, bad;

static void put(const char *p) /* text in flash */
{
    char c;
    while ((c = (char)pgm_read_byte(p++)) != 0) {
        while (!(UCSR0A & 1 << UDRE0)) continue;
        UDR0 = (uint8_t)c;
    }
}

static void check(int good)
{
    checks++;
    bad += good == 0;
}

static int best(const int32_t *score)
{
    int c, top = 0;
    for (c = 1; c < K; c++)
        if (score[c] > score[top]) top = c;
    return top;
}

/* A row in all its forms, of both kinds of model. */
static void row(const int16_t *ix, const uint32_t *index, uint32_t count)
{
    pcn_linear m = {weight, bias, N, K, 0, 0, 0};
    pcn_ilinear im = {weight32, ibias, NULL, N, K, 32, 0};
    const void *const weights[3] = {weight8, weight16, weight32};
    float x[N], score[K];
    int32_t expected[K], scaled[K], s;
    uint32_t i;
    uint8_t c, form;
    for (i = 0; i < count; i++) x[i] = ix[i];
    for (form = 0; form < 3; form++) { /* dense, sparse, 0/1 */
        pcn_vec v = form == 0 ? pcn_dense(x, count) : pcn_sparse(index, form == 1 ? x : NULL, count);
        pcn_ivec iv = form == 0 ? pcn_idense(ix, count) : pcn_isparse(index, form == 1 ? ix : NULL, count);
        for (c = 0; c < K; c++) {
            s = NUMBER(3, 1 + c);
            for (i = 0; i < count; i++) {
                int32_t j = (int32_t)(form == 0 ? i : index[i]);
                s += NUMBER(c, j) * (int32_t)(form == 2 ? 1 : ix[i]);
            }
            expected[c] = s;
            scaled[c] = s * (int32_t)pgm_read_word(&scale[c]);
        }
        pcn_linear_scores(&m, v, score);
        for (c = 0; c < K; c++) check(score[c] == (float)expected[c]);
        check(pcn_linear_predict(&m, v) == best(expected));
        for (c = 0; c < 3; c++) {
            im.weight = weights[c];
            im.bits = (uint8_t)(8 << c);
            im.scale = NULL;
            check(pcn_ilinear_predict(&im, iv) == best(expected));
            im.scale = c < 2 ? scale : NULL;
            check(c == 2 || pcn_ilinear_predict(&im, iv) == best(scaled));
        }
    }
}

static void number(uint16_t n)
{
    if (n >= 10) number(n / 10);
    while (!(UCSR0A & 1 << UDRE0)) continue;
    UDR0 = (uint8_t)('0' + n % 10);
}

int main(void)
{
    static int16_t x[40];
    static uint32_t index[40];
    uint16_t random = 1;
    uint8_t round, i;
    UCSR0B = 1 << TXEN0;
    for (round = 0; round < 6; round++) {
        for (i = 0; i < 40; i++) {
            random = random * 25173u + 13849u;
            x[i] = (int16_t)(random >> 11) - 16;
            index[i] = 2u * i + (random >> 8 & 1u);
        }
        row(x, index, round == 0 ? 0 : round == 1 ? 7 : 40);
    }
    for (result = PCN_OK; result >= PCN_EFOLDED; result--) {
        put(pcn_error_text(result));
        put(PSTR("\n"));
    }
    number(checks - bad);
    put(PSTR(" passed, "));
    number(bad);
    put(PSTR(" failed\n"));
    cli();
    sleep_enable();
    sleep_cpu();
    return 0;
}
