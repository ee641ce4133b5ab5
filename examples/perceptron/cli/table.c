#include "table.h"
#include "common.h"

#include <math.h>
#include <stdarg.h>

void table_text(table *t, const char *format, ...)
{
    char text[5 * LABEL_LENGTH + 32]; /* a character has 4 bytes at most */
    va_list arguments;
    if (t->columns == TABLE_SILENT) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    arrput(t->cell, copy_text(text));
}

void table_count(table *t, uint64_t count)
{
    if (count)
        table_text(t, "%llu", (unsigned long long)count);
    else
        table_text(t, "."); /* so that counts above 0 are seen at once */
}

void table_measure(table *t, double value)
{
    if (isnan(value))
        table_text(t, "-");
    else
        table_text(t, "%.4f", value);
}

static int continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80; /* it is not the first byte of a character of UTF-8 */
}

static size_t characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++) n += !continues(*text);
    return n;
}

void table_label(table *t, const char *before, const char *label)
{
    char text[4 * LABEL_LENGTH + 4];
    size_t i = 0, n = 0;
    int cut = characters(label) > LABEL_LENGTH;
    for (; i < 4 * LABEL_LENGTH && label[i]; i++) {
        n += !continues(label[i]);
        if (cut && n > LABEL_LENGTH - 3) break;
        text[i] = (unsigned char)label[i] < ' ' ? '?' : label[i];
    }
    strcpy(text + i, cut ? "..." : "");
    table_text(t, "%s%s", before, text);
}

static const struct {
    const char *before, *between, *after, *special; /* special: characters that a backslash makes plain */
} forms[] = {{"", "  ", "\n", ""}, {"| ", " | ", " |\n", "\\`*_{}[]<>|#~$&"}, {"", " & ", " \\\\\n", "#$%&_{}"}};

/* Returns the text as the form needs it, a new string, and frees the old one. */
static char *escaped(char *text, unsigned form)
{
    char *out = NULL, *copy; /* stb_ds array */
    const char *c;
    append(&out, "%s", "");
    for (c = text; *c; c++) {
        const int minus = *c == '-' && c == text && c[1] >= '0' && c[1] <= '9';
        if (strchr(forms[form].special, *c))
            append(&out, "\\%c", *c);
        else if (form == TABLE_LATEX && (minus || strchr("\\<>|~^\"", *c)))
            append(&out, minus ? "$-$" : "\\texttt{\\char%d}", *c);
        else
            append(&out, "%c", *c);
    }
    copy = copy_text(out);
    arrfree(out);
    free(text);
    return copy;
}

static size_t column_width(const table *t, size_t column)
{
    size_t i, width = 0;
    for (i = column; i < arrlenu(t->cell); i += t->columns) {
        size_t length = characters(t->cell[i]);
        if (length > width) width = length;
    }
    return width;
}

size_t table_width(const table *t)
{
    size_t j, width = 2 * (t->columns - 1);
    for (j = 0; j < t->columns; j++) width += column_width(t, j);
    return width;
}

void table_free(table *t)
{
    texts_free(&t->cell);
}

/* Prints what stands above the head, or below it. */
static void print_rule(const table *t, int below, FILE *f)
{
    size_t j;
    if (t->form == TABLE_PLAIN || (t->form == TABLE_MARKDOWN && !below)) return;
    if (t->form == TABLE_LATEX) fputs(below ? "\\hline" : "\\begin{tabular}{", f);
    for (j = 0; j < t->columns; j++) {
        if (t->form == TABLE_MARKDOWN)
            fputs(j < t->texts ? "|---" : "|--:", f);
        else if (!below)
            fputs(j < t->texts ? "l" : "r", f);
    }
    fputs(t->form == TABLE_MARKDOWN ? "|\n" : below ? "\n" : "}\n", f);
}

void table_print(table *t, FILE *f)
{
    size_t *width = allocate(t->columns, sizeof *width), i, j;
    for (i = 0; i < arrlenu(t->cell) && t->form; i++) t->cell[i] = escaped(t->cell[i], t->form);
    print_rule(t, 0, f);
    for (j = 0; j < t->columns; j++) width[j] = column_width(t, j);
    for (i = 0; i < arrlenu(t->cell); i++) {
        int blanks = (int)(width[j = i % t->columns] - characters(t->cell[i])), last = j + 1 == t->columns;
        if (j == 0) fputs(forms[t->form].before, f);
        if (j < t->texts)
            fprintf(f, "%s%*s", t->cell[i], last && !t->form ? 0 : blanks, "");
        else
            fprintf(f, "%*s%s", blanks, "", t->cell[i]);
        fputs(last ? forms[t->form].after : forms[t->form].between, f);
        if (i + 1 == t->columns) print_rule(t, 1, f);
    }
    if (t->form == TABLE_LATEX) fputs("\\end{tabular}\n", f);
    free(width);
    table_free(t);
}
