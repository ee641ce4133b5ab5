/* Damaged images of every kind. With the checksum as it was, every prefix and every flipped bit is refused. With the
 * checksum repaired, each word of the image in turn takes boundary values: the image is refused, or gives models on
 * which every operation is clean (those of fuzz/images.c, which stops the program if one is not). */
#define PERCEPTRON_IMPLEMENTATION
#include "fuzz/images.c"
#include "random.h"
#include "test.h"

enum { N = 5, K = 3, MOST = 2048, SLOTS = 4, CELLS = SLOTS * N, ENTRIES = 24 };

typedef struct image {
    uint8_t bytes[CHOICES + MOST]; /* as the fuzzer's input: what chooses, then the image */
    size_t size;                   /* of the image */
} image;

static uint32_t tried, accepted;

/* ---- One image of each kind ---- */

static float small_value(void)
{
    return (float)(random_bits() % 9) - 4;
}

static void fill(float *x, uint32_t n)
{
    while (n-- != 0) *x++ = small_value();
}

static uint8_t *begin(image *im)
{
    memset(im, 0, sizeof *im);
    return im->bytes + CHOICES;
}

/* A linear trainer with those parts, or its frozen weights. */
static void linear_image_of(image *im, uint32_t classes, uint32_t parts, int frozen)
{
    static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], batch[PCN_LINEAR_FLOATS(N, K)],
        state[PCN_LINEAR_FLOATS(N, K)];
    uint8_t *to = begin(im);
    float x[N];
    pcn_perceptron m;
    int i;
    CHECK(pcn_perceptron_init(&m, N, classes, memory, sizeof memory) == PCN_OK);
    if (parts & PCN_PART_FEATURE_MAJOR) CHECK(pcn_perceptron_use_feature_major(&m) == PCN_OK);
    if (parts & PCN_PART_EXPONENTS)
        CHECK(pcn_perceptron_use_winnow(&m, 1, (parts & PCN_PART_BALANCED) != 0, state, sizeof state) == PCN_OK);
    if (parts & PCN_PART_VARIANCES) CHECK(pcn_perceptron_use_confidence(&m, 1, state, sizeof state) == PCN_OK);
    if (parts & PCN_PART_SUMS) CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
    if (parts & PCN_PART_BATCH) CHECK(pcn_perceptron_use_batch(&m, batch, sizeof batch) == PCN_OK);
    for (i = 0; i < 20; i++) {
        fill(x, N);
        CHECK(pcn_perceptron_learn(&m, pcn_dense(x, N), i % (classes == 1 ? 2 : (int)classes)) >= 0);
    }
    im->size = frozen ? pcn_linear_save(&m.live, 0, to, MOST) : pcn_perceptron_save(&m, 0, to, MOST);
}

/* bits: 0 for a trainer, 32 for its frozen model, 8 or 16 for a quantised one. */
static void integer_image_of(image *im, uint32_t classes, uint32_t parts, uint32_t bits)
{
    static int32_t memory[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static int64_t sum[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static int32_t narrow[PCN_ILINEAR_NUMBERS(N, K, 16)];
    static float weight[PCN_PERCEPTRON_FLOATS(N, K)];
    int16_t x[N] = {3, -2, 5, 7, 1};
    pcn_iperceptron m;
    pcn_perceptron f;
    pcn_ilinear q;
    int i;
    uint8_t *to = begin(im);
    CHECK(pcn_iperceptron_init(&m, N, classes, memory, sizeof memory) == PCN_OK);
    if (parts & PCN_PART_SUMS) CHECK(pcn_iperceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
    if (parts & PCN_PART_WINNOW) CHECK(pcn_iperceptron_use_winnow(&m, 3, 0) == PCN_OK);
    for (i = 0; i < 20; i++) {
        x[i % N] = (int16_t)(x[i % N] * 3 + i);
        CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, N), i % (classes == 1 ? 2 : (int)classes)) >= 0);
    }
    if (bits == 0) {
        im->size = pcn_iperceptron_save(&m, 0, to, MOST);
    } else if (bits == 32) {
        im->size = pcn_ilinear_save(&m.live, 0, to, MOST);
    } else {
        CHECK(pcn_perceptron_init(&f, N, classes, weight, sizeof weight) == PCN_OK);
        fill(weight, N * classes);
        weight[0] = 1;
        CHECK(pcn_ilinear_quantize(&q, &f.live, bits, 1, NULL, narrow, sizeof narrow) == PCN_OK);
        im->size = pcn_ilinear_save(&q, 0, to, MOST);
    }
}

static void kernel_image_of(image *im, uint32_t classes, pcn_kernel kernel, int sparse, int logged, int forgetron)
{
    static float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], value[CELLS], aux[SLOTS];
    static uint32_t index[CELLS];
    static pcn_slot slot[SLOTS];
    static pcn_log_entry log[ENTRIES];
    static const uint32_t all[N] = {0, 1, 2, 3, 4};
    uint8_t *to = begin(im);
    float x[N];
    pcn_kperceptron m;
    int i;
    CHECK(pcn_kperceptron_init(&m, kernel, N, classes, slot, SLOTS, memory, sizeof memory) == PCN_OK);
    if (sparse) CHECK(pcn_kperceptron_use_sparse(&m, value, index, CELLS) == PCN_OK);
    if (logged) CHECK(pcn_kperceptron_use_log(&m, log, ENTRIES) == PCN_OK);
    if (forgetron) CHECK(pcn_kperceptron_use_forgetron(&m, aux, SLOTS * sizeof(float)) == PCN_OK);
    m.learner.bias_input = 1;
    for (i = 0; i < 12; i++) {
        fill(x, N);
        (void)pcn_kperceptron_learn(&m, sparse ? pcn_sparse(all + i % 2, x, N - (uint32_t)i % 2) : pcn_dense(x, N),
                                    i % (classes == 1 ? 2 : (int)classes), (uint32_t)i);
    }
    CHECK(m.model.slots > 0);
    im->size = pcn_kperceptron_save(&m, 0, to, MOST);
}

static void calibration_image_of(image *im, uint32_t classes)
{
    uint8_t *to = begin(im);
    float score[K], p[K];
    pcn_calibration c;
    int i;
    memset(&c, 0, sizeof c);
    for (i = 0; i < 50; i++) {
        fill(score, classes);
        (void)pcn_probabilities(&c, score, classes, p);
        CHECK(pcn_calibrate(&c, score, classes, p, i % (classes == 1 ? 2 : (int)classes)) >= 0);
    }
    im->size = pcn_calibration_save(&c, 0, to, MOST);
}

static void scaler_image_of(image *im)
{
    static float moment[PCN_SCALER_FLOATS(N)];
    uint8_t *to = begin(im);
    float x[N];
    pcn_scaler s;
    int i;
    CHECK(pcn_scaler_init(&s, N, moment, sizeof moment) == PCN_OK);
    for (i = 0; i < 50; i++) {
        fill(x, N);
        x[N - 1] = 3;
        CHECK(pcn_scaler_note(&s, x) == PCN_OK);
    }
    im->size = pcn_scaler_save(&s, 0, to, MOST);
}

/* ---- The checksum as it was ---- */

static int is_refused(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)copy_of(bytes, size);
    pcn_linear l;
    pcn_ilinear q;
    pcn_kmodel s;
    pcn_calibration c;
    pcn_scaler scaler = {NULL, 0};
    int refused = pcn_image_read(NULL, copy, size) < 0 && pcn_linear_open(&l, copy, size) < 0 &&
                  pcn_ilinear_open(&q, copy, size) < 0 && pcn_kmodel_open(&s, kernel_of(1), copy, size) < 0 &&
                  pcn_kmodel_open(&s, kernel_of(2), copy, size) < 0 &&
                  pcn_kmodel_open(&s, kernel_of(3), copy, size) < 0 && pcn_calibration_load(&c, copy, size) < 0 &&
                  pcn_scaler_load(&scaler, copy, size) < 0;
    free(copy);
    return refused;
}

/* A trainer of each kind; the image's kind says which of them has its shape. */
typedef struct target {
    pcn_perceptron linear;
    pcn_iperceptron integer;
    pcn_kperceptron kernel;
    pcn_calibration calibration;
    pcn_scaler scaler;
    float moment[PCN_SCALER_FLOATS(N)];
    float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], batch[PCN_LINEAR_FLOATS(N, K)],
        state[PCN_LINEAR_FLOATS(N, K)];
    int32_t words[PCN_IPERCEPTRON_NUMBERS(N, K)];
    int64_t sums[PCN_IPERCEPTRON_NUMBERS(N, K)];
    float rows[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], value[CELLS];
    uint32_t index[CELLS];
    pcn_slot slot[SLOTS];
    pcn_log_entry log[ENTRIES];
} target;

static void linear_target(target *t, const pcn_image *i)
{
    pcn_perceptron *m = &t->linear;
    CHECK(pcn_perceptron_init(m, i->features, i->classes, t->memory, sizeof t->memory) == PCN_OK);
    if (i->parts & PCN_PART_FEATURE_MAJOR) CHECK(pcn_perceptron_use_feature_major(m) == PCN_OK);
    if (i->parts & PCN_PART_EXPONENTS)
        CHECK(pcn_perceptron_use_winnow(m, 1, (i->parts & PCN_PART_BALANCED) != 0, t->state, sizeof t->state) ==
              PCN_OK);
    if (i->parts & PCN_PART_VARIANCES) CHECK(pcn_perceptron_use_confidence(m, 1, t->state, sizeof t->state) == PCN_OK);
    if (i->parts & PCN_PART_SUMS) CHECK(pcn_perceptron_use_averaging(m, t->sum, sizeof t->sum) == PCN_OK);
    if (i->parts & PCN_PART_BATCH) CHECK(pcn_perceptron_use_batch(m, t->batch, sizeof t->batch) == PCN_OK);
}

static void target_init(target *t, const pcn_image *i)
{
    memset(t, 0, sizeof *t);
    if (i->kind <= PCN_KIND_PERCEPTRON) {
        linear_target(t, i);
    } else if (i->kind == PCN_KIND_KERNEL) {
        CHECK(pcn_kperceptron_init(&t->kernel, kernel_of(i->kernel_id), i->features, i->classes, t->slot, SLOTS,
                                   t->rows, sizeof t->rows) == PCN_OK);
        if (i->parts & PCN_PART_SPARSE)
            CHECK(pcn_kperceptron_use_sparse(&t->kernel, t->value, t->index, CELLS) == PCN_OK);
        if (i->parts & PCN_PART_LOG) CHECK(pcn_kperceptron_use_log(&t->kernel, t->log, ENTRIES) == PCN_OK);
    } else if (i->kind == PCN_KIND_SCALER) {
        CHECK(pcn_scaler_init(&t->scaler, i->features, t->moment, sizeof t->moment) == PCN_OK);
    } else if (i->kind != PCN_KIND_CALIBRATION) {
        CHECK(pcn_iperceptron_init(&t->integer, i->features, i->classes, t->words, sizeof t->words) == PCN_OK);
        if (i->parts & PCN_PART_SUMS)
            CHECK(pcn_iperceptron_use_averaging(&t->integer, t->sums, sizeof t->sums) == PCN_OK);
        if (i->parts & PCN_PART_WINNOW) CHECK(pcn_iperceptron_use_winnow(&t->integer, 3, 0) == PCN_OK);
    }
}

static int load(target *t, uint32_t kind, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)copy_of(bytes, size);
    int result = kind <= PCN_KIND_PERCEPTRON    ? pcn_perceptron_load(&t->linear, copy, size)
                 : kind == PCN_KIND_KERNEL      ? pcn_kperceptron_load(&t->kernel, copy, size)
                 : kind == PCN_KIND_CALIBRATION ? pcn_calibration_load(&t->calibration, copy, size)
                 : kind == PCN_KIND_SCALER      ? pcn_scaler_load(&t->scaler, copy, size)
                                                : pcn_iperceptron_load(&t->integer, copy, size);
    free(copy);
    return result;
}

/* Nothing takes a prefix or an image with one bit turned, and the trainer that takes the whole one stays as it is. */
static void check_damage(const image *im)
{
    static target t, before;
    uint8_t bytes[MOST];
    pcn_image info;
    size_t i;
    int good = 1;
    memcpy(bytes, im->bytes + CHOICES, MOST);
    CHECK(!is_refused(bytes, im->size) || !little_endian());
    CHECK(pcn_image_read(&info, bytes, im->size) == PCN_OK);
    target_init(&t, &info);
    CHECK(load(&t, info.kind, bytes, im->size) ==
          (info.parts & (PCN_PART_8_BITS | PCN_PART_16_BITS) ? PCN_EMATCH : PCN_OK));
    memcpy(&before, &t, sizeof t);
    for (i = 0; i < im->size; i++) good &= is_refused(bytes, i) && load(&t, info.kind, bytes, i) < 0;
    for (i = 0; i < 8 * im->size; i++) {
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        good &= is_refused(bytes, im->size) && load(&t, info.kind, bytes, im->size) < 0;
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    CHECK(good && memcmp(&before, &t, sizeof t) == 0);
}

/* ---- The checksum repaired ---- */

static void attempt(image *im)
{
    uint32_t i;
    for (i = 0; i < CHOICES; i++) im->bytes[i] = (uint8_t)(random_bits() >> 8);
    LLVMFuzzerTestOneInput(im->bytes, CHOICES + im->size);
    put_checksum(im->bytes + CHOICES, im->size);
    tried++;
    accepted += pcn_image_read(NULL, im->bytes + CHOICES, im->size) == PCN_OK;
}

/* As whole numbers and as floats: the ends of ranges, what is no number. */
/* clang-format off */
static const uint32_t end[] = {
    0, 1, 2, 3, 4, N, 7, 127, 128, 255, 256, 1u << 15, 1u << 16, (1u << 24) + 1, 1u << 30, (1u << 31) - 1, 1u << 31,
    UINT32_MAX, UINT32_MAX - 1, 0x007fffffu, 0x00800000u, 0x80000001u, 0x3f800000u, 0xbf800000u, 0x3f800001u,
    0x67800000u, 0x677fffffu, 0xe7800000u, 0x7b800000u, 0x7b7fffffu, 0x49800000u, 0x49800001u, 0x7f7fffffu,
    0x7f800000u, 0xff800000u, 0x7fc00000u};
/* clang-format on */

/* Each word takes these, and its own neighbours. */
static void check_words(const image *im)
{
    size_t at, i;
    for (at = 0; at < im->size - 4; at += 4) {
        uint32_t word = get_word(im->bytes + CHOICES, at);
        const uint32_t neighbour[] = {word + 1, word - 1, word ^ 0x80000000u, 2 * word};
        for (i = 0; i < LENGTH(end) + LENGTH(neighbour); i++) {
            image changed = *im;
            put_word(changed.bytes + CHOICES, at, i < LENGTH(end) ? end[i] : neighbour[i - LENGTH(end)]);
            attempt(&changed);
        }
    }
}

/* Two words that follow each other, both: products of sizes overflow. */
static void check_pair(const image *im, size_t at)
{
    size_t i, j;
    for (i = 0; i < LENGTH(end); i++)
        for (j = 0; j < LENGTH(end); j++) {
            image changed = *im;
            put_word(changed.bytes + CHOICES, at, end[i]);
            put_word(changed.bytes + CHOICES, at + 4, end[j]);
            attempt(&changed);
        }
}

/* Without features and biases 68 bytes name any number of classes. They are classes: the scores of all are 0. The
 * fuzzer leaves such images out. */
static void check_many_classes(void)
{
    static const uint32_t classes[] = {1, 2, MOST_CLASSES + 1, 1u << 20, 1u << 31, UINT32_MAX};
    pcn_linear m = {NULL, NULL, 0, 3, 0, 0}, opened;
    uint32_t bytes[17];
    size_t i;
    CHECK(pcn_linear_save(&m, 0, bytes, sizeof bytes) == sizeof bytes);
    for (i = 0; i < LENGTH(classes) && little_endian(); i++) {
        uint8_t *copy = (uint8_t *)copy_of(bytes, sizeof bytes);
        put_word(copy, 20, classes[i]);
        put_checksum(copy, sizeof bytes);
        CHECK(pcn_linear_open(&opened, copy, sizeof bytes) == PCN_OK && opened.classes == classes[i]);
        if (classes[i] == 1)
            CHECK(pcn_linear_predict(&opened, pcn_dense(NULL, 0)) == 1);
        else if (classes[i] <= 1u << 20)
            CHECK(pcn_linear_predict(&opened, pcn_dense(NULL, 0)) == 0);
        free(copy);
    }
}

static void check_image(const image *im, const char *name)
{
    CHECK(im->size >= 68 && im->size <= MOST); /* shorter ones the fuzzer leaves out */
    tried = accepted = 0;
    check_damage(im);
    check_words(im);
    check_pair(im, 16); /* features, classes */
    check_pair(im, 24); /* slots, entries of the log */
    printf("%-28s %4u bytes, %6u changed, %6u of them accepted\n", name, (unsigned)im->size, (unsigned)tried,
           (unsigned)accepted);
    CHECK(accepted > 0 && accepted < tried);
}

int main(void)
{
    static image im;
    const uint32_t all = PCN_PART_SUMS | PCN_PART_BATCH;
    linear_image_of(&im, 1, all, 0), check_image(&im, "binary, averaged, batch");
    linear_image_of(&im, K, PCN_PART_SUMS, 0), check_image(&im, "classes, averaged");
    linear_image_of(&im, K, all | PCN_PART_FEATURE_MAJOR, 0), check_image(&im, "feature-major, batch");
    linear_image_of(&im, K, PCN_PART_EXPONENTS | PCN_PART_SUMS, 0), check_image(&im, "Winnow, averaged");
    linear_image_of(&im, K, PCN_PART_VARIANCES | PCN_PART_SUMS, 0), check_image(&im, "confidence, averaged");
    linear_image_of(&im, 1, PCN_PART_VARIANCES, 0), check_image(&im, "confidence");
    linear_image_of(&im, K, 0, 1), check_image(&im, "frozen");
    linear_image_of(&im, 2, PCN_PART_FEATURE_MAJOR, 1), check_image(&im, "frozen, feature-major");
    linear_image_of(&im, K, PCN_PART_EXPONENTS | PCN_PART_BALANCED, 0), check_image(&im, "Winnow, balanced");
    integer_image_of(&im, K, PCN_PART_WINNOW, 0), check_image(&im, "integer Winnow");
    integer_image_of(&im, 1, PCN_PART_SUMS, 0), check_image(&im, "integer trainer, averaged");
    integer_image_of(&im, K, 0, 0), check_image(&im, "integer trainer, classes");
    integer_image_of(&im, K, 0, 32), check_image(&im, "integer, frozen");
    integer_image_of(&im, K, 0, 16), check_image(&im, "16 bits");
    integer_image_of(&im, K, 0, 8), check_image(&im, "8 bits");
    kernel_image_of(&im, 1, pcn_kernel_linear(), 0, 1, 0), check_image(&im, "voted, with log");
    kernel_image_of(&im, K, pcn_kernel_poly(2, 0.5f, 1), 1, 1, 0), check_image(&im, "polynomial, sparse, log");
    kernel_image_of(&im, K, pcn_kernel_rbf(0.1f), 1, 0, 0), check_image(&im, "RBF, sparse");
    kernel_image_of(&im, 1, pcn_kernel_rbf(0.1f), 0, 0, 1), check_image(&im, "Forgetron");
    calibration_image_of(&im, 1), check_image(&im, "calibration");
    calibration_image_of(&im, K), check_image(&im, "calibration, classes");
    scaler_image_of(&im), check_image(&im, "scaler");
    check_many_classes();
    return report();
}
