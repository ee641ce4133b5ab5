/* What must hold on any data: bounds of the theorems, invariances, equalities between ways to the
 * same model, exactness of the mean, the orders of passes. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "sums.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, K = 6, ROWS = 120 };

#include "linear.h"

typedef uint32_t (*update_function)(const pcn_learner *, pcn_update *, uint32_t, float *);

static const update_function updates[] = {pcn_update_predicted, pcn_update_others, pcn_update_uniform,
                                          pcn_update_one_vs_rest};

/* ---- Random sets ---- */

static float random_integer(int most)
{
    return (float)((int)(random_bits() % (uint32_t)(2 * most + 1)) - most);
}

static float random_real(void) /* (-1, 1) */
{
    return random_integer(8388607) / 8388608;
}

/* Rows with about a third of zeros, and any labels: 0 .. classes-1. */
typedef struct set {
    uint32_t rows, features, classes;
    float x[ROWS][N], value[ROWS][N];
    uint32_t index[ROWS][N], count[ROWS];
    int y[ROWS];
} set;

enum content { INTEGERS, REALS, BINARY };

static void set_init(set *s, uint32_t rows, uint32_t features, uint32_t classes, enum content c)
{
    uint32_t i, j;
    s->rows = rows;
    s->features = features;
    s->classes = classes;
    for (i = 0; i < rows; i++) {
        s->count[i] = 0;
        for (j = 0; j < features; j++) {
            float v = c == INTEGERS ? random_integer(9) : c == REALS ? random_real() : 1;
            if (random_bits() % 3 == 0) v = 0;
            s->x[i][j] = v;
            if (v == 0) continue;
            s->index[i][s->count[i]] = j;
            s->value[i][s->count[i]++] = v;
        }
        s->y[i] = (int)(random_bits() % classes);
    }
}

enum form { DENSE, SPARSE, ONES };

static pcn_vec row_of(const set *s, uint32_t i, enum form form)
{
    if (form == SPARSE) return pcn_sparse(s->index[i], s->value[i], s->count[i]);
    if (form == ONES) return pcn_ones(s->index[i], s->count[i]);
    return pcn_dense(s->x[i], s->features);
}

/* ---- Trainers ---- */

enum { FEATURE_MAJOR = 1, AVERAGED = PCN_PART_SUMS, BATCHED = PCN_PART_BATCH, CONFIDENT = 8, OPTIONS = 16 };

static void trainer_with(trainer *t, uint32_t features, uint32_t classes, unsigned options)
{
    const unsigned major = options & FEATURE_MAJOR ? PCN_PART_FEATURE_MAJOR : 0;
    const unsigned confident = options & CONFIDENT ? PCN_PART_VARIANCES : 0;
    trainer_init(t, features, classes, (options & (AVERAGED | BATCHED)) | major | confident, 0.5f);
}

static int learn_row(trainer *t, const set *s, uint32_t row)
{
    return pcn_perceptron_learn(&t->m, row_of(s, row, DENSE), s->y[row]);
}

/* Each row is learned from scores of the documented order, the bias last. */
static void train(trainer *t, const set *s, uint32_t from, uint32_t to, enum form form)
{
    const pcn_linear *m = &t->m.live;
    float score[K];
    uint32_t i, c;
    for (i = from; i < to; i++) {
        pcn_vec x = row_of(s, i % s->rows, form);
        for (c = 0; c < m->scores; c++) score[c] = plain_score(m, c, x);
        CHECK(pcn_perceptron_learn(&t->m, x, s->y[i % s->rows]) >= 0);
        CHECK(memcmp(score, t->m.learner.score, m->scores * sizeof *score) == 0);
    }
}

static float weight_of(const pcn_linear *m, uint32_t cls, uint32_t j)
{
    return m->weight[weight_at(m, cls, j)];
}

/* Are all bytes that an image would hold the same? */
static int same_image(const trainer *a, const trainer *b)
{
    static uint8_t x[4 * 4 * PCN_LINEAR_FLOATS(N, K) + 100], y[sizeof x];
    size_t size = pcn_perceptron_save(&a->m, x, sizeof x);
    return size != 0 && pcn_perceptron_save(&b->m, y, sizeof y) == size && memcmp(x, y, size) == 0;
}

static int same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static int same_model(const pcn_linear *a, const pcn_linear *b)
{
    uint32_t c, j;
    for (c = 0; c < a->scores; c++) {
        if (!same(a->bias[c], b->bias[c])) return 0;
        for (j = 0; j < a->features; j++)
            if (!same(weight_of(a, c, j), weight_of(b, c, j))) return 0;
    }
    return 1;
}

/* The lowest of the best classes but y. */
static uint32_t rival_of(const float *score, uint32_t classes, uint32_t y)
{
    uint32_t k, best = y == 0;
    for (k = best + 1; k < classes; k++)
        if (k != y && score[k] > score[best]) best = k;
    return best;
}

/* How far the scores favour y. */
static float margin_of(const float *score, uint32_t classes, int y)
{
    if (classes == 2) return y > 0 ? score[0] : -score[0];
    return score[y] - score[rival_of(score, classes, (uint32_t)y)];
}

/* ---- Bounds ---- */

/* Labels s by random weights, and draws rows again until they stand `clear` of the border. */
static void separate(set *s, trainer *teacher, int biased, float clear)
{
    uint32_t i, j;
    trainer_with(teacher, s->features, s->classes, 0);
    for (i = 0; i < PCN_LINEAR_FLOATS(s->features, s->classes); i++) teacher->memory[i] = random_integer(5);
    for (i = 0; i < teacher->m.live.scores && !biased; i++)
        teacher->memory[s->features * teacher->m.live.scores + i] = 0;
    teacher->memory[0] = 6; /* not all 0 */
    for (i = 0; i < s->rows; i++) {
        float score[K];
        do {
            for (j = 0; j < s->features; j++) s->x[i][j] = random_integer(4);
            pcn_linear_scores(&teacher->m.live, row_of(s, i, DENSE), score);
            s->y[i] = pcn_decide(score, teacher->m.live.scores, 0);
        } while (margin_of(score, s->classes, s->y[i]) < clear);
    }
}

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

/* Each number of a measure beside its definition, on whole numbers: margins of every sign, guesses that are not those of
 * the scores, and of two classes the label -1. */
static void check_measure(uint32_t classes)
{
    const uint32_t scores = PCN_SCORES(classes);
    float score[K], least = 0, largest = 0;
    double loss = 0;
    uint64_t errors = 0, strict = 0, violations = 0;
    pcn_measure q;
    uint32_t i, k;
    memset(&q, 0x5a, sizeof q);
    pcn_measure_init(&q);
    CHECK(q.rows == 0 && q.errors == 0 && q.strict == 0 && q.violations == 0 && q.radius2 == 0);
    CHECK(q.margin == 0 && q.loss == 0 && q.loss_low == 0);
    for (i = 1; i <= 300; i++) {
        const int y = (int)(random_bits() % classes), guess = (int)(random_bits() % classes);
        const float norm2 = (float)(random_bits() % 100);
        float margin;
        for (k = 0; k < scores; k++) score[k] = random_integer(3);
        margin = margin_of(score, classes, y);
        pcn_measure_add(&q, score, scores, classes == 2 && y == 0 && i % 2 ? -1 : y, guess, norm2);
        errors += guess != y;
        strict += margin < 0;
        violations += margin <= 0;
        if (margin < 0) loss -= (double)margin;
        if (i == 1 || margin < least) least = margin;
        if (norm2 > largest) largest = norm2;
        CHECK(q.rows == i && q.errors == errors && q.strict == strict && q.violations == violations);
        CHECK(q.margin == least && q.radius2 == largest && (double)q.loss + (double)q.loss_low == loss);
    }
    CHECK(errors > 0 && strict > 0 && violations > strict && violations < 300);
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

/* ---- Invariances ---- */

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

/* ---- Several ways to one model ---- */

static const pcn_rule *rules(size_t i)
{
    static pcn_rule r;
    r = i == 0   ? pcn_rule_fixed(0.7f)
        : i == 1 ? pcn_rule_absolute()
        : i == 2 ? pcn_rule_fractional(1.3f)
        : i == 3 ? pcn_rule_pa(0.1f)
        : i == 4 ? pcn_rule_pa2(0.5f)
                 : pcn_rule_pa(FLT_MAX);
    return i < 6 ? &r : NULL;
}

static void settings(trainer *t, size_t rule, size_t update)
{
    t->m.learner.rule = *rules(rule);
    t->m.learner.update = updates[update];
}

/* Once over the set; what is batched is applied every 5 rows. */
static void train_fives(trainer *t, const set *s, enum form form, float scale)
{
    uint32_t i;
    for (i = 0; i < s->rows; i += 5) {
        train(t, s, i, i + 5, form);
        if (t->m.own.batch) CHECK(pcn_perceptron_apply_batch(&t->m, scale) >= 0);
    }
}

static void train_anew(trainer *t, const set *s, unsigned options, size_t rule, size_t update, enum form form)
{
    trainer_with(t, s->features, s->classes, options);
    settings(t, rule, update);
    train_fives(t, s, form, 0.6f);
}

/* `first` is averaged: batches of 1 give the same, means and counts too, and without averaging the weights are the
 * same. */
static void check_averaged(const trainer *first, const set *s, size_t rule, size_t update, enum form form)
{
    static trainer t;
    static float mean[PCN_LINEAR_FLOATS(N, K)], mean2[PCN_LINEAR_FLOATS(N, K)];
    pcn_linear average = final_of(&first->m, mean), average2;
    uint32_t i;
    trainer_with(&t, s->features, s->classes, BATCHED + AVERAGED);
    settings(&t, rule, update);
    for (i = 0; i < s->rows; i++) {
        train(&t, s, i, i + 1, form);
        CHECK(pcn_perceptron_apply_batch(&t.m, 1) >= 0);
    }
    average2 = final_of(&t.m, mean2);
    CHECK(same_model(&first->m.live, &t.m.live) && same_model(&average, &average2));
    CHECK(memcmp(&first->m.learner.count, &t.m.learner.count, sizeof t.m.learner.count) == 0);
    train_anew(&t, s, 0, rule, update, form);
    CHECK(same_model(&first->m.live, &t.m.live));
}

/* Every rule, update, layout and option, from dense rows and from sparse ones: rows of ones give the image that
 * values of 1 give, and the layouts the same weights; options in any order; online = batches of 1; averaging does not
 * disturb. */
static void check_ways(uint32_t classes, size_t rule, size_t update, enum content content)
{
    static set s;
    static trainer first, t;
    unsigned options;
    int form;
    set_init(&s, ROWS, 1 + random_bits() % N, classes, content);
    for (options = 0; options < 8; options++)
        for (form = DENSE; form <= SPARSE; form++) {
            train_anew(&first, &s, options, rule, update, (enum form)form);
            CHECK(first.m.learner.count.rows == s.rows && first.m.learner.count.updates > 0);
            if (form == SPARSE && content == BINARY) {
                train_anew(&t, &s, options, rule, update, ONES);
                CHECK(same_image(&first, &t));
            }
            if (options & FEATURE_MAJOR) {
                train_anew(&t, &s, options - FEATURE_MAJOR, rule, update, (enum form)form);
                CHECK(same_model(&first.m.live, &t.m.live));
            }
            if (options == BATCHED + AVERAGED) { /* the other order of options */
                trainer_with(&t, s.features, s.classes, BATCHED);
                CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == 0);
                settings(&t, rule, update);
                train_fives(&t, &s, (enum form)form, 0.6f);
                CHECK(same_image(&first, &t));
            }
            if (options == AVERAGED) check_averaged(&first, &s, rule, update, (enum form)form);
        }
}

/* Where every sum is exact, in whole numbers, dense and sparse rows give the same image. */
static void check_whole_numbers(uint32_t classes, size_t update)
{
    static set s;
    static trainer t[2];
    unsigned options;
    int form;
    for (options = 0; options < 8; options++) {
        set_init(&s, ROWS, N, classes, INTEGERS);
        for (form = DENSE; form <= SPARSE; form++) {
            trainer_with(&t[form], s.features, s.classes, options);
            t[form].m.learner.update = updates[update];
            train_fives(&t[form], &s, (enum form)form, 0.5f);
        }
        CHECK(same_image(&t[DENSE], &t[SPARSE]));
    }
}

static void check_all_ways(void)
{
    size_t rule, update;
    for (rule = 0; rules(rule); rule++) {
        check_ways(2, rule, 0, REALS);
        check_ways(2, rule, 0, BINARY);
        for (update = 0; update < LENGTH(updates); update++) {
            check_ways(3, rule, update, BINARY);
            check_ways(K, rule, update, REALS);
        }
    }
    check_whole_numbers(2, 0);
    for (update = 0; update < LENGTH(updates); update++)
        if (updates[update] != pcn_update_uniform) check_whole_numbers(K, update); /* that one divides */
}

/* One epoch and one more = two epochs. */
static void check_epochs(void)
{
    static set s;
    static trainer a, b;
    pcn_pass p, q;
    uint32_t row, epochs;
    set_init(&s, ROWS, N, 3, REALS);
    trainer_with(&a, s.features, s.classes, AVERAGED);
    trainer_with(&b, s.features, s.classes, AVERAGED);
    pcn_pass_init(&p, s.rows, 2, 7);
    while (pcn_pass_next(&p, &row)) (void)pcn_pass_note(&p, learn_row(&a, &s, row));
    pcn_pass_init(&q, s.rows, 0, 7);
    for (epochs = 1; epochs <= 2; epochs++) {
        q.epochs = epochs;
        while (pcn_pass_next(&q, &row)) (void)pcn_pass_note(&q, learn_row(&b, &s, row));
        CHECK(q.epoch == epochs && b.m.learner.count.rows == epochs * s.rows);
    }
    CHECK(same_image(&a, &b));
}

/* ---- The mean ---- */

static double size_of(double x)
{
    return x < 0 ? -x : x;
}

/* The documented bound of a mean of reals. */
static int near_mean(float mean, double exact, double largest)
{
    return size_of((double)mean - exact) <= size_of(exact) / 8388608 + largest / 17179869184.0;
}

/* Against the mean of all weights, the present ones at the start included; rates that decay. */
static void check_mean(enum content content, uint32_t classes, int start, unsigned options)
{
    static set s;
    static trainer t;
    static float out[PCN_LINEAR_FLOATS(N, K)];
    static double total[PCN_LINEAR_FLOATS(N, K)], largest[PCN_LINEAR_FLOATS(N, K)];
    size_t i, all;
    uint32_t row, bad = 0;
    pcn_linear mean;
    set_init(&s, ROWS, N, classes, content);
    all = PCN_LINEAR_FLOATS(N, classes);
    trainer_with(&t, s.features, s.classes, options & (FEATURE_MAJOR | BATCHED));
    for (i = 0; start && i < all; i++) t.memory[i] = content == INTEGERS ? random_integer(100) : random_real();
    if (start) {
        CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == 0); /* starts anew below */
        train(&t, &s, 0, 30, DENSE);
        if (options & BATCHED) CHECK(pcn_perceptron_apply_batch(&t.m, 1) == 1);
    }
    CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == 0);
    for (i = 0; i < all; i++) {
        total[i] = (double)t.m.live.weight[i];
        largest[i] = size_of(total[i]);
    }
    mean = final_of(&t.m, out);
    CHECK(memcmp(out, t.m.live.weight, all * sizeof *out) == 0); /* of one set of weights */
    for (row = 0; row < 5 * ROWS; row++) {
        train(&t, &s, row, row + 1, DENSE);
        if (content != INTEGERS) t.m.learner.rule.rate *= 0.995f;
        if ((options & BATCHED) && row % 3 == 2) CHECK(pcn_perceptron_apply_batch(&t.m, 1) >= 0);
        for (i = 0; i < all; i++) {
            double w = (double)t.m.live.weight[i];
            total[i] += w;
            if (size_of(w) > largest[i]) largest[i] = size_of(w);
        }
        if (row % 42 != 41 && row != 5 * ROWS - 1) continue; /* a batch is empty here */
        mean = final_of(&t.m, out);
        CHECK(mean.weight == out && mean.bias == out + N * mean.scores);
        for (i = 0; i < all; i++) {
            double exact = total[i] / (row + 2);
            bad += content == INTEGERS ? out[i] != (float)exact : !near_mean(out[i], exact, largest[i]);
        }
    }
    CHECK(bad == 0);
}

/* Ten million rows, each of which sets the one weight anew. The exact sum is kept in an integer, in
 * units of 2^-scale. */
static void check_long_mean(int reals, uint32_t rows)
{
    static float memory[PCN_PERCEPTRON_FLOATS(1, 2)], sum[PCN_AVERAGING_FLOATS(1, 2)], out[PCN_LINEAR_FLOATS(1, 2)];
    const double unit = reals ? 68719476736.0 : 1; /* 2^36 */
    pcn_perceptron m;
    int64_t total = 0;
    double largest = 0, exact = 0, worst = 0;
    uint32_t i, next = 1, far = 0, inexact = 0;
    CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == 0);
    CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == 0);
    m.learner.bias_input = 0;
    m.learner.rule.margin = FLT_MAX; /* always updates */
    for (i = 1; i <= rows; i++) {
        float target = reals ? random_real() * 2 + 0.1f : random_integer(4095);
        float x = target - memory[0]; /* reals: reached but for rounding */
        (void)pcn_perceptron_learn(&m, pcn_dense(&x, 1), 1);
        total += (int64_t)((double)memory[0] * unit);
        if (size_of((double)memory[0]) > largest) largest = size_of((double)memory[0]);
        if (i != next && i != rows) continue;
        next += 1 + next / 10;
        (void)final_of(&m, out);
        exact = (double)total / unit / (i + 1);
        far += !near_mean(out[0], exact, largest);
        inexact += !reals && out[0] != (float)exact;
        if (size_of((double)out[0] - exact) > worst) worst = size_of((double)out[0] - exact);
    }
    CHECK(m.learner.count.updates == rows);
    CHECK(far == 0);
    CHECK(inexact == 0);
    printf("mean of %lu %s up to %.5g: %.9g, off by %.3g, on the way by %.3g\n", (unsigned long)rows,
           reals ? "reals" : "integers", largest, (double)out[0], (double)out[0] - exact, worst);
}

/* Means that nearly cancel: the largest weights of both signs in turn, and now and then another. */
static void check_small_mean(float largest)
{
    float memory[PCN_PERCEPTRON_FLOATS(1, 2)], sum[PCN_AVERAGING_FLOATS(1, 2)], out[PCN_LINEAR_FLOATS(1, 2)];
    uint32_t i, step, inexact = 0;
    for (step = 1; step < 40; step++) {
        pcn_perceptron m;
        int64_t total = 0;
        CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == 0);
        CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == 0);
        m.learner.bias_input = 0;
        m.learner.rule.margin = FLT_MAX;
        for (i = 1; i <= 3000; i++) {
            float target = i / step % 2 ? largest : i % 500 == 0 ? 1 - largest : -largest;
            float x = target - memory[0];
            (void)pcn_perceptron_learn(&m, pcn_dense(&x, 1), 1);
            total += (int64_t)memory[0];
            (void)final_of(&m, out);
            inexact += out[0] != (float)((double)total / (i + 1));
        }
    }
    CHECK(inexact == 0);
}

static void check_means(void)
{
    unsigned options;
    for (options = 0; options < 8; options += FEATURE_MAJOR) {
        check_mean(INTEGERS, 2, options & AVERAGED, options);
        check_mean(REALS, 2, options & AVERAGED, options);
        check_mean(INTEGERS, 4, options & AVERAGED, options);
        check_mean(REALS, 4, options & AVERAGED, options);
    }
    check_long_mean(0, 10000000);
    check_long_mean(1, 10000000);
    check_small_mean(2047); /* changes up to 4,094 */
    check_small_mean(4095); /* and up to 8,190 */
}

/* ---- Steps reach their targets ---- */

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

/* ---- What learn has changed ---- */

/* A number moved by change x, each operation rounded; by confidence, change S x, in another order. */
static int moved_so(float before, float after, float change, float x, int near)
{
    volatile float product = change * x, sum;
    sum = before + product;
    return near ? size_of((double)sum - (double)after) <= 1e-5 * (1 + size_of((double)sum)) : same(sum, after);
}

/* Have the weights, the batch or the exponents moved by what pcn_changes says? */
static int as_changed(const trainer *t, const trainer *before, pcn_vec x, unsigned parts)
{
    const pcn_linear *m = &t->m.live;
    const float *change = pcn_changes(&t->m.learner), B = t->m.learner.bias_input;
    const int confident = (parts & PCN_PART_VARIANCES) != 0;
    uint32_t c, j, some = 0, good = 1;
    for (c = 0; c < m->scores; c++) {
        some += change[c] != 0;
        for (j = 0; j <= N; j++) {
            const int by = parts & PCN_PART_BATCH ? 0 : m->by_feature;
            const size_t at = j == N ? N * m->scores + c : by ? j * m->scores + c : c * N + j;
            const float *from = parts & PCN_PART_BATCH       ? before->batch
                                : parts & PCN_PART_EXPONENTS ? before->state
                                                             : before->memory;
            const float *to = parts & PCN_PART_BATCH ? t->batch : parts & PCN_PART_EXPONENTS ? t->state : t->memory;
            float by_x = j == N ? B * B : x.value[j];
            if (confident) by_x *= before->state[at];
            if (change[c] != 0)
                good &= (uint32_t)moved_so(from[at], to[at], change[c], by_x, confident);
            else
                good &= (uint32_t)same(from[at], to[at]);
        }
    }
    return good && some != 0;
}

static void check_changes(uint32_t classes, size_t update, unsigned parts)
{
    static set s;
    static trainer t, before;
    uint32_t i, fired = 0;
    set_init(&s, ROWS, N, classes, INTEGERS);
    trainer_init(&t, N, classes, parts, 0.5f);
    if (parts & PCN_PART_EXPONENTS) t.m.learner.rule.rate = 0.125f;
    if (!(parts & (PCN_PART_EXPONENTS | PCN_PART_VARIANCES)) && random_bits() & 1) t.m.learner.rule = pcn_rule_pa(0.1f);
    if (!(parts & PCN_PART_EXPONENTS)) t.m.learner.bias_input = 2;
    t.m.learner.update = classes == 2 ? NULL : updates[update];
    if (parts & PCN_PART_SUMS && !(parts & PCN_PART_BATCH)) CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK);
    for (i = 0; i < 2 * ROWS; i++) {
        const int y = s.y[i % ROWS];
        before = t;
        if (pcn_perceptron_learn(&t.m, row_of(&s, i % ROWS, DENSE), classes == 2 && y == 0 && i % 2 ? -1 : y) == 1) {
            fired++;
            CHECK(as_changed(&t, &before, row_of(&s, i % ROWS, DENSE), parts));
            if (classes == 2) CHECK((*pcn_changes(&t.m.learner) > 0) == (y > 0));
            if (classes != 2) CHECK(pcn_changes(&t.m.learner)[y] >= 0);
        }
        if (parts & PCN_PART_BATCH && i % 7 == 6) CHECK(pcn_perceptron_apply_batch(&t.m, 0.5f) >= 0);
    }
    CHECK(fired > ROWS / 10);
}

static void check_all_changes(void)
{
    static const unsigned states[] = {0, PCN_PART_EXPONENTS, PCN_PART_EXPONENTS | PCN_PART_BALANCED,
                                      PCN_PART_VARIANCES};
    uint32_t bits, i, classes;
    size_t update;
    for (classes = 2; classes <= K; classes++)
        for (update = 0; update < LENGTH(updates); update++)
            for (bits = 0; bits < 8; bits++)
                for (i = 0; i < LENGTH(states); i++) {
                    unsigned parts = states[i] | (bits & 1 ? (unsigned)PCN_PART_FEATURE_MAJOR : 0);
                    if (bits & 2) parts |= PCN_PART_SUMS;
                    if (bits & 4) parts |= PCN_PART_BATCH;
                    if (parts & PCN_PART_VARIANCES && (bits & 4 || update == 1 || update == 2)) continue;
                    check_changes(classes, update, parts);
                }
}

/* Of a kernel trainer, changes are those of the coefficients: of a new vector from 0, of an old one more. */
static void check_kernel_changes(uint32_t classes, size_t update)
{
    enum { SLOTS = ROWS };
    static float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], before[SLOTS * K];
    static pcn_slot slot[SLOTS];
    static set s;
    pcn_kperceptron m;
    uint32_t i, k, c, again = 0;
    set_init(&s, ROWS, N, classes, REALS);
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(0.02f), N, classes, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    m.learner.rule = update % 2 ? pcn_rule_fixed(0.3f) : pcn_rule_pa(0.4f);
    m.learner.update = classes == 2 ? NULL : updates[update];
    for (i = 0; i < 3 * ROWS; i++) {
        const uint32_t row = i % ROWS, was = m.model.slots, scores = m.model.scores;
        memset(before, 0, sizeof before);
        if (was != 0) memcpy(before, m.model.coef, was * scores * sizeof *before);
        if (pcn_kperceptron_learn_row(&m, row_of(&s, row, DENSE), s.y[row], row) != 1) continue;
        for (k = 0; k < m.model.slots; k++)
            for (c = 0; c < scores; c++) {
                const float change = slot[k].id == row ? pcn_changes(&m.learner)[c] : 0;
                volatile float now = before[k * scores + c] + change;
                CHECK(m.model.coef[k * scores + c] == now);
            }
        again += m.model.slots == was;
    }
    CHECK(again > 10 && m.refused == 0);
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

/* ---- Multiclass against the definition, on integers ---- */

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

/* ---- Orders ---- */

static void orders_of(uint32_t *out, uint32_t n, uint32_t seed, int order, uint32_t epochs)
{
    pcn_pass p;
    uint32_t i = 0;
    pcn_pass_init(&p, n, epochs, seed);
    p.order = (uint8_t)order;
    p.stop = PCN_STOP_NEVER;
    while (pcn_pass_next(&p, &out[i])) {
        (void)pcn_pass_note(&p, (int)(i & 1));
        i++;
    }
    CHECK(i == n * epochs && p.epoch == epochs && p.left == 0);
}

static void check_bijection(uint32_t n, int order)
{
    uint32_t *rows = (uint32_t *)malloc(2 * n * sizeof *rows), i;
    uint8_t *seen = (uint8_t *)calloc(n, 1);
    int epoch, same;
    if (!rows || !seen) abort();
    orders_of(rows, n, n * 77, order, 2);
    for (epoch = 0; epoch < 2; epoch++) {
        uint32_t bad = 0;
        for (i = 0; i < n; i++) {
            uint32_t row = rows[(uint32_t)epoch * n + i];
            bad += row >= n || seen[row] != epoch;
            if (row < n) seen[row] = (uint8_t)(epoch + 1);
            bad += order == PCN_ORDER_FILE && row != i;
        }
        CHECK(bad == 0);
    }
    same = memcmp(rows, rows + n, n * sizeof *rows) == 0;
    if (order != PCN_ORDER_EACH) CHECK(same);
    if (order == PCN_ORDER_EACH && n >= 10) CHECK(!same);
    free(rows);
    free(seen);
}

/* Row at a place, written anew from the description in perceptron.h; back: the place of a row. */
typedef struct network {
    uint64_t key[9], rows;
    uint32_t bits_a, bits_b;
} network;

static uint64_t mixed(uint64_t x)
{
    x = ((x ^ x / 65536) * 0x7feb352d) % 4294967296u;
    x = ((x ^ x / 32768) * 0x846ca68b) % 4294967296u;
    return x ^ x / 65536;
}

static network network_of(uint32_t rows, uint32_t seed, uint32_t epoch)
{
    network g;
    uint32_t bits = 7;
    uint64_t start = mixed((mixed(seed) + epoch) % 4294967296u), k;
    while ((uint64_t)1 << bits < rows) bits++;
    g.rows = rows;
    g.bits_b = bits / 2;
    g.bits_a = bits - g.bits_b;
    for (k = 0; k < 9; k++) g.key[k] = mixed((start + (k + 1) * 0x9e3779b9) % 4294967296u);
    return g;
}

static uint64_t network_hash(const network *g, int k, uint64_t half, uint32_t bits)
{
    return (half * g->key[k] + g->key[k + 1]) % 4294967296u / ((uint64_t)1 << (32 - bits));
}

static uint64_t network_walk(const network *g, uint64_t number, int back)
{
    int k, step;
    do {
        uint64_t size_b = (uint64_t)1 << g->bits_b, a = number / size_b, b = number % size_b;
        for (step = 0; step < 8; step++) {
            k = back ? 7 - step : step;
            if (k % 2 == 0) a ^= network_hash(g, k, b, g->bits_a);
            if (k % 2 == 1) b ^= network_hash(g, k, a, g->bits_b);
        }
        number = a * size_b + b;
    } while (number >= g->rows);
    return number;
}

static uint64_t drawn_row(const network *g, uint64_t place)
{
    const uint64_t first = mixed((g->key[0] + place) % 4294967296u), second = mixed((g->key[1] + place) % 4294967296u);
    return (first ^ second) * g->rows / 4294967296u;
}

static void check_description(uint32_t rows, uint32_t seed, uint32_t epoch, int order)
{
    const network g = network_of(rows, seed, order == PCN_ORDER_ONCE ? 0 : epoch);
    uint32_t wrong = 0, i, place, row;
    pcn_pass p, copy;
    pcn_pass_init(&p, rows, 0, seed);
    p.order = (uint8_t)order;
    p.epoch = epoch - 1;
    for (i = 0; i < 40 && i < rows; i++) { /* the first places and the last */
        CHECK(pcn_pass_next(&p, &row) == 1 && p.epoch == epoch);
        place = i < 20 || rows < 40 ? i : rows - 40 + i;
        wrong += row != (order == PCN_ORDER_DRAWN ? drawn_row(&g, place) : network_walk(&g, place, 0));
        if (order != PCN_ORDER_DRAWN) wrong += network_walk(&g, row, 1) != place; /* so no other place has it */
        if (i == 19 && rows >= 40) p.left = 20;
    }
    CHECK(wrong == 0);
    copy = p; /* the struct is all of the state */
    for (i = 0; i < 50; i++) {
        CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_next(&copy, &place) == 1);
        wrong += row != place;
    }
    CHECK(wrong == 0);
}

static void check_orders(void)
{
    static const uint32_t larger[] = {511,  512,  513,   1000,  1023,  1024,  1025,  4095,
                                      4096, 4097, 32767, 32769, 65535, 65536, 65537, 100000};
    static const uint32_t most[] = {0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    uint32_t n, a[20], b[20];
    int order;
    for (order = PCN_ORDER_EACH; order <= PCN_ORDER_FILE; order++) {
        for (n = 1; n <= 300; n++) check_bijection(n, order);
        for (n = 0; n < LENGTH(larger); n++) check_bijection(larger[n], order);
    }
    for (order = PCN_ORDER_EACH; order <= PCN_ORDER_DRAWN; order++) {
        if (order == PCN_ORDER_FILE) continue;
        for (n = 1; n <= 300; n++) check_description(n, n * 77, n, order);
        for (n = 0; n < LENGTH(larger); n++) check_description(larger[n], 0x9e3779b9u * n, UINT32_MAX - 9, order);
        for (n = 0; n < LENGTH(most); n++) check_description(most[n], n, 1, order);
    }
    orders_of(a, 20, 1, PCN_ORDER_ONCE, 1);
    orders_of(b, 20, 2, PCN_ORDER_ONCE, 1);
    CHECK(memcmp(a, b, sizeof a) != 0);
}

/* ---- Passes: the end, patience, pocket ---- */

/* Every loop shows rows until it ends. Which rows are noted, and what learn returns, is drawn: updates become rarer.
 * skipped: in 4, not noted; 4: nobody ever notes. */
static void check_end(uint8_t stop, uint32_t skipped, uint32_t epochs)
{
    const uint32_t rows = 1 + random_bits() % 9;
    uint32_t row, shown = 0, noted = 0, fired = 0, run = 0, clean = 0;
    pcn_pass p;
    pcn_pass_init(&p, rows, epochs, random_bits());
    p.order = PCN_ORDER_FILE;
    p.stop = stop;
    for (;;) {
        const uint32_t left = (rows - shown % rows) % rows, epoch = (shown + rows - 1) / rows;
        int learned;
        CHECK(p.result == PCN_END_LIMIT && p.left == left && p.epoch == epoch);
        CHECK(p.noted == noted && p.updates == fired && p.run == run);
        if (stop == PCN_STOP_EPOCH) clean = left == 0 && noted != 0 && fired == 0;
        if (stop == PCN_STOP_WINDOW) clean = run >= rows;
        if (clean || (epochs != 0 && left == 0 && epoch == epochs)) break;
        CHECK(pcn_pass_next(&p, &row) == 1 && row == shown % rows);
        if (left == 0) noted = fired = 0;
        shown++;
        if (random_bits() % 4 < skipped) continue; /* as a loop does with rows that are held out */
        learned = random_bits() % (shown / 8 + 1) == 0;
        noted++;
        fired += (uint32_t)learned;
        run = learned ? 0 : run + 1;
        (void)pcn_pass_note(&p, learned);
    }
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == (clean ? PCN_END_CLEAN : PCN_END_LIMIT));
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == (clean ? PCN_END_CLEAN : PCN_END_LIMIT));
    CHECK(p.epoch == (shown + rows - 1) / rows && (skipped != 4 || shown == epochs * rows));
}

/* The last row of each epoch is held out: only the others can tell that none of them updates. There is no limit. */
static void check_held_out(void)
{
    static const float x[6] = {-1, 1, -2, 2, -3, 3};
    float memory[PCN_PERCEPTRON_FLOATS(1, 2)];
    uint32_t row, shown = 0;
    pcn_perceptron m;
    pcn_pass p;
    CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == PCN_OK);
    pcn_pass_init(&p, 6, 0, 1);
    p.order = PCN_ORDER_FILE;
    while (shown < 600 && pcn_pass_next(&p, &row)) {
        shown++;
        if (row % 3 == 2) continue;
        (void)pcn_pass_note(&p, pcn_perceptron_learn(&m, pcn_dense(&x[row], 1), (int)(row % 2)));
    }
    CHECK(p.result == PCN_END_CLEAN && p.epoch >= 2 && shown == 6 * p.epoch && shown < 60);
    CHECK(p.noted == 4 && p.updates == 0 && m.learner.count.updates > 0);
}

static void check_ends(void)
{
    uint32_t round, skipped;
    for (round = 0; round < 200; round++)
        for (skipped = 0; skipped <= 4; skipped++) {
            check_end(PCN_STOP_EPOCH, skipped, 1 + random_bits() % 30);
            check_end(PCN_STOP_WINDOW, skipped, 1 + random_bits() % 30);
            check_end(PCN_STOP_NEVER, skipped, 1 + random_bits() % 30);
            if (skipped < 4) check_end(PCN_STOP_EPOCH, skipped, 0);
            if (skipped < 4) check_end(PCN_STOP_WINDOW, skipped, 0);
        }
}

static void check_patience(void)
{
    static const struct {
        float error;
        int best, over;
    } c[] = {{0.5f, 1, 0}, {0.5f, 0, 0}, {0.4f, 1, 0}, {0.6f, 0, 0}, {0.45f, 0, 0}, {0.4f, 0, 1}};
    pcn_pass p;
    uint32_t row;
    size_t i;
    pcn_pass_init(&p, 5, 0, 1);
    p.patience = 3;
    for (i = 0; i < LENGTH(c); i++) {
        CHECK(pcn_pass_next(&p, &row) == 1);
        CHECK(pcn_pass_note(&p, 1) == 0);
        CHECK(pcn_pass_check(&p, c[i].error) == c[i].best);
        CHECK((p.result == PCN_END_PATIENCE) == c[i].over);
    }
    CHECK(pcn_pass_next(&p, &row) == 0 && p.best_error == 0.4f && p.waited == 3);
    pcn_pass_init(&p, 1, 0, 1); /* an epoch that is clean ends as clean, though patience ends with it */
    p.patience = 1;
    CHECK(pcn_pass_check(&p, 0) == 1 && pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1);
    CHECK(pcn_pass_check(&p, 0) == 0 && p.waited == 1 && p.result == PCN_END_LIMIT);
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == PCN_END_CLEAN);
    pcn_pass_init(&p, 5, 0, 1); /* patience 0: no end */
    for (i = 0; i < 1000; i++) CHECK(pcn_pass_check(&p, 1) == (i == 0));
    CHECK(pcn_pass_next(&p, &row) == 1 && p.result == PCN_END_LIMIT);
}

/* note is 1 at the row that makes the run longer than that of the weights in the pocket was when they were kept, and
 * then not again until they are kept or change. taken: how many in 4 of those offered go there. */
static void check_pocket(uint32_t taken)
{
    uint64_t run = 0, pocket = 0;
    uint32_t i, row, offers = 0, keeps = 0;
    int offered = 0;
    pcn_pass p;
    pcn_pass_init(&p, 100, 0, 1);
    p.stop = PCN_STOP_NEVER;
    for (i = 0; i < 5000; i++) {
        int learned = random_bits() % 4 == 0, noted, offer;
        CHECK(pcn_pass_next(&p, &row) == 1);
        noted = pcn_pass_note(&p, learned);
        run = learned ? 0 : run + 1;
        if (learned) offered = 0;
        offer = !offered && run > pocket;
        CHECK(noted == offer && p.run == run && p.pocket_run == pocket);
        if (!offer) continue;
        offered = 1;
        offers++;
        if (random_bits() % 4 >= taken) continue;
        pcn_pass_keep(&p);
        offered = 0;
        keeps++;
        pocket = run;
        CHECK(p.pocket_run == pocket && p.run == run);
    }
    CHECK(taken < 4 || (keeps == offers && keeps == pocket && keeps > 3 && keeps < 60)); /* row by row */
    CHECK(taken != 0 || offers > 500); /* whatever has run at all, as the pocket is empty */
    CHECK(taken % 4 == 0 || (keeps < offers && keeps > 3));
}

/* The first weights may be put there before any row, and others without an offer. */
static void check_keep(void)
{
    uint32_t row, i;
    pcn_pass p;
    pcn_pass_init(&p, 10, 0, 1);
    CHECK(p.pocket_run == 0);
    pcn_pass_keep(&p);
    CHECK(p.pocket_run == 0);
    for (i = 1; i <= 3; i++) { /* kept again, their run is longer */
        CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1 && p.pocket_run == i - 1);
        pcn_pass_keep(&p);
        CHECK(p.pocket_run == i);
    }
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0 && p.run == 5 && p.pocket_run == 3);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0 && p.pocket_run == 3);
    pcn_pass_init(&p, 100, 0, 1);
    for (i = 1; i <= 4; i++) CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == (i == 1));
    pcn_pass_keep(&p); /* late */
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0 && p.pocket_run == 4);
    for (i = 1; i <= 4; i++) CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0 && p.pocket_run == 4);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1); /* 5, longer than 4 */
    CHECK(p.pocket_run == 4);                                         /* not taken */
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0 && p.run == 1);
    pcn_pass_keep(&p); /* a better one, though its run is shorter */
    CHECK(p.pocket_run == 1);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, PCN_EVALUE) == 0 && p.result == PCN_EVALUE);
}

/* Against the list of all weights so far: no false proof, and one soon after the first return, for
 * cycles of any length: where epoch s and s + c end with equal weights, Brent's copies at powers of
 * two find it by the epoch 2 max(s, c) + c. Random rows of small integers; few of them separate. */
static void check_cycles(void)
{
    enum { EPOCHS = 200, FEATURES = 3, MOST = 7 };
    static set s;
    static trainer t;
    uint32_t trial, longest = 0, clean = 0;
    for (trial = 0; trial < 600; trial++) {
        float seen[EPOCHS + 1][FEATURES + 1], copy[FEATURES + 1];
        uint32_t row, i, first = 0, length = 0, proof = 0;
        pcn_pass p;
        set_init(&s, 2 + random_bits() % (MOST - 1), FEATURES, 2, INTEGERS);
        trainer_with(&t, s.features, s.classes, 0);
        t.m.learner.zero_predicted = trial & 1;
        pcn_pass_init(&p, s.rows, EPOCHS, 1);
        p.order = PCN_ORDER_FILE;
        memcpy(seen[0], t.m.live.weight, sizeof seen[0]);
        CHECK(pcn_pass_cycle(&p, t.m.live.weight, copy, FEATURES + 1) == 0);
        while (!proof && pcn_pass_next(&p, &row)) {
            (void)pcn_pass_note(&p, learn_row(&t, &s, row));
            if (p.left != 0) continue;
            memcpy(seen[p.epoch], t.m.live.weight, sizeof seen[0]);
            for (i = 0; i < p.epoch && !length && p.updates != 0; i++)
                if (memcmp(seen[i], seen[p.epoch], sizeof seen[0]) == 0) {
                    first = i;
                    length = p.epoch - i;
                }
            if (pcn_pass_cycle(&p, t.m.live.weight, copy, FEATURES + 1)) proof = p.epoch;
            CHECK(!proof || length);
        }
        clean += p.result == PCN_END_CLEAN;
        CHECK(p.result != PCN_END_CLEAN || (!proof && !length));
        if (!length || 2 * (first > length ? first : length) + length > EPOCHS) continue;
        CHECK(proof != 0 && proof <= 2 * (first > length ? first : length) + length);
        if (length > longest) longest = length;
    }
    CHECK(longest > 5 && clean > 20); /* there were such sets */
}

/* ---- Inspecting ---- */

/* What speaks for a class; of two, for class 0 what speaks against class 1. */
static float for_class(const pcn_linear *m, uint32_t cls, uint32_t j)
{
    if (m->scores != 1) return weight_of(m, cls, j);
    return cls == 1 ? weight_of(m, 0, j) : -weight_of(m, 0, j);
}

static void check_top(void)
{
    static float weight[3 * N];
    uint32_t trial, i, j, feature[N + 2], order[N];
    for (trial = 0; trial < 800; trial++) {
        const uint32_t classes = trial & 8 ? 2 : 3;
        uint32_t n = trial % N, k = random_bits() % (n + 3), cls = random_bits() % classes, found;
        int sign = trial & 2 ? 1 : -1;
        pcn_linear m;
        m.weight = weight;
        m.bias = NULL;
        m.features = n;
        m.scores = PCN_SCORES(classes);
        m.by_feature = trial & 4 ? 1 : 0;
        for (i = 0; i < 3 * n; i++) weight[i] = random_integer(6); /* many ties */
        for (i = 0; i < n; i++) {                                  /* stable: the lowest feature first */
            float v = (float)sign * for_class(&m, cls, i);
            for (j = i; j != 0 && (float)sign * for_class(&m, cls, order[j - 1]) < v; j--) order[j] = order[j - 1];
            order[j] = i;
        }
        feature[k < N + 2 ? k : 0] = 12345;
        found = pcn_linear_top(&m, cls, sign, feature, k);
        CHECK(found == (k < n ? k : n));
        for (i = 0; i < found; i++) CHECK(feature[i] == order[i]);
        CHECK(k >= N + 2 || feature[k] == 12345);
        CHECK(pcn_linear_top(&m, classes, sign, feature, k) == 0); /* there is no such class */
        CHECK(pcn_linear_top(&m, UINT32_MAX, sign, feature, k) == 0);
    }
}

/* ---- Numbers of features and classes ---- */

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

/* ---- Rows in order ---- */

/* A plain reference: the least index that is left, and the sum of its values. Values are whole numbers, so the order of
 * their sums does not matter. */
static uint32_t plain_sort(const uint32_t *index, const float *value, uint32_t count, uint32_t *to, float *sum)
{
    uint32_t kept, i;
    uint64_t next = 0, least;
    for (kept = 0;; kept++, next = least + 1) {
        for (least = UINT64_MAX, i = 0; i < count; i++)
            if (index[i] >= next && index[i] < least) least = index[i];
        if (least == UINT64_MAX) return kept;
        to[kept] = (uint32_t)least;
        for (sum[kept] = 0, i = 0; i < count; i++)
            if (index[i] == least) sum[kept] += value[i];
    }
}

/* most: of the indices, from `base` on; few of them come often. */
static void check_sort_row(uint32_t count, uint32_t base, uint32_t most, int falls)
{
    enum { ROOM = 300 };
    uint32_t index[ROOM + 1], ones[ROOM + 1], to[ROOM + 1], i, kept;
    float value[ROOM + 1], sum[ROOM + 1];
    for (i = 0; i < count; i++) {
        index[i] = ones[i] = base + (falls ? most - i * most / (count + 1) : random_bits() % (most + 1));
        value[i] = random_integer(1000);
    }
    index[count] = ones[count] = 77, value[count] = 78;
    kept = plain_sort(index, value, count, to, sum);
    CHECK(pcn_sort_row(index, value, count) == kept && pcn_sort_row(ones, NULL, count) == kept);
    for (i = 0; i < kept && index[i] == to[i] && value[i] == sum[i] && ones[i] == to[i]; i++) continue;
    CHECK(i == kept && index[count] == 77 && ones[count] == 77 && value[count] == 78);
    CHECK(pcn_sort_row(index, value, kept) == kept && memcmp(index, to, kept * sizeof *to) == 0); /* is in order */
    CHECK(memcmp(value, sum, kept * sizeof *sum) == 0);
}

static void check_sort_rows(void)
{
    uint32_t count, i;
    CHECK(pcn_sort_row(NULL, NULL, 0) == 0);
    for (count = 0; count <= 300; count++) {
        static const uint32_t most[] = {0, 1, 7, 40, 299, 1000, 1u << 20};
        for (i = 0; i < LENGTH(most); i++) {
            check_sort_row(count, 0, most[i], 0);
            check_sort_row(count, UINT32_MAX - most[i], most[i], 0);
            check_sort_row(count, i, most[i], 1);
        }
        check_sort_row(count, 0, UINT32_MAX - 1, 0);
    }
}

int main(void)
{
    size_t update, i;
    uint32_t classes;
    check_bounds();
    for (classes = 2; classes <= K; classes++) check_measure(classes);
    check_invariances();
    check_all_ways();
    check_epochs();
    check_means();
    check_steps();
    check_own_rules();
    check_all_changes();
    for (classes = 2; classes <= K; classes += 2)
        for (update = 0; update < LENGTH(updates); update++) check_kernel_changes(classes, update);
    check_empty_rows();
    for (update = 0; update < LENGTH(updates); update++) {
        check_definition(update, 0);
        check_definition(update, 1);
    }
    check_orders();
    check_ends();
    check_held_out();
    check_patience();
    for (i = 0; i <= 4; i++) check_pocket((uint32_t)i);
    check_keep();
    check_cycles();
    check_top();
    check_classes();
    check_sort_rows();
    for (classes = 3; classes <= 70; classes++) {
        check_many_classes(classes, 0);
        check_many_classes(classes, 1);
    }
    return report();
}
