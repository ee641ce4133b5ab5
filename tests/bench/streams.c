/* What following, probabilities and scaling are worth: on streams that are made here, and on the sets of a folder.
 *
 *     build/bench_streams FOLDER      streams.py fills the folder, and keeps the tables
 *
 * Every table is a line "## name" and Markdown. The same rows, orders and sums on every machine. */
#include "library.h" /* rows.c calls it */
#include "labels.h"
#include "rows.h"
#include "../random.h"

#include <math.h>

enum { MOST_CLASSES = 64 };

static void must(int result)
{
    if (result < 0) die(EXIT_INPUT, "%s", pcn_error_text(result));
}

/* ---- Rows ---- */

typedef struct set {
    const char *name;
    rows train, test; /* labels in order of appearance */
    uint32_t features, classes, scores;
} set;

static void read_rows(rows *d, labels *found, const char *path, int text)
{
    const reader_options o = {.max_features = 1 << 24, .format = text ? FORMAT_TEXT : FORMAT_LIBSVM, .text = text};
    reader r;
    rows_init(d);
    reader_open(&r, path, &o);
    while (reader_next(&r)) {
        const pcn_vec x = reader_vector(&r);
        rows_add(d, &x, labels_add(found, r.label));
    }
    d->features = r.features;
    reader_close(&r);
}

/* FOLDER/NAME.train.svm and .test.svm, or FOLDER/NAME.tsv. Rows of which half or more is there become dense. */
static set read_set(const char *folder, const char *name)
{
    const int text = strcmp(name, "debstream") == 0;
    set s = {.name = name};
    labels found;
    char path[4096];
    size_t cells;
    labels_init(&found);
    snprintf(path, sizeof path, text ? "%s/%s.tsv" : "%s/%s.train.svm", folder, name);
    read_rows(&s.train, &found, path, text);
    snprintf(path, sizeof path, "%s/%s.test.svm", folder, name);
    rows_init(&s.test);
    if (!text) read_rows(&s.test, &found, path, 0);
    s.features = s.train.features > s.test.features ? s.train.features : s.test.features;
    s.train.features = s.test.features = s.features;
    cells = (size_t)s.features * s.train.count;
    if (arrlenu(s.train.value) >= cells / 2) rows_spread(&s.train), rows_spread(&s.test);
    s.classes = labels_count(&found);
    s.scores = s.classes == 2 ? 1 : s.classes;
    labels_free(&found);
    return s;
}

static void free_set(set *s)
{
    rows_free(&s->train);
    rows_free(&s->test);
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

static void shuffle(uint32_t *order, uint32_t n, uint32_t seed) /* seed 0: as they are */
{
    uint32_t i;
    for (i = 0; i < n; i++) order[i] = i;
    random_state = seed;
    for (i = seed ? n : 0; i > 1; i--) {
        const uint32_t j = random_bits() % i, last = order[i - 1];
        order[i - 1] = order[j];
        order[j] = last;
    }
}

/* ---- Streams ---- */

enum { N = 8, STREAM = 30000 };

/* The target of a row: the weights of a plane. old and other are orthogonal, of length 1. */
typedef struct stream {
    const char *name;
    uint32_t rows, from; /* errors count from this row on */
    double noise;        /* this part of the labels is wrong */
    void (*target)(uint32_t row, const double *old, const double *other, double *w); /* NULL: four classes */
} stream;

static void mix(double a, double b, const double *old, const double *other, double *w)
{
    uint32_t j;
    for (j = 0; j < N; j++) w[j] = a * old[j] + b * other[j];
}

static void to_mild(uint32_t row, const double *old, const double *other, double *w)
{
    mix(1, 0, old, other, w);
    if (row >= 5000) w[0] = -w[0], w[1] = -w[1];
}

static void to_flip(uint32_t row, const double *old, const double *other, double *w)
{
    mix(row < 5000 ? 1 : -1, 0, old, other, w);
}

static void turn(double angle, const double *old, const double *other, double *w)
{
    mix(cos(angle), sin(angle), old, other, w);
}

static void to_slow(uint32_t row, const double *old, const double *other, double *w)
{
    turn(M_PI / 2 * row / 20000, old, other, w);
}

static void to_fast(uint32_t row, const double *old, const double *other, double *w)
{
    turn(M_PI / 2 * row / 2000, old, other, w);
}

static void to_recur(uint32_t row, const double *old, const double *other, double *w)
{
    mix(row / 5000 % 2 ? -0.6 : 1, 0, old, other, w);
}

static void to_stay(uint32_t row, const double *old, const double *other, double *w)
{
    (void)row;
    mix(1, 0, old, other, w);
}

static const stream streams[] = {
    {"mild", 10000, 7500, 0.04, to_mild},    {"flip", 10000, 7500, 0.04, to_flip},
    {"slow turn", STREAM, 0, 0, to_slow},    {"fast turn", STREAM, 0, 0, to_fast},
    {"recurring", STREAM, 0, 0.1, to_recur}, {"labels shift", STREAM, 0, 0, NULL},
    {"stationary", STREAM, 0, 0.1, to_stay},
};

static set make_stream(const stream *t)
{
    set s = {.name = t->name, .features = N, .classes = t->target ? 2 : 4, .scores = t->target ? 1 : 4};
    double old[N], other[N], w[N], middle[4][N], length = 0, along = 0, sum;
    float x[N];
    uint32_t i, j, y;
    const pcn_vec row = pcn_dense(x, N);
    random_state = 7;
    for (j = 0; j < N; j++) length += (old[j] = normal()) * old[j];
    for (j = 0; j < N; j++) old[j] /= sqrt(length);
    for (j = 0; j < N; j++) along += (other[j] = normal()) * old[j];
    for (j = 0, length = 0; j < N; j++) length += (other[j] -= along * old[j]) * other[j];
    for (j = 0; j < N; j++) other[j] /= sqrt(length);
    for (y = 0; y < 4; y++)
        for (j = 0; j < N; j++) middle[y][j] = 0.9 * normal();
    rows_init(&s.train);
    rows_init(&s.test);
    for (i = 0; i < t->rows; i++) {
        y = uniform() < 0.8 ? i / 5000 % 4 : random_bits() % 4; /* of four classes one comes in 85 % of the rows */
        for (j = 0; j < N; j++) x[j] = (float)(normal() + (t->target ? 0 : middle[y][j]));
        if (t->target) {
            t->target(i, old, other, w);
            for (j = 0, sum = 0; j < N; j++) sum += w[j] * (double)x[j];
            y = (sum > 0) != (uniform() < t->noise);
        }
        rows_add(&s.train, &row, y);
    }
    s.train.features = s.test.features = N;
    return s;
}

/* ---- Trainers ---- */

typedef struct design {
    const char *name;
    enum { FIXED, PA, AROW, WINNOW } kind;
    float regrow;
    uint8_t averages, follows, one_vs_rest;
} design;

/* Labels become classes in the order in which they come, and only these are predicted. */
typedef struct trainer {
    pcn_perceptron m;
    pcn_arrays of; /* room for all classes */
    uint32_t seen, class_of[MOST_CLASSES];
} trainer;

static float *new_floats(size_t n, size_t *bytes)
{
    *bytes = n * sizeof(float);
    return allocate_zero(n, sizeof(float));
}

static void start(trainer *t, const design *d, const set *s)
{
    const uint32_t n = s->features, k = s->scores;
    const size_t floats = PCN_LINEAR_FLOATS(n, k);
    pcn_perceptron *m = &t->m;
    memset(t, 0, sizeof *t);
    memset(t->class_of, 255, sizeof t->class_of); /* NO_LABEL */
    t->of.memory = new_floats(PCN_PERCEPTRON_FLOATS(n, k), &t->of.memory_bytes);
    must(pcn_perceptron_init(m, n, k > 2 ? 2 : 1, t->of.memory, t->of.memory_bytes));
    if (s->train.index) must(pcn_perceptron_use_feature_major(m));
    if (d->kind == AROW || d->kind == WINNOW) t->of.state = new_floats(floats, &t->of.state_bytes);
    if (d->kind == AROW) must(pcn_perceptron_use_confidence(m, 1, t->of.state, t->of.state_bytes));
    if (d->kind == WINNOW) must(pcn_perceptron_use_winnow(m, 0, 1, t->of.state, t->of.state_bytes));
    if (d->averages) t->of.sum = new_floats(PCN_AVERAGING_FLOATS(n, k), &t->of.sum_bytes);
    if (d->averages) must(pcn_perceptron_use_averaging(m, t->of.sum, t->of.sum_bytes));
    if (d->follows) must(pcn_perceptron_use_following(m));
    if (d->kind == PA) m->learner.rule = pcn_rule_pa(0.1f);
    if (d->kind == WINNOW) m->learner.rule.rate = 0.05f;
    if (d->one_vs_rest) m->learner.update = pcn_update_one_vs_rest;
    m->regrow = d->regrow;
}

static void end(trainer *t)
{
    free(t->of.memory);
    free(t->of.sum);
    free(t->of.state);
}

/* Returns the class that learn wants, of one score, too. */
static int class_for(trainer *t, uint32_t label)
{
    if (t->class_of[label] == NO_LABEL) {
        t->class_of[label] = t->seen++;
        if (t->seen > 2 && t->seen > t->m.live.classes)
            must(pcn_perceptron_resize(&t->m, t->m.live.features, t->seen, &t->of));
    }
    return (int)t->class_of[label];
}

typedef struct wrong {
    double last, said; /* % of the rows: by the last weights, by what predict says */
} wrong;

/* Progressive errors, from row `from` on; a row whose label is new is wrong. */
static wrong run(trainer *t, const rows *d, const uint32_t *order, uint32_t from)
{
    wrong e = {0, 0};
    uint32_t i;
    for (i = 0; i < d->count; i++) {
        const pcn_vec x = rows_vector(d, order[i]);
        const int new = t->class_of[d->label[order[i]]] == NO_LABEL, said = pcn_perceptron_predict(&t->m, x);
        const int y = class_for(t, d->label[order[i]]);
        must(pcn_perceptron_learn(&t->m, x, y));
        if (i < from) continue;
        e.last += new || t->m.learner.guess != y;
        e.said += new || said != y;
    }
    e.last *= 100. / (d->count - from);
    e.said *= 100. / (d->count - from);
    return e;
}

static wrong test(const trainer *t, const rows *d)
{
    wrong e = {0, 0};
    uint32_t i;
    for (i = 0; i < d->count; i++) {
        const pcn_vec x = rows_vector(d, i);
        const int y = (int)t->class_of[d->label[i]];
        e.last += pcn_linear_predict(&t->m.live, x) != y;
        e.said += pcn_perceptron_predict(&t->m, x) != y;
    }
    e.last *= 100. / d->count;
    e.said *= 100. / d->count;
    return e;
}

/* ---- Following ---- */

enum { PERCEPTRON_RUN, FOLLOWING_RUN, PA_RUN, AROW_RUN, REGROW_RUN, OVR_RUN, RUNS };

static const design of_run[RUNS] = {
    {"", FIXED, 0, 1, 0, 0}, {"", FIXED, 0, 1, 1, 0},      {"", PA, 0, 1, 1, 0},
    {"", AROW, 0, 1, 0, 0},  {"", AROW, 0.003f, 1, 1, 0}, {"", AROW, 0.003f, 1, 1, 1},
};

/* Rows of the tables: a run, and whose errors; or what an error may be at most. */
static const struct line {
    const char *name;
    int run, last;
} lines[] = {
    {"last weights", PERCEPTRON_RUN, 1},     {"averaged", PERCEPTRON_RUN, 0},
    {"averaged, following", FOLLOWING_RUN, 0}, {"PA-I, averaged, following", PA_RUN, 0},
    {"AROW, last weights", AROW_RUN, 1},     {"AROW, averaged", AROW_RUN, 0},
    {"AROW, regrow 0.003, averaged, following", REGROW_RUN, 0}, {"the same, one-vs-rest", OVR_RUN, 0},
};

static void follow_streams(const char *folder)
{
    static wrong e[LENGTH(streams) + 1][RUNS];
    uint32_t i, k, *order;
    size_t j;
    printf("## following\n| wrong, %% |");
    for (j = 0; j <= LENGTH(streams); j++) {
        set s = j < LENGTH(streams) ? make_stream(&streams[j]) : read_set(folder, "debstream");
        order = allocate(s.train.count, sizeof *order);
        shuffle(order, s.train.count, 0);
        printf(" %s |", s.name);
        fflush(stdout);
        for (k = 0; k < RUNS; k++) {
            trainer t;
            start(&t, &of_run[k], &s);
            e[j][k] = run(&t, &s.train, order, j < LENGTH(streams) ? streams[j].from : 0);
            end(&t);
        }
        free(order);
        free_set(&s);
    }
    printf("\n|---|");
    for (j = 0; j <= LENGTH(streams); j++) printf("---|");
    for (i = 0; i < LENGTH(lines); i++) {
        printf("\n| %s |", lines[i].name);
        for (j = 0; j <= LENGTH(streams); j++)
            printf(" %.2f |", lines[i].last ? e[j][lines[i].run].last : e[j][lines[i].run].said);
    }
    printf("\n\n");
}

static const char *const sets[] = {"letter", "spam", "shuttle", "digits", "diamonds", "agaricus", "sms", "sms.tfidf", "rcv1small", "ewt"};

static void follow_sets(const char *folder)
{
    static wrong e[LENGTH(sets)][RUNS];
    uint32_t i, k, seed, *order;
    size_t j;
    printf("## following, sets\n| wrong, %% |");
    for (j = 0; j < LENGTH(sets); j++) {
        set s = read_set(folder, sets[j]);
        const uint32_t seeds = s.train.count < 20000 ? 5 : 1;
        order = allocate(s.train.count, sizeof *order);
        printf(" %s |", s.name);
        fflush(stdout);
        for (k = 0; k < RUNS; k++)
            for (seed = 1; seed <= seeds; seed++) {
                trainer t;
                wrong of;
                shuffle(order, s.train.count, seed);
                start(&t, &of_run[k], &s);
                run(&t, &s.train, order, 0);
                of = test(&t, &s.test);
                e[j][k].last += of.last / seeds;
                e[j][k].said += of.said / seeds;
                end(&t);
            }
        free(order);
        free_set(&s);
    }
    printf("\n|---|");
    for (j = 0; j < LENGTH(sets); j++) printf("---|");
    for (i = 0; i < LENGTH(lines); i++) {
        printf("\n| %s |", lines[i].name);
        for (j = 0; j < LENGTH(sets); j++)
            printf(" %.2f |", lines[i].last ? e[j][lines[i].run].last : e[j][lines[i].run].said);
    }
    printf("\n\n");
}

int main(int count, char **argument)
{
    if (count != 2) die(EXIT_USAGE, "give the folder of the sets");
    follow_streams(argument[1]);
    follow_sets(argument[1]);
    return 0;
}
