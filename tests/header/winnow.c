/* pcn_perceptron_use_winnow learns as Winnow and balanced Winnow do: runs of the literature by hand, the mistake
 * bounds of Littlestone and Su, equal bits for equal rows, means, and weights that stay in range whatever is learned. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "sums.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 1000, K = 3 };

#include "linear.h"

typedef struct shape {
    uint32_t features, classes;
    float threshold;
    int balanced, feature_major, averaged, batched;
} shape;

static void trainer_of(trainer *t, shape s)
{
    trainer_init(t, s.features, s.classes,
                 PCN_PART_EXPONENTS | (s.balanced ? (unsigned)PCN_PART_BALANCED : 0) |
                     (s.feature_major ? (unsigned)PCN_PART_FEATURE_MAJOR : 0) |
                     (s.averaged ? (unsigned)PCN_PART_SUMS : 0) | (s.batched ? (unsigned)PCN_PART_BATCH : 0),
                 s.threshold);
    t->m.learner.zero_predicted = 1;
}

static shape binary(uint32_t features, float threshold, int balanced)
{
    shape s = {features, 2, threshold, balanced, 0, 0, 0};
    return s;
}

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)random_state * n >> 32);
}

/* The target of every trace: are at least `votes` of the first `panel` features on? */
static int voted(const float *x, uint32_t panel, uint32_t votes)
{
    uint32_t j, on = 0;
    for (j = 0; j < panel; j++) on += x[j] > 0;
    return on >= votes;
}

/* Winnow1 eliminates what spoke for a negative example; everything else moves by factors of 2. */
static int learn_dense(pcn_perceptron *m, const float *x, int y, int eliminate)
{
    m->learner.rule.rate = eliminate && !y ? PCN_ELIMINATE : 1;
    return pcn_perceptron_learn(m, pcn_dense(x, m->live.features), y);
}

/* ---- Traces: all 2^n patterns, counting upwards, x[0] slowest, until an epoch is clean ---- */

static void check_traces(void)
{
    static const struct {
        const char *name;
        uint32_t features, panel, votes;
        int eliminate;
        float off, threshold; /* value of a feature that is not on */
        uint64_t mistakes;
        float w[8];
    } c[] = {
        {"Su Alg. 3, one expert", 3, 1, 1, 0, -1, 0, 1, {2, 0.5f, 0.5f}},
        {"Su Alg. 3, majority", 4, 3, 2, 0, -1, 0, 3, {2, 2, 2, 0.125f}},
        {"Winnow2, n = 4", 4, 2, 1, 0, 0, 4, 5, {4, 4, 1, 1}},
        {"Winnow1, n = 4", 4, 2, 1, 1, 0, 4, 5, {4, 4, 0, 0}},
        {"Winnow2, n = 8", 8, 2, 1, 0, 0, 8, 8, {8, 8, 0.5f, 0.5f, 0.5f, 0.5f, 1, 1}},
        {"Winnow1, n = 8", 8, 2, 1, 1, 0, 8, 7, {8, 8, 1, 1, 1, 1, 0, 0}},
    };
    static trainer t;
    size_t i;
    for (i = 0; i < LENGTH(c); i++) {
        uint32_t n = c[i].features, pattern, j;
        pcn_pass pass;
        float x[8];
        int y, good;
        trainer_of(&t, binary(n, c[i].threshold, 0));
        pcn_pass_init(&pass, 1u << n, 100, 1);
        pass.order = PCN_ORDER_FILE;
        while (pcn_pass_next(&pass, &pattern)) {
            for (j = 0; j < n; j++) x[j] = pattern >> (n - 1 - j) & 1 ? 1 : c[i].off;
            y = voted(x, c[i].panel, c[i].votes);
            pcn_pass_note(&pass, learn_dense(&t.m, x, y, c[i].eliminate));
        }
        good = pass.result == PCN_END_CLEAN && t.m.learner.count.mistakes == c[i].mistakes &&
               t.m.learner.count.updates == c[i].mistakes;
        for (j = 0; j < n; j++) good &= t.m.live.weight[j] == c[i].w[j];
        if (!good) printf("in \"%s\":\n", c[i].name);
        CHECK(good);
    }
}

/* OR with a constant feature in the place of a bias; updates whenever y s <= 0. */
static void check_balanced_or(void)
{
    static const float x[4][3] = {{1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}};
    static trainer t;
    pcn_pass pass;
    uint32_t row;
    trainer_of(&t, binary(3, 0, 1));
    t.m.learner.zero_predicted = 0;
    pcn_pass_init(&pass, 4, 100, 1);
    pass.order = PCN_ORDER_FILE;
    while (pcn_pass_next(&pass, &row)) pcn_pass_note(&pass, learn_dense(&t.m, x[row], row > 0, 0));
    CHECK(pass.result == PCN_END_CLEAN && pass.epoch == 6 && t.m.learner.count.updates == 9);
    CHECK(t.state[0] == -1 && t.state[1] == 2 && t.state[2] == 2);
    CHECK(t.m.live.weight[0] == -1.5f && t.m.live.weight[1] == 3.75f && t.m.live.weight[2] == 3.75f);
}

/* ---- Bounds ---- */

/* Disjunctions of r of n: at most 2 + 3 r (1 + log2 n) mistakes of Winnow2 with factor 2 and
 * threshold n (Littlestone), however dense the rows. */
static void check_disjunctions(void)
{
    enum { ROUNDS = 3000 };
    static const uint32_t size[] = {4, 10, 50, 100, 300, 1000}, chosen[] = {1, 2, 3, 5, 10, 30};
    static trainer t;
    static float x[N];
    size_t a, b;
    uint32_t one_in, j, round;
    for (a = 0; a < LENGTH(size); a++)
        for (b = 0; b < LENGTH(chosen) && chosen[b] <= size[a]; b++)
            for (one_in = 2; one_in <= 2 * chosen[b] + 2; one_in += 2 * chosen[b]) {
                uint32_t n = size[a], r = chosen[b];
                trainer_of(&t, binary(n, (float)n, 0));
                for (round = 0; round < ROUNDS; round++) {
                    for (j = 0; j < n; j++) x[j] = random_below(one_in) == 0;
                    CHECK(learn_dense(&t.m, x, voted(x, r, 1), 0) >= 0);
                }
                CHECK(t.m.learner.count.mistakes > 0 &&
                      (double)t.m.learner.count.mistakes <= 2 + 3 * r * (1 + log2(n)));
            }
}

/* Least squares: the exponent b of mistakes = a p^b. */
static double fit_exponent(const double *p, const double *mistakes, size_t n)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        double u = log(p[i]), v = log(mistakes[i]);
        x += u, y += v, xx += u * u, xy += u * v;
    }
    return ((double)n * xy - x * y) / ((double)n * xx - x * x);
}

/* The majority of k of p signs (Su, section 3): at most p k mistakes of the perceptron, at most
 * 2 k^2 ln(p / k) of Winnow with this eta. */
static void check_committees(void)
{
    enum { ROUNDS = 3000 };
    static const uint32_t size[] = {50, 100, 200, 400, 700, 1000}, panel[] = {3, 5};
    static trainer winnow, additive;
    static float x[N];
    double p[6], mistakes[2][6], slow, fast;
    size_t a, b;
    uint32_t j, round;
    for (b = 0; b < LENGTH(panel); b++) {
        double k = panel[b], eta = 0.5 * log((1 + 1 / k) / (1 - 1 / k));
        for (a = 0; a < LENGTH(size); a++) {
            p[a] = size[a];
            trainer_of(&winnow, binary(size[a], 0, 0));
            winnow.m.learner.rule.rate = (float)(eta / log(2));
            CHECK(pcn_perceptron_init(&additive.m, size[a], 2, additive.memory, sizeof additive.memory) == PCN_OK);
            additive.m.learner.bias_input = 0;
            winnow.m.learner.zero_predicted = 0;
            for (round = 0; round < ROUNDS; round++) {
                pcn_vec vec = pcn_dense(x, size[a]);
                int y;
                for (j = 0; j < size[a]; j++) x[j] = random_below(2) ? 1.0f : -1.0f;
                y = voted(x, panel[b], panel[b] / 2 + 1);
                CHECK(pcn_perceptron_learn(&winnow.m, vec, y) >= 0);
                CHECK(pcn_perceptron_learn(&additive.m, vec, y) >= 0);
            }
            mistakes[0][a] = (double)winnow.m.learner.count.updates;
            mistakes[1][a] = (double)additive.m.learner.count.updates;
            CHECK(mistakes[0][a] > 0 && mistakes[0][a] <= 2 * k * k * log(p[a] / k));
            CHECK(mistakes[1][a] > 0 && mistakes[1][a] <= p[a] * k);
        }
        if (b > 0) continue; /* for k = 5 the perceptron is not yet done after these rounds */
        slow = fit_exponent(p, mistakes[0], LENGTH(size));
        fast = fit_exponent(p, mistakes[1], LENGTH(size));
        printf("mistakes in committees: Winnow p^%.2f, perceptron p^%.2f\n", slow, fast);
        CHECK(slow < 0.3 && fast > 0.7);
    }
}

/* ---- Equal rows and layouts give equal bits ---- */

enum { SOME = 67 };

typedef struct example {
    float dense[SOME], value[SOME];
    uint32_t index[SOME], count;
} example;

/* Every third feature or so is given; 0/1 values or real ones of either sign. */
static void draw_example(example *e, int ones)
{
    uint32_t j;
    memset(e, 0, sizeof *e);
    for (j = 0; j < SOME; j++) {
        if (random_below(3) != 0) continue;
        e->dense[j] = ones ? 1 : (float)random_below(2001) / 500.0f - 2.0f;
        e->value[e->count] = e->dense[j];
        e->index[e->count++] = j;
    }
}

static int same_state(const trainer *a, const trainer *b)
{
    const pcn_linear *l = &a->m.live, *o = &b->m.live;
    size_t all = PCN_LINEAR_FLOATS(l->features, l->scores);
    uint32_t k, j;
    for (k = 0; k < l->scores; k++)
        for (j = 0; j < l->features; j++) {
            size_t at = weight_at(l, k, j), to = weight_at(o, k, j);
            if (memcmp(a->memory + at, b->memory + to, sizeof(float)) != 0 ||
                memcmp(a->state + at, b->state + to, sizeof(float)) != 0 ||
                memcmp(a->sum + at, b->sum + to, sizeof(float)) != 0 ||
                memcmp(a->sum + all + at, b->sum + all + to, sizeof(float)) != 0)
                return 0;
        }
    return memcmp(l->bias, o->bias, l->scores * sizeof(float)) == 0 &&
           memcmp(a->m.learner.score, b->m.learner.score, l->scores * sizeof(float)) == 0 &&
           memcmp(&a->m.learner.count, &b->m.learner.count, sizeof a->m.learner.count) == 0;
}

/* One run in four ways: as it is, laid out by features, in batches of one, as ones if the rows are sparse. Scores have
 * the documented order. */
static void check_same_bits(shape s, int ones, int sparse)
{
    enum { PLAIN, MAJOR, BATCHED, ONES, WAYS, ROWS = 300 };
    static trainer t[WAYS];
    const uint32_t scores = PCN_SCORES(s.classes);
    float score[K];
    example e;
    uint32_t c;
    int way, row;
    for (way = 0; way < WAYS; way++) {
        shape other = s;
        other.feature_major = way == MAJOR;
        other.batched = way == BATCHED;
        trainer_of(&t[way], other);
        t[way].m.learner.rule.rate = 0.4f;
    }
    for (row = 0; row < ROWS; row++) {
        uint32_t y = random_below(s.classes);
        draw_example(&e, ones);
        for (way = 0; way < WAYS; way++) {
            pcn_vec x = !sparse               ? pcn_dense(e.dense, SOME)
                        : way == ONES && ones ? pcn_ones(e.index, e.count)
                                              : pcn_sparse(e.index, e.value, e.count);
            for (c = 0; c < scores; c++) score[c] = plain_score(&t[way].m.live, c, x);
            CHECK(pcn_perceptron_learn(&t[way].m, x, (int)y) >= 0);
            CHECK(memcmp(score, t[way].m.learner.score, scores * sizeof *score) == 0);
            if (way == BATCHED) CHECK(pcn_perceptron_apply_batch(&t[way].m, 1) >= 0);
        }
    }
    CHECK(t[PLAIN].m.learner.count.updates > ROWS / 20);
    for (way = 1; way < WAYS; way++) CHECK(same_state(&t[PLAIN], &t[way]));
}

static void check_forms(void)
{
    int bits;
    for (bits = 0; bits < 32; bits++) {
        shape s = {SOME, 0, 0, 0, 0, 0, 0};
        s.classes = bits & 1 ? K : 2;
        s.balanced = bits >> 1 & 1;
        s.averaged = bits >> 2 & 1;
        s.threshold = s.balanced ? 0.5f : 20;
        check_same_bits(s, bits >> 3 & 1, bits >> 4 & 1);
    }
}

/* ---- The mean of all weights seen, the first included ---- */

static void check_mean(shape s, float rate, int ones)
{
    enum { ROWS = 20000 };
    static trainer t;
    static double sum[PCN_LINEAR_FLOATS(SOME, K)];
    static float out[PCN_LINEAR_FLOATS(SOME, K)];
    size_t all = PCN_LINEAR_FLOATS(s.features, s.classes), i;
    double largest = 0;
    pcn_linear mean;
    example e;
    int row;
    trainer_of(&t, s);
    t.m.learner.rule.rate = rate;
    for (i = 0; i < all; i++) sum[i] = (double)t.m.live.weight[i];
    for (row = 0; row < ROWS; row++) {
        uint32_t y = random_below(s.classes);
        draw_example(&e, ones);
        CHECK(pcn_perceptron_learn(&t.m, pcn_dense(e.dense, SOME), (int)y) >= 0);
        for (i = 0; i < all; i++) {
            double w = (double)t.m.live.weight[i];
            sum[i] += w;
            if (fabs(w) > largest) largest = fabs(w);
        }
    }
    mean = final_of(&t.m, out);
    CHECK(t.m.learner.count.updates > ROWS / 20 && mean.weight == out);
    for (i = 0; i < all; i++) {
        double exact = sum[i] / (ROWS + 1);
        CHECK(fabs((double)out[i] - exact) <= fabs(exact) * 0x1p-23 + largest * 0x1p-34);
    }
}

static void check_means(void)
{
    int bits;
    for (bits = 0; bits < 8; bits++) {
        shape s = {SOME, 0, 0, 0, 0, 1, 0};
        s.classes = bits & 1 ? K : 2;
        s.balanced = bits >> 1 & 1;
        s.threshold = s.balanced ? 0.5f : SOME;
        check_mean(s, 0.3f, bits >> 2 & 1);
        check_mean(s, 1, bits >> 2 & 1);
    }
}

/* ---- Powers of two ---- */

/* Takes the exponents from 0 to e[0 .. n): the rule always fires. */
static const float *powers(trainer *t, const float *e, uint32_t n, int balanced)
{
    trainer_of(t, binary(n, 0, balanced));
    t->m.learner.rule.margin = FLT_MAX;
    CHECK(pcn_perceptron_learn(&t->m, pcn_dense(e, n), 1) == 1);
    return t->m.live.weight;
}

/* How far w is from 2^e, in units of the last place of a float of that size. */
static double ulps(float w, float e)
{
    return fabs((double)w - exp2((double)e)) / exp2(floor((double)e) - 23);
}

static void check_powers(void)
{
    enum { PIECES = 20 };
    static trainer t;
    static float e[N];
    double worst = 0;
    int whole, piece, i;
    for (whole = -126; whole < 64; whole++)
        for (piece = 0; piece < PIECES; piece++) {
            const float *w;
            for (i = 0; i < N; i++) e[i] = (float)(whole + (piece + i / (double)N) / PIECES);
            w = powers(&t, e, N, 0);
            for (i = 0; i < N; i++)
                if (ulps(w[i], e[i]) > worst) worst = ulps(w[i], e[i]);
        }
    printf("2^e: at most %.3f ulp\n", worst);
    CHECK(worst <= 1.5);
    for (whole = -126; whole <= 64; whole++) e[whole + 126] = (float)whole;
    powers(&t, e, 191, 0);
    for (whole = -126; whole <= 64; whole++) CHECK(t.m.live.weight[whole + 126] == ldexpf(1, whole));
    powers(&t, e, 191, 1);
    for (whole = -126; whole <= 64; whole++) {
        double up = ldexp(1, whole), down = ldexp(1, whole < -64 ? 64 : -whole);
        CHECK(t.m.live.weight[whole + 126] == (float)(up - down));
    }
}

/* ---- Weights stay in range ---- */

static int in_range(float w)
{
    float size = fabsf(w);
    return w == 0 || (size >= FLT_MIN && size <= 0x1p64f); /* not NaN, infinite or denormal */
}

/* Everything about 2^-126, where floats begin to lack bits, and far beyond both ends. */
static void check_ends(void)
{
    static trainer t;
    static float e[N];
    int i, balanced, denormal = 0;
    for (balanced = 0; balanced < 2; balanced++) {
        for (i = 0; i < N; i++) e[i] = -125.0f - (float)i / 250.0f;
        powers(&t, e, N, balanced);
        for (i = 0; i < N; i++) denormal += !in_range(t.m.live.weight[i]);
        for (i = 0; i < N; i++) e[i] = (i % 2 ? -1.0f : 1.0f) * ldexpf(1, i % 54); /* no step may be larger */
        powers(&t, e, N, balanced);
        for (i = 0; i < N; i++) denormal += !in_range(t.m.live.weight[i]);
        for (i = 0; i < N; i++) CHECK(fabsf(t.state[i]) <= 0x1p20f);
        CHECK(t.m.live.weight[52] == 0x1p64f && t.m.live.weight[53] == (balanced ? -0x1p64f : 0));
    }
    CHECK(denormal == 0);
}

enum { FEW = 8 };

/* ---- Orders and rules ---- */

/* Winnow comes first, between or last: the weights, means and batches are the same from there on. */
static void check_order(uint32_t classes, int balanced, int feature_major, int averaged, int batched)
{
    enum { ROWS = 200, WAYS = 6 };
    static const char *const order[WAYS] = {"wab", "wba", "awb", "bwa", "abw", "baw"};
    static trainer t[WAYS];
    const size_t bytes = PCN_LINEAR_FLOATS(SOME, classes) * sizeof(float);
    example e;
    int way, row, option;
    for (way = 0; way < WAYS; way++) {
        pcn_perceptron *m = &t[way].m;
        memset(&t[way], 0, sizeof t[way]);
        CHECK(pcn_perceptron_init(m, SOME, classes, t[way].memory, sizeof t[way].memory) == PCN_OK);
        if (feature_major) CHECK(pcn_perceptron_use_feature_major(m) == PCN_OK);
        for (option = 0; option < 3; option++) {
            const char what = order[way][option];
            if (what == 'a' && averaged) CHECK(pcn_perceptron_use_averaging(m, t[way].sum, 2 * bytes) == PCN_OK);
            if (what == 'b' && batched) CHECK(pcn_perceptron_use_batch(m, t[way].batch, bytes) == PCN_OK);
            if (what == 'w')
                CHECK(pcn_perceptron_use_winnow(m, balanced ? 0.5f : 20, balanced, t[way].state, bytes) == PCN_OK);
        }
        m->learner.rule.rate = 0.4f;
        m->learner.bias_input = 1; /* the threshold is no bias */
    }
    for (row = 0; row < ROWS; row++) {
        uint32_t y = random_below(classes);
        draw_example(&e, row % 2);
        for (way = 0; way < WAYS; way++) {
            CHECK(pcn_perceptron_learn(&t[way].m, pcn_dense(e.dense, SOME), (int)y) >= 0);
            if (batched && row % 3 == 2) CHECK(pcn_perceptron_apply_batch(&t[way].m, 0.5f) >= 0);
        }
    }
    CHECK(t[0].m.learner.count.updates > ROWS / 20);
    for (way = 1; way < WAYS; way++) {
        CHECK(same_state(&t[0], &t[way]));
        CHECK(memcmp(t[0].state, t[way].state, bytes) == 0); /* thresholds too */
        CHECK(memcmp(t[0].batch, t[way].batch, sizeof t->batch) == 0);
        CHECK(memcmp(t[0].sum, t[way].sum, sizeof t->sum) == 0);
        CHECK(!averaged || t[0].m.learner.clock == t[way].m.learner.clock);
        CHECK(t[way].m.live.bias[0] == (balanced ? -0.5f : -20.0f));
    }
}

static void check_orders(void)
{
    int bits;
    for (bits = 0; bits < 32; bits++)
        check_order(bits & 1 ? K : 2, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1, bits >> 4 & 1);
}

/* Rules that solve for a step which adds to weights are refused when they would fire; nothing changes. */
static void check_rules(void)
{
    static trainer t, before;
    const pcn_rule rule[] = {pcn_rule_pa(1), pcn_rule_pa(FLT_MAX), pcn_rule_pa2(1), pcn_rule_absolute(),
                             pcn_rule_fractional(1)};
    float x[SOME] = {1};
    uint32_t way;
    size_t i;
    for (way = 0; way < 16; way++) {
        shape s = {SOME, way & 1 ? K : 2, 0, way >> 1 & 1, 0, way >> 2 & 1, way >> 3 & 1};
        int y = way & 1 ? K - 1 : 0;
        trainer_of(&t, s);
        for (i = 0; i < LENGTH(rule); i++) {
            t.m.learner.rule = rule[i];
            before = t;
            CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, SOME), y) == PCN_EOPTION);
            CHECK(memcmp(t.memory, before.memory, PCN_LINEAR_FLOATS(SOME, s.classes) * sizeof(float)) == 0);
            CHECK(memcmp(t.state, before.state, sizeof t.state) == 0);
            CHECK(memcmp(&t.m.learner.count, &before.m.learner.count, sizeof t.m.learner.count) == 0);
        }
        t.m.learner.rule = pcn_rule_fixed(1);
        CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, SOME), y) == 1);
    }
}

/* As many steps down as up: exponents are what they were if all steps are multiples of 2^-k and |e| stays below
 * 2^(24-k); with a rate of 0.1 within the stated rounding. */
static void check_steps_back(void)
{
    static const float rate[] = {1, 0.25f, 0.0625f, 1.0f / 1024, 0.1f, 0.3f};
    static trainer t;
    const float one = 1;
    size_t i;
    int k;
    for (i = 0; i < LENGTH(rate); i++) {
        double largest = 0, bound;
        trainer_of(&t, binary(1, 0, 1));
        t.m.learner.rule.rate = rate[i];
        t.m.learner.rule.margin = FLT_MAX;
        for (k = 0; k < 20000; k++) {
            CHECK(pcn_perceptron_learn(&t.m, pcn_dense(&one, 1), k < 10000) == 1);
            largest = fmax(largest, fabs((double)t.state[0]));
        }
        bound = i < 4 ? 0 : 20000 * ldexp(largest, -24);
        CHECK(fabs((double)t.state[0]) <= bound);
        if (i < 4) CHECK(t.m.live.weight[0] == 0 && largest == 10000 * (double)rate[i]);
    }
}

int main(void)
{
    check_traces();
    check_balanced_or();
    check_disjunctions();
    check_committees();
    check_forms();
    check_means();
    check_powers();
    check_ends();
    check_orders();
    check_rules();
    check_steps_back();
    return report();
}
