#include "lessons.h"
#include "margin.h"

#include <float.h>
#include <math.h>

typedef struct measures {
    float *cycle;               /* earlier weights, for pcn_pass_cycle */
    double largest_step;        /* of a weight, in an update; 0: a cycle would prove nothing */
    uint32_t inseparable_after; /* epochs; 0: not proved */
    pcn_measure rows;
    double distance; /* of the row that is least on its side from the plane; NaN: there is none */
    float weights_norm2, bound;
    margin best;     /* of all weights; its shares stay */
    uint32_t scores; /* of a row */
    uint64_t updates;
} measures;
static measures measured; /* of this run */

/* ---- A proof that no weights separate the rows ---- */

/* Between two equal states the steps add up to 0. Weights that separate the rows would have a product above 0 with
 * each of these steps, hence with their sum: there are none. The sum must be exact: integers below 2^24 are. */
enum { EXACT = 1 << 24 };

static int is_integer(float f)
{
    return f == truncf(f) && fabsf(f) < (float)EXACT;
}

/* The largest size of a number in a step of size 1; 0: not all of them are integers. */
static double largest_value(const training *t)
{
    double largest = 1;
    size_t i;
    for (i = 0; i < arrlenu(t->data->value); i++) {
        if (!is_integer(t->data->value[i])) return 0;
        largest = fmax(largest, fabs((double)t->data->value[i]));
    }
    return fmax(largest, (double)t->m->bias * (double)t->m->bias);
}

/* The largest number by which a weight may change in an update; 0: steps are not all integers. */
static double largest_step(const training *t)
{
    double weight = 1;
    uint32_t k, classes = labels_count(&t->m->labels);
    if (t->data->weight) return 0; /* not looked at */
    for (k = 0; k < classes; k++) {
        if (!is_integer(t->s->rate * t->label_weight[k])) return 0;
        weight = fmax(weight, (double)(t->s->rate * t->label_weight[k]));
    }
    return is_integer(t->m->bias) ? weight * largest_value(t) : 0;
}

/* From zero weights, in a fixed order, one row at a time. */
static int can_prove(const training *t)
{
    return t->order != PCN_ORDER_EACH && t->s->shards < 2 && settings_rule_is_fixed(t->s) && !t->s->batch &&
           !t->s->resume && (t->m->trainer.live.scores == 1 || t->s->update == UPDATE_PREDICTED);
}

void measure_cycle(training *t, uint32_t epochs)
{
    measures *q = &measured;
    const pcn_perceptron *p = &t->m->trainer;
    const size_t n = model_numbers(&p->live);
    if (!q->cycle) {
        q->cycle = allocate(n, sizeof *q->cycle);
        q->largest_step = can_prove(t) ? largest_step(t) : 0;
    }
    if (q->inseparable_after || q->largest_step <= 0 ||
        q->largest_step * (double)p->learner.count.updates >= (double)EXACT)
        return;
    if (pcn_pass_cycle(&t->pass, p->live.weight, q->cycle, n)) q->inseparable_after = epochs;
}

/* ---- Measures ---- */

/* What comes with the bias in the score: a threshold alone counts as the weight of an input of 1. */
static float bias_input(const model *m)
{
    uint32_t k;
    if (m->bias > 0) return m->bias;
    for (k = 0; m->predictor.bias && k < m->predictor.scores; k++)
        if (m->predictor.bias[k] != 0) return 1;
    return 0;
}

typedef struct measuring {
    measures *q;
    const training *t;
    float input;
    pcn_linear own;  /* the weights */
    double *between; /* of labels a and b: |w_a - w_b|; 0: not known yet */
} measuring;

/* |w| of the plane between two labels, the bias not among them. */
static double plane_length(const measuring *c, uint32_t a, uint32_t b)
{
    const pcn_linear *l = &c->own;
    double *length = &c->between[(size_t)a * l->scores + b], norm2 = 0;
    uint32_t j;
    for (j = 0; *length == 0 && j < l->features; j++) {
        const double w = (double)l->weight[model_weight_at(l, a, j)];
        const double d = l->scores == 1 ? w : w - (double)l->weight[model_weight_at(l, b, j)];
        norm2 += d * d;
    }
    if (*length == 0) *length = sqrt(norm2);
    return *length;
}

static void measure_distance(const measuring *c, uint32_t label, const float *score)
{
    const uint32_t scores = c->own.scores;
    uint32_t k;
    for (k = 0; k < scores; k++) {
        const double length = plane_length(c, scores == 1 ? 0 : label, k);
        const double y_s = scores == 1 ? (double)(label ? score[0] : -score[0]) : (double)(score[label] - score[k]);
        if ((scores == 1 || k != label) && length > 0) c->q->distance = fmin(c->q->distance, y_s / length);
    }
}

static int measure_row(void *context, uint32_t row, const float *score)
{
    const measuring *c = context;
    const model *m = c->t->m;
    const uint32_t label = c->t->data->label[row];
    pcn_measure_add(&c->q->rows, score, m->predictor.scores, (int)label, (int)model_class(m, score),
                    pcn_norm2(rows_vector(c->t->data, row)) + c->input * c->input);
    measure_distance(c, label, score);
    return 1;
}

/* |W|^2 of all classes together, the biases among the components of W. */
static void measure_weights(measuring *c)
{
    const pcn_linear *use = &c->t->m->predictor;
    const size_t n = model_numbers(use), weights = n - use->scores;
    float *w = allocate(n, sizeof *w);
    size_t i;
    must(pcn_linear_copy(use, &c->own, w, n * sizeof *w));
    for (i = weights; i < n && c->input > 0; i++) w[i] /= c->input;
    c->q->weights_norm2 = pcn_norm2(pcn_dense(w, (uint32_t)n));
    c->between = allocate_zero((size_t)use->scores * use->scores, sizeof *c->between);
    c->q->distance = (double)NAN;
}

static pcn_vec margin_of_row(const void *data, uint32_t i)
{
    return rows_vector(data, i);
}

/* Some looks at all rows, and a second or two at most; the same on any machine. */
static double margin_effort(const margin *b, const rows *d)
{
    return fmin(7e8, 3e7 + 2e4 * b->classes * (double)(d->start[d->count] + d->count));
}

/* b->point stays, for the caller to free. */
static void measure_margin(margin *b, const training *t, uint32_t features, float input)
{
    const uint32_t classes = labels_count(&t->m->labels);
    size_t n;
    *b = (margin){.row = margin_of_row,
                  .rows = t->data,
                  .label = t->data->label,
                  .count = t->data->count,
                  .features = features,
                  .classes = classes < 2 ? 2 : classes,
                  .input = input};
    b->effort = margin_effort(b, t->data);
    n = (size_t)b->classes * (b->features + (size_t)1);
    b->share = allocate_zero((size_t)b->count * b->classes, sizeof *b->share);
    b->point = allocate_zero(n, sizeof *b->point);
    b->change = allocate_zero(n, sizeof *b->change);
    b->active = allocate(b->count, sizeof *b->active);
    margin_find(b);
    free(b->change);
    free(b->active);
}

float *measure_best(const training *t)
{
    const pcn_linear *l = &t->m->trainer.live;
    const size_t n = model_numbers(l), biases = n - l->scores;
    const double input = (double)t->m->bias;
    float *best = allocate(n, sizeof *best);
    double norm2 = 0;
    margin b;
    uint32_t c, j;
    measure_margin(&b, t, l->features, t->m->bias);
    if (b.low <= 0) die(EXIT_INPUT, "--angle: no plane is known that divides these rows, so there is no w*");
    for (c = 0; c < l->scores; c++) {
        const double *of = b.point + (size_t)(l->scores == 1 ? 1 : c) * (l->features + 1);
        for (j = 0; j <= l->features; j++) {
            best[j < l->features ? model_weight_at(l, c, j) : biases + c] = (float)of[j];
            norm2 += of[j] * of[j];
        }
    }
    for (j = 0; j < n; j++) /* six decimals: no -1e-9 for 0 */
        best[j] = (float)(round((double)best[j] / sqrt(norm2) * (j < biases ? 1 : input) * 1e6) / 1e6);
    free(b.share);
    free(b.point);
    return best;
}

/* Is Novikoff's bound one on the updates of this training? NaN: no; infinity: these weights do not separate. */
static float updates_bound(const measures *q, const training *t)
{
    const pcn_rule *rule = &model_learner(t->m)->rule;
    int binary = t->m->predictor.scores == 1;
    uint32_t k;
    if (!settings_rule_is_fixed(t->s) || rule->margin != 0 || t->s->batch || t->s->resume || t->data->weight)
        return NAN;
    if (!binary && t->s->update != UPDATE_PREDICTED && t->s->update != UPDATE_UNIFORM) return NAN;
    for (k = 1; k < labels_count(&t->m->labels); k++)
        if (t->label_weight[k] != t->label_weight[0]) return NAN;
    return (binary ? 1 : 2) * pcn_measure_bound(&q->rows, q->weights_norm2);
}

static double padded_margin(const measures *q)
{
    return (double)q->rows.margin / sqrt((double)q->weights_norm2);
}

void measure_model(training *t)
{
    measures *q = &measured;
    model *m = t->m;
    measuring c = {.q = q, .t = t};
    model_use(m, training_kept(t));
    c.input = bias_input(m);
    measure_weights(&c);
    model_score_rows(m, t->data, measure_row, &c);
    free(c.between);
    free((void *)c.own.weight);
    measure_margin(&q->best, t, m->predictor.features, c.input);
    free(q->best.point);
    if (q->weights_norm2 > 0) q->best.low = fmax(q->best.low, fmin(padded_margin(q), q->best.high));
    q->bound = updates_bound(q, t);
    q->scores = m->predictor.scores;
    q->updates = m->trainer.learner.count.updates;
}

/* ---- What is said of them ---- */

static void say_name(const say *to, const char *name)
{
    const int room = 32, length = (int)strlen(name);
    say_line(to, "%s%s%*s", name, length ? ":" : "", room - length - (length > 0), "");
}

static void put_number(say *to, const char *member, const char *name, double number)
{
    json_number(&to->j, member, number);
    say_name(to, name);
    say_line(to, "%g\n", number + 0.0); /* no -0 */
}

static double loss(const pcn_measure *m)
{
    return ((double)m->loss + (double)m->loss_low) / (double)m->rows;
}

/* From the best margin, of which the lower bound is sure; infinity: there may be none. */
static double best_bound(const measures *q)
{
    const double ratio = sqrt((double)q->rows.radius2) / q->best.low;
    return q->best.low > 0 ? (q->scores == 1 ? 1 : 2) * ratio * ratio : (double)INFINITY;
}

static void put_bound(const measures *q, say *to)
{
    say_name(to, "Novikoff's bound");
    json_number(&to->j, "bound", (double)q->bound);
    if (isnan(q->bound))
        say_line(to, "not for this training: --rule fixed from zero weights, one step for all rows, without a margin");
    else if (isinf(q->bound))
        say_line(to, "none from these weights, which do not separate the rows");
    else
        say_line(to, "%g updates", (double)q->bound);
    json_number(&to->j, "best_bound", isnan(q->bound) ? (double)NAN : best_bound(q));
    if (!isnan(q->bound) && isfinite(best_bound(q))) say_line(to, "; from the best margin %.4g", best_bound(q));
    say_count(to, "updates", "; made: ", q->updates, "\n");
}

static int is_separable(const measures *q)
{
    return q->rows.margin > 0 || q->best.low > 0;
}

static int is_inseparable(const measures *q)
{
    return !is_separable(q) && (q->inseparable_after || margin_none(&q->best));
}

/* The sum that no margin can pass: which rows, against which rival, with which coefficient. */
static void put_combination(const measures *q, const training *t, json *j)
{
    const margin *b = &q->best;
    size_t place;
    json_open(j, "combination", '[');
    for (place = 0; place < (size_t)b->count * b->classes; place++) {
        if (b->share[place] <= 0) continue;
        json_open(j, NULL, '{');
        json_count(j, "row", place / b->classes + 1);
        json_text(j, "label", labels_text(&t->m->labels, b->label[place / b->classes]));
        if (q->scores > 1) json_text(j, "rival", labels_text(&t->m->labels, (uint32_t)(place % b->classes)));
        json_number(j, "coefficient", b->share[place]);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_separable(const measures *q, const training *t, say *to)
{
    say_name(to, "separable");
    json_word(&to->j, "separable", is_separable(q) ? "true" : is_inseparable(q) ? "false" : "null");
    json_number(&to->j, "inseparable_after", q->inseparable_after ? (double)q->inseparable_after : (double)NAN);
    if (is_separable(q))
        say_line(to, "yes, by %s\n", q->rows.margin > 0 ? "these weights" : "others than these weights");
    else if (!is_inseparable(q))
        say_line(to, "not known: the search for the best margin ended at its limit of effort\n");
    else if (q->inseparable_after)
        say_line(to, "no: proved inseparable after epoch %lu\n", (unsigned long)q->inseparable_after);
    if (!is_inseparable(q) || !margin_none(&q->best)) return;
    if (q->inseparable_after)
        say_name(to, "");
    else
        say_line(to, "no: ");
    say_line(to, "no plane separates these rows by more than %.4g\n", margin_digits(q->best.high, 1));
    if (!to->text) put_combination(q, t, &to->j);
}

void measures_say(const training *t, say *to)
{
    const measures *q = &measured;
    const pcn_measure *m = &q->rows;
    json *j = &to->j;
    json_open(j, "measure", '{');
    say_count(to, "rows", "Of the weights that predict, on the ", m->rows, " rows learned from; y s is ");
    say_line(to, q->scores == 1 ? "the score, negated for the negative label\n"
                                : "the right label's score minus that of its best rival\n");
    say_name(to, "0/1 risk");
    json_count(j, "errors", m->errors);
    say_number(to, "risk", "", (double)m->errors / (double)m->rows, "");
    say_line(to, " (%llu errors)\n", (unsigned long long)m->errors);
    put_number(to, "loss", "perceptron loss", loss(m));
    put_number(to, "margin", "margin (least y s)", (double)m->margin);
    if (!to->text || isfinite(q->distance)) put_number(to, "distance", "distance to the plane", q->distance);
    if (!to->text || q->weights_norm2 > 0)
        put_number(to, "padded_margin", "margin of the padded rows", padded_margin(q));
    json_open(j, "best_margin", '{');
    json_number(j, "low", q->best.low);
    json_number(j, "high", q->best.high);
    json_close(j, '}');
    say_name(to, "best margin of the padded rows");
    say_line(to, "between %.4g and %.4g\n", margin_digits(q->best.low, 0), margin_digits(q->best.high, 1));
    put_number(to, "radius", "R (longest row)", sqrt((double)m->radius2));
    put_bound(q, to);
    put_separable(q, t, to);
    json_close(j, '}');
}
