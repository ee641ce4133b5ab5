/* build with: cc -std=c99 -O2 -I. examples/decay.c -o build/decay
 *
 * A rate that changes with time needs no option: m.learner.rule.rate may be set between any two rows. Here one label
 * in ten is wrong, and rows count until they are right by a margin of 1. With a rate of 1 each wrong label throws the
 * line about, for ever. A rate of 1 / epoch lets it settle, and so does the mean of all weights, without a rate to
 * choose. (Rates whose sum is finite, such as 1 / 2^epoch, may stop on the way.)
 *
 * It prints:
 *
 *     epochs  errors of 500: rate 1  rate 1 / epoch  mean of rate 1
 *          1                     43              43              21
 *          2                    126              44              14
 *          4                     36              42              16
 *          8                    106              22              16
 *         16                     51              20              16
 *         32                     57              16              16
 *         64                     41              18              20
 *        128                     67              15              20
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"

enum { ROWS = 500, EPOCHS = 128 };

static float x[ROWS][2];
static int y[ROWS], right[ROWS];

/* From -1 to 1: the upper bits of a linear congruential generator. */
static float number(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 16) / 32768.0f - 1;
}

static int errors(const pcn_linear *m)
{
    int wrong = 0;
    for (int i = 0; i < ROWS; i++) wrong += pcn_linear_predict(m, pcn_dense(x[i], 2)) != right[i];
    return wrong;
}

int main(void)
{
    static float memory[2][PCN_PERCEPTRON_FLOATS(2, 2)], sum[PCN_AVERAGING_FLOATS(2, 2)], mean[PCN_LINEAR_FLOATS(2, 2)];
    pcn_perceptron m[2];
    pcn_pass pass;
    uint32_t row;

    for (int i = 0; i < ROWS; i++) {
        x[i][0] = number();
        x[i][1] = number();
        right[i] = 2 * x[i][0] - x[i][1] + 0.3f > 0;
        y[i] = number() < -0.8f ? !right[i] : right[i];
    }
    for (int i = 0; i < 2; i++) must(pcn_perceptron_init(&m[i], 2, 2, memory[i], sizeof memory[i]));
    m[0].learner.rule.margin = m[1].learner.rule.margin = 1;
    must(pcn_perceptron_use_averaging(&m[0], sum, sizeof sum));

    printf("epochs  errors of 500: rate 1  rate 1 / epoch  mean of rate 1\n");
    pcn_pass_init(&pass, ROWS, EPOCHS, 1);
    pass.stop = PCN_STOP_NEVER;
    while (pcn_pass_next(&pass, &row)) {
        m[1].learner.rule.rate = 1 / (float)pass.epoch;
        for (int i = 0; i < 2; i++) must(pcn_perceptron_learn(&m[i], pcn_dense(x[row], 2), y[row]));
        if (pass.left == 0 && (pass.epoch & (pass.epoch - 1)) == 0) {
            pcn_linear average;
            must(pcn_perceptron_final(&m[0], &average, mean, sizeof mean));
            printf("%6d  %21d  %14d  %14d\n", (int)pass.epoch, errors(&m[0].live), errors(&m[1].live),
                   errors(&average));
        }
    }
}
