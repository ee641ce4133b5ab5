/* The jobs by the plainest loops: sums from left to right, nothing checked or counted. Predicting with 8 bits is in
 * hand.c, which checks nothing there either. */
#include "job.h"

#include "model.h"

#include <string.h>

#if JOB == LEARN_INTEGERS
typedef int32_t weight;
#ifdef SUM_32
typedef int32_t sum; /* it may overflow */
#else
typedef int64_t sum;
#endif
#else
typedef float weight;
typedef float sum;
#endif

enum { SCORES = CLASSES == 2 ? 1 : CLASSES };

#if JOB != PREDICT
static weight model_weight[SCORES * FEATURES], model_bias[SCORES];
#endif

static sum score(int c, const job_value *x)
{
    sum s = model_bias[c];
    int i;
    for (i = 0; i < FEATURES; i++) s += (sum)model_weight[c * FEATURES + i] * x[i];
    return s;
}

int job_predict(const job_value *x)
{
    sum highest = score(0, x);
    int best = 0, c;
    if (SCORES == 1) return highest >= 0;
    for (c = 1; c < SCORES; c++) {
        const sum s = score(c, x);
        if (s > highest) {
            highest = s;
            best = c;
        }
    }
    return best;
}

#if JOB == PREDICT
#include "frozen.h"
#else

void job_init(void)
{
    memset(model_weight, 0, sizeof model_weight);
    memset(model_bias, 0, sizeof model_bias);
}

static void step(int c, weight size, const job_value *x)
{
    int i;
    for (i = 0; i < FEATURES; i++) model_weight[c * FEATURES + i] += size * x[i];
    model_bias[c] += size;
}

int job_learn(const job_value *x, int y)
{
    const int guess = job_predict(x);
    if (guess == y) return 0;
    if (SCORES == 1) {
        step(0, y ? 1 : -1, x);
        return 1;
    }
    step(y, 1, x);
    step(guess, -1, x);
    return 1;
}

const void *job_state(uint32_t *bytes)
{
    *bytes = sizeof model_weight;
    return model_weight;
}

#endif
