#include "options.h"

#include <errno.h>
#include <getopt.h>

static void set_choice(const option_entry *o, const char *text)
{
    const char *p = o->words;
    size_t length = strlen(text);
    unsigned place = 0;
    for (;; place++, p++) {
        if (strcspn(p, "|") == length && strncmp(p, text, length) == 0) {
            *(unsigned *)o->value = place;
            return;
        }
        p = strchr(p, '|');
        if (!p) break;
    }
    die(EXIT_USAGE, "--%s %s: choose one of %s", o->name, text, o->words);
}

static void set_number(const option_entry *o, const char *text)
{
    char *end;
    double value;
    errno = 0;
    value = strtod(text, &end);
    if (end == text || *end || !(value >= o->low && value <= o->high) ||
        (o->kind == OPTION_COUNT && value != (double)(uint32_t)value))
        die(EXIT_USAGE, "--%s %s: give %s from %g to %g", o->name, text,
            o->kind == OPTION_COUNT ? "a whole number" : "a number", o->low, o->high);
    if (o->kind == OPTION_COUNT)
        *(uint32_t *)o->value = (uint32_t)value;
    else
        *(float *)o->value = (float)value;
}

static void set_option(option_entry *o, const char *text)
{
    o->given = 1;
    switch (o->kind) {
    case OPTION_FLAG: *(int *)o->value = 1; break;
    case OPTION_COUNT:
    case OPTION_NUMBER: set_number(o, text); break;
    case OPTION_CHOICE: set_choice(o, text); break;
    case OPTION_TEXT: *(const char **)o->value = text; break;
    case OPTION_LIST: arrput(*(const char ***)o->value, text); break;
    }
}

int options_read(option_entry *table, size_t entries, const char *command, int argc, char **argv)
{
    struct option *known = allocate_zero(entries + 1, sizeof *known);
    char *letters = allocate_zero(entries + 1, 2), *p = letters;
    size_t i;
    int c, place = 0;
    for (i = 0; i < entries; i++) {
        int takes_value = table[i].kind != OPTION_FLAG;
        known[i].name = table[i].name;
        known[i].has_arg = takes_value ? required_argument : no_argument;
        if (!table[i].letter) continue;
        *p++ = table[i].letter;
        if (takes_value) *p++ = ':';
    }
    opterr = 0;
    while ((c = getopt_long(argc, argv, letters, known, &place)) != -1) {
        if (c == '?')
            die(EXIT_USAGE, "'%s' is not an option of %s, or its value is missing; see %s --help",
                argv[optind - 1], command, command);
        for (i = 0; c != 0 && table[i].letter != c;) i++;
        set_option(&table[c == 0 ? (size_t)place : i], optarg);
    }
    for (c = 0; optind + c < argc; c++) argv[c] = argv[optind + c];
    free(known);
    free(letters);
    return c;
}

int option_given(const option_entry *table, const char *name)
{
    while (strcmp(table->name, name) != 0) table++;
    return table->given;
}

char *option_word(const char *words, unsigned place)
{
    char *word;
    while (place--) words = strchr(words, '|') + 1;
    word = copy_text(words);
    word[strcspn(word, "|")] = '\0';
    return word;
}
