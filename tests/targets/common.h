/* What all groups of program.c share: memory, checks, hashes and rows. */
#ifndef TARGETS_COMMON_H
#define TARGETS_COMMON_H

#include "perceptron.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum { LONG = 100, N = 34, K = 3, ROWS = 12, EPOCHS = 2, SLOTS = 6, CELLS = 60, ENTRIES = 24, PAGE = 64 };
enum { LENGTHS = 300 };

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* The groups take turns. */
static union {
    struct {
        float w[LONG], v[LONG], x[LONG], some[LONG];
        uint32_t index[LONG];
    } sums;
    struct {
        float w[LENGTHS], x[LENGTHS];
    } lengths;
    struct {
        float weight[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], mean[PCN_LINEAR_FLOATS(N, K)];
        float batch[PCN_LINEAR_FLOATS(N, K)], state[PCN_LINEAR_FLOATS(N, K)];
    } linear;
    struct {
        float weight[PCN_PERCEPTRON_FLOATS(N, K)]; /* that of `linear` */
        int32_t frozen[PCN_ILINEAR_NUMBERS(33, K, 16)], loaded[PCN_ILINEAR_NUMBERS(33, K, 16)];
    } quantized;
    struct {
        float moment[PCN_SCALER_FLOATS(N)], scaled[N], weight[PCN_LINEAR_FLOATS(N, 2)];
        int16_t whole[N];
        pcn_icolumn column[N];
    } scaler;
    struct {
        int32_t weight[PCN_IPERCEPTRON_NUMBERS(N, K)], mean[PCN_IPERCEPTRON_NUMBERS(N, K)];
        int64_t sum[PCN_IPERCEPTRON_NUMBERS(N, K)];
        int16_t value[N];
    } integer;
    struct {
        float all[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], value[CELLS];
        float aux[SLOTS * (SLOTS + 2)], work[PCN_KMODEL_WORK(K, SLOTS, 1)];
        uint32_t index[CELLS];
        pcn_slot slot[SLOTS];
        pcn_log_entry log[ENTRIES];
    } kernel;
} memory;

static pcn_perceptron perceptron;
static pcn_kperceptron dual;

/* Room for the longest image, with a mean and a batch or a state, and 8 bytes to align it and to take it out of
 * alignment. */
static float image_room[16 + PCN_LINEAR_FLOATS(N, K) * 2 + PCN_AVERAGING_FLOATS(N, K) + 1 + 2];

static uint8_t *image(void)
{
    uint8_t *room = (uint8_t *)image_room;
    return room + (4 - (uintptr_t)room % 4) % 4; /* a processor of 8 bits aligns nothing by itself */
}

/* ---- Checks: lines, as texts would take memory ---- */

static unsigned passed, failed;

static void check(int good, const char *file, int line)
{
    if (good) {
        passed++;
    } else {
        failed++;
        printf("FAIL %s:%d\n", file, line);
    }
}

#define CHECK(condition) check((condition) != 0, __FILE__, __LINE__)

/* ---- Hashes: FNV-1a. A CRC-32 would be blind to images, which end in their own. ---- */

#define HASH_EMPTY 0x811c9dc5u

/* The first is of what dense rows and integers give, the second of what sparse rows of floats give. */
static uint32_t hash, sparse_hash;

static void swap_hashes(void)
{
    uint32_t other = hash;
    hash = sparse_hash;
    sparse_hash = other;
}

static void hash_bytes(const void *bytes, size_t size)
{
    const uint8_t *p = (const uint8_t *)bytes;
    while (size-- != 0) hash = (hash ^ *p++) * 0x01000193u;
}

static void put_word(uint8_t *at, uint32_t word)
{
    uint32_t i;
    for (i = 0; i < 4; i++) at[i] = (uint8_t)(word >> 8 * i & 255u);
}

static void hash_word(uint32_t word)
{
    uint8_t byte[4];
    put_word(byte, word);
    hash_bytes(byte, 4);
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void hash_floats(const float *f, uint32_t n)
{
    while (n-- != 0) hash_word(bits_of(*f++));
}

/* ---- Rows ---- */

enum form { DENSE, SPARSE, ONES, TINY }; /* tiny: dense, numbers down to the least denormal */

typedef struct shape {
    uint8_t features, classes, form;
} shape;

static struct {
    float value[N];
    uint32_t index[N];
    pcn_vec x;
    int y;
} row;

/* Reals in (-2, 2), one in four 0. */
static float random_float(int tiny)
{
    uint32_t bits = random_bits(), exponent = tiny ? bits % 67 : 110 + bits % 18;
    if (bits >> 28 < 4) return 0;
    return from_bits((bits & 0x80000000u) | exponent << 23 | (random_bits() & 0x7fffffu));
}

static void make_row(const shape *s, uint32_t number)
{
    uint32_t i, count = 0;
    random_state = (number + 1) * 2654435761u;
    for (i = 0; i < s->features; i++) {
        float v = random_float(s->form == TINY && i % 3 != 0);
        if ((s->form == SPARSE || s->form == ONES) && random_bits() % 2 == 0) continue;
        row.value[count] = v;
        row.index[count++] = i;
    }
    row.x = pcn_sparse(row.index, row.value, count);
    if (s->form == DENSE || s->form == TINY) row.x.index = NULL;
    if (s->form == ONES) row.x.value = NULL;
    row.y = count != 0 && row.value[0] > 0 && random_bits() % 8 != 0; /* noisy */
    if (s->classes > 2 && !row.y) row.y = (int)(random_bits() % s->classes);
}

#endif
