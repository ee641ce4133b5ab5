#include "lessons.h"
#include "model/weight_table.h"

#include <math.h>

enum { LINES = 1000 }; /* of a table */

static struct {
    training *t;
    FILE *file;
    say to; /* of a line */
    listing lines;
    /* the row learned last; stb_ds arrays */
    float *value;        /* of each feature */
    float *score, *step; /* of each class */
    uint32_t epoch, row, class;
    int fired, waits; /* waits: its line is still to be made, when its batch has ended */
    void (*take)(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p); /* the trainer's */
} now;

/* ---- A line ---- */

static void put_values(const model *m)
{
    char room[FEATURE_ROOM];
    uint32_t j, n = model_features(m);
    listing_open(&now.lines, "x", n > LISTING_FEW);
    for (j = 0; j < n; j++) {
        const char *name = model_feature(m, j, 1, room);
        if (n <= LISTING_FEW || now.value[j] != 0) listing_number(&now.lines, name, (double)now.value[j], "", name, "");
    }
    listing_close(&now.lines, "x", "");
}

/* Of the stored vectors, by the numbers of their rows; of many, of this row's alone. */
static void put_coefficients(const model *m, const pcn_kmodel *d)
{
    char name[16];
    uint32_t c, s;
    json_open(&now.to.j, "coefficients", '{');
    for (c = 0; c < d->classes; c++) {
        listing_open(&now.lines, model_unit_label(m, c), 1);
        for (s = 0; s < d->slots; s++) {
            snprintf(name, sizeof name, "%lu", (unsigned long)d->slot[s].id + 1);
            if (d->slots <= LISTING_FEW || d->slot[s].id + 1 == now.row)
                listing_number(&now.lines, name, (double)d->coef[(size_t)s * d->classes + c], "", "", "");
        }
        listing_close(&now.lines, d->classes > 1 ? "coefficients " : "coefficients", list_class_name(m, c));
    }
    json_close(&now.to.j, '}');
}

static void end_line(void)
{
    listing_end_line(&now.lines);
    if (!now.to.text)
        fputc('\n', now.file);
    else if (arrlenu(now.lines.lines.cell) > LINES * now.lines.lines.columns)
        listing_print(&now.lines, now.file);
}

static void put_row(const model *m)
{
    const pcn_linear *l = &m->trainer.live;
    listing *s = &now.lines;
    if (!now.waits) return;
    now.waits = 0;
    /* lists begin at the left, numbers end at the right */
    s->lines.texts = model_features(m) > LISTING_FEW ? SIZE_MAX : 0;
    now.to = say_to(now.file, now.t->s->json);
    listing_count(s, "epoch", now.epoch);
    listing_count(s, "row", now.row);
    listing_text(s, "label", labels_text(&m->labels, now.class), 0);
    put_values(m);
    list_classes(s, m, "score", now.score);
    listing_text(s, "output", labels_text(&m->labels, model_class(m, now.score)), 0);
    listing_text(s, "fires", !s->to->text ? now.fired ? "true" : "false" : now.fired ? "yes" : "no", 1);
    list_classes(s, m, model_can(m, CAN_ALPHA) ? "factor" : "step", now.step);
    if (model_vectors(m))
        put_coefficients(m, model_vectors(m));
    else
        list_weights(s, m, l, "w", l->weight, now.value);
    if (model_can(m, CAN_R)) list_weights(s, m, l, "variance", m->arrays.state, now.value);
    end_line();
}

/* ---- In the place of the learner ---- */

static void note_step(pcn_perceptron *m, uint32_t class, float step, const pcn_update *p)
{
    now.step[class] = step;
    now.take(m, class, step, p);
}

/* Learns; the step of each class goes to now.step. A kernel trainer has them behind its scores. */
static int learn_noting(model *m, pcn_vec x, uint32_t class, float weight, uint32_t id)
{
    const uint32_t units = model_units(m);
    uint32_t c;
    int result;
    arrsetlen(now.step, units);
    memset(now.step, 0, units * sizeof *now.step);
    if (model_vectors(m)) {
        result = m->kind->family->learn(m, x, class, weight, id);
        if (result == 1) memcpy(now.step, m->dual.learner.score + units, units * sizeof *now.step);
        return result;
    }
    now.take = m->trainer.own.take;
    m->trainer.own.take = note_step;
    result = m->kind->family->learn(m, x, class, weight, id);
    m->trainer.own.take = now.take;
    for (c = 0; c < units && model_can(m, CAN_ALPHA); c++) now.step[c] = exp2f(now.step[c]); /* of a weight */
    return result;
}

static int trace_row(model *m, pcn_vec x, uint32_t class, float weight, uint32_t id)
{
    const uint32_t units = model_units(m);
    uint32_t i;
    int result;
    put_row(m);
    arrsetlen(now.value, model_features(m));
    memset(now.value, 0, model_features(m) * sizeof *now.value);
    for (i = 0; i < x.count; i++) now.value[x.index ? x.index[i] : i] = x.value ? x.value[i] : 1;
    result = learn_noting(m, x, class, weight, id);
    if (result < 0) {
        trace_end();
        return result;
    }
    arrsetlen(now.score, units);
    memcpy(now.score, model_learner(m)->score, units * sizeof *now.score);
    now.epoch = now.t->pass.epoch;
    now.row = id + 1;
    now.class = class;
    now.fired = result == 1;
    now.waits = 1;
    if (!now.t->s->batch) put_row(m);
    return result;
}

void trace_begin(training *t, FILE *f)
{
    now.t = t;
    now.file = f;
    now.lines.to = &now.to;
    now.lines.first = 1;
    t->learn = trace_row;
}

void trace_end(void)
{
    if (now.waits) put_row(now.t->m);
    listing_print(&now.lines, now.file);
    arrfree(now.value);
    arrfree(now.score);
    arrfree(now.step);
}
