#include "labels.h"

#include <ctype.h>
#include <errno.h>

int label_is_integer(const char *text, long *value)
{
    const char *p = text + (*text == '-' || *text == '+');
    char *end;
    if (!isdigit((unsigned char)*p)) return 0;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (errno == 0 && *end == '.') end += 1 + strspn(end + 1, "0");
    return errno == 0 && *end == '\0' && *value >= INT32_MIN && *value <= INT32_MAX;
}

char *label_canonical(const char *text)
{
    char integer[24];
    long value;
    if (!label_is_integer(text, &value)) return copy_text(text);
    snprintf(integer, sizeof integer, "%ld", value);
    return copy_text(integer);
}

void labels_init(labels *l)
{
    memset(l, 0, sizeof *l);
    sh_new_arena(l->map);
}

/* Returns the bytes of a text that has 1 to 7 of them, or 0. */
static uint64_t short_text(const char *text)
{
    uint64_t bytes = 0;
    unsigned i;
    for (i = 0; text[i]; i++) {
        if (i == 7) return 0;
        bytes |= (uint64_t)(unsigned char)text[i] << 8 * i;
    }
    return bytes;
}

/* Returns the slot of a short text. The first text of a slot has it. */
static size_t label_slot(uint64_t bytes)
{
    return bytes * 0x9E3779B97F4A7C15u >> (64 - LABEL_SLOT_BITS);
}

uint32_t labels_add(labels *l, const char *text)
{
    uint32_t number = labels_find(l, text);
    uint64_t bytes;
    size_t slot;
    if (number != NO_LABEL) return number;
    bytes = short_text(text);
    slot = label_slot(bytes);
    number = labels_count(l);
    shput(l->map, text, number);
    if (l->quick[slot].bytes == 0) {
        l->quick[slot].bytes = bytes;
        l->quick[slot].number = number;
    }
    return number;
}

uint32_t labels_find(const labels *l, const char *text)
{
    uint64_t bytes = short_text(text);
    size_t slot = label_slot(bytes);
    labels copy;
    ptrdiff_t i;
    if (bytes != 0 && l->quick[slot].bytes == bytes) return l->quick[slot].number;
    copy.map = l->map; /* because a lookup writes into the header of the map */
    i = shgeti(copy.map, text);
    return i < 0 ? NO_LABEL : copy.map[i].value;
}

uint32_t labels_count(const labels *l)
{
    return (uint32_t)shlenu(l->map);
}

const char *labels_text(const labels *l, uint32_t number)
{
    return l->map[number].key;
}

int labels_have_words(const labels *l)
{
    uint32_t i, words = 0;
    long value;
    for (i = 0; i < labels_count(l); i++) words += !label_is_integer(labels_text(l, i), &value);
    return words > 0;
}

static int compare_labels(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    long i, j;
    int s_whole = label_is_integer(s, &i), t_whole = label_is_integer(t, &j);
    if (s_whole != t_whole) return t_whole - s_whole;
    if (s_whole && i != j) return i < j ? -1 : 1;
    return strcmp(s, t);
}

labels labels_copy(const labels *l)
{
    labels copy;
    uint32_t i;
    labels_init(&copy);
    for (i = 0; i < labels_count(l); i++) labels_add(&copy, labels_text(l, i));
    return copy;
}

labels labels_sorted(const labels *l)
{
    uint32_t i, n = labels_count(l);
    const char **text = allocate(n, sizeof *text);
    labels sorted;
    for (i = 0; i < n; i++) text[i] = labels_text(l, i);
    qsort(text, n, sizeof *text, compare_labels);
    labels_init(&sorted);
    for (i = 0; i < n; i++) labels_add(&sorted, text[i]);
    free(text);
    return sorted;
}

void labels_free(labels *l)
{
    shfree(l->map);
}
