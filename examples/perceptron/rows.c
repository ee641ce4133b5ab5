#include "rows.h"

enum { LINE = 16 }; /* values in a line of the caches */

void rows_init(rows *d)
{
    memset(d, 0, sizeof *d);
    arrput(d->start, 0);
}

void spread_row(const pcn_vec *x, float *to, uint32_t n)
{
    uint32_t i, count = x->count;
    while (count > 0 && (x->index ? x->index[count - 1] : count - 1) >= n) count--;
    if (count < n) memset(to, 0, n * sizeof *to);
    if (x->index && x->value && count < n)
        for (i = 0; i < count; i++) to[x->index[i]] = x->value[i];
    else if (x->value)
        memcpy(to, x->value, count * sizeof *to); /* all there */
    else
        for (i = 0; i < count; i++) to[x->index ? x->index[i] : i] = 1;
}

void rows_add(rows *d, const pcn_vec *x, uint32_t label, uint32_t spread)
{
    if (spread) {
        spread_row(x, arraddnptr(d->value, spread), spread);
    } else if (x->count) {
        memcpy(arraddnptr(d->value, x->count), x->value, x->count * sizeof *x->value);
        if (x->index) memcpy(arraddnptr(d->index, x->count), x->index, x->count * sizeof *x->index);
    }
    arrput(d->start, arrlenu(d->value));
    arrput(d->label, label);
    d->count++;
}

/* In place, the last row first: none begins behind where it will begin. */
void rows_spread(rows *d)
{
    const fullness all = {d->count, arrlenu(d->value)};
    size_t n = d->features, i;
    float *value;
    if (!are_full(&all, d->features)) return;
    value = allocate(n, sizeof *value);
    arrsetlen(d->value, n * d->count);
    for (i = d->count; i-- > 0;) {
        size_t from = d->start[i], count = d->start[i + 1] - from;
        pcn_vec x = pcn_sparse(d->index + from, value, (uint32_t)count);
        memcpy(value, d->value + from, count * sizeof *value);
        spread_row(&x, d->value + i * n, (uint32_t)n);
    }
    for (i = 1; i <= d->count; i++) d->start[i] = i * n;
    arrfree(d->index);
    free(value);
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
            if (value == value) sum[j] += (double)value;
            else missing[j]++;
        }
    }
    for (i = 0; i < d->features; i++)
        arrput(mean, missing[i] < d->count ? (float)(sum[i] / (d->count - missing[i])) : 0);
    free(sum);
    free(missing);
    return mean;
}

void rows_fill(rows *d, const float *mean)
{
    uint32_t i;
    size_t k;
    for (i = 0; i < d->count; i++)
        for (k = d->start[i]; k < d->start[i + 1]; k++)
            if (d->value[k] != d->value[k]) d->value[k] = mean[d->index ? d->index[k] : k - d->start[i]];
}

void rows_drop_ones(rows *d)
{
    size_t i = 0;
    while (i < arrlenu(d->value) && d->value[i] == 1) i++;
    if (d->index && i == arrlenu(d->value)) arrfree(d->value);
}

void rows_fetch_start(const rows *d, uint32_t i)
{
    __builtin_prefetch(&d->start[i]);
    __builtin_prefetch(&d->label[i]);
}

ALWAYS_INLINE void fetch_cell(const rows *d, size_t at)
{
    if (d->index) __builtin_prefetch(d->index + at);
    if (d->value) __builtin_prefetch(d->value + at);
}

void rows_fetch(const rows *d, uint32_t i)
{
    const size_t lines = d->index ? 32 : 8; /* there the processor goes on by itself, here learning */
    size_t at = d->start[i], end = d->start[i + 1], most = at + lines * LINE;
    if (end > most) end = most;
    if (at != end) fetch_cell(d, end - 1);
    for (; at < end; at += LINE) fetch_cell(d, at);
}

void rows_free(rows *d)
{
    arrfree(d->index);
    arrfree(d->value);
    arrfree(d->start);
    arrfree(d->label);
}
