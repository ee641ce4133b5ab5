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
    const size_t numbers = PCN_LINEAR_FLOATS(features, classes);
    pcn_perceptron *m = &t->m;
    memset(t, 0x5a, sizeof *t);
    CHECK(pcn_perceptron_init(m, features, classes, t->memory, PCN_PERCEPTRON_FLOATS(features, classes)) == PCN_OK);
    if (parts & PCN_PART_FEATURE_MAJOR) CHECK(pcn_perceptron_use_feature_major(m) == PCN_OK);
    if (parts & PCN_PART_EXPONENTS)
        CHECK(pcn_perceptron_use_winnow(m, setting, (parts & PCN_PART_BALANCED) != 0, t->state, numbers) == PCN_OK);
    if (parts & PCN_PART_VARIANCES) CHECK(pcn_perceptron_use_confidence(m, setting, t->state, numbers) == PCN_OK);
    if (parts & PCN_PART_SUMS) CHECK(pcn_perceptron_use_averaging(m, t->sum, 2 * numbers) == PCN_OK);
    if (parts & PCN_PART_BATCH) CHECK(pcn_perceptron_use_batch(m, t->batch, numbers) == PCN_OK);
    if (parts & PCN_PART_ZERO_NEGATIVE) m->model.zero_negative = 1;
}

static inline int learn(pcn_perceptron *m, pcn_vec x, int y)
{
    return m->model.classes == 1 ? pcn_perceptron_learn(m, x, y) : pcn_perceptron_learn_class(m, x, y);
}

#endif
