#include "learner.h"

#define LINEAR                                                                                                         \
    (CAN_BIAS | CAN_RULE | CAN_BATCH | CAN_SHARDS | CAN_KEEP | CAN_OTHERS | CAN_GROW | CAN_LEARN_ON | CAN_BE_WEIGHTS)
#define WINNOW (CAN_ALPHA | CAN_BATCH | CAN_SHARDS | CAN_KEEP | CAN_OTHERS | CAN_BE_WEIGHTS)
#define VECTORS (CAN_BIAS | CAN_RULE | CAN_KERNEL | CAN_DECISION | CAN_OTHERS)
#define AROW ((LINEAR & ~(unsigned)(CAN_RULE | CAN_BATCH | CAN_OTHERS)) | CAN_R | CAN_DECISION)

const learner learners[] = {
    {"perceptron", LINEAR, &linear_family, .bias = 1, .kernel = -1},
    {"averaged", LINEAR, &linear_family, .bias = 1, .kernel = -1, .decision = PCN_DECIDE_MEAN},
    {"winnow", WINNOW, &linear_family, .kernel = -1, .state = use_winnow, .eta = 0.1f},
    {"winnow1", WINNOW, &linear_family, .kernel = -1, .state = use_winnow, .threshold = 1, .most_classes = 2,
     .eliminates = 1, .values_01 = 1},
    {"winnow2", WINNOW, &linear_family, .kernel = -1, .state = use_winnow, .threshold = 1, .values_01 = 1},
    {"balanced-winnow", WINNOW, &linear_family, .kernel = -1, .state = use_winnow, .balanced = 1, .values_01 = 1},
    {"voted", VECTORS, &vector_family, .bias = 1, .kernel = KERNEL_LINEAR, .decision = PCN_DECIDE_VOTE},
    {"kernel", VECTORS, &vector_family, .kernel = KERNEL_RBF},
    {"arow", AROW, &linear_family, .bias = 1, .margin = 1, .kernel = -1, .state = use_confidence},
};
const uint32_t learner_count = LENGTH(learners);

const learner *learner_named(const char *name)
{
    const learner *k = learners;
    while (strcmp(k->name, name) != 0) k++;
    return k;
}

const char *learner_words(void)
{
    static char words[40 * LENGTH(learners)];
    char *to = words;
    size_t i;
    if (*words) return words;
    for (i = 0; i < learner_count; i++) to += sprintf(to, "%s%s", i ? "|" : "", learners[i].name);
    return words;
}
