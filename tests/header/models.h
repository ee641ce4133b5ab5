/* A small model of each kind that has an image, trained a little, and every function that takes an image; for tests.
 * Include perceptron.h first. */
#ifndef TEST_MODELS_H
#define TEST_MODELS_H

#include "bytes.h"
#include "random.h"
#include "test.h"

enum { F = 3, C = 3, SLOTS = 4, ROWS = 12, ROOM = 1024, IMAGE_WORDS = (F + 1) * C };

enum kind { LINEAR, PERCEPTRON, WHOLE, DUAL, ILINEAR, IPERCEPTRON, BITS_8, BITS_16, CALIBRATION, SCALER, KINDS };
enum taker {
    OPEN_LINEAR,
    LOAD_PERCEPTRON,
    LOAD_WHOLE,
    OPEN_SUPPORT,
    LOAD_DUAL,
    OPEN_ILINEAR,
    LOAD_IPERCEPTRON,
    LOAD_CALIBRATION,
    LOAD_SCALER,
    TAKERS
};

typedef struct models {
    pcn_linear linear;
    pcn_perceptron perceptron, whole; /* whole: with a mean, a batch, and the weights of a feature together */
    pcn_kmodel support;
    pcn_kperceptron dual; /* sparse, with a log */
    pcn_ilinear integer, quantized[2];
    pcn_iperceptron twin;
    pcn_calibration calibration;
    pcn_scaler scaler;
    float memory[2][PCN_PERCEPTRON_FLOATS(F, C)], sum[PCN_AVERAGING_FLOATS(F, C)], batch[PCN_LINEAR_FLOATS(F, C)];
    float room[PCN_KPERCEPTRON_FLOATS(0, C, SLOTS)], value[SLOTS * F];
    float moment[PCN_SCALER_FLOATS(F)];
    uint32_t index[SLOTS * F];
    pcn_slot slot[SLOTS];
    pcn_log_entry log[2 * ROWS];
    int32_t word[IMAGE_WORDS], narrow[2][PCN_ILINEAR_NUMBERS(F, C, 16)];
    int64_t total[IMAGE_WORDS];
} models;

/* Row i of four, which every trainer learns. */
static inline void models_learn(models *a, uint32_t i)
{
    static const int16_t x[4][F] = {{1, 2, 3}, {-4, 5, 0}, {6, -7, -8}, {300, -2, 1}};
    static const uint32_t index[F] = {0, 1, 2};
    const int y = (int)(i % 4 % PCN_CLASSES(a->twin.live.scores));
    float value[F];
    pcn_vec v = pcn_dense(value, F);
    pcn_ivec w = pcn_idense(x[i % 4], F);
    uint32_t j;
    for (j = 0; j < F; j++) value[j] = x[i % 4][j];
    CHECK(pcn_perceptron_learn(&a->perceptron, v, y) >= 0);
    CHECK(pcn_perceptron_learn(&a->whole, v, y) >= 0);
    CHECK(pcn_iperceptron_learn(&a->twin, w, y) >= 0);
    CHECK(pcn_kperceptron_learn_row(&a->dual, pcn_sparse(index, value, F), y, i % 4) >= 0);
    a->calibration.a += 0.5f, a->calibration.b -= 0.25f, a->calibration.c += 0.125f,
        a->calibration.bb = value[1] * value[1], a->calibration.rows++;
    CHECK(pcn_scaler_note(&a->scaler, value) == PCN_OK);
    if (i % 3 == 1) CHECK(pcn_perceptron_apply_batch(&a->whole, 0.25f) >= 0);
}

/* One of each, in memory that is not clean; a batch stays open. */
static inline void models_init(models *a, uint32_t classes, uint32_t rows)
{
    uint32_t i;
    memset(a, 0x5a, sizeof *a);
    CHECK(pcn_perceptron_init(&a->perceptron, F, classes, a->memory[0], sizeof a->memory[0]) == PCN_OK);
    CHECK(pcn_perceptron_init(&a->whole, F, classes, a->memory[1], sizeof a->memory[1]) == PCN_OK);
    CHECK(pcn_perceptron_use_feature_major(&a->whole) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(&a->whole, a->sum, sizeof a->sum) == PCN_OK);
    CHECK(pcn_perceptron_use_batch(&a->whole, a->batch, sizeof a->batch) == PCN_OK);
    CHECK(pcn_kperceptron_init(&a->dual, pcn_kernel_rbf(0.7f), F, classes, a->slot, SLOTS, a->room, sizeof a->room) ==
          PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&a->dual, a->value, a->index, LENGTH(a->value)) == PCN_OK);
    CHECK(pcn_kperceptron_use_log(&a->dual, a->log, LENGTH(a->log)) == PCN_OK);
    CHECK(pcn_iperceptron_init(&a->twin, F, classes, a->word, sizeof a->word) == PCN_OK);
    CHECK(pcn_iperceptron_use_averaging(&a->twin, a->total, sizeof a->total) == PCN_OK);
    pcn_calibration_init(&a->calibration);
    CHECK(pcn_scaler_init(&a->scaler, F, a->moment, sizeof a->moment) == PCN_OK);
    for (i = 0; i < rows; i++) models_learn(a, i);
    a->linear = a->perceptron.live;
    a->support = a->dual.model;
    a->integer = a->twin.live;
    for (i = 0; i < 2; i++)
        CHECK(pcn_ilinear_quantize(&a->quantized[i], &a->linear, i ? 16 : 8, 1, NULL, a->narrow[i],
                                   sizeof a->narrow[i]) == PCN_OK);
}

/* A window of the image, by save_part. */
static inline size_t save(const models *a, enum kind kind, size_t from, void *out, size_t size)
{
    switch (kind) {
    case LINEAR: return pcn_linear_save_part(&a->linear, from, out, size);
    case PERCEPTRON: return pcn_perceptron_save_part(&a->perceptron, from, out, size);
    case WHOLE: return pcn_perceptron_save_part(&a->whole, from, out, size);
    case DUAL: return pcn_kperceptron_save_part(&a->dual, from, out, size);
    case ILINEAR: return pcn_ilinear_save_part(&a->integer, from, out, size);
    case IPERCEPTRON: return pcn_iperceptron_save_part(&a->twin, from, out, size);
    case CALIBRATION: return pcn_calibration_save_part(&a->calibration, from, out, size);
    case SCALER: return pcn_scaler_save_part(&a->scaler, from, out, size);
    default: return pcn_ilinear_save_part(&a->quantized[kind == BITS_16], from, out, size);
    }
}

/* The whole image, by save; 0 if it does not fit. */
static inline size_t save_whole(const models *a, enum kind kind, void *out, size_t size)
{
    switch (kind) {
    case LINEAR: return pcn_linear_save(&a->linear, out, size);
    case PERCEPTRON: return pcn_perceptron_save(&a->perceptron, out, size);
    case WHOLE: return pcn_perceptron_save(&a->whole, out, size);
    case DUAL: return pcn_kperceptron_save(&a->dual, out, size);
    case ILINEAR: return pcn_ilinear_save(&a->integer, out, size);
    case IPERCEPTRON: return pcn_iperceptron_save(&a->twin, out, size);
    case CALIBRATION: return pcn_calibration_save(&a->calibration, out, size);
    case SCALER: return pcn_scaler_save(&a->scaler, out, size);
    default: return pcn_ilinear_save(&a->quantized[kind == BITS_16], out, size);
    }
}

/* The length of an image with biases, by the header's macros. */
static inline size_t macro_length(const models *a, enum kind kind, uint32_t parts)
{
    const uint32_t classes = PCN_CLASSES(a->twin.live.scores);
    const pcn_kmodel *k = &a->dual.model;
    switch (kind) {
    case LINEAR: return PCN_LINEAR_IMAGE(F, classes);
    case PERCEPTRON:
    case WHOLE: return PCN_PERCEPTRON_IMAGE(F, classes, parts);
    case DUAL: return PCN_KERNEL_IMAGE(classes, k->slots, a->dual.own.cells, k->entries, parts);
    case ILINEAR: return PCN_ILINEAR_IMAGE(F, classes, a->integer.bits);
    case IPERCEPTRON: return PCN_IPERCEPTRON_IMAGE(F, classes, parts);
    case CALIBRATION: return PCN_CALIBRATION_IMAGE;
    case SCALER: return PCN_SCALER_IMAGE(F);
    default: return PCN_ILINEAR_IMAGE(F, classes, kind == BITS_16 ? 16 : 8);
    }
}

/* The whole image, whose length the header's macros know. */
static inline size_t image_of(const models *a, enum kind kind, uint8_t *out)
{
    const size_t size = save(a, kind, 0, NULL, 0);
    CHECK(size != 0 && size <= ROOM && save_whole(a, kind, out, size) == size);
    CHECK(size == macro_length(a, kind, get_word(out, AT_PARTS)));
    return size;
}

static inline int take(models *a, enum taker taker, const void *image, size_t size)
{
    switch (taker) {
    case OPEN_LINEAR: return pcn_linear_open(&a->linear, image, size);
    case LOAD_PERCEPTRON: return pcn_perceptron_load(&a->perceptron, image, size);
    case LOAD_WHOLE: return pcn_perceptron_load(&a->whole, image, size);
    case OPEN_SUPPORT: return pcn_kmodel_open(&a->support, pcn_kernel_rbf(99), image, size);
    case LOAD_DUAL: return pcn_kperceptron_load(&a->dual, image, size);
    case OPEN_ILINEAR: return pcn_ilinear_open(&a->integer, image, size);
    case LOAD_IPERCEPTRON: return pcn_iperceptron_load(&a->twin, image, size);
    case LOAD_SCALER: return pcn_scaler_load(&a->scaler, image, size);
    default: return pcn_calibration_load(&a->calibration, image, size);
    }
}

static inline int opens(enum taker taker)
{
    return taker == OPEN_LINEAR || taker == OPEN_SUPPORT || taker == OPEN_ILINEAR;
}

/* Takes an image of that kind where there is place for it; what has it then. */
static inline int take_home(models *a, enum kind kind, const void *image, size_t size)
{
    static const enum taker home[KINDS] = {
        OPEN_LINEAR,      LOAD_PERCEPTRON, LOAD_WHOLE,   LOAD_DUAL,        OPEN_ILINEAR,
        LOAD_IPERCEPTRON, OPEN_ILINEAR,    OPEN_ILINEAR, LOAD_CALIBRATION, LOAD_SCALER};
    return take(a, home[kind], image, size);
}

static inline enum kind home_of(enum kind kind)
{
    return kind == BITS_8 || kind == BITS_16 ? ILINEAR : kind;
}

/* Is a function for images of other kinds? Then it looks no further than the header. */
static inline int is_foreign(enum taker taker, uint32_t kind)
{
    if (taker <= LOAD_WHOLE) return kind > PCN_KIND_PERCEPTRON;
    if (taker <= LOAD_DUAL) return kind != PCN_KIND_KERNEL;
    if (taker == LOAD_CALIBRATION) return kind != PCN_KIND_CALIBRATION;
    if (taker == LOAD_SCALER) return kind != PCN_KIND_SCALER;
    return kind != PCN_KIND_ILINEAR && kind != PCN_KIND_IPERCEPTRON;
}

/* No function takes the image and nothing changes. */
static inline void refused(models *a, const uint8_t *bytes, size_t size, int expected)
{
    static models before;
    uint8_t *image = (uint8_t *)exact_copy(bytes, size);
    int readable = size >= HEADER && get_word(bytes, 0) == 0x1a4e4350u && get_word(bytes, AT_VERSION) == 1 &&
                   (get_word(bytes, AT_SCORES) & ~2u) != 0 && get_word(bytes, AT_KIND) - 1 < PCN_KIND_SCALER &&
                   !newer(bytes);
    pcn_image info, info_before;
    int taker;
    memset(&info, 0x5a, sizeof info);
    memcpy(&info_before, &info, sizeof info);
    memcpy(&before, a, sizeof before);
    CHECK(pcn_image_read(&info, image, size) == expected && pcn_image_read(NULL, image, size) == expected);
    for (taker = 0; taker < TAKERS; taker++) {
        int foreign = readable && is_foreign((enum taker)taker, get_word(bytes, AT_KIND));
        CHECK(take(a, (enum taker)taker, image, size) == (foreign ? PCN_EMATCH : expected));
    }
    CHECK(memcmp(&info, &info_before, sizeof info) == 0 && memcmp(&before, a, sizeof before) == 0);
    free(image);
}

#endif
