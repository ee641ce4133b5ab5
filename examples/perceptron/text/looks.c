#include "looks.h"

#include "date.h"
#include "labels.h"
#include "number.h"

size_t count_separators(const char *line, const char *end, char separator)
{
    size_t count = 0;
    int begins = 1, in_quotes = 0, quoted = 0; /* in_quotes: the field began with a quote; quoted: one is open */
    for (; line < end; line++) {
        if (begins) in_quotes = *line == '"';
        quoted ^= in_quotes && *line == '"';
        begins = !quoted && *line == separator;
        count += (size_t)begins;
    }
    return count;
}

char other_separator(const char *line, char separator)
{
    const char *some = ";\t,", *end = line + strlen(line);
    size_t most = count_separators(line, end, separator), n;
    char other = 0;
    for (; *some; some++) {
        n = *some == separator ? 0 : count_separators(line, end, *some);
        if (n == 0 || n < most || (other && n == most)) continue;
        most = n;
        other = *some;
    }
    return other;
}

int has_pairs(const char *line)
{
    const char *p = line;
    for (p = skip_blanks(p); *p && *p != '#'; p = skip_blanks(p + strcspn(p, " \t#"))) {
        const size_t digits = strspn(p, "0123456789");
        if (strncmp(p, "qid:", 4) == 0) return 1;
        if (digits && p[digits] == ':' && !memchr(p + digits + 1, ':', strcspn(p, " \t#") - digits - 1) &&
            !(p > line && date_ends_at(line, p - 1)))
            return 1;
    }
    return 0;
}

int opens_quote(const char *line)
{
    size_t quotes = 0;
    const char *p = line;
    for (; *p; p++) quotes += *p == '"';
    return *line == '"' && quotes % 2;
}

int is_bare_label(const char *line, int words)
{
    const char *word = skip_blanks(line);
    const size_t length = strcspn(word, " \t");
    char label[24];
    long number;
    if (*skip_blanks(word + length) != '\0' || length >= sizeof label) return 0;
    memcpy(label, word, length);
    label[length] = '\0';
    return words || label_is_integer(label, &number);
}
