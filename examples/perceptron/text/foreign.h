/* Recognises files that are not rows of any format that the program reads, by how they begin. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include <stddef.h>

/* Return what the file is, and what to type. NULL: it is not a file that they know. */
const char *foreign_bytes(const char *p, size_t length); /* p: the first bytes of the file */
const char *foreign_text(const char *line);              /* line: the first line of the file */
/* Is the line a label, a tab and a text of several words? */
int foreign_is_labelled_text(const char *line);

#endif
