/* Numbers labels, which are any integers or words. */
#ifndef LABELS_H
#define LABELS_H

#include "cli/common.h"

enum { LABEL_SLOT_BITS = 8 };

typedef struct label_number {
    char *key;
    uint32_t value;
} label_number;

typedef struct labels {
    label_number *map; /* stb_ds string map: text -> order of appearance */
    struct {
        uint64_t bytes;
        uint32_t number;
    } quick[1 << LABEL_SLOT_BITS]; /* the numbers of some short labels, see short_text */
} labels;

#define NO_LABEL UINT32_MAX
#define NO_ROW (UINT32_MAX - 1) /* stands for the label of an empty line that is not a row, see reader.no_row */

void labels_init(labels *l);
uint32_t labels_add(labels *l, const char *text);        /* returns its number, which may be a new one */
uint32_t labels_find(const labels *l, const char *text); /* returns its number, or NO_LABEL if it has none */
uint32_t labels_count(const labels *l);
const char *labels_text(const labels *l, uint32_t number);
int labels_have_words(const labels *l); /* Is a label among them that is not an integer? */
labels labels_copy(const labels *l);
/* Returns a copy in ascending order: first the integers by value, and equal ones by their bytes, then the words by
 * theirs. */
labels labels_sorted(const labels *l);
void labels_free(labels *l);
int label_is_integer(const char *text, long *value); /* Is it [sign] digits [. zeros], within 32 bits? */
char *label_canonical(const char *text);             /* returns a new string: +1 and 01 as 1, words as they are */

#endif
