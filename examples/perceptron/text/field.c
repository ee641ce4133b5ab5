#include "field.h"

#include "cli/common.h"
#include "number.h"

#include <ctype.h>

int is_missing(const char *text)
{
    return *text == '\0' || strcmp(text, "?") == 0 || strcasecmp(text, "NA") == 0 || strcasecmp(text, "NaN") == 0;
}

int field_value(const char *text, float *value)
{
    const char *end = parse_float(skip_blanks(text), value);
    return end && *skip_blanks(end) == '\0';
}

char *trim(char *text)
{
    size_t length;
    while (is_blank(*text)) text++;
    length = strlen(text);
    while (length && is_blank(text[length - 1])) length--;
    text[length] = '\0';
    return text;
}

int has_decimal_comma(const char *text)
{
    char number[32];
    size_t length = strlen(text), comma = strcspn(text, ",");
    float value;
    if (comma == length || length >= sizeof number) return 0;
    memcpy(number, text, length + 1);
    number[comma] = '.';
    return field_value(number, &value);
}

int field_is_number(const char *text)
{
    float value;
    const char *digits = text + (*text == '-' || *text == '+');
    return field_value(text, &value) || strcasecmp(digits, "inf") == 0 || strcasecmp(digits, "infinity") == 0 ||
           has_decimal_comma(text);
}

int field_is_text(const char *text)
{
    return !is_missing(text) && !field_is_number(text);
}

int field_is_plain(const char *p, const char *end)
{
    int points = 0;
    p += *p == '-';
    if (p == end || digit_at(end - 1) > 9) return 0;
    for (; p < end && (digit_at(p) <= 9 || (*p == '.' && points++ == 0)); p++) continue;
    return p == end;
}

static unsigned form_at(const char *p)
{
    if (digit_at(p) <= 9) return 1;
    if (is_blank(*p)) return 2;
    return isalpha((unsigned char)*p) || *p & 0x80 ? 4 : 8;
}

unsigned field_form(const char *text)
{
    unsigned form = 0;
    for (; *text; text++) form |= form_at(text);
    return form;
}
