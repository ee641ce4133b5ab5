#include "weight_table.h"

const char *list_class_name(const model *m, uint32_t c)
{
    return model_units(m) > 1 ? model_unit_label(m, c) : "";
}

void list_classes(listing *s, const model *m, const char *member, const float *value)
{
    const char *column = strcmp(member, "score") == 0 ? "W.X" : member;
    uint32_t c;
    listing_open(s, member, 0);
    for (c = 0; c < model_units(m); c++)
        listing_number(s, model_unit_label(m, c), (double)value[c], column, model_units(m) > 1 ? " " : "",
                       list_class_name(m, c));
    listing_close(s, column, "");
}

void list_weights(listing *s, const model *m, const pcn_linear *l, const char *member, const float *from,
                  const float *own)
{
    char room[FEATURE_ROOM], before[4], after[4 * EXCERPT + 8];
    const int listed = l->features > LISTING_FEW;
    uint32_t c, j;
    snprintf(before, sizeof before, "%c%s(", *member, member[1] == '*' ? "*" : "");
    json_open(&s->to->j, member, '{');
    for (c = 0; c < l->scores; c++) {
        snprintf(after, sizeof after, ")%s%s", l->scores > 1 ? " " : "", list_class_name(m, c));
        listing_open(s, model_unit_label(m, c), listed);
        listing_number(s, "(bias)", (double)from[(size_t)l->features * l->scores + c], before, "bias", after);
        for (j = 0; j < l->features; j++) {
            const char *name = model_feature(m, j, s->first, room);
            if (!own || !listed || own[j] != 0)
                listing_number(s, name, (double)from[model_weight_at(l, c, j)], before, name, after);
        }
        listing_close(s, member, after + 1);
    }
    json_close(&s->to->j, '}');
}
