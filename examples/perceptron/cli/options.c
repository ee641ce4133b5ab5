#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

/* ---- Tables ---- */

/* The option of that number, counted through all groups of the command; NULL behind the last. */
static const option_entry *entry_of(const command *of, size_t number, void **settings)
{
    size_t g;
    for (g = 0; g < of->count; number -= of->groups[g++].count)
        if (number < of->groups[g].count) {
            *settings = of->groups[g].settings;
            return &of->groups[g].entry[number];
        }
    return NULL;
}

static void *value_of(const option_entry *e, void *settings)
{
    return (char *)settings + e->at;
}

/* Its number; the command has it. */
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

/* ---- Values ---- */

/* These return 0 if the text is no value of the option. */
static int set_choice(const option_entry *e, unsigned *value, const char *text)
{
    const char *p = option_words(e);
    size_t length = strlen(text);
    for (*value = 0;; ++*value, p++) {
        if (strcspn(p, "|") == length && strncmp(p, text, length) == 0) return 1;
        p = strchr(p, '|');
        if (!p) return 0;
    }
}

static int set_number(const option_entry *e, void *to, const char *text)
{
    char *end;
    double value;
    if (e->words && strcmp(text, e->words) == 0) {
        *(uint32_t *)to = OPTION_UNSET;
        return 1;
    }
    errno = 0;
    value = strtod(text, &end);
    if (end == text || *end || !(value >= e->low && value <= e->high) ||
        (e->kind == OPTION_COUNT && value != (double)(uint32_t)value))
        return 0;
    if (e->kind == OPTION_COUNT)
        *(uint32_t *)to = (uint32_t)value;
    else
        *(float *)to = (float)value;
    return 1;
}

static int set_value(const option_entry *e, void *to, const char *text)
{
    switch (e->kind) {
    case OPTION_FLAG: *(int *)to = 1; break;
    case OPTION_COUNT:
    case OPTION_NUMBER: return set_number(e, to, text);
    case OPTION_CHOICE: return set_choice(e, to, text);
    case OPTION_TEXT: *(const char **)to = text; break;
    case OPTION_LIST: arrput(*(const char ***)to, text); break;
    }
    return 1;
}

static void set_default(const option_entry *e, void *to)
{
    if (e->preset) {
        set_value(e, to, e->preset);
        return;
    }
    switch (e->kind) {
    case OPTION_FLAG: *(int *)to = 0; break;
    case OPTION_COUNT: *(uint32_t *)to = 0; break;
    case OPTION_NUMBER: *(float *)to = NAN; break;
    case OPTION_CHOICE: *(unsigned *)to = OPTION_UNSET; break;
    case OPTION_TEXT: *(const char **)to = NULL; break;
    case OPTION_LIST: *(const char ***)to = NULL; break;
    }
}

/* With as few digits as give the same float. */
static void shortest_text(char *text, size_t size, float value)
{
    int digits = 6;
    do snprintf(text, size, "%.*g", digits++, (double)value);
    while (digits <= 9 && strtof(text, NULL) != value);
}

/* Value `place` of the option as a text for set_value; NULL: there is none. Stays until the next call. */
static const char *value_text(const option_entry *e, const void *from, size_t place)
{
    static char text[32], *word;
    const char *const *list;
    if (e->kind == OPTION_LIST) {
        list = *(const char *const *const *)from;
        return place < arrlenu(list) ? list[place] : NULL;
    }
    if (place > 0) return NULL;
    switch (e->kind) {
    case OPTION_FLAG: return *(const int *)from ? "" : NULL;
    case OPTION_COUNT:
        if (e->words && *(const uint32_t *)from == OPTION_UNSET) return e->words;
        snprintf(text, sizeof text, "%lu", (unsigned long)*(const uint32_t *)from);
        return *(const uint32_t *)from || e->preset ? text : NULL;
    case OPTION_NUMBER:
        shortest_text(text, sizeof text, *(const float *)from);
        return isnan(*(const float *)from) ? NULL : text;
    case OPTION_CHOICE:
        if (*(const unsigned *)from == OPTION_UNSET) return NULL;
        free(word);
        return word = option_word(option_words(e), *(const unsigned *)from);
    default: return *(const char *const *)from;
    }
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
        if (strncmp(e->name, name + 2, length - 2) == 0) some = 1; /* the beginning of several */
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
    if (e->kind == OPTION_CHOICE)
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

/* What getopt_long needs; the first is --help. Returns how many there are. */
static size_t list_options(options *o, struct option *known, char *letters)
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
    return i;
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

int options_read(options *o, const command *of, int argc, char **argv)
{
    struct option known[OPTIONS_MOST + 2] = {{NULL, 0, NULL, 0}};
    char letters[2 * OPTIONS_MOST + 4] = "", letter[] = "-?", *wrong;
    const option_entry *e;
    void *settings;
    size_t i;
    int c, place = 0;
    memset(o, 0, sizeof *o);
    o->of = of;
    list_options(o, known, letters);
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, letters, known, &place)) != -1) {
        if (c == 'h') {
            if (!optarg && optind < argc && *argv[optind] != '-') optarg = argv[optind];
            options_help(of, optarg);
            return -1;
        }
        letter[1] = (char)optopt;
        wrong = optopt ? letter : argv[optind - 1];
        if (c == ':') die(EXIT_USAGE, "%s needs a value; see perceptron %s --help", wrong, of->name);
        if (c == '?') fail_unknown(of, wrong);
        for (i = 0; c != 0 && (e = entry_of(of, i, &settings)) != NULL && e->letter != c;) i++;
        set_given(o, c == 0 ? (size_t)place - 1 : i, optarg);
    }
    for (c = 0; optind + c < argc; c++) argv[c] = argv[optind + c];
    check_arguments(of, c);
    return c;
}

/* As far as is known. What a model remembers and is idle in this run may have one in the next. */
static int stays(const options *o, size_t number, const option_entry *e, const void *settings)
{
    const int holds = e->needs ? e->needs->holds(settings) : 1;
    return holds == OPTION_IDLE ? o->given[number] == OPTION_RECALLED : holds != 0;
}

void options_check(const options *o)
{
    const option_entry *e;
    void *settings;
    size_t i;
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++) {
        if (!o->given[i] || stays(o, i, e, settings)) continue;
        if (o->given[i] == OPTION_GIVEN && e->needs->holds(settings) == 0)
            die(EXIT_USAGE, "--%s needs %s", e->name, e->needs->text);
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

/* Notes that an option was given another value than the one remembered. Of a list the first is named. known: it is
 * remembered. */
static void note_given(options *o, const option_entry *e, void *settings, const char *text, int known)
{
    const char *value = value_text(e, value_of(e, settings), 0);
    char *now = copy_text(value ? value : ""), *note; /* an idle option has none any more */
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
    uint8_t met[OPTIONS_MOST] = {0};
    o->file = file;
    for (k = 0; k < arrlenu(kept); k++) {
        for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++)
            if ((e->memory & memory) && keeps_option(kept[k], e)) break;
        if (!e) continue;
        text = kept[k] + strlen(e->name) + 1;
        if (!*text && e->bare) text = e->bare; /* of models from when it had no value */
        if (o->given[i] == OPTION_GIVEN) {
            if (!met[i]) note_given(o, e, settings, text, 1);
            met[i] = 1;
            continue;
        }
        o->given[i] = OPTION_RECALLED;
        if (!set_value(e, value_of(e, settings), text)) fail_value(o, e, text);
    }
    for (i = 0; (e = entry_of(o->of, i, &settings)) != NULL; i++)
        if ((e->memory & memory) && o->given[i] == OPTION_GIVEN && !met[i])
            note_given(o, e, settings, e->kind == OPTION_LIST ? "none" : "default", 0);
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
