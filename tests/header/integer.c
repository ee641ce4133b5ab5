/* Integer models learn and predict without floats as plain 64-bit arithmetic does, at every limit of weights and
 * rows: hand-checked traces, the class by the mean beside exact sums, the bias_step, every error. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "integer.h"
#include "sums.h"
#include "plain_integer.h"

#include <limits.h>
#include <stdlib.h>

/* All ends of the ranges. */
static void extreme_example(example *r, uint32_t n)
{
    static const int16_t ends[] = {INT16_MIN, INT16_MAX, -INT16_MAX, 1, -1, 0};
    uint32_t j;
    for (j = 0; j < n; j++)
        r->dense[j] = random_bits() % 4 ? ends[random_bits() % 6] : random_between(INT16_MIN, INT16_MAX);
    example_init(r, n);
}

/* ---- Golden traces: the convention that a score of 0 always updates ---- */

#define VALUE int16_t
#include "sets.h"

static int learn_row(pcn_iperceptron *m, const set *s, uint32_t row)
{
    return pcn_iperceptron_learn(m, pcn_idense(s->x[row], s->features), s->y[row]);
}

/* Are the bias and the weights of a score `times` w? */
static int weighs(const pcn_ilinear *m, uint32_t cls, const int *w, int times)
{
    const int32_t *weight = weights_of(m) + (size_t)cls * m->features;
    uint32_t j;
    int same = m->bias[cls] == times * w[0];
    for (j = 0; j < m->features; j++) same &= weight[j] == times * w[1 + j];
    return same;
}

/* A rate, with a margin in proportion, multiplies all weights and changes nothing else. */
static void check_traces(void)
{
    static const struct {
        const char *name;
        const set *data;
        int bias, margin;
        uint32_t updates, epochs;
        int w[K][W]; /* bias first */
    } c[] = {
        {"OR", &or_set, 1, 0, 9, 6, {{-1, 2, 2}}},
        {"OR, margin 1", &or_set, 1, 1, 18, 11, {{-2, 4, 4}}},
        {"OR, margin 2", &or_set, 1, 2, 27, 16, {{-3, 6, 6}}},
        {"AND", &and_set, 1, 0, 18, 9, {{-4, 3, 2}}},
        {"XOR and product", &xor_product, 1, 0, 29, 12, {{-1, 2, 2, -5}}},
        {"how many are 1", &count_set, 1, 0, 40, 14, {{3, -4, -3}, {1, 0, 0}, {-4, 4, 3}}},
        {"the same, margin 1", &count_set, 1, 1, 76, 25, {{5, -6, -6}, {3, -1, 0}, {-8, 7, 6}}},
        {"A", &set_a, 0, 0, 7, 4, {{0, -1, 2, -1}, {0, 0, -1, 2}, {0, 1, -1, -1}}},
        {"B", &set_b, 0, 0, 79, 22, {{0, -5, -3, -7}, {0, 2, 0, 1}, {0, 3, 3, 6}}},
    };
    size_t i;
    uint32_t k, row;
    int rate, good;
    for (i = 0; i < LENGTH(c); i++)
        for (rate = 1; rate <= INT16_MAX; rate *= 7) {
            trainer t;
            pcn_pass pass;
            trainer_init(&t, c[i].data->features, c[i].data->classes, PLAIN);
            t.m.rate = (int16_t)rate;
            t.m.bias_step = c[i].bias * rate;
            t.m.margin = (int64_t)c[i].margin * rate;
            pcn_pass_init(&pass, c[i].data->rows, 100, 1);
            pass.order = PCN_ORDER_FILE;
            while (pcn_pass_next(&pass, &row)) pcn_pass_note(&pass, learn_row(&t.m, c[i].data, row));
            good = pass.result == PCN_END_CLEAN && pass.epoch == c[i].epochs && t.m.updates == c[i].updates;
            for (k = 0; k < PCN_SCORES(c[i].data->classes); k++) good &= weighs(&t.m.live, k, c[i].w[k], rate);
            if (!good) printf("in \"%s\", rate %d:\n", c[i].name, rate);
            CHECK(good);
        }
}

/* The weights after every update; a set that does not separate; no features at all. */
static void check_steps(void)
{
    static const struct {
        uint32_t at; /* number of the row, from 1 */
        int w[3];
    } c[] = {{1, {-1, 0, 0}}, {2, {0, 0, 1}},   {3, {1, 1, 1}},  {5, {0, 1, 1}},   {9, {-1, 1, 1}},
             {10, {0, 1, 2}}, {13, {-1, 1, 2}}, {15, {0, 2, 2}}, {17, {-1, 2, 2}}, {100, {0}}};
    static const int zero[W];
    trainer t;
    uint32_t i, k = 0;
    trainer_init(&t, 2, 2, PLAIN);
    t.m.bias_step = 1;
    for (i = 1; i <= 24; i++) {
        int due = i == c[k].at;
        CHECK(learn_row(&t.m, &or_set, (i - 1) % 4) == due);
        if (due) CHECK(weighs(&t.m.live, 0, c[k++].w, 1));
    }
    CHECK(k == 9 && t.m.rows == 24 && t.m.updates == 9);
    trainer_init(&t, 2, 2, PLAIN);
    t.m.bias_step = 1;
    for (i = 0; i < 40; i++) {
        CHECK(learn_row(&t.m, &xor_set, i % 4) == 1);
        if (i % 4 == 3) CHECK(weighs(&t.m.live, 0, zero, 1));
    }
    trainer_init(&t, 0, 2, PLAIN);
    t.m.bias_step = 1;
    for (i = 0; i < 10; i++) {
        CHECK(learn_row(&t.m, &no_features, i % 2) == 1);
        CHECK(t.m.live.bias[0] == (i % 2 == 0));
    }
}

/* CIML Algorithm 7 on OR: the mean times the clock. */
static void check_mean_trace(void)
{
    static const struct {
        uint32_t epochs, clock;
        int sums[3], w[3];
    } c[] = {
        {1, 5, {1, 2, 3}, {1, 1, 1}},
        {2, 9, {1, 6, 7}, {0, 1, 1}},
        {5, 21, {-6, 24, 30}, {-1, 2, 2}},
        {10, 41, {-26, 64, 70}, {-1, 2, 2}},
    };
    int32_t out[3];
    trainer t;
    size_t i;
    uint32_t row;
    for (i = 0; i < LENGTH(c); i++) {
        pcn_ilinear mean;
        trainer_init(&t, 2, 2, AVERAGED);
        t.m.bias_step = 1;
        for (row = 0; row < 4 * c[i].epochs; row++) CHECK(learn_row(&t.m, &or_set, row % 4) >= 0);
        CHECK(pcn_iperceptron_final(&t.m, &mean, out, sizeof out) == PCN_OK);
        CHECK(t.m.own.clock + 1 == c[i].clock && weighs(&mean, 0, c[i].sums, 1));
        CHECK(weighs(&t.m.live, 0, c[i].w, 1));
    }
}

/* ---- Beside the plain model ---- */

/* Is the trainer where the plain model is? */
static int follows(const plain *v, const pcn_iperceptron *m)
{
    const int32_t *w = weights_of(&m->live);
    uint32_t i, weights = v->n * v->classes;
    int same = m->guess == v->guess && m->own.clock == v->rows && m->rows == v->rows && m->updates == v->updates &&
               m->mistakes == v->mistakes;
    for (i = 0; i < weights; i++) same &= w[i] == v->w[i];
    for (i = 0; i < v->classes; i++) same &= m->live.bias[i] == v->w[weights + i];
    return same;
}

/* The view must be the mean. */
static void check_view(const pcn_iperceptron *m, const int64_t *total)
{
    size_t n = PCN_IPERCEPTRON_NUMBERS(m->live.features, m->live.scores);
    int32_t *out = (int32_t *)malloc(n * sizeof *out);
    pcn_ilinear mean;
    if (!out) abort();
    CHECK(pcn_iperceptron_final(m, &mean, out, n * sizeof *out) == PCN_OK);
    CHECK(mean.weight == out && mean.bias == out + n - m->live.scores && mean.features == m->live.features &&
          mean.scores == m->live.scores && mean.bits == 32 && mean.scale == NULL &&
          mean.zero_negative == m->live.zero_negative && plain_means(total, out, n));
    free(out);
}

/* ---- At the limits ---- */

static void random_settings(pcn_iperceptron *m)
{
    static const int16_t rate[] = {1, INT16_MAX, 1000};
    static const int32_t bias_step[] = {0, 1, ((int32_t)1 << 30) - 2, 123456789, PCN_BIAS_OF_ROWS};
    static const int64_t margin[] = {0, INT64_MAX, INT64_MAX, 1, (int64_t)1 << 44};
    m->rate = rate[random_bits() % LENGTH(rate)];
    m->bias_step = bias_step[random_bits() % LENGTH(bias_step)];
    m->margin = margin[random_bits() % LENGTH(margin)];
    m->live.zero_negative = (uint8_t)(m->rate == 1 || m->bias_step == 1);
}

/* Dense rows `offset` numbers from where a wide register would like them, for weights that are `offset`
 * from there too, and nothing behind either; the same rows without their zeros. */
static void check_limits(uint32_t n, uint32_t offset, uint32_t classes, enum option with)
{
    size_t words = PCN_IPERCEPTRON_NUMBERS(n, classes);
    int32_t *memory = (int32_t *)malloc((offset + words) * sizeof *memory);
    int16_t *x = (int16_t *)malloc((offset + n) * sizeof *x + !n);
    trainer a, b;
    plain v;
    example r;
    uint32_t i;
    if (!memory || !x) abort();
    trainer_init(&a, n, classes, with);
    trainer_init(&b, n, classes, with);
    memcpy(memory + offset, a.memory, words * sizeof *memory);
    a.m.live.weight = memory + offset;
    a.m.live.bias = memory + offset + (size_t)n * a.m.live.scores;
    plain_init(&v, n, PCN_SCORES(classes));
    for (i = 0; i < 16; i++) {
        int y = i % 8 < 5 ? 1 : 0, fired, best;
        if (i % 4 >= 2)
            random_example(&r, n, i % 4 == 2 ? -8 : 0, i % 4 == 2 ? 8 : 1);
        else
            extreme_example(&r, n);
        memcpy(x + offset, r.dense, n * sizeof *x);
        random_settings(&a.m);
        b.m.rate = a.m.rate;
        b.m.bias_step = a.m.bias_step;
        b.m.margin = a.m.margin;
        b.m.live.zero_negative = a.m.live.zero_negative;
        v.zero_negative = a.m.live.zero_negative;
        fired = plain_learn(&v, &a.m, r.dense, y);
        CHECK(pcn_iperceptron_learn(&a.m, pcn_idense(x + offset, n), y) == fired && follows(&v, &a.m));
        CHECK(pcn_iperceptron_learn(&b.m, r.few, y) == fired && follows(&v, &b.m));
        CHECK(pcn_ilinear_predict(&a.m.live, r.full) == plain_best(&v, v.w, r.dense, -1));
        best = with == AVERAGED ? plain_mean_class(v.total, n, v.classes, v.zero_negative, r.dense)
                                : plain_best(&v, v.w, r.dense, -1);
        CHECK(pcn_iperceptron_predict(&a.m, r.full) == best && pcn_iperceptron_predict(&b.m, r.few) == best);
    }
    if (with == AVERAGED) {
        check_view(&a.m, v.total);
        check_view(&b.m, v.total);
        CHECK(memcmp(a.sum, b.sum, sizeof a.sum) == 0);
    }
    free(memory);
    free(x);
}

static void check_all_limits(void)
{
    uint32_t n, offset;
    int with;
    random_state = 1;
    for (n = 0; n <= N; n++)
        for (offset = 0; offset < 8; offset++)
            for (with = PLAIN; with < OPTIONS; with++)
                check_limits(n, offset, (n + offset) % 2 ? K : 2, (enum option)with);
    CHECK(at_limit[0][0] > 1000 && at_limit[0][1] > 1000 && at_limit[1][0] > 1000 && at_limit[1][1] > 1000);
}

/* ---- PCN_BIAS_OF_ROWS ---- */

/* The trainer has found what the plain model has, from rows of any size in either form. Most of the features of every
 * other row are 0. */
static void check_bias_of_rows(uint32_t classes, enum option with)
{
    static const int most[] = {0, 1, 2, 3, 16, 255, 900, 4095, 14000, 16384, 32767};
    trainer a, b;
    plain v;
    example r;
    size_t i;
    uint32_t row, j, n = 9;
    for (i = 0; i < LENGTH(most); i++) {
        trainer_init(&a, n, classes, with);
        trainer_init(&b, n, classes, with);
        plain_init(&v, n, PCN_SCORES(classes));
        a.m.margin = b.m.margin = i % 2 ? INT64_MAX : 0;
        for (row = 0; row < 60; row++) {
            const int y = (int)(random_bits() % classes), none = random_bits() % 8 == 0;
            for (j = 0; j < n; j++)
                r.dense[j] = none || (row % 2 && random_bits() % 4) ? 0 : random_between(-most[i], most[i]);
            if (most[i] == INT16_MAX && row % 3) r.dense[row % n] = INT16_MIN;
            example_init(&r, n);
            CHECK(plain_learn(&v, &a.m, r.dense, y) == pcn_iperceptron_learn(&a.m, r.full, y) && follows(&v, &a.m));
            CHECK(pcn_iperceptron_learn(&b.m, r.few, y) >= 0 && follows(&v, &b.m));
            CHECK(a.m.bias_rows == v.looked && 2 << a.m.bias_doubled == v.input);
            CHECK(b.m.bias_rows == v.looked && 2 << b.m.bias_doubled == v.input);
        }
        CHECK(v.looked == (v.updates < 32 ? v.updates : 32) && v.input >= (most[i] < 16384 ? most[i] / 2 : 8192));
    }
}

/* B doubles once an update, at the 13th no more; after 32 it stays, whatever comes. A row that fires no rule, has no
 * label or is refused is not looked at, and nor is one that is learned by a step set by hand. */
static void check_bias_by_hand(void)
{
    static const int16_t small[2] = {1, 0}, two[2] = {2, 2}, large[2] = {INT16_MIN, INT16_MAX};
    trainer t;
    uint32_t i;
    trainer_init(&t, 2, 2, PLAIN);
    t.m.margin = INT64_MAX;
    for (i = 1; i <= 40; i++) {
        const int32_t before = t.memory[2], step = 4 << 2 * (i < 12 ? i : 12);
        CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(large, 2), (int)(i % 2)) == 1);
        CHECK(t.memory[2] - before == (i % 2 ? step : -step));
        CHECK(t.m.bias_rows == (i < 32 ? i : 32) && t.m.bias_doubled == (i < 12 ? i : 12));
    }
    trainer_init(&t, 2, 2, PLAIN);
    t.m.margin = INT64_MAX;
    for (i = 0; i < 32; i++) CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(i % 2 ? two : small, 2), 1) == 1);
    CHECK(t.m.bias_rows == 32 && t.m.bias_doubled == 1 && t.memory[2] == 4 + 31 * 16); /* 2 is above 1, not above 2 */
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(large, 2), 1) == 1 && t.memory[2] == 4 + 32 * 16);
    trainer_init(&t, 2, 2, PLAIN);
    t.m.bias_step = 7;
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(small, 2), 0) == 1 && t.m.bias_rows == 0 && t.memory[2] == -7);
    t.m.bias_step = PCN_BIAS_OF_ROWS;
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(small, 2), 0) == 0 && t.m.bias_rows == 0);
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(large, 2), 2) == PCN_ELABEL);
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(large, 3), 1) == PCN_EINDEX && t.m.bias_rows == 0);
    CHECK(pcn_iperceptron_learn(&t.m, pcn_iones(NULL, 2), 1) == 1 && t.m.bias_rows == 1 && t.memory[2] == -3);
}

/* Eight features of a pump up to 1,800 in size, the rarer class higher in some; `times` as large. How many of 10,000
 * are right by the mean? */
static int right_by(int32_t bias_step, int times)
{
    trainer t;
    uint32_t i;
    int j, right = 0;
    random_state = 1;
    trainer_init(&t, 8, 2, AVERAGED);
    t.m.bias_step = bias_step;
    for (i = 0; i < 20000; i++) {
        const int y = random_bits() % 4 == 0;
        int16_t x[8];
        for (j = 0; j < 8; j++) x[j] = random_between(-900, 900);
        for (j = 0; j < 3 && y; j++) x[j] = (int16_t)(x[j] + 900);
        if (y) x[5] = (int16_t)(x[5] - 700);
        for (j = 0; j < 8; j++) x[j] = (int16_t)(x[j] * times);
        if (i >= 10000) right += pcn_iperceptron_predict(&t.m, pcn_idense(x, 8)) == y;
        CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(x, 8), y) >= 0);
    }
    return right;
}

/* With a step of 1 nearly no bias is learned. A bias that soon stands at PCN_IMAX, by features near the ends of their
 * range, costs little. */
static void bias_of_a_sensor(void)
{
    const int by_hand = right_by(900 * 900, 1), of_rows = right_by(PCN_BIAS_OF_ROWS, 1);
    CHECK(right_by(1, 1) < 6500 && by_hand > 9500 && by_hand < 9700);
    CHECK(of_rows > by_hand - 20 && right_by(PCN_BIAS_OF_ROWS, 17) > by_hand - 20);
}

/* Any rows get the class of the mean, in either form. */
static void check_predicted(const pcn_iperceptron *m, const plain *v)
{
    example r;
    int i;
    for (i = 0; i < 4; i++) {
        int best;
        if (i == 0) random_example(&r, v->n, 0, 1);
        if (i == 1) random_example(&r, v->n, -8, 8);
        if (i >= 2) extreme_example(&r, v->n);
        best = plain_mean_class(v->total, v->n, v->classes, v->zero_negative, r.dense);
        CHECK(pcn_iperceptron_predict(m, r.full) == best && pcn_iperceptron_predict(m, r.few) == best);
    }
}

/* Averaging ends at 2^32 - 1 examples, until it begins again; without it nothing ends. */
static void check_clock_end(trainer *t, const example *r)
{
    trainer before, unaveraged;
    t->m.own.clock = UINT32_MAX - 1;
    CHECK(pcn_iperceptron_learn(&t->m, r->few, 0) >= 0 && t->m.own.clock == UINT32_MAX);
    memcpy(&before, t, sizeof before);
    CHECK(pcn_iperceptron_learn(&t->m, r->few, 0) == PCN_EFULL);
    before.m.refused++;
    CHECK(memcmp(&before, t, sizeof before) == 0);
    CHECK(pcn_iperceptron_use_averaging(&t->m, t->sum, sizeof t->sum) == PCN_OK && t->m.own.clock == 0);
    CHECK(memcmp(before.memory, t->memory, sizeof before.memory) == 0);
    CHECK(pcn_iperceptron_learn(&t->m, r->few, 0) >= 0 && t->m.own.clock == 1);
    trainer_init(&unaveraged, 5, PCN_CLASSES(t->m.live.scores), PLAIN);
    unaveraged.m.own.clock = UINT32_MAX;
    CHECK(pcn_iperceptron_learn(&unaveraged.m, r->few, 0) >= 0 &&
          pcn_iperceptron_learn(&unaveraged.m, r->few, 0) >= 0 && unaveraged.m.rows == 2);
}

/* 2^32 examples, of which most change nothing: only the clock, and the sums by the weights times it. */
static void check_long_runs(void)
{
    const uint32_t pause = 306783370; /* 14 of them and 42 more stay below 2^32 */
    uint32_t i, k, classes;
    trainer t;
    plain v;
    example r;
    random_state = 2;
    for (classes = 2; classes <= K; classes++) {
        trainer_init(&t, 5, classes, AVERAGED);
        plain_init(&v, 5, PCN_SCORES(classes));
        t.m.bias_step = ((int32_t)1 << 30) - 2;
        t.m.rate = INT16_MAX;
        for (i = 0; i < 42; i++) {
            extreme_example(&r, 5);
            CHECK(plain_learn(&v, &t.m, r.dense, i % 2) == pcn_iperceptron_learn(&t.m, r.few, i % 2));
            check_view(&t.m, v.total);
            check_predicted(&t.m, &v);
            if (i % 3 != 0) continue;
            t.m.own.clock += pause;
            for (k = 0; k < 6 * v.classes; k++) v.total[k] += v.w[k] * pause;
            check_predicted(&t.m, &v);
        }
        CHECK(t.m.own.clock > UINT32_MAX - 1000);
        check_clock_end(&t, &r);
    }
}

/* ---- Scores ---- */

enum { MOST = 65535, OFFSETS = 8 };

static int32_t weight[MOST + OFFSETS];
static int16_t number[MOST + OFFSETS];
static uint32_t every[MOST + 1]; /* 0, 1, 2, ... */

static int64_t naive_sum(const int32_t *w, const int16_t *x, uint32_t n)
{
    int64_t s = 0;
    uint32_t j;
    for (j = 0; j < n; j++) s += x ? (int64_t)w[j] * x[j] : w[j];
    return s;
}

/* A frozen model of 32 bits. */
static pcn_ilinear model_of(const int32_t *w, const int32_t *bias, uint32_t features, uint32_t scores)
{
    pcn_ilinear m;
    memset(&m, 0, sizeof m);
    m.weight = w;
    m.bias = bias;
    m.features = features;
    m.scores = scores;
    m.bits = 32;
    return m;
}

static void check_scores(uint32_t n, uint32_t offset)
{
    const int32_t *w = weight + offset, bias = n % 2 ? PCN_IMAX : -PCN_IMAX;
    const int16_t *x = number + (offset * 3 + n) % OFFSETS;
    uint32_t given[3], i;
    pcn_ilinear m = model_of(w, NULL, n, 1);
    given[0] = n;
    given[1] = n / 2;
    given[2] = n < MOST - 5 ? n + 5 : MOST; /* what is beyond the model is ignored */
    for (i = 0; i < 3; i++) {
        uint32_t used = given[i] < n ? given[i] : n;
        int64_t s = naive_sum(w, x, used), ones = naive_sum(w, NULL, used);
        m.bias = NULL;
        CHECK(pcn_ilinear_score(&m, pcn_idense(x, given[i])) == s);
        CHECK(pcn_ilinear_score(&m, pcn_isparse(every, x, given[i])) == s);
        CHECK(pcn_ilinear_score(&m, pcn_iones(every, given[i])) == ones);
        CHECK(pcn_ilinear_score(&m, pcn_iones(NULL, given[i])) == ones);
        m.zero_negative = 1;
        CHECK(pcn_ilinear_predict(&m, pcn_idense(x, given[i])) == (s > 0));
        m.zero_negative = 0;
        CHECK(pcn_ilinear_predict(&m, pcn_idense(x, given[i])) == (s >= 0));
        m.bias = &bias;
        CHECK(pcn_ilinear_score(&m, pcn_idense(x, given[i])) == s + bias);
        CHECK(pcn_ilinear_score(&m, pcn_iones(every, given[i])) == ones + bias);
    }
}

/* Of more features than a sum of the largest products has room for: weights that do not add up to so much. */
static void check_very_many(void)
{
    enum { MANY = 65536 + 13 };
    static int32_t w[MANY];
    static int16_t x[MANY];
    const pcn_ilinear m = model_of(w, NULL, MANY, 1);
    uint32_t n;
    for (n = 0; n < MANY; n++) {
        w[n] = (int32_t)(random_bits() >> 2) - (1 << 29);
        x[n] = random_between(INT16_MIN, INT16_MAX);
    }
    for (n = 65530; n <= MANY; n++) CHECK(pcn_ilinear_score(&m, pcn_idense(x, n)) == naive_sum(w, x, n));
}

static void check_all_scores(void)
{
    static const int32_t ends[] = {(int32_t)1 << 30, -((int32_t)1 << 30), -1, 0, 1, 65535, -65536};
    const pcn_ilinear m = model_of(weight, NULL, MOST, 1);
    const int64_t least = ((int64_t)1 << 45) - ((int64_t)1 << 61);
    uint32_t n, offset;
    for (n = 0; n < LENGTH(every); n++) every[n] = n;
    for (n = 0; n < MOST; n++) {
        weight[n] = PCN_IMAX;
        number[n] = INT16_MIN;
    }
    CHECK(PCN_IMAX == 1073741824); /* 2^30 2^15 (2^16 - 1) */
    CHECK(pcn_ilinear_score(&m, pcn_idense(number, MOST)) == least);
    CHECK(pcn_ilinear_score(&m, pcn_isparse(every, number, MOST)) == least);
    CHECK(pcn_ilinear_score(&m, pcn_iones(every, MOST)) == -least >> 15);
    random_state = 4;
    check_very_many();
    for (n = 0; n < LENGTH(weight); n++) {
        weight[n] = ends[random_bits() % LENGTH(ends)];
        number[n] = random_bits() % 2 ? INT16_MIN : random_between(INT16_MIN, INT16_MAX);
    }
    for (offset = 0; offset < OFFSETS; offset++) {
        for (n = 0; n <= N; n++) check_scores(n, offset);
        check_scores(MOST - offset, offset);
    }
}

/* Indices beyond the model; ties; all scores at once. */
static void check_classes(void)
{
    static const int32_t w[] = {1, 2, 3, 1, 2, 4, 1, 2, 4}, bias[] = {5, 1, 1};
    static const uint32_t index[] = {1, 3, 4, UINT32_MAX - 1, UINT32_MAX};
    static const int16_t value[] = {10, 100, 100, 100, 100}, third[] = {0, 0, 1};
    const pcn_ilinear m = model_of(w, bias, 3, 3);
    int64_t score[3];
    pcn_ilinear_scores(&m, pcn_isparse(index, value, 5), score);
    CHECK(score[0] == 25 && score[1] == 21 && score[2] == 21);
    CHECK(pcn_ilinear_predict(&m, pcn_isparse(index, value, 5)) == 0);
    pcn_ilinear_scores(&m, pcn_iones(index, 5), score);
    CHECK(score[0] == 7 && score[1] == 3 && score[2] == 3);
    pcn_ilinear_scores(&m, pcn_idense(third, 3), score);
    CHECK(score[0] == 8 && score[1] == 5 && score[2] == 5);
    CHECK(pcn_ilinear_predict(&m, pcn_isparse(NULL, value, 3)) == 1); /* the lower of two */
    CHECK(pcn_ilinear_predict(&m, pcn_isparse(NULL, NULL, 0)) == 0);
    pcn_ilinear_scores(&m, pcn_isparse(NULL, NULL, 0), score);
    CHECK(score[0] == 5 && score[1] == 1 && score[2] == 1);
}

/* ---- The class by the mean: predict of a trainer that averages ---- */

/* A trainer whose weights add up to `seen` by now; weights and clock are any that may have done so. */
static void set_seen(pcn_iperceptron *m, int32_t *memory, int64_t *sum, const int64_t *seen)
{
    const size_t n = PCN_IPERCEPTRON_NUMBERS(m->live.features, m->live.scores);
    size_t i;
    CHECK(pcn_iperceptron_use_averaging(m, sum, n * sizeof *sum) == PCN_OK);
    m->own.clock = random_bits() % 2 ? UINT32_MAX : random_bits();
    for (i = 0; i < n; i++) {
        memory[i] = random_bits() % 2 ? PCN_IMAX : -PCN_IMAX;
        sum[i] = (int64_t)(((uint64_t)m->own.clock + 1) * (uint64_t)(int64_t)memory[i] - (uint64_t)seen[i]);
    }
}

/* Values by Python, whose integers have any length: two scores are equal, or one apart, where doubles lose 12 bits. */
static void check_near_means(void)
{
    /* clang-format off */
    static const struct {
        int64_t seen[3][3]; /* of each class: two features, the bias */
        int16_t x[2];
        int cls;
    } c[] = {
        {{{-2710643736215022197, 4611686018427387903, 0}, {-3101727527882908679, 699828192250612794, 4611686018427360181},
          {-3101727527882908677, 699828192250612794, 4611686018427387903}}, {-13861, -17329}, 1},
        {{{7, 4294967295, 4294967295}, {2305843009213693951, 4294967295, 2199840113383109636},
          {2305843009213693953, 4294967295, 2199840113383109633}}, {1, 1}, 1},
        {{{-2, 0, 3}, {0, 0, 0}, {0, -4611686018427387903, -4611686018427387903}}, {1, 1}, 0},
        {{{3839892412215324154, 0, 7}, {-1233941639789470830, -4611686018427387904, 4122716937417209200},
          {3839892412215324152, 0, 65541}}, {32767, -32767}, 0},
        {{{9, 4611686018427387903, -2305843009213628420}, {7, 4611686018427387903, -2305843009213693955},
          {4611686018427387903, -2305843009213693955, -4611686018427387904}}, {-32768, 26499}, 1},
        {{{4611686018427387901, 2305843009213693953, 4611686018427289602},
          {4611686018427387903, -3066909104116889771, 4611686018427387903},
          {4611686018427387904, 2305843009213693953, 4611686018427387904}}, {-32767, 1}, 2},
        {{{-2305843009213693958, 7, -4611686018427387900}, {2305843009213693953, 4611686018427387904, -2305843009213693955},
          {-2305843009213693955, 7, -4611686018427387903}}, {1, -32768}, 0},
        {{{4611686018427387904, -4611686018427387903, -2305843009213693955}, {2305843009213693953, 4611686018427387904, 0},
          {2305843009213693954, 4611686018427387904, -32768}}, {32767, 19596}, 1},
        {{{7, 0, 7}, {-3749347029812762832, -3182583208004606908, 2305843009213724253},
          {-3749347029812762833, -3182583208004606908, 2305843009213693953}}, {-30299, 1}, 1},
    };
    /* clang-format on */
    trainer t;
    int64_t seen[9];
    size_t i, k;
    random_state = 15;
    for (i = 0; i < LENGTH(c); i++) {
        for (k = 0; k < 6; k++) seen[k] = c[i].seen[k / 2][k % 2]; /* weights, then biases */
        for (k = 0; k < 3; k++) seen[6 + k] = c[i].seen[k][2];
        trainer_init(&t, 2, 3, PLAIN);
        set_seen(&t.m, t.memory, t.sum, seen);
        CHECK(pcn_iperceptron_predict(&t.m, pcn_idense(c[i].x, 2)) == c[i].cls);
        CHECK(plain_mean_class(seen, 2, 3, 0, c[i].x) == c[i].cls);
    }
}

/* Two classes at a score of 0 and one off it, where the weights of now say the opposite. */
static void check_zero_means(void)
{
    static const int16_t x[] = {INT16_MAX, -INT16_MAX};
    const int64_t most = (int64_t)1 << 62;
    int64_t seen[3];
    trainer t;
    int bias, zero_negative;
    random_state = 16;
    for (bias = -1; bias <= 1; bias++)
        for (zero_negative = 0; zero_negative < 2; zero_negative++) {
            seen[0] = seen[1] = most, seen[2] = bias;
            trainer_init(&t, 2, 2, PLAIN);
            set_seen(&t.m, t.memory, t.sum, seen);
            t.m.live.zero_negative = (uint8_t)zero_negative;
            CHECK(pcn_iperceptron_predict(&t.m, pcn_idense(x, 2)) == (bias > 0 || (bias == 0 && !zero_negative)));
            CHECK(plain_mean_class(seen, 2, 1, zero_negative, x) == (bias > 0 || (bias == 0 && !zero_negative)));
        }
}

/* The frozen mean has 30 bits and cannot tell two classes apart that the exact one can. */
static void check_mean_of_more_bits(void)
{
    static const int64_t seen[4] = {0, (int64_t)1 << 40, ((int64_t)1 << 40) + 1, 0}; /* biases: of the first 0 */
    int32_t out[4];
    pcn_ilinear frozen;
    trainer t;
    random_state = 17;
    trainer_init(&t, 0, 4, PLAIN);
    set_seen(&t.m, t.memory, t.sum, seen);
    CHECK(pcn_iperceptron_predict(&t.m, pcn_idense(NULL, 0)) == 2);
    CHECK(pcn_iperceptron_final(&t.m, &frozen, out, sizeof out) == PCN_OK);
    CHECK(out[1] == out[2] && pcn_ilinear_predict(&frozen, pcn_idense(NULL, 0)) == 1);
}

/* Two classes and more, rows of up to 65,535 features, sums of any size up to 2^62, which are the most that 2^32 weights
 * of 2^30 make. Two classes in a row are alike, but for some. */
static void check_long_means(void)
{
    enum { CLASSES = 4, ALL = (MOST + 1) * CLASSES };
    static int32_t memory[ALL];
    static int64_t sum[ALL], seen[ALL];
    static int16_t x[MOST];
    const int64_t ends[] = {(int64_t)1 << 62, -((int64_t)1 << 62), ((int64_t)1 << 62) - 1, 1, 0, -1};
    uint32_t features, classes, i, k, ties = 0, won[CLASSES] = {0};
    random_state = 18;
    for (i = 0; i < 60; i++) {
        const uint32_t of = i % 4; /* what sums are made of */
        pcn_iperceptron m;
        int best;
        features = i % 3 == 0 ? MOST : random_bits() % 300;
        classes = 2 + i % 3;
        CHECK(pcn_iperceptron_init(&m, features, classes, memory, sizeof memory) == PCN_OK);
        for (k = 0; k < PCN_IPERCEPTRON_NUMBERS(features, classes); k++) {
            const int64_t any = (int64_t)((uint64_t)random_bits() << 32 | random_bits());
            seen[k] = of == 0 ? ends[0] : of == 1 ? ends[random_bits() % 6] : any / 2;
            if (of == 3 && k >= features && k < (size_t)features * m.live.scores) seen[k] = seen[k - features];
            if (of == 3 && k >= (size_t)features * m.live.scores) seen[k] = ends[3 + random_bits() % 3];
        }
        for (k = 0; k < features; k++)
            x[k] = of == 0 ? INT16_MIN : random_bits() % 3 ? INT16_MIN : random_between(INT16_MIN, INT16_MAX);
        set_seen(&m, memory, sum, seen);
        m.live.zero_negative = (uint8_t)(i / 2 % 2);
        best = plain_mean_class(seen, features, m.live.scores, m.live.zero_negative, x);
        CHECK(pcn_iperceptron_predict(&m, pcn_idense(x, features)) == best);
        CHECK(pcn_iperceptron_predict(&m, pcn_isparse(every, x, features)) == best);
        ties += of == 3;
        won[best]++;
    }
    CHECK(ties == 15 && won[0] > 5 && won[1] > 5 && won[2] > 2 && won[3] > 0);
}

/* What the mean cannot be asked with is not counted: features beyond the model, given by index. */
static void check_mean_beyond(uint32_t classes)
{
    static const uint32_t index[] = {1, 4, 5, UINT32_MAX};
    static const int16_t value[] = {3, -7, INT16_MIN, INT16_MAX};
    trainer t;
    example r;
    uint32_t i;
    random_state = 19;
    trainer_init(&t, 5, classes, AVERAGED);
    for (i = 0; i < 40; i++) {
        random_example(&r, 5, -8, 8);
        CHECK(pcn_iperceptron_learn(&t.m, r.full, (int)(i % classes)) >= 0);
        CHECK(pcn_iperceptron_predict(&t.m, pcn_isparse(index, value, 4)) ==
              pcn_iperceptron_predict(&t.m, pcn_isparse(index, value, 2)));
        CHECK(pcn_iperceptron_predict(&t.m, pcn_iones(index, 4)) == pcn_iperceptron_predict(&t.m, pcn_iones(index, 2)));
    }
}

/* ---- Errors ---- */

/* learn gives `expected`, and nothing changes but the count of such rows. */
static void refuses(trainer *t, pcn_ivec x, int y, int expected)
{
    trainer before;
    memcpy(&before, t, sizeof before);
    CHECK(pcn_iperceptron_learn(&t->m, x, y) == expected);
    before.m.refused++;
    CHECK(memcmp(&before, t, sizeof before) == 0);
}

static void check_learn_errors(uint32_t classes, enum option with)
{
    static const int16_t x[N + 1] = {1, -2, 3};
    static const uint32_t last[] = {5, 6, UINT32_MAX - 1, UINT32_MAX};
    static const int label[] = {-1, K, K + 1, INT_MAX, INT_MIN}, binary[] = {2, 3, INT_MAX, -2, INT_MIN};
    static const struct {
        int16_t rate;
        int32_t bias_step;
        int64_t margin;
    } bad[] = {{0, 1, 0},         {-1, 1, 0},           {INT16_MIN, 1, INT64_MAX}, {1, -2, 0},
               {1, INT32_MIN, 0}, {1, PCN_IMAX, 0},     {1, INT32_MAX, INT64_MAX}, {1, 1, -1},
               {1, 1, INT64_MIN}, {1, PCN_IMAX - 1, 0}, {1, -PCN_IMAX, 0},         {1, -PCN_IMAX - 1, 0}};
    uint32_t index[2] = {1, 0};
    trainer t, before;
    size_t i;
    trainer_init(&t, 5, classes, with);
    CHECK(t.m.refused == 0);
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(x, 5), 1) >= 0 &&
          pcn_iperceptron_learn(&t.m, pcn_idense(x, 4), 0) >= 0);
    refuses(&t, pcn_idense(x, 6), 1, PCN_EINDEX);
    refuses(&t, pcn_iones(NULL, 6), 1, PCN_EINDEX);
    for (i = 0; i < LENGTH(last); i++) {
        index[1] = last[i];
        refuses(&t, pcn_isparse(index, x, 2), 1, PCN_EINDEX);
        refuses(&t, pcn_iones(index, 2), 1, PCN_EINDEX);
        refuses(&t, pcn_iones(index + 1, 1), 1, PCN_EINDEX);
    }
    refuses(&t, pcn_idense(number, MOST + 1), 1, PCN_EVALUE);
    refuses(&t, pcn_isparse(every, number, MOST + 1), 1, PCN_EVALUE);
    refuses(&t, pcn_iones(every, MOST + 1), 1, PCN_EVALUE);
    for (i = 0; i < LENGTH(bad); i++) {
        before = t;
        t.m.rate = bad[i].rate, t.m.bias_step = bad[i].bias_step, t.m.margin = bad[i].margin;
        refuses(&t, pcn_idense(x, 5), 1, PCN_EOPTION);
        t = before;
    }
    for (i = 0; i < LENGTH(label); i++) refuses(&t, pcn_idense(x, 5), classes == 2 ? binary[i] : label[i], PCN_ELABEL);
    CHECK(t.m.refused == 2 + 3 * LENGTH(last) + 3 + LENGTH(label) && t.m.rows == 2);
    CHECK(pcn_iperceptron_learn(&t.m, pcn_iones(NULL, 0), 0) >= 0 &&
          pcn_iperceptron_learn(&t.m, pcn_idense(x, 5), (int)classes - 1) >= 0);
}

/* A row that does not ascend moves nothing but features of the model, and only where it says. */
static void check_unsorted(uint32_t classes, enum option with)
{
    static const uint32_t index[] = {5, 1u << 20, UINT32_MAX, 6, 0};
    static const int16_t x[] = {11, 12, 13, 14, 3};
    trainer a, b;
    int y;
    trainer_init(&a, 5, classes, with);
    trainer_init(&b, 5, classes, with);
    for (y = 0; y < 2; y++) {
        CHECK(pcn_iperceptron_learn(&a.m, pcn_isparse(index, x, 5), y) ==
              pcn_iperceptron_learn(&b.m, pcn_isparse(index + 4, x + 4, 1), y));
        CHECK(pcn_iperceptron_learn(&a.m, pcn_iones(index, 5), y) ==
              pcn_iperceptron_learn(&b.m, pcn_iones(index + 4, 1), y));
    }
    CHECK(a.m.updates > 1 && memcmp(a.memory, b.memory, sizeof a.memory) == 0);
    CHECK(memcmp(a.sum, b.sum, sizeof a.sum) == 0);
}

/* 65,535 features given are learned from, one more is refused, however many the model has. */
static void check_most_features(void)
{
    static int32_t memory[MOST + 2];
    pcn_iperceptron m;
    CHECK(pcn_iperceptron_init(&m, MOST + 1, 2, memory, sizeof memory) == PCN_OK);
    m.bias_step = 1;
    CHECK(pcn_iperceptron_learn(&m, pcn_iones(NULL, MOST + 1), 1) == PCN_EVALUE);
    CHECK(pcn_iperceptron_learn(&m, pcn_iones(every, MOST + 1), 1) == PCN_EVALUE);
    CHECK(m.rows == 0 && m.refused == 2 && memory[0] == 0 && memory[MOST] == 0);
    CHECK(pcn_iperceptron_learn(&m, pcn_iones(every + 1, MOST), 1) == 1);
    CHECK(memory[0] == 0 && memory[1] == 1 && memory[MOST] == 1 && memory[MOST + 1] == 1);
    CHECK(pcn_iperceptron_learn(&m, pcn_idense(number, MOST), 1) == 1);
    CHECK(memory[MOST - 1] == 1 + number[MOST - 1] && memory[MOST] == 1);
}

static void check_init(void)
{
    /* clang-format off */
    static const struct {
        uint32_t features, classes;
    } short_of[] = { /* the last ones fit, for who multiplies in 32 bits */
        {N, K + 1}, {N + 1, K}, {WORDS, 2}, {0, WORDS + 1}, {0x7fffffffu, 2}, {0, UINT32_MAX},
        {0x7fffffffu, UINT32_MAX}, {0x3fffffffu, 4}, {0x7fffffffu, 3}, {0xffffu, 0x10000u}, {3, 0x40000000u},
    };
    static const struct {
        uint32_t features, classes;
    } never[] = {{5, 0}, {0, 0}, {5, 1}, {0, 1}, {0x80000000u, 2}, {UINT32_MAX, 2}, {UINT32_MAX, UINT32_MAX}};
    /* clang-format on */
    pcn_iperceptron m, zero;
    int32_t memory[WORDS];
    uint32_t i, k;
    memset(&zero, 0, sizeof zero);
    memory[0] = 7;
#define REFUSES(features, classes, memory, bytes, expected)                                                            \
    do {                                                                                                               \
        memset(&m, 0xa5, sizeof m);                                                                                    \
        CHECK(pcn_iperceptron_init(&m, features, classes, memory, bytes) == expected);                                 \
        CHECK(memcmp(&m, &zero, sizeof m) == 0);                                                                       \
    } while (0)
    REFUSES(1, 2, NULL, sizeof memory, PCN_EMEMORY);
    REFUSES(0, 2, memory, 0, PCN_EMEMORY);
    for (k = 2; k <= K; k++) REFUSES(N, k, memory, PCN_IPERCEPTRON_NUMBERS(N, k) * sizeof *memory - 1, PCN_EMEMORY);
    for (i = 0; i < LENGTH(short_of); i++)
        REFUSES(short_of[i].features, short_of[i].classes, memory, sizeof memory, PCN_EMEMORY);
    for (i = 0; i < LENGTH(never); i++)
        REFUSES(never[i].features, never[i].classes, memory, sizeof memory, PCN_EOPTION);
#undef REFUSES
    CHECK(memory[0] == 7);
    for (k = 2; k <= K; k++)
        CHECK(pcn_iperceptron_init(&m, N, k, memory, PCN_IPERCEPTRON_NUMBERS(N, k) * sizeof *memory) == PCN_OK);
    for (i = 0; i < WORDS; i++) CHECK(memory[i] == 0);
    CHECK(m.rate == 1 && m.bias_step == PCN_BIAS_OF_ROWS && m.bias_rows == 0 && m.bias_doubled == 0 && m.margin == 0 &&
          m.rows == 0 && m.refused == 0 && m.own.clock == 0);
    CHECK(m.live.weight == memory && m.live.bias == memory + N * K);
    CHECK(m.live.bits == 32 && m.live.scale == NULL && m.live.zero_negative == 0);
    CHECK(m.live.features == N && m.live.scores == K);
}

/* A trainer that init has refused has no memory: it learns nothing, has no image, and gives class 0. */
static void check_without_init(void)
{
    static const int16_t x[2] = {3, 4};
    uint8_t image[200];
    int32_t memory[PCN_IPERCEPTRON_NUMBERS(2, K)], out[LENGTH(memory)];
    int64_t sum[LENGTH(memory)], score[1] = {7};
    pcn_iperceptron m, zero, fine;
    pcn_ilinear model;
    size_t size;
    uint32_t k, i;
    memset(&zero, 0, sizeof zero);
    for (k = 0; k <= K; k++) { /* fewer than two classes, or one number too few */
        size_t bytes = PCN_IPERCEPTRON_NUMBERS(2, k) * sizeof *memory - (k != 0);
        CHECK(pcn_iperceptron_init(&m, 2, k, memory, bytes) == (k < 2 ? PCN_EOPTION : PCN_EMEMORY));
        CHECK(pcn_iperceptron_init(&fine, 2, k > 2 ? k : 2, memory, sizeof memory) == PCN_OK);
        size = pcn_iperceptron_save(&fine, image, sizeof image);
        CHECK(size != 0 && pcn_iperceptron_load(&m, image, size) == PCN_EOPTION);
        size = pcn_ilinear_save(&fine.live, image, sizeof image);
        CHECK(size != 0 && pcn_iperceptron_load(&m, image, size) == PCN_EOPTION);
        CHECK(pcn_iperceptron_use_averaging(&m, sum, sizeof sum) == PCN_EOPTION);
        CHECK(pcn_iperceptron_final(&m, &model, out, sizeof out) == PCN_EOPTION);
        CHECK(pcn_iperceptron_final(&m, &model, NULL, 0) == PCN_EOPTION);
        CHECK(pcn_iperceptron_save_part(&m, 0, NULL, 0) == 0 && pcn_iperceptron_save(&m, image, sizeof image) == 0);
        CHECK(memcmp(&m, &zero, sizeof m) == 0);
        for (i = 1; i < 4; i++)
            CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, 2), (int)i - 1) == PCN_EOPTION && m.refused == i);
        m.refused = 0;
        CHECK(pcn_iperceptron_predict(&m, pcn_idense(x, 2)) == 0);
        CHECK(pcn_ilinear_predict(&m.live, pcn_idense(x, 2)) == 0);
        pcn_ilinear_scores(&m.live, pcn_idense(x, 2), score);
        CHECK(score[0] == 7 && memcmp(&m, &zero, sizeof m) == 0);
    }
}

/* The first function is for two classes, the second for three and more. */
static void check_inits(void)
{
    int32_t memory[WORDS];
    pcn_iperceptron m, other, zero;
    uint32_t k;
    memset(&zero, 0, sizeof zero);
    CHECK(pcn_iperceptron_init(&m, N, 2, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_iperceptron_init_one(&other, N, memory, sizeof memory) == PCN_OK);
    CHECK(memcmp(&m, &other, sizeof m) == 0 && m.live.scores == 1);
    CHECK(pcn_iperceptron_init(&m, N, K, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_iperceptron_init_several(&other, N, K, memory, sizeof memory) == PCN_OK);
    CHECK(memcmp(&m, &other, sizeof m) == 0 && m.live.scores == K);
    for (k = 0; k < 3; k++) {
        CHECK(pcn_iperceptron_init_several(&other, N, k, memory, sizeof memory) == PCN_EOPTION);
        CHECK(memcmp(&other, &zero, sizeof zero) == 0);
    }
}

static void check_options(void)
{
    int64_t sum[WORDS];
    trainer t, before;
    int with;
    for (with = PLAIN; with < OPTIONS; with++) {
        trainer_init(&t, N, K, (enum option)with);
        CHECK(pcn_iperceptron_learn(&t.m, pcn_iones(every, N), 2) == 1);
        memcpy(&before, &t, sizeof t);
        CHECK(pcn_iperceptron_use_averaging(&t.m, NULL, sizeof sum) == PCN_EMEMORY);
        CHECK(pcn_iperceptron_use_averaging(&t.m, sum, sizeof sum - 1) == PCN_EMEMORY);
        CHECK(memcmp(&t, &before, sizeof t) == 0);
    }
}

/* Two classes are 0 and 1, and -1 is 0. */
static void check_binary_labels(enum option with)
{
    trainer a, b;
    example r;
    uint32_t i;
    random_state = 12;
    trainer_init(&a, 9, 2, with);
    trainer_init(&b, 9, 2, with);
    for (i = 0; i < 100; i++) {
        int y = (int)(random_bits() >> 31);
        random_example(&r, 9, -8, 8);
        CHECK(pcn_iperceptron_learn(&a.m, r.full, y) == pcn_iperceptron_learn(&b.m, r.full, y ? 1 : -1));
        CHECK(a.m.guess == b.m.guess && (a.m.guess == 0 || a.m.guess == 1));
    }
    CHECK(a.m.updates > 10 && a.m.mistakes == b.m.mistakes && a.m.refused == 0 && b.m.refused == 0);
    CHECK(memcmp(a.memory, b.memory, sizeof a.memory) == 0 && memcmp(a.sum, b.sum, sizeof a.sum) == 0);
}

/* The weights as they are, in memory of ours or in place; the trainer stays what it is, and goes on. */
static void check_final(uint32_t classes, enum option with)
{
    const size_t numbers = PCN_IPERCEPTRON_NUMBERS(9, classes), bytes = numbers * sizeof(int32_t);
    const uint32_t scores = PCN_SCORES(classes);
    trainer t, before;
    int32_t out[WORDS], unwritten[WORDS];
    pcn_ilinear model, untouched;
    example r;
    uint32_t i;
    random_state = 13;
    trainer_init(&t, 9, classes, with);
    for (i = 0; i < 60; i++) {
        random_example(&r, 9, -8, 8);
        CHECK(pcn_iperceptron_learn(&t.m, r.full, (int)(i % classes)) >= 0);
    }
    t.m.live.zero_negative = 1;
    memcpy(&before, &t, sizeof t);
    memset(out, 0x5a, sizeof out);
    memset(&model, 0x5a, sizeof model);
    memcpy(unwritten, out, sizeof out), memcpy(&untouched, &model, sizeof model);
    CHECK(pcn_iperceptron_final(&t.m, &model, out, bytes - 1) == PCN_EMEMORY);
    CHECK(pcn_iperceptron_final(&t.m, &model, out, 0) == PCN_EMEMORY);
    if (with == AVERAGED) {
        CHECK(pcn_iperceptron_final(&t.m, &model, NULL, 0) == PCN_EMEMORY);
        CHECK(pcn_iperceptron_final(&t.m, &model, NULL, bytes) == PCN_EMEMORY);
    }
    CHECK(memcmp(out, unwritten, sizeof out) == 0 && memcmp(&model, &untouched, sizeof model) == 0);
    CHECK(pcn_iperceptron_final(&t.m, &model, out, bytes) == PCN_OK && model.weight == out);
    CHECK(model.bias == out + numbers - scores && model.features == 9 && model.scores == scores);
    CHECK(model.bits == 32 && model.scale == NULL && model.zero_negative == 1);
    CHECK((memcmp(out, t.memory, bytes) == 0) == (with != AVERAGED));
    CHECK(memcmp(out + numbers, unwritten, sizeof out - bytes) == 0);
    if (with != AVERAGED) {
        CHECK(pcn_iperceptron_final(&t.m, &model, NULL, 0) == PCN_OK && model.weight == t.memory);
        CHECK(memcmp(&model, &t.m.live, sizeof model) == 0);
    }
    CHECK(memcmp(&t, &before, sizeof t) == 0);
}

/* Averaging from the middle on: what was learned before is its first weights. */
static void check_late_averaging(void)
{
    trainer t;
    plain v;
    example r;
    uint32_t i;
    random_state = 5;
    trainer_init(&t, 9, K, PLAIN);
    plain_init(&v, 9, K);
    for (i = 0; i < 60; i++) {
        random_example(&r, 9, -8, 8);
        CHECK(plain_learn(&v, &t.m, r.dense, (int)(i % K)) == pcn_iperceptron_learn(&t.m, r.full, (int)(i % K)));
        if (i != 29) continue;
        CHECK(pcn_iperceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == PCN_OK && t.m.own.clock == 0);
        memcpy(v.total, v.w, sizeof v.total);
    }
    CHECK(t.m.own.clock == 30 && t.m.rows == 60);
    check_view(&t.m, v.total);
    v.total[0] = t.memory[0] = PCN_IMAX; /* alone it is one too many */
    v.total[1] = t.memory[1] = 7;
    CHECK(pcn_iperceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == PCN_OK);
    for (i = 2; i < 10 * K; i++) v.total[i] = t.memory[i];
    check_view(&t.m, v.total);
}

static void check_errors(void)
{
    uint32_t classes;
    int with;
    check_init();
    check_without_init();
    check_inits();
    check_options();
    for (classes = 2; classes <= K; classes += K - 2)
        for (with = PLAIN; with < OPTIONS; with++) {
            check_learn_errors(classes, (enum option)with);
            check_unsorted(classes, (enum option)with);
            check_final(classes, (enum option)with);
            if (classes == 2) check_binary_labels((enum option)with);
        }
    check_most_features();
}

int main(void)
{
    uint32_t classes;
    check_traces();
    check_steps();
    check_mean_trace();
    check_all_limits();
    random_state = 20;
    for (classes = 2; classes <= K; classes++) {
        check_bias_of_rows(classes, PLAIN);
        check_bias_of_rows(classes, AVERAGED);
    }
    check_bias_by_hand();
    bias_of_a_sensor();
    check_long_runs();
    check_late_averaging();
    check_all_scores();
    check_classes();
    check_near_means();
    check_zero_means();
    check_mean_of_more_bits();
    check_long_means();
    for (classes = 2; classes <= K; classes++) check_mean_beyond(classes);
    check_errors();
    return report();
}
