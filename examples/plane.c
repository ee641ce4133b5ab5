/* build with: cc -std=c99 -O2 -I. examples/plane.c -o build/plane
 *
 * The perceptron convergence proof in numbers. W = (b, w1, w2) starts at 0, X = (1, x1, x2), and an
 * update adds y X. Novikoff (1962) takes any W* with y W*.X >= g > 0 for all points. Then
 *
 *     W.W* grows by g at least           so after k updates  W.W* >= k g
 *     |W|^2 grows by R^2 at most         so after k updates  |W|^2 <= k R^2   (R^2: the largest |X|^2)
 *
 * The second holds because the point was on the wrong side: y W.X <= 0. W.W* is at most |W| |W*|, so
 * k g <= sqrt(k) R |W*|, and k cannot pass (R |W*| / g)^2. Everything here is a whole number. `y s` is
 * that of the point before its update. `least` is the least y s of all points after it.
 *
 * It prints:
 *
 *     W* = (1, 0, 2), |W*|^2 = 5, g = 1, R^2 = 6: at most 30 updates
 *
 *      k  point    y  y s     b  w1  w2  least   W.W*  >= k g   |W|^2  <= k R^2
 *      1  -2 -1   -1    0    -1   2   1     -5      1       1       6         6
 *      2  -1  2   +1   -1     0   1   3     -2      6       2      10        12
 *      3  -2  0   +1   -2     1  -1   3      0      7       3      11        18
 *      4  -2 -1   -1    0     0   1   4     -2      8       4      17        24
 *      5  -2  0   +1   -2     1  -1   4      1      9       5      18        30
 *
 *     No update in epoch 3. 5 updates were enough, 30 were allowed.
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>

enum { POINTS = 6, W = PCN_BATCH(2, 1) }; /* W: two weights and the bias */

static const float x[POINTS][2] = {{-2, -1}, {0, -1}, {1, -2}, {-1, 2}, {2, -1}, {-2, 0}};
static const int y[POINTS] = {-1, -1, -1, 1, -1, 1};

/* What the proof needs to know of weights: the least y s, and the largest |X|^2. */
static pcn_measure measure(const pcn_linear *m)
{
    pcn_measure q = {0};
    for (int i = 0; i < POINTS; i++) {
        pcn_vec point = pcn_dense(x[i], 2);
        float score = pcn_linear_score(m, point);
        int wrong = pcn_linear_predict(m, point) != y[i];
        pcn_measure_add(&q, (float)y[i] * score, wrong, pcn_norm2(point) + 1); /* + 1: the bias input */
    }
    return q;
}

int main(void)
{
    static const float star[W] = {0, 2, 1}; /* W*: w1, w2, then the bias, as a trainer keeps them */
    static float memory[PCN_WEIGHTS(2, 1)];
    pcn_linear known = {.weight = star, .bias = star + 2, .features = 2, .classes = 1, .row = 2, .column = 1};
    pcn_measure best = measure(&known);
    int star2 = (int)pcn_norm2(pcn_dense(star, W));
    int g = (int)pcn_measure_margin(&best), radius2 = (int)best.radius2;
    int bound = (int)pcn_measure_bound(&best, (float)star2);
    pcn_perceptron m;
    pcn_pass pass;
    uint32_t i;

    printf("W* = (%d, %d, %d), |W*|^2 = %d, g = %d, R^2 = %d: at most %d updates\n\n", (int)star[2],
           (int)star[0], (int)star[1], star2, g, radius2, bound);

    if (pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), 2, 1) != PCN_OK) return 1;
    pcn_pass_init(&pass, POINTS, 0, 0); /* no limit of epochs: the proof is one */
    pass.order = PCN_ORDER_FILE;

    printf(" k  point    y  y s     b  w1  w2  least   W.W*  >= k g   |W|^2  <= k R^2\n");
    while (pcn_pass_next(&pass, &i)) {
        int learned = pcn_perceptron_learn(&m, pcn_dense(x[i], 2), y[i]);
        pcn_pass_note(&pass, learned);
        if (learned != 1) continue;

        int k = (int)m.learner.count.updates;
        int before = y[i] * (int)m.learner.score[0];
        int least = (int)measure(&m.model).margin;
        int along = (int)pcn_dot(m.weight, W, pcn_dense(star, W));
        int length2 = (int)pcn_norm2(pcn_dense(m.weight, W));
        printf("%2d  %2d %2d   %+d  %3d  %4d %3d %3d  %5d  %5d  %6d   %5d  %8d\n", k, (int)x[i][0], (int)x[i][1],
               y[i], before, (int)m.model.bias[0], (int)m.model.weight[0], (int)m.model.weight[1], least,
               along, k * g, length2, k * radius2);
        if (along < k * g || length2 > k * radius2 || k > bound) return 1; /* the proof would be wrong */
    }
    printf("\nNo update in epoch %u. %d updates were enough, %d were allowed.\n", (unsigned)pass.epoch,
           (int)m.learner.count.updates, bound);
}
