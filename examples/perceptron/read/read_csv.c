/* Rows from CSV (RFC 4180). */
#include "reader_parts.h"

#include <math.h>

static void push_field(reader *r, size_t start, size_t column)
{
    field f;
    f.start = start;
    f.column = column;
    arrput(r->own.fields, f);
}

/* Unquotes the field that begins at r->own.text[from] into r->own.text[*to] and returns where it ends. */
static size_t unquote(reader *r, size_t from, size_t *to)
{
    size_t opened = from++;
    for (;; r->own.text[(*to)++] = r->own.text[from++]) {
        if (r->own.text[from] == '"' && r->own.text[++from] != '"') return from;
        if (r->own.text[from] == '\0') {
            if (!reader_line(r, from + 1))
                reader_fail_at(r, reader_column(r, r->own.text + opened), "the quote is never closed%s",
                               r->own.left == 0 ? " in the part of this process, which ends with a line" : "");
            r->own.text[from] = '\n';
        }
    }
}

/* Cuts the record into fields, in place, reading on where a quoted field spans lines. */
static void cut_fields(reader *r)
{
    size_t from = 0, to = 0;
    char separator = r->options.separator;
    arrsetlen(r->own.fields, 0);
    for (;;) {
        push_field(r, to, from + 1);
        if (r->own.text[from] == '"') {
            from = unquote(r, from, &to);
            if (r->own.text[from] && r->own.text[from] != separator)
                reader_fail_at(r, reader_column(r, r->own.text + from), "text after a closing quote");
        }
        for (; r->own.text[from] && r->own.text[from] != separator; from++) {
            if (r->own.text[from] == '"')
                reader_fail_at(r, reader_column(r, r->own.text + from), "quote inside an unquoted field");
            r->own.text[to++] = r->own.text[from];
        }
        if (r->own.text[from] == '\0') break;
        r->own.text[to++] = '\0';
        from++;
    }
    r->own.text[to] = '\0';
}

/* Of a column of numbers that the file lacks. */
static float lacking_value(const reader *r, uint32_t feature)
{
    const int gap = r->options.missing != MISSING_ZERO && feature < r->options.numbers;
    return gap ? NAN : (float)(0 - reader_offset(r, feature));
}

/* A row of zeros, or of gaps: those of the features that the file lacks stay. Behind it goes what is left out, and the
 * weight. */
static void clear_values(reader *r)
{
    size_t j;
    r->count = r->features;
    reader_reserve(r, r->count + 2);
    memset(r->value, 0, r->count * sizeof *r->value);
    for (j = 0; j < r->numbers && j < r->count; j++) r->value[j] = lacking_value(r, (uint32_t)j);
}

/* Of a sparse row: the numbers that each row has. */
static void clear_numbers(reader *r)
{
    reader_reserve(r, r->numbers);
    for (r->count = 0; r->count < r->numbers; r->count++) {
        r->index[r->count] = (uint32_t)r->count;
        r->value[r->count] = lacking_value(r, (uint32_t)r->count);
    }
}

/* The value at `start`: its end, NULL if there is none. */
static inline const char *plain_value(reader *r, const char *start, float *value)
{
    uint64_t breaks = reader_breaks(r, start);
    numeral n;
    const char *p = start + take_numeral(start, 0, &breaks, &n);
    if (p != start && (*p == r->options.separator || *p == '\0')) {
        r->has_long |= p - start > LONG_NUMBER;
        *value = numeral_value(&n, number_of(n.digits));
        return p;
    }
    p = parse_decimal(reader_limit(r), start, value);
    r->has_long |= p && p - start > LONG_NUMBER;
    return p && fabsf(*value) < BEYOND_DOUBLES ? p : NULL;
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
    four_numbers(last_characters(p, a), last_characters(p + a + 1, b - a - 1), last_characters(p + b + 1, c - b - 1),
                 last_characters(p + c + 1, d - c - 1), number, value);
    return d;
}

/* The same for any numerals. *has_long is set if one has eight digits. */
static inline uint64_t take_four_decimals(const char *p, uint64_t breaks, char separator, float value[4], int *has_long)
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
    *has_long |= (int)((n[0].digits | n[1].digits | n[2].digits | n[3].digits) & 0x0F);
    value[0] = numeral_value(&n[0], number[0]);
    value[1] = numeral_value(&n[1], number[1]);
    value[2] = numeral_value(&n[2], number[2]);
    value[3] = numeral_value(&n[3], number[3]);
    return end;
}

/* The values of the fields from *p on as long as four at a time are numerals, at most `count`; returns their number. */
static size_t parse_fields(reader *r, const char **p, const uint32_t *feature, size_t count)
{
    const char separator = r->options.separator;
    size_t i = 0, k;
    int has_long = 0;
    float value[4];
    for (; i + 4 <= count; i += 4) {
        uint64_t breaks = reader_breaks(r, *p), end = take_four_integers(*p, breaks, separator, value);
        if (end == 0) end = take_four_decimals(*p, breaks, separator, value, &has_long);
        if (end == 0) break;
        for (k = 0; k < 4; k++) r->value[feature[i + k]] = value[k];
        *p += end + 1;
    }
    r->has_long |= has_long;
    return i;
}

/* NA, NaN, ? or nothing. */
static int may_be_missing(const char *text, size_t length)
{
    return length == 0 || (length == 1 && *text == '?') ||
           (length <= 3 && (*text | 32) == 'n' && (text[1] | 32) == 'a');
}

/* Takes a record of numbers and perhaps a label without quotes and blanks; 0 if it is not such. */
static int take_plain_record(reader *r)
{
    const char *p = r->own.text, *label = NULL;
    const char separator = r->options.separator;
    const uint32_t *feature = r->own.column_feature;
    const size_t columns = arrlenu(feature), at = r->own.label_column;
    size_t length = 0, i;
    clear_values(r);
    for (i = 0;; i++, p++) {
        if (i == 0 || i == at + 1)
            i += parse_fields(r, &p, feature + i, (i <= at && at < columns ? at : columns - 1) - i);
        if (i == at) {
            for (label = p; *p && *p != separator && *p != '"' && !is_blank(*p);) p++;
            length = (size_t)(p - label);
            if (may_be_missing(label, length)) return 0;
        } else if (feature[i] == r->features) {
            while (*p && *p != separator && *p != '"') p++;
        } else {
            p = plain_value(r, p, &r->value[feature[i]]);
            if (!p) return 0;
        }
        if (i + 1 == columns) break;
        if (*p != separator) return 0;
    }
    if (*p != '\0') return 0;
    if (r->own.weight_number) r->weight = r->value[r->features + 1];
    if (!(r->weight > 0)) return 0;
    r->label = NULL;
    for (i = 0; i < r->count && r->options.binarize; i++) r->value[i] = r->value[i] < 0 || r->value[i] > 0;
    if (label) reader_set_label(r, label, length, reader_column(r, label), 1);
    return 1;
}

/* What stands for a missing value of column i. */
static float missing_value(reader *r, size_t i, const char *text)
{
    const reader_options *o = &r->options;
    switch (o->missing) {
    case MISSING_ZERO: return 0;
    case MISSING_DROP: return o->numbers && r->own.columns[i].kind == COLUMN_NUMBER ? NAN : 0; /* to be predicted */
    case MISSING_MEAN:
        if (r->own.columns[i].kind != COLUMN_NUMBER) return 0; /* no word */
        if (o->mean) return o->mean[r->own.columns[i].feature];
        if (o->predict && !o->numbers)
            die(EXIT_USAGE, "--missing mean: the model has no means, it was trained without this option: --missing "
                            "zero");
        return NAN;
    default: fail_value(r, i, text);
    }
}

/* A whole number that is learned from and that no double holds to its last digit is an id, not an amount. */
static void check_digits(const reader *r, size_t i, const char *text)
{
    const char *name = r->own.columns[i].name;
    if (r->options.predict || text[strspn(text, "+-0123456789")] != '\0' || fabs(strtod(text, NULL)) < 0x1p53) return;
    reader_fail_at(r, r->own.fields[i].column,
                   "%s is a whole number beyond 2^53, whose last digits would be lost: --ignore '%s' leaves the "
                   "column out, --nominal '%s' takes its values as texts",
                   printable(text, EXCERPT), name, name);
}

/* As days, less its offset: of a stream the day of the first row, if that has a time. */
static float take_date(reader *r, size_t i, const char *text)
{
    const csv_column *c = &r->own.columns[i];
    double days;
    if (!date_days(text, c->order, &days)) fail_value(r, i, text);
    r->has_long |= days != floor(days);
    if (r->own.finds_offsets && days != floor(days)) reader_set_offset(r, c->feature, floor(days));
    return r->options.binarize ? (float)(days != 0) : (float)(days - reader_offset(r, c->feature));
}

static void take_number(reader *r, size_t i, const char *text)
{
    const uint32_t feature = r->own.columns[i].feature;
    float value;
    if (is_gap(r, text)) {
        value = missing_value(r, i, text);
        if (value == 0 && r->options.missing != MISSING_MEAN) value = (float)(0 - reader_offset(r, feature));
    } else if (r->own.columns[i].order) {
        value = take_date(r, i, text);
    } else {
        if (!field_value(text, &value)) fail_value(r, i, text);
        if (isinf(value)) reader_fail_at(r, r->own.fields[i].column, "the value overflows a 32-bit float");
        if (fabsf(value) >= BEYOND_DOUBLES) check_digits(r, i, text);
        r->has_long |= strlen(text) > LONG_NUMBER;
        if (r->options.binarize) value = value != 0;
        value = reader_less_offset(r, feature, text, value);
    }
    if (!r->own.any_text || feature < r->numbers) {
        r->value[feature] = value;
    } else if (value != 0) {
        reader_reserve(r, r->count + 1);
        r->index[r->count] = feature;
        r->value[r->count++] = value;
    }
}

/* The feature column=text. */
static void take_text(reader *r, size_t i, const char *text)
{
    const char *name = r->own.columns[i].name;
    size_t length = strlen(name), size = strlen(text) + 1;
    if (is_missing(text)) {
        missing_value(r, i, text);
        return;
    }
    arrsetlen(r->own.word, length + 1 + size);
    memcpy(r->own.word, name, length);
    r->own.word[length] = '=';
    memcpy(r->own.word + length + 1, text, size);
    reader_add_named(r, r->own.word);
}

static void check_fields(const reader *r)
{
    size_t fields = arrlenu(r->own.fields), columns = arrlenu(r->own.columns);
    const char *hint = "";
    if (fields == columns) return;
    if (fields > columns && r->options.separator == ',') hint = " (a comma within a value? Put the value in quotes)";
    if (fields == columns + 1 && r->own.next_line == 2 && columns > 1)
        hint = " (R's row names? Write the file with row.names=FALSE)";
    if (strchr(reader_field(r, 0), '\t')) hint = " (lines of a label, a tab and a text? --text)";
    reader_fail_at(r, r->own.fields[fields - 1].column, "%zu fields, the first record had %zu%s", fields, columns,
                   hint);
}

/* Is the record left out? Nothing stands for a label; MISSING_DROP lets nothing stand for a value either. */
static int is_dropped(const reader *r)
{
    size_t i;
    if (r->options.missing == MISSING_REFUSED || r->options.predict) return 0;
    for (i = 0; i < arrlenu(r->own.fields) && r->options.missing == MISSING_DROP; i++) {
        const char *text = trim(reader_field(r, i));
        if (r->own.columns[i].kind == COLUMN_NUMBER && is_gap(r, text)) return 1;
        if (r->own.columns[i].kind == COLUMN_TEXT && is_missing(text)) return 1;
    }
    return is_missing_label(r, trim(reader_field(r, r->own.label_column)));
}

/* A row without a label is left out, or only predicted. */
static void take_label(reader *r, size_t i, const char *text)
{
    if (!is_missing_label(r, text))
        reader_set_label(r, text, strlen(text), r->own.fields[i].column, 1);
    else if (!r->options.predict && !r->own.left_out)
        reader_fail_at(r, r->own.fields[i].column,
                       "no label here ('%s'): --missing zero, mean or drop leaves such rows out", text);
}

static void take_field(reader *r, size_t i, const char *text)
{
    const enum column_kind kind = r->own.columns[i].kind;
    if (kind == COLUMN_NUMBER) take_number(r, i, text);
    if (kind == COLUMN_TEXT) take_text(r, i, text);
    if (kind == COLUMN_WORDS) reader_add_words(r, r->own.columns[i].name, text);
    if (kind == COLUMN_LABEL) take_label(r, i, text);
}

static void clear_row(reader *r)
{
    if (r->own.any_text)
        clear_numbers(r);
    else
        clear_values(r);
}

/* Takes the record that has been cut into fields. 0: it is left out, and gives no features. */
static int take_fields(reader *r)
{
    size_t i, at = r->own.weight_number - 1;
    check_fields(r);
    if (r->own.weight_number) r->weight = reader_take_weight(r, trim(reader_field(r, at)), r->own.fields[at].column);
    if (!(r->weight > 0) && !reader_takes_left_out(r)) return 0;
    if (is_dropped(r)) {
        r->dropped++;
        if (!reader_takes_left_out(r)) return 0;
    }
    clear_row(r);
    for (i = 0; i < arrlenu(r->own.fields); i++) take_field(r, i, trim(reader_field(r, i)));
    if (r->own.any_text) reader_sort(r, 0);
    return 1;
}

/* An empty line is the one field of a table of one column, if that may be empty. Of other tables it is no row. */
static int take_empty(reader *r)
{
    const csv_column *c = r->own.columns;
    r->no_row = arrlenu(c) > 1 || (r->options.missing == MISSING_REFUSED && c->kind != COLUMN_WORDS);
    r->count = 0;
    if (r->no_row) return 1;
    clear_row(r);
    take_field(r, 0, "");
    return 1;
}

int reader_next_csv(reader *r)
{
    int known, first, wanted;
    for (;;) {
        r->label = NULL;
        known = r->own.columns != NULL;
        first = r->own.first_waits;
        if (known && r->own.above > 0) {
            r->own.above--;
            return take_empty(r);
        }
        if (!first && !reader_line(r, 0)) return 0;
        if (!first && r->own.text[0] == '\0') {
            if (reader_takes_empty(r) && known) return take_empty(r);
            r->own.above += (size_t)r->options.every_line;
            continue;
        }
        r->own.first_waits = 0;
        wanted = known && reader_weigh(r);
        if (wanted && !first && r->own.separator_safe && !r->own.finds_offsets && !r->offset && take_plain_record(r))
            break;
        if (!first) cut_fields(r);
        if (!known) {
            r->own.first_waits = !reader_take_columns(r);
            if (!r->own.first_waits) r->own.above = 0; /* they stand above the names */
            continue;
        }
        if (wanted && take_fields(r)) break;
    }
    r->unknown += r->own.unknown_columns;
    return 1;
}
