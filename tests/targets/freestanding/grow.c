/* Kernel models that grow where size_t has 16 bits: a dense vector of 65,537 numbers does not take one, and a row of as
 * many ones, which needs no array, has no room for its pairs. Prints to the serial port, then sleeps, which ends simavr. */
#define PERCEPTRON_GROW
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#include "tests/targets/serial.h"

enum { MANY = 0x10001 };

static pcn_kperceptron m;
static float memory[PCN_KPERCEPTRON_FLOATS(0, 2, 0)];

static int begun(void)
{
    int result = pcn_kperceptron_init(&m, pcn_kernel_linear(), MANY, 2, NULL, 0, memory, sizeof memory);
    m.admit = pcn_admit_grow;
    return result;
}

int main(void)
{
    static const float one = 1;
    const pcn_vec x = pcn_dense(&one, 1), ones = pcn_ones(NULL, MANY);
    unsigned good = 0;
    serial_begin();
    good += begun() == PCN_OK;
    good += pcn_kperceptron_learn(&m, x, 1) == PCN_ENOMEM && m.model.slots == 0;
    pcn_kperceptron_free(&m);
    good += begun() == PCN_OK && pcn_kperceptron_use_sparse(&m, NULL, NULL, 0) == PCN_OK;
    good += pcn_kperceptron_learn(&m, ones, 1) == PCN_ENOMEM && m.model.slots == 0;
    good += pcn_kperceptron_learn(&m, x, 1) == 1 && m.model.slots == 1 && m.model.slot[0].start == 0;
    pcn_kperceptron_free(&m);
    printf("%u passed, %u failed\n", good, 5 - good);
    serial_end();
    return 0;
}
