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

enum { MOST_CLASSES = 64, MOST_DENSE = 200 };

static void must(int result)
{
    if (result < 0) die(EXIT_INPUT, "%s", pcn_error_text(result));
}

/* ---- Rows ---- */

static float *new_floats(size_t n, size_t *bytes)
{
    *bytes = n * sizeof(float);
    return allocate_zero(n, sizeof(float));
}

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

static pcn_scaler new_scaler(uint32_t features)
{
    pcn_scaler s;
    size_t bytes;
    float *memory = new_floats(PCN_SCALER_FLOATS(features), &bytes);
    must(pcn_scaler_init(&s, features, memory, bytes));
    return s;
}

/* The scaler of these rows. */
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

/* FOLDER/NAME.train.svm and .test.svm, or FOLDER/NAME.tsv. Rows of few features become dense. "NAME scaled": columns
 * are scaled as the training rows say. */
static set read_set(const char *folder, const char *name)
{
    const char *scaled = strstr(name, " scaled");
    const int text = strncmp(name, "debstream", 9) == 0, length = (int)strcspn(name, " ");
    set s = {.name = name};
    labels found;
    char path[4096];
    labels_init(&found);
    snprintf(path, sizeof path, text ? "%s/%.*s.tsv" : "%s/%.*s.train.svm", folder, length, name);
    read_rows(&s.train, &found, path, text);
    snprintf(path, sizeof path, "%s/%.*s.test.svm", folder, length, name);
    rows_init(&s.test);
    if (!text) read_rows(&s.test, &found, path, 0);
    s.features = s.train.features > s.test.features ? s.train.features : s.test.features;
    s.train.features = s.test.features = s.features;
    if (s.features <= MOST_DENSE) rows_spread(&s.train), rows_spread(&s.test);
    if (scaled) {
        const pcn_scaler scaler = scaler_of(&s.train);
        scale_rows(&s.train, &scaler);
        scale_rows(&s.test, &scaler);
        free(scaler.mean);
    }
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

static void shuffle(uint32_t *order, uint32_t n, uint32_t seed) /* seed 0: as they are */
{
    uint32_t i;
    for (i = 0; i < n; i++) order[i] = i;
    start_random(seed);
    for (i = seed ? n : 0; i > 1; i--) {
        const uint32_t j = random_bits() % i, last = order[i - 1];
        order[i - 1] = order[j];
        order[j] = last;
    }
}

/* ---- Streams ---- */

enum { N = 8, STREAMS = 10 }; /* features; streams of each kind */

/* Normal features. The target is a plane; old and other, the planes at first and a quarter of a turn later, are
 * orthogonal. Or there are four classes, of which one, another for each `every` rows, comes in 85 % of the rows. */
typedef struct stream {
    const char *name;
    uint32_t rows, from; /* errors count from row `from` on */
    uint32_t every;      /* after so many rows the first `flips` weights change their signs */
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
    for (j = 0; j < N; j++) {
        const double old = (j & 1 ? -1 : 1) / sqrt(N), other = (j & 2 ? -1 : 1) / sqrt(N);
        const double w = cos(angle) * old + sin(angle) * other;
        score += (j < t->flips && row / t->every % 2 ? -w : w) * (double)x[j];
    }
    return (score > 0) != (uniform() < t->noise);
}

static set make_stream(const stream *t, uint32_t seed)
{
    const uint32_t classes = t->every && !t->flips ? 4 : 2;
    set s = {.name = t->name, .features = N, .classes = classes, .scores = classes == 2 ? 1 : classes};
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
    const char *name;
    enum { FIXED, PA, AROW, WINNOW } kind;
    float regrow;
    uint8_t averages, follows, one_vs_rest;
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
    const uint32_t n = s->features, k = s->scores, first = grows && k > 2 ? 2 : k;
    const size_t floats = PCN_LINEAR_FLOATS(n, k);
    pcn_perceptron *m = &t->m;
    uint32_t c;
    memset(t, 0, sizeof *t);
    for (c = 0; c < MOST_CLASSES; c++) t->class_of[c] = grows ? NO_LABEL : c;
    t->of.memory = new_floats(PCN_PERCEPTRON_FLOATS(n, k), &t->of.memory_bytes);
    must(pcn_perceptron_init(m, n, first, t->of.memory, t->of.memory_bytes));
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
    if (d->regrow > 0) must(pcn_perceptron_use_regrowth(m, d->regrow));
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

/* Progressive errors, from row `from` on; a row whose label is new is wrong. With a scaler, rows are noted if it is
 * `running`, and scaled. */
static wrong run(trainer *t, const rows *d, const uint32_t *order, uint32_t from, pcn_scaler *s, int running)
{
    float scaled[MOST_DENSE];
    wrong e = {0, 0};
    uint32_t i;
    for (i = 0; i < d->count; i++) {
        const uint32_t label = d->label[order[i]];
        const int new = t->class_of[label] == NO_LABEL, y = class_for(t, label);
        pcn_vec x = rows_vector(d, order[i]);
        int said;
        if (running) must(pcn_scaler_note(s, x.value));
        if (s) pcn_scaler_scale(s, x.value, scaled);
        if (s) x.value = scaled;
        said = pcn_perceptron_predict(&t->m, x);
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
    {"", FIXED, 0, 1, 0, 0}, {"", FIXED, 0, 1, 1, 0},     {"", PA, 0, 1, 1, 0},
    {"", AROW, 0, 1, 0, 0},  {"", AROW, 0.003f, 1, 1, 0}, {"", AROW, 0.003f, 1, 1, 1},
};

/* Rows of the tables: a run, and whose errors; or what an error may be at most. */
static const struct line {
    const char *name;
    int run, last;
} lines[] = {
    {"last weights", PERCEPTRON_RUN, 1},
    {"averaged", PERCEPTRON_RUN, 0},
    {"averaged, following", FOLLOWING_RUN, 0},
    {"PA-I, averaged, following", PA_RUN, 0},
    {"AROW, last weights", AROW_RUN, 1},
    {"AROW, averaged", AROW_RUN, 0},
    {"AROW, regrow 0.003, averaged, following", REGROW_RUN, 0},
    {"the same, one-vs-rest", OVR_RUN, 0},
};

/* The errors of each design on `count` streams or sets as a table. */
static void print_errors(const char *name, const char *const *column, size_t count, wrong (*e)[RUNS])
{
    size_t i, j;
    printf("## %s\n| wrong, %% |", name);
    for (j = 0; j < count; j++) printf(" %s |", column[j]);
    printf("\n|---|");
    for (j = 0; j < count; j++) printf("---|");
    for (i = 0; i < LENGTH(lines); i++) {
        printf("\n| %s |", lines[i].name);
        for (j = 0; j < count; j++)
            printf(" %.2f |", lines[i].last ? e[j][lines[i].run].last : e[j][lines[i].run].said);
    }
    printf("\n\n");
}

/* Adds to e the errors of all designs: progressive ones from row `from` on, or those on test rows. */
static void run_designs(const set *s, uint32_t seed, uint32_t from, double part, wrong *e)
{
    uint32_t k, *order = allocate(s->train.count, sizeof *order);
    shuffle(order, s->train.count, seed);
    for (k = 0; k < RUNS; k++) {
        trainer t;
        wrong one;
        start(&t, &of_run[k], s, 1);
        one = run(&t, &s->train, order, from, NULL, 0);
        if (s->test.count) one = test(&t, &s->test);
        e[k].last += part * one.last;
        e[k].said += part * one.said;
        end(&t);
    }
    free(order);
}

static void follow_streams(const char *folder)
{
    static wrong e[LENGTH(streams) + 1][RUNS];
    const char *column[LENGTH(streams) + 1];
    set s;
    size_t j;
    uint32_t seed;
    for (j = 0; j < LENGTH(streams); j++)
        for (seed = 1, column[j] = streams[j].name; seed <= STREAMS; seed++) {
            s = make_stream(&streams[j], seed);
            run_designs(&s, 0, streams[j].from, 1. / STREAMS, e[j]);
            free_set(&s);
        }
    s = read_set(folder, column[j] = "debstream");
    run_designs(&s, 0, 0, 1, e[j]);
    free_set(&s);
    print_errors("following", column, j + 1, e);
}

static void follow_sets(const char *folder)
{
    static const char *const column[] = {
        "letter",         "spam",     "shuttle", "digits",    "diamonds",  "diamonds scaled",
        "shuttle scaled", "agaricus", "sms",     "sms.tfidf", "rcv1small", "ewt"};
    static wrong e[LENGTH(column)][RUNS];
    size_t j;
    uint32_t seed;
    for (j = 0; j < LENGTH(column); j++) {
        set s = read_set(folder, column[j]);
        const uint32_t most = 300000 / s.train.count, seeds = most > 40 ? 40 : most;
        for (seed = 1; seed <= seeds; seed++) run_designs(&s, seed, 0, 1. / seeds, e[j]);
        free_set(&s);
    }
    print_errors("following, sets", column, LENGTH(column), e);
}

/* ---- Probabilities ---- */

/* Rows of a stream or of a test: their scores, what a calibration said, and the truth. */
typedef struct answers {
    uint32_t rows, scores;
    float *score, *p;
    int *y;
} answers;

static answers new_answers(uint32_t most, uint32_t scores)
{
    const size_t cells = (size_t)most * scores;
    answers a = {0, scores, allocate(cells, sizeof(float)), allocate(cells, sizeof(float)),
                 allocate(most, sizeof(int))};
    return a;
}

static void free_answers(answers *a)
{
    free(a->score);
    free(a->p);
    free(a->y);
}

#define LEAST 1e-7 /* a loss counts at most as that of this probability */

static double loss_of(double p)
{
    return -log(p < LEAST ? LEAST : p);
}

static double log_loss(const answers *a)
{
    double sum = 0;
    uint32_t i;
    for (i = 0; i < a->rows; i++) {
        const float *p = a->p + (size_t)i * a->scores;
        sum += loss_of(a->scores > 1 ? (double)p[a->y[i]] : a->y[i] ? (double)p[0] : 1 - (double)p[0]);
    }
    return sum / a->rows;
}

/* Probabilities by a and b, in double: logits are a x + b o, where x is the score less that of the top class, o 1 for
 * the others; with one score the classes are 0 and 1, x the score and o 1 for class 1. Returns the loss, and adds its
 * first and second derivatives, which are 0 where it is at its most. */
static double loss_by(const float *score, uint32_t scores, int y, const double *ab, float *p, double *g, double *h)
{
    const int count = scores == 1 ? 2 : (int)scores, top = scores == 1 ? 0 : pcn_decide(score, scores, 0);
    double x[MOST_CLASSES], q[MOST_CLASSES], most = 0, sum = 0, mx = 0, mo = 0;
    int k;
    for (k = 0; k < count; k++) {
        x[k] = scores > 1 ? (double)score[k] - (double)score[top] : k ? (double)score[0] : 0;
        q[k] = ab[0] * x[k] + (k == top ? 0 : ab[1]);
        if (q[k] > most) most = q[k];
    }
    for (k = 0; k < count; k++) sum += q[k] = exp(q[k] - most);
    for (k = 0; k < count; k++) mx += (q[k] /= sum) * x[k];
    for (k = 0; k < (int)scores; k++) p[k] = (float)q[scores == 1 ? 1 : k];
    if (q[y] < LEAST) return loss_of(0);
    mo = 1 - q[top];
    for (k = 0; k < count; k++) h[0] += q[k] * (x[k] - mx) * (x[k] - mx);
    g[0] += mx - x[y];
    g[1] += mo - (y != top);
    h[1] += mx * (1 - mo);
    h[2] += mo * (1 - mo);
    return loss_of(q[y]);
}

/* Newton steps from *ab on, halved until the loss falls. Returns the least; a->p are of the last. */
static double descend(answers *a, double *ab)
{
    double at[2] = {ab[0], ab[1]}, step[2] = {0, 0}, g[2], h[3], loss, least = HUGE_VAL, det;
    uint32_t i, rounds;
    for (rounds = 0; rounds < 60; rounds++) {
        const double fell = least;
        memset(g, 0, sizeof g);
        memset(h, 0, sizeof h);
        for (i = 0, loss = 0; i < a->rows; i++)
            loss += loss_by(a->score + (size_t)i * a->scores, a->scores, a->y[i], at, a->p + (size_t)i * a->scores, g,
                            h);
        if (loss < least) {
            least = loss, ab[0] = at[0], ab[1] = at[1];
            det = h[0] * h[2] * (1 + 1e-9) - h[1] * h[1];
            step[0] = (h[2] * g[0] - h[1] * g[1]) / det;
            step[1] = (h[0] * g[1] - h[1] * g[0]) / det;
            if (!(det > 0) || fell - least < 1e-9 * a->rows) break;
        } else {
            step[0] /= 2, step[1] /= 2;
        }
        at[0] = ab[0] - step[0], at[1] = ab[1] - step[1];
    }
    return least / a->rows;
}

/* a->p becomes what the best a and b of all rows say: found from 0 and from those of the stream on. */
static void fit_in_hindsight(answers *a, const pcn_calibration *c)
{
    double ab[2][2] = {{0, 0}, {(double)c->a, (double)c->b}}, g[2], h[3], first = descend(a, ab[0]);
    const double *best = descend(a, ab[1]) < first ? ab[1] : ab[0];
    uint32_t i;
    for (i = 0; i < a->rows; i++)
        loss_by(a->score + (size_t)i * a->scores, a->scores, a->y[i], best, a->p + (size_t)i * a->scores, g, h);
}

typedef struct sure {
    float p;
    int right;
} sure;

static int less_sure(const void *a, const void *b)
{
    const float x = ((const sure *)a)->p, y = ((const sure *)b)->p;
    return (x > y) - (x < y);
}

/* Expected calibration error: 15 bins of equally many rows; of class 1, or of the class with the highest score. */
static double calibration_error(const answers *a)
{
    enum { BINS = 15 };
    sure *of = allocate(a->rows, sizeof *of);
    double error = 0;
    uint32_t i, bin;
    for (i = 0; i < a->rows; i++) {
        const float *s = a->score + (size_t)i * a->scores;
        const int top = a->scores == 1 ? 1 : pcn_decide(s, a->scores, 0);
        of[i] = (sure){a->p[(size_t)i * a->scores + (a->scores == 1 ? 0 : (uint32_t)top)], a->y[i] == top};
    }
    qsort(of, a->rows, sizeof *of, less_sure);
    for (bin = 0, i = 0; bin < BINS; bin++) {
        double gap = 0;
        for (; i < (uint64_t)a->rows * (bin + 1) / BINS; i++) gap += (double)of[i].p - of[i].right;
        error += fabs(gap) / a->rows;
    }
    free(of);
    return error;
}

static const design of_model[] = {
    {"last weights", FIXED, 0, 0, 0, 0}, {"averaged", FIXED, 0, 1, 0, 0}, {"PA-I", PA, 0, 0, 0, 0},
    {"PA-I, averaged", PA, 0, 1, 0, 0},  {"AROW", AROW, 0, 0, 0, 0},      {"Winnow", WINNOW, 0, 0, 0, 0}};
enum { MODELS = LENGTH(of_model) };

/* Scores, probabilities and truth of a row, behind those that a has. */
static const float *answer(answers *a, const float *score, const pcn_calibration *c, int y)
{
    const size_t at = (size_t)a->rows * a->scores;
    memcpy(a->score + at, score, a->scores * sizeof *score);
    pcn_probabilities(c, score, a->scores, a->p + at);
    a->y[a->rows++] = y;
    return a->p + at;
}

/* Learns the rows, each after it has been predicted and has calibrated; keeps the answers from row `from` on. */
static answers run_calibrated(trainer *t, const rows *d, const uint32_t *order, uint32_t from, pcn_calibration *c)
{
    answers a = new_answers(d->count, t->m.live.classes);
    float score[MOST_CLASSES];
    uint32_t i;
    for (i = 0; i < d->count; i++) {
        const pcn_vec x = rows_vector(d, order[i]);
        const int y = class_for(t, d->label[order[i]]);
        pcn_perceptron_scores(&t->m, x, score);
        must(pcn_calibrate(c, score, a.scores, answer(&a, score, c, y), y));
        must(pcn_perceptron_learn(&t->m, x, y));
        if (i < from) a.rows = 0;
    }
    return a;
}

static int16_t to_int16(float x)
{
    return (int16_t)lrintf(fmaxf(fminf(x, 32767), -32768));
}

/* What a calibration says of test rows: by floats, or by a model of 8 bits. unit: of its features. */
static double test_loss(const set *s, const pcn_linear *m, const pcn_calibration *c, int eight_bits, float unit)
{
    answers a = new_answers(s->test.count, s->scores);
    size_t bytes;
    int32_t *memory = (int32_t *)new_floats(PCN_ILINEAR_NUMBERS(s->features, s->scores, 8), &bytes);
    int16_t *value = allocate(s->features, sizeof *value);
    float score[MOST_CLASSES], one = 0;
    int64_t whole[MOST_CLASSES];
    pcn_ilinear q;
    double loss;
    uint32_t i, j;
    if (eight_bits) must(pcn_ilinear_quantize(&q, m, 8, unit, &one, memory, bytes));
    for (i = 0; i < s->test.count; i++) {
        const pcn_vec x = rows_vector(&s->test, i);
        if (eight_bits) {
            for (j = 0; j < x.count; j++) value[j] = to_int16(x.value[j] / unit);
            pcn_ilinear_scores(&q, pcn_isparse(x.index, value, x.count), whole);
            for (j = 0; j < s->scores; j++) score[j] = (float)whole[j] * one;
        } else {
            pcn_linear_scores(m, x, score);
        }
        answer(&a, score, c, (int)s->test.label[i]);
    }
    loss = log_loss(&a);
    free_answers(&a);
    free(memory);
    free(value);
    return loss;
}

/* The largest value of all test rows, as one of int16. */
static float unit_of(const rows *d)
{
    float most = 0;
    size_t k;
    for (k = 0; k < arrlenu(d->value); k++) most = fmaxf(most, fabsf(d->value[k]));
    return most / 32767;
}

typedef struct shares {
    uint32_t models, near;
    double excess, most, error, error_in_hindsight;
} shares;

static void print_shares(const char *name, const shares *h, double unit)
{
    printf("| %s | %u | %u | %.4f | %.4f | %.4f | %.4f |\n", name, h->models, h->near, unit * h->excess / h->models,
           unit * h->most, h->error / h->models, h->error_in_hindsight / h->models);
}

static void calibrate_streams(const char *folder)
{
    static const char *const name[] = {
        "sms",
        "sms.tfidf",
        "spam",
        "agaricus",
        "rcv1small",
        "heart scaled",
        "sonar scaled",
        "mild",
        "stationary",
        "letter scaled",
        "letter",
        "shuttle scaled",
        "shuttle",
        "vehicle scaled",
        "digits scaled",
        "diamonds scaled",
        "ewt",
        "debstream",
        "debstream shuffled"};
    shares of[2] = {{0}};
    char bits[LENGTH(name) * 100] = "", *end_of_bits = bits;
    size_t j, l;
    printf("## probabilities\n| excess of log-loss |");
    for (l = 0; l < MODELS; l++) printf(" %s |", of_model[l].name);
    printf(" ECE, averaged (hindsight) | AROW (hindsight) |\n|---|---|---|---|---|---|---|---|---|");
    for (j = 0; j < LENGTH(name); j++) {
        const int made = strcmp(name[j], "mild") == 0 ? 0 : strcmp(name[j], "stationary") == 0 ? 6 : -1;
        set s = made < 0 ? read_set(folder, name[j]) : make_stream(&streams[made], 1);
        uint32_t *order = allocate(s.train.count, sizeof *order);
        shuffle(order, s.train.count, made < 0 && strcmp(name[j], "debstream") != 0);
        printf("\n| %s |", s.name);
        double ece[MODELS][2];
        for (l = 0; l < MODELS; l++) {
            const int several = s.scores > 1;
            pcn_calibration c = {0};
            trainer t;
            answers a;
            double loss, excess;
            start(&t, &of_model[l], &s, 0);
            a = run_calibrated(&t, &s.train, order, s.train.count / 2, &c);
            loss = log_loss(&a);
            ece[l][0] = calibration_error(&a);
            fit_in_hindsight(&a, &c);
            excess = several ? loss / log_loss(&a) - 1 : loss - log_loss(&a);
            ece[l][1] = calibration_error(&a);
            printf(several ? " %+.1f %% |" : " %+.4f |", several ? 100 * excess : excess);
            fflush(stdout);
            of[several].models++;
            of[several].near += excess <= (several ? 0.03 : 0.01);
            of[several].excess += excess;
            if (excess > of[several].most) of[several].most = excess;
            of[several].error += ece[l][0];
            of[several].error_in_hindsight += ece[l][1];
            if (s.test.count && of_model[l].averages && of_model[l].kind == FIXED) {
                size_t bytes;
                float *out = new_floats(PCN_LINEAR_FLOATS(s.features, s.scores), &bytes);
                pcn_linear m;
                must(pcn_perceptron_final(&t.m, &m, out, bytes));
                end_of_bits += sprintf(end_of_bits, "| %s | %.4f | %.4f |\n", s.name, test_loss(&s, &m, &c, 0, 1),
                                       test_loss(&s, &m, &c, 1, unit_of(&s.test)));
                free(out);
            }
            free_answers(&a);
            end(&t);
        }
        printf(" %.3f (%.3f) | %.3f (%.3f) |", ece[1][0], ece[1][1], ece[4][0], ece[4][1]);
        free(order);
        free_set(&s);
    }
    printf(
        "\n\n## probabilities, shares\n| | models | within 0.01, or 3 %% | mean excess | most | ECE | in hindsight |\n|---|---|---|---|---|---|---|\n");
    print_shares("two classes", &of[0], 1);
    print_shares("several, excess in %", &of[1], 100);
    printf("\n## probabilities, 8 bits\n| log-loss of the test rows | floats | 8 bits |\n|---|---|---|\n%s\n", bits);
}

/* ---- Scaling ---- */

/* Columns become up to 10^6 times as large, and half of them move by up to 10^3 times their size. */
static void stretch(rows *d)
{
    const uint32_t n = d->features;
    uint32_t i, j;
    start_random(1);
    for (j = 0; j < n; j++) {
        const double size = pow(10, 6 * uniform()), far = random_bits() % 2 ? pow(10, 3 * uniform()) : 0;
        for (i = 0; i < d->count; i++) d->value[i * n + j] = (float)(size * ((double)d->value[i * n + j] + far));
    }
}

enum { RAW, FIXED_SCALE, RUNNING, SCALES };

static const char *const tables[] = {"vehicle", "sonar", "heart", "spam", "digits", "letter", "shuttle", "diamonds"};

/* Progressive errors: raw, with the scaler of all rows, with a running one; and the last with stretched columns. */
static void scale_streams(const char *folder)
{
    static const design of[] = {{"AROW", AROW, 0, 0, 0, 0}, {"averaged", FIXED, 0, 1, 0, 0}};
    enum { ORDERS = 5 };
    size_t j, l;
    uint32_t seed, *order;
    int how;
    printf(
        "## scaling, streams\n| wrong, %% | AROW, raw | fixed | running | running, stretched | averaged, raw | fixed |"
        " running | running, stretched |\n|---|---|---|---|---|---|---|---|---|");
    for (j = 0; j < LENGTH(tables); j++) {
        set s = read_set(folder, tables[j]);
        double e[LENGTH(of)][SCALES + 1] = {{0}};
        order = allocate(s.train.count, sizeof *order);
        for (how = RAW; how <= SCALES; how++) {
            if (how == SCALES) {
                pcn_scaler all = scaler_of(&s.train); /* sizes are told in deviations */
                scale_rows(&s.train, &all);
                free(all.mean);
                stretch(&s.train);
            }
            for (l = 0; l < LENGTH(of); l++)
                for (seed = 1; seed <= ORDERS; seed++) {
                    pcn_scaler scaler = how == FIXED_SCALE ? scaler_of(&s.train) : new_scaler(s.features);
                    trainer t;
                    shuffle(order, s.train.count, seed);
                    start(&t, &of[l], &s, 1);
                    e[l][how] += run(&t, &s.train, order, 0, how ? &scaler : NULL, how >= RUNNING).said / ORDERS;
                    end(&t);
                    free(scaler.mean);
                }
        }
        printf("\n| %s |", s.name);
        for (l = 0; l < LENGTH(of); l++)
            for (how = RAW; how <= SCALES; how++) printf(" %.2f |", e[l][how]);
        fflush(stdout);
        free(order);
        free_set(&s);
    }
    printf("\n\n");
}

/* % of the test rows that a model of 8 bits has wrong; value: all rows, of whole units. */
static double wrong_in_8_bits(const set *s, const pcn_linear *m, float unit, const int16_t *value)
{
    size_t bytes;
    int32_t *memory = (int32_t *)new_floats(PCN_ILINEAR_NUMBERS(s->features, s->scores, 8), &bytes);
    pcn_ilinear q;
    uint32_t i, wrong = 0;
    must(pcn_ilinear_quantize(&q, m, 8, unit, NULL, memory, bytes));
    for (i = 0; i < s->test.count; i++)
        wrong += pcn_ilinear_predict(&q, pcn_idense(value + (size_t)i * s->features, s->features)) !=
                 (int)s->test.label[i];
    free(memory);
    return 100. * wrong / s->test.count;
}

/* Of models that have learned scaled rows in ten epochs: folded, and in 8 bits. */
static void fold_models(const char *folder)
{
    size_t j, k, bytes;
    printf(
        "## scaling, models\n| wrong, %% | floats | folded: predictions changed | fold returns | folded, 8 bits | 8 bits, scaled rows |"
        " scaled without floats |\n|---|---|---|---|---|---|---|\n");
    for (j = 0; j < LENGTH(tables); j++) {
        char name[40];
        set raw = read_set(folder, tables[j]),
            s = (snprintf(name, sizeof name, "%s scaled", tables[j]), read_set(folder, name));
        const uint32_t n = s.features;
        const size_t cells = (size_t)n * s.test.count;
        const design averaged = {"", FIXED, 0, 1, 0, 0};
        const pcn_scaler scaler = scaler_of(&raw.train);
        float *mean = new_floats(PCN_LINEAR_FLOATS(n, s.scores), &bytes),
              *out = new_floats(PCN_LINEAR_FLOATS(n, s.scores), &bytes);
        int16_t *value = allocate(cells, sizeof *value);
        pcn_iscale scale[MOST_DENSE];
        pcn_linear m, folded;
        pcn_pass pass;
        trainer t;
        uint32_t i, changed = 0, wrong = 0;
        int result, whole = 1;
        float unit = unit_of(&raw.test);
        start(&t, &averaged, &s, 0);
        pcn_pass_init(&pass, s.train.count, 10, 1);
        while (pcn_pass_next(&pass, &i))
            must(pcn_perceptron_learn(&t.m, rows_vector(&s.train, i), (int)s.train.label[i]));
        must(pcn_perceptron_final(&t.m, &m, mean, bytes));
        must(result = pcn_scaler_fold(&scaler, &m, &folded, out, bytes));
        for (i = 0; i < s.test.count; i++) {
            const int said = pcn_linear_predict(&m, rows_vector(&s.test, i));
            wrong += said != (int)s.test.label[i];
            changed += said != pcn_linear_predict(&folded, rows_vector(&raw.test, i));
        }
        printf("| %s | %.2f | %u | %d |", raw.name, 100. * wrong / s.test.count, changed, result);
        for (k = 0; k < cells; k++) whole &= raw.test.value[k] == floorf(raw.test.value[k]);
        if (whole && unit <= 1) unit = 1;
        for (k = 0; k < cells; k++) value[k] = to_int16(raw.test.value[k] / unit);
        printf(" %.2f |", wrong_in_8_bits(&s, &folded, unit, value));
        for (i = 0; i < s.test.count; i++)
            pcn_scaler_scale16(&scaler, raw.test.value + raw.test.start[i], value + (size_t)i * n);
        printf(" %.2f |", wrong_in_8_bits(&s, &m, PCN_SCALER_UNIT, value));
        if (whole) {
            must(pcn_scaler_iscale(&scaler, scale));
            for (k = 0; k < cells; k++) value[k] = to_int16(raw.test.value[k]);
            for (i = 0; i < s.test.count; i++) pcn_iscale_row(scale, n, value + (size_t)i * n, value + (size_t)i * n);
            printf(" %.2f |\n", wrong_in_8_bits(&s, &m, PCN_SCALER_UNIT, value));
        } else {
            printf(" |\n");
        }
        free(scaler.mean);
        free(mean);
        free(out);
        free(value);
        end(&t);
        free_set(&raw);
        free_set(&s);
    }
    printf("\n");
}

enum { BOUNDED, PLAIN };

/* Makes s a scaler of the plain running mean and deviation, in double: of each column n, mean and sum of squares. */
static void note_plainly(pcn_scaler *s, double (*of)[3], const float *x)
{
    const uint32_t n = s->features;
    uint32_t j;
    for (j = 0; j < n; j++) {
        const double d = (double)x[j] - of[j][1];
        of[j][0]++;
        of[j][1] += d / of[j][0];
        of[j][2] += d * ((double)x[j] - of[j][1]);
        s->mean[j] = (float)of[j][1];
        s->mean[2 * n + j] = (float)(of[j][2] / of[j][0]);
        s->mean[4 * n + j] = (float)of[j][0];
    }
}

/* Progressive errors in the 1,000 rows after the middle of a stream, in %. In the middle comes a wild row, whose values
 * are 10^4 times those of another: only the scaler notes it. */
static double after_wild_row(const set *s, const uint32_t *order, int scaling, int wild)
{
    enum { AFTER = 1000 };
    static double of[MOST_DENSE][3];
    const design arow = {"", AROW, 0, 0, 0, 0};
    const uint32_t n = s->features;
    pcn_scaler scaler = new_scaler(n);
    float row[MOST_DENSE];
    trainer t;
    uint32_t i, j, wrong = 0;
    memset(of, 0, sizeof of);
    start(&t, &arow, s, 0);
    for (i = 0; i < s->train.count / 2 + AFTER; i++) {
        const float *x = rows_vector(&s->train, order[i]).value;
        for (j = 0; i == s->train.count / 2 && wild && j < n; j++) row[j] = x[j] * 10000;
        if (i == s->train.count / 2 && wild) {
            if (scaling == PLAIN) note_plainly(&scaler, of, row);
            if (scaling == BOUNDED) must(pcn_scaler_note(&scaler, row));
        }
        if (scaling == PLAIN) note_plainly(&scaler, of, x);
        if (scaling == BOUNDED) must(pcn_scaler_note(&scaler, x));
        pcn_scaler_scale(&scaler, x, row);
        must(pcn_perceptron_learn(&t.m, pcn_dense(row, n), (int)s->train.label[order[i]]));
        wrong += i >= s->train.count / 2 && t.m.learner.guess != (int)s->train.label[order[i]];
    }
    end(&t);
    free(scaler.mean);
    return 100. * wrong / AFTER;
}

static void meet_wild_rows(const char *folder)
{
    static const char *const name[] = {"spam", "letter", "shuttle", "diamonds"};
    enum { ORDERS = 5 };
    size_t j;
    uint32_t seed;
    int k;
    printf(
        "## scaling, a wild row\n| wrong in the next 1,000 rows, %% | none | a wild row | plain running deviation: none | a wild row |\n"
        "|---|---|---|---|---|\n");
    for (j = 0; j < LENGTH(name); j++) {
        set s = read_set(folder, name[j]);
        uint32_t *order = allocate(s.train.count, sizeof *order);
        double e[4] = {0};
        for (seed = 1; seed <= ORDERS; seed++) {
            shuffle(order, s.train.count, seed);
            for (k = 0; k < 4; k++) e[k] += after_wild_row(&s, order, k / 2, k % 2) / ORDERS;
        }
        printf("| %s | %.2f | %.2f | %.2f | %.2f |\n", s.name, e[0], e[1], e[2], e[3]);
        free(order);
        free_set(&s);
    }
    printf("\n");
}

int main(int count, char **argument)
{
    if (count != 2) die(EXIT_USAGE, "give the folder of the sets");
    if (!getenv("SKIP")) follow_streams(argument[1]);
    if (!getenv("SKIP")) follow_sets(argument[1]);
    calibrate_streams(argument[1]);
    scale_streams(argument[1]);
    fold_models(argument[1]);
    meet_wild_rows(argument[1]);
    return 0;
}
