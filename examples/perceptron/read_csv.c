/* Rows from CSV (RFC 4180). */
#include "reader_parts.h"
#include "window.h"

#include <math.h>

static void push_field(reader *r, size_t start, size_t column)
{
    field f;
    f.start = start;
    f.column = column;
    arrput(r->fields, f);
}

static char *field_text(const reader *r, size_t i)
{
    return r->text + r->fields[i].start;
}

/* Unquotes the field that begins at r->text[from] into r->text[*to] and returns where it ends. */
static size_t unquote(reader *r, size_t from, size_t *to)
{
    size_t opened = from++;
    for (;; r->text[(*to)++] = r->text[from++]) {
        if (r->text[from] == '"' && r->text[++from] != '"') return from;
        if (r->text[from] == '\0') {
            if (!reader_line(r, from + 1))
                reader_fail_at(r, reader_column(r, r->text + opened), "the quote is never closed");
            r->text[from] = '\n';
        }
    }
}

/* Cuts the record into fields, in place, reading on where a quoted field spans lines. */
static void cut_fields(reader *r)
{
    size_t from = 0, to = 0;
    char separator = r->options.separator;
    arrsetlen(r->fields, 0);
    for (;;) {
        push_field(r, to, from + 1);
        if (r->text[from] == '"') {
            from = unquote(r, from, &to);
            if (r->text[from] && r->text[from] != separator)
                reader_fail_at(r, reader_column(r, r->text + from), "text after a closing quote");
        }
        for (; r->text[from] && r->text[from] != separator; from++) {
            if (r->text[from] == '"')
                reader_fail_at(r, reader_column(r, r->text + from), "quote inside an unquoted field");
            r->text[to++] = r->text[from];
        }
        if (r->text[from] == '\0') break;
        r->text[to++] = '\0';
        from++;
    }
    r->text[to] = '\0';
}

/* The field as a number, blanks around it allowed; 0 if it is none. */
static int field_value(const char *text, float *value)
{
    const char *end = parse_float(skip_blanks(text), value);
    return end && *skip_blanks(end) == '\0';
}

static uint32_t find_name(char *const *names, const char *name)
{
    size_t i;
    for (i = 0; i < arrlenu(names); i++)
        if (strcmp(names[i], name) == 0) return (uint32_t)i;
    return NO_LABEL;
}

/* Where the label stands, from the first record; NO_LABEL: nowhere. */
static size_t find_label_column(const reader *r, int header)
{
    const reader_options *o = &r->options;
    size_t columns = arrlenu(r->fields), i, unknown = 0;
    long number;
    if (o->label) {
        for (i = 0; header && i < columns; i++)
            if (strcmp(field_text(r, i), o->label) == 0) return i;
        if (label_is_integer(o->label, &number) && number >= 1 && (size_t)number <= columns)
            return (size_t)number - 1;
        reader_fail_at(r, r->fields[0].column, "no label column '%s' among %zu columns", o->label, columns);
    }
    if (o->predict && header && o->names) {
        for (i = 0; i < columns; i++) unknown += find_name(o->names, field_text(r, i)) == NO_LABEL;
        if (unknown == 0) return NO_LABEL;
    } else if (o->predict && columns == o->features) {
        return NO_LABEL;
    }
    return columns - 1;
}

/* Names, label column and features of a CSV file. 1 if its first record is a header. */
static int read_header(reader *r)
{
    const reader_options *o = &r->options;
    size_t columns = arrlenu(r->fields), i, label;
    uint32_t next = 0, unknown = o->features;
    long number;
    float value;
    int header = o->header || (o->label && !label_is_integer(o->label, &number));
    label = header ? 0 : find_label_column(r, 0);
    for (i = 0; i < columns && !header; i++) header = i != label && !field_value(field_text(r, i), &value);
    r->label_column = label = find_label_column(r, header);
    arrsetlen(r->column_feature, columns);
    for (i = 0; i < columns; i++) {
        uint32_t feature = i == label ? NO_LABEL : next++;
        if (header && i != label) arrput(r->names, copy_text(field_text(r, i)));
        if (header && i != label && o->names) {
            feature = find_name(o->names, field_text(r, i));
            if (feature == NO_LABEL) feature = unknown++; /* beyond the model: ignored, counted */
        }
        r->column_feature[i] = feature;
    }
    r->features = header && o->names ? unknown : next;
    if (r->features > o->max_features)
        reader_fail_at(r, r->fields[0].column, "%lu columns are above the limit of %lu features (--max-dim)",
                       (unsigned long)r->features, (unsigned long)o->max_features);
    r->plain = !strchr("+-.0123456789Ee\"", o->separator);
    return header;
}

/* A row of zeros: those of the features that the file lacks stay. */
static void clear_values(reader *r)
{
    r->count = r->features;
    reader_reserve(r, r->count);
    memset(r->value, 0, r->count * sizeof *r->value);
}

/* The value at `start`: its end, NULL if there is none. */
static inline const char *plain_value(const reader *r, const char *start, float *value)
{
    uint64_t breaks = reader_breaks(r, start);
    numeral n;
    const char *p = start + take_numeral(start, 0, &breaks, &n);
    if (p != start && (*p == r->options.separator || *p == '\0')) {
        *value = numeral_value(&n, number_of(n.digits));
        return p;
    }
    p = parse_decimal(reader_limit(r), start, value);
    return p && !isinf(*value) ? p : NULL;
}

/* Four fields of integers of up to eight digits at p: where the separator behind them is, 0 if there are no
 * such. */
static inline uint64_t take_four_integers(const char *p, uint64_t breaks, char separator, float value[4])
{
    uint64_t a = take_bit(&breaks), b = take_bit(&breaks), c = take_bit(&breaks), d = take_bit(&breaks);
    uint32_t number[4];
    if (((a - 1) | (b - a - 2) | (c - b - 2) | (d - c - 2)) >= 8 || p[a] != separator || p[b] != separator ||
        p[c] != separator || p[d] != separator)
        return 0;
    four_numbers(last_characters(p, a), last_characters(p + a + 1, b - a - 1),
                 last_characters(p + b + 1, c - b - 1), last_characters(p + c + 1, d - c - 1), number, value);
    return d;
}

/* The same for any numerals. */
static inline uint64_t take_four_decimals(const char *p, uint64_t breaks, char separator, float value[4])
{
    numeral n[4];
    uint32_t number[4];
    uint64_t end = take_numeral(p, 0, &breaks, &n[0]);
    if (end == 0 || p[end] != separator) return 0;
    end = take_numeral(p, end + 1, &breaks, &n[1]);
    if (end == 0 || p[end] != separator) return 0;
    end = take_numeral(p, end + 1, &breaks, &n[2]);
    if (end == 0 || p[end] != separator) return 0;
    end = take_numeral(p, end + 1, &breaks, &n[3]);
    if (end == 0 || p[end] != separator) return 0;
    four_numbers(n[0].digits, n[1].digits, n[2].digits, n[3].digits, number, value);
    value[0] = numeral_value(&n[0], number[0]);
    value[1] = numeral_value(&n[1], number[1]);
    value[2] = numeral_value(&n[2], number[2]);
    value[3] = numeral_value(&n[3], number[3]);
    return end;
}

#ifdef HAVE_WINDOW
/* The values of the fields from *p on as long as a window shows such, at most `count`; returns their number. */
static size_t parse_field_windows(reader *r, const char **p, const uint32_t *feature, size_t count)
{
    const char *last = r->text + r->length;
    size_t i, k;
    float value[16];
    unsigned used, some;
    for (i = 0; i < count; i += some) {
        some = window_fields(*p, last, r->options.separator, count - i, value, &used);
        for (k = 0; k < some; k++) r->value[feature[i + k]] = value[k];
        if (some == 0) break;
        *p += used;
    }
    return i;
}
#endif

/* The same for numerals, four at a time. */
static size_t parse_fields(reader *r, const char **p, const uint32_t *feature, size_t count)
{
    const char separator = r->options.separator;
    size_t i = 0, k;
    float value[4];
#ifdef HAVE_WINDOW
    i = parse_field_windows(r, p, feature, count);
#endif
    for (; i + 4 <= count; i += 4) {
        uint64_t breaks = reader_breaks(r, *p), end = take_four_integers(*p, breaks, separator, value);
        if (end == 0) end = take_four_decimals(*p, breaks, separator, value);
        if (end == 0) break;
        for (k = 0; k < 4; k++) r->value[feature[i + k]] = value[k];
        *p += end + 1;
    }
    return i;
}

/* Takes a record of numbers and perhaps a label without quotes and blanks; 0 if it is not such. */
static int take_plain_record(reader *r)
{
    const char *p = r->text, *label = NULL;
    const char separator = r->options.separator;
    const uint32_t *feature = r->column_feature;
    const size_t columns = arrlenu(feature), at = r->label_column;
    size_t length = 0, i;
    clear_values(r);
    for (i = 0;; i++, p++) {
        if (i == 0 || i == at + 1)
            i += parse_fields(r, &p, feature + i, (i <= at && at < columns ? at : columns - 1) - i);
        if (i == at) {
            for (label = p; *p && *p != separator && *p != '"' && !is_blank(*p);) p++;
            length = (size_t)(p - label);
        } else {
            p = plain_value(r, p, &r->value[feature[i]]);
            if (!p) return 0;
        }
        if (i + 1 == columns) break;
        if (*p != separator) return 0;
    }
    if (*p != '\0') return 0;
    if (label) reader_set_label(r, label, length, reader_column(r, label), 1);
    return 1;
}

/* Takes the record that has been cut into fields. */
static void take_fields(reader *r)
{
    size_t i;
    if (arrlenu(r->fields) != arrlenu(r->column_feature))
        reader_fail_at(r, r->fields[arrlenu(r->fields) - 1].column, "%zu fields, the first record had %zu",
                       (size_t)arrlenu(r->fields), (size_t)arrlenu(r->column_feature));
    clear_values(r);
    for (i = 0; i < arrlenu(r->fields); i++) {
        float value;
        if (i == r->label_column) continue;
        if (!field_value(field_text(r, i), &value))
            reader_fail_at(r, r->fields[i].column, "'%s' is not a finite decimal number", field_text(r, i));
        if (isinf(value)) reader_fail_at(r, r->fields[i].column, "the value overflows a 32-bit float");
        r->value[r->column_feature[i]] = value;
    }
    if (r->label_column != NO_LABEL) {
        const char *text = skip_blanks(field_text(r, r->label_column));
        size_t length = strlen(text);
        while (length && is_blank(text[length - 1])) length--;
        reader_set_label(r, text, length, r->fields[r->label_column].column, 1);
    }
}

int reader_next_csv(reader *r)
{
    size_t i;
    r->label = NULL;
    for (;;) {
        do
            if (!reader_line(r, 0)) return 0;
        while (r->text[0] == '\0');
        if (r->column_feature && r->plain && take_plain_record(r)) break;
        cut_fields(r);
        if (!r->column_feature && read_header(r)) continue;
        take_fields(r);
        break;
    }
    for (i = 0; i < r->count && r->options.binarize; i++) r->value[i] = r->value[i] != 0;
    return 1;
}
