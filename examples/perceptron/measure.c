/* train --measure: how the rows that were learned from lie to the weights that predict, and whether any weights
 * can separate them. */
#include "train.h"

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
static double largest_value(const run *r)
{
    double largest = 1;
    size_t i;
    for (i = 0; i < arrlenu(r->data.value); i++) {
        if (!is_integer(r->data.value[i])) return 0;
        largest = fmax(largest, fabs((double)r->data.value[i]));
    }
    return fmax(largest, (double)r->m.bias * (double)r->m.bias);
}

/* The largest number by which a weight may change in an update; 0: steps are not all integers. */
static double largest_step(const run *r)
{
    double weight = 1;
    uint32_t k, classes = labels_count(&r->m.labels);
    for (k = 0; k < classes; k++) {
        if (!is_integer(r->s.rate * r->class_weight[k])) return 0;
        weight = fmax(weight, (double)(r->s.rate * r->class_weight[k]));
    }
    return is_integer(r->m.bias) ? weight * largest_value(r) : 0;
}

static int has_fixed_rule(const run *r)
{
    return r->s.rule == RULE_FIXED && !r->m.state;
}

/* From zero weights, in a fixed order, one row at a time. */
static int can_prove(const run *r)
{
    return r->order != PCN_ORDER_EACH && r->s.shards < 2 && has_fixed_rule(r) && !r->s.batch && !r->s.resume &&
           (r->m.trainer.model.classes == 1 || r->s.update == UPDATE_PREDICTED);
}

void watch_cycle(run *r)
{
    const pcn_perceptron *p = &r->m.trainer;
    size_t n = PCN_LINEAR_FLOATS(p->model.features, p->model.classes);
    if (!r->cycle) {
        r->cycle = allocate(n, sizeof *r->cycle);
        r->largest_step = can_prove(r) ? largest_step(r) : 0;
    }
    if (r->inseparable_after || r->largest_step <= 0 ||
        r->largest_step * (double)p->learner.count.updates >= (double)EXACT)
        return;
    if (pcn_pass_cycle(&r->pass, p->weight, r->cycle, n)) r->inseparable_after = (uint32_t)arrlenu(r->epochs);
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

/* y s; with several classes the score of the label minus that of its best rival. */
static float row_margin(const float *score, uint32_t units, uint32_t label)
{
    float rival = -INFINITY;
    uint32_t k;
    if (units == 1) return label ? *score : -*score;
    for (k = 0; k < units; k++)
        if (k != label && score[k] > rival) rival = score[k];
    return score[label] - rival;
}

typedef struct measuring {
    run *r;
    float input;
} measuring;

static int measure_row(void *context, uint32_t row, const float *score)
{
    const measuring *q = context;
    run *r = q->r;
    const uint32_t label = r->data.label[row];
    pcn_measure_add(&r->measured, row_margin(score, r->m.use.classes, label), model_class(&r->m, score) != label,
                    pcn_norm2(rows_vector(&r->data, row)) + q->input * q->input);
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
static float updates_bound(run *r)
{
    const pcn_rule *rule = &model_learner(&r->m)->rule;
    int binary = r->m.use.classes == 1;
    uint32_t k;
    if (!has_fixed_rule(r) || rule->margin != 0 || r->s.batch || r->s.resume) return NAN;
    if (!binary && r->s.update != UPDATE_PREDICTED && r->s.update != UPDATE_UNIFORM) return NAN;
    for (k = 1; k < labels_count(&r->m.labels); k++)
        if (r->class_weight[k] != r->class_weight[0]) return NAN;
    return (binary ? 1 : 2) * pcn_measure_bound(&r->measured, r->weights_norm2);
}

void measure_model(run *r)
{
    measuring q = {r, 0};
    model_use(&r->m, r->kept.weight ? &r->kept : NULL);
    q.input = bias_input(&r->m);
    model_score_rows(&r->m, &r->data, measure_row, &q);
    r->weights_norm2 = weights_norm2(&r->m);
    r->bound = updates_bound(r);
}

/* ---- What is said of them ---- */

static double geometric_margin(const run *r)
{
    return (double)r->measured.margin / sqrt((double)r->weights_norm2);
}

static double loss(const pcn_measure *q)
{
    return ((double)q->loss + (double)q->loss_low) / (double)q->rows;
}

static void print_bound(const run *r, FILE *f)
{
    unsigned long long updates = (unsigned long long)r->m.trainer.learner.count.updates;
    fprintf(f, "Novikoff's bound    ");
    if (isnan(r->bound))
        fprintf(f, "not for this training: --rule fixed from zero weights, one step for all rows, without a margin");
    else if (isinf(r->bound))
        fprintf(f, "none from these weights, which do not separate the rows");
    else
        fprintf(f, "%g updates", (double)r->bound);
    fprintf(f, "; made: %llu\n", updates);
}

static void print_separable(const run *r, FILE *f)
{
    fprintf(f, "separable           ");
    if (r->measured.margin > 0)
        fprintf(f, "yes, by these weights\n");
    else if (r->inseparable_after)
        fprintf(f, "no: proved inseparable after epoch %lu\n", (unsigned long)r->inseparable_after);
    else if (r->largest_step > 0)
        fprintf(f, "not known: neither separated nor proved inseparable\n");
    else
        fprintf(f, "not known: a proof needs --order file or once, --rule fixed, and integers\n");
}

void print_measures(const run *r, FILE *f)
{
    const pcn_measure *q = &r->measured;
    fprintf(f, "Of the weights that predict, on the %llu rows learned from; y s is %s\n", (unsigned long long)q->rows,
            r->m.use.classes == 1 ? "the score, negated for the negative label"
                                  : "the right label's score minus that of its best rival");
    fprintf(f, "0/1 risk            %g (%llu errors)\n", (double)q->errors / (double)q->rows,
            (unsigned long long)q->errors);
    fprintf(f, "perceptron loss     %g\n", loss(q));
    fprintf(f, "margin (least y s)  %g\n", (double)q->margin + 0.0); /* no -0 */
    if (r->weights_norm2 > 0) fprintf(f, "geometric margin    %g\n", geometric_margin(r));
    fprintf(f, "R (longest row)     %g\n", sqrt((double)q->radius2));
    print_bound(r, f);
    print_separable(r, f);
}

/* A finite number, or null. */
static void json_number(const char *name, double value)
{
    if (isfinite(value))
        printf(", \"%s\": %.9g", name, value);
    else
        printf(", \"%s\": null", name);
}

void print_measures_json(const run *r)
{
    const pcn_measure *q = &r->measured;
    printf(", \"measure\": {\"rows\": %llu, \"errors\": %llu, \"risk\": %.9g, \"loss\": %.9g",
           (unsigned long long)q->rows, (unsigned long long)q->errors, (double)q->errors / (double)q->rows, loss(q));
    json_number("margin", (double)q->margin);
    json_number("geometric_margin", geometric_margin(r));
    json_number("radius", sqrt((double)q->radius2));
    json_number("bound", (double)r->bound);
    printf(", \"updates\": %llu, \"separable\": %s", (unsigned long long)r->m.trainer.learner.count.updates,
           q->margin > 0 ? "true" : r->inseparable_after ? "false" : "null");
    json_number("inseparable_after", r->inseparable_after ? (double)r->inseparable_after : (double)NAN);
    printf("}");
}
