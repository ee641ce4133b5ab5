/* The library for all targets, as the program has it. */
#define PERCEPTRON_GROW
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
