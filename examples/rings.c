/* build with: cc -std=c99 -O2 -I. examples/rings.c -o build/rings
 *
 * What no straight line divides: XOR, learned with a polynomial kernel, and two rings, with an RBF
 * kernel. A fixed number of vectors in static memory, no heap, no libm.
 *
 * rings [PICTURE.svg] draws what it learned, into build/rings.svg or the file named.
 *
 * It prints:
 *
 *            updates  vectors  error: last      mean      vote
 *     XOR         43       23     12.2 %     4.4 %     4.9 %
 *     Rings       11       11      2.5 %     2.2 %     2.5 %
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "picture.h"

enum { POINTS = 120, SLOTS = 48, ENTRIES = 128, EPOCHS = 8, FRESH = 2000 };
enum { SIDE = 400, TOP = 160, CELL = 2, GRID = SIDE / CELL, SHADES = 4 };
static const float EDGE = 1.2f; /* the plane is drawn from -EDGE to EDGE */
static uint32_t state; /* of the random numbers */

typedef struct problem {
    const char *name, *formula;
    const char *classes[2]; /* what +1 and -1 are */
    int (*make)(float *x); /* a random point; returns its class, +1 or -1 */
    float x[POINTS][2], memory[PCN_KPERCEPTRON_FLOATS(2, 1, SLOTS)];
    int y[POINTS];
    pcn_slot slot[SLOTS];
    pcn_log_entry log[ENTRIES];
    pcn_kperceptron m;
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
    pcn_kperceptron_init(&p->m, kernel, 2, 1, p->slot, SLOTS, p->memory, PCN_LENGTH(p->memory));
    pcn_kperceptron_use_log(&p->m, p->log, ENTRIES);
    for (state = 1, i = 0; i < POINTS; i++) p->y[i] = p->make(p->x[i]);
    pcn_pass_init(&pass, POINTS, EPOCHS, 1);
    while (pcn_pass_next(&pass, &i))
        pcn_pass_note(&pass, pcn_kperceptron_learn(&p->m, pcn_dense(p->x[i], 2), p->y[i], i));
    return pass.result;
}

static float score(const problem *p, enum pcn_decision how, const float *x)
{
    static float work[PCN_KMODEL_WORK(1, SLOTS, 1)];
    pcn_vec v = pcn_dense(x, 2);
    float f = 0;
    pcn_kmodel_scores(&p->m.model, how, &v, 1, &f, work, PCN_LENGTH(work));
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

/* ---- The picture ----------------------------------------------------------------------------- */

/* How far the votes agree in a cell, from -SHADES to SHADES without 0. */
static int shade(const problem *p, int column, int row)
{
    float x[2] = {EDGE * (float)(2 * column + 1 - GRID) / GRID,
                  EDGE * (float)(GRID - 2 * row - 1) / GRID};
    float votes = SHADES * score(p, PCN_DECIDE_VOTE, x) / (float)(p->m.model.clock + 1);
    return (int)votes + (votes < 0 ? -1 : 1);
}

static void draw_row(FILE *f, const problem *p, int row) /* in runs of one shade */
{
    int j, end;
    for (j = 0; j < GRID; j = end) {
        int s = shade(p, j, row);
        end = j + 1;
        while (end < GRID && shade(p, end, row) == s) end++;
        fprintf(f, "<path class='%s' opacity='.%d' d='M%d %dh%d'/>\n", s < 0 ? "orange" : "blue",
                s < 0 ? -s : s, j * CELL, row * CELL + CELL / 2, (end - j) * CELL);
    }
}

/* A coordinate, -EDGE to EDGE, in the panel. */
static double place(float coordinate)
{
    return SIDE / 2 * (1 + (double)coordinate / (double)EDGE);
}

static void draw_point(FILE *f, const float *x, const char *style)
{
    draw_dot(f, style, place(x[0]), SIDE - place(x[1]), 5);
}

static void draw_axes(FILE *f, int left)
{
    for (int i = -1; i <= 1; i++) {
        double at = place((float)i);
        draw_line(f, "axis", left + at, TOP + SIDE, left + at, TOP + SIDE + 5);
        draw_line(f, "axis", left - 5, TOP + SIDE - at, left, TOP + SIDE - at);
        draw_text(f, left + at, TOP + SIDE + 20, "mid", "%d", i);
        draw_text(f, left - 10, TOP + SIDE - at + 4, "end", "%d", i);
    }
    draw_text(f, left + place(0.5f), TOP + SIDE + 20, "mid", "x1");
    draw_text(f, left - 10, TOP + SIDE - place(0.5f) + 4, "end", "x2");
}

static void draw_legend(FILE *f, const problem *p, int left)
{
    draw_dot(f, "blue", left + 6, TOP - 17, 5);
    draw_text(f, left + 18, TOP - 13, "start", "+1: %s", p->classes[0]);
    draw_dot(f, "orange", left + 206, TOP - 17, 5);
    draw_text(f, left + 218, TOP - 13, "start", "&#8722;1: %s", p->classes[1]);
}

static void draw_problem(FILE *f, const problem *p, int left)
{
    const pcn_kmodel *m = &p->m.model;
    uint32_t i;
    draw_text(f, left, TOP - 38, "head", "%s, K(x, z) = %s", p->name, p->formula);
    draw_legend(f, p, left);
    draw_axes(f, left);
    draw_text(f, left, TOP + SIDE + 44, "start", "%u vectors stored; the vote misjudges %.1f %% of fresh points",
              m->slots, error(p, PCN_DECIDE_VOTE));
    fprintf(f, "<svg class='plane' x='%d' y='%d' width='%d' height='%d'>\n", left, TOP, SIDE, SIDE);
    for (i = 0; i < GRID; i++) draw_row(f, p, (int)i);
    for (i = 0; i < POINTS; i++) draw_point(f, p->x[i], p->y[i] > 0 ? "blue" : "orange");
    for (i = 0; i < m->slots; i++)
        draw_point(f, m->value + m->slot[i].start, m->coef[i] > 0 ? "blue ring" : "orange ring");
    fputs("</svg>\n", f);
}

static int draw(const char *file, const problem *p)
{
    FILE *f = picture_begin(file, 960, 640, "What no straight line divides",
                            "Two planes with points of two classes. Left XOR, whose classes lie in opposite "
                            "quadrants, right two rings, one in the other. The ground shows which class the "
                            "votes of a kernel perceptron give each place, pale where they differ.");
    if (!f) return 0;
    fprintf(f, "<style>.plane path { stroke-width: %d; shape-rendering: crispEdges }\n"
               ".plane circle { stroke: #fff } .plane .ring { stroke: #111827 }</style>\n", CELL);
    draw_text(f, 40, 84, "subtitle", "The ground: which class the votes say, pale where they differ. "
                                     "Ringed in black: the vectors stored");
    draw_problem(f, &p[0], 50);
    draw_problem(f, &p[1], 530);
    return picture_end(f);
}

int main(int argc, char **argv)
{
    static problem p[2] = {
        {.name = "XOR", .formula = "(1 + x&#183;z)&#178;", .make = make_xor,
         .classes = {"signs of x1, x2 differ", "signs are equal"}},
        {.name = "Rings", .formula = "exp(&#8722;6 |x &#8722; z|&#178;)", .make = make_ring,
         .classes = {"outer ring", "inner ring"}}};
    const char *file = argc > 1 ? argv[1] : "build/rings.svg";
    if (learn(&p[0], pcn_kernel_poly(2, 1, 1)) < 0 || learn(&p[1], pcn_kernel_rbf(6)) < 0)
        return fputs("SLOTS or ENTRIES are too few\n", stderr), 2;
    printf("       updates  vectors  error: last      mean      vote\n");
    for (int i = 0; i < 2; i++)
        printf("%-6s%8u  %7u %8.1f %% %7.1f %% %7.1f %%\n", p[i].name,
               (unsigned)p[i].m.learner.count.updates, p[i].m.model.slots,
               error(&p[i], PCN_DECIDE_LAST), error(&p[i], PCN_DECIDE_MEAN), error(&p[i], PCN_DECIDE_VOTE));
    if (!draw(file, p)) return perror(file), 3;
}
