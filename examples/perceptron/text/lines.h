/* Lines of a file or of standard input, in a buffer, with what is told of their digits. */
#ifndef LINES_H
#define LINES_H

#include "cli/common.h"
#include "number.h"

#include <stdarg.h>

/* What a pipe has said, so that it can be read again. */
typedef struct tape {
    char *bytes; /* stb_ds array */
    int whole;   /* the pipe has ended */
} tape;

typedef struct text_lines {
    char *text; /* the line in hand, or the record of several, in the buffer, ended by a NUL */
    size_t length;
    unsigned long line; /* where it began */
    const char *name;   /* of the file */
    int live;           /* no regular file: a read may wait for what is yet to be written */
    int has_quotes;     /* a carriage return may stand in quotes */
    /* to be set after lines_open; may stay NULL: called before the file is read on */
    void (*before_read)(void *context);
    void *context;
    /* the buffer */
    char *buffer; /* room bytes, and LINES_SLACK more that may be read */
    size_t room;
    char *breaks;        /* a bit for each character of the buffer, see mark_breaks */
    char *next, *end;    /* of what has been read and not used yet */
    const char *newline; /* at the end of the next line; NULL: not looked for */
    int has_nul_or_cr;
    unsigned long next_line;
    int pending; /* `text` has been read, but is to be given again */
    /* the file */
    int file, ended;
    uint64_t from, left; /* where it began in the file; bytes not read yet, at most */
    tape *tape;          /* of a pipe: what is read goes there, or comes from there; NULL: there is none */
    int tapes;           /* the file cannot be read again */
    size_t played;       /* bytes of the tape */
} text_lines;

void lines_open(text_lines *l, const char *name, tape *t); /* of a struct of zeros */
void lines_close(text_lines *l);
/* Goes on with the lines from byte `from` of a file, the beginning of a line, to byte `to`. */
void lines_move(text_lines *l, const char *name, uint64_t from, uint64_t to);
uint64_t lines_place(const text_lines *l); /* of the next line, in the file */

/* Puts the next line, without its end, at l->text + at, ended by a NUL. 0: there is none. */
int lines_next(text_lines *l, size_t at);
/* Reads on, once; the record moves to the front of the buffer. 0: the file has ended. */
int lines_read_on(text_lines *l);
void lines_fill(text_lines *l);        /* reads on until the buffer is full or the file has ended */
void lines_fill_record(text_lines *l); /* or until there is a record of CSV behind the one in hand */

typedef struct lines_ahead { /* the record in hand, and where the file goes on behind it */
    uint64_t place, left;
    char *record;
    size_t length;
} lines_ahead;

void lines_look(const text_lines *l, lines_ahead *a); /* before a regular file is read on past the record in hand */
void lines_look_back(text_lines *l, lines_ahead *a);  /* as if it had not been */

/* Ends the program with "file:line:column: what" about the record in hand. column: from 1 in the line; 0: none. */
void lines_fail(const text_lines *l, size_t column, const char *format, ...)
    __attribute__((noreturn, format(SYSTEM_PRINTF, 3, 4)));
void lines_fail_with(const text_lines *l, size_t column, const char *format, va_list arguments)
    __attribute__((noreturn));

/* The column of p in the line. */
static inline size_t lines_column(const text_lines *l, const char *p)
{
    return (size_t)(p - l->text) + 1;
}

/* Readable behind what has been read: what lines_breaks tells of, and eight more. */
enum { LINES_SLACK = 80 };

/* The end of what may be read of the buffer. */
static inline const char *lines_limit(const text_lines *l)
{
    return l->end + LINES_SLACK;
}

/* Bit i: p[i] is no digit; right for 56 characters; eight bits are set behind them. */
static inline uint64_t lines_breaks(const text_lines *l, const char *p)
{
    size_t place = (size_t)(p - l->buffer);
    uint64_t breaks = QUICK_DIGIT_MASK ? ~digit_mask(p) : eight_bytes(l->breaks + place / 8) >> (place & 7);
    return breaks | (uint64_t)0xFF << 56;
}

#endif
