/* Numbers for tests: the same everywhere, from integers only (xorshift32). Reset by random_state. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>
#include <string.h>

static uint32_t random_state = 1;

static inline uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static inline float from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

#endif
