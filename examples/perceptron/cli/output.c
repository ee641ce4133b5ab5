#include "output.h"

#include <errno.h>

/* Is there a file of that name? Ends the program if it cannot find out. */
static int is_there(const char *name, system_file *there)
{
    const int found = system_look(name, there);
    if (found < 0) die_of(name);
    return found;
}

/* Is it a file that is replaced when the new one is whole? */
static int is_file(const char *name, system_file *there)
{
    return strcmp(name, "-") != 0 && is_there(name, there) && there->regular;
}

void output_spare(const char *name, const char *const *input, size_t inputs)
{
    system_file there, in;
    size_t i;
    if (!is_file(name, &there)) return;
    for (i = 0; i < inputs; i++) {
        if (!input[i]) continue;
        if (strcmp(input[i], "-") == 0 ? system_look(NULL, &in) != 1 : !is_there(input[i], &in)) continue;
        if (memcmp(in.place, there.place, sizeof in.place) == 0)
            die(EXIT_USAGE, "%s is an input: the output must be another file", name);
    }
}

FILE *output_old(const char *name)
{
    system_file there;
    FILE *f;
    if (!is_file(name, &there) || there.size == 0) return NULL;
    f = fopen(name, "rb");
    if (!f) die_of(name);
    return f;
}

void output_old_read(FILE *f, const char *name)
{
    if (ferror(f)) die_of(name);
    fclose(f);
}

int file_begins(const char *name, const char *text)
{
    system_file there;
    return system_look(name, &there) == 1 && there.regular && there.size > 0 && output_begins(name, text);
}

int output_begins(const char *name, const char *text)
{
    FILE *f = output_old(name);
    if (!f) return 1;
    while (*text && getc(f) == (unsigned char)*text) text++;
    output_old_read(f, name);
    return *text == '\0';
}

/* Refuses a second output in one file, however its name is spelt, because the first would be lost. */
static void check_target(const output *o)
{
    size_t length = strlen(o->target);
    unsigned i;
    for (i = 0; i < OUTPUTS; i++)
        if (temporaries[i] && strlen(temporaries[i]) == length + strlen(SYSTEM_TEMPORARY) &&
            strncmp(temporaries[i], o->target, length) == 0)
            die(EXIT_USAGE, "%s is to hold two outputs: give each a file of its own", o->name);
}

void output_open(output *o, const char *name)
{
    system_file there;
    int exists;
    memset(o, 0, sizeof *o);
    o->name = name;
    if (strcmp(name, "-") == 0) {
        o->name = "standard output";
        o->file = stdout;
        return;
    }
    exists = is_there(name, &there);
    if (exists && !there.regular) {
        o->file = fopen(name, "wb");
        if (!o->file) die_of(name);
        return;
    }
    o->target = system_path(name, exists);
    if (!o->target) die_of(name);
    check_target(o);
    while (temporaries[o->place]) o->place++;
    o->temporary = allocate(strlen(o->target) + sizeof SYSTEM_TEMPORARY, 1);
    o->file = system_create(o->target, exists ? &there : NULL, o->temporary, o->place);
    if (!o->file) die_of(name);
}

void output_close(output *o)
{
    int bad = fflush(o->file) != 0 || ferror(o->file);
    if (bad && !errno) errno = EIO;
    if (bad) die_of(o->name);
    if (o->temporary ? system_replace(o->file, o->temporary, o->target) != 0
                     : o->file != stdout && fclose(o->file) != 0)
        die_of(o->name);
    if (!o->temporary) return;
    temporaries[o->place] = NULL;
    free(o->temporary);
    free(o->target);
}
