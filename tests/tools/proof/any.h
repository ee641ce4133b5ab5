/* Any number of a range, for the prover; on every machine model. */
#include "__fc_builtin.h"

static int32_t any_int32(int32_t low, int32_t high)
{
    return (int32_t)Frama_C_long_interval(low, high);
}

static uint32_t any_uint32(uint32_t low, uint32_t high)
{
    return (uint32_t)Frama_C_unsigned_long_interval(low, high);
}

static int64_t any_int64(void)
{
    return (int64_t)Frama_C_long_long_interval(INT64_MIN, INT64_MAX);
}
