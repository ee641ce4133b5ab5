/* After each call, are the upper halves of the vector registers clear? If not, legacy SSE code is slow from then on. Wants
 * an x86-64 that says so (xgetbv1), and perceptron.h built with -mavx2 in another unit. Prints the calls that leave them. */
#include "perceptron.h"

#include <stdio.h>

enum { N = 37, K = 5, SLOTS = 8 };

static int bad;

static void look(const char *call)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    if (!(low & 4)) return;
    printf("the upper halves are in use after %s\n", call);
    bad = 1;
    __asm__ volatile(".byte 0xc5, 0xf8, 0x77"); /* vzeroupper */
}

#define LOOK(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) < 0) return 2;                                                                                      \
        look(#call);                                                                                                   \
    } while (0)

int main(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], mean[PCN_LINEAR_FLOATS(N, K)];
    static float room[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], aux[SLOTS * (SLOTS + 2)],
        work[PCN_KMODEL_WORK(K, SLOTS, 1)];
    static pcn_slot slot[SLOTS];
    static float x[N];
    const pcn_vec row = pcn_dense(x, N);
    pcn_perceptron m;
    pcn_kperceptron k;
    pcn_linear final;
    int i, cls;
    for (i = 0; i < N; i++) x[i] = (float)(i * 7 % 11 - 4);
    LOOK(pcn_perceptron_init(&m, N, K, memory, sizeof memory));
    LOOK(pcn_perceptron_use_averaging(&m, sum, sizeof sum));
    for (i = 0; i < K; i++) LOOK(pcn_perceptron_learn(&m, row, i));
    LOOK(pcn_perceptron_predict(&m, row));
    LOOK(pcn_perceptron_final(&m, &final, mean, sizeof mean));
    LOOK(pcn_linear_predict(&final, row));
    LOOK((int)pcn_norm2(row));
    LOOK(pcn_kperceptron_init(&k, pcn_kernel_rbf(0.01f), N, K, slot, SLOTS, room, sizeof room));
    LOOK(pcn_kperceptron_use_projectron(&k, 0.01f, aux, sizeof aux));
    for (i = 0; i < 2 * SLOTS; i++) {
        x[i] += 1;
        LOOK(pcn_kperceptron_learn(&k, row, i % K));
    }
    LOOK(pcn_kmodel_predict(&k.model, PCN_DECIDE_LAST, &row, 1, &cls, work, sizeof work));
    return bad;
}
