/* Images as bytes, for tests: words in them, their checksum, and copies without a byte to spare. */
#ifndef TEST_BYTES_H
#define TEST_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Offsets of the documented header; from 64 on those of kernel models. */
enum { AT_VERSION = 4, AT_KIND = 8, AT_PARTS = 12, AT_FEATURES = 16, AT_SCORES = 20, AT_SLOTS = 24, AT_ENTRIES = 28 };
enum { AT_CLOCK = 56, HEADER = 64, AT_GAMMA = 72, AT_FLAGS = 84, AT_CELLS = 88, AT_SLACK = 96 };
enum { AT_NONE = 100, HEAD = 104 };

/* How the words of an image begin that has learned nothing: to the counts. */
#define HEAD_WORDS(kind, parts, features, scores) 0x1a4e4350u, 1, kind, parts, features, scores, 0, 0

static inline int little_endian(void)
{
    const uint32_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static inline uint32_t get_word(const uint8_t *image, size_t at)
{
    return image[at] | (uint32_t)image[at + 1] << 8 | (uint32_t)image[at + 2] << 16 | (uint32_t)image[at + 3] << 24;
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

/* Of a newer version, of a kind or with parts that this one does not know? */
static inline int newer(const uint8_t *image)
{
    const uint32_t version = get_word(image, AT_VERSION);
    return version > 1 ||
           (version == 1 && (get_word(image, AT_PARTS) >= 32768 || get_word(image, AT_KIND) > PCN_KIND_SCALER));
}

/* Is the image these words and their checksum? */
static inline int is_words(const uint8_t *image, size_t size, const uint32_t *word, size_t words)
{
    size_t i;
    for (i = 0; i < words && 4 * i < size; i++)
        if (get_word(image, 4 * i) != word[i]) return 0;
    return size == 4 * words + 4 && get_word(image, 4 * words) == pcn_crc32(0, image, 4 * words);
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
