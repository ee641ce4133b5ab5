/* Runs that the literature prints (Su, Eaton, Honavar, CIML) come out number by number: decisions, conventions at a
 * score of 0, orders, batches, weights and averages.
 *
 * One routine runs a set under a setting; the tables say what must come out. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "sums.h"
#include "test.h"

#include <float.h>
#include <string.h>

#define VALUE float
#include "sets.h"

enum { CLASSES = 3, TRACE = 64 };

static const set honavar_goal = {3, 2, 2, {{1, 1}, {0, 2}, {0, -2}}, {1, 0, 0}};

typedef struct preset {
    uint8_t zero_negative, zero_predicted;
} preset;

static const preset su = {0, 1}, eaton = {0, 0}, honavar = {1, 1}, ciml = {1, 0};

typedef struct run {
    pcn_perceptron m;
    pcn_pass pass;
    float memory[PCN_PERCEPTRON_FLOATS(FEATURES, CLASSES)], sum[PCN_AVERAGING_FLOATS(FEATURES, CLASSES)];
    uint32_t presented, mistakes, updates;
    uint32_t at[TRACE];             /* numbers of the rows that updated, from 1 */
    float w[TRACE][W], step[TRACE]; /* weights after each, and how far the bias moved */
    uint32_t survival[TRACE];       /* rows that the k-th weights stood, their own too */
} run;

static void run_init(run *r, const set *s, preset p)
{
    memset(r, 0, sizeof *r);
    CHECK(pcn_perceptron_init(&r->m, s->features, s->classes, r->memory, sizeof r->memory) == 0);
    r->m.live.zero_negative = p.zero_negative;
    r->m.learner.zero_predicted = p.zero_predicted;
    pcn_pass_init(&r->pass, s->rows, 0, 1);
    r->pass.order = PCN_ORDER_FILE;
}

/* W = [b, w1, w2, ...] of one score. */
static void class_weights(const pcn_linear *m, uint32_t cls, float *w)
{
    uint32_t j;
    w[0] = m->bias[cls];
    for (j = 0; j < m->features; j++) w[1 + j] = m->weight[weight_at(m, cls, j)];
}

static pcn_vec row_of(const set *s, uint32_t row)
{
    return pcn_dense(s->x[row], s->features);
}

static int learn(pcn_perceptron *m, const set *s, uint32_t row)
{
    return pcn_perceptron_learn(m, row_of(s, row), s->y[row]);
}

static void run_row(run *r, const set *s, uint32_t row)
{
    uint32_t k = r->updates;
    float before = r->m.live.bias[0];
    int said = pcn_linear_predict(&r->m.live, row_of(s, row));
    int learned = learn(&r->m, s, row);
    r->presented++;
    CHECK(r->m.learner.guess == said);
    if (s->classes == 2) {
        float score = r->m.learner.score[0];
        CHECK(said == (score > 0 || (score == 0 && !r->m.live.zero_negative)));
        r->mistakes += said != s->y[row];
        CHECK(r->m.learner.count.mistakes == r->mistakes);
    }
    (void)pcn_pass_note(&r->pass, learned);
    if (learned > 0 && k < TRACE - 1) {
        r->at[k] = r->presented;
        r->step[k] = r->m.live.bias[0] - before;
        if (r->step[k] < 0) r->step[k] = -r->step[k];
        class_weights(&r->m.live, 0, r->w[k]);
    }
    if (learned > 0) r->updates++;
    r->survival[r->updates < TRACE ? r->updates : TRACE - 1]++;
}

static void run_epochs(run *r, const set *s, uint32_t epochs)
{
    uint32_t row;
    r->pass.epochs = epochs;
    while (pcn_pass_next(&r->pass, &row)) run_row(r, s, row);
}

/* Names the row of a table that fails. */
static int named(int good, const char *name)
{
    if (!good) printf("in \"%s\":\n", name);
    return good;
}

static int same_numbers(const float *a, const float *b, uint32_t n)
{
    while (n != 0 && a[n - 1] == b[n - 1]) n--;
    return n == 0;
}

/* ---- Binary, one row at a time ---- */

enum kind { FIXED_RULE, ABSOLUTE_RULE, FRACTIONAL_RULE };

static pcn_rule rule_of(enum kind kind, float limit, float margin)
{
    pcn_rule rule = kind == ABSOLUTE_RULE     ? pcn_rule_absolute()
                    : kind == FRACTIONAL_RULE ? pcn_rule_fractional(limit)
                                              : pcn_rule_fixed(1);
    rule.margin = margin;
    return rule;
}

#define FIXED FIXED_RULE, 0, 0
#define THICK(theta) FIXED_RULE, 0, theta
#define ABSOLUTE ABSOLUTE_RULE, 0, 0
#define FRACTIONAL(lambda) FRACTIONAL_RULE, lambda, 0

typedef struct binary_case {
    const char *name;
    const set *data;
    const preset *zero;
    enum kind kind;
    float limit, theta;
    uint32_t updates, window, epoch; /* rows presented when the pass ends by either kind of stop */
    float final[W];
} binary_case;

static const binary_case binary_cases[] = {
    {"OR Honavar", &or_set, &honavar, FIXED, 4, 13, 16, {0, 1, 1}},
    {"OR Su", &or_set, &su, FIXED, 5, 13, 16, {-1, 1, 1}},
    {"OR CIML", &or_set, &ciml, FIXED, 9, 21, 24, {-1, 2, 2}},
    {"OR Eaton", &or_set, &eaton, FIXED, 9, 21, 24, {-1, 2, 2}},
    {"AND Honavar", &and_set, &honavar, FIXED, 10, 22, 24, {-2, 2, 1}},
    {"AND Su", &and_set, &su, FIXED, 11, 22, 24, {-3, 2, 1}},
    {"AND CIML", &and_set, &ciml, FIXED, 18, 34, 36, {-4, 3, 2}},
    {"XOR product Honavar", &xor_product, &honavar, FIXED, 16, 29, 32, {0, 1, 1, -3}},
    {"XOR product Su", &xor_product, &su, FIXED, 17, 29, 32, {-1, 1, 1, -3}},
    {"XOR product CIML", &xor_product, &ciml, FIXED, 29, 45, 48, {-1, 2, 2, -5}},
    {"OR margin 1", &or_set, &eaton, THICK(1), 18, 0, 44, {-2, 4, 4}},
    {"OR margin 2", &or_set, &eaton, THICK(2), 27, 0, 64, {-3, 6, 6}},
    {"OR absolute", &or_set, &honavar, ABSOLUTE, 6, 0, 0, {0, 2, 2}},
    {"AND absolute", &and_set, &honavar, ABSOLUTE, 2, 0, 0, {-1, 1, 1}},
    {"OR fractional 1", &or_set, &honavar, FRACTIONAL(1), 4, 0, 0, {0, 1, 1}},
    {"OR fractional 3/2", &or_set, &honavar, FRACTIONAL(1.5f), 3, 0, 0, {-0.125f, 0.375f, 1}},
    {"OR fractional 2", &or_set, &honavar, FRACTIONAL(2), 6, 0, 0, {0, 2, 2}},
    {"AND fractional 1", &and_set, &honavar, FRACTIONAL(1), 4, 0, 0, {-0.75f, 0.75f, 0.5f}},
};

static void check_binary(void)
{
    size_t i;
    for (i = 0; i < LENGTH(binary_cases); i++) {
        const binary_case *c = &binary_cases[i];
        int stop;
        for (stop = PCN_STOP_EPOCH; stop <= PCN_STOP_WINDOW; stop++) {
            uint32_t presented = stop == PCN_STOP_EPOCH ? c->epoch : c->window;
            float w[W];
            run r;
            run_init(&r, c->data, *c->zero);
            r.m.learner.rule = rule_of(c->kind, c->limit, c->theta);
            r.pass.stop = (uint8_t)stop;
            run_epochs(&r, c->data, 100);
            class_weights(&r.m.live, 0, w);
            CHECK(named(r.pass.result == PCN_END_CLEAN, c->name));
            CHECK(named(r.updates == c->updates && r.m.learner.count.updates == c->updates, c->name));
            CHECK(named(r.m.learner.count.rows == r.presented, c->name));
            CHECK(named(presented == 0 || r.presented == presented, c->name));
            CHECK(named(same_numbers(w, c->final, 1 + c->data->features), c->name));
        }
    }
}

typedef struct step_case {
    const char *name;
    const set *data;
    const preset *zero;
    enum kind kind;
    float limit, theta;
    uint32_t at[10], survival[10]; /* survival: of the zero weights first; 0s: not checked */
    float w[10][3], steps[10];     /* zeros: not checked */
} step_case;

/* clang-format off */
static const step_case step_cases[] = {
    {"OR Honavar", &or_set, &honavar, FIXED, {2, 5, 7, 9}, {1, 3, 2, 2, 8},
     {{1, 0, 1}, {0, 0, 1}, {1, 1, 1}, {0, 1, 1}}, {1, 1, 1, 1}},
    {"OR Su", &or_set, &su, FIXED, {1, 2, 5, 7, 9}, {0, 1, 3, 2, 2, 8},
     {{-1, 0, 0}, {0, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {-1, 1, 1}}, {1, 1, 1, 1, 1}},
    {"OR CIML", &or_set, &ciml, FIXED, {1, 2, 3, 5, 9, 10, 13, 15, 17},
     {0, 1, 1, 2, 4, 1, 3, 2, 2, 8},
     {{-1, 0, 0}, {0, 0, 1}, {1, 1, 1}, {0, 1, 1}, {-1, 1, 1}, {0, 1, 2}, {-1, 1, 2}, {0, 2, 2},
      {-1, 2, 2}}, {1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"OR absolute", &or_set, &honavar, ABSOLUTE, {2, 5, 6, 7, 9, 11}, {0}, {{0}},
     {1, 2, 1, 1, 2, 1}},
    {"AND absolute", &and_set, &honavar, ABSOLUTE, {0}, {0}, {{0}}, {1, 2}},
};
/* clang-format on */

static void check_steps(void)
{
    size_t i;
    for (i = 0; i < LENGTH(step_cases); i++) {
        const step_case *c = &step_cases[i];
        uint32_t k, total = 0;
        run r;
        run_init(&r, c->data, *c->zero);
        r.m.learner.rule = rule_of(c->kind, c->limit, c->theta);
        run_epochs(&r, c->data, 100);
        for (k = 0; k < r.updates; k++) {
            CHECK(named(c->at[0] == 0 || r.at[k] == c->at[k], c->name));
            CHECK(named(c->survival[1] == 0 || same_numbers(r.w[k], c->w[k], 3), c->name));
            CHECK(named(r.step[k] == c->steps[k], c->name));
        }
        for (k = 0; k <= r.updates; k++) {
            CHECK(named(c->survival[1] == 0 || r.survival[k] == c->survival[k], c->name));
            total += r.survival[k];
        }
        CHECK(named(total == r.presented, c->name));
    }
}

/* With the window stop, Honavar's last weights stand 5 rows instead of 8. */
static void check_window_survival(void)
{
    run r;
    run_init(&r, &or_set, honavar);
    r.pass.stop = PCN_STOP_WINDOW;
    run_epochs(&r, &or_set, 100);
    CHECK(r.survival[4] == 5 && r.pass.run == 4);
}

/* Are all rows classified as the set has them? */
static int all_right(const pcn_linear *m, const set *s)
{
    uint32_t i, right = 0;
    for (i = 0; i < s->rows; i++) right += pcn_linear_predict(m, row_of(s, i)) == s->y[i];
    return right == s->rows;
}

/* Solutions with a row on the plane are solutions only under the convention that found them: it goes with the
 * frozen model, its copies and means, and its images, but is not what another trainer says. */
static void check_on_the_plane(const set *s, preset p, const float *w)
{
    float image[64], out[PCN_LINEAR_FLOATS(FEATURES, 2)], now[W];
    const uint32_t one = 1;
    const int little = *(const uint8_t *)&one == 1;
    pcn_linear m;
    size_t size;
    run r, loaded;
    int kind;
    run_init(&r, s, p);
    CHECK(pcn_perceptron_use_averaging(&r.m, r.sum, sizeof r.sum) == 0);
    run_epochs(&r, s, 100);
    class_weights(&r.m.live, 0, now);
    CHECK(r.pass.result == PCN_END_CLEAN && same_numbers(now, w, 1 + s->features));
    CHECK(pcn_linear_score(&r.m.live, row_of(s, 0)) == 0 && s->y[0] == 0);
    CHECK(pcn_linear_predict(&r.m.live, row_of(s, 0)) == 0 && all_right(&r.m.live, s));
    CHECK(pcn_perceptron_final(&r.m, &m, out, sizeof out) == PCN_OK && m.zero_negative == 1);
    CHECK(pcn_linear_copy(&r.m.live, &m, out, sizeof out) == PCN_OK && all_right(&m, s));
    m.zero_negative = 0; /* a copy: the convention of the trainer is its own */
    CHECK(pcn_linear_predict(&m, row_of(s, 0)) == 1 && all_right(&r.m.live, s));
    for (kind = 0; kind < 2; kind++) { /* frozen, trainer */
        memset(&m, 0, sizeof m);
        size = kind ? pcn_perceptron_save(&r.m, image, sizeof image) : pcn_linear_save(&r.m.live, image, sizeof image);
        CHECK(size != 0);
        CHECK(pcn_linear_open(&m, image, size) == (kind ? PCN_EMEAN : little ? PCN_OK : PCN_EALIGN));
        if (!kind && little) CHECK(m.zero_negative == 1 && all_right(&m, s));
        run_init(&loaded, s, eaton);
        CHECK(pcn_perceptron_use_averaging(&loaded.m, loaded.sum, sizeof loaded.sum) == 0);
        CHECK(pcn_perceptron_load(&loaded.m, image, size) == PCN_OK);
        CHECK(loaded.m.live.zero_negative == 1 && all_right(&loaded.m.live, s));
    }
    r.m.live.zero_negative = 0; /* and the other way round */
    CHECK(!all_right(&r.m.live, s));
    size = pcn_perceptron_save(&r.m, image, sizeof image);
    CHECK(pcn_perceptron_load(&loaded.m, image, size) == PCN_OK);
    CHECK(loaded.m.live.zero_negative == 0 && !all_right(&loaded.m.live, s));
}

static void check_honavar(void)
{
    static const float or_w[W] = {0, 1, 1}, product_w[W] = {0, 1, 1, -3};
    check_on_the_plane(&or_set, honavar, or_w);
    check_on_the_plane(&xor_product, honavar, product_w);
}

/* lambda < 1 never crosses the plane: on OR the bias is halved once an epoch, for ever. */
static void check_fractional_half(void)
{
    run r;
    run_init(&r, &or_set, honavar);
    r.m.learner.rule = pcn_rule_fractional(0.5f);
    run_epochs(&r, &or_set, 21);
    CHECK(r.updates == 21 && r.pass.result == PCN_END_LIMIT);
    CHECK(r.m.live.bias[0] == 1.0f / 1048576 && r.m.live.weight[0] == 0 && r.m.live.weight[1] == 1);
}

/* Above 2^23 too, the absolute rule crosses the plane instead of landing on it. */
static void check_absolute_large(void)
{
    static const float start[] = {8388606, 8388607, 8388608, 8388610, 16777214};
    size_t i;
    for (i = 0; i < LENGTH(start); i++) {
        float memory[PCN_PERCEPTRON_FLOATS(1, 2)], one = 1;
        pcn_perceptron m;
        CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == 0);
        m.learner.bias_input = 0;
        m.learner.rule = pcn_rule_absolute();
        memory[0] = -start[i];
        CHECK(pcn_perceptron_learn(&m, pcn_dense(&one, 1), 1) == 1);
        CHECK(memory[0] == 1);
    }
}

/* A summable schedule: (1,10) +, (1,1) -, rates 1, 1/2, 1/4 ... go to (0,9) for ever wrong. */
static void check_summable_rates(void)
{
    static const set s = {2, 2, 2, {{1, 10}, {1, 1}}, {1, 0}};
    run r;
    uint32_t i;
    run_init(&r, &s, eaton);
    r.m.learner.bias_input = 0;
    for (i = 0; i < 60; i++)
        if (learn(&r.m, &s, i % 2) > 0) r.m.learner.rule.rate /= 2;
    CHECK(learn(&r.m, &s, 1) == 1);
    CHECK(r.m.live.weight[0] >= 0 && r.m.live.weight[0] < 1e-6f);
    CHECK(r.m.live.weight[1] >= 9 && r.m.live.weight[1] < 9.00001f);
}

/* One epoch of OR under the passive-aggressive rules. */
static void check_passive_aggressive(void)
{
    static const float third = 1.0f / 3;
    const struct {
        float w[3], step[4];
        uint32_t updates;
    } c[] = {
        {{0.5f, 0.5f, 1}, {1, 1, 0.5f}, 3},
        {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, 3},
        {{third, third, 0.5f}, {0.5f, 0.5f, third}, 3},
    };
    pcn_rule rule[LENGTH(c)];
    size_t i;
    rule[0] = pcn_rule_pa(FLT_MAX);
    rule[1] = pcn_rule_pa(0.5f);
    rule[2] = pcn_rule_pa2(0.5f);
    for (i = 0; i < LENGTH(c); i++) {
        float w[W];
        run r;
        run_init(&r, &or_set, eaton);
        r.m.learner.rule = rule[i];
        run_epochs(&r, &or_set, 1);
        class_weights(&r.m.live, 0, w);
        CHECK(same_numbers(w, c[i].w, 3));
        CHECK(r.updates == c[i].updates && same_numbers(r.step, c[i].step, 3));
    }
}

/* ---- Proofs that a set does not separate ---- */

static void check_cycles(void)
{
    static const struct {
        const char *name;
        const set *data;
        const preset *zero;
        float bias_input;
        uint32_t proof;      /* the epoch after which the weights have returned; 0: they do not */
        uint32_t updates[4]; /* in epochs 1 .. 4; zeros: not checked */
        float w[3];          /* that come back */
    } c[] = {
        {"XOR CIML", &xor_set, &ciml, 1, 1, {4, 4, 4, 4}, {0, 0, 0}},
        {"XOR Honavar", &xor_set, &honavar, 1, 3, {2, 3, 4, 4}, {1, -1, 0}},
        {"XOR Su", &xor_set, &su, 1, 3, {3, 3, 4, 4}, {0, -1, 0}},
        {"XOR product", &xor_product, &ciml, 1, 0, {0}, {0}},
        {"AND", &and_set, &honavar, 1, 0, {0}, {0}},
        {"Honavar's weaker goal", &honavar_goal, &honavar, 0, 2, {3, 2, 2, 2}, {0, 1, 1}},
    };
    size_t i;
    for (i = 0; i < LENGTH(c); i++) {
        const set *s = c[i].data;
        uint32_t proof = 0, row, k;
        float copy[W] = {0}, w[W];
        run r;
        run_init(&r, s, *c[i].zero);
        r.m.learner.bias_input = c[i].bias_input;
        r.pass.epochs = 20;
        CHECK(pcn_pass_cycle(&r.pass, r.m.live.weight, copy, PCN_LINEAR_FLOATS(s->features, 2)) == 0);
        while (pcn_pass_next(&r.pass, &row)) {
            run_row(&r, s, row);
            if (r.pass.left != 0) continue;
            k = r.pass.epoch - 1;
            CHECK(named(k >= 4 || c[i].updates[0] == 0 || r.pass.updates == c[i].updates[k], c[i].name));
            if (pcn_pass_cycle(&r.pass, r.m.live.weight, copy, PCN_LINEAR_FLOATS(s->features, 2)) && !proof) {
                proof = r.pass.epoch;
                class_weights(&r.m.live, 0, w);
                CHECK(named(c[i].updates[0] == 0 || same_numbers(w, c[i].w, 3), c[i].name));
            }
        }
        CHECK(named(proof == c[i].proof, c[i].name));
        CHECK(named((r.pass.result == PCN_END_CLEAN) == (c[i].proof == 0), c[i].name));
    }
}

/* ---- Averaging: CIML Algorithm 7 on OR ---- */

/* An exact fraction, rounded once: double rounds it first, to 53 bits, which does no harm here. */
static float fraction(int a, int b)
{
    return (float)((double)a / b);
}

static void check_averaging(void)
{
    static const struct {
        uint32_t epochs;
        float w[3];  /* live */
        int u[3], c; /* beta, u; the clock */
        int mean[3][2];
    } c[] = {
        {1, {1, 1, 1}, {4, 3, 2}, 5, {{1, 5}, {2, 5}, {3, 5}}},
        {2, {0, 1, 1}, {-1, 3, 2}, 9, {{1, 9}, {2, 3}, {7, 9}}},
        {5, {-1, 2, 2}, {-15, 18, 12}, 21, {{-2, 7}, {8, 7}, {10, 7}}},
        {10, {-1, 2, 2}, {-15, 18, 12}, 41, {{-26, 41}, {64, 41}, {70, 41}}},
    };
    size_t i;
    uint32_t j;
    for (i = 0; i < LENGTH(c); i++) {
        float out[PCN_LINEAR_FLOATS(2, 2)], w[W];
        pcn_linear mean;
        run r;
        run_init(&r, &or_set, ciml);
        CHECK(pcn_perceptron_use_averaging(&r.m, r.sum, sizeof r.sum) == 0);
        r.pass.stop = PCN_STOP_NEVER;
        run_epochs(&r, &or_set, c[i].epochs);
        class_weights(&r.m.live, 0, w);
        CHECK(same_numbers(w, c[i].w, 3) && r.m.learner.clock + 1 == (uint64_t)c[i].c);
        CHECK(r.sum[2] == (float)c[i].u[0]); /* layout of sums: as weights, then their low parts */
        CHECK(r.sum[0] == (float)c[i].u[1] && r.sum[1] == (float)c[i].u[2]);
        CHECK(pcn_perceptron_final(&r.m, &mean, out, sizeof out) == PCN_OK);
        class_weights(&mean, 0, w);
        for (j = 0; j < 3; j++) CHECK(w[j] == fraction(c[i].mean[j][0], c[i].mean[j][1]));
        CHECK(pcn_perceptron_final(&r.m, &mean, r.sum, sizeof r.sum) == PCN_OK); /* in the place of the sums */
        CHECK(mean.weight == r.sum && memcmp(r.sum, out, PCN_LINEAR_FLOATS(2, 2) * sizeof *out) == 0);
    }
}

/* ---- Batches ---- */

static void check_batches(void)
{
    static const struct {
        const char *name;
        const set *data;
        uint32_t size;
        float scale, w[3];
        uint32_t passes, updates; /* updates 0: not checked */
    } c[] = {
        {"OR mean", &or_set, 4, 0.25f, {-0.25f, 0.5f, 0.5f}, 5, 0},
        {"OR sum", &or_set, 4, 1, {-1, 2, 2}, 5, 0},
        {"AND mean", &and_set, 4, 0.25f, {-0.75f, 0.5f, 0.5f}, 10, 0},
        {"AND sum", &and_set, 4, 1, {-3, 2, 2}, 10, 0},
        {"OR in pairs", &or_set, 2, 1, {-1, 2, 2}, 7, 9},
        {"OR one by one", &or_set, 1, 1, {-1, 2, 2}, 6, 9},
    };
    size_t i;
    for (i = 0; i < LENGTH(c); i++) {
        float batch[PCN_LINEAR_FLOATS(2, 2)], w[W];
        uint32_t row;
        run r;
        run_init(&r, c[i].data, eaton);
        CHECK(pcn_perceptron_use_batch(&r.m, batch, sizeof batch) == 0);
        r.pass.epochs = 50;
        while (pcn_pass_next(&r.pass, &row)) {
            run_row(&r, c[i].data, row);
            if (r.presented % c[i].size == 0) CHECK(pcn_perceptron_apply_batch(&r.m, c[i].scale) >= 0);
        }
        class_weights(&r.m.live, 0, w);
        CHECK(named(r.pass.result == PCN_END_CLEAN && r.pass.epoch == c[i].passes, c[i].name));
        CHECK(named(same_numbers(w, c[i].w, 3), c[i].name));
        CHECK(named(c[i].updates == 0 || r.updates == c[i].updates, c[i].name));
    }
}

/* XOR: the batch sums to 0 with all four rows violated, which must not look like a separation. */
static void check_batch_xor(void)
{
    float batch[PCN_LINEAR_FLOATS(2, 2)];
    run r;
    run_init(&r, &xor_set, eaton);
    CHECK(pcn_perceptron_use_batch(&r.m, batch, sizeof batch) == 0);
    run_epochs(&r, &xor_set, 1);
    CHECK(pcn_norm2(pcn_dense(batch, 3)) == 0);
    CHECK(pcn_perceptron_apply_batch(&r.m, 1) == 0);
    CHECK(r.updates == 4 && r.pass.updates == 4 && r.pass.result == PCN_END_LIMIT);
}

/* ---- Bias only, and the worked examples of CIML ---- */

static void check_bias_only(void)
{
    run r;
    uint32_t i;
    run_init(&r, &no_features, ciml);
    for (i = 0; i < 20; i++) {
        CHECK(learn(&r.m, &no_features, i % 2) == 1);
        CHECK(r.m.live.bias[0] == (float)(i % 2 == 0));
    }
}

static void check_ciml_examples(void)
{
    enum { E, T, N, EN, TN };
    static const float a[2] = {0.8f, 0.6f}, b[2] = {0.37f, 0.73f}, weight[5] = {1, -1, 0, -2, 2};
    static const uint32_t e[] = {E}, t[] = {T}, en[] = {E, N, EN}, tn[] = {T, N, TN};
    pcn_linear m = {NULL, NULL, 5, 1, 0, 0, 0};
    float dot = pcn_dot(a, 2, pcn_dense(b, 2));
    m.weight = weight;
    CHECK(dot > 0.73399f && dot < 0.73401f);
    CHECK(pcn_linear_score(&m, pcn_ones(e, 1)) == 1);
    CHECK(pcn_linear_score(&m, pcn_ones(t, 1)) == -1);
    CHECK(pcn_linear_score(&m, pcn_ones(en, 3)) == -1);
    CHECK(pcn_linear_score(&m, pcn_ones(tn, 3)) == 1);
}

/* ---- Measures ---- */

static pcn_measure measure(const set *s, const float *w, int zero_negative)
{
    pcn_linear m = {NULL, NULL, 0, 1, 0, 0, 0};
    pcn_measure q;
    uint32_t i;
    pcn_measure_init(&q);
    m.weight = w + 1;
    m.bias = w;
    m.features = s->features;
    m.zero_negative = (uint8_t)zero_negative;
    for (i = 0; i < s->rows; i++) {
        float score = pcn_linear_score(&m, row_of(s, i));
        int positive = pcn_linear_predict(&m, row_of(s, i));
        CHECK(positive == (score > 0 || (score == 0 && !zero_negative)));
        pcn_measure_add(&q, &score, 1, s->y[i], positive, pcn_norm2(row_of(s, i)) + 1);
    }
    return q;
}

static void check_bounds(void)
{
    static const struct {
        const set *data;
        float w[W], margin, bound, theta, thick_bound; /* margin 0: the weights do not separate */
    } c[] = {
        {&or_set, {-1, 2, 2}, 1, 27, 0, 27},  {&or_set, {0, 1, 1}, 0, 0, 0, 0},
        {&or_set, {-1, 1, 1}, 0, 0, 0, 0},    {&and_set, {-4, 3, 2}, 1, 87, 0, 87},
        {&and_set, {-3, 2, 2}, 1, 51, 0, 51}, {&xor_product, {-1, 2, 2, -5}, 1, 136, 0, 136},
        {&or_set, {-2, 4, 4}, 2, 27, 1, 45},  {&or_set, {-3, 6, 6}, 3, 27, 2, 63},
    };
    size_t i;
    for (i = 0; i < LENGTH(c); i++) {
        pcn_measure q = measure(c[i].data, c[i].w, 0);
        float norm2 = pcn_norm2(pcn_dense(c[i].w, W));
        CHECK(q.radius2 == (c[i].data == &xor_product ? 4 : 3));
        if (c[i].margin == 0) {
            CHECK(pcn_measure_margin(&q) < -FLT_MAX && pcn_measure_bound(&q, norm2) > FLT_MAX);
            q.margin = 0;
            CHECK(pcn_measure_bound(&q, 0) > FLT_MAX); /* no 0 / 0 */
            continue;
        }
        CHECK(pcn_measure_margin(&q) == c[i].margin);
        CHECK(pcn_measure_bound(&q, norm2) == c[i].bound);
        CHECK((q.radius2 + 2 * c[i].theta) * norm2 / (c[i].margin * c[i].margin) == c[i].thick_bound);
    }
}

static void check_risks(void)
{
    static const struct {
        float w[W], loss;
        uint64_t errors[2], strict, violations; /* errors: P+, P- */
    } c[] = {
        {{0, 0, 0}, 0, {1, 3}, 0, 4},
        {{1, 0, 1}, 0.25f, {1, 1}, 1, 1},
        {{0, 1, 1}, 0, {1, 0}, 0, 1},
        {{-1, 1, 1}, 0, {0, 2}, 0, 2},
    };
    size_t i;
    int p;
    for (i = 0; i < LENGTH(c); i++)
        for (p = 0; p < 2; p++) {
            pcn_measure q = measure(&or_set, c[i].w, p);
            CHECK(q.rows == 4 && (q.loss + q.loss_low) / 4 == c[i].loss);
            CHECK(q.errors == c[i].errors[p]);
            CHECK(q.strict == c[i].strict && q.violations == c[i].violations);
        }
}

/* ---- Multiclass ---- */

typedef uint32_t (*update_function)(const pcn_learner *, pcn_update *, uint32_t, float *);

static void check_multiclass(void)
{
    /* clang-format off */
    static const struct {
        const char *name;
        const set *data;
        update_function update;
        uint32_t updates, epochs; /* updates: rows that updated; epochs 0: never ends */
        float w[CLASSES][W];      /* zeros: not checked */
    } c[] = {
        {"A predicted", &set_a, NULL, 7, 4,
         {{0, -1, 2, -1}, {0, 0, -1, 2}, {0, 1, -1, -1}}},
        {"A uniform", &set_a, pcn_update_uniform, 8, 5,
         {{0, -0.5f, 2, -0.5f}, {0, -0.5f, -0.5f, 2}, {0, 1, -1.5f, -1.5f}}},
        {"A others", &set_a, pcn_update_others, 7, 4,
         {{0, -3, 2, -2}, {0, -3, -2, 2}, {0, -1, -2, -2}}},
        {"A one-vs-rest", &set_a, pcn_update_one_vs_rest, 11, 6,
         {{0, -1, 2, -1}, {0, -1, -1, 2}, {0, 1, -2, -2}}},
        {"B predicted", &set_b, pcn_update_predicted, 79, 22,
         {{0, -5, -3, -7}, {0, 2, 0, 1}, {0, 3, 3, 6}}},
        {"B uniform", &set_b, pcn_update_uniform, 53, 15, {{0}}},
        {"B others", &set_b, pcn_update_others, 0, 0, {{0}}},
        {"B one-vs-rest", &set_b, pcn_update_one_vs_rest, 0, 0, {{0}}},
        {"count predicted", &count_set, NULL, 40, 14, {{3, -4, -3}, {1, 0, 0}, {-4, 4, 3}}},
        {"count uniform", &count_set, pcn_update_uniform, 29, 10,
         {{2.5f, -3, -2.5f}, {0.5f, 0, 0}, {-3, 3, 2.5f}}},
        {"count others", &count_set, pcn_update_others, 36, 15, {{-8, -15, -16}, {-10, -3, -2}, {-18, 3, 2}}},
        {"count one-vs-rest", &count_set, pcn_update_one_vs_rest, 0, 0, {{0}}},
    };
    /* clang-format on */
    size_t i;
    uint32_t k;
    for (i = 0; i < LENGTH(c); i++) {
        const set *s = c[i].data;
        run r;
        run_init(&r, s, eaton);
        r.m.learner.update = c[i].update;
        if (s != &count_set) r.m.learner.bias_input = 0; /* sets A and B carry their own constant 1 */
        run_epochs(&r, s, 500);
        CHECK(named((r.pass.result == PCN_END_CLEAN) == (c[i].epochs != 0), c[i].name));
        if (c[i].epochs == 0) continue;
        CHECK(named(r.updates == c[i].updates && r.pass.epoch == c[i].epochs, c[i].name));
        for (k = 0; k < s->classes && (c[i].w[0][1] != 0); k++) {
            float w[W];
            class_weights(&r.m.live, k, w);
            CHECK(named(same_numbers(w, c[i].w[k], 1 + s->features), c[i].name));
        }
    }
}

int main(void)
{
    check_binary();
    check_steps();
    check_window_survival();
    check_honavar();
    check_fractional_half();
    check_absolute_large();
    check_summable_rates();
    check_passive_aggressive();
    check_cycles();
    check_averaging();
    check_batches();
    check_batch_xor();
    check_bias_only();
    check_ciml_examples();
    check_bounds();
    check_risks();
    check_multiclass();
    return report();
}
