/* Model files of the program, with the checksums of image and section repaired: each is refused with a sentence, or
 * gives a model that predicts, goes on learning and is saved. Input: 4 bytes that choose, the image, the section
 * without its end. The image is stored plain or packed. The input as packed words is unpacked if it can be. */
#include "program.h"
#include "../bytes.h"

enum { CHOICES = 4, STORED = 16, END = 12, MOST_FEATURES = 4096, ROWS = 3 };

/* The path of a file of image, section and the section's end. how: 0 for the image as it is, 1 for it as it is behind a
 * head, 2 for it packed. */
static const char *write_model(const uint8_t *image, size_t image_size, const uint8_t *section, size_t section_size,
                               unsigned how)
{
    static uint8_t file[STORED + PACKED_MOST(8192) + END];
    if (how > 0) {
        memcpy(file, "PCNM", 4);
        put_word(file, 4, how - 1);
        put_word(file, 8, (uint32_t)image_size);
        put_word(file, 12, 0);
    }
    if (how == 2) {
        image_size = STORED + pack_words(image, image_size, file + STORED);
    } else {
        memcpy(file + (how ? STORED : 0), image, image_size);
        image_size += how ? STORED : 0;
    }
    memcpy(file + image_size, section, section_size);
    put_word(file, image_size + section_size, pcn_crc32(0, section, section_size));
    put_word(file, image_size + section_size + 4, (uint32_t)section_size);
    put_word(file, image_size + section_size + 8, 0x504e4350u);
    return write_input(file, image_size + section_size + END);
}

/* Rows of ones: predicted, and learned from if the model can learn. */
static void use_model(model *m, uint8_t choice)
{
    pcn_learner *l = model_learner(m);
    uint32_t features = model_features(m), i, classes = labels_count(&m->labels);
    float *score = floats((size_t)ROWS * l->scores), *value = floats(features);
    pcn_vec x[ROWS];
    for (i = 0; i < features; i++) value[i] = float_of_byte((uint8_t)(i * 7 + choice));
    x[0] = pcn_dense(value, features);
    x[1] = pcn_dense(value, features / 2);
    x[2] = pcn_dense(NULL, 0);
    for (i = 0; i < 2; i++) model_normalize(m, &x[1], value);
    model_use(m, NULL);
    model_scores(m, x, ROWS, score);
    for (i = 0; i < ROWS; i++) MUST(model_class(m, score + (size_t)i * l->scores) < classes);
    for (i = 0; i < ROWS && !m->frozen; i++) {
        int y = (int)((choice + i) % classes);
        if (model_vectors(m))
            pcn_kperceptron_learn(&m->dual, x[i], y);
        else
            pcn_perceptron_learn(&m->trainer, x[i], y);
    }
    free(score), free(value);
}

/* What is written must be a model again. */
static void save_model(const model *m)
{
    output o;
    FILE *to = tmpfile();
    MUST(to);
    memset(&o, 0, sizeof o);
    o.file = to;
    if (!m->frozen) MUST(model_save(m, NULL, &o) > END);
    fclose(to);
}

/* What can be unpacked becomes the same words when it is packed again. */
static void unpack(const uint8_t *bytes, size_t size, size_t words)
{
    const uint8_t *end = unpack_words(bytes, bytes + size, NULL, 4 * words);
    uint8_t *plain, *packed, *again;
    if (!end) return;
    plain = allocate_zero(4 * words + 1, 1);
    again = allocate_zero(4 * words + 1, 1);
    packed = allocate(PACKED_MOST(4 * words), 1);
    MUST(end <= bytes + size && unpack_words(bytes, end, plain, 4 * words) == end);
    size = pack_words(plain, 4 * words, packed);
    MUST(size <= PACKED_MOST(4 * words) && unpack_words(packed, packed + size, again, 4 * words) == packed + size);
    MUST(memcmp(plain, again, 4 * words) == 0);
    free(plain), free(packed), free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static failure stop;
    static model m;
    uint64_t length;
    uint8_t *copy;
    pcn_image i;
    if (size < CHOICES + 68 || size > 8192) return 0;
    bytes += CHOICES, size -= CHOICES;
    unpack(bytes, size, bytes[-3] | (size_t)bytes[-4] << 8);
    length = pcn_image_size(bytes, size);
    if (length < 68 || length > size) return 0;
    copy = (uint8_t *)copy_of(bytes, size);
    put_checksum(copy, (size_t)length);
    if (pcn_image_read(&i, copy, (size_t)length) == PCN_OK && i.features <= MOST_FEATURES && i.scores <= 256) {
        const char *path = write_model(copy, (size_t)length, copy + length, size - (size_t)length, bytes[-1] / 2 % 3u);
        memset(&m, 0, sizeof m);
        failing = &stop;
        if (setjmp(stop.back) == 0) {
            model_open(&m, path);
            model_load(&m, bytes[-1] & 1);
            use_model(&m, bytes[-2]);
            save_model(&m);
            model_free(&m);
        } else {
            check_refusal(&stop);
        }
        failing = NULL;
    }
    free(copy);
    return 0;
}
