/* Reads command lines by the tables of options, checks what options need, and tells what a model file remembers of
 * them. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "option_table.h"

/* The options of one call. */
struct options {
    const command *of;
    uint8_t *given;    /* for each option, in the order of the tables: how it got its value; 0: it has its default */
    const char *file;  /* the file that remembered some options */
    char **overridden; /* stb_ds array: what was given and differs from what the model remembers */
};
enum { OPTION_GIVEN = 1, OPTION_RECALLED = 2 };

/* Sets all options that have a default, then those that are given. Returns how many other arguments there are, and
 * moves them to the front of argv. Returns -1 if --help was given, and has printed it. What is wrong ends the program
 * with EXIT_USAGE. */
int options_read(options *o, const command *of, int argc, char **argv);
void options_free(options *o);
int option_given(const options *o, const char *name); /* Does the command line give it? */
/* Gives the option another default, unless the command line gives it a value. */
void options_suppose(const options *o, const char *name, const char *value);
/* Ends the program if an option was given that would mislead. An option without an effect gets its default again,
 * unless it is idle and a model remembers it, because the next run may need it. */
void options_check(const options *o);
/* Returns what a model file remembers: new texts "name=value" in an stb_ds array, of the options that have a value and
 * one of these bits, and also an effect, or a model that remembers them. own: what the model remembered, if it goes
 * on. */
char **options_keep(const options *o, unsigned memory, char *const *own);
/* Returns the options that were given and have none of these bits, as one types them: new texts in an stb_ds array. */
char **options_typed(const options *o, unsigned but);
/* Sets the options with one of these bits to what a file remembers. If an option was given, it keeps its value;
 * o->overridden notes a difference. Ends the program with EXIT_INPUT if a value is not one of the option's. */
void options_recall(options *o, char *const *kept, unsigned memory, const char *file);
/* Ends the program because of a value of that option. It is a usage error if it was given, and damage if the file has
 * it. */
void option_fail(const options *o, const char *name, const char *value, const char *why) __attribute__((noreturn));
/* Ends the program if an option with the bit SHAPE was given. */
void options_refuse_shape(const options *o);

#endif
