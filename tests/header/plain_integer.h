/* The integer trainer in 64 bits: nothing but the definitions, for tests and the fuzzer. WORDS: of weights and biases
 * at most; define it and include perceptron.h first. */
#ifndef TEST_PLAIN_INTEGER_H
#define TEST_PLAIN_INTEGER_H

#include <string.h>

typedef struct plain {
    uint32_t n, classes;
    int winnow, eliminate, zero_negative; /* the last: the class at a score of 0 */
    int64_t w[WORDS], total[WORDS];       /* total: of all weights seen, the first included */
    uint32_t rows, updates, mistakes, clock;
    int guess;
} plain;

static uint32_t at_limit[2][2]; /* what has been met there: weights, biases; low, high */

static inline void plain_average(plain *v)
{
    memcpy(v->total, v->w, sizeof v->total);
    v->clock = 0;
}

static inline void plain_winnow(plain *v, int32_t threshold, int eliminate)
{
    uint32_t i, weights = v->n * v->classes;
    for (i = 0; i < weights + v->classes; i++) v->w[i] = i < weights ? 1024 : -1024 * (int64_t)threshold;
    v->winnow = 1;
    v->eliminate = eliminate;
    plain_average(v);
}

static inline int64_t plain_score(const plain *v, const int64_t *w, uint32_t cls, const int16_t *x)
{
    int64_t s = w[v->n * v->classes + cls];
    uint32_t j;
    for (j = 0; j < v->n; j++) s += w[cls * v->n + j] * x[j];
    return s;
}

/* The class that w gives to x; `without`: a class that is left out, or -1. */
static inline int plain_best(const plain *v, const int64_t *w, const int16_t *x, int without)
{
    int k, best = -1;
    if (v->classes == 1) return plain_score(v, w, 0, x) >= v->zero_negative ? 1 : -1;
    for (k = 0; k < (int)v->classes; k++) {
        if (k == without) continue;
        if (best < 0 || plain_score(v, w, (uint32_t)k, x) > plain_score(v, w, (uint32_t)best, x)) best = k;
    }
    return best;
}

static inline int64_t plain_limit(int64_t w, int is_bias)
{
    const int64_t limit = (int64_t)1 << 30;
    if (w <= -limit) at_limit[is_bias][0]++;
    if (w >= limit) at_limit[is_bias][1]++;
    return w > limit ? limit : w < -limit ? -limit : w;
}

static inline void plain_move(plain *v, const pcn_iperceptron *settings, uint32_t cls, int sign, const int16_t *x)
{
    int64_t *w = v->w + (size_t)cls * v->n, *bias = v->w + (size_t)v->n * v->classes + cls;
    uint32_t j;
    for (j = 0; j < v->n; j++) {
        if (x[j] == 0) continue;
        if (!v->winnow)
            w[j] = plain_limit(w[j] + (int64_t)sign * settings->rate * x[j], 0);
        else
            w[j] = sign > 0 ? plain_limit(2 * w[j], 0) : v->eliminate ? 0 : w[j] > 1 ? w[j] / 2 : w[j];
    }
    if (!v->winnow) *bias = plain_limit(*bias + (int64_t)sign * settings->bias_step, 1);
}

/* What the trainer must return. */
static inline int plain_learn(plain *v, const pcn_iperceptron *settings, const int16_t *x, int y)
{
    const int sign = y > 0 ? 1 : -1, rival = plain_best(v, v->w, x, y), binary = v->classes == 1;
    const int64_t s = plain_score(v, v->w, binary ? 0 : (uint32_t)y, x);
    const int64_t margin = binary ? sign * s : s - plain_score(v, v->w, (uint32_t)rival, x);
    const int fired = margin <= settings->margin;
    uint32_t i;
    v->guess = plain_best(v, v->w, x, -1);
    v->rows++;
    v->clock++;
    v->updates += fired != 0;
    v->mistakes += v->guess != (binary ? sign : y);
    if (fired) plain_move(v, settings, binary ? 0 : (uint32_t)y, binary ? sign : 1, x);
    if (fired && !binary) plain_move(v, settings, (uint32_t)rival, -1, x);
    for (i = 0; i < (v->n + 1) * v->classes; i++) v->total[i] += v->w[i];
    return fired;
}

#endif
