/* Learners of weights: perceptron, Winnow, AROW. */
#include "model.h"

#include <math.h>

/* Does it predict by the mean of its weights? */
static int is_averaged(const model *m)
{
    return (model_takes(m, TAKES_DECISION) || m->alone.kind ? m->decision : m->kind->decision) == PCN_DECIDE_MEAN;
}

void winnow_state(model *m)
{
    size_t floats = PCN_LINEAR_FLOATS(m->trainer.model.features, m->trainer.model.classes);
    m->state = allocate_zero(floats, sizeof *m->state);
    pcn_perceptron_use_winnow(&m->trainer, m->threshold, m->kind->balanced, m->state, floats);
}

void arow_state(model *m)
{
    size_t floats = PCN_LINEAR_FLOATS(m->trainer.model.features, m->trainer.model.classes);
    m->state = allocate_for_weights(floats, sizeof *m->state);
    pcn_perceptron_use_confidence(&m->trainer, m->r > 0 ? m->r : 1, m->state, floats);
}

/* w = 2^e, or 2^e - 2^-e = 2 sinh(e ln 2), solved for e. */
static void find_exponents(model *m)
{
    const pcn_linear *l = &m->trainer.model;
    size_t i, n = (size_t)l->features * l->classes;
    for (i = 0; i < n; i++) {
        double w = (double)l->weight[i];
        if (m->kind->balanced)
            m->state[i] = (float)(asinh(w / 2) / log(2));
        else
            m->state[i] = w > 0 ? (float)log2(w) : -PCN_ELIMINATE / 2; /* the lowest e */
    }
}

static void init_linear(model *m, uint32_t features, uint32_t units, int dense, int batched)
{
    size_t floats = PCN_PERCEPTRON_FLOATS(features, units);
    if (features > SIZE_MAX / 16 / units - 3) die(EXIT_MEMORY, "out of memory (the model is too large)");
    m->memory = allocate_for_weights(floats, sizeof *m->memory);
    pcn_perceptron_init(&m->trainer, features, units, m->memory, floats);
    if (!dense) pcn_perceptron_use_feature_major(&m->trainer);
    if (m->kind->state) m->kind->state(m);
    m->mean = allocate_zero(PCN_LINEAR_FLOATS(features, units), sizeof *m->mean);
    if (is_averaged(m)) {
        m->sum = allocate_for_weights(PCN_AVERAGING_FLOATS(features, units), sizeof *m->sum);
        pcn_perceptron_use_averaging(&m->trainer, m->sum, PCN_AVERAGING_FLOATS(features, units));
    }
    if (batched) {
        m->batch = allocate_zero(PCN_LINEAR_FLOATS(features, units), sizeof *m->batch);
        pcn_perceptron_use_batch(&m->trainer, m->batch, PCN_LINEAR_FLOATS(features, units));
    }
    model_settle_zero(m, &m->trainer.model.zero_negative);
}

/* Kept weights come without exponents, so no Winnow trainer loads them: another one does. */
static int load_kept_winnow(model *m, int dense, const void *bytes, size_t size)
{
    pcn_linear *l = &m->trainer.model;
    size_t floats = PCN_PERCEPTRON_FLOATS(l->features, l->classes);
    float *memory = allocate(floats, sizeof *memory);
    pcn_perceptron kept;
    int result;
    pcn_perceptron_init(&kept, l->features, l->classes, memory, floats);
    if (!dense) pcn_perceptron_use_feature_major(&kept);
    result = pcn_perceptron_load(&kept, bytes, size);
    if (result == PCN_OK) {
        pcn_linear_copy(&kept.model, m->trainer.weight);
        l->zero_negative = kept.model.zero_negative;
        find_exponents(m);
    }
    free(memory);
    return result;
}

/* The weights that predict, in n numbers of memory or the n behind them; a mean is of whole numbers, too. */
static int read_integers(const model *m, const pcn_image *info, pcn_ilinear *q, int32_t *memory, int64_t *sum, size_t n)
{
    pcn_iperceptron t;
    int result;
    if (!(info->parts & PCN_PART_SUMS)) return pcn_ilinear_load(q, memory, n * sizeof *memory, m->image, m->bytes);
    pcn_iperceptron_init(&t, info->features, info->classes, memory, n);
    pcn_iperceptron_use_averaging(&t, sum, n);
    result = pcn_iperceptron_load(&t, m->image, m->bytes);
    if (result == PCN_OK) *q = pcn_iperceptron_mean(&t, memory + n);
    return result;
}

/* An image of integers, to be shown: in floats. */
static int load_integers(model *m, const pcn_image *info)
{
    const size_t n = PCN_IPERCEPTRON_NUMBERS(info->features, info->classes) + info->classes; /* some have scales */
    int32_t *memory = allocate_zero(2 * n, sizeof *memory);
    int64_t *sum = allocate_zero(n, sizeof *sum);
    float *to = m->trainer.weight;
    pcn_ilinear q;
    int result = read_integers(m, info, &q, memory, sum, n);
    uint32_t c, j;
    for (c = 0; result == PCN_OK && c < q.classes; c++) {
        const float scale = q.scale ? q.scale[c] : 1;
        for (j = 0; j < q.features; j++) {
            const size_t at = (size_t)c * q.features + j;
            to[at] = scale * (float)(q.bits == 8    ? ((const int8_t *)q.weight)[at]
                                     : q.bits == 16 ? ((const int16_t *)q.weight)[at]
                                                    : ((const int32_t *)q.weight)[at]);
        }
        to[(size_t)q.features * q.classes + c] = q.bias ? scale * (float)q.bias[c] : 0;
    }
    m->trainer.learner.count = info->count;
    free(memory);
    free(sum);
    return result;
}

/* The layout of one class is that of the classes that may come: as for the form of the rows. */
static int load_linear(model *m, const pcn_image *info, int batched)
{
    int dense = info->classes == 1 ? model_rows(m) == ROWS_DENSE : !(info->parts & PCN_PART_FEATURE_MAJOR), result;
    m->frozen = info->kind == PCN_KIND_LINEAR || info->kind == PCN_KIND_ILINEAR;
    init_linear(m, info->features, model_units(m), dense, batched || info->parts & PCN_PART_BATCH);
    if (info->kind >= PCN_KIND_ILINEAR) {
        result = load_integers(m, info);
    } else if (m->frozen && model_takes(m, TAKES_ALPHA)) {
        result = load_kept_winnow(m, dense, m->image, m->bytes);
    } else {
        m->trainer.balanced = (info->parts & PCN_PART_BALANCED) != 0; /* images of 0.1 and 0.2 do not say it */
        result = pcn_perceptron_load(&m->trainer, m->image, m->bytes);
        m->trainer.balanced = m->kind->balanced != 0;
    }
    model_settle_zero(m, &m->trainer.model.zero_negative);
    return result;
}

static pcn_linear predicting_weights(const model *m, float *mean)
{
    if (m->sum && !m->frozen) return pcn_perceptron_mean(&m->trainer, mean);
    return m->trainer.model;
}

pcn_linear model_decision(model *m)
{
    return predicting_weights(m, m->mean);
}

pcn_linear model_final(model *m)
{
    return predicting_weights(m, m->sum);
}

static size_t save_linear(const model *m, const pcn_linear *kept, size_t from, void *out, size_t size)
{
    pcn_perceptron state = m->trainer;
    if (kept) return pcn_linear_save(kept, from, out, size);
    state.batch = NULL; /* empty after an epoch: the image need not have it */
    return pcn_perceptron_save(&state, from, out, size);
}

static int learn_plainly(pcn_perceptron *t, pcn_vec x, int class)
{
    return t->model.classes > 1 ? pcn_perceptron_learn_class(t, x, class) : pcn_perceptron_learn(t, x, class);
}

int linear_learn(const learner *k, pcn_perceptron *t, pcn_vec x, uint32_t class, float weight)
{
    const pcn_rule rule = t->learner.rule;
    int result;
    if (weight == 1 && !k->eliminates) return learn_plainly(t, x, (int)class);
    t->learner.rule = learner_rule(k, rule, class, weight);
    result = learn_plainly(t, x, (int)class);
    t->learner.rule = rule;
    return result;
}

static int learn_linear(model *m, pcn_vec x, uint32_t class, float weight, uint32_t id)
{
    (void)id;
    return linear_learn(m->kind, &m->trainer, x, class, weight);
}

static void use_linear(model *m, const pcn_linear *kept)
{
    m->use = kept ? *kept : model_decision(m);
}

static void linear_scores(const model *m, const pcn_vec *x, uint32_t n, float *score)
{
    uint32_t i;
    for (i = 0; i < n; i++) {
        if (i + 1 < n) pcn_linear_fetch(&m->use, x[i + 1]);
        pcn_linear_scores(&m->use, x[i], score + (size_t)i * m->use.classes);
    }
}

/* The mean of the row's own weights and the biases: as many numbers as the row has. In the same order, so with the same
 * bits as the mean of all. */
static void score_mean(model *m, const pcn_vec *x, float *score)
{
    const pcn_linear *l = &m->trainer.model;
    const uint32_t n = x->count, units = l->classes;
    const size_t all = PCN_LINEAR_FLOATS(l->features, units), few = PCN_LINEAR_FLOATS(n, units);
    const float *from[3];
    float *room = allocate(4 * few, sizeof *room);
    uint32_t *index = allocate(n, sizeof *index), i, c, k;
    pcn_perceptron part = m->trainer;
    pcn_linear mean;
    from[0] = m->trainer.weight;
    from[1] = m->sum;
    from[2] = m->sum + all;
    part.weight = room;
    part.sum = room + few;
    part.model.features = n;
    part.model.weight = room;
    part.model.bias = room + (size_t)n * units;
    for (k = 0; k < 3; k++) {
        float *to = room + k * few;
        for (i = 0; i < n; i++)
            for (c = 0; c < units; c++)
                to[model_weight_at(&part.model, c, i)] = from[k][model_weight_at(l, c, x->index[i])];
        memcpy(to + (size_t)n * units, from[k] + (size_t)l->features * units, units * sizeof *to);
    }
    for (i = 0; i < n; i++) index[i] = i;
    mean = pcn_perceptron_mean(&part, room + 3 * few);
    pcn_linear_scores(&mean, pcn_sparse(index, x->value, n), score);
    free(index);
    free(room);
}

static void score_linear_now(model *m, pcn_vec x, float *score)
{
    pcn_linear l;
    if (m->sum && x.index) {
        score_mean(m, &x, score);
        return;
    }
    l = model_decision(m);
    pcn_linear_scores(&l, x, score);
}

/* The same numbers with more room behind them. */
static float *moved(float *old, size_t count, size_t room)
{
    float *now = allocate_for_weights(room, sizeof *now);
    memcpy(now, old, count * sizeof *now);
    free(old);
    return now;
}

/* What shrinks stays where it is. */
static void resize_linear(model *m, uint32_t features, uint32_t units)
{
    pcn_perceptron *t = &m->trainer;
    const uint32_t old = t->model.features, was = t->model.classes;
    if (features > SIZE_MAX / 16 / units - 3) die(EXIT_MEMORY, "out of memory (the model is too large)");
    if (features > old || units > was) {
        const size_t floats = PCN_LINEAR_FLOATS(old, was), room = PCN_LINEAR_FLOATS(features, units);
        t->weight = m->memory = moved(m->memory, floats, PCN_PERCEPTRON_FLOATS(features, units));
        if (m->sum) t->sum = m->sum = moved(m->sum, 2 * floats, 2 * room);
        if (m->state) t->state = m->state = moved(m->state, floats, room);
        if (m->batch) t->batch = m->batch = moved(m->batch, floats, room);
        free(m->mean);
        m->mean = allocate_zero(room, sizeof *m->mean);
    }
    pcn_perceptron_resize(t, features, units);
}

static void free_linear(model *m)
{
    free(m->memory);
    free(m->sum);
    free(m->batch);
    free(m->state);
    free(m->mean);
    free(m->work);
}

const family linear_family = {init_linear,   load_linear,      save_linear,   learn_linear, use_linear,
                              linear_scores, score_linear_now, resize_linear, free_linear};
