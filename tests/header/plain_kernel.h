/* A binary kernel model in double precision with a list of vectors, for tests: at most SLOTS and a new one, of N
 * features. Define both and include perceptron.h first. */
#ifndef TEST_PLAIN_KERNEL_H
#define TEST_PLAIN_KERNEL_H

#include <math.h>
#include <string.h>

typedef struct plain_model {
    pcn_kernel kernel;
    uint32_t n, id[SLOTS + 1];
    double x[SLOTS + 1][N], coef[SLOTS + 1];
    double spent, phi; /* of the Forgetron: Q, and by how much it shrank last */
} plain_model;

static inline double plain_kernel(const pcn_kernel *k, const double *x, const double *z)
{
    double dot = 0, far = 0;
    uint32_t j;
    for (j = 0; j < N; j++) {
        dot += x[j] * z[j];
        far += (x[j] - z[j]) * (x[j] - z[j]);
    }
    if (k->id == 1) return dot;
    if (k->id == 3) return exp(-(double)k->gamma * far);
    return pow((double)k->gamma * dot + (double)k->coef0, k->degree);
}

static inline double plain_score(const plain_model *p, const double *coef, const double *x)
{
    double f = 0;
    uint32_t i;
    for (i = 0; i < p->n; i++) f += coef[i] * plain_kernel(&p->kernel, p->x[i], x);
    return f;
}

static inline void plain_append(plain_model *p, const double *x, uint32_t id, double coef)
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
    const double sigma = fabs(p->coef[0]), mu = plain_score(p, p->coef, p->x[0]) * (p->coef[0] < 0 ? -1 : 1);
    const double left = 15.0 / 32 * updates - p->spent, a = sigma * (sigma - 2 * mu), b = 2 * sigma;
    uint32_t i;
    p->phi = a + b <= left ? 1 : 2 * left / (b + sqrt(fmax(0, b * b + 4 * a * left)));
    p->spent += forgetron_psi(p->phi, sigma, mu);
    for (i = 0; i < p->n; i++) p->coef[i] *= p->phi;
    plain_drop(p);
}

#endif
