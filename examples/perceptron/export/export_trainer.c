/* A trainer in C: a factory image, which is those of the weights, the scaler and the probabilities one behind the
 * other, and functions that go on from it as train --resume --online does from import --like, bit for bit. */
#include "export.h"
#include "text/number.h"

#include <float.h>
#include <math.h>

/* ---- The code ---- */

/* Its parts: A: a mean of weights, which follows; V: variances; S: a scaler, s: none; P: probabilities, p: none; of a
 * gap, which is a NaN: E: it is an error, D: its row is not learned, Z: it is 0. */
static const char memory_code[] =
    "/* All memory of a trainer. */\n"
    "typedef struct $_trainer {\n"
    "    pcn_perceptron weights;\n"
    "@S    pcn_scaler scaler;\n@"
    "@P    pcn_calibration calibration;\n@"
    "    float memory[PCN_PERCEPTRON_FLOATS($_FEATURES, $_CLASSES)];\n"
    "@A    float sum[PCN_AVERAGING_FLOATS($_FEATURES, $_CLASSES)];\n@"
    "@V    float variance[PCN_LINEAR_FLOATS($_FEATURES, $_CLASSES)];\n@"
    "@S    float moment[PCN_SCALER_FLOATS($_FEATURES)];\n@"
    "} $_trainer;\n\n"
    "/* Where the images of a state begin, and its length. */\n"
    "enum {\n"
    "    $_SCALER = PCN_PERCEPTRON_IMAGE($_FEATURES, $_CLASSES, 0@A | PCN_PART_SUMS@@V | PCN_PART_VARIANCES@),\n"
    "    $_CALIBRATION = $_SCALER@S + PCN_SCALER_IMAGE($_FEATURES)@,\n"
    "    $_STATE = $_CALIBRATION@P + PCN_CALIBRATION_IMAGE@\n"
    "};\n\n";

static const char start_code[] =
    "/* Begins with what $_save has written, $_STATE bytes, or with $_factory. Below 0: an error of perceptron.h;\n"
    " * begin again with another state before t is used. */\n"
    "PERCEPTRON_UNUSED static int $_start($_trainer *t, const void *state, size_t size)\n"
    "{\n"
    "    const unsigned char *p = (const unsigned char *)state;\n"
    "    const int is_new = size == sizeof $_factory.byte;\n"
    "@S    const size_t scaler = is_new ? $_FACTORY_WEIGHTS : $_SCALER;\n@"
    "@P    const size_t calibration = size - PCN_CALIBRATION_IMAGE;\n@"
    "    pcn_learner *m = &t->weights.learner;\n"
    "    int result = size == $_STATE || is_new ? PCN_OK : PCN_EIMAGE;\n"
    "    if (result == PCN_OK)\n"
    "        result = pcn_perceptron_init(&t->weights, $_FEATURES, $_CLASSES, t->memory, sizeof t->memory);\n"
    "@V    if (result == PCN_OK) result = pcn_perceptron_use_confidence(&t->weights, $_r, t->variance, sizeof t->variance);\n@"
    "@A    if (result == PCN_OK) result = pcn_perceptron_use_averaging(&t->weights, t->sum, sizeof t->sum);\n"
    "    if (result == PCN_OK) result = pcn_perceptron_use_following(&t->weights);\n@"
    "@S    if (result == PCN_OK) result = pcn_scaler_init(&t->scaler, $_FEATURES, t->moment, sizeof t->moment);\n@"
    "    if (result == PCN_OK) result = pcn_perceptron_load(&t->weights, p, size);\n"
    "@S    if (result == PCN_OK) result = pcn_scaler_load(&t->scaler, p + scaler, size - scaler);\n@"
    "@P    if (result == PCN_OK)\n"
    "        result = pcn_calibration_load(&t->calibration, p + calibration, PCN_CALIBRATION_IMAGE);\n@"
    "@A    if (is_new) m->clock = $_FACTORY_ROWS;\n@";

static const char predict_code[] =
    "    return result;\n"
    "}\n\n"
    "/* Copies a row. 1: it has a NaN@Z, which becomes 0@. */\n"
    "PERCEPTRON_UNUSED static int $_copy(const float *x, float *row)\n"
    "{\n"
    "    int gaps = 0;\n"
    "    uint32_t j;\n"
    "    for (j = 0; j < $_FEATURES; j++) {\n"
    "        row[j] = x[j];\n"
    "        if (x[j] != x[j]) gaps = 1;\n"
    "@Z        if (x[j] != x[j]) row[j] = 0;\n@"
    "    }\n"
    "    return gaps;\n"
    "}\n\n"
    "/* The number in $_label of a row x[$_FEATURES] as it is.@P p[$_CLASSES]: the probability of each label.@\n"
    " * @EPCN_EVALUE, which is below 0: a value is NaN.@@GA NaN is a gap.@ */\n"
    "PERCEPTRON_UNUSED static int $_predict(const $_trainer *t, const float *x@P, float *p@)\n"
    "{\n"
    "    float row[$_FEATURES]@P, score[$_SCORES]@;\n"
    "@E    if ($_copy(x, row)) return PCN_EVALUE;\n@"
    "@G    $_copy(x, row);\n@"
    "@S    pcn_scaler_scale(&t->scaler, row, row);\n@"
    "@P    pcn_perceptron_scores(&t->weights, pcn_dense(row, $_FEATURES), score);\n"
    "    return pcn_probabilities(&t->calibration, score, $_CLASSES, p);\n@"
    "@p    return pcn_perceptron_predict(&t->weights, pcn_dense(row, $_FEATURES));\n@"
    "}\n\n";

static const char learn_code[] =
    "/* Learns that $_label[k] is the label of a row as it is. 1: the weights have moved. Below 0: an error of\n"
    " * perceptron.h, and nothing was learned: k is no label, or a value is infinite@E or NaN@.@D 0, too: there is a gap, and\n"
    " * nothing was learned.@ */\n"
    "PERCEPTRON_UNUSED static int $_learn($_trainer *t, const float *x, int k)\n"
    "{\n"
    "    float row[$_FEATURES]@P, score[$_SCORES], p[$_CLASSES]@;\n"
    "@S    int result;\n@"
    "    if (k < 0 || k >= $_CLASSES) return PCN_ELABEL;\n"
    "@E    if ($_copy(x, row)) return PCN_EVALUE;\n@"
    "@D    if ($_copy(x, row)) return 0;\n@"
    "@M    $_copy(x, row);\n@"
    "@S    result = pcn_scaler_note(&t->scaler, row);\n"
    "    if (result < 0) return result;\n"
    "    pcn_scaler_scale(&t->scaler, row, row);\n@"
    "@P    pcn_perceptron_scores(&t->weights, pcn_dense(row, $_FEATURES), score);\n"
    "    pcn_probabilities(&t->calibration, score, $_CLASSES, p);\n"
    "    pcn_calibrate(&t->calibration, score, $_CLASSES, p, k); /* before the weights know the row */\n@"
    "    return pcn_perceptron_learn(&t->weights, pcn_dense(row, $_FEATURES), k);\n"
    "}\n\n";

static const char save_code[] =
    "/* How many bytes of the window [from, from + size) lie before byte at. */\n"
    "PERCEPTRON_UNUSED static size_t $_before(size_t at, size_t from, size_t size)\n"
    "{\n"
    "    const size_t before = from < at ? at - from : 0;\n"
    "    return before < size ? before : size;\n"
    "}\n\n"
    "/* Writes bytes [from, from + size) of the state, 0xff beyond its end. Returns $_STATE; 0: some number of the trainer is\n"
    " * damaged, so do not store it. */\n"
    "PERCEPTRON_UNUSED static size_t $_save(const $_trainer *t, size_t from, void *out, size_t size)\n"
    "{\n"
    "@S    const size_t weights = $_before($_SCALER, from, size);\n@"
    "@P    const size_t others = $_before($_CALIBRATION, from, size);\n@"
    "@B    unsigned char *p = (unsigned char *)out;\n@"
    "    size_t good = pcn_perceptron_save_part(&t->weights, from, out, size);\n"
    "@S    if (good)\n"
    "        good = pcn_scaler_save_part(&t->scaler, from > $_SCALER ? from - $_SCALER : 0,\n"
    "                                    weights ? p + weights : p, size - weights);\n@"
    "@P    if (good)\n"
    "        good = pcn_calibration_save_part(&t->calibration, from > $_CALIBRATION ? from - $_CALIBRATION : 0,\n"
    "                                         others ? p + others : p, size - others);\n@"
    "    return good ? (size_t)$_STATE : 0;\n"
    "}\n\n";

static const char manual[] =
    " * It goes on learning, bit for bit as perceptron train --resume --online does. Rows are the values as they are:\n"
    " *     #include \"perceptron.h\"\n"
    " *     #include \"$.h\"\n"
    " *     static $_trainer t;\n"
    " *     if ($_start(&t, stored, $_STATE) < 0 && // what $_save has stored\n"
    " *         $_start(&t, $_factory.byte, sizeof $_factory.byte) < 0) return -1;\n"
    " *     int k = $_predict(&t, x@P, p@);       // $_label[k]@P; unsure: 1 - p[k] > .1f@\n"
    " *     $_learn(&t, x, k);                // the user says which k is right\n"
    " *     $_save(&t, from, page, sizeof page); // page by page, $_STATE bytes\n"
    " * On the PC, perceptron import --like MODEL STORED NEW makes a model of what it has stored.\n"
    "@C * Where labels may be wrong, smaller steps are safer: t.weights.learner.rule.strength = .1f behind $_start, and\n"
    " * -C .1 for the replay by train --resume.\n@"
    " */\n";

/* ---- What can go ---- */

static float kept_number(const model *m, const char *name, const char *otherwise)
{
    float number = 0;
    parse_float(model_kept_or(m, name, otherwise), &number);
    return number;
}

static int is(const char *value, const char *word)
{
    return strcmp(value, word) == 0;
}

/* Are some features words, which grow in number? */
static int has_words(const model *m)
{
    size_t i;
    if (export_takes_text(m) || export_takes_words(m) || model_weighs_words(m)) return 1;
    if (m->scaler.features) return m->scaler.features < model_features(m);
    for (i = 0; i < arrlenu(m->names); i++)
        if (strchr(m->names[i], '=')) return 1;
    return 0;
}

void export_check_trainer(const model *m)
{
    const char *missing = model_kept_or(m, "missing", "refuse");
    const struct {
        int wrong;
        const char *why;
    } refused[] = {
        {m->is_bare, "an image says nothing of the rule: it takes a model file"},
        {model_vectors(m) != NULL, "voted and kernel models need memory that grows: train with -a averaged"},
        {model_can(m, CAN_ALPHA), "Winnow models learn rows of 0 and 1 that they do not scale: train with -a averaged"},
        {m->kind->state && m->frozen, "weights alone do not say how sure they are: train -a arow without --final"},
        {model_has_unit_rows(m), "it does not scale rows to length 1: train with --normalize standard"},
        {m->normalize == NORMALIZE_MAXABS,
         "--normalize maxabs needs all rows, and a device has one: train with --normalize standard"},
        {m->binarize, "rows of 0 and 1 (--binarize) are not made: train without, on rows of 0 and 1"},
        {model_kept(m, "products") != NULL, "it makes no products of features: train without --products"},
        {has_words(m), "it has no words, of which new ones may come: give numbers, one column for each word"},
        {m->offset != NULL,
         "a row of floats does not hold the last digits of a column with an offset: subtract it in the file"},
        {model_rows(m) != ROWS_DENSE, "its rows are dense: train with --rows dense"},
        {is(missing, "mean") && !m->scaler.features,
         "--missing mean is the mean of all rows, and a device has one: train with --normalize standard"},
        {model_kept(m, "weight") || model_kept(m, "weight-column"),
         "its rows and labels weigh the same: train without --weight and --weight-column"},
        {model_kept(m, "batch") != NULL, "it has no batches: train without --batch"},
    };
    size_t i;
    for (i = 0; i < LENGTH(refused); i++)
        if (refused[i].wrong) die(EXIT_USAGE, "--as trainer: %s", refused[i].why);
}

/* ---- The header ---- */

static void put_setting(FILE *f, const char *code, float number, const char *end)
{
    fputs(code, f);
    put_float(f, number);
    fputs(end, f);
}

static void put_rule(FILE *f, const model *m)
{
    const char *rule = model_kept_or(m, "rule", "pa1");
    const float c = kept_number(m, "aggressive", "1");
    if (is(rule, "absolute"))
        fputs("    m->rule = pcn_rule_absolute();\n", f);
    else if (is(rule, "fractional"))
        put_setting(f, "    m->rule = pcn_rule_fractional(", kept_number(m, "lambda", "1"), ");\n");
    else if (is(rule, "fixed"))
        put_setting(f, "    m->rule = pcn_rule_fixed(", kept_number(m, "rate", "1"), ");\n");
    else if (is(rule, "pa2"))
        put_setting(f, "    m->rule = pcn_rule_pa2(", c, ");\n");
    else if (is(rule, "pa1"))
        put_setting(f, "    m->rule = pcn_rule_pa(", c, ");\n");
    else
        put_setting(f, "    m->rule = pcn_rule_pa(", FLT_MAX, ");\n");
}

/* What a new trainer has, and what it is told. */
static void put_settings(FILE *f, const model *m)
{
    static const char *const update[][2] = {
        {"others", "others"}, {"uniform", "uniform"}, {"one-vs-rest", "one_vs_rest"}};
    const float regrow = kept_number(m, "regrow", "0");
    size_t i;
    if (!m->kind->state) put_rule(f, m);
    if (m->kind->state && regrow > 0)
        put_setting(f, "    if (result == PCN_OK) result = pcn_perceptron_use_regrowth(&t->weights, ", regrow, ");\n");
    if (model_kept(m, "margin")) put_setting(f, "    m->rule.margin = ", kept_number(m, "margin", "0"), ";\n");
    put_setting(f, "    m->bias_input = ", kept_number(m, "bias", "1"), ";\n");
    for (i = 0; i < LENGTH(update); i++)
        if (is(model_kept_or(m, "update", ""), update[i][0]))
            fprintf(f, "    m->update = pcn_update_%s;\n", update[i][1]);
    if (is(model_kept_or(m, "zero-update", ""), "predicted")) fputs("    m->zero_predicted = 1;\n", f);
}

/* Which parts of the code there are. */
static const char *find_parts(const model *m, char parts[16])
{
    const char *missing = model_kept_or(m, "missing", "refuse"), *gaps = "E";
    const int scales = m->scaler.features > 0, sure = model_calibrated(m), variances = m->kind->state != NULL;
    const int has_c = !variances && strncmp(model_kept_or(m, "rule", "pa1"), "pa1", 3) == 0;
    if (is(missing, "mean")) gaps = "GM";
    if (is(missing, "zero")) gaps = "GMZ";
    if (is(missing, "drop")) gaps = scales ? "GD" : "GDZ";
    snprintf(parts, 16, "%s%s%s%s%s%s%s", m->arrays.sum ? "A" : "", variances ? "V" : "", scales ? "S" : "",
             sure ? "P" : "p", scales || sure ? "B" : "", has_c ? "C" : "", gaps);
    return parts;
}

/* The image of the weights that predict, and for arow of their variances, none below r / (rows + r): so low is that of
 * a feature of 1 after so many updates. Returns its length; `out` NULL: only that. 0: there is none. */
static size_t save_weights(const model *m, void *out, size_t size)
{
    const pcn_linear *l = &m->predictor;
    const size_t n = model_numbers(l),
                 bytes = PCN_PERCEPTRON_FLOATS(l->features, PCN_CLASSES(l->scores)) * sizeof(float);
    const float r = kept_number(m, "r", "1"), least = r / ((float)TRAINER_ROWS + r);
    pcn_perceptron trainer;
    float *memory, *variance;
    size_t i, length;
    if (!m->kind->state) return pcn_linear_save_part(l, 0, out, size);
    memory = allocate(bytes, 1);
    variance = allocate(n, sizeof *variance);
    must(pcn_perceptron_init(&trainer, l->features, PCN_CLASSES(l->scores), memory, bytes));
    must(pcn_perceptron_use_confidence(&trainer, r, variance, n * sizeof *variance));
    memcpy(memory, l->weight, (n - l->scores) * sizeof *memory);
    memcpy(memory + n - l->scores, l->bias, l->scores * sizeof *memory);
    trainer.live.zero_negative = l->zero_negative;
    for (i = 0; i < n; i++) variance[i] = fmaxf(m->arrays.state[i], least);
    length = pcn_perceptron_save_part(&trainer, 0, out, size);
    free(memory);
    free(variance);
    return length;
}

/* The images one behind the other; *weights: the length of the first. */
static uint8_t *make_factory(const model *m, size_t *weights, size_t *size)
{
    const size_t scaler = m->scaler.features ? PCN_SCALER_IMAGE(m->scaler.features) : 0;
    const size_t sure = model_calibrated(m) ? PCN_CALIBRATION_IMAGE : 0;
    uint8_t *image;
    size_t good;
    *weights = save_weights(m, NULL, 0);
    if (*weights == 0) die(EXIT_INPUT, "the model has numbers that are too large for an image");
    *size = *weights + scaler + sure;
    image = allocate(*size, 1);
    good = save_weights(m, image, *weights);
    if (scaler) good = pcn_scaler_save(&m->scaler, image + *weights, scaler);
    if (good && sure) good = pcn_calibration_save(&m->calibration, image + *weights + scaler, sure);
    if (!good) die(EXIT_INPUT, "the model has numbers that are too large for an image");
    return image;
}

void export_trainer(FILE *f, const model *m, const char *name)
{
    char parts[16];
    size_t weights, size;
    uint8_t *image = make_factory(m, &weights, &size);
    find_parts(m, parts);
    fprintf(f, "/* A trainer, written by perceptron export: %s, %lu features, %lu labels.\n", m->kind->name,
            (unsigned long)model_features(m), (unsigned long)labels_count(&m->labels));
    put_parts(f, name, manual, parts);
    export_begin(f, m, name, "#ifndef PERCEPTRON_VERSION\n#error \"perceptron.h must stand before this\"\n#endif\n\n",
                 0);
    fprintf(
        f,
        "/* The weights count as the mean of so many rows. */\nenum { %s_FACTORY_WEIGHTS = %zu, %s_FACTORY_ROWS = %d };\n\n",
        name, weights, name, TRAINER_ROWS);
    export_bytes(f, image, size, name, "factory");
    if (m->kind->state) {
        fprintf(f, "PERCEPTRON_UNUSED static const float %s_r", name);
        put_setting(f, " = ", kept_number(m, "r", "1"), ";\n\n");
    }
    put_parts(f, name, memory_code, parts);
    put_parts(f, name, start_code, parts);
    put_settings(f, m);
    put_parts(f, name, predict_code, parts);
    put_parts(f, name, learn_code, parts);
    put_parts(f, name, save_code, parts);
    fputs("#undef PERCEPTRON_UNUSED\n#endif\n", f);
    free(image);
}
