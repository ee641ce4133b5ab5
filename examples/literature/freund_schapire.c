/* build with: cc -std=c99 -O2 -march=native -I. examples/literature/freund_schapire.c -o build/freund_schapire
 *
 * The experiment of Freund and Schapire, Machine Learning 37, 1999, on the digits of MNIST: ten
 * one-vs-rest kernel perceptrons, K(x, z) = (1 + x.z)^d, decided by the last, the averaged and the
 * voted hypothesis. Files in the idx format, unpacked; zcat will do: <(zcat train-images...gz).
 * On the 1497 + 300 digits of 8 x 8 pixels in examples/data, which tests/program/examples.sh writes in that format:
 *
 * It prints:
 *
 *          rows  mistakes  support vectors
 *           192       162              106
 *           320       234              159
 *           512       294              211
 *           640       335              246
 *           768       358              267
 *           960       411              311
 *          1088       464              353
 *          1216       507              385
 *          1408       557              431
 *          1497       571              444
 *
 *     test error of 300 rows
 *     last      12.33 %
 *     averaged   3.33 %
 *     voted      3.00 %
 */
#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_GROW
#include "perceptron.h"
#include "../must.h"
#include <stdarg.h>
#include <string.h>

enum { CLASSES = 10, BLOCK = 64, DECISIONS = 3, STEPS = 10, MOST_PIXELS = 65536, MOST_DEGREE = 16 };
enum { MAGIC_LABELS = 0x801, MAGIC_IMAGES = 0x803 };
enum { USAGE = 1, BAD_INPUT = 2, IO = 3 }; /* exit status */

typedef struct data {
    float *pixel; /* 0 .. 1, one picture after the other */
    unsigned char *digit;
    uint32_t rows, pixels;
} data;

typedef struct options {
    unsigned long degree, limit;
    double epochs;
    char **file; /* images and labels to learn from, images and labels to test with */
} options;

static void die(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

static void *take(size_t count, size_t size)
{
    void *memory = count <= SIZE_MAX / size ? malloc(count * size) : NULL;
    if (!memory) die(IO, "out of memory");
    return memory;
}

/* ---- Data ------------------------------------------------------------------------------------ */

static void read_bytes(FILE *f, const char *file, unsigned char *to, size_t count)
{
    if (fread(to, 1, count, f) == count) return;
    if (ferror(f)) die(IO, "%s: cannot be read", file);
    die(BAD_INPUT, "%s: ends too early", file);
}

static uint32_t read_number(FILE *f, const char *file)
{
    unsigned char byte[4];
    read_bytes(f, file, byte, sizeof byte);
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* Opens an idx file; the number of its rows is the first that follows the magic number. */
static FILE *open_idx(const char *file, uint32_t magic, uint32_t *rows)
{
    FILE *f = fopen(file, "rb");
    uint32_t found;
    if (!f) die(IO, "%s: cannot be opened", file);
    found = read_number(f, file);
    if (found >> 16 == 0x1f8b) die(BAD_INPUT, "%s: is compressed, unpack it with gunzip", file);
    if (found != magic)
        die(BAD_INPUT, "%s: starts with 0x%08lx, expected 0x%08lx, idx %s", file, (unsigned long)found,
            (unsigned long)magic, magic == MAGIC_IMAGES ? "images" : "labels");
    *rows = read_number(f, file);
    if (*rows == 0) die(BAD_INPUT, "%s: has no rows", file);
    return f;
}

static void close_idx(FILE *f, const char *file)
{
    if (getc(f) != EOF) die(BAD_INPUT, "%s: is longer than its header says", file);
    if (ferror(f)) die(IO, "%s: cannot be read", file);
    fclose(f);
}

/* Rows beyond the limit are read, for the check of the file's length, and left. */
static uint32_t read_images(data *d, const char *file, unsigned long limit)
{
    uint32_t rows, row, i, height, width;
    FILE *f = open_idx(file, MAGIC_IMAGES, &rows);
    unsigned char *byte;
    height = read_number(f, file);
    width = read_number(f, file);
    if (height == 0 || width == 0 || width > MOST_PIXELS / height)
        die(BAD_INPUT, "%s: has pictures of %lu x %lu pixels", file, (unsigned long)width, (unsigned long)height);
    d->pixels = height * width;
    d->rows = rows < limit ? rows : (uint32_t)limit;
    if (d->rows > UINT32_MAX / d->pixels) die(BAD_INPUT, "%s: has 2^32 pixels or more", file);
    d->pixel = take((size_t)d->rows * d->pixels, sizeof *d->pixel);
    byte = take(d->pixels, 1);
    for (row = 0; row < rows; row++) {
        read_bytes(f, file, byte, d->pixels);
        for (i = 0; row < d->rows && i < d->pixels; i++) d->pixel[(size_t)row * d->pixels + i] = (float)byte[i] / 255;
    }
    free(byte);
    close_idx(f, file);
    return rows;
}

static uint32_t read_labels(data *d, const char *file)
{
    uint32_t rows, row;
    FILE *f = open_idx(file, MAGIC_LABELS, &rows);
    d->digit = take(rows, 1);
    read_bytes(f, file, d->digit, rows);
    for (row = 0; row < rows; row++)
        if (d->digit[row] >= CLASSES)
            die(BAD_INPUT, "%s: label %d of row %lu is not a digit", file, d->digit[row], (unsigned long)row);
    close_idx(f, file);
    return rows;
}

static data read_data(char *const file[2], unsigned long limit)
{
    data d;
    unsigned long images = read_images(&d, file[0], limit), labels = read_labels(&d, file[1]);
    if (images != labels) die(BAD_INPUT, "%s: has %lu labels for %lu pictures", file[1], labels, images);
    return d;
}

static pcn_vec picture(const data *d, uint32_t row)
{
    return pcn_dense(d->pixel + (size_t)row * d->pixels, d->pixels);
}

/* ---- Learning and testing -------------------------------------------------------------------- */

/* Mistakes are those of the ten binary perceptrons together, support vectors are their union. */
static void report(const pcn_kperceptron *m)
{
    printf("%9llu  %8llu  %15lu\n", (unsigned long long)m->learner.count.rows,
           (unsigned long long)m->learner.count.updates, (unsigned long)m->model.slots);
    fflush(stdout);
}

/* Learns a block of the rows that are next in the pass; 0: there are none. */
static uint32_t learn_block(pcn_kperceptron *m, const data *d, pcn_pass *pass, uint32_t most)
{
    static float *work;
    pcn_vec x[BLOCK];
    uint32_t id[BLOCK], n = 0, i;
    int y[BLOCK], result[BLOCK];
    size_t floats;
    while (n < most && pcn_pass_next(pass, &id[n])) {
        x[n] = picture(d, id[n]);
        y[n] = d->digit[id[n]];
        n++;
    }
    free(work);
    floats = (size_t)n * m->model.slots;
    work = take(floats + 1, sizeof *work);
    must(pcn_kperceptron_learn_rows(m, x, y, id, n, result, work, floats * sizeof *work));
    for (i = 0; i < n; i++)
        if (result[i] < 0) die(IO, "row %lu: %s", (unsigned long)id[i], pcn_error_text(result[i]));
    return n;
}

static void learn(pcn_kperceptron *m, const data *d, double epochs)
{
    uint64_t rows = (uint64_t)(epochs * (double)d->rows + 0.5), done = 0, step;
    uint32_t n;
    pcn_pass pass;
    if (rows == 0) rows = 1;
    pcn_pass_init(&pass, d->rows, 0, 1);
    pass.stop = PCN_STOP_NEVER;
    printf("     rows  mistakes  support vectors\n");
    while (done < rows) {
        n = learn_block(m, d, &pass, rows - done < BLOCK ? (uint32_t)(rows - done) : BLOCK);
        step = done * STEPS / rows;
        done += n;
        if (done * STEPS / rows != step) report(m);
    }
}

/* Errors of one decision in a block of test rows. */
static uint32_t errors(const pcn_kmodel *m, enum pcn_decision how, const data *d, uint32_t from, uint32_t rows,
                       float *work, size_t bytes)
{
    pcn_vec x[BLOCK];
    int cls[BLOCK];
    uint32_t i, wrong = 0;
    for (i = 0; i < rows; i++) x[i] = picture(d, from + i);
    must(pcn_kmodel_predict(m, how, x, rows, cls, work, bytes));
    for (i = 0; i < rows; i++) wrong += cls[i] != d->digit[from + i];
    return wrong;
}

static void test(const pcn_kmodel *m, const data *d)
{
    static const char *const name[DECISIONS] = {"last", "averaged", "voted"};
    const size_t floats = PCN_KMODEL_WORK(CLASSES, m->slots, BLOCK);
    float *work = take(floats, sizeof *work);
    uint32_t row, how, wrong[DECISIONS] = {0};
    for (row = 0; row < d->rows; row += BLOCK)
        for (how = 0; how < DECISIONS; how++)
            wrong[how] += errors(m, (enum pcn_decision)how, d, row, d->rows - row < BLOCK ? d->rows - row : BLOCK, work,
                                 floats * sizeof *work);
    printf("\ntest error of %lu rows\n", (unsigned long)d->rows);
    for (how = 0; how < DECISIONS; how++) printf("%-8s  %5.2f %%\n", name[how], 100.0 * wrong[how] / d->rows);
    free(work);
}

/* ---- Options --------------------------------------------------------------------------------- */

static void usage(void)
{
    die(USAGE,
        "usage: freund_schapire [-d DEGREE] [-e EPOCHS] [-n ROWS] "
        "TRAIN-IMAGES TRAIN-LABELS TEST-IMAGES TEST-LABELS\n"
        "  -d DEGREE  of the kernel (1 + x.z)^d, 1 to %d; default 2\n"
        "  -e EPOCHS  may be a fraction such as 0.1, at most 1000; default 1\n"
        "  -n ROWS    only the first rows of the files, for a quick run",
        MOST_DEGREE);
}

/* A number above 0 and up to `most`; its unit is 1 or, with fractions, none. */
static double number(const char *text, double most, int fractions)
{
    char *end = NULL;
    double value = text ? strtod(text, &end) : 0;
    if (!end || end == text || *end || !(value > 0 && value <= most)) usage();
    if (!fractions && value > (double)(unsigned long)value) usage();
    return value;
}

static options parse(char **argument)
{
    options o = {2, UINT32_MAX, 1, NULL};
    int files = 0;
    for (; argument[0] && argument[0][0] == '-'; argument += 2) {
        const char *name = argument[0], *value = argument[1];
        if (!strcmp(name, "-d"))
            o.degree = (unsigned long)number(value, MOST_DEGREE, 0);
        else if (!strcmp(name, "-e"))
            o.epochs = number(value, 1000, 1);
        else if (!strcmp(name, "-n"))
            o.limit = (unsigned long)number(value, UINT32_MAX, 0);
        else
            usage();
    }
    o.file = argument;
    while (argument[files]) files++;
    if (files != 4) usage();
    return o;
}

int main(int argc, char **argv)
{
    static float memory[PCN_KPERCEPTRON_FLOATS(0, CLASSES, 0)];
    options o = parse(argv + (argc > 0));
    data train = read_data(o.file, o.limit), held = read_data(o.file + 2, o.limit);
    pcn_kernel kernel = pcn_kernel_poly((uint32_t)o.degree, 1, 1);
    pcn_kperceptron m;
    if (held.pixels != train.pixels) die(BAD_INPUT, "%s: has pictures of another size than %s", o.file[2], o.file[0]);
    must(pcn_kperceptron_init(&m, kernel, train.pixels, CLASSES, NULL, 0, memory, sizeof memory));
    must(pcn_kperceptron_use_rows(&m, train.pixel, NULL, (size_t)train.rows * train.pixels));
    must(pcn_kperceptron_use_log(&m, NULL, 0));
    m.learner.update = pcn_update_one_vs_rest;
    m.admit = pcn_admit_grow;
    learn(&m, &train, o.epochs);
    test(&m.model, &held);
    pcn_kperceptron_free(&m);
    free(train.pixel), free(train.digit), free(held.pixel), free(held.digit);
    if (fflush(stdout) || ferror(stdout)) die(IO, "standard output: cannot be written");
}
