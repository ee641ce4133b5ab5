/* pcn_perceptron_mix gives the mean of trainers that have learned a part of the rows each: beside the plain formula,
 * the mean beside a sum of all weights in double precision, any cut into ranges, and what is refused. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"

#include <math.h>

enum { N = 19, K = 3, MOST = PCN_LINEAR_FLOATS(N, K), SHARDS = 13, ROWS = 40 };

#include "linear.h"

enum method { PLAIN, WINNOW, BALANCED, CONFIDENCE };

typedef struct kind {
    enum method method;
    uint32_t classes;
    int averaged, feature_major;
} kind;

static void trainer_of(trainer *t, kind k)
{
    static const unsigned parts[] = {0, PCN_PART_EXPONENTS, PCN_PART_EXPONENTS | PCN_PART_BALANCED, PCN_PART_VARIANCES};
    trainer_init(t, N, k.classes,
                 parts[k.method] | (k.averaged ? (unsigned)PCN_PART_SUMS : 0) |
                     (k.feature_major ? (unsigned)PCN_PART_FEATURE_MAJOR : 0),
                 k.method == CONFIDENCE ? 1 : 0.75f);
    if (k.method == WINNOW || k.method == BALANCED) t->m.learner.rule.rate = 0.375f;
}

static size_t numbers(const trainer *t)
{
    return PCN_LINEAR_FLOATS(N, t->m.live.scores);
}

static pcn_shard shard_of(const trainer *t, size_t from)
{
    pcn_shard s;
    memset(&s, 0, sizeof s);
    s.weight = t->m.live.weight + from;
    if (t->m.own.sum) s.sum = t->m.own.sum + from, s.rest = s.sum + numbers(t);
    if (t->m.own.state) s.state = t->m.own.state + from;
    s.count = t->m.learner.count;
    s.clock = t->m.learner.clock;
    return s;
}

/* As an epoch begins. */
static void take_common(trainer *shard, const trainer *common)
{
    memcpy(shard->memory, common->memory, numbers(common) * sizeof(float));
    memcpy(shard->state, common->state, sizeof shard->state);
    memset(&shard->m.learner.count, 0, sizeof shard->m.learner.count);
    if (shard->m.own.sum) CHECK(pcn_perceptron_use_averaging(&shard->m, shard->sum, sizeof shard->sum) == PCN_OK);
}

static double total[MOST]; /* of all weights seen */

static void add_to_total(const trainer *t)
{
    size_t i;
    for (i = 0; i < numbers(t); i++) total[i] += (double)t->memory[i];
}

static void learn_row(trainer *t, uint32_t number)
{
    float x[N];
    uint32_t j;
    int y = (int)(number % PCN_CLASSES(t->m.live.scores));
    for (j = 0; j < N; j++) x[j] = random_bits() % 3 ? 0 : (float)(random_bits() % 64) / 16 + (j % 5 == number % 5);
    CHECK(pcn_perceptron_learn(&t->m, pcn_dense(x, N), y) >= 0);
    add_to_total(t);
}

/* ---- The plain formula ---- */

/* x[0] + x[step] + ..., by halves. */
static float halves(const float *x, uint32_t n, uint32_t first, uint32_t step)
{
    volatile float sum;
    if (first >= n) return 0;
    if (first + step >= n) return x[first];
    sum = halves(x, n, first, 2 * step);
    sum += halves(x, n, first + step, 2 * step);
    return sum;
}

static float plain_mix(const trainer *shards, uint32_t n, size_t i, enum method method)
{
    float x[SHARDS], p[SHARDS], all;
    uint64_t rows = 0;
    uint32_t s;
    for (s = 0; s < n; s++) rows += shards[s].m.learner.count.rows;
    for (s = 0; s < n; s++) p[s] = 1 / 4294967296.0f / shards[s].state[i];
    all = halves(p, n, 0, 1);
    for (s = 0; s < n; s++) {
        const trainer *t = &shards[s];
        volatile float part = (float)t->m.learner.count.rows / (float)rows;
        if (method == CONFIDENCE) part = p[s] / all;
        x[s] = part * (method == PLAIN || method == CONFIDENCE ? t->memory[i] : t->state[i]);
    }
    return halves(x, n, 0, 1);
}

static float plain_variance(const trainer *shards, uint32_t n, size_t i, float before)
{
    float p[SHARDS], v;
    uint32_t s;
    for (s = 0; s < n; s++) p[s] = 1 / 4294967296.0f / shards[s].state[i];
    v = (float)n / 4294967296.0f / halves(p, n, 0, 1);
    return v < before ? v : before;
}

static void check_weights(const trainer *before, const trainer *t, const trainer *shards, uint32_t n, kind k)
{
    size_t i;
    for (i = 0; i < numbers(t); i++) {
        float mixed = plain_mix(shards, n, i, k.method);
        if (k.method == PLAIN || k.method == CONFIDENCE) {
            CHECK(t->memory[i] == mixed);
        } else if (i >= (size_t)N * t->m.live.scores) {
            CHECK(t->memory[i] == -0.75f);
        } else {
            double w = exp2((double)mixed) - (k.method == BALANCED ? exp2(-(double)mixed) : 0);
            CHECK(t->state[i] == mixed);
            CHECK(fabs((double)t->memory[i] - w) <= 1e-5 * (1 + fabs(w)));
        }
        if (k.method == CONFIDENCE) CHECK(t->state[i] == plain_variance(shards, n, i, before->state[i]));
    }
}

static void check_mean(const trainer *t, uint64_t rows)
{
    float mean[MOST];
    size_t i;
    if (!t->m.own.sum) return;
    CHECK(t->m.learner.clock == rows);
    (void)final_of(&t->m, mean);
    for (i = 0; i < numbers(t); i++) {
        double exact = total[i] / (double)(rows + 1);
        CHECK(fabs((double)mean[i] - exact) <= 3e-7 * fabs(exact) + 1e-9);
    }
}

/* The last range has added them, once. */
static void check_counts(const pcn_learner *l, const pcn_learner *before, const pcn_count *added)
{
    CHECK(l->count.rows == before->count.rows + added->rows);
    CHECK(l->count.updates == before->count.updates + added->updates);
    CHECK(l->count.mistakes == before->count.mistakes + added->mistakes);
    CHECK(l->clock == before->clock + added->rows);
}

/* Epochs of n shards with different numbers of rows. Cuts of `cut` numbers give what one range gives. */
static void check_epochs(kind k, uint32_t n, size_t cut)
{
    static trainer common, before, whole, shards[SHARDS];
    pcn_shard from[SHARDS];
    uint32_t epoch, s, i;
    pcn_count counts;
    uint64_t rows = 0;
    size_t at;
    memset(total, 0, sizeof total);
    trainer_of(&common, k);
    for (s = 0; s < n; s++) trainer_of(&shards[s], k);
    add_to_total(&common);
    for (epoch = 0; epoch < 4; epoch++) {
        memset(&counts, 0, sizeof counts);
        for (s = 0; s < n; s++) {
            take_common(&shards[s], &common);
            for (i = 0; i < (s == 2 ? 0 : ROWS - s); i++) learn_row(&shards[s], i * n + s);
            counts.rows += shards[s].m.learner.count.rows;
            counts.updates += shards[s].m.learner.count.updates;
            counts.mistakes += shards[s].m.learner.count.mistakes;
        }
        before = whole = common;
        CHECK(resize(&whole, N, k.classes) == PCN_OK); /* its arrays are its own */
        for (at = 0; at < numbers(&common); at += cut) {
            size_t count = numbers(&common) - at < cut ? numbers(&common) - at : cut;
            for (s = 0; s < n; s++) from[s] = shard_of(&shards[s], at);
            CHECK(common.m.learner.clock == before.m.learner.clock);
            CHECK(pcn_perceptron_mix(&common.m, from, n, at, count) == 1);
        }
        for (s = 0; s < n; s++) from[s] = shard_of(&shards[s], 0);
        CHECK(pcn_perceptron_mix(&whole.m, from, n, 0, numbers(&common)) == 1);
        CHECK(memcmp(whole.memory, common.memory, sizeof whole.memory) == 0);
        CHECK(memcmp(whole.sum, common.sum, sizeof whole.sum) == 0);
        CHECK(memcmp(whole.state, common.state, sizeof whole.state) == 0);
        rows += counts.rows;
        check_counts(&common.m.learner, &before.m.learner, &counts);
        check_counts(&whole.m.learner, &before.m.learner, &counts);
        check_weights(&before, &common, shards, n, k);
        check_mean(&common, rows);
    }
}

static void check_all_epochs(void)
{
    static const uint32_t shards[] = {1, 2, 3, 4, 5, 8, SHARDS};
    kind k;
    int method, form;
    size_t i;
    for (method = PLAIN; method <= CONFIDENCE; method++)
        for (form = 0; form < 8; form++)
            for (i = 0; i < LENGTH(shards); i++) {
                k.method = (enum method)method;
                k.averaged = form & 1;
                k.feature_major = form >> 1 & 1;
                k.classes = form >> 2 ? K : 2;
                check_epochs(k, shards[i], 1 + i * 11);
            }
}

/* A new trainer, and one shard that has learned all rows. */
static pcn_shard one_shard(trainer *common, trainer *shard, kind k)
{
    uint32_t i;
    trainer_of(common, k);
    trainer_of(shard, k);
    for (i = 0; i < ROWS; i++) learn_row(shard, i);
    return shard_of(shard, 0);
}

/* One shard that has all rows: what it has learned, bit for bit. */
static void check_one_shard(void)
{
    static trainer common, shard;
    const kind k = {PLAIN, K, 0, 0};
    const pcn_shard from = one_shard(&common, &shard, k);
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, MOST) == 1);
    CHECK(memcmp(common.memory, shard.memory, MOST * sizeof(float)) == 0);
}

/* What shards have learned counts as an update: a trainer that mixes them may have a rate of 0 as they may. */
static void check_moved(uint32_t classes)
{
    static trainer common, shard;
    const kind k = {PLAIN, classes, 0, 0};
    const float x[N] = {1};
    pcn_shard from = one_shard(&common, &shard, k);
    common.m.learner.rule.rate = 0;
    common.m.learner.rule.margin = 1e9f; /* always fires */
    CHECK(pcn_perceptron_learn(&common.m, pcn_dense(x, N), 1) == PCN_EOPTION);
    from.count.updates = 0;
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, numbers(&common)) == 1);
    CHECK(pcn_perceptron_learn(&common.m, pcn_dense(x, N), 1) == PCN_EOPTION);
    from.count.updates = 1;
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, numbers(&common)) == 1);
    CHECK(pcn_perceptron_learn(&common.m, pcn_dense(x, N), 1) == 0 && common.m.refused == 2);
}

/* 2, then 2 for a hundred rows: the mean is 2. One call for all numbers leaves nothing to the caller. */
static void check_one_call(void)
{
    static trainer common, shards[2];
    const kind k = {PLAIN, 2, 1, 0};
    const float x = 1;
    float mean[MOST];
    pcn_shard from[2];
    uint32_t s, i;
    trainer_of(&common, k);
    for (i = 0; i < 2; i++) pcn_perceptron_learn(&common.m, pcn_dense(&x, 1), 1);
    common.memory[0] = 2;
    CHECK(pcn_perceptron_use_averaging(&common.m, common.sum, sizeof common.sum) == PCN_OK);
    for (s = 0; s < 2; s++) {
        trainer_of(&shards[s], k);
        take_common(&shards[s], &common);
        for (i = 0; i < 50; i++) CHECK(pcn_perceptron_learn(&shards[s].m, pcn_dense(&x, 1), 1) == 0);
        from[s] = shard_of(&shards[s], 0);
    }
    CHECK(pcn_perceptron_mix(&common.m, from, 2, 0, numbers(&common)) == 1);
    (void)final_of(&common.m, mean);
    CHECK(mean[0] == 2 && common.m.learner.clock == 100);
}

/* A process that mixes the first numbers only ends with an empty range. */
static void check_empty_ranges(void)
{
    static trainer common, shard;
    const kind k = {PLAIN, K, 1, 0};
    const pcn_shard from = one_shard(&common, &shard, k);
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, 0) == 1);
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, MOST - 1) == 1);
    CHECK(common.m.learner.clock == 0 && common.m.learner.count.rows == 0);
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, MOST, 0) == 1);
    CHECK(common.m.learner.clock == ROWS);
    CHECK(memcmp(&common.m.learner.count, &shard.m.learner.count, sizeof(pcn_count)) == 0);
    CHECK(memcmp(common.memory, shard.memory, (MOST - 1) * sizeof(float)) == 0 && common.memory[MOST - 1] == 0);
}

/* ---- Limits ---- */

/* Rounded parts add up to a little more than their whole at times. Weights stay below 2^80 all the same. */
static void check_largest(void)
{
    static trainer common, shards[SHARDS];
    const kind k = {PLAIN, 2, 0, 0};
    const float largest = 1208925747557035130355712.0f; /* 2^80 - 2^56 */
    pcn_shard from[SHARDS];
    uint32_t trial, s, n, rows, beyond = 0;
    trainer_of(&common, k);
    for (trial = 0; trial < 200; trial++) {
        float parts[SHARDS];
        n = 2 + trial % (SHARDS - 1);
        for (s = rows = 0; s < n; s++) {
            trainer_of(&shards[s], k);
            shards[s].memory[0] = largest, shards[s].memory[1] = -largest;
            shards[s].m.learner.count.rows = 1 + random_bits() % 1000;
            from[s] = shard_of(&shards[s], 0);
            rows += (uint32_t)from[s].count.rows;
        }
        for (s = 0; s < n; s++) parts[s] = (float)from[s].count.rows / (float)rows * largest;
        beyond += halves(parts, n, 0, 1) > largest;
        CHECK(pcn_perceptron_mix(&common.m, from, n, 0, 2) == 1);
        CHECK(common.memory[0] <= largest && common.memory[0] >= largest * 0.999999f);
        CHECK(common.memory[1] == -common.memory[0]);
    }
    CHECK(beyond > 0);
}

/* Precisions of 2^126 would add up to infinity. */
static void check_least_variances(void)
{
    static trainer common, shards[SHARDS];
    const kind k = {CONFIDENCE, 2, 0, 0};
    pcn_shard from[SHARDS];
    uint32_t s;
    trainer_of(&common, k);
    for (s = 0; s < SHARDS; s++) {
        trainer_of(&shards[s], k);
        shards[s].state[0] = 1.17549435e-38f;
        shards[s].memory[0] = 2;
        shards[s].m.learner.count.rows = 1;
        from[s] = shard_of(&shards[s], 0);
    }
    CHECK(pcn_perceptron_mix(&common.m, from, SHARDS, 0, 1) == 1);
    CHECK(fabsf(common.memory[0] - 2) < 1e-6f);
    CHECK(common.state[0] >= 1.17549435e-38f && common.state[0] < 1.1755e-38f && common.state[1] == 1);
}

/* All shards have eliminated a feature: a mean of lowest exponents may be rounded below them, and is the lowest all the
 * same. So are the highest. The trainer can be saved, and what it saves be loaded. */
static void check_end_exponents(enum method method)
{
    enum { IMAGE = PCN_PERCEPTRON_IMAGE(N, 2, PCN_PART_EXPONENTS) };
    static trainer common, loaded, shards[SHARDS];
    static uint8_t image[IMAGE];
    kind k = {WINNOW, 2, 0, 0};
    const float end = 1048576;
    pcn_shard from[SHARDS];
    uint32_t trial, s, n, rows, beyond = 0, bad = 0;
    k.method = method;
    trainer_of(&loaded, k);
    trainer_of(&common, k);
    for (s = 0; s < SHARDS; s++) {
        trainer_of(&shards[s], k);
        shards[s].state[0] = -end, shards[s].state[1] = end;
        from[s] = shard_of(&shards[s], 0);
    }
    for (trial = 0; trial < 10000; trial++) {
        float parts[SHARDS];
        n = 2 + trial % (SHARDS - 1);
        for (s = rows = 0; s < n; s++) rows += (uint32_t)(from[s].count.rows = 1 + random_bits() % 1000);
        for (s = 0; s < n; s++) parts[s] = (float)from[s].count.rows / (float)rows * end;
        beyond += halves(parts, n, 0, 1) > end;
        if (pcn_perceptron_mix(&common.m, from, n, 0, N + 1) != 1 || common.state[0] < -end ||
            common.state[0] > end * -0.999999f || common.state[1] != -common.state[0] ||
            common.memory[1] != 18446744073709551616.0f ||
            common.memory[0] != (method == WINNOW ? 0 : -18446744073709551616.0f) ||
            pcn_perceptron_save(&common.m, image, sizeof image) != sizeof image ||
            pcn_perceptron_load(&loaded.m, image, sizeof image) != PCN_OK)
            bad++;
    }
    CHECK(beyond > 0 && bad == 0);
}

/* Winnow1 itself, as in a stream of negative rows. */
static void check_eliminated(void)
{
    static trainer common, shards[SHARDS];
    const kind k = {WINNOW, 2, 0, 0};
    const float x[2] = {1, 0};
    pcn_shard from[SHARDS];
    uint32_t n, s, i;
    for (n = 2; n <= SHARDS; n++) {
        trainer_of(&common, k);
        for (s = 0; s < n; s++) {
            trainer_of(&shards[s], k);
            shards[s].m.learner.rule.rate = PCN_ELIMINATE;
            for (i = 0; i < 1 + random_bits() % 100; i++)
                CHECK(pcn_perceptron_learn(&shards[s].m, pcn_dense(x, 2), 0) >= 0);
            CHECK(shards[s].state[0] == -1048576);
            from[s] = shard_of(&shards[s], 0);
        }
        CHECK(pcn_perceptron_mix(&common.m, from, n, 0, N + 1) == 1);
        CHECK(common.memory[0] == 0 && common.memory[1] == 1 && pcn_perceptron_save_part(&common.m, 0, NULL, 0) != 0);
    }
}

/* ---- What is refused ---- */

/* A mean must be one of the rows that are counted: the clock is that of the counts. Without a mean it may be any. */
static void check_clocks(int averaged, uint32_t which)
{
    static trainer common, before, shards[3];
    kind k = {PLAIN, K, 0, 0};
    const uint64_t clocks[] = {0, ROWS - 1, ROWS + 1, 2 * ROWS, UINT64_MAX};
    pcn_shard from[3];
    uint32_t s, i;
    k.averaged = averaged;
    for (s = 0; s < 3; s++) from[s] = one_shard(&common, &shards[s], k);
    before = common;
    for (i = 0; i < LENGTH(clocks) && averaged; i++) {
        from[which].clock = clocks[i];
        CHECK(pcn_perceptron_mix(&common.m, from, 3, 0, MOST) == PCN_EOPTION);
        CHECK(memcmp(&common, &before, sizeof before) == 0);
    }
    from[which].clock = averaged ? ROWS : 7;
    CHECK(pcn_perceptron_mix(&common.m, from, 3, 0, MOST) == 1);
}

/* An epoch that was begun with the counts of 0, but not with a mean of its own, or the other way round. */
static void check_epoch_begun(int counts)
{
    static trainer common, before, shard;
    const kind k = {PLAIN, K, 1, 0};
    pcn_shard from = one_shard(&common, &shard, k);
    uint32_t i;
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, MOST) == 1);
    before = common;
    if (counts)
        memset(&shard.m.learner.count, 0, sizeof shard.m.learner.count);
    else
        CHECK(pcn_perceptron_use_averaging(&shard.m, shard.sum, sizeof shard.sum) == PCN_OK);
    for (i = 0; i < ROWS; i++) learn_row(&shard, i);
    from = shard_of(&shard, 0);
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, MOST) == PCN_EOPTION);
    CHECK(memcmp(&common, &before, sizeof before) == 0);
    take_common(&shard, &common);
    for (i = 0; i < ROWS; i++) learn_row(&shard, i);
    from = shard_of(&shard, 0);
    CHECK(pcn_perceptron_mix(&common.m, &from, 1, 0, MOST) == 1);
}

static void check_refusals(void)
{
    static trainer common, shard, old;
    static pcn_shard many[65537];
    const kind k = {CONFIDENCE, K, 1, 0};
    const uint64_t end = (uint64_t)1 << 36;
    pcn_shard good, bad;
    size_t i;
    trainer_of(&common, k);
    trainer_of(&shard, k);
    for (i = 0; i < ROWS; i++) learn_row(&shard, (uint32_t)i);
    good = shard_of(&shard, 0);
    old = common;

    CHECK(pcn_perceptron_mix(&common.m, &good, 0, 0, MOST) == PCN_EOPTION);
    for (i = 0; i < LENGTH(many); i++) many[i] = good, many[i].count.rows = many[i].clock = i == 5;
    CHECK(pcn_perceptron_mix(&common.m, many, 65537, 0, MOST) == PCN_EOPTION);
    CHECK(pcn_perceptron_mix(&common.m, &good, 1, 1, MOST) == PCN_EMEMORY);
    CHECK(pcn_perceptron_mix(&common.m, &good, 1, MOST + 1, 0) == PCN_EMEMORY);
    CHECK(pcn_perceptron_mix(&common.m, NULL, 1, 0, MOST) == PCN_EMEMORY);
    bad = good, bad.weight = NULL;
    CHECK(pcn_perceptron_mix(&common.m, &bad, 1, 0, MOST) == PCN_EMEMORY);
    bad = good, bad.sum = NULL;
    CHECK(pcn_perceptron_mix(&common.m, &bad, 1, 0, MOST) == PCN_EMEMORY);
    bad = good, bad.rest = NULL;
    CHECK(pcn_perceptron_mix(&common.m, &bad, 1, 0, MOST) == PCN_EMEMORY);
    bad = good, bad.state = NULL;
    CHECK(pcn_perceptron_mix(&common.m, &bad, 1, 0, MOST) == PCN_EMEMORY);
    bad = good, bad.count.rows = bad.clock = end + 1;
    CHECK(pcn_perceptron_mix(&common.m, &bad, 1, 0, MOST) == PCN_EFULL);
    bad.count.rows = bad.clock = UINT64_MAX;
    CHECK(pcn_perceptron_mix(&common.m, &bad, 1, 0, MOST) == PCN_EFULL);
    bad.count.rows = bad.clock = 0;
    CHECK(pcn_perceptron_mix(&common.m, &bad, 1, 0, MOST) == 0); /* no rows */
    common.m.learner.clock = end;
    CHECK(pcn_perceptron_mix(&common.m, &good, 1, 0, MOST) == PCN_EFULL);
    common.m.learner.clock = 0;
    CHECK(memcmp(&old, &common, sizeof old) == 0);

    CHECK(pcn_perceptron_mix(&common.m, many, 65536, 0, 2) == 1);
    CHECK(common.memory[2] == 0 && fabsf(common.memory[0] - shard.memory[0]) <= 1e-6f * fabsf(shard.memory[0]));

    trainer_init(&common, N, K, PCN_PART_BATCH, 0);
    CHECK(pcn_perceptron_mix(&common.m, &good, 1, 0, MOST) == PCN_EOPTION);
}

int main(void)
{
    int i;
    check_all_epochs();
    check_one_shard();
    check_moved(2);
    check_moved(K);
    check_one_call();
    check_empty_ranges();
    check_largest();
    check_least_variances();
    check_end_exponents(WINNOW);
    check_end_exponents(BALANCED);
    check_eliminated();
    for (i = 0; i < 6; i++) check_clocks(i % 2, (uint32_t)i / 2);
    check_epoch_begun(0);
    check_epoch_begun(1);
    check_refusals();
    return report();
}
