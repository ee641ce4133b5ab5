/* What a line looks like, before it is known of which format it is. */
#ifndef LOOKS_H
#define LOOKS_H

#include <stddef.h>

/* How often the separator is in the line, but not within fields in quotes. */
size_t count_separators(const char *line, const char *end, char separator);
/* What else the fields of the line may be separated by, which is there oftener than `separator`; 0: nothing. */
char other_separator(const char *line, char separator);
int opens_quote(const char *line); /* Does it begin with a field in quotes that ends on another line? */
/* Has some word the form index:value? Times of day, 12:30:00 or 12:30 behind a date, have not. */
int has_pairs(const char *line);
int is_bare_label(const char *line, int words); /* Is it a label and nothing else? words: it need not be an integer. */

#endif
