/* train --trace: what a learner makes of each row, a line of a table or an object of JSON. It takes the learner's place
 * in the training, so that training without it does not ask for it. */
#ifndef TRACE_H
#define TRACE_H

#include "learn/learn.h"

void trace_begin(training *t, FILE *f); /* before the first row */
void trace_end(void);                   /* after the last one */

#endif
