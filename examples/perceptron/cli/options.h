/* Command lines, from tables. A table describes each option once: parsing, --help and its topics, the man page, what
 * the option needs and what a model file remembers of it are made from that. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "option_table.h"

struct options { /* of one call */
    const command *of;
    uint8_t *given;    /* of each 0, or how it got its value: in the order of the tables */
    const char *file;  /* that the remembered ones are from */
    char **overridden; /* stb_ds array: what was given and differs from what the model remembers */
};
enum { OPTION_GIVEN = 1, OPTION_RECALLED = 2 };

/* Sets what has a default, then what is given. Returns how many other arguments there are, moved to the front of
 * argv; -1: --help was given, and has been printed. Anything wrong ends the program with EXIT_USAGE. */
int options_read(options *o, const command *of, int argc, char **argv);
void options_free(options *o);
int option_given(const options *o, const char *name); /* on the command line */
/* Gives it another default, unless it was given. */
void options_suppose(const options *o, const char *name, const char *value);
/* Ends the program if an option was given that would mislead; one that has no effect gets its default back, unless a
 * model remembers it and it is idle: the next run may need it. */
void options_check(const options *o);
/* The options that have a value, one of these bits, and an effect or a model that remembers them, as new texts
 * "name=value" in an stb_ds array. Of a model that goes on, `own` is what it had. */
char **options_keep(const options *o, unsigned memory, char *const *own);
/* The options that were given and have none of these bits, as one types them, in the same way. */
char **options_typed(const options *o, unsigned but);
/* The same back from a file, for options with one of these bits, but for those given: what differs there is noted.
 * Ends the program with EXIT_INPUT if a value is none of the option's. */
void options_recall(options *o, char *const *kept, unsigned memory, const char *file);
/* Ends the program for a value of that option: a usage error if it was given, damage to the file if recalled. */
void option_fail(const options *o, const char *name, const char *value, const char *why) __attribute__((noreturn));
/* Ends the program if one with the bit SHAPE was given. */
void options_refuse_shape(const options *o);

#endif
