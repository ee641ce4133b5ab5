/* Is the first record of a CSV file a header? */
#include "reader_parts.h"

size_t find_column(const reader *r, const char *text, int header)
{
    size_t columns = arrlenu(r->own.fields), i;
    long number;
    for (i = 0; header && i < columns; i++)
        if (strcmp(reader_field(r, i), text) == 0) return i;
    return label_is_integer(text, &number) && number >= 1 && (size_t)number <= columns ? (size_t)number - 1 : NO_COLUMN;
}

static int names_column(const char *text)
{
    long number;
    return text && !label_is_integer(text, &number);
}

/* Do the options give the name of a column? Those that a model remembers say nothing of another file. */
static int options_name(const reader_options *o)
{
    size_t i;
    int named = names_column(o->label);
    if (o->features > 0) return named;
    for (i = 0; i < arrlenu(o->nominal); i++) named |= names_column(o->nominal[i]);
    for (i = 0; i < arrlenu(o->text_columns); i++) named |= names_column(o->text_columns[i]);
    for (i = 0; i < arrlenu(o->ignore); i++) named |= names_column(o->ignore[i]);
    return named;
}

/* Without a header: is it the label's column alone that the file lacks, of those the model was trained on? */
static int lacks_label(const reader *r)
{
    const reader_options *o = &r->options;
    return o->predict && !o->label && o->model_label_column &&
           arrlenu(r->own.fields) == names_needed(o) + arrlenu(o->ignore);
}

size_t find_ignored(const reader *r, const char *text, int header)
{
    const reader_options *o = &r->options;
    long number;
    if (!header && label_is_integer(text, &number) && number > (long)o->model_label_column && lacks_label(r))
        return (size_t)number - 2 < arrlenu(r->own.fields) ? (size_t)number - 2 : NO_COLUMN;
    return find_column(r, text, header);
}

/* Is it one of --ignore, by its number? */
static int is_ignored(const reader *r, size_t i)
{
    size_t k;
    for (k = 0; k < arrlenu(r->options.ignore); k++)
        if (find_ignored(r, r->options.ignore[k], 0) == i) return 1;
    return 0;
}

/* Is every field another name that the model knows from a header? Only then are numbers taken for names. */
static int are_all_known(const reader *r, name_number *prefixes)
{
    const char *label = r->options.model_label;
    size_t i, columns = arrlenu(r->own.fields), count;
    name_number *seen = NULL;
    sh_new_arena(seen);
    for (i = 0; label && i < columns; i++) {
        const char *text = reader_field(r, i);
        if (names_have(r->own.dictionary, text) || names_have(prefixes, text) || strcmp(label, text) == 0)
            shput(seen, text, 1);
    }
    count = shlenu(seen);
    shfree(seen);
    return count == columns;
}

int must_see_more(const reader *r)
{
    const reader_options *o = &r->options;
    size_t columns = arrlenu(r->own.fields), label = o->label ? find_column(r, o->label, 0) : columns - 1, i;
    if (o->header || options_name(o)) return 1;
    for (i = 0; i < columns; i++)
        if (i != label && !is_ignored(r, i) && field_is_text(trim(reader_field(r, i)))) return 1;
    return 0;
}

int is_header(const reader *r, const sample *s, name_number *prefixes)
{
    const reader_options *o = &r->options;
    size_t columns = arrlenu(r->own.fields), i, label = columns - 1;
    uint32_t texts = 0, numbers = 0, above = 0, again = 0, names = 0, numbered = 0;
    if (o->label)
        label = find_column(r, o->label, 0);
    else if (o->model_label_column)
        label = o->model_label_column - 1;
    if (o->header || options_name(o) || (o->names && are_all_known(r, prefixes))) return 1;
    for (i = 0; i < columns; i++) {
        const char *text = reader_field(r, i);
        names += o->names && field_is_text(text) &&
                 (names_have(r->own.dictionary, text) || names_have(prefixes, text) ||
                  (o->model_label && strcmp(o->model_label, text) == 0));
        again += s && s[i].again;
        if (i == label) numbered += field_is_number(text) && s && s[i].numbers > s[i].texts;
        if (i == label || is_ignored(r, i)) continue;
        texts += (uint32_t)field_is_text(text);
        numbers += (uint32_t)field_is_number(text);
        above += field_is_text(text) && s && s[i].numbers > s[i].texts;
    }
    if (o->names && (names > 0 || shlenu(prefixes) > 0)) return names > 0;
    return s ? above > 0 || (texts > 0 && numbers == 0 && again == 0 && numbered == 0) : texts > 0;
}
