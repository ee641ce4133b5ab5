/* Tables that describe each option once, and commands that have some of them. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "common.h"

#include <stddef.h>

enum option_kind {
    OPTION_FLAG,   /* int */
    OPTION_COUNT,  /* uint32_t, low .. high; the one of `words`, if any, is OPTION_UNSET */
    OPTION_NUMBER, /* float, low .. high; NaN while it has no value */
    OPTION_CHOICE, /* unsigned: place in `words`, separated by |; OPTION_UNSET while it has no value */
    OPTION_WORD,   /* const char *: one of `words` */
    OPTION_TEXT,   /* const char * */
    OPTION_LIST    /* const char **: stb_ds array, one for each time it is given */
};
#define OPTION_UNSET UINT32_MAX
#define OPTION_IDLE 2

/* What an option needs to have an effect: a row of a table. Conditions hold as far as is known: what rows that are still
 * to be read may decide is no reason against an option. */
typedef struct option_needs {
    const char *option;
    int is_met;       /* 0: the option would mislead, and is refused */
    int has_effect;   /* 0: it changes nothing that anybody could mean, and is accepted */
    const char *text; /* "--OPTION needs TEXT" */
} option_needs;

typedef option_needs needs_table(const void *settings, const char *option); /* returns a row of it */

/* What must hold for an option to have an effect. */
typedef struct option_need {
    const char *text;                   /* "--gamma needs TEXT" */
    int (*holds)(const void *settings); /* 1; 0: the option would mislead; OPTION_IDLE: it changes nothing that anybody
                                         * could mean, and is accepted; -1: that is not known yet */
} option_need;

/* Defines one: `condition` asks the settings, of that type, by that name. */
#define OPTION_NEED(type, settings, name, words, condition)                                                            \
    static int name##_holds(const void *given_settings)                                                                \
    {                                                                                                                  \
        const type *settings = given_settings;                                                                         \
        return condition;                                                                                              \
    }                                                                                                                  \
    static const option_need name = {words, name##_holds};

enum option_memory { /* bits */
                     KEPT =
                         1, /* a model file remembers it: train --resume takes it from there unless it is given again */
                     KEPT_READING = 2, /* and so does whoever reads rows for the model */
                     SHAPE = 4,        /* the model's shape: not to be given with --resume */
                     FIXED = 8,  /* whoever reads rows for a model that remembers it may not give it another value */
                     ALONE = 16, /* given again, it holds for that file: a model that goes on keeps its own */
                     ADDS = 32   /* a list to which what is given is added */
};

typedef struct option_entry {
    const char *name; /* without -- */
    char letter;      /* 0: none */
    enum option_kind kind;
    size_t at; /* of the value, in the settings of its group */
    double low, high;
    const char *words;
    const char *(*words_of)(void);    /* instead, where a table has them */
    const char *(*meanings_of)(void); /* of these words: a sentence behind `help`; NULL: there is none */
    const char *argument;             /* its name in --help */
    const char *bare;   /* its value if none is given, which stands behind an = only; NULL: it needs one */
    const char *preset; /* the default, as on a command line; NULL: none */
    const char *usual;  /* the default in words, where a preset cannot say it */
    int common;         /* --help without a topic has the first sentence of `help` */
    unsigned memory;    /* enum option_memory */
    const option_need *needs;
    needs_table *need; /* that has its row; NULL: it needs nothing */
    const char *help;  /* whole sentences, the commonest case first; default and needs are added */
} option_entry;

/* What --help takes as a topic; all: of options that it always shows, in commands that fit a screen. */
enum option_topic { TOPIC_ALL, TOPIC_READING, TOPIC_LEARNING, TOPIC_OUTPUT, TOPIC_LESSONS };

typedef struct option_table {
    const char *title; /* NULL: none. A need that it names is not said again */
    const option_entry *entry;
    size_t count;
} option_table;

typedef struct option_group {
    unsigned topic; /* enum option_topic; of TOPIC_ALL all groups of a command are, or none */
    const option_table *of;
    void *settings;
} option_group;

/* A group of an array of entries. */
#define OPTION_GROUP(topic, title, entries, settings)                                                                  \
    {                                                                                                                  \
        topic, &(const option_table){title, entries, LENGTH(entries)}, settings                                        \
    }

typedef struct options options;

typedef struct command {
    const char *name, *purpose;
    const char *arguments; /* "DATA [MODEL]": those in brackets may be left out */
    const char *notes;     /* behind the options in --help; without a topic their first sentence */
    const option_group *groups;
    size_t count;
    int (*run)(options *o, int arguments, char **argument);
} command;

/* clang-format off */
/* With it an output replaces any file that is no input. */
#define FORCE_OPTION(type, member)                                                                          \
    {"force", 0, OPTION_FLAG, .at = offsetof(type, member),                                                 \
     .help = "Replace an output file whatever is in it."}
/* clang-format on */

/* The words that it chooses among; NULL: it is no choice. */
static inline const char *option_words(const option_entry *e)
{
    if (e->kind != OPTION_CHOICE && e->kind != OPTION_WORD) return NULL;
    return e->words_of ? e->words_of() : e->words;
}

#endif
