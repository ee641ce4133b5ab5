#include "export.h"

#include <math.h>

/* Arrays in the flash of an AVR, where an ordinary pointer does not reach; elsewhere flash is memory. */
static const char flash_code[] =
    "#if defined(__AVR__)\n"
    "#include <avr/pgmspace.h>\n"
    "#define $_FLASH PROGMEM\n"
    "#define $_read_float(p) pgm_read_float(p)\n"
    "#define $_read_int8_t(p) ((int8_t)pgm_read_byte(p))\n"
    "#define $_read_int16_t(p) ((int16_t)pgm_read_word(p))\n"
    "#define $_read_uint16_t(p) pgm_read_word(p)\n"
    "#define $_read_int32_t(p) ((int32_t)pgm_read_dword(p))\n"
    "#define $_read_uint32_t(p) pgm_read_dword(p)\n"
    "#else\n"
    "#define $_FLASH\n"
    "#define $_read_float(p) (*(p))\n"
    "#define $_read_int8_t(p) (*(p))\n"
    "#define $_read_int16_t(p) (*(p))\n"
    "#define $_read_uint16_t(p) (*(p))\n"
    "#define $_read_int32_t(p) (*(p))\n"
    "#define $_read_uint32_t(p) (*(p))\n"
    "#endif\n\n";

void export_begin(FILE *f, const model *m, const char *name, const char *include, int flash)
{
    const uint32_t n = labels_count(&m->labels);
    uint32_t k;
    put_code(f, name, "#ifndef PERCEPTRON_EXPORT_$\n#define PERCEPTRON_EXPORT_$\n\n");
    fputs(include, f);
    fputs("#if defined(__GNUC__)\n#define PERCEPTRON_UNUSED __attribute__((unused))\n"
          "#else\n#define PERCEPTRON_UNUSED\n#endif\n\n",
          f);
    if (flash) put_code(f, name, flash_code);
    fprintf(f, "enum { %s_FEATURES = %lu, %s_CLASSES = %lu, %s_SCORES = %lu", name, (unsigned long)model_features(m),
            name, (unsigned long)n, name, (unsigned long)PCN_SCORES(n));
    if (model_vectors(m)) fprintf(f, ", %s_SLOTS = %lu", name, (unsigned long)m->dual.model.slots);
    fprintf(f, " };\n\nPERCEPTRON_UNUSED static const char *const %s_label[%lu] = {", name, (unsigned long)n);
    for (k = 0; k < n; k++) {
        fputs(k % 8 ? " " : "\n    ", f);
        put_literal(f, labels_text(&m->labels, k));
        fputc(',', f);
    }
    fputs("\n};\n\n", f);
}

/* Returns its length, which is all that is wanted of it with out NULL and size 0. */
static size_t save_image(const model *m, const quantized *q, void *out, size_t size)
{
    pcn_kmodel d = m->dual.model;
    if (q) return pcn_ilinear_save_part(&q->model, 0, out, size);
    if (!model_vectors(m)) return pcn_linear_save_part(&m->predictor, 0, out, size);
    if (m->decision == PCN_DECIDE_LAST) d.log = NULL; /* not needed */
    return pcn_kmodel_save_part(&d, 0, out, size);
}

/* What pcn_linear_open, pcn_ilinear_open or pcn_kmodel_open reads. */
static uint8_t *make_image(const model *m, const quantized *q, size_t *size)
{
    uint8_t *image;
    *size = save_image(m, q, NULL, 0);
    if (*size == 0) die(EXIT_INPUT, "the model has numbers that are too large for an image");
    image = allocate(*size, 1);
    save_image(m, q, image, *size);
    return image;
}

void export_bytes(FILE *f, const uint8_t *bytes, size_t size, const char *name, const char *what)
{
    size_t i;
    fprintf(f, "PERCEPTRON_UNUSED static const union { unsigned char byte[%zu]; float align; } ", size);
    fprintf(f, "%s_%s = {{", name, what);
    for (i = 0; i < size; i++) fprintf(f, "%s%u,", i % 24 ? "" : "\n", bytes[i]);
    fputs("\n}};\n\n", f);
}

static void put_image(FILE *f, const model *m, const quantized *q, const char *name)
{
    size_t size;
    uint8_t *image = make_image(m, q, &size);
    export_bytes(f, image, size, name, "image");
    free(image);
}

void export_raw(FILE *f, const model *m, const quantized *q)
{
    size_t size;
    uint8_t *image = make_image(m, q, &size);
    fwrite(image, 1, size, f); /* output_close finds what went wrong */
    free(image);
}

static void put_unit(FILE *f, float unit, const char *name)
{
    fprintf(f, "PERCEPTRON_UNUSED static const float %s_unit = ", name);
    put_float(f, unit);
    fputs(";\n\n", f);
}

/* For the caller, so that differences are exact, whatever a double is there. */
static void put_offsets(FILE *f, const double *offset, const char *name)
{
    size_t j;
    fprintf(f, "enum { %s_OFFSETS = %zu }; /* of the first features; those behind have none */\n", name,
            arrlenu(offset));
    put_code(f, name,
             "/* What is subtracted from these features, in double or in whole numbers, before they become floats. */\n"
             "PERCEPTRON_UNUSED static const double $_offset[$_OFFSETS] = {");
    for (j = 0; j < arrlenu(offset); j++) fprintf(f, "%s%.17g,", j % 8 ? " " : "\n    ", offset[j]);
    fputs("\n};\n\n", f);
}

/* How many weights there are, by whether they are few; pcn_linear and pcn_ilinear want them all. */
static const char *const weights[] = {"$_SCORES * $_FEATURES", "$_SCORES * $_WEIGHTS"};

static void put_arrays(FILE *f, const pcn_linear *l, const c_header *h)
{
    const char *name = h->name;
    put_floats(f, name, "weight", weights[h->few], l->weight, (size_t)l->features * l->scores, h->flash);
    put_floats(f, name, "bias", "$_SCORES", l->bias, l->scores, h->flash);
    if (h->few) return;
    put_code(f, name,
             "#ifdef PERCEPTRON_VERSION /* perceptron.h stands before */\n"
             "PERCEPTRON_UNUSED static const pcn_linear $_linear = {\n"
             "    $_weight, $_bias, $_FEATURES, $_SCORES, 0, ");
    fprintf(f, "%d, %d};\n#endif\n\n", l->zero_negative, l->folded);
}

static void put_quantized_arrays(FILE *f, const quantized *q, const c_header *h)
{
    const char *name = h->name;
    const pcn_ilinear *l = &q->model;
    put_integers(f, name, l->bits == 8 ? INT8 : INT16, "weight", weights[h->few], l->weight,
                 (size_t)l->features * l->scores, 16, h->flash);
    put_integers(f, name, INT32, "bias", "$_SCORES", l->bias, l->scores, 16, h->flash);
    put_integers(f, name, UINT16, "scale", "$_SCORES", l->scale, l->scores, 16, h->flash);
    if (h->few) return;
    put_code(f, name,
             "#ifdef PERCEPTRON_VERSION /* perceptron.h stands before */\n"
             "PERCEPTRON_UNUSED static const pcn_ilinear $_quantized = {\n"
             "    $_weight, $_bias, $_scale, $_FEATURES, $_SCORES, ");
    fprintf(f, "%d, %d};\n#endif\n\n", l->bits, l->zero_negative);
}

static void put_decision(FILE *f, const model *m, const char *type, const char *name)
{
    fprintf(f, "PERCEPTRON_UNUSED static int %s_decide(const %s *score)\n{\n", name, type);
    if (labels_count(&m->labels) == 2)
        fputs(m->zero_negative ? "    return *score > 0;\n" : "    return *score >= 0;\n", f);
    else
        put_code(f, name,
                 "    unsigned c, k = 0;\n"
                 "    for (c = 1; c < $_SCORES; c++)\n"
                 "        if (score[c] > score[k]) k = c;\n"
                 "    return (int)k;\n");
    fputs("}\n\n", f);
}

/* What a function makes of the scores of a row or a text. */
typedef struct answer {
    const char *name, *text_name, *parameter, *result, *last;
} answer;

static const answer answers[] = {{"predict", "predict_text", "", "decide", ""},
                                 {"probabilities", "probabilities_text", ", float *p", "probable", ", p"},
                                 {"predict_or_refuse", "predict_or_refuse_text", ", float gap", "refuse", ", gap"}};

/* norm2: x.x, as code; NULL: it is not asked for. */
static void put_answer(FILE *f, const answer *a, const char *norm2, const char *name)
{
    fprintf(f, "    return %s_%s(score", name, a->result);
    if (norm2) fputs(", ", f);
    if (norm2) put_code(f, name, norm2);
    fprintf(f, "%s);\n}\n\n", a->last);
}

static void put_predict(FILE *f, const summing *by, const answer *a, int fits, const char *name)
{
    if (a == answers) {
        put_code(f, name,
                 "/* The number in $_label of a row of count values: value[i] is that of feature index[i]. The\n"
                 " * first feature is 0, and indices ascend. index NULL: value[i] is that of feature i; a dense\n"
                 " * row x is $_predict(NULL, x, $_FEATURES). value NULL: every value is 1. Features that the\n"
                 " * model has not are left out.");
        fprintf(f, "%s */\n",
                by->integers   ? " count is at most 65535."
                : by->products ? " Products are found here:\n * what stands in their places is not looked at."
                               : "");
    }
    fprintf(f,
            "PERCEPTRON_UNUSED static int %s_%s(const uint32_t *index, const %s *value, unsigned long count%s)\n"
            "{\n"
            "    %s score[%s_SCORES];\n",
            name, a->name, by->value, a->parameter, by->score, name);
    put_code(f, name,
             "    unsigned c;\n"
             "    for (c = 0; c < $_SCORES; c++) score[c] = $_score(index, value, count, c);\n");
    put_answer(f, a, fits ? "$_norm2(index, value, count)" : NULL, name);
}

/* The value of a feature that a text has, as C; NULL: 1. */
static const char *text_value(const model *m, const quantized *q, char text[32])
{
    if (model_weighs_words(m)) return "$_value(count[i], index[i], length)";
    if (m->words == WORDS_COUNTS) return "$_value(count[i], index[i])";
    if (m->normalize == NORMALIZE_L2)
        return q ? "(int16_t)fminf(roundf($_text_value(text) / $_unit), 32767)" : "$_text_value(text)";
    if (!q || q->unit == 1) return NULL;
    snprintf(text, 32, "%ld", (long)fminf(roundf(1 / q->unit), INT16_MAX));
    return text;
}

/* How $_predict_text begins. */
static void put_text_variables(FILE *f, const model *m, const summing *by, const char *value, const char *name)
{
    fprintf(f,
            "    %s score[%s_SCORES];\n"
            "    %s%s sum[%s_SCORES * %d] = {0};\n",
            by->score, name, by->integers ? "" : name, by->integers ? by->score : "_SUM", name, by->sums);
    if (value) fprintf(f, "    %s value[%s_TEXT];\n", by->value, name);
    if (m->words != WORDS_BINARY) put_code(f, name, "    float count[$_TEXT];\n    unsigned i;\n");
    if (model_weighs_words(m)) put_code(f, name, "    const double length = $_text_length(text);\n");
    if (m->words == WORDS_BINARY && value) {
        fputs("    value[0] = ", f);
        put_code(f, name, value);
        put_code(f, name, ";\n    for (n = 1; n < $_TEXT; n++) value[n] = value[0];\n");
    }
}

static void put_predict_text(FILE *f, const model *m, const quantized *q, const summing *by, const answer *a,
                             const char *name)
{
    char text[32];
    const char *value = text_value(m, q, text);
    const int bounded = q && model_features(m) > UINT16_MAX, counts = by->place || bounded; /* as a row is */
    const int weighs = m->words != WORDS_BINARY, squares = a != answers && export_fits(m, q);
    if (a == answers) {
        put_code(f, name,
                 "/* The number in $_label of a text of any length in UTF-8 that ends with a 0. It is read once\n"
                 " * for each $_TEXT different features");
        fprintf(f, "%s. */\n", bounded ? ", of at most 65,472" : "");
    }
    fprintf(f, "PERCEPTRON_UNUSED static int %s_%s(const char *text%s)\n", name, a->text_name, a->parameter);
    put_code(f, name,
             "{\n"
             "    uint32_t index[$_TEXT], from = 0;\n"
             "    unsigned n, c;\n");
    if (counts) fputs("    unsigned long k = 0;\n", f);
    if (squares) put_code(f, name, "    volatile float square[$_SQUARES] = {0};\n    unsigned long place = 0;\n");
    put_text_variables(f, m, by, value, name);
    put_code(f, name, "    do {\n");
    put_code(f, name,
             weighs ? "        n = $_text_row(text, from, index, count);\n"
                    : "        n = $_text_row(text, from, index);\n");
    if (weighs) {
        fputs("        for (i = 0; i < n; i++) value[i] = ", f);
        put_code(f, name, value);
        fputs(";\n", f);
    }
    put_code(f, name, "        for (c = 0; c < $_SCORES; c++) ");
    fprintf(f, "%s_add(sum + c * %d, %sindex, %s, n, c);\n", name, by->sums, by->place ? "k, " : "",
            value ? "value" : "0");
    if (squares) put_code(f, name, "        $_add_squares(square, &place, index, ");
    if (squares) fprintf(f, "%s, n);\n", value ? "value" : "0");
    put_code(f, name, "        if (n > 0) from = index[n - 1] + 1;\n");
    if (counts) fputs("        k += n;\n", f);
    fprintf(f, "    } while (n == %s_TEXT%s);\n", name, bounded ? " && k < 65472" : "");
    fprintf(f, "    for (c = 0; c < %s_SCORES; c++) score[c] = %s_total(sum + c * %d, c);\n", name, name, by->sums);
    put_answer(f, a, squares ? "$_all_squares(square)" : NULL, name);
}

static void put_functions(FILE *f, const model *m, const quantized *q, const c_header *h)
{
    const char *name = h->name;
    const summing by = export_summing(m, q, h);
    const size_t n = model_calibrated(m) ? LENGTH(answers) : 1;
    const int fits = export_fits(m, q);
    size_t i;
    if (h->few) few_weights_function(f, !q ? "float" : q->model.bits == 8 ? "int8_t" : "int16_t", name, h->flash);
    export_sums(f, q, &by, name);
    if (!fits) put_decision(f, m, by.score, name);
    if (n > 1 && !fits) export_sure(f, m, by.score, name);
    for (i = 0; i < n; i++) put_predict(f, &by, &answers[i], fits && i > 0, name);
    if (!export_takes_text(m)) return;
    export_text_row(f, m, name);
    if (by.products) export_predict_words(f, name);
    for (i = 0; i < n && !by.products; i++) put_predict_text(f, m, q, &by, &answers[i], name);
}

void export_c(FILE *f, const model *m, const quantized *q, c_header h)
{
    const int arrays = h.form == FORM_ARRAYS, products = export_takes_products(m), makes = export_makes_rows(m, q);
    const int texts = h.predict && export_takes_text(m), counts = texts && m->words != WORDS_BINARY;
    const int fits = export_fits(m, q), scaled = fits && (model_standardizes(m) || m->scale);
    const char *name = h.name;
    pcn_linear real = m->predictor;
    quantized integers;
    few_weights few = {NULL, NULL, 0};
    if (q) integers = *q, q = &integers;
    if (arrays && h.predict)
        few = q ? few_weights_of(q->model.weight, q->model.features, q->model.scores, q->model.bits / 8)
                : few_weights_of(real.weight, real.features, real.scores, sizeof *real.weight);
    if (few.index) {
        real.weight = few.weight, real.features = few.count;
        integers.model.weight = few.weight, integers.model.features = few.count;
    }
    h.few = few.index != NULL;
    export_comment(f, m, q, &h);
    if (fits) fputs("#include <float.h>\n", f);
    if (makes || counts || fits || (texts && m->normalize == NORMALIZE_L2) || (h.predict && model_calibrated(m)))
        fputs("#include <math.h> /* link with -lm */\n", f);
    export_begin(f, m, name, makes || products || fits || (arrays && (q || h.predict)) ? "#include <stdint.h>\n\n" : "",
                 h.flash);
    if (m->offset) put_offsets(f, m->offset, name);
    if (q) put_unit(f, q->unit, name);
    if (h.few) few_weights_index(f, &few, name, h.flash);
    if (!arrays)
        put_image(f, m, q, name);
    else if (q)
        put_quantized_arrays(f, q, &h);
    else
        put_arrays(f, &real, &h);
    if (model_calibrated(m)) export_calibration(f, m, q, name);
    if (products) export_products(f, m, name);
    if (makes || counts || scaled) export_tables(f, m, q, name, h.flash);
    if (makes || counts) export_rows(f, m, q, name, h.flash);
    if (fits) {
        put_decision(f, m, "float", name);
        export_fit(f, m, &h);
    }
    if (h.predict) put_functions(f, m, q, &h);
    fputs("#undef PERCEPTRON_UNUSED\n#endif\n", f);
    free(few.index);
    free(few.weight);
}
