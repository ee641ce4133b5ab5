/* What is done to a row before it is learned or predicted: words are weighted, columns scaled. */
#include "model.h"

#include <math.h>

/* ---- Words ---- */

/* Of rows of words alone every feature is one; those of buckets that no row had are unknown, as words are. */
static int is_known_word(const model *m, uint32_t feature)
{
    return feature < arrlenu(m->document_frequency) && m->document_frequency[feature] != NOT_A_WORD &&
           m->document_frequency[feature] > 0;
}

static int is_other(const model *m, uint32_t feature)
{
    return feature < arrlenu(m->document_frequency) && m->document_frequency[feature] == NOT_A_WORD;
}

/* tfidf: (1 + ln count) (ln ((1 + N) / (1 + df)) + 1), where N rows have been counted and df of them have the word (Salton
 * and Buckley 1988, smoothed). */
static double weight_of_word(const model *m, uint32_t feature, double count)
{
    if (count <= 0) return 0;
    if (m->words == WORDS_LOG) return log1p(count);
    return ((count == 1 ? 0 : log(count)) + 1) *
           (log((1 + (double)m->documents) / (1 + m->document_frequency[feature])) + 1);
}

/* What a count of 1 weighs. */
float model_idf(const model *m, uint32_t j)
{
    return is_other(m, j) ? -1 : is_known_word(m, j) ? (float)weight_of_word(m, j, 1) : 0;
}

/* All words of a row get length 1 together. A product of two floats is exact in double, so that no compiler's way to add
 * them changes a bit. */
static void weigh_words(const model *m, const pcn_vec *x, float *value)
{
    double length = 0;
    uint32_t i;
    for (i = 0; i < x->count; i++) {
        const uint32_t j = x->index ? x->index[i] : i;
        if (is_other(m, j)) continue;
        value[i] = is_known_word(m, j) ? (float)weight_of_word(m, j, (double)value[i]) : 0;
        length += (double)value[i] * (double)value[i];
    }
    length = sqrt(length);
    for (i = 0; length > 0 && i < x->count; i++)
        if (!is_other(m, x->index ? x->index[i] : i)) value[i] = (float)((double)value[i] / length);
}

void model_add_feature(model *m, int is_word)
{
    arrput(m->document_frequency, is_word ? 0 : NOT_A_WORD);
}

void model_count_words(model *m, const pcn_vec *x)
{
    uint32_t i;
    if (m->documents == NOT_A_WORD - 1) return; /* all that can be counted */
    m->documents++;
    for (i = 0; i < x->count; i++) {
        const uint32_t j = x->index ? x->index[i] : i;
        if (j < arrlenu(m->document_frequency) && m->document_frequency[j] != NOT_A_WORD) m->document_frequency[j]++;
    }
}

/* ---- Numbers ---- */

void model_scaler_init(model *m, uint32_t features)
{
    const size_t bytes = PCN_SCALER_FLOATS(features) * sizeof *m->scaler.moment;
    free(m->scaler.moment);
    must(pcn_scaler_init(&m->scaler, features, allocate(bytes ? bytes : 1, 1), bytes));
}

scaling model_column(const model *m, uint32_t j)
{
    const uint32_t n = m->scaler.features;
    scaling c = {0, 0, 1};
    if (j < arrlenu(m->offset)) c.offset = m->offset[j];
    if (j < arrlenu(m->scale)) c.factor = m->scale[j];
    if (j < n) {
        const double variance = (double)m->scaler.moment[2 * n + j];
        c.mean = (double)m->scaler.moment[j] + (double)m->scaler.moment[n + j];
        /* constant: as perceptron.h says */
        c.factor = variance > 0x1p-126 ? (float)(1 / sqrt(variance)) : 0;
    }
    return c;
}

pcn_linear model_unscaled(const model *m, const pcn_linear *l, const float *taken)
{
    const uint32_t n = l->features;
    float *weight = allocate(model_numbers(l), sizeof *weight), *bias = weight + (size_t)n * l->scores;
    const int folded = m->scaler.features || m->scale || (m->is_bare && m->info.parts & PCN_PART_FOLDED);
    const pcn_linear plain = {weight, bias, n, l->scores, 0, l->zero_negative, folded != 0};
    double *sum = allocate_zero(l->scores, sizeof *sum);
    uint32_t c, j;
    for (j = 0; j < n; j++) {
        const scaling by = model_column(m, j);
        for (c = 0; c < l->scores; c++) {
            float *w = weight + (size_t)c * n + j;
            *w = (float)((double)l->weight[model_weight_at(l, c, j)] * (double)by.factor);
            sum[c] += (double)*w * (by.mean - (taken ? (double)taken[j] : 0));
        }
    }
    for (c = 0; c < l->scores; c++) bias[c] = (float)((l->bias ? (double)l->bias[c] : 0) - sum[c]);
    free(sum);
    return plain;
}

static void scale_by_largest(const model *m, const pcn_vec *x, float *value)
{
    uint32_t i;
    for (i = 0; i < x->count; i++) {
        const uint32_t j = x->index ? x->index[i] : i;
        if (j < arrlenu(m->scale)) value[i] *= m->scale[j];
    }
}

static void make_unit_length(const pcn_vec *x, float *value)
{
    const float norm = sqrtf(pcn_norm2_at(x));
    uint32_t i;
    for (i = 0; norm > 0 && i < x->count; i++) value[i] /= norm;
}

/* ---- Rows ---- */

void model_normalize(const model *m, const pcn_vec *x, float *value)
{
    uint32_t i;
    if (model_weighs_words(m)) weigh_words(m, x, value);
    for (i = 0; m->words == WORDS_BINARY && arrlenu(m->document_frequency) && i < x->count; i++)
        if (!is_other(m, x->index ? x->index[i] : i)) value[i] = 1; /* of rows that were read for other models, too */
    if (m->normalize == NORMALIZE_MAXABS) scale_by_largest(m, x, value);
    if (model_standardizes(m)) pcn_scaler_scale(&m->scaler, value, value);
    if (model_has_unit_rows(m)) make_unit_length(x, value);
}

pcn_vec model_row(const model *m, reader *in)
{
    const pcn_vec x = reader_vector(in);
    const uint32_t numbers = m->scaler.features; /* a row has all of them, or its index at that place is greater */
    if (numbers && (x.count < numbers || (x.index && x.index[numbers - 1] != numbers - 1)))
        reader_fail(in, "the model scales %lu columns, which such rows lack: give it rows of a table",
                    (unsigned long)numbers);
    model_normalize(m, &x, in->value);
    return x;
}

int model_normalize_next(model *m, const pcn_vec *x, float *value)
{
    int result = PCN_OK;
    model_note(m, value, x->count);
    if (model_standardizes(m)) result = pcn_scaler_note(&m->scaler, value);
    if (result < 0) return result;
    if (model_weighs_words(m)) model_count_words(m, x);
    model_normalize(m, x, value);
    return PCN_OK;
}

void model_normalize_rows(const model *m, rows *d)
{
    uint32_t i;
    for (i = 0; (model_prepares(m) || m->document_frequency) && i < d->count; i++) {
        const pcn_vec x = rows_vector(d, i);
        model_normalize(m, &x, d->value + d->start[i]);
    }
}

void model_note(model *m, const float *value, size_t n)
{
    float largest = m->largest_value;
    size_t i;
    if (model_has_unit_rows(m) || !model_can(m, CAN_BE_WEIGHTS)) return; /* nobody asks */
    n = values_telling(value, n);
    for (i = 0; i < n; i++) {
        if (fabsf(value[i]) > largest) largest = fabsf(value[i]);
        if (m->has_fractions == 0 && value[i] != floorf(value[i]) && !isnan(value[i])) m->has_fractions = 1;
    }
    m->largest_value = largest;
}
