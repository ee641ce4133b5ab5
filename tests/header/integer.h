/* Integer trainers and examples for them, for tests. Include perceptron.h first. */
#ifndef TEST_INTEGER_H
#define TEST_INTEGER_H

#include "random.h"
#include "test.h"

enum { N = 70, K = 3, WORDS = (N + 1) * K };

enum option { PLAIN, AVERAGED, OPTIONS };

typedef struct trainer {
    pcn_iperceptron m;
    int32_t memory[WORDS];
    int64_t sum[WORDS];
} trainer;

/* In memory that is not clean. */
static inline void trainer_init(trainer *t, uint32_t features, uint32_t classes, enum option with)
{
    const size_t words = PCN_IPERCEPTRON_NUMBERS(features, classes);
    memset(t, 0x5a, sizeof *t);
    CHECK(pcn_iperceptron_init(&t->m, features, classes, t->memory, words * sizeof *t->memory) == PCN_OK);
    if (with == AVERAGED) CHECK(pcn_iperceptron_use_averaging(&t->m, t->sum, words * sizeof *t->sum) == PCN_OK);
}

/* Of a trainer, or of its mean: all of these have 32 bits. */
static inline const int32_t *weights_of(const pcn_ilinear *m)
{
    CHECK(m->bits == 32 && m->scale == NULL);
    return (const int32_t *)m->weight;
}

typedef struct example { /* the same numbers twice; `few` without the zeros, and all ones if it can be */
    int16_t dense[N], value[N];
    uint32_t index[N];
    pcn_ivec full, few;
} example;

static inline void example_init(example *r, uint32_t n)
{
    uint32_t j, count = 0;
    int ones = 1;
    for (j = 0; j < n; j++) {
        if (r->dense[j] == 0) continue;
        ones &= r->dense[j] == 1;
        r->value[count] = r->dense[j];
        r->index[count++] = j;
    }
    r->full = pcn_idense(r->dense, n);
    r->few = ones ? pcn_iones(r->index, count) : pcn_isparse(r->index, r->value, count);
}

static inline int16_t random_between(int least, int most)
{
    return (int16_t)(least + (int)(random_bits() % (uint32_t)(most - least + 1)));
}

static inline void random_example(example *r, uint32_t n, int least, int most)
{
    uint32_t j;
    for (j = 0; j < n; j++) r->dense[j] = random_between(least, most);
    example_init(r, n);
}

#endif
