/* Writes JSON, for all commands alike: ", " separates what stands in an object or list. */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *file; /* NULL: nothing is written */
    int begun;  /* 1: the innermost object or list has something in it */
} json;

/* Write a value. name: that of a member of an object; NULL: the value is the whole, or an element of a list. */
void json_open(json *j, const char *name, char bracket);     /* { or [ */
void json_close(json *j, char bracket);                      /* } or ] */
void json_word(json *j, const char *name, const char *word); /* writes it as it is: null, true, a number */
void json_text(json *j, const char *name, const char *text); /* NULL is null */
void json_count(json *j, const char *name, uint64_t count);
void json_known(json *j, const char *name, uint64_t count, int known); /* null if the count is not known */
void json_number(json *j, const char *name, double number);            /* null if the number is not finite */
void json_seconds(json *j, const char *name, double seconds);

/* Returns how many bytes the UTF-8 character at p has, or 0 if none begins there (RFC 3629: shortest form, no
 * surrogates). */
int utf8_length(const char *p);

#endif
