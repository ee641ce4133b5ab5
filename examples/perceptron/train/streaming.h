/* Streamed rows: each is learned once, as it is read, and not kept. What is new in it appears in the model first. */
#ifndef STREAMING_H
#define STREAMING_H

#include "learn/learn.h"

/* A learner, and what it does with the rows of a step. */
typedef struct side {
    struct streaming *a;
    model *m;
    float *score;   /* room for those of a row */
    uint32_t *said; /* of each row the class that it predicted; nobody else can have it */
    uint8_t *right; /* of two learners: was that its label? */
    int result;     /* below 0: an error of perceptron.h, at row `failed` */
    uint32_t failed;
} side;

typedef struct streaming {
    training *t;
    reading *r;
    stream rest; /* the rows behind the first */
    int more;    /* it has begun */
    float *label_weight;
    output out;     /* of --predict; no file: none */
    char *answers;  /* stb_ds array: what is still to be written there */
    int failed;     /* errno, if that could not be written; else 0 */
    int calibrates; /* on each row, before it is learned */
    /* a step: rows from .. end - 1 of d, all of which have labels */
    rows *d;
    uint32_t from, end, known; /* known: labels before it. A row with a new one is a step */
    side side[2];
    pcn_count begun; /* what the second had learned before */
    int swapped;     /* the first two labels came in descending order: see take_label */
    pcn_count count; /* of this run; mistakes: with --predict of the predictions, else of learning */
} streaming;

/* Learns the rows in r->data, of which the last is in the reader, and those that follow. Predictions that cannot be written
 * do not end that, unless nobody reads them any more. */
void learn_streamed(streaming *a, training *t, reading *r, reader *in);
void streaming_end(streaming *a); /* once the model is saved: ends the program if predictions could not be written */

#endif
