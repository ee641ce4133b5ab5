/* Mixing: process k mixes part k of the numbers. All send it that part of the arrays of their shards, and it sends all
 * what comes out. */
#include "meet.h"

enum { ARRAYS = 4 };

/* Those of the model, which have n numbers each; returns how many. */
static uint32_t list_arrays(const pcn_arrays *of, size_t n, float *array[ARRAYS])
{
    uint32_t count = 0;
    array[count++] = of->memory;
    if (of->state) array[count++] = of->state;
    if (of->sum) {
        array[count++] = of->sum;
        array[count++] = of->sum + n;
    }
    return count;
}

/* Array number a of a shard, in the same order. */
static const float *shard_array(const pcn_shard *s, uint32_t a)
{
    if (a == 0) return s->weight;
    if (s->state && a-- == 1) return s->state;
    return a == 1 ? s->sum : s->rest;
}

/* What is sent for one array in a mixing: each part of n numbers goes to its process. */
typedef struct slices {
    const pcn_shard *own;
    uint32_t shards;
    size_t n;
    float *memory; /* the own part of the array of every shard, but for the own ones */
} slices;

static size_t part_bytes(size_t n, uint32_t k)
{
    return (size_t)(part_begin(n, k + 1) - part_begin(n, k)) * sizeof(float);
}

static uint32_t shards_of(uint32_t shards, uint32_t process)
{
    return process < shards ? (shards - 1 - process) / process_count() + 1 : 0;
}

/* Array number a of the shards of two other processes, from one and to one. */
static void trade_slices(const slices *c, uint32_t a, uint32_t to, uint32_t from)
{
    const uint32_t own = shards_of(c->shards, process_number()), theirs = shards_of(c->shards, from);
    const size_t in_bytes = part_bytes(c->n, process_number());
    uint32_t j;
    for (j = 0; j < own || j < theirs; j++) {
        const float *out = j < own ? shard_array(&c->own[j], a) + part_begin(c->n, to) : NULL;
        float *in = NULL;
        if (j < theirs) in = c->memory + (from + (size_t)j * process_count()) * (in_bytes / sizeof *in);
        trade(out, out ? part_bytes(c->n, to) : 0, to, in, in ? in_bytes : 0, from);
    }
}

static void gather(float *array, size_t n)
{
    const uint32_t size = process_count(), rank = process_number();
    uint32_t i;
    for (i = 1; i < size; i++) {
        const uint32_t to = (rank + i) % size, from = (rank + size - i) % size;
        trade(array + part_begin(n, rank), part_bytes(n, rank), to, array + part_begin(n, from), part_bytes(n, from),
              from);
    }
}

/* What each shard has counted: rows, updates, mistakes. */
static void gather_counts(const pcn_shard *own, uint32_t shards, pcn_count *learned)
{
    const uint32_t count = shards_of(shards, process_number());
    const size_t bytes = shards * sizeof *learned;
    uint32_t j;
    memset(learned, 0, bytes);
    for (j = 0; j < count; j++) learned[process_number() + j * process_count()] = own[j].count;
    processes_sum((uint64_t *)learned, bytes / sizeof(uint64_t));
}

/* The part of each shard's arrays: own ones where they are, others in c->memory: all shards of the first array, then
 * of the next. The clocks of others are looked at where they are: here they are as they must be. */
static void list_shards(const slices *c, const pcn_arrays *like, size_t from, size_t count, pcn_shard *all)
{
    const float *memory = c->memory;
    const size_t array = count * c->shards;
    pcn_count learned[SHARDS_MOST];
    uint32_t s;
    gather_counts(c->own, c->shards, learned);
    for (s = 0; s < c->shards; s++, memory += count) {
        const float *sum = memory + (like->state ? 2 : 1) * array;
        const pcn_shard of = {
            memory,     like->sum ? sum : NULL, like->sum ? sum + array : NULL, like->state ? memory + array : NULL,
            learned[s], learned[s].rows};
        all[s] = s % process_count() == process_number() ? shard_from(c->own[s / process_count()], from) : of;
    }
}

uint64_t processes_mix(const pcn_arrays *common, size_t n, const pcn_shard *own, uint32_t shards, mix_numbers *mix,
                       void *context)
{
    const uint32_t size = process_count(), rank = process_number();
    const size_t from = part_begin(n, rank), count = part_begin(n, rank + 1) - from;
    const uint64_t before = bytes_traded();
    static float *memory; /* of the same size in each epoch */
    float *array[ARRAYS];
    pcn_shard all[SHARDS_MOST];
    uint32_t arrays = list_arrays(common, n, array), a, i;
    slices c = {own, shards, n, NULL};
    if (!memory) memory = allocate_for_weights((size_t)arrays * shards * count, sizeof *memory);
    c.memory = memory;
    list_shards(&c, common, from, count, all);
    for (a = 0; a < arrays; a++, c.memory += shards * count)
        for (i = 1; i < size; i++) trade_slices(&c, a, (rank + i) % size, (rank + size - i) % size);
    mix(context, all, from, count);
    meet(); /* threads may not have been had */
    for (a = 0; a < arrays; a++) gather(array[a], n);
    return bytes_traded() - before;
}
