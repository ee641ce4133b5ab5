/* Prints --help and the man page from the tables of options. */
#ifndef HELP_H
#define HELP_H

#include "option_table.h"

/* Prints --help. topic: a word; NULL: what most people need. Ends the program if the command has no such topic. */
void options_help(const command *of, const char *topic);
void options_man(FILE *f, const command *const *of, size_t count);

#endif
