/* Decides whether the first record of CSV is a header. The rule is on the program's page: "Names in the first line". */
#include "reader_parts.h"

/* ---- Columns ---- */

size_t find_column(const reader *r, const char *text, int header)
{
    size_t columns = arrlenu(r->own.fields), i;
    long number;
    for (i = 0; header && i < columns; i++)
        if (strcmp(reader_field(r, i), text) == 0) return i;
    return label_is_integer(text, &number) && number >= 1 && (size_t)number <= columns ? (size_t)number - 1 : NO_COLUMN;
}

static int names_column(const char *text)
{
    long number;
    return text && !label_is_integer(text, &number);
}

/* Do the options give the name of a column? Options that a model remembers do not tell of another file. */
static int options_name(const reader_options *o)
{
    size_t i;
    int named = names_column(o->label);
    if (o->model_labels && !o->ignore_given) return named;
    for (i = 0; i < arrlenu(o->ignore); i++) named |= names_column(o->ignore[i]);
    if (o->model_labels) return named;
    for (i = 0; i < arrlenu(o->nominal); i++) named |= names_column(o->nominal[i]);
    for (i = 0; i < arrlenu(o->text_columns); i++) named |= names_column(o->text_columns[i]);
    for (i = 0; i < arrlenu(o->dates); i++) {
        enum date_order order;
        char *column = dated_column(o->dates[i], &order);
        named |= names_column(column);
        free(column);
    }
    return named;
}

size_t trained_columns(const reader *r)
{
    return names_needed(&r->options) + r->options.model_ignored + 1;
}

size_t trained_number(const reader *r, size_t i)
{
    const reader_options *o = &r->options;
    const size_t label = o->model_label_column;
    return i + 1 +
           (o->model_labels && !o->label && label && i + 1 >= label &&
            arrlenu(r->own.fields) + 1 == trained_columns(r));
}

size_t find_ignored(const reader *r, const char *text, int header)
{
    size_t i = 0, columns = arrlenu(r->own.fields);
    long number;
    if (header || r->options.ignore_given || !r->options.model_labels) return find_column(r, text, header);
    if (!label_is_integer(text, &number)) return NO_COLUMN;
    while (i < columns && trained_number(r, i) != (size_t)number) i++;
    return i < columns ? i : NO_COLUMN;
}

/* Is column i one of --ignore? Before columns are known, only their numbers tell. */
static int is_ignored(const reader *r, size_t i)
{
    size_t k;
    if (r->own.columns) return r->own.columns[i].kind == COLUMN_IGNORED;
    for (k = 0; k < arrlenu(r->options.ignore); k++)
        if (find_ignored(r, r->options.ignore[k], 0) == i) return 1;
    return 0;
}

size_t label_by_number(const reader *r)
{
    const reader_options *o = &r->options;
    size_t columns = arrlenu(r->own.fields);
    if (o->label) return find_column(r, o->label, 0);
    if (o->model_labels && columns != trained_columns(r)) return NO_COLUMN;
    if (o->model_label_column) return o->model_label_column - 1;
    while (columns > 0 && is_ignored(r, columns - 1)) columns--;
    return columns > 0 ? columns - 1 : NO_COLUMN;
}

/* ---- The sample ---- */

static const char *cell(const sample *s, size_t row, size_t i)
{
    return s->text + s->cell[row * s->columns + i];
}

/* Do the numbers of a row count up by one, in the columns where the first record has numbers? Returns how many numbers
 * these are, if they are three or more, or two from 0 or 1; otherwise 0. */
static size_t counts_up(const reader *r, const sample *s, size_t row, long *first)
{
    size_t i, count = 0;
    long number = 0;
    *first = 0;
    for (i = 0; i < s->columns; i++) {
        if (!field_is_number(cell(s, 0, i)) || is_ignored(r, i)) continue;
        if (!label_is_integer(cell(s, row, i), &number)) return 0;
        if (count == 0) *first = number;
        if (number != *first + (long)count++) return 0;
    }
    return count > 2 || (count == 2 && (*first == 0 || *first == 1)) ? count : 0;
}

/* Returns how likely it is that the numbers of a row count up: the product, over neighbours, of how often they do in
 * the rows below. */
static double chance_to_count(const reader *r, const sample *s)
{
    size_t i, row, before = NO_COLUMN;
    double chance = 1;
    for (i = 0; i < s->columns; i++) {
        size_t pairs = 1;
        long a, b;
        if (!field_is_number(cell(s, 0, i)) || is_ignored(r, i)) continue;
        for (row = 1; before != NO_COLUMN && row < s->rows; row++)
            pairs += label_is_integer(cell(s, row, before), &a) && label_is_integer(cell(s, row, i), &b) && b == a + 1;
        if (before != NO_COLUMN) chance *= (double)pairs / (double)s->rows;
        before = i;
    }
    return chance;
}

static int same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static int same_form(const char *a, const char *b)
{
    return field_form(a) == field_form(b);
}

/* Returns how likely it is that a row has something new in column i, as the first record has, or 0 if that is not new.
 * If of n texts below k are like no other, the next text is new with a chance of about (1 + k) / (1 + n) (Good and
 * Turing). Sets *odd if that is less than a tenth. */
static double chance_of_new(const sample *s, size_t i, int (*same)(const char *, const char *), int *odd)
{
    size_t row, other, all = 0, single = 0;
    for (row = 1; row < s->rows; row++) {
        const char *below = cell(s, row, i);
        if (is_missing(below)) continue;
        if (same(below, cell(s, 0, i))) return 0;
        for (other = 1; other < s->rows && (other == row || !same(below, cell(s, other, i)));) other++;
        single += other == s->rows;
        all++;
    }
    *odd |= 10 * (1 + single) < 1 + all;
    return (double)(1 + single) / (double)(1 + all);
}

/* Does the record have the same number in two columns? Then they are not names. */
static int has_equal_numbers(const reader *r, const sample *s)
{
    name_number *seen = NULL;
    size_t i;
    int equal = 0;
    sh_new_arena(seen);
    for (i = 0; i < s->columns; i++) {
        if (is_ignored(r, i) || !field_is_number(cell(s, 0, i))) continue;
        equal |= names_have(seen, cell(s, 0, i));
        shput(seen, cell(s, 0, i), 1);
    }
    shfree(seen);
    return equal;
}

/* ---- The rule ---- */

/* Ends the program with a question that shows both readings. */
static void ask(const reader *r, size_t label) __attribute__((noreturn));

static void ask(const reader *r, size_t label)
{
    const size_t columns = arrlenu(r->own.fields);
    const size_t shown = label == NO_COLUMN ? columns - 1 : label, other = shown == 0 && columns > 1;
    if (strncmp(reader_field(r, 0), "sep=", 4) == 0)
        reader_fail_at(r, 1, "'sep=' tells a spreadsheet the separator and is no row: leave the line out");
    reader_fail_at(
        r, 1,
        "are these names or a row? As names, '%s' is a column and '%s' the column of the label; as a row, '%s' "
        "is a value and '%s' the label%s: %s--header takes names, --header=no a row",
        printable(reader_field(r, other), EXCERPT), printable(reader_field(r, shown), EXCERPT),
        printable(reader_field(r, other), EXCERPT), printable(reader_field(r, shown), EXCERPT),
        label == NO_COLUMN ? " or a value" : "", reader_by(r));
}

/* Decides by the rows, in a file that a new model learns from. */
static int rows_tell(const reader *r, const sample *s, size_t label)
{
    size_t i, row, other_texts = 0, again = 0, fitting = 0, count;
    long first;
    int odd = 0, names;
    double chance = 1;
    if (label == NO_COLUMN) return 0; /* set_label_column refuses that */
    again += (size_t)has_equal_numbers(r, s);
    count = counts_up(r, s, 0, &first);
    for (row = 1; count && row < s->rows; row++)
        if (counts_up(r, s, row, &first)) count = 0;
    if (count) chance = chance_to_count(r, s);
    for (i = 0; i < s->columns; i++) {
        const char *text = cell(s, 0, i);
        int is_number = field_is_number(text);
        size_t numbers = 0, texts = 0, dates = 0;
        double value, form;
        if (is_missing(text) || is_ignored(r, i)) continue;
        for (row = 1; row < s->rows; row++) {
            const char *below = cell(s, row, i);
            dates += date_orders(below) != 0 && !is_gap(r, below);
            numbers += (size_t)field_is_number(below);
            texts += (size_t)(field_is_text(below) && !is_gap(r, below));
        }
        if (dates > 0 && dates == texts && numbers == 0) { /* dates count as numbers */
            is_number |= date_orders(text) != 0;
            numbers = dates;
            texts = 0;
        }
        if (numbers > 0 && is_gap(r, text)) continue;
        fitting += is_number && texts == 0;
        other_texts += !is_number && numbers > 0 && texts == 0;
        if (is_number && (i != label || count)) continue;
        value = chance_of_new(s, i, same_text, &odd);
        if (is_number) continue;
        again += value <= 0;
        form = value > 0 ? chance_of_new(s, i, same_form, &odd) : 0;
        if (value > 0) chance *= form > 0 && form < value ? form : value;
    }
    if (count > 2 || (count && (odd || other_texts))) fitting = 0;
    names = other_texts > 0 || chance < 1e-3;
    if (names && !again && !fitting) return 1;
    if (!names && (again || (fitting && !odd))) return 0;
    ask(r, label);
}

/* Is the text the name of a column of the model? */
static int is_name(const reader *r, const char *text, name_number *prefixes)
{
    const reader_options *o = &r->options;
    size_t i = 0;
    while (i < arrlenu(o->ignore) && strcmp(o->ignore[i], text) != 0) i++;
    return names_have(r->own.dictionary, text) || names_have(prefixes, text) || i < arrlenu(o->ignore) ||
           (o->model_label && strcmp(o->model_label, text) == 0);
}

/* Decides by what a model knows, in a file for it. */
static int model_tells(const reader *r, const sample *s, name_number *prefixes, size_t label)
{
    const reader_options *o = &r->options;
    const int numbered = names_are_numbers(o), named = o->names && !numbered;
    size_t i, known = 0, used = 0, texts = 0, numbers = 0, misplaced = 0, values = 0, count;
    long first;
    for (i = 0; i < s->columns; i++) {
        char *text = reader_field(r, i), name[24 + EXCERPT];
        const int is_date = o->date && date_orders(text), is_label = i == label;
        const int is_text = field_is_text(text) && !is_date;
        if (named && is_text && is_name(r, text, prefixes)) return 1;
        if (is_ignored(r, i)) continue;
        used++;
        known += named && is_name(r, text, prefixes);
        numbers += (is_date || field_is_number(text)) && !is_label;
        values += is_label && labels_find(o->model_labels, text) != NO_LABEL;
        if (!is_text || is_label) continue;
        texts++;
        if (numbered) snprintf(name, sizeof name, "%zu", trained_number(r, i));
        misplaced += numbered ? (size_t)names_have(r->own.dictionary, name) : !o->names || shlenu(prefixes) == 0;
        if (numbered) snprintf(name, sizeof name, "%zu=%.*s", trained_number(r, i), EXCERPT, text);
        values += numbered && (names_have(r->own.dictionary, name) || o->text_columns || strlen(text) >= EXCERPT);
    }
    if (misplaced > 0 && numbers == 0) return 1;
    count = counts_up(r, s, 0, &first);
    if (named && known == used && count > 2) return 1;
    if ((known > 0 && known == used) || (count > 2 && (named || first == 0 || first == 1)) ||
        (numbered && texts > 0 && values + numbers == 0))
        ask(r, label);
    return 0;
}

int must_see_more(const reader *r, const sample *s)
{
    const size_t label = label_by_number(r);
    size_t i;
    long first;
    if (!reader_streams(&r->options) || r->options.header == HEADER_YES || options_name(&r->options)) return 1;
    for (i = 0; i < s->columns; i++)
        if (i != label && !is_ignored(r, i) && field_is_text(cell(s, 0, i))) return 1;
    return counts_up(r, s, 0, &first) > 0;
}

int is_header(const reader *r, const sample *s, name_number *prefixes)
{
    const reader_options *o = &r->options;
    if (o->header == HEADER_YES || o->header == HEADER_NO) return o->header == HEADER_YES;
    if (options_name(o)) return 1;
    return o->model_labels ? model_tells(r, s, prefixes, label_by_number(r)) : rows_tell(r, s, label_by_number(r));
}
