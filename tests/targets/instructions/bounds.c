/* The most instructions that one row took, of all that were tried: "bound WHAT FEATURES SCORES INSTRUCTIONS". Runs in
 * qemu with -icount shift=6, where an instruction takes 64 ns, and SysTick counts at MHZ megahertz: each call alone.
 * Time depends on numbers where floats are software, so they are of four kinds; half of the labels are wrong. */
#include "perceptron.h"
#include "random.h"
#include "test.h"

enum { MOST = 256, SCORES = 8, CELLS = 512, WEIGHTS = CELLS + 3 * SCORES }; /* features, scores, both */
enum { KINDS = 4, ROWS = 24 };

#define SYST_CSR (*(volatile uint32_t *)0xE000E010)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018)

static union {
    float number[WEIGHTS];
    int32_t integer[WEIGHTS];
} memory;
static float sums[2 * WEIGHTS], x[MOST];
static int16_t ix[MOST];
static uint16_t scale[SCORES];
static pcn_perceptron m;
static pcn_iperceptron im;
static pcn_ilinear packed;
static uint32_t n, scores;
static int label;
static volatile int result;

/* ---- What is counted ---- */

static void nothing(void) {}

static void predict(void)
{
    result = pcn_linear_predict(&m.live, pcn_dense(x, n));
}

static void predict_mean(void)
{
    result = pcn_perceptron_predict(&m, pcn_dense(x, n));
}

static void learn(void)
{
    result = pcn_perceptron_learn(&m, pcn_dense(x, n), label);
}

static void ipredict(void)
{
    result = pcn_ilinear_predict(&im.live, pcn_idense(ix, n));
}

static void ilearn(void)
{
    result = pcn_iperceptron_learn(&im, pcn_idense(ix, n), label);
}

static void predict8(void)
{
    result = pcn_ilinear_predict(&packed, pcn_idense(ix, n));
}

static uint32_t ticks(void (*f)(void))
{
    uint32_t start = SYST_CVR; /* it counts down, in 24 bits */
    f();
    return (start - SYST_CVR) & 0xffffffu;
}

static uint32_t count(void (*f)(void))
{
    return ((ticks(f) - ticks(nothing)) * 1000u + 32u * MHZ) / (64u * MHZ);
}

/* ---- Rows and weights ---- */

/* Of either sign: 0 from 1 to 2; 1 from 2^-20 to 2^21; 2 and 3 as 0, but all values of the row or all weights are
 * denormal. (Zeros, and products that cancel, took less.) */
static float random_float(int kind, int is_weight)
{
    uint32_t bits = random_bits(), exponent = 127;
    if (kind == 1) exponent += random_bits() % 41 - 20;
    if (kind == 2 + is_weight) exponent = 0;
    return from_bits((bits & 0x807fffffu) | exponent << 23);
}

static void floats(int kind)
{
    uint32_t i;
    for (i = 0; i < n; i++) x[i] = random_float(kind, 0);
    for (i = 0; i < n * scores; i++) memory.number[i] = random_float(kind, 1);
}

/* Kinds 0 and 1 are as large as can be: sums are, too, and weights stop at PCN_IMAX. */
static void integers(int kind)
{
    uint32_t i;
    for (i = 0; i < n; i++) ix[i] = kind < 2 ? -32767 - 1 : (int16_t)(random_bits() >> 16);
    for (i = 0; i < n * scores; i++)
        memory.integer[i] = kind == 0 ? PCN_IMAX : kind == 1 ? -PCN_IMAX : (int32_t)(random_bits() >> 1) - PCN_IMAX;
}

static void bytes(int kind)
{
    int8_t *weight = (int8_t *)memory.integer;
    uint32_t i;
    integers(kind);
    for (i = 0; i < n * scores; i++) weight[i] = kind == 0 ? 127 : kind == 1 ? -127 : (int8_t)(random_bits() >> 24);
}

/* ---- The most of each ---- */

static void tell(const char *what, const char *how, uint32_t most)
{
    printf("bound %s%s %lu %lu %lu\n", what, how, (unsigned long)n, (unsigned long)scores, (unsigned long)most);
}

static void larger(uint32_t *most, uint32_t t)
{
    if (t > *most) *most = t;
}

/* learns: NULL if it cannot. A true label is what is predicted, so the rule does not fire for it. */
static void worst(const char *what, void (*fill)(int), void (*predicts)(void), void (*learns)(void))
{
    uint32_t most = 0, learned[2] = {0, 0}, row;
    for (row = 0; row < KINDS * ROWS; row++) {
        fill((int)(row % KINDS));
        larger(&most, count(predicts));
        if (!learns) continue;
        label = result;
        if (row / KINDS % 2) label = scores == 1 ? !label : (label + 1) % (int)scores;
        const uint32_t t = count(learns);
        CHECK(result == 0 || result == 1);
        larger(&learned[result != 0], t);
    }
    tell(what, ":predict", most);
    if (!learns) return;
    tell(what, ":keep", learned[0]);
    tell(what, ":move", learned[1]);
}

static void shape(void)
{
    const uint32_t classes = PCN_CLASSES(scores);
    CHECK(pcn_perceptron_init(&m, n, classes, memory.number, sizeof memory) == PCN_OK);
    worst("float", floats, predict, learn);
    CHECK(pcn_perceptron_init(&m, n, classes, memory.number, sizeof memory) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(&m, sums, sizeof sums) == PCN_OK);
    worst("averaged", floats, predict_mean, learn);
    CHECK(pcn_iperceptron_init(&im, n, classes, memory.integer, sizeof memory) == PCN_OK);
    worst("integer", integers, ipredict, ilearn);
    packed.weight = memory.integer;
    packed.bias = memory.integer + (n * scores + 3) / 4;
    packed.scale = scale;
    packed.features = n;
    packed.scores = scores;
    packed.bits = 8;
    worst("bytes", bytes, predict8, NULL);
}

int main(void)
{
    static const uint16_t features[] = {1, 5, 8, 13, 16, 24, 32, 33, 48, 64, 100, 128, 256};
    uint32_t i;
    for (i = 0; i < SCORES; i++) scale[i] = (uint16_t)(65535 - i);
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5;
    for (i = 0; i < LENGTH(features); i++)
        for (scores = 1; scores <= SCORES; scores += scores == 1 ? 2 : 1) {
            n = features[i];
            if (n * scores <= CELLS) shape();
        }
    return report();
}
