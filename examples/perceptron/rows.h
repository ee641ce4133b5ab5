/* All rows of a file. */
#ifndef ROWS_H
#define ROWS_H

#include "reader.h"

typedef struct rows {
    uint32_t *index; /* stb_ds array; NULL: dense */
    float *value;    /* stb_ds array; NULL: every value is 1 */
    size_t *start;   /* stb_ds array of count + 1: row i is start[i] .. start[i + 1] - 1 */
    uint32_t *label; /* stb_ds array */
    uint32_t count, features;
} rows;

void rows_init(rows *d);
void rows_add(rows *d, const pcn_vec *x, uint32_t label); /* x has values */
void rows_spread(rows *d); /* sparse rows become dense, with d->features values each */
void rows_thin(rows *d);   /* dense rows become sparse; zeros go, of sparse rows, too */
float *rows_means(const rows *d); /* new, of each feature: of the values that are no NaN; 0: there are none */
void rows_fill(rows *d, const float *mean); /* puts these in the place of NaNs */
void rows_drop_ones(rows *d); /* sparse rows of ones need no values; after the last rows_add */

static inline pcn_vec rows_vector(const rows *d, uint32_t i)
{
    size_t from = d->start[i];
    return pcn_sparse(d->index ? d->index + from : NULL, d->value ? d->value + from : NULL,
                      (uint32_t)(d->start[i + 1] - from));
}

/* Hints that row i will be wanted soon: where it stands, some rows later what stands there. */
void rows_fetch_start(const rows *d, uint32_t i);
void rows_fetch(const rows *d, uint32_t i);
void rows_free(rows *d);

#endif
