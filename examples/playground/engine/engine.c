/* The playground's engine: perceptron.h as WebAssembly, with one trainer. engine.js has an instance of this for each
 * trainer, writes the settings and the rows into its memory and calls the functions marked EXPORT. They do what
 * `perceptron train` does with equal options, so the images have the same bytes. */
#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_STATIC
#define PERCEPTRON_NO_LIBC
#include "perceptron.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* The numbers are those of engine.js. */
enum algorithm { PERCEPTRON, AVERAGED, WINNOW, AROW, KERNEL };
enum kernel { LINEAR, POLY, RBF };
enum policy { STOP, OLDEST, RANDOM, FORGETRON, PROJECTRON };
enum rule { FIXED, ABSOLUTE, FRACTIONAL, PA1, PA2 };

/* engine.js writes these in this order. */
typedef struct settings {
    uint32_t algorithm, features, classes, rule, update, order, stop, seed, rows, epochs;
    uint32_t kernel, degree, decision, budget, policy, balanced, zero_class, zero_update, batch, pocket;
    float rate, margin, limit, bias, r, threshold, gamma, coef0, until; /* margin: NaN for the rule's own */
} settings;

/* engine.js reads these in this order. */
typedef struct status {
    uint32_t row;
    int32_t result, guess;
    uint32_t epoch, left, rows, updates, mistakes, slots, drawn;
    float mean_step; /* of the last batch, squared */
} status;

/* The rows to learn from: dense, as the program reads them from CSV. */
typedef struct examples {
    const float *value;
    const int32_t *label;
} examples;

enum { BLOCK = 32 }; /* rows that are scored at once */

static settings given;
static status now;
static examples data;
static pcn_pass pass;
static pcn_perceptron linear;
static pcn_kperceptron dual;
static pcn_kmodel loaded; /* a kernel model from an image, which does not learn */
static const pcn_kmodel *support;
static float *mean, *variance, *batch; /* NULL: it does not average, is no AROW, learns row by row */
static pcn_linear kept;                /* the pocket; its weights are NULL without one */
static float *kept_memory;
static uint32_t kept_errors;
static pcn_calibration doubt; /* of the rows held out last */
static float *plain, *work;   /* weights in the order of engine.js; what scoring needs */
static size_t weight_bytes, work_bytes;
static uint32_t log_room; /* entries of the log of `dual` */

/* ---- Memory: it is taken from the end, and all given back at once ---- */

enum { PAGE = 65536 };
extern uint8_t __heap_base;
static size_t used;

EXPORT(clear) void clear(void)
{
    used = (size_t)&__heap_base;
    mean = variance = batch = kept_memory = NULL;
    kept.weight = NULL;
    now.drawn = 0;
    now.mean_step = 0;
}

/* NULL: there is no more. */
EXPORT(reserve) void *reserve(size_t bytes)
{
    size_t start = (used + 63) / 64 * 64, room = __builtin_wasm_memory_size(0) * PAGE;
    if (bytes > SIZE_MAX - PAGE - start) return NULL;
    if (start + bytes > room && __builtin_wasm_memory_grow(0, (start + bytes - room + PAGE - 1) / PAGE) == SIZE_MAX)
        return NULL;
    used = start + bytes;
    return (void *)start;
}

/* ---- The trainer ---- */

/* Scores of one row. */
static uint32_t row_scores(void)
{
    return PCN_SCORES(given.classes);
}

static int is_kernel(void)
{
    return given.algorithm == KERNEL;
}
static int forgets(void)
{
    return given.budget && given.policy != STOP;
}
static pcn_learner *learner(void)
{
    return is_kernel() ? &dual.learner : &linear.learner;
}

static pcn_rule chosen_rule(void)
{
    pcn_rule rule;
    switch (given.rule) {
    case ABSOLUTE: rule = pcn_rule_absolute(); break;
    case FRACTIONAL: rule = pcn_rule_fractional(given.limit); break;
    case PA1: rule = pcn_rule_pa(given.limit); break;
    case PA2: rule = pcn_rule_pa2(given.limit); break;
    default: rule = pcn_rule_fixed(given.rate); break;
    }
    if (given.algorithm == AROW) rule = linear.learner.rule;
    if (given.margin == given.margin) rule.margin = given.margin;
    return rule;
}

static pcn_kernel chosen_kernel(void)
{
    if (given.kernel == POLY) return pcn_kernel_poly(given.degree, given.gamma, given.coef0);
    if (given.kernel == RBF) return pcn_kernel_rbf(given.gamma);
    return pcn_kernel_linear();
}

static int open_linear(int by_feature, int averages)
{
    size_t bytes = PCN_PERCEPTRON_FLOATS(given.features, given.classes) * sizeof(float);
    size_t sums = PCN_AVERAGING_FLOATS(given.features, given.classes) * sizeof(float);
    int result = pcn_perceptron_init(&linear, given.features, given.classes, reserve(bytes), bytes);
    weight_bytes = PCN_LINEAR_FLOATS(given.features, given.classes) * sizeof(float);
    plain = reserve(weight_bytes);
    if (!plain) return PCN_ENOMEM;
    if (result == PCN_OK && by_feature) result = pcn_perceptron_use_feature_major(&linear);
    if (result == PCN_OK && given.algorithm == WINNOW)
        result = pcn_perceptron_use_winnow(&linear, given.threshold, (int)given.balanced, reserve(weight_bytes),
                                           weight_bytes);
    if (given.algorithm == AROW) variance = reserve(weight_bytes);
    if (result == PCN_OK && given.algorithm == AROW)
        result = pcn_perceptron_use_confidence(&linear, given.r, variance, weight_bytes);
    if (given.batch) batch = reserve(weight_bytes);
    if (given.pocket) kept_memory = reserve(weight_bytes);
    if (result == PCN_OK && given.batch) result = pcn_perceptron_use_batch(&linear, batch, weight_bytes);
    if (averages) mean = reserve(weight_bytes);
    if (result == PCN_OK && averages) result = pcn_perceptron_use_averaging(&linear, reserve(sums), sums);
    return result;
}

/* There is a slot for each row, or the budget; only the log has to grow. */
static int admit_growing(pcn_kperceptron *m, const pcn_vec *x)
{
    const uint32_t room = 2 * log_room + m->model.scores;
    pcn_log_entry *longer;
    (void)x;
    if (log_room - m->model.entries >= m->model.scores) return PCN_OK;
    longer = reserve((size_t)room * sizeof *longer);
    if (!longer) return PCN_ENOMEM;
    log_room = room;
    return pcn_kperceptron_use_log(m, longer, room);
}

static int open_policy(void)
{
    size_t bytes = given.budget * (given.policy == PROJECTRON ? (size_t)given.budget + 2 : 1) * sizeof(float);
    if (!given.budget) dual.admit = admit_growing;
    if (!forgets()) { /* with a budget, the log is as long as that of the program */
        log_room = given.budget ? given.budget * 64 : given.rows + row_scores();
        return pcn_kperceptron_use_log(&dual, reserve(log_room * sizeof(pcn_log_entry)), log_room);
    }
    if (given.policy == OLDEST) dual.admit = pcn_admit_oldest;
    if (given.policy == RANDOM) dual.admit = pcn_admit_random;
    if (given.policy == FORGETRON) return pcn_kperceptron_use_forgetron(&dual, reserve(bytes), bytes);
    if (given.policy == PROJECTRON) return pcn_kperceptron_use_projectron(&dual, 1e-3f, reserve(bytes), bytes);
    return PCN_OK;
}

static void reserve_work(uint32_t slots)
{
    work_bytes = PCN_KMODEL_WORK(given.classes, slots, BLOCK) * sizeof(float);
    work = reserve(work_bytes);
}

static int open_kernel(void)
{
    uint32_t slots = given.budget ? given.budget : given.rows ? given.rows : 1;
    size_t bytes = PCN_KPERCEPTRON_FLOATS(given.features, given.classes, slots) * sizeof(float);
    int result = pcn_kperceptron_init(&dual, chosen_kernel(), given.features, given.classes,
                                      reserve(slots * sizeof(pcn_slot)), slots, reserve(bytes), bytes);
    if (result < 0) return result;
    dual.seed = given.seed;
    support = &dual.model;
    reserve_work(slots);
    return open_policy();
}

EXPORT(settings) settings *write_settings(void)
{
    return &given;
}

/* Begins anew with the settings, without rows. */
EXPORT(open) int open(void)
{
    static uint32_t (*const update[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    int averages = given.algorithm == AVERAGED || (given.algorithm == AROW && given.decision == PCN_DECIDE_MEAN);
    int result;
    clear();
    data.label = NULL;
    result = is_kernel() ? open_kernel() : open_linear(0, averages);
    if (result < 0) return result;
    learner()->rule = chosen_rule();
    if (given.algorithm != WINNOW) learner()->bias_input = given.bias;
    learner()->update = update[given.update];
    learner()->zero_predicted = (uint8_t)given.zero_update;
    if (is_kernel()) dual.model.zero_negative = (uint8_t)given.zero_class;
    if (!is_kernel()) linear.live.zero_negative = (uint8_t)given.zero_class;
    pcn_pass_init(&pass, given.rows, given.epochs, given.seed);
    pass.order = (uint8_t)given.order;
    pass.stop = (uint8_t)given.stop;
    return PCN_OK;
}

/* ---- Learning ---- */

EXPORT(rows) void take_rows(const float *value, const int32_t *label)
{
    data.value = value;
    data.label = label;
}

static pcn_vec row_vector(uint32_t i)
{
    return pcn_dense(data.value + (size_t)i * given.features, given.features);
}

/* engine.js calls two classes +1 and -1, and takes any label above 0 for the first. */
static int row_class(uint32_t i)
{
    return given.classes > 2 ? data.label[i] : data.label[i] > 0;
}
static int class_told(int class)
{
    return given.classes > 2 ? class : 2 * class - 1;
}

/* Outside of the pass. */
EXPORT(learn_row) int learn_row(uint32_t row)
{
    pcn_vec x = row_vector(row);
    int y = row_class(row);
    int result = is_kernel() ? pcn_kperceptron_learn_row(&dual, x, y, row) : pcn_perceptron_learn(&linear, x, y);
    if (result == PCN_EFULL && given.budget) result = 0; /* policy stop leaves the row out */
    now.row = row;
    now.result = result;
    now.guess = class_told(learner()->guess);
    return result;
}

/* Eaton: once an epoch the mean of the steps, and the end when it is short. */
static void end_batch(void)
{
    const float share = 1 / (float)given.rows;
    uint32_t i, n = (uint32_t)(weight_bytes / sizeof(float));
    double square = 0;
    int result;
    for (i = 0; i < n; i++) square += (double)(share * batch[i]) * (double)(share * batch[i]);
    now.mean_step = (float)square;
    if (square < (double)given.until * (double)given.until) pass.result = PCN_END_CLEAN;
    result = pcn_perceptron_apply_batch(&linear, share);
    if (result < 0) pass.result = result;
}

/* Gallant's ratchet: weights that have gone longest without an update, and make fewer errors than those kept. */
static void offer_to_pocket(void)
{
    uint32_t i, errors = 0;
    for (i = 0; i < given.rows; i++) errors += pcn_linear_predict(&linear.live, row_vector(i)) != row_class(i);
    if (kept.weight && errors >= kept_errors) return;
    kept_errors = errors;
    if (pcn_linear_copy(&linear.live, &kept, kept_memory, weight_bytes) == PCN_OK) pcn_pass_keep(&pass);
}

/* Up to n rows of the pass; once: up to the first that changes weights. 1: it goes on; 0: it is over; or an error. */
EXPORT(learn) int learn(uint32_t n, uint32_t once)
{
    pcn_pass rest;
    uint32_t row;
    int fired = 0, more;
    while (n-- && !(once && fired) && pcn_pass_next(&pass, &row)) {
        fired = learn_row(row) == 1;
        if (pcn_pass_note(&pass, now.result) == 1 && kept_memory) offer_to_pocket();
        now.drawn++;
        if (batch && pass.left == 0) end_batch();
    }
    if (pass.result < 0) return pass.result;
    rest = pass; /* a copy is asked, so that the pass itself stays at this row */
    more = pcn_pass_next(&rest, &row);
    if (!more && kept_memory) offer_to_pocket();
    return more;
}

EXPORT(status) const status *read_status(void)
{
    const pcn_count *count = &learner()->count;
    now.epoch = pass.epoch;
    now.left = pass.left;
    now.rows = (uint32_t)count->rows;
    now.updates = (uint32_t)count->updates;
    now.mistakes = (uint32_t)count->mistakes;
    now.slots = is_kernel() ? support->slots : 0;
    return &now;
}

/* ---- What has been learned ---- */

/* The weights that predict; of a batch those of before it. */
static int predictor(pcn_linear *m)
{
    if (kept.weight) return *m = kept, PCN_OK;
    if (!batch) return pcn_perceptron_final(&linear, m, mean, weight_bytes);
    *m = linear.live;
    return PCN_OK;
}

static int score_block(const pcn_vec *x, uint32_t n, float *score)
{
    enum pcn_decision how = support && support->log ? (enum pcn_decision)given.decision : PCN_DECIDE_LAST;
    pcn_linear model;
    uint32_t i;
    int result;
    if (is_kernel()) return pcn_kmodel_scores(support, how, x, n, score, work, work_bytes);
    result = predictor(&model);
    for (i = 0; i < n && result == PCN_OK; i++) pcn_linear_scores(&model, x[i], score + (size_t)i * row_scores());
    return result;
}

/* value: dense rows, or NULL for those to learn from. */
EXPORT(scores) int scores(const float *value, uint32_t rows, float *score)
{
    pcn_vec x[BLOCK];
    uint32_t i, k, n;
    int result = PCN_OK;
    for (i = 0; i < rows && result >= 0; i += n) {
        n = rows - i < BLOCK ? rows - i : BLOCK;
        for (k = 0; k < n; k++)
            x[k] = value ? pcn_dense(value + (size_t)(i + k) * given.features, given.features) : row_vector(i + k);
        result = score_block(x, n, score + (size_t)i * row_scores());
    }
    return result;
}

EXPORT(decide) void decide(const float *score, uint32_t rows, int32_t *class)
{
    uint32_t i;
    for (i = 0; i < rows; i++)
        class[i] = class_told(pcn_decide(score + (size_t)i * row_scores(), row_scores(), (int)given.zero_class));
}

/* How sure scores are, from rows that were not learned from: a Newton step for each, twice. score: room for the scores
 * of one row, and behind them for its probabilities. */
EXPORT(calibrate) int calibrate(const float *value, const int32_t *label, uint32_t rows, float *score)
{
    uint32_t i;
    int result = PCN_OK;
    pcn_calibration_init(&doubt);
    for (i = 0; i < 2 * rows && result >= 0; i++) {
        uint32_t row = i % rows;
        pcn_vec x = pcn_dense(value + (size_t)row * given.features, given.features);
        float *p = score + row_scores();
        result = score_block(&x, 1, score);
        pcn_probabilities(&doubt, score, given.classes, p);
        pcn_calibrate(&doubt, score, given.classes, p, label[row]);
    }
    return result;
}

/* p: one for each class of each row. */
EXPORT(probabilities) void probabilities(const float *score, uint32_t rows, float *p)
{
    uint32_t i, k = given.classes;
    for (i = 0; i < rows; i++) pcn_probabilities(&doubt, score + (size_t)i * row_scores(), k, p + (size_t)i * k);
}

/* Class by class, then the biases. */
static const float *in_order(const pcn_linear *m)
{
    uint32_t c, j;
    for (c = 0; c < m->scores; c++) {
        size_t at = (size_t)c * m->features;
        for (j = 0; j < m->features; j++) plain[at + j] = m->weight[m->by_feature ? (size_t)j * m->scores + c : at + j];
        plain[(size_t)m->features * m->scores + c] = m->bias ? m->bias[c] : 0;
    }
    return plain;
}

/* The weights that predict; NULL: a kernel model has none. */
EXPORT(weights) const float *weights(void)
{
    pcn_linear m;
    if (is_kernel() || predictor(&m) < 0) return NULL;
    return in_order(&m);
}

/* The weights that learn: not the mean of them. */
EXPORT(trained) const float *trained(void)
{
    return is_kernel() ? NULL : in_order(&linear.live);
}

EXPORT(variances) const float *variances(void)
{
    return variance;
}
EXPORT(slots) const pcn_slot *slots(void)
{
    return support->slot;
}
EXPORT(coefficients) const float *coefficients(void)
{
    return support->coef;
}

/* |W|^2 of all classes together. Biases are components of W: the model keeps them times the bias input. */
EXPORT(norm2) float norm2(void)
{
    uint32_t n = (uint32_t)PCN_LINEAR_FLOATS(given.features, given.classes), i;
    if (!weights()) return 0;
    for (i = given.features * row_scores(); i < n && given.bias > 0; i++) plain[i] /= given.bias;
    return pcn_norm2(pcn_dense(plain, n));
}

/* Of the rows to learn from: errors, margin, R^2, |W|^2 and Novikoff's bound. score: room for one row. */
EXPORT(measure) const float *measure(float *score)
{
    static float found[5];
    pcn_measure q;
    uint32_t i;
    pcn_measure_init(&q);
    for (i = 0; i < given.rows; i++) {
        pcn_vec x = row_vector(i);
        score_block(&x, 1, score);
        pcn_measure_add(&q, score, row_scores(), row_class(i), pcn_decide(score, row_scores(), (int)given.zero_class),
                        pcn_norm2(x) + given.bias * given.bias);
    }
    found[0] = (float)q.errors;
    found[1] = q.margin;
    found[2] = q.radius2;
    found[3] = norm2();
    found[4] = (given.classes > 2 ? 2 : 1) * pcn_measure_bound(&q, found[3]);
    return found;
}

/* ---- Images ---- */

/* Its length, of which out[size] gets as much as it has room for; 0: there is none. */
EXPORT(image) size_t image(uint8_t *out, size_t size)
{
    pcn_perceptron state = linear;
    if (kept.weight) return pcn_linear_save_part(&kept, 0, out, size);
    if (is_kernel()) return pcn_kperceptron_save_part(&dual, 0, out, size);
    /* empty after an epoch: the program leaves it out, too */
    if (given.batch && pass.left == 0 && pcn_perceptron_end_batch(&state) < 0) return 0;
    return pcn_perceptron_save_part(&state, 0, out, size);
}

EXPORT(image_size) size_t image_size(const uint8_t *bytes, size_t have)
{
    return (size_t)pcn_image_size(bytes, have);
}
EXPORT(crc) uint32_t crc(const uint8_t *bytes, size_t size)
{
    return pcn_crc32(0, bytes, size);
}
EXPORT(error_text) const char *error_text(int result)
{
    return pcn_error_text(result);
}

/* A linear model goes into a trainer that has all that the image has. */
static int load_linear(const pcn_image *info, const uint8_t *bytes, size_t size)
{
    int result;
    given.algorithm = info->parts & PCN_PART_EXPONENTS ? WINNOW : info->parts & PCN_PART_VARIANCES ? AROW : PERCEPTRON;
    given.balanced = (info->parts & PCN_PART_BALANCED) != 0;
    given.threshold = 0;
    given.r = 1;
    result = open_linear((info->parts & PCN_PART_FEATURE_MAJOR) != 0, (info->parts & PCN_PART_SUMS) != 0);
    return result == PCN_OK ? pcn_perceptron_load(&linear, bytes, size) : result;
}

static int load_kernel(const pcn_image *info, const uint8_t *bytes, size_t size)
{
    given.algorithm = KERNEL;
    given.kernel = info->kernel_id - 1;
    given.degree = 1; /* the image's takes its place, as for gamma and coef0 */
    given.gamma = given.coef0 = 0;
    support = &loaded;
    reserve_work(info->slots);
    return work ? pcn_kmodel_open(&loaded, chosen_kernel(), bytes, size) : PCN_ENOMEM;
}

/* An image that lies in memory from reserve(), to predict with. It is not to learn on. */
EXPORT(load) int load(const uint8_t *bytes, size_t size)
{
    pcn_image info;
    int result = pcn_image_read(&info, bytes, size);
    if (result < 0) return result;
    if (info.kind > PCN_KIND_KERNEL || info.scores > size || info.kernel_id > 3) return PCN_EMATCH;
    given.features = info.features;
    given.classes = PCN_CLASSES(info.scores);
    given.rows = 0;
    pcn_pass_init(&pass, 0, 0, 0);
    return info.kind == PCN_KIND_KERNEL ? load_kernel(&info, bytes, size) : load_linear(&info, bytes, size);
}
