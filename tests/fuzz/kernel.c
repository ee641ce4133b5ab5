/* Kernel models under any sequence of calls. Two trainers take the same calls, on dense rows or on sparse ones: one
 * stores copies of that form, one borrows the rows. What they learn must agree to the bit. A plain model, in double
 * precision, keeps the coefficients of every example's f and is asked for all decisions. After an error nothing may
 * have changed, but the count of refused rows. */
#define PERCEPTRON_GROW
#include "perceptron.h"

enum { POOL = 9, FEATURES = 24, CLASSES = 4, SLOTS = 12, CALLS = 64, LOG = 40 };
enum { N = FEATURES, TIMES = CALLS, WORDS = CLASSES };

#include "steps.h"
#include "../header/plain_kernel.h"

enum { COPIES, BORROWED, KINDS };
enum { NOTHING, OLDEST, RANDOM, FORGETRON, PROJECTRON, GROW, POLICIES };

static input in;

/* The rows: dense, and the same as pairs, which leave out what is 0. */
static struct pool {
    float *dense, *value;
    uint32_t *index, start[POOL + 1];
} pool;

typedef struct trainer {
    pcn_kperceptron m;
    float *memory, *value, *aux;
    uint32_t *index;
    pcn_log_entry *log;
    pcn_slot *slot;
} trainer;

static trainer trainers[KINDS];
static pcn_kperceptron *const one = &trainers[COPIES].m;
static uint32_t features, classes, scores, policy, trainer_count, next_id;
static uint32_t sparse; /* rows are learned and stored so */

static plain_past past, kept_past;

/* ---- Rows ---- */

static pcn_vec dense_row(uint32_t p)
{
    return pcn_dense(pool.dense + (size_t)p * features, features);
}

static pcn_vec row_of(uint32_t as_pairs, uint32_t p)
{
    if (!as_pairs) return dense_row(p);
    return pcn_sparse(pool.index + pool.start[p], pool.value + pool.start[p], pool.start[p + 1] - pool.start[p]);
}

static int finite_row(uint32_t p)
{
    uint32_t j;
    for (j = 0; j < features; j++)
        if (!is_finite(dense_row(p).value[j])) return 0;
    return 1;
}

static void fill_pool(void)
{
    size_t all = (size_t)POOL * features, i, n = 0;
    uint32_t mask = take(&in), p, j;
    pool.dense = floats(all);
    for (i = 0; i < all; i++) { /* many zeros, hostile values, or small whole numbers */
        pool.dense[i] = 0;
        if (i % 3 == 0 || !(mask & 1)) pool.dense[i] = mask & 2 ? take_float(&in) : (float)(take(&in) & 7) - 3;
    }
    for (i = 0; i < all; i++) n += bits_of(pool.dense[i]) << 1 != 0;
    pool.value = floats(n);
    pool.index = (uint32_t *)room(n * sizeof *pool.index);
    for (p = 0, n = 0; p < POOL; p++) {
        pool.start[p] = (uint32_t)n;
        for (j = 0; j < features; j++) {
            float x = dense_row(p).value[j];
            if (bits_of(x) << 1 == 0) continue;
            pool.index[n] = j;
            pool.value[n++] = x;
        }
    }
    pool.start[POOL] = (uint32_t)n;
}

/* ---- Trainers ---- */

/* A kernel that has no products: both forms of a row give the same. */
static float own_kernel(const pcn_kernel *k, const pcn_vec *x, const pcn_vec *z)
{
    float sum = k->coef0;
    uint32_t i;
    for (i = 0; i < x->count; i++) sum += x->value[i] > 1 ? 1.0f : 0.0f;
    for (i = 0; i < z->count; i++) sum += z->value[i] > 1 ? 0.5f : 0.0f;
    return sum;
}

static pcn_kernel make_kernel(uint32_t which, float gamma, float coef0)
{
    pcn_kernel k = which == 0   ? pcn_kernel_linear()
                   : which == 1 ? pcn_kernel_poly(take_below(&in, 4), gamma, coef0)
                                : pcn_kernel_rbf(gamma);
    if (which == 3) {
        k.id = 256;
        k.of_dots = NULL;
        k.of_vectors = own_kernel;
        k.coef0 = coef0;
    }
    return k;
}

/* Does init take it? */
static int kernel_valid(const pcn_kernel *k)
{
    if (!is_finite(k->gamma) || !is_finite(k->coef0)) return 0;
    return k->id == 2 ? k->gamma != 0 && k->degree != 0 : k->id != 3 || k->gamma > 0;
}

/* A trainer whose init has failed refuses what is asked of it. */
static void check_no_init(pcn_kperceptron *m)
{
    static const pcn_kperceptron nothing;
    pcn_log_entry entry;
    float aux;
    MUST(memcmp(m, &nothing, sizeof nothing) == 0);
    MUST(pcn_kperceptron_learn(m, dense_row(0), 0) == PCN_EOPTION && m->refused == 1);
    MUST(pcn_kperceptron_use_log(m, &entry, 1) == PCN_EOPTION && pcn_kperceptron_save_part(m, 0, NULL, 0) == 0);
    MUST(pcn_kperceptron_swap_classes(m) == PCN_EOPTION);
    MUST(pcn_kperceptron_use_sparse(m, NULL, NULL, 0) == PCN_EOPTION);
    MUST(pcn_kperceptron_use_rows(m, pool.dense, NULL, features) == PCN_EOPTION);
    MUST(pcn_kperceptron_use_forgetron(m, &aux, sizeof aux) == PCN_EOPTION);
    MUST(pcn_kperceptron_use_projectron(m, 0, &aux, sizeof aux) == PCN_EOPTION);
}

static void begin_budget(trainer *t, uint32_t slots, size_t aux_bytes)
{
    const size_t bytes = slots * sizeof *t->aux;
    const int binary = classes == 2;
    switch (policy) {
    case OLDEST: t->m.admit = pcn_admit_oldest; break;
    case RANDOM: t->m.admit = pcn_admit_random; break;
    case FORGETRON:
        MUST(pcn_kperceptron_use_forgetron(&t->m, t->aux, bytes - 1) == (binary ? PCN_EMEMORY : PCN_EOPTION));
        MUST(pcn_kperceptron_use_forgetron(&t->m, t->aux, bytes) == (binary ? PCN_OK : PCN_EOPTION));
        break;
    case PROJECTRON:
        MUST(pcn_kperceptron_use_projectron(&t->m, 0.25f, t->aux, aux_bytes - 1) == PCN_EMEMORY);
        MUST(pcn_kperceptron_use_projectron(&t->m, 0.25f, t->aux, aux_bytes) == PCN_OK);
        break;
    case GROW: t->m.admit = pcn_admit_grow; break;
    }
}

static int begin(uint32_t kind, pcn_kernel kernel, uint32_t slots, uint32_t logged, uint32_t entries)
{
    trainer *t = &trainers[kind];
    size_t cells = (size_t)slots * features, length, aux_size = (size_t)slots * (slots + 2);
    int grow = policy == GROW, result;
    memset(t, 0, sizeof *t);
    length = grow ? 2 * scores : PCN_KPERCEPTRON_FLOATS(kind == COPIES && !sparse ? features : 0, classes, slots);
    t->memory = floats(length), t->value = floats(cells), t->aux = floats(aux_size);
    t->index = (uint32_t *)room(cells * sizeof *t->index);
    t->log = (pcn_log_entry *)room(entries * sizeof *t->log);
    t->slot = (pcn_slot *)room(slots * sizeof *t->slot);
    result = pcn_kperceptron_init(&t->m, kernel, features, classes, grow ? NULL : t->slot, grow ? 0 : slots, t->memory,
                                  length * sizeof *t->memory);
    if (result < 0) {
        check_no_init(&t->m);
        return result;
    }
    if (kind == COPIES && sparse)
        MUST(pcn_kperceptron_use_sparse(&t->m, grow ? NULL : t->value, grow ? NULL : t->index, grow ? 0 : cells) ==
             PCN_OK);
    if (kind == BORROWED)
        MUST(pcn_kperceptron_use_rows(&t->m, sparse ? pool.value : pool.dense, sparse ? pool.index : NULL,
                                      sparse ? pool.start[POOL] : (size_t)POOL * features) == PCN_OK);
    if (logged) MUST(pcn_kperceptron_use_log(&t->m, grow ? NULL : t->log, grow ? 0 : entries) == PCN_OK);
    begin_budget(t, slots, aux_size * sizeof *t->aux);
    return PCN_OK;
}

static void end(uint32_t kind)
{
    trainer *t = &trainers[kind];
    pcn_kperceptron_free(&t->m);
    free(t->memory), free(t->value), free(t->aux), free(t->index), free(t->log), free(t->slot);
}

static uint8_t *save(const pcn_kperceptron *m, size_t *size)
{
    uint8_t *image;
    *size = pcn_kperceptron_save_part(m, 0, NULL, 0);
    MUST(*size != 0);
    image = (uint8_t *)room(*size);
    MUST(pcn_kperceptron_save(m, image, *size - 1) == 0 && pcn_kperceptron_save(m, image, *size) == *size);
    return image;
}

/* All trainers hold the same slots, coefficients, log and counts, and give the same image. */
static void agree(void)
{
    const pcn_kmodel *a = &one->model;
    size_t coefs = (size_t)a->slots * scores, s, size[KINDS];
    uint8_t *image[KINDS];
    uint32_t k;
    for (k = 0; k < trainer_count; k++) {
        const pcn_kperceptron *m = &trainers[k].m;
        const pcn_kmodel *b = &m->model;
        MUST(b->slots == a->slots && b->entries == a->entries && b->clock == a->clock);
        MUST(same(a->coef, b->coef, coefs * sizeof(float)) && same(a->norm2, b->norm2, a->slots * sizeof(float)));
        for (s = 0; s < a->slots; s++) MUST(a->slot[s].id == b->slot[s].id);
        MUST(same(a->log, b->log, a->entries * sizeof *a->log));
        MUST(memcmp(&one->learner.count, &m->learner.count, sizeof m->learner.count) == 0);
        MUST(one->learner.guess == m->learner.guess && one->seed == m->seed);
        MUST(bits_of(one->own.slack) == bits_of(m->own.slack) && one->own.logged == m->own.logged);
        MUST(one->refused == m->refused && one->learner.moved == m->learner.moved);
        image[k] = save(m, &size[k]);
    }
    if (trainer_count == KINDS)
        MUST(size[BORROWED] == size[COPIES] && memcmp(image[BORROWED], image[COPIES], size[COPIES]) == 0);
    for (k = 0; k < trainer_count; k++) free(image[k]);
}

/* ---- The plain model ---- */

/* K(x, z) + B^2 and how far rounding may carry it; infinite: anything. */
static double value_of(const float *x, const float *z, double *radius)
{
    const pcn_kernel *k = &one->model.kernel;
    const int own = k->id == 256;
    double value = (double)one->model.bias2;
    pcn_vec a = pcn_dense(x, features), b = pcn_dense(z, features);
    value += own ? (double)own_kernel(k, &a, &b) : plain_kernel(k, x, z, features);
    *radius = (own ? 0 : kernel_radius(k, x, z, features)) + ldexp(fabs(value), -24);
    if (!(fabs(value) + *radius < 1e37)) *radius = HUGE_VAL;
    return value;
}

static uint32_t slot_row[SLOTS]; /* the row that each slot holds */

/* Do rounding's bounds say what the score of a class is, and is it that? */
static void must_be_near(float score, double exact, double radius, double size)
{
    if (fabs(exact) + radius < 1e37 && size < 1e35) MUST(fabs((double)score - exact) <= radius);
}

/* The scores of the decision are those of the plain model. */
static void check_decision(enum pcn_decision how, const float *x, const float *score)
{
    const pcn_kmodel *m = &one->model;
    double kernel[SLOTS], away[SLOTS], mean[CLASSES], radius[CLASSES], vote[CLASSES];
    double travelled[CLASSES] = {0}, off[CLASSES] = {0}, more[CLASSES]; /* what passes through a sum of log entries */
    uint32_t i, c;
    int sure;
    for (i = 0; i < m->slots; i++) kernel[i] = value_of(x, dense_row(slot_row[i]).value, &away[i]);
    for (c = 0; c < scores && how == PCN_DECIDE_LAST; c++) {
        double r, f = past_f(&past, m, m->clock, c, kernel, away, &r);
        must_be_near(score[c], f, r, 0);
    }
    if (how == PCN_DECIDE_LAST) return;
    for (i = 0; i < m->entries; i++) {
        const double step = fabs((double)m->log[i].step);
        travelled[m->log[i].cls] += step * fabs(kernel[m->log[i].slot]);
        off[m->log[i].cls] += step * away[m->log[i].slot];
    }
    for (c = 0; c < scores; c++) more[c] = off[c] + ldexp(travelled[c], -15);
    sure = past_scores(&past, m, kernel, away, more, mean, radius, vote);
    for (c = 0; c < scores; c++) {
        const double size = travelled[c] + off[c], r = radius[c] + off[c] + size * (m->entries + 8) * ldexp(1, -23);
        if (how == PCN_DECIDE_MEAN) must_be_near(score[c], mean[c], r + ldexp(1, -120), size * (m->clock + 1));
        if (how == PCN_DECIDE_VOTE && sure) MUST((double)score[c] == vote[c]);
    }
}

/* ---- Calls ---- */

/* Slots keep their order; those whose vectors have gone are found by their squared norm and id. */
static void follow_slots(const pcn_slot *old, uint32_t old_slots, uint32_t p, uint32_t id)
{
    uint32_t rows[SLOTS], s, t = 0;
    memcpy(rows, slot_row, sizeof rows);
    for (s = 0; s < one->model.slots; s++) {
        while (t < old_slots && old[t].id != one->model.slot[s].id) t++;
        MUST(t < old_slots || (s == one->model.slots - 1 && one->model.slot[s].id == id));
        slot_row[s] = t < old_slots ? rows[t] : p;
        t++;
    }
}

/* Coefficients after a step: without removal each number is known. */
static void check_coefficients(const float *old, uint32_t old_slots, uint32_t id, const span *change, int fired)
{
    uint32_t s, c;
    if (policy >= OLDEST && policy <= PROJECTRON) return;
    for (s = 0; s < one->model.slots; s++)
        for (c = 0; c < scores; c++) {
            float was = s < old_slots ? old[s * scores + c] : 0, now = one->model.coef[s * scores + c];
            if (fired && one->model.slot[s].id == id)
                MUST(moved(was, now, (double)was + change[c].low.step, (double)was + change[c].high.step, 1, 0));
            else
                MUST(bits_of(was) == bits_of(now));
        }
    MUST(one->model.slots <= old_slots + 1);
}

/* A label that is none changes only the count of refused rows. */
static void refuse_label(pcn_kperceptron *m, pcn_vec x)
{
    static const int no_binary[] = {2, -2, INT32_MAX, INT32_MIN};
    const int y = classes == 2 ? no_binary[x.count & 3] : x.count & 1 ? -1 : (int)classes;
    pcn_kperceptron old;
    memcpy(&old, m, sizeof old);
    old.refused++;
    MUST(pcn_kperceptron_learn_row(m, x, y, 0) == PCN_ELABEL && memcmp(&old, m, sizeof old) == 0);
}

static void call_learn(void)
{
    uint32_t p = take_below(&in, POOL), id = p, k, old_slots = one->model.slots, c, known = 0;
    int y = (int)take_below(&in, scores + (take(&in) > 250)), result = 0, unsure;
    float old[SLOTS * CLASSES];
    pcn_slot slots[SLOTS];
    uint8_t *before[KINDS];
    size_t size[KINDS];
    pcn_vec x = dense_row(p);
    span change[CLASSES];
    double self[CLASSES], away;
    plain_linear steps;
    const float bias = one->learner.bias_input;
    const int misset = rule_misset(&one->learner); /* or with a B that the stored vectors do not have: */
    const int stale = old_slots != 0 && bits_of(bias * bias) != bits_of(one->model.bias2);
    if (classes == 2) y = y ? y : take(&in) & 1;
    if (take(&in) & 1) id = next_id++; /* as PCN_NO_ID: a slot of its own */
    if (old_slots) memcpy(old, one->model.coef, old_slots * scores * sizeof(float));
    if (old_slots) memcpy(slots, one->model.slot, old_slots * sizeof *slots);
    for (k = 0; k < old_slots; k++) known |= slots[k].id == id;
    if (!known && old_slots == SLOTS && policy == GROW) return;
    for (k = 0; k < trainer_count; k++) {
        pcn_kperceptron *m = &trainers[k].m;
        const uint32_t refused = m->refused + 1;
        const int label = classes == 2 && y == 0 && k == BORROWED ? -1 : y; /* the same class */
        pcn_vec v = row_of(sparse, p);
        int got;
        refuse_label(m, v);
        before[k] = save(m, &size[k]);
        if (in.at < in.end && *in.at & 1) { /* the block learner does the same */
            const size_t bytes = m->model.slots * sizeof(float);
            float *work = (float *)room(bytes);
            if (bytes) MUST(pcn_kperceptron_learn_rows(m, &v, &label, &id, 1, &got, work, bytes - 1) == PCN_EMEMORY);
            MUST(pcn_kperceptron_learn_rows(m, &v, &label, &id, 1, &got, work, bytes) == PCN_OK);
            free(work);
        } else {
            got = pcn_kperceptron_learn_row(m, v, label, id);
        }
        MUST(m->refused == refused + (got < 0));
        if (k == 0) result = got;
        MUST(got == result);
        if (result < 0) {
            size_t now;
            uint8_t *after = save(m, &now);
            MUST(now == size[k] && memcmp(after, before[k], now) == 0);
            free(after);
        }
        free(before[k]);
    }
    agree();
    if ((uint32_t)y >= classes)
        MUST(result == PCN_ELABEL);
    else if (!rule_valid(&one->learner.rule))
        MUST(result == PCN_EOPTION);
    else
        MUST(stale ? result < 0 : misset ? result <= 0 : result != PCN_EOPTION || may_overflow(&one->learner));
    if (result < 0) return;
    MUST(one->learner.moved || result == 0);
    for (c = 0; c < features; c++) MUST(is_finite(x.value[c]));
    memset(&steps, 0, sizeof steps);
    steps.classes = scores;
    take_settings(&steps, &one->learner, one->model.zero_negative);
    check_guess(&steps, &one->learner, one->learner.guess);
    for (c = 0; c < scores; c++) self[c] = value_of(x.value, x.value, &away);
    if (self[0] > 0 && away < self[0] / 2) {
        step_spans(&steps, one->learner.score, self, y, 2 * away / self[0] + ldexp(1, -19), change);
        MUST((result != 0) == (classes_moved(&steps, change, &unsure) != 0) || unsure);
        for (c = 0; result && policy != FORGETRON && c < scores; c++)
            MUST(moved(0, pcn_changes(&one->learner)[c], change[c].low.step, change[c].high.step, 1, 0));
        check_coefficients(old, old_slots, id, change, result);
    }
    follow_slots(slots, old_slots, p, id);
    past_note(&past, &one->model);
}

/* What the trainer answers is what its model says, and nothing else changes. */
static void check_answer(pcn_kperceptron *m, pcn_vec x, const float *expected)
{
    float score[CLASSES], last[2 * CLASSES];
    pcn_kperceptron old;
    uint32_t c;
    memcpy(&old, m, sizeof old);
    memcpy(last, m->learner.score, 2 * scores * sizeof *last);
    pcn_kperceptron_scores(m, x, score);
    for (c = 0; c < scores; c++) {
        MUST(is_finite(score[c]) == is_finite(expected[c]));
        if (!is_finite(score[c])) return;
        MUST(bits_of(score[c]) == bits_of(expected[c]));
    }
    MUST(pcn_kperceptron_predict(m, x) == pcn_decide(expected, scores, m->model.zero_negative));
    MUST(memcmp(&old, m, sizeof old) == 0 && memcmp(last, m->learner.score, 2 * scores * sizeof *last) == 0);
}

/* All decisions of all trainers, at once for two rows, each of any form. */
static void call_predict(void)
{
    float score[2 * CLASSES], first[2 * CLASSES] = {0};
    int cls[2];
    uint32_t a = take_below(&in, POOL), b = take_below(&in, POOL), forms = take(&in), k, i;
    size_t need = PCN_KMODEL_WORK(classes, one->model.slots, 2);
    float *work = floats(need);
    const size_t bytes = need * sizeof *work;
    int how;
    for (how = PCN_DECIDE_LAST; how <= PCN_DECIDE_VOTE; how++) {
        for (k = 0; k < trainer_count; k++) {
            const pcn_kmodel *m = &trainers[k].m.model;
            pcn_vec x[2];
            const int answer = how == PCN_DECIDE_LAST || m->log ? PCN_OK : PCN_EOPTION;
            int result;
            x[0] = row_of(forms & 1, a), x[1] = row_of(forms & 2, b);
            result = pcn_kmodel_scores(m, (enum pcn_decision)how, x, 2, score, work, bytes - 1);
            MUST(result == (answer ? answer : PCN_EMEMORY));
            result = pcn_kmodel_scores(m, (enum pcn_decision)how, x, 2, score, work, bytes);
            MUST(result == answer);
            MUST(pcn_kmodel_predict(m, (enum pcn_decision)how, x, 2, cls, work, bytes) == result);
            if (result < 0) continue;
            for (i = 0; i < 2; i++) MUST(cls[i] == pcn_decide(score + i * scores, scores, m->zero_negative));
            if (k == 0) memcpy(first, score, sizeof first);
            for (i = 0; i < 2 * scores; i++)
                if (is_finite(score[i]) && finite_row(i < scores ? a : b)) MUST(bits_of(score[i]) == bits_of(first[i]));
            for (i = 0; i < 2 && how == (trainers[k].m.own.logged ? PCN_DECIDE_MEAN : PCN_DECIDE_LAST); i++)
                check_answer(&trainers[k].m, x[i], score + i * scores);
        }
        for (i = 0; i < 2 && (how == PCN_DECIDE_LAST || one->model.log); i++) {
            pcn_vec x = dense_row(i ? b : a);
            if (!finite_row(i ? b : a)) continue;
            check_decision((enum pcn_decision)how, x.value, first + i * scores);
        }
    }
    free(work);
}

static void call_settings(void)
{
    uint32_t k;
    float before = one->learner.bias_input;
    change_setting(&in, &one->learner, &one->model.zero_negative);
    if (one->model.clock != 0) one->learner.bias_input = before; /* f keeps its meaning */
    for (k = 0; k < trainer_count; k++) {
        pcn_kperceptron *m = &trainers[k].m;
        m->learner.rule = one->learner.rule;
        m->learner.update = one->learner.update;
        m->learner.zero_predicted = one->learner.zero_predicted;
        m->learner.bias_input = one->learner.bias_input;
        m->model.zero_negative = one->model.zero_negative;
    }
}

/* The two classes change places; or a slot gets another number. */
static void call_change(void)
{
    const uint32_t choice = take(&in), s = choice >> 1;
    uint32_t k, t, i;
    for (k = 0; k < trainer_count; k++) {
        pcn_kperceptron *m = &trainers[k].m;
        if (choice & 1)
            MUST(pcn_kperceptron_swap_classes(m) == (classes == 2 ? PCN_OK : PCN_EOPTION));
        else
            pcn_kperceptron_set_id(m, s, next_id);
        MUST(choice & 1 || s >= m->model.slots || m->model.slot[s].id == next_id);
    }
    next_id++;
    if (choice & 1 && classes == 2)
        for (t = 0; t <= one->model.clock; t++)
            for (i = 0; i < SLOTS; i++) past.coef[t][i] = 0 - past.coef[t][i];
    agree();
}

/* An array with room for one update more, which those that do not grow may have at any time. */
static void call_log(void)
{
    uint32_t k;
    for (k = 0; k < trainer_count; k++) {
        trainer *t = &trainers[k];
        const uint32_t entries = t->m.model.entries, more = t->m.own.log_room + scores;
        pcn_log_entry *log = (pcn_log_entry *)room(more * sizeof *log);
        pcn_kperceptron old;
        memcpy(&old, &t->m, sizeof old);
        if (!t->m.own.logged || t->m.own.grown || t->m.own.slot_room == 0) {
            const int late = t->m.model.clock != 0 || t->m.model.slots != 0;
            if (late && (!t->m.own.logged || t->m.own.grown)) /* one that is to grow, but has not, may have an array */
                MUST(pcn_kperceptron_use_log(&t->m, log, more) == PCN_ELATE && memcmp(&old, &t->m, sizeof old) == 0);
            free(log);
            continue;
        }
        if (entries != 0)
            MUST(pcn_kperceptron_use_log(&t->m, log, entries - 1) == PCN_EMEMORY &&
                 memcmp(&old, &t->m, sizeof old) == 0);
        MUST(pcn_kperceptron_use_log(&t->m, log, more) == PCN_OK && t->m.own.log == log);
        free(t->log);
        t->log = log;
    }
    agree();
}

/* ---- Images ---- */

static struct saved {
    uint8_t *image;
    size_t size;
    uint32_t logged, row[SLOTS];
} saved;

/* Options come before the first row. */
static void refuse_options(pcn_kperceptron *m)
{
    pcn_kperceptron old;
    pcn_log_entry entry;
    float value;
    uint32_t index;
    if (m->model.clock == 0 && m->model.slots == 0) return;
    memcpy(&old, m, sizeof old);
    MUST(pcn_kperceptron_use_sparse(m, &value, &index, 1) == PCN_ELATE);
    MUST(pcn_kperceptron_use_rows(m, pool.dense, NULL, features) == PCN_ELATE);
    if (!m->own.logged) MUST(pcn_kperceptron_use_log(m, &entry, 1) == PCN_ELATE);
    MUST(memcmp(&old, m, sizeof old) == 0);
}

static void call_save(void)
{
    uint32_t k;
    for (k = 0; k < trainer_count; k++) refuse_options(&trainers[k].m);
    free(saved.image);
    saved.image = save(one, &saved.size);
    saved.logged = one->own.logged;
    memcpy(saved.row, slot_row, sizeof slot_row);
    kept_past = past;
}

/* Borrowed rows cannot be loaded: that trainer ends here. */
static void call_load(void)
{
    uint32_t k;
    pcn_kmodel s;
    if (!saved.image) return;
    for (k = 0; k < trainer_count; k++) {
        pcn_kperceptron *m = &trainers[k].m;
        uint8_t *after;
        size_t size;
        int fits = k != BORROWED && saved.logged == m->own.logged;
        MUST(pcn_kperceptron_load(m, saved.image, saved.size) == (fits ? PCN_OK : PCN_EMATCH));
        if (!fits) continue;
        after = save(m, &size);
        MUST(size == saved.size && memcmp(after, saved.image, size) == 0);
        free(after);
        MUST(pcn_kmodel_open(&s, m->model.kernel, saved.image, saved.size) == PCN_OK);
        MUST(s.slots == m->model.slots && s.clock == m->model.clock);
        MUST(!s.log == !m->own.logged &&
             (!m->model.log == !m->own.logged || m->model.entries == 0)); /* it may grow yet */
    }
    if (saved.logged != one->own.logged) return;
    if (trainer_count == KINDS) end(BORROWED);
    trainer_count = 1;
    memcpy(slot_row, saved.row, sizeof slot_row);
    past = kept_past;
    agree();
}

/* ---- A run ---- */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint32_t logged, slots, entries, i, k, call;
    float gamma, coef0;
    pcn_kernel kernel;
    int result = PCN_OK;
    in.at = bytes, in.end = bytes + size;
    features = 1 + take_below(&in, FEATURES);
    classes = 1 + take_below(&in, CLASSES);
    classes += classes < 3; /* two, or three and more */
    scores = PCN_SCORES(classes);
    policy = take_below(&in, POLICIES);
    slots = 1 + take_below(&in, SLOTS);
    entries = take_below(&in, LOG);
    sparse = take(&in) & 1;
    logged = (policy == NOTHING || policy == GROW) && take(&in) & 1;
    gamma = take_float(&in), coef0 = take_float(&in);
    kernel = make_kernel(take_below(&in, 4), gamma, coef0);
    rule = FIXED;
    memset(&past, 0, sizeof past);
    memset(&saved, 0, sizeof saved);
    fill_pool();
    trainer_count = KINDS;
    next_id = POOL;
    for (k = 0; k < KINDS; k++) result = begin(k, kernel, slots, logged, entries);
    MUST(result == (kernel_valid(&kernel) ? PCN_OK : PCN_EOPTION));
    for (i = 0; result == PCN_OK && i < CALLS && in.at < in.end; i++) {
        call = take_below(&in, 16);
        if (call == 0)
            call_change();
        else if (call == 1)
            call_save();
        else if (call == 2)
            call_load();
        else if (call < 6)
            call_predict();
        else if (call == 8)
            call_log();
        else if (call < 8)
            call_settings();
        else
            call_learn();
    }
    for (k = 0; k < trainer_count; k++) end(k);
    free(pool.dense), free(pool.value), free(pool.index);
    free(saved.image);
    return 0;
}
