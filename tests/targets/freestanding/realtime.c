/* Learning and predicting in functions that clang takes for nonblocking: with -Wfunction-effects it proves
 * at compile time what needs no function pointer, with -fsanitize=realtime it watches everything at run
 * time. -DBREAK=1 and 2 must be refused: they show that the checks see something. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, K = 3, SLOTS = 8 };

static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], mean[PCN_LINEAR_FLOATS(N, K)],
    exponent[PCN_LINEAR_FLOATS(N, K)];
static float room[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], work[PCN_KMODEL_WORK(K, SLOTS, 1)];
static int32_t imemory[PCN_IPERCEPTRON_NUMBERS(N, K)];
static pcn_slot slot[SLOTS];
static float x[N];
static int16_t ix[N];

#if BREAK != 0
static void block(void)
{
    void *volatile p = malloc(1);
    free(p);
}
#endif

static int predict(const pcn_linear *m, const pcn_ilinear *im, pcn_vec v) __attribute__((nonblocking));
static int predict(const pcn_linear *m, const pcn_ilinear *im, pcn_vec v)
{
#if BREAK == 1
    block();
#endif
    return pcn_linear_predict(m, v) + pcn_ilinear_predict(im, pcn_idense(ix, N));
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects" /* hooks are called through pointers */
static int learn(pcn_perceptron *m, pcn_iperceptron *im, pcn_kperceptron *d, int y) __attribute__((nonblocking));
static int learn(pcn_perceptron *m, pcn_iperceptron *im, pcn_kperceptron *d, int y)
{
    pcn_vec v = pcn_dense(x, N);
    int cls, result = pcn_perceptron_learn(m, v, y);
#if BREAK == 2
    block();
#endif
    result |= pcn_iperceptron_learn(im, pcn_idense(ix, N), y);
    result |= pcn_kperceptron_learn(d, v, y);
    result |= pcn_perceptron_predict(m, v);
    result |= pcn_kmodel_predict(&d->model, PCN_DECIDE_LAST, &v, 1, &cls, work, sizeof work);
    return result;
}
#pragma clang diagnostic pop

int main(void)
{
    pcn_perceptron m;
    pcn_iperceptron im;
    pcn_kperceptron d;
    pcn_linear frozen;
    uint32_t seed = 1, winnow, i, j;
    for (winnow = 0; winnow < 2; winnow++) {
        int bad = pcn_perceptron_init(&m, N, K, memory, sizeof memory);
        if (winnow) bad |= pcn_perceptron_use_winnow(&m, 1, 1, exponent, sizeof exponent);
        bad |= pcn_perceptron_use_averaging(&m, sum, sizeof sum);
        bad |= pcn_iperceptron_init(&im, N, K, imemory, sizeof imemory);
        bad |= pcn_kperceptron_init(&d, pcn_kernel_rbf(0.1f), N, K, slot, SLOTS, room, sizeof room);
        if (bad) return 1;
        d.admit = pcn_admit_oldest;
        for (i = 0; i < 200; i++) {
            for (j = 0; j < N; j++) {
                seed = seed * 1664525u + 1013904223u;
                ix[j] = (int16_t)(seed >> 16 & 0xff);
                x[j] = (float)ix[j] / 256;
            }
            if (learn(&m, &im, &d, (int)(seed >> 24) % K) < 0) return 1;
            predict(&m.live, &im.live, pcn_dense(x, N));
        }
    }
    if (pcn_perceptron_final(&m, &frozen, mean, sizeof mean) != PCN_OK) return 1;
    printf("updates: %lu\n", (unsigned long)m.learner.count.updates);
    return m.learner.count.updates == 0;
}
