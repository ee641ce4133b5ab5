/* How most examples take the codes of the library: what is wrong ends them, with its text. */
#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

#include "perceptron.h"
#include <stdio.h>
#include <stdlib.h>

static inline void must(int result)
{
    if (result >= 0) return;
    fprintf(stderr, "%s\n", pcn_error_text(result));
    exit(1);
}

#endif
