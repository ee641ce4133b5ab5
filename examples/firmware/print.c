#include "print.h"
#include "board.h"

#include <stdarg.h>

static void put_text(const char *text)
{
    while (*text) board_put(*text++);
}

/* From the last digit to the first. */
static void put_number(uint32_t number, uint32_t base, int digits, int width, int tenths)
{
    char text[16], *p = text + sizeof text;
    *--p = '\0';
    do {
        if (tenths && p == text + sizeof text - 2) *--p = '.';
        *--p = "0123456789abcdef"[number % base];
        number /= base;
        digits--;
        width--;
    } while (number != 0 || digits > 0);
    for (width -= tenths; width > 0; width--) board_put(' ');
    put_text(p);
}

void print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    for (; *format; format++) {
        int width = 0;
        if (*format != '%') {
            board_put(*format);
            continue;
        }
        if (*++format >= '0' && *format <= '9') width = *format++ - '0';
        switch (*format) {
        case 's': put_text(va_arg(list, const char *)); break;
        case 'u': put_number(va_arg(list, uint32_t), 10, 1, width, 0); break;
        case 'x': put_number(va_arg(list, uint32_t), 16, 8, width, 0); break;
        case 't': put_number(va_arg(list, uint32_t), 10, 2, width, 1); break;
        default: board_put(*format);
        }
    }
    va_end(list);
}
