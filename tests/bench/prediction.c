/* Speed of prediction: of linear models feature by feature beside their scores and pcn_decide, and of kernel models beside
 * the dot products alone and beside LIBSVM.
 *
 *     cc -std=gnu99 -O2 -march=native -I. tests/bench/prediction.c -o build/bench_prediction -lm
 *
 * svm-predict reads files that this writes to build/bench.svm*. */
#define _GNU_SOURCE /* clock_gettime under -std=c99 too */
#include "library.h"
#include "harness.h"
#include "data.h"
#include <sys/resource.h>

enum {
    VECTORS = 1000,
    BATCH = 64,
    MOST_FEATURES = 784,
    SVM_NUMBERS = 64 * 1024,
    SVM_ROUNDS = 5
}; /* SVM_NUMBERS: rows times features of svm-predict's */

/* A model of VECTORS dense vectors at w. */
static pcn_kmodel make_support(const float *w, uint32_t n, pcn_kernel kernel)
{
    static pcn_slot slot[VECTORS];
    static float norm2[VECTORS], coef[VECTORS];
    pcn_kmodel m;
    uint32_t i;
    memset(&m, 0, sizeof m);
    for (i = 0; i < VECTORS; i++) {
        slot[i].start = i * n;
        slot[i].count = n;
        norm2[i] = pcn_norm2(pcn_dense(w + (size_t)i * n, n));
        coef[i] = i % 2 ? 1 : -1;
    }
    m.kernel = kernel;
    m.value = w;
    m.slot = slot;
    m.norm2 = norm2;
    m.coef = coef;
    m.features = n;
    m.scores = 1;
    m.slots = VECTORS;
    return m;
}

static pcn_kmodel support;

/* Scores of BATCH rows at x, `at_once` of them in a call. */
static float predict(const float *x, size_t n, uint32_t at_once)
{
    static float work[PCN_KMODEL_WORK(2, VECTORS, BATCH)], score[BATCH];
    pcn_vec row[BATCH];
    uint32_t i;
    for (i = 0; i < BATCH; i++) row[i] = pcn_dense(x + i * n, (uint32_t)n);
    for (i = 0; i < BATCH; i += at_once)
        pcn_kmodel_scores(&support, PCN_DECIDE_LAST, row + i, at_once, score + i, work, sizeof work);
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

/* ---- Linear models, feature by feature ---- */

enum { COLUMNS_FEATURES = 4096, COLUMNS_MOST = 26, COLUMNS_GIVEN = 64 };

static pcn_perceptron columns;
static uint32_t columns_index[COLUMNS_GIVEN];

static pcn_vec columns_row(const float *x, size_t n)
{
    return pcn_sparse(columns_index, x, (uint32_t)n);
}

static int columns_decide(pcn_vec row)
{
    float score[COLUMNS_MOST];
    pcn_linear_scores(&columns.live, row, score);
    return pcn_decide(score, columns.live.scores, 0);
}

REPEAT(run_predict, pcn_linear_predict(&columns.live, columns_row(x, n)))
REPEAT(run_decide, columns_decide(columns_row(x, n)))

/* w: numbers for the weights. */
static void make_columns(const float *w, uint32_t classes)
{
    static float memory[PCN_PERCEPTRON_FLOATS(COLUMNS_FEATURES, COLUMNS_MOST)];
    uint32_t i;
    if (pcn_perceptron_init(&columns, COLUMNS_FEATURES, classes, memory, sizeof memory) < 0 ||
        pcn_perceptron_use_feature_major(&columns) < 0)
        exit(1);
    memcpy(memory, w, (size_t)COLUMNS_FEATURES * classes * sizeof *memory);
    for (i = 0; i < COLUMNS_GIVEN; i++) columns_index[i] = i * (COLUMNS_FEATURES / COLUMNS_GIVEN);
}

static void columns_table(float *w, const float *x)
{
    static const uint32_t classes[] = {3, 8, 10, 16, 17, COLUMNS_MOST};
    static const variant v[] = {{"predict", run_predict}, {"scores, decide", run_decide}};
    static sample s;
    size_t i, n;
    printf("\npredicting by linear models, feature by feature, sparse rows: ns a row: pcn_linear_predict;\n"
           "pcn_linear_scores and pcn_decide; the first as a multiple of the second\n"
           "%8s%10s%10s%10s  %-17s%10s\n",
           "classes", "non-zeros", "predict", "scores", "quartiles", "ratio");
    for (n = COLUMNS_GIVEN / 4; n <= COLUMNS_GIVEN; n *= 4)
        for (i = 0; i < LENGTH(classes); i++) {
            make_columns(w, classes[i]);
            measure(&s, v, LENGTH(v), w, x, n, SLOT_NS, 2e8);
            printf("%8u%10zu%10.1f%10.1f", classes[i], n, quantile(&s, 0, -1, 0.5), quantile(&s, 1, -1, 0.5));
            quartiles(&s, 0, 1);
            printf("%10.2f\n", quantile(&s, 0, 1, 0.5));
        }
}

/* ---- Kernel models ---- */

REPEAT(run_batched, predict(x, n, BATCH))
REPEAT(run_single, predict(x, n, 1))
REPEAT(run_only_dots, only_dots(w, x, n))

static FILE *create(const char *name)
{
    FILE *f = fopen(name, "w");
    if (!f) {
        perror(name);
        exit(1);
    }
    return f;
}

static void write_rows(FILE *f, const float *x, size_t n, size_t rows, int as_model)
{
    size_t i, j;
    for (i = 0; i < rows; i++, fputc('\n', f)) {
        fputs(as_model && i % 2 ? "-1" : "1", f);
        for (j = 0; j < n; j++) fprintf(f, " %zu:%g", j + 1, (double)x[i * n + j]);
    }
    fclose(f);
}

static void write_model(const char *kernel, const float *w, size_t n)
{
    FILE *f = create("build/bench.svm.model");
    fprintf(f,
            "svm_type c_svc\nkernel_type %s\ngamma %g\nnr_class 2\ntotal_sv %d\nrho 0\n"
            "label 1 -1\nnr_sv %d %d\nSV\n",
            kernel, 1 / (double)n, VECTORS, VECTORS / 2, VECTORS / 2);
    write_rows(f, w, n, VECTORS, 1);
}

static double child_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double command_seconds(const char *command)
{
    double before = child_seconds();
    if (system(command)) {
        fprintf(stderr, "failed: %s\n", command);
        exit(1);
    }
    return child_seconds() - before;
}

#define SVM_PREDICT(rows) "svm-predict -q " rows " build/bench.svm.model build/bench.svm.out"

/* svm-predict, with a model as large: ns a row, less what its start takes; median of SVM_ROUNDS. */
static double svm_row_ns(const float *w, const float *x, size_t n, const char *kernel)
{
    double t[SVM_ROUNDS];
    size_t rows = SVM_NUMBERS / n;
    int i;
    write_model(kernel, w, n);
    write_rows(create("build/bench.svm.one"), x, n, 1, 0);
    write_rows(create("build/bench.svm.all"), x, n, rows + 1, 0);
    for (i = 0; i < SVM_ROUNDS; i++)
        t[i] = command_seconds(SVM_PREDICT("build/bench.svm.all")) -
               command_seconds(SVM_PREDICT("build/bench.svm.one"));
    qsort(t, SVM_ROUNDS, sizeof *t, ascending);
    return t[SVM_ROUNDS / 2] * 1e9 / (double)rows;
}

static int svm_runs(void)
{
    return system("command -v svm-predict >/dev/null 2>&1") == 0;
}

static void print_row(const char *name, const sample *s, size_t n, double svm)
{
    double pairs = (double)VECTORS * (double)n, batched = quantile(s, 0, -1, 0.5) / BATCH;
    int k;
    printf("%-5s%6zu", name, n);
    for (k = 0; k < 3; k++) printf("%10.4f", quantile(s, k, -1, 0.5) / BATCH / pairs);
    quartiles(s, 0, BATCH * pairs);
    printf("%10.2f%10.2f", quantile(s, 0, 2, 0.5), quantile(s, 1, 2, 0.5));
    if (svm > 0)
        printf("%13.4f%10.1f\n", svm / pairs, svm / batched);
    else
        printf("%13s%10s\n", "-", "-");
    fflush(stdout);
}

static void table(const char *name, pcn_kernel kernel, const char *libsvm, float *w, const float *x)
{
    static const size_t sizes[] = {16, 64, 256, 784};
    static const variant v[] = {{"batched", run_batched}, {"single", run_single}, {"only dots", run_only_dots}};
    static sample s;
    size_t i;
    for (i = 0; i < LENGTH(sizes); i++) {
        kernel.gamma = 1 / (float)sizes[i];
        support = make_support(w, (uint32_t)sizes[i], kernel);
        measure(&s, v, LENGTH(v), w, x, sizes[i], 0, 5e8);
        print_row(name, &s, sizes[i], svm_runs() ? svm_row_ns(w, x, sizes[i], libsvm) : 0);
    }
}

int main(void)
{
    enum { MOST = VECTORS * MOST_FEATURES, APART_BY = 528 }; /* no two arrays at the same place of a page */
    size_t i, all = (size_t)MOST + APART_BY + SVM_NUMBERS + MOST_FEATURES;
    float *w = floats(all), *x = w + MOST + APART_BY;
    print_machine();
    if (!svm_runs()) printf("skipped: svm-predict is not installed (Debian: apt-get install libsvm-tools)\n");
    for (i = 0; i < all; i++) w[i] = (float)random_below(256) / 256.0f - 0.5f;
    columns_table(w, x);
    printf("\nkernel prediction, %d vectors: ns a vector, row and feature: %d rows at once, one at a time, merely\n"
           "as many pcn_dot in the first cache; times of the first two as multiples of that; svm-predict\n"
           "(reading its rows, less its start), and its time as a multiple of that of %d rows at once\n"
           "%-5s%6s%10s%10s%10s  %-17s%10s%10s%13s%10s\n",
           VECTORS, BATCH, BATCH, "", "n", "batched", "single", "only dots", "quartiles", "/ dots", "/ dots",
           "svm-predict", "svm /");
    table("rbf", pcn_kernel_rbf(1), "rbf", w, x);
    table("poly", pcn_kernel_poly(3, 1, 0), "polynomial\ndegree 3\ncoef0 0", w, x);
    free(w);
    return 0;
}
