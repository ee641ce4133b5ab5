/* What a field of a table says. */
#ifndef FIELD_H
#define FIELD_H

char *trim(char *text); /* without the blanks around it, in place */
int is_missing(const char *text);
int field_value(const char *text, float *value); /* the field as a number, blanks around it allowed; 0 if it is none */
int has_decimal_comma(const char *text);         /* would it be a number with a point? */
/* A number, though perhaps one that is too large, infinite or written otherwise: an error, not a text. */
int field_is_number(const char *text);
int field_is_text(const char *text);
int field_is_plain(const char *p, const char *end); /* a plain decimal number, which most fields are */
unsigned field_form(const char *text);              /* which of letters, digits, blanks and signs it has */

#endif
