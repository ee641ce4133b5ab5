/* Line charts as SVG: panels above one another with one x axis, in the style of examples/digits.c. */
#ifndef SVG_H
#define SVG_H

#include "cli/output.h"

#define SVG_START "<!-- A chart by perceptron -->\n" /* of every chart: what output_begins asks for */

enum svg_style { SVG_BLUE, SVG_ORANGE, SVG_GREY }; /* bold, plain, dashed */
enum { SVG_LINES = 3 };                            /* of a panel at most: one of each style reads well */

typedef struct svg_line {
    const char *name;    /* stands at the line's end */
    const double *x, *y; /* x ascends, y >= 0 */
    size_t count;        /* 1 or more; a single point is a dot. Those that nobody could see are left out */
    enum svg_style style;
} svg_line;

typedef struct svg_axis {
    const char *name, *unit; /* unit: behind each number; "" for none */
    double least;            /* between two ticks; 1 for whole numbers, 0: any round number */
} svg_axis;

typedef struct svg_panel {
    svg_axis y; /* begins at 0 */
    int height; /* in pixels, without what stands around it */
    const svg_line *line;
    size_t lines;
} svg_panel;

typedef struct svg_chart {
    const char *title, *subtitle; /* any bytes */
    svg_axis x;
    int width; /* of the panels */
    const svg_panel *panel;
    size_t panels;
} svg_chart;

/* Opens a file for a chart before the work that it will show; ends the program if something else than a chart
 * is in it, unless `force`, or if the name is "-". */
void svg_open(output *o, const char *name, int force);
void svg_draw(FILE *f, const svg_chart *c);

#endif
