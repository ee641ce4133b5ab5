/* A wristband that was trained on a PC and learns on from its users, from reset to reset: there_and_back.md tells its
 * story. wrist.h is what `perceptron export --as trainer` has written. */
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "wrist.h"
#include "board.h"
#include "print.h"
#include "state.h"
#include "users.h"

enum { STARTED = 0x5ab1e0d1, STRETCH = 1000 /* windows of each user */ };

static wrist_trainer t;
static state_store store;

static int load(void *owner, const void *images, size_t size)
{
    return wrist_start((wrist_trainer *)owner, images, size);
}

static size_t save(const void *owner, size_t from, void *out, size_t size)
{
    return wrist_save((const wrist_trainer *)owner, from, out, size);
}

static int start(void)
{
    return state_load(&store, &t, load, wrist_factory.byte, sizeof wrist_factory.byte);
}

/* A hash of the state (FNV-1a of its words). Not a CRC: that of an image with its own CRC at its end says only how long
 * it is. */
static uint32_t sum_of_state(void)
{
    uint32_t word[STATE_HEAD], sum = 2166136261u;
    size_t at, i;
    for (at = 0; at < wrist_STATE; at += sizeof word) {
        wrist_save(&t, at, word, sizeof word);
        for (i = 0; i < STATE_HEAD; i++) sum = (sum ^ word[i]) * 16777619u;
    }
    return sum;
}

/* ---- A user ---- */

typedef struct answers {
    uint32_t right, sure, sure_right;
} answers;

static void answer(answers *a, const float *feature, int what)
{
    float p[wrist_CLASSES];
    const int k = wrist_predict(&t, feature, p), is_sure = k >= 0 && 1 - p[k] <= .2f;
    a->right += k == what;
    a->sure += (uint32_t)is_sure;
    a->sure_right += is_sure && k == what;
}

static void live(int user, uint32_t from, uint32_t end)
{
    answers a = {0, 0, 0};
    uint32_t number, labels = 0, wrong = 0;
    for (number = from; number < end; number++) {
        float feature[ACTIVITY_COUNT];
        const enum activity what = user_window(user, number, feature), said = user_says(number, what);
        answer(&a, feature, (int)what);
        if (!activity_is_told(number)) continue;
        if (wrist_learn(&t, feature, (int)said) < 0) continue;
        labels++;
        wrong += said != what;
    }
    print("  windows %4u .. %4u: right %3u; answers %3u, of them right %3u, ? %3u; %3u labels, %2u of them wrong\n",
          from, end - 1, a.right, a.sure, a.sure_right, end - from - a.sure, labels, wrong);
}

static int meets_a_user(void)
{
    const int user = (int)board_kept[KEPT_SCENE] + 1;
    const uint32_t from = STRETCH * (uint32_t)user;
    print("User %u\n", (uint32_t)user);
    live(user, from, from + 100);
    live(user, from + 100, from + STRETCH);
    if (state_save(&store, &t, save) < 0) return BOARD_FAILED;
    board_kept[KEPT_SAVED] = sum_of_state();
    return BOARD_RESET;
}

/* ---- Power fails at each write ---- */

/* Learns a window, and saves while there is power for so many words. 1: the state is in flash, as after a reset. */
static int saves_with(uint32_t words)
{
    float feature[ACTIVITY_COUNT];
    const enum activity what = user_window(USERS, 0, feature);
    uint32_t learned;
    wrist_learn(&t, feature, (int)what);
    learned = sum_of_state();
    flash_supply = words;
    state_save(&store, &t, save);
    flash_supply = UINT32_MAX;
    if (start() < 0) return -1;
    if (sum_of_state() == learned) return 1;
    return sum_of_state() == board_kept[KEPT_SAVED] ? 0 : -1;
}

static int loses_power(void)
{
    uint32_t words = 0;
    int saved;
    while ((saved = saves_with(words)) == 0) words++;
    if (saved < 0) return BOARD_FAILED;
    print("Power fails before each of the %u words of a save: the state before is there. Then it is saved.\n", words);
    board_kept[KEPT_SAVED] = sum_of_state();
    return BOARD_RESET;
}

/* ---- The state goes back ---- */

static int sends_its_state(void)
{
    uint32_t word[STATE_HEAD];
    size_t at, i;
    for (at = 0; at < wrist_STATE; at += sizeof word) {
        wrist_save(&t, at, word, sizeof word);
        print("state");
        for (i = 0; i < STATE_HEAD && at + 4 * i < wrist_STATE; i++) print(" %x", word[i]);
        print("\n");
    }
    return BOARD_OK;
}

static int (*const scenes[])(void) = {meets_a_user, meets_a_user, meets_a_user, loses_power, sends_its_state};

int demo(void)
{
    int page;
    if (board_kept[KEPT_START] != STARTED) { /* it has never run */
        for (page = 0; page < KEPT_WORDS; page++) board_kept[page] = 0;
        for (page = 0; page < FLASH_PAGES; page++) flash_erase(page);
        board_kept[KEPT_START] = STARTED;
    }
    if (start() < 0) return BOARD_FAILED;
    if (store.page < 0)
        print("Reset %u: goes on from the factory\n", board_kept[KEPT_SCENE]);
    else
        print("Reset %u: goes on with the state of page %u, %x\n", board_kept[KEPT_SCENE], (uint32_t)store.page,
              sum_of_state());
    if (store.page >= 0 && sum_of_state() != board_kept[KEPT_SAVED]) return BOARD_FAILED;
    page = scenes[board_kept[KEPT_SCENE]]();
    board_kept[KEPT_SCENE]++;
    return page;
}
