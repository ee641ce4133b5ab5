/* What compare tries: options of train, for the data they suit. */
#ifndef WAYS_H
#define WAYS_H

enum { WAYS = 18, WAY_OPTIONS = 3 };
enum { TABLES = 1, OTHERS = 2, TEXTS = 4, MANY_LABELS = 8, FEW_ROWS = 16 };

typedef struct way {
    char option[WAY_OPTIONS][32];
    unsigned suits;
} way;

extern const way ways[WAYS]; /* the default first */

const char *way_text(const way *w);                   /* as it is typed; stays until the next call */
int way_is_settled(const way *w, char *const *given); /* is one of its options in that stb_ds array? */

#endif
