/* Tells what a line looks like, before it is known of which format it is. */
#ifndef LOOKS_H
#define LOOKS_H

#include <stddef.h>

/* Counts the separators in the line, but not those within fields in quotes. */
size_t count_separators(const char *line, const char *end, char separator);
/* Returns what else may separate the fields of the line, because it is there at least as often as `separator`; 0:
 * nothing. */
char other_separator(const char *line, char separator);
int opens_quote(const char *line); /* Does it begin with a field in quotes that ends on another line? */
/* Has a word the form index:value? A time of day, 12:30:00, or 12:30 behind a date, does not count. */
int has_pairs(const char *line);
int is_bare_label(const char *line,
                  int words); /* Is it a label and nothing else? words: the label need not be an integer. */

#endif
