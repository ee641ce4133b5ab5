/* pcn_perceptron_resize makes of a trainer one that was made so large and given the same numbers: more or fewer
 * features and classes in the middle of a stream. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* The trainer is now in other arrays. */
static void move_grower(trainer *to, const trainer *from, uint32_t features, uint32_t classes)
{
    memcpy(to, from, sizeof *to);
    CHECK(resize(to, features, classes) == PCN_OK);
}

static int same_floats(const float *a, const float *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static int same_arrays(const trainer *a, const trainer *b)
{
    const size_t n = PCN_LINEAR_FLOATS(a->m.live.features, a->m.live.scores);
    return same_floats(a->memory, b->memory, n) && (!a->m.own.sum || same_floats(a->sum, b->sum, 2 * n)) &&
           (!a->m.own.batch || same_floats(a->batch, b->batch, n)) &&
           (!a->m.own.state || same_floats(a->state, b->state, n));
}

static int same_growers(const trainer *a, const trainer *b)
{
    const pcn_linear *l = &a->m.live, *k = &b->m.live;
    return l->features == k->features && l->scores == k->scores && l->by_feature == k->by_feature &&
           a->m.learner.scores == b->m.learner.scores && l->weight == a->memory && same_arrays(a, b) &&
           l->bias == a->memory + (size_t)l->features * l->scores && a->m.learner.guess == b->m.learner.guess &&
           a->m.learner.score == l->bias + l->scores && a->m.learner.clock == b->m.learner.clock &&
           memcmp(&a->m.learner.count, &b->m.learner.count, sizeof(pcn_count)) == 0;
}

/* Where number j of score c is, and j == features: the bias. */
static size_t place_of(uint32_t c, uint32_t j, uint32_t features, uint32_t scores, int feature_major)
{
    if (j == features) return features * scores + c;
    return feature_major ? j * scores + c : c * features + j;
}

/* What of an array of `old` is in both shapes. sign: of what one score has learned, in class 0 of more. */
static void fill(float *to, const float *from, const trainer *now, const trainer *old, int feature_major, float sign)
{
    const uint32_t n = now->m.live.features, k = now->m.live.scores;
    const uint32_t was = old->m.live.features, scores = old->m.live.scores;
    const int opens = scores == 1 && k > 1;
    uint32_t c, j;
    for (c = 0; c < (opens ? 2 : scores); c++)
        for (j = 0; j <= n; j++) {
            const uint32_t i = j == n ? was : j;
            float f;
            if (j < n && j >= was) continue;
            f = from[place_of(opens ? 0 : c, i, was, scores, feature_major)];
            to[place_of(c, j, n, k, feature_major)] = opens && c == 0 && f != 0 ? sign * f : f;
        }
}

/* A new trainer of so many features and classes, into which the numbers of `old` are written one by one. */
static void rebuild(trainer *now, const trainer *old, uint32_t features, uint32_t classes, unsigned options)
{
    const int by = options & FEATURE_MAJOR;
    const size_t all = PCN_LINEAR_FLOATS(features, classes);
    float *score;
    trainer_with(now, features, classes, options);
    fill(now->memory, old->memory, now, old, by, -1);
    if (options & AVERAGED) {
        fill(now->sum, old->sum, now, old, by, -1);
        fill(now->sum + all, old->sum + PCN_LINEAR_FLOATS(old->m.live.features, old->m.live.scores), now, old, by, -1);
    }
    if (options & BATCHED) fill(now->batch, old->batch, now, old, 0, -1);
    if (options & CONFIDENT) fill(now->state, old->state, now, old, by, 1);
    score = now->m.learner.score;
    now->m.learner = old->m.learner;
    now->m.learner.score = score;
    now->m.learner.scores = PCN_SCORES(classes);
    now->m.live.zero_negative = old->m.live.zero_negative;
}

static int learn_random(trainer *g, const set *s, uint32_t row, enum form form)
{
    pcn_vec x = pcn_dense(s->x[row], g->m.live.features);
    if (form == SPARSE)
        for (x = row_of(s, row, form); x.count != 0 && x.index[x.count - 1] >= g->m.live.features;) x.count--;
    return pcn_perceptron_learn(&g->m, x, s->y[row] % (int)PCN_CLASSES(g->m.live.scores));
}

/* Learning, and at times other numbers of features and classes: as if a new trainer had been given what was learned. */
static void check_growth(unsigned options)
{
    static trainer g, spare, other;
    static set s;
    uint32_t i, stage, features = random_bits() % 12, classes = 2 + random_bits() % 3;
    set_init(&s, ROWS, N, K, random_bits() & 1 ? INTEGERS : REALS);
    trainer_with(&g, features, classes, options);
    if (options & CONFIDENT) {
        if (random_bits() & 1) g.m.learner.update = pcn_update_one_vs_rest;
    } else {
        g.m.learner.update = updates[random_bits() % 4];
        if (random_bits() & 1) g.m.learner.rule = pcn_rule_pa(0.5f);
    }
    rebuild(&other, &g, features, classes, options);
    for (stage = 0; stage < 8; stage++) {
        for (i = 0; i < 14; i++) {
            const uint32_t row = random_bits() % ROWS;
            const enum form form = random_bits() & 1 ? SPARSE : DENSE;
            const int result = learn_random(&g, &s, row, form);
            CHECK(result >= 0 && learn_random(&other, &s, row, form) == result);
            if (options & BATCHED && i % 4 == 0)
                CHECK(pcn_perceptron_apply_batch(&g.m, 0.5f) == pcn_perceptron_apply_batch(&other.m, 0.5f));
        }
        CHECK(same_growers(&g, &other));
        features = random_bits() % (N + 1);
        if (random_bits() % 3 != 0 && classes < K) classes += 1 + random_bits() % (K - classes);
        memcpy(&spare, &g, sizeof g);
        rebuild(&other, &spare, features, classes, options);
        if (random_bits() & 1)
            CHECK(resize(&g, features, classes) == PCN_OK);
        else
            move_grower(&g, &spare, features, classes);
        CHECK(same_growers(&g, &other));
        CHECK(g.m.live.by_feature == (options & FEATURE_MAJOR ? 1 : 0));
        for (i = 0; i < 2 * PCN_SCORES(classes); i++) CHECK(g.m.learner.score[i] == 0);
    }
}

/* What the rule of one score is for the two scores of two classes, which are twice as far apart. */
static pcn_rule doubled(pcn_rule rule, int is_pa2)
{
    rule.margin *= 2;
    if (is_pa2) rule.strength /= 2;
    return rule;
}

/* Two scores of their own for two classes, which the library does not have: those of three classes, of which the last is
 * far behind. It is never a rival, and never learns by itself. */
static void two_scores(trainer *t, unsigned options)
{
    trainer_with(t, N, 3, options);
    t->memory[3 * N + 2] = -1180591620717411303424.0f; /* 2^70 */
}

/* Have the first two classes of three the same numbers in an array? */
static int same_two(const float *a, const float *b, int by_feature)
{
    uint32_t c, j;
    for (c = 0; c < 2; c++)
        for (j = 0; j <= N; j++)
            if (!same(a[place_of(c, j, N, 3, by_feature)], b[place_of(c, j, N, 3, by_feature)])) return 0;
    return 1;
}

static int same_twos(const trainer *a, const trainer *b)
{
    const int by = a->m.live.by_feature;
    const size_t all = PCN_LINEAR_FLOATS(N, 3);
    return by == b->m.live.by_feature && same_two(a->memory, b->memory, by) &&
           (!a->m.own.sum || (same_two(a->sum, b->sum, by) && same_two(a->sum + all, b->sum + all, by))) &&
           (!a->m.own.batch || same_two(a->batch, b->batch, 0)) &&
           (!a->m.own.state || same_two(a->state, b->state, by));
}

/* The last class takes all that the other trainer has of it. */
static void take_last(float *to, const float *from, int by_feature)
{
    uint32_t j;
    for (j = 0; j <= N; j++) to[place_of(2, j, N, 3, by_feature)] = from[place_of(2, j, N, 3, by_feature)];
}

/* One score, and two that learn from the same rows. one_vs_rest: the two with the same rule. */
static void check_opening(unsigned options, uint32_t which, int one_vs_rest)
{
    static trainer one, two, grown;
    static set s;
    const pcn_rule rules[] = {pcn_rule_fixed(1),         pcn_rule_fixed(0.3f), pcn_rule_absolute(),
                              pcn_rule_fractional(1.5f), pcn_rule_pa(0.1f),    pcn_rule_pa2(0.1f)};
    const int zero_predicted = !one_vs_rest && random_bits() & 1, by = options & FEATURE_MAJOR;
    const uint8_t zero_negative = zero_predicted || random_bits() & 1;
    const update_function update = one_vs_rest ? pcn_update_one_vs_rest : updates[random_bits() % 3];
    const float bias_inputs[] = {1, 0, 2}, bias_input = bias_inputs[random_bits() % 3];
    const size_t all = PCN_LINEAR_FLOATS(N, 3);
    uint32_t i;
    set_init(&s, ROWS, N, 2, random_bits() & 1 ? INTEGERS : REALS);
    trainer_with(&one, N, 2, options);
    two_scores(&two, options);
    if (!(options & CONFIDENT)) one.m.learner.rule = two.m.learner.rule = rules[which];
    if (which == 1) one.m.learner.rule.margin = two.m.learner.rule.margin = 2.5f;
    if (!one_vs_rest) two.m.learner.rule = doubled(two.m.learner.rule, which == 5);
    one.m.live.zero_negative = zero_negative;
    one.m.learner.zero_predicted = two.m.learner.zero_predicted = zero_predicted != 0;
    one.m.learner.bias_input = two.m.learner.bias_input = bias_input;
    two.m.learner.update = update;
    for (i = 0; i < 2 * ROWS; i++) {
        const uint32_t row = random_bits() % (i < ROWS ? 5 : ROWS); /* few rows: scores of 0 */
        const int result = pcn_perceptron_learn(&one.m, row_of(&s, row, DENSE), s.y[row]);
        CHECK(result >= 0 && pcn_perceptron_learn(&two.m, row_of(&s, row, DENSE), s.y[row]) == result);
        if (options & BATCHED && i % 5 == 4)
            CHECK(pcn_perceptron_apply_batch(&one.m, 0.25f) == pcn_perceptron_apply_batch(&two.m, 0.25f));
        if (zero_negative) CHECK(one.m.learner.guess == two.m.learner.guess);
        if (i % 20 > 1) continue;
        move_grower(&grown, &one, N, 2);
        CHECK(resize(&grown, N, 3) == PCN_OK && same_twos(&grown, &two));
    }
    CHECK(one.m.learner.count.updates * (one_vs_rest ? 2 : 1) == two.m.learner.count.updates);
    if (zero_negative) CHECK(one.m.learner.count.mistakes == two.m.learner.count.mistakes);
    move_grower(&grown, &one, N, 3); /* the two go on together */
    grown.m.learner.rule = two.m.learner.rule;
    grown.m.learner.update = update;
    take_last(grown.memory, two.memory, by);
    if (options & AVERAGED) take_last(grown.sum, two.sum, by), take_last(grown.sum + all, two.sum + all, by);
    if (options & BATCHED) take_last(grown.batch, two.batch, 0);
    for (i = 0; i < ROWS; i++) CHECK(learn_random(&grown, &s, i, SPARSE) == learn_random(&two, &s, i, SPARSE));
    CHECK(same_arrays(&grown, &two));
}

static void check_classes(void)
{
    static float exponent[PCN_LINEAR_FLOATS(N, K)];
    static trainer g, before;
    unsigned options;
    uint32_t round, rule;
    for (options = 0; options < OPTIONS; options++) {
        if (options & BATCHED && options & CONFIDENT) continue;
        for (round = 0; round < 20; round++) check_growth(options);
        for (rule = 0; rule < 6; rule++) {
            if (!(options & CONFIDENT)) check_opening(options, rule, 0);
            check_opening(options, rule, 1);
        }
    }
    trainer_with(&g, N, 3, AVERAGED);
    memcpy(&before, &g, sizeof g);
    CHECK(resize(&g, N, 2) == PCN_EOPTION && resize(&g, N, 1) == PCN_EOPTION && resize(&g, N, 0) == PCN_EOPTION);
    CHECK(resize(&g, UINT32_MAX, UINT32_MAX) == PCN_EMEMORY);
    if (SIZE_MAX / 24 < UINT32_MAX) CHECK(resize(&g, 0, (uint32_t)(SIZE_MAX / 24 + 1)) == PCN_EMEMORY);
    CHECK(memcmp(&g, &before, sizeof g) == 0);
    trainer_with(&g, N, 2, 0);
    memcpy(&before, &g, sizeof g);
    CHECK(resize(&g, N, 1) == PCN_EOPTION && resize(&g, N, 0) == PCN_EOPTION); /* fewer than two */
    CHECK(memcmp(&g, &before, sizeof g) == 0);
    CHECK(resize(&g, N, 2) == PCN_OK && g.m.live.scores == 1 && same_arrays(&g, &before));
    CHECK(pcn_perceptron_use_winnow(&g.m, 0, 1, exponent, sizeof exponent) == PCN_OK);
    memcpy(&before, &g, sizeof g);
    CHECK(resize(&g, N, 3) == PCN_EOPTION && resize(&g, N - 1, 2) == PCN_EOPTION);
    CHECK(memcmp(&g, &before, sizeof g) == 0);
}

int main(void)
{
    check_classes();
    return report();
}
