/* pcn_changes says which weights pcn_perceptron_learn has changed, and by how much. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* A number moved by change x, each operation rounded; by confidence, change S x, in another order. */
static int moved_so(float before, float after, float change, float x, int near)
{
    volatile float product = change * x, sum;
    sum = before + product;
    return near ? size_of((double)sum - (double)after) <= 1e-5 * (1 + size_of((double)sum)) : same(sum, after);
}

/* Have the weights, the batch or the exponents moved by what pcn_changes says? */
static int as_changed(const trainer *t, const trainer *before, pcn_vec x, unsigned parts)
{
    const pcn_linear *m = &t->m.live;
    const float *change = pcn_changes(&t->m.learner), B = t->m.learner.bias_input;
    const int confident = (parts & PCN_PART_VARIANCES) != 0;
    uint32_t c, j, some = 0, good = 1;
    for (c = 0; c < m->scores; c++) {
        some += change[c] != 0;
        for (j = 0; j <= N; j++) {
            const int by = parts & PCN_PART_BATCH ? 0 : m->by_feature;
            const size_t at = j == N ? N * m->scores + c : by ? j * m->scores + c : c * N + j;
            const float *from = parts & PCN_PART_BATCH       ? before->batch
                                : parts & PCN_PART_EXPONENTS ? before->state
                                                             : before->memory;
            const float *to = parts & PCN_PART_BATCH ? t->batch : parts & PCN_PART_EXPONENTS ? t->state : t->memory;
            float by_x = j == N ? B * B : x.value[j];
            if (confident) by_x *= before->state[at];
            if (change[c] != 0)
                good &= (uint32_t)moved_so(from[at], to[at], change[c], by_x, confident);
            else
                good &= (uint32_t)same(from[at], to[at]);
        }
    }
    return good && some != 0;
}

static void check_changes(uint32_t classes, size_t update, unsigned parts)
{
    static set s;
    static trainer t, before;
    uint32_t i, fired = 0;
    set_init(&s, ROWS, N, classes, INTEGERS);
    trainer_init(&t, N, classes, parts, 0.5f);
    if (parts & PCN_PART_EXPONENTS) t.m.learner.rule.rate = 0.125f;
    if (!(parts & (PCN_PART_EXPONENTS | PCN_PART_VARIANCES)) && random_bits() & 1) t.m.learner.rule = pcn_rule_pa(0.1f);
    if (!(parts & PCN_PART_EXPONENTS)) t.m.learner.bias_input = 2;
    t.m.learner.update = classes == 2 ? NULL : updates[update];
    if (parts & PCN_PART_SUMS && !(parts & PCN_PART_BATCH)) CHECK(pcn_perceptron_use_following(&t.m) == PCN_OK);
    for (i = 0; i < 2 * ROWS; i++) {
        const int y = s.y[i % ROWS];
        before = t;
        if (pcn_perceptron_learn(&t.m, row_of(&s, i % ROWS, DENSE), classes == 2 && y == 0 && i % 2 ? -1 : y) == 1) {
            fired++;
            CHECK(as_changed(&t, &before, row_of(&s, i % ROWS, DENSE), parts));
            if (classes == 2) CHECK((*pcn_changes(&t.m.learner) > 0) == (y > 0));
            if (classes != 2) CHECK(pcn_changes(&t.m.learner)[y] >= 0);
        }
        if (parts & PCN_PART_BATCH && i % 7 == 6) CHECK(pcn_perceptron_apply_batch(&t.m, 0.5f) >= 0);
    }
    CHECK(fired > ROWS / 10);
}

static void check_all_changes(void)
{
    static const unsigned states[] = {0, PCN_PART_EXPONENTS, PCN_PART_EXPONENTS | PCN_PART_BALANCED,
                                      PCN_PART_VARIANCES};
    uint32_t bits, i, classes;
    size_t update;
    for (classes = 2; classes <= K; classes++)
        for (update = 0; update < LENGTH(updates); update++)
            for (bits = 0; bits < 8; bits++)
                for (i = 0; i < LENGTH(states); i++) {
                    unsigned parts = states[i] | (bits & 1 ? (unsigned)PCN_PART_FEATURE_MAJOR : 0);
                    if (bits & 2) parts |= PCN_PART_SUMS;
                    if (bits & 4) parts |= PCN_PART_BATCH;
                    if (parts & PCN_PART_VARIANCES && (bits & 4 || update == 1 || update == 2)) continue;
                    check_changes(classes, update, parts);
                }
}

/* Of a kernel trainer, changes are those of the coefficients: of a new vector from 0, of an old one more. */
static void check_kernel_changes(uint32_t classes, size_t update)
{
    enum { SLOTS = ROWS };
    static float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], before[SLOTS * K];
    static pcn_slot slot[SLOTS];
    static set s;
    pcn_kperceptron m;
    uint32_t i, k, c, again = 0;
    set_init(&s, ROWS, N, classes, REALS);
    CHECK(pcn_kperceptron_init(&m, pcn_kernel_rbf(0.02f), N, classes, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    m.learner.rule = update % 2 ? pcn_rule_fixed(0.3f) : pcn_rule_pa(0.4f);
    m.learner.update = classes == 2 ? NULL : updates[update];
    for (i = 0; i < 3 * ROWS; i++) {
        const uint32_t row = i % ROWS, was = m.model.slots, scores = m.model.scores;
        memset(before, 0, sizeof before);
        if (was != 0) memcpy(before, m.model.coef, was * scores * sizeof *before);
        if (pcn_kperceptron_learn_row(&m, row_of(&s, row, DENSE), s.y[row], row) != 1) continue;
        for (k = 0; k < m.model.slots; k++)
            for (c = 0; c < scores; c++) {
                const float change = slot[k].id == row ? pcn_changes(&m.learner)[c] : 0;
                volatile float now = before[k * scores + c] + change;
                CHECK(m.model.coef[k * scores + c] == now);
            }
        again += m.model.slots == was;
    }
    CHECK(again > 10 && m.refused == 0);
}

int main(void)
{
    size_t update;
    uint32_t classes;
    check_all_changes();
    for (classes = 2; classes <= K; classes += 2)
        for (update = 0; update < LENGTH(updates); update++) check_kernel_changes(classes, update);
    return report();
}
