/* build with: cc -std=c99 -O2 -I. examples/literature/gate.c -o build/gate
 *
 * What happens at a score of exactly 0? The literature has four answers, made of two settings:
 *
 *                                                      live.zero_negative  learner.zero_predicted
 *     Su        0 counts as +1; learns if wrong                0                     1
 *     Honavar   0 counts as -1; learns if wrong                1                     1
 *     Eaton     0 counts as +1; always learns                  0                     0  (the default)
 *     CIML      0 counts as -1; always learns                  1                     0
 *
 * Here all four learn OR from the same rows, up to an epoch without an update. Each line has b, w1 and
 * w2 after the row; * marks an update. All weights begin at 0, so the first score is 0. In the end the
 * weights of Honavar leave 0 0 on the plane, and only zero_negative makes that right. Eaton and CIML
 * always have equal weights: they disagree about what a mistake is, not about when to learn.
 *
 * It prints:
 *
 *     shown  x    y  |         Su  |    Honavar  |      Eaton  |       CIML
 *        1  0 0  -1  | * -1  0  0  |    0  0  0  | * -1  0  0  | * -1  0  0
 *        2  0 1  +1  | *  0  0  1  | *  1  0  1  | *  0  0  1  | *  0  0  1
 *        3  1 0  +1  |    0  0  1  |    1  0  1  | *  1  1  1  | *  1  1  1
 *        4  1 1  +1  |    0  0  1  |    1  0  1  |    1  1  1  |    1  1  1
 *        5  0 0  -1  | * -1  0  1  | *  0  0  1  | *  0  1  1  | *  0  1  1
 *        6  0 1  +1  |   -1  0  1  |    0  0  1  |    0  1  1  |    0  1  1
 *        7  1 0  +1  | *  0  1  1  | *  1  1  1  |    0  1  1  |    0  1  1
 *        8  1 1  +1  |    0  1  1  |    1  1  1  |    0  1  1  |    0  1  1
 *        9  0 0  -1  | * -1  1  1  | *  0  1  1  | * -1  1  1  | * -1  1  1
 *       10  0 1  +1  |   -1  1  1  |    0  1  1  | *  0  1  2  | *  0  1  2
 *       11  1 0  +1  |   -1  1  1  |    0  1  1  |    0  1  2  |    0  1  2
 *       12  1 1  +1  |   -1  1  1  |    0  1  1  |    0  1  2  |    0  1  2
 *       13  0 0  -1  |   -1  1  1  |    0  1  1  | * -1  1  2  | * -1  1  2
 *       14  0 1  +1  |   -1  1  1  |    0  1  1  |   -1  1  2  |   -1  1  2
 *       15  1 0  +1  |   -1  1  1  |    0  1  1  | *  0  2  2  | *  0  2  2
 *       16  1 1  +1  |   -1  1  1  |    0  1  1  |    0  2  2  |    0  2  2
 *       17  0 0  -1  |             |             | * -1  2  2  | * -1  2  2
 *       18  0 1  +1  |             |             |   -1  2  2  |   -1  2  2
 *       19  1 0  +1  |             |             |   -1  2  2  |   -1  2  2
 *       20  1 1  +1  |             |             |   -1  2  2  |   -1  2  2
 *       21  0 0  -1  |             |             |   -1  2  2  |   -1  2  2
 *       22  0 1  +1  |             |             |   -1  2  2  |   -1  2  2
 *       23  1 0  +1  |             |             |   -1  2  2  |   -1  2  2
 *       24  1 1  +1  |             |             |   -1  2  2  |   -1  2  2
 *
 *              updates  mistakes  rows  score of 0 0  class of 0 0
 *     Su             5         5    16            -1            -1
 *     Honavar        4         4    16             0            -1
 *     Eaton          9         6    24            -1            -1
 *     CIML           9         5    24            -1            -1
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "../must.h"

enum { ROWS = 4, WAYS = 4 };

static const float x[ROWS][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
static const int y[ROWS] = {-1, 1, 1, 1};

/* One way to treat 0, with a trainer and a pass of its own. */
typedef struct way {
    const char *name;
    uint8_t zero_negative, zero_predicted;
    int going; /* until its pass ends */
    float memory[PCN_PERCEPTRON_FLOATS(2, 2)];
    pcn_perceptron m;
    pcn_pass pass;
} way;

static way ways[WAYS] = {
    {.name = "Su", .zero_negative = 0, .zero_predicted = 1},
    {.name = "Honavar", .zero_negative = 1, .zero_predicted = 1},
    {.name = "Eaton", .zero_negative = 0, .zero_predicted = 0},
    {.name = "CIML", .zero_negative = 1, .zero_predicted = 0},
};

static void begin(way *w)
{
    must(pcn_perceptron_init(&w->m, 2, 2, w->memory, sizeof w->memory));
    w->m.live.zero_negative = w->zero_negative;
    w->m.learner.zero_predicted = w->zero_predicted;
    pcn_pass_init(&w->pass, ROWS, 100, 0);
    w->pass.order = PCN_ORDER_FILE;
    w->going = 1;
}

/* Shows one row to a trainer and prints its weights. */
static void show(way *w, uint32_t row)
{
    int learned = pcn_perceptron_learn(&w->m, pcn_dense(x[row], 2), y[row]);
    pcn_pass_note(&w->pass, learned);
    printf("  | %c %2g %2g %2g", learned == 1 ? '*' : ' ', (double)w->m.live.bias[0], (double)w->m.live.weight[0],
           (double)w->m.live.weight[1]);
}

int main(void)
{
    int going = WAYS;

    printf("shown  x    y");
    for (int i = 0; i < WAYS; i++) {
        begin(&ways[i]);
        printf("  | %10s", ways[i].name);
    }
    printf("\n");

    for (int shown = 0; going > 0; shown++) {
        uint32_t row = 0;
        going = 0;
        for (int i = 0; i < WAYS; i++) {
            ways[i].going = ways[i].going && pcn_pass_next(&ways[i].pass, &row);
            going += ways[i].going;
        }
        if (going == 0) break;
        printf("%4d  %g %g  %+d", shown + 1, (double)x[row][0], (double)x[row][1], y[row]);
        for (int i = 0; i < WAYS; i++) {
            if (ways[i].going)
                show(&ways[i], row);
            else
                printf("  | %10s", "");
        }
        printf("\n");
    }

    printf("\n         updates  mistakes  rows  score of 0 0  class of 0 0\n");
    for (int i = 0; i < WAYS; i++) {
        const pcn_perceptron *m = &ways[i].m;
        pcn_vec zero = pcn_dense(x[0], 2);
        printf("%-7s  %7d  %8d  %4d  %12g  %+12d\n", ways[i].name, (int)m->learner.count.updates,
               (int)m->learner.count.mistakes, (int)m->learner.count.rows, (double)pcn_linear_score(&m->live, zero),
               pcn_perceptron_predict(m, zero) ? 1 : -1);
    }
}
