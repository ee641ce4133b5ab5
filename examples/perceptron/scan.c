#define _POSIX_C_SOURCE 200809L
#include "scan.h"

#include <fcntl.h>
#include <unistd.h>

enum { FIRST_ROOM = 1 << 18, RECENT = 256 };

typedef struct scan {
    const reader_options *options;
    labels *found;
    long recent[RECENT]; /* labels seen, each in one place: saves looking them up */
    uint32_t features;
    uint64_t first; /* values that the first row has */
    int begun;
} scan;

/* Up to nine digits at p: their end, NULL if there are none. */
static const char *take_digits(const char *p, long *number)
{
    const char *first = p;
    for (*number = 0; digit_at(p) <= 9 && p - first < 9; p++) *number = *number * 10 + (long)digit_at(p);
    return p == first ? NULL : p;
}

static void add_label(scan *s, long label)
{
    long *recent = &s->recent[(unsigned long)label % RECENT];
    char text[24];
    if (*recent == label) return;
    snprintf(text, sizeof text, "%ld", label);
    labels_add(s->found, text);
    *recent = label;
}

/* Of a row whose label ends at p. */
static uint64_t count_values(const char *p, const char *end)
{
    uint64_t values = 0;
    for (; p < end; p++) values += *p == ':' && digit_at(p - 1) <= 9; /* not of qid:1 */
    return values;
}

/* A blank line, or a label and perhaps index:value last; 0: anything else. */
static int scan_line(scan *s, const char *line, const char *end)
{
    const char *p, *word;
    long label, index;
    if (end > line && end[-1] == '\r') end--;
    while (end > line && is_blank(end[-1])) end--;
    if (end == line) return 1;
    p = take_digits(line + (*line == '-' || *line == '+'), &label);
    if (!p || (p != end && !is_blank(*p))) return 0;
    add_label(s, *line == '-' ? -label : label);
    if (!s->begun) s->first = count_values(p, end);
    s->begun = 1;
    for (word = end; word > p && !is_blank(word[-1]);) word--;
    if (word == p) return s->features > 0; /* it may be the first line, which tells the format */
    p = take_digits(word, &index);
    index += s->options->zero_based;
    if (!p || *p != ':' || index == 0 || (unsigned long)index > s->options->max_features) return 0;
    if (s->features < (unsigned long)index) s->features = (uint32_t)index;
    return 1;
}

/* Reads all of the file; 0 as soon as a line is not plain. */
static int scan_file(scan *s, int file)
{
    size_t room = FIRST_ROOM, kept = 0;
    char *buffer = allocate(room + 1, 1), *line, *end, *newline;
    int plain = 1;
    ssize_t got = 1;
    while (plain && got > 0) {
        if (kept == room) buffer = reallocate(buffer, (room *= 2) + 1);
        got = read(file, buffer + kept, room - kept);
        plain = got >= 0 && !memchr(buffer + kept, '#', (size_t)got);
        end = buffer + kept + (got > 0 ? got : 0);
        if (got == 0 && kept > 0) *end++ = '\n'; /* the last line may lack it */
        for (line = buffer; plain && (newline = memchr(line, '\n', (size_t)(end - line))); line = newline + 1)
            plain = scan_line(s, line, newline);
        kept = (size_t)(end - line);
        memmove(buffer, line, kept);
    }
    free(buffer);
    return plain;
}

uint32_t scan_libsvm(const char *name, const reader_options *o, labels *found, uint64_t *first)
{
    scan s;
    int file, plain;
    if (o->format == FORMAT_CSV || o->text || o->sort || o->words || o->binarize) return 0; /* which drops zeros */
    file = open(name, O_RDONLY);
    if (file < 0) return 0;
    memset(&s, 0, sizeof s);
    s.options = o;
    s.found = found;
    s.recent[0] = -1; /* 0 has not been seen */
    plain = scan_file(&s, file);
    close(file);
    *first = s.first;
    return plain ? s.features : 0;
}
