#include "advice.h"
#include "reading.h"
#include "processes.h"

#include <float.h>
#include <math.h>

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

void prepare_rows(model *m, const settings *s, rows *data, rows *held_out)
{
    if (reader_leaves_gaps(&s->reader)) {
        m->fill = rows_means(data);
        rows_fill(data, m->fill);
    }
    model_note(m, data->value, arrlenu(data->value));
    processes_largest(&m->largest_value, 1);
    processes_largest(&m->has_fractions, 1);
    if (!s->quiet && !s->resume) advise_on_values(m, data); /* the shape of a model that goes on is settled */
    if (m->normalize == NORMALIZE_MAXABS) find_scale(m, data);
    model_normalize_rows(m, data);
    if (s->validate > 0) hold_out(s, data, held_out);
}
