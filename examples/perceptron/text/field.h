/* Tells what a field of a table says: a number, a text, or nothing. */
#ifndef FIELD_H
#define FIELD_H

char *trim(char *text); /* cuts the blanks off both ends of the text, in place; returns where the rest begins */
int is_missing(const char *text); /* Is it empty, ?, NA or NaN? */
/* Reads the field as a number; blanks may stand around it. Returns 0 if it is not a number. */
int field_value(const char *text, float *value);
int has_decimal_comma(const char *text); /* Would it be a number if its comma were a point? */
/* Is it meant as a number? One that is too large, infinite or has a decimal comma is an error, and not a text. */
int field_is_number(const char *text);
int field_is_text(const char *text);                /* Is it neither missing nor meant as a number? */
int field_is_plain(const char *p, const char *end); /* Is p .. end a plain decimal number, as most fields are? */
unsigned field_form(const char *text); /* returns a bit for each kind of character in it: letter, digit, blank, sign */

#endif
