/* Each number of a pcn_measure (pcn_measure_add, _margin, _bound) is what its definition says. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* Each number of a measure beside its definition, on whole numbers: margins of every sign, guesses that are not those of
 * the scores, and of two classes the label -1. */
static void check_measure(uint32_t classes)
{
    const uint32_t scores = PCN_SCORES(classes);
    float score[K], least = 0, largest = 0;
    double loss = 0;
    uint64_t errors = 0, strict = 0, violations = 0;
    pcn_measure q;
    uint32_t i, k;
    memset(&q, 0x5a, sizeof q);
    pcn_measure_init(&q);
    CHECK(q.rows == 0 && q.errors == 0 && q.strict == 0 && q.violations == 0 && q.radius2 == 0);
    CHECK(q.margin == 0 && q.loss == 0 && q.loss_low == 0);
    for (i = 1; i <= 300; i++) {
        const int y = (int)(random_bits() % classes), guess = (int)(random_bits() % classes);
        const float norm2 = (float)(random_bits() % 100);
        float margin;
        for (k = 0; k < scores; k++) score[k] = random_integer(3);
        margin = margin_of(score, classes, y);
        pcn_measure_add(&q, score, scores, classes == 2 && y == 0 && i % 2 ? -1 : y, guess, norm2);
        errors += guess != y;
        strict += margin < 0;
        violations += margin <= 0;
        if (margin < 0) loss -= (double)margin;
        if (i == 1 || margin < least) least = margin;
        if (norm2 > largest) largest = norm2;
        CHECK(q.rows == i && q.errors == errors && q.strict == strict && q.violations == violations);
        CHECK(q.margin == least && q.radius2 == largest && (double)q.loss + (double)q.loss_low == loss);
    }
    CHECK(errors > 0 && strict > 0 && violations > strict && violations < 300);
}

int main(void)
{
    uint32_t classes;
    for (classes = 2; classes <= K; classes++) check_measure(classes);
    return report();
}
