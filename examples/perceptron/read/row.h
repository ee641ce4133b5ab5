/* Rows from text, one at a time: libsvm/svmlight, CSV, or a label and a text a line; a file or standard input.
 *
 * CSV: a column of numbers is a feature; one of texts gives features 0 and 1 named column=value, one for each value.
 * One of --text-column gives the words of its texts, column:word, and one of dates their days (text/date.h). Without a
 * header columns are named by their numbers. For a model columns are found by its names, in whatever order; --ignore
 * leaves columns out. NA, NaN (in small letters too), ? and nothing are missing values, but not of --text-column; for
 * numbers see is_gap, too.
 * Text: features are the words (words.h), or n-grams joined by a blank, of value 1; with hash_bits the feature of one
 * is its FNV-1a hash of 32 bits modulo 2^hash_bits. */
#ifndef ROW_H
#define ROW_H

#include "perceptron.h"
#include "format.h"
#include "state.h"

typedef struct reader {
    /* the row read last */
    int dense;       /* value[j] is that of feature j */
    uint32_t *index; /* not used while dense */
    float *value;
    size_t count;      /* of values */
    const char *label; /* NULL: none; integers as %ld if reader_labels_are_numbers */
    float weight;      /* multiplies its step; above 0: rows of 0 are passed over; options.every_line gives them 1 */
    int no_row;        /* an empty line of a table, of options.every_line: it has no values */
    /* of the file */
    uint32_t features;     /* 1 + the highest index yet */
    char **names;          /* stb_ds array: names of the features, from a CSV header, or of texts */
    char *label_name;      /* CSV: from the header; NULL: none */
    uint32_t label_number; /* CSV: of the label column, from 1; 0: there is none */
    uint32_t numbers;      /* CSV: how many features all rows have values of, see reader_options; they are the first */
    uint32_t columns;      /* CSV: how many features are columns of numbers; they are the first */
    double *offset;   /* stb_ds array: a value x of feature j becomes x - offset[j], rounded once; 0 behind its end */
    uint8_t *date;    /* stb_ds array: enum date_order of each feature; 0, as behind its end: it is no date */
    int has_long;     /* some number has more than eight characters, or eight digits; some date has a time */
    int grows;        /* texts give features and names until the file ends */
    uint64_t known;   /* values read */
    uint64_t unknown; /* values left out since the model has no such feature */
    uint64_t dropped; /* rows left out by MISSING_DROP */
    uint64_t empty;   /* empty lines */
    reader_options options;
    text_lines lines;
    const row_format *format;
    reader_state own; /* of no concern outside */
} reader;

static inline pcn_vec reader_vector(const reader *r)
{
    return pcn_sparse(r->dense ? NULL : r->index, r->value, (uint32_t)r->count);
}

/* ---- read_row.c ---- */

/* Ends the program with "file:line: what" about the row read last. */
void reader_fail(const reader *r, const char *format, ...) __attribute__((noreturn, format(SYSTEM_PRINTF, 2, 3)));
int reader_has_line(reader *r); /* all of the next row is in memory: reader_next need not wait */

/* Are equal integers of rows of that format one label? Otherwise a label is its text. NULL: it is not known. */
int reader_labels_are_numbers(const reader_options *o, const row_format *of);
/* Are the rows of the format of that name? 1; 0: they are not; -1: that is not known yet. */
int reader_expects(const reader_options *o, const char *name);

/* ---- read_fields.c ---- */

int reader_has_step_columns(const reader_options *o); /* does an option name one? */
float *read_row_weights(const char *name);            /* an stb_ds array: of a file that has one a line */

/* ---- read_names.c ---- */

int names_word_of(const char *name, const char *column); /* is the feature's name column:word? */

/* ---- read_products.c ---- */

void reader_check_products(const reader *r);            /* after all rows: each of --products must have occurred */
void cut_product(const char *product, char *factor[2]); /* makes two new strings of A*B */

#endif
