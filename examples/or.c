/* build with: cc -std=c99 -O2 -I. examples/or.c -o build/or
 *
 * The smallest complete program: the OR gate, learned with the pass iterator, which shows the rows
 * in turn until a whole epoch needs no update. A score of 0 updates, whatever the class.
 *
 * It prints:
 *
 *     shown  row  y     b   w1   w2
 *         1  0 0  0    -1   +0   +0
 *         2  0 1  1    +0   +0   +1
 *         3  1 0  1    +1   +1   +1
 *         5  0 0  0    +0   +1   +1
 *         9  0 0  0    -1   +1   +1
 *        10  0 1  1    +0   +1   +2
 *        13  0 0  0    -1   +1   +2
 *        15  1 0  1    +0   +2   +2
 *        17  0 0  0    -1   +2   +2
 *     clean epoch after 24 rows, 9 updates
 *
 *     0 or 0: score -1, class 0
 *     0 or 1: score +1, class 1
 *     1 or 0: score +1, class 1
 *     1 or 1: score +3, class 1
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>

int main(void)
{
    static const float x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    static const int y[4] = {0, 1, 1, 1};
    static float memory[PCN_PERCEPTRON_FLOATS(2, 2)];
    pcn_perceptron m;
    pcn_pass pass;
    uint32_t row;

    int result = pcn_perceptron_init(&m, 2, 2, memory, sizeof memory);
    if (result < 0) return fprintf(stderr, "%s\n", pcn_error_text(result)), 1;
    pcn_pass_init(&pass, 4, 100, 0);
    pass.order = PCN_ORDER_FILE;

    printf("shown  row  y     b   w1   w2\n");
    while (pcn_pass_next(&pass, &row)) {
        int learned = pcn_perceptron_learn(&m, pcn_dense(x[row], 2), y[row]);
        pcn_pass_note(&pass, learned);
        if (learned == 1)
            printf("%5d  %g %g  %d  %+4g %+4g %+4g\n", (int)m.learner.count.rows, (double)x[row][0], (double)x[row][1],
                   y[row], (double)m.live.bias[0], (double)m.live.weight[0], (double)m.live.weight[1]);
    }
    if (pass.result < 0) return fprintf(stderr, "%s\n", pcn_error_text(pass.result)), 1;

    printf("clean epoch after %d rows, %d updates\n\n", (int)m.learner.count.rows, (int)m.learner.count.updates);
    for (row = 0; row < 4; row++)
        printf("%g or %g: score %+g, class %d\n", (double)x[row][0], (double)x[row][1],
               (double)pcn_linear_score(&m.live, pcn_dense(x[row], 2)),
               pcn_perceptron_predict(&m, pcn_dense(x[row], 2)));
}
