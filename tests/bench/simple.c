/* What no more than common sense gives: reads libsvm text whole, parses it by hand, and learns an averaged perceptron
 * with weights of double. It checks nothing. bench_simple FILE EPOCHS: numbers have at most 15 places, labels are -1
 * and 1, or 3 and more whole numbers without holes. */
#include <stdio.h>
#include <stdlib.h>

static int rows, width, least, most, *label, *feature; /* width: the highest feature; 0 is the bias */
static size_t entries, *begin;
static float *value;
static double *w, *steps, now; /* steps: the sum of all, each times the number of its row */
static unsigned mistakes;

static const char *number(const char *p, double *out)
{
    static const double unit[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int negative = *p == '-';
    long digits = 0;
    const char *point;
    for (p += negative; *p >= '0' && *p <= '9'; p++) digits = 10 * digits + (*p - '0');
    *out = (double)(negative ? -digits : digits);
    if (*p != '.') return p;
    for (point = ++p; *p >= '0' && *p <= '9'; p++) digits = 10 * digits + (*p - '0');
    *out = (double)(negative ? -digits : digits) / unit[p - point];
    return p;
}

static void parse(const char *p)
{
    size_t row_room = 0, room = 0;
    for (double y, j; *p; p++) {
        if ((size_t)rows + 1 >= row_room) {
            row_room = 2 * row_room + 1024;
            label = realloc(label, row_room * sizeof *label);
            begin = realloc(begin, row_room * sizeof *begin);
        }
        p = number(p, &y);
        label[rows] = (int)y;
        if (rows == 0 || label[rows] < least) least = label[rows];
        if (rows == 0 || label[rows] > most) most = label[rows];
        begin[rows++] = entries;
        for (; *p == ' '; entries++) {
            if (entries == room) {
                room = 2 * room + 65536;
                feature = realloc(feature, room * sizeof *feature);
                value = realloc(value, room * sizeof *value);
            }
            p = number(p + 1, &j);
            p = number(p + 1, &y);
            feature[entries] = (int)j;
            value[entries] = (float)y;
            if ((int)j > width) width = (int)j;
        }
    }
    begin[rows] = entries;
}

static void read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text;
    long size;
    if (!f || fseek(f, 0, SEEK_END)) exit(3);
    size = ftell(f);
    rewind(f);
    text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, f) != (size_t)size) exit(3);
    fclose(f);
    text[size] = '\0';
    parse(text);
    free(text);
}

static void add(int row, int classes, int c, double step)
{
    double *to = w + c, *sum = steps + c;
    for (size_t k = begin[row]; k < begin[row + 1]; k++) {
        to[feature[k] * classes] += step * (double)value[k];
        sum[feature[k] * classes] += now * step * (double)value[k];
    }
    *to += step;
    *sum += now * step;
}

static void learn_two(int row)
{
    double score = w[0];
    int y = label[row];
    for (size_t k = begin[row]; k < begin[row + 1]; k++) score += w[feature[k]] * (double)value[k];
    if (y * score > 0) return;
    mistakes++;
    add(row, 1, 0, y);
}

static void learn_class(int row, int classes, double *restrict score)
{
    int c, best = 0, y = label[row] - least;
    for (c = 0; c < classes; c++) score[c] = w[c];
    for (size_t k = begin[row]; k < begin[row + 1]; k++) {
        const double *restrict from = w + feature[k] * classes, x = (double)value[k];
        for (c = 0; c < classes; c++) score[c] += x * from[c];
    }
    for (c = 1; c < classes; c++)
        if (score[c] > score[best]) best = c;
    if (best == y) return;
    mistakes++;
    add(row, classes, y, 1);
    add(row, classes, best, -1);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 1;
    read_file(argv[1]);
    int classes = least == -1 && most == 1 ? 1 : most - least + 1;
    size_t numbers = (size_t)(width + 1) * (size_t)classes;
    double *score = calloc((size_t)classes, sizeof *score);
    w = calloc(numbers, sizeof *w);
    steps = calloc(numbers, sizeof *steps);
    if (!score || !w || !steps) return 4;
    for (int epoch = atoi(argv[2]); epoch > 0; epoch--)
        for (int i = 0; i < rows; i++, now++) {
            if (classes == 1)
                learn_two(i);
            else
                learn_class(i, classes, score);
        }
    for (size_t k = 0; k < numbers; k++) w[k] -= steps[k] / now; /* the mean */
    printf("%u mistakes, mean bias %g\n", mistakes, w[0]);
}
