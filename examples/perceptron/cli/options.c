#include "options.h"
#include "help.h"
#include "option_values.h"

#include <ctype.h>

/* ---- Tables ---- */

/* Returns the option of that number, counted through all groups of the command, or NULL behind the last one. */
static const option_entry *entry_of(const command *of, size_t number, void **settings)
{
    size_t g;
    for (g = 0; g < of->count; g++) {
        const option_table *t = of->groups[g].of;
        if (number < t->count) {
            *settings = of->groups[g].settings;
            return &t->entry[number];
        }
        number -= t->count;
    }
    return NULL;
}

static size_t count_of(const command *of)
{
    size_t g, count = 0;
    for (g = 0; g < of->count; g++) count += of->groups[g].of->count;
    return count;
}

static void *value_of(const option_entry *e, void *settings)
{
    return (char *)settings + e->at;
}

/* Returns the number of the option, which the command must have. */
static size_t find_option(const command *of, const char *name)
{
    void *settings;
    size_t i = 0;
    while (strcmp(entry_of(of, i, &settings)->name, name) != 0) i++;
    return i;
}

int option_given(const options *o, const char *name)
{
    return o->given[find_option(o->of, name)] == OPTION_GIVEN;
}

/* ---- Parsing ---- */

static void fail_unknown(const command *of, const char *text) __attribute__((noreturn));

static void fail_unknown(const command *of, const char *text)
{
    const option_entry *e, *nearest = NULL;
    unsigned least = 4, some;
    size_t i, length = strcspn(text, "=");
    char *name = copy_text(text);
    void *settings;
    name[length] = '\0';
    for (i = 0; strncmp(name, "--", 2) == 0 && (e = entry_of(of, i, &settings)) != NULL; i++) {
        if (text[length] && strcmp(name + 2, e->name) == 0) die(EXIT_USAGE, "%s takes no value", name);
        some = edits(name + 2, e->name);
        if (strncmp(e->name, name + 2, length - 2) == 0) some = 1; /* it may be the beginning of several names */
        if (some >= least || 2 * some >= length - 2) continue;
        least = some;
        nearest = e;
    }
    if (nearest)
        die(EXIT_USAGE, "'%s' is not an option of %s: is --%s meant? See perceptron %s --help", name, of->name,
            nearest->name, of->name);
    die(EXIT_USAGE, "'%s' is not an option of %s; see perceptron %s --help", name, of->name, of->name);
}

void option_fail(const options *o, const char *name, const char *value, const char *why)
{
    if (o->given[find_option(o->of, name)] == OPTION_RECALLED)
        die(EXIT_INPUT, "%s: damaged: it remembers --%s %s", o->file, name, value);
    die(EXIT_USAGE, "--%s %s: %s", name, value, why);
}

static void fail_value(const options *o, const option_entry *e, const char *text) __attribute__((noreturn));

static void fail_value(const options *o, const option_entry *e, const char *text)
{
    char why[256];
    if (option_chooses(e))
        snprintf(why, sizeof why, "choose one of %s", option_words(e));
    else
        snprintf(why, sizeof why, "give %s from %.10g to %.10g%s%s",
                 e->kind == OPTION_COUNT ? "a whole number" : "a number", e->low, e->high, e->words ? ", or " : "",
                 e->words ? e->words : "");
    option_fail(o, e->name, text, why);
}

static void set_given(options *o, size_t number, const char *text)
{
    void *settings = NULL;
    const option_entry *e = entry_of(o->of, number, &settings);
    o->given[number] = OPTION_GIVEN;
    if (!text) text = e->bare;
    if (!set_value(e, value_of(e, settings), text)) fail_value(o, e, text);
}

/* Lists the options as getopt_long needs them, --help first, and sets their defaults. */
static void list_options(options *o, struct option *known, char *letters)
{
    const option_entry *e;
    void *settings;
    size_t i;
    strcpy(letters, ":h");
    letters += 2;
    known[0].name = "help";
    known[0].has_arg = optional_argument;
    known[0].val = 'h';
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++) {
        int takes_value = e->kind != OPTION_FLAG;
        set_default(e, value_of(e, settings));
        known[i + 1].name = e->name;
        known[i + 1].has_arg = e->bare ? optional_argument : takes_value ? required_argument : no_argument;
        if (!e->letter) continue;
        *letters++ = e->letter;
        if (takes_value) *letters++ = ':';
    }
    *letters = '\0';
}

static void check_arguments(const command *of, int count)
{
    const char *p;
    int least = 0, most = 0;
    for (p = of->arguments; *p; p++) {
        int begins = isupper((unsigned char)*p) && (p == of->arguments || !isupper((unsigned char)p[-1]));
        most += begins;
        least += begins && (p == of->arguments || p[-1] != '[');
    }
    if (count < least || count > most)
        die(EXIT_USAGE, "perceptron %s takes %s; see perceptron %s --help", of->name, of->arguments, of->name);
}

/* Takes the options of a command line. Returns 0 if --help was given, and has printed it. */
static int take_options(options *o, const struct option *known, const char *letters, int argc, char **argv)
{
    char letter[] = "-?", *wrong;
    const option_entry *e;
    void *settings;
    size_t i;
    int c, place = 0;
    while ((c = getopt_long(argc, argv, letters, known, &place)) != -1) {
        if (c == 'h') {
            if (!optarg && optind < argc && *argv[optind] != '-') optarg = argv[optind];
            options_help(o->of, optarg);
            return 0;
        }
        letter[1] = (char)optopt;
        wrong = optopt ? letter : argv[optind - 1];
        if (c == ':') die(EXIT_USAGE, "%s needs a value; see perceptron %s --help", wrong, o->of->name);
        if (c == '?') fail_unknown(o->of, wrong);
        for (i = 0; c != 0 && (e = entry_of(o->of, i, &settings)) != NULL && e->letter != c;) i++;
        set_given(o, c == 0 ? (size_t)place - 1 : i, optarg);
    }
    return 1;
}

int options_read(options *o, const command *of, int argc, char **argv)
{
    const size_t count = count_of(of);
    struct option *known = allocate_zero(count + 2, sizeof *known); /* --help stands before them, zeros behind them */
    char *letters = allocate(2 * count + sizeof ":h", 1);           /* a colon may stand behind each */
    int goes_on, n;
    memset(o, 0, sizeof *o);
    o->of = of;
    o->given = allocate_zero(count, 1);
    list_options(o, known, letters);
    opterr = 0;
    optind = 1;
    goes_on = take_options(o, known, letters, argc, argv);
    free(known);
    free(letters);
    if (!goes_on) return -1;
    for (n = 0; optind + n < argc; n++) argv[n] = argv[optind + n];
    check_arguments(of, n);
    return n;
}

void options_free(options *o)
{
    texts_free(&o->overridden);
    free(o->given);
}

/* Does the option have an effect, as far as is known? One that is idle in this run may have one in the next, if a model
 * remembers it. */
static int stays(const options *o, size_t number, const option_entry *e, const void *settings)
{
    const option_needs n = needs_of(e, settings);
    return n.is_met && (n.has_effect || o->given[number] == OPTION_RECALLED);
}

void options_check(const options *o)
{
    const option_entry *e;
    void *settings;
    size_t i;
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++) {
        const option_needs n = needs_of(e, settings);
        if (!o->given[i] || stays(o, i, e, settings)) continue;
        if (o->given[i] == OPTION_GIVEN && !n.is_met) die(EXIT_USAGE, "--%s needs %s", e->name, n.text);
        set_default(e, value_of(e, settings));
    }
}

void options_suppose(const options *o, const char *name, const char *value)
{
    void *settings = NULL;
    const size_t i = find_option(o->of, name);
    const option_entry *e = entry_of(o->of, i, &settings);
    if (o->given[i] != OPTION_GIVEN) set_value(e, value_of(e, settings), value);
}

/* ---- What a model remembers ---- */

static void put_texts(char ***texts, const char *format, const option_entry *e, void *settings)
{
    const char *text;
    size_t k;
    for (k = 0; (text = value_text(e, value_of(e, settings), k)) != NULL; k++) {
        char *pair = allocate(strlen(e->name) + strlen(text) + 4, 1);
        sprintf(pair, format, e->name, text);
        arrput(*texts, pair);
    }
}

/* Is the text name=value of the option? */
static int keeps_option(const char *kept, const option_entry *e)
{
    const size_t length = strlen(e->name);
    return strncmp(kept, e->name, length) == 0 && kept[length] == '=';
}

char **options_keep(const options *o, unsigned memory, char *const *own)
{
    const option_entry *e;
    char **kept = NULL;
    void *settings;
    size_t i, k;
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++) {
        const int alone = own && (e->memory & ALONE) && o->given[i] == OPTION_GIVEN;
        if (!(e->memory & memory)) continue;
        if (!alone && stays(o, i, e, settings)) put_texts(&kept, "%s=%s", e, settings);
        for (k = 0; alone && k < arrlenu(own); k++)
            if (keeps_option(own[k], e)) arrput(kept, copy_text(own[k]));
    }
    return kept;
}

char **options_typed(const options *o, unsigned but)
{
    const option_entry *e;
    char **typed = NULL;
    void *settings;
    size_t i;
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++)
        if (o->given[i] == OPTION_GIVEN && !(e->memory & but))
            put_texts(&typed, e->kind == OPTION_FLAG ? "--%s" : "--%s=%s", e, settings);
    return typed;
}

/* Notes that an option was given another value than the model remembers; of a list it names the first text. known: the
 * model remembers one. */
static void note_given(options *o, const option_entry *e, void *settings, const char *text, int known)
{
    const char *value = value_text(e, value_of(e, settings), 0);
    char *now = copy_text(value ? value : ""), *note; /* an idle option has lost its value */
    const char *more = e->kind == OPTION_LIST && value_text(e, value_of(e, settings), 1) ? " ..." : "";
    if ((e->memory & FIXED) && value && (known || e->kind == OPTION_LIST) && strcmp(now, text) != 0)
        die(EXIT_USAGE, "--%s %s: the model has %s, as it was trained; leave --%s out", e->name, now, text, e->name);
    if (value && (strcmp(now, text) != 0 || *more)) {
        note = allocate(strlen(e->name) + strlen(now) + strlen(text) + 40, 1);
        sprintf(note, "--%s%s%s%s in place of the model's %s", e->name, *now ? " " : "", now, more, text);
        arrput(o->overridden, note);
    }
    free(now);
}

void options_recall(options *o, char *const *kept, unsigned memory, const char *file)
{
    const option_entry *e;
    void *settings;
    const char *text;
    size_t i, k;
    uint8_t *met = allocate_zero(count_of(o->of), 1);
    o->file = file;
    for (k = 0; k < arrlenu(kept); k++) {
        for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++)
            if ((e->memory & memory) && keeps_option(kept[k], e)) break;
        if (!e) continue;
        text = kept[k] + strlen(e->name) + 1;
        if (!*text && e->bare) text = e->bare; /* in models from when the option had no value */
        if (o->given[i] == OPTION_GIVEN && !(e->memory & ADDS)) {
            if (!met[i]) note_given(o, e, settings, text, 1);
            met[i] = 1;
            continue;
        }
        if (o->given[i] != OPTION_GIVEN) o->given[i] = OPTION_RECALLED;
        if (!set_value(e, value_of(e, settings), text)) fail_value(o, e, text);
    }
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++)
        if ((e->memory & memory) && !(e->memory & ADDS) && o->given[i] == OPTION_GIVEN && !met[i])
            note_given(o, e, settings, e->kind == OPTION_LIST ? "none" : "default", 0);
    free(met);
}

void options_refuse_shape(const options *o)
{
    const option_entry *e;
    void *settings;
    size_t i;
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++)
        if ((e->memory & SHAPE) && o->given[i] == OPTION_GIVEN)
            die(EXIT_USAGE, "--%s cannot be given with --resume, which takes it from the model: leave it out", e->name);
}
