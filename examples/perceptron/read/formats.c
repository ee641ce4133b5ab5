#include "formats.h"
#include "reader_parts.h"
#include "text/foreign.h"

#define FORMAT_AT(name, more) &format_##name
static const row_format *const formats[FORMATS] = {READER_FORMATS(FORMAT_AT, )};

/* ---- By options, or by the model ---- */

const char *format_words(void)
{
    static char words[16 * (FORMATS + 1)];
    char *to = words;
    size_t i;
    if (*words) return words;
    to += sprintf(to, "auto");
    for (i = FORMATS; i-- > 0;)
        if (formats[i]->looks) to += sprintf(to, "|%s", formats[i]->name);
    return words;
}

const row_format *format_told(const reader_options *o)
{
    size_t i;
    for (i = FORMATS; i-- > 0;) {
        const row_format *f = formats[i];
        if (f->chosen ? f->chosen(o) : o->format && strcmp(o->format, f->name) == 0) return f;
    }
    return &format_unknown;
}

const row_format *format_trained(const reader_options *o)
{
    size_t i;
    for (i = FORMATS; i-- > 0;)
        if (formats[i]->trained && formats[i]->trained(o)) return formats[i];
    return NULL;
}

/* ---- By the first line ---- */

/* Refuses rows of another format than the model's. */
static void fail_format(const reader *r, const row_format *trained, const row_format *found) __attribute__((noreturn));

static void fail_format(const reader *r, const row_format *trained, const row_format *found)
{
    reader_fail(r, "the model was trained on %s, and this looks like %s, '%s': %s--%sformat %s reads it so",
                trained->title, found->title, printable(r->lines.text, EXCERPT), reader_by(r),
                r->options.read_for == READ_FOR_EXPORT ? "test-" : "", found->name);
}

/* Refuses a first line that is of no format, or of one that only an option reads. */
static void check_foreign(const reader *r)
{
    const reader_options *o = &r->options;
    const char *line = r->lines.text, *what = foreign_text(line);
    if (what) reader_fail(r, "%s", what);
    if (o->model_labels) return;
    if (strncmp(line, FASTTEXT, strlen(FASTTEXT)) == 0)
        reader_fail(r, "a line of fastText, '%s': --text reads it", printable(line, EXCERPT));
    if (o->separator_text || !foreign_is_labelled_text(line)) return;
    reader_fail(r, "'%s' seems to be a label, a tab and a text: --text reads such lines%s", printable(line, EXCERPT),
                strchr(line, '"') ? "" : "; if it is a table of two columns, --sep tab does");
}

/* Returns the format that the line looks like, the first that is asked; NULL: it looks like none. */
static const row_format *looks_like(const reader *r, enum looks *looks)
{
    size_t i;
    for (i = FORMATS; i-- > 0;) {
        *looks = formats[i]->looks ? formats[i]->looks(r) : LOOKS_OTHER;
        if (*looks != LOOKS_OTHER) return formats[i];
    }
    return NULL;
}

/* A model without names of features takes them by their numbers, in whatever format. */
const row_format *format_of_line(reader *r)
{
    const reader_options *o = &r->options;
    const row_format *trained = o->any_format ? NULL : format_trained(o), *found;
    enum looks looks = LOOKS_OTHER;
    found = looks_like(r, &looks);
    if (looks != LOOKS_CERTAIN) check_foreign(r);
    if (trained && found && found != trained) fail_format(r, trained, found);
    if (trained) return trained;
    if ((!found || found->is_table) && !strchr(r->lines.text, '#')) reader_check_separator(r, r->lines.text);
    return found ? found : &format_libsvm;
}
