/* Checks with a known answer: sums of whole numbers, the hand-checked runs of the literature, what must
 * be refused, and images. */
#ifndef TARGETS_ANSWERS_H
#define TARGETS_ANSWERS_H

#include "integers.h"
#include "sums.h"
#include "training.h"

#include <float.h>
#include <limits.h>

/* ---- Kernels ---- */

static void whole_numbers(uint32_t n)
{
    float *w = memory.sums.w, *x = memory.sums.x;
    int32_t dot = 0, norm2 = 0, a, b;
    uint32_t i, exact = 0;
    for (i = 0; i < n; i++) {
        a = (int32_t)i + 1;
        b = (int32_t)(i % 5) - 2;
        w[i] = (float)a;
        x[i] = (float)b;
        dot += a * b;
        norm2 += b * b;
    }
    CHECK(pcn_dot(w, n, pcn_dense(x, n)) == (float)dot);
    CHECK(pcn_norm2(pcn_dense(x, n)) == (float)norm2);
    pcn_add(w, n, -3, pcn_dense(x, n));
    for (i = 0; i < n; i++) exact += w[i] == (float)((int32_t)i + 1 - 3 * ((int32_t)(i % 5) - 2));
    CHECK(exact == n);
}

/* Dense, sparse without the zeros, and 0/1 rows of real numbers. */
static void documented_orders(uint32_t n)
{
    float *w = memory.sums.w, *v = memory.sums.v, *x = memory.sums.x;
    uint32_t i, count = 0;
    pcn_vec dense = pcn_dense(x, n), sparse, ones;
    for (i = 0; i < n; i++) {
        w[i] = v[i] = random_float(i % 7 == 0);
        x[i] = random_float(0);
        if (x[i] == 0) continue;
        memory.sums.some[count] = x[i];
        memory.sums.index[count++] = i;
    }
    sparse = pcn_sparse(memory.sums.index, memory.sums.some, count);
    ones = pcn_ones(memory.sums.index, count);
    CHECK(bits_of(pcn_dot(w, n, dense)) == bits_of(plain_sum(w, 1, n, dense)));
    CHECK(bits_of(pcn_dot(w, n, sparse)) == bits_of(plain_sum(w, 1, n, sparse)));
    CHECK(bits_of(pcn_dot(w, n, ones)) == bits_of(plain_sum(w, 1, n, ones)));
    CHECK(bits_of(pcn_dot(w, n, pcn_ones(NULL, n))) == bits_of(plain_sum(w, 1, n, pcn_ones(NULL, n))));
    CHECK(bits_of(pcn_norm2(dense)) == bits_of(plain_norm2(dense)));
    CHECK(bits_of(pcn_norm2(sparse)) == bits_of(plain_norm2(sparse)));
    pcn_add(w, n, 0.37f, dense);
    pcn_add(v, n, 0.37f, sparse);
    CHECK(memcmp(w, v, (size_t)n * sizeof *w) == 0);
    hash_floats(w, n);
    hash_word(bits_of(pcn_dot(w, n, dense)));
    swap_hashes();
    hash_word(bits_of(pcn_dot(w, n, sparse)));
    hash_word(bits_of(pcn_norm2(sparse)));
    swap_hashes();
}

/* Every length, of numbers of both signs, with 0, -0 and denormal ones: one model, and K feature by feature. */
static void every_length(void)
{
    float *w = memory.lengths.w, *x = memory.lengths.x, score[K];
    uint32_t n, i, equal = 0;
    for (i = 0; i < LENGTHS; i++) {
        w[i] = random_float(i % 7 == 0);
        x[i] = random_float(i % 5 == 0);
        if (i % 3 == 0) x[i] = -x[i];
    }
    for (n = 0; n <= LENGTHS; n++) {
        const pcn_vec v = pcn_dense(x, n);
        equal += bits_of(pcn_dot(w, n, v)) == bits_of(plain_sum(w, 1, n, v));
    }
    CHECK(equal == LENGTHS + 1);
    for (equal = n = 0; n <= LENGTHS / K; n++) {
        const pcn_vec v = pcn_dense(x, n);
        const pcn_linear m = {w, NULL, n, K, 1, 0, 0};
        pcn_linear_scores(&m, v, score);
        for (i = 0; i < K; i++) equal += bits_of(score[i]) == bits_of(plain_sum(w + i, K, n, v));
    }
    CHECK(equal == K * (LENGTHS / K + 1));
    for (i = 0; i < LENGTHS; i++) {
        w[i] = 0;
        x[i] = -1;
    }
    for (equal = n = 0; n <= LENGTHS; n++) equal += bits_of(pcn_dot(w, n, pcn_dense(x, n))) == 0; /* not -0 */
    CHECK(equal == LENGTHS + 1);
}

static void sums(void)
{
    static const uint8_t length[] = {0, 1, 7, 8, 9, 31, 32, 33, 67, LONG};
    size_t i;
    random_state = 1;
    for (i = 0; i < LENGTH(length); i++) {
        whole_numbers(length[i]);
        documented_orders(length[i]);
    }
    every_length();
    CHECK(pcn_crc32(0, "123456789", 9) == 0xcbf43926u);
}

/* ---- The orders of passes ---- */

static void passes(void)
{
    static const uint16_t rows[] = {1, 2, 3, 5, 8, 9, 33, 250, 257, 1000};
    uint32_t number, seen, sum;
    pcn_pass pass;
    size_t i;
    for (i = 0; i < LENGTH(rows); i++) {
        pcn_pass_init(&pass, rows[i], 2, (uint32_t)i);
        pass.stop = PCN_STOP_NEVER;
        pass.order = (uint8_t)(i % 2 ? PCN_ORDER_EACH : PCN_ORDER_ONCE);
        for (seen = sum = 0; pcn_pass_next(&pass, &number); seen++) {
            hash_word(number);
            sum += number;
        }
        CHECK(seen == 2u * rows[i] && sum == (uint32_t)rows[i] * (rows[i] - 1u));
    }
}

/* ---- Traces: the runs of Su, Eaton, Honavar, CIML, Crammer and Littlestone; weights in eighths ---- */

enum data { OR, AND, XOR_PRODUCT, THREE };
enum { EATON = 0, SU = ZERO_PREDICTED, CIML = ZERO_NEGATIVE, HONAVAR = ZERO_PREDICTED | ZERO_NEGATIVE };

static const struct {
    uint8_t rows, features, classes, y[4];
    float x[4][3];
} sets[] = {
    {4, 2, 2, {0, 1, 1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
    {4, 2, 2, {0, 0, 0, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
    {4, 3, 2, {0, 1, 1, 0}, {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}}},
    {3, 2, 3, {0, 1, 2}, {{1, 0}, {0, 1}, {0, 0}}},
};

static void start_set(enum data set, uint8_t update, uint8_t options)
{
    const linear_run run = {{sets[set].features, sets[set].classes, DENSE}, FIXED, update, options};
    linear = run;
    linear_start();
    perceptron.learner.rule.rate = 1;
}

/* In the order of the rows; 0 epochs: until one is clean. Returns how many rows updated. */
static uint32_t learn_set(enum data set, uint32_t epochs)
{
    uint32_t number, updates = 0;
    pcn_pass pass;
    pcn_pass_init(&pass, sets[set].rows, epochs ? epochs : 99, 1);
    pass.order = PCN_ORDER_FILE;
    pass.stop = epochs ? PCN_STOP_NEVER : PCN_STOP_EPOCH;
    while (pcn_pass_next(&pass, &number)) {
        row.x = pcn_dense(sets[set].x[number], sets[set].features);
        row.y = sets[set].y[number];
        (void)pcn_pass_note(&pass, linear_learn(number));
        updates += pass.run == 0;
    }
    return updates;
}

/* Are the weights w8 / 8? Bias first, then features, class by class. The image joins the hash. */
static int weights_are(const int8_t *w8)
{
    const pcn_linear *m = &perceptron.live;
    uint32_t c, j, good = 0;
    hash_image(linear_save);
    for (c = 0; c < m->scores; c++) {
        good += m->bias[c] * 8 == (float)*w8++;
        for (j = 0; j < m->features; j++) good += m->weight[weight_at(m, (size_t)c, (size_t)j)] * 8 == (float)*w8++;
    }
    return good == PCN_LINEAR_FLOATS(m->features, m->scores);
}

static void additive_traces(void)
{
    static const struct {
        uint8_t set, options, update, rule, limit8, margin, epochs, updates;
        int8_t w8[9];
    } t[] = {
        {OR, HONAVAR, 0, FIXED, 8, 0, 0, 4, {0, 8, 8}},
        {OR, SU, 0, FIXED, 8, 0, 0, 5, {-8, 8, 8}},
        {OR, CIML, 0, FIXED, 8, 0, 0, 9, {-8, 16, 16}},
        {OR, EATON, 0, FIXED, 8, 1, 0, 18, {-16, 32, 32}},
        {AND, HONAVAR, 0, FIXED, 8, 0, 0, 10, {-16, 16, 8}},
        {AND, SU, 0, FIXED, 8, 0, 0, 11, {-24, 16, 8}},
        {AND, CIML, 0, FIXED, 8, 0, 0, 18, {-32, 24, 16}},
        {XOR_PRODUCT, CIML, 0, FIXED, 8, 0, 0, 29, {-8, 16, 16, -40}},
        {OR, HONAVAR, 0, ABSOLUTE, 0, 0, 0, 6, {0, 16, 16}},
        {OR, HONAVAR, 0, FRACTIONAL, 12, 0, 0, 3, {-1, 3, 8}},
        {AND, HONAVAR, 0, FRACTIONAL, 8, 0, 0, 4, {-6, 6, 4}},
        {OR, EATON, 0, PA_I, 255, 1, 1, 3, {4, 4, 8}},
        {OR, EATON, 0, PA_I, 4, 1, 1, 3, {4, 4, 4}},
        {THREE, 0, PREDICTED, FIXED, 8, 0, 0, 7, {-8, 16, -8, 0, -8, 16, 8, -8, -8}},
        {THREE, 0, UNIFORM, FIXED, 8, 0, 0, 8, {-4, 16, -4, -4, -4, 16, 8, -12, -12}},
        {THREE, 0, OTHERS, FIXED, 8, 0, 0, 7, {-24, 16, -16, -24, -16, 16, -8, -16, -16}},
        {THREE, 0, ONE_VS_REST, FIXED, 8, 0, 0, 11, {-8, 16, -8, -8, -8, 16, 8, -16, -16}},
    };
    size_t i;
    for (i = 0; i < LENGTH(t); i++) {
        start_set((enum data)t[i].set, t[i].update, t[i].options);
        perceptron.learner.rule = rule_of(t[i].rule, (float)t[i].limit8 / 8);
        perceptron.learner.rule.margin = t[i].margin;
        CHECK(learn_set((enum data)t[i].set, t[i].epochs) == t[i].updates && weights_are(t[i].w8));
    }
}

/* Thirds, and the mean of CIML Algorithm 7 after ten epochs. */
static void fractions(void)
{
    static const float third = 1.0f / 3, exact[] = {64.0f / 41, 70.0f / 41, -26.0f / 41};
    const float *w = memory.linear.weight;
    start_set(OR, 0, EATON);
    perceptron.learner.rule = pcn_rule_pa2(0.5f);
    learn_set(OR, 1);
    CHECK(w[0] == third && w[1] == 0.5f && w[2] == third);
    start_set(OR, 0, CIML | AVERAGED);
    learn_set(OR, 10);
    CHECK(pcn_perceptron_final(&perceptron, &mean, memory.linear.mean, sizeof memory.linear.mean) == PCN_OK);
    CHECK(memcmp(mean.weight, exact, sizeof exact) == 0);
}

/* All patterns of features from `first` on, counting upwards; positive where one of `target` is on. */
static void winnow_traces(void)
{
    static const struct {
        uint8_t features, first, target, threshold, balanced, eliminate, mistakes;
        int8_t off, w8[5]; /* off: the value of a feature that is not on */
    } t[] = {
        {3, 0, 4, 0, 0, 0, 1, -1, {0, 16, 4, 4}},       /* Su, Alg. 3 */
        {4, 0, 12, 4, 0, 0, 5, 0, {-32, 32, 32, 8, 8}}, /* Winnow2 */
        {4, 0, 12, 4, 0, 1, 5, 0, {-32, 32, 32, 0, 0}}, /* Winnow1 */
        {3, 4, 3, 0, 1, 0, 9, 0, {0, -12, 30, 30}},     /* balanced, OR with a constant */
    };
    float x[4], *w = memory.linear.weight, *e = memory.linear.state;
    pcn_perceptron *m = &perceptron;
    uint32_t n, j, pattern;
    pcn_pass pass;
    size_t i;
    for (i = 0; i < LENGTH(t); i++) {
        n = t[i].features;
        CHECK(pcn_perceptron_init(m, n, 2, w, sizeof memory.linear.weight) == PCN_OK);
        CHECK(pcn_perceptron_use_winnow(m, t[i].threshold, t[i].balanced, e, sizeof memory.linear.state) == PCN_OK);
        m->learner.zero_predicted = !t[i].balanced;
        pcn_pass_init(&pass, ((uint32_t)1 << n) - t[i].first, 99, 1);
        pass.order = PCN_ORDER_FILE;
        while (pcn_pass_next(&pass, &pattern)) {
            int y;
            pattern += t[i].first;
            y = (pattern & t[i].target) != 0;
            for (j = 0; j < n; j++) x[j] = pattern >> (n - 1 - j) & 1 ? 1 : t[i].off;
            m->learner.rule.rate = t[i].eliminate && !y ? PCN_ELIMINATE : 1;
            (void)pcn_pass_note(&pass, pcn_perceptron_learn(m, pcn_dense(x, n), y));
        }
        CHECK(pass.result == PCN_END_CLEAN && m->learner.count.updates == t[i].mistakes && weights_are(t[i].w8));
    }
}

/* The true dual form by CIML's conventions: OR under x.z + 1, XOR under (1 + x.z)^2. */
static void dual_traces(void)
{
    static const struct {
        uint8_t set, epochs, updates, slots;
        int8_t coef[4], last[4], mean25[4], vote[4]; /* 25 times the mean */
    } t[] = {
        {OR, 6, 9, 3, {-5, 2, 2, 0}, {-1, 1, 1, 3}, {-10, 28, 22, 60}, {-20, 20, 14, 22}},
        {XOR_PRODUCT, 8, 21, 4, {-7, 5, 5, -4}, {-1, 2, 2, -3}, {0}, {0}},
    };
    float *work = memory.kernel.work, score;
    const size_t room = PCN_KMODEL_WORK(2, 4, 1) * sizeof *work;
    volatile float average; /* rounds */
    uint32_t k, i;
    for (k = 0; k < 2; k++) {
        pcn_kernel kind = t[k].set == OR ? pcn_kernel_linear() : pcn_kernel_poly(2, 1, 1);
        CHECK(pcn_kperceptron_init(&dual, kind, 2, 2, memory.kernel.slot, 4, memory.kernel.all,
                                   PCN_KPERCEPTRON_FLOATS(2, 2, 4) * sizeof(float)) == PCN_OK);
        CHECK(pcn_kperceptron_use_rows(&dual, sets[t[k].set].x[0], NULL, 4 * 3) == PCN_OK);
        CHECK(pcn_kperceptron_use_log(&dual, memory.kernel.log, ENTRIES) == PCN_OK);
        dual.learner.bias_input = t[k].set == OR;
        dual.model.zero_negative = 1;
        for (i = 0; i < 4u * t[k].epochs; i++)
            pcn_kperceptron_learn_row(&dual, pcn_dense(sets[t[k].set].x[i % 4], 2), sets[t[k].set].y[i % 4], i % 4);
        CHECK(dual.learner.count.updates == t[k].updates && dual.model.slots == t[k].slots);
        hash_image(kernel_save);
        for (i = 0; i < dual.model.slots; i++) CHECK(dual.model.coef[i] == t[k].coef[dual.model.slot[i].id]);
        for (i = 0; i < 4; i++) {
            pcn_vec x = pcn_dense(sets[t[k].set].x[i], 2);
            CHECK(pcn_kmodel_scores(&dual.model, PCN_DECIDE_LAST, &x, 1, &score, work, room) == PCN_OK);
            CHECK(score == t[k].last[i]);
            if (t[k].set != OR) continue;
            CHECK(pcn_kmodel_scores(&dual.model, PCN_DECIDE_MEAN, &x, 1, &score, work, room) == PCN_OK);
            average = (float)t[k].mean25[i] / 25;
            CHECK(score == average);
            CHECK(pcn_kmodel_scores(&dual.model, PCN_DECIDE_VOTE, &x, 1, &score, work, room) == PCN_OK);
            CHECK(score == t[k].vote[i]);
        }
    }
}

static void traces(void)
{
    additive_traces();
    fractions();
    winnow_traces();
    dual_traces();
}

/* ---- What must be refused, and changes nothing ---- */

/* The hash of a model, added to that of the group. */
static uint32_t state_of(size_t (*save)(size_t, void *, size_t))
{
    uint32_t group = hash, state;
    hash = HASH_EMPTY;
    hash_image(save);
    state = hash;
    hash = group;
    hash_word(state);
    return state;
}

static void start_small(uint8_t features)
{
    const linear_run run = {{features, K, DENSE}, FIXED, PREDICTED, AVERAGED};
    uint32_t i;
    linear = run;
    linear_start();
    for (i = 0; i < ROWS; i++) {
        make_row(&linear.shape, i);
        CHECK(linear_learn(i) >= 0);
    }
}

static void refused_rows(void)
{
    static const struct {
        uint32_t last; /* bits of the last value, or its index */
        int8_t sparse, y, result;
    } t[] = {
        {0x7fc00000u, 0, 0, PCN_EVALUE}, {0x7f800000u, 0, 1, PCN_EVALUE}, {0xff800000u, 0, 2, PCN_EVALUE},
        {0x7f000000u, 0, 0, PCN_EVALUE}, {4, 1, 0, PCN_EINDEX},           {UINT32_MAX, 1, 0, PCN_EINDEX},
        {0, 0, K, PCN_ELABEL},           {0, 0, -1, PCN_ELABEL},
    };
    float value[4] = {1, 2, 3, 4};
    uint32_t index[4] = {0, 1, 2, 3}, before;
    size_t i;
    start_small(4);
    perceptron.learner.rule.margin = FLT_MAX; /* every row would update */
    before = state_of(linear_save);
    for (i = 0; i < LENGTH(t); i++) {
        if (!t[i].sparse) value[3] = from_bits(t[i].last);
        if (t[i].sparse) index[3] = t[i].last;
        CHECK(pcn_perceptron_learn(&perceptron, pcn_sparse(t[i].sparse ? index : NULL, value, 4), t[i].y) ==
              t[i].result);
        CHECK(perceptron.refused == i + 1);
    }
    CHECK(state_of(linear_save) == before);
}

/* Two classes are 0 and 1, and -1 counts as 0. */
static void refused_labels(void)
{
    static const int label[] = {-1, 0, 1, 2, -2, INT_MAX, INT_MIN}; /* the first three are good */
    const linear_run run = {{1, 2, DENSE}, FIXED, PREDICTED, 0};
    uint32_t i, n = LENGTH(label);
    linear = run;
    linear_start();
    for (i = 0; i < n; i++)
        CHECK((pcn_perceptron_learn(&perceptron, pcn_ones(NULL, 1), label[i]) == PCN_ELABEL) == (i >= 3));
    CHECK(perceptron.refused == n - 3 && perceptron.learner.count.rows == 3);
    CHECK(pcn_iperceptron_init(&twin, 1, 2, memory.integer.weight, sizeof memory.integer.weight) == PCN_OK);
    for (i = 0; i < n; i++)
        CHECK((pcn_iperceptron_learn(&twin, pcn_iones(NULL, 1), label[i]) == PCN_ELABEL) == (i >= 3));
    CHECK(twin.refused == n - 3 && twin.rows == 3);
    CHECK(pcn_kperceptron_init(&dual, pcn_kernel_linear(), 1, 2, memory.kernel.slot, SLOTS, memory.kernel.all,
                               sizeof memory.kernel.all) == PCN_OK);
    for (i = 0; i < n; i++)
        CHECK((pcn_kperceptron_learn(&dual, pcn_ones(NULL, 1), label[i]) == PCN_ELABEL) == (i >= 3));
    CHECK(dual.refused == n - 3 && dual.learner.count.rows == 3);
}

static void refused_set_up(void)
{
    const size_t some = 99 * sizeof(float), one_float = sizeof(float);
    float *w = memory.linear.weight;
    pcn_perceptron *m = &perceptron;
    pcn_kernel k = pcn_kernel_linear();
    static const float one = 1;
    const pcn_vec x = pcn_dense(&one, 1);
    pcn_slot slot[2];
    CHECK(pcn_version() == PERCEPTRON_VERSION);
    CHECK(pcn_perceptron_init(m, 2, 2, NULL, some) == PCN_EMEMORY);
    CHECK(pcn_perceptron_init(m, 2, 3, w, PCN_PERCEPTRON_FLOATS(2, 3) * one_float - 1) == PCN_EMEMORY);
    CHECK(pcn_perceptron_init(m, 2, 0, w, some) == PCN_EOPTION);
    CHECK(pcn_perceptron_init(m, 2, 1, w, some) == PCN_EOPTION);
    CHECK(pcn_perceptron_init(m, UINT32_MAX, 2, w, some) == PCN_EMEMORY);
    CHECK(pcn_perceptron_init(m, 2, UINT32_MAX, w, some) == PCN_EMEMORY);
    CHECK(pcn_perceptron_learn(m, x, 1) == PCN_EOPTION && pcn_perceptron_save_part(m, 0, NULL, 0) == 0);
    CHECK(pcn_perceptron_init(m, 2, 3, w, some) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(m, memory.linear.sum, PCN_AVERAGING_FLOATS(2, 3) * one_float - 1) ==
          PCN_EMEMORY);
    CHECK(pcn_perceptron_use_batch(m, memory.linear.batch, PCN_LINEAR_FLOATS(2, 3) * one_float - 1) == PCN_EMEMORY);
    CHECK(pcn_perceptron_use_winnow(m, 0, 0, memory.linear.state, PCN_LINEAR_FLOATS(2, 3) * one_float - 1) ==
          PCN_EMEMORY);
    CHECK(pcn_perceptron_learn(m, x, 1) == 1);
    CHECK(pcn_perceptron_use_batch(m, memory.linear.batch, sizeof memory.linear.batch) == PCN_ELATE);
    w = memory.kernel.all;
    /* shapes whose size wraps where size_t has 32 or 16 bits; dense vectors are missed when one is to be stored */
    CHECK(pcn_kperceptron_init(&dual, k, UINT32_MAX, 2, slot, 2, w, some) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&dual, x, 1) == PCN_EMEMORY && dual.learner.count.rows == 0);
    CHECK(pcn_kperceptron_init(&dual, k, 65536, 2, slot, 2, w, some) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&dual, x, 1) == PCN_EMEMORY && dual.model.slots == 0);
    CHECK(pcn_kperceptron_init(&dual, k, 2, (uint32_t)1 << 31, slot, 2, w, some) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_init(&dual, k, 2, 2, NULL, 0, w, some) == PCN_EOPTION); /* nothing grows here */
    CHECK(pcn_kperceptron_learn(&dual, x, 1) == PCN_EOPTION && pcn_kperceptron_save_part(&dual, 0, NULL, 0) == 0);
    CHECK(pcn_kperceptron_init(&dual, k, 2, 2, slot, 2, w, PCN_KPERCEPTRON_FLOATS(0, 2, 2) * one_float - 1) ==
          PCN_EMEMORY);
    CHECK(pcn_kperceptron_init(&dual, k, 2, 2, slot, 2, w, PCN_KPERCEPTRON_FLOATS(2, 2, 2) * one_float - 1) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&dual, x, 1) == PCN_EMEMORY && dual.model.slots == 0);
    CHECK(pcn_kperceptron_init(&dual, k, 2, 2, slot, 2, w, PCN_KPERCEPTRON_FLOATS(2, 2, 2) * one_float) == PCN_OK);
    CHECK(pcn_kperceptron_use_log(&dual, NULL, 1) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_learn(&dual, x, 1) == 1 && dual.model.slots == 1);
}

/* Numbers that a size_t of 16 bits takes for small ones: classes of a model without features, as an image of 68 bytes may
 * have, and features of a row that needs no array. */
static void refused_lengths(void)
{
    enum { CLASSES = 65537, MANY = 65537 };
    static const float weight = 2;
    const pcn_linear empty = {NULL, NULL, 0, CLASSES, 0, 0, 0}, one = {&weight, NULL, 1, 1, 0, 0, 0};
    const pcn_vec ones = pcn_ones(NULL, MANY);
    int32_t *w = memory.quantized.frozen;
    pcn_ilinear q;
    uint32_t i;
    for (i = 0; i < 4; i++) w[i] = 7;
    CHECK(pcn_ilinear_quantize(&q, &empty, 8, 1, NULL, w, 2 * sizeof *w) == PCN_EMEMORY);
    CHECK(pcn_ilinear_quantize(&q, &empty, 16, 1, NULL, w, 4 * sizeof *w) == PCN_EMEMORY);
    CHECK(w[0] == 7 && w[1] == 7 && w[2] == 7 && w[3] == 7);
    CHECK(pcn_linear_score(&one, ones) == 2 && pcn_norm2(ones) == MANY);
    CHECK(pcn_kperceptron_init(&dual, pcn_kernel_linear(), MANY, 2, memory.kernel.slot, SLOTS, memory.kernel.all,
                               PCN_KPERCEPTRON_FLOATS(0, 2, SLOTS) * sizeof(float)) == PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&dual, memory.kernel.value, memory.kernel.index, CELLS) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&dual, ones, 1) == PCN_EFULL && dual.model.slots == 0);
    CHECK(pcn_kperceptron_learn(&dual, pcn_ones(NULL, 1), 1) == 1 && dual.model.slots == 1);
    CHECK(dual.model.slot[0].start == 0 && dual.model.slot[0].count == 1);
}

/* A store without a policy that is full. */
static void refused_when_full(void)
{
    const kernel_run run = {{9, 2, DENSE}, LINEAR, STOP, LOG};
    uint32_t i = 0, before;
    int result;
    kernel = run;
    kernel_start();
    do {
        before = state_of(kernel_save);
        make_row(&kernel.shape, i);
        result = kernel_learn(i);
    } while (result >= 0 && ++i < 99);
    CHECK(result == PCN_EFULL && dual.model.slots == SLOTS && state_of(kernel_save) == before);
}

static void refusals(void)
{
    refused_rows();
    refused_labels();
    refused_set_up();
    refused_lengths();
    refused_when_full();
}

/* ---- Images ---- */

static void flip(uint8_t *p, size_t at)
{
    p[at] = (uint8_t)(p[at] ^ 1u << at % 8);
}

/* One flipped bit in every byte; every shorter length; another shape and kind; NaN and a newer
 * version behind a right checksum. */
static void damaged_images(void)
{
    uint32_t before, refused = 0;
    size_t size, i;
    uint8_t *p = image();
    start_small(4);
    size = store_image(linear_save);
    start_small(5); /* what must not change */
    before = state_of(linear_save);
    for (i = 0; i < size; i++) {
        flip(p, i);
        refused += pcn_image_read(NULL, p, size) < 0;
        flip(p, i);
    }
    CHECK(refused == size);
    for (i = 0; i < size; i++) refused -= pcn_image_read(NULL, p, i) == PCN_EIMAGE;
    CHECK(refused == 0 && pcn_image_read(NULL, p, size + 1) == PCN_OK); /* what follows does not matter */
    CHECK(pcn_image_size(p, 64) == size && pcn_image_size(p, 63) == 0);
    CHECK(pcn_image_read(NULL, p, size) == PCN_OK);
    CHECK(pcn_perceptron_load(&perceptron, p, size) == PCN_EMATCH);
    CHECK(pcn_kperceptron_load(&dual, p, size) == PCN_EMATCH);
    put_word(p + 64, 0x7fc00000u);
    put_word(p + size - 4, pcn_crc32(0, p, size - 4));
    CHECK(pcn_perceptron_load(&perceptron, p, size) == PCN_EIMAGE);
    put_word(p + 4, 2);
    put_word(p + size - 4, pcn_crc32(0, p, size - 4));
    CHECK(pcn_perceptron_load(&perceptron, p, size) == PCN_EVERSION);
    CHECK(state_of(linear_save) == before);
}

static size_t model_save(size_t from, void *out, size_t size)
{
    return pcn_linear_save_part(&perceptron.live, from, out, size);
}

/* In place where floats lie as in the image; loading works from everywhere. */
static void opened_images(void)
{
    const uint32_t one = 1;
    const int little = *(const uint8_t *)&one == 1;
    size_t size;
    float score[2][K];
    pcn_linear frozen;
    uint8_t *p = image();
    int result;
    start_small(4);
    size = store_image(linear_save);
    CHECK(pcn_linear_open(&frozen, p, size) == PCN_EMEAN);
    size = store_image(model_save);
    result = pcn_linear_open(&frozen, p, size);
    CHECK(result == (little ? PCN_OK : PCN_EALIGN));
    if (result == PCN_OK) {
        make_row(&linear.shape, ROWS);
        CHECK(frozen.features == 4 && frozen.scores == K);
        CHECK(pcn_linear_predict(&frozen, row.x) == pcn_linear_predict(&perceptron.live, row.x));
        pcn_linear_scores(&frozen, row.x, score[0]);
        pcn_linear_scores(&perceptron.live, row.x, score[1]);
        CHECK(memcmp(score[0], score[1], sizeof score[0]) == 0);
    }
    memmove(p + 1, p, size);
    CHECK(pcn_linear_open(&frozen, p + 1, size) == PCN_EALIGN);
    CHECK(pcn_perceptron_load(&perceptron, p + 1, size) == PCN_OK);
}

static void images(void)
{
    damaged_images();
    opened_images();
}

#endif
