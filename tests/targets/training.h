/* Training runs of every algorithm, by rows in their order. Each leaves a hash of what learning returned, of scores and
 * of the image, and is checked against the same run through an image half way. */
#ifndef TARGETS_TRAINING_H
#define TARGETS_TRAINING_H

#include "common.h"
#include "sums.h"

/* ---- One loop for all models ---- */

typedef struct learner {
    void (*start)(void);
    int (*learn)(uint32_t number);
    size_t (*save)(size_t from, void *out, size_t size);
    int (*load)(const void *image, size_t size);
    void (*tell)(void); /* hashes what the model says of the row */
    int exact;          /* sums are exact, whatever form rows have */
} learner;

/* While the image is hashed, it is what it was when the golden hash was made: without a bit that says what a score
 * of 0 is. */
static uint8_t hashing;

static void hash_image(size_t (*save)(size_t, void *, size_t))
{
    size_t total, at;
    uint8_t page[PAGE];
    hashing = 1;
    total = save(0, NULL, 0);
    CHECK(total != 0);
    for (at = 0; at < total; at += PAGE) {
        CHECK(save(at, page, PAGE) == total);
        hash_bytes(page, PAGE); /* and what follows the end */
    }
    hashing = 0;
}

/* Writes the image to memory, page by page; 0 if it does not fit. */
static size_t store_image(size_t (*save)(size_t, void *, size_t))
{
    size_t total = save(0, NULL, 0), at, size;
    if (total > sizeof image_room - 8) return 0;
    for (at = 0; at < total; at += size) {
        size = total - at < PAGE ? total - at : PAGE;
        save(at, image() + at, size);
    }
    return total;
}

static void learn_rows(const learner *l, const shape *s, pcn_pass *pass, uint32_t rows)
{
    uint32_t number;
    while (rows-- != 0 && pcn_pass_next(pass, &number)) {
        make_row(s, number);
        hash_word((uint32_t)(int32_t)l->learn(number));
    }
}

/* Learns the rest; returns the hash of what learning, scores and image gave from the start. */
static uint32_t finish(const learner *l, const shape *s, pcn_pass *pass)
{
    learn_rows(l, s, pass, UINT32_MAX);
    make_row(s, ROWS);
    l->tell();
    hash_image(l->save);
    return hash;
}

/* Training stopped, saved, loaded where memory held something else and continued gives what it gives
 * without interruption. */
static void trial(const learner *l, const shape *s)
{
    uint32_t group = hash, hash_then, whole;
    int sparse = !l->exact && (s->form == SPARSE || s->form == ONES);
    pcn_pass pass, then;
    size_t size;
    hash = HASH_EMPTY;
    l->start();
    pcn_pass_init(&pass, ROWS, EPOCHS, s->features);
    pass.stop = PCN_STOP_NEVER;
    pass.order = PCN_ORDER_FILE;
    learn_rows(l, s, &pass, ROWS * EPOCHS * 3 / 4);
    size = store_image(l->save);
    then = pass;
    hash_then = hash;
    whole = finish(l, s, &pass);

    memset(&memory, 0x55, sizeof memory);
    l->start();
    CHECK(l->load(image(), size) == PCN_OK);
    hash = hash_then;
    CHECK(finish(l, s, &then) == whole);
    hash = group;
    if (sparse) swap_hashes();
    hash_word(whole);
    if (sparse) swap_hashes();
}

/* ---- Linear models ---- */

enum rule { FIXED, ABSOLUTE, FRACTIONAL, PA_I, PA_II, CONFIDENCE };
enum update { PREDICTED, OTHERS, UNIFORM, ONE_VS_REST };
enum option {
    AVERAGED = 1,
    BATCHES = 2,
    FEATURE_MAJOR = 4,
    ZERO_NEGATIVE = 8,
    ZERO_PREDICTED = 16,
    WINNOW = 32,
    BALANCED = 64,
    ELIMINATE = 128,
    FOLLOWING = 256,
    REGROWING = 512
};

typedef struct linear_run {
    shape shape;
    uint8_t rule, update;
    uint16_t options;
} linear_run;

static linear_run linear;

static pcn_rule rule_of(uint8_t rule, float limit)
{
    switch (rule) {
    case ABSOLUTE: return pcn_rule_absolute();
    case FRACTIONAL: return pcn_rule_fractional(limit);
    case PA_I: return pcn_rule_pa(limit);
    case PA_II: return pcn_rule_pa2(limit);
    default: return pcn_rule_fixed(limit);
    }
}

static void linear_start(void)
{
    static uint32_t (*const update[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    pcn_perceptron *m = &perceptron;
    const uint16_t with = linear.options;
    float *w = memory.linear.weight, *e = memory.linear.state;
    const size_t room = sizeof memory.linear.state;
    float threshold = with & BALANCED ? 0 : (float)linear.shape.features;
    int bad = pcn_perceptron_init(m, linear.shape.features, linear.shape.classes, w, sizeof memory.linear.weight);
    if (with & FEATURE_MAJOR) bad |= pcn_perceptron_use_feature_major(m);
    if (with & WINNOW) bad |= pcn_perceptron_use_winnow(m, threshold, with & BALANCED, e, room);
    if (linear.rule == CONFIDENCE) bad |= pcn_perceptron_use_confidence(m, 0.37f, e, room);
    if (with & AVERAGED) bad |= pcn_perceptron_use_averaging(m, memory.linear.sum, sizeof memory.linear.sum);
    if (with & FOLLOWING) bad |= pcn_perceptron_use_following(m);
    if (with & REGROWING) bad |= pcn_perceptron_use_regrowth(m, 0.02f);
    if (with & BATCHES) bad |= pcn_perceptron_use_batch(m, memory.linear.batch, sizeof memory.linear.batch);
    CHECK(bad == PCN_OK);
    if (linear.rule != CONFIDENCE) m->learner.rule = rule_of(linear.rule, 0.37f);
    m->learner.update = update[linear.update];
    m->live.zero_negative = (with & ZERO_NEGATIVE) != 0;
    m->learner.zero_predicted = (with & ZERO_PREDICTED) != 0;
}

static int linear_learn(uint32_t number)
{
    pcn_perceptron *m = &perceptron;
    if (linear.options & ELIMINATE) m->learner.rule.rate = row.y ? 0.37f : PCN_ELIMINATE;
    if (linear.options & BATCHES && number % 3 == 0) hash_word(pcn_perceptron_apply_batch(m, 0.41f) == 1);
    return pcn_perceptron_learn(m, row.x, row.y);
}

static size_t linear_save(size_t from, void *out, size_t size)
{
    uint8_t kept = perceptron.live.zero_negative;
    if (hashing) perceptron.live.zero_negative = 0;
    size = pcn_perceptron_save_part(&perceptron, from, out, size);
    perceptron.live.zero_negative = kept;
    return size;
}

static int linear_load(const void *bytes, size_t size)
{
    return pcn_perceptron_load(&perceptron, bytes, size);
}

static pcn_linear mean;

static size_t mean_save(size_t from, void *out, size_t size)
{
    return pcn_linear_save_part(&mean, from, out, size);
}

/* The mean without what the batch has collected. It must be empty then, and gets back what it had: a copy behind the
 * image, since a stack has no room for it. */
static void find_mean(void)
{
    const size_t n = PCN_LINEAR_FLOATS(linear.shape.features, linear.shape.classes), size = n * sizeof(float);
    const int collects = linear.options & BATCHES;
    float *batch = memory.linear.batch, *kept = image_room + LENGTH(image_room) - n, *out = memory.linear.mean;
    if (collects) {
        CHECK(pcn_perceptron_final(&perceptron, &mean, out, size) == PCN_EBATCH);
        memcpy(kept, batch, size);
        CHECK(pcn_perceptron_discard_batch(&perceptron) == PCN_OK);
    }
    CHECK(pcn_perceptron_final(&perceptron, &mean, out, size) == PCN_OK);
    if (collects) memcpy(batch, kept, size);
}

static int by_mean(void)
{
    if (linear.options & FOLLOWING && perceptron.learner.ahead > 0) return 0;
    return linear.options & AVERAGED;
}

/* By the trainer: the frozen model's class and scores, unless it has a mean. Its scores are those of the weights minus
 * those of the upper sums by the number of weights. */
static void trainer_tells(const float *score, int guess)
{
    const pcn_perceptron *m = &perceptron;
    const size_t n = linear.shape.features, k = (size_t)PCN_SCORES(linear.shape.classes);
    const float count = (float)(m->learner.clock + 1);
    pcn_linear sums = m->live;
    volatile float expected, part; /* rounds */
    float by_trainer[K];
    uint32_t c;
    pcn_perceptron_scores(m, row.x, by_trainer);
    sums.weight = memory.linear.sum;
    sums.bias = memory.linear.sum + n * k;
    for (c = 0; c < k; c++) {
        expected = score[c];
        if (by_mean()) {
            part = plain_score(&sums, c, row.x);
            part = part / count;
            expected = expected - part;
        }
        CHECK(by_trainer[c] == expected);
    }
    CHECK(pcn_perceptron_predict(m, row.x) == pcn_decide(by_trainer, (uint32_t)k, m->live.zero_negative));
    if (by_mean()) return;
    CHECK(pcn_perceptron_predict(m, row.x) == guess);
}

static void linear_tell(void)
{
    const uint32_t scores = PCN_SCORES(linear.shape.classes);
    float score[K], final[K];
    int guess = pcn_linear_predict(&perceptron.live, row.x);
    pcn_linear_scores(&perceptron.live, row.x, score);
    hash_floats(score, scores);
    hash_word(scores == 1 ? 0 : (uint32_t)guess); /* the golden hash has no class of a single score */
    CHECK(guess == pcn_decide(score, scores, perceptron.live.zero_negative));
    trainer_tells(score, guess);
    if (!(linear.options & AVERAGED)) return;
    find_mean();
    pcn_linear_scores(&mean, row.x, score);
    pcn_perceptron_final_scores(&perceptron, row.x, final);
    CHECK(memcmp(score, final, (size_t)scores * sizeof *score) == 0);
    mean.zero_negative = 0; /* as above, only hashed */
    hash_image(mean_save);
}

static void linear_runs(const linear_run *run, size_t n)
{
    static const learner l = {linear_start, linear_learn, linear_save, linear_load, linear_tell, 0};
    for (; n-- != 0; run++) {
        linear = *run;
        trial(&l, &linear.shape);
    }
}

static void binary(void)
{
    static const linear_run run[] = {
        {{N, 2, DENSE}, FIXED, 0, 0},
        {{9, 2, DENSE}, ABSOLUTE, 0, AVERAGED | ZERO_PREDICTED},
        {{33, 2, SPARSE}, FRACTIONAL, 0, AVERAGED},
        {{12, 2, ONES}, PA_I, 0, AVERAGED | ZERO_NEGATIVE},
        {{7, 2, DENSE}, PA_II, 0, AVERAGED | BATCHES},
        {{10, 2, TINY}, FIXED, 0, AVERAGED},
    };
    linear_runs(run, LENGTH(run));
}

static void confidence(void)
{
    static const linear_run run[] = {
        {{9, 2, TINY}, CONFIDENCE, 0, AVERAGED},
        {{33, K, DENSE}, CONFIDENCE, PREDICTED, AVERAGED},
        {{11, K, ONES}, CONFIDENCE, ONE_VS_REST, FEATURE_MAJOR},
        {{8, K, SPARSE}, CONFIDENCE, PREDICTED, AVERAGED | FEATURE_MAJOR},
    };
    linear_runs(run, LENGTH(run));
}

static void classes(void)
{
    static const linear_run run[] = {
        {{N, K, DENSE}, PA_I, PREDICTED, AVERAGED},
        {{8, K, SPARSE}, FIXED, OTHERS, AVERAGED | ZERO_PREDICTED},
        {{11, K, ONES}, FRACTIONAL, UNIFORM, AVERAGED | FEATURE_MAJOR},
        {{5, K, DENSE}, PA_II, ONE_VS_REST, AVERAGED | BATCHES},
        {{33, K, DENSE}, ABSOLUTE, UNIFORM, FEATURE_MAJOR},
        {{10, K, SPARSE}, FIXED, PREDICTED, AVERAGED | BATCHES | FEATURE_MAJOR},
        {{9, K, TINY}, PA_I, ONE_VS_REST, FEATURE_MAJOR},
    };
    linear_runs(run, LENGTH(run));
}

static void following(void)
{
    static const linear_run run[] = {
        {{9, 2, DENSE}, FIXED, 0, AVERAGED | FOLLOWING},
        {{N, K, DENSE}, PA_I, PREDICTED, AVERAGED | FOLLOWING | ZERO_NEGATIVE},
        {{8, K, SPARSE}, FIXED, ONE_VS_REST, AVERAGED | FOLLOWING | FEATURE_MAJOR},
        {{33, K, ONES}, CONFIDENCE, PREDICTED, AVERAGED | FOLLOWING | REGROWING},
        {{10, 2, TINY}, CONFIDENCE, 0, REGROWING | FEATURE_MAJOR},
        {{7, 2, DENSE}, FIXED, 0, WINNOW | BALANCED | AVERAGED | FOLLOWING},
    };
    linear_runs(run, LENGTH(run));
}

static void winnow(void)
{
    static const linear_run run[] = {
        {{12, 2, ONES}, FIXED, 0, WINNOW},
        {{N, 2, ONES}, FIXED, 0, WINNOW | ELIMINATE},
        {{9, 2, DENSE}, FIXED, 0, WINNOW | AVERAGED},
        {{7, K, SPARSE}, FIXED, ONE_VS_REST, WINNOW | BALANCED | AVERAGED | BATCHES},
        {{8, K, DENSE}, FIXED, PREDICTED, WINNOW | BALANCED | FEATURE_MAJOR},
    };
    linear_runs(run, LENGTH(run));
}

/* ---- Kernel models ---- */

enum kernel { LINEAR, POLY, RBF };
enum policy { STOP, OLDEST, RANDOM, FORGETRON, PROJECTRON };
enum kernel_option { LOG = 1, STORE_SPARSE = 2, BIAS = 4, EACH_CLASS = 8 };

typedef struct kernel_run {
    shape shape;
    uint8_t kernel, policy, options;
} kernel_run;

static kernel_run kernel;

static void kernel_start(void)
{
    pcn_kernel k = kernel.kernel == LINEAR ? pcn_kernel_linear()
                   : kernel.kernel == POLY ? pcn_kernel_poly(3, 0.3f, 1)
                                           : pcn_kernel_rbf(0.05f);
    uint8_t with = kernel.options;
    float *aux = memory.kernel.aux;
    pcn_kperceptron *m = &dual;
    int bad = pcn_kperceptron_init(m, k, kernel.shape.features, kernel.shape.classes, memory.kernel.slot, SLOTS,
                                   memory.kernel.all, sizeof memory.kernel.all);
    if (with & STORE_SPARSE) bad |= pcn_kperceptron_use_sparse(m, memory.kernel.value, memory.kernel.index, CELLS);
    if (with & LOG) bad |= pcn_kperceptron_use_log(m, memory.kernel.log, ENTRIES);
    if (kernel.policy == OLDEST) m->admit = pcn_admit_oldest;
    if (kernel.policy == RANDOM) m->admit = pcn_admit_random;
    if (kernel.policy == FORGETRON) bad |= pcn_kperceptron_use_forgetron(m, aux, SLOTS * sizeof *aux);
    if (kernel.policy == PROJECTRON) bad |= pcn_kperceptron_use_projectron(m, 0.01f, aux, sizeof memory.kernel.aux);
    CHECK(bad == PCN_OK);
    m->learner.bias_input = with & BIAS ? 1 : 0;
    if (with & EACH_CLASS) m->learner.update = pcn_update_one_vs_rest;
}

static int kernel_learn(uint32_t number)
{
    if (kernel.policy != STOP) return pcn_kperceptron_learn(&dual, row.x, row.y);
    return pcn_kperceptron_learn_row(&dual, row.x, row.y, number);
}

static size_t kernel_save(size_t from, void *out, size_t size)
{
    return pcn_kperceptron_save_part(&dual, from, out, size);
}

static int kernel_load(const void *bytes, size_t size)
{
    return pcn_kperceptron_load(&dual, bytes, size);
}

/* Under every decision, then once more at an age that no float can hold. */
static void kernel_tell(void)
{
    static const enum pcn_decision decision[] = {PCN_DECIDE_LAST, PCN_DECIDE_MEAN, PCN_DECIDE_VOTE};
    pcn_kmodel model = dual.model;
    float score[K];
    size_t i;
    for (i = 0; i < 2 * LENGTH(decision); i++) {
        enum pcn_decision how = decision[i % LENGTH(decision)];
        int result = pcn_kmodel_scores(&model, how, &row.x, 1, score, memory.kernel.work, sizeof memory.kernel.work);
        CHECK(result == (how != PCN_DECIDE_LAST && !model.log ? PCN_EOPTION : PCN_OK));
        if (result == PCN_OK) hash_floats(score, model.scores);
        if (how == PCN_DECIDE_VOTE) model.clock = 0x5a5a5a5b;
    }
}

static void kernels(void)
{
    static const learner l = {kernel_start, kernel_learn, kernel_save, kernel_load, kernel_tell, 0};
    static const kernel_run run[] = {
        {{9, 2, DENSE}, LINEAR, STOP, LOG | BIAS}, {{N, 2, SPARSE}, RBF, RANDOM, STORE_SPARSE},
        {{7, 2, DENSE}, POLY, OLDEST, BIAS},       {{8, 2, ONES}, RBF, FORGETRON, BIAS},
        {{7, K, DENSE}, POLY, PROJECTRON, 0},      {{9, K, SPARSE}, RBF, STOP, LOG | STORE_SPARSE | EACH_CLASS},
        {{33, K, ONES}, LINEAR, STOP, LOG},
    };
    size_t i;
    for (i = 0; i < LENGTH(run); i++) {
        kernel = run[i];
        trial(&l, &kernel.shape);
    }
}

/* ---- The scaler: of rows with gaps, one of them wild ---- */

static pcn_scaler scaler;
static shape scaler_shape;

static void scaler_start(void)
{
    const uint32_t n = scaler_shape.features;
    CHECK(pcn_scaler_init(&scaler, n, memory.scaler.moment, (size_t)n * 5 * sizeof(float)) == PCN_OK);
}

static int scaler_learn(uint32_t number)
{
    const uint32_t n = scaler_shape.features;
    uint32_t j;
    int result;
    for (j = 0; j < n; j++) {
        if (number == 7) row.value[j] *= 1e4f;
        if ((number + j) % 5 == 0) row.value[j] = from_bits(0x7fc00000u);
    }
    result = pcn_scaler_note(&scaler, row.value);
    pcn_scaler_scale(&scaler, row.value, memory.scaler.scaled);
    pcn_scaler_scale16(&scaler, row.value, memory.scaler.whole);
    hash_floats(memory.scaler.scaled, n);
    for (j = 0; j < n; j++) hash_word((uint32_t)(memory.scaler.whole[j] + (int32_t)32768));
    return result;
}

static size_t scaler_save(size_t from, void *out, size_t size)
{
    return pcn_scaler_save_part(&scaler, from, out, size);
}

static int scaler_load(const void *bytes, size_t size)
{
    return pcn_scaler_load(&scaler, bytes, size);
}

/* Folds a model whose weights are the row; columns of int16. */
static void scaler_tell(void)
{
    const uint32_t n = scaler_shape.features;
    float *w = memory.scaler.weight;
    pcn_linear m;
    uint32_t j;
    int result;
    memset(&m, 0, sizeof m);
    m.weight = row.value;
    m.features = n;
    m.scores = 1;
    result = pcn_scaler_fold(&scaler, &m, &m, w, ((size_t)n + 1) * sizeof *w);
    hash_word(
        result < 0 ? (uint32_t)(int32_t)result : pcn_scaler_doubts(&scaler)); /* so it was when the hash was made */
    hash_floats(w, n + 1);
    CHECK(pcn_scaler_integers(&scaler, memory.scaler.column) == PCN_OK);
    for (j = 0; j < n; j++) {
        hash_word(memory.scaler.column[j].factor);
        hash_word((uint32_t)memory.scaler.column[j].mean);
        memory.scaler.whole[j] = (int16_t)((int32_t)j * 1999 - 32768);
    }
    pcn_icolumns_scale(memory.scaler.column, n, memory.scaler.whole, memory.scaler.whole);
    for (j = 0; j < n; j++) hash_word((uint32_t)(memory.scaler.whole[j] + (int32_t)32768));
}

static void scalers(void)
{
    static const learner l = {scaler_start, scaler_learn, scaler_save, scaler_load, scaler_tell, 1};
    static const shape run[] = {{1, 2, DENSE}, {9, 2, TINY}, {N, 2, DENSE}};
    size_t i;
    for (i = 0; i < LENGTH(run); i++) {
        scaler_shape = run[i];
        trial(&l, &scaler_shape);
    }
}

/* ---- Calibration: values of rows are scores; of tiny rows all but the first ---- */

static pcn_calibration calibrated;
static shape calibration_shape;

static void calibration_start(void)
{
    pcn_calibration_init(&calibrated);
}

static int calibration_learn(uint32_t number)
{
    const float *score = row.value + (calibration_shape.form == TINY);
    const uint32_t classes = calibration_shape.classes;
    volatile float rest; /* rounds */
    float p[K];
    (void)number;
    hash_word((uint32_t)pcn_probabilities(&calibrated, score, classes, p));
    rest = 1 - p[1];
    if (classes == 2) CHECK(p[0] == rest);
    hash_floats(classes == 2 ? p + 1 : p, PCN_SCORES(classes));
    return pcn_calibrate(&calibrated, score, classes, p, row.y);
}

static size_t calibration_save(size_t from, void *out, size_t size)
{
    return pcn_calibration_save_part(&calibrated, from, out, size);
}

static int calibration_load(const void *bytes, size_t size)
{
    return pcn_calibration_load(&calibrated, bytes, size);
}

static void calibration_tell(void) {}

static void calibration(void)
{
    static const learner l = {calibration_start, calibration_learn, calibration_save,
                              calibration_load,  calibration_tell,  1};
    static const shape run[] = {{1, 2, DENSE}, {2, 2, TINY}, {K, K, DENSE}, {K + 1, K, TINY}};
    size_t i;
    for (i = 0; i < LENGTH(run); i++) {
        calibration_shape = run[i];
        trial(&l, &calibration_shape);
    }
}

#endif
