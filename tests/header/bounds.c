/* On rows that a plane separates, learning ends after at most so many updates: the theorems of convergence, for two
 * classes and for each way to share an update among several. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

static pcn_measure measure(const pcn_linear *m, const set *s, float bias_input)
{
    pcn_measure q;
    uint32_t i;
    pcn_measure_init(&q);
    for (i = 0; i < s->rows; i++) {
        float score[K], margin = 0;
        pcn_vec x = row_of(s, i, DENSE);
        pcn_linear_scores(m, x, score);
        margin = margin_of(score, s->classes, s->y[i]);
        CHECK(pcn_margin(score, m->scores, s->y[i]) == margin);
        if (s->classes == 2) CHECK(pcn_margin(score, 1, s->y[i] ? 1 : -1) == margin);
        pcn_measure_add(&q, score, m->scores, s->y[i], pcn_decide(score, m->scores, m->zero_negative),
                        pcn_norm2(x) + bias_input);
    }
    return q;
}

static void check_bound(uint32_t features, uint32_t classes, update_function update, int biased, float theta)
{
    static set s;
    static trainer teacher, t;
    pcn_measure q, after;
    pcn_pass pass;
    uint32_t row;
    float norm2, bound, input = biased ? 1.0f : 0.0f;
    s.rows = ROWS;
    s.features = features;
    s.classes = classes;
    separate(&s, &teacher, biased, 1);
    q = measure(&teacher.m.live, &s, input);
    norm2 = pcn_norm2(pcn_dense(teacher.m.live.weight, (uint32_t)PCN_LINEAR_FLOATS(features, classes)));
    bound = pcn_measure_bound(&q, norm2) * (classes > 2 ? 2 : 1);
    CHECK(q.errors == 0 && q.margin >= 1 && bound < 1e9f);
    trainer_with(&t, s.features, s.classes, 0);
    t.m.learner.update = update;
    t.m.learner.bias_input = input;
    t.m.learner.rule.margin = theta;
    if (theta != 0) bound = (q.radius2 + 2 * theta) * norm2 / (q.margin * q.margin);
    pcn_pass_init(&pass, s.rows, 100000, random_state);
    while (pcn_pass_next(&pass, &row)) (void)pcn_pass_note(&pass, learn_row(&t, &s, row));
    CHECK(pass.result == PCN_END_CLEAN);
    CHECK(t.m.learner.count.updates != 0 && (double)t.m.learner.count.updates <= (double)bound);
    after = measure(&t.m.live, &s, input);
    CHECK(after.errors == 0 && after.margin > theta && after.violations == 0);
}

static void check_bounds(void)
{
    uint32_t n;
    for (n = 1; n <= N; n += 1 + n / 8) {
        check_bound(n, 2, NULL, 0, 0);
        check_bound(n, 2, NULL, 1, 0);
        check_bound(n, 2, NULL, 1, 3);
        if (n < 3) continue;
        check_bound(n, 3, pcn_update_predicted, 1, 0);
        check_bound(n, 3, pcn_update_uniform, 0, 0);
        check_bound(n, K, pcn_update_predicted, 0, 0);
        check_bound(n, K, pcn_update_uniform, 1, 0);
    }
}

int main(void)
{
    check_bounds();
    return report();
}
