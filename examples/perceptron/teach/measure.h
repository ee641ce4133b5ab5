/* train --measure: how the rows that were learned from lie to the weights that predict, and whether any weights can
 * separate them. */
#ifndef MEASURE_H
#define MEASURE_H

#include "cli/json.h"
#include "learn/learn.h"
#include "margin.h"

typedef struct measures {
    float *cycle;               /* earlier weights, for pcn_pass_cycle */
    double largest_step;        /* of a weight, in an update; 0: a cycle would prove nothing */
    uint32_t inseparable_after; /* epochs; 0: not proved */
    pcn_measure rows;
    double distance; /* of the row that is least on its side from the plane; NaN: there is none */
    float weights_norm2, bound;
    margin best;      /* of all weights; its shares stay */
    uint32_t classes; /* scores of a row */
    uint64_t updates;
} measures;

void measure_cycle(measures *q, training *t, uint32_t epochs); /* before the first row and after each epoch */
void measure_model(measures *q, const training *t);            /* by the weights that are saved */
void measures_print(const measures *q, FILE *f);
void measures_print_json(const measures *q, const training *t, json *j); /* a member of an object */

#endif
