/* Speed of the dense kernels beside plain loops, fused loops, OpenBLAS and pure loads; of the checksum of images.
 *
 *     cc -std=gnu99 -O2 -march=native -I. tests/bench/kernels.c -o build/bench_kernels \
 *         [-DBENCH_BLAS -lopenblas]
 */
#define _GNU_SOURCE /* clock_gettime under -std=c99 too */
#include "library.h"
#include "harness.h"
#include "loops.h"

#ifdef BENCH_BLAS
#include <cblas.h>
#endif

#define SCALE 1e-7f /* of axpy: w stays small over millions of calls */

enum { SCORES = 10, LARGEST = 1 << 24, LARGEST_SCORES = 1 << 20 };

static float score[SCORES]; /* w then has SCORES rows of n weights */

/* ---- Plain C --------------------------------------------------------------------------------- */

static APART float plain_dot(const float *w, const float *x, size_t n)
{
    float sum = 0;
    size_t i;
    for (i = 0; i < n; i++) sum += w[i] * x[i];
    return sum;
}

static APART float plain_axpy(float *w, const float *x, size_t n, float c)
{
    size_t i;
    for (i = 0; i < n; i++) w[i] += c * x[i];
    return 0;
}

static APART float plain_scores(const float *w, const float *x, size_t n)
{
    size_t i, k;
    for (k = 0; k < SCORES; k++, w += n) {
        float sum = 0;
        for (i = 0; i < n; i++) sum += w[i] * x[i];
        score[k] = sum;
    }
    return score[0];
}

/* ---- perceptron.h ---------------------------------------------------------------------------- */

static float pcn_scores(const float *w, const float *x, size_t n)
{
    pcn_linear m = {NULL, NULL, 0, SCORES, 0, 0, 0};
    m.weight = w;
    m.features = (uint32_t)n;
    pcn_linear_scores(&m, pcn_dense(x, (uint32_t)n), score);
    return score[0];
}

REPEAT(run_pcn_dot, pcn_dot(w, (uint32_t)n, pcn_dense(x, (uint32_t)n)))
REPEAT(run_pcn_axpy, (pcn_add(w, (uint32_t)n, SCALE, pcn_dense(x, (uint32_t)n)), 0))
REPEAT(run_pcn_scores, pcn_scores(w, x, n))
REPEAT(run_plain_dot, plain_dot(w, x, n))
REPEAT(run_plain_axpy, plain_axpy(w, x, n, SCALE))
REPEAT(run_plain_scores, plain_scores(w, x, n))
REPEAT(run_crc, (float)pcn_crc32(0, x, n))
REPEAT(run_read, read_all(w, n) + read_all(x, n))
REPEAT(run_read_scores, read_all(w, SCORES *n) + read_all(x, n))

/* ---- Fused, in no particular order ------------------------------------------------------------ */

#if defined(__AVX2__) && defined(__FMA__)
#define FMA(sum, w, i) sum = _mm256_fmadd_ps(_mm256_loadu_ps((w) + (i)), _mm256_loadu_ps(x + (i)), sum)

/* wide: 8 sums, else 4. */
static inline float fma_dot(const float *w, const float *x, size_t n, int wide)
{
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    size_t step = wide ? 64 : 32;
    float sum;
    for (; n >= step; n -= step, w += step, x += step) {
        FMA(a, w, 0), FMA(b, w, 8), FMA(c, w, 16), FMA(d, w, 24);
        if (wide) FMA(e, w, 32), FMA(f, w, 40), FMA(g, w, 48), FMA(h, w, 56);
    }
    for (; n >= 8; n -= 8, w += 8, x += 8) FMA(a, w, 0);
    a = _mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d));
    sum = sum8(_mm256_add_ps(a, _mm256_add_ps(_mm256_add_ps(e, f), _mm256_add_ps(g, h))));
    for (; n != 0; n--) sum += *w++ * *x++;
    return sum;
}

static APART float fma_dot4(const float *w, const float *x, size_t n)
{
    return fma_dot(w, x, n, 0);
}

static APART float fma_dot8(const float *w, const float *x, size_t n)
{
    return fma_dot(w, x, n, 1);
}

static APART float fma_axpy(float *w, const float *x, size_t n, float c)
{
    __m256 s = _mm256_set1_ps(c);
#define STEP(i) _mm256_storeu_ps(w + i, _mm256_fmadd_ps(s, _mm256_loadu_ps(x + i), _mm256_loadu_ps(w + i)))
    for (; n >= 32; n -= 32, w += 32, x += 32) STEP(0), STEP(8), STEP(16), STEP(24);
    for (; n >= 8; n -= 8, w += 8, x += 8) STEP(0);
    for (; n != 0; n--) *w++ += c * *x++;
    return 0;
}

static float fma_scores_by_row(const float *w, const float *x, size_t n)
{
    size_t k;
    for (k = 0; k < SCORES; k++) score[k] = fma_dot4(w + k * n, x, n);
    return score[0];
}

/* Five rows at a time: loads x twice instead of ten times, 5 sums. */
static APART float fma_scores_by_five(const float *w, const float *x, size_t n)
{
    size_t k, i;
    int r;
    for (k = 0; k < SCORES; k += 5, w += 5 * n) {
        __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a, e = a;
        for (i = 0; i + 8 <= n; i += 8)
            FMA(a, w, i), FMA(b, w + n, i), FMA(c, w + 2 * n, i), FMA(d, w + 3 * n, i), FMA(e, w + 4 * n, i);
        score[k] = sum8(a), score[k + 1] = sum8(b), score[k + 2] = sum8(c), score[k + 3] = sum8(d);
        score[k + 4] = sum8(e);
        for (; i < n; i++)
            for (r = 0; r < 5; r++) score[k + (size_t)r] += w[(size_t)r * n + i] * x[i];
    }
    return score[0];
}

REPEAT(run_fma_dot4, fma_dot4(w, x, n))
REPEAT(run_fma_dot8, fma_dot8(w, x, n))
REPEAT(run_fma_axpy, fma_axpy(w, x, n, SCALE))
REPEAT(run_fma_scores_by_row, fma_scores_by_row(w, x, n))
REPEAT(run_fma_scores_by_five, fma_scores_by_five(w, x, n))
#else
#define run_fma_dot4 NULL
#define run_fma_dot8 NULL
#define run_fma_axpy NULL
#define run_fma_scores_by_row NULL
#define run_fma_scores_by_five NULL
#endif

/* ---- OpenBLAS --------------------------------------------------------------------------------- */

#ifdef BENCH_BLAS
REPEAT(run_blas_dot, cblas_sdot((int)n, w, 1, x, 1))
REPEAT(run_blas_axpy, (cblas_saxpy((int)n, SCALE, x, 1, w, 1), 0))
REPEAT(run_blas_scores,
       (cblas_sgemv(CblasRowMajor, CblasNoTrans, SCORES, (int)n, 1, w, (int)n, x, 1, 0, score, 1), score[0]))
#else
#define run_blas_dot NULL
#define run_blas_axpy NULL
#define run_blas_scores NULL
#endif

/* ---- Tables ------------------------------------------------------------------------------------ */

enum { PCN, PLAIN, FMA_A, FMA_B, BLAS, READ, KINDS };

typedef struct subject {
    variant v[KINDS];
    size_t largest;
    double bytes, loads; /* moved and loaded, for each of the n features */
} subject;

/* clang-format off */
static const subject subjects[] = {
    {{{"pcn_dot", run_pcn_dot}, {"plain C", run_plain_dot}, {"FMA x 4", run_fma_dot4},
      {"FMA x 8", run_fma_dot8}, {"OpenBLAS", run_blas_dot}, {"read", run_read}}, LARGEST, 8, 8},
    {{{"pcn_add", run_pcn_axpy}, {"plain C", run_plain_axpy}, {"FMA", run_fma_axpy}, {"", NULL},
      {"OpenBLAS", run_blas_axpy}, {"read", run_read}}, LARGEST, 12, 8},
    {{{"scores", run_pcn_scores}, {"plain C", run_plain_scores}, {"FMA rows", run_fma_scores_by_row},
      {"FMA by 5", run_fma_scores_by_five}, {"OpenBLAS", run_blas_scores}, {"read", run_read_scores}},
     LARGEST_SCORES, 4 * (SCORES + 1), 4 * (SCORES + 1)}};
/* clang-format on */

static void print_row(const subject *t, const sample *s, size_t n)
{
    int k, fma = faster(s, t->v, FMA_A, FMA_B);
    printf("%9zu", n);
    for (k = 0; k < READ; k++) cell(t->v[k].run != NULL, quantile(s, k, -1, 0.5));
    quartiles(s, PCN, 1);
    cell(1, quantile(s, PLAIN, PCN, 0.5));
    cell(t->v[fma].run != NULL, quantile(s, fma, PCN, 0.5));
    cell(t->v[BLAS].run != NULL, quantile(s, BLAS, PCN, 0.5));
    cell(1, t->bytes * (double)n / quantile(s, PCN, -1, 0.5));
    cell(1, t->loads * (double)n / quantile(s, READ, -1, 0.5));
    printf("\n");
    fflush(stdout);
}

static void table(const subject *t, float *w, const float *x)
{
    static const size_t sizes[] = {1, 4, 16, 64, 256, 784, 1024, 4096, 16384, 65536, 1048576, LARGEST};
    static sample s;
    size_t i;
    int k;
    printf("\n%s: ns a call, median; speed of %s as a multiple of that of the others; GB/s moved, and by\n"
           "pure loads\n%9s",
           t->v[PCN].name, t->v[PCN].name, "n");
    for (k = 0; k < READ; k++) printf("%10s", t->v[k].name);
    printf("  %-17s%10s%10s%10s%10s%10s\n", "quartiles", "/ plain", "/ FMA", "/ BLAS", "GB/s", "read GB/s");
    for (i = 0; i < LENGTH(sizes) && sizes[i] <= t->largest; i++) {
        measure(&s, t->v, KINDS, w, x, sizes[i], SLOT_NS, 3e8);
        print_row(t, &s, sizes[i]);
    }
}

static void crc_table(const float *x)
{
    static const size_t sizes[] = {256, 1024, 4096, 65536, 1048576, 4 * LARGEST};
    static const variant v = {"pcn_crc32", run_crc};
    static sample s;
    size_t i;
    printf("\npcn_crc32: ms a megabyte, median\n%9s%10s  quartiles\n", "bytes", "");
    for (i = 0; i < LENGTH(sizes); i++) {
        measure(&s, &v, 1, NULL, x, sizes[i], SLOT_NS, 3e8);
        printf("%9zu", sizes[i]);
        cell(1, quantile(&s, 0, -1, 0.5) / (double)sizes[i]); /* ns a byte */
        quartiles(&s, 0, (double)sizes[i]);
        printf("\n");
    }
}

int main(void)
{
    enum { APART_BY = 528 }; /* no two arrays at the same place of a page */
    size_t i, all = (size_t)2 * LARGEST + APART_BY;
    float *memory = floats(all + 16), *w = memory + (64 - (uintptr_t)memory % 64) / 4;
    print_machine();
#ifdef BENCH_BLAS
    openblas_set_num_threads(1);
    printf("%s, kernels for %s\n", openblas_get_config(), openblas_get_corename());
#endif
    for (i = 0; i < all; i++) w[i] = (float)(i * 2654435761u >> 8 & 255) / 256.0f - 0.5f;
    for (i = 0; i < LENGTH(subjects); i++) table(&subjects[i], w, w + LARGEST + APART_BY);
    crc_table(w + LARGEST + APART_BY);
    free(memory);
    return 0;
}
