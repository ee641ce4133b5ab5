/* What each feature of a row adds to its score: perceptron predict --explain. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "cli/json.h"
#include "model/model.h"

/* A row as the model predicts it (model_row), and what comes of it. */
typedef struct explained {
    pcn_vec x;
    const float *raw; /* its values as the user wrote them */
    uint64_t number;  /* from 1 */
    uint32_t label;   /* as model_row_label */
    uint32_t class;   /* predicted */
    const float *score;
} explained;

/* Its features by the size of value x weight, which is per unit of the value as written, at most `top`, then bias and sum: of the positive one of two labels;
 * of more, of the class over the next best. first: the number of the first feature. as_json: an object, not a table. */
void explain_row(FILE *f, const model *m, const explained *e, uint32_t top, uint32_t first, int as_json);

#endif
