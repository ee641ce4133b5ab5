/* What the files of this room share: read_*.c make rows of lines, reader.c asks the one that can. */
#ifndef READER_PARTS_H
#define READER_PARTS_H

#include "text/date.h"
#include "text/field.h"
#include "text/number.h"
#include "row.h"

#define FASTTEXT "__label__" /* stands before a label of --text */
#define SEVERAL_LABELS "several labels (%s): one a row; with several, train a model for each label against the others"

/* ---- read_row.c ---- */

/* As reader_fail; column: from 1 in the line. */
void reader_fail_at(const reader *r, size_t column, const char *format, ...)
    __attribute__((noreturn, format(SYSTEM_PRINTF, 3, 4)));
const char *reader_by(const reader *r); /* stands before an option that a sentence tells of */

/* The column of p in the line. */
static inline size_t reader_column(const reader *r, const char *p)
{
    return lines_column(&r->lines, p);
}

enum { LONG_NUMBER = 8 };      /* characters; see reader.has_long */
#define BEYOND_DOUBLES 0x1p53F /* from here on doubles are even numbers */

enum { PLAIN_LABEL = 16 }; /* bytes, enough for an integer of nine digits */

void reader_reserve(reader *r, size_t count); /* room for as many indices and values */

/* Takes text[0 .. length) in the buffer as the row's label: words where welcome, numbers in one spelling if labels are
 * such. */
void reader_set_label(reader *r, const char *text, size_t length, size_t column, int words);

/* The text as the weight of a row; what is none ends the program. */
float reader_take_weight(const text_lines *l, const char *text, size_t column);
int reader_weigh(reader *r); /* the next row, by options.weights alone. 0: it is to be passed over */
/* For an empty line, and for a row that is not learned. 0: pass over it; otherwise it is given without a label. */
int reader_takes_empty(reader *r);
int reader_takes_left_out(reader *r);
/* Why a feature that is new is an error; NULL: it is not. */
static inline const char *reader_refuses_new(const reader *r)
{
    return r->own.left_out ? NULL : r->options.refuse_new;
}

/* 0: values of the feature are as they are written. */
static inline double reader_offset(const reader *r, uint32_t feature)
{
    return feature < arrlenu(r->offset) ? r->offset[feature] : 0;
}

/* Numbers from there on, which may be the first row's, are less that. */
void reader_set_offset(reader *r, uint32_t feature, double offset);
/* Returns the number at `text`, whose float is `value`, less its offset, which a first row may set. */
float reader_less_offset(reader *r, uint32_t feature, const char *text, float value);

/* Sorts the row's indices from that place on, which need not be single; equal ones keep their order. */
void reader_sort(reader *r, size_t from);

/* Before the first row of features that have names: those of the model. */
void reader_begin_names(reader *r);
/* Appends the feature of that name: from the dictionary, or a new one; what a model does not know is counted. */
void reader_add_named(reader *r, const char *name);

/* Appends the words of the text, sorted, each once; of a column, as column:word, unless that is NULL. */
void reader_add_words(reader *r, const char *column, const char *text);

/* Appends the products of the row's features, which have names, by --products; of libsvm text their numbers are
 * names. */
void reader_add_products(reader *r);

/* ---- CSV: read_fields.c, read_columns.c ---- */

extern const option_need need_new_columns; /* of options that say what columns of CSV are */

/* Ends the program if the fields of the line seem to be separated by something else. */
void reader_check_separator(reader *r, const char *line);
void reader_cut_fields(reader *r); /* of the record, in place; reads on where a field in quotes spans lines */

enum { SAMPLE_ROWS = 100 };

typedef struct sampled {                      /* of a column, behind the first record: how many fields are such */
    uint32_t numbers, texts, gap_words, gaps; /* gap_words: of a column without numbers they are texts */
    char *text;                               /* the first text; NULL: there is none */
    date_count dates;                         /* among the texts, while it is no column of dates */
    int differs, phrases;                     /* another text is not like it; some text has a blank */
    int open;                                 /* what tells its kind is wanted, and has not come yet */
} sampled;

typedef struct sample {
    size_t columns, rows; /* rows of cells: the first record, and up to SAMPLE_ROWS behind it */
    char *text;           /* stb_ds array */
    size_t *cell;         /* stb_ds array: where each begins in `text`, row by row */
    sampled *of;          /* each column */
    size_t at, open;      /* the column of the next field; how many columns are open */
    const char *next;     /* where it begins in what has been read */
    int single;           /* one record is taken at a time */
} sample;

/* Are rows learned as they come, so that no more than the next one is waited for? */
static inline int reader_streams(const reader_options *o)
{
    return o->arriving || o->features > 0;
}

void sample_start(sample *s, reader *r);   /* of the first record */
void sample_records(sample *s, reader *r); /* and those in memory when the buffer is full; as they arrive: the next */
void sample_on(sample *s, reader *r);      /* and more, until no column is open or the file ends; a pipe keeps it */
void sample_rest(sample *s, reader *r);    /* of the record in hand, and all behind it, which are used up */
void sample_count(sample *s, const reader *r, size_t i, const char *text); /* one more field of column i */
/* The order of a column's dates, as date_count_order finds it, while the column is none of dates. */
static inline enum date_order sampled_order(const sampled *of)
{
    return date_count_order(&of->dates, of->numbers + of->texts);
}
/* Have there been fields enough to know what it holds? */
static inline int sampled_tells(const sampled *of)
{
    return of->numbers + of->texts > 0 && sampled_order(of) != DATE_UNCLEAR;
}
void sample_free(sample *s);
/* Finds out what the columns are, from the first record in r->own.fields. 1 if that is a header. */
int reader_take_columns(reader *r);
char *reader_field(const reader *r, size_t i);
int is_gap(const reader *r, const char *text);           /* among numbers */
int is_missing_label(const reader *r, const char *text); /* and no label of the model */

/* ---- read_plain.c ---- */

/* A row of zeros, or of gaps: those of the features that the file lacks stay. */
void reader_clear_row(reader *r);
/* Takes a record of numbers and perhaps a label without quotes and blanks; 0 if it is not such. */
int reader_take_plain(reader *r);

/* ---- read_refused.c ---- */

/* Says what is wrong with the value of column i, and with all columns from this record on. */
void fail_value(reader *r, size_t i, const char *text) __attribute__((noreturn));
/* Appends --option and the column: its name in quotes, or its number if the name cannot stand there. */
void append_column(const reader *r, char **list, const char *option, size_t i);
/* Ends the program: the dates of some columns can be read in two ways. */
void fail_unclear(const reader *r, const sample *s) __attribute__((noreturn));

/* ---- read_header.c ---- */

#define NO_COLUMN SIZE_MAX
/* The place of the column of that name, or number from 1. */
size_t find_column(const reader *r, const char *text, int header);
/* The same of one of --ignore; a number that a model remembers is that in the file it was trained on. */
size_t find_ignored(const reader *r, const char *text, int header);
size_t trained_columns(const reader *r); /* that the model's file had: those of its features, ignored ones, the label */
/* The number of column i in that file: behind the label one more than here, if it is the label that this one lacks. */
size_t trained_number(const reader *r, size_t i);
size_t label_by_number(const reader *r); /* the place of the label's column without names; NO_COLUMN: it has none */
/* May the first record be a header, so that the next one tells what columns are? */
int must_see_more(const reader *r, const sample *s);
/* Ends the program if that cannot be known. */
int is_header(const reader *r, const sample *s, name_number *prefixes);

/* ---- read_names.c ---- */

int names_have(name_number *map, const char *name);
int names_product(const reader_options *o, const char *name); /* is it a product of features? */
/* The features by their names into r->own.dictionary; returns what may be names of columns of texts or words, and
 * which: a map of all that stands before an = in a name, and of --text-column. */
name_number *names_take(reader *r);
/* Do the features have the numbers of columns as names, as without a header if some columns hold texts? */
int names_are_numbers(const reader_options *o);
size_t names_columns(const reader_options *o); /* how many columns the features come from */
size_t names_needed(const reader_options *o);  /* the same of a model, with names or without; 0: there is none */
/* The columns of the model that the file lacks are an error, unless what is missing counts as something. What --ignore
 * leaves out is meant to be. */
void names_check(const reader *r);
const char *names_lacking_hint(const reader *r); /* what helps if the file lacks some */

#endif
