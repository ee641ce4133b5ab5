#include "reader.h"
#include "formats.h"
#include "reader_parts.h"
#include "text/looks.h"

/* ---- The format ---- */

/* Is an empty line a row, whatever comes? Otherwise a table may come, where it is none. */
static int expects_empty_rows(const reader *r)
{
    const row_format *trained = format_trained(&r->options);
    return trained && trained->may_be_empty;
}

/* Finds the format, from the first line that is not empty, which is then read again. Returns format_unknown if there
 * is no such line, or if an empty line is a row already. */
static const row_format *find_format(reader *r)
{
    size_t commented = 0;
    while (lines_next(&r->lines, 0)) {
        const char *p = skip_blanks(r->lines.text), *end = r->lines.text + r->lines.length;
        const row_format *format;
        if (p == end) {
            r->own.above += (size_t)reader_takes_empty(r);
            if (r->own.above > 0 && expects_empty_rows(r)) break;
            continue;
        }
        if (*p == '#') {
            commented = count_separators(p, p + strlen(p), r->options.separator);
            continue;
        }
        format = format_of_line(r);
        if (format->is_table && commented && commented == count_separators(r->lines.text, end, r->options.separator))
            reader_fail(r,
                        "the line that begins with '#' has as many fields: --format %s takes it, too; otherwise "
                        "take it out",
                        format->name);
        r->lines.pending = 1;
        return format;
    }
    return &format_unknown;
}

static void set_format(reader *r, const row_format *format)
{
    r->format = format;
    r->lines.has_quotes = format->has_quotes;
}

void reader_open(reader *r, const char *name, const reader_options *how)
{
    size_t i;
    memset(r, 0, sizeof *r);
    r->options = *how;
    set_format(r, format_told(how));
    for (i = 0; i < arrlenu(how->offset); i++) arrput(r->offset, how->offset[i]);
    r->own.finds_offsets = how->finds_offsets;
    r->own.label_text = allocate(r->own.label_room = PLAIN_LABEL, 1);
    r->weight = 1;
    lines_open(&r->lines, name, how->tape);
}

/* ---- Rows ---- */

void spread_row(const uint32_t *index, const float *value, size_t count, float *to, size_t n)
{
    while (count > 0 && index[count - 1] >= n) count--;
    while (count < n) {
        n--;
        to[n] = count > 0 && index[count - 1] == n ? value[--count] : 0;
    }
    if (count > 0) memmove(to, value, count * sizeof *to); /* the first `count` features are all there */
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
    if (r->format == &format_unknown) set_format(r, find_format(r));
}

const char *reader_step_column(const reader *r, enum step_column k)
{
    return r->own.step_number[k] ? r->own.columns[r->own.step_number[k] - 1].name : NULL;
}

int reader_is_word(const reader *r, uint32_t feature)
{
    const size_t before = r->features - arrlenu(r->names); /* the model keeps the names of its features itself */
    const char *name = feature >= before && feature < r->features ? r->names[feature - before] : NULL;
    size_t i;
    if (r->format->is_text) return 1;
    for (i = 0; name && r->options.text_columns && i < arrlenu(r->own.columns); i++) {
        const size_t length = strlen(r->own.columns[i].name);
        if (r->own.columns[i].kind != COLUMN_WORDS || strncmp(name, r->own.columns[i].name, length) != 0) continue;
        if (name[length] == ':') return 1;
    }
    return 0;
}

/* Returns the format of the next row. Until a line tells it, an empty line may be a row of the model's format. NULL:
 * there is no row. */
static const row_format *format_of_next(reader *r)
{
    reader_find_format(r);
    if (r->format != &format_unknown) return r->format;
    return r->own.above > 0 && expects_empty_rows(r) ? format_trained(&r->options) : NULL;
}

int reader_next(reader *r)
{
    const row_format *format;
    int some;
    r->own.left_out = r->no_row = 0;
    format = format_of_next(r);
    if (!format) return 0;
    some = format->next(r);
    if (!some && r->options.weights && r->own.weighed != arrlenu(r->options.row_weight) && !interrupted)
        die(EXIT_INPUT, "%s has %zu lines, %s %zu rows: a weight for each row is wanted", r->options.weights,
            (size_t)arrlenu(r->options.row_weight), r->lines.name, r->own.weighed);
    if (!some) return 0;
    r->own.finds_offsets = 0;
    r->dense = format->is_table && !r->own.any_text;
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
    if (r->empty)
        fprintf(stderr, "%s: empty lines that were left out: %llu\n", r->lines.name, (unsigned long long)r->empty);
}

void reader_close(reader *r)
{
    size_t i;
    lines_close(&r->lines);
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
}
