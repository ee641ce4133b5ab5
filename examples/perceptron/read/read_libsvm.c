/* Reads rows from libsvm or svmlight text. */
#include "reader_parts.h"
#include "text/looks.h"

#include <math.h>

static void binarize_row(reader *r)
{
    size_t i, n = 0;
    for (i = 0; i < r->count; i++) {
        if (r->value[i] == 0) continue;
        r->index[n] = r->index[i];
        r->value[n++] = 1;
    }
    r->count = n;
}

static void sort_row(reader *r)
{
    size_t i, n = r->count;
    for (i = 1; i < n && r->index[i - 1] < r->index[i]; i++) continue;
    if (i >= n) return;
    reader_sort(r, 0);
    for (i = 1; i < n; i++)
        if (r->index[i - 1] == r->index[i])
            reader_fail(r, "index %lu stands twice", (unsigned long)r->index[i] + !r->options.zero_based);
}

#define INDEX_BEYOND ((uint64_t)1 << 33) /* stands for all numbers of more than 32 bits */

static int ends_value(char c)
{
    return is_blank(c) || c == '\0' || c == '#';
}

/* Takes index:value at p, if the value is a numeral. Returns what is behind it and a blank or the end of the line, or
 * NULL. */
static inline const char *parse_pair(reader *r, const char *p, uint64_t *index, float *value)
{
    uint64_t breaks = lines_breaks(&r->lines, p), colon = take_bit(&breaks), end;
    numeral n;
    if (colon - 1 >= 8 || p[colon] != ':') return NULL;
    end = take_numeral(p, colon + 1, &breaks, &n);
    if (end == 0 || (p[end] & ~' ') != 0) return NULL;
    r->has_long |= end - colon - 1 > LONG_NUMBER;
    *index = number_of(last_characters(p, colon));
    *value = numeral_value(&n, number_of(n.digits));
    return p + end + 1;
}

/* Takes index:value at p, if the value is finite. Returns what is behind it and a blank, or NULL. */
static const char *parse_odd_pair(const reader *r, const char *p, uint64_t *index, float *value, int *has_long)
{
    const char *first = p, *number;
    for (*index = 0; digit_at(p) <= 9; p++)
        if (*index <= UINT32_MAX) *index = *index * 10 + digit_at(p);
    if (*index > UINT32_MAX) *index = INDEX_BEYOND;
    if (p == first || *p != ':') return NULL;
    number = p + 1;
    p = parse_decimal(lines_limit(&r->lines), number, value);
    *has_long |= p && p - number > LONG_NUMBER;
    return p && ends_value(*p) && !isinf(*value) ? p + (*p == ' ') : NULL;
}

/* Returns one above the greatest index that a row may keep. */
static uint32_t index_limit(const reader *r)
{
    const reader_options *o = &r->options;
    if (o->predict && o->features && !o->products) return o->features;
    return o->features > o->max_features ? o->features : o->max_features;
}

/* Returns what stands at p, up to one of these characters or the end of the line, for a sentence. */
static const char *word_at(const char *p, const char *ends)
{
    char *word = copy_text(p);
    const char *shown;
    word[strcspn(word, ends)] = '\0';
    shown = printable(word, EXCERPT);
    free(word);
    return shown;
}

/* Says what is wrong with the pair at p, whose index should be `least` or more, counted from 0. */
static void fail_pair(const reader *r, const char *p, uint64_t least) __attribute__((noreturn));

static void fail_pair(const reader *r, const char *p, uint64_t least)
{
    int digits = (int)strspn(p, "0123456789");
    size_t column = reader_column(r, p);
    uint64_t index = 0;
    const char *end;
    float value;
    int has_long;
    parse_odd_pair(r, p, &index, &value, &has_long);
    if (digits == 0 || p[digits] != ':') reader_fail_at(r, column, "'%s' is not index:value", word_at(p, " \t"));
    if (!r->options.zero_based && index-- == 0)
        reader_fail_at(r, column, "index 0 (they start at 1; see --zero-based)");
    if (index >= index_limit(r) && !r->options.predict)
        reader_fail_at(r, column, "index %s is above the limit of %lu features (--max-dim)", word_at(p, ":"),
                       (unsigned long)index_limit(r));
    if (index < least) reader_fail_at(r, column, "index %s does not rise (see --sort)", word_at(p, ":"));
    p += digits + 1;
    end = parse_float(p, &value);
    if (!end || !ends_value(*end)) {
        const char *word = word_at(p, " \t#");
        reader_fail_at(r, reader_column(r, p), "'%s' %s", word,
                       has_decimal_comma(word) ? "has a decimal comma: numbers need a point"
                                               : "is not a finite decimal number");
    }
    reader_fail_at(r, reader_column(r, p), "the value overflows a 32-bit float");
}

/* Takes two pairs of integers of up to eight digits at p, with one blank between. Returns their end, or 0 if there are
 * no such pairs. The indices go to number[0] and [1], the values to value[2] and [3]. */
static inline uint64_t take_integer_pairs(const char *p, uint64_t breaks, uint32_t number[4], float value[4])
{
    uint64_t colon = take_bit(&breaks), blank = take_bit(&breaks), later, end, digits[4];
    if (p[blank] != ' ') return 0;
    later = take_bit(&breaks);
    end = take_bit(&breaks);
    digits[0] = colon;
    digits[1] = blank - colon - 1;
    digits[2] = later - blank - 1;
    digits[3] = end - later - 1;
    if (((digits[0] - 1) | (digits[1] - 1) | (digits[2] - 1) | (digits[3] - 1)) >= 8 || p[colon] != ':' ||
        p[later] != ':' || (p[end] & ~' ') != 0)
        return 0;
    four_numbers(last_characters(p, digits[0]), last_characters(p + blank + 1, digits[2]),
                 last_characters(p + colon + 1, digits[1]), last_characters(p + later + 1, digits[3]), number, value);
    return end;
}

/* Does what take_integer_pairs does, for values with a sign or a point. fractions: only for values such as 0.25. Sets
 * *has_long if a value has eight digits. */
ALWAYS_INLINE uint64_t take_decimal_pairs(const char *p, uint64_t breaks, uint32_t number[4], float value[4],
                                          int fractions, int *has_long)
{
    uint64_t colon = take_bit(&breaks), blank, later, end;
    numeral a, b;
    if (colon - 1 >= 8 || p[colon] != ':') return 0;
    blank = fractions ? take_fraction(p, colon + 1, &breaks, &a) : take_numeral(p, colon + 1, &breaks, &a);
    if (blank == 0 || p[blank] != ' ') return 0;
    later = take_bit(&breaks);
    if (later - blank - 2 >= 8 || p[later] != ':') return 0;
    end = fractions ? take_fraction(p, later + 1, &breaks, &b) : take_numeral(p, later + 1, &breaks, &b);
    if (end == 0 || (p[end] & ~' ') != 0) return 0;
    four_numbers(last_characters(p, colon), last_characters(p + blank + 1, later - blank - 1), a.digits, b.digits,
                 number, value);
    *has_long |= (int)((a.digits | b.digits) & 0x0F);
    value[2] = numeral_value(&a, number[2]);
    value[3] = numeral_value(&b, number[3]);
    return end;
}

/* Takes the row's pairs from p on as long as two at a time are such pairs, and their indices rise. Returns where it
 * stopped. *least: the least index that may follow. */
static const char *parse_two_pairs(reader *r, const char *p, uint64_t *least)
{
    const uint64_t base = !r->options.zero_based, most = index_limit(r);
    const char *last = r->lines.text + r->lines.length;
    uint32_t *to_index = r->index, number[4];
    float *to_value = r->value, value[4];
    uint64_t lowest = 0;
    int fractions = 1, has_long = 0; /* fractions: all values have been such until now */
    while (p < last) {
        uint64_t breaks = lines_breaks(&r->lines, p), index, next, end = take_integer_pairs(p, breaks, number, value);
        if (end == 0 && fractions) fractions = (end = take_decimal_pairs(p, breaks, number, value, 1, &has_long)) != 0;
        if (end == 0) end = take_decimal_pairs(p, breaks, number, value, 0, &has_long);
        if (end == 0) break;
        index = number[0] - base;
        next = number[1] - base;
        if (index < lowest || next <= index || next >= most) break;
        lowest = next + 1;
        to_index[0] = (uint32_t)index;
        to_index[1] = (uint32_t)next;
        memcpy(to_value, value + 2, 2 * sizeof *value);
        to_index += 2;
        to_value += 2;
        p += end + 1;
    }
    r->has_long |= has_long;
    *least = lowest;
    r->count = (size_t)(to_index - r->index);
    return p;
}

/* Takes the row's pairs from p on, whatever they look like. The first index must be at least `least`. */
static void parse_any_pairs(reader *r, const char *p, uint64_t least)
{
    const uint64_t base = !r->options.zero_based, most = index_limit(r);
    const uint64_t rising = r->options.sort ? 0 : UINT64_MAX;
    const char *last = r->lines.text + r->lines.length, *end;
    uint64_t index = 0;
    uint32_t *to_index = r->index + r->count;
    float *to_value = r->value + r->count;
    int plain = 1; /* all pairs have been taken by parse_pair until now */
    while (p < last) {
        end = plain ? parse_pair(r, p, &index, to_value) : NULL;
        if (!end) {
            plain = 0;
            end = parse_odd_pair(r, p, &index, to_value, &r->has_long);
        }
        index -= base;
        if (end && r->options.predict && index >= most && index >= least && index <= INDEX_BEYOND) {
            r->unknown++;
            p = end;
            least = (index + (index <= UINT32_MAX)) & rising;
            continue;
        }
        if (!end || index >= most || index < least) {
            if (*p == '#') break;
            if (!is_blank(*p)) fail_pair(r, p, least);
            p = skip_blanks(p);
            continue;
        }
        p = end;
        least = (index + 1) & rising;
        *to_index++ = (uint32_t)index;
        to_value++;
    }
    r->count = (size_t)(to_index - r->index);
}

/* Leaves new features out of a row that adds none, because they would have no weights. */
static void leave_new_out(reader *r)
{
    const uint32_t known = r->features > r->options.features ? r->features : r->options.features;
    size_t i, n = 0;
    for (i = 0; i < r->count; i++) {
        if (r->index[i] >= known) continue;
        r->index[n] = r->index[i];
        r->value[n++] = r->value[i];
    }
    r->count = n;
}

/* Takes all pairs from p on. */
static void parse_pairs(reader *r, const char *p)
{
    uint64_t least = 0;
    size_t i;
    reader_reserve(r, r->lines.length / 4 + 8); /* a pair is at least "1:1 "; eight are written at a time */
    r->count = 0;
    if (!r->options.sort) p = parse_two_pairs(r, p, &least);
    parse_any_pairs(r, p, least);
    if (r->options.products) return; /* indices are names, which add features later */
    if (r->own.left_out) {
        leave_new_out(r);
        return;
    }
    for (i = r->options.sort || r->count == 0 ? 0 : r->count - 1; i < r->count; i++)
        if (r->features <= r->index[i]) r->features = r->index[i] + 1;
}

/* Takes the label at p if it is a number of up to seven digits, as %ld writes it, with a blank behind it. Returns where
 * the blank is, or NULL. */
static inline const char *take_plain_label(reader *r, const char *p)
{
    const uint64_t text = eight_bytes(p), breaks = above_nine(text_digits(p));
    const unsigned bits = breaks ? first_mark(breaks) - 7 : 64; /* how many bits the digits have */
    if (bits - 8 >= 56 || p[bits / 8] != ' ' || (*p == '0' && bits > 8)) return NULL;
    r->label = r->own.label_text;
    put_eight_bytes(r->own.label_text, text & (((uint64_t)1 << bits) - 1));
    return p + bits / 8;
}

/* Takes the label at p, if there is one. Returns what is behind it. */
static const char *take_label(reader *r, const char *p)
{
    const char *last = r->lines.text + r->lines.length, *end = take_plain_label(r, p);
    int colon = 0;
    if (end) return end;
    for (end = p; end < last && !is_blank(*end) && *end != '#'; end++) colon |= *end == ':';
    r->label = NULL;
    if (!colon) {
        reader_set_label(r, p, (size_t)(end - p), reader_column(r, p), r->options.word_labels);
        return end;
    }
    if (!r->options.predict) reader_fail_at(r, reader_column(r, p), "no label before '%s'", word_at(p, " \t#"));
    return p;
}

/* Subtracts the offsets from the row's values. The pairs from p on are their texts; the row may lack some of them. */
static void subtract_offsets(reader *r, const char *p)
{
    const char *last = r->lines.text + r->lines.length;
    size_t k = 0;
    while (k < r->count && p < last) {
        const char *colon = strchr(p, ':');
        const uint64_t index = strtoull(p, NULL, 10) - !r->options.zero_based;
        if (index == r->index[k]) {
            r->value[k] = reader_less_offset(r, r->index[k], colon + 1, r->value[k]);
            k++;
        }
        p = skip_blanks(p + strcspn(p, " \t"));
    }
}

/* Adds features with an offset that the sorted row lacks: they are 0, less their offset. */
static void add_absent(reader *r)
{
    const size_t given = r->count;
    size_t k = 0;
    uint32_t j;
    reader_reserve(r, given + arrlenu(r->offset));
    for (j = 0; j < arrlenu(r->offset); j++) {
        while (k < given && r->index[k] < j) k++;
        if (r->offset[j] == 0 || (k < given && r->index[k] == j)) continue;
        r->index[r->count] = j;
        r->value[r->count++] = (float)(0 - r->offset[j]);
    }
    reader_sort(r, 0);
}

/* Takes an empty line: all features are 0. */
static int take_zeros(reader *r)
{
    reader_reserve(r, 1);
    r->label = NULL;
    r->count = 0;
    if (r->offset) add_absent(r);
    return 1;
}

static int next_row(reader *r)
{
    const char *p;
    if (r->own.above > 0) {
        r->own.above--;
        return take_zeros(r);
    }
    do {
        if (!lines_next(&r->lines, 0)) return 0;
        p = skip_blanks(r->lines.text);
        if (*p == '\0' && reader_takes_empty(r)) return take_zeros(r);
    } while (*p == '\0' || *p == '#' || !reader_weigh(r));
    p = skip_blanks(take_label(r, p));
    if (memcmp(p, "qid:", 4) == 0)
        reader_fail_at(r, reader_column(r, p),
                       "%s: groups of rows, for ranking, are not learned: sed 's/ qid:[0-9]*//' leaves them out",
                       word_at(p, " \t#"));
    parse_pairs(r, p);
    if (r->options.binarize) binarize_row(r);
    if (r->offset) subtract_offsets(r, p);
    if (r->options.sort) sort_row(r);
    if (r->offset) add_absent(r);
    return 1;
}

/* ---- What is told of it ---- */

static int is_trained(const reader_options *o)
{
    return o->model_labels && !o->model_label_column;
}

/* Is a word index:value, or is there a label alone? For a model of a table, separated fields count for more. */
static enum looks looks_right(const reader *r)
{
    const reader_options *o = &r->options;
    const char *line = r->lines.text;
    const int separated = count_separators(line, line + r->lines.length, o->separator) > 0 || opens_quote(line);
    const int of_table = o->model_label_column > 0, bare = !separated && is_bare_label(line, o->word_labels);
    if (has_pairs(line)) return of_table && separated ? LOOKS_OTHER : LOOKS_RIGHT;
    return bare && (!of_table || o->any_format) ? LOOKS_RIGHT : LOOKS_OTHER;
}

#define AT(member) .at = offsetof(reader_options, member)
#define NEED(...) OPTION_NEED(reader_options, o, __VA_ARGS__)

NEED(libsvm_rows, "rows of libsvm text", reader_expects(o, "libsvm"))
NEED(unordered, "rows of libsvm text",
     !o->no_rows && reader_expects(o, "libsvm") == 0 ? OPTION_IDLE : libsvm_rows.holds(o))

static const option_entry libsvm_options[] = {
    {"zero-based", 0, OPTION_FLAG, AT(zero_based), .memory = KEPT_READING, .needs = &libsvm_rows,
     .help = "Use it if indices start at 0."},
    {"sort", 0, OPTION_FLAG, AT(sort), .memory = KEPT_READING, .needs = &unordered,
     .help = "Use it if the indices of a row are in no order."},
    {"word-labels", 0, OPTION_FLAG, AT(word_labels), .memory = KEPT_READING, .needs = &unordered,
     .help = "Use it if labels are words. In CSV they may always be words."},
};

const row_format format_libsvm = {
    .name = "libsvm",
    .title = "libsvm text",
    .trained = is_trained,
    .looks = looks_right,
    .has_numbers = 1,
    .may_be_empty = 1,
    .has_comments = 1,
    .next = next_row,
    .options = {"For rows of libsvm text", libsvm_options, LENGTH(libsvm_options)}};
