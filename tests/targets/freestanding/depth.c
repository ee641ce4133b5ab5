/* Stack that calls take on an emulated board, beside what stack.py computes: 'NAME BYTES' for each. */
#define PERCEPTRON_NO_LIBC
#include "perceptron.h"

#include "board.h"
#include "print.h"

extern uint32_t stack_bottom[];

enum { N = 16, K = 3, SLOTS = 4, ROUNDS = 20, PAINT = 0x5afe57ac };

static float x[N], memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], state[PCN_LINEAR_FLOATS(N, K)],
    mean[PCN_LINEAR_FLOATS(N, K)], moment[PCN_SCALER_FLOATS(N)];
static int16_t ix[N];
static int32_t imemory[PCN_IPERCEPTRON_NUMBERS(N, K)];
static int64_t isum[PCN_IPERCEPTRON_NUMBERS(N, K)];
static float room[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], score[K], work[PCN_KMODEL_WORK(K, SLOTS, 1)];
static pcn_slot slot[SLOTS];
static uint32_t image[200];
static union {
    pcn_perceptron linear;
    pcn_iperceptron integer;
    pcn_kperceptron dual;
} m;

static void fill(void)
{
    static uint32_t number = 1;
    int i;
    for (i = 0; i < N; i++) {
        number = number * 1664525u + 1013904223u;
        ix[i] = (int16_t)(number >> 16);
        x[i] = (float)(number >> 24) / 64;
    }
}

/* Paints all that is free, calls some times, and finds how far down the paint has gone. */
#define MEASURE(name, call)                                                                                            \
    {                                                                                                                  \
        uint32_t *top, *p, deepest = 0, used;                                                                          \
        int i;                                                                                                         \
        for (i = 0; i < ROUNDS; i++) {                                                                                 \
            fill();                                                                                                    \
            __asm__ volatile("mov %0, sp" : "=r"(top));                                                                \
            for (p = stack_bottom; p < top; p++) *(volatile uint32_t *)p = PAINT;                                      \
            call;                                                                                                      \
            for (p = stack_bottom; *(volatile uint32_t *)p == PAINT;) p++;                                             \
            used = (uint32_t)(top - p) * 4;                                                                            \
            if (used > deepest) deepest = used;                                                                        \
        }                                                                                                              \
        print("%s %u\n", name, deepest);                                                                               \
    }

static int failed;

static void must(int result)
{
    failed |= result < 0;
}

static void linear(pcn_vec v)
{
    pcn_linear frozen;
    pcn_scaler scaler;
    size_t n;
    must(pcn_perceptron_init(&m.linear, N, 2, memory, sizeof memory));
    MEASURE("pcn_dot", pcn_dot_at(memory, N, &v))
    MEASURE("pcn_add", pcn_add_at(memory, N, 0.5f, &v))
    MEASURE("pcn_linear_predict", pcn_linear_predict_at(&m.linear.live, &v))
    MEASURE("pcn_perceptron_learn", pcn_perceptron_learn_at(&m.linear, &v, i & 1))
    m.linear.learner.rule = pcn_rule_pa(1);
    MEASURE("pcn_perceptron_learn", pcn_perceptron_learn_at(&m.linear, &v, i & 1))
    must(pcn_perceptron_init(&m.linear, N, K, memory, sizeof memory));
    must(pcn_perceptron_use_batch(&m.linear, state, sizeof state));
    MEASURE("pcn_perceptron_learn", pcn_perceptron_learn_at(&m.linear, &v, i % K))
    MEASURE("pcn_perceptron_apply_batch", must(pcn_perceptron_apply_batch(&m.linear, 0.5f)))
    must(pcn_perceptron_init(&m.linear, N, K, memory, sizeof memory));
    must(pcn_perceptron_use_averaging(&m.linear, sum, sizeof sum));
    m.linear.learner.rule = pcn_rule_pa2(1);
    m.linear.learner.update = pcn_update_uniform;
    MEASURE("pcn_linear_predict", pcn_linear_predict_at(&m.linear.live, &v))
    MEASURE("pcn_perceptron_predict", pcn_perceptron_predict_at(&m.linear, &v))
    MEASURE("pcn_perceptron_scores", pcn_perceptron_scores_at(&m.linear, &v, score))
    MEASURE("pcn_perceptron_learn", pcn_perceptron_learn_at(&m.linear, &v, i % K))
    MEASURE("pcn_perceptron_final", must(pcn_perceptron_final(&m.linear, &frozen, mean, sizeof mean)))
    must(pcn_perceptron_use_following(&m.linear));
    MEASURE("pcn_perceptron_learn", pcn_perceptron_learn_at(&m.linear, &v, i % K))
    must(pcn_scaler_init(&scaler, N, moment, sizeof moment));
    MEASURE("pcn_scaler_note", must(pcn_scaler_note(&scaler, x)))
    MEASURE("pcn_scaler_scale", pcn_scaler_scale(&scaler, x, x))
    MEASURE("pcn_scaler_fold", must(pcn_scaler_fold(&scaler, &frozen, &frozen, mean, sizeof mean)))
    must(pcn_perceptron_init(&m.linear, N, K, memory, sizeof memory));
    must(pcn_perceptron_use_confidence(&m.linear, 1, state, sizeof state));
    must(pcn_perceptron_use_averaging(&m.linear, sum, sizeof sum));
    MEASURE("pcn_perceptron_learn", pcn_perceptron_learn_at(&m.linear, &v, i % K))
    must(pcn_perceptron_init(&m.linear, N, K, memory, sizeof memory));
    MEASURE("pcn_perceptron_final_scores", pcn_perceptron_final_scores_at(&m.linear, &v, score))
    MEASURE("pcn_perceptron_save_part", n = pcn_perceptron_save_part(&m.linear, 0, image, sizeof image))
    MEASURE("pcn_perceptron_load", must(pcn_perceptron_load(&m.linear, image, n)))
    MEASURE("pcn_crc32", pcn_crc32(0, image, n))
}

static void integers(pcn_ivec v)
{
    must(pcn_iperceptron_init(&m.integer, N, K, imemory, sizeof imemory));
    MEASURE("pcn_iperceptron_learn", pcn_iperceptron_learn_at(&m.integer, &v, i % K))
    MEASURE("pcn_ilinear_predict", pcn_ilinear_predict_at(&m.integer.live, &v))
    must(pcn_iperceptron_use_averaging(&m.integer, isum, sizeof isum));
    MEASURE("pcn_iperceptron_learn", pcn_iperceptron_learn_at(&m.integer, &v, i % K))
    MEASURE("pcn_iperceptron_predict", pcn_iperceptron_predict_at(&m.integer, &v))
}

static void kernels(pcn_vec v)
{
    size_t n;
    must(pcn_kperceptron_init(&m.dual, pcn_kernel_rbf(0.1f), N, K, slot, SLOTS, room, sizeof room));
    m.dual.admit = pcn_admit_oldest;
    MEASURE("pcn_kperceptron_learn_row", pcn_kperceptron_learn_row_at(&m.dual, &v, i % K, PCN_NO_ID))
    MEASURE("pcn_kperceptron_predict", pcn_kperceptron_predict_at(&m.dual, &v))
    MEASURE("pcn_kperceptron_scores", pcn_kperceptron_scores_at(&m.dual, &v, score))
    MEASURE("pcn_kmodel_scores", pcn_kmodel_scores(&m.dual.model, PCN_DECIDE_LAST, &v, 1, score, work, sizeof work))
    MEASURE("pcn_kperceptron_save_part", n = pcn_kperceptron_save_part(&m.dual, 0, image, sizeof image))
    MEASURE("pcn_kperceptron_load", must(pcn_kperceptron_load(&m.dual, image, n)))
}

int demo(void)
{
    linear(pcn_dense(x, N));
    integers(pcn_idense(ix, N));
    kernels(pcn_dense(x, N));
    return failed ? BOARD_FAILED : BOARD_OK;
}
