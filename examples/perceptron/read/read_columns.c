/* Finds out what each column of a CSV file is, from its first record, the records behind that, and the model. */
#include "reader_parts.h"

/* ---- The record ---- */

/* Refuses a file of one column that seems to be something else. */
static void check_separator(reader *r)
{
    const char *text = reader_field(r, 0);
    const size_t needed = names_needed(&r->options);
    if (arrlenu(r->own.fields) > 1) return;
    reader_check_separator(r, text);
    if (r->options.features == 0) reader_fail(r, "one column only: beside the label there must be features (--sep?)");
    if (needed > 1 && !names_have(r->own.dictionary, text))
        reader_fail(r, "one column only, '%s', and the model needs %zu: %s--sep says what stands between them",
                    printable(text, EXCERPT), needed, reader_by(r));
}

/* ---- Names ---- */

/* Names the columns. Without a header their names are their numbers in the file that the model was trained on. */
static void name_columns(reader *r, int header)
{
    size_t i;
    for (i = 0; i < arrlenu(r->own.fields); i++) {
        csv_column c = {NULL, COLUMN_NUMBER, 0, 0, NO_DATE};
        char number[24];
        snprintf(number, sizeof number, "%zu", trained_number(r, i));
        c.name = copy_text(header ? reader_field(r, i) : number);
        arrput(r->own.columns, c);
    }
}

/* Leaves out the columns of --ignore. If a model remembers them by numbers, a column whose name it knows stays. */
static void ignore_columns(reader *r, int header, int by_name, name_number *prefixes)
{
    const reader_options *o = &r->options;
    size_t i, k, at;
    long number;
    for (i = 0; i < arrlenu(o->ignore); i++) {
        const char *name;
        int weighs = 0;
        at = find_ignored(r, o->ignore[i], o->model_labels && !o->ignore_given ? by_name : header);
        for (k = 0; k < STEP_COLUMNS; k++) {
            if (!o->step_column[k] || strcmp(o->step_column[k], o->ignore[i]) != 0) continue;
            r->own.step_number[k] = (uint32_t)(at + 1);
            if (at != NO_COLUMN) r->own.columns[at].step = (uint32_t)k + 1;
            weighs = 1;
        }
        name = at != NO_COLUMN ? r->own.columns[at].name : "";
        if (by_name && !weighs && !o->ignore_given && strcmp(name, o->ignore[i]) != 0 &&
            (names_have(r->own.dictionary, name) || names_have(prefixes, name) ||
             (o->model_label && strcmp(name, o->model_label) == 0)))
            at = NO_COLUMN;
        if (at != NO_COLUMN)
            r->own.columns[at].kind = COLUMN_IGNORED;
        else if (o->model_labels && !o->ignore_given && !by_name && !weighs && !label_is_integer(o->ignore[i], &number))
            reader_fail_at(
                r, 1,
                "the model leaves out the column '%s', and no field here is a name that it knows: put a line "
                "of names before the rows, or %s--ignore NUMBER says which column it is",
                printable(o->ignore[i], EXCERPT), reader_by(r));
        else if (weighs || o->ignore_given)
            reader_fail_at(r, r->own.fields[0].column, "no column '%s' %s among %zu columns", o->ignore[i],
                           weighs ? "of weights" : "to ignore", (size_t)arrlenu(r->own.columns));
    }
}

/* Refuses two columns with one name. It proposes to leave the second out, by its number. */
static void check_names(const reader *r)
{
    name_number *seen = NULL;
    size_t i, one = NO_COLUMN, other = 0;
    char *leave = NULL;
    sh_new_arena(seen);
    for (i = 0; i < arrlenu(r->own.columns); i++) {
        const char *name = r->own.columns[i].name;
        if (r->own.columns[i].kind == COLUMN_IGNORED) continue;
        if (names_have(seen, name)) {
            if (one == NO_COLUMN) other = shget(seen, name);
            if (one == NO_COLUMN) one = i;
            append(&leave, " --ignore %zu", i + 1);
        }
        shput(seen, name, (uint32_t)i);
    }
    shfree(seen);
    if (one != NO_COLUMN)
        reader_fail_at(r, r->own.fields[one].column,
                       "columns %zu and %zu have the same name '%s': rename one, or leave one out with%s", other + 1,
                       one + 1, printable(r->own.columns[one].name, EXCERPT), leave);
}

/* ---- Label ---- */

/* Returns the place of the label's column in a file whose columns go by names. */
static size_t label_by_name(const reader *r)
{
    size_t i = 0, columns = arrlenu(r->own.columns);
    if (!r->options.model_label) return NO_COLUMN;
    while (i < columns && strcmp(r->own.columns[i].name, r->options.model_label) != 0) i++;
    return i < columns ? i : NO_COLUMN;
}

static void set_label_column(reader *r, int header, int by_name)
{
    static const char *const leaves_out[1 + STEP_COLUMNS] = {"ignore", STEP_COLUMN_OPTIONS};
    const reader_options *o = &r->options;
    size_t at;
    if (o->label) {
        at = find_column(r, o->label, header);
        if (at == NO_COLUMN)
            reader_fail_at(r, r->own.fields[0].column, "no label column '%s' among %zu columns", o->label,
                           (size_t)arrlenu(r->own.columns));
    } else {
        at = by_name ? label_by_name(r) : label_by_number(r);
    }
    r->own.label_column = at;
    if (at == NO_COLUMN && !o->predict && (by_name || !o->model_labels))
        reader_fail_at(r, r->own.fields[0].column, "no label column%s%s (--label says which it is)",
                       o->model_label ? " " : "", o->model_label ? o->model_label : "");
    if (at == NO_COLUMN) return;
    if (r->own.columns[at].kind == COLUMN_IGNORED)
        reader_fail_at(r, r->own.fields[at].column, "--%s %s: this is the label column",
                       leaves_out[r->own.columns[at].step], r->own.columns[at].name);
    r->own.columns[at].kind = COLUMN_LABEL;
    r->label_number = (uint32_t)at + 1;
    if (header) r->label_name = copy_text(r->own.columns[at].name);
}

/* ---- Features ---- */

/* Makes the column of an option one of that kind, and returns it. */
static csv_column *set_kind(reader *r, const char *option, const char *text, int header, enum column_kind kind)
{
    const size_t at = find_column(r, text, header);
    if (at == NO_COLUMN)
        reader_fail_at(r, r->own.fields[0].column, "--%s %s: no such column among %zu", option, text,
                       (size_t)arrlenu(r->own.columns));
    if (r->own.columns[at].kind == COLUMN_IGNORED || r->own.columns[at].kind == COLUMN_LABEL)
        reader_fail_at(r, r->own.fields[at].column, "--%s %s: this column is %s", option, text,
                       r->own.columns[at].kind == COLUMN_LABEL ? "the label" : "left out by --ignore");
    if (r->own.columns[at].kind == COLUMN_WORDS && kind == COLUMN_TEXT)
        reader_fail_at(r, r->own.fields[at].column, "--nominal %s: --text-column has it: leave one of them out", text);
    r->own.columns[at].kind = kind;
    return &r->own.columns[at];
}

/* Is it not yet known what column i holds? */
static int is_open(const reader *r, const sample *s, size_t i)
{
    return r->own.columns[i].kind == COLUMN_NUMBER && !r->own.columns[i].order && !sampled_tells(&s->of[i]);
}

/* Finds columns of dates, and columns that have texts and no numbers, as far as the buffer goes. If that does not
 * tell, it reads on, unless rows are a stream. */
static void find_texts(reader *r, sample *s, int header)
{
    size_t i, unclear = 0;
    for (i = 0; i < s->columns; i++) {
        if (!header) sample_count(s, r, i, reader_field(r, i));
        s->of[i].open = !s->single && is_open(r, s, i);
        s->open += (size_t)s->of[i].open;
    }
    if (s->open) sample_on(s, r);
    for (i = 0; i < s->columns; i++) {
        const sampled *of = &s->of[i];
        csv_column *c = &r->own.columns[i];
        /* in a single row, a word for a gap may stand in a column of numbers */
        const int text = of->texts > 0 || (!s->single && of->gap_words > 0);
        if (c->kind != COLUMN_NUMBER || c->order) continue;
        c->order = sampled_order(of);
        unclear += c->order == DATE_UNCLEAR;
        if (!c->order && text && of->numbers == 0) c->kind = COLUMN_TEXT;
    }
    if (unclear) fail_unclear(r, s);
}

/* Takes the orders of --dates. */
static void take_dated(reader *r, int header)
{
    size_t i;
    for (i = 0; i < arrlenu(r->options.dates); i++) {
        enum date_order order;
        char *name = dated_column(r->options.dates[i], &order);
        const size_t at = find_column(r, name, header);
        const enum column_kind kind = at == NO_COLUMN ? COLUMN_NUMBER : r->own.columns[at].kind;
        csv_column *c;
        if (kind == COLUMN_TEXT || kind == COLUMN_WORDS)
            reader_fail_at(r, r->own.fields[at].column, "--dates %s: --%s has this column: leave one of them out",
                           r->options.dates[i], kind == COLUMN_TEXT ? "nominal" : "text-column");
        c = set_kind(r, "dates", name, header, COLUMN_NUMBER);
        if (c->order && c->order != order)
            reader_fail_at(r, r->own.fields[at].column,
                           "--dates %s: the column has another order already, %s: leave one of them out",
                           r->options.dates[i], date_word[c->order]);
        c->order = order;
        free(name);
    }
}

/* Finds out what each column of features holds. */
static void find_kinds(reader *r, sample *s, int header)
{
    const reader_options *o = &r->options;
    size_t i;
    for (i = 0; i < arrlenu(o->text_columns);
         i++) { /* a model keeps the name, because other files may have another number */
        const csv_column *c = set_kind(r, "text-column", o->text_columns[i], header, COLUMN_WORDS);
        if (strcmp(o->text_columns[i], c->name) != 0) o->text_columns[i] = copy_text(c->name);
    }
    for (i = 0; i < arrlenu(o->nominal); i++) set_kind(r, "nominal", o->nominal[i], header, COLUMN_TEXT);
    take_dated(r, header);
    find_texts(r, s, header);
    for (i = 0; i < arrlenu(r->own.columns); i++)
        r->grows |= r->own.columns[i].kind == COLUMN_TEXT || r->own.columns[i].kind == COLUMN_WORDS;
    r->grows |= o->products != NULL;
    r->own.any_text = r->grows;
}

/* Refuses a column whose name begins as features of another: with the name of a column of texts and a =, or of words
 * and a colon. */
static void check_text_names(const reader *r)
{
    const csv_column *c = r->own.columns;
    name_number *marks = NULL;
    size_t i;
    char *p;
    for (i = 0; i < arrlenu(c); i++)
        if (c[i].kind == COLUMN_TEXT || c[i].kind == COLUMN_WORDS)
            shput(marks, c[i].name, c[i].kind == COLUMN_WORDS ? ':' : '=');
    for (i = 0; i < arrlenu(c) && marks; i++) {
        char *name = copy_text(c[i].name);
        for (p = name + strlen(name); c[i].kind <= COLUMN_WORDS && p-- > name;) {
            const char mark = *p;
            if (mark != '=' && mark != ':') continue;
            *p = '\0';
            if (names_have(marks, name) && shget(marks, name) == (uint32_t)mark)
                reader_fail_at(r, r->own.fields[i].column,
                               "column '%s' could be a feature of column '%s', which holds texts: rename one",
                               c[i].name, name);
        }
        free(name);
    }
    shfree(marks);
}

/* Makes features of the columns of numbers, in a file that a new model learns from. */
static void new_features(reader *r, int header)
{
    const reader_options *o = &r->options;
    size_t i;
    for (i = 0; i < arrlenu(r->own.columns); i++) {
        if (r->own.columns[i].kind != COLUMN_NUMBER) continue;
        r->own.columns[i].feature = r->features++;
        if (header || r->grows) arrput(r->names, copy_text(r->own.columns[i].name));
    }
    for (i = 0; i < arrlenu(r->names) && r->grows; i++) shput(r->own.dictionary, r->names[i], (uint32_t)i);
    if (r->features > o->max_features)
        reader_fail_at(r, r->own.fields[0].column, "%lu columns are above the limit of %lu features (--max-dim)",
                       (unsigned long)r->features, (unsigned long)o->max_features);
}

/* Refuses a file without names that does not have as many columns as the model's file. */
static void check_count(const reader *r)
{
    const reader_options *o = &r->options;
    const size_t columns = arrlenu(r->own.columns), trained = trained_columns(r);
    const int numbers = !o->names || names_are_numbers(o) || (names_columns(o) == o->features && !o->products);
    size_t i, kept = 0, left_out = 0;
    for (i = 0; i < columns; i++) {
        kept += r->own.columns[i].kind == COLUMN_NUMBER;
        left_out += r->own.columns[i].kind == COLUMN_IGNORED;
    }
    if (numbers && kept == names_needed(o) && (o->ignore_given || left_out == o->model_ignored) &&
        (o->predict || r->own.label_column != NO_COLUMN))
        return;
    reader_fail_at(r, 1, "%zu columns and no name that the model knows: it was trained on %zu, with the label%s%s%s",
                   columns, trained, o->model_ignored ? " and those left out" : "",
                   o->predict ? ", which may be missing" : "",
                   o->names && !names_are_numbers(o) ? ": put a line of names before the rows"
                                                     : "; --label and --ignore leave columns out");
}

/* Finds the features of columns by their place, if the model or the file has no names. */
static void features_by_place(reader *r, int header)
{
    const reader_options *o = &r->options;
    size_t i;
    uint32_t next = 0;
    for (i = 0; i < arrlenu(r->own.columns); i++) {
        if (r->own.columns[i].kind != COLUMN_NUMBER) continue;
        r->own.columns[i].feature = next++;
        if (header) arrput(r->names, copy_text(r->own.columns[i].name));
    }
    r->features = o->predict ? o->features : next;
}

static void features_by_name(reader *r, name_number *prefixes)
{
    const reader_options *o = &r->options;
    size_t i, matched = 0, unknown = 0, first = 0;
    char *leave = NULL;
    for (i = 0; i < arrlenu(r->own.columns); i++) {
        csv_column *c = &r->own.columns[i];
        if (c->kind != COLUMN_NUMBER) continue;
        if (names_have(r->own.dictionary, c->name))
            c->feature = shget(r->own.dictionary, c->name);
        else
            c->kind = names_have(prefixes, c->name) ? (enum column_kind)shget(prefixes, c->name) : COLUMN_UNKNOWN;
        matched += c->kind != COLUMN_UNKNOWN;
        if (c->kind == COLUMN_UNKNOWN && !o->predict) {
            if (unknown++ == 0) first = i;
            append_column(r, &leave, "ignore", i);
        }
        if (c->kind == COLUMN_NUMBER) arrput(r->names, copy_text(c->name));
        r->own.any_text |= c->kind == COLUMN_TEXT || c->kind == COLUMN_WORDS;
    }
    if (leave)
        reader_fail_at(r, r->own.fields[first].column, "column '%s'%s no feature%s of the model: %s leaves %s out",
                       printable(r->own.columns[first].name, EXCERPT), unknown > 1 ? " and others are" : " is",
                       unknown > 1 ? "s" : "", leave, unknown > 1 ? "them" : "it");
    if (matched == 0 && o->missing != MISSING_REFUSED)
        reader_fail_at(r, r->own.fields[0].column, "no column is a feature of the model, such as '%s'", o->names[0]);
    r->own.any_text |= o->products != NULL;
    r->features = o->features;
    r->grows = r->own.any_text && o->grows;
    names_check(r);
}

/* Sets the order of dates in each column; a model says in which order its dates are. */
static void place_dates(reader *r)
{
    const uint8_t *date = r->options.date;
    size_t i;
    for (i = 0; i < arrlenu(r->own.columns); i++) {
        csv_column *c = &r->own.columns[i];
        if (c->kind != COLUMN_NUMBER) continue;
        if (c->feature < arrlenu(date)) c->order = (enum date_order)date[c->feature];
        if (!c->order) continue;
        while (arrlenu(r->date) <= c->feature) arrput(r->date, NO_DATE);
        r->date[c->feature] = (uint8_t)c->order;
    }
}

/* Says to which feature the values of each column go. */
static void place_columns(reader *r)
{
    size_t i;
    for (i = 0; i < arrlenu(r->own.columns); i++) {
        const csv_column *c = &r->own.columns[i];
        r->own.unknown_columns += c->kind == COLUMN_UNKNOWN;
        arrput(r->own.column_feature, c->kind == COLUMN_NUMBER ? c->feature : r->features + c->step);
    }
    r->columns = r->features;
    r->numbers = r->options.numbers == NUMBERS_ALL ? r->features : r->options.numbers;
    if (r->numbers < arrlenu(r->offset)) r->numbers = (uint32_t)arrlenu(r->offset); /* a missing value is not 0 there */
    place_dates(r);
    r->own.separator_safe = !r->own.any_text && !r->date && !r->options.gaps &&
                            !strchr("+-.0123456789Ee\"", r->options.separator);
}

int reader_take_columns(reader *r)
{
    const reader_options *o = &r->options;
    name_number *prefixes = NULL;
    sample s = {0};
    size_t i;
    int header, numbered, by_name;
    sh_new_arena(r->own.dictionary);
    if (o->names) prefixes = names_take(r);
    check_separator(r);
    for (i = 0; i < arrlenu(r->own.fields); i++)
        r->own.fields[i].start = (size_t)(trim(reader_field(r, i)) - r->lines.text);
    sample_start(&s, r);
    if (!o->model_labels && must_see_more(r, &s)) sample_records(&s, r);
    header = is_header(r, &s, prefixes);
    numbered = names_are_numbers(o);
    by_name = o->names && header && !numbered;
    name_columns(r, header && !numbered);
    ignore_columns(r, header, by_name, prefixes);
    set_label_column(r, header, by_name);
    if (header && !numbered) check_names(r);
    if (o->model_labels && !by_name) check_count(r);
    if (o->features == 0) {
        find_kinds(r, &s, header);
        if (header) check_text_names(r);
        new_features(r, header);
    } else if (by_name || numbered) {
        features_by_name(r, prefixes);
    } else {
        features_by_place(r, header);
    }
    place_columns(r);
    shfree(prefixes);
    sample_free(&s);
    return header;
}
