#include "json.h"

#include <math.h>

static void put_string(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(f, "\\%c", c);
        else if (c < 32)
            fprintf(f, "\\u%04x", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

/* What stands before a value. */
static void begin(json *j, const char *name)
{
    if (j->begun) fputs(", ", j->file);
    j->begun = 1;
    if (!name) return;
    put_string(j->file, name);
    fputs(": ", j->file);
}

void json_open(json *j, const char *name, char bracket)
{
    begin(j, name);
    fputc(bracket, j->file);
    j->begun = 0;
}

void json_close(json *j, char bracket)
{
    fputc(bracket, j->file);
    j->begun = 1;
}

void json_word(json *j, const char *name, const char *word)
{
    begin(j, name);
    fputs(word, j->file);
}

void json_text(json *j, const char *name, const char *text)
{
    begin(j, name);
    put_string(j->file, text);
}

void json_count(json *j, const char *name, uint64_t count)
{
    begin(j, name);
    fprintf(j->file, "%llu", (unsigned long long)count);
}

void json_number(json *j, const char *name, double number)
{
    begin(j, name);
    if (isfinite(number))
        fprintf(j->file, "%.9g", number + 0.0); /* no -0 */
    else
        fputs("null", j->file);
}

void json_seconds(json *j, const char *name, double seconds)
{
    begin(j, name);
    fprintf(j->file, "%.6f", seconds);
}
