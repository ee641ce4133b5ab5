/* Lines of a text, whatever its rows are, and what may separate their fields. */
#include "reader_parts.h"

#include <stdarg.h>

enum { FIRST_ROOM = 1 << 18 }; /* of the buffer: several times what a pipe holds */

/* ---- Lines ---- */

/* Of the row in the file: one that began in the middle counts only now. */
static unsigned long true_line(const reader *r)
{
    unsigned long line = r->line - (r->own.from > 0);
    uint64_t at;
    FILE *f = r->own.from > 0 ? fopen(r->name, "rb") : NULL;
    if (!f) return line;
    for (at = 0; at < r->own.from; at++) line += getc(f) == '\n';
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

/* Unless that is told as quickly: bit i of r->own.breaks: buffer[i] is no digit; anew from `place` to the NUL behind
 * the end. */
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
    if (r->own.end - r->own.text >= 4 && memcmp(r->own.text, "PK\3\4", 4) == 0)
        die(EXIT_INPUT, "%s: a spreadsheet or a zip archive: save the table as CSV", r->name);
    if (memcmp(r->own.text, "\xFF\xFE", 2) == 0 || memcmp(r->own.text, "\xFE\xFF", 2) == 0)
        die(EXIT_INPUT, "%s: UTF-16 text: read it through iconv -f UTF-16 -t UTF-8, with '-' as DATA", r->name);
}

/* From the file, or from the tape. */
static ptrdiff_t read_bytes(reader *r, char *to, size_t most)
{
    tape *t = r->options.tape;
    ptrdiff_t got;
    if (t && t->whole) {
        const size_t left = arrlenu(t->bytes) - r->own.played;
        if (most > left) most = left;
        if (most > 0) memcpy(to, t->bytes + r->own.played, most);
        r->own.played += most;
        return (ptrdiff_t)most;
    }
    got = system_read(r->own.file, to, most);
    if (got < 0) die_of(r->name);
    if (r->own.tapes && got > 0) memcpy(arraddnptr(t->bytes, (size_t)got), to, (size_t)got);
    if (r->own.tapes) t->whole = got == 0;
    return got;
}

/* Reads on, once; the record moves to the front of the buffer. 0: the file has ended. */
static int read_more(reader *r)
{
    size_t kept = (size_t)(r->own.end - r->own.text), used = (size_t)(r->own.next - r->own.text);
    size_t marked = r->own.text == r->own.buffer ? kept : 0, most;
    ptrdiff_t got;
    if (r->own.ended) return 0;
    memmove(r->own.buffer, r->own.text, kept);
    if (kept == r->own.room) set_room(r, 2 * r->own.room);
    r->own.text = r->own.buffer;
    r->own.next = r->own.text + used;
    r->own.end = r->own.text + kept;
    if (r->before_read) r->before_read(r->context);
    most = r->own.room - kept < r->own.left ? r->own.room - kept : (size_t)r->own.left;
    got = read_bytes(r, r->own.end, most);
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

void reader_open(reader *r, const char *name, const reader_options *how)
{
    size_t i;
    memset(r, 0, sizeof *r);
    r->options = *how;
    if (how->text) r->options.format = FORMAT_TEXT;
    r->name = strcmp(name, "-") == 0 ? "standard input" : name;
    r->own.file = system_open(how->tape && how->tape->whole ? SYSTEM_NOWHERE : name, &r->live);
    if (r->own.file < 0) die_of(name);
    for (i = 0; i < arrlenu(how->offset); i++) arrput(r->offset, how->offset[i]);
    r->own.finds_offsets = how->finds_offsets;
    r->own.tapes = how->tape && (r->live || strcmp(name, "-") == 0);
    r->own.label_text = allocate(r->own.label_room = PLAIN_LABEL, 1);
    r->own.left = UINT64_MAX;
    r->weight = 1;
    set_room(r, FIRST_ROOM);
    r->own.text = r->own.next = r->own.end = r->own.buffer;
}

void reader_move(reader *r, const char *name, uint64_t from, uint64_t to)
{
    system_close(r->own.file);
    r->name = name;
    r->own.file = system_open(name, &r->live);
    if (r->own.file < 0 || system_seek(r->own.file, (int64_t)from) < 0) die_of(name);
    r->own.from = from;
    r->own.left = to - from;
    r->own.text = r->own.next = r->own.end = r->own.buffer;
    r->own.newline = NULL;
    r->own.ended = r->own.has_nul_or_cr = 0;
    r->own.next_line = from > 0; /* only the first of a file has a byte order mark */
}

uint64_t reader_place(const reader *r)
{
    return (uint64_t)system_seek(r->own.file, -1) - (uint64_t)(r->own.end - r->own.next);
}
