/* Training runs of the integer twin, and float models quantised. */
#ifndef TARGETS_INTEGERS_H
#define TARGETS_INTEGERS_H

#include "training.h"

typedef struct integer_run {
    shape shape;
    uint8_t rate, options; /* AVERAGED */
} integer_run;

static integer_run integer;
static pcn_iperceptron twin;
static pcn_ilinear twin_mean;

static void integer_start(void)
{
    uint8_t with = integer.options;
    int bad = pcn_iperceptron_init(&twin, integer.shape.features, integer.shape.classes, memory.integer.weight,
                                   sizeof memory.integer.weight);
    if (with & AVERAGED) bad |= pcn_iperceptron_use_averaging(&twin, memory.integer.sum, sizeof memory.integer.sum);
    CHECK(bad == PCN_OK);
    twin.rate = integer.rate;
    twin.bias_step = 5;
}

/* The row in whole numbers up to 1,023 in size. */
static pcn_ivec whole_row(void)
{
    int16_t *value = memory.integer.value;
    uint32_t i;
    for (i = 0; i < row.x.count && row.x.value; i++) {
        value[i] = (int16_t)(bits_of(row.value[i]) >> 16 & 1023u);
        if (row.value[i] < 0) value[i] = (int16_t)-value[i];
    }
    return pcn_isparse(row.x.index, row.x.value ? value : NULL, row.x.count);
}

static int integer_learn(uint32_t number)
{
    (void)number;
    return pcn_iperceptron_learn(&twin, whole_row(), row.y);
}

static size_t integer_save(size_t from, void *out, size_t size)
{
    return pcn_iperceptron_save_part(&twin, from, out, size);
}

static int integer_load(const void *bytes, size_t size)
{
    return pcn_iperceptron_load(&twin, bytes, size);
}

static size_t integer_mean_save(size_t from, void *out, size_t size)
{
    return pcn_ilinear_save_part(&twin_mean, from, out, size);
}

static void hash_integer(int64_t number)
{
    hash_word((uint32_t)((uint64_t)number & UINT32_MAX));
    hash_word((uint32_t)((uint64_t)number >> 32));
}

static void integer_tell(void)
{
    int64_t score[K];
    int guess = pcn_ilinear_predict(&twin.live, whole_row());
    pcn_ilinear_scores(&twin.live, whole_row(), score);
    hash_integer(score[0]);
    hash_word(integer.shape.classes == 2 ? 0 : (uint32_t)guess); /* as in linear_tell */
    CHECK(integer.shape.classes > 2 || guess == (score[0] >= 0));
    if (!(integer.options & AVERAGED)) return;
    CHECK(pcn_iperceptron_final(&twin, &twin_mean, memory.integer.mean, sizeof memory.integer.mean) == PCN_OK);
    hash_image(integer_mean_save);
}

static void integers(void)
{
    static const learner l = {integer_start, integer_learn, integer_save, integer_load, integer_tell, 1};
    static const integer_run run[] = {
        {{N, 2, DENSE}, 1, AVERAGED},
        {{33, K, SPARSE}, 7, AVERAGED},
        {{9, K, DENSE}, 1, 0},
    };
    size_t i;
    for (i = 0; i < LENGTH(run); i++) {
        integer = run[i];
        trial(&l, &integer.shape);
    }
}

/* ---- Quantised models ---- */

static pcn_ilinear small_model;

static size_t quantized_save(size_t from, void *out, size_t size)
{
    return pcn_ilinear_save_part(&small_model, from, out, size);
}

static void quantized(void)
{
    static const linear_run run = {{33, K, DENSE}, PA_I, PREDICTED, 0};
    int32_t *frozen = memory.quantized.frozen, *second = memory.quantized.loaded;
    const size_t room = sizeof memory.quantized.frozen;
    int64_t score[K], other[K];
    uint32_t bits, i;
    size_t size;
    pcn_ilinear loaded;
    linear = run;
    linear_start();
    for (i = 0; i < ROWS; i++) {
        make_row(&linear.shape, i);
        CHECK(linear_learn(i) >= 0);
    }
    for (bits = 8; bits <= 16; bits += 8) {
        CHECK(pcn_ilinear_quantize(&small_model, &perceptron.live, bits, 0.001f, NULL, frozen, room) == PCN_OK);
        hash_image(quantized_save);
        pcn_ilinear_scores(&small_model, pcn_isparse(NULL, NULL, 33), score);
        hash_integer(score[0]);
        size = store_image(quantized_save);
        memmove(image() + 1, image(), size); /* at any place, on any machine */
        CHECK(pcn_ilinear_load(&loaded, second, room, image() + 1, size) == PCN_OK);
        pcn_ilinear_scores(&loaded, pcn_isparse(NULL, NULL, 33), other);
        CHECK(memcmp(score, other, sizeof score) == 0);
    }
}

#endif
