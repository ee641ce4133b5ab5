/* What has to be known of a libsvm file before its rows can be learned, without reading its values. */
#ifndef SCAN_H
#define SCAN_H

#include "rows.h"

/* Adds the labels to *found and returns the number of features. 0: there is something in the file, an error perhaps,
 * that only the reader understands. What stands between label and last index is not looked at, but for colons of the
 * first row, whose values *first counts. */
uint32_t scan_libsvm(const char *name, const reader_options *o, labels *found, uint64_t *first);

#endif
