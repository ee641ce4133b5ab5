/* Rows of whatever format the text is in. */
#include "reader_parts.h"
#include "text/foreign.h"

/* ---- The format ---- */

/* Has some word the form index:value? Times of day, 12:30:00 or 12:30 behind a date, have not. */
static int has_pairs(const char *line)
{
    const char *p = line;
    for (p = skip_blanks(p); *p && *p != '#'; p = skip_blanks(p + strcspn(p, " \t#"))) {
        const size_t digits = strspn(p, "0123456789");
        if (strncmp(p, "qid:", 4) == 0) return 1;
        if (digits && p[digits] == ':' && !memchr(p + digits + 1, ':', strcspn(p, " \t#") - digits - 1) &&
            !(p > line && date_ends_at(line, p - 1)))
            return 1;
    }
    return 0;
}

/* Does it begin with a field in quotes that ends on another line? */
static int opens_quote(const char *line)
{
    size_t quotes = 0;
    const char *p = line;
    for (; *p; p++) quotes += *p == '"';
    return *line == '"' && quotes % 2;
}

/* A row of libsvm text without a feature. */
static int is_bare_label(const reader_options *o, const char *line)
{
    const char *word = skip_blanks(line);
    const size_t length = strcspn(word, " \t");
    char label[24];
    long number;
    if (*skip_blanks(word + length) != '\0' || length >= sizeof label) return 0;
    memcpy(label, word, length);
    label[length] = '\0';
    return o->word_labels || label_is_integer(label, &number);
}

/* The row is of another format than the model's. */
static void fail_format(const reader *r, const char *expected, const char *found, const char *option)
    __attribute__((noreturn));

static void fail_format(const reader *r, const char *expected, const char *found, const char *option)
{
    reader_fail(r, "the model was trained on %s, and this looks like %s, '%s': %s--%sformat %s reads it so", expected,
                found, printable(r->own.text, EXCERPT), reader_by(r),
                r->options.read_for == READ_FOR_EXPORT ? "test-" : "", option);
}

/* The first line is of no format, or of one that an option reads. */
static void check_foreign(const reader *r)
{
    const reader_options *o = &r->options;
    const char *line = r->own.text, *what = foreign_text(line);
    if (what) reader_fail(r, "%s", what);
    if (o->model_labels) return;
    if (strncmp(line, FASTTEXT, strlen(FASTTEXT)) == 0)
        reader_fail(r, "a line of fastText, '%s': --text reads it", printable(line, EXCERPT));
    if (o->separator_text || !foreign_is_labelled_text(line)) return;
    reader_fail(r, "'%s' seems to be a label, a tab and a text: --text reads such lines%s", printable(line, EXCERPT),
                strchr(line, '"') ? "" : "; if it is a table of two columns, --sep tab does");
}

/* That of the model, if the line can be that. Otherwise libsvm text if some word is index:value; else CSV if there is
 * a separator. */
static unsigned guess_format(reader *r)
{
    const reader_options *o = &r->options;
    const char *line = r->own.text;
    const int separated = reader_separators(line, line + r->own.length, o->separator) > 0 || opens_quote(line);
    const int pairs = has_pairs(line), whole = !strchr(line, '#');
    check_foreign(r);
    if (o->model_label_column && (separated || !o->any_format)) {
        if (pairs && !separated) fail_format(r, "CSV", "libsvm text", "libsvm");
        return FORMAT_CSV;
    }
    if (pairs || (!separated && is_bare_label(o, line))) return FORMAT_LIBSVM;
    if (o->model_labels && !o->any_format && (separated || (whole && reader_other_separator(r, line))))
        fail_format(r, "libsvm text", "CSV", "csv");
    if (whole) reader_check_separator(r, line);
    return separated ? FORMAT_CSV : FORMAT_LIBSVM;
}

/* Is an empty line a row of libsvm text, whatever comes? Otherwise a table may come, where it is none. */
static int expects_libsvm(const reader *r)
{
    return r->options.model_labels && !r->options.model_label_column;
}

/* The format, from the first full line, which is to be read again. FORMAT_AUTO: there is none, or a row before. */
static unsigned find_format(reader *r)
{
    size_t commented = 0;
    while (reader_line(r, 0)) {
        const char *p = skip_blanks(r->own.text);
        unsigned format;
        if (p == r->own.text + r->own.length) {
            r->own.above += (size_t)reader_takes_empty(r);
            if (r->own.above > 0 && expects_libsvm(r)) break;
            continue;
        }
        if (*p == '#') {
            commented = reader_separators(p, p + strlen(p), r->options.separator);
            continue;
        }
        format = guess_format(r);
        if (format == FORMAT_CSV && commented &&
            commented == reader_separators(r->own.text, r->own.text + r->own.length, r->options.separator))
            reader_fail(r, "the line that begins with '#' has as many fields: --format csv takes it, too; otherwise "
                           "take it out");
        r->own.pending = 1;
        return format;
    }
    return FORMAT_AUTO;
}

/* ---- Rows ---- */

void spread_row(const uint32_t *index, const float *value, size_t count, float *to, size_t n)
{
    while (count > 0 && index[count - 1] >= n) count--;
    while (count < n) {
        n--;
        to[n] = count > 0 && index[count - 1] == n ? value[--count] : 0;
    }
    if (count > 0) memmove(to, value, count * sizeof *to); /* the rest is all there */
}

static void make_dense(reader *r)
{
    if (r->options.grows && r->features > r->options.width) r->options.width = r->features;
    reader_reserve(r, r->options.width);
    spread_row(r->index, r->value, r->count, r->value, r->options.width);
    r->count = r->options.width;
    r->dense = 1;
}

static void make_sparse(reader *r)
{
    size_t j, n = 0;
    for (j = 0; j < r->count; j++) {
        if (r->value[j] == 0 && j >= r->numbers) continue;
        r->index[n] = (uint32_t)j;
        r->value[n++] = r->value[j];
    }
    r->count = n;
    r->dense = 0;
}

void reader_find_format(reader *r)
{
    if (r->options.format == FORMAT_AUTO) r->options.format = find_format(r);
}

const char *reader_weight_column(const reader *r)
{
    return r->own.weight_number ? r->own.columns[r->own.weight_number - 1].name : NULL;
}

int reader_is_word(const reader *r, uint32_t feature)
{
    const size_t before = r->features - arrlenu(r->names); /* features of the model, if it has names of its own */
    const char *name = feature >= before && feature < r->features ? r->names[feature - before] : NULL;
    size_t i;
    if (r->options.format == FORMAT_TEXT) return 1;
    for (i = 0; name && r->options.text_columns && i < arrlenu(r->own.columns); i++) {
        const size_t length = strlen(r->own.columns[i].name);
        if (r->own.columns[i].kind != COLUMN_WORDS || strncmp(name, r->own.columns[i].name, length) != 0) continue;
        if (name[length] == ':') return 1;
    }
    return 0;
}

int reader_next(reader *r)
{
    int some;
    r->own.left_out = r->no_row = 0;
    reader_find_format(r);
    if (r->options.format == FORMAT_AUTO && !(r->own.above > 0 && expects_libsvm(r))) return 0;
    r->csv = r->options.format == FORMAT_CSV;
    if (r->options.format == FORMAT_TEXT)
        some = reader_next_text(r);
    else
        some = r->csv ? reader_next_csv(r) : reader_next_libsvm(r);
    if (!some && r->options.weights && r->own.weighed != arrlenu(r->options.row_weight) && !interrupted)
        die(EXIT_INPUT, "%s has %zu lines, %s %zu rows: a weight for each row is wanted", r->options.weights,
            (size_t)arrlenu(r->options.row_weight), r->name, r->own.weighed);
    if (!some) return 0;
    r->own.finds_offsets = 0;
    r->dense = r->csv && !r->own.any_text;
    if (r->no_row) return 1;
    if (r->options.products) reader_add_products(r);
    r->known += r->count;
    if (r->options.rows == ROWS_DENSE && !r->dense) make_dense(r);
    if (r->options.rows == ROWS_SPARSE && r->dense) make_sparse(r);
    if (r->own.left_out) {
        r->grows = r->own.grew;
        r->label = NULL;
        r->weight = 1;
    }
    return 1;
}

void reader_say_empty(const reader *r)
{
    if (r->empty) fprintf(stderr, "%s: empty lines that were left out: %llu\n", r->name, (unsigned long long)r->empty);
}

void reader_close(reader *r)
{
    size_t i;
    system_close(r->own.file);
    for (i = 0; i < arrlenu(r->own.columns); i++) free(r->own.columns[i].name);
    texts_free(&r->names);
    free(r->label_name);
    shfree(r->own.dictionary);
    arrfree(r->own.word);
    arrfree(r->offset);
    arrfree(r->date);
    hmfree(r->own.pairs);
    arrfree(r->own.product_sides);
    arrfree(r->own.columns);
    arrfree(r->own.fields);
    arrfree(r->own.column_feature);
    free(r->own.label_text);
    free(r->index);
    free(r->value);
    free(r->own.breaks);
    free(r->own.buffer);
}

float *read_row_weights(const char *name)
{
    const reader_options plain = {0};
    reader r;
    float *all = NULL;
    reader_open(&r, name, &plain);
    while (reader_line(&r, 0)) {
        char *text = trim(r.own.text);
        arrput(all, reader_take_weight(&r, text, reader_column(&r, text)));
    }
    reader_close(&r);
    return all;
}
