/* train --shards: row i belongs to shard i mod S. Every shard learns an epoch of its rows by itself, from the weights
 * that all began with; then these are mixed. The order of a shard is that of a pass with a seed of its own, so what
 * comes out depends on S and not on the number of threads or processes. */
#ifndef SHARDS_H
#define SHARDS_H

#include "settings.h"

typedef struct shard {
    pcn_perceptron trainer;
    pcn_arrays arrays;
    row_set rows;
    int result;   /* of the last epoch: below 0 if a row could not be learned */
    uint32_t row; /* its number in `rows` */
} shard;

typedef struct shards {
    model *common; /* what comes of all */
    uint32_t count, seed, epoch;
    unsigned order; /* enum pcn_order */
    unsigned threads;
    shard *own;             /* stb_ds array: of this process */
    const pcn_shard *mixed; /* all shards, from number mixed_from of their arrays on */
    size_t mixed_from, mixed_count;
    double mix_seconds;
    uint64_t sent; /* bytes to other processes, in mixing */
} shards;

/* All but own, mixed and what is counted is set. */
void shards_start(shards *s, const rows *data);
void shards_learn(shards *s, uint32_t epoch); /* from 1: learns it, and mixes */
void shards_free(shards *s);
void fail_row(uint64_t number, int result) __attribute__((noreturn)); /* number: from 1 */

#endif
