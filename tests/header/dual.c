/* Kernel models predict and learn as their definition says: golden traces, the linear kernel beside the primal
 * perceptron, the mean and the vote (PCN_DECIDE_...) beside a list of all models so far, kernel values beside double,
 * every store and form of row, and what pcn_kperceptron_learn returns. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "sums.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { N = 70, K = 4, ROWS = 60, SLOTS = ROWS, ENTRIES = 4000, EPOCHS = 3, SEEN = EPOCHS * ROWS };
enum { CLASSES = K, TIMES = SEEN };

#include "plain_kernel.h"

/* ---- Sets ---- */

static float random_integer(int most)
{
    return (float)((int)(random_bits() % (uint32_t)(2 * most + 1)) - most);
}

/* Rows end to end, dense and sparse: row i has `features` numbers and count[i] pairs. */
typedef struct set {
    uint32_t rows, features, classes;
    float x[ROWS * N], value[ROWS * N];
    uint32_t index[ROWS * N], start[ROWS], count[ROWS];
    int y[ROWS];
} set;

/* Fills in the pairs. */
static void set_pairs(set *s)
{
    uint32_t i, j, n = 0;
    for (i = 0; i < s->rows; i++) {
        s->start[i] = n;
        for (j = 0; j < s->features; j++) {
            float v = s->x[i * s->features + j];
            if (v == 0) continue;
            s->index[n] = j;
            s->value[n++] = v;
        }
        s->count[i] = n - s->start[i];
    }
}

/* Integers up to `most`, with most = 0 reals in (-1, 1), with most = -1 zeros and ones. */
static void set_init(set *s, uint32_t features, uint32_t classes, int most)
{
    uint32_t i;
    memset(s, 0, sizeof *s);
    s->rows = ROWS;
    s->features = features;
    s->classes = classes;
    for (i = 0; i < ROWS * features; i++) {
        float v = most > 0 ? random_integer(most) : most == 0 ? random_integer(8388607) / 8388608 : 1;
        s->x[i] = random_bits() % 3 == 0 ? 0 : v;
    }
    for (i = 0; i < ROWS; i++) s->y[i] = (int)(random_bits() % classes);
    set_pairs(s);
}

enum form { DENSE, SPARSE, ONES };

static pcn_vec row_of(const set *s, uint32_t i, enum form form)
{
    if (form == SPARSE) return pcn_sparse(s->index + s->start[i], s->value + s->start[i], s->count[i]);
    if (form == ONES) return pcn_ones(s->index + s->start[i], s->count[i]);
    return pcn_dense(s->x + i * s->features, s->features);
}

static void set_square(set *s, const int *y)
{
    static const float corner[8] = {0, 0, 0, 1, 1, 0, 1, 1};
    memset(s, 0, sizeof *s);
    s->rows = 4;
    s->features = 2;
    s->classes = 2;
    memcpy(s->x, corner, sizeof corner);
    memcpy(s->y, y, 4 * sizeof *y);
    set_pairs(s);
}

/* ---- Trainers ---- */

typedef struct dual {
    pcn_kperceptron m;
    pcn_slot slot[SLOTS];
    float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)];
    pcn_log_entry log[ENTRIES];
    float value[ROWS * N];
    uint32_t index[ROWS * N];
} dual;

/* `stored`: numbers of a vector that is copied to the memory. */
static void dual_init_for(dual *d, const set *s, pcn_kernel kernel, float bias_input, uint32_t stored, int logged)
{
    const size_t bytes = PCN_KPERCEPTRON_FLOATS(stored, s->classes, SLOTS) * sizeof *d->memory;
    pcn_kperceptron *m = &d->m;
    memset(d, 0, sizeof *d);
    CHECK(pcn_kperceptron_init(m, kernel, s->features, s->classes, d->slot, SLOTS, d->memory, bytes) == PCN_OK);
    if (logged) CHECK(pcn_kperceptron_use_log(m, d->log, ENTRIES) == PCN_OK);
    m->learner.bias_input = bias_input;
}

static void dual_init(dual *d, const set *s, pcn_kernel kernel, float bias_input)
{
    dual_init_for(d, s, kernel, bias_input, s->features, 1);
}

static int learn(dual *d, const set *s, uint32_t row)
{
    return pcn_kperceptron_learn_row(&d->m, row_of(s, row, DENSE), s->y[row], row);
}

static void train_on(dual *d, const set *s, uint32_t epochs, enum form form)
{
    uint32_t i, row;
    for (i = 0; i < epochs * s->rows; i++) {
        row = i % s->rows;
        CHECK(pcn_kperceptron_learn_row(&d->m, row_of(s, row, form), s->y[row], row) >= 0);
    }
}

static void train(dual *d, const set *s, uint32_t epochs)
{
    train_on(d, s, epochs, DENSE);
}

/* The class that scores give. */
static int class_of(const float *score, const pcn_kmodel *m)
{
    uint32_t c, best = 0;
    if (m->scores == 1) return score[0] > 0 || (score[0] == 0 && !m->zero_negative);
    for (c = 1; c < m->scores; c++)
        if (score[c] > score[best]) best = c;
    return (int)best;
}

/* With just as much work memory as is asked for; with less, nothing is written. The classes are those of the scores. */
static void scores_to(const pcn_kmodel *m, enum pcn_decision how, const pcn_vec *x, uint32_t rows, float *score)
{
    static float work[PCN_KMODEL_WORK(K, SLOTS, ROWS) + 1];
    const size_t floats = PCN_KMODEL_WORK(m->scores, m->slots, rows), bytes = floats * sizeof *work;
    int cls[ROWS + 1];
    uint32_t i;
    work[floats] = score[0] = 12345;
    CHECK(pcn_kmodel_scores(m, how, x, rows, score, work, bytes - 1) == PCN_EMEMORY);
    CHECK(score[0] == 12345);
    CHECK(pcn_kmodel_scores(m, how, x, rows, score, work, bytes) == PCN_OK);
    for (i = 0; i <= rows; i++) cls[i] = 12345;
    CHECK(pcn_kmodel_predict(m, how, x, rows, cls, work, bytes - 1) == PCN_EMEMORY && cls[0] == 12345);
    CHECK(pcn_kmodel_predict(m, how, x, rows, cls, work, bytes) == PCN_OK && cls[rows] == 12345);
    for (i = 0; i < rows; i++) {
        const float *of_row = score + i * m->scores;
        CHECK(cls[i] == class_of(of_row, m) && cls[i] == pcn_decide(of_row, m->scores, m->zero_negative));
    }
    CHECK(work[floats] == 12345);
}

static const float *scores_of(const pcn_kmodel *m, enum pcn_decision how, pcn_vec x)
{
    static float score[K];
    scores_to(m, how, &x, 1, score);
    return score;
}

static int same(const void *a, const void *b, size_t floats)
{
    return memcmp(a, b, floats * sizeof(float)) == 0;
}

/* ---- Golden traces ---- */

static const int or_y[4] = {0, 1, 1, 1}, xor_y[4] = {0, 1, 1, 0};

/* By preset CIML: an update at 0 always, and -1 at 0. */
static void golden_init(dual *d, set *s, const int *y, pcn_kernel kernel, float bias_input)
{
    set_square(s, y);
    dual_init(d, s, kernel, bias_input);
    d->m.model.zero_negative = 1;
}

static void check_golden(const int *y, pcn_kernel kernel, float bias_input, uint32_t epochs, uint64_t updates,
                         const float *a, const float *f)
{
    static dual d;
    static set s;
    uint32_t i, j;
    golden_init(&d, &s, y, kernel, bias_input);
    train(&d, &s, epochs - 1);
    CHECK(d.m.learner.count.updates == updates);
    for (i = 0; i < 4; i++) CHECK(learn(&d, &s, i) == 0); /* the last epoch is clean, the one */
    CHECK(d.log[updates - 1].clock > 4 * (epochs - 2));   /* before is not */
    for (i = 0; i < 4; i++) {
        float sum = 0, sign = y[i] ? 1 : -1;
        for (j = 0; j < d.m.model.slots; j++)
            if (d.m.model.slot[j].id == i) sum += d.m.model.coef[j];
        CHECK(sum == sign * a[i]);
        CHECK(scores_of(&d.m.model, PCN_DECIDE_LAST, row_of(&s, i, DENSE))[0] == f[i]);
    }
}

static void check_traces(void)
{
    static const float or_a[4] = {5, 2, 2, 0}, or_f[4] = {-1, 1, 1, 3};
    static const float xor_a[4] = {7, 5, 5, 4}, xor_f[4] = {-1, 2, 2, -3};
    static const uint32_t at[9] = {1, 2, 3, 5, 9, 10, 13, 15, 17};
    static dual d;
    static set s;
    uint32_t i;
    check_golden(or_y, pcn_kernel_linear(), 1, 6, 9, or_a, or_f);
    check_golden(or_y, pcn_kernel_poly(1, 1, 1), 0, 6, 9, or_a, or_f);
    check_golden(xor_y, pcn_kernel_poly(2, 1, 1), 0, 8, 21, xor_a, xor_f);
    golden_init(&d, &s, or_y, pcn_kernel_linear(), 1);
    train(&d, &s, 6);
    CHECK(d.m.model.entries == 9 && d.m.model.clock == 24 && d.m.model.slots == 3);
    for (i = 0; i < 9; i++) CHECK(d.log[i].clock == at[i] && d.log[i].cls == 0);
}

/* Survival times signs, with both signs of 0; survival times scores = 25 times the mean. */
static void check_golden_votes(void)
{
    static const float vote[2][4] = {{0, 22, 22, 22}, {-20, 20, 14, 22}};
    static const float sum[4] = {-10, 28, 22, 60};
    static dual d;
    static set s;
    uint32_t negative, i;
    for (negative = 0; negative < 2; negative++) {
        golden_init(&d, &s, or_y, pcn_kernel_linear(), 1);
        d.m.model.zero_negative = (uint8_t)negative;
        train(&d, &s, 6);
        for (i = 0; i < 4; i++) {
            pcn_vec x = row_of(&s, i, DENSE);
            CHECK(scores_of(&d.m.model, PCN_DECIDE_VOTE, x)[0] == vote[negative][i]);
            CHECK(scores_of(&d.m.model, PCN_DECIDE_MEAN, x)[0] == sum[i] / 25);
        }
    }
}

/* ---- The linear kernel is the primal perceptron ---- */

typedef uint32_t (*update_function)(const pcn_learner *, pcn_update *, uint32_t, float *);

static const update_function updates[] = {NULL, pcn_update_predicted, pcn_update_others, pcn_update_uniform,
                                          pcn_update_one_vs_rest};

/* Sums of small integers are exact in any order, so scores agree. 3 classes: shares of 1/2 too. */
static void check_primal(uint32_t classes, update_function update, pcn_rule rule, unsigned options)
{
    static set s;
    static dual d;
    static float memory[PCN_PERCEPTRON_FLOATS(N, K)];
    pcn_perceptron p;
    uint32_t i;
    set_init(&s, 15, classes, 2);
    dual_init(&d, &s, pcn_kernel_linear(), 1);
    CHECK(pcn_perceptron_init(&p, 15, classes, memory, sizeof memory) == PCN_OK);
    p.live.zero_negative = d.m.model.zero_negative = options & 1;
    p.learner.zero_predicted = d.m.learner.zero_predicted = options >> 1 & 1;
    p.learner.bias_input = d.m.learner.bias_input = (float)(options >> 2); /* none, 1, 2 */
    p.learner.update = d.m.learner.update = update;
    p.learner.rule = d.m.learner.rule = rule;
    for (i = 0; i < SEEN; i++) {
        pcn_vec x = row_of(&s, i % ROWS, DENSE);
        int learned = pcn_perceptron_learn(&p, x, s.y[i % ROWS]);
        CHECK(learn(&d, &s, i % ROWS) == learned && learned >= 0);
        CHECK(p.learner.guess == d.m.learner.guess);
        CHECK(same(p.learner.score, d.m.learner.score, PCN_SCORES(classes)));
        if (learned) CHECK(same(pcn_changes(&p.learner), pcn_changes(&d.m.learner), PCN_SCORES(classes)));
    }
    CHECK(memcmp(&p.learner.count, &d.m.learner.count, sizeof p.learner.count) == 0);
    CHECK(p.learner.count.updates != 0 && p.learner.clock == d.m.learner.clock);
    for (i = 0; i < ROWS; i++) {
        float score[K];
        pcn_linear_scores(&p.live, row_of(&s, i, DENSE), score);
        CHECK(same(score, scores_of(&d.m.model, PCN_DECIDE_LAST, row_of(&s, i, DENSE)), p.live.scores));
    }
}

static void check_primals(void)
{
    pcn_rule rule[3];
    size_t r, u;
    unsigned options;
    rule[0] = pcn_rule_fixed(1);
    rule[1] = pcn_rule_absolute();
    rule[2] = pcn_rule_fixed(2);
    rule[2].margin = 3;
    for (r = 0; r < LENGTH(rule); r++)
        for (options = 0; options < 12; options++) {
            check_primal(2, NULL, rule[r], options);
            check_primal(4, NULL, rule[r], options);
            for (u = 0; u < LENGTH(updates); u++) check_primal(3, updates[u], rule[r], options);
        }
}

/* ---- Mean and vote beside all models so far ---- */

static void all_past(const plain_past *past, const pcn_kmodel *m, const float *x, double *mean, double *vote)
{
    static const double exact[SLOTS + K] = {0};
    double kernel[SLOTS], radius[K];
    uint32_t i;
    for (i = 0; i < m->slots; i++)
        kernel[i] = (double)m->bias2 + plain_kernel(&m->kernel, x, m->value + m->slot[i].start, m->features);
    past_scores(past, m, kernel, exact, exact, mean, radius, vote);
}

static void check_past(uint32_t classes, update_function update, pcn_kernel kernel, unsigned options)
{
    static set s;
    static dual d;
    static plain_past past;
    uint32_t i, c;
    set_init(&s, 10, classes, 1);
    dual_init(&d, &s, kernel, (float)(options >> 2));
    d.m.model.zero_negative = options & 1;
    d.m.learner.zero_predicted = options >> 1 & 1;
    d.m.learner.update = update;
    for (i = 0; i < ROWS / 2; i++) s.y[i] = i % 8 == 0 && classes > 2; /* the others come late */
    past_note(&past, &d.m.model);                                      /* no slots yet */
    for (i = 0; i < SEEN; i++) {
        CHECK(learn(&d, &s, i % ROWS) >= 0);
        past_note(&past, &d.m.model);
    }
    for (i = 0; i < ROWS; i++) {
        double mean[K], vote[K];
        pcn_vec x = row_of(&s, i, DENSE);
        all_past(&past, &d.m.model, x.value, mean, vote);
        for (c = 0; c < PCN_SCORES(classes); c++) {
            double got = (double)scores_of(&d.m.model, PCN_DECIDE_MEAN, x)[c];
            CHECK(fabs(got - mean[c]) <= 1e-6 * (1 + fabs(mean[c])));
            CHECK((double)scores_of(&d.m.model, PCN_DECIDE_VOTE, x)[c] == vote[c]);
        }
    }
}

static void check_pasts(void)
{
    unsigned options;
    size_t u;
    for (options = 0; options < 8; options++) {
        check_past(2, NULL, pcn_kernel_linear(), options);
        check_past(2, NULL, pcn_kernel_poly(2, 1, 1), options);
        for (u = 0; u < LENGTH(updates); u++) {
            check_past(3, updates[u], pcn_kernel_poly(2, 1, 1), options);
            check_past(3, updates[u], pcn_kernel_linear(), options);
            if (updates[u] == pcn_update_uniform) continue; /* shares of 1/3 are rounded, and votes may change */
            check_past(4, updates[u], pcn_kernel_poly(2, 1, 1), options);
        }
    }
}

/* ---- Every store and form of row ---- */

enum store { COPIES, PAIRS, ROWS_DENSE, ROWS_SPARSE };

static void store_init_with(dual *d, const set *s, pcn_kernel kernel, enum store store, int logged)
{
    pcn_kperceptron *m = &d->m;
    const uint32_t last = s->rows - 1;
    dual_init_for(d, s, kernel, 0.75f, store == COPIES ? s->features : 0, logged);
    if (store == PAIRS) CHECK(pcn_kperceptron_use_sparse(m, d->value, d->index, ROWS * N) == PCN_OK);
    if (store == ROWS_DENSE) CHECK(pcn_kperceptron_use_rows(m, s->x, NULL, (size_t)s->rows * s->features) == PCN_OK);
    if (store == ROWS_SPARSE)
        CHECK(pcn_kperceptron_use_rows(m, s->value, s->index, s->start[last] + s->count[last]) == PCN_OK);
}

static void store_init(dual *d, const set *s, pcn_kernel kernel, enum store store)
{
    store_init_with(d, s, kernel, store, 1);
}

/* The scores of `first` for rows of form `of_first`, from all rows at once and from one at a time. */
static void check_scores(const pcn_kmodel *m, const pcn_kmodel *first, const set *s, enum form form, enum form of_first,
                         enum pcn_decision how)
{
    static float score[ROWS * K], expected[ROWS * K];
    pcn_vec x[ROWS];
    uint32_t i, scores = m->scores;
    for (i = 0; i < ROWS; i++) x[i] = row_of(s, i, of_first);
    scores_to(first, how, x, ROWS, expected);
    for (i = 0; i < ROWS; i++) x[i] = row_of(s, i, form);
    scores_to(m, how, x, ROWS, score);
    CHECK(same(score, expected, ROWS * scores));
    for (i = 0; i < ROWS; i++) CHECK(same(expected + i * scores, scores_of(m, how, x[i]), scores));
}

/* A model learned from rows of a form is `first` in every bit, and so are its scores; exact: for rows of any form. */
static void check_store(const set *s, pcn_kernel kernel, enum store store, enum form form, const dual *first, int exact)
{
    static dual d;
    const pcn_kmodel *m = &d.m.model;
    int how, seen;
    store_init(&d, s, kernel, store);
    train_on(&d, s, EPOCHS, form);
    CHECK(m->slots == first->m.model.slots && m->entries == first->m.model.entries);
    CHECK(same(m->coef, first->m.model.coef, m->slots * m->scores));
    CHECK(same(m->norm2, first->m.model.norm2, m->slots));
    CHECK(memcmp(m->log, first->m.model.log, m->entries * sizeof *m->log) == 0);
    CHECK(memcmp(&d.m.learner.count, &first->m.learner.count, sizeof d.m.learner.count) == 0);
    for (how = PCN_DECIDE_LAST; how <= PCN_DECIDE_VOTE; how++)
        for (seen = DENSE; seen <= (form == ONES ? ONES : SPARSE); seen++)
            check_scores(m, &first->m.model, s, (enum form)seen, exact ? DENSE : (enum form)seen,
                         (enum pcn_decision)how);
}

/* most: of set_init. Products of whole numbers are exact: every store of every form gives the same. Those of reals
 * are the same where vectors and rows have the same forms. */
static void check_stores(uint32_t features, uint32_t classes, pcn_kernel kernel, int most)
{
    static set s;
    static dual first;
    const int exact = most != 0;
    int form;
    set_init(&s, features, classes, most);
    store_init(&first, &s, kernel, COPIES);
    train(&first, &s, EPOCHS);
    CHECK(first.m.model.slots > 20); /* more than a tile */
    check_store(&s, kernel, ROWS_DENSE, DENSE, &first, exact);
    for (form = DENSE; exact && form <= (most < 0 ? ONES : SPARSE); form++) {
        check_store(&s, kernel, COPIES, (enum form)form, &first, 1);
        check_store(&s, kernel, PAIRS, (enum form)form, &first, 1);
    }
    if (!exact) {
        store_init(&first, &s, kernel, PAIRS);
        train_on(&first, &s, EPOCHS, SPARSE);
    }
    check_store(&s, kernel, ROWS_SPARSE, SPARSE, &first, exact);
}

/* x.z in the documented order: of two dense rows, of a sparse one with a dense one, and of the pairs of two sparse
 * ones. spread: row x in dense form. */
static float plain_product(pcn_vec x, const float *spread, pcn_vec z, uint32_t n)
{
    static float value[N];
    static uint32_t index[N];
    uint32_t i, pairs = 0;
    if (!z.index) return plain_sum(z.value, 1, n, x);
    if (!x.index) return plain_sum(x.value, 1, n, z);
    for (i = 0; i < z.count; i++) {
        if (spread[z.index[i]] == 0) continue;
        index[pairs] = z.index[i];
        value[pairs++] = z.value[i];
    }
    return plain_sum(spread, 1, n, pcn_sparse(index, value, pairs));
}

/* A row of a form as a store keeps it: pairs of a dense row have its zeros, too. */
static pcn_vec stored_row(const set *s, uint32_t i, enum store store, enum form form)
{
    static uint32_t every[N];
    uint32_t j;
    for (j = 0; j < N; j++) every[j] = j;
    if (store == PAIRS && form == DENSE) return pcn_sparse(every, s->x + i * s->features, s->features);
    return row_of(s, i, store == PAIRS ? form : DENSE);
}

/* Real rows of one form meet stored vectors of the other, or of the same: learning and its scores have the documented
 * order. */
static void check_order(uint32_t features, uint32_t classes, enum store store, enum form form)
{
    static set s;
    static dual d;
    const pcn_kmodel *m = &d.m.model;
    const uint32_t scores = PCN_SCORES(classes);
    uint32_t i, k, c, row;
    float kernel[SLOTS], score[K];
    set_init(&s, features, classes, 0);
    store_init(&d, &s, pcn_kernel_linear(), store);
    for (i = 0; i < SEEN; i++) {
        row = i % ROWS;
        for (k = 0; k < m->slots; k++) {
            pcn_vec z = stored_row(&s, m->slot[k].id, store, form);
            volatile float sum = plain_product(row_of(&s, row, form), s.x + row * features, z, features);
            sum = sum + 0.5625f; /* the bias input of store_init, squared */
            kernel[k] = sum;
        }
        for (c = 0; c < scores; c++) score[c] = plain_sum(m->coef + c, scores, m->slots, pcn_dense(kernel, m->slots));
        if (m->slots != 0) CHECK(same(score, scores_of(m, PCN_DECIDE_LAST, row_of(&s, row, form)), scores));
        CHECK(pcn_kperceptron_learn_row(&d.m, row_of(&s, row, form), s.y[row], row) >= 0);
        CHECK(same(score, d.m.learner.score, scores));
    }
}

static void check_all_stores(void)
{
    static const uint32_t features[] = {1, 7, 31, 33, N};
    size_t i;
    int most, form;
    for (i = 0; i < LENGTH(features); i++) {
        for (most = -1; most < 5; most += most < 0 ? 1 : 3) {
            check_stores(features[i], 2, pcn_kernel_linear(), most);
            check_stores(features[i], 3, pcn_kernel_poly(3, 0.1f, 1), most);
            check_stores(features[i], K, pcn_kernel_rbf(0.2f), most);
        }
        for (form = DENSE; form <= SPARSE; form++) {
            check_order(features[i], 2, COPIES, (enum form)form);
            check_order(features[i], K, COPIES, (enum form)form);
            check_order(features[i], 2, PAIRS, (enum form)form);
            check_order(features[i], K, PAIRS, (enum form)form);
        }
    }
}

/* Features at or beyond the model's count for nothing, in the norm of an RBF kernel neither. */
static void check_beyond(pcn_kernel kernel, enum store store)
{
    static set s;
    static dual d;
    uint32_t i, index[N + 2];
    float value[N + 2], score[3];
    set_init(&s, N - 2, 3, 0);
    store_init(&d, &s, kernel, store);
    train(&d, &s, EPOCHS);
    for (i = 0; i < N; i++) {
        index[i] = i < N - 2 ? i : 3 * i;
        value[i] = i < N - 2 ? s.x[i] : 5;
    }
    memcpy(score, scores_of(&d.m.model, PCN_DECIDE_LAST, pcn_dense(s.x, N - 2)), sizeof score);
    CHECK(same(score, scores_of(&d.m.model, PCN_DECIDE_LAST, pcn_dense(value, N)), 3));
    memcpy(score, scores_of(&d.m.model, PCN_DECIDE_LAST, pcn_sparse(index, value, N - 2)), sizeof score);
    CHECK(same(score, scores_of(&d.m.model, PCN_DECIDE_LAST, pcn_sparse(index, value, N)), 3));
}

/* ---- Kernel values ---- */

/* The value of a kernel: the score of a model of one vector with coefficient 1, without bias. */
static void single_init(dual *d, const set *s, pcn_kernel kernel, uint32_t row, enum form form)
{
    store_init(d, s, kernel, form == DENSE ? COPIES : PAIRS);
    d->m.learner.bias_input = 0;
    CHECK(pcn_kperceptron_learn_row(&d->m, row_of(s, row, form), 1, row) == 1);
    CHECK(d->m.model.coef[0] == 1);
}

/* Rows of one form beside a vector of another: within the bound; RBF: never above 1, and 1 for the vector itself in the
 * same form. */
static void check_value(pcn_kernel kernel, enum form stored, enum form form)
{
    static set s;
    static dual d;
    uint32_t i;
    set_init(&s, N, 2, 0);
    single_init(&d, &s, kernel, 0, stored);
    for (i = 0; i < ROWS; i++) {
        double want = plain_kernel(&kernel, s.x + i * N, s.x, N);
        float value = scores_of(&d.m.model, PCN_DECIDE_LAST, row_of(&s, i, form))[0];
        CHECK(fabs((double)value - want) <= kernel_radius(&kernel, s.x + i * N, s.x, N));
        CHECK(kernel.id != 3 || value <= 1);
        CHECK(kernel.id != 3 || i != 0 || stored != form || value == 1); /* sums of one order */
    }
}

static void check_values(void)
{
    static const float gamma[] = {0.001f, 0.1f, 1, 3, 1e5f};
    size_t g;
    uint32_t degree, i;
    for (g = 0; g < 4 * LENGTH(gamma); g++) {
        const float now = gamma[g / 4];
        const enum form stored = g & 1 ? SPARSE : DENSE, form = g & 2 ? SPARSE : DENSE;
        for (i = 0; i < 5; i++) check_value(pcn_kernel_rbf(now), stored, form);
        for (degree = 1; degree < 10 && now < 4; degree++) {
            check_value(pcn_kernel_poly(degree, now / 4, 1), stored, form);
            check_value(pcn_kernel_poly(degree, now / 4, -0.5f), stored, form);
            check_value(pcn_kernel_poly(degree, -now / 4, 0), stored, form);
        }
    }
}

/* Beside the zero vector an RBF kernel of gamma 1 is exp(-x^2): t = -x^2 over the powers of two
 * from 2^-74 on and over every whole part of t / ln 2. */
static void check_exp(void)
{
    enum { TRIALS = 300000 };
    static set s;
    static dual d;
    double worst = 0;
    uint32_t i;
    set_init(&s, 1, 2, 0);
    s.x[0] = 0;
    single_init(&d, &s, pcn_kernel_rbf(1), 0, DENSE);
    for (i = 0; i < TRIALS; i++) {
        float x = ldexpf((float)(random_bits() >> 9) + 8388608, (int)(i / 2 % 40) - 60), score;
        volatile float t; /* rounded, whatever registers a processor has */
        double want, ulp;
        int exponent;
        if (i % 2) x = sqrtf(87 * (float)(random_bits() >> 8) / 16777216);
        t = x * x;
        if (t > 87) continue;
        want = exp(-(double)t);
        score = scores_of(&d.m.model, PCN_DECIDE_LAST, pcn_dense(&x, 1))[0];
        (void)frexp(want, &exponent);
        ulp = ldexp(1, exponent - 24);
        if (fabs((double)score - want) / ulp > worst) worst = fabs((double)score - want) / ulp;
    }
    CHECK(worst <= 1.5 && worst > 0.5);
}

/* ---- RBF of rows that are near to each other, or far from 0 ---- */

/* Rows of `features` reals about `offset`, the second half each near one of the first half. A fourth of the columns has
 * zeros, which sparse rows do not give. */
static void set_about(set *s, uint32_t features, float offset, float spread)
{
    uint32_t i, j;
    set_init(s, features, 2, 0);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < features; j++) {
            float *v = &s->x[i * features + j];
            if (*v == 0 && j % 4 != 0) *v = 0.5f;
            if (i >= ROWS / 2 && random_bits() % 8 != 0)
                *v = s->x[(i - ROWS / 2) * features + j] + (*v != 0 ? spread / 64 * *v : 0);
            else if (*v != 0)
                *v = offset + spread * *v;
        }
    set_pairs(s);
}

/* What the manual says of the distance; *near: by which sum. zz: |z|^2, of the row as it was learned. */
static float plain_rbf(const pcn_kernel *k, pcn_vec x, const float *spread, pcn_vec z, float zz, uint32_t n, int *near)
{
    const float xx = plain_norm2(x), nothing = 0;
    volatile float both = xx + zz, dot = 2 * plain_product(x, spread, z, n), d = both - dot;
    float value = 0;
    *near = !(d >= (k->gamma * both >= 16 ? both / 64 : 0));
    if (*near) d = plain_distance2(x, z, n);
    k->of_dots(k, &value, &nothing, d, 1); /* beside the zero vector: exp(-gamma d), as check_exp finds it */
    return value;
}

/* Every row meets one of the vectors stored, alone and with all others. Counts in total[0] those of the usual sum, in
 * total[1] the others. */
static void check_distances(const set *s, pcn_kernel kernel, enum store store, enum form form, uint32_t *total)
{
    static dual d;
    static float all[ROWS];
    pcn_vec x[ROWS];
    uint32_t i, seen, n = s->features;
    store_init(&d, s, kernel, store);
    d.m.learner.bias_input = 0;
    d.m.learner.rule.margin = FLT_MAX;
    for (i = 0; i < ROWS / 2; i++) CHECK(pcn_kperceptron_learn_row(&d.m, row_of(s, i, form), 1, i) == 1);
    seen = random_bits() % (ROWS / 2);
    for (i = 0; i < ROWS / 2; i++) d.m.own.coef[i] = i == seen ? 1 : 0;
    for (i = 0; i < ROWS; i++) x[i] = row_of(s, i, form);
    scores_to(&d.m.model, PCN_DECIDE_LAST, x, ROWS, all);
    for (i = 0; i < ROWS; i++) {
        int near;
        float want = plain_rbf(&kernel, x[i], s->x + i * n, stored_row(s, seen, store, form), plain_norm2(x[seen]), n,
                               &near);
        double exact = plain_kernel(&kernel, s->x + i * n, s->x + seen * n, n);
        CHECK(same(&want, scores_of(&d.m.model, PCN_DECIDE_LAST, x[i]), 1) && same(&want, all + i, 1));
        CHECK(fabs((double)want - exact) <= 0.37 * (n / 4 + 9) / 65536 + 1e-6);
        total[near]++;
    }
}

static void check_all_distances(void)
{
    static const float offset[] = {0, 1, 100, 2000, 1e6f}, spread[] = {1, 1e-3f, 300};
    static set s;
    uint32_t total[2] = {0, 0}, i, features;
    for (i = 0; i < 400; i++) {
        const enum store store = i & 1 ? PAIRS : COPIES;
        const enum form form = i & 2 ? SPARSE : DENSE;
        const float about = offset[i / 4 % 5], wide = spread[i / 20 % 3];
        features = 1 + random_bits() % (i % 7 == 0 ? N : 12);
        set_about(&s, features, about, wide);
        check_distances(&s, pcn_kernel_rbf((1 + (float)(random_bits() >> 16) / 4096) / (wide * wide)), store, form,
                        total);
    }
    CHECK(total[0] + total[1] == 24000 && total[0] > 10000 && total[1] > 4000);
}

/* An own kernel that is (x.z)^2 has the bits of the polynomial; `user` comes along. */
static float own_kernel(const pcn_kernel *k, const pcn_vec *x, const pcn_vec *z)
{
    float dot = pcn_dot(z->value, z->count, *x);
    CHECK(*(const int *)k->user == 77);
    return dot * dot;
}

static void check_own(void)
{
    static const int user = 77;
    static set s;
    static dual own, poly;
    pcn_kernel kernel = pcn_kernel_linear();
    uint32_t i;
    kernel.of_dots = NULL;
    kernel.of_vectors = own_kernel;
    kernel.id = 256;
    kernel.user = &user;
    set_init(&s, N, 3, 0);
    dual_init(&own, &s, kernel, 1);
    dual_init(&poly, &s, pcn_kernel_poly(2, 1, 0), 1);
    own.m.learner.rule = poly.m.learner.rule = pcn_rule_pa(1); /* uses K(x, x) too */
    train(&own, &s, EPOCHS);
    train(&poly, &s, EPOCHS);
    CHECK(same(own.m.own.coef, poly.m.own.coef, 3 * own.m.model.slots));
    for (i = 0; i < ROWS; i++) {
        float score[3];
        memcpy(score, scores_of(&own.m.model, PCN_DECIDE_LAST, row_of(&s, i, SPARSE)), sizeof score);
        CHECK(same(score, scores_of(&poly.m.model, PCN_DECIDE_LAST, row_of(&s, i, SPARSE)), 3));
    }
}

/* ---- Many rows and vectors ---- */

/* Many rows with `count` of the features meet vectors that lie side by side: each product is that of pcn_dot. */
static void check_panels(uint32_t features, uint32_t count)
{
    static set stored, rows;
    static pcn_slot slot[SLOTS];
    static float norm2[SLOTS], coef[SLOTS], score[ROWS];
    const uint32_t seen = 5 * features % SLOTS; /* the one vector with a coefficient */
    pcn_kmodel m;
    pcn_vec x[ROWS];
    uint32_t i, differ = 0;
    set_init(&stored, features, 2, 0);
    set_init(&rows, features, 2, 0);
    memset(coef, 0, sizeof coef);
    coef[seen] = 1;
    for (i = 0; i < SLOTS; i++) {
        slot[i].start = i * features;
        slot[i].count = features;
    }
    for (i = 0; i < ROWS; i++) x[i] = pcn_dense(rows.x + i * features, count);
    memset(&m, 0, sizeof m);
    m.kernel = pcn_kernel_linear();
    m.value = stored.x;
    m.slot = slot;
    m.norm2 = norm2;
    m.coef = coef;
    m.features = features;
    m.scores = 1;
    m.slots = SLOTS - features % 3; /* the last panel may be part of one */
    scores_to(&m, PCN_DECIDE_LAST, x, ROWS, score);
    for (i = 0; i < ROWS && seen < m.slots; i++) differ += score[i] != pcn_dot(stored.x + seen * features, count, x[i]);
    CHECK(differ == 0);
}

static void check_all_panels(void)
{
    uint32_t features;
    for (features = 1; features <= N; features++) {
        check_panels(features, features);
        check_panels(features, features / 2);
        check_panels(features, features - 1);
    }
}

/* Vectors by the hundred, or so long that few fit the first cache; all of a length, or every third one shorter, or
 * longer than the model has features: the sums are whole numbers, and exact in any order. */
static void check_tiles(uint32_t features, uint32_t length, uint32_t shorter, uint32_t slots, uint32_t rows)
{
    float *value = (float *)malloc((size_t)slots * length * sizeof *value), *coef, *norm2, *x, *score, *work;
    pcn_slot *slot = (pcn_slot *)calloc(slots, sizeof *slot);
    pcn_vec *row = (pcn_vec *)malloc(rows * sizeof *row);
    pcn_kmodel m;
    uint32_t i, j, s, differ = 0;
    coef = (float *)malloc(slots * sizeof *coef);
    norm2 = (float *)calloc(slots, sizeof *norm2);
    x = (float *)malloc((size_t)rows * features * sizeof *x);
    score = (float *)malloc(rows * sizeof *score);
    work = (float *)malloc(PCN_KMODEL_WORK(2, slots, rows) * sizeof *work);
    for (i = 0; i < slots * length; i++) value[i] = random_integer(3);
    for (s = 0; s < slots; s++) {
        coef[s] = random_integer(3);
        slot[s].start = s * length;
        slot[s].count = s % 3 == 2 ? length - shorter : length;
    }
    for (i = 0; i < rows * features; i++) x[i] = random_integer(3);
    for (i = 0; i < rows; i++) row[i] = pcn_dense(x + (size_t)i * features, features);
    memset(&m, 0, sizeof m);
    m.kernel = pcn_kernel_linear();
    m.value = value, m.slot = slot, m.norm2 = norm2, m.coef = coef;
    m.features = features, m.slots = slots, m.scores = 1;
    CHECK(pcn_kmodel_scores(&m, PCN_DECIDE_LAST, row, rows, score, work,
                            PCN_KMODEL_WORK(2, slots, rows) * sizeof *work) == PCN_OK);
    for (i = 0; i < rows; i++) {
        float single = 0;
        int64_t sum = 0;
        for (s = 0; s < slots; s++)
            for (j = 0; j < slot[s].count && j < features; j++)
                sum += (int64_t)(coef[s] * value[slot[s].start + j] * x[i * features + j]);
        differ += (int64_t)score[i] != sum;
        CHECK(pcn_kmodel_scores(&m, PCN_DECIDE_LAST, row + i, 1, &single, work,
                                PCN_KMODEL_WORK(2, slots, 1) * sizeof *work) == PCN_OK);
        differ += (int64_t)single != sum;
    }
    CHECK(differ == 0);
    free(value), free(coef), free(norm2), free(x), free(score), free(work), free(slot), free(row);
}

static void check_all_tiles(void)
{
    check_tiles(3, 3, 0, 300, 5); /* more than 256 */
    check_tiles(3, 3, 1, 300, 5);
    check_tiles(500, 500, 0, 20, 70); /* more than 384 features: tiles of 8, and no panels */
    check_tiles(40, 40, 0, 40, 20);   /* panels */
    check_tiles(40, 40, 1, 40, 20);   /* not equally long */
    check_tiles(40, 44, 0, 40, 20);   /* longer than the model has features */
}

/* This file does not ask for the heap: a model without slots is refused, and its memory not touched. */
static void check_no_growth(void)
{
    static dual d, before;
    int i;
    for (i = 0; i < 2; i++) {
        memset(&d, 77, sizeof d);
        memcpy(&before, &d, sizeof d);
        memset(&before.m, 0, sizeof before.m);
        CHECK(pcn_kperceptron_init(&d.m, pcn_kernel_linear(), N, 2, i ? d.slot : NULL, 0, d.memory, sizeof d.memory) ==
              PCN_EOPTION);
        CHECK(memcmp(&d, &before, sizeof d) == 0);
    }
}

/* What learn takes from the settings stays; the first vector fixes B. */
static void check_settings_kept(void)
{
    float memory[PCN_KPERCEPTRON_FLOATS(1, 2, 2)];
    const float x = 1;
    pcn_slot slot[2];
    pcn_kperceptron m;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_linear(), 1, 2, slot, 2, memory, sizeof memory) == PCN_OK);
    m.learner.zero_predicted = 1;
    m.learner.bias_input = 0.5f;
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 1) == 0 && m.model.bias2 == 0.25f); /* nothing is stored */
    m.learner.zero_predicted = 0;
    m.learner.bias_input = 1;
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 1) == 1 && m.model.bias2 == 1);
    m.learner.bias_input = 0.5f;
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 1) == PCN_EOPTION && m.model.bias2 == 1);
    m.learner.bias_input = -1;
    CHECK(pcn_kperceptron_learn(&m, pcn_dense(&x, 1), 1) == 0 && m.model.bias2 == 1);
}

/* ---- What a trainer answers ---- */

/* Scores and class of the trainer are those of its model, bit for bit. Nothing changes but what learn writes first. */
static void check_answer(dual *d, pcn_vec x)
{
    static dual before;
    static float work[PCN_KMODEL_WORK(K, SLOTS, 1)];
    const enum pcn_decision how = d->m.own.logged ? PCN_DECIDE_MEAN : PCN_DECIDE_LAST;
    const uint32_t scores = d->m.model.scores;
    float score[K + 1], expected[K];
    int cls = 77;
    memcpy(&before, d, sizeof before);
    CHECK(pcn_kmodel_scores(&d->m.model, how, &x, 1, expected, work, sizeof work) == PCN_OK);
    CHECK(pcn_kmodel_predict(&d->m.model, how, &x, 1, &cls, work, sizeof work) == PCN_OK);
    score[scores] = 12345;
    CHECK(pcn_kperceptron_predict(&d->m, x) == cls);
    pcn_kperceptron_scores(&d->m, x, score);
    CHECK(same(score, expected, scores) && score[scores] == 12345);
    CHECK(pcn_kperceptron_predict(&d->m, x) == pcn_decide(score, scores, d->m.model.zero_negative));
    memcpy(d->m.own.row, before.memory + 2 * scores, SLOTS * sizeof *score); /* kernel values of the row asked */
    CHECK(d->m.own.row == d->memory + 2 * scores && memcmp(&before, d, sizeof before) == 0);
}

/* Rows of the set in every form, with features beyond the model, and of none. */
static void check_answers(dual *d, const set *s)
{
    static const uint32_t beyond[] = {0, N, N + 5, UINT32_MAX};
    static const float value[N + 4] = {0.5f, 3, -7, 2};
    uint32_t i;
    for (i = 0; i < ROWS; i += 7) {
        check_answer(d, row_of(s, i, DENSE));
        check_answer(d, row_of(s, i, SPARSE));
        check_answer(d, row_of(s, i, ONES));
    }
    check_answer(d, pcn_sparse(beyond, value, 4));
    check_answer(d, pcn_ones(beyond, 4));
    check_answer(d, pcn_dense(value, N + 4));
    check_answer(d, pcn_ones(NULL, N + 4));
    check_answer(d, pcn_sparse(NULL, NULL, 0));
}

/* A trainer that is asked between rows learns what one learns that is not. */
static void check_asked(uint32_t classes, pcn_kernel kernel, enum store store, int logged, update_function update)
{
    static set s;
    static dual asked, silent;
    const enum form form = store == PAIRS || store == ROWS_SPARSE ? SPARSE : DENSE;
    uint32_t i;
    set_init(&s, N, classes, 0);
    store_init_with(&asked, &s, kernel, store, logged);
    store_init_with(&silent, &s, kernel, store, logged);
    asked.m.learner.update = silent.m.learner.update = update;
    asked.m.model.zero_negative = silent.m.model.zero_negative = (uint8_t)logged;
    for (i = 0; i < 2 * ROWS; i++) {
        const uint32_t row = i % ROWS;
        if (i % 13 == 0) check_answers(&asked, &s); /* first of a model without vectors */
        (void)pcn_kperceptron_predict(&asked.m, row_of(&s, (row + 1) % ROWS, form));
        CHECK(pcn_kperceptron_learn_row(&asked.m, row_of(&s, row, form), s.y[row], row) ==
              pcn_kperceptron_learn_row(&silent.m, row_of(&s, row, form), s.y[row], row));
        CHECK(same(asked.m.learner.score, silent.m.learner.score, 2 * PCN_SCORES(classes)));
    }
    CHECK(asked.m.model.slots == silent.m.model.slots && asked.m.model.slots > 20);
    CHECK(same(asked.m.own.coef, silent.m.own.coef, asked.m.model.slots * asked.m.model.scores));
    CHECK(memcmp(asked.log, silent.log, sizeof asked.log) == 0);
    CHECK(memcmp(&asked.m.learner.count, &silent.m.learner.count, sizeof asked.m.learner.count) == 0);
}

static void check_all_asked(void)
{
    uint32_t classes;
    int store, logged;
    for (classes = 2; classes <= K; classes++)
        for (store = COPIES; store <= ROWS_SPARSE; store++)
            for (logged = 0; logged < 2; logged++) {
                check_asked(classes, pcn_kernel_linear(), (enum store)store, logged, NULL);
                check_asked(classes, pcn_kernel_rbf(0.2f), (enum store)store, logged, pcn_update_one_vs_rest);
            }
}

/* A tie goes to the lowest class, and a single score of 0 where zero_negative says; f = 0 has no vectors. */
static void check_empty_answers(uint32_t classes)
{
    static dual d;
    static set s;
    float score[K] = {7, 7, 7, 7};
    uint32_t c;
    int logged, zero_negative;
    set_init(&s, N, classes, 0);
    for (logged = 0; logged < 2; logged++)
        for (zero_negative = 0; zero_negative < 2; zero_negative++) {
            store_init_with(&d, &s, pcn_kernel_rbf(1), COPIES, logged);
            d.m.model.zero_negative = (uint8_t)zero_negative;
            CHECK(pcn_kperceptron_predict(&d.m, row_of(&s, 0, DENSE)) == (classes == 2 && !zero_negative));
            pcn_kperceptron_scores(&d.m, row_of(&s, 0, DENSE), score);
            for (c = 0; c < PCN_SCORES(classes); c++) CHECK(score[c] == 0);
        }
}

/* More classes than any vector register has lanes: the best of all, on a tie the lowest. */
static void check_many_classes(int logged)
{
    enum { CLASSES_HERE = 19, HERE = 40, FEW = 3 };
    static float memory[PCN_KPERCEPTRON_FLOATS(FEW, CLASSES_HERE, HERE)], x[HERE][FEW];
    static float work[PCN_KMODEL_WORK(CLASSES_HERE, HERE, 1)];
    static pcn_slot slot[HERE];
    static pcn_log_entry log[4 * HERE];
    float score[CLASSES_HERE], expected[CLASSES_HERE];
    uint8_t won[CLASSES_HERE] = {0};
    pcn_kperceptron m;
    uint32_t i, classes = 0;
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(2), FEW, CLASSES_HERE, slot, HERE, memory, sizeof memory) == PCN_OK);
    if (logged) CHECK(pcn_kperceptron_use_log(&m, log, LENGTH(log)) == PCN_OK);
    for (i = 0; i < HERE; i++) {
        const enum pcn_decision how = logged ? PCN_DECIDE_MEAN : PCN_DECIDE_LAST;
        pcn_vec v = pcn_dense(x[i], FEW);
        int cls;
        x[i][0] = random_integer(99) / 33, x[i][1] = random_integer(99) / 33, x[i][2] = 1;
        CHECK(pcn_kperceptron_learn(&m, v, (int)(i % CLASSES_HERE)) >= 0);
        v = pcn_dense(x[i / 2], FEW);
        CHECK(pcn_kmodel_scores(&m.model, how, &v, 1, expected, work, sizeof work) == PCN_OK);
        CHECK(pcn_kmodel_predict(&m.model, how, &v, 1, &cls, work, sizeof work) == PCN_OK);
        pcn_kperceptron_scores(&m, v, score);
        CHECK(same(score, expected, CLASSES_HERE) && pcn_kperceptron_predict(&m, v) == cls);
        won[cls] = 1;
    }
    for (i = 0; i < CLASSES_HERE; i++) classes += won[i];
    CHECK(classes > 9);
}

int main(void)
{
    uint32_t classes;
    int store, logged;
    check_no_growth();
    check_traces();
    check_golden_votes();
    check_primals();
    check_pasts();
    check_all_stores();
    for (store = COPIES; store <= PAIRS; store++) {
        check_beyond(pcn_kernel_linear(), (enum store)store);
        check_beyond(pcn_kernel_rbf(0.1f), (enum store)store);
    }
    check_values();
    check_exp();
    check_all_distances();
    check_all_panels();
    check_all_tiles();
    check_own();
    check_settings_kept();
    check_all_asked();
    for (classes = 2; classes <= K; classes++) check_empty_answers(classes);
    for (logged = 0; logged < 2; logged++) check_many_classes(logged);
    return report();
}
