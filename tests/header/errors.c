/* Every error of every function is returned as its comment says, and leaves the model, its counts, sums, batch and
 * clock as they were.
 *
 * Only the scratch scores and changes behind the weights may differ, and what is refused is counted. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "sums.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { N = 5, K = 4 };

#include "linear.h"

typedef struct shape { /* parts: of sums, batch, feature-major */
    uint32_t classes;
    unsigned parts;
    int warm;
} shape;

static float infinite, not_a_number;

static const float good[N] = {1, -2, 0.5f, 3, -1};
static const uint32_t first[N] = {0, 1, 2, 3, 4};

static void trainer_of(trainer *t, shape s)
{
    static const float other[N] = {3, 1, 4, -1, -5};
    trainer_init(t, N, s.classes, s.parts, 1);
    if (t->m.own.batch) CHECK(pcn_perceptron_apply_batch(&t->m, 1) == 0); /* it begins empty */
    if (!s.warm) return;
    CHECK(pcn_perceptron_learn(&t->m, pcn_dense(good, N), 1) == 1);
    if (s.parts & PCN_PART_BATCH) CHECK(pcn_perceptron_apply_batch(&t->m, 1) == 1);
    CHECK(pcn_perceptron_learn(&t->m, pcn_dense(other, N), 0) == 1);
}

static int same_state(const trainer *t, const trainer *before)
{
    size_t kept = PCN_LINEAR_FLOATS(N, t->m.live.scores) * sizeof(float);
    return memcmp(&t->m, &before->m, sizeof t->m) == 0 && memcmp(t->memory, before->memory, kept) == 0 &&
           memcmp(t->sum, before->sum, sizeof t->sum) == 0 && memcmp(t->batch, before->batch, sizeof t->batch) == 0;
}

/* learn refuses x with `expected`, counts that, and nothing else changes. */
static void refuses(trainer *t, pcn_vec x, int y, int expected)
{
    static trainer before;
    before = *t;
    CHECK(pcn_perceptron_learn(&t->m, x, y) == expected);
    before.m.refused++;
    CHECK(same_state(t, &before));
    before.m.refused--;
    *t = before;
}

static void check_labels(trainer *t)
{
    static const int labels[] = {-1, K, K + 1, 2, -2, 256, 257, -256, 65536, 65537, INT_MAX, INT_MIN, INT_MIN + 1};
    const int classes = (int)PCN_CLASSES(t->m.live.scores);
    size_t i;
    for (i = 0; i < LENGTH(labels); i++) {
        const int y = labels[i], fits = classes == 2 ? y >= -1 && y <= 1 : y >= 0 && y < classes;
        if (!fits) refuses(t, pcn_dense(good, N), y, PCN_ELABEL);
    }
}

static void check_indices(trainer *t)
{
    static const float values[N + 1] = {1, 2, 3, 4, 5, 6};
    static const uint32_t last[] = {N, N + 1, N + 31, UINT32_MAX - 1, UINT32_MAX};
    uint32_t index[2] = {1, 0}, i;
    refuses(t, pcn_dense(values, N + 1), 1, PCN_EINDEX);
    refuses(t, pcn_ones(NULL, N + 1), 1, PCN_EINDEX);
    for (i = 0; i < LENGTH(last); i++) {
        index[1] = last[i];
        refuses(t, pcn_sparse(index, values, 2), 1, PCN_EINDEX);
        refuses(t, pcn_ones(index, 2), 1, PCN_EINDEX);
        refuses(t, pcn_ones(index + 1, 1), 1, PCN_EINDEX);
    }
}

/* NaN, infinity and what overflows a score or a weight, in each position. */
static void check_values(trainer *t)
{
    const float bad[] = {not_a_number, -not_a_number, infinite, -infinite, FLT_MAX, -FLT_MAX};
    uint32_t i, b;
    for (b = 0; b < LENGTH(bad); b++)
        for (i = 0; i < N; i++) {
            float x[N];
            int y;
            memcpy(x, good, sizeof x);
            x[i] = bad[b];
            for (y = 0; y < 2; y++) {
                /* FLT_MAX may go unnoticed where no update is due */
                if (b >= 4 && t->m.live.weight[0] != 0) continue;
                refuses(t, pcn_dense(x, N), y, PCN_EVALUE);
                refuses(t, pcn_dense(x, i + 1), y, PCN_EVALUE);
                refuses(t, pcn_sparse(first, x, N), y, PCN_EVALUE);
                refuses(t, pcn_sparse(first + i, x + i, 1), y, PCN_EVALUE);
            }
        }
}

/* learn updates by x, where it stands. Undone. */
static void accepts(trainer *t, pcn_vec x, int y)
{
    trainer before = *t;
    CHECK(pcn_perceptron_learn(&t->m, x, y) == 1);
    *t = before;
}

/* A step is refused if it would move a weight or the bias by 2^54 or more, and only then. */
static void check_steps(trainer *t)
{
    const float p24 = 16777216, p30 = 1073741824, p54 = p24 * p30, below = from_bits(0x4b7fffffu); /* 2^24 */
    float x[N] = {0, 0, 0, 0, 0};
    uint32_t i;
    int y;
    t->m.learner.rule = pcn_rule_fixed(p30);
    t->m.learner.rule.margin = FLT_MAX; /* always updates */
    for (i = 0; i < 2 * N; i++) {
        const uint32_t j = i / 2;
        y = (int)(i % 2);
        x[j] = y ? p24 : -p24;
        refuses(t, pcn_dense(x, N), y, PCN_EVALUE);
        refuses(t, pcn_sparse(first, x, N), y, PCN_EVALUE);
        refuses(t, pcn_sparse(&j, x + j, 1), y, PCN_EVALUE);
        x[j] = y ? below : -below;
        accepts(t, pcn_dense(x, N), y);
        accepts(t, pcn_sparse(first, x, N), y);
        accepts(t, pcn_sparse(&j, x + j, 1), y);
        x[j] = FLT_MAX;
        refuses(t, pcn_dense(x, N), y, PCN_EVALUE);
        x[j] = 0;
    }
    for (i = 0; i < 4; i++) {
        y = (int)(i % 2);
        t->m.learner.rule.rate = i < 2 ? p54 : p30 * below;
        t->m.learner.bias_input = 0;
        i < 2 ? refuses(t, pcn_ones(first + i, 1), y, PCN_EVALUE) : accepts(t, pcn_ones(first + i, 1), y);
        accepts(t, pcn_ones(NULL, 0), y); /* no weight steps along an empty row */
        accepts(t, pcn_dense(x, 0), y);
        t->m.learner.bias_input = 1; /* the bias alone */
        i < 2 ? refuses(t, pcn_dense(NULL, 0), y, PCN_EVALUE) : accepts(t, pcn_dense(NULL, 0), y);
        t->m.learner.rule.rate = 1;
        t->m.learner.bias_input = i < 2 ? 8 * p24 : 8 * below; /* and by its input: step B^2 */
        i < 2 ? refuses(t, pcn_dense(x, N), y, PCN_EVALUE) : accepts(t, pcn_dense(x, N), y);
        t->m.learner.bias_input = 1;
    }
    t->memory[0] = p54 * p24 * 2; /* 2^79: now a score overflows, though no step is too large */
    x[0] = 562949953421312.0f;    /* 2^49 */
    for (y = 0; y < 2; y++) {
        refuses(t, pcn_dense(x, N), y, PCN_EVALUE);
        refuses(t, pcn_sparse(first, x, N), y, PCN_EVALUE);
        x[0] /= -2;
        accepts(t, pcn_dense(x, N), y);
        accepts(t, pcn_sparse(first, x, N), y);
        x[0] *= -2;
    }
}

/* |X|^2 overflows though no score and no weight does. */
static void check_norm(trainer *t)
{
    const pcn_rule rules[] = {pcn_rule_absolute(), pcn_rule_fractional(1), pcn_rule_pa(1), pcn_rule_pa(FLT_MAX),
                              pcn_rule_pa2(1)};
    float x = 1180591620717411303424.0f; /* 2^70 */
    size_t i;
    for (i = 0; i < LENGTH(rules); i++) {
        t->m.learner.rule = rules[i];
        t->m.learner.rule.margin = 1;
        refuses(t, pcn_dense(&x, 1), 1, PCN_EVALUE);
    }
}

/* Rules with numbers that are none of theirs, when they fire. x: a row that every sane rule learns. */
static void check_rules(trainer *t)
{
    const float bad[] = {not_a_number, -not_a_number, -1, -FLT_MIN, -infinite};
    const pcn_rule rules[] = {pcn_rule_fixed(1), pcn_rule_absolute(), pcn_rule_fractional(1), pcn_rule_pa(1),
                              pcn_rule_pa2(1)};
    const pcn_vec x = pcn_dense(good, N);
    trainer before = *t;
    size_t i, k;
    int y;
    for (y = 0; y < 2; y++)
        for (i = 0; i < LENGTH(rules); i++) {
            for (k = 0; k < LENGTH(bad); k++) {
                t->m.learner.rule = rules[i];
                t->m.learner.rule.margin = bad[k];
                if (bad[k] != bad[k]) refuses(t, x, y, PCN_EOPTION);
                t->m.learner.rule.margin = 1000;
                t->m.learner.rule.strength = bad[k];
                if (i >= 2) refuses(t, x, y, PCN_EOPTION);
            }
            t->m.learner.rule = rules[i];
            t->m.learner.rule.margin = 1000;
            t->m.learner.rule.rate = not_a_number;
            if (i == 0) refuses(t, x, y, PCN_EOPTION);
            t->m.learner.rule.rate = -1; /* a step backwards is what it says, to a rule that uses the rate */
            if (i % 2 == 0 && i < 4)
                CHECK(pcn_perceptron_learn(&t->m, x, y) == 1);
            else if (!before.m.learner.moved)
                refuses(t, x, y, PCN_EOPTION);
            *t = before;
        }
}

/* A negative margin that is reached: y s = -8 or less. */
static void check_negative_margin(uint32_t classes)
{
    static trainer t;
    const float huge[] = {-1, -7, -FLT_MIN};
    shape s = {2, 0, 0};
    size_t i;
    s.classes = classes;
    trainer_of(&t, s);
    t.memory[0] = 1; /* the first score is 8 */
    for (i = 0; i < LENGTH(huge); i++) {
        const float eight = 8;
        t.m.learner.rule = pcn_rule_fixed(1);
        t.m.learner.rule.margin = huge[i];
        refuses(&t, pcn_dense(&eight, 1), classes == 2 ? 0 : 1, PCN_EOPTION);
        t.m.learner.update = pcn_update_one_vs_rest;
        refuses(&t, pcn_dense(&eight, 1), classes == 2 ? 0 : 1, PCN_EOPTION);
        t.m.learner.update = NULL;
    }
}

/* The mean is exact enough up to 2^36 rows; there it ends. Without averaging there is no end. */
static void check_end_of_mean(uint32_t classes)
{
    const uint64_t most = (uint64_t)1 << 36;
    static trainer t;
    int averaged, batched, y;
    for (averaged = 0; averaged < 2; averaged++)
        for (batched = 0; batched < 2; batched++) {
            shape s = {2, 0, 1};
            s.classes = classes;
            s.parts = (averaged ? (unsigned)PCN_PART_SUMS : 0) | (batched ? (unsigned)PCN_PART_BATCH : 0);
            trainer_of(&t, s);
            t.m.learner.rule.margin = FLT_MAX; /* always updates */
            t.m.learner.clock = most - 1;
            CHECK(pcn_perceptron_learn(&t.m, pcn_dense(good, N), 1) == 1 && t.m.learner.clock == most);
            for (y = 0; y < 2 && averaged; y++) refuses(&t, pcn_dense(good, N), y, PCN_EFULL);
            if (!averaged)
                CHECK(pcn_perceptron_learn(&t.m, pcn_dense(good, N), 1) == 1 && t.m.learner.clock == most + 1);
            if (batched) CHECK(pcn_perceptron_apply_batch(&t.m, 1) == 1);
        }
}

static void check_apply(trainer *t)
{
    const float scale[] = {1e25f, -1e25f, FLT_MAX, infinite, -infinite, not_a_number};
    trainer before;
    size_t i;
    if (!t->m.own.batch) return;
    CHECK(pcn_perceptron_learn(&t->m, pcn_dense(good, N), 2 % (int)(t->m.live.scores + 1)) >= 0);
    t->batch[0] = 1; /* surely not empty */
    before = *t;
    for (i = 0; i < LENGTH(scale); i++) {
        CHECK(pcn_perceptron_apply_batch(&t->m, scale[i]) == PCN_EVALUE);
        CHECK(same_state(t, &before));
    }
    CHECK(pcn_perceptron_apply_batch(&t->m, 1) == 1);
    CHECK(pcn_perceptron_apply_batch(&t->m, 1) == 0); /* empty now */
    for (i = 0; i < 2; i++) { /* 0 throws nothing away, and is refused for an empty batch, too */
        before = *t;
        CHECK(pcn_perceptron_apply_batch(&t->m, 0) == PCN_EOPTION && same_state(t, &before));
        CHECK(pcn_perceptron_apply_batch(&t->m, -0.0f) == PCN_EOPTION && same_state(t, &before));
        t->batch[0] = 1;
    }
    for (i = 0; i < LENGTH(scale); i++) { /* what can never be applied can be thrown away */
        t->batch[0] = scale[i];
        before = *t;
        CHECK(pcn_perceptron_apply_batch(&t->m, 1) == PCN_EVALUE && same_state(t, &before));
        CHECK(pcn_perceptron_apply_batch(&t->m, 0) == PCN_EOPTION && same_state(t, &before));
        CHECK(pcn_perceptron_end_batch(&t->m) == PCN_EBATCH && same_state(t, &before));
        before.batch[0] = 0;
        CHECK(pcn_perceptron_discard_batch(&t->m) == PCN_OK && same_state(t, &before));
    }
}

/* An array of exactly `bytes`, or of one byte less; NULL; or one of nothing. */
static void check_arrays(trainer *t, int (*use)(pcn_perceptron *m, float *array, size_t bytes), size_t bytes, int late)
{
    float other[PCN_AVERAGING_FLOATS(N, K)];
    const int expected = late ? PCN_ELATE : PCN_EMEMORY;
    CHECK(use(&t->m, NULL, bytes) == expected && use(&t->m, NULL, SIZE_MAX) == expected);
    CHECK(use(&t->m, other, bytes - 1) == expected && use(&t->m, other, bytes - sizeof(float)) == expected);
    CHECK(use(&t->m, other, 0) == expected && use(&t->m, other, 1) == expected);
    if (late) CHECK(use(&t->m, other, bytes) == PCN_ELATE);
}

static int use_winnow(pcn_perceptron *m, float *array, size_t bytes)
{
    return pcn_perceptron_use_winnow(m, 1, 0, array, bytes);
}

static int use_balanced(pcn_perceptron *m, float *array, size_t bytes)
{
    return pcn_perceptron_use_winnow(m, 0, 1, array, bytes);
}

static int use_confidence(pcn_perceptron *m, float *array, size_t bytes)
{
    return pcn_perceptron_use_confidence(m, 1, array, bytes);
}

static void check_options(trainer *t)
{
    const size_t bytes = PCN_LINEAR_FLOATS(N, t->m.live.scores) * sizeof(float);
    const float beyond[] = {infinite, -infinite, not_a_number, 18014398509481984.0f, -18014398509481984.0f, FLT_MAX};
    const int late = t->m.learner.clock != 0;
    float other[PCN_AVERAGING_FLOATS(N, K)];
    trainer before = *t;
    size_t i;
    check_arrays(t, pcn_perceptron_use_averaging, 2 * bytes, 0);
    check_arrays(t, pcn_perceptron_use_batch, bytes, late);
    check_arrays(t, use_winnow, bytes, late);
    check_arrays(t, use_balanced, bytes, late);
    check_arrays(t, use_confidence, bytes, late);
    for (i = 0; i < LENGTH(beyond); i++)
        CHECK(pcn_perceptron_use_winnow(&t->m, beyond[i], 0, other, bytes) == (late ? PCN_ELATE : PCN_EOPTION));
    if (late || t->m.own.sum || t->m.own.batch)
        CHECK(pcn_perceptron_use_feature_major(&t->m) == (late ? PCN_ELATE : PCN_EOPTION));
    if (!t->m.own.batch) {
        CHECK(pcn_perceptron_apply_batch(&t->m, 1) == PCN_EOPTION);
        CHECK(pcn_perceptron_discard_batch(&t->m) == PCN_EOPTION && pcn_perceptron_end_batch(&t->m) == PCN_EOPTION);
    }
    CHECK(same_state(t, &before));
}

/* What must come before the first row is late after it, after a row that was refused not, and after an image that has
 * rows. Averaging is never late. */
static void check_late(shape s)
{
    static trainer t, other;
    static uint32_t image[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS | PCN_PART_BATCH) / 4];
    const size_t bytes = PCN_LINEAR_FLOATS(N, s.classes) * sizeof(float);
    float array[PCN_LINEAR_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)];
    size_t size;
    int how;
    s.warm = 1;
    trainer_of(&other, s);
    for (how = 0; how < 4; how++) {
        const int late = how == 1 || how == 3;
        const int on = s.parts & (PCN_PART_SUMS | PCN_PART_BATCH) ? PCN_EOPTION : PCN_OK;
        trainer before;
        s.warm = 0;
        trainer_of(&t, s);
        if (how == 1) CHECK(pcn_perceptron_learn(&t.m, pcn_dense(good, N), 1) == 1);
        if (how == 2) CHECK(pcn_perceptron_learn(&t.m, pcn_dense(good, N), -7) == PCN_ELABEL);
        size = pcn_perceptron_save(&other.m, image, sizeof image);
        if (how == 3) CHECK(size != 0 && pcn_perceptron_load(&t.m, image, size) == PCN_OK);
        before = t;
        if (late) {
            CHECK(pcn_perceptron_use_feature_major(&t.m) == PCN_ELATE);
            CHECK(pcn_perceptron_use_batch(&t.m, array, bytes) == PCN_ELATE);
            CHECK(use_winnow(&t.m, array, bytes) == PCN_ELATE && use_balanced(&t.m, array, bytes) == PCN_ELATE);
            CHECK(use_confidence(&t.m, array, bytes) == PCN_ELATE);
            CHECK(same_state(&t, &before));
        } else {
            CHECK(pcn_perceptron_use_feature_major(&t.m) == on);
            CHECK(use_winnow(&t.m, array, bytes) == PCN_OK);
            t = before;
            CHECK(pcn_perceptron_use_batch(&t.m, array, bytes) == PCN_OK);
            t = before;
            if (!t.m.own.batch) CHECK(use_confidence(&t.m, array, bytes) == PCN_OK);
        }
        CHECK(pcn_perceptron_use_averaging(&t.m, sum, 2 * bytes) == PCN_OK && t.m.learner.clock == 0);
        if (how != 1) continue;
        CHECK(pcn_perceptron_use_batch(&t.m, array, bytes) == PCN_ELATE); /* the rows tell */
        memset(&t.m.learner.count, 0, sizeof t.m.learner.count);          /* yours to clear */
        CHECK(pcn_perceptron_learn(&t.m, pcn_dense(good, N), 0) == 1);
        memset(&t.m.learner.count, 0, sizeof t.m.learner.count); /* the clock tells */
        CHECK(pcn_perceptron_use_batch(&t.m, array, bytes) == PCN_ELATE);
    }
}

/* Options that set all weights do not overwrite any that were written or loaded. */
static void check_weights_before(shape s)
{
    static trainer t, before;
    const size_t bytes = PCN_LINEAR_FLOATS(N, s.classes) * sizeof(float), n = PCN_LINEAR_FLOATS(N, s.classes);
    float array[PCN_LINEAR_FLOATS(N, K)];
    size_t at;
    s.warm = 0;
    s.parts &= PCN_PART_BIAS;
    for (at = 0; at < n; at += n - 1) { /* the first weight, the last bias */
        trainer_of(&t, s);
        t.memory[at] = 0.5f;
        before = t;
        CHECK(pcn_perceptron_use_feature_major(&t.m) == PCN_ELATE);
        CHECK(use_winnow(&t.m, array, bytes) == PCN_ELATE && use_balanced(&t.m, array, bytes) == PCN_ELATE);
        CHECK(same_state(&t, &before));
        CHECK(use_confidence(&t.m, array, bytes) == PCN_OK && t.memory[at] == 0.5f); /* leaves them alone */
    }
}

/* Winnow wants a rule that adds; one that was set otherwise is not thrown away, and nothing changes. */
static void check_winnow_rule(shape s)
{
    static trainer t, before;
    const pcn_rule rules[] = {pcn_rule_pa(0.1f), pcn_rule_pa(FLT_MAX), pcn_rule_pa2(0.5f), pcn_rule_absolute(),
                              pcn_rule_fractional(1.5f)};
    size_t i;
    int balanced;
    trainer_of(&t, s);
    for (i = 0; i < LENGTH(rules); i++)
        for (balanced = 0; balanced < 2; balanced++) {
            t.m.learner.rule = rules[i];
            before = t;
            CHECK(pcn_perceptron_use_winnow(&t.m, 1, balanced, t.state, sizeof t.state) == PCN_EOPTION);
            CHECK(same_state(&t, &before) && memcmp(t.state, before.state, sizeof t.state) == 0);
        }
    t.m.learner.rule = pcn_rule_fixed(0.25f); /* any rate, any margin */
    t.m.learner.rule.margin = 2;
    CHECK(pcn_perceptron_use_winnow(&t.m, 1, 0, t.state, sizeof t.state) == PCN_OK);
    CHECK(t.m.learner.rule.rate == 0.25f && t.m.learner.rule.margin == 2);
}

/* resize wants every array that is in use, with room for the greater numbers, moved or not. */
static void check_resize(shape s, unsigned state, uint32_t features, uint32_t classes)
{
    static trainer t, before, moved;
    const size_t old = PCN_LINEAR_FLOATS(N, s.classes), now = PCN_LINEAR_FLOATS(features, classes);
    const size_t bytes = (old > now ? old : now) * sizeof(float);
    pcn_arrays exact, a;
    uint32_t k;
    s.parts |= state;
    s.warm = state != PCN_PART_EXPONENTS;
    trainer_of(&t, s);
    before = moved = t;
    exact = arrays_of(&t);
    exact.memory_bytes = PCN_PERCEPTRON_FLOATS(features, classes) * sizeof(float);
    if (exact.memory_bytes < bytes) exact.memory_bytes = bytes;
    if (exact.sum) exact.sum_bytes = 2 * bytes;
    if (exact.batch) exact.batch_bytes = bytes;
    if (exact.state) exact.state_bytes = bytes;
    for (k = 0; k < 12; k++) { /* each of them missing, of no length, a byte too short */
        float **array = k / 3 == 0 ? &a.memory : k / 3 == 1 ? &a.sum : k / 3 == 2 ? &a.batch : &a.state;
        size_t *length = k / 3 == 0   ? &a.memory_bytes
                         : k / 3 == 1 ? &a.sum_bytes
                         : k / 3 == 2 ? &a.batch_bytes
                                      : &a.state_bytes;
        a = exact;
        if (!*array) continue;
        if (k % 3 == 0) *array = NULL;
        if (k % 3 == 1) *length = 0;
        if (k % 3 == 2) --*length;
        CHECK(pcn_perceptron_resize(&t.m, features, classes, &a) == PCN_EMEMORY);
        CHECK(same_state(&t, &before) && memcmp(t.state, before.state, sizeof t.state) == 0);
    }
    CHECK(pcn_perceptron_resize(&t.m, features, classes, &exact) == PCN_OK);
    a = arrays_of(&moved);
    CHECK(pcn_perceptron_resize(&moved.m, features, classes, &a) == PCN_OK);
    CHECK(moved.m.live.weight == moved.memory &&
          moved.m.live.bias == moved.memory + (size_t)features * PCN_SCORES(classes));
    CHECK(memcmp(moved.memory, t.memory, sizeof t.memory) == 0 && memcmp(moved.sum, t.sum, sizeof t.sum) == 0);
    CHECK(memcmp(moved.batch, t.batch, sizeof t.batch) == 0 && memcmp(moved.state, t.state, sizeof t.state) == 0);
    for (k = 0; k < 4; k++) {
        const uint32_t n = features < N ? features : N;
        const int y = (int)(k % classes);
        CHECK(pcn_perceptron_learn(&t.m, pcn_ones(first, n), y) ==
              pcn_perceptron_learn(&moved.m, pcn_ones(first, n), y));
        CHECK(t.m.refused == 0 && moved.m.learner.guess == t.m.learner.guess);
    }
    CHECK(memcmp(moved.memory, t.memory, sizeof t.memory) == 0);
    CHECK(moved.m.learner.score == moved.memory + PCN_LINEAR_FLOATS(features, classes));
}

static void check_resizes(void)
{
    int bits;
    for (bits = 0; bits < 48; bits++) {
        shape s = {2, 0, 1};
        const uint32_t features = bits >> 4 == 0 ? N : bits >> 4 == 1 ? N - 2 : 0;
        s.classes = bits & 1 ? K - 1 : 2;
        s.parts = (unsigned)bits & (PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_FEATURE_MAJOR);
        check_resize(s, 0, features, s.classes);
        check_resize(s, 0, features, K);
        if (!(s.parts & PCN_PART_BATCH)) check_resize(s, PCN_PART_VARIANCES, features, K);
        if (features == N) check_resize(s, PCN_PART_EXPONENTS, N, s.classes);
    }
}

/* What a rule says that has numbers which are none of its matters when it may fire; so it does in the smallest loops. A
 * row that does not fire is learned, and teaches nothing. */
static void check_settings_at_rest(uint32_t classes)
{
    static trainer t;
    shape s = {2, 0, 1};
    const pcn_vec x = pcn_dense(good, N);
    size_t i;
    s.classes = classes;
    for (i = 0; i < 6; i++) {
        pcn_learner *l = &t.m.learner;
        trainer_of(&t, s);
        for (t.m.learner.count.rows = 0; pcn_perceptron_learn(&t.m, x, 1) == 1;) continue;
        if (i == 0) l->rule.rate = not_a_number;
        if (i == 1) l->rule.rate = infinite;
        if (i == 2) l->rule.strength = -1;
        if (i == 3) l->rule.strength = not_a_number;
        if (i == 4) l->bias_input = not_a_number;
        if (i == 5) l->bias_input = -infinite;
        l->guess = 7;
        l->count.rows = l->count.updates = l->count.mistakes = 0;
        CHECK(pcn_perceptron_learn(&t.m, x, 1) == 0 && l->guess == 1 && t.m.refused == 0);
        CHECK(l->count.rows == 1 && l->count.updates == 0 && l->count.mistakes == 0);
        refuses(&t, x, 0, PCN_EOPTION); /* and one that would */
        CHECK(pcn_perceptron_learn(&t.m, x, 1) == 0);
    }
    trainer_of(&t, s);
    t.m.learner.rule.margin = t.m.learner.rule.strength = -0.0f; /* is 0 */
    CHECK(pcn_perceptron_learn(&t.m, x, 0) == 1);
}

/* ---- Rules that could never learn, or have a setting that they do not use ---- */

static pcn_rule with_rate(pcn_rule rule, float rate)
{
    rule.rate = rate;
    return rule;
}

/* Number i of them; `late`: what learn returns for a row with a gap above 0 once the rule has fired. Then: the good ones
 * that follow them. */
static int misset_rule(uint32_t i, pcn_rule *rule, int *late)
{
    const pcn_rule rules[] = {
        pcn_rule_fixed(0),
        pcn_rule_fixed(-0.0f),
        with_rate(pcn_rule_fractional(1), 0),
        pcn_rule_fractional(0),
        pcn_rule_fractional(-0.0f),
        pcn_rule_pa(0),
        pcn_rule_pa(-0.0f),
        pcn_rule_pa2(0),
        pcn_rule_fractional(-1),
        pcn_rule_pa(-1),
        pcn_rule_pa2(-FLT_MIN),
        with_rate(pcn_rule_absolute(), 0),
        with_rate(pcn_rule_absolute(), 0.5f),
        with_rate(pcn_rule_absolute(), -1),
        with_rate(pcn_rule_pa(1), 0),
        with_rate(pcn_rule_pa(1), 0.1f),
        with_rate(pcn_rule_pa(1), 2),
        with_rate(pcn_rule_pa2(1), 0),
        with_rate(pcn_rule_pa2(1), 1.5f),
        with_rate(pcn_rule_pa2(1), -1)};
    if (i >= LENGTH(rules)) return 0;
    *rule = rules[i];
    *late = i < 8 && i != 2 ? 0 : i >= 8 && i < 11 ? PCN_EOPTION : 1;
    rule->margin = 1;
    return 1;
}

typedef uint32_t (*update_function)(const pcn_learner *, pcn_update *, uint32_t, float *);

static const update_function updates[] = {NULL, pcn_update_predicted, pcn_update_others, pcn_update_uniform,
                                          pcn_update_one_vs_rest};

/* learn does not move a weight, and says so. */
static void moves_nothing(trainer *t, pcn_vec x, int y)
{
    static trainer before;
    before = *t;
    CHECK(pcn_perceptron_learn(&t->m, x, y) == 0 && t->m.refused == before.m.refused);
    CHECK(t->m.learner.count.rows == before.m.learner.count.rows + 1);
    CHECK(t->m.learner.count.updates == before.m.learner.count.updates);
    CHECK(memcmp(t->memory, before.memory, PCN_LINEAR_FLOATS(N, t->m.live.scores) * sizeof(float)) == 0);
    CHECK(memcmp(t->sum, before.sum, sizeof t->sum) == 0 && memcmp(t->batch, before.batch, sizeof t->batch) == 0);
    CHECK(memcmp(t->state, before.state, sizeof t->state) == 0);
}

static void save_and_load(trainer *t)
{
    static uint32_t image[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_VARIANCES) / 4];
    const size_t size = pcn_perceptron_save(&t->m, image, sizeof image);
    CHECK(size != 0 && pcn_perceptron_load(&t->m, image, size) == PCN_OK);
}

/* Before the first update, and again after a load, learn says so as soon as the rule fires, to any class and by any
 * update. In between the settings do as they say. */
static void check_misset(uint32_t classes, update_function update, unsigned parts, int follows)
{
    static trainer t;
    const pcn_vec x = pcn_dense(good, N), other = pcn_dense(good + 1, N - 1);
    uint32_t i;
    pcn_rule rule;
    int late, y, round;
    for (i = 0; misset_rule(i, &rule, &late); i++) {
        const shape s = {classes, parts, 0};
        trainer_of(&t, s);
        t.m.learner.update = update;
        if (follows) CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK);
        for (round = 0; round < 2; round++) {
            t.m.learner.rule = rule;
            for (y = 0; y < (int)classes; y++) {
                const int stays = round == 1 && y == (int)classes - 1; /* that class has learned x, see below */
                if (!stays) refuses(&t, x, y, PCN_EOPTION);
                if (!stays && classes == 2 && y == 0) refuses(&t, x, -1, PCN_EOPTION);
            }
            t.m.learner.rule.margin =
                0; /* a row that does not fire is learned, and does not count as the first update */
            t.m.learner.zero_predicted = 1;
            if (round == 0 && late >= 0 && update != pcn_update_one_vs_rest) moves_nothing(&t, x, classes == 2);
            t.m.learner.zero_predicted = 0;
            t.m.learner.rule = pcn_rule_fixed(8);
            t.m.learner.rule.margin = 1000;
            CHECK(pcn_perceptron_learn(&t.m, x, (int)classes - 1) == 1);
            if (parts & PCN_PART_BATCH) CHECK(pcn_perceptron_apply_batch(&t.m, 1) == 1);
            t.m.learner.rule = rule;
            if (late == 0) moves_nothing(&t, x, 0);
            if (late < 0) refuses(&t, x, 0, PCN_EOPTION);
            if (late > 0) accepts(&t, x, 0);
            if (late == 0 && classes == 2) moves_nothing(&t, other, -1);
            save_and_load(&t);
            t.m.learner.rule = rule; /* as the manual says: set it again */
        }
        refuses(&t, x, 0, PCN_EOPTION);
        CHECK(t.m.refused == 0 && t.m.learner.moved == 0);
    }
}

/* Winnow takes the fixed rule only, AROW a rule of its own. */
static void check_misset_methods(uint32_t classes, unsigned state)
{
    static trainer t;
    const pcn_vec x = pcn_dense(good, N);
    const float rates[] = {0, -0.0f, 0.5f, 2, -1}, strengths[] = {0, -0.0f};
    const int winnow = state != PCN_PART_VARIANCES, ones[] = {0, 1};
    const shape s = {classes, state, 0};
    size_t i, k;
    for (i = 0; i < LENGTH(rates) + LENGTH(strengths); i++)
        for (k = 0; k < LENGTH(ones); k++) {
            const int misset = !winnow || i < 2;
            pcn_rule rule, was;
            trainer_of(&t, s);
            if (winnow && i >= LENGTH(rates)) continue;
            t.m.learner.rule.margin = 1000;
            rule = was = t.m.learner.rule;
            if (i < LENGTH(rates)) rule.rate = rates[i];
            if (i >= LENGTH(rates)) rule.strength = strengths[i - LENGTH(rates)];
            t.m.learner.rule = rule;
            if (!misset) {
                accepts(&t, x, ones[k]);
                continue;
            }
            refuses(&t, x, ones[k], PCN_EOPTION);
            if (classes > 2) t.m.learner.update = pcn_update_one_vs_rest;
            refuses(&t, x, ones[k], PCN_EOPTION);
            t.m.learner.rule = was;
            CHECK(pcn_perceptron_learn(&t.m, x, ones[k]) == 1);
            t.m.learner.rule = rule;
            if (winnow || rule.strength <= 0)
                moves_nothing(&t, x, ones[k]);
            else
                accepts(&t, x, ones[k]); /* a rate that is not used */
            save_and_load(&t);
            t.m.learner.rule = rule;
            refuses(&t, x, ones[k], PCN_EOPTION);
        }
}

/* Of kernel trainers. */
static void check_misset_kernel(uint32_t classes, update_function update, int logged)
{
    enum { SLOTS = 8, LOG = 64 };
    static float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)];
    static uint32_t image[PCN_KERNEL_IMAGE(K, SLOTS, N * SLOTS, LOG, 0) / 4];
    static pcn_slot slot[SLOTS];
    static pcn_log_entry log[LOG];
    const pcn_vec x = pcn_dense(good, N);
    pcn_kperceptron m;
    pcn_rule rule;
    uint32_t i;
    int late, round;
    for (i = 0; misset_rule(i, &rule, &late); i++) {
        CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(1), N, classes, slot, SLOTS, memory, sizeof memory) == PCN_OK);
        if (logged) CHECK(pcn_kperceptron_use_log(&m, log, LOG) == PCN_OK);
        m.learner.update = update;
        for (round = 0; round < 2; round++) {
            pcn_kperceptron before;
            const uint32_t refused = m.refused;
            size_t size;
            m.learner.rule = rule;
            before = m;
            CHECK(pcn_kperceptron_learn(&m, x, 0) == PCN_EOPTION && m.refused == refused + 1);
            CHECK(memcmp(&before.learner, &m.learner, sizeof m.learner) == 0);
            CHECK(memcmp(&before.model, &m.model, sizeof m.model) == 0);
            m.learner.rule = pcn_rule_fixed(8);
            m.learner.rule.margin = 1000;
            CHECK(pcn_kperceptron_learn_row(&m, x, 1, 1) == 1 && m.model.slots == 1);
            size = pcn_kperceptron_save(&m, image, sizeof image);
            m.learner.rule = rule;
            CHECK(pcn_kperceptron_learn_row(&m, x, 0, 1) == late && m.model.slots == 1);
            CHECK(size != 0 && pcn_kperceptron_load(&m, image, size) == PCN_OK && m.model.slots == 1);
            CHECK(m.learner.moved == 0);
            memset(&m.learner.count, 0, sizeof m.learner.count);
        }
    }
}

/* Rules and updates of your own are not looked at: they know what they do. A rule that cannot make a step returns
 * infinity. */
static float own_step(const pcn_learner *l, pcn_update *p, float gap)
{
    (void)p, (void)gap;
    return l->user ? infinite : l->rule.rate;
}

static uint32_t own_update(const pcn_learner *l, pcn_update *p, uint32_t y, float *change)
{
    uint32_t k;
    (void)p;
    for (k = 0; k < l->scores; k++) change[k] = k == y;
    return 1;
}

static void check_own_rules(uint32_t classes, update_function update)
{
    static trainer t;
    const pcn_vec x = pcn_dense(good, N);
    const shape s = {classes, 0, 0};
    int here = 0, moved;
    trainer_of(&t, s);
    t.m.learner.update = update;
    t.m.learner.rule.step = own_step;
    t.m.learner.rule.margin = 1000; /* always fires */
    for (moved = 0; moved < 2; moved++) {
        t.m.learner.rule.rate = 0;
        moves_nothing(&t, x, 0);
        t.m.learner.user = &here;
        refuses(&t, x, 0, PCN_EOPTION);
        refuses(&t, x, 1, PCN_EOPTION);
        refuses(&t, pcn_dense(NULL, 0), 1, PCN_EOPTION);
        t.m.learner.user = NULL;
        t.m.learner.rule.rate = 2;
        CHECK(pcn_perceptron_learn(&t.m, x, 1) == 1);
    }
    if (classes == 2) return;
    trainer_of(&t, s);
    t.m.learner.rule = pcn_rule_fixed(0);
    t.m.learner.update = own_update;
    CHECK(pcn_perceptron_learn(&t.m, x, 2) == 1);
}

static void check_all_missets(void)
{
    uint32_t classes, bits;
    size_t update;
    for (classes = 2; classes <= K; classes++) {
        for (update = 0; update < (classes == 2 ? 1 : LENGTH(updates)); update++) {
            for (bits = 0; bits < 8; bits++) {
                const unsigned parts = bits * PCN_PART_SUMS & (PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_FEATURE_MAJOR);
                check_misset(classes, updates[update], parts, 0);
            }
            check_misset(classes, updates[update], PCN_PART_SUMS, 1);
            check_misset_kernel(classes, updates[update], 0);
            check_misset_kernel(classes, updates[update], 1);
            check_own_rules(classes, updates[update]);
        }
        check_misset_methods(classes, PCN_PART_EXPONENTS);
        check_misset_methods(classes, PCN_PART_EXPONENTS | PCN_PART_BALANCED);
        check_misset_methods(classes, PCN_PART_VARIANCES);
    }
}

/* -1 is another name of 0, bit for bit. The teacher is whatever says whether the values add up to more than 0. */
static void check_two_labels(unsigned parts, pcn_rule rule)
{
    static trainer zero, minus;
    const shape s = {2, parts, 0};
    float x[N], sum;
    uint32_t i, j;
    trainer_of(&zero, s);
    trainer_of(&minus, s);
    if (!(parts & (PCN_PART_VARIANCES | PCN_PART_EXPONENTS))) zero.m.learner.rule = minus.m.learner.rule = rule;
    for (i = 0; i < 200; i++) {
        for (j = 0, sum = 0; j < N; j++) sum += x[j] = (float)(random_bits() % 17) / 8 - 1;
        CHECK(pcn_perceptron_learn(&zero.m, pcn_dense(x, N), sum > 0) ==
              pcn_perceptron_learn(&minus.m, pcn_dense(x, N), sum > 0 ? 1 : -1));
        CHECK(zero.m.learner.guess == minus.m.learner.guess && zero.m.learner.guess >= 0 && zero.m.learner.guess <= 1);
        if (parts & PCN_PART_BATCH && i % 5 == 4)
            CHECK(pcn_perceptron_apply_batch(&zero.m, 0.5f) == pcn_perceptron_apply_batch(&minus.m, 0.5f));
    }
    CHECK(memcmp(zero.memory, minus.memory, sizeof zero.memory) == 0);
    CHECK(memcmp(zero.sum, minus.sum, sizeof zero.sum) == 0 && memcmp(zero.batch, minus.batch, sizeof zero.batch) == 0);
    CHECK(memcmp(zero.state, minus.state, sizeof zero.state) == 0);
    CHECK(memcmp(&zero.m.learner.count, &minus.m.learner.count, sizeof zero.m.learner.count) == 0);
    CHECK(zero.m.learner.count.updates > 5 && zero.m.refused == 0 && minus.m.refused == 0);
}

static void check_names(void)
{
    const float score[1] = {-2.5f};
    unsigned parts;
    for (parts = 0; parts < 16; parts += 2) {
        check_two_labels(parts, pcn_rule_fixed(1));
        check_two_labels(parts, pcn_rule_pa(0.3f));
        check_two_labels(parts, pcn_rule_absolute());
        check_two_labels(parts | PCN_PART_EXPONENTS, pcn_rule_fixed(1));
        check_two_labels(parts | PCN_PART_EXPONENTS | PCN_PART_BALANCED, pcn_rule_fixed(1));
        if (!(parts & PCN_PART_BATCH)) check_two_labels(parts | PCN_PART_VARIANCES, pcn_rule_fixed(1));
    }
    CHECK(pcn_margin(score, 1, 1) == -2.5f && pcn_margin(score, 1, 0) == 2.5f && pcn_margin(score, 1, -1) == 2.5f);
}

/* Rows that are refused are counted until somebody clears the count; images do not have it. */
static void check_refused(uint32_t classes)
{
    static trainer t;
    static uint32_t image[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS) / 4];
    const float bad[1] = {not_a_number}, more[N + 1] = {1};
    const pcn_vec x = pcn_dense(good, N);
    shape s = {2, PCN_PART_SUMS, 0};
    size_t size;
    s.classes = classes;
    trainer_of(&t, s);
    CHECK(t.m.refused == 0);
    CHECK(pcn_perceptron_learn(&t.m, x, 1) == 1 && t.m.refused == 0);
    CHECK(pcn_perceptron_learn(&t.m, x, K) == PCN_ELABEL && t.m.refused == 1);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(more, N + 1), 1) == PCN_EINDEX && t.m.refused == 2);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(bad, 1), 1) == PCN_EVALUE && t.m.refused == 3);
    t.m.learner.rule.rate = infinite;
    CHECK(pcn_perceptron_learn(&t.m, x, 0) == PCN_EOPTION && t.m.refused == 4);
    t.m.learner.rule.rate = 1;
    t.m.learner.clock = (uint64_t)1 << 36;
    CHECK(pcn_perceptron_learn(&t.m, x, 0) == PCN_EFULL && t.m.refused == 5);
    t.m.learner.clock = 1;
    CHECK(pcn_perceptron_learn(&t.m, x, 0) == 1 && t.m.refused == 5 && t.m.learner.count.rows == 2);
    size = pcn_perceptron_save(&t.m, image, sizeof image);
    t.m.refused = 0;
    CHECK(size != 0 && pcn_perceptron_load(&t.m, image, size) == PCN_OK && t.m.refused == 0);
    t.m.refused = UINT32_MAX;
    CHECK(pcn_perceptron_learn(&t.m, x, -2) == PCN_ELABEL && t.m.refused == 0); /* as every count of 32 bits */
}

/* The numbers of features 0, 2 and 4, and the biases, in an array laid out as the weights. */
static int same_numbers(const trainer *a, const trainer *b, const float *x, const float *y)
{
    const pcn_linear *m = &a->m.live;
    const uint32_t biases = N * m->scores;
    uint32_t c, j;
    for (c = 0; c < m->scores; c++)
        for (j = 0; j < N; j += 2)
            if (memcmp(x + weight_at(m, c, j), y + weight_at(m, c, j), sizeof *x) != 0) return 0;
    return m->by_feature == b->m.live.by_feature && memcmp(x + biases, y + biases, m->scores * sizeof *x) == 0;
}

/* A row that does not ascend moves nothing but features that it names, in the model. */
static void check_unsorted(shape s, int winnow, float rate, int y)
{
    static const uint32_t index[] = {1, N, 3, UINT32_MAX, 3, N, 1, N + 1, 1u << 20, N, 1};
    static const float x[] = {1, 2, 3, 4, 5, 99, 7, 8, 9, 10, 11};
    static trainer t[2];
    float exponent[2][PCN_LINEAR_FLOATS(N, K) + 1];
    const uint32_t all = LENGTH(index);
    const size_t batch = PCN_LINEAR_FLOATS(N, s.classes), sums = PCN_AVERAGING_FLOATS(N, s.classes);
    size_t j;
    int i;
    for (i = 0; i < 2; i++) {
        const uint32_t from = i ? all - 1 : 0;
        trainer_of(&t[i], s);
        for (j = sums; j < LENGTH(t[i].sum); j++) t[i].sum[j] = 77;
        for (j = batch; j < LENGTH(t[i].batch); j++) t[i].batch[j] = exponent[i][j] = 77;
        exponent[i][PCN_LINEAR_FLOATS(N, K)] = 77;
        if (winnow)
            CHECK(pcn_perceptron_use_winnow(&t[i].m, 1, t[i].m.own.sum != NULL, exponent[i], batch * sizeof(float)) ==
                  PCN_OK);
        if (!winnow) t[i].m.learner.rule.rate = rate;
        CHECK(pcn_perceptron_learn(&t[i].m, pcn_sparse(index + from, x + from, all - from), y) >= 0);
        if (s.parts & PCN_PART_BATCH) CHECK(pcn_perceptron_apply_batch(&t[i].m, 1) >= 0);
        for (j = sums; j < LENGTH(t[i].sum); j++) CHECK(t[i].sum[j] == 77);
        for (j = batch; j < LENGTH(t[i].batch); j++) CHECK(t[i].batch[j] == 77 && exponent[i][j] == 77);
        CHECK(exponent[i][PCN_LINEAR_FLOATS(N, K)] == 77);
    }
    CHECK(same_numbers(&t[0], &t[1], t[0].memory, t[1].memory));
    CHECK(same_numbers(&t[0], &t[1], t[0].sum, t[1].sum));
    CHECK(same_numbers(&t[0], &t[1], t[0].sum + batch, t[1].sum + batch));
    CHECK(same_numbers(&t[0], &t[1], t[0].batch, t[1].batch));
    if (winnow) CHECK(same_numbers(&t[0], &t[1], exponent[0], exponent[1]));
}

static void check_all_unsorted(void)
{
    int bits;
    for (bits = 0; bits < 64; bits++) {
        shape s;
        s.classes = bits & 1 ? K : 2;
        s.parts = (unsigned)bits & (PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_FEATURE_MAJOR);
        s.warm = 0;
        check_unsorted(s, bits >> 4 & 1, 1, bits >> 5 & 1);
        check_unsorted(s, bits >> 4 & 1, from_bits(0x57000000u), bits >> 5 & 1); /* 2^47: steps not far from 2^54 */
    }
}

static void check_trainers(void)
{
    static trainer t;
    int bits;
    for (bits = 0; bits < 32; bits++) {
        shape s;
        int warm;
        s.classes = bits & 1 ? K : 2;
        s.parts = (unsigned)bits & (PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_FEATURE_MAJOR);
        s.warm = warm = bits >> 4 & 1;
        trainer_of(&t, s);
        check_labels(&t);
        check_indices(&t);
        check_values(&t);
        check_options(&t);
        check_rules(&t);
        check_apply(&t);
        check_late(s);
        s.warm = 0;
        trainer_of(&t, s);
        (warm ? check_norm : check_steps)(&t);
        check_winnow_rule(s);
        check_weights_before(s);
        trainer_of(&t, s);
        t.m.learner.update = pcn_update_one_vs_rest;
        check_values(&t);
        check_rules(&t);
    }
}

/* What score says of models of several classes, where no code can: nothing that passes for an answer. predict gives the
 * class for any. */
static void check_other_kind(void)
{
    static const float weight[2 * 3] = {1, -1, 2, 0, 0, 4};
    static const int32_t iweight[2 * 3] = {1, -1, 2, 0, 0, 4};
    static const int16_t values[][2] = {{3, 1}, {1, 3}, {1, 1}, {-1, -1}};
    static const int sign[] = {1, -1, 0, 0}, best[] = {1, 2, 2, 0};
    pcn_linear m = {weight, NULL, 2, 1, 0, 0, 0};
    pcn_ilinear q = {iweight, NULL, NULL, 2, 1, 32, 0};
    size_t i;
    int zero;
    for (i = 0; i < LENGTH(sign); i++)
        for (zero = 0; zero < 2; zero++) {
            const float value[2] = {values[i][0], values[i][1]};
            const pcn_vec x = pcn_dense(value, 2);
            const pcn_ivec xi = pcn_idense(values[i], 2);
            const int positive = sign[i] ? sign[i] > 0 : !zero;
            float score[3] = {5, 5, 5};
            int64_t iscore[3] = {5, 5, 5};
            m.scores = q.scores = 1;
            m.zero_negative = q.zero_negative = (uint8_t)zero;
            CHECK(pcn_linear_predict(&m, x) == positive && pcn_ilinear_predict(&q, xi) == positive);
            pcn_linear_scores(&m, x, score);
            pcn_ilinear_scores(&q, xi, iscore);
            CHECK(score[0] == pcn_linear_score(&m, x) && score[0] == value[0] - value[1] && score[1] == 5);
            CHECK(iscore[0] == pcn_ilinear_score(&q, xi) && iscore[0] == values[i][0] - values[i][1] && iscore[1] == 5);
            m.scores = q.scores = 3;
            CHECK(pcn_linear_predict(&m, x) == best[i] && pcn_ilinear_predict(&q, xi) == best[i]);
            CHECK(isnan(pcn_linear_score(&m, x)) && pcn_ilinear_score(&q, xi) == 0);
        }
}

/* The class of what is not an ordinary number: NaN and -infinity are 0, whatever a score of 0 is. */
static void check_signs(void)
{
    const float score[] = {-0.0f,    0,         FLT_MIN,      -FLT_MIN,     1, -1, FLT_MAX, -FLT_MAX,
                           infinite, -infinite, not_a_number, -not_a_number};
    size_t i;
    for (i = 0; i < LENGTH(score); i++) {
        CHECK(pcn_decide(&score[i], 1, 0) == (score[i] >= 0));
        CHECK(pcn_decide(&score[i], 1, 1) == (score[i] > 0));
        CHECK(pcn_decide(&score[i], 1, 2) == (score[i] > 0));
    }
}

/* A trainer that has no init, or whose init has failed, does nothing and says so. */
static void check_none(pcn_perceptron *m)
{
    static const unsigned char zeros[sizeof(pcn_perceptron)];
    static trainer other;
    float array[PCN_AVERAGING_FLOATS(N, K)], score = 5;
    pcn_arrays arrays;
    pcn_linear model = {NULL, NULL, 0, 0, 0, 0, 0}, was = model;
    pcn_shard shard;
    uint32_t image[64];
    size_t size;
    const shape s = {2, 0, 1};
    trainer_of(&other, s);
    size = pcn_perceptron_save(&other.m, image, sizeof image);
    CHECK(size != 0 && size <= sizeof image);
    memset(&shard, 0, sizeof shard);
    shard.weight = other.memory;
    shard.count = other.m.learner.count;
    memset(&arrays, 0, sizeof arrays);
    arrays.memory = arrays.sum = arrays.batch = arrays.state = array;
    arrays.memory_bytes = arrays.sum_bytes = arrays.batch_bytes = arrays.state_bytes = sizeof array;
    CHECK(memcmp(m, zeros, sizeof *m) == 0);
    CHECK(pcn_perceptron_learn(m, pcn_dense(good, N), 1) == PCN_EOPTION && m->refused == 1);
    CHECK(pcn_perceptron_learn(m, pcn_dense(NULL, 0), 0) == PCN_EOPTION && m->refused == 2);
    m->refused = 0;
    CHECK(pcn_perceptron_use_averaging(m, array, sizeof array) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_batch(m, array, sizeof array) == PCN_EOPTION);
    CHECK(use_winnow(m, array, sizeof array) == PCN_EOPTION && use_balanced(m, array, sizeof array) == PCN_EOPTION);
    CHECK(use_confidence(m, array, sizeof array) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_averaging(m, NULL, 0) == PCN_EOPTION && use_winnow(m, NULL, 0) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_feature_major(m) == PCN_EOPTION && pcn_perceptron_apply_batch(m, 1) == PCN_EOPTION);
    CHECK(pcn_perceptron_discard_batch(m) == PCN_EOPTION && pcn_perceptron_end_batch(m) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_following(m) == PCN_EOPTION && pcn_perceptron_use_regrowth(m, 0) == PCN_EOPTION);
    CHECK(pcn_perceptron_resize(m, N, 2, &arrays) == PCN_EOPTION);
    CHECK(pcn_perceptron_resize(m, 0, 0, &arrays) == PCN_EOPTION);
    CHECK(pcn_perceptron_load(m, image, size) == PCN_EOPTION);
    CHECK(pcn_perceptron_final(m, &model, array, sizeof array) == PCN_EOPTION);
    CHECK(pcn_perceptron_final(m, &model, NULL, 0) == PCN_EOPTION && memcmp(&model, &was, sizeof was) == 0);
    CHECK(pcn_perceptron_mix(m, &shard, 1, 0, N + 1) == PCN_EOPTION);
    CHECK(pcn_perceptron_mix(m, &shard, 1, 0, 0) == PCN_EOPTION);
    CHECK(pcn_perceptron_save(m, image, sizeof image) == 0 && pcn_perceptron_save_part(m, 0, NULL, 0) == 0);
    CHECK(pcn_perceptron_predict(m, pcn_dense(good, N)) == 0);
    pcn_perceptron_scores(m, pcn_dense(good, N), &score); /* of no class */
    pcn_perceptron_final_scores(m, pcn_dense(good, N), &score);
    CHECK(score == 5 && memcmp(m, zeros, sizeof *m) == 0);
}

static void check_init(void)
{
    static const struct {
        uint32_t features, classes;
        size_t bytes;
        int result;
    } c[] = {
        {N, 0, SIZE_MAX, PCN_EOPTION},
        {0, 0, 0, PCN_EOPTION},
        {N, 1, SIZE_MAX, PCN_EOPTION},
        {0, 1, 0, PCN_EOPTION},
        {0, 2, 0, PCN_EMEMORY},
        {0, 2, 11, PCN_EMEMORY},
        {N, 2, PCN_PERCEPTRON_FLOATS(N, 2) * sizeof(float) - 1, PCN_EMEMORY},
        {N, 3, PCN_PERCEPTRON_FLOATS(N, 3) * sizeof(float) - 1, PCN_EMEMORY},
        {N, K, PCN_PERCEPTRON_FLOATS(N, K) * sizeof(float) - 1, PCN_EMEMORY},
        {N, K, PCN_PERCEPTRON_FLOATS(N, K), PCN_EMEMORY}, /* as many bytes as it wants floats */
        {UINT32_MAX, 2, 1000, PCN_EMEMORY},
        {UINT32_MAX - 2, 2, 1000, PCN_EMEMORY},
        {0, UINT32_MAX, 1000, PCN_EMEMORY},
        {UINT32_MAX, UINT32_MAX, 1000, PCN_EMEMORY},
    };
    float memory[PCN_PERCEPTRON_FLOATS(N, K)];
    unsigned char before[sizeof memory];
    pcn_perceptron m;
    size_t i;
    uint32_t k;
    memset(memory, 0xa5, sizeof memory);
    memset(before, 0xa5, sizeof before);
    for (i = 0; i < LENGTH(c); i++)
        for (k = 0; k < 2; k++) {
            memset(&m, 0xa5, sizeof m);
            CHECK(pcn_perceptron_init(&m, c[i].features, c[i].classes, k ? memory : NULL, c[i].bytes) == c[i].result);
            check_none(&m);
        }
    memset(&m, 0xa5, sizeof m);
    CHECK(pcn_perceptron_init(&m, N, 2, NULL, SIZE_MAX) == PCN_EMEMORY);
    check_none(&m);
    CHECK(memcmp(memory, before, sizeof memory) == 0);
    for (k = 2; k <= K; k++) {
        const size_t bytes = PCN_PERCEPTRON_FLOATS(N, k) * sizeof(float);
        CHECK(pcn_perceptron_init(&m, N, k, memory, bytes) == PCN_OK);
        CHECK(pcn_perceptron_learn(&m, pcn_dense(good, N), 0) == 1 && m.refused == 0);
        CHECK(memcmp((char *)memory + bytes, before, sizeof memory - bytes) == 0);
    }
}

/* ---- Numbers of classes and of scores ---- */

/* Fewer than two classes, or three where two are meant, and the other way round. */
static void check_few_classes(void)
{
    static trainer t, before;
    static float room[PCN_KPERCEPTRON_FLOATS(N, 3, 2)];
    static int32_t whole[PCN_IPERCEPTRON_NUMBERS(N, 3)];
    static const unsigned char zeros[sizeof(pcn_kperceptron)];
    float memory[PCN_PERCEPTRON_FLOATS(N, 3)], score[2] = {1, 2}, p[2] = {0.5f, 0.5f};
    const shape s = {2, 0, 1};
    pcn_calibration c, kept;
    pcn_iperceptron i;
    pcn_kperceptron k;
    pcn_perceptron m;
    pcn_slot slot[2];
    pcn_arrays arrays;
    uint32_t classes;
    pcn_calibration_init(&c);
    kept = c;
    trainer_of(&t, s);
    arrays = arrays_of(&t);
    before = t;
    for (classes = 0; classes < 2; classes++) {
        memset(&m, 0xa5, sizeof m), memset(&i, 0xa5, sizeof i), memset(&k, 0xa5, sizeof k);
        CHECK(pcn_perceptron_init(&m, N, classes, memory, sizeof memory) == PCN_EOPTION);
        CHECK(memcmp(&m, zeros, sizeof m) == 0);
        CHECK(pcn_iperceptron_init(&i, N, classes, whole, sizeof whole) == PCN_EOPTION);
        CHECK(memcmp(&i, zeros, sizeof i) == 0);
        CHECK(pcn_kperceptron_init(&k, pcn_kernel_rbf(1), N, classes, slot, 2, room, sizeof room) == PCN_EOPTION);
        CHECK(memcmp(&k, zeros, sizeof k) == 0);
        CHECK(pcn_perceptron_resize(&t.m, N, classes, &arrays) == PCN_EOPTION);
        CHECK(pcn_perceptron_resize(&t.m, 0, classes, &arrays) == PCN_EOPTION && same_state(&t, &before));
        CHECK(pcn_probabilities(&c, score, classes, p) == PCN_EOPTION && p[0] == 0.5f && p[1] == 0.5f);
        CHECK(pcn_calibrate(&c, score, classes, p, 0) == PCN_EOPTION && memcmp(&c, &kept, sizeof c) == 0);
        CHECK(pcn_calibrate(&c, score, classes, p, 7) < 0 && memcmp(&c, &kept, sizeof c) == 0);
    }
    for (classes = 0; classes < 3; classes++) {
        memset(&m, 0xa5, sizeof m), memset(&i, 0xa5, sizeof i);
        CHECK(pcn_perceptron_init_several(&m, N, classes, memory, sizeof memory) == PCN_EOPTION);
        CHECK(memcmp(&m, zeros, sizeof m) == 0);
        CHECK(pcn_iperceptron_init_several(&i, N, classes, whole, sizeof whole) == PCN_EOPTION);
        CHECK(memcmp(&i, zeros, sizeof i) == 0);
    }
    CHECK(pcn_perceptron_init_one(&m, N, memory, sizeof memory) == PCN_OK && m.live.scores == 1);
    CHECK(pcn_iperceptron_init_one(&i, N, whole, sizeof whole) == PCN_OK && i.live.scores == 1);
    CHECK(pcn_perceptron_init_several(&m, N, 3, memory, sizeof memory) == PCN_OK && m.live.scores == 3);
    CHECK(pcn_iperceptron_init_several(&i, N, 3, whole, sizeof whole) == PCN_OK && i.live.scores == 3);
}

/* A model that says 2 scores, or none, has never come from this library. */
static void check_bad_scores(void)
{
    static const float weight[2 * N + 2] = {1, 2, 3};
    static const int32_t iweight[2 * N + 2] = {1, 2, 3};
    static const uint16_t scale[2] = {1, 1};
    float out[2 * N + 2], kept[LENGTH(out)];
    int32_t narrow[PCN_ILINEAR_NUMBERS(N, 3, 16)], narrow_kept[LENGTH(narrow)];
    uint32_t image[64], bits, scores;
    memset(out, 0x5a, sizeof out), memset(kept, 0x5a, sizeof kept);
    memset(narrow, 0x5a, sizeof narrow), memset(narrow_kept, 0x5a, sizeof narrow_kept);
    for (scores = 0; scores <= 2; scores += 2) {
        const pcn_linear m = {weight, weight + 2 * N, N, scores, 0, 0, 0};
        pcn_linear copy, none;
        float one = 7;
        memset(&none, 0x5a, sizeof none), memset(&copy, 0x5a, sizeof copy);
        CHECK(pcn_linear_copy(&m, &copy, out, sizeof out) == PCN_EOPTION && memcmp(&copy, &none, sizeof copy) == 0);
        CHECK(pcn_linear_copy(&m, &copy, NULL, 0) == PCN_EOPTION && memcmp(out, kept, sizeof out) == 0);
        CHECK(pcn_linear_save(&m, image, sizeof image) == 0 && pcn_linear_save_part(&m, 0, NULL, 0) == 0);
        for (bits = 8; bits <= 32; bits *= 2) {
            pcn_ilinear q = {iweight, iweight + 2 * N, bits == 32 ? NULL : scale, N, scores, (uint8_t)bits, 0}, was = q;
            CHECK(pcn_ilinear_save(&q, image, sizeof image) == 0 && pcn_ilinear_save_part(&q, 0, NULL, 0) == 0);
            CHECK(pcn_ilinear_quantize(&q, &m, bits, 1, &one, narrow, sizeof narrow) == PCN_EOPTION && one == 7);
            CHECK(memcmp(&q, &was, sizeof q) == 0 && memcmp(narrow, narrow_kept, sizeof narrow) == 0);
        }
    }
    for (scores = 0; scores <= 4; scores++) { /* of no vectors */
        const size_t size = scores % 2 || scores == 4 ? PCN_KERNEL_IMAGE(PCN_CLASSES(scores), 0, 0, 0, 0) : 0;
        pcn_kmodel k;
        memset(&k, 0, sizeof k);
        k.kernel = pcn_kernel_linear();
        k.features = N;
        k.scores = scores;
        CHECK(pcn_kmodel_save_part(&k, 0, NULL, 0) == size && pcn_kmodel_save(&k, image, sizeof image) == size);
    }
}

/* A length for classes is one for the scores of a model, too. */
static void check_macros(void)
{
    uint32_t n, k;
    CHECK(PCN_SCORES(2) == 1 && PCN_CLASSES(1) == 2 && PCN_SCORES(UINT32_MAX) == UINT32_MAX);
    for (k = 2; k <= 9; k++) {
        const uint32_t scores = k == 2 ? 1 : k;
        CHECK(PCN_SCORES(k) == scores && PCN_CLASSES(scores) == k && PCN_SCORES(scores) == scores);
        CHECK(PCN_CLASSES(k) == k);
        for (n = 0; n <= 9; n++) {
            CHECK(PCN_LINEAR_FLOATS(n, k) == (n + 1) * scores && PCN_LINEAR_FLOATS(n, scores) == (n + 1) * scores);
            CHECK(PCN_PERCEPTRON_FLOATS(n, k) == (n + 3) * scores &&
                  PCN_AVERAGING_FLOATS(n, k) == 2 * (n + 1) * scores);
            CHECK(PCN_IPERCEPTRON_NUMBERS(n, k) == (n + 1) * scores);
            CHECK(PCN_ILINEAR_NUMBERS(n, k, 32) == (n + 1) * scores);
            CHECK(PCN_ILINEAR_NUMBERS(n, k, 8) == (n * scores + 3) / 4 + scores + (scores + 1) / 2);
            CHECK(PCN_ILINEAR_NUMBERS(n, k, 16) == (n * scores + 1) / 2 + scores + (scores + 1) / 2);
            CHECK(PCN_KPERCEPTRON_FLOATS(n, k, 5) == 2 * scores + 5 * (scores + n + 2));
            CHECK(PCN_KMODEL_WORK(k, 5, n) == 5 * n + 2 * scores);
            CHECK(PCN_LINEAR_IMAGE(n, k) == 68 + 4 * (n + 1) * scores);
            CHECK(PCN_PERCEPTRON_IMAGE(n, k, 0) == PCN_LINEAR_IMAGE(n, k));
            CHECK(PCN_PERCEPTRON_IMAGE(n, k, PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_VARIANCES) ==
                  68 + 20 * (n + 1) * scores);
            CHECK(PCN_PERCEPTRON_IMAGE(n, k, PCN_PART_EXPONENTS) == 68 + 8 * (n + 1) * scores);
            CHECK(PCN_IPERCEPTRON_IMAGE(n, k, 0) == 68 + 4 * (n + 1) * scores);
            CHECK(PCN_IPERCEPTRON_IMAGE(n, k, PCN_PART_SUMS) == 68 + 12 * (n + 1) * scores);
            CHECK(PCN_ILINEAR_IMAGE(n, k, 8) == 68 + 4 * PCN_ILINEAR_NUMBERS(n, k, 8));
            CHECK(PCN_KERNEL_IMAGE(k, 5, n, 2, 0) == 108 + 4 * (5 * (4 + scores) + n + 8));
        }
    }
}

/* An error ends a pass and is its result. */
static void check_pass(void)
{
    pcn_pass p;
    uint32_t row;
    pcn_pass_init(&p, 3, 2, 1);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, PCN_EVALUE) == 0);
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == PCN_EVALUE);
    CHECK(p.updates == 1 && p.run == 0);
    pcn_pass_init(&p, 0, 0, 1);
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == PCN_END_LIMIT); /* no rows */
    p.stop = PCN_STOP_WINDOW;
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == PCN_END_LIMIT);
    p.patience = 1;
    CHECK(pcn_pass_check(&p, p.best_error) == 0 && p.result == PCN_END_PATIENCE);
    p.result = PCN_EVALUE; /* what ended the pass stays */
    CHECK(pcn_pass_check(&p, p.best_error) == 0 && p.result == PCN_EVALUE);
}

static void check_texts(void)
{
    static const struct {
        int result;
        const char *text;
    } c[] = {
        {PCN_OK, "ok"},
        {1, "ok"},
        {INT_MAX, "ok"},
        {-1, "NaN, infinity or overflow in an example: mend the row, or scale the features"},
        {-2, "a feature index that the model does not have (0 is the first); kernels: or not ascending"},
        {-3, "a label that is no class: labels count from 0; of two classes 0 (or -1) and 1"},
        {-4,
         "an array is missing, too short (lengths are in bytes, give sizeof the array), or in use by the model itself"},
        {-5, "no room for another vector or log entry: give more, or set admit; or too many rows to count"},
        {-6, "out of memory"},
        {-7, "not an image, cut short, or damaged"},
        {-8, "image of a newer version: needs a newer perceptron.h"},
        {-9, "image of another kind, shape or layout than this model: pcn_image_read says which"},
        {-10, "open needs an image aligned to 4 bytes, on a little-endian machine: move it, or load it"},
        {-11,
         "fewer than 2 classes, a setting that is out of range, learns nothing or is not used by the rule, options that do "
         "not go together or with this model, or no init"},
        {-12, "image of an averaged trainer: load it, or save what ..._final gives and open that image"},
        {-13, "too late: this option must be switched on before the first row is learned"},
        {-14, "a batch holds steps that are not applied yet: apply or discard it first"},
        {-15, "a model file that only the program reads: perceptron export --as image (or raw) for C"},
        {-16, "two scores: two classes share one, the score of class 1 minus that of class 0"},
        {-17, "image of a folded model, which only predicts: load that of the trainer, which learns scaled rows"},
        {-18, "unknown error"},
        {-99, "unknown error"},
        {INT_MIN, "unknown error"},
    };
    size_t i;
    for (i = 0; i < LENGTH(c); i++) CHECK(strcmp(pcn_error_text(c[i].result), c[i].text) == 0);
    CHECK(PCN_EVALUE == -1 && PCN_EINDEX == -2 && PCN_ELABEL == -3 && PCN_EMEMORY == -4 && PCN_EFULL == -5);
    CHECK(PCN_ENOMEM == -6 && PCN_EIMAGE == -7 && PCN_EVERSION == -8 && PCN_EMATCH == -9 && PCN_EALIGN == -10);
    CHECK(PCN_EOPTION == -11 && PCN_EMEAN == -12 && PCN_ELATE == -13 && PCN_EBATCH == -14);
    CHECK(PCN_EPROGRAM == -15 && PCN_ESCORES == -16 && PCN_EFOLDED == -17);
    CHECK(pcn_version() == PERCEPTRON_VERSION && pcn_version() == 0x010000);
}

/* A step of 2^54, wherever it stands in a row of any length: refused, and nothing changes. */
static void check_bound(uint32_t n, uint32_t classes)
{
    enum { MOST = 200 };
    static float memory[PCN_PERCEPTRON_FLOATS(MOST, 3)], x[MOST];
    const float bound = 18014398509481984.0f; /* 2^54 */
    pcn_perceptron m;
    uint32_t at, k;
    CHECK(pcn_perceptron_init(&m, n, classes, memory, sizeof memory) == PCN_OK);
    for (at = 0; at < n; at++) x[at] = 1;
    for (at = 0; at < n; at++) {
        x[at] = at % 2 ? -bound : bound;
        CHECK(pcn_perceptron_learn(&m, pcn_dense(x, n), 1) == PCN_EVALUE);
        for (k = 0; k < PCN_LINEAR_FLOATS(n, classes) && memory[k] == 0; k++) continue;
        CHECK(k == PCN_LINEAR_FLOATS(n, classes) && m.learner.count.rows == 0);
        x[at] = 1;
    }
    x[n - 1] = from_bits(0x5a7fffffu); /* the float before it */
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x, n), 1) == 1);
}

/* Two weights that no example has made, and rows of ones in three forms. */
typedef struct opposites {
    float memory[PCN_PERCEPTRON_FLOATS(40, 2)], one[40];
    uint32_t index[40];
    pcn_perceptron m;
} opposites;

/* w[at] = weight, the next -weight: the score of ones is 0. */
static void set_opposites(opposites *o, uint32_t n, uint32_t at, float weight)
{
    uint32_t j;
    CHECK(pcn_perceptron_init(&o->m, n, 2, o->memory, sizeof o->memory) == PCN_OK);
    for (j = 0; j < n; j++) {
        o->one[j] = 1;
        o->index[j] = j;
    }
    o->memory[at] = weight;
    o->memory[(at + 1) % n] = -weight;
}

static int learn_ones(opposites *o, uint32_t form, int y)
{
    uint32_t n = o->m.live.features;
    pcn_vec x = form == 0 ? pcn_dense(o->one, n) : pcn_sparse(o->index, form == 1 ? o->one : NULL, n);
    return pcn_perceptron_learn(&o->m, x, y);
}

/* A weight that was loaded too large keeps its value; what has a moderate weight still learns. */
static void check_beyond(uint32_t n, uint32_t at, uint32_t form)
{
    const float huge = from_bits(0x6c800000u); /* 2^90 */
    opposites o;
    set_opposites(&o, n, at, huge);
    CHECK(learn_ones(&o, form, 1) == 1);
    CHECK(o.memory[at] == huge && o.memory[(at + 1) % n] == -huge && o.memory[n] == 1);
    set_opposites(&o, n, at, huge);
    o.m.learner.rule = pcn_rule_fixed(from_bits(0x67000000u)); /* 2^79 */
    CHECK(learn_ones(&o, form, 0) == PCN_EVALUE);
    CHECK(o.memory[at] == huge && o.memory[n] == 0);
}

/* ---- Weights stay below 2^80 by themselves ---- */

enum method { PLAIN, AVERAGED, BATCHES, CONFIDENCE, METHODS };

static float *number_at(trainer *t, uint32_t cls, uint32_t place) /* place N: the bias */
{
    const pcn_linear *m = &t->m.live;
    return t->memory + (place == N ? N * m->scores + cls : weight_at(m, cls, place));
}

/* Steps of hardly less than 2^54 carry what is below 2^78 up to there, where floats come to be too far apart, and what
 * is larger not at all. `at`: a feature or the bias; `opposite` keeps scores small. */
static void check_rest(shape s, enum method method, uint32_t at, uint32_t opposite, float from)
{
    static trainer t;
    static float variance[PCN_LINEAR_FLOATS(N, K)], mean[PCN_LINEAR_FLOATS(N, K)];
    const float one[N] = {1, 1, 1, 1, 1}, p78 = from_bits(0x66800000u), end = from < p78 ? p78 : from;
    const uint32_t up = s.classes > 2, all = (uint32_t)PCN_LINEAR_FLOATS(N, s.classes);
    uint32_t i, j, large = 0;
    s.parts |= method == AVERAGED ? PCN_PART_SUMS : method == BATCHES ? PCN_PART_BATCH : 0;
    trainer_of(&t, s);
    if (method == CONFIDENCE) {
        CHECK(pcn_perceptron_use_confidence(&t.m, 131072, variance, sizeof variance) == PCN_OK); /* 2^17 */
        t.m.learner.rule.margin = from_bits(0x63000000u);                                        /* 2^71 */
    } else {
        t.m.learner.rule = pcn_rule_fixed(from_bits(0x5a7fffffu));
        t.m.learner.rule.margin = FLT_MAX;
    }
    *number_at(&t, up, at) = from;
    *number_at(&t, up, opposite) = -from;
    if (up) *number_at(&t, 0, at) = -from;
    if (up) *number_at(&t, 0, opposite) = from;
    for (i = 0; i < 40; i++) { /* classes that lose take turns */
        CHECK(pcn_perceptron_learn(&t.m, i % 2 ? pcn_dense(one, N) : pcn_ones(first, N), 1) == 1);
        if (s.parts & PCN_PART_BATCH) CHECK(pcn_perceptron_apply_batch(&t.m, 1) == 1);
    }
    CHECK(*number_at(&t, up, at) == end && (!up || *number_at(&t, 0, at) == -end));
    if (t.m.own.sum) (void)final_of(&t.m, mean);
    for (j = 0; j < all; j++) {
        large += !(t.memory[j] <= end && t.memory[j] >= -end);
        large += t.m.own.sum && !(mean[j] <= end && mean[j] >= -end);
    }
    CHECK(large == 0);
}

/* A batch is kept below 2^80 in the same way. If no scale can apply it, it can be discarded. */
static void check_batch_rest(int feature_major)
{
    static trainer t, before;
    const float p78 = from_bits(0x66800000u), greatest = from_bits(0x677fffffu);
    shape s = {2, PCN_PART_BATCH, 0};
    int i;
    s.parts |= feature_major ? (unsigned)PCN_PART_FEATURE_MAJOR : 0;
    trainer_of(&t, s);
    t.m.learner.rule = pcn_rule_fixed(from_bits(0x5a7fffffu));
    t.batch[0] = from_bits(0x667fffffu); /* just below 2^78 */
    t.batch[1] = greatest;
    for (i = 0; i < 4; i++)
        CHECK(pcn_perceptron_learn(&t.m, pcn_ones(first, 2), 1) == 1); /* weights, and scores, are 0 */
    CHECK(t.batch[0] == p78 && t.batch[1] == greatest);
    before = t;
    CHECK(pcn_perceptron_apply_batch(&t.m, 1) == PCN_EVALUE && same_state(&t, &before));
    /* 2^-25 */
    CHECK(pcn_perceptron_apply_batch(&t.m, from_bits(0x33000000u)) == PCN_EVALUE && same_state(&t, &before));
    CHECK(pcn_perceptron_apply_batch(&t.m, from_bits(0x32800000u)) == 1); /* 2^-26 of it is a step below 2^54 */
    CHECK(t.m.live.weight[0] == from_bits(0x59800000u) && t.m.live.weight[1] == from_bits(0x5a7fffffu));
    t = before;
    CHECK(pcn_perceptron_discard_batch(&t.m) == PCN_OK);
    for (i = 0; i < N + 1; i++) CHECK(t.batch[i] == 0 && t.m.live.weight[i] == 0);
}

/* Winnow takes steps as large: exponents stop at 2^20, weights at 2^64. */
static void check_winnow_rest(int balanced)
{
    static trainer t;
    float exponent[PCN_LINEAR_FLOATS(N, 2)];
    const shape s = {2, 0, 0};
    uint32_t j;
    int i, y;
    for (y = 0; y < 2; y++) {
        trainer_of(&t, s);
        CHECK(pcn_perceptron_use_winnow(&t.m, 1, balanced, exponent, sizeof exponent) == PCN_OK);
        t.m.learner.rule = pcn_rule_fixed(from_bits(0x5a800000u));
        t.m.learner.rule.margin = FLT_MAX;
        refuses(&t, pcn_ones(first, N), y, PCN_EVALUE);
        for (j = 0; j < N; j++) CHECK(exponent[j] == 0);
        t.m.learner.rule.rate = from_bits(0x5a7fffffu);
        for (i = 0; i < 3; i++) CHECK(pcn_perceptron_learn(&t.m, pcn_ones(first, N), y) == 1);
        for (j = 0; j < N; j++) {
            CHECK(exponent[j] == (y ? 1048576.0f : -1048576.0f));
            CHECK(t.m.live.weight[j] == (y ? from_bits(0x5f800000u) : balanced ? -from_bits(0x5f800000u) : 0));
        }
    }
}

static void check_limits(void)
{
    const float from[] = {from_bits(0x667ffff8u), from_bits(0x66800001u), from_bits(0x67000000u),
                          from_bits(0x677fffffu)};
    uint32_t i, bits, method;
    for (method = PLAIN; method < METHODS; method++)
        for (bits = 0; bits < 4; bits++)
            for (i = 0; i < LENGTH(from); i++) {
                shape s = {2, 0, 0};
                s.classes = bits & 1 ? K : 2;
                s.parts = bits & 2 ? PCN_PART_FEATURE_MAJOR : 0;
                check_rest(s, (enum method)method, 0, N, from[i]);
                check_rest(s, (enum method)method, N - 1, 1, from[i]);
                check_rest(s, (enum method)method, N, 2, from[i]); /* the bias */
            }
    for (i = 0; i < 2; i++) {
        check_batch_rest((int)i);
        check_winnow_rest((int)i);
    }
}

/* A bias input that is no number is refused, by rules that would add it and by those that would divide by it. */
static void check_bias_input(float input, pcn_rule rule)
{
    float memory[PCN_PERCEPTRON_FLOATS(2, 2)], x[2] = {1, 2};
    pcn_perceptron m;
    CHECK(pcn_perceptron_init(&m, 2, 2, memory, sizeof memory) == PCN_OK);
    m.learner.bias_input = input;
    m.learner.rule = rule;
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x, 2), 0) == PCN_EOPTION);
    CHECK(memory[0] == 0 && memory[1] == 0 && memory[2] == 0 && m.learner.count.rows == 0);
}

/* An array has one use: what is the memory of a trainer is refused for another, and nothing changes. The array of an
 * option may be given to it again. */
static void check_one_use(void)
{
    static trainer t, before;
    static const unsigned parts[] = {PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_EXPONENTS,
                                     PCN_PART_SUMS | PCN_PART_VARIANCES};
    const float x[2] = {1, 2};
    float memory[PCN_KPERCEPTRON_FLOATS(2, 2, 2)], value[4], aux[8], work[8], moment[PCN_SCALER_FLOATS(N)];
    uint32_t index[4];
    pcn_arrays a;
    size_t i, k;
    pcn_slot slot[2];
    pcn_kperceptron m, kept;
    pcn_scaler s;
    pcn_linear model;
    for (i = 0; i < LENGTH(parts); i++) {
        const int winnow = (parts[i] & PCN_PART_EXPONENTS) != 0;
        float **given[4];
        trainer_init(&t, N, K, parts[i], 1);
        before = t;
        CHECK(pcn_perceptron_use_averaging(&t.m, t.memory, sizeof t.sum) == PCN_EMEMORY);
        CHECK(pcn_perceptron_use_batch(&t.m, t.memory, sizeof t.batch) == PCN_EMEMORY);
        CHECK((winnow ? use_winnow : use_confidence)(&t.m, t.memory, sizeof t.state) == PCN_EMEMORY);
        CHECK(same_state(&t, &before) && memcmp(t.state, before.state, sizeof t.state) == 0);
        CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == PCN_OK);
        if (winnow) CHECK(pcn_perceptron_use_batch(&t.m, t.batch, sizeof t.batch) == PCN_OK);
        if (winnow) CHECK(use_winnow(&t.m, t.state, sizeof t.state) == PCN_OK);
        t = before;
        given[0] = &a.memory, given[1] = &a.sum, given[2] = &a.state, given[3] = &a.batch;
        for (k = 0; k < 16; k++) { /* one array for two */
            a = arrays_of(&t);
            if (k / 4 == k % 4 || !*given[k / 4] || !*given[k % 4]) continue;
            *given[k / 4] = *given[k % 4];
            a.memory_bytes = a.sum_bytes = a.batch_bytes = a.state_bytes = sizeof t.sum;
            CHECK(pcn_perceptron_resize(&t.m, N, K, &a) == PCN_EMEMORY && same_state(&t, &before));
        }
        a = arrays_of(&t);
        CHECK(pcn_perceptron_resize(&t.m, N, K, &a) == PCN_OK);
    }

    trainer_init(&t, 0, K, 0, 1); /* its biases begin where its memory does */
    CHECK(pcn_perceptron_use_feature_major(&t.m) == PCN_OK);

    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 2, 2, slot, 2, memory, sizeof memory) == PCN_OK);
    kept = m;
    CHECK(pcn_kperceptron_use_sparse(&m, memory, index, 4) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_rows(&m, memory, NULL, 4) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_forgetron(&m, memory, sizeof memory) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_projectron(&m, 0, memory, sizeof memory) == PCN_EMEMORY);
    CHECK(memcmp(&m, &kept, sizeof m) == 0);
    CHECK(pcn_kperceptron_use_forgetron(&kept, aux, sizeof aux) == PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&m, value, index, 4) == PCN_OK);
    CHECK(pcn_kperceptron_use_forgetron(&m, value, sizeof aux) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_projectron(&m, 0, value, sizeof aux) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_projectron(&m, 0, aux, sizeof aux) == PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&m, aux, index, 4) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_projectron(&m, 1, aux, sizeof aux) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(x, 2), 0) == 1 && m.model.slots == 1);
    for (i = 0; i < 3; i++) {
        const pcn_vec row = pcn_dense(x, 2);
        const int y = 1;
        float *where = i == 0 ? memory : i == 1 ? aux : work;
        int result = 7;
        kept = m;
        CHECK(pcn_kperceptron_learn_rows(&m, &row, &y, NULL, 1, &result, where, sizeof work) ==
              (i < 2 ? PCN_EMEMORY : PCN_OK));
        if (i < 2) CHECK(result == 7 && memcmp(&m, &kept, sizeof m) == 0);
    }

    CHECK(pcn_scaler_init(&s, N, moment, sizeof moment) == PCN_OK && pcn_scaler_note(&s, good) == PCN_OK);
    trainer_init(&t, N, 2, 0, 1);
    CHECK(pcn_scaler_fold(&s, &t.m.live, &model, moment, sizeof moment) == PCN_EMEMORY && moment[0] == good[0]);
}

/* Numbers may move down to where their image begins, but not to what has not been read yet. */
static void check_load_in_place(void)
{
    enum { BYTES = PCN_ILINEAR_IMAGE(N, K, 16) };
    static const float weight[N * K] = {1, 2, 3, -4, 5, 6, 7, 8, -9, 10, 11, 12, 13, 14, 15};
    static const int16_t x[N] = {1, -2, 3, -4, 5};
    const pcn_linear m = {weight, NULL, N, K, 0, 0, 0};
    int32_t memory[PCN_ILINEAR_NUMBERS(N, K, 16)], image[2 * BYTES / 4], kept[2 * BYTES / 4];
    int64_t right[K], score[K];
    pcn_ilinear q, loaded;
    size_t at;
    CHECK(pcn_ilinear_quantize(&q, &m, 16, 1, NULL, memory, sizeof memory) == PCN_OK);
    pcn_ilinear_scores(&q, pcn_idense(x, N), right);
    for (at = 0; at <= BYTES / 4; at++) {
        const int fits = at == 0 || at + 1 >= BYTES / 4; /* behind the arrays is the checksum */
        memset(image, 0, sizeof image);
        CHECK(pcn_ilinear_save(&q, image, BYTES) == BYTES);
        memcpy(kept, image, sizeof kept);
        CHECK(pcn_ilinear_load(&loaded, image + at, sizeof memory, image, BYTES) == (fits ? PCN_OK : PCN_EMEMORY));
        if (!fits) CHECK(memcmp(image, kept, sizeof image) == 0);
        if (!fits) continue;
        pcn_ilinear_scores(&loaded, pcn_idense(x, N), score);
        CHECK(memcmp(score, right, sizeof score) == 0);
    }
}

/* What is written must not be an array that it is made from: nothing changes. */
static void check_outputs(uint32_t classes)
{
    static trainer t, before;
    static int32_t numbers[PCN_IPERCEPTRON_NUMBERS(N, K)], kept[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static int64_t sums[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static float variance[PCN_LINEAR_FLOATS(N, K)];
    static const int16_t row[N] = {1, 2, 3, 4, 5};
    const uint32_t size = 16;
    float work[64], slots[PCN_KPERCEPTRON_FLOATS(N, K, 2)];
    pcn_vec x = pcn_dense(good, N);
    pcn_slot slot[2];
    pcn_kperceptron k;
    pcn_iperceptron i;
    pcn_ilinear q;
    pcn_linear model;
    shape s = {2, PCN_PART_SUMS | PCN_PART_BATCH, 1};
    s.classes = classes;
    trainer_of(&t, s);
    CHECK(pcn_perceptron_discard_batch(&t.m) == PCN_OK);
    before = t;
    CHECK(pcn_perceptron_final(&t.m, &model, t.memory, sizeof t.memory) == PCN_EMEMORY);
    CHECK(pcn_perceptron_final(&t.m, &model, t.batch, sizeof t.batch) == PCN_EMEMORY);
    CHECK(pcn_ilinear_quantize(&q, &t.m.live, 8, 1, NULL, (int32_t *)(void *)t.memory, sizeof t.memory) == PCN_EMEMORY);
    CHECK(pcn_linear_save(&t.m.live, t.memory, sizeof t.memory) == 0);
    CHECK(pcn_perceptron_save_part(&t.m, 0, t.sum, size) == 0);
    CHECK(same_state(&t, &before));
    CHECK(pcn_perceptron_final(&t.m, &model, t.sum, sizeof t.sum) == PCN_OK);

    trainer_init(&t, N, classes, 0, 1);
    CHECK(pcn_perceptron_use_confidence(&t.m, 1, variance, sizeof variance) == PCN_OK);
    CHECK(pcn_perceptron_final(&t.m, &model, variance, sizeof variance) == PCN_EMEMORY);

    CHECK(pcn_iperceptron_init(&i, N, classes, numbers, sizeof numbers) == PCN_OK);
    CHECK(pcn_iperceptron_use_averaging(&i, sums, sizeof sums) == PCN_OK);
    CHECK(pcn_iperceptron_learn(&i, pcn_idense(row, N), 0) == 1);
    memcpy(kept, numbers, sizeof kept);
    CHECK(pcn_iperceptron_final(&i, &q, numbers, sizeof numbers) == PCN_EMEMORY);
    CHECK(pcn_iperceptron_final(&i, &q, (int32_t *)(void *)sums, sizeof sums) == PCN_EMEMORY);
    CHECK(memcmp(kept, numbers, sizeof kept) == 0);

    CHECK(pcn_kperceptron_init(&k, pcn_kernel_linear(), N, classes, slot, 2, slots, sizeof slots) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&k, x, 0) == 1);
    CHECK(pcn_kmodel_scores(&k.model, PCN_DECIDE_LAST, &x, 1, work, work, sizeof work) == PCN_EMEMORY);
}

int main(void)
{
    uint32_t n, classes;
    infinite = from_bits(0x7f800000u);
    not_a_number = from_bits(0x7fc00001u);
    check_init();
    check_other_kind();
    check_signs();
    check_trainers();
    check_all_unsorted();
    check_resizes();
    check_all_missets();
    check_few_classes();
    check_bad_scores();
    check_macros();
    check_names();
    check_pass();
    check_texts();
    check_one_use();
    check_load_in_place();
    for (n = 1; n <= 200; n += n < 70 ? 1 : 13)
        for (classes = 2; classes <= 3; classes++) check_bound(n, classes);
    for (n = 3; n <= 40; n += 7) check_beyond(n, n / 2, n % 3);
    for (classes = 2; classes <= K; classes++) {
        check_negative_margin(classes);
        check_refused(classes);
        check_settings_at_rest(classes);
        check_end_of_mean(classes);
        check_outputs(classes);
    }
    check_limits();
    check_bias_input(infinite, pcn_rule_fixed(1));
    check_bias_input(not_a_number, pcn_rule_fixed(1));
    check_bias_input(not_a_number, pcn_rule_pa(1));
    return report();
}
