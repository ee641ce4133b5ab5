/* Writes output files. A file replaces what was there when it is whole. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "common.h"

/* An output file. A regular file is written under a temporary name beside its place, and takes its name when all of it
 * is safely written. "-" is standard output. A device is written directly. */
typedef struct output {
    const char *name;
    FILE *file;
    char *temporary, *target; /* the two names; NULL: the file is written directly */
    unsigned place;           /* of the temporary name in temporaries */
} output;

/* Ends the program if the file of that name is one of the inputs. "-" is standard input, and NULL is not an input. */
void output_spare(const char *name, const char *const *input, size_t inputs);
/* Opens what an output of that name would replace, a regular file that is not empty. Returns NULL if there is no such
 * file. */
FILE *output_old(const char *name);
void output_old_read(FILE *f, const char *name);     /* closes that file; ends the program if reading it has failed */
int file_begins(const char *name, const char *text); /* Is it a regular file that begins with this text? */
int output_begins(const char *name,
                  const char *text); /* Would an output replace nothing, or a file that begins with it? */
void output_open(output *o, const char *name);
void output_close(output *o); /* ends the program with EXIT_IO if a byte was not written */

#endif
