/* What happens to the device, one scene from reset to reset: it works, is mounted anew, learns, is reset,
 * finds damaged state. The scenes play the world; the device is in device.c. */
#include "activity_model.h"
#include "board.h"
#include "device.h"
#include "print.h"

enum { STARTED = 0x2b0c51a7, STRETCH = 1000, TURNED = 1000, LEARNED = 6000 }; /* windows */

static device d;
static pcn_linear factory; /* what the device would be if it never learned */

/* ---- The stream of windows ---- */

static int window_of(uint32_t number, float feature[ACTIVITY_COUNT])
{
    static activity_window window;
    int what = (int)activity_make(number, &window);
    if (number >= TURNED) activity_turn(&window);
    activity_features(&window, feature);
    return what;
}

/* Lets the device live through a stretch, and counts. */
static void live(uint32_t first)
{
    float feature[ACTIVITY_COUNT];
    uint32_t number, factory_right = 0, device_right = 0, labels = 0;
    for (number = first; number < first + STRETCH; number++) {
        int what = window_of(number, feature);
        factory_right += pcn_linear_predict(&factory, pcn_dense(feature, ACTIVITY_COUNT)) == what;
        device_right += device_classify(&d, feature) == what;
        if (activity_is_told(number)) labels += device_label(&d, feature, what) == PCN_OK;
    }
    print("  windows %5u .. %5u: right %5t %% (factory model %5t %%), %3u labels, mean of %5u\n", first, number - 1,
          device_right * 1000 / STRETCH, factory_right * 1000 / STRETCH, labels, (uint32_t)d.trainer.learner.clock);
}

static void live_on(void)
{
    live(board_kept[KEPT_WINDOW]);
    board_kept[KEPT_WINDOW] += STRETCH;
}

/* ---- State ---- */

/* CRC-32 of all that the device would save. */
static uint32_t sum_of_state(void)
{
    uint32_t crc[2];
    pcn_perceptron_save_part(&d.trainer, pcn_perceptron_save_part(&d.trainer, 0, NULL, 0) - 4, &crc[0], 4);
    pcn_scaler_save_part(&d.scaler, PCN_SCALER_IMAGE(DEVICE_FEATURES) - 4, &crc[1], 4);
    return pcn_crc32(0, crc, sizeof crc);
}

static void save(void)
{
    int result = device_save(&d);
    if (result == 1)
        print("  saved to page %u as number %u\n", (uint32_t)d.store.page, d.store.sequence);
    else
        print("  not saved: %s\n", result == 0 ? "nothing new" : state_text(result));
}

static void tell_start(void)
{
    int page;
    print("Reset %u\n", board_kept[KEPT_SCENE]);
    for (page = 0; page < FLASH_PAGES; page++)
        print("  page %u: %s\n", (uint32_t)page, state_text(d.store.result[page]));
    if (d.store.page < 0)
        print("  goes on from the factory, %x\n", sum_of_state());
    else
        print("  goes on with the state of page %u, %x\n", (uint32_t)d.store.page, sum_of_state());
}

static int next_scene(void)
{
    board_kept[KEPT_SCENE]++;
    return BOARD_RESET;
}

/* ---- Scenes ---- */

static void flip_bit(void)
{
    print("One bit of page %u flips.\n", (uint32_t)d.store.page);
    flash_memory[d.store.page][STATE_HEAD + 20] ^= 0x400u;
}

static int is_new(void)
{
    while (board_kept[KEPT_WINDOW] < LEARNED) {
        if (board_kept[KEPT_WINDOW] == TURNED) print("The device is mounted anew: axes turned, signal damped.\n");
        live_on();
        save();
    }
    board_kept[KEPT_SAVED] = sum_of_state();
    print("  the state is %x\n", board_kept[KEPT_SAVED]);
    live(board_kept[KEPT_WINDOW]);
    board_kept[KEPT_AHEAD] = sum_of_state();
    print("  the state is %x, not saved\n", board_kept[KEPT_AHEAD]);
    return next_scene();
}

static int meets_the_same_again(void)
{
    if (sum_of_state() != board_kept[KEPT_SAVED]) return BOARD_FAILED;
    print("The same windows come again.\n");
    live_on();
    print("  the state is %x, %s\n", sum_of_state(),
          sum_of_state() == board_kept[KEPT_AHEAD] ? "as without the reset" : "which is wrong");
    if (sum_of_state() != board_kept[KEPT_AHEAD]) return BOARD_FAILED;
    save();
    flip_bit();
    return next_scene();
}

static int saves_while_power_fails(void)
{
    live_on();
    print("Power fails while the device saves.\n");
    flash_supply = 100;
    save();
    return next_scene();
}

static int loses_the_other_page(void)
{
    flip_bit();
    return next_scene();
}

/* Writes what a program with images of version 2 would have left. */
static int is_taken_back_a_version(void)
{
    uint32_t *image;
    size_t last;
    live_on();
    save();
    live_on();
    save();
    print("A newer program was here: page %u is of version 2.\n", (uint32_t)d.store.page);
    image = flash_memory[d.store.page] + STATE_HEAD;
    last = pcn_perceptron_save_part(&d.trainer, 0, NULL, 0) / 4 - 1;
    image[1] = 2;
    image[last] = pcn_crc32(0, image, 4 * last);
    return next_scene();
}

static int saves_over_the_newer(void)
{
    live_on();
    save();
    return BOARD_OK;
}

static int (*const scenes[])(void) = {
    is_new,
    meets_the_same_again,
    saves_while_power_fails,
    loses_the_other_page,
    is_taken_back_a_version,
    saves_over_the_newer,
};

/* ---- From reset to reset ---- */

/* A board that has never run: erased pages, time 0. */
static void deliver(void)
{
    int page, word;
    for (word = 0; word < KEPT_WORDS; word++) board_kept[word] = 0;
    board_kept[KEPT_START] = STARTED;
    for (page = 0; page < FLASH_PAGES; page++) flash_erase(page);
}

int demo(void)
{
    int result = pcn_linear_open(&factory, activity_model.byte, sizeof activity_model.byte);
    flash_supply = UINT32_MAX; /* power is back */
    if (board_kept[KEPT_START] != STARTED) deliver();
    if (result == PCN_OK) result = device_start(&d, activity_factory.byte, sizeof activity_factory.byte);
    if (result < 0) {
        print("The factory model is refused: %s\n", state_text(result));
        return BOARD_FAILED;
    }
    tell_start();
    return scenes[board_kept[KEPT_SCENE]]();
}
