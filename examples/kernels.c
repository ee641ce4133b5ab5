/* build with: cc -std=c99 -O2 -I. examples/kernels.c -o build/kernels
 *
 * What no straight line divides: XOR, learned with a polynomial kernel, and two rings, with an RBF kernel. Static
 * memory for a fixed number of vectors, no heap, no libm.
 *
 * What if the memory is full? A policy decides:
 *     none        learn returns PCN_EFULL, and the model stays as it is
 *     oldest      the oldest vector makes room
 *     random      any vector makes room
 *     Forgetron   all coefficients shrink until dropping the oldest does no harm
 *     projectron  the new vector is written as a sum of those stored
 * All learn one stream of rings, which move to the right after half of the points. Each point is judged before it is
 * learned from: the columns count the mistakes in each quarter, and the points that learn refused.
 * The projectron errs least with a budget, but keeps a matrix. The last line has memory for all vectors.
 *
 * kernels [PICTURE.svg] draws XOR and the rings as learned, into build/kernels.svg or the file named.
 *
 * It prints:
 *
 *            updates  vectors  error: last      mean      vote
 *     XOR         43       23     12.2 %     4.4 %     4.8 %
 *     Rings       18       18      2.5 %     1.2 %     2.2 %
 *
 *                                   mistakes: left       right
 *     policy        bytes  vectors     1st   2nd   3rd   4th  refused
 *     none            520       16      88    74   377   361      884
 *     oldest          520       16      90    60   116   126        0
 *     random          520       16      73    92   142   108        0
 *     Forgetron       584       16      81    71   109    56        0
 *     projectron     1672       16      31     0    99    81        0
 *     no limit      32008       57      30     2    25     0        0
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"
#include "picture.h"

enum { POINTS = 120, SLOTS = 48, ENTRIES = 128, EPOCHS = 8, FRESH = 2000 };
enum { BUDGET = 16, PLENTY = 1000, QUARTER = 1000, STREAM = 4 * QUARTER };
enum { SIDE = 400, TOP = 160, CELL = 2, GRID = SIDE / CELL, SHADES = 4 };
static const float EDGE = 1.2f; /* the plane is drawn from -EDGE to EDGE */
static uint32_t state;          /* of the random numbers */

/* From -1 to 1: the upper 10 bits of a linear congruential generator. Squares of so few are exact. */
static float uniform(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 22) / 512.0f - 1;
}

/* A random point; returns its class, 1 or 0. */
static int make_xor(float *x)
{
    for (int i = 0; i < 2; i++) x[i] = 0.3f * (uniform() + uniform());
    for (int i = 0; i < 2; i++) x[i] += uniform() > 0 ? 0.5f : -0.5f;
    return x[0] * x[1] <= 0;
}

static int make_ring(float *x)
{
    float r2;
    do {
        x[0] = uniform(), x[1] = uniform();
        r2 = x[0] * x[0] + x[1] * x[1];
    } while (r2 < 0.12f || (r2 > 0.4f && r2 < 0.56f) || r2 > 1);
    return r2 > 0.48f;
}

static float work[PCN_KMODEL_WORK(2, PLENTY, 1)];

static int errs(const pcn_kmodel *m, enum pcn_decision how, const float *x, int y)
{
    pcn_vec v = pcn_dense(x, 2);
    int guess;
    must(pcn_kmodel_predict(m, how, &v, 1, &guess, work, sizeof work));
    return guess != y;
}

/* ---- Several epochs over stored points: three decisions ------------------------------------------ */

typedef struct problem {
    const char *name, *formula;
    const char *classes[2]; /* what 0 and 1 are */
    int (*make)(float *x);
    float x[POINTS][2], memory[PCN_KPERCEPTRON_FLOATS(2, 2, SLOTS)];
    int y[POINTS];
    pcn_slot slot[SLOTS];
    pcn_log_entry log[ENTRIES];
    pcn_kperceptron m;
} problem;

static void learn(problem *p, pcn_kernel kernel)
{
    pcn_pass pass;
    uint32_t i;
    must(pcn_kperceptron_init(&p->m, kernel, 2, 2, p->slot, SLOTS, p->memory, sizeof p->memory));
    must(pcn_kperceptron_use_log(&p->m, p->log, ENTRIES));
    for (state = 1, i = 0; i < POINTS; i++) p->y[i] = p->make(p->x[i]);
    pcn_pass_init(&pass, POINTS, EPOCHS, 1);
    while (pcn_pass_next(&pass, &i))
        pcn_pass_note(&pass, pcn_kperceptron_learn_row(&p->m, pcn_dense(p->x[i], 2), p->y[i], i));
    must(pass.result); /* SLOTS and ENTRIES are enough */
}

/* Of points that were not learned from, in percent; the same points for each decision. */
static double error(const problem *p, enum pcn_decision how)
{
    int i, wrong = 0;
    for (state = 2, i = 0; i < FRESH; i++) {
        float x[2];
        int y = p->make(x);
        wrong += errs(&p->m.model, how, x, y);
    }
    return 100.0 * wrong / FRESH;
}

/* ---- A stream: what makes room in a full budget --------------------------------------------------- */

enum policy { NONE, OLDEST, RANDOM, FORGETRON, PROJECTRON, NO_LIMIT, POLICIES };
static const char *const names[POLICIES] = {"none", "oldest", "random", "Forgetron", "projectron", "no limit"};
static const uint32_t own_floats[POLICIES] = {[FORGETRON] = BUDGET, [PROJECTRON] = BUDGET * (BUDGET + 2)};

static void choose(pcn_kperceptron *m, enum policy policy)
{
    static float own[BUDGET * (BUDGET + 2)];
    const size_t bytes = own_floats[policy] * sizeof *own;
    if (policy == FORGETRON) must(pcn_kperceptron_use_forgetron(m, own, bytes));
    if (policy == PROJECTRON) must(pcn_kperceptron_use_projectron(m, 0, own, bytes));
    if (policy == OLDEST) m->admit = pcn_admit_oldest;
    if (policy == RANDOM) m->admit = pcn_admit_random;
}

static void follow(enum policy policy)
{
    static float memory[PCN_KPERCEPTRON_FLOATS(2, 2, PLENTY)];
    static pcn_slot slot[PLENTY];
    int mistakes[4] = {0};
    const uint32_t slots = policy == NO_LIMIT ? PLENTY : BUDGET;
    const size_t bytes = PCN_KPERCEPTRON_FLOATS(2, 2, slots) * sizeof(float);
    pcn_kperceptron m;

    must(pcn_kperceptron_init(&m, pcn_kernel_rbf(6), 2, 2, slot, slots, memory, bytes));
    choose(&m, policy);
    state = 1;
    for (int i = 0; i < STREAM; i++) {
        float x[2];
        int y = make_ring(x);
        x[0] += i < STREAM / 2 ? -0.375f : 0.375f;
        mistakes[i / QUARTER] += pcn_kperceptron_predict(&m, pcn_dense(x, 2)) != y;
        pcn_kperceptron_learn(&m, pcn_dense(x, 2), y);
    }
    printf("%-10s  %7d %8d  %6d %5d %5d %5d  %7d\n", names[policy],
           (int)(bytes + own_floats[policy] * sizeof(float) + slots * sizeof *slot), (int)m.model.slots, mistakes[0],
           mistakes[1], mistakes[2], mistakes[3], (int)m.refused);
}

/* ---- The picture ----------------------------------------------------------------------------- */

/* How far the votes agree in a cell, from -SHADES to SHADES without 0. */
static int shade(const problem *p, int column, int row)
{
    float x[2] = {EDGE * (float)(2 * column + 1 - GRID) / GRID, EDGE * (float)(GRID - 2 * row - 1) / GRID};
    pcn_vec v = pcn_dense(x, 2);
    float votes, share;
    must(pcn_kmodel_scores(&p->m.model, PCN_DECIDE_VOTE, &v, 1, &votes, work, sizeof work));
    share = SHADES * votes / (float)(p->m.model.clock + 1);
    return (int)share + (share < 0 ? -1 : 1);
}

static void draw_row(FILE *f, const problem *p, int row) /* in runs of one shade */
{
    int j, end;
    for (j = 0; j < GRID; j = end) {
        int s = shade(p, j, row);
        end = j + 1;
        while (end < GRID && shade(p, end, row) == s) end++;
        fprintf(f, "<path class='%s' opacity='.%d' d='M%d %dh%d'/>\n", s < 0 ? "orange" : "blue", s < 0 ? -s : s,
                j * CELL, row * CELL + CELL / 2, (end - j) * CELL);
    }
}

/* A coordinate, -EDGE to EDGE, in the panel. */
static double place(float coordinate)
{
    return SIDE / 2 * (1 + (double)coordinate / (double)EDGE);
}

static void draw_point(FILE *f, const char *more, const float *x, int positive)
{
    draw_mark(f, more, place(x[0]), SIDE - place(x[1]), positive, 5);
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

static void draw_problem(FILE *f, const problem *p, int left)
{
    const pcn_kmodel *m = &p->m.model;
    uint32_t i;
    draw_text(f, left, TOP - 38, "head", "%s, K(x, z) = %s", p->name, p->formula);
    for (i = 0; i < 2; i++) {
        draw_mark(f, "", left + 6 + 200.0 * i, TOP - 17, i > 0, 5);
        draw_text(f, left + 18 + 200.0 * i, TOP - 13, "start", "%u: %s", i, p->classes[i]);
    }
    draw_axes(f, left);
    draw_text(f, left, TOP + SIDE + 44, "start", "%u vectors stored; the vote misjudges %.1f %% of fresh points",
              m->slots, error(p, PCN_DECIDE_VOTE));
    fprintf(f, "<svg class='plane' x='%d' y='%d' width='%d' height='%d'>\n", left, TOP, SIDE, SIDE);
    for (i = 0; i < GRID; i++) draw_row(f, p, (int)i);
    for (i = 0; i < POINTS; i++) draw_point(f, "", p->x[i], p->y[i]);
    for (i = 0; i < m->slots; i++) draw_point(f, "ring", m->value + m->slot[i].start, m->coef[i] > 0);
    fputs("</svg>\n", f);
}

static int draw(const char *file, const problem *p)
{
    FILE *f = picture_begin(file, 960, 640, "What no straight line divides",
                            "Two planes with points of two classes. Left XOR, whose classes lie in opposite quadrants, "
                            "right two rings, one in the other. The ground shows which class the votes of a kernel "
                            "perceptron give each place, pale where they differ.");
    if (!f) return 0;
    fprintf(f,
            "<style>.plane path { stroke-width: %d; shape-rendering: crispEdges }\n"
            ".plane circle, .plane rect { stroke: #fff } .plane .ring { stroke: #111827 }</style>\n",
            CELL);
    draw_text(f, 40, 84, "subtitle",
              "The ground: which class the votes say, pale where they differ. "
              "Ringed in black: the vectors stored");
    draw_problem(f, &p[0], 50);
    draw_problem(f, &p[1], 530);
    return picture_end(f);
}

int main(int argc, char **argv)
{
    static problem p[2] = {
        {.name = "XOR",
         .formula = "(1 + x&#183;z)&#178;",
         .make = make_xor,
         .classes = {"signs are equal", "signs of x1, x2 differ"}},
        {.name = "Rings",
         .formula = "exp(&#8722;6 |x &#8722; z|&#178;)",
         .make = make_ring,
         .classes = {"inner ring", "outer ring"}}};
    const char *file = argc > 1 ? argv[1] : "build/kernels.svg";
    learn(&p[0], pcn_kernel_poly(2, 1, 1));
    learn(&p[1], pcn_kernel_rbf(6));
    printf("       updates  vectors  error: last      mean      vote\n");
    for (int i = 0; i < 2; i++)
        printf("%-6s%8u  %7u %8.1f %% %7.1f %% %7.1f %%\n", p[i].name, (unsigned)p[i].m.learner.count.updates,
               p[i].m.model.slots, error(&p[i], PCN_DECIDE_LAST), error(&p[i], PCN_DECIDE_MEAN),
               error(&p[i], PCN_DECIDE_VOTE));
    printf("\n                              mistakes: left       right\n"
           "policy        bytes  vectors     1st   2nd   3rd   4th  refused\n");
    for (int policy = NONE; policy < POLICIES; policy++) follow((enum policy)policy);
    if (!draw(file, p)) return perror(file), 3;
}
