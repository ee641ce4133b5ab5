/* Mixing: process k mixes part k of the numbers. All send it that part of the arrays of their shards, and it sends all
 * what comes out. */
#include "meet.h"

enum { ARRAYS = 4 };

/* Those of a trainer, which have n numbers each; returns how many. */
static uint32_t list_arrays(const pcn_perceptron *t, size_t n, float *array[ARRAYS])
{
    uint32_t count = 0;
    array[count++] = t->weight;
    if (t->state) array[count++] = t->state;
    if (t->sum) {
        array[count++] = t->sum;
        array[count++] = t->sum + n;
    }
    return count;
}

/* What is sent for one array in a mixing: each part of n numbers goes to its process. */
typedef struct slices {
    run *r;
    size_t n;
    float *memory; /* the own part of the array of every shard, but for the own ones */
} slices;

static size_t part_bytes(size_t n, uint32_t k)
{
    return (size_t)(part_begin(n, k + 1) - part_begin(n, k)) * sizeof(float);
}

static uint32_t shards_of(const run *r, uint32_t process)
{
    return process < r->s.shards ? (r->s.shards - 1 - process) / team_size() + 1 : 0;
}

/* Array number a of the shards of two other processes, from one and to one. */
static void trade_slices(const slices *c, uint32_t a, uint32_t to, uint32_t from)
{
    const uint32_t own = shards_of(c->r, team_rank()), theirs = shards_of(c->r, from);
    const size_t in_bytes = part_bytes(c->n, team_rank());
    uint32_t j;
    for (j = 0; j < own || j < theirs; j++) {
        float *array[ARRAYS], *out = NULL, *in = NULL;
        if (j < own) {
            list_arrays(&c->r->shards[j].trainer, c->n, array);
            out = array[a] + part_begin(c->n, to);
        }
        if (j < theirs) in = c->memory + (from + (size_t)j * team_size()) * (in_bytes / sizeof *in);
        trade(out, out ? part_bytes(c->n, to) : 0, to, in, in ? in_bytes : 0, from);
    }
}

static void gather(float *array, size_t n)
{
    const uint32_t size = team_size(), rank = team_rank();
    uint32_t i;
    for (i = 1; i < size; i++) {
        const uint32_t to = (rank + i) % size, from = (rank + size - i) % size;
        trade(array + part_begin(n, rank), part_bytes(n, rank), to, array + part_begin(n, from), part_bytes(n, from),
              from);
    }
}

/* What each shard has counted: rows, updates, mistakes. */
static void gather_counts(const run *r, pcn_count *learned)
{
    const size_t bytes = r->s.shards * sizeof *learned;
    uint32_t j;
    memset(learned, 0, bytes);
    for (j = 0; j < arrlenu(r->shards); j++)
        learned[team_rank() + j * team_size()] = r->shards[j].trainer.learner.count;
    team_sum((uint64_t *)learned, bytes / sizeof(uint64_t));
}

/* The part of each shard's arrays: own ones where they are, others in memory: all shards of the first array, then
 * of the next. */
static void list_shards(const run *r, const float *memory, size_t from, size_t count, pcn_shard *all)
{
    const pcn_perceptron *t = &r->m.trainer;
    const size_t array = count * r->s.shards;
    pcn_count learned[SHARDS_MOST];
    uint32_t s;
    gather_counts(r, learned);
    for (s = 0; s < r->s.shards; s++, memory += count) {
        const float *sum = memory + (t->state ? 2 : 1) * array;
        const pcn_shard of = {memory, t->sum ? sum : NULL, t->sum ? sum + array : NULL,
                              t->state ? memory + array : NULL, learned[s]};
        const uint32_t own = s / team_size();
        all[s] = s % team_size() == team_rank() ? shard_from(shard_all(r, &r->shards[own]), from) : of;
    }
}

void team_mix(run *r)
{
    const uint32_t size = team_size(), rank = team_rank();
    const size_t n = shard_numbers(r), from = part_begin(n, rank), count = part_begin(n, rank + 1) - from;
    const uint64_t before = bytes_traded();
    static float *memory; /* of the same size in each epoch */
    float *array[ARRAYS];
    pcn_shard all[SHARDS_MOST];
    uint32_t arrays = list_arrays(&r->m.trainer, n, array), a, i;
    if (!memory) memory = allocate_for_weights((size_t)arrays * r->s.shards * count, sizeof *memory);
    list_shards(r, memory, from, count, all);
    for (a = 0; a < arrays; a++) {
        const slices c = {r, n, memory + (size_t)a * r->s.shards * count};
        for (i = 1; i < size; i++) trade_slices(&c, a, (rank + i) % size, (rank + size - i) % size);
    }
    shards_mix(r, all, from, count);
    meet(); /* threads may not have been had */
    for (a = 0; a < arrays; a++) gather(array[a], n);
    r->sent += bytes_traded() - before;
}
