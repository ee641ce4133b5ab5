/* Says a thing in JSON or to people. A caller says it once for both: functions for the form that is not asked for write
 * nothing. */
#ifndef SAY_H
#define SAY_H

#include "json.h"
#include "system.h"

typedef struct say {
    json j;
    FILE *text; /* for people; NULL: JSON is asked for */
} say;

say say_to(FILE *f, int as_json); /* opens an object, if JSON is asked for */
void say_end(say *s);             /* closes that object, and ends its line */
/* Says a thing to people only. */
void say_line(const say *s, const char *format, ...) __attribute__((format(SYSTEM_PRINTF, 2, 3)));
/* Say a member of an object in JSON; to people `before`, the value, and `after`. */
void say_text(say *s, const char *name, const char *before, const char *text, const char *after);
void say_count(say *s, const char *name, const char *before, uint64_t count, const char *after);
void say_number(say *s, const char *name, const char *before, double number, const char *after);
/* Prints "Accuracy = 95% (19/20)", without the end of the line. */
void print_share(FILE *f, const char *what, uint64_t right, uint64_t all);

#endif
