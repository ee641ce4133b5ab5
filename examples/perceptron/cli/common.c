/* cli/ deals with who types commands, and with the system: command lines, --help, messages, JSON, tables, outputs,
 * signals, memory, and all that is not C99. Here are the end of the program, memory and texts. */
#define STB_DS_IMPLEMENTATION
#include "common.h"
#include "json.h"

#include <errno.h>
#include <stdarg.h>

__thread failure *failing;
void (*fail_together)(int *status, char *text, size_t room);
int errors_as_json;

/* Is text[i] a control character of ASCII, or a byte of a control character of Unicode in UTF-8? */
static int is_control(const char *text, size_t i)
{
    const unsigned char *u = (const unsigned char *)text + i;
    if (*u < ' ' || *u == 127) return 1;
    if (*u == 0xC2) return u[1] >= 0x80 && u[1] < 0xA0;
    return i > 0 && u[-1] == 0xC2 && *u < 0xA0;
}

/* Does what printable does; `to` has room for four times as much. */
static void make_printable(char *to, const char *text, size_t most)
{
    const size_t length = strlen(text);
    size_t kept = length > most ? most : length, i;
    while (kept < length && kept > 0 && (text[kept] & 0xC0) == 0x80) kept--; /* no character is cut */
    for (i = 0; i < kept; i++) {
        if (!is_control(text, i))
            *to++ = text[i];
        else if (text[i] == '\n' || text[i] == '\t')
            to += sprintf(to, text[i] == '\n' ? "\\n" : "\\t");
        else
            to += sprintf(to, "\\x%02x", (unsigned char)text[i]);
    }
    strcpy(to, kept < length ? " ..." : "");
}

void die(int status, const char *format, ...)
{
    char text[sizeof failing->text], shown[4 * sizeof failing->text]; /* arrays, because there may be no memory */
    va_list arguments;
    va_start(arguments, format);
    if (failing) {
        failing->status = status;
        vsnprintf(failing->text, sizeof failing->text, format, arguments);
        va_end(arguments);
        longjmp(failing->back, 1);
    }
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (fail_together) fail_together(&status, text, sizeof text);
    make_printable(shown, text, SIZE_MAX);
    fprintf(stderr, "perceptron: %s\n", shown);
    if (errors_as_json) {
        json j = {stdout, 0};
        json_open(&j, NULL, '{');
        json_text(&j, "error", text);
        json_count(&j, "status", (uint64_t)status);
        json_close(&j, '}');
        putchar('\n');
    }
    outputs_drop();
    exit(status);
}

void die_of(const char *name)
{
    if (errno == ENOMEM) die(EXIT_MEMORY, "out of memory (%s)", name);
    die(EXIT_IO, "%s: %s", name, strerror(errno));
}

void *reallocate(void *p, size_t size)
{
    void *q = realloc(p, size ? size : 1);
    if (!q) die(EXIT_MEMORY, "out of memory (%zu bytes asked for)", size);
    return q;
}

void *allocate(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) die(EXIT_MEMORY, "out of memory (the model is too large)");
    return reallocate(NULL, count * size);
}

void *allocate_for_weights(size_t count, size_t size)
{
    void *p = size && count > SIZE_MAX / size ? NULL : system_pages(count * size);
    if (!p) die(EXIT_MEMORY, "out of memory (%zu times %zu bytes asked for)", count, size);
    return p;
}

void *allocate_zero(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size); /* it checks the product, and its pages are not touched */
    if (!p) die(EXIT_MEMORY, "out of memory (%zu times %zu bytes asked for)", count, size);
    return p;
}

char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(allocate(size, 1), text, size);
}

void texts_free(char ***texts)
{
    size_t i;
    for (i = 0; i < arrlenu(*texts); i++) free((*texts)[i]);
    arrfree(*texts);
}

void append(char **text, const char *format, ...)
{
    const size_t used = arrlenu(*text) - (*text != NULL);
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    arrsetlen(*text, used + (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(*text + used, (size_t)length + 1, format, arguments);
    va_end(arguments);
}

unsigned edits(const char *a, const char *b)
{
    unsigned cost[64], i, before, corner, n = (unsigned)strlen(b);
    if (n >= sizeof cost / sizeof *cost) return UINT32_MAX;
    for (i = 0; i <= n; i++) cost[i] = i;
    for (; *a; a++) {
        corner = cost[0]++;
        for (i = 1; i <= n; i++) {
            before = cost[i];
            if (*a != b[i - 1]) corner = 1 + (corner < before ? corner : before);
            if (corner > cost[i - 1] + 1) corner = cost[i - 1] + 1;
            cost[i] = corner;
            corner = before;
        }
    }
    return cost[n];
}

enum { COPIES = 8 };
static __thread char *copies[COPIES];

const char *printable(const char *text, size_t most)
{
    static __thread unsigned calls;
    char **copy = &copies[calls++ % COPIES];
    size_t length = strlen(text);
    *copy = reallocate(*copy, 4 * (length < most ? length : most) + sizeof " ...");
    make_printable(*copy, text, most);
    return *copy;
}

void printable_end(void)
{
    size_t i;
    for (i = 0; i < COPIES; i++) free(copies[i]);
}

void print_shell_word(FILE *f, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    char *word, *to;
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, f);
        return;
    }
    word = to = allocate(4 * strlen(text) + 3, 1);
    to += sprintf(to, SYSTEM_QUOTE);
    for (; *text; text++) to += sprintf(to, *text == *SYSTEM_QUOTE ? SYSTEM_QUOTE_INSIDE : "%c", *text);
    strcpy(to, SYSTEM_QUOTE);
    fputs(printable(word, SIZE_MAX), f);
    free(word);
}

static int needs_quotes(const char *text, const char *special)
{
    return *text == '\0' || text[strcspn(text, special)] != '\0';
}

void append_field(char **to, const char *text, const char *special)
{
    const int quoted = needs_quotes(text, special);
    if (quoted) arrput(*to, '"');
    for (; *text; text++) {
        if (quoted && *text == '"') arrput(*to, '"');
        arrput(*to, *text);
    }
    if (quoted) arrput(*to, '"');
}

void print_field(FILE *f, const char *text, const char *special)
{
    char *field = NULL;
    if (!needs_quotes(text, special)) { /* as most do not: nothing is allocated */
        fputs(text, f);
        return;
    }
    append_field(&field, text, special);
    fwrite(field, 1, arrlenu(field), f);
    arrfree(field);
}

int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
