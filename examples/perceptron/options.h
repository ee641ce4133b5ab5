/* Command lines, from a table. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "common.h"

enum option_kind {
    OPTION_FLAG,   /* int */
    OPTION_COUNT,  /* uint32_t, low .. high */
    OPTION_NUMBER, /* float, low .. high */
    OPTION_CHOICE, /* unsigned: place in `words`, separated by | */
    OPTION_TEXT,   /* const char * */
    OPTION_LIST    /* const char **: stb_ds array, one for each time it is given */
};

typedef struct option_entry {
    const char *name; /* without -- */
    char letter;      /* 0: none */
    enum option_kind kind;
    void *value;
    double low, high;
    const char *words;
    int given;        /* set when it is on the command line */
} option_entry;

/* Sets the options and returns how many other arguments there are, moved to the front of argv.
 * Anything wrong ends the program with EXIT_USAGE. */
int options_read(option_entry *table, size_t entries, const char *command, int argc, char **argv);

int option_given(const option_entry *table, const char *name);

/* A new string: the word at that place of `words`. */
char *option_word(const char *words, unsigned place);

#endif
