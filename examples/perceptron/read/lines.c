/* Lines, labels and named features of a text, whatever its rows are. */
#define _POSIX_C_SOURCE 200809L
#include "reader_parts.h"
#include "cli/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <math.h>
#include <stdarg.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_ROOM = 1 << 18, /* of the buffer: several times what a pipe holds */
    MOVES = 32,           /* for each value of a row, before it is sorted otherwise */
    PLAIN_LABEL = 16      /* bytes, enough for an integer of nine digits */
};

/* ---- Lines ---- */

/* Of the row in the file: one that began in the middle counts only now. */
static unsigned long true_line(const reader *r)
{
    unsigned long line = r->line - (r->own.from > 0);
    uint64_t at;
    FILE *f = r->own.from > 0 ? fopen(r->name, "rb") : NULL;
    if (!f) return line;
    for (at = 0; at < r->own.from; at++) line += getc_unlocked(f) == '\n';
    fclose(f);
    return line;
}

/* column: from 1 in the line; 0: none. */
static void fail(const reader *r, size_t column, const char *format, va_list arguments)
{
    char what[sizeof failing->text / 2], where[32] = "";
    vsnprintf(what, sizeof what, format, arguments);
    if (column) snprintf(where, sizeof where, "%zu:", column);
    die(EXIT_INPUT, "%s:%lu:%s %s", r->name, true_line(r), where, what);
}

void reader_fail_at(const reader *r, size_t column, const char *format, ...)
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

static void set_room(reader *r, size_t room)
{
    char *buffer = realloc(r->own.buffer, room + READER_SLACK), *breaks;
    if (buffer) r->own.buffer = buffer;
    breaks = buffer ? realloc(r->own.breaks, (room + READER_SLACK) / 8 + sizeof(uint64_t)) : NULL;
    if (!breaks) die(EXIT_MEMORY, "out of memory (a line of %s)", r->name);
    r->own.breaks = breaks;
    r->own.room = room;
}

/* Unless that is told as quickly: bit i of r->own.breaks: buffer[i] is no digit; anew from `place` to the NUL behind the
 * end. */
static void mark_breaks(reader *r, size_t place)
{
    size_t end = (size_t)(r->own.end - r->own.buffer);
    for (place &= ~(size_t)63; place <= end; place += 64)
        put_eight_bytes(r->own.breaks + place / 8, ~digit_mask(r->own.buffer + place));
}

/* What is no text of 8-bit characters. */
static void check_start(const reader *r)
{
    if (r->own.next_line > 0 || r->own.end - r->own.text < 2) return;
    if (memcmp(r->own.text, "\x1F\x8B", 2) == 0)
        die(EXIT_INPUT, "%s: compressed by gzip: read it through gunzip -c, with '-' as DATA", r->name);
    if (r->own.end - r->own.text >= 4 && memcmp(r->own.text, "PCN\x1A", 4) == 0)
        die(EXIT_INPUT, "%s: a model file, where rows are wanted", r->name);
    if (memcmp(r->own.text, "\xFF\xFE", 2) == 0 || memcmp(r->own.text, "\xFE\xFF", 2) == 0)
        die(EXIT_INPUT, "%s: UTF-16 text: read it through iconv -f UTF-16 -t UTF-8, with '-' as DATA", r->name);
}

/* Until the next read need not wait; 0: the program was interrupted. */
static int wait_for_bytes(reader *r)
{
    struct pollfd file = {0, POLLIN, 0};
    file.fd = r->own.file;
    while (!interrupted && poll(&file, 1, 100) == 0) continue;
    return !interrupted;
}

/* Reads on, once; the record moves to the front of the buffer. 0: the file has ended. */
static int read_more(reader *r)
{
    size_t kept = (size_t)(r->own.end - r->own.text), used = (size_t)(r->own.next - r->own.text);
    size_t marked = r->own.text == r->own.buffer ? kept : 0, most;
    ssize_t got;
    if (r->own.ended) return 0;
    memmove(r->own.buffer, r->own.text, kept);
    if (kept == r->own.room) set_room(r, 2 * r->own.room);
    r->own.text = r->own.buffer;
    r->own.next = r->own.text + used;
    r->own.end = r->own.text + kept;
    if (r->before_read) r->before_read(r->context);
    most = r->own.room - kept < r->own.left ? r->own.room - kept : (size_t)r->own.left;
    got = wait_for_bytes(r) ? read(r->own.file, r->own.end, most) : 0;
    if (got < 0) die_of(r->name);
    r->own.left -= (uint64_t)got;
    r->own.ended = got == 0;
    r->own.has_nul_or_cr |= memchr(r->own.end, '\0', (size_t)got) || memchr(r->own.end, '\r', (size_t)got);
    r->own.end += got;
    memset(r->own.end, 0, READER_SLACK);
    check_start(r);
    if (!QUICK_DIGIT_MASK) mark_breaks(r, marked);
    return !r->own.ended;
}

void reader_fill(reader *r)
{
    while ((size_t)(r->own.end - r->own.text) < r->own.room && read_more(r)) continue;
}

void reader_fill_record(reader *r)
{
    size_t i = 0;
    int quoted = 0, some = 0;
    do
        for (; r->own.next + i < r->own.end; i++) {
            const char c = r->own.next[i];
            quoted ^= c == '"';
            some |= c != '\n' && c != '\r';
            if (c == '\n' && some && !quoted) return;
        }
    while (read_more(r));
}

/* The line at r->own.text + at must not hold what has made r->own.has_nul_or_cr. */
static void check_bytes(const reader *r, size_t at)
{
    const char *line = r->own.text + at;
    if (strlen(line) != r->own.length - at) reader_fail_at(r, reader_column(r, line + strlen(line)), "NUL byte");
    if (strchr(line, '\r')) reader_fail_at(r, reader_column(r, strchr(line, '\r')), "carriage return inside a line");
}

/* The length of the next line, of which more is read only if it is not all there; -1: there is none. */
static ptrdiff_t next_line_length(reader *r)
{
    size_t seen = 0;
    const char *newline = r->own.newline;
    r->own.newline = NULL;
    for (;;) {
        if (!newline) newline = memchr(r->own.next + seen, '\n', (size_t)(r->own.end - r->own.next) - seen);
        if (newline) return newline - r->own.next;
        seen = (size_t)(r->own.end - r->own.next);
        if (!read_more(r)) return seen && !interrupted ? (ptrdiff_t)seen : -1;
    }
}

int reader_line(reader *r, size_t at)
{
    ptrdiff_t size;
    size_t length;
    char *line;
    if (r->own.pending) { /* the line that the format was guessed from */
        r->own.pending = 0;
        return 1;
    }
    if (at == 0) r->own.text = r->own.next;
    size = next_line_length(r);
    if (size < 0) return 0;
    line = r->own.next;
    length = (size_t)size;
    r->own.next += length + (line + length < r->own.end);
    if (length && line[length - 1] == '\r') length--;
    if (r->own.next_line == 0 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        r->own.text = line += 3;
        length -= 3;
    }
    if (at) memmove(r->own.text + at, line, length);
    r->own.length = at + length;
    r->own.next_line++;
    if (at == 0) r->line = r->own.next_line;
    r->own.text[r->own.length] = '\0'; /* for what looks for one */
    if (r->own.has_nul_or_cr) check_bytes(r, at);
    return 1;
}

int reader_has_line(reader *r)
{
    r->own.newline = memchr(r->own.next, '\n', (size_t)(r->own.end - r->own.next));
    return r->own.newline && !(r->csv && memchr(r->own.next, '"', (size_t)(r->own.newline - r->own.next)));
}

int reader_full_line(reader *r)
{
    while (reader_line(r, 0)) {
        const char *p = skip_blanks(r->own.text);
        if (p < r->own.text + r->own.length && *p != '#') return 1;
    }
    return 0;
}

void reader_reserve(reader *r, size_t count)
{
    if (count <= r->own.value_room) return;
    r->own.value_room = 2 * count;
    r->index = reallocate(r->index, r->own.value_room * sizeof *r->index);
    r->value = reallocate(r->value, r->own.value_room * sizeof *r->value);
}

typedef struct row_cell { /* of a row */
    uint32_t index;
    float value;
    size_t place;
} row_cell;

static int compare_cells(const void *a, const void *b)
{
    const row_cell *s = a, *t = b;
    if (s->index != t->index) return s->index < t->index ? -1 : 1;
    return s->place < t->place ? -1 : 1;
}

static void sort_cells(reader *r)
{
    row_cell *all = allocate(r->count, sizeof *all);
    size_t i;
    for (i = 0; i < r->count; i++) {
        all[i].index = r->index[i];
        all[i].value = r->value[i];
        all[i].place = i;
    }
    qsort(all, r->count, sizeof *all, compare_cells);
    for (i = 0; i < r->count; i++) {
        r->index[i] = all[i].index;
        r->value[i] = all[i].value;
    }
    free(all);
}

void reader_sort(reader *r)
{
    size_t i, j, n = r->count, moves = 0;
    for (i = 1; i < n && moves <= MOVES * n; i++) { /* insertion: most rows are nearly sorted, or short */
        uint32_t index = r->index[i];
        float value = r->value[i];
        for (j = i; j > 0 && r->index[j - 1] > index; j--, moves++) {
            r->index[j] = r->index[j - 1];
            r->value[j] = r->value[j - 1];
        }
        r->index[j] = index;
        r->value[j] = value;
    }
    if (i < n) sort_cells(r);
}

void reader_add_named(reader *r, const char *name)
{
    ptrdiff_t i = shgeti(r->own.dictionary, name);
    if (i < 0 && !r->grows) {
        if (r->options.refuse_new)
            reader_fail(r, "'%s' is not one of the model's features: %s", printable(name, EXCERPT),
                        r->options.refuse_new);
        r->unknown++;
        return;
    }
    reader_reserve(r, r->count + 1);
    r->value[r->count] = 1;
    r->index[r->count++] = i < 0 ? r->features : r->own.dictionary[i].value;
    if (i >= 0) return;
    if (r->features == r->options.max_features)
        reader_fail(r, "more than %lu features (--max-dim)", (unsigned long)r->options.max_features);
    shput(r->own.dictionary, name, r->features);
    r->features++;
    arrput(r->names, copy_text(name));
}

/* An integer of up to nine digits as %ld writes it. */
static int is_canonical(const char *text, size_t length)
{
    size_t i = *text == '-', digits = length - i;
    if (digits == 0 || digits > 9 || (text[i] == '0' && length > 1)) return 0;
    while (i < length && digit_at(text + i) <= 9) i++;
    return i == length;
}

void reader_set_label(reader *r, const char *text, size_t length, size_t column, int words)
{
    const labels *texts = r->options.number_labels ? NULL : r->options.model_labels; /* libsvm text may have them */
    const int numbers = reader_labels_are_numbers(&r->options, r->options.format);
    size_t plus = numbers && !texts && length > 1 && text[0] == '+' && text[1] != '-';
    long value;
    float number;
    const char *end;
    r->label = r->own.label_text;
    if (is_canonical(text + plus, length - plus)) {
        memcpy(r->own.label_text, text + plus, PLAIN_LABEL); /* more than there is: a fixed size costs no call */
        r->own.label_text[length - plus] = '\0';
        return;
    }
    if (length >= r->own.label_room) r->own.label_text = reallocate(r->own.label_text, r->own.label_room = 2 * length);
    memcpy(r->own.label_text, text, length);
    r->own.label_text[length] = '\0';
    r->label = text = r->own.label_text;
    if (numbers && texts && labels_find(texts, text) != NO_LABEL) return;
    if (numbers && label_is_integer(text, &value)) {
        sprintf(r->own.label_text, "%ld", value);
        return;
    }
    if (length == 0) reader_fail_at(r, column, "empty label");
    if (words) return;
    end = parse_float(text, &number);
    if ((end && *end == '\0') || strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0)
        reader_fail_at(r, column, "label %s is not an integer of 32 bits", printable(text, EXCERPT));
    if (strchr(text, ',')) reader_fail_at(r, column, "several labels (%s): one a row", printable(text, EXCERPT));
    reader_fail_at(r, column, "label '%s' is not an integer (--words allows other labels)", printable(text, EXCERPT));
}

/* ---- Separators ---- */

size_t reader_count(const char *text, char c)
{
    size_t count = 0;
    for (; *text; text++) count += *text == c;
    return count;
}

/* As --sep has it, in room for 4. */
static char *separator_word(char *word, char c)
{
    strcpy(word, c == '\t' ? "tab" : "' '");
    if (c != '\t') word[1] = c;
    return word;
}

char reader_other_separator(const reader *r, const char *line)
{
    const char *some = ";\t,";
    size_t most = reader_count(line, r->options.separator), n;
    char other = 0;
    for (; *some; some++) {
        n = *some == r->options.separator ? 0 : reader_count(line, *some);
        if (n == 0 || n < most || (other && n == most)) continue;
        most = n;
        other = *some;
    }
    return other;
}

const char *reader_by(const reader *r)
{
    return r->options.read_for == READ_FOR_TEST ? "perceptron predict with " : "";
}

void reader_check_separator(const reader *r, const char *line)
{
    const reader_options *o = &r->options;
    const char other = reader_other_separator(r, line);
    char own[4], read[4];
    if (!other || ((o->separator_text || o->model_labels) && strchr(line, o->separator))) return;
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

/* ---- Opening ---- */

void reader_open(reader *r, const char *name, const reader_options *options)
{
    struct stat there;
    memset(r, 0, sizeof *r);
    r->options = *options;
    if (options->text) r->options.format = FORMAT_TEXT;
    r->name = strcmp(name, "-") == 0 ? "standard input" : name;
    r->own.file = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY);
    if (r->own.file < 0) die_of(name);
    r->live = fstat(r->own.file, &there) != 0 || !S_ISREG(there.st_mode);
    r->own.label_text = allocate(r->own.label_room = PLAIN_LABEL, 1);
    r->own.left = UINT64_MAX;
    r->weight = 1;
    set_room(r, FIRST_ROOM);
    r->own.text = r->own.next = r->own.end = r->own.buffer;
}

void reader_move(reader *r, const char *name, uint64_t from, uint64_t to)
{
    close(r->own.file);
    r->name = name;
    r->own.file = open(name, O_RDONLY);
    if (r->own.file < 0 || lseek(r->own.file, (off_t)from, SEEK_SET) < 0) die_of(name);
    r->own.from = from;
    r->own.left = to - from;
    r->own.text = r->own.next = r->own.end = r->own.buffer;
    r->own.newline = NULL;
    r->own.ended = r->own.has_nul_or_cr = 0;
    r->own.next_line = from > 0; /* only the first of a file has a byte order mark */
}

uint64_t reader_place(const reader *r)
{
    return (uint64_t)lseek(r->own.file, 0, SEEK_CUR) - (uint64_t)(r->own.end - r->own.next);
}
