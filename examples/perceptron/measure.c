#include "measure.h"

#include <float.h>
#include <math.h>

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
        if (!is_integer(t->s->rate * t->class_weight[k])) return 0;
        weight = fmax(weight, (double)(t->s->rate * t->class_weight[k]));
    }
    return is_integer(t->m->bias) ? weight * largest_value(t) : 0;
}

static int has_fixed_rule(const training *t)
{
    return t->s->rule == RULE_FIXED && model_takes(t->m, TAKES_RULE);
}

/* From zero weights, in a fixed order, one row at a time. */
static int can_prove(const training *t)
{
    return t->order != PCN_ORDER_EACH && t->s->shards < 2 && has_fixed_rule(t) && !t->s->batch && !t->s->resume &&
           (t->m->trainer.model.classes == 1 || t->s->update == UPDATE_PREDICTED);
}

void measure_cycle(measures *q, training *t, uint32_t epochs)
{
    const pcn_perceptron *p = &t->m->trainer;
    const size_t n = PCN_LINEAR_FLOATS(p->model.features, p->model.classes);
    if (!q->cycle) {
        q->cycle = allocate(n, sizeof *q->cycle);
        q->largest_step = can_prove(t) ? largest_step(t) : 0;
    }
    if (q->inseparable_after || q->largest_step <= 0 ||
        q->largest_step * (double)p->learner.count.updates >= (double)EXACT)
        return;
    if (pcn_pass_cycle(&t->pass, p->weight, q->cycle, n)) q->inseparable_after = epochs;
}

/* ---- Measures ---- */

/* What comes with the bias in the score: a threshold alone counts as the weight of an input of 1. */
static float bias_input(const model *m)
{
    uint32_t k;
    if (m->bias > 0) return m->bias;
    for (k = 0; m->use.bias && k < m->use.classes; k++)
        if (m->use.bias[k] != 0) return 1;
    return 0;
}

typedef struct measuring {
    measures *q;
    const training *t;
    float input;
} measuring;

static int measure_row(void *context, uint32_t row, const float *score)
{
    const measuring *c = context;
    const model *m = c->t->m;
    const uint32_t label = c->t->data->label[row];
    pcn_measure_add(&c->q->rows, pcn_margin(score, m->use.classes, (int)label), model_class(m, score) != label,
                    pcn_norm2(rows_vector(c->t->data, row)) + c->input * c->input);
    return 1;
}

/* |W|^2 of all classes together, the biases among the components of W. */
static float weights_norm2(const model *m)
{
    size_t n = PCN_LINEAR_FLOATS(m->use.features, m->use.classes), i;
    float *w = allocate(n, sizeof *w), input = bias_input(m), norm2;
    pcn_linear_copy(&m->use, w);
    for (i = n - m->use.classes; i < n && input > 0; i++) w[i] /= input;
    norm2 = pcn_norm2(pcn_dense(w, (uint32_t)n));
    free(w);
    return norm2;
}

/* Is Novikoff's bound one on the updates of this training? NaN: no; infinity: these weights do not separate. */
static float updates_bound(const measures *q, const training *t)
{
    const pcn_rule *rule = &model_learner(t->m)->rule;
    int binary = t->m->use.classes == 1;
    uint32_t k;
    if (!has_fixed_rule(t) || rule->margin != 0 || t->s->batch || t->s->resume || t->data->weight) return NAN;
    if (!binary && t->s->update != UPDATE_PREDICTED && t->s->update != UPDATE_UNIFORM) return NAN;
    for (k = 1; k < labels_count(&t->m->labels); k++)
        if (t->class_weight[k] != t->class_weight[0]) return NAN;
    return (binary ? 1 : 2) * pcn_measure_bound(&q->rows, q->weights_norm2);
}

void measure_model(measures *q, const training *t)
{
    model *m = t->m;
    measuring c = {q, t, 0};
    model_use(m, training_kept(t));
    c.input = bias_input(m);
    model_score_rows(m, t->data, measure_row, &c);
    q->weights_norm2 = weights_norm2(m);
    q->bound = updates_bound(q, t);
    q->classes = m->use.classes;
    q->updates = m->trainer.learner.count.updates;
}

/* ---- What is said of them ---- */

static double geometric_margin(const measures *q)
{
    return (double)q->rows.margin / sqrt((double)q->weights_norm2);
}

static double loss(const pcn_measure *m)
{
    return ((double)m->loss + (double)m->loss_low) / (double)m->rows;
}

static void print_bound(const measures *q, FILE *f)
{
    const unsigned long long updates = (unsigned long long)q->updates;
    fprintf(f, "Novikoff's bound    ");
    if (isnan(q->bound))
        fprintf(f, "not for this training: --rule fixed from zero weights, one step for all rows, without a margin");
    else if (isinf(q->bound))
        fprintf(f, "none from these weights, which do not separate the rows");
    else
        fprintf(f, "%g updates", (double)q->bound);
    fprintf(f, "; made: %llu\n", updates);
}

static void print_separable(const measures *q, FILE *f)
{
    fprintf(f, "separable           ");
    if (q->rows.margin > 0)
        fprintf(f, "yes, by these weights\n");
    else if (q->inseparable_after)
        fprintf(f, "no: proved inseparable after epoch %lu\n", (unsigned long)q->inseparable_after);
    else if (q->largest_step > 0)
        fprintf(f, "not known: neither separated nor proved inseparable\n");
    else
        fprintf(f, "not known: a proof needs --order file or once, --rule fixed, and integers\n");
}

void measures_print(const measures *q, FILE *f)
{
    const pcn_measure *m = &q->rows;
    fprintf(f, "Of the weights that predict, on the %llu rows learned from; y s is %s\n", (unsigned long long)m->rows,
            q->classes == 1 ? "the score, negated for the negative label"
                                  : "the right label's score minus that of its best rival");
    fprintf(f, "0/1 risk            %g (%llu errors)\n", (double)m->errors / (double)m->rows,
            (unsigned long long)m->errors);
    fprintf(f, "perceptron loss     %g\n", loss(m));
    fprintf(f, "margin (least y s)  %g\n", (double)m->margin + 0.0); /* no -0 */
    if (q->weights_norm2 > 0) fprintf(f, "geometric margin    %g\n", geometric_margin(q));
    fprintf(f, "R (longest row)     %g\n", sqrt((double)m->radius2));
    print_bound(q, f);
    print_separable(q, f);
}

void measures_print_json(const measures *q, json *j)
{
    const pcn_measure *m = &q->rows;
    json_open(j, "measure", '{');
    json_count(j, "rows", m->rows);
    json_count(j, "errors", m->errors);
    json_number(j, "risk", (double)m->errors / (double)m->rows);
    json_number(j, "loss", loss(m));
    json_number(j, "margin", (double)m->margin);
    json_number(j, "geometric_margin", geometric_margin(q));
    json_number(j, "radius", sqrt((double)m->radius2));
    json_number(j, "bound", (double)q->bound);
    json_count(j, "updates", q->updates);
    json_word(j, "separable", m->margin > 0 ? "true" : q->inseparable_after ? "false" : "null");
    json_number(j, "inseparable_after", q->inseparable_after ? (double)q->inseparable_after : (double)NAN);
    json_close(j, '}');
}
