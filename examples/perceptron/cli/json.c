#include "json.h"

#include <math.h>

/* The second byte tells forms that are longer than they need be, surrogates, and what is above U+10FFFF. */
int utf8_length(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    const int length = *u < 0x80 ? 1 : *u < 0xC2 ? 0 : *u < 0xE0 ? 2 : *u < 0xF0 ? 3 : *u < 0xF5 ? 4 : 0;
    const int low = *u == 0xE0 ? 0xA0 : *u == 0xF0 ? 0x90 : 0x80, high = *u == 0xED ? 0x9F : *u == 0xF4 ? 0x8F : 0xBF;
    int i;
    if (length > 1 && (u[1] < low || u[1] > high)) return 0;
    for (i = 2; i < length; i++)
        if (u[i] < 0x80 || u[i] > 0xBF) return 0;
    return length;
}

/* Writes the text in quotes. A byte that is not UTF-8 becomes U+DC00 plus its number, which is not a character: Python
 * calls that surrogateescape. */
static void put_string(FILE *f, const char *text)
{
    int length;
    fputc('"', f);
    for (; *text; text += length ? length : 1) {
        length = utf8_length(text);
        if (*text == '"' || *text == '\\')
            fprintf(f, "\\%c", *text);
        else if (length == 0 || (unsigned char)*text < 32)
            fprintf(f, "\\u%s%02x", length ? "00" : "dc", (unsigned char)*text);
        else
            fprintf(f, "%.*s", length, text);
    }
    fputc('"', f);
}

/* Writes what stands before a value. Returns 0 if nothing is to be written. */
static int begin(json *j, const char *name)
{
    if (!j->file) return 0;
    if (j->begun) fputs(", ", j->file);
    j->begun = 1;
    if (!name) return 1;
    put_string(j->file, name);
    fputs(": ", j->file);
    return 1;
}

void json_open(json *j, const char *name, char bracket)
{
    if (!begin(j, name)) return;
    fputc(bracket, j->file);
    j->begun = 0;
}

void json_close(json *j, char bracket)
{
    if (!j->file) return;
    fputc(bracket, j->file);
    j->begun = 1;
}

void json_word(json *j, const char *name, const char *word)
{
    if (!begin(j, name)) return;
    fputs(word, j->file);
}

void json_text(json *j, const char *name, const char *text)
{
    if (!begin(j, name)) return;
    if (text)
        put_string(j->file, text);
    else
        fputs("null", j->file);
}

void json_count(json *j, const char *name, uint64_t count)
{
    if (!begin(j, name)) return;
    fprintf(j->file, "%llu", (unsigned long long)count);
}

void json_known(json *j, const char *name, uint64_t count, int known)
{
    if (known)
        json_count(j, name, count);
    else
        json_word(j, name, "null");
}

void json_number(json *j, const char *name, double number)
{
    if (!begin(j, name)) return;
    if (isfinite(number))
        fprintf(j->file, "%.9g", number + 0.0); /* -0 becomes 0 */
    else
        fputs("null", j->file);
}

void json_seconds(json *j, const char *name, double seconds)
{
    if (!begin(j, name)) return;
    fprintf(j->file, "%.6f", seconds);
}
