#include "help.h"
#include "option_values.h"

enum { COLUMN = 25, WIDTH = 80 }; /* of --help: where its texts begin, and how long a line is */

/* ---- Texts ---- */

static const char *const topics[] = {"all", "reading", "learning", "output", "lessons"};

/* Returns the length of the first sentence, without its point. */
static int first_sentence(const char *text)
{
    const char *end = strstr(text, ". ");
    return (int)(end ? (size_t)(end - text) : strlen(text) - 1);
}

/* Returns what --help says of an option, an stb_ds array. brief: its first sentence and its default. Otherwise the
 * line of its choices, all sentences, its default, and what it needs unless the title of its group says that. */
static char *help_text(const option_group *g, const option_entry *e, int brief)
{
    const char *needs = needs_of(e, g->settings).text;
    const char *usual = e->usual ? e->usual : e->preset, *words = option_chooses(e) ? option_words(e) : NULL;
    char *text = NULL;
    if (brief) {
        append(&text, usual ? "%.*s; default %s" : "%.*s", first_sentence(e->help), e->help, usual);
    } else {
        for (; words && *words; words++) append(&text, *words == '|' ? " | " : "%c", *words);
        append(&text, words ? "\n%s" : "%s", e->help);
        if (e->meanings_of) append(&text, " %s", e->meanings_of());
        if (usual) append(&text, " Default: %s.", usual);
        if (needs && !(g->of->title && strstr(g->of->title, needs))) append(&text, " Needs %s.", needs);
    }
    return text;
}

/* ---- Help ---- */

/* Prints the text from column `at` on, in lines of up to WIDTH characters. */
static void print_wrapped(const char *text, int at)
{
    const size_t first = (size_t)at;
    size_t column = first;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column > first && column + 1 + length > WIDTH) column = (size_t)printf("\n%*s", at, "") - 1;
        if (column > first) column += (size_t)printf(" ");
        column += (size_t)printf("%.*s", (int)length, text);
        text += length;
        if (*text == '\n') column = (size_t)printf("\n%*s", at, "") - 1;
        text += *text != '\0';
    }
    putchar('\n');
}

static void print_option(const option_group *g, const option_entry *e, int brief)
{
    char *text = help_text(g, e, brief);
    int used = e->letter ? printf("  -%c, --%s", e->letter, e->name) : printf("  --%s", e->name);
    if (e->argument) used += printf(e->bare ? "[%s]" : " %s", e->argument);
    if (used > COLUMN - 2) {
        putchar('\n');
        used = 0;
    }
    printf("%*s", COLUMN - used, "");
    print_wrapped(text, COLUMN);
    arrfree(text);
}

static int has_topic(const command *of, unsigned topic)
{
    size_t g = 0;
    while (g < of->count && of->groups[g].topic != topic) g++;
    return g < of->count;
}

/* Returns a new string: the topics of the command, with `between` between them. */
static char *topic_list(const command *of, const char *between)
{
    char *list = allocate_zero(80, 1);
    unsigned t;
    for (t = 1; t < LENGTH(topics); t++)
        if (has_topic(of, t)) strcat(strcat(list, topics[t]), between);
    return strcat(list, topics[TOPIC_ALL]);
}

static unsigned find_topic(const command *of, const char *word)
{
    unsigned t = 0;
    while (t < LENGTH(topics) && (strcmp(word, topics[t]) != 0 || (t != TOPIC_ALL && !has_topic(of, t)))) t++;
    if (t == LENGTH(topics))
        die(EXIT_USAGE, "--help %s: %s has no such group of options; choose one of %s", word, of->name,
            topic_list(of, "|"));
    return t;
}

/* Prints the options of a group; brief: those that most people need. Returns how many it has printed. */
static size_t print_group(const option_group *g, int brief, const char *title)
{
    size_t i, count = 0;
    for (i = 0; i < g->of->count; i++) {
        if (brief && !g->of->entry[i].common) continue;
        if (count++ == 0 && title) puts(title);
        print_option(g, &g->of->entry[i], brief);
    }
    return count;
}

void options_help(const command *of, const char *topic)
{
    const unsigned only = topic ? find_topic(of, topic) : TOPIC_ALL;
    const int brief = !topic && !has_topic(of, TOPIC_ALL);
    size_t g, shown;
    unsigned t;
    printf("usage: perceptron %s [options] %s\n%s.\n", of->name, of->arguments, of->purpose);
    for (t = 0; t < LENGTH(topics); t++) {
        if (only != TOPIC_ALL && t != only) continue;
        for (g = 0, shown = 0; g < of->count; g++)
            if (of->groups[g].topic == t)
                shown += print_group(&of->groups[g], brief,
                                     !brief  ? of->groups[g].of->title
                                     : shown ? NULL
                                             : topics[t]);
    }
    if (brief) {
        char *list = topic_list(of, " | ");
        if (of->notes) printf("%.*s.\n", first_sentence(of->notes), of->notes);
        printf("More: perceptron %s --help %s\n", of->name, list);
        free(list);
    } else if (of->notes && (only == TOPIC_ALL || only == TOPIC_OUTPUT)) {
        print_wrapped(of->notes, 0);
    }
}

/* ---- The man page ---- */

/* Prints a text, line by line, so that roff takes no character of it for its own. */
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

static void man_option(FILE *f, const option_group *g, const option_entry *e)
{
    char *text = help_text(g, e, 0);
    fputs(".TP\n", f);
    if (e->letter) fprintf(f, "\\fB\\-%c\\fR, ", e->letter);
    fputs("\\fB\\-\\-", f);
    print_roff(f, e->name);
    fputs("\\fR", f);
    if (e->argument) fprintf(f, e->bare ? "[\\fI%s\\fR]" : " \\fI%s\\fR", e->argument);
    fputc('\n', f);
    print_roff(f, text);
    fputc('\n', f);
    arrfree(text);
}

static void man_group(FILE *f, const option_group *g)
{
    size_t i;
    if (g->of->title) {
        fputs(".SS ", f);
        print_roff(f, g->of->title);
        fputc('\n', f);
    }
    for (i = 0; i < g->of->count; i++) man_option(f, g, &g->of->entry[i]);
}

void options_man(FILE *f, const command *const *of, size_t count)
{
    size_t c, g;
    unsigned t;
    for (c = 0; c < count; c++) {
        fprintf(f, ".SH %s\n.B perceptron %s\n[\\fIoptions\\fR] \\fI%s\\fR\n.PP\n", of[c]->name, of[c]->name,
                of[c]->arguments);
        print_roff(f, of[c]->purpose);
        fputs(".\n", f);
        for (t = 0; t < LENGTH(topics); t++)
            for (g = 0; g < of[c]->count; g++)
                if (of[c]->groups[g].topic == t) man_group(f, &of[c]->groups[g]);
        if (!of[c]->notes) continue;
        fputs(".PP\n", f);
        print_roff(f, of[c]->notes);
        fputc('\n', f);
    }
}
