/* Images of every kind, as examples/FORMAT.md describes them, and of every rule and budget. `golden write FILE` learns the
 * model that FILE is named after and saves it; `golden read FILE` opens or loads FILE and prints what it has, a line
 * each: the header, the scores and classes of three rows, the checksum of what a trainer is after it has learned the rows
 * once more, and whether what was read is saved with the same bytes again. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { N = 3, MOST = 3, ROWS = 8, SLOTS = 8, LOG = 64, ROOM = 2048 };

/* Small whole numbers and halves, so that no sum is rounded. */
static const float row[ROWS][N] = {{1, 0, 0},  {0, 1, 0},     {0.5f, -1, 2}, {1, 1, 1},
                                   {-2, 0, 1}, {0, 0, -0.5f}, {3, -1, 0},    {0, 2, -1}};
static const int label[ROWS] = {1, 0, 2, 1, 0, 2, 1, 0};
static int label_of(int r, uint32_t classes)
{
    return classes == 2 ? label[r] == 1 : label[r];
}

static const float question[3][N] = {{1, 0, 0}, {0.5f, -1, 2}, {1, 1, 1}};

/* All arrays that any of the models has. */
static float memory[PCN_PERCEPTRON_FLOATS(N, MOST)], sum[PCN_AVERAGING_FLOATS(N, MOST)];
static float batch[PCN_LINEAR_FLOATS(N, MOST)], state[PCN_LINEAR_FLOATS(N, MOST)], copy[PCN_LINEAR_FLOATS(N, MOST)];
static int32_t whole[PCN_IPERCEPTRON_NUMBERS(N, MOST)], mean[PCN_IPERCEPTRON_NUMBERS(N, MOST)];
static int64_t sums[PCN_IPERCEPTRON_NUMBERS(N, MOST)];
static pcn_slot slot[SLOTS];
static pcn_log_entry entry[LOG];
static float vectors[PCN_KPERCEPTRON_FLOATS(N, MOST, SLOTS)], value[SLOTS * N], aux[SLOTS * (SLOTS + 2)];
static uint32_t index[SLOTS * N];
static uint32_t image[ROOM / 4], again[ROOM / 4], later[ROOM / 4];

static pcn_perceptron perceptron;
static pcn_iperceptron integers;
static pcn_kperceptron kernels;

typedef struct recipe {
    const char *name;
    uint32_t classes;
    int (*use)(void); /* chooses the options of the trainer */
} recipe;

/* What `later` is: the checksum of an image of `size` bytes. */
static void tell_later(size_t size)
{
    if (size >= 4) printf("later %08lx\n", (unsigned long)pcn_crc32(0, later, size - 4));
}

/* ---- Linear models ---- */

static int plain(void)
{
    return 0;
}

static int averaged(void)
{
    return pcn_perceptron_use_averaging(&perceptron, sum, sizeof sum);
}

static int following(void)
{
    return averaged() | pcn_perceptron_use_following(&perceptron);
}

static int averaged_by_feature(void)
{
    perceptron.live.zero_negative = 1;
    return pcn_perceptron_use_feature_major(&perceptron) | averaged();
}

static int batched(void)
{
    return pcn_perceptron_use_batch(&perceptron, batch, sizeof batch);
}

static int winnow(void)
{
    return pcn_perceptron_use_winnow(&perceptron, 2, 0, state, sizeof state);
}

static int balanced(void)
{
    return pcn_perceptron_use_winnow(&perceptron, 0, 1, state, sizeof state);
}

static int arow(void)
{
    return pcn_perceptron_use_confidence(&perceptron, 1, state, sizeof state);
}

static int regrowing(void)
{
    const int result = arow();
    return result < 0 ? result : pcn_perceptron_use_regrowth(&perceptron, 0.25f);
}

static int absolute(void)
{
    perceptron.learner.rule = pcn_rule_absolute();
    perceptron.learner.update = pcn_update_others;
    return 0;
}

static int fractional(void)
{
    perceptron.learner.rule = pcn_rule_fractional(0.5f);
    perceptron.learner.bias_input = 2;
    return 0;
}

static int pa1(void)
{
    perceptron.learner.rule = pcn_rule_pa(0.25f);
    perceptron.learner.update = pcn_update_uniform;
    return 0;
}

static int pa2(void)
{
    perceptron.learner.rule = pcn_rule_pa2(0.5f);
    perceptron.learner.update = pcn_update_one_vs_rest;
    return 0;
}

static const recipe linear[] = {
    {"linear", 2, plain},
    {"linear-3", 3, averaged_by_feature},
    {"perceptron", 2, plain},
    {"perceptron-3", 3, averaged_by_feature},
    {"averaged", 2, averaged},
    {"averaged-3", 3, averaged},
    {"batch", 3, batched},
    {"winnow", 2, winnow},
    {"balanced", 3, balanced},
    {"arow", 3, arow},
    {"following", 3, following},
    {"regrowing", 2, regrowing},
    {"absolute-others", 3, absolute},
    {"fractional", 2, fractional},
    {"pa1-uniform", 3, pa1},
    {"pa2-one-vs-rest", 3, pa2}};

static int learn_linear(void)
{
    int r, result = 0;
    for (r = 0; r < ROWS && result >= 0; r++) {
        pcn_vec x = pcn_dense(row[r], N);
        result = pcn_perceptron_learn(&perceptron, x, label_of(r, PCN_CLASSES(perceptron.live.scores)));
    }
    return result;
}

static void ask_linear(const pcn_linear *m)
{
    float score[MOST];
    uint32_t q, c;
    for (q = 0; q < 3; q++) {
        pcn_linear_scores(m, pcn_dense(question[q], N), score);
        for (c = 0; c < m->scores; c++) printf("score %.9g\n", (double)score[c]);
        printf("class %d\n", pcn_linear_predict(m, pcn_dense(question[q], N)));
    }
}

/* Saves the model to `out`, or opens or loads the image and asks. Returns the length of what it saved. */
static size_t do_linear(const recipe *r, size_t size, void *out)
{
    pcn_linear m;
    size_t length;
    const int frozen = strncmp(r->name, "linear", 6) == 0;
    if (pcn_perceptron_init(&perceptron, N, r->classes, memory, sizeof memory) < 0 || r->use() < 0) return 0;
    if (frozen && size != 0) {
        if (pcn_linear_open(&m, image, size) < 0) return 0;
    } else {
        if ((size != 0 ? pcn_perceptron_load(&perceptron, image, size) : learn_linear()) < 0) return 0;
        m = perceptron.live;
        if (perceptron.own.sum && pcn_perceptron_final(&perceptron, &m, copy, sizeof copy) < 0) return 0;
    }
    if (size != 0) ask_linear(&m);
    length = frozen ? pcn_linear_save(&m, out, ROOM) : pcn_perceptron_save(&perceptron, out, ROOM);
    if (size == 0 || frozen) return length;
    if (learn_linear() < 0) return 0;
    tell_later(pcn_perceptron_save(&perceptron, later, ROOM));
    return length;
}

/* ---- Integer models ---- */

static int by_one(void)
{
    integers.bias_step = 1;
    return 0;
}

static int iaveraged(void)
{
    integers.live.zero_negative = 1;
    integers.bias_step = 1;
    return pcn_iperceptron_use_averaging(&integers, sums, sizeof sums);
}

static const recipe integer[] = {{"ilinear", 3, by_one},     {"ilinear-16", 2, plain}, {"ilinear-8", 3, plain},
                                 {"iperceptron", 3, by_one}, {"ibias", 3, plain}, /* has found the step of its bias */
                                 {"iaveraged", 2, iaveraged}};

static pcn_ivec twice(const float *x, int16_t *to)
{
    int j;
    for (j = 0; j < N; j++) to[j] = (int16_t)(2 * x[j]);
    return pcn_idense(to, N);
}

static int learn_integers(void)
{
    int16_t x[N];
    int r, result = 0;
    for (r = 0; r < ROWS && result >= 0; r++) {
        pcn_ivec v = twice(row[r], x);
        result = pcn_iperceptron_learn(&integers, v, label_of(r, PCN_CLASSES(integers.live.scores)));
    }
    return result;
}

static void ask_integers(const pcn_ilinear *m)
{
    int64_t score[MOST];
    int16_t x[N];
    uint32_t q, c;
    for (q = 0; q < 3; q++) {
        pcn_ilinear_scores(m, twice(question[q], x), score);
        for (c = 0; c < m->scores; c++) printf("score %.9g\n", (double)score[c]);
        printf("class %d\n", pcn_ilinear_predict(m, twice(question[q], x)));
    }
}

static size_t do_integers(const recipe *r, size_t size, void *out)
{
    static const float weight[] = {1.5f, -2, 127, -127, 0.25f, 3, 100, -50, 25}, bias[] = {7, -8, 0.5f};
    static int32_t narrow[PCN_ILINEAR_NUMBERS(N, MOST, 16)], room[ROOM / 4];
    pcn_ilinear q;
    size_t length;
    const int frozen = strncmp(r->name, "ilinear", 7) == 0;
    if (pcn_iperceptron_init(&integers, N, r->classes, whole, sizeof whole) < 0 || r->use() < 0) return 0;
    if (frozen && size != 0) {
        if (pcn_ilinear_load(&q, room, sizeof room, image, size) < 0) return 0;
    } else if (frozen && strchr(r->name, '-')) {
        const pcn_linear m = {weight, bias, N, PCN_SCORES(r->classes), 0, 0, 0};
        const uint32_t bits = strstr(r->name, "-8") ? 8 : 16;
        if (pcn_ilinear_quantize(&q, &m, bits, 0.5f, NULL, narrow, sizeof narrow) < 0) return 0;
    } else {
        if ((size != 0 ? pcn_iperceptron_load(&integers, image, size) : learn_integers()) < 0) return 0;
        q = integers.live;
        if (integers.own.sum && pcn_iperceptron_final(&integers, &q, mean, sizeof mean) < 0) return 0;
    }
    if (size != 0) ask_integers(&q);
    length = frozen ? pcn_ilinear_save(&q, out, ROOM) : pcn_iperceptron_save(&integers, out, ROOM);
    if (size == 0 || frozen) return length;
    if (learn_integers() < 0) return 0;
    tell_later(pcn_iperceptron_save(&integers, later, ROOM));
    return length;
}

/* ---- Kernel models ---- */

static int polynomial(void)
{
    kernels.model.kernel = pcn_kernel_poly(2, 0.5f, 1);
    kernels.learner.bias_input = 2;
    return pcn_kperceptron_use_log(&kernels, entry, LOG);
}

static int rbf(void)
{
    kernels.model.kernel = pcn_kernel_rbf(0.25f);
    kernels.learner.update = pcn_update_one_vs_rest;
    return pcn_kperceptron_use_sparse(&kernels, value, index, LENGTH(value)) |
           pcn_kperceptron_use_log(&kernels, entry, LOG);
}

static int forgetron(void)
{
    return pcn_kperceptron_use_forgetron(&kernels, aux, sizeof aux);
}

static int projectron(void)
{
    kernels.model.kernel = pcn_kernel_rbf(0.125f);
    return pcn_kperceptron_use_projectron(&kernels, 0.5f, aux, sizeof aux);
}

static int oldest(void)
{
    kernels.admit = pcn_admit_oldest;
    return 0;
}

static int at_random(void)
{
    kernels.admit = pcn_admit_random;
    kernels.model.kernel = pcn_kernel_rbf(0.5f);
    kernels.learner.rule = pcn_rule_pa(2);
    return 0;
}

static const recipe kernel[] = {{"polynomial", 2, polynomial}, {"polynomial-3", 3, polynomial}, {"rbf-3", 3, rbf},
                                {"forgetron", 2, forgetron},   {"projectron", 2, projectron},   {"oldest", 2, oldest},
                                {"random-3", 3, at_random}};

static int learn_kernels(void)
{
    int r, result = 0;
    for (r = 0; r < 2 * ROWS && result >= 0; r++) {
        static const uint32_t at[N] = {0, 1, 2};
        pcn_vec x = kernels.own.sparse ? pcn_sparse(at, row[r % ROWS], N) : pcn_dense(row[r % ROWS], N);
        uint32_t id = (uint32_t)(r % ROWS);
        int y = label_of(r % ROWS, PCN_CLASSES(kernels.model.scores));
        result = pcn_kperceptron_learn_row(&kernels, x, y, id);
    }
    return result;
}

static void ask_kernels(const pcn_kmodel *m)
{
    static float work[PCN_KMODEL_WORK(MOST, SLOTS, 3)];
    float score[3 * MOST];
    pcn_vec x[3];
    int cls[3];
    uint32_t q, how, last = m->log ? PCN_DECIDE_VOTE : PCN_DECIDE_LAST;
    for (q = 0; q < 3; q++) x[q] = pcn_dense(question[q], N);
    for (how = PCN_DECIDE_LAST; how <= last; how++) {
        if (pcn_kmodel_scores(m, (enum pcn_decision)how, x, 3, score, work, sizeof work) < 0 ||
            pcn_kmodel_predict(m, (enum pcn_decision)how, x, 3, cls, work, sizeof work) < 0)
            return;
        for (q = 0; q < 3 * m->scores; q++) printf("score %.9g\n", (double)score[q]);
        for (q = 0; q < 3; q++) printf("class %d\n", cls[q]);
    }
}

static size_t do_kernels(const recipe *r, size_t size, void *out)
{
    const uint32_t slots = r->use == polynomial || r->use == rbf ? SLOTS : 3;
    size_t length;
    if (pcn_kperceptron_init(&kernels, pcn_kernel_linear(), N, r->classes, slot, slots, vectors, sizeof vectors) < 0 ||
        r->use() < 0)
        return 0;
    if ((size != 0 ? pcn_kperceptron_load(&kernels, image, size) : learn_kernels()) < 0) return 0;
    if (size != 0) ask_kernels(&kernels.model);
    length = pcn_kperceptron_save(&kernels, out, ROOM);
    if (size == 0) return length;
    if (learn_kernels() < 0) return 0;
    tell_later(pcn_kperceptron_save(&kernels, later, ROOM));
    return length;
}

/* ---- Calibration: values are scores ---- */

static const recipe calibration[] = {{"calibration", 2, plain}, {"calibration-3", 3, plain}};

/* Every fifth is another than most rows like it have. */
static int noisy_label(uint32_t i, uint32_t classes)
{
    const uint32_t r = i % ROWS;
    if (classes == 2) return (label[r] == 1) ^ (i % 5 == 4);
    return i % 5 == 4 ? label[r] : pcn_decide(row[r], classes, 0);
}

static int learn_calibration(pcn_calibration *c, uint32_t classes)
{
    float p[MOST];
    uint32_t i;
    int result = 0;
    for (i = 0; i < 4 * ROWS && result >= 0; i++) {
        const int y = noisy_label(i, classes);
        (void)pcn_probabilities(c, row[i % ROWS], classes, p);
        result = pcn_calibrate(c, row[i % ROWS], classes, p, y);
    }
    return result;
}

static size_t do_calibration(const recipe *r, size_t size, void *out)
{
    pcn_calibration c;
    float p[MOST];
    uint32_t i, k;
    size_t length;
    pcn_calibration_init(&c);
    if ((size != 0 ? pcn_calibration_load(&c, image, size) : learn_calibration(&c, r->classes)) < 0) return 0;
    length = pcn_calibration_save(&c, out, ROOM);
    if (size == 0) return length;
    for (i = 0; i < 3; i++) {
        const int cls = pcn_probabilities(&c, question[i], r->classes, p);
        for (k = r->classes == 2; k < r->classes; k++) printf("score %.9g\n", (double)p[k]); /* of two: of class 1 */
        printf("class %d\n", cls);
    }
    if (learn_calibration(&c, r->classes) < 0) return 0;
    tell_later(pcn_calibration_save(&c, later, ROOM));
    return length;
}

/* ---- The scaler: of the rows, a gap in the last column ---- */

static const recipe scaling[] = {{"scaler", 2, plain}, {"scaler-window", 2, plain}};

static int note_rows(pcn_scaler *s)
{
    float x[N];
    int i, result = 0;
    for (i = 0; i < 3 * ROWS && result >= 0; i++) {
        memcpy(x, row[i % ROWS], sizeof x);
        if (i % 5 == 4) x[N - 1] = (x[0] - x[0]) / (x[0] - x[0]);
        result = pcn_scaler_note(s, x);
    }
    return result;
}

static size_t do_scaler(const recipe *r, size_t size, void *out)
{
    static float moment[PCN_SCALER_FLOATS(N)];
    pcn_scaler s;
    size_t length;
    float x[N];
    int i, j;
    if (pcn_scaler_init(&s, N, moment, sizeof moment) < 0 || r->use() < 0) return 0;
    if (r != scaling && pcn_scaler_use_window(&s, 16) < 0) return 0;
    if ((size != 0 ? pcn_scaler_load(&s, image, size) : note_rows(&s)) < 0) return 0;
    length = pcn_scaler_save(&s, out, ROOM);
    if (size == 0) return length;
    for (i = 0; i < 3; i++) {
        pcn_scaler_scale(&s, question[i], x);
        for (j = 0; j < N; j++) printf("score %.9g\n", (double)x[j]);
    }
    if (note_rows(&s) < 0) return 0;
    tell_later(pcn_scaler_save(&s, later, ROOM));
    return length;
}

/* ---- Files ---- */

/* Finds the recipe that a file is named after and does it. */
static size_t do_named(const char *path, size_t size, void *out)
{
    static const struct {
        const recipe *table;
        size_t length;
        size_t (*cook)(const recipe *r, size_t size, void *out);
    } all[] = {{linear, LENGTH(linear), do_linear},
               {integer, LENGTH(integer), do_integers},
               {kernel, LENGTH(kernel), do_kernels},
               {calibration, LENGTH(calibration), do_calibration},
               {scaling, LENGTH(scaling), do_scaler}};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t k, i, length = strcspn(name, ".");
    for (k = 0; k < LENGTH(all); k++)
        for (i = 0; i < all[k].length; i++)
            if (strlen(all[k].table[i].name) == length && memcmp(all[k].table[i].name, name, length) == 0)
                return all[k].cook(&all[k].table[i], size, out);
    return 0;
}

static int write_file(const char *path)
{
    size_t size = do_named(path, 0, image);
    FILE *f = fopen(path, "wb");
    int bad = size == 0 || size > ROOM || !f || fwrite(image, 1, size, f) != size;
    return (f && fclose(f) != 0) || bad;
}

static int read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t size = f ? fread(image, 1, ROOM, f) : 0, length;
    pcn_image i;
    if (f) fclose(f);
    if (size == 0 || pcn_image_read(&i, image, size) < 0) return 1;
    printf("kind %u\nparts %u\nfeatures %u\nclasses %u\nslots %u\nentries %u\n", i.kind, i.parts, i.features, i.scores,
           i.slots, i.entries);
    printf("rows %.0f\nupdates %.0f\nmistakes %.0f\nclock %.0f\nlength %u\n", (double)i.count.rows,
           (double)i.count.updates, (double)i.count.mistakes, (double)i.clock, (unsigned)pcn_image_size(image, size));
    length = do_named(path, size, again);
    if (length == 0) return 1;
    printf("%s\n", length == size && memcmp(image, again, size) == 0 ? "same" : "other");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "write") == 0) return write_file(argv[2]);
    if (argc == 3 && strcmp(argv[1], "read") == 0) return read_file(argv[2]);
    fprintf(stderr, "usage: golden write|read FILE\n");
    return 2;
}
