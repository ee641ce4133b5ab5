/* Examples from text: libsvm/svmlight or CSV, a file or standard input, one at a time or all. */
#ifndef ROWS_H
#define ROWS_H

#include "common.h"
#include "number.h"
#include "perceptron.h"

/* ---- Labels: any integers or words ---- */

enum { LABEL_SLOT_BITS = 8 };

typedef struct labels {
    struct { char *key; uint32_t value; } *map; /* stb_ds string map: text -> order of appearance */
    struct { uint64_t bytes; uint32_t number; } quick[1 << LABEL_SLOT_BITS]; /* some short ones, see short_text */
} labels;

#define NO_LABEL UINT32_MAX

void labels_init(labels *l);
uint32_t labels_add(labels *l, const char *text);        /* its number, old or new */
uint32_t labels_find(const labels *l, const char *text); /* NO_LABEL: not there */
uint32_t labels_count(const labels *l);
const char *labels_text(const labels *l, uint32_t number);
labels labels_sorted(const labels *l); /* ascending: integers by value, then words by their bytes */
void labels_free(labels *l);
int label_is_integer(const char *text, long *value); /* [sign] digits [. zeros] within 32 bits */

/* ---- One row at a time ---- */

enum format { FORMAT_AUTO, FORMAT_LIBSVM, FORMAT_CSV };

typedef struct reader_options {
    unsigned format;        /* enum format */
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

/* ---- All rows ---- */

enum { FIRST = 1 << 15 }; /* rows, or values, that tell what a file is like */

/* How much of a row there is: of the first rows, which are the same in whatever way a file is read. */
typedef struct fullness {
    uint64_t rows, values;
} fullness;

static inline int fullness_known(const fullness *f)
{
    return f->rows >= FIRST || f->values >= FIRST;
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
/* Reads to the end. `known`: labels are looked up there; otherwise they are added to `found`. */
void rows_read(rows *d, reader *r, labels *found, const labels *known);
int rows_spread(rows *d);     /* sparse rows become dense, with d->features values each, if are_full: 1 */
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
