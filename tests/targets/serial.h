/* What is printed goes to the serial port of an AVR, and sleep without interrupts ends its simulator. Elsewhere there
 * is nothing to do. */
#ifndef TARGETS_SERIAL_H
#define TARGETS_SERIAL_H

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdio.h>

static int serial_put(char c, FILE *file)
{
    (void)file;
    while (!(UCSR0A & 1 << UDRE0)) continue;
    UDR0 = (uint8_t)c;
    return 0;
}

static FILE serial = FDEV_SETUP_STREAM(serial_put, NULL, _FDEV_SETUP_WRITE);

static void serial_begin(void)
{
    UCSR0B = 1 << TXEN0;
    stdout = &serial;
}

static void serial_end(void)
{
    cli();
    sleep_enable();
    sleep_cpu();
}
#else
static void serial_begin(void) {}
static void serial_end(void) {}
#endif

#endif
