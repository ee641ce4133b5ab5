/* Frozen weights of which only the largest stay: --keep. */
#include "model.h"

/* Sizes are compared by their bits, which rise as they do. */
static uint32_t size_of(float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits & 0x7fffffffu;
}

static size_t count_from(const float *w, size_t all, uint32_t size)
{
    size_t i, n = 0;
    for (i = 0; i < all; i++) n += size_of(w[i]) >= size;
    return n;
}

void model_keep_largest(const pcn_linear *l, size_t n)
{
    float *w = (float *)l->weight; /* the model's own */
    const size_t all = (size_t)l->features * l->classes;
    uint32_t low = 0, high = 0x7f800000; /* the least size of which there are n at most is one of these */
    size_t i, rest;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (count_from(w, all, middle) <= n)
            high = middle;
        else
            low = middle + 1;
    }
    rest = n - count_from(w, all, high); /* of those that come next, which are equal */
    for (i = 0; i < all; i++) {
        if (size_of(w[i]) >= high) continue;
        if (rest > 0 && size_of(w[i]) + 1 == high)
            rest--;
        else
            w[i] = 0;
    }
}

int model_has_weight(const pcn_linear *l, uint32_t j)
{
    uint32_t c;
    for (c = 0; c < l->classes; c++)
        if (l->weight[model_weight_at(l, c, j)] != 0) return 1;
    return 0;
}

void model_forget_words(model *m, pcn_linear *l)
{
    float *w = (float *)l->weight;
    const pcn_linear old = *l;
    uint32_t j, i, n = 0, *from;
    if (!m->names || !model_kept(m, "text")) return;
    from = allocate(old.features, sizeof *from);
    for (j = 0; j < old.features; j++) {
        if (!model_has_weight(&old, j) && (n > 0 || j + 1 < old.features)) { /* one stays at least */
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
    for (i = 0; i < n * l->classes; i++) /* in the order of their places: what is read has not been written */
        w[i] = w[l->by_feature ? model_weight_at(&old, i % l->classes, from[i / l->classes])
                               : model_weight_at(&old, i / n, from[i % n])];
    free(from);
}
