/* All rows of a file. */
#ifndef ROWS_H
#define ROWS_H

#include "read/reader.h"

typedef struct rows {
    uint32_t *index; /* stb_ds array; NULL: dense */
    float *value;    /* stb_ds array; NULL: every value is 1 */
    size_t *start;   /* stb_ds array of count + 1: row i is start[i] .. start[i + 1] - 1 */
    uint32_t *label; /* stb_ds array */
    /* Columns that multiply the step of a row; NULL: all are 1. */
    float *weight;             /* stb_ds array, by row */
    const float *label_weight; /* by label; of another */
    uint32_t count, features;
} rows;

void rows_init(rows *d);
void rows_add(rows *d, const pcn_vec *x, uint32_t label); /* x has values */
void rows_weigh(rows *d, float weight);                   /* the row added last, which has 1 otherwise */
void rows_copy(rows *to, const rows *from, uint32_t i);   /* adds row i of others */
void rows_spread(rows *d);                                /* sparse rows become dense, with d->features values each */
void rows_thin(rows *d, uint32_t numbers);  /* dense rows become sparse; zeros go, of sparse rows, too, but not those of
                                              the first features, so many */
float *rows_means(const rows *d);           /* new, of each feature: of the values that are no NaN; 0: there are none */
void rows_fill(rows *d, const float *mean); /* puts these in the place of NaNs */
/* How many of the first of n values tell what they are like: one, if all are the same. */
size_t values_telling(const float *value, size_t n);
void rows_drop_ones(rows *d); /* sparse rows of ones need no values; after the last rows_add */

static inline pcn_vec rows_vector(const rows *d, uint32_t i)
{
    size_t from = d->start[i];
    return pcn_sparse(d->index ? d->index + from : NULL, d->value ? d->value + from : NULL,
                      (uint32_t)(d->start[i + 1] - from));
}

float rows_at(const rows *d, uint32_t i, uint32_t j); /* row i of feature j */

/* What multiplies the step of row i: all columns do. */
static inline float rows_weight(const rows *d, uint32_t i)
{
    const float own = d->weight ? d->weight[i] : 1;
    return d->label_weight ? d->label_weight[d->label[i]] * own : own;
}

/* ---- In the order of a pass ---- */

/* Some rows of all: first, first + stride, ... */
typedef struct row_set {
    const rows *data;
    uint32_t first, stride, count;
} row_set;

/* Rows are drawn in blocks, so that they can be brought near before their turn. */
enum { ROWS_BLOCK = 64 };

/* Draws the rows of this epoch that come next, at most a block: their numbers in the set's data. */
uint32_t rows_draw(const row_set *set, pcn_pass *p, uint32_t *row);
/* What the rows after place i of a block of n need: their values, and the weights of the next one. */
void rows_look_ahead(const rows *d, const pcn_linear *m, const uint32_t *row, uint32_t i, uint32_t n);
void rows_free(rows *d);

#endif
