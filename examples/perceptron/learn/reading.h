/* The rows to learn from: reading them as far as has to be before learning begins, and finding labels and features. */
#ifndef READING_H
#define READING_H

#include "settings.h"

/* How the rows come to be learned. */
enum path {
    PATH_COLLECT, /* all are read first */
    PATH_STREAM,  /* each as it is read: classes and features are given, or the model's */
    PATH_GUESS,   /* likewise, but classes and features are taken from the first rows */
    PATH_TWICE,   /* likewise, but the file is read once before to find them: when the guess was wrong, or
                     something depends on them */
    PATH_ONLINE   /* likewise, but classes and features appear with the rows */
};

typedef struct reading {
    settings *s;
    options *o;
    model *m; /* whose labels and features are found, or known */
    enum path path;
    labels found; /* in order of appearance */
    rows data;
    unsigned long *line;               /* stb_ds array: where the first rows of a stream began */
    uint32_t classes;                  /* by --classes; 0: not given */
    uint64_t rows;                     /* read */
    uint64_t first;                    /* values that the first row has */
    int wrong;                         /* the guess */
    uint32_t had_labels, had_features; /* of the model before this training */
    char **recalled;                   /* stb_ds array: m->kept of the model to resume; texts of options lie there */
} reading;

void reading_start(reading *r, model *m, settings *s, options *o, enum path path);
/* Reads as far as r->path says: rows, labels and features. The rows then have classes of the model, which has no
 * weights yet if it is new. 1 if there may be more rows. */
int reading_begin(reading *r, reader *in, const char *name);
/* The label of the row just read: that of a model that is there, else in r->found. A new one is added, or is an
 * error. */
uint32_t reading_label(reading *r, const reader *in);
/* Names and room for the features that have come. */
void reading_take_new(reading *r, reader *in);
/* For a stream: the class of a row, which is made ready to be learned. */
uint32_t reading_take(void *reading, reader *in);
void reading_free(reading *r); /* all but the model */

/* ---- prepare.c ---- */

/* All that is done with rows, and found from them, before learning. With --validate some are moved to held_out. */
void prepare_rows(model *m, const settings *s, rows *data, rows *held_out);

#endif
