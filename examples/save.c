/* build with: cc -std=c99 -O2 -I. examples/save.c -o build/save
 *
 * Save, stop, load, go on. A trainer learns 1000 rows, and its image goes to a file. Then it learns 1000
 * rows more. A second trainer loads the file and learns the same 1000. Both end with the same bits. Images
 * are the same on every machine, so the checksums below are too.
 * save [FILE] writes to FILE instead of build/save.image.
 *
 * It prints:
 *
 *     saved after              1000 rows,  329 updates, 176 bytes, checksum b6501b0e
 *     uninterrupted            2000 rows,  601 updates, 176 bytes, checksum 2fea6f40
 *     the file has             kind 2, 8 features, 2 classes
 *     loaded, gone on          2000 rows,  601 updates, 176 bytes, checksum 2fea6f40
 *     both images are equal
 *     its mean, in place       1000 of 1000 scores are the trainer's
 *     with one bit changed     not an image, cut short, or damaged
 *     the trainer still has    2000 rows,  601 updates, 176 bytes, checksum 2fea6f40
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"
#include <string.h>

enum { FEATURES = 8, ROWS = 1000 };
enum { BYTES = PCN_PERCEPTRON_IMAGE(FEATURES, 2, PCN_PART_SUMS) };

/* A trainer and its arrays. */
typedef struct trainer {
    float memory[PCN_PERCEPTRON_FLOATS(FEATURES, 2)], sum[PCN_AVERAGING_FLOATS(FEATURES, 2)];
    pcn_perceptron m;
} trainer;

/* Settings belong to the program: no image has the margin, so every start sets it. */
static void begin(trainer *t)
{
    must(pcn_perceptron_init(&t->m, FEATURES, 2, t->memory, sizeof t->memory));
    must(pcn_perceptron_use_averaging(&t->m, t->sum, sizeof t->sum));
    t->m.learner.rule = pcn_rule_fixed(0.1f);
    t->m.learner.rule.margin = 0.5f;
}

/* Row number `row` of the stream: eight numbers from -1 to 1. They have 8 bits, so that the products below
 * are exact on every machine. Returns the class. */
static int make_row(uint32_t row, float *x)
{
    uint32_t state = row * 2654435761u + 1;
    for (int j = 0; j < FEATURES; j++) {
        state = state * 1664525u + 1013904223u;
        x[j] = (float)(state >> 24) / 128.0f - 1;
    }
    return x[0] + 0.5f * x[1] - x[2] * x[3] > 0.2f;
}

static void learn(trainer *t, uint32_t first)
{
    for (uint32_t row = first; row < first + ROWS; row++) {
        float x[FEATURES];
        int y = make_row(row, x);
        must(pcn_perceptron_learn(&t->m, pcn_dense(x, FEATURES), y));
    }
}

static size_t save(const trainer *t, void *image)
{
    size_t size = pcn_perceptron_save(&t->m, image, BYTES);
    if (size == 0) fputs("the trainer cannot be saved\n", stderr), exit(1);
    return size;
}

static void report(const char *what, const trainer *t, const void *image, size_t size)
{
    printf("%-24s %4d rows, %4d updates, %d bytes, checksum %08lx\n", what, (int)t->m.learner.count.rows,
           (int)t->m.learner.count.updates, (int)size, (unsigned long)pcn_crc32(0, image, size - 4));
}

int main(int argc, char **argv)
{
    static trainer one, two, three;
    static uint32_t image[BYTES / 4], loaded[BYTES / 4], whole[BYTES / 4], resumed[BYTES / 4]; /* aligned */
    const char *file = argc > 1 ? argv[1] : "build/save.image";
    static float mean[PCN_LINEAR_FLOATS(FEATURES, 2)];
    pcn_linear predicts, frozen;
    static pcn_image info;
    FILE *f;
    int same = 0;

    /* Learn, and save to a file. */
    begin(&one);
    learn(&one, 0);
    size_t size = save(&one, image);
    report("saved after", &one, image, size);
    f = fopen(file, "wb");
    if (!f) return perror(file), 3;
    fwrite(image, 1, size, f);
    if (ferror(f) || fclose(f)) return perror(file), 3;

    /* The first trainer goes on. */
    learn(&one, ROWS);
    size_t whole_size = save(&one, whole);
    report("uninterrupted", &one, whole, whole_size);

    /* Another program reads the file. The image says what it is; load checks that it is sound. */
    f = fopen(file, "rb");
    if (!f) return perror(file), 3;
    size = fread(loaded, 1, sizeof loaded, f);
    fclose(f);
    must(pcn_image_read(&info, loaded, size));
    printf("the file has             kind %d, %d features, %d classes\n", (int)info.kind, (int)info.features,
           (int)PCN_CLASSES(info.scores));
    begin(&two);
    must(pcn_perceptron_load(&two.m, loaded, size));
    learn(&two, ROWS);
    size_t resumed_size = save(&two, resumed);
    report("loaded, gone on", &two, resumed, resumed_size);
    if (resumed_size != whole_size || memcmp(whole, resumed, whole_size) != 0) return 1;
    printf("both images are equal\n");

    /* The mean predicts, so its image is the one to open, not the trainer's. Opened in place: the model reads its
     * weights in the image, and nothing is copied. A big-endian machine cannot do so. It loads. */
    must(pcn_perceptron_final(&one.m, &predicts, mean, sizeof mean));
    whole_size = pcn_linear_save(&predicts, whole, sizeof whole); /* 0: it does not fit; open then says so */
    int opened = pcn_linear_open(&frozen, whole, whole_size);
    if (opened == PCN_EALIGN) {
        begin(&three);
        must(pcn_perceptron_load(&three.m, whole, whole_size));
        frozen = three.m.live;
    } else {
        must(opened);
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        float x[FEATURES];
        make_row(row, x);
        same += pcn_linear_score(&frozen, pcn_dense(x, FEATURES)) ==
                pcn_linear_score(&predicts, pcn_dense(x, FEATURES));
    }
    printf("its mean, in place       %d of %d scores are the trainer's\n", same, ROWS);

    /* One wrong bit is found. After the error the trainer is what it was. */
    loaded[20] ^= 1;
    printf("with one bit changed     %s\n", pcn_error_text(pcn_perceptron_load(&two.m, loaded, size)));
    report("the trainer still has", &two, resumed, save(&two, resumed));
}
