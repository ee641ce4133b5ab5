// The sketch of the Arduino package on a simulated ATmega328P: what it needs of Arduino stands here. Its pin is quiet, or
// vibrates; of the first windows it is told which. SKETCH is its file. Prints how many of the others it gets right.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <stdlib.h>

enum { A0 = 14, TOLD = 30, ASKED = 200 };

class __FlashStringHelper;
static uint32_t state = 1;
static int situation, windows, right;
static bool told;

static int random_below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 16) % (uint32_t)n);
}

static int analogRead(int pin)
{
    static int turn;
    if (pin != A0) return 0;
    turn = -turn;
    if (random_below(4) == 0) turn = 40 + random_below(120);
    return 500 + random_below(20) + (situation ? turn : 0);
}

static void delay(int) {}

static void put(char c)
{
    while (!(UCSR0A & 1 << UDRE0)) continue;
    UDR0 = (uint8_t)c;
}

static struct {
    void begin(long) { UCSR0B = 1 << TXEN0; }
    int available() { return told; }
    int read() { return told = false, '0' + situation; }
    void println(int answer) { right += windows >= TOLD && answer == situation; }
    void println(const __FlashStringHelper *) { right = -1000; } // it complains
} Serial;

#include SKETCH

int main()
{
    char text[8];
    setup();
    for (; windows < TOLD + ASKED; windows++) {
        situation = random_below(2);
        told = windows < TOLD;
        loop();
    }
    itoa(right, text, 10);
    for (const char *p = text; *p; p++) put(*p);
    put('\n');
    cli();
    sleep_enable();
    sleep_cpu();
}
