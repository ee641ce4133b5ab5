/* build with: cc -std=c99 -O2 -I. examples/literature/figures.c -o build/draw_figures -lm
 *
 * The figures of five teaching texts about the perceptron, from what the library computes: Su, Lecture 7, Eaton,
 * Honavar, and chapter 4 of CIML. Blue circles with a plus are of class +1, orange squares with a minus of class -1.
 *
 * figures FOLDER writes them there as SVG, and index.html, which shows them in the order of the texts. The page also
 * shows what plane, committee, kernels and digits draw: make figures runs all of them.
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "../must.h"
#include "../perceptron/teach/margin.h"
#include "../picture.h"
#include <math.h>

enum { POINTS = 24, UPDATES = 256, SIDE = 380, TOP = 120, USAGE = 1, IO = 3 };

typedef struct points {
    int count;
    float x[POINTS][2];
    int y[POINTS];
} points;

/* clang-format off */
static const points apart = {12,
    {{1, 2}, {2, 1}, {2.5f, 2.5f}, {3, 0.5f}, {0.5f, 3}, {3.25f, 1.75f}, {-1, -0.5f}, {-2, 1}, {-0.5f, -2.5f}, {-3, -1},
     {1, -3}, {-2.5f, -2.5f}},
    {1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1}};
static const points mixed = {12,
    {{1, 2}, {2, 1}, {2.5f, 2.5f}, {3, 0.5f}, {0.5f, 3}, {-1.5f, -1.5f}, {-1, -0.5f}, {-2, 1}, {-0.5f, -2.5f},
     {1.5f, 2}, {1, -3}, {-2.5f, -2.5f}},
    {1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1}};
static const points around_zero = {
    7, {{-0.5f, -2}, {2.5f, -3}, {1, 0.5f}, {-0.5f, 3}, {-2.5f, 1}, {3, 3}, {-1, -3}}, {-1, -1, 1, 1, -1, 1, -1}};
static const points with_outlier = {15,
    {{1, 2}, {-1, -2}, {2, 1}, {-2, 0}, {2.5f, 2.5f}, {-1, -0.5f}, {3, 0.5f}, {-2.5f, -2}, {0.5f, 3}, {0, -2.5f},
     {1.5f, 0.75f}, {-3, 1}, {3, 2}, {1, -2}, {2.25f, 1.75f}},
    {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, -1}};
/* clang-format on */

/* The weights before and after each update. */
typedef struct course {
    int updates, epochs;
    double w1[UPDATES + 1], w2[UPDATES + 1], b[UPDATES + 1];
    int point[UPDATES + 1]; /* that made the update */
} course;

/* In the order of the points, to an epoch without updates, or so many. */
static course learn(const points *p, float bias, uint32_t epochs)
{
    float memory[PCN_PERCEPTRON_FLOATS(2, 2)];
    course c = {0};
    pcn_perceptron m;
    pcn_pass pass;
    uint32_t i;
    must(pcn_perceptron_init(&m, 2, 2, memory, sizeof memory));
    m.learner.bias_input = bias;
    pcn_pass_init(&pass, (uint32_t)p->count, epochs, 0);
    pass.order = PCN_ORDER_FILE;
    while (pcn_pass_next(&pass, &i) && c.updates < UPDATES) {
        const int learned = pcn_perceptron_learn(&m, pcn_dense(p->x[i], 2), p->y[i]);
        pcn_pass_note(&pass, learned);
        if (learned != 1) continue;
        c.updates++;
        c.w1[c.updates] = (double)m.live.weight[0];
        c.w2[c.updates] = (double)m.live.weight[1];
        c.b[c.updates] = (double)m.live.bias[0];
        c.point[c.updates] = (int)i;
    }
    c.epochs = (int)pass.epoch;
    return c;
}

/* ---- A plane with points ------------------------------------------------------------------------ */

/* A square from middle - most to middle + most, both ways, with its own coordinates. */
typedef struct plane {
    FILE *f;
    double most, middle;
} plane;

static double at_x(const plane *p, double x)
{
    return SIDE / 2 * (1 + (x - p->middle) / p->most);
}
static double at_y(const plane *p, double y)
{
    return SIDE / 2 * (1 - (y - p->middle) / p->most);
}

/* Ticks stand at whole numbers, or at every second, fifth, ... of them. */
static plane plane_begin(FILE *f, double left, double middle, double most, const char *x, const char *y)
{
    const plane p = {f, most, middle};
    const int step = most <= 4 ? 1 : most <= 8 ? 2 : 5;
    draw_box(f, "frame", left, TOP, SIDE, SIDE);
    draw_text(f, left + SIDE, TOP + SIDE + 32, "end", "%s", x);
    draw_text(f, left - 24, TOP + 14, "end", "%s", y);
    for (int at = -(int)((most - middle) / step) * step; at < middle + most; at += step) {
        draw_line(f, "axis", left + at_x(&p, at), TOP + SIDE, left + at_x(&p, at), TOP + SIDE + 4);
        draw_text(f, left + at_x(&p, at), TOP + SIDE + 18, "mid", "%d", at);
        draw_line(f, "axis", left - 4, TOP + at_y(&p, at), left, TOP + at_y(&p, at));
        draw_text(f, left - 7, TOP + at_y(&p, at) + 4, "end", "%d", at);
    }
    fprintf(f, "<svg x='%g' y='%d' width='%d' height='%d'>\n", left, TOP, SIDE, SIDE);
    draw_line(f, "axis", 0, at_y(&p, 0), SIDE, at_y(&p, 0));
    draw_line(f, "axis", at_x(&p, 0), 0, at_x(&p, 0), SIDE);
    return p;
}

static void plane_end(const plane *p)
{
    fputs("</svg>\n", p->f);
}

/* Its numbers stay beside it, for those who check the picture. */
static void draw_point(const plane *p, double x, double y, int label)
{
    fprintf(p->f, "<g data-x='%g' data-y='%g' data-label='%d'>", x, y, label);
    draw_mark(p->f, "", at_x(p, x), at_y(p, y), label > 0, 8);
    fputs("</g>\n", p->f);
}

static void draw_points(const plane *p, const points *of)
{
    for (int i = 0; i < of->count; i++) draw_point(p, (double)of->x[i][0], (double)of->x[i][1], of->y[i]);
}

static void draw_arrow(const plane *p, const char *style, double x1, double y1, double x2, double y2)
{
    const double length = hypot(x2 - x1, y2 - y1), u = (x2 - x1) / length * p->most / 14,
                 v = (y2 - y1) / length * p->most / 14;
    if (length == 0) return;
    draw_line(p->f, style, at_x(p, x1), at_y(p, y1), at_x(p, x2 - u), at_y(p, y2 - v));
    fprintf(p->f, "<path class='%s solid' d='", style);
    draw_to(p->f, 1, at_x(p, x2), at_y(p, y2));
    draw_to(p->f, 0, at_x(p, x2 - u - v / 2), at_y(p, y2 - v + u / 2));
    draw_to(p->f, 0, at_x(p, x2 - u + v / 2), at_y(p, y2 - v - u / 2));
    fputs("Z'/>\n", p->f);
}

/* Where w.x + b is that score. */
static void draw_score(const plane *p, const char *style, double w1, double w2, double b, double score)
{
    const double length2 = w1 * w1 + w2 * w2, length = sqrt(length2), x = (score - b) * w1 / length2,
                 y = (score - b) * w2 / length2, u = 4 * p->most * w2 / length, v = -4 * p->most * w1 / length;
    if (length2 == 0) return;
    fprintf(p->f, "<g data-w1='%g' data-w2='%g' data-b='%g' data-score='%g'>", w1, w2, b, score);
    draw_line(p->f, style, at_x(p, x - u), at_y(p, y - v), at_x(p, x + u), at_y(p, y + v));
    fputs("</g>\n", p->f);
}

static FILE *folder_begin(const char *folder, const char *name, const char *title, const char *subtitle, int height,
                          const char *about)
{
    char path[4096];
    FILE *f;
    if (snprintf(path, sizeof path, "%s/%s.svg", folder, name) >= (int)sizeof path) return NULL;
    f = picture_begin(path, 960, height, title, "%s", about);
    if (!f) return NULL;
    fputs("<style>.faint { opacity: .35 }\n"
          ".dotted { stroke-dasharray: 2 4 } path.wide { stroke-width: inherit }\n"
          ".halo { paint-order: stroke; stroke: #fff; stroke-width: 5px }</style>\n",
          f);
    draw_text(f, 40, 84, "subtitle", "%s", subtitle);
    return f;
}

/* ---- Neuron and losses -------------------------------------------------------------------------- */

/* CIML's sentiment: excellent and terrible, each with and without a not, and the two products. */
static int draw_neuron(const char *folder)
{
    enum { INPUTS = 5 };
    static const char *const name[] = {"excellent", "terrible", "not", "excellent*not", "terrible*not"};
    static const float x[4][INPUTS] = {{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {1, 0, 1, 1, 0}, {0, 1, 1, 0, 1}};
    static const int y[] = {1, -1, -1, 1};
    float memory[PCN_PERCEPTRON_FLOATS(INPUTS, 2)], sum;
    pcn_perceptron m;
    pcn_pass pass;
    uint32_t i;
    FILE *f = folder_begin(folder, "neuron", "A neuron: inputs times weights, a sum, a decision",
                           "The text &#8220;not excellent&#8221;, after learning four texts to the end", 560,
                           "Each input of one row is multiplied by its weight; the sum with the bias decides.");
    if (!f) return 0;
    must(pcn_perceptron_init(&m, INPUTS, 2, memory, sizeof memory));
    pcn_pass_init(&pass, 4, 100, 0);
    pass.order = PCN_ORDER_FILE;
    while (pcn_pass_next(&pass, &i)) pcn_pass_note(&pass, pcn_perceptron_learn(&m, pcn_dense(x[i], INPUTS), y[i]));
    pcn_perceptron_scores(&m, pcn_dense(x[2], INPUTS), &sum);
    for (i = 0; i <= INPUTS; i++) {
        const double value = i < INPUTS ? (double)x[2][i] : 1,
                     w = (double)(i < INPUTS ? m.live.weight[i] : m.live.bias[0]);
        const double at = 140 + 66.0 * i;
        fprintf(f, "<g style='stroke-width:%g'>", 0.5 + 2 * fabs(w)); /* as thick as the weight is large */
        draw_line(f, value != 0 ? w < 0 ? "orange dashed wide" : "blue wide" : "gray faint wide", 252, at, 560, 300);
        fputs("</g>\n", f);
        fprintf(f,
                "<g data-value='%g' data-weight='%g'><circle class='gray' cx='230' cy='%g' r='20' fill='#fff'/></g>\n",
                value, w, at);
        fprintf(f, "<text x='230' y='%g' class='mid' style='fill:#fff;font-weight:bold'>%g</text>\n", at + 5, value);
        draw_text(f, 200, at + 5, "end", "%s", i < INPUTS ? name[i] : "1 (bias)");
        draw_text(f, 268, at - 8 + (300 - at) * 0.05, "halo", "%+g &#215; %g = %+g", w, value, w * value + 0.0);
    }
    fprintf(f, "<circle class='paper' cx='600' cy='300' r='44' style='stroke:#111827;stroke-width:2'/>\n");
    fprintf(f, "<g data-sum='%g'>", (double)sum);
    draw_text(f, 600, 306, "mid head", "sum %g", (double)sum);
    fputs("</g>\n", f);
    draw_line(f, "gray", 644, 300, 720, 300);
    draw_mark(f, "", 745, 300, pcn_perceptron_predict(&m, pcn_dense(x[2], INPUTS)) > 0, 8);
    draw_text(f, 765, 305, "start", "%s",
              sum >= 0 ? "at least 0: it fires, +1" : "below 0: it does not fire, &#8722;1");
    draw_text(f, 268, 530, "start", "the thicker, the larger the weight; dashed: below 0; pale: the input is 0");
    return picture_end(f);
}

/* A chart of curves: x and y from the least to the most. */
typedef struct chart {
    FILE *f;
    double left, width, x0, x1, y0, y1;
} chart;

enum { FLOOR = 480 };

static double chart_x(const chart *c, double x)
{
    return c->left + c->width * (x - c->x0) / (c->x1 - c->x0);
}
static double chart_y(const chart *c, double y)
{
    return FLOOR - (FLOOR - TOP - 20) * (y - c->y0) / (c->y1 - c->y0);
}

static chart chart_begin(FILE *f, double left, double width, double x0, double x1, double step, double y0, double y1,
                         double y_step, const char *x, const char *y)
{
    const chart c = {f, left, width, x0, x1, y0, y1};
    for (double at = y0; at <= y1 + 1e-9; at += y_step) {
        draw_line(f, at > y0 ? "grid" : "axis", left, chart_y(&c, at), left + width, chart_y(&c, at));
        draw_text(f, left - 8, chart_y(&c, at) + 4, "end", "%g", at);
    }
    for (double at = x0; at <= x1 + 1e-9; at += step) {
        draw_line(f, "axis", chart_x(&c, at), FLOOR, chart_x(&c, at), FLOOR + 5);
        draw_text(f, chart_x(&c, at), FLOOR + 20, "mid", "%g", at);
    }
    draw_text(f, left + width / 2, FLOOR + 42, "mid", "%s", x);
    draw_text(f, left - 30, TOP + 2, "start", "%s", y);
    return c;
}

/* marks: every one of the points has a dot, too. */
static void draw_curve(const chart *c, const char *style, const char *name, const double *x, const double *y, int n,
                       int place)
{
    draw_line(c->f, style, c->left + 260 * place, 545, c->left + 30 + 260 * place, 545);
    draw_text(c->f, c->left + 38 + 260 * place, 550, "start", "%s", name);
    fprintf(c->f, "<path class='%s' data-name='%s' data-y='", style, name);
    for (int i = 0; i < n; i++) fprintf(c->f, "%s%.4g", i ? " " : "", y[i]);
    fputs("' d='", c->f);
    for (int i = 0; i < n; i++) draw_to(c->f, i == 0, chart_x(c, x[i]), chart_y(c, y[i]));
    fputs("'/>\n", c->f);
}

static int draw_losses(const char *folder)
{
    enum { STEPS = 121 };
    double x[STEPS], loss[3][STEPS];
    chart c;
    FILE *f = folder_begin(folder, "losses", "What a score costs",
                           "Su draws the first two, and calls the second hinge loss; "
                           "the third is what others call so",
                           600, "0/1 loss, perceptron loss and hinge loss by y s, from -3 to 3.");
    if (!f) return 0;
    for (int i = 0; i < STEPS; i++) {
        pcn_measure q;
        float score;
        x[i] = i == STEPS / 2 - 1 ? -1e-6 : (i - STEPS / 2) / 20.0; /* the 0/1 loss falls at 0 */
        score = (float)x[i];
        pcn_measure_init(&q);
        pcn_measure_add(&q, &score, 1, 1, pcn_decide(&score, 1, 0), 1);
        loss[0][i] = (double)q.strict;
        loss[1][i] = (double)q.loss;
        loss[2][i] = fmax(0, 1 - x[i]);
    }
    c = chart_begin(f, 100, 800, -3, 3, 1, 0, 4, 1, "y s: above 0 the row is on the right side", "loss");
    draw_curve(&c, "gray", "0/1 loss", x, loss[0], STEPS, 0);
    draw_curve(&c, "blue", "perceptron: max(0, -y s)", x, loss[1], STEPS, 1);
    draw_curve(&c, "orange dashed", "hinge: max(0, 1 - y s)", x, loss[2], STEPS, 2);
    return picture_end(f);
}

/* ---- Risk --------------------------------------------------------------------------------------- */

/* Of all weights of length 1 that have that angle to the x1 axis. */
static int draw_risk(const char *folder)
{
    enum { STEPS = 721 };
    static double angle[STEPS], risk[2][STEPS];
    chart c;
    FILE *f = folder_begin(folder, "risk", "Two risks by the angle of w",
                           "The 0/1 risk is made of steps: its slope is 0 or none, so it tells no way down; "
                           "the perceptron's risk has a slope",
                           600, "The 0/1 risk and the risk of the perceptron loss, by the angle of w.");
    if (!f) return 0;
    for (int i = 0; i < STEPS; i++) {
        const double turn = acos(-1) * (i - STEPS / 2) / (STEPS / 2);
        const float w[] = {(float)cos(turn), (float)sin(turn)};
        pcn_measure q;
        pcn_measure_init(&q);
        for (int k = 0; k < around_zero.count; k++) {
            const pcn_vec x = pcn_dense(around_zero.x[k], 2);
            const float score = pcn_dot(w, 2, x);
            pcn_measure_add(&q, &score, 1, around_zero.y[k], pcn_decide(&score, 1, 0), pcn_norm2(x));
        }
        angle[i] = (i - STEPS / 2) * 180.0 / (STEPS / 2);
        risk[0][i] = (double)q.strict / around_zero.count;
        risk[1][i] = (double)q.loss / around_zero.count;
    }
    c = chart_begin(f, 100, 800, -180, 180, 45, 0, 3, 0.5, "angle of w, degrees", "risk");
    draw_curve(&c, "gray", "0/1 risk: the share of wrong rows", angle, risk[0], STEPS, 0);
    draw_curve(&c, "blue", "perceptron: the mean of max(0, -y w.x)", angle, risk[1], STEPS, 1);
    return picture_end(f);
}

/* ---- Planes: margin, weights, projections, bias, updates ---------------------------------------- */

static pcn_vec margin_point(const void *of, uint32_t i)
{
    return pcn_dense(((const points *)of)->x[i], 2);
}

/* The line with the best margin of the points padded with a 1. */
typedef struct best_line {
    int none; /* no line divides them */
    double w1, w2, b, low, high;
} best_line;

static best_line find_best(const points *of)
{
    double share[2 * POINTS] = {0}, point[6] = {0}, change[6] = {0};
    uint32_t active[POINTS], label[POINTS];
    best_line found;
    margin m = {.row = margin_point,
                .rows = of,
                .label = label,
                .count = (uint32_t)of->count,
                .features = 2,
                .classes = 2,
                .input = 1,
                .effort = 1e7,
                .share = share,
                .point = point,
                .change = change,
                .active = active};
    for (int i = 0; i < of->count; i++) label[i] = of->y[i] > 0;
    margin_find(&m);
    found.none = margin_none(&m);
    found.w1 = point[3], found.w2 = point[4], found.b = point[5]; /* of class +1 */
    found.low = margin_digits(m.low, 0), found.high = margin_digits(m.high, 1);
    return found;
}

/* How far a point lies on its side of the line. */
static double distance(const points *p, int i, const best_line *l)
{
    return p->y[i] * (l->w1 * (double)p->x[i][0] + l->w2 * (double)p->x[i][1] + l->b) / hypot(l->w1, l->w2);
}

static int draw_margin(const char *folder)
{
    const course c = learn(&apart, 1, 100);
    const best_line l = find_best(&apart);
    const double length = hypot(l.w1, l.w2), *w1 = &c.w1[c.updates], *w2 = &c.w2[c.updates], *b = &c.b[c.updates];
    double least = HUGE_VAL;
    plane p;
    FILE *f = folder_begin(folder, "margin", "The margin",
                           "The best line counts b as a weight; the nearest points touch the dashed lines", 560,
                           "The best line, its weight vector, and the points nearest to it.");
    if (!f) return 0;
    for (int i = 0; i < apart.count; i++) least = fmin(least, distance(&apart, i, &l));
    p = plane_begin(f, 80, 0, 4, "x1", "x2");
    draw_score(&p, "gray", *w1, *w2, *b, 0);
    draw_score(&p, "blue", l.w1, l.w2, l.b, 0);
    for (int side = -1; side <= 1; side += 2) draw_score(&p, "blue dashed", l.w1, l.w2, l.b, side * least * length);
    for (int i = 0; i < apart.count; i++)
        if (distance(&apart, i, &l) < 1.01 * least)
            draw_arrow(&p, "orange", (double)apart.x[i][0] - apart.y[i] * least * l.w1 / length,
                       (double)apart.x[i][1] - apart.y[i] * least * l.w2 / length, (double)apart.x[i][0],
                       (double)apart.x[i][1]);
    draw_arrow(&p, "blue", -l.b * l.w1 / length / length, -l.b * l.w2 / length / length,
               (1.5 - l.b / length) * l.w1 / length, (1.5 - l.b / length) * l.w2 / length);
    draw_text(f, at_x(&p, (1.6 - l.b / length) * l.w1 / length), at_y(&p, (1.6 - l.b / length) * l.w2 / length), "blue",
              "w");
    draw_points(&p, &apart);
    plane_end(&p);
    draw_text(f, 500, 180, "blue", "the best line, w&#183;x + b = 0, |w| = 1: w = (%.4f, %.4f), b = %.4f",
              l.w1 / length, l.w2 / length, l.b / length);
    draw_text(f, 500, 210, "start", "&#947; = %.4f, orange: how far the nearest points are from it", least);
    draw_text(f, 500, 240, "start", "of the padded points (b is a weight): between %.4g and %.4g", l.low, l.high);
    draw_text(f, 500, 270, "start", "gray: what the perceptron finds with %d updates, w = (%g, %g), b = %g", c.updates,
              *w1, *w2, *b);
    return picture_end(f);
}

static int draw_separable(const char *folder)
{
    static const points *const of[] = {&apart, &mixed};
    FILE *f = folder_begin(folder, "separable", "Separable, and not",
                           "Each with the perceptron's line after 20 epochs, or "
                           "after the first one without an update",
                           620, "Two sets of points, of which the left one is separable.");
    if (!f) return 0;
    for (int k = 0; k < 2; k++) {
        const course c = learn(of[k], 1, 20);
        const double w1 = c.w1[c.updates], w2 = c.w2[c.updates], b = c.b[c.updates];
        const best_line l = find_best(of[k]);
        plane p = plane_begin(f, 70 + 460 * k, 0, 4, "x1", "x2");
        int wrong = 0;
        for (int i = 0; i < of[k]->count; i++)
            wrong += of[k]->y[i] * (w1 * (double)of[k]->x[i][0] + w2 * (double)of[k]->x[i][1] + b) <= 0;
        draw_score(&p, k ? "gray dashed" : "blue", w1, w2, b, 0);
        if (!l.none) draw_score(&p, "gray dotted", l.w1, l.w2, l.b, 0);
        draw_points(&p, of[k]);
        plane_end(&p);
        draw_text(f, 70 + 460 * k, TOP + SIDE + 46, "start", "%d updates in %d epochs, %d points on the wrong side",
                  c.updates, c.epochs, wrong);
        if (l.none)
            draw_text(f, 70 + 460 * k, TOP + SIDE + 70, "start", "no line separates them by more than %.4g", l.high);
        else
            draw_text(f, 70 + 460 * k, TOP + SIDE + 70, "start",
                      "dotted: the best margin of the padded points, between %.4g and %.4g", l.low, l.high);
    }
    return picture_end(f);
}

static int draw_weights(const char *folder)
{
    const course c = learn(&around_zero, 0, 100);
    const double w1 = c.w1[c.updates], w2 = c.w2[c.updates], length = hypot(w1, w2);
    double along[POINTS];
    plane p;
    FILE *f = folder_begin(folder, "weights", "The weight vector, its plane, and the points projected onto it",
                           "Without a bias the line goes through 0, at a right angle to w; w points to the class +1",
                           640, "A weight vector at a right angle to its line; below, the points on the axis along w.");
    if (!f) return 0;
    for (int k = 0; k < 2; k++) {
        p = plane_begin(f, 70 + 460 * k, 0, 4, "x1", "x2");
        draw_score(&p, "blue", w1, w2, 0, 0);
        for (int i = 0; i < around_zero.count; i++) {
            along[i] = (w1 * (double)around_zero.x[i][0] + w2 * (double)around_zero.x[i][1]) / length;
            if (k)
                draw_line(f, "gray dotted", at_x(&p, (double)around_zero.x[i][0]),
                          at_y(&p, (double)around_zero.x[i][1]), at_x(&p, along[i] * w1 / length),
                          at_y(&p, along[i] * w2 / length));
        }
        if (k) draw_line(f, "gray", at_x(&p, -4 * w1), at_y(&p, -4 * w2), at_x(&p, 4 * w1), at_y(&p, 4 * w2));
        draw_arrow(&p, "blue", 0, 0, 2.2 * w1 / length, 2.2 * w2 / length);
        draw_points(&p, &around_zero);
        plane_end(&p);
    }
    draw_text(f, 70, TOP + SIDE + 46, "start", "w = (%g, %g), drawn shorter than it is", w1, w2);
    draw_line(f, "gray", 70, 590, 910, 590);
    draw_line(f, "gray", 490, 578, 490, 602);
    draw_text(f, 490, 622, "mid", "0");
    draw_text(f, 910, 622, "end", "w&#183;x / |w|");
    for (int i = 0; i < around_zero.count; i++) {
        fprintf(f, "<g data-along='%g' data-label='%d'>", along[i], around_zero.y[i]);
        draw_mark(f, "", 490 + 95 * along[i], 590, around_zero.y[i] > 0, 8);
        fputs("</g>\n", f);
    }
    return picture_end(f);
}

/* CIML's math review: how far a point reaches along w. */
static int draw_projection(const char *folder)
{
    enum { ROW = 5 };
    const course c = learn(&around_zero, 0, 100);
    const double w1 = c.w1[c.updates], w2 = c.w2[c.updates], length = hypot(w1, w2);
    const double x1 = (double)around_zero.x[ROW][0], x2 = 0.5 * (double)around_zero.x[ROW][1],
                 along = (w1 * x1 + w2 * x2) / length;
    plane p;
    FILE *f = folder_begin(folder, "projection", "A product is a length",
                           "w&#183;x is |w| times the length of x along w: the projection of x onto w", 560,
                           "Two vectors, and the projection of one onto the other.");
    if (!f) return 0;
    p = plane_begin(f, 80, 0, 4, "x1", "x2");
    draw_line(f, "orange", at_x(&p, 0), at_y(&p, 0), at_x(&p, along * w1 / length), at_y(&p, along * w2 / length));
    draw_line(f, "gray dotted", at_x(&p, x1), at_y(&p, x2), at_x(&p, along * w1 / length),
              at_y(&p, along * w2 / length));
    draw_arrow(&p, "blue", 0, 0, 1.2 * w1 / length, 1.2 * w2 / length);
    draw_arrow(&p, "gray", 0, 0, x1, x2);
    draw_text(f, at_x(&p, 0.5 * w1 / length), at_y(&p, 1.3 * w2 / length), "blue", "w");
    draw_text(f, at_x(&p, x1) + 6, at_y(&p, x2) + 14, "start", "x");
    plane_end(&p);
    fprintf(f, "<g data-x='%g' data-y='%g' data-along='%g'>", x1, x2, along);
    draw_text(f, 500, 180, "blue", "w = (%g, %g), drawn shorter than it is; |w| = %.4f", w1, w2, length);
    draw_text(f, 500, 210, "start", "x = (%g, %g), w&#183;x = %g", x1, x2, w1 * x1 + w2 * x2);
    draw_text(f, 500, 240, "orange", "w&#183;x / |w| = %.4f", along);
    fputs("</g>\n", f);
    return picture_end(f);
}

static int draw_bias(const char *folder)
{
    static const char *const style[] = {"orange dashed", "gray", "blue dotted"};
    const course c = learn(&around_zero, 0, 100);
    const double w1 = c.w1[c.updates], w2 = c.w2[c.updates], length = hypot(w1, w2);
    plane p;
    FILE *f = folder_begin(folder, "bias", "What the bias does",
                           "It shifts the line along w by -b / |w|: above 0 it makes "
                           "more room for the class +1",
                           560, "The same weights with three biases.");
    if (!f) return 0;
    p = plane_begin(f, 80, 0, 4, "x1", "x2");
    for (int k = 0; k < 3; k++) draw_score(&p, style[k], w1, w2, (k - 1) * length, 0);
    draw_arrow(&p, "blue", 0, 0, 2.2 * w1 / length, 2.2 * w2 / length);
    for (int side = -1; side <= 1; side += 2) /* from the middle line along w, and back */
        draw_arrow(&p, "gray", 1.8 * w2 / length, -1.8 * w1 / length, (1.8 * w2 + side * w1) / length,
                   (-1.8 * w1 + side * w2) / length);
    draw_points(&p, &around_zero);
    plane_end(&p);
    for (int k = 0; k < 3; k++) {
        draw_line(f, style[k], 500, 176 + 30 * k, 540, 176 + 30 * k);
        draw_text(f, 550, 180 + 30 * k, "start", "b = %.4g: shifted by %d along w", (k - 1) * length, 1 - k);
    }
    draw_text(f, 500, 280, "start", "w = (%g, %g), |w| = %.4g", w1, w2, length);
    return picture_end(f);
}

static int draw_update(const char *folder)
{
    const course c = learn(&with_outlier, 0, 100);
    int k = 2;
    while (k < c.updates && with_outlier.y[c.point[k]] < 0) k++;
    const int i = c.point[k], y = with_outlier.y[i];
    const double x1 = (double)with_outlier.x[i][0], x2 = (double)with_outlier.x[i][1];
    const double before = c.w1[k - 1] * x1 + c.w2[k - 1] * x2, after = c.w1[k] * x1 + c.w2[k] * x2;
    plane p;
    FILE *f = folder_begin(folder, "update", "An update",
                           "The point is on the wrong side of the dashed line; "
                           "w + y x turns the line towards the right one",
                           560, "A weight vector, a point on the wrong side, and the weight vector after the update.");
    if (!f) return 0;
    p = plane_begin(f, 80, 0, 4, "x1", "x2");
    draw_score(&p, "orange dashed", c.w1[k - 1], c.w2[k - 1], 0, 0);
    draw_score(&p, "blue", c.w1[k], c.w2[k], 0, 0);
    draw_arrow(&p, "orange dashed", 0, 0, c.w1[k - 1], c.w2[k - 1]);
    draw_arrow(&p, "gray dotted", c.w1[k - 1], c.w2[k - 1], c.w1[k], c.w2[k]);
    draw_arrow(&p, "blue", 0, 0, c.w1[k], c.w2[k]);
    draw_point(&p, x1, x2, y);
    plane_end(&p);
    draw_text(f, 500, 180, "orange", "before (dashed): w = (%g, %g)", c.w1[k - 1], c.w2[k - 1]);
    draw_text(f, 500, 210, "start", "x = (%g, %g), y = %+d: y w&#183;x = %g, no more than 0", x1, x2, y,
              y * before + 0.0);
    draw_text(f, 500, 240, "start", "added (dotted): y x = (%g, %g)", y * x1, y * x2);
    draw_text(f, 500, 270, "blue", "after: w = (%g, %g), y w&#183;x = %g", c.w1[k], c.w2[k], y * after);
    return picture_end(f);
}

/* The weights, of length 1, on the border of those that are right about all points: w.x of one is 0 there, and y w.x of
 * no other is below 0. */
static void draw_solutions(const plane *p, const points *of)
{
    fputs("<path class='blue solid' style='opacity:.12;stroke:none' d='", p->f);
    draw_to(p->f, 1, at_x(p, 0), at_y(p, 0));
    for (int k = 0; k < 2 * of->count; k++) {
        const double x1 = (double)of->x[k / 2][0], x2 = (double)of->x[k / 2][1];
        const double side = k % 2 ? 4 * p->most / hypot(x1, x2) : -4 * p->most / hypot(x1, x2), w1 = side * x2,
                     w2 = -side * x1;
        int right = 1;
        for (int i = 0; i < of->count; i++)
            right = right && of->y[i] * (w1 * (double)of->x[i][0] + w2 * (double)of->x[i][1]) >= -1e-9;
        if (right) draw_to(p->f, 0, at_x(p, w1), at_y(p, w2));
    }
    fputs("Z'/>\n", p->f);
}

/* The line of the weights that give a row 0, with its name at the edge. */
static void draw_row(const plane *p, const points *of, int i)
{
    const double x1 = (double)of->x[i][0], x2 = (double)of->x[i][1], by = 0.93 * p->most / fmax(fabs(x1), fabs(x2));
    draw_score(p, of->y[i] > 0 ? "blue faint" : "orange dashed faint", x1, x2, 0, 0);
    draw_text(p->f, at_x(p, by * x2), at_y(p, -by * x1), "mid halo", "%c", 'a' + i);
}

/* Honavar: what is a point in one space is a line in the other. */
static int draw_spaces(const char *folder)
{
    const course c = learn(&around_zero, 0, 100);
    double most = 4;
    plane p;
    FILE *f = folder_begin(folder, "spaces", "Pattern space and weight space",
                           "Left rows are points and w is a line. Right w is a point "
                           "that moves across the lines of the rows",
                           600, "The same learning in two planes: of the points, and of the weights.");
    if (!f) return 0;
    for (int k = 0; k <= c.updates; k++) most = fmax(most, 1.2 * fmax(fabs(c.w1[k]), fabs(c.w2[k])));
    p = plane_begin(f, 70, 0, 4, "x1", "x2");
    for (int k = 1; k < c.updates; k++) draw_score(&p, "gray faint", c.w1[k], c.w2[k], 0, 0);
    draw_score(&p, "blue", c.w1[c.updates], c.w2[c.updates], 0, 0);
    draw_points(&p, &around_zero);
    for (int i = 0; i < around_zero.count; i++)
        draw_text(f, at_x(&p, (double)around_zero.x[i][0]) + 12, at_y(&p, (double)around_zero.x[i][1]) - 8, "start",
                  "%c", 'a' + i);
    plane_end(&p);
    p = plane_begin(f, 530, 0, most, "w1", "w2");
    draw_solutions(&p, &around_zero);
    for (int i = 0; i < around_zero.count; i++) draw_row(&p, &around_zero, i);
    for (int k = 1; k <= c.updates; k++) draw_arrow(&p, "gray", c.w1[k - 1], c.w2[k - 1], c.w1[k], c.w2[k]);
    for (int k = 0; k <= c.updates; k++) {
        fprintf(f, "<g data-update='%d' data-w1='%g' data-w2='%g' data-x='%g' data-y='%g' data-label='%d'>", k, c.w1[k],
                c.w2[k], k ? (double)around_zero.x[c.point[k]][0] : 0, k ? (double)around_zero.x[c.point[k]][1] : 0,
                k ? around_zero.y[c.point[k]] : 0);
        draw_dot(f, "gray", at_x(&p, c.w1[k]), at_y(&p, c.w2[k]), 3.5);
        draw_text(f, at_x(&p, c.w1[k]) + 7, at_y(&p, c.w2[k]) - 7, "start", "%d", k);
        fputs("</g>\n", f);
    }
    plane_end(&p);
    draw_text(f, 70, TOP + SIDE + 46, "start", "pale: the lines after the earlier updates");
    draw_text(f, 530, TOP + SIDE + 46, "start", "0 to %d: w after so many updates; shaded: right about all rows",
              c.updates);
    return picture_end(f);
}

/* ---- XOR ---------------------------------------------------------------------------------------- */

static int draw_xor(const char *folder)
{
    static const points gate = {4, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {-1, 1, 1, -1}};
    float memory[PCN_PERCEPTRON_FLOATS(3, 2)];
    double w[4]; /* the bias last */
    pcn_perceptron m;
    pcn_pass pass;
    plane p;
    uint32_t i;
    FILE *f = folder_begin(
        folder, "xor", "XOR, and a cure",
        "No line divides it. A plane does with one more feature, "
        "x3 = x1 and x2: a line where x3 is 0, another where it is 1",
        580, "Left the four points of XOR, right the two lines of a perceptron with a third feature.");
    if (!f) return 0;
    must(pcn_perceptron_init(&m, 3, 2, memory, sizeof memory));
    pcn_pass_init(&pass, 4, 100, 0);
    pass.order = PCN_ORDER_FILE;
    while (pcn_pass_next(&pass, &i)) {
        const float x[3] = {gate.x[i][0], gate.x[i][1], gate.x[i][0] * gate.x[i][1]};
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, pcn_dense(x, 3), gate.y[i]));
    }
    for (i = 0; i < 4; i++) w[i] = (double)memory[i];
    for (int k = 0; k < 2; k++) {
        p = plane_begin(f, 70 + 460 * k, 0.5, 1.25, "x1", "x2");
        if (k) {
            draw_score(&p, "blue", w[0], w[1], w[3], 0);
            draw_score(&p, "orange dashed", w[0], w[1], w[3] + w[2], 0);
        }
        draw_points(&p, &gate);
        plane_end(&p);
    }
    draw_text(f, 530, TOP + SIDE + 46, "start", "w = (%g, %g, %g), b = %g; solid: x3 = 0; dashed: x3 = 1", w[0], w[1],
              w[2], w[3]);
    return picture_end(f);
}

/* ---- One outlier -------------------------------------------------------------------------------- */

enum { SLOTS = 16, ENTRIES = 256, OUTLIER_EPOCHS = 3, COLUMNS = 191, ROWS = 191 };

/* Where the decision changes between x and so far below it. */
static double change_between(const pcn_kperceptron *m, enum pcn_decision how, const float *x, double far)
{
    static float work[PCN_KMODEL_WORK(2, SLOTS, 1)];
    double high = (double)x[1], low = high - far;
    float score, top;
    pcn_vec v = pcn_dense(x, 2);
    must(pcn_kmodel_scores(&m->model, how, &v, 1, &top, work, sizeof work));
    while (high - low > 1e-3 * far) {
        const float y[2] = {x[0], (float)((high + low) / 2)};
        v = pcn_dense(y, 2);
        must(pcn_kmodel_scores(&m->model, how, &v, 1, &score, work, sizeof work));
        if ((score >= 0) == (top >= 0))
            high = (high + low) / 2;
        else
            low = (high + low) / 2;
    }
    return high;
}

/* Where the decision changes, column by column. */
static void draw_decision(const plane *p, const char *style, const pcn_kperceptron *m, enum pcn_decision how)
{
    static float work[PCN_KMODEL_WORK(2, SLOTS, 1)];
    int begun = 0;
    fprintf(p->f, "<path class='%s' d='", style);
    for (int i = 0; i < COLUMNS; i++) {
        float x[2] = {(float)(p->most * (2.0 * i / (COLUMNS - 1) - 1)), 0}, before = 0, score = 0;
        for (int j = 0; j < ROWS; j++, before = score) {
            pcn_vec v = pcn_dense(x, 2);
            x[1] = (float)(p->most * (2.0 * j / (ROWS - 1) - 1));
            must(pcn_kmodel_scores(&m->model, how, &v, 1, &score, work, sizeof work));
            if (j == 0 || (before >= 0) == (score >= 0)) continue;
            draw_to(p->f, !begun, at_x(p, (double)x[0]), at_y(p, change_between(m, how, x, 2 * p->most / (ROWS - 1))));
            begun = 1;
            break;
        }
    }
    fputs("'/>\n", p->f);
}

static int draw_outlier(const char *folder)
{
    static const char *const style[] = {"gray dotted", "blue", "orange dashed"}, *const name[] = {"last weights",
                                                                                                  "averaged", "voted"};
    static float memory[PCN_KPERCEPTRON_FLOATS(2, 2, SLOTS)], work[PCN_KMODEL_WORK(2, SLOTS, 1)];
    static pcn_slot slot[SLOTS];
    static pcn_log_entry log[ENTRIES];
    const points *of = &with_outlier;
    pcn_kperceptron m;
    pcn_pass pass;
    plane p;
    uint32_t i;
    FILE *f = folder_begin(
        folder, "outlier", "One outlier, and three ways to decide",
        "The outlier comes last in each epoch. "
        "The last weights follow it; the mean and the vote of all weights do not",
        560, "Points of two classes and one outlier, with the lines of the last, averaged and voted weights.");
    if (!f) return 0;
    must(pcn_kperceptron_init(&m, pcn_kernel_linear(), 2, 2, slot, SLOTS, memory, sizeof memory));
    must(pcn_kperceptron_use_log(&m, log, ENTRIES));
    m.learner.bias_input = 1;
    pcn_pass_init(&pass, (uint32_t)of->count, OUTLIER_EPOCHS, 0);
    pass.order = PCN_ORDER_FILE;
    while (pcn_pass_next(&pass, &i))
        pcn_pass_note(&pass, pcn_kperceptron_learn_row(&m, pcn_dense(of->x[i], 2), of->y[i], i));
    p = plane_begin(f, 80, 0, 4, "x1", "x2");
    for (int k = 0; k < 3; k++) draw_decision(&p, style[k], &m, (enum pcn_decision)k);
    draw_points(&p, of);
    plane_end(&p);
    for (int k = 0; k < 3; k++) {
        int wrong = 0, guess;
        for (int row = 0; row < of->count - 1; row++) {
            pcn_vec v = pcn_dense(of->x[row], 2);
            must(pcn_kmodel_predict(&m.model, (enum pcn_decision)k, &v, 1, &guess, work, sizeof work));
            wrong += guess != (of->y[row] > 0);
        }
        draw_line(f, style[k], 500, 176 + 30 * k, 540, 176 + 30 * k);
        draw_text(f, 550, 180 + 30 * k, "start", "%s: %d of the %d others wrong", name[k], wrong, of->count - 1);
    }
    draw_text(f, 500, 280, "start", "%d epochs, %u updates", OUTLIER_EPOCHS, (unsigned)m.learner.count.updates);
    return picture_end(f);
}

/* ---- Epochs ------------------------------------------------------------------------------------- */

enum { MOST_FEATURES = 60, MOST_LEARNED = 300, FRESH = 1000, EPOCHS = 30, DRAWS = 40 };

static uint32_t state;

/* From -1 to 1: the upper bits of a linear congruential generator. */
static float uniform(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 8388608.0f - 1;
}

typedef struct sample {
    uint32_t features, learned; /* rows to learn from; fresh ones follow */
    float x[MOST_LEARNED + FRESH][MOST_FEATURES];
    int y[MOST_LEARNED + FRESH];
} sample;

/* The sign of a plane's score, for rows no nearer to it than `gap`; of those to learn from, some labels are wrong. */
static void draw_sample(sample *s, float gap, float noise, int sorted)
{
    float w[MOST_FEATURES];
    for (uint32_t j = 0; j < s->features; j++) w[j] = uniform();
    for (uint32_t i = 0; i < s->learned + FRESH; i++) {
        float score;
        do {
            for (uint32_t j = 0; j < s->features; j++) s->x[i][j] = uniform();
            score = pcn_dot(w, s->features, pcn_dense(s->x[i], s->features));
        } while (fabsf(score) < gap || (sorted && i < s->learned && (score > 0) != (i < s->learned / 2)));
        s->y[i] = score > 0;
        if (i < s->learned && (uniform() + 1) / 2 < noise) s->y[i] = !s->y[i];
    }
}

static double errors(const pcn_perceptron *m, const sample *s, uint32_t from, uint32_t count)
{
    int wrong = 0;
    for (uint32_t i = from; i < from + count; i++)
        wrong += pcn_perceptron_predict(m, pcn_dense(s->x[i], s->features)) != s->y[i];
    return 100.0 * wrong / count;
}

/* Adds the errors after each epoch to training and test, divided by the draws. Returns the epochs to a clean one. */
static uint32_t learn_sample(const sample *s, uint8_t order, uint32_t seed, double *training, double *test)
{
    float memory[PCN_PERCEPTRON_FLOATS(MOST_FEATURES, 2)];
    pcn_perceptron m;
    pcn_pass pass;
    uint32_t i, clean = 0;
    must(pcn_perceptron_init(&m, s->features, 2, memory, sizeof memory));
    pcn_pass_init(&pass, s->learned, EPOCHS, seed);
    pass.order = order;
    pass.stop = PCN_STOP_NEVER;
    while (pcn_pass_next(&pass, &i)) {
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, pcn_dense(s->x[i], s->features), s->y[i]));
        if (pass.left) continue;
        if (!clean && pass.updates == 0) clean = pass.epoch;
        training[pass.epoch - 1] += errors(&m, s, 0, s->learned) / DRAWS;
        test[pass.epoch - 1] += errors(&m, s, s->learned, FRESH) / DRAWS;
    }
    return clean ? clean : EPOCHS;
}

static const char *const epoch_about = "Errors in percent by epoch.";

static int draw_stopping(const char *folder)
{
    static sample s;
    static double training[EPOCHS], test[EPOCHS], epoch[EPOCHS];
    int best = 0;
    chart c;
    FILE *f = folder_begin(folder, "stopping", "When to stop",
                           "120 rows with 60 features, a fifth of the labels wrong; "
                           "errors on them and on 1000 fresh rows, mean of 40 samples",
                           600, epoch_about);
    if (!f) return 0;
    s.features = 60, s.learned = 120;
    state = 1;
    for (uint32_t k = 0; k < DRAWS; k++) {
        draw_sample(&s, 0, 0.2f, 0);
        learn_sample(&s, PCN_ORDER_EACH, k, training, test);
    }
    for (int i = 0; i < EPOCHS; i++) {
        epoch[i] = i + 1;
        if (test[i] < test[best]) best = i;
    }
    c = chart_begin(f, 100, 360, 0, EPOCHS, 5, 0, 50, 10, "epoch", "errors, %");
    draw_curve(&c, "orange dashed", "training error", epoch, training, EPOCHS, 0);
    draw_curve(&c, "blue", "test error", epoch, test, EPOCHS, 1);
    c = chart_begin(f, 540, 360, 0, EPOCHS, 5, 34, 39, 1, "epoch", "the test error from nearby, %");
    draw_line(f, "gray dotted", chart_x(&c, best + 1), FLOOR, chart_x(&c, best + 1), TOP + 20);
    draw_text(f, chart_x(&c, best + 1) + 8, TOP + 34, "start", "stop here: %.1f %% at epoch %d; at the end %.1f %%",
              test[best], best + 1, test[EPOCHS - 1]);
    fputs("<path class='blue' d='", f);
    for (int i = 0; i < EPOCHS; i++) draw_to(f, i == 0, chart_x(&c, epoch[i]), chart_y(&c, test[i]));
    fputs("'/>\n", f);
    return picture_end(f);
}

static int draw_orders(const char *folder)
{
    enum { ORDERS = 3, SEEN = 12 };
    static const uint8_t order[] = {PCN_ORDER_FILE, PCN_ORDER_ONCE, PCN_ORDER_EACH};
    static const char *const style[] = {"orange dashed", "gray dotted", "blue"},
                             *const name[] = {"in order", "permuted once", "permuted each epoch"};
    static sample s;
    static double training[ORDERS][EPOCHS], test[ORDERS][EPOCHS], epoch[EPOCHS];
    double clean[ORDERS] = {0};
    chart c[2];
    FILE *f = folder_begin(folder, "permuting", "In order, or permuted?",
                           "300 separable rows with 10 features, in order first all of one class, "
                           "then all of the other; the mean of 40 samples",
                           640, epoch_about);
    if (!f) return 0;
    s.features = 10, s.learned = 300;
    state = 1;
    for (uint32_t k = 0; k < DRAWS; k++) {
        draw_sample(&s, 0.3f, 0, 1);
        for (int o = 0; o < ORDERS; o++)
            clean[o] += learn_sample(&s, order[o], k, training[o], test[o]) / (double)DRAWS;
    }
    for (int i = 0; i < EPOCHS; i++) epoch[i] = i + 1;
    for (int k = 0; k < 2; k++) {
        c[k] = chart_begin(f, 100 + 440 * k, 360, 0, SEEN, 2, 0, 40, 10, "epoch",
                           k ? "test error, %" : "training error, %");
        for (int o = 0; o < ORDERS; o++) {
            fprintf(f, "<path class='%s' data-name='%s, %s' data-y='", style[o], name[o], k ? "test" : "training");
            for (int i = 0; i < EPOCHS; i++) fprintf(f, "%s%.4g", i ? " " : "", (k ? test : training)[o][i]);
            fputs("' d='", f);
            for (int i = 0; i < SEEN; i++)
                draw_to(f, i == 0, chart_x(&c[k], epoch[i]), chart_y(&c[k], (k ? test : training)[o][i]));
            fputs("'/>\n", f);
        }
    }
    for (int o = 0; o < ORDERS; o++) {
        draw_line(f, style[o], 100, 555 + 24 * o, 140, 555 + 24 * o);
        draw_text(f, 150, 560 + 24 * o, "start", "%s: an epoch without errors after %.1f epochs in the mean%s", name[o],
                  clean[o], o ? "" : " (30 where there was none)");
    }
    return picture_end(f);
}

/* ---- The page ----------------------------------------------------------------------------------- */

typedef struct figure {
    const char *name;
    int (*draw)(const char *folder); /* NULL: another program draws it */
} figure;

static const figure figures[] = {
    {"neuron", draw_neuron},       {"losses", draw_losses},        {"margin", draw_margin},
    {"separable", draw_separable}, {"outlier", draw_outlier},      {"spaces", draw_spaces},
    {"stopping", draw_stopping},   {"permuting", draw_orders},     {"weights", draw_weights},
    {"bias", draw_bias},           {"update", draw_update},        {"xor", draw_xor},
    {"risk", draw_risk},           {"projection", draw_projection}};

/* The texts in their order; a line without a file begins a text. */
static const struct {
    const char *file, *what;
} shown[] = {
    {NULL, "Su: Perceptron and Winnow"},
    {"neuron", "Figure 1: the perceptron as a neuron"},
    {"losses", "Figure 2: 0/1 loss, and what he calls hinge loss, beside the usual one"},
    {"risk", "Section 2: why the 0/1 risk has no gradient to follow"},
    {"margin", "Figure 3: the margin"},
    {"committee", "Section 3: mistakes of perceptron and Winnow by the number of experts p, beside his bound p k"},
    {NULL, "Lecture 7: Perceptron and linear programs"},
    {"separable", "Separable points, and points that no line divides"},
    {"proof", "The mistake bound in figures: each update, and both sides of the proof"},
    {NULL, "Eaton: The perceptron"},
    {"losses", "The perceptron loss"},
    {"outlier", "One outlier against the last, the voted and the averaged perceptron"},
    {NULL, "Honavar: Threshold neurons"},
    {"spaces", "Pattern space beside weight space"},
    {NULL, "CIML, chapter 4: The perceptron"},
    {"neuron", "Figures 4.1 and 4.2: a neuron, with the products and the sum of a real row"},
    {"stopping", "Figure 4.3: training and test error by epoch, and early stopping"},
    {"permuting", "Figure 4.4: permuting against not permuting, measured"},
    {"projection", "Math review: a product of vectors as a projection"},
    {"weights", "Figures 4.6 and 4.7: weight vector and plane, and the points projected onto it"},
    {"bias", "Figure 4.8: the bias shifts the plane"},
    {"update", "Figure 4.9: an update"},
    {"separable", "Figures 4.10 and 4.11: separable data, and inseparable data"},
    {"xor", "Figure 4.12: XOR, and the third feature of its exercise"},
    {"kernels", "XOR and rings by kernels, which need no new feature"},
    {"digits", "The averaged perceptron on handwritten digits"}};

static int write_page(const char *folder)
{
    char path[4096];
    FILE *f;
    int bad;
    if (snprintf(path, sizeof path, "%s/index.html", folder) >= (int)sizeof path || !(f = fopen(path, "w"))) return 0;
    fputs("<!DOCTYPE html>\n<html lang='en'>\n<meta charset='utf-8'>\n<title>The figures of five texts</title>\n"
          "<style>body { max-width: 960px; margin: 2em auto; font-family: system-ui, sans-serif; color: #111827 }\n"
          "img { max-width: 100%; height: auto; border: 1px solid #9ca3af } figure { margin: 2em 0 }</style>\n"
          "<h1>The figures of five texts about the perceptron</h1>\n",
          f);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (!shown[i].file)
            fprintf(f, "<h2>%s</h2>\n", shown[i].what);
        else
            fprintf(f, "<figure><figcaption>%s</figcaption>\n<img src='%s.svg' alt='%s'></figure>\n", shown[i].what,
                    shown[i].file, shown[i].what);
    }
    bad = ferror(f);
    return !fclose(f) && !bad;
}

int main(int argc, char **argv)
{
    if (argc != 2) return fputs("usage: figures FOLDER\n", stderr), USAGE;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!figures[i].draw(argv[1]))
            return fprintf(stderr, "%s: %s.svg cannot be written\n", argv[1], figures[i].name), IO;
    if (!write_page(argv[1])) return fprintf(stderr, "%s: index.html cannot be written\n", argv[1]), IO;
    return 0;
}
