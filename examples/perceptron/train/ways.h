/* What compare tries: options of train, for the data they suit. */
#ifndef WAYS_H
#define WAYS_H

enum { WAYS = 21, WAY_OPTIONS = 3 };
enum { TABLES = 1, OTHERS = 2, TEXTS = 4, ANY = TABLES | OTHERS | TEXTS }; /* data that a way suits */
/* What it needs. NO_ACCURACY: --by auc or logloss. BY_LOSS: --by logloss. READS: the data are read again for it. */
enum { MANY_LABELS = 8, IS_KERNEL = 16, NO_ACCURACY = 32, BY_LOSS = 64, READS = 128 };

typedef struct way {
    char option[WAY_OPTIONS][32];
    unsigned suits; /* of both enums */
} way;

extern const way ways[WAYS]; /* the default first */

const char *way_text(const way *w);                   /* as it is typed; stays until the next call */
int way_is_settled(const way *w, char *const *given); /* is one of its options in that stb_ds array? */

#endif
