/* Fields of CSV: what each is, and what the first records hold in each column. */
#include "reader_parts.h"

#include <math.h>

/* ---- Fields ---- */

char *reader_field(const reader *r, size_t i)
{
    return r->own.text + r->own.fields[i].start;
}

int is_missing(const char *text)
{
    return *text == '\0' || strcmp(text, "?") == 0 || strcasecmp(text, "NA") == 0 || strcasecmp(text, "NaN") == 0;
}

int is_missing_label(const reader *r, const char *text)
{
    const labels *of_model = r->options.model_labels;
    return is_missing(text) && (*text == '\0' || !of_model || labels_find(of_model, text) == NO_LABEL);
}

int field_value(const char *text, float *value)
{
    const char *end = parse_float(skip_blanks(text), value);
    return end && *skip_blanks(end) == '\0';
}

char *trim(char *text)
{
    size_t length;
    while (is_blank(*text)) text++;
    length = strlen(text);
    while (length && is_blank(text[length - 1])) length--;
    text[length] = '\0';
    return text;
}

int has_decimal_comma(const char *text)
{
    char number[32];
    size_t length = strlen(text), comma = strcspn(text, ",");
    float value;
    if (comma == length || length >= sizeof number) return 0;
    memcpy(number, text, length + 1);
    number[comma] = '.';
    return field_value(number, &value);
}

int field_is_number(const char *text)
{
    float value;
    const char *digits = text + (*text == '-' || *text == '+');
    return field_value(text, &value) || strcasecmp(digits, "inf") == 0 || strcasecmp(digits, "infinity") == 0 ||
           has_decimal_comma(text);
}

int field_is_text(const char *text)
{
    return !is_missing(text) && !field_is_number(text);
}

/* ---- Weights ---- */

float reader_take_weight(const reader *r, const char *text, size_t column)
{
    float weight;
    if (is_missing(text))
        reader_fail_at(r, column, "no weight here ('%s'): give 1, or 0 to leave the row out", printable(text, EXCERPT));
    if (!field_value(text, &weight) || isinf(weight))
        reader_fail_at(r, column, "the weight '%s' is not a finite number", printable(text, EXCERPT));
    if (weight < 0)
        reader_fail_at(r, column, "the weight %s is negative: 0 leaves the row out", printable(text, EXCERPT));
    return weight;
}

int reader_weigh(reader *r)
{
    const size_t count = arrlenu(r->options.row_weight), i = r->own.weighed++;
    if (!r->options.weights) return 1;
    if (i >= count && r->live)
        reader_fail(r, "this is row %zu, and %s has %zu weights", i + 1, r->options.weights, count);
    r->weight = i < count ? r->options.row_weight[i] : 0; /* how many rows there are is said at the end */
    return r->weight > 0 || reader_takes_left_out(r);
}

/* ---- The sample ---- */

/* The end of the field at p; NULL if that has not been read. */
static const char *end_of_field(const reader *r, const char *p)
{
    int quoted = 0;
    for (; p < r->own.end; p++) {
        if (*p == '"') quoted = !quoted;
        if (!quoted && (*p == r->options.separator || *p == '\n')) return p;
    }
    return r->own.ended && !quoted ? p : NULL;
}

/* A plain decimal number, which most fields are. */
static int is_plain_number(const char *p, const char *end)
{
    int points = 0;
    p += *p == '-';
    if (p == end || digit_at(end - 1) > 9) return 0;
    for (; p < end && (digit_at(p) <= 9 || (*p == '.' && points++ == 0)); p++) continue;
    return p == end;
}

static void add_field(sample *s, size_t i, const char *p, const char *end)
{
    const int listed = s->rows <= SAMPLE_ROWS;
    const size_t at = arrlenu(s->text);
    char *text;
    int quoted;
    if (!listed && is_plain_number(p, end)) {
        s->numbers[i]++;
        return;
    }
    while (end > p && end[-1] == '\r') end--;
    quoted = end > p + 1 && *p == '"' && end[-1] == '"';
    if (quoted) p++, end--;
    arrsetcap(s->text, at + (size_t)(end - p) + 1);
    for (; p < end; p++) {
        arrput(s->text, *p);
        p += quoted && *p == '"'; /* which is there twice */
    }
    arrput(s->text, '\0');
    text = trim(s->text + at);
    s->numbers[i] += (uint32_t)field_is_number(text);
    s->texts[i] += (uint32_t)field_is_text(text);
    if (listed)
        arrput(s->cell, (size_t)(text - s->text));
    else
        arrsetlen(s->text, at);
}

void sample_start(sample *s, reader *r)
{
    size_t i;
    s->columns = arrlenu(r->own.fields);
    s->numbers = allocate_zero(s->columns, sizeof *s->numbers);
    s->texts = allocate_zero(s->columns, sizeof *s->texts);
    for (i = 0; i < s->columns; i++) {
        const char *text = reader_field(r, i);
        add_field(s, i, text, text + strlen(text));
        s->numbers[i] = s->texts[i] = 0;
    }
    s->rows = 1;
}

void sample_records(sample *s, reader *r)
{
    const char *p, *end;
    size_t i = 0;
    if (!reader_streams(&r->options)) reader_fill(r);
    reader_fill_record(r);
    for (p = r->own.next; p < r->own.end && (end = end_of_field(r, p)) != NULL; p = end + 1) {
        const int last = *end != r->options.separator;
        if (i == 0 && last && end == p + (*p == '\r')) continue;
        if (i < s->columns) add_field(s, i, p, end);
        i = last ? 0 : i + 1;
        if (!last) continue;
        if (s->rows <= SAMPLE_ROWS) s->rows++;
        while (arrlenu(s->cell) < s->rows * s->columns) arrput(s->cell, arrlenu(s->text) - 1); /* nothing */
        if (reader_streams(&r->options)) break;
    }
}

void sample_free(sample *s)
{
    free(s->numbers);
    free(s->texts);
    arrfree(s->text);
    arrfree(s->cell);
}
