/* Rows of whatever format, one at a time, of a file or standard input. */
#ifndef READER_H
#define READER_H

#include "row.h"

void reader_open(reader *r, const char *name, const reader_options *how);
void reader_find_format(reader *r); /* sets r->format, unless there is no row */
int reader_next(reader *r);         /* 1: a row; 0: the end; anything wrong ends the program */
const char *reader_step_column(const reader *r, enum step_column k); /* its name; NULL: there is none */
int reader_is_word(const reader *r, uint32_t feature);               /* of a text, not a number or a text as a whole */
void reader_say_empty(const reader *r); /* how many lines were left out since they were empty */
void reader_close(reader *r);

/* Writes a sparse row to n floats, zeros where it has nothing. `to` may be `value`, or lie behind it. */
void spread_row(const uint32_t *index, const float *value, size_t count, float *to, size_t n);

#endif
