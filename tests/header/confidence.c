/* pcn_perceptron_use_confidence learns as AROW does: runs by hand, a model in double precision beside it, equal bits
 * for equal rows and layouts, exact means, images, and variances that stay in range whatever is learned. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "random.h"
#include "sums.h"

#include <float.h>
#include <math.h>

enum { N = 37, K = 4, MOST = PCN_LINEAR_FLOATS(N, K), CLASSES = K, WORDS = MOST };

#include "linear.h"
#include "plain_linear.h"

typedef struct shape {
    uint32_t features, classes;
    float r;
    int feature_major, averaged, one_vs_rest;
} shape;

static void trainer_of(trainer *t, shape s)
{
    trainer_init(t, s.features, s.classes,
                 PCN_PART_VARIANCES | (s.averaged ? (unsigned)PCN_PART_SUMS : 0) |
                     (s.feature_major ? (unsigned)PCN_PART_FEATURE_MAJOR : 0),
                 s.r);
    if (s.one_vs_rest) t->m.learner.update = pcn_update_one_vs_rest;
}

static float real(void) /* -1 .. 1 */
{
    return (float)((int32_t)random_bits() / 2147483648.0);
}

static int near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * (1 + fabs(b));
}

/* ---- By hand ---- */

/* Two steps of the paper's formulas. */
static void check_binary_trace(void)
{
    static trainer t;
    const shape s = {2, 2, 1, 0, 0, 0};
    const float first[2] = {1, 0}, both[2] = {1, 1};
    trainer_of(&t, s);
    CHECK(t.m.learner.rule.margin == 1 && t.state[0] == 1 && t.state[2] == 1);
    t.m.learner.bias_input = 0;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(first, 2), 1) == 1); /* v = 1, beta = 1/2, alpha = 1/2 */
    CHECK(t.m.live.weight[0] == 0.5f && t.m.live.weight[1] == 0 && t.state[0] == 0.5f && t.state[1] == 1);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(both, 2), 0) == 1); /* m = -1/2, v = 3/2, beta = 2/5, alpha = 3/5 */
    CHECK(near((double)t.m.live.weight[0], 0.2) && near((double)t.m.live.weight[1], -0.6));
    CHECK(near((double)t.state[0], 0.4) && near((double)t.state[1], 0.6));
    CHECK(t.m.live.weight[2] == 0 && t.state[2] == 1);             /* no bias */
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(NULL, 0), 1) == 0); /* v = 0 */
}

/* Three classes: y gains, its best rival loses, by one beta; the third stays. */
static void check_class_trace(void)
{
    static trainer t;
    const shape s = {1, 3, 2, 0, 0, 0};
    const float x = 2;
    trainer_of(&t, s);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(&x, 1), 1) == 1); /* v = 2 (4 + 1) = 10, beta = 1/12 */
    CHECK(near((double)t.m.live.weight[1], 2 / 12.0) && near((double)t.m.live.weight[0], -2 / 12.0) &&
          t.m.live.weight[2] == 0);
    CHECK(near((double)t.m.live.weight[4], 1 / 12.0) && near((double)t.m.live.weight[3], -1 / 12.0) &&
          t.m.live.weight[5] == 0);
    CHECK(near((double)t.state[0], 1 - 4 / 12.0) && near((double)t.state[1], 1 - 4 / 12.0) && t.state[2] == 1);
    CHECK(near((double)t.state[3], 1 - 1 / 12.0) && near((double)t.state[4], 1 - 1 / 12.0) && t.state[5] == 1);
}

/* ---- Beside double precision ---- */

/* Rows of a few groups, with noise: learned by both, compared after each. */
static void check_beside_plain(shape s, float bias)
{
    static trainer t;
    static plain_linear p;
    double largest = 0;
    float out[MOST], x[N];
    int i, rows = 400, j, good = 1;
    size_t k, numbers = PCN_LINEAR_FLOATS(N, s.classes);
    trainer_of(&t, s);
    t.m.learner.bias_input = bias;
    linear_init(&p, s.features, PCN_SCORES(s.classes), AROW);
    p.update = s.one_vs_rest ? ONE_VS_REST : PREDICTED;
    p.by = (double)s.r, p.margin = 1, p.bias_input = (double)bias;
    for (i = 0; i < rows; i++) {
        int y = (int)(random_bits() % s.classes);
        for (j = 0; j < N; j++) x[j] = real() + (j % K == y ? 0.5f : 0);
        CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), y) >= 0);
        linear_learn(&p, x, y);
        for (k = 0; k < numbers; k++) {
            size_t at = where_is(&t.m.live, k);
            good &= near((double)t.m.live.weight[at], p.w[k]) && near((double)t.state[at], p.state[k]);
            largest = fmax(largest, fabs(p.w[k]));
        }
    }
    CHECK(good);
    if (!s.averaged) return;
    (void)final_of(&t.m, out);
    for (k = 0; k < numbers; k++)
        good &= fabs((double)out[where_is(&t.m.live, k)] - linear_mean(&p, k, rows)) < 1e-5 * (1 + largest);
    CHECK(good);
}

static void check_all_beside_plain(void)
{
    const float bias[] = {1, 0, 0.5f, 3};
    uint32_t i;
    for (i = 0; i < 96; i++) {
        shape s = {N, 2, 1, 0, 0, 0};
        s.classes = i % 3 == 0 ? 2 : i % 3 == 1 ? 3 : K;
        s.r = i % 2 ? 0.1f : 5;
        s.feature_major = i / 4 % 2;
        s.averaged = i / 8 % 2;
        s.one_vs_rest = s.classes > 2 && i / 16 % 2;
        check_beside_plain(s, bias[i % 4]);
    }
}

/* One feature so large that a variance loses all its bits in the subtraction. The first label is noise, all others
 * agree: two mistakes, as in double. */
static void check_large_feature(float size, float r)
{
    static trainer t;
    shape s = {1, 2, 1, 0, 0, 0};
    double x = (double)size, w = 0, variance = 1;
    int i;
    s.r = r;
    trainer_of(&t, s);
    t.m.learner.bias_input = 0;
    for (i = 0; i < 20000; i++) {
        int sign = i == 0 ? -1 : 1;
        double gap = 1 - sign * w * x, beta = 1 / (variance * x * x + (double)r), move = variance * x;
        if (gap >= 0) w += sign * gap * beta * move, variance -= beta * move * move;
        CHECK(pcn_perceptron_learn(&t.m, pcn_dense(&size, 1), sign) >= 0);
    }
    CHECK(t.m.learner.count.mistakes == 2);
    CHECK(fabs((double)t.state[0] / variance - 1) < 0.01 && fabs((double)t.m.live.weight[0] / w - 1) < 0.01);
}

/* ---- Equal bits ---- */

/* sum S x^2 + S_b B^2 of a class, in the documented order of the row's form. */
static float plain_slope(const trainer *t, uint32_t c, pcn_vec x)
{
    const pcn_linear *m = &t->m.live;
    volatile float bias = t->m.learner.bias_input * t->m.learner.bias_input, slope;
    slope = plain_sum_of(t->state + weight_at(m, c, 0), column_of(m), N, x, 1);
    bias = t->state[N * m->scores + c] * bias;
    slope = slope + bias;
    return slope;
}

/* The bias of score `cls` after a step for y against its best rival, each operation rounded; of one score: for y or
 * not y. */
static float plain_bias(const trainer *t, uint32_t cls, pcn_vec x, int y)
{
    const pcn_linear *m = &t->m.live;
    const uint32_t up = m->scores == 1 ? 0 : (uint32_t)y, rival = up == 0;
    uint32_t down = rival, c;
    volatile float gap = plain_score(m, up, x), slope = plain_slope(t, up, x), step, variance = 0.5f;
    for (c = rival + 1; c < m->scores; c++)
        if (c != up && plain_score(m, c, x) > plain_score(m, down, x)) down = c;
    if (m->scores > 1) gap = gap - plain_score(m, down, x);
    if (m->scores > 1) slope = slope + plain_slope(t, down, x);
    if (m->scores == 1 && y == 0) gap = -gap;
    gap = t->m.learner.rule.margin - gap;
    variance = variance / t->m.learner.rule.strength; /* r */
    slope = slope + variance;
    step = gap >= 0 ? gap / slope : 0;
    if (m->scores == 1 ? y == 0 : cls == down) step = -step;
    if (cls != up && cls != down) step = 0;
    step = step * t->state[N * m->scores + cls];
    step = m->bias[cls] + step;
    return step;
}

/* Rows of one form in both layouts, with means and without; sparse ones with values, too, where they are ones. */
static void check_equal_rows(uint32_t classes, int ones, int sparse)
{
    enum { WAYS = 8 };
    static trainer t[WAYS];
    uint32_t index[N], count, i, c, j, k;
    float x[N], given[N], score[K], bias[K];
    const uint32_t scores = PCN_SCORES(classes);
    int y, result[WAYS], good = 1;
    for (k = 0; k < WAYS; k++) {
        shape s = {N, 2, 0.3f, 0, 0, 0};
        s.classes = classes;
        s.feature_major = k % 2;
        s.averaged = k / 2 % 2;
        trainer_of(&t[k], s);
    }
    for (i = 0; i < 300; i++) {
        y = (int)(random_bits() % classes);
        for (j = count = 0; j < N; j++) {
            x[j] = random_bits() % 3 ? 0 : ones ? 1 : real();
            if (x[j] != 0) index[count] = j, given[count++] = x[j];
        }
        for (k = 0; k < WAYS; k++) {
            pcn_vec row = !sparse         ? pcn_dense(x, N)
                          : ones && k / 4 ? pcn_ones(index, count)
                                          : pcn_sparse(index, given, count);
            pcn_linear_scores(&t[k].m.live, row, score);
            for (c = 0; c < scores; c++) good &= score[c] == plain_score(&t[k].m.live, c, row);
            for (c = 0; c < scores; c++) bias[c] = plain_bias(&t[k], c, row, y);
            result[k] = pcn_perceptron_learn(&t[k].m, row, y);
            good &= result[k] == result[0] && memcmp(bias, t[k].m.live.bias, scores * sizeof *bias) == 0;
        }
    }
    for (k = 1; k < WAYS; k++)
        for (c = 0; c < scores; c++)
            for (j = 0; j < N; j++) {
                const pcn_linear *a = &t[0].m.live, *b = &t[k].m.live;
                size_t p = weight_at(a, c, j), q = weight_at(b, c, j);
                good &= memcmp(&t[0].memory[p], &t[k].memory[q], 4) == 0;
                good &= memcmp(&t[0].state[p], &t[k].state[q], 4) == 0;
            }
    for (k = 1; k < WAYS; k++) good &= memcmp(t[0].state + N * scores, t[k].state + N * scores, 4 * scores) == 0;
    CHECK(good);
}

/* ---- Range ---- */

/* Huge, tiny and ordinary values: variances never rise, and are never less than 2^-126. */
static void check_range(void)
{
    static trainer t, before;
    const float scale[] = {1e-30f, 1e-18f, 1e-3f, 1, 1e3f, 1e10f, 1e18f, FLT_MAX};
    uint32_t i, j, k, refused = 0;
    int good = 1, y;
    float x[N];
    for (i = 0; i < 64; i++) {
        shape s = {N, 2, 1, 0, 0, 0};
        s.classes = i % 2 ? K : 2;
        s.r = i % 3 == 0 ? 1e-9f : i % 3 == 1 ? 1 : 1e9f;
        s.one_vs_rest = i / 2 % 2 && s.classes > 2;
        trainer_of(&t, s);
        for (k = 0; k < 300; k++) {
            for (j = 0; j < N; j++) x[j] = real() * scale[random_bits() % LENGTH(scale)];
            y = (int)(random_bits() % s.classes);
            before = t;
            if (pcn_perceptron_learn(&t.m, pcn_dense(x, N - k % 30), y) < 0) {
                good &= memcmp(before.state, t.state, sizeof t.state) == 0;
                good &= memcmp(before.memory, t.memory, 4 * PCN_LINEAR_FLOATS(N, s.classes)) == 0;
                refused++;
            }
            for (j = 0; j < PCN_LINEAR_FLOATS(N, s.classes); j++)
                good &= t.state[j] >= FLT_MIN && t.state[j] <= before.state[j] && fabsf(t.memory[j]) < FLT_MAX;
        }
        CHECK(good);
    }
    CHECK(refused > 100); /* rows of which v is infinite */
}

/* What rounding takes below 0, or among the denormal numbers, stops at 2^-126. */
static void check_least_variance(void)
{
    static trainer t;
    const shape s = {1, 2, 1000, 0, 0, 0}; /* r keeps step x below 2^54 */
    const float x = 1e18f;
    int i;
    trainer_of(&t, s);
    for (i = 0; i < 400; i++) CHECK(pcn_perceptron_learn(&t.m, pcn_dense(&x, 1), i % 2) >= 0);
    CHECK(t.state[0] >= FLT_MIN && t.state[0] < 1e-30f);
}

/* ---- Options ---- */

/* r must leave 1 / r and 1 / (2 r) as numbers above 0. */
static void check_r(void)
{
    const float bad[] = {
        0,        -0.0f,  -1,       from_bits(0x7f800000u), from_bits(0x7fc00000u), -from_bits(0x7fc00000u), 1e-39f,
        1.5e-39f, 2e-39f, 2.9e-39f, from_bits(0x00200000u)}; /* 2^-128 */
    const float fits[] = {from_bits(0x00200001u), 3e-39f, FLT_MIN, 1, FLT_MAX};
    static trainer t, before;
    size_t i;
    trainer_init(&t, N, K, 0, 0);
    before = t;
    for (i = 0; i < LENGTH(bad); i++) {
        CHECK(pcn_perceptron_use_confidence(&t.m, bad[i], t.state, sizeof t.state) == PCN_EOPTION);
        CHECK(memcmp(&before, &t, sizeof t) == 0);
    }
    for (i = 0; i < LENGTH(fits); i++) {
        t = before;
        CHECK(pcn_perceptron_use_confidence(&t.m, fits[i], t.state, sizeof t.state) == PCN_OK);
        CHECK(t.m.learner.rule.strength == 0.5f / fits[i] && t.m.learner.rule.margin == 1);
    }
}

/* The greatest 1 / r and an empty row: 0 of it is 0, not NaN, and the trainer can be saved. */
static void check_least_r(void)
{
    static trainer t;
    const shape s = {2, 2, from_bits(0x00200001u), 0, 0, 0};
    const float x[2] = {0, 0};
    uint32_t j;
    trainer_of(&t, s);
    t.m.learner.bias_input = 1e-20f;
    t.m.learner.rule.margin = 0.25f;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, 2), 1) >= 0);
    for (j = 0; j < 3; j++) CHECK(t.state[j] >= FLT_MIN && t.state[j] <= 1);
    CHECK(pcn_perceptron_save_part(&t.m, 0, NULL, 0) != 0);
}

/* A rule that was set is not thrown away. The default one by any way is the default one. */
static void check_rule_set(void)
{
    static trainer t, before;
    const pcn_rule rule[] = {pcn_rule_pa(0.1f),   pcn_rule_pa(FLT_MAX),      pcn_rule_pa2(0.5f),
                             pcn_rule_absolute(), pcn_rule_fractional(1.5f), pcn_rule_fixed(0.5f),
                             pcn_rule_fixed(0),   pcn_rule_fixed(-1),        pcn_rule_fixed(from_bits(0x7fc00000u))};
    size_t i;
    for (i = 0; i <= LENGTH(rule); i++) {
        trainer_init(&t, N, K, i % 2 ? PCN_PART_SUMS : 0, 0);
        if (i < LENGTH(rule)) t.m.learner.rule = rule[i];
        if (i == LENGTH(rule)) t.m.learner.rule.margin = 0.5f;
        before = t;
        CHECK(pcn_perceptron_use_confidence(&t.m, 1, t.state, sizeof t.state) == PCN_EOPTION);
        CHECK(memcmp(&before, &t, sizeof t) == 0);
        t.m.learner.rule = pcn_rule_fixed(1);
        CHECK(pcn_perceptron_use_confidence(&t.m, 1, t.state, sizeof t.state) == PCN_OK);
    }
}

static void check_refusals(void)
{
    static trainer t, before;
    static float batch[MOST], exponent[MOST];
    const shape s = {N, K, 1, 0, 0, 0};
    float x[N] = {1};
    trainer_of(&t, s);
    before = t;
    CHECK(pcn_perceptron_use_confidence(&t.m, 1, NULL, sizeof t.state) == PCN_EMEMORY);
    CHECK(pcn_perceptron_use_confidence(&t.m, 1, t.state, sizeof t.state - 1) == PCN_EMEMORY);
    CHECK(pcn_perceptron_use_confidence(&t.m, 1, t.state, sizeof t.state) == PCN_EOPTION); /* twice */
    CHECK(pcn_perceptron_use_batch(&t.m, batch, sizeof batch) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_winnow(&t.m, 0, 0, exponent, sizeof exponent) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_feature_major(&t.m) == PCN_EOPTION);
    CHECK(memcmp(&before, &t, sizeof t) == 0);

    t.m.learner.update = pcn_update_others;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == PCN_EOPTION);
    t.m.learner.update = pcn_update_uniform;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == PCN_EOPTION);
    t.m.learner.update = pcn_update_predicted;
    t.m.learner.rule = pcn_rule_pa(1);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == PCN_EOPTION);
    t.m.learner.rule = pcn_rule_fixed(1);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == PCN_EOPTION);
    CHECK(memcmp(before.memory, t.memory, 4 * PCN_LINEAR_FLOATS(N, K)) == 0 && t.m.learner.count.rows == 0);
    CHECK(t.m.refused == 4);
    t.m.learner.rule = pcn_rule_pa2(0.5f);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == 1);

    trainer_init(&t, N, K, PCN_PART_BATCH, 0); /* the others came first */
    CHECK(pcn_perceptron_use_confidence(&t.m, 1, t.state, sizeof t.state) == PCN_EOPTION);
    trainer_init(&t, N, K, PCN_PART_EXPONENTS, 0);
    CHECK(pcn_perceptron_use_confidence(&t.m, 1, t.state, sizeof t.state) == PCN_EOPTION);
}

/* In a row that does not ascend, features beyond the model's are left out of v = 2 2 + 3 3 + 1. (Whether its features
 * take the step depends on which are looked at together.) */
static void check_unsorted(void)
{
    static trainer t;
    const shape s = {N, 2, 1, 0, 0, 0};
    const uint32_t index[] = {0, N + 3, 1};
    const float value[] = {2, 100, 3};
    trainer_of(&t, s);
    CHECK(pcn_perceptron_learn(&t.m, pcn_sparse(index, value, 3), 1) == 1);
    CHECK(t.m.live.bias[0] == 1.0f / (14 + 1) && t.m.live.weight[2] == 0);
}

/* ---- Images ---- */

enum { IMAGE = 64 + 4 * (2 * MOST + 2 * MOST) + 4 };

static void learn_some(trainer *t, uint32_t seed, uint32_t rows)
{
    float x[N];
    uint32_t i, j;
    random_state = seed;
    for (i = 0; i < rows; i++) {
        for (j = 0; j < N; j++) x[j] = real();
        CHECK(pcn_perceptron_learn(&t->m, pcn_dense(x, N), (int)(random_bits() % K)) >= 0);
    }
}

static void check_image(int averaged)
{
    static trainer t, u;
    static uint8_t image[IMAGE], again[IMAGE];
    static float exponent[MOST];
    shape s = {N, K, 1, 0, 0, 0};
    size_t size, at;
    pcn_linear frozen;
    s.averaged = averaged;
    trainer_of(&t, s);
    trainer_of(&u, s);
    learn_some(&t, 7, 100);
    size = pcn_perceptron_save(&t.m, image, sizeof image);
    CHECK(size == 64 + 4 * (size_t)(2 + 2 * (averaged != 0)) * MOST + 4);
    CHECK(get_word(image, AT_PARTS) == (averaged ? 1025u + PCN_PART_SUMS : 1025u));
    CHECK(get_word(image, size - 4 - 4 * MOST) == get_word((uint8_t *)t.state, 0) || !little_endian());
    CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
    learn_some(&t, 8, 100);
    learn_some(&u, 8, 100);
    CHECK(pcn_perceptron_save(&t.m, image, size) == size && pcn_perceptron_save(&u.m, again, size) == size);
    CHECK(memcmp(image, again, size) == 0);

    for (at = size - 4 - 4 * MOST; at < size - 4; at += 4 * (MOST - 1)) { /* first and last variance */
        const uint32_t bad[] = {0, 0x80000000u, 0x007fffffu, 0x3f800001u, 0xbf800000u, 0x7f800000u, 0x7fc00000u};
        const uint32_t good[] = {0x00800000u, 0x3f800000u};
        size_t k;
        for (k = 0; k < LENGTH(bad); k++) {
            put_word(image, at, bad[k]), put_checksum(image, size);
            CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_EIMAGE);
        }
        for (k = 0; k < LENGTH(good); k++) {
            put_word(image, at, good[k]), put_checksum(image, size);
            CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
        }
    }
    u.state[3] = 2; /* save refuses what load would refuse */
    CHECK(pcn_perceptron_save(&u.m, again, sizeof again) == 0);

    CHECK(pcn_perceptron_init(&u.m, N, K, u.memory, sizeof u.memory) ==
          PCN_OK); /* without variances, or with exponents */
    CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_EMATCH);
    CHECK(pcn_perceptron_use_winnow(&u.m, 0, 0, exponent, sizeof exponent) == PCN_OK);
    CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_EMATCH);
    CHECK(pcn_linear_open(&frozen, image, size) == (averaged ? PCN_EMEAN : little_endian() ? PCN_OK : PCN_EALIGN));
}

/* An image without variances is a start: they are 1 again. One with exponents is none. */
static void check_other_images(void)
{
    static trainer t, u;
    static uint8_t image[IMAGE];
    static float exponent[MOST];
    const shape s = {N, K, 1, 0, 0, 0};
    size_t size, i;
    trainer_of(&t, s);
    learn_some(&t, 7, 50);
    size = pcn_linear_save(&t.m.live, image, sizeof image);
    trainer_of(&u, s);
    learn_some(&u, 9, 50);
    CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
    CHECK(memcmp(t.memory, u.memory, 4 * MOST) == 0);
    for (i = 0; i < MOST; i++) CHECK(u.state[i] == 1);
    CHECK(pcn_perceptron_init(&t.m, N, K, t.memory, sizeof t.memory) == PCN_OK);
    CHECK(pcn_perceptron_use_winnow(&t.m, 0, 0, exponent, sizeof exponent) == PCN_OK);
    size = pcn_perceptron_save(&t.m, image, sizeof image);
    CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_EMATCH);
}

int main(void)
{
    uint32_t classes;
    int i;
    check_binary_trace();
    check_class_trace();
    check_all_beside_plain();
    check_large_feature(1e4f, 1);
    check_large_feature(2e3f, 0.1f);
    check_large_feature(1e6f, 1);
    check_large_feature(1e6f, 100);
    for (classes = 2; classes <= K; classes++)
        for (i = 0; i < 4; i++) check_equal_rows(classes, i & 1, i >> 1);
    check_range();
    check_least_variance();
    check_r();
    check_least_r();
    check_rule_set();
    check_refusals();
    check_unsorted();
    check_image(0);
    check_image(1);
    check_other_images();
    return report();
}
