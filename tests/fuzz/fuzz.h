/* What the fuzz targets share. A target is fuzz_one; the bytes of its input decide everything. tests/fuzz/fuzz.sh builds
 * each with libFuzzer, or with main.c, which replays files. Arrays are exactly as long as they must be, on the heap,
 * so that a sanitizer sees each step beyond them. */
#ifndef FUZZ_H
#define FUZZ_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct input {
    const uint8_t *at, *end;
} input;

/* The next byte; 0 behind the end. */
static inline uint8_t take(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

/* 0 .. n - 1 */
static inline uint32_t take_below(input *in, uint32_t n)
{
    return take(in) % n;
}

static inline uint32_t take_word(input *in)
{
    uint32_t word = 0;
    int i;
    for (i = 0; i < 4; i++) word |= (uint32_t)take(in) << 8 * i;
    return word;
}

static inline float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Mostly quarters of small whole numbers; the others are what breaks arithmetic. */
static inline float float_of_byte(uint8_t byte)
{
    static const uint32_t hostile[] = {
        0x80000000u, 0x00000001u, 0x80000001u, 0x007fffffu, 0x00800000u, 0x00800001u, /* -0, denormals, normals */
        0x3f7fffffu, 0x3f800001u, 0x3eaaaaabu, 0x3dcccccdu, 0x4b7fffffu, 0x4b800000u, /* about 1; 1/3, 0.1, 2^24 */
        0x5a7fffffu, 0x5a800000u, 0x677fffffu, 0x67800000u, 0xe7800000u, 0x7b800000u, /* 2^54, 2^80, 2^120 */
        0x1e3ce508u, 0x501502f9u, 0xd01502f9u, 0x60ad78ecu, 0x7f61b1e6u, 0xff7fffffu, /* 1e-20, 1e10, 1e20, 3e38 */
        0x7f7fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00000u, 0x7f800001u, /* infinity, NaN */
    };
    const uint8_t tame = (uint8_t)(256 - sizeof hostile / sizeof hostile[0]);
    return byte >= tame ? float_of(hostile[byte - tame]) : (float)(byte < 113 ? byte : 113 - byte) / 4;
}

static inline float take_float(input *in)
{
    return float_of_byte(take(in));
}

static inline int is_finite(float f)
{
    return (bits_of(f) & 0x7f800000u) != 0x7f800000u;
}

/* Memory for `size` bytes and no more, filled with bytes that are no sensible number. */
static inline void *room(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p) abort();
    memset(p, 0xa5, size);
    return p;
}

static inline float *floats(size_t n)
{
    return (float *)room(n * sizeof(float));
}

static inline int same(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static inline void *copy_of(const void *bytes, size_t size)
{
    void *p = room(size);
    if (size) memcpy(p, bytes, size);
    return p;
}

#endif
