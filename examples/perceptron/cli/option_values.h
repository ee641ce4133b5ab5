/* Values of options, and texts of them. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "option_table.h"

/* A new string: the word at that place of `words`. */
char *option_word(const char *words, unsigned place);
int set_value(const option_entry *e, void *to, const char *text); /* 0: the text is no value of the option */
void set_default(const option_entry *e, void *to);
/* Value `place` as a text for set_value; NULL: there is none. Stays until the next call. */
const char *value_text(const option_entry *e, const void *from, size_t place);

#endif
