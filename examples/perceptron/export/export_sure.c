/* The part of an exported header that says how sure a prediction is. */
#include "export.h"

/* Of integer scores, what they stand for is in a. For perceptron.h the same numbers are a pcn_calibration. */
void export_calibration(FILE *f, const model *m, const quantized *q, const char *name)
{
    const pcn_calibration *of = &m->calibration;
    const double a = (double)of->a * (q ? (double)q->one : 1);
    const int fits = export_fits(m, q);
    put_code(f, name,
             "/* From scores to probabilities; with perceptron.h $_calibration is for pcn_probabilities, which takes\n"
             " * scores as floats.");
    if (fits) put_code(f, name, " It is what goes on learning: those of perceptron predict come from $_probable.");
    if (m->fit && !fits)
        put_code(f, name, " perceptron predict takes a fit, which C has not: its probabilities differ a little.");
    put_code(f, name, " */\n");
    if (!fits)
        fprintf(f, "PERCEPTRON_UNUSED static const float %s_a = %.8ef, %s_b = %.8ef, %s_bend = %.8ef;\n", name, a, name,
                (double)of->b, name, model_bend(m));
    put_code(f, name,
             "#ifdef PERCEPTRON_VERSION /* perceptron.h stands before */\n"
             "PERCEPTRON_UNUSED static const pcn_calibration $_calibration = ");
    fprintf(f, "{%.8ef, %.8ef, %.8ef, 0, 0, 0, 0, 1};\n#endif\n\n", a, (double)of->b, (double)of->c);
}

static const char behind_two[] = "    return (float)(c - k) * ($_a * (float)*score + $_b);\n}\n\n";
static const char behind_several[] = "    return $_a * (float)(score[c] - score[k]);\n}\n\n";

static const char bounded[] =
    "PERCEPTRON_UNUSED static float $_odds(float u)\n"
    "{\n"
    "    return expf(u / sqrtf(1 + $_bend / 32 * u * u));\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static float $_gap(float cost)\n"
    "{\n"
    "    const float odds = cost / (1 - cost) - $_far, z = odds > 0 ? -logf(odds) : HUGE_VALF;\n"
    "    const float left = 1 - $_bend / 32 * z * z;\n"
    "    if (odds > 0 && left > 0) return z / sqrtf(left);\n"
    "    return z > 0 ? HUGE_VALF : -HUGE_VALF;\n"
    "}\n\n";

static const char flat[] =
    "PERCEPTRON_UNUSED static float $_odds(float u)\n"
    "{\n"
    "    const float e = expf(u);\n"
    "    return (1 + $_bend) * e / (1 + $_bend * e);\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static float $_gap(float cost)\n"
    "{\n"
    "    const float e = (1 + $_bend) * (1 - cost) / cost - $_bend;\n"
    "    return e > 0 ? logf(e) : -HUGE_VALF;\n"
    "}\n\n";

static const char functions[] =
    "PERCEPTRON_UNUSED static int $_probable(const $_sum *score, float *p)\n"
    "{\n"
    "    const int k = $_decide(score), n = (int)(sizeof $_label / sizeof *$_label);\n"
    "    float sum = 0;\n"
    "    int c;\n"
    "    for (c = 0; c < n; c++) sum += p[c] = c == k ? 1 : $_odds($_behind(score, c, k));\n"
    "    for (c = 0; c < n; c++) p[c] /= sum;\n"
    "    return k;\n"
    "}\n\n"
    "PERCEPTRON_UNUSED static int $_refuse(const $_sum *score, float gap)\n"
    "{\n"
    "    const int k = $_decide(score), n = (int)(sizeof $_label / sizeof *$_label);\n"
    "    int c;\n"
    "    for (c = 0; c < n; c++)\n"
    "        if (c != k && !($_behind(score, c, k) <= -gap)) return -1;\n"
    "    return k;\n"
    "}\n\n";

void export_sure(FILE *f, const model *m, const char *type, const char *name)
{
    const int several = labels_count(&m->labels) > 2;
    fprintf(f, "typedef %s %s_sum;\n\n", type, name);
    put_code(f, name,
             "/* $_probabilities fills p, the probability of each label, and returns the label's number as $_predict\n"
             " * does. $_predict_or_refuse returns -1 where the label is not ahead of all others by gap. If a refusal\n"
             " * costs as much as C errors, gap is $_gap(C), to be computed once: infinity refuses everything, since\n"
             " * no label is so probable.");
    if (several) put_code(f, name, " With several close rivals $_probabilities would refuse more.");
    put_code(f, name,
             "\n * $_behind is minus how far c is behind k; $_odds are its odds against k. */\n"
             "PERCEPTRON_UNUSED static float $_behind(const $_sum *score, int c, int k)\n{\n");
    put_code(f, name, several ? behind_several : behind_two);
    if (several && m->calibration.b > 0) {
        put_code(f, name, flat);
    } else {
        put_code(f, name, "/* the odds of all but the best two, at least */\n");
        fprintf(f, "PERCEPTRON_UNUSED static const float %s_far = %.8ef;\n\n", name,
                (labels_count(&m->labels) - 2) * model_least_odds(m));
        put_code(f, name, bounded);
    }
    put_code(f, name, functions);
}
