/* The recipe for interrupts from the top of perceptron.h, which tests/targets/firmware.sh cuts out: recipe_data.h declares,
 * recipe_code.h changes over. An interrupt comes after some 60 to 120 cycles, again and again, and looks whether what
 * it would predict with is of one moment: zero_negative and the sign of the weight change together. */
#define PCN_API __attribute__((noinline, unused)) static /* real calls, as from another file */
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#include "board.h"
#include "print.h"

enum { N = 4, K = 1, CHANGES = 200000 };
static float memory[PCN_PERCEPTRON_FLOATS(N, K)];
static pcn_perceptron m;
#include "recipe_data.h"

static volatile uint32_t *const timer = (volatile uint32_t *)0xe000e010; /* SysTick: control, reload, value */
static volatile uint32_t looks, torn;

static void look(void)
{
    const pcn_linear *l = &frozen[now];
    looks++;
    torn += (l->zero_negative != 0) != (l->weight[0] > 0);
    timer[1] = 60 + looks % 61;
    timer[2] = 0;
}

static int failed;

static void must(int result)
{
    failed |= result < 0;
}

static void change_over(void)
{
#include "recipe_code.h"
}

static void (*vectors[16])(void) __attribute__((aligned(128)));

int demo(void)
{
    uint32_t i, wait, number = 1;
    must(pcn_perceptron_init(&m, N, K, memory, sizeof memory));
    for (i = 0; i < 2; i++) must(pcn_perceptron_final(&m, &frozen[i], copy[i], sizeof copy[i]));
    vectors[15] = look;
    *(void (**volatile *)(void))0xe000ed08 = vectors; /* VTOR */
    timer[1] = 97;
    timer[0] = 7;
    for (i = 0; i < CHANGES; i++) {
        number = number * 1664525u + 1013904223u;
        for (wait = number >> 26; wait != 0; wait--) __asm__ volatile("nop");
        m.live.zero_negative = i % 3 == 0;
        memory[0] = i % 3 == 0 ? 1.0f : -1.0f;
        change_over();
    }
    timer[0] = 0;
    if (failed) return BOARD_FAILED;
    print("%u looks, %u torn\n", looks, torn);
    return BOARD_OK;
}
