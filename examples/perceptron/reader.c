#define _POSIX_C_SOURCE 200809L
#include "reader.h"
#include "window.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <strings.h>
#include <unistd.h>

enum {
    FIRST_ROOM = 1 << 18, /* of the buffer: several times what a pipe holds */
    SLACK = 80,           /* readable behind what has been read: what breaks_from tells of, and eight more; a window */
    PLAIN_LABEL = 16      /* bytes, enough for an integer of nine digits */
};

/* ---- Lines ---- */

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

static void set_room(reader *r, size_t room)
{
    char *buffer = realloc(r->buffer, room + SLACK), *breaks;
    if (buffer) r->buffer = buffer;
    breaks = buffer ? realloc(r->breaks, (room + SLACK) / 8 + sizeof(uint64_t)) : NULL;
    if (!breaks) die(EXIT_MEMORY, "out of memory (a line of %s)", r->name);
    r->breaks = breaks;
    r->room = room;
}

/* Unless that is told as quickly: bit i of r->breaks: buffer[i] is no digit; anew from `place` to the NUL behind the
 * end. */
static void mark_breaks(reader *r, size_t place)
{
    size_t end = (size_t)(r->end - r->buffer);
    for (place &= ~(size_t)63; place <= end; place += 64)
        put_eight_bytes(r->breaks + place / 8, ~digit_mask(r->buffer + place));
}

/* The same from p on, right for 56 characters; eight bits are set behind them. */
static inline uint64_t breaks_from(const reader *r, const char *p)
{
    size_t place = (size_t)(p - r->buffer);
    uint64_t breaks = QUICK_DIGIT_MASK ? ~digit_mask(p) : eight_bytes(r->breaks + place / 8) >> (place & 7);
    return breaks | (uint64_t)0xFF << 56;
}

/* Until the next read need not wait; 0: the program was interrupted. */
static int wait_for_bytes(reader *r)
{
    struct pollfd file = {0, POLLIN, 0};
    file.fd = r->file;
    while (!interrupted && poll(&file, 1, 100) == 0) {}
    return !interrupted;
}

/* Reads on, once; the record moves to the front of the buffer. 0: the file has ended. */
static int read_more(reader *r)
{
    size_t kept = (size_t)(r->end - r->text), used = (size_t)(r->next - r->text);
    size_t marked = r->text == r->buffer ? kept : 0;
    ssize_t got;
    if (r->ended) return 0;
    memmove(r->buffer, r->text, kept);
    if (kept == r->room) set_room(r, 2 * r->room);
    r->text = r->buffer;
    r->next = r->text + used;
    r->end = r->text + kept;
    if (r->before_read) r->before_read(r->context);
    got = wait_for_bytes(r) ? read(r->file, r->end, r->room - kept) : 0;
    if (got < 0) die(EXIT_IO, "%s: %s", r->name, strerror(errno));
    r->ended = got == 0;
    r->odd |= memchr(r->end, '\0', (size_t)got) || memchr(r->end, '\r', (size_t)got);
    r->end += got;
    memset(r->end, 0, SLACK);
    if (!QUICK_DIGIT_MASK) mark_breaks(r, marked);
    return !r->ended;
}

/* The line at r->text + at must not hold what has made r->odd. */
static void check_bytes(const reader *r, size_t at)
{
    const char *line = r->text + at;
    if (strlen(line) != r->length - at) fail_at(r, column_of(r, line + strlen(line)), "NUL byte");
    if (strchr(line, '\r')) fail_at(r, column_of(r, strchr(line, '\r')), "carriage return inside a line");
}

/* The length of the next line, of which more is read only if it is not all there; -1: there is none. */
static ptrdiff_t next_line_length(reader *r)
{
    size_t seen = 0;
    const char *newline = r->newline;
    r->newline = NULL;
    for (;;) {
        if (!newline) newline = memchr(r->next + seen, '\n', (size_t)(r->end - r->next) - seen);
        if (newline) return newline - r->next;
        seen = (size_t)(r->end - r->next);
        if (!read_more(r)) return seen && !interrupted ? (ptrdiff_t)seen : -1;
    }
}

/* Puts a NUL behind the line, for what looks for one. Windows do not: they would have to wait for the store. */
static void end_line(reader *r)
{
    r->text[r->length] = '\0';
}

/* Puts the next line, without its end, at r->text + at; ended by a NUL while dense. */
static int read_line(reader *r, size_t at)
{
    ptrdiff_t size;
    size_t length;
    char *line;
    if (r->pending) { /* the line that the format was guessed from */
        r->pending = 0;
        return 1;
    }
    if (at == 0) r->text = r->next;
    size = next_line_length(r);
    if (size < 0) return 0;
    line = r->next;
    length = (size_t)size;
    r->next += length + (line + length < r->end);
    if (length && line[length - 1] == '\r') length--;
    if (r->next_line == 0 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        r->text = line += 3;
        length -= 3;
    }
    if (at) memmove(r->text + at, line, length);
    r->length = at + length;
    r->next_line++;
    if (at == 0) r->line = r->next_line;
    if (r->dense || r->odd) end_line(r);
    if (r->odd) check_bytes(r, at);
    return 1;
}

int reader_has_line(reader *r)
{
    r->newline = memchr(r->next, '\n', (size_t)(r->end - r->next));
    return r->newline && !(r->dense && memchr(r->next, '"', (size_t)(r->newline - r->next)));
}

static const char *skip_blanks(const char *p)
{
    while (is_blank(*p)) p++;
    return p;
}

/* Reads on to a line that holds something. */
static int next_full_line(reader *r)
{
    while (read_line(r, 0)) {
        const char *p = skip_blanks(r->text);
        if (p < r->text + r->length && *p != '#') return 1;
    }
    return 0;
}

/* Room for `count` indices and values. */
static void reserve_values(reader *r, size_t count)
{
    if (count <= r->value_room) return;
    r->value_room = 2 * count;
    r->index = reallocate(r->index, r->value_room * sizeof *r->index);
    r->value = reallocate(r->value, r->value_room * sizeof *r->value);
}

/* The end of what may be read of the buffer. */
static const char *buffer_limit(const reader *r)
{
    return r->end + SLACK;
}

/* An integer of up to nine digits as %ld writes it. */
static int is_canonical(const char *text, size_t length)
{
    size_t i = *text == '-', digits = length - i;
    if (digits == 0 || digits > 9 || (text[i] == '0' && length > 1)) return 0;
    while (i < length && digit_at(text + i) <= 9) i++;
    return i == length;
}

/* Takes text[0 .. length) in the buffer as the row's label: integers in one spelling, words where welcome. */
static void set_label(reader *r, const char *text, size_t length, size_t column, int words)
{
    size_t plus = length > 1 && text[0] == '+' && text[1] != '-';
    long value;
    float number;
    const char *end;
    r->label = r->label_text;
    if (is_canonical(text + plus, length - plus)) {
        memcpy(r->label_text, text + plus, PLAIN_LABEL); /* more than there is: a fixed size costs no call */
        r->label_text[length - plus] = '\0';
        return;
    }
    if (length >= r->label_room) r->label_text = reallocate(r->label_text, r->label_room = 2 * length);
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

/* ---- libsvm ---- */

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
    size_t i, j, n = r->count;
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

static int ends_value(char c)
{
    return is_blank(c) || c == '\0' || c == '#';
}

/* index:value at p, a numeral: what follows it and a blank or the end of the line; NULL if there is none. */
static inline const char *parse_pair(const reader *r, const char *p, uint64_t *index, float *value)
{
    uint64_t breaks = breaks_from(r, p), colon = take_bit(&breaks), end;
    numeral n;
    if (colon - 1 >= 8 || p[colon] != ':') return NULL;
    end = take_numeral(p, colon + 1, &breaks, &n);
    if (end == 0 || (p[end] & ~' ') != 0) return NULL;
    *index = number_of(last_characters(p, colon));
    *value = numeral_value(&n, number_of(n.digits));
    return p + end + 1;
}

/* The same for any finite value. */
static const char *parse_odd_pair(const reader *r, const char *p, uint64_t *index, float *value)
{
    const char *first = p;
    for (*index = 0; digit_at(p) <= 9; p++)
        if (*index <= UINT32_MAX) *index = *index * 10 + digit_at(p);
    if (p == first || *p != ':') return NULL;
    p = parse_decimal(buffer_limit(r), p + 1, value);
    return p && ends_value(*p) && !isinf(*value) ? p + (*p == ' ') : NULL;
}

/* Says what is wrong with the pair at p, whose index should be `least` or more, counted from 0. */
static void fail_pair(const reader *r, const char *p, uint64_t least) __attribute__((noreturn));

static void fail_pair(const reader *r, const char *p, uint64_t least)
{
    int digits = (int)strspn(p, "0123456789");
    size_t column = column_of(r, p);
    uint64_t index = 0;
    const char *end;
    float value;
    parse_odd_pair(r, p, &index, &value);
    if (digits == 0 || p[digits] != ':')
        fail_at(r, column, "'%.*s' is not index:value", (int)strcspn(p, " \t"), p);
    if (!r->options.zero_based && index-- == 0)
        fail_at(r, column, "index 0 (they start at 1; see --zero-based)");
    if (index >= r->options.max_features)
        fail_at(r, column, "index %.*s is above the limit of %lu features (--max-dim)", digits, p,
                (unsigned long)r->options.max_features);
    if (index < least) fail_at(r, column, "index %.*s does not rise (see --sort)", digits, p);
    p += digits + 1;
    end = parse_float(p, &value);
    if (!end || !ends_value(*end))
        fail_at(r, column_of(r, p), "'%.*s' is not a finite decimal number", (int)strcspn(p, " \t#"), p);
    fail_at(r, column_of(r, p), "the value overflows a 32-bit float");
}

/* Two pairs of integers of up to eight digits at p with one blank between: their end, 0 if there are no such.
 * The indices to number[0] and [1], the values to value[2] and [3]. */
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
                 last_characters(p + colon + 1, digits[1]), last_characters(p + later + 1, digits[3]),
                 number, value);
    return end;
}

/* The same for values with a sign or a point; fractions: for such as 0.25 only. */
ALWAYS_INLINE uint64_t take_decimal_pairs(const char *p, uint64_t breaks, uint32_t number[4], float value[4],
                                          int fractions)
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
    four_numbers(last_characters(p, colon), last_characters(p + blank + 1, later - blank - 1), a.digits,
                 b.digits, number, value);
    value[2] = numeral_value(&a, number[2]);
    value[3] = numeral_value(&b, number[3]);
    return end;
}

#ifdef HAVE_WINDOW
/* The row's pairs from p on as long as a window shows such with indices that rise; where others begin. */
static const char *parse_windows(reader *r, const char *p)
{
    const __m256i base = _mm256_set1_epi32(!r->options.zero_based);
    const uint32_t limit = r->options.max_features;
    const __m256i most = _mm256_set1_epi32(limit < INT32_MAX ? (int)limit : INT32_MAX); /* there are eight digits */
    const char *last = r->text + r->length;
    uint32_t *to_index = r->index;
    float *to_value = r->value;
    __m256i before = _mm256_set1_epi32(-1), index;
    __m256 value;
    while (p < last) {
        unsigned used, pairs = window_pairs(p, last, &index, &value, &used), rising;
        index = _mm256_sub_epi32(index, base);
        rising = _mm256_cmplt_epi32_mask(_mm256_alignr_epi32(index, before, 7), index);
        rising &= _mm256_cmplt_epi32_mask(index, most);
        if (pairs == 0 || (~rising & ((1u << pairs) - 1)) != 0) break;
        _mm256_storeu_si256((__m256i *)(void *)to_index, index);
        _mm256_storeu_ps(to_value, value);
        to_index += pairs;
        to_value += pairs;
        p += used;
        before = _mm256_set1_epi32((int)to_index[-1]);
    }
    r->count = (size_t)(to_index - r->index);
    return p;
}
#endif

/* The row's pairs from p on as long as they are such, with indices that rise; where others begin. *least: the
 * least index then. */
static const char *parse_two_pairs(reader *r, const char *p, uint64_t *least)
{
    const uint64_t base = !r->options.zero_based, most = r->options.max_features;
    const char *last = r->text + r->length;
    uint32_t *to_index = r->index + r->count, number[4];
    float *to_value = r->value + r->count, value[4];
    uint64_t lowest = r->count ? (uint64_t)to_index[-1] + 1 : 0;
    int fractions = 1; /* as yet */
    while (p < last) {
        uint64_t breaks = breaks_from(r, p), index, next, end = take_integer_pairs(p, breaks, number, value);
        if (end == 0 && fractions) fractions = (end = take_decimal_pairs(p, breaks, number, value, 1)) != 0;
        if (end == 0) end = take_decimal_pairs(p, breaks, number, value, 0);
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
    *least = lowest;
    r->count = (size_t)(to_index - r->index);
    return p;
}

/* Takes the pairs from p on. */
static void parse_pairs(reader *r, const char *p)
{
    const uint64_t base = !r->options.zero_based, most = r->options.max_features;
    const uint64_t rising = r->options.sort ? 0 : UINT64_MAX;
    const char *last = r->text + r->length, *end;
    uint64_t index = 0, least = 0;
    uint32_t *to_index;
    float *to_value;
    int plain = 1; /* as yet */
    size_t i;
    reserve_values(r, r->length / 4 + 8); /* "1:1 ", but eight at a time */
    r->count = 0;
#ifdef HAVE_WINDOW
    if (!r->options.sort) p = parse_windows(r, p);
#endif
    if (p < last) end_line(r);
    if (!r->options.sort) p = parse_two_pairs(r, p, &least);
    to_index = r->index + r->count;
    to_value = r->value + r->count;
    while (p < last) {
        end = plain ? parse_pair(r, p, &index, to_value) : NULL;
        if (!end) {
            plain = 0;
            end = parse_odd_pair(r, p, &index, to_value);
        }
        index -= base;
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
    for (i = r->options.sort || r->count == 0 ? 0 : r->count - 1; i < r->count; i++)
        if (r->features <= r->index[i]) r->features = r->index[i] + 1;
}

/* Takes the label at p if it is a number of up to seven digits, as %ld writes it, and a blank behind it: where that
 * is; NULL if not. */
static inline const char *take_plain_label(reader *r, const char *p)
{
    const uint64_t text = eight_bytes(p), breaks = above_nine(text_digits(p));
    const unsigned bits = breaks ? first_mark(breaks) - 7 : 64; /* of the digits */
    if (bits - 8 >= 56 || p[bits / 8] != ' ' || (*p == '0' && bits > 8)) return NULL;
    r->label = r->label_text;
    put_eight_bytes(r->label_text, text & (((uint64_t)1 << bits) - 1));
    return p + bits / 8;
}

/* Takes the label at p, if there is one: what is behind it. */
static const char *take_label(reader *r, const char *p)
{
    const char *last = r->text + r->length, *end = take_plain_label(r, p);
    int colon = 0;
    if (end) return end;
    for (end = p; end < last && !is_blank(*end) && *end != '#'; end++) colon |= *end == ':';
    r->label = NULL;
    if (!colon) {
        set_label(r, p, (size_t)(end - p), column_of(r, p), r->options.words);
        return end;
    }
    if (!r->options.predict) fail_at(r, column_of(r, p), "no label before '%.*s'", (int)(end - p), p);
    return p;
}

static int next_libsvm(reader *r)
{
    const char *p;
    if (!next_full_line(r)) return 0;
    p = skip_blanks(r->text);
    p = skip_blanks(take_label(r, p));
    if (memcmp(p, "qid:", 4) == 0) {
        const char *q = p + 4;
        end_line(r);
        q += strspn(q, "0123456789");
        if (q == p + 4 || (*q && !is_blank(*q))) fail_at(r, column_of(r, p), "malformed qid");
        p = skip_blanks(q);
    }
    parse_pairs(r, p);
    if (r->options.binarize) binarize_row(r);
    if (r->options.sort) sort_row(r);
    return 1;
}

/* ---- CSV (RFC 4180) ---- */

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
    r->plain = !strchr("+-.0123456789Ee\"", o->separator);
    return header;
}

/* A row of zeros: those of the features that the file lacks stay. */
static void clear_values(reader *r)
{
    r->count = r->features;
    reserve_values(r, r->count);
    memset(r->value, 0, r->count * sizeof *r->value);
}

/* The value at `start`: its end, NULL if there is none. */
static inline const char *plain_value(const reader *r, const char *start, float *value)
{
    uint64_t breaks = breaks_from(r, start);
    numeral n;
    const char *p = start + take_numeral(start, 0, &breaks, &n);
    if (p != start && (*p == r->options.separator || *p == '\0')) {
        *value = numeral_value(&n, number_of(n.digits));
        return p;
    }
    p = parse_decimal(buffer_limit(r), start, value);
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
        uint64_t breaks = breaks_from(r, *p), end = take_four_integers(*p, breaks, separator, value);
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
    if (label) set_label(r, label, length, column_of(r, label), 1);
    return 1;
}

/* Takes the record that has been cut into fields. */
static void take_fields(reader *r)
{
    size_t i;
    if (arrlenu(r->fields) != arrlenu(r->column_feature))
        fail_at(r, r->fields[arrlenu(r->fields) - 1].column, "%zu fields, the first record had %zu",
                      (size_t)arrlenu(r->fields), (size_t)arrlenu(r->column_feature));
    clear_values(r);
    for (i = 0; i < arrlenu(r->fields); i++) {
        float value;
        if (i == r->label_column) continue;
        if (!field_value(field_text(r, i), &value))
            fail_at(r, r->fields[i].column, "'%s' is not a finite decimal number", field_text(r, i));
        if (isinf(value)) fail_at(r, r->fields[i].column, "the value overflows a 32-bit float");
        r->value[r->column_feature[i]] = value;
    }
    if (r->label_column != NO_LABEL) {
        const char *text = skip_blanks(field_text(r, r->label_column));
        size_t length = strlen(text);
        while (length && is_blank(text[length - 1])) length--;
        set_label(r, text, length, r->fields[r->label_column].column, 1);
    }
}

static int next_csv(reader *r)
{
    size_t i;
    r->label = NULL;
    for (;;) {
        do
            if (!read_line(r, 0)) return 0;
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

/* ---- Opening ---- */

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
    r->file = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY);
    if (r->file < 0) die(EXIT_IO, "%s: %s", name, strerror(errno));
    r->label_text = allocate(r->label_room = PLAIN_LABEL, 1);
    set_room(r, FIRST_ROOM);
    r->text = r->next = r->end = r->buffer;
}

int reader_next(reader *r)
{
    if (r->options.format == FORMAT_AUTO) { /* look at the first full line, then read it again */
        if (!next_full_line(r)) return 0;
        end_line(r);
        r->options.format = guess_format(r->text, r->options.separator);
        r->pending = 1;
    }
    r->dense = r->options.format == FORMAT_CSV;
    return r->dense ? next_csv(r) : next_libsvm(r);
}

void reader_close(reader *r)
{
    size_t i;
    if (r->file != STDIN_FILENO) close(r->file);
    for (i = 0; i < arrlenu(r->names); i++) free(r->names[i]);
    arrfree(r->names);
    arrfree(r->fields);
    arrfree(r->column_feature);
    free(r->label_text);
    free(r->index);
    free(r->value);
    free(r->breaks);
    free(r->buffer);
}
