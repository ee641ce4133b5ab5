/* What the program has to know of a format. Each reader is a file read_NAME.c that defines one of these, format_NAME, and
 * an entry in formats.h. */
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
    int (*chosen)(const reader_options *o);  /* Does an option of its own say so? NULL: there is none. */
    int (*trained)(const reader_options *o); /* Was the model trained on it? NULL: no model says so. */
    /* Does the first line, r->lines.text, look like it? CERTAIN: no other file begins so. NULL: only an option tells. */
    enum looks (*looks)(const struct reader *r);
    /* What its rows are like. */
    int is_table;                  /* all rows have the columns that the first record has */
    int is_text;                   /* features are words */
    int has_numbers;               /* features are known by numbers, not by names; equal integers are one label */
    int may_be_empty;              /* an empty line is a row */
    int has_comments;              /* a line that begins with # is none */
    int has_quotes;                /* a field in quotes may have ends of lines in it */
    int (*next)(struct reader *r); /* as reader_next */
    option_table options;
} row_format;

extern const row_format format_unknown; /* until the first line tells it */

#endif
