#include "lessons.h"

void blank_cells(table *t, size_t given, const settings *s, table *key)
{
    size_t *cell = NULL, i; /* stb_ds array: those that may be left empty */
    uint8_t *empty;
    uint32_t n, k;
    pcn_pass draw;
    for (i = t->columns; i < arrlenu(t->cell); i++)
        if (i % t->columns >= given && *t->cell[i]) arrput(cell, i);
    if (s->blank > arrlenu(cell))
        die(EXIT_USAGE, "--blank %lu: of this table %lu cells can be computed", (unsigned long)s->blank,
            (unsigned long)arrlenu(cell));
    empty = allocate_zero(arrlenu(cell), 1);
    pcn_pass_init(&draw, (uint32_t)arrlenu(cell), 1, s->seed);
    for (n = 0; n < s->blank && pcn_pass_next(&draw, &k); n++) empty[k] = 1;
    table_text(key, "line");
    table_text(key, "column");
    table_text(key, "answer");
    for (k = 0; k < arrlenu(cell); k++) {
        char **at = &t->cell[cell[k]];
        if (!empty[k]) continue;
        table_text(key, "%lu", (unsigned long)(cell[k] / t->columns));
        arrput(key->cell, copy_text(t->cell[cell[k] % t->columns]));
        arrput(key->cell, *at);
        *at = copy_text(t->form == TABLE_PLAIN ? "_" : "");
    }
    arrfree(cell);
    free(empty);
}
