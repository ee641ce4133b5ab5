/* Reads lines of a file or of standard input into a buffer, and marks their digits. */
#ifndef LINES_H
#define LINES_H

#include "cli/common.h"
#include "number.h"

#include <stdarg.h>

/* Keeps the bytes of a pipe, so that it can be read again. */
typedef struct tape {
    char *bytes; /* stb_ds array */
    int whole;   /* the pipe has ended */
} tape;

typedef struct text_lines {
    char *text; /* the line in hand, or a record of several lines, in the buffer; a NUL ends it */
    size_t length;
    unsigned long line; /* the number of its first line, from 1 */
    const char *name;   /* of the file */
    int live;           /* it is not a regular file: a read may wait for what is yet to be written */
    int has_quotes;     /* a carriage return may stand in quotes */
    /* Called before the file is read on. The caller sets it after lines_open; NULL: nothing is called. */
    void (*before_read)(void *context);
    void *context;
    /* the buffer */
    char *buffer; /* `room` bytes, and LINES_SLACK more that may be read */
    size_t room;
    char *breaks;        /* a bit for each character of the buffer, see mark_breaks */
    char *next, *end;    /* where what has been read and not used yet begins and ends */
    const char *newline; /* the end of the next line; NULL: it has not been looked for */
    int has_nul_or_cr;
    unsigned long next_line;
    int pending; /* lines_next gives `text` once more */
    /* the file */
    int file, ended;
    uint64_t from, left; /* the byte where reading began; how many bytes may be read yet */
    tape *tape;          /* keeps what a pipe gives; once that is whole, it is read instead; NULL: nothing is kept */
    int tapes;           /* the file cannot be read again, so that the tape keeps it */
    size_t played;       /* bytes read from the tape */
} text_lines;

/* Opens the file; `-` is standard input. *l must be all zeros. */
void lines_open(text_lines *l, const char *name, tape *t);
void lines_close(text_lines *l);
/* Goes on with the lines from byte `from` of a file, the beginning of a line, to byte `to`. */
void lines_move(text_lines *l, const char *name, uint64_t from, uint64_t to);
uint64_t lines_place(const text_lines *l); /* returns the byte of the file where the next line begins */

/* Puts the next line, without its end but with a NUL, at l->text + at. Returns 0 if there is no line. */
int lines_next(text_lines *l, size_t at);
/* Reads on once, and moves the record to the front of the buffer. Returns 0 if the file has ended. */
int lines_read_on(text_lines *l);
void lines_fill(text_lines *l);        /* reads on until the buffer is full or the file has ended */
void lines_fill_record(text_lines *l); /* reads on until there is a record of CSV behind the one in hand */

/* Keeps the record in hand, and where the file goes on behind it. */
typedef struct lines_ahead {
    uint64_t place, left;
    char *record;
    size_t length;
} lines_ahead;

/* Remembers the record in hand, before a regular file is read on past it; lines_look_back returns to it. */
void lines_look(const text_lines *l, lines_ahead *a);
void lines_look_back(text_lines *l, lines_ahead *a);

/* Ends the program with "file:line:column: what" about the record in hand. column: from 1; 0: of no column. */
void lines_fail(const text_lines *l, size_t column, const char *format, ...)
    __attribute__((noreturn, format(SYSTEM_PRINTF, 3, 4)));
void lines_fail_with(const text_lines *l, size_t column, const char *format, va_list arguments)
    __attribute__((noreturn));

/* Returns the column of p in the line, from 1. */
static inline size_t lines_column(const text_lines *l, const char *p)
{
    return (size_t)(p - l->text) + 1;
}

/* Bytes behind what has been read that may be read, too: the 64 that lines_breaks looks at, and some more. */
enum { LINES_SLACK = 80 };

/* Returns the end of what may be read of the buffer. */
static inline const char *lines_limit(const text_lines *l)
{
    return l->end + LINES_SLACK;
}

/* Returns 64 bits: bit i says that p[i] is not a digit. It is right for 56 characters; the eight bits behind them are
 * set. */
static inline uint64_t lines_breaks(const text_lines *l, const char *p)
{
    size_t place = (size_t)(p - l->buffer);
    uint64_t breaks = QUICK_DIGIT_MASK ? ~digit_mask(p) : eight_bytes(l->breaks + place / 8) >> (place & 7);
    return breaks | (uint64_t)0xFF << 56;
}

#endif
