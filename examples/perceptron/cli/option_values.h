/* Sets values of options from texts, and makes texts of them. */
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

#endif
