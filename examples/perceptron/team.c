/* A team of one process. */
#include "team.h"

void team_start(int argc, char **argv)
{
    (void)argc, (void)argv;
}

void team_end(void) {}

uint32_t team_rank(void)
{
    return 0;
}

uint32_t team_size(void)
{
    return 1;
}

void team_sum(uint64_t *number, size_t n)
{
    (void)number, (void)n;
}

void team_most(float *number, size_t n)
{
    (void)number, (void)n;
}

uint64_t team_least(uint64_t number)
{
    return number;
}

void team_check(const run *r, const char *data)
{
    (void)r, (void)data;
}

const char *team_first_file(const char *data)
{
    return data;
}

int team_read(reader *in)
{
    return reader_next(in);
}

void team_deal(run *r, reader *in)
{
    (void)r, (void)in;
}

void team_mix(run *r)
{
    pcn_shard all[SHARDS_MOST];
    uint32_t s;
    for (s = 0; s < r->s.shards; s++) all[s] = shard_all(r, &r->shards[s]);
    shards_mix(r, all, 0, shard_numbers(r));
}
