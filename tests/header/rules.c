/* Each rule (pcn_rule_fixed, _absolute, _fractional, _pa, _pa2) makes of a margin the step that its formula says; a
 * rule of your own, and pcn_margin and pcn_slope, learn as the built-in ones. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* What the rule's formula makes of a margin d, in double. */
static double target(size_t rule, const pcn_rule *r, double d, double slope)
{
    double gap = (double)r->margin - d, step, limit = (double)r->strength;
    switch (rule) {
    case 0: step = (double)r->rate; break;
    case 1: step = (double)(int64_t)(gap / slope) + 1; break;
    case 2: step = limit * gap / slope; break;
    case 4: step = gap / (slope + 1 / (2 * limit)); break;
    default: step = gap / slope < limit ? gap / slope : limit;
    }
    return gap < 0 ? d : d + step * slope;
}

static void check_step(uint32_t classes, size_t rule, size_t update, float bias_input)
{
    static set s;
    static trainer t;
    float before[K], after[K];
    uint32_t i, k, y, r, violators = 0;
    double norm2;
    set_init(&s, 1, 1 + random_bits() % N, classes, REALS);
    s.x[0][0] = 1;
    trainer_with(&t, s.features, s.classes, random_bits() % 2 ? AVERAGED : 0);
    settings(&t, rule, update);
    t.m.learner.bias_input = bias_input;
    for (i = 0; i < PCN_LINEAR_FLOATS(s.features, classes); i++) t.memory[i] = random_real() / 2;
    pcn_linear_scores(&t.m.live, row_of(&s, 0, DENSE), before);
    CHECK(learn_row(&t, &s, 0) >= 0);
    CHECK(memcmp(before, t.m.learner.score, t.m.live.scores * sizeof *before) == 0);
    pcn_linear_scores(&t.m.live, row_of(&s, 0, DENSE), after);
    norm2 = (double)(pcn_norm2(row_of(&s, 0, DENSE)) + bias_input * bias_input);
    y = (uint32_t)s.y[0];
    if (classes == 2 || updates[update] == pcn_update_one_vs_rest) {
        for (k = 0; k < t.m.live.scores; k++) {
            double sign = (classes == 2 ? y != 0 : k == y) ? 1 : -1;
            double want = target(rule, &t.m.learner.rule, sign * (double)before[k], norm2);
            CHECK(size_of(sign * (double)after[k] - want) < 1e-4);
        }
        return;
    }
    r = rival_of(before, classes, y);
    for (k = 0; k < classes; k++) violators += k != y && before[y] - before[k] <= t.m.learner.rule.margin;
    if (updates[update] == pcn_update_uniform && violators != 0)
        norm2 *= 1 + 1.0 / violators;
    else
        norm2 *= 2;
    CHECK(size_of((double)(after[y] - after[r]) -
                  target(rule, &t.m.learner.rule, (double)(before[y] - before[r]), norm2)) < 1e-4);
    for (k = 0; k < classes; k++) { /* and who else moves */
        double moved = (double)(after[k] - before[k]), gain = (double)(after[y] - before[y]);
        int in = k == r;
        if (updates[update] == pcn_update_uniform) in = before[y] - before[k] <= t.m.learner.rule.margin;
        if (updates[update] == pcn_update_others) in = 1;
        if (k == y) continue;
        if (updates[update] == pcn_update_uniform && violators != 0) gain /= violators;
        CHECK(size_of(moved + (in ? gain : 0)) < 1e-4);
    }
}

static void check_steps(void)
{
    size_t rule, update;
    int i;
    for (i = 0; i < 50; i++)
        for (rule = 0; rules(rule); rule++) {
            check_step(2, rule, 0, 1);
            for (update = 0; update < LENGTH(updates); update++) {
                check_step(4, rule, update, 0);
                check_step(3, rule, update, 1);
                check_step(K, rule, update, 0.5f);
            }
        }
}

/* A rule from outside, which keeps what it was given: passive-aggressive by another name. */
typedef struct told {
    pcn_update push;
    pcn_vec x;
    float slope;
    uint32_t calls, wrong;
} told;

static float own_step(const pcn_learner *l, pcn_update *p, float gap)
{
    told *s = (told *)l->user;
    float slope = pcn_slope(p), step = gap / slope;
    s->calls++;
    s->wrong += !(gap >= 0);
    s->slope = slope;
    memcpy(&s->push, p, sizeof *p);
    memcpy(&s->x, p->x, sizeof s->x);
    return step < l->rule.strength ? step : l->rule.strength;
}

/* It learns as the one inside does, and is told of each update what there is to know. */
static void check_own_rule(uint32_t classes, size_t update, enum content content, int zero_negative)
{
    static set s;
    static trainer t, own;
    const float bias_input = 0.5f;
    told record;
    uint32_t i, k, fired = 0, wrong = 0;
    set_init(&s, ROWS, N - 3, classes, content);
    trainer_with(&t, s.features, s.classes, AVERAGED);
    trainer_with(&own, s.features, s.classes, AVERAGED);
    settings(&t, 3, update);
    settings(&own, 3, update);
    t.m.learner.bias_input = own.m.learner.bias_input = bias_input;
    t.m.live.zero_negative = own.m.live.zero_negative = (uint8_t)zero_negative;
    own.m.learner.rule.step = own_step;
    own.m.learner.user = &record;
    CHECK(t.m.learner.rule.margin == 1 && own.m.learner.scores == PCN_SCORES(classes));
    for (i = 0; i < ROWS; i++) {
        pcn_vec x = row_of(&s, i, DENSE);
        const pcn_update *p = &record.push;
        float slope, share = classes == 2 || updates[update] == pcn_update_one_vs_rest ? 0.0f : 1.0f;
        uint32_t y = (uint32_t)s.y[i], r = 0, violators = 0;
        int learned;
        memset(&record, 0, sizeof record);
        learned = learn_row(&own, &s, i);
        fired += learned > 0;
        wrong += learn_row(&t, &s, i) != learned || learned != (record.calls != 0) || record.wrong != 0;
        if (record.calls == 0) continue;
        if (classes > 2) {
            const float *score = t.m.learner.score;
            r = rival_of(score, classes, y);
            for (k = 0; k < classes; k++) violators += k != y && score[y] - score[k] <= 1;
            if (updates[update] == pcn_update_uniform) share = 1.0f / (float)violators;
        }
        slope = (1 + share) * (pcn_norm2(x) + bias_input * bias_input);
        wrong += p->bias != bias_input * bias_input || p->share != share || record.slope != slope;
        wrong += p->zero_negative != zero_negative || record.x.count != x.count || record.x.value != x.value;
        if (share != 0) wrong += p->up != y || p->down != r;
    }
    CHECK(wrong == 0 && fired > ROWS / 10 && same_image(&t, &own));
}

static void check_own_rules(void)
{
    size_t update;
    int zero_negative;
    for (zero_negative = 0; zero_negative < 2; zero_negative++) {
        check_own_rule(2, 0, REALS, zero_negative);
        for (update = 0; update < LENGTH(updates); update++) {
            check_own_rule(3, update, INTEGERS, zero_negative);
            check_own_rule(5, update, REALS, zero_negative);
        }
    }
}

/* X.X = 0: only the fixed rule steps, as it needs no division. */
static void check_empty_rows(void)
{
    static set s;
    static trainer t;
    size_t rule;
    uint32_t classes;
    set_init(&s, 1, 3, 2, REALS);
    for (rule = 0; rules(rule); rule++)
        for (classes = 2; classes <= 3; classes++) {
            s.classes = classes;
            trainer_with(&t, s.features, s.classes, 0);
            settings(&t, rule, 0);
            t.m.learner.rule.margin = 1;
            t.m.learner.bias_input = 0;
            CHECK(pcn_perceptron_learn(&t.m, pcn_dense(NULL, 0), 1) == (rule == 0));
            CHECK(t.m.learner.count.rows == 1 && t.m.live.weight[0] == 0);
        }
}

int main(void)
{
    check_steps();
    check_own_rules();
    check_empty_rows();
    return report();
}
