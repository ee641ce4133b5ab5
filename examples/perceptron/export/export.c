#include "export.h"
#include "read/reader_options.h"

#include <ctype.h>
#include <float.h>
#include <math.h>

/* ---- Weights that take rows as they are ---- */

/* A number that meets feature j, scaled as the feature was in training. */
static float folded(const model *m, uint32_t j, float number)
{
    const float factor = model_column(m, j).factor;
    const double product = (double)number * (double)factor;
    char room[FEATURE_ROOM];
    if (factor != 1 && product != 0 && (fabs(product) < (double)FLT_MIN || fabs(product) > (double)FLT_MAX))
        die(EXIT_INPUT, "feature %s: its scale and its weight together leave the range of floats",
            printable(model_feature(m, j, model_first(m), room), EXCERPT));
    return (float)product;
}

/* m->predictor: the weights that predict, class-major, whatever the layout in training; of numbers as they are, or as q
 * has them. */
static void fold_weights(model *m, const quantized *q)
{
    const pcn_linear from = model_decision(m);
    uint32_t c, j;
    for (c = 0; c < from.scores; c++)
        for (j = 0; j < from.features; j++) folded(m, j, from.weight[model_weight_at(&from, c, j)]);
    m->predictor = model_unscaled(m, &from, q ? q->mean : NULL);
    m->work = (float *)m->predictor.weight;
    if (q) quantized_fold(q, m);
}

/* z.(scale x) = (scale z).x serves the kernels of dot products. */
static void fold_vectors(model *m)
{
    const pcn_kmodel *d = &m->dual.model;
    float *norm2 = (float *)d->norm2; /* these arrays are the model's own */
    uint32_t s, i;
    for (s = 0; m->scale && s < d->slots; s++) {
        pcn_vec z = vector_stored(d, s);
        float *value = (float *)z.value;
        for (i = 0; i < z.count; i++) value[i] = folded(m, z.index ? z.index[i] : i, value[i]);
        norm2[s] = pcn_norm2(z);
    }
}

/* ---- The command ---- */

static void check_name(const char *name)
{
    const char *p = name;
    while (isalnum((unsigned char)*p) || *p == '_') p++;
    if (p == name || *p || isdigit((unsigned char)*name)) die(EXIT_USAGE, "--name %s: give a C identifier", name);
}

static const char *tool_name(unsigned target)
{
    return target == TARGET_LIBLINEAR ? "LIBLINEAR" : "LIBSVM";
}

static void check_target(const model *m, unsigned target, unsigned form)
{
    int kernel = model_vectors(m) != NULL;
    if (kernel && m->kernel == KERNEL_RBF && m->scale)
        die(EXIT_USAGE,
            "the distances of an rbf kernel cannot take in the scaling of --normalize maxabs: train on scaled rows "
            "instead");
    if (target == TARGET_C && form == FORM_ARRAYS && !model_can(m, CAN_BE_WEIGHTS))
        die(EXIT_USAGE, "--as arrays is for linear models: a kernel model goes with --as image");
    if (target == TARGET_C) return;
    export_check_labels(m, tool_name(target));
    if (target == TARGET_LIBLINEAR && !model_can(m, CAN_BE_WEIGHTS))
        die(EXIT_USAGE, "LIBLINEAR has no kernel models: use --format libsvm or c");
    if (kernel && labels_count(&m->labels) > 2)
        die(EXIT_USAGE,
            "LIBSVM holds more than two labels as pairs, one against one, not as this kernel model does: use --format "
            "c");
    if (kernel && m->decision == PCN_DECIDE_VOTE)
        die(EXIT_USAGE,
            "the vote of many functions is not one sum of kernels, which is all that LIBSVM holds: use --decision last "
            "or averaged");
}

typedef struct settings {
    unsigned target, form, decision, width; /* width: 0 for 8 bits, 1 for 16, or unset */
    int predict, flash, json, image, force;
    float unit;
    const char *name, *test;
    reader_options reader;
} settings;

static settings given;

/* Rows that an export has to prepare need code. */
static void check_rows(const model *m, const settings *s, const quantized *q)
{
    const int weighs = m->words != WORDS_BINARY, makes = export_makes_rows(m, q), l2 = m->normalize == NORMALIZE_L2;
    const char *letters = model_kept_or(m, "letters", "no");
    const struct {
        int wrong;
        const char *why;
    } refused[] = {
        {m->normalize == NORMALIZE_STANDARD_L2,
         "rows that are scaled and then get length 1 (standard-l2) cannot be exported: train with --normalize standard"},
        {q && q->columns && s->unit > 0, "--unit: the export scales rows by itself: leave --unit out"},
        {s->flash && s->predict && export_takes_text(m),
         "--progmem: a function that takes texts has their words in RAM: leave --predict out"},
        {s->predict && export_takes_text(m) && strcmp(letters, "no") != 0,
         "--predict: a function that takes texts has no pieces of words (--letters): leave --predict out, or train "
         "without --letters"},
        {weighs && l2 && (q || s->predict),
         "--bits and --predict know one length, and words have one, rows (l2) another: "
         "train without l2, or with --words binary"},
        {weighs && s->predict && export_takes_products(m),
         "--predict makes products of words that are 0 or 1: leave it out, or train with --words binary"},
        {makes && s->target != TARGET_C,
         "LIBLINEAR and LIBSVM prepare no rows, as this model's are (words are weighed, or a kernel meets scaled "
         "columns): use --format c"},
        {makes && s->form == FORM_RAW,
         "an image alone prepares no rows, as this model's are: use --as image or arrays"},
        {makes && export_takes_products(m), "an export finds products of features, or it prepares rows: train with "
                                            "--words binary, kernels with --normalize none, too"},
    };
    size_t i;
    for (i = 0; i < LENGTH(refused); i++)
        if (refused[i].wrong) die(EXIT_USAGE, "%s", refused[i].why);
}

/* A column with an offset needs $_row, which takes the difference; one whose mean is thousands of deviations needs a
 * $_row that subtracts the mean: weights of values as they are lose the last digits. */
static void check_digits(const model *m, const settings *s, const quantized *q)
{
    const int c = s->target == TARGET_C && s->form != FORM_RAW;
    const int row = c && (export_makes_rows(m, q) || export_takes_products(m)) && m->normalize != NORMALIZE_L2;
    const char *way = model_can(m, CAN_BE_WEIGHTS) ? "--as arrays --bits 16" : "--as image";
    char room[FEATURE_ROOM];
    uint32_t j;
    for (j = 0; j < model_features(m); j++) {
        const scaling by = model_column(m, j);
        const double ratio = fabs(by.mean) * (double)by.factor;
        const char *name = printable(model_feature(m, j, model_first(m), room), EXCERPT);
        if (m->normalize != NORMALIZE_STANDARD && by.offset != 0 && !row)
            die(EXIT_USAGE,
                "a row of floats does not hold the last digits of %s, which was learned less %.17g: train with "
                "--normalize standard, and %s has a function that takes rows so",
                name, by.offset, way);
        if (by.offset != 0 && !row)
            die(EXIT_USAGE,
                "a row of floats does not hold the last digits of %s, which was learned less %.17g: %s has a function "
                "that takes rows so",
                name, by.offset, way);
        if (j < m->scaler.features && ratio > 4096 && !(row && export_scales_rows(m, q)))
            die(EXIT_USAGE,
                "scores of rows as they are lose digits: the mean of %s, %g, is %.0f times its standard deviation: %s "
                "has a function that subtracts it",
                name, by.mean + by.offset, ratio, way);
    }
}

/* What carries products of features finds them. */
static void check_products(const model *m, const settings *s, int bits)
{
    if (s->target != TARGET_C) die(EXIT_USAGE, "%s has no products of features: use --format c", tool_name(s->target));
    if (s->form == FORM_RAW) die(EXIT_USAGE, "an image alone has no products of features: use --as image or arrays");
    if (s->flash) die(EXIT_USAGE, "--progmem has no products of features: leave it out");
    if (bits) die(EXIT_USAGE, "--bits has no products of features: leave it out");
    if (s->predict && m->normalize == NORMALIZE_L2)
        die(EXIT_USAGE,
            "--predict finds the products of a row, which count in its length (l2): leave --predict out, or train "
            "without l2");
}

#define NEED(...) OPTION_NEED(settings, s, __VA_ARGS__)

NEED(c_source, "--format c", s->target == TARGET_C)
NEED(named, "--format c, and --as image or arrays: a raw image has no names",
     s->target == TARGET_C && s->form != FORM_RAW)
NEED(arrays, "--as arrays", s->target == TARGET_C && s->form == FORM_ARRAYS)
NEED(frozen, "--format c, and another form than --as trainer", s->target == TARGET_C && s->form != FORM_TRAINER)
NEED(some_bits, "--bits", s->width != OPTION_UNSET)
NEED(a_test, "--test", s->test != NULL)

#define AT(member) .at = offsetof(settings, member)

static const option_entry export_options[] = {
    {"format", 0, OPTION_CHOICE, AT(target), .words = "c|liblinear|libsvm", .preset = "c", .argument = "F", .common = 1,
     .help = "Write C, or a LIBLINEAR or LIBSVM model. c is a header for C and C++."},
    {"as", 0, OPTION_CHOICE, AT(form), .words = "image|arrays|raw|trainer", .preset = "image", .argument = "FORM",
     .needs = &c_source, .common = 1,
     .help =
         "Use arrays to do without perceptron.h. Use trainer where a device goes on learning; import --like takes back "
         "what it has stored. An image holds any model but of standard-l2; perceptron.h opens it in place. arrays and "
         "trainer are for linear models. raw is the image alone, for flash or a mapped file, at an address divisible by "
         "4. pcn_linear_open opens it, pcn_kmodel_open if it is a kernel model, pcn_ilinear_open if it has --bits."},
    {"name", 0, OPTION_TEXT, AT(name), .preset = "model", .argument = "NAME", .needs = &named, .common = 1,
     .help = "Begin all names with NAME. Use it if a program has several models."},
    {"predict", 0, OPTION_FLAG, AT(predict), .needs = &arrays, .common = 1,
     .help = "Add a function that predicts, with no other file. It takes dense or sparse rows; for a model of texts "
             "there is one that takes a text."},
    {"progmem", 0, OPTION_FLAG, AT(flash), .needs = &arrays,
     .help = "On an AVR, keep the arrays in flash: weights, biases, and what prepares rows. Other processors can "
             "compile the same file."},
    {"bits", 0, OPTION_CHOICE, AT(width), .words = "8|16", .argument = "N", .needs = &frozen, .common = 1,
     .help = "Use 8 or 16 bits a weight, and int16 features. NAME_row makes these from columns that were scaled. Use 8 "
             "where flash is short or there is no FPU, 16 if 8 bits cost too many errors. Linear models only."},
    {"test", 't', OPTION_TEXT, AT(test), .argument = "FILE", .needs = &some_bits, .common = 1,
     .help = "Count on rows of FILE what --bits costs. Use it with every --bits. A loss of more than one point is an "
             "error, unless you give --force. Without --test, a model is refused if rounding may take a quarter of "
             "what tells two labels apart: the sum over features of weight times greatest value."},
    {"unit", 0, OPTION_NUMBER, AT(unit), .low = 1e-30, .high = 1e30, .argument = "U", .needs = &some_bits,
     .usual = "1, but 2^-14 for rows or words of unit length; if some values are not whole numbers of 16 bits, the "
              "least power of two with which all fit (the values of --test FILE, else those of training)",
     .help = "Let 1 in a feature stand for U. Use it if the device has values in a unit of its own and rows were not "
             "scaled in training."},
    {"json", 0, OPTION_FLAG, AT(json), .needs = &a_test, .common = 1,
     .help = "Print one JSON object on standard output."},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D", .usual = "as trained",
     .help = "Export other states of a voted or kernel model than those it was trained to predict by."},
    IMAGE_OPTION(settings, image),
    FORCE_OPTION(settings, force),
};

OPTION_NEED(reader_options, o, rows_to_test, "--test", !o->no_rows)

static const option_entry row_options[] = {
    {"test-format", 0, OPTION_WORD, .at = offsetof(reader_options, format), .words_of = format_words, .preset = "auto",
     .argument = "F", .needs = &rows_to_test, .help = "Use it if the program takes FILE for the other format."},
};

static const option_group groups[] = {
    OPTION_GROUP(TOPIC_OUTPUT, "The export", export_options, &given),
    OPTION_GROUP(TOPIC_READING, "FILE: " FORMATS_FOUND ", found from content; '-': standard input", row_options,
                 &given.reader),
    READER_FORMAT_GROUPS(given.reader),
};

static void check_options(const settings *s, const char *from, const char *name)
{
    if (s->json && strcmp(name, "-") == 0)
        die(EXIT_USAGE, "--json and the export cannot both go to standard output: name an OUTPUT");
    if (s->test && strcmp(s->test, "-") == 0 && strcmp(from, "-") == 0)
        die(EXIT_USAGE, "MODEL and --test cannot both be standard input");
    check_name(s->name);
}

/* Reads the model and makes its weights take rows as they are. q: to be quantised, too; NULL: not. */
static void prepare(settings *s, options *o, const char *name, model *m, quantized *q)
{
    model_open(m, name);
    model_take_as(m, s->image);
    model_load(m, 0);
    model_sort_classes(m);
    if (labels_count(&m->labels) < 2)
        die(EXIT_INPUT, "%s has met one label only, %s: it tells nothing apart yet", name, labels_text(&m->labels, 0));
    options_recall(o, m->kept, KEPT_READING, name);
    reader_options_complete(&s->reader, o);
    model_decide_by(m, s->decision);
    if (q) quantized_columns(q, m);
    if (s->form == FORM_TRAINER) {
        export_check_trainer(m);
        options_check(o);
        m->predictor = model_decision(m);
        return;
    }
    if (export_takes_products(m)) check_products(m, s, q != NULL);
    check_rows(m, s, q);
    check_digits(m, s, q);
    check_target(m, s->target, s->form);
    if (q && !model_can(m, CAN_BE_WEIGHTS)) die(EXIT_USAGE, "--bits is for linear models: leave it out");
    if (s->test) s->reader.found = quantized_read(q, m, s->test, &s->reader);
    options_check(o);
    if (model_vectors(m))
        fold_vectors(m);
    else
        fold_weights(m, q);
    if (q) quantized_make(q, m, s->width ? 16 : 8, s->unit);
    if (s->test && !s->force) quantized_check(q, s->test, s->unit > 0);
}

static void write_model(const settings *s, const model *m, const quantized *q, const char *name)
{
    output o;
    output_open(&o, name);
    if (s->form == FORM_TRAINER)
        export_trainer(o.file, m, s->name);
    else if (s->form == FORM_RAW)
        export_raw(o.file, m, q);
    else if (s->target == TARGET_C)
        export_c(o.file, m, q, (c_header){s->name, s->form, s->predict, s->flash, 0});
    else if (s->target == TARGET_LIBLINEAR)
        export_liblinear(o.file, m);
    else
        export_libsvm(o.file, m);
    output_close(&o);
}

static void check_output(const settings *s, const char *from, const char *name)
{
    const char *const header = s->form == FORM_TRAINER ? "/* A trainer, written by perceptron export"
                                                       : "/* A trained classifier, written by perceptron export";
    const char *const start[] = {header, "solver_type ", "svm_type "}, *const input[] = {from, s->test};
    output_spare(name, input, LENGTH(input));
    if (!s->force && !(s->form == FORM_RAW ? image_replaces(name) : output_begins(name, start[s->target])))
        die(EXIT_USAGE, "%s is no export in this format: --force replaces it", name);
}

static int export_model(options *o, int arguments, char **argument)
{
    const char *target = arguments == 2 ? argument[1] : "-";
    settings *s = &given;
    model m;
    quantized quantised, *q = s->width != OPTION_UNSET ? &quantised : NULL;
    check_options(s, argument[0], target);
    s->reader.no_rows = !s->test;
    options_check(o);
    memset(&m, 0, sizeof m);
    memset(&quantised, 0, sizeof quantised);
    check_output(s, argument[0], target);
    prepare(s, o, argument[0], &m, q);
    write_model(s, &m, q, target);
    if (s->test) quantized_say(q, strcmp(target, "-") == 0 ? stderr : stdout, s->json, (enum form)s->form);
    if (export_preparation(&m, q) && !(s->predict && export_takes_text(&m) && export_makes_rows(&m, q))) {
        fputs("The exported model wants its rows prepared: ", stderr);
        put_code(stderr, s->name, export_preparation(&m, q));
        fputs(".\n", stderr);
    }
    if (m.date) fputs("Its dates are numbers: " DATE_UNIT ".\n", stderr);
    if (model_calibrated(&m) && (s->form == FORM_RAW || s->target != TARGET_C))
        fprintf(
            stderr,
            "Probabilities stay behind: as a pcn_calibration of perceptron.h they are a = %.9g, b = %.9g, c = %.9g.\n",
            (double)m.calibration.a * (q ? (double)q->one : 1), (double)m.calibration.b, (double)m.calibration.c);
    if (m.fit && s->predict)
        fputs("Its probabilities come from the calibration: those of perceptron predict come from a fit.\n", stderr);
    if (s->target != TARGET_C && model_first(&m) == 0)
        fprintf(stderr, "%s counts features from 1, this model from 0: add 1 to the indices of rows for it.\n",
                tool_name(s->target));
    if (s->form == FORM_RAW) export_raw_manual(stderr, &m, q);
    quantized_free(&quantised);
    model_free(&m);
    return 0;
}

const command command_export = {
    "export",
    "Writes a model for C, LIBLINEAR or LIBSVM",
    "MODEL [OUTPUT]",
    "OUTPUT: default is standard output. The export has the weights that predict. They take rows as they are: "
    "the scaling of --normalize standard and maxabs goes into the weights, or into the function NAME_row, "
    "which exports of --bits, kernel models and weighed words have. Unit length (l2) and --binarize are left "
    "to you, and a sentence says so. LIBLINEAR takes linear models, and LIBSVM also kernel models of two "
    "labels, if no function has to prepare rows; all labels must be integers. Both sum in double, so they may predict another label where a score "
    "is 0 except for rounding.",
    groups,
    LENGTH(groups),
    export_model};
