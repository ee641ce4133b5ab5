#include "option_values.h"

#include <errno.h>
#include <math.h>

char *option_word(const char *words, unsigned place)
{
    char *word;
    while (place--) words = strchr(words, '|') + 1;
    word = copy_text(words);
    word[strcspn(word, "|")] = '\0';
    return word;
}

/* These two return 0 if the text is not a value of the option. */
static int set_choice(const option_entry *e, unsigned *value, const char *text)
{
    const char *p = option_words(e);
    size_t length = strlen(text);
    for (*value = 0;; ++*value, p++) {
        if (strcspn(p, "|") == length && strncmp(p, text, length) == 0) return 1;
        p = strchr(p, '|');
        if (!p) return 0;
    }
}

static int set_number(const option_entry *e, void *to, const char *text)
{
    char *end;
    double value;
    if (e->words && strcmp(text, e->words) == 0) {
        *(uint32_t *)to = OPTION_UNSET;
        return 1;
    }
    errno = 0;
    value = strtod(text, &end);
    if (end == text || *end || !(value >= e->low && value <= e->high) ||
        (e->kind == OPTION_COUNT && value != (double)(uint32_t)value))
        return 0;
    if (e->kind == OPTION_COUNT)
        *(uint32_t *)to = (uint32_t)value;
    else
        *(float *)to = (float)value;
    return 1;
}

int set_value(const option_entry *e, void *to, const char *text)
{
    unsigned place;
    switch (e->kind) {
    case OPTION_FLAG: *(int *)to = 1; break;
    case OPTION_COUNT:
    case OPTION_NUMBER: return set_number(e, to, text);
    case OPTION_CHOICE: return set_choice(e, to, text);
    case OPTION_WORD:
        if (!set_choice(e, &place, text)) return 0;
        *(const char **)to = text;
        break;
    case OPTION_TEXT: *(const char **)to = text; break;
    case OPTION_LIST: arrput(*(const char ***)to, text); break;
    }
    return 1;
}

void set_default(const option_entry *e, void *to)
{
    if (e->preset) {
        set_value(e, to, e->preset);
        return;
    }
    switch (e->kind) {
    case OPTION_FLAG: *(int *)to = 0; break;
    case OPTION_COUNT: *(uint32_t *)to = 0; break;
    case OPTION_NUMBER: *(float *)to = NAN; break;
    case OPTION_CHOICE: *(unsigned *)to = OPTION_UNSET; break;
    case OPTION_WORD:
    case OPTION_TEXT: *(const char **)to = NULL; break;
    case OPTION_LIST: *(const char ***)to = NULL; break;
    }
}

/* Writes the value with as few digits as give the same float. */
static void shortest_text(char *text, size_t size, float value)
{
    int digits = 6;
    do snprintf(text, size, "%.*g", digits++, (double)value);
    while (digits <= 9 && strtof(text, NULL) != value);
}

const char *value_text(const option_entry *e, const void *from, size_t place)
{
    static char text[32], *word;
    const char *const *list;
    if (e->kind == OPTION_LIST) {
        list = *(const char *const *const *)from;
        return place < arrlenu(list) ? list[place] : NULL;
    }
    if (place > 0) return NULL;
    switch (e->kind) {
    case OPTION_FLAG: return *(const int *)from ? "" : NULL;
    case OPTION_COUNT:
        if (e->words && *(const uint32_t *)from == OPTION_UNSET) return e->words;
        snprintf(text, sizeof text, "%lu", (unsigned long)*(const uint32_t *)from);
        return *(const uint32_t *)from || e->preset ? text : NULL;
    case OPTION_NUMBER:
        shortest_text(text, sizeof text, *(const float *)from);
        return isnan(*(const float *)from) ? NULL : text;
    case OPTION_CHOICE:
        if (*(const unsigned *)from == OPTION_UNSET) return NULL;
        free(word);
        return word = option_word(option_words(e), *(const unsigned *)from);
    default: return *(const char *const *)from;
    }
}

/* ---- What options need ---- */

option_needs needs_in(const option_needs *table, const char *option)
{
    while (strcmp(table->option, option) != 0) table++;
    return *table;
}

option_needs needs_of(const option_entry *e, const void *settings)
{
    option_needs n = {e->name, 1, 1, NULL};
    int holds;
    if (e->need) return e->need(settings, e->name);
    if (!e->needs) return n;
    holds = e->needs->holds(settings);
    n.is_met = holds != 0;
    n.has_effect = holds != OPTION_IDLE;
    n.text = e->needs->text;
    return n;
}
