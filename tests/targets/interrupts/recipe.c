/* The recipe for interrupts from the top of perceptron.h, which tests/targets/interrupts.sh cuts out: recipe_data.h
 * declares, recipe_code.h changes over. The main loop learns rows of ones, so all weights and the bias are one whole
 * number, which each row moves by 1 or -1. zero_negative is set to its second bit, which half the time differs from
 * that of two rows before, in the spare copy. A timer interrupts after some cycles, never as many as the last time, and
 * looks whether what it predicts with is of one moment. */
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#include "board.h"
#include "print.h"

enum { N = 2, K = 2 };
static const float x[N] = {1, 1};
static float memory[PCN_PERCEPTRON_FLOATS(N, K)];
static pcn_perceptron m;

#ifdef __AVR__
static pcn_linear frozen[2] __attribute__((section(".frozen"))); /* two 256-byte pages: see interrupts.sh */
#endif
#include "recipe_data.h"

static volatile uint8_t done;
static uint32_t looks, torn, failed;

static void must(int result)
{
    failed += result < 0;
}

static uint8_t second_bit(float w)
{
    return ((int)w & 2) != 0;
}

static int is_whole(const pcn_linear *l)
{
    const int one = l == &frozen[1];
    const float *w = copy[one];
    int j;
    if (l != &frozen[one] || l->weight != w || l->bias != w + N || l->features != N || l->scores != PCN_SCORES(K))
        return 0;
    for (j = 0; j < N; j++)
        if (w[j] != w[N]) return 0;
    return l->zero_negative == second_bit(w[0]) && pcn_linear_predict(l, pcn_dense(x, N)) == (w[0] >= 0);
}

static void look(void)
{
    looks++;
    torn += !is_whole(&frozen[now]);
    done = looks == LOOKS;
}

static void change_over(void)
{
#include "recipe_code.h"
}

static void learn(int y)
{
    must(pcn_perceptron_learn(&m, pcn_dense(x, N), y));
    m.live.zero_negative = second_bit(memory[0]);
}

/* ---- The timer: starts, and then interrupts so many cycles after the last look ---- */

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

void board_put(char c)
{
    while (!(UCSR0A & 1 << UDRE0)) continue;
    UDR0 = (uint8_t)c;
}

ISR(TIMER0_COMPA_vect)
{
    look();
    OCR0A = (uint8_t)(190 + looks % 61); /* some 50 of these end the interrupt */
    TCNT0 = 0;
    TIFR0 = 1 << OCF0A; /* while it looked */
    if (done) TIMSK0 = 0;
}

static void start(void)
{
    OCR0A = 197;
    TCCR0A = 1 << WGM01;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS00;
    sei();
}

int main(void)
{
    UCSR0B = 1 << TXEN0;
    demo();
    cli();
    sleep_enable();
    sleep_cpu(); /* ends simavr */
    return 0;
}
#else
static volatile uint32_t *const timer = (volatile uint32_t *)0xe000e010; /* SysTick: control, reload, value */
static void (*vectors[16])(void) __attribute__((aligned(128)));

static void interrupt(void)
{
    timer[0] = 0;
    look();
    timer[1] = 60 + looks % 61;
    timer[2] = 0;
    timer[0] = done ? 0 : 7;
}

static void start(void)
{
    vectors[15] = interrupt;
    *(void (**volatile *)(void))0xe000ed08 = vectors; /* VTOR */
    timer[1] = 97;
    timer[0] = 7;
}
#endif

int demo(void)
{
    uint32_t wait, number = 1, changes = 0;
    must(pcn_perceptron_init(&m, N, K, memory, sizeof memory));
    m.learner.rule.margin = 1000000; /* every row moves the weights */
    change_over();
    change_over();
    start();
    for (; !done; changes++) {
        number = number * 1664525u + 1013904223u;
        for (wait = number >> 26; wait != 0; wait--) __asm__ volatile("nop");
        learn(number >> 25 & 1);
        change_over();
    }
    print("%u looks, %u torn, %u changes, %u refused\n", looks, torn, changes, failed);
    return BOARD_OK;
}
