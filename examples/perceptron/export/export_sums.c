/* The part of an exported header that gives the score of a class: the sums of perceptron.h, with the same bits. */
#include "export.h"

/* A row in the forms of pcn_sparse and pcn_isparse: the parameters, and how a loop over it begins. */
#define FLOAT_ROW "const uint32_t *index, const float *value, unsigned long count"
#define INTEGER_ROW "const uint32_t *index, const int16_t *value, unsigned long count"
#define ROW_LOOP                                                                                                       \
    "    for (i = 0; i < count; i++) {\n"                                                                              \
    "        unsigned long j = index ? index[i] : i;\n"                                                                \
    "        if (j >= $_FEATURES) break;\n"

summing export_summing(const model *m, const quantized *q, const c_header *h)
{
    const int dense = model_rows(m) == ROWS_DENSE;
    const uint32_t n = model_features(m), lanes = n == 0 ? 1 : n < 32 ? n : 32;
    const summing integer = {"int16_t", "int64_t", 1, 0, 0, h->few, 1, h->flash};
    const summing real = {"float", "float", dense ? (int)lanes : 4, !dense, export_takes_products(m), h->few,
                          0,       h->flash};
    return q ? integer : real;
}

/* Of what @x...@ holds: d dense rows, whose sums go by feature; s others; p products are found on the way; o one feature
 * after the other; f few weights are written; a all are. After $_ROUND memory may hold anything, so each product and each
 * sum has been stored, and thereby rounded, and none is part of the next. */
static const char real_code[] =
    "#if defined(__GNUC__)\n"
    "#define $_SUM float\n"
    "#define $_ROUND(sum) __asm__ volatile(\"\" : : \"r\"(sum) : \"memory\")\n"
    "#else\n"
    "#define $_SUM volatile float\n"
    "#define $_ROUND(sum) ((void)0)\n"
    "#endif\n\n"
    "PERCEPTRON_UNUSED static void $_add($_SUM *sum, @sunsigned long k, @" FLOAT_ROW ",\n"
    "    unsigned cls)\n"
    "{\n"
    "@a    const float *w = $_weight + (unsigned long)cls * $_FEATURES;\n@"
    "@p    unsigned long i = 0, p = 0;\n"
    "    uint32_t j;\n"
    "    float v;\n"
    "    while ((j = $_next(index, value, count, &i, &p, &v)) < $_FEATURES) {\n@"
    "@o    unsigned long i;\n" ROW_LOOP "        float v = value ? value[i] : 1.0f;\n@"
    "        $_SUM product, *to;\n"
    "@s        if (!index && v == 0) continue;\n@"
    "@a        product = `float:w[j]` * v;\n@"
    "@f        product = $_weight_of(j, cls) * v;\n@"
    "        $_ROUND(&product);\n"
    "@d        to = sum + j % 32;\n@"
    "@s        to = sum + k++ % 4;\n@"
    "        *to = *to + product;\n"
    "        $_ROUND(to);\n"
    "    }\n"
    "}\n\n"
    "/* Adds sum[j] to sum[j - half], and so on with half of them; -0 becomes 0. */\n"
    "PERCEPTRON_UNUSED static float $_total($_SUM *sum, unsigned cls)\n"
    "{\n"
    "    unsigned i, half, n = $_SUMS;\n"
    "    for (half = @d16@@s2@; half > 0; half /= 2) {\n"
    "        for (i = half; i < n; i++) sum[i - half] = sum[i - half] + sum[i];\n"
    "        $_ROUND(sum);\n"
    "        if (n > half) n = half;\n"
    "    }\n"
    "    sum[0] = sum[0] + 0.0f;\n"
    "    $_ROUND(sum);\n"
    "    sum[0] = sum[0] + `float:$_bias[cls]`;\n"
    "    $_ROUND(sum);\n"
    "    return sum[0];\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static float $_score(" FLOAT_ROW ",\n"
    "    unsigned cls)\n"
    "{\n"
    "    $_SUM sum[$_SUMS];\n"
    "    unsigned long i;\n";

/* The whole of a dense row: a product is the beginning of its sum. m: more than 32 features. */
static const char dense_code[] =
    "    if (!index && value && count >= $_FEATURES) {\n"
    "        const float *w = $_weight + (unsigned long)cls * $_FEATURES;\n"
    "        for (i = 0; i < $_SUMS; i++) sum[i] = `float:w[i]` * value[i];\n"
    "        $_ROUND(sum);\n"
    "@m        for (; i < $_FEATURES; i++) {\n"
    "            $_SUM product = `float:w[i]` * value[i];\n"
    "            $_ROUND(&product);\n"
    "            sum[i % 32] = sum[i % 32] + product;\n"
    "            $_ROUND(sum);\n"
    "        }\n@"
    "        return $_total(sum, cls);\n"
    "    }\n";

static const char score_code[] =
    "    for (i = 0; i < $_SUMS; i++) {\n"
    "        sum[i] = 0;\n"
    "        $_ROUND(sum); /* no call of memset */\n"
    "    }\n"
    "    $_add(sum, @s0, @index, value, count, cls);\n"
    "    return $_total(sum, cls);\n"
    "}\n\n";

static void put_real_sums(FILE *f, const summing *by, const char *name)
{
    const int dense = !by->place;
    char parts[8];
    snprintf(parts, sizeof parts, "%c%c%c%s%s", dense ? 'd' : 's', by->products ? 'p' : 'o', by->few ? 'f' : 'a',
             by->sums == 32 ? "m" : "", by->flash ? "F" : "");
    fprintf(f, "enum { %s_SUMS = %d };\n\n", name, by->sums);
    fprintf(f, "/* Score of a class: partial sums, %s, then a halving tree.\n",
            dense ? "feature j to sum j % 32" : "by place in the row (a 0 of a dense row has none)");
    put_code(f, name,
             " * $_ROUND and $_SUM keep compilers from fusing and reordering, so that the bits are those of\n"
             " * pcn_linear_scores. */\n");
    put_parts(f, name, real_code, parts);
    if (dense && !by->products && !by->few) put_parts(f, name, dense_code, parts);
    put_parts(f, name, score_code, parts);
}

/* Below 2^63: a product is at most 2^30 in size, there are at most 65,535 of them, and a bias of 2^30. n: of dense rows
 * of bytes so few products add up that 32 bits hold the sum. */
static const char integer_code[] =
    "/* Score of a class, as pcn_ilinear_scores. */\n"
    "PERCEPTRON_UNUSED static void $_add(int64_t *sum, " INTEGER_ROW ",\n"
    "    unsigned cls)\n"
    "{\n"
    "@1    const int8_t *w = $_weight + (unsigned long)cls * $_FEATURES;\n@"
    "@2    const int16_t *w = $_weight + (unsigned long)cls * $_FEATURES;\n@"
    "    unsigned long i;\n"
    "@n    if (!index && value && count >= $_FEATURES) {\n"
    "        int32_t part = 0; /* $_FEATURES 2^7 2^15 is below 2^31 */\n"
    "        for (i = 0; i < $_FEATURES; i++) part += (int32_t)`int8_t:w[i]` * value[i];\n"
    "        *sum += part;\n"
    "        return;\n"
    "    }\n@" ROW_LOOP "@1        *sum += (int32_t)`int8_t:w[j]` * (value ? value[i] : 1);\n@"
    "@2        *sum += (int32_t)`int16_t:w[j]` * (value ? value[i] : 1);\n@"
    "@f        *sum += (int32_t)$_weight_of(j, cls) * (value ? value[i] : 1);\n@"
    "    }\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static int64_t $_total(const int64_t *sum, unsigned cls)\n"
    "{\n"
    "@b    return *sum + `int32_t:$_bias[cls]`;\n@"
    "@k    return (*sum + `int32_t:$_bias[cls]`) * `uint16_t:$_scale[cls]`;\n@"
    "}\n\n"
    "PERCEPTRON_UNUSED static int64_t $_score(" INTEGER_ROW ",\n"
    "    unsigned cls)\n"
    "{\n"
    "    int64_t sum = 0;\n"
    "    $_add(&sum, index, value, count, cls);\n"
    "    return $_total(&sum, cls);\n"
    "}\n\n";

static void put_integer_sums(FILE *f, const quantized *q, const summing *by, const char *name)
{
    const pcn_ilinear *l = &q->model;
    char parts[8];
    snprintf(parts, sizeof parts, "%c%s%s%s", l->scores == 1 ? 'b' : 'k',
             by->few        ? "f"
             : l->bits == 8 ? "1"
                            : "2",
             !by->few && l->bits == 8 && l->features <= 511 ? "n" : "", by->flash ? "F" : "");
    put_parts(f, name, integer_code, parts);
}

void export_sums(FILE *f, const quantized *q, const summing *by, const char *name)
{
    if (q)
        put_integer_sums(f, q, by, name);
    else
        put_real_sums(f, by, name);
}
