/* pcn_sort_row brings indices into order and adds up the values of equal ones. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* A plain reference: the least index that is left, and the sum of its values. Values are whole numbers, so the order of
 * their sums does not matter. */
static uint32_t plain_sort(const uint32_t *index, const float *value, uint32_t count, uint32_t *to, float *sum)
{
    uint32_t kept, i;
    uint64_t next = 0, least;
    for (kept = 0;; kept++, next = least + 1) {
        for (least = UINT64_MAX, i = 0; i < count; i++)
            if (index[i] >= next && index[i] < least) least = index[i];
        if (least == UINT64_MAX) return kept;
        to[kept] = (uint32_t)least;
        for (sum[kept] = 0, i = 0; i < count; i++)
            if (index[i] == least) sum[kept] += value[i];
    }
}

/* most: of the indices, from `base` on; few of them come often. */
static void check_sort_row(uint32_t count, uint32_t base, uint32_t most, int falls)
{
    enum { ROOM = 300 };
    uint32_t index[ROOM + 1], ones[ROOM + 1], to[ROOM + 1], i, kept;
    float value[ROOM + 1], sum[ROOM + 1];
    for (i = 0; i < count; i++) {
        index[i] = ones[i] = base + (falls ? most - i * most / (count + 1) : random_bits() % (most + 1));
        value[i] = random_integer(1000);
    }
    index[count] = ones[count] = 77, value[count] = 78;
    kept = plain_sort(index, value, count, to, sum);
    CHECK(pcn_sort_row(index, value, count) == kept && pcn_sort_row(ones, NULL, count) == kept);
    for (i = 0; i < kept && index[i] == to[i] && value[i] == sum[i] && ones[i] == to[i]; i++) continue;
    CHECK(i == kept && index[count] == 77 && ones[count] == 77 && value[count] == 78);
    CHECK(pcn_sort_row(index, value, kept) == kept && memcmp(index, to, kept * sizeof *to) == 0); /* is in order */
    CHECK(memcmp(value, sum, kept * sizeof *sum) == 0);
}

static void check_sort_rows(void)
{
    uint32_t count, i;
    CHECK(pcn_sort_row(NULL, NULL, 0) == 0);
    for (count = 0; count <= 300; count++) {
        static const uint32_t most[] = {0, 1, 7, 40, 299, 1000, 1u << 20};
        for (i = 0; i < LENGTH(most); i++) {
            check_sort_row(count, 0, most[i], 0);
            check_sort_row(count, UINT32_MAX - most[i], most[i], 0);
            check_sort_row(count, i, most[i], 1);
        }
        check_sort_row(count, 0, UINT32_MAX - 1, 0);
    }
}

int main(void)
{
    check_sort_rows();
    return report();
}
