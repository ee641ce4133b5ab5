/* train --online: each row is learned once, as it arrives; what is new in it appears in the model first. */
#ifndef ONLINE_H
#define ONLINE_H

#include "learn.h"

typedef struct online {
    training *t;
    reading *r;
    reader *in;
    float *class_weight;
    FILE *out;       /* of --predict; NULL: none */
    pcn_count count; /* of this run; mistakes: with --predict of the predictions, else of learning */
} online;

/* Learns the first row, which is in r->data and in the reader, and those that follow. */
void learn_online(online *a, training *t, reading *r, reader *in);

#endif
