/* The part of an exported header that prepares rows as the model's were: words are weighed, columns scaled. */
#include "export.h"

#include <math.h>

static int scales(const model *m, const quantized *q)
{
    return q ? q->columns > 0 : model_vectors(m) && m->normalize == NORMALIZE_STANDARD;
}

int export_makes_rows(const model *m, const quantized *q)
{
    return model_weighs_words(m) || scales(m, q);
}

const char *export_preparation(const model *m, const quantized *q)
{
    const int l2 = m->normalize == NORMALIZE_L2;
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

/* A table of the numbers columns that are scaled: of their means (part 0), of what these lack (1), of factors (2). */
static void put_columns(FILE *f, const model *m, const char *name, const char *what, int part)
{
    float *table = allocate(m->scaler.features, sizeof *table);
    uint32_t j;
    for (j = 0; j < m->scaler.features; j++) {
        const scaling by = model_column(m, j);
        const float mean = (float)by.mean;
        table[j] = part == 0 ? mean : part == 1 ? (float)(by.mean - (double)mean) : by.factor;
    }
    put_floats(f, name, what, "$_SCALED", table, m->scaler.features);
    free(table);
}

static void put_idf(FILE *f, const model *m, const char *name)
{
    const uint32_t n = model_features(m);
    float *idf = allocate(n, sizeof *idf);
    uint32_t j;
    for (j = 0; j < n; j++) idf[j] = model_idf(m, j);
    put_code(f, name, "/* Of each word; 0: no row had it; -1: it is none. */\n");
    put_floats(f, name, "idf", "$_FEATURES", idf, n);
    put_code(f, name,
             "PERCEPTRON_UNUSED static float $_weighed(float count, uint32_t j)\n"
             "{\n"
             "    const float idf = j < $_FEATURES && $_idf[j] > 0 ? $_idf[j] : 0;\n");
    put_code(f, name,
             m->words == WORDS_LOG
                 ? "    return idf > 0 && count > 0 ? (float)log((double)count + 1) : 0;\n"
                 : "    return count > 1 ? (float)((log((double)count) + 1) * (double)idf) : count > 0 ? idf : 0;\n");
    fputs("}\n\n", f);
    free(idf);
}

static void put_tables(FILE *f, const model *m, const quantized *q, const char *name)
{
    if (model_weighs_words(m)) put_idf(f, m, name);
    if (!scales(m, q)) return;
    fprintf(f, "enum { %s_SCALED = %lu }; /* the first features */\n\n", name,
            (unsigned long)(q ? q->columns : m->scaler.features));
    if (m->scaler.features) put_columns(f, m, name, "mean", 0);
    if (q) {
        put_integers(f, name, INT8, "shift", "$_SCALED", q->shift, q->columns, 16);
        return;
    }
    put_columns(f, m, name, "mean_rest", 1);
    put_columns(f, m, name, "factor", 2);
}

void export_values(FILE *f, const model *m, const quantized *q, const char *name)
{
    const int tfidf = model_weighs_words(m);
    put_tables(f, m, q, name);
    fprintf(f,
            "/* What a row has for a value of feature j%s. */\n"
            "PERCEPTRON_UNUSED static %s %s_value(float v, uint32_t j%s)\n{\n",
            tfidf ? "; length: of all its words" : "", q ? "int16_t" : "float", name, tfidf ? ", double length" : "");
    if (tfidf)
        put_code(f, name, "    if (j >= $_FEATURES || $_idf[j] >= 0) v = (float)((double)$_weighed(v, j) / length);\n");
    if (!q && scales(m, q))
        put_code(f, name,
                 "    if (j >= $_SCALED) return v;\n"
                 "    if (v != v || $_factor[j] == 0) return 0; /* a gap; a constant */\n"
                 "    v = (v - $_mean[j] - $_mean_rest[j]) * $_factor[j];\n"
                 "    return v > 64 ? 64 : v < -64 ? -64 : v;\n");
    else if (!q)
        fputs("    (void)j;\n    return v;\n", f);
    else
        put_code(f, name,
                 !scales(m, q)        ? "    (void)j;\n    v = v / $_unit;\n"
                 : m->scaler.features ? "    v = j < $_SCALED ? ldexpf(v - $_mean[j], $_shift[j]) : v / $_unit;\n"
                                      : "    v = j < $_SCALED ? ldexpf(v, $_shift[j]) : v / $_unit;\n");
    if (q) fputs("    return (int16_t)(v != v ? 0 : fmaxf(fminf(roundf(v), 32767), -32768));\n", f);
    fputs("}\n\n", f);
}

void export_row(FILE *f, const model *m, const quantized *q, const char *name)
{
    const int tfidf = model_weighs_words(m), dense = !tfidf && model_rows(m) == ROWS_DENSE;
    fprintf(f,
            "/* Makes the values of a row to predict of those as they are%s. A NaN is a gap. */\n"
            "PERCEPTRON_UNUSED static void %s_row(%s, %s *out)\n{\n",
            dense ? "" : ", count of them; index NULL: feature i is at i.\n * Of numbers a row has all, zeros, too",
            name, dense ? "const float *x" : "const uint32_t *index, const float *value, unsigned long count",
            q ? "int16_t" : "float");
    if (dense) {
        put_code(f, name,
                 "    uint32_t j;\n"
                 "    for (j = 0; j < $_FEATURES; j++) out[j] = $_value(x[j], j);\n"
                 "}\n\n");
        return;
    }
    fputs("    unsigned long i;\n", f);
    if (tfidf)
        put_code(f, name,
                 "    double length = 0;\n"
                 "    for (i = 0; i < count; i++) {\n"
                 "        const double v = (double)$_weighed(value ? value[i] : 1, index ? index[i] : (uint32_t)i);\n"
                 "        length += v * v;\n"
                 "    }\n"
                 "    length = length > 0 ? sqrt(length) : 1;\n");
    fputs("    for (i = 0; i < count; i++)\n", f);
    put_code(f, name, "        out[i] = $_value(value ? value[i] : 1, index ? index[i] : (uint32_t)i");
    fputs(tfidf ? ", length);\n}\n\n" : ");\n}\n\n", f);
}
