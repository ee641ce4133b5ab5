/* Rows from text, one at a time: libsvm/svmlight, CSV, or a label and a text a line; a file or standard input.
 *
 * CSV: a column of numbers is a feature; one of texts, as far as the first 256 KB tell, gives features 0 and 1 named
 * column=value, one for each value. One of --text-column gives the words of its texts, column:word. Without a header
 * columns are named by their numbers. For a model columns are found by its names, in whatever order; --ignore leaves
 * columns out. NA, NaN (in small letters too), ? and nothing are missing values, but not of --text-column.
 * Text: features are the words (words.h), or n-grams joined by a blank, of value 1; with hash_bits the feature of one
 * is its FNV-1a hash of 32 bits modulo 2^hash_bits. */
#ifndef READER_H
#define READER_H

#include "labels.h"
#include "state.h"
#include "perceptron.h"

enum format { FORMAT_AUTO, FORMAT_LIBSVM, FORMAT_CSV, FORMAT_TEXT, FORMAT_NONE }; /* NONE: of no rows at all */

/* What stands for a missing value; DROP: the row is left out, but when predicting the value is 0. */
enum missing { MISSING_REFUSED, MISSING_ZERO, MISSING_MEAN, MISSING_DROP };
#define MISSING_WORDS "refuse|zero|mean|drop"

/* What rows are read for: those of train --test have the options of DATA, those of export a format of their own. */
enum read_for { READ_FOR_ITSELF, READ_FOR_TEST, READ_FOR_EXPORT };

/* The form of rows: as the text has them, libsvm and words sparse, tables of numbers dense; or as asked for. */
enum row_form { ROWS_READ, ROWS_SPARSE, ROWS_DENSE };
#define ROW_FORM_WORDS "auto|sparse|dense"

enum { PRODUCTS_MOST = 32 }; /* --products: two bits of 64 for each */

typedef struct reader_options {
    unsigned format;            /* enum format */
    unsigned found_format;      /* that of the file; FORMAT_AUTO: not known yet */
    const char *label;          /* CSV: name or number (from 1) of the label column; NULL: the last */
    const char *separator_text; /* CSV: as given; NULL: comma */
    char separator;
    int header;                /* CSV: the first line holds names; otherwise found out */
    int zero_based, sort;      /* libsvm */
    int words;                 /* libsvm: labels need not be integers */
    const char **ignore;       /* CSV: stb_ds array: names or numbers of columns that are left out */
    int ignore_given;          /* CSV: these are columns of this file; otherwise of that a model was trained on */
    const char **nominal;      /* CSV: likewise: columns whose values are texts, whatever they look like */
    const char **text_columns; /* CSV: likewise, or by the model's names: columns whose words are features */
    unsigned missing;          /* CSV: enum missing */
    const char **products;     /* stb_ds array: A*B, or all; NULL: none. The features have names then */
    int text;                  /* lines of a label, a tab and a text */
    uint32_t ngrams;           /* words: of 1 to so many words; 0 is 1 */
    uint32_t hash_bits;        /* text: features are hashes of so many bits; 0: a dictionary */
    const char *weight_column; /* CSV: name or number of the column of the rows' weights, one of `ignore`; NULL: none */
    const char *weights;       /* name of a file of theirs; NULL: none */
    const float *row_weight;   /* stb_ds array: of all rows, from that file */
    int binarize;              /* every value that is not 0 counts as 1 */
    uint32_t max_features;     /* a greater index is an error, before anything is allocated for it */
    unsigned rows;             /* enum row_form; when dense rows are made sparse, zeros go */
    uint32_t width;            /* values of a row that is made dense */
    uint32_t threads;          /* 1: streams (stream.h) read in the caller's thread */
    int arriving;              /* CSV: columns are told from the first two records, not more */
    unsigned read_for;         /* enum read_for */
    /* what a model expects, when rows are read for one */
    int predict;                 /* rows without a label are fine */
    uint32_t features;           /* its number; 0: no model. When predicting, those above are left out and counted */
    int grows;                   /* when learning, words, texts and indices that it has not are new features */
    int any_format;              /* its features have numbers, no names: in CSV and libsvm text they are the same */
    const char *refuse_new;      /* otherwise they are errors, for that reason; NULL: counted */
    char *const *names;          /* stb_ds array: CSV columns are matched by name; NULL: by position */
    const char *model_label;     /* CSV: name of the label column it was trained on; NULL: there was no header */
    int number_labels;           /* equal integers are one label of it */
    const labels *model_labels;  /* NULL: no model */
    uint32_t model_label_column; /* CSV: its number, from 1; 0: not known */
    const float *mean;           /* for MISSING_MEAN: of each feature; NULL: a missing value is a NaN, see rows_fill */
} reader_options;

typedef struct reader {
    /* the row read last */
    int dense;       /* value[j] is that of feature j */
    uint32_t *index; /* not used while dense */
    float *value;
    size_t count;       /* of values */
    const char *label;  /* NULL: none; integers as %ld if reader_labels_are_numbers */
    unsigned long line; /* where it began */
    float weight;       /* above 0: rows of weight 0 are passed over, as if they were not there */
    /* of the file */
    uint32_t features;     /* 1 + the highest index yet */
    char **names;          /* stb_ds array: names of the features, from a CSV header, or of texts */
    char *label_name;      /* CSV: from the header; NULL: none */
    uint32_t label_number; /* CSV: of the label column, from 1; 0: there is none */
    int grows;             /* texts give features and names until the file ends */
    uint64_t known;        /* values read */
    uint64_t unknown;      /* values left out since the model has no such feature */
    uint64_t dropped;      /* rows left out by MISSING_DROP */
    reader_options options;
    /* to be set after reader_open; may stay NULL: called before the file is read on */
    void (*before_read)(void *context);
    void *context;
    const char *name;
    int live;         /* no regular file: a read may wait for what is yet to be written */
    int csv;          /* rows of a table */
    reader_state own; /* of no concern outside */
} reader;

/* Values that are missing become NaNs, to be filled when the means of all rows are known? */
static inline int reader_leaves_gaps(const reader_options *o)
{
    return o->missing == MISSING_MEAN && !o->mean;
}

/* Are equal integers of such rows one label? Otherwise a label is its text. */
static inline int reader_labels_are_numbers(const reader_options *o, unsigned format)
{
    return format == FORMAT_LIBSVM || o->number_labels;
}

void reader_open(reader *r, const char *name, const reader_options *options);
const char *reader_weight_column(const reader *r); /* its name; NULL: there is none */
int reader_has_line(reader *r);                    /* all of the next row is in memory: reader_next need not wait */
void reader_check_products(const reader *r);       /* after all rows: each of --products must have occurred */
void reader_find_format(reader *r);                /* sets options.format, unless there is no row */
int reader_next(reader *r);                        /* 1: a row; 0: the end; anything wrong ends the program */
/* Goes on with the lines from byte `from` of a file, the beginning of a line, to byte `to`: what rows are like stays. */
void reader_move(reader *r, const char *name, uint64_t from, uint64_t to);
uint64_t reader_place(const reader *r); /* of the next line, in the file */
void reader_close(reader *r);

static inline pcn_vec reader_vector(const reader *r)
{
    return pcn_sparse(r->dense ? NULL : r->index, r->value, (uint32_t)r->count);
}

/* Writes a sparse row to n floats, zeros where it has nothing. `to` may be `value`, or lie behind it. */
void spread_row(const uint32_t *index, const float *value, size_t count, float *to, size_t n);

float *read_row_weights(const char *name); /* an stb_ds array: of a file that has one a line */

/* Makes two new strings of A*B. */
void cut_product(const char *product, char *factor[2]);

/* Ends the program with "file:line: what" about the row read last. */
void reader_fail(const reader *r, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

#endif
