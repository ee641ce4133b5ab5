/* The processes that learn one model together. Here there is one (processes.c); examples/mpi has any number. Each
 * calls the same functions in the same order. What die() ends, it ends for all: the others hear of it in the next of these. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include "settings.h"

void processes_start(int argc, char **argv); /* before anything is printed: process 0 speaks for all */
void processes_end(void);
uint32_t process_number(void); /* of this process: 0 .. process_count() - 1 */
uint32_t process_count(void);
void processes_sum(uint64_t *number, size_t n);  /* each over all processes */
void processes_largest(float *number, size_t n); /* likewise; none below 0 */
uint64_t processes_least(uint64_t number);       /* of all processes */

/* Refuses options that need all rows in one process. */
void processes_check(const settings *s, const char *data);
const char *processes_first_file(const char *data); /* where columns and format are found */
/* Reads the next row of this process: its part of the data, in order. Like reader_next. */
int processes_read(reader *in);
/* After the last row: all agree on labels (none if a model has them), features and counts, and rows go to the
 * processes that have their shards, in the order of the data. first: values of the first row. */
void processes_deal(rows *data, labels *found, uint64_t *count, uint64_t *first, uint32_t shards, reader *in);

/* Mixes `count` numbers of the arrays of all shards, which begin with number `from`. */
typedef void mix_numbers(void *context, const pcn_shard *all, size_t from, size_t count);

/* Calls that for what all shards have learned, n numbers in an array, so that every process has the outcome in
 * `common`. own: the shards of this process. Returns the bytes that it has sent. */
uint64_t processes_mix(const pcn_arrays *common, size_t n, const pcn_shard *own, uint32_t shards, mix_numbers *mix,
                       void *context);

/* The same arrays, that many numbers further. */
static inline pcn_shard shard_from(pcn_shard of, size_t from)
{
    of.weight += from;
    if (of.sum) of.sum += from, of.rest += from;
    if (of.state) of.state += from;
    return of;
}

#endif
