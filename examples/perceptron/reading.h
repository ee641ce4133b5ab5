/* The rows to learn from: reading them as far as has to be before learning begins, and finding labels and features. */
#ifndef READING_H
#define READING_H

#include "settings.h"

/* How the rows come to be learned. */
enum path {
    PATH_COLLECT, /* all are read first */
    PATH_STREAM,  /* each as it is read: classes and features are given, or the model's */
    PATH_GUESS,   /* likewise, but classes and features are taken from the first rows */
    PATH_TWICE    /* likewise, but the file is read once before to find them: when the guess was wrong, or
                     something depends on them */
};

typedef struct reading {
    settings *s;
    options *o;
    model *m;            /* whose labels and features are found, or known */
    enum path path;
    labels found;        /* in order of appearance */
    rows data;
    unsigned long *line; /* stb_ds array: where the first rows of a stream began */
    uint64_t rows;       /* read */
    uint64_t first;      /* values that the first row has */
    int wrong;           /* the guess */
    char **recalled;     /* stb_ds array: m->kept of the model to resume; texts of options lie there */
} reading;

void reading_start(reading *r, model *m, settings *s, options *o, enum path path);
/* Reads as far as r->path says: rows, labels and features. The rows then have classes of the model, which has no
 * weights yet if it is new. 1 if there may be more rows. */
int reading_begin(reading *r, reader *in, const char *name);
/* For a stream: the class of a row, which is made ready to be learned. */
uint32_t reading_take(void *reading, reader *in);
void reading_free(reading *r); /* all but the model */

/* ---- prepare.c ---- */

/* All that is done with rows, and found from them, before learning. With --validate some are moved to held_out. */
void prepare_rows(model *m, const settings *s, rows *data, rows *held_out);

#endif
