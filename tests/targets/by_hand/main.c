/* Counts what a job takes. With SIZE it only uses it, for the linker; with SIZE and EMPTY not even that. Otherwise it
 * prints "count PREDICT STAY UPDATE", means over the rows (instructions; of an AVR, cycles), two hashes, of the
 * answers and of the weights, and how many rows were predicted rightly before they were learned. */
#include "job.h"

#ifdef SIZE

volatile struct {
    const job_value *row;
    int label, answer;
} io;

int main(void)
{
#ifndef EMPTY
    job_init();
    for (;;) {
        if (io.label) io.answer = job_learn(io.row, io.label);
        io.answer = job_predict(io.row);
    }
#else
    for (;;) {
        if (io.label) io.answer = 1;
        io.answer = io.row != 0;
    }
#endif
}

#else

#include <stdio.h>

/* ---- What has been executed so far ---- */

#ifdef __AVR__
#include "tests/targets/serial.h"

static void begin(void)
{
    serial_begin();
    TCCR1B = 1; /* cycles, in 16 bits */
}

static uint32_t now(void)
{
    return TCNT1;
}

static uint32_t since(uint32_t start)
{
    return (uint16_t)(TCNT1 - start);
}

static int end(void)
{
    serial_end();
    return 0;
}

#else

#ifdef __riscv
static void begin(void) {}

static uint32_t now(void)
{
    uint32_t n;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, mcycle\n.option pop" : "=r"(n));
    return n;
}

static uint32_t since(uint32_t start)
{
    return now() - start;
}
#else
/* SysTick counts down at 25 MHz, and with -icount shift=0 an instruction takes a nanosecond. */
#define SYST ((volatile uint32_t *)0xE000E010)

static void begin(void)
{
    SYST[1] = 0xffffff;
    SYST[2] = 0;
    SYST[0] = 5;
}

static uint32_t now(void)
{
    return SYST[2];
}

static uint32_t since(uint32_t start)
{
    return ((start - SYST[2]) & 0xffffffu) * 40;
}
#endif

static int end(void)
{
    return 0;
}

#endif

/* ---- Rows ---- */

enum { ROWS = 400 };

static job_value x[FEATURES];

static int next_row(void) /* its label; that of the class has greater values */
{
    static uint32_t number = 1;
    int label, i;
    number = number * 1664525u + 1013904223u;
    label = (int)((number >> 16) % CLASSES);
    for (i = 0; i < FEATURES; i++) {
        int32_t v;
        number = number * 1664525u + 1013904223u;
        v = (int32_t)(number >> 16 & 255) - 128 + (i % CLASSES == label ? 50 : 0);
#if JOB == PREDICT_8
        x[i] = (job_value)(v * 64);
#elif JOB == LEARN_INTEGERS
        x[i] = (job_value)(v * 16);
#else
        x[i] = (job_value)v / 64.0f;
#endif
    }
    return label;
}

static uint32_t hash(uint32_t h, const void *bytes, uint32_t n)
{
    const uint8_t *p = (const uint8_t *)bytes;
    for (; n != 0; n--) h = (h ^ *p++) * 16777619u;
    return h;
}

int main(void)
{
    uint32_t predict = 0, right = 0, took[2] = {0, 0}, n[2] = {0, 0}, answers = 2166136261u, bytes, start, nothing, i;
    const void *state;
    begin();
    start = now();
    nothing = since(start);
    job_init();
    for (i = 0; i < ROWS; i++) {
        int label = next_row(), answer, fired;
        uint8_t said[2];
        start = now();
        answer = job_predict(x);
        predict += since(start) - nothing;
        right += answer == label;
        start = now();
        fired = job_learn(x, label);
        took[fired > 0] += since(start) - nothing;
        n[fired > 0]++;
        said[0] = (uint8_t)answer, said[1] = (uint8_t)fired;
        answers = hash(answers, said, 2);
    }
    state = job_state(&bytes);
    printf("count %lu %lu %lu\n", (unsigned long)(predict / ROWS), (unsigned long)(n[0] ? took[0] / n[0] : 0),
           (unsigned long)(n[1] ? took[1] / n[1] : 0));
    printf("bits %08lx %08lx\n", (unsigned long)answers, (unsigned long)hash(2166136261u, state, bytes));
    printf("right %lu\n", (unsigned long)right);
    return end();
}

#endif
