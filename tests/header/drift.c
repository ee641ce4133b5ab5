/* Linear learners stay close to the same formulas in double precision, each by itself, on the same rows: on columns
 * of unlike size, from 1 to 10^6, and, where they keep a state beside their weights, in long runs.
 *
 * UPDATES: of each long run (default 200,000; make endurance: 10^8). */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "sums.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { N = 7, K = 3, ROWS = 20000, TESTS = 4000, SEEDS = 3, FINE = 1 << 24, COARSE = 8 };
enum { CLASSES = K, WORDS = (N + 1) * K };

#include "plain_integer.h"
#include "plain_linear.h"

typedef struct learner {
    const char *name;
    int classes;
    enum rule rule;
    enum update update;
    float setting; /* rate, lambda, C or r */
    float margin;
    int averaged;
} learner;

/* ---- Rows ---- */

typedef struct example {
    float x[N];
    int y;
} example;

/* Column j has numbers from -scale[j] to below scale[j], `steps` of them. The label is that of a target to which every
 * column says as much, whatever its scale, but for one row in sixteen. */
static example make_example(int classes, const float *scale, uint32_t steps)
{
    static const int target[K][N] = {{4, -3, 5, -4, 3, -5, 4}, {-5, 4, 3, 4, -5, -3, 3}, {2, -4, -5, 3, 4, 5, -5}};
    float sum, most = 0, z[N];
    int c, j;
    uint32_t noise = random_bits();
    example e;
    e.y = 0;
    for (j = 0; j < N; j++) {
        z[j] = (float)((random_bits() >> 8) % steps) / (float)steps * 2 - 1;
        e.x[j] = z[j] * scale[j];
    }
    for (c = 0; c < (int)PCN_SCORES(classes); c++) {
        for (j = 0, sum = 0.3f; j < N; j++) sum += (float)target[c][j] * z[j];
        if (c == 0 || sum > most) most = sum, e.y = c;
    }
    if (classes == 2) e.y = most > 0;
    if (noise % 16 == 0) e.y = (int)(noise / 16 % (uint32_t)classes);
    return e;
}

/* ---- Both ---- */

typedef struct pair {
    pcn_perceptron m;
    plain_linear p;
    const learner *l;
    float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], state[PCN_LINEAR_FLOATS(N, K)];
} pair;

static void pair_init(pair *t, const learner *l)
{
    static uint32_t (*const update[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    pcn_perceptron *m = &t->m;
    t->l = l;
    linear_init(&t->p, N, PCN_SCORES(l->classes), l->rule);
    t->p.update = l->update;
    t->p.rate = l->rule == FRACTIONAL ? 1 : (double)l->setting, t->p.by = (double)l->setting;
    t->p.margin = (double)l->margin;
    CHECK(pcn_perceptron_init(m, N, (uint32_t)l->classes, t->memory, sizeof t->memory) == PCN_OK);
    if (l->rule == AROW) CHECK(pcn_perceptron_use_confidence(m, l->setting, t->state, sizeof t->state) == PCN_OK);
    if (l->rule >= WINNOW)
        CHECK(pcn_perceptron_use_winnow(m, 0, l->rule == BALANCED, t->state, sizeof t->state) == PCN_OK);
    if (l->averaged) CHECK(pcn_perceptron_use_averaging(m, t->sum, sizeof t->sum) == PCN_OK);
    if (l->rule == FIXED || l->rule >= WINNOW) m->learner.rule = pcn_rule_fixed(l->setting);
    if (l->rule == ABSOLUTE) m->learner.rule = pcn_rule_absolute();
    if (l->rule == FRACTIONAL) m->learner.rule = pcn_rule_fractional(l->setting);
    if (l->rule == PA) m->learner.rule = pcn_rule_pa(l->setting);
    if (l->rule == PA2) m->learner.rule = pcn_rule_pa2(l->setting);
    m->learner.rule.margin = l->margin;
    m->learner.update = l->update == PREDICTED ? NULL : update[l->update];
}

static int learn(pair *t, const example *e)
{
    pcn_vec x = pcn_dense(e->x, N);
    linear_learn(&t->p, e->x, e->y);
    return pcn_perceptron_learn(&t->m, x, e->y);
}

/* ---- Columns of 1 to 10^6 ---- */

static const learner learners[] = {
    {"perceptron", 2, FIXED, PREDICTED, 1, 0, 1},
    {"margin", 2, FIXED, PREDICTED, 0.3f, 100, 1},
    {"absolute", 2, ABSOLUTE, PREDICTED, 1, 0, 1},
    {"fractional", 2, FRACTIONAL, PREDICTED, 0.7f, 1, 1},
    {"PA", 2, PA, PREDICTED, FLT_MAX, 1, 1},
    {"PA-I", 2, PA, PREDICTED, 0.1f, 1, 1},
    {"PA-II", 2, PA2, PREDICTED, 0.1f, 1, 1},
    {"AROW", 2, AROW, PREDICTED, 1, 1, 1},
    {"AROW, r 0.1", 2, AROW, PREDICTED, 0.1f, 1, 0},
    {"Winnow", 2, WINNOW, PREDICTED, 1e-6f, 0, 0},
    {"balanced Winnow", 2, BALANCED, PREDICTED, 1e-6f, 0, 1},
    {"classes, predicted", K, FIXED, PREDICTED, 1, 0, 1},
    {"classes, others", K, FIXED, OTHERS, 1, 0, 1},
    {"classes, uniform", K, FIXED, UNIFORM, 1, 0, 1},
    {"classes, one-vs-rest", K, FIXED, ONE_VS_REST, 1, 0, 1},
    {"classes, absolute", K, ABSOLUTE, PREDICTED, 1, 0, 0},
    {"classes, fractional", K, FRACTIONAL, UNIFORM, 0.7f, 1, 1},
    {"classes, PA-I", K, PA, PREDICTED, 0.1f, 1, 1},
    {"classes, PA-II", K, PA2, OTHERS, 0.1f, 1, 1},
    {"classes, AROW", K, AROW, PREDICTED, 1, 1, 1},
    {"one-vs-rest, AROW", K, AROW, ONE_VS_REST, 0.1f, 1, 1},
    {"classes, balanced Winnow", K, BALANCED, PREDICTED, 1e-6f, 0, 0},
};

/* Errors of both on new rows, in percent of them: by the means if there are any. */
static void test_errors(const pair *t, const float *scale, double *ours, double *exact)
{
    float out[PCN_LINEAR_FLOATS(N, K)];
    const learner *l = t->l;
    pcn_linear model = t->m.live;
    double w[WORDS], s[K];
    uint32_t i, wrong = 0, plain_wrong = 0;
    CHECK(pcn_perceptron_final(&t->m, &model, out, sizeof out) == PCN_OK);
    for (i = 0; i < PCN_LINEAR_FLOATS(N, t->p.classes); i++)
        w[i] = l->averaged ? linear_mean(&t->p, i, ROWS) : t->p.w[i];
    for (i = 0; i < TESTS; i++) {
        example e = make_example(l->classes, scale, FINE);
        pcn_vec x = pcn_dense(e.x, N);
        uint32_t c;
        wrong += pcn_linear_predict(&model, x) != e.y;
        for (c = 0; c < t->p.classes; c++) s[c] = linear_score(&t->p, w, c, e.x);
        plain_wrong += linear_best(&t->p, s, -1) != e.y;
    }
    *ours = 100.0 * wrong / TESTS;
    *exact = 100.0 * plain_wrong / TESTS;
}

/* Rounding decides a few rows otherwise, and then both go their own ways; but one is as good as the other. */
static void check_unscaled(const learner *l, const float *scale)
{
    static pair t;
    double most = 0, last = 0, ours, exact, sum = 0, of_plain = 0;
    uint32_t seed, i;
    for (seed = 1; seed <= SEEDS; seed++) {
        int good = 1;
        random_state = seed * 12345;
        pair_init(&t, l);
        for (i = 0; i < ROWS && good; i++) {
            example e = make_example(l->classes, scale, FINE);
            good = learn(&t, &e) >= 0;
        }
        CHECK(good);
        test_errors(&t, scale, &ours, &exact);
        sum += ours, of_plain += exact;
        last = fmax(last, fabs(ours - exact));
        most = fmax(most, 100 * fabs((double)t.m.learner.count.mistakes - (double)t.p.mistakes) / ROWS);
    }
    CHECK(last < 1 && most < 1);
    printf("%-25s errors %.2f %%, in double %.2f %%, apart by %.2f at most; mistakes by %.2f\n", l->name, sum / SEEDS,
           of_plain / SEEDS, last, most);
}

/* The integer learner has no rounding: its weights are the plain ones. Columns of 10 to 30,000. */
static void check_integers(uint64_t updates)
{
    static const float scale[N] = {10, 30, 100, 300, 1e3f, 1e4f, 3e4f};
    static plain v;
    int32_t memory[PCN_IPERCEPTRON_NUMBERS(N, 2)];
    uint64_t done, rows;
    pcn_iperceptron m;
    int j, good = 1;
    random_state = 1;
    plain_init(&v, N, 1);
    CHECK(pcn_iperceptron_init(&m, N, 2, memory, sizeof memory) == PCN_OK);
    for (done = rows = 0; done < updates && good; rows++) {
        example e = make_example(2, scale, FINE);
        int16_t x[N];
        int fired;
        for (j = 0; j < N; j++) x[j] = (int16_t)e.x[j];
        fired = plain_learn(&v, &m, x, e.y);
        good = pcn_iperceptron_learn(&m, pcn_idense(x, N), e.y) == fired && m.updates == v.updates;
        for (j = 0; j <= N; j++) good &= memory[j] == v.w[j];
        done += (uint64_t)fired;
    }
    CHECK(good);
    printf("%-25s %llu updates, %llu rows: weights as in 64 bits\n", "integers", (unsigned long long)done,
           (unsigned long long)rows);
}

/* ---- Long runs ---- */

/* Winnow beside exponents that take the learner's own steps in double: a step in float rounds by 2^-24 of e and of
 * itself at most, and not at all if all are multiples of 1/64. (Each model goes its own way: weights do not compare.) */
typedef struct follower {
    double e[N], largest;
} follower;

static void follow(follower *f, const pair *t, const example *e)
{
    int j;
    for (j = 0; j < N; j++) {
        f->e[j] += (e->y ? 1 : -1) * (double)t->l->setting * (double)e->x[j];
        f->largest = fmax(f->largest, fabs(f->e[j]));
    }
}

static void check_exponents(const follower *f, const pair *t, uint64_t updates)
{
    double far = 0;
    int j, exact = t->l->setting == 0.0625f;
    for (j = 0; j < N; j++) far = fmax(far, fabs((double)t->state[j] - f->e[j]));
    CHECK(exact ? far == 0 : far <= ldexp((double)updates * (f->largest + 1), -24));
    printf("    exponents %g off, of %g at most\n", far, f->largest);
}

/* Variances stop at about 2^-24 r / x^2, where x^2 is 0.34 on average, and small steps of weights are lost. */
static void check_variances(const pair *t, double largest)
{
    double apart = 0, most = 0;
    int j, good = 1;
    for (j = 0; j <= N; j++) {
        double s = (double)t->state[j], exact = t->p.state[j];
        good &= s >= 0.99 * exact && s <= 1.01 * exact + ldexp(1, -22);
        apart = fmax(apart, fabs((double)t->memory[j] - t->p.w[j]));
        most = fmax(most, s / exact);
    }
    CHECK(good && apart < 0.1 * largest);
    printf("    variances up to %.2f times those in double, weights %g off, of %g at most\n", most, apart, largest);
}

static void check_mean(const pair *t, double rows, double largest)
{
    float mean[PCN_LINEAR_FLOATS(N, 2)];
    pcn_linear model;
    double far = 0;
    int j, good = pcn_perceptron_final(&t->m, &model, mean, sizeof mean) == PCN_OK;
    for (j = 0; j <= N; j++) {
        double exact = linear_mean(&t->p, (size_t)j, rows), off = fabs((double)mean[j] - exact);
        good &= off <= ldexp(fabs(exact), -23) + ldexp(largest, -34);
        far = fmax(far, off);
    }
    CHECK(good);
    printf("    means %g off, weights %g at most\n", far, largest);
}

static void check_long(const learner *l, uint64_t updates)
{
    static const float ones[N] = {1, 1, 1, 1, 1, 1, 1};
    static pair t;
    follower f;
    double largest = 0, rows, apart;
    int j, result = 1;
    memset(&f, 0, sizeof f);
    random_state = 1;
    pair_init(&t, l);
    while (t.m.learner.count.updates < updates && result >= 0) {
        example e = make_example(2, ones, COARSE);
        result = learn(&t, &e);
        if (result > 0 && l->rule >= WINNOW) follow(&f, &t, &e);
        for (j = 0; j <= N; j++) largest = fmax(largest, fabs(t.p.w[j]));
    }
    rows = (double)t.m.learner.count.rows;
    apart = 100 * fabs((double)t.m.learner.count.mistakes - (double)t.p.mistakes) / rows;
    CHECK(result >= 0 && apart < 0.5);
    printf("%-25s %.0f updates, %.0f rows, mistakes %.3f %% of them, apart by %.3f %%\n", l->name,
           (double)t.m.learner.count.updates, rows, 100 * (double)t.m.learner.count.mistakes / rows, apart);
    if (l->rule >= WINNOW) check_exponents(&f, &t, updates);
    if (l->rule == AROW) check_variances(&t, largest);
    if (l->averaged) check_mean(&t, rows, largest);
}

static const learner long_learners[] = {
    {"averaged, long", 2, FIXED, PREDICTED, 1, 0, 1},
    {"AROW, long", 2, AROW, PREDICTED, 1, 1, 0},
    {"Winnow, long", 2, WINNOW, PREDICTED, 0.1f, 1, 0},
    {"balanced Winnow, long", 2, BALANCED, PREDICTED, 0.1f, 0, 0},
    {"rate 1/16, long", 2, BALANCED, PREDICTED, 0.0625f, 0, 0},
};

int main(void)
{
    static const float ladder[N] = {1, 10, 100, 1e3f, 1e4f, 1e5f, 1e6f}, one[N] = {1, 1, 1, 1, 1, 1, 1e6f};
    const char *text = getenv("UPDATES");
    uint64_t updates = text ? strtoull(text, NULL, 10) : 200000;
    size_t i;
    for (i = 0; i < LENGTH(learners); i++) check_unscaled(&learners[i], ladder);
    for (i = 0; i < LENGTH(learners); i++) check_unscaled(&learners[i], one);
    check_integers(updates);
    for (i = 0; i < LENGTH(long_learners); i++) check_long(&long_learners[i], updates);
    return report();
}
