/* The firmware's flash pages, factory model, learning and printing on this machine, for firmware.sh. */
#include "activity_model.h"
#include "device.h"
#include "print.h"
#include "test.h"

#include <string.h>

void board_put(char c);

#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum { LABELS = 1500, IMAGE = 4 * STATE_HEAD };

uint32_t flash_memory[FLASH_PAGES][FLASH_PAGE / 4];
static uint32_t kept[FLASH_PAGES][FLASH_PAGE / 4]; /* two complete states: page 1 is newer */
static uint32_t older, newer;                      /* and their sums */
static size_t length;
static device d;

static uint8_t *page(int p)
{
    return (uint8_t *)flash_memory[p];
}

static uint32_t sum(const device *x)
{
    static uint8_t image[FLASH_PAGE];
    size_t size = pcn_perceptron_save(&x->trainer, 0, image, sizeof image);
    return pcn_crc32(pcn_crc32(0, image, size), &x->error_rate, sizeof x->error_rate);
}

/* After a reset nothing is left but flash. */
static int start(void)
{
    memset(&d, 0x55, sizeof d);
    return device_start(&d, activity_image.byte, sizeof activity_image.byte);
}

static int is_state(int p, uint32_t state)
{
    return start() == PCN_OK && d.store.page == p && d.learning && sum(&d) == state;
}

static int is_factory(void)
{
    return start() == PCN_OK && d.store.page == -1 && !d.learning && d.error_rate == 0 && d.now == &d.factory &&
           (const unsigned char *)d.factory.weight == activity_image.byte + 64 &&
           memcmp(d.weight, d.factory.weight, sizeof(float) * 13 * 4) == 0;
}

/* The labelled windows of a device that has been turned. */
static const float *row(int i, int *label)
{
    static float feature[LABELS][ACTIVITY_COUNT];
    static int what[LABELS], made;
    static uint32_t number;
    activity_window w;
    for (; made <= i; made++) {
        while (!activity_is_told(number)) number++;
        what[made] = (int)activity_make(number++, &w);
        activity_turn(&w);
        activity_features(&w, feature[made]);
    }
    *label = what[i];
    return feature[i];
}

static int learn(device *x, int from, int to)
{
    int label, errors = 0;
    for (; from < to; from++) {
        const float *feature = row(from, &label);
        errors += device_label(x, feature, label) < 0;
    }
    return errors;
}

static void erase(void)
{
    flash_supply = UINT32_MAX;
    flash_erase(0);
    flash_erase(1);
}

static void restore(void)
{
    flash_supply = UINT32_MAX;
    memcpy(flash_memory, kept, sizeof kept);
}

static void make_states(void)
{
    int i;
    erase();
    CHECK(is_factory() && d.store.result[0] == STATE_NONE && d.store.result[1] == STATE_NONE);
    CHECK(device_save(&d) == 0);
    CHECK(learn(&d, 0, 600) == 0 && device_save(&d) == 1 && d.store.page == 0);
    older = sum(&d);
    CHECK(learn(&d, 600, 800) == 0 && device_save(&d) == 1 && d.store.page == 1);
    CHECK(d.store.result[0] == STATE_OLDER && d.store.result[1] == PCN_OK && d.store.sequence == 2);
    newer = sum(&d);
    length = pcn_perceptron_save(&d.trainer, 0, NULL, 0);
    memcpy(kept, flash_memory, sizeof kept);
    for (i = 3; i < 7; i++) CHECK(kept[0][i] == UINT32_MAX);
    CHECK(older != newer && length == pcn_crc32(0, NULL, 0) + 64 + 4 * 3 * 52 + 4);
    CHECK(is_state(1, newer) && d.store.result[0] == STATE_OLDER && d.store.result[1] == PCN_OK);
}

/* ---- Damage ---- */

/* Of the version only bit 0 gives an older one; kinds 3 to 5 are other models, whatever follows, and no more are
 * known; of the parts bits 0 to 12 are known. */
static int expected_of(size_t byte, int bit, uint32_t kind)
{
    size_t at = byte - IMAGE;
    if (byte < IMAGE) return STATE_NONE;
    if (at / 4 == 1) return at == 4 && bit == 0 ? PCN_EIMAGE : PCN_EVERSION;
    if (at / 4 == 2) kind ^= (uint32_t)1 << (8 * (at - 8) + (size_t)bit);
    if (at / 4 == 2) return kind > 5 ? PCN_EVERSION : kind >= 3 ? PCN_EMATCH : PCN_EIMAGE;
    return at / 4 == 3 && 8 * (at - 12) + (size_t)bit >= 13 ? PCN_EVERSION : PCN_EIMAGE;
}

static void flipped_bits(void)
{
    size_t byte;
    int bit, wrong = 0, harmless = 0;
    for (byte = 0; byte < FLASH_PAGE; byte++)
        for (bit = 0; bit < 8; bit++) {
            restore();
            page(1)[byte] ^= (uint8_t)(1 << bit);
            if (byte >= IMAGE + length)
                harmless += is_state(1, newer);
            else
                wrong += !is_state(0, older) || d.store.result[1] != expected_of(byte, bit, PCN_KIND_PERCEPTRON);
        }
    CHECK(wrong == 0);
    CHECK((size_t)harmless == 8 * (FLASH_PAGE - IMAGE - length));
}

/* From every byte on, and up to every byte, erased: a write, or the erase before it, that ended early. */
static void cut_pages(void)
{
    size_t byte;
    int wrong = 0;
    for (byte = 0; byte < FLASH_PAGE; byte++) {
        int same;
        restore();
        memset(page(1) + byte, 0xff, FLASH_PAGE - byte);
        same = memcmp(page(1), kept[1], FLASH_PAGE) == 0;
        wrong += same != (byte >= IMAGE + length);
        wrong += !(same ? is_state(1, newer) : is_state(0, older));
        restore();
        memset(page(1), 0xff, byte + 1);
        wrong += !is_state(0, older);
    }
    CHECK(wrong == 0);
}

/* A shorter image is refused; what lies behind a whole one is not looked at. */
static void cut_images(void)
{
    static uint8_t image[FLASH_PAGE], again[FLASH_PAGE];
    size_t size;
    int wrong = 0;
    restore();
    start();
    memcpy(image, page(0) + IMAGE, sizeof image - IMAGE);
    for (size = 0; size < length; size++) wrong += pcn_perceptron_load(&d.trainer, image, size) != PCN_EIMAGE;
    CHECK(wrong == 0 && sum(&d) == newer && pcn_image_size(image, 64) == length);
    for (; size <= sizeof image - IMAGE; size++) {
        start();
        wrong += sum(&d) != newer || pcn_perceptron_load(&d.trainer, image, size) != PCN_OK;
        wrong += pcn_perceptron_save(&d.trainer, 0, again, sizeof again) != length;
        wrong += memcmp(again, image, length) != 0;
    }
    CHECK(wrong == 0);
}

/* Power fails after every word; the device starts again, learns again and saves. */
static void power(void)
{
    uint32_t supply, next, words = STATE_HEAD + STATE_HEAD * (uint32_t)((length + IMAGE - 1) / IMAGE);
    int wrong = 0, result = 0;
    for (supply = 0; supply <= words; supply++) {
        restore();
        start();
        learn(&d, 800, 900);
        next = sum(&d);
        flash_supply = supply;
        result = device_save(&d);
        flash_supply = UINT32_MAX;
        if (result == 1) break;
        wrong += result != STATE_EFLASH || d.store.result[0] != result;
        wrong += d.store.page != 1 || sum(&d) != next;
        wrong += !is_state(1, newer);
        learn(&d, 800, 900);
        wrong += sum(&d) != next || device_save(&d) != 1 || !is_state(0, next);
    }
    CHECK(wrong == 0);
    CHECK(result == 1 && supply == words && is_state(0, next));
}

/* Writes an image's version, and its checksum anew. */
static void set_version(uint32_t *image, size_t size, uint32_t version)
{
    image[1] = version;
    image[size / 4 - 1] = pcn_crc32(0, image, size - 4);
}

static void newer_versions(void)
{
    static const uint32_t version[] = {2, 3, 0x80000001u, UINT32_MAX};
    size_t i;
    int p;
    for (i = 0; i < LENGTH(version); i++) {
        restore();
        set_version(flash_memory[1] + STATE_HEAD, length, version[i]);
        CHECK(is_state(0, older) && d.store.result[1] == PCN_EVERSION);
    }
    set_version(flash_memory[0] + STATE_HEAD, length, 2);
    CHECK(is_factory() && d.store.result[0] == PCN_EVERSION && d.store.result[1] == PCN_EVERSION);
    for (p = 0; p < 2; p++) { /* the state of the newer version stays, that of this program is used */
        restore();
        set_version(flash_memory[p] + STATE_HEAD, length, 2);
        flash_erase(!p);
        memcpy(kept[p], flash_memory[p], FLASH_PAGE);
        CHECK(is_factory() && d.store.result[p] == PCN_EVERSION);
        CHECK(learn(&d, 0, 100) == 0 && device_save(&d) == 1 && d.store.page == !p);
        CHECK(memcmp(kept[p], flash_memory[p], FLASH_PAGE) == 0 && is_state(!p, sum(&d)));
        make_states();
    }
}

static void both_damaged(void)
{
    restore();
    page(0)[IMAGE + 100] ^= 4;
    page(1)[IMAGE + 100] ^= 4;
    CHECK(is_factory() && d.store.result[0] == PCN_EIMAGE && d.store.result[1] == PCN_EIMAGE);
    CHECK(learn(&d, 0, 100) == 0 && d.learning && device_save(&d) == 1 && is_state(d.store.page, sum(&d)));
}

static void other_shape(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(77, 3)];
    pcn_perceptron m;
    restore();
    start();
    CHECK(pcn_perceptron_init(&m, 5, 4, memory, sizeof memory) == PCN_OK);
    CHECK(state_save(&d.store, &m, 0) == PCN_OK && d.store.page == 0);
    CHECK(is_state(1, newer) && d.store.result[0] == PCN_EMATCH);
    restore();
    start();
    CHECK(pcn_perceptron_init(&m, 77, 3, memory, sizeof memory) == PCN_OK);
    CHECK(state_save(&d.store, &m, 0) == PCN_EFULL && memcmp(flash_memory, kept, sizeof kept) == 0);
    CHECK(pcn_perceptron_init(&m, 76, 3, memory, sizeof memory) == PCN_OK); /* 64 + 4 * 77 * 3 + 4: a full page */
    CHECK(state_save(&d.store, &m, 0) == PCN_OK && flash_memory[0][1] == FLASH_PAGE - IMAGE);
    CHECK(is_state(1, newer) && d.store.result[0] == PCN_EMATCH);
}

/* A head that is whole but promises more than a page holds. */
static void too_long(void)
{
    const uint32_t size[] = {FLASH_PAGE - IMAGE + 1, FLASH_PAGE, 0x80000000u, UINT32_MAX};
    size_t i;
    for (i = 0; i < LENGTH(size); i++) {
        restore();
        flash_memory[1][1] = size[i];
        flash_memory[1][7] = pcn_crc32(0, page(1), 28);
        CHECK(is_state(0, older) && d.store.result[1] == STATE_NONE);
    }
    restore(); /* more than the image has, but not more than the page */
    flash_memory[1][1] = FLASH_PAGE - IMAGE;
    flash_memory[1][7] = pcn_crc32(0, page(1), 28);
    CHECK(is_state(1, newer));
}

/* ---- The factory model ---- */

static int start_with(const void *image, size_t size)
{
    return device_start(&d, image, size);
}

static void factory_image(void)
{
    enum { SIZE = sizeof activity_image.byte };
    static union {
        uint8_t byte[SIZE];
        uint32_t word[SIZE / 4];
    } image;
    pcn_linear small;
    size_t i;
    int bit, wrong = 0;
    restore();
    memcpy(image.byte, activity_image.byte, SIZE);
    CHECK(start_with(image.byte, SIZE) == PCN_OK);
    for (i = 0; i < SIZE; i++)
        for (bit = 0; bit < 8; bit++) {
            image.byte[i] ^= (uint8_t)(1 << bit);
            wrong += start_with(image.byte, SIZE) != expected_of(IMAGE + i, bit, PCN_KIND_LINEAR);
            image.byte[i] ^= (uint8_t)(1 << bit);
        }
    for (i = 0; i < SIZE; i++) wrong += start_with(image.byte, i) != PCN_EIMAGE;
    CHECK(wrong == 0);
    set_version(image.word, SIZE, 2);
    CHECK(start_with(image.byte, SIZE) == PCN_EVERSION);
    start();
    small = d.factory;
    small.features = 11;
    CHECK(start_with(image.byte, pcn_linear_save(&small, 0, image.byte, SIZE)) == PCN_EMATCH);
}

/* ---- Going on ---- */

/* Flash is worn only by news: a save with nothing new writes nothing. */
static void nothing_new(void)
{
    int i, quiet = 0, wrong = 0;
    restore();
    start();
    CHECK(device_save(&d) == 0 && memcmp(flash_memory, kept, sizeof kept) == 0);
    for (i = 800; i < 1000; i++) {
        uint32_t sequence = d.store.sequence, news;
        learn(&d, i, i + 1);
        news = d.unsaved != 0;
        quiet += !news;
        wrong += device_save(&d) != (int)news || d.store.sequence != sequence + news || d.unsaved != 0;
    }
    CHECK(wrong == 0 && quiet > 100 && quiet < 195);
}

static void resets(void)
{
    static device straight;
    int i, wrong = 0;
    erase();
    start();
    learn(&d, 0, 600);
    device_start(&straight, activity_image.byte, sizeof activity_image.byte);
    learn(&straight, 0, 600);
    for (i = 600; i < LABELS; i += 50) {
        learn(&d, i, i + 50);
        learn(&straight, i, i + 50);
        wrong += state_save(&d.store, &d.trainer, d.error_rate) != PCN_OK || start() != PCN_OK;
        wrong += sum(&d) != sum(&straight);
        wrong += memcmp(d.now->weight, straight.now->weight, sizeof d.mean[0]) != 0;
    }
    CHECK(wrong == 0);
}

static void sequence_wraps(void)
{
    int i;
    erase();
    start();
    d.store.sequence = UINT32_MAX - 3;
    for (i = 0; i < 8; i++) {
        uint32_t state;
        learn(&d, 800 + 10 * i, 810 + 10 * i);
        state = sum(&d);
        CHECK(state_save(&d.store, &d.trainer, d.error_rate) == PCN_OK && is_state(d.store.page, state));
        CHECK(d.store.page == (i & 1) && d.store.sequence == UINT32_MAX - 2 + (uint32_t)i);
    }
}

static void bad_labels(void)
{
    const uint32_t bits[] = {0x7fc00000u, 0x7f800000u, 0xff800000u};
    float feature[ACTIVITY_COUNT];
    size_t i;
    int label;
    restore();
    start();
    memcpy(feature, row(0, &label), sizeof feature);
    CHECK(device_label(&d, feature, -1) == PCN_ELABEL && device_label(&d, feature, 4) == PCN_ELABEL);
    for (i = 0; i < LENGTH(bits); i++) {
        memcpy(&feature[5], &bits[i], 4);
        CHECK(device_label(&d, feature, label) == PCN_EVALUE);
    }
    CHECK(sum(&d) == newer && d.unsaved == 0 && d.trainer.learner.refused == LENGTH(bits));
    erase();
    start();
    feature[5] = 0;
    CHECK(device_label(&d, feature, -1) == PCN_ELABEL && device_label(&d, feature, 4) == PCN_ELABEL);
    CHECK(is_factory() && !d.unsaved);
}

/* The device predicts by the factory model, later by the mean, and notices drift: 9 errors in a row make
 * 1 - (31/32)^9 = 0.2486, 10 make 0.2721, which is above a quarter. */
static void drift(void)
{
    const float *feature;
    int label, i, wrong = 0;
    erase();
    start();
    for (i = 0; i < 100; i++) {
        feature = row(i, &label);
        wrong += device_label(&d, feature, device_classify(&d, feature)) != 0 || d.error_rate != 0;
        wrong += device_classify(&d, feature) != pcn_linear_predict(&d.factory, pcn_dense(feature, 12));
    }
    feature = row(0, &label);
    label = (device_classify(&d, feature) + 1) % 4;
    for (i = 1; i < 10; i++) wrong += device_label(&d, feature, label) != 0 || d.learning;
    CHECK(wrong == 0 && device_label(&d, feature, label) == 1);
    CHECK(d.learning && d.error_rate == 0 && d.unsaved == 1 && d.now == &d.model[0]);
    learn(&d, 0, 1000);
    for (i = 0; i < 100; i++) {
        pcn_linear mean;
        float out[PCN_LINEAR_FLOATS(12, 4)];
        feature = row(i, &label);
        wrong += pcn_perceptron_final(&d.trainer, &mean, out, sizeof out) != PCN_OK;
        wrong += device_classify(&d, feature) != pcn_linear_predict(&mean, pcn_dense(feature, 12));
        wrong += memcmp(out, d.now->weight, sizeof out) != 0;
    }
    CHECK(wrong == 0);
}

/* ---- Parts ---- */

static void flash(void)
{
    const uint32_t some[2] = {0xf0f0f0f0u, 0}, less = 0xf0000000u, more = 0xf1000000u;
    erase();
    CHECK(flash_erase(1) == 0);
    CHECK(flash_program(1, 8, some, 2) == 0 && flash_memory[1][2] == some[0] && flash_memory[1][3] == 0);
    CHECK(flash_program(1, 8, &less, 1) == 0 && flash_program(1, 8, &more, 1) == -1);
    CHECK(flash_memory[1][2] == less && flash_memory[1][1] == UINT32_MAX && flash_memory[1][4] == UINT32_MAX);
    flash_supply = 0;
    CHECK(flash_erase(1) == -1 && flash_program(0, 0, &less, 1) == -1 && flash_memory[0][0] == UINT32_MAX);
}

static void features(void)
{
    activity_window w;
    float f[ACTIVITY_COUNT];
    uint32_t number, seen[ACTIVITIES] = {0}, told = 0;
    int i, wrong = 0;
    for (i = 0; i < ACTIVITY_SAMPLES; i++) {
        w.sample[i][0] = -1024;                         /* constant */
        w.sample[i][1] = (int16_t)(i % 2 ? 512 : -512); /* alternating */
        w.sample[i][2] = (int16_t)(i < 32 ? 256 : 768); /* a step */
    }
    activity_features(&w, f);
    CHECK(f[0] == -1 && f[1] == 0 && f[2] == 0 && f[3] == 0);
    CHECK(f[4] == 0 && f[5] == 1 && f[6] == 4 && f[7] == 63 / 32.0f);
    CHECK(f[8] == 0.5f && f[9] == 0.5f && f[10] == 8 / 256.0f && f[11] == 1 / 32.0f);
    activity_turn(&w);
    CHECK(w.sample[0][0] == 192 && w.sample[0][1] == 768 && w.sample[0][2] == -384);
    for (number = 0; number < 4000; number++) {
        seen[activity_make(number, &w)]++;
        told += (uint32_t)activity_is_told(number);
        activity_features(&w, f);
        for (i = 0; i < ACTIVITY_COUNT; i++) wrong += !(f[i] > -3 && f[i] < 3);
    }
    for (i = 0; i < ACTIVITIES; i++) wrong += seen[i] < 800;
    CHECK(wrong == 0 && told > 900 && told < 1100);
}

static char text[100];

void board_put(char c)
{
    size_t n = strlen(text);
    if (n < sizeof text - 1) text[n] = c;
}

static void printing(void)
{
    char expected[100];
    const uint32_t number[] = {UINT32_MAX, 42, 0, 7, 1234, 0x1a2b, 986, 986, 7};
    print("%u|%9u|%0u|%3u|%3u|%x|%t|%5t|%t|%s|%%", number[0], number[1], number[2], number[3], number[4], number[5],
          number[6], number[7], number[8], "text");
    snprintf(expected, sizeof expected, "%lu|%9d|0|%3d|%3d|%08x|%.1f|%5.1f|%.1f|%s|%%", 4294967295ul, 42, 7, 1234,
             0x1a2bu, 98.6, 98.6, 0.7, "text");
    CHECK(strcmp(text, expected) == 0);
    CHECK(strcmp(state_text(STATE_EFLASH), "flash cannot be written") == 0);
    CHECK(strcmp(state_text(PCN_EIMAGE), pcn_error_text(PCN_EIMAGE)) == 0);
}

int main(void)
{
    make_states();
    flipped_bits();
    cut_pages();
    cut_images();
    power();
    newer_versions();
    both_damaged();
    other_shape();
    too_long();
    factory_image();
    nothing_new();
    resets();
    sequence_wraps();
    bad_labels();
    drift();
    flash();
    features();
    printing();
    return report();
}
