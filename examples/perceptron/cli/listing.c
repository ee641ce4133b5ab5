#include "listing.h"
#include "common.h"

#include <math.h>

void listing_text(listing *s, const char *name, const char *text, int is_word)
{
    if (!s->to->text) {
        (is_word ? json_word : json_text)(&s->to->j, name, text);
        return;
    }
    table_text(&s->names, "%s", name);
    table_label(&s->lines, "", text);
}

void listing_count(listing *s, const char *name, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    listing_text(s, name, text, 1);
}

void listing_open(listing *s, const char *member, int listed)
{
    if (!s->to->text)
        json_open(&s->to->j, member, '{');
    else if (listed)
        arrput(s->list, '\0');
}

void listing_number(listing *s, const char *name, double value, const char *before, const char *shown,
                    const char *after)
{
    value += 0; /* -0 becomes 0 */
    if (!s->to->text) {
        json_number(&s->to->j, name, value);
    } else if (s->list) {
        append(&s->list, "%s%s:%g", arrlenu(s->list) > 1 ? " " : "", printable(name, EXCERPT), value);
    } else {
        table_text(&s->names, "%s%s%s", before, printable(shown, EXCERPT), printable(after, EXCERPT));
        table_text(&s->lines, isnan(value) ? "-" : "%g", value);
    }
}

void listing_close(listing *s, const char *column, const char *after)
{
    json_close(&s->to->j, '}');
    if (!s->list) return;
    table_text(&s->names, "%s%s", column, printable(after, EXCERPT));
    arrput(s->lines.cell, copy_text(s->list));
    arrfree(s->list);
}

void listing_end_line(listing *s)
{
    table *t = &s->lines;
    size_t i;
    if (!s->to->text) {
        json_close(&s->to->j, '}');
    } else if (t->columns == 0) { /* it is the first line */
        t->columns = arrlenu(s->names.cell);
        for (i = 0; i < t->columns; i++) arrput(s->names.cell, t->cell[i]);
        arrfree(t->cell);
        t->cell = s->names.cell;
        s->names.cell = NULL;
    } else {
        table_free(&s->names);
    }
}

void listing_print(listing *s, FILE *f)
{
    if (s->lines.columns) table_print(&s->lines, f);
    s->lines.columns = 0;
}
