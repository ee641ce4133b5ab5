/* What a step of the learner must be, in plain double precision and up to rounding: for linear.c and kernel.c. */
#ifndef STEPS_H
#define STEPS_H

#include "fuzz.h"

#include <float.h>

/* A step, known up to rounding. */
typedef struct span {
    double low, high;
} span;

static const double wild = 1.7976931348623157e308; /* the step of a slope that overflows or underflows */

static span times(span a, double f)
{
    span r;
    r.low = f < 0 ? a.high * f : a.low * f;
    r.high = f < 0 ? a.low * f : a.high * f;
    return r;
}

static span exactly(double f)
{
    span r;
    r.low = r.high = f;
    return r;
}

static float minus(float a, float b) /* double rounding is harmless here */
{
    return (float)((double)a - (double)b);
}

/* gap / slope, for a slope known up to e of its size. */
static span ratio(double gap, double slope, double e)
{
    span r;
    r.low = gap / slope * (1 - e), r.high = gap / slope * (1 + e);
    return r;
}

enum rule { FIXED, ABSOLUTE, FRACTIONAL, PA, PA2, RULES };

static enum rule rule;

/* The rule's step by the header's table. self: X.X, known up to e of its size; margin: y s; wrong: is the predicted
 * class not y? */
static span plain_step(const pcn_learner *l, double self, double e, double share, float margin, int wrong)
{
    double slope = (1 + share) * self;
    float gap = minus(l->rule.margin, margin);
    span s;
    if (gap < 0 || (gap == 0 && l->zero_predicted && !wrong && l->rule.margin == 0)) return exactly(0);
    if (rule == FIXED || (rule == FRACTIONAL && gap == 0)) return exactly((double)l->rule.rate);
    if (self == 0) return exactly(0);
    s.low = -wild, s.high = wild;
    if (!(slope > 1e-30 && slope < 1e38 && (double)gap < 1e38 && l->rule.strength < 1e38f)) return s;
    switch (rule) {
    case ABSOLUTE:
        s = ratio((double)gap, slope, e);
        if (s.high < 16777216) s.low = floor(s.low) + 1, s.high = floor(s.high) + 1;
        break;
    case FRACTIONAL: s = times(ratio((double)gap, slope, e), (double)l->rule.strength); break;
    case PA:
        s = ratio((double)gap, slope, e);
        if (s.low > (double)l->rule.strength) s.low = (double)l->rule.strength;
        if (s.high > (double)l->rule.strength) s.high = (double)l->rule.strength;
        break;
    default:
        if (l->rule.strength > 1e-30f) s = ratio((double)gap, slope + 0.5 / (double)l->rule.strength, e);
    }
    if (s.low < 1e-35) s.low = s.low > 0 ? 0 : s.low;
    return s;
}

/* The change of every class by an example of class y, by the header's words on the updates. */
static void plain_changes(const pcn_learner *l, int zero_negative, double self, double e, int y, span *change)
{
    const float *s = l->score;
    uint32_t k, up = (uint32_t)y, down = y == 0, violators = 0;
    double share;
    span step;
    if (l->classes == 1) {
        step = plain_step(l, self, e, 0, y > 0 ? s[0] : -s[0], (pcn_decide(s, 1, zero_negative) > 0) != (y > 0));
        change[0] = times(step, y > 0 ? 1 : -1);
        return;
    }
    for (k = 0; k < l->classes; k++) change[k] = exactly(0);
    if (l->update == pcn_update_one_vs_rest) {
        for (k = 0; k < l->classes; k++) {
            int wrong = (k == up) == (zero_negative != 0); /* at a score of 0 */
            change[k] = times(plain_step(l, self, e, 0, k == up ? s[k] : -s[k], wrong), k == up ? 1 : -1);
        }
        return;
    }
    for (k = 0; k < l->classes; k++) {
        if (k != up && s[k] > s[down]) down = k;
        violators += k != up && !(minus(s[up], s[k]) > l->rule.margin);
    }
    share = l->update == pcn_update_uniform && violators ? (double)(1 / (float)violators) : 1;
    step = plain_step(l, self, e, share, minus(s[up], s[down]), down < up);
    if (l->update == pcn_update_uniform && violators == 0) return;
    for (k = 0; k < l->classes; k++) {
        int moves = k == down;
        if (l->update == pcn_update_others) moves = 1;
        if (l->update == pcn_update_uniform) moves = !(minus(s[up], s[k]) > l->rule.margin);
        if (moves) change[k] = times(step, -share);
    }
    change[up] = step;
}

/* Is `now` old + a step by x? Steps that are not known may be anything. */
static int moved(float old, float now, span change, double x)
{
    span move = times(change, x);
    double size = fmax(fabs(move.low), fabs(move.high)), slack;
    if (change.high >= wild && x != 0) return 1;
    slack = (fabs((double)old) + size) * ldexp(1, -22) + (1 + fabs(x)) * ldexp(1, -147);
    return (double)now >= (double)old + move.low - slack && (double)now <= (double)old + move.high + slack;
}

static int rule_valid(const pcn_rule *r)
{
    return r->margin >= 0 && r->strength >= 0 && is_finite(r->rate);
}

/* Changes one setting of a learner. */
static void change_setting(input *in, pcn_learner *l, uint8_t *zero_negative)
{
    static uint32_t (*const updates[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        NULL, pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    float number = take_float(in);
    switch (take_below(in, 7)) {
    case 0:
        rule = (enum rule)take_below(in, RULES);
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
