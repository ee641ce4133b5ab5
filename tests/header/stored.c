/* What kernel models store: ids of rows, streams, budgets (oldest, random, Forgetron, projectron) beside naive
 * implementations in double, growth (PERCEPTRON_GROW) with an allocator that fails at each call in turn, logs that
 * grow, classes that change places, and every error.
 *
 * Assertions are counted: none may break but where a test breaks it. */
#include <stddef.h>
static int broken;
#define PCN_ASSERT(condition) ((condition) ? (void)0 : (void)broken++)
static void *counted_realloc(void *p, size_t size);
static void counted_free(void *p);
#define PERCEPTRON_REALLOC(p, size) counted_realloc(p, size)
#define PERCEPTRON_FREE(p) counted_free(p)
#define PERCEPTRON_GROW
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "test.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { N = 12, K = 4, ROWS = 40, SLOTS = ROWS, ENTRIES = 1000, EPOCHS = 4, CLASSES = 1, TIMES = 0 };

/* ---- An allocator that fails once, at the call number fail_at ---- */

static long live, calls, fail_at;

static void *counted_realloc(void *p, size_t size)
{
    if (++calls == fail_at) return NULL;
    live += !p;
    return realloc(p, size);
}

static void counted_free(void *p)
{
    live -= p != NULL;
    free(p);
}

/* ---- Rows ---- */

static float random_real(void) /* (-1, 1) */
{
    return (float)((int)(random_bits() >> 8) - 8388608) / 8388608;
}

/* Rows end to end, and a label below K for each. Every third number is 0. Behind them lie numbers for rows
 * that are refused, and beyond CELLS some that models know nothing of. */
enum { SPARE = ROWS * N, CELLS = SPARE + 2 * N - 3, ALL = CELLS + N };
static float rows[ALL];
static uint32_t indices[ALL];
static int label[ROWS];

static void rows_init(uint32_t classes)
{
    uint32_t i;
    for (i = 0; i < ALL; i++) {
        rows[i] = i < SPARE && random_bits() % 3 != 0 ? random_real() : 0;
        indices[i] = i % N;
    }
    for (i = 0; i < ROWS; i++) label[i] = (int)(random_bits() % classes);
}

/* ---- Trainers ---- */

enum store { COPIES, PAIRS, BORROWED, BORROWED_PAIRS, STORES };

typedef struct dual {
    pcn_kperceptron m;
    pcn_slot slot[SLOTS];
    float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)];
    pcn_log_entry log[ENTRIES];
    float value[SLOTS * N], aux[SLOTS * (SLOTS + 2)];
    uint32_t index[SLOTS * N];
    enum store store;
} dual;

enum policy { STOP, OLDEST, RANDOM, FORGETRON, PROJECTRON, GROW };

/* What a budget of so many slots asks for, in just as much memory. */
static int policy_init(dual *d, enum policy policy, uint32_t slots, float tolerance)
{
    static int (*const admit[])(pcn_kperceptron *, const pcn_vec *) = {
        NULL, pcn_admit_oldest, pcn_admit_random, NULL, NULL, pcn_admit_grow};
    const size_t bytes = slots * sizeof *d->aux;
    if (policy == FORGETRON) return pcn_kperceptron_use_forgetron(&d->m, d->aux, bytes);
    if (policy == PROJECTRON) return pcn_kperceptron_use_projectron(&d->m, tolerance, d->aux, bytes * (slots + 2));
    d->m.admit = admit[policy];
    return PCN_OK;
}

/* slots = 0: grows. */
static void dual_init(dual *d, pcn_kernel kernel, uint32_t classes, uint32_t slots, enum store store,
                      enum policy policy)
{
    pcn_kperceptron *m = &d->m;
    const size_t bytes = PCN_KPERCEPTRON_FLOATS(store == COPIES ? N : 0, classes, slots) * sizeof *d->memory;
    pcn_slot *slot = slots != 0 ? d->slot : NULL;
    live = 0; /* each check counts its own */
    memset(d, 0, sizeof *d);
    d->store = store;
    CHECK(pcn_kperceptron_init(m, kernel, N, classes, slot, slots, d->memory, bytes) == PCN_OK);
    if (store == PAIRS && slots != 0) CHECK(pcn_kperceptron_use_sparse(m, d->value, d->index, slots * N) == PCN_OK);
    if (store == PAIRS && slots == 0) CHECK(pcn_kperceptron_use_sparse(m, NULL, NULL, 0) == PCN_OK);
    if (store == BORROWED) CHECK(pcn_kperceptron_use_rows(m, rows, NULL, CELLS) == PCN_OK);
    if (store == BORROWED_PAIRS) CHECK(pcn_kperceptron_use_rows(m, rows, indices, CELLS) == PCN_OK);
    CHECK(policy_init(d, policy, slots, 0) == PCN_OK);
}

static pcn_vec row_of(const dual *d, uint32_t i)
{
    int sparse = d->store == PAIRS || d->store == BORROWED_PAIRS;
    return pcn_sparse(sparse ? indices + i * N : NULL, rows + i * N, N);
}

static int learn(dual *d, uint32_t i)
{
    return pcn_kperceptron_learn_row(&d->m, row_of(d, i % ROWS), label[i % ROWS], i % ROWS);
}

static void train(dual *d, uint32_t epochs)
{
    uint32_t i;
    for (i = 0; i < epochs * ROWS; i++) CHECK(learn(d, i) >= 0);
}

/* Scores of all rows. */
static void score_rows(const dual *d, float *score)
{
    static float work[PCN_KMODEL_WORK(K, SLOTS, ROWS)];
    pcn_vec x[ROWS];
    uint32_t i;
    for (i = 0; i < ROWS; i++) x[i] = row_of(d, i);
    CHECK(pcn_kmodel_scores(&d->m.model, PCN_DECIDE_LAST, x, ROWS, score, work, sizeof work) == PCN_OK);
}

static int same(const void *a, const void *b, size_t floats)
{
    return floats == 0 || memcmp(a, b, floats * sizeof(float)) == 0;
}

static int same_scores(const dual *a, const dual *b)
{
    static float x[ROWS * K], y[ROWS * K];
    score_rows(a, x);
    score_rows(b, y);
    return same(x, y, ROWS * a->m.model.scores);
}

/* The frozen model, counts and all arrays; only what the next learn writes first may differ. */
static int unchanged(const dual *d, const dual *before)
{
    const pcn_kperceptron *a = &d->m, *b = &before->m;
    size_t kept = a->own.norm2 ? (size_t)(a->own.norm2 - d->memory) : 0;
    return memcmp(&a->model, &b->model, sizeof a->model) == 0 &&
           memcmp(&a->learner.count, &b->learner.count, sizeof a->learner.count) == 0 &&
           a->learner.guess == b->learner.guess && a->learner.clock == b->learner.clock &&
           a->learner.moved == b->learner.moved && a->seed == b->seed && a->own.slack == b->own.slack &&
           a->own.cells == b->own.cells && same(d->memory + kept, before->memory + kept, LENGTH(d->memory) - kept) &&
           same(d->value, before->value, LENGTH(d->value)) && memcmp(d->slot, before->slot, sizeof d->slot) == 0 &&
           memcmp(d->index, before->index, sizeof d->index) == 0 && memcmp(d->log, before->log, sizeof d->log) == 0;
}

/* learn refuses x with `expected`, and nothing changes but the count of such rows. */
static void refuses(dual *d, pcn_vec x, int y, uint32_t id, int expected)
{
    static dual before;
    memcpy(&before, d, sizeof before);
    CHECK(pcn_kperceptron_learn_row(&d->m, x, y, id) == expected);
    CHECK(unchanged(d, &before) && d->m.refused == before.m.refused + 1);
}

/* Every example updates. */
static void always(dual *d)
{
    d->m.learner.rule.margin = FLT_MAX;
}

/* ---- Identities and the fixed room ---- */

static void check_identities(void)
{
    static dual shared, apart;
    uint32_t i;
    rows_init(2);
    for (i = 0; i < 3; i++) label[i] = 1;
    dual_init(&shared, pcn_kernel_poly(2, 1, 1), 2, SLOTS, COPIES, STOP);
    dual_init(&apart, pcn_kernel_poly(2, 1, 1), 2, SLOTS, COPIES, STOP);
    always(&shared);
    always(&apart);
    for (i = 0; i < 9; i++) {
        CHECK(learn(&shared, i % 3) == 1);
        CHECK(pcn_kperceptron_learn(&apart.m, row_of(&apart, i % 3), 1) == 1);
    }
    CHECK(shared.m.model.slots == 3 && apart.m.model.slots == 9);
    for (i = 0; i < 9; i++) {
        CHECK(shared.m.own.coef[i % 3] == 3 && apart.m.own.coef[i] == 1);
        CHECK(shared.slot[i % 3].id == i % 3 && apart.slot[i].id == PCN_NO_ID);
    }
}

/* Without a policy a full model refuses new vectors and goes on with those it has. */
static void check_stop(enum store store, uint32_t classes)
{
    static dual d;
    static float before[ROWS * K], after[ROWS * K];
    const uint32_t scores = PCN_SCORES(classes);
    uint32_t i, c;
    rows_init(classes);
    dual_init(&d, pcn_kernel_rbf(1), classes, 5, store, STOP);
    always(&d);
    for (i = 0; i < 5; i++) CHECK(learn(&d, i) == 1);
    score_rows(&d, before);
    for (i = 5; i < ROWS; i++) refuses(&d, row_of(&d, i), label[i], i, PCN_EFULL);
    refuses(&d, row_of(&d, 0), label[0], store >= BORROWED ? ROWS : PCN_NO_ID, PCN_EFULL);
    score_rows(&d, after);
    CHECK(same(before, after, ROWS * scores));
    for (i = 0; i < 5; i++) {
        float coef[K];
        memcpy(coef, d.m.own.coef + i * scores, scores * sizeof *coef);
        CHECK(learn(&d, i) == 1);
        for (c = 0; c < scores; c++) coef[c] += pcn_changes(&d.m.learner)[c];
        CHECK(same(coef, d.m.own.coef + i * scores, scores));
    }
    CHECK(d.m.model.slots == 5 && d.m.learner.count.rows == 10 && d.m.learner.count.updates == 10);
    d.m.learner.rule.margin = 0; /* what needs no update needs no room */
    for (i = 5, c = 0; i < ROWS; i++) c += learn(&d, i) == 0;
    CHECK(c > 0 && d.m.learner.count.rows == 10 + c);
}

/* A log without room for all classes of an update. */
static void check_log_full(void)
{
    static dual d;
    rows_init(K);
    dual_init(&d, pcn_kernel_rbf(1), K, SLOTS, COPIES, STOP);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, 2 * K + 1) == PCN_OK);
    d.m.learner.update = pcn_update_others;
    always(&d);
    CHECK(learn(&d, 0) == 1 && learn(&d, 1) == 1);
    refuses(&d, row_of(&d, 2), label[2], 2, PCN_EFULL);
    refuses(&d, row_of(&d, 1), label[1], 1, PCN_EFULL);
    CHECK(d.m.model.entries == 2 * K);
}

/* ---- Budgets ---- */

/* A budget that is never reached: the bits of a model without one. */
static void check_unlimited(enum policy policy, uint32_t classes, enum store store)
{
    static dual d, plain;
    rows_init(classes);
    dual_init(&d, pcn_kernel_rbf(1), classes, SLOTS, store, policy);
    dual_init(&plain, pcn_kernel_rbf(1), classes, SLOTS, store, STOP);
    train(&d, EPOCHS);
    train(&plain, EPOCHS);
    CHECK(d.m.model.slots == plain.m.model.slots && d.m.model.slots > 10);
    CHECK(same(d.m.own.coef, plain.m.own.coef, d.m.model.scores * d.m.model.slots) && same_scores(&d, &plain));
}

/* Never more than the budget, no NaN, and two models at once are as two apart. */
static void check_limited(enum policy policy, uint32_t classes, enum store store, uint32_t budget)
{
    static dual a, b, twin;
    float score[ROWS * K];
    uint32_t i;
    rows_init(classes);
    dual_init(&a, pcn_kernel_poly(2, 1, 1), classes, budget, store, policy);
    dual_init(&twin, pcn_kernel_poly(2, 1, 1), classes, budget, store, policy);
    dual_init(&b, pcn_kernel_rbf(2), classes, 3, store, policy == OLDEST ? RANDOM : OLDEST);
    train(&twin, EPOCHS);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        CHECK(learn(&a, i) >= 0);
        CHECK(a.m.model.slots <= budget);
        CHECK(learn(&b, i * 7) >= 0);
    }
    CHECK(a.m.model.slots == budget);
    CHECK(same(a.m.own.coef, twin.m.own.coef, budget * a.m.model.scores) && same_scores(&a, &twin));
    score_rows(&a, score);
    for (i = 0; i < ROWS * a.m.model.scores; i++) CHECK(isfinite(score[i]));
}

static void check_budgets(void)
{
    uint32_t classes;
    int policy, store;
    for (policy = OLDEST; policy <= PROJECTRON; policy++)
        for (classes = 2; classes <= K; classes++)
            for (store = COPIES; store < STORES; store++) {
                if (policy == FORGETRON && classes != 2) continue;
                check_unlimited((enum policy)policy, classes, (enum store)store);
                check_limited((enum policy)policy, classes, (enum store)store, 1);
                check_limited((enum policy)policy, classes, (enum store)store, 2);
                check_limited((enum policy)policy, classes, (enum store)store, 7);
            }
}

/* Who is stored, in what order, with which coefficients: beside a list. */
static void check_oldest(enum store store)
{
    enum { BUDGET = 6 };
    static dual d;
    uint32_t id[BUDGET + 1], n = 0, i, j;
    float coef[BUDGET + 1];
    uint8_t head[16];
    rows_init(2);
    dual_init(&d, pcn_kernel_rbf(1), 2, BUDGET, store, OLDEST);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        uint32_t row = i * 7 % ROWS, at = 0;
        int learned = learn(&d, row);
        while (at < n && id[at] != row) at++;
        if (learned && at == n) {
            id[n] = row;
            coef[n++] = 0;
        }
        if (learned) coef[at] += label[row] ? 1 : -1;
        if (n > BUDGET) {
            n = BUDGET;
            memmove(id, id + 1, sizeof id - sizeof *id);
            memmove(coef, coef + 1, sizeof coef - sizeof *coef);
        }
        CHECK(d.m.model.slots == n && same(coef, d.m.own.coef, n));
        for (j = 0; j < n; j++) CHECK(d.slot[j].id == id[j]);
        for (j = 0; j < n && store == COPIES; j++) CHECK(same(d.m.own.value + d.slot[j].start, rows + id[j] * N, N));
    }
    CHECK(pcn_kperceptron_save_part(&d.m, 0, head, sizeof head) != 0); /* borrowed rows, too, are saved in their form */
    CHECK(((head[12] & PCN_PART_SPARSE) != 0) == (store == PAIRS || store == BORROWED_PAIRS));
}

/* Who goes when a budget of 8 is full is uniform (chi-square of 7 degrees of freedom: one in 10,000
 * would be larger by chance) and a function of the seed. */
static void check_random(void)
{
    enum { BUDGET = 8, TRIALS = 8000 };
    static dual d, twin, other;
    uint32_t hits[BUDGET] = {0}, i, j, differ = 0;
    double sum = 0;
    rows_init(2);
    dual_init(&d, pcn_kernel_rbf(1), 2, BUDGET, COPIES, RANDOM);
    dual_init(&twin, pcn_kernel_rbf(1), 2, BUDGET, COPIES, RANDOM);
    dual_init(&other, pcn_kernel_rbf(1), 2, BUDGET, COPIES, RANDOM);
    other.m.seed = 1;
    always(&d);
    always(&twin);
    always(&other);
    for (i = 0; i < BUDGET + TRIALS; i++) {
        pcn_slot old[BUDGET];
        memcpy(old, d.slot, sizeof old);
        CHECK(pcn_kperceptron_learn_row(&d.m, row_of(&d, i % ROWS), 1, i) == 1);
        CHECK(pcn_kperceptron_learn_row(&twin.m, row_of(&d, i % ROWS), 1, i) == 1);
        CHECK(pcn_kperceptron_learn_row(&other.m, row_of(&d, i % ROWS), 1, i) == 1);
        CHECK(memcmp(d.slot, twin.slot, sizeof old) == 0);
        differ += memcmp(d.slot, other.slot, sizeof old) != 0;
        if (i < BUDGET) continue;
        for (j = 0; j < BUDGET - 1 && d.slot[j].id == old[j].id; j++) continue;
        hits[j]++;
        CHECK(d.slot[BUDGET - 1].id == i);
    }
    for (j = 0; j < BUDGET; j++) {
        double off = hits[j] - (double)TRIALS / BUDGET;
        sum += off * off / ((double)TRIALS / BUDGET);
    }
    CHECK(sum < 29.9 && differ > TRIALS / 2);
}

/* ---- Forgetron and Projectron beside double ---- */

#include "plain_kernel.h"

static uint32_t plain_find(const plain_model *p, uint32_t row)
{
    uint32_t i = 0;
    while (i < p->n && p->id[i] != row) i++;
    return i;
}

/* The float model takes a hair less than the largest phi: coefficients are within 10^-5 for each
 * time that they were shrunk. */
static void check_forgetron(pcn_kernel kernel, uint32_t budget, enum store store)
{
    static dual d;
    static plain_model v;
    uint32_t i, j, updates = 0, shrunk = 0;
    rows_init(2);
    memset(&v, 0, sizeof v);
    v.kernel = kernel;
    dual_init(&d, kernel, 2, budget, store, FORGETRON);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        uint32_t row = i % ROWS, at = plain_find(&v, row);
        double y = label[row] ? 1 : -1;
        int fires = y * kernel_score(&v, v.coef, rows + row * N) <= 0, learned = learn(&d, row);
        CHECK(learned == fires);
        if (!fires) continue;
        updates++;
        if (at == v.n) plain_append(&v, rows + row * N, row, 0);
        v.coef[at] += y;
        if (v.n > budget) {
            forgetron_forget(&v, updates);
            shrunk++;
            CHECK(v.spent <= 15.0 / 32 * updates + 1e-9 && (v.phi == 1 || v.spent >= 15.0 / 32 * updates - 1e-9));
        }
        CHECK(d.m.own.slack >= 0 && fabs((double)d.m.own.slack - (15.0 / 32 * updates - v.spent)) <= 1e-3 * updates);
        CHECK(d.m.model.slots == v.n);
        for (j = 0; j < v.n; j++) {
            CHECK(d.slot[j].id == v.id[j]);
            CHECK(fabs((double)d.m.own.coef[j] - v.coef[j]) <= 1e-3 * fabs(v.coef[j]));
        }
    }
    CHECK(shrunk > 20);
}

/* A vector takes the place of two, and the sums of the second removal overflow: it can no longer be refused, so all
 * coefficients become 0. No step is so large, but an image may hold such coefficients. */
static void check_forgetron_overflow(float first, float second, float value)
{
    static const uint32_t index[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const float x[] = {value, value, value, value, 1, 1, 1, 1};
    dual d;
    dual_init(&d, pcn_kernel_linear(), 2, 3, PAIRS, FORGETRON);
    d.m.own.cell_room = 4;
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_sparse(index, x, 2), 1, 0) == 1);
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_sparse(index + 2, x + 2, 2), 1, 1) == 1);
    d.m.own.coef[0] = first;
    d.m.own.coef[1] = second;
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_sparse(index + 4, x + 4, 4), 1, 2) == 1);
    CHECK(d.m.own.removals == 2 && d.m.model.slots == 1 && d.slot[0].id == 2 && d.m.own.coef[0] == 0);
}

/* More vectors than a tile of the kernel matrix has: the same scores, stored dense and as pairs. */
static void check_tiles(void)
{
    enum { MANY = 300, FEW = 3, READ = 4 };
    static pcn_slot slot[2][MANY];
    static float memory[2][PCN_KPERCEPTRON_FLOATS(FEW, 2, MANY)], value[MANY * FEW],
        work[PCN_KMODEL_WORK(2, MANY, READ)];
    static uint32_t index[MANY * FEW];
    float score[2][READ];
    pcn_vec x[READ];
    pcn_kperceptron m[2];
    uint32_t i, t;
    rows_init(2);
    for (t = 0; t < 2; t++) {
        CHECK(pcn_kperceptron_init(&m[t], pcn_kernel_poly(2, 1, 1), FEW, 2, slot[t], MANY, memory[t],
                                   sizeof memory[t]) == PCN_OK);
        if (t == 1) CHECK(pcn_kperceptron_use_sparse(&m[t], value, index, MANY * FEW) == PCN_OK);
        m[t].learner.rule.margin = 1e6f;
        for (i = 0; i < MANY; i++)
            CHECK(pcn_kperceptron_learn(&m[t], pcn_sparse(indices, rows + i, FEW), i % 3 == 0 ? 1 : -1) == 1);
        for (i = 0; i < READ; i++) x[i] = pcn_sparse(indices, rows + 5 * i, FEW);
        CHECK(pcn_kmodel_scores(&m[t].model, PCN_DECIDE_LAST, x, READ, score[t], work, sizeof work) == PCN_OK);
    }
    CHECK(m[1].model.slots == MANY && score[0][0] != 0 && same(score[0], score[1], READ));
}

/* d = G^-1 k by elimination. */
static void plain_project(const plain_model *v, uint32_t row, double *d)
{
    static double g[SLOTS][SLOTS + 1];
    uint32_t n = v->n, i, j, c;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) g[i][j] = plain_kernel(&v->kernel, v->x[i], v->x[j], N);
        g[i][n] = plain_kernel(&v->kernel, v->x[i], rows + row * N, N);
    }
    for (c = 0; c < n; c++) /* positive definite: no pivoting */
        for (i = 0; i < n; i++) {
            double factor = g[i][c] / g[c][c];
            for (j = c; i != c && j <= n; j++) g[i][j] -= factor * g[c][j];
        }
    for (i = 0; i < n; i++) d[i] = g[i][n] / g[i][i];
}

static void check_projectron(pcn_kernel kernel, uint32_t budget, float tolerance)
{
    static dual d;
    static plain_model v;
    uint32_t i, j, projected = 0;
    rows_init(2);
    memset(&v, 0, sizeof v);
    v.kernel = kernel;
    dual_init(&d, kernel, 2, budget, COPIES, PROJECTRON);
    CHECK(policy_init(&d, PROJECTRON, budget, tolerance) == PCN_OK);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        double part[SLOTS], y = label[i % ROWS] ? 1 : -1, far, largest = 0;
        uint32_t row = i % ROWS, at = plain_find(&v, row);
        int fires = y * kernel_score(&v, v.coef, rows + row * N) <= 0;
        CHECK(learn(&d, row) == fires);
        if (!fires) continue;
        plain_project(&v, row, part);
        far = plain_kernel(&kernel, rows + row * N, rows + row * N, N);
        for (j = 0; j < v.n; j++) far -= part[j] * plain_kernel(&kernel, v.x[j], rows + row * N, N);
        if (at < v.n) {
            v.coef[at] += y;
        } else if (v.n < budget && far > (double)tolerance) {
            plain_append(&v, rows + row * N, row, 0);
            v.coef[at] += y;
        } else {
            for (j = 0; j < v.n; j++) v.coef[j] += y * part[j];
            projected++;
        }
        CHECK(d.m.model.slots == v.n);
        for (j = 0; j < v.n; j++) largest = fmax(largest, fabs(v.coef[j]));
        for (j = 0; j < v.n; j++) {
            CHECK(d.slot[j].id == v.id[j]);
            CHECK(fabs((double)d.m.own.coef[j] - v.coef[j]) <= 2e-3 * largest);
        }
    }
    CHECK(projected >= 5);
}

/* Tolerance 0 and room: the exact perceptron; of unit vectors, whose G is 1, to the bit. */
static void check_projectron_exact(void)
{
    static dual d, plain;
    uint32_t i, classes;
    for (classes = 2; classes <= K; classes++) {
        rows_init(classes);
        for (i = 0; i < ROWS * N; i++) rows[i] = i % N == i / N % N;
        for (i = N; i < ROWS; i++) label[i] = label[i % N];
        dual_init(&d, pcn_kernel_linear(), classes, SLOTS, COPIES, PROJECTRON);
        dual_init(&plain, pcn_kernel_linear(), classes, SLOTS, COPIES, STOP);
        d.m.learner.rule.margin = plain.m.learner.rule.margin = 5;
        for (i = 0; i < EPOCHS * ROWS; i++)
            CHECK(pcn_kperceptron_learn(&d.m, row_of(&d, i % ROWS), label[i % ROWS]) == learn(&plain, i % ROWS % N));
        CHECK(d.m.model.slots == N && plain.m.model.slots == N && d.m.learner.count.updates > 2 * N);
        CHECK(same(d.m.own.coef, plain.m.own.coef, N * d.m.model.scores) && same_scores(&d, &plain));
    }
}

/* Each row twice, the second time moved by about `by`: coefficients stay of the size of the steps,
 * and scores within `error` of the steps times K(x, x) of the model that projects nothing. */
static void check_duplicates(pcn_kernel kernel, float by, double error)
{
    static dual d, plain;
    float a[ROWS], b[ROWS];
    double size = 0, off = 0;
    uint32_t i;
    rows_init(2);
    for (i = 0; i < ROWS / 2 * N; i++) rows[ROWS / 2 * N + i] = rows[i] + by * random_real();
    dual_init(&d, kernel, 2, SLOTS, COPIES, PROJECTRON);
    dual_init(&plain, kernel, 2, SLOTS, COPIES, STOP);
    always(&d);
    always(&plain);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        CHECK(pcn_kperceptron_learn(&d.m, row_of(&d, i % ROWS), label[i % ROWS]) == 1);
        CHECK(learn(&plain, i) == 1);
    }
    score_rows(&d, a);
    score_rows(&plain, b);
    for (i = 0; i < ROWS; i++) size = fmax(size, plain_kernel(&kernel, rows + i * N, rows + i * N, N));
    for (i = 0; i < ROWS; i++) off = fmax(off, fabs((double)a[i] - (double)b[i]));
    CHECK(off <= error * size * ROWS * EPOCHS);
    CHECK(by != 0 || d.m.model.slots <= ROWS / 2);
    CHECK(kernel.id != 1 || d.m.model.slots <= N); /* N dimensions */
}

/* ---- Policies that do not fit the model ---- */

static int same_dual(const dual *a, const dual *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void check_refused(void)
{
    static dual d, before;
    int policy;
    rows_init(K);
    for (policy = OLDEST; policy <= RANDOM; policy++) {
        dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, COPIES, (enum policy)policy);
        CHECK(pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_OK);
        refuses(&d, row_of(&d, 0), 1, 0, PCN_EOPTION);
    }
    for (policy = FORGETRON; policy <= PROJECTRON; policy++) {
        const size_t bytes = (policy == FORGETRON ? SLOTS : SLOTS * (SLOTS + 2)) * sizeof *d.aux;
        dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, COPIES, STOP);
        memcpy(&before, &d, sizeof d);
        if (policy == FORGETRON) {
            CHECK(pcn_kperceptron_use_forgetron(&d.m, NULL, bytes) == PCN_EMEMORY);
            CHECK(pcn_kperceptron_use_forgetron(&d.m, d.aux, bytes - 1) == PCN_EMEMORY);
        } else {
            CHECK(pcn_kperceptron_use_projectron(&d.m, 0, NULL, bytes) == PCN_EMEMORY);
            CHECK(pcn_kperceptron_use_projectron(&d.m, 0, d.aux, bytes - 1) == PCN_EMEMORY);
        }
        CHECK(same_dual(&d, &before));
        CHECK(pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_OK);
        memcpy(&before, &d, sizeof d);
        CHECK(policy_init(&d, (enum policy)policy, SLOTS, 0) == PCN_EOPTION && same_dual(&d, &before));
        dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, COPIES, (enum policy)policy);
        if (pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_OK) refuses(&d, row_of(&d, 0), 1, 0, PCN_EOPTION);
    }
    dual_init(&d, pcn_kernel_rbf(1), K, SLOTS, COPIES, STOP);
    memcpy(&before, &d, sizeof d);
    CHECK(policy_init(&d, FORGETRON, SLOTS, 0) == PCN_EOPTION && same_dual(&d, &before));
    dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, COPIES, GROW); /* arrays of its own */
    refuses(&d, row_of(&d, 0), 1, 0, PCN_EOPTION);
    CHECK(live == 0);
}

/* The counts are the user's to clear; the Forgetron needs none of them. */
static void check_cleared_counts(void)
{
    static dual d, cleared;
    uint32_t i, updates = 0;
    rows_init(2);
    dual_init(&d, pcn_kernel_rbf(0.5f), 2, 6, COPIES, FORGETRON);
    dual_init(&cleared, pcn_kernel_rbf(0.5f), 2, 6, COPIES, FORGETRON);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        int learned = learn(&d, i);
        CHECK(learn(&cleared, i) == learned);
        memset(&cleared.m.learner.count, 0, sizeof cleared.m.learner.count);
        updates += learned == 1;
        CHECK(d.m.learner.count.updates == updates && cleared.m.own.slack == d.m.own.slack);
    }
    CHECK(updates > 20 && same(d.m.own.coef, cleared.m.own.coef, 6) && same_scores(&d, &cleared));
}

/* A vector that does not fit even alone: nobody goes for it. */
static void check_too_large(enum policy policy)
{
    static dual d;
    uint32_t i;
    rows_init(2);
    dual_init(&d, pcn_kernel_rbf(1), 2, 5, PAIRS, policy);
    CHECK(pcn_kperceptron_use_sparse(&d.m, d.value, d.index, N / 2) == PCN_OK);
    always(&d);
    for (i = 0; i < 3; i++) CHECK(pcn_kperceptron_learn_row(&d.m, pcn_sparse(indices, rows + i * N, 2), 1, i) == 1);
    refuses(&d, row_of(&d, 3), 1, 3, PCN_EFULL);
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_sparse(indices, rows, N / 2), 1, 4) == 1);
    CHECK(d.m.model.slots == 1 && d.m.own.cells == N / 2);
}

/* ---- Streams: rows without a number ---- */

/* The same models, but for the numbers of their rows. */
static int same_learned(const dual *a, const dual *b)
{
    const pcn_kmodel *m = &a->m.model, *o = &b->m.model;
    return m->slots == o->slots && m->entries == o->entries && m->clock == o->clock &&
           same(a->m.own.coef, b->m.own.coef, m->slots * m->scores) && same(a->m.own.norm2, b->m.own.norm2, m->slots) &&
           a->m.own.cells == b->m.own.cells && same(a->m.own.value, b->m.own.value, a->m.own.cells) &&
           (m->entries == 0 || memcmp(a->m.own.log, b->m.own.log, m->entries * sizeof *a->log) == 0) &&
           memcmp(&a->m.learner.count, &b->m.learner.count, sizeof a->m.learner.count) == 0 &&
           same(a->memory, b->memory, 2 * m->scores) && a->m.learner.guess == b->m.learner.guess &&
           a->m.own.slack == b->m.own.slack && a->m.seed == b->m.seed;
}

/* In one pass a row without a number is one with a number of its own, alone and in a block; an epoch later it takes a
 * slot again. */
static void check_stream(uint32_t classes, enum store store, enum policy policy, uint32_t slots)
{
    static dual d, named, block;
    static float work[ROWS * SLOTS];
    pcn_vec x[ROWS];
    int result[ROWS], learned;
    uint32_t i, k;
    rows_init(classes);
    dual_init(&block, pcn_kernel_rbf(1), classes, slots, store, policy);
    dual_init(&named, pcn_kernel_rbf(1), classes, slots, store, policy);
    dual_init(&d, pcn_kernel_rbf(1), classes, slots, store, policy);
    for (i = 0; i < ROWS; i++) x[i] = row_of(&d, i);
    for (k = 0; k < ROWS; k += ROWS / 2) {
        CHECK(pcn_kperceptron_learn_rows(&block.m, x + k, label + k, NULL, ROWS / 2, result + k, work, sizeof work) ==
              PCN_OK);
        for (i = k; i < k + ROWS / 2; i++) {
            learned = pcn_kperceptron_learn_row(&named.m, x[i], label[i], 1000 + i);
            CHECK(pcn_kperceptron_learn(&d.m, x[i], label[i]) == learned && result[i] == learned && learned >= 0);
        }
    }
    CHECK(same_learned(&d, &named) && same_learned(&d, &block) && same_scores(&d, &named) && d.m.model.slots > 1);
    for (i = 0; i < d.m.model.slots; i++) {
        CHECK(d.m.own.slot[i].id == PCN_NO_ID && block.m.own.slot[i].id == PCN_NO_ID);
        CHECK(named.m.own.slot[i].id >= 1000);
    }
    for (i = 0; i < 3 && policy == GROW; i++) { /* the margin makes each row an update */
        always(&d);
        always(&named);
        CHECK(pcn_kperceptron_learn(&d.m, x[i], label[i]) == 1);
        CHECK(pcn_kperceptron_learn_row(&named.m, x[i], label[i], 1000 + i) == 1);
        if (i == 2) CHECK(d.m.model.slots >= named.m.model.slots + 2);
    }
    if (slots == 0) pcn_kperceptron_free(&d.m), pcn_kperceptron_free(&named.m), pcn_kperceptron_free(&block.m);
}

/* Rows that are not copied come from a set: they have numbers. */
static void check_stream_of_set(enum store store)
{
    static dual d;
    pcn_vec x[2];
    int result[2] = {77, 77};
    rows_init(3);
    dual_init(&d, pcn_kernel_rbf(1), 3, SLOTS, store, STOP);
    refuses(&d, row_of(&d, 0), label[0], PCN_NO_ID, PCN_EOPTION);
    CHECK(pcn_kperceptron_learn(&d.m, row_of(&d, 0), label[0]) == PCN_EOPTION && d.m.refused == 2);
    x[0] = row_of(&d, 0), x[1] = row_of(&d, 1);
    CHECK(pcn_kperceptron_learn_rows(&d.m, x, label, NULL, 2, result, NULL, 0) == PCN_OK);
    CHECK(result[0] == PCN_EOPTION && result[1] == PCN_EOPTION && d.m.refused == 4);
    CHECK(d.m.model.slots == 0 && d.m.model.clock == 0 && learn(&d, 0) == 1);
    refuses(&d, row_of(&d, 1), label[1], PCN_NO_ID, PCN_EOPTION);
}

static void check_streams(void)
{
    uint32_t classes;
    int policy, store;
    for (classes = 2; classes <= K; classes++)
        for (store = COPIES; store <= PAIRS; store++)
            for (policy = STOP; policy <= GROW; policy++) {
                if (policy == FORGETRON && classes != 2) continue;
                check_stream(classes, (enum store)store, (enum policy)policy, policy == GROW ? 0 : SLOTS);
                if (policy == STOP || policy == GROW) continue;
                check_stream(classes, (enum store)store, (enum policy)policy, 5);
            }
    check_stream_of_set(BORROWED);
    check_stream_of_set(BORROWED_PAIRS);
}

/* ---- Numbers of rows ---- */

/* A number that comes with another row breaks an assertion, and only this. The form of the row does not matter. */
static void check_wrong_number(enum store store)
{
    static dual d;
    static const uint32_t some[] = {1, 4, 7};
    static const float ones[N] = {-0.0f, 1, 0, 0, 1, 0, 0, 1}, other[N] = {0, 1, 0, 0, 1, 0, 0, 2},
                       values[] = {1, 1, 1}, fewer[N] = {0, 1, 0, 0, 1}, more[N] = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1};
    const pcn_vec same_rows[] = {pcn_dense(ones, N), pcn_ones(some, 3), pcn_sparse(some, values, 3),
                                 pcn_dense(ones, 8)};
    const pcn_vec wrong[] = {pcn_dense(other, N),   pcn_dense(fewer, N), pcn_dense(more, N),       pcn_ones(some, 2),
                             pcn_ones(some + 1, 2), pcn_dense(ones, 7),  pcn_sparse(NULL, NULL, 0)};
    const int before = broken;
    size_t i, k;
    for (k = 0; k < LENGTH(same_rows); k++) {
        dual_init(&d, pcn_kernel_poly(2, 1, 1), 2, SLOTS, store, STOP);
        always(&d);
        CHECK(pcn_kperceptron_learn_row(&d.m, same_rows[k], 1, 7) == 1);
        for (i = 0; i < LENGTH(same_rows); i++) CHECK(pcn_kperceptron_learn_row(&d.m, same_rows[i], 1, 7) == 1);
        CHECK(broken == before && d.m.model.slots == 1);
        for (i = 0; i < LENGTH(wrong); i++) {
            CHECK(pcn_kperceptron_learn_row(&d.m, wrong[i], 1, 7) == 1 && broken == before + 1);
            broken = before;
            CHECK(pcn_kperceptron_learn_row(&d.m, wrong[i], 1, (uint32_t)(100 + i)) == 1 && broken == before);
            CHECK(pcn_kperceptron_learn(&d.m, wrong[i], 1) == 1 && broken == before);
        }
    }
}

/* In a block, in rows of the user's, and where the row does not update. */
static void check_wrong_number_elsewhere(void)
{
    static dual d;
    static float work[4];
    const uint32_t id[2] = {3, 3};
    const int before = broken;
    pcn_vec x[2];
    int result[2];
    rows_init(2);
    label[0] = label[1] = 1;
    dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, BORROWED, STOP);
    always(&d);
    x[0] = row_of(&d, 0), x[1] = row_of(&d, 1);
    CHECK(pcn_kperceptron_learn_rows(&d.m, x, label, id, 2, result, work, sizeof work) == PCN_OK);
    CHECK(result[0] == 1 && result[1] == 1 && broken == before + 1);
    d.m.learner.rule.margin = 0;
    CHECK(pcn_kperceptron_learn_row(&d.m, x[1], 1, 3) == 0 && broken == before + 2);
    broken = before;
}

/* A row that moves takes its slot along; one that is gone leaves it without a number. */
static void check_set_id(void)
{
    static dual d, before;
    const int was = broken;
    rows_init(2);
    dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, BORROWED, STOP);
    always(&d);
    CHECK(learn(&d, 0) == 1 && learn(&d, 1) == 1 && d.m.model.slots == 2);
    memcpy(&before, &d, sizeof before);
    pcn_kperceptron_set_id(&d.m, 0, 77);
    before.slot[0].id = 77;
    CHECK(memcmp(&before, &d, sizeof before) == 0);
    CHECK(pcn_kperceptron_learn_row(&d.m, row_of(&d, 0), label[0], 77) == 1 && d.m.model.slots == 2);
    CHECK(pcn_kperceptron_learn_row(&d.m, row_of(&d, 5), label[5], 0) == 1 && d.m.model.slots == 3); /* 0 is free */
    pcn_kperceptron_set_id(&d.m, 1, PCN_NO_ID);
    CHECK(learn(&d, 1) == 1 && d.m.model.slots == 4 && d.m.model.slot[1].id == PCN_NO_ID && d.m.model.slot[3].id == 1);
    CHECK(broken == was);
    memcpy(&before, &d, sizeof before);
    pcn_kperceptron_set_id(&d.m, 4, 5); /* there is no such slot */
    pcn_kperceptron_set_id(&d.m, UINT32_MAX, 5);
    CHECK(memcmp(&before, &d, sizeof before) == 0 && broken == was + 2);
    broken = was;
}

/* ---- Logs that grow ---- */

static pcn_log_entry longer[2][ENTRIES];
static uint32_t log_calls;

/* A log in place of one that is full, twice as long, by turns in two arrays; it has room for all scores. */
static int log_my_way(pcn_kperceptron *m, const pcn_vec *x)
{
    const uint32_t room = m->own.log_room; /* what a program counts itself */
    (void)x;
    if (room - m->model.entries >= m->model.scores) return PCN_OK;
    return pcn_kperceptron_use_log(m, longer[log_calls++ % 2], 2 * room + m->model.scores);
}

/* The array of the model, where learn had filled it so far, or another; none shorter than its entries. */
static void check_longer_log(uint32_t classes)
{
    static dual d, fixed, before;
    pcn_log_entry *const array[] = {longer[0], longer[1], d.log}, *to;
    uint32_t i, k, entries, room, moves = 0;
    rows_init(classes);
    dual_init(&fixed, pcn_kernel_rbf(1), classes, SLOTS, COPIES, STOP);
    dual_init(&d, pcn_kernel_rbf(1), classes, SLOTS, COPIES, STOP);
    CHECK(pcn_kperceptron_use_log(&fixed.m, fixed.log, ENTRIES) == PCN_OK);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, 2 * K) == PCN_OK);
    for (i = 0; i < ROWS; i++) {
        int learned = learn(&d, i);
        if (learned == PCN_EFULL) {
            entries = d.m.model.entries;
            room = entries + d.m.model.scores;
            memcpy(&before, &d, sizeof before);
            CHECK(pcn_kperceptron_use_log(&d.m, d.m.own.log, entries - 1) == PCN_EMEMORY);
            CHECK(pcn_kperceptron_use_log(&d.m, longer[0], entries - 1) == PCN_EMEMORY);
            CHECK(pcn_kperceptron_use_log(&d.m, NULL, room) == PCN_EMEMORY);
            CHECK(pcn_kperceptron_use_log(&d.m, NULL, 0) == PCN_EMEMORY && memcmp(&before, &d, sizeof d) == 0);
            CHECK(pcn_kperceptron_use_log(&d.m, d.m.own.log, entries) == PCN_OK); /* as long as it must be */
            CHECK(learn(&d, i) == PCN_EFULL);
            to = moves++ % 3 == 0 ? d.m.own.log : longer[moves % 2];
            CHECK(pcn_kperceptron_use_log(&d.m, to, room) == PCN_OK && d.m.own.log == to);
            CHECK(d.m.model.log == to && d.m.model.entries == entries && d.m.own.log_room == room);
            for (k = 0; k < 3; k++) /* nothing is read in the others */
                if (array[k] != to) memset(array[k], 0x5a, sizeof longer[0]);
            learned = learn(&d, i);
        }
        CHECK(learned == learn(&fixed, i) && learned >= 0);
    }
    CHECK(same_learned(&d, &fixed) && d.m.model.entries > 4 * K && moves > 4);
}

/* In admit, before each update, as a program does whose log grows. */
static void check_log_of_admit(uint32_t classes, enum store store)
{
    static dual d, fixed;
    float score[2][K];
    uint32_t i, c;
    rows_init(classes);
    log_calls = 0;
    dual_init(&fixed, pcn_kernel_poly(2, 1, 1), classes, SLOTS, store, STOP);
    dual_init(&d, pcn_kernel_poly(2, 1, 1), classes, SLOTS, store, STOP);
    CHECK(pcn_kperceptron_use_log(&fixed.m, fixed.log, ENTRIES) == PCN_OK);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, 0) == PCN_OK);
    d.m.admit = log_my_way;
    for (i = 0; i < 2 * ROWS; i++) {
        CHECK(learn(&d, i) == learn(&fixed, i));
        pcn_kperceptron_scores(&d.m, row_of(&d, i * 7 % ROWS), score[0]);
        pcn_kperceptron_scores(&fixed.m, row_of(&d, i * 7 % ROWS), score[1]);
        for (c = 0; c < d.m.model.scores; c++) CHECK(same(&score[0][c], &score[1][c], 1));
    }
    CHECK(log_calls > 3 && same_learned(&d, &fixed) && same_scores(&d, &fixed));
}

/* A log that grows by itself is no array of the caller's. Before the first row and after load a log may be changed,
 * too. */
static void check_log_again(void)
{
    static dual d, e;
    static uint8_t image[65536];
    size_t size;
    rows_init(3);
    dual_init(&e, pcn_kernel_rbf(1), 3, SLOTS, COPIES, STOP);
    dual_init(&d, pcn_kernel_rbf(1), 3, 0, COPIES, GROW);
    CHECK(pcn_kperceptron_use_log(&d.m, NULL, 0) == PCN_OK && learn(&d, 0) == 1);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_ELATE);
    CHECK(pcn_kperceptron_use_log(&d.m, NULL, 0) == PCN_ELATE && learn(&d, 1) >= 0);
    size = pcn_kperceptron_save(&d.m, image, sizeof image);
    CHECK(pcn_kperceptron_use_log(&e.m, e.log, 1) == PCN_OK);
    CHECK(pcn_kperceptron_use_log(&e.m, longer[0], 3 * K) == PCN_OK && e.m.own.log == longer[0]);
    CHECK(size != 0 && pcn_kperceptron_load(&e.m, image, size) == PCN_OK && e.m.model.entries == d.m.model.entries);
    CHECK(pcn_kperceptron_use_log(&e.m, e.log, ENTRIES) == PCN_OK && e.m.model.log == e.log);
    CHECK(memcmp(e.log, d.m.own.log, d.m.model.entries * sizeof *e.log) == 0 && learn(&e, 2) >= 0);
    pcn_kperceptron_free(&d.m);
    CHECK(live == 0);
}

/* ---- Classes that change places ---- */

static void check_swap(enum store store, enum policy policy, int logged, uint32_t slots, pcn_rule rule)
{
    static dual a, b, before;
    static float of_a[ROWS], of_b[ROWS];
    uint32_t i;
    rows_init(2);
    dual_init(&a, pcn_kernel_rbf(1), 2, slots, store, policy);
    dual_init(&b, pcn_kernel_rbf(1), 2, slots, store, policy);
    if (logged) CHECK(pcn_kperceptron_use_log(&a.m, slots ? a.log : NULL, slots ? ENTRIES : 0) == PCN_OK);
    if (logged) CHECK(pcn_kperceptron_use_log(&b.m, slots ? b.log : NULL, slots ? ENTRIES : 0) == PCN_OK);
    CHECK(pcn_kperceptron_swap_classes(&a.m) == PCN_OK); /* nothing is there */
    a.m.learner.rule = b.m.learner.rule = rule;
    for (i = 0; i < 3 * ROWS; i++) {
        const uint32_t row = i % ROWS;
        const int y = i < ROWS ? label[row] : !label[row];
        if (i == ROWS) {
            score_rows(&a, of_a);
            memcpy(&before, &a, sizeof before);
            CHECK(pcn_kperceptron_swap_classes(&a.m) == PCN_OK);
            CHECK(pcn_kperceptron_swap_classes(&a.m) == PCN_OK);
            CHECK(slots == 0 || same_dual(&a, &before)); /* twice: as it was */
            CHECK(pcn_kperceptron_swap_classes(&a.m) == PCN_OK);
            score_rows(&a, of_b);
        }
        CHECK(pcn_kperceptron_learn_row(&a.m, row_of(&a, row), y, row) ==
              pcn_kperceptron_learn_row(&b.m, row_of(&b, row), !label[row], row));
    }
    for (i = 0; i < ROWS; i++) CHECK(of_b[i] == -of_a[i]);
    CHECK(a.m.model.slots == b.m.model.slots && a.m.learner.count.updates > 20);
    CHECK(same(a.m.own.coef, b.m.own.coef, a.m.model.slots) && same_scores(&a, &b));
    CHECK(a.m.model.entries == b.m.model.entries && (a.m.model.entries > 10) == (logged != 0));
    CHECK(!logged || memcmp(a.m.own.log, b.m.own.log, a.m.model.entries * sizeof *a.log) == 0);
    CHECK(a.m.own.slack == b.m.own.slack);
    for (i = 0; i < ROWS; i++)
        CHECK(pcn_kperceptron_predict(&a.m, row_of(&a, i)) == pcn_kperceptron_predict(&b.m, row_of(&b, i)));
    if (slots == 0) pcn_kperceptron_free(&a.m), pcn_kperceptron_free(&b.m);
    CHECK(live == 0);
}

static void check_swaps(void)
{
    static dual d, before;
    int store, policy, logged;
    for (store = COPIES; store < STORES; store++)
        for (policy = STOP; policy <= GROW; policy++)
            for (logged = 0; logged < 2; logged++) {
                const uint32_t slots = policy == GROW ? 0 : policy == STOP ? SLOTS : 7;
                if (logged && policy != STOP && policy != GROW) continue;
                check_swap((enum store)store, (enum policy)policy, logged, slots, pcn_rule_fixed(1));
                check_swap((enum store)store, (enum policy)policy, logged, slots, pcn_rule_pa(0.7f));
            }
    rows_init(3);
    dual_init(&d, pcn_kernel_rbf(1), 3, SLOTS, COPIES, STOP);
    CHECK(learn(&d, 0) == 1);
    memcpy(&before, &d, sizeof before);
    CHECK(pcn_kperceptron_swap_classes(&d.m) == PCN_EOPTION && same_dual(&d, &before));
}

/* ---- What a trainer answers, between rows ---- */

/* By its budget or growing: the scores and the class of the last f, and what it learns is not disturbed. */
static void check_asked(uint32_t classes, enum store store, enum policy policy, uint32_t slots)
{
    static dual asked, silent;
    static float work[PCN_KMODEL_WORK(K, SLOTS, 1)];
    float score[K], expected[K];
    pcn_vec x;
    uint32_t i;
    int cls;
    rows_init(classes);
    dual_init(&silent, pcn_kernel_rbf(1), classes, slots, store, policy);
    dual_init(&asked, pcn_kernel_rbf(1), classes, slots, store, policy);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        pcn_learner was = asked.m.learner;
        float last[2 * K];
        memcpy(last, asked.memory, 2 * asked.m.model.scores * sizeof *last);
        x = row_of(&asked, i * 7 % ROWS);
        pcn_kperceptron_scores(&asked.m, x, score);
        CHECK(pcn_kmodel_scores(&asked.m.model, PCN_DECIDE_LAST, &x, 1, expected, work, sizeof work) == PCN_OK);
        CHECK(pcn_kmodel_predict(&asked.m.model, PCN_DECIDE_LAST, &x, 1, &cls, work, sizeof work) == PCN_OK);
        CHECK(same(score, expected, asked.m.model.scores) && pcn_kperceptron_predict(&asked.m, x) == cls);
        CHECK(memcmp(&was, &asked.m.learner, sizeof was) == 0);
        CHECK(same(last, asked.memory, 2 * asked.m.model.scores));
        CHECK(learn(&asked, i) == learn(&silent, i));
    }
    CHECK(same_learned(&asked, &silent) && same_scores(&asked, &silent) && asked.m.learner.count.updates > 10);
    if (slots == 0) pcn_kperceptron_free(&asked.m), pcn_kperceptron_free(&silent.m);
}

static void check_all_asked(void)
{
    uint32_t classes;
    int policy, store;
    for (classes = 2; classes <= K; classes++)
        for (store = COPIES; store < STORES; store++)
            for (policy = STOP; policy <= GROW; policy++)
                if (policy != FORGETRON || classes == 2)
                    check_asked(classes, (enum store)store, (enum policy)policy,
                                policy == GROW   ? 0
                                : policy == STOP ? SLOTS
                                                 : 6);
}

/* ---- Settings that never learn ---- */

static const struct {
    const char *name;
    pcn_rule (*rule)(float);
    float strength, rate;
    int ends; /* as a decay it moves nothing */
} never[] = {
    {"fixed, rate 0", pcn_rule_fixed, 0, 0, 1},
    {"fractional, rate 0", pcn_rule_fractional, 1, 0, 0},
    {"fractional, 0", pcn_rule_fractional, 0, 1, 1},
    {"PA-I, C 0", pcn_rule_pa, 0, 1, 1},
    {"PA-I, rate 1/2", pcn_rule_pa, 1, 0.5f, 0},
    {"PA-I, rate 0", pcn_rule_pa, 1, 0, 0},
    {"PA-II, C 0", pcn_rule_pa2, 0, 1, 1},
    {"PA-II, rate 2", pcn_rule_pa2, 1, 2, 0},
    {"absolute, rate 2", NULL, 0, 2, 0},
    {"absolute, rate 0", NULL, 0, 0, 0},
};

static pcn_rule never_rule(size_t i)
{
    pcn_rule r = never[i].rule ? never[i].rule(never[i].strength) : pcn_rule_absolute();
    r.rate = never[i].rate;
    return r;
}

/* Heard when the rule would fire for the first time since init or load; not where the row is right. Later a 0 moves
 * nothing. */
static void check_never(size_t i, uint32_t classes,
                        uint32_t (*update)(const pcn_learner *, pcn_update *, uint32_t, float *))
{
    static dual d;
    static uint8_t image[65536];
    const pcn_rule rule = never_rule(i);
    const int one_by_one = update == pcn_update_one_vs_rest; /* at 0 each class but the right one is wrong */
    float before[ROWS * K], after[ROWS * K];
    size_t size;
    int later;
    rows_init(classes);
    dual_init(&d, pcn_kernel_rbf(1), classes, SLOTS, COPIES, STOP);
    d.m.learner.update = update;
    d.m.learner.rule = rule;
    refuses(&d, row_of(&d, 0), label[0], 0, PCN_EOPTION);
    refuses(&d, row_of(&d, 1), label[1], PCN_NO_ID, PCN_EOPTION);
    d.m.learner.zero_predicted = 1; /* a row that is right at a score of 0 does not ask */
    d.m.learner.rule.margin = 0;
    if (!one_by_one) CHECK(pcn_kperceptron_learn_row(&d.m, row_of(&d, 0), classes == 2, 0) == 0);
    d.m.learner.zero_predicted = 0;
    d.m.learner.rule = pcn_rule_fixed(1);
    CHECK(learn(&d, 0) == 1 && d.m.learner.moved == 1);
    d.m.learner.rule = rule; /* now it is a decay, or a weight of a row */
    d.m.learner.rule.margin = 9;
    size = pcn_kperceptron_save(&d.m, image, sizeof image);
    score_rows(&d, before);
    later = learn(&d, 1);
    if (never[i].ends) CHECK(later == 0 && d.m.model.slots == 1 && d.m.learner.count.rows == 3 - (uint64_t)one_by_one);
    score_rows(&d, after);
    if (never[i].ends) CHECK(same(before, after, ROWS * d.m.model.scores));
    CHECK(size != 0 && pcn_kperceptron_load(&d.m, image, size) == PCN_OK && d.m.learner.moved == 0);
    refuses(&d, row_of(&d, 1), label[1], 1, PCN_EOPTION);
    d.m.learner.rule = pcn_rule_fixed(0.5f);
    d.m.learner.rule.margin = 9;
    CHECK(learn(&d, 1) == 1 && d.m.learner.moved == 1);
}

static float step_by_user(const pcn_learner *l, pcn_update *p, float gap)
{
    (void)p, (void)gap;
    return *(const float *)l->user;
}

/* The settings of an own rule are its own; by infinity it says that they cannot be meant, whenever it likes. */
static void check_own_never(void)
{
    static dual d;
    float step = 0;
    uint32_t classes;
    for (classes = 2; classes <= K; classes++) {
        rows_init(classes);
        dual_init(&d, pcn_kernel_rbf(1), classes, SLOTS, COPIES, STOP);
        d.m.learner.rule.step = step_by_user;
        d.m.learner.user = &step;
        d.m.learner.rule.rate = 0;
        step = 0;
        CHECK(learn(&d, 0) == 0 && d.m.learner.count.rows == 1);
        step = from_bits(0x7f800000u);
        refuses(&d, row_of(&d, 0), label[0], 0, PCN_EOPTION);
        step = 0.5f;
        CHECK(learn(&d, 0) == 1 && d.m.learner.moved == 1);
        step = from_bits(0x7f800000u);
        d.m.learner.rule.margin = 9;
        refuses(&d, row_of(&d, 1), label[1], 1, PCN_EOPTION);
        step = from_bits(0x7fc00000u);
        refuses(&d, row_of(&d, 1), label[1], 1, PCN_EVALUE);
    }
}

static void check_all_never(void)
{
    static uint32_t (*const update[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        NULL, pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    size_t i, u;
    for (i = 0; i < LENGTH(never); i++) {
        check_never(i, 2, NULL);
        for (u = 0; u < LENGTH(update); u++) check_never(i, 3, update[u]);
    }
    check_own_never();
}

/* ---- Growth ---- */

static int valid_array(const void *array, size_t used)
{
    const stbds_array_header *h;
    if (used == 0 || !array) return used == 0;
    h = (const stbds_array_header *)array - 1;
    return h->capacity >= used && h->length <= h->capacity && !h->hash_table;
}

static void check_arrays(const pcn_kperceptron *m)
{
    size_t slots = m->model.slots;
    CHECK(valid_array(m->own.slot, slots) && valid_array(m->own.row, slots));
    CHECK(valid_array(m->own.norm2, slots) && valid_array(m->own.coef, slots));
    CHECK(valid_array(m->own.value, m->own.cells) && valid_array(m->own.index, m->own.sparse ? m->own.cells : 0));
    CHECK(valid_array(m->own.log, m->own.logged ? m->model.entries : 0));
    CHECK(slots == 0 || (m->model.slot == m->own.slot && m->model.coef == m->own.coef));
    CHECK(slots == 0 || (m->model.norm2 == m->own.norm2 && m->model.log == m->own.log));
}

/* Learns all rows; where the allocator fails, the model scores as before and the row is learned at
 * the second attempt. Returns whether it failed. */
static int grow(dual *d, long fail)
{
    float before[ROWS * K], after[ROWS * K];
    uint32_t i;
    int failed = 0;
    calls = 0;
    fail_at = fail;
    for (i = 0; i < ROWS; i++) {
        int learned;
        pcn_count count = d->m.learner.count;
        uint32_t clock = d->m.model.clock, slots = d->m.model.slots, entries = d->m.model.entries;
        score_rows(d, before);
        learned = learn(d, i);
        check_arrays(&d->m);
        if (learned >= 0) continue;
        CHECK(learned == PCN_ENOMEM && calls == fail_at && !failed);
        failed = 1;
        score_rows(d, after);
        CHECK(same(before, after, ROWS * d->m.model.scores));
        CHECK(memcmp(&count, &d->m.learner.count, sizeof count) == 0 && d->m.model.clock == clock);
        CHECK(d->m.model.slots == slots && d->m.model.entries == entries);
        CHECK(learn(d, i) == 1);
    }
    fail_at = 0;
    return failed;
}

static void check_growth(uint32_t classes, enum store store, int logged)
{
    static dual d, fixed;
    long fail;
    rows_init(classes);
    dual_init(&fixed, pcn_kernel_rbf(1), classes, SLOTS, store, STOP);
    if (logged) CHECK(pcn_kperceptron_use_log(&fixed.m, fixed.log, ENTRIES) == PCN_OK);
    train(&fixed, 1);
    for (fail = 1;; fail++) {
        int failed;
        dual_init(&d, pcn_kernel_rbf(1), classes, 0, store, GROW);
        if (logged) CHECK(pcn_kperceptron_use_log(&d.m, NULL, 0) == PCN_OK);
        failed = grow(&d, fail);
        CHECK(d.m.model.slots == fixed.m.model.slots && same_scores(&d, &fixed));
        CHECK(same(d.m.own.coef, fixed.m.own.coef, d.m.model.scores * fixed.m.model.slots));
        CHECK(d.m.model.entries == fixed.m.model.entries);
        CHECK(!logged || memcmp(d.m.own.log, fixed.log, d.m.model.entries * sizeof *d.log) == 0);
        CHECK(live == (store == COPIES ? 5 : store == PAIRS ? 6 : 4) + logged);
        pcn_kperceptron_free(&d.m);
        CHECK(live == 0 && !d.m.own.slot && !d.m.own.coef && !d.m.own.log && d.m.model.slots == 0);
        CHECK(d.m.model.clock == 0 && d.m.learner.count.rows == 0 && !d.m.own.sparse && !d.m.own.logged);
        if (!failed) break;
    }
    CHECK(fail > 8); /* arrays grew more than once */
}

/* Freed at once after the first allocations failed. */
static void check_growth_abandoned(void)
{
    static dual d;
    long fail;
    rows_init(2);
    for (fail = 1; fail <= 5; fail++) {
        dual_init(&d, pcn_kernel_rbf(1), 2, 0, COPIES, GROW);
        calls = 0;
        fail_at = fail;
        CHECK(learn(&d, 0) == PCN_ENOMEM);
        pcn_kperceptron_free(&d.m);
        CHECK(live == 0);
    }
    fail_at = 0;
}

/* A sparse row without pairs is a vector too: with a bias it is learned from. */
static void check_growth_empty(void)
{
    static dual d;
    dual_init(&d, pcn_kernel_linear(), 2, 0, PAIRS, GROW);
    CHECK(pcn_kperceptron_use_sparse(&d.m, d.value, d.index, 0) == PCN_OK); /* no length: grown anew */
    d.m.learner.bias_input = 1;
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_sparse(NULL, NULL, 0), 1, 0) == 1);
    CHECK(d.m.model.slots == 1 && pcn_kperceptron_learn_row(&d.m, pcn_ones(indices + 3, 1), -1, 1) == 1);
    CHECK(d.m.model.slots == 2 && d.m.own.value != d.value && d.m.own.index != d.index);
    pcn_kperceptron_free(&d.m);
    CHECK(live == 0);
}

/* ---- Errors ---- */

/* Rows of all forms that the model stores, made of the numbers behind the rows: each is refused. */
static void refuses_forms(dual *d, uint32_t count, int expected)
{
    const int borrowed = d->store >= BORROWED;
    const uint32_t id = borrowed ? ROWS : PCN_NO_ID;
    if (d->store != BORROWED) refuses(d, pcn_sparse(indices + SPARE, rows + SPARE, count), 1, id, expected);
    if (!borrowed && expected != PCN_EVALUE) refuses(d, pcn_ones(indices + SPARE, count), 1, 0, expected);
}

/* Indices that are too large, or do not ascend. */
static void check_indices(dual *d)
{
    static const uint32_t last[] = {N, N + 1, N + 31, UINT32_MAX - 1, UINT32_MAX};
    static const uint32_t order[][4] = {{3, 3, 4, 5}, {3, 2, 4, 5}, {1, 2, 4, 4}, {1, 2, 5, 4}, {4, 5, 1, 2}};
    uint32_t *index = indices + SPARE, i;
    for (i = 0; i < LENGTH(last); i++) {
        index[0] = 1;
        index[1] = last[i];
        refuses_forms(d, 2, PCN_EINDEX);
    }
    for (i = 0; i < LENGTH(order); i++) {
        memcpy(index, order[i], sizeof order[i]);
        refuses_forms(d, 4, PCN_EINDEX);
    }
    for (i = 0; i < N; i++) index[i] = i;
    if (d->store != BORROWED_PAIRS) refuses(d, pcn_dense(rows + SPARE, N + 1), 1, 0, PCN_EINDEX);
    if (d->store == COPIES || d->store == PAIRS) refuses(d, pcn_ones(NULL, N + 1), 1, 0, PCN_EINDEX);
}

static void check_values(dual *d)
{
    const float bad[] = {from_bits(0x7fc00000u), from_bits(0x7f800000u), from_bits(0xff800000u), FLT_MAX, -FLT_MAX};
    uint32_t i, j;
    for (i = 0; i < LENGTH(bad); i++)
        for (j = 0; j < N; j++) {
            memcpy(rows + SPARE, rows, N * sizeof *rows);
            rows[SPARE + j] = bad[i];
            refuses_forms(d, N, PCN_EVALUE);
            if (d->store != BORROWED_PAIRS) refuses(d, pcn_dense(rows + SPARE, N), 0, 0, PCN_EVALUE);
        }
}

/* Rows that are not in the borrowed arrays, or not wholly, or in another form. */
static void check_elsewhere(dual *d)
{
    float copy[N] = {1};
    uint32_t index[N], i;
    for (i = 0; i < N; i++) index[i] = i;
    if (d->store == BORROWED) {
        refuses(d, pcn_dense(copy, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_dense(rows + CELLS - N + 1, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_dense(rows + CELLS, 1), 1, ROWS, PCN_EMEMORY);
        refuses(d, pcn_sparse(indices, rows, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_ones(NULL, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_ones(indices, N), 1, 0, PCN_EMEMORY);
    } else {
        refuses(d, pcn_sparse(indices, copy, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_sparse(index, rows, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_sparse(indices, rows + N, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_sparse(indices + N, rows, N), 1, ROWS, PCN_EMEMORY);
        refuses(d, pcn_dense(rows, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_ones(indices, N), 1, 0, PCN_EMEMORY);
        refuses(d, pcn_sparse(indices + CELLS - 2, rows + CELLS - 2, 4), 1, 0, PCN_EMEMORY);
    }
}

static void check_learn_errors(uint32_t classes, pcn_kernel kernel, enum store store, int warm)
{
    const int labels[] = {classes == 2 ? -2 : -1, (int)classes, K + 1, INT_MAX, INT_MIN};
    static dual d;
    uint32_t i;
    rows_init(classes);
    dual_init(&d, kernel, classes, SLOTS, store, STOP);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_OK);
    d.m.learner.bias_input = 1;
    if (warm) train(&d, 1);
    for (i = 0; i < LENGTH(labels); i++) refuses(&d, row_of(&d, 0), labels[i], 0, PCN_ELABEL);
    check_indices(&d);
    check_values(&d);
    if (store >= BORROWED) check_elsewhere(&d);
    if (warm) train(&d, 1);
}

/* Kernel values, scores and coefficients that leave their range. */
static void check_overflow(enum policy policy, int warm)
{
    static dual d;
    float x[N] = {1e10f};
    rows_init(2);
    dual_init(&d, pcn_kernel_poly(8, 1, 1), 2, SLOTS, COPIES, policy);
    if (warm) train(&d, 1);
    refuses(&d, pcn_dense(x, N), 1, ROWS, PCN_EVALUE); /* K(x, x) */
    refuses(&d, pcn_dense(x, N), 0, PCN_NO_ID, PCN_EVALUE);
    dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, COPIES, policy);
    if (warm) train(&d, 1);
    always(&d);
    d.m.learner.rule.rate = from_bits(0x67800000u); /* 2^80 */
    d.m.learner.rule.rate *= 2;
    refuses(&d, row_of(&d, 0), 1, 0, PCN_EVALUE);
    refuses(&d, row_of(&d, 1), 1, PCN_NO_ID, PCN_EVALUE);
}

/* A projection that would carry a coefficient out of its range. */
static void check_projected_overflow(void)
{
    static dual d;
    rows_init(2);
    dual_init(&d, pcn_kernel_linear(), 2, SLOTS, COPIES, PROJECTRON);
    memset(rows, 0, sizeof rows);
    rows[0] = 1.0f / 1024;
    rows[N] = 1048576; /* 2^30 times as long: d = 2^30 */
    always(&d);
    CHECK(learn(&d, 0) == 1);
    d.m.learner.rule.rate = 16777216; /* 2^24: a step of 2^54 */
    refuses(&d, row_of(&d, 1), 1, 1, PCN_EVALUE);
    d.m.learner.rule.rate = 8388608;
    CHECK(pcn_kperceptron_learn_row(&d.m, row_of(&d, 1), 1, 1) == 1 && d.m.model.slots == 1);
    CHECK(d.m.own.coef[0] == 9007199254740992.0f);
}

/* A Projectron computes its inverse anew after loading: from vectors of the form that they are stored in, in the same
 * order as before. Rows of the other form were learned the same way. */
static void check_projectron_resumes(pcn_kernel kernel, enum store store, int pairs)
{
    enum { HALF = ROWS / 2 };
    static dual d, again;
    static uint8_t image[sizeof d.memory + sizeof d.value + sizeof d.index + sizeof d.slot];
    uint32_t i, j, index[N];
    float value[N];
    size_t size;
    rows_init(2);
    dual_init(&d, kernel, 2, SLOTS, store, PROJECTRON);
    dual_init(&again, kernel, 2, SLOTS, store, PROJECTRON);
    always(&d);
    always(&again);
    for (i = 0; i < ROWS; i++) {
        pcn_vec x = pcn_sparse(index, value, 0);
        for (j = 0; j < N; j++) {
            if (rows[i * N + j] == 0) continue;
            index[x.count] = j;
            value[x.count++] = rows[i * N + j];
        }
        if (!pairs) x = pcn_dense(rows + i * N, N);
        if (i == HALF) {
            size = pcn_kperceptron_save(&d.m, image, sizeof image);
            CHECK(size != 0 && pcn_kperceptron_load(&again.m, image, size) == PCN_OK);
        }
        CHECK(pcn_kperceptron_learn_row(&d.m, x, label[i], i) == 1);
        if (i >= HALF) CHECK(pcn_kperceptron_learn_row(&again.m, x, label[i], i) == 1);
    }
    CHECK(d.m.model.slots == again.m.model.slots && same(d.m.own.coef, again.m.own.coef, d.m.model.slots));
}

/* A refused example leaves the frozen model, whatever the settings of that moment. */
static void check_settings(void)
{
    static dual d;
    rows_init(2);
    dual_init(&d, pcn_kernel_rbf(1), 2, SLOTS, COPIES, STOP);
    d.m.learner.bias_input = from_bits(0x7f000000u); /* B^2 overflows */
    refuses(&d, row_of(&d, 0), 1, 0, PCN_EVALUE);
    d.m.learner.bias_input = 0.5f;
    train(&d, 1);
    d.m.learner.bias_input = from_bits(0x7f000000u); /* vectors are stored, and B was another */
    refuses(&d, row_of(&d, 0), 1, 0, PCN_EOPTION);
    d.m.learner.bias_input = 0.25f;
    refuses(&d, row_of(&d, 0), 0, PCN_NO_ID, PCN_EOPTION);
    d.m.learner.bias_input = 0.5f;
    d.m.learner.rule.margin = from_bits(0x7fc00000u); /* whether it would fire or not */
    refuses(&d, row_of(&d, 0), 0, 0, PCN_EOPTION);
    refuses(&d, row_of(&d, 0), 1, 0, PCN_EOPTION);
}

/* Vectors are copied as pairs or borrowed, not both. */
static void check_contradiction(enum store store)
{
    static dual d, before;
    dual_init(&d, pcn_kernel_linear(), 2, 4, store, STOP);
    memcpy(&before, &d, sizeof d);
    if (store == PAIRS)
        CHECK(pcn_kperceptron_use_rows(&d.m, rows, indices, CELLS) == PCN_EOPTION);
    else
        CHECK(pcn_kperceptron_use_sparse(&d.m, d.value, d.index, 9) == PCN_EOPTION);
    CHECK(same_dual(&d, &before));
}

static void check_init_errors(void)
{
    static dual d, before;
    pcn_kperceptron *m = &d.m;
    pcn_kernel k = pcn_kernel_linear();
    const float gamma[] = {
        0, -0.0f, -1, -1e-30f, from_bits(0x7fc00000u), from_bits(0x7f800000u), from_bits(0xff800000u)};
    const size_t bytes = PCN_KPERCEPTRON_FLOATS(0, 2, 4) * sizeof *d.memory;
    size_t i;
    memset(&d, 77, sizeof d);
    memcpy(&before, &d, sizeof d);
    memset(&before.m, 0, sizeof before.m);
#define REFUSES(features, classes, slot, slots, memory, bytes, expected)                                               \
    do {                                                                                                               \
        memset(m, 77, sizeof *m);                                                                                      \
        CHECK(pcn_kperceptron_init(m, k, features, classes, slot, slots, memory, bytes) == expected);                  \
        CHECK(same_dual(&d, &before));                                                                                 \
    } while (0)
    REFUSES(N, 2, d.slot, 4, NULL, bytes, PCN_EMEMORY);
    REFUSES(N, 2, NULL, 4, d.memory, bytes, PCN_EMEMORY);
    REFUSES(N, 2, d.slot, 4, d.memory, bytes - 1, PCN_EMEMORY);
    REFUSES(N, 0, d.slot, 4, d.memory, bytes, PCN_EOPTION);
    REFUSES(N, 1, d.slot, 4, d.memory, bytes, PCN_EOPTION);
    REFUSES(N, 3, d.slot, 4, d.memory, PCN_KPERCEPTRON_FLOATS(0, 3, 4) * sizeof *d.memory - 1, PCN_EMEMORY);
    REFUSES(N, 2, NULL, 0, d.memory, 7, PCN_EMEMORY);
    REFUSES(N, 3, NULL, 0, d.memory, 23, PCN_EMEMORY);
    REFUSES(N, UINT32_MAX, d.slot, 4, d.memory, bytes, PCN_EMEMORY);
    REFUSES(N, 2, d.slot, UINT32_MAX, d.memory, bytes, PCN_EMEMORY);
    REFUSES(0, UINT32_MAX, d.slot, UINT32_MAX, d.memory, bytes, PCN_EMEMORY);
    for (i = 0; i < LENGTH(gamma); i++) {
        k = pcn_kernel_rbf(gamma[i]);
        REFUSES(N, 2, d.slot, 4, d.memory, bytes, PCN_EOPTION);
        REFUSES(N, 3, NULL, 0, d.memory, sizeof d.memory, PCN_EOPTION); /* one that grows, too */
        if (gamma[i] < 0 && gamma[i] > -2) continue;
        k = pcn_kernel_poly(2, gamma[i], 1); /* its gamma may be negative, and its coef0 0 */
        REFUSES(N, 2, d.slot, 4, d.memory, bytes, PCN_EOPTION);
        if (gamma[i] == 0) continue;
        k = pcn_kernel_poly(2, 1, gamma[i]);
        REFUSES(N, 2, d.slot, 4, d.memory, bytes, PCN_EOPTION);
        k = pcn_kernel_linear();
        k.coef0 = gamma[i];
        REFUSES(N, 2, d.slot, 4, d.memory, bytes, PCN_EOPTION);
    }
    k = pcn_kernel_poly(0, 1, 1);
    REFUSES(N, 2, d.slot, 4, d.memory, bytes, PCN_EOPTION);
#undef REFUSES
    CHECK(pcn_kperceptron_init(m, pcn_kernel_rbf(from_bits(1)), N, 2, d.slot, 4, d.memory, bytes) == PCN_OK);
    CHECK(pcn_kperceptron_init(m, pcn_kernel_poly(1, -1, 0), N, 2, d.slot, 4, d.memory, bytes) == PCN_OK);
    CHECK(m->model.scores == 1 && m->learner.scores == 1);
    CHECK(pcn_kperceptron_init(m, pcn_kernel_poly(2, from_bits(1), -1), N, 3, NULL, 0, d.memory, 24) == PCN_OK);
    CHECK(m->model.scores == 3 && m->learner.scores == 3);
    CHECK(pcn_kperceptron_init(m, pcn_kernel_linear(), N, 2, NULL, 0, d.memory, 8) == PCN_OK);
    CHECK(m->refused == 0);
}

/* A trainer that init has refused has no memory: it learns nothing, has no image, and gives class 0. */
static void check_without_init(void)
{
    static dual d, fine;
    static uint8_t image[4096];
    pcn_kperceptron zero, *m = &d.m;
    float work[4], score[1] = {77};
    uint32_t classes, i;
    const int before = broken;
    memset(&zero, 0, sizeof zero);
    rows_init(2);
    dual_init(&fine, pcn_kernel_linear(), 2, 4, COPIES, STOP);
    CHECK(learn(&fine, 0) == 1);
    for (classes = 0; classes <= K; classes++) { /* fewer than two classes, or too little memory */
        const uint32_t ids[2] = {0, PCN_NO_ID};
        const int labels[2] = {0, 1};
        int result[2] = {77, 77}, cls = 77;
        size_t size = pcn_kperceptron_save(&fine.m, image, sizeof image);
        pcn_vec x[2];
        memset(&d, 77, sizeof d);
        CHECK(pcn_kperceptron_init(m, pcn_kernel_linear(), N, classes, d.slot, 4, d.memory, 8) ==
              (classes < 2 ? PCN_EOPTION : PCN_EMEMORY));
        d.store = COPIES;
        x[0] = row_of(&d, 0), x[1] = row_of(&d, 1);
        CHECK(pcn_kperceptron_use_sparse(m, d.value, d.index, 9) == PCN_EOPTION);
        CHECK(pcn_kperceptron_use_sparse(m, NULL, NULL, 0) == PCN_EOPTION);
        CHECK(pcn_kperceptron_use_rows(m, rows, NULL, CELLS) == PCN_EOPTION);
        CHECK(pcn_kperceptron_use_log(m, d.log, ENTRIES) == PCN_EOPTION);
        CHECK(pcn_kperceptron_use_log(m, NULL, 0) == PCN_EOPTION);
        CHECK(pcn_kperceptron_use_forgetron(m, d.aux, sizeof d.aux) == PCN_EOPTION);
        CHECK(pcn_kperceptron_use_projectron(m, 0, d.aux, sizeof d.aux) == PCN_EOPTION);
        CHECK(size != 0 && pcn_kperceptron_load(m, image, size) == PCN_EOPTION);
        CHECK(pcn_kperceptron_save_part(m, 0, NULL, 0) == 0 && pcn_kperceptron_save(m, image, sizeof image) == 0);
        CHECK(pcn_kmodel_save_part(&m->model, 0, NULL, 0) == 0);
        CHECK(pcn_kperceptron_swap_classes(m) == PCN_EOPTION);
        pcn_kperceptron_set_id(m, 0, 5);
        pcn_kperceptron_free(m);
        CHECK(pcn_kperceptron_predict(m, x[0]) == 0);
        pcn_kperceptron_scores(m, x[0], score);
        CHECK(memcmp(m, &zero, sizeof zero) == 0);
        CHECK(pcn_kmodel_scores(&m->model, PCN_DECIDE_LAST, x, 1, score, work, sizeof work) == PCN_OK);
        CHECK(pcn_kmodel_predict(&m->model, PCN_DECIDE_LAST, x, 1, &cls, work, sizeof work) == PCN_OK);
        CHECK(score[0] == 77 && cls == 0 && memcmp(m, &zero, sizeof zero) == 0);
        for (i = 1; i < 4; i++) CHECK(learn(&d, i) == PCN_EOPTION && m->refused == i);
        CHECK(pcn_kperceptron_learn_rows(m, x, labels, ids, 2, result, NULL, 0) == PCN_OK);
        CHECK(result[0] == PCN_EOPTION && result[1] == PCN_EOPTION && m->refused == 5);
        CHECK(pcn_kperceptron_learn(m, x[0], 0) == PCN_EOPTION && m->refused == 6);
        m->refused = 0;
        CHECK(memcmp(m, &zero, sizeof zero) == 0);
    }
    CHECK(live == 0 && broken == before + 3 * (K + 1)); /* a slot that is not there; questions without init */
    broken = before;
}

/* Two classes are 0 and 1, and -1 is 0. */
static void check_binary_labels(enum store store, enum policy policy)
{
    static dual a, b;
    uint32_t i;
    rows_init(2);
    dual_init(&a, pcn_kernel_rbf(1), 2, 9, store, policy);
    dual_init(&b, pcn_kernel_rbf(1), 2, 9, store, policy);
    for (i = 0; i < EPOCHS * ROWS; i++) {
        const uint32_t row = i % ROWS;
        CHECK(learn(&a, i) == pcn_kperceptron_learn_row(&b.m, row_of(&b, row), label[row] ? 1 : -1, row));
        CHECK(a.m.learner.guess == b.m.learner.guess && (a.m.learner.guess == 0 || a.m.learner.guess == 1));
    }
    CHECK(memcmp(&a.m.learner.count, &b.m.learner.count, sizeof a.m.learner.count) == 0);
    CHECK(a.m.refused == 0 && b.m.refused == 0 && a.m.learner.count.updates > 10);
    CHECK(same(a.m.own.coef, b.m.own.coef, a.m.model.slots) && same_scores(&a, &b));
}

/* A log with no entry holds no update; the array is the caller's, though nothing is written to it. */
static void check_log_of_no_length(void)
{
    static dual d;
    rows_init(2);
    dual_init(&d, pcn_kernel_linear(), 2, 4, COPIES, STOP);
    CHECK(pcn_kperceptron_use_log(&d.m, NULL, 0) == PCN_EMEMORY && d.m.own.logged == 0);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, 0) == PCN_OK && d.m.own.log == d.log && d.m.model.log == d.log);
    refuses(&d, row_of(&d, 0), 1, 0, PCN_EFULL);
    d.m.learner.rule.margin = 0, d.m.learner.zero_predicted = 1; /* what needs no update needs no entry */
    CHECK(pcn_kperceptron_learn_row(&d.m, row_of(&d, 0), 1, 0) == 0 && d.m.model.clock == 1 && d.m.model.entries == 0);
    dual_init(&d, pcn_kernel_linear(), 2, 0, COPIES, GROW);
    CHECK(pcn_kperceptron_use_log(&d.m, NULL, 0) == PCN_OK && learn(&d, 0) == 1 && d.m.model.entries == 1);
    pcn_kperceptron_free(&d.m);
}

/* Memory for other stores than this one shows when the first dense vector comes. */
static void check_no_cells(uint32_t features, size_t bytes)
{
    static dual d;
    float x = 1;
    rows_init(2);
    memset(&d, 0, sizeof d);
    CHECK(pcn_kperceptron_init(&d.m, pcn_kernel_linear(), features, 2, d.slot, 4, d.memory, bytes) == PCN_OK);
    refuses(&d, pcn_dense(&x, 1), 1, 0, PCN_EMEMORY);
    refuses(&d, pcn_ones(indices, 2), 0, PCN_NO_ID, PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_sparse(&d.m, d.value, d.index, 1) == PCN_OK);
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_dense(&x, 1), 1, 0) == 1 && d.m.model.slots == 1);
}

/* A row has been learned. */
static void too_late(dual *d)
{
    static dual before;
    memcpy(&before, d, sizeof before);
    CHECK(pcn_kperceptron_use_sparse(&d->m, d->value, d->index, 9) == PCN_ELATE);
    CHECK(pcn_kperceptron_use_sparse(&d->m, NULL, NULL, 0) == PCN_ELATE);
    CHECK(pcn_kperceptron_use_rows(&d->m, rows, NULL, CELLS) == PCN_ELATE);
    if (!d->m.own.logged) CHECK(pcn_kperceptron_use_log(&d->m, d->log, 9) == PCN_ELATE);
    if (!d->m.own.logged) CHECK(pcn_kperceptron_use_log(&d->m, NULL, 0) == PCN_ELATE);
    CHECK(same_dual(d, &before));
}

static void check_setup_errors(void)
{
    static dual d, before;
    pcn_kperceptron *m = &d.m;
    const size_t bytes = PCN_KPERCEPTRON_FLOATS(N, 2, 4) * sizeof *d.memory;
    check_init_errors();
    check_without_init();
    check_log_of_no_length();
    check_no_cells(N, PCN_KPERCEPTRON_FLOATS(0, 2, 4) * sizeof *d.memory);
    check_no_cells(N, bytes - 1);
    check_no_cells(N + 1, bytes);
    check_no_cells(UINT32_MAX, bytes);
    check_no_cells((uint32_t)1 << 30, bytes);
    rows_init(2);
    dual_init(&d, pcn_kernel_linear(), 3, 4, COPIES, STOP);
    memcpy(&before, &d, sizeof d);
    CHECK(pcn_kperceptron_use_sparse(m, NULL, d.index, 9) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_sparse(m, d.value, NULL, 9) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_sparse(m, NULL, NULL, 0) == PCN_EMEMORY); /* it has slots, so it does not grow */
    CHECK(pcn_kperceptron_use_rows(m, NULL, NULL, CELLS) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_rows(m, NULL, indices, CELLS) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_log(m, NULL, 9) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_use_log(m, NULL, 0) == PCN_EMEMORY);
    CHECK(same_dual(&d, &before));
    check_contradiction(PAIRS);
    check_contradiction(BORROWED);
    refuses(&d, row_of(&d, 0), 3, 0, PCN_ELABEL); /* that was no example */
    CHECK(pcn_kperceptron_use_log(m, d.log, 9) == PCN_OK);
    CHECK(learn(&d, 0) == 1); /* options come before the first example */
    too_late(&d);
    dual_init(&d, pcn_kernel_linear(), 2, 4, COPIES, STOP);
    d.m.learner.zero_predicted = 1;
    CHECK(pcn_kperceptron_learn_row(m, row_of(&d, 0), 1, 0) == 0 && m->model.slots == 0); /* it was one, too */
    too_late(&d);
}

/* learn refuses the first row. */
static void nothing_stored(dual *d, int expected)
{
    CHECK(learn(d, 0) == expected && learn(d, 1) == expected);
    CHECK(d->m.model.slots == 0 && d->m.model.clock == 0 && d->m.learner.count.updates == 0 && live == 0);
}

/* Without slots there is nothing to remove, and nothing to project on. */
static void check_no_slots(void)
{
    static dual d;
    const float nan = from_bits(0x7fc00000u);
    int policy;
    rows_init(2);
    for (policy = OLDEST; policy <= RANDOM; policy++) {
        dual_init(&d, pcn_kernel_linear(), 2, 0, COPIES, (enum policy)policy);
        nothing_stored(&d, PCN_EFULL);
    }
    CHECK(pcn_kperceptron_use_forgetron(&d.m, d.aux, sizeof d.aux) == PCN_EOPTION);
    CHECK(pcn_kperceptron_use_projectron(&d.m, 0, d.aux, sizeof d.aux) == PCN_EOPTION);
    dual_init(&d, pcn_kernel_linear(), 2, 3, COPIES, STOP);
    CHECK(pcn_kperceptron_use_projectron(&d.m, -1, d.aux, sizeof d.aux) == PCN_EOPTION);
    CHECK(pcn_kperceptron_use_projectron(&d.m, nan, d.aux, sizeof d.aux) == PCN_EOPTION);
    CHECK(d.m.own.aux == NULL && d.m.admit == NULL);
}

/* Arrays of the caller do not grow, and counts end at 2^32 - 1. */
static void check_growth_errors(void)
{
    static dual d;
    rows_init(2);
    dual_init(&d, pcn_kernel_linear(), 2, 0, COPIES, GROW);
    CHECK(pcn_kperceptron_use_sparse(&d.m, d.value, d.index, N) == PCN_OK);
    CHECK(d.m.own.value == d.value && d.m.own.index == d.index);
    nothing_stored(&d, PCN_EOPTION);
    dual_init(&d, pcn_kernel_linear(), 2, 0, COPIES, GROW);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_OK);
    nothing_stored(&d, PCN_EOPTION);
    dual_init(&d, pcn_kernel_linear(), 2, 0, COPIES, GROW);
    d.m.own.cells = UINT32_MAX - N + 1;
    nothing_stored(&d, PCN_EFULL);
    dual_init(&d, pcn_kernel_linear(), 2, 0, COPIES, GROW);
    CHECK(pcn_kperceptron_use_log(&d.m, NULL, 0) == PCN_OK);
    d.m.model.entries = UINT32_MAX; /* of 16 bytes each */
    if (SIZE_MAX > UINT32_MAX) nothing_stored(&d, PCN_EFULL);
    dual_init(&d, pcn_kernel_linear(), 2, 3, COPIES, STOP); /* starts have 32 bits */
    d.m.own.cell_room = SIZE_MAX;
    d.m.own.cells = UINT32_MAX - N + 1;
    refuses(&d, row_of(&d, 0), 1, 0, PCN_EFULL);
}

/* A step is below 2^54, so coefficients stay below 2^80; a Forgetron with much to spend keeps no more than 1,024. */
static void check_ends(void)
{
    static dual d;
    const float below = from_bits(0x5a7fffffu), greatest = from_bits(0x677fffffu); /* the floats before 2^54 and 2^80 */
    float x[N] = {1e-20f};
    int i;
    rows_init(2);
    dual_init(&d, pcn_kernel_linear(), 2, SLOTS, COPIES, STOP);
    always(&d);
    d.m.learner.rule.rate = from_bits(0x5a800000u); /* 2^54 */
    refuses(&d, pcn_dense(x, N), 1, 0, PCN_EVALUE);
    d.m.learner.rule.rate = below;
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_dense(x, N), 1, 0) == 1 && d.m.own.coef[0] == below);
    for (i = 0; i < 4; i++) { /* from just below 2^78 it comes to 2^78 and no further */
        if (i == 0) d.m.own.coef[0] = from_bits(0x667fffffu);
        CHECK(pcn_kperceptron_learn_row(&d.m, pcn_dense(x, N), 1, 0) == 1 && d.m.own.coef[0] == from_bits(0x66800000u));
    }
    d.m.own.coef[0] = greatest;
    CHECK(pcn_kperceptron_learn_row(&d.m, pcn_dense(x, N), 1, 0) == 1 && d.m.own.coef[0] == greatest);
    dual_init(&d, pcn_kernel_rbf(1), 2, 2, COPIES, FORGETRON);
    always(&d);
    CHECK(learn(&d, 0) == 1 && learn(&d, 1) == 1);
    d.m.own.coef[0] = 1e20f; /* the rule cannot forget what has an infinite square */
    refuses(&d, row_of(&d, 2), 1, 2, PCN_EVALUE);
    dual_init(&d, pcn_kernel_rbf(1), 2, 3, COPIES, FORGETRON);
    always(&d);
    d.m.own.slack = 1023.75f;
    for (i = 0; i < 2; i++) CHECK(learn(&d, (uint32_t)i) == 1 && d.m.own.slack == 1024);
}

/* An image that does not fit the trainer, or for which there is no memory, changes nothing. */
static void load_refused(dual *d, const uint8_t *image, size_t size, int expected)
{
    static dual before;
    memcpy(&before, d, sizeof before);
    CHECK(pcn_kperceptron_load(&d->m, image, size) == expected);
    CHECK(unchanged(d, &before) && d->m.refused == before.m.refused);
}

static void check_load_errors(void)
{
    static dual d, e;
    static uint8_t image[65536];
    const pcn_kperceptron *m = &d.m;
    size_t size;
    long fail;
    rows_init(3);
    dual_init(&d, pcn_kernel_rbf(1), 3, SLOTS, PAIRS, STOP);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_OK);
    train(&d, 1);
    size = pcn_kperceptron_save(&d.m, image, sizeof image);
    CHECK(size != 0 && m->model.entries > 4 && m->model.slots > 2);
    dual_init(&e, pcn_kernel_rbf(1), 3, SLOTS, PAIRS, STOP);
    load_refused(&e, image, size, PCN_EMATCH); /* no log */
    CHECK(pcn_kperceptron_use_log(&e.m, e.log, m->model.entries - 1) == PCN_OK);
    load_refused(&e, image, size, PCN_EFULL);
    CHECK(pcn_kperceptron_use_log(&e.m, e.log, m->model.entries) == PCN_OK);
    CHECK(pcn_kperceptron_use_sparse(&e.m, e.value, e.index, m->own.cells - 1) == PCN_OK);
    load_refused(&e, image, size, PCN_EFULL);
    CHECK(pcn_kperceptron_use_sparse(&e.m, e.value, e.index, m->own.cells) == PCN_OK);
    e.m.own.slot_room = m->model.slots - 1;
    load_refused(&e, image, size, PCN_EFULL);
    e.m.own.slot_room = m->model.slots;
    e.m.model.features = N - 1;
    load_refused(&e, image, size, PCN_EMATCH);
    e.m.model.features = N;
    CHECK(pcn_kperceptron_load(&e.m, image, size) == PCN_OK && same_scores(&d, &e));
    for (fail = 1; fail <= 6; fail++) { /* slots, row, norms, coefficients, values, indices */
        dual_init(&e, pcn_kernel_rbf(1), 3, 0, PAIRS, GROW);
        CHECK(pcn_kperceptron_use_log(&e.m, NULL, 0) == PCN_OK);
        fail_at = calls + fail;
        CHECK(pcn_kperceptron_load(&e.m, image, size) == PCN_ENOMEM);
        fail_at = 0;
        CHECK(e.m.model.slots == 0 && e.m.model.entries == 0);
        CHECK(pcn_kperceptron_load(&e.m, image, size) == PCN_OK && same_scores(&d, &e));
        pcn_kperceptron_free(&e.m);
        CHECK(live == 0);
    }
}

/* Mean and vote need a log. Too little memory to work in: nothing is written. */
static void check_decisions(void)
{
    static dual d;
    float score[K], work[PCN_KMODEL_WORK(K, SLOTS, 1)];
    const uint32_t id = 1;
    int y = 1, result = 77, cls = 77;
    pcn_kmodel frozen;
    pcn_vec x;
    rows_init(K);
    dual_init(&d, pcn_kernel_linear(), K, SLOTS, COPIES, STOP);
    x = row_of(&d, 0);
    CHECK(pcn_kmodel_scores(&d.m.model, PCN_DECIDE_MEAN, &x, 1, score, work, sizeof work) == PCN_EOPTION);
    CHECK(pcn_kmodel_scores(&d.m.model, PCN_DECIDE_VOTE, &x, 1, score, work, sizeof work) == PCN_EOPTION);
    CHECK(pcn_kmodel_scores(&d.m.model, PCN_DECIDE_LAST, &x, 1, score, work, sizeof work) == PCN_OK);
    CHECK(score[0] == 0 && score[K - 1] == 0 && pcn_decide(score, K, 0) == 0);
    CHECK(pcn_kmodel_predict(&d.m.model, PCN_DECIDE_MEAN, &x, 1, &cls, work, sizeof work) == PCN_EOPTION && cls == 77);
    CHECK(pcn_kmodel_predict(&d.m.model, PCN_DECIDE_LAST, &x, 1, &cls, NULL, sizeof work) == PCN_EMEMORY && cls == 77);
    CHECK(pcn_kmodel_predict(&d.m.model, PCN_DECIDE_LAST, &x, 1, &cls, work, sizeof work) == PCN_OK && cls == 0);
    CHECK(pcn_decide(score, 1, 0) == 1 && pcn_decide(score, 1, 1) == 0);
    train(&d, 1);
    score[0] = 77;
    CHECK(pcn_kmodel_scores(&d.m.model, PCN_DECIDE_LAST, &x, 1, score, work,
                            (d.m.model.slots + 2 * K) * sizeof *work - 1) == PCN_EMEMORY);
    CHECK(pcn_kmodel_scores(&d.m.model, PCN_DECIDE_LAST, &x, 1, score, NULL, sizeof work) == PCN_EMEMORY);
    CHECK(score[0] == 77);
    CHECK(pcn_kmodel_scores(&d.m.model, PCN_DECIDE_LAST, NULL, 0, NULL, work, 2 * K * sizeof *work) == PCN_OK);
    CHECK(pcn_kmodel_scores(&d.m.model, PCN_DECIDE_LAST, NULL, 0, NULL, work, 2 * K * sizeof *work - 1) == PCN_EMEMORY);
    CHECK(pcn_kperceptron_learn_rows(&d.m, &x, &y, &id, 1, &result, NULL, sizeof work) == PCN_EMEMORY);
    CHECK(result == 77);
    CHECK(pcn_kperceptron_use_log(&d.m, d.log, ENTRIES) == PCN_ELATE);
    frozen = d.m.model;
    frozen.log = d.log; /* nobody has voted */
    CHECK(pcn_kmodel_scores(&frozen, PCN_DECIDE_VOTE, &x, 1, score, work, sizeof work) == PCN_OK);
    CHECK(score[0] == 0 && score[1] == 0 && score[K - 1] == 0);
}

int main(void)
{
    uint32_t classes;
    int store, i;
    check_identities();
    check_log_full();
    check_budgets();
    check_random();
    check_projectron(pcn_kernel_rbf(0.5f), 5, 0);
    check_projectron(pcn_kernel_rbf(0.5f), SLOTS, 0.6f);
    check_projectron(pcn_kernel_poly(2, 1, 1), 8, 0);
    check_projectron(pcn_kernel_poly(3, 0.5f, 1), SLOTS, 20);
    check_projectron_exact();
    for (i = 0; i < 3; i++) {
        const float by = i == 0 ? 0 : i == 1 ? 1e-4f : 1e-2f;
        check_duplicates(pcn_kernel_poly(2, 1, 1), by, 1e-4);
        check_duplicates(pcn_kernel_rbf(0.5f), by, 1e-4);
        check_duplicates(pcn_kernel_linear(), by, 1e-4);
    }
    check_refused();
    check_too_large(OLDEST);
    check_too_large(RANDOM);
    for (store = COPIES; store < STORES; store++) {
        check_oldest((enum store)store);
        for (i = STOP + 1; i <= PROJECTRON; i++) check_binary_labels((enum store)store, (enum policy)i);
        check_forgetron(pcn_kernel_rbf(0.5f), 5, (enum store)store);
        check_forgetron(pcn_kernel_poly(2, 0.2f, 0.2f), 7, (enum store)store);
        for (classes = 2; classes <= K; classes++) {
            check_stop((enum store)store, classes);
            for (i = 0; i < 2; i++) {
                check_growth(classes, (enum store)store, i);
                check_learn_errors(classes, pcn_kernel_linear(), (enum store)store, i);
                check_learn_errors(classes, pcn_kernel_rbf(1), (enum store)store, i);
            }
        }
    }
    check_growth_abandoned();
    check_growth_empty();
    for (i = 0; i < 2; i++) {
        check_overflow(STOP, i);
        check_overflow(PROJECTRON, i);
    }
    check_projected_overflow();
    for (i = 0; i < 4; i++) {
        check_projectron_resumes(pcn_kernel_linear(), i & 1 ? PAIRS : COPIES, i >> 1);
        check_projectron_resumes(pcn_kernel_rbf(0.5f), i & 1 ? PAIRS : COPIES, i >> 1);
    }
    check_settings();
    check_setup_errors();
    check_no_slots();
    check_growth_errors();
    check_ends();
    check_load_errors();
    check_decisions();
    check_cleared_counts();
    check_forgetron_overflow(1, 1e20f, 0.5f); /* sigma^2 */
    check_forgetron_overflow(1, 1e20f, 1);    /* sigma (sigma - 2 mu) */
    check_tiles();
    check_streams();
    for (store = COPIES; store <= PAIRS; store++) check_wrong_number((enum store)store);
    check_wrong_number_elsewhere();
    check_set_id();
    for (classes = 2; classes <= K; classes++) {
        check_longer_log(classes);
        for (store = COPIES; store < STORES; store++) check_log_of_admit(classes, (enum store)store);
    }
    check_log_again();
    check_swaps();
    check_all_asked();
    check_all_never();
    CHECK(broken == 0);
    return report();
}
