#include "say.h"
#include "common.h"

#include <stdarg.h>

say say_to(FILE *f, int as_json)
{
    say s = {{as_json ? f : NULL, 0}, as_json ? NULL : f};
    json_open(&s.j, NULL, '{');
    return s;
}

void say_end(say *s)
{
    json_close(&s->j, '}');
    if (s->j.file) fputc('\n', s->j.file);
}

void say_line(const say *s, const char *format, ...)
{
    va_list arguments;
    if (!s->text) return;
    va_start(arguments, format);
    vfprintf(s->text, format, arguments);
    va_end(arguments);
}

void say_text(say *s, const char *name, const char *before, const char *text, const char *after)
{
    json_text(&s->j, name, text);
    say_line(s, "%s%s%s", before, printable(text, SIZE_MAX), after);
}

void say_count(say *s, const char *name, const char *before, uint64_t count, const char *after)
{
    json_count(&s->j, name, count);
    say_line(s, "%s%llu%s", before, (unsigned long long)count, after);
}

void say_number(say *s, const char *name, const char *before, double number, const char *after)
{
    json_number(&s->j, name, number);
    say_line(s, "%s%g%s", before, number, after);
}

void print_share(FILE *f, const char *what, uint64_t right, uint64_t all)
{
    fprintf(f, "%s = %g%% (%llu/%llu)", what, 100 * (1 - (double)(all - right) / (double)all),
            (unsigned long long)right, (unsigned long long)all);
}
