/* perceptron train: one run, of the rooms that it goes through. train.c leads through them, results.c tells of them. */
#ifndef RUN_H
#define RUN_H

#include "folds.h"
#include "streaming.h"
#include "testing.h"

extern const command command_train, command_compare;

typedef struct run {
    settings *s;
    options *o;
    model m;
    reading in;
    training t;
    progress progress;
    testing test;
    streaming a;
    fold_model fifth; /* by --probabilities, until the run's own training begins */
    int is_fifth;     /* it was interrupted before that: `m` is the model of `fifth` */
    float *label_weight;
    const char *name;  /* of the model */
    output out;        /* open while learning */
    int whole;         /* a model of whole epochs has that name, by --checkpoint */
    uint32_t saved;    /* epochs of this run that it has learned */
    uint64_t had_rows; /* that the model had learned before this run */
    double began, read_seconds, train_seconds;
} run;

/* What is given, and what follows from it. */
void train_start(run *r, options *o, const char *data);
void train_read(run *r, const char *data); /* all rows, as --folds has them */

/* An interrupted epoch is given up for the model of whole epochs. */
static inline int gives_up(const run *r)
{
    return r->t.partial && r->whole;
}

/* Have rows of --test been read? Not if it was interrupted before. */
static inline int has_test(const run *r)
{
    return r->test.data.count > 0;
}

/* ---- results.c ---- */

FILE *results_file(const run *r);
void say_results(run *r, size_t bytes); /* there: in JSON all, to people how tests went; a summary on standard error */
/* Epochs that are left to learn of a run that was interrupted; that in which it was counts among them. */
uint32_t epochs_left(const run *r);
void print_way_on(const run *r, const char *data);

#endif
