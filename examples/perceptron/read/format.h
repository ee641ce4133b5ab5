/* A format of data: how it is found, what its rows are like, how they are read, and its options.
 *
 * A reader is a file read_NAME.c that ends with such a record, format_NAME, and an entry in formats.h. All others ask
 * what rows are like, and never which format it is. */
#ifndef FORMAT_H
#define FORMAT_H

#include "cli/option_table.h"
#include "told.h"

enum looks { LOOKS_OTHER, LOOKS_RIGHT, LOOKS_CERTAIN };

struct reader;

typedef struct row_format {
    const char *name;  /* as --format has it */
    const char *title; /* as sentences have it, behind "trained on" */
    /* How it is found. */
    int (*chosen)(const reader_options *o);  /* Does an option of its own say so? NULL: it has no such option. */
    int (*trained)(const reader_options *o); /* Was the model trained on it? NULL: no model tells. */
    /* Does the first line, r->lines.text, look like it? CERTAIN: no other file begins so. NULL: only an option
     * tells. */
    enum looks (*looks)(const struct reader *r);
    /* What its rows are like. If it is neither a table nor text, what a row does not name is 0. */
    int is_table;     /* all rows have the columns of the first record */
    int is_text;      /* features are words */
    int has_numbers;  /* features are known by numbers, not by names; equal integers are one label */
    int may_be_empty; /* an empty line is a row */
    int has_comments; /* a line that begins with # is no row */
    int has_quotes;   /* a field in quotes may have ends of lines in it */
    /* Reads the next row from lines_next(&r->lines, 0). Returns 0 if there is none. It sets
     *     r->label     by reader_set_label; NULL: the row has none, which is an error unless r->options.predict
     *     r->count     and r->index, r->value, by reader_reserve; reader_sort sorts by index; no index stands twice
     *     r->features  one above the greatest index
     * For features with names, reader_begin_names and reader_add_named do that. Before next passes over an empty line
     * it asks reader_takes_empty, and of each row it asks reader_weigh. reader_fail_at says what is wrong. */
    int (*next)(struct reader *r);
    option_table options;
} row_format;

extern const row_format format_unknown; /* until the first line tells it */

#endif
