/* All formats, and which of them a file has. */
#ifndef FORMATS_H
#define FORMATS_H

#include "row.h"

/* A new format: its NAME, where --help is to have its options. Its record is format_NAME, in read_NAME.c. A first line
 * may look like several: they are asked from the last to the first. */
#define READER_FORMATS(each, more) each(csv, more), each(libsvm, more), each(text, more)
#define FORMATS_FOUND "libsvm text or CSV" /* those that the first line tells, for --help */

#define FORMAT_NAME(name, more) format_##name
extern const row_format READER_FORMATS(FORMAT_NAME, );
#define FORMAT_PLACE(name, more) PLACE_OF_##name
enum { READER_FORMATS(FORMAT_PLACE, ), FORMATS }; /* how many there are */

const char *format_words(void); /* the words of --format: auto, and the names of those that the first line tells */
/* What the options say; format_unknown: the first line tells. */
const row_format *format_told(const reader_options *o);
/* What the model that rows are for was trained on; NULL: it does not say. */
const row_format *format_trained(const reader_options *o);
/* That of the line at r->lines.text, which is the first. */
const row_format *format_of_line(reader *r);

#endif
