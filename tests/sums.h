/* The two orders of sums that examples/GUIDE.md describes, stated anew and as plainly as can be. Volatile:
 * every product and every sum is rounded where it stands. */
#ifndef TEST_SUMS_H
#define TEST_SUMS_H

#include "perceptron.h"

/* Sum of w[j * column] x[j] over the features j < n that x gives, or of w[j * column] x[j] x[j]. A row with indices
 * has 4 partial sums, and its k-th product goes to number k mod 4; a row without has 32. Then j += j + h for
 * h = half of them .. 1. */
static inline float plain_sum_of(const float *w, size_t column, uint32_t n, pcn_vec x, int squared)
{
    volatile float part[32], product;
    uint32_t parts = x.index ? 4 : 32, k = 0, i, h;
    for (i = 0; i < 32; i++) part[i] = 0;
    for (i = 0; i < x.count; i++) {
        uint32_t j = x.index ? x.index[i] : i;
        if (j >= n) continue;
        product = w[j * column];
        if (x.value) product = product * x.value[i];
        if (x.value && squared) product = product * x.value[i];
        part[k % parts] = part[k % parts] + product;
        k++;
    }
    for (h = parts / 2; h != 0; h /= 2)
        for (i = 0; i < h; i++) part[i] = part[i] + part[i + h];
    return part[0];
}

static inline float plain_sum(const float *w, size_t column, uint32_t n, pcn_vec x)
{
    return plain_sum_of(w, column, n, x, 0);
}

/* How far the weights of two features lie apart, and where that of class c and feature j stands. */
static inline size_t column_of(const pcn_linear *m)
{
    return m->by_feature ? (size_t)m->scores : 1;
}

static inline size_t weight_at(const pcn_linear *m, size_t c, size_t j)
{
    return m->by_feature ? j * (size_t)m->scores + c : c * (size_t)m->features + j;
}

/* The same for number i, counted class by class, the biases last. */
static inline size_t where_is(const pcn_linear *m, size_t i)
{
    const size_t n = (size_t)m->features;
    return i >= n * m->scores ? i : weight_at(m, i / n, i % n);
}

/* The score of a class, or the one of two classes: the bias comes last. */
static inline float plain_score(const pcn_linear *m, uint32_t c, pcn_vec x)
{
    volatile float sum = plain_sum(m->weight + weight_at(m, (size_t)c, 0), column_of(m), m->features, x);
    if (m->bias) sum = sum + m->bias[c];
    return sum;
}

/* Sum of x[j]^2. */
static inline float plain_norm2(pcn_vec x)
{
    static const float one = 1;
    return plain_sum_of(&one, 0, UINT32_MAX, x, 1);
}

/* Sum of (x[j] - z[j])^2 over the features j < n that x or z gives: the k-th square goes to partial sum k mod 4. */
static inline float plain_distance2(pcn_vec x, pcn_vec z, uint32_t n)
{
    volatile float part[4] = {0, 0, 0, 0}, apart;
    uint32_t i, j, k = 0;
    for (j = 0; j < n; j++) {
        int given = 0;
        apart = 0;
        for (i = 0; i < x.count; i++)
            if ((x.index ? x.index[i] : i) == j) apart = x.value ? x.value[i] : 1, given = 1;
        for (i = 0; i < z.count; i++)
            if ((z.index ? z.index[i] : i) == j) apart = apart - (z.value ? z.value[i] : 1), given = 1;
        if (!given) continue;
        apart = apart * apart;
        part[k % 4] = part[k % 4] + apart;
        k++;
    }
    for (i = 0; i < 2; i++) part[i] = part[i] + part[i + 2];
    return part[0] + part[1];
}

#endif
