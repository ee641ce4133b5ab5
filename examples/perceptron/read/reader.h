/* Reads rows one at a time, of whatever format, from a file or from standard input. */
#ifndef READER_H
#define READER_H

#include "row.h"

void reader_open(reader *r, const char *name, const reader_options *how);
void reader_find_format(reader *r); /* sets r->format, unless the file has no row */
int reader_next(reader *r);         /* reads a row; returns 0 at the end; what is wrong ends the program */
const char *reader_step_column(const reader *r, enum step_column k); /* returns its name; NULL: there is none */
int reader_is_word(const reader *r, uint32_t feature); /* Is it a word of a text, and not a number or a whole text? */
void reader_say_empty(const reader *r);                /* says how many lines were left out because they were empty */
void reader_close(reader *r);

/* Writes a sparse row to n floats, zeros where it has nothing. `to` may be `value`, or lie behind it. */
void spread_row(const uint32_t *index, const float *value, size_t count, float *to, size_t n);

#endif
