/* Images of integer models, quantised ones too: the layout byte for byte, training that goes on bit for
 * bit, models in place, and that whatever is damaged, forged or of another kind is refused. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "integer.h"

/* ---- Images: the layout ---- */

enum { AT_VERSION = 4, AT_KIND = 8, AT_PARTS = 12, AT_FEATURES = 16, AT_CLASSES = 20, AT_SLOTS = 24 };
enum { AT_ENTRIES = 28, AT_CLOCK = 56, HEADER = 64, ROOM = 1024 };

#define NO_COUNTS                                                                                \
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

static const uint8_t golden_frozen[] = {
    0x50, 0x43, 0x4e, 0x1a, 0x01, 0x00, 0x00, 0x00, /* magic, version */
    0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* kind, parts */
    0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, /* features, classes */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0, 0 */
    NO_COUNTS,
    0x01, 0x00, 0x00, 0x00, 0xfe, 0xff, 0xff, 0xff, /* 1, -2 */
    0x12, 0xb9, 0x7e, 0xe0, /* checksum */
};

static const uint8_t golden_trainer[] = {
    0x50, 0x43, 0x4e, 0x1a, 0x01, 0x00, 0x00, 0x00, /* magic, version */
    0x05, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, /* kind, parts */
    0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, /* features, classes */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0, 0 */
    0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* rows */
    0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* updates */
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* mistakes */
    0x01, 0x02, 0x03, 0x04, 0x00, 0x00, 0x00, 0x00, /* clock */
    0x05, 0x00, 0x00, 0x00, 0xfa, 0xff, 0xff, 0xff, /* weights 5, -6 */
    0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0xc0, /* biases 2^30, -2^30 */
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* sums 1 */
    0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* -2 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, /* 2^40 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, /* -2^40 */
    0x80, 0x39, 0x09, 0x89, /* checksum */
};

static const uint8_t golden_8_bits[] = {
    0x50, 0x43, 0x4e, 0x1a, 0x01, 0x00, 0x00, 0x00, /* magic, version */
    0x04, 0x00, 0x00, 0x00, 0x81, 0x00, 0x00, 0x00, /* kind, parts */
    0x03, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, /* features, classes */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0, 0 */
    NO_COUNTS,
    0x01, 0xfe, 0x7f, 0x81, 0x00, 0x03, 0x00, 0x00, /* weights 1, -2, 127, -127, 0, 3; filled up */
    0x07, 0x00, 0x00, 0x00, 0xf8, 0xff, 0xff, 0xff, /* biases 7, -8 */
    0xff, 0xff, 0x00, 0x80, /* scales 65535, 32768 */
    0xf3, 0xf4, 0xe9, 0x30, /* checksum */
};

static const uint8_t golden_16_bits[] = {
    0x50, 0x43, 0x4e, 0x1a, 0x01, 0x00, 0x00, 0x00, /* magic, version */
    0x04, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, /* kind, parts */
    0x03, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, /* features, classes */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0, 0 */
    NO_COUNTS,
    0x01, 0x00, 0xfe, 0xff, 0xff, 0x7f, 0x00, 0x00, /* weights 1, -2, 32767; filled up */
    0xf7, 0xff, 0xff, 0xff, 0x02, 0x01, 0x00, 0x00, /* bias -9, scale 258; filled up */
    0x7c, 0xa7, 0x32, 0xa9, /* checksum */
};

static void check_golden_frozen(void)
{
    static const int32_t w[] = {1, -2};
    const pcn_ilinear m = {w, NULL, NULL, 2, 1, 32, 0};
    uint8_t out[ROOM];
    pcn_image info;
    CHECK(pcn_ilinear_save(&m, 0, NULL, 0) == sizeof golden_frozen);
    CHECK(pcn_ilinear_save(&m, 0, out, ROOM) == sizeof golden_frozen);
    CHECK(memcmp(out, golden_frozen, sizeof golden_frozen) == 0);
    CHECK(pcn_image_size(golden_frozen, HEADER) == sizeof golden_frozen);
    CHECK(pcn_image_size(golden_frozen, sizeof golden_frozen) == sizeof golden_frozen);
    CHECK(pcn_image_size(golden_frozen, HEADER - 1) == 0 && pcn_image_size(golden_frozen, 0) == 0);
    CHECK(pcn_image_read(&info, golden_frozen, sizeof golden_frozen) == PCN_OK);
    CHECK(info.version == 1 && info.kind == PCN_KIND_ILINEAR && info.parts == 0);
    CHECK(info.features == 2 && info.classes == 1 && info.clock == 0 && info.count.rows == 0);
}

static void check_golden_trainer(void)
{
    const int32_t w[4] = {5, -6, (int32_t)1 << 30, -((int32_t)1 << 30)};
    const int64_t sum[4] = {1, -2, (int64_t)1 << 40, -((int64_t)1 << 40)};
    uint8_t out[ROOM];
    pcn_image info;
    trainer t;
    trainer_init(&t, 1, 2, AVERAGED);
    memcpy(t.m.weight, w, sizeof w);
    memcpy(t.sum, sum, sizeof sum);
    t.m.rows = 3;
    t.m.updates = 2;
    t.m.mistakes = 1;
    t.m.clock = 0x04030201;
    CHECK(pcn_iperceptron_save(&t.m, 0, out, ROOM) == sizeof golden_trainer);
    CHECK(memcmp(out, golden_trainer, sizeof golden_trainer) == 0);
    CHECK(pcn_image_read(&info, golden_trainer, sizeof golden_trainer) == PCN_OK);
    CHECK(info.version == 1 && info.kind == PCN_KIND_IPERCEPTRON && info.parts == 3);
    CHECK(info.features == 1 && info.classes == 2 && info.clock == 0x04030201);
    CHECK(info.count.rows == 3 && info.count.updates == 2 && info.count.mistakes == 1);
    trainer_init(&t, 1, 2, AVERAGED);
    CHECK(pcn_iperceptron_load(&t.m, golden_trainer, sizeof golden_trainer) == PCN_OK);
    CHECK(memcmp(t.memory, w, sizeof w) == 0 && memcmp(t.sum, sum, sizeof sum) == 0);
    CHECK(t.m.rows == 3 && t.m.updates == 2 && t.m.mistakes == 1 && t.m.clock == 0x04030201);
}

static void check_golden_quantized(void)
{
    static const int8_t w8[] = {1, -2, 127, -127, 0, 3};
    static const int16_t w16[] = {1, -2, 32767};
    static const int32_t bias8[] = {7, -8}, bias16[] = {-9};
    static const uint16_t scale8[] = {65535, 32768}, scale16[] = {258};
    const pcn_ilinear bytes = {w8, bias8, scale8, 3, 2, 8, 0}, halves = {w16, bias16, scale16, 3, 1, 16, 0};
    uint8_t out[ROOM];
    CHECK(pcn_ilinear_save(&bytes, 0, out, ROOM) == sizeof golden_8_bits);
    CHECK(memcmp(out, golden_8_bits, sizeof golden_8_bits) == 0);
    CHECK(PCN_INTEGER_IMAGE(3, 2, PCN_PART_BIAS | PCN_PART_8_BITS) == sizeof golden_8_bits);
    CHECK(PCN_INTEGER_IMAGE(3, 1, PCN_PART_BIAS | PCN_PART_16_BITS) == sizeof golden_16_bits);
    CHECK(PCN_INTEGER_IMAGE(2, 1, 0) == sizeof golden_frozen);
    CHECK(pcn_image_read(NULL, golden_8_bits, sizeof golden_8_bits) == PCN_OK);
    CHECK(pcn_ilinear_save(&halves, 0, out, ROOM) == sizeof golden_16_bits);
    CHECK(memcmp(out, golden_16_bits, sizeof golden_16_bits) == 0);
    CHECK(pcn_image_read(NULL, golden_16_bits, sizeof golden_16_bits) == PCN_OK);
}

/* ---- Images: every kind of model, and every function that takes an image ---- */

enum { F = 3, C = 3, SLOTS = 4, IMAGE_WORDS = (F + 1) * C };

enum kind { LINEAR, PERCEPTRON, DUAL, ILINEAR, IPERCEPTRON, BITS_8, BITS_16, KINDS };
enum taker {
    OPEN_LINEAR, LOAD_PERCEPTRON, OPEN_SUPPORT, LOAD_DUAL, OPEN_ILINEAR, LOAD_IPERCEPTRON, TAKERS
};

typedef struct models {
    pcn_linear linear;
    pcn_perceptron perceptron;
    pcn_kmodel support;
    pcn_kperceptron dual;
    pcn_ilinear integer;
    trainer twin;
    pcn_ilinear quantized[2];
    float memory[PCN_PERCEPTRON_FLOATS(F, C)], room[PCN_KPERCEPTRON_FLOATS(F, C, SLOTS)];
    pcn_slot slot[SLOTS];
    int8_t w8[F * C];
    int16_t w16[F * C];
    int32_t bias[2][C];
    uint16_t scale[2][C];
} models;

/* One of each, trained a little. */
static void models_init(models *a)
{
    uint32_t i;
    memset(a, 0, sizeof *a);
    trainer_init(&a->twin, F, C, AVERAGED);
    CHECK(pcn_perceptron_init(&a->perceptron, F, C, a->memory, PCN_LENGTH(a->memory)) == PCN_OK);
    CHECK(pcn_kperceptron_init(&a->dual, pcn_kernel_linear(), F, C, a->slot, SLOTS, a->room, PCN_LENGTH(a->room)) ==
          PCN_OK);
    for (i = 0; i < 12; i++) {
        static const int16_t x[4][F] = {{1, 2, 3}, {-4, 5, 0}, {6, -7, -8}, {300, -2, 1}};
        float value[F];
        uint32_t j;
        for (j = 0; j < F; j++) value[j] = x[i % 4][j];
        CHECK(learn(&a->twin.m, pcn_idense(x[i % 4], F), (int)(i % 4 % C)) >= 0);
        CHECK(pcn_perceptron_learn_class(&a->perceptron, pcn_dense(value, F), (int)(i % 4 % C)) >= 0);
        CHECK(pcn_kperceptron_learn(&a->dual, pcn_dense(value, F), (int)(i % 4 % C), i % 4) >= 0);
    }
    a->linear = a->perceptron.model;
    a->support = a->dual.model;
    a->integer = a->twin.m.model;
    for (i = 0; i < 2; i++)
        CHECK(pcn_ilinear_quantize(&a->quantized[i], &a->linear, i ? 16 : 8, 1, i ? (void *)a->w16 : a->w8,
                                   i ? sizeof a->w16 : sizeof a->w8, a->bias[i], a->scale[i]) == PCN_OK);
}

static size_t save(const models *a, enum kind kind, size_t from, void *out, size_t size)
{
    switch (kind) {
    case LINEAR: return pcn_linear_save(&a->linear, from, out, size);
    case PERCEPTRON: return pcn_perceptron_save(&a->perceptron, from, out, size);
    case DUAL: return pcn_kperceptron_save(&a->dual, from, out, size);
    case ILINEAR: return pcn_ilinear_save(&a->integer, from, out, size);
    case IPERCEPTRON: return pcn_iperceptron_save(&a->twin.m, from, out, size);
    default: return pcn_ilinear_save(&a->quantized[kind == BITS_16], from, out, size);
    }
}

static int take(models *a, enum taker taker, const void *image, size_t size)
{
    switch (taker) {
    case OPEN_LINEAR: return pcn_linear_open(&a->linear, image, size);
    case LOAD_PERCEPTRON: return pcn_perceptron_load(&a->perceptron, image, size);
    case OPEN_SUPPORT: return pcn_kmodel_open(&a->support, pcn_kernel_linear(), image, size);
    case LOAD_DUAL: return pcn_kperceptron_load(&a->dual, image, size);
    case OPEN_ILINEAR: return pcn_ilinear_open(&a->integer, image, size);
    default: return pcn_iperceptron_load(&a->twin.m, image, size);
    }
}

static int opens(enum taker taker)
{
    return taker == OPEN_LINEAR || taker == OPEN_SUPPORT || taker == OPEN_ILINEAR;
}

/* Is a function for images of other kinds? Then it looks no further than the header. */
static int other(enum taker taker, uint32_t kind)
{
    if (taker <= LOAD_PERCEPTRON) return kind > PCN_KIND_PERCEPTRON;
    if (taker <= LOAD_DUAL) return kind != PCN_KIND_KERNEL;
    return kind < PCN_KIND_ILINEAR;
}

/* Every image meets every function; whatever does not fit changes nothing. */
static void check_kinds(void)
{
    static const uint8_t fits[KINDS][TAKERS] = {
        {1, 1, 0, 0, 0, 0}, /* LINEAR */
        {1, 1, 0, 0, 0, 0}, /* PERCEPTRON */
        {0, 0, 1, 1, 0, 0}, /* DUAL */
        {0, 0, 0, 0, 1, 1}, /* ILINEAR */
        {0, 0, 0, 0, 1, 1}, /* IPERCEPTRON */
        {0, 0, 0, 0, 1, 0}, /* BITS_8 */
        {0, 0, 0, 0, 1, 0}, /* BITS_16 */
    };
    static const uint32_t kinds[KINDS] = {1, 2, 3, 4, 5, 4, 4};
    static models a, before;
    uint32_t image[ROOM / 4];
    int kind, taker;
    for (kind = 0; kind < KINDS; kind++)
        for (taker = 0; taker < TAKERS; taker++) {
            int expected = fits[kind][taker] ? PCN_OK : PCN_EMATCH;
            size_t size;
            models_init(&a);
            size = save(&a, (enum kind)kind, 0, image, ROOM);
            CHECK(size < ROOM && pcn_image_read(NULL, image, size) == PCN_OK);
            memcpy(&before, &a, sizeof a);
            if (!little_endian() && opens((enum taker)taker) && !other((enum taker)taker, kinds[kind]))
                expected = PCN_EALIGN;
            CHECK(take(&a, (enum taker)taker, image, size) == expected);
            if (expected != PCN_OK) CHECK(memcmp(&a, &before, sizeof a) == 0);
        }
}

/* Of a newer version, or with parts that this one does not know? */
static int newer(const uint8_t *image)
{
    uint32_t version = get_word(image, AT_VERSION);
    return version > 1 || (version == 1 && get_word(image, AT_PARTS) >= 2048);
}

/* No function takes the image and nothing changes. */
static void refused(models *a, const uint8_t *bytes, size_t size, int expected)
{
    static models before;
    uint8_t *image = (uint8_t *)exact_copy(bytes, size);
    int readable = size >= HEADER && get_word(bytes, 0) == 0x1a4e4350u && get_word(bytes, AT_VERSION) == 1 &&
                   get_word(bytes, AT_CLASSES) != 0 && get_word(bytes, AT_KIND) - 1 < 5 && !newer(bytes);
    pcn_image info, info_before;
    int taker;
    memset(&info, 0x5a, sizeof info);
    memcpy(&info_before, &info, sizeof info);
    memcpy(&before, a, sizeof before);
    CHECK(pcn_image_read(&info, image, size) == expected);
    for (taker = 0; taker < TAKERS; taker++) {
        int result = take(a, (enum taker)taker, image, size);
        int foreign = readable && other((enum taker)taker, get_word(bytes, AT_KIND));
        CHECK(result == (foreign ? PCN_EMATCH : expected));
    }
    CHECK(memcmp(&info, &info_before, sizeof info) == 0 && memcmp(&before, a, sizeof before) == 0);
    free(image);
}

static void check_damage(enum kind kind)
{
    static const uint8_t longest[PCN_INTEGER_IMAGE(F, C, PCN_PART_BIAS | PCN_PART_SUMS)] = {0};
    uint8_t image[ROOM] = {0};
    static models a;
    size_t size, n;
    models_init(&a);
    size = save(&a, kind, 0, image, ROOM);
    CHECK(size == PCN_INTEGER_IMAGE(F, C, get_word(image, AT_PARTS)) && size <= sizeof longest);
    memset(image + size, 0, ROOM - size);
    for (n = 0; n < size; n++) refused(&a, image, n, PCN_EIMAGE);
    for (n = 0; n < 8 * size; n++) {
        image[n / 8] ^= (uint8_t)(1u << n % 8);
        refused(&a, image, size, newer(image) ? PCN_EVERSION : PCN_EIMAGE);
        image[n / 8] ^= (uint8_t)(1u << n % 8);
    }
    CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
}

/* What lies behind an image is not looked at. */
static void check_longer(enum kind kind)
{
    uint8_t image[ROOM] = {0}, again[ROOM];
    static models a, b;
    size_t size, more;
    models_init(&a);
    size = save(&a, kind, 0, image, ROOM);
    for (more = 1; more <= 16; more++) {
        uint8_t *longer = (uint8_t *)exact_copy(image, size + more);
        memset(longer + size, (int)more, more);
        models_init(&b);
        memset(b.memory, 0, sizeof b.memory);
        memset(b.twin.memory, 0, sizeof b.twin.memory);
        CHECK(pcn_image_read(NULL, longer, size + more) == PCN_OK);
        CHECK(pcn_image_size(longer, HEADER) == size && pcn_image_size(longer, size + more) == size);
        if (kind == IPERCEPTRON) {
            CHECK(pcn_iperceptron_load(&b.twin.m, longer, size + more) == PCN_OK);
            CHECK(save(&b, kind, 0, again, ROOM) == size && memcmp(image, again, size) == 0);
        } else if (little_endian()) {
            CHECK(pcn_ilinear_open(&b.integer, longer, size + more) == PCN_OK);
            CHECK(pcn_ilinear_save(&b.integer, 0, again, ROOM) == size && memcmp(image, again, size) == 0);
        }
        free(longer);
    }
}

/* The class at a score of 0 is part of the image, of both kinds and all widths. */
static void check_zero_negative(void)
{
    uint32_t image[ROOM / 4];
    uint8_t *bytes = (uint8_t *)image;
    static models a;
    int kind, negative;
    size_t size;
    for (kind = ILINEAR; kind < KINDS; kind++)
        for (negative = 0; negative < 2; negative++) {
            pcn_ilinear m;
            models_init(&a);
            a.integer.zero_negative = a.twin.m.model.zero_negative = (uint8_t)negative;
            a.quantized[0].zero_negative = a.quantized[1].zero_negative = (uint8_t)negative;
            size = save(&a, (enum kind)kind, 0, image, ROOM);
            CHECK((get_word(bytes, AT_PARTS) & PCN_PART_ZERO_NEGATIVE) == (negative ? 512u : 0u));
            CHECK(pcn_ilinear_open(&m, image, size) == (little_endian() ? PCN_OK : PCN_EALIGN));
            if (little_endian()) CHECK(m.zero_negative == negative);
            a.twin.m.model.zero_negative = (uint8_t)!negative;
            if (kind > IPERCEPTRON) continue;
            CHECK(pcn_iperceptron_load(&a.twin.m, image, size) == PCN_OK);
            CHECK(a.twin.m.model.zero_negative == negative);
        }
}

/* A state that load would refuse is not saved. */
static void check_unsaved(void)
{
    static const int32_t bad[] = {PCN_IMAX + 1, -PCN_IMAX - 1, INT32_MAX, INT32_MIN};
    uint8_t image[ROOM], out[ROOM];
    static models a;
    size_t size, i, k;
    int kind;
    models_init(&a);
    for (kind = ILINEAR; kind <= IPERCEPTRON; kind++)
        for (i = 0; i < PCN_LENGTH(bad); i++)
            for (k = 0; k < IMAGE_WORDS; k++) {
                int32_t good = a.twin.memory[k];
                size = save(&a, (enum kind)kind, 0, image, ROOM);
                a.twin.memory[k] = bad[i];
                CHECK(save(&a, (enum kind)kind, 0, NULL, 0) == 0);
                CHECK(save(&a, (enum kind)kind, 0, out, ROOM) == 0);
                CHECK(save(&a, (enum kind)kind, size - 4, out, 4) == 0);
                CHECK(save(&a, (enum kind)kind, size - 1, out, 1) == 0);
                a.twin.memory[k] = good;
                CHECK(save(&a, (enum kind)kind, 0, out, ROOM) == size && memcmp(image, out, size) == 0);
            }
    a.bias[0][C - 1] = PCN_IMAX + 1;
    CHECK(save(&a, BITS_8, 0, NULL, 0) == 0 && save(&a, BITS_16, 0, NULL, 0) != 0);
    a.bias[1][0] = -PCN_IMAX - 1;
    CHECK(save(&a, BITS_16, 0, NULL, 0) == 0);
}

/* Models of any width with and without biases and scales: an image holds all of it, or there is none. */
static void check_saved_whole(void)
{
    static const int16_t x[F] = {-30000, 7, 12345};
    static const uint16_t scale[C] = {3, 1, 65535};
    uint32_t image[ROOM / 4];
    static models a;
    int kind, with;
    models_init(&a);
    for (kind = ILINEAR; kind < KINDS; kind++)
        for (with = 0; with < 4; with++) {
            pcn_ilinear m = kind <= IPERCEPTRON ? a.integer : a.quantized[kind == BITS_16], opened;
            int64_t before[C], after[C];
            size_t size;
            if (!(with & 1)) m.bias = NULL;
            m.scale = with & 2 ? scale : NULL;
            size = pcn_ilinear_save(&m, 0, NULL, 0);
            CHECK(pcn_ilinear_save(&m, 0, image, ROOM) == size);
            if (m.bits == 32 && !m.scale) CHECK(size != 0);
            if (m.bits != 32 && m.scale && m.bias) CHECK(size != 0);
            if (size == 0) continue;
            CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
            CHECK(size == PCN_INTEGER_IMAGE(F, C, get_word((const uint8_t *)image, AT_PARTS)));
            if (!little_endian() || pcn_ilinear_open(&opened, image, size) != PCN_OK) continue;
            pcn_ilinear_scores(&m, pcn_idense(x, F), before);
            pcn_ilinear_scores(&opened, pcn_idense(x, F), after);
            CHECK(memcmp(before, after, sizeof before) == 0);
        }
}

/* Lengths that no number here can hold. */
static void check_enormous(void)
{
    static models a;
    uint8_t image[ROOM];
    pcn_image info;
    int kind;
    models_init(&a);
    for (kind = 0; kind < KINDS; kind++) {
        size_t size = save(&a, (enum kind)kind, 0, image, sizeof image);
        put_word(image, AT_FEATURES, UINT32_MAX);
        put_word(image, AT_CLASSES, UINT32_MAX);
        if (kind == DUAL) put_word(image, AT_SLOTS, UINT32_MAX);
        put_checksum(image, size);
        CHECK(pcn_image_size(image, size) == 0);
        CHECK(pcn_image_read(&info, image, size) == PCN_EIMAGE);
        put_word(image, AT_CLASSES, 1u << 28); /* from 2^56 weights on none is told */
        put_word(image, kind == DUAL ? AT_SLOTS : AT_FEATURES, 1u << 28);
        CHECK(pcn_image_size(image, size) == 0);
        put_word(image, kind == DUAL ? AT_SLOTS : AT_FEATURES, (1u << 28) - 1);
        CHECK(pcn_image_size(image, size) >> 55 != 0);
    }
}

/* One word of a well-formed image, with a right checksum. */
static void check_forged(void)
{
    static const struct {
        enum kind kind;
        size_t at;
        uint32_t word;
        int expected;
    } c[] = {
        {ILINEAR, 0, 0x1a4e4351u, PCN_EIMAGE},
        {ILINEAR, AT_VERSION, 0, PCN_EIMAGE},
        {ILINEAR, AT_VERSION, 2, PCN_EVERSION},
        {BITS_8, AT_VERSION, 2, PCN_EVERSION},
        {IPERCEPTRON, AT_VERSION, ~0u, PCN_EVERSION},
        {ILINEAR, AT_KIND, 6, PCN_EIMAGE},
        {IPERCEPTRON, AT_KIND, PCN_KIND_ILINEAR, PCN_EIMAGE}, /* has sums */
        {BITS_8, AT_KIND, PCN_KIND_IPERCEPTRON, PCN_EIMAGE},
        {BITS_16, AT_KIND, PCN_KIND_LINEAR, PCN_EIMAGE},
        {ILINEAR, AT_PARTS, 0, PCN_EIMAGE}, /* the length tells */
        {ILINEAR, AT_PARTS, PCN_PART_BIAS | PCN_PART_FEATURE_MAJOR, PCN_EIMAGE},
        {ILINEAR, AT_PARTS, PCN_PART_BIAS | 2048, PCN_EVERSION},
        {IPERCEPTRON, AT_PARTS, PCN_PART_BIAS | PCN_PART_SUMS | 0x80000000u, PCN_EVERSION},
        {BITS_8, AT_PARTS, ~0u, PCN_EVERSION},
        {IPERCEPTRON, AT_PARTS, PCN_PART_SUMS, PCN_EIMAGE},
        {IPERCEPTRON, AT_PARTS, PCN_PART_BIAS, PCN_EIMAGE},
        {BITS_8, AT_PARTS, PCN_PART_BIAS | PCN_PART_16_BITS, PCN_EIMAGE},
        {BITS_8, AT_PARTS, PCN_PART_BIAS | PCN_PART_8_BITS | PCN_PART_16_BITS, PCN_EIMAGE},
        {BITS_8, AT_PARTS, PCN_PART_8_BITS, PCN_EIMAGE},
        {BITS_16, AT_PARTS, PCN_PART_BIAS | PCN_PART_8_BITS, PCN_EIMAGE},
        {BITS_16, AT_FEATURES, F + 1, PCN_EIMAGE},
        {ILINEAR, AT_FEATURES, F - 1, PCN_EIMAGE},
        {ILINEAR, AT_FEATURES, 0x40000000u + F, PCN_EIMAGE},
        {IPERCEPTRON, AT_CLASSES, 0, PCN_EIMAGE},
        {IPERCEPTRON, AT_CLASSES, 0x40000000u + C, PCN_EIMAGE},
        {BITS_8, AT_CLASSES, ~0u, PCN_EIMAGE},
        {ILINEAR, AT_SLOTS, 1, PCN_EIMAGE},
        {BITS_8, AT_ENTRIES, 1, PCN_EIMAGE},
        {ILINEAR, AT_CLOCK + 4, 1, PCN_EIMAGE},
        {IPERCEPTRON, AT_CLOCK + 4, 1, PCN_EIMAGE},
        {IPERCEPTRON, AT_CLOCK + 4, ~0u, PCN_EIMAGE},
        {ILINEAR, HEADER, 0x40000001u, PCN_EIMAGE}, /* beyond 2^30 */
        {ILINEAR, HEADER, 0xbfffffffu, PCN_EIMAGE},
        {IPERCEPTRON, HEADER + 4 * (F * C - 1), 0x7fffffffu, PCN_EIMAGE},
        {IPERCEPTRON, HEADER + 4 * F * C, 0x80000000u, PCN_EIMAGE},
        {IPERCEPTRON, HEADER + 4 * (IMAGE_WORDS - 1), 0x40000001u, PCN_EIMAGE},
        {BITS_8, HEADER + 12, 0x40000001u, PCN_EIMAGE},
        {BITS_16, HEADER + 20 + 4 * (C - 1), 0xbfffffffu, PCN_EIMAGE},
    };
    uint8_t image[ROOM];
    static models a;
    size_t i, size;
    models_init(&a);
    for (i = 0; i < PCN_LENGTH(c); i++) {
        size = save(&a, c[i].kind, 0, image, ROOM);
        put_word(image, c[i].at, c[i].word);
        put_checksum(image, size);
        refused(&a, image, size, c[i].expected);
    }
}

/* Trainers and quantised models have biases, though the length were right without. */
static void check_no_biases(void)
{
    uint8_t image[ROOM];
    static models a;
    models_init(&a);
    memcpy(image, golden_8_bits, sizeof golden_8_bits - 8); /* in the place of biases: scales */
    put_word(image, AT_PARTS, PCN_PART_8_BITS);
    put_checksum(image, sizeof golden_8_bits - 8);
    refused(&a, image, sizeof golden_8_bits - 8, PCN_EIMAGE);
    memcpy(image, golden_frozen, sizeof golden_frozen);
    put_word(image, AT_KIND, PCN_KIND_IPERCEPTRON);
    put_checksum(image, sizeof golden_frozen);
    refused(&a, image, sizeof golden_frozen, PCN_EIMAGE);
}

/* The ends of the range are in it. */
static void check_ends(void)
{
    static const struct {
        size_t at;
        uint32_t word;
    } c[] = {
        {HEADER, 0x40000000u},
        {HEADER, 0xc0000000u},
        {HEADER + 4 * F * C, 0x40000000u},
        {AT_CLOCK, ~0u},
    };
    uint8_t image[ROOM];
    static models a;
    size_t i, size;
    for (i = 0; i < PCN_LENGTH(c); i++) {
        models_init(&a);
        size = save(&a, IPERCEPTRON, 0, image, ROOM);
        put_word(image, c[i].at, c[i].word);
        put_checksum(image, size);
        CHECK(pcn_iperceptron_load(&a.twin.m, image, size) == PCN_OK);
        CHECK(pcn_iperceptron_save(&a.twin.m, 0, image, ROOM) == size);
        CHECK(get_word(image, c[i].at) == c[i].word);
    }
}

/* What has been taken from anywhere can be used. */
static void use(models *a)
{
    static const int16_t x[4] = {INT16_MIN, INT16_MAX, 1, -1};
    static const uint32_t index[2] = {0, 2};
    const pcn_ivec rows[] = {{NULL, NULL, 4}, {NULL, NULL, 0}, {x, NULL, 4}, {x, index, 2}};
    int32_t out[IMAGE_WORDS];
    uint32_t i;
    for (i = 0; i < PCN_LENGTH(rows); i++) {
        pcn_ivec x3 = rows[i];
        CHECK(pcn_ilinear_predict_class(&a->integer, rows[i]) < (int)a->integer.classes);
        if (x3.count > F) x3.count = F;
        CHECK(pcn_iperceptron_learn_class(&a->twin.m, x3, (int)i % C) >= 0);
    }
    (void)pcn_iperceptron_mean(&a->twin.m, out);
    for (i = 0; i < IMAGE_WORDS; i++) CHECK(out[i] >= -PCN_IMAX && out[i] <= PCN_IMAX);
}

/* Every bit of an image turned, with a right checksum: refused or taken, it does no harm. */
static void check_hostile(enum kind kind)
{
    uint8_t good[ROOM];
    static models a;
    size_t size, bit, taken = 0;
    models_init(&a);
    a.twin.m.margin = INT64_MAX;
    size = save(&a, kind, 0, good, ROOM);
    for (bit = 0; bit < 8 * (size - 4); bit++) {
        uint8_t *image = (uint8_t *)exact_copy(good, size);
        pcn_image info;
        int taker;
        image[bit / 8] ^= (uint8_t)(1u << bit % 8);
        put_checksum(image, size);
        models_init(&a);
        a.twin.m.rate = INT16_MAX;
        taken += pcn_image_read(&info, image, size) == PCN_OK;
        for (taker = 0; taker < TAKERS; taker++) (void)take(&a, (enum taker)taker, image, size);
        use(&a);
        free(image);
    }
    CHECK(taken > size); /* of 8 size */
}

/* ---- Images: windows, in place, and on ---- */

/* Every window of an image is that part of the whole, 0xff beyond the end. */
static void check_windows(enum kind kind)
{
    uint8_t whole[ROOM], page[ROOM];
    static models a;
    size_t total, from, size;
    models_init(&a);
    memset(whole, 0xff, sizeof whole);
    total = save(&a, kind, 0, NULL, 0);
    CHECK(save(&a, kind, 0, whole, total) == total && pcn_image_read(NULL, whole, total) == PCN_OK);
    for (from = 0; from < total + 6; from++)
        for (size = 0; size < total + 9 - from / 2; size++) {
            page[size] = 0xa5;
            CHECK(save(&a, kind, from, page, size) == total);
            CHECK(memcmp(page, whole + from, size) == 0 && page[size] == 0xa5);
        }
}

/* An opened model points into its image and scores as the one that was saved. */
static void check_open(void)
{
    static const int16_t x[F] = {-30000, 7, 12345};
    uint32_t image[ROOM / 4], odd[ROOM / 4 + 1];
    const uint8_t *bytes = (const uint8_t *)image;
    static models a, b;
    int64_t one[C], other_one[C];
    int kind;
    size_t size, offset;
    models_init(&a);
    for (kind = ILINEAR; kind <= IPERCEPTRON; kind++) {
        memset(&b, 0, sizeof b);
        size = save(&a, (enum kind)kind, 0, image, ROOM);
        CHECK(pcn_ilinear_open(&b.integer, image, size) == (little_endian() ? PCN_OK : PCN_EALIGN));
        if (!little_endian()) continue;
        CHECK((const uint8_t *)b.integer.weight == bytes + HEADER);
        CHECK((const uint8_t *)b.integer.bias == bytes + HEADER + 4 * F * C);
        CHECK(pcn_ilinear_predict_class(&a.integer, pcn_idense(x, F)) ==
              pcn_ilinear_predict_class(&b.integer, pcn_idense(x, F)));
        CHECK(b.integer.bits == 32 && b.integer.scale == NULL);
        pcn_ilinear_scores(&a.integer, pcn_idense(x, F), one);
        pcn_ilinear_scores(&b.integer, pcn_idense(x, F), other_one);
        CHECK(memcmp(one, other_one, sizeof one) == 0);
    }
    for (kind = BITS_8; little_endian() && kind <= BITS_16; kind++) {
        const pcn_ilinear *q = &a.quantized[kind == BITS_16], *o = &b.integer;
        int64_t saved[C], opened[C];
        size = save(&a, (enum kind)kind, 0, image, ROOM);
        CHECK(pcn_ilinear_open(&b.integer, image, size) == PCN_OK);
        CHECK((const uint8_t *)o->weight == bytes + HEADER && o->bits == q->bits);
        CHECK((const uint8_t *)o->bias == bytes + HEADER + (kind == BITS_8 ? 12 : 20));
        CHECK((const uint8_t *)o->scale == bytes + size - 12);
        pcn_ilinear_scores(q, pcn_idense(x, F), saved);
        pcn_ilinear_scores(o, pcn_idense(x, F), opened);
        CHECK(memcmp(saved, opened, sizeof saved) == 0);
        CHECK(pcn_ilinear_save(o, 0, odd, ROOM) == size && memcmp(odd, image, size) == 0);
    }
    {
        pcn_ilinear none = a.quantized[0];
        uint8_t *to = (uint8_t *)odd;
        none.bias = NULL; /* no image has such a model: nothing is written */
        memset(to, 0x5a, 64);
        CHECK(pcn_ilinear_save(&none, 0, to, 64) == 0 && to[0] == 0x5a && to[63] == 0x5a);
    }
    for (offset = 1; offset < 4; offset++) { /* load may be anywhere */
        uint8_t *at = (uint8_t *)odd + offset;
        memcpy(&b, &a, sizeof b);
        size = save(&a, BITS_8, 0, at, ROOM);
        CHECK(pcn_ilinear_open(&a.integer, at, size) == PCN_EALIGN);
        size = save(&a, IPERCEPTRON, 0, at, ROOM);
        CHECK(pcn_ilinear_open(&a.integer, at, size) == PCN_EALIGN && memcmp(&a, &b, sizeof a) == 0);
        CHECK(pcn_iperceptron_load(&a.twin.m, at, size) == PCN_OK);
    }
}

static void train(trainer *t, uint32_t from, uint32_t to)
{
    example r;
    for (; from < to; from++) {
        random_state = from + 1;
        random_example(&r, t->m.model.features, -3, 3);
        CHECK(learn(&t->m, r.few, (int)(random_bits() % (t->m.model.classes == 1 ? 2 : C))) >= 0);
    }
}

static int same_trainers(const trainer *a, const trainer *b)
{
    uint8_t one[4 * ROOM], other[4 * ROOM];
    size_t size = pcn_iperceptron_save(&a->m, 0, one, sizeof one);
    return size <= sizeof one && pcn_iperceptron_save(&b->m, 0, other, sizeof other) == size &&
           memcmp(one, other, size) == 0;
}

/* Interrupted or not, training ends at the same bytes. */
static void check_continue(uint32_t classes, enum option with)
{
    uint8_t image[4 * ROOM];
    trainer a, b;
    size_t size;
    trainer_init(&a, 17, classes, with);
    trainer_init(&b, 17, classes, with);
    train(&a, 0, 42);
    size = pcn_iperceptron_save(&a.m, 0, image, sizeof image);
    train(&b, 100, 113); /* what load replaces */
    CHECK(size <= sizeof image && pcn_iperceptron_load(&b.m, image, size) == PCN_OK);
    CHECK(same_trainers(&a, &b) && memcmp(a.memory, b.memory, sizeof a.memory) == 0);
    train(&a, 42, 91);
    train(&b, 42, 91);
    CHECK(same_trainers(&a, &b) && a.m.rows == 91 && b.m.clock == 91 && b.m.updates > 20);
    CHECK(memcmp(a.sum, b.sum, sizeof a.sum) == 0);
}

/* A frozen image is a start: its weights, and everything else as new. So is one without sums to a trainer
 * with them, but for its counts; one with sums is not for a trainer without. A setting is never loaded. */
static void check_start(void)
{
    uint8_t image[ROOM];
    trainer t, u, fresh;
    pcn_ilinear frozen;
    size_t size;
    int bias;
    trainer_init(&t, F, C, PLAIN);
    t.m.rate = 5;
    t.m.margin = t.m.bias_step = 3;
    train(&t, 0, 42);
    for (bias = 0; bias < 2; bias++) {
        frozen = t.m.model;
        if (!bias) frozen.bias = NULL;
        size = pcn_ilinear_save(&frozen, 0, image, ROOM);
        trainer_init(&fresh, F, C, AVERAGED);
        memcpy(fresh.memory, t.memory, (bias ? IMAGE_WORDS : F * C) * sizeof *fresh.memory);
        trainer_init(&u, F, C, AVERAGED);
        train(&u, 100, 113);
        CHECK(pcn_iperceptron_load(&u.m, image, size) == PCN_OK && same_trainers(&u, &fresh));
    }
    size = pcn_iperceptron_save(&t.m, 0, image, ROOM);
    CHECK(pcn_iperceptron_load(&u.m, image, size) == PCN_OK && u.m.rows == 42 && u.m.clock == 0);
    CHECK(memcmp(u.sum, fresh.sum, sizeof u.sum) == 0 && memcmp(u.memory, t.memory, sizeof t.memory) == 0);
    CHECK(u.m.rate == 1 && u.m.margin == 0 && u.m.bias_step == 1);
    size = pcn_iperceptron_save(&u.m, 0, image, ROOM);
    memcpy(&u, &t, sizeof t);
    CHECK(pcn_iperceptron_load(&t.m, image, size) == PCN_EMATCH && memcmp(&t, &u, sizeof t) == 0);
    trainer_init(&u, F + 1, C, AVERAGED);
    CHECK(pcn_iperceptron_load(&u.m, image, size) == PCN_EMATCH);
    trainer_init(&u, F, C - 1, AVERAGED);
    CHECK(pcn_iperceptron_load(&u.m, image, size) == PCN_EMATCH && u.m.rows == 0);
}

int main(void)
{
    uint32_t classes;
    int kind, with;
    check_golden_frozen();
    check_golden_trainer();
    check_golden_quantized();
    check_kinds();
    check_forged();
    check_enormous();
    check_no_biases();
    check_ends();
    for (kind = ILINEAR; kind < KINDS; kind++) {
        check_damage((enum kind)kind);
        check_longer((enum kind)kind);
        check_hostile((enum kind)kind);
        check_windows((enum kind)kind);
    }
    check_zero_negative();
    check_unsaved();
    check_saved_whole();
    check_open();
    for (classes = 1; classes <= K; classes += 2)
        for (with = PLAIN; with < OPTIONS; with++) check_continue(classes, (enum option)with);
    check_start();
    return report();
}
