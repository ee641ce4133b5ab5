/* All that is not C99: signals, files, clock, memory and processors of POSIX or of Windows; threads, getopt_long and
 * strncasecmp, which mingw has, too. No other file asks which of the two it is. What fails sets errno. */
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

/* A signal of SYSTEM_ENDS ends the program, and half-written files are deleted. After interrupt_softly it only becomes
 * `interrupted`: work ends early, and what there is by then is saved. The first of SYSTEM_ENDS always ends the program,
 * and so does a second SIGINT or SIGTERM. */
extern volatile sig_atomic_t interrupted;
enum { EXIT_SIGNAL = 128 }; /* and the signal's number: the status when work has come to an early end */
void system_start(void);    /* first of all: makes the standard streams fit for bytes and for outputs */
void signals_start(void);   /* then, in signals.c: catches them */
void interrupt_softly(void);
void interrupt_end(void) __attribute__((noreturn)); /* as that signal ends a program */

/* Half-written files: of outputs that are open. NULL: a free place. */
enum { OUTPUTS = 8 };
extern char *volatile temporaries[OUTPUTS];
void outputs_drop(void); /* nothing of those that are open takes its name */

/* ---- Files ---- */

#define SYSTEM_MARK ".perceptron-" /* behind the name of an output while it is written, and six characters more */
#define SYSTEM_TEMPORARY SYSTEM_MARK "XXXXXX"

typedef struct system_file {
    int regular;
    unsigned mode;           /* its rights */
    uint64_t size, place[2]; /* equal places: the same file */
} system_file;

/* Looks at what has that name; NULL: at standard input. 1: it is there, 0: nothing is, -1: that cannot be found out. */
int system_look(const char *name, system_file *there);
const char *system_base(const char *path); /* the name without its folders */
/* The one path of a file, perhaps yet to be made, which a link may name: a new string. NULL: there cannot be one. */
char *system_path(const char *name, int exists);
/* A new file beside the target, with the rights of the old one, if there is one. Its name goes to `temporary`, which has
 * room for SYSTEM_TEMPORARY behind the target's, and to temporaries[place]. NULL: it cannot be had. */
FILE *system_create(const char *target, const system_file *old, char *temporary, unsigned place);
/* Closes it, safely written, and gives it the target's name. 0: done. */
int system_replace(FILE *f, const char *temporary, const char *target);

/* Bytes, unbuffered. */
int system_open(const char *name, int *live); /* "-": standard input; live: a read may have to wait. Below 0: failed */
/* Waits for some bytes; 0: the end, or the program was interrupted; below 0: failed. */
ptrdiff_t system_read(int handle, void *to, size_t most);
/* Writes the bytes, unbuffered. Below 0: failed. After a signal, bytes that nobody reads may be lost. */
int system_write(int handle, const char *from, size_t size);
int64_t system_seek(int handle, int64_t from); /* below 0: only tells where it is */
void system_close(int handle);                 /* but for standard input */

int system_is_terminal(void); /* standard error */

/* ---- Clock, memory, processors ---- */

double seconds(void);             /* of a clock that only goes forward */
void *system_pages(size_t bytes); /* like malloc, at a line of the caches; in huge pages if there are many */
unsigned processors(void);        /* that the program may use */
uint64_t memory_there_is(void);   /* likewise, in bytes */

#endif
