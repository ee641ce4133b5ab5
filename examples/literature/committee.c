/* build with: cc -std=c99 -O2 -I. examples/literature/committee.c -o build/committee -lm
 *
 * Whose votes count? p experts vote +1 or -1, and the right answer is the majority of an unknown
 * panel of k of them (Su, section 3). Adding, the perceptron makes up to p k mistakes; multiplying,
 * Winnow makes up to 2 k^2 ln(p / k): a hundred times as many experts hardly trouble it.
 *
 * A run goes on, its rounds doubled, until fewer than one round in 1000 of its second half is a mistake, or until it
 * has had 200 million votes: then it was cut, has a + in the table and a ring in the picture, and is not fitted.
 *
 * committee [K [P [PICTURE.svg]]]: a panel of K (odd, 1 to 99; default 3) among up to P experts (50 K to
 * 5000; default 1000). Prints the mistakes and draws them, into build/committee.svg or the file named.
 *
 * It prints:
 *
 *     experts  perceptron  at most  Winnow  at most
 *          10          16       30      12     21.7
 *          15          18       45      10     29.0
 *          20          32       60      16     34.1
 *          30          50       90      22     41.4
 *          50          78      150      19     50.6
 *          70         103      210      24     56.7
 *         100         156      300      23     63.1
 *         150         228      450      38     70.4
 *         200         299      600      42     75.6
 *         300         454      900      41     82.9
 *         500         740     1500      49     92.1
 *         700        1082     2100      60     98.1
 *        1000        1551     3000      52    104.6
 *     mistakes from p = 50 on: perceptron ~ p^1.00, Winnow ~ -30.9 + 12.9 ln p
 *     wrote build/committee.svg
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "../must.h"
#include "../picture.h"
#include <math.h>

enum { VOTES = 200000000, ROUNDS = 1000, ERRORS = 1000 }; /* at most; at first; learned: one error in so many rounds */
enum { MOST_PANEL = 99, LEAST_TIMES = 50, MOST = 5000, MOST_SIZES = 24, USAGE = 1, IO = 3 };
enum { PERCEPTRON, WINNOW, ALGORITHMS, PERCEPTRON_BOUND = ALGORITHMS, WINNOW_BOUND, CURVES };

static uint32_t panel, experts[MOST_SIZES]; /* k; the values of p that are tried */
static int sizes;                           /* how many of them */
static double curve[CURVES][MOST_SIZES];    /* mistakes */
static int cut[ALGORITHMS][MOST_SIZES];     /* the run ended before it had learned */
static double fit[ALGORITHMS][2];           /* a and b: ln of the perceptron's ~ a + b ln p, Winnow's ~ a + b ln p */

/* ---- Learning -------------------------------------------------------------------------------- */

/* One round: every expert tosses a coin; the panel is the first k experts, which nobody knows. Returns the class. */
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
    return votes > 0;
}

/* Rounds, doubled until all have learned; a run is cut that has had its votes. */
static void learn_rounds(pcn_perceptron *m, float *x, int size)
{
    const uint32_t p = experts[size];
    double before[ALGORITHMS], after;
    uint32_t round = 0, rounds = ROUNDS;
    int a, learning = 1;
    for (; learning; rounds *= 2) {
        for (a = 0; a < ALGORITHMS; a++) before[a] = (double)m[a].learner.count.mistakes;
        for (; round < rounds; round++) {
            int right = vote(x, p);
            for (a = 0; a < ALGORITHMS; a++) must(pcn_perceptron_learn(&m[a], pcn_dense(x, p), right));
        }
        for (a = learning = 0; a < ALGORITHMS; a++) {
            after = (double)m[a].learner.count.mistakes;
            cut[a][size] = (after - before[a]) * ERRORS >= rounds / 2;
            learning |= cut[a][size];
            curve[a][size] = after;
        }
        if (2.0 * rounds * p > VOTES) break;
    }
}

static void learn_committee(int size)
{
    static float memory[ALGORITHMS][PCN_PERCEPTRON_FLOATS(MOST, 2)], exponent[PCN_LINEAR_FLOATS(MOST, 2)], x[MOST];
    const double k = panel, eta = panel == 1 ? 2 : 0.5 * log((1 + 1 / k) / (1 - 1 / k)); /* of one alone: any */
    const uint32_t p = experts[size];
    pcn_perceptron m[ALGORITHMS];
    int a;
    for (a = 0; a < ALGORITHMS; a++) {
        must(pcn_perceptron_init(&m[a], p, 2, memory[a], sizeof memory[a]));
        m[a].learner.bias_input = 0;
        m[a].learner.zero_predicted = 1; /* learn from mistakes only */
    }
    must(pcn_perceptron_use_winnow(&m[WINNOW], 0, 0, exponent, sizeof exponent));
    m[WINNOW].learner.rule.rate = (float)(eta / log(2)); /* weights times e^(eta y x) */
    learn_rounds(m, x, size);
    curve[PERCEPTRON_BOUND][size] = p * k;
    curve[WINNOW_BOUND][size] = 2 * k * k * log(p / k);
}

/* Least squares from five times the first size on: among fewer, the panel is soon found. Returns the runs. */
static uint32_t fit_from(void)
{
    return 5 * experts[0];
}

static int fit_mistakes(int a)
{
    double n = 0, u = 0, v = 0, uu = 0, uv = 0, y;
    int i;
    for (i = 0; i < sizes; i++) {
        if (experts[i] < fit_from() || cut[a][i]) continue;
        y = a == PERCEPTRON ? log(curve[a][i]) : curve[a][i];
        n += 1;
        u += log(experts[i]);
        v += y;
        uu += log(experts[i]) * log(experts[i]);
        uv += log(experts[i]) * y;
    }
    fit[a][1] = n > 1 ? (n * uv - u * v) / (n * uu - u * u) : 0;
    fit[a][0] = n > 1 ? (v - fit[a][1] * u) / n : 0;
    return n > 1;
}

/* What is said of it. */
static const char *growth(int a)
{
    static char text[ALGORITHMS][80];
    if (!fit_mistakes(a)) return "unknown: too few runs learned it";
    snprintf(text[a], sizeof text[a], a == PERCEPTRON ? "p^%.2f" : "%.3g + %.3g ln p",
             a == PERCEPTRON ? fit[a][1] : fit[a][0], fit[a][1]);
    return text[a];
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
    draw_text(f, 40, TOP - 18, "start", "mistakes until learned");
}

static const char *const style[CURVES] = {"orange", "blue", "gray dashed", "gray dashed"};

static void draw_curve(FILE *f, int c)
{
    int i;
    fprintf(f, "<path class='%s' d='", style[c]);
    for (i = 0; i < sizes; i++) draw_to(f, i == 0, plot_x(experts[i]), plot_y(curve[c][i]));
    fputs("'/>\n", f);
    if (c >= ALGORITHMS) return;
    for (i = 0; i < sizes; i++)
        fprintf(f, "<circle class='%s%s' cx='%g' cy='%g' r='4'/>\n", style[c], cut[c][i] ? " open" : "",
                picture_tenth(plot_x(experts[i])), picture_tenth(plot_y(curve[c][i])));
}

/* Each curve's name at its end, from the top; a name that would lie on the one before it is moved down. */
static void draw_names(FILE *f)
{
    static const char *const name[CURVES] = {"Perceptron adds", "Winnow multiplies", "never more than p k (Su)",
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
                            "Those of the perceptron grow as %s, those of Winnow as %s.",
                            experts[sizes - 1], panel, growth(PERCEPTRON), growth(WINNOW));
    int c, i, cuts = 0;
    if (!f) return 0;
    for (i = 0; i < sizes; i++) cuts += cut[PERCEPTRON][i] || cut[WINNOW][i];
    fputs("<style>.open { fill: #fff; stroke: currentColor; stroke-width: 2 }</style>\n", f);
    draw_text(f, 40, 82, "subtitle",
              "A panel of k = %u among up to p = %u experts decides. Perceptron ~ %s, Winnow ~ %s", panel,
              experts[sizes - 1], growth(PERCEPTRON), growth(WINNOW));
    if (cuts) draw_text(f, 240, TOP - 18, "start", "rings: cut after %d million votes", VOTES / 1000000);
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
    panel = argc > 1 ? number("the panel K", argv[1], 1, MOST_PANEL) : 3;
    if (panel % 2 == 0)
        return fprintf(stderr, "the panel K is %u: give an odd number, so that no vote is a tie\n", panel), USAGE;
    choose_sizes(argc > 2 ? number("the number of experts P", argv[2], LEAST_TIMES * panel, MOST) : 1000);
    printf("experts  perceptron  at most  Winnow  at most\n");
    for (i = 0; i < sizes; i++) {
        learn_committee(i);
        printf("%7u %11.0f%c %7.0f %7.0f%c %7.1f\n", experts[i], curve[PERCEPTRON][i], cut[PERCEPTRON][i] ? '+' : ' ',
               curve[PERCEPTRON_BOUND][i], curve[WINNOW][i], cut[WINNOW][i] ? '+' : ' ', curve[WINNOW_BOUND][i]);
    }
    printf("mistakes from p = %u on: perceptron ~ %s, Winnow ~ %s\n", fit_from(), growth(PERCEPTRON), growth(WINNOW));
    if (!draw(file)) return fprintf(stderr, "%s: cannot be written\n", file), IO;
    printf("wrote %s\n", file);
    return fflush(stdout) || ferror(stdout) ? IO : 0;
}
