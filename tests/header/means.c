/* The mean of all weights is within its documented bound, after ten million rows, too. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* The documented bound of a mean of reals. */
static int near_mean(float mean, double exact, double largest)
{
    return size_of((double)mean - exact) <= size_of(exact) / 8388608 + largest / 17179869184.0;
}

/* Against the mean of all weights, the present ones at the start included; rates that decay. */
static void check_mean(enum content content, uint32_t classes, int start, unsigned options)
{
    static set s;
    static trainer t;
    static float out[PCN_LINEAR_FLOATS(N, K)];
    static double total[PCN_LINEAR_FLOATS(N, K)], largest[PCN_LINEAR_FLOATS(N, K)];
    size_t i, all;
    uint32_t row, bad = 0;
    pcn_linear mean;
    set_init(&s, ROWS, N, classes, content);
    all = PCN_LINEAR_FLOATS(N, classes);
    trainer_with(&t, s.features, s.classes, options & (FEATURE_MAJOR | BATCHED));
    for (i = 0; start && i < all; i++) t.memory[i] = content == INTEGERS ? random_integer(100) : random_real();
    if (start) {
        CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == 0); /* starts anew below */
        train(&t, &s, 0, 30, DENSE);
        if (options & BATCHED) CHECK(pcn_perceptron_apply_batch(&t.m, 1) == 1);
    }
    CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == 0);
    for (i = 0; i < all; i++) {
        total[i] = (double)t.m.live.weight[i];
        largest[i] = size_of(total[i]);
    }
    mean = final_of(&t.m, out);
    CHECK(memcmp(out, t.m.live.weight, all * sizeof *out) == 0); /* of one set of weights */
    for (row = 0; row < 5 * ROWS; row++) {
        train(&t, &s, row, row + 1, DENSE);
        if (content != INTEGERS) t.m.learner.rule.rate *= 0.995f;
        if ((options & BATCHED) && row % 3 == 2) CHECK(pcn_perceptron_apply_batch(&t.m, 1) >= 0);
        for (i = 0; i < all; i++) {
            double w = (double)t.m.live.weight[i];
            total[i] += w;
            if (size_of(w) > largest[i]) largest[i] = size_of(w);
        }
        if (row % 42 != 41 && row != 5 * ROWS - 1) continue; /* a batch is empty here */
        mean = final_of(&t.m, out);
        CHECK(mean.weight == out && mean.bias == out + N * mean.scores);
        for (i = 0; i < all; i++) {
            double exact = total[i] / (row + 2);
            bad += content == INTEGERS ? out[i] != (float)exact : !near_mean(out[i], exact, largest[i]);
        }
    }
    CHECK(bad == 0);
}

/* Ten million rows, each of which sets the one weight anew. The exact sum is kept in an integer, in
 * units of 2^-scale. */
static void check_long_mean(int reals, uint32_t rows)
{
    static float memory[PCN_PERCEPTRON_FLOATS(1, 2)], sum[PCN_AVERAGING_FLOATS(1, 2)], out[PCN_LINEAR_FLOATS(1, 2)];
    const double unit = reals ? 68719476736.0 : 1; /* 2^36 */
    pcn_perceptron m;
    int64_t total = 0;
    double largest = 0, exact = 0, worst = 0;
    uint32_t i, next = 1, far = 0, inexact = 0;
    CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == 0);
    CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == 0);
    m.learner.bias_input = 0;
    m.learner.rule.margin = FLT_MAX; /* always updates */
    for (i = 1; i <= rows; i++) {
        float target = reals ? random_real() * 2 + 0.1f : random_integer(4095);
        float x = target - memory[0]; /* reals: reached but for rounding */
        (void)pcn_perceptron_learn(&m, pcn_dense(&x, 1), 1);
        total += (int64_t)((double)memory[0] * unit);
        if (size_of((double)memory[0]) > largest) largest = size_of((double)memory[0]);
        if (i != next && i != rows) continue;
        next += 1 + next / 10;
        (void)final_of(&m, out);
        exact = (double)total / unit / (i + 1);
        far += !near_mean(out[0], exact, largest);
        inexact += !reals && out[0] != (float)exact;
        if (size_of((double)out[0] - exact) > worst) worst = size_of((double)out[0] - exact);
    }
    CHECK(m.learner.count.updates == rows);
    CHECK(far == 0);
    CHECK(inexact == 0);
    printf("mean of %lu %s up to %.5g: %.9g, off by %.3g, on the way by %.3g\n", (unsigned long)rows,
           reals ? "reals" : "integers", largest, (double)out[0], (double)out[0] - exact, worst);
}

/* Means that nearly cancel: the largest weights of both signs in turn, and now and then another. */
static void check_small_mean(float largest)
{
    float memory[PCN_PERCEPTRON_FLOATS(1, 2)], sum[PCN_AVERAGING_FLOATS(1, 2)], out[PCN_LINEAR_FLOATS(1, 2)];
    uint32_t i, step, inexact = 0;
    for (step = 1; step < 40; step++) {
        pcn_perceptron m;
        int64_t total = 0;
        CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == 0);
        CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == 0);
        m.learner.bias_input = 0;
        m.learner.rule.margin = FLT_MAX;
        for (i = 1; i <= 3000; i++) {
            float target = i / step % 2 ? largest : i % 500 == 0 ? 1 - largest : -largest;
            float x = target - memory[0];
            (void)pcn_perceptron_learn(&m, pcn_dense(&x, 1), 1);
            total += (int64_t)memory[0];
            (void)final_of(&m, out);
            inexact += out[0] != (float)((double)total / (i + 1));
        }
    }
    CHECK(inexact == 0);
}

static void check_means(void)
{
    unsigned options;
    for (options = 0; options < 8; options += FEATURE_MAJOR) {
        check_mean(INTEGERS, 2, options & AVERAGED, options);
        check_mean(REALS, 2, options & AVERAGED, options);
        check_mean(INTEGERS, 4, options & AVERAGED, options);
        check_mean(REALS, 4, options & AVERAGED, options);
    }
    check_long_mean(0, 10000000);
    check_long_mean(1, 10000000);
    check_small_mean(2047); /* changes up to 4,094 */
    check_small_mean(4095); /* and up to 8,190 */
}

int main(void)
{
    check_means();
    return report();
}
