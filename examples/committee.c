/* build with: cc -std=c99 -O2 -I. examples/committee.c -o build/committee -lm
 *
 * Whose votes count? p experts vote +1 or -1, and the right answer is the majority of an unknown
 * panel of k of them (Su, section 3). Adding, the perceptron makes up to p k mistakes; multiplying,
 * Winnow makes up to 2 k^2 ln(p / k): a hundred times as many experts hardly trouble it.
 *
 * committee [K [P [PICTURE.svg]]]: a panel of K (odd, 3 to 15; default 3) among up to P experts (50 K to
 * 5000; default 1000). Prints the mistakes and draws them, into build/committee.svg or the file named.
 *
 * It prints:
 *
 *     experts  perceptron  at most  Winnow  at most
 *          10          16       30      12     21.7
 *          15          18       45      15     29.0
 *          20          30       60      14     34.1
 *          30          53       90      19     41.4
 *          50          71      150      21     50.6
 *          70         111      210      29     56.7
 *         100         144      300      30     63.1
 *         150         225      450      35     70.4
 *         200         253      600      37     75.6
 *         300         392      900      45     82.9
 *         500         548     1500      44     92.1
 *         700         657     2100      48     98.1
 *        1000         775     3000      51    104.6
 *     mistakes from p = 50 on: perceptron ~ p^0.79, Winnow ~ p^0.26
 *     wrote build/committee.svg
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "picture.h"
#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 3000, MOST_PANEL = 15, LEAST_TIMES = 50, MOST = 5000, MOST_SIZES = 20, USAGE = 1, IO = 3 };
enum { PERCEPTRON, WINNOW, ALGORITHMS, PERCEPTRON_BOUND = ALGORITHMS, WINNOW_BOUND, CURVES };

static uint32_t panel, experts[MOST_SIZES]; /* k; the values of p that are tried */
static int sizes;                           /* how many of them */
static double curve[CURVES][MOST_SIZES], power[ALGORITHMS]; /* mistakes, and b in mistakes ~ p^b */

/* ---- Learning -------------------------------------------------------------------------------- */

/* One round: every expert tosses a coin; the panel is the first k experts, which nobody knows. */
static int vote(float *x, uint32_t p)
{
    static uint32_t state = 1;
    uint32_t j;
    int votes = 0;
    for (j = 0; j < p; j++) {
        state = state * 1664525u + 1013904223u;
        x[j] = state >> 31 ? 1.0f : -1.0f;
        if (j < panel) votes += state >> 31 ? 1 : -1;
    }
    return votes;
}

static int learn_committee(int size)
{
    static float memory[ALGORITHMS][PCN_PERCEPTRON_FLOATS(MOST, 1)], exponent[PCN_LINEAR_FLOATS(MOST, 1)], x[MOST];
    const double k = panel, eta = 0.5 * log((1 + 1 / k) / (1 - 1 / k));
    const uint32_t p = experts[size];
    pcn_perceptron m[ALGORITHMS];
    int round, a;
    for (a = 0; a < ALGORITHMS; a++) {
        if (pcn_perceptron_init(&m[a], p, 1, memory[a], PCN_LENGTH(memory[a])) != PCN_OK) return 0;
        m[a].learner.bias_input = 0;
        m[a].learner.zero_predicted = 1; /* learn from mistakes only */
    }
    if (pcn_perceptron_use_winnow(&m[WINNOW], 0, 0, exponent, PCN_LENGTH(exponent)) != PCN_OK) return 0;
    m[WINNOW].learner.rule.rate = (float)(eta / log(2)); /* weights times e^(eta y x) */
    for (round = 0; round < ROUNDS; round++) {
        int right = vote(x, p);
        for (a = 0; a < ALGORITHMS; a++) pcn_perceptron_learn(&m[a], pcn_dense(x, p), right);
    }
    for (a = 0; a < ALGORITHMS; a++) curve[a][size] = (double)m[a].learner.count.mistakes;
    curve[PERCEPTRON_BOUND][size] = p * k;
    curve[WINNOW_BOUND][size] = 2 * k * k * log(p / k);
    return 1;
}

/* Least squares in logarithms, from five times the first size on: among fewer, the panel is soon found. */
static uint32_t fit_from(void) { return 5 * experts[0]; }

static double fit_power(const double *y)
{
    double n = 0, u = 0, v = 0, uu = 0, uv = 0;
    int i;
    for (i = 0; i < sizes; i++) {
        if (experts[i] < fit_from()) continue;
        n += 1;
        u += log(experts[i]);
        v += log(y[i]);
        uu += log(experts[i]) * log(experts[i]);
        uv += log(experts[i]) * log(y[i]);
    }
    return (n * uv - u * v) / (n * uu - u * u);
}

/* ---- The picture: both axes logarithmic ------------------------------------------------------- */

enum { LEFT = 100, RIGHT = 660, TOP = 140, BOTTOM = 530 };

static double lowest, highest; /* of the axis of mistakes */

/* 1, 2, 5, 10, 20, 50, ... */
static int tick(int i)
{
    static const int digit[] = {1, 2, 5};
    int value = digit[i % 3];
    for (; i >= 3; i -= 3) value *= 10;
    return value;
}

static double plot_x(double p)
{
    return LEFT + (RIGHT - LEFT) * log(p / experts[0]) / log((double)experts[sizes - 1] / experts[0]);
}

static double plot_y(double mistakes)
{
    return BOTTOM - (BOTTOM - TOP) * log(mistakes / lowest) / log(highest / lowest);
}

/* The axis of mistakes goes from a tick below all curves to a tick above. */
static void find_range(void)
{
    double least = curve[WINNOW][0], most = 0;
    int c, i;
    for (c = 0; c < CURVES; c++) {
        for (i = 0; i < sizes; i++) {
            if (curve[c][i] < least) least = curve[c][i];
            if (curve[c][i] > most) most = curve[c][i];
        }
    }
    lowest = highest = 1;
    for (i = 0; tick(i) <= least; i++) lowest = tick(i);
    for (i = 0; highest < most; i++) highest = tick(i);
}

static void draw_axes(FILE *f)
{
    int i, value;
    for (i = 0; (value = tick(i)) <= highest; i++) {
        if (value < lowest) continue;
        draw_line(f, value > lowest ? "grid" : "axis", LEFT, plot_y(value), RIGHT, plot_y(value));
        draw_text(f, LEFT - 10, plot_y(value) + 4, "end", "%d", value);
    }
    for (i = 0; (value = tick(i)) <= (int)experts[sizes - 1]; i++) {
        if (value < (int)experts[0]) continue;
        draw_line(f, "axis", plot_x(value), BOTTOM, plot_x(value), BOTTOM + 5);
        draw_text(f, plot_x(value), BOTTOM + 21, "mid", "%d", value);
    }
    draw_text(f, (LEFT + RIGHT) / 2, BOTTOM + 44, "mid", "experts p");
    draw_text(f, 40, TOP - 18, "start", "mistakes in %d rounds", ROUNDS);
}

static const char *const style[CURVES] = {"orange", "blue", "gray dashed", "gray dashed"};

static void draw_curve(FILE *f, int c)
{
    int i;
    fprintf(f, "<path class='%s' d='", style[c]);
    for (i = 0; i < sizes; i++) draw_to(f, i == 0, plot_x(experts[i]), plot_y(curve[c][i]));
    fputs("'/>\n", f);
    if (c >= ALGORITHMS) return;
    for (i = 0; i < sizes; i++) draw_dot(f, style[c], plot_x(experts[i]), plot_y(curve[c][i]), 3.5);
}

/* Each curve's name at its end, from the top; a name that would lie on the one before it is moved down. */
static void draw_names(FILE *f)
{
    static const char *const name[CURVES] = {"Perceptron adds", "Winnow multiplies", "never more than p k",
                                             "never more than 2 k&#178; ln(p / k)"};
    const int last = sizes - 1;
    int named[CURVES] = {0}, i, c, next;
    double y = 0;
    for (i = 0; i < CURVES; i++) {
        next = -1;
        for (c = 0; c < CURVES; c++)
            if (!named[c] && (next < 0 || curve[c][last] > curve[next][last])) next = c;
        named[next] = 1;
        y = fmax(y + 36, plot_y(curve[next][last]));
        draw_text(f, RIGHT + 14, y, style[next], "%s", name[next]);
        draw_text(f, RIGHT + 14, y + 16, "start", "at p = %u: %.0f", experts[last], curve[next][last]);
    }
}

static int draw(const char *file)
{
    FILE *f = picture_begin(file, 920, 600, "Whose votes count?",
                            "Mistakes by the number of experts p, up to %u, of whom a panel of k = %u decides. "
                            "Those of the perceptron grow as p to the power of %.2f, those of Winnow as p "
                            "to the power of %.2f.",
                            experts[sizes - 1], panel, power[PERCEPTRON], power[WINNOW]);
    int c;
    if (!f) return 0;
    draw_text(f, 40, 82, "subtitle",
              "A panel of k = %u among up to p = %u experts decides. Mistakes grow as "
              "p<tspan font-size='11' dy='-6'>%.2f</tspan><tspan dy='6'>, by</tspan> Winnow as "
              "p<tspan font-size='11' dy='-6'>%.2f</tspan>",
              panel, experts[sizes - 1], power[PERCEPTRON], power[WINNOW]);
    find_range();
    draw_axes(f);
    for (c = CURVES - 1; c >= 0; c--) draw_curve(f, c); /* the bounds first, below the others */
    draw_names(f);
    return picture_end(f);
}

/* ---- The command line ------------------------------------------------------------------------- */

/* A whole number from `least` to `most`, or the end of the program. */
static uint32_t number(const char *name, const char *text, uint32_t least, uint32_t most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end > text && !*end && value >= (long)least && value <= (long)most) return (uint32_t)value;
    fprintf(stderr, "%s is '%s': give a whole number from %u to %u\n", name, text, least, most);
    exit(USAGE);
}

/* p = 10, 15, 20, 30, 50, 70, 100, 150, ... as far as they are from 3 k to `most`, and `most` itself. */
static void choose_sizes(uint32_t most)
{
    static const uint32_t digits[] = {10, 15, 20, 30, 50, 70};
    uint32_t ten, p;
    int i;
    for (ten = 1; ten < most; ten *= 10) {
        for (i = 0; i < 6; i++) {
            p = ten * digits[i];
            if (p >= 3 * panel && p < most) experts[sizes++] = p;
        }
    }
    experts[sizes++] = most;
}

int main(int argc, char **argv)
{
    const char *file = argc > 3 ? argv[3] : "build/committee.svg";
    int i;
    if (argc > 4) return fputs("usage: committee [K [P [PICTURE.svg]]]\n", stderr), USAGE;
    panel = argc > 1 ? number("the panel K", argv[1], 3, MOST_PANEL) : 3;
    if (panel % 2 == 0)
        return fprintf(stderr, "the panel K is %u: give an odd number, so that no vote is a tie\n", panel), USAGE;
    choose_sizes(argc > 2 ? number("the number of experts P", argv[2], LEAST_TIMES * panel, MOST) : 1000);
    printf("experts  perceptron  at most  Winnow  at most\n");
    for (i = 0; i < sizes; i++) {
        if (!learn_committee(i)) return 1;
        printf("%7u %11.0f %8.0f %7.0f %8.1f\n", experts[i], curve[PERCEPTRON][i],
               curve[PERCEPTRON_BOUND][i], curve[WINNOW][i], curve[WINNOW_BOUND][i]);
    }
    for (i = 0; i < ALGORITHMS; i++) power[i] = fit_power(curve[i]);
    printf("mistakes from p = %u on: perceptron ~ p^%.2f, Winnow ~ p^%.2f\n", fit_from(), power[PERCEPTRON],
           power[WINNOW]);
    if (!draw(file)) return fprintf(stderr, "%s: cannot be written\n", file), IO;
    printf("wrote %s\n", file);
    return fflush(stdout) || ferror(stdout) ? IO : 0;
}
