#include "sheet.h"

void sheet_text(sheet *s, const char *name, const char *text, int is_word)
{
    if (s->j) {
        (is_word ? json_word : json_text)(s->j, name, text);
        return;
    }
    table_text(&s->names, "%s", name);
    table_label(&s->lines, "", text);
}

void sheet_count(sheet *s, const char *name, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    sheet_text(s, name, text, 1);
}

void sheet_open(sheet *s, const char *member, int listed)
{
    if (s->j)
        json_open(s->j, member, '{');
    else if (listed)
        arrput(s->list, '\0');
}

void sheet_number(sheet *s, const char *name, double value, const char *before, const char *shown, const char *after)
{
    char text[4 * EXCERPT + 64];
    int n;
    value += 0; /* no -0 */
    if (s->j) {
        json_number(s->j, name, value);
    } else if (s->list) {
        n = snprintf(text, sizeof text, "%s%s:%g", arrlenu(s->list) > 1 ? " " : "", printable(name, EXCERPT), value);
        (void)arrpop(s->list);
        memcpy(arraddnptr(s->list, (size_t)n + 1), text, (size_t)n + 1);
    } else {
        table_text(&s->names, "%s%s%s", before, printable(shown, EXCERPT), printable(after, EXCERPT));
        table_text(&s->lines, "%g", value);
    }
}

void sheet_close(sheet *s, const char *column, const char *after)
{
    if (s->j) json_close(s->j, '}');
    if (!s->list) return;
    table_text(&s->names, "%s%s", column, printable(after, EXCERPT));
    arrput(s->lines.cell, copy_text(s->list));
    arrfree(s->list);
}

const char *sheet_class(const model *m, uint32_t c)
{
    return model_units(m) > 1 ? model_unit_label(m, c) : "";
}

void sheet_classes(sheet *s, const model *m, const char *member, const float *value)
{
    const char *column = strcmp(member, "score") == 0 ? "W.X" : member;
    uint32_t c;
    sheet_open(s, member, 0);
    for (c = 0; c < model_units(m); c++)
        sheet_number(s, model_unit_label(m, c), (double)value[c], column, model_units(m) > 1 ? " " : "",
                     sheet_class(m, c));
    sheet_close(s, column, "");
}

void sheet_weights(sheet *s, const model *m, const pcn_linear *l, const char *member, const float *from,
                   const float *own)
{
    char room[FEATURE_ROOM], before[] = "w(", after[4 * EXCERPT + 8];
    const int listed = l->features > SHEET_FEW;
    uint32_t c, j;
    before[0] = *member; /* w or v */
    if (s->j) json_open(s->j, member, '{');
    for (c = 0; c < l->classes; c++) {
        snprintf(after, sizeof after, ")%s%s", l->classes > 1 ? " " : "", sheet_class(m, c));
        sheet_open(s, model_unit_label(m, c), listed);
        sheet_number(s, "(bias)", (double)from[(size_t)l->features * l->classes + c], before, "bias", after);
        for (j = 0; j < l->features; j++) {
            const char *name = model_feature(m, j, s->first, room);
            if (!own || !listed || own[j] != 0)
                sheet_number(s, name, (double)from[model_weight_at(l, c, j)], before, name, after);
        }
        sheet_close(s, member, after + 1);
    }
    if (s->j) json_close(s->j, '}');
}

void sheet_end_line(sheet *s)
{
    table *t = &s->lines;
    size_t i;
    if (s->j) {
        json_close(s->j, '}');
    } else if (t->columns == 0) { /* the first one */
        t->columns = arrlenu(s->names.cell);
        for (i = 0; i < t->columns; i++) arrput(s->names.cell, t->cell[i]);
        arrfree(t->cell);
        t->cell = s->names.cell;
        s->names.cell = NULL;
    } else {
        table_free(&s->names);
    }
}

void sheet_print(sheet *s, FILE *f)
{
    if (s->lines.columns) table_print(&s->lines, f);
    s->lines.columns = 0;
}
