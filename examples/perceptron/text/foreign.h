/* Files that are not rows of any format that is read, known by how they begin. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include <stddef.h>

/* Each says what it is and what to type; NULL: nothing is known of it. */
const char *foreign_bytes(const char *p, size_t length); /* of a file, its first bytes */
const char *foreign_text(const char *line);              /* whose first line it is */
/* Is it a label, a tab and a text of several words? */
int foreign_is_labelled_text(const char *line);

#endif
