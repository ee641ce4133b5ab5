#include "list.h"
#include "report.h"
#include "cli/option_values.h"
#include "cli/say.h"
#include "text/number.h"

typedef struct show {
    uint32_t top;
    int as_json, csv, list, zero_based;
    const char *names;
    model m;
    pcn_linear plain;          /* the weights per unit; weight NULL: they are the same */
    char number[FEATURE_ROOM]; /* of feature_name */
    say to;
} show;

static const char *feature_name(show *s, uint32_t j)
{
    return model_feature(&s->m, j, !s->zero_based, s->number);
}

/* ---- What the file says of the training ---- */

/* An empty value: the option takes none. */
static void put_option(show *s, const char *name, const char *value, int is_word)
{
    (is_word ? json_text : json_word)(&s->to.j, name, is_word || *value ? value : "true");
    say_line(&s->to, " --%s%s%s", name, *value ? " " : "", printable(value, SIZE_MAX));
}

static void put_word(show *s, const char *name, const char *words, unsigned place)
{
    char *word = option_word(words, place);
    put_option(s, name, word, 1);
    free(word);
}

static void put_number(show *s, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    put_option(s, name, text, 0);
}

static void put_kernel(show *s)
{
    const pcn_kernel *k = &s->m.dual.model.kernel;
    put_word(s, "kernel", KERNEL_WORDS, s->m.kernel);
    if (s->m.kernel == KERNEL_POLY) put_number(s, "degree", k->degree);
    if (s->m.kernel != KERNEL_LINEAR) put_number(s, "gamma", (double)k->gamma);
    if (s->m.kernel == KERNEL_POLY) put_number(s, "coef0", (double)k->coef0);
}

/* Which options of training say what the model is no more? The decision may have been settled otherwise, and a third
 * label has ended the probabilities of two. */
static int is_overtaken(const model *m, const char *name)
{
    return strcmp(name, "decision") == 0 || (strcmp(name, "probabilities") == 0 && !model_calibrated(m));
}

/* What the file remembers of the training. */
static void put_kept(show *s)
{
    const char *const *pair = (const char *const *)s->m.kept, *value;
    size_t i;
    for (i = 0; i < arrlenu(pair); i++) {
        char *name = copy_text(pair[i]), *end;
        value = pair[i] + strcspn(pair[i], "=") + 1;
        name[value - pair[i] - 1] = '\0';
        strtod(value, &end);
        if (!is_overtaken(&s->m, name)) put_option(s, name, value, *value && *end != '\0');
        free(name);
    }
}

static void put_options(show *s)
{
    const model *m = &s->m;
    if (model_can(m, CAN_KERNEL)) put_kernel(s);
    if (model_can(m, CAN_DECISION)) put_word(s, "decision", DECISION_WORDS, m->decision);
    if (model_can(m, CAN_ALPHA)) put_number(s, "threshold", 0 - (double)m->trainer.live.bias[0]);
    if (labels_count(&m->labels) == 2) put_word(s, "zero-class", "positive|negative", m->zero_negative != 0);
    if (!m->is_bare) put_word(s, "normalize", NORMALIZE_WORDS, m->normalize);
    if (m->words != WORDS_BINARY) put_word(s, "words", WORDS_WORDS, m->words);
    if (m->binarize) put_option(s, "binarize", "", 0);
    put_kept(s);
}

/* The numbers of a fit, see fit.h: of each label that has a score. */
static void show_fit(const model *m, say *to)
{
    static const char *const name[] = {"slope", "offset", "drift"};
    const uint32_t units = model_units(m);
    const float *own = m->fit + FIT_HEAD;
    uint32_t i, k;
    json_open(&to->j, "fit", '{');
    json_number(&to->j, "q0", (double)m->fit[0]);
    json_number(&to->j, "low", (double)m->fit[1]);
    json_number(&to->j, "high", (double)m->fit[2]);
    say_number(to, "power", "\nfitted     probabilities from scores; slopes go with the power ", (double)m->fit[3], "");
    say_number(to, "blur", " of the row's length, and of labels ", (double)m->fit[4], " are taken as drawn by chance");
    for (i = 0; i < LENGTH(name); i++) {
        json_open(&to->j, name[i], '[');
        for (k = 0; k < units; k++, own++) json_number(&to->j, NULL, (double)*own);
        json_close(&to->j, ']');
    }
    json_close(&to->j, '}');
    for (k = 0, own = m->fit + FIT_HEAD; k < units; k++)
        say_line(to, "\n           %s: %.6g score %+.6g %+.6g q", printable(model_unit_label(m, k), EXCERPT),
                 (double)own[k], (double)own[units + k], (double)own[2 * (size_t)units + k]);
}

/* Leaves the object open. */
static void put_head(show *s)
{
    const model *m = &s->m;
    const pcn_count *c = &model_learner(&s->m)->count;
    say *to = &s->to;
    uint32_t i, n = labels_count(&m->labels);
    json_text(&to->j, "algorithm", m->kind->name);
    if (m->beside)
        list_pair(to, m, "algorithm  ");
    else
        say_line(to, "algorithm  %s", m->kind->name);
    say_line(to, "\n");
    if (m->is_bare)
        say_text(to, "image", "image      ", image_kind_of(&m->info)->saved_from,
                 " alone, as C saves it: features and classes are numbers from 0\n");
    say_line(to, "options   ");
    json_open(&to->j, "options", '{');
    put_options(s);
    json_close(&to->j, '}');
    json_known(&to->j, "rows", c->rows, !m->frozen);
    json_known(&to->j, "updates", c->updates, !m->frozen);
    json_known(&to->j, "mistakes", c->mistakes, !m->frozen);
    if (m->frozen)
        say_line(to, "\nlearned    not in the file: it has the weights alone\n");
    else
        say_line(to, "\nlearned    %llu rows, %llu updates, %llu mistakes\n", (unsigned long long)c->rows,
                 (unsigned long long)c->updates, (unsigned long long)c->mistakes);
    say_count(to, "classes", "classes    ", n, ":");
    json_open(&to->j, "labels", '[');
    for (i = 0; i < n; i++) say_text(to, NULL, " ", labels_text(&m->labels, i), "");
    json_close(&to->j, ']');
    if (m->label_name) say_line(to, " (column '%s')", printable(m->label_name, SIZE_MAX));
    say_count(to, "features", "\nfeatures   ", model_features(m), "");
    if (m->largest_value > 0) say_number(to, "greatest_value", ", values of up to ", (double)m->largest_value, "");
    list_dates(to, m, "\ndates      ", ", in " DATE_UNIT, !s->zero_based);
    list_offsets(to, m, !s->zero_based);
    if (model_calibrated(m)) {
        say_number(to, "calibration_a", "\nsure       probabilities of ", (double)m->calibration.a, " score");
        say_number(to, "calibration_b", n == 2 ? " + " : ", b = ", (double)m->calibration.b, "");
        if (n == 2) say_number(to, "calibration_c", ", c = ", (double)m->calibration.c, "");
        say_number(to, "calibration_most", ", none above ", 1 / (1 + (n - 1) * model_least_odds(m)), "");
    }
    if (m->fit) show_fit(m, to);
    say_count(to, "bytes", "\nbytes      ", m->file_bytes, "\n");
}

/* ---- Linear models ---- */

static float weight_of(const pcn_linear *l, uint32_t c, uint32_t j)
{
    return l->weight[model_weight_at(l, c, j)];
}

static float bias_of(const pcn_linear *l, uint32_t c)
{
    return l->bias ? l->bias[c] : 0;
}

/* Of AROW; 0: the model has none. */
static double variance_of(const show *s, const pcn_linear *l, uint32_t c, uint32_t j)
{
    if (!model_can(&s->m, CAN_R) || s->m.frozen) return 0;
    return (double)s->m.arrays.state[model_weight_at(l, c, j)];
}

/* What a unit of the feature adds to a score, if all rows agree on that. The value of a weighted word depends on its row. */
static const float *weight_per_unit(const show *s, uint32_t c, uint32_t j)
{
    if (!s->plain.weight || (model_weighs_words(&s->m) && s->m.document_frequency[j] != NOT_A_WORD)) return NULL;
    return &s->plain.weight[model_weight_at(&s->plain, c, j)];
}

/* The heaviest features whose weight in score c has this sign. One score is that of class 1. */
static uint32_t heaviest(const pcn_linear *l, uint32_t c, int sign, uint32_t *feature, uint32_t top)
{
    uint32_t n = pcn_linear_top(l, l->scores == 1 ? 1 : c, sign, feature, top);
    while (n && (float)sign * weight_of(l, c, feature[n - 1]) <= 0) n--;
    return n;
}

static void print_heaviest(show *s, const pcn_linear *l, uint32_t c, int sign, uint32_t *feature)
{
    const char *how = sign > 0 ? "for" : "against";
    uint32_t n = heaviest(l, c, sign, feature, s->top), i;
    json *j = &s->to.j;
    say_line(&s->to, "%s %s%s\n", how, printable(list_label(&s->m, l->scores, c), SIZE_MAX), n ? "" : ": no feature");
    json_open(j, how, '[');
    for (i = 0; i < n; i++) {
        const double weight = (double)weight_of(l, c, feature[i]), variance = variance_of(s, l, c, feature[i]);
        const float *per_unit = weight_per_unit(s, c, feature[i]);
        json_open(j, NULL, '{');
        json_text(j, "feature", feature_name(s, feature[i]));
        json_number(j, "weight", weight);
        say_line(&s->to, "  %12g  %s", weight, printable(feature_name(s, feature[i]), SIZE_MAX));
        if (per_unit) say_number(&s->to, "per_unit", "  (per unit ", (double)*per_unit, ")");
        if (variance > 0) json_number(j, "variance", variance);
        say_line(&s->to, variance > 0 ? "  (variance %.3g)\n" : "\n", variance);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void print_weights(show *s, const pcn_linear *l)
{
    uint32_t *feature = allocate(s->top, sizeof *feature), c;
    json_open(&s->to.j, "weights", '[');
    for (c = 0; c < l->scores; c++) {
        json_open(&s->to.j, NULL, '{');
        say_text(&s->to, "label", "\nbias of ", list_label(&s->m, l->scores, c), ": ");
        say_number(&s->to, "bias", "", (double)bias_of(l, c), "");
        if (s->plain.weight) say_number(&s->to, "bias_per_unit", "  (per unit ", (double)bias_of(&s->plain, c), ")");
        say_line(&s->to, "\n");
        print_heaviest(s, l, c, 1, feature);
        print_heaviest(s, l, c, -1, feature);
        json_close(&s->to.j, '}');
    }
    json_close(&s->to.j, ']');
    free(feature);
}

/* A spreadsheet would take what begins so for a formula, unless it is a number: an apostrophe makes it a text. One that
 * is there gets another, so that whoever takes one away has what it was. */
static void print_text(const char *text)
{
    float number;
    const char *end = parse_float(text, &number);
    char *marked = allocate(strlen(text) + 2, 1);
    sprintf(marked, "%s%s", *text && strchr("=+-@'\t\r", *text) && !(end && *end == '\0') ? "'" : "", text);
    print_field(stdout, marked, ",\"\r\n");
    free(marked);
}

static void print_line(const show *s, const char *feature, const char *label, float weight, const float *per_unit)
{
    print_text(feature);
    putchar(',');
    print_text(label);
    printf(",%.9g", (double)weight);
    if (s->plain.weight) putchar(',');
    if (per_unit) printf("%.9g", (double)*per_unit);
    putchar('\n');
}

static void print_csv(show *s, const pcn_linear *l)
{
    const float *b = s->plain.bias;
    uint32_t c, j;
    printf("feature,label,weight%s\n", s->plain.weight ? ",per_unit" : "");
    for (j = 0; j < l->features; j++)
        for (c = 0; c < l->scores; c++)
            print_line(s, feature_name(s, j), list_label(&s->m, l->scores, c), weight_of(l, c, j),
                       weight_per_unit(s, c, j));
    for (c = 0; c < l->scores; c++)
        print_line(s, "(bias)", list_label(&s->m, l->scores, c), bias_of(l, c), s->plain.weight ? b + c : NULL);
}

/* ---- The command ---- */

/* The lines of --names; there may be more of them than features. */
static void read_names(model *m, const char *file)
{
    size_t size, features = model_features(m);
    char *text = (char *)read_file(file, &size), *p = text, *end = text + size, *line;
    if (memchr(text, '\0', size)) die(EXIT_INPUT, "%s: a NUL byte; give a name a line", file);
    while (p < end && arrlenu(m->names) < features) {
        char *newline = memchr(p, '\n', (size_t)(end - p)), *stop = newline ? newline : end;
        size_t length = (size_t)(stop - p) - (stop > p && stop[-1] == '\r');
        if (length == 0) die(EXIT_INPUT, "%s:%zu: no name on this line", file, (size_t)arrlenu(m->names) + 1);
        line = allocate(length + 1, 1);
        memcpy(line, p, length);
        line[length] = '\0';
        arrput(m->names, line);
        p = stop + 1;
    }
    if (arrlenu(m->names) < features)
        die(EXIT_INPUT, "%s: %zu names are too few, the model has %zu features", file, (size_t)arrlenu(m->names),
            features);
    free(text);
}

static void load(show *s, const char *name)
{
    model_open(&s->m, name);
    model_load(&s->m, 0);
    model_sort_classes(&s->m);
    if (s->csv && !model_can(&s->m, CAN_BE_WEIGHTS))
        die(EXIT_USAGE, "--csv is for linear models: --json has vectors, too");
    if (s->list && !(model_vectors(&s->m) && s->m.dual.model.log))
        die(EXIT_USAGE, "--list is for voted and kernel models that remember all their states: train -a voted without "
                        "a --policy that forgets");
    if (s->m.names && s->names) die(EXIT_USAGE, "--names is for models without names, this one has them: leave it out");
    if (s->names) read_names(&s->m, s->names);
    s->zero_based |= model_first(&s->m) == 0;
}

/* The weights of values as they are written, offsets and all. */
static void find_plain(show *s, const pcn_linear *l)
{
    float *bias;
    uint32_t c, j;
    s->plain = model_unscaled(&s->m, l, NULL);
    bias = (float *)s->plain.bias;
    for (c = 0; c < l->scores; c++) {
        double sum = 0;
        for (j = 0; j < arrlenu(s->m.offset); j++)
            sum += (double)s->plain.weight[model_weight_at(&s->plain, c, j)] * s->m.offset[j];
        bias[c] = (float)((double)bias[c] - sum);
    }
}

static void print_model(show *s)
{
    const pcn_kmodel *vectors = model_vectors(&s->m);
    pcn_linear l = {NULL, NULL, 0, 0, 0, 0, 0};
    if (!vectors) l = model_decision(&s->m);
    if (!vectors && s->m.normalize == NORMALIZE_STANDARD) find_plain(s, &l);
    if (s->csv) {
        print_csv(s, &l);
        return;
    }
    s->to = say_to(stdout, s->as_json);
    put_head(s);
    if (s->list)
        list_states(&s->to, &s->m, !s->zero_based);
    else if (vectors)
        list_vectors(&s->to, &s->m, s->top, !s->zero_based);
    else
        print_weights(s, &l);
    say_end(&s->to);
}

static show given;

OPTION_NEED(show, s, one_form, "no --csv, which has all weights and nothing else", !s->csv)
OPTION_NEED(show, s, heaviest_only, "no --csv and no --list, which leave nothing out", !s->csv && !s->list)

#define AT(member) .at = offsetof(show, member)

static const option_entry show_options[] = {
    {"top", 0, OPTION_COUNT, AT(top), .low = 1, .high = 1000, .preset = "10", .argument = "N", .needs = &heaviest_only,
     .help = "List the N features of greatest weight for and against each class, or the N such vectors of a voted or "
             "kernel model."},
    {"names", 0, OPTION_TEXT, AT(names), .argument = "FILE",
     .help = "Take the names of features from FILE, one a line. Use it for models of libsvm text, which have none."},
    {"zero-based", 0, OPTION_FLAG, AT(zero_based),
     .help = "Number features from 0, as in C. For models that have no names."},
    {"json", 0, OPTION_FLAG, AT(as_json), .needs = &one_form, .help = "Print one JSON object."},
    {"csv", 0, OPTION_FLAG, AT(csv),
     .help =
         "Print all weights of a linear model as lines feature,label,weight, then the biases, as feature (bias); "
         "with standardized columns also per_unit. Use it to sort or draw them elsewhere. A name that begins with =, +, -, @ or ' and is not a number gets "
         "a ' before it, so that spreadsheets take it for a text."},
    {"list", 0, OPTION_FLAG, AT(list), .needs = &one_form,
     .help = "List the states of a voted or kernel model: how many rows each survived, and the step that made it. With "
             "the linear kernel there are also its weights, of up to 12 features (with --json of any number). The "
             "state before the first step has no vote and is left out."},
};
static const option_group groups[] = {OPTION_GROUP(TOPIC_ALL, NULL, show_options, &given)};

static int show_model(options *o, int arguments, char **argument)
{
    (void)arguments;
    if (given.names && given.zero_based) die(EXIT_USAGE, "--names and --zero-based: choose one");
    if (given.names && strcmp(given.names, "-") == 0 && strcmp(argument[0], "-") == 0)
        die(EXIT_USAGE, "MODEL and --names cannot both be standard input");
    options_check(o);
    load(&given, argument[0]);
    print_model(&given);
    free((float *)given.plain.weight);
    model_free(&given.m);
    return 0;
}

const command command_show = {
    "show",
    "Shows what is in a model file",
    "MODEL",
    "The weights are those that predict: in an averaged model, the mean. With two labels they are for the "
    "second, the positive one. With --normalize they apply to scaled values; for standardized columns, "
    "weights per unit are printed, too. Weights of Winnow, unless it is balanced, are never against a class. "
    "Of the two learners of a stream, all is of the one that leads. Rows, updates and mistakes are those of all "
    "epochs; a model of weights alone (--final, --pocket, "
    "--validate, import) has none. The number of a stored vector is that of its row among those learned from. "
    "Its weight is the sum of |coefficient| over the classes, of the mean coefficients if the mean decides, "
    "otherwise of the last.",
    groups,
    LENGTH(groups),
    show_model};
