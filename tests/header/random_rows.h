/* Random rows, trainers of every option, and what tests compare of them. Of N features, K classes and ROWS rows at most:
 * define these before. */
#ifndef TEST_RANDOM_ROWS_H
#define TEST_RANDOM_ROWS_H

#include "linear.h"
#include "random.h"
#include "sums.h"

#include <float.h>
#include <string.h>

typedef uint32_t (*update_function)(const pcn_learner *, pcn_update *, uint32_t, float *);

static const update_function updates[] = {pcn_update_predicted, pcn_update_others, pcn_update_uniform,
                                          pcn_update_one_vs_rest};

/* ---- Random sets ---- */

static inline float random_integer(int most)
{
    return (float)((int)(random_bits() % (uint32_t)(2 * most + 1)) - most);
}

static inline float random_real(void) /* (-1, 1) */
{
    return random_integer(8388607) / 8388608;
}

/* Rows with about a third of zeros, and any labels: 0 .. classes-1. */
typedef struct set {
    uint32_t rows, features, classes;
    float x[ROWS][N], value[ROWS][N];
    uint32_t index[ROWS][N], count[ROWS];
    int y[ROWS];
} set;

enum content { INTEGERS, REALS, BINARY };

static inline void set_init(set *s, uint32_t rows, uint32_t features, uint32_t classes, enum content c)
{
    uint32_t i, j;
    s->rows = rows;
    s->features = features;
    s->classes = classes;
    for (i = 0; i < rows; i++) {
        s->count[i] = 0;
        for (j = 0; j < features; j++) {
            float v = 1;
            if (c == INTEGERS) v = random_integer(9);
            if (c == REALS) v = random_real();
            if (random_bits() % 3 == 0) v = 0;
            s->x[i][j] = v;
            if (v == 0) continue;
            s->index[i][s->count[i]] = j;
            s->value[i][s->count[i]++] = v;
        }
        s->y[i] = (int)(random_bits() % classes);
    }
}

enum form { DENSE, SPARSE, ONES };

static inline pcn_vec row_of(const set *s, uint32_t i, enum form form)
{
    if (form == SPARSE) return pcn_sparse(s->index[i], s->value[i], s->count[i]);
    if (form == ONES) return pcn_ones(s->index[i], s->count[i]);
    return pcn_dense(s->x[i], s->features);
}

/* ---- Trainers ---- */

enum { FEATURE_MAJOR = 1, AVERAGED = PCN_PART_SUMS, BATCHED = PCN_PART_BATCH, CONFIDENT = 8, OPTIONS = 16 };

static inline void trainer_with(trainer *t, uint32_t features, uint32_t classes, unsigned options)
{
    const unsigned major = options & FEATURE_MAJOR ? PCN_PART_FEATURE_MAJOR : 0;
    const unsigned confident = options & CONFIDENT ? PCN_PART_VARIANCES : 0;
    trainer_init(t, features, classes, (options & (AVERAGED | BATCHED)) | major | confident, 0.5f);
}

static inline int learn_row(trainer *t, const set *s, uint32_t row)
{
    return pcn_perceptron_learn(&t->m, row_of(s, row, DENSE), s->y[row]);
}

/* Each row is learned from scores of the documented order, the bias last. */
static inline void train(trainer *t, const set *s, uint32_t from, uint32_t to, enum form form)
{
    const pcn_linear *m = &t->m.live;
    float score[K];
    uint32_t i, c;
    for (i = from; i < to; i++) {
        pcn_vec x = row_of(s, i % s->rows, form);
        for (c = 0; c < m->scores; c++) score[c] = plain_score(m, c, x);
        CHECK(pcn_perceptron_learn(&t->m, x, s->y[i % s->rows]) >= 0);
        CHECK(memcmp(score, t->m.learner.score, m->scores * sizeof *score) == 0);
    }
}

static inline float weight_of(const pcn_linear *m, uint32_t cls, uint32_t j)
{
    return m->weight[weight_at(m, cls, j)];
}

/* Are all bytes that an image would hold the same? */
static inline int same_image(const trainer *a, const trainer *b)
{
    static uint8_t x[4 * 4 * PCN_LINEAR_FLOATS(N, K) + 100], y[sizeof x];
    size_t size = pcn_perceptron_save(&a->m, x, sizeof x);
    return size != 0 && pcn_perceptron_save(&b->m, y, sizeof y) == size && memcmp(x, y, size) == 0;
}

static inline int same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline int same_model(const pcn_linear *a, const pcn_linear *b)
{
    uint32_t c, j;
    for (c = 0; c < a->scores; c++) {
        if (!same(a->bias[c], b->bias[c])) return 0;
        for (j = 0; j < a->features; j++)
            if (!same(weight_of(a, c, j), weight_of(b, c, j))) return 0;
    }
    return 1;
}

/* The lowest of the best classes but y. */
static inline uint32_t rival_of(const float *score, uint32_t classes, uint32_t y)
{
    uint32_t k, best = y == 0;
    for (k = best + 1; k < classes; k++)
        if (k != y && score[k] > score[best]) best = k;
    return best;
}

/* How far the scores favour y. */
static inline float margin_of(const float *score, uint32_t classes, int y)
{
    if (classes == 2) return y > 0 ? score[0] : -score[0];
    return score[y] - score[rival_of(score, classes, (uint32_t)y)];
}

/* Labels s by random weights, and draws rows again until they stand `clear` of the border. */
static inline void separate(set *s, trainer *teacher, int biased, float clear)
{
    uint32_t i, j;
    trainer_with(teacher, s->features, s->classes, 0);
    for (i = 0; i < PCN_LINEAR_FLOATS(s->features, s->classes); i++) teacher->memory[i] = random_integer(5);
    for (i = 0; i < teacher->m.live.scores && !biased; i++)
        teacher->memory[s->features * teacher->m.live.scores + i] = 0;
    teacher->memory[0] = 6; /* not all 0 */
    for (i = 0; i < s->rows; i++) {
        float score[K];
        do {
            for (j = 0; j < s->features; j++) s->x[i][j] = random_integer(4);
            pcn_linear_scores(&teacher->m.live, row_of(s, i, DENSE), score);
            s->y[i] = pcn_decide(score, teacher->m.live.scores, 0);
        } while (margin_of(score, s->classes, s->y[i]) < clear);
    }
}

static inline const pcn_rule *rules(size_t i)
{
    static pcn_rule r[6];
    r[0] = pcn_rule_fixed(0.7f);
    r[1] = pcn_rule_absolute();
    r[2] = pcn_rule_fractional(1.3f);
    r[3] = pcn_rule_pa(0.1f);
    r[4] = pcn_rule_pa2(0.5f);
    r[5] = pcn_rule_pa(FLT_MAX);
    return i < LENGTH(r) ? &r[i] : NULL;
}

static inline void settings(trainer *t, size_t rule, size_t update)
{
    t->m.learner.rule = *rules(rule);
    t->m.learner.update = updates[update];
}

static inline double size_of(double x)
{
    return x < 0 ? -x : x;
}

#endif
