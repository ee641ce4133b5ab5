/* The rows to learn from: reading them as far as has to be before learning begins, and finding labels and features. */
#ifndef READING_H
#define READING_H

#include "model/stream.h"
#include "settings.h"

typedef struct reading {
    settings *s;
    options *o;
    model *m;                          /* whose labels and features are found, or known */
    int streams;                       /* each row is learned as it is read; otherwise all are read first */
    labels found;                      /* in the order in which they come; in a stream those of the model come before */
    rows data;                         /* all, or of a stream the first that is learned, and those before it */
    uint32_t most_classes;             /* that there may be; 0: any number */
    int is_table;                      /* of the format */
    int given;                         /* --classes lists all labels */
    uint64_t rows;                     /* read */
    uint32_t typed;                    /* features of which it is known whether they are words */
    uint64_t first;                    /* values that the first row has */
    float any;                         /* 1: a value that is not 0 has come */
    uint32_t had_labels, had_features; /* of the model before this training */
    tape tape;                         /* of a pipe */
    char **recalled;                   /* stb_ds array: m->kept of the model to resume; texts of options lie there */
} reading;

void reading_start(reading *r, model *m, settings *s, options *o, int streams);
/* Reads all rows, or of a stream the first: they are in r->data. The model then has its labels and no weights yet if it
 * is new; of a stream those labels that are known beforehand. */
void reading_begin(reading *r, reader *in, const char *name);
/* For a stream, in the reading thread: makes a row ready to be learned. Returns the number of its label in r->found, and
 * puts the text of a new one into the block. */
uint32_t reading_take(void *reading, reader *in, block *b);
/* After the last row: names and room for the features that have come, and what has to have come. */
void reading_end(reading *r, reader *in);

/* ---- found_labels.c ---- */

/* --classes: the labels themselves into r->found, or how many there may be. */
void found_begin(reading *r, const reader *in);
/* The number of the row's label: among those of a model that goes on with rows in memory, else in r->found. */
uint32_t found_label(reading *r, const reader *in);
const char *found_fixed(const reading *r); /* why a model that goes on takes nothing new; NULL: it does */
void found_number(reading *r);             /* labels in order of appearance -> classes of the model */

/* ---- prepare.c ---- */

/* Before the first row: what the format tells of how rows are prepared. Means need all rows in one process. */
void settle_by_format(reading *r, const reader *in);
void settle_by_rows(reading *r, const reader *in); /* what is left to settle */
/* Once the first rows are there, and their features. */
void begin_preparation(reading *r, const reader *in);
void note_words(model *m, const reader *in, uint32_t features); /* which features are words, of those that are new */

/* All that is done with rows, and found from them, before learning. With --validate some are moved to held_out. */
void prepare_rows(model *m, const settings *s, rows *data, rows *held_out);

#endif
