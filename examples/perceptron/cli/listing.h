/* Lists named values line by line, for --trace and --list: in a table whose columns line up, or in objects of JSON. */
#ifndef LISTING_H
#define LISTING_H

#include "say.h"
#include "table.h"

enum { LISTING_FEW = 12 }; /* up to so many features each have a column */

typedef struct listing {
    say *to;            /* to people it says a table */
    table names, lines; /* names: those of the columns of the line that is being made */
    char *list;     /* stb_ds array: the values of a group that has one column for all of them; NULL: no such group */
    uint32_t first; /* the number of the first feature, if features have no names */
} listing;

void listing_text(listing *s, const char *name, const char *text, int is_word); /* JSON has a word without quotes */
void listing_count(listing *s, const char *name, uint64_t count);
/* List numbers with names: in JSON an object, in a table a column each, or one column for all if `listed`. The name of
 * a column is `before`, `shown` and `after`. */
void listing_open(listing *s, const char *member, int listed);
void listing_number(listing *s, const char *name, double value, const char *before, const char *shown,
                    const char *after);
void listing_close(listing *s, const char *column, const char *after);
void listing_end_line(listing *s);       /* ends the line, or the object, which the caller has opened */
void listing_print(listing *s, FILE *f); /* prints the lines up to now, with the names above them */

#endif
