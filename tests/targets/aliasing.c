/* A program that declares arrays as the manual says, fills or reads them as what they are declared, and lets the library
 * use them as another type: words of images, and of quantised models. What it prints is the same from every build. The
 * library is in the same file, and each CASE calls few of its functions, so that all of them may be inlined. C and C++. */
#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_STATIC
#include "perceptron.h"
#include <stdio.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void must(int good)
{
    if (!good) exit(1);
}

/* What comes from outside: a word of an image by a driver, a word of memory to another. */
static volatile uint32_t wire;

static uint32_t received(uint32_t word)
{
    wire = word;
    return wire;
}

#if CASE >= 4
enum { WORDS = 512 };

static uint8_t bytes[4 * WORDS];
static uint32_t image[WORDS];

/* The image in `bytes` arrives, word by word. */
static void receive(size_t size)
{
    const uint8_t *p = bytes;
    size_t i;
    for (i = 0; i < size / 4; i++, p += 4)
        image[i] = received(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

/* It is overwritten when it is not used any more. */
static void forget(size_t size)
{
    size_t i;
    for (i = 0; i < size / 4; i++) image[i] = received(0x7fc00001u);
}
#endif

#if CASE == 1 || CASE == 2 /* a model of 16 or 8 bits, of which every word is sent */
enum { N = 4, BITS = CASE == 1 ? 16 : 8 };

int main(void)
{
    static const float weight[N] = {1.0f, -0.5f, 0.25f, 0.125f}, bias[1] = {0.5f};
    const pcn_linear m = {weight, bias, N, 1, 0, 0, 0};
    int32_t memory[PCN_ILINEAR_NUMBERS(N, 2, BITS)];
    pcn_ilinear q;
    size_t i;
    for (i = 0; i < LENGTH(memory); i++) memory[i] = (int32_t)received(7);
    must(pcn_ilinear_quantize(&q, &m, BITS, 1, NULL, memory, sizeof memory) == PCN_OK);
    for (i = 0; i < LENGTH(memory); i++) printf("%08lx\n", (unsigned long)received((uint32_t)memory[i]));
    return 0;
}

#elif CASE == 3 /* trained, quantised, and written to flash word by word; flash is asked, and then another model */
enum { N = 4, K = 3, BITS = 16, WORDS = PCN_ILINEAR_NUMBERS(N, K, BITS) };

int main(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(N, K)];
    static int32_t words[WORDS], flash[WORDS];
    static const float x[K][N] = {{1, 2, 3, 4}, {-5, 1, 0, 3}, {2, -2, 7, 1}};
    static const int16_t xi[N] = {1, 2, -3, 4};
    int64_t score[K];
    pcn_perceptron m;
    pcn_ilinear q;
    uint32_t i, round;
    must(pcn_perceptron_init(&m, N, K, memory, sizeof memory) == PCN_OK);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 9; i++) pcn_perceptron_learn(&m, pcn_dense(x[i % K], N), (int)((i + round) % K));
        must(pcn_ilinear_quantize(&q, &m.live, BITS, 1, NULL, words, sizeof words) == PCN_OK);
        q.bias = flash + ((const int32_t *)q.bias - words);
        q.scale = (const uint16_t *)(const void *)(q.bias + K);
        q.weight = flash;
        for (i = 0; i < WORDS; i++) flash[i] = (int32_t)received((uint32_t)words[i]);
        pcn_ilinear_scores(&q, pcn_idense(xi, N), score);
        for (i = 0; i < WORDS; i++) flash[i] = (int32_t)received(0);
        for (i = 0; i < K; i++) printf("%ld\n", (long)score[i]);
    }
    return 0;
}

#elif CASE < 6 /* images arrive one after the other in the same words; 4: floats, 5: integers of 16 bits */
enum { N = 2 };

int main(void)
{
    float weight[N + 1] = {1, 2, 3};
    const pcn_linear m = {weight, weight + N, N, 1, 0, 0, 0};
    size_t size;
    int round;
#if CASE == 4
    const float x[N] = {4, 5};
    pcn_linear opened;
    float all = 0;
#else
    static const int16_t x[N] = {4, 5};
    int32_t memory[PCN_ILINEAR_NUMBERS(N, 2, 16)];
    pcn_ilinear q, opened;
    int64_t all = 0;
#endif
    for (round = 0; round < 3; round++) {
        weight[0] = (float)round;
#if CASE == 4
        size = pcn_linear_save(&m, bytes, sizeof bytes);
#else
        must(pcn_ilinear_quantize(&q, &m, 16, 1, NULL, memory, sizeof memory) == PCN_OK);
        size = pcn_ilinear_save(&q, bytes, sizeof bytes);
#endif
        receive(size);
#if CASE == 4
        must(pcn_linear_open(&opened, image, size) == PCN_OK);
        all = 16 * all + pcn_linear_score(&opened, pcn_dense(x, N)) + opened.weight[1];
#else
        must(pcn_ilinear_open(&opened, image, size) == PCN_OK);
        all = 16 * all + pcn_ilinear_score(&opened, pcn_idense(x, N)) + *opened.scale;
#endif
        forget(size);
        printf("%g\n", (double)all);
    }
    return 0;
}

#elif CASE == 6 /* all that reads an opened image of floats: every function, layout and form of a row */
enum { N = 37, K = 19, FEW = 3, ROWS = 3 };

static float sum;

static void print(const float *f, uint32_t n)
{
    uint32_t i;
    for (i = 0; i < n; i++) sum += f[i] * (float)(1 + i % 7);
    printf("%08lx\n", (unsigned long)pcn_crc32(0, f, n * sizeof *f));
}

static void linear(uint32_t features, uint32_t scores, int by_feature)
{
    static float weight[(N + 1) * K], out[(N + 1) * K], score[K], moment[PCN_SCALER_FLOATS(N)], x[N];
    static uint32_t index[N];
    static int32_t memory[PCN_ILINEAR_NUMBERS(N, K, 16)];
    const pcn_linear m = {weight, weight + N * K, features, scores, (uint8_t)by_feature, 0, 0};
    const pcn_vec row[ROWS] = {pcn_dense(x, features), pcn_sparse(index, x, features), pcn_ones(index, features)};
    uint32_t i, top[2];
    pcn_linear opened, made;
    pcn_scaler s;
    pcn_ilinear q;
    size_t size;
    for (i = 0; i < (N + 1) * K; i++) weight[i] = (float)(i * 7 % 23) - 11;
    for (i = 0; i < N; i++) x[i] = (float)(i % 5) - 2, index[i] = i;
    size = pcn_linear_save(&m, bytes, sizeof bytes);
    must(size != 0 && size <= sizeof bytes);
    receive(size);
    must(pcn_linear_open(&opened, image, size) == PCN_OK);
    for (i = 0; i < ROWS; i++) {
        pcn_linear_scores(&opened, row[i], score);
        print(score, scores);
        sum += (float)pcn_linear_predict(&opened, row[i]);
        if (scores == 1) sum += pcn_linear_score(&opened, row[i]);
        sum += pcn_dot(opened.weight, features, row[i]);
    }
    must(pcn_linear_copy(&opened, &made, out, sizeof out) == PCN_OK);
    pcn_add(out, features, 2, pcn_dense(opened.weight, features));
    pcn_add(out, features, 2, pcn_sparse(index, opened.weight, features));
    print(out, features * scores);
    sum += pcn_norm2(pcn_dense(opened.weight, features)) + (float)pcn_linear_top(&opened, 0, 1, top, 2) + (float)top[0];
    must(pcn_scaler_init(&s, features, moment, sizeof moment) == PCN_OK);
    for (i = 0; i < 9; i++) x[0] = (float)i, must(pcn_scaler_note(&s, x) == PCN_OK);
    must(pcn_scaler_fold(&s, &opened, &made, out, sizeof out) >= 0);
    print(out, (features + 1) * scores);
    must(pcn_ilinear_quantize(&q, &opened, 16, 1, NULL, memory, sizeof memory) == PCN_OK);
    sum += (float)memory[0];
    for (i = 0; i < features * scores; i++) sum += opened.weight[i];
    sum += opened.bias[scores - 1] + (float)pcn_linear_save(&opened, bytes, sizeof bytes);
    forget(size);
}

static void kernel(pcn_kernel k, int sparse)
{
    enum { SLOTS = 9, ENTRIES = 64 };
    static float memory[PCN_KPERCEPTRON_FLOATS(FEW, FEW, SLOTS)], value[SLOTS * FEW], x[FEW];
    static float work[PCN_KMODEL_WORK(FEW, SLOTS, ROWS)], score[ROWS * FEW];
    static uint32_t index[SLOTS * FEW];
    static const uint32_t at[FEW] = {0, 1, 2};
    static pcn_slot slot[SLOTS];
    static pcn_log_entry log[ENTRIES];
    const pcn_vec row[ROWS] = {pcn_dense(x, FEW), pcn_sparse(at, x, FEW), pcn_ones(at, FEW)};
    pcn_kperceptron m;
    pcn_kmodel opened;
    int how, cls[ROWS];
    uint32_t i;
    size_t size;
    must(pcn_kperceptron_init(&m, k, FEW, FEW, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    if (sparse) must(pcn_kperceptron_use_sparse(&m, value, index, SLOTS * FEW) == PCN_OK);
    must(pcn_kperceptron_use_log(&m, log, ENTRIES) == PCN_OK);
    for (i = 0; i < SLOTS; i++) {
        x[i % FEW] = (float)i - 4;
        pcn_kperceptron_learn_row(&m, pcn_dense(x, FEW), (int)(i * i % FEW), i);
    }
    size = pcn_kperceptron_save(&m, bytes, sizeof bytes);
    must(size != 0 && size <= sizeof bytes);
    receive(size);
    must(pcn_kmodel_open(&opened, k, image, size) == PCN_OK);
    for (how = PCN_DECIDE_LAST; how <= PCN_DECIDE_VOTE; how++) {
        const enum pcn_decision decision = (enum pcn_decision)how;
        must(pcn_kmodel_scores(&opened, decision, row, ROWS, score, work, sizeof work) == PCN_OK);
        print(score, ROWS * FEW);
        must(pcn_kmodel_predict(&opened, decision, row, ROWS, cls, work, sizeof work) == PCN_OK);
        sum += (float)(cls[0] + 3 * cls[1] + 9 * cls[2]);
    }
    for (i = 0; i < opened.slots; i++) sum += opened.coef[i] + opened.norm2[i] + opened.value[i] + opened.log[i].step;
    sum += (float)pcn_kmodel_save(&opened, bytes, sizeof bytes);
    forget(size);
}

int main(void)
{
    int way;
    for (way = 0; way < 2; way++) {
        linear(N, 1, way);
        linear(FEW, K, way);
        linear(N, FEW, way);
        linear(5, 9, way);
        kernel(pcn_kernel_linear(), way);
        kernel(pcn_kernel_poly(2, 1, 1), way);
        kernel(pcn_kernel_rbf(100), way);
    }
    printf("%g\n", (double)sum);
    return 0;
}
#endif
