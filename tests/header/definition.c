/* Several classes learn as the definition says, by each way to share an update (pcn_update_predicted, _others,
 * _uniform, _one_vs_rest): on whole numbers, with up to 70 classes. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

static double naive[K][N + 1]; /* W_k, the bias last */

static void naive_move(uint32_t k, double a, const set *s, uint32_t row)
{
    uint32_t j;
    for (j = 0; j < s->features; j++) naive[k][j] += a * (double)s->x[row][j];
    naive[k][N] += a;
}

static double naive_score(uint32_t k, const set *s, uint32_t row)
{
    double sum = naive[k][N];
    uint32_t j;
    for (j = 0; j < s->features; j++) sum += naive[k][j] * (double)s->x[row][j];
    return sum;
}

/* Rows of the last class come late; classes 3, so that 1 / |E| is exact. */
static void check_definition(size_t update, uint8_t zero_predicted)
{
    static set s;
    static trainer t;
    uint64_t fired = 0, mistakes = 0;
    uint32_t i, j, k;
    set_init(&s, ROWS, 9, 3, INTEGERS);
    for (i = 0; i < ROWS / 2; i++) s.y[i] %= 2;
    trainer_with(&t, s.features, s.classes, 0);
    t.m.learner.update = updates[update];
    t.m.learner.zero_predicted = zero_predicted;
    memset(naive, 0, sizeof naive);
    for (i = 0; i < 6 * ROWS; i++) {
        uint32_t row = i % ROWS, y = (uint32_t)s.y[row], guess = 0, r, in[3], violators = 0;
        uint64_t before = fired;
        double score[3];
        for (k = 0; k < 3; k++) score[k] = naive_score(k, &s, row);
        for (k = 1; k < 3; k++)
            if (score[k] > score[guess]) guess = k;
        r = y == 0;
        for (k = r + 1; k < 3; k++)
            if (k != y && score[k] > score[r]) r = k;
        for (k = 0; k < 3; k++) violators += in[k] = k != y && score[k] >= score[y];
        if (updates[update] == pcn_update_one_vs_rest) {
            for (k = 0; k < 3; k++) { /* at 0, +1 is predicted */
                double sign = k == y ? 1 : -1;
                if (sign * score[k] < 0 || (score[k] == 0 && (!zero_predicted || k != y))) {
                    naive_move(k, sign, &s, row);
                    fired++;
                }
            }
        } else if (zero_predicted ? guess != y : score[y] <= score[r]) {
            fired++;
            naive_move(y, 1, &s, row);
            for (k = 0; k < 3; k++) {
                if (updates[update] == pcn_update_predicted && k == r) naive_move(k, -1, &s, row);
                if (updates[update] == pcn_update_others && k != y) naive_move(k, -1, &s, row);
                if (updates[update] == pcn_update_uniform && in[k]) naive_move(k, -1.0 / violators, &s, row);
            }
        }
        mistakes += guess != y;
        CHECK(learn_row(&t, &s, row) == (fired != before));
        CHECK(t.m.learner.guess == (int)guess);
        CHECK(t.m.learner.count.updates == fired && t.m.learner.count.mistakes == mistakes);
    }
    for (k = 0; k < 3; k++) {
        CHECK((double)t.m.live.bias[k] == naive[k][N]);
        for (j = 0; j < s.features; j++) CHECK((double)weight_of(&t.m.live, k, j) == naive[k][j]);
    }
}

static uint32_t predicted(const pcn_learner *l, pcn_update *p, uint32_t y, float *change)
{
    return pcn_update_predicted(l, p, y, change);
}

/* The same from outside, for the fixed rule of rate 1, which says nothing but the changes. */
static uint32_t by_hand(const pcn_learner *l, pcn_update *p, uint32_t y, float *change)
{
    uint32_t k, fires = l->score[y] <= l->score[p->down];
    if (p->up != y || p->down != rival_of(l->score, l->scores, y)) return 0; /* and learns nothing */
    for (k = 0; k < l->scores; k++) change[k] = !fires ? 0.0f : k == y ? 1.0f : k == p->down ? -1.0f : 0.0f;
    return fires;
}

/* Any number of classes, many with equal scores: the usual update, which has a way of its own, learns as the same
 * update by another name, and as one from outside. */
static void check_many_classes(uint32_t classes, int feature_major)
{
    enum { MANY = 70, FEATURES = 9 };
    static float memory[3][PCN_PERCEPTRON_FLOATS(FEATURES, MANY)];
    float x[FEATURES];
    pcn_perceptron m[3];
    uint32_t i, j, k, wrong = 0;
    int result[3];
    for (k = 0; k < 3; k++) {
        CHECK(pcn_perceptron_init(&m[k], FEATURES, classes, memory[k], sizeof memory[k]) == PCN_OK);
        if (feature_major) CHECK(pcn_perceptron_use_feature_major(&m[k]) == PCN_OK);
    }
    m[1].learner.update = predicted;
    m[2].learner.update = by_hand;
    for (i = 0; i < 6 * classes; i++) {
        int y = (int)(random_bits() % classes);
        for (j = 0; j < FEATURES; j++) x[j] = random_integer(1);
        for (k = 0; k < 3; k++) result[k] = pcn_perceptron_learn(&m[k], pcn_dense(x, FEATURES), y);
        for (k = 1; k < 3; k++)
            wrong += result[0] != result[k] || m[0].learner.guess != m[k].learner.guess || result[0] < 0;
    }
    CHECK(wrong == 0);
    for (k = 1; k < 3; k++) {
        CHECK(memcmp(memory[0], memory[k], PCN_LINEAR_FLOATS(FEATURES, classes) * sizeof(float)) == 0);
        CHECK(m[0].learner.count.mistakes == m[k].learner.count.mistakes && m[0].learner.count.mistakes > classes);
    }
}

int main(void)
{
    size_t update;
    uint32_t classes;
    for (update = 0; update < LENGTH(updates); update++) {
        check_definition(update, 0);
        check_definition(update, 1);
    }
    for (classes = 3; classes <= 70; classes++) {
        check_many_classes(classes, 0);
        check_many_classes(classes, 1);
    }
    return report();
}
