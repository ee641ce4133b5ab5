/* Images of every kind: what is saved opens or loads again, whole and in windows (_save_part);
 * whatever is not a whole and fitting image is refused and changes nothing. Images of linear models have the layout
 * of examples/FORMAT.md word for word, and a loaded trainer learns on bit for bit. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "models.h"
#include "sums.h"

#include <float.h>

enum { N = 7, K = 3, MOST = 1024 };

#include "linear.h"

/* ---- Every kind of image, and every function that takes one ---- */

static const uint32_t kind_of[KINDS] = {1, 2, 2, 3, 4, 5, 4, 4, 6, 7};

static uint32_t entries_of(const models *a, enum kind kind)
{
    if (kind == IPERCEPTRON) return a->twin.bias_rows + 256u * a->twin.bias_doubled;
    return kind == DUAL ? a->dual.model.entries : 0;
}

/* Every image meets every function; whatever does not fit changes nothing. */
static void check_kinds(void)
{
    static const uint8_t fits[KINDS][TAKERS] = {
        /* 2: but it keeps a mean */
        {1, 1, 0, 0, 0, 0, 0, 0, 0}, /* LINEAR */
        {1, 1, 0, 0, 0, 0, 0, 0, 0}, /* PERCEPTRON */
        {2, 0, 1, 0, 0, 0, 0, 0, 0}, /* WHOLE */
        {0, 0, 0, 1, 1, 0, 0, 0, 0}, /* DUAL */
        {0, 0, 0, 0, 0, 1, 1, 0, 0}, /* ILINEAR */
        {0, 0, 0, 0, 0, 2, 1, 0, 0}, /* IPERCEPTRON */
        {0, 0, 0, 0, 0, 1, 0, 0, 0}, /* BITS_8 */
        {0, 0, 0, 0, 0, 1, 0, 0, 0}, /* BITS_16 */
        {0, 0, 0, 0, 0, 0, 0, 1, 0}, /* CALIBRATION */
        {0, 0, 0, 0, 0, 0, 0, 0, 1}, /* SCALER */
    };
    static const uint32_t parts[KINDS] = {1, 1, 15, 96, 1, 3, 129, 257, 0, 0};
    static models a, before;
    uint32_t image[ROOM / 4];
    int kind, taker;
    for (kind = 0; kind < KINDS; kind++)
        for (taker = 0; taker < TAKERS; taker++) {
            const int fit = fits[kind][taker];
            int expected = fit == 2 ? PCN_EMEAN : fit ? PCN_OK : PCN_EMATCH;
            size_t size;
            pcn_image i;
            models_init(&a, C, ROWS);
            size = image_of(&a, (enum kind)kind, (uint8_t *)image);
            CHECK(pcn_image_read(&i, image, size) == PCN_OK && i.version == 1);
            CHECK(i.features == (kind != CALIBRATION ? F : 0) && i.scores == (kind < CALIBRATION ? C : 1));
            CHECK(i.kind == kind_of[kind] && i.parts == parts[kind] && i.clock == get_word((uint8_t *)image, AT_CLOCK));
            CHECK(i.count.rows == (kind == LINEAR || kind == ILINEAR || kind > IPERCEPTRON ? 0 : ROWS));
            CHECK(i.slots == (kind == DUAL ? a.dual.model.slots : 0) && i.kernel_id == (kind == DUAL ? 3 : 0));
            CHECK(i.entries == entries_of(&a, (enum kind)kind));
            CHECK(i.cells == (kind == DUAL ? a.dual.own.cells : 0));
            memcpy(&before, &a, sizeof a);
            if (expected != PCN_EMEAN && !little_endian() && opens((enum taker)taker) &&
                !is_foreign((enum taker)taker, kind_of[kind]))
                expected = PCN_EALIGN;
            CHECK(take(&a, (enum taker)taker, image, size) == expected);
            if (expected != PCN_OK) CHECK(memcmp(&a, &before, sizeof a) == 0);
        }
}

static void check_damage(enum kind kind, uint32_t classes)
{
    static const uint32_t bad[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7f800001u, ~0u};
    uint8_t image[ROOM];
    static models a;
    size_t size, n, i;
    models_init(&a, classes, ROWS);
    size = image_of(&a, kind, image);
    for (n = 0; n < size; n++) refused(&a, image, n, PCN_EIMAGE);
    for (n = 0; n < 8 * size; n++) {
        image[n / 8] ^= (uint8_t)(1u << n % 8);
        i = newer(image) || (kind == DUAL && get_word(image, AT_FLAGS) > 3);
        refused(&a, image, size, i ? PCN_EVERSION : get_word(image, AT_SCORES) == 2 ? PCN_ESCORES : PCN_EIMAGE);
        image[n / 8] ^= (uint8_t)(1u << n % 8);
    }
    for (n = HEADER; (kind < DUAL || kind >= CALIBRATION) && n < size - 4;
         n += 4) { /* well-formed, but for one number */
        const uint32_t good = get_word(image, n);
        for (i = 0; i < LENGTH(bad); i++) {
            put_word(image, n, bad[i]);
            put_checksum(image, size);
            refused(&a, image, size, PCN_EIMAGE);
        }
        put_word(image, n, good);
        put_checksum(image, size);
    }
    CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
}

/* What lies behind an image is not looked at: zeros, anything, the next image. */
static void check_longer(enum kind kind, uint32_t classes)
{
    uint8_t image[ROOM + 16], again[ROOM];
    static models a, b;
    size_t size, more, i;
    models_init(&a, classes, ROWS);
    size = image_of(&a, kind, image);
    for (more = 0; more <= 3 * 16; more++) {
        uint8_t *longer;
        int result;
        for (i = 0; i < 16; i++) image[size + i] = more <= 16 ? 0 : more <= 32 ? (uint8_t)random_bits() : image[i];
        longer = (uint8_t *)exact_copy(image, size + more % 17);
        models_init(&b, classes, kind == DUAL ? 3 : 5);
        CHECK(pcn_image_read(NULL, longer, size + more % 17) == PCN_OK);
        result = take_home(&b, kind, longer, size + more % 17);
        CHECK(result == PCN_OK || (result == PCN_EALIGN && !little_endian()));
        if (result == PCN_OK) CHECK(image_of(&b, home_of(kind), again) == size && memcmp(image, again, size) == 0);
        free(longer);
    }
}

/* save writes all of an image, 0xff behind it, or says that it does not fit. */
static void check_whole(enum kind kind, uint32_t classes)
{
    uint8_t whole[ROOM], *out;
    static models a;
    size_t total, size, i;
    models_init(&a, classes, ROWS);
    total = image_of(&a, kind, whole);
    for (size = 0; size < total + 40; size++) {
        const size_t length = save_whole(&a, kind, out = (uint8_t *)exact_copy(whole, size), size);
        CHECK(length == (size < total ? 0 : total));
        if (length != 0) CHECK(memcmp(out, whole, total) == 0);
        for (i = length; length != 0 && i < size; i++) CHECK(out[i] == 0xff);
        if (length == 0) refused(&a, out, size, PCN_EIMAGE);
        free(out);
    }
    CHECK(save_whole(&a, kind, NULL, 0) == 0);
}

/* The same of a frozen kernel model. */
static void check_whole_support(uint32_t classes)
{
    static models a;
    uint8_t whole[ROOM], out[ROOM];
    size_t total, size;
    models_init(&a, classes, ROWS);
    total = pcn_kmodel_save_part(&a.support, 0, whole, sizeof whole);
    CHECK(total == pcn_kmodel_save_part(&a.support, 0, NULL, 0) && pcn_image_read(NULL, whole, total) == PCN_OK);
    for (size = 0; size < total; size++) CHECK(pcn_kmodel_save(&a.support, out, size) == 0);
    CHECK(pcn_kmodel_save(&a.support, out, size) == total && memcmp(out, whole, total) == 0);
    CHECK(pcn_kmodel_save(&a.support, out, sizeof out) == total && memcmp(out, whole, total) == 0);
}

/* Every window of an image is that part of the whole, 0xff beyond the end. */
static void check_windows(enum kind kind, uint32_t classes)
{
    uint8_t whole[ROOM];
    static models a;
    size_t total, from, size;
    models_init(&a, classes, ROWS);
    memset(whole, 0xff, sizeof whole);
    total = image_of(&a, kind, whole);
    for (from = 0; from < total + 6; from++)
        for (size = 0; size < total + 9 - from / 2; size++) {
            uint8_t *out = (uint8_t *)exact_copy(whole, size + 1);
            out[size] = 0xa5;
            CHECK(save(&a, kind, from, out, size) == total);
            CHECK(memcmp(out, whole + from, size) == 0 && out[size] == 0xa5);
            free(out);
        }
    memset(whole, 0, 16);
    CHECK(save(&a, kind, SIZE_MAX - 3, whole, 3) == total);
    CHECK(whole[0] == 0xff && whole[2] == 0xff && whole[3] == 0);
}

/* The length is in the header, of which 64 bytes tell it, of kernel models 104. */
static void check_sizes(enum kind kind, uint32_t classes)
{
    static const uint32_t bad[][2] = {
        {0, 0x1a4e4351u}, {AT_VERSION, 0}, {AT_VERSION, 2}, {AT_KIND, PCN_KIND_SCALER + 1}};
    const size_t needed = kind == DUAL ? HEAD : HEADER;
    uint8_t image[ROOM], *header;
    static models a;
    size_t size, have, rows;
    for (rows = 0; rows <= ROWS; rows += ROWS / 4) {
        models_init(&a, classes, (uint32_t)rows);
        size = image_of(&a, kind, image);
        for (have = 0; have <= size; have++) {
            header = (uint8_t *)exact_copy(image, have);
            CHECK(pcn_image_size(header, have) == (have < needed ? 0 : size));
            free(header);
        }
        for (have = 0; have < LENGTH(bad); have++) { /* no image, of no version, of a newer one, of no kind */
            header = (uint8_t *)exact_copy(image, needed);
            put_word(header, bad[have][0], bad[have][1]);
            CHECK(pcn_image_size(header, needed) == 0);
            free(header);
        }
    }
}

/* The class at a score of 0 is one bit of the image, whatever else there is; trainers take it from there. */
static void check_zero_negative(void)
{
    uint32_t words[ROOM / 4], other[ROOM / 4];
    uint8_t *image = (uint8_t *)words, *plain = (uint8_t *)other;
    static models a;
    size_t size;
    int kind, negative, result;
    for (kind = 0; kind < CALIBRATION; kind++)
        for (negative = 0; negative < 2; negative++) {
            const uint32_t place = kind == DUAL ? AT_FLAGS : AT_PARTS;
            const uint32_t bit = kind == DUAL ? 2 : PCN_PART_ZERO_NEGATIVE;
            uint8_t *flag[KINDS] = {NULL};
            models_init(&a, C, ROWS);
            flag[LINEAR] = &a.linear.zero_negative, flag[PERCEPTRON] = &a.perceptron.live.zero_negative;
            flag[WHOLE] = &a.whole.live.zero_negative, flag[DUAL] = &a.dual.model.zero_negative;
            flag[ILINEAR] = &a.integer.zero_negative, flag[IPERCEPTRON] = &a.twin.live.zero_negative;
            flag[BITS_8] = &a.quantized[0].zero_negative, flag[BITS_16] = &a.quantized[1].zero_negative;
            size = image_of(&a, (enum kind)kind, plain);
            CHECK((get_word(plain, place) & bit) == 0);
            *flag[kind] = (uint8_t)negative;
            if (negative) put_word(plain, place, get_word(plain, place) | bit);
            put_checksum(plain, size);
            CHECK(image_of(&a, (enum kind)kind, image) == size && memcmp(image, plain, size) == 0);
            result = take_home(&a, (enum kind)kind, words, size);
            CHECK(result == PCN_OK || (result == PCN_EALIGN && !little_endian()));
            *flag[home_of((enum kind)kind)] = (uint8_t)!negative;
            result = take_home(&a, (enum kind)kind, words, size);
            if (result == PCN_OK) CHECK(*flag[home_of((enum kind)kind)] == negative);
        }
}

/* A model is opened only where its numbers may stand, and loaded from anywhere. */
static void check_places(void)
{
    uint32_t words[ROOM / 4 + 1];
    uint8_t *odd = (uint8_t *)words;
    static models a, before;
    size_t size, offset;
    int kind, taker;
    for (kind = 0; kind < KINDS; kind++)
        for (offset = 0; offset < 4; offset++)
            for (taker = 0; taker < TAKERS; taker++) {
                int result;
                models_init(&a, C, ROWS);
                size = image_of(&a, (enum kind)kind, odd);
                result = take(&a, (enum taker)taker, odd, size);
                if (opens((enum taker)taker) && result == PCN_OK && offset != 0) result = PCN_EALIGN;
                models_init(&a, C, ROWS);
                memcpy(&before, &a, sizeof before);
                memmove(odd + offset, odd, size);
                CHECK(take(&a, (enum taker)taker, odd + offset, size) == result);
                if (result != PCN_OK) CHECK(memcmp(&a, &before, sizeof a) == 0);
            }
}

/* One word of a well-formed image, with a right checksum. */
static void check_forged(void)
{
    /* clang-format off */
    static const struct {
        enum kind kind;
        size_t at;
        uint32_t word;
        int expected;
    } c[] = {
        {WHOLE, 0, 0x1a4e4351u, PCN_EIMAGE}, {ILINEAR, 0, 0x1a4e4351u, PCN_EIMAGE},
        {WHOLE, 0, 0x4d4e4350u, PCN_EPROGRAM}, {ILINEAR, 0, 0x4d4e4350u, PCN_EPROGRAM}, {DUAL, 0, 0x4d4e4350u, PCN_EPROGRAM},
        {WHOLE, AT_VERSION, 0, PCN_EIMAGE}, {ILINEAR, AT_VERSION, 0, PCN_EIMAGE},
        {WHOLE, AT_VERSION, 2, PCN_EVERSION}, {WHOLE, AT_VERSION, ~0u, PCN_EVERSION},
        {ILINEAR, AT_VERSION, 2, PCN_EVERSION}, {BITS_8, AT_VERSION, 2, PCN_EVERSION},
        {IPERCEPTRON, AT_VERSION, ~0u, PCN_EVERSION},
        {WHOLE, AT_KIND, 0, PCN_EIMAGE}, {WHOLE, AT_KIND, 6, PCN_EIMAGE}, {WHOLE, AT_KIND, 7, PCN_EIMAGE}, {WHOLE, AT_KIND, 8, PCN_EVERSION}, {WHOLE, AT_KIND, ~0u, PCN_EVERSION},
        {DUAL, AT_KIND, 8, PCN_EVERSION}, {ILINEAR, AT_KIND, 8, PCN_EVERSION}, {ILINEAR, AT_KIND, 0, PCN_EIMAGE},
        {WHOLE, AT_KIND, PCN_KIND_LINEAR, PCN_EIMAGE}, /* has sums */
        {IPERCEPTRON, AT_KIND, PCN_KIND_ILINEAR, PCN_EIMAGE},
        {WHOLE, AT_KIND, PCN_KIND_KERNEL, PCN_EIMAGE}, {WHOLE, AT_KIND, PCN_KIND_ILINEAR, PCN_EIMAGE},
        {WHOLE, AT_KIND, PCN_KIND_IPERCEPTRON, PCN_EIMAGE}, {BITS_8, AT_KIND, PCN_KIND_IPERCEPTRON, PCN_EIMAGE},
        {BITS_16, AT_KIND, PCN_KIND_LINEAR, PCN_EIMAGE},
        {WHOLE, AT_PARTS, 16 + 7, PCN_EIMAGE}, {WHOLE, AT_PARTS, 6, PCN_EIMAGE}, /* trainers have biases */
        {WHOLE, AT_PARTS, 3, PCN_EIMAGE}, {WHOLE, AT_PARTS, 0, PCN_EIMAGE},
        {WHOLE, AT_PARTS, 32 + 7, PCN_EIMAGE}, {WHOLE, AT_PARTS, 64 + 7, PCN_EIMAGE}, /* of other kinds */
        {WHOLE, AT_PARTS, 128 + 7, PCN_EIMAGE}, {WHOLE, AT_PARTS, 256 + 7, PCN_EIMAGE},
        {WHOLE, AT_PARTS, 1024 + 7, PCN_EIMAGE},                                            /* with a batch */
        {WHOLE, AT_PARTS, 2048 + 7, PCN_EIMAGE}, {WHOLE, AT_PARTS, 4096 + 7, PCN_EIMAGE},   /* without exponents */
        {WHOLE, AT_PARTS, 16384 + 7, PCN_EIMAGE}, /* a trainer is not folded */
        {WHOLE, AT_PARTS, 0x10007u, PCN_EVERSION}, {WHOLE, AT_PARTS, 0x80000007u, PCN_EVERSION}, /* of none known */
        {ILINEAR, AT_PARTS, 0, PCN_EIMAGE}, /* the length tells */
        {ILINEAR, AT_PARTS, PCN_PART_BIAS | PCN_PART_FEATURE_MAJOR, PCN_EIMAGE},
        {ILINEAR, AT_PARTS, PCN_PART_BIAS | PCN_PART_BALANCED, PCN_EIMAGE},
        {ILINEAR, AT_PARTS, PCN_PART_BIAS | 4096, PCN_EIMAGE},
        {IPERCEPTRON, AT_PARTS, PCN_PART_BIAS | PCN_PART_SUMS | 4096, PCN_EIMAGE},
        {ILINEAR, AT_PARTS, PCN_PART_BIAS | 16384, PCN_EIMAGE},
        {ILINEAR, AT_PARTS, PCN_PART_BIAS | 0x10000u, PCN_EVERSION},
        {IPERCEPTRON, AT_PARTS, PCN_PART_BIAS | PCN_PART_SUMS | 0x80000000u, PCN_EVERSION},
        {BITS_8, AT_PARTS, ~0u, PCN_EVERSION},
        {IPERCEPTRON, AT_PARTS, PCN_PART_SUMS, PCN_EIMAGE}, {IPERCEPTRON, AT_PARTS, PCN_PART_BIAS, PCN_EIMAGE},
        {BITS_8, AT_PARTS, PCN_PART_BIAS | PCN_PART_16_BITS, PCN_EIMAGE},
        {BITS_8, AT_PARTS, PCN_PART_BIAS | PCN_PART_8_BITS | PCN_PART_16_BITS, PCN_EIMAGE},
        {BITS_8, AT_PARTS, PCN_PART_8_BITS, PCN_EIMAGE},
        {BITS_16, AT_PARTS, PCN_PART_BIAS | PCN_PART_8_BITS, PCN_EIMAGE},
        {WHOLE, AT_FEATURES, 0, PCN_EIMAGE}, {WHOLE, AT_FEATURES, F - 1, PCN_EIMAGE},
        {WHOLE, AT_FEATURES, ~0u, PCN_EIMAGE}, {WHOLE, AT_FEATURES, 0x40000000u + F, PCN_EIMAGE},
        {WHOLE, AT_FEATURES, 0x80000000u + F, PCN_EIMAGE},
        {BITS_16, AT_FEATURES, F + 1, PCN_EIMAGE}, {ILINEAR, AT_FEATURES, F - 1, PCN_EIMAGE},
        {ILINEAR, AT_FEATURES, 0x40000000u + F, PCN_EIMAGE},
        {WHOLE, AT_SCORES, 0, PCN_EIMAGE}, {WHOLE, AT_SCORES, 1, PCN_EIMAGE}, {WHOLE, AT_SCORES, ~0u, PCN_EIMAGE},
        {WHOLE, AT_SCORES, 0x40000000u + C, PCN_EIMAGE}, {WHOLE, AT_SCORES, 0x80000000u + C, PCN_EIMAGE},
        {WHOLE, AT_SCORES, 2, PCN_ESCORES}, {LINEAR, AT_SCORES, 2, PCN_ESCORES}, {DUAL, AT_SCORES, 2, PCN_ESCORES},
        {ILINEAR, AT_SCORES, 2, PCN_ESCORES}, {IPERCEPTRON, AT_SCORES, 2, PCN_ESCORES},
        {BITS_8, AT_SCORES, 2, PCN_ESCORES}, {BITS_16, AT_SCORES, 2, PCN_ESCORES},
        {DUAL, AT_SCORES, 0, PCN_EIMAGE}, {IPERCEPTRON, AT_SCORES, 0, PCN_EIMAGE},
        {IPERCEPTRON, AT_SCORES, 0x40000000u + C, PCN_EIMAGE}, {BITS_8, AT_SCORES, ~0u, PCN_EIMAGE},
        {WHOLE, AT_SLOTS, 1, PCN_EIMAGE}, {WHOLE, AT_ENTRIES, 0x80000000u, PCN_EIMAGE},
        {ILINEAR, AT_SLOTS, 1, PCN_EIMAGE}, {BITS_8, AT_ENTRIES, 1, PCN_EIMAGE},
        {DUAL, AT_SLOTS, ~0u, PCN_EIMAGE}, {DUAL, AT_ENTRIES, ~0u, PCN_EIMAGE}, {DUAL, AT_CELLS, ~0u, PCN_EIMAGE},
        {DUAL, AT_GAMMA, 0x7fc00000u, PCN_EIMAGE}, {DUAL, AT_GAMMA, 0xbf800000u, PCN_EIMAGE}, /* NaN, -1 */
        {DUAL, AT_PARTS, 96 | PCN_PART_ZERO_NEGATIVE, PCN_EIMAGE}, /* the flag has another place */
        {DUAL, AT_PARTS, PCN_PART_SPARSE, PCN_EIMAGE}, /* has entries */
        {DUAL, AT_FLAGS, 4, PCN_EVERSION},
        {WHOLE, AT_CLOCK + 4, 17, PCN_EIMAGE}, {WHOLE, AT_CLOCK + 4, ~0u, PCN_EIMAGE}, /* more rows than 2^36 */
        {ILINEAR, AT_CLOCK + 4, 1, PCN_EIMAGE}, {IPERCEPTRON, AT_CLOCK + 4, 1, PCN_EIMAGE},
        {IPERCEPTRON, AT_CLOCK + 4, ~0u, PCN_EIMAGE},
        {ILINEAR, HEADER, 0x40000001u, PCN_EIMAGE}, {ILINEAR, HEADER, 0xbfffffffu, PCN_EIMAGE}, /* beyond 2^30 */
        {IPERCEPTRON, HEADER + 4 * (F * C - 1), 0x7fffffffu, PCN_EIMAGE},
        {IPERCEPTRON, HEADER + 4 * F * C, 0x80000000u, PCN_EIMAGE},
        {IPERCEPTRON, HEADER + 4 * (IMAGE_WORDS - 1), 0x40000001u, PCN_EIMAGE},
        {BITS_8, HEADER + 12, 0x40000001u, PCN_EIMAGE},
        {BITS_16, HEADER + 20 + 4 * (C - 1), 0xbfffffffu, PCN_EIMAGE},
        {SCALER, AT_PARTS, PCN_PART_BIAS, PCN_EIMAGE}, {SCALER, AT_FEATURES, F - 1, PCN_EIMAGE},
        {SCALER, AT_FEATURES, F + 1, PCN_EIMAGE}, {SCALER, AT_FEATURES, ~0u, PCN_EIMAGE},
        {SCALER, AT_SCORES, 0, PCN_EIMAGE}, {SCALER, AT_SCORES, 2, PCN_ESCORES}, {SCALER, AT_SCORES, 3, PCN_EIMAGE},
        {SCALER, AT_SLOTS, 1, PCN_EIMAGE}, {SCALER, AT_ENTRIES, 1, PCN_EIMAGE},
        {SCALER, AT_KIND, PCN_KIND_LINEAR, PCN_EIMAGE}, {SCALER, AT_KIND, PCN_KIND_CALIBRATION, PCN_EIMAGE},
        {CALIBRATION, AT_PARTS, PCN_PART_BIAS, PCN_EIMAGE}, {CALIBRATION, AT_FEATURES, 1, PCN_EIMAGE},
        {CALIBRATION, AT_SCORES, 0, PCN_EIMAGE}, {CALIBRATION, AT_SCORES, 2, PCN_ESCORES}, {CALIBRATION, AT_SCORES, 3, PCN_EIMAGE},
        {CALIBRATION, AT_SLOTS, 1, PCN_EIMAGE}, {CALIBRATION, AT_ENTRIES, 1, PCN_EIMAGE},
        {CALIBRATION, AT_KIND, PCN_KIND_LINEAR, PCN_EIMAGE}, {CALIBRATION, AT_KIND, 8, PCN_EVERSION},
        {CALIBRATION, HEADER, 0x80000000u, PCN_EIMAGE}, {CALIBRATION, HEADER, 0xbf800000u, PCN_EIMAGE}, /* a < 0 */
        {CALIBRATION, HEADER + 8, 0x80000001u, PCN_EIMAGE}, {CALIBRATION, HEADER + 8, 0x41000001u, PCN_EIMAGE}, /* c > 8 */
        {CALIBRATION, HEADER + 16, 0xff7fffffu, PCN_EIMAGE}, {CALIBRATION, HEADER + 24, 0x80000001u, PCN_EIMAGE},
        {CALIBRATION, HEADER + 28, 4097, PCN_EIMAGE}, {CALIBRATION, HEADER + 28, 0x3f800000u, PCN_EIMAGE},
        {CALIBRATION, HEADER, 0x7f7fffffu, PCN_OK}, {CALIBRATION, HEADER + 4, 0xff7fffffu, PCN_OK},
        {CALIBRATION, HEADER + 8, 0x41000000u, PCN_OK},
        {CALIBRATION, HEADER + 12, 0x80000000u, PCN_OK}, {CALIBRATION, HEADER + 28, 4096, PCN_OK},
        {WHOLE, AT_CLOCK + 4, 16, PCN_OK}, /* the ends are in the range */
        {IPERCEPTRON, AT_CLOCK, ~0u, PCN_OK},
        {IPERCEPTRON, HEADER, 0x40000000u, PCN_OK}, {IPERCEPTRON, HEADER, 0xc0000000u, PCN_OK},
        {IPERCEPTRON, HEADER + 4 * F * C, 0x40000000u, PCN_OK},
    };
    /* clang-format on */
    uint8_t image[ROOM], again[ROOM];
    static models a;
    size_t i, size;
    for (i = 0; i < LENGTH(c); i++) {
        models_init(&a, C, ROWS);
        size = image_of(&a, c[i].kind, image);
        put_word(image, c[i].at, c[i].word);
        if (c[i].kind == WHOLE && c[i].at == AT_CLOCK + 4) put_word(image, AT_CLOCK, 0);
        put_checksum(image, size);
        if (c[i].expected != PCN_OK) {
            refused(&a, image, size, c[i].expected);
            continue;
        }
        CHECK(pcn_image_read(NULL, image, size) == PCN_OK && take_home(&a, c[i].kind, image, size) == PCN_OK);
        CHECK(image_of(&a, home_of(c[i].kind), again) == size && memcmp(image, again, size) == 0);
    }
    for (i = 0; i < 3; i++) { /* trainers and quantised models have biases, though the length were right without */
        const enum kind kind = i == 0 ? LINEAR : i == 1 ? ILINEAR : BITS_8;
        models_init(&a, C, ROWS);
        if (kind == LINEAR) a.linear.bias = NULL;
        if (kind == ILINEAR) a.integer.bias = NULL;
        size = save(&a, kind, 0, image, ROOM) - (kind == BITS_8 ? 4 * C : 0);
        put_word(image, AT_KIND, kind_of[kind] + (kind != BITS_8));
        put_word(image, AT_PARTS, kind == BITS_8 ? PCN_PART_8_BITS : 0);
        put_checksum(image, size);
        refused(&a, image, size, PCN_EIMAGE);
    }
    CHECK(pcn_image_read(NULL, NULL, 100) == PCN_EIMAGE);
}

/* Well-formed images of two scores, all numbers of which are 0: no function takes one, whatever it is for. Of a newer
 * version, they are that. */
static void check_two_scores(void)
{
    static const struct {
        uint32_t kind, parts, features, words; /* words: behind the header */
    } c[] = {
        {PCN_KIND_LINEAR, PCN_PART_BIAS, F, 2 * (F + 1)},
        {PCN_KIND_LINEAR, 0, F, 2 * F},
        {PCN_KIND_LINEAR, PCN_PART_BIAS | PCN_PART_FEATURE_MAJOR, F, 2 * (F + 1)},
        {PCN_KIND_PERCEPTRON, PCN_PART_BIAS, F, 2 * (F + 1)},
        {PCN_KIND_PERCEPTRON, PCN_PART_BIAS | PCN_PART_SUMS | PCN_PART_BATCH, F, 8 * (F + 1)},
        {PCN_KIND_KERNEL, 0, F, 10},
        {PCN_KIND_KERNEL, PCN_PART_SPARSE | PCN_PART_LOG, F, 10},
        {PCN_KIND_ILINEAR, PCN_PART_BIAS, F, 2 * (F + 1)},
        {PCN_KIND_ILINEAR, PCN_PART_BIAS | PCN_PART_8_BITS, F, 2 + 2 + 1},
        {PCN_KIND_ILINEAR, PCN_PART_BIAS | PCN_PART_16_BITS, F, 3 + 2 + 1},
        {PCN_KIND_IPERCEPTRON, PCN_PART_BIAS | PCN_PART_SUMS, F, 6 * (F + 1)},
    };
    static models a;
    uint32_t words[ROOM / 4];
    uint8_t *image = (uint8_t *)words;
    size_t i;
    models_init(&a, C, ROWS);
    for (i = 0; i < LENGTH(c); i++) {
        const size_t size = HEADER + 4 * c[i].words + 4;
        const uint32_t head[] = {HEAD_WORDS(c[i].kind, c[i].parts, c[i].features, 2)};
        int32_t memory[32];
        pcn_ilinear m;
        size_t k;
        memset(words, 0, sizeof words);
        for (k = 0; k < LENGTH(head); k++) put_word(image, 4 * k, head[k]);
        if (c[i].kind == PCN_KIND_KERNEL) put_word(image, HEADER, 1); /* a linear kernel */
        put_checksum(image, size);
        refused(&a, image, size, PCN_ESCORES);
        CHECK(pcn_ilinear_load(&m, memory, sizeof memory, image, size) == PCN_ESCORES);
        CHECK(pcn_image_size(image, size) == 0);
        put_word(image, AT_SCORES, 3); /* only the length is wrong now, but not that of no slots */
        put_checksum(image, size);
        CHECK(pcn_image_read(NULL, image, size) == (c[i].kind == PCN_KIND_KERNEL ? PCN_OK : PCN_EIMAGE));
        put_word(image, AT_SCORES, 2);
        put_word(image, AT_VERSION, 2);
        put_checksum(image, size);
        refused(&a, image, size, PCN_EVERSION);
    }
}

/* Lengths that no number here can hold. */
static void check_enormous(void)
{
    static models a;
    uint8_t image[ROOM];
    int kind;
    models_init(&a, C, ROWS);
    for (kind = 0; kind < CALIBRATION; kind++) {
        const size_t size = image_of(&a, (enum kind)kind, image), many = kind == DUAL ? AT_SLOTS : AT_FEATURES;
        put_word(image, AT_FEATURES, UINT32_MAX);
        put_word(image, AT_SCORES, UINT32_MAX);
        put_word(image, many, UINT32_MAX);
        put_checksum(image, size);
        CHECK(pcn_image_size(image, size) == 0);
        refused(&a, image, size, PCN_EIMAGE);
        put_word(image, AT_SCORES, 1u << 28); /* from 2^56 weights on none is told */
        put_word(image, many, 1u << 28);
        CHECK(pcn_image_size(image, size) == 0);
        put_word(image, many, (1u << 28) - 1);
        CHECK(pcn_image_size(image, size) >> 55 != 0);
    }
}

/* ---- Linear models ---- */

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
        y = (int)((bits >> 3) % PCN_CLASSES(m->live.scores));
        CHECK(pcn_perceptron_learn(m, pcn_dense(x, m->live.features), y) >= 0);
        if (m->own.batch && from % 4 == 3) CHECK(pcn_perceptron_apply_batch(m, 0.25f) >= 0);
    }
}

/* By the header's macros, to which a model's scores are as good as its classes; state: exponents or variances. */
static size_t length_of(const pcn_linear *m, const float *sum, const float *batch, unsigned state)
{
    const uint32_t classes = PCN_CLASSES(m->scores);
    unsigned parts = state;
    if (sum) parts |= PCN_PART_SUMS;
    if (batch) parts |= PCN_PART_BATCH;
    CHECK(PCN_PERCEPTRON_IMAGE(m->features, classes, parts) == PCN_PERCEPTRON_IMAGE(m->features, m->scores, parts));
    CHECK(PCN_PERCEPTRON_IMAGE(m->features, classes, 0) == PCN_LINEAR_IMAGE(m->features, classes));
    return PCN_PERCEPTRON_IMAGE(m->features, classes, parts) - (m->bias ? 0 : 4 * m->scores);
}

static size_t save_trainer(const trainer *t, uint8_t *out)
{
    size_t size = pcn_perceptron_save_part(&t->m, 0, NULL, 0);
    if (size > MOST) abort();
    if (size != 0)
        CHECK(size == length_of(&t->m.live, t->m.own.sum, t->m.own.batch, t->m.own.state ? PCN_PART_EXPONENTS : 0));
    CHECK(pcn_perceptron_save(&t->m, out, size) == size);
    return size;
}

/* ---- Linear models: the layout ---- */

static void check_golden(void)
{
    /* clang-format off */
    static const uint32_t frozen_words[] = {HEAD_WORDS(1, 0, 2, 1), 0, 0, 0, 0, 0, 0, 0, 0, 0x3fc00000u, 0xc0000000u};
    static const uint32_t words[] = {
        HEAD_WORDS(2, 15, 1, 3), 3, 0, 2, 0, 1, 0, 0x02030405u, 1, /* rows, updates, mistakes, clock */
        0x3f800000u, 0xc0000000u, 0x40400000u,                     /* weights 1, -2, 3 */
        0x3f000000u, 0xbe800000u, 0x3fc00000u,                     /* biases 0.5, -0.25, 1.5 */
        0x3f800000u, 0x40000000u, 0x40400000u, 0x40800000u, 0x40a00000u, 0x40c00000u, /* sums 1 to 6, */
        0x40e00000u, 0x41000000u, 0x41100000u, 0x41200000u, 0x41300000u, 0x41400000u, /* their low parts 7 to 12 */
        0xbf800000u, 0, 1, 0x40000000u, 0, 0x677fffffu, /* batch -1, 0, 2^-149, 2, 0, the next below 2^80 */
    };
    /* clang-format on */
    static const float weight[2] = {1.5f, -2};
    const pcn_linear frozen = {weight, NULL, 2, 1, 0, 0, 0};
    uint8_t out[MOST], again[MOST];
    trainer t;
    size_t i;
    CHECK(is_words(out, pcn_linear_save(&frozen, out, MOST), frozen_words, LENGTH(frozen_words)));
    trainer_init(&t, 1, 3, 15, 1);
    for (i = 0; i < 6; i++) t.memory[i] = from_bits(words[16 + i]), t.batch[i] = from_bits(words[34 + i]);
    for (i = 0; i < 12; i++) t.sum[i] = (float)(i + 1);
    t.m.learner.count.rows = 3;
    t.m.learner.count.updates = 2;
    t.m.learner.count.mistakes = 1;
    t.m.learner.clock = 0x0102030405u;
    CHECK(is_words(out, save_trainer(&t, out), words, LENGTH(words)));
    trainer_init(&t, 1, 3, 15, 1);
    CHECK(pcn_perceptron_load(&t.m, out, sizeof words + 4) == PCN_OK && t.m.learner.clock == 0x0102030405u);
    CHECK(t.m.learner.count.rows == 3 && t.m.learner.count.updates == 2 && t.m.learner.count.mistakes == 1);
    CHECK(save_trainer(&t, again) == sizeof words + 4 && memcmp(out, again, sizeof words + 4) == 0 && t.sum[11] == 12);
    t.batch[5] = FLT_MAX; /* learning makes no number of 2^80 or more */
    CHECK(pcn_perceptron_save_part(&t.m, 0, NULL, 0) == 0 && pcn_perceptron_save(&t.m, again, MOST) == 0);
    put_word(out, 4 * 39, 0x7f7fffffu);
    put_checksum(out, sizeof words + 4);
    CHECK(pcn_image_read(NULL, out, sizeof words + 4) == PCN_EIMAGE);
}

/* A folded model says so, wherever it is saved, and no trainer loads it. The last weights and the mean are not
 * folded. */
static void check_mark(void)
{
    static const float weight[2] = {1.5f, -2};
    static const float bias[1] = {1};
    pcn_linear folded = {weight, bias, 2, 1, 0, 0, 1}, opened;
    float mean[3];
    trainer t, was;
    uint32_t words[MOST / 4];
    uint8_t *out = (uint8_t *)words;
    size_t size = pcn_linear_save(&folded, out, MOST);
    CHECK(get_word(out, AT_PARTS) == (PCN_PART_BIAS | PCN_PART_FOLDED) && pcn_image_read(NULL, out, size) == PCN_OK);
    trainer_init(&t, 2, 2, PCN_PART_BIAS | PCN_PART_SUMS, 0);
    memcpy(&was, &t, sizeof t);
    CHECK(pcn_perceptron_load(&t.m, out, size) == PCN_EFOLDED && memcmp(&was, &t, sizeof t) == 0);
    CHECK(pcn_linear_open(&opened, out, size) == PCN_OK && opened.folded == 1 && opened.zero_negative == 0);
    folded.folded = 0;
    size = pcn_linear_save(&folded, out, MOST);
    CHECK(get_word(out, AT_PARTS) == PCN_PART_BIAS && pcn_perceptron_load(&t.m, out, size) == PCN_OK);
    memset(&opened, 0xff, sizeof opened);
    CHECK(pcn_perceptron_final(&t.m, &opened, mean, sizeof mean) == PCN_OK && opened.folded == 0);
}

/* Bit by bit. */
static uint32_t plain_crc(uint32_t crc, const uint8_t *p, size_t size)
{
    int bit;
    crc = ~crc;
    for (; size != 0; size--)
        for (crc ^= *p++, bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0);
    return ~crc;
}

static void check_crc(void)
{
    static const size_t lengths[] = {2040, 2047, 2048, 2049, 2056, 4095, 4097, 19001, 19993};
    static uint8_t many[20000];
    uint32_t whole;
    size_t i, k, size;
    CHECK(pcn_crc32(0, "123456789", 9) == 0xcbf43926u);
    CHECK(pcn_crc32(pcn_crc32(0, "1234", 4), "56789", 5) == 0xcbf43926u);
    CHECK(pcn_crc32(0, NULL, 0) == 0);
    for (i = 0; i < 256; i++) many[i] = (uint8_t)i; /* zlib says: */
    CHECK(pcn_crc32(0, many, 256) == 0x29058c73u);
    for (i = 0; i < 256; i++) { /* each byte alone, and after and before others */
        CHECK(pcn_crc32((uint32_t)i << 24, many + i, 1) == plain_crc((uint32_t)i << 24, many + i, 1));
        memset(many + 256, (int)i, 4096);
        CHECK(pcn_crc32(0, many + i, 4096) == plain_crc(0, many + i, 4096));
    }
    for (i = 0; i < sizeof many; i++) many[i] = (uint8_t)random_bits();
    for (k = 0; k < LENGTH(lengths); k++) /* any length from any place after any bytes */
        for (i = 0; i < 8; i++) {
            uint32_t before = random_bits();
            CHECK(pcn_crc32(before, many + i, lengths[k]) == plain_crc(before, many + i, lengths[k]));
        }
    for (size = sizeof many - 16; size <= sizeof many; size++) { /* at once, in short pieces, in two */
        uint32_t crc = 0;
        whole = plain_crc(0, many, size);
        for (i = 0; i < size; i += 1000) crc = pcn_crc32(crc, many + i, size - i < 1000 ? size - i : 1000);
        CHECK(crc == whole && pcn_crc32(0, many, size) == whole);
        for (i = size % 1000; i < size; i += 1777) CHECK(pcn_crc32(pcn_crc32(0, many, i), many + i, size - i) == whole);
    }
}

/* ---- Linear models: round trips ---- */

static void check_continue(uint32_t classes, unsigned parts)
{
    static uint8_t image[MOST], again[MOST];
    trainer a, b;
    size_t size;
    trainer_init(&a, N, classes, parts, 1);
    trainer_init(&b, N, classes, parts, 1);
    train(&a, 0, 42);
    size = save_trainer(&a, image);
    train(&b, 100, 113); /* what load replaces */
    CHECK(pcn_perceptron_load(&b.m, image, size) == PCN_OK);
    CHECK(save_trainer(&b, again) == size && memcmp(image, again, size) == 0);
    CHECK(b.m.learner.count.rows == 42 && b.m.learner.count.updates == a.m.learner.count.updates);
    train(&a, 42, 91);
    train(&b, 42, 91);
    size = save_trainer(&a, image);
    CHECK(save_trainer(&b, again) == size && memcmp(image, again, size) == 0);
}

/* A setting is never saved or loaded. What a score of 0 means is not one: it belongs to the model. */
static void check_settings(void)
{
    uint8_t image[MOST];
    trainer a, b;
    trainer_init(&a, N, 2, 0, 1);
    trainer_init(&b, N, 2, 0, 1);
    a.m.learner.rule = pcn_rule_pa(3);
    a.m.learner.bias_input = 2;
    a.m.live.zero_negative = a.m.learner.zero_predicted = 1;
    CHECK(pcn_perceptron_load(&b.m, image, save_trainer(&a, image)) == PCN_OK);
    CHECK(b.m.learner.rule.step == pcn_rule_fixed(1).step && b.m.learner.rule.rate == 1);
    CHECK(b.m.learner.rule.margin == 0 && b.m.learner.bias_input == 1 && b.m.learner.zero_predicted == 0);
    CHECK(b.m.live.zero_negative == 1);
    a.m.live.zero_negative = 0;
    b.m.learner.rule.margin = 2;
    b.m.learner.bias_input = 3;
    b.m.learner.zero_predicted = 1;
    CHECK(pcn_perceptron_load(&b.m, image, save_trainer(&a, image)) == PCN_OK);
    CHECK(b.m.learner.rule.margin == 2 && b.m.learner.bias_input == 3 && b.m.learner.zero_predicted == 1);
    CHECK(b.m.live.zero_negative == 0);
}

/* Of a trainer's image: the weights are not those that predict if it keeps a mean, or if a batch waits for them. */
static int open_result(const trainer *t)
{
    const uint32_t n = t->m.own.batch ? (uint32_t)PCN_LINEAR_FLOATS(N, t->m.live.scores) : 0;
    if (t->m.own.sum) return PCN_EMEAN;
    if (!little_endian()) return PCN_EALIGN;
    return pcn_norm2(pcn_dense(t->batch, n)) != 0 ? PCN_EBATCH : PCN_OK;
}

/* A model in its image gives the scores of the live one; both kinds, all parts, no copy. */
static void check_open(uint32_t classes, unsigned parts)
{
    static const float x[N] = {0.3f, -1, 2, 0.7f, -5, 1e-3f, 9};
    uint8_t bytes[MOST], again[MOST];
    float live[K], opened[K];
    trainer t;
    int kind;
    trainer_init(&t, N, classes, parts, 1);
    train(&t, 0, 44); /* a batch is empty */
    pcn_linear_scores(&t.m.live, pcn_dense(x, N), live);
    for (kind = 0; kind < 3; kind++) { /* trainer, frozen, frozen without biases */
        pcn_linear frozen = t.m.live, m;
        size_t size;
        void *image;
        int result;
        memset(&m, 0, sizeof m);
        if (kind == 2) frozen.bias = NULL;
        size = kind == 0 ? save_trainer(&t, bytes) : pcn_linear_save(&frozen, bytes, MOST);
        CHECK(size != 0 && (kind == 0 || size == length_of(&frozen, NULL, NULL, 0)));
        image = exact_copy(bytes, size);
        result = pcn_linear_open(&m, image, size);
        CHECK(result == (kind == 0 ? open_result(&t) : little_endian() ? PCN_OK : PCN_EALIGN));
        CHECK(result != PCN_EBATCH);
        if (result == PCN_OK) {
            const uint8_t *weight = (const uint8_t *)m.weight;
            CHECK(weight == (const uint8_t *)image + HEADER && (m.bias == NULL) == (kind == 2));
            CHECK(m.features == N && m.scores == PCN_SCORES(classes));
            CHECK(m.zero_negative == ((parts & PCN_PART_ZERO_NEGATIVE) != 0));
            if (kind == 2) pcn_linear_scores(&frozen, pcn_dense(x, N), live);
            pcn_linear_scores(&m, pcn_dense(x, N), opened);
            CHECK(memcmp(live, opened, m.scores * sizeof *live) == 0);
            if (kind != 0) CHECK(pcn_linear_save(&m, again, MOST) == size && memcmp(again, bytes, size) == 0);
        }
        free(image);
    }
}

static int open_of(const trainer *t, pcn_linear *m)
{
    uint32_t words[MOST / 4];
    const size_t size = save_trainer(t, (uint8_t *)words);
    return pcn_linear_open(m, words, size);
}

/* A batch that has collected something, be it 2^-149 in its last place, bars open. Applied, or discarded, it does
 * not; nor does -0. */
static void check_open_batch(uint32_t classes, unsigned parts)
{
    const size_t last = PCN_LINEAR_FLOATS(N, classes) - 1;
    const int good = parts & PCN_PART_SUMS ? PCN_EMEAN : little_endian() ? PCN_OK : PCN_EALIGN;
    const int bad = good == PCN_OK ? PCN_EBATCH : good;
    pcn_linear m, before;
    trainer t;
    size_t i;
    memset(&m, 0x5a, sizeof m);
    before = m;
    trainer_init(&t, N, classes, parts | PCN_PART_BATCH, 1);
    train(&t, 0, 43);
    t.batch[last] = 1; /* surely not empty */
    CHECK(open_of(&t, &m) == bad && memcmp(&m, &before, sizeof m) == 0);
    CHECK(pcn_perceptron_apply_batch(&t.m, 0.25f) == 1 && open_of(&t, &m) == good);
    for (i = 0; i <= last; i++) {
        m = before;
        t.batch[i] = i % 2 ? from_bits(1) : -1;
        CHECK(open_of(&t, &m) == bad && memcmp(&m, &before, sizeof m) == 0);
        CHECK(pcn_perceptron_discard_batch(&t.m) == PCN_OK && open_of(&t, &m) == good);
        t.batch[i] = -0.0f;
        CHECK(open_of(&t, &m) == good);
    }
    trainer_init(&t, N, classes, parts | PCN_PART_BATCH, 1); /* nothing learned */
    CHECK(open_of(&t, &m) == good);
}

/* A frozen image is a start: weights and biases, everything else as new. */
static void check_start(unsigned parts)
{
    uint8_t image[MOST], fresh[MOST], started[MOST];
    trainer t, u;
    size_t size;
    int bias;
    trainer_init(&t, N, K, parts & (PCN_PART_FEATURE_MAJOR | PCN_PART_ZERO_NEGATIVE), 1);
    train(&t, 0, 42);
    for (bias = 0; bias < 2; bias++) {
        pcn_linear frozen = t.m.live;
        if (!bias) {
            frozen.bias = NULL;
            memset(t.memory + N * K, 0, K * sizeof(float));
        }
        size = pcn_linear_save(&frozen, image, MOST);
        trainer_init(&u, N, K, parts, 1);
        train(&u, 100, 113);
        CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
        size = save_trainer(&u, started);
        trainer_init(&u, N, K, parts, 1);
        memcpy(u.memory, t.memory, PCN_LINEAR_FLOATS(N, K) * sizeof(float));
        CHECK(save_trainer(&u, fresh) == size && memcmp(fresh, started, size) == 0);
        CHECK(u.m.learner.count.rows == 0 && u.m.learner.clock == 0);
    }
}

/* Arrays that the trainer has and the image has not start empty. */
static void check_fewer_parts(void)
{
    uint8_t image[MOST];
    trainer t, u;
    size_t i;
    trainer_init(&t, N, K, 0, 1);
    train(&t, 0, 42);
    trainer_init(&u, N, K, PCN_PART_SUMS | PCN_PART_BATCH, 1);
    train(&u, 100, 113);
    CHECK(pcn_perceptron_load(&u.m, image, save_trainer(&t, image)) == PCN_OK);
    CHECK(memcmp(u.memory, t.memory, PCN_LINEAR_FLOATS(N, K) * sizeof(float)) == 0);
    CHECK(u.m.learner.count.rows == 42 && u.m.learner.clock == 0);
    for (i = 0; i < LENGTH(u.sum); i++) CHECK(u.sum[i] == 0);
    for (i = 0; i < LENGTH(u.batch); i++) CHECK(u.batch[i] == 0);
}

/* ---- Linear models: refusals ---- */

/* A trainer does not take the image and does not change. */
static void not_taken(const uint8_t *bytes, size_t size, trainer *t)
{
    uint8_t *image = (uint8_t *)exact_copy(bytes, size);
    const trainer before = *t;
    pcn_linear m;
    CHECK(pcn_image_read(NULL, image, size) == PCN_EIMAGE && pcn_linear_open(&m, image, size) == PCN_EIMAGE);
    CHECK(pcn_perceptron_load(&t->m, image, size) == PCN_EIMAGE && memcmp(t, &before, sizeof before) == 0);
    free(image);
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
    const size_t numbers = PCN_LINEAR_FLOATS(3, 3);
    uint8_t image[MOST], out[MOST], page[16];
    trainer t, u;
    size_t i, k, size;
    trainer_init(&t, 3, 3, parts, 1);
    train(&t, 0, 42);
    size = save_trainer(&t, image);
    for (k = 0; k < numbers; k++)
        for (i = 0; i < LENGTH(c); i++) {
            const size_t expected = c[i].good ? size : 0;
            uint32_t before = get_word(image, HEADER + 4 * k);
            float number = t.memory[k];
            put_word(image, HEADER + 4 * k, c[i].word);
            put_checksum(image, size);
            if (!c[i].good) not_taken(image, size, &t);
            t.memory[k] = from_bits(c[i].word);
            CHECK(pcn_perceptron_save_part(&t.m, 0, NULL, 0) == expected);
            CHECK(pcn_perceptron_save(&t.m, out, MOST) == expected);
            CHECK(!c[i].good || memcmp(out, image, size) == 0);
            CHECK(pcn_perceptron_save(&t.m, out, size) == expected && pcn_perceptron_save(&t.m, out, size - 1) == 0);
            CHECK(pcn_perceptron_save_part(&t.m, size - 4, page, 4) == expected);
            CHECK(pcn_perceptron_save_part(&t.m, size - 4, page, 16) == expected);
            CHECK(pcn_perceptron_save_part(&t.m, 0, page, 16) == size); /* known at the end only */
            CHECK(pcn_perceptron_save_part(&t.m, 0, out, size - 4) == size);
            CHECK(pcn_perceptron_save_part(&t.m, size, page, 16) == size);
            CHECK((pcn_linear_save_part(&t.m.live, 0, NULL, 0) != 0) == c[i].good);
            CHECK((pcn_linear_save(&t.m.live, out, MOST) != 0) == c[i].good);
            if (c[i].good) {
                trainer_init(&u, 3, 3, parts, 1);
                CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
                CHECK(memcmp(u.memory, t.memory, numbers * sizeof(float)) == 0);
            }
            t.memory[k] = number;
            put_word(image, HEADER + 4 * k, before);
        }
    t.m.learner.clock = ((uint64_t)1 << 36) + 1;
    CHECK((pcn_perceptron_save(&t.m, out, MOST) == 0) == ((parts & PCN_PART_SUMS) != 0));
    CHECK((pcn_perceptron_save_part(&t.m, 0, NULL, 0) == 0) == ((parts & PCN_PART_SUMS) != 0));
    t.m.learner.clock--;
    CHECK(pcn_perceptron_save_part(&t.m, 0, NULL, 0) == size);
}

/* A sum is below 2^81 (clock + 1), taken up to a power of two; so is each lower part. Then every mean is below 2^84. */
static void check_sums(void)
{
    static const struct {
        uint64_t clock;
        int doubled; /* 2^doubled is the least power of two above the clock */
    } c[] = {{0, 0}, {1, 1}, {2, 2}, {3, 2}, {41, 6}, {255, 8}, {256, 9}, {(uint64_t)1 << 36, 37}};
    const size_t first = HEADER + 4 * PCN_LINEAR_FLOATS(3, 3), sums = PCN_AVERAGING_FLOATS(3, 3);
    uint8_t image[MOST], out[MOST];
    float mean[PCN_LINEAR_FLOATS(3, 3)];
    trainer t;
    size_t i, k, j, size;
    trainer_init(&t, 3, 3, PCN_PART_SUMS, 1);
    for (i = 0; i < LENGTH(c); i++)
        for (k = 0; k < sums; k++) {
            const uint32_t end = 0x68000000u + ((uint32_t)c[i].doubled << 23);
            const uint32_t bad[] = {end, end | 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, ~(uint32_t)0};
            trainer_init(&t, 3, 3, PCN_PART_SUMS, 1);
            t.m.learner.clock = c[i].clock;
            size = save_trainer(&t, image);
            put_word(image, first + 4 * k, (end - 1) | (k % 2 ? 0x80000000u : 0));
            put_checksum(image, size);
            CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
            CHECK(pcn_perceptron_load(&t.m, image, size) == PCN_OK && save_trainer(&t, out) == size);
            CHECK(memcmp(out, image, size) == 0);
            (void)final_of(&t.m, mean);
            for (j = 0; j < LENGTH(mean); j++) CHECK(mean[j] > -0x1p84f && mean[j] < 0x1p84f);
            for (j = 0; j < LENGTH(bad); j++) {
                float sum = t.sum[k];
                put_word(image, first + 4 * k, bad[j]);
                put_checksum(image, size);
                not_taken(image, size, &t);
                t.sum[k] = from_bits(bad[j]);
                CHECK(pcn_perceptron_save_part(&t.m, 0, NULL, 0) == 0 && pcn_perceptron_save(&t.m, out, MOST) == 0);
                t.sum[k] = sum;
            }
        }
    trainer_init(&t, 3, 3, PCN_PART_SUMS, 1);
    train(&t, 0, 42);
    t.sum[5] = 1e31f;
    CHECK(pcn_perceptron_save_part(&t.m, 0, NULL, 0) == 0);
}

/* 2^30 + 3 scores are as long as 3, for who counts bytes in 32 bits. */
static void check_no_features(void)
{
    uint8_t image[MOST];
    trainer t;
    size_t size;
    trainer_init(&t, 0, K, 0, 1);
    size = save_trainer(&t, image);
    CHECK(size == HEADER + 4 * K + 4 && pcn_perceptron_load(&t.m, image, size) == PCN_OK);
    put_word(image, AT_SCORES, 0x40000000u + K);
    put_checksum(image, size);
    not_taken(image, size, &t);
}

/* A Winnow trainer has exponents; no other image gives it any. What they mean depends on the balance. */
static void check_match_winnow(void)
{
    uint8_t image[MOST];
    float exponent[PCN_LINEAR_FLOATS(N, K)], balanced[PCN_LINEAR_FLOATS(N, K)];
    trainer t, u, before;
    trainer_init(&t, 4, 3, 0, 1);
    trainer_init(&u, 4, 3, 0, 1);
    CHECK(pcn_perceptron_use_winnow(&u.m, 1, 0, exponent, sizeof exponent) == PCN_OK);
    before = u;
    CHECK(pcn_perceptron_load(&u.m, image, save_trainer(&t, image)) == PCN_EMATCH);
    CHECK(memcmp(&u, &before, sizeof u) == 0);
    CHECK(pcn_perceptron_load(&t.m, image, save_trainer(&u, image)) == PCN_EMATCH);
    CHECK(pcn_perceptron_load(&u.m, image, save_trainer(&u, image)) == PCN_OK);
    CHECK(pcn_perceptron_use_winnow(&t.m, 1, 1, balanced, sizeof balanced) == PCN_OK);
    before = u;
    CHECK(pcn_perceptron_load(&u.m, image, save_trainer(&t, image)) == PCN_EMATCH);
    CHECK(get_word(image, AT_PARTS) == 2048 + 17);
    CHECK(memcmp(&u, &before, sizeof u) == 0);
    CHECK(pcn_perceptron_load(&t.m, image, save_trainer(&t, image)) == PCN_OK);
    CHECK(pcn_perceptron_load(&t.m, image, save_trainer(&u, image)) == PCN_EMATCH && get_word(image, AT_PARTS) == 17);
}

/* With one score both layouts are the same, and so are their images. */
static void check_match_layouts(void)
{
    uint8_t image[MOST], other[MOST];
    trainer t, u;
    size_t size;
    trainer_init(&t, 4, 2, 0, 1);
    trainer_init(&u, 4, 2, PCN_PART_FEATURE_MAJOR, 1);
    train(&t, 0, 42);
    size = save_trainer(&t, image);
    CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK && u.m.live.by_feature == 1);
    CHECK(save_trainer(&u, other) == size && memcmp(other, image, size) == 0);
    put_word(image, AT_PARTS, PCN_PART_BIAS | PCN_PART_FEATURE_MAJOR); /* superfluous */
    put_checksum(image, size);
    CHECK(pcn_perceptron_load(&t.m, image, size) == PCN_OK && t.m.live.by_feature == 0);
    CHECK(pcn_perceptron_load(&u.m, image, size) == PCN_OK);
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
    trainer_init(&t, 4, 3, PCN_PART_SUMS | PCN_PART_BATCH, 1);
    train(&t, 0, 42);
    size = save_trainer(&t, image);
    for (i = 0; i < LENGTH(c); i++) {
        trainer_init(&u, c[i].features, c[i].classes, c[i].parts, 1);
        train(&u, 100, 113);
        before = u;
        CHECK(pcn_perceptron_load(&u.m, image, size) == c[i].expected);
        CHECK((memcmp(&u, &before, sizeof u) == 0) == (c[i].expected != PCN_OK));
    }
}

int main(void)
{
    unsigned set; /* of sums, batch, feature-major; zero_negative */
    uint32_t classes;
    int kind;
    check_crc();
    for (kind = 0; kind < KINDS; kind++)
        for (classes = 2; classes <= C; classes++) {
            check_damage((enum kind)kind, classes);
            check_longer((enum kind)kind, classes);
            check_whole((enum kind)kind, classes);
            check_windows((enum kind)kind, classes);
            check_sizes((enum kind)kind, classes);
        }
    check_whole_support(2);
    check_whole_support(C);
    check_kinds();
    check_zero_negative();
    check_places();
    check_forged();
    check_two_scores();
    check_enormous();
    check_golden();
    check_mark();
    for (classes = 2; classes <= K; classes++)
        for (set = 0; set < 16; set++) {
            unsigned parts = (set & 7) << 1 | (set & 8 ? (unsigned)PCN_PART_ZERO_NEGATIVE : 0);
            check_continue(classes, parts);
            check_open(classes, parts);
            if (!(parts & PCN_PART_BATCH)) check_open_batch(classes, parts);
        }
    for (set = 0; set < 8; set++) {
        check_start(set << 1);
        check_start(set << 1 | PCN_PART_ZERO_NEGATIVE);
        check_numbers(set << 1);
    }
    check_settings();
    check_fewer_parts();
    check_no_features();
    check_sums();
    check_match();
    check_match_winnow();
    check_match_layouts();
    return report();
}
