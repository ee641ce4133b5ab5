/* What the parts of a team over MPI share: processes.c has the processes, parts.c what each reads, deal.c and mix.c what
 * they send each other. */
#ifndef MEET_H
#define MEET_H

#include "learn/processes.h"

#include <mpi.h>

/* All processes come here before they send anything: if one has failed, all end. So nothing may fail between this and
 * what is sent. */
void meet(void);

/* Sends bytes to one process and gets bytes from another, any number. */
void trade(const void *out, uint64_t out_bytes, uint32_t to, void *in, uint64_t in_bytes, uint32_t from);
uint64_t bytes_traded(void); /* sent to other processes until now */

/* Part k of n numbers begins there when each process has a part. */
static inline uint64_t part_begin(uint64_t n, uint32_t k)
{
    return n / process_count() * k + n % process_count() * k / process_count();
}

#endif
