#include "svg.h"
#include "cli/json.h"

#include <math.h>

/* Pixels: around the panels, above each, between ticks, between names. */
enum { LEFT = 76, RIGHT = 150, TOP = 76, BOTTOM = 64, GAP = 54, TICK = 50, NAME_HEIGHT = 17 };

static const char *const style_name[] = {"blue", "orange", "grey"};

typedef struct scale {
    double low, high, step;
    int from, to; /* pixels of low and high */
} scale;

void svg_open(output *o, const char *name, int force)
{
    if (strcmp(name, "-") == 0) die(EXIT_USAGE, "a chart does not go to standard output: give the name of a file");
    if (!force && !output_begins(name, SVG_START))
        die(EXIT_USAGE, "%s is no chart of this program: --force replaces it", name);
    output_open(o, name);
}

/* What XML does not allow becomes a question mark. */
static void put_text(FILE *f, const char *text)
{
    int length;
    for (; *text; text += length ? length : 1) {
        length = utf8_length(text);
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(f, "&#%d;", *text);
        else if (length == 0 || (unsigned char)*text < ' ')
            fputc('?', f);
        else
            fprintf(f, "%.*s", length, text);
    }
}

static void put_label(FILE *f, double x, double y, const char *class, const char *text)
{
    fprintf(f, "<text x='%g' y='%g' class='%s'>", x, y, class);
    put_text(f, text);
    fprintf(f, "</text>\n");
}

static void put_number(FILE *f, double x, double y, const char *class, double number, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "%.10g%s", number, unit);
    put_label(f, x, y, class, text);
}

static void put_rectangle(FILE *f, double x, double y, double width, double height, const char *class)
{
    fprintf(f, "<rect x='%g' y='%g' width='%g' height='%g' class='%s'/>\n", x, y, width, height, class);
}

static double place(const scale *s, double value)
{
    double range = s->high - s->low;
    return s->from + (range > 0 ? (value - s->low) / range : 0.5) * (s->to - s->from);
}

/* 1, 2 or 5 times a power of ten: the smallest that makes no more than `most` steps. */
static double round_step(double range, double most, double least)
{
    double power = range > 0 ? pow(10, floor(log10(range / most))) : 1, step = power;
    if (range / step > most) step = 2 * power;
    if (range / step > most) step = 5 * power;
    if (range / step > most) step = 10 * power;
    return step < least ? least : step;
}

/* In steps. */
static double first_tick(const scale *s)
{
    double tick = ceil(s->low / s->step - 1e-9);
    return tick > 0 || tick < 0 ? tick : 0; /* not -0 */
}

static double last_tick(const scale *s)
{
    return floor(s->high / s->step + 1e-9);
}

static scale scale_x(const svg_chart *c)
{
    scale s = {HUGE_VAL, -HUGE_VAL, 0, LEFT, LEFT + c->width};
    size_t i, k;
    for (i = 0; i < c->panels; i++)
        for (k = 0; k < c->panel[i].lines; k++) {
            const svg_line *l = &c->panel[i].line[k];
            s.low = fmin(s.low, l->x[0]);
            s.high = fmax(s.high, l->x[l->count - 1]);
        }
    s.step = round_step(s.high - s.low, c->width / TICK, c->x.least);
    return s;
}

/* From 0 to the tick above all. */
static scale scale_y(const svg_panel *p, int top)
{
    scale s = {0, 0, 0, top + p->height, top};
    size_t i, k;
    for (k = 0; k < p->lines; k++)
        for (i = 0; i < p->line[k].count; i++) s.high = fmax(s.high, p->line[k].y[i]);
    s.step = round_step(s.high, p->height / TICK, p->y.least);
    s.high = fmax(1, ceil(s.high / s.step - 1e-9)) * s.step;
    return s;
}

static void draw_axes(FILE *f, const svg_panel *p, const scale *x, const scale *y)
{
    double i;
    put_label(f, LEFT, y->to - 14, "start", p->y.name);
    for (i = 0; i <= last_tick(y); i++) {
        double at = place(y, i * y->step);
        put_rectangle(f, LEFT, at, x->to - x->from, 1, i > 0 ? "grid" : "axis");
        put_number(f, LEFT - 8, at + 4, "end", i * y->step, p->y.unit);
    }
    for (i = first_tick(x); i <= last_tick(x); i++) put_rectangle(f, place(x, i * x->step), y->from, 1, 5, "axis");
}

static void draw_ticks(FILE *f, const svg_axis *axis, const scale *x, int bottom)
{
    double i;
    for (i = first_tick(x); i <= last_tick(x); i++)
        put_number(f, place(x, i * x->step), bottom + 20, "mid", i * x->step, axis->unit);
    put_label(f, (x->from + x->to) / 2, bottom + 40, "mid", axis->name);
}

/* Of the points in one column of pixels the first, the lowest, the highest and the last look like all. */
static void draw_line(FILE *f, const svg_line *l, const scale *x, const scale *y)
{
    size_t i, end, low, high, first;
    fprintf(f, "<path class='%s%s' d='", style_name[l->style], l->count == 1 ? " dot" : "");
    for (first = 0; first < l->count; first = end) {
        double column = floor(place(x, l->x[first]));
        low = high = first;
        for (end = first; end < l->count && floor(place(x, l->x[end])) <= column; end++) {
            if (l->y[end] < l->y[low]) low = end;
            if (l->y[end] > l->y[high]) high = end;
        }
        for (i = first; i < end; i++)
            if (i == first || i == low || i == high || i + 1 == end)
                fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', place(x, l->x[i]), place(y, l->y[i]));
    }
    fprintf(f, "%s'/>\n", l->count == 1 ? "h0" : "");
}

/* Each at its line's end, the upper ones first, none upon another. */
static void draw_names(FILE *f, const svg_panel *p, const scale *x, const scale *y)
{
    double at[SVG_LINES], before = -HUGE_VAL;
    int done[SVG_LINES] = {0};
    size_t k, i;
    for (k = 0; k < p->lines; k++) at[k] = place(y, p->line[k].y[p->line[k].count - 1]) + 4;
    for (i = 0; i < p->lines; i++) {
        size_t next = p->lines;
        for (k = 0; k < p->lines; k++)
            if (!done[k] && (next == p->lines || at[k] < at[next])) next = k;
        done[next] = 1;
        before = fmax(at[next], before + NAME_HEIGHT);
        put_label(f, x->to + 10, before, style_name[p->line[next].style], p->line[next].name);
    }
}

static void begin_drawing(FILE *f, int width, int height)
{
    fprintf(f, SVG_START "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n", width,
            height, width, height);
    fputs("<style>\n"
          "text { font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }\n"
          ".title { font-size: 26px } .subtitle { font-size: 15px } .mid { text-anchor: middle }\n"
          ".end { text-anchor: end } .title, text.blue { font-weight: bold }\n"
          "text { fill: #4b5563 } .title { fill: #111827 } text.blue { fill: #005cab } text.orange { fill: #b53c00 }\n"
          "rect { shape-rendering: crispEdges } .paper { fill: #fff } .grid { fill: #e5e7eb }\n"
          ".axis { fill: #9ca3af } path { fill: none; stroke-linejoin: round; stroke-linecap: round }\n"
          "path.grey { stroke: #6b7280; stroke-width: 2; stroke-dasharray: 5 4; stroke-linecap: butt }\n"
          "path.orange { stroke: #d94801; stroke-width: 2.5 } path.blue { stroke: #005cab; stroke-width: 4 }\n"
          "path.dot { stroke-width: 9; stroke-linecap: round; stroke-dasharray: none }\n"
          "</style>\n",
          f);
    put_rectangle(f, 0, 0, width, height, "paper");
}

void svg_draw(FILE *f, const svg_chart *c)
{
    const scale x = scale_x(c);
    int height = TOP + BOTTOM, top = TOP;
    size_t i, k;
    for (i = 0; i < c->panels; i++) height += GAP + c->panel[i].height;
    begin_drawing(f, LEFT + c->width + RIGHT, height);
    put_label(f, LEFT - 36, 46, "title", c->title);
    put_label(f, LEFT - 36, 72, "subtitle", c->subtitle);
    for (i = 0; i < c->panels; i++) {
        const svg_panel *p = &c->panel[i];
        scale y = scale_y(p, top += GAP);
        draw_axes(f, p, &x, &y);
        for (k = p->lines; k-- > 0;) draw_line(f, &p->line[k], &x, &y); /* the first lies on top */
        draw_names(f, p, &x, &y);
        top += p->height;
    }
    draw_ticks(f, &c->x, &x, top);
    fputs("</svg>\n", f);
}
