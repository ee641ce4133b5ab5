/* Ends the program, allocates, and writes for people; all other files do so by these functions. Include it before
 * perceptron.h. */
#ifndef COMMON_H
#define COMMON_H

#define PERCEPTRON_GROW /* kernel models without a budget grow */

#include "system.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 1, EXIT_INPUT = 2, EXIT_IO = 3, EXIT_MEMORY = 4 };

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Ends the program: writes one sentence on standard error, and removes half-written files. */
void die(int status, const char *format, ...) __attribute__((noreturn, format(SYSTEM_PRINTF, 2, 3)));

/* Lets several processes end with one sentence. die() gives it status and sentence, and gets back those that all
 * processes use, which may come from another process. NULL: there is one process. */
extern void (*fail_together)(int *status, char *text, size_t room);

/* Ends the program because of a file: errno says what is wrong with it. */
void die_of(const char *name) __attribute__((noreturn));

/* Lets a thread leave the end of the program to the main thread: while `failing` is set, die() writes status and
 * sentence there and jumps back. */
typedef struct failure {
    jmp_buf back;
    int status;
    char text[8192]; /* longer than a path and a message */
} failure;
extern __thread failure *failing;

/* Do what malloc, calloc and realloc do, and end the program with EXIT_MEMORY if there is no memory. */
void *allocate(size_t count, size_t size);
void *allocate_zero(size_t count, size_t size);
void *allocate_for_weights(size_t count, size_t size); /* takes it from system_pages */
void *reallocate(void *p, size_t size);
char *copy_text(const char *text);
void texts_free(char ***texts); /* frees an stb_ds array, and its texts, which are from malloc */
/* Writes at the end of an stb_ds array of characters, which may be NULL, and ends it with a NUL. */
void append(char **text, const char *format, ...) __attribute__((format(SYSTEM_PRINTF, 2, 3)));

/* stb_ds cannot report a failed allocation, so these end the program before it sees one. */
#define STBDS_REALLOC(context, p, size) reallocate(p, size)
#define STBDS_FREE(context, p) free(p)
#include "stb_ds.h"

extern int errors_as_json; /* 1: die() writes an object on standard output, too */

/* Returns how many letters must be changed, added or left out to make b of a (the distance of Levenshtein). */
unsigned edits(const char *a, const char *b);

/* Returns the text without control characters, which a terminal might obey: \n, \t or \x1b stands for each. A text of
 * more than `most` bytes is cut, and ends with " ...". The result stays until the eighth call after this one. */
const char *printable(const char *text, size_t most);
void printable_end(void); /* frees what printable has returned to a thread that ends */
enum { EXCERPT = 60 };    /* bytes of a field that a sentence about it shows */

/* Prints the word as a shell reads it, in quotes if it needs them. */
void print_shell_word(FILE *f, const char *text);

/* Prints a field of CSV. If it is empty or has a special character, it is in quotes, and quotes within are doubled. */
void print_field(FILE *f, const char *text, const char *special);
/* Appends such a field to an stb_ds array, without a NUL. */
void append_field(char **to, const char *text, const char *special);

int compare_floats(const void *a, const void *b); /* lets qsort sort floats in ascending order */

#endif
