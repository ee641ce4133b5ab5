/* The library alone, as an object for the checks of tests/targets/freestanding.sh. */
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
