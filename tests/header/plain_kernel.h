/* Kernel models in double precision, for tests and the fuzzer: kernels, every f that a model has been, for its mean and
 * its vote, and a binary model that keeps a list of vectors. Of N features, CLASSES classes, SLOTS vectors and TIMES
 * examples at most: define all four and include perceptron.h first. */
#ifndef TEST_PLAIN_KERNEL_H
#define TEST_PLAIN_KERNEL_H

#include <math.h>
#include <string.h>

static inline double plain_kernel(const pcn_kernel *k, const float *x, const float *z, uint32_t n)
{
    double dot = 0, far = 0;
    uint32_t j;
    for (j = 0; j < n; j++) {
        dot += (double)x[j] * (double)z[j];
        far += ((double)x[j] - (double)z[j]) * ((double)x[j] - (double)z[j]);
    }
    if (k->id == 1) return dot;
    if (k->id == 3) return exp(-(double)k->gamma * far);
    return pow((double)k->gamma * dot + (double)k->coef0, k->degree);
}

/* How far rounding may carry that as a float; infinite where it leaves their range. Every sum of n products is within
 * (n / 4 + 8) 2^-24 of the sum of their sizes. */
static inline double kernel_radius(const pcn_kernel *k, const float *x, const float *z, uint32_t n)
{
    const double u = ldexp(1, -24), of_sum = (n / 4 + 8) * u, gamma = (double)k->gamma,
                 value = plain_kernel(k, x, z, n);
    double size = 0, squares = 0, dot = 0, far = 0, r;
    uint32_t j;
    for (j = 0; j < n; j++) {
        double a = (double)x[j], b = (double)z[j];
        dot += a * b, size += fabs(a * b), squares += a * a + b * b, far += (a - b) * (a - b);
    }
    r = size * of_sum + ldexp(1, -140);
    if (k->id == 2) {
        double most, base = fabs(gamma * dot + (double)k->coef0);
        most = pow(base + fabs(gamma) * r + 3 * u * (fabs(gamma * dot) + fabs((double)k->coef0)), k->degree);
        r = most - fabs(value) + 8 * u * most + ldexp(1, -140);
    } else if (k->id == 3) {
        r = gamma * (of_sum + 4 * u) * (squares + 2 * size) + gamma * far * u + ldexp(1, -140);
        r = value * (exp(r) - 1) + ldexp(1, -20) * value * exp(r) + ldexp(1, -120);
    }
    return fabs(value) + r < 1e37 && size < 1e37 && squares < 1e37 ? r : HUGE_VAL;
}

/* ---- Every f so far ---- */

typedef struct plain_past {
    double coef[TIMES + 1][SLOTS * CLASSES]; /* after example t; f = 0 is the first */
    int begun[TIMES + 1][CLASSES + 1];       /* has the class, or in the last place any, had a step by then? */
} plain_past;

/* The coefficients of now. */
static inline void past_note(plain_past *p, const pcn_kmodel *m)
{
    const uint32_t t = m->clock;
    uint32_t i, c;
    memset(p->coef[t], 0, sizeof p->coef[t]);
    memset(p->begun[t], 0, sizeof p->begun[t]);
    if (t != 0) memcpy(p->begun[t], p->begun[t - 1], sizeof p->begun[t]);
    for (i = 0; i < m->slots; i++)
        for (c = 0; c < m->scores; c++) {
            const uint32_t at = i * m->scores + c;
            p->coef[t][at] = (double)m->coef[at];
            if (t != 0 && p->coef[t][at] != p->coef[t - 1][at]) p->begun[t][c] = p->begun[t][CLASSES] = 1;
        }
}

/* f of class c after example t. kernel, away: of every slot K(x, z) + B^2, and how far rounding may carry that. */
static inline double past_f(const plain_past *p, const pcn_kmodel *m, uint32_t t, uint32_t c, const double *kernel,
                            const double *away, double *radius)
{
    double f = 0, size = 0, r = 0;
    uint32_t i;
    for (i = 0; i < m->slots; i++) {
        const double a = p->coef[t][i * m->scores + c];
        f += a * kernel[i], size += fabs(a * kernel[i]);
        if (a != 0 || !(away[i] < HUGE_VAL)) r += (a != 0 ? fabs(a) : 1) * away[i]; /* 0 times infinity is NaN */
    }
    *radius = r + (size + r) * (m->slots + 8) * ldexp(1, -24) + ldexp(1, -120);
    return f;
}

/* The mean of all f, and their votes: each f votes once for each example that it has seen, from the first step on.
 * more: added to the radius of each f. Returns 0 if rounding may change a vote. */
static inline int past_scores(const plain_past *p, const pcn_kmodel *m, const double *kernel, const double *away,
                              const double *more, double *mean, double *radius, double *vote)
{
    uint32_t t, c;
    int sure = 1;
    for (c = 0; c < m->scores; c++) mean[c] = radius[c] = vote[c] = 0;
    for (t = 0; t <= m->clock; t++) {
        double f[CLASSES], r[CLASSES];
        uint32_t best = 0;
        for (c = 0; c < m->scores; c++) {
            f[c] = past_f(p, m, t, c, kernel, away, &r[c]);
            mean[c] += f[c] / (m->clock + 1.0), radius[c] += r[c] / (m->clock + 1.0);
            r[c] += more[c];
            if (f[c] > f[best]) best = c;
        }
        if (!m->by_class && p->begun[t][CLASSES]) vote[best]++;
        for (c = 0; c < m->scores; c++) {
            if (!p->begun[t][m->by_class ? c : CLASSES]) continue;
            if (m->by_class) vote[c] += f[c] > 0 || (f[c] == 0 && !m->zero_negative) ? 1 : -1;
            if (!(m->by_class ? fabs(f[c]) > r[c] : c == best || f[c] + r[c] < f[best] - r[best])) sure = 0;
        }
    }
    return sure;
}

/* ---- A binary model ---- */

typedef struct plain_model {
    pcn_kernel kernel;
    uint32_t n, id[SLOTS + 1];
    float x[SLOTS + 1][N];
    double coef[SLOTS + 1];
    double spent, phi; /* of the Forgetron: Q, and by how much it shrank last */
} plain_model;

static inline double kernel_score(const plain_model *p, const double *coef, const float *x)
{
    double f = 0;
    uint32_t i;
    for (i = 0; i < p->n; i++) f += coef[i] * plain_kernel(&p->kernel, p->x[i], x, N);
    return f;
}

static inline void plain_append(plain_model *p, const float *x, uint32_t id, double coef)
{
    memcpy(p->x[p->n], x, sizeof p->x[0]);
    p->id[p->n] = id;
    p->coef[p->n++] = coef;
}

/* Removes the oldest. */
static inline void plain_drop(plain_model *p)
{
    p->n--;
    memmove(p->x, p->x + 1, p->n * sizeof *p->x);
    memmove(p->id, p->id + 1, p->n * sizeof *p->id);
    memmove(p->coef, p->coef + 1, p->n * sizeof *p->coef);
}

static inline double forgetron_psi(double phi, double sigma, double mu)
{
    return phi * sigma * phi * sigma + 2 * phi * sigma * (1 - phi * mu);
}

/* Removes the oldest when all have shrunk by the largest phi in (0, 1] whose Psi is within what is left: the smaller
 * root of Psi(phi) = left, if Psi(1) is more. */
static inline void forgetron_forget(plain_model *p, double updates)
{
    const double sigma = fabs(p->coef[0]), mu = kernel_score(p, p->coef, p->x[0]) * (p->coef[0] < 0 ? -1 : 1);
    const double left = 15.0 / 32 * updates - p->spent, a = sigma * (sigma - 2 * mu), b = 2 * sigma;
    uint32_t i;
    p->phi = a + b <= left ? 1 : 2 * left / (b + sqrt(fmax(0, b * b + 4 * a * left)));
    p->spent += forgetron_psi(p->phi, sigma, mu);
    for (i = 0; i < p->n; i++) p->coef[i] *= p->phi;
    plain_drop(p);
}

#endif
