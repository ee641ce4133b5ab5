/* Lists all formats, and finds out which of them a file has. */
#ifndef FORMATS_H
#define FORMATS_H

#include "row.h"

/* Lists the formats by their NAME, in the order in which --help has their options. The record of each is format_NAME,
 * in read_NAME.c. A first line may look like several formats, so they are asked from the last to the first. */
#define READER_FORMATS(each, more) each(csv, more), each(libsvm, more), each(text, more)
#define FORMATS_FOUND "libsvm text or CSV" /* --help says so of those that the first line tells */

#define FORMAT_NAME(name, more) format_##name
extern const row_format READER_FORMATS(FORMAT_NAME, );
#define FORMAT_PLACE(name, more) PLACE_OF_##name
enum { READER_FORMATS(FORMAT_PLACE, ), FORMATS }; /* how many there are */

const char *format_words(void); /* returns the words of --format: auto, and the names of those */
/* Returns the format that options say; format_unknown: the first line tells it. */
const row_format *format_told(const reader_options *o);
/* Returns the format that the model was trained on; NULL: there is no model, or it does not tell. */
const row_format *format_trained(const reader_options *o);
/* Returns the format of the first line, which is r->lines.text. */
const row_format *format_of_line(reader *r);

#endif
