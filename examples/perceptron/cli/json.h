/* JSON, as all commands write it: what stands in an object or list is separated by ", ". */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *file; /* NULL: nothing is written */
    int begun;  /* the innermost object or list has something in it */
} json;

/* name: of a member of an object; NULL: the whole, or an element of a list. */
void json_open(json *j, const char *name, char bracket);     /* { or [ */
void json_close(json *j, char bracket);                      /* } or ] */
void json_word(json *j, const char *name, const char *word); /* as it is: null, true, a number */
void json_text(json *j, const char *name, const char *text); /* NULL: null */
void json_count(json *j, const char *name, uint64_t count);
void json_known(json *j, const char *name, uint64_t count, int known); /* null if it is not */
void json_number(json *j, const char *name, double number);            /* null if it is not finite */
void json_seconds(json *j, const char *name, double seconds);

/* Bytes of the UTF-8 character at p; 0: the byte there begins none (RFC 3629: shortest form, no surrogates). */
int utf8_length(const char *p);

#endif
