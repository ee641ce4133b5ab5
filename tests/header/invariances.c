/* Rows, bias input and rates times a power of 2 change the weights by a power of 2, and no decision. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* Rows and bias input times 2^k: the same decisions; weights times 2^k, the kept bias (times its
 * input) times 2^2k. A rate times 2^k: the weights times 2^k. */
static void check_scaling(pcn_rule rule, uint32_t classes, float data, float rate)
{
    static set s, scaled;
    static trainer a, b;
    uint32_t i, j;
    set_init(&s, ROWS, N, classes, REALS);
    scaled = s;
    for (i = 0; i < s.rows; i++)
        for (j = 0; j < N; j++) scaled.x[i][j] *= data;
    trainer_with(&a, s.features, s.classes, 0);
    trainer_with(&b, s.features, s.classes, 0);
    a.m.learner.rule = b.m.learner.rule = rule;
    b.m.learner.bias_input = data;
    b.m.learner.rule.rate *= rate;
    for (i = 0; i < s.rows; i++) {
        CHECK(learn_row(&a, &s, i) == learn_row(&b, &scaled, i));
        CHECK(a.m.learner.guess == b.m.learner.guess);
    }
    CHECK(memcmp(&a.m.learner.count, &b.m.learner.count, sizeof a.m.learner.count) == 0);
    for (i = 0; i < a.m.live.scores; i++) {
        CHECK(a.m.live.bias[i] * data * data * rate == b.m.live.bias[i]);
        for (j = 0; j < N; j++) CHECK(weight_of(&a.m.live, i, j) * data * rate == weight_of(&b.m.live, i, j));
    }
}

static void check_invariances(void)
{
    static const float scale[] = {0.0009765625f, 0.5f, 4, 65536};
    size_t i;
    for (i = 0; i < LENGTH(scale); i++) {
        check_scaling(pcn_rule_fixed(1), 2, scale[i], 1);
        check_scaling(pcn_rule_fixed(0.3f), 4, scale[i], 1);
        check_scaling(pcn_rule_absolute(), 2, scale[i], 1);
        check_scaling(pcn_rule_fractional(1.5f), 3, scale[i], 1);
        check_scaling(pcn_rule_fixed(1), 2, 1, scale[i]);
        check_scaling(pcn_rule_fixed(1), 4, 1, scale[i]);
    }
}

int main(void)
{
    check_invariances();
    return report();
}
