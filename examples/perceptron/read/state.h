/* What a reader keeps to itself between two rows. */
#ifndef STATE_H
#define STATE_H

#include "text/date.h"

#include <stddef.h>
#include <stdint.h>

typedef struct field {    /* of CSV */
    size_t start, column; /* in the text, in the line */
} field;

enum column_kind { COLUMN_NUMBER, COLUMN_TEXT, COLUMN_WORDS, COLUMN_LABEL, COLUMN_IGNORED, COLUMN_UNKNOWN };

typedef struct csv_column {
    char *name;
    enum column_kind kind;
    uint32_t feature;      /* of a column of numbers */
    uint32_t step;         /* 1 + its enum step_column; 0: it multiplies no step */
    enum date_order order; /* of its dates; NO_DATE: its numbers are none */
} csv_column;

typedef struct name_number { /* of a stb_ds string map */
    char *key;
    uint32_t value;
} name_number;

typedef struct pair_number { /* of a stb_ds map */
    uint64_t key;
    uint32_t value;
} pair_number;

typedef struct reader_state {
    size_t value_room; /* of index and value */
    char *label_text;
    size_t label_room;
    size_t weighed; /* rows met, those passed over, too */
    size_t above;   /* empty lines above the first row, which are to be given */
    int left_out;   /* the row is given for options.every_line alone: it adds no features */
    int grew;       /* reader.grows, but for such a row */
    /* CSV */
    int separator_safe;       /* it is not part of a number */
    field *fields;            /* stb_ds array */
    csv_column *columns;      /* stb_ds array */
    uint32_t *column_feature; /* stb_ds array: feature of each column; reader.features: none */
    size_t label_column;
    uint32_t step_number[STEP_COLUMNS]; /* of each such column, from 1; 0: there is none */
    uint32_t unknown_columns;
    int any_text;    /* some columns hold texts or words: rows are sparse */
    int first_waits; /* the first record has been cut, but is no row yet */
    int finds_offsets;
    /* names and products */
    name_number *dictionary; /* names of features -> their numbers */
    char *word;              /* stb_ds array */
    pair_number *pairs;      /* two features -> that of their product */
    uint64_t *product_sides; /* stb_ds array: of each feature, see read_products.c */
    uint64_t products_seen;  /* bit k: some row has product k of --products */
} reader_state;

#endif
