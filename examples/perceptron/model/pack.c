/* Words of which most are what they were before anything was learned: 0, or 1 of variances and Winnow weights. Each run
 * of others, which may be empty, is stored as
 *
 *     how many 0 are before it, or plus 2^15, how many 1.0f    2 bytes, little-endian
 *     how many words it has                                    2 bytes
 *     the words
 */
#include "model.h"

enum { RUN_MOST = 0x7fff, RUN_OF_ONES = 0x8000 };
#define ONE 0x3f800000u /* 1.0f */

static uint32_t word_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* How many words are one word; others: how many are neither 0 nor 1. */
static uint32_t count_words(const uint8_t *p, const uint8_t *end, uint32_t word, int others)
{
    const uint8_t *const begin = p;
    if ((size_t)(end - p) > 4 * RUN_MOST) end = p + 4 * RUN_MOST;
    if (others)
        while (p < end && word_at(p) != 0 && word_at(p) != ONE) p += 4;
    else
        while (p < end && word_at(p) == word) p += 4;
    return (uint32_t)(p - begin) / 4;
}

size_t pack_words(const uint8_t *from, size_t bytes, uint8_t *to)
{
    const uint8_t *const begin = to, *const end = from + bytes;
    while (from < end) {
        const uint32_t fill = word_at(from) == ONE ? ONE : 0, filled = count_words(from, end, fill, 0);
        const uint32_t run = count_words(from += 4 * (size_t)filled, end, 0, 1);
        const uint32_t head = filled | (fill ? RUN_OF_ONES : 0) | run << 16;
        int i;
        for (i = 0; i < 4; i++) *to++ = (uint8_t)(head >> 8 * i);
        memcpy(to, from, 4 * (size_t)run);
        from += 4 * (size_t)run;
        to += 4 * (size_t)run;
    }
    return (size_t)(to - begin);
}

const uint8_t *unpack_words(const uint8_t *from, const uint8_t *end, uint8_t *to, uint64_t bytes)
{
    while (bytes > 0) {
        const uint32_t head = end - from < 4 ? 0 : word_at(from);
        const size_t filled = 4 * (size_t)(head & RUN_MOST), run = 4 * (size_t)(head >> 16);
        size_t i;
        if (head == 0 || filled + run > bytes || run > (size_t)(end - from) - 4) return NULL;
        for (i = 0; to && head & RUN_OF_ONES && i < filled; i += 4) memcpy(to + i, "\0\0\x80\x3f", 4);
        if (to) memcpy(to + filled, from + 4, run), to += filled + run;
        from += 4 + run;
        bytes -= filled + run;
    }
    return from;
}
