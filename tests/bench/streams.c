/* What following, probabilities and scaling are worth: on streams that are made here, and on the sets of a folder.
 *
 *     build/bench_streams FOLDER      streams.py fills the folder, and makes tables of what this prints
 *
 * A line is a figure: table, row, column, value, with tabs between them. */
#include "library.h" /* rows.c calls it */
#include "streams.h"

static void put(const char *table, const char *row, const char *column, double value)
{
    printf("%s\t%s\t%s\t%.6f\n", table, row, column, value);
}

/* ---- Errors ---- */

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
    {"averaged", "last weights", PERCEPTRON, 1, 0, 0, 0},
    {"averaged, following", NULL, PERCEPTRON, 1, 1, 0, 0},
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
    uint32_t rows, classes, scores;
    float *score, *p; /* scores and classes of them for each row */
    int *y;
} answers;

static answers new_answers(uint32_t most, uint32_t classes)
{
    const uint32_t scores = PCN_SCORES(classes);
    answers a = {0,
                 classes,
                 scores,
                 allocate((size_t)most * scores, sizeof(float)),
                 allocate((size_t)most * classes, sizeof(float)),
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
    float *p = a->p + (size_t)a->rows * a->classes;
    memcpy(a->score + (size_t)a->rows * a->scores, score, a->scores * sizeof *score);
    must(pcn_probabilities(c, score, a->classes, p));
    a->y[a->rows++] = y;
    return p;
}

static double log_loss(const answers *a)
{
    double sum = 0;
    uint32_t i;
    for (i = 0; i < a->rows; i++) {
        const float *p = a->p + (size_t)i * a->classes;
        const double right = a->scores == 1 && a->y[i] == 0 ? 1 - (double)p[1] : (double)p[a->y[i]];
        sum -= log(right < LEAST ? LEAST : right) / a->rows;
    }
    return sum;
}

/* The log-loss of the rows by c, whose probabilities p becomes. */
static double loss_by(answers *a, const pcn_calibration *c)
{
    uint32_t i;
    for (i = 0; i < a->rows; i++)
        must(pcn_probabilities(c, a->score + (size_t)i * a->scores, a->classes, a->p + (size_t)i * a->classes));
    return log_loss(a);
}

/* The probabilities become those of the best a, b and c for all rows: found from those of the stream on, by steps in
 * one of them that are halved when none helps. */
static void fit_in_hindsight(answers *a, const pcn_calibration *from)
{
    pcn_calibration best = *from;
    double least = loss_by(a, &best), step = 1;
    while (step > 0.01) {
        const double before = least;
        int k;
        for (k = 0; k < 6; k++) {
            const float by = (float)(k % 2 ? step : -step);
            pcn_calibration c = best;
            double loss;
            if (k / 2 == 0) c.a *= expf(by);
            if (k / 2 == 1) c.b += by;
            if (k / 2 == 2) c.c = fmaxf(c.c + by, 0);
            loss = loss_by(a, &c);
            if (loss >= least) continue;
            best = c;
            least = loss;
        }
        if (before - least < 1e-6 * least) step /= 2;
    }
    loss_by(a, &best);
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
        const int top = a->scores == 1 ? 1 : pcn_decide(a->score + (size_t)i * a->scores, a->scores, 0);
        of[i] = (sure){a->p[(size_t)i * a->classes + (uint32_t)top], a->y[i] == top};
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
    answers a = new_answers(s->test.count, s->classes);
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
        for (j = 0; q && j < a.scores; j++) score[j] = (float)whole[j] * one;
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
    float *out = new_floats(PCN_LINEAR_FLOATS(s->features, s->classes), &bytes), one;
    int32_t *memory = (int32_t *)new_floats(PCN_ILINEAR_NUMBERS(s->features, s->classes, 8), &q_bytes);
    pcn_linear m;
    pcn_ilinear q;
    must(pcn_perceptron_final(&t->m, &m, out, bytes));
    must(pcn_ilinear_quantize(&q, &m, 8, unit_of(&s->test), &one, memory, q_bytes));
    put("8 bits", s->name, "floats", test_loss(s, &m, NULL, 0, c));
    put("8 bits", s->name, "8 bits", test_loss(s, &m, &q, one, c));
    free(out);
    free(memory);
}

static const design models[] = {
    {"last weights", NULL, PERCEPTRON, 0, 0, 0, 0},
    {"averaged", NULL, PERCEPTRON, 1, 0, 0, 0},
    {"averaged, following", NULL, PERCEPTRON, 1, 1, 0, 0},
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
        answers a = new_answers(s.train.count, s.classes);
        pcn_calibration c;
        float score[MOST_CLASSES];
        trainer t;
        start(&t, &models[k], &s, 0);
        pcn_calibration_init(&c);
        for (i = 0; i < s.train.count; i++) {
            const pcn_vec x = rows_vector(&s.train, order[i]);
            const int y = (int)s.train.label[order[i]];
            if (i == s.train.count / 2) a.rows = 0;
            pcn_perceptron_scores(&t.m, x, score);
            must(pcn_calibrate(&c, score, s.classes, answer(&a, score, &c, y), y));
            must(pcn_perceptron_learn(&t.m, x, y));
        }
        if (k == 0) put("shape", s.name, "classes", s.classes), put("shape", s.name, "rows", a.rows);
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
    static const design of[] = {{"AROW", NULL, AROW, 0, 0, 0, 0}, {"averaged", NULL, PERCEPTRON, 1, 0, 0, 0}};
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
                free(scaler.moment);
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
    int32_t *memory = (int32_t *)new_floats(PCN_ILINEAR_NUMBERS(s->features, s->classes, 8), &bytes);
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
    const design averaged = {"", NULL, PERCEPTRON, 1, 0, 0, 0};
    set raw = read_set(folder, name), s = read_set(folder, name);
    const uint32_t n = s.features;
    const size_t cells = (size_t)n * s.test.count;
    const float unit = unit_of(&raw.test);
    pcn_scaler scaler = scaler_of(&raw.train);
    size_t bytes, k;
    float *mean = new_floats(PCN_LINEAR_FLOATS(n, s.classes), &bytes), *out = new_floats(bytes / sizeof(float), &bytes);
    int16_t *value = allocate(cells, sizeof *value);
    pcn_icolumn column[MOST_DENSE];
    pcn_linear m, folded;
    pcn_pass pass;
    trainer t;
    uint32_t i, changed = 0, wrong = 0;
    scale_rows(&s.train, &scaler);
    scale_rows(&s.test, &scaler);
    start(&t, &averaged, &s, 0);
    pcn_pass_init(&pass, s.train.count, 10, 1);
    while (pcn_pass_next(&pass, &i)) must(pcn_perceptron_learn(&t.m, rows_vector(&s.train, i), (int)s.train.label[i]));
    must(pcn_perceptron_final(&t.m, &m, mean, bytes));
    must(pcn_scaler_fold(&scaler, &m, &folded, out, bytes));
    for (i = 0; i < s.test.count; i++) {
        const int said = pcn_linear_predict(&m, rows_vector(&s.test, i));
        wrong += said != (int)s.test.label[i];
        changed += said != pcn_linear_predict(&folded, rows_vector(&raw.test, i));
    }
    put("scaling, models", name, "floats", 100. * wrong / s.test.count);
    put("scaling, models", name, "changed", changed);
    put("scaling, models", name, "told", pcn_scaler_doubts(&scaler));
    for (k = 0; k < cells; k++) value[k] = to_int16(raw.test.value[k] / unit);
    put("scaling, models", name, "folded, 8 bits", wrong_in_8_bits(&s, &folded, unit, value));
    if (unit == 1) {
        must(pcn_scaler_integers(&scaler, column));
        for (i = 0; i < s.test.count; i++) pcn_icolumns_scale(column, n, value + i * n, value + i * n);
        put("scaling, models", name, "8 bits, without floats", wrong_in_8_bits(&s, &m, PCN_SCALER_UNIT, value));
    }
    for (i = 0; i < s.test.count; i++) pcn_scaler_scale16(&scaler, raw.test.value + i * n, value + i * n);
    put("scaling, models", name, "8 bits", wrong_in_8_bits(&s, &m, PCN_SCALER_UNIT, value));
    free(scaler.moment);
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
        s->moment[4 * n + j]++;
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
    free(scaler.moment);
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
