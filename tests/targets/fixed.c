/* Trains models of every kind on a fixed set and prints one hash per group of images, and six of many: of dense
 * rows and integers, of sparse rows of floats, of the orders of passes, of calibration, of scalers, and of what trainers
 * answer. tests/targets/bits.sh
 * compares the lines of many builds. Integer arithmetic makes the data, and no float is printed: what differs can only come from the library.
 * C99 and C++. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum { N = 80, K = 9, ROWS = 200 };

#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum form { DENSE, SPARSE, ONES };

typedef struct group {
    const char *name;
    uint32_t classes;
    int feature_major, averaged, batch; /* batch: rows per batch, 0: none */
    enum form form;
    int tiny; /* rows hold numbers down to the least denormal */
} group;

static const group groups[] = {
    {"binary", 2, 0, 0, 0, DENSE, 0},
    {"binary averaged", 2, 0, 1, 0, DENSE, 0},
    {"binary averaged sparse", 2, 0, 1, 0, SPARSE, 0},
    {"binary averaged ones", 2, 0, 1, 0, ONES, 0},
    {"binary averaged tiny", 2, 0, 1, 0, DENSE, 1},
    {"binary averaged batch", 2, 0, 1, 7, DENSE, 0},
    {"classes", 5, 0, 0, 0, DENSE, 0},
    {"classes averaged", K, 0, 1, 0, DENSE, 0},
    {"classes averaged sparse", 3, 0, 1, 0, SPARSE, 0},
    {"classes averaged tiny", 3, 0, 1, 0, DENSE, 1},
    {"classes averaged batch", 4, 0, 1, 5, DENSE, 0},
    {"feature-major", 8, 1, 0, 0, DENSE, 0},
    {"feature-major averaged sparse", K, 1, 1, 0, SPARSE, 0},
    {"feature-major averaged ones", 7, 1, 1, 0, ONES, 0},
    {"feature-major batch", 5, 1, 0, 6, DENSE, 0},
};

/* ---- FNV-1a, 64 bits ---- */

static const uint64_t empty_hash = ((uint64_t)0xcbf29ce4u << 32) | 0x84222325u;
static uint64_t dense_hash, sparse_hash, trainer_hash; /* of the last there is no golden one */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t prime = ((uint64_t)1 << 40) | 0x1b3u;
    const uint8_t *p = (const uint8_t *)bytes;
    while (size-- != 0) hash = (hash ^ *p++) * prime;
    return hash;
}

static uint64_t hash_word(uint64_t hash, uint32_t word)
{
    uint8_t byte[4];
    int i;
    for (i = 0; i < 4; i++) byte[i] = (uint8_t)(word >> 8 * i);
    return hash_bytes(hash, byte, 4);
}

static uint64_t hash_float(uint64_t hash, float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return hash_word(hash, bits);
}

static void print(uint64_t hash, const char *name)
{
    printf("%08lx%08lx %s\n", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu), name);
}

static void print_group(uint64_t hash, const char *name, enum form form)
{
    uint64_t *all = form == DENSE ? &dense_hash : &sparse_hash;
    print(hash, name);
    *all = hash_word(hash_word(*all, (uint32_t)(hash & 0xffffffffu)), (uint32_t)(hash >> 32));
}

/* ---- Rows ---- */

/* Reals in (-2, 2), one in four 0; tiny ones with any exponent from denormals to 2^-60. */
static float random_float(int tiny)
{
    uint32_t bits = random_bits(), exponent = tiny ? bits % 67 : 110 + bits % 18;
    float f;
    if (bits >> 28 < 4) return 0;
    bits = (bits & 0x80000000u) | exponent << 23 | (random_bits() & 0x7fffffu);
    memcpy(&f, &bits, sizeof f);
    return f;
}

typedef struct row {
    float value[N];
    uint32_t index[N];
    pcn_vec x;
    int y;
} row;

static void make_row(row *r, const group *g, uint32_t n)
{
    uint32_t i, count = 0;
    for (i = 0; i < n; i++) {
        float v = random_float(g->tiny && i % 3 != 0);
        if (g->form != DENSE && random_bits() % 2 == 0) continue;
        r->value[count] = v;
        r->index[count++] = i;
    }
    if (g->form == DENSE) r->x = pcn_dense(r->value, count);
    if (g->form == SPARSE) r->x = pcn_sparse(r->index, r->value, count);
    if (g->form == ONES) r->x = pcn_ones(r->index, count);
    r->y = count != 0 && r->value[0] > 0 && random_bits() % 8 != 0; /* noisy */
    if (g->classes > 2 && !r->y) r->y = (int)(random_bits() % g->classes);
}

/* ---- Models ---- */

static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], batch[PCN_LINEAR_FLOATS(N, K)];
static float mean[PCN_LINEAR_FLOATS(N, K)], score[K];
static uint8_t image[1u << 18];

/* As images were when the golden hash was made, without a bit that says what a score of 0 is. */
static void forget_zero(pcn_perceptron *m)
{
    m->live.zero_negative = 0;
}

static uint32_t class_of(const pcn_linear *m, pcn_vec x)
{
    return m->scores == 1 ? 0 : (uint32_t)pcn_linear_predict(m, x);
}

/* 5 rules and 4 updates meet in every way while n goes from 1 to 20. */
static int set_up(pcn_perceptron *m, const group *g, uint32_t n)
{
    int bad = pcn_perceptron_init(m, n, g->classes, memory, sizeof memory);
    if (g->feature_major) bad |= pcn_perceptron_use_feature_major(m);
    if (g->averaged) bad |= pcn_perceptron_use_averaging(m, sum, sizeof sum);
    if (g->batch) bad |= pcn_perceptron_use_batch(m, batch, sizeof batch);
    switch (n % 5) {
    case 0: m->learner.rule = pcn_rule_absolute(); break;
    case 1: m->learner.rule = pcn_rule_fractional(1.3f); break;
    case 2: m->learner.rule = pcn_rule_pa(0.1f); break;
    case 3: m->learner.rule = pcn_rule_pa2(0.7f); break;
    default: m->learner.rule = pcn_rule_fixed(0.37f);
    }
    switch (n % 4) {
    case 0: m->learner.update = pcn_update_others; break;
    case 1: m->learner.update = pcn_update_uniform; break;
    case 2: m->learner.update = pcn_update_one_vs_rest; break;
    default: m->learner.update = pcn_update_predicted;
    }
    if (n % 7 == 0) m->learner.rule.margin = 0.3f;
    m->live.zero_negative = n % 3 == 0;
    m->learner.zero_predicted = n % 9 < 4;
    if (n % 11 == 0) m->learner.bias_input = 0.6f;
    return bad;
}

/* What the trainer says by itself, by the mean of its weights if it has one. */
static void trainer_scores(const pcn_perceptron *m, pcn_vec x)
{
    uint32_t c;
    pcn_perceptron_scores(m, x, score);
    for (c = 0; c < m->live.scores; c++) trainer_hash = hash_float(trainer_hash, score[c]);
    trainer_hash = hash_word(trainer_hash, (uint32_t)pcn_perceptron_predict(m, x));
}

/* r: the last row. per_batch: 0: there is no batch. */
static uint64_t learn_rows(uint64_t hash, pcn_perceptron *m, const group *g, uint32_t n, row *r, int per_batch)
{
    uint32_t i;
    for (i = 0; i < ROWS; i++) {
        make_row(r, g, n);
        hash = hash_word(hash, (uint32_t)(pcn_perceptron_learn(m, r->x, r->y) + 16));
        if (per_batch && i % (uint32_t)per_batch == 0)
            hash = hash_word(hash, (uint32_t)(pcn_perceptron_apply_batch(m, 0.41f) + 16));
    }
    return hash;
}

static uint64_t train(uint64_t hash, const group *g, uint32_t n)
{
    pcn_perceptron m;
    uint32_t c;
    size_t size;
    row r;
    if (set_up(&m, g, n) != PCN_OK) return 0;
    hash = learn_rows(hash, &m, g, n, &r, g->batch);
    forget_zero(&m);
    size = pcn_perceptron_save(&m, image, sizeof image);
    hash = hash_bytes(hash, image, size);
    if (g->batch && pcn_perceptron_discard_batch(&m) != PCN_OK) return 0; /* what it holds is not in the mean */
    trainer_scores(&m, r.x);
    if (g->averaged) {
        pcn_linear average;
        if (pcn_perceptron_final(&m, &average, mean, sizeof mean) != PCN_OK) return 0;
        size = pcn_linear_save(&average, image, sizeof image);
        hash = hash_bytes(hash, image, size);
    }
    pcn_linear_scores(&m.live, r.x, score);
    for (c = 0; c < m.live.scores; c++) hash = hash_float(hash, score[c]);
    hash = hash_float(hash, pcn_norm2(r.x));
    return hash_word(hash, class_of(&m.live, r.x));
}

/* The same learner, following: what it says while it learns, and what is left of it. */
static void following(const group *g, uint32_t n)
{
    pcn_perceptron m;
    uint32_t i;
    row r;
    if (!g->averaged || g->batch) return;
    if (set_up(&m, g, n) != PCN_OK || pcn_perceptron_use_following(&m) != PCN_OK) trainer_hash = 0;
    for (i = 0; i < ROWS; i++) {
        make_row(&r, g, n);
        trainer_scores(&m, r.x);
        trainer_hash = hash_word(trainer_hash, (uint32_t)(pcn_perceptron_learn(&m, r.x, r.y) + 16));
    }
    trainer_hash = hash_bytes(trainer_hash, image, pcn_perceptron_save(&m, image, sizeof image));
}

typedef struct trainer {
    pcn_perceptron m;
    float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], state[PCN_LINEAR_FLOATS(N, K)];
} trainer;

enum method { PLAIN, WINNOW, AROW };

static int start(trainer *t, const group *g, uint32_t n, enum method method)
{
    int bad = pcn_perceptron_init(&t->m, n, g->classes, t->memory, sizeof t->memory);
    if (g->feature_major) bad |= pcn_perceptron_use_feature_major(&t->m);
    if (method == WINNOW) bad |= pcn_perceptron_use_winnow(&t->m, 0.3f * (float)n, n % 2, t->state, sizeof t->state);
    if (method == AROW) bad |= pcn_perceptron_use_confidence(&t->m, (float)(n % 13 + 1) / 8, t->state, sizeof t->state);
    if (g->averaged) bad |= pcn_perceptron_use_averaging(&t->m, t->sum, sizeof t->sum);
    if (method == WINNOW) t->m.learner.rule.rate = 0.37f;
    return bad;
}

/* Exponents, and weights by exp2; real steps so that exponents are no whole numbers. */
static uint64_t winnow(uint64_t hash, const group *g, uint32_t n)
{
    static trainer t;
    row r;
    if (start(&t, g, n, WINNOW) != PCN_OK) return 0;
    t.m.learner.rule.rate = 0.37f * (float)(n % 7 + 1);
    hash = learn_rows(hash, &t.m, g, n, &r, 0);
    return hash_bytes(hash, image, pcn_perceptron_save(&t.m, image, sizeof image));
}

/* Both updates, with and without averaging, biases of 1, 0.6 and none. */
static uint64_t confidence(uint64_t hash, const group *g, uint32_t n)
{
    static trainer t;
    pcn_linear average;
    uint32_t i;
    row r;
    if (start(&t, g, n, AROW) != PCN_OK) return 0;
    if (n % 2) t.m.learner.update = pcn_update_one_vs_rest;
    t.m.learner.bias_input = n % 5 == 0 ? 0 : n % 5 == 1 ? 0.6f : 1;
    hash = learn_rows(hash, &t.m, g, n, &r, 0);
    hash = hash_bytes(hash, image, pcn_perceptron_save(&t.m, image, sizeof image));
    if (!g->averaged) return hash;
    if (pcn_perceptron_final(&t.m, &average, mean, sizeof mean) != PCN_OK) return 0;
    for (i = 0; i < PCN_LINEAR_FLOATS(n, g->classes); i++) hash = hash_float(hash, mean[i]);
    return hash;
}

/* ---- Shards ---- */

enum { SHARDS = 3, EPOCHS = 3 };

static pcn_shard learn_shard(trainer *t, const trainer *common, const group *g, uint32_t n, uint32_t rows)
{
    size_t all = PCN_LINEAR_FLOATS(n, g->classes);
    pcn_shard shard = {t->memory, NULL, NULL, n % 3 ? t->state : NULL, {rows, 0, 0}, rows};
    row r;
    memcpy(t->memory, common->memory, all * sizeof *t->memory);
    if (shard.state) memcpy(t->state, common->state, all * sizeof *t->state);
    if (g->averaged && pcn_perceptron_use_averaging(&t->m, t->sum, sizeof t->sum) == PCN_OK) {
        shard.sum = t->sum;
        shard.rest = t->sum + all;
    }
    for (; rows != 0; rows--) {
        make_row(&r, g, n);
        pcn_perceptron_learn(&t->m, r.x, r.y);
    }
    return shard;
}

/* Plain, Winnow and AROW take turns. */
static uint64_t mixing(uint64_t hash, const group *g, uint32_t n)
{
    static trainer common, shards[SHARDS];
    pcn_shard from[SHARDS];
    uint32_t epoch, s;
    if (g->batch) return hash; /* the same as without */
    if (start(&common, g, n, (enum method)(n % 3)) != PCN_OK) return 0;
    for (s = 0; s < SHARDS; s++)
        if (start(&shards[s], g, n, (enum method)(n % 3)) != PCN_OK) return 0;
    for (epoch = 0; epoch < EPOCHS; epoch++) {
        for (s = 0; s < SHARDS; s++) from[s] = learn_shard(&shards[s], &common, g, n, ROWS / 5 + s);
        if (pcn_perceptron_mix(&common.m, from, SHARDS, 0, PCN_LINEAR_FLOATS(n, g->classes)) != 1) return 0;
    }
    memset(&common.m.learner.count, 0, sizeof common.m.learner.count); /* the first hashes had none */
    return hash_bytes(hash, image, pcn_perceptron_save(&common.m, image, sizeof image));
}

/* Every kernel meets every policy; the scores of all decisions. */
static uint64_t kernels(uint64_t hash, const group *g, uint32_t n)
{
    enum { SLOTS = 24, CELLS = SLOTS * N };
    static float room[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], value[CELLS];
    static float aux[SLOTS * (SLOTS + 2)], work[PCN_KMODEL_WORK(K, SLOTS, 1)];
    static uint32_t index[CELLS];
    static pcn_slot slot[SLOTS];
    static pcn_log_entry log[2 * ROWS * K];
    const uint32_t policy = n % (g->classes == 2 ? 5 : 4);
    pcn_kernel kernel = n % 3 == 0   ? pcn_kernel_linear()
                        : n % 3 == 1 ? pcn_kernel_poly(n % 4 + 1, 0.3f, 1)
                                     : pcn_kernel_rbf(0.05f);
    pcn_kperceptron m;
    uint32_t i, c;
    int how, learned;
    row r;
    if (pcn_kperceptron_init(&m, kernel, n, g->classes, slot, SLOTS, room, sizeof room) != PCN_OK) return 0;
    if (g->form != DENSE && pcn_kperceptron_use_sparse(&m, value, index, CELLS) != PCN_OK) return 0;
    if (policy == 1) m.admit = pcn_admit_oldest;
    if (policy == 2) m.admit = pcn_admit_random;
    if (policy == 3 && pcn_kperceptron_use_projectron(&m, 0.01f, aux, sizeof aux) != PCN_OK) return 0;
    if (policy == 4 && pcn_kperceptron_use_forgetron(&m, aux, sizeof aux) != PCN_OK) return 0;
    m.seed = n;
    m.learner.bias_input = (float)(n % 2);
    if (!m.admit && pcn_kperceptron_use_log(&m, log, LENGTH(log)) != PCN_OK) return 0;
    for (i = 0; i < ROWS; i++) {
        make_row(&r, g, n);
        learned = pcn_kperceptron_learn_row(&m, r.x, r.y, i % 50);
        hash = hash_word(hash, (uint32_t)(learned + 16));
    }
    hash = hash_bytes(hash, image, pcn_kperceptron_save(&m, image, sizeof image));
    for (how = PCN_DECIDE_LAST; how <= PCN_DECIDE_VOTE; how++) {
        if (pcn_kmodel_scores(&m.model, (enum pcn_decision)how, &r.x, 1, score, work, sizeof work) != PCN_OK) break;
        for (c = 0; c < m.model.scores; c++) hash = hash_float(hash, score[c]);
    }
    return hash;
}

/* ---- Integer models ---- */

typedef struct integer_group {
    const char *name;
    uint32_t classes;
    enum form form;
    int averaged;
} integer_group;

static const integer_group integer_groups[] = {
    {"integers binary", 2, DENSE, 0},
    {"integers binary averaged sparse", 2, SPARSE, 1},
    {"integers classes", 5, DENSE, 0},
    {"integers classes averaged", K, DENSE, 1},
    {"integers classes averaged ones", 3, ONES, 1},
};

typedef struct integer_row {
    int16_t value[N];
    uint32_t index[N];
    pcn_ivec x;
    int y;
} integer_row;

/* From -32768 to 32767, one in four 0. */
static void make_integer_row(integer_row *r, enum form form, uint32_t classes, uint32_t n)
{
    uint32_t i, count = 0;
    for (i = 0; i < n; i++) {
        uint32_t bits = random_bits();
        if (form != DENSE && bits % 2 == 0) continue;
        r->value[count] = (int16_t)(bits >> 28 < 4 ? 0 : (int32_t)(bits >> 4 & 0xffffu) - 32768);
        r->index[count++] = i;
    }
    if (form == DENSE) r->x = pcn_idense(r->value, count);
    if (form == SPARSE) r->x = pcn_isparse(r->index, r->value, count);
    if (form == ONES) r->x = pcn_iones(r->index, count);
    r->y = count != 0 && r->value[0] > 0 && random_bits() % 8 != 0; /* noisy */
    if (classes > 2 && !r->y) r->y = (int)(random_bits() % classes);
}

static uint64_t hash_integer(uint64_t hash, int64_t number)
{
    hash = hash_word(hash, (uint32_t)((uint64_t)number & 0xffffffffu));
    return hash_word(hash, (uint32_t)((uint64_t)number >> 32));
}

static uint64_t whole_scores(uint64_t hash, const pcn_ilinear *m, pcn_ivec x)
{
    static int64_t scores[K];
    uint32_t c;
    pcn_ilinear_scores(m, x, scores);
    if (m->scores == 1 && m->scale) scores[0] *= m->scale[0]; /* so it was when the golden hash was made */
    for (c = 0; c < m->scores; c++) hash = hash_integer(hash, scores[c]);
    return hash_word(hash, m->scores == 1 ? 0 : (uint32_t)pcn_ilinear_predict(m, x));
}

/* Rates up to those whose first step is the last that a weight has room for. */
static uint64_t integers(uint64_t hash, const integer_group *g, uint32_t n)
{
    static int32_t weights[PCN_IPERCEPTRON_NUMBERS(N, K)], view[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static int64_t sums[PCN_IPERCEPTRON_NUMBERS(N, K)];
    pcn_iperceptron m;
    uint32_t i;
    integer_row r;
    if (pcn_iperceptron_init(&m, n, g->classes, weights, sizeof weights) != PCN_OK) return 0;
    if (g->averaged && pcn_iperceptron_use_averaging(&m, sums, sizeof sums) != PCN_OK) return 0;
    m.rate = (int16_t)(n % 3 == 0 ? 32767 : n);
    m.bias_step = (int32_t)(n % 4 * 12345678);
    m.margin = n % 5 == 0 ? (int64_t)1 << 40 : 0;
    for (i = 0; i < ROWS; i++) {
        int learned;
        make_integer_row(&r, g->form, g->classes, n);
        learned = pcn_iperceptron_learn(&m, r.x, r.y);
        hash = hash_word(hash, (uint32_t)(learned + 16));
    }
    hash = hash_bytes(hash, image, pcn_iperceptron_save(&m, image, sizeof image));
    if (g->averaged) {
        pcn_ilinear average;
        if (pcn_iperceptron_final(&m, &average, view, sizeof view) != PCN_OK) return 0;
        hash = hash_bytes(hash, image, pcn_ilinear_save(&average, image, sizeof image));
    }
    return whole_scores(hash, &m.live, r.x);
}

/* A float model in 8 and in 16 bits. */
static uint64_t quantized(uint64_t hash, const group *g, uint32_t n)
{
    static int32_t weights[PCN_ILINEAR_NUMBERS(N, K, 16)];
    pcn_perceptron m;
    pcn_ilinear q;
    uint32_t i, bits;
    integer_row x;
    float one;
    row r;
    if (set_up(&m, g, n) != PCN_OK) return 0;
    for (i = 0; i < ROWS; i++) {
        make_row(&r, g, n);
        pcn_perceptron_learn(&m, r.x, r.y);
    }
    forget_zero(&m);
    make_integer_row(&x, g->form, g->classes, n);
    for (bits = 8; bits <= 16; bits += 8) {
        if (pcn_ilinear_quantize(&q, &m.live, bits, 0.013f, &one, weights, sizeof weights) != PCN_OK) return 0;
        hash = hash_bytes(hash, image, pcn_ilinear_save(&q, image, sizeof image));
        hash = whole_scores(hash, &q, x.x);
        trainer_hash = hash_float(trainer_hash, one);
    }
    return hash;
}

/* ---- Scalers ---- */

/* Columns of all sizes, wild rows and gaps; scaled, folded, and as integers. */
static uint64_t scalers(void)
{
    static float moment[PCN_SCALER_FLOATS(N)], weight[PCN_LINEAR_FLOATS(N, 3)], out[PCN_LINEAR_FLOATS(N, 3)];
    static float x[N], z[N];
    static int16_t whole[N];
    pcn_linear m = {weight, NULL, N, 3, 1, 0, 0}, folded;
    uint64_t hash = empty_hash;
    pcn_scaler s;
    uint32_t i, j;
    int result;
    random_state = 1;
    for (i = 0; i < N * 3; i++) weight[i] = random_float(0);
    if (pcn_scaler_init(&s, N, moment, sizeof moment) != PCN_OK) return 0;
    for (i = 0; i < 10 * ROWS; i++) {
        for (j = 0; j < N; j++) {
            uint32_t bits = (70 + j) << 23; /* sizes from 2^-57 to 2^22, and what is added to them */
            memcpy(&z[j], &bits, sizeof bits);
            x[j] = (random_float(0) + (float)(j % 7)) * z[j];
            if (random_bits() % 99 == 0) x[j] *= 8192; /* no rounding, which x87 would put off */
            bits = 0x7fc00000u;
            if (random_bits() % 9 == 0) memcpy(&x[j], &bits, sizeof bits);
        }
        hash = hash_word(hash, (uint32_t)pcn_scaler_note(&s, x));
        pcn_scaler_scale(&s, x, z);
        pcn_scaler_scale16(&s, x, whole);
        for (j = 0; j < N; j++) hash = hash_word(hash_float(hash, z[j]), (uint32_t)(whole[j] + 32768));
        if (i % ROWS != 7) continue;
        hash = hash_bytes(hash, image, pcn_scaler_save(&s, image, sizeof image));
        result = pcn_scaler_fold(&s, &m, &folded, out, sizeof out);
        hash = hash_word(hash, result < 0 ? (uint32_t)result : pcn_scaler_doubts(&s));
        for (j = 0; j < LENGTH(out); j++) hash = hash_float(hash, out[j]);
    }
    return hash;
}

/* Samples of int16, from a bit to all of them. */
static uint64_t integer_scalers(uint64_t hash)
{
    static float moment[PCN_SCALER_FLOATS(15)];
    pcn_icolumn column[15];
    int16_t sample[15], scaled[15];
    float x[15];
    pcn_scaler s;
    uint32_t i, j;
    if (pcn_scaler_init(&s, 15, moment, sizeof moment) != PCN_OK) return 0;
    for (i = 0; i < 10 * ROWS; i++) {
        for (j = 0; j < 15; j++) {
            sample[j] = (int16_t)((int32_t)(random_bits() & ((2u << j) - 1)) - (int32_t)(j % 3 << 14));
            x[j] = (float)sample[j];
        }
        hash = hash_word(hash, (uint32_t)pcn_scaler_note(&s, x));
        hash = hash_word(hash, (uint32_t)pcn_scaler_integers(&s, column));
        pcn_icolumns_scale(column, 15, sample, scaled);
        for (j = 0; j < 15; j++) hash = hash_word(hash, (uint32_t)(scaled[j] + 32768));
    }
    return hash;
}

/* ---- Calibration ---- */

/* Of scores that favour the label, some of them tiny, wild or alike. */
static uint64_t calibration(uint64_t hash, uint32_t classes)
{
    const uint32_t scores = PCN_SCORES(classes), first = classes == 2; /* of two classes, the second p is hashed */
    float score[K], p[K];
    pcn_calibration c;
    uint32_t i, k;
    pcn_calibration_init(&c);
    for (i = 0; i < 10 * ROWS; i++) {
        const int y = (int)(random_bits() % classes);
        for (k = 0; k < scores; k++)
            score[k] = random_float(i % 16 == 3) + (i % 16 != 3 && k == (uint32_t)y ? 1.0f : 0.0f);
        if (classes == 2 && i % 16 != 3) score[0] -= 0.5f;
        if (i % 64 == 63) score[0] *= 1e6f;
        if (i % 32 == 31) memset(score, 0, sizeof score);
        hash = hash_word(hash, (uint32_t)pcn_probabilities(&c, score, classes, p));
        for (k = 0; k < scores; k++) hash = hash_float(hash, p[first + k]);
        hash = hash_word(hash, (uint32_t)pcn_calibrate(&c, score, classes, p, y));
        if (i % ROWS == 0) hash = hash_bytes(hash, image, pcn_calibration_save(&c, image, sizeof image));
    }
    return hash_bytes(hash, image, pcn_calibration_save(&c, image, sizeof image));
}

static uint64_t calibrations(void)
{
    uint64_t hash = empty_hash;
    uint32_t classes;
    random_state = 1;
    for (classes = 2; classes <= K; classes++) hash = calibration(hash, classes);
    return hash;
}

/* ---- Passes and measures ---- */

static uint64_t passes(void)
{
    uint64_t hash = empty_hash;
    uint32_t rows, where;
    for (rows = 1; rows < 200; rows += rows / 3 + 1) {
        pcn_pass p;
        pcn_pass_init(&p, rows, 3, 0x9e3779b9u * rows);
        p.stop = PCN_STOP_NEVER;
        p.order = (uint8_t)(rows % 2 ? PCN_ORDER_EACH : PCN_ORDER_ONCE);
        while (pcn_pass_next(&p, &where)) hash = hash_word(hash, where);
    }
    return hash;
}

static uint64_t measures(void)
{
    uint64_t hash = empty_hash;
    pcn_measure q;
    uint32_t i;
    pcn_measure_init(&q);
    for (i = 0; i < 1000; i++) {
        float margin = random_float(0);
        pcn_measure_add(&q, &margin, 1, 1, i % 3 != 0, random_float(0));
        hash = hash_float(hash_float(hash, q.loss), q.loss_low);
    }
    q.margin = 0.3f;
    hash = hash_float(hash, pcn_measure_margin(&q));
    return hash_float(hash, pcn_measure_bound(&q, 7));
}

/* One hash for each group of rows, of models with 1 to `most` features: each stride-th number, or with 0 all small
 * ones. name: NULL is the group's. */
static void float_groups(const char *name, size_t step, uint32_t most, uint32_t stride,
                         uint64_t (*run)(uint64_t, const group *, uint32_t))
{
    uint32_t n;
    size_t i;
    for (i = 0; i < LENGTH(groups); i += step) {
        uint64_t hash = empty_hash;
        random_state = 1;
        for (n = 1; n <= most; n += stride ? stride : n < 35 ? 1 : 9) hash = run(hash, &groups[i], n);
        print_group(hash, name ? name : groups[i].name, groups[i].form);
    }
}

static uint64_t winnow_and_kernels(uint64_t hash, const group *g, uint32_t n)
{
    return kernels(winnow(hash, g, n), g, n);
}

int main(void)
{
    uint32_t n;
    size_t i;
    dense_hash = sparse_hash = trainer_hash = empty_hash;
    float_groups(NULL, 1, N, 0, train);
    float_groups("Winnow and kernels", 4, 39, 5, winnow_and_kernels);
    float_groups("quantized", 6, N, 5, quantized);
    float_groups("confidence", 1, N, 0, confidence);
    float_groups("mixing", 1, N, 0, mixing);
    print_group(measures(), "measures", DENSE);
    for (i = 0; i < LENGTH(integer_groups); i++) {
        uint64_t hash = empty_hash;
        random_state = 1;
        for (n = 1; n <= N; n += n < 35 ? 1 : 9) hash = integers(hash, &integer_groups[i], n);
        print_group(hash, integer_groups[i].name, DENSE); /* sums are exact in every form */
    }
    for (i = 0; i < LENGTH(groups); i++)
        for (n = 1; n <= N; n += 9) following(&groups[i], n);
    print(dense_hash, "dense");
    print(sparse_hash, "sparse");
    print(passes(), "passes");
    print(calibrations(), "calibration");
    print(integer_scalers(scalers()), "scaler");
    print(trainer_hash, "answers of trainers");
    return 0;
}
