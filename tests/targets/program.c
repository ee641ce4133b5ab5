/* One program for every target: checks with a known answer, and training runs that leave two hashes per group: of dense
 * rows and integers, and of sparse rows. tests/targets/machines.sh compares what it prints. Data, models and stack fit 8 KB;
 * the set of rows is made anew, row by row, by integer arithmetic. No int is taken to have more than 16 bits. C99. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define PCN_TEXT(text) PSTR(text) /* 1,028 bytes less of its 8 KB */
#endif
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#include "answers.h"
#include "common.h"
#include "integers.h"
#include "serial.h"
#include "training.h"

static const struct {
    const char *name;
    void (*run)(void);
} groups[] =
    {
        {"sums", sums},           {"traces", traces},   {"refusals", refusals},     {"images", images},
        {"binary", binary},       {"classes", classes}, {"winnow", winnow},         {"integers", integers},
        {"quantized", quantized}, {"kernels", kernels}, {"confidence", confidence},
},
  newer[] = {{"following", following}, {"calibration", calibration}, {"scaler", scalers}};

static uint32_t joined(uint32_t all, uint32_t group)
{
    hash = all;
    hash_word(group);
    return hash;
}

static void run(void (*group)(void), const char *name)
{
    hash = sparse_hash = HASH_EMPTY;
    group();
    printf("%08lx %08lx %s\n", (unsigned long)hash, (unsigned long)sparse_hash, name);
}

int main(void)
{
    uint32_t dense = HASH_EMPTY, sparse = HASH_EMPTY, late = HASH_EMPTY;
    size_t i;
    serial_begin();
    for (i = 0; i < LENGTH(groups); i++) {
        run(groups[i].run, groups[i].name);
        dense = joined(dense, hash);
        sparse = joined(sparse, sparse_hash);
    }
    for (i = 0; i < LENGTH(newer); i++) {
        run(newer[i].run, newer[i].name);
        late = joined(joined(late, hash), sparse_hash);
    }
    hash = HASH_EMPTY;
    passes();
    printf("%u passed, %u failed, dense %08lx, sparse %08lx, ", passed, failed, (unsigned long)dense,
           (unsigned long)sparse);
    printf("passes %08lx, newer %08lx\n", (unsigned long)hash, (unsigned long)late);
    serial_end();
    return failed != 0;
}
