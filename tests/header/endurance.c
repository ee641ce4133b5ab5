/* After a million updates on a stream whose target drifts, every weight is finite and bounded, every learner still
 * learns, and the mean is as exact as tests/bench/README.md says. Counts near 2^32 and 2^36 are learned across; then
 * learn returns PCN_EFULL.
 *
 * UPDATES: of each learner (default 1,000,000; make endurance: 10^9). */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, K = 3, PARTS = 10, DRIFT = 500 }; /* DRIFT: rows between two changes of the target */

/* ---- The stream ---- */

/* Values are quarters from -1 to 3/4. The label is that of the target, a vector for each class, but for one row in
 * eight. The target moves a little every DRIFT rows, and has turned round after some 10^5. */
typedef struct stream {
    uint64_t state, rows;
    float x[N];
    int target[K][N], still;
} stream;

static uint64_t next_bits(stream *s)
{
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return s->state;
}

static void stream_init(stream *s)
{
    int c, j;
    memset(s, 0, sizeof *s);
    s->state = 88172645463325252u;
    for (c = 0; c < K; c++)
        for (j = 0; j < N; j++) s->target[c][j] = (int)(next_bits(s) % 21) - 10;
}

static void drift(stream *s)
{
    uint64_t bits = next_bits(s);
    int *t = &s->target[bits % K][bits / K % N], to = *t + (bits >> 32 & 1 ? 1 : -1);
    if (to >= -10 && to <= 10) *t = to;
}

/* A row, and its class: of two classes 0 or 1. */
static int next_row(stream *s, int classes)
{
    uint64_t bits = next_bits(s), noise = next_bits(s);
    int c, j, best = 0, most = 0;
    if (s->rows++ % DRIFT == 0 && !s->still) drift(s);
    for (j = 0; j < N; j++, bits >>= 3) s->x[j] = (float)((int)(bits & 7) - 4) / 4;
    for (c = 0; c < (int)PCN_SCORES(classes); c++) {
        int sum = 0;
        for (j = 0; j < N; j++) sum += s->target[c][j] * (int)(4 * s->x[j]);
        if (c == 0 || sum > most) most = sum, best = c;
    }
    if (classes == 2) best = most > 0;
    return noise % 8 ? best : (int)(noise / 8 % (uint64_t)classes);
}

/* ---- The learners ---- */

typedef struct learner {
    const char *name;
    int classes, rule; /* 0 fixed, 1 PA-I, 2 PA-II, 3 absolute, 4 AROW */
    int one_vs_rest, averaged, batched, winnow;
    float margin, bound; /* of the weights' size */
} learner;

/* The bounds are some times what the weights reach: a step of the fixed rule moves a weight by at most 1, and the target
 * has weights of at most 10. Those of Winnow end at 2^64. */
static const learner learners[] = {
    {"perceptron", 2, 0, 0, 0, 0, 0, 0, 200},
    {"averaged", 2, 0, 0, 1, 0, 0, 0, 200},
    {"margin 2, averaged", 2, 0, 0, 1, 0, 0, 2, 200},
    {"absolute", 2, 3, 0, 0, 0, 0, 0, 1000},
    {"PA-I, averaged", 2, 1, 0, 1, 0, 0, 1, 200},
    {"PA-II", 2, 2, 0, 0, 0, 0, 1, 200},
    {"classes, averaged", K, 0, 0, 1, 0, 0, 0, 200},
    {"one-vs-rest, PA-I", K, 1, 1, 0, 0, 0, 1, 200},
    {"batches of 10", 2, 0, 0, 0, 1, 0, 0, 2000},
    {"AROW, averaged", 2, 4, 0, 1, 0, 0, 1, 200},
    {"balanced Winnow", 2, 0, 0, 0, 0, 1, 0, 18446744073709551616.0f},
};

static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], batch[PCN_LINEAR_FLOATS(N, K)],
    state[PCN_LINEAR_FLOATS(N, K)];

static void trainer_init(pcn_perceptron *m, const learner *l)
{
    CHECK(pcn_perceptron_init(m, N, (uint32_t)l->classes, memory, sizeof memory) == PCN_OK);
    if (l->winnow) CHECK(pcn_perceptron_use_winnow(m, 0, 1, state, sizeof state) == PCN_OK);
    if (l->rule == 4) CHECK(pcn_perceptron_use_confidence(m, 1, state, sizeof state) == PCN_OK);
    if (l->averaged) CHECK(pcn_perceptron_use_averaging(m, sum, sizeof sum) == PCN_OK);
    if (l->batched) CHECK(pcn_perceptron_use_batch(m, batch, sizeof batch) == PCN_OK);
    if (l->rule == 1) m->learner.rule = pcn_rule_pa(0.1f);
    if (l->rule == 2) m->learner.rule = pcn_rule_pa2(0.1f);
    if (l->rule == 3) m->learner.rule = pcn_rule_absolute();
    if (l->winnow) m->learner.rule.rate = 0.25f;
    if (l->one_vs_rest) m->learner.update = pcn_update_one_vs_rest;
    m->learner.rule.margin = l->margin;
}

/* The sum of all weights so far, each after each row: high + low, with Knuth's error-free sum. */
typedef struct exact_sum {
    double high[PCN_LINEAR_FLOATS(N, K)], low[PCN_LINEAR_FLOATS(N, K)];
} exact_sum;

static void add_weights(exact_sum *s, const float *w, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        double a = s->high[i], b = (double)w[i], t = a + b, e = t - a;
        s->low[i] += (a - (t - e)) + (b - e);
        s->high[i] = t;
    }
}

/* As tests/bench/README.md says, "Single precision": at most 2^-23 of the mean's magnitude plus 2^-34 of the largest
 * weight. Here that is the largest that there ever was. */
static int mean_is_exact(const pcn_perceptron *m, const exact_sum *s, float largest)
{
    float mean[PCN_LINEAR_FLOATS(N, K)];
    size_t i, n = PCN_LINEAR_FLOATS(N, m->live.scores);
    double rows = (double)m->learner.clock + 1;
    pcn_linear model;
    int good = pcn_perceptron_final(m, &model, mean, sizeof mean) == PCN_OK;
    for (i = 0; i < n; i++) {
        double exact = (s->high[i] + s->low[i]) / rows;
        good &= fabs((double)mean[i] - exact) <= ldexp(fabs(exact), -23) + ldexp((double)largest, -34);
    }
    return good;
}

static float largest_of(const float *w, size_t n)
{
    float most = 0;
    size_t i;
    for (i = 0; i < n; i++) most = fmaxf(most, w[i] - w[i] == 0 ? fabsf(w[i]) : INFINITY);
    return most;
}

static int learn_one(pcn_perceptron *m, stream *s, const learner *l)
{
    int y = next_row(s, l->classes), result;
    pcn_vec x = pcn_dense(s->x, N);
    result = pcn_perceptron_learn(m, x, y);
    if (l->batched && s->rows % 10 == 0 && pcn_perceptron_apply_batch(m, 1) < 0) return -1;
    return result;
}

/* Each tenth of the updates: no error, weights within their bound, and mistakes about as often as in the first. */
static void endure(const learner *l, uint64_t updates)
{
    static stream s;
    static exact_sum exact;
    size_t n = PCN_LINEAR_FLOATS(N, (size_t)l->classes);
    double first = 0, rate = 0;
    float largest = 0;
    pcn_perceptron m;
    int part, good = 1;
    stream_init(&s);
    s.still = l->rule == 4; /* variances only fall, so AROW follows a target ever more slowly */
    memset(&exact, 0, sizeof exact);
    trainer_init(&m, l);
    for (part = 1; part <= PARTS && good; part++) {
        pcn_count before = m.learner.count;
        uint64_t rows = 0, limit = 100 * (updates / PARTS) + 1000; /* rows: who needs more has stopped learning */
        while (m.learner.count.updates < updates / PARTS * (uint64_t)part && rows++ < limit && good) {
            good = learn_one(&m, &s, l) >= 0;
            if (l->averaged) add_weights(&exact, memory, n);
            if (rows % 64 == 0) largest = fmaxf(largest, largest_of(memory, n));
        }
        rate = (double)(m.learner.count.mistakes - before.mistakes) / (double)rows;
        if (part == 1) first = rate;
        good = good && rows < limit && largest <= l->bound && rate < first + 0.05;
    }
    CHECK(good);
    if (l->averaged) CHECK(mean_is_exact(&m, &exact, largest));
    printf("%-20s %12llu updates, %12llu rows, %5.1f %% mistakes in the first tenth, %5.1f in the last, "
           "largest weight %g\n",
           l->name, (unsigned long long)m.learner.count.updates, (unsigned long long)m.learner.count.rows, 100 * first,
           100 * rate, (double)largest);
}

/* The integer learner; its counts end at 2^32, so they are read as differences. */
static void endure_integers(int classes, int averaged, uint64_t updates)
{
    static int32_t weight[PCN_IPERCEPTRON_NUMBERS(N, K)], view[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static int64_t sums[PCN_IPERCEPTRON_NUMBERS(N, K)], all[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static stream s;
    size_t n = PCN_IPERCEPTRON_NUMBERS(N, (size_t)classes), i;
    uint64_t done = 0, rows = 0, limit = 100 * updates + 1000;
    int64_t most = 0, largest = 0;
    pcn_iperceptron m;
    pcn_ilinear model;
    int good = 1, shift = 0;
    stream_init(&s);
    memset(all, 0, sizeof all);
    CHECK(pcn_iperceptron_init(&m, N, (uint32_t)classes, weight, sizeof weight) == PCN_OK);
    if (averaged) CHECK(pcn_iperceptron_use_averaging(&m, sums, sizeof sums) == PCN_OK);
    for (; done < updates && rows < limit && good; rows++) {
        int16_t x[N];
        int y = next_row(&s, classes), result;
        for (i = 0; i < N; i++) x[i] = (int16_t)(4 * s.x[i]);
        result = pcn_iperceptron_learn(&m, pcn_idense(x, N), y);
        good = result >= 0;
        done += result > 0;
        for (i = 0; averaged && i < n; i++) all[i] += weight[i];
        for (i = 0; rows % 64 == 0 && i < n; i++) largest = llabs(weight[i]) > largest ? llabs(weight[i]) : largest;
    }
    CHECK(good && rows < limit && largest < 2000);
    CHECK(m.rows == (uint32_t)(rows & UINT32_MAX) && m.updates == (uint32_t)(done & UINT32_MAX));
    printf("%-20s %12llu updates, %12llu rows, largest weight %lld\n",
           averaged ? "integers, averaged" : "integers, classes", (unsigned long long)done, (unsigned long long)rows,
           (long long)largest);
    if (!averaged || rows >= UINT32_MAX) return;
    CHECK(pcn_iperceptron_final(&m, &model, view, sizeof view) == PCN_OK);
    for (i = 0; i < n; i++) most = llabs(all[i]) > most ? llabs(all[i]) : most;
    while (most >> shift >= (int64_t)1 << 30) shift++;
    for (i = 0; i < n; i++) good &= fabs((double)view[i] - ldexp((double)all[i], -shift)) <= 0.5;
    CHECK(good);
}

/* ---- Counters ---- */

/* From `clock` rows that all had weights of 0, learned on. The exact sum needs no more than the rows since. */
static void check_clock(uint64_t clock, int rows, int refused)
{
    static stream s;
    static exact_sum exact;
    const learner *l = &learners[1];
    float largest = 0;
    pcn_perceptron m;
    int i, end = 0;
    stream_init(&s);
    memset(&exact, 0, sizeof exact);
    trainer_init(&m, l);
    m.learner.clock = m.learner.count.rows = m.learner.count.updates = m.learner.count.mistakes = clock;
    for (i = 0; i < rows && !end; i++) {
        end = learn_one(&m, &s, l) == PCN_EFULL;
        if (!end) add_weights(&exact, memory, PCN_LINEAR_FLOATS(N, 2));
        largest = fmaxf(largest, largest_of(memory, PCN_LINEAR_FLOATS(N, 2)));
    }
    CHECK(end == refused);
    CHECK(m.learner.clock == clock + (uint64_t)(i - end) && m.learner.count.rows == m.learner.clock);
    CHECK(m.learner.count.updates > clock && m.learner.count.mistakes > clock);
    CHECK(mean_is_exact(&m, &exact, largest));
}

int main(void)
{
    const char *text = getenv("UPDATES");
    uint64_t updates = text ? strtoull(text, NULL, 10) : 1000000;
    size_t i;
    for (i = 0; i < LENGTH(learners); i++) endure(&learners[i], updates);
    endure_integers(2, 1, updates);
    endure_integers(K, 0, updates);
    check_clock(((uint64_t)1 << 32) - 5000, 10000, 0);
    check_clock(((uint64_t)1 << 24) - 5000, 10000, 0);
    check_clock(((uint64_t)1 << 36) - 5000, 10000, 1);
    return report();
}
