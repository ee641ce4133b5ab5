/* Columns whose last digits floats do not hold: what is subtracted from their values, in double, before these become
 * floats. The rule is on the program's page: "Long numbers". */
#ifndef OFFSETS_H
#define OFFSETS_H

#include "model/rows.h"

typedef struct long_column {
    uint32_t feature;
    double offset;
    float *before; /* its values without an offset */
} long_column;

/* All zeros at first. */
typedef struct offsets {
    long_column *column; /* stb_ds array */
    double *offset;      /* stb_ds array, for reader_options; NULL: there are none */
    int looks, settled;
} offsets;

/* Looks at all rows, which `in` has read with o->offset. 1: that has changed, and the rows are to be read again. */
int offsets_look(offsets *o, const rows *d, const reader *in);
/* Ends the program if a column seems to need an offset, on which processes that have some of the rows cannot agree. */
void offsets_refuse(const rows *d, const reader *in);
/* Ends the program: the feature needs an offset and has none. */
void offsets_fail(const reader *in, uint32_t feature, const char *why) __attribute__((noreturn));
void offsets_free(offsets *o);

#endif
