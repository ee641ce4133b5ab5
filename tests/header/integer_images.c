/* Images of integer and quantised models have the layout of examples/FORMAT.md, load in memory or open in place, and
 * training goes on bit for bit. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "integer.h"
#include "models.h"

/* ---- The layout ---- */

static void check_golden(void)
{
    /* clang-format off */
    static const uint32_t frozen_words[] = {HEAD_WORDS(4, 0, 2, 1), 0, 0, 0, 0, 0, 0, 0, 0, 1, (uint32_t)-2};
    static const uint32_t trainer_words[] = {
        HEAD_WORDS(5, 3, 1, 3), 3, 0, 2, 0, 1, 0, 0x04030201u, 0,        /* rows, updates, mistakes, clock */
        5, (uint32_t)-6, 7, 0x40000000u, 0xc0000000u, 0,                 /* weights 5, -6, 7, biases 2^30, -2^30, 0 */
        1, 0, (uint32_t)-2, ~0u, 3, 0, 0, 0x100, 0, 0xffffff00u, 0, ~0u, /* sums 1, -2, 3, 2^40, -2^40, -2^32 */
    };
    static const uint32_t words_8[] = { /* weights 1, -2, 127, -127, 0, 3, biases 7, -8, 9, scales 65535, 32768, 1 */
        HEAD_WORDS(4, 129, 2, 3), 0, 0, 0, 0, 0, 0, 0, 0, 0x817ffe01u, 0x300, 7, (uint32_t)-8, 9, 0x8000ffffu, 1};
    static const uint32_t words_16[] = { /* weights 1, -2, 32767, bias -9, scale 258 */
        HEAD_WORDS(4, 257, 3, 1), 0, 0, 0, 0, 0, 0, 0, 0, 0xfffe0001u, 0x7fff, (uint32_t)-9, 258};
    /* clang-format on */
    static const int32_t w[] = {1, -2}, bias8[] = {7, -8, 9}, bias16[] = {-9};
    static const int8_t w8[] = {1, -2, 127, -127, 0, 3};
    static const int16_t w16[] = {1, -2, 32767};
    static const uint16_t scale8[] = {65535, 32768, 1}, scale16[] = {258};
    const pcn_ilinear frozen = {w, NULL, NULL, 2, 1, 32, 0};
    const pcn_ilinear bytes = {w8, bias8, scale8, 2, 3, 8, 0}, halves = {w16, bias16, scale16, 3, 1, 16, 0};
    const int64_t sum[6] = {1, -2, 3, (int64_t)1 << 40, -((int64_t)1 << 40), -((int64_t)1 << 32)};
    uint8_t out[ROOM], again[ROOM];
    trainer t;
    size_t size, i;
    CHECK(is_words(out, pcn_ilinear_save(&frozen, out, ROOM), frozen_words, LENGTH(frozen_words)));
    CHECK(is_words(out, pcn_ilinear_save(&bytes, out, ROOM), words_8, LENGTH(words_8)));
    CHECK(is_words(out, pcn_ilinear_save(&halves, out, ROOM), words_16, LENGTH(words_16)));
    trainer_init(&t, 1, 3, AVERAGED);
    for (i = 0; i < 6; i++) t.memory[i] = (int32_t)trainer_words[16 + i];
    memcpy(t.sum, sum, sizeof sum);
    t.m.rows = 3;
    t.m.updates = 2;
    t.m.mistakes = 1;
    t.m.own.clock = 0x04030201;
    size = pcn_iperceptron_save(&t.m, out, ROOM);
    CHECK(is_words(out, size, trainer_words, LENGTH(trainer_words)));
    trainer_init(&t, 1, 3, AVERAGED);
    CHECK(pcn_iperceptron_load(&t.m, out, size) == PCN_OK && memcmp(t.sum, sum, sizeof sum) == 0);
    CHECK(t.m.rows == 3 && t.m.updates == 2 && t.m.mistakes == 1 && t.m.own.clock == 0x04030201);
    CHECK(pcn_iperceptron_save(&t.m, again, ROOM) == size && memcmp(out, again, size) == 0);
}

/* ---- Models of every width ---- */

/* A state that load would refuse is not saved. */
static void check_unsaved(void)
{
    enum { BIAS_8 = (F * C + 3) / 4, BIAS_16 = (2 * F * C + 3) / 4 }; /* behind weights that fill whole words */
    static const int32_t bad[] = {PCN_IMAX + 1, -PCN_IMAX - 1, INT32_MAX, INT32_MIN};
    uint8_t image[ROOM], out[ROOM];
    static models a;
    size_t size, i, k;
    int kind;
    models_init(&a, C, ROWS);
    for (kind = ILINEAR; kind <= IPERCEPTRON; kind++)
        for (i = 0; i < LENGTH(bad); i++)
            for (k = 0; k < IMAGE_WORDS; k++) {
                int32_t good = a.word[k];
                size = save(&a, (enum kind)kind, 0, image, ROOM);
                a.word[k] = bad[i];
                CHECK(save(&a, (enum kind)kind, 0, NULL, 0) == 0);
                CHECK(save(&a, (enum kind)kind, 0, out, ROOM) == 0 && save_whole(&a, (enum kind)kind, out, ROOM) == 0);
                CHECK(save(&a, (enum kind)kind, size - 4, out, 4) == 0);
                CHECK(save(&a, (enum kind)kind, size - 1, out, 1) == 0);
                a.word[k] = good;
                CHECK(save(&a, (enum kind)kind, 0, out, ROOM) == size && memcmp(image, out, size) == 0);
            }
    a.narrow[0][BIAS_8 + C - 1] = PCN_IMAX + 1;
    CHECK(save(&a, BITS_8, 0, NULL, 0) == 0 && save(&a, BITS_16, 0, NULL, 0) != 0);
    a.narrow[1][BIAS_16] = -PCN_IMAX - 1;
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
    models_init(&a, C, ROWS);
    for (kind = ILINEAR; kind <= BITS_16; kind++)
        for (with = 0; with < 4; with++) {
            pcn_ilinear m = kind <= IPERCEPTRON ? a.integer : a.quantized[kind == BITS_16], opened;
            int64_t before[C], after[C];
            size_t size;
            if (!(with & 1)) m.bias = NULL;
            m.scale = with & 2 ? scale : NULL;
            size = pcn_ilinear_save_part(&m, 0, NULL, 0);
            CHECK(pcn_ilinear_save(&m, image, ROOM) == size);
            if (m.bits == 32 && !m.scale) CHECK(size != 0);
            if (m.bits != 32 && m.scale && m.bias) CHECK(size != 0);
            if (size == 0) continue;
            CHECK(pcn_image_read(NULL, image, size) == PCN_OK);
            CHECK(size + (m.bias ? 0 : 4 * C) == PCN_ILINEAR_IMAGE(F, C, m.bits));
            if (!little_endian() || pcn_ilinear_open(&opened, image, size) != PCN_OK) continue;
            pcn_ilinear_scores(&m, pcn_idense(x, F), before);
            pcn_ilinear_scores(&opened, pcn_idense(x, F), after);
            CHECK(memcmp(before, after, sizeof before) == 0);
        }
}

/* Images of any kind and width are loaded from any address into exactly the memory that they need, on any machine. */
static void check_load(void)
{
    static const int16_t x[F] = {-30000, 7, 12345};
    uint8_t place[ROOM + 3], again[ROOM];
    static models a;
    int kind, offset;
    models_init(&a, C, ROWS);
    for (kind = ILINEAR; kind <= BITS_16; kind++)
        for (offset = 0; offset < 4; offset++) {
            const pcn_ilinear *from = kind >= BITS_8 ? &a.quantized[kind == BITS_16] : &a.integer;
            size_t size = save(&a, (enum kind)kind, 0, place + offset, ROOM), need = size - 68;
            uint8_t *image = (uint8_t *)malloc(size + 3);
            void *memory = malloc(need);
            int64_t saved[C], loaded[C];
            pcn_ilinear m, before;
            if (!image || !memory) abort();
            CHECK(kind == IPERCEPTRON || need == 4 * PCN_ILINEAR_NUMBERS(F, C, from->bits));
            memcpy(image + offset % 3, place + offset, size);
            memset(&m, 0x5a, sizeof m);
            memcpy(&before, &m, sizeof m);
            if (kind == IPERCEPTRON) {
                CHECK(pcn_ilinear_load(&m, memory, need, image + offset % 3, size) == PCN_EMEAN);
            } else {
                CHECK(pcn_ilinear_load(&m, memory, need - 1, image + offset % 3, size) == PCN_EMEMORY);
                CHECK(pcn_ilinear_load(&m, NULL, need, image + offset % 3, size) == PCN_EMEMORY);
                CHECK(pcn_ilinear_load(&m, memory, need, image + offset % 3, size - 1) == PCN_EIMAGE);
                CHECK(memcmp(&m, &before, sizeof m) == 0);
                CHECK(pcn_ilinear_load(&m, memory, need, image + offset % 3, size) == PCN_OK);
                CHECK(pcn_ilinear_save(&m, again, ROOM) == size && memcmp(again, place + offset, size) == 0);
                memset(image, 0, size + 3); /* nothing points there */
                pcn_ilinear_scores(from, pcn_idense(x, F), saved);
                pcn_ilinear_scores(&m, pcn_idense(x, F), loaded);
                CHECK(memcmp(saved, loaded, sizeof saved) == 0 && m.bits == from->bits);
            }
            free(image);
            free(memory);
        }
}

/* An image with the old mark of an integer Winnow, or any other part that there is not, is none; two scores are said. */
static void check_unknown(void)
{
    static const uint32_t parts[] = {4, 8, 16, 32, 64, 1024, 2048, 4096, 8192};
    uint32_t aligned[ROOM / 4];
    uint8_t *image = (uint8_t *)aligned;
    static models a;
    size_t size, i;
    int kind;
    models_init(&a, C, ROWS);
    for (kind = ILINEAR; kind <= BITS_16; kind++)
        for (i = 0; i < LENGTH(parts); i++) {
            size = save_whole(&a, (enum kind)kind, image, ROOM);
            put_word(image, AT_PARTS, get_word(image, AT_PARTS) | parts[i]);
            put_checksum(image, size);
            refused(&a, image, size, PCN_EIMAGE);
        }
    for (kind = ILINEAR; kind <= BITS_16; kind++) {
        size = save_whole(&a, (enum kind)kind, image, ROOM);
        put_word(image, AT_SCORES, 2);
        put_checksum(image, size);
        refused(&a, image, size, PCN_ESCORES);
        CHECK(pcn_ilinear_load(&a.integer, a.word, sizeof a.word, image, size) == PCN_ESCORES);
        CHECK(pcn_image_size(image, size) == 0);
    }
}

/* A model of two scores has no image. */
static void check_two_scores(void)
{
    static const int32_t w[6] = {1, 2, 3, 4, 5, 6};
    uint8_t image[ROOM];
    pcn_ilinear m = {w, w + 4, NULL, 2, 2, 32, 0};
    CHECK(pcn_ilinear_save_part(&m, 0, NULL, 0) == 0 && pcn_ilinear_save(&m, image, sizeof image) == 0);
    CHECK(pcn_ilinear_save_part(&m, 0, image, 64) == 0);
    m.scores = 3;
    m.features = 1;
    m.bias = w + 3;
    CHECK(pcn_ilinear_save_part(&m, 0, NULL, 0) == 68 + 24 && pcn_ilinear_save(&m, image, 92) == 92);
    CHECK(pcn_ilinear_save(&m, image, 91) == 0); /* too short: nothing that load would take */
    CHECK(pcn_ilinear_load(&m, NULL, 0, image, 91) == PCN_EIMAGE);
}

/* ---- In place, and on ---- */

/* An opened model points into its image and scores as the one that was saved. */
static void check_open(void)
{
    static const int16_t x[F] = {-30000, 7, 12345};
    uint32_t image[ROOM / 4], odd[ROOM / 4];
    const uint8_t *bytes = (const uint8_t *)image;
    static models a, b;
    int64_t one[C], other_one[C];
    int kind;
    size_t size;
    models_init(&a, C, ROWS);
    for (kind = ILINEAR; kind <= IPERCEPTRON; kind++) {
        memset(&b, 0, sizeof b);
        if (kind == IPERCEPTRON) a.twin.own.sum = NULL; /* an averaged one is PCN_EMEAN */
        size = save(&a, (enum kind)kind, 0, image, ROOM);
        CHECK(pcn_ilinear_open(&b.integer, image, size) == (little_endian() ? PCN_OK : PCN_EALIGN));
        if (!little_endian()) continue;
        CHECK((const uint8_t *)b.integer.weight == bytes + HEADER);
        CHECK((const uint8_t *)b.integer.bias == bytes + HEADER + 4 * F * C);
        CHECK(pcn_ilinear_predict(&a.integer, pcn_idense(x, F)) == pcn_ilinear_predict(&b.integer, pcn_idense(x, F)));
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
        CHECK(pcn_ilinear_save(o, odd, ROOM) == size && memcmp(odd, image, size) == 0);
    }
    {
        pcn_ilinear none = a.quantized[0];
        uint8_t *to = (uint8_t *)odd;
        none.bias = NULL; /* no image has such a model: nothing is written */
        memset(to, 0x5a, 64);
        CHECK(pcn_ilinear_save(&none, to, 64) == 0 && to[0] == 0x5a && to[63] == 0x5a);
    }
}

static void train(trainer *t, uint32_t from, uint32_t to)
{
    example r;
    for (; from < to; from++) {
        random_state = from + 1;
        random_example(&r, t->m.live.features, -3, 3);
        CHECK(pcn_iperceptron_learn(&t->m, r.few, (int)(random_bits() % PCN_CLASSES(t->m.live.scores))) >= 0);
    }
}

static int same_trainers(const trainer *a, const trainer *b)
{
    uint8_t one[4 * ROOM], other[4 * ROOM];
    size_t size = pcn_iperceptron_save(&a->m, one, sizeof one);
    return size != 0 && pcn_iperceptron_save(&b->m, other, sizeof other) == size && memcmp(one, other, size) == 0;
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
    size = pcn_iperceptron_save(&a.m, image, sizeof image);
    train(&b, 100, 113); /* what load replaces */
    b.m.refused = 77;    /* images know nothing of it */
    CHECK(size != 0 && pcn_iperceptron_load(&b.m, image, size) == PCN_OK && b.m.refused == 77);
    CHECK(same_trainers(&a, &b) && memcmp(a.memory, b.memory, sizeof a.memory) == 0);
    train(&a, 42, 91);
    train(&b, 42, 91);
    CHECK(same_trainers(&a, &b) && a.m.rows == 91 && b.m.own.clock == 91 && b.m.updates > 20);
    CHECK(memcmp(a.sum, b.sum, sizeof a.sum) == 0);
}

/* A trainer that is interrupted while it looks for the step of its bias goes on to look as it would have. An image by a
 * fixed step has found none: whoever loads it looks from the start, or has a step of its own. */
static void check_bias_state(void)
{
    uint8_t image[ROOM];
    trainer a, b;
    uint32_t stop, i;
    size_t size;
    for (stop = 0; stop < 40; stop++) {
        trainer_init(&a, 5, K, PLAIN);
        trainer_init(&b, 5, K, PLAIN);
        a.m.margin = b.m.margin = INT64_MAX;
        for (i = 0; i < 40; i++) {
            const int16_t x[5] = {(int16_t)(i * 70), 1, 0, (int16_t)(i * i), -2};
            if (i == stop) {
                size = pcn_iperceptron_save(&a.m, image, ROOM);
                CHECK(get_word(image, AT_ENTRIES) == a.m.bias_rows + 256u * a.m.bias_doubled);
                CHECK(a.m.bias_rows == (stop < 32 ? stop : 32) && pcn_iperceptron_load(&b.m, image, size) == PCN_OK);
            }
            CHECK(pcn_iperceptron_learn(&a.m, pcn_idense(x, 5), (int)(i % K)) == 1);
            if (i >= stop) CHECK(pcn_iperceptron_learn(&b.m, pcn_idense(x, 5), (int)(i % K)) == 1);
        }
        CHECK(same_trainers(&a, &b) && a.m.bias_rows == 32 && a.m.bias_doubled > 5);
    }
    trainer_init(&a, 5, K, PLAIN);
    a.m.bias_step = 9;
    train(&a, 0, 42);
    size = pcn_iperceptron_save(&a.m, image, ROOM);
    CHECK(a.m.updates > 20 && get_word(image, AT_ENTRIES) == 0 && pcn_iperceptron_load(&b.m, image, size) == PCN_OK);
    CHECK(b.m.bias_step == PCN_BIAS_OF_ROWS && b.m.bias_rows == 0 && b.m.bias_doubled == 0);
    train(&b, 0, 42);
    CHECK(b.m.bias_rows > 10 && b.m.bias_doubled > 0);
    a.m.bias_rows = 3;
    a.m.bias_doubled = 2;
    size = pcn_iperceptron_save(&a.m, image, ROOM);
    b.m.bias_step = 1000;
    CHECK(pcn_iperceptron_load(&b.m, image, size) == PCN_OK && b.m.bias_step == 1000);
    train(&b, 0, 42);
    CHECK(b.m.bias_rows == 3 && b.m.bias_doubled == 2);
}

/* What no trainer can have found is refused, and in a frozen model anything. */
static void check_forged_bias(void)
{
    static const uint32_t bad[] = {33, 255, 0x100, 0x302, 0xd20, 0xf20, 0x10000, 0x10020, UINT32_MAX, 0x80000001u};
    static const uint32_t good[] = {0, 1, 32, 0x101, 0x20c, 0xc0c, 0xc20};
    uint32_t aligned[ROOM / 4];
    uint8_t *image = (uint8_t *)aligned;
    static models a;
    size_t size, i;
    models_init(&a, C, ROWS);
    for (i = 0; i < LENGTH(bad) + LENGTH(good); i++) {
        const uint32_t entries = i < LENGTH(bad) ? bad[i] : good[i - LENGTH(bad)];
        const int expected = i < LENGTH(bad) ? PCN_EIMAGE : PCN_OK;
        size = save_whole(&a, IPERCEPTRON, image, ROOM);
        put_word(image, AT_ENTRIES, entries);
        put_checksum(image, size);
        CHECK(pcn_image_read(NULL, image, size) == expected && pcn_iperceptron_load(&a.twin, image, size) == expected);
        size = save_whole(&a, ILINEAR, image, ROOM);
        put_word(image, AT_ENTRIES, entries);
        put_checksum(image, size);
        if (entries != 0) refused(&a, image, size, PCN_EIMAGE);
    }
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
        frozen = t.m.live;
        if (!bias) frozen.bias = NULL;
        size = pcn_ilinear_save(&frozen, image, ROOM);
        trainer_init(&fresh, F, C, AVERAGED);
        memcpy(fresh.memory, t.memory, (bias ? IMAGE_WORDS : F * C) * sizeof *fresh.memory);
        trainer_init(&u, F, C, AVERAGED);
        train(&u, 100, 113);
        CHECK(pcn_iperceptron_load(&u.m, image, size) == PCN_OK && same_trainers(&u, &fresh));
    }
    size = pcn_iperceptron_save(&t.m, image, ROOM);
    CHECK(pcn_iperceptron_load(&u.m, image, size) == PCN_OK && u.m.rows == 42 && u.m.own.clock == 0);
    CHECK(memcmp(u.sum, fresh.sum, sizeof u.sum) == 0 && memcmp(u.memory, t.memory, sizeof t.memory) == 0);
    CHECK(u.m.rate == 1 && u.m.margin == 0 && u.m.bias_step == PCN_BIAS_OF_ROWS);
    size = pcn_iperceptron_save(&u.m, image, ROOM);
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
    int with;
    check_golden();
    check_unsaved();
    check_saved_whole();
    check_open();
    check_load();
    check_unknown();
    check_two_scores();
    for (classes = 2; classes <= K; classes++)
        for (with = PLAIN; with < OPTIONS; with++) check_continue(classes, (enum option)with);
    check_start();
    check_bias_state();
    check_forged_bias();
    return report();
}
