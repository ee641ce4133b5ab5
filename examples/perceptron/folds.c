/* train --folds: K trainings, each on the rows outside a fold, tested on those in it. The i-th row (from 0) in the
 * order that a pcn_pass of one epoch draws from --seed is in fold i mod K. Rows keep the order of the file. Labels
 * and features are those of all rows; whatever else is found from rows is found from those outside the fold. */
#include "train.h"

#include <math.h>

typedef struct fold {
    uint32_t rows, errors;
} fold;

static uint32_t *draw_folds(const run *r)
{
    uint32_t *fold_of = allocate(r->data.count, sizeof *fold_of), i, row;
    pcn_pass draw;
    pcn_pass_init(&draw, r->data.count, 1, r->s.seed);
    for (i = 0; pcn_pass_next(&draw, &row); i++) fold_of[row] = i % r->s.folds;
    return fold_of;
}

static void split_rows(run *f, const rows *all, const uint32_t *fold_of, uint32_t number)
{
    uint32_t i;
    rows_init(&f->data);
    rows_init(&f->test);
    for (i = 0; i < all->count; i++) {
        pcn_vec x = rows_vector(all, i);
        rows_add(fold_of[i] == number ? &f->test : &f->data, &x, all->label[i]);
    }
    f->data.features = f->test.features = all->features;
}

static void free_fold(run *f)
{
    model_free_learned(&f->m);
    rows_free(&f->data);
    rows_free(&f->held_out);
    rows_free(&f->test);
    arrfree(f->epochs);
    free(f->class_weight);
    free(f->kept_memory);
}

/* r: with all rows, and a model without weights. */
static fold run_fold(const run *r, const uint32_t *fold_of, uint32_t number)
{
    run f = *r;
    fold result;
    f.s.quiet = 1;
    split_rows(&f, &r->data, fold_of, number);
    start_weights(&f);
    prepare_rows(&f);
    rows_fill(&f.test, f.m.fill);
    model_normalize_rows(&f.m, &f.test);
    learn_collected(&f);
    model_use(&f.m, f.kept.weight ? &f.kept : NULL);
    result.rows = f.test.count;
    result.errors = model_errors(&f.m, &f.test, UINT32_MAX);
    free_fold(&f);
    return result;
}

static double accuracy(const fold *f)
{
    return 1 - (double)f->errors / f->rows;
}

typedef struct spread {
    double mean, deviation; /* of a sample: divided by K - 1 */
    uint32_t errors;
} spread;

static spread spread_of(const fold *folds, uint32_t count)
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

static void print_folds_json(const run *r, const fold *folds, const spread *s)
{
    uint32_t k;
    printf("{\"algorithm\": \"%s\", \"rows\": %lu, \"features\": %lu, \"classes\": %lu, \"folds\": [", r->m.kind->name,
           (unsigned long)r->data.count, (unsigned long)r->data.features, (unsigned long)labels_count(&r->m.labels));
    for (k = 0; k < r->s.folds; k++)
        printf("%s{\"rows\": %lu, \"errors\": %lu, \"accuracy\": %.9g}", k ? ", " : "", (unsigned long)folds[k].rows,
               (unsigned long)folds[k].errors, accuracy(&folds[k]));
    printf("], \"errors\": %lu, \"accuracy\": {\"mean\": %.9g, \"deviation\": %.9g}, \"seconds\": %.6f}\n",
           (unsigned long)s->errors, s->mean, s->deviation, seconds() - r->began);
}

void cross_validate(run *r, const char *name)
{
    reader in;
    fold *folds = allocate(r->s.folds, sizeof *folds);
    uint32_t k, *fold_of;
    spread s;
    find_rows(r, &in, name);
    report_dropped(r, &in);
    reader_close(&in);
    if (r->s.folds > r->data.count)
        die(EXIT_USAGE, "--folds %lu of %lu rows leaves folds empty", (unsigned long)r->s.folds,
            (unsigned long)r->data.count);
    r->rows = r->data.count;
    advise_on_values(r);
    if (r->order == PCN_ORDER_FILE) note_order(r, &r->data);
    advise_on_order(r);
    fold_of = draw_folds(r);
    for (k = 0; k < r->s.folds; k++) {
        folds[k] = run_fold(r, fold_of, k);
        if (!r->s.json) print_fold(&folds[k], k + 1);
    }
    s = spread_of(folds, r->s.folds);
    if (r->s.json)
        print_folds_json(r, folds, &s);
    else
        printf("mean accuracy %.4f %%, standard deviation %.4f %%; %lu errors in %lu rows\n", 100 * s.mean,
               100 * s.deviation, (unsigned long)s.errors, (unsigned long)r->data.count);
    free(fold_of);
    free(folds);
}
