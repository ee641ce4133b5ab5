/* Tables of text that line up: cells are added line by line. */
#ifndef TABLE_H
#define TABLE_H

#include "system.h"

enum { LABEL_LENGTH = 30 };   /* characters of a label that are shown */
#define TABLE_SILENT SIZE_MAX /* so many columns: nothing is added, there is nothing to print */

enum table_form { TABLE_PLAIN, TABLE_MARKDOWN, TABLE_LATEX }; /* of the others the first line is a head */

typedef struct table {
    char **cell;           /* stb_ds array, line by line */
    size_t columns, texts; /* the first ones, with texts, begin at the left */
    unsigned form;         /* enum table_form */
} table;

void table_text(table *t, const char *format, ...) __attribute__((format(SYSTEM_PRINTF, 2, 3)));
void table_count(table *t, uint64_t count);                        /* 0 is a point */
void table_measure(table *t, double value);                        /* NaN is a - */
void table_label(table *t, const char *before, const char *label); /* its first characters, on one line */
size_t table_width(const table *t);
void table_print(table *t, FILE *f); /* and frees it */
void table_free(table *t);

#endif
