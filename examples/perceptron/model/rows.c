#include "rows.h"
#include "text/number.h"

enum {
    LINE = 16,     /* values in a line of the caches */
    AHEAD = 8,     /* rows */
    NEAR = 1 << 18 /* cells that the second cache holds: they need no hint */
};

void rows_init(rows *d)
{
    memset(d, 0, sizeof *d);
    arrput(d->start, 0);
}

void rows_add(rows *d, const pcn_vec *x, uint32_t label)
{
    if (x->count) {
        memcpy(arraddnptr(d->value, x->count), x->value, x->count * sizeof *x->value);
        if (x->index) memcpy(arraddnptr(d->index, x->count), x->index, x->count * sizeof *x->index);
    }
    arrput(d->start, arrlenu(d->value));
    arrput(d->label, label);
    d->count++;
}

float rows_at(const rows *d, uint32_t i, uint32_t j)
{
    const pcn_vec x = rows_vector(d, i);
    uint32_t k = 0, end = x.count;
    while (x.index && k < end) {
        const uint32_t middle = k + (end - k) / 2;
        if (x.index[middle] < j)
            k = middle + 1;
        else
            end = middle;
    }
    if (!x.index) k = j;
    if (k >= x.count || (x.index && x.index[k] != j)) return 0;
    return x.value ? x.value[k] : 1;
}

void rows_weigh(rows *d, float weight)
{
    if (weight == 1 && !d->weight) return;
    while (arrlenu(d->weight) < d->count) arrput(d->weight, 1);
    d->weight[d->count - 1] = weight;
}

void rows_copy(rows *to, const rows *from, uint32_t i)
{
    const pcn_vec x = rows_vector(from, i);
    rows_add(to, &x, from->label[i]);
    rows_weigh(to, from->weight ? from->weight[i] : 1);
}

/* In place, the last row first: none begins behind where it will begin. */
void rows_spread(rows *d)
{
    const size_t n = d->features;
    size_t i;
    arrsetlen(d->value, n * d->count);
    for (i = d->count; i-- > 0;) {
        const size_t from = d->start[i], count = d->start[i + 1] - from;
        spread_row(d->index + from, d->value + from, count, d->value + i * n, n);
        d->start[i + 1] = (i + 1) * n;
    }
    arrfree(d->index);
}

void rows_thin(rows *d, uint32_t numbers)
{
    const int dense = !d->index;
    size_t i, k, from = 0, kept = 0;
    if (dense) arrsetlen(d->index, arrlenu(d->value));
    for (i = 0; i < d->count; i++) {
        const size_t end = d->start[i + 1];
        for (k = from; k < end; k++) {
            const uint32_t j = dense ? (uint32_t)(k - from) : d->index[k];
            if (d->value[k] == 0 && j >= numbers) continue;
            d->index[kept] = j;
            d->value[kept++] = d->value[k];
        }
        from = end;
        d->start[i + 1] = kept;
    }
    arrsetlen(d->index, kept);
    arrsetlen(d->value, kept);
}

/* What a sparse row lacks is a 0, unlike a NaN. */
float *rows_means(const rows *d)
{
    double *sum = allocate_zero(d->features, sizeof *sum);
    uint32_t *missing = allocate_zero(d->features, sizeof *missing), i, k;
    float *mean = NULL;
    for (i = 0; i < d->count; i++) {
        const pcn_vec x = rows_vector(d, i);
        for (k = 0; k < x.count; k++) {
            const uint32_t j = x.index ? x.index[k] : k;
            const float value = x.value ? x.value[k] : 1;
            if (value == value)
                sum[j] += (double)value;
            else
                missing[j]++;
        }
    }
    for (i = 0; i < d->features; i++)
        arrput(mean, missing[i] < d->count ? (float)(sum[i] / (d->count - missing[i])) : 0);
    free(sum);
    free(missing);
    return mean;
}

/* A sparse row never gets a 0, since none is read with the means known. */
void rows_fill(rows *d, const float *mean)
{
    uint32_t i;
    size_t k;
    int zeros = 0;
    for (i = 0; i < d->count; i++)
        for (k = d->start[i]; k < d->start[i + 1]; k++) {
            if (d->value[k] == d->value[k]) continue;
            d->value[k] = mean[d->index ? d->index[k] : k - d->start[i]];
            zeros |= d->value[k] == 0;
        }
    if (zeros && d->index) rows_thin(d, 0);
}

size_t values_telling(const float *value, size_t n)
{
    return n > 1 && memcmp(value, value + 1, (n - 1) * sizeof *value) == 0 ? 1 : n;
}

void rows_drop_ones(rows *d)
{
    const size_t n = values_telling(d->value, arrlenu(d->value));
    if (d->index && (n == 0 || (n == 1 && d->value[0] == 1))) arrfree(d->value);
}

ALWAYS_INLINE void fetch_cell(const rows *d, size_t at)
{
    if (d->index) __builtin_prefetch(d->index + at);
    if (d->value) __builtin_prefetch(d->value + at);
}

/* A hint that row i will be wanted soon; where it stands has had one some rows before. */
static void fetch_row(const rows *d, uint32_t i)
{
    const size_t lines = d->index ? 32 : 8; /* there the processor goes on by itself, here learning */
    size_t at = d->start[i], end = d->start[i + 1], most = at + lines * LINE;
    if (end > most) end = most;
    if (at != end) fetch_cell(d, end - 1);
    for (; at < end; at += LINE) fetch_cell(d, at);
}

uint32_t rows_draw(const row_set *set, pcn_pass *p, uint32_t *row)
{
    uint32_t n = 0;
    while (n < ROWS_BLOCK && pcn_pass_next(p, &row[n])) {
        row[n] = set->first + row[n] * set->stride;
        __builtin_prefetch(&set->data->start[row[n]]);
        __builtin_prefetch(&set->data->label[row[n++]]);
        if (p->left == 0) break;
    }
    return n;
}

void rows_look_ahead(const rows *d, const pcn_linear *m, const uint32_t *row, uint32_t i, uint32_t n)
{
    if (i + AHEAD < n && d->start[d->count] > NEAR) fetch_row(d, row[i + AHEAD]);
    if (i + 1 < n && (m->by_feature || !d->index)) pcn_linear_fetch(m, rows_vector(d, row[i + 1]));
}

void rows_free(rows *d)
{
    arrfree(d->index);
    arrfree(d->value);
    arrfree(d->start);
    arrfree(d->label);
    arrfree(d->weight);
}
