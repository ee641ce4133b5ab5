/* Takes records of plain numbers, as most are, four fields at a time. */
#include "reader_parts.h"

#include <math.h>

/* Returns the value of a column of numbers that the file lacks. */
static float lacking_value(const reader *r, uint32_t feature)
{
    const int gap = r->options.missing != MISSING_ZERO && feature < r->options.numbers;
    return gap ? NAN : (float)(0 - reader_offset(r, feature));
}

/* Makes a dense row of zeros, or of gaps for the features that the file lacks. Behind it is room for a field that is
 * left out, and for each that multiplies the step. */
static void clear_values(reader *r)
{
    size_t j;
    r->count = r->features;
    reader_reserve(r, r->count + 1 + STEP_COLUMNS);
    memset(r->value, 0, r->count * sizeof *r->value);
    for (j = 0; j < r->numbers && j < r->count; j++) r->value[j] = lacking_value(r, (uint32_t)j);
}

/* Begins a sparse row with the numbers that each row has. */
static void clear_numbers(reader *r)
{
    reader_reserve(r, r->numbers);
    for (r->count = 0; r->count < r->numbers; r->count++) {
        r->index[r->count] = (uint32_t)r->count;
        r->value[r->count] = lacking_value(r, (uint32_t)r->count);
    }
}

void reader_clear_row(reader *r)
{
    if (r->own.any_text)
        clear_numbers(r);
    else
        clear_values(r);
}

/* Takes the value at `start`. Returns its end, or NULL if there is no value. */
static inline const char *plain_value(reader *r, const char *start, float *value)
{
    uint64_t breaks = lines_breaks(&r->lines, start);
    numeral n;
    const char *p = start + take_numeral(start, 0, &breaks, &n);
    if (p != start && (*p == r->options.separator || *p == '\0')) {
        r->has_long |= p - start > LONG_NUMBER;
        *value = numeral_value(&n, number_of(n.digits));
        return p;
    }
    p = parse_decimal(lines_limit(&r->lines), start, value);
    r->has_long |= p && p - start > LONG_NUMBER;
    return p && fabsf(*value) < BEYOND_DOUBLES ? p : NULL;
}

/* Takes four fields of integers of up to eight digits at p. Returns where the separator behind them is, or 0 if there
 * are no such fields. */
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

/* Does what take_four_integers does, for any numerals. Sets *has_long if one has eight digits. */
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

/* Takes the fields from *p on as long as four at a time are numerals, at most `count` fields. Returns how many. */
static size_t parse_fields(reader *r, const char **p, const uint32_t *feature, size_t count)
{
    const char separator = r->options.separator;
    size_t i = 0, k;
    int has_long = 0;
    float value[4];
    for (; i + 4 <= count; i += 4) {
        uint64_t breaks = lines_breaks(&r->lines, *p), end = take_four_integers(*p, breaks, separator, value);
        if (end == 0) end = take_four_decimals(*p, breaks, separator, value, &has_long);
        if (end == 0) break;
        for (k = 0; k < 4; k++) r->value[feature[i + k]] = value[k];
        *p += end + 1;
    }
    r->has_long |= has_long;
    return i;
}

/* May the text be NA, NaN, ? or nothing? */
static int may_be_missing(const char *text, size_t length)
{
    return length == 0 || (length == 1 && *text == '?') ||
           (length <= 3 && (*text | 32) == 'n' && (text[1] | 32) == 'a');
}

int reader_take_plain(reader *r)
{
    const char *p = r->lines.text, *label = NULL;
    const char separator = r->options.separator;
    const uint32_t *feature = r->own.column_feature;
    const size_t columns = arrlenu(feature), at = r->own.label_column;
    size_t length = 0, i;
    float weight = r->weight;
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
    for (i = 0; i < STEP_COLUMNS; i++)
        if (r->own.step_number[i]) weight *= r->value[feature[r->own.step_number[i] - 1]];
    if (!(weight > 0)) return 0;
    r->weight = weight;
    r->label = NULL;
    for (i = 0; i < r->count && r->options.binarize; i++) r->value[i] = r->value[i] < 0 || r->value[i] > 0;
    if (label) reader_set_label(r, label, length, reader_column(r, label), 1);
    return 1;
}
