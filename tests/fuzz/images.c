/* Images of every kind with the checksum repaired: each is refused, or gives models on which every operation is
 * clean. Input: 8 bytes that choose rows and settings, then the image. */
#define PERCEPTRON_GROW
#include "perceptron.h"
#include <float.h>
#include "../bytes.h"
#include "fuzz.h"

enum { CHOICES = 8, LONGEST = 4096, ROWS = 6, WIDEST = 512 };
enum { MOST_SCORES = 4096 }; /* an image without features may name any number of them, which only takes time */

static input choices;

/* A row of at most n features: any finite or hostile values, dense, sparse or ones. */
typedef struct row {
    pcn_vec x;
    float *value;
    uint32_t *index;
} row;

static row make_row(uint32_t n)
{
    row r;
    uint32_t i, form = take_below(&choices, 4), count = n ? take(&choices) % (n + 1) : 0;
    uint8_t first = take(&choices);
    r.value = floats(count);
    r.index = (uint32_t *)room(count * sizeof *r.index);
    for (i = 0; i < count; i++) {
        r.value[i] = float_of_byte((uint8_t)(first + 5 * i));
        r.index[i] = form == 3 ? i + (n - count) : i;
    }
    r.x = form == 0   ? pcn_dense(r.value, count)
          : form == 1 ? pcn_ones(r.index, count)
                      : pcn_sparse(r.index, r.value, count);
    return r;
}

static void free_row(row *r)
{
    free(r->value);
    free(r->index);
}

/* Of a model of so many scores? */
static int is_class(int guess, uint32_t scores)
{
    return guess >= 0 && (uint32_t)guess < PCN_CLASSES(scores);
}

/* ---- Linear models ---- */

static void use_linear(const pcn_linear *m)
{
    const uint32_t classes = PCN_CLASSES(m->scores);
    const size_t n = PCN_LINEAR_FLOATS(m->features, classes);
    float *score = floats(m->scores), *copy = floats(n);
    uint32_t *feature = (uint32_t *)room(3 * sizeof *feature), best = m->features < 3 ? m->features : 3;
    pcn_linear same;
    row r = make_row(m->features);
    MUST(pcn_linear_copy(m, &same, copy, n * sizeof *copy) == PCN_OK);
    pcn_linear_scores(m, r.x, score);
    MUST(is_class(pcn_decide(score, m->scores, m->zero_negative), m->scores));
    MUST(pcn_linear_predict(m, r.x) == pcn_linear_predict(&same, r.x));
    MUST(pcn_linear_top(m, classes - 1, 1, feature, 3) == best && pcn_linear_top(m, classes, 1, feature, 3) == 0);
    free_row(&r);
    free(score), free(copy), free(feature);
}

/* Some rows with all rules and updates. A rejected row changes no number that an image has. */
static void settings(pcn_learner *l)
{
    static pcn_rule (*const rule[])(float) = {pcn_rule_fixed, pcn_rule_fractional, pcn_rule_pa, pcn_rule_pa2};
    static uint32_t (*const update[])(const pcn_learner *, pcn_update *, uint32_t,
                                      float *) = {NULL, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    uint32_t choice = take(&choices);
    l->rule = choice & 16 ? pcn_rule_absolute() : rule[choice & 3](choice & 32 ? 1.5f : 1e10f);
    l->update = update[choice >> 2 & 3];
    if (choice & 64) l->rule.margin = FLT_MAX;
    l->zero_predicted = choice >= 128;
}

static uint8_t *linear_image(const pcn_perceptron *m, size_t *size)
{
    uint8_t *image;
    *size = pcn_perceptron_save_part(m, 0, NULL, 0);
    image = (uint8_t *)room(*size);
    MUST(pcn_perceptron_save(m, image, *size) == *size);
    return image;
}

static int any(const float *f, size_t n)
{
    while (n != 0 && *f == 0) n--, f++;
    return n != 0;
}

/* The scores of the frozen mean, without making it. */
static void check_final_scores(const pcn_perceptron *m, const pcn_linear *final)
{
    float *score = floats(m->live.scores), *expected = floats(m->live.scores);
    row r = make_row(m->live.features);
    pcn_perceptron_final_scores(m, r.x, score);
    pcn_linear_scores(final, r.x, expected);
    MUST(same(score, expected, m->live.scores * sizeof *score));
    free_row(&r);
    free(score), free(expected);
}

static void learn_linear(pcn_perceptron *m)
{
    const uint32_t classes = PCN_CLASSES(m->live.scores);
    const size_t n = PCN_LINEAR_FLOATS(m->live.features, classes);
    float *out = floats(n);
    pcn_linear view;
    uint32_t i;
    settings(&m->learner);
    for (i = 0; i < ROWS; i++) {
        size_t size, after_size;
        uint8_t *before = linear_image(m, &size), *after;
        row r = make_row(m->live.features + 1);
        int result = pcn_perceptron_learn(m, r.x, (int)take_below(&choices, classes + 1));
        after = linear_image(m, &after_size);
        MUST(result >= 0 || (size == after_size && memcmp(before, after, size) == 0));
        MUST(is_class(pcn_perceptron_predict(m, r.x), m->live.scores));
        free(before), free(after);
        free_row(&r);
        if (m->own.batch && i % 2) MUST(pcn_perceptron_apply_batch(m, 1) >= PCN_EVALUE);
    }
    if (m->own.batch && any(m->own.batch, n)) {
        MUST(pcn_perceptron_final(m, &view, out, n * sizeof *out) == PCN_EBATCH);
        MUST(pcn_perceptron_apply_batch(m, 0) == PCN_EOPTION && pcn_perceptron_end_batch(m) == PCN_EBATCH);
        MUST(pcn_perceptron_discard_batch(m) == PCN_OK && !any(m->own.batch, n));
    }
    if (m->own.batch) MUST(pcn_perceptron_end_batch(m) == PCN_OK && !m->own.batch);
    MUST(pcn_perceptron_final(m, &view, out, n * sizeof *out) == PCN_OK);
    for (i = 0; i < n; i++) MUST(out[i] > -0x1p84f && out[i] < 0x1p84f);
    use_linear(&view);
    check_final_scores(m, &view);
    free(out);
}

static void try_linear(const pcn_image *i, const uint8_t *image, size_t size)
{
    const uint32_t classes = PCN_CLASSES(i->scores);
    const size_t each = PCN_LINEAR_FLOATS(i->features, classes), bytes = each * sizeof(float);
    float *memory = floats(PCN_PERCEPTRON_FLOATS(i->features, classes)), *sum = floats(2 * each), *batch = floats(each),
          *state = floats(each);
    size_t saved_size;
    uint8_t *saved;
    pcn_perceptron m;
    pcn_linear l;
    int expected = PCN_OK;
    MUST(pcn_perceptron_init(&m, i->features, classes, memory, bytes + 2 * i->scores * sizeof(float)) == PCN_OK);
    if (i->parts & PCN_PART_FEATURE_MAJOR) MUST(pcn_perceptron_use_feature_major(&m) == PCN_OK);
    if (i->parts & PCN_PART_EXPONENTS)
        MUST(pcn_perceptron_use_winnow(&m, 1, (i->parts & PCN_PART_BALANCED) != 0, state, bytes) == PCN_OK);
    if (i->parts & PCN_PART_VARIANCES) MUST(pcn_perceptron_use_confidence(&m, 1, state, bytes) == PCN_OK);
    if (i->parts & PCN_PART_SUMS) MUST(pcn_perceptron_use_averaging(&m, sum, 2 * bytes) == PCN_OK);
    if (i->parts & PCN_PART_FOLLOWING) MUST(pcn_perceptron_use_following(&m) == PCN_OK);
    if (i->parts & PCN_PART_BATCH) MUST(pcn_perceptron_use_batch(&m, batch, bytes) == PCN_OK);
    MUST(pcn_perceptron_load(&m, image, size) == PCN_OK);
    saved = linear_image(&m, &saved_size);
    if (i->kind == PCN_KIND_PERCEPTRON)
        MUST(saved_size == size &&
             (memcmp(image, saved, size) == 0 ||
              (i->scores == 1 && i->parts & PCN_PART_FEATURE_MAJOR))); /* says what needs no saying */
    free(saved);
    if (i->parts & PCN_PART_BATCH && any(batch, each)) expected = PCN_EBATCH;
    if (i->parts & PCN_PART_SUMS) expected = PCN_EMEAN;
    MUST(pcn_linear_open(&l, image, size) == expected);
    if (expected == PCN_OK) use_linear(&l);
    learn_linear(&m);
    use_linear(&m.live);
    free(memory), free(sum), free(batch), free(state);
}

/* ---- Integer models ---- */

static void use_integer(const pcn_ilinear *m)
{
    int64_t *score = (int64_t *)room(m->scores * sizeof *score);
    int16_t value[WIDEST];
    uint32_t i, n = m->features < WIDEST ? m->features : WIDEST;
    for (i = 0; i < n; i++) value[i] = (int16_t)(take(&choices) << 8);
    pcn_ilinear_scores(m, pcn_idense(value, n), score);
    MUST(is_class(pcn_ilinear_predict(m, pcn_idense(value, n)), m->scores));
    free(score);
}

static void learn_integer(pcn_iperceptron *m)
{
    uint32_t i, n = m->live.features < WIDEST ? m->live.features : WIDEST, k, choice = take(&choices);
    if (choice & 1) m->rate = INT16_MAX;
    if (choice & 2) m->bias_step = PCN_IMAX - 2;
    if (choice & 4) m->margin = INT64_MAX;
    for (i = 0; i < ROWS; i++) {
        int16_t value[WIDEST];
        int y = (int)take_below(&choices, PCN_CLASSES(m->live.scores));
        int full = m->own.sum && m->own.clock == UINT32_MAX, result;
        for (k = 0; k < n; k++) value[k] = (int16_t)(take(&choices) << 8);
        result = pcn_iperceptron_learn(m, pcn_idense(value, n), y);
        MUST(full ? result == PCN_EFULL : result >= 0);
        MUST(is_class(pcn_iperceptron_predict(m, pcn_idense(value, n)), m->live.scores));
    }
    MUST(pcn_iperceptron_save_part(m, 0, NULL, 0) != 0);
    if (m->own.sum) {
        const size_t bytes = PCN_IPERCEPTRON_NUMBERS(m->live.features, PCN_CLASSES(m->live.scores)) * sizeof(int32_t);
        int32_t *mean = (int32_t *)room(bytes);
        pcn_ilinear view;
        MUST(pcn_iperceptron_final(m, &view, mean, bytes) == PCN_OK);
        use_integer(&view);
        free(mean);
    }
}

static void try_integer(const pcn_image *i, const uint8_t *image, size_t size)
{
    const uint32_t classes = PCN_CLASSES(i->scores);
    size_t n = PCN_IPERCEPTRON_NUMBERS(i->features, classes);
    int32_t *memory = (int32_t *)room(n * sizeof *memory);
    int64_t *sum = (int64_t *)room(n * sizeof *sum);
    uint8_t *saved = (uint8_t *)room(size);
    pcn_iperceptron m;
    pcn_ilinear l;
    if (i->parts & PCN_PART_SUMS) {
        MUST(pcn_ilinear_open(&l, image, size) == PCN_EMEAN &&
             pcn_ilinear_load(&l, memory, n * sizeof *memory, image, size) == PCN_EMEAN);
    } else {
        int32_t *memory_of = (int32_t *)room(size);
        MUST(pcn_ilinear_load(&l, memory_of, size - 68, image, size) == PCN_OK);
        use_integer(&l);
        free(memory_of);
        MUST(pcn_ilinear_open(&l, image, size) == PCN_OK);
        use_integer(&l);
    }
    MUST(pcn_iperceptron_init(&m, i->features, classes, memory, n * sizeof *memory) == PCN_OK);
    if (i->parts & PCN_PART_SUMS) MUST(pcn_iperceptron_use_averaging(&m, sum, n * sizeof *sum) == PCN_OK);
    if (!(i->parts & (PCN_PART_8_BITS | PCN_PART_16_BITS))) {
        MUST(pcn_iperceptron_load(&m, image, size) == PCN_OK);
        if (i->kind == PCN_KIND_IPERCEPTRON)
            MUST(pcn_iperceptron_save(&m, saved, size) == size && memcmp(image, saved, size) == 0);
        learn_integer(&m);
    } else {
        MUST(pcn_iperceptron_load(&m, image, size) == PCN_EMATCH);
    }
    free(memory), free(sum), free(saved);
}

/* ---- Kernel models ---- */

static float own_kernel(const pcn_kernel *k, const pcn_vec *x, const pcn_vec *z)
{
    (void)k;
    return (float)x->count - (float)z->count;
}

static pcn_kernel kernel_of(uint32_t id)
{
    pcn_kernel k = id == 1 ? pcn_kernel_linear() : id == 2 ? pcn_kernel_poly(2, 1, 1) : pcn_kernel_rbf(1);
    if (id > 3) {
        k.of_dots = NULL;
        k.of_vectors = own_kernel;
    }
    k.id = id;
    return k;
}

static void use_kernel(const pcn_kmodel *m)
{
    size_t work_size = PCN_KMODEL_WORK(PCN_CLASSES(m->scores), m->slots, 2);
    float *score = floats(2 * (size_t)m->scores), *work = floats(work_size);
    row a = make_row(m->features), b = make_row(m->features + 1);
    pcn_vec x[2];
    int how;
    x[0] = a.x, x[1] = b.x;
    for (how = PCN_DECIDE_LAST; how <= PCN_DECIDE_VOTE; how++) {
        int result = pcn_kmodel_scores(m, (enum pcn_decision)how, x, 2, score, work, work_size * sizeof *work);
        MUST(result == (how == PCN_DECIDE_LAST || m->log ? PCN_OK : PCN_EOPTION));
        if (result == PCN_OK) MUST(is_class(pcn_decide(score, m->scores, m->zero_negative), m->scores));
    }
    free_row(&a), free_row(&b);
    free(score), free(work);
}

static uint8_t *kernel_image(const pcn_kperceptron *m, size_t *size)
{
    uint8_t *image;
    *size = pcn_kperceptron_save_part(m, 0, NULL, 0);
    image = (uint8_t *)room(*size);
    MUST(pcn_kperceptron_save(m, image, *size) == *size);
    return image;
}

/* What the trainer answers is what its model says. */
static void ask_kernel(pcn_kperceptron *m)
{
    const enum pcn_decision how = m->model.log ? PCN_DECIDE_MEAN : PCN_DECIDE_LAST;
    const size_t n = m->model.scores, work_size = PCN_KMODEL_WORK(PCN_CLASSES(n), m->model.slots, 1);
    float *score = floats(n), *expected = floats(n), *work = floats(work_size);
    row r = make_row(m->model.features + 1);
    int cls = 77;
    if (m->model.log || !m->own.logged) { /* one that grows may be there later */
        MUST(pcn_kmodel_scores(&m->model, how, &r.x, 1, expected, work, work_size * sizeof *work) == PCN_OK);
        MUST(pcn_kmodel_predict(&m->model, how, &r.x, 1, &cls, work, work_size * sizeof *work) == PCN_OK);
        pcn_kperceptron_scores(m, r.x, score);
        MUST(same(score, expected, n * sizeof *score) && pcn_kperceptron_predict(m, r.x) == cls);
    }
    free_row(&r);
    free(score), free(expected), free(work);
}

static void learn_kernel(pcn_kperceptron *m)
{
    const int two = m->model.scores == 1;
    uint32_t i;
    settings(&m->learner);
    m->learner.bias_input = (float)take_below(&choices, 3);
    for (i = 0; i < ROWS; i++) {
        size_t size, after_size;
        uint8_t *before = kernel_image(m, &size), *after;
        row r = make_row(m->model.features + 1);
        int y = (int)take_below(&choices, PCN_CLASSES(m->model.scores) + 1);
        int result = pcn_kperceptron_learn_row(m, r.x, y, i % 2 ? i : PCN_NO_ID);
        after = kernel_image(m, &after_size);
        MUST(result >= 0 || (size == after_size && memcmp(before, after, size) == 0));
        free(before), free(after);
        free_row(&r);
    }
    use_kernel(&m->model);
    ask_kernel(m);
    MUST(pcn_kperceptron_swap_classes(m) == (two ? PCN_OK : PCN_EOPTION));
    if (m->model.slots) pcn_kperceptron_set_id(m, m->model.slots - 1, take(&choices));
    MUST(pcn_kperceptron_save_part(m, 0, NULL, 0) != 0);
    ask_kernel(m);
}

/* A trainer with room for the image and, at times, a little more; or one that grows. */
static void try_kernel(const pcn_image *i, const uint8_t *image, size_t size)
{
    uint32_t choice = take(&choices), grow = choice % 6 == 0, slots = i->slots + (choice >> 4 & 3);
    uint32_t sparse = i->parts & PCN_PART_SPARSE, entries = i->entries + (choice >> 6) * i->scores;
    const uint32_t classes = PCN_CLASSES(i->scores);
    size_t cells = i->cells + (choice >> 4 & 3) * (size_t)i->features, saved_size, length, aux_size;
    float *memory, *value, *aux;
    uint32_t *index;
    uint8_t *saved;
    pcn_log_entry *log;
    pcn_slot *slot;
    pcn_kmodel s;
    pcn_kperceptron m;
    int used = PCN_OK;
    if (slots == 0) slots = 1;
    if (!sparse && cells < slots * (size_t)i->features) cells = slots * (size_t)i->features;
    if ((uint64_t)slots * ((uint64_t)i->features + i->scores + 2) + i->scores > 1 << 20) return;
    aux_size = (size_t)slots * (slots + 2);
    length = grow ? 2 * (size_t)i->scores : PCN_KPERCEPTRON_FLOATS(sparse ? 0 : i->features, classes, slots);
    memory = floats(length), value = floats(cells), aux = floats(aux_size);
    index = (uint32_t *)room(cells * sizeof *index);
    log = (pcn_log_entry *)room(entries * sizeof *log);
    slot = (pcn_slot *)room(slots * sizeof *slot);
    MUST(pcn_kmodel_open(&s, kernel_of(i->kernel_id), image, size) == PCN_OK);
    use_kernel(&s);
    MUST(pcn_kperceptron_init(&m, kernel_of(i->kernel_id), i->features, classes, grow ? NULL : slot, grow ? 0 : slots,
                              memory, length * sizeof *memory) == PCN_OK);
    if (sparse)
        MUST(pcn_kperceptron_use_sparse(&m, grow ? NULL : value, grow ? NULL : index, grow ? 0 : cells) == PCN_OK);
    if (i->parts & PCN_PART_LOG) MUST(pcn_kperceptron_use_log(&m, grow ? NULL : log, grow ? 0 : entries) == PCN_OK);
    switch (choice % 6) {
    case 0: m.admit = pcn_admit_grow; break;
    case 1: m.admit = pcn_admit_oldest; break;
    case 2: m.admit = pcn_admit_random; break;
    case 3: used = pcn_kperceptron_use_forgetron(&m, aux, aux_size * sizeof *aux); break;
    case 4: used = pcn_kperceptron_use_projectron(&m, 0, aux, aux_size * sizeof *aux); break;
    }
    MUST(used == PCN_OK || used == PCN_EOPTION);
    MUST(pcn_kperceptron_load(&m, image, size) == PCN_OK);
    saved = kernel_image(&m, &saved_size);
    MUST(saved_size == size && memcmp(saved + 104, image + 104, size - 108) == 0);
    learn_kernel(&m);
    pcn_kperceptron_free(&m);
    free(memory), free(value), free(aux), free(index), free(log), free(slot), free(saved);
}

/* ---- Calibration ---- */

/* Whatever state and scores are, probabilities are probabilities. */
static void try_calibration(const uint8_t *image, size_t size)
{
    uint8_t saved[PCN_CALIBRATION_IMAGE];
    float score[5], p[5];
    pcn_calibration c, before;
    uint32_t i, k;
    MUST(size == sizeof saved && pcn_calibration_load(&c, image, size) == PCN_OK);
    MUST(pcn_calibration_save(&c, saved, sizeof saved) == size && memcmp(saved + 64, image + 64, size - 68) == 0);
    for (i = 0; i < ROWS; i++) {
        const uint32_t classes = i % 4 + 2;
        const int y = (int)take_below(&choices, classes + 2);
        const uint8_t first = take(&choices);
        int result;
        for (k = 0; k < classes; k++) score[k] = float_of_byte((uint8_t)(first + 5 * (i + k)));
        MUST(pcn_probabilities(&c, score, classes, p) == pcn_decide(score, PCN_SCORES(classes), 0));
        for (k = 0; k < classes; k++) MUST(p[k] >= 0 && p[k] <= 1);
        before = c;
        result = pcn_calibrate(&c, score, classes, p, y);
        MUST(result <= 1 && (result >= 0 || memcmp(&c, &before, sizeof c) == 0));
        MUST((result == PCN_ELABEL) == ((uint32_t)y >= classes));
    }
}

/* ---- The scaler ---- */

/* Whatever state and rows are, scaled values are in range, and what it notes can be saved. */
static void try_scaler(const pcn_image *i, const uint8_t *image, size_t size)
{
    const uint32_t n = i->features;
    float *memory = floats(5 * (size_t)n), *x = floats(n), *out = floats(n + 1);
    int16_t *whole = (int16_t *)room(n * sizeof *whole);
    pcn_icolumn *column = (pcn_icolumn *)room(n * sizeof *column);
    uint8_t *saved = (uint8_t *)room(size);
    pcn_linear m;
    pcn_scaler s;
    uint32_t r, j;
    int folded;
    MUST(pcn_scaler_init(&s, n, memory, 5 * n * sizeof *memory) == PCN_OK);
    MUST(i->entries == 0 || pcn_scaler_use_window(&s, i->entries) == PCN_OK);
    MUST(pcn_scaler_load(&s, image, size) == PCN_OK);
    MUST(pcn_scaler_save(&s, saved, size) == size && memcmp(saved + 64, image + 64, size - 68) == 0);
    for (r = 0; r < ROWS; r++) {
        int noted, bad = 0;
        const uint8_t first = take(&choices);
        for (j = 0; j < n; j++) {
            x[j] = float_of_byte((uint8_t)(first + 5 * j));
            bad |= !isnan(x[j]) && !(fabsf(x[j]) < 0x1p54f);
        }
        noted = pcn_scaler_note(&s, x);
        MUST(noted == (bad ? PCN_EVALUE : PCN_OK) && pcn_scaler_save(&s, saved, size) == size);
        pcn_scaler_scale16(&s, x, whole);
        pcn_scaler_scale(&s, x, out);
        for (j = 0; j < n; j++) MUST(out[j] >= -64 && out[j] <= 64 && fabsf((float)whole[j] / 512 - out[j]) < 0.003f);
    }
    memset(&m, 0, sizeof m);
    m.weight = x;
    m.features = n;
    m.scores = 1;
    for (j = 0; j < n; j++) x[j] = isfinite(x[j]) ? x[j] : 1;
    folded = pcn_scaler_fold(&s, &m, &m, out, (n + 1) * sizeof *out);
    MUST(folded == PCN_OK || folded == PCN_EVALUE);
    for (j = 0; folded == PCN_OK && j <= n; j++) MUST(isfinite(out[j]));
    MUST(pcn_scaler_doubts(&s) <= (PCN_DOUBT_DIGITS | PCN_DOUBT_BITS));
    if (pcn_scaler_integers(&s, column) == PCN_OK) pcn_icolumns_scale(column, n, whole, whole);
    free(memory), free(x), free(out), free(whole), free(column), free(saved);
}

/* ---- Any image ---- */

/* No function opens or loads an image of two scores, whatever its kind. */
static void refuse_two_scores(const uint8_t *image, size_t size)
{
    float memory[PCN_PERCEPTRON_FLOATS(1, 2)], kernel_memory[PCN_KPERCEPTRON_FLOATS(1, 2, 1)];
    int32_t numbers[PCN_IPERCEPTRON_NUMBERS(1, 2)];
    pcn_slot slot[1];
    pcn_perceptron m;
    pcn_iperceptron whole;
    pcn_kperceptron dual;
    pcn_linear l;
    pcn_ilinear q;
    pcn_kmodel k;
    MUST(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == PCN_OK);
    MUST(pcn_iperceptron_init(&whole, 1, 2, numbers, sizeof numbers) == PCN_OK);
    MUST(pcn_kperceptron_init(&dual, pcn_kernel_linear(), 1, 2, slot, 1, kernel_memory, sizeof kernel_memory) ==
         PCN_OK);
    MUST(pcn_perceptron_load(&m, image, size) == PCN_ESCORES && pcn_linear_open(&l, image, size) == PCN_ESCORES);
    MUST(pcn_iperceptron_load(&whole, image, size) == PCN_ESCORES && pcn_ilinear_open(&q, image, size) == PCN_ESCORES);
    MUST(pcn_kperceptron_load(&dual, image, size) == PCN_ESCORES);
    MUST(pcn_kmodel_open(&k, pcn_kernel_linear(), image, size) == PCN_ESCORES && pcn_image_size(image, size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint64_t length;
    uint8_t *image;
    pcn_image i;
    int result;
    if (size < CHOICES + 68 || size > LONGEST) return 0;
    choices.at = bytes;
    choices.end = bytes + CHOICES;
    size -= CHOICES;
    length = pcn_image_size(bytes + CHOICES, size);
    if (length > LONGEST || length < 68) length = size;
    image = (uint8_t *)room((size_t)length); /* no longer and no shorter than it says */
    memset(image, 0, (size_t)length);
    memcpy(image, bytes + CHOICES, size < length ? size : (size_t)length);
    put_checksum(image, (size_t)length);
    result = pcn_image_read(&i, image, (size_t)length);
    if (result == PCN_ESCORES) refuse_two_scores(image, (size_t)length);
    if (result == PCN_OK && i.scores <= MOST_SCORES) {
        MUST(pcn_image_size(image, (size_t)length) == length);
        if (i.kind <= PCN_KIND_PERCEPTRON)
            try_linear(&i, image, (size_t)length);
        else if (i.kind == PCN_KIND_KERNEL)
            try_kernel(&i, image, (size_t)length);
        else if (i.kind == PCN_KIND_CALIBRATION)
            try_calibration(image, (size_t)length);
        else if (i.kind == PCN_KIND_SCALER)
            try_scaler(&i, image, (size_t)length);
        else
            try_integer(&i, image, (size_t)length);
    }
    free(image);
    return 0;
}
