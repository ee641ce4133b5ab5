/* Speed of training epochs in memory beside merely reading the rows, and beside gathering the same weights
 * and summing them in no particular order.
 *
 *     cc -std=gnu99 -O2 -march=native -I. tests/bench/epochs.c -o build/bench_epochs
 */
#define _GNU_SOURCE /* clock_gettime under -std=c99 too */
#include "library.h"
#include "harness.h"
#include "data.h"
#include "loops.h"

static pcn_count count; /* of the last epoch */

/* memory: of the trainer. */
static pcn_perceptron begin(float *memory, uint32_t features, uint32_t classes, int average, int feature_major)
{
    pcn_perceptron m;
    size_t own = PCN_PERCEPTRON_FLOATS(features, classes);
    int bad = pcn_perceptron_init(&m, features, classes, memory, own * sizeof *memory);
    if (feature_major) bad |= pcn_perceptron_use_feature_major(&m);
    if (average)
        bad |= pcn_perceptron_use_averaging(&m, memory + own, PCN_AVERAGING_FLOATS(features, classes) * sizeof *memory);
    if (bad) exit(1);
    return m;
}

static void print_epoch(const variant *v, const sample *s, int k, int limit, double units, const char *mistakes)
{
    printf("%-30s", v[k].name);
    cell(1, quantile(s, k, -1, 0.5) * 1e-6);
    quartiles(s, k, 1e6);
    printf("  ");
    cell(1, quantile(s, k, -1, 0.5) / units);
    cell(1, quantile(s, k, limit, 0.5));
    printf("%12s\n", mistakes);
}

static const char *percent(uint64_t part, size_t all)
{
    static char text[16];
    snprintf(text, sizeof text, "%.1f", 100.0 * (double)part / (double)all);
    return text;
}

/* ---- Dense --------------------------------------------------------------------------------------- */

static pcn_vec dense_row(const float *x, size_t i)
{
    return pcn_dense(x + i * FEATURES, FEATURES);
}

static float dense_epoch(float *w, const float *x, size_t rows, int average)
{
    pcn_perceptron m = begin(w, FEATURES, CLASSES, average, 0);
    size_t i;
    for (i = 0; i < rows; i++) pcn_perceptron_learn(&m, dense_row(x, i), (int)(i % CLASSES));
    count = m.learner.count;
    return w[FEATURES / 2];
}

/* hint: the row after each is told. */
static float shuffled_epoch(float *w, const float *x, size_t rows, int average, int hint)
{
    pcn_perceptron m = begin(w, FEATURES, CLASSES, average, 0);
    uint32_t row = 0, next = 0;
    int more;
    pcn_pass pass;
    pcn_pass_init(&pass, (uint32_t)rows, 1, 1);
    for (more = pcn_pass_next(&pass, &row); more; row = next) {
        more = pcn_pass_next(&pass, &next);
        if (hint) pcn_linear_fetch(&m.live, dense_row(x, next));
        pcn_perceptron_learn(&m, dense_row(x, row), (int)(row % CLASSES));
    }
    count = m.learner.count;
    return w[FEATURES / 2];
}

REPEAT(run_rows, read_all(x, n *FEATURES))
REPEAT(run_dense, dense_epoch(w, x, n, 0))
REPEAT(run_dense_averaged, dense_epoch(w, x, n, 1))
REPEAT(run_shuffled, shuffled_epoch(w, x, n, 1, 0))
REPEAT(run_shuffled_told, shuffled_epoch(w, x, n, 1, 1))

static void dense_table(void)
{
    static const variant v[] = {{"pure read", run_rows},
                                {"perceptron", run_dense},
                                {"averaged", run_dense_averaged},
                                {"averaged, shuffled", run_shuffled},
                                {"averaged, shuffled, next told", run_shuffled_told}};
    static sample s;
    size_t i, j;
    int k;
    float *x = floats((size_t)ROWS * FEATURES);
    float *w = floats(PCN_PERCEPTRON_FLOATS(FEATURES, CLASSES) + PCN_AVERAGING_FLOATS(FEATURES, CLASSES));
    uint8_t pixel[FEATURES];
    for (i = 0; i < ROWS; i++) {
        image_row((uint32_t)i, pixel);
        for (j = 0; j < FEATURES; j++) x[i * FEATURES + j] = (float)pixel[j] / 255.0f;
    }
    measure(&s, v, LENGTH(v), w, x, ROWS, 0, 3e9);
    printf("\nepoch, dense: %d rows x %d floats (%.0f MB), %d classes, %d rounds\n"
           "%-30s%10s  %-17s%12s%10s%12s\n",
           ROWS, FEATURES, 4e-6 * ROWS * FEATURES, CLASSES, s.rounds, "", "ms", "quartiles", "ns/value", "/ read",
           "mistakes %");
    for (k = 0; k < (int)LENGTH(v); k++) {
        run_ns(&v[k], w, x, ROWS, 1);
        print_epoch(v, &s, k, 0, (double)ROWS * FEATURES, k == 0 ? "" : percent(count.mistakes, ROWS));
    }
    free(x);
    free(w);
}

/* ---- Sparse -------------------------------------------------------------------------------------- */

static text_set set;
static uint32_t *text_index;
static float *text_value;
static uint8_t *text_class;

static pcn_vec text_vector(size_t row, int ones)
{
    size_t at = row * set.nonzeros;
    return pcn_sparse(text_index + at, ones ? NULL : text_value + at, set.nonzeros);
}

static float sparse_epoch(float *w, size_t rows, int ones, int average, int feature_major)
{
    pcn_perceptron m = begin(w, set.features, set.classes, average, feature_major);
    size_t i;
    for (i = 0; i < rows; i++) {
        pcn_vec x = text_vector(i, ones);
        pcn_linear_fetch(&m.live, text_vector(i + 1 < rows ? i + 1 : i, ones));
        pcn_perceptron_learn(&m, x, text_class[i]);
    }
    count = m.learner.count;
    return w[1];
}

typedef float gather_function(const float *w, const uint32_t *index, const float *x, size_t n);

/* Two classes: the score of every row. */
static float gather_rows(const float *w, size_t rows, int ones, gather_function *gather)
{
    float sum = 0;
    size_t i, end = rows * set.nonzeros;
    for (i = 0; i < end; i += set.nonzeros)
        sum += gather(w, text_index + i, ones ? NULL : text_value + i, set.nonzeros);
    return sum;
}

/* 17 classes, feature-major: the 17 weights of each feature, summed. */
static APART float gather_classes(const float *w, size_t rows)
{
    typedef float float8 __attribute__((vector_size(32), aligned(4), may_alias));
    float8 a = {0}, b = {0};
    float c = 0;
    size_t i;
    for (i = 0; i < rows * set.nonzeros; i++) {
        const float *p = w + (size_t)text_index[i] * 17;
        a += *(const float8 *)p;
        b += *(const float8 *)(p + 8);
        c += p[16];
    }
    a += b;
    return c + a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7];
}

REPEAT(run_scalar_ones, gather_rows(w, n, 1, scalar_gather))
REPEAT(run_scalar_values, gather_rows(w, n, 0, scalar_gather))
REPEAT(run_ones, sparse_epoch(w, n, 1, 0, 0))
REPEAT(run_ones_averaged, sparse_epoch(w, n, 1, 1, 0))
REPEAT(run_values, sparse_epoch(w, n, 0, 0, 0))
REPEAT(run_values_averaged, sparse_epoch(w, n, 0, 1, 0))
REPEAT(run_classes, gather_classes(w, n))
REPEAT(run_feature_major, sparse_epoch(w, n, 1, 0, 1))
REPEAT(run_feature_major_averaged, sparse_epoch(w, n, 1, 1, 1))
#ifdef __AVX2__
REPEAT(run_vector_ones, gather_rows(w, n, 1, vector_gather))
REPEAT(run_vector_values, gather_rows(w, n, 0, vector_gather))
#else
#define run_vector_ones NULL
#define run_vector_values NULL
#endif

static void make_texts(text_set t)
{
    size_t rows = t.rows, n = t.nonzeros, i, j;
    uint32_t *seen = (uint32_t *)calloc(t.features, sizeof *seen);
    uint32_t millionths[MOST_NONZEROS];
    free(text_index), free(text_value), free(text_class);
    set = t;
    text_index = (uint32_t *)malloc(rows * n * sizeof *text_index);
    text_value = floats(rows * n);
    text_class = (uint8_t *)malloc(rows);
    if (!seen || !text_index || !text_class) exit(1);
    for (i = 0; i < rows; i++) {
        text_class[i] = (uint8_t)text_row(&set, (uint32_t)i, seen, text_index + i * n, millionths);
        for (j = 0; j < n; j++) text_value[i * n + j] = (float)millionths[j] / MILLION;
    }
    free(seen);
}

/* The limit is the faster of the first two variants. */
static void sparse_table(const variant *v, int variants)
{
    static sample s;
    size_t i,
        weights = PCN_PERCEPTRON_FLOATS(set.features, set.classes) + PCN_AVERAGING_FLOATS(set.features, set.classes);
    float *w = floats(weights);
    int k, limit;
    for (i = 0; i < weights; i++) w[i] = 0;
    measure(&s, v, variants, w, NULL, set.rows, 0, 3e9);
    limit = faster(&s, v, 0, 1);
    printf("\nepoch, sparse: %u rows x %u of %u features, %u classes, file order, %d rounds\n"
           "%-30s%10s  %-17s%12s%10s%12s\n",
           set.rows, set.nonzeros, set.features, set.classes, s.rounds, "", "ms", "quartiles", "ns/nonzero", "/ limit",
           "mistakes %");
    for (k = 0; k < variants; k++) {
        if (!v[k].run) continue;
        run_ns(&v[k], w, NULL, set.rows, 1);
        print_epoch(v, &s, k, limit, (double)set.rows * set.nonzeros, k < 2 ? "" : percent(count.mistakes, set.rows));
    }
    free(w);
}

int main(void)
{
    static const variant ones[] = {{"ones: gather and sum, scalar", run_scalar_ones},
                                   {"ones: gather and sum, AVX2", run_vector_ones},
                                   {"ones: perceptron", run_ones},
                                   {"ones: averaged", run_ones_averaged}};
    static const variant values[] = {{"values: gather and sum, scalar", run_scalar_values},
                                     {"values: gather and sum, AVX2", run_vector_values},
                                     {"values: perceptron", run_values},
                                     {"values: averaged", run_values_averaged}};
    static const variant many[] = {
        {"gather and sum, feature-major", run_classes},
        {"", NULL},
        {"class-major: perceptron", run_ones},
        {"class-major: averaged", run_ones_averaged},
        {"feature-major: perceptron", run_feature_major},
        {"feature-major: averaged", run_feature_major_averaged}};
    static const text_set texts = BENCH_TEXTS, tags = BENCH_TAGS;
    print_machine();
    dense_table();
    make_texts(texts);
    sparse_table(ones, LENGTH(ones));
    sparse_table(values, LENGTH(values));
    make_texts(tags);
    sparse_table(many, LENGTH(many));
    return 0;
}
