/* What only lessons ask for, beside learning (learn.h has observers): --trace and --measure of train. */
#ifndef LESSONS_H
#define LESSONS_H

#include "cli/table.h"
#include "learn/learn.h"

extern const observer lessons;

/* ---- trace.c: what a learner makes of each row, a line of a table or an object of JSON. It takes the learner's place
 * in the training, so that training without it does not ask for it. ---- */

void trace_begin(training *t, FILE *f); /* before the first row */
void trace_end(void);                   /* after the last one */
/* blank.c: leaves cells behind the first columns, which are `given`, empty; their contents go to `key`. */
void blank_cells(table *t, size_t given, const settings *s, table *key);

/* ---- measure.c: how the rows that were learned from lie to the weights that predict, and whether any weights can
 * separate them ---- */

void measure_cycle(training *t, uint32_t epochs); /* before the first row and after each epoch */
void measure_model(training *t);                  /* by the weights that are saved */
/* A new array, as the trainer has its weights: those of the best margin, of length 1 together with their inputs of the
 * bias. Ends the program if none separate the rows. */
float *measure_best(const training *t);
void measures_say(const training *t, say *to); /* in JSON a member of an object */

#endif
