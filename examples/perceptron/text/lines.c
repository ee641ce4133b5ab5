#include "lines.h"
#include "foreign.h"

enum { FIRST_ROOM = 1 << 18 }; /* bytes of the buffer: several times what a pipe holds */

/* ---- Lines ---- */

/* Returns the number of the line in the file. If reading began in the middle, the lines before are counted only
 * here. */
static unsigned long true_line(const text_lines *l)
{
    unsigned long line = l->line - (l->from > 0);
    uint64_t at;
    FILE *f = l->from > 0 ? fopen(l->name, "rb") : NULL;
    if (!f) return line;
    for (at = 0; at < l->from; at++) line += getc(f) == '\n';
    fclose(f);
    return line;
}

void lines_fail_with(const text_lines *l, size_t column, const char *format, va_list arguments)
{
    char what[sizeof failing->text / 2], where[32] = "";
    vsnprintf(what, sizeof what, format, arguments);
    if (column) snprintf(where, sizeof where, "%zu:", column);
    die(EXIT_INPUT, "%s:%lu:%s %s", l->name, true_line(l), where, what);
}

void lines_fail(const text_lines *l, size_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lines_fail_with(l, column, format, arguments);
}

static void set_room(text_lines *l, size_t room)
{
    char *buffer = realloc(l->buffer, room + LINES_SLACK), *breaks;
    if (buffer) l->buffer = buffer;
    breaks = buffer ? realloc(l->breaks, (room + LINES_SLACK) / 8 + sizeof(uint64_t)) : NULL;
    if (!breaks) die(EXIT_MEMORY, "out of memory (a line of %s)", l->name);
    l->breaks = breaks;
    l->room = room;
}

/* Marks which characters are not digits, from `place` to the NUL behind the end: bit i of l->breaks tells of
 * buffer[i]. It is not called where lines_breaks finds that as quickly. */
static void mark_breaks(text_lines *l, size_t place)
{
    size_t end = (size_t)(l->end - l->buffer);
    for (place &= ~(size_t)63; place <= end; place += 64)
        put_eight_bytes(l->breaks + place / 8, ~digit_mask(l->buffer + place));
}

/* Refuses a file that is not text of 8-bit characters. */
static void check_start(const text_lines *l)
{
    const char *what = l->next_line == 0 ? foreign_bytes(l->text, (size_t)(l->end - l->text)) : NULL;
    if (what) die(EXIT_INPUT, "%s: %s", l->name, what);
}

/* Reads from the file, or from the tape once that is whole. */
static ptrdiff_t read_bytes(text_lines *l, char *to, size_t most)
{
    tape *t = l->tape;
    ptrdiff_t got;
    if (t && t->whole) {
        const size_t left = arrlenu(t->bytes) - l->played;
        if (most > left) most = left;
        if (most > 0) memcpy(to, t->bytes + l->played, most);
        l->played += most;
        return (ptrdiff_t)most;
    }
    got = system_read(l->file, to, most);
    if (got < 0) die_of(l->name);
    if (l->tapes && got > 0) memcpy(arraddnptr(t->bytes, (size_t)got), to, (size_t)got);
    if (l->tapes) t->whole = got == 0;
    return got;
}

int lines_read_on(text_lines *l)
{
    size_t kept = (size_t)(l->end - l->text), used = (size_t)(l->next - l->text);
    size_t marked = l->text == l->buffer ? kept : 0, most;
    ptrdiff_t got;
    if (l->ended) return 0;
    memmove(l->buffer, l->text, kept);
    if (kept == l->room) set_room(l, 2 * l->room);
    l->text = l->buffer;
    l->next = l->text + used;
    l->end = l->text + kept;
    if (l->before_read) l->before_read(l->context);
    most = l->room - kept < l->left ? l->room - kept : (size_t)l->left;
    got = read_bytes(l, l->end, most);
    l->left -= (uint64_t)got;
    l->ended = got == 0;
    l->has_nul_or_cr |= memchr(l->end, '\0', (size_t)got) || memchr(l->end, '\r', (size_t)got);
    l->end += got;
    memset(l->end, 0, LINES_SLACK);
    check_start(l);
    if (!QUICK_DIGIT_MASK) mark_breaks(l, marked);
    return !l->ended;
}

void lines_fill(text_lines *l)
{
    while ((size_t)(l->end - l->text) < l->room && lines_read_on(l)) continue;
}

void lines_fill_record(text_lines *l)
{
    size_t i = 0;
    int quoted = 0, some = 0;
    do
        for (; l->next + i < l->end; i++) {
            const char c = l->next[i];
            quoted ^= c == '"';
            some |= c != '\n' && c != '\r';
            if (c == '\n' && some && !quoted) return;
        }
    while (lines_read_on(l));
}

/* Refuses a NUL or a carriage return in the line at l->text + at. Fields of CSV in quotes may have carriage returns:
 * each line of a record but the first begins in quotes. */
static void check_bytes(const text_lines *l, size_t at)
{
    const char *p = l->text + at;
    int quoted = at > 0;
    if (strlen(p) != l->length - at) lines_fail(l, lines_column(l, p + strlen(p)), "NUL byte");
    for (; *p; p++) {
        quoted ^= l->has_quotes && *p == '"';
        if (*p == '\r' && !quoted)
            lines_fail(l, lines_column(l, p), "carriage return inside a line%s",
                       l->next_line == 1 ? " (the ends of lines? tr '\\r' '\\n' <FILE makes them such)" : "");
    }
}

/* Returns the length of the next line, or -1 if there is no line. It reads on only if the line is not all in the
 * buffer. */
static ptrdiff_t next_line_length(text_lines *l)
{
    size_t seen = 0;
    const char *newline = l->newline;
    l->newline = NULL;
    for (;;) {
        if (!newline) newline = memchr(l->next + seen, '\n', (size_t)(l->end - l->next) - seen);
        if (newline) return newline - l->next;
        seen = (size_t)(l->end - l->next);
        if (!lines_read_on(l)) return seen && !interrupted ? (ptrdiff_t)seen : -1;
    }
}

int lines_next(text_lines *l, size_t at)
{
    ptrdiff_t size;
    size_t length;
    char *line;
    if (l->pending) { /* its format has been found from this line */
        l->pending = 0;
        return 1;
    }
    if (at == 0) l->text = l->next;
    size = next_line_length(l);
    if (size < 0) return 0;
    line = l->next;
    length = (size_t)size;
    l->next += length + (line + length < l->end);
    if (length && line[length - 1] == '\r') length--;
    if (l->next_line == 0 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        l->text = line += 3;
        length -= 3;
    }
    if (at) memmove(l->text + at, line, length);
    l->length = at + length;
    l->next_line++;
    if (at == 0) l->line = l->next_line;
    l->text[l->length] = '\0'; /* because fields are cut and numbers read up to it */
    if (l->has_nul_or_cr) check_bytes(l, at);
    return 1;
}

/* ---- Looking ahead ---- */

void lines_look(const text_lines *l, lines_ahead *a)
{
    const size_t length = (size_t)(l->next - l->text);
    a->place = lines_place(l);
    a->left = l->left + (uint64_t)(l->end - l->next);
    a->record = memcpy(allocate(length + 1, 1), l->text, length);
    a->length = length;
}

void lines_look_back(text_lines *l, lines_ahead *a)
{
    if (system_seek(l->file, (int64_t)a->place) < 0) die_of(l->name);
    memcpy(l->buffer, a->record, a->length);
    free(a->record);
    l->text = l->buffer;
    l->next = l->end = l->buffer + a->length;
    l->newline = NULL;
    l->left = a->left;
    l->ended = 0;
    memset(l->end, 0, LINES_SLACK);
    if (!QUICK_DIGIT_MASK) mark_breaks(l, 0);
}

/* ---- Opening ---- */

void lines_open(text_lines *l, const char *name, tape *t)
{
    l->name = strcmp(name, "-") == 0 ? "standard input" : name;
    l->file = system_open(t && t->whole ? SYSTEM_NOWHERE : name, &l->live);
    if (l->file < 0) die_of(name);
    l->tape = t;
    l->tapes = t && (l->live || strcmp(name, "-") == 0);
    l->left = UINT64_MAX;
    set_room(l, FIRST_ROOM);
    l->text = l->next = l->end = l->buffer;
}

void lines_close(text_lines *l)
{
    system_close(l->file);
    free(l->breaks);
    free(l->buffer);
}

void lines_move(text_lines *l, const char *name, uint64_t from, uint64_t to)
{
    system_close(l->file);
    l->name = name;
    l->file = system_open(name, &l->live);
    if (l->file < 0 || system_seek(l->file, (int64_t)from) < 0) die_of(name);
    l->from = from;
    l->left = to - from;
    l->text = l->next = l->end = l->buffer;
    l->newline = NULL;
    l->ended = l->has_nul_or_cr = 0;
    l->next_line = from > 0; /* only the first of a file has a byte order mark */
}

uint64_t lines_place(const text_lines *l)
{
    return (uint64_t)system_seek(l->file, -1) - (uint64_t)(l->end - l->next);
}
