/* Tells a reader what options say, and what the model that rows are for expects. */
#ifndef TOLD_H
#define TOLD_H

#include "text/labels.h"
#include "text/lines.h"

/* What stands for a missing value. DROP leaves the row out; when predicting, it takes the mean of a scaled column,
 * otherwise 0. Unless missing values are refused, a row without a label is left out, too. */
enum missing { MISSING_REFUSED, MISSING_ZERO, MISSING_MEAN, MISSING_DROP };
enum has_header { HEADER_YES, HEADER_NO, HEADER_AUTO }; /* OPTION_UNSET counts as AUTO */
#define MISSING_WORDS "refuse|zero|mean|drop"

/* CSV: columns whose values multiply the step of their row, and the options that name them. */
enum step_column { STEP_BY_WEIGHT, STEP_COLUMNS };
#define STEP_COLUMN_OPTIONS "weight-column"

enum marks { MARKS_YES, MARKS_NO }; /* Are marks of a text words, too? See text/words.h. */

/* What rows are read for. Those of train --test have the options of DATA; those of export --test have options of their
 * own. */
enum read_for { READ_FOR_ITSELF, READ_FOR_TEST, READ_FOR_EXPORT };

/* The form of rows. READ: libsvm text and words give sparse rows, and tables of numbers dense ones. */
enum row_form { ROWS_READ, ROWS_SPARSE, ROWS_DENSE };
#define ROW_FORM_WORDS "auto|sparse|dense"

enum { PRODUCTS_MOST = 32 }; /* each of --products has two bits of 64 */
enum { LETTERS_MOST = 16 };
#define NUMBERS_ALL UINT32_MAX
#define OFFSET_FROM 16777216.0F /* 2^24: from here on floats are even numbers */

typedef struct reader_options {
    const char *format;             /* as --format has it; NULL or "auto": the first line tells */
    const struct row_format *found; /* the format of the file; NULL: not known yet */
    int no_rows;                    /* 1: the command reads no rows */
    const char *label;              /* CSV: name or number (from 1) of the label column; NULL: the last */
    const char *separator_text;     /* CSV: what --sep says; NULL: a comma */
    char separator;
    unsigned header;      /* CSV: enum has_header: Does the first line hold names? */
    int zero_based, sort; /* libsvm */
    int word_labels;      /* libsvm: labels need not be integers */
    const char **ignore;  /* CSV: stb_ds array: names or numbers of columns that are left out */
    int ignore_given;     /* CSV: `ignore` has columns of this file, not of the file that the model was trained on */
    const char **nominal; /* CSV: names or numbers of columns whose values are texts, whatever they look like */
    const char **text_columns; /* CSV: names or numbers, or the model's names, of columns whose words are features */
    const char **dates;        /* CSV: COLUMN:ORDER of columns of dates, see text/date.h */
    int counts;                /* words: the value of a word is how often the row has it; otherwise it is 1 */
    uint32_t numbers;      /* CSV: the first so many features are columns of numbers, of which each row has all values:
                                  0, too, and NaN if the file lacks the column. NUMBERS_ALL: all such columns. Rows may
                                  leave out zeros of other features */
    unsigned missing;      /* CSV: enum missing */
    const char **gaps;     /* CSV: stb_ds array: other words for a missing value among numbers */
    const char **products; /* stb_ds array: A*B, or all; then all features have names. NULL: there are none */
    int text;              /* rows are lines of a label, a tab and a text */
    unsigned marks;        /* words: enum marks */
    uint32_t ngrams;       /* words: a feature has 1 to so many words; 0 counts as 1 */
    const char *letters;   /* words: what --letters says of pieces of words, see read_text.c; NULL: it says nothing */
    uint32_t letters_least, letters_most;
    uint32_t hash_bits;                    /* text: features are hashes of so many bits; 0: they are in a dictionary */
    const char *step_column[STEP_COLUMNS]; /* CSV: their names or numbers, which `ignore` has, too; NULL: none */
    const char *weights;                   /* name of a file of the rows' weights; NULL: none */
    const float *row_weight;               /* stb_ds array: the weights of all rows, from that file */
    int binarize;                          /* every value that is not 0 counts as 1 */
    uint32_t max_features;                 /* an index beyond it is an error, before anything is allocated for it */
    unsigned rows;                         /* enum row_form; a dense row that is made sparse loses its zeros */
    uint32_t width;                        /* how many values a row has that is made dense */
    uint32_t threads;                      /* 1: a stream (stream.h) reads in the caller's thread */
    int arriving;                          /* CSV: the first two records, and no more, tell what columns are */
    int finds_offsets;                     /* values of the first row from OFFSET_FROM on become offsets */
    tape *tape;                            /* keeps what a pipe gives, see text/lines.h; NULL: nothing is kept */
    unsigned read_for;                     /* enum read_for */
    int every_line; /* reader_next gives empty lines and rows that are left out, too, without a label */
    /* what a model expects, if rows are read for one */
    int predict;       /* rows are predicted: they need no label */
    uint32_t features; /* how many it has; 0: there is no model. Others are left out of rows that are predicted */
    int grows;         /* rows are learned, and their words, texts and indices that the model lacks are new features */
    int any_format;    /* its features have numbers and no names, so that rows may have any format */
    const char *refuse_new; /* why a feature that the model lacks is an error; NULL: such features are counted */
    char *const *names; /* stb_ds array: the names of features, which find columns; NULL: columns go by their place */
    const char *model_label;     /* CSV: name of the label column it was trained on; NULL: there was no header */
    int number_labels;           /* equal integers are one of its labels */
    const labels *model_labels;  /* NULL: there is no model */
    uint32_t model_label_column; /* CSV: number of that column, from 1; 0: it was not trained on CSV */
    size_t model_ignored;        /* CSV: how many columns it was trained without */
    const float *mean;           /* for MISSING_MEAN: of each feature; NULL: a missing value is a NaN, see rows_fill */
    const double *offset;        /* stb_ds array: what is subtracted from the values of each feature, see row.h */
    const uint8_t *date;         /* stb_ds array: enum date_order of each feature, see row.h */
} reader_options;

/* Do missing values become NaNs, which are filled when the means of all rows are known? */
static inline int reader_leaves_gaps(const reader_options *o)
{
    return o->missing == MISSING_MEAN && !o->mean;
}

#endif
