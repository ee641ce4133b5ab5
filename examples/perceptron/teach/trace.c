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
    float *best;         /* w*, in the order of the weights; NULL: not asked for */
    size_t given;        /* columns that nobody can compute */
    uint32_t epoch, row, class;
    int fired, waits; /* waits: its line is still to be made, when its batch has ended */
} now;

/* ---- A line ---- */

static void put_values(const model *m)
{
    char room[FEATURE_ROOM];
    uint32_t j, n = model_features(m);
    listing_open(&now.lines, "x", n > LISTING_FEW);
    for (j = 0; j < n; j++) {
        const char *name = model_feature(m, j, model_first(m), room);
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
    for (c = 0; c < d->scores; c++) {
        listing_open(&now.lines, model_unit_label(m, c), 1);
        for (s = 0; s < d->slots; s++) {
            snprintf(name, sizeof name, "%lu", (unsigned long)d->slot[s].id + 1);
            if (d->slots <= LISTING_FEW || d->slot[s].id + 1 == now.row)
                listing_number(&now.lines, name, (double)d->coef[(size_t)s * d->scores + c], "", "", "");
        }
        listing_close(&now.lines, d->scores > 1 ? "coefficients " : "coefficients", list_class_name(m, c));
    }
    json_close(&now.to.j, '}');
}

/* Degrees between w and w*. A bias is divided by its input, as the padded rows would have it; w* is not sure beyond two
 * decimals. */
static double angle(const model *m)
{
    const pcn_linear *l = &m->trainer.live;
    const size_t n = model_numbers(l), biases = n - l->scores;
    double product = 0, w2 = 0, best2 = 0;
    size_t j;
    for (j = 0; j < n; j++) {
        const double scale = j >= biases && m->bias > 0 ? 1 / ((double)m->bias * (double)m->bias) : 1;
        const double w = (double)l->weight[j], best = (double)now.best[j];
        product += w * best * scale;
        w2 += w * w * scale;
        best2 += best * best * scale;
    }
    if (w2 == 0) return (double)NAN;
    return round(acos(fmax(-1, fmin(1, product / sqrt(w2 * best2)))) * 18000 / acos(-1)) / 100;
}

static void put_more(const model *m)
{
    if (now.t->s->sums) {
        list_weights(&now.lines, m, &m->trainer.live, "u", m->arrays.sum, now.value);
        listing_count(&now.lines, "c", m->trainer.learner.clock + 1);
    }
    if (now.best) listing_number(&now.lines, "angle", angle(m), "", "angle", "");
}

static void end_line(void)
{
    listing_end_line(&now.lines);
    if (!now.to.text)
        fputc('\n', now.file);
    else if (!now.t->s->blank && !now.t->s->as && arrlenu(now.lines.lines.cell) > LINES * now.lines.lines.columns)
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
    now.given = arrlenu(s->names.cell);
    list_classes(s, m, "score", now.score);
    if (now.t->s->ys)
        listing_number(s, "ys", (double)pcn_margin(now.score, model_units(m), (int)now.class), "", "y.s", "");
    listing_text(s, "output", labels_text(&m->labels, model_class(m, now.score)), 0);
    listing_text(s, "fires", !s->to->text ? now.fired ? "true" : "false" : now.fired ? "yes" : "no", 1);
    list_classes(s, m, model_can(m, CAN_ALPHA) ? "factor" : "step", now.step);
    if (model_vectors(m))
        put_coefficients(m, model_vectors(m));
    else
        list_weights(s, m, l, "w", l->weight, now.value);
    if (model_can(m, CAN_R)) list_weights(s, m, l, "variance", m->arrays.state, now.value);
    put_more(m);
    end_line();
}

/* ---- In the place of the learner ---- */

/* Learns; the step of each class goes to now.step. */
static int learn_noting(model *m, const pcn_vec *x, uint32_t class, float weight, uint32_t id)
{
    const int result = m->kind->family->learn(m, x, class, weight, id);
    const uint32_t units = model_units(m);
    uint32_t c;
    arrsetlen(now.step, units);
    for (c = 0; c < units; c++) {
        now.step[c] = result == 1 ? pcn_changes(model_learner(m))[c] : 0;
        if (model_can(m, CAN_ALPHA)) now.step[c] = exp2f(now.step[c]); /* of a weight */
    }
    return result;
}

static int trace_row(model *m, const pcn_vec *x, uint32_t class, float weight, uint32_t id)
{
    const uint32_t units = model_units(m);
    uint32_t i;
    int result;
    put_row(m);
    arrsetlen(now.value, model_features(m));
    memset(now.value, 0, model_features(m) * sizeof *now.value);
    for (i = 0; i < x->count; i++) now.value[x->index ? x->index[i] : i] = x->value ? x->value[i] : 1;
    result = learn_noting(m, x, class, weight, id);
    if (result < 0) {
        listing_print(&now.lines, now.file);
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
    now.lines.first = model_first(t->m);
    now.lines.lines.form = t->s->as;
    t->learn = trace_row;
    if (!t->s->angle) return;
    now.best = measure_best(t);
    now.to = say_to(f, t->s->json);
    list_weights(&now.lines, t->m, &t->m->trainer.live, "w*", now.best, NULL);
    end_line();
    listing_print(&now.lines, f);
    if (now.to.text) fputc('\n', f);
}

void trace_end(void)
{
    table key = {.columns = 3, .texts = 2, .form = now.t->s->as};
    if (now.waits) put_row(now.t->m);
    if (now.t->s->blank) blank_cells(&now.lines.lines, now.given, now.t->s, &key);
    listing_print(&now.lines, now.file);
    if (now.t->s->key) {
        fputc('\n', now.file);
        table_print(&key, now.file);
    }
    table_free(&key);
    free(now.best);
    arrfree(now.value);
    arrfree(now.score);
    arrfree(now.step);
}
