/* Makes what rows of every format have: values in order, features by their names, a label. */
#include "reader_parts.h"

#include <math.h>
#include <stdarg.h>

enum { MOVES = 150 }; /* after so many moves, and one for each value, sorting a row by bytes is as fast */

const row_format format_unknown = {.has_comments = 1, .has_quotes = 1};

void reader_fail_at(const reader *r, size_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lines_fail_with(&r->lines, column, format, arguments);
}

void reader_fail(const reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lines_fail_with(&r->lines, 0, format, arguments);
}

const char *reader_by(const reader *r)
{
    return r->options.read_for == READ_FOR_TEST ? "perceptron predict with " : "";
}

int reader_has_line(reader *r)
{
    text_lines *l = &r->lines;
    l->newline = memchr(l->next, '\n', (size_t)(l->end - l->next));
    if (!l->newline) return 0;
    if (r->format->has_comments && *skip_blanks(l->next) == '#') return 0;
    return !r->format->has_quotes || !memchr(l->next, '"', (size_t)(l->newline - l->next));
}

int reader_expects(const reader_options *o, const char *name)
{
    const char *known = o->found ? o->found->name : o->format;
    if (o->no_rows) return 0;
    return !known || strcmp(known, "auto") == 0 ? -1 : strcmp(known, name) == 0;
}

int reader_labels_are_numbers(const reader_options *o, const row_format *of)
{
    return (of && of->has_numbers) || o->number_labels;
}

void reader_reserve(reader *r, size_t count)
{
    if (count <= r->own.value_room) return;
    r->own.value_room = 2 * count;
    r->index = reallocate(r->index, r->own.value_room * sizeof *r->index);
    r->value = reallocate(r->value, r->own.value_room * sizeof *r->value);
}

void reader_set_offset(reader *r, uint32_t feature, double offset)
{
    while (arrlenu(r->offset) <= feature) arrput(r->offset, 0);
    r->offset[feature] = offset;
}

float reader_less_offset(reader *r, uint32_t feature, const char *text, float value)
{
    if (r->own.finds_offsets && fabsf(value) >= OFFSET_FROM) reader_set_offset(r, feature, strtod(text, NULL));
    return reader_offset(r, feature) == 0 ? value : (float)(strtod(text, NULL) - reader_offset(r, feature));
}

typedef struct row_cell {
    uint32_t index;
    float value;
} row_cell;

/* Sorts by the bytes of the indices, the lowest byte first. What is equal in a byte keeps its order. */
static void sort_cells(uint32_t *index, float *value, size_t n)
{
    row_cell *all = allocate(2 * n, sizeof *all), *from = all, *to = all + n, *other;
    uint32_t bits = 0, shift;
    size_t i, k;
    for (i = 0; i < n; i++) {
        from[i].index = index[i];
        from[i].value = value[i];
        bits |= index[i];
    }
    for (shift = 0; shift < 32 && bits >> shift; shift += 8) {
        size_t place[257] = {0};
        for (i = 0; i < n; i++) place[(from[i].index >> shift & 255) + 1]++;
        for (k = 1; k < 256; k++) place[k] += place[k - 1];
        for (i = 0; i < n; i++) to[place[from[i].index >> shift & 255]++] = from[i];
        other = from;
        from = to;
        to = other;
    }
    for (i = 0; i < n; i++) {
        index[i] = from[i].index;
        value[i] = from[i].value;
    }
    free(all);
}

void reader_sort(reader *r, size_t from)
{
    const size_t n = r->count - from;
    size_t i, j, moves = 0;
    uint32_t *all;
    float *values;
    if (n < 2) return; /* a row without a feature may have no arrays yet */
    all = r->index + from;
    values = r->value + from;
    for (i = 1; i < n && moves <= MOVES + n; i++) { /* by insertion, because most rows are short or nearly sorted */
        const uint32_t index = all[i];
        const float value = values[i];
        for (j = i; j > 0 && all[j - 1] > index; j--, moves++) {
            all[j] = all[j - 1];
            values[j] = values[j - 1];
        }
        all[j] = index;
        values[j] = value;
    }
    if (i < n) sort_cells(all, values, n);
}

int reader_takes_empty(reader *r)
{
    r->empty++;
    return r->options.every_line;
}

int reader_takes_left_out(reader *r)
{
    if (!r->options.every_line || r->own.left_out) return r->options.every_line;
    r->own.left_out = 1;
    r->own.grew = r->grows;
    r->grows = 0;
    return 1;
}

void reader_begin_names(reader *r)
{
    const reader_options *o = &r->options;
    size_t i;
    sh_new_arena(r->own.dictionary);
    for (i = 0; i < arrlenu(o->names); i++) shput(r->own.dictionary, o->names[i], (uint32_t)i);
    r->features = o->features;
    r->grows = o->features == 0 || o->grows;
}

void reader_add_named(reader *r, const char *name)
{
    ptrdiff_t i = shgeti(r->own.dictionary, name);
    if (i < 0 && !r->grows) {
        if (reader_refuses_new(r))
            reader_fail(r, "'%s' is not one of the model's features: %s", printable(name, EXCERPT),
                        reader_refuses_new(r));
        r->unknown++;
        return;
    }
    reader_reserve(r, r->count + 1);
    r->value[r->count] = 1;
    r->index[r->count++] = i < 0 ? r->features : r->own.dictionary[i].value;
    if (i >= 0) return;
    if (r->features == r->options.max_features)
        reader_fail(r, "more than %lu features (--max-dim)", (unsigned long)r->options.max_features);
    shput(r->own.dictionary, name, r->features);
    r->features++;
    arrput(r->names, copy_text(name));
}

/* Is it an integer of up to nine digits, as %ld writes it? */
static int is_canonical(const char *text, size_t length)
{
    size_t i = *text == '-', digits = length - i;
    if (digits == 0 || digits > 9 || (text[i] == '0' && length > 1)) return 0;
    while (i < length && digit_at(text + i) <= 9) i++;
    return i == length;
}

void reader_set_label(reader *r, const char *text, size_t length, size_t column, int words)
{
    const labels *texts = r->options.number_labels
                              ? NULL
                              : r->options.model_labels; /* a label of libsvm text may be one of them */
    const int numbers = reader_labels_are_numbers(&r->options, r->format);
    size_t plus = numbers && !texts && length > 1 && text[0] == '+' && text[1] != '-';
    long value;
    float number;
    const char *end;
    r->label = r->own.label_text;
    if (is_canonical(text + plus, length - plus)) {
        memcpy(r->own.label_text, text + plus,
               PLAIN_LABEL); /* more than the label has: copying a fixed size needs no call */
        r->own.label_text[length - plus] = '\0';
        return;
    }
    if (length >= r->own.label_room) r->own.label_text = reallocate(r->own.label_text, r->own.label_room = 2 * length);
    memcpy(r->own.label_text, text, length);
    r->own.label_text[length] = '\0';
    r->label = text = r->own.label_text;
    if (numbers && texts && labels_find(texts, text) != NO_LABEL) return;
    if (numbers && label_is_integer(text, &value)) {
        sprintf(r->own.label_text, "%ld", value);
        return;
    }
    if (length == 0) reader_fail_at(r, column, "empty label");
    if (words) return;
    end = parse_float(text, &number);
    if ((end && *end == '\0') || strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0)
        reader_fail_at(r, column, "label %s is not an integer of 32 bits", printable(text, EXCERPT));
    if (strchr(text, ',')) reader_fail_at(r, column, SEVERAL_LABELS, printable(text, EXCERPT));
    reader_fail_at(r, column, "label '%s' is not an integer (--word-labels allows others)", printable(text, EXCERPT));
}
