/* What the targets of the program share. */
#ifndef PROGRAM_H
#define PROGRAM_H

#define _POSIX_C_SOURCE 200809L
#include "cli/common.h"
#include "perceptron.h"
#include "model/model.h"
#include "fuzz.h"

#include <unistd.h>

/* Fills the file that all inputs are written to; its path. */
static inline const char *write_input(const void *bytes, size_t size)
{
    static char path[32];
    static FILE *file;
    if (!file) {
        file = tmpfile();
        MUST(file);
        snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    }
    rewind(file);
    MUST(ftruncate(fileno(file), 0) == 0);
    MUST(fwrite(bytes, 1, size, file) == size && fflush(file) == 0);
    return path;
}

/* The program refused its input by a sentence. What was allocated is left, as at its end. */
static inline void check_refusal(const failure *stop)
{
    MUST(stop->status == EXIT_INPUT || stop->status == EXIT_USAGE || stop->status == EXIT_MEMORY);
    MUST(strlen(stop->text) > 10);
}

#endif
