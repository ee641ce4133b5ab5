/* The firmware's flash pages, factory images, learning and printing on this machine, for firmware.sh. */
#include "activity_model.h"
#include "device.h"
#include "print.h"
#include "test.h"

#include <string.h>

void board_put(char c);

enum { LABELS = 1500, IMAGE = 4 * STATE_HEAD, NEXT = 2 % FLASH_PAGES }; /* NEXT: the page behind page 1 */

uint32_t flash_memory[FLASH_PAGES][FLASH_PAGE / 4];
static uint32_t kept[FLASH_PAGES][FLASH_PAGE / 4]; /* two complete states: page 1 is newer; other pages are erased */
static uint32_t older, newer;                      /* and their sums */
static size_t trainer_length, length;              /* of its image, and of both */
static device d;

static uint8_t *page(int p)
{
    return (uint8_t *)flash_memory[p];
}

/* Of both images without their checksums: that of an image with its own says only how long it is. */
static uint32_t sum(const device *x)
{
    static uint8_t image[FLASH_PAGE];
    size_t size = pcn_perceptron_save(&x->trainer, image, sizeof image) - 4;
    size += pcn_scaler_save(&x->scaler, image + size, sizeof image - size) - 4;
    return pcn_crc32(0, image, size);
}

/* After a reset nothing is left but flash. */
static int start(void)
{
    memset(&d, 0x55, sizeof d);
    return device_start(&d, activity_factory.byte, sizeof activity_factory.byte);
}

static int is_state(int p, uint32_t state)
{
    return start() == PCN_OK && d.store.page == p && sum(&d) == state;
}

/* All numbers are those of the factory, and so are those of the model that it has folded. */
static int is_factory(void)
{
    const uint8_t *scaler = activity_factory.byte + sizeof activity_factory.byte - PCN_SCALER_IMAGE(12);
    return start() == PCN_OK && d.store.page == -1 &&
           memcmp(d.weight, activity_factory.byte + 64, sizeof(float) * 13 * 4) == 0 &&
           memcmp(d.sum, activity_factory.byte + 64 + sizeof(float) * 13 * 4, sizeof d.sum) == 0 &&
           memcmp(d.moment, scaler + 64, sizeof d.moment) == 0 &&
           memcmp(d.raw[d.now], activity_model.byte + 64, sizeof d.raw[0]) == 0;
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
    int p;
    flash_supply = UINT32_MAX;
    for (p = 0; p < FLASH_PAGES; p++) flash_erase(p);
}

static void restore(void)
{
    flash_supply = UINT32_MAX;
    flash_torn.page = -1;
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
    trainer_length = pcn_perceptron_save_part(&d.trainer, 0, NULL, 0);
    length = trainer_length + pcn_scaler_save_part(&d.scaler, 0, NULL, 0);
    memcpy(kept, flash_memory, sizeof kept);
    for (i = 2; i < 7; i++) CHECK(kept[0][i] == UINT32_MAX);
    CHECK(older != newer && trainer_length == 64 + 4 * 3 * 52 + 4 && length == trainer_length + 68 + 20 * 12);
    CHECK(is_state(1, newer) && d.store.result[0] == STATE_OLDER && d.store.result[1] == PCN_OK);
}

/* ---- Damage ---- */

/* Of the version only bit 0 gives an older one; kinds 3 to 7 are known, but neither a trainer nor a frozen model, and
 * above there are none; of the parts bits 0 to 14 are known. */
static int expected_of(size_t byte, int bit)
{
    const int scaler = byte >= trainer_length;
    const size_t at = scaler ? byte - trainer_length : byte;
    const uint32_t kind = (scaler ? 7u : 2u) ^ (at / 4 == 2 ? (uint32_t)1 << (8 * (at - 8) + (size_t)bit) : 0);
    if (at / 4 == 1) return at == 4 && bit == 0 ? PCN_EIMAGE : PCN_EVERSION;
    if (at / 4 == 2) return kind > 7 ? PCN_EVERSION : kind >= 3 ? PCN_EMATCH : PCN_EIMAGE;
    return at / 4 == 3 && 8 * (at - 12) + (size_t)bit >= 15 ? PCN_EVERSION : PCN_EIMAGE;
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
                wrong += !is_state(0, older) ||
                         d.store.result[1] != (byte < IMAGE ? STATE_NONE : expected_of(byte - IMAGE, bit));
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

/* What cannot be read, though it stands there: of the newer page, and where its writing or an erase was cut off. */
static void unreadable(void)
{
    size_t word;
    int wrong = 0;
    for (word = 0; word < FLASH_PAGE / 4; word++) {
        const int used = 4 * word < IMAGE + (length + IMAGE - 1) / IMAGE * IMAGE; /* read 32 bytes at a time */
        restore();
        flash_torn.page = 1, flash_torn.word = word;
        wrong += used ? !is_state(0, older) : !is_state(1, newer);
        wrong += d.store.result[1] != (!used ? PCN_OK : word < STATE_HEAD ? STATE_NONE : PCN_EIMAGE);
        learn(&d, 800, 810);
        wrong += device_save(&d) != 1 || d.store.page == 1 - used || !is_state(d.store.page, sum(&d));
        restore(); /* an erase of the page that the next save goes to */
        memset(page(NEXT), 0xff, 4 * word);
        flash_torn.page = NEXT, flash_torn.word = word;
        wrong += !is_state(1, newer);
        restore();
        flash_torn.page = 1, flash_torn.word = word; /* nothing else is left */
        flash_erase(0);
        wrong += used ? !is_factory() : !is_state(1, newer);
    }
    CHECK(wrong == 0);
}

/* Of shorter images nothing is used; what lies behind whole ones is not looked at. */
static void cut_images(void)
{
    static uint8_t image[FLASH_PAGE];
    size_t size;
    int wrong = 0;
    restore();
    memcpy(image, page(1) + IMAGE, sizeof image - IMAGE);
    erase();
    for (size = 0; size < length; size++) wrong += device_start(&d, image, size) != PCN_EIMAGE;
    CHECK(wrong == 0 && pcn_image_size(image, 64) == trainer_length);
    CHECK(pcn_image_size(image + trainer_length, 64) == length - trainer_length);
    for (; size <= sizeof image - IMAGE; size++) wrong += device_start(&d, image, size) != PCN_OK || sum(&d) != newer;
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
        wrong += result != STATE_EFLASH || d.store.result[NEXT] != result;
        wrong += d.store.page != 1 || sum(&d) != next;
        wrong += !is_state(1, newer);
        learn(&d, 800, 900);
        wrong += sum(&d) != next || device_save(&d) != 1 || !is_state(NEXT, next);
    }
    CHECK(wrong == 0);
    CHECK(result == 1 && supply == words && is_state(NEXT, next));
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
    const size_t at[] = {STATE_HEAD, STATE_HEAD + trainer_length / 4}; /* of the trainer's image, of the scaler's */
    const size_t size[] = {trainer_length, length - trainer_length};
    size_t i;
    int p, k;
    for (k = 0; k < 2; k++) {
        for (i = 0; i < LENGTH(version); i++) {
            restore();
            set_version(flash_memory[1] + at[k], size[k], version[i]);
            CHECK(is_state(0, older) && d.store.result[1] == PCN_EVERSION);
        }
        set_version(flash_memory[0] + at[k], size[k], 2);
        CHECK(is_factory() && d.store.result[0] == PCN_EVERSION && d.store.result[1] == PCN_EVERSION);
        for (p = 0; p < 2; p++) { /* the state of the newer version stays, that of this program is used */
            restore();
            set_version(flash_memory[p] + at[k], size[k], 2);
            flash_erase(!p);
            memcpy(kept[p], flash_memory[p], FLASH_PAGE);
            CHECK(is_factory() && d.store.result[p] == PCN_EVERSION);
            CHECK(learn(&d, 0, 100) == 0 && device_save(&d) == 1 && d.store.page == !p);
            CHECK(memcmp(kept[p], flash_memory[p], FLASH_PAGE) == 0 && is_state(!p, sum(&d)));
            make_states();
        }
    }
}

/* In the trainers' images, in the scalers', and in one of each: no half of a state is used. */
static void both_damaged(void)
{
    const size_t at[][2] = {{100, 100}, {trainer_length + 100, trainer_length + 100}, {100, trainer_length + 100}};
    size_t i;
    for (i = 0; i < LENGTH(at); i++) {
        restore();
        page(0)[IMAGE + at[i][0]] ^= 4;
        page(1)[IMAGE + at[i][1]] ^= 4;
        CHECK(is_factory() && d.store.result[0] == PCN_EIMAGE && d.store.result[1] == PCN_EIMAGE);
        CHECK(learn(&d, 0, 100) == 0 && device_save(&d) == 1 && is_state(d.store.page, sum(&d)));
    }
}

/* Saves these in the place of the device's own. */
static int save_as(const pcn_perceptron *m, const pcn_scaler *scaler)
{
    const pcn_perceptron trainer = d.trainer;
    const pcn_scaler own = d.scaler;
    int result;
    d.trainer = *m;
    d.scaler = *scaler;
    d.news = 1;
    result = device_save(&d);
    d.trainer = trainer;
    d.scaler = own;
    return result == 1 ? PCN_OK : result;
}

static void other_shape(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(410, 2)], moment[PCN_SCALER_FLOATS(5)];
    pcn_perceptron m;
    pcn_scaler scaler;
    restore();
    start();
    CHECK(pcn_perceptron_init(&m, 5, 4, memory, sizeof memory) == PCN_OK);
    CHECK(save_as(&m, &d.scaler) == PCN_OK && d.store.page == NEXT);
    CHECK(is_state(1, newer) && d.store.result[NEXT] == PCN_EMATCH);
    CHECK(pcn_scaler_init(&scaler, 5, moment, sizeof moment) == PCN_OK);
    CHECK(save_as(&d.trainer, &scaler) == PCN_OK && d.store.page == NEXT);
    CHECK(is_state(1, newer) && d.store.result[NEXT] == PCN_EMATCH);
    restore();
    start();
    CHECK(pcn_perceptron_init(&m, 410, 2, memory, sizeof memory) == PCN_OK);
    CHECK(save_as(&m, &d.scaler) == PCN_EFULL && memcmp(flash_memory, kept, sizeof kept) == 0);
    CHECK(pcn_perceptron_init(&m, 409, 2, memory, sizeof memory) == PCN_OK); /* 64 + 4 * 410 + 4: a full page */
    CHECK(save_as(&m, &d.scaler) == PCN_OK && flash_memory[NEXT][1] == FLASH_PAGE - IMAGE);
    CHECK(is_state(1, newer) && d.store.result[NEXT] == PCN_EMATCH);
}

/* Numbers that no image may have: nothing is written. */
static void bad_numbers(void)
{
    const uint32_t nan = 0x7fc00000u;
    restore();
    start();
    memcpy(&d.moment[7], &nan, 4);
    CHECK(save_as(&d.trainer, &d.scaler) == PCN_EIMAGE && memcmp(flash_memory, kept, sizeof kept) == 0);
    start();
    memcpy(&d.weight[7], &nan, 4);
    CHECK(save_as(&d.trainer, &d.scaler) == PCN_EIMAGE && memcmp(flash_memory, kept, sizeof kept) == 0);
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

/* All pages in use: the newest that load accepts is used, and the next save goes to the page behind it. */
static void all_pages(void)
{
    uint32_t state[FLASH_PAGES];
    int i, used;
    for (used = FLASH_PAGES - 1; used >= -1; used--) { /* what is newer is damaged */
        erase();
        start();
        for (i = 0; i < FLASH_PAGES; i++) {
            learn(&d, 20 * i, 20 * i + 20);
            state[i] = sum(&d);
            CHECK(device_save(&d) == 1 && d.store.page == i);
        }
        for (i = used + 1; i < FLASH_PAGES; i++) page(i)[IMAGE + 100] ^= 4;
        CHECK(used >= 0 ? is_state(used, state[used]) : is_factory());
        for (i = 0; i < FLASH_PAGES; i++)
            CHECK(d.store.result[i] == (i > used ? PCN_EIMAGE : i == used ? PCN_OK : STATE_OLDER));
        learn(&d, 800, 810);
        CHECK(device_save(&d) == 1 && d.store.page == (used + 1) % FLASH_PAGES && is_state(d.store.page, sum(&d)));
    }
}

/* A page that fails is passed over, if there is another. */
static void failing_page(void)
{
    restore();
    start();
    learn(&d, 800, 810);
    flash_supply = 3;
    CHECK(device_save(&d) == STATE_EFLASH && d.store.page == 1);
    flash_supply = UINT32_MAX;
    CHECK(device_save(&d) == 1 && d.store.page == (FLASH_PAGES == 2 ? 0 : 3 % FLASH_PAGES));
    CHECK(is_state(d.store.page, sum(&d)));
}

/* ---- The factory's images ---- */

static void factory_images(void)
{
    enum { SIZE = sizeof activity_factory.byte };
    static union {
        uint8_t byte[SIZE];
        uint32_t word[SIZE / 4];
    } image;
    static float memory[PCN_PERCEPTRON_FLOATS(11, 4)];
    pcn_perceptron small;
    size_t i;
    int bit, wrong = 0;
    memcpy(image.byte, activity_factory.byte, SIZE);
    CHECK(SIZE == length);
    erase();
    for (i = 0; i < SIZE; i++)
        for (bit = 0; bit < 8; bit++) {
            image.byte[i] ^= (uint8_t)(1 << bit);
            wrong += device_start(&d, image.byte, SIZE) != expected_of(i, bit);
            image.byte[i] ^= (uint8_t)(1 << bit);
        }
    for (i = 0; i < SIZE; i++) wrong += device_start(&d, image.byte, i) != PCN_EIMAGE;
    CHECK(wrong == 0);
    set_version(image.word, trainer_length, 2);
    CHECK(device_start(&d, image.byte, SIZE) == PCN_EVERSION);
    CHECK(pcn_perceptron_init(&small, 11, 4, memory, sizeof memory) == PCN_OK);
    CHECK(device_start(&d, image.byte, pcn_perceptron_save(&small, image.byte, SIZE)) == PCN_EMATCH);
    restore(); /* what has been learned needs no factory */
    CHECK(device_start(&d, image.byte, SIZE) == PCN_OK && d.store.page == 1 && sum(&d) == newer);
}

/* ---- Going on ---- */

/* Flash is worn only by news: a save with nothing new writes nothing. */
static void nothing_new(void)
{
    int i, wrong = 0;
    restore();
    start();
    CHECK(device_save(&d) == 0 && memcmp(flash_memory, kept, sizeof kept) == 0);
    for (i = 800; i < 1000; i++) {
        uint32_t sequence = d.store.sequence;
        learn(&d, i, i + 1);
        wrong += device_save(&d) != 1 || device_save(&d) != 0 || d.store.sequence != sequence + 1;
    }
    CHECK(wrong == 0);
}

static void resets(void)
{
    static device straight;
    int i, wrong = 0;
    erase();
    start();
    device_start(&straight, activity_factory.byte, sizeof activity_factory.byte);
    for (i = 0; i < LABELS; i += 50) {
        learn(&d, i, i + 50);
        learn(&straight, i, i + 50);
        wrong += device_save(&d) != 1 || start() != PCN_OK || sum(&d) != sum(&straight);
        wrong += memcmp(d.raw[d.now], straight.raw[straight.now], sizeof d.raw[0]) != 0;
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
        CHECK(save_as(&d.trainer, &d.scaler) == PCN_OK && is_state(d.store.page, state));
        CHECK(d.store.page == i % FLASH_PAGES && d.store.sequence == UINT32_MAX - 2 + (uint32_t)i);
    }
}

static void bad_labels(void)
{
    const uint32_t bits[] = {0x7f800000u, 0xff800000u, 0x5a800000u, 0x7fc00000u}; /* 2^54, NaN */
    float feature[ACTIVITY_COUNT], before[PCN_SCALER_FLOATS(ACTIVITY_COUNT)];
    int label, i;
    restore();
    start();
    memcpy(feature, row(0, &label), sizeof feature);
    CHECK(device_label(&d, feature, -1) == PCN_ELABEL && device_label(&d, feature, 4) == PCN_ELABEL);
    for (i = 0; i < 3; i++) {
        memcpy(&feature[5], &bits[i], 4);
        CHECK(device_label(&d, feature, label) == PCN_EVALUE);
    }
    CHECK(sum(&d) == newer && !d.news);
    memcpy(&feature[5], &bits[3], 4);
    memcpy(before, d.moment, sizeof before);
    CHECK(device_label(&d, feature, label) == PCN_OK && d.news); /* a gap */
    for (i = 0; i < 12; i++) CHECK((before[48 + i] < d.moment[48 + i]) == (i != 5));
}

/* The device predicts as its trainer does of scaled rows, changes over to a model that is complete, and, when the world
 * has changed, follows. */
static void learning(void)
{
    float scaled[ACTIVITY_COUNT], out[PCN_LINEAR_FLOATS(12, 4)];
    pcn_linear model;
    int label, i, wrong = 0, right = 0, last = 0;
    erase();
    start();
    for (i = 0; i < LABELS; i++) {
        const float *feature = row(i, &label);
        const int now = d.now, guess = device_classify(&d, feature);
        pcn_scaler_scale(&d.scaler, feature, scaled);
        wrong += guess != pcn_perceptron_predict(&d.trainer, pcn_dense(scaled, 12));
        last += d.trainer.learner.ahead > 0;
        right += i >= LABELS / 2 && guess == label;
        memcpy(out, d.raw[now], sizeof out);
        wrong += device_label(&d, feature, label) != PCN_OK || d.now != !now;
        wrong += memcmp(out, d.raw[now], sizeof out) != 0; /* an interrupt may still be at it */
        wrong += pcn_perceptron_final(&d.trainer, &model, out, sizeof out) != PCN_OK;
        wrong += pcn_scaler_fold(&d.scaler, &model, &model, out, sizeof out) != PCN_OK;
        wrong += memcmp(out, d.raw[d.now], sizeof out) != 0;
    }
    CHECK(wrong == 0 && last > 10); /* the last weights have predicted, too */
    CHECK(right >= LABELS / 2 * 95 / 100);
    CHECK(d.trainer.learner.clock < LABELS); /* the factory's mean has ended */
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
    unreadable();
    power();
    all_pages();
    failing_page();
    newer_versions();
    both_damaged();
    other_shape();
    bad_numbers();
    too_long();
    factory_images();
    nothing_new();
    resets();
    sequence_wraps();
    bad_labels();
    learning();
    flash();
    features();
    printing();
    return report();
}
