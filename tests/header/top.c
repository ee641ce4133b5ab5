/* pcn_linear_top names the features that speak most for a class. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* What speaks for a class; of two, for class 0 what speaks against class 1. */
static float for_class(const pcn_linear *m, uint32_t cls, uint32_t j)
{
    if (m->scores != 1) return weight_of(m, cls, j);
    return cls == 1 ? weight_of(m, 0, j) : -weight_of(m, 0, j);
}

static void check_top(void)
{
    static float weight[3 * N];
    uint32_t trial, i, j, feature[N + 2], order[N];
    for (trial = 0; trial < 800; trial++) {
        const uint32_t classes = trial & 8 ? 2 : 3;
        uint32_t n = trial % N, k = random_bits() % (n + 3), cls = random_bits() % classes, found;
        int sign = trial & 2 ? 1 : -1;
        pcn_linear m;
        m.weight = weight;
        m.bias = NULL;
        m.features = n;
        m.scores = PCN_SCORES(classes);
        m.by_feature = trial & 4 ? 1 : 0;
        for (i = 0; i < 3 * n; i++) weight[i] = random_integer(6); /* many ties */
        for (i = 0; i < n; i++) {                                  /* stable: the lowest feature first */
            float v = (float)sign * for_class(&m, cls, i);
            for (j = i; j != 0 && (float)sign * for_class(&m, cls, order[j - 1]) < v; j--) order[j] = order[j - 1];
            order[j] = i;
        }
        feature[k < N + 2 ? k : 0] = 12345;
        found = pcn_linear_top(&m, cls, sign, feature, k);
        CHECK(found == (k < n ? k : n));
        for (i = 0; i < found; i++) CHECK(feature[i] == order[i]);
        CHECK(k >= N + 2 || feature[k] == 12345);
        CHECK(pcn_linear_top(&m, classes, sign, feature, k) == 0); /* there is no such class */
        CHECK(pcn_linear_top(&m, UINT32_MAX, sign, feature, k) == 0);
    }
}

int main(void)
{
    check_top();
    return report();
}
