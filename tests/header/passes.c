/* A pcn_pass goes through rows in its orders, new in each epoch and the same for a seed, ends as pcn_pass_note,
 * _check and _cycle say, waits as long as its patience, keeps the best model (pcn_pass_keep, the pocket), and proves
 * that no plane separates. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

#include <stdlib.h>

/* One epoch and one more = two epochs. */
static void check_epochs(void)
{
    static set s;
    static trainer a, b;
    pcn_pass p, q;
    uint32_t row, epochs;
    set_init(&s, ROWS, N, 3, REALS);
    trainer_with(&a, s.features, s.classes, AVERAGED);
    trainer_with(&b, s.features, s.classes, AVERAGED);
    pcn_pass_init(&p, s.rows, 2, 7);
    while (pcn_pass_next(&p, &row)) (void)pcn_pass_note(&p, learn_row(&a, &s, row));
    pcn_pass_init(&q, s.rows, 0, 7);
    for (epochs = 1; epochs <= 2; epochs++) {
        q.epochs = epochs;
        while (pcn_pass_next(&q, &row)) (void)pcn_pass_note(&q, learn_row(&b, &s, row));
        CHECK(q.epoch == epochs && b.m.learner.count.rows == epochs * s.rows);
    }
    CHECK(same_image(&a, &b));
}

/* ---- Orders ---- */

static void orders_of(uint32_t *out, uint32_t n, uint32_t seed, int order, uint32_t epochs)
{
    pcn_pass p;
    uint32_t i = 0;
    pcn_pass_init(&p, n, epochs, seed);
    p.order = (uint8_t)order;
    p.stop = PCN_STOP_NEVER;
    while (pcn_pass_next(&p, &out[i])) {
        (void)pcn_pass_note(&p, (int)(i & 1));
        i++;
    }
    CHECK(i == n * epochs && p.epoch == epochs && p.left == 0);
}

static void check_bijection(uint32_t n, int order)
{
    uint32_t *rows = (uint32_t *)malloc(2 * n * sizeof *rows), i;
    uint8_t *seen = (uint8_t *)calloc(n, 1);
    int epoch, same;
    if (!rows || !seen) abort();
    orders_of(rows, n, n * 77, order, 2);
    for (epoch = 0; epoch < 2; epoch++) {
        uint32_t bad = 0;
        for (i = 0; i < n; i++) {
            uint32_t row = rows[(uint32_t)epoch * n + i];
            bad += row >= n || seen[row] != epoch;
            if (row < n) seen[row] = (uint8_t)(epoch + 1);
            bad += order == PCN_ORDER_FILE && row != i;
        }
        CHECK(bad == 0);
    }
    same = memcmp(rows, rows + n, n * sizeof *rows) == 0;
    if (order != PCN_ORDER_EACH) CHECK(same);
    if (order == PCN_ORDER_EACH && n >= 10) CHECK(!same);
    free(rows);
    free(seen);
}

/* Row at a place, written anew from the description in perceptron.h; back: the place of a row. */
typedef struct network {
    uint64_t key[9], rows;
    uint32_t bits_a, bits_b;
} network;

static uint64_t mixed(uint64_t x)
{
    x = ((x ^ x / 65536) * 0x7feb352d) % 4294967296u;
    x = ((x ^ x / 32768) * 0x846ca68b) % 4294967296u;
    return x ^ x / 65536;
}

static network network_of(uint32_t rows, uint32_t seed, uint32_t epoch)
{
    network g;
    uint32_t bits = 7;
    uint64_t start = mixed((mixed(seed) + epoch) % 4294967296u), k;
    while ((uint64_t)1 << bits < rows) bits++;
    g.rows = rows;
    g.bits_b = bits / 2;
    g.bits_a = bits - g.bits_b;
    for (k = 0; k < 9; k++) g.key[k] = mixed((start + (k + 1) * 0x9e3779b9) % 4294967296u);
    return g;
}

static uint64_t network_hash(const network *g, int k, uint64_t half, uint32_t bits)
{
    return (half * g->key[k] + g->key[k + 1]) % 4294967296u / ((uint64_t)1 << (32 - bits));
}

static uint64_t network_walk(const network *g, uint64_t number, int back)
{
    int k, step;
    do {
        uint64_t size_b = (uint64_t)1 << g->bits_b, a = number / size_b, b = number % size_b;
        for (step = 0; step < 8; step++) {
            k = back ? 7 - step : step;
            if (k % 2 == 0) a ^= network_hash(g, k, b, g->bits_a);
            if (k % 2 == 1) b ^= network_hash(g, k, a, g->bits_b);
        }
        number = a * size_b + b;
    } while (number >= g->rows);
    return number;
}

static uint64_t drawn_row(const network *g, uint64_t place)
{
    const uint64_t first = mixed((g->key[0] + place) % 4294967296u), second = mixed((g->key[1] + place) % 4294967296u);
    return (first ^ second) * g->rows / 4294967296u;
}

static void check_description(uint32_t rows, uint32_t seed, uint32_t epoch, int order)
{
    const network g = network_of(rows, seed, order == PCN_ORDER_ONCE ? 0 : epoch);
    uint32_t wrong = 0, i, place, row;
    pcn_pass p, copy;
    pcn_pass_init(&p, rows, 0, seed);
    p.order = (uint8_t)order;
    p.epoch = epoch - 1;
    for (i = 0; i < 40 && i < rows; i++) { /* the first places and the last */
        CHECK(pcn_pass_next(&p, &row) == 1 && p.epoch == epoch);
        place = i < 20 || rows < 40 ? i : rows - 40 + i;
        wrong += row != (order == PCN_ORDER_DRAWN ? drawn_row(&g, place) : network_walk(&g, place, 0));
        if (order != PCN_ORDER_DRAWN) wrong += network_walk(&g, row, 1) != place; /* so no other place has it */
        if (i == 19 && rows >= 40) p.left = 20;
    }
    CHECK(wrong == 0);
    copy = p; /* the struct is all of the state */
    for (i = 0; i < 50; i++) {
        CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_next(&copy, &place) == 1);
        wrong += row != place;
    }
    CHECK(wrong == 0);
}

static void check_orders(void)
{
    static const uint32_t larger[] = {511,  512,  513,   1000,  1023,  1024,  1025,  4095,
                                      4096, 4097, 32767, 32769, 65535, 65536, 65537, 100000};
    static const uint32_t most[] = {0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    uint32_t n, a[20], b[20];
    int order;
    for (order = PCN_ORDER_EACH; order <= PCN_ORDER_FILE; order++) {
        for (n = 1; n <= 300; n++) check_bijection(n, order);
        for (n = 0; n < LENGTH(larger); n++) check_bijection(larger[n], order);
    }
    for (order = PCN_ORDER_EACH; order <= PCN_ORDER_DRAWN; order++) {
        if (order == PCN_ORDER_FILE) continue;
        for (n = 1; n <= 300; n++) check_description(n, n * 77, n, order);
        for (n = 0; n < LENGTH(larger); n++) check_description(larger[n], 0x9e3779b9u * n, UINT32_MAX - 9, order);
        for (n = 0; n < LENGTH(most); n++) check_description(most[n], n, 1, order);
    }
    orders_of(a, 20, 1, PCN_ORDER_ONCE, 1);
    orders_of(b, 20, 2, PCN_ORDER_ONCE, 1);
    CHECK(memcmp(a, b, sizeof a) != 0);
}

/* ---- The end, patience, pocket ---- */

/* Every loop shows rows until it ends. Which rows are noted, and what learn returns, is drawn: updates become rarer.
 * skipped: in 4, not noted; 4: nobody ever notes. */
static void check_end(uint8_t stop, uint32_t skipped, uint32_t epochs)
{
    const uint32_t rows = 1 + random_bits() % 9;
    uint32_t row, shown = 0, noted = 0, fired = 0, run = 0, clean = 0;
    pcn_pass p;
    pcn_pass_init(&p, rows, epochs, random_bits());
    p.order = PCN_ORDER_FILE;
    p.stop = stop;
    for (;;) {
        const uint32_t left = (rows - shown % rows) % rows, epoch = (shown + rows - 1) / rows;
        int learned;
        CHECK(p.result == PCN_END_LIMIT && p.left == left && p.epoch == epoch);
        CHECK(p.noted == noted && p.updates == fired && p.run == run);
        if (stop == PCN_STOP_EPOCH) clean = left == 0 && noted != 0 && fired == 0;
        if (stop == PCN_STOP_WINDOW) clean = run >= rows;
        if (clean || (epochs != 0 && left == 0 && epoch == epochs)) break;
        CHECK(pcn_pass_next(&p, &row) == 1 && row == shown % rows);
        if (left == 0) noted = fired = 0;
        shown++;
        if (random_bits() % 4 < skipped) continue; /* as a loop does with rows that are held out */
        learned = random_bits() % (shown / 8 + 1) == 0;
        noted++;
        fired += (uint32_t)learned;
        run = learned ? 0 : run + 1;
        (void)pcn_pass_note(&p, learned);
    }
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == (clean ? PCN_END_CLEAN : PCN_END_LIMIT));
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == (clean ? PCN_END_CLEAN : PCN_END_LIMIT));
    CHECK(p.epoch == (shown + rows - 1) / rows && (skipped != 4 || shown == epochs * rows));
}

/* The last row of each epoch is held out: only the others can tell that none of them updates. There is no limit. */
static void check_held_out(void)
{
    static const float x[6] = {-1, 1, -2, 2, -3, 3};
    float memory[PCN_PERCEPTRON_FLOATS(1, 2)];
    uint32_t row, shown = 0;
    pcn_perceptron m;
    pcn_pass p;
    CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == PCN_OK);
    pcn_pass_init(&p, 6, 0, 1);
    p.order = PCN_ORDER_FILE;
    while (shown < 600 && pcn_pass_next(&p, &row)) {
        shown++;
        if (row % 3 == 2) continue;
        (void)pcn_pass_note(&p, pcn_perceptron_learn(&m, pcn_dense(&x[row], 1), (int)(row % 2)));
    }
    CHECK(p.result == PCN_END_CLEAN && p.epoch >= 2 && shown == 6 * p.epoch && shown < 60);
    CHECK(p.noted == 4 && p.updates == 0 && m.learner.count.updates > 0);
}

static void check_ends(void)
{
    uint32_t round, skipped;
    for (round = 0; round < 200; round++)
        for (skipped = 0; skipped <= 4; skipped++) {
            check_end(PCN_STOP_EPOCH, skipped, 1 + random_bits() % 30);
            check_end(PCN_STOP_WINDOW, skipped, 1 + random_bits() % 30);
            check_end(PCN_STOP_NEVER, skipped, 1 + random_bits() % 30);
            if (skipped < 4) check_end(PCN_STOP_EPOCH, skipped, 0);
            if (skipped < 4) check_end(PCN_STOP_WINDOW, skipped, 0);
        }
}

static void check_patience(void)
{
    static const struct {
        float error;
        int best, over;
    } c[] = {{0.5f, 1, 0}, {0.5f, 0, 0}, {0.4f, 1, 0}, {0.6f, 0, 0}, {0.45f, 0, 0}, {0.4f, 0, 1}};
    pcn_pass p;
    uint32_t row;
    size_t i;
    pcn_pass_init(&p, 5, 0, 1);
    p.patience = 3;
    for (i = 0; i < LENGTH(c); i++) {
        CHECK(pcn_pass_next(&p, &row) == 1);
        CHECK(pcn_pass_note(&p, 1) == 0);
        CHECK(pcn_pass_check(&p, c[i].error) == c[i].best);
        CHECK((p.result == PCN_END_PATIENCE) == c[i].over);
    }
    CHECK(pcn_pass_next(&p, &row) == 0 && p.best_error == 0.4f && p.waited == 3);
    pcn_pass_init(&p, 1, 0, 1); /* an epoch that is clean ends as clean, though patience ends with it */
    p.patience = 1;
    CHECK(pcn_pass_check(&p, 0) == 1 && pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1);
    CHECK(pcn_pass_check(&p, 0) == 0 && p.waited == 1 && p.result == PCN_END_LIMIT);
    CHECK(pcn_pass_next(&p, &row) == 0 && p.result == PCN_END_CLEAN);
    pcn_pass_init(&p, 5, 0, 1); /* patience 0: no end */
    for (i = 0; i < 1000; i++) CHECK(pcn_pass_check(&p, 1) == (i == 0));
    CHECK(pcn_pass_next(&p, &row) == 1 && p.result == PCN_END_LIMIT);
}

/* note is 1 at the row that makes the run longer than that of the weights in the pocket was when they were kept, and
 * then not again until they are kept or change. taken: how many in 4 of those offered go there. */
static void check_pocket(uint32_t taken)
{
    uint64_t run = 0, pocket = 0;
    uint32_t i, row, offers = 0, keeps = 0;
    int offered = 0;
    pcn_pass p;
    pcn_pass_init(&p, 100, 0, 1);
    p.stop = PCN_STOP_NEVER;
    for (i = 0; i < 5000; i++) {
        int learned = random_bits() % 4 == 0, noted, offer;
        CHECK(pcn_pass_next(&p, &row) == 1);
        noted = pcn_pass_note(&p, learned);
        run = learned ? 0 : run + 1;
        if (learned) offered = 0;
        offer = !offered && run > pocket;
        CHECK(noted == offer && p.run == run && p.pocket_run == pocket);
        if (!offer) continue;
        offered = 1;
        offers++;
        if (random_bits() % 4 >= taken) continue;
        pcn_pass_keep(&p);
        offered = 0;
        keeps++;
        pocket = run;
        CHECK(p.pocket_run == pocket && p.run == run);
    }
    CHECK(taken < 4 || (keeps == offers && keeps == pocket && keeps > 3 && keeps < 60)); /* row by row */
    CHECK(taken != 0 || offers > 500); /* whatever has run at all, as the pocket is empty */
    CHECK(taken % 4 == 0 || (keeps < offers && keeps > 3));
}

/* The first weights may be put there before any row, and others without an offer. */
static void check_keep(void)
{
    uint32_t row, i;
    pcn_pass p;
    pcn_pass_init(&p, 10, 0, 1);
    CHECK(p.pocket_run == 0);
    pcn_pass_keep(&p);
    CHECK(p.pocket_run == 0);
    for (i = 1; i <= 3; i++) { /* kept again, their run is longer */
        CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1 && p.pocket_run == i - 1);
        pcn_pass_keep(&p);
        CHECK(p.pocket_run == i);
    }
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0 && p.run == 5 && p.pocket_run == 3);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0 && p.pocket_run == 3);
    pcn_pass_init(&p, 100, 0, 1);
    for (i = 1; i <= 4; i++) CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == (i == 1));
    pcn_pass_keep(&p); /* late */
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0 && p.pocket_run == 4);
    for (i = 1; i <= 4; i++) CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0 && p.pocket_run == 4);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 1); /* 5, longer than 4 */
    CHECK(p.pocket_run == 4);                                         /* not taken */
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 1) == 0);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, 0) == 0 && p.run == 1);
    pcn_pass_keep(&p); /* a better one, though its run is shorter */
    CHECK(p.pocket_run == 1);
    CHECK(pcn_pass_next(&p, &row) == 1 && pcn_pass_note(&p, PCN_EVALUE) == 0 && p.result == PCN_EVALUE);
}

/* Against the list of all weights so far: no false proof, and one soon after the first return, for
 * cycles of any length: where epoch s and s + c end with equal weights, Brent's copies at powers of
 * two find it by the epoch 2 max(s, c) + c. Random rows of small integers; few of them separate. */
static void check_cycles(void)
{
    enum { EPOCHS = 200, FEATURES = 3, MOST = 7 };
    static set s;
    static trainer t;
    uint32_t trial, longest = 0, clean = 0;
    for (trial = 0; trial < 600; trial++) {
        float seen[EPOCHS + 1][FEATURES + 1], copy[FEATURES + 1];
        uint32_t row, i, first = 0, length = 0, proof = 0;
        pcn_pass p;
        set_init(&s, 2 + random_bits() % (MOST - 1), FEATURES, 2, INTEGERS);
        trainer_with(&t, s.features, s.classes, 0);
        t.m.learner.zero_predicted = trial & 1;
        pcn_pass_init(&p, s.rows, EPOCHS, 1);
        p.order = PCN_ORDER_FILE;
        memcpy(seen[0], t.m.live.weight, sizeof seen[0]);
        CHECK(pcn_pass_cycle(&p, t.m.live.weight, copy, FEATURES + 1) == 0);
        while (!proof && pcn_pass_next(&p, &row)) {
            (void)pcn_pass_note(&p, learn_row(&t, &s, row));
            if (p.left != 0) continue;
            memcpy(seen[p.epoch], t.m.live.weight, sizeof seen[0]);
            for (i = 0; i < p.epoch && !length && p.updates != 0; i++)
                if (memcmp(seen[i], seen[p.epoch], sizeof seen[0]) == 0) {
                    first = i;
                    length = p.epoch - i;
                }
            if (pcn_pass_cycle(&p, t.m.live.weight, copy, FEATURES + 1)) proof = p.epoch;
            CHECK(!proof || length);
        }
        clean += p.result == PCN_END_CLEAN;
        CHECK(p.result != PCN_END_CLEAN || (!proof && !length));
        if (!length || 2 * (first > length ? first : length) + length > EPOCHS) continue;
        CHECK(proof != 0 && proof <= 2 * (first > length ? first : length) + length);
        if (length > longest) longest = length;
    }
    CHECK(longest > 5 && clean > 20); /* there were such sets */
}

int main(void)
{
    uint32_t taken;
    check_epochs();
    check_orders();
    check_ends();
    check_held_out();
    check_patience();
    for (taken = 0; taken <= 4; taken++) check_pocket(taken);
    check_keep();
    check_cycles();
    return report();
}
