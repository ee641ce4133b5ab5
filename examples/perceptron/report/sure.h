/* How sure predictions are, and whether they are that: measures of probabilities, and "I do not know".
 *
 *     log-loss   the mean of -ln p of the row's label; p counts as 2^-24 at least
 *     Brier      the mean of (p - o)^2, o = 1 or 0: of two labels of the positive one, of more summed over the labels
 *     reliability  rows in ten bins of p: of two labels of the positive one, of more of the label predicted
 *     ECE        the mean over rows of |mean p of the bin - share of its rows that are so|
 *
 * Rows whose label the model does not know are left out. */
#ifndef SURE_H
#define SURE_H

#include "cli/say.h"

#include <stddef.h>

enum { SURE_BINS = 10, REFUSAL_ROWS = 1000 };

typedef struct sure {
    uint64_t rows;
    double loss, brier; /* sums */
    struct {
        uint64_t rows, so;
        double p; /* sum */
    } bin[SURE_BINS];
} sure;

/* p: of each of `count` labels. */
void sure_add(sure *s, const float *p, uint32_t count, uint32_t label, uint32_t class);
void sure_say(const sure *s, uint32_t count, const char *positive, say *to); /* in JSON a member "probabilities" */

/* Refused are rows whose probability of an error is above `cost` (Chow 1970), or the `share` of rows whose label is
 * ahead by least: among the REFUSAL_ROWS before it a row has a place, ties by a sequence that is spread evenly. */
typedef struct refusal {
    float cost, share; /* NaN: not given */
    float gap[REFUSAL_ROWS];
    float least; /* error of all rows */
    uint64_t rows, refused;
    uint64_t labelled[2], errors[2]; /* [1]: of the refused */
} refusal;

/* error: its probability, not looked at for a share; gap: by how much the label is ahead; is_wrong: -1: unknown. */
int refusal_add(refusal *r, float error, float gap, int is_wrong);
void refusal_say(const refusal *r, say *to);

#endif
