/* The processes that learn one model together. Here there is one (team.c); examples/mpi has any number. Each calls the
 * same functions in the same order. What die() ends, it ends for all: the others hear of it in the next of these. */
#ifndef TEAM_H
#define TEAM_H

#include "train.h"

void team_start(int argc, char **argv); /* before anything is printed: process 0 speaks for all */
void team_end(void);
uint32_t team_rank(void); /* of this process: 0 .. team_size() - 1 */
uint32_t team_size(void);
void team_sum(uint64_t *number, size_t n);  /* each over all processes */
void team_most(float *number, size_t n);    /* likewise; none below 0 */
uint64_t team_least(uint64_t number);       /* of all processes */

/* Refuses options that need all rows in one process. */
void team_check(const run *r, const char *data);
const char *team_first_file(const char *data); /* where columns and format are found */
/* Reads the next row of this process: its part of the data, in order. Like reader_next. */
int team_read(reader *in);
/* After the last row: all agree on labels, features and counts, and rows go to the processes that have their shards, in
 * the order of the data. */
void team_deal(run *r, reader *in);
/* Mixes what the shards have learned into the model of every process. */
void team_mix(run *r);

#endif
