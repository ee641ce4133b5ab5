/* A team of one process. */
#include "team.h"

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

uint64_t team_least(uint64_t number)
{
    return number;
}

void team_deal(run *r)
{
    const uint32_t shards = r->s.shards;
    uint32_t s;
    for (s = 0; s < shards; s++) {
        const row_set own = {&r->data, s, shards, r->data.count / shards + (s < r->data.count % shards)};
        r->shards[s].rows = own;
    }
}

void team_mix(run *r)
{
    pcn_shard all[SHARDS_MOST];
    uint32_t s;
    for (s = 0; s < r->s.shards; s++) all[s] = shard_all(r, &r->shards[s]);
    shards_mix(r, all, 0, shard_numbers(r));
}
