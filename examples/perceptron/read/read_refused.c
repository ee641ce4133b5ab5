/* Says why a table is refused: names all columns that stand in the way, and the options that take them or leave them
 * out. */
#include "reader_parts.h"

enum { LISTED = 1800 }; /* a sentence has about so many bytes of options at most */

/* Can the text stand between single quotes in a shell? */
static int can_be_typed(const char *text)
{
    return !strchr(text, '\'') && strcmp(printable(text, EXCERPT), text) == 0;
}

/* Appends --option, the column, and `behind`. */
static void append_option(const reader *r, char **list, const char *option, size_t i, const char *behind)
{
    const char *name = r->own.columns[i].name;
    if (*list && arrlenu(*list) > LISTED) return;
    if (can_be_typed(name))
        append(list, "%s--%s '%s%s'", *list ? " " : "", option, name, behind);
    else
        append(list, "%s--%s %zu%s", *list ? " " : "", option, i + 1, behind);
    if (arrlenu(*list) > LISTED) append(list, " ...");
}

void append_column(const reader *r, char **list, const char *option, size_t i)
{
    append_option(r, list, option, i, "");
}

static void append_dates(const reader *r, char **list, size_t i, enum date_order order)
{
    char behind[8];
    snprintf(behind, sizeof behind, ":%s", date_word[order]);
    append_option(r, list, "dates", i, behind);
}

void fail_unclear(const reader *r, const sample *s)
{
    size_t i, at = NO_COLUMN;
    char *day = NULL, *month = NULL, *what = NULL, *end;
    const char *example;
    long first, second;
    for (i = 0; i < s->columns; i++) {
        if (r->own.columns[i].kind != COLUMN_NUMBER || r->own.columns[i].order != DATE_UNCLEAR) continue;
        if (at == NO_COLUMN) at = i;
        append_dates(r, &day, i, DATE_DMY);
        append_dates(r, &month, i, DATE_MDY);
    }
    example = s->of[at].dates.example;
    first = strtol(example, &end, 10);
    second = strtol(end + 1, NULL, 10);
    if (first == second)
        append(&what, "does not tell the day from the month");
    else
        append(&what, "can be day %ld of month %ld, or day %ld of month %ld", first, second, second, first);
    reader_fail_at(r, r->own.fields[at].column,
                   "'%s' in column '%s' %s, and nothing else here tells: %s takes the day first, %s the month",
                   printable(example, EXCERPT), printable(r->own.columns[at].name, EXCERPT), what, day, month);
}

/* Returns the one text among numbers, which may say that there is no value; NULL: there is no such text. */
static const char *gap_word(const sampled *of)
{
    return of->text && !of->differs && !of->phrases && of->texts < of->numbers && can_be_typed(of->text)
               ? of->text
               : NULL;
}

/* What columns hold from the record in hand on, and the options that take it. Members that count or say nothing are
 * 0. */
typedef struct obstacles {
    const reader *r;
    size_t at; /* the column whose value came first */
    int no_value;
    sample s;
    size_t columns; /* how many columns need an option */
    int missing;    /* there are gaps, and they are refused */
    int words;      /* there are words for gaps, and gaps are refused */
    int no_take;    /* no option takes what is among the dates of a column */
    char *take, *leave;
} obstacles;

/* Returns what the value should be. */
static const char *wanted(const obstacles *o, char room[64])
{
    const unsigned order = o->r->own.columns[o->at].order;
    if (!order) return "a finite decimal number";
    snprintf(room, 64, "a date in the order %s", date_words[order]);
    return room;
}

static void add_gap_word(obstacles *o, const char *word)
{
    char *option = NULL;
    append(&option, "--gap '%s'", word);
    if (!o->take || !strstr(o->take, option)) append(&o->take, "%s%s", o->take ? " " : "", option);
    arrfree(option);
}

/* Adds a column that stands in the way. A model says what its columns are, so that they can only be left out. */
static void add_column(obstacles *o, size_t i, int is_gap)
{
    const reader *r = o->r;
    const sampled *of = &o->s.of[i];
    o->columns++;
    append_column(r, &o->leave, "ignore", i);
    if (r->options.model_labels || is_gap) return;
    if (gap_word(of))
        add_gap_word(o, of->text);
    else if (sampled_order(of))
        append_dates(r, &o->take, i, sampled_order(of));
    else if (r->own.columns[i].order)
        o->no_take = 1;
    else
        append_column(r, &o->take, of->phrases ? "text-column" : "nominal", i);
    o->words |= gap_word(of) && r->options.missing == MISSING_REFUSED;
}

static void find_obstacles(obstacles *o, reader *r)
{
    const reader_options *how = &r->options;
    const int shaped = how->model_labels && !how->predict; /* the model decides about --missing */
    size_t i, unclear = 0;
    sample_rest(&o->s, r);
    for (i = 0; i < o->s.columns; i++) {
        const sampled *of = &o->s.of[i];
        const enum column_kind kind = r->own.columns[i].kind;
        const uint32_t gaps = kind == COLUMN_NUMBER ? of->gaps : of->gaps - of->gap_words;
        const int gap = gaps > 0 && how->missing == MISSING_REFUSED &&
                        (kind <= COLUMN_TEXT || (kind == COLUMN_LABEL && !how->predict));
        const int text = kind == COLUMN_NUMBER && (of->texts > 0 || (i == o->at && !o->no_value));
        o->missing |= gap && !shaped;
        if (text && !how->model_labels && sampled_order(of) == DATE_UNCLEAR) {
            r->own.columns[i].order = DATE_UNCLEAR;
            unclear++;
        } else if (text || (gap && shaped && kind != COLUMN_LABEL)) {
            add_column(o, i, !text);
        }
    }
    if (unclear) fail_unclear(r, &o->s);
}

/* Refuses several columns, or a column and gaps. */
static void fail_together_at(const obstacles *o, const char *text) __attribute__((noreturn));

static void fail_together_at(const obstacles *o, const char *text)
{
    const reader *r = o->r;
    const int zero = r->options.model_labels || r->options.products || r->options.arriving;
    const char *some = zero ? "--missing zero " : "--missing mean ", *take = o->missing || o->words ? some : "";
    const char *leave = o->missing ? some : "";
    const char *name = r->own.columns[o->at].name;
    char *what = NULL, room[64];
    if (o->no_value)
        append(&what, "column '%s' has no value here ('%s')", printable(name, EXCERPT), text);
    else
        append(&what, "'%s' is not %s", text, wanted(o, room));
    if (o->take && !o->no_take)
        reader_fail_at(r, r->own.fields[o->at].column,
                       "%s, and more stands in the way: %s%s takes it all; %s%s leaves columns out", what, take,
                       o->take, leave, o->leave);
    reader_fail_at(r, r->own.fields[o->at].column, "%s, and more stands in the way: %s%s leaves it out", what, leave,
                   o->leave);
}

/* Refuses one column, because of a text in it. */
static void fail_text(const obstacles *o, const char *text) __attribute__((noreturn));

static void fail_text(const obstacles *o, const char *text)
{
    const reader *r = o->r;
    const size_t at = r->own.fields[o->at].column;
    const sampled *of = &o->s.of[o->at];
    const char *option = of->phrases ? "text-column" : "nominal", *word = gap_word(of);
    const char *what = of->phrases ? "words" : "values as texts";
    char *take = NULL, *gap = NULL, room[64];
    const unsigned order = r->own.columns[o->at].order;
    if (has_decimal_comma(text) && !order)
        reader_fail_at(r, at, "'%s' has a decimal comma: numbers need a point%s", text,
                       r->options.separator == ',' ? "" : " (tr , . <FILE makes one of each comma)");
    if (strchr(text, ',') && text[strspn(text, "0123456789.,-+")] == '\0' && !order)
        reader_fail_at(r, at, "'%s' has several separators: a number has the decimal point alone", text);
    if (r->options.model_labels)
        reader_fail_at(r, at, "'%s' is not %s: %s leaves the column out", text, wanted(o, room), o->leave);
    if (word)
        append(&gap, ", and if it says that there is no value, --gap '%s'%s", word,
               r->options.missing == MISSING_REFUSED ? " --missing zero" : "");
    if (order && !sampled_order(of))
        reader_fail_at(r, at, "'%s' is not %s: %s leaves the column out%s", text, wanted(o, room), o->leave,
                       gap ? gap : "");
    if (sampled_order(of)) {
        append_dates(r, &take, o->at, sampled_order(of));
        what = "dates";
    } else {
        append_column(r, &take, option, o->at);
    }
    reader_fail_at(r, at, "'%s' is not %s: %s leaves the column out, %s takes its %s%s", text, wanted(o, room),
                   o->leave, take, what, gap ? gap : "");
}

void fail_value(reader *r, size_t i, const char *text)
{
    const char *name = printable(r->own.columns[i].name, EXCERPT), *shown;
    obstacles o = {r, i, is_gap(r, text), {0}, 0, 0, 0, 0, NULL, NULL};
    char *whole = copy_text(text);
    const int comma = !o.no_value && strchr(text, ',') != NULL;
    find_obstacles(&o, r);
    shown = printable(whole, EXCERPT);
    if (!comma && o.columns + (size_t)o.missing > 1) fail_together_at(&o, shown);
    if (!o.no_value) fail_text(&o, comma ? whole : shown);
    if (o.leave)
        reader_fail_at(
            r, r->own.fields[i].column,
            "column '%s' has no value here ('%s'), and the model was trained without --missing: %s leaves the "
            "column out, train without --resume learns anew",
            name, shown, o.leave);
    reader_fail_at(r, r->own.fields[i].column,
                   "column '%s' has no value here ('%s'): --missing zero, mean or drop says what it counts as", name,
                   shown);
}
