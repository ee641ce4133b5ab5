/* The commands of the program; each takes the arguments after its name and returns the exit status. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "model.h"
#include "options.h"

int command_train(int argc, char **argv);
int command_predict(int argc, char **argv);
int command_export(int argc, char **argv);
int command_import(int argc, char **argv);
int command_show(int argc, char **argv);

/* With it an output replaces any file that is no input. */
#define FORCE_OPTION(force) {"force", 0, OPTION_FLAG, &(force), 0, 0, NULL, 0}
#define FORCE_USAGE "  --force                replace an output file whatever is in it\n"

#define MODEL_START "PCN\x1a" /* of every model file */

/* The options that say how data are read: the same for every command; but `format` of export is what it
 * writes. */
#define READER_OPTIONS(o)                                                                        \
    {"format", 0, OPTION_CHOICE, &(o).format, 0, 0, "auto|libsvm|csv", 0},                       \
    {"threads", 0, OPTION_COUNT, &(o).threads, 1, 2, NULL, 0}, READER_DETAILS(o)

#define READER_DETAILS(o)                                                                        \
    {"label", 0, OPTION_TEXT, &(o).label, 0, 0, NULL, 0},                                        \
    {"header", 0, OPTION_FLAG, &(o).header, 0, 0, NULL, 0},                                      \
    {"sep", 0, OPTION_TEXT, &(o).separator_text, 0, 0, NULL, 0},                                 \
    {"zero-based", 0, OPTION_FLAG, &(o).zero_based, 0, 0, NULL, 0},                              \
    {"sort", 0, OPTION_FLAG, &(o).sort, 0, 0, NULL, 0},                                          \
    {"words", 0, OPTION_FLAG, &(o).words, 0, 0, NULL, 0},                                        \
    {"max-dim", 0, OPTION_COUNT, &(o).max_features, 1, 2147483647.0, NULL, 0}

#define READER_USAGE                                                                             \
    "Data: libsvm/svmlight text or CSV, found from content; '-' is standard input\n"             \
    "  --threads 1|2          2: a thread of its own reads ahead; default: 2, 1 on one processor\n" \
    "  --format libsvm|csv    instead of finding out\n" READER_DETAILS_USAGE

#define READER_DETAILS_USAGE                                                                     \
    "  --label COLUMN         CSV: name or number (from 1) of the label column; default: last\n" \
    "  --header               CSV: the first line holds names (otherwise found out)\n"           \
    "  --sep C                CSV: separator, one character or 'tab'; default: comma\n"          \
    "  --zero-based           libsvm: indices start at 0\n"                                      \
    "  --sort                 libsvm: indices of a row may come in any order\n"                  \
    "  --words                libsvm: labels may be words (CSV: always)\n"                       \
    "  --max-dim N            greatest number of features; default 16777216\n"

void reader_options_default(reader_options *o);
void reader_options_check(reader_options *o); /* after options_read */

#endif
