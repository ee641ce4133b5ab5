/* Has the row read last, and what is known of its file: the struct that all files of this room work on. */
#ifndef ROW_H
#define ROW_H

#include "perceptron.h"
#include "format.h"
#include "state.h"

typedef struct reader {
    /* the row that was read last */
    int dense;       /* value[j] is the value of feature j */
    uint32_t *index; /* the feature of each value; not used if the row is dense */
    float *value;
    size_t count;      /* how many values it has */
    const char *label; /* an integer as %ld writes it, if reader_labels_are_numbers; NULL: it has none */
    float weight;      /* multiplies its step; above 0: a row of 0 is passed over, or has 1 with options.every_line */
    int no_row;        /* it is an empty line of a table, which options.every_line asks for: it has no values */
    /* of the file */
    uint32_t features;     /* 1 + the highest index yet */
    char **names;          /* stb_ds array: the names of features, from the first line of CSV, or of texts */
    char *label_name;      /* CSV: from the first line; NULL: there is none */
    uint32_t label_number; /* CSV: number of the label column, from 1; 0: there is none */
    uint32_t numbers;      /* CSV: all rows have values of the first so many features, see told.h */
    uint32_t columns;      /* CSV: the first so many features are columns of numbers */
    double *offset;   /* stb_ds array: a value x of feature j becomes x - offset[j], rounded once; 0 beyond its end */
    uint8_t *date;    /* stb_ds array: enum date_order of each feature; 0, as beyond its end: it is not a date */
    int has_long;     /* a number has more than eight characters, or eight digits, or a date has a time */
    int grows;        /* rows give new features and names until the file ends */
    uint64_t known;   /* how many values have been read */
    uint64_t unknown; /* how many values were left out because the model has no such feature */
    uint64_t dropped; /* how many rows were left out because of missing values or labels */
    uint64_t empty;   /* how many lines were empty */
    reader_options options;
    text_lines lines;
    const row_format *format;
    reader_state own; /* nothing outside this room touches it */
} reader;

static inline pcn_vec reader_vector(const reader *r)
{
    return pcn_sparse(r->dense ? NULL : r->index, r->value, (uint32_t)r->count);
}

/* ---- read_row.c ---- */

/* Ends the program with "file:line: what", about the row read last. */
void reader_fail(const reader *r, const char *format, ...) __attribute__((noreturn, format(SYSTEM_PRINTF, 2, 3)));
int reader_has_line(reader *r); /* Is all of the next row in memory, so that reader_next need not wait? */

/* Are equal integers one label? Otherwise a label is its text. of: the format of the rows; NULL: it is not known. */
int reader_labels_are_numbers(const reader_options *o, const row_format *of);
/* Do rows have the format of that name? Returns 1 or 0, or -1 if that is not known yet. */
int reader_expects(const reader_options *o, const char *name);

/* ---- read_fields.c ---- */

int reader_has_step_columns(const reader_options *o); /* Does an option name a column that multiplies steps? */
float *read_row_weights(const char *name); /* returns an stb_ds array: the weights of a file that has one a line */

/* ---- read_names.c ---- */

int names_word_of(const char *name, const char *column); /* Is the feature's name column:word? */

/* ---- read_products.c ---- */

/* After all rows: ends the program if one of --products has not come. */
void reader_check_products(const reader *r);
void cut_product(const char *product, char *factor[2]); /* makes two new strings of A*B */

#endif
