#include "explain.h"
#include "cli/say.h"
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

/* w meets z, which was made of a value. What a column's mean takes off goes to the bias. A gap counts as the mean. Of what
 * is wild, and of rows of length 1, the weight holds for this row alone. */
static term term_of(const model *m, uint32_t j, double w, double value, double z, double *bias)
{
    term t = {j, value, w, w * z};
    const scaling c = model_column(m, j);
    if (j >= m->scaler.features) {
        if (value != 0) t.weight = w * (z / value);
        return t;
    }
    if (isnan(value)) t.value = c.mean;
    t.weight = w * (z != 0 && (fabs(z) >= 64 || model_has_unit_rows(m)) ? z / (value - c.mean) : (double)c.factor);
    t.product = t.value * t.weight;
    *bias -= c.mean * t.weight;
    return t;
}

/* A new stb_ds array: what is not 0, the greatest first. */
static term *terms_of(const model *m, const sides *s, const explained *e, double *bias)
{
    const pcn_linear *l = &m->predictor;
    term *all = NULL;
    uint32_t i;
    for (i = 0; i < e->x.count; i++) {
        const uint32_t j = e->x.index ? e->x.index[i] : i;
        term t;
        if (j >= l->features) break;
        t = term_of(m, j, between(s, l->weight, model_weight_at(l, s->winner, j), model_weight_at(l, s->other, j)),
                    (double)e->raw[i], (double)e->x.value[i], bias);
        if (t.product != 0) arrput(all, t);
    }
    if (all) qsort(all, arrlenu(all), sizeof *all, compare_terms);
    return all;
}

/* The value is less the offset: as written it would have a product that hides all others. */
static void put_term(say *to, table *t, const model *m, const char *feature, const term *of)
{
    const double offset = model_column(m, of->feature).offset;
    const char *unit = model_date(m, of->feature) == NO_DATE ? "" : DATE_UNIT;
    char less[40] = "", number[32];
    snprintf(number, sizeof number, "%.17g", offset);
    if (offset != 0) snprintf(less, sizeof less, " less %s", number);
    json_open(&to->j, NULL, '{');
    json_text(&to->j, "feature", feature);
    if (*unit) json_text(&to->j, "unit", unit);
    if (offset != 0) json_word(&to->j, "less", number);
    json_number(&to->j, "value", of->value);
    json_number(&to->j, "weight", of->weight);
    json_number(&to->j, "product", of->product);
    json_close(&to->j, '}');
    table_text(t, "%s%s%s%s", printable(feature, 2 * EXCERPT), *unit ? ", " : "", unit, less);
    table_text(t, "%g", of->value);
    table_text(t, "%g", of->weight);
    table_text(t, "%g", of->product);
}

static void put_sum(say *to, table *t, const char *name, const char *what, double sum)
{
    json_number(&to->j, name, sum);
    table_text(t, "%s", what);
    table_text(t, "%s", "");
    table_text(t, "%s", "");
    table_text(t, "%g", sum);
}

/* What is explained: of which row, and for what. The head of the table names that, too. */
static void put_head(say *to, table *t, const model *m, const explained *e, const sides *s)
{
    say_count(to, "row", "row ", e->number, ": ");
    say_text(to, "class", "", labels_text(&m->labels, e->class), "");
    if (e->label < labels_count(&m->labels)) {
        json_text(&to->j, "label", labels_text(&m->labels, e->label));
        if (e->label != e->class)
            say_line(to, " (its label: %s)", printable(labels_text(&m->labels, e->label), SIZE_MAX));
    }
    say_line(to, "\n");
    json_text(&to->j, "for", model_unit_label(m, s->winner));
    if (s->has_other) {
        json_text(&to->j, "against", model_unit_label(m, s->other));
        table_text(t, "for %s, not %s", printable(model_unit_label(m, s->winner), EXCERPT),
                   printable(model_unit_label(m, s->other), EXCERPT));
    } else {
        table_text(t, "for %s", printable(model_unit_label(m, 0), EXCERPT));
    }
    table_text(t, "value");
    table_text(t, "weight");
    table_text(t, "value x weight");
}

void explain_row(FILE *f, const model *m, const explained *e, uint32_t top, uint32_t first, int as_json)
{
    const sides s = sides_of(m, e);
    double bias = m->predictor.bias ? between(&s, m->predictor.bias, s.winner, s.other) : 0;
    term *all = terms_of(m, &s, e, &bias);
    const size_t shown = arrlenu(all) < top ? arrlenu(all) : top;
    say to = say_to(f, as_json);
    table t = {.columns = as_json ? TABLE_SILENT : 4, .texts = 1}, none = {.columns = TABLE_SILENT, .texts = 1};
    char more[40], room[FEATURE_ROOM];
    size_t i;
    put_head(&to, &t, m, e, &s);
    json_open(&to.j, "features", '[');
    for (i = 0; i < shown; i++) put_term(&to, &t, m, model_feature(m, all[i].feature, first, room), &all[i]);
    json_close(&to.j, ']');
    json_count(&to.j, "more", arrlenu(all) - shown);
    snprintf(more, sizeof more, "(%zu more)", arrlenu(all) - shown);
    put_sum(&to, arrlenu(all) > shown ? &t : &none, "more_sum", more, sum_of(all, shown));
    put_sum(&to, &t, "bias", "(bias)", bias);
    put_sum(&to, &t, "sum", "(sum)", between(&s, e->score, s.winner, s.other));
    if (to.text) table_print(&t, f);
    say_line(&to, "\n");
    say_end(&to);
    arrfree(all);
}
