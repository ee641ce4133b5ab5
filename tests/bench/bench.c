/* Speed of the dense kernels, of a training epoch and of kernel prediction beside what the machine can do.
 *
 *     cc -std=gnu99 -O2 -march=native -I. tests/bench/bench.c -o build/bench \
 *         [-DBENCH_BLAS -lopenblas]
 *
 * Every round times every variant once, so that other work on the machine hits all alike. Times are
 * medians of CPU time over the rounds; ratios are medians of the ratios within a round. */
#define _GNU_SOURCE /* clock_gettime under -std=c99 too */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define APART __attribute__((noinline))
#define PCN_API APART extern /* called as from another file */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#ifdef BENCH_BLAS
float cblas_sdot(int n, const float *x, int step_x, const float *y, int step_y);
void cblas_saxpy(int n, float c, const float *x, int step_x, float *y, int step_y);
void openblas_set_num_threads(int threads);
#endif

enum { VARIANTS = 6, ROUNDS = 400, SLOT_NS = 100000 };

/* ---- Harness --------------------------------------------------------------------------------- */

typedef struct variant {
    const char *name;
    float (*run)(float *w, const float *x, size_t n, size_t times); /* NULL: not on this machine */
} variant;

typedef struct sample {
    double ns[VARIANTS][ROUNDS];
    int rounds;
} sample;

static volatile float sink;

static double run_ns(const variant *v, float *w, const float *x, size_t n, size_t times)
{
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    sink = v->run(w, x, n, times);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)times;
}

/* slot: work per timing in ns; rounds go on until all variants have run for `budget` ns. */
static void measure(sample *s, const variant *v, int variants, float *w, const float *x, size_t n,
                    double slot, double budget)
{
    size_t times[VARIANTS] = {0};
    double ns, spent = 0;
    int i, k;
    for (k = 0; k < variants; k++) {
        if (!v[k].run) continue;
        run_ns(&v[k], w, x, n, 1);
        ns = run_ns(&v[k], w, x, n, 1);
        if (slot > ns) ns = run_ns(&v[k], w, x, n, (size_t)(slot / 10 / ns) + 1);
        times[k] = (size_t)(slot / (ns + 1)) + 1;
    }
    for (s->rounds = 0; s->rounds < ROUNDS && (s->rounds < 5 || spent < budget); s->rounds++)
        for (i = 0; i < variants; i++) {
            k = (i + s->rounds) % variants; /* nobody always runs after the same neighbour */
            if (!v[k].run) continue;
            ns = run_ns(&v[k], w, x, n, times[k]);
            s->ns[k][s->rounds] = ns;
            spent += ns * (double)times[k];
        }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quantile q of the times of variant k; of their ratios to variant `of` if that is >= 0. */
static double quantile(const sample *s, int k, int of, double q)
{
    double t[ROUNDS];
    int i;
    for (i = 0; i < s->rounds; i++) t[i] = s->ns[k][i] / (of < 0 ? 1 : s->ns[of][i]);
    qsort(t, (size_t)s->rounds, sizeof *t, ascending);
    return t[(int)(q * (s->rounds - 1) + 0.5)];
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* A variant that evaluates an expression in w, x and n; the barrier keeps every evaluation. */
#define REPEAT(name, expression)                                                                 \
    static float name(float *w, const float *x, size_t n, size_t times)                          \
    {                                                                                            \
        float sum = 0;                                                                           \
        for (; times != 0; times--) {                                                            \
            sum += (float)(expression);                                                          \
            __asm__ volatile("" : : : "memory");                                                 \
        }                                                                                        \
        return sum;                                                                              \
    }

#define SCALE 1e-7f /* of axpy: w stays small over millions of calls */

typedef uint32_t word8 __attribute__((vector_size(32), aligned(4), may_alias));

/* Reads n floats with nothing but wide loads. */
static APART float read_all(const float *x, size_t n)
{
    word8 a = {0}, b = a, c = a, d = a;
    uint32_t any = 0;
    for (; n >= 32; n -= 32, x += 32) {
        a |= *(const word8 *)x;
        b |= *(const word8 *)(x + 8);
        c |= *(const word8 *)(x + 16);
        d |= *(const word8 *)(x + 24);
    }
    for (; n != 0; n--) any |= (uint32_t)*x++;
    a |= b | c | d;
    return (float)(any | a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]);
}

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

REPEAT(run_read, read_all(w, n) + read_all(x, n))
REPEAT(run_plain_dot, plain_dot(w, x, n))
REPEAT(run_plain_axpy, plain_axpy(w, x, n, SCALE))
REPEAT(run_pcn_dot, pcn_dot(w, (uint32_t)n, pcn_dense(x, (uint32_t)n)))
REPEAT(run_pcn_add, (pcn_add(w, (uint32_t)n, SCALE, pcn_dense(x, (uint32_t)n)), 0))

#ifdef __AVX2__
#ifdef __FMA__
#define FMA(sum, i) sum = _mm256_fmadd_ps(_mm256_loadu_ps(w + (i)), _mm256_loadu_ps(x + (i)), sum)

/* The usual fast dot, fused and in no particular order. wide: 8 sums, else 4. */
static inline float fma_dot(const float *w, const float *x, size_t n, int wide)
{
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    size_t step = wide ? 64 : 32;
    __m128 q;
    float sum;
    for (; n >= step; n -= step, w += step, x += step) {
        FMA(a, 0), FMA(b, 8), FMA(c, 16), FMA(d, 24);
        if (wide) FMA(e, 32), FMA(f, 40), FMA(g, 48), FMA(h, 56);
    }
    for (; n >= 8; n -= 8, w += 8, x += 8) FMA(a, 0);
    a = _mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d));
    a = _mm256_add_ps(a, _mm256_add_ps(_mm256_add_ps(e, f), _mm256_add_ps(g, h)));
    q = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    q = _mm_add_ps(q, _mm_movehl_ps(q, q));
    sum = _mm_cvtss_f32(_mm_add_ss(q, _mm_shuffle_ps(q, q, 1)));
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
#define STEP(i)                                                                                  \
    _mm256_storeu_ps(w + i, _mm256_fmadd_ps(s, _mm256_loadu_ps(x + i), _mm256_loadu_ps(w + i)))
    for (; n >= 32; n -= 32, w += 32, x += 32) STEP(0), STEP(8), STEP(16), STEP(24);
    for (; n >= 8; n -= 8, w += 8, x += 8) STEP(0);
    for (; n != 0; n--) *w++ += c * *x++;
    return 0;
}

REPEAT(run_fma_dot4, fma_dot4(w, x, n))
REPEAT(run_fma_dot8, fma_dot8(w, x, n))
REPEAT(run_fma_axpy, fma_axpy(w, x, n, SCALE))
#define BENCH_FMA
#endif
#endif

#ifdef BENCH_BLAS
REPEAT(run_blas_dot, cblas_sdot((int)n, w, 1, x, 1))
REPEAT(run_blas_axpy, (cblas_saxpy((int)n, SCALE, x, 1, w, 1), 0))
#endif

#ifndef BENCH_FMA
#define run_fma_dot4 NULL
#define run_fma_dot8 NULL
#define run_fma_axpy NULL
#endif
#ifndef BENCH_BLAS
#define run_blas_dot NULL
#define run_blas_axpy NULL
#endif

enum { PCN, PLAIN, FMA4, FMA8, BLAS, READ };

static const variant dots[VARIANTS] = {{"pcn_dot", run_pcn_dot},   {"plain C", run_plain_dot},
                                       {"FMA x4", run_fma_dot4},   {"FMA x8", run_fma_dot8},
                                       {"OpenBLAS", run_blas_dot}, {"read", run_read}};
static const variant axpys[VARIANTS] = {{"pcn_add", run_pcn_add},    {"plain C", run_plain_axpy},
                                        {"FMA x4", run_fma_axpy},    {"FMA x8", NULL},
                                        {"OpenBLAS", run_blas_axpy}, {"read", run_read}};

static void cell(int there, double value)
{
    if (there)
        printf(value < 9.95 ? "%10.2f" : value < 999.5 ? "%10.1f" : "%10.0f", value);
    else
        printf("%10s", "-");
}

static void kernel_table(const variant *v, float *w, const float *x, double streams)
{
    static const size_t sizes[] = {1, 4, 16, 64, 256, 784, 1024, 4096, 16384, 65536, 1048576};
    static sample s;
    size_t i;
    int k, fma;
    printf("\n%s: ns a call; speed of %s as a multiple of others'; GB/s moved, and by pure loads\n"
           "%8s", v[PCN].name, v[PCN].name, "n");
    for (k = 0; k < READ; k++) printf("%10s", v[k].name);
    printf("  %-17s%10s%10s%10s%10s%10s\n", "quartiles", "/ plain", "/ FMA", "/ BLAS", "GB/s",
           "read GB/s");
    for (i = 0; i < PCN_LENGTH(sizes); i++) {
        double n = (double)sizes[i];
        measure(&s, v, VARIANTS, w, x, sizes[i], SLOT_NS, 4e8);
        fma = v[FMA8].run && quantile(&s, FMA8, FMA4, 0.5) < 1 ? FMA8 : FMA4;
        printf("%8.0f", n);
        for (k = 0; k < READ; k++) cell(v[k].run != NULL, quantile(&s, k, -1, 0.5));
        printf("  %-8.4g-%8.4g", quantile(&s, PCN, -1, 0.25), quantile(&s, PCN, -1, 0.75));
        cell(1, quantile(&s, PLAIN, PCN, 0.5));
        cell(v[fma].run != NULL, quantile(&s, fma, PCN, 0.5));
        cell(v[BLAS].run != NULL, quantile(&s, BLAS, PCN, 0.5));
        cell(1, 4 * streams * n / quantile(&s, PCN, -1, 0.5));
        cell(1, 8 * n / quantile(&s, READ, -1, 0.5));
        printf("\n");
    }
}

/* ---- Epoch ----------------------------------------------------------------------------------- */

enum { CLASSES = 10, FEATURES = 784, ROWS = 60000, BLEND = 71 };

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t n) /* xorshift32 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (uint32_t)((uint64_t)random_state * n >> 32);
}

/* Ten prototypes of pixels 0 .. 255, about 60 % of them 0. A row takes its class's pixel with
 * probability BLEND / 128, else that of one other class, both dimmed at random; labels go round. */
static void generate(float *x)
{
    static uint8_t prototype[CLASSES][FEATURES];
    uint32_t c, i, j, other, pixel;
    for (c = 0; c < CLASSES; c++)
        for (j = 0; j < FEATURES; j++)
            prototype[c][j] = (uint8_t)(random_below(5) < 2 ? 1 + random_below(255) : 0);
    for (i = 0; i < ROWS; i++) {
        other = (i % CLASSES + 1 + random_below(CLASSES - 1)) % CLASSES;
        for (j = 0; j < FEATURES; j++) {
            pixel = prototype[random_below(128) < BLEND ? i % CLASSES : other][j];
            *x++ = (float)(pixel * (128 + random_below(128)) >> 8) / 255.0f;
        }
    }
}

static uint64_t mistakes;

/* w: memory of the trainer; average: with averaging. */
static float epoch(float *w, const float *x, size_t rows, int average)
{
    pcn_perceptron m;
    size_t i, own = PCN_WEIGHTS(FEATURES, CLASSES);
    pcn_perceptron_init(&m, w, own, FEATURES, CLASSES);
    if (average) pcn_averaging_init(&m, w + own, PCN_SUMS(FEATURES, CLASSES));
    for (i = 0; i < rows; i++)
        pcn_perceptron_learn_class(&m, pcn_dense(x + i * FEATURES, FEATURES), (int)(i % CLASSES));
    mistakes = m.count.mistakes;
    return w[FEATURES / 2];
}

REPEAT(run_averaged, epoch(w, x, n, 1))
REPEAT(run_live, epoch(w, x, n, 0))
REPEAT(run_rows, ((void)w, read_all(x, n * FEATURES)))

static void epoch_table(float *w, const float *x)
{
    static const variant v[] = {{"pure read", run_rows},
                                {"perceptron", run_live},
                                {"averaged perceptron", run_averaged}};
    static sample s;
    double bytes = 4.0 * ROWS * FEATURES;
    int k;
    measure(&s, v, PCN_LENGTH(v), w, x, ROWS, 0, 4e9);
    printf("\nepoch: %d rows x %d floats (%.0f MB), %d classes, file order, %.1f %% mistakes, "
           "%d rounds\n%-22s%10s  %-17s%10s%10s\n", ROWS, FEATURES, bytes * 1e-6, CLASSES,
           100.0 * (double)mistakes / ROWS, s.rounds, "", "ms", "quartiles", "/ read", "GB/s");
    for (k = 0; k < (int)PCN_LENGTH(v); k++) {
        printf("%-22s", v[k].name);
        cell(1, quantile(&s, k, -1, 0.5) * 1e-6);
        printf("  %-8.4g-%8.4g", quantile(&s, k, -1, 0.25) * 1e-6,
               quantile(&s, k, -1, 0.75) * 1e-6);
        cell(1, quantile(&s, k, 0, 0.5));
        cell(1, bytes / quantile(&s, k, -1, 0.5));
        printf("\n");
    }
}

/* ---- Kernel prediction ----------------------------------------------------------------------- */

enum { VECTORS = 1000, BATCH = 64, SVM_ROWS = 100 };

/* An RBF model of VECTORS dense vectors at w. */
static pcn_support make_support(const float *w, uint32_t n)
{
    static pcn_slot slot[VECTORS];
    static float norm2[VECTORS], coef[VECTORS];
    pcn_support m;
    uint32_t i;
    memset(&m, 0, sizeof m);
    for (i = 0; i < VECTORS; i++) {
        slot[i].start = i * n;
        slot[i].count = n;
        norm2[i] = pcn_norm2(pcn_dense(w + (size_t)i * n, n));
        coef[i] = i % 2 ? 1 : -1;
    }
    m.kernel = pcn_kernel_rbf(1 / (float)n);
    m.value = w;
    m.slot = slot;
    m.norm2 = norm2;
    m.coef = coef;
    m.features = n;
    m.classes = 1;
    m.slots = VECTORS;
    return m;
}

static pcn_support support;

/* Scores of BATCH rows at x, `at_once` of them in a call. */
static float predict(const float *x, size_t n, uint32_t at_once)
{
    static float work[PCN_WORK(FEATURES, 1, VECTORS, BATCH)], score[BATCH];
    pcn_vec row[BATCH];
    uint32_t i;
    for (i = 0; i < BATCH; i++) row[i] = pcn_dense(x + i * n, (uint32_t)n);
    for (i = 0; i < BATCH; i += at_once)
        pcn_support_scores(&support, PCN_LAST, row + i, at_once, score + i, work);
    return score[0];
}

/* As many dot products, of two vectors that stay in the first cache. */
static float only_dots(const float *w, const float *x, size_t n)
{
    float sum = 0;
    uint32_t i;
    for (i = 0; i < VECTORS * BATCH; i++) sum += pcn_dot(w, (uint32_t)n, pcn_dense(x, (uint32_t)n));
    return sum;
}

REPEAT(run_batched, ((void)w, predict(x, n, BATCH)))
REPEAT(run_single, ((void)w, predict(x, n, 1)))
REPEAT(run_only_dots, only_dots(w, x, n))

static void write_rows(FILE *f, const float *x, size_t n, int rows, int as_model)
{
    size_t j;
    int i;
    for (i = 0; i < rows; i++, fputc('\n', f)) {
        fputs(as_model ? (i % 2 ? "-1" : "1") : "1", f);
        for (j = 0; j < n; j++) fprintf(f, " %zu:%g", j + 1, (double)x[(size_t)i * n + j]);
    }
}

/* CPU seconds of svm-predict on some rows with a model as large; below 0: not installed. */
static double svm_seconds(const float *w, const float *x, size_t n, int rows)
{
    struct rusage before, after;
    FILE *f = fopen("build/bench.svm", "w");
    if (!f) return -1;
    write_rows(f, x, n, rows, 0);
    fclose(f);
    f = fopen("build/bench.svm.model", "w");
    if (!f) return -1;
    fprintf(f, "svm_type c_svc\nkernel_type rbf\ngamma %g\nnr_class 2\ntotal_sv %d\nrho 0\n"
               "label 1 -1\nnr_sv %d %d\nSV\n", 1 / (double)n, VECTORS, VECTORS / 2, VECTORS / 2);
    write_rows(f, w, n, VECTORS, 1);
    fclose(f);
    getrusage(RUSAGE_CHILDREN, &before);
    if (system("svm-predict -q build/bench.svm build/bench.svm.model build/bench.out 2>/dev/null"))
        return -1;
    getrusage(RUSAGE_CHILDREN, &after);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
}

static void kernel_model_table(float *w, const float *x)
{
    static const size_t sizes[] = {16, 64, 256, 784};
    static const variant v[] = {
        {"batched", run_batched}, {"single", run_single}, {"dots only", run_only_dots}};
    static sample s;
    size_t i;
    int k;
    printf("\nkernel prediction, RBF, %d vectors: ns a vector, row and feature, %d rows at once, one at a "
           "time,\nmerely as many pcn_dot in the first cache, and svm-predict (less its start)\n%8s",
           VECTORS, BATCH, "n");
    for (k = 0; k < 3; k++) printf("%10s", v[k].name);
    printf("%12s%12s%12s\n", "svm-predict", "/ dots", "svm /");
    for (i = 0; i < PCN_LENGTH(sizes); i++) {
        double pairs = (double)VECTORS * (double)sizes[i], svm = 0, start;
        support = make_support(w, (uint32_t)sizes[i]);
        measure(&s, v, 3, w, x, sizes[i], 0, 5e8);
        start = svm_seconds(w, x, sizes[i], 1);
        if (start >= 0) svm = (svm_seconds(w, x, sizes[i], SVM_ROWS + 1) - start) * 1e9 / SVM_ROWS / pairs;
        printf("%8zu", sizes[i]);
        for (k = 0; k < 3; k++) printf("%10.4f", quantile(&s, k, -1, 0.5) / BATCH / pairs);
        if (start >= 0)
            printf("%12.4f%12.2f%12.1f\n", svm, quantile(&s, 0, 2, 0.5),
                   svm / (quantile(&s, 0, -1, 0.5) / BATCH / pairs));
        else
            printf("%12s%12.2f%12s\n", "-", quantile(&s, 0, 2, 0.5), "-");
    }
}

int main(void)
{
    enum { MOST = 1048576, APART_BY = 528 }; /* no two arrays at the same place of a page */
    size_t i, set = (size_t)ROWS * FEATURES;
    float *memory = (float *)malloc((set + 2 * MOST + 16) * sizeof *memory), *w, *x;
    char line[256] = "unknown";
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (!memory) return 1;
    w = memory + (64 - (uintptr_t)memory % 64) / 4;
    x = w + MOST + APART_BY;
    while (f && fgets(line, sizeof line, f) && strncmp(line, "model name", 10) != 0) {}
    if (f) fclose(f);
    line[strcspn(line, "\n")] = 0;
    printf("machine: %s\ncompiler: %s\nPERCEPTRON_SIMD: %d\n",
           strchr(line, ':') ? strchr(line, ':') + 2 : line, __VERSION__, PERCEPTRON_SIMD);
#ifdef BENCH_BLAS
    openblas_set_num_threads(1);
#endif
    for (i = 0; i < MOST; i++) {
        w[i] = (float)random_below(256) / 256.0f - 0.5f;
        x[i] = (float)random_below(256) / 256.0f - 0.5f;
    }
    kernel_table(dots, w, x, 2);
    kernel_table(axpys, w, x, 3);
    kernel_model_table(w, x);
    generate(x);
    epoch_table(w, x);
    free(memory);
    return 0;
}
