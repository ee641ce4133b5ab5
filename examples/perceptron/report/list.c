#include "list.h"

/* Moves class c by a step of the stored vector; the biases are at the end. */
static void add_step(float *w, const pcn_kmodel *d, const pcn_log_entry *e)
{
    const pcn_vec z = vector_stored(d, e->slot);
    pcn_add(w + (size_t)e->cls * d->features, d->features, e->step, z);
    w[(size_t)d->features * d->classes + e->cls] += e->step * d->bias2;
}

/* A state begins with all steps of an update, at their clock, and ends with the next one. */
void list_states(listing *s, const model *m)
{
    const pcn_kmodel *d = &m->dual.model;
    const pcn_linear shape = {NULL, NULL, d->features, d->classes, 0, 0};
    const int has_weights = m->kernel == KERNEL_LINEAR && (s->j || d->features <= LISTING_FEW);
    float *w = has_weights ? allocate_zero(PCN_LINEAR_FLOATS(d->features, d->classes), sizeof *w) : NULL;
    float *step = allocate(d->classes, sizeof *step);
    uint32_t i = 0, number = 0;
    if (s->j) json_open(s->j, "list", '[');
    while (i < d->entries) {
        const pcn_log_entry *e = &d->log[i];
        const uint32_t begun = e->clock, id = d->slot[e->slot].id;
        memset(step, 0, d->classes * sizeof *step);
        for (; i < d->entries && d->log[i].clock == begun; i++) {
            step[d->log[i].cls] = d->log[i].step;
            if (w) add_step(w, d, &d->log[i]);
        }
        if (s->j) json_open(s->j, NULL, '{');
        listing_count(s, "state", ++number);
        listing_count(s, "survived", (i < d->entries ? d->log[i].clock : d->clock + 1) - begun);
        if (id != PCN_NO_ID) listing_count(s, "row", (uint64_t)id + 1);
        list_classes(s, m, "step", step);
        if (w) list_weights(s, m, &shape, "w", w, NULL);
        listing_end_line(s);
    }
    if (s->j) json_close(s->j, ']');
    free(w);
    free(step);
}
