/* --help and the man page, from the tables of options. */
#include "options.h"

enum { COLUMN = 25, WIDTH = 80 }; /* of --help */

char *option_word(const char *words, unsigned place)
{
    char *word;
    while (place--) words = strchr(words, '|') + 1;
    word = copy_text(words);
    word[strcspn(word, "|")] = '\0';
    return word;
}

/* ---- Help ---- */

/* What --help says behind the option: the choices, what it does and its default, what it needs; a line each. A new
 * string. */
static char *help_text(const option_entry *e)
{
    const char *words = e->kind == OPTION_CHOICE ? option_words(e) : NULL, *end = words;
    char *text = allocate(strlen(e->help) + (words ? 4 * strlen(words) : 0) + 256, 1), *to = text;
    unsigned place;
    for (place = 0; end; place++) {
        char *word = option_word(words, place);
        int is_default = e->preset && strcmp(word, e->preset) == 0;
        to += sprintf(to, "%s%s%s", place ? " | " : "", word, is_default ? " (default)" : "");
        free(word);
        end = strchr(end, '|');
        if (end) end++;
    }
    if (words && *e->help) *to++ = '\n';
    to += sprintf(to, "%s", e->help);
    if (e->preset && !words) to += sprintf(to, "; default %s", e->preset);
    if (e->needs) snprintf(to, 200, "\nneeds %s", e->needs->text);
    return text;
}

/* The text from column `at` on, wrapped. */
static void print_wrapped(FILE *f, const char *text, int at)
{
    const size_t first = (size_t)at;
    size_t column = first;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column > first && column + 1 + length > WIDTH) column = (size_t)fprintf(f, "\n%*s", at, "") - 1;
        if (column > first) column += (size_t)fprintf(f, " ");
        column += (size_t)fprintf(f, "%.*s", (int)length, text);
        text += length;
        if (*text == '\n') column = (size_t)fprintf(f, "\n%*s", at, "") - 1;
        text += *text != '\0';
    }
    fputc('\n', f);
}

static void print_option(FILE *f, const option_entry *e)
{
    char *text = help_text(e);
    int used = e->letter ? fprintf(f, "  -%c, --%s", e->letter, e->name) : fprintf(f, "  --%s", e->name);
    if (e->argument) used += fprintf(f, e->bare ? "[%s]" : " %s", e->argument);
    if (used > COLUMN - 2) {
        fputc('\n', f);
        used = 0;
    }
    fprintf(f, "%*s", COLUMN - used, "");
    print_wrapped(f, text, COLUMN);
    free(text);
}

void options_help(const command *of)
{
    size_t g, i;
    printf("usage: perceptron %s [options] %s\n%s.\n", of->name, of->arguments, of->purpose);
    for (g = 0; g < of->count; g++) {
        if (of->groups[g].title) printf("%s\n", of->groups[g].title);
        for (i = 0; i < of->groups[g].count; i++) print_option(stdout, &of->groups[g].entry[i]);
    }
    if (of->notes) print_wrapped(stdout, of->notes, 0);
}

/* ---- The man page ---- */

/* A text, line by line, with what roff would take for its own guarded. */
static void print_roff(FILE *f, const char *text)
{
    int begins = 1;
    for (; *text; begins = *text++ == '\n') {
        if (begins && (*text == '.' || *text == '\'')) fputs("\\&", f);
        if (*text == '\n') fputs("\n.br", f);
        if (*text == '\\')
            fputs("\\e", f);
        else if (*text == '-')
            fputs("\\-", f);
        else
            fputc(*text, f);
    }
}

static void man_option(FILE *f, const option_entry *e)
{
    char *text = help_text(e);
    fputs(".TP\n", f);
    if (e->letter) fprintf(f, "\\fB\\-%c\\fR, ", e->letter);
    fputs("\\fB\\-\\-", f);
    print_roff(f, e->name);
    fputs("\\fR", f);
    if (e->argument) fprintf(f, e->bare ? "[\\fI%s\\fR]" : " \\fI%s\\fR", e->argument);
    fputc('\n', f);
    print_roff(f, text);
    fputs("\n.br\n", f);
    if (e->when) print_roff(f, e->when);
    fputc('\n', f);
    free(text);
}

void options_man(FILE *f, const command *const *of, size_t count)
{
    size_t c, g, i;
    for (c = 0; c < count; c++) {
        fprintf(f, ".SH %s\n.B perceptron %s\n[\\fIoptions\\fR] \\fI%s\\fR\n.PP\n", of[c]->name, of[c]->name,
                of[c]->arguments);
        print_roff(f, of[c]->purpose);
        fputs(".\n", f);
        for (g = 0; g < of[c]->count; g++) {
            if (of[c]->groups[g].title) {
                fputs(".SS ", f);
                print_roff(f, of[c]->groups[g].title);
                fputc('\n', f);
            }
            for (i = 0; i < of[c]->groups[g].count; i++) man_option(f, &of[c]->groups[g].entry[i]);
        }
        if (!of[c]->notes) continue;
        fputs(".PP\n", f);
        print_roff(f, of[c]->notes);
        fputc('\n', f);
    }
}
