/* Declares what the files of this room share: read_*.c make rows of lines, and reader.c asks the one that can. */
#ifndef READER_PARTS_H
#define READER_PARTS_H

#include "text/date.h"
#include "text/field.h"
#include "text/number.h"
#include "row.h"

#define FASTTEXT "__label__" /* stands before a label of --text */
#define SEVERAL_LABELS "several labels (%s): one a row; with several, train a model for each label against the others"

/* ---- read_row.c: rows of every format ---- */

/* Ends the program as reader_fail does. column: from 1 in the line. */
void reader_fail_at(const reader *r, size_t column, const char *format, ...)
    __attribute__((noreturn, format(SYSTEM_PRINTF, 3, 4)));
const char *reader_by(const reader *r); /* returns what stands before an option that a sentence proposes */

/* Returns the column of p in the line, from 1. */
static inline size_t reader_column(const reader *r, const char *p)
{
    return lines_column(&r->lines, p);
}

enum { LONG_NUMBER = 8 };      /* characters of a number that sets reader.has_long if it has more */
#define BEYOND_DOUBLES 0x1p53F /* from here on doubles are even numbers */

enum { PLAIN_LABEL = 16 }; /* bytes, enough for an integer of nine digits */

void reader_reserve(reader *r, size_t count); /* makes room for so many indices and values */

/* Takes text[0 .. length) in the buffer as the row's label, an integer in one spelling if labels are numbers. words: it
 * need not be an integer. */
void reader_set_label(reader *r, const char *text, size_t length, size_t column, int words);

/* Say whether reader_next gives an empty line, or a row that is not learned, without a label. 0: it passes over it. */
int reader_takes_empty(reader *r);
int reader_takes_left_out(reader *r);
/* Returns why a new feature is an error, or NULL if it is not. */
static inline const char *reader_refuses_new(const reader *r)
{
    return r->own.left_out ? NULL : r->options.refuse_new;
}

/* Returns what is subtracted from values of the feature. */
static inline double reader_offset(const reader *r, uint32_t feature)
{
    return feature < arrlenu(r->offset) ? r->offset[feature] : 0;
}

/* Subtracts the offset from values of the feature from now on, that of the first row included. */
void reader_set_offset(reader *r, uint32_t feature, double offset);
/* Returns the number at `text`, whose float is `value`, less its offset. A first row may set the offset. */
float reader_less_offset(reader *r, uint32_t feature, const char *text, float value);

/* Sorts the row's indices from that place on, with their values. Equal indices keep their order. */
void reader_sort(reader *r, size_t from);

/* Begins the dictionary with the features of the model; before the first row of features that have names. */
void reader_begin_names(reader *r);
/* Appends the feature of that name, with the value 1. A new feature joins the dictionary; if the model takes no new
 * one, it is counted and left out. */
void reader_add_named(reader *r, const char *name);

/* ---- read_text.c ---- */

/* Appends the words of the text, sorted, each once. column: its words are features column:word; NULL: they are
 * words. */
void reader_add_words(reader *r, const char *column, const char *text);

/* ---- read_products.c ---- */

/* Appends the products of the row's features by --products. Features must have names; numbers of libsvm text become
 * names. */
void reader_add_products(reader *r);

/* ---- read_fields.c: fields of CSV, and what the columns of its first records hold ---- */

extern const option_need need_new_columns; /* what options need that say what columns are */

/* Ends the program if the fields of the line seem to be separated by something else. */
void reader_check_separator(reader *r, const char *line);
void reader_cut_fields(reader *r); /* cuts the record in place; reads on where a field in quotes spans lines */
char *reader_field(const reader *r, size_t i);
int is_gap(const reader *r, const char *text);           /* Is it a missing value in a column of numbers? */
int is_missing_label(const reader *r, const char *text); /* Is it a missing value, and not a label of the model? */

/* Returns the text as the weight of a row. Ends the program if it is not one. */
float reader_take_weight(const text_lines *l, const char *text, size_t column);
int reader_weigh(reader *r); /* gives the next row its weight of --weights; returns 0 if the row is passed over */

enum { SAMPLE_ROWS = 100 };

/* What the fields of a column are, behind the first record. */
typedef struct sampled {
    uint32_t numbers, texts, gap_words, gaps; /* how many are such; a column without numbers has gap_words as texts */
    char *text;                               /* the first text; NULL: there is none */
    date_count dates;                         /* what dates are among the texts, in a column that is not one of dates */
    int differs, phrases;                     /* the texts are not all alike; a text has a blank */
    int open;                                 /* its kind is wanted, and no field has told it yet */
} sampled;

typedef struct sample {
    size_t columns, rows; /* rows of cells: the first record, and up to SAMPLE_ROWS records behind it */
    char *text;           /* stb_ds array: the texts of all cells */
    size_t *cell;         /* stb_ds array: where each cell begins in `text`, row by row */
    sampled *of;          /* each column */
    size_t at, open;      /* the column of the next field; how many columns are open */
    const char *next;     /* where the next field begins in what has been read */
    int single;           /* the sample takes one record at a time */
} sample;

/* Are rows learned as they come, so that the reader must not wait for more than the next one? */
static inline int reader_streams(const reader_options *o)
{
    return o->arriving || o->features > 0;
}

void sample_start(sample *s, reader *r);   /* takes the first record */
void sample_records(sample *s, reader *r); /* takes those that fit in the buffer, too; of a stream only the next */
void sample_on(sample *s, reader *r);   /* takes more until no column is open or the file ends; keeps those of a pipe */
void sample_rest(sample *s, reader *r); /* takes the record in hand and all behind it, which cannot be read then */
void sample_count(sample *s, const reader *r, size_t i, const char *text); /* counts one more field of column i */
/* Returns the order of a column's dates by date_count_order, if the column is not yet one of dates. */
static inline enum date_order sampled_order(const sampled *of)
{
    return date_count_order(&of->dates, of->numbers + of->texts);
}
/* Do the fields tell what the column holds? */
static inline int sampled_tells(const sampled *of)
{
    return of->numbers + of->texts > 0 && sampled_order(of) != DATE_UNCLEAR;
}
void sample_free(sample *s);

/* ---- read_columns.c ---- */

/* Finds out what the columns are, from the first record in r->own.fields. Returns 1 if that is a header. */
int reader_take_columns(reader *r);

/* ---- read_plain.c ---- */

/* Makes a row of zeros, or of gaps for the features that the file lacks. */
void reader_clear_row(reader *r);
/* Takes a record of numbers and perhaps a label, without quotes and blanks. Returns 0 if the record is not such. */
int reader_take_plain(reader *r);

/* ---- read_refused.c ---- */

/* Says what is wrong with the value of column i, and with all columns from this record on. */
void fail_value(reader *r, size_t i, const char *text) __attribute__((noreturn));
/* Appends --option and the column: its name in quotes, or its number if the name cannot stand there. */
void append_column(const reader *r, char **list, const char *option, size_t i);
/* Ends the program because the dates of some columns can be read in two ways. */
void fail_unclear(const reader *r, const sample *s) __attribute__((noreturn));

/* ---- read_header.c ---- */

#define NO_COLUMN SIZE_MAX
/* Returns the place of the column of that name, or of that number from 1. */
size_t find_column(const reader *r, const char *text, int header);
/* Returns the place of a column of --ignore. A number that a model remembers is that in the file it was trained on. */
size_t find_ignored(const reader *r, const char *text, int header);
/* Returns how many columns the model's file had: those of its features, ignored ones, and the label. */
size_t trained_columns(const reader *r);
/* Returns the number of column i in that file: one more than here behind the label, if this file lacks the label
 * only. */
size_t trained_number(const reader *r, size_t i);
size_t label_by_number(const reader *r); /* returns the place of the label's column, if columns have no names */
/* May the first record be a header, so that the next record must tell what columns are? */
int must_see_more(const reader *r, const sample *s);
/* Is the first record a header? Ends the program if it cannot know that. */
int is_header(const reader *r, const sample *s, name_number *prefixes);

/* ---- read_names.c ---- */

int names_have(name_number *map, const char *name);
int names_product(const reader_options *o, const char *name); /* Is it a product of features? */
/* Puts the names of features into r->own.dictionary. Returns a map of what may be names of columns of texts or words,
 * with the kind of column: all that stands before an = in a name, and --text-column. */
name_number *names_take(reader *r);
/* Do features have the numbers of columns as names, as they have without a header if some columns hold texts? */
int names_are_numbers(const reader_options *o);
size_t names_columns(const reader_options *o); /* counts the columns that features with names come from */
size_t names_needed(const reader_options *o);  /* counts the columns that features of the model come from */
/* Refuses a file that lacks columns of the model, unless what is missing counts as something, or --ignore leaves it
 * out. */
void names_check(const reader *r);
const char *names_lacking_hint(const reader *r); /* returns what helps if the file lacks some */

#endif
