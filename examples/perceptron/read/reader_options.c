#include "reader_options.h"
#include "text/date.h"

#define AT(member) .at = offsetof(reader_options, member)

static unsigned format_of(const reader_options *o)
{
    return o->found_format != FORMAT_AUTO ? o->found_format : o->format;
}

#define NEED(...) OPTION_NEED(reader_options, o, __VA_ARGS__)

NEED(csv, "rows of CSV", format_of(o) == FORMAT_AUTO ? -1 : format_of(o) == FORMAT_CSV)
NEED(libsvm, "rows of libsvm text", format_of(o) == FORMAT_AUTO ? -1 : format_of(o) == FORMAT_LIBSVM)
NEED(unordered, "rows of libsvm text",
     format_of(o) == FORMAT_CSV || format_of(o) == FORMAT_TEXT ? OPTION_IDLE : libsvm.holds(o))

NEED(text_rows, "--text", o->text)
NEED(words, "--text or --text-column", o->text || o->text_columns)
NEED(no_format, "rows to read, and no --format, since it is one",
     o->format == FORMAT_AUTO && o->found_format != FORMAT_NONE)

NEED(new_columns, "rows of CSV, and no --features, which has a column for each",
     o->features > 0 && !o->names ? 0 : csv.holds(o))
NEED(unknown_features, "neither --features nor --fixed, which say it, and a model that takes new features",
     o->features == 0 || o->grows)

NEED(unhashed,
     "names of features, which --hash has not, and no --missing mean, which is no mean of products: take zero or drop",
     !o->hash_bits && o->missing != MISSING_MEAN)

const option_entry reader_common[READER_COMMON] = {
    {"threads", 0, OPTION_COUNT, AT(threads), .low = 1, .high = 1024, .argument = "T", .usual = "all processors",
     .help =
         "Use 1 to leave processors to other work. With 2, one of them reads ahead, and the two learners of --online work "
         "at the same time; train --shards uses more."},
    {"format", 0, OPTION_CHOICE, AT(format), .words = "auto|libsvm|csv", .preset = "auto", .argument = "F",
     .help = "Use it if the program takes the data for the other format."},
};

const option_entry reader_learning[READER_LEARNING] = {
    {"nominal", 0, OPTION_LIST, AT(nominal), .argument = "COLUMN", .memory = KEPT_READING | SHAPE,
     .needs = &new_columns,
     .help = "Use for numbers that are only names, such as codes: each value is a feature column=value of 0 or 1. "
             "Columns without a number are always taken so. May be repeated."},
    {"dates", 0, OPTION_LIST, AT(dates), .argument = "COLUMN:ORDER", .memory = SHAPE, .needs = &new_columns,
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

const option_entry reader_csv[READER_CSV] = {
    {"label", 0, OPTION_TEXT, AT(label), .argument = "COLUMN", .needs = &csv, .usual = "the last", .common = 1,
     .help = "Take the label from this column. Give its name, or its number from 1. With a model, the default is the "
             "model's column of labels."},
    {"ignore", 0, OPTION_LIST, AT(ignore), .argument = "COLUMN", .memory = KEPT_READING, .needs = &csv, .common = 1,
     .help = "Leave a column out, such as row numbers. Use it also for what is not yet known when you predict. May be "
             "repeated."},
    {"missing", 0, OPTION_CHOICE, AT(missing), .words = MISSING_WORDS, .preset = "refuse", .argument = "HOW",
     .memory = KEPT_READING | SHAPE, .needs = &csv, .common = 1,
     .help =
         "Allow missing values: zero, mean, drop. A missing value is NA, NaN, ? or an empty field; among numbers also "
         "NULL, None, N/A, - and \\N. mean takes the "
         "mean of the training rows, which suits measurements; zero suits columns where nothing means none; drop "
         "leaves the row out of training, and predict then takes the mean of a standardized column, otherwise 0. "
         "With each of them, a row without a label is not learned, but it is predicted."},
    {"gap", 0, OPTION_LIST, AT(gaps), .argument = "WORD", .memory = KEPT_READING | ADDS, .needs = &csv,
     .help = "Take WORD for a missing value, too, in columns of numbers. It may be a number, such as -999. May be "
             "repeated."},
    {"header", 0, OPTION_CHOICE, AT(header), .words = "yes|no|auto", .bare = "yes", .argument = "=HOW",
     .memory = KEPT_READING | ALONE, .needs = &csv, .usual = "auto", .common = 1,
     .help = "Say whether the first line holds names. --header alone means yes. auto finds out, and asks if it cannot "
             "know."},
    {"sep", 0, OPTION_TEXT, AT(separator_text), .argument = "C", .memory = KEPT_READING | ALONE, .needs = &csv,
     .usual = "comma", .common = 1, .help = "Use tab for tab-separated files. Or give any one character, such as ';'."},
};

const option_entry reader_libsvm[READER_LIBSVM] = {
    {"zero-based", 0, OPTION_FLAG, AT(zero_based), .memory = KEPT_READING, .needs = &libsvm,
     .help = "Use it if indices start at 0."},
    {"sort", 0, OPTION_FLAG, AT(sort), .memory = KEPT_READING, .needs = &unordered,
     .help = "Use it if the indices of a row are in no order."},
    {"word-labels", 0, OPTION_FLAG, AT(word_labels), .memory = KEPT_READING, .needs = &unordered,
     .help = "Use it if labels are words. In CSV they may always be words."},
};

const option_entry reader_text[READER_TEXT] = {
    {"text", 0, OPTION_FLAG, AT(text), .memory = KEPT_READING | SHAPE, .needs = &no_format, .common = 1,
     .help =
         "Use for lines of a label, a tab and a text. Its words are features. fastText's lines of __label__LABEL and a text "
         "are taken, too."},
    {"text-column", 0, OPTION_LIST, AT(text_columns), .argument = "COLUMN", .memory = KEPT_READING | SHAPE | FIXED,
     .needs = &new_columns,
     .help = "Use for a column of texts in CSV: its words are features column:word. May be repeated."},
    {"marks", 0, OPTION_CHOICE, AT(marks), .words = "yes|no", .preset = "yes", .argument = "YES",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &words,
     .help = "Use no to leave out punctuation, signs and emoji. Otherwise each is a word, and so are two that touch, "
             "such as ':)'. In scripts without blanks between words, such as Chinese, each character and each two "
             "neighbours are then words, too; with no, all between two signs is one word."},
    {"ngrams", 0, OPTION_COUNT, AT(ngrams), .low = 1, .high = 16, .argument = "N", .preset = "1",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &words,
     .help = "Use 2 if the order of words matters, as in 'not good'. Each 2 to N words that follow each other become a "
             "feature, too."},
    {"letters", 0, OPTION_TEXT, AT(letters), .preset = "no", .argument = "A-B", .memory = KEPT_READING | SHAPE | FIXED,
     .needs = &words,
     .help = "Use 2-4 to tell languages or names apart, or where words are often misspelled. Each piece of A to B "
             "letters of a word becomes a feature, too: 'un-' begins words, '-ing' ends them, '-or-' is within them. "
             "The beginning and the end count as a letter."},
    {"hash", 0, OPTION_COUNT, AT(hash_bits), .low = 1, .high = 28, .argument = "BITS",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &text_rows,
     .help = "Use 18 to 22 if there are too many words for a dictionary: a hash turns them into 2^BITS features."},
};

/* A-B in one spelling, which a model remembers. */
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
    for (i = 0; i < arrlenu(r->ignore) && r->weight_column; i++)
        if (strcmp(r->ignore[i], r->weight_column) == 0) break;
    if (r->weight_column && i == arrlenu(r->ignore)) arrput(r->ignore, r->weight_column); /* for whoever predicts */
    if (r->threads == 0) r->threads = processors() > 1 ? 2 : 1;
}
