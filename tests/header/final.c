/* pcn_perceptron_final, _predict, _scores and _final_scores give what a trainer has learned: the live weights, or
 * their mean with averaging, the same by each way; pcn_linear_copy copies it. What lacks memory is refused and writes
 * nothing. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "sums.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 70, K = 5, MOST = PCN_LINEAR_FLOATS(N, K) };

#include "linear.h"

static float random_real(void) /* (-1, 1) */
{
    return (float)((int)(random_bits() % 16777215) - 8388607) / 8388608;
}

/* A row in one of four forms: dense, dense and short, sparse, ones. */
typedef struct row {
    float value[N];
    uint32_t index[N];
    pcn_vec x;
    uint32_t form;
} row;

static void draw_row(row *r, uint32_t features, uint32_t form)
{
    const uint32_t one_in = 1 + random_bits() % 8;
    uint32_t j, count = 0;
    for (j = 0; j < features; j++) {
        if (form >= 2 && random_bits() % one_in != 0) continue;
        r->index[count] = j;
        r->value[count++] = random_real() * (random_bits() % 4 == 0 ? 30 : 1);
    }
    if (form == 1) count = random_bits() % (features + 1);
    r->form = form;
    r->x = form < 2 ? pcn_dense(r->value, count) : pcn_sparse(r->index, form == 2 ? r->value : NULL, count);
}

/* Rows of any form, with any labels; the last batch is applied. */
static void train(trainer *t, uint32_t rows)
{
    const pcn_linear *m = &t->m.live;
    uint32_t i;
    row r;
    for (i = 0; i < rows; i++) {
        draw_row(&r, m->features, random_bits() % 4);
        CHECK(pcn_perceptron_learn(&t->m, r.x, (int)(random_bits() % PCN_CLASSES(m->scores))) >= 0);
        if (t->m.own.batch && (i % 4 == 3 || i + 1 == rows)) CHECK(pcn_perceptron_apply_batch(&t->m, 0.5f) >= 0);
    }
}

typedef struct kind {
    uint32_t features, classes;
    unsigned parts;
} kind;

/* Some kind or other: all options that go together. */
static kind draw_kind(uint32_t classes, unsigned method, unsigned parts)
{
    kind k;
    k.features = random_bits() % 8 == 0 ? 0 : 1 + random_bits() % N;
    k.classes = classes;
    k.parts = method | parts;
    if (method == PCN_PART_VARIANCES) k.parts &= ~(unsigned)PCN_PART_BATCH;
    return k;
}

static void trainer_of(trainer *t, kind k)
{
    const unsigned winnow = k.parts & PCN_PART_EXPONENTS;
    trainer_init(t, k.features, k.classes, k.parts, winnow ? 0.5f : 0.3f);
    if (winnow) t->m.learner.rule.rate = 0.125f;
    if (!winnow && !(k.parts & PCN_PART_VARIANCES) && random_bits() & 1) t->m.learner.rule = pcn_rule_pa(0.4f);
    if (winnow || !(random_bits() & 1)) return;
    t->m.learner.update = pcn_update_one_vs_rest;
}

static int same_trainer(const trainer *a, const trainer *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---- Without a mean: the weights ---- */

static void check_live(kind k)
{
    static trainer t, before;
    float score[K], expected[K];
    uint32_t i;
    row r;
    trainer_of(&t, k);
    train(&t, random_bits() % 40);
    before = t;
    for (i = 0; i < 20; i++) {
        draw_row(&r, k.features, i % 4);
        pcn_perceptron_scores(&t.m, r.x, score);
        pcn_linear_scores(&t.m.live, r.x, expected);
        CHECK(memcmp(score, expected, PCN_SCORES(k.classes) * sizeof *score) == 0);
        CHECK(pcn_perceptron_predict(&t.m, r.x) == pcn_linear_predict(&t.m.live, r.x));
        CHECK(pcn_perceptron_predict(&t.m, r.x) == pcn_decide(score, t.m.live.scores, t.m.live.zero_negative));
    }
    CHECK(same_trainer(&t, &before));
    if (k.parts & PCN_PART_EXPONENTS || k.classes == K) return;
    CHECK(resize(&t, k.features, k.classes + 1) == PCN_OK); /* one score becomes three */
    for (i = 0; i < 8; i++) {
        draw_row(&r, k.features, i % 4);
        CHECK(pcn_perceptron_predict(&t.m, r.x) == pcn_linear_predict(&t.m.live, r.x));
    }
}

/* ---- With one: the weights less the sums ---- */

/* The documented sum for score c, every operation rounded, is the score. */
static int is_plain_score(const trainer *t, pcn_vec x, uint32_t c, float score)
{
    pcn_linear sums = t->m.live;
    volatile float part, mean;
    sums.weight = t->sum;
    sums.bias = t->sum + (size_t)sums.features * sums.scores;
    part = plain_score(&sums, c, x);
    part = part / (float)(t->m.learner.clock + 1);
    mean = plain_score(&t->m.live, c, x);
    mean = mean - part;
    part = score;
    return mean == part;
}

/* |b| + sum of |w x| of class c; w: weights, sums, means, or NULL: 1. */
static double size_of(const pcn_linear *m, const float *w, pcn_vec x, uint32_t c)
{
    double sum = w ? fabs((double)w[(size_t)m->features * m->scores + c]) : 1;
    uint32_t i;
    for (i = 0; i < x.count; i++) {
        const uint32_t j = x.index ? x.index[i] : i;
        sum += fabs((w ? (double)w[weight_at(m, c, j)] : 1) * (x.value ? (double)x.value[i] : 1));
    }
    return sum;
}

/* How far the two scores of the mean of class c may lie apart. With u = 2^-24: a term of a score is rounded once as a
 * product, once in each sum on its way to the last (one less than the terms of its partial sum, then 5 or 2 of partial
 * sums), and once with the bias. (1 + u)^r - 1 < 1.01 r u. So the scores of the weights w, of the upper sums U and of
 * the frozen mean m differ from exact ones by 1.01 r u times |w|.|x|, |U|.|x| and |m|.|x|. Sums without their lower
 * parts are off by u |U|; T, the number of weights seen, the quotient and the difference are rounded once each. A
 * weight of the mean is off by 2^-23 of itself and 2^-34 of the largest that ever was. */
static double apart_at_most(const trainer *t, const float *mean, pcn_vec x, uint32_t c, double largest)
{
    const double u = ldexp(1, -24), seen = (double)t->m.learner.clock + 1;
    const uint32_t parts = x.index ? 4 : 32, roundings = (x.count + parts - 1) / parts + (x.index ? 2 : 5) + 1;
    const pcn_linear *m = &t->m.live;
    const double w = size_of(m, t->memory, x, c), sums = size_of(m, t->sum, x, c) / seen;
    const double frozen = size_of(m, mean, x, c);
    return 1.01 * (u * roundings * (w + sums + frozen) + u * (3 * sums + w + sums) + 2 * u * frozen) +
           ldexp(largest, -34) * size_of(m, NULL, x, c) + 1e-38;
}

static uint32_t final_scores_of_means; /* that were not those of the weights */
static double nearest_bound;           /* the largest distance that was seen, in parts of what it may be */

static void check_scores(const trainer *t, const pcn_linear *frozen, const row *r, double largest)
{
    const pcn_linear *m = &t->m.live;
    float score[K], expected[K];
    const int cls = pcn_perceptron_predict(&t->m, r->x);
    uint32_t c, bad = 0;
    pcn_perceptron_scores(&t->m, r->x, score);
    pcn_linear_scores(frozen, r->x, expected);
    for (c = 0; c < m->scores; c++) {
        const double apart = fabs((double)score[c] - (double)expected[c]);
        const double most = apart_at_most(t, frozen->weight, r->x, c, largest);
        bad += !is_plain_score(t, r->x, c, score[c]) || !(apart <= most);
        nearest_bound = fmax(nearest_bound, apart / most);
    }
    CHECK(bad == 0);
    CHECK(cls == pcn_decide(score, m->scores, m->zero_negative));
}

static double largest_of(const trainer *t, double before)
{
    uint32_t i;
    for (i = 0; i < PCN_LINEAR_FLOATS(t->m.live.features, t->m.live.scores); i++)
        before = fmax(before, fabs((double)t->memory[i]));
    return before;
}

static void check_mean(kind k)
{
    static trainer t, before;
    static float mean[MOST];
    const uint32_t rows = random_bits() % 40;
    double largest;
    pcn_linear frozen;
    uint32_t i;
    row r;
    k.parts |= PCN_PART_SUMS;
    trainer_of(&t, k);
    largest = largest_of(&t, 0);
    for (i = 0; i < rows; i++) {
        train(&t, 1);
        largest = largest_of(&t, largest);
    }
    if (random_bits() % 4 == 0) { /* a mean that begins later */
        CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == PCN_OK);
        train(&t, 1);
        largest = largest_of(&t, largest);
    }
    before = t;
    frozen = final_of(&t.m, mean);
    for (i = 0; i < 20; i++) {
        draw_row(&r, k.features, i % 4);
        check_scores(&t, &frozen, &r, largest);
    }
    CHECK(same_trainer(&t, &before));
}

/* As many weights as a clock counts, which floats round. */
static void check_long_mean(uint64_t clock)
{
    static trainer t;
    static float mean[MOST];
    kind k = {N, K, PCN_PART_SUMS};
    pcn_linear frozen;
    uint32_t i;
    row r;
    trainer_of(&t, k);
    train(&t, 30);
    for (i = 0; i < MOST; i++) t.sum[i] *= (float)clock / 30, t.sum[MOST + i] = 0;
    t.m.learner.clock = clock;
    frozen = final_of(&t.m, mean);
    for (i = 0; i < 40; i++) {
        draw_row(&r, N, i % 4);
        check_scores(&t, &frozen, &r, largest_of(&t, 100));
    }
}

/* A mean of 1.5 where the weight is 3; one of 0, under both conventions, where it is -6. */
static void check_by_hand(void)
{
    static trainer t;
    const kind k = {1, 2, PCN_PART_SUMS};
    const float x = 1, half = 0.5f;
    float score;
    int negative, i;
    trainer_init(&t, k.features, k.classes, k.parts, 0);
    t.m.learner.bias_input = 0;
    t.m.learner.rule.margin = FLT_MAX;
    for (i = 0; i < 3; i++) CHECK(pcn_perceptron_learn(&t.m, pcn_dense(&x, 1), 1) == 1); /* 1, 2, 3 */
    pcn_perceptron_scores(&t.m, pcn_dense(&half, 1), &score);
    CHECK(score == 0.75f && pcn_linear_score(&t.m.live, pcn_dense(&half, 1)) == 1.5f); /* the mean of 0 .. 3 */
    t.m.learner.rule.rate = 9;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(&x, 1), 0) == 1); /* -6: the mean of all five is 0 */
    pcn_perceptron_scores(&t.m, pcn_dense(&half, 1), &score);
    CHECK(score == 0 && t.m.live.weight[0] == -6);
    for (negative = 0; negative < 2; negative++) {
        t.m.live.zero_negative = (uint8_t)negative;
        CHECK(pcn_perceptron_predict(&t.m, pcn_dense(&x, 1)) == !negative);
        CHECK(pcn_linear_predict(&t.m.live, pcn_dense(&x, 1)) == 0);
    }
}

/* A trainer that is loaded, moved or given more classes predicts by its mean as before. */
static void check_ways_on(kind k)
{
    static trainer t, other;
    static uint32_t image[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS | PCN_PART_EXPONENTS | PCN_PART_BATCH) / 4];
    float score[K], expected[K];
    uint32_t i;
    size_t size;
    row r;
    k.parts |= PCN_PART_SUMS;
    trainer_of(&t, k);
    train(&t, 30);
    trainer_of(&other, k);
    size = pcn_perceptron_save(&t.m, image, sizeof image);
    CHECK(size != 0 && pcn_perceptron_load(&other.m, image, size) == PCN_OK);
    for (i = 0; i < 12; i++) {
        if (i == 4) { /* a copy of its own */
            other = t;
            CHECK(resize(&other, k.features, k.classes) == PCN_OK);
        }
        if (i == 8 && !(k.parts & PCN_PART_EXPONENTS)) CHECK(resize(&other, k.features, k.classes + 1) == PCN_OK);
        draw_row(&r, k.features, i % 4);
        pcn_perceptron_scores(&t.m, r.x, expected);
        pcn_perceptron_scores(&other.m, r.x, score);
        if (i >= 8 && k.classes == 2 && other.m.live.scores == 3) {
            CHECK(score[1] == expected[0] && score[0] == -expected[0] && score[2] == 0); /* w, -w and 0 */
            CHECK(pcn_perceptron_predict(&other.m, r.x) == pcn_decide(score, 3, 0));
            continue;
        }
        CHECK(memcmp(score, expected, PCN_SCORES(k.classes) * sizeof *score) == 0);
        if (i < 8) CHECK(pcn_perceptron_predict(&other.m, r.x) == pcn_perceptron_predict(&t.m, r.x));
    }
}

/* ---- Frozen: what final and copy write, and what they refuse ---- */

static int same_linear(const pcn_linear *a, const pcn_linear *b)
{
    return a->weight == b->weight && a->bias == b->bias && a->features == b->features && a->scores == b->scores &&
           a->by_feature == b->by_feature && a->zero_negative == b->zero_negative;
}

/* Neither final nor, if there is too little memory, copy writes anything. */
static void check_refused(const trainer *t, float *out, size_t bytes, int expected)
{
    static trainer before;
    static float was[MOST + 1];
    pcn_linear model, none;
    before = *t;
    memset(&none, 0x5a, sizeof none);
    model = none;
    if (out) memcpy(was, out, sizeof was);
    CHECK(pcn_perceptron_final(&t->m, &model, out, bytes) == expected);
    if (expected == PCN_EMEMORY) CHECK(pcn_linear_copy(&t->m.live, &model, out, bytes) == PCN_EMEMORY);
    CHECK(memcmp(&model, &none, sizeof none) == 0 && same_trainer(t, &before));
    if (out) CHECK(memcmp(was, out, sizeof was) == 0);
}

static void check_final(kind k)
{
    static trainer t, before;
    static float out[MOST + 1], copied[MOST + 1];
    const size_t n = PCN_LINEAR_FLOATS(k.features, k.classes), bytes = n * sizeof(float);
    const size_t scores = PCN_SCORES(k.classes), biases = k.features * scores;
    pcn_linear model, expected, bare, copy;
    trainer_of(&t, k);
    if (random_bits() & 1) t.m.live.zero_negative = 1;
    train(&t, 25);
    before = t;
    memset(out, 0x77, sizeof out), memset(copied, 0x77, sizeof copied);
    check_refused(&t, out, bytes - 1, PCN_EMEMORY);
    check_refused(&t, out, bytes / 2, PCN_EMEMORY);
    check_refused(&t, out, 0, PCN_EMEMORY);
    expected = t.m.live;
    memset(&model, 0x5a, sizeof model);
    if (k.parts & PCN_PART_SUMS) {
        check_refused(&t, NULL, 0, PCN_EMEMORY);
        check_refused(&t, NULL, bytes, PCN_EMEMORY);
    } else {
        CHECK(pcn_perceptron_final(&t.m, &model, NULL, 0) == PCN_OK && same_linear(&model, &expected));
        CHECK(pcn_linear_copy(&t.m.live, &copy, NULL, bytes) == PCN_EMEMORY);
        CHECK(pcn_linear_copy(&t.m.live, &copy, NULL, 0) == PCN_EMEMORY);
    }
    expected.weight = out, expected.bias = out + biases;
    CHECK(pcn_perceptron_final(&t.m, &model, out, bytes) == PCN_OK && same_linear(&model, &expected));
    if (k.features != 0) CHECK((memcmp(out, t.memory, bytes) == 0) == !(k.parts & PCN_PART_SUMS));
    expected.weight = copied, expected.bias = copied + biases;
    CHECK(pcn_linear_copy(&t.m.live, &copy, copied, bytes) == PCN_OK && same_linear(&copy, &expected));
    CHECK(memcmp(copied, t.memory, bytes) == 0);
    CHECK(pcn_linear_copy(&model, &copy, copied, bytes) == PCN_OK && memcmp(copied, out, bytes) == 0); /* of a mean */
    bare = model, bare.bias = NULL;
    CHECK(pcn_linear_copy(&bare, &copy, copied, bytes) == PCN_OK && same_linear(&copy, &expected));
    memset(out + biases, 0, scores * sizeof *out);
    CHECK(memcmp(copied, out, bytes) == 0); /* biases of 0 */
    CHECK(memcmp(out + n, "wwww", sizeof *out) == 0 && memcmp(copied + n, "wwww", sizeof *out) == 0);
    CHECK(same_trainer(&t, &before));
}

/* A batch that holds something anywhere has no final model; applied, discarded, or with nothing but zeros it has. */
static void check_batch(kind k)
{
    static trainer t;
    static float out[MOST + 1];
    const size_t n = PCN_LINEAR_FLOATS(k.features, k.classes), bytes = n * sizeof(float);
    pcn_linear model;
    size_t i;
    k.parts |= PCN_PART_BATCH;
    trainer_of(&t, k);
    train(&t, 24);
    memset(out, 0x77, sizeof out);
    CHECK(pcn_perceptron_final(&t.m, &model, out, bytes) == PCN_OK);
    t.m.learner.rule.margin = FLT_MAX;
    CHECK(pcn_perceptron_learn(&t.m, pcn_ones(NULL, k.features), 1) == 1);
    if (!(k.parts & PCN_PART_EXPONENTS) || k.features != 0) {
        check_refused(&t, out, bytes, PCN_EBATCH);
        check_refused(&t, NULL, 0, PCN_EBATCH);
        CHECK(pcn_perceptron_apply_batch(&t.m, 1) == 1);
    }
    CHECK(pcn_perceptron_final(&t.m, &model, out, bytes) == PCN_OK);
    for (i = 0; i < n; i++) {
        t.batch[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? -1e30f : from_bits(1);
        check_refused(&t, out, bytes, PCN_EBATCH);
        CHECK(pcn_perceptron_discard_batch(&t.m) == PCN_OK && t.batch[i] == 0);
        t.batch[i] = -0.0f;
        CHECK(pcn_perceptron_final(&t.m, &model, out, bytes) == PCN_OK);
    }
}

/* ---- The scores of the frozen model, without it ---- */

/* A row in one of six forms, which may have features that the model lacks: dense, sparse, 0/1 with indices and without,
 * each; and rows of nothing. */
static pcn_vec long_row(uint32_t form, float *value, uint32_t *index, uint32_t features)
{
    const uint32_t most = features + 5, count = random_bits() % (most + 1), one_in = 1 + random_bits() % 4;
    uint32_t j, given = 0;
    for (j = 0; j < most; j++) value[j] = random_bits() % 5 == 0 ? 0 : random_real() * 30;
    if (form == 0) return pcn_dense(value, count);
    if (form == 1) return pcn_dense(value, features);
    if (form == 2) return pcn_sparse(NULL, NULL, count);
    if (form == 3) return pcn_sparse(NULL, NULL, 0);
    for (j = 0; j < most; j++)
        if (random_bits() % one_in == 0) index[given++] = j < features + 3 ? j : UINT32_MAX - (most - j);
    return pcn_sparse(index, form == 4 ? value : NULL, given);
}

/* Beside final and pcn_linear_scores, bit for bit; a trainer that follows predicts by the weights while it is ahead. */
static void check_final_scores(kind k)
{
    static trainer t, before;
    static float mean[MOST], value[N + 5];
    static uint32_t index[N + 5];
    const int follows = (k.parts & (PCN_PART_SUMS | PCN_PART_BATCH)) == PCN_PART_SUMS && random_bits() & 1;
    float score[K + 1], expected[K];
    uint32_t i, scores = PCN_SCORES(k.classes), differ = 0;
    pcn_linear frozen;
    trainer_of(&t, k);
    if (follows) CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK);
    train(&t, random_bits() % 40);
    for (i = 0; i < 24; i++) {
        const pcn_vec x = long_row(i % 6, value, index, k.features);
        if (follows) t.m.learner.ahead = (int8_t)((int)(random_bits() % 33) - 15);
        before = t;
        frozen = final_of(&t.m, mean);
        pcn_linear_scores(&frozen, x, expected);
        score[scores] = 77;
        pcn_perceptron_final_scores(&t.m, x, score);
        CHECK(memcmp(score, expected, scores * sizeof *score) == 0 && score[scores] == 77);
        CHECK(same_trainer(&t, &before));
        pcn_linear_scores(&t.m.live, x, expected);
        differ += memcmp(score, expected, scores * sizeof *score) != 0;
    }
    if (!(k.parts & PCN_PART_SUMS)) CHECK(differ == 0);
    final_scores_of_means += differ;
}

/* ---- A batch that is discarded, or ends ---- */

/* Discarded steps are as if their rows had not fired. After the end, the trainer learns at once, and is one without a
 * batch: image, final model and all. */
static void check_end_batch(kind k)
{
    static trainer t, u, before;
    static uint8_t image[2][PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS | PCN_PART_EXPONENTS | PCN_PART_BATCH)];
    static float out[MOST];
    const size_t n = PCN_LINEAR_FLOATS(k.features, k.classes);
    const kind bare = {k.features, k.classes, k.parts & ~(unsigned)PCN_PART_BATCH};
    pcn_linear model;
    size_t size, i;
    row r;
    k.parts |= PCN_PART_BATCH;
    trainer_of(&t, k);
    train(&t, 24);
    before = t;
    t.m.learner.rule.margin = FLT_MAX;
    draw_row(&r, k.features, 0);
    CHECK(pcn_perceptron_learn(&t.m, pcn_ones(NULL, k.features), 1) == 1);
    if (!(k.parts & PCN_PART_EXPONENTS) || k.features != 0) {
        u = t;
        CHECK(pcn_perceptron_end_batch(&t.m) == PCN_EBATCH && same_trainer(&t, &u));
    }
    CHECK(pcn_perceptron_discard_batch(&t.m) == PCN_OK);
    for (i = 0; i < n; i++) CHECK(t.batch[i] == 0 && t.memory[i] == before.memory[i]);
    for (i = 0; i < n; i++) t.batch[i] = i % 3 ? INFINITY : (float)NAN; /* that no scale can apply */
    CHECK(pcn_perceptron_end_batch(&t.m) == PCN_EBATCH && pcn_perceptron_discard_batch(&t.m) == PCN_OK);
    for (i = 0; i < n; i++) CHECK(t.batch[i] == 0);
    t.m.learner = before.m.learner;
    CHECK(pcn_perceptron_discard_batch(&t.m) == PCN_OK); /* an empty one */
    CHECK(pcn_perceptron_end_batch(&t.m) == PCN_OK);
    memset(t.batch, 0x5a, sizeof t.batch); /* is the caller's again */
    before = t;
    CHECK(pcn_perceptron_end_batch(&t.m) == PCN_EOPTION && pcn_perceptron_discard_batch(&t.m) == PCN_EOPTION);
    CHECK(pcn_perceptron_apply_batch(&t.m, 1) == PCN_EOPTION && same_trainer(&t, &before));
    trainer_of(&u, bare); /* has learned the same, and never had a batch */
    u.m.learner.rule = t.m.learner.rule, u.m.learner.update = t.m.learner.update;
    size = pcn_perceptron_save(&t.m, image[0], sizeof image[0]);
    CHECK(size == PCN_PERCEPTRON_IMAGE(k.features, k.classes, bare.parts));
    CHECK(pcn_perceptron_load(&u.m, image[0], size) == PCN_OK);
    for (i = 0; i < 30; i++) {
        const int y = (int)(random_bits() % k.classes);
        draw_row(&r, k.features, i % 4);
        CHECK(pcn_perceptron_learn(&t.m, r.x, y) == pcn_perceptron_learn(&u.m, r.x, y));
    }
    CHECK(memcmp(before.batch, t.batch, sizeof t.batch) == 0);
    CHECK(pcn_perceptron_save(&t.m, image[0], sizeof image[0]) == size);
    CHECK(pcn_perceptron_save(&u.m, image[1], sizeof image[1]) == size && memcmp(image[0], image[1], size) == 0);
    CHECK(t.m.refused == 0 && pcn_perceptron_final(&t.m, &model, out, n * sizeof *out) == PCN_OK);
    if (k.parts & PCN_PART_SUMS) CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK); /* which no batch forbids now */
}

int main(void)
{
    static const unsigned methods[] = {0, PCN_PART_EXPONENTS, PCN_PART_EXPONENTS | PCN_PART_BALANCED,
                                       PCN_PART_VARIANCES};
    static const uint64_t clocks[] = {1, 100, 16777215, 16777216, 16777217, 4294967296u, ((uint64_t)1 << 36) - 1};
    uint32_t round, method, bits;
    for (round = 0; round < 60; round++)
        for (method = 0; method < LENGTH(methods); method++)
            for (bits = 0; bits < 8; bits++) {
                const uint32_t classes = bits & 1 ? K : round % 5 == 0 ? 3 : 2;
                const unsigned parts = (bits & 2 ? (unsigned)PCN_PART_FEATURE_MAJOR : 0) |
                                       (bits & 4 ? (unsigned)PCN_PART_BATCH : 0);
                const unsigned sums = round % 2 ? (unsigned)PCN_PART_SUMS : 0;
                check_live(draw_kind(classes, methods[method], parts));
                check_mean(draw_kind(classes, methods[method], parts));
                check_final(draw_kind(classes, methods[method], parts | sums));
                check_final_scores(draw_kind(classes, methods[method], parts | sums));
                if (classes < K) check_ways_on(draw_kind(classes, methods[method], parts));
                if (method == LENGTH(methods) - 1 || round % 10 > 1) continue;
                check_batch(draw_kind(classes, methods[method], parts | sums));
                check_end_batch(draw_kind(classes, methods[method], parts | sums));
            }
    for (round = 0; round < LENGTH(clocks); round++) check_long_mean(clocks[round]);
    check_by_hand();
    CHECK(final_scores_of_means > 1000);
    printf("scores of means: at most %.2f of their bound apart\n", nearest_bound);
    return report();
}
