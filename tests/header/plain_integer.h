/* The integer trainer in 64 bits and what quantised models are: nothing but the definitions, for tests and the fuzzer.
 * `classes` counts those that have weights: 1 if two classes share a score. WORDS: of weights and biases at most; define
 * it and include perceptron.h and sums.h first. */
#ifndef TEST_PLAIN_INTEGER_H
#define TEST_PLAIN_INTEGER_H

#include <math.h>
#include <string.h>

typedef struct plain {
    uint32_t n, classes;
    int zero_negative;              /* the class at a score of 0 */
    int64_t w[WORDS], total[WORDS]; /* total: of all weights seen, the first included */
    uint32_t rows, updates, mistakes, clock;
    uint32_t looked; /* updates that have looked for the bias input, the first 32 */
    int64_t input;   /* the bias input found: the step is its square */
    int guess;
} plain;

static uint32_t at_limit[2][2]; /* what has been met there: weights, biases; low, high */

static inline void plain_init(plain *v, uint32_t n, uint32_t classes)
{
    memset(v, 0, sizeof *v);
    v->n = n;
    v->classes = classes;
    v->input = 2;
}

static inline void plain_average(plain *v)
{
    memcpy(v->total, v->w, sizeof v->total);
    v->clock = 0;
}

static inline int64_t integer_score(const plain *v, const int64_t *w, uint32_t cls, const int16_t *x)
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
    if (v->classes == 1) return integer_score(v, w, 0, x) >= v->zero_negative;
    for (k = 0; k < (int)v->classes; k++) {
        if (k == without) continue;
        if (best < 0 || integer_score(v, w, (uint32_t)k, x) > integer_score(v, w, (uint32_t)best, x)) best = k;
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

/* PCN_BIAS_OF_ROWS, before an update by x: is the mean size of what is not 0 above half of the bias input? */
static inline void plain_look(plain *v, const int16_t *x)
{
    int64_t sum = 0, count = 0;
    uint32_t j;
    if (v->looked == 32) return;
    v->looked++;
    for (j = 0; j < v->n; j++) {
        sum += x[j] < 0 ? -(int64_t)x[j] : x[j];
        count += x[j] != 0;
    }
    if (2 * sum > v->input * count && v->input < 8192) v->input *= 2;
}

static inline void plain_move(plain *v, const pcn_iperceptron *settings, uint32_t cls, int sign, const int16_t *x)
{
    int64_t *w = v->w + (size_t)cls * v->n, *bias = v->w + (size_t)v->n * v->classes + cls;
    uint32_t j;
    for (j = 0; j < v->n; j++)
        if (x[j] != 0) w[j] = plain_limit(w[j] + (int64_t)sign * settings->rate * x[j], 0);
    *bias = plain_limit(*bias + sign * (settings->bias_step < 0 ? v->input * v->input : settings->bias_step), 1);
}

/* What the trainer must return. */
static inline int plain_learn(plain *v, const pcn_iperceptron *settings, const int16_t *x, int y)
{
    const int sign = y > 0 ? 1 : -1, rival = plain_best(v, v->w, x, y), binary = v->classes == 1;
    const int64_t s = integer_score(v, v->w, binary ? 0 : (uint32_t)y, x);
    const int64_t margin = binary ? sign * s : s - integer_score(v, v->w, (uint32_t)rival, x);
    const int fired = margin <= settings->margin;
    uint32_t i;
    v->guess = plain_best(v, v->w, x, -1);
    v->rows++;
    v->clock++;
    v->updates += fired != 0;
    v->mistakes += v->guess != (binary ? y > 0 : y);
    if (fired && settings->bias_step < 0) plain_look(v, x);
    if (fired) plain_move(v, settings, binary ? 0 : (uint32_t)y, binary ? sign : 1, x);
    if (fired && !binary) plain_move(v, settings, (uint32_t)rival, -1, x);
    for (i = 0; i < (v->n + 1) * v->classes; i++) v->total[i] += v->w[i];
    return fired;
}

/* Are these the means? All are the sums over the least power of two that brings them below the limit, rounded. */
static inline int plain_means(const int64_t *total, const int32_t *mean, size_t n)
{
    int64_t most = 0, unit = 1;
    size_t i;
    int good = 1;
    for (i = 0; i < n; i++) {
        const int64_t size = total[i] < 0 ? -total[i] : total[i];
        if (size > most) most = size;
    }
    while (most / unit >= (int64_t)1 << 30) unit *= 2;
    for (i = 0; i < n; i++) {
        const int64_t size = total[i] < 0 ? -total[i] : total[i], rounded = (size + unit / 2) / unit;
        good &= mean[i] == (total[i] < 0 ? -rounded : rounded);
    }
    return good;
}

/* ---- The class by the mean, exactly ---- */

/* limb[4] 2^64 + limb[3] 2^48 + ... + limb[0]; all but limb[4] are 0 .. 2^16 - 1. */
typedef struct plain_big {
    int64_t limb[5];
} plain_big;

/* The score of class c times the number of weights seen: each limb of a sum is multiplied by itself, and carries follow.
 * (2^16 features, 2^16 and 2^15 make 2^47.) */
static inline plain_big mean_score_of(const int64_t *total, uint32_t n, uint32_t classes, uint32_t c, const int16_t *x)
{
    plain_big s = {{0, 0, 0, 0, 0}};
    uint32_t j, k;
    for (j = 0; j <= n; j++) {
        const int64_t t = j < n ? total[(size_t)c * n + j] : total[(size_t)n * classes + c];
        const uint64_t bits = (uint64_t)t;
        for (k = 0; k < 4; k++) s.limb[k] += (int64_t)(bits >> 16 * k & 0xffff) * (j < n ? x[j] : 1);
        if (t < 0) s.limb[4] -= j < n ? x[j] : 1; /* these bits are t + 2^64 */
    }
    for (k = 0; k < 4; k++) {
        const int64_t low = ((s.limb[k] % 65536) + 65536) % 65536;
        s.limb[k + 1] += (s.limb[k] - low) / 65536;
        s.limb[k] = low;
    }
    return s;
}

static inline int is_greater(const plain_big *a, const plain_big *b)
{
    int k = 4;
    while (k > 0 && a->limb[k] == b->limb[k]) k--;
    return a->limb[k] > b->limb[k];
}

/* The class that the mean of all weights gives to x, from their sums `total`. */
static inline int plain_mean_class(const int64_t *total, uint32_t n, uint32_t classes, int zero_negative,
                                   const int16_t *x)
{
    const plain_big zero = {{0, 0, 0, 0, 0}};
    plain_big best = mean_score_of(total, n, classes, 0, x);
    uint32_t c, winner = 0;
    if (classes == 1) return is_greater(&best, &zero) || (!zero_negative && !is_greater(&zero, &best));
    for (c = 1; c < classes; c++) {
        const plain_big s = mean_score_of(total, n, classes, c, x);
        if (is_greater(&s, &best)) best = s, winner = c;
    }
    return (int)winner;
}

/* ---- Quantised models ---- */

static inline int64_t narrow_weight(const pcn_ilinear *q, uint32_t c, uint32_t j)
{
    const size_t at = (size_t)c * q->features + j;
    return q->bits == 8 ? ((const int8_t *)q->weight)[at] : ((const int16_t *)q->weight)[at];
}

static inline double bias_over(const pcn_linear *m, uint32_t c, float unit)
{
    return m->bias ? (double)m->bias[c] / (double)unit : 0;
}

/* What 1 in the numbers of a class must stand for at least, where 1 in a feature stands for `unit`. */
static inline double plain_quantum(const pcn_linear *m, uint32_t c, uint32_t bits, float unit)
{
    double most = fabs(bias_over(m, c, unit)) / 1073741824.0;
    uint32_t j;
    for (j = 0; j < m->features; j++)
        most = fmax(most, fabs((double)m->weight[weight_at(m, c, j)]) / (bits == 8 ? 127 : 32767));
    return most;
}

/* What 1 stands for in a class of scale 1. */
static inline double plain_least(const pcn_linear *m, uint32_t bits, float unit)
{
    double least = 0;
    uint32_t c;
    for (c = 0; c < m->scores; c++) least = fmax(least, plain_quantum(m, c, bits, unit) / 65535);
    return least;
}

/* Is q made of m? Every class has the least scale that it fits; weights and biases are the nearest. Not where floats
 * have no digits left. */
static inline int plain_quantised(const pcn_ilinear *q, const pcn_linear *m, float unit)
{
    const double least = plain_least(m, q->bits, unit), e = ldexp(1, -20), zero = ldexp(1, -149);
    const int64_t most = q->bits == 8 ? 127 : 32767, limit = (int64_t)1 << 30;
    uint32_t c, j;
    int good = 1;
    for (c = 0; c < m->scores && (least > 1e-30 || least == 0); c++) {
        const double quantum = plain_quantum(m, c, q->bits, unit), one = least * q->scale[c];
        const double need = least > 0 ? quantum / least : 0, bias = bias_over(m, c, unit);
        good &= need < zero || quantum < zero || q->scale[c] >= need * (1 - e);
        good &= q->scale[c] - 1 <= need * (1 + e) && (least > 0 || q->scale[c] == 0);
        for (j = 0; j < m->features; j++) {
            const double w = (double)m->weight[weight_at(m, c, j)], narrow = (double)narrow_weight(q, c, j);
            good &= fabs(narrow) <= (double)most && (one == 0 || fabs(narrow * one - w) <= one * 0.5 + e * fabs(w));
        }
        good &= q->bias[c] >= -limit && q->bias[c] <= limit;
        good &= one == 0 || fabs(q->bias[c] * one - bias) <= one * 0.5 + e * fabs(bias);
    }
    return good;
}

#endif
