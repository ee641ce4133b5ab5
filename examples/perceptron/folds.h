/* train --folds: K trainings, each on the rows outside a fold, tested on those in it. The i-th row (from 0) in the
 * order that a pcn_pass of one epoch draws from --seed is in fold i mod K. Rows keep the order of the file. Labels
 * and features are those of all rows; whatever else is found from rows is found from those outside the fold. */
#ifndef FOLDS_H
#define FOLDS_H

#include "learn.h"

/* t: a training that has not begun, of a model that has labels, but no weights; all: the rows. */
void cross_validate(const training *t, const options *o, const rows *all, double began);

#endif
