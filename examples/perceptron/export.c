#include "commands.h"

#include <ctype.h>
#include <float.h>
#include <math.h>

static const char usage[] =
    "usage: perceptron export [options] MODEL [OUTPUT]     default output: standard output\n"
    "  --format F             c (default): a C and C++ header | liblinear | libsvm: a model for\n"
    "                         liblinear-predict or svm-predict\n"
    "  --as FORM              C: image (default; any model: perceptron.h opens it in place, and learns on\n"
    "                         from a linear one) | arrays (linear models)\n"
    "  --name NAME            C: what all names begin with; default: model\n"
    "  --predict              C, with --as arrays: also a function that needs no other file\n"
    "  --decision D           voted and kernel models: last | averaged | voted; default: as trained\n"
    "What goes out are the weights that predict. They take rows as they are: the scaling of --normalize\n"
    "maxabs is multiplied in. Unit length (l2) and --binarize stay to be done, and a sentence says so.\n"
    "LIBLINEAR takes linear models, LIBSVM also kernel models of two labels; all labels must be integers.\n"
    "Both sum in double: of rows whose score is 0 but for rounding they may make something else.\n";

enum target { TARGET_C, TARGET_LIBLINEAR, TARGET_LIBSVM };
enum form { FORM_IMAGE, FORM_ARRAYS };

/* ---- Weights that take rows as they are ---- */

/* A number that meets feature j, scaled as the feature was in training. */
static float folded(const model *m, uint32_t j, float number)
{
    double product;
    if (!m->scale) return number;
    product = (double)number * (double)m->scale[j];
    if (product != 0 && (fabs(product) < (double)FLT_MIN || fabs(product) > (double)FLT_MAX))
        die(EXIT_INPUT, "feature %lu: its scale and its weight together leave the range of floats",
            (unsigned long)j + 1);
    return (float)product;
}

/* m->use: the weights that predict, class-major, whatever the layout in training. */
static void fold_weights(model *m)
{
    pcn_linear from = model_decision(m);
    size_t weights = (size_t)from.features * from.classes;
    float *memory = m->work = allocate(weights + from.classes, sizeof *memory);
    uint32_t c, j;
    for (c = 0; c < from.classes; c++) {
        for (j = 0; j < from.features; j++)
            memory[(size_t)c * from.features + j] =
                folded(m, j, from.weight[(size_t)c * from.row + (size_t)j * from.column]);
        memory[weights + c] = from.bias ? from.bias[c] : 0;
    }
    m->use = from;
    m->use.weight = memory;
    m->use.bias = memory + weights;
    m->use.row = from.features;
    m->use.column = 1;
}

static pcn_vec stored_vector(const pcn_support *d, uint32_t s)
{
    const pcn_slot *slot = &d->slot[s];
    return pcn_sparse(d->index ? d->index + slot->start : NULL, d->value + slot->start, slot->count);
}

/* z.(scale x) = (scale z).x serves the kernels of dot products. */
static void fold_vectors(model *m)
{
    const pcn_support *d = &m->dual.model;
    uint32_t s, i;
    for (s = 0; m->scale && s < d->slots; s++) {
        pcn_vec z = stored_vector(d, s);
        float *value = m->dual.value + d->slot[s].start;
        for (i = 0; i < z.count; i++) value[i] = folded(m, z.index ? z.index[i] : i, value[i]);
        m->dual.norm2[s] = pcn_norm2(z);
    }
}

/* What the caller of an exported model has to do to its rows, in words; NULL: nothing. */
static const char *preparation(const model *m)
{
    if (m->normalize == NORMALIZE_L2)
        return m->binarize ? "1 for every value that is not 0, then divide the row by its length (l2)"
                           : "divide each row by its length (l2)";
    return m->binarize ? "1 for every value that is not 0" : NULL;
}

/* ---- C ---- */

static void put_literal(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32 || c > 126 || strchr("\"\\?*", c)) /* ?: trigraphs; *: ends of comments */
            fprintf(f, "\\%03o", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

/* Writes the text with the model's name in the place of each $. */
static void put_code(FILE *f, const char *name, const char *text)
{
    for (; *text; text++) {
        if (*text == '$')
            fputs(name, f);
        else
            fputc(*text, f);
    }
}

/* The comment, up to put_manual. */
static void put_comment(FILE *f, const model *m)
{
    char *algorithm = option_word(ALGORITHM_WORDS, m->algorithm);
    const char *prepare = preparation(m);
    size_t i;
    fprintf(f, "/* A trained classifier, written by perceptron export: %s, %lu features, %lu labels.\n",
            algorithm, (unsigned long)model_features(m), (unsigned long)labels_count(&m->labels));
    fprintf(f, " * Rows to predict: %s.\n", prepare ? prepare : "the values as they are");
    if (m->names) fprintf(f, " * Features:\n");
    for (i = 0; i < arrlenu(m->names); i++) {
        fprintf(f, " *     %zu ", i);
        put_literal(f, m->names[i]);
        fputc('\n', f);
    }
    free(algorithm);
}

/* How the label of a row is found with perceptron.h; ends the comment. */
static void put_manual(FILE *f, const model *m, const char *name, unsigned form)
{
    static const char *const kernel[] = {"linear()", "poly(0, 0, 0)", "rbf(0)"};
    static const char *const decision[] = {"PCN_LAST", "PCN_MEAN", "PCN_VOTE"};
    put_code(f, name, " * With perceptron.h, the number in $_label of a row float x[$_FEATURES]:\n"
                      " *     pcn_vec row = pcn_dense(x, $_FEATURES);\n"
                      " *     float score[$_CLASSES];\n");
    if (form == FORM_ARRAYS) {
        put_code(f, name, " *     pcn_linear_scores(&$_linear, row, score);\n");
    } else if (!model_is_kernel(m)) {
        put_code(f, name, " *     pcn_linear m;\n"
                          " *     pcn_linear_open(&m, $_image.byte, sizeof $_image.byte);\n"
                          " *     pcn_linear_scores(&m, row, score);\n");
    } else {
        put_code(f, name, " *     float work[PCN_WORK($_FEATURES, $_CLASSES, $_SLOTS, 1)];\n"
                          " *     pcn_support m;\n");
        fprintf(f, " *     pcn_support_open(&m, pcn_kernel_%s, %s_image.byte, sizeof %s_image.byte);\n",
                kernel[m->kernel], name, name);
        fprintf(f, " *     pcn_support_scores(&m, %s, &row, 1, score, work);\n", decision[m->decision]);
    }
    put_code(f, name, labels_count(&m->labels) > 2 ? " *     int k = pcn_decide(score, $_CLASSES);\n"
                      : m->zero_negative           ? " *     int k = score[0] > 0;\n"
                                                   : " *     int k = score[0] >= 0;\n");
    if (form == FORM_IMAGE && !model_is_kernel(m) && !model_is_winnow(m))
        put_code(f, name, " * A trainer of $_FEATURES features and $_CLASSES classes learns on from there:\n"
                          " *     pcn_perceptron_load(&trainer, $_image.byte, sizeof $_image.byte);\n");
    fputs(" */\n", f);
}

/* What every form has; write_c closes it. */
static void put_begin(FILE *f, const model *m, const char *name)
{
    uint32_t k, n = labels_count(&m->labels);
    put_code(f, name, "#ifndef PERCEPTRON_EXPORT_$\n#define PERCEPTRON_EXPORT_$\n\n"
                      "#if defined(__GNUC__)\n#define PERCEPTRON_UNUSED __attribute__((unused))\n"
                      "#else\n#define PERCEPTRON_UNUSED\n#endif\n\n");
    fprintf(f, "enum { %s_FEATURES = %lu, %s_CLASSES = %lu", name,
            (unsigned long)model_features(m), name, (unsigned long)(n == 2 ? 1 : n));
    if (model_is_kernel(m)) fprintf(f, ", %s_SLOTS = %lu", name, (unsigned long)m->dual.model.slots);
    fprintf(f, " };\n\nPERCEPTRON_UNUSED static const char *const %s_label[%lu] = {", name,
            (unsigned long)n);
    for (k = 0; k < n; k++) {
        fputs(k % 8 ? " " : "\n    ", f);
        put_literal(f, labels_text(&m->labels, k));
        fputc(',', f);
    }
    fputs("\n};\n\n", f);
}

static void put_image(FILE *f, const char *name, const uint8_t *image, size_t size)
{
    size_t i;
    fprintf(f, "PERCEPTRON_UNUSED static const union { unsigned char byte[%zu]; float align; } ", size);
    fprintf(f, "%s_image = {{", name);
    for (i = 0; i < size; i++) fprintf(f, "%s%u,", i % 24 ? "" : "\n", image[i]);
    fputs("\n}};\n\n", f);
}

/* Exact: 9 digits tell all floats apart. */
static void put_floats(FILE *f, const char *name, const char *what, const char *count, const float *v,
                       size_t n)
{
    char text[32];
    size_t i;
    fprintf(f, "PERCEPTRON_UNUSED static const float %s_%s[", name, what);
    put_code(f, name, count);
    fputs("] = {", f);
    for (i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%.9g", (double)v[i]);
        fprintf(f, "%s%s%sf,", i % 8 ? " " : "\n    ", text, strpbrk(text, ".e") ? "" : ".0");
    }
    fputs("\n};\n\n", f);
}

/* The order of summation of perceptron.h, so that scores have the same bits; volatile: each product
 * and sum is rounded where it is written. */
static void put_predict(FILE *f, const model *m, const char *name)
{
    put_code(f, name,
             "/* Score of a class for x[$_FEATURES]: 32 partial sums, then a halving tree. volatile keeps\n"
             " * compilers from fusing and reordering, so that the bits are those of pcn_linear_score. */\n"
             "PERCEPTRON_UNUSED static float $_score(const float *x, unsigned cls)\n"
             "{\n"
             "    const float *w = $_weight + (unsigned long)cls * $_FEATURES;\n"
             "    volatile float sum[32], product;\n"
             "    unsigned long i, half;\n"
             "    for (i = 0; i < 32; i++) sum[i] = 0;\n"
             "    for (i = 0; i < $_FEATURES; i++) {\n"
             "        product = w[i] * x[i];\n"
             "        sum[i % 32] = sum[i % 32] + product;\n"
             "    }\n"
             "    for (half = 16; half > 0; half /= 2)\n"
             "        for (i = 0; i < half; i++) sum[i] = sum[i] + sum[i + half];\n"
             "    sum[0] = sum[0] + $_bias[cls];\n"
             "    return sum[0];\n"
             "}\n\n"
             "/* The number in $_label of x[$_FEATURES]. */\n"
             "PERCEPTRON_UNUSED static int $_predict(const float *x)\n"
             "{\n");
    if (labels_count(&m->labels) == 2) {
        put_code(f, name, m->zero_negative ? "    return $_score(x, 0) > 0;\n"
                                           : "    return $_score(x, 0) >= 0;\n");
    } else {
        put_code(f, name, "    float best = $_score(x, 0), score;\n"
                          "    unsigned c, k = 0;\n"
                          "    for (c = 1; c < $_CLASSES; c++) {\n"
                          "        score = $_score(x, c);\n"
                          "        if (score > best) {\n"
                          "            best = score;\n"
                          "            k = c;\n"
                          "        }\n"
                          "    }\n"
                          "    return (int)k;\n");
    }
    fputs("}\n\n", f);
}

static uint8_t *make_image(const model *m, size_t *size)
{
    pcn_support d = m->dual.model;
    uint8_t *image;
    if (m->decision == PCN_LAST) d.log = NULL; /* not needed */
    *size = model_is_kernel(m) ? pcn_support_save(&d, 0, NULL, 0) : pcn_linear_save(&m->use, 0, NULL, 0);
    image = allocate(*size, 1);
    if (model_is_kernel(m))
        pcn_support_save(&d, 0, image, *size);
    else
        pcn_linear_save(&m->use, 0, image, *size);
    return image;
}

static void put_arrays(FILE *f, const pcn_linear *l, const char *name)
{
    put_floats(f, name, "weight", "$_CLASSES * $_FEATURES", l->weight, (size_t)l->features * l->classes);
    put_floats(f, name, "bias", "$_CLASSES", l->bias, l->classes);
    put_code(f, name, "#ifdef PERCEPTRON_VERSION /* perceptron.h stands before */\n"
                      "PERCEPTRON_UNUSED static const pcn_linear $_linear = {\n"
                      "    $_weight, $_bias, $_FEATURES, $_CLASSES, $_FEATURES, 1};\n"
                      "#endif\n\n");
}

static void write_c(FILE *f, const model *m, const char *name, unsigned form, int predict)
{
    uint8_t *image;
    size_t size;
    put_comment(f, m);
    put_manual(f, m, name, form);
    put_begin(f, m, name);
    if (form == FORM_ARRAYS) {
        put_arrays(f, &m->use, name);
    } else {
        image = make_image(m, &size);
        put_image(f, name, image, size);
        free(image);
    }
    if (predict) put_predict(f, m, name);
    fputs("#undef PERCEPTRON_UNUSED\n#endif\n", f);
}

/* ---- LIBLINEAR and LIBSVM ---- */

static void check_labels(const model *m, const char *whose)
{
    uint32_t k;
    long value;
    for (k = 0; k < labels_count(&m->labels); k++)
        if (!label_is_integer(labels_text(&m->labels, k), &value))
            die(EXIT_USAGE, "label '%s' is not an integer: %s has no others", labels_text(&m->labels, k),
                whose);
}

/* Both tools give a score > 0 of two labels the first of the header, and 0 the second: the first is the
 * class that a score of 0 does not get, and the scores are turned to it by this sign. */
static int first_sign(const model *m)
{
    return m->zero_negative ? 1 : -1;
}

static void put_two_labels(FILE *f, const model *m)
{
    uint32_t first = m->zero_negative ? 1 : 0;
    fprintf(f, "label %s %s\n", labels_text(&m->labels, first), labels_text(&m->labels, 1 - first));
}

/* Ties go to the lowest class there, too. */
static void write_liblinear(FILE *f, const model *m)
{
    pcn_linear l = m->use;
    int sign = l.classes == 1 ? first_sign(m) : 1, biased = 0;
    uint32_t c, j;
    for (c = 0; c < l.classes; c++) biased |= l.bias[c] != 0;
    fprintf(f, "solver_type %s\nnr_class %lu\n", l.classes == 1 ? "L2R_L2LOSS_SVC_DUAL" : "MCSVM_CS",
            (unsigned long)labels_count(&m->labels));
    if (l.classes == 1) {
        put_two_labels(f, m);
    } else {
        fputs("label", f);
        for (c = 0; c < l.classes; c++) fprintf(f, " %s", labels_text(&m->labels, c));
        fputc('\n', f);
    }
    fprintf(f, "nr_feature %lu\nbias %d\nw\n", (unsigned long)l.features, biased ? 1 : -1);
    for (j = 0; j < l.features + (uint32_t)biased; j++) {
        for (c = 0; c < l.classes; c++) { /* the bias is one feature more */
            float w = j < l.features ? l.weight[(size_t)c * l.row + j] : l.bias[c];
            fprintf(f, "%.17g ", sign * (double)w);
        }
        fputc('\n', f);
    }
}

static void put_values(FILE *f, pcn_vec z)
{
    uint32_t i;
    for (i = 0; i < z.count; i++)
        if (z.value[i] != 0)
            fprintf(f, " %lu:%.17g", (unsigned long)(z.index ? z.index[i] : i) + 1, (double)z.value[i]);
    fputc('\n', f);
}

/* One vector a class. Its classes vote in pairs, and a decision value of 0 votes for the second of a
 * pair: in descending order ties go to the lowest class. The vector of the p-th class counts +1 against
 * later ones, -1 against earlier ones. */
static void write_svm_classes(FILE *f, const model *m, const pcn_linear *l)
{
    uint32_t n = l->classes, i, k;
    fprintf(f, "svm_type c_svc\nkernel_type linear\nnr_class %lu\ntotal_sv %lu\nrho", (unsigned long)n,
            (unsigned long)n);
    for (i = n; i-- > 0;)
        for (k = i; k-- > 0;) fprintf(f, " %.17g", (double)l->bias[k] - (double)l->bias[i]);
    fputs("\nlabel", f);
    for (i = n; i-- > 0;) fprintf(f, " %s", labels_text(&m->labels, i));
    fputs("\nnr_sv", f);
    for (i = 0; i < n; i++) fputs(" 1", f);
    fputs("\nSV\n", f);
    for (i = n; i-- > 0;) {
        for (k = 1; k < n; k++) fprintf(f, "%s ", k < n - i ? "-1" : "1");
        put_values(f, pcn_dense(l->weight + (size_t)i * l->row, l->features));
    }
}

/* Two labels: f(x) = sum of coef[s] K(x, z[s]) - rho. Vectors that speak for the first label come first. */
static void write_svm_pair(FILE *f, const model *m, const pcn_kernel *kernel, const pcn_vec *z,
                           const double *coef, uint32_t n, double rho)
{
    static const char *const type[] = {"linear", "polynomial", "rbf"};
    int sign = first_sign(m), turn;
    uint32_t s, first = 0, second = 0;
    for (s = 0; s < n; s++) {
        first += sign * coef[s] > 0;
        second += sign * coef[s] < 0;
    }
    fprintf(f, "svm_type c_svc\nkernel_type %s\n", type[kernel->id - 1]);
    if (kernel->id == 2) fprintf(f, "degree %lu\n", (unsigned long)kernel->degree);
    if (kernel->id != 1) fprintf(f, "gamma %.17g\n", (double)kernel->gamma);
    if (kernel->id == 2) fprintf(f, "coef0 %.17g\n", (double)kernel->coef0);
    fprintf(f, "nr_class 2\ntotal_sv %lu\nrho %.17g\n", (unsigned long)first + second, sign * rho);
    put_two_labels(f, m);
    fprintf(f, "nr_sv %lu %lu\nSV\n", (unsigned long)first, (unsigned long)second);
    for (turn = 1; turn >= -1; turn -= 2)
        for (s = 0; s < n; s++)
            if (turn * sign * coef[s] > 0) {
                fprintf(f, "%.17g", sign * coef[s]);
                put_values(f, z[s]);
            }
}

/* The mean of f over the examples seen: a step counts from its example to the present. */
static void find_coefficients(const pcn_support *d, unsigned decision, double *coef)
{
    uint32_t s, i;
    for (s = 0; s < d->slots; s++) coef[s] = decision == PCN_LAST ? (double)d->coef[s] : 0;
    for (i = 0; decision == PCN_MEAN && i < d->changes; i++) {
        const pcn_change *e = &d->log[i];
        coef[e->slot] += (double)e->step * ((double)d->clock + 1 - e->clock) / ((double)d->clock + 1);
    }
}

static void write_svm_kernel(FILE *f, const model *m)
{
    const pcn_support *d = &m->dual.model;
    double *coef = allocate(d->slots, sizeof *coef), sum = 0;
    pcn_vec *z = allocate(d->slots, sizeof *z);
    uint32_t s;
    find_coefficients(d, m->decision, coef);
    for (s = 0; s < d->slots; s++) {
        z[s] = stored_vector(d, s);
        sum += coef[s];
    }
    write_svm_pair(f, m, &d->kernel, z, coef, d->slots, -(double)d->bias2 * sum);
    free(coef);
    free(z);
}

static void write_svm_linear(FILE *f, const model *m)
{
    pcn_linear l = m->use;
    pcn_kernel kernel = pcn_kernel_linear();
    pcn_vec w = pcn_dense(l.weight, l.features);
    double one = 1;
    if (l.classes == 1)
        write_svm_pair(f, m, &kernel, &w, &one, 1, -(double)l.bias[0]);
    else
        write_svm_classes(f, m, &l);
}

/* ---- The command ---- */

static void check_name(const char *name)
{
    const char *p = name;
    while (isalnum((unsigned char)*p) || *p == '_') p++;
    if (p == name || *p || isdigit((unsigned char)*name))
        die(EXIT_USAGE, "--name %s: give a C identifier", name);
}

static void check_target(const model *m, unsigned target, unsigned form)
{
    int kernel = model_is_kernel(m);
    if (kernel && m->kernel == KERNEL_RBF && m->scale)
        die(EXIT_USAGE, "the distances of an rbf kernel cannot take in the scaling of --normalize maxabs: "
                        "train on scaled rows instead");
    if (target == TARGET_C && form == FORM_ARRAYS && kernel)
        die(EXIT_USAGE, "--as arrays is for linear models: a kernel model goes as an image");
    if (target == TARGET_C) return;
    check_labels(m, target == TARGET_LIBLINEAR ? "LIBLINEAR" : "LIBSVM");
    if (target == TARGET_LIBLINEAR && kernel)
        die(EXIT_USAGE, "LIBLINEAR has no kernel models: use --format libsvm or c");
    if (kernel && labels_count(&m->labels) > 2)
        die(EXIT_USAGE, "LIBSVM holds more than two labels as pairs, one against one, not as this kernel "
                        "model does");
    if (kernel && m->decision == PCN_VOTE)
        die(EXIT_USAGE, "the vote of many functions is not one sum of kernels, which is all that LIBSVM "
                        "holds: use --decision last or averaged");
}

int command_export(int argc, char **argv)
{
    unsigned target = TARGET_C, form = FORM_IMAGE, decision = 0;
    int predict = 0, help = 0, arguments;
    const char *name = "model";
    option_entry table[] = {
        {"help", 'h', OPTION_FLAG, &help, 0, 0, NULL, 0},
        {"format", 0, OPTION_CHOICE, &target, 0, 0, "c|liblinear|libsvm", 0},
        {"as", 0, OPTION_CHOICE, &form, 0, 0, "image|arrays", 0},
        {"name", 0, OPTION_TEXT, &name, 0, 0, NULL, 0},
        {"predict", 0, OPTION_FLAG, &predict, 0, 0, NULL, 0},
        {"decision", 0, OPTION_CHOICE, &decision, 0, 0, DECISION_WORDS, 0},
    };
    model m;
    output o;
    arguments = options_read(table, sizeof table / sizeof *table, "perceptron export", argc, argv);
    if (help) {
        fputs(usage, stdout);
        return 0;
    }
    if (arguments < 1 || arguments > 2)
        die(EXIT_USAGE, "export takes MODEL and perhaps OUTPUT; see perceptron export --help");
    if (target != TARGET_C && (option_given(table, "as") || option_given(table, "name") || predict))
        die(EXIT_USAGE, "--as, --name and --predict are for --format c");
    if (predict && form != FORM_ARRAYS) die(EXIT_USAGE, "--predict needs --as arrays");
    check_name(name);

    memset(&m, 0, sizeof m);
    model_load(&m, argv[0], 0);
    if (option_given(table, "decision")) model_decide_by(&m, decision);
    check_target(&m, target, form);
    if (model_is_kernel(&m))
        fold_vectors(&m);
    else
        fold_weights(&m);
    output_open(&o, arguments == 2 ? argv[1] : "-");
    if (target == TARGET_C)
        write_c(o.file, &m, name, form, predict);
    else if (target == TARGET_LIBLINEAR)
        write_liblinear(o.file, &m);
    else if (model_is_kernel(&m))
        write_svm_kernel(o.file, &m);
    else
        write_svm_linear(o.file, &m);
    output_close(&o);
    if (preparation(&m))
        fprintf(stderr, "The exported model wants its rows prepared: %s.\n", preparation(&m));
    model_free(&m);
    return 0;
}
