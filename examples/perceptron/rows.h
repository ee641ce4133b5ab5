/* All rows of a file. */
#ifndef ROWS_H
#define ROWS_H

#include "reader.h"

enum { FIRST_ROWS = 1 << 15 }; /* rows, or values, that tell what a file is like */

/* How much of a row there is: of the first rows, which are the same in whatever way a file is read. */
typedef struct fullness {
    uint64_t rows, values;
} fullness;

static inline int fullness_known(const fullness *f)
{
    return f->rows >= FIRST_ROWS || f->values >= FIRST_ROWS;
}

static inline void fullness_add(fullness *f, uint64_t values)
{
    if (fullness_known(f)) return;
    f->rows++;
    f->values += values;
}

/* Are sparse rows best learned dense? These are no larger then: half or more of the features have values. */
static inline int are_full(const fullness *f, uint32_t features)
{
    return f->values > 0 && 2 * f->values >= f->rows * features;
}

/* Writes x to n floats, zeros where it has nothing. */
void spread_row(const pcn_vec *x, float *to, uint32_t n);

typedef struct rows {
    uint32_t *index; /* stb_ds array; NULL: dense */
    float *value;    /* stb_ds array; NULL: every value is 1 */
    size_t *start;   /* stb_ds array of count + 1: row i is start[i] .. start[i + 1] - 1 */
    uint32_t *label; /* stb_ds array */
    uint32_t count, features;
} rows;

void rows_init(rows *d);
/* x has values. spread: kept dense, with as many values (0: as it is). */
void rows_add(rows *d, const pcn_vec *x, uint32_t label, uint32_t spread);
void rows_spread(rows *d);    /* sparse rows, if are_full, become dense, with d->features values each */
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
