/* What every part of the program shares: how it ends, allocates, and writes for people. Before perceptron.h. */
#ifndef COMMON_H
#define COMMON_H

#define PERCEPTRON_GROW /* kernel models without a budget grow */

#include "system.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 1, EXIT_INPUT = 2, EXIT_IO = 3, EXIT_MEMORY = 4 };

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* One sentence on standard error, half-written files removed, exit. */
void die(int status, const char *format, ...) __attribute__((noreturn, format(SYSTEM_PRINTF, 2, 3)));

/* Where several processes work together: die() hands it what it has to say, and gets back what all are to say, which
 * may come from another process. NULL: there is one process. */
extern void (*fail_together)(int *status, char *text, size_t room);

/* The same, about a file: errno says what is wrong with it. */
void die_of(const char *name) __attribute__((noreturn));

/* A thread that is not the main one leaves the end of the program to it: while `failing` is set, die() writes
 * status and sentence there and jumps back. */
typedef struct failure {
    jmp_buf back;
    int status;
    char text[8192]; /* more than a path and a message */
} failure;
extern __thread failure *failing;

/* malloc, realloc and calloc that end the program with EXIT_MEMORY when there is none. */
void *allocate(size_t count, size_t size);
void *allocate_zero(size_t count, size_t size);
void *allocate_for_weights(size_t count, size_t size); /* by system_pages */
void *reallocate(void *p, size_t size);
char *copy_text(const char *text);
void texts_free(char ***texts); /* an stb_ds array of texts from malloc */
/* Writes behind what is in an stb_ds array of characters, which may be NULL, and a NUL behind that. */
void append(char **text, const char *format, ...) __attribute__((format(SYSTEM_PRINTF, 2, 3)));

/* stb_ds cannot report a failed allocation, so it must not see one. */
#define STBDS_REALLOC(context, p, size) reallocate(p, size)
#define STBDS_FREE(context, p) free(p)
#include "stb_ds.h"

extern int errors_as_json; /* die() writes an object on standard output, too */

/* How many letters are to be changed, added or left out to make b of a (Levenshtein). */
unsigned edits(const char *a, const char *b);

/* For people: without control characters, which a terminal might obey: \n, \t or \x1b in their place. Of a longer text
 * that many bytes and " ...". Stays until the eighth call from then on. */
const char *printable(const char *text, size_t most);
void printable_end(void); /* of a thread that ends */
enum { EXCERPT = 60 };    /* of a field, in a sentence about it */

/* The word as a shell reads it, in quotes if it needs them. */
void print_shell_word(FILE *f, const char *text);

/* A field as CSV has it: in quotes, inner ones doubled, if it is empty or has one of these characters. */
void print_field(FILE *f, const char *text, const char *special);
void append_field(char **to, const char *text, const char *special); /* the same, to an stb_ds array, without a NUL */

int compare_floats(const void *a, const void *b); /* for qsort: ascending */

#endif
