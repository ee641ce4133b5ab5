/* Reads rows from CSV (RFC 4180).
 *
 * A column of numbers is a feature. A column of texts gives a feature for each value, column=value, which is 0 or 1. A
 * column of --text-column gives its words, column:word, and a column of dates their days (text/date.h). Without a
 * header, columns are named by their numbers. A model finds its columns by their names, in whatever order. --ignore
 * leaves columns out. NA, NaN (also in small letters), ? and nothing are missing values, but not in a --text-column;
 * among numbers, what is_gap says is missing, too. */
#include "reader_parts.h"
#include "text/looks.h"

#include <math.h>

/* Returns what stands for a missing value of column i. */
static float missing_value(reader *r, size_t i, const char *text)
{
    const reader_options *o = &r->options;
    switch (o->missing) {
    case MISSING_ZERO: return 0;
    case MISSING_DROP:
        return o->numbers && r->own.columns[i].kind == COLUMN_NUMBER ? NAN : 0; /* the row is only predicted */
    case MISSING_MEAN:
        if (r->own.columns[i].kind != COLUMN_NUMBER) return 0; /* the row does not have the word */
        if (o->mean) return o->mean[r->own.columns[i].feature];
        if (o->predict && !o->numbers)
            die(EXIT_USAGE, "--missing mean: the model has no means, it was trained without this option: --missing "
                            "zero");
        return NAN;
    default: fail_value(r, i, text);
    }
}

/* Refuses a whole number whose last digits no double has, if rows are learned: it is an id, and not an amount. */
static void check_digits(const reader *r, size_t i, const char *text)
{
    const char *name = r->own.columns[i].name;
    if (r->options.predict || text[strspn(text, "+-0123456789")] != '\0' || fabs(strtod(text, NULL)) < 0x1p53) return;
    reader_fail_at(r, r->own.fields[i].column,
                   "%s is a whole number beyond 2^53, whose last digits would be lost: --ignore '%s' leaves the "
                   "column out, --nominal '%s' takes its values as texts",
                   printable(text, EXCERPT), name, name);
}

/* Returns a date as its days, less the offset. In a stream whose first date has a time, the offset is the day of
 * that. */
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

/* Adds the feature column=text. */
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
    if (fields == columns + 1 && r->lines.next_line == 2 && columns > 1)
        hint = " (R's row names? Write the file with row.names=FALSE)";
    if (strchr(reader_field(r, 0), '\t')) hint = " (lines of a label, a tab and a text? --text)";
    reader_fail_at(r, r->own.fields[fields - 1].column, "%zu fields, the first record had %zu%s", fields, columns,
                   hint);
}

/* Is the record left out? It is, if it lacks the label, or with MISSING_DROP any value. */
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

/* Takes the label. A row without one is left out, or only predicted. */
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

/* Takes the record that has been cut into fields. Returns 0 if it is left out and gives no features. */
static int take_fields(reader *r)
{
    size_t i;
    check_fields(r);
    for (i = 0; i < STEP_COLUMNS; i++) {
        const size_t at = r->own.step_number[i] - 1;
        if (r->own.step_number[i])
            r->weight *= reader_take_weight(&r->lines, trim(reader_field(r, at)), r->own.fields[at].column);
    }
    if (!(r->weight > 0) && !reader_takes_left_out(r)) return 0;
    if (is_dropped(r)) {
        r->dropped++;
        if (!reader_takes_left_out(r)) return 0;
    }
    reader_clear_row(r);
    for (i = 0; i < arrlenu(r->own.fields); i++) take_field(r, i, trim(reader_field(r, i)));
    if (r->own.any_text) reader_sort(r, 0);
    return 1;
}

/* Takes an empty line. In a table of one column it is an empty field, if that may be empty. In other tables it is not a
 * row. */
static int take_empty(reader *r)
{
    const csv_column *c = r->own.columns;
    r->no_row = arrlenu(c) > 1 || (r->options.missing == MISSING_REFUSED && c->kind != COLUMN_WORDS);
    r->count = 0;
    if (r->no_row) return 1;
    reader_clear_row(r);
    take_field(r, 0, "");
    return 1;
}

static int next_row(reader *r)
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
        if (!first && !lines_next(&r->lines, 0)) return 0;
        if (!first && r->lines.text[0] == '\0') {
            if (reader_takes_empty(r) && known) return take_empty(r);
            r->own.above += (size_t)r->options.every_line;
            continue;
        }
        r->own.first_waits = 0;
        wanted = known && reader_weigh(r);
        if (wanted && !first && r->own.separator_safe && !r->own.finds_offsets && !r->offset && reader_take_plain(r))
            break;
        if (!first) reader_cut_fields(r);
        if (!known) {
            r->own.first_waits = !reader_take_columns(r);
            if (!r->own.first_waits) r->own.above = 0; /* those empty lines stand above the names */
            continue;
        }
        if (wanted && take_fields(r)) break;
    }
    r->unknown += r->own.unknown_columns;
    return 1;
}

/* ---- What is told of it ---- */

static int is_trained(const reader_options *o)
{
    return o->model_label_column > 0;
}

/* Does the line have separators, of --sep or others? */
static enum looks looks_right(const reader *r)
{
    const char *line = r->lines.text, separator = r->options.separator;
    if (count_separators(line, line + r->lines.length, separator) > 0 || opens_quote(line)) return LOOKS_RIGHT;
    return !strchr(line, '#') && other_separator(line, separator) ? LOOKS_RIGHT : LOOKS_OTHER;
}

#define AT(member) .at = offsetof(reader_options, member)

OPTION_NEED(reader_options, o, csv_rows, "rows of CSV", reader_expects(o, "csv"))

static const option_entry csv_options[] = {
    {"label", 0, OPTION_TEXT, AT(label), .argument = "COLUMN", .needs = &csv_rows, .usual = "the last", .common = 1,
     .help = "Take the label from this column. Give its name, or its number from 1. With a model, the default is the "
             "model's column of labels."},
    {"ignore", 0, OPTION_LIST, AT(ignore), .argument = "COLUMN", .memory = KEPT_READING, .needs = &csv_rows,
     .common = 1,
     .help = "Leave a column out, such as row numbers. Use it also for what is not yet known when you predict. May be "
             "repeated."},
    {"missing", 0, OPTION_CHOICE, AT(missing), .words = MISSING_WORDS, .preset = "refuse", .argument = "HOW",
     .memory = KEPT_READING | SHAPE, .needs = &csv_rows, .common = 1,
     .help =
         "Allow missing values: zero, mean, drop. A missing value is NA, NaN, ? or an empty field; among numbers also "
         "NULL, None, N/A, - and \\N. mean takes the "
         "mean of the training rows, which suits measurements; zero suits columns where nothing means none; drop "
         "leaves the row out of training, and predict then takes the mean of a standardized column, otherwise 0. "
         "With each of them, a row without a label is not learned, but it is predicted."},
    {"gap", 0, OPTION_LIST, AT(gaps), .argument = "WORD", .memory = KEPT_READING | ADDS, .needs = &csv_rows,
     .help = "Take WORD for a missing value, too, in columns of numbers. It may be a number, such as -999. May be "
             "repeated."},
    {"header", 0, OPTION_CHOICE, AT(header), .words = "yes|no|auto", .bare = "yes", .argument = "=HOW",
     .memory = KEPT_READING | ALONE, .needs = &csv_rows, .usual = "auto", .common = 1,
     .help = "Say whether the first line holds names. --header alone means yes. auto finds out, and asks if it cannot "
             "know."},
    {"sep", 0, OPTION_TEXT, AT(separator_text), .argument = "C", .memory = KEPT_READING | ALONE, .needs = &csv_rows,
     .usual = "comma", .common = 1, .help = "Use tab for tab-separated files. Or give any one character, such as ';'."},
};

const row_format format_csv = {
    .name = "csv",
    .title = "CSV",
    .trained = is_trained,
    .looks = looks_right,
    .is_table = 1,
    .has_quotes = 1,
    .next = next_row,
    .options = {"For rows of CSV", csv_options, LENGTH(csv_options)}};
