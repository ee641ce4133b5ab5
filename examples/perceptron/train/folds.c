#include "folds.h"

#include <math.h>

enum { FIFTHS = 5, CALIBRATED = 4096 /* rows, at which pcn_calibration stops to count */ };

uint32_t *draw_folds(const settings *s, uint32_t count)
{
    uint32_t *fold_of = allocate(count, sizeof *fold_of), i, row;
    pcn_pass draw;
    pcn_pass_init(&draw, count, 1, s->seed);
    for (i = 0; pcn_pass_next(&draw, &row); i++) fold_of[row] = i % s->folds;
    return fold_of;
}

rows draw_rows(const rows *all, uint32_t most, uint32_t seed)
{
    uint32_t count = all->count < most ? all->count : most, row, i;
    uint8_t *chosen = allocate_zero(all->count, 1);
    rows drawn;
    pcn_pass draw;
    pcn_pass_init(&draw, all->count, 1, seed);
    while (count-- && pcn_pass_next(&draw, &row)) chosen[row] = 1;
    rows_init(&drawn);
    for (i = 0; i < all->count; i++)
        if (chosen[i]) rows_copy(&drawn, all, i);
    drawn.features = all->features;
    free(chosen);
    return drawn;
}

static void split_rows(const rows *all, const uint32_t *fold_of, uint32_t number, rows *data, rows *test)
{
    uint32_t i;
    rows_init(data);
    rows_init(test);
    for (i = 0; i < all->count; i++)
        if (fold_of[i] != NO_FOLD) rows_copy(fold_of[i] == number ? test : data, all, i);
    data->features = test->features = all->features;
}

/* In a drawn order: rows may be sorted by label. */
static void calibrate(const training *of, const model *m, const rows *test, uint32_t seed)
{
    pcn_pass draw;
    uint32_t row;
    pcn_pass_init(&draw, test->count, 1, seed);
    while (pcn_pass_next(&draw, &row)) {
        const pcn_vec x = rows_vector(test, row);
        model_scores(m, &x, 1, m->score);
        model_calibrate(of->m, m->score, test->label[row]);
        if (of->scored) fit_add(of->scored, test->label[row], pcn_norm2(x), m->score);
    }
}

typedef struct marking {
    const model *m;
    const rows *test;
    const uint32_t *row; /* its number among all */
    const answers *to;
    uint32_t errors;
} marking;

static int mark_answer(void *context, uint32_t row, const float *score)
{
    marking *k = context;
    const uint32_t class = model_class(k->m, score), units = model_units(k->m);
    k->errors += class != k->test->label[row];
    if (k->to) k->to->class[k->row[row]] = class;
    if (k->to && k->to->norm2) k->to->norm2[k->row[row]] = pcn_norm2(rows_vector(k->test, row));
    if (k->to && k->to->score) memcpy(k->to->score + (size_t)k->row[row] * units, score, units * sizeof *score);
    return 1;
}

/* Predicts the rows of a fold, and returns the errors. */
static uint32_t test_fold(const model *m, const rows *test, const uint32_t *fold_of, uint32_t number, const answers *to)
{
    uint32_t *row = allocate(test->count ? test->count : 1, sizeof *row), n = 0, i;
    marking marked = {m, test, row, to, 0};
    for (i = 0; n < test->count; i++)
        if (fold_of[i] == number) row[n++] = i;
    model_score_rows(m, test, mark_answer, &marked);
    free(row);
    return marked.errors;
}

void fold_model_free(fold_model *f)
{
    if (!f->m.kind) return;
    training_free(&f->t);
    model_free_learned(&f->m);
    f->m.kind = NULL;
}

static int is_wanted(model *m, const fold_model *last)
{
    if (!interrupted) return last != NULL;
    return last && !last->m.kind && model_learner(m)->count.rows > 0;
}

int learn_fold(const training *of, const rows *all, const uint32_t *fold_of, uint32_t number, output *models,
               fold *result, const answers *to, fold_model *last)
{
    const settings *s = of->s;
    training t = *of;
    model m = *of->m;
    rows data, test;
    t.m = &m;
    split_rows(all, fold_of, number, &data, &test);
    m.document_frequency = NULL;
    if (arrlenu(of->m->document_frequency))
        memcpy(arraddnptr(m.document_frequency, arrlenu(of->m->document_frequency)), of->m->document_frequency,
               arrlenu(of->m->document_frequency) * sizeof *m.document_frequency);
    make_weights(&m, s, data.features);
    prepare_rows(&m, s, &data, &t.held_out);
    if (m.fill) rows_fill(&test, m.fill);
    model_normalize_rows(&m, &test);
    training_start(&t, &data);
    training_begin(&t);
    learn_collected(&t);
    if (!t.given_up) {
        model_use(&m, training_kept(&t));
        result->rows = test.count;
        result->errors = test_fold(&m, &test, fold_of, number, to);
        if (s->probabilities && (!last || is_wanted(&m, last))) calibrate(of, &m, &test, s->seed);
        result->bytes = models ? model_save(&m, training_kept(&t), models) : 0;
    }
    if (is_wanted(&m, last)) {
        fold_model_free(last);
        last->m = m;
        last->t = t;
    } else {
        training_free(&t);
        model_free_learned(&m);
    }
    rows_free(&data);
    rows_free(&test);
    return !t.given_up;
}

static double accuracy(const fold *f)
{
    return 1 - (double)f->errors / f->rows;
}

spread spread_of(const fold *folds, uint32_t count)
{
    spread s = {0, 0, 0};
    uint32_t k;
    for (k = 0; k < count; k++) {
        s.mean += accuracy(&folds[k]) / count;
        s.errors += folds[k].errors;
    }
    for (k = 0; k < count; k++) s.deviation += pow(accuracy(&folds[k]) - s.mean, 2) / (count - 1);
    s.deviation = sqrt(s.deviation);
    return s;
}

static void print_fold(const fold *f, uint32_t number)
{
    printf("fold %2lu: %8.4f %% (%lu errors in %lu rows)\n", (unsigned long)number, 100 * accuracy(f),
           (unsigned long)f->errors, (unsigned long)f->rows);
    fflush(stdout);
}

void check_folds(const training *t, const rows *all)
{
    const settings *s = t->s;
    label_order order = {0, 0, NULL};
    if (s->folds > all->count)
        die(EXIT_USAGE, "--folds %lu of %lu rows leaves folds empty", (unsigned long)s->folds,
            (unsigned long)all->count);
    if (t->order == PCN_ORDER_FILE) note_order(&order, all);
    if (!s->quiet) {
        advise_on_labels(t->m, all->count);
        advise_on_values(t->m, all);
        advise_on_order(&order, t->m, all->count);
    }
    arrfree(order.count);
}

typedef void fold_learned(const fold *f, uint32_t number); /* number: from 1 */

static fold *learn_folds(const training *t, const options *o, const rows *all, fold_learned *learned, fold_model *last)
{
    const uint32_t count = t->s->folds;
    settings quiet = *t->s;
    training each = *t;
    fold *folds = allocate(count, sizeof *folds);
    float *label_weight;
    uint32_t k, *fold_of;
    check_folds(t, all);
    quiet.quiet = 1;
    each.s = &quiet;
    each.label_weight = label_weight = label_weights(t->m, t->s, o, 1, all);
    fold_of = draw_folds(t->s, all->count);
    for (k = 0; k < count && t->m->calibration.rows < CALIBRATED && !interrupted; k++) {
        learn_fold(&each, all, fold_of, k, NULL, &folds[k], NULL, last);
        if (learned) learned(&folds[k], k + 1);
    }
    free(label_weight);
    free(fold_of);
    return folds;
}

int can_fit(const model *m, const settings *s)
{
    return model_can(m, CAN_BE_WEIGHTS) && !model_can(m, CAN_ALPHA) && !settings_weigh(s) && s->shards < 2;
}

void calibrate_on_fifths(const training *t, const options *o, const rows *all, fold_model *last)
{
    settings s = *t->s;
    fit_rows scored = {model_units(t->m), NULL};
    const training each = {
        .s = &s, .m = t->m, .order = t->order, .shards = t->shards, .scored = can_fit(t->m, t->s) ? &scored : NULL};
    const uint32_t need = (uint32_t)((FIFTHS * CALIBRATED + all->count - 1) / all->count);
    s.folds = all->count < FIFTHS ? all->count : FIFTHS;
    if (!s.quiet)
        fprintf(stderr,
                "probabilities: rows are scored by models without a fifth of them first, %.1f trainings in all\n",
                1 + 0.8 * (need < FIFTHS ? need : FIFTHS));
    s.quiet = 1;
    free(learn_folds(&each, o, all, NULL, last));
    if (each.scored && !interrupted) t->m->fit = fit_make(&scored);
}

void cross_validate(const training *t, const options *o, const rows *all, double began)
{
    const settings *s = t->s;
    fold *folds = learn_folds(t, o, all, s->json ? NULL : print_fold, NULL);
    const spread found = spread_of(folds, s->folds);
    say to = say_to(stdout, s->json);
    json *j = &to.j;
    uint32_t k;
    json_text(j, "algorithm", t->m->kind->name);
    json_count(j, "rows", all->count);
    json_count(j, "features", all->features);
    json_count(j, "classes", labels_count(&t->m->labels));
    json_open(j, "folds", '[');
    for (k = 0; k < s->folds; k++) {
        json_open(j, NULL, '{');
        json_count(j, "rows", folds[k].rows);
        json_count(j, "errors", folds[k].errors);
        json_number(j, "accuracy", accuracy(&folds[k]));
        json_close(j, '}');
    }
    json_close(j, ']');
    json_count(j, "errors", found.errors);
    json_open(j, "accuracy", '{');
    json_number(j, "mean", found.mean);
    json_number(j, "deviation", found.deviation);
    json_close(j, '}');
    say_line(&to, "mean accuracy %.4f %%, standard deviation %.4f %%; %lu errors in %lu rows\n", 100 * found.mean,
             100 * found.deviation, (unsigned long)found.errors, (unsigned long)all->count);
    json_seconds(j, "seconds", seconds() - began);
    say_end(&to);
    free(folds);
}
