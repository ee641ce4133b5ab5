/* Which of two settings is better: what each row costs either, and the difference of that on the same rows.
 *
 *     accuracy   a row costs 1 if it is predicted wrongly, else 0
 *     AUC        two labels: the share of the other label's rows of its fold that are on its wrong side, ties half (DeLong
 *                et al. 1988); AUC = 1 - the mean of both labels' means. Scores of other folds have another scale
 *     log-loss   -ln p of its label, p by a fit (see fit.h) or a calibration on the scores of the other folds; p counts as 2^-24 at least
 *
 * With several repeats a row costs the mean over these. The gain of b over a is the mean of g = cost of a - cost of b;
 * z is that over its standard error. */
#ifndef JUDGE_H
#define JUDGE_H

#include "folds.h"

enum measure { BY_ACCURACY, BY_AUC, BY_LOGLOSS };
#define MEASURE_WORDS "accuracy|auc|logloss"

typedef struct tests {
    const rows *all;
    uint32_t labels, folds, repeats, seed; /* repeats: for which there is room */
    unsigned by;                           /* enum measure */
    uint32_t *fold_of;                     /* of each repeat and row; NO_FOLD: it is not tested */
    uint32_t commonest;                    /* label */
} tests;

typedef struct losses {
    float *loss;      /* of each repeat and row */
    uint32_t repeats; /* that are whole */
    uint32_t folds;   /* of the first, while it is not */
} losses;

typedef struct difference { /* of the second over the first */
    double gain, error, z;  /* error: the standard error of the gain */
    double low_z;           /* the same, with the variance of g around 0: nearer to 0, as befits a few rows */
} difference;

/* repeats, seed, by, labels and folds are set. */
void tests_init(tests *t, const rows *all);
losses losses_init(const tests *t);
/* What always predicting the commonest label costs. */
losses losses_of_commonest(const tests *t);
/* Takes what was said of the rows of folds from .. to - 1. By log-loss these calibrate each other, and a single one its
 * own parts. */
void losses_take(const tests *t, losses *l, uint32_t repeat, uint32_t from, uint32_t to, const answers *said,
                 uint32_t units);
/* On what both were tested. */
difference compare_losses(const tests *t, const losses *a, const losses *b);
double losses_mean(const tests *t, const losses *l);

#endif
