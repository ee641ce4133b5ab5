/* build with: cc -std=c99 -O2 -I. examples/digits.c -o build/digits
 *
 * Reads handwritten digits with the averaged multiclass perceptron and draws what it learned: the
 * weights of a class are a picture too, and the mean of all weights reads better than the last. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, PIXELS = SIDE * SIDE, INK = 16, CLASSES = 10, ROWS = 4096, EPOCHS = 10 };
enum { HELD = 6 };                         /* every sixth row is held out, from row 0 on */
enum { USAGE = 1, BAD_INPUT = 2, IO = 3 }; /* exit status */
enum { MISTAKES, LIVE, MEAN, CURVES };

static float pixel[ROWS][PIXELS];
static int digit[ROWS];
static uint32_t rows;
static double curve[CURVES][EPOCHS];       /* wrong, in % of the rows */
static unsigned read_as[CLASSES][CLASSES]; /* test rows by digit and by what the mean reads */

static void die(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

/* ---- Data ------------------------------------------------------------------------------------ */

/* A number 0 .. most and what ends it, a comma or the line. Returns what is wrong there or NULL. */
static const char *field(const char **at, long most, int last, int *value)
{
    char *end;
    long number = strtol(*at, &end, 10);
    if (!isdigit((unsigned char)**at) || number > most)
        return last ? "expected a digit, 0 to 9" : "expected a pixel, 0 to 16";
    *value = (int)number;
    *at = end;
    if (last ? end[strspn(end, "\r\n")] != '\0' : *end != ',')
        return last ? "expected the end of the line" : "expected a comma";
    if (!last) ++*at;
    return NULL;
}

static void parse(const char *file, const char *record)
{
    const char *at = record, *wrong = NULL;
    int j, value = 0;
    for (j = 0; j < PIXELS && !wrong; j++) {
        wrong = field(&at, INK, 0, &value);
        pixel[rows][j] = (float)value;
    }
    if (!wrong) wrong = field(&at, CLASSES - 1, 1, &digit[rows]);
    if (wrong) die(BAD_INPUT, "%s:%u:%d: %s", file, rows + 1, (int)(at - record) + 1, wrong);
}

static void read_rows(const char *file)
{
    char record[512]; /* a row has 195 characters at most; what is longer is not a row */
    FILE *f = fopen(file, "r");
    if (!f) die(IO, "%s: cannot be opened", file);
    for (; fgets(record, sizeof record, f); rows++) {
        if (rows == ROWS) die(BAD_INPUT, "%s:%u:1: more than %d rows", file, rows + 1, ROWS);
        parse(file, record);
    }
    if (ferror(f)) die(IO, "%s: cannot be read", file);
    if (rows < 2) die(BAD_INPUT, "%s:%u:1: expected two rows or more", file, rows + 1);
    fclose(f);
}

static pcn_vec picture(uint32_t row)
{
    return pcn_dense(pixel[row], PIXELS);
}

/* ---- Learning -------------------------------------------------------------------------------- */

static uint32_t held_out(void)
{
    return (rows + HELD - 1) / HELD;
}

static double test_error(const pcn_linear *model)
{
    uint32_t row, errors = 0;
    for (row = 0; row < rows; row += HELD)
        errors += pcn_linear_predict_class(model, picture(row)) != digit[row];
    return 100.0 * errors / held_out();
}

static void end_epoch(pcn_perceptron *m, const pcn_linear *mean, const pcn_pass *pass)
{
    uint32_t e = pass->epoch - 1;
    curve[MISTAKES][e] = 100.0 * (double)m->learner.count.mistakes / (double)m->learner.count.rows;
    curve[LIVE][e] = test_error(&m->model);
    curve[MEAN][e] = test_error(mean);
    printf("%5u  %7u  %6.2f %%  %10.2f %%  %5.2f %%\n", pass->epoch, pass->updates,
           curve[MISTAKES][e], curve[LIVE][e], curve[MEAN][e]);
    memset(&m->learner.count, 0, sizeof m->learner.count);
}

static pcn_linear train(void)
{
    static float memory[PCN_WEIGHTS(PIXELS, CLASSES)], sums[PCN_SUMS(PIXELS, CLASSES)];
    static float out[PCN_BATCH(PIXELS, CLASSES)];
    pcn_perceptron m;
    pcn_linear mean = {0};
    pcn_pass pass;
    uint32_t i;
    if (pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), PIXELS, CLASSES) != PCN_OK ||
        pcn_averaging_init(&m, sums, PCN_LENGTH(sums)) != PCN_OK)
        abort(); /* the macros give the right lengths */
    pcn_pass_init(&pass, rows - held_out(), EPOCHS, 1);
    pass.stop = PCN_STOP_NEVER;
    printf("epoch  updates  mistakes   test: live   mean\n");
    while (pcn_pass_next(&pass, &i)) {
        uint32_t row = i / (HELD - 1) * HELD + i % (HELD - 1) + 1;
        pcn_pass_note(&pass, pcn_perceptron_learn_class(&m, picture(row), digit[row]));
        if (pass.left > 0) continue;
        mean = pcn_averaging_view(&m, out);
        end_epoch(&m, &mean, &pass);
    }
    return mean;
}

/* ---- The table ------------------------------------------------------------------------------- */

static double percent_right(int c)
{
    unsigned k, all = 0;
    for (k = 0; k < CLASSES; k++) all += read_as[c][k];
    return all ? 100.0 * read_as[c][c] / all : 0.0;
}

static void print_confusion(const pcn_linear *model)
{
    uint32_t row;
    int c, k;
    for (row = 0; row < rows; row += HELD)
        read_as[digit[row]][pcn_linear_predict_class(model, picture(row))]++;
    printf("\nread as ");
    for (k = 0; k < CLASSES; k++) printf("%4d", k);
    printf("     right\n");
    for (c = 0; c < CLASSES; c++) {
        printf("%7d ", c);
        for (k = 0; k < CLASSES; k++)
            if (read_as[c][k]) printf("%4u", read_as[c][k]);
            else printf("   .");
        printf("   %5.1f %%\n", percent_right(c));
    }
}

/* ---- The drawing ----------------------------------------------------------------------------- */

#define TEXT(words) "<text x='%d' y='%d' class='%s'>" words "</text>\n"
#define RECT "<rect x='%d' y='%d' width='%d' height='%d' class='%s'/>\n"
#define CELL "<rect x='%d' y='%d' width='%d' height='%d' fill='#%02x%02x%02x'/>\n"

enum { PLOT_LEFT = 76, PLOT_RIGHT = 580, PLOT_TOP = 392, PLOT_BOTTOM = 606 };

static const int blue[3] = {0, 92, 171}, orange[3] = {217, 72, 1}, black[3] = {31, 41, 55};

/* White at 0, blue at -1, `plus` at 1. */
static void draw_cell(FILE *f, int x, int y, int size, double value, const int *plus)
{
    const int *full = value < 0 ? blue : plus;
    double t = value < 0 ? -value : value;
    unsigned c[3], i;
    for (i = 0; i < 3; i++) c[i] = (unsigned)(255.5 + t * (full[i] - 255));
    fprintf(f, CELL, x, y, size, size, c[0], c[1], c[2]);
}

/* 8 x 8 values, divided by `scale`; zeros are left to the white ground. */
static void draw_picture(FILE *f, int x, int y, int size, const float *value, double scale,
                         const int *plus)
{
    int j;
    for (j = 0; j < PIXELS; j++) {
        double v = (double)value[j] / scale;
        if (value[j] < 0 || value[j] > 0)
            draw_cell(f, x + size * (j % SIDE), y + size * (j / SIDE), size, v, plus);
    }
    fprintf(f, RECT, x, y, size * SIDE, size * SIDE, "frame");
}

static void draw_weights(FILE *f, const pcn_linear *model)
{
    double most = 0;
    int c, i;
    for (i = 0; i < PIXELS * CLASSES; i++) {
        double w = (double)model->weight[i];
        most = w > most ? w : -w > most ? -w : most;
    }
    fprintf(f, TEXT("What each class looks for"), 40, 136, "head");
    fprintf(f, TEXT("ink here speaks against the digit"), 691, 136, "end");
    for (i = -7; i <= 7; i++) draw_cell(f, 784 + 12 * i, 126, 12, i / 7.0, orange);
    fprintf(f, RECT, 700, 126, 180, 12, "frame");
    fprintf(f, TEXT("for it"), 889, 136, "start");
    for (c = 0; c < CLASSES; c++) {
        int x = 40 + 800 * c / (CLASSES - 1);
        fprintf(f, TEXT("%d"), x + 40, 178, "digit", c);
        draw_picture(f, x, 190, 10, model->weight + (uint32_t)c * model->row, most, orange);
        fprintf(f, TEXT("%.0f %% right"), x + 40, 288, "mid", percent_right(c));
    }
}

static int plot_x(int epoch)
{
    return PLOT_LEFT + 20 + (PLOT_RIGHT - PLOT_LEFT - 40) * epoch / (EPOCHS - 1);
}

static int plot_y(double share)
{
    return PLOT_BOTTOM - (int)(share * (PLOT_BOTTOM - PLOT_TOP) + 0.5);
}

/* Grid and ticks from 0 to a multiple of 5 or 20 %; returns the top. */
static int draw_axes(FILE *f)
{
    double most = 1;
    int i, step, top;
    for (i = 0; i < CURVES * EPOCHS; i++)
        if (curve[i / EPOCHS][i % EPOCHS] > most) most = curve[i / EPOCHS][i % EPOCHS];
    step = most <= 40 ? 5 : 20;
    for (top = step; top < most; top += step) {}
    for (i = 0; i <= top; i += step) {
        int y = plot_y((double)i / top);
        fprintf(f, RECT, PLOT_LEFT, y, PLOT_RIGHT - PLOT_LEFT, 1, i ? "grid" : "axis");
        fprintf(f, TEXT("%d %%"), PLOT_LEFT - 8, y + 4, "end", i);
    }
    for (i = 0; i < EPOCHS; i++) {
        fprintf(f, RECT, plot_x(i), PLOT_BOTTOM, 1, 5, "axis");
        fprintf(f, TEXT("%d"), plot_x(i), PLOT_BOTTOM + 20, "mid", i + 1);
    }
    fprintf(f, TEXT("epoch"), (PLOT_LEFT + PLOT_RIGHT) / 2, PLOT_BOTTOM + 40, "mid");
    return top;
}

static void draw_curves(FILE *f)
{
    static const char *const name[CURVES] = {"mistakes in training", "live weights, test",
                                             "mean weights, test"};
    static const char *const style[CURVES] = {"mistakes", "live", "mean"};
    int top = draw_axes(f), c, i;
    fprintf(f, TEXT("Read wrong, epoch by epoch"), 40, 340, "head");
    for (c = 0; c < CURVES; c++) {
        int x = PLOT_LEFT + 170 * c;
        fprintf(f, TEXT("%s"), x + 30, 370, style[c], name[c]);
        fprintf(f, "<path class='%s' d='M%d 366h22", style[c], x); /* its sample in the legend */
        for (i = 0; i < EPOCHS; i++)
            fprintf(f, "%c%d %d", i ? 'L' : 'M', plot_x(i), plot_y(curve[c][i] / top));
        fputs("'/>\n", f);
    }
}

static void draw_errors(FILE *f, const pcn_linear *model)
{
    uint32_t row;
    int n = 0;
    for (row = 0; row < rows; row += HELD) {
        int guess = pcn_linear_predict_class(model, picture(row));
        int x = 640 + n % 3 * 108, y = 360 + n / 3 * 98;
        if (guess == digit[row] || n++ >= 9) continue;
        draw_picture(f, x, y, 8, pixel[row], INK, black);
        fprintf(f, TEXT("%d read as %d"), x + 32, y + 80, "mid", digit[row], guess);
    }
    fprintf(f, TEXT("%d of %u test digits misread"), 640, 340, "head", n, held_out());
}

static void draw(FILE *f, const pcn_linear *model)
{
    fputs("<svg xmlns='http://www.w3.org/2000/svg' width='960' height='676' "
          "viewBox='0 0 960 676'>\n<style>\n"
          "text { font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }\n"
          ".title { font-size: 26px } .subtitle { font-size: 15px } .head { font-size: 16px }\n"
          ".digit { font-size: 18px } .mid, .digit { text-anchor: middle }\n"
          ".end { text-anchor: end } .title, .head, .digit, text.mean { font-weight: bold }\n"
          "text { fill: #4b5563 } .title, .head, .digit { fill: #111827 }\n"
          "text.live { fill: #b53c00 } text.mean { fill: #005cab }\n"
          "rect { shape-rendering: crispEdges } .paper { fill: #fff } .grid { fill: #e5e7eb }\n"
          ".axis { fill: #9ca3af } .frame { fill: none; stroke: #9ca3af }\n"
          "path { fill: none; stroke-linejoin: round }\n"
          "path.mistakes { stroke: #6b7280; stroke-width: 2; stroke-dasharray: 5 4 }\n"
          "path.live { stroke: #d94801; stroke-width: 2.5 }\n"
          "path.mean { stroke: #005cab; stroke-width: 4 }\n"
          "</style>\n", f);
    fprintf(f, RECT, 0, 0, 960, 676, "paper");
    fprintf(f, TEXT("A perceptron that reads digits"), 40, 60, "title");
    fprintf(f, TEXT("Learned from %u handwritten digits in %d epochs; of %u others, "
                    "the mean weights read %.1f %% right"), 40, 86, "subtitle",
            rows - held_out(), EPOCHS, held_out(), 100 - curve[MEAN][EPOCHS - 1]);
    draw_weights(f, model);
    draw_curves(f);
    draw_errors(f, model);
    fputs("</svg>\n", f);
}

int main(int argc, char **argv)
{
    pcn_linear mean;
    FILE *f;
    int bad;
    if (argc != 3) die(USAGE, "usage: digits DATA.csv DRAWING.svg");
    read_rows(argv[1]);
    mean = train();
    print_confusion(&mean);
    printf("\nmean weights: %.2f %% of %u test rows right\n", 100 - curve[MEAN][EPOCHS - 1],
           held_out());
    f = fopen(argv[2], "w");
    if (!f) die(IO, "%s: cannot be opened", argv[2]);
    draw(f, &mean);
    bad = ferror(f);
    if (fclose(f) || bad) die(IO, "%s: cannot be written", argv[2]);
    printf("wrote %s\n", argv[2]);
    if (fflush(stdout) || ferror(stdout)) die(IO, "standard output: cannot be written");
}
