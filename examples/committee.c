/* build with: cc -std=c99 -O2 -I. examples/committee.c -o build/committee -lm
 *
 * Whose votes count? p experts vote +1 or -1, and the right answer is the majority of an unknown
 * panel of k of them (Su, section 3). Adding, the perceptron makes up to p k mistakes; multiplying,
 * Winnow makes up to 2 k^2 ln(p / k): a hundred times as many experts hardly trouble it.
 * committee [DRAWING.svg] prints both and draws them. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <math.h>
#include <stdio.h>

enum { PANEL = 3, ROUNDS = 3000, MOST = 1000, SIZES = 13, FIT_FROM = 50 };
enum { PERCEPTRON, WINNOW, ALGORITHMS, PERCEPTRON_BOUND = ALGORITHMS, WINNOW_BOUND, CURVES };

static const uint32_t experts[SIZES] = {10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000};
static double curve[CURVES][SIZES], power[ALGORITHMS]; /* mistakes, and b in mistakes ~ p^b */

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
        if (j < PANEL) votes += state >> 31 ? 1 : -1;
    }
    return votes;
}

static int learn_committee(int size)
{
    static float memory[ALGORITHMS][PCN_WEIGHTS(MOST, 1)], exponent[PCN_BATCH(MOST, 1)], x[MOST];
    const double k = PANEL, eta = 0.5 * log((1 + 1 / k) / (1 - 1 / k));
    const uint32_t p = experts[size];
    pcn_perceptron m[ALGORITHMS];
    int round, a;
    for (a = 0; a < ALGORITHMS; a++) {
        if (pcn_perceptron_init(&m[a], memory[a], PCN_LENGTH(memory[a]), p, 1) != PCN_OK) return 0;
        m[a].learner.bias_input = 0;
        m[a].learner.zero_predicted = 1; /* learn from mistakes only */
    }
    if (pcn_winnow_init(&m[WINNOW], exponent, PCN_LENGTH(exponent), 0, 0) != PCN_OK) return 0;
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

/* Least squares in logarithms, from FIT_FROM experts on: among fewer, the panel is soon found. */
static double fit_power(const double *y)
{
    double n = 0, u = 0, v = 0, uu = 0, uv = 0;
    int i;
    for (i = 0; i < SIZES; i++) {
        if (experts[i] < FIT_FROM) continue;
        n += 1;
        u += log(experts[i]);
        v += log(y[i]);
        uu += log(experts[i]) * log(experts[i]);
        uv += log(experts[i]) * log(y[i]);
    }
    return (n * uv - u * v) / (n * uu - u * u);
}

/* ---- The drawing: both axes logarithmic ------------------------------------------------------ */

#define TEXT(words) "<text x='%.0f' y='%.0f' class='%s'>" words "</text>\n"
#define DOT "<circle class='%s' cx='%.1f' cy='%.1f' r='3.5'/>\n"
#define LINE "<path class='%s' d='M%.0f %.0fL%.0f %.0f'/>\n"

static const double left = 84, right = 660, top = 126, bottom = 516, lowest = 10, highest = 5000;

static double plot_x(double p)
{
    return left + (right - left) * log(p / experts[0]) / log((double)MOST / experts[0]);
}

static double plot_y(double mistakes)
{
    return bottom - (bottom - top) * log(mistakes / lowest) / log(highest / lowest);
}

static void draw_axes(FILE *f)
{
    static const int tick[] = {1, 2, 5}, tens[] = {10, 100, 1000};
    size_t i;
    for (i = 0; i < 9; i++) {
        int value = tick[i % 3] * tens[i / 3];
        double y = plot_y(value);
        fprintf(f, LINE, value == 10 ? "axis" : "grid", left, y, right, y);
        fprintf(f, TEXT("%d"), left - 10, y + 4, "end", value);
        if (value > MOST) continue;
        fprintf(f, LINE, "axis", plot_x(value), bottom, plot_x(value), bottom + 5);
        fprintf(f, TEXT("%d"), plot_x(value), bottom + 21, "mid", value);
    }
    fprintf(f, TEXT("experts p"), (left + right) / 2, bottom + 44, "mid");
    fprintf(f, TEXT("mistakes"), 40.0, top - 14, "start");
}

static void draw_curve(FILE *f, int c, const char *style, const char *name)
{
    double y = plot_y(curve[c][SIZES - 1]);
    int i;
    fprintf(f, "<path class='%s' d='", style);
    for (i = 0; i < SIZES; i++)
        fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', plot_x(experts[i]), plot_y(curve[c][i]));
    fputs("'/>\n", f);
    for (i = 0; i < SIZES && c < ALGORITHMS; i++)
        fprintf(f, DOT, style, plot_x(experts[i]), plot_y(curve[c][i]));
    fprintf(f, TEXT("%s"), right + 14, y, style, name);
    fprintf(f, TEXT("at p = %d: %.0f"), right + 14, y + 16, "start", MOST, curve[c][SIZES - 1]);
}

static void draw(FILE *f)
{
    fputs("<svg xmlns='http://www.w3.org/2000/svg' width='880' height='580' "
          "viewBox='0 0 880 580'>\n<style>\n"
          "text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif;\n"
          "       fill: #4b5563 }\n"
          ".title { font-size: 26px; fill: #111827 } .subtitle { font-size: 15px }\n"
          ".title, .add, .multiply { font-weight: bold } .up { font-size: 11px }\n"
          ".mid { text-anchor: middle } .end { text-anchor: end }\n"
          "path { fill: none } .grid { stroke: #e5e7eb } .axis { stroke: #9ca3af }\n"
          "path.bound { stroke: #6b7280; stroke-width: 1.5; stroke-dasharray: 5 4 }\n"
          "path.add { stroke: #d94801; stroke-width: 2.5 } circle.add { fill: #d94801 }\n"
          "path.multiply { stroke: #005cab; stroke-width: 4 }\n"
          "circle.multiply, text.multiply { fill: #005cab } text.add { fill: #b53c00 }\n</style>\n"
          "<rect width='880' height='580' fill='#fff'/>\n", f);
    fprintf(f, TEXT("Whose votes count?"), 40.0, 52.0, "title");
    fprintf(f, TEXT("A panel of %d of p experts decides, %d times; mistakes from p = 50 on: "
                    "p<tspan class='up' dy='-6'>%.2f</tspan><tspan dy='6'>, by</tspan> Winnow "
                    "p<tspan class='up' dy='-6'>%.2f</tspan>"),
            40.0, 78.0, "subtitle", PANEL, ROUNDS, power[PERCEPTRON], power[WINNOW]);
    draw_axes(f);
    draw_curve(f, PERCEPTRON_BOUND, "bound", "never more than p k");
    draw_curve(f, PERCEPTRON, "add", "Perceptron adds");
    draw_curve(f, WINNOW_BOUND, "bound", "never more than 2 k² ln(p / k)");
    draw_curve(f, WINNOW, "multiply", "Winnow multiplies");
    fputs("</svg>\n", f);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "build/committee.svg";
    FILE *f;
    int i, bad;
    printf("experts  perceptron  at most  Winnow  at most\n");
    for (i = 0; i < SIZES; i++) {
        if (!learn_committee(i)) return 1;
        printf("%7u %11.0f %8.0f %7.0f %8.1f\n", experts[i], curve[PERCEPTRON][i],
               curve[PERCEPTRON_BOUND][i], curve[WINNOW][i], curve[WINNOW_BOUND][i]);
    }
    for (i = 0; i < ALGORITHMS; i++) power[i] = fit_power(curve[i]);
    printf("mistakes from p = %d on: perceptron ~ p^%.2f, Winnow ~ p^%.2f\n", FIT_FROM,
           power[PERCEPTRON], power[WINNOW]);
    f = fopen(name, "w");
    if (!f) return perror(name), 3;
    draw(f);
    bad = ferror(f);
    if (fclose(f) || bad) return fprintf(stderr, "%s: cannot be written\n", name), 3;
    printf("wrote %s\n", name);
    return fflush(stdout) || ferror(stdout) ? 3 : 0;
}
