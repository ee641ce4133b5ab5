/* Command lines, from tables. A table describes each option once: parsing, --help and its topics, the man page, what
 * the option needs and what a model file remembers of it are made from that. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "common.h"

#include <stddef.h>

enum option_kind {
    OPTION_FLAG,   /* int */
    OPTION_COUNT,  /* uint32_t, low .. high; the one of `words`, if any, is OPTION_UNSET */
    OPTION_NUMBER, /* float, low .. high; NaN while it has no value */
    OPTION_CHOICE, /* unsigned: place in `words`, separated by |; OPTION_UNSET while it has no value */
    OPTION_TEXT,   /* const char * */
    OPTION_LIST    /* const char **: stb_ds array, one for each time it is given */
};
#define OPTION_UNSET UINT32_MAX
#define OPTION_IDLE 2

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
    const char *(*words_of)(void); /* instead, where a table has them */
    const char *argument;          /* its name in --help */
    const char *bare;              /* its value if none is given, which stands behind an = only; NULL: it needs one */
    const char *preset;            /* the default, as on a command line; NULL: none */
    const char *usual;             /* the default in words, where a preset cannot say it */
    int common;                    /* --help without a topic has the first sentence of `help` */
    unsigned memory;               /* enum option_memory */
    const option_need *needs;
    const char *help; /* whole sentences, the commonest case first; default and needs are added */
} option_entry;

/* What --help takes as a topic; all: of options that it always shows, in commands that fit a screen. */
enum option_topic { TOPIC_ALL, TOPIC_READING, TOPIC_LEARNING, TOPIC_OUTPUT, TOPIC_LESSONS };

typedef struct option_group {
    unsigned topic;    /* enum option_topic; of TOPIC_ALL all groups of a command are, or none */
    const char *title; /* NULL: none. A need that it names is not said again */
    const option_entry *entry;
    size_t count;
    void *settings;
} option_group;

typedef struct options options;

typedef struct command {
    const char *name, *purpose;
    const char *arguments; /* "DATA [MODEL]": those in brackets may be left out */
    const char *notes;     /* behind the options in --help; without a topic their first sentence */
    const option_group *groups;
    size_t count;
    int (*run)(options *o, int arguments, char **argument);
} command;

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

/* clang-format off */
/* With it an output replaces any file that is no input. */
#define FORCE_OPTION(type, member)                                                                          \
    {"force", 0, OPTION_FLAG, .at = offsetof(type, member),                                                 \
     .help = "Replace an output file whatever is in it."}
/* clang-format on */

/* NULL: it is no choice. */
static inline const char *option_words(const option_entry *e)
{
    return e->words_of ? e->words_of() : e->words;
}

/* ---- option_values.c ---- */

int set_value(const option_entry *e, void *to, const char *text); /* 0: the text is no value of the option */
void set_default(const option_entry *e, void *to);
/* Value `place` as a text for set_value; NULL: there is none. Stays until the next call. */
const char *value_text(const option_entry *e, const void *from, size_t place);

/* ---- help.c ---- */

/* A new string: the word at that place of `words`. */
char *option_word(const char *words, unsigned place);
/* topic: a word; NULL: what most people need. Ends the program if it is no topic of the command. */
void options_help(const command *of, const char *topic);
void options_man(FILE *f, const command *const *of, size_t count);

#endif
