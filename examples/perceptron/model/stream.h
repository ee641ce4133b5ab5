/* Rows that a thread of their own reads and parses while the caller works on those before: in blocks, in the
 * order of the file, in bounded memory (but for one row that is longer than a block). A block is handed over
 * when it is full and before the thread may have to wait for more text. With the reader's option of one
 * thread, or where no other can be had, the same in the caller's. */
#ifndef STREAM_H
#define STREAM_H

#include "rows.h"

typedef struct block {
    rows data;           /* labels are what take_row has returned; features: those that the reader knew then */
    unsigned long *line; /* stb_ds array: where each row began */
    char **label;        /* stb_ds array: texts that take_row has put here, new strings */
    uint8_t *is_word;    /* stb_ds array: likewise, of each new feature */
    float *raw;          /* stb_ds array: likewise, values as they were read */
} block;

/* Runs in the reading thread for each row; returns its label. It may change the values in the reader. When it ends the
 * program by die(), as when reading fails, that happens after the caller has had all rows before. */
typedef uint32_t take_row(void *context, reader *in, block *b);

enum { STREAM_BLOCKS = 4 };

typedef struct stream {
    reader *in;
    take_row *take;
    void *context;
    block blocks[STREAM_BLOCKS]; /* a ring */
    size_t read, taken;          /* blocks handed over and given back; those between are the caller's */
    int begun, ended;
    failure why; /* it ended: status 0 at the end of the file */
    pthread_t thread;
    pthread_mutex_t lock; /* of read, taken, ended */
    pthread_cond_t changed;
} stream;

void stream_start(stream *s, reader *in, take_row *take, void *context);
block *stream_next(stream *s); /* stays until the next call; NULL: that was all, the stream is closed */
/* Must the next call wait for rows that are still to be written, as those from a pipe or a terminal? */
int stream_waits(stream *s);
void stream_leave(stream *s); /* instead, when the program is to end: the thread ends with it */

#endif
