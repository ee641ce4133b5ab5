/* The options that say how data are read, in groups for the tables of commands, whose settings are a reader_options. */
#ifndef READER_OPTIONS_H
#define READER_OPTIONS_H

#include "cli/options.h"
#include "formats.h"

extern const option_table reader_common, reader_learning;

#define FORMAT_GROUP(name, told)                                                                                       \
    {                                                                                                                  \
        TOPIC_READING, &format_##name.options, &(told)                                                                 \
    }
#define READER_FORMAT_GROUPS(told) READER_FORMATS(FORMAT_GROUP, told)
#define READER_GROUPS(told) {TOPIC_READING, &reader_common, &(told)}, READER_FORMAT_GROUPS(told)
#define READER_LEARNING_GROUP(told)                                                                                    \
    {                                                                                                                  \
        TOPIC_READING, &reader_learning, &(told)                                                                       \
    }

enum { READER_GROUP_COUNT = 2 + FORMATS }; /* of READER_GROUPS and READER_LEARNING_GROUP */

void reader_options_complete(reader_options *r, const options *o); /* after options_read, and options_recall if any */

#endif
