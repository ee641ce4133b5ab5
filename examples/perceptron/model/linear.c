/* Learners of weights: perceptron, Winnow, AROW. */
#include "model.h"

#include <math.h>

enum { AHEAD_LEAST = -15 }; /* of learner.ahead: see pcn_perceptron_use_following */

/* Does it predict by the mean of its weights? */
static int is_averaged(const model *m)
{
    return (model_can(m, CAN_DECISION) || m->is_bare ? m->decision : m->kind->decision) == PCN_DECIDE_MEAN;
}

void use_winnow(model *m)
{
    pcn_arrays *a = &m->arrays;
    must(pcn_perceptron_use_winnow(&m->trainer, m->threshold, m->kind->balanced, a->state, a->state_bytes));
}

void use_confidence(model *m)
{
    must(pcn_perceptron_use_confidence(&m->trainer, m->r > 0 ? m->r : 1, m->arrays.state, m->arrays.state_bytes));
}

/* w = 2^e, or 2^e - 2^-e = 2 sinh(e ln 2), solved for e. */
static void find_exponents(model *m)
{
    const pcn_linear *l = &m->trainer.live;
    size_t i, n = (size_t)l->features * l->scores;
    for (i = 0; i < n; i++) {
        double w = (double)l->weight[i];
        if (m->kind->balanced)
            m->arrays.state[i] = (float)(asinh(w / 2) / log(2));
        else
            m->arrays.state[i] = w > 0 ? (float)log2(w) : -PCN_ELIMINATE / 2; /* the lowest e */
    }
}

/* An array of at least so many numbers; those that are there stay. One that grows gets twice the room at least, so that
 * all growth together costs no more than the last. */
static void make_room(float **array, size_t *bytes, size_t floats)
{
    float *now;
    if (*array && floats * sizeof *now <= *bytes) return;
    if (*array && floats < 2 * (*bytes / sizeof *now)) floats = 2 * (*bytes / sizeof *now);
    now = allocate_for_weights(floats, sizeof *now);
    if (*array) memcpy(now, *array, *bytes);
    free(*array);
    *array = now;
    *bytes = floats * sizeof *now;
}

void arrays_make(pcn_arrays *a, uint32_t features, uint32_t units, int summed, int batched, int stateful)
{
    const size_t floats = PCN_LINEAR_FLOATS(features, units);
    if (features > SIZE_MAX / 16 / units - 3) die(EXIT_MEMORY, "out of memory (the model is too large)");
    make_room(&a->memory, &a->memory_bytes, PCN_PERCEPTRON_FLOATS(features, units));
    if (summed) make_room(&a->sum, &a->sum_bytes, 2 * floats);
    if (batched) make_room(&a->batch, &a->batch_bytes, floats);
    if (stateful) make_room(&a->state, &a->state_bytes, floats);
}

uint64_t model_weight_bytes(const model *m, uint32_t features, int batched)
{
    const uint64_t arrays = 1 + (is_averaged(m) ? 2u : 0u) + (batched != 0) + (m->kind->state != NULL) +
                            (m->beside ? 3 : 0); /* the weights and their mean */
    return model_can(m, CAN_KERNEL) ? 0 : arrays * sizeof(float) * ((uint64_t)features + 1) * model_units(m);
}

void arrays_free(const pcn_arrays *a)
{
    free(a->memory);
    free(a->sum);
    free(a->batch);
    free(a->state);
}

static void init_linear(model *m, uint32_t features, uint32_t units, int dense, int batched)
{
    pcn_perceptron *t = &m->trainer;
    pcn_arrays *a = &m->arrays;
    arrays_make(a, features, units, is_averaged(m), batched, m->kind->state != NULL);
    must(pcn_perceptron_init(t, features, PCN_CLASSES(units), a->memory, a->memory_bytes));
    if (!dense) must(pcn_perceptron_use_feature_major(t));
    if (m->kind->state) m->kind->state(m);
    if (a->sum) must(pcn_perceptron_use_averaging(t, a->sum, a->sum_bytes));
    if (m->follows) must(pcn_perceptron_use_following(t));
    if (a->batch) must(pcn_perceptron_use_batch(t, a->batch, a->batch_bytes));
    model_settle_zero(m, &t->live.zero_negative);
}

/* Kept weights come without exponents, so no Winnow trainer loads them: another one does. */
static int load_kept_winnow(model *m, int dense)
{
    pcn_linear *l = &m->trainer.live;
    const size_t bytes = m->arrays.memory_bytes;
    float *memory = allocate(bytes, 1);
    pcn_perceptron kept;
    int result;
    must(pcn_perceptron_init(&kept, l->features, PCN_CLASSES(l->scores), memory, bytes));
    if (!dense) must(pcn_perceptron_use_feature_major(&kept));
    result = pcn_perceptron_load(&kept, m->image, m->bytes);
    if (result == PCN_OK) {
        memcpy(m->arrays.memory, memory, model_numbers(l) * sizeof *memory);
        l->zero_negative = kept.live.zero_negative;
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
    must(pcn_iperceptron_init(&t, info->features, PCN_CLASSES(info->scores), memory, n * sizeof *memory));
    must(pcn_iperceptron_use_averaging(&t, sum, n * sizeof *sum));
    result = pcn_iperceptron_load(&t, m->image, m->bytes);
    return result < 0 ? result : pcn_iperceptron_final(&t, q, memory + n, n * sizeof *memory);
}

/* An image of integers, to be shown: in floats. */
static int load_integers(model *m, const pcn_image *info)
{
    const size_t n = PCN_IPERCEPTRON_NUMBERS(info->features, info->scores) + info->scores; /* some have scales */
    int32_t *memory = allocate_zero(2 * n, sizeof *memory);
    int64_t *sum = allocate_zero(n, sizeof *sum);
    float *to = m->arrays.memory;
    pcn_ilinear q;
    int result = read_integers(m, info, &q, memory, sum, n);
    uint32_t c, j;
    for (c = 0; result == PCN_OK && c < q.scores; c++) {
        const float scale = q.scale ? q.scale[c] : 1;
        for (j = 0; j < q.features; j++) {
            const size_t at = (size_t)c * q.features + j;
            to[at] = scale * (float)(q.bits == 8    ? ((const int8_t *)q.weight)[at]
                                     : q.bits == 16 ? ((const int16_t *)q.weight)[at]
                                                    : ((const int32_t *)q.weight)[at]);
        }
        to[(size_t)q.features * q.scores + c] = q.bias ? scale * (float)q.bias[c] : 0;
    }
    m->trainer.learner.count = info->count;
    free(memory);
    free(sum);
    return result;
}

/* No trainer loads a folded model, lest it learn on. Here it only predicts: as one that is not folded. */
static void unmark_folded(model *m)
{
    const size_t end = (size_t)pcn_image_size(m->image, m->bytes) - 4;
    uint32_t crc;
    size_t i;
    m->image[13] &= (uint8_t) ~(PCN_PART_FOLDED >> 8);
    crc = pcn_crc32(0, m->image, end);
    for (i = 0; i < 4; i++) m->image[end + i] = (uint8_t)(crc >> 8 * i);
}

/* The layout of one class is that of the classes that may come: as for the form of the rows. */
static int load_linear(model *m, const pcn_image *info, int batched)
{
    int dense = info->scores == 1 ? model_rows(m) == ROWS_DENSE : !(info->parts & PCN_PART_FEATURE_MAJOR), result;
    m->frozen = image_kind_of(info)->is_frozen;
    m->follows = (info->parts & PCN_PART_FOLLOWING) != 0;
    if (info->parts & PCN_PART_FOLDED) unmark_folded(m);
    init_linear(m, info->features, model_units(m), dense, batched || info->parts & PCN_PART_BATCH);
    if (image_kind_of(info)->has_integers) {
        result = load_integers(m, info);
    } else if (m->frozen && model_can(m, CAN_ALPHA)) {
        result = load_kept_winnow(m, dense);
    } else {
        result = pcn_perceptron_load(&m->trainer, m->image, m->bytes);
    }
    if (result == PCN_OK && m->arrays.batch) /* what it has collected is no part of the model */
        must(pcn_perceptron_discard_batch(&m->trainer));
    model_settle_zero(m, &m->trainer.live.zero_negative);
    return result;
}

/* The weights that predict: the mean, in that array, or the live ones. */
static pcn_linear predicting_weights(const model *m, float *mean)
{
    pcn_linear l = m->trainer.live;
    if (m->arrays.sum && !m->frozen)
        must(pcn_perceptron_final(&m->trainer, &l, mean, model_numbers(&l) * sizeof *mean));
    return l;
}

pcn_linear model_decision(model *m)
{
    m->mean = reallocate(m->mean, model_numbers(&m->trainer.live) * sizeof *m->mean);
    return predicting_weights(m, m->mean);
}

pcn_linear model_final(model *m)
{
    return predicting_weights(m, m->arrays.sum);
}

static size_t save_linear(const model *m, const pcn_linear *kept, size_t from, void *out, size_t size)
{
    pcn_perceptron state = m->trainer;
    if (kept) return pcn_linear_save_part(kept, from, out, size);
    if (m->arrays.batch) must(pcn_perceptron_end_batch(&state)); /* empty after an epoch: the image need not have it */
    return pcn_perceptron_save_part(&state, from, out, size);
}

int linear_learn(const learner *k, pcn_perceptron *t, const pcn_vec *x, uint32_t class, float weight)
{
    const pcn_rule rule = t->learner.rule;
    int result;
    if (weight == 1 && !k->eliminates) return pcn_perceptron_learn_at(t, x, (int)class);
    t->learner.rule = learner_rule(k, rule, class, weight);
    result = pcn_perceptron_learn_at(t, x, (int)class);
    t->learner.rule = rule;
    return result;
}

/* The last weights predict if `ahead` is above 0: count.mistakes says whether they were right. Otherwise the mean does, and
 * was right if they were, unless `ahead` has moved: then one of the two was alone. At its lower end it could not move, so
 * there it begins one before the end, and this is taken back. */
int linear_learn_judged(model *m, const pcn_vec *x, uint32_t class, int *right)
{
    pcn_learner *l = &m->trainer.learner;
    const uint64_t mistakes = l->count.mistakes;
    const int at_end = l->ahead == AHEAD_LEAST, before = l->ahead + at_end;
    int result;
    l->ahead = (int8_t)before;
    result = pcn_perceptron_learn_at(&m->trainer, x, (int)class);
    *right = l->count.mistakes == mistakes;
    if (before <= 0 && l->ahead != before) *right = !*right;
    if (at_end && l->ahead > AHEAD_LEAST) l->ahead--;
    return result;
}

static int learn_linear(model *m, const pcn_vec *x, uint32_t class, float weight, uint32_t id)
{
    (void)id;
    return linear_learn(m->kind, &m->trainer, x, class, weight);
}

static void use_linear(model *m, const pcn_linear *kept)
{
    m->predictor = kept ? *kept : model_decision(m);
}

static void linear_scores(const model *m, const pcn_vec *x, uint32_t n, float *score)
{
    uint32_t i;
    for (i = 0; i < n; i++) {
        if (i + 1 < n) pcn_linear_fetch(&m->predictor, x[i + 1]);
        pcn_linear_scores(&m->predictor, x[i], score + (size_t)i * m->predictor.scores);
    }
}

/* A mean that follows is compared with the weights at every row, and is computed as it is for that. */
static void score_linear_now(model *m, pcn_vec x, float *score)
{
    pcn_linear all;
    if (m->follows) {
        pcn_perceptron_scores(&m->trainer, x, score);
    } else if (x.index) {
        pcn_perceptron_final_scores(&m->trainer, x, score);
    } else { /* a dense row needs all weights, whose mean is quicker found at once */
        all = model_decision(m);
        pcn_linear_scores(&all, x, score);
    }
}

/* What shrinks stays where it is. */
static void resize_linear(model *m, uint32_t features, uint32_t units)
{
    pcn_arrays *a = &m->arrays;
    arrays_make(a, features, units, a->sum != NULL, a->batch != NULL, a->state != NULL);
    must(pcn_perceptron_resize(&m->trainer, features, PCN_CLASSES(units), a));
}

/* The arrays of weights, each of model_numbers(); NULL: there is none. */
static void list_arrays(const model *m, float *array[4])
{
    const pcn_arrays *a = &m->arrays;
    array[0] = a->memory;
    array[1] = a->sum;
    array[2] = a->sum ? a->sum + model_numbers(&m->trainer.live) : NULL;
    array[3] = a->batch;
}

static void negate_linear(model *m)
{
    const size_t n = model_numbers(&m->trainer.live);
    float *array[4];
    size_t i, k;
    list_arrays(m, array);
    for (k = 0; k < LENGTH(array); k++)
        for (i = 0; array[k] && i < n; i++) array[k][i] = 0 - array[k][i];
}

/* Class c becomes what class from[c] was: one feature after the other, without a second array of all. */
static void rearrange(float *array, const pcn_linear *l, const uint32_t *from)
{
    float *bias = array + (size_t)l->features * l->scores, *old = allocate(l->scores, sizeof *old);
    uint32_t c, j;
    for (j = 0; j < l->features; j++) {
        for (c = 0; c < l->scores; c++) old[c] = array[model_weight_at(l, c, j)];
        for (c = 0; c < l->scores; c++) array[model_weight_at(l, c, j)] = old[from[c]];
    }
    memcpy(old, bias, l->scores * sizeof *old);
    for (c = 0; c < l->scores; c++) bias[c] = old[from[c]];
    free(old);
}

static void reorder_classes(model *m, const uint32_t *from)
{
    labels now;
    float *array[4];
    uint32_t c;
    labels_init(&now);
    for (c = 0; c < labels_count(&m->labels); c++) labels_add(&now, labels_text(&m->labels, from[c]));
    list_arrays(m, array);
    for (c = 0; c < LENGTH(array); c++)
        if (array[c]) rearrange(array[c], &m->trainer.live, from);
    if (m->arrays.state) rearrange(m->arrays.state, &m->trainer.live, from);
    labels_free(&m->labels);
    m->labels = now;
}

void model_sort_classes(model *m)
{
    const uint32_t n = labels_count(&m->labels);
    labels sorted;
    uint32_t *from, c;
    if (n < 3 || model_vectors(m) || m->is_bare || m->frozen) return; /* these are as they shall be */
    sorted = labels_sorted(&m->labels);
    from = allocate(n, sizeof *from);
    m->unsorted = allocate(n, sizeof *m->unsorted);
    for (c = 0; c < n; c++) from[c] = labels_find(&m->labels, labels_text(&sorted, c));
    for (c = 0; c < n; c++) m->unsorted[from[c]] = c;
    reorder_classes(m, from);
    labels_free(&sorted);
    free(from);
}

void model_unsort_classes(model *m)
{
    if (m->unsorted) reorder_classes(m, m->unsorted);
    free(m->unsorted);
    m->unsorted = NULL;
}

static void free_linear(model *m)
{
    arrays_free(&m->arrays);
    free(m->mean);
    free(m->work);
}

const family linear_family = {init_linear,   load_linear,      save_linear,   learn_linear,  use_linear,
                              linear_scores, score_linear_now, resize_linear, negate_linear, free_linear};
