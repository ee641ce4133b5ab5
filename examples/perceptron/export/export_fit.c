/* The part of an exported header that has the probabilities of a fit (model/fit.h), with the bits of perceptron predict. */
#include "export.h"

/* Of what @x...@ holds: d dense rows, whose sums go by feature; s others; p products are found on the way; o one feature
 * after the other; S columns are standardized, so that a number which is not given is not 0; M they have a factor alone;
 * C one of the two. */
static const char length_code[] =
    "@C/* A number of column j as the model was trained on it. */\n"
    "PERCEPTRON_UNUSED static float $_scaled(float v, uint32_t j)\n"
    "{\n"
    "    if (j >= $_SCALED) return v;\n@"
    "@M    return v * `float:$_factor[j]`;\n}\n\n@"
    "@S    if (`float:$_factor[j]` == 0) return 0; /* a constant */\n"
    "    v = (v - `float:$_mean[j]` - `float:$_rest[j]`) * `float:$_factor[j]`;\n"
    "    return v > 64 ? 64 : v < -64 ? -64 : v;\n}\n\n@"
    "/* Adds v^2 to x.x, which has partial sums as a score has. What is volatile is rounded, and not fused. */\n"
    "PERCEPTRON_UNUSED static void $_add_square(volatile float *sum, unsigned long *place, uint32_t j, float v)\n"
    "{\n"
    "    volatile float square = v * v;\n"
    "@d    sum += j % 32;\n@"
    "@s    sum += *place % 4;\n    (void)j;\n@"
    "    *sum = *sum + square;\n"
    "    ++*place;\n"
    "}\n\n"
    "/* Adds those of a row. *place: how many came before. */\n"
    "PERCEPTRON_UNUSED static void $_add_squares(volatile float *sum, unsigned long *place, const uint32_t *index,\n"
    "    const float *value, unsigned long count)\n"
    "{\n"
    "@S    uint32_t next = 0; /* column */\n@"
    "@p    unsigned long i = 0, p = 0;\n"
    "    uint32_t j;\n"
    "    float v;\n"
    "    while ((j = $_next(index, value, count, &i, &p, &v)) < $_FEATURES) {\n@"
    "@o    unsigned long i;\n"
    "    for (i = 0; i < count; i++) {\n"
    "        const uint32_t j = index ? index[i] : (uint32_t)i;\n"
    "        float v = value ? value[i] : 1.0f;\n"
    "        if (j >= $_FEATURES) break;\n@"
    "@s        if (!index && v == 0) continue;\n@"
    "@S        for (; next < j && next < $_SCALED; next++) $_add_square(sum, place, next, $_scaled(0, next));\n"
    "        next = j + 1;\n@"
    "@C        v = $_scaled(v, j);\n@"
    "        $_add_square(sum, place, j, v);\n"
    "    }\n"
    "@S    for (; next < $_SCALED; next++) $_add_square(sum, place, next, $_scaled(0, next));\n@"
    "}\n\n"
    "/* Adds sum[j] to sum[j - half], and so on with half of them. */\n"
    "PERCEPTRON_UNUSED static float $_all_squares(volatile float *sum)\n"
    "{\n"
    "    unsigned i, half, n = $_SQUARES;\n"
    "    for (half = @d16@@s2@; half > 0; half /= 2) {\n"
    "        for (i = half; i < n; i++) sum[i - half] = sum[i - half] + sum[i];\n"
    "        if (n > half) n = half;\n"
    "    }\n"
    "    return sum[0];\n"
    "}\n\n"
    "/* x.x of a row that $_predict or perceptron.h takes, as the model was trained on it. */\n"
    "PERCEPTRON_UNUSED static float $_norm2(const uint32_t *index, const float *value, unsigned long count)\n"
    "{\n"
    "    volatile float sum[$_SQUARES];\n"
    "    unsigned long place = 0;\n"
    "    unsigned i;\n"
    "    for (i = 0; i < $_SQUARES; i++) sum[i] = 0;\n"
    "    $_add_squares(sum, &place, index, value, count);\n"
    "    return $_all_squares(sum);\n"
    "}\n\n";

static const char exp_code[] =
    "/* A product that is rounded, and not fused with a sum: so bits are the same everywhere. */\n"
    "PERCEPTRON_UNUSED static double $_times(double a, double b)\n"
    "{\n"
    "    volatile double product = a * b;\n"
    "    return product;\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static double $_exp(double x)\n"
    "{\n"
    "    double k, r, sum = 1;\n"
    "    int i;\n"
    "    if (!(x > -700)) return 0;\n"
    "    if (x > 700) x = 700;\n"
    "    k = floor($_times(x, 1.4426950408889634) + 0.5);\n"
    "    r = x - $_times(k, 0.693147180369123816490) - $_times(k, 1.90821492927058770002e-10); /* ln 2 in two parts */\n"
    "    for (i = 13; i > 0; i--) sum = 1 + $_times(sum, r) / i;\n"
    "    return ldexp(sum, (int)k);\n"
    "}\n\n"
    "/* ln x = e ln 2 + 2 (s + s^3 / 3 + s^5 / 5 ...), where x = 2^e m and s = (m - 1) / (m + 1). */\n"
    "PERCEPTRON_UNUSED static double $_ln(double x)\n"
    "{\n"
    "    int e, i;\n"
    "    double m = frexp(x, &e), s, sum = 0;\n"
    "    if (m < 0.70710678118654752) {\n"
    "        m *= 2;\n"
    "        e--;\n"
    "    }\n"
    "    s = (m - 1) / (m + 1);\n"
    "    for (i = 23; i > 0; i -= 2) sum = $_times(sum, $_times(s, s)) + 1.0 / i;\n"
    "    return $_times(e, 0.69314718055994531) + 2 * $_times(s, sum);\n"
    "}\n\n";

/* 1: there is one score, of label 1; n: a score of each label. */
static const char probable_code[] =
    "/* Fills p, the probability of each label, as perceptron predict has it; returns the number of the label predicted. score: of a\n"
    " * row; norm2: its $_norm2. With the numbers of $_fit, which are q0, low, high, power, blur, then of each score its slope,\n"
    " * offset and drift:\n"
    " *     q     ln(1 + norm2) / 2 - q0, cut to low .. high; of a row that is too long for floats, high\n"
    " *     z_k   slope_k e^(power q) score_k + offset_k + drift_k q@1, of label 1; label 0 has 0@@n, at most that of the label predicted@\n"
    " *     p     (1 - blur) e^z_k / sum of e^z + blur / labels; if a score is NaN, 1 / labels */\n"
    "PERCEPTRON_UNUSED static int $_probable(const float *score, float norm2, float *p)\n"
    "{\n"
    "    const double low = (double)`float:$_fit[1]`, high = (double)`float:$_fit[2]`, blur = (double)`float:$_fit[4]`;\n"
    "    const int label = $_decide(score);\n"
    "    double q = high, power, weight, highest, sum = 0, z[$_CLASSES];\n"
    "    int k, at, tells = 1;\n"
    "    if (norm2 <= FLT_MAX) q = $_ln(1 + (double)norm2) / 2 - (double)`float:$_fit[0]`;\n"
    "    q = q < low ? low : q > high ? high : q;\n"
    "    power = $_times((double)`float:$_fit[3]`, q);\n"
    "    weight = $_exp(power < 300 ? power : 300);\n"
    "@1    z[0] = 0;\n@"
    "    for (k = 0; k < $_SCORES; k++) {\n"
    "        float s = score[k];\n"
    "        if (s != s) tells = 0;\n"
    "        s = s > FLT_MAX ? FLT_MAX : s < -FLT_MAX ? -FLT_MAX : s;\n"
    "        at = 5 + k;\n"
    "        z[@1k + 1@@nk@] = $_times($_times((double)`float:$_fit[at]`, weight), (double)s) +\n"
    "            (double)`float:$_fit[at + $_SCORES]` + $_times((double)`float:$_fit[at + 2 * $_SCORES]`, q);\n"
    "    }\n"
    "@1    highest = z[1] > 0 ? z[1] : 0;\n@"
    "@n    highest = z[label];\n@"
    "    for (k = 0; k < $_CLASSES; k++) {\n"
    "        z[k] = tells ? $_exp((z[k] < highest ? z[k] : highest) - highest) : 1;\n"
    "        sum += z[k];\n"
    "    }\n"
    "    for (k = 0; k < $_CLASSES; k++) p[k] = (float)($_times(1 - blur, z[k] / sum) + blur / $_CLASSES);\n"
    "    return label;\n"
    "}\n\n";

static const char refuse_code[] =
    "/* $_probabilities fills p, the probability of each label, and returns the label's number as $_predict does.\n"
    " * $_predict_or_refuse returns -1 where an error is likelier than C, if a refusal costs as much as C errors and gap is\n"
    " * $_gap(C), which is C. */\n"
    "PERCEPTRON_UNUSED static float $_gap(float cost)\n"
    "{\n"
    "    return cost;\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static int $_refuse(const float *score, float norm2, float gap)\n"
    "{\n"
    "    float p[$_CLASSES];\n"
    "    const int k = $_probable(score, norm2, p);\n"
    "    return 1 - p[k] <= gap ? k : -1;\n"
    "}\n\n";

int export_fits(const model *m, const quantized *q)
{
    return m->fit && !q;
}

void export_fit(FILE *f, const model *m, const c_header *h)
{
    const char *name = h->name;
    const int dense = model_rows(m) == ROWS_DENSE, products = export_takes_products(m);
    const uint32_t n = model_features(m), sums = n < 32 ? n : 32;
    char parts[12];
    snprintf(parts, sizeof parts, "%s%s%s%s%s", dense ? "d" : "s", products ? "p" : "o",
             model_standardizes(m) ? "CS" : "", m->scale ? "CM" : "", h->flash ? "F" : "");
    fprintf(f, "enum { %s_SQUARES = %lu };\n\n", name, (unsigned long)(dense ? sums : 4));
    put_parts(f, name, length_code, parts);
    put_floats(f, name, "fit", "5 + 3 * $_SCORES", m->fit, arrlenu(m->fit), h->flash);
    put_code(f, name, exp_code);
    snprintf(parts, sizeof parts, "%s%s", model_units(m) == 1 ? "1" : "n", h->flash ? "F" : "");
    put_parts(f, name, probable_code, parts);
    if (h->predict) put_code(f, name, refuse_code);
}
