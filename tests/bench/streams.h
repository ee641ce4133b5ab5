/* What streams.c learns from: sets of a folder, streams that are made here, and trainers for them. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include "text/labels.h"
#include "model/rows.h"
#include "../random.h"

#include <math.h>

enum { MOST_CLASSES = 64, MOST_DENSE = 200 }; /* sets of so many features become dense */

static void must(int result)
{
    if (result < 0) die(EXIT_INPUT, "%s", pcn_error_text(result));
}

static float *new_floats(size_t n, size_t *bytes)
{
    *bytes = n * sizeof(float);
    return allocate_zero(n, sizeof(float));
}

/* ---- Random numbers ---- */

static void start_random(uint32_t seed)
{
    uint32_t i;
    random_state = seed;
    for (i = 0; i < 100; i++) random_bits(); /* small numbers have few bits at first */
}

static double uniform(void) /* within 0 .. 1 */
{
    return (random_bits() + 0.5) / 4294967296;
}

static double normal(void)
{
    const double radius = sqrt(-2 * log(uniform()));
    return radius * cos(2 * M_PI * uniform());
}

static uint32_t *new_order(uint32_t n, uint32_t seed) /* seed 0: rows as they are */
{
    uint32_t i, *order = allocate(n, sizeof *order);
    for (i = 0; i < n; i++) order[i] = i;
    if (seed) start_random(seed);
    for (i = seed ? n : 0; i > 1; i--) {
        const uint32_t j = random_bits() % i, last = order[i - 1];
        order[i - 1] = order[j];
        order[j] = last;
    }
    return order;
}

/* How many orders a set is learned in: more where it is small. */
static uint32_t orders_of(const rows *d)
{
    return d->count > 15000 ? 600000 / d->count : 40;
}

/* ---- Scalers ---- */

static pcn_scaler new_scaler(uint32_t features)
{
    pcn_scaler s;
    size_t bytes;
    float *memory = new_floats(PCN_SCALER_FLOATS(features), &bytes);
    must(pcn_scaler_init(&s, features, memory, bytes));
    return s;
}

static pcn_scaler scaler_of(const rows *d)
{
    pcn_scaler s = new_scaler(d->features);
    uint32_t i;
    for (i = 0; i < d->count; i++) must(pcn_scaler_note(&s, rows_vector(d, i).value));
    return s;
}

static void scale_rows(rows *d, const pcn_scaler *s)
{
    uint32_t i;
    for (i = 0; i < d->count; i++) pcn_scaler_scale(s, d->value + d->start[i], d->value + d->start[i]);
}

/* Divides columns by their largest size in the training rows. */
static void divide_rows(rows *train, rows *test)
{
    const size_t n = train->features;
    float most[MOST_DENSE] = {0};
    size_t k;
    for (k = 0; k < arrlenu(train->value); k++) most[k % n] = fmaxf(most[k % n], fmaxf(fabsf(train->value[k]), 1e-30f));
    for (k = 0; k < arrlenu(train->value); k++) train->value[k] /= most[k % n];
    for (k = 0; k < arrlenu(test->value); k++) test->value[k] /= most[k % n];
}

/* ---- Sets ---- */

typedef struct set {
    const char *name;
    rows train, test; /* labels in order of appearance */
    uint32_t features, classes;
} set;

static void read_rows(rows *d, labels *found, const char *path, int text)
{
    const reader_options o = {.max_features = 1 << 24, .format = "libsvm", .text = text};
    reader r;
    reader_open(&r, path, &o);
    while (reader_next(&r)) {
        const pcn_vec x = reader_vector(&r);
        rows_add(d, &x, labels_add(found, r.label));
    }
    d->features = r.features;
    reader_close(&r);
}

/* FOLDER/NAME.train.svm and .test.svm, or FOLDER/NAME.tsv. Behind the name may be " scaled", as the training rows say;
 * " / largest"; or " shuffled", which is up to the caller. */
static set read_set(const char *folder, const char *name)
{
    const int text = strncmp(name, "debstream", 9) == 0, length = (int)strcspn(name, " ");
    set s = {.name = name};
    labels found;
    char path[4096];
    labels_init(&found);
    rows_init(&s.train);
    rows_init(&s.test);
    snprintf(path, sizeof path, text ? "%s/%.*s.tsv" : "%s/%.*s.train.svm", folder, length, name);
    read_rows(&s.train, &found, path, text);
    snprintf(path, sizeof path, "%s/%.*s.test.svm", folder, length, name);
    if (!text) read_rows(&s.test, &found, path, 0);
    s.features = s.train.features > s.test.features ? s.train.features : s.test.features;
    s.train.features = s.test.features = s.features;
    if (s.features <= MOST_DENSE) rows_spread(&s.train), rows_spread(&s.test);
    if (strstr(name, " scaled")) {
        pcn_scaler scaler = scaler_of(&s.train);
        scale_rows(&s.train, &scaler);
        scale_rows(&s.test, &scaler);
        free(scaler.moment);
    }
    if (strstr(name, " / largest")) divide_rows(&s.train, &s.test);
    s.classes = labels_count(&found);
    labels_free(&found);
    return s;
}

static void free_set(set *s)
{
    rows_free(&s->train);
    rows_free(&s->test);
}

/* ---- Streams ---- */

enum { N = 8, STREAMS = 10 }; /* features; streams of each kind */

/* Normal features. Labels are those of a plane; or there are four classes, of which one, another for each `every` rows,
 * comes in 85 % of the rows. */
typedef struct stream {
    const char *name;
    uint32_t rows, from; /* errors count from row `from` on */
    uint32_t every;      /* after so many rows the first `flips` weights of the plane change their signs */
    uint32_t flips;
    uint32_t quarter;   /* rows of a quarter of a turn; 0: the plane does not turn */
    double noise, blur; /* this part of the labels is wrong; noise of this size is added to the score */
} stream;

static const stream streams[] = {
    {"mild", 15000, 12500, 10000, 2, 0, 0, 0.133}, {"flip", 15000, 12500, 10000, N, 0, 0, 0.133},
    {"slow turn", 30000, 0, 0, 0, 20000, 0, 0},    {"fast turn", 30000, 0, 0, 0, 2000, 0, 0},
    {"recurring", 30000, 0, 5000, N, 0, 0.1, 0},   {"shift of labels", 30000, 0, 5000, 0, 0, 0, 0},
    {"stationary", 30000, 0, 0, 0, 0, 0.1, 0},
};

static uint32_t plane_label(const stream *t, uint32_t row, const float *x)
{
    const double angle = t->quarter ? M_PI / 2 * row / t->quarter : 0;
    double score = t->blur * normal();
    uint32_t j;
    for (j = 0; j < N; j++) { /* between two planes that are orthogonal, of length 1 */
        const double w = (cos(angle) * (j & 1 ? -1 : 1) + sin(angle) * (j & 2 ? -1 : 1)) / sqrt(N);
        score += (j < t->flips && row / t->every % 2 ? -w : w) * (double)x[j];
    }
    return (score > 0) != (uniform() < t->noise);
}

static set make_stream(const stream *t, uint32_t seed)
{
    const uint32_t classes = t->every && !t->flips ? 4 : 2;
    set s = {.name = t->name, .features = N, .classes = classes};
    double middle[4][N] = {{0}};
    float x[N];
    const pcn_vec row = pcn_dense(x, N);
    uint32_t i, j, y = 0;
    start_random(seed);
    for (j = 0; classes > 2 && j < classes * N; j++) middle[j / N][j % N] = 0.9 * normal();
    rows_init(&s.train);
    rows_init(&s.test);
    for (i = 0; i < t->rows; i++) {
        if (classes > 2) y = uniform() < 0.8 ? i / t->every % 4 : random_bits() % 4;
        for (j = 0; j < N; j++) x[j] = (float)(normal() + middle[y][j]);
        rows_add(&s.train, &row, classes > 2 ? y : plane_label(t, i, x));
    }
    s.train.features = s.test.features = N;
    return s;
}

/* ---- Trainers ---- */

typedef struct design {
    const char *name; /* NULL: only its last weights are shown */
    const char *last; /* of its last weights; NULL: they are not */
    enum { PERCEPTRON, PA, AROW, WINNOW } kind;
    uint8_t averages, follows, one_vs_rest;
    float regrow;
} design;

/* Labels may become classes in the order in which they come. */
typedef struct trainer {
    pcn_perceptron m;
    pcn_arrays of; /* room for all classes */
    uint32_t seen, class_of[MOST_CLASSES];
} trainer;

/* grows: classes come with their labels; otherwise all are there at first, and a class is its label. */
static void start(trainer *t, const design *d, const set *s, int grows)
{
    const uint32_t n = s->features, k = s->classes, first = grows && k > 2 ? 2 : k;
    pcn_perceptron *m = &t->m;
    uint32_t c;
    memset(t, 0, sizeof *t);
    for (c = 0; c < MOST_CLASSES; c++) t->class_of[c] = grows ? NO_LABEL : c;
    t->of.memory = new_floats(PCN_PERCEPTRON_FLOATS(n, k), &t->of.memory_bytes);
    t->of.state = new_floats(PCN_LINEAR_FLOATS(n, k), &t->of.state_bytes);
    t->of.sum = new_floats(PCN_AVERAGING_FLOATS(n, k), &t->of.sum_bytes);
    must(pcn_perceptron_init(m, n, first, t->of.memory, t->of.memory_bytes));
    if (s->train.index) must(pcn_perceptron_use_feature_major(m));
    if (d->kind == AROW) must(pcn_perceptron_use_confidence(m, 1, t->of.state, t->of.state_bytes));
    if (d->kind == WINNOW) must(pcn_perceptron_use_winnow(m, 0, 1, t->of.state, t->of.state_bytes));
    if (d->regrow > 0) must(pcn_perceptron_use_regrowth(m, d->regrow));
    if (d->averages) must(pcn_perceptron_use_averaging(m, t->of.sum, t->of.sum_bytes));
    if (d->follows) must(pcn_perceptron_use_following(m));
    if (d->kind == PA) m->learner.rule = pcn_rule_pa(0.1f);
    if (d->kind == WINNOW) m->learner.rule.rate = 0.05f;
    if (d->one_vs_rest) m->learner.update = pcn_update_one_vs_rest;
}

static void end(trainer *t)
{
    free(t->of.memory);
    free(t->of.sum);
    free(t->of.state);
}

static int class_for(trainer *t, uint32_t label)
{
    if (t->class_of[label] == NO_LABEL) {
        t->class_of[label] = t->seen++;
        if (t->seen > PCN_CLASSES(t->m.live.scores))
            must(pcn_perceptron_resize(&t->m, t->m.live.features, t->seen, &t->of));
    }
    return (int)t->class_of[label];
}

#endif
