/* Rows that must not become slower. against.py builds this with the headers of two versions and compares.
 *
 *     against               the names of the rows
 *     against ROW CALLS     nothing but calls: for counting instructions
 *     against -             a row a line from standard input; for each a line to standard output: its name, CPU time
 *                           of a call in ns, over some 4 ms, and updates of the last epoch, between tabs
 *
 * Random numbers are the same in every build. Epochs begin with weights of 0. */
#define _GNU_SOURCE /* clock_gettime under -std=c99 too */
#include "library.h"
#include "data.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef PCN_SCORES
#define GIVEN(classes) (classes)
#define SCORES scores
#else /* a header whose `classes` are the number of scores: 1 of two classes */
#define GIVEN(classes) ((classes) == 2 ? 1 : (classes))
#define SCORES classes
#endif

static void learn_told(pcn_perceptron *m, const pcn_vec *x, int y, const pcn_vec *next)
{
    pcn_linear_fetch_at(&m->live, next);
    pcn_perceptron_learn_at(m, x, y);
}

#ifndef MEMORY_ROWS
#define MEMORY_ROWS 60000
#endif

enum {
    TEXTS = 20000,
    LETTERS = 5000,
    DENSE_VALUES = 1 << 18,
    VECTORS = 500,
    AT_ONCE = 16,
    PLACES = 4096,
    SLOT = 4000000
};
/* Forms of rows; major: of weights, feature by feature. */
enum { DENSE = 0, SPARSE, ONES, MAJOR, ONES_MAJOR, DENSE_MAJOR };

typedef struct job {
    const char *name;
    void (*call)(const struct job *j);
    uint32_t n, classes;  /* features */
    uint32_t rows, given; /* values in a row */
    int form, average;
    pcn_kernel (*kernel)(void);
} job;

static float *w, *x; /* weights or stored vectors; rows */
static uint32_t *at; /* indices of the rows, and of the stored vectors */
static uint8_t *label;
static pcn_count count; /* of the last epoch */
static volatile float sink;

static pcn_vec row_of(const job *j, size_t i)
{
    i *= j->given;
    return pcn_sparse(j->form == DENSE || j->form == DENSE_MAJOR ? NULL : at + i,
                      j->form == ONES || j->form == ONES_MAJOR ? NULL : x + i, j->given);
}

/* ---- Products -------------------------------------------------------------------------------- */

/* Of PLACES weights, other ones each time: a call need not wait for what the one before has stored. */
static float *next_weights(const job *j)
{
    static uint32_t place;
    place = place + 2 * j->n <= PLACES ? place + j->n : 0;
    return w + place;
}

static void dot(const job *j)
{
    sink = pcn_dot(next_weights(j), j->n, pcn_dense(x, j->n));
}

static void add(const job *j)
{
    pcn_add(next_weights(j), j->n, 1e-7f, pcn_dense(x, j->n));
}

static pcn_perceptron begin(const job *j)
{
    pcn_perceptron m;
    const uint32_t classes = GIVEN(j->classes);
    size_t own = PCN_PERCEPTRON_FLOATS(j->n, classes), more = PCN_AVERAGING_FLOATS(j->n, classes);
    int bad = pcn_perceptron_init(&m, j->n, classes, w, own * sizeof *w);
    if (j->form >= MAJOR) bad |= pcn_perceptron_use_feature_major(&m);
    if (j->average) bad |= pcn_perceptron_use_averaging(&m, w + own, more * sizeof *w);
    if (bad) exit(1);
    return m;
}

static void scores(const job *j)
{
    static float score[32];
    static pcn_perceptron m;
    static const job *of;
    if (of != j) m = begin(j);
    of = j;
    pcn_linear_scores(&m.live, pcn_dense(x, j->n), score);
    sink = score[0];
}

static float fraction(void)
{
    return (float)random_below(256) / 256.0f;
}

static void predict_class(const job *j)
{
    static pcn_perceptron m;
    static const job *of;
    pcn_vec row = row_of(j, 0);
    size_t i;
    if (of != j) {
        m = begin(j);
        for (i = 0; i < (size_t)j->n * j->classes; i++) w[i] = fraction() - 0.5f;
    }
    of = j;
    sink = (float)pcn_linear_predict_at(&m.live, &row);
}

static void checksum(const job *j)
{
    sink = (float)pcn_crc32(0, w, 4 * (size_t)j->n);
}

/* ---- Epochs ---------------------------------------------------------------------------------- */

static void epoch(const job *j)
{
    pcn_perceptron m = begin(j);
    size_t i;
    for (i = 0; i < j->rows; i++) {
        pcn_vec x = row_of(j, i);
        pcn_perceptron_learn_at(&m, &x, label[i]);
    }
    count = m.learner.count;
}

static void told(const job *j)
{
    pcn_perceptron m = begin(j);
    size_t i;
    for (i = 0; i < j->rows; i++) {
        pcn_vec x = row_of(j, i), next = row_of(j, i + 1 < j->rows ? i + 1 : i);
        learn_told(&m, &x, label[i], &next);
    }
    count = m.learner.count;
}

static void shuffled(const job *j)
{
    pcn_perceptron m = begin(j);
    uint32_t row = 0, next = 0;
    int more;
    pcn_pass pass;
    pcn_pass_init(&pass, j->rows, 1, 1);
    for (more = pcn_pass_next(&pass, &row); more; row = next) {
        pcn_vec x = row_of(j, row), after;
        more = pcn_pass_next(&pass, &next);
        after = row_of(j, next);
        learn_told(&m, &x, label[row], &after);
    }
    count = m.learner.count;
}

/* ---- Kernel prediction ----------------------------------------------------------------------- */

static pcn_kmodel support;

static pcn_kernel rbf(void)
{
    return pcn_kernel_rbf(0.01f);
}

static pcn_kernel poly(void)
{
    return pcn_kernel_poly(3, 0.01f, 1);
}

/* Of VECTORS vectors at w, whose indices follow those of the rows. */
static void make_support(const job *j)
{
    static pcn_slot slot[VECTORS];
    static float norm2[VECTORS], coef[VECTORS];
    const uint32_t *index = j->form == DENSE ? NULL : at + AT_ONCE * j->given;
    uint32_t i;
    memset(&support, 0, sizeof support);
    for (i = 0; i < VECTORS; i++) {
        slot[i].start = i * j->given;
        slot[i].count = j->given;
        norm2[i] = pcn_norm2(pcn_dense(w + i * j->given, j->given));
        coef[i] = i % 2 ? 1 : -1;
    }
    support.kernel = j->kernel();
    support.value = w;
    support.index = index;
    support.slot = slot;
    support.norm2 = norm2;
    support.coef = coef;
    support.features = j->n;
    support.SCORES = 1;
    support.slots = VECTORS;
}

static void predict(const job *j)
{
    static float work[AT_ONCE * VECTORS + 1024], score[AT_ONCE];
    pcn_vec row[AT_ONCE];
    uint32_t i;
    for (i = 0; i < j->rows; i++) row[i] = row_of(j, i);
    pcn_kmodel_scores(&support, PCN_DECIDE_LAST, row, j->rows, score, work, sizeof work);
    sink = score[0];
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* clang-format off */
#define PRODUCTS(n) {"dot " #n, dot, n, 2, 1, n, DENSE, 0, NULL}, {"add " #n, add, n, 2, 1, n, DENSE, 0, NULL}
#define MAJOR_SCORES(k, n) {"scores " #k " x " #n ", feature-major", scores, n, k, 1, n, DENSE_MAJOR, 0, NULL}
#define PREDICTIONS(k)                                                                    \
    {"predict " #k ", 30 of 3,000, feature-major", predict_class, 3000, k, 1, 30, MAJOR, 0, NULL}
#define EPOCHS(name, call, n, classes, rows, given, form) \
    {name, call, n, classes, rows, given, form, 0, NULL}, {name ", averaged", call, n, classes, rows, given, form, 1, NULL}
#define DENSE_EPOCHS(n)                                                                   \
    EPOCHS("dense epoch, binary, n = " #n, epoch, n, 2, DENSE_VALUES / n, n, DENSE),      \
    EPOCHS("dense epoch, 10 classes, n = " #n, epoch, n, 10, DENSE_VALUES / n, n, DENSE)
#define KERNELS(name, n, given, form)                                                     \
    {"rbf, " name ", 16 rows", predict, n, 2, AT_ONCE, given, form, 0, rbf},              \
    {"rbf, " name ", 1 row", predict, n, 2, 1, given, form, 0, rbf},                      \
    {"poly, " name ", 16 rows", predict, n, 2, AT_ONCE, given, form, 0, poly},            \
    {"poly, " name ", 1 row", predict, n, 2, 1, given, form, 0, poly}

static const job jobs[] = {
    PRODUCTS(16), PRODUCTS(64), PRODUCTS(256), PRODUCTS(1024), PRODUCTS(4096), PRODUCTS(16384), PRODUCTS(65536),
    {"scores 10 x 784", scores, 784, 10, 1, 784, DENSE, 0, NULL},
    {"scores 26 x 16", scores, 16, 26, 1, 16, DENSE, 0, NULL},
    MAJOR_SCORES(3, 64), MAJOR_SCORES(10, 16), MAJOR_SCORES(10, 784), MAJOR_SCORES(26, 16), MAJOR_SCORES(26, 64),
    PREDICTIONS(3), PREDICTIONS(10), PREDICTIONS(16), PREDICTIONS(17), PREDICTIONS(26),
    {"checksum of 16 KB", checksum, 4096, 2, 1, 1, DENSE, 0, NULL},
    {"checksum of 1 MB", checksum, 262144, 2, 1, 1, DENSE, 0, NULL},
    DENSE_EPOCHS(16), DENSE_EPOCHS(100), DENSE_EPOCHS(784),
    {"from memory, told, 10 x 100, averaged", shuffled, 100, 10, MEMORY_ROWS, 100, DENSE, 1, NULL},
    {"from memory, told, 10 x 784, averaged", shuffled, 784, 10, MEMORY_ROWS, 784, DENSE, 1, NULL},
    EPOCHS("sparse epoch, binary, 30 of 100,000", told, 100000, 2, TEXTS, 30, SPARSE),
    EPOCHS("ones epoch, binary, 30 of 100,000", told, 100000, 2, TEXTS, 30, ONES),
    EPOCHS("ones epoch, 17 classes, feature-major", told, 30000, 17, TEXTS, 18, ONES_MAJOR),
    EPOCHS("ones epoch, 17 classes, class-major", told, 30000, 17, TEXTS, 18, ONES),
    EPOCHS("letter 26 x 16, dense", epoch, 16, 26, LETTERS, 16, DENSE),
    EPOCHS("letter 26 x 16, sparse, feature-major", told, 16, 26, LETTERS, 16, MAJOR),
    EPOCHS("letter 26 x 16, sparse, class-major", told, 16, 26, LETTERS, 16, SPARSE),
    KERNELS("500 x 100 dense", 100, 100, DENSE),
    KERNELS("500 x 30 of 1,000 sparse", 1000, 30, SPARSE),
};
/* clang-format on */

/* ---- Data ------------------------------------------------------------------------------------ */

/* Zeros, from a line of the caches on. */
static void *array(size_t size)
{
    size = (size / 64 + 1) * 64;
    void *p = aligned_alloc(64, size);
    if (!p) {
        fprintf(stderr, "out of memory: %zu bytes\n", size);
        exit(1);
    }
    return memset(p, 0, size);
}

/* A row has a class; a quarter of each value (of few: three) is its class's own, the rest noise. */
static void fill_dense(const job *j, size_t rows)
{
    size_t i, k;
    uint32_t c;
    float own = j->given == 16 ? 0.75f : 0.25f;
    for (i = 0; i < rows; i++) {
        c = random_below(j->classes);
        label[i] = (uint8_t)c;
        for (k = 0; k < j->given; k++)
            x[i * j->given + k] = (1 - own) * fraction() +
                                  own * (float)(((k * 37 + c) * 2654435761u >> 16) % 256) / 256.0f;
    }
}

static void fill_texts(const job *j)
{
    text_set t = {0, 0, 0, 0, 0};
    uint32_t *seen = (uint32_t *)array(j->n * sizeof *seen), millionths[MOST_NONZEROS], i, k;
    t.rows = j->rows;
    t.features = j->n;
    t.classes = j->classes;
    t.nonzeros = j->given;
    t.noise = j->classes == 2 ? 72 : 8;
    for (i = 0; i < j->rows; i++) {
        label[i] = (uint8_t)text_row(&t, i, seen, at + i * t.nonzeros, millionths);
        for (k = 0; k < t.nonzeros; k++) x[i * t.nonzeros + k] = (float)millionths[k] / MILLION;
    }
    free(seen);
}

/* One random index in each of `given` equal parts of the features. */
static void fill_index(const job *j, size_t rows)
{
    uint32_t part = j->n / j->given;
    size_t i;
    for (i = 0; i < rows * j->given; i++) at[i] = (uint32_t)(i % j->given) * part + random_below(part);
}

static void prepare(const job *j)
{
    size_t stored = j->kernel ? VECTORS : 0, i;
    const uint32_t classes = GIVEN(j->classes);
    size_t weights = PCN_PERCEPTRON_FLOATS(j->n, classes) + PCN_AVERAGING_FLOATS(j->n, classes) + stored * j->given +
                     PLACES;
    free(w), free(x), free(at), free(label);
    random_state = 1;
    w = (float *)array(weights * sizeof *w);
    x = (float *)array((size_t)j->rows * j->given * sizeof *x);
    at = (uint32_t *)array((j->rows + stored + AT_ONCE) * j->given * sizeof *at);
    label = (uint8_t *)array(j->rows);
    for (i = 0; i < weights; i++) w[i] = fraction() - 0.5f;
    if (j->call == told && j->n != j->given) {
        fill_texts(j);
    } else {
        fill_dense(j, j->rows);
        if (j->form != DENSE) fill_index(j, j->rows + stored + AT_ONCE);
    }
    if (j->kernel) make_support(j);
}

/* ---- Time ------------------------------------------------------------------------------------ */

static double calls_ns(const job *j, size_t times)
{
    struct timespec a, b;
    size_t i;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (i = 0; i < times; i++) j->call(j);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)times;
}

/* So many calls take about SLOT ns. */
static size_t calibrate(const job *j)
{
    size_t times = 1;
    while (calls_ns(j, times) * (double)times < SLOT / 4) times *= 2;
    return (size_t)(SLOT / calls_ns(j, times)) + 1;
}

static const job *find(const char *name)
{
    size_t i;
    for (i = 0; i < LENGTH(jobs); i++)
        if (strcmp(jobs[i].name, name) == 0) return &jobs[i];
    fprintf(stderr, "no such row: %s\n", name);
    exit(1);
}

int main(int argc, char **argv)
{
    char line[128];
    const job *now = NULL, *j;
    size_t i, times = 0;
    for (i = 0; argc == 1 && i < LENGTH(jobs); i++) puts(jobs[i].name);
    if (argc == 3) {
        now = find(argv[1]);
        prepare(now);
        for (i = (size_t)atoi(argv[2]); i != 0; i--) now->call(now);
    }
    while (argc == 2 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        j = find(line);
        if (j != now) {
            now = j;
            prepare(j);
            times = calibrate(j);
        }
        j->call(j); /* the other program has had the caches */
        printf("%s\t%.2f\t%.0f\n", j->name, calls_ns(j, times), (double)count.updates);
        fflush(stdout);
    }
    return 0;
}
