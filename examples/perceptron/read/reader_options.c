#include "reader_options.h"

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
NEED(unknown_features, "neither --features nor --fixed, which say it", o->features == 0 || o->grows)

NEED(unhashed,
     "names of features, which --hash has not, and no --missing mean, which is no mean of products: take "
     "zero or drop",
     !o->hash_bits && o->missing != MISSING_MEAN)

const option_entry reader_common[READER_COMMON] = {
    {"threads", 0, OPTION_COUNT, AT(threads), .low = 1, .high = 1024, .argument = "T",
     .when = "Take 1 to leave processors to other work.",
     .help = "2: one of them reads ahead; more: see train --shards; default: as many as there are processors"},
    {"format", 0, OPTION_CHOICE, AT(format), .words = "auto|libsvm|csv", .preset = "auto", .argument = "F",
     .when = "Take it if the format found is not the right one.", .help = ""},
};

const option_entry reader_learning[READER_LEARNING] = {
    {"nominal", 0, OPTION_LIST, AT(nominal), .argument = "COLUMN", .memory = KEPT_READING | SHAPE,
     .needs = &new_columns, .when = "Take it for numbers that are only names, such as codes.",
     .help = "CSV: take the column's values as texts, features column=value of 0 and 1, as is done anyway if there is "
             "no number among the first; may be repeated"},
    {"products", 0, OPTION_LIST, AT(products), .argument = "A*B|all", .memory = KEPT_READING | SHAPE,
     .needs = &unhashed,
     .when = "Take it where two features together say another thing than each, as 'not' beside 'good'.",
     .help = "the product of two features is a feature, too, with the name A*B: of columns, indices or words of that "
             "name, of columns also by their number, and of all texts or words of a column; all: of every two features "
             "that a row has, which are many; may be repeated. A row has a product if both factors are not 0"},
    {"max-dim", 0, OPTION_COUNT, AT(max_features), .low = 1, .high = 2147483647.0, .preset = "16777216",
     .argument = "N", .needs = &unknown_features,
     .when = "Take more for data that have more, less to find indices that are too high.",
     .help = "greatest number of features"},
    {"rows", 0, OPTION_CHOICE, AT(rows), .words = ROW_FORM_WORDS, .preset = "auto", .argument = "FORM",
     .memory = KEPT_READING | SHAPE, .when = "Take one if rows from CSV and from libsvm text must give the same bits.",
     .help = "the form in which rows are learned and predicted, whatever they are read from. It decides the order of "
             "sums: in the other one scores may differ in their last bits. auto: tables of numbers are dense, words "
             "and tables with words sparse; libsvm text is sparse, but dense if the first row has values for half of "
             "the features or more"},
};

const option_entry reader_csv[READER_CSV] = {
    {"label", 0, OPTION_TEXT, AT(label), .argument = "COLUMN", .needs = &csv,
     .when = "Take it if the label is not the last column.",
     .help = "name or number (from 1) of the label's column; default: the last, or what the model was trained on"},
    {"ignore", 0, OPTION_LIST, AT(ignore), .argument = "COLUMN", .memory = KEPT_READING, .needs = &csv,
     .when = "Take it for row numbers, and for what is not known when one predicts.",
     .help = "leave that column out; may be repeated"},
    {"missing", 0, OPTION_CHOICE, AT(missing), .words = MISSING_WORDS, .preset = "refuse", .argument = "HOW",
     .memory = KEPT_READING | SHAPE, .needs = &csv,
     .when = "Take mean for measurements, zero if nothing means none, drop if there are rows enough.",
     .help = "what NA, NaN, ? or nothing counts as; mean is that of the training rows, drop leaves the row out (when "
             "predicting it is zero)"},
    {"header", 0, OPTION_CHOICE, AT(header), .words = "yes|no|auto", .bare = "yes", .argument = "=HOW",
     .memory = KEPT_READING | ALONE, .needs = &csv, .when = "Take it if the program asks.",
     .help = "say whether the first line holds names; alone: yes; default: auto, which asks where it cannot know"},
    {"sep", 0, OPTION_TEXT, AT(separator_text), .argument = "C", .memory = KEPT_READING | ALONE, .needs = &csv,
     .when = "Take it for tabs, semicolons and the like.", .help = "separator, one character or 'tab'; default: comma"},
};

const option_entry reader_libsvm[READER_LIBSVM] = {
    {"zero-based", 0, OPTION_FLAG, AT(zero_based), .memory = KEPT_READING, .needs = &libsvm,
     .when = "Take it if the program that wrote the data counts from 0.", .help = "indices start at 0"},
    {"sort", 0, OPTION_FLAG, AT(sort), .memory = KEPT_READING, .needs = &unordered,
     .when = "Take it if the program that wrote the data does not sort.",
     .help = "indices of a row may come in any order"},
    {"words", 0, OPTION_FLAG, AT(words), .memory = KEPT_READING, .needs = &unordered,
     .when = "Take it if labels are names.", .help = "labels may be words (in CSV they always may)"},
};

const option_entry reader_text[READER_TEXT] = {
    {"text", 0, OPTION_FLAG, AT(text), .memory = KEPT_READING | SHAPE, .needs = &no_format,
     .when = "Take it for messages, titles and the like, one a line.",
     .help = "a line is a label, a tab and a text; its words are features of 1"},
    {"text-column", 0, OPTION_LIST, AT(text_columns), .argument = "COLUMN", .memory = KEPT_READING | SHAPE | FIXED,
     .needs = &new_columns, .when = "Take it for messages, titles and the like, beside numbers and categories.",
     .help = "CSV: the words of that column are features column:word of 1; may be repeated"},
    {"ngrams", 0, OPTION_COUNT, AT(ngrams), .low = 1, .high = 16, .argument = "N", .preset = "1",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &words,
     .when = "Take 2 if the order of words matters, as in 'not good'.", .help = "also 2 to N words in a row"},
    {"hash", 0, OPTION_COUNT, AT(hash_bits), .low = 1, .high = 28, .argument = "BITS",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &text_rows,
     .when = "Take it if words are too many, or not known beforehand; 18 to 22 suit most texts.",
     .help = "2^BITS features, by a hash, instead of a dictionary"},
};

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
    r->ignore_given = option_given(o, "ignore");
    for (i = 0; i < arrlenu(r->ignore) && r->weight_column; i++)
        if (strcmp(r->ignore[i], r->weight_column) == 0) break;
    if (r->weight_column && i == arrlenu(r->ignore)) arrput(r->ignore, r->weight_column); /* for whoever predicts */
    if (r->threads == 0) r->threads = processors() > 1 ? 2 : 1;
}
