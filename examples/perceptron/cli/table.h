/* Prints tables whose columns line up. Cells are added line by line. */
#ifndef TABLE_H
#define TABLE_H

#include "system.h"

enum { LABEL_LENGTH = 30 };   /* characters of a label that a table shows */
#define TABLE_SILENT SIZE_MAX /* a table of so many columns takes no cells, and prints nothing */

enum table_form { TABLE_PLAIN, TABLE_MARKDOWN, TABLE_LATEX }; /* the first line of MARKDOWN and LATEX is a head */

typedef struct table {
    char **cell;           /* stb_ds array, line by line */
    size_t columns, texts; /* the first `texts` columns have texts, which begin at the left */
    unsigned form;         /* enum table_form */
} table;

void table_text(table *t, const char *format, ...) __attribute__((format(SYSTEM_PRINTF, 2, 3)));
void table_count(table *t, uint64_t count);                        /* a point stands for 0 */
void table_measure(table *t, double value);                        /* a - stands for NaN */
void table_label(table *t, const char *before, const char *label); /* adds its first characters, on one line */
size_t table_width(const table *t);
void table_print(table *t, FILE *f); /* prints the table and frees it */
void table_free(table *t);

#endif
