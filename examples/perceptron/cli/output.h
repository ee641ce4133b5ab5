/* Output files, which replace what was there when they are whole. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "common.h"

/* An output file. A regular one is written under a temporary name beside it and takes its name when
 * all of it is safely written; "-" is standard output; a device is written directly. */
typedef struct output {
    const char *name;
    FILE *file;
    char *temporary, *target; /* NULL: written directly */
    unsigned place;           /* of the temporary name among those of open outputs */
} output;

/* Ends the program if the file of that name is one of the inputs; "-" is standard input, NULL none. */
void output_spare(const char *name, const char *const *input, size_t inputs);
/* What an output of that name would replace: a regular file that is not empty; NULL: there is none. */
FILE *output_old(const char *name);
void output_old_read(FILE *f, const char *name);       /* closes it; dies if what was read of it is not what there is */
int file_begins(const char *name, const char *text);   /* is it a regular file that begins so? */
int output_begins(const char *name, const char *text); /* is that NULL, or does it begin so? */
void output_open(output *o, const char *name);
void output_close(output *o); /* dies with EXIT_IO if anything was not written */

#endif
