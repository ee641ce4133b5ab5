#include "foreign.h"

#include "cli/common.h"
#include "date.h"
#include "number.h"

static const struct {
    size_t length;
    const char *bytes, *what;
} kinds[] = {
    {2, "\x1F\x8B", "compressed by gzip: read it through gunzip -c, with '-' as DATA"},
    {6, "\3757zXZ", "compressed by xz: read it through xz -dc, with '-' as DATA"},
    {10, "BZh91AY&SY", "compressed by bzip2: read it through bzip2 -dc, with '-' as DATA"},
    {4, "\x28\xB5\x2F\xFD", "compressed by zstd: read it through zstd -dc, with '-' as DATA"},
    {4, "PCN\x1A", "a model file, where rows are wanted"},
    {4, "PK\3\4", "a spreadsheet or a zip archive: save the table as CSV"},
    {5, "PAR1\x15", "a Parquet file: write the table as CSV"},
    {2, "\xFF\xFE", "UTF-16 text: read it through iconv -f UTF-16 -t UTF-8, with '-' as DATA"},
    {2, "\xFE\xFF", "UTF-16 text: read it through iconv -f UTF-16 -t UTF-8, with '-' as DATA"},
};

const char *foreign_bytes(const char *p, size_t length)
{
    size_t i;
    for (i = 0; i < LENGTH(kinds); i++)
        if (length >= kinds[i].length && memcmp(p, kinds[i].bytes, kinds[i].length) == 0) return kinds[i].what;
    return NULL;
}

/* ---- Texts ---- */

/* Tells JSON from CSV, which has no quote behind a brace or a bracket. */
static const char *json_kind(const char *line)
{
    const char *next = line + 1 + strspn(line + 1, " \t");
    if (*line == '{' && (*next == '"' || *next == '\0'))
        return "JSON; if each line is an object, jq -rs '(.[0]|keys_unsorted) as $k | $k, (.[]|[.[$k[]]]) | @csv' makes "
               "CSV of it";
    if (*line == '[' && *next == '[' && next[1] && strchr("0123456789-\"", next[1]))
        return "JSON: jq -r '.[] | @csv' makes CSV of it, which has no names";
    if (*line == '[' && (*next == '{' || *next == '\0'))
        return "JSON: jq -r '(.[0]|keys_unsorted) as $k | $k, (.[]|[.[$k[]]]) | @csv' makes CSV of it";
    return NULL;
}

/* Is it @relation, or a comment, which begins with %? In a line with separators % may begin the name of a column, and
 * in one with index:value a label. */
static int is_arff(const char *line)
{
    static const char relation[] = "@relation";
    const char *colon = strchr(line, ':');
    const size_t length = sizeof relation - 1;
    if (strncasecmp(line, relation, length) == 0) return is_blank(line[length]);
    return *line == '%' && !strpbrk(line, ",;\t") && !(colon && digit_at(colon - 1) <= 9);
}

const char *foreign_text(const char *line)
{
    line += strspn(line, " \t");
    if (is_arff(line))
        return "an ARFF file: sed '1,/^@data/Id; /^%/d' leaves its rows, which are CSV without names: read them with '-' as "
               "DATA and --header=no";
    return *line == '[' || *line == '{' ? json_kind(line) : NULL;
}

int foreign_is_labelled_text(const char *line)
{
    const char *tab = line + strcspn(line, "\t,;"), *text = tab + strspn(tab, "\t");
    if (tab == line || text != tab + 1 || strchr(text, '\t') || *text == '#') return 0;
    if (strncmp(text, "qid:", 4) == 0 || text[strspn(text, "0123456789")] == ':') return 0;
    if (date_orders(text)) return 0;
    text += strcspn(text, " ");
    return *text && text[strspn(text, " ")];
}
