/* Linear trainers with memory for every option, for tests. Of N features and K classes at most: define both before. */
#ifndef TEST_LINEAR_H
#define TEST_LINEAR_H

#include "test.h"

#include <string.h>

typedef struct trainer {
    pcn_perceptron m;
    float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)];
    float batch[PCN_LINEAR_FLOATS(N, K)], state[PCN_LINEAR_FLOATS(N, K)];
} trainer;

/* With the parts that bits of enum pcn_part name, in memory that is not clean. setting: Winnow's threshold, AROW's
 * r. */
static inline void trainer_init(trainer *t, uint32_t features, uint32_t classes, unsigned parts, float setting)
{
    const size_t bytes = PCN_LINEAR_FLOATS(features, classes) * sizeof(float);
    pcn_perceptron *m = &t->m;
    memset(t, 0x5a, sizeof *t);
    CHECK(pcn_perceptron_init(m, features, classes, t->memory,
                              PCN_PERCEPTRON_FLOATS(features, classes) * sizeof(float)) == PCN_OK);
    if (parts & PCN_PART_FEATURE_MAJOR) CHECK(pcn_perceptron_use_feature_major(m) == PCN_OK);
    if (parts & PCN_PART_EXPONENTS)
        CHECK(pcn_perceptron_use_winnow(m, setting, (parts & PCN_PART_BALANCED) != 0, t->state, bytes) == PCN_OK);
    if (parts & PCN_PART_VARIANCES) CHECK(pcn_perceptron_use_confidence(m, setting, t->state, bytes) == PCN_OK);
    if (parts & PCN_PART_SUMS) CHECK(pcn_perceptron_use_averaging(m, t->sum, 2 * bytes) == PCN_OK);
    if (parts & PCN_PART_BATCH) CHECK(pcn_perceptron_use_batch(m, t->batch, bytes) == PCN_OK);
    if (parts & PCN_PART_ZERO_NEGATIVE) m->live.zero_negative = 1;
}

static inline pcn_arrays arrays_of(trainer *t)
{
    pcn_arrays a = {NULL, 0, NULL, 0, NULL, 0, NULL, 0};
    a.memory = t->memory, a.memory_bytes = sizeof t->memory;
    if (t->m.own.sum) a.sum = t->sum, a.sum_bytes = sizeof t->sum;
    if (t->m.own.batch) a.batch = t->batch, a.batch_bytes = sizeof t->batch;
    if (t->m.own.state) a.state = t->state, a.state_bytes = sizeof t->state;
    return a;
}

static inline int resize(trainer *t, uint32_t features, uint32_t classes)
{
    const pcn_arrays arrays = arrays_of(t);
    return pcn_perceptron_resize(&t->m, features, classes, &arrays);
}

/* What it has learned, in out[PCN_LINEAR_FLOATS]. */
static inline pcn_linear final_of(const pcn_perceptron *m, float *out)
{
    const size_t bytes = PCN_LINEAR_FLOATS(m->live.features, m->live.scores) * sizeof(float);
    pcn_linear model = m->live;
    CHECK(pcn_perceptron_final(m, &model, out, bytes) == PCN_OK && model.weight == out);
    return model;
}

static inline pcn_linear copy_of(const pcn_linear *m, float *out)
{
    pcn_linear copy = *m;
    CHECK(pcn_linear_copy(m, &copy, out, PCN_LINEAR_FLOATS(m->features, m->scores) * sizeof *out) == PCN_OK);
    return copy;
}

#endif
