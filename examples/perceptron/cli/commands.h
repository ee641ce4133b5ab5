/* The commands of the program. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "model/model.h"
#include "options.h"

#include <stddef.h>

extern const command command_train, command_compare, command_predict, command_export, command_import, command_show;

/* clang-format off */
/* With it an output replaces any file that is no input. */
#define FORCE_OPTION(type, member)                                                                          \
    {"force", 0, OPTION_FLAG, .at = offsetof(type, member),                                                 \
     .when = "Take it to write over a file that has something else in it.",                                 \
     .help = "replace an output file whatever is in it"}

/* The options that say how data are read, see reader_options.c; settings: a reader_options. */
enum { READER_COMMON = 2, READER_LEARNING = 4, READER_CSV = 5, READER_LIBSVM = 3, READER_TEXT = 4 };
extern const option_entry reader_common[READER_COMMON], reader_learning[READER_LEARNING], reader_csv[READER_CSV],
    reader_libsvm[READER_LIBSVM], reader_text[READER_TEXT];

#define READER_FORMAT_GROUPS(settings)                                                                      \
    {"CSV", reader_csv, READER_CSV, &(settings)}, {"libsvm", reader_libsvm, READER_LIBSVM, &(settings)},    \
    {"Text", reader_text, READER_TEXT, &(settings)}
#define READER_GROUPS(settings)                                                                             \
    {"Data: libsvm text or CSV, found from content, or --text; '-': standard input", reader_common,         \
     READER_COMMON, &(settings)},                                                                           \
        READER_FORMAT_GROUPS(settings)
/* clang-format on */

void reader_options_settle(reader_options *r, const options *o); /* after options_read, and options_recall if any */

#endif
