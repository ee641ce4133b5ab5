/* The part of an exported header that says how sure a prediction is. */
#include "export.h"

/* Of integer scores, what they stand for is in a. For perceptron.h the same numbers are a pcn_calibration. */
void export_calibration(FILE *f, const model *m, const quantized *q, const char *name)
{
    const double a = (double)m->calibration.a * (q ? (double)q->one : 1), b = (double)m->calibration.b;
    put_code(f, name,
             "/* From scores to probabilities; with perceptron.h $_calibration is for pcn_probabilities, which takes\n"
             " * scores as floats. */\n");
    fprintf(f, "PERCEPTRON_UNUSED static const float %s_a = %.8ef, %s_b = %.8ef;\n", name, a, name, b);
    put_code(f, name,
             "#ifdef PERCEPTRON_VERSION /* perceptron.h stands before */\n"
             "PERCEPTRON_UNUSED static const pcn_calibration $_calibration = ");
    fprintf(f, "{%.8ef, %.8ef, 0, 0, 0, 1};\n#endif\n\n", a, b);
}

static const char functions[] =
    "PERCEPTRON_UNUSED static int $_probable(const $_sum *score, float *p)\n"
    "{\n"
    "    const int k = $_decide(score), n = (int)(sizeof $_label / sizeof *$_label);\n"
    "    float sum = 0;\n"
    "    int c;\n"
    "    for (c = 0; c < n; c++) sum += p[c] = c == k ? 1 : expf($_logit(score, c, k));\n"
    "    for (c = 0; c < n; c++) p[c] /= sum;\n"
    "    return k;\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static int $_refuse(const $_sum *score, float least)\n"
    "{\n"
    "    const int k = $_decide(score), n = (int)(sizeof $_label / sizeof *$_label);\n"
    "    int c;\n"
    "    for (c = 0; c < n; c++)\n"
    "        if (c != k && !($_logit(score, c, k) <= -least)) return -1;\n"
    "    return k;\n"
    "}\n\n";

void export_sure(FILE *f, const model *m, const char *type, const char *name)
{
    fprintf(f, "typedef %s %s_sum;\n\n", type, name);
    put_code(
        f, name,
        "/* $_probabilities fills p, the probability of each label, and returns the label's number as $_predict\n"
        " * does. $_predict_or_refuse returns -1 where the odds of the label, against each of the others, are below\n"
        " * e^least. If a refusal costs C errors, least is ln((1 - C) / C): 2.944 for .05, 2.197 for .1, 1.386 for\n"
        " * .2. The logit is that of c, against k. */\n"
        "PERCEPTRON_UNUSED static float $_logit(const $_sum *score, int c, int k)\n{\n");
    put_code(f, name,
             labels_count(&m->labels) > 2 ? "    return $_a * (float)(score[c] - score[k]) + $_b;\n}\n\n"
                                          : "    return (float)(c - k) * ($_a * (float)*score + $_b);\n}\n\n");
    put_code(f, name, functions);
}
