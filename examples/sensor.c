/* build with: cc -std=c99 -O2 -I. examples/sensor.c -o build/sensor
 *
 * Learning on the device: will the next reading be positive? The reading itself is the answer, so
 * the model learns as long as it runs and follows the drift. Static memory, no heap, no libm.
 *
 * It prints:
 *
 *     readings          learning   frozen
 *          0 ..   1999     95.9 %    95.9 %
 *       2000 ..   3999     97.2 %    92.2 %
 *       4000 ..   5999     97.5 %    79.8 %
 *       6000 ..   7999     97.4 %    65.6 %
 *       8000 ..   9999     97.0 %    51.6 %
 *      10000 ..  11999     97.3 %    37.0 %
 *      12000 ..  13999     97.3 %    19.1 %
 *      14000 ..  15999     96.5 %     5.8 %
 *     0 readings refused
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"

enum { WINDOW = 4, STRETCH = 2000, STRETCHES = 8 };

/* From -1/2 to 1/2: the upper bits of a linear congruential generator. */
static float noise(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 16) / 65536.0f - 0.5f;
}

/* A machine that runs up: (u, v) turns by 2 asin(speed / 2) a reading, 12 readings a turn at first,
 * 3 at last. */
static float reading(int time)
{
    static float u = 1, v = 0;
    float speed = 0.5f + 1.2f * (float)time / (float)(STRETCH * STRETCHES);
    u -= speed * v;
    v += speed * u;
    return v + 0.2f * noise();
}

int main(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(WINDOW, 1)], saved[PCN_LINEAR_FLOATS(WINDOW, 1)], past[WINDOW];
    pcn_perceptron m;
    pcn_linear frozen;
    int stretch, t, i;

    must(pcn_perceptron_init(&m, WINDOW, 1, memory, sizeof memory));
    must(pcn_perceptron_final(&m, &frozen, NULL, 0)); /* no copy yet: both learn through the first stretch */
    printf("readings          learning   frozen\n");
    for (stretch = 0; stretch < STRETCHES; stretch++) {
        int right = 0, right_frozen = 0;
        for (t = stretch * STRETCH; t < (stretch + 1) * STRETCH; t++) {
            float now = reading(t);
            int y = now > 0;
            right_frozen += pcn_linear_predict(&frozen, pcn_dense(past, WINDOW)) == y;
            if (pcn_perceptron_learn(&m, pcn_dense(past, WINDOW), y) >= 0) right += m.learner.guess == y;
            for (i = WINDOW - 1; i > 0; i--) past[i] = past[i - 1];
            past[0] = now;
        }
        printf("%6d .. %6d   %6.1f %%   %5.1f %%\n", stretch * STRETCH, t - 1, 100.0 * right / STRETCH,
               100.0 * right_frozen / STRETCH);
        if (stretch == 0) must(pcn_perceptron_final(&m, &frozen, saved, sizeof saved));
    }
    printf("%u readings refused\n", (unsigned)m.learner.refused);
}
