/* Describes each option once, in tables, and the commands that have some of these tables. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "common.h"

#include <stddef.h>

enum option_kind {
    OPTION_FLAG,   /* int */
    OPTION_COUNT,  /* uint32_t, low .. high; OPTION_UNSET if the value is `words` */
    OPTION_NUMBER, /* float, low .. high; NaN while it has no value */
    OPTION_CHOICE, /* unsigned: place in `words`, which | separates; OPTION_UNSET while it has no value */
    OPTION_WORD,   /* const char *: one of `words` */
    OPTION_TEXT,   /* const char * */
    OPTION_LIST    /* const char **: stb_ds array, a text for each time that the option is given */
};
#define OPTION_UNSET UINT32_MAX
#define OPTION_IDLE 2

/* Says what an option needs to have an effect: a row of a table. Conditions hold as far as is known: what rows that are
 * still to be read may decide is not a reason against an option. */
typedef struct option_needs {
    const char *option;
    int is_met;       /* 0: the option would mislead, and is refused */
    int has_effect;   /* 0: the option changes nothing that anybody could mean, and is accepted */
    const char *text; /* "--OPTION needs TEXT" */
} option_needs;

typedef option_needs needs_table(const void *settings, const char *option); /* returns the row of the option */

/* Says what must hold so that an option has an effect. */
typedef struct option_need {
    const char *text; /* "--gamma needs TEXT" */
    int (*holds)(
        const void *settings); /* 1: it does; 0: the option would mislead; OPTION_IDLE: the option changes nothing
                                         * that anybody could mean, and is accepted; -1: that is not known yet */
} option_need;

/* Defines a need. `condition` asks `settings`, which has that type. */
#define OPTION_NEED(type, settings, name, words, condition)                                                            \
    static int name##_holds(const void *given_settings)                                                                \
    {                                                                                                                  \
        const type *settings = given_settings;                                                                         \
        return condition;                                                                                              \
    }                                                                                                                  \
    static const option_need name = {words, name##_holds};

/* Bits that say what a model file does with an option. */
enum option_memory {
    KEPT = 1,         /* remembers it: train --resume takes it from there, unless it is given again */
    KEPT_READING = 2, /* remembers it: each command that reads rows for the model takes it from there */
    SHAPE = 4,        /* has it in the model's shape: it must not be given with --resume */
    FIXED = 8,        /* remembers it, and a command that reads rows for the model must not give it another value */
    ALONE = 16,       /* keeps its own value: if the option is given again, it holds for that file of rows only */
    ADDS = 32         /* adds what is given to the list that it remembers */
};

typedef struct option_entry {
    const char *name; /* without -- */
    char letter;      /* 0: none */
    enum option_kind kind;
    size_t at; /* where the value is in the settings of its group */
    double low, high;
    const char *words;
    const char *(*words_of)(void); /* returns the words, where another table has them */
    const char *(*meanings_of)(
        void);            /* returns a sentence on what each word means, behind `help`; NULL: there is none */
    const char *argument; /* its name in --help */
    const char *bare;     /* its value if none is given; a value then stands behind an =; NULL: it needs a value */
    const char *preset;   /* the default, as on a command line; NULL: there is none */
    const char *usual;    /* the default in words, if a preset cannot say it */
    int common;           /* 1: --help without a topic has the first sentence of `help` */
    unsigned memory;      /* enum option_memory */
    const option_need *needs;
    needs_table *need; /* the table that has its row; NULL: it needs nothing */
    const char *help;  /* whole sentences, the commonest case first; --help adds the default and the needs */
} option_entry;

/* The topics of --help. TOPIC_ALL: options that it always shows, in commands whose options fit a screen. */
enum option_topic { TOPIC_ALL, TOPIC_READING, TOPIC_LEARNING, TOPIC_OUTPUT, TOPIC_LESSONS };

typedef struct option_table {
    const char *title; /* NULL: it has none. --help does not say a need again that the title names */
    const option_entry *entry;
    size_t count;
} option_table;

typedef struct option_group {
    unsigned topic; /* enum option_topic; either all groups of a command have TOPIC_ALL, or none has */
    const option_table *of;
    void *settings;
} option_group;

typedef struct options options;

typedef struct command {
    const char *name, *purpose;
    const char *arguments; /* such as "DATA [MODEL]": an argument in brackets may be left out */
    const char *notes;     /* --help has them behind the options; without a topic it has their first sentence */
    const option_group *groups;
    size_t count;
    int (*run)(options *o, int arguments, char **argument);
} command;

/* clang-format off */
/* Makes a group of an array of entries. */
#define OPTION_GROUP(topic, title, entries, settings)                                                       \
    {topic, &(const option_table){title, entries, LENGTH(entries)}, settings}

/* An option with which an output replaces any file that is not an input. */
#define FORCE_OPTION(type, member)                                                                          \
    {"force", 0, OPTION_FLAG, .at = offsetof(type, member),                                                 \
     .help = "Replace an output file whatever is in it."}
/* clang-format on */

/* Is its value one of some words? */
static inline int option_chooses(const option_entry *e)
{
    return e->kind == OPTION_CHOICE || e->kind == OPTION_WORD;
}

/* Returns the words that it chooses among. */
static inline const char *option_words(const option_entry *e)
{
    return e->words_of ? e->words_of() : e->words;
}

#endif
