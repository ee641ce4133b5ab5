#define _POSIX_C_SOURCE 200809L
#include "rows.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <strings.h>

/* ---- Labels ---- */

int label_is_integer(const char *text, long *value)
{
    const char *p = text + (*text == '-' || *text == '+');
    char *end;
    if (!isdigit((unsigned char)*p)) return 0;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (errno == 0 && *end == '.') end += 1 + strspn(end + 1, "0");
    return errno == 0 && *end == '\0' && *value >= INT32_MIN && *value <= INT32_MAX;
}

void labels_init(labels *l)
{
    l->map = NULL;
    sh_new_arena(l->map);
}

uint32_t labels_add(labels *l, const char *text)
{
    uint32_t number = labels_find(l, text);
    if (number != NO_LABEL) return number;
    number = labels_count(l);
    shput(l->map, text, number);
    return number;
}

uint32_t labels_find(const labels *l, const char *text)
{
    labels copy = *l; /* a lookup writes into the map's header */
    ptrdiff_t i = shgeti(copy.map, text);
    return i < 0 ? NO_LABEL : copy.map[i].value;
}

uint32_t labels_count(const labels *l)
{
    return (uint32_t)shlenu(l->map);
}

const char *labels_text(const labels *l, uint32_t number)
{
    return l->map[number].key;
}

static int compare_labels(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    long i, j;
    int s_whole = label_is_integer(s, &i), t_whole = label_is_integer(t, &j);
    if (s_whole != t_whole) return t_whole - s_whole;
    if (s_whole) return (i > j) - (i < j);
    return strcmp(s, t);
}

labels labels_sorted(const labels *l)
{
    uint32_t i, n = labels_count(l);
    const char **text = allocate(n, sizeof *text);
    labels sorted;
    for (i = 0; i < n; i++) text[i] = labels_text(l, i);
    qsort(text, n, sizeof *text, compare_labels);
    labels_init(&sorted);
    for (i = 0; i < n; i++) labels_add(&sorted, text[i]);
    free(text);
    return sorted;
}

void labels_free(labels *l)
{
    shfree(l->map);
}

/* ---- Numbers ---- */

const char *parse_float(const char *p, float *value)
{
    static const float power[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
    const char *start = p;
    uint32_t digits = 0;
    int exponent = 0, seen = 0, cut = 0, fraction = 0;
    p += *p == '-' || *p == '+';
    for (;; p++) {
        if (isdigit((unsigned char)*p)) {
            seen = 1;
            if (digits < 100000000)
                digits = digits * 10 + (uint32_t)(*p - '0'), exponent -= fraction;
            else
                cut = 1;
        } else if (*p == '.' && !fraction) {
            fraction = 1;
        } else {
            break;
        }
    }
    if (!seen) return NULL;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        int negative = *q == '-', e = 0;
        q += *q == '-' || *q == '+';
        if (!isdigit((unsigned char)*q)) return NULL;
        for (; isdigit((unsigned char)*q); q++)
            if (e < 1000) e = e * 10 + (*q - '0');
        exponent += negative ? -e : e;
        p = q;
    }
    /* Both parts are exact floats, so one multiplication or division rounds correctly. */
    if (!cut && digits <= 1u << 24 && exponent >= -10 && exponent <= 10) {
        float f = (float)digits;
        f = exponent < 0 ? f / power[-exponent] : f * power[exponent];
        *value = *start == '-' ? -f : f;
    } else {
        *value = strtof(start, NULL);
    }
    return p;
}

/* ---- The reader: lines ---- */

/* column: from 1 in the line; 0: none. */
static void fail_at(const reader *r, size_t column, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

static void fail(const reader *r, size_t column, const char *format, va_list arguments)
{
    char what[400], where[32] = "";
    vsnprintf(what, sizeof what, format, arguments);
    if (column) snprintf(where, sizeof where, "%zu:", column);
    die(EXIT_INPUT, "%s:%lu:%s %s", r->name, r->line, where, what);
}

static void fail_at(const reader *r, size_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(r, column, format, arguments);
    abort(); /* not reached */
}

void reader_fail(const reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(r, 0, format, arguments);
    abort(); /* not reached */
}

/* The column of p in the line. */
static size_t column_of(const reader *r, const char *p)
{
    return (size_t)(p - r->text) + 1;
}

/* Puts the next line, without its end, at r->text + at. */
static int read_line(reader *r, size_t at)
{
    ssize_t got;
    size_t length, skip = 0;
    if (r->pending) { /* the line that the format was guessed from */
        r->pending = 0;
        return 1;
    }
    got = getline(&r->raw, &r->raw_room, r->file);
    if (got < 0) {
        if (ferror(r->file)) die(EXIT_IO, "%s: %s", r->name, strerror(errno));
        if (!feof(r->file)) die(EXIT_MEMORY, "out of memory (a line of %s)", r->name);
        return 0;
    }
    length = (size_t)got;
    if (length && r->raw[length - 1] == '\n') length--;
    if (length && r->raw[length - 1] == '\r') length--;
    if (r->next_line == 0 && strncmp(r->raw, "\xEF\xBB\xBF", 3) == 0) skip = 3;
    length -= skip;
    arrsetlen(r->text, at + length + 1);
    memcpy(r->text + at, r->raw + skip, length);
    r->text[at + length] = '\0';
    r->next_line++;
    if (at == 0) r->line = r->next_line;
    if (strlen(r->text + at) != length)
        fail_at(r, column_of(r, r->text + strlen(r->text)), "NUL byte");
    if (strchr(r->text + at, '\r'))
        fail_at(r, column_of(r, strchr(r->text + at, '\r')), "carriage return inside a line");
    return 1;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

/* Reads on to a line that holds something. */
static int next_full_line(reader *r)
{
    while (read_line(r, 0)) {
        const char *p = skip_blanks(r->text);
        if (*p != '\0' && *p != '#') return 1;
    }
    return 0;
}

static void push_value(reader *r, uint32_t index, float value)
{
    if (r->options.binarize) {
        if (value == 0) return;
        value = 1;
    }
    arrput(r->index, index);
    arrput(r->value, value);
}

static float finite_value(const reader *r, const char *at, float value)
{
    if (isinf(value)) fail_at(r, column_of(r, at), "the value overflows a 32-bit float");
    return value;
}

/* Takes text[0 .. length) as the row's label: integers in one spelling, words where welcome. */
static void set_label(reader *r, const char *text, size_t length, size_t column, int words)
{
    long value;
    float number;
    const char *end;
    arrsetlen(r->label_text, length < 16 ? 16 : length + 1);
    memcpy(r->label_text, text, length);
    r->label_text[length] = '\0';
    r->label = text = r->label_text;
    if (label_is_integer(text, &value)) {
        sprintf(r->label_text, "%ld", value);
        return;
    }
    end = parse_float(text, &number);
    if ((end && *end == '\0') || strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0)
        fail_at(r, column, "label %s is not an integer of 32 bits", text);
    if (length == 0) fail_at(r, column, "empty label");
    if (!words && strchr(text, ',')) fail_at(r, column, "several labels (%s): one a row", text);
    if (!words)
        fail_at(r, column, "label '%s' is not an integer (--words allows other labels)", text);
}

/* ---- The reader: libsvm ---- */

static void sort_row(reader *r)
{
    size_t i, j, n = arrlenu(r->index);
    for (i = 1; i < n && r->index[i - 1] < r->index[i]; i++) {}
    if (i >= n) return;
    for (i = 1; i < n; i++) { /* insertion: rows are nearly sorted, or short */
        uint32_t index = r->index[i];
        float value = r->value[i];
        for (j = i; j > 0 && r->index[j - 1] > index; j--) {
            r->index[j] = r->index[j - 1];
            r->value[j] = r->value[j - 1];
        }
        r->index[j] = index;
        r->value[j] = value;
    }
    for (i = 1; i < n; i++)
        if (r->index[i - 1] == r->index[i])
            reader_fail(r, "index %lu stands twice",
                        (unsigned long)r->index[i] + !r->options.zero_based);
}

/* index:value at p; returns its end. */
static const char *parse_pair(reader *r, const char *p, uint64_t *previous)
{
    const char *at = p, *end;
    uint64_t index = 0;
    float value;
    for (; isdigit((unsigned char)*p); p++)
        if (index <= UINT32_MAX) index = index * 10 + (uint64_t)(*p - '0');
    if (p == at || *p != ':')
        fail_at(r, column_of(r, at), "'%.*s' is not index:value", (int)strcspn(at, " \t"), at);
    if (!r->options.zero_based) {
        if (index == 0) fail_at(r, column_of(r, at), "index 0 (they start at 1; see --zero-based)");
        index--;
    }
    if (index >= r->options.max_features)
        fail_at(r, column_of(r, at), "index %.*s is above the limit of %lu features (--max-dim)",
                     (int)(p - at), at, (unsigned long)r->options.max_features);
    if (!r->options.sort && index + 1 <= *previous)
        fail_at(r, column_of(r, at), "index %.*s does not rise (see --sort)", (int)(p - at), at);
    *previous = index + 1;
    if (r->features <= index) r->features = (uint32_t)index + 1;
    end = parse_float(p + 1, &value);
    if (!end || (*end && !is_blank(*end) && *end != '#'))
        fail_at(r, column_of(r, p + 1), "'%.*s' is not a finite decimal number",
                     (int)strcspn(p + 1, " \t#"), p + 1);
    push_value(r, (uint32_t)index, finite_value(r, p + 1, value));
    return end;
}

static int next_libsvm(reader *r)
{
    const char *p, *end;
    uint64_t previous = 0;
    if (!next_full_line(r)) return 0;
    arrsetlen(r->index, 0);
    arrsetlen(r->value, 0);
    p = skip_blanks(r->text);
    end = p + strcspn(p, " \t#");
    r->label = NULL;
    if (!memchr(p, ':', (size_t)(end - p))) {
        set_label(r, p, (size_t)(end - p), column_of(r, p), r->options.words);
        p = skip_blanks(end);
    } else if (!r->options.predict) {
        fail_at(r, column_of(r, p), "no label before '%.*s'", (int)(end - p), p);
    }
    if (strncmp(p, "qid:", 4) == 0) {
        const char *q = p + 4 + strspn(p + 4, "0123456789");
        if (q == p + 4 || (*q && !is_blank(*q))) fail_at(r, column_of(r, p), "malformed qid");
        p = skip_blanks(q);
    }
    while (*p && *p != '#') p = skip_blanks(parse_pair(r, p, &previous));
    if (r->options.sort) sort_row(r);
    return 1;
}

/* ---- The reader: CSV (RFC 4180) ---- */

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
            if (!read_line(r, from + 1))
                fail_at(r, column_of(r, r->text + opened), "the quote is never closed");
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
                fail_at(r, column_of(r, r->text + from), "text after a closing quote");
        }
        for (; r->text[from] && r->text[from] != separator; from++) {
            if (r->text[from] == '"')
                fail_at(r, column_of(r, r->text + from), "quote inside an unquoted field");
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
        fail_at(r, r->fields[0].column, "no label column '%s' among %zu columns", o->label, columns);
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
        fail_at(r, r->fields[0].column, "%lu columns are above the limit of %lu features (--max-dim)",
                      (unsigned long)r->features, (unsigned long)o->max_features);
    return header;
}

static int next_csv(reader *r)
{
    size_t i;
    do {
        do
            if (!read_line(r, 0)) return 0;
        while (r->text[0] == '\0');
        cut_fields(r);
    } while (!r->column_feature && read_header(r));
    if (arrlenu(r->fields) != arrlenu(r->column_feature))
        fail_at(r, r->fields[arrlenu(r->fields) - 1].column, "%zu fields, the first record had %zu",
                      (size_t)arrlenu(r->fields), (size_t)arrlenu(r->column_feature));
    arrsetlen(r->value, r->features);
    memset(r->value, 0, r->features * sizeof *r->value);
    for (i = 0; i < arrlenu(r->fields); i++) {
        float value;
        if (i == r->label_column) continue;
        if (!field_value(field_text(r, i), &value))
            fail_at(r, r->fields[i].column, "'%s' is not a finite decimal number", field_text(r, i));
        if (isinf(value)) fail_at(r, r->fields[i].column, "the value overflows a 32-bit float");
        if (r->options.binarize) value = value != 0;
        r->value[r->column_feature[i]] = value;
    }
    r->label = NULL;
    if (r->label_column != NO_LABEL) {
        const char *text = skip_blanks(field_text(r, r->label_column));
        size_t length = strlen(text);
        while (length && is_blank(text[length - 1])) length--;
        set_label(r, text, length, r->fields[r->label_column].column, 1);
    }
    return 1;
}

/* ---- The reader: opening ---- */

/* libsvm if some word after the first is index:value; else CSV if there is a separator. */
static unsigned guess_format(const char *line, char separator)
{
    const char *p = skip_blanks(line);
    for (;;) {
        const char *word = p, *end = p + strcspn(p, " \t#");
        size_t digits = strspn(word, "0123456789");
        if ((digits && word[digits] == ':') || strncmp(word, "qid:", 4) == 0) return FORMAT_LIBSVM;
        p = skip_blanks(end);
        if (*p == '\0' || *p == '#') break;
    }
    return strchr(line, separator) ? FORMAT_CSV : FORMAT_LIBSVM;
}

void reader_open(reader *r, const char *name, const reader_options *options)
{
    memset(r, 0, sizeof *r);
    r->options = *options;
    r->name = strcmp(name, "-") == 0 ? "standard input" : name;
    r->file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    if (!r->file) die(EXIT_IO, "%s: %s", name, strerror(errno));
}

int reader_next(reader *r)
{
    if (r->options.format == FORMAT_AUTO) { /* look at the first full line, then read it again */
        if (!next_full_line(r)) return 0;
        r->options.format = guess_format(r->text, r->options.separator);
        r->pending = 1;
    }
    r->dense = r->options.format == FORMAT_CSV;
    return r->dense ? next_csv(r) : next_libsvm(r);
}

pcn_vec reader_vector(const reader *r)
{
    if (r->dense) return pcn_dense(r->value, r->features);
    return pcn_sparse(r->index, r->value, (uint32_t)arrlenu(r->index));
}

void reader_close(reader *r)
{
    size_t i;
    if (r->file != stdin) fclose(r->file);
    for (i = 0; i < arrlenu(r->names); i++) free(r->names[i]);
    arrfree(r->names);
    arrfree(r->index);
    arrfree(r->value);
    arrfree(r->fields);
    arrfree(r->column_feature);
    arrfree(r->label_text);
    arrfree(r->text);
    free(r->raw);
}

/* ---- All rows ---- */

void rows_init(rows *d)
{
    memset(d, 0, sizeof *d);
    arrput(d->start, 0);
}

void rows_add(rows *d, pcn_vec x, uint32_t label)
{
    if (x.count) memcpy(arraddnptr(d->value, x.count), x.value, x.count * sizeof *x.value);
    if (x.count && x.index)
        memcpy(arraddnptr(d->index, x.count), x.index, x.count * sizeof *x.index);
    arrput(d->start, arrlenu(d->value));
    arrput(d->label, label);
    d->count++;
}

void rows_read(rows *d, reader *r, labels *found, const labels *known)
{
    while (reader_next(r)) {
        uint32_t label = NO_LABEL;
        if (r->label) label = known ? labels_find(known, r->label) : labels_add(found, r->label);
        if (d->count == UINT32_MAX) reader_fail(r, "too many rows");
        rows_add(d, reader_vector(r), label);
    }
    d->features = r->features;
    if (d->count == 0) die(EXIT_INPUT, "%s: no examples", r->name);
}

void rows_drop_ones(rows *d)
{
    size_t i = 0;
    while (i < arrlenu(d->value) && d->value[i] == 1) i++;
    if (d->index && i == arrlenu(d->value)) arrfree(d->value);
}

pcn_vec rows_vector(const rows *d, uint32_t i)
{
    size_t from = d->start[i];
    return pcn_sparse(d->index ? d->index + from : NULL, d->value ? d->value + from : NULL,
                      (uint32_t)(d->start[i + 1] - from));
}

void rows_free(rows *d)
{
    arrfree(d->index);
    arrfree(d->value);
    arrfree(d->start);
    arrfree(d->label);
}
