/* Defects that an earlier version had, so that none comes back: one function each. Images are forged by
 * changing words and repairing the checksum, as no accident would. */
#define _DEFAULT_SOURCE /* mmap */
#define PERCEPTRON_GROW
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "random.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__) && SIZE_MAX > UINT32_MAX
#include <sys/mman.h>
#endif

enum { AT_WEIGHTS = 64, AT_COEF0 = 76, AT_BIAS2 = 80, AT_RECORDS = 104, SLOT = 12, ENTRY = 16 };

static const uint32_t infinity = 0x7f800000u, minus_infinity = 0xff800000u, nan_bits = 0x7fc00000u;
static const uint32_t huge = 0x7f61b1e6u; /* 3e38 */

static uint8_t image[4096], before[4096], after[4096];

/* Address space that takes no memory until it is touched, and reads as zeros; NULL: not to be had. */
static void *reserve(size_t size)
{
#ifdef MAP_NORESERVE
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
#else
    (void)size;
    return NULL;
#endif
}

static void release(void *p, size_t size)
{
#ifdef MAP_NORESERVE
    if (p) munmap(p, size);
#else
    (void)p, (void)size;
#endif
}

static size_t dual_image(const pcn_kperceptron *m, uint8_t *to)
{
    size_t size = pcn_kperceptron_save(m, 0, NULL, 0);
    CHECK(size != 0 && size <= sizeof image && pcn_kperceptron_save(m, 0, to, size) == size);
    return size;
}

static size_t linear_image(const pcn_perceptron *m, uint8_t *to)
{
    size_t size = pcn_perceptron_save(m, 0, NULL, 0);
    CHECK(size != 0 && size <= sizeof image && pcn_perceptron_save(m, 0, to, size) == size);
    return size;
}

/* A kernel image with the checksum repaired is refused by all that read it, and m stays what it is. */
static void dual_refuses(pcn_kperceptron *m, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)exact_copy(bytes, size);
    size_t length = dual_image(m, before);
    pcn_kmodel s;
    pcn_image info;
    put_checksum(copy, size);
    CHECK(pcn_image_read(&info, copy, size) == PCN_EIMAGE);
    CHECK(pcn_kmodel_open(&s, m->model.kernel, copy, size) == PCN_EIMAGE);
    CHECK(pcn_kperceptron_load(m, copy, size) == PCN_EIMAGE);
    CHECK(dual_image(m, after) == length && memcmp(before, after, length) == 0);
    free(copy);
}

static void dual_takes(pcn_kperceptron *m, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)exact_copy(bytes, size);
    pcn_kmodel s;
    put_checksum(copy, size);
    CHECK(pcn_kmodel_open(&s, m->model.kernel, copy, size) == (little_endian() ? PCN_OK : PCN_EALIGN));
    CHECK(pcn_kperceptron_load(m, copy, size) == PCN_OK);
    CHECK(dual_image(m, after) == size && memcmp(copy, after, size) == 0);
    free(copy);
}

/* An example that would be an update is refused, alone and in a block, and nothing changes. */
static void learn_refuses(pcn_kperceptron *m, pcn_vec x, int expected)
{
    const uint32_t id = 1000;
    const int y = 1;
    size_t length = dual_image(m, before);
    float work[64];
    int result = 1;
    CHECK(pcn_kperceptron_learn(m, x, y, id) == expected);
    CHECK(pcn_kperceptron_learn_rows(m, &x, &y, &id, 1, &result, work, sizeof work) == PCN_OK && result == expected);
    CHECK(dual_image(m, after) == length && memcmp(before, after, length) == 0);
}

/* A kernel image with entries but without the part that holds them was believed: they went to a log that
 * was not there, or beyond the end of one that was too short. */
static void log_without_its_part(void)
{
    enum { MANY = 4096 };
    static const float x[4][2] = {{1, 0}, {0, 1}, {-1, -1}, {2, 2}};
    static uint8_t forged[sizeof image + ENTRY * MANY];
    float memory[3][PCN_KPERCEPTRON_FLOATS(2, 1, 4)];
    pcn_slot slot[4];
    pcn_kperceptron m, grown, shrunk; /* grown: without a log; shrunk: it had one */
    pcn_image info;
    uint32_t i, n;
    size_t size;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 2, 1, slot, 4, memory[0], sizeof memory[0]) == PCN_OK);
    CHECK(pcn_kperceptron_init(&grown, pcn_kernel_linear(), 2, 1, NULL, 0, memory[1], sizeof memory[1]) == PCN_OK);
    CHECK(pcn_kperceptron_init(&shrunk, pcn_kernel_linear(), 2, 1, NULL, 0, memory[2], sizeof memory[2]) == PCN_OK);
    grown.admit = shrunk.admit = pcn_admit_grow;
    CHECK(pcn_kperceptron_use_log(&shrunk, NULL, 0) == PCN_OK);
    m.learner.rule.margin = shrunk.learner.rule.margin = 100;
    for (i = 0; i < 4; i++) {
        CHECK(pcn_kperceptron_learn(&m, pcn_dense(x[i], 2), 1, i) == 1);
        CHECK(pcn_kperceptron_learn(&shrunk, pcn_dense(x[i], 2), 1, i) == 1);
    }
    pcn_kperceptron_shrink(&shrunk, 3);
    size = dual_image(&m, image);
    for (n = 1; n <= MANY; n += MANY - 1) {
        memcpy(forged, image, size);
        put_word(forged, AT_ENTRIES, n);
        for (i = 0; i < n; i++) { /* slot 0, class 0, step 1, clock 1 */
            put_word(forged, size - 4 + ENTRY * i, 0);
            put_word(forged, size + ENTRY * i, 0);
            put_word(forged, size + 4 + ENTRY * i, 0x3f800000u);
            put_word(forged, size + 8 + ENTRY * i, 1);
        }
        dual_refuses(&m, forged, size + ENTRY * n);
        dual_refuses(&grown, forged, size + ENTRY * n);
        dual_refuses(&shrunk, forged, size + ENTRY * n);
        put_word(forged, AT_PARTS, PCN_PART_LOG);
        put_checksum(forged, size + ENTRY * n);
        CHECK(pcn_image_read(&info, forged, size + ENTRY * n) == PCN_OK && info.entries == n);
        CHECK(pcn_kperceptron_load(&grown, forged, size + ENTRY * n) == PCN_EMATCH);
    }
    pcn_kperceptron_free(&grown);
    pcn_kperceptron_free(&shrunk);
}

/* Slots in another order, or that overlap, were taken; when the oldest went, the others moved to places
 * before the array. */
static void slots_that_do_not_follow(void)
{
    enum { SLOTS = 4, N = 2 };
    /* clang-format off */
    static const struct {
        uint32_t slot, start, count;
    } forged[] = {{0, 1, 2}, {0, 0, 1}, {0, 0, 3}, {0, 0, 0}, {1, 1, 2}, {1, 1, 3}, {1, 3, 2}, {1, 0, 2}, {1, 0, 4},
                  {3, 6, 1}, {3, 6, 3}, {3, 7, 1}, {3, 8, 2}, {3, UINT32_MAX - 1, 2}, {3, 6, UINT32_MAX - 1}};
    /* clang-format on */
    static const float x[SLOTS][N] = {{1, 0}, {0, 1}, {-1, -1}, {2, 2}};
    static const uint32_t index[N] = {0, 1};
    float memory[PCN_KPERCEPTRON_FLOATS(N, 1, SLOTS)], value[SLOTS * N], work[PCN_KMODEL_WORK(1, SLOTS + 1, 1)], score;
    uint32_t stored[SLOTS * N], i, grow;
    pcn_slot slot[SLOTS];
    pcn_kperceptron m;
    pcn_vec v;
    size_t size;
    int sparse;
    for (sparse = 0; sparse < 2; sparse++) {
        for (grow = 0; grow < 2; grow++) {
            CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), N, 1, grow ? NULL : slot, grow ? 0 : SLOTS, memory,
                                       sizeof memory) == PCN_OK);
            if (sparse)
                CHECK(pcn_kperceptron_use_sparse(&m, grow ? NULL : value, grow ? NULL : stored, grow ? 0 : SLOTS * N) ==
                      PCN_OK);
            m.admit = grow ? pcn_admit_grow : pcn_admit_oldest;
            m.learner.rule.margin = 1e6f;
            for (i = 0; i < SLOTS; i++) CHECK(pcn_kperceptron_learn(&m, pcn_sparse(index, x[i], N), 1, i) == 1);
            size = dual_image(&m, image);
            for (i = 0; i < LENGTH(forged); i++) {
                uint8_t *copy = (uint8_t *)exact_copy(image, size);
                size_t at = AT_RECORDS + SLOT * (size_t)forged[i].slot;
                put_word(copy, at, forged[i].start);
                put_word(copy, at + 4, forged[i].count);
                dual_refuses(&m, copy, size);
                put_word(copy, AT_FEATURES, UINT32_MAX); /* so that no count is too large */
                put_checksum(copy, size);
                CHECK(pcn_kperceptron_load(&m, copy, size) == PCN_EIMAGE);
                free(copy);
            }
            memcpy(before, image, size);
            for (i = 0; i < SLOTS; i++) put_word(before, AT_RECORDS + SLOT * i, N * (SLOTS - 1 - i)); /* backwards */
            dual_refuses(&m, before, size);
            dual_takes(&m, image, size);
            CHECK(pcn_kperceptron_learn(&m, pcn_dense(x[0], N), 1, 9) == 1);
            v = pcn_dense(x[3], N);
            CHECK(pcn_kmodel_scores(&m.model, PCN_DECIDE_LAST, &v, 1, &score, work, sizeof work) == PCN_OK);
            CHECK(score == (grow ? 10.0f : 8.0f)); /* the first vector has gone, or not */
            for (i = 0; i < m.model.slots; i++) CHECK(m.own.slot[i].start == N * i && m.own.slot[i].count == N);
            pcn_kperceptron_free(&m);
        }
    }
}

/* An RBF with gamma < 0, or none, took the exponential of numbers that it is not made for. */
static void rbf_without_width(void)
{
    static const float x[2][2] = {{1, 2}, {3, 4}};
    const uint32_t bad[] = {0xbf800000u, 0x80000001u, 0x80800000u, 0xff7fffffu, nan_bits, infinity, minus_infinity};
    float memory[PCN_KPERCEPTRON_FLOATS(2, 1, 2)];
    pcn_slot slot[2];
    pcn_kperceptron m;
    size_t size, i;
    for (i = 0; i < LENGTH(bad); i++)
        CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(from_bits(bad[i])), 2, 1, slot, 2, memory, sizeof memory) ==
              PCN_EOPTION);
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(0), 2, 1, slot, 2, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_poly(2, -1, 0), 2, 1, slot, 2, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(0.5f), 2, 1, slot, 2, memory, sizeof memory) == PCN_OK);
    for (i = 0; i < 2; i++) CHECK(pcn_kperceptron_learn(&m, pcn_dense(x[i], 2), (int)i, PCN_NO_ID) == 1);
    size = dual_image(&m, image);
    for (i = 0; i < LENGTH(bad); i++) {
        put_word(image, AT_GAMMA, bad[i]);
        dual_refuses(&m, image, size);
        m.model.kernel.gamma = from_bits(bad[i]);
        CHECK(pcn_kperceptron_save(&m, 0, NULL, 0) == 0 && pcn_kmodel_save(&m.model, 0, NULL, 0) == 0);
        m.model.kernel.gamma = 0.5f;
    }
    put_word(image, AT_GAMMA, 0);
    dual_takes(&m, image, size);
}

/* The work of scores counted the features, and was next to nothing on 32 bits when these were 2^30. */
static void very_many_features(void)
{
    enum { FEATURES = 0x40000001, SLOTS = 4, ALL = PCN_KMODEL_WORK(1, SLOTS, SLOTS) };
    static const uint32_t index[SLOTS][2] = {{5, 0x40000000}, {0x3000000, 0x3fffffff}, {0, 0x40000000}, {7, 8}};
    static const float value[SLOTS][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, one[2] = {1, 10};
    static const float expected[SLOTS] = {1 + 20 + 60, 3 + 40, 20 + 5 + 60, 7 + 80};
    float memory[PCN_KPERCEPTRON_FLOATS(0, 1, SLOTS)], values[2 * SLOTS], score[SLOTS], work[ALL];
    uint32_t indices[2 * SLOTS], i;
    pcn_slot slot[SLOTS];
    pcn_vec x[SLOTS];
    pcn_kperceptron m;
    pcn_kmodel s;
    void *copy;
    size_t size;
    CHECK(ALL == SLOTS * SLOTS + 2);
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), FEATURES, 1, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&m, values, indices, LENGTH(values)) == PCN_OK);
    m.learner.rule.margin = 1000;
    for (i = 0; i < SLOTS; i++) {
        CHECK(pcn_kperceptron_learn(&m, pcn_sparse(index[i], value[i], 2), 1, i) == 1);
        x[i] = pcn_sparse(index[i], one, 2);
    }
    size = dual_image(&m, image);
    dual_takes(&m, image, size);
    copy = exact_copy(image, size);
    s = m.model;
    if (little_endian()) CHECK(pcn_kmodel_open(&s, pcn_kernel_linear(), copy, size) == PCN_OK);
    CHECK(s.features == FEATURES);
    CHECK(pcn_kmodel_scores(&s, PCN_DECIDE_LAST, x, SLOTS, score, work, sizeof work) == PCN_OK);
    CHECK(memcmp(score, expected, sizeof score) == 0);
    for (i = 0; i < SLOTS; i++) {
        CHECK(pcn_kmodel_scores(&s, PCN_DECIDE_LAST, &x[i], 1, score, work,
                                PCN_KMODEL_WORK(1, SLOTS, 1) * sizeof *work) == PCN_OK);
        CHECK(score[0] == expected[i]);
    }
    CHECK(pcn_kmodel_scores(&s, PCN_DECIDE_LAST, x, SLOTS, score, work, sizeof work - 1) == PCN_EMEMORY);
    CHECK(pcn_kmodel_scores(&s, PCN_DECIDE_LAST, x, 0x40000000, score, work, 8) == PCN_EMEMORY); /* 2^32 + 2 */
    free(copy);
}

/* Averaging of integers counted the place of a bias in 32 bits, and moved the first weights instead. */
static void far_integer_bias(void)
{
    enum { FEATURES = 1 << 30, CLASSES = 4, PLACE = 5 };
    static const uint32_t index[1] = {PLACE};
    static const int16_t value[1] = {3};
    static const int expected[CLASSES] = {-1, 0, 1, 0};
    const size_t n = PCN_IPERCEPTRON_NUMBERS(FEATURES, CLASSES), biases = n - CLASSES;
    int32_t small[PCN_IPERCEPTRON_NUMBERS(1, CLASSES)], *weight = (int32_t *)reserve(n * sizeof *weight);
    int64_t sums[PCN_IPERCEPTRON_NUMBERS(1, CLASSES)], *sum = (int64_t *)reserve(n * sizeof *sum);
    pcn_iperceptron m;
    uint32_t k;
    if (weight && sum) {
        CHECK(pcn_iperceptron_init(&m, 1, CLASSES, small, sizeof small) == PCN_OK);
        CHECK(pcn_iperceptron_use_averaging(&m, sums, sizeof sums) == PCN_OK);
        m.live.weight = weight; /* what init does, but for the zeros */
        m.own.sum = sum;
        m.live.bias = weight + biases;
        m.live.features = FEATURES;
        CHECK(pcn_iperceptron_learn(&m, pcn_isparse(index, value, 1), 2) == 1);
        for (k = 0; k < CLASSES; k++) {
            size_t at = (size_t)k * FEATURES;
            CHECK(m.live.bias[k] == expected[k] && sum[biases + k] == expected[k]);
            CHECK(weight[at + PLACE] == 3 * expected[k] && sum[at + PLACE] == 3 * expected[k]);
            CHECK(weight[k] == 0 && sum[k] == 0);
        }
    } else {
        test_skipped++;
    }
    release(weight, n * sizeof *weight);
    release(sum, n * sizeof *sum);
}

/* A trainer that grows, and has learned nothing yet, said in its image that it stores dense vectors and has
 * no log, and then refused it. */
static void nothing_learned_yet(void)
{
    enum { SPARSE = 1, LOGGED = 2, N = 3, ROWS = 20 };
    static const uint32_t index[N] = {0, 1, 2};
    float memory[2][PCN_KPERCEPTRON_FLOATS(N, 1, 0)];
    pcn_kperceptron m[2];
    pcn_image info;
    size_t size;
    int how, i, j, r;
    for (how = 0; how < 4; how++) {
        for (i = 0; i < 2; i++) {
            CHECK(pcn_kperceptron_init(&m[i], pcn_kernel_linear(), N, 1, NULL, 0, memory[i], sizeof memory[i]) ==
                  PCN_OK);
            m[i].admit = pcn_admit_grow;
            if (how & SPARSE) CHECK(pcn_kperceptron_use_sparse(&m[i], NULL, NULL, 0) == PCN_OK);
            if (how & LOGGED) CHECK(pcn_kperceptron_use_log(&m[i], NULL, 0) == PCN_OK);
        }
        size = dual_image(&m[0], image);
        CHECK(pcn_image_read(&info, image, size) == PCN_OK && info.slots == 0);
        CHECK(info.parts == (how & SPARSE ? PCN_PART_SPARSE : 0u) + (how & LOGGED ? PCN_PART_LOG : 0u));
        dual_takes(&m[0], image, size); /* its own, and twice */
        dual_takes(&m[0], image, size);
        for (r = 0; r < ROWS; r++) {
            float x[N];
            for (j = 0; j < N; j++) x[j] = (float)(random_bits() >> 28) - 7.5f;
            CHECK(pcn_kperceptron_learn(&m[0], pcn_sparse(index, x, N), x[0] > x[1], PCN_NO_ID) ==
                  pcn_kperceptron_learn(&m[1], pcn_sparse(index, x, N), x[0] > x[1], PCN_NO_ID));
        }
        size = dual_image(&m[0], image);
        CHECK(m[0].model.slots > 0 && (m[0].model.entries > 0) == ((how & LOGGED) != 0));
        CHECK(dual_image(&m[1], after) == size && memcmp(image, after, size) == 0);
        dual_takes(&m[1], image, size);
        for (i = 0; i < 2; i++) pcn_kperceptron_free(&m[i]);
    }
}

/* A borrowed row of another form than the arrays, or not within them, was stored by its place all the same, and
 * read beyond their ends later. */
static void borrowed_rows_of_another_form(void)
{
    enum { N = 4, CELLS = 12, BEFORE = 8, BEHIND = 8, FEATURES = N + BEHIND };
    static const int outside[][2] = {{-1, 1}, {-N, N}, {CELLS - 1, 2}, {CELLS, 1}, {CELLS, N}}; /* from, count */
    float memory[PCN_KPERCEPTRON_FLOATS(0, 1, 2)], all[BEFORE + CELLS + BEHIND], *rows = all + BEFORE, score;
    float other[N] = {1, 2, 3, 4}, work[PCN_KMODEL_WORK(1, 2, 1)];
    uint32_t indices[BEFORE + CELLS + BEHIND], *index = indices + BEFORE, i, j;
    uint32_t elsewhere[N] = {0, 1, 2, 3};
    pcn_slot slot[2];
    pcn_kperceptron m;
    pcn_vec query = pcn_dense(other, N);
    int sparse;
    for (i = 0; i < LENGTH(all); i++) {
        all[i] = (float)(i + 1);
        indices[i] = i < BEFORE + CELLS ? i % N : i - BEFORE - CELLS + N; /* behind the end it goes on rising */
    }
    for (sparse = 0; sparse < 2; sparse++) {
        CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), FEATURES, 1, slot, 2, memory, sizeof memory) == PCN_OK);
        CHECK(pcn_kperceptron_use_rows(&m, rows, sparse ? index : NULL, CELLS) == PCN_OK);
        m.learner.rule.margin = 1e9f;
        for (i = 0; i < 2; i++) { /* nothing stored yet, or one row */
            learn_refuses(&m, pcn_sparse(sparse ? NULL : index, rows, N), PCN_EMEMORY); /* the other form */
            learn_refuses(&m, pcn_sparse(sparse ? NULL : index + 2, rows + 2, 2), PCN_EMEMORY);
            learn_refuses(&m, pcn_sparse(sparse ? NULL : elsewhere, rows + 4, N), PCN_EMEMORY);
            for (j = 0; j < LENGTH(outside); j++) {
                int from = outside[j][0];
                learn_refuses(&m, pcn_sparse(sparse ? index + from : NULL, rows + from, (uint32_t)outside[j][1]),
                              PCN_EMEMORY);
            }
            learn_refuses(&m, pcn_sparse(sparse ? index : NULL, other, N), PCN_EMEMORY); /* somewhere else */
            learn_refuses(&m, pcn_ones(index, N), PCN_EMEMORY);
            if (sparse) learn_refuses(&m, pcn_sparse(elsewhere, rows, N), PCN_EMEMORY);
            if (sparse) learn_refuses(&m, pcn_sparse(index + N, rows, N), PCN_EMEMORY); /* of another row */
            j = 2 * N * i;
            CHECK(pcn_kperceptron_learn(&m, pcn_sparse(sparse ? index + j : NULL, rows + j, N), 1, i) == 1);
        }
        CHECK(pcn_kmodel_scores(&m.model, PCN_DECIDE_LAST, &query, 1, &score, work, sizeof work) == PCN_OK);
        CHECK(score == 1 * (9 + 17) + 2 * (10 + 18) + 3 * (11 + 19) + 4 * (12 + 20));
    }
}

/* A projectron that has stored nothing, and has no room for the first vector, counted it as an update. */
static void projectron_without_room(void)
{
    static const float x[4] = {1, 2, 3, 4};
    static const uint32_t index[1] = {1};
    float memory[PCN_KPERCEPTRON_FLOATS(0, 1, 2)], value[2], aux[2 * (2 + 2)];
    uint32_t stored[2], i;
    pcn_slot slot[2];
    pcn_kperceptron m;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 4, 1, slot, 2, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&m, value, stored, 2) == PCN_OK);
    CHECK(pcn_kperceptron_use_projectron(&m, 0, aux, sizeof aux) == PCN_OK);
    for (i = 0; i < 3; i++) learn_refuses(&m, pcn_dense(x, 4), PCN_EFULL);
    CHECK(m.learner.count.rows == 0 && m.learner.count.updates == 0 && m.learner.count.mistakes == 0);
    CHECK(m.model.slots == 0 && m.model.clock == 0);
    CHECK(pcn_kperceptron_learn(&m, pcn_sparse(index, x, 1), 1, PCN_NO_ID) == 1 && m.model.slots == 1);
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(x, 4), 0, PCN_NO_ID) == 1); /* now there is something to project it on */
    CHECK(m.model.slots == 1 && m.own.coef[0] == 1 - 2 && m.learner.count.updates == 2);
}

/* The Forgetron took the number of updates from the counts, which are the caller's to clear: then
 * coefficients grew. */
static void forgetron_with_cleared_counts(void)
{
    enum { SLOTS = 4, ROWS = 400, KEPT = 0, CLEARED, LOADED, TRAINERS };
    static const pcn_count none = {0, 0, 0};
    float memory[TRAINERS][PCN_KPERCEPTRON_FLOATS(2, 1, SLOTS)], aux[TRAINERS][SLOTS], x[2];
    pcn_slot slot[TRAINERS][SLOTS];
    pcn_kperceptron m[TRAINERS];
    uint32_t t, i, s, trainers = LOADED;
    size_t size;
    int y, result;
    for (t = 0; t < TRAINERS; t++) {
        CHECK(pcn_kperceptron_init(&m[t], pcn_kernel_rbf(1), 2, 1, slot[t], SLOTS, memory[t], sizeof memory[t]) ==
              PCN_OK);
        CHECK(pcn_kperceptron_use_forgetron(&m[t], aux[t], sizeof aux[t]) == PCN_OK);
    }
    for (i = 0; i < ROWS; i++) {
        if (i % 50 == 49) m[CLEARED].learner.count = none;
        if (i == ROWS / 2) {
            size = dual_image(&m[CLEARED], image);
            CHECK(pcn_kperceptron_load(&m[LOADED], image, size) == PCN_OK);
            CHECK(m[LOADED].learner.count.updates < m[KEPT].learner.count.updates);
            CHECK(dual_image(&m[LOADED], after) == size && memcmp(image, after, size) == 0);
            trainers = TRAINERS;
        }
        x[0] = (float)(random_bits() >> 25) / 32;
        x[1] = (float)(random_bits() >> 25) / 32;
        y = (int)(random_bits() >> 31);
        result = pcn_kperceptron_learn(&m[KEPT], pcn_dense(x, 2), y, PCN_NO_ID);
        for (t = CLEARED; t < trainers; t++) {
            CHECK(pcn_kperceptron_learn(&m[t], pcn_dense(x, 2), y, PCN_NO_ID) == result);
            CHECK(m[t].model.slots == m[KEPT].model.slots);
            CHECK(memcmp(m[t].own.coef, m[KEPT].own.coef, m[t].model.slots * sizeof *m[t].own.coef) == 0);
            CHECK(memcmp(&m[t].own.slack, &m[KEPT].own.slack, 4) == 0);
        }
        for (s = 0; s < m[KEPT].model.slots; s++) CHECK(m[KEPT].own.coef[s] >= -1 && m[KEPT].own.coef[s] <= 1);
    }
    CHECK(m[KEPT].own.removals > 50);
}

enum { N = 3, K = 3, AVERAGING = PCN_PART_SUMS, BATCHING = PCN_PART_BATCH, WINNOW = 8 };

#include "linear.h"

/* The same example for the same i. */
static int linear_learn(trainer *t, uint32_t i)
{
    float x[N];
    uint32_t j;
    random_state = 1000 + i;
    for (j = 0; j < 8; j++) (void)random_bits();
    for (j = 0; j < N; j++) x[j] = (float)(random_bits() >> 24) / 256;
    j = random_bits() >> 16;
    return pcn_perceptron_learn(&t->m, pcn_dense(x, N), (int)(j % (t->m.live.classes == 1 ? 2 : t->m.live.classes)));
}

static void linear_refuses(pcn_perceptron *m, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)exact_copy(bytes, size);
    size_t length = linear_image(m, before);
    pcn_linear l;
    put_checksum(copy, size);
    CHECK(pcn_linear_open(&l, copy, size) == PCN_EIMAGE);
    CHECK(pcn_perceptron_load(m, copy, size) == PCN_EIMAGE);
    CHECK(linear_image(m, after) == length && memcmp(before, after, length) == 0);
    free(copy);
}

static void linear_takes(pcn_perceptron *m, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)exact_copy(bytes, size);
    put_checksum(copy, size);
    CHECK(pcn_perceptron_load(m, copy, size) == PCN_OK);
    CHECK(linear_image(m, after) == size && memcmp(copy, after, size) == 0);
    free(copy);
}

/* A number that learning cannot produce, in each of n words of an image from `at` on, and in the array f that is
 * saved there: the image is refused, and save returns 0 if it is asked for the length or the end. end: the
 * least size that is refused. */
static void check_linear_numbers(pcn_perceptron *m, float *f, size_t n, size_t at, uint32_t end)
{
    const uint32_t bad[] = {end, end | 0x80000000u, huge, infinity, minus_infinity, nan_bits};
    size_t size = linear_image(m, image), i, k;
    for (i = 0; i < n; i++) {
        const float good = f[i];
        for (k = 0; k < LENGTH(bad); k++) {
            linear_takes(m, image, size);
            put_word(image, at + 4 * i, bad[k]);
            linear_refuses(m, image, size);
            f[i] = from_bits(bad[k]);
            CHECK(pcn_perceptron_save(m, 0, NULL, 0) == 0 && pcn_perceptron_save(m, 0, after, size) == 0);
            CHECK(pcn_perceptron_save(m, size - 1, after, 1) == 0 && pcn_perceptron_save(m, 8, after, size) == 0);
            f[i] = good;
            CHECK(linear_image(m, image) == size);
        }
        put_word(image, at + 4 * i, end - 1);
        linear_takes(m, image, size);
        f[i] = good;
        CHECK(linear_image(m, image) == size);
    }
}

/* The same for a kernel model. */
static void check_dual_numbers(pcn_kperceptron *m, float *f, size_t n, size_t at, uint32_t end)
{
    const uint32_t bad[] = {end, end | 0x80000000u, infinity, minus_infinity, nan_bits};
    size_t size = dual_image(m, image), i, k;
    for (i = 0; i < n; i++) {
        const float good = f[i];
        for (k = 0; k < LENGTH(bad); k++) {
            put_word(image, at + 4 * i, bad[k]);
            dual_refuses(m, image, size);
            f[i] = from_bits(bad[k]);
            CHECK(pcn_kperceptron_save(m, 0, NULL, 0) == 0 && pcn_kperceptron_save(m, size - 4, after, 4) == 0);
            f[i] = good;
            CHECK(dual_image(m, image) == size);
            dual_takes(m, image, size);
        }
    }
}

/* The clock of a linear trainer: 2^36 rows at most while it averages. */
static void check_clock(trainer *t)
{
    static const uint64_t most = (uint64_t)1 << 36;
    const uint64_t bad[] = {most + 1, ((uint64_t)1 << 44) - 1, (uint64_t)1 << 44, UINT64_MAX};
    size_t size, length, i;
    float mean[PCN_LINEAR_FLOATS(N, 1)], weight[PCN_LINEAR_FLOATS(N, 1)];
    pcn_linear model;
    trainer plain;
    trainer_init(t, N, 1, AVERAGING, 0);
    t->m.learner.rule.rate = 0.25f;
    for (i = 0; i < 9; i++) (void)linear_learn(t, (uint32_t)i);
    size = linear_image(&t->m, image);
    for (i = 0; i < LENGTH(bad); i++) {
        put_word(image, AT_CLOCK, (uint32_t)bad[i]);
        put_word(image, AT_CLOCK + 4, (uint32_t)(bad[i] >> 32));
        linear_refuses(&t->m, image, size);
        t->m.learner.clock = bad[i];
        CHECK(pcn_perceptron_save(&t->m, 0, NULL, 0) == 0);
        t->m.learner.clock = 9;
    }
    put_word(image, AT_CLOCK, UINT32_MAX);
    put_word(image, AT_CLOCK + 4, 15); /* 2^36 - 1 */
    linear_takes(&t->m, image, size);
    memcpy(weight, t->m.live.weight, sizeof weight);
    CHECK(linear_learn(t, 1000) >= 0 && t->m.learner.clock == most);
    CHECK(pcn_perceptron_final(&t->m, &model, mean, sizeof mean) == PCN_OK);
    for (i = 0; i < LENGTH(mean); i++) /* what the weights were, but for ten rows of 2^36 */
        CHECK(mean[i] - weight[i] <= 1e-6f && weight[i] - mean[i] <= 1e-6f);
    length = linear_image(&t->m, before);
    for (i = 0; i < 5; i++) CHECK(linear_learn(t, (uint32_t)i) == PCN_EFULL);
    CHECK(linear_image(&t->m, after) == length && memcmp(before, after, length) == 0);
    linear_takes(&t->m, before, length);

    trainer_init(&plain, N, 1, 0, 0); /* without sums any clock will do */
    plain.m.learner.clock = bad[2];
    length = linear_image(&plain.m, image);
    linear_takes(&plain.m, image, length);
    CHECK(linear_learn(&plain, 1) >= 0 && plain.m.learner.clock == bad[2] + 1);
}

/* A Forgetron with coefficients near the limit: what it saves can be loaded, or it does not save. */
static void check_forgetron_numbers(void)
{
    float memory[PCN_KPERCEPTRON_FLOATS(2, 1, 2)], aux[2], x[2] = {0, 0};
    pcn_slot slot[2];
    pcn_kperceptron m;
    size_t size;
    int i, k, result;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(1), 2, 1, slot, 2, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_use_forgetron(&m, aux, sizeof aux) == PCN_OK);
    m.learner.rule.rate = 1.7e16f; /* below 2^54 */
    m.learner.rule.margin = 1e30f;
    for (i = 0; i < 6; i++) {
        x[0] = (float)i / 128;
        size = dual_image(&m, image);
        result = pcn_kperceptron_learn(&m, pcn_dense(x, 2), 1, PCN_NO_ID);
        if (result < 0) CHECK(dual_image(&m, after) == size && memcmp(image, after, size) == 0);
        for (k = 0; k < (int)m.model.slots; k++) CHECK(m.own.coef[k] >= 0 && m.own.coef[k] <= m.learner.rule.rate);
        size = pcn_kperceptron_save(&m, 0, NULL, 0);
        if (size == 0) continue;
        CHECK(pcn_kperceptron_save(&m, 0, image, sizeof image) == size &&
              pcn_kperceptron_load(&m, image, size) == PCN_OK);
    }

    /* A coefficient whose square is infinite cannot be forgotten by the rule. */
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(1), 2, 1, slot, 2, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_use_forgetron(&m, aux, sizeof aux) == PCN_OK);
    m.learner.rule.rate = 1.7e16f;
    m.learner.rule.margin = 1e30f;
    for (i = 0; i <= 1200; i++) {
        x[0] = (float)(i == 1200);
        CHECK(pcn_kperceptron_learn(&m, pcn_dense(x, 2), 1, (uint32_t)(i == 1200)) == 1);
    }
    size = dual_image(&m, image);
    x[0] = 2;
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(x, 2), 1, PCN_NO_ID) == PCN_EVALUE);
    CHECK(dual_image(&m, after) == size && memcmp(image, after, size) == 0);
}

/* Clocks near 2^44 and numbers that are none, or too large for learning to go on, were loaded and saved: the
 * means became NaN. */
static void numbers_out_of_reach(void)
{
    enum { BIASED = N + 1, SLOTS = 3, FAR = 0x67800000 /* 2^80 */, FARTHER = 0x6a000000 /* 2^81 2^4: 10 rows */ };
    static const float x[SLOTS][2] = {{1, 0}, {0, 1}, {-1, 2}};
    static trainer t;
    float memory[PCN_KPERCEPTRON_FLOATS(2, 1, SLOTS)];
    int32_t weight[PCN_IPERCEPTRON_NUMBERS(2, 1)];
    pcn_log_entry log[2 * SLOTS];
    pcn_slot slot[SLOTS];
    pcn_iperceptron im;
    pcn_ilinear q;
    pcn_kperceptron m;
    size_t size, length, value, i;
    trainer_init(&t, N, 1, PCN_PART_EXPONENTS | AVERAGING | BATCHING, 1);
    t.m.learner.rule.rate = 0.25f;
    for (i = 0; i < 10; i++) {
        (void)linear_learn(&t, (uint32_t)i);
        if (i == 5) CHECK(pcn_perceptron_apply_batch(&t.m, 1) == 1);
    }
    check_linear_numbers(&t.m, t.memory, BIASED, AT_WEIGHTS, FAR);
    check_linear_numbers(&t.m, t.sum, 2 * BIASED, AT_WEIGHTS + 4 * BIASED, FARTHER);
    check_linear_numbers(&t.m, t.batch, BIASED, AT_WEIGHTS + 12 * BIASED, FAR);
    check_linear_numbers(&t.m, t.state, BIASED, AT_WEIGHTS + 16 * BIASED, 0x49800001u /* behind 2^20 */);
    check_clock(&t);

    CHECK(pcn_kperceptron_init(&m, pcn_kernel_poly(2, 1, 1), 2, 1, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_use_log(&m, log, LENGTH(log)) == PCN_OK);
    m.learner.bias_input = 2;
    m.learner.rule.margin = 100;
    for (i = 0; i < SLOTS; i++) CHECK(pcn_kperceptron_learn(&m, pcn_dense(x[i], 2), 1, PCN_NO_ID) == 1);
    value = AT_RECORDS + (SLOT + 8) * SLOTS;
    check_dual_numbers(&m, &m.model.kernel.gamma, 1, AT_GAMMA, infinity);
    check_dual_numbers(&m, &m.model.kernel.coef0, 1, AT_COEF0, infinity);
    check_dual_numbers(&m, &m.model.bias2, 1, AT_BIAS2, infinity);
    check_dual_numbers(&m, &m.own.slack, 1, AT_SLACK, 0x44800001u /* behind 1,024 */);
    check_dual_numbers(&m, m.own.norm2, SLOTS, AT_RECORDS + SLOT * SLOTS, infinity);
    check_dual_numbers(&m, m.own.coef, SLOTS, AT_RECORDS + (SLOT + 4) * SLOTS, FAR);
    check_dual_numbers(&m, m.own.value, 2 * SLOTS, value, infinity);
    for (i = 0; i < SLOTS; i++) check_dual_numbers(&m, &log[i].step, 1, value + 8 * SLOTS + ENTRY * i + 8, FAR);
    size = dual_image(&m, image);
    put_word(image, AT_CLOCK, UINT32_MAX);
    dual_refuses(&m, image, size);
    put_word(image, AT_CLOCK + 4, 1);
    dual_refuses(&m, image, size);
    put_word(image, AT_CLOCK, UINT32_MAX - 2);
    put_word(image, AT_CLOCK + 4, 0);
    dual_takes(&m, image, size);
    m.learner.rule.margin = 0;
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(x[0], 2), 1, PCN_NO_ID) == 0 && m.model.clock == UINT32_MAX - 1);
    learn_refuses(&m, pcn_dense(x[0], 2), PCN_EFULL);
    put_word(image, AT_CLOCK, UINT32_MAX - 1);
    dual_takes(&m, image, size);
    learn_refuses(&m, pcn_dense(x[0], 2), PCN_EFULL);
    m.model.clock = UINT32_MAX;
    CHECK(pcn_kperceptron_save(&m, 0, NULL, 0) == 0 && pcn_kmodel_save(&m.model, 0, NULL, 0) == 0);
    check_forgetron_numbers();

    CHECK(pcn_iperceptron_init(&im, 2, 1, weight, sizeof weight) == PCN_OK);
    for (i = 0; i < LENGTH(weight); i++) {
        int32_t sign = i == 1 ? -1 : 1;
        weight[i] = sign * PCN_IMAX;
        length = pcn_iperceptron_save(&im, 0, image, sizeof image);
        CHECK(length != 0 && pcn_iperceptron_load(&im, image, length) == PCN_OK && weight[i] == sign * PCN_IMAX);
        weight[i] += sign;
        CHECK(pcn_iperceptron_save(&im, 0, NULL, 0) == 0 && pcn_ilinear_save(&im.live, 0, NULL, 0) == 0);
        weight[i] = 0;
        put_word(image, AT_WEIGHTS + 4 * i, i == 1 ? 0xbfffffffu : 0x40000001u);
        put_checksum(image, length);
        CHECK(pcn_iperceptron_load(&im, image, length) == PCN_EIMAGE && weight[i] == 0);
        CHECK(pcn_ilinear_open(&q, image, length) == PCN_EIMAGE);
    }
}

/* A row that does not ascend was learned, and then no image could hold it. */
static void rows_that_do_not_ascend(void)
{
    enum { FEATURES = 6, SLOTS = 3, CELLS = 16, DENSE = 0, SPARSE, BORROWED, GROWING, STORES };
    static const uint32_t bad[][4] = {{2, 1, 3, 4}, {1, 1, 2, 3}, {0, 2, 1, 5}, {0, 1, 3, 3}, {5, 4, 3, 2}};
    float memory[PCN_KPERCEPTRON_FLOATS(FEATURES, 1, SLOTS)], value[CELLS], rows[CELLS];
    uint32_t stored[CELLS], index[CELLS] = {0, 2, 4, 5}, i, j, store;
    pcn_slot slot[SLOTS];
    pcn_kperceptron m;
    for (i = 0; i < CELLS; i++) rows[i] = (float)(i + 1);
    for (store = 0; store < STORES; store++) {
        int grows = store == GROWING;
        CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), FEATURES, 1, grows ? NULL : slot, grows ? 0 : SLOTS, memory,
                                   sizeof memory) == PCN_OK);
        if (store == SPARSE) CHECK(pcn_kperceptron_use_sparse(&m, value, stored, CELLS) == PCN_OK);
        if (store == BORROWED) CHECK(pcn_kperceptron_use_rows(&m, rows, index, CELLS) == PCN_OK);
        if (grows) CHECK(pcn_kperceptron_use_sparse(&m, NULL, NULL, 0) == PCN_OK);
        m.admit = grows ? pcn_admit_grow : pcn_admit_oldest;
        m.learner.rule.margin = 1e6f;
        for (j = 0; j < 2; j++) {
            for (i = 0; i < LENGTH(bad); i++) {
                memcpy(index + 8, bad[i], sizeof bad[i]);
                learn_refuses(&m, pcn_sparse(index + 8, rows + 8, 4), PCN_EINDEX);
                if (store != BORROWED) learn_refuses(&m, pcn_ones(index + 8, 4), PCN_EINDEX);
            }
            CHECK(pcn_kperceptron_learn(&m, pcn_sparse(index, rows, 4), 1, j) == 1);
        }
        if (store != BORROWED) dual_takes(&m, image, dual_image(&m, image));
        pcn_kperceptron_free(&m);
    }
}

/* Averaging and then Winnow was refused. Now the order of the options makes no difference: the same weights, the
 * same means and the same images; and the means are those of the weights after each example. */
static void options_in_every_order(void)
{
    enum { ROWS = 60, PERIOD = 5 };
    static const int orders[6][3] = {{AVERAGING, BATCHING, WINNOW}, {AVERAGING, WINNOW, BATCHING},
                                     {BATCHING, AVERAGING, WINNOW}, {BATCHING, WINNOW, AVERAGING},
                                     {WINNOW, AVERAGING, BATCHING}, {WINNOW, BATCHING, AVERAGING}};
    static trainer t;
    static uint8_t first[sizeof image];
    float mean[PCN_LINEAR_FLOATS(N, K)], first_mean[PCN_LINEAR_FLOATS(N, K)], first_weight[PCN_LINEAR_FLOATS(N, K)];
    double total[PCN_LINEAR_FLOATS(N, K)];
    size_t size, length = 0, n, bytes, j;
    uint32_t classes, i;
    pcn_linear model;
    int options, order, by_feature, k;
    for (classes = 1; classes <= K; classes += 2) {
        n = PCN_LINEAR_FLOATS(N, classes);
        bytes = n * sizeof(float);
        for (by_feature = 0; by_feature < 2; by_feature++)
            for (options = 2; options <= AVERAGING + BATCHING + WINNOW; options += 2)
                for (order = 0; order < 6; order++) {
                    trainer_init(&t, N, classes, by_feature ? PCN_PART_FEATURE_MAJOR : 0, 0);
                    t.m.learner.rule.rate = 0.25f;
                    for (k = 0; k < 3; k++) {
                        const int option = options & orders[order][k];
                        if (option == AVERAGING) CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, 2 * bytes) == PCN_OK);
                        if (option == BATCHING) CHECK(pcn_perceptron_use_batch(&t.m, t.batch, bytes) == PCN_OK);
                        if (option == WINNOW) CHECK(pcn_perceptron_use_winnow(&t.m, 1, 0, t.state, bytes) == PCN_OK);
                    }
                    CHECK(pcn_perceptron_use_feature_major(&t.m) == PCN_EOPTION);
                    for (j = 0; j < n; j++) total[j] = (double)t.m.live.weight[j];
                    for (i = 0; i < ROWS; i++) {
                        CHECK(linear_learn(&t, i) >= 0);
                        if (options & BATCHING && i % PERIOD == PERIOD - 1)
                            CHECK(pcn_perceptron_apply_batch(&t.m, 0.5f) >= 0);
                        for (j = 0; j < n; j++) total[j] += (double)t.m.live.weight[j];
                    }
                    CHECK(t.m.learner.count.updates > 5 && t.m.learner.clock == ROWS);
                    CHECK(pcn_perceptron_final(&t.m, &model, mean, bytes) == PCN_OK);
                    for (j = 0; j < n && options & AVERAGING; j++) {
                        double exact = total[j] / (ROWS + 1), off = (double)mean[j] - exact;
                        CHECK(off < 0 ? -off <= 1e-6 : off <= 1e-6);
                    }
                    size = linear_image(&t.m, image);
                    if (order == 0) {
                        memcpy(first, image, length = size);
                        memcpy(first_mean, mean, bytes);
                        memcpy(first_weight, t.m.live.weight, bytes);
                    }
                    CHECK(size == length && memcmp(image, first, size) == 0);
                    CHECK(memcmp(mean, first_mean, bytes) == 0);
                    CHECK(memcmp(t.m.live.weight, first_weight, bytes) == 0);
                    linear_takes(&t.m, image, size);
                }
    }
}

/* From epoch 2^31 on the search for cycles renewed its copy after each epoch, and found no more. */
static void late_cycle(void)
{
    static const uint32_t begin[] = {1024, (1u << 31) - 4, (1u << 31) - 1, 1u << 31, UINT32_MAX - 3};
    static const float weight[2][3] = {{1, 2, 9}, {3, 4, 9}};
    float copy[3] = {0, 0, 9}; /* what is behind the two numbers is equal, and must not be looked at */
    uint32_t i, k, row;
    pcn_pass p;
    for (i = 0; i < LENGTH(begin); i++) {
        pcn_pass_init(&p, 1, 0, 0);
        p.stop = PCN_STOP_NEVER;
        CHECK(pcn_pass_cycle(&p, weight[1], copy, 2) == 0);
        p.epoch = p.cycle_epoch = begin[i];
        for (k = 0; k < 2; k++) { /* weights 0 and 1, and then 0 again */
            CHECK(pcn_pass_next(&p, &row) == 1 && p.left == 0);
            CHECK(pcn_pass_note(&p, 1) == 0);
            CHECK(pcn_pass_cycle(&p, weight[k], copy, 2) == 0);
        }
        CHECK(p.cycle_epoch == (begin[i] + 1 < 1u << 31 ? 2 * (begin[i] + 1) : UINT32_MAX));
        CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0);
        CHECK(pcn_pass_cycle(&p, weight[0], copy, 2) == 1);
    }
}

/* Numbers of borrowed rows were added up in 32 bits for the image; and a row that lies too far for a slot had
 * already driven out another when it was refused. */
static void far_borrowed_rows(void)
{
    enum { SLOTS = 5, COUNT = 1 << 30, FEATURES = 4 };
    const size_t cells = (size_t)COUNT * 4 + 64;
    float memory[PCN_KPERCEPTRON_FLOATS(0, 1, SLOTS)], *rows = (float *)reserve(cells * sizeof *rows);
    pcn_slot slot[SLOTS];
    pcn_kperceptron m;
    uint32_t i;
    if (!rows) {
        test_skipped++;
        return;
    }
    rows[0] = 1;
    rows[cells - FEATURES] = 2;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), COUNT, 1, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_use_rows(&m, rows, NULL, cells) == PCN_OK);
    m.learner.rule.margin = 1000;
    m.admit = pcn_admit_oldest;
    for (i = 0; i < SLOTS; i++) CHECK(pcn_kperceptron_learn(&m, pcn_dense(rows, FEATURES), 1, i) == 1);
    learn_refuses(&m, pcn_dense(rows + cells - FEATURES, FEATURES), PCN_EFULL);
    CHECK(m.model.slots == SLOTS);
    for (i = 0; i < SLOTS; i++) slot[i].count = COUNT; /* as if each had been learned in full, which takes long */
    CHECK(pcn_kperceptron_save(&m, 0, NULL, 0) == 0 && pcn_kmodel_save(&m.model, 0, NULL, 0) == 0);
    CHECK(pcn_kperceptron_save(&m, 0, image, 104) == 0);
    m.model.slots = 3; /* 3 2^30 numbers: an image of 12 GiB, of which one page is looked at */
    if (little_endian()) CHECK(pcn_kperceptron_save(&m, 0, image, 104) == 104 + 20 * 3 + 12 * (size_t)COUNT + 4);
    release(rows, cells * sizeof *rows);
}

/* Integer models count in 32 bits; from images with larger counts they took the lower half. */
static void counts_of_64_bits(void)
{
    static const size_t at[] = {32, 40, 48, 56}; /* rows, updates, mistakes, clock */
    int32_t weight[PCN_IPERCEPTRON_NUMBERS(2, 1)];
    pcn_iperceptron m;
    pcn_image info;
    size_t i, size;
    CHECK(pcn_iperceptron_init(&m, 2, 1, weight, sizeof weight) == PCN_OK);
    size = pcn_iperceptron_save(&m, 0, image, sizeof image);
    for (i = 0; i < LENGTH(at); i++) {
        put_word(image, at[i], UINT32_MAX);
        put_checksum(image, size);
        CHECK(pcn_iperceptron_load(&m, image, size) == PCN_OK);
        put_word(image, at[i] + 4, 1);
        put_checksum(image, size);
        CHECK(pcn_image_read(&info, image, size) == PCN_EIMAGE);
        CHECK(pcn_iperceptron_load(&m, image, size) == PCN_EIMAGE);
        put_word(image, at[i] + 4, 0);
    }
}

/* The threshold of a Winnow trainer was learned as a bias if it kept a mean and its bias input was set. */
static void threshold_with_averaging(void)
{
    static const float x[1] = {1};
    float weight[PCN_PERCEPTRON_FLOATS(1, 1)], exponent[PCN_LINEAR_FLOATS(1, 1)], sum[PCN_AVERAGING_FLOATS(1, 1)];
    pcn_perceptron m;
    int averaged;
    for (averaged = 0; averaged < 2; averaged++) {
        CHECK(pcn_perceptron_init(&m, 1, 1, weight, sizeof weight) == PCN_OK);
        CHECK(pcn_perceptron_use_winnow(&m, 4, 0, exponent, sizeof exponent) == PCN_OK);
        if (averaged) CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
        m.learner.bias_input = 1;
        CHECK(pcn_perceptron_learn(&m, pcn_dense(x, 1), 1) == 1);
        CHECK(weight[0] == 2 && weight[1] == -4);
    }
}

/* A row so large that its distance was infinity - infinity: the kernel was 1, where the true one is 0. NEON gave yet
 * another value. */
static void rbf_of_a_huge_row(void)
{
    static const float z[2][2] = {{1e15f, 0}, {1.6e19f, 0}}, x[2][2] = {{3e38f, 0}, {1.5e19f, 5e18f}};
    float memory[PCN_KPERCEPTRON_FLOATS(2, 1, 1)], work[PCN_KMODEL_WORK(1, 1, 1)], score, gamma;
    pcn_slot slot;
    pcn_kperceptron m;
    int i;
    for (gamma = 0; gamma < 2; gamma++)
        for (i = 0; i < 2; i++) {
            const pcn_vec row = pcn_dense(x[i], 2);
            CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(gamma), 2, 1, &slot, 1, memory, sizeof memory) == PCN_OK);
            CHECK(pcn_kperceptron_learn(&m, pcn_dense(z[i], 2), 1, 1) == 1);
            CHECK(pcn_kmodel_scores(&m.model, PCN_DECIDE_LAST, &row, 1, &score, work, sizeof work) == PCN_OK &&
                  score == (gamma > 0 ? 0.0f : 1.0f));
        }
}

/* |x|^2 + |z|^2 - 2 x.z of values about 2,000: a kernel was 1 for 0.198. Not one may be off by more than 10^-4. */
static void rbf_far_from_0(void)
{
    static const float offset[] = {0, 1, 100, 2000, 10000, 1e6f};
    float memory[PCN_KPERCEPTRON_FLOATS(2, 1, 1)], work[PCN_KMODEL_WORK(1, 1, 1)], score;
    pcn_slot slot;
    pcn_kperceptron m;
    size_t k;
    int i, wrong = 0;
    for (k = 0; k < LENGTH(offset); k++)
        for (i = 0; i < 2000; i++) {
            const float a[2] = {offset[k] + (float)(i % 50) / 25, offset[k] + 1};
            const float b[2] = {offset[k] + (float)(i / 50) / 20, offset[k] + 0.5f};
            const double d0 = (double)a[0] - (double)b[0], d1 = (double)a[1] - (double)b[1];
            const pcn_vec row = pcn_dense(b, 2);
            CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(1), 2, 1, &slot, 1, memory, sizeof memory) == PCN_OK);
            CHECK(pcn_kperceptron_learn(&m, pcn_dense(a, 2), 1, 0) == 1);
            CHECK(pcn_kmodel_scores(&m.model, PCN_DECIDE_LAST, &row, 1, &score, work, sizeof work) == PCN_OK);
            wrong += fabs(exp(-(d0 * d0 + d1 * d1)) - (double)score) > 1e-4;
        }
    CHECK(wrong == 0);
}

/* An update of a Forgetron that removed two vectors spent all on the first, so the second took nearly every coefficient
 * away. */
static void forgetron_that_removes_two(void)
{
    enum { SLOTS = 6, CELLS = 6, ROWS = 200 };
    static const uint32_t pair[6][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {1, 2}, {3, 4}}, four[4] = {0, 2, 4, 6};
    static const float half[4] = {0.5f, 0.5f, 0.5f, 0.5f}, root[2] = {0.7f, 0.7f};
    float memory[PCN_KPERCEPTRON_FLOATS(0, 1, SLOTS)], aux[SLOTS], value[CELLS];
    uint32_t index[CELLS], i, s, wiped = 0, twice = 0;
    pcn_slot slot[SLOTS];
    pcn_kperceptron m;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 8, 1, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&m, value, index, CELLS) == PCN_OK);
    CHECK(pcn_kperceptron_use_forgetron(&m, aux, sizeof aux) == PCN_OK);
    m.learner.rule.margin = 9;
    for (i = 0; i < ROWS; i++) {
        const pcn_vec x = i % 4 == 3 ? pcn_sparse(four, half, 4) : pcn_sparse(pair[i % 6], root, 1 + i % 2);
        const uint32_t removals = m.own.removals;
        float sum = 0;
        CHECK(pcn_kperceptron_learn(&m, x, (int)(i & 1), PCN_NO_ID) == 1);
        for (s = 0; s < m.model.slots; s++) sum += m.own.coef[s] < 0 ? -m.own.coef[s] : m.own.coef[s];
        twice += m.own.removals > removals + 1;
        wiped += sum < 0.01f;
    }
    CHECK(twice > 20 && wiped == 0);
}

/* A kernel trainer without a log counted its examples in 32 bits for nobody, and ended after 2^32 - 2. */
static void kernel_clock_without_a_log(void)
{
    float memory[PCN_KPERCEPTRON_FLOATS(1, 1, 2)], x;
    pcn_slot slot[2];
    pcn_kperceptron m;
    size_t size;
    int i;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 1, 1, slot, 2, memory, sizeof memory) == PCN_OK);
    m.admit = pcn_admit_oldest;
    m.model.clock = UINT32_MAX - 3;
    for (i = 1; i < 6; i++) {
        x = (float)i;
        CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), i & 1, PCN_NO_ID) == 1);
    }
    CHECK(m.model.clock == UINT32_MAX - 1 && m.learner.count.rows == 5);
    size = dual_image(&m, image);
    CHECK(pcn_kperceptron_load(&m, image, size) == PCN_OK && m.model.clock == UINT32_MAX - 1);
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 0, PCN_NO_ID) == 1);
}

/* After pcn_kperceptron_free the clock went on, so that options were refused. */
static void freed_and_used_again(void)
{
    static pcn_kperceptron m, fresh;
    float memory[2];
    const float x = 1;
    int i;
    for (i = 0; i < 3; i++) {
        memset(&fresh, 0, sizeof fresh);
        CHECK(pcn_kperceptron_init(&fresh, pcn_kernel_poly(2, 1, 1), 1, 1, NULL, 0, memory, sizeof memory) == PCN_OK);
        if (i == 0)
            CHECK(pcn_kperceptron_init(&m, pcn_kernel_poly(2, 1, 1), 1, 1, NULL, 0, memory, sizeof memory) == PCN_OK);
        m.admit = pcn_admit_grow;
        m.learner.bias_input = (float)i;
        if (i & 1) CHECK(pcn_kperceptron_use_sparse(&m, NULL, NULL, 0) == PCN_OK);
        CHECK(pcn_kperceptron_use_log(&m, NULL, 0) == PCN_OK);
        CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 1, 0) == 1 && m.model.entries == 1);
        pcn_kperceptron_free(&m);
        CHECK(m.learner.count.rows == 0 && m.learner.bias_input == fresh.learner.bias_input && m.admit == fresh.admit);
        CHECK(!m.own.slot && !m.own.value && !m.own.index && !m.own.log && m.own.slot_room == 0 &&
              m.own.cell_room == 0 && m.own.cells == 0);
        CHECK(!m.own.sparse && !m.own.logged && !m.own.grown && m.model.slots == 0 && m.model.entries == 0 &&
              m.model.clock == 0);
        CHECK(!m.model.slot && !m.model.value && !m.model.index && !m.model.log);
    }
}

/* Arrays of no length, in a model that grows: they were taken for arrays that had grown. */
static void arrays_of_no_length(void)
{
    float memory[2], *value = (float *)malloc(64);
    uint32_t *index = (uint32_t *)malloc(64);
    pcn_log_entry *log = (pcn_log_entry *)malloc(64);
    const float x = 1;
    pcn_kperceptron m;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 3, 1, NULL, 0, memory, sizeof memory) == PCN_OK);
    m.admit = pcn_admit_grow;
    CHECK(pcn_kperceptron_use_sparse(&m, value, index, 0) == PCN_OK && pcn_kperceptron_use_log(&m, log, 0) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 1, 0) == 1);
    CHECK(m.own.value != value && m.own.index != index && m.own.log != log);
    pcn_kperceptron_free(&m);
    free(value), free(index), free(log);
}

/* load let a model grow only if its policy was pcn_admit_grow itself. */
static int admit_my_way(pcn_kperceptron *m, const pcn_vec *x)
{
    return pcn_admit_grow(m, x);
}

static void growth_by_another_policy(void)
{
    int (*const admit[])(pcn_kperceptron *, const pcn_vec *) = {pcn_admit_grow, admit_my_way, NULL};
    float memory[2];
    const float x = 1;
    pcn_kperceptron m;
    size_t size = 0, i;
    for (i = 0; i < LENGTH(admit); i++) {
        CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 1, 1, NULL, 0, memory, sizeof memory) == PCN_OK);
        m.admit = admit[i];
        if (i == 0) CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 1, 0) == 1);
        if (i == 0) size = dual_image(&m, image);
        CHECK(pcn_kperceptron_load(&m, image, size) == PCN_OK && m.model.slots == 1);
        CHECK(dual_image(&m, after) == size && memcmp(image, after, size) == 0);
        pcn_kperceptron_free(&m);
    }
}

/* A layout could be written down that the library read otherwise. Now one field has both, and whatever reads a model
 * finds the same in them; with one class they are the same. */
static void both_layouts(void)
{
    enum { WIDE = 40, MANY = 19 };
    static float weight[2][WIDE * MANY], copied[2][PCN_LINEAR_FLOATS(WIDE, MANY)], score[4][MANY], x[WIDE];
    static const uint32_t index[3] = {1, 8, 33};
    const pcn_vec form[3] = {pcn_dense(x, WIDE), pcn_sparse(index, x, 3), pcn_ones(index, 3)};
    uint32_t classes, c, j, i, top[2][5];
    for (classes = 1; classes <= MANY; classes++) {
        pcn_linear m[2] = {{weight[0], NULL, WIDE, classes, 0, 0}, {weight[1], NULL, WIDE, classes, 1, 0}}, copy;
        for (j = 0; j < WIDE; j++) {
            x[j] = (float)(random_bits() >> 20) / 4096;
            for (c = 0; c < classes; c++)
                weight[0][c * WIDE + j] = weight[1][j * classes + c] = (float)(random_bits() >> 20) / 4096 - 0.5f;
        }
        for (i = 0; i < 3; i++) {
            for (j = 0; j < 2; j++) {
                pcn_linear_scores(&m[j], form[i], score[j]);
                CHECK(pcn_linear_copy(&m[j], &copy, copied[j], sizeof copied[j]) == PCN_OK);
                pcn_linear_scores(&copy, form[i], score[2 + j]);
            }
            for (j = 1; j < 4; j++) CHECK(memcmp(score[0], score[j], classes * sizeof **score) == 0);
            CHECK(pcn_linear_predict(&m[0], form[i]) == pcn_linear_predict(&m[1], form[i]));
        }
        for (c = 0; c < classes; c++) {
            for (j = 0; j < 2; j++) CHECK(pcn_linear_top(&m[j], c, -1, top[j], 5) == 5);
            CHECK(memcmp(top[0], top[1], sizeof top[0]) == 0);
        }
        if (classes == 1) {
            size_t size = pcn_linear_save(&m[1], 0, before, sizeof before);
            CHECK(pcn_linear_save(&m[0], 0, after, sizeof after) == size && memcmp(before, after, size) == 0);
        }
    }
}

/* An averaged trainer's image was opened as its last weights. The image of its mean has what predicts. */
static void mean_that_open_would_miss(void)
{
    static const float x[2] = {2, -1};
    static const int16_t ix[2] = {2, -1};
    static uint32_t aligned[64], mean_image[64];
    float weight[PCN_PERCEPTRON_FLOATS(1, 1)], sum[PCN_AVERAGING_FLOATS(1, 1)], out[PCN_LINEAR_FLOATS(1, 1)];
    int32_t words[PCN_IPERCEPTRON_NUMBERS(1, 1)], iout[PCN_IPERCEPTRON_NUMBERS(1, 1)], memory[64];
    int64_t isum[PCN_IPERCEPTRON_NUMBERS(1, 1)];
    pcn_perceptron m;
    pcn_iperceptron im;
    pcn_linear mean, l, old;
    pcn_ilinear imean, q, iold;
    size_t size;
    int i, opened = little_endian() ? PCN_OK : PCN_EALIGN;
    CHECK(pcn_perceptron_init(&m, 1, 1, weight, sizeof weight) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
    CHECK(pcn_iperceptron_init(&im, 1, 1, words, sizeof words) == PCN_OK);
    CHECK(pcn_iperceptron_use_averaging(&im, isum, sizeof isum) == PCN_OK);
    for (i = 0; i < 9; i++) {
        CHECK(pcn_perceptron_learn(&m, pcn_dense(x + i % 2, 1), i % 3 == 0) >= 0);
        CHECK(pcn_iperceptron_learn(&im, pcn_idense(ix + i % 2, 1), i % 3 == 0) >= 0);
    }
    memset(&l, 0x5a, sizeof l), memset(&q, 0x5a, sizeof q);
    memcpy(&old, &l, sizeof l), memcpy(&iold, &q, sizeof q);
    size = pcn_perceptron_save(&m, 0, aligned, sizeof aligned);
    CHECK(pcn_linear_open(&l, aligned, size) == PCN_EMEAN && memcmp(&l, &old, sizeof l) == 0);
    CHECK(pcn_perceptron_load(&m, aligned, size) == PCN_OK);
    CHECK(pcn_perceptron_final(&m, &mean, out, sizeof out) == PCN_OK);
    CHECK(mean.weight[0] != m.live.weight[0]);
    size = pcn_linear_save(&mean, 0, mean_image, sizeof mean_image);
    CHECK(pcn_linear_open(&l, mean_image, size) == opened && (opened < 0 || l.weight[0] == mean.weight[0]));
    size = pcn_iperceptron_save(&im, 0, aligned, sizeof aligned);
    CHECK(pcn_ilinear_open(&q, aligned, size) == PCN_EMEAN && memcmp(&q, &iold, sizeof q) == 0);
    CHECK(pcn_ilinear_load(&q, memory, sizeof memory, aligned, size) == PCN_EMEAN && memcmp(&q, &iold, sizeof q) == 0);
    CHECK(pcn_iperceptron_final(&im, &imean, iout, sizeof iout) == PCN_OK);
    size = pcn_ilinear_save(&imean, 0, mean_image, sizeof mean_image);
    CHECK(pcn_ilinear_load(&q, memory, sizeof memory, mean_image, size) == PCN_OK && memory[0] == iout[0]);
}

/* Sums that no learning makes gave a mean of 1e36, from which scores and mixing made NaN. */
static void sums_out_of_reach(void)
{
    float weight[PCN_PERCEPTRON_FLOATS(2, 1)], sum[PCN_AVERAGING_FLOATS(2, 1)];
    pcn_perceptron m;
    size_t size;
    CHECK(pcn_perceptron_init(&m, 2, 1, weight, sizeof weight) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
    size = linear_image(&m, image);
    put_word(image, AT_WEIGHTS + 12, 0x7b7a6332); /* 1.3e36 */
    put_word(image, AT_WEIGHTS + 16, 0xfb7a6332);
    put_checksum(image, size);
    CHECK(pcn_perceptron_load(&m, image, size) == PCN_EIMAGE && sum[0] == 0);
}

/* Nothing is opened from no bytes, and empty models form no pointers from NULL (the sanitizers look). */
static void nothing_at_all(void)
{
    static const uint32_t index[1] = {0};
    float score[9], copied[9];
    uint32_t top[1], classes;
    int32_t memory[1];
    int by_feature;
    pcn_ilinear q;
    pcn_linear l;
    pcn_kmodel s;
    CHECK(pcn_linear_open(&l, NULL, 0) == PCN_EIMAGE && pcn_ilinear_open(&q, NULL, 0) == PCN_EIMAGE);
    CHECK(pcn_kmodel_open(&s, pcn_kernel_linear(), NULL, 0) == PCN_EIMAGE);
    CHECK(pcn_ilinear_load(&q, memory, sizeof memory, NULL, 0) == PCN_EIMAGE);
    CHECK(pcn_image_read(NULL, NULL, 0) == PCN_EIMAGE && pcn_image_size(NULL, 0) == 0);
    for (by_feature = 0; by_feature < 2; by_feature++)
        for (classes = 1; classes <= 9; classes++) {
            pcn_linear m = {NULL, NULL, 0, classes, (uint8_t)by_feature, 0}, copy;
            pcn_linear_scores(&m, pcn_dense(NULL, 0), score);
            CHECK(score[classes - 1] == 0);
            pcn_linear_scores(&m, pcn_ones(index, 1), score);
            CHECK(score[classes - 1] == 0);
            CHECK(pcn_linear_predict(&m, pcn_dense(NULL, 0)) == (classes == 1));
            pcn_linear_fetch(&m, pcn_ones(index, 1));
            CHECK(pcn_linear_copy(&m, &copy, copied, sizeof copied) == PCN_OK);
            CHECK(copy.weight == copied && copied[classes - 1] == 0 && pcn_linear_save(&m, 0, NULL, 0) == 68);
            CHECK(pcn_linear_top(&m, 0, 1, top, 1) == 0);
        }
}

/* A sign of 0 gave the largest weights by chance, and a class that there is not those behind the array. */
static void top_of_anything(void)
{
    static const float weight[2] = {1, 2};
    const pcn_linear m = {weight, NULL, 2, 1, 0, 0};
    uint32_t top[2];
    CHECK(pcn_linear_top(&m, 0, 0, top, 9) == 2 && top[0] == 1 && top[1] == 0);
    CHECK(pcn_linear_top(&m, 0, 7, top, 1) == 1 && top[0] == 1);
    CHECK(pcn_linear_top(&m, 0, -7, top, 1) == 1 && top[0] == 0);
    CHECK(pcn_linear_top(&m, 1, 1, top, 2) == 0 && pcn_linear_top(&m, UINT32_MAX, 1, top, 2) == 0);
}

/* Each reason that the manual gives for an image that there is not, of each of the six. */
static void images_that_there_are_not(void)
{
    static const float nan_weight[2] = {NAN, 1}, weight[2] = {1, 2};
    static const int32_t words[2] = {1, PCN_IMAX + 1};
    static const uint16_t scale[1] = {1};
    static uint8_t out[400];
    float memory[PCN_PERCEPTRON_FLOATS(2, 1)], sum[PCN_AVERAGING_FLOATS(2, 1)];
    float k_memory[PCN_KPERCEPTRON_FLOATS(2, 1, 1)];
    int32_t i_memory[PCN_IPERCEPTRON_NUMBERS(2, 1)];
    pcn_linear l = {weight, NULL, 2, 1, 0, 0};
    pcn_ilinear q = {words, NULL, NULL, 1, 1, 32, 0};
    pcn_perceptron m;
    pcn_iperceptron im;
    pcn_kperceptron k;
    pcn_kmodel s;
    pcn_slot slot[1];
    CHECK(pcn_linear_save(&l, 0, NULL, 0) == 76 && pcn_ilinear_save(&q, 0, NULL, 0) == 72);
    l.classes = 0; /* no classes */
    CHECK(pcn_linear_save(&l, 0, NULL, 0) == 0);
    l.classes = 1, l.weight = NULL; /* an array missing */
    CHECK(pcn_linear_save(&l, 0, out, 4) == 0);
    l.weight = nan_weight; /* a number: when the length or the end is asked for */
    CHECK(pcn_linear_save(&l, 0, NULL, 0) == 0 && pcn_linear_save(&l, 0, out, 76) == 0);
    CHECK(pcn_linear_save(&l, 0, out, 4) == 76);
    l.weight = weight, l.features = l.classes = UINT32_MAX; /* longer than any memory */
    CHECK(pcn_linear_save(&l, 0, out, 4) == 0);

    q.features = 2;
    CHECK(pcn_ilinear_save(&q, 0, NULL, 0) == 0 && pcn_ilinear_save(&q, 0, out, 4) == 76);
    q.features = 1, q.scale = scale;
    CHECK(pcn_ilinear_save(&q, 0, out, 4) == 0);
    q.scale = NULL, q.bits = 8;
    CHECK(pcn_ilinear_save(&q, 0, out, 4) == 0);
    q.scale = scale; /* but no biases */
    CHECK(pcn_ilinear_save(&q, 0, out, 4) == 0);
    q.scale = NULL, q.bits = 32, q.weight = NULL;
    CHECK(pcn_ilinear_save(&q, 0, out, 4) == 0);
    q.weight = words, q.classes = 0;
    CHECK(pcn_ilinear_save(&q, 0, out, 4) == 0);
    q.classes = 1, q.features = (uint32_t)1 << 31;
    CHECK(pcn_ilinear_save(&q, 0, out, 4) == 0);

    CHECK(pcn_perceptron_init(&m, 2, 1, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK && pcn_perceptron_save(&m, 0, NULL, 0) != 0);
    m.learner.clock = ((uint64_t)1 << 36) + 1;
    CHECK(pcn_perceptron_save(&m, 0, out, 4) == 0);
    m.learner.clock = 0, sum[0] = INFINITY;
    CHECK(pcn_perceptron_save(&m, 0, NULL, 0) == 0 && pcn_perceptron_save(&m, 0, out, 4) != 0);

    CHECK(pcn_iperceptron_init(&im, 2, 1, i_memory, sizeof i_memory) == PCN_OK);
    CHECK(pcn_iperceptron_save(&im, 0, NULL, 0) != 0);
    i_memory[2] = -PCN_IMAX - 1;
    CHECK(pcn_iperceptron_save(&im, 0, NULL, 0) == 0 && pcn_iperceptron_save(&im, 0, out, 4) != 0);
    i_memory[2] = 0, im.live.bias = NULL;
    CHECK(pcn_iperceptron_save(&im, 0, out, 4) == 0);

    CHECK(pcn_kperceptron_init(&k, pcn_kernel_rbf(1), 2, 1, slot, 1, k_memory, sizeof k_memory) == PCN_OK);
    CHECK(pcn_kperceptron_learn(&k, pcn_dense(weight, 2), 1, 0) == 1 && pcn_kperceptron_save(&k, 0, NULL, 0) != 0);
    s = k.model;
    k.model.kernel.gamma = s.kernel.gamma = -1;
    CHECK(pcn_kperceptron_save(&k, 0, out, 4) == 0 && pcn_kmodel_save(&s, 0, out, 4) == 0);
    k.model.kernel.gamma = s.kernel.gamma = 1;
    k.own.coef[0] = NAN;
    CHECK(pcn_kperceptron_save(&k, 0, NULL, 0) == 0 && pcn_kmodel_save(&s, 0, NULL, 0) == 0);
    CHECK(pcn_kperceptron_save(&k, 0, out, 4) != 0 && pcn_kmodel_save(&s, 0, out, 4) != 0);
    k.model.coef = s.coef = NULL;
    CHECK(pcn_kperceptron_save(&k, 0, out, 4) == 0 && pcn_kmodel_save(&s, 0, out, 4) == 0);
}

/* pcn_slope took the learner that it was given for the first member of a trainer: an update made by hand, or the copy of
 * a learner, was read beyond its end. Now an update says how its slope is computed, and without that it is that of X. */
static float step_by_hand(const pcn_learner *l, pcn_update *p, float gap)
{
    const pcn_kperceptron *m = (const pcn_kperceptron *)l->user; /* NULL: a linear trainer */
    pcn_update by_hand, copy = *p;
    float of_x = (1 + p->share) * (pcn_norm2(*p->x) + p->bias), own = of_x, k;
    (void)gap;
    memset(&by_hand, 0, sizeof by_hand);
    by_hand.x = p->x, by_hand.bias = p->bias, by_hand.share = p->share;
    if (m) k = 2 * pcn_norm2(*p->x) + 1, own = (1 + p->share) * (k * k + p->bias); /* (2 x.x + 1)^2 */
    CHECK(pcn_slope(&by_hand) == of_x && pcn_slope(p) == own && pcn_slope(&copy) == own);
    return l->rule.rate;
}

static void slope_by_hand(void)
{
    enum { FEATURES = 2, CLASSES = 3, SLOTS = 4 };
    static const float x[4][FEATURES] = {{1, 2}, {-3, 1}, {0, 2}, {2, -2}};
    float memory[PCN_PERCEPTRON_FLOATS(FEATURES, CLASSES)], variance[PCN_LINEAR_FLOATS(FEATURES, CLASSES)];
    float k_memory[PCN_KPERCEPTRON_FLOATS(FEATURES, CLASSES, SLOTS)], step;
    pcn_slot slot[SLOTS];
    pcn_perceptron m;
    pcn_kperceptron k;
    pcn_learner *alone = (pcn_learner *)malloc(sizeof *alone);
    pcn_update by_hand;
    pcn_vec row = pcn_dense(x[0], FEATURES);
    uint32_t classes, i;
    if (!alone) abort();
    for (classes = 1; classes <= CLASSES; classes++) {
        CHECK(pcn_perceptron_init(&m, FEATURES, classes, memory, sizeof memory) == PCN_OK);
        CHECK(pcn_kperceptron_init(&k, pcn_kernel_poly(2, 2, 1), FEATURES, classes, slot, SLOTS, k_memory,
                                   sizeof k_memory) == PCN_OK);
        m.learner.rule.step = k.learner.rule.step = step_by_hand;
        m.learner.rule.margin = k.learner.rule.margin = 1e6f;
        k.learner.user = &k;
        k.learner.bias_input = 2;
        for (i = 0; i < 4; i++) {
            CHECK(pcn_perceptron_learn(&m, pcn_dense(x[i], FEATURES), (int)(i & 1)) == 1);
            CHECK(pcn_kperceptron_learn(&k, pcn_dense(x[i], FEATURES), (int)(i & 1), i) == 1);
        }
    }
    memset(&by_hand, 0, sizeof by_hand);
    by_hand.x = &row, by_hand.bias = 1;
    CHECK(pcn_slope(&by_hand) == 6);
    CHECK(pcn_perceptron_init(&m, FEATURES, 1, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_perceptron_use_confidence(&m, 2, variance, sizeof variance) == PCN_OK);
    CHECK(pcn_perceptron_learn(&m, row, 1) == 1);
    *alone = m.learner;
    step = alone->rule.step(alone, &by_hand, 4);
    CHECK(step == 4.0f / (6 + 2) && m.learner.rule.step(&m.learner, &by_hand, 4) == step);
    free(alone);
}

/* Where size_t has 32 bits, lengths in floats were compared, and in bytes these wrapped round: a trainer took memory of a
 * few bytes for 2^30 numbers. Here is what such a machine would be told, and it is too little on any. */
static size_t wrapped(uint64_t numbers, uint32_t size)
{
    return (size_t)(uint32_t)(numbers * size);
}

static void lengths_that_wrap_round(void)
{
    static const struct {
        uint32_t features, classes;
    } shape[] = {
        {0, 0x15555556}, /* 3 floats a class: 2^30 + 2, 8 bytes */
        {0, 0x40000001}, /* 1 number a class: 4 bytes */
        {0x3fffffff, 1}, /* 2^30 + 2 floats */
        {0x40000000, 1}, /* 2^30 + 1 numbers of 4 bytes, 2^30 + 3 floats */
        {0x1fffffff, 1}, /* 2^29 numbers: twice as many floats for a mean, or as many numbers of 8 bytes */
        {0x20000007, 1}, {7, 0x04000001}, {0x0fffffff, 2}, {0xffff, 0x4000},         {0xfffd, 0x4000},
        {0x7fffffff, 2}, {UINT32_MAX, 1}, {0xfffffffd, 1}, {UINT32_MAX, UINT32_MAX},
    };
    float memory[256], sum[256], state[256];
    int32_t words[256];
    int64_t totals[256];
    pcn_slot slot[4];
    pcn_perceptron m, zero;
    pcn_iperceptron im, izero;
    pcn_kperceptron k, kzero;
    size_t i, refused = 0;
    memset(&zero, 0, sizeof zero), memset(&izero, 0, sizeof izero), memset(&kzero, 0, sizeof kzero);
    for (i = 0; i < LENGTH(shape); i++) {
        const uint32_t n = shape[i].features, c = shape[i].classes;
        const size_t bytes = wrapped(((uint64_t)n + 3) * c, 4), words_bytes = wrapped(((uint64_t)n + 1) * c, 4);
        const size_t sum_bytes = wrapped(((uint64_t)n + 1) * c, 8);
        pcn_arrays a = {memory, 0, sum, 0, NULL, 0, state, 0};
        if (bytes <= sizeof memory) {
            CHECK(pcn_perceptron_init(&m, n, c, memory, bytes) == PCN_EMEMORY && memcmp(&m, &zero, sizeof m) == 0);
            CHECK(pcn_perceptron_learn(&m, pcn_dense(NULL, 0), 0) == PCN_EOPTION);
            refused++;
        }
        if (words_bytes <= sizeof words) {
            CHECK(pcn_iperceptron_init(&im, n, c, words, words_bytes) ==
                  (n > UINT32_MAX / 2 ? PCN_EOPTION : PCN_EMEMORY));
            CHECK(memcmp(&im, &izero, sizeof im) == 0);
            refused++;
        }
        CHECK(pcn_perceptron_init(&m, 1, 1, memory, sizeof memory) == PCN_OK);
        CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
        CHECK(pcn_perceptron_use_confidence(&m, 1, state, sizeof state) == PCN_OK);
        a.memory_bytes = bytes, a.sum_bytes = sum_bytes, a.state_bytes = words_bytes;
        if (bytes <= sizeof memory || sum_bytes <= sizeof sum || words_bytes <= sizeof state) {
            const pcn_perceptron was = m;
            CHECK(pcn_perceptron_resize(&m, n, c, &a) == PCN_EMEMORY && memcmp(&m, &was, sizeof m) == 0);
            refused++;
        }
        CHECK(pcn_iperceptron_init(&im, 1, 1, words, sizeof words) == PCN_OK);
        CHECK(pcn_perceptron_init(&m, 1, 1, memory, sizeof memory) == PCN_OK);
        if (sum_bytes <= sizeof sum && ((uint64_t)n + 1) * c < (uint64_t)1 << 30) { /* memory of 4 GB would suffice */
            m.live.features = im.live.features = n, m.live.classes = im.live.classes = c;
            CHECK(pcn_perceptron_use_averaging(&m, sum, sum_bytes) == PCN_EMEMORY);
            CHECK(pcn_iperceptron_use_averaging(&im, totals, sum_bytes) == PCN_EMEMORY);
            refused++;
        }
        if (c > 8) { /* 2 floats a class; with 4 slots 4 more, and 8 */
            const size_t k_bytes = wrapped((uint64_t)6 * c + 8, 4);
            if (k_bytes > sizeof memory) continue;
            CHECK(pcn_kperceptron_init(&k, pcn_kernel_linear(), 0, c, slot, 4, memory, k_bytes) == PCN_EMEMORY);
            CHECK(memcmp(&k, &kzero, sizeof k) == 0);
            refused++;
        }
    }
    CHECK(refused == 36);
}

/* A small image names so many classes that the length of their trainer wraps round. Who asks for what it says is told. */
static void image_of_very_many_classes(void)
{
    enum { CLASSES = 0x15555556 };
    static const uint32_t words[16] = {HEAD_WORDS(PCN_KIND_LINEAR, 0, 0, CLASSES)};
    uint32_t aligned[17];
    uint8_t *bytes = (uint8_t *)aligned;
    float memory[2] = {77, 77};
    pcn_image info;
    pcn_linear l;
    pcn_perceptron m;
    size_t i;
    for (i = 0; i < 16; i++) put_word(bytes, 4 * i, words[i]);
    put_checksum(bytes, 68);
    CHECK(pcn_image_read(&info, bytes, 68) == PCN_OK && info.classes == CLASSES && info.features == 0);
    CHECK(pcn_linear_open(&l, bytes, 68) == (little_endian() ? PCN_OK : PCN_EALIGN));
    CHECK(wrapped((uint64_t)3 * CLASSES, 4) == sizeof memory);
    CHECK(pcn_perceptron_init(&m, info.features, info.classes, memory, sizeof memory) == PCN_EMEMORY);
    CHECK(pcn_perceptron_load(&m, bytes, 68) == PCN_EOPTION && memory[0] == 77 && memory[1] == 77);
    if (little_endian()) CHECK(pcn_linear_copy(&l, &l, memory, sizeof memory) == PCN_EMEMORY && memory[0] == 77);
}

int main(void)
{
    slope_by_hand();
    lengths_that_wrap_round();
    image_of_very_many_classes();
    both_layouts();
    mean_that_open_would_miss();
    sums_out_of_reach();
    nothing_at_all();
    top_of_anything();
    images_that_there_are_not();
    log_without_its_part();
    slots_that_do_not_follow();
    rbf_without_width();
    very_many_features();
    far_integer_bias();
    nothing_learned_yet();
    borrowed_rows_of_another_form();
    projectron_without_room();
    forgetron_with_cleared_counts();
    numbers_out_of_reach();
    rows_that_do_not_ascend();
    options_in_every_order();
    late_cycle();
    far_borrowed_rows();
    counts_of_64_bits();
    threshold_with_averaging();
    rbf_of_a_huge_row();
    rbf_far_from_0();
    forgetron_that_removes_two();
    kernel_clock_without_a_log();
    freed_and_used_again();
    arrays_of_no_length();
    growth_by_another_policy();
    return report();
}
