/* Cuts records of CSV into fields, says what each field is, and what the first records hold in each column. */
#include "reader_parts.h"
#include "text/looks.h"

#include <math.h>

/* ---- Separators ---- */

/* Writes the separator as --sep has it, to room for 4 characters. */
static char *separator_word(char *word, char c)
{
    strcpy(word, c == '\t' ? "tab" : "' '");
    if (c != '\t') word[1] = c;
    return word;
}

/* Does the next record have as many separators as the line in hand? */
static int next_has_as_many(const reader *r, char separator)
{
    const char *next = r->lines.next, *end = memchr(next, '\n', (size_t)(r->lines.end - next));
    return count_separators(next, end ? end : r->lines.end, separator) ==
           count_separators(r->lines.text, r->lines.text + r->lines.length, separator);
}

void reader_check_separator(reader *r, const char *line)
{
    const reader_options *o = &r->options;
    const char other = other_separator(line, o->separator);
    const size_t place = (size_t)(line - r->lines.text);
    const int some = count_separators(line, line + strlen(line), o->separator) > 0;
    char own[4], read[4];
    if (!other || (some && (o->separator_text || o->model_labels))) return;
    if (some) {
        lines_fill_record(&r->lines);
        line = r->lines.text + place;
        if (next_has_as_many(r, o->separator) && !next_has_as_many(r, other)) return;
    }
    reader_fail(
        r, "the fields of '%s' seem to be separated by %s, %s by %s: %s--sep %s reads them%s", printable(line, EXCERPT),
        other == ';'   ? "semicolons"
        : other == ',' ? "commas"
                       : "tabs",
        o->model_labels ? "the model's" : "not", separator_word(own, o->separator), reader_by(r),
        separator_word(read, other),
        other == ';'    ? " (numbers need a decimal point)"
        : other == '\t' ? ", or --text if a line is a label, a tab and a text"
                        : "");
}

/* ---- Fields ---- */

static void push_field(reader *r, size_t start, size_t column)
{
    field f;
    f.start = start;
    f.column = column;
    arrput(r->own.fields, f);
}

/* Unquotes the field that begins at r->lines.text[from], to r->lines.text[*to], and returns where it ends. */
static size_t unquote(reader *r, size_t from, size_t *to)
{
    size_t opened = from++;
    for (;; r->lines.text[(*to)++] = r->lines.text[from++]) {
        if (r->lines.text[from] == '"' && r->lines.text[++from] != '"') return from;
        if (r->lines.text[from] == '\0') {
            if (!lines_next(&r->lines, from + 1))
                reader_fail_at(r, reader_column(r, r->lines.text + opened), "the quote is never closed%s",
                               r->lines.left == 0 ? " in the part of this process, which ends with a line" : "");
            r->lines.text[from] = '\n';
        }
    }
}

void reader_cut_fields(reader *r)
{
    size_t from = 0, to = 0;
    char separator = r->options.separator;
    arrsetlen(r->own.fields, 0);
    for (;;) {
        push_field(r, to, from + 1);
        if (r->lines.text[from] == '"') {
            from = unquote(r, from, &to);
            if (r->lines.text[from] && r->lines.text[from] != separator)
                reader_fail_at(r, reader_column(r, r->lines.text + from), "text after a closing quote");
        }
        for (; r->lines.text[from] && r->lines.text[from] != separator; from++) {
            if (r->lines.text[from] == '"')
                reader_fail_at(r, reader_column(r, r->lines.text + from), "quote inside an unquoted field");
            r->lines.text[to++] = r->lines.text[from];
        }
        if (r->lines.text[from] == '\0') break;
        r->lines.text[to++] = '\0';
        from++;
    }
    r->lines.text[to] = '\0';
}

char *reader_field(const reader *r, size_t i)
{
    return r->lines.text + r->own.fields[i].start;
}

int is_gap(const reader *r, const char *text)
{
    size_t i;
    float value, gap;
    if (is_missing(text) || strcasecmp(text, "NULL") == 0 || strcasecmp(text, "None") == 0 ||
        strcasecmp(text, "N/A") == 0 || strcmp(text, "-") == 0 || strcmp(text, "\\N") == 0)
        return 1;
    for (i = 0; i < arrlenu(r->options.gaps); i++) {
        const char *word = r->options.gaps[i];
        if (strcmp(text, word) == 0) return 1;
        if (field_value(word, &gap) && field_value(text, &value) && value == gap) return 1;
    }
    return 0;
}

int is_missing_label(const reader *r, const char *text)
{
    const labels *of_model = r->options.model_labels;
    return is_missing(text) && (*text == '\0' || !of_model || labels_find(of_model, text) == NO_LABEL);
}

/* ---- Options ---- */

static int has_new_columns(const void *settings)
{
    const reader_options *o = settings;
    return o->features > 0 && !o->names ? 0 : reader_expects(o, "csv");
}

const option_need need_new_columns = {"rows of CSV, and no --features, which has a column for each", has_new_columns};

/* ---- Weights ---- */

int reader_has_step_columns(const reader_options *o)
{
    size_t k = 0;
    while (k < STEP_COLUMNS && !o->step_column[k]) k++;
    return k < STEP_COLUMNS;
}

float reader_take_weight(const text_lines *l, const char *text, size_t column)
{
    float weight;
    if (is_missing(text))
        lines_fail(l, column, "no weight here ('%s'): give 1, or 0 to leave the row out", printable(text, EXCERPT));
    if (!field_value(text, &weight) || isinf(weight))
        lines_fail(l, column, "the weight '%s' is not a finite number", printable(text, EXCERPT));
    if (weight < 0) lines_fail(l, column, "the weight %s is negative: 0 leaves the row out", printable(text, EXCERPT));
    return weight;
}

float *read_row_weights(const char *name)
{
    text_lines l = {0};
    float *all = NULL;
    lines_open(&l, name, NULL);
    while (lines_next(&l, 0)) {
        char *text = trim(l.text);
        arrput(all, reader_take_weight(&l, text, lines_column(&l, text)));
    }
    lines_close(&l);
    return all;
}

int reader_weigh(reader *r)
{
    const size_t count = arrlenu(r->options.row_weight), i = r->own.weighed++;
    r->weight = 1;
    if (!r->options.weights) return 1;
    if (i >= count && r->lines.live)
        reader_fail(r, "this is row %zu, and %s has %zu weights", i + 1, r->options.weights, count);
    r->weight = i < count ? r->options.row_weight[i] : 0; /* the end of the file refuses a wrong number of rows */
    return r->weight > 0 || reader_takes_left_out(r);
}

/* ---- The sample ---- */

/* Returns the end of the field at p, or NULL if that has not been read yet. */
static const char *end_of_field(const reader *r, const char *p)
{
    int quoted = 0;
    for (; p < r->lines.end; p++) {
        if (*p == '"') quoted = !quoted;
        if (!quoted && (*p == r->options.separator || *p == '\n')) return p;
    }
    return r->lines.ended && !quoted ? p : NULL;
}

void sample_count(sample *s, const reader *r, size_t i, const char *text)
{
    const unsigned order = r->own.columns ? r->own.columns[i].order : NO_DATE;
    const int gap = is_gap(r, text);
    sampled *of = &s->of[i];
    double days;
    of->gaps += (uint32_t)gap;
    of->gap_words += (uint32_t)(gap && !is_missing(text) && !field_is_number(text));
    if (gap) return;
    if (order ? date_days(text, order, &days) : field_is_number(text)) {
        of->numbers++;
        return;
    }
    date_count_add(&of->dates, text);
    of->texts++;
    of->phrases |= strchr(text, ' ') != NULL;
    if (of->text)
        of->differs |= strcmp(of->text, text) != 0;
    else
        of->text = copy_text(text);
}

static void add_field(sample *s, const reader *r, size_t i, const char *p, const char *end)
{
    const int listed = s->rows <= SAMPLE_ROWS;
    const size_t at = arrlenu(s->text);
    char *text;
    int quoted;
    if (!listed && !r->options.gaps && field_is_plain(p, end)) {
        s->of[i].numbers++;
        return;
    }
    while (end > p && end[-1] == '\r') end--;
    quoted = end > p + 1 && *p == '"' && end[-1] == '"';
    if (quoted) p++, end--;
    arrsetcap(s->text, at + (size_t)(end - p) + 1);
    for (; p < end; p++) {
        arrput(s->text, *p);
        p += quoted && *p == '"'; /* because that quote is there twice */
    }
    arrput(s->text, '\0');
    text = trim(s->text + at);
    if (s->rows > 0) sample_count(s, r, i, text);
    if (listed)
        arrput(s->cell, (size_t)(text - s->text));
    else
        arrsetlen(s->text, at);
}

void sample_start(sample *s, reader *r)
{
    size_t i;
    s->columns = arrlenu(r->own.fields);
    s->of = allocate_zero(s->columns, sizeof *s->of);
    s->single = reader_streams(&r->options);
    for (i = 0; i < s->columns; i++) {
        const char *text = reader_field(r, i);
        add_field(s, r, i, text, text + strlen(text));
    }
    s->rows = 1;
}

/* Takes the fields that are in memory from s->next on; with s->single those of one record. */
static void take_fields(sample *s, const reader *r)
{
    const char *p = s->next, *end;
    for (; p < r->lines.end && (end = end_of_field(r, p)) != NULL; p = end + 1) {
        const int last = *end != r->options.separator;
        if (s->at == 0 && last && end == p + (*p == '\r')) continue;
        if (s->at < s->columns) {
            add_field(s, r, s->at, p, end);
            if (s->of[s->at].open && sampled_tells(&s->of[s->at])) {
                s->of[s->at].open = 0;
                s->open--;
            }
        }
        s->at = last ? 0 : s->at + 1;
        if (!last) continue;
        if (s->rows <= SAMPLE_ROWS) s->rows++;
        while (arrlenu(s->cell) < s->rows * s->columns) arrput(s->cell, arrlenu(s->text) - 1); /* an empty text */
        if (s->single) break;
    }
    s->next = p;
}

void sample_records(sample *s, reader *r)
{
    if (!s->single) lines_fill(&r->lines);
    lines_fill_record(&r->lines);
    s->next = r->lines.next;
    take_fields(s, r);
}

/* Reads on and takes what comes. keeps: what has been taken stays in memory. Returns 0 if the file has ended. */
static int take_more(sample *s, reader *r, int keeps)
{
    size_t taken;
    int more;
    if (!keeps) {
        r->lines.next += s->next - r->lines.next;
        r->lines.text = r->lines.next;
    }
    taken = (size_t)(s->next - r->lines.next);
    more = lines_read_on(&r->lines);
    s->next = r->lines.next + taken;
    take_fields(s, r);
    return more;
}

void sample_on(sample *s, reader *r)
{
    lines_ahead a;
    int more = 1;
    if (!r->lines.live) lines_look(&r->lines, &a);
    while (more && s->open) more = take_more(s, r, r->lines.live);
    if (!r->lines.live) lines_look_back(&r->lines, &a);
}

void sample_rest(sample *s, reader *r)
{
    size_t i;
    s->columns = arrlenu(r->own.fields);
    s->of = allocate_zero(s->columns, sizeof *s->of);
    s->rows = SAMPLE_ROWS + 1;
    for (i = 0; i < s->columns; i++) sample_count(s, r, i, trim(reader_field(r, i)));
    if (r->lines.live && reader_streams(&r->options)) return;
    s->next = r->lines.next;
    take_fields(s, r);
    while (take_more(s, r, 0)) continue;
}

void sample_free(sample *s)
{
    size_t i;
    for (i = 0; i < s->columns; i++) {
        free(s->of[i].text);
        free(s->of[i].dates.example);
    }
    free(s->of);
    arrfree(s->text);
    arrfree(s->cell);
}
