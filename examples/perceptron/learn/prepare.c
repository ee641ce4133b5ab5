#include "advice.h"
#include "reading.h"
#include "processes.h"

#include <float.h>
#include <math.h>

/* ---- How rows are prepared ---- */

void settle_by_format(reading *r, const reader *in)
{
    model *m = r->m;
    const int text = in->format->is_text, raw = settings_keep_values(r->s);
    if (m->words == WORDS_AUTO) m->words = raw || !(text || r->s->reader.text_columns) ? WORDS_BINARY : WORDS_TFIDF;
    if (model_standardizes(m) && text)
        die(EXIT_USAGE, "--normalize standard scales columns of numbers, and texts have none: leave it out");
    if (model_standardizes(m) && process_count() > 1)
        die(EXIT_USAGE, "--normalize standard needs all rows in one process; maxabs does not");
    if (m->normalize == NORMALIZE_AUTO && (in->format->is_table || text))
        m->normalize = text || model_can(m, CAN_ALPHA) || m->binarize ? NORMALIZE_NONE
                       : process_count() > 1                          ? NORMALIZE_MAXABS
                       : !raw                                         ? NORMALIZE_STANDARD
                       : r->streams                                   ? NORMALIZE_NONE
                                                                      : NORMALIZE_MAXABS;
}

/* Of pairs of a feature and a value: are they a table? Rows give half of all values at least; what is absent is 0 there. */
void settle_by_rows(reading *r, const reader *in)
{
    uint64_t given = in->known;
    int table;
    if (r->m->normalize != NORMALIZE_AUTO) return;
    if (r->streams) given = 0;
    processes_sum(&given, 1);
    table = !settings_keep_values(r->s) && r->s->reader.rows != ROWS_SPARSE &&
            (double)given >= 0.5 * (double)r->rows * (double)r->data.features;
    r->m->normalize = !table ? NORMALIZE_NONE : process_count() > 1 ? NORMALIZE_MAXABS : NORMALIZE_STANDARD;
}

void note_words(model *m, const reader *in, uint32_t features)
{
    while (model_weighs_words(m) && arrlenu(m->document_frequency) < features)
        model_add_feature(m, reader_is_word(in, (uint32_t)arrlenu(m->document_frequency)));
}

void begin_preparation(reading *r, const reader *in)
{
    model *m = r->m;
    const int table = model_standardizes(m);
    if (in->format->is_table) note_words(m, in, r->data.features); /* whose names the model takes next */
    if (!table || r->s->resume) return;
    m->scaler.features = in->format->is_table ? in->numbers : r->data.features;
    if (!in->format->is_table && r->streams && !r->s->features)
        die(EXIT_USAGE, "--normalize standard of libsvm text that is not kept: --features says how many there are");
    if (r->streams) model_scaler_init(m, m->scaler.features);
}

/* ---- --normalize maxabs, and rows held back ---- */

/* Of features that have none: those of a model that goes on stay. */
static void find_scale(model *m, const rows *d)
{
    const uint32_t known = (uint32_t)arrlenu(m->scale);
    uint32_t i, k, j;
    if (known == d->features) return;
    arrsetlen(m->scale, d->features);
    for (j = known; j < d->features; j++) m->scale[j] = 0;
    for (i = 0; i < d->count; i++) {
        pcn_vec x = rows_vector(d, i);
        for (k = 0; k < x.count; k++) {
            j = x.index ? x.index[k] : k;
            if (j >= known && fabsf(x.value[k]) > m->scale[j]) m->scale[j] = fabsf(x.value[k]);
        }
    }
    processes_largest(m->scale + known, d->features - known);
    for (j = known; j < d->features; j++) /* features of nothing but zeros, or tiny ones, stay */
        m->scale[j] = m->scale[j] > FLT_MIN ? 1 / m->scale[j] : 1;
}

/* Moves a random part of the rows to held_out; what stays keeps its order. */
static void hold_out(const settings *s, rows *data, rows *held_out)
{
    rows all = *data;
    pcn_pass draw;
    uint8_t *held = allocate_zero(all.count, 1);
    uint32_t want = (uint32_t)(s->validate * (float)all.count), row, i;
    if (want == 0 || want >= all.count)
        die(EXIT_USAGE, "--validate %g of %lu rows leaves one side empty: hold back another part", (double)s->validate,
            (unsigned long)all.count);
    pcn_pass_init(&draw, all.count, 1, s->seed);
    while (want-- && pcn_pass_next(&draw, &row)) held[row] = 1;
    rows_init(data);
    rows_init(held_out);
    for (i = 0; i < all.count; i++) rows_copy(held[i] ? held_out : data, &all, i);
    data->features = all.features;
    free(held);
    rows_free(&all);
}

/* ---- --normalize standard ---- */

enum { CUT = 5, CUTS = 30 }; /* deviations from the mean; times at most */

typedef struct spread_values { /* of a column: of those that are no gaps */
    float *value;
    uint32_t count;
    double mean, variance;
} spread_values;

/* Mean and variance, of values within low .. high; others count as that. Here and below a factor is a float: such
 * products are exact in double, so that no compiler's way to add them changes a bit. */
static void measure(spread_values *v, double low, double high)
{
    double sum = 0, squares = 0;
    uint32_t i;
    for (i = 0; i < v->count; i++) sum += fmin(fmax((double)v->value[i], low), high);
    v->mean = sum / v->count;
    for (i = 0; i < v->count; i++) {
        const float d = (float)(fmin(fmax((double)v->value[i], low), high) - v->mean);
        squares += (double)d * (double)d;
    }
    v->variance = squares / v->count;
}

/* Is the 10th percentile the 90th, too? It is then what a vote finds (Boyer and Moore 1981). Those that are other than
 * most tell all that such a column tells, and are not cut. */
static int is_mostly_one(const spread_values *v)
{
    uint32_t i, votes = 0, below = 0, above = 0;
    float most = 0;
    for (i = 0; i < v->count; i++) {
        if (votes == 0) most = v->value[i];
        votes += v->value[i] == most ? 1 : UINT32_MAX;
    }
    for (i = 0; i < v->count; i++) {
        below += v->value[i] < most;
        above += v->value[i] > most;
    }
    return below < v->count / 10.0 && above < v->count / 10.0;
}

/* A wild value would take the digits of all others. So those beyond m +- 5 s count as these bounds, until s stays. */
static void measure_robustly(spread_values *v)
{
    double before, reach;
    int k;
    if (is_mostly_one(v)) return;
    for (k = 0; k < CUTS; k++) {
        before = sqrt(v->variance);
        reach = CUT * (double)(float)before;
        measure(v, v->mean - reach, v->mean + reach);
        if (fabs(sqrt(v->variance) - before) < before / 100) break;
    }
}

/* Splits x into a number and its lower part, as perceptron.h has them: the number is the float nearest to both. Rounding
 * can make the lower part just half a unit in the last place of the number; then the nearest may be the next float. */
static void set_pair(float *c, size_t n, double x)
{
    const float high = (float)x, low = (float)(x - (double)high);
    const double both = (double)high + (double)low; /* exact */
    c[0] = (float)both;
    c[n] = (float)(both - (double)c[0]);
}

static void set_moments(pcn_scaler *s, uint32_t j, const spread_values *v)
{
    const size_t n = s->features;
    float *c = s->moment + j;
    set_pair(c, n, v->mean);
    set_pair(c + 2 * n, n, v->variance);
    c[4 * n] = (float)(v->count < 1u << 24 ? v->count : 1u << 24);
}

/* Mean and variance of all columns at once, and what is farthest from the mean. */
static void measure_columns(const rows *d, uint32_t n, spread_values *column, double *farthest)
{
    uint32_t i, j;
    for (i = 0; i < d->count; i++) {
        const float *x = d->value + d->start[i];
        for (j = 0; j < n; j++)
            if (!isnan(x[j])) column[j].mean += (double)x[j], column[j].count++;
    }
    for (j = 0; j < n; j++)
        if (column[j].count) column[j].mean /= column[j].count;
    for (i = 0; i < d->count; i++) {
        const float *x = d->value + d->start[i];
        for (j = 0; j < n; j++) {
            const double far = isnan(x[j]) ? 0 : (double)(float)fabs((double)x[j] - column[j].mean);
            column[j].variance += far * far;
            if (far > farthest[j]) farthest[j] = far;
        }
    }
    for (j = 0; j < n; j++)
        if (column[j].count) column[j].variance /= column[j].count;
}

static void find_standard(model *m, const rows *d)
{
    const uint32_t numbers = m->scaler.features;
    spread_values *column = allocate_zero(numbers ? numbers : 1, sizeof *column);
    double *farthest = allocate_zero(numbers ? numbers : 1, sizeof *farthest);
    float *value = allocate(d->count ? d->count : 1, sizeof *value);
    uint32_t i, j;
    char room[FEATURE_ROOM];
    model_scaler_init(m, numbers);
    measure_columns(d, numbers, column, farthest);
    for (j = 0; j < numbers; j++) {
        spread_values *v = &column[j];
        if (farthest[j] >= 0x1p53)
            die(EXIT_INPUT, "feature %s has values beyond 2^53, which --normalize standard does not take: scale it",
                printable(model_feature(m, j, model_first(m), room), EXCERPT));
        if (v->variance > 0 && farthest[j] > CUT * sqrt(v->variance)) {
            v->value = value;
            for (i = v->count = 0; i < d->count; i++) {
                const float x = d->value[d->start[i] + j];
                if (!isnan(x)) value[v->count++] = x;
            }
            measure_robustly(v);
        }
        set_moments(&m->scaler, j, v);
    }
    free(value);
    free(farthest);
    free(column);
}

/* ---- --words tfidf ---- */

/* Of a model that goes on, N and the frequencies of known words stay, so that the same rows are prepared alike; a new
 * word was in none of those N rows. */
static void find_frequencies(model *m, const rows *d)
{
    const uint32_t before = m->documents, n = d->features;
    uint32_t i, j, *known = allocate(n, sizeof *known);
    uint64_t *all = allocate((size_t)n + 1, sizeof *all);
    for (j = 0; j < n; j++) known[j] = m->document_frequency[j];
    for (i = 0; i < d->count; i++) {
        const pcn_vec x = rows_vector(d, i);
        model_count_words(m, &x);
    }
    all[n] = m->documents - before;
    for (j = 0; j < n; j++) all[j] = m->document_frequency[j];
    processes_sum(all, (size_t)n + 1);
    m->documents = before ? before : (uint32_t)all[n];
    for (j = 0; j < n; j++)
        if (known[j]) /* or no word */
            m->document_frequency[j] = known[j];
        else
            m->document_frequency[j] = all[j] < m->documents ? (uint32_t)all[j] : m->documents;
    free(known);
    free(all);
}

void prepare_rows(model *m, const settings *s, rows *data, rows *held_out)
{
    const int standard = model_standardizes(m), gaps = reader_leaves_gaps(&s->reader) && !standard;
    if (!s->quiet && !s->resume) advise_on_values(m, data); /* the shape of a model that goes on is settled */
    if (s->validate > 0) hold_out(s, data, held_out);
    if (gaps) {
        m->fill = rows_means(data);
        rows_fill(data, m->fill);
        rows_fill(held_out, m->fill);
    }
    model_note(m, data->value, arrlenu(data->value));
    processes_largest(&m->largest_value, 1);
    processes_largest(&m->has_fractions, 1);
    if (model_weighs_words(m)) find_frequencies(m, data);
    if (m->normalize == NORMALIZE_MAXABS) find_scale(m, data);
    if (standard && !m->scaler.moment) find_standard(m, data);
    model_normalize_rows(m, data);
    model_normalize_rows(m, held_out);
}
