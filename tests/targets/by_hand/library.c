/* The jobs with the library, as its manual says. */
#include "job.h"

#if defined(__AVR__) && JOB <= PREDICT_8
#include <avr/pgmspace.h>
#define PCN_READ_WEIGHT(to, from) memcpy_P(to, from, sizeof *(to))
#endif
#define PERCEPTRON_STATIC
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_BIAS_STEP 1 /* as by hand */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#include "model.h"

#if JOB <= PREDICT_8

void job_init(void) {}

int job_learn(const job_value *x, int y)
{
    (void)x, (void)y;
    return 0;
}

int job_predict(const job_value *x)
{
#if JOB == PREDICT
    static const pcn_linear model = {model_weight, model_bias, FEATURES, CLASSES, 0, 0, 0};
    return pcn_linear_predict(&model, pcn_dense(x, FEATURES));
#else
    static const pcn_ilinear model = {model_weight, model_bias, model_scale, FEATURES, CLASSES, 8, 0};
    return pcn_ilinear_predict(&model, pcn_idense(x, FEATURES));
#endif
}

const void *job_state(uint32_t *bytes)
{
    *bytes = 0;
    return model_weight;
}

#elif JOB == LEARN_INTEGERS

static pcn_iperceptron trainer;
static int32_t memory[PCN_IPERCEPTRON_NUMBERS(FEATURES, 2)];

void job_init(void)
{
    (void)!pcn_iperceptron_init(&trainer, FEATURES, 2, memory, sizeof memory);
}

int job_learn(const job_value *x, int y)
{
    return pcn_iperceptron_learn(&trainer, pcn_idense(x, FEATURES), y);
}

int job_predict(const job_value *x)
{
    return pcn_iperceptron_predict(&trainer, pcn_idense(x, FEATURES));
}

const void *job_state(uint32_t *bytes)
{
    *bytes = sizeof memory;
    return memory;
}

#else

static pcn_perceptron trainer;
static float memory[PCN_PERCEPTRON_FLOATS(FEATURES, CLASSES)];

void job_init(void)
{
    (void)!pcn_perceptron_init(&trainer, FEATURES, CLASSES, memory, sizeof memory);
}

int job_learn(const job_value *x, int y)
{
    return pcn_perceptron_learn(&trainer, pcn_dense(x, FEATURES), y);
}

int job_predict(const job_value *x)
{
    return pcn_perceptron_predict(&trainer, pcn_dense(x, FEATURES));
}

const void *job_state(uint32_t *bytes)
{
    *bytes = PCN_LINEAR_FLOATS(FEATURES, CLASSES) * sizeof *memory;
    return memory;
}

#endif
