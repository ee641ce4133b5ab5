/* What a step of the learner must be, by the plain linear model and up to rounding: for linear.c and kernel.c. */
#ifndef STEPS_H
#define STEPS_H

#include "fuzz.h"
#include "../header/plain_linear.h"

#include <float.h>

/* A step, known up to rounding. */
typedef struct span {
    plain_step low, high;
} span;

static const double wild = 1.7976931348623157e308; /* the step of a slope that overflows or underflows */

static enum rule rule;

static void take_settings(plain_linear *p, const pcn_learner *l, int zero_negative)
{
    p->rule = rule;
    p->update = l->update == pcn_update_others        ? OTHERS
                : l->update == pcn_update_uniform     ? UNIFORM
                : l->update == pcn_update_one_vs_rest ? ONE_VS_REST
                                                      : PREDICTED;
    p->zero_negative = zero_negative, p->zero_predicted = l->zero_predicted;
    p->as_float = 1;
    p->rate = (double)l->rule.rate, p->by = (double)l->rule.strength, p->margin = (double)l->rule.margin;
    p->bias_input = (double)l->bias_input;
}

/* Is the step made by a division that leaves the range of float? */
static int is_wild(const plain_linear *p, const plain_step *s)
{
    if (p->rule == FIXED || p->rule >= WINNOW || (p->rule == FRACTIONAL && s->gap == 0)) return 0;
    if (s->slope == 0) return 0;
    return !(s->slope > 1e-30 && s->slope < 1e38 && s->gap < 1e38 && p->by < 1e38) ||
           (p->rule == PA2 && p->by <= 1e-30);
}

/* The steps of all classes; e: by how much of itself rounding may change what a step is made from. */
static void step_spans(const plain_linear *p, const float *score, const double *slope, int y, double e, span *change)
{
    plain_step less[CLASSES], more[CLASSES];
    double s[CLASSES] = {0};
    uint32_t c;
    for (c = 0; c < p->classes; c++) s[c] = (double)score[c];
    linear_steps(p, s, slope, y, -e, less);
    linear_steps(p, s, slope, y, e, more);
    for (c = 0; c < p->classes; c++) {
        plain_step *low = &change[c].low, *high = &change[c].high;
        *low = less[c].step < more[c].step ? less[c] : more[c];
        *high = less[c].step < more[c].step ? more[c] : less[c];
        if (is_wild(p, low)) low->step = -wild, high->step = wild;
        if (low->step > 0 && low->step < 1e-35) low->step = 0; /* it may underflow */
        if (high->step < 0 && high->step > -1e-35) high->step = 0;
    }
}

/* How many classes count as updated; *unsure: is that a matter of rounding? */
static uint64_t classes_moved(const plain_linear *p, const span *change, int *unsure)
{
    uint64_t moved = 0;
    uint32_t c;
    for (*unsure = 0, c = 0; c < p->classes; c++) {
        const double low = change[c].low.step, high = change[c].high.step;
        moved += low > 0 || high < 0;
        *unsure |= low != high && low <= 0 && high >= 0;
    }
    return p->update == ONE_VS_REST ? moved : moved != 0;
}

static void check_guess(const plain_linear *p, const pcn_learner *l, int guess)
{
    double s[CLASSES] = {0};
    uint32_t c;
    for (c = 0; c < p->classes; c++) s[c] = (double)l->score[c];
    MUST(guess == linear_best(p, s, -1));
}

/* Is `now` between what `old` became by the ends of a step along x? Steps that are not known may be anything. arow: of
 * many operations. */
static int moved(float old, float now, double low, double high, double x, int arow)
{
    double far = fmax(fabs(low - (double)old), fabs(high - (double)old)), slack;
    if (!(far < wild / 2)) return 1;
    slack = ldexp(fabs((double)old) + far, arow ? -17 : -22) + ldexp(1 + fabs(x), arow ? -125 : -147);
    return (double)now >= fmin(low, high) - slack && (double)now <= fmax(low, high) + slack;
}

static int rule_valid(const pcn_rule *r)
{
    return r->margin >= 0 && r->strength >= 0 && is_finite(r->rate);
}

/* Can the settings of the rule not be meant? It would never learn, or has a rate that it does not use. Heard until it has
 * fired once. */
static int rule_misset(const pcn_learner *l)
{
    const pcn_rule *r = &l->rule;
    if (l->moved) return 0;
    if (rule == FIXED || rule == FRACTIONAL) return r->rate == 0 || (rule == FRACTIONAL && r->strength == 0);
    return r->rate != 1 || (rule != ABSOLUTE && r->strength == 0);
}

/* May a step overflow because of lambda? Then PCN_EOPTION is as good an answer as PCN_EVALUE. */
static int may_overflow(const pcn_learner *l)
{
    return rule == FRACTIONAL && l->rule.strength > 1;
}

/* Changes one setting of a learner. */
static void change_setting(input *in, pcn_learner *l, uint8_t *zero_negative)
{
    static uint32_t (*const updates[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        NULL, pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    float number = take_float(in);
    switch (take_below(in, 7)) {
    case 0:
        rule = (enum rule)take_below(in, PA2 + 1);
        l->rule = rule == FIXED        ? pcn_rule_fixed(number)
                  : rule == ABSOLUTE   ? pcn_rule_absolute()
                  : rule == FRACTIONAL ? pcn_rule_fractional(number)
                  : rule == PA         ? pcn_rule_pa(number)
                                       : pcn_rule_pa2(number);
        break;
    case 1: l->update = updates[take_below(in, 5)]; break;
    case 2: l->rule.margin = number; break;
    case 3: l->rule.rate = number; break;
    case 4: l->zero_predicted = take(in) & 1; break;
    case 5: l->bias_input = (float)take_below(in, 9) / 4; break;
    default: *zero_negative = take(in) & 1;
    }
}

#endif
