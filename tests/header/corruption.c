/* An image whose words are damaged and whose checksum is repaired is refused, or gives a model on which every
 * operation is clean.
 *
 * Each word in turn of the images of tests/header/golden takes boundary values; fuzz/images.c does the operations,
 * and stops the program if one is not clean. */
#define PERCEPTRON_IMPLEMENTATION
#include "fuzz/images.c"
#include "random.h"
#include "test.h"

enum { MOST = 1024, N = 3 }; /* bytes of an image; their features */

typedef struct image {
    uint8_t bytes[CHOICES + MOST]; /* as the fuzzer's input: what chooses, then the image */
    size_t size;                   /* of the image */
} image;

static uint32_t tried, accepted;

static void read_image(image *im, const char *name)
{
    char path[64];
    FILE *file;
    snprintf(path, sizeof path, "tests/header/golden/1.0/%s.pcn", name);
    file = fopen(path, "rb");
    CHECK(file != NULL);
    memset(im, 0, sizeof *im);
    if (file) im->size = fread(im->bytes + CHOICES, 1, MOST, file), fclose(file);
    CHECK(im->size >= 68 && im->size < MOST);
}

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

/* Without features and biases 68 bytes name any number of scores but 2. They are scores: all are 0. The fuzzer leaves
 * such images out. */
static void check_many_scores(void)
{
    static const uint32_t scores[] = {1, 2, MOST_SCORES + 1, 1u << 20, 1u << 31, UINT32_MAX};
    pcn_linear m = {NULL, NULL, 0, 3, 0, 0, 0}, opened;
    uint32_t bytes[17];
    size_t i;
    CHECK(pcn_linear_save(&m, bytes, sizeof bytes) == sizeof bytes);
    for (i = 0; i < LENGTH(scores) && little_endian(); i++) {
        uint8_t *copy = (uint8_t *)copy_of(bytes, sizeof bytes);
        put_word(copy, AT_SCORES, scores[i]);
        put_checksum(copy, sizeof bytes);
        CHECK(pcn_linear_open(&opened, copy, sizeof bytes) == (scores[i] == 2 ? PCN_ESCORES : PCN_OK));
        CHECK(scores[i] == 2 || opened.scores == scores[i]);
        if (scores[i] == 1)
            CHECK(pcn_linear_predict(&opened, pcn_dense(NULL, 0)) == 1);
        else if (scores[i] > 2 && scores[i] <= 1u << 20)
            CHECK(pcn_linear_predict(&opened, pcn_dense(NULL, 0)) == 0);
        free(copy);
    }
}

static void check_image(const char *name)
{
    static image im;
    read_image(&im, name);
    tried = accepted = 0;
    check_words(&im);
    check_pair(&im, AT_FEATURES); /* and scores */
    check_pair(&im, AT_SLOTS);    /* and entries of the log */
    printf("%-16s %4u bytes, %6u changed, %6u of them accepted\n", name, (unsigned)im.size, (unsigned)tried,
           (unsigned)accepted);
    CHECK(accepted > 0 && accepted < tried);
}

int main(void)
{
    static const char *const name[] = {
        "linear",      "linear-3",    "perceptron", "perceptron-3",  "averaged",     "batch",      "winnow",
        "balanced",    "arow",        "following",  "ilinear",       "ilinear-8",    "ilinear-16", "iaveraged",
        "iperceptron", "forgetron",   "oldest",     "polynomial",    "random-3",     "rbf-3",      "scaler",
        "projectron",  "calibration", "regrowing",  "calibration-3", "scaler-window"};
    size_t i;
    for (i = 0; i < LENGTH(name); i++) check_image(name[i]);
    check_many_scores();
    return report();
}
