/* The jobs that only predict: there is nothing to begin or to learn, and the state is the weights of model.h, which
 * stands before. */
#ifndef BY_HAND_FROZEN_H
#define BY_HAND_FROZEN_H

void job_init(void) {}

int job_learn(const job_value *x, int y)
{
    (void)x, (void)y;
    return 0;
}

const void *job_state(uint32_t *bytes)
{
    *bytes = 0;
    return model_weight;
}

#endif
