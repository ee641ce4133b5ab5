/* Labels: any integers or words. */
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
    } quick[1 << LABEL_SLOT_BITS]; /* some short ones, see short_text */
} labels;

#define NO_LABEL UINT32_MAX
#define NO_ROW (UINT32_MAX - 1) /* in its place, of what reader.no_row says */

void labels_init(labels *l);
uint32_t labels_add(labels *l, const char *text);        /* its number, old or new */
uint32_t labels_find(const labels *l, const char *text); /* NO_LABEL: not there */
uint32_t labels_count(const labels *l);
const char *labels_text(const labels *l, uint32_t number);
int labels_have_words(const labels *l); /* is one no integer? */
labels labels_copy(const labels *l);
labels labels_sorted(const labels *l); /* ascending: integers by value, equal ones and then words by their bytes */
void labels_free(labels *l);
int label_is_integer(const char *text, long *value); /* [sign] digits [. zeros] within 32 bits */
char *label_canonical(const char *text);             /* a new string: where labels are numbers, +1 as 1 */

#endif
