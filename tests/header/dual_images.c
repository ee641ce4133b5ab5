/* Images of kernel models: a trainer that is loaded learns on bit for bit under every policy, frozen models open in
 * place, and what is damaged or forged is refused with nothing changed. pcn_kperceptron_learn_rows learns a block as
 * one row after the other. */
#define PERCEPTRON_GROW
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "random.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6, K = 3, ROWS = 200, SLOTS = 24, CELLS = SLOTS * N, ENTRIES = 2 * ROWS };
enum { AT_ID = 64, AT_DEGREE = 68 };
enum policy { STOP, OLDEST, RANDOM, FORGETRON, PROJECTRON, GROW, POLICIES };

/* load lets a model grow whose policy is not pcn_admit_grow itself. */
static int grow_my_way(pcn_kperceptron *m, const pcn_vec *v)
{
    return pcn_admit_grow(m, v);
}

static int (*const admit[POLICIES])(pcn_kperceptron *, const pcn_vec *) = {
    NULL, pcn_admit_oldest, pcn_admit_random, NULL, NULL, grow_my_way};

typedef struct trainer { /* with all memory that a policy may want */
    pcn_kperceptron m;
    float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], value[CELLS], aux[SLOTS * (SLOTS + 2)];
    uint32_t index[CELLS];
    pcn_slot slot[SLOTS];
    pcn_log_entry log[ENTRIES];
} trainer;

static float x[ROWS][N];
static int label[ROWS];
static uint8_t image[65536], other[65536];

static void rows_init(void)
{
    uint32_t state = 1, i, j;
    for (i = 0; i < ROWS; i++) {
        for (j = 0; j < N; j++) {
            state = state * 1664525u + 1013904223u;
            x[i][j] = (float)(state >> 20) / 2048.0f - 1;
        }
        label[i] = x[i][0] * x[i][1] > 0 ? 1 : x[i][2] > 0 ? 2 : 0;
    }
}

static void trainer_init(trainer *t, enum policy policy, uint32_t classes, int sparse)
{
    uint32_t slots = policy == GROW ? 0 : SLOTS;
    memset(t, 0, sizeof *t);
    CHECK(pcn_kperceptron_init(&t->m, pcn_kernel_rbf(0.7f), N, classes, t->slot, slots, t->memory, sizeof t->memory) ==
          PCN_OK);
    t->m.admit = admit[policy];
    t->m.learner.bias_input = 0.5f;
    if (sparse)
        CHECK(pcn_kperceptron_use_sparse(&t->m, slots ? t->value : NULL, slots ? t->index : NULL, slots ? CELLS : 0) ==
              PCN_OK);
    if (policy == FORGETRON) CHECK(pcn_kperceptron_use_forgetron(&t->m, t->aux, SLOTS * sizeof *t->aux) == PCN_OK);
    if (policy == PROJECTRON) CHECK(pcn_kperceptron_use_projectron(&t->m, 0.05f, t->aux, sizeof t->aux) == PCN_OK);
    if (policy == STOP || policy == GROW)
        CHECK(pcn_kperceptron_use_log(&t->m, slots ? t->log : NULL, slots ? ENTRIES : 0) == PCN_OK);
}

typedef struct example {
    float value[N];
    uint32_t index[N], id;
    pcn_vec x;
    int y;
} example;

/* Row i, a third of its features left out if sparse. */
static void example_init(example *e, const trainer *t, uint32_t i)
{
    uint32_t j, n = 0;
    e->y = t->m.model.scores == 1 ? label[i] == 1 : label[i];
    e->id = i % 150;
    e->x = pcn_dense(x[i], N);
    if (!t->m.own.sparse) return;
    for (j = 0; j < N; j++) {
        if ((i + j) % 3 == 0) continue;
        e->index[n] = j;
        e->value[n++] = x[i][j];
    }
    e->x = pcn_sparse(e->index, e->value, n);
}

static int learn(trainer *t, uint32_t i)
{
    example e;
    example_init(&e, t, i);
    return pcn_kperceptron_learn_row(&t->m, e.x, e.y, e.id);
}

static size_t save(const trainer *t, uint8_t *to)
{
    size_t size = pcn_kperceptron_save_part(&t->m, 0, NULL, 0);
    CHECK(size != 0 && size <= sizeof image && pcn_kperceptron_save(&t->m, to, size - 1) == 0);
    CHECK(pcn_kperceptron_save(&t->m, to, size) == size);
    CHECK(size == PCN_KERNEL_IMAGE(PCN_CLASSES(t->m.model.scores), t->m.model.slots, get_word(to, AT_CELLS),
                                   t->m.own.logged ? t->m.model.entries : 0, get_word(to, AT_PARTS)));
    return size;
}

static void trainer_free(trainer *t)
{
    pcn_kperceptron_free(&t->m); /* does nothing to arrays of ours */
}

/* Interrupted after some rows and not: the same answers and, at the end, the same image. */
static void check_resume(enum policy policy, uint32_t classes, int sparse, uint32_t rows)
{
    static trainer a, b;
    size_t size;
    uint32_t i;
    pcn_image info;
    trainer_init(&a, policy, classes, sparse);
    trainer_init(&b, policy, classes, sparse);
    a.m.model.zero_negative = (uint8_t)sparse;
    b.m.model.zero_negative = (uint8_t)!sparse; /* the image knows better */
    for (i = 0; i < rows; i++) (void)learn(&a, i);
    size = save(&a, image);
    CHECK(pcn_image_read(&info, image, size) == PCN_OK && info.kind == PCN_KIND_KERNEL);
    CHECK(info.slots == a.m.model.slots && info.entries == a.m.model.entries && info.kernel_id == 3);
    CHECK(info.parts == (sparse ? PCN_PART_SPARSE : 0u) + (a.m.own.logged ? PCN_PART_LOG : 0u));
    CHECK((get_word(image, AT_FLAGS) & 2) == (sparse ? 2u : 0u));
    CHECK((get_word(image, AT_SLACK) != 0) == (policy == FORGETRON && rows != 0) && get_word(image, AT_NONE) == 0);
    CHECK(pcn_image_size(image, HEAD) == size && pcn_image_size(image, sizeof image) == size);
    CHECK(pcn_image_size(image, HEAD - 1) == 0 && pcn_image_size(image, 0) == 0);
    b.m.refused = 77; /* images know nothing of it */
    CHECK(pcn_kperceptron_load(&b.m, image, size) == PCN_OK && b.m.model.zero_negative == sparse);
    CHECK(pcn_kperceptron_load(&b.m, image, size) == PCN_OK); /* arrays that have grown grow again */
    CHECK(b.m.refused == 77);
    CHECK(save(&b, other) == size && memcmp(image, other, size) == 0);
    for (; i < ROWS; i++) CHECK(learn(&a, i) == learn(&b, i));
    size = save(&a, image);
    CHECK(save(&b, other) == size && memcmp(image, other, size) == 0);
    trainer_free(&a);
    trainer_free(&b);
}

/* Blocks of `rows` examples, one in 17 of them bad: the same answers and the same image. */
static void check_blocks(enum policy policy, uint32_t classes, int sparse, uint32_t rows)
{
    static trainer a, b;
    static example e[ROWS];
    static float work[ROWS * ROWS + 1];
    static const float bad[N + 1] = {1};
    pcn_vec v[ROWS];
    int y[ROWS], result[ROWS];
    uint32_t id[ROWS], i, k, n;
    size_t size, floats, bytes;
    trainer_init(&a, policy, classes, sparse);
    trainer_init(&b, policy, classes, sparse);
    for (i = 0; i < ROWS; i += n) {
        n = ROWS - i < rows ? ROWS - i : rows;
        for (k = 0; k < n; k++) {
            example_init(&e[k], &a, i + k);
            v[k] = (i + k) % 17 == 5 ? pcn_dense(bad, N + 1) : e[k].x;
            y[k] = e[k].y;
            id[k] = e[k].id;
        }
        floats = (size_t)n * b.m.model.slots;
        bytes = floats * sizeof *work;
        if (floats != 0) { /* nothing happens */
            size = save(&b, image);
            result[0] = 77;
            CHECK(pcn_kperceptron_learn_rows(&b.m, v, y, id, n, result, work, bytes - 1) == PCN_EMEMORY);
            CHECK(result[0] == 77 && save(&b, other) == size && memcmp(image, other, size) == 0);
        }
        work[floats] = 12345;
        CHECK(pcn_kperceptron_learn_rows(&b.m, v, y, id, n, result, work, bytes) == PCN_OK);
        CHECK(work[floats] == 12345);
        for (k = 0; k < n; k++) CHECK(pcn_kperceptron_learn_row(&a.m, v[k], y[k], id[k]) == result[k]);
    }
    size = save(&a, image);
    CHECK(a.m.refused == b.m.refused && a.m.refused >= ROWS / 17);
    CHECK(a.m.learner.count.updates > 20 && save(&b, other) == size && memcmp(image, other, size) == 0);
    trainer_free(&a);
    trainer_free(&b);
}

static void check_open(enum policy policy, uint32_t classes, int sparse)
{
    static trainer t;
    static float work[PCN_KMODEL_WORK(K, ROWS, 1)];
    float live[K], opened[K];
    pcn_kmodel m;
    pcn_vec v = pcn_dense(x[7], N);
    size_t size;
    uint32_t i;
    int how;
    trainer_init(&t, policy, classes, sparse);
    t.m.model.zero_negative = (uint8_t)sparse;
    for (i = 0; i < ROWS; i++) (void)learn(&t, i);
    size = save(&t, image);
    CHECK(pcn_kmodel_open(&m, pcn_kernel_rbf(99), image, size) == PCN_OK && m.kernel.gamma == 0.7f);
    CHECK(m.zero_negative == sparse);
    for (how = PCN_DECIDE_LAST; how <= PCN_DECIDE_VOTE; how++) {
        enum pcn_decision decision = (enum pcn_decision)how;
        int result = pcn_kmodel_scores(&t.m.model, decision, &v, 1, live, work, sizeof work);
        CHECK(result == (how == PCN_DECIDE_LAST || t.m.model.log ? PCN_OK : PCN_EOPTION));
        CHECK(pcn_kmodel_scores(&m, decision, &v, 1, opened, work, sizeof work) == result);
        CHECK(result < 0 || memcmp(live, opened, PCN_SCORES(classes) * sizeof *live) == 0);
    }
    CHECK(pcn_kmodel_save(&m, other, size - 1) == 0 && pcn_kmodel_save(&m, other, sizeof other) == size);
    CHECK(memcmp(image + HEAD, other + HEAD, size - HEAD - 4) == 0);
    CHECK(pcn_kmodel_open(&m, pcn_kernel_linear(), image, size) == PCN_EMATCH);
    memcpy(other + 1, image, size);
    CHECK(pcn_kmodel_open(&m, pcn_kernel_rbf(1), other + 1, size) == PCN_EALIGN);
    trainer_free(&t);
}

static int refused(trainer *t, const uint8_t *bytes, size_t size, int expected)
{
    static trainer before;
    pcn_kmodel m;
    int result;
    memcpy(&before, t, sizeof before);
    result = pcn_kperceptron_load(&t->m, bytes, size);
    if (memcmp(&before, t, sizeof before) != 0) return 0;
    if (expected == PCN_EIMAGE && pcn_kmodel_open(&m, pcn_kernel_rbf(1), bytes, size) != expected) return 0;
    return result == expected;
}

/* `word` at `at`, under a checksum that says that all is well. */
static int forged(trainer *t, size_t size, size_t at, uint32_t word)
{
    memcpy(other, image, size);
    put_word(other, at, word);
    put_checksum(other, size);
    return refused(t, other, size, PCN_EIMAGE);
}

/* What a Forgetron may still spend: from 0 to 1,024, as learning leaves it. The word behind it is 0; 0.2 counted
 * updates there, and had another number in the place of the slack. */
static void check_slack(void)
{
    static const uint32_t good[] = {0, 1, 0x3ef00000u /* 15/32 */, 0x44800000u /* 1024 */};
    static const uint32_t bad[] = {0x44800001u, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u,
                                   0x80000000u, 0xbf800000u, 0xff800000u};
    static trainer t, u;
    size_t size, i;
    trainer_init(&t, FORGETRON, 2, 1);
    trainer_init(&u, FORGETRON, 2, 1);
    for (i = 0; i < ROWS; i++) (void)learn(&t, (uint32_t)i);
    for (i = 0; i < LENGTH(good); i++) {
        memcpy(&t.m.own.slack, &good[i], sizeof t.m.own.slack);
        size = save(&t, image);
        CHECK(get_word(image, AT_SLACK) == good[i] && pcn_image_read(NULL, image, size) == PCN_OK);
        CHECK(pcn_kperceptron_load(&u.m, image, size) == PCN_OK &&
              memcmp(&u.m.own.slack, &good[i], sizeof good[i]) == 0);
        CHECK(save(&u, other) == size && memcmp(image, other, size) == 0);
    }
    for (i = 0; i < LENGTH(bad); i++) {
        t.m.own.slack = 0;
        size = save(&t, image);
        CHECK(forged(&u, size, AT_SLACK, bad[i]));
        CHECK(pcn_image_read(NULL, other, size) == PCN_EIMAGE);
        memcpy(&t.m.own.slack, &bad[i], sizeof t.m.own.slack);
        CHECK(pcn_kperceptron_save_part(&t.m, 0, NULL, 0) == 0 && pcn_kperceptron_save(&t.m, other, sizeof other) == 0);
    }
    t.m.own.slack = 0;
    size = save(&t, image);
    CHECK(forged(&u, size, AT_NONE, 1));
}

/* Words of a well-formed image, beside those that images.c forges; and images for other trainers. */
static void check_damage(void)
{
    static trainer t, wrong;
    size_t size, index, log;
    uint32_t slots, s;
    trainer_init(&t, STOP, K, 1);
    for (s = 0; s < ROWS / 4; s++) (void)learn(&t, s);
    size = save(&t, image);
    slots = t.m.model.slots;
    log = size - 4 - 16 * (size_t)t.m.model.entries;
    index = log - 4 * t.m.own.cells;
    CHECK(forged(&t, size, HEAD, (uint32_t)t.m.own.cells)); /* start beyond the numbers */
    CHECK(forged(&t, size, HEAD, 1));                       /* behind a gap, */
    CHECK(forged(&t, size, HEAD + 12, 0));                  /* where the first one is */
    CHECK(forged(&t, size, HEAD + 4, UINT32_MAX));          /* count */
    CHECK(forged(&t, size, HEAD + 4, N + 1));
    CHECK(forged(&t, size, HEAD + 12 * (size_t)slots, 0x7f800000u)); /* a norm is infinite */
    CHECK(forged(&t, size, index - 4, 0xff800000u));                 /* a value */
    CHECK(forged(&t, size, index, N));                               /* an index beyond the features */
    CHECK(forged(&t, size, index + 4, 0));                           /* an index that does not rise */
    CHECK(forged(&t, size, log, slots));                             /* the log: slot, */
    CHECK(forged(&t, size, log + 4, K));                             /* class, */
    CHECK(forged(&t, size, log + 8, 0x7fc00000u));                   /* step, */
    CHECK(forged(&t, size, log + 12, 0));                            /* clock before the first, */
    CHECK(forged(&t, size, log + 12, UINT32_MAX));                   /* after the last example */
    trainer_init(&wrong, STOP, K, 0);
    CHECK(refused(&wrong, image, size, PCN_EMATCH)); /* dense */
    trainer_init(&wrong, STOP, 2, 1);
    CHECK(refused(&wrong, image, size, PCN_EMATCH)); /* other classes */
    trainer_init(&wrong, OLDEST, K, 1);
    CHECK(refused(&wrong, image, size, PCN_EMATCH)); /* no log */
    trainer_init(&wrong, STOP, K, 1);
    wrong.m.own.slot_room = slots - 1;
    CHECK(refused(&wrong, image, size, PCN_EFULL));
    wrong.m.own.slot_room = SLOTS;
    wrong.m.model.kernel = pcn_kernel_linear();
    CHECK(refused(&wrong, image, size, PCN_EMATCH));
}

/* Two classes share a score: an image that says two scores is none for anybody, and no model has one. */
static void check_two_scores(void)
{
    static trainer t;
    pcn_image info;
    pcn_kmodel m;
    size_t size;
    uint32_t i;
    trainer_init(&t, STOP, 2, 0);
    for (i = 0; i < 9; i++) (void)learn(&t, i);
    size = save(&t, image);
    put_word(image, AT_SCORES, 2);
    put_checksum(image, size);
    CHECK(refused(&t, image, size, PCN_ESCORES) && pcn_image_read(&info, image, size) == PCN_ESCORES);
    CHECK(pcn_kmodel_open(&m, pcn_kernel_rbf(1), image, size) == PCN_ESCORES && pcn_image_size(image, size) == 0);
    m = t.m.model;
    m.scores = 2;
    CHECK(pcn_kmodel_save_part(&m, 0, NULL, 0) == 0 && pcn_kmodel_save(&m, other, sizeof other) == 0);
}

/* What no kernel has is in no image, and none is written with it. A polynomial kernel to which all rows are alike, which
 * init refuses, is one. */
static void check_kernels(void)
{
    static const struct {
        uint32_t id, degree, gamma; /* the last by its bits */
    } bad[] = {{3, 0, 0},           {3, 0, 0x80000000u}, {3, 0, 0xbf800000u}, {3, 0, 0x80000001u},
               {3, 0, 0x7f800000u}, {2, 2, 0xff800000u}, {1, 0, 0x7fc00000u}},
      good[] = {{3, 0, 1},           {3, 7, 0x3f800000u}, {2, 1, 0xbf800000u}, {2, UINT32_MAX, 1}, {2, 0, 0x3f800000u},
                {2, 2, 0x80000000u}, {1, 0, 0},           {1, 0, 0xbf800000u}, {256, 0, 0}};
    static trainer t;
    pcn_kmodel m;
    size_t size, i;
    uint32_t k;
    trainer_init(&t, STOP, 3, 0);
    for (k = 0; k < 9; k++) (void)learn(&t, k);
    size = save(&t, image);
    for (i = 0; i < LENGTH(bad) + LENGTH(good); i++) {
        const int is_bad = i < LENGTH(bad), expected = is_bad ? PCN_EIMAGE : PCN_OK;
        pcn_kernel kernel = pcn_kernel_linear();
        kernel.id = is_bad ? bad[i].id : good[i - LENGTH(bad)].id;
        kernel.degree = is_bad ? bad[i].degree : good[i - LENGTH(bad)].degree;
        kernel.gamma = from_bits(is_bad ? bad[i].gamma : good[i - LENGTH(bad)].gamma);
        memcpy(other, image, size);
        put_word(other, AT_ID, kernel.id);
        put_word(other, AT_DEGREE, kernel.degree);
        memcpy(&k, &kernel.gamma, sizeof k);
        put_word(other, AT_GAMMA, k);
        put_checksum(other, size);
        t.m.model.kernel.id = kernel.id;
        CHECK(pcn_image_read(NULL, other, size) == expected && pcn_kmodel_open(&m, kernel, other, size) == expected);
        if (is_bad) CHECK(refused(&t, other, size, PCN_EIMAGE));
        m = t.m.model;
        m.kernel = kernel;
        CHECK((pcn_kmodel_save_part(&m, 0, NULL, 0) == 0) == is_bad);
        CHECK(pcn_kmodel_save(&m, other, sizeof other) == (is_bad ? 0 : size));
    }
}

/* Rows that were borrowed become the image's own. */
static void check_borrowed(void)
{
    static trainer a, b;
    uint32_t i;
    trainer_init(&a, STOP, 2, 0);
    trainer_init(&b, STOP, 2, 0);
    CHECK(pcn_kperceptron_use_rows(&a.m, x[0], NULL, ROWS * N) == PCN_OK);
    for (i = 0; i < ROWS; i++) CHECK(learn(&a, i) == learn(&b, i));
    CHECK(save(&a, image) == save(&b, other) && memcmp(image, other, save(&a, image)) == 0);
    CHECK(refused(&a, image, save(&b, image), PCN_EMATCH));
}

int main(void)
{
    int policy, sparse;
    rows_init();
    for (policy = STOP; policy < POLICIES; policy++)
        for (sparse = 0; sparse < 2; sparse++) {
            check_resume((enum policy)policy, 2, sparse, 0);
            check_resume((enum policy)policy, 2, sparse, ROWS / 2);
            check_open((enum policy)policy, 2, sparse);
            check_blocks((enum policy)policy, 2, sparse, 1);
            check_blocks((enum policy)policy, 2, sparse, 32);
            if (policy == FORGETRON) continue; /* two classes only */
            check_resume((enum policy)policy, K, sparse, ROWS / 2);
            check_open((enum policy)policy, K, sparse);
            check_blocks((enum policy)policy, K, sparse, 7);
            check_blocks((enum policy)policy, K, sparse, ROWS);
        }
    check_damage();
    check_slack();
    check_two_scores();
    check_kernels();
    check_borrowed();
    return report();
}
