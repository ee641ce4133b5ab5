/* What the pictures of the examples share: fonts, colours, and the sentence for screen readers. Each picture
 * is an SVG with a white ground of its own, so that it can be read on a dark page too. Blue stands for the
 * class 1 (+1) and for what counts most, orange for the class 0 (-1) and for what it is compared with. */
#ifndef EXAMPLES_PICTURE_H
#define EXAMPLES_PICTURE_H

#include <stdarg.h>
#include <stdio.h>

static const char picture_style[] =
    "<style>\n"
    "text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #4b5563 }\n"
    ".title { font-size: 26px } .subtitle { font-size: 15px } .head { font-size: 16px }\n"
    ".title, .head { font-weight: bold; fill: #111827 } .mid { text-anchor: middle } .end { text-anchor: end }\n"
    ".blue { color: #005cab } .orange { color: #d94801 } .gray { color: #6b7280 }\n"
    "text.blue { fill: #005cab; font-weight: bold } text.orange { fill: #b53c00; font-weight: bold }\n"
    "path { fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linejoin: round }\n"
    "path.gray { stroke-width: 1.5 } .dashed { stroke-dasharray: 5 4 }\n"
    "circle { fill: currentColor } circle.ring, rect.ring { stroke: #111827; stroke-width: 2 }\n"
    ".paper { fill: #fff } .frame { fill: none; stroke: #9ca3af }\n"
    "path.axis, path.grid { stroke-width: 1 }\n"
    "path.axis { stroke: #9ca3af } path.grid { stroke: #e5e7eb }\n"
    ".solid { fill: currentColor; stroke-dasharray: none } path.sign { stroke: #fff; stroke-width: 2 }\n"
    "</style>\n";

/* A coordinate to a tenth: that keeps the file short. Ties are broken by a hair, since compilers may round the
 * coordinate itself in two ways. */
static inline double picture_tenth(double a)
{
    double tenths = 10 * a;
    return (double)(long)(tenths + (a < 0 ? -0.500001 : 0.500001)) / 10;
}

static inline void draw_text(FILE *f, double x, double y, const char *style, const char *format, ...)
{
    va_list arguments;
    fprintf(f, "<text x='%g' y='%g' class='%s'>", picture_tenth(x), picture_tenth(y), style);
    va_start(arguments, format);
    vfprintf(f, format, arguments);
    va_end(arguments);
    fputs("</text>\n", f);
}

static inline void draw_line(FILE *f, const char *style, double x1, double y1, double x2, double y2)
{
    fprintf(f, "<path class='%s' d='M%g %gL%g %g'/>\n", style, picture_tenth(x1), picture_tenth(y1), picture_tenth(x2),
            picture_tenth(y2));
}

/* The next point of a path: its first begins it. The caller writes what is around the points. */
static inline void draw_to(FILE *f, int first, double x, double y)
{
    fprintf(f, "%c%g %g", first ? 'M' : 'L', picture_tenth(x), picture_tenth(y));
}

static inline void draw_dot(FILE *f, const char *style, double x, double y, double radius)
{
    fprintf(f, "<circle class='%s' cx='%g' cy='%g' r='%g'/>\n", style, picture_tenth(x), picture_tenth(y), radius);
}

/* A point: of class +1 a blue circle with a plus, of class -1 an orange square with a minus; small ones have no sign.
 * more: a style. */
static inline void draw_mark(FILE *f, const char *more, double x, double y, int positive, double radius)
{
    const double half = 0.875 * radius, left = picture_tenth(x - half), top = picture_tenth(y - half);
    if (positive)
        fprintf(f, "<circle class='blue %s' cx='%g' cy='%g' r='%g'/>\n", more, picture_tenth(x), picture_tenth(y),
                radius);
    else
        fprintf(f, "<rect class='orange %s' fill='currentColor' x='%g' y='%g' width='%g' height='%g'/>\n", more, left,
                top, picture_tenth(2 * half), picture_tenth(2 * half));
    if (radius >= 7)
        fprintf(f, "<path class='sign' d='M%g %gh8%s'/>\n", picture_tenth(x - 4), picture_tenth(y),
                positive ? "m-4 -4v8" : "");
}

static inline void draw_box(FILE *f, const char *style, double x, double y, double width, double height)
{
    fprintf(f, "<rect class='%s' x='%g' y='%g' width='%g' height='%g'/>\n", style, picture_tenth(x), picture_tenth(y),
            picture_tenth(width), picture_tenth(height));
}

/* Opens the file and writes the title, and the description that the format makes. NULL: no such file. */
static inline FILE *picture_begin(const char *file, int width, int height, const char *title, const char *format, ...)
{
    va_list arguments;
    FILE *f = fopen(file, "w");
    if (!f) return NULL;
    fprintf(f,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' role='img' "
            "aria-labelledby='title desc'>\n<title id='title'>%s</title>\n<desc id='desc'>",
            width, height, width, height, title);
    va_start(arguments, format);
    vfprintf(f, format, arguments);
    va_end(arguments);
    fprintf(f, "</desc>\n%s", picture_style);
    draw_box(f, "paper", 0, 0, width, height);
    draw_text(f, 40, 56, "title", "%s", title);
    return f;
}

/* Returns 0 if the file could not be written. */
static inline int picture_end(FILE *f)
{
    int bad;
    fputs("</svg>\n", f);
    bad = ferror(f);
    return !fclose(f) && !bad;
}

#endif
