/* The processes that learn one model together. Here there is one (team.c); examples/mpi has any number. */
#ifndef TEAM_H
#define TEAM_H

#include "train.h"

uint32_t team_rank(void); /* of this process: 0 .. team_size() - 1 */
uint32_t team_size(void);
void team_sum(uint64_t *number, size_t n);  /* each over all processes */
uint64_t team_least(uint64_t number);       /* of all processes */

/* Gives every shard its rows: row i of the data is row i / S of shard i mod S. */
void team_deal(run *r);
/* Mixes what the shards have learned into the model of every process. */
void team_mix(run *r);

#endif
