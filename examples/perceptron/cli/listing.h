/* Lines of named values, as --trace and --list print them: a table whose columns line up, or objects of JSON. */
#ifndef LISTING_H
#define LISTING_H

#include "say.h"
#include "table.h"

enum { LISTING_FEW = 12 }; /* features that all have columns */

typedef struct listing {
    say *to;            /* people get a table */
    table names, lines; /* names: of the columns of the line that is being made */
    char *list;         /* stb_ds array: of a group that has one column for all of it; NULL: of none */
    uint32_t first;     /* what features without names are counted from */
} listing;

void listing_text(listing *s, const char *name, const char *text, int is_word); /* word: in JSON without quotes */
void listing_count(listing *s, const char *name, uint64_t count);
/* Numbers with names: an object, or a column each, or one for all. `before`, `shown`, `after` name the column. */
void listing_open(listing *s, const char *member, int listed);
void listing_number(listing *s, const char *name, double value, const char *before, const char *shown,
                    const char *after);
void listing_close(listing *s, const char *column, const char *after);
void listing_end_line(listing *s);       /* the object is the caller's to open */
void listing_print(listing *s, FILE *f); /* the lines up to now, with the names above */

#endif
