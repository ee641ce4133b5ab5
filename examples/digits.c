/* build with: cc -std=c99 -O2 -I. examples/digits.c -o build/digits
 *
 * Reads handwritten digits with the averaged multiclass perceptron and draws what it learned: the
 * weights of a class are a picture too, and the mean of all weights reads better than the last.
 *
 * digits DATA.csv PICTURE.svg. `make pictures` makes examples/digits.svg so. After
 * build/digits examples/data/digits.csv build/digits.svg
 *
 * It prints:
 *
 *     epoch  updates  mistakes   test: live   mean
 *         1      339   22.65 %        4.33 %   3.33 %
 *         2      174   11.62 %        6.00 %   2.67 %
 *         3      126    8.42 %       15.33 %   2.33 %
 *         4       93    6.21 %       11.00 %   2.33 %
 *         5      100    6.68 %        4.67 %   2.33 %
 *         6       84    5.61 %        2.67 %   2.33 %
 *         7       82    5.48 %        4.00 %   2.33 %
 *         8       82    5.48 %        4.00 %   2.33 %
 *         9       73    4.88 %        7.67 %   2.33 %
 *        10       73    4.88 %        4.67 %   2.33 %
 *
 *     read as    0   1   2   3   4   5   6   7   8   9     right
 *           0   32   .   .   .   .   .   .   .   .   .   100.0 %
 *           1    .  27   .   1   .   .   .   .   .   .    96.4 %
 *           2    .   .  25   .   .   .   .   .   .   .   100.0 %
 *           3    .   .   .  31   .   .   .   .   .   .   100.0 %
 *           4    .   .   .   .  30   .   .   .   .   .   100.0 %
 *           5    .   .   .   .   1  29   .   .   .   1    93.5 %
 *           6    .   .   .   .   .   1  29   .   1   .    93.5 %
 *           7    .   .   .   .   .   .   .  32   .   1    97.0 %
 *           8    .   .   .   .   .   .   .   .  28   .   100.0 %
 *           9    .   1   .   .   .   .   .   .   .  30    96.8 %
 *
 *     mean weights: 97.67 % of 300 test rows right
 *     wrote build/digits.svg
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"
#include "picture.h"
#include <ctype.h>
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
    while (fgets(record, sizeof record, f)) {
        if (rows == ROWS) die(BAD_INPUT, "%s:%u:1: more than %d rows", file, rows + 1, ROWS);
        parse(file, record);
        rows++;
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
    for (row = 0; row < rows; row += HELD) errors += pcn_linear_predict(model, picture(row)) != digit[row];
    return 100.0 * errors / held_out();
}

static void end_epoch(pcn_perceptron *m, const pcn_linear *mean, const pcn_pass *pass)
{
    uint32_t e = pass->epoch - 1;
    curve[MISTAKES][e] = 100.0 * (double)m->learner.count.mistakes / (double)m->learner.count.rows;
    curve[LIVE][e] = test_error(&m->live);
    curve[MEAN][e] = test_error(mean);
    printf("%5u  %7u  %6.2f %%  %10.2f %%  %5.2f %%\n", pass->epoch, pass->updates, curve[MISTAKES][e], curve[LIVE][e],
           curve[MEAN][e]);
    memset(&m->learner.count, 0, sizeof m->learner.count);
}

static pcn_linear train(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(PIXELS, CLASSES)], sums[PCN_AVERAGING_FLOATS(PIXELS, CLASSES)];
    static float out[PCN_LINEAR_FLOATS(PIXELS, CLASSES)];
    pcn_perceptron m;
    pcn_linear mean = {0};
    pcn_pass pass;
    uint32_t i;
    must(pcn_perceptron_init(&m, PIXELS, CLASSES, memory, sizeof memory));
    must(pcn_perceptron_use_averaging(&m, sums, sizeof sums));
    pcn_pass_init(&pass, rows - held_out(), EPOCHS, 1);
    pass.stop = PCN_STOP_NEVER;
    printf("epoch  updates  mistakes   test: live   mean\n");
    while (pcn_pass_next(&pass, &i)) {
        uint32_t row = i / (HELD - 1) * HELD + i % (HELD - 1) + 1;
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, picture(row), digit[row]));
        if (pass.left > 0) continue;
        must(pcn_perceptron_final(&m, &mean, out, sizeof out));
        end_epoch(&m, &mean, &pass);
    }
    must(pass.result);
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
    for (row = 0; row < rows; row += HELD) read_as[digit[row]][pcn_linear_predict(model, picture(row))]++;
    printf("\nread as ");
    for (k = 0; k < CLASSES; k++) printf("%4d", k);
    printf("     right\n");
    for (c = 0; c < CLASSES; c++) {
        printf("%7d ", c);
        for (k = 0; k < CLASSES; k++)
            if (read_as[c][k])
                printf("%4u", read_as[c][k]);
            else
                printf("   .");
        printf("   %5.1f %%\n", percent_right(c));
    }
}

/* ---- The picture ----------------------------------------------------------------------------- */

enum { PLOT_LEFT = 76, PLOT_RIGHT = 580, PLOT_TOP = 392, PLOT_BOTTOM = 606 };

static const int blue[3] = {0, 92, 171}, orange[3] = {217, 72, 1}, black[3] = {31, 41, 55};

/* White at 0, orange at -1, `plus` at 1. */
static void draw_cell(FILE *f, int x, int y, int size, double value, const int *plus)
{
    const int *full = value < 0 ? orange : plus;
    double t = value < 0 ? -value : value;
    unsigned c[3], i;
    for (i = 0; i < 3; i++) {
        double darker = t * (255 - full[i]); /* a statement of its own: rounded apart, as everywhere */
        c[i] = (unsigned)(255.5 - darker);
    }
    fprintf(f, "<path color='#%02x%02x%02x' d='M%d %dh%d'/>\n", c[0], c[1], c[2], x, y + size / 2, size);
}

/* 8 x 8 values, divided by `scale`; zeros are left to the white ground. */
static void draw_cells(FILE *f, int x, int y, int size, const float *value, double scale, const int *plus)
{
    int j;
    fprintf(f, "<g class='cells' stroke-width='%d'>\n", size);
    for (j = 0; j < PIXELS; j++) {
        double v = (double)value[j] / scale;
        if (value[j] < 0 || value[j] > 0) draw_cell(f, x + size * (j % SIDE), y + size * (j / SIDE), size, v, plus);
    }
    fputs("</g>\n", f);
    draw_box(f, "frame", x, y, size * SIDE, size * SIDE);
}

static double largest(const float *value, int count)
{
    double most = 0;
    int i;
    for (i = 0; i < count; i++) {
        double size = value[i] < 0 ? -(double)value[i] : (double)value[i];
        if (size > most) most = size;
    }
    return most;
}

static void draw_weights(FILE *f, const pcn_linear *model)
{
    double most = largest(model->weight, PIXELS * CLASSES);
    int c, i;
    draw_text(f, 40, 136, "head", "What each class looks for: its 8 x 8 weights");
    draw_text(f, 711, 136, "end", "ink here speaks against the digit");
    fputs("<g class='cells' stroke-width='12'>\n", f);
    for (i = -6; i <= 6; i++) draw_cell(f, 794 + 12 * i, 126, 12, i / 6.0, blue);
    fputs("</g>\n", f);
    draw_box(f, "frame", 722, 126, 156, 12);
    draw_text(f, 887, 136, "start", "for it");
    for (c = 0; c < CLASSES; c++) {
        int x = 40 + 800 * c / (CLASSES - 1);
        draw_text(f, x + 40, 178, "head mid", "%d", c);
        draw_cells(f, x, 190, 10, model->weight + (uint32_t)c * model->features, most, blue);
        draw_text(f, x + 40, 288, "mid", "%.0f %% right", percent_right(c));
    }
}

static int plot_x(int epoch)
{
    return PLOT_LEFT + 20 + (PLOT_RIGHT - PLOT_LEFT - 40) * epoch / (EPOCHS - 1);
}

static double plot_y(double share)
{
    return PLOT_BOTTOM - share * (PLOT_BOTTOM - PLOT_TOP);
}

/* Grid and ticks from 0 to a multiple of 5 or 20 %; returns the top. */
static int draw_axes(FILE *f)
{
    double most = 1;
    int i, step, top;
    for (i = 0; i < CURVES * EPOCHS; i++)
        if (curve[i / EPOCHS][i % EPOCHS] > most) most = curve[i / EPOCHS][i % EPOCHS];
    step = most <= 40 ? 5 : 20;
    top = step;
    while (top < most) top += step;
    for (i = 0; i <= top; i += step) {
        double y = plot_y((double)i / top);
        draw_line(f, i ? "grid" : "axis", PLOT_LEFT, y, PLOT_RIGHT, y);
        draw_text(f, PLOT_LEFT - 8, y + 4, "end", "%d %%", i);
    }
    for (i = 0; i < EPOCHS; i++) {
        draw_line(f, "axis", plot_x(i), PLOT_BOTTOM, plot_x(i), PLOT_BOTTOM + 5);
        draw_text(f, plot_x(i), PLOT_BOTTOM + 20, "mid", "%d", i + 1);
    }
    draw_text(f, (PLOT_LEFT + PLOT_RIGHT) / 2, PLOT_BOTTOM + 40, "mid", "epoch");
    return top;
}

static void draw_curves(FILE *f)
{
    static const char *const name[CURVES] = {"mistakes in training", "live weights, test", "mean weights, test"};
    static const char *const style[CURVES] = {"gray dashed", "orange", "blue"};
    int top = draw_axes(f), c, i;
    draw_text(f, 40, 340, "head", "Rows read wrong, epoch by epoch");
    for (c = 0; c < CURVES; c++) {
        int x = PLOT_LEFT + 170 * c;
        draw_line(f, style[c], x, 366, x + 22, 366); /* its sample in the legend */
        draw_text(f, x + 30, 370, style[c], "%s", name[c]);
        fprintf(f, "<path class='%s' d='", style[c]);
        for (i = 0; i < EPOCHS; i++) draw_to(f, i == 0, plot_x(i), plot_y(curve[c][i] / top));
        fputs("'/>\n", f);
    }
}

/* The first nine digits that are misread. */
static void draw_errors(FILE *f, const pcn_linear *model)
{
    uint32_t row;
    int n = 0;
    for (row = 0; row < rows; row += HELD) {
        int guess = pcn_linear_predict(model, picture(row));
        int x = 640 + n % 3 * 108, y = 360 + n / 3 * 98;
        if (guess == digit[row]) continue;
        n++;
        if (n > 9) continue;
        draw_cells(f, x, y, 8, pixel[row], INK, black);
        draw_text(f, x + 32, y + 80, "mid", "%d read as %d", digit[row], guess);
    }
    draw_text(f, 640, 340, "head", "%d of %u test digits misread", n, held_out());
}

static int draw(const char *file, const pcn_linear *model)
{
    FILE *f = picture_begin(file, 960, 676, "A perceptron that reads digits",
                            "Ten pictures of 8 x 8 weights, one for each digit: where ink speaks for it and where "
                            "against it. Below, the share of digits read wrong in each of %d epochs, and the test "
                            "digits that are misread in the end.",
                            EPOCHS);
    if (!f) return 0;
    fputs("<style>.cells path { shape-rendering: crispEdges; stroke-width: inherit }</style>\n", f);
    draw_text(f, 40, 86, "subtitle",
              "Learned from %u handwritten digits in %d epochs; of %u others, the mean "
              "weights read %.1f %% right",
              rows - held_out(), EPOCHS, held_out(), 100 - curve[MEAN][EPOCHS - 1]);
    draw_weights(f, model);
    draw_curves(f);
    draw_errors(f, model);
    return picture_end(f);
}

int main(int argc, char **argv)
{
    pcn_linear mean;
    if (argc != 3) die(USAGE, "usage: digits DATA.csv PICTURE.svg");
    read_rows(argv[1]);
    mean = train();
    print_confusion(&mean);
    printf("\nmean weights: %.2f %% of %u test rows right\n", 100 - curve[MEAN][EPOCHS - 1], held_out());
    if (!draw(argv[2], &mean)) die(IO, "%s: cannot be written", argv[2]);
    printf("wrote %s\n", argv[2]);
    if (fflush(stdout) || ferror(stdout)) die(IO, "standard output: cannot be written");
}
