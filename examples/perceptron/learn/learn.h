/* The passes over the rows. */
#ifndef LEARN_H
#define LEARN_H

#include "advice.h"
#include "cli/say.h"
#include "model/stream.h"
#include "reading.h"
#include "shards.h"
#include "progress.h"

typedef struct training training;
typedef void epoch_ended(void *context, const epoch_result *e);
typedef int goes_on(const training *t); /* asked between blocks of rows; 0: it is given up, and of no use */

struct training {
    const settings *s;
    model *m;
    const float *label_weight; /* of each: multiplies its steps */
    rows *data;
    rows held_out;
    fit_rows *scored; /* takes what models of folds say of their rows; NULL: nobody asks */
    unsigned order;   /* enum pcn_order */
    /* The family's, or an observer's. */
    int (*learn)(model *m, const pcn_vec *x, uint32_t class, float weight, uint32_t id);
    pcn_pass pass;
    pcn_count begun; /* what is counted as an epoch begins */
    uint64_t rows;   /* learned from in an epoch, by all processes */
    int partial;     /* the last epoch was interrupted */
    label_order labels;
    shards shards;
    /* by --pocket or --validate */
    pcn_linear kept; /* in kept_memory; no weights: nothing is kept */
    float *kept_memory;
    uint32_t kept_errors; /* of the weights in the pocket */
    /* NULL: nobody looks on */
    progress *progress;
    epoch_ended *ended;
    goes_on *goes_on;
    void *context;
    int given_up;
};

/* Who looks on while train learns: all that learning knows of it. */
typedef struct observer {
    void (*run_begins)(training *t, FILE *results); /* rows are there; it may take the place of t->learn */
    void (*epoch_ended)(training *t, uint32_t epochs);
    void (*run_ended)(training *t, int is_saved); /* before the model is saved, unless it is given up */
    void (*say_more)(const training *t, say *to); /* what it has to say; in JSON members of an object */
} observer;
extern const observer *train_observer; /* NULL: nobody */

/* s, m, label_weight, order, threads of the shards, and who looks on are set. Of the model there are weights. */
void training_start(training *t, rows *data);
void training_begin(training *t); /* before the first epoch of rows that are all there */
void learn_collected(training *t);
/* Row i of d, which voted and kernel models know by that number; below 0: an error of perceptron.h. */
int training_learn_row(training *t, const rows *d, uint32_t i, uint32_t id);
void training_end_epoch(training *t);               /* of rows that were learned one by one */
const pcn_linear *training_kept(const training *t); /* NULL: nothing */
void training_free(training *t);

#endif
