/* The library, called as from another file. */
#ifndef BENCH_LIBRARY_H
#define BENCH_LIBRARY_H

#define APART __attribute__((noinline))
#define PCN_API APART extern
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#endif
