/* pcn_perceptron_use_following lets the mean follow a target that changes, counted exactly on small whole numbers and
 * beside a trainer with a plain mean; pcn_perceptron_use_regrowth lets variances grow again. Resizes, images, and
 * what is refused. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { N = 12, K = 5, MOST = PCN_LINEAR_FLOATS(N, K) };

#include "linear.h"

/* The definition: the mean predicts until only the last weights have been right more often. */
typedef struct count {
    int ahead;
    uint64_t young; /* rows since the mean's last start */
    int restarts;
} count;

/* A row that the last weights and the mean had right or not. Does the mean start again? */
static int count_row(count *c, int last, int mean)
{
    c->young++;
    if (last && !mean && c->ahead < 17) c->ahead++;
    if (mean && !last && c->ahead > -15) c->ahead--;
    if (!last || mean || c->ahead < 17 || c->young < 1000) return 0;
    c->ahead = 5, c->young = 0, c->restarts++;
    return 1;
}

/* ---- Whole numbers ---- */

/* The fixed rule with rate 1, and sums of n (change of w), in whole numbers. Behind the weights of a class: its bias. */
typedef struct whole {
    int64_t w[K][N + 1], u[K][N + 1];
} whole;

static int64_t whole_score(int64_t w[N + 1], const int *x)
{
    int64_t s = w[N];
    uint32_t j;
    for (j = 0; j < N; j++) s += w[j] * x[j];
    return s;
}

/* score - sum / seen, where every number is a float, each operation rounded once: in double that changes nothing. */
static float whole_mean(int64_t score, int64_t sum, uint64_t seen)
{
    const float part = (float)((double)sum / (double)seen);
    return (float)((double)score - (double)part);
}

static int best_of(const float *s, uint32_t classes)
{
    uint32_t c;
    int best = 0;
    if (classes == 2) return s[0] >= 0;
    for (c = 1; c < classes; c++)
        if (s[c] > s[best]) best = (int)c;
    return best;
}

static void whole_step(whole *p, uint32_t c, int step, uint64_t n, const int *x)
{
    uint32_t j;
    for (j = 0; j <= N; j++) {
        const int64_t change = step * (j < N ? x[j] : 1);
        p->w[c][j] += change;
        p->u[c][j] += change * (int64_t)n;
    }
}

/* Rows of -2 .. 2, in one of three forms, whose target changes now and then. */
static int draw(int *x, float *value, uint32_t *index, pcn_vec *row, uint32_t classes, uint32_t target)
{
    uint32_t j, n = 0, form = random_bits() % 3;
    int sum[K] = {0}, best = 0;
    for (j = 0; j < N; j++) {
        x[j] = form == 2 ? (int)(random_bits() & 1) : (int)(random_bits() % 5) - 2;
        if (form != 0 && x[j] == 0) continue;
        index[n] = j;
        value[n++] = (float)x[j];
    }
    *row = form == 0 ? pcn_dense(value, N) : pcn_sparse(index, form == 1 ? value : NULL, n);
    for (j = 0; j < N; j++) sum[(j + target) % classes] += x[j];
    if (random_bits() % 16 == 0) return (int)(random_bits() % classes);
    if (classes == 2) return sum[1] > sum[0];
    for (j = 1; j < classes; j++)
        if (sum[j] > sum[best]) best = (int)j;
    return best;
}

static void check_whole(uint32_t classes, int by_feature)
{
    static trainer t;
    static whole p;
    const pcn_learner *l = &t.m.learner;
    const uint32_t scores = PCN_SCORES(classes);
    count expected = {0, 0, 0};
    uint32_t i, c, changes = 0;
    float value[N], out[MOST];
    uint32_t index[N];
    int x[N], mean_predicts = 0;
    trainer_init(&t, N, classes, (by_feature ? PCN_PART_FEATURE_MAJOR : 0) | PCN_PART_SUMS, 0);
    CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK && l->ahead == 0);
    memset(&p, 0, sizeof p);
    for (i = 0; i < 12000; i++) {
        float last[K], mean[K], score[K];
        pcn_vec row;
        const int y = draw(x, value, index, &row, classes, i / 1500 % 3), by_mean = expected.ahead <= 0;
        int guess, moved;
        pcn_linear model;
        for (c = 0; c < scores; c++) {
            last[c] = (float)whole_score(p.w[c], x);
            mean[c] = whole_mean(whole_score(p.w[c], x), whole_score(p.u[c], x), expected.young + 1);
        }
        pcn_perceptron_scores(&t.m, row, score);
        CHECK(memcmp(score, by_mean ? mean : last, scores * sizeof *score) == 0);
        CHECK(pcn_perceptron_predict(&t.m, row) == best_of(by_mean ? mean : last, classes));
        if (i % 97 == 0) { /* what predicts can be had: a mean needs an array, the weights do not */
            CHECK(pcn_perceptron_final(&t.m, &model, NULL, 0) == (by_mean ? PCN_EMEMORY : PCN_OK));
            CHECK(by_mean || model.weight == t.m.live.weight);
            CHECK(pcn_linear_predict(&t.m.live, row) == best_of(last, classes));
            model = final_of(&t.m, out);
            CHECK(by_mean || memcmp(out, t.memory, PCN_LINEAR_FLOATS(N, classes) * sizeof *out) == 0);
        }
        guess = best_of(last, classes);
        moved = guess != y || (classes == 2 && last[0] == 0);
        for (c = 0; classes > 2 && c < classes; c++) moved |= c != (uint32_t)y && last[c] == last[y];
        CHECK(pcn_perceptron_learn(&t.m, row, classes == 2 && y == 0 && i % 2 ? -1 : y) == moved && l->guess == guess);
        if (moved && classes == 2) whole_step(&p, 0, y ? 1 : -1, expected.young + 1, x);
        if (moved && classes > 2) {
            int rival = y == 0;
            for (c = (uint32_t)rival + 1; c < classes; c++)
                if (c != (uint32_t)y && last[c] > last[rival]) rival = (int)c;
            whole_step(&p, (uint32_t)y, 1, expected.young + 1, x);
            whole_step(&p, (uint32_t)rival, -1, expected.young + 1, x);
        }
        if (count_row(&expected, guess == y, best_of(mean, classes) == y)) memset(p.u, 0, sizeof p.u);
        CHECK(l->ahead == expected.ahead && l->clock == expected.young);
        changes += by_mean != mean_predicts;
        mean_predicts = by_mean;
    }
    CHECK(expected.restarts >= 3 && changes > 10 && l->count.rows == 12000 && t.m.refused == 0);
}

/* ---- Beside a plain mean ---- */

/* Learners of every kind: follower f and averaging trainer a learn the same rows; a starts again where f should. */
static void check_beside(unsigned parts, float setting, float regrow, uint32_t classes, pcn_rule rule,
                         uint32_t (*update)(const pcn_learner *, pcn_update *, uint32_t, float *))
{
    static trainer f, a;
    count expected = {0, 0, 0};
    float value[N], score[K], other[K];
    uint32_t index[N], i;
    int x[N], moved, by_mean;
    trainer *each[2] = {&f, &a};
    for (i = 0; i < 2; i++) {
        trainer_init(each[i], N, classes, parts | PCN_PART_SUMS, setting);
        if (!(parts & PCN_PART_VARIANCES)) each[i]->m.learner.rule = rule;
        each[i]->m.learner.update = update;
        if (regrow > 0) CHECK(pcn_perceptron_use_regrowth(&each[i]->m, regrow) == PCN_OK);
    }
    CHECK(pcn_perceptron_use_following(&f.m) == PCN_OK);
    for (i = 0; i < 9000; i++) {
        pcn_vec row;
        const int y = draw(x, value, index, &row, classes, i / 2000 % 3);
        const int mean = pcn_perceptron_predict(&a.m, row), last = pcn_linear_predict(&a.m.live, row);
        by_mean = expected.ahead <= 0;
        pcn_perceptron_scores(&f.m, row, score);
        if (by_mean)
            pcn_perceptron_scores(&a.m, row, other);
        else
            pcn_linear_scores(&a.m.live, row, other);
        CHECK(memcmp(score, other, PCN_SCORES(classes) * sizeof *score) == 0);
        CHECK(pcn_perceptron_predict(&f.m, row) == (by_mean ? mean : last));
        moved = pcn_perceptron_learn(&a.m, row, y);
        CHECK(moved >= 0 && pcn_perceptron_learn(&f.m, row, y) == moved);
        if (count_row(&expected, last == y, mean == y))
            CHECK(pcn_perceptron_use_averaging(&a.m, a.sum, sizeof a.sum) == PCN_OK);
        CHECK(f.m.learner.ahead == expected.ahead && f.m.learner.clock == a.m.learner.clock);
        CHECK(memcmp(f.memory, a.memory, PCN_LINEAR_FLOATS(N, classes) * sizeof(float)) == 0);
    }
    CHECK(memcmp(f.sum, a.sum, sizeof f.sum) == 0 && memcmp(f.state, a.state, sizeof f.state) == 0);
    CHECK(memcmp(&f.m.learner.count, &a.m.learner.count, sizeof(pcn_count)) == 0);
    CHECK(expected.restarts > 0 || parts & PCN_PART_VARIANCES);
}

/* ---- Sizes that grow, images ---- */

/* Learns rows [from, to) of the one stream, in which features and classes come late. */
static void learn_stream(trainer *t, uint32_t from, uint32_t to, uint32_t *restarts)
{
    float value[N];
    uint32_t index[N], i;
    int x[N];
    for (i = from; i < to; i++) {
        const uint32_t classes = i < 1500 ? 2 : i < 4000 ? 3 : K, features = i < 2500 ? N - 4 : N;
        const uint64_t clock = t->m.learner.clock;
        pcn_vec row;
        int y;
        random_state = 1 + i * 2654435761u;
        y = draw(x, value, index, &row, classes, i / 1200 % 3);
        if (row.index == NULL) row = pcn_dense(value, features);
        if (t->m.live.features != features || t->m.live.scores != PCN_SCORES(classes))
            CHECK(resize(t, features, classes) == PCN_OK);
        while (row.index && row.count > 0 && row.index[row.count - 1] >= features) row.count--;
        CHECK(pcn_perceptron_learn(&t->m, row, y) >= 0);
        *restarts += t->m.learner.clock < clock;
    }
}

static void check_resumed(unsigned parts)
{
    static trainer whole_run, first, second;
    static uint32_t image[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS | PCN_PART_VARIANCES) / 4];
    static const uint32_t cuts[] = {1, 700, 1499, 1500, 1501, 2499, 3100, 3999, 5200, 7999};
    uint32_t i, restarts = 0, ignored = 0;
    trainer_init(&whole_run, N - 4, 2, parts | PCN_PART_SUMS, 1);
    CHECK(pcn_perceptron_use_following(&whole_run.m) == PCN_OK);
    learn_stream(&whole_run, 0, 8000, &restarts);
    CHECK(restarts > 0 || parts & PCN_PART_VARIANCES);
    for (i = 0; i < LENGTH(cuts); i++) {
        size_t size, floats;
        trainer_init(&first, N - 4, 2, parts | PCN_PART_SUMS, 1);
        CHECK(pcn_perceptron_use_following(&first.m) == PCN_OK);
        learn_stream(&first, 0, cuts[i], &ignored);
        size = pcn_perceptron_save(&first.m, image, sizeof image);
        CHECK(size != 0 && image[7] == (uint32_t)first.m.learner.ahead);
        trainer_init(&second, first.m.live.features, PCN_CLASSES(first.m.live.scores), parts | PCN_PART_SUMS, 1);
        CHECK(pcn_perceptron_load(&second.m, image, size) == PCN_EMATCH); /* it does not follow */
        CHECK(pcn_perceptron_use_following(&second.m) == PCN_OK);
        CHECK(pcn_perceptron_load(&second.m, image, size) == PCN_OK);
        CHECK(second.m.learner.ahead == first.m.learner.ahead);
        learn_stream(&second, cuts[i], 8000, &ignored);
        floats = PCN_LINEAR_FLOATS(N, K);
        CHECK(second.m.learner.ahead == whole_run.m.learner.ahead);
        CHECK(second.m.learner.clock == whole_run.m.learner.clock);
        CHECK(memcmp(second.memory, whole_run.memory, floats * sizeof(float)) == 0);
        CHECK(memcmp(second.sum, whole_run.sum, 2 * floats * sizeof(float)) == 0);
        CHECK(!(parts & PCN_PART_VARIANCES) || memcmp(second.state, whole_run.state, floats * sizeof(float)) == 0);
    }
}

static void check_images(void)
{
    static trainer t, plain, before;
    static uint32_t image[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS | PCN_PART_BATCH) / 4];
    static const int bad[] = {-16, 18, 33, 127, -128, 256, INT32_MAX, INT32_MIN};
    uint32_t restarts = 0, i;
    pcn_image info;
    pcn_linear model;
    size_t size;
    trainer_init(&t, N, K, PCN_PART_SUMS, 0);
    CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK);
    learn_stream(&t, 4000, 6000, &restarts);
    for (i = 0; i < 33; i++) { /* every state that there is */
        t.m.learner.ahead = (int8_t)((int)i - 15);
        size = pcn_perceptron_save(&t.m, image, sizeof image);
        CHECK(size != 0 && pcn_image_read(&info, image, size) == PCN_OK);
        CHECK(info.parts == (PCN_PART_BIAS | PCN_PART_SUMS | PCN_PART_FOLLOWING) && (int)info.entries == (int)i - 15);
        before = t;
        before.m.learner.moved = 0; /* load begins anew to look at the rule */
        t.m.learner.ahead = 3;
        CHECK(pcn_perceptron_load(&t.m, image, size) == PCN_OK && memcmp(&t, &before, sizeof t) == 0);
    }
    CHECK(pcn_linear_open(&model, image, size) == PCN_EMEAN);
    for (i = 0; i < LENGTH(bad); i++) {
        put_word((uint8_t *)image, 28, (uint32_t)bad[i]);
        put_checksum((uint8_t *)image, size);
        CHECK(pcn_image_read(NULL, image, size) == PCN_EIMAGE && pcn_perceptron_load(&t.m, image, size) == PCN_EIMAGE);
    }
    put_word((uint8_t *)image, 28, 3); /* ahead, of one that does not follow; following, but no sums */
    put_word((uint8_t *)image, 12, PCN_PART_BIAS | PCN_PART_SUMS);
    put_checksum((uint8_t *)image, size);
    CHECK(pcn_image_read(NULL, image, size) == PCN_EIMAGE);
    trainer_init(&plain, N, K, 0, 0);
    size = pcn_perceptron_save(&plain.m, image, sizeof image);
    put_word((uint8_t *)image, 12, PCN_PART_BIAS | PCN_PART_FOLLOWING);
    put_checksum((uint8_t *)image, size);
    CHECK(pcn_image_read(NULL, image, size) == PCN_EIMAGE);
    size = pcn_linear_save(&plain.m.live, image, sizeof image);
    CHECK(pcn_perceptron_load(&t.m, image, size) == PCN_OK && t.m.learner.ahead == 0); /* a frozen model */
    put_word((uint8_t *)image, 12, PCN_PART_BIAS | PCN_PART_FOLLOWING);
    put_checksum((uint8_t *)image, size);
    CHECK(pcn_image_read(NULL, image, size) == PCN_EIMAGE);
    trainer_init(&plain, N, K, PCN_PART_SUMS | PCN_PART_BATCH, 0);
    size = pcn_perceptron_save(&plain.m, image, sizeof image);
    put_word((uint8_t *)image, 12, PCN_PART_BIAS | PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_FOLLOWING);
    put_checksum((uint8_t *)image, size);
    CHECK(size == sizeof image && pcn_image_read(NULL, image, size) == PCN_EIMAGE);
    trainer_init(&plain, N, K, PCN_PART_SUMS, 0); /* a mean without following: then it begins */
    learn_stream(&plain, 4000, 5000, &restarts);
    size = pcn_perceptron_save(&plain.m, image, sizeof image);
    t.m.learner.ahead = 9;
    CHECK(pcn_perceptron_load(&t.m, image, size) == PCN_OK && t.m.learner.ahead == 0 && t.m.learner.clock == 1000);
}

/* ---- What is refused ---- */

static void check_refused(void)
{
    static trainer t, before;
    pcn_perceptron none;
    pcn_linear model;
    pcn_shard shard;
    float x[N + 1] = {0};
    const size_t bytes = sizeof t.batch;
    memset(&none, 0, sizeof none);
    CHECK(pcn_perceptron_use_following(&none) == PCN_EOPTION);
    trainer_init(&t, N, K, 0, 0);
    before = t;
    CHECK(pcn_perceptron_use_following(&t.m) == PCN_EOPTION && memcmp(&t, &before, sizeof t) == 0); /* no mean */
    CHECK(pcn_perceptron_use_regrowth(&t.m, 0.5f) == PCN_EOPTION && memcmp(&t, &before, sizeof t) == 0);
    trainer_init(&t, N, K, PCN_PART_SUMS | PCN_PART_BATCH, 0);
    before = t;
    CHECK(pcn_perceptron_use_following(&t.m) == PCN_EOPTION && memcmp(&t, &before, sizeof t) == 0);
    trainer_init(&t, N, K, PCN_PART_SUMS, 0);
    CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK);
    before = t;
    CHECK(pcn_perceptron_use_batch(&t.m, t.batch, bytes) == PCN_EOPTION && memcmp(&t, &before, sizeof t) == 0);
    memset(&shard, 0, sizeof shard);
    shard.weight = t.memory;
    CHECK(pcn_perceptron_mix(&t.m, &shard, 1, 0, MOST) == PCN_EOPTION && memcmp(&t, &before, sizeof t) == 0);
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), K) == PCN_ELABEL); /* a row that is refused counts for nobody */
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N + 1), 1) == PCN_EINDEX);
    x[3] = (float)NAN;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == PCN_EVALUE);
    x[3] = 3e38f;
    t.m.learner.ahead = 7;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == PCN_EVALUE && t.m.learner.ahead == 7);
    CHECK(t.m.refused == 4 && t.m.learner.clock == 0);
    x[3] = 0;
    t.m.learner.clock = (uint64_t)1 << 36;
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == PCN_EFULL && t.m.learner.ahead == 7);
    CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == PCN_OK && t.m.learner.ahead == 7);
    CHECK(pcn_perceptron_final(&t.m, &model, NULL, 0) == PCN_OK); /* it still follows */
    CHECK(pcn_perceptron_learn(&t.m, pcn_dense(x, N), 1) == 1);
    CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK && t.m.learner.ahead == 0);
}

/* ---- Variances that grow again ---- */

/* Beside the formulas in double: S' = S - beta (S x)^2, then S' (1 + part), at most 1. One score, all numbers of the
 * size of 1, so a step is off by a few roundings: 1e-4 of the largest after some hundred of them. */
static void check_regrowth(float part, uint32_t form)
{
    static trainer t;
    double w[N + 1] = {0}, s[N + 1];
    float x[N];
    uint32_t i, j, index[N], steps = 0, grown = 0;
    for (j = 0; j <= N; j++) s[j] = 1;
    trainer_init(&t, N, 2, PCN_PART_VARIANCES | (form == 2 ? PCN_PART_FEATURE_MAJOR : 0), 1);
    CHECK(pcn_perceptron_use_regrowth(&t.m, part) == PCN_OK);
    for (i = 0; i < 400; i++) {
        const int y = (int)(random_bits() & 1), sign = y ? 1 : -1;
        double score = w[N], v = s[N], beta, alpha;
        for (j = 0; j < N; j++) {
            index[j] = j;
            x[j] = random_bits() % 3 == 0 ? 0 : (float)(int)(random_bits() % 2001) / 1000 - 1;
            score += w[j] * (double)x[j], v += s[j] * (double)(x[j] * x[j]);
        }
        if (fabs(1 - sign * score) < 1e-3) continue; /* rounding decides */
        CHECK(pcn_perceptron_learn(&t.m, form ? pcn_sparse(index, x, N) : pcn_dense(x, N), y) == (sign * score < 1));
        if (sign * score >= 1) continue;
        beta = 1 / (v + 1), alpha = (1 - sign * score) * beta, steps++;
        for (j = 0; j <= N; j++) {
            const double value = j < N ? (double)x[j] : 1, move = s[j] * value, fell = s[j] - beta * move * move;
            w[j] += sign * alpha * move;
            s[j] = value == 0 ? s[j] : fell * (1 + (double)part) < 1 ? fell * (1 + (double)part) : 1;
            grown += s[j] > fell;
        }
    }
    CHECK(steps > 100 && (part > 0 ? grown > 1000 : grown == 0));
    for (j = 0; j <= N; j++) {
        CHECK(fabs((double)t.memory[j] - w[j]) < 1e-4);
        CHECK(fabs((double)t.state[j] - s[j]) < 1e-4 && t.state[j] <= 1);
    }
}

/* A part of 0 changes no bit. Other parts may come at any time, and an image has the variances, not the part. */
static void check_part(void)
{
    static trainer a, b;
    static const float bad[] = {-1e-30f, -1, INFINITY, -INFINITY, NAN};
    uint32_t i, restarts = 0;
    trainer_init(&a, N, K, PCN_PART_VARIANCES, 0.5f);
    trainer_init(&b, N, K, PCN_PART_VARIANCES, 0.5f);
    CHECK(pcn_perceptron_use_regrowth(&b.m, 0) == PCN_OK);
    learn_stream(&a, 4000, 5000, &restarts);
    learn_stream(&b, 4000, 5000, &restarts);
    CHECK(memcmp(a.memory, b.memory, sizeof a.memory) == 0 && memcmp(a.state, b.state, sizeof a.state) == 0);
    for (i = 0; i < LENGTH(bad); i++) CHECK(pcn_perceptron_use_regrowth(&b.m, bad[i]) == PCN_EOPTION);
    learn_stream(&a, 5000, 5100, &restarts);
    learn_stream(&b, 5000, 5100, &restarts);
    CHECK(memcmp(a.state, b.state, sizeof a.state) == 0);
    CHECK(pcn_perceptron_use_regrowth(&b.m, 3e38f) == PCN_OK); /* each that a step takes is 1 again */
    learn_stream(&b, 5100, 5200, &restarts);
    for (i = 0; i < MOST; i++) CHECK(b.state[i] == 1);
}

int main(void)
{
    static const uint32_t classes[] = {2, 3, 4, K};
    uint32_t i;
    for (i = 0; i < LENGTH(classes); i++) {
        const uint32_t k = classes[i];
        check_whole(k, 0);
        check_whole(k, 1);
        check_beside(0, 0, 0, k, pcn_rule_pa(0.1f), NULL);
        check_beside(PCN_PART_FEATURE_MAJOR, 0, 0, k, pcn_rule_fixed(0.5f), pcn_update_one_vs_rest);
        check_beside(0, 0, 0, k, pcn_rule_fixed(1), pcn_update_others);
        check_beside(PCN_PART_VARIANCES, 1, 0, k, pcn_rule_fixed(1), NULL);
        check_beside(PCN_PART_VARIANCES, 1, 0.01f, k, pcn_rule_fixed(1), pcn_update_one_vs_rest);
        check_beside(PCN_PART_EXPONENTS, 4, 0, k, pcn_rule_fixed(0.25f), NULL);
        check_beside(PCN_PART_EXPONENTS | PCN_PART_BALANCED | PCN_PART_FEATURE_MAJOR, 0, 0, k, pcn_rule_fixed(0.25f),
                     NULL);
    }
    check_resumed(0);
    check_resumed(PCN_PART_FEATURE_MAJOR);
    check_resumed(PCN_PART_VARIANCES);
    check_images();
    check_refused();
    for (i = 0; i < 3; i++) {
        check_regrowth(0, i);
        check_regrowth(0.003f, i);
        check_regrowth(0.5f, i);
    }
    check_part();
    return report();
}
