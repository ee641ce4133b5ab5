/* train --folds: K trainings, each on the rows outside a fold, tested on those in it. The i-th row (from 0) in the
 * order that a pcn_pass of one epoch draws from --seed is in fold i mod K. Rows keep the order of the file. Labels,
 * their weights and features are those of all rows; whatever else is found from rows is found from those outside the fold. */
#ifndef FOLDS_H
#define FOLDS_H

#include "learn/learn.h"

typedef struct fold {
    uint32_t rows, errors;
    size_t bytes; /* of the model */
} fold;

typedef struct spread {
    double mean, deviation; /* of accuracies; of a sample: divided by K - 1 */
    uint32_t errors;
} spread;

#define NO_FOLD UINT32_MAX /* of a row that is neither learned nor tested */

/* What a model says of the rows of its fold, by their numbers among all. */
typedef struct answers {
    uint32_t *class; /* predicted */
    float *score;    /* model_units() each; NULL: nobody asks */
    float *norm2;    /* x.x, as it learns x; NULL: nobody asks */
} answers;

/* A model of one of them, and its training, that is kept. */
typedef struct fold_model {
    model m; /* kind NULL: none */
    training t;
} fold_model;

/* Some of the rows, at most so many, in their order. */
rows draw_rows(const rows *all, uint32_t most, uint32_t seed);
/* The fold of each row: a new array. */
uint32_t *draw_folds(const settings *s, uint32_t count);
/* Refuses too few rows, and gives advice on them. */
void check_folds(const training *t, const rows *all);
/* Learns one fold. t: a training that has not begun, of a model that has labels, but no weights; all: the rows. What it
 * says of the fold's rows goes to `to`, and the model is written to `models`, and replaces the one in `last`; all three
 * may be NULL. An interrupted model goes to `last` only if none is there and it has learned a row. Returns 0 if it was
 * given up. */
int learn_fold(const training *t, const rows *all, const uint32_t *fold_of, uint32_t number, output *models,
               fold *result, const answers *to, fold_model *last);
void fold_model_free(fold_model *f);
/* train --probabilities: until enough rows are scored, each fifth by a model of the others. Said before it starts.
 * `last` keeps the last model. */
/* Are probabilities fitted to scores? Of models that were not measured there is the calibration alone. */
int can_fit(const model *m, const settings *s);
void calibrate_on_fifths(const training *t, const options *o, const rows *all, fold_model *last);
spread spread_of(const fold *folds, uint32_t count);
/* train --folds: all of them, and what is said of it. */
void cross_validate(const training *t, const options *o, const rows *all, double began);

#endif
