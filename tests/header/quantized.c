/* pcn_ilinear_quantize leaves every weight within half a step, the class of the float model wherever its margin
 * exceeds the error, and whole numbers exactly; every error. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "integer.h"
#include "sums.h"
#include "plain_integer.h"

#include <float.h>
#include <math.h>

enum { QN = 41, QK = 5 };

typedef struct quantum { /* a float model and what becomes of it */
    float weight[QN * QK], bias[QK];
    pcn_linear m;
    pcn_ilinear q;
    uint32_t bits;
    float unit, one; /* one: the value of an integer score of 1 */
    int32_t memory[PCN_ILINEAR_NUMBERS(QN, QK, 16)];
    double step;      /* what 1 stands for in a row of scale 1, from the definition */
    double error[QK]; /* of a weight of each class, at most */
} quantum;

static double weight_of(const quantum *t, uint32_t c, uint32_t j)
{
    return (double)t->weight[weight_at(&t->m, c, j)];
}

/* Rows of sizes from 2^-20 to 2^20, some of them 0. */
static void quantum_init(quantum *t, uint32_t features, uint32_t classes, int feature_major)
{
    const uint32_t scores = PCN_SCORES(classes);
    uint32_t c, j;
    memset(t, 0, sizeof *t);
    t->m.weight = t->weight;
    t->m.features = features;
    t->m.scores = scores;
    t->m.by_feature = (uint8_t)feature_major;
    if (random_bits() % 4) t->m.bias = t->bias;
    for (c = 0; c < scores; c++) {
        float size = ldexpf(1, random_between(-20, 20));
        if (random_bits() % 2) size = ldexpf(1, random_between(-2, 2)); /* much as the others */
        if (random_bits() % 8 == 0) size = 0;
        for (j = 0; j < features; j++)
            t->weight[weight_at(&t->m, c, j)] = size * (float)random_between(-9999, 9999) / 9999;
        t->bias[c] = size * (float)random_between(-99, 99);
        if (random_bits() % 8 == 0) t->bias[c] *= 1e9f;
    }
}

/* Just as many as are needed: those of an image, but for its header and its checksum. */
static size_t bytes_for(const quantum *t, uint32_t bits)
{
    return PCN_ILINEAR_IMAGE(t->m.features, PCN_CLASSES(t->m.scores), bits) - 68;
}

static void quantize(quantum *t, uint32_t bits, float unit)
{
    t->bits = bits;
    t->unit = unit;
    t->m.zero_negative = random_state & 1;
    CHECK(pcn_ilinear_quantize(&t->q, &t->m, bits, unit, &t->one, t->memory, bytes_for(t, bits)) == PCN_OK);
    CHECK(t->q.weight == t->memory && t->q.bits == bits && t->q.zero_negative == t->m.zero_negative);
    CHECK(t->q.bias == t->memory + (t->m.features * t->m.scores * bits / 8 + 3) / 4);
    CHECK((const void *)t->q.scale == t->q.bias + t->m.scores);
    CHECK(t->q.features == t->m.features && t->q.scores == t->m.scores);
    t->step = plain_least(&t->m, bits, unit);
}

static void check_rows(quantum *t)
{
    uint32_t c, most = t->bits == 8 ? 127 : 32767;
    CHECK(plain_quantised(&t->q, &t->m, t->unit));
    for (c = 0; c < t->m.scores; c++) t->error[c] = t->q.scale[c] * t->step * (0.5 + most * 1e-6);
}

/* Scores within the sum of all errors, and so the class wherever the float model's margin is greater. */
static uint32_t check_rank(const quantum *t, const example *r)
{
    double score[QK], error[QK], unit = (double)t->unit;
    int64_t got[QK], same[QK];
    uint32_t c, j, best = 0, clear = 1;
    pcn_ilinear_scores(&t->q, r->full, got);
    pcn_ilinear_scores(&t->q, r->few, same);
    for (c = 0; c < t->m.scores; c++) {
        score[c] = t->m.bias ? (double)t->bias[c] : 0;
        error[c] = fabs(score[c]) * 1e-6 + t->q.scale[c] * t->step * unit * 0.5;
        for (j = 0; j < t->m.features; j++) {
            score[c] += weight_of(t, c, j) * r->dense[j] * unit;
            error[c] += fabs(r->dense[j] * unit) * t->error[c];
        }
        if (score[c] > score[best]) best = c;
        CHECK(fabs((double)got[c] * (double)t->one - score[c]) <= error[c]);
        CHECK(got[c] == same[c]);
    }
    if (t->m.scores == 1) { /* its score has no scale */
        CHECK(pcn_ilinear_score(&t->q, r->full) == got[0] && pcn_ilinear_score(&t->q, r->few) == got[0]);
        if (fabs(score[0]) <= error[0]) return 0;
        CHECK(pcn_ilinear_predict(&t->q, r->few) == (score[0] > 0));
        return 1;
    }
    for (c = 0; c < t->m.scores; c++) clear &= c == best || score[best] - score[c] > error[best] + error[c];
    if (clear) CHECK(pcn_ilinear_predict(&t->q, r->few) == (int)best);
    return clear;
}

static void check_quantized(void)
{
    static const float units[] = {1, 0.25f, 1 / 300.0f, 1e-4f, 50};
    static quantum t;
    example r;
    uint32_t i, k, clear[2] = {0, 0};
    random_state = 7;
    for (i = 0; i < 600; i++) {
        quantum_init(&t, i % (QN + 1), i % (QK - 1) + 2, i % 3 == 0);
        quantize(&t, i % 2 ? 8 : 16, units[i % 7 % LENGTH(units)]);
        check_rows(&t);
        for (k = 0; k < 5; k++) {
            random_example(&r, t.m.features, -100, 100);
            if (k == 0) random_example(&r, t.m.features, 0, 1);
            clear[i % 2] += check_rank(&t, &r);
        }
    }
    CHECK(clear[0] > 800 && clear[1] > 600);
    quantum_init(&t, 3, 3, 0);
    memset(t.weight, 0, sizeof t.weight);
    memset(t.bias, 0, sizeof t.bias);
    quantize(&t, 8, 1);
    check_rows(&t);
    CHECK(t.one == 0 && t.q.scale[0] == 0 && narrow_weight(&t.q, 0, 0) == 0 && t.q.bias[1] == 0);
    CHECK(pcn_ilinear_predict(&t.q, pcn_iones(NULL, 3)) == 0);
    quantum_init(&t, 3, 2, 0);
    memset(t.weight, 0, sizeof t.weight);
    memset(t.bias, 0, sizeof t.bias);
    quantize(&t, 8, 1);
    for (i = 0; i < 2; i++) {
        t.q.zero_negative = (uint8_t)i;
        CHECK(pcn_ilinear_score(&t.q, pcn_iones(NULL, 3)) == 0);
        CHECK(pcn_ilinear_predict(&t.q, pcn_iones(NULL, 3)) == !i);
    }
}

/* Biases that decide the scale of their rows fill their range, and do not leave it by rounding. */
static void check_great_biases(void)
{
    static quantum t;
    int i, k, full = 0;
    random_state = 11;
    quantum_init(&t, 2, 3, 0);
    t.m.bias = t.bias;
    for (i = 0; i < 6; i++) t.weight[i] = 1;
    for (i = 1; i <= 100; i++)
        for (k = 1; k <= 100; k++) {
            t.bias[0] = -1e9f * (float)i;
            t.bias[1] = 1e9f * (float)i / (float)k;
            t.bias[2] = -0.5f * t.bias[1];
            quantize(&t, 16, 1);
            check_rows(&t);
            full += t.q.bias[1] == PCN_IMAX;
        }
    CHECK(full > 100);
}

/* Sums of bytes that pass 32 bits, on either side, and rows that are longer than the model. */
static void check_long_rows(void)
{
    enum { LONG = 2100 };
    static const uint32_t length[] = {510, 511, 512, 1022, 1023, LONG};
    static int8_t w[LONG];
    static int16_t x[LONG + 9];
    int sign;
    uint32_t i, j;
    pcn_ilinear m;
    memset(&m, 0, sizeof m);
    m.weight = w;
    m.scores = 1;
    m.bits = 8;
    for (sign = -1; sign <= 1; sign += 2)
        for (i = 0; i < LENGTH(length); i++) {
            int64_t sum = 0;
            m.features = length[i];
            for (j = 0; j < LONG + 9; j++) x[j] = (int16_t)(j % 600 == 599 ? 7 : sign > 0 ? INT16_MIN : INT16_MAX);
            for (j = 0; j < LONG; j++) w[j] = INT8_MIN;
            for (j = 0; j < length[i]; j++) sum += -128 * (int64_t)x[j];
            CHECK(pcn_ilinear_score(&m, pcn_idense(x, length[i] + 9)) == sum);
            CHECK(pcn_ilinear_score(&m, pcn_idense(x, length[i])) == sum);
        }
}

/* Whole numbers up to 127 in every row are what they were, and so are all decisions. */
static void check_exact(void)
{
    static quantum t;
    float value[QN], score[QK];
    int64_t whole[QK];
    example r;
    uint32_t i, c, j, scores;
    random_state = 8;
    for (i = 0; i < 50; i++) {
        quantum_init(&t, QN, i % (QK - 1) + 2, i % 3 == 0);
        scores = t.m.scores;
        t.m.bias = t.bias;
        for (j = 0; j < QN * scores; j++) t.weight[j] = random_between(-127, 127);
        for (c = 0; c < scores; c++) {
            t.weight[weight_at(&t.m, c, c)] = c % 2 ? 127 : -127;
            t.bias[c] = (float)(random_between(-999, 999) * 1000);
        }
        quantize(&t, 8, 1);
        CHECK(fabs((double)t.one * (scores == 1 ? 1 : t.q.scale[0]) - 1) < 1e-6);
        for (c = 0; c < scores; c++) {
            CHECK(t.q.scale[c] == t.q.scale[0] && t.q.bias[c] == (int32_t)t.bias[c]);
            for (j = 0; j < QN; j++) CHECK((double)narrow_weight(&t.q, c, j) == weight_of(&t, c, j));
        }
        random_example(&r, QN, -200, 200);
        for (j = 0; j < QN; j++) value[j] = r.dense[j];
        pcn_ilinear_scores(&t.q, r.full, whole);
        pcn_linear_scores(&t.m, pcn_dense(value, QN), score);
        for (c = 0; c < scores; c++) CHECK((float)(whole[c] / (scores == 1 ? 1 : t.q.scale[c])) == score[c]);
        CHECK(pcn_ilinear_predict(&t.q, r.few) == pcn_linear_predict(&t.m, pcn_dense(value, QN)));
        CHECK(pcn_ilinear_predict(&t.q, r.full) == pcn_linear_predict(&t.m, pcn_dense(value, QN)));
    }
}

/* The largest sum there can be, features beyond the model, and what a model may do without. */
static void check_quantized_limits(void)
{
    static const uint32_t beyond[] = {2, 3, UINT32_MAX};
    enum { MOST = 65535 };
    static int16_t most[3 * MOST], x[MOST];
    static const int8_t small[] = {-128, 127, 3, 4, 5, 6, 7, 8, 9};
    static const int32_t wide[] = {-PCN_IMAX, 127, 3};
    const int32_t bias[3] = {-PCN_IMAX, 5, -7};
    const uint16_t scale[3] = {65535, 2, 1};
    int64_t score[3];
    pcn_ilinear q;
    uint32_t i;
    for (i = 0; i < 3 * MOST; i++) most[i] = x[i % MOST] = INT16_MIN;
    memset(&q, 0, sizeof q);
    q.weight = most;
    q.bias = bias;
    q.scale = scale;
    q.features = MOST;
    q.scores = 3;
    q.bits = 16;
    pcn_ilinear_scores(&q, pcn_idense(x, MOST), score);
    CHECK(score[0] == ((int64_t)65534 << 30) * 65535 && score[1] == (((int64_t)65535 << 30) + 5) * 2);
    CHECK(score[2] == ((int64_t)65535 << 30) - 7);
    q.scores = 1;
    CHECK(pcn_ilinear_score(&q, pcn_idense(x, MOST)) == (int64_t)65534 << 30); /* a single score is not scaled */
    pcn_ilinear_scores(&q, pcn_idense(x, MOST), score);
    CHECK(score[0] == (int64_t)65534 << 30);
    q.scale = NULL;
    CHECK(pcn_ilinear_score(&q, pcn_idense(x, MOST)) == (int64_t)65534 << 30);
    q.bias = NULL;
    CHECK(pcn_ilinear_score(&q, pcn_idense(x, MOST)) == (int64_t)65535 << 30);
    q.scale = scale;
    q.bias = bias;
    q.weight = small;
    q.bits = 8;
    q.features = 3;
    CHECK(pcn_ilinear_score(&q, pcn_idense(x, 4)) == (int64_t)(-128 + 127 + 3) * INT16_MIN - PCN_IMAX);
    CHECK(pcn_ilinear_score(&q, pcn_iones(beyond, 3)) == 3 - (int64_t)PCN_IMAX);
    q.scores = 3;
    pcn_ilinear_scores(&q, pcn_idense(x, 4), score);
    CHECK(score[0] == ((int64_t)(-128 + 127 + 3) * INT16_MIN - PCN_IMAX) * 65535);
    CHECK(score[1] == ((int64_t)(4 + 5 + 6) * INT16_MIN + 5) * 2 && score[2] == (int64_t)(7 + 8 + 9) * INT16_MIN - 7);
    pcn_ilinear_scores(&q, pcn_iones(beyond, 3), score);
    CHECK(score[0] == (3 - (int64_t)PCN_IMAX) * 65535 && score[1] == (6 + 5) * 2 && score[2] == 9 - 7);
    q.scores = 1;
    q.weight = wide;
    q.bits = 32;
    q.scale = NULL;
    CHECK(pcn_ilinear_score(&q, pcn_iones(beyond, 3)) == 3 - (int64_t)PCN_IMAX);
    CHECK(pcn_ilinear_score(&q, pcn_iones(NULL, 9)) == 130 - 2 * (int64_t)PCN_IMAX);
    q.scale = scale;
    q.weight = small;
    q.bits = 8;
    q.features = 1;
    q.scores = 3;
    pcn_ilinear_scores(&q, pcn_iones(NULL, 9), score);
    CHECK(score[0] == (-128 - (int64_t)PCN_IMAX) * 65535 && score[1] == (127 + 5) * 2 && score[2] == 3 - 7);
    CHECK(pcn_ilinear_predict(&q, pcn_iones(NULL, 9)) == 1);
}

/* A model in memory that has not a byte to spare, and in one that is a byte short; its image in the same. */
static void check_memory(const pcn_linear *m, uint32_t bits)
{
    const size_t bytes = PCN_ILINEAR_NUMBERS(m->features, PCN_CLASSES(m->scores), bits) * sizeof(int32_t);
    int32_t *memory = (int32_t *)calloc(1, bytes), *loaded = (int32_t *)calloc(1, bytes);
    int32_t *zero = (int32_t *)calloc(1, bytes);
    pcn_ilinear q, before;
    uint8_t image[1024];
    size_t size;
    if (!memory || !loaded || !zero) abort();
    memset(&q, 0x5a, sizeof q);
    memcpy(&before, &q, sizeof q);
    CHECK(pcn_ilinear_quantize(&q, m, bits, 1, NULL, memory, bytes - 1) == PCN_EMEMORY);
    CHECK(memcmp(memory, zero, bytes) == 0 && memcmp(&q, &before, sizeof q) == 0);
    CHECK(pcn_ilinear_quantize(&q, m, bits, 1, NULL, memory, bytes) == PCN_OK);
    CHECK((const uint8_t *)(q.scale + m->scores) + (m->scores % 2 ? 2 : 0) == (const uint8_t *)memory + bytes);
    size = pcn_ilinear_save(&q, image, sizeof image);
    CHECK(size == bytes + 68);
    memcpy(&before, &q, sizeof q);
    CHECK(pcn_ilinear_load(&q, loaded, bytes - 1, image, size) == PCN_EMEMORY);
    CHECK(memcmp(loaded, zero, bytes) == 0 && memcmp(&q, &before, sizeof q) == 0);
    CHECK(pcn_ilinear_load(&q, loaded, bytes, image, size) == PCN_OK && q.weight == loaded);
    CHECK(memcmp(loaded, memory, bytes) == 0);
    if (little_endian()) CHECK(memcmp(image + 64, memory, bytes) == 0);
    free(memory), free(loaded), free(zero);
}

/* The same of a trainer's weights, which have 32 bits. */
static void check_wide_memory(uint32_t features, uint32_t classes)
{
    const size_t bytes = PCN_ILINEAR_NUMBERS(features, classes, 32) * sizeof(int32_t);
    int32_t *loaded = (int32_t *)malloc(bytes);
    uint8_t image[1024];
    pcn_ilinear q;
    trainer t;
    size_t size;
    if (!loaded) abort();
    trainer_init(&t, features, classes, PLAIN);
    CHECK(bytes == PCN_IPERCEPTRON_NUMBERS(features, classes) * sizeof *t.memory);
    CHECK(pcn_iperceptron_learn(&t.m, pcn_iones(NULL, features), 0) == 1);
    size = pcn_ilinear_save(&t.m.live, image, sizeof image);
    CHECK(size == bytes + 68 && pcn_ilinear_load(&q, loaded, bytes - 1, image, size) == PCN_EMEMORY);
    CHECK(pcn_ilinear_load(&q, loaded, bytes, image, size) == PCN_OK && memcmp(loaded, t.memory, bytes) == 0);
    free(loaded);
}

static void check_all_memory(void)
{
    static quantum t;
    uint32_t features, classes, k;
    random_state = 14;
    for (features = 0; features < 10; features++)
        for (classes = 2; classes <= QK; classes++) {
            for (k = 0; k < 4; k++) {
                quantum_init(&t, features, classes, (int)k / 2);
                check_memory(&t.m, k % 2 ? 8 : 16);
            }
            if (classes <= K) check_wide_memory(features, classes);
        }
}

static void check_quantize_errors(void)
{
    const float infinite = from_bits(0x7f800000u), nan = from_bits(0x7fc00001u);
    const float unit[] = {0, -0.0f, -1, -FLT_MIN, nan, infinite, -infinite};
    const uint32_t bits[] = {0, 1, 7, 9, 15, 17, 24, 32, UINT32_MAX};
    const float bad[] = {nan, -nan, infinite, -infinite};
    static quantum t, before;
    uint32_t i, j;
    random_state = 9;
    quantum_init(&t, 4, 3, 0);
    t.m.bias = t.bias;
    t.bias[0] = t.weight[3] = 1;
    memset(&t.q, 0x5a, sizeof t.q);
    memset(t.memory, 0x5a, sizeof t.memory);
    for (i = 0; i < LENGTH(unit) + LENGTH(bits); i++) {
        uint32_t b = i < LENGTH(unit) ? 8 : bits[i - LENGTH(unit)];
        float u = i < LENGTH(unit) ? unit[i] : 1;
        memcpy(&before, &t, sizeof t);
        CHECK(pcn_ilinear_quantize(&t.q, &t.m, b, u, &t.one, t.memory, sizeof t.memory) == PCN_EOPTION);
        CHECK(memcmp(&t, &before, sizeof t) == 0);
    }
    for (i = 0; i <= 2; i += 2) { /* no scores, or two */
        t.m.scores = i;
        memcpy(&before, &t, sizeof t);
        CHECK(pcn_ilinear_quantize(&t.q, &t.m, 8, 1, &t.one, t.memory, sizeof t.memory) == PCN_EOPTION);
        CHECK(memcmp(&t, &before, sizeof t) == 0);
    }
    t.m.scores = 3;
    for (i = 8; i <= 16; i += 8) {
        memcpy(&before, &t, sizeof t);
        CHECK(pcn_ilinear_quantize(&t.q, &t.m, i, 1, &t.one, t.memory, bytes_for(&t, i) - 1) == PCN_EMEMORY);
        CHECK(pcn_ilinear_quantize(&t.q, &t.m, i, 1, &t.one, NULL, sizeof t.memory) == PCN_EMEMORY);
        CHECK(pcn_ilinear_quantize(&t.q, &t.m, i, 1, &t.one, t.memory, 0) == PCN_EMEMORY);
        CHECK(memcmp(&t, &before, sizeof t) == 0);
    }
    for (i = 0; i < LENGTH(bad); i++)
        for (j = 0; j < 13; j++) {
            float *f = j < 12 ? t.weight + j : t.bias + 1, good = *f;
            *f = bad[i];
            memcpy(&before, &t, sizeof t);
            CHECK(pcn_ilinear_quantize(&t.q, &t.m, j % 2 ? 8 : 16, 1, &t.one, t.memory, sizeof t.memory) == PCN_EVALUE);
            CHECK(memcmp(&t, &before, sizeof t) == 0);
            *f = good;
        }
    t.bias[0] = 1e9f; /* infinite in units */
    CHECK(pcn_ilinear_quantize(&t.q, &t.m, 8, 1e-30f, &t.one, t.memory, sizeof t.memory) == PCN_EVALUE);
    t.bias[0] = 0;
    for (j = 0; j < 12; j++) t.weight[j] = 1e-36f; /* a step that would be denormal */
    memset(t.bias, 0, sizeof t.bias);
    CHECK(pcn_ilinear_quantize(&t.q, &t.m, 8, 1, &t.one, t.memory, sizeof t.memory) == PCN_EVALUE);
}

int main(void)
{
    check_quantized();
    check_great_biases();
    check_exact();
    check_long_rows();
    check_quantized_limits();
    check_all_memory();
    check_quantize_errors();
    return report();
}
