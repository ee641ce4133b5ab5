/* train --folds: K trainings, each on the rows outside a fold, tested on those in it. The i-th row (from 0) in the
 * order that a pcn_pass of one epoch draws from --seed is in fold i mod K. Rows keep the order of the file. Labels,
 * their weights and features are those of all rows; whatever else is found from rows is found from those outside the fold. */
#ifndef FOLDS_H
#define FOLDS_H

#include "learn.h"

typedef struct fold {
    uint32_t rows, errors;
    size_t bytes; /* of the model */
} fold;

typedef struct spread {
    double mean, deviation; /* of accuracies; of a sample: divided by K - 1 */
    uint32_t errors;
} spread;

typedef void fold_learned(const fold *f, uint32_t number); /* number: from 1 */

/* t: a training that has not begun, of a model that has labels, but no weights; all: the rows. Returns a new array;
 * NULL if it was given up. models: each model is written there; it and `learned` may be NULL. */
fold *learn_folds(const training *t, const options *o, const rows *all, output *models, fold_learned *learned);
/* train --probabilities: until enough rows are scored, each fifth by a model of the others. Said before it starts. */
void calibrate_on_fifths(const training *t, const options *o, const rows *all);
spread spread_of(const fold *folds, uint32_t count);
/* train --folds: the same, and what is said of it. */
void cross_validate(const training *t, const options *o, const rows *all, double began);

#endif
