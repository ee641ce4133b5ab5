/* Has all that is not C99: signals, files, clock, memory and processors of POSIX or of Windows; and threads,
 * getopt_long and strncasecmp, which mingw has, too. No other file asks which system it is. A function that fails sets
 * errno. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>

#ifdef _WIN32
#define SYSTEM_ENDS SIGBREAK, SIGINT, SIGTERM
#define SIGPIPE 13
#define SYSTEM_SLASHES "/\\"
#define SYSTEM_NOWHERE "NUL"
#define SYSTEM_QUOTE "\""          /* around a word, for the shell */
#define SYSTEM_QUOTE_INSIDE "\\\"" /* in such a word */
#define SYSTEM_PRINTF gnu_printf   /* what attribute format calls C99's formats */
#else
#define SYSTEM_ENDS SIGQUIT, SIGINT, SIGTERM, SIGHUP, SIGPIPE
#define SYSTEM_SLASHES "/"
#define SYSTEM_NOWHERE "/dev/null"
#define SYSTEM_QUOTE "'"
#define SYSTEM_QUOTE_INSIDE "'\\''"
#define SYSTEM_PRINTF printf
#endif

/* ---- Signals ---- */

/* The number of a signal of SYSTEM_ENDS that came after interrupt_softly: work ends early, and what there is by then
 * is saved. Before interrupt_softly such a signal ends the program, and half-written files are deleted. The first of
 * SYSTEM_ENDS always ends the program, and a second SIGINT or SIGTERM does, too. */
extern volatile sig_atomic_t interrupted;
enum { EXIT_SIGNAL = 128 }; /* plus the signal's number: the status if work has ended early */
void system_start(void);    /* makes the standard streams fit for bytes and for outputs; called first of all */
void signals_start(void);   /* catches signals; called next (signals.c) */
void interrupt_softly(void);
void interrupt_end(void) __attribute__((noreturn)); /* ends the program as that signal does */

/* The names of half-written files, of the outputs that are open. NULL: a free place. */
enum { OUTPUTS = 8 };
extern char *volatile temporaries[OUTPUTS];
void outputs_drop(void); /* deletes them */

/* ---- Files ---- */

#define SYSTEM_MARK                                                                                                    \
    ".perceptron-" /* stands with six more characters behind the name of an output while it is written */
#define SYSTEM_TEMPORARY SYSTEM_MARK "XXXXXX"

typedef struct system_file {
    int regular;
    unsigned mode;           /* its rights */
    uint64_t size, place[2]; /* names with equal places are one file */
} system_file;

/* Looks at the file of that name, or at standard input if it is NULL. Returns 1 if it is there, 0 if there is nothing,
 * and -1 if it cannot find out. */
int system_look(const char *name, system_file *there);
const char *system_base(const char *path); /* returns the name without its folders */
/* Returns the one path of a file, a new string, also if the name is a link, or the file is yet to be made. NULL: there
 * cannot be such a file. */
char *system_path(const char *name, int exists);
/* Opens a new file beside the target, with the rights of the old one, if there is one. Its name goes to `temporary`,
 * which has room for SYSTEM_TEMPORARY behind the target's name, and to temporaries[place]. Returns NULL if that
 * fails. */
FILE *system_create(const char *target, const system_file *old, char *temporary, unsigned place);
/* Writes the file safely, closes it, and gives it the target's name. Returns 0 if that succeeds. */
int system_replace(FILE *f, const char *temporary, const char *target);

/* These read and write bytes without a buffer. They return less than 0 if they fail. */
int system_open(const char *name, int *live); /* "-" is standard input; *live: a read may have to wait */
/* Waits for some bytes. Returns 0 if there are no more, or the program was interrupted. */
ptrdiff_t system_read(int handle, void *to, size_t most);
/* Writes all bytes. After a signal, bytes that nobody reads may be lost. */
int system_write(int handle, const char *from, size_t size);
int64_t system_seek(int handle,
                    int64_t from); /* returns the place; if `from` is below 0, it only tells where that is */
void system_close(int handle);     /* leaves standard input open */

int system_is_terminal(void); /* Is standard error a terminal? */

/* ---- Clock, memory, processors ---- */

double seconds(void);             /* reads a clock that only goes forward */
void *system_pages(size_t bytes); /* allocates from the beginning of a cache line; large blocks in huge pages */
unsigned processors(void);        /* counts the processors that the program may use */
uint64_t memory_there_is(void);   /* returns how many bytes of memory the program may use */

#endif
