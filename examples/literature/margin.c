/* build with: cc -std=c99 -O2 -I. examples/literature/margin.c -o build/margin -lm
 *
 * Is there a plane between the classes, and how far can it keep from them? perceptron/teach/margin.h finds the best margin of
 * rows that are padded with a 1 for the bias, between two bounds. Each has a proof: a plane with that margin, or a sum
 * of points z = y (1, x) with coefficients that sum to 1, whose length no margin can pass.
 *
 * margin [FILE]: rows of a label (-1 and 1, or 0, 1, 2, ...) and features; an empty line ends a problem.
 *
 * Without a file it takes OR, XOR, and three classes on a line.
 *
 * It prints:
 *
 *     best margin of the padded rows: between 0.3333 and 0.3334
 *     no plane separates these rows by more than 4.299e-08: 0 is nearly 0.25 z1 + 0.25 z2 + 0.25 z3 + 0.25 z4
 *     best margin of the padded rows: between 0.6123 and 0.6124
 */
#define PERCEPTRON_IMPLEMENTATION
#include "../perceptron/teach/margin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 256, FEATURES = 16, CLASSES = 8, LINE = 1024 };

static const char *const built_in = "-1 0 0\n1 0 1\n1 1 0\n1 1 1\n\n"
                                    "-1 0 0\n1 0 1\n1 1 0\n-1 1 1\n\n"
                                    "0 -3\n0 -2\n1 0\n2 2\n";

typedef struct problem {
    float x[ROWS][FEATURES];
    uint32_t label[ROWS], rows, features;
    int most; /* label */
} problem;

static pcn_vec row(const void *rows, uint32_t i)
{
    const problem *p = rows;
    return pcn_dense(p->x[i], p->features);
}

static void solve(const problem *p)
{
    static double share[ROWS * CLASSES], point[CLASSES * (FEATURES + 1)], change[CLASSES * (FEATURES + 1)];
    static uint32_t active[ROWS];
    margin m = {.row = row,
                .rows = p,
                .label = p->label,
                .count = p->rows,
                .features = p->features,
                .input = 1,
                .classes = p->most < 2 ? 2 : (uint32_t)p->most + 1,
                .effort = 1e8,
                .share = share,
                .point = point,
                .change = change,
                .active = active};
    memset(share, 0, sizeof share);
    margin_find(&m);
    if (!margin_none(&m)) {
        printf("best margin of the padded rows: between %.4g and %.4g\n", margin_digits(m.low, 0),
               margin_digits(m.high, 1));
        return;
    }
    printf("no plane separates these rows by more than %.4g: 0 is nearly", margin_digits(m.high, 1));
    for (uint32_t z = 0, terms = 0; z < p->rows * m.classes; z++)
        if (share[z] > 0) printf("%s %.3g z%u", terms++ ? " +" : "", share[z], (unsigned)(z / m.classes) + 1);
    puts("");
}

static int add_row(problem *p, char *line)
{
    char *end;
    const long label = strtol(line, &end, 10);
    uint32_t n = 0;
    if (end == line || p->rows == ROWS || label < -1 || label >= CLASSES) return 0;
    p->label[p->rows] = label > 0 ? (uint32_t)label : 0;
    if (label > p->most) p->most = (int)label;
    for (float v = strtof(line = end, &end); end > line && n < FEATURES; v = strtof(line = end, &end))
        p->x[p->rows][n++] = v;
    if (p->rows++ == 0) p->features = n;
    return n == p->features && strspn(line, " \n") == strlen(line);
}

int main(int argc, char **argv)
{
    static problem p;
    static char line[LINE];
    FILE *f = argc > 1 ? fopen(argv[1], "r") : tmpfile();
    if (!f) return perror(argc > 1 ? argv[1] : "a temporary file"), 3;
    if (argc < 2) fputs(built_in, f), rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (*line != '\n' && !add_row(&p, line))
            return fprintf(stderr, "not a label up to %d and as many numbers as above, or too many: %s", CLASSES - 1,
                           line),
                   2;
        if (*line == '\n' && p.rows) solve(&p), memset(&p, 0, sizeof p);
    }
    if (p.rows) solve(&p);
    return 0;
}
