/* The comment at the head of exported C: what the rows are, and how the label of one is found. */
#include "export.h"

const char *export_preparation(const model *m, const quantized *q)
{
    const int l2 = m->normalize == NORMALIZE_L2;
    if (m->offset)
        return export_makes_rows(m, q) ? "what $_row makes of the values less $_offset" : "the values less $_offset";
    if (export_makes_rows(m, q))
        return l2            ? "what $_row makes of the values, then divide each row by its length (l2)"
               : m->binarize ? "what $_row makes of 1 for every value that is not 0"
                             : "what $_row makes of the values as they are";
    if (l2 && export_takes_products(m))
        return m->binarize ? "1 for every value that is not 0, then the products, then divide by the length (l2)"
                           : "the products, then divide the row by its length (l2)";
    if (l2)
        return m->binarize ? "1 for every value that is not 0, then divide the row by its length (l2)"
                           : "divide each row by its length (l2)";
    return m->binarize ? "1 for every value that is not 0" : NULL;
}

static void put_quantized_comment(FILE *f, const quantized *q, const char *name)
{
    if (q->columns)
        put_code(f, name, " * Features are int16, in units of $_unit: what is outside stops at -32768 or 32767.\n");
    else
        put_code(f, name,
                 " * Features are int16: each value divided by $_unit, to the nearest whole number (halves away\n"
                 " * from 0, as lroundf does), and what is outside -32768 .. 32767 becomes one of these.\n");
    fprintf(f, " * Weights of %lu bits.\n", (unsigned long)q->model.bits);
    if (!q->test.count) return;
    fprintf(f, " * Measured on %lu rows: %llu predictions other than in floats, %llu values outside",
            (unsigned long)q->test.count, (unsigned long long)q->changed, (unsigned long long)q->saturated);
    if (q->labelled)
        fprintf(f, ", %llu errors\n * (in floats %llu)", (unsigned long long)q->errors,
                (unsigned long long)q->errors_float);
    fputs(".\n", f);
}

/* Their names, and with --missing mean what stands for a missing number; of a missing text all features are 0. */
static void put_features(FILE *f, const model *m)
{
    const uint32_t means = strcmp(model_kept_or(m, "missing", ""), "mean") == 0 ? m->scaler.features : 0;
    size_t i, count = m->names ? arrlenu(m->names) : arrlenu(m->fill);
    if (count < arrlenu(m->offset)) count = arrlenu(m->offset);
    if (count < arrlenu(m->date)) count = arrlenu(m->date);
    if (count) fprintf(f, " * Features:\n");
    for (i = 0; i < count; i++) {
        fprintf(f, " *     %zu", i);
        if (m->names) fputc(' ', f);
        if (m->names) put_literal(f, m->names[i]);
        if (model_date(m, (uint32_t)i) != NO_DATE) fputs(", a date: " DATE_UNIT, f);
        if (i < arrlenu(m->offset) && m->offset[i] != 0) fprintf(f, " less %.17g", m->offset[i]);
        if (i < arrlenu(m->fill) && !(m->names && (strchr(m->names[i], '=') || model_names_word(m, m->names[i]))))
            fprintf(f, " (where it is missing: %.9g)", (double)m->fill[i]);
        if (i < means) fprintf(f, " (where it is missing: %.9g)", model_column(m, (uint32_t)i).mean);
        fputc('\n', f);
    }
}

/* The comment, up to the manual. q: NULL for floats. */
static void put_comment(FILE *f, const model *m, const quantized *q, const char *name)
{
    const char *prepare = export_preparation(m, q);
    fprintf(f, "/* A trained classifier, written by perceptron export: %s, %lu features, %lu labels.\n", m->kind->name,
            (unsigned long)model_features(m), (unsigned long)labels_count(&m->labels));
    fputs(" * Rows to predict: ", f);
    put_code(f, name, prepare ? prepare : "the values as they are");
    fputs(".\n", f);
    if (q) put_quantized_comment(f, q, name);
    if (export_takes_words(m))
        fputs(" * Features column:word are the words of columns, which the caller finds: a function that takes a text\n"
              " * is for models of nothing but texts (train --text).\n",
              f);
    put_features(f, m);
}

/* In code, by enum kernel and enum pcn_decision; the numbers of a kernel are in the image. */
static const char *const kernel_code[] = {"linear()", "poly(0, 0, 0)", "rbf(0)"};
static const char *const decision_code[] = {"PCN_DECIDE_LAST", "PCN_DECIDE_MEAN", "PCN_DECIDE_VOTE"};

/* k by a linear model of that type, from the image or from what the arrays make. */
static void put_prediction(FILE *f, const char *name, unsigned form, const char *type, const char *made)
{
    if (form == FORM_IMAGE)
        fprintf(f,
                " *     pcn_%s m;\n"
                " *     if (pcn_%s_open(&m, %s_image.byte, sizeof %s_image.byte) < 0) return -1;\n",
                type, type, name, name);
    fprintf(f, " *     int k = pcn_%s_predict(&", type);
    put_code(f, name, form == FORM_ARRAYS ? made : "m");
    fputs(", row);\n", f);
}

/* How the label of a row is found with perceptron.h; ends the comment. */
static void put_manual(FILE *f, const model *m, const char *name, unsigned form)
{
    if (export_takes_products(m))
        put_code(f, name,
                 " * With perceptron.h, $_label[k] is the label of a row of count values; index and value have\n"
                 " * room for $_FEATURES, and $_row finds the products:\n"
                 " *     unsigned long n = $_row(own_index, own_value, count, index, value);\n"
                 " *     pcn_vec row = pcn_sparse(index, value, (uint32_t)n);\n");
    else if (model_rows(m) == ROWS_DENSE)
        put_code(f, name,
                 " * With perceptron.h, $_label[k] is the label of a row float x[$_FEATURES]. A sparse row goes,\n"
                 " * too, by pcn_sparse(index, value, count); its score may differ in the last bits:\n"
                 " *     pcn_vec row = pcn_dense(x, $_FEATURES);\n");
    else
        put_code(f, name,
                 " * With perceptron.h, $_label[k] is the label of a sparse row. A dense row goes, too, by\n"
                 " * pcn_dense(x, $_FEATURES); its score may differ in the last bits:\n"
                 " *     pcn_vec row = pcn_sparse(index, value, count);\n");
    if (model_vectors(m)) {
        put_code(f, name,
                 " *     float score[$_SCORES], work[PCN_KMODEL_WORK($_CLASSES, $_SLOTS, 1)];\n"
                 " *     pcn_kmodel m;\n");
        fprintf(f,
                " *     if (pcn_kmodel_open(&m, pcn_kernel_%s, %s_image.byte, sizeof %s_image.byte) < 0) return -1;\n",
                kernel_code[m->kernel], name, name);
        fprintf(f, " *     pcn_kmodel_scores(&m, %s, &row, 1, score, work, sizeof work);\n",
                decision_code[m->decision]);
        put_code(f, name, " *     int k = pcn_decide(score, $_SCORES, m.zero_negative);\n");
    } else {
        put_prediction(f, name, form, "linear", "$_linear");
    }
    if (form == FORM_IMAGE && m->predictor.folded)
        fputs(" * It only predicts: steps of rows as they are would be too long. For a device that goes on learning:\n"
              " * perceptron export --as trainer.\n",
              f);
    else if (form == FORM_IMAGE && model_can(m, CAN_LEARN_ON))
        put_code(f, name,
                 " * A trainer of $_FEATURES features and $_CLASSES classes learns on from there:\n"
                 " *     if (pcn_perceptron_load(&trainer, $_image.byte, sizeof $_image.byte) < 0) return -1;\n");
    fputs(" */\n", f);
}

static void put_quantized_manual(FILE *f, const model *m, const quantized *q, const char *name, unsigned form)
{
    if (model_features(m) > UINT16_MAX || (q->columns && model_rows(m) == ROWS_SPARSE))
        put_code(f, name,
                 " * With perceptron.h, $_label[k] is the label of a row of n values, at most 65535:\n"
                 " *     pcn_ivec row = pcn_isparse(index, x, n);\n");
    else
        put_code(f, name,
                 " * With perceptron.h, $_label[k] is the label of a row int16_t x[$_FEATURES]. A sparse row\n"
                 " * goes, too, by pcn_isparse(index, value, count):\n"
                 " *     pcn_ivec row = pcn_idense(x, $_FEATURES);\n");
    put_prediction(f, name, form, "ilinear", "$_quantized");
    fputs(" */\n", f);
}

/* Where the arrays are on an AVR, and what reads them. */
static void put_flash_comment(FILE *f, const c_header *h)
{
    fputs(" * On an AVR the arrays lie in flash, where plain loads do not reach. Texts stay in RAM.\n", f);
    if (!h->few)
        fputs(" * perceptron.h, compiled by -Os, reads them there if this stands before it:\n"
              " *     #define PCN_READ_WEIGHT(to, from) memcpy_P(to, from, sizeof *(to))\n",
              f);
}

void export_comment(FILE *f, const model *m, const quantized *q, const c_header *h)
{
    const char *name = h->name;
    put_comment(f, m, q, name);
    if (h->flash) put_flash_comment(f, h);
    if (h->predict) put_code(f, name, " * Without perceptron.h, $_predict at the end of this file finds the label.\n");
    if (h->few)
        put_code(f, name, " * Features without a weight are left out of $_weight; $_index has the others.\n */\n");
    else if (q)
        put_quantized_manual(f, m, q, name, h->form);
    else
        put_manual(f, m, name, h->form);
}

void export_raw_manual(FILE *f, const model *m, const quantized *q)
{
    if (q)
        fprintf(f, "The image is for pcn_ilinear_open; its features are int16, in units of %.9g.\n", (double)q->unit);
    if (model_vectors(m))
        fprintf(f, "The image is for pcn_kmodel_open with pcn_kernel_%s and pcn_kmodel_scores with %s.\n",
                kernel_code[m->kernel], decision_code[m->decision]);
}
