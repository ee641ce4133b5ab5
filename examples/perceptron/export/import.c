#include "export.h"
#include "text/number.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>

/* ---- Words of a text ---- */

typedef struct source {
    const char *name;
    char *p;            /* where the next word is looked for */
    unsigned long line; /* of the last word */
    unsigned long next; /* at p */
} source;

static void fail(const source *s, const char *format, ...) __attribute__((noreturn, format(SYSTEM_PRINTF, 2, 3)));

static void fail(const source *s, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    die(EXIT_INPUT, "%s:%lu: %s", s->name, s->line, what);
}

static void source_open(source *s, const char *name)
{
    size_t size;
    uint8_t *bytes = read_file(name, &size);
    s->name = strcmp(name, "-") == 0 ? "standard input" : name;
    s->p = reallocate(bytes, size + 1);
    s->p[size] = '\0';
    s->line = s->next = 1;
    if (strlen(s->p) != size) die(EXIT_INPUT, "%s: NUL byte: this is no text", s->name);
}

/* The next word, ended by a NUL that takes the place of the blank behind it; NULL at the end. */
static char *next_word(source *s)
{
    char *word;
    for (; *s->p && strchr(" \t\r\n", *s->p); s->p++) s->next += *s->p == '\n';
    s->line = s->next;
    if (*s->p == '\0') return NULL;
    word = s->p;
    s->p += strcspn(s->p, " \t\r\n");
    s->next += *s->p == '\n';
    if (*s->p) *s->p++ = '\0';
    return word;
}

static char *need_word(source *s, const char *what)
{
    char *word = next_word(s);
    if (!word) fail(s, "the file ends: %s missing", what);
    return word;
}

static double next_number(source *s, const char *what)
{
    char *word = need_word(s, what);
    float value;
    const char *end = parse_float(word, &value);
    if (!end || *end) fail(s, "%s '%s' is not a finite decimal number", what, word);
    if (isinf(value)) fail(s, "%s '%s' overflows a 32-bit float", what, word);
    return strtod(word, NULL);
}

static long next_integer(source *s, const char *what, long low)
{
    char *word = need_word(s, what);
    long value;
    if (!label_is_integer(word, &value) || value < low)
        fail(s, "%s '%s' is not an integer from %ld to 2147483647", what, word, low);
    return value;
}

/* ---- LIBLINEAR ---- */

enum header_line { LINE_SOLVER, LINE_CLASSES, LINE_LABELS, LINE_FEATURES, LINE_BIAS, LINES };
static const char *const line_name[LINES] = {"solver_type", "nr_class", "label", "nr_feature", "bias"};

typedef struct header {
    int given[LINES];
    int crammer; /* each of two labels, too, has a column of weights */
    uint32_t classes, features;
    labels label; /* in the order of the columns */
    double bias;  /* below 0: none */
} header;

/* NULL ends the words. */
static int is_among(const char *const *words, const char *word)
{
    while (*words && strcmp(*words, word) != 0) words++;
    return *words != NULL;
}

static void read_solver(source *s, header *h)
{
    static const char *const classifiers[] = {
        "L2R_LR",   "L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL",
        "MCSVM_CS", "L1R_L2LOSS_SVC",      "L1R_LR",         "L2R_LR_DUAL",
        NULL};
    static const char *const others[] = {"L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR_DUAL", "L2R_L1LOSS_SVR_DUAL", "ONECLASS_SVM",
                                         NULL};
    const char *word = need_word(s, "solver");
    if (is_among(others, word)) fail(s, "%s is a solver of another task than classification", word);
    if (!is_among(classifiers, word)) fail(s, "'%s' is not a solver of LIBLINEAR", word);
    h->crammer = strcmp(word, "MCSVM_CS") == 0;
}

static void read_labels(source *s, header *h)
{
    uint32_t k;
    if (!h->given[LINE_CLASSES]) fail(s, "label stands before nr_class");
    labels_init(&h->label);
    for (k = 0; k < h->classes; k++) {
        char text[16];
        snprintf(text, sizeof text, "%ld", next_integer(s, "label", INT32_MIN));
        if (labels_add(&h->label, text) != k) fail(s, "label %s stands twice", text);
    }
}

static void read_line(source *s, header *h, const char *word)
{
    unsigned line = 0;
    while (line < LINES && strcmp(word, line_name[line]) != 0) line++;
    if (line == LINES) fail(s, "'%.40s' is not a line of a LIBLINEAR header", word);
    if (h->given[line]) fail(s, "%s stands twice", word);
    switch (line) {
    case LINE_SOLVER: read_solver(s, h); break;
    case LINE_CLASSES: h->classes = (uint32_t)next_integer(s, "nr_class", 2); break;
    case LINE_LABELS: read_labels(s, h); break;
    case LINE_FEATURES: h->features = (uint32_t)next_integer(s, "nr_feature", 1); break;
    case LINE_BIAS: h->bias = next_number(s, "bias"); break;
    }
    h->given[line] = 1;
}

/* Up to the line "w". */
static void read_header(source *s, header *h)
{
    const char *word;
    unsigned line;
    memset(h, 0, sizeof *h);
    while (strcmp(word = need_word(s, "line 'w'"), "w") != 0) read_line(s, h, word);
    for (line = 0; line < LINES; line++)
        if (!h->given[line]) fail(s, "no %s before 'w'", line_name[line]);
}

/* Whether the first of two labels is the greater one: the positive one of our models. */
static int first_is_positive(const header *h)
{
    return atol(labels_text(&h->label, 0)) > atol(labels_text(&h->label, 1));
}

/* A row of the file. Of two labels liblinear-predict looks at the first column alone: the first label wins
 * if its score is > 0. Our models have the weights of the positive label. */
static void read_row(source *s, const header *h, uint32_t columns, double factor, float *to)
{
    double sign = h->classes == 2 && !first_is_positive(h) ? -1 : 1;
    uint32_t c;
    for (c = 0; c < columns; c++) {
        double weight = sign * factor * next_number(s, "weight");
        if (fabs(weight) > (double)FLT_MAX) fail(s, "weight times bias overflows a 32-bit float");
        if (fabs(weight) >= 0x1p80) fail(s, "weight %g: models have none from 2^80 on", weight);
        if (c == 0 || h->classes > 2) to[c] = (float)weight;
    }
}

/* Feature-major, as in the file: all features, then the biases. */
static pcn_linear read_weights(source *s, const header *h, model *m)
{
    uint32_t columns = h->classes == 2 && !h->crammer ? 1 : h->classes, j;
    uint32_t classes = h->classes == 2 ? 1 : h->classes, all = h->features + (h->bias >= 0);
    pcn_linear l;
    if ((uint64_t)columns * all > strlen(s->p) / 2 + 1) /* a digit and a blank each, before allocating */
        fail(s, "too few weights behind 'w': nr_class and nr_feature want %llu of them",
             (unsigned long long)columns * all);
    m->arrays.memory = allocate_zero(PCN_LINEAR_FLOATS(h->features, classes), sizeof *m->arrays.memory);
    for (j = 0; j < all; j++)
        read_row(s, h, columns, j < h->features ? 1 : h->bias, m->arrays.memory + (size_t)j * classes);
    if (next_word(s)) fail(s, "more weights than nr_class and nr_feature say");
    l.weight = m->arrays.memory;
    l.bias = m->arrays.memory + (size_t)classes * h->features;
    l.features = h->features;
    l.scores = classes;
    l.by_feature = 1;
    l.zero_negative = 0;
    l.folded = 0;
    return l;
}

/* A score of 0 goes to the second of two labels, a tie to the first of more: they keep their order. */
static void take_labels(const header *h, model *m)
{
    if (h->classes == 2) {
        m->labels = labels_sorted(&h->label);
        m->zero_negative = first_is_positive(h);
    } else {
        m->labels = h->label;
    }
}

static pcn_linear import_liblinear(const char *name, model *m)
{
    source s;
    header h;
    pcn_linear weights;
    char *text, bias[48];
    source_open(&s, name);
    text = s.p;
    read_header(&s, &h);
    weights = read_weights(&s, &h, m);
    m->kind = learner_named("perceptron");
    snprintf(bias, sizeof bias, "bias=%.9g", (double)(float)fmax(h.bias, 0));
    arrput(m->kept, copy_text(bias));
    take_labels(&h, m);
    weights.zero_negative = m->zero_negative != 0;
    if (h.classes == 2) labels_free(&h.label);
    free(text);
    return weights;
}

/* ---- The command ---- */

static struct {
    unsigned format;
    int force;
    const char *like;
} given;

OPTION_NEED(__typeof__(given), g, a_text, "a FILE of text: --like reads a state", g->like == NULL)

static const option_entry import_options[] = {
    {"format", 0, OPTION_CHOICE, 0, .words = "liblinear", .preset = "liblinear", .argument = "F", .needs = &a_text,
     .help = "Read a classifier saved by liblinear-train."},
    {"like", 0, OPTION_TEXT, .at = offsetof(__typeof__(given), like), .argument = "OLD",
     .help =
         "Read what a trainer in C has stored, or its factory. OLD is the model that it was exported from by export "
         "--as trainer. Labels, names and options are those of OLD, and --follow if OLD predicts by a mean."},
    FORCE_OPTION(__typeof__(given), force),
};
static const option_group groups[] = {OPTION_GROUP(TOPIC_ALL, NULL, import_options, &given)};

static int import_model(options *o, int arguments, char **argument)
{
    const char *name = arguments == 2 ? argument[1] : "-";
    model m;
    pcn_linear weights, *kept = NULL; /* a state is more than weights */
    output out;
    const char *const inputs[] = {argument[0], given.like};
    options_check(o);
    if (given.like && strcmp(given.like, "-") == 0 && strcmp(argument[0], "-") == 0)
        die(EXIT_USAGE, "--like and FILE cannot both be standard input");
    output_spare(name, inputs, LENGTH(inputs));
    if (!given.force && !model_replaces(name)) die(EXIT_USAGE, "%s is no model: --force replaces it", name);
    memset(&m, 0, sizeof m);
    if (given.like) {
        import_state(argument[0], given.like, &m);
    } else {
        weights = import_liblinear(argument[0], &m);
        kept = &weights;
    }
    output_open(&out, name);
    model_save(&m, kept, &out);
    output_close(&out);
    model_free(&m);
    return 0;
}

const command command_import = {
    "import",
    "Makes a model of a LIBLINEAR text or a state",
    "FILE [MODEL]",
    "FILE: text of LIBLINEAR, or with --like a state. MODEL: default is standard output. It predicts as "
    "liblinear-predict or the device does, and train --resume can go on from it.",
    groups,
    LENGTH(groups),
    import_model};
