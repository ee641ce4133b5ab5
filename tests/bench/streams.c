/* What following, probabilities and scaling are worth: on streams that are made here, and on the sets of a folder.
 *
 *     build/bench_streams FOLDER      streams.py fills the folder, and makes tables of what this prints
 *
 * A line is a figure: table, row, column, value, with tabs between them. */
#include "library.h" /* rows.c calls it */
#include "labels.h"
#include "rows.h"
#include "../random.h"

#include <math.h>

enum { MOST_CLASSES = 64, MOST_DENSE = 200 }; /* sets of so many features become dense */

static void must(int result)
{
    if (result < 0) die(EXIT_INPUT, "%s", pcn_error_text(result));
}

static void put(const char *table, const char *row, const char *column, double value)
{
    printf("%s\t%s\t%s\t%.6f\n", table, row, column, value);
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
    start_random(seed);
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
    return d->count > 7500 ? 1 + 200000 / d->count : 40;
}

/* ---- Scalers ---- */

static pcn_scaler new_scaler(uint32_t features)
{
    pcn_scaler s = {allocate_zero(4 * features, sizeof(float)), allocate_zero(features, sizeof(uint32_t)), features};
    return s;
}

static void free_scaler(pcn_scaler *s)
{
    free(s->moment);
    free(s->count);
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
static void divide_rows(rows *d, const rows *train)
{
    const size_t n = d->features, own = d == train ? 0 : arrlenu(d->value);
    float most[MOST_DENSE] = {0};
    size_t k;
    for (k = 0; k < arrlenu(train->value); k++) most[k % n] = fmaxf(most[k % n], fabsf(train->value[k]));
    for (k = 0; k < (own ? own : arrlenu(d->value)); k++) d->value[k] /= most[k % n] > 0 ? most[k % n] : 1;
}

/* ---- Sets ---- */

typedef struct set {
    const char *name;
    rows train, test; /* labels in order of appearance */
    uint32_t features, scores;
} set;

static void read_rows(rows *d, labels *found, const char *path, int text)
{
    const reader_options o = {.max_features = 1 << 24, .format = text ? FORMAT_TEXT : FORMAT_LIBSVM, .text = text};
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
        free_scaler(&scaler);
    }
    if (strstr(name, " / largest")) divide_rows(&s.test, &s.train), divide_rows(&s.train, &s.train);
    s.scores = labels_count(&found) == 2 ? 1 : labels_count(&found);
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
    set s = {.name = t->name, .features = N, .scores = classes == 2 ? 1 : classes};
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
    enum { FIXED, PA, AROW, WINNOW } kind;
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
    const uint32_t n = s->features, k = s->scores, first = grows && k > 2 ? 2 : k;
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
        if (t->seen > 2 && t->seen > t->m.live.classes)
            must(pcn_perceptron_resize(&t->m, t->m.live.features, t->seen, &t->of));
    }
    return (int)t->class_of[label];
}

typedef struct errors {
    double last, said; /* by the last weights, by what predict says; % of the rows */
} errors;

/* Progressive errors, from row `from` on; a row whose label is new is wrong. With a scaler, rows are noted if it is
 * `running`, and scaled. */
static errors run(trainer *t, const rows *d, const uint32_t *order, uint32_t from, pcn_scaler *s, int running)
{
    const double part = 100. / (d->count - from);
    float scaled[MOST_DENSE];
    errors e = {0, 0};
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
        e.last += i >= from && (new || t->m.learner.guess != y) ? part : 0;
        e.said += i >= from && (new || said != y) ? part : 0;
    }
    return e;
}

static errors test(const trainer *t, const rows *d)
{
    errors e = {0, 0};
    uint32_t i;
    for (i = 0; i < d->count; i++) {
        const pcn_vec x = rows_vector(d, i);
        const int y = (int)t->class_of[d->label[i]];
        e.last += pcn_linear_predict(&t->m.live, x) != y ? 100. / d->count : 0;
        e.said += pcn_perceptron_predict(&t->m, x) != y ? 100. / d->count : 0;
    }
    return e;
}

/* ---- Following ---- */

static const design followers[] = {
    {"averaged", "last weights", FIXED, 1, 0, 0, 0},
    {"averaged, following", NULL, FIXED, 1, 1, 0, 0},
    {"PA-I, averaged, following", NULL, PA, 1, 1, 0, 0},
    {"AROW, averaged", "AROW, last weights", AROW, 1, 0, 0, 0},
    {"AROW, regrowth 0.003, averaged, following", NULL, AROW, 1, 1, 0, 0.003f},
    {"the same, one-vs-rest", NULL, AROW, 1, 1, 1, 0.003f},
};

/* Errors of all designs, progressive ones from row `from` on, or those of test rows: means over streams or orders. */
static void follow(const char *folder, const char *name, const stream *made)
{
    errors e[LENGTH(followers)] = {{0, 0}};
    set s = made ? make_stream(made, 1) : read_set(folder, name);
    const char *table = s.test.count ? "following, sets" : "following";
    const uint32_t times = made ? STREAMS : s.test.count ? orders_of(&s.train) : 1;
    uint32_t seed;
    size_t k;
    for (seed = 1; seed <= times; seed++) {
        uint32_t *order = new_order(s.train.count, s.test.count ? seed : 0);
        if (made && seed > 1) free_set(&s), s = make_stream(made, seed);
        for (k = 0; k < LENGTH(followers); k++) {
            trainer t;
            errors one;
            start(&t, &followers[k], &s, 1);
            one = run(&t, &s.train, order, made ? made->from : 0, NULL, 0);
            if (s.test.count) one = test(&t, &s.test);
            e[k].last += one.last / times;
            e[k].said += one.said / times;
            end(&t);
        }
        free(order);
    }
    for (k = 0; k < LENGTH(followers); k++) {
        if (followers[k].last) put(table, followers[k].last, s.name, e[k].last);
        put(table, followers[k].name, s.name, e[k].said);
    }
    free_set(&s);
}

/* ---- Probabilities ---- */

#define LEAST 1e-7 /* a loss counts at most as that of this probability */

/* Rows of a stream or of a test: their scores, the probabilities, and the truth. */
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

/* One more row. Returns its probabilities. */
static const float *answer(answers *a, const float *score, const pcn_calibration *c, int y)
{
    const size_t at = (size_t)a->rows * a->scores;
    memcpy(a->score + at, score, a->scores * sizeof *score);
    pcn_probabilities(c, score, a->scores, a->p + at);
    a->y[a->rows++] = y;
    return a->p + at;
}

static double log_loss(const answers *a)
{
    double sum = 0;
    uint32_t i;
    for (i = 0; i < a->rows; i++) {
        const float *p = a->p + (size_t)i * a->scores;
        const double right = a->scores > 1 ? (double)p[a->y[i]] : a->y[i] ? (double)p[0] : 1 - (double)p[0];
        sum -= log(right < LEAST ? LEAST : right) / a->rows;
    }
    return sum;
}

/* Fills p of row i by ab, in double: the logit of class k is a x_k + b o_k, where x is the score less that of the top
 * class, and o 1 for the others; of one score the classes are 0 and 1, x and o those of class 1. Returns the loss, and
 * adds its derivatives to g and h; they are 0 where it is at its most. */
static double apply(answers *a, uint32_t i, const double *ab, double *g, double *h)
{
    const float *score = a->score + (size_t)i * a->scores;
    const int count = a->scores == 1 ? 2 : (int)a->scores, y = a->y[i];
    const int top = a->scores == 1 ? 0 : pcn_decide(score, a->scores, 0);
    double x[MOST_CLASSES] = {0}, q[MOST_CLASSES] = {0}, most = 0, sum = 0, mx = 0, mo;
    int k;
    for (k = 0; k < count; k++) {
        x[k] = a->scores > 1 ? (double)score[k] - (double)score[top] : k ? (double)score[0] : 0;
        q[k] = ab[0] * x[k] + (k == top ? 0 : ab[1]);
        if (q[k] > most) most = q[k];
    }
    for (k = 0; k < count; k++) sum += q[k] = exp(q[k] - most);
    for (k = 0; k < count; k++) mx += (q[k] /= sum) * x[k];
    for (k = 0; k < (int)a->scores; k++) a->p[(size_t)i * a->scores + (uint32_t)k] = (float)q[a->scores == 1 ? 1 : k];
    if (q[y] < LEAST) return -log(LEAST);
    mo = 1 - q[top];
    for (k = 0; k < count; k++) h[0] += q[k] * (x[k] - mx) * (x[k] - mx);
    h[1] += mx * (1 - mo);
    h[2] += mo * (1 - mo);
    g[0] += mx - x[y];
    g[1] += mo - (y != top);
    return -log(q[y]);
}

/* Newton steps from ab on, halved until the loss falls. Returns the least loss; p is that of the last step. */
static double descend(answers *a, double *ab)
{
    double at[2] = {ab[0], ab[1]}, step[2] = {0, 0}, least = HUGE_VAL;
    uint32_t i, rounds;
    for (rounds = 0; rounds < 60; rounds++) {
        double g[2] = {0, 0}, h[3] = {0, 0, 0}, loss = 0, det, fell = least;
        for (i = 0; i < a->rows; i++) loss += apply(a, i, at, g, h);
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
    return least;
}

/* The probabilities become those of the best a and b for all rows: found from 0, and from those of the stream on. */
static void fit_in_hindsight(answers *a, const pcn_calibration *c)
{
    double ab[2][2] = {{0, 0}, {(double)c->a, (double)c->b}}, g[2], h[3];
    const double first = descend(a, ab[0]), *best = descend(a, ab[1]) < first ? ab[1] : ab[0];
    uint32_t i;
    for (i = 0; i < a->rows; i++) apply(a, i, best, g, h);
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

/* Expected calibration error: of class 1, or of the class with the highest score; 15 bins of equally many rows. */
static double calibration_error(const answers *a)
{
    enum { BINS = 15 };
    sure *of = allocate(a->rows, sizeof *of);
    double error = 0, gap;
    uint32_t i, bin;
    for (i = 0; i < a->rows; i++) {
        const size_t at = (size_t)i * a->scores;
        const int top = a->scores == 1 ? 1 : pcn_decide(a->score + at, a->scores, 0);
        of[i] = (sure){a->p[at + (a->scores == 1 ? 0 : (uint32_t)top)], a->y[i] == top};
    }
    qsort(of, a->rows, sizeof *of, less_sure);
    for (bin = 0, i = 0; bin < BINS; bin++) {
        for (gap = 0; i < (uint64_t)a->rows * (bin + 1) / BINS; i++) gap += (double)of[i].p - of[i].right;
        error += fabs(gap) / a->rows;
    }
    free(of);
    return error;
}

static int16_t to_int16(float x)
{
    return (int16_t)lrintf(fmaxf(fminf(x, 32767), -32768));
}

/* What a feature of 1 is worth in int16: 1 if all values are whole numbers, otherwise as little as all allow. */
static float unit_of(const rows *d)
{
    float most = 0;
    int whole = 1;
    size_t k;
    for (k = 0; k < arrlenu(d->value); k++) {
        most = fmaxf(most, fabsf(d->value[k]));
        whole &= d->value[k] == floorf(d->value[k]);
    }
    return whole && most <= 32767 ? 1 : most / 32767;
}

/* The log-loss of the test rows, of a model in floats (q NULL) or of q in 8 bits, whose scores are of `one`. */
static double test_loss(const set *s, const pcn_linear *m, const pcn_ilinear *q, float one, const pcn_calibration *c)
{
    answers a = new_answers(s->test.count, s->scores);
    const float unit = unit_of(&s->test);
    int16_t *value = allocate(s->features, sizeof *value);
    float score[MOST_CLASSES];
    int64_t whole[MOST_CLASSES];
    double loss;
    uint32_t i, j;
    for (i = 0; i < s->test.count; i++) {
        const pcn_vec x = rows_vector(&s->test, i);
        for (j = 0; j < x.count; j++) value[j] = to_int16(x.value[j] / unit);
        pcn_linear_scores(m, x, score);
        if (q) pcn_ilinear_scores(q, pcn_isparse(x.index, value, x.count), whole);
        for (j = 0; q && j < s->scores; j++) score[j] = (float)whole[j] * one;
        answer(&a, score, c, (int)s->test.label[i]);
    }
    loss = log_loss(&a);
    free_answers(&a);
    free(value);
    return loss;
}

static void calibrate_8_bits(const set *s, const trainer *t, const pcn_calibration *c)
{
    size_t bytes, q_bytes;
    float *out = new_floats(PCN_LINEAR_FLOATS(s->features, s->scores), &bytes), one;
    int32_t *memory = (int32_t *)new_floats(PCN_ILINEAR_NUMBERS(s->features, s->scores, 8), &q_bytes);
    pcn_linear m;
    pcn_ilinear q;
    must(pcn_perceptron_final(&t->m, &m, out, bytes));
    must(pcn_ilinear_quantize(&q, &m, 8, unit_of(&s->test), &one, memory, q_bytes));
    put("8 bits", "floats", s->name, test_loss(s, &m, NULL, 0, c));
    put("8 bits", "8 bits", s->name, test_loss(s, &m, &q, one, c));
    free(out);
    free(memory);
}

static const design models[] = {
    {"last weights", NULL, FIXED, 0, 0, 0, 0},
    {"averaged", NULL, FIXED, 1, 0, 0, 0},
    {"averaged, following", NULL, FIXED, 1, 1, 0, 0},
    {"PA-I", NULL, PA, 0, 0, 0, 0},
    {"PA-I, averaged", NULL, PA, 1, 0, 0, 0},
    {"AROW", NULL, AROW, 0, 0, 0, 0},
    {"Winnow", NULL, WINNOW, 0, 0, 0, 0},
};

/* Every row is predicted, calibrates and is learned, in this order. The second half counts. */
static void calibrate(const char *folder, const char *name, const stream *made)
{
    set s = made ? make_stream(made, 1) : read_set(folder, name);
    uint32_t i, *order = new_order(s.train.count, !made && strcmp(name, "debstream") != 0);
    size_t k;
    for (k = 0; k < LENGTH(models); k++) {
        answers a = new_answers(s.train.count, s.scores);
        pcn_calibration c = {0};
        float score[MOST_CLASSES];
        trainer t;
        start(&t, &models[k], &s, 0);
        for (i = 0; i < s.train.count; i++) {
            const pcn_vec x = rows_vector(&s.train, order[i]);
            const int y = (int)s.train.label[order[i]];
            if (i == s.train.count / 2) a.rows = 0;
            pcn_perceptron_scores(&t.m, x, score);
            must(pcn_calibrate(&c, score, s.scores, answer(&a, score, &c, y), y));
            must(pcn_perceptron_learn(&t.m, x, y));
        }
        if (k == 0) put("shape", s.name, "scores", s.scores), put("shape", s.name, "rows", a.rows);
        put("loss", s.name, models[k].name, log_loss(&a));
        put("error", s.name, models[k].name, calibration_error(&a));
        fit_in_hindsight(&a, &c);
        put("loss in hindsight", s.name, models[k].name, log_loss(&a));
        put("error in hindsight", s.name, models[k].name, calibration_error(&a));
        if (s.test.count && models[k].follows) calibrate_8_bits(&s, &t, &c);
        free_answers(&a);
        end(&t);
    }
    free(order);
    free_set(&s);
}

/* ---- Scaling ---- */

/* Progressive errors without a scaler, with that of all rows, and with a running one. */
static void scale_stream(const char *folder, const char *name)
{
    static const design of[] = {{"AROW", NULL, AROW, 0, 0, 0, 0}, {"averaged", NULL, FIXED, 1, 0, 0, 0}};
    static const char *const how[] = {"raw", "fixed", "running"};
    set s = read_set(folder, name);
    const uint32_t orders = orders_of(&s.train);
    uint32_t seed;
    size_t k, h;
    for (k = 0; k < LENGTH(of); k++)
        for (h = 0; h < LENGTH(how); h++) {
            double wrong = 0;
            char column[99];
            for (seed = 1; seed <= orders; seed++) {
                uint32_t *order = new_order(s.train.count, seed);
                pcn_scaler scaler = h == 1 ? scaler_of(&s.train) : new_scaler(s.features);
                trainer t;
                start(&t, &of[k], &s, 1);
                wrong += run(&t, &s.train, order, 0, h ? &scaler : NULL, h == 2).said / orders;
                end(&t);
                free_scaler(&scaler);
                free(order);
            }
            snprintf(column, sizeof column, "%s, %s", of[k].name, how[h]);
            put("scaling, streams", s.name, column, wrong);
        }
    free_set(&s);
}

/* % of the test rows that a model of 8 bits has wrong; value: all rows, in whole units. */
static double wrong_in_8_bits(const set *s, const pcn_linear *m, float unit, const int16_t *value)
{
    size_t bytes;
    int32_t *memory = (int32_t *)new_floats(PCN_ILINEAR_NUMBERS(s->features, s->scores, 8), &bytes);
    const uint32_t n = s->features;
    pcn_ilinear q;
    double wrong = 0;
    uint32_t i;
    must(pcn_ilinear_quantize(&q, m, 8, unit, NULL, memory, bytes));
    for (i = 0; i < s->test.count; i++)
        wrong += pcn_ilinear_predict(&q, pcn_idense(value + (size_t)i * n, n)) != (int)s->test.label[i];
    free(memory);
    return 100 * wrong / s->test.count;
}

/* An averaged model that has learned scaled rows in ten epochs: folded, and in 8 bits. */
static void fold_model(const char *folder, const char *name)
{
    const design averaged = {"", NULL, FIXED, 1, 0, 0, 0};
    set raw = read_set(folder, name), s = read_set(folder, name);
    const uint32_t n = s.features;
    const size_t cells = (size_t)n * s.test.count;
    const float unit = unit_of(&raw.test);
    pcn_scaler scaler = scaler_of(&raw.train);
    size_t bytes, k;
    float *mean = new_floats(PCN_LINEAR_FLOATS(n, s.scores), &bytes), *out = new_floats(bytes / sizeof(float), &bytes);
    int16_t *value = allocate(cells, sizeof *value);
    pcn_icolumn column[MOST_DENSE];
    pcn_linear m, folded;
    pcn_pass pass;
    trainer t;
    uint32_t i, changed = 0, wrong = 0;
    int told;
    scale_rows(&s.train, &scaler);
    scale_rows(&s.test, &scaler);
    start(&t, &averaged, &s, 0);
    pcn_pass_init(&pass, s.train.count, 10, 1);
    while (pcn_pass_next(&pass, &i)) must(pcn_perceptron_learn(&t.m, rows_vector(&s.train, i), (int)s.train.label[i]));
    must(pcn_perceptron_final(&t.m, &m, mean, bytes));
    must(told = pcn_scaler_fold(&scaler, &m, &folded, out, bytes));
    for (i = 0; i < s.test.count; i++) {
        const int said = pcn_linear_predict(&m, rows_vector(&s.test, i));
        wrong += said != (int)s.test.label[i];
        changed += said != pcn_linear_predict(&folded, rows_vector(&raw.test, i));
    }
    put("scaling, models", name, "floats", 100. * wrong / s.test.count);
    put("scaling, models", name, "changed", changed);
    put("scaling, models", name, "told", told);
    for (k = 0; k < cells; k++) value[k] = to_int16(raw.test.value[k] / unit);
    put("scaling, models", name, "folded, 8 bits", wrong_in_8_bits(&s, &folded, unit, value));
    if (unit == 1) {
        must(pcn_scaler_integers(&scaler, column));
        for (i = 0; i < s.test.count; i++) pcn_icolumns_scale(column, n, value + i * n, value + i * n);
        put("scaling, models", name, "8 bits, without floats", wrong_in_8_bits(&s, &m, PCN_SCALER_UNIT, value));
    }
    for (i = 0; i < s.test.count; i++) pcn_scaler_scale16(&scaler, raw.test.value + i * n, value + i * n);
    put("scaling, models", name, "8 bits", wrong_in_8_bits(&s, &m, PCN_SCALER_UNIT, value));
    free_scaler(&scaler);
    free(mean);
    free(out);
    free(value);
    end(&t);
    free_set(&raw);
    free_set(&s);
}

/* Makes s a scaler of the plain mean and deviation so far, in double: of[j] has n, mean and sum of squares. */
static void note_plainly(pcn_scaler *s, double (*of)[3], const float *x)
{
    const uint32_t n = s->features;
    uint32_t j;
    for (j = 0; j < n; j++) {
        const double d = (double)x[j] - of[j][1];
        of[j][1] += d / ++of[j][0];
        of[j][2] += d * ((double)x[j] - of[j][1]);
        s->moment[j] = (float)of[j][1];
        s->moment[2 * n + j] = (float)(of[j][2] / of[j][0]);
        s->count[j]++;
    }
}

/* Progressive errors of AROW in the 1,000 rows behind the middle of a stream, in %. In the middle may come a wild row,
 * all values of a row times 10^4, which only the scaler notes. */
static double after_wild_row(const set *s, const uint32_t *order, int plain, int wild)
{
    enum { AFTER = 1000 };
    const design arow = {"", NULL, AROW, 0, 0, 0, 0};
    const uint32_t n = s->features, middle = s->train.count / 2;
    double of[MOST_DENSE][3] = {{0}}, wrong = 0;
    pcn_scaler scaler = new_scaler(n);
    float row[MOST_DENSE];
    trainer t;
    uint32_t i, j;
    start(&t, &arow, s, 0);
    for (i = 0; i < middle + AFTER; i++) {
        const float *x = rows_vector(&s->train, order[i]).value;
        int notes;
        for (notes = wild && i == middle; notes >= 0; notes--) { /* the wild row first */
            for (j = 0; j < n; j++) row[j] = x[j] * (notes ? 10000 : 1);
            if (plain) note_plainly(&scaler, of, row);
            if (!plain) must(pcn_scaler_note(&scaler, row));
        }
        pcn_scaler_scale(&scaler, x, row);
        must(pcn_perceptron_learn(&t.m, pcn_dense(row, n), (int)s->train.label[order[i]]));
        wrong += i >= middle && t.m.learner.guess != (int)s->train.label[order[i]];
    }
    end(&t);
    free_scaler(&scaler);
    return 100 * wrong / AFTER;
}

static void meet_wild_row(const char *folder, const char *name)
{
    static const char *const column[] = {"none", "one", "plain, none", "plain, one"};
    enum { ORDERS = 5 };
    set s = read_set(folder, name);
    double wrong[LENGTH(column)] = {0};
    uint32_t seed;
    int k;
    for (seed = 1; seed <= ORDERS; seed++) {
        uint32_t *order = new_order(s.train.count, seed);
        for (k = 0; k < 4; k++) wrong[k] += after_wild_row(&s, order, k / 2, k % 2) / ORDERS;
        free(order);
    }
    for (k = 0; k < 4; k++) put("scaling, a wild row", s.name, column[k], wrong[k]);
    free_set(&s);
}

/* ---- All of them ---- */

static const char *const stationary[] = {
    "letter",    "spam", "digits",          "agaricus",       "sms",     "sms.tfidf",
    "rcv1small", "ewt",  "diamonds scaled", "shuttle scaled", "shuttle", "diamonds"};
static const char *const calibrated[] = {
    "sms",
    "sms.tfidf",
    "spam",
    "agaricus",
    "rcv1small",
    "heart",
    "sonar",
    "letter / largest",
    "shuttle / largest",
    "vehicle / largest",
    "digits",
    "diamonds scaled",
    "ewt",
    "debstream",
    "debstream shuffled",
    "letter",
    "shuttle"};
static const char *const tables[] = {"vehicle", "sonar", "heart", "spam", "digits", "letter", "shuttle", "diamonds"};

int main(int count, char **argument)
{
    const char *folder = argument[1];
    size_t j;
    if (count != 2) die(EXIT_USAGE, "give the folder of the sets");
    for (j = 0; j < LENGTH(streams); j++) follow(folder, NULL, &streams[j]);
    follow(folder, "debstream", NULL);
    for (j = 0; j < LENGTH(stationary); j++) follow(folder, stationary[j], NULL);
    calibrate(folder, NULL, &streams[0]); /* mild */
    calibrate(folder, NULL, &streams[LENGTH(streams) - 1]);
    for (j = 0; j < LENGTH(calibrated); j++) calibrate(folder, calibrated[j], NULL);
    for (j = 0; j < LENGTH(tables); j++) scale_stream(folder, tables[j]);
    for (j = 0; j < LENGTH(tables); j++) fold_model(folder, tables[j]);
    for (j = 3; j < LENGTH(tables); j++) /* the larger ones */
        if (j != 4) meet_wild_row(folder, tables[j]);
    return 0;
}
