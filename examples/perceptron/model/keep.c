/* Frozen weights of which only the largest stay: --keep. */
#include "model.h"

#include <math.h>

static int compare_descending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

void model_keep_largest(const pcn_linear *l, size_t n)
{
    float *w = (float *)l->weight; /* the model's own */
    const size_t all = (size_t)l->features * l->scores;
    float *size = allocate(all, sizeof *size);
    size_t i, sizes = 0, rest = n; /* of those of the least size that stays */
    for (i = 0; i < all; i++)
        if (w[i] != 0) size[sizes++] = fabsf(w[i]);
    qsort(size, sizes, sizeof *size, compare_descending);
    for (i = 0; n < sizes && i < n; i++) rest -= size[i] > size[n - 1];
    for (i = 0; n < sizes && i < all; i++)
        if (fabsf(w[i]) < size[n - 1] || (fabsf(w[i]) == size[n - 1] && rest == 0))
            w[i] = 0;
        else
            rest -= fabsf(w[i]) == size[n - 1];
    free(size);
}

void model_forget_words(model *m, pcn_linear *l)
{
    float *w = (float *)l->weight;
    const pcn_linear old = *l;
    uint32_t j, i, c, n = 0, *from;
    if (!m->names || !model_kept(m, "text") || model_weighs_words(m)) return; /* these count in the length of a row */
    from = allocate(old.features, sizeof *from);
    for (j = 0; j < old.features; j++) {
        for (c = 0; c < old.scores && w[model_weight_at(&old, c, j)] == 0;) c++;
        if (c == old.scores && (n > 0 || j + 1 < old.features)) { /* one stays at least */
            free(m->names[j]);
            continue;
        }
        m->names[n] = m->names[j];
        if (m->scale) m->scale[n] = m->scale[j];
        from[n++] = j;
    }
    arrsetlen(m->names, n);
    if (m->scale) arrsetlen(m->scale, n);
    l->features = n;
    for (i = 0; i < n * l->scores; i++) { /* in the order of their places: what is read has not been written */
        c = l->by_feature ? i % l->scores : i / n;
        w[i] = w[model_weight_at(&old, c, from[l->by_feature ? i / l->scores : i % n])];
    }
    free(from);
}
