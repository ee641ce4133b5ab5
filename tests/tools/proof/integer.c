/* The integer learner: any weights, steps, margin, counts and sums that learning or loading can leave; any example of
 * up to FEATURES features, its indices too; any label; what the trainer predicts, also by the mean. Nothing overflows, no
 * array is left. */
#include <stdint.h>

#define IMAX 1073741824 /* PCN_IMAX */

/* Shown by `saturate` below; the other proofs use it. */
/*@ assigns \result \from w;
    ensures -IMAX <= \result <= IMAX; */
static inline int32_t pcnp_saturate(int32_t w);

struct pcn_ivec;
/* 65,535 products of 30 and 15 bits. */
/*@ ensures -65535 * 0x200000000000 <= \result <= 65535 * 0x200000000000; */
static int64_t pcnp_idot(const int32_t *w, uint32_t n, const struct pcn_ivec *x);

#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_STATIC
#include "perceptron.h"
#include "any.h"

enum { FEATURES = 3, CLASSES = 3, WEIGHTS = (FEATURES + 1) * CLASSES };

static pcn_ivec any_example(void)
{
    static int16_t value[FEATURES];
    static uint32_t index[FEATURES];
    pcn_ivec x;
    uint32_t k;
    for (k = 0; k < FEATURES; k++) value[k] = (int16_t)any_int32(INT16_MIN, INT16_MAX);
    for (k = 0; k < FEATURES; k++) index[k] = any_uint32(0, UINT32_MAX);
    x.value = any_int32(0, 1) ? value : NULL;
    x.index = any_int32(0, 1) ? index : NULL;
    x.count = any_uint32(0, FEATURES);
    return x;
}

static int32_t weight[WEIGHTS], mean[WEIGHTS];
static int64_t sum[WEIGHTS];

static void any_state(pcn_iperceptron *m)
{
    uint32_t k;
    for (k = 0; k < WEIGHTS; k++) weight[k] = any_int32(-PCN_IMAX, PCN_IMAX);
    for (k = 0; m->own.sum && k < WEIGHTS; k++) sum[k] = any_int64();
    m->rate = (int16_t)any_int32(1, INT16_MAX);
    m->bias_step = any_int32(1 - PCN_IMAX, PCN_IMAX - 1);
    m->bias_rows = (uint8_t)any_int32(0, 32);
    m->bias_doubled = (uint8_t)any_int32(0, 12);
    m->margin = any_int64();
    m->rows = any_uint32(0, UINT32_MAX);
    m->updates = any_uint32(0, UINT32_MAX);
    m->mistakes = any_uint32(0, UINT32_MAX);
    m->refused = any_uint32(0, UINT32_MAX);
    m->own.clock = any_uint32(0, UINT32_MAX);
    m->live.zero_negative = (uint8_t)any_int32(0, 1);
}

static void predict(const pcn_ilinear *m)
{
    int64_t score[CLASSES];
    pcn_ivec x = any_example();
    pcn_ilinear_predict(m, x);
    pcn_ilinear_scores(m, x, score);
    if (m->scores == 1) pcn_ilinear_score(m, x);
}

static void learn_and_predict(pcn_iperceptron *m)
{
    pcn_ivec x = any_example();
    int y = Frama_C_interval_split(-2, CLASSES);
    any_state(m);
    pcn_iperceptron_learn(m, x, y);
    x = any_example();
    pcn_iperceptron_predict(m, x);
    predict(&m->live);
}

static void learner(uint32_t features, uint32_t classes)
{
    pcn_iperceptron m;
    pcn_ilinear view;
    int result = pcn_iperceptron_init(&m, features, classes, weight, sizeof weight);
    learn_and_predict(&m); /* also where init has failed */
    if (result < 0) return;
    pcn_iperceptron_use_averaging(&m, sum, sizeof sum);
    learn_and_predict(&m);
    if (pcn_iperceptron_final(&m, &view, mean, sizeof mean) == PCN_OK) predict(&view);
}

static void learners(void)
{
    uint32_t features, classes;
    for (features = 0; features <= FEATURES; features++)
        for (classes = 0; classes <= CLASSES; classes++) learner(features, classes);
}

/* Models of 8 or 16 bits a weight. */
static void frozen(void)
{
    static int32_t bias[CLASSES];
    static uint16_t scale[CLASSES];
    pcn_ilinear m;
    uint32_t k;
    for (k = 0; k < WEIGHTS; k++) weight[k] = any_int32(INT32_MIN, INT32_MAX);
    for (k = 0; k < CLASSES; k++) bias[k] = any_int32(-PCN_IMAX, PCN_IMAX);
    for (k = 0; k < CLASSES; k++) scale[k] = (uint16_t)any_uint32(0, UINT16_MAX);
    m.weight = weight;
    m.bias = any_int32(0, 1) ? bias : NULL;
    m.scale = scale;
    m.features = FEATURES;
    m.zero_negative = (uint8_t)any_int32(0, 1);
    for (m.bits = 8; m.bits <= 16; m.bits = (uint8_t)(m.bits + 8))
        for (m.scores = 1; m.scores <= CLASSES; m.scores += 2) predict(&m); /* of two classes, and of three */
}

static void saturate(void)
{
    pcnp_saturate(any_int32(INT32_MIN, -PCN_IMAX - 1));
    pcnp_saturate(any_int32(-PCN_IMAX, -1));
    pcnp_saturate(any_int32(0, PCN_IMAX - 1));
    pcnp_saturate(any_int32(PCN_IMAX, INT32_MAX));
}
