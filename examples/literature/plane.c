/* build with: cc -std=c99 -O2 -I. examples/literature/plane.c -o build/plane -lm
 *
 * The perceptron convergence proof in numbers and in a picture. W = (b, w1, w2) starts at 0, X = (1, x1, x2), and an
 * update adds y X. Novikoff (1962) takes any W* with y W*.X >= g > 0 for all points. Then
 *
 *     W.W* grows by g at least           so after k updates  W.W* >= k g
 *     |W|^2 grows by R^2 at most         so after k updates  |W|^2 <= k R^2   (R^2: the largest |X|^2)
 *
 * The second holds because the point was on the wrong side: y W.X <= 0. W.W* is at most |W| |W*|, so
 * k g <= sqrt(k) R |W*|, and k cannot pass (R |W*| / g)^2. Everything here is a whole number. `y s` is
 * that of the point before its update. `least` is the least y s of all points after it.
 *
 * plane [PICTURE.svg] draws the line after each update, and the two sides of the proof, into
 * build/plane.svg or the file named. `make pictures` makes examples/literature/plane.svg so.
 *
 * It prints:
 *
 *     W* = (1, 0, 2), |W*|^2 = 5, g = 1, R^2 = 6: at most 30 updates
 *
 *      k  point    y  y s     b  w1  w2  least   W.W*  >= k g   |W|^2  <= k R^2
 *      1  -2 -1   -1    0    -1   2   1     -5      1       1       6         6
 *      2  -1  2   +1   -1     0   1   3     -2      6       2      10        12
 *      3  -2  0   +1   -2     1  -1   3      0      7       3      11        18
 *      4  -2 -1   -1    0     0   1   4     -2      8       4      17        24
 *      5  -2  0   +1   -2     1  -1   4      1      9       5      18        30
 *
 *     No update in epoch 3. 5 updates were enough, 30 were allowed.
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "../must.h"
#include "../picture.h"
#include <math.h>

enum { POINTS = 6, W = PCN_LINEAR_FLOATS(2, 2), MOST = 30 }; /* W: two weights and the bias. MOST: updates */

static const float x[POINTS][2] = {{-2, -1}, {0, -1}, {1, -2}, {-1, 2}, {2, -1}, {-2, 0}};
static const int y[POINTS] = {-1, -1, -1, 1, -1, 1};

/* What the proof needs to know of weights: the least y s, and the largest |X|^2. */
static pcn_measure measure(const pcn_linear *m)
{
    pcn_measure q;
    pcn_measure_init(&q);
    for (int i = 0; i < POINTS; i++) {
        pcn_vec point = pcn_dense(x[i], 2);
        float score = pcn_linear_score(m, point);
        int guess = pcn_linear_predict(m, point);
        pcn_measure_add(&q, &score, 1, y[i], guess, pcn_norm2(point) + 1); /* + 1: the bias input */
    }
    return q;
}

/* What is known after an update. */
typedef struct step {
    double w1, w2, b;
    int least, along, length2; /* least y s, W.W*, |W|^2 */
} step;

static const float star[W] = {0, 2, 1}; /* W*: w1, w2, then the bias, as a trainer keeps them */
static step after[MOST + 1];            /* after no update, after one, ... */
static int updates, star2, g, radius2, bound;

static void note_step(const pcn_perceptron *m)
{
    step *s = &after[m->learner.count.updates];
    s->w1 = (double)m->live.weight[0];
    s->w2 = (double)m->live.weight[1];
    s->b = (double)m->live.bias[0];
    s->least = (int)measure(&m->live).margin;
    s->along = (int)pcn_dot(m->live.weight, W, pcn_dense(star, W));
    s->length2 = (int)pcn_norm2(pcn_dense(m->live.weight, W));
    updates = (int)m->learner.count.updates;
}

/* ---- The picture: the plane -------------------------------------------------------------------- */

enum { LEFT = 64, TOP = 160, SIDE = 400, UNIT = SIDE / 8 }; /* the plane from -4 to 4 */

static double plane_x(double x1)
{
    return LEFT + SIDE / 2 + UNIT * x1;
}
static double plane_y(double x2)
{
    return TOP + SIDE / 2 - UNIT * x2;
}

static void draw_plane_axes(FILE *f)
{
    for (int i = -4; i <= 4; i += 2) {
        draw_line(f, "grid", plane_x(i), TOP, plane_x(i), TOP + SIDE);
        draw_line(f, "grid", LEFT, plane_y(i), LEFT + SIDE, plane_y(i));
        draw_text(f, plane_x(i), TOP + SIDE + 18, "mid", "%d", i);
        draw_text(f, LEFT - 8, plane_y(i) + 4, "end", "%d", i);
    }
    draw_text(f, LEFT + SIDE / 2, TOP + SIDE + 38, "mid", "x1");
    draw_text(f, LEFT - 34, TOP + SIDE / 2 + 4, "mid", "x2");
    draw_box(f, "frame", LEFT, TOP, SIDE, SIDE);
}

/* Where b + w1 x1 + w2 x2 is `score`. Here w2 is never 0. */
static double line_x2(const step *s, double score, double x1)
{
    return (score - s->b - s->w1 * x1) / s->w2;
}

static void draw_score(FILE *f, const char *style, const step *s, double score)
{
    draw_line(f, style, plane_x(-5), plane_y(line_x2(s, score, -5)), plane_x(5), plane_y(line_x2(s, score, 5)));
}

/* One side of the line, up to the upper or the lower edge. */
static void draw_side(FILE *f, const char *style, const step *s, double edge)
{
    edge = s->w2 < 0 ? edge : -edge; /* the score grows upwards if w2 > 0 */
    fprintf(f, "<path class='%s' d='", style);
    draw_to(f, 1, plane_x(-5), plane_y(line_x2(s, 0, -5)));
    draw_to(f, 0, plane_x(5), plane_y(line_x2(s, 0, 5)));
    draw_to(f, 0, plane_x(5), plane_y(edge));
    draw_to(f, 0, plane_x(-5), plane_y(edge));
    fputs("'/>\n", f);
}

/* The number of the update, where its line leaves the plane on the left or at the top. */
static void draw_number(FILE *f, int k)
{
    const step *s = &after[k];
    double x1 = -4, x2 = line_x2(s, 0, x1);
    if (x2 > 4) {
        x2 = 4;
        x1 = -(s->b + s->w2 * x2) / s->w1;
    }
    double across = plane_x(x1) + (x2 < 4 ? 14 : 0), down = plane_y(x2) + (x2 < 4 ? 0 : 14);
    draw_dot(f, "badge", across, down, 8);
    draw_text(f, across, down + 4.5, k == updates ? "mid blue" : "mid", "%d", k);
}

/* From the line to where the score is |w|^2 more: that is w, at a right angle to the line. */
static void draw_weight_vector(FILE *f, const step *s)
{
    double length2 = s->w1 * s->w1 + s->w2 * s->w2;
    double x1 = -s->b * s->w1 / length2, x2 = -s->b * s->w2 / length2; /* nearest to 0 on the line */
    double tip_x = plane_x(x1 + s->w1), tip_y = plane_y(x2 + s->w2);
    double u = UNIT * s->w1 / sqrt(length2) / 5, v = -UNIT * s->w2 / sqrt(length2) / 5;
    draw_line(f, "blue", plane_x(x1), plane_y(x2), tip_x - u, tip_y - v);
    fprintf(f, "<path class='blue arrow' d='M%.1f %.1fL%.1f %.1fL%.1f %.1fZ'/>\n", tip_x, tip_y, tip_x - u - v / 2,
            tip_y - v + u / 2, tip_x - u + v / 2, tip_y - v - u / 2);
    draw_text(f, tip_x + 14, tip_y + 14, "blue", "w = (%g, %g), b = %g", s->w1, s->w2, s->b);
}

static void draw_plane(FILE *f)
{
    const step *last = &after[updates];
    draw_text(f, LEFT, TOP - 34, "head", "The line after each update");
    draw_mark(f, "", LEFT + 6, TOP - 15, 1, 6);
    draw_text(f, LEFT + 18, TOP - 11, "start", "y = +1");
    draw_mark(f, "", LEFT + 86, TOP - 15, 0, 6);
    draw_text(f, LEFT + 98, TOP - 11, "start", "y = &#8722;1");
    draw_line(f, "gray dashed", LEFT + 166, TOP - 15, LEFT + 192, TOP - 15);
    draw_text(f, LEFT + 200, TOP - 11, "start", "margin %d / |w| = %.2f", last->least,
              last->least / sqrt(last->w1 * last->w1 + last->w2 * last->w2));
    draw_plane_axes(f);
    fprintf(f,
            "<clipPath id='plane'><rect x='%d' y='%d' width='%d' height='%d'/></clipPath>\n"
            "<g clip-path='url(#plane)'>\n",
            LEFT, TOP, SIDE, SIDE);
    draw_side(f, "blue side", last, -5);
    draw_side(f, "orange side", last, 5);
    for (int k = 1; k < updates; k++) draw_score(f, "gray faint", &after[k], 0);
    draw_score(f, "gray dashed", last, last->least);
    draw_score(f, "gray dashed", last, -last->least);
    draw_score(f, "blue", last, 0);
    fputs("</g>\n", f);
    for (int k = 1; k <= updates; k++) draw_number(f, k);
    draw_weight_vector(f, last);
    for (int i = 0; i < POINTS; i++) draw_mark(f, "", plane_x((double)x[i][0]), plane_y((double)x[i][1]), y[i] > 0, 9);
}

/* ---- The picture: the proof -------------------------------------------------------------------- */

enum { PLOT_LEFT = 580, PLOT_WIDTH = 330, PLOT_HEIGHT = 150 };

/* One of two plots: its place, its axes. */
typedef struct plot {
    double top, updates, most;
} plot;

static double plot_x(const plot *p, double k)
{
    return PLOT_LEFT + PLOT_WIDTH * k / p->updates;
}
static double plot_y(const plot *p, double value)
{
    return p->top + PLOT_HEIGHT * (1 - value / p->most);
}

static void draw_plot_axes(FILE *f, const plot *p, int across, int up, const char *head)
{
    draw_text(f, PLOT_LEFT - 36, p->top - 34, "head", "%s", head);
    for (int value = 0; value <= p->most; value += up) {
        draw_line(f, value ? "grid" : "axis", PLOT_LEFT, plot_y(p, value), PLOT_LEFT + PLOT_WIDTH, plot_y(p, value));
        draw_text(f, PLOT_LEFT - 8, plot_y(p, value) + 4, "end", "%d", value);
    }
    for (int k = 0; k <= p->updates; k += across) {
        draw_line(f, "axis", plot_x(p, k), plot_y(p, 0), plot_x(p, k), plot_y(p, 0) + 5);
        draw_text(f, plot_x(p, k), plot_y(p, 0) + 19, "mid", "%d", k);
    }
    draw_text(f, PLOT_LEFT + PLOT_WIDTH / 2, plot_y(p, 0) + 37, "mid", "updates k");
}

static void draw_length(FILE *f)
{
    plot p = {.top = TOP, .updates = 6, .most = 40};
    draw_plot_axes(f, &p, 1, 10, "Each update adds R&#178; to |W|&#178; at most");
    draw_line(f, "orange", PLOT_LEFT - 36, p.top - 18, PLOT_LEFT - 10, p.top - 18);
    draw_text(f, PLOT_LEFT - 2, p.top - 14, "orange", "|W|&#178;");
    draw_line(f, "gray dashed", plot_x(&p, 0), plot_y(&p, 0), plot_x(&p, 6), plot_y(&p, 6 * radius2));
    draw_text(f, plot_x(&p, 3) - 8, plot_y(&p, 3 * radius2) - 8, "end", "k R&#178;, R&#178; = %d", radius2);
    fputs("<path class='orange' d='", f);
    for (int k = 0; k <= updates; k++) draw_to(f, k == 0, plot_x(&p, k), plot_y(&p, after[k].length2));
    fputs("'/>\n", f);
    for (int k = 0; k <= updates; k++) draw_dot(f, "orange", plot_x(&p, k), plot_y(&p, after[k].length2), 4);
}

static void draw_along(FILE *f)
{
    plot p = {.top = TOP + 250, .updates = bound, .most = 40};
    double reach = sqrt((double)radius2 * star2); /* R |W*| */
    draw_plot_axes(f, &p, 5, 10, "... and g to W&#183;W* at least: they meet");
    draw_line(f, "blue", PLOT_LEFT - 36, p.top - 18, PLOT_LEFT - 10, p.top - 18);
    draw_text(f, PLOT_LEFT - 2, p.top - 14, "blue", "W&#183;W*: %d updates were enough", updates);
    fputs("<path class='gray dashed' d='", f);
    for (int i = 0; i <= 60; i++) {
        double k = bound * i * i / 3600.0;
        draw_to(f, i == 0, plot_x(&p, k), plot_y(&p, reach * sqrt(k)));
    }
    fputs("'/>\n", f);
    draw_line(f, "gray dashed", plot_x(&p, 0), plot_y(&p, 0), plot_x(&p, bound), plot_y(&p, g * bound));
    draw_text(f, plot_x(&p, 13) - 6, plot_y(&p, reach * sqrt(13)) - 10, "end", "&#8730;k R |W*|");
    draw_text(f, plot_x(&p, 20), plot_y(&p, 20 * g) + 18, "start", "k g, g = %d", g);
    draw_dot(f, "gray", plot_x(&p, bound), plot_y(&p, g * bound), 4);
    draw_text(f, plot_x(&p, bound), plot_y(&p, g * bound) - 12, "end", "at most %d updates", bound);
    fputs("<path class='blue' d='", f);
    for (int k = 0; k <= updates; k++) draw_to(f, k == 0, plot_x(&p, k), plot_y(&p, after[k].along));
    fputs("'/>\n", f);
    for (int k = 0; k <= updates; k++) draw_dot(f, "blue", plot_x(&p, k), plot_y(&p, after[k].along), 4);
}

static int draw(const char *file)
{
    FILE *f = picture_begin(file, 960, 630, "A perceptron finds a line",
                            "Six points of two classes in the plane, and the line after each of %d updates; the last "
                            "one parts the classes. Beside it the two sums of the convergence proof: they allow "
                            "%d updates at most.",
                            updates, bound);
    if (!f) return 0;
    fputs("<style>.faint { stroke: #9ca3af } .badge { fill: #fff } .arrow { fill: currentColor; stroke: none }\n"
          ".side { stroke: none; fill: currentColor; opacity: .12 }</style>\n",
          f);
    draw_text(f, 40, 82, "subtitle",
              "Each point on the wrong side turns and shifts the line; "
              "the proof says that this comes to an end");
    draw_plane(f);
    draw_length(f);
    draw_along(f);
    return picture_end(f);
}

/* ---- Learning ---------------------------------------------------------------------------------- */

/* What W* allows. */
static void know(void)
{
    pcn_linear known = {.weight = star, .bias = star + 2, .features = 2, .scores = 1};
    pcn_measure best = measure(&known);
    star2 = (int)pcn_norm2(pcn_dense(star, W));
    g = (int)pcn_measure_margin(&best);
    radius2 = (int)best.radius2;
    bound = (int)pcn_measure_bound(&best, (float)star2);
    printf("W* = (%d, %d, %d), |W*|^2 = %d, g = %d, R^2 = %d: at most %d updates\n\n", (int)star[2], (int)star[0],
           (int)star[1], star2, g, radius2, bound);
}

int main(int argc, char **argv)
{
    static float memory[PCN_PERCEPTRON_FLOATS(2, 2)];
    const char *file = argc > 1 ? argv[1] : "build/plane.svg";
    pcn_perceptron m;
    pcn_pass pass;
    uint32_t i;

    know();
    must(pcn_perceptron_init(&m, 2, 2, memory, sizeof memory));
    pcn_pass_init(&pass, POINTS, 0, 0); /* no limit of epochs: the proof is one */
    pass.order = PCN_ORDER_FILE;

    printf(" k  point    y  y s     b  w1  w2  least   W.W*  >= k g   |W|^2  <= k R^2\n");
    while (pcn_pass_next(&pass, &i)) {
        int learned = pcn_perceptron_learn(&m, pcn_dense(x[i], 2), y[i]);
        pcn_pass_note(&pass, learned);
        if (learned != 1) continue;

        int before = y[i] * (int)m.learner.score[0];
        int k = (int)m.learner.count.updates;
        if (k > bound || k > MOST) return 1; /* the proof would be wrong */
        note_step(&m);
        const step *s = &after[k];
        printf("%2d  %2d %2d   %+d  %3d  %4g %3g %3g  %5d  %5d  %6d   %5d  %8d\n", k, (int)x[i][0], (int)x[i][1], y[i],
               before, s->b, s->w1, s->w2, s->least, s->along, k * g, s->length2, k * radius2);
        if (s->along < k * g || s->length2 > k * radius2) return 1; /* here too */
    }
    printf("\nNo update in epoch %u. %d updates were enough, %d were allowed.\n", (unsigned)pass.epoch, updates, bound);
    if (!draw(file)) return perror(file), 3;
}
