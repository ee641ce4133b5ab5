/* build with: cc -std=c99 -O2 -I. examples/budget.c -o build/budget
 *
 * A kernel model stores the vectors that it learned from. What if memory is full? A policy decides:
 *
 *     none        learn returns PCN_EFULL, and the model stays as it is
 *     oldest      the oldest vector makes room
 *     random      any vector makes room
 *     Forgetron   all coefficients shrink until dropping the oldest does no harm
 *     projectron  the new vector is written as a sum of those stored
 *
 * All learn the same stream of points: in a disk or not? After half of the rows the disk moves from
 * the left to the right. The columns count the mistakes in each quarter, and the rows that learn refused.
 * The projectron errs least with a budget, but keeps a matrix. The last line has memory for all vectors.
 *
 * It prints:
 *
 *                                   mistakes: left       right
 *     policy        bytes  vectors     1st   2nd   3rd   4th  refused
 *     none            520       16      18     6   367   375      751
 *     oldest          520       16      39    37    50    34        0
 *     random          520       16      46    55    41    58        0
 *     Forgetron       584       16      36    24    60    41        0
 *     projectron     1672       16      20    10    41    15        0
 *     no limit      32008       61      19     8    29     4        0
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>

enum { BUDGET = 16, PLENTY = 1000, QUARTER = 1000, ROWS = 4 * QUARTER };
enum policy { NONE, OLDEST, RANDOM, FORGETRON, PROJECTRON, POLICIES };
static const char *const names[POLICIES] = {"none", "oldest", "random", "Forgetron", "projectron"};

static uint32_t state; /* of the random numbers */

/* From -1 to 1: the upper 10 bits of a linear congruential generator. Squares of so few are exact. */
static float uniform(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 22) / 512.0f - 1;
}

/* A random point of the stream, not too close to the edge of the disk. Returns its class. */
static int make(int row, float *x)
{
    float centre = row < ROWS / 2 ? -0.375f : 0.375f, r2;
    do {
        x[0] = uniform();
        x[1] = uniform();
        r2 = (x[0] - centre) * (x[0] - centre) + x[1] * x[1];
    } while (r2 > 0.25f && r2 < 0.375f);
    return r2 < 0.3f ? 1 : -1;
}

/* Numbers that a policy keeps for itself. */
static size_t aux_floats(enum policy policy)
{
    if (policy == FORGETRON) return BUDGET;
    if (policy == PROJECTRON) return BUDGET * (BUDGET + 2);
    return 0;
}

static int choose(pcn_kperceptron *m, enum policy policy)
{
    static float aux[BUDGET * (BUDGET + 2)];
    size_t floats = aux_floats(policy);
    switch (policy) {
    case OLDEST: m->admit = pcn_admit_oldest; return PCN_OK;
    case RANDOM: m->admit = pcn_admit_random; return PCN_OK;
    case FORGETRON: return pcn_kperceptron_use_forgetron(m, aux, floats);
    case PROJECTRON: return pcn_kperceptron_use_projectron(m, 0, aux, floats);
    default: return PCN_OK;
    }
}

/* The class before the row is learned: a row that learn refuses counts too. */
static int predict(const pcn_kperceptron *m, pcn_vec x)
{
    static float work[PCN_KMODEL_WORK(1, PLENTY, 1)];
    int cls = 0;
    pcn_kmodel_predict(&m->model, PCN_DECIDE_LAST, &x, 1, &cls, work, PCN_LENGTH(work));
    return cls;
}

static int run(const char *name, enum policy policy, uint32_t slots)
{
    static float memory[PCN_KPERCEPTRON_FLOATS(2, 1, PLENTY)];
    static pcn_slot slot[PLENTY];
    int mistakes[4] = {0}, refused = 0;
    size_t floats = PCN_KPERCEPTRON_FLOATS(2, 1, slots);
    pcn_kperceptron m;

    if (pcn_kperceptron_init(&m, pcn_kernel_rbf(4), 2, 1, slot, slots, memory, floats) != PCN_OK) return 0;
    if (choose(&m, policy) != PCN_OK) return 0;
    state = 1;
    for (int i = 0; i < ROWS; i++) {
        float x[2];
        int y = make(i, x);
        pcn_vec point = pcn_dense(x, 2);
        mistakes[i / QUARTER] += predict(&m, point) != y;
        refused += pcn_kperceptron_learn(&m, point, y, PCN_NO_ID) == PCN_EFULL;
    }
    int bytes = (int)(4 * (floats + aux_floats(policy)) + sizeof slot[0] * slots);
    printf("%-10s  %7d %8d  %6d %5d %5d %5d  %7d\n", name, bytes, (int)m.model.slots,
           mistakes[0], mistakes[1], mistakes[2], mistakes[3], refused);
    return 1;
}

int main(void)
{
    printf("                              mistakes: left       right\n");
    printf("policy        bytes  vectors     1st   2nd   3rd   4th  refused\n");
    for (int policy = NONE; policy < POLICIES; policy++)
        if (!run(names[policy], (enum policy)policy, BUDGET)) return 1;
    if (!run("no limit", NONE, PLENTY)) return 1;
}
