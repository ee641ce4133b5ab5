/* Images: the layout byte for byte, round trips bit for bit, and that whatever is not a whole and
 * fitting image is refused and changes nothing. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "random.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7, K = 3, MOST = 1024, HEADER = 64 };

/* Offsets of the documented header. */
enum { AT_VERSION = 4, AT_KIND = 8, AT_PARTS = 12, AT_FEATURES = 16, AT_CLASSES = 20 };
enum { AT_ZERO = 24, AT_CLOCK = 56 };

/* All bits of enum pcn_part. */
enum { KNOWN_PARTS = 2047 };

typedef struct trainer {
    pcn_perceptron m;
    float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], batch[PCN_LINEAR_FLOATS(N, K)];
} trainer;

/* Bits of enum pcn_part: the arrays and the layout of a trainer. */
static void trainer_init(trainer *t, uint32_t features, uint32_t classes, unsigned parts)
{
    const size_t sums = PCN_LENGTH(t->sum), batch = PCN_LENGTH(t->batch);
    memset(t, 0, sizeof *t);
    CHECK(pcn_perceptron_init(&t->m, features, classes, t->memory, PCN_LENGTH(t->memory)) == 0);
    if (parts & PCN_PART_FEATURE_MAJOR) CHECK(pcn_perceptron_use_feature_major(&t->m) == 0);
    if (parts & PCN_PART_SUMS) CHECK(pcn_perceptron_use_averaging(&t->m, t->sum, sums) == 0);
    if (parts & PCN_PART_BATCH) CHECK(pcn_perceptron_use_batch(&t->m, t->batch, batch) == 0);
    if (parts & PCN_PART_ZERO_NEGATIVE) t->m.model.zero_negative = 1;
}

/* Rows from .. to - 1 of an endless set; in batches of 4, of which the last may stay open. */
static void train(trainer *t, uint32_t from, uint32_t to)
{
    pcn_perceptron *m = &t->m;
    for (; from < to; from++) {
        float x[N];
        uint32_t j, bits = from * 2654435761u;
        int y;
        for (j = 0; j < N; j++) {
            bits = bits * 1664525u + 1013904223u;
            x[j] = (float)(bits >> 8) / 16777216.0f - 0.4f;
        }
        y = (int)((bits >> 3) % (m->model.classes == 1 ? 2 : m->model.classes));
        if (m->model.classes == 1)
            CHECK(pcn_perceptron_learn(m, pcn_dense(x, m->model.features), y) >= 0);
        else
            CHECK(pcn_perceptron_learn_class(m, pcn_dense(x, m->model.features), y) >= 0);
        if (m->batch && from % 4 == 3) CHECK(pcn_perceptron_apply_batch(m, 0.25f) >= 0);
    }
}

/* By the header's macro; state: exponents or variances. */
static size_t length_of(const pcn_linear *m, const float *sum, const float *batch, unsigned state)
{
    unsigned parts = state | (m->bias ? (unsigned)PCN_PART_BIAS : 0) | (m->zero_negative ? 512u : 0);
    if (sum) parts |= PCN_PART_SUMS;
    if (batch) parts |= PCN_PART_BATCH;
    if (m->column != 1) parts |= PCN_PART_FEATURE_MAJOR;
    return PCN_LINEAR_IMAGE(m->features, m->classes, parts);
}

static size_t save(const trainer *t, uint8_t *out)
{
    size_t size = pcn_perceptron_save(&t->m, 0, NULL, 0);
    if (size > MOST) abort();
    if (size != 0) CHECK(size == length_of(&t->m.model, t->m.sum, t->m.batch, t->m.state ? PCN_PART_EXPONENTS : 0));
    CHECK(pcn_perceptron_save(&t->m, 0, out, size) == size);
    return size;
}

/* ---- The layout ---- */

static const uint8_t golden_linear[] = {
    0x50, 0x43, 0x4e, 0x1a, 0x01, 0x00, 0x00, 0x00, /* magic, version */
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* kind, parts */
    0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, /* features, classes */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0, 0 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* rows */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* updates */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* mistakes */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* clock */
    0x00, 0x00, 0xc0, 0x3f, 0x00, 0x00, 0x00, 0xc0, /* 1.5, -2 */
    0x5b, 0x9c, 0x5c, 0x3d, /* checksum */
};

static const uint8_t golden_trainer[] = {
    0x50, 0x43, 0x4e, 0x1a, 0x01, 0x00, 0x00, 0x00, /* magic, version */
    0x02, 0x00, 0x00, 0x00, 0x0f, 0x00, 0x00, 0x00, /* kind, parts */
    0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, /* features, classes */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0, 0 */
    0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* rows */
    0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* updates */
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* mistakes */
    0x05, 0x04, 0x03, 0x02, 0x01, 0x00, 0x00, 0x00, /* clock */
    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0xc0, /* weights 1, -2 */
    0x00, 0x00, 0x00, 0x3f, 0x00, 0x00, 0x80, 0xbe, /* biases 0.5, -0.25 */
    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x40, /* sums 1, 2 */
    0x00, 0x00, 0x40, 0x40, 0x00, 0x00, 0x80, 0x40, /* 3, 4 */
    0x00, 0x00, 0xa0, 0x40, 0x00, 0x00, 0xc0, 0x40, /* their low parts 5, 6 */
    0x00, 0x00, 0xe0, 0x40, 0x00, 0x00, 0x00, 0x41, /* 7, 8 */
    0x00, 0x00, 0x80, 0xbf, 0x00, 0x00, 0x00, 0x00, /* batch -1, 0 */
    0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0x7f, 0x7f, /* 2^-149, FLT_MAX */
    0xfa, 0x54, 0x62, 0xd5, /* checksum */
};

static void check_golden(void)
{
    static const float weight[2] = {1.5f, -2};
    static const float weights[4] = {1, -2, 0.5f, -0.25f}; /* feature 0 of both classes, biases */
    float batch[4] = {-1, 0, 1e-45f, FLT_MAX};
    uint8_t whole[sizeof golden_trainer];
    const size_t last = sizeof golden_trainer - 8; /* number of the batch */
    pcn_linear frozen = {NULL, NULL, 2, 1, 2, 1, 0};
    uint8_t out[MOST];
    trainer t;
    pcn_image info;
    int i;
    frozen.weight = weight;
    CHECK(pcn_linear_save(&frozen, 0, out, MOST) == sizeof golden_linear);
    CHECK(memcmp(out, golden_linear, sizeof golden_linear) == 0);
    CHECK(pcn_image_read(&info, golden_linear, sizeof golden_linear) == PCN_OK);
    CHECK(info.kind == PCN_KIND_LINEAR && info.parts == 0 && info.version == 1);
    CHECK(info.features == 2 && info.classes == 1 && info.clock == 0 && info.count.rows == 0);
    CHECK(info.slots == 0 && info.entries == 0 && info.cells == 0 && info.kernel_id == 0);

    trainer_init(&t, 1, 2, 15);
    memcpy(t.m.weight, weights, sizeof weights);
    for (i = 0; i < 8; i++) t.sum[i] = (float)(i + 1);
    memcpy(t.batch, batch, sizeof batch);
    t.m.learner.count.rows = 3;
    t.m.learner.count.updates = 2;
    t.m.learner.count.mistakes = 1;
    t.m.learner.clock = 0x0102030405u;
    CHECK(pcn_perceptron_save(&t.m, 0, out, last) == sizeof golden_trainer);
    CHECK(memcmp(out, golden_trainer, last) == 0);
    CHECK(pcn_perceptron_save(&t.m, 0, NULL, 0) == 0); /* learning makes no number of 2^80 or more: */
    CHECK(pcn_image_read(&info, golden_trainer, sizeof golden_trainer) == PCN_EIMAGE);
    memcpy(whole, golden_trainer, sizeof whole); /* but the next below */
    put_word(whole, last, 0x677fffffu);
    put_checksum(whole, sizeof whole);
    t.batch[3] = batch[3] = from_bits(0x677fffffu);
    CHECK(save(&t, out) == sizeof whole && memcmp(out, whole, sizeof whole) == 0);
    CHECK(pcn_image_read(&info, whole, sizeof whole) == PCN_OK);
    CHECK(info.kind == PCN_KIND_PERCEPTRON && info.parts == 15 && info.version == 1);
    CHECK(info.features == 1 && info.classes == 2 && info.clock == 0x0102030405u);
    CHECK(info.count.rows == 3 && info.count.updates == 2 && info.count.mistakes == 1);
    trainer_init(&t, 1, 2, 15);
    CHECK(pcn_perceptron_load(&t.m, whole, sizeof whole) == PCN_OK);
    CHECK(memcmp(t.memory, weights, sizeof weights) == 0 && t.sum[7] == 8);
    CHECK(memcmp(t.batch, batch, sizeof batch) == 0 && t.m.learner.clock == 0x0102030405u);
    CHECK(t.m.learner.count.rows == 3 && t.m.learner.count.updates == 2 && t.m.learner.count.mistakes == 1);
}

/* A negative 0 is one bit of the parts, whatever else there is; trainers take it from there. */
static void check_zero_negative(unsigned parts)
{
    uint8_t expected[MOST], image[MOST];
    float aligned[MOST / 4];
    const uint32_t bit = PCN_PART_ZERO_NEGATIVE;
    trainer t, u;
    pcn_linear m;
    pcn_image info;
    size_t size;
    int kind;
    trainer_init(&t, 2, 1, parts);
    train(&t, 0, 11);
    for (kind = PCN_KIND_LINEAR; kind <= PCN_KIND_PERCEPTRON; kind++) {
        int trainers = kind == PCN_KIND_PERCEPTRON;
        t.m.model.zero_negative = 0;
        size = trainers ? save(&t, expected) : pcn_linear_save(&t.m.model, 0, expected, MOST);
        CHECK((get_word(expected, AT_PARTS) & bit) == 0);
        put_word(expected, AT_PARTS, get_word(expected, AT_PARTS) | bit);
        put_checksum(expected, size);
        t.m.model.zero_negative = 1;
        CHECK((trainers ? save(&t, image) : pcn_linear_save(&t.m.model, 0, image, MOST)) == size);
        CHECK(memcmp(image, expected, size) == 0);
        CHECK(pcn_image_read(&info, image, size) == PCN_OK && (info.parts & bit) != 0);
        trainer_init(&u, 2, 1, parts);
        CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK && u.m.model.zero_negative == 1);
        put_word(image, AT_PARTS, get_word(image, AT_PARTS) & ~bit);
        put_checksum(image, size);
        CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK && u.m.model.zero_negative == 0);
        if (!little_endian()) continue;
        memset(&m, 0x5a, sizeof m);
        memcpy(aligned, expected, size);
        CHECK(pcn_linear_open(&m, aligned, size) == PCN_OK && m.zero_negative == 1);
    }
}

/* The length is in the header, of which 64 bytes tell it, of kernel models 104. */
static void size_is_known(const uint8_t *image, size_t size, size_t needed)
{
    uint8_t *header;
    size_t have;
    for (have = 0; have < needed; have++) {
        header = (uint8_t *)exact_copy(image, have);
        CHECK(pcn_image_size(header, have) == 0);
        free(header);
    }
    for (have = needed; have <= size; have++) {
        header = (uint8_t *)exact_copy(image, have);
        CHECK(pcn_image_size(header, have) == size);
        free(header);
    }
    header = (uint8_t *)exact_copy(image, needed);
    header[0] ^= 1; /* no image */
    CHECK(pcn_image_size(header, needed) == 0);
    header[0] ^= 1;
    put_word(header, AT_VERSION, 0); /* of no version, of a newer one */
    CHECK(pcn_image_size(header, needed) == 0);
    put_word(header, AT_VERSION, 2);
    CHECK(pcn_image_size(header, needed) == 0);
    put_word(header, AT_VERSION, 1);
    put_word(header, AT_KIND, PCN_KIND_IPERCEPTRON + 1);
    CHECK(pcn_image_size(header, needed) == 0);
    free(header);
}

static void check_sizes(void)
{
    static const float x[3] = {1, 2, -1};
    float memory[PCN_KPERCEPTRON_FLOATS(3, 1, 4)];
    int32_t words[PCN_IPERCEPTRON_NUMBERS(5, 3)];
    int64_t sums[PCN_IPERCEPTRON_NUMBERS(5, 3)];
    int8_t narrow[3 * 5];
    int32_t bias[3];
    uint16_t scale[3];
    uint8_t image[MOST];
    pcn_slot slot[4];
    pcn_log_entry log[4];
    pcn_iperceptron twin;
    pcn_ilinear small;
    pcn_kperceptron dual;
    pcn_image info;
    trainer t;
    unsigned set;
    uint32_t i;
    for (set = 0; set < 8; set++) {
        trainer_init(&t, 2, 3, set << 1);
        train(&t, 0, 11);
        size_is_known(image, save(&t, image), HEADER);
        size_is_known(image, pcn_linear_save(&t.m.model, 0, image, MOST), HEADER);
    }
    CHECK(pcn_iperceptron_init(&twin, 5, 3, words, PCN_LENGTH(words)) == PCN_OK);
    CHECK(pcn_iperceptron_use_averaging(&twin, sums, PCN_LENGTH(sums)) == PCN_OK);
    size_is_known(image, pcn_iperceptron_save(&twin, 0, image, MOST), HEADER);
    size_is_known(image, pcn_ilinear_save(&twin.model, 0, image, MOST), HEADER);
    trainer_init(&t, 5, 3, 0);
    train(&t, 0, 11);
    CHECK(pcn_ilinear_quantize(&small, &t.m.model, 8, 0.01f, narrow, sizeof narrow, bias, scale) == PCN_OK);
    size_is_known(image, pcn_ilinear_save(&small, 0, image, MOST), HEADER);
    CHECK(pcn_kperceptron_init(&dual, pcn_kernel_linear(), 3, 1, slot, 4, memory, PCN_LENGTH(memory)) == PCN_OK);
    CHECK(pcn_kperceptron_use_log(&dual, log, 4) == PCN_OK);
    for (i = 0; i < 3; i++) { /* without a vector, too */
        size_is_known(image, pcn_kperceptron_save(&dual, 0, image, MOST), HEADER + 40);
        CHECK(pcn_kperceptron_learn(&dual, pcn_dense(x, 3 - i), (int)i % 2, i) == 1);
    }
    CHECK(pcn_image_read(&info, image, pcn_kperceptron_save(&dual, 0, image, MOST)) == PCN_OK);
    CHECK(info.slots == 3 && info.entries == 3 && info.cells == 9 && info.kernel_id == 1);
}

static void check_crc(void)
{
    static uint8_t many[20000];
    size_t i, size;
    CHECK(pcn_crc32(0, "123456789", 9) == 0xcbf43926u);
    CHECK(pcn_crc32(pcn_crc32(0, "1234", 4), "56789", 5) == 0xcbf43926u);
    CHECK(pcn_crc32(0, NULL, 0) == 0);
    for (i = 0; i < sizeof many; i++) many[i] = (uint8_t)random_bits();
    for (size = sizeof many - 16; size <= sizeof many; size++) { /* at once, and in short pieces */
        uint32_t whole = pcn_crc32(0, many, size), crc = 0;
        for (i = 0; i < size; i += 1000) crc = pcn_crc32(crc, many + i, size - i < 1000 ? size - i : 1000);
        CHECK(whole == crc);
    }
}

/* ---- Round trips ---- */

static void check_continue(uint32_t classes, unsigned parts)
{
    static uint8_t image[MOST], again[MOST];
    trainer a, b;
    size_t size;
    trainer_init(&a, N, classes, parts);
    trainer_init(&b, N, classes, parts);
    train(&a, 0, 42);
    size = save(&a, image);
    train(&b, 100, 113); /* what load replaces */
    CHECK(pcn_perceptron_load(&b.m, image, size) == PCN_OK);
    CHECK(save(&b, again) == size && memcmp(image, again, size) == 0);
    CHECK(b.m.learner.count.rows == 42 && b.m.learner.count.updates == a.m.learner.count.updates);
    train(&a, 42, 91);
    train(&b, 42, 91);
    size = save(&a, image);
    CHECK(save(&b, again) == size && memcmp(image, again, size) == 0);
}

/* A setting is never saved or loaded. What a score of 0 means is not one: it belongs to the model. */
static void check_settings(void)
{
    uint8_t image[MOST];
    trainer a, b;
    trainer_init(&a, N, 1, 0);
    trainer_init(&b, N, 1, 0);
    a.m.learner.rule = pcn_rule_pa(3);
    a.m.learner.bias_input = 2;
    a.m.model.zero_negative = a.m.learner.zero_predicted = 1;
    CHECK(pcn_perceptron_load(&b.m, image, save(&a, image)) == PCN_OK);
    CHECK(b.m.learner.rule.step == pcn_rule_fixed(1).step && b.m.learner.rule.rate == 1);
    CHECK(b.m.learner.rule.margin == 0 && b.m.learner.bias_input == 1 && b.m.learner.zero_predicted == 0);
    CHECK(b.m.model.zero_negative == 1);
    a.m.model.zero_negative = 0;
    b.m.learner.rule.margin = 2;
    b.m.learner.bias_input = 3;
    b.m.learner.zero_predicted = 1;
    CHECK(pcn_perceptron_load(&b.m, image, save(&a, image)) == PCN_OK);
    CHECK(b.m.learner.rule.margin == 2 && b.m.learner.bias_input == 3 && b.m.learner.zero_predicted == 1);
    CHECK(b.m.model.zero_negative == 0);
}

/* Every window of an image is that part of the whole, 0xff beyond the end. */
static void check_windows(unsigned parts)
{
    uint8_t whole[MOST];
    size_t total, from, size;
    trainer t;
    trainer_init(&t, 2, 2, parts);
    train(&t, 0, 11);
    memset(whole, 0xff, sizeof whole);
    total = save(&t, whole);
    for (from = 0; from < total + 6; from++)
        for (size = 0; size < total + 9 - from / 2; size++) {
            uint8_t *out = (uint8_t *)malloc(size + 1);
            if (!out) abort();
            out[size] = 0xa5;
            CHECK(pcn_perceptron_save(&t.m, from, out, size) == total);
            CHECK(memcmp(out, whole + from, size) == 0 && out[size] == 0xa5);
            free(out);
        }
    memset(whole, 0, 16);
    CHECK(pcn_perceptron_save(&t.m, SIZE_MAX - 3, whole, 3) == total);
    CHECK(whole[0] == 0xff && whole[2] == 0xff && whole[3] == 0);
}

/* A model in its image gives the scores of the live one; both kinds, all parts, no copy. */
static void check_open(uint32_t classes, unsigned parts)
{
    static const float x[N] = {0.3f, -1, 2, 0.7f, -5, 1e-3f, 9};
    uint8_t bytes[MOST], again[MOST];
    float live[K], opened[K];
    trainer t;
    int kind;
    trainer_init(&t, N, classes, parts);
    train(&t, 0, 42);
    pcn_linear_scores(&t.m.model, pcn_dense(x, N), live);
    for (kind = 0; kind < 3; kind++) { /* trainer, frozen, frozen without biases */
        pcn_linear frozen = t.m.model, m;
        size_t size;
        void *image;
        int result;
        memset(&m, 0, sizeof m);
        if (kind == 2) frozen.bias = NULL;
        size = kind == 0 ? save(&t, bytes) : pcn_linear_save(&frozen, 0, bytes, MOST);
        CHECK(size <= MOST && (kind == 0 || size == length_of(&frozen, NULL, NULL, 0)));
        image = exact_copy(bytes, size);
        result = pcn_linear_open(&m, image, size);
        CHECK(result == (little_endian() ? PCN_OK : PCN_EALIGN));
        if (result == PCN_OK) {
            const uint8_t *weight = (const uint8_t *)m.weight;
            CHECK(weight == (const uint8_t *)image + HEADER && (m.bias == NULL) == (kind == 2));
            CHECK(m.features == N && m.classes == classes);
            CHECK(m.zero_negative == ((parts & PCN_PART_ZERO_NEGATIVE) != 0));
            if (kind == 2) pcn_linear_scores(&frozen, pcn_dense(x, N), live);
            pcn_linear_scores(&m, pcn_dense(x, N), opened);
            CHECK(memcmp(live, opened, classes * sizeof *live) == 0);
            if (kind != 0)
                CHECK(pcn_linear_save(&m, 0, again, MOST) == size &&
                      memcmp(again, bytes, size) == 0);
        }
        free(image);
    }
}

/* A frozen image is a start: weights and biases, everything else as new. */
static void check_start(unsigned parts)
{
    uint8_t image[MOST], fresh[MOST], started[MOST];
    trainer t, u;
    size_t size;
    int bias;
    trainer_init(&t, N, K, parts & (PCN_PART_FEATURE_MAJOR | PCN_PART_ZERO_NEGATIVE));
    train(&t, 0, 42);
    for (bias = 0; bias < 2; bias++) {
        pcn_linear frozen = t.m.model;
        if (!bias) {
            frozen.bias = NULL;
            memset(t.m.weight + N * K, 0, K * sizeof(float));
        }
        size = pcn_linear_save(&frozen, 0, image, MOST);
        trainer_init(&u, N, K, parts);
        train(&u, 100, 113);
        CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
        size = save(&u, started);
        trainer_init(&u, N, K, parts);
        memcpy(u.m.weight, t.m.weight, PCN_LINEAR_FLOATS(N, K) * sizeof(float));
        CHECK(save(&u, fresh) == size && memcmp(fresh, started, size) == 0);
        CHECK(u.m.learner.count.rows == 0 && u.m.learner.clock == 0);
    }
}

/* Arrays that the trainer has and the image has not start empty. */
static void check_fewer_parts(void)
{
    uint8_t image[MOST];
    trainer t, u;
    size_t i;
    trainer_init(&t, N, K, 0);
    train(&t, 0, 42);
    trainer_init(&u, N, K, PCN_PART_SUMS | PCN_PART_BATCH);
    train(&u, 100, 113);
    CHECK(pcn_perceptron_load(&u.m, image, save(&t, image)) == PCN_OK);
    CHECK(memcmp(u.memory, t.memory, PCN_LINEAR_FLOATS(N, K) * sizeof(float)) == 0);
    CHECK(u.m.learner.count.rows == 42 && u.m.learner.clock == 0);
    for (i = 0; i < PCN_LENGTH(u.sum); i++) CHECK(u.sum[i] == 0);
    for (i = 0; i < PCN_LENGTH(u.batch); i++) CHECK(u.batch[i] == 0);
}

/* ---- Refusals ---- */

/* read gives `expected` for these bytes, open and load `opened`, and touch nothing. */
static void refused_as(const uint8_t *bytes, size_t size, trainer *t, int expected, int opened)
{
    uint8_t *image = (uint8_t *)exact_copy(bytes, size);
    static trainer before;
    pcn_linear m, m_before;
    pcn_image info, info_before;
    before = *t;
    memset(&m, 0x5a, sizeof m);
    memset(&info, 0x5a, sizeof info);
    memcpy(&m_before, &m, sizeof m);
    memcpy(&info_before, &info, sizeof info);
    CHECK(pcn_image_read(&info, image, size) == expected);
    CHECK(pcn_image_read(NULL, image, size) == expected);
    CHECK(pcn_linear_open(&m, image, size) == opened);
    CHECK(pcn_perceptron_load(&t->m, image, size) == opened);
    CHECK(memcmp(&m, &m_before, sizeof m) == 0 && memcmp(&info, &info_before, sizeof info) == 0);
    CHECK(memcmp(t, &before, sizeof before) == 0);
    free(image);
}

static void refused(const uint8_t *bytes, size_t size, trainer *t, int expected)
{
    refused_as(bytes, size, t, expected, expected);
}

/* Bytes that follow the end do not matter. */
static void accepted(const uint8_t *bytes, size_t size, size_t have, trainer *t)
{
    uint8_t *image = (uint8_t *)exact_copy(bytes, have), again[MOST];
    pcn_image info;
    pcn_linear m;
    int result;
    CHECK(pcn_image_size(image, have) == size);
    CHECK(pcn_image_read(&info, image, have) == PCN_OK && info.features == t->m.model.features);
    result = pcn_linear_open(&m, image, have);
    CHECK(result == (little_endian() ? PCN_OK : PCN_EALIGN));
    if (result == PCN_OK) CHECK(memcmp(m.weight, t->m.weight, m.features * m.classes * sizeof(float)) == 0);
    memset(t->m.weight, 0, PCN_LINEAR_FLOATS(t->m.model.features, t->m.model.classes) * sizeof(float));
    t->m.learner.count.rows++;
    CHECK(pcn_perceptron_load(&t->m, image, have) == PCN_OK);
    CHECK(save(t, again) == size && memcmp(again, image, size) == 0);
    free(image);
}

static void check_damage(uint32_t classes, unsigned parts)
{
    uint8_t image[MOST + 16];
    size_t size, n, bit;
    trainer t;
    trainer_init(&t, 3, classes, parts);
    train(&t, 0, 42);
    memset(image, 0, sizeof image);
    size = save(&t, image);
    CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
    for (n = 0; n < size; n++) refused(image, n, &t, PCN_EIMAGE);
    for (n = size; n <= size + 16; n++) accepted(image, size, n, &t);
    for (n = size; n < size + 16; n++) image[n] = (uint8_t)random_bits();
    for (n = size + 1; n <= size + 16; n++) accepted(image, size, n, &t);
    memcpy(image + size, image, 16); /* the next image, perhaps */
    accepted(image, size, size + 16, &t);
    for (bit = 0; bit < 8 * size; bit++) {
        uint32_t kind;
        int expected = PCN_EIMAGE, other;
        image[bit / 8] ^= (uint8_t)(1u << bit % 8);
        kind = get_word(image, AT_KIND);
        if (get_word(image, AT_VERSION) > 1 || get_word(image, AT_PARTS) > KNOWN_PARTS) expected = PCN_EVERSION;
        other = kind > PCN_KIND_PERCEPTRON && kind <= PCN_KIND_IPERCEPTRON; /* said before all is read */
        refused_as(image, size, &t, expected, other ? PCN_EMATCH : expected);
        image[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (n = HEADER; n < size - 4; n += 4) { /* well-formed, but for one number */
        static const uint32_t bad[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7f800001u, ~0u};
        uint32_t good = get_word(image, n), i;
        for (i = 0; i < PCN_LENGTH(bad); i++) {
            put_word(image, n, bad[i]);
            put_checksum(image, size);
            refused(image, size, &t, PCN_EIMAGE);
        }
        put_word(image, n, good);
        put_checksum(image, size);
    }
    CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
}

/* Headers that contradict themselves or their length, with a right checksum. */
static void check_forged(void)
{
    static const struct {
        size_t at;
        uint32_t word;
        int expected;
    } c[] = {
        {0, 0x1a4e4351u, PCN_EIMAGE},       {AT_VERSION, 0, PCN_EIMAGE},
        {AT_VERSION, 2, PCN_EVERSION},      {AT_VERSION, ~0u, PCN_EVERSION},
        {AT_KIND, 0, PCN_EIMAGE},           {AT_KIND, PCN_KIND_IPERCEPTRON + 1, PCN_EIMAGE},
        {AT_KIND, ~0u, PCN_EIMAGE},         {AT_KIND, PCN_KIND_LINEAR, PCN_EIMAGE}, /* has sums */
        {AT_PARTS, 16 + 7, PCN_EIMAGE},     {AT_PARTS, 6, PCN_EIMAGE}, /* trainers have biases */
        {AT_PARTS, 3, PCN_EIMAGE},          {AT_PARTS, 0, PCN_EIMAGE},
        {AT_PARTS, 32 + 7, PCN_EIMAGE},     {AT_PARTS, 64 + 7, PCN_EIMAGE}, /* of other kinds */
        {AT_PARTS, 128 + 7, PCN_EIMAGE},    {AT_PARTS, 256 + 7, PCN_EIMAGE},
        {AT_PARTS, 1024 + 7, PCN_EIMAGE}, /* with a batch */
        {AT_PARTS, 2048 + 7, PCN_EVERSION}, {AT_PARTS, 0x80000007u, PCN_EVERSION}, /* of none known */
        {AT_CLOCK + 4, 16, PCN_OK},         {AT_CLOCK + 4, 17, PCN_EIMAGE}, /* more rows than 2^36 */
        {AT_CLOCK + 4, ~0u, PCN_EIMAGE},
        {AT_FEATURES, 0, PCN_EIMAGE},       {AT_FEATURES, 2, PCN_EIMAGE},
        {AT_FEATURES, ~0u, PCN_EIMAGE},     {AT_FEATURES, 0x40000000u + 3, PCN_EIMAGE},
        {AT_FEATURES, 0x80000003u, PCN_EIMAGE},
        {AT_CLASSES, 0, PCN_EIMAGE},        {AT_CLASSES, 1, PCN_EIMAGE},
        {AT_CLASSES, ~0u, PCN_EIMAGE},      {AT_CLASSES, 0x40000002u, PCN_EIMAGE},
        {AT_CLASSES, 0x80000002u, PCN_EIMAGE},
        {AT_ZERO, 1, PCN_EIMAGE},           {AT_ZERO + 4, 0x80000000u, PCN_EIMAGE},
    };
    uint8_t image[MOST];
    trainer t;
    size_t i, size;
    trainer_init(&t, 3, 2, PCN_PART_SUMS | PCN_PART_BATCH);
    train(&t, 0, 42);
    for (i = 0; i < PCN_LENGTH(c); i++) {
        size = save(&t, image);
        put_word(image, c[i].at, c[i].word);
        if (c[i].at == AT_CLOCK + 4) put_word(image, AT_CLOCK, 0);
        put_checksum(image, size);
        if (c[i].expected != PCN_OK)
            refused(image, size, &t, c[i].expected);
        else
            CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
    }
    for (i = PCN_KIND_KERNEL; i <= PCN_KIND_IPERCEPTRON; i++) { /* not one of these, nor taken for one */
        size = save(&t, image);
        put_word(image, AT_KIND, (uint32_t)i);
        put_checksum(image, size);
        refused_as(image, size, &t, PCN_EIMAGE, PCN_EMATCH);
    }
    size = save(&t, image);
    put_word(image, AT_FEATURES, ~0u);
    put_word(image, AT_CLASSES, ~0u);
    put_checksum(image, size);
    refused(image, size, &t, PCN_EIMAGE);
    CHECK(pcn_image_read(NULL, NULL, 100) == PCN_EIMAGE);
    memcpy(image, golden_linear, sizeof golden_linear); /* a trainer of right length, no biases */
    put_word(image, AT_KIND, PCN_KIND_PERCEPTRON);
    put_checksum(image, sizeof golden_linear);
    refused(image, sizeof golden_linear, &t, PCN_EIMAGE);
}

/* Weights and biases end below 2^80, and save does not write what load refuses. */
static void check_numbers(unsigned parts)
{
    static const struct {
        uint32_t word;
        int good;
    } c[] = {
        {0x677fffffu, 1}, {0xe77fffffu, 1}, {0x80000000u, 1}, {0x00000001u, 1}, {0x67800000u, 0},
        {0xe7800000u, 0}, {0x7f7fffffu, 0}, {0x7f800000u, 0}, {0xff800000u, 0}, {0x7fc00000u, 0},
    };
    const size_t numbers = PCN_LINEAR_FLOATS(3, 2);
    uint8_t image[MOST], out[MOST], page[16];
    trainer t, u;
    size_t i, k, size;
    trainer_init(&t, 3, 2, parts);
    train(&t, 0, 42);
    size = save(&t, image);
    for (k = 0; k < numbers; k++)
        for (i = 0; i < PCN_LENGTH(c); i++) {
            const size_t expected = c[i].good ? size : 0;
            uint32_t before = get_word(image, HEADER + 4 * k);
            float number = t.m.weight[k];
            put_word(image, HEADER + 4 * k, c[i].word);
            put_checksum(image, size);
            if (!c[i].good) refused(image, size, &t, PCN_EIMAGE);
            t.m.weight[k] = from_bits(c[i].word);
            CHECK(pcn_perceptron_save(&t.m, 0, NULL, 0) == expected);
            CHECK(pcn_perceptron_save(&t.m, 0, out, MOST) == expected);
            CHECK(!c[i].good || memcmp(out, image, size) == 0);
            CHECK(pcn_perceptron_save(&t.m, size - 4, page, 4) == expected);
            CHECK(pcn_perceptron_save(&t.m, size - 4, page, 16) == expected);
            CHECK(pcn_perceptron_save(&t.m, 0, page, 16) == size); /* known at the end only */
            CHECK(pcn_perceptron_save(&t.m, 0, out, size - 4) == size);
            CHECK(pcn_perceptron_save(&t.m, size, page, 16) == size);
            CHECK((pcn_linear_save(&t.m.model, 0, NULL, 0) != 0) == c[i].good);
            CHECK((pcn_linear_save(&t.m.model, 0, out, MOST) != 0) == c[i].good);
            if (c[i].good) {
                trainer_init(&u, 3, 2, parts);
                CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
                CHECK(memcmp(u.memory, t.memory, numbers * sizeof(float)) == 0);
            }
            t.m.weight[k] = number;
            put_word(image, HEADER + 4 * k, before);
        }
    t.m.learner.clock = ((uint64_t)1 << 36) + 1;
    CHECK((pcn_perceptron_save(&t.m, 0, NULL, 0) == 0) == ((parts & PCN_PART_SUMS) != 0));
    t.m.learner.clock--;
    CHECK(pcn_perceptron_save(&t.m, 0, NULL, 0) == size);
}

/* A sum is below 2^81 (clock + 1), taken up to a power of two; so is each lower part. Then every mean is below 2^84. */
static void check_sums(void)
{
    static const struct {
        uint64_t clock;
        int doubled; /* 2^doubled is the least power of two above the clock */
    } c[] = {{0, 0}, {1, 1}, {2, 2}, {3, 2}, {41, 6}, {255, 8}, {256, 9}, {(uint64_t)1 << 36, 37}};
    const size_t first = HEADER + 4 * PCN_LINEAR_FLOATS(3, 2), sums = PCN_AVERAGING_FLOATS(3, 2);
    uint8_t image[MOST], out[MOST];
    float mean[PCN_LINEAR_FLOATS(3, 2)];
    trainer t;
    size_t i, k, j, size;
    trainer_init(&t, 3, 2, PCN_PART_SUMS);
    for (i = 0; i < PCN_LENGTH(c); i++)
        for (k = 0; k < sums; k++) {
            const uint32_t end = 0x68000000u + ((uint32_t)c[i].doubled << 23);
            const uint32_t bad[] = {end, end | 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, ~(uint32_t)0};
            trainer_init(&t, 3, 2, PCN_PART_SUMS);
            t.m.learner.clock = c[i].clock;
            size = save(&t, image);
            put_word(image, first + 4 * k, (end - 1) | (k % 2 ? 0x80000000u : 0));
            put_checksum(image, size);
            CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
            CHECK(pcn_perceptron_load(&t.m, image, size) == PCN_OK && save(&t, out) == size);
            CHECK(memcmp(out, image, size) == 0);
            (void)pcn_perceptron_mean(&t.m, mean);
            for (j = 0; j < PCN_LENGTH(mean); j++) CHECK(mean[j] > -0x1p84f && mean[j] < 0x1p84f);
            for (j = 0; j < PCN_LENGTH(bad); j++) {
                float sum = t.sum[k];
                put_word(image, first + 4 * k, bad[j]);
                put_checksum(image, size);
                refused(image, size, &t, PCN_EIMAGE);
                t.sum[k] = from_bits(bad[j]);
                CHECK(pcn_perceptron_save(&t.m, 0, NULL, 0) == 0 && pcn_perceptron_save(&t.m, 0, out, MOST) == 0);
                t.sum[k] = sum;
            }
        }
    trainer_init(&t, 3, 2, PCN_PART_SUMS);
    train(&t, 0, 42);
    t.sum[5] = 1e31f;
    CHECK(pcn_perceptron_save(&t.m, 0, NULL, 0) == 0);
}

/* Lengths are constant expressions; exponents and variances are parts, too. */
static void check_lengths(void)
{
    static uint8_t winnow[PCN_LINEAR_IMAGE(4, 3, PCN_PART_BIAS | PCN_PART_EXPONENTS | PCN_PART_SUMS)];
    static uint8_t sure[PCN_LINEAR_IMAGE(4, 1, PCN_PART_BIAS | PCN_PART_VARIANCES)];
    float exponent[PCN_LINEAR_FLOATS(4, 3)], variance[PCN_LINEAR_FLOATS(4, 1)];
    trainer t;
    trainer_init(&t, 4, 3, 0);
    CHECK(pcn_perceptron_use_winnow(&t.m, 1, 0, exponent, PCN_LENGTH(exponent)) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, PCN_LENGTH(t.sum)) == PCN_OK);
    CHECK(pcn_perceptron_save(&t.m, 0, winnow, sizeof winnow) == sizeof winnow && sizeof winnow == 68 + 4 * 15 * 4);
    trainer_init(&t, 4, 1, 0);
    CHECK(pcn_perceptron_use_confidence(&t.m, 1, variance, PCN_LENGTH(variance)) == PCN_OK);
    CHECK(pcn_perceptron_save(&t.m, 0, sure, sizeof sure) == sizeof sure && sizeof sure == 68 + 4 * 5 * 2);
}

/* 2^30 + 3 classes are as long as 3, for who counts bytes in 32 bits. */
static void check_no_features(void)
{
    uint8_t image[MOST];
    trainer t;
    size_t size;
    trainer_init(&t, 0, K, 0);
    size = save(&t, image);
    CHECK(size == HEADER + 4 * K + 4 && pcn_perceptron_load(&t.m, image, size) == PCN_OK);
    put_word(image, AT_CLASSES, 0x40000000u + K);
    put_checksum(image, size);
    refused(image, size, &t, PCN_EIMAGE);
}

/* Some classes of a feature-major model are saved as a model of these alone; the numbers stand apart then. */
/* A model whose weights are missing cannot be saved. */
static void check_missing(void)
{
    const float bias[1] = {1};
    uint8_t image[MOST];
    pcn_linear m = {NULL, bias, 3, 1, 3, 1, 0};
    CHECK(pcn_linear_save(&m, 0, NULL, 0) == 0 && pcn_linear_save(&m, 0, image, MOST) == 0);
}

static void check_part_of_model(void)
{
    static const float weight[3][4] = {{1, 2, 3, 4}, {-5, 6, 0, 8}, {9, 0.5f, -11, 12}}, bias[2] = {7, -8};
    static const float alone[3][2] = {{2, 4}, {6, 8}, {0.5f, 12}};
    uint8_t image[256], expected[256], window[7];
    pcn_linear m;
    size_t size, i, j;
    memset(&m, 0, sizeof m);
    m.weight = weight[0] + 1;
    m.bias = bias;
    m.features = 3;
    m.classes = m.row = 2;
    m.column = 4;
    size = pcn_linear_save(&m, 0, image, sizeof image);
    for (i = 0; i < size; i += sizeof window) {
        CHECK(pcn_linear_save(&m, i, window, sizeof window) == size);
        for (j = 0; j < sizeof window && i + j < size; j++) CHECK(window[j] == image[i + j]);
    }
    m.weight = alone[0];
    m.row = 1;
    m.column = 2;
    CHECK(size != 0 && pcn_linear_save(&m, 0, expected, sizeof expected) == size);
    CHECK(memcmp(image, expected, size) == 0);
}

/* A Winnow trainer has exponents; no other image gives it any. */
static void check_match_winnow(void)
{
    uint8_t image[MOST];
    float exponent[PCN_LINEAR_FLOATS(N, K)];
    trainer t, u, before;
    trainer_init(&t, 4, 3, 0);
    trainer_init(&u, 4, 3, 0);
    CHECK(pcn_perceptron_use_winnow(&u.m, 1, 0, exponent, PCN_LENGTH(exponent)) == PCN_OK);
    before = u;
    CHECK(pcn_perceptron_load(&u.m, image, save(&t, image)) == PCN_EMATCH);
    CHECK(memcmp(&u, &before, sizeof u) == 0);
    CHECK(pcn_perceptron_load(&t.m, image, save(&u, image)) == PCN_EMATCH);
    CHECK(pcn_perceptron_load(&u.m, image, save(&u, image)) == PCN_OK);
}

static void check_match(void)
{
    static const struct {
        uint32_t features, classes;
        unsigned parts;
        int expected;
    } c[] = {
        {4, 3, PCN_PART_SUMS | PCN_PART_BATCH, PCN_OK},
        {5, 3, PCN_PART_SUMS | PCN_PART_BATCH, PCN_EMATCH},
        {3, 3, PCN_PART_SUMS | PCN_PART_BATCH, PCN_EMATCH},
        {4, 2, PCN_PART_SUMS | PCN_PART_BATCH, PCN_EMATCH},
        {3, 4, PCN_PART_SUMS | PCN_PART_BATCH, PCN_EMATCH}, /* as many weights */
        {4, 3, PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_FEATURE_MAJOR, PCN_EMATCH},
        {4, 3, PCN_PART_SUMS, PCN_EMATCH},
        {4, 3, PCN_PART_BATCH, PCN_EMATCH},
        {4, 3, 0, PCN_EMATCH},
    };
    uint8_t image[MOST];
    trainer t, u, before;
    size_t i, size;
    trainer_init(&t, 4, 3, PCN_PART_SUMS | PCN_PART_BATCH);
    train(&t, 0, 42);
    size = save(&t, image);
    for (i = 0; i < PCN_LENGTH(c); i++) {
        trainer_init(&u, c[i].features, c[i].classes, c[i].parts);
        train(&u, 100, 113);
        before = u;
        CHECK(pcn_perceptron_load(&u.m, image, size) == c[i].expected);
        CHECK((memcmp(&u, &before, sizeof u) == 0) == (c[i].expected != PCN_OK));
    }
}

static void check_alignment(void)
{
    uint32_t words[MOST / 4 + 1];
    uint8_t image[MOST], *bytes = (uint8_t *)words;
    trainer t;
    size_t size, offset;
    trainer_init(&t, N, K, PCN_PART_SUMS);
    train(&t, 0, 42);
    size = save(&t, image);
    for (offset = 1; offset < 4; offset++) {
        pcn_linear m, before;
        memset(&m, 0x5a, sizeof m);
        memcpy(&before, &m, sizeof m);
        memcpy(bytes + offset, image, size);
        CHECK(pcn_linear_open(&m, bytes + offset, size) == PCN_EALIGN);
        CHECK(memcmp(&m, &before, sizeof m) == 0);
        CHECK(pcn_perceptron_load(&t.m, bytes + offset, size) == PCN_OK); /* load may be anywhere */
    }
}

int main(void)
{
    unsigned set; /* of sums, batch, feature-major; zero_negative */
    uint32_t classes;
    check_crc();
    check_golden();
    for (classes = 1; classes <= K; classes++)
        for (set = 0; set < 16; set++) {
            unsigned parts = (set & 7) << 1 | (set & 8 ? (unsigned)PCN_PART_ZERO_NEGATIVE : 0);
            check_continue(classes, parts);
            check_open(classes, parts);
        }
    for (set = 0; set < 8; set++) {
        check_zero_negative(set << 1);
        check_start(set << 1);
        check_start(set << 1 | PCN_PART_ZERO_NEGATIVE);
        check_numbers(set << 1);
    }
    check_sizes();
    for (set = 0; set < 8; set += 7) check_windows(set << 1);
    check_settings();
    check_fewer_parts();
    check_damage(1, 0);
    check_damage(1, PCN_PART_ZERO_NEGATIVE);
    check_damage(2, PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_FEATURE_MAJOR);
    check_forged();
    check_no_features();
    check_sums();
    check_lengths();
    check_match();
    check_match_winnow();
    check_missing();
    check_part_of_model();
    check_alignment();
    return report();
}
