/* The smallest that learns: two classes, dense rows of N features, every check. The commonest way of linear models, and
 * nothing else of the library is linked. `make size` prints its bytes, and what PERCEPTRON_SMALLEST takes away.
 * The main loop stands for yours: a sensor gives rows and sometimes labels. */
#define PERCEPTRON_STATIC
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 16 };

/* What comes from outside, and what goes there. */
volatile struct {
    const float *row;
    int label; /* 1 or 0; 2: not known */
} in;
volatile int out; /* 1 or 0; below 0: why the row was refused */

static float memory[PCN_PERCEPTRON_FLOATS(N, 2)];
static pcn_perceptron m;

int main(void)
{
    out = pcn_perceptron_init(&m, N, 2, memory, sizeof memory);
    for (;;) {
        pcn_vec x = pcn_dense(in.row, N);
        int label = in.label, learned = 0;
        if (label != 2) learned = pcn_perceptron_learn(&m, x, label);
        out = learned < 0 ? learned : pcn_perceptron_predict(&m, x);
    }
}
