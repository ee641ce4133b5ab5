/* The options that say how data are read: groups for the tables of commands; their settings are a reader_options. */
#ifndef READER_OPTIONS_H
#define READER_OPTIONS_H

#include "cli/options.h"
#include "reader.h"

enum { READER_COMMON = 2, READER_LEARNING = 4, READER_CSV = 5, READER_LIBSVM = 3, READER_TEXT = 4 };
extern const option_entry reader_common[READER_COMMON], reader_learning[READER_LEARNING], reader_csv[READER_CSV],
    reader_libsvm[READER_LIBSVM], reader_text[READER_TEXT];

/* clang-format off */
#define READER_FORMAT_GROUPS(settings)                                                                      \
    {"CSV", reader_csv, READER_CSV, &(settings)}, {"libsvm", reader_libsvm, READER_LIBSVM, &(settings)},    \
    {"Text", reader_text, READER_TEXT, &(settings)}
#define READER_GROUPS(settings)                                                                             \
    {"Data: libsvm text or CSV, found from content, or --text; '-': standard input", reader_common,         \
     READER_COMMON, &(settings)},                                                                           \
        READER_FORMAT_GROUPS(settings)
/* clang-format on */

void reader_options_complete(reader_options *r, const options *o); /* after options_read, and options_recall if any */

#endif
