/* Lines of a text, whatever its rows are. */
#include "reader_parts.h"
#include "text/foreign.h"

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

const char *reader_by(const reader *r)
{
    return r->options.read_for == READ_FOR_TEST ? "perceptron predict with " : "";
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
    const char *what = r->own.next_line == 0 ? foreign_bytes(r->own.text, (size_t)(r->own.end - r->own.text)) : NULL;
    if (what) die(EXIT_INPUT, "%s: %s", r->name, what);
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

int reader_read_on(reader *r)
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
    while ((size_t)(r->own.end - r->own.text) < r->own.room && reader_read_on(r)) continue;
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
    while (reader_read_on(r));
}

/* Refuses a NUL or a carriage return in the line at r->own.text + at. Quoted fields of CSV may have carriage returns:
 * behind the first line of a record, a line begins in quotes. */
static void check_bytes(const reader *r, size_t at)
{
    const char *p = r->own.text + at;
    int quoted = at > 0;
    if (strlen(p) != r->own.length - at) reader_fail_at(r, reader_column(r, p + strlen(p)), "NUL byte");
    for (; *p; p++) {
        quoted ^= r->format->has_quotes && *p == '"';
        if (*p == '\r' && !quoted)
            reader_fail_at(r, reader_column(r, p), "carriage return inside a line%s",
                           r->own.next_line == 1 ? " (the ends of lines? tr '\\r' '\\n' <FILE makes them such)" : "");
    }
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
        if (!reader_read_on(r)) return seen && !interrupted ? (ptrdiff_t)seen : -1;
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
    const char *next = r->own.next;
    r->own.newline = memchr(next, '\n', (size_t)(r->own.end - next));
    if (!r->own.newline) return 0;
    if (r->format->has_comments && *skip_blanks(next) == '#') return 0;
    return !r->format->has_quotes || !memchr(next, '"', (size_t)(r->own.newline - next));
}

/* ---- Looking ahead ---- */

void reader_look(const reader *r, ahead *a)
{
    const size_t length = (size_t)(r->own.next - r->own.text);
    a->place = reader_place(r);
    a->left = r->own.left + (uint64_t)(r->own.end - r->own.next);
    a->record = memcpy(allocate(length + 1, 1), r->own.text, length);
    a->length = length;
}

void reader_look_back(reader *r, ahead *a)
{
    if (system_seek(r->own.file, (int64_t)a->place) < 0) die_of(r->name);
    memcpy(r->own.buffer, a->record, a->length);
    free(a->record);
    r->own.text = r->own.buffer;
    r->own.next = r->own.end = r->own.buffer + a->length;
    r->own.newline = NULL;
    r->own.left = a->left;
    r->own.ended = 0;
    memset(r->own.end, 0, READER_SLACK);
    if (!QUICK_DIGIT_MASK) mark_breaks(r, 0);
}

/* ---- Opening ---- */

void reader_open_lines(reader *r, const char *name)
{
    const tape *t = r->options.tape;
    r->name = strcmp(name, "-") == 0 ? "standard input" : name;
    r->own.file = system_open(t && t->whole ? SYSTEM_NOWHERE : name, &r->live);
    if (r->own.file < 0) die_of(name);
    r->own.tapes = t && (r->live || strcmp(name, "-") == 0);
    r->own.left = UINT64_MAX;
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
