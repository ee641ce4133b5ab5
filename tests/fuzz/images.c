/* Images of every kind with the checksum repaired: each is refused, or gives models on which every operation is
 * clean. Input: 8 bytes that choose rows and settings, then the image. */
#define PERCEPTRON_GROW
#include "perceptron.h"
#include <float.h>
#include "../bytes.h"
#include "fuzz.h"

enum { CHOICES = 8, LONGEST = 4096, ROWS = 6, WIDEST = 512 };
enum { MOST_CLASSES = 4096 }; /* an image without features may name any number of them, which only takes time */

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

static int is_class(int guess, uint32_t classes)
{
    return classes == 1 ? guess == 1 || guess == -1 : guess >= 0 && (uint32_t)guess < classes;
}

/* ---- Linear models ---- */

static void use_linear(const pcn_linear *m)
{
    float *score = floats(m->classes), *copy = floats(PCN_LINEAR_FLOATS(m->features, m->classes));
    uint32_t *feature = (uint32_t *)room(3 * sizeof *feature), best = m->features < 3 ? m->features : 3;
    pcn_linear same = pcn_linear_copy(m, copy);
    row r = make_row(m->features);
    pcn_linear_scores(m, r.x, score);
    MUST(is_class(pcn_decide(score, m->classes, m->zero_negative), m->classes));
    if (m->classes == 1)
        MUST(pcn_linear_predict(m, r.x) == pcn_linear_predict(&same, r.x));
    else
        MUST(pcn_linear_predict_class(m, r.x) == pcn_linear_predict_class(&same, r.x));
    MUST(pcn_linear_top(m, m->classes - 1, 1, feature, 3) == best);
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
    *size = pcn_perceptron_save(m, 0, NULL, 0);
    image = (uint8_t *)room(*size);
    MUST(pcn_perceptron_save(m, 0, image, *size) == *size);
    return image;
}

static void learn_linear(pcn_perceptron *m)
{
    uint32_t i;
    settings(&m->learner);
    for (i = 0; i < ROWS; i++) {
        size_t size, after_size;
        uint8_t *before = linear_image(m, &size), *after;
        row r = make_row(m->model.features + 1);
        int y = (int)take_below(&choices, m->model.classes + 1), result;
        result = m->model.classes == 1 ? pcn_perceptron_learn(m, r.x, y) : pcn_perceptron_learn_class(m, r.x, y);
        after = linear_image(m, &after_size);
        MUST(result >= 0 || (size == after_size && memcmp(before, after, size) == 0));
        free(before), free(after);
        free_row(&r);
        if (m->batch && i % 2) pcn_perceptron_apply_batch(m, 1);
    }
    if (m->sum) {
        float *mean = floats(PCN_LINEAR_FLOATS(m->model.features, m->model.classes));
        pcn_linear view = pcn_perceptron_mean(m, mean);
        for (i = 0; i < PCN_LINEAR_FLOATS(m->model.features, m->model.classes); i++)
            MUST(mean[i] > -0x1p84f && mean[i] < 0x1p84f);
        use_linear(&view);
        free(mean);
    }
}

static void try_linear(const pcn_image *i, const uint8_t *image, size_t size)
{
    size_t each = PCN_LINEAR_FLOATS(i->features, i->classes), saved_size;
    float *memory = floats(PCN_PERCEPTRON_FLOATS(i->features, i->classes)), *sum = floats(2 * each),
          *batch = floats(each), *state = floats(each);
    uint8_t *saved;
    pcn_perceptron m;
    pcn_linear l;
    MUST(pcn_linear_open(&l, image, size) == (i->parts & PCN_PART_SUMS ? PCN_EMEAN : PCN_OK));
    if (!(i->parts & PCN_PART_SUMS)) use_linear(&l);
    MUST(pcn_perceptron_init(&m, i->features, i->classes, memory, PCN_PERCEPTRON_FLOATS(i->features, i->classes)) ==
         PCN_OK);
    if (i->parts & PCN_PART_FEATURE_MAJOR) MUST(pcn_perceptron_use_feature_major(&m) == PCN_OK);
    if (i->parts & PCN_PART_EXPONENTS)
        MUST(pcn_perceptron_use_winnow(&m, 1, (i->parts & PCN_PART_BALANCED) != 0, state, each) == PCN_OK);
    if (i->parts & PCN_PART_VARIANCES) MUST(pcn_perceptron_use_confidence(&m, 1, state, each) == PCN_OK);
    if (i->parts & PCN_PART_SUMS) MUST(pcn_perceptron_use_averaging(&m, sum, 2 * each) == PCN_OK);
    if (i->parts & PCN_PART_BATCH) MUST(pcn_perceptron_use_batch(&m, batch, each) == PCN_OK);
    MUST(pcn_perceptron_load(&m, image, size) == PCN_OK);
    saved = linear_image(&m, &saved_size);
    if (i->kind == PCN_KIND_PERCEPTRON)
        MUST(saved_size == size &&
             (memcmp(image, saved, size) == 0 ||
              (i->classes == 1 && i->parts & PCN_PART_FEATURE_MAJOR))); /* says what needs no saying */
    free(saved);
    learn_linear(&m);
    use_linear(&m.model);
    free(memory), free(sum), free(batch), free(state);
}

/* ---- Integer models ---- */

static void use_integer(const pcn_ilinear *m)
{
    int64_t *score = (int64_t *)room(m->classes * sizeof *score);
    int16_t value[WIDEST];
    uint32_t i, n = m->features < WIDEST ? m->features : WIDEST;
    for (i = 0; i < n; i++) value[i] = (int16_t)(take(&choices) << 8);
    pcn_ilinear_scores(m, pcn_idense(value, n), score);
    if (m->classes == 1)
        MUST(is_class(pcn_ilinear_predict(m, pcn_idense(value, n)), 1));
    else
        MUST(is_class(pcn_ilinear_predict_class(m, pcn_idense(value, n)), m->classes));
    free(score);
}

static void learn_integer(pcn_iperceptron *m)
{
    uint32_t i, n = m->model.features < WIDEST ? m->model.features : WIDEST, k, choice = take(&choices);
    if (choice & 1) m->rate = INT16_MAX;
    if (choice & 2) m->bias_step = PCN_IMAX - 1;
    if (choice & 4) m->margin = INT64_MAX;
    for (i = 0; i < ROWS; i++) {
        int16_t value[WIDEST];
        int y = (int)take_below(&choices, m->model.classes);
        int full = m->sum && m->clock == UINT32_MAX, result;
        pcn_ivec x = pcn_idense(value, n);
        for (k = 0; k < n; k++) value[k] = (int16_t)(take(&choices) << 8);
        result = m->model.classes == 1 ? pcn_iperceptron_learn(m, x, y) : pcn_iperceptron_learn_class(m, x, y);
        MUST(full ? result == PCN_EFULL : result >= 0);
    }
    MUST(pcn_iperceptron_save(m, 0, NULL, 0) != 0);
    if (m->sum) {
        int32_t *mean = (int32_t *)room(PCN_IPERCEPTRON_NUMBERS(m->model.features, m->model.classes) * sizeof *mean);
        pcn_ilinear view = pcn_iperceptron_mean(m, mean);
        use_integer(&view);
        free(mean);
    }
}

static void try_integer(const pcn_image *i, const uint8_t *image, size_t size)
{
    size_t n = PCN_IPERCEPTRON_NUMBERS(i->features, i->classes);
    int32_t *memory = (int32_t *)room(n * sizeof *memory);
    int64_t *sum = (int64_t *)room(n * sizeof *sum);
    uint8_t *saved = (uint8_t *)room(size);
    pcn_iperceptron m;
    pcn_ilinear l;
    if (i->parts & PCN_PART_SUMS) {
        MUST(pcn_ilinear_open(&l, image, size) == PCN_EMEAN &&
             pcn_ilinear_load(&l, saved, size, image, size) == PCN_EMEAN);
    } else {
        void *memory_of = room(size);
        MUST(pcn_ilinear_load(&l, memory_of, size - 68, image, size) == PCN_OK);
        use_integer(&l);
        free(memory_of);
        MUST(pcn_ilinear_open(&l, image, size) == PCN_OK);
        use_integer(&l);
    }
    MUST(pcn_iperceptron_init(&m, i->features, i->classes, memory, n) == PCN_OK);
    if (i->parts & PCN_PART_SUMS) MUST(pcn_iperceptron_use_averaging(&m, sum, n) == PCN_OK);
    if (i->parts & PCN_PART_WINNOW) MUST(pcn_iperceptron_use_winnow(&m, 3, take(&choices) & 1) == PCN_OK);
    if (!(i->parts & (PCN_PART_8_BITS | PCN_PART_16_BITS))) {
        MUST(pcn_iperceptron_load(&m, image, size) == PCN_OK);
        if (i->kind == PCN_KIND_IPERCEPTRON)
            MUST(pcn_iperceptron_save(&m, 0, saved, size) == size && memcmp(image, saved, size) == 0);
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
    size_t work_size = PCN_KMODEL_WORK(m->classes, m->slots, 2);
    float *score = floats(2 * (size_t)m->classes), *work = floats(work_size);
    row a = make_row(m->features), b = make_row(m->features + 1);
    pcn_vec x[2];
    int how;
    x[0] = a.x, x[1] = b.x;
    for (how = PCN_DECIDE_LAST; how <= PCN_DECIDE_VOTE; how++) {
        int result = pcn_kmodel_scores(m, (enum pcn_decision)how, x, 2, score, work, work_size);
        MUST(result == (how == PCN_DECIDE_LAST || m->log ? PCN_OK : PCN_EOPTION));
        if (result == PCN_OK) MUST(is_class(pcn_decide(score, m->classes, m->zero_negative), m->classes));
    }
    free_row(&a), free_row(&b);
    free(score), free(work);
}

static uint8_t *kernel_image(const pcn_kperceptron *m, size_t *size)
{
    uint8_t *image;
    *size = pcn_kperceptron_save(m, 0, NULL, 0);
    image = (uint8_t *)room(*size);
    MUST(pcn_kperceptron_save(m, 0, image, *size) == *size);
    return image;
}

static void learn_kernel(pcn_kperceptron *m)
{
    uint32_t i;
    settings(&m->learner);
    m->learner.bias_input = (float)take_below(&choices, 3);
    for (i = 0; i < ROWS; i++) {
        size_t size, after_size;
        uint8_t *before = kernel_image(m, &size), *after;
        row r = make_row(m->model.features + 1);
        int y = (int)take_below(&choices, m->model.classes + 1);
        int result = pcn_kperceptron_learn(m, r.x, y, i % 2 ? i : PCN_NO_ID);
        after = kernel_image(m, &after_size);
        MUST(result >= 0 || (size == after_size && memcmp(before, after, size) == 0));
        free(before), free(after);
        free_row(&r);
    }
    use_kernel(&m->model);
    pcn_kperceptron_shrink(m, m->model.slots / 2);
    use_kernel(&m->model);
}

/* A trainer with room for the image and, at times, a little more; or one that grows. */
static void try_kernel(const pcn_image *i, const uint8_t *image, size_t size)
{
    uint32_t choice = take(&choices), grow = choice % 6 == 0, slots = i->slots + (choice >> 4 & 3);
    uint32_t sparse = i->parts & PCN_PART_SPARSE, entries = i->entries + (choice >> 6) * i->classes;
    size_t cells = i->cells + (choice >> 4 & 3) * (size_t)i->features, saved_size, length, aux_size;
    float *memory, *value, *aux;
    uint32_t *index;
    uint8_t *saved;
    pcn_log_entry *log;
    pcn_slot *slot;
    pcn_kmodel s;
    pcn_kperceptron m;
    if (slots == 0) slots = 1;
    if (!sparse && cells < slots * (size_t)i->features) cells = slots * (size_t)i->features;
    if ((uint64_t)slots * ((uint64_t)i->features + i->classes + 2) + i->classes > 1 << 20) return;
    aux_size = (size_t)slots * (slots + 2);
    length = grow ? 2 * (size_t)i->classes : PCN_KPERCEPTRON_FLOATS(sparse ? 0 : i->features, i->classes, slots);
    memory = floats(length), value = floats(cells), aux = floats(aux_size);
    index = (uint32_t *)room(cells * sizeof *index);
    log = (pcn_log_entry *)room(entries * sizeof *log);
    slot = (pcn_slot *)room(slots * sizeof *slot);
    MUST(pcn_kmodel_open(&s, kernel_of(i->kernel_id), image, size) == PCN_OK);
    use_kernel(&s);
    MUST(pcn_kperceptron_init(&m, kernel_of(i->kernel_id), i->features, i->classes, grow ? NULL : slot,
                              grow ? 0 : slots, memory, length) == PCN_OK);
    if (sparse)
        MUST(pcn_kperceptron_use_sparse(&m, grow ? NULL : value, grow ? NULL : index, grow ? 0 : cells) == PCN_OK);
    if (i->parts & PCN_PART_LOG) MUST(pcn_kperceptron_use_log(&m, grow ? NULL : log, grow ? 0 : entries) == PCN_OK);
    switch (choice % 6) {
    case 0: m.admit = pcn_admit_grow; break;
    case 1: m.admit = pcn_admit_oldest; break;
    case 2: m.admit = pcn_admit_random; break;
    case 3: pcn_kperceptron_use_forgetron(&m, aux, aux_size); break;
    case 4: pcn_kperceptron_use_projectron(&m, 0, aux, aux_size); break;
    }
    MUST(pcn_kperceptron_load(&m, image, size) == PCN_OK);
    saved = kernel_image(&m, &saved_size);
    MUST(saved_size == size && memcmp(saved + 104, image + 104, size - 108) == 0);
    learn_kernel(&m);
    pcn_kperceptron_free(&m);
    free(memory), free(value), free(aux), free(index), free(log), free(slot), free(saved);
}

/* ---- Any image ---- */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint64_t length;
    uint8_t *image;
    pcn_image i;
    if (size < CHOICES + 104 || size > LONGEST) return 0;
    choices.at = bytes;
    choices.end = bytes + CHOICES;
    size -= CHOICES;
    length = pcn_image_size(bytes + CHOICES, size);
    if (length > LONGEST || length < 68) length = size;
    image = (uint8_t *)room((size_t)length); /* no longer and no shorter than it says */
    memset(image, 0, (size_t)length);
    memcpy(image, bytes + CHOICES, size < length ? size : (size_t)length);
    put_checksum(image, (size_t)length);
    if (pcn_image_read(&i, image, (size_t)length) == PCN_OK && i.classes <= MOST_CLASSES) {
        MUST(pcn_image_size(image, (size_t)length) == length);
        if (i.kind <= PCN_KIND_PERCEPTRON)
            try_linear(&i, image, (size_t)length);
        else if (i.kind == PCN_KIND_KERNEL)
            try_kernel(&i, image, (size_t)length);
        else
            try_integer(&i, image, (size_t)length);
    }
    free(image);
    return 0;
}
