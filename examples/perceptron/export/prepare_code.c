/* The part of an exported header that prepares rows as the model's were: words are weighed, columns scaled. */
#include "export.h"

/* w: words are weighed, by their log (l) or idf (t); i: integers, or f: floats; s: columns are scaled for a kernel, or for
 * integers by a mean and a shift (c) or by a shift (m); g: weights have it, but gaps; u, p: nothing is scaled; d: all features have a
 * place, or n; z: a gap is 0 as it is written, or o: less an offset; D: some are dates. */
static const char row_code[] =
    "@wPERCEPTRON_UNUSED static float $_weighed(float count, uint32_t j)\n"
    "{\n"
    "    const float idf = $_idf_weight_of(j, 0) > 0 ? $_idf_weight_of(j, 0) : 0;\n@"
    "@l    return idf > 0 && count > 0 ? (float)log((double)count + 1) : 0;\n}\n\n@"
    "@t    return count > 1 ? (float)((log((double)count) + 1) * (double)idf) : count > 0 ? idf : 0;\n}\n\n@"
    "/* What a row has for a value of feature j@w; length: of all its words@. */\n"
    "PERCEPTRON_UNUSED static @iint16_t@@ffloat@ $_value(float v, uint32_t j@w, double length@)\n"
    "{\n"
    "@w    if ($_idf_weight_of(j, 0) >= 0) v = (float)((double)$_weighed(v, j) / length);\n@"
    "@z    if (v != v) v = 0; /* a gap */\n@"
    "@o    if (v != v) v = j < $_OFFSETS ? (float)-$_offset[j] : 0; /* a gap */\n@"
    "@s    if (j >= $_SCALED) return v;\n"
    "    if (v != v || `float:$_factor[j]` == 0) return 0; /* a gap; a constant */\n"
    "    v = (v - `float:$_mean[j]` - `float:$_rest[j]`) * `float:$_factor[j]`;\n"
    "    return v > 64 ? 64 : v < -64 ? -64 : v;\n@"
    "@c    v = j < $_SCALED ? ldexpf(v - `float:$_mean[j]`, `int8_t:$_shift[j]`) : v / $_unit;\n@"
    "@m    v = j < $_SCALED ? ldexpf(v, `int8_t:$_shift[j]`) : v / $_unit;\n@"
    "@u    (void)j;\n    v = v / $_unit;\n@"
    "@i    return (int16_t)(v != v ? 0 : fmaxf(fminf(roundf(v), 32767), -32768));\n@"
    "@g    return v != v ? (j < $_SCALED ? `float:$_mean[j]` : 0) : v;\n@"
    "@p    (void)j;\n    return v;\n@"
    "}\n\n";

static const char rows_code[] =
    "/* Makes the values of a row to predict of those as they are. A NaN is a gap.@n index NULL: feature i is at i. Of\n"
    " * numbers a row has all, zeros, too.@@D Dates are " DATE_UNIT ".@ */\n"
    "PERCEPTRON_UNUSED static void $_row(@dconst float *x@@nconst uint32_t *index, const float *value, unsigned long count"
    "@,\n    @iint16_t@@ffloat@ *out)\n"
    "{\n"
    "@d    uint32_t j;\n"
    "    for (j = 0; j < $_FEATURES; j++) out[j] = $_value(x[j], j);\n@"
    "@n    unsigned long i;\n@"
    "@w    double length = 0;\n"
    "    for (i = 0; i < count; i++) {\n"
    "        const double v = (double)$_weighed(value ? value[i] : 1, index ? index[i] : (uint32_t)i);\n"
    "        length += v * v;\n"
    "    }\n"
    "    length = length > 0 ? sqrt(length) : 1;\n@"
    "@n    for (i = 0; i < count; i++)\n"
    "        out[i] = $_value(value ? value[i] : 1, index ? index[i] : (uint32_t)i@@w, length@@n);\n@"
    "}\n\n";

int export_scales_rows(const model *m, const quantized *q)
{
    return q ? q->columns > 0 : model_vectors(m) && m->normalize == NORMALIZE_STANDARD;
}

int export_makes_rows(const model *m, const quantized *q)
{
    return model_weighs_words(m) || export_scales_rows(m, q);
}

/* All of them, or where most are 0 the others behind a sorted index; and how to find one. */
static void put_idf(FILE *f, const float *idf, uint32_t features, const char *name, int flash)
{
    const few_weights few = few_weights_of(idf, features, 1, sizeof *idf);
    char *own = allocate(strlen(name) + sizeof "_idf", 1);
    sprintf(own, "%s_idf", name);
    put_code(f, name, "/* idf: 0 of words that no row had, -1 of what is no word. */\n");
    if (few.index) {
        few_weights_index(f, &few, own, flash);
        put_floats(f, own, "weight", "$_WEIGHTS", few.weight, few.count, flash);
        few_weights_function(f, "float", own, flash);
    } else {
        put_floats(f, name, "idf", "$_FEATURES", idf, features, flash);
        put_parts(f, name,
                  "PERCEPTRON_UNUSED static float $_idf_weight_of(unsigned long j, unsigned cls)\n"
                  "{\n    return j < $_FEATURES ? `float:$_idf[j]` : (float)(0 * cls);\n}\n\n",
                  flash ? "F" : "");
    }
    free(few.index);
    free(few.weight);
    free(own);
}

void export_tables(FILE *f, const model *m, const quantized *q, const char *name, int flash)
{
    static const char *const what[] = {"mean", "rest", "factor"};
    const int scales = export_scales_rows(m, q) || export_fits(m, q);
    const uint32_t n = model_features(m);
    uint32_t columns = m->scaler.features, from = 0, to = 0, j, k; /* what[from] .. what[to - 1] */
    float *table = allocate(n, sizeof *table);
    if (q) {
        columns = q->columns;
        to = q->centred != 0;
    } else if (model_standardizes(m)) {
        to = scales ? (uint32_t)LENGTH(what) : 1;
    } else if (m->scale && scales) {
        columns = (uint32_t)arrlenu(m->scale);
        from = 2;
        to = 3;
    }
    for (j = 0; j < n; j++) table[j] = model_idf(m, j);
    if (model_weighs_words(m)) put_idf(f, table, n, name, flash);
    fprintf(f, "enum { %s_SCALED = %lu }; /* so many features, the first, are scaled */\n\n", name,
            (unsigned long)(q || to > 0 ? columns : 0));
    for (k = from; k < to; k++) {
        for (j = 0; j < columns; j++) {
            const scaling by = model_column(m, j);
            const float mean = (float)by.mean, part[] = {mean, (float)(by.mean - (double)mean), by.factor};
            table[j] = part[k];
        }
        put_floats(f, name, what[k], "$_SCALED", table, columns, flash);
    }
    if (q && columns) put_integers(f, name, INT8, "shift", "$_SCALED", q->shift, columns, 16, flash);
    free(table);
}

void export_rows(FILE *f, const model *m, const quantized *q, const char *name, int flash)
{
    const int words = model_weighs_words(m), scaled = export_scales_rows(m, q);
    const char *missing = model_kept_or(m, "missing", ""), *zero = arrlenu(m->offset) ? "o" : "z";
    char parts[12];
    snprintf(parts, sizeof parts, "%s%s%s%s%s%s%s", m->date ? "D" : "", strcmp(missing, "zero") == 0 ? zero : "",
             flash ? "F" : "", words ? "w" : "",
             !words                  ? ""
             : m->words == WORDS_LOG ? "l"
                                     : "t",
             !q           ? (scaled                  ? "fs"
                             : model_standardizes(m) ? "fg"
                                                     : "fp")
             : !scaled    ? "iu"
             : q->centred ? "ic"
                          : "im",
             !words && model_rows(m) == ROWS_DENSE ? "d" : "n");
    put_parts(f, name, row_code, parts);
    if (export_makes_rows(m, q)) put_parts(f, name, rows_code, parts);
}
