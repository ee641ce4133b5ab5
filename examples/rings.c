/* build with: cc -std=c99 -O2 -I. examples/rings.c -o build/rings
 *
 * What no straight line divides: XOR, learned with a polynomial kernel, and two rings, with an RBF
 * kernel. A fixed number of vectors in static memory, no heap, no libm. Draws what it learned. */
#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_NO_HEAP
#include "perceptron.h"
#include <stdio.h>

enum { POINTS = 120, SLOTS = 48, CHANGES = 128, EPOCHS = 8, FRESH = 2000 };
enum { SIDE = 400, CELL = 2, GRID = SIDE / CELL, SHADES = 4 };

typedef struct problem {
    float x[POINTS][2];
    int y[POINTS];
    pcn_slot slot[SLOTS];
    float memory[PCN_DUAL_FLOATS(2, 1, SLOTS)];
    pcn_change log[CHANGES];
    pcn_dual m;
    int (*make)(float *x); /* a random point; returns its class, +1 or -1 */
} problem;

static uint32_t state;

/* From -1 to 1: the upper bits of a linear congruential generator. */
static float uniform(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 16) / 32768.0f - 1;
}

static float noise(float width) /* most of it near 0 */
{
    float sum = uniform();
    return width * (sum + uniform()) / 2;
}

static int make_xor(float *x)
{
    int right = uniform() > 0, up = uniform() > 0;
    x[0] = (right ? 0.5f : -0.5f) + noise(0.56f);
    x[1] = (up ? 0.5f : -0.5f) + noise(0.56f);
    return right == up ? -1 : 1;
}

static int make_ring(float *x)
{
    int outer = uniform() > 0;
    float r2, low = outer ? 0.64f : 0.16f, high = outer ? 0.80f : 0.25f;
    do {
        x[0] = uniform();
        x[1] = uniform();
        r2 = x[0] * x[0] + x[1] * x[1];
    } while (r2 < low || r2 > high);
    x[0] += noise(0.25f);
    x[1] += noise(0.25f);
    return outer ? 1 : -1;
}

/* An error of setup is one of learning too, as far as there is room to learn. */
static int learn(problem *p, pcn_kernel kernel, int (*make)(float *x))
{
    uint32_t i;
    pcn_pass pass;
    p->make = make;
    pcn_dual_init(&p->m, kernel, 2, 1, p->slot, SLOTS, p->memory, PCN_LENGTH(p->memory));
    pcn_dual_log_init(&p->m, p->log, CHANGES);
    for (state = 1, i = 0; i < POINTS; i++) p->y[i] = make(p->x[i]);
    pcn_pass_init(&pass, POINTS, EPOCHS, 1);
    while (pcn_pass_next(&pass, &i))
        pcn_pass_note(&pass, pcn_dual_learn(&p->m, pcn_dense(p->x[i], 2), p->y[i], i));
    return pass.result;
}

static float score(const problem *p, enum pcn_decision how, const float *x)
{
    static float work[PCN_WORK(2, 1, SLOTS, 1)];
    pcn_vec v = pcn_dense(x, 2);
    float f = 0;
    pcn_support_scores(&p->m.model, how, &v, 1, &f, work);
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
        wrong += pcn_decide(&f, 1) != y;
    }
    return 100.0 * wrong / FRESH;
}

/* ---- The drawing ----------------------------------------------------------------------------- */

#define TEXT(words) "<text x='%d' y='%d' class='%s'>" words "</text>\n"

static double place(float x) { return 0.5 * SIDE * (1 + (double)x / 1.25); }

/* How far the votes agree there, from -SHADES to SHADES without 0. */
static int shade(const problem *p, int column, int row)
{
    float half = GRID / 2.0f, scale = 1.25f / half;
    float x = scale * ((float)column + 0.5f - half), y = scale * ((float)row + 0.5f - half);
    float votes = score(p, PCN_VOTE, x, -y) / (float)p->m.model.clock;
    int s = (int)((votes < 0 ? -votes : votes) * SHADES) + 1;
    return (votes < 0 ? -1 : 1) * (s < SHADES ? s : SHADES);
}

/* One path a shade, of runs of cells. */
static void draw_regions(FILE *f, const problem *p)
{
    static signed char at[GRID][GRID];
    int s, i, j, end;
    for (i = 0; i < GRID * GRID; i++) at[i / GRID][i % GRID] = (signed char)shade(p, i % GRID, i / GRID);
    for (s = -SHADES; s <= SHADES; s++) {
        fprintf(f, "<path class='%s' opacity='%.2f' d='", s < 0 ? "minus" : "plus",
                0.1 * (s < 0 ? -s : s));
        for (i = 0; i < GRID; i++)
            for (j = 0; j < GRID; j = end) {
                for (end = j + 1; end < GRID && at[i][end] == at[i][j]; end++) {}
                if (at[i][j] == s)
                    fprintf(f, "M%d %dh%dv%dh%dz", j * CELL, i * CELL, (end - j) * CELL, CELL,
                            (j - end) * CELL);
            }
        fputs("'/>\n", f);
    }
}

static void draw_points(FILE *f, const problem *p)
{
    uint32_t i;
    for (i = 0; i < POINTS; i++) {
        double x = place(p->x[i][0]), y = place(-p->x[i][1]);
        if (p->y[i] > 0)
            fprintf(f, "<circle cx='%.1f' cy='%.1f' r='4.5' class='plus dot'/>\n", x, y);
        else
            fprintf(f, "<rect x='%.1f' y='%.1f' width='8' height='8' class='minus dot'/>\n", x - 4,
                    y - 4);
    }
    for (i = 0; i < p->m.model.slots; i++) {
        const float *z = p->m.model.value + p->m.model.slot[i].start;
        fprintf(f, "<circle cx='%.1f' cy='%.1f' r='8.5' class='ring'/>\n", place(z[0]), place(-z[1]));
    }
}

static void draw_problem(FILE *f, const problem *p, int left)
{
    const pcn_count *count = &p->m.p.count;
    fprintf(f, TEXT("%s"), left, TOP - 16, "head", p->name);
    fprintf(f, TEXT("%s"), left + SIDE, TOP - 16, "end", p->kernel);
    fprintf(f, "<svg x='%d' y='%d' width='%d' height='%d'>\n", left, TOP, SIDE, SIDE);
    draw_regions(f, p);
    draw_points(f, p);
    fprintf(f, "</svg>\n<rect x='%d' y='%d' width='%d' height='%d' class='frame'/>\n", left, TOP, SIDE,
            SIDE);
    fprintf(f, TEXT("%u updates, %u support vectors, %.1f %% of %d fresh points wrong by vote"), left,
            TOP + SIDE + 26, "start", (unsigned)count->updates, (unsigned)p->m.model.slots,
            error(p, PCN_VOTE), FRESH);
}

static int draw(FILE *f, const problem *xor, const problem *rings)
{
    int bad;
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='616' "
            "viewBox='0 0 960 616'>\n<style>\n"
            "text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }\n"
            ".title { font-size: 26px } .subtitle { font-size: 15px } .head { font-size: 16px }\n"
            ".title, .head { font-weight: bold } .end { text-anchor: end }\n"
            "text { fill: #4b5563 } .title, .head { fill: #111827 } .paper { fill: #fff }\n"
            ".plus { fill: #005cab } .minus { fill: #d94801 } path { shape-rendering: crispEdges }\n"
            ".dot { stroke: #fff; stroke-width: 1 } .frame { fill: none; stroke: #9ca3af }\n"
            ".ring { fill: none; stroke: #111827; stroke-width: 1.5 }\n"
            "</style>\n<rect width='960' height='616' class='paper'/>\n");
    fprintf(f, TEXT("What no straight line divides"), 40, 56, "title");
    fprintf(f, TEXT("Kernel perceptrons in static memory. Ringed: the points that they keep. "
                    "The deeper the ground, the more they agree."), 40, 84, "subtitle");
    draw_problem(f, xor, 40);
    draw_problem(f, rings, 40 + GAP);
    fputs("</svg>\n", f);
    bad = ferror(f);
    return fclose(f) || bad;
}

static void print(const problem *p)
{
    printf("%-6s %8u %8u %7.1f %% %6.1f %% %6.1f %%\n", p->name, (unsigned)p->m.p.count.updates,
           (unsigned)p->m.model.slots, error(p, PCN_LAST), error(p, PCN_MEAN), error(p, PCN_VOTE));
}

int main(int argc, char **argv)
{
    static problem xor = {"XOR", "(1 + x&#183;z)&#178;", make_xor};
    static problem rings = {"Rings", "exp(&#8722;6 |x &#8722; z|&#178;)", make_ring};
    const char *file = argc > 1 ? argv[1] : "build/rings.svg";
    int result = learn(&xor, pcn_kernel_poly(2, 1, 1));
    FILE *f;
    if (result == PCN_OK) result = learn(&rings, pcn_kernel_rbf(6));
    if (result != PCN_OK) {
        fprintf(stderr, "%s\n", pcn_error_text(result));
        return 1;
    }
    printf("        updates  vectors   error: last     mean     vote\n");
    print(&xor);
    print(&rings);
    f = fopen(file, "w");
    if (!f || draw(f, &xor, &rings)) {
        fprintf(stderr, "%s: cannot be written\n", file);
        return 3;
    }
    printf("wrote %s\n", file);
}
