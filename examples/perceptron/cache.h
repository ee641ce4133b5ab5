/* The rows of a text file as this machine has them, in a file that later runs read instead.
 *
 *     header    struct header of cache.c: numbers in the byte order and sizes of the machine that wrote it
 *     texts     each ended by a NUL: reader options, labels (ascending), feature names
 *     start     rows + 1 size_t: row i has the values start[i] .. start[i + 1] - 1
 *     label     rows uint32_t: the number of the label among the texts
 *     index     values uint32_t; not there if dense
 *     value     values float; not there if all are 1
 *
 * Arrays begin at multiples of 64 bytes, zeros between them. A CRC-32 guards header and texts, a sum of 64
 * bits the arrays. What was made from another state of the source, with other options, on another kind of
 * machine or by another version, or is damaged, is not used. */
#ifndef CACHE_H
#define CACHE_H

#include "rows.h"

typedef struct source_state { /* no padding: compared as bytes */
    uint64_t bytes, device, inode;
    int64_t modified[2], changed[2]; /* seconds and nanoseconds */
    uint64_t sum;                    /* of some blocks: not every file system tells every change */
} source_state;

typedef struct cache_key { /* the source and how it is read */
    source_state source;
    char *options; /* reader_options_text */
} cache_key;

typedef struct cache {
    rows data;
    labels labels; /* of data.label */
    char **names;  /* stb_ds array: as in reader */
    int dense;     /* as in reader */
    unsigned format;  /* enum format */
    char *label_name; /* as in reader, and its number */
    uint32_t label_number;
} cache;

/* Before the source is read. Ends the program if it is not a regular file. */
void cache_key_init(cache_key *key, const char *source, const reader_options *o);
/* Reads the file of that name; 0: there is none, or it is not to be used. A file that is no cache at all ends
 * the program. */
int cache_load(cache *c, const char *name, const cache_key *key);
void cache_free(cache *c);
/* `numbering`: what data.label counts; labels without rows are left out. */
void cache_save(const char *name, const cache_key *key, const rows *data, const labels *numbering, const reader *in);

#endif
