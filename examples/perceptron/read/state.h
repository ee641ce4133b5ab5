/* Keeps what a reader needs from one row to the next, and other rooms do not. */
#ifndef STATE_H
#define STATE_H

#include "text/date.h"

#include <stddef.h>
#include <stdint.h>

/* A field of CSV. */
typedef struct field {
    size_t start, column; /* where it begins in r->lines.text, and in the line, from 1 */
} field;

enum column_kind { COLUMN_NUMBER, COLUMN_TEXT, COLUMN_WORDS, COLUMN_LABEL, COLUMN_IGNORED, COLUMN_UNKNOWN };

typedef struct csv_column {
    char *name;
    enum column_kind kind;
    uint32_t feature;      /* the feature that a column of numbers is */
    uint32_t step;         /* 1 + enum step_column, if it multiplies steps; 0: it does not */
    enum date_order order; /* that of its dates; NO_DATE: its numbers are not dates */
} csv_column;

typedef struct name_number { /* for a string map of stb_ds */
    char *key;
    uint32_t value;
} name_number;

typedef struct pair_number { /* for a map of stb_ds */
    uint64_t key;
    uint32_t value;
} pair_number;

typedef struct reader_state {
    size_t value_room; /* how many elements index and value have room for */
    char *label_text;
    size_t label_room;
    size_t weighed; /* rows that have come, with those of weight 0 */
    size_t above;   /* empty lines above the first row that reader_next has yet to give */
    int left_out;   /* the row is given only because of options.every_line: it adds no features */
    int grew;       /* what reader.grows is again behind such a row */
    /* CSV */
    int separator_safe;       /* rows may be plain numbers, of which the separator is no part */
    field *fields;            /* stb_ds array */
    csv_column *columns;      /* stb_ds array */
    uint32_t *column_feature; /* stb_ds array: the feature that each column is; reader.features: it is none */
    size_t label_column;
    uint32_t step_number[STEP_COLUMNS]; /* the number of each such column, from 1; 0: there is none */
    uint32_t unknown_columns;
    int any_text;    /* some column holds texts or words, so that rows are sparse */
    int first_waits; /* the first record has been cut into fields, and has yet to be a row */
    int finds_offsets;
    /* names and products */
    name_number *dictionary; /* names of features, with their numbers */
    char *word;              /* stb_ds array: room for a name */
    pair_number *pairs;      /* pairs of features, with the number of their product */
    uint64_t *product_sides; /* stb_ds array: the bits of each feature, see sides_of in read_products.c */
    uint64_t products_seen;  /* bit k: a row has had product k of --products */
} reader_state;

#endif
