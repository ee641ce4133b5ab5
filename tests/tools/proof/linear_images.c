/* Linear images by weights: a valid header of any features and scores, images of up to MOST numbers behind it exactly
 * as long as that, of any bytes: their length, reading, opening and loading, and what was opened read to its end. */
#include <stddef.h>
#include <stdint.h>

#include "image.h"

enum { AT_VERSION = 4, AT_KIND = 8, AT_PARTS = 12, AT_FEATURES = 16, AT_SCORES = 20, AT_SLOTS = 24, AT_ENTRIES = 28 };
enum { MOST = 2, SIZE = PCNP_HEADER + 4 * MOST + 4 };

static void read_all(const float *p, size_t n)
{
    volatile float f;
    for (; n != 0; n--) f = *p++;
}

static void open_and_load(const uint8_t *image, size_t size)
{
    static float memory[PCN_PERCEPTRON_FLOATS(1, 2)], sum[PCN_AVERAGING_FLOATS(1, 2)];
    pcn_perceptron trainer;
    pcn_image info;
    pcn_linear m;
    pcn_image_read(&info, image, size);
    if (pcn_linear_open(&m, image, size) == PCN_OK) {
        read_all(m.weight, (size_t)m.features * m.scores);
        if (m.bias) read_all(m.bias, m.scores);
    }
    pcn_perceptron_init(&trainer, 1, 2, memory, sizeof memory);
    if (any_int32(0, 1)) pcn_perceptron_use_averaging(&trainer, sum, sizeof sum);
    pcn_perceptron_load(&trainer, image, size);
}

/* An image with these parts, exactly as long as its header says, if that is short enough. */
static void image_of(uint32_t kind, uint32_t parts, uint32_t features, uint32_t scores)
{
    static uint8_t image[SIZE];
    uint64_t length;
    any_bytes(image, SIZE);
    put(image, 0x1a4e4350);
    put(image + AT_VERSION, 1);
    put(image + AT_KIND, kind);
    put(image + AT_PARTS, parts);
    put_case(image + AT_FEATURES, features, MOST);
    put_case(image + AT_SCORES, scores, MOST);
    put(image + AT_SLOTS, 0);
    put(image + AT_ENTRIES, 0);
    length = pcn_image_size(image, PCNP_HEADER);
    if (length != 0 && length <= SIZE) open_and_load(image + (SIZE - length), (size_t)length);
}

static void images(uint32_t kind, uint32_t parts)
{
    uint32_t features, scores;
    //@ loop unroll 10;
    for (features = 0; features < MOST + 1 + RANGES; features++) {
        //@ loop unroll 10;
        for (scores = 0; scores < MOST + 1 + RANGES; scores++) image_of(kind, parts, features, scores);
    }
}

void frozen(void)
{
    images(PCN_KIND_LINEAR, 0);
    images(PCN_KIND_LINEAR, PCN_PART_BIAS);
}
