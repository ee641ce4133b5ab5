/* Sums of products and updates of every length have the bits of the documented order of sums, from every kind of
 * SIMD, read nothing beyond their arrays, and lie within the documented error of double.
 *
 * All arrays of the first part are mallocs of the exact size, so that over-reads show. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "sums.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { OFFSETS = 8, CLASSES = 35 };
enum content { INTEGERS, REALS, WIDE, TINY, BINARY, CONTENTS };

static float random_float(enum content content)
{
    uint32_t bits = random_bits(), sign = bits & 0x80000000u, fraction = bits & 0x7fffffu;
    if (bits >> 24 & 1) return 0; /* so that sparse rows differ from dense ones */
    switch (content) {
    case INTEGERS: return (float)(int)(fraction % 2001) - 1000.0f;
    case REALS: return from_bits(sign | (120 + random_bits() % 8) << 23 | fraction);
    case WIDE: return from_bits(sign | (40 + random_bits() % 140) << 23 | fraction);
    case TINY: return from_bits(sign | (random_bits() % 70) << 23 | fraction);
    default: return 1;
    }
}

static int same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static int all_same(const float *a, const float *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

/* ---- Arrays that end where their block ends, `offset` floats after it begins ---- */

static void *block(size_t items, size_t offset, void **base)
{
    size_t bytes = (items + offset) * 4;
    *base = malloc(bytes ? bytes : 1);
    if (!*base) abort();
    return (char *)*base + offset * 4;
}

typedef struct example {
    void *base[6];
    float *w, *x, *value, *out; /* n weights, n features; the features that are not 0 */
    uint32_t *index, *order;
    uint32_t n, count;
} example;

static void example_init(example *e, uint32_t n, uint32_t offset, enum content content)
{
    uint32_t i;
    e->n = n;
    e->count = 0;
    e->w = (float *)block(n, offset, &e->base[0]);
    e->x = (float *)block(n, (offset + 3) % OFFSETS, &e->base[1]);
    e->out = (float *)block(n, offset, &e->base[2]);
    for (i = 0; i < n; i++) {
        e->w[i] = random_float(content == BINARY ? REALS : content);
        e->x[i] = random_float(content);
        e->count += e->x[i] != 0;
    }
    e->value = (float *)block(e->count, offset, &e->base[3]);
    e->index = (uint32_t *)block(e->count, offset, &e->base[4]);
    e->order = (uint32_t *)block(e->count, offset, &e->base[5]);
    e->count = 0;
    for (i = 0; i < n; i++)
        if (e->x[i] != 0) {
            e->value[e->count] = e->x[i];
            e->index[e->count++] = i;
        }
    for (i = 0; i < e->count; i++) e->order[i] = e->index[e->count - 1 - i];
}

static void example_free(example *e)
{
    int i;
    for (i = 0; i < 6; i++) free(e->base[i]);
}

/* ---- References ---- */

/* x given as (index, value); no index: dense. A product is rounded once and added at most n / 4 + 6 times, each
 * within 2^-24 of its sum; a product that underflows is off by at most 2^-150. */
static int near_sum(float sum, const float *w, size_t column, pcn_vec x)
{
    double exact = 0, size = 0, off, sums = x.count / (x.index ? 4 : 32) + 7.01;
    uint32_t i;
    for (i = 0; i < x.count; i++) {
        double p = (double)w[(x.index ? x.index[i] : i) * column] * (double)x.value[i];
        exact += p;
        size += p < 0 ? -p : p;
    }
    off = (double)sum - exact;
    return (off < 0 ? -off : off) <= size * sums / 16777216 + x.count * 7.1e-46;
}

/* ---- Checks ---- */

static void check_dot(const example *e, pcn_vec x)
{
    float sum = pcn_dot(e->w, e->n, x), norm2 = pcn_norm2(x);
    CHECK(same(sum, plain_sum(e->w, 1, e->n, x)));
    CHECK(near_sum(sum, e->w, 1, x));
    CHECK(same(norm2, plain_norm2(x)));
    CHECK(near_sum(norm2, e->x, 1, x));
}

static void check_add(const example *e)
{
    uint32_t i, n = e->n;
    float scale = random_float(REALS);
    float *expected = (float *)malloc(n * sizeof *expected + 1);
    if (!expected) abort();
    for (i = 0; i < n; i++) {
        volatile float product = scale * e->x[i];
        expected[i] = e->w[i] + product;
    }
    memcpy(e->out, e->w, n * sizeof *e->w);
    pcn_add(e->out, n, scale, pcn_dense(e->x, n));
    CHECK(all_same(e->out, expected, n));
    memcpy(e->out, e->w, n * sizeof *e->w);
    pcn_add(e->out, n, scale, pcn_sparse(e->index, e->value, e->count));
    CHECK(all_same(e->out, expected, n));
    memcpy(e->out, e->w, n * sizeof *e->w);
    pcn_add(e->out, n, 2, pcn_dense(e->out, n)); /* in place: 3 w, rounded once */
    for (i = 0; i < n; i++) expected[i] = e->w[i] * 3;
    CHECK(all_same(e->out, expected, n));
    free(expected);
}

/* The three forms of a row of zeros and ones. */
static void check_ones(const example *e)
{
    uint32_t n = e->n;
    pcn_vec ones = pcn_ones(e->index, e->count), dense = pcn_dense(e->x, n);
    CHECK(same(pcn_dot(e->w, n, ones), plain_sum(e->w, 1, n, ones)));
    CHECK(same(pcn_dot(e->w, n, ones), pcn_dot(e->w, n, pcn_sparse(e->index, e->value, e->count))));
    CHECK(same(pcn_dot(e->w, n, pcn_ones(NULL, n)), plain_sum(e->w, 1, n, pcn_ones(NULL, n))));
    CHECK(same(pcn_norm2(ones), (float)e->count));
    CHECK(same(pcn_norm2(pcn_ones(NULL, n)), (float)n)); /* no index: the first n features */
    memcpy(e->out, e->w, n * sizeof *e->w);
    pcn_add(e->out, n, 0.3f, ones);
    pcn_add(e->out, n, -0.3f, dense);
    if (n != 0) {
        float *twice = e->x; /* the row is not needed any more */
        memcpy(twice, e->w, n * sizeof *twice);
        pcn_add(twice, n, 0.3f, ones);
        pcn_add(twice, n, -0.3f, ones);
        CHECK(all_same(e->out, twice, n));
    }
}

/* Features at or beyond the model's are left out: n is cut to `most`, the row stays. */
static void check_beyond(const example *e, uint32_t most)
{
    float *w;
    pcn_vec sparse = pcn_sparse(e->index, e->value, e->count), dense = pcn_dense(e->x, e->n);
    void *base;
    w = (float *)block(most, 0, &base);
    memcpy(w, e->w, most * sizeof *w);
    CHECK(same(pcn_dot(w, most, dense), plain_sum(w, 1, most, dense)));
    CHECK(same(pcn_dot(w, most, sparse), plain_sum(w, 1, most, sparse)));
    pcn_add(w, most, 0.7f, dense);
    memcpy(e->out, e->w, most * sizeof *w);
    pcn_add(e->out, most, 0.7f, sparse);
    CHECK(all_same(w, e->out, most));
    sparse.index = e->order; /* unsorted: no stray access */
    (void)pcn_dot(w, most, sparse);
    pcn_add(w, most, 0.7f, sparse);
    free(base);
}

/* Scores in the documented order, the bias last; and the class is that of the scores. */
static void check_scored(pcn_linear m, pcn_vec x, float *score)
{
    uint32_t c;
    pcn_linear_scores(&m, x, score);
    for (c = 0; c < m.scores; c++) {
        const float *w = m.weight + weight_at(&m, c, 0);
        CHECK(near_sum(plain_sum(w, column_of(&m), m.features, x), w, column_of(&m), x));
        CHECK(same(score[c], plain_score(&m, c, x)));
    }
    CHECK(pcn_linear_predict(&m, x) == pcn_decide(score, m.scores, 0));
    if (m.scores > 1) return;
    CHECK(same(score[0], pcn_linear_score(&m, x)));
    CHECK(pcn_linear_predict(&m, x) == (score[0] >= 0));
    m.zero_negative = 1;
    CHECK(pcn_linear_predict(&m, x) == (score[0] > 0));
    CHECK(pcn_linear_predict(&m, x) == pcn_decide(score, 1, 1));
}

static void check_scores(const example *e, uint32_t scores, uint32_t offset, int feature_major, int biased)
{
    void *base[3];
    size_t c, j;
    float *weight = (float *)block((size_t)e->n * scores, offset, &base[0]);
    float *bias = (float *)block(scores, offset, &base[1]);
    float *score = (float *)block(scores, (offset + 5) % OFFSETS, &base[2]);
    pcn_linear m;
    m.weight = weight;
    m.bias = biased ? bias : NULL;
    m.features = e->n;
    m.scores = scores;
    m.by_feature = (uint8_t)feature_major;
    m.zero_negative = 0;
    for (c = 0; c < scores; c++) {
        bias[c] = random_float(REALS);
        for (j = 0; j < e->n; j++) weight[weight_at(&m, c, j)] = random_float(REALS);
    }
    check_scored(m, pcn_dense(e->x, e->n), score);
    check_scored(m, pcn_sparse(e->index, e->value, e->count), score);
    for (c = 0; c < 3; c++) free(base[c]);
}

static void check_all(uint32_t n, uint32_t offset, enum content content, uint32_t classes)
{
    example e;
    uint32_t c;
    example_init(&e, n, offset, content);
    check_dot(&e, pcn_dense(e.x, n));
    check_dot(&e, pcn_sparse(e.index, e.value, e.count));
    check_add(&e);
    check_beyond(&e, n / 2);
    check_beyond(&e, n);
    if (content == REALS || content == BINARY)
        for (c = 2; c <= classes; c++) {
            check_scores(&e, PCN_SCORES(c), offset, 0, c % 2 == 0);
            check_scores(&e, PCN_SCORES(c), offset, 1, c % 2 == 0);
            check_scores(&e, PCN_SCORES(c), offset, 1, c % 2 != 0);
        }
    if (content == BINARY) check_ones(&e);
    example_free(&e);
}

static void check_decide(void)
{
    static const struct {
        float score[4];
        uint32_t scores;
        int expected, negative; /* by either convention at 0 */
    } row[] = {
        {{0}, 1, 1, 0},          {{-0.0f}, 1, 1, 0},
        {{-1e-45f}, 1, 0, 0},    {{1e-45f}, 1, 1, 1},
        {{3}, 1, 1, 1},          {{-3}, 1, 0, 0},
        {{0, 0, 0}, 3, 0, 0},    {{-1, -1, -1}, 3, 0, 0},
        {{1, 2, 2, 0}, 4, 1, 1}, {{-3, -2, -4, -2}, 4, 1, 1},
        {{1, 2, 3, 4}, 4, 3, 3}, {{-0.0f, 0, -1, 1}, 3, 0, 0},
    };
    size_t i;
    for (i = 0; i < LENGTH(row); i++) {
        CHECK(pcn_decide(row[i].score, row[i].scores, 0) == row[i].expected);
        CHECK(pcn_decide(row[i].score, row[i].scores, 1) == row[i].negative);
    }
}

/* Weights that are fetched ahead, because there are many, give what few of them give. */
static void check_far(void)
{
    enum { FAR = 600000, NEAR = 2000, SIDE = 20, COUNT = 50 };
    float *w = (float *)calloc(FAR, sizeof *w), *value = (float *)malloc(COUNT * sizeof *value);
    uint32_t *index = (uint32_t *)malloc(COUNT * sizeof *index), i, k;
    if (!w || !value || !index) abort();
    for (i = 0; i < NEAR; i++) w[i] = random_float(REALS);
    for (i = 0; i < COUNT; i++) index[i] = 2 * i + 1, value[i] = random_float(REALS);
    for (k = 0; k <= COUNT; k++) { /* the last k features: nothing behind them may be read */
        pcn_vec x[2];
        x[0] = pcn_sparse(index + COUNT - k, value + COUNT - k, k);
        x[1] = pcn_ones(index + COUNT - k, k);
        for (i = 0; i < 2; i++) {
            pcn_linear far = {w, NULL, FAR / SIDE, SIDE, 1, 0, 0}, near = far;
            float s[SIDE], t[SIDE];
            near.features = NEAR / SIDE;
            CHECK(same(pcn_dot(w, FAR, x[i]), pcn_dot(w, NEAR, x[i])));
            pcn_linear_fetch(&far, x[i]); /* changes nothing */
            pcn_linear_scores(&far, x[i], s);
            pcn_linear_scores(&near, x[i], t);
            CHECK(all_same(s, t, SIDE));
        }
    }
    free(w);
    free(value);
    free(index);
}

/* A mean whose sums are fetched ahead, because there are many, is that of few. */
static void check_far_mean(void)
{
    enum { FAR = 70000, NEAR = 100, COUNT = 20 };
    static float memory[2][PCN_PERCEPTRON_FLOATS(FAR, 2)], sum[2][PCN_AVERAGING_FLOATS(FAR, 2)];
    static const uint32_t features[2] = {FAR, NEAR};
    pcn_perceptron m[2];
    float value[COUNT];
    uint32_t index[COUNT], i, k;
    for (i = 0; i < 2; i++) {
        CHECK(pcn_perceptron_init(&m[i], features[i], 2, memory[i], sizeof memory[i]) == PCN_OK);
        CHECK(pcn_perceptron_use_averaging(&m[i], sum[i], sizeof sum[i]) == PCN_OK);
    }
    for (i = 0; i < 50; i++) {
        for (k = 0; k < COUNT; k++) index[k] = 5 * k + random_bits() % 5, value[k] = random_float(REALS);
        for (k = 0; k < 2; k++) CHECK(pcn_perceptron_learn(&m[k], pcn_sparse(index, value, COUNT), i % 3 == 0) >= 0);
    }
    CHECK(m[0].learner.count.updates > 5 && all_same(memory[0], memory[1], NEAR) && all_same(sum[0], sum[1], NEAR));
    CHECK(memory[0][FAR] == memory[1][NEAR] && all_same(sum[0] + FAR + 1, sum[1] + NEAR + 1, NEAR));
}

/* Sums begin with 0, so products of nothing but -0 make 0. */
static void check_zeros(void)
{
    enum { MOST = 132, CLASSES_HERE = 20 };
    static const float weight[MOST * CLASSES_HERE];
    float x[MOST], score[CLASSES_HERE];
    uint32_t n, c;
    for (n = 0; n < MOST; n++) x[n] = -1;
    for (n = 1; n <= MOST; n++)
        for (c = 1; c <= CLASSES_HERE; c += c == 1 ? 2 : 1) {
            pcn_linear rows = {weight, NULL, n, c, 0, 0, 0}, columns = {weight, NULL, n, c, 1, 0, 0};
            pcn_linear_scores(&rows, pcn_dense(x, n), score);
            CHECK(memcmp(score, weight, c * sizeof *score) == 0);
            pcn_linear_scores(&columns, pcn_dense(x, n), score);
            CHECK(memcmp(score, weight, c * sizeof *score) == 0);
        }
}

/* Predicting asks for 64 scores at a time: the highest may be any of them, and of several it is the first. */
static void check_many_classes(void)
{
    enum { FEATURES = 3, MOST = 200 };
    static const uint32_t classes[] = {63, 64, 65, 128, 129, MOST}, winners[] = {0, 7, 62, 63, 64, 65, 127, 128, 199};
    static float memory[PCN_PERCEPTRON_FLOATS(FEATURES, MOST)], sum[PCN_AVERAGING_FLOATS(FEATURES, MOST)];
    static const float value[FEATURES] = {-1, 2, 3};
    static const uint32_t index[FEATURES] = {0, 1, 2};
    size_t i, k;
    int by_feature;
    for (i = 0; i < 2 * LENGTH(classes) * LENGTH(winners); i++) {
        const uint32_t n = classes[i / 2 % LENGTH(classes)], winner = winners[i / 2 / LENGTH(classes)];
        const pcn_vec x[] = {pcn_dense(value, FEATURES), pcn_sparse(index, value, FEATURES)};
        pcn_perceptron m;
        by_feature = (int)(i % 2);
        if (winner >= n) continue;
        CHECK(pcn_perceptron_init(&m, FEATURES, n, memory, sizeof memory) == PCN_OK);
        if (by_feature) CHECK(pcn_perceptron_use_feature_major(&m) == PCN_OK);
        CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
        memory[weight_at(&m.live, winner, 1)] = memory[weight_at(&m.live, n - 1, 1)] = 0.5f;
        for (k = 0; k < LENGTH(x); k++) {
            CHECK(pcn_linear_predict(&m.live, x[k]) == (int)winner);
            CHECK(pcn_perceptron_predict(&m, x[k]) == (int)winner); /* by the mean, which is the same */
        }
    }
}

/* Rows of weights that begin at lines of 64 bytes, and that do not. */
static void check_lines(void)
{
    enum { MOST = 2064, CLASSES_HERE = 12 };
    static const uint32_t lengths[] = {128, 144, 160, 176, 192, 784, 1040, MOST};
    float *memory = (float *)malloc(((size_t)MOST * CLASSES_HERE + 32) * sizeof *memory), *x, *w, score[CLASSES_HERE];
    uint32_t n, k, i, c, shift, classes;
    if (!memory) abort();
    x = (float *)malloc(MOST * sizeof *x);
    if (!x) abort();
    for (i = 0; i < MOST; i++) x[i] = random_float(REALS);
    for (shift = 0; shift <= 4; shift += 4) {
        w = memory + (64 - (uintptr_t)memory % 64) / sizeof *w + shift;
        for (i = 0; i < MOST * CLASSES_HERE; i++) w[i] = random_float(REALS);
        for (n = 0; n < LENGTH(lengths); n++)
            for (k = 0; k < 3; k++) /* all features, and fewer given than there are */
                for (classes = 4; classes <= CLASSES_HERE; classes += 2) {
                    pcn_linear m = {w, NULL, lengths[n], classes, 0, 0, 0};
                    uint32_t given = lengths[n] - 7 * k;
                    pcn_linear_scores(&m, pcn_dense(x, given), score);
                    for (c = 0; c < classes; c++)
                        CHECK(same(score[c], plain_sum(w + (size_t)c * lengths[n], 1, given, pcn_dense(x, given))));
                }
    }
    free(memory);
    free(x);
}

/* ---- Random rows of every form, of which some reach beyond the model ---- */

enum { WIDE_ROW = 300, MOST_CLASSES = 40, CASES = 20000 };

typedef struct drawn {
    uint32_t index[WIDE_ROW], count;
    float value[WIDE_ROW], one[WIDE_ROW], dense[WIDE_ROW];
} drawn;

static float random_real(void) /* not 0 */
{
    uint32_t bits = random_bits();
    return from_bits((bits & 0x80000000u) | (116 + random_bits() % 20) << 23 | (bits & 0x7fffffu));
}

static void draw(drawn *r, uint32_t percent)
{
    uint32_t j;
    r->count = 0;
    for (j = 0; j < WIDE_ROW; j++) {
        r->one[j] = 1;
        r->dense[j] = 0;
        if (random_bits() % 100 >= percent) continue;
        r->index[r->count] = j;
        r->value[r->count++] = r->dense[j] = random_real();
    }
}

/* Both layouts of one model: every form of a row has its documented sum, and rows of ones are rows of values 1. */
static void check_layouts(const drawn *r, uint32_t scores, uint32_t features, int biased)
{
    static float weight[2][MOST_CLASSES * WIDE_ROW], bias[MOST_CLASSES], score[3][MOST_CLASSES];
    pcn_linear by_class = {weight[0], biased ? bias : NULL, features, scores, 0, 0, 0};
    pcn_linear by_feature = {weight[1], by_class.bias, features, scores, 1, 0, 0};
    pcn_vec form[4];
    uint32_t c, j, i;
    form[0] = pcn_ones(r->index, r->count);
    form[1] = pcn_sparse(r->index, r->one, r->count);
    form[2] = pcn_sparse(r->index, r->value, r->count);
    form[3] = pcn_dense(r->dense, WIDE_ROW);
    for (c = 0; c < scores; c++) {
        bias[c] = random_real();
        for (j = 0; j < features; j++) weight[0][c * features + j] = weight[1][j * scores + c] = random_real();
    }
    for (i = 0; i < LENGTH(form); i++) {
        float *now = score[i == 0 ? 0 : 1];
        pcn_linear_scores(&by_class, form[i], now);
        for (c = 0; c < scores; c++) CHECK(same(now[c], plain_score(&by_class, c, form[i])));
        pcn_linear_scores(&by_feature, form[i], score[2]);
        CHECK(all_same(score[2], now, scores));
        if (i == 1) CHECK(all_same(score[0], score[1], scores));
        if (scores == 1) CHECK(same(pcn_linear_score(&by_feature, form[i]), now[0]));
        CHECK(pcn_linear_predict(&by_feature, form[i]) == pcn_linear_predict(&by_class, form[i]));
    }
}

/* x.z, from a kernel model that holds nothing but x, with coefficient 1. */
static float product(pcn_vec x, pcn_vec z)
{
    static float memory[PCN_KPERCEPTRON_FLOATS(WIDE_ROW, 2, 1)], value[WIDE_ROW], work[PCN_KMODEL_WORK(2, 1, 1)];
    static uint32_t index[WIDE_ROW];
    float score = 0;
    pcn_slot slot;
    pcn_kperceptron m;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), WIDE_ROW, 2, &slot, 1, memory, sizeof memory) == PCN_OK);
    if (x.index) CHECK(pcn_kperceptron_use_sparse(&m, value, index, WIDE_ROW) == PCN_OK);
    m.learner.bias_input = 0;
    CHECK(pcn_kperceptron_learn(&m, x, 1) == 1);
    CHECK(pcn_kmodel_scores(&m.model, PCN_DECIDE_LAST, &z, 1, &score, work, sizeof work) == PCN_OK);
    return score;
}

/* Of two sparse rows, the number of the pair decides: as if the first were weights for the second without what the
 * first has not. */
static float plain_pairs(const drawn *x, const drawn *z, int ones)
{
    static float value[WIDE_ROW];
    static uint32_t index[WIDE_ROW];
    uint32_t i, pairs = 0;
    for (i = 0; i < z->count; i++)
        if (x->dense[z->index[i]] != 0) {
            index[pairs] = z->index[i];
            value[pairs++] = ones ? 1 : z->value[i];
        }
    return plain_sum(x->dense, 1, WIDE_ROW, pcn_sparse(index, value, pairs));
}

static void check_products(const drawn *x, const drawn *z)
{
    pcn_vec xs = pcn_sparse(x->index, x->value, x->count), zs = pcn_sparse(z->index, z->value, z->count);
    pcn_vec xd = pcn_dense(x->dense, WIDE_ROW), zd = pcn_dense(z->dense, WIDE_ROW);
    CHECK(same(product(xs, zs), plain_pairs(x, z, 0)));
    CHECK(same(product(xs, zs), product(zs, xs)));
    CHECK(same(product(xs, xs), pcn_norm2(xs)));
    CHECK(same(product(xs, pcn_ones(z->index, z->count)), plain_pairs(x, z, 1)));
    CHECK(same(product(pcn_ones(z->index, z->count), xs), plain_pairs(x, z, 1)));
    CHECK(same(product(xs, zd), plain_sum(z->dense, 1, WIDE_ROW, xs)));
    CHECK(same(product(zd, xs), plain_sum(z->dense, 1, WIDE_ROW, xs)));
    CHECK(same(product(xd, zd), plain_sum(x->dense, 1, WIDE_ROW, zd)));
    CHECK(same(product(xd, xd), pcn_norm2(xd)));
    CHECK(same(pcn_dot(z->dense, WIDE_ROW, xs), plain_sum(z->dense, 1, WIDE_ROW, xs)));
    CHECK(same(pcn_norm2(xs), plain_norm2(xs)) && same(pcn_norm2(xd), plain_norm2(xd)));
    CHECK(same(pcn_norm2(pcn_sparse(x->index, x->one, x->count)), pcn_norm2(pcn_ones(x->index, x->count))));
}

static void check_cases(void)
{
    static drawn x, z;
    uint32_t i, percent;
    for (i = 0; i < CASES; i++) {
        percent = 1 + random_bits() % 100;
        draw(&x, percent);
        draw(&z, percent);
        check_layouts(&x, PCN_SCORES(2 + random_bits() % (MOST_CLASSES - 1)), 1 + random_bits() % WIDE_ROW,
                      random_bits() >> 31 & 1);
        check_products(&x, &z);
    }
}

/* A hint changes nothing, though there are weights enough of three classes to be far. */
static void check_fetch(void)
{
    enum { FEATURES = 400000 };
    const uint32_t index[] = {0, 3, FEATURES - 1, FEATURES, UINT32_MAX}; /* beyond the features: ignored */
    const float value[] = {1, 2, 3, 4, 5};
    float *w = (float *)calloc(PCN_PERCEPTRON_FLOATS(FEATURES, 3), sizeof *w);
    pcn_linear layouts[] = {{w, NULL, FEATURES, 1, 0, 0, 0},
                            {w, NULL, FEATURES, 3, 0, 1, 0},
                            {w, NULL, FEATURES, 3, 1, 0, 0},
                            {w, NULL, 0, 3, 1, 0, 0}};
    pcn_linear before[LENGTH(layouts)];
    size_t i, k;
    if (!w) abort();
    memcpy(before, layouts, sizeof before);
    for (i = 0; i < LENGTH(layouts); i++) {
        pcn_linear_fetch(&layouts[i], pcn_sparse(index, value, 5));
        pcn_linear_fetch(&layouts[i], pcn_ones(index, 5));
        pcn_linear_fetch(&layouts[i], pcn_ones(index, 0));
        pcn_linear_fetch(&layouts[i], pcn_dense(value, 5));
        pcn_linear_fetch(&layouts[i], pcn_ones(NULL, 5));
        pcn_linear_fetch(&layouts[i], pcn_dense(NULL, 0));
    }
    CHECK(memcmp(before, layouts, sizeof before) == 0);
    for (k = 0; k < PCN_PERCEPTRON_FLOATS(FEATURES, 3) && w[k] == 0; k++) continue;
    CHECK(k == PCN_PERCEPTRON_FLOATS(FEATURES, 3));
    free(w);
}

int main(void)
{
    static const uint32_t larger[] = {95,  96,  97,  127, 128, 129,  136,  137,  144,  151, 160,
                                      255, 256, 257, 784, 999, 1024, 1025, 2047, 2080, 4127};
    uint32_t n, offset;
    int content;
    for (content = 0; content < CONTENTS; content++) {
        for (n = 0; n <= 67; n++)
            for (offset = 0; offset < OFFSETS; offset++) check_all(n, offset, (enum content)content, CLASSES);
        for (n = 0; n < LENGTH(larger); n++)
            check_all(larger[n], n % OFFSETS, (enum content)content, 11); /* 5 and 5 and 1 */
    }
    check_decide();
    check_far();
    check_far_mean();
    check_fetch();
    check_many_classes();
    check_zeros();
    check_lines();
    check_cases();
    return report();
}
