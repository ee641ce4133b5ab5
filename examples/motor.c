/* build with: cc -std=c99 -O2 -I. examples/motor.c -o build/motor
 *
 * A worn bearing, heard by a processor without an FPU: the integer twin, and not one float. A window of
 * 64 samples of an accelerometer becomes six int16 features. The model learns from labelled windows and
 * watches others. The load of the motor varies, so loudness alone says little: a worn bearing knocks.
 * Nothing is rounded, so every machine finds the same weights.
 *
 * It prints:
 *
 *     400 windows, each learned 20 times: 656 updates
 *     last weights: 40 of 1000 fresh windows wrong, 2 of them false alarms
 *     their mean:   27 of 1000 fresh windows wrong, 2 of them false alarms
 *
 *     feature         good  worn  weight
 *     loudness         262   257   -6357
 *     peak             449   495    1634
 *     roughness         97   108    1024
 *     largest step     233   347   18928
 *     crossings        112   120    1888
 *     loud samples     646   560  -12752
 *     bias                       3068624
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"

enum { SAMPLES = 64, WINDOWS = 400, FRESH = 1000, EPOCHS = 20 };
enum { LOUDNESS, PEAK, ROUGHNESS, LARGEST_STEP, CROSSINGS, LOUD_SAMPLES, FEATURES };
static const char *const names[FEATURES] = {"loudness",     "peak",      "roughness",
                                            "largest step", "crossings", "loud samples"};

static uint32_t state; /* of the random numbers */

/* From -size to size: the upper bits of a linear congruential generator. */
static int noise(int size)
{
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 17) % (2 * size + 1) - size;
}

/* One window in thousandths of g. The shaft hums as loud as the load is. A worn bearing adds a knock
 * every 9 to 13 samples, which rings for three. */
static void listen(int16_t *sample, int worn)
{
    int load = 400 + noise(200), u = load, v = 0;
    int next = 5 + noise(4), knock = 0;
    for (int t = 0; t < SAMPLES; t++) {
        u -= v * 3 / 8; /* (u, v) turns, in 17 samples once */
        v += u * 3 / 8;
        knock = -knock / 2;
        if (worn && t == next) {
            knock = 110 + noise(60);
            next += 11 + noise(2);
        }
        sample[t] = (int16_t)(v + knock + noise(60));
    }
}

static int size_of(int a)
{
    return a < 0 ? -a : a;
}

/* Sums and maxima, scaled to be of like size, as the perceptron weighs large features more. */
static void describe(const int16_t *sample, int16_t *x)
{
    int32_t sum = 0, rough = 0; /* an int may have 16 bits */
    int peak = 0, step = 0, crossings = 0, loud = 0;
    for (int t = 0; t < SAMPLES; t++) {
        int now = sample[t], size = size_of(now);
        sum += size;
        if (size > peak) peak = size;
        if (t == 0) continue;
        int change = size_of(now - sample[t - 1]);
        rough += change;
        if (change > step) step = change;
        crossings += (now < 0) != (sample[t - 1] < 0);
    }
    for (int t = 0; t < SAMPLES; t++) loud += size_of(sample[t]) > peak / 2;
    x[LOUDNESS] = (int16_t)(sum / SAMPLES);
    x[PEAK] = (int16_t)peak;
    x[ROUGHNESS] = (int16_t)(rough / SAMPLES);
    x[LARGEST_STEP] = (int16_t)step;
    x[CROSSINGS] = (int16_t)(16 * crossings);
    x[LOUD_SAMPLES] = (int16_t)(16 * loud);
}

/* Makes a window, good or worn at random, and its features. Returns the class: 1 worn, 0 good. */
static int make(int16_t *x)
{
    int16_t sample[SAMPLES];
    int worn = noise(100) > 0;
    listen(sample, worn);
    describe(sample, x);
    return worn;
}

/* Wrong answers on fresh windows, and how many of them are false alarms. */
static int errors(const pcn_ilinear *m, int *alarms)
{
    int wrong = 0;
    *alarms = 0;
    state = 2;
    for (int i = 0; i < FRESH; i++) {
        int16_t x[FEATURES];
        int y = make(x);
        int guess = pcn_ilinear_predict(m, pcn_idense(x, FEATURES));
        wrong += guess != y;
        *alarms += guess > y;
    }
    return wrong;
}

int main(void)
{
    static int16_t x[WINDOWS][FEATURES];
    static int y[WINDOWS];
    static int32_t memory[PCN_IPERCEPTRON_NUMBERS(FEATURES, 2)], mean[PCN_IPERCEPTRON_NUMBERS(FEATURES, 2)];
    static int64_t sum[PCN_IPERCEPTRON_NUMBERS(FEATURES, 2)];
    pcn_iperceptron m;
    pcn_ilinear averaged;
    pcn_pass pass;
    uint32_t row;
    int wrong, alarms;

    state = 1;
    for (int i = 0; i < WINDOWS; i++) y[i] = make(x[i]);

    must(pcn_iperceptron_init(&m, FEATURES, 2, memory, sizeof memory));
    must(pcn_iperceptron_use_averaging(&m, sum, sizeof sum));
    pcn_pass_init(&pass, WINDOWS, EPOCHS, 1);
    while (pcn_pass_next(&pass, &row))
        pcn_pass_note(&pass, pcn_iperceptron_learn(&m, pcn_idense(x[row], FEATURES), y[row]));
    must(pass.result);
    printf("%d windows, each learned %u times: %u updates\n", WINDOWS, (unsigned)pass.epoch, (unsigned)m.updates);

    wrong = errors(&m.live, &alarms);
    printf("last weights: %d of %d fresh windows wrong, %d of them false alarms\n", wrong, FRESH, alarms);
    must(pcn_iperceptron_final(&m, &averaged, mean, sizeof mean));
    wrong = errors(&averaged, &alarms);
    printf("their mean:   %d of %d fresh windows wrong, %d of them false alarms\n\n", wrong, FRESH, alarms);

    const int32_t *weight = m.live.weight;
    printf("feature         good  worn  weight\n");
    for (int j = 0; j < FEATURES; j++) {
        int32_t total[2] = {0, 0}, count[2] = {0, 0};
        for (int i = 0; i < WINDOWS; i++) {
            total[y[i]] += x[i][j];
            count[y[i]]++;
        }
        printf("%-14s %5d %5d %7ld\n", names[j], (int)(total[0] / count[0]), (int)(total[1] / count[1]),
               (long)weight[j]);
    }
    printf("bias                %14ld\n", (long)m.live.bias[0]);
}
