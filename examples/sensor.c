/* build with: cc -std=c99 -O2 -I. examples/sensor.c -o build/sensor
 *
 * Learning on the device, from a stream of sensor rows: columns of unlike size, a target that changes, and answers that
 * say how sure they are, or "don't know". Static memory, no heap, no libm. The loop is the whole job:
 *
 *     note and scale the row, score it, answer; then, when the true class is known, calibrate and learn
 *
 * Half way the sensor of pressure is turned. Without following, the fifth line has 48.9 % right; without the scaler each
 * line has about a third. It prints:
 *
 *     rows              right     answered   right of these
 *          0 ..   1999    89.3 %     70.0 %     98.1 %
 *       2000 ..   3999    90.2 %     69.9 %     98.7 %
 *       4000 ..   5999    89.8 %     71.7 %     98.8 %
 *       6000 ..   7999    90.0 %     72.0 %     98.5 %
 *       8000 ..   9999    89.0 %     64.9 %     97.7 %
 *      10000 ..  11999    89.8 %     71.5 %     98.7 %
 *      12000 ..  13999    88.7 %     68.2 %     98.6 %
 *      14000 ..  15999    90.0 %     70.0 %     99.3 %
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"

enum { N = 4, K = 3, STRETCH = 2000, STRETCHES = 8 }; /* features, classes; rows of a line of the table */
#define COST 0.1f                                     /* of a "don't know", where that of a wrong answer is 1 */

/* From -1/2 to 1/2: the upper bits of a linear congruential generator. */
static float noise(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 16) / 65536.0f - 0.5f;
}

/* A pump that idles (0), runs (1) or is blocked (2). Half way its pressure sensor is mounted the other way round. */
static int pump(int time, float x[N])
{
    const int state = (int)(3 * (noise() + 0.5f)), runs = state == 1, blocked = state == 2;
    const float way = time < STRETCH * STRETCHES / 2 ? 1.0f : -1.0f;
    x[0] = 101325 + way * (float)(800 * blocked - 400 * runs) + 1500 * noise(); /* pressure, Pa */
    x[1] = 35 + (float)(4 * runs + 9 * blocked) + 20 * noise();                 /* temperature, degrees Celsius */
    x[2] = 0.004f * (float)runs + 0.001f * (float)blocked + 0.008f * noise();   /* vibration, m/s */
    x[3] = 0.1f + (float)(runs + blocked) + 1.5f * noise();                     /* current, A */
    return state;
}

int main(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sums[PCN_AVERAGING_FLOATS(N, K)];
    static float columns[PCN_SCALER_FLOATS(N)];
    pcn_scaler scaler;
    pcn_calibration sure;
    pcn_perceptron m;
    int stretch, t;

    must(pcn_scaler_init(&scaler, N, columns, sizeof columns));
    must(pcn_perceptron_init(&m, N, K, memory, sizeof memory));
    must(pcn_perceptron_use_averaging(&m, sums, sizeof sums));
    must(pcn_perceptron_use_following(&m));
    pcn_calibration_init(&sure);
    printf("rows              right     answered   right of these\n");
    for (stretch = 0; stretch < STRETCHES; stretch++) {
        int right = 0, answers = 0, right_answers = 0;
        for (t = stretch * STRETCH; t < (stretch + 1) * STRETCH; t++) {
            float x[N], score[PCN_SCORES(K)], p[K];
            const int y = pump(t, x);
            int guess;
            must(pcn_scaler_note(&scaler, x));
            pcn_scaler_scale(&scaler, x, x);
            pcn_perceptron_scores(&m, pcn_dense(x, N), score);
            guess = pcn_probabilities(&sure, score, K, p);
            right += guess == y;
            if (1 - p[guess] <= COST) answers++, right_answers += guess == y; /* otherwise: "don't know" */
            must(pcn_calibrate(&sure, score, K, p, y));                       /* before the model learns the row */
            must(pcn_perceptron_learn(&m, pcn_dense(x, N), y));
        }
        printf("%6d .. %6d   %5.1f %%    %5.1f %%    %5.1f %%\n", stretch * STRETCH, t - 1, 100.0 * right / STRETCH,
               100.0 * answers / STRETCH, answers ? 100.0 * right_answers / answers : 0);
    }
}
