/* What a reader is told: by options, and by the model that rows are for. */
#ifndef TOLD_H
#define TOLD_H

#include "text/labels.h"
#include "text/lines.h"

/* What stands for a missing value; DROP: the row is left out, but when predicting it is the mean of a scaled column,
 * otherwise 0. Where they are not refused, a row without a label is left out. */
enum missing { MISSING_REFUSED, MISSING_ZERO, MISSING_MEAN, MISSING_DROP };
enum has_header { HEADER_YES, HEADER_NO, HEADER_AUTO }; /* unset: auto */
#define MISSING_WORDS "refuse|zero|mean|drop"

/* CSV: columns whose values multiply the step of their row, and the options that name them. */
enum step_column { STEP_BY_WEIGHT, STEP_COLUMNS };
#define STEP_COLUMN_OPTIONS "weight-column"

enum marks { MARKS_YES, MARKS_NO }; /* are marks of a text words, too? See text/words.h */

/* What rows are read for: those of train --test have the options of DATA, those of export a format of their own. */
enum read_for { READ_FOR_ITSELF, READ_FOR_TEST, READ_FOR_EXPORT };

/* The form of rows: as the text has them, libsvm and words sparse, tables of numbers dense; or as asked for. */
enum row_form { ROWS_READ, ROWS_SPARSE, ROWS_DENSE };
#define ROW_FORM_WORDS "auto|sparse|dense"

enum { PRODUCTS_MOST = 32 }; /* --products: two bits of 64 for each */
enum { LETTERS_MOST = 16 };
#define NUMBERS_ALL UINT32_MAX
#define OFFSET_FROM 16777216.0F /* 2^24: from here on floats are even numbers */

typedef struct reader_options {
    const char *format;             /* as --format has it; NULL or "auto": the first line tells */
    const struct row_format *found; /* the format of the file; NULL: not known yet */
    int no_rows;                    /* no file is read */
    const char *label;              /* CSV: name or number (from 1) of the label column; NULL: the last */
    const char *separator_text;     /* CSV: as given; NULL: comma */
    char separator;
    unsigned header;           /* CSV: enum has_header: does the first line hold names? */
    int zero_based, sort;      /* libsvm */
    int word_labels;           /* libsvm: labels need not be integers */
    const char **ignore;       /* CSV: stb_ds array: names or numbers of columns that are left out */
    int ignore_given;          /* CSV: these are columns of this file; otherwise of that a model was trained on */
    const char **nominal;      /* CSV: likewise: columns whose values are texts, whatever they look like */
    const char **text_columns; /* CSV: likewise, or by the model's names: columns whose words are features */
    const char **dates;        /* CSV: likewise, COLUMN:ORDER: columns of dates, see text/date.h */
    int counts;                /* words: their values are how often they occur in the row; otherwise 1 */
    uint32_t numbers;          /* CSV: all rows have values of so many features, the first, which are columns of
                                  numbers: 0, too, and NaN where the file lacks the column. NUMBERS_ALL: of all of
                                  them. Otherwise zeros may be left out */
    unsigned missing;          /* CSV: enum missing */
    const char **gaps;         /* CSV: stb_ds array: what else is a missing value among numbers */
    const char **products;     /* stb_ds array: A*B, or all; NULL: none. The features have names then */
    int text;                  /* lines of a label, a tab and a text */
    unsigned marks;            /* words: enum marks */
    uint32_t ngrams;           /* words: of 1 to so many words; 0 is 1 */
    const char *letters;       /* words: their pieces as given, see read_text.c; NULL: none */
    uint32_t letters_least, letters_most;
    uint32_t hash_bits;                    /* text: features are hashes of so many bits; 0: a dictionary */
    const char *step_column[STEP_COLUMNS]; /* CSV: names or numbers, which are among `ignore`; NULL: none */
    const char *weights;                   /* name of a file with a weight for each row; NULL: none */
    const float *row_weight;               /* stb_ds array: of all rows, from that file */
    int binarize;                          /* every value that is not 0 counts as 1 */
    uint32_t max_features;                 /* a greater index is an error, before anything is allocated for it */
    unsigned rows;                         /* enum row_form; when dense rows are made sparse, zeros go */
    uint32_t width;                        /* values of a row that is made dense */
    uint32_t threads;                      /* 1: streams (stream.h) read in the caller's thread */
    int arriving;                          /* CSV: columns are told from the first two records, not more */
    int finds_offsets;                     /* CSV: values of the first row from OFFSET_FROM on become offsets */
    tape *tape;        /* of a pipe: what is read goes there, or comes from there; NULL: there is none */
    unsigned read_for; /* enum read_for */
    int every_line;    /* empty lines, and rows that are left out, are given, without a label */
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
    size_t model_ignored;        /* CSV: how many columns it was trained without */
    const float *mean;           /* for MISSING_MEAN: of each feature; NULL: a missing value is a NaN, see rows_fill */
    const double *offset;        /* stb_ds array: is subtracted from the values of each feature, see reader.h */
    const uint8_t *date;         /* stb_ds array: the order of the dates that are each feature, see reader.h */
} reader_options;

/* Values that are missing become NaNs, to be filled when the means of all rows are known? */
static inline int reader_leaves_gaps(const reader_options *o)
{
    return o->missing == MISSING_MEAN && !o->mean;
}

#endif
