/* What PERCEPTRON_SMALLEST leaves, it leaves unchanged: prints the checksum of a model that has learned from dense rows,
 * and checks that what it leaves out is refused. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "test.h"

enum { N = 21 };

/* The integer trainer: the checksum of its model, too. */
static void integers(void)
{
    static int32_t memory[PCN_IPERCEPTRON_NUMBERS(N, 2)];
    static int16_t x[N];
    const uint32_t index[1] = {3};
    uint32_t number = 1, i, j;
    pcn_iperceptron m;
    CHECK(pcn_iperceptron_init(&m, N, 2, memory, sizeof memory) == PCN_OK);
    for (i = 0; i < 300; i++) {
        int y = (int)(i % 2);
        for (j = 0; j < N; j++) {
            number = number * 1664525u + 1013904223u;
            x[j] = (int16_t)((int32_t)number / 65536 / 4 + y * 2000);
        }
        CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, N), y) >= 0);
    }
    CHECK(m.updates > 10 && m.updates < 250 && pcn_iperceptron_predict(&m, pcn_idense(x, N)) >= 0);
    printf("%08lx\n", (unsigned long)pcn_crc32(0, memory, sizeof memory));
    CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, N + 1), 1) == PCN_EINDEX);
#ifdef PERCEPTRON_SMALLEST
    CHECK(pcn_iperceptron_learn(&m, pcn_iones(index, 1), 1) == PCN_EINDEX);
    CHECK(pcn_iperceptron_learn(&m, pcn_iones(NULL, 1), 1) == PCN_EINDEX);
    CHECK(pcn_iperceptron_learn(&m, pcn_isparse(index, x, 1), 1) == PCN_EINDEX);
#else
    CHECK(pcn_iperceptron_learn(&m, pcn_iones(index, 1), 1) >= 0);
#endif
}

int main(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(N, 4)], sum[PCN_AVERAGING_FLOATS(N, 4)], x[N];
    const uint32_t index[1] = {3};
    uint32_t number = 1, i, j, classes;
    pcn_perceptron m;
    for (classes = 2; classes <= 4; classes++) {
        uint32_t updates = 0;
        CHECK(pcn_perceptron_init(&m, N, classes, memory, sizeof memory) == PCN_OK);
        for (i = 0; i < 300; i++) {
            int y = (int)(i % classes), result;
            for (j = 0; j < N; j++) {
                number = number * 1664525u + 1013904223u;
                x[j] = (float)(int32_t)number / 1e9f + (float)y;
            }
            result = pcn_perceptron_learn(&m, pcn_dense(x, N), y);
            CHECK(result >= 0);
            updates += result == 1;
        }
        CHECK(updates > 10 && updates < 250 && m.learner.count.rows == 300 && m.learner.count.updates == updates);
        printf("%08lx\n", (unsigned long)pcn_crc32(0, memory, PCN_LINEAR_FLOATS(N, classes) * sizeof *memory));
    }
    CHECK(pcn_perceptron_init(&m, N, 2, memory, sizeof memory) == PCN_OK);
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x, N + 1), 1) == PCN_EINDEX);
#ifdef PERCEPTRON_SMALLEST
    CHECK(pcn_perceptron_learn(&m, pcn_ones(index, 1), 1) == PCN_EINDEX);
    CHECK(pcn_perceptron_learn(&m, pcn_sparse(index, x, 1), 1) == PCN_EINDEX);
    CHECK(pcn_perceptron_use_batch(&m, sum, sizeof sum) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_winnow(&m, 1, 1, sum, sizeof sum) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_confidence(&m, 1, sum, sizeof sum) == PCN_EOPTION);
    CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_EOPTION);
    m.learner.rule = pcn_rule_pa(1);
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x, N), 0) == PCN_EOPTION);
    m.learner.rule = pcn_rule_fixed(0.5f);
#else
    CHECK(pcn_perceptron_learn(&m, pcn_ones(index, 1), 1) == 1 && memory[3] > 0);
    CHECK(pcn_perceptron_use_averaging(&m, sum, sizeof sum) == PCN_OK);
    m.learner.rule = pcn_rule_pa(1);
#endif
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x, N), 0) >= 0);
    CHECK(pcn_perceptron_init(&m, N, 2, memory, sizeof memory) == PCN_OK);
    x[2] = 1e17f; /* a step beyond 2^54 */
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x, N), 1) == PCN_EVALUE);
    integers();
    return report();
}
