#include "export.h"
#include "report/report.h"

#include <float.h>
#include <math.h>

/* ---- Rows ---- */

static int is_wrong(const quantized *q, uint32_t row, uint32_t class)
{
    return q->test.label[row] != NO_LABEL && q->test.label[row] != class;
}

/* A shift of a deviation, or of the greatest value, to 2^9 or 2^14: 8 bits of weight then tell as much of each column. */
void quantized_columns(quantized *q, const model *m)
{
    uint32_t j;
    q->centred = m->normalize == NORMALIZE_STANDARD;
    q->columns = q->centred ? m->scaler.features : (uint32_t)arrlenu(m->scale);
    q->unit = ldexpf(1, q->centred ? -9 : -14);
    q->mean = allocate_zero(model_features(m), sizeof *q->mean);
    q->shift = allocate_zero(model_features(m), 1);
    for (j = 0; j < q->columns; j++) {
        const scaling by = model_column(m, j);
        const double shift = by.factor > 0 ? round(log2((double)by.factor)) : INT8_MIN;
        q->mean[j] = (float)by.mean;
        q->shift[j] = (int8_t)fmax(fmin(shift + (q->centred ? 9 : 14), INT8_MAX), INT8_MIN);
    }
}

void quantized_fold(const quantized *q, model *m)
{
    float *weight = (float *)m->predictor.weight;
    uint32_t c, j;
    for (c = 0; c < m->predictor.scores; c++)
        for (j = 0; j < q->columns; j++) {
            float *w = weight + (size_t)c * m->predictor.features + j;
            *w = ldexpf(*w, -q->shift[j]) / q->unit;
        }
}

static void add_row(quantized *q, const model *m, reader *in, float *score)
{
    pcn_vec x = reader_vector(in);
    const uint32_t label = model_row_label(m, in), row = q->test.count;
    uint32_t class, i;
    if (x.count > UINT16_MAX) reader_fail(in, "more than 65535 values are too many for the sums of integers");
    rows_add(&q->test, &x, label);
    x = model_row(m, in);
    for (i = 0; i < x.count; i++) {
        const uint32_t j = x.index ? x.index[i] : i;
        float *value = q->test.value + q->test.start[row] + i;
        *value = j >= q->columns ? x.value[i] : isnan(*value) ? 0 : ldexpf(*value - q->mean[j], q->shift[j]) * q->unit;
    }
    model_scores(m, &x, 1, score);
    class = model_class(m, score);
    arrput(q->class, class);
    q->labelled += label != NO_LABEL;
    q->errors_float += (uint64_t)is_wrong(q, row, class);
}

const row_format *quantized_read(quantized *q, model *m, const char *name, const reader_options *reading)
{
    float *score = allocate(labels_count(&m->labels), sizeof *score);
    reader_options o = *reading;
    reader in;
    model_expects(m, &o);
    o.read_for = READ_FOR_EXPORT;
    model_use(m, NULL);
    rows_init(&q->test);
    reader_open(&in, name, &o);
    while (reader_next(&in)) add_row(q, m, &in, score);
    if (q->test.count == 0) die(EXIT_INPUT, "%s: no examples", in.lines.name);
    reader_say_empty(&in);
    reader_close(&in);
    free(score);
    return in.format;
}

/* ---- Units ---- */

/* The least power of two of which 32,767 reach `most`, and no denormal number. */
static float power_for(float most)
{
    int exponent;
    double least = fmax((double)most / INT16_MAX, (double)FLT_MIN);
    return ldexpf(1, frexp(least, &exponent) > 0.5 ? exponent : exponent - 1);
}

static float unit_of_rows(const quantized *q, const model *m)
{
    float most = 0, f;
    int whole = 1;
    uint32_t i, k;
    for (i = 0; i < q->test.count; i++) {
        pcn_vec x = rows_vector(&q->test, i);
        for (k = 0; k < x.count; k++) {
            if ((x.index ? x.index[k] : k) >= model_features(m)) break;
            f = x.value[k];
            whole = whole && f == floorf(f) && f >= INT16_MIN && f <= INT16_MAX;
            most = fmaxf(most, fabsf(f));
        }
    }
    return whole ? 1 : power_for(most);
}

/* Are the values that the model has learned from the same in units, but for a factor? */
static int is_exact(const model *m, float unit)
{
    return unit == 1 && m->largest_value > 0 && m->has_fractions == 0 && m->largest_value <= INT16_MAX &&
           !model_prepares(m);
}

/* Are values brought to about 1 at most before they are divided? */
static int is_prepared(const quantized *q, const model *m)
{
    return q->columns || m->normalize == NORMALIZE_L2 || (model_weighs_words(m) && export_takes_text(m));
}

static float default_unit(const quantized *q, const model *m)
{
    if (q->columns) return q->unit;
    if (is_prepared(q, m)) return power_for(1);
    if (q->test.count) return unit_of_rows(q, m);
    if (m->largest_value == 0)
        die(EXIT_INPUT,
            "%s does not say how large the values were that it was trained on: --test DATA finds a unit "
            "for them, --unit gives one%s",
            m->file, m->is_bare ? "" : ", and train --resume on values other than 0 makes a model that says it");
    return is_exact(m, 1) ? 1 : power_for(m->largest_value);
}

/* What a device makes of a row, sparse: its features in units. */
static void to_integers(quantized *q, pcn_vec x, uint32_t **index, int16_t **value)
{
    uint32_t i, j;
    arrsetlen(*index, 0);
    arrsetlen(*value, 0);
    for (i = 0; i < x.count; i++) {
        float f = roundf(x.value[i] / q->unit), g = fminf(fmaxf(f, INT16_MIN), INT16_MAX);
        j = x.index ? x.index[i] : i;
        if (j >= q->model.features) break;
        q->saturated += f != g;
        arrput(*index, j);
        arrput(*value, (int16_t)g);
    }
}

/* ---- The model ---- */

static void test(quantized *q)
{
    uint32_t *index = NULL, i, class;
    int16_t *value = NULL;
    for (i = 0; i < q->test.count; i++) {
        to_integers(q, rows_vector(&q->test, i), &index, &value);
        class = (uint32_t)pcn_ilinear_predict(&q->model, pcn_isparse(index, value, (uint32_t)arrlenu(value)));
        q->changed += class != q->class[i];
        q->errors += (uint64_t)is_wrong(q, i, class);
    }
    arrfree(index);
    arrfree(value);
}

/* ---- What may get lost ---- */

/* What 1 in a weight of class k stands for. */
static double step_of(const quantized *q, uint32_t k)
{
    return (double)q->one / (double)q->unit * (q->model.scores == 1 ? 1 : q->model.scale[k]);
}

/* The greatest size of a feature's values in training; 1 where that is not known, or they have unit length. */
static double most_of(const quantized *q, const model *m)
{
    return is_prepared(q, m) || m->largest_value == 0 ? 1 : (double)m->largest_value;
}

/* What a value of a feature can lose as a whole number of units. */
static double cut_of(const quantized *q, const model *m, double most)
{
    const double unit = (double)q->unit;
    if (is_exact(m, q->unit) || (m->largest_value == 0 && !is_prepared(q, m))) return 0;
    return fmax(fmin(most, unit / 2), most - INT16_MAX * unit);
}

/* How much of what tells two classes apart may get lost: of the sum, over all features, of the difference of their
 * weights times the greatest value, the part that rounding can take from weights and values. other: l->scores if there
 * is one row of weights, and 0 is the other score. */
static double lost_between(const quantized *q, const model *m, uint32_t class, uint32_t other)
{
    const pcn_linear *l = &m->predictor;
    const int8_t *narrow = q->model.weight;
    const int16_t *wide = q->model.weight;
    const double most = most_of(q, m);
    double all = 0, lost = 0;
    uint32_t j, k;
    for (j = 0; j < l->features; j++) {
        double weight = 0, kept = 0;
        for (k = class; k < l->scores && k <= other; k += other - class) {
            const size_t at = (size_t)k * l->features + j;
            const double sign = k == class ? 1 : -1;
            weight += sign * (double)l->weight[at];
            kept += sign * step_of(q, k) * (q->model.bits == 8 ? narrow[at] : wide[at]);
        }
        all += fabs(weight) * most;
        lost += fabs(weight - kept) * most + fabs(kept) * cut_of(q, m, most);
    }
    return all > 0 ? lost / all : 0;
}

/* A quarter or more of it: nobody knows what the model is worth then, before it was tested. */
static void check_loss(const quantized *q, const model *m, int unit_given)
{
    const uint32_t scores = m->predictor.scores;
    const char *instead = unit_given                       ? "leave --unit out"
                          : m->normalize == NORMALIZE_NONE ? "train with --normalize"
                                                           : "export floats";
    uint32_t c, k;
    for (c = 0; c < scores; c++)
        for (k = c + 1; k < scores + (scores == 1); k++) {
            const double lost = lost_between(q, m, c, k);
            if (lost < 0.25) continue;
            die(EXIT_INPUT,
                "in %u bits and units of %g up to %.0f %% of what tells label %s from %s may get lost: "
                "%s%s; with --test DATA that is counted instead",
                q->model.bits, (double)q->unit, 100 * fmin(lost, 1), printable(labels_text(&m->labels, c), EXCERPT),
                printable(labels_text(&m->labels, k), EXCERPT), q->model.bits == 8 ? "take --bits 16, or " : "",
                instead);
        }
    if (!unit_given && m->largest_value > 0 && !is_exact(m, q->unit) && !is_prepared(q, m))
        fprintf(stderr,
                "1 stands for %.9g, so that values of up to %g fit, as in training; smaller ones than %.3g "
                "become 0. --test DATA counts what that costs.\n",
                (double)q->unit, (double)m->largest_value, (double)q->unit / 2);
}

void quantized_make(quantized *q, const model *m, uint32_t bits, float unit)
{
    const pcn_linear *l = &m->predictor;
    const size_t bytes = PCN_ILINEAR_NUMBERS(l->features, l->scores, bits) * sizeof *q->memory;
    q->unit = unit > 0 ? unit : default_unit(q, m);
    q->memory = allocate(bytes, 1);
    if (pcn_ilinear_quantize(&q->model, l, bits, q->unit, &q->one, q->memory, bytes) < 0)
        die(EXIT_INPUT, "the weights are too small, or in units of %g the biases too large, to be quantised",
            (double)q->unit);
    if (q->test.count)
        test(q);
    else
        check_loss(q, m, unit > 0);
}

void quantized_check(const quantized *q, const char *file, int unit_given)
{
    const double all = (double)q->labelled, more = (double)q->errors - (double)q->errors_float;
    if (more * 100 <= all) return;
    die(EXIT_INPUT,
        "%s: %u bits lose %.3g points: of %.0f rows %.0f are wrong, in floats %.0f. %s; --force exports it all the same",
        file, q->model.bits, 100 * more / all, all, (double)q->errors, (double)q->errors_float,
        unit_given           ? "Leave --unit out"
        : q->columns         ? "Take --bits 16, or look for values that are far from all others"
        : q->model.bits == 8 ? "Take --bits 16, or train with --normalize standard or maxabs"
                             : "Train with --normalize standard or maxabs");
}

/* Of weights, biases and scales, and of the tables of columns. */
static size_t quantized_bytes(const quantized *q, enum form form)
{
    const size_t scores = q->model.scores, weights = q->model.features * scores * (q->model.bits / 8),
                 arrays = weights + scores * (sizeof *q->model.bias + sizeof *q->model.scale);
    return (form == FORM_ARRAYS ? arrays : pcn_ilinear_save_part(&q->model, 0, NULL, 0)) +
           q->columns * (sizeof *q->shift + (q->centred ? sizeof *q->mean : 0));
}

void quantized_free(quantized *q)
{
    rows_free(&q->test);
    arrfree(q->class);
    free(q->memory);
    free(q->mean);
    free(q->shift);
}

/* ---- What it costs ---- */

static void say_accuracy(say *to, const char *what, const char *name, uint64_t errors, uint64_t labelled)
{
    json_known(&to->j, name, errors, labelled > 0);
    if (!labelled || !to->text) return;
    print_share(to->text, what, labelled - errors, labelled);
    say_line(to, "\n");
}

void quantized_say(const quantized *q, FILE *f, int as_json, enum form form)
{
    say to = say_to(f, as_json);
    json_count(&to.j, "bits", q->model.bits);
    json_number(&to.j, "unit", (double)q->unit);
    json_count(&to.j, "rows", q->test.count);
    say_accuracy(&to, "Floats: Accuracy", "errors_float", q->errors_float, q->labelled);
    say_accuracy(&to, q->model.bits == 8 ? "8 bits: Accuracy" : "16 bits: Accuracy", "errors_quantized", q->errors,
                 q->labelled);
    say_count(&to, "changed", "", q->changed, " of ");
    say_line(&to, "%lu predictions differ; ", (unsigned long)q->test.count);
    say_count(&to, "saturated", "", q->saturated, " values saturated in units of ");
    say_line(&to, "%.9g; ", (double)q->unit);
    say_count(&to, "bytes", "", quantized_bytes(q, form), " bytes\n");
    say_end(&to);
}
