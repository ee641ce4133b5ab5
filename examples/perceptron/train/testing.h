/* train --test: rows that are only predicted, after each epoch and at the end. */
#ifndef TESTING_H
#define TESTING_H

#include "report/report.h"
#include "learn/settings.h"

typedef struct testing {
    rows data;
    const model *m;
    report result;
    float *p; /* the probability of each label; NULL: it has none */
    double seconds;
} testing;

/* A label that the model does not know becomes labels_count(). If it is interrupted, there are no rows. */
void testing_read(testing *t, const settings *s, const model *m);
double testing_error(testing *t, model *m); /* of all rows, by the present weights */
/* By the weights that are saved: into t->result. */
void testing_report(testing *t, model *m, const pcn_linear *kept);

#endif
