/* %s text, %u number, %x eight hexadecimal digits, %t tenths (986 as 98.6), %% itself. Numbers are
 * uint32_t; a digit before the letter is the least width. */
#ifndef PRINT_H
#define PRINT_H

void print(const char *format, ...);

#endif
