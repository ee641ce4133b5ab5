/* Speed of the kernels on sparse vectors beside plain loops and beside gathering the same weights and
 * summing them in no particular order.
 *
 *     cc -std=gnu99 -O2 -march=native -I. tests/bench/sparse.c -o build/bench_sparse
 *
 * A vector has one random index in each of n equal parts of the weights, so they ascend; every call takes
 * the next of POOL / n vectors. */
#define _GNU_SOURCE /* clock_gettime under -std=c99 too */
#include "library.h"
#include "harness.h"
#include "data.h"
#include "loops.h"

#define SCALE 1e-7f /* of axpy: w stays small over millions of calls */

enum { POOL = 1 << 20 };

static uint32_t pool[POOL], features; /* indices of all vectors; of w */
static size_t at;                     /* of the vector of this call */

static inline const uint32_t *next(size_t n)
{
    at = (at + n) & (POOL - 1);
    return pool + at;
}

/* ---- Plain C ----------------------------------------------------------------------------------- */

static APART float plain_values(const float *w, const uint32_t *index, const float *x, size_t n)
{
    float sum = 0;
    size_t i;
    for (i = 0; i < n; i++) sum += w[index[i]] * x[i];
    return sum;
}

static APART float plain_ones(const float *w, const uint32_t *index, size_t n)
{
    float sum = 0;
    size_t i;
    for (i = 0; i < n; i++) sum += w[index[i]];
    return sum;
}

static APART float plain_add_values(float *w, const uint32_t *index, const float *x, size_t n, float c)
{
    size_t i;
    for (i = 0; i < n; i++) w[index[i]] += c * x[i];
    return 0;
}

static APART float plain_add_ones(float *w, const uint32_t *index, size_t n, float c)
{
    size_t i;
    for (i = 0; i < n; i++) w[index[i]] += c;
    return 0;
}

/* Indices differ: four loads may go before four stores. */
static APART float four_add_values(float *w, const uint32_t *index, const float *x, size_t n, float c)
{
    for (; n >= 4; n -= 4, index += 4, x += 4) {
        float p = w[index[0]] + c * x[0], q = w[index[1]] + c * x[1];
        float r = w[index[2]] + c * x[2], s = w[index[3]] + c * x[3];
        w[index[0]] = p, w[index[1]] = q, w[index[2]] = r, w[index[3]] = s;
    }
    return plain_add_values(w, index, x, n, c);
}

static APART float four_add_ones(float *w, const uint32_t *index, size_t n, float c)
{
    for (; n >= 4; n -= 4, index += 4) {
        float p = w[index[0]] + c, q = w[index[1]] + c, r = w[index[2]] + c, s = w[index[3]] + c;
        w[index[0]] = p, w[index[1]] = q, w[index[2]] = r, w[index[3]] = s;
    }
    return plain_add_ones(w, index, n, c);
}

REPEAT(run_plain_values, plain_values(w, next(n), x, n))
REPEAT(run_plain_ones, plain_ones(w, next(n), n))
REPEAT(run_plain_add_values, plain_add_values(w, next(n), x, n, SCALE))
REPEAT(run_plain_add_ones, plain_add_ones(w, next(n), n, SCALE))
REPEAT(run_four_values, scalar_gather(w, next(n), x, n))
REPEAT(run_four_ones, scalar_gather(w, next(n), NULL, n))
REPEAT(run_four_add_values, four_add_values(w, next(n), x, n, SCALE))
REPEAT(run_four_add_ones, four_add_ones(w, next(n), n, SCALE))
#ifdef __AVX2__
REPEAT(run_vector_values, vector_gather(w, next(n), x, n))
REPEAT(run_vector_ones, vector_gather(w, next(n), NULL, n))
#else
#define run_vector_values NULL
#define run_vector_ones NULL
#endif

/* ---- perceptron.h ------------------------------------------------------------------------------ */

REPEAT(run_values, pcn_dot(w, features, pcn_sparse(next(n), x, (uint32_t)n)))
REPEAT(run_ones, pcn_dot(w, features, pcn_ones(next(n), (uint32_t)n)))
REPEAT(run_add_values, (pcn_add(w, features, SCALE, pcn_sparse(next(n), x, (uint32_t)n)), 0))
REPEAT(run_add_ones, (pcn_add(w, features, SCALE, pcn_ones(next(n), (uint32_t)n)), 0))

/* ---- Tables ------------------------------------------------------------------------------------ */

enum { PCN, PLAIN, FOUR, VECTOR, KINDS };

static const struct {
    const char *title;
    variant v[KINDS];
} subjects[] = {
    {"dot product, values",
     {{"pcn_dot", run_values},
      {"plain C", run_plain_values},
      {"by 4", run_four_values},
      {"gather", run_vector_values}}},
    {"dot product, ones",
     {{"pcn_dot", run_ones}, {"plain C", run_plain_ones}, {"by 4", run_four_ones}, {"gather", run_vector_ones}}},
    {"add, values",
     {{"pcn_add", run_add_values}, {"plain C", run_plain_add_values}, {"by 4", run_four_add_values}, {"", NULL}}},
    {"add, ones",
     {{"pcn_add", run_add_ones}, {"plain C", run_plain_add_ones}, {"by 4", run_four_add_ones}, {"", NULL}}},
};

static void fill_pool(size_t n)
{
    size_t i, k;
    at = 0;
    for (i = 0; i < POOL; i += n)
        for (k = 0; k < n; k++) {
            size_t begin = k * features / n, end = (k + 1) * features / n;
            pool[i + k] = (uint32_t)begin + random_below((uint32_t)(end - begin));
        }
}

static void print_head(const char *title, const variant *v)
{
    int k;
    printf("\nsparse %s: ns a call, median; ns a non-zero; speed as a multiple of plain C's; time as a multiple\n"
           "of that of the faster of the two loops without an order\n%9s%7s",
           title, "weights", "n");
    for (k = 0; k < KINDS; k++) printf("%10s", v[k].name);
    printf("  %-17s%10s%10s%10s\n", "quartiles", "ns", "/ plain", "/ limit");
}

static void print_row(const variant *v, const sample *s, size_t n)
{
    int k, best = faster(s, v, FOUR, VECTOR);
    printf("%9u%7zu", features, n);
    for (k = 0; k < KINDS; k++) cell(v[k].run != NULL, quantile(s, k, -1, 0.5));
    quartiles(s, PCN, 1);
    cell(1, quantile(s, PCN, -1, 0.5) / (double)n);
    cell(1, quantile(s, PLAIN, PCN, 0.5));
    cell(1, quantile(s, PCN, best, 0.5));
    printf("\n");
    fflush(stdout);
}

enum { MOST_WEIGHTS = 1 << 22, MOST_COUNT = 1 << 12 };

static void table(const char *title, const variant *v, float *w, const float *x)
{
    static const uint32_t weights[] = {1 << 14, 1 << 18, MOST_WEIGHTS};
    static const size_t counts[] = {1, 4, 16, 64, 256, 1024, MOST_COUNT};
    static sample s;
    size_t i, j;
    print_head(title, v);
    for (i = 0; i < LENGTH(weights); i++)
        for (j = 0; j < LENGTH(counts); j++) {
            features = weights[i];
            fill_pool(counts[j]);
            measure(&s, v, KINDS, w, x, counts[j], SLOT_NS, 2e8);
            print_row(v, &s, counts[j]);
        }
}

int main(void)
{
    float *w = floats(MOST_WEIGHTS), *x = floats(MOST_COUNT);
    size_t i;
    print_machine();
    for (i = 0; i < MOST_WEIGHTS; i++) w[i] = (float)random_below(256) / 256.0f - 0.5f;
    for (i = 0; i < MOST_COUNT; i++) x[i] = (float)random_below(256) / 256.0f - 0.5f;
    for (i = 0; i < LENGTH(subjects); i++) table(subjects[i].title, subjects[i].v, w, x);
    free(w);
    free(x);
    return 0;
}
