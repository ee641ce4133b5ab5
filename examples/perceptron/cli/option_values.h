/* Sets values of options from texts, makes texts of them, and says what options need. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "option_table.h"

/* Returns a new string: the word at that place of `words`. */
char *option_word(const char *words, unsigned place);
/* Returns 0 if the text is not a value of the option. */
int set_value(const option_entry *e, void *to, const char *text);
void set_default(const option_entry *e, void *to);
/* Returns value number `place` as a text for set_value, or NULL if there is none. The text stays until the next
 * call. */
const char *value_text(const option_entry *e, const void *from, size_t place);

/* The row of that option, which the table has. */
option_needs needs_in(const option_needs *table, const char *option);
/* What the option needs with these settings, which are not yet there where --help asks; text NULL: nothing. */
option_needs needs_of(const option_entry *e, const void *settings);

#endif
