/* build with: cc -std=c99 -O2 -I. examples/rings.c -o build/rings
 *
 * What no straight line divides: XOR, learned with a polynomial kernel, and two rings, with an RBF
 * kernel. A fixed number of vectors in static memory, no heap, no libm. Draws what it learned. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>

enum { POINTS = 120, SLOTS = 48, ENTRIES = 128, EPOCHS = 8, FRESH = 2000 };
enum { SIDE = 400, CELL = 2, GRID = SIDE / CELL, SHADES = 4 };
static const float EDGE = 1.2f; /* the plane is drawn from -EDGE to EDGE */
static uint32_t state; /* of the random numbers */

typedef struct problem {
    const char *name, *formula;
    int (*make)(float *x); /* a random point; returns its class, +1 or -1 */
    float x[POINTS][2], memory[PCN_DUAL_FLOATS(2, 1, SLOTS)];
    int y[POINTS];
    pcn_slot slot[SLOTS];
    pcn_log_entry log[ENTRIES];
    pcn_dual m;
} problem;

/* From -1 to 1: the upper bits of a linear congruential generator. */
static float uniform(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 16) / 32768.0f - 1;
}

static int make_xor(float *x)
{
    int i;
    for (i = 0; i < 2; i++) x[i] = 0.3f * (uniform() + uniform());
    for (i = 0; i < 2; i++) x[i] += uniform() > 0 ? 0.5f : -0.5f;
    return x[0] * x[1] > 0 ? -1 : 1;
}

static int make_ring(float *x)
{
    float r2;
    do {
        x[0] = uniform(), x[1] = uniform();
        r2 = x[0] * x[0] + x[1] * x[1];
    } while (r2 < 0.12f || (r2 > 0.32f && r2 < 0.72f) || r2 > 1);
    return r2 > 0.5f ? 1 : -1;
}

static int learn(problem *p, pcn_kernel kernel)
{
    pcn_pass pass;
    uint32_t i;
    pcn_dual_init(&p->m, kernel, 2, 1, p->slot, SLOTS, p->memory, PCN_LENGTH(p->memory));
    pcn_dual_log_init(&p->m, p->log, ENTRIES);
    for (state = 1, i = 0; i < POINTS; i++) p->y[i] = p->make(p->x[i]);
    pcn_pass_init(&pass, POINTS, EPOCHS, 1);
    while (pcn_pass_next(&pass, &i))
        pcn_pass_note(&pass, pcn_dual_learn(&p->m, pcn_dense(p->x[i], 2), p->y[i], i));
    return pass.result;
}

static float score(const problem *p, enum pcn_decision how, const float *x)
{
    static float work[PCN_WORK(1, SLOTS, 1)];
    pcn_vec v = pcn_dense(x, 2);
    float f = 0;
    pcn_support_scores(&p->m.model, how, &v, 1, &f, work, PCN_LENGTH(work));
    return f;
}

/* Of points that were not learned from, in percent; the same points for each decision. */
static double error(const problem *p, enum pcn_decision how)
{
    int i, wrong = 0;
    for (state = 2, i = 0; i < FRESH; i++) {
        float x[2];
        int y = p->make(x);
        float f = score(p, how, x);
        wrong += pcn_decide(&f, 1, p->m.model.zero_negative) != y;
    }
    return 100.0 * wrong / FRESH;
}

#define TEXT(words) "<text x='%d' y='%d' class='%s'>" words "</text>\n"

/* How far the votes agree in a cell, from -SHADES to SHADES without 0. */
static int shade(const problem *p, int column, int row)
{
    float x[2] = {EDGE * (float)(2 * column + 1 - GRID) / GRID,
                  EDGE * (float)(GRID - 2 * row - 1) / GRID};
    float votes = SHADES * score(p, PCN_VOTE, x) / (float)(p->m.model.clock + 1);
    return (int)votes + (votes < 0 ? -1 : 1);
}

static void draw_row(FILE *f, const problem *p, int row) /* in runs of one shade */
{
    int j, end;
    for (j = 0; j < GRID; j = end) {
        int s = shade(p, j, row);
        for (end = j + 1; end < GRID && shade(p, end, row) == s; end++) {}
        fprintf(f, "<path class='%s' opacity='.%d' d='M%d %dh%d'/>\n", s < 0 ? "minus" : "plus",
                s < 0 ? -s : s, j * CELL, row * CELL + CELL / 2, (end - j) * CELL);
    }
}

static void draw_point(FILE *f, const float *x, const char *style)
{
    double half = SIDE / 2, scale = half / (double)EDGE;
    fprintf(f, "<circle cx='%.1f' cy='%.1f' class='%s' r='5'/>\n", half + scale * (double)x[0],
            half - scale * (double)x[1], style);
}

static void draw(FILE *f, const problem *p, int left)
{
    const pcn_support *m = &p->m.model;
    uint32_t i;
    fprintf(f, TEXT("%s, K(x, z) = %s"), left, 132, "head", p->name, p->formula);
    fprintf(f, TEXT("%u vectors; the vote misjudges %.1f %% of fresh points"), left, 570, "note",
            m->slots, error(p, PCN_VOTE));
    fprintf(f, "<svg x='%d' y='146' width='%d' height='%d'>\n", left, SIDE, SIDE);
    for (i = 0; i < GRID; i++) draw_row(f, p, (int)i);
    for (i = 0; i < POINTS; i++) draw_point(f, p->x[i], p->y[i] > 0 ? "plus" : "minus");
    for (i = 0; i < m->slots; i++)
        draw_point(f, m->value + m->slot[i].start, m->coef[i] > 0 ? "plus ring" : "minus ring");
    fputs("</svg>\n", f);
}

static const char begin[] =
    "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='610' viewBox='0 0 960 610'>\n"
    "<style>text { font: 13px system-ui, 'Segoe UI', Arial, sans-serif; fill: #4b5563 }\n"
    ".title { font-size: 26px } .subtitle { font-size: 15px } .head { font-size: 16px }\n"
    ".title, .head { font-weight: bold; fill: #111827 } path, .ring { stroke-width: 2 }\n"
    "path { stroke: currentColor; shape-rendering: crispEdges } .plus { color: #005cab }\n"
    ".minus { color: #d94801 } circle { fill: currentColor; stroke: #fff }\n"
    ".ring { stroke: #111827 }</style>\n<rect width='960' height='610' fill='#fff'/>\n";

int main(int argc, char **argv)
{
    static problem p[2] = {
        {.name = "XOR", .formula = "(1 + x&#183;z)&#178;", .make = make_xor},
        {.name = "Rings", .formula = "exp(&#8722;6 |x &#8722; z|&#178;)", .make = make_ring}};
    const char *file = argc > 1 ? argv[1] : "build/rings.svg";
    FILE *f = fopen(file, "w");
    if (!f) return perror(file), 3;
    if (learn(&p[0], pcn_kernel_poly(2, 1, 1)) < 0 || learn(&p[1], pcn_kernel_rbf(6)) < 0)
        return fputs("SLOTS or ENTRIES are too few\n", stderr), 2;
    printf("       updates  vectors  error: last      mean      vote\n");
    fputs(begin, f);
    fprintf(f, TEXT("What no straight line divides"), 40, 60, "title");
    fprintf(f, TEXT("Ringed: the vectors stored. Pale: the votes differ."), 40, 86, "subtitle");
    for (int i = 0; i < 2; i++) {
        printf("%-6s%8u  %7u %8.1f %% %7.1f %% %7.1f %%\n", p[i].name,
               (unsigned)p[i].m.learner.count.updates, p[i].m.model.slots,
               error(&p[i], PCN_LAST), error(&p[i], PCN_MEAN), error(&p[i], PCN_VOTE));
        draw(f, &p[i], 40 + 480 * i);
    }
    fputs("</svg>\n", f);
    if (ferror(f) || fclose(f)) return perror(file), 3;
}
