#include "explain.h"
#include "cli/table.h"

#include <math.h>

typedef struct term {
    uint32_t feature;
    double value, weight, product;
} term;

/* What the score is of: of `winner`, or of the difference to `other`; no other: 0. */
typedef struct sides {
    uint32_t winner, other;
    int has_other;
} sides;

static sides sides_of(const model *m, const explained *e)
{
    sides s = {0, 0, 0};
    uint32_t k;
    if (model_units(m) == 1) return s;
    s.winner = e->class;
    for (k = 0; k < model_units(m); k++) {
        if (k == s.winner) continue;
        if (!s.has_other || e->score[k] > e->score[s.other]) s.other = k;
        s.has_other = 1;
    }
    return s;
}

static double between(const sides *s, const float *number, size_t winner, size_t other)
{
    return (double)number[winner] - (s->has_other ? (double)number[other] : 0);
}

static double bias_of(const model *m, const sides *s)
{
    return m->predictor.bias ? between(s, m->predictor.bias, s->winner, s->other) : 0;
}

/* Of the products from there on. */
static double sum_of(const term *all, size_t from)
{
    double sum = 0;
    for (; from < arrlenu(all); from++) sum += all[from].product;
    return sum;
}

static int compare_terms(const void *a, const void *b)
{
    const term *s = a, *t = b;
    const double one = fabs(s->product), two = fabs(t->product);
    if (one != two) return one < two ? 1 : -1;
    return (s->feature > t->feature) - (s->feature < t->feature);
}

/* A new stb_ds array: what is not 0, the greatest first. */
static term *terms_of(const pcn_linear *l, const sides *s, pcn_vec x)
{
    term *all = NULL;
    uint32_t i;
    for (i = 0; i < x.count; i++) {
        const uint32_t j = x.index ? x.index[i] : i;
        term t = {j, x.value ? (double)x.value[i] : 1, 0, 0};
        if (j >= l->features) break;
        t.weight = between(s, l->weight, model_weight_at(l, s->winner, j), model_weight_at(l, s->other, j));
        t.product = t.value * t.weight;
        if (t.product != 0) arrput(all, t);
    }
    if (all) qsort(all, arrlenu(all), sizeof *all, compare_terms);
    return all;
}

static void json_term(json *j, const model *m, const term *t, uint32_t first)
{
    char room[FEATURE_ROOM];
    json_open(j, NULL, '{');
    json_text(j, "feature", model_feature(m, t->feature, first, room));
    json_number(j, "value", t->value);
    json_number(j, "weight", t->weight);
    json_number(j, "product", t->product);
    json_close(j, '}');
}

static void json_row(FILE *f, const model *m, const explained *e, const sides *s, const term *all, size_t shown,
                     uint32_t first)
{
    json of = {f, 0}, *j = &of;
    size_t i;
    json_open(j, NULL, '{');
    json_count(j, "row", e->number);
    json_text(j, "class", labels_text(&m->labels, e->class));
    if (e->label < labels_count(&m->labels)) json_text(j, "label", labels_text(&m->labels, e->label));
    json_text(j, "for", model_unit_label(m, s->winner));
    if (s->has_other) json_text(j, "against", model_unit_label(m, s->other));
    json_open(j, "features", '[');
    for (i = 0; i < shown; i++) json_term(j, m, &all[i], first);
    json_close(j, ']');
    json_count(j, "more", arrlenu(all) - shown);
    json_number(j, "more_sum", sum_of(all, shown));
    json_number(j, "bias", bias_of(m, s));
    json_number(j, "sum", between(s, e->score, s->winner, s->other));
    json_close(j, '}');
    fputc('\n', f);
}

static void put_term(table *t, const model *m, const term *of, uint32_t first)
{
    char room[FEATURE_ROOM];
    table_text(t, "%s", printable(model_feature(m, of->feature, first, room), 2 * EXCERPT));
    table_text(t, "%g", of->value);
    table_text(t, "%g", of->weight);
    table_text(t, "%g", of->product);
}

static void put_sum(table *t, const char *what, double sum)
{
    table_text(t, "%s", what);
    table_text(t, "%s", "");
    table_text(t, "%s", "");
    table_text(t, "%g", sum);
}

static void text_row(FILE *f, const model *m, const explained *e, const sides *s, const term *all, size_t shown,
                     uint32_t first)
{
    table t = {NULL, 4, 1};
    char more[40];
    size_t i;
    fprintf(f, "row %llu: %s", (unsigned long long)e->number, printable(labels_text(&m->labels, e->class), SIZE_MAX));
    if (e->label < labels_count(&m->labels) && e->label != e->class)
        fprintf(f, " (its label: %s)", printable(labels_text(&m->labels, e->label), SIZE_MAX));
    fputc('\n', f);
    if (s->has_other)
        table_text(&t, "for %s, not %s", printable(model_unit_label(m, s->winner), EXCERPT),
                   printable(model_unit_label(m, s->other), EXCERPT));
    else
        table_text(&t, "for %s", printable(model_unit_label(m, 0), EXCERPT));
    table_text(&t, "value");
    table_text(&t, "weight");
    table_text(&t, "value x weight");
    for (i = 0; i < shown; i++) put_term(&t, m, &all[i], first);
    snprintf(more, sizeof more, "(%zu more)", arrlenu(all) - shown);
    if (arrlenu(all) > shown) put_sum(&t, more, sum_of(all, shown));
    put_sum(&t, "(bias)", bias_of(m, s));
    put_sum(&t, "(sum)", between(s, e->score, s->winner, s->other));
    table_print(&t, f);
    fputc('\n', f);
}

void explain_row(FILE *f, const model *m, const explained *e, uint32_t top, uint32_t first, int as_json)
{
    const sides s = sides_of(m, e);
    term *all = terms_of(&m->predictor, &s, e->x);
    const size_t shown = arrlenu(all) < top ? arrlenu(all) : top;
    (as_json ? json_row : text_row)(f, m, e, &s, all, shown, first);
    arrfree(all);
}
