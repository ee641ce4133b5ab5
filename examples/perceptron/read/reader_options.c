#include "reader_options.h"
#include "reader_parts.h"
#include "text/date.h"

#define AT(member) .at = offsetof(reader_options, member)
#define NEED(...) OPTION_NEED(reader_options, o, __VA_ARGS__)

NEED(unknown_features, "neither --features nor --fixed, which say it, and a model that takes new features",
     o->features == 0 || o->grows)
NEED(unhashed,
     "names of features, which --hash has not, and no --missing mean, which is no mean of products: take zero or drop",
     !o->hash_bits && o->missing != MISSING_MEAN)

static const option_entry common[] = {
    {"threads", 0, OPTION_COUNT, AT(threads), .low = 1, .high = 1024, .argument = "T", .usual = "all processors",
     .help =
         "Use 1 to leave processors to other work. With 2, one of them reads ahead, and the two learners of --online work "
         "at the same time; train --shards uses more."},
    {"format", 0, OPTION_WORD, AT(format), .words_of = format_words, .preset = "auto", .argument = "F",
     .help = "Use it if the program takes the data for the other format."},
};

const option_table reader_common = {"Data: " FORMATS_FOUND ", found from content, or --text; '-': standard input",
                                    common, LENGTH(common)};

static const option_entry learning[] = {
    {"nominal", 0, OPTION_LIST, AT(nominal), .argument = "COLUMN", .memory = KEPT_READING | SHAPE,
     .needs = &need_new_columns,
     .help = "Use for numbers that are only names, such as codes: each value is a feature column=value of 0 or 1. "
             "Columns without a number are always taken so. May be repeated."},
    {"dates", 0, OPTION_LIST, AT(dates), .argument = "COLUMN:ORDER", .memory = SHAPE, .needs = &need_new_columns,
     .help = "Say in which order a column has day, month and year, where its dates do not tell: dmy, mdy or ymd. Dates "
             "are numbers, the days since 1970-01-01. May be repeated."},
    {"products", 0, OPTION_LIST, AT(products), .argument = "A*B|all", .memory = KEPT_READING | SHAPE,
     .needs = &unhashed,
     .help = "Make the product of two features a feature, too, with the name A*B. Use it where two features together "
             "mean something else than each alone, such as 'not' beside 'good'. A and B are indices, words, or columns "
             "by name or number; a column of texts stands for all of its words. all: every pair of features of a row, "
             "which may be many. May be repeated."},
    {"max-dim", 0, OPTION_COUNT, AT(max_features), .low = 1, .high = 2147483647.0, .preset = "16777216",
     .argument = "N", .needs = &unknown_features,
     .help = "Refuse more than N features. Use a smaller N to find indices that are too high."},
    {"rows", 0, OPTION_CHOICE, AT(rows), .words = ROW_FORM_WORDS, .preset = "auto", .argument = "FORM",
     .memory = KEPT_READING | SHAPE,
     .help =
         "Learn and predict rows in this form, whatever they are read from. Name one if CSV and libsvm text must "
         "give the same bits: the form decides the order of sums, and so the last bits of scores. auto: tables of "
         "numbers are dense, words, tables with words and --products sparse; libsvm text is sparse, but dense if it "
         "is standardized or the first row has values for half of the features or more."},
};

const option_table reader_learning = {"Features", learning, LENGTH(learning)};

/* Reads A-B of --letters, which has one spelling, because a model remembers it. */
static void read_letters(reader_options *r, const options *o)
{
    char same[32] = "";
    if (strcmp(r->letters, "no") == 0) return;
    if (sscanf(r->letters, "%2u-%2u", &r->letters_least, &r->letters_most) == 2)
        snprintf(same, sizeof same, "%u-%u", r->letters_least, r->letters_most);
    if (strcmp(same, r->letters) != 0 || r->letters_least == 0 || r->letters_least > r->letters_most ||
        r->letters_most > LETTERS_MOST)
        option_fail(o, "letters", r->letters,
                    "give two whole numbers from 1 to 16, the greater one last, such as 2-4; or no");
}

/* Whoever predicts leaves them out. */
static void ignore_step_columns(reader_options *r)
{
    size_t i, k;
    for (k = 0; k < STEP_COLUMNS; k++) {
        for (i = 0; i < arrlenu(r->ignore) && r->step_column[k]; i++)
            if (strcmp(r->ignore[i], r->step_column[k]) == 0) break;
        if (r->step_column[k] && i == arrlenu(r->ignore)) arrput(r->ignore, r->step_column[k]);
    }
}

void reader_options_complete(reader_options *r, const options *o)
{
    const char *text = r->separator_text ? r->separator_text : ",";
    size_t i;
    r->separator = strcmp(text, "tab") == 0 ? '\t' : text[0];
    if ((text[0] == '\0' || text[1] != '\0') && r->separator != '\t')
        option_fail(o, "sep", text, "give one character, or 'tab'");
    if (r->max_features == 0) r->max_features = 1u << 24;
    for (i = 0; i < arrlenu(r->products); i++) {
        const char *star = strchr(r->products[i], '*');
        if (strcmp(r->products[i], "all") == 0 ? arrlenu(r->products) > 1
                                               : !star || star == r->products[i] || !star[1] || strchr(star + 1, '*'))
            option_fail(o, "products", r->products[i], "give A*B, which may be repeated, or all alone");
        if (i == PRODUCTS_MOST) option_fail(o, "products", r->products[i], "one more than 32: all takes every pair");
    }
    for (i = 0; i < arrlenu(r->dates); i++) {
        enum date_order order;
        char *column = dated_column(r->dates[i], &order);
        if (!column) option_fail(o, "dates", r->dates[i], "give COLUMN:dmy, COLUMN:mdy or COLUMN:ymd");
        free(column);
    }
    read_letters(r, o);
    r->ignore_given = option_given(o, "ignore");
    ignore_step_columns(r);
    if (r->threads == 0) r->threads = processors() > 1 ? 2 : 1;
}
