/* The first two jobs by what `perceptron export --predict` writes, of a model of its own. */
#include "job.h"

#include <stddef.h>

#if JOB == PREDICT
#include "floats.h"
#else
#include "bytes.h"
#endif

void job_init(void) {}

int job_learn(const job_value *x, int y)
{
    (void)x, (void)y;
    return 0;
}

int job_predict(const job_value *x)
{
    return model_predict(NULL, x, FEATURES);
}

const void *job_state(uint32_t *bytes)
{
    *bytes = 0;
    return model_weight;
}
