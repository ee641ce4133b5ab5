/* The generated data sets. */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include <stdint.h>

static uint64_t random_state = 1;

static inline uint32_t random_bits(void) /* splitmix64 */
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 32);
}

static inline uint32_t random_below(uint32_t n)
{
    return (uint32_t)((uint64_t)random_bits() * n >> 32);
}

/* ---- Dense: images -------------------------------------------------------------------------- */

enum { CLASSES = 10, FEATURES = 784, ROWS = 60000, BLEND = 72 };

/* Ten prototypes of pixels 0 .. 255, a fifth of them not 0. A row takes its class's pixel with
 * probability BLEND / 128, else that of one other class, both dimmed at random; labels go round. */
static inline void image_row(uint32_t row, uint8_t *pixel)
{
    static uint8_t prototype[CLASSES][FEATURES];
    uint32_t c, j, other = (row % CLASSES + 1 + random_below(CLASSES - 1)) % CLASSES;
    for (c = 0; row == 0 && c < CLASSES; c++)
        for (j = 0; j < FEATURES; j++) prototype[c][j] = (uint8_t)(random_below(5) == 0 ? 1 + random_below(255) : 0);
    for (j = 0; j < FEATURES; j++) {
        c = random_below(128) < BLEND ? row % CLASSES : other;
        pixel[j] = (uint8_t)(prototype[c][j] * (128 + random_below(128)) >> 8);
    }
}

/* ---- Sparse: texts -------------------------------------------------------------------------- */

typedef struct text_set {
    uint32_t rows, features, classes, nonzeros; /* nonzeros: of each row */
    uint32_t noise; /* a word of another class stays in the text with probability noise / 128 */
} text_set;

enum { MOST_NONZEROS = 64, MILLION = 1000000 };

/* clang-format off */
#define BENCH_TEXTS {400000, 1 << 20, 2, 59, 72}
#define BENCH_TAGS {200000, 320000, 17, 18, 8}
/* clang-format on */

/* Words have frequencies in proportion to 1 / rank (Zipf); ranks lie scattered over the features as
 * hashes do. Every word belongs to one class. A row has a random class and `nonzeros` different words, of
 * which those of other classes are drawn anew but for the noise: the best plane of a class has weight 1
 * for its words, and rare words must be learned from few rows. Values are random millionths from 100,000
 * to 999,999. seen[features] must be 0 at row 0. Returns the class. */
static inline uint32_t text_row(const text_set *t, uint32_t row, uint32_t *seen, uint32_t *index, uint32_t *millionths)
{
    uint32_t cls = random_below(t->classes), octaves = 1, count = 0, rank, j, i;
    while (t->features >> octaves != 0) octaves++;
    while (count < t->nonzeros) {
        rank = 1u << random_below(octaves);
        rank += random_below(rank);
        if (rank > t->features) continue;
        j = (uint32_t)((uint64_t)rank * 2654435761u % t->features);
        if (seen[j] == row + 1) continue;
        if ((j * 2246822519u >> 16) % t->classes != cls && random_below(128) >= t->noise) continue;
        seen[j] = row + 1;
        for (i = count++; i != 0 && index[i - 1] > j; i--) index[i] = index[i - 1];
        index[i] = j;
    }
    for (i = 0; i < count; i++) millionths[i] = 100000 + random_below(900000);
    return cls;
}

#endif
