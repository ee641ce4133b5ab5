/* Images for the prover. Bytes and checksum are whatever they may be. Eva keeps no relation between numbers, so that
 * the drivers take the counts in a header apart: each small number, and all those that are larger. */

/* Unspecified, so every image may pass; but all that it sums is there. */
/*@ requires \valid_read((uint8_t *)bytes + (0 .. size - 1));
    assigns \result \from crc, ((uint8_t *)bytes)[0 .. size - 1]; */
extern uint32_t pcn_crc32(uint32_t crc, const void *bytes, size_t size);

#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "any.h"

static void any_bytes(uint8_t *p, size_t n)
{
    Frama_C_make_unknown((char *)p, n);
}

static void put(uint8_t *p, uint32_t number)
{
    uint32_t k;
    for (k = 0; k < 4; k++) p[k] = (uint8_t)(number >> 8 * k);
}

/* Number `from` of byte `at` or more, up to `to` of it; any in the bytes before, none behind. */
static void put_top(uint8_t *p, uint32_t at, uint32_t from, uint32_t to)
{
    put(p, 0);
    any_bytes(p, at);
    p[at] = (uint8_t)any_uint32(from, to);
}

/* Cases 0 .. most: that number; then RANGES cases: all above. Two numbers of such a range have a product that is
 * at least 2^56 or below 2^58. */
enum { RANGES = 7 };
static void put_case(uint8_t *p, uint32_t k, uint32_t most)
{
    if (k <= most)
        put(p, k);
    else if (k == most + 1)
        put_top(p, 0, most + 1, 255);
    else if (k <= most + 3)
        put_top(p, k - most - 1, 1, 255);
    else
        put_top(p, 3, (uint32_t)1 << 2 * (k - most - 4), ((uint32_t)4 << 2 * (k - most - 4)) - 1);
}
