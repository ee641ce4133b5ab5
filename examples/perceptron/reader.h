/* Rows from text, one at a time: libsvm/svmlight or CSV, a file or standard input. */
#ifndef READER_H
#define READER_H

#include "labels.h"
#include "number.h"
#include "perceptron.h"

enum format { FORMAT_AUTO, FORMAT_LIBSVM, FORMAT_CSV, FORMAT_NONE }; /* of no rows at all */

typedef struct reader_options {
    unsigned format;        /* enum format */
    unsigned found;         /* that of the file; FORMAT_AUTO: not known yet */
    const char *label;      /* CSV: name or number (from 1) of the label column; NULL: the last */
    const char *separator_text; /* CSV: as given; NULL: comma */
    char separator;
    int header;             /* CSV: the first line holds names; otherwise found out */
    int zero_based, sort;   /* libsvm */
    int words;              /* libsvm: labels need not be integers */
    int binarize;           /* every value that is not 0 counts as 1 */
    uint32_t max_features;  /* a greater index is an error, before anything is allocated for it */
    uint32_t threads;       /* 1: streams (stream.h) read in the caller's thread */
    /* what a model expects, when rows are read for one */
    int predict;            /* rows without a label are fine */
    uint32_t features;      /* CSV with this many columns has no label column; 0: no model */
    char *const *names;     /* stb_ds array: CSV columns are matched by name; NULL: by position */
} reader_options;

typedef struct field { /* of CSV */
    size_t start, column; /* in the text, in the line */
} field;

typedef struct reader {
    /* the row read last */
    uint32_t *index;    /* not used while dense */
    float *value;
    size_t count;       /* of values */
    const char *label;  /* integers as %ld; NULL: none */
    unsigned long line; /* where it began */
    /* of the file */
    int dense;          /* CSV: row[j] is feature j */
    uint32_t features;  /* 1 + the highest index yet */
    char **names;       /* stb_ds array: names of the features, from a CSV header */
    reader_options options;
    /* to be set after reader_open; may stay NULL: called before the file is read on */
    void (*before_read)(void *context);
    void *context;
    /* its own */
    const char *name;
    int file, ended;
    char *buffer;       /* room bytes, and some more that may be read */
    size_t room;
    char *breaks;       /* a bit for each character of the buffer, see mark_breaks */
    char *text;         /* the record, in the buffer, ended by a NUL */
    size_t length;
    char *next, *end;   /* of what has been read and not used yet */
    const char *newline; /* at the end of the next line; NULL: not looked for */
    int odd;            /* there was a NUL or a carriage return */
    unsigned long next_line;
    int pending;        /* `text` has been read, but not used yet */
    size_t value_room;  /* of index and value */
    char *label_text;
    size_t label_room;
    int plain;          /* the separator is not part of a number */
    field *fields;      /* stb_ds array */
    uint32_t *column_feature; /* stb_ds array: feature of each CSV column; NO_LABEL: none */
    size_t label_column;
} reader;

void reader_open(reader *r, const char *name, const reader_options *options);
int reader_has_line(reader *r); /* all of the next row is in memory: reader_next need not wait */
int reader_next(reader *r); /* 1: a row; 0: the end; anything wrong ends the program */
void reader_close(reader *r);

static inline pcn_vec reader_vector(const reader *r)
{
    if (r->dense) return pcn_dense(r->value, r->features);
    return pcn_sparse(r->index, r->value, (uint32_t)r->count);
}

/* Ends the program with "file:line: what" about the row read last. */
void reader_fail(const reader *r, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

#endif
