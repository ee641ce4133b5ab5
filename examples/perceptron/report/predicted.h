/* How predictions are written: a line a row. */
#ifndef PREDICTED_H
#define PREDICTED_H

#include "model/model.h"

typedef struct predicted {
    const model *m;
    FILE *out;                       /* NULL: they are not written */
    int scores, probabilities, json; /* behind the label; json: of probabilities */
    uint32_t top;                    /* so many labels, the predicted one first; 0: all, in their order */
} predicted;

#define REFUSED "?" /* in the place of a label */

void predicted_header(const predicted *l);
void predicted_label(FILE *f, const char *label);    /* alone; one with a line break is quoted as in CSV */
void predicted_add(char **lines, const char *label); /* the same, to an stb_ds array */
/* Of scores or probabilities. number: of the row, from 1; p: of each label, where they are asked for. */
void predicted_row(const predicted *l, uint64_t number, uint32_t class, int refused, const float *score,
                   const float *p);
/* Ends the program if the file holds anything but predictions of this model, in any of these forms. */
void predicted_check_old(const model *m, const char *name);

#endif
