/* Tells from which columns a model's features come, by their names: column, column=text or column:word. */
#include "reader_parts.h"

/* ---- Names ---- */

int names_word_of(const char *name, const char *column)
{
    const size_t length = strlen(column);
    return strncmp(name, column, length) == 0 && name[length] == ':';
}

/* Is the name column:word? *length: how long the column's part is. */
static int is_word(const reader_options *o, const char *name, size_t *length)
{
    size_t i;
    for (i = 0; i < arrlenu(o->text_columns); i++) {
        *length = strlen(o->text_columns[i]);
        if (names_word_of(name, o->text_columns[i])) return 1;
    }
    return 0;
}

/* Returns how long the column's part of a feature's name is, in column=text, column:word or column. */
static size_t column_length(const reader_options *o, const char *name)
{
    size_t length;
    return is_word(o, name, &length) ? length : strcspn(name, "=");
}

int names_product(const reader_options *o, const char *name)
{
    return o->products && strchr(name, '*');
}

int names_are_numbers(const reader_options *o)
{
    size_t i, texts = 0;
    for (i = 0; i < arrlenu(o->names); i++) {
        size_t digits = strspn(o->names[i], "0123456789");
        const int product = names_product(o, o->names[i]);
        if (!product && (digits == 0 || digits != column_length(o, o->names[i]))) return 0;
        texts += product || o->names[i][digits] != '\0';
    }
    return texts > 0 || (o->names && o->products && !o->model_label); /* names without a product: no row had one */
}

name_number *names_take(reader *r)
{
    name_number *prefixes = NULL;
    size_t i, length;
    char *p;
    sh_new_arena(prefixes);
    for (i = 0; i < arrlenu(r->options.names); i++) {
        char *name = copy_text(r->options.names[i]);
        shput(r->own.dictionary, name, (uint32_t)i);
        if (is_word(&r->options, name, &length)) *name = '\0';
        for (p = name + strlen(name); p-- > name;) {
            if (*p != '=') continue;
            *p = '\0';
            shput(prefixes, name, COLUMN_TEXT);
        }
        free(name);
    }
    for (i = 0; i < arrlenu(r->options.text_columns); i++) shput(prefixes, r->options.text_columns[i], COLUMN_WORDS);
    return prefixes;
}

int names_have(name_number *map, const char *name)
{
    return shgeti(map, name) >= 0;
}

size_t names_columns(const reader_options *o)
{
    name_number *seen = NULL;
    size_t i, count;
    sh_new_arena(seen);
    for (i = 0; i < arrlenu(o->names); i++) {
        char *name = copy_text(o->names[i]);
        name[column_length(o, name)] = '\0';
        if (!names_product(o, o->names[i])) shput(seen, name, 1);
        free(name);
    }
    count = shlenu(seen);
    shfree(seen);
    return count;
}

size_t names_needed(const reader_options *o)
{
    return !o->model_labels ? 0 : o->names ? names_columns(o) : o->features;
}

/* ---- Columns that a file lacks ---- */

/* Appends the name of a column, in quotes, if it is one of the first ten. */
static void list_column(char **list, const char *name, size_t place)
{
    if (place < 10) append(list, "%s'%s'", place ? ", " : "", printable(name, EXCERPT));
    if (place == 10) append(list, " and more");
}

const char *names_lacking_hint(const reader *r)
{
    return r->options.predict ? "--missing zero does without" : "train without --resume learns a model of these";
}

/* Says which columns of the model the file lacks. That is an error, unless what is missing counts as something. */
static void tell_lacking(const reader *r, name_number *lacking)
{
    const reader_options *o = &r->options;
    char *needed = NULL, *there = NULL;
    size_t i, columns = shlenu(lacking);
    for (i = 0; i < columns; i++) list_column(&needed, lacking[i].key, i);
    for (i = 0; i < arrlenu(r->own.columns); i++) list_column(&there, r->own.columns[i].name, i);
    if (o->missing == MISSING_REFUSED)
        reader_fail_at(r, 1, "no column%s %s, which the model needs; the columns are %s: %s%s", columns == 1 ? "" : "s",
                       needed, there, o->predict ? reader_by(r) : "", names_lacking_hint(r));
    fprintf(stderr, "perceptron: %s: no column%s %s; what the model knows of %s counts as %s\n", r->lines.name,
            columns == 1 ? "" : "s", needed, columns == 1 ? "it" : "them",
            o->numbers && o->missing != MISSING_ZERO ? "the mean" : "0");
    arrfree(needed);
    arrfree(there);
}

void names_check(const reader *r)
{
    name_number *there = NULL, *lacking = NULL;
    size_t i, length;
    sh_new_arena(there);
    sh_new_arena(lacking);
    for (i = 0; i < arrlenu(r->own.columns); i++)
        if (r->own.columns[i].kind != COLUMN_LABEL) shput(there, r->own.columns[i].name, r->own.columns[i].kind);
    for (i = 0; i < arrlenu(r->options.names); i++) {
        char *name = copy_text(r->options.names[i]), *p = name;
        int found = names_have(there, name) || names_product(&r->options, name);
        const int word = is_word(&r->options, name, &length);
        while (!found && !word && (p = strchr(p, '=')) != NULL) {
            *p = '\0';
            found = names_have(there, name) && shget(there, name) != COLUMN_NUMBER;
            *p++ = '=';
        }
        name[column_length(&r->options, name)] = '\0';
        found |= names_have(there, name) && shget(there, name) == COLUMN_WORDS;
        if (!found) shput(lacking, name, 1);
        free(name);
    }
    if (shlenu(lacking) > 0) tell_lacking(r, lacking);
    shfree(there);
    shfree(lacking);
}
