/* The first job in the shapes that two generators give a linear model, written by hand to measure them; weights are
 * constants in the code. NUMBER double or float: an expression a class, as m2cgen, which writes doubles. VARARGS: each
 * class calls a loop with its weights as variable arguments, as micromlgen: C makes them doubles. */
#include "job.h"

#include "model.h"

#include "frozen.h"

#define SIXTEEN(of, c)                                                                                                 \
    of(c, 0) of(c, 1) of(c, 2) of(c, 3) of(c, 4) of(c, 5) of(c, 6) of(c, 7) of(c, 8) of(c, 9) of(c, 10) of(c, 11)      \
        of(c, 12) of(c, 13) of(c, 14) of(c, 15)

#ifdef VARARGS

#include <stdarg.h>

typedef float number;

static float dot(const float *x, ...)
{
    va_list weights;
    float sum = 0;
    int i;
    va_start(weights, x);
    for (i = 0; i < FEATURES; i++) {
        const float w = (float)va_arg(weights, double);
        sum += x[i] * w;
    }
    va_end(weights);
    return sum;
}

#define WEIGHT(c, i) , (double)model_weight[(c)*FEATURES + (i)]
#define SCORE(c) (dot(x SIXTEEN(WEIGHT, c)) + model_bias[c])

static void scores(const float *x, float *score)
{
    score[0] = SCORE(0);
    score[1] = SCORE(1);
    score[2] = SCORE(2);
    score[3] = SCORE(3);
}

#else

typedef NUMBER number;

#define PRODUCT(c, i) +input[i] * (number)model_weight[(c)*FEATURES + (i)]
#define SCORE(c) ((number)model_bias[c] SIXTEEN(PRODUCT, c))

static void scores(const float *x, number *score)
{
    number input[FEATURES];
    int i;
    for (i = 0; i < FEATURES; i++) input[i] = x[i];
    score[0] = SCORE(0);
    score[1] = SCORE(1);
    score[2] = SCORE(2);
    score[3] = SCORE(3);
}

#endif

int job_predict(const job_value *x)
{
    number score[CLASSES];
    int best = 0, c;
    scores(x, score);
    for (c = 1; c < CLASSES; c++)
        if (score[c] > score[best]) best = c;
    return best;
}
