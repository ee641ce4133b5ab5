/* Images as bytes, for tests: words in them, their checksum, and copies without a byte to spare. */
#ifndef TEST_BYTES_H
#define TEST_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int little_endian(void)
{
    const uint32_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static inline uint32_t get_word(const uint8_t *image, size_t at)
{
    return image[at] | (uint32_t)image[at + 1] << 8 | (uint32_t)image[at + 2] << 16 |
           (uint32_t)image[at + 3] << 24;
}

static inline void put_word(uint8_t *image, size_t at, uint32_t word)
{
    int i;
    for (i = 0; i < 4; i++) image[at + (size_t)i] = (uint8_t)(word >> 8 * i);
}

static inline void put_checksum(uint8_t *image, size_t size)
{
    put_word(image, size - 4, pcn_crc32(0, image, size - 4));
}

/* On the heap, where a sanitizer sees what reads beyond it; free it. */
static inline void *exact_copy(const void *bytes, size_t size)
{
    void *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    return copy;
}

#endif
