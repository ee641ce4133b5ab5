/* Lines of named values, as --trace and --list print them: a table whose columns line up, or objects of JSON. */
#ifndef SHEET_H
#define SHEET_H

#include "cli/json.h"
#include "model.h"
#include "cli/table.h"

enum { SHEET_FEW = 12 }; /* features that all have columns */

typedef struct sheet {
    json *j;            /* NULL: a table */
    table names, lines; /* names: of the columns of the line that is being made */
    char *list;         /* stb_ds array: of a group that has one column for all of it; NULL: of none */
    uint32_t first;     /* what features without names are counted from */
} sheet;

void sheet_text(sheet *s, const char *name, const char *text, int is_word); /* word: in JSON without quotes */
void sheet_count(sheet *s, const char *name, uint64_t count);
/* Numbers with names: an object, or a column each, or one for all. `before`, `shown`, `after` name the column. */
void sheet_open(sheet *s, const char *member, int listed);
void sheet_number(sheet *s, const char *name, double value, const char *before, const char *shown, const char *after);
void sheet_close(sheet *s, const char *column, const char *after);
/* One of these for each class. */
void sheet_classes(sheet *s, const model *m, const char *member, const float *value);
/* Weights or the like, in the layout of l, an array that ends with those of the biases: of the features whose value in
 * `own` is not 0; NULL: of all. */
void sheet_weights(sheet *s, const model *m, const pcn_linear *l, const char *member, const float *from,
                   const float *own);
/* Behind the name of a column: of which class; nothing where there is one score and one vector of weights. */
const char *sheet_class(const model *m, uint32_t c);
void sheet_end_line(sheet *s);       /* the object is the caller's to open */
void sheet_print(sheet *s, FILE *f); /* the lines up to now, with the names above */

#endif
