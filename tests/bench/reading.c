/* Speed of the program's reader beside the machine's: an fread + strtof loop, read() alone, and memcpy.
 *
 *     make build/bench_reading && build/bench_reading [MB]
 *
 * The texts are generated into build/reading.* and lie in the page cache. MB/s of text by the median time. */
#define _GNU_SOURCE  /* clock_gettime under -std=c99 too */
#include "library.h" /* rows.c calls it */
#include "model/rows.h"
#include "harness.h"
#include "data.h"

#include <fcntl.h>
#include <unistd.h>

enum { BLOCK = 1 << 18 };

/* ---- Texts ---- */

/* `count` rising indices in 1 .. features with a value each. */
static void put_pairs(FILE *f, uint32_t features, uint32_t count, void (*put_value)(FILE *))
{
    uint32_t i, step = features / count, index = 0;
    for (i = 0; i < count; i++) {
        index = i * step + 1 + random_below(step);
        fprintf(f, " %u:", index);
        put_value(f);
    }
}

static void put_one(FILE *f)
{
    fputc('1', f);
}

static void put_pixel(FILE *f)
{
    fprintf(f, "%u", 1 + random_below(255));
}

static void put_six(FILE *f)
{
    fprintf(f, "0.%06u", random_below(1000000));
}

static void put_seventeen(FILE *f)
{
    fprintf(f, "%.17g", (double)random_below(UINT32_MAX) / 4294967296.0);
}

static void put_small(FILE *f)
{
    fprintf(f, "%u", random_below(16));
}

static void row_ones(FILE *f)
{
    fputs(random_below(2) ? "+1" : "-1", f);
    put_pairs(f, 1 << 20, 59, put_one);
}

static void row_pixels(FILE *f)
{
    fprintf(f, "%u", random_below(10));
    put_pairs(f, 784, 150, put_pixel);
}

static void row_six(FILE *f)
{
    fputs(random_below(2) ? "+1" : "-1", f);
    put_pairs(f, 50000, 59, put_six);
}

static void row_seventeen(FILE *f)
{
    fputs(random_below(2) ? "+1" : "-1", f);
    put_pairs(f, 50000, 59, put_seventeen);
}

static void row_letter(FILE *f)
{
    fprintf(f, "%u", 1 + random_below(26));
    put_pairs(f, 16, 16, put_small);
}

/* Four pixels of five are 0, in runs, as in pictures. */
static void row_csv(FILE *f)
{
    uint32_t i, left = 0, blank = 0;
    for (i = 0; i < 784; i++, left--) {
        if (left == 0) {
            blank = !blank;
            left = 1 + random_below(blank ? 80 : 20);
        }
        fprintf(f, "%u,", blank ? 0 : random_below(256));
    }
    fprintf(f, "%u", random_below(10));
}

static void row_csv_six(FILE *f)
{
    uint32_t i;
    for (i = 0; i < 60; i++) {
        put_six(f);
        fputc(',', f);
    }
    fprintf(f, "%u", random_below(10));
}

typedef struct text {
    const char *name, *what;
    void (*put_row)(FILE *);
    char separator;
    size_t size;
    char *content;
} text;

static text texts[] = {
    {"build/reading.ones", "libsvm, 59 ones of 2^20 features", row_ones, ' ', 0, NULL},
    {"build/reading.pixels", "libsvm, 150 values 1..255 of 784", row_pixels, ' ', 0, NULL},
    {"build/reading.letter", "libsvm, 16 values 0..15 of 16, 26 labels", row_letter, ' ', 0, NULL},
    {"build/reading.six", "libsvm, 59 decimals 0.123456 of 50,000", row_six, ' ', 0, NULL},
    {"build/reading.seventeen", "libsvm, 59 decimals of 17 digits of 50,000", row_seventeen, ' ', 0, NULL},
    {"build/reading.csv", "CSV, 784 values 0..255", row_csv, ',', 0, NULL},
    {"build/reading.csv6", "CSV, 60 decimals 0.123456", row_csv_six, ',', 0, NULL},
};

static void generate(text *t, size_t size)
{
    FILE *f = fopen(t->name, "w+b");
    random_state = 1;
    if (!f) die(EXIT_IO, "%s: cannot write", t->name);
    while ((size_t)ftell(f) < size) {
        t->put_row(f);
        fputc('\n', f);
    }
    t->size = (size_t)ftell(f);
    t->content = allocate(t->size, 1);
    rewind(f);
    if (fread(t->content, 1, t->size, f) != t->size || fclose(f) != 0) die(EXIT_IO, "%s: cannot read", t->name);
}

/* ---- Variants: each returns a number that depends on all it has read ---- */

static void open_text(reader *r, const text *t)
{
    reader_options o;
    memset(&o, 0, sizeof o);
    o.max_features = 1 << 24;
    o.separator = ',';
    o.header = HEADER_NO;
    reader_open(r, t->name, &o);
}

static double stream(const text *t)
{
    reader r;
    double count = 0;
    open_text(&r, t);
    while (reader_next(&r)) count++;
    reader_close(&r);
    return count;
}

static double collect(const text *t)
{
    reader r;
    rows d;
    labels found;
    double count;
    open_text(&r, t);
    rows_init(&d);
    labels_init(&found);
    while (reader_next(&r)) {
        pcn_vec x = reader_vector(&r);
        rows_add(&d, &x, labels_add(&found, r.label));
    }
    count = d.count;
    reader_close(&r);
    rows_free(&d);
    labels_free(&found);
    return count;
}

static uint32_t loop_index[1000];
static float loop_value[1000];

/* The whole file by fread, every number by strtol or strtof, into arrays of one row; no checks. */
static double loop_strtof(const text *t)
{
    FILE *f = fopen(t->name, "rb");
    char *content = allocate(t->size + 1, 1), *p = content;
    double count = 0;
    size_t n = 0;
    if (!f || fread(content, 1, t->size, f) != t->size) die(EXIT_IO, "%s: cannot read", t->name);
    fclose(f);
    content[t->size] = '\0';
    while (*p) {
        if (t->separator == ' ') {
            loop_index[0] += (uint32_t)strtol(p, &p, 10);
            for (n = 0; *p == ' '; n++) {
                loop_index[n] = (uint32_t)strtol(p, &p, 10);
                loop_value[n] = strtof(p + 1, &p);
            }
        } else {
            for (n = 0, p--; n == 0 || *p == t->separator; n++) loop_value[n] = strtof(p + 1, &p);
        }
        p += *p == '\n';
        count++;
    }
    free(content);
    return count;
}

static double only_read(const text *t)
{
    static char block[BLOCK];
    int file = open(t->name, O_RDONLY);
    ssize_t got;
    double sum = 0;
    if (file < 0) die(EXIT_IO, "%s: cannot read", t->name);
    while ((got = read(file, block, sizeof block)) > 0) sum += block[got / 2];
    close(file);
    return sum;
}

static double only_memcpy(const text *t)
{
    static char *copy;
    static size_t room;
    if (room < t->size) {
        room = t->size;
        copy = reallocate(copy, room);
        memset(copy, 1, room); /* its pages exist from now on */
    }
    memcpy(copy, t->content, t->size);
    return copy[t->size / 2];
}

static const text *given;

REPEAT(run_stream, stream(given))
REPEAT(run_collect, collect(given))
REPEAT(run_strtof, loop_strtof(given))
REPEAT(run_read, only_read(given))
REPEAT(run_memcpy, only_memcpy(given))

static const variant v[] = {{"rows one at a time", run_stream},
                            {"all rows", run_collect},
                            {"fread + strtof", run_strtof},
                            {"read() alone", run_read},
                            {"memcpy", run_memcpy}};

static void print_speeds(const text *t)
{
    static sample s;
    int k;
    given = t;
    measure(&s, v, LENGTH(v), NULL, NULL, 0, 0, 2.5e9);
    printf("%-44s", t->what);
    for (k = 0; k < (int)LENGTH(v); k++) printf(" %8.0f", (double)t->size / quantile(&s, k, -1, 0.5) * 1e3);
    printf(" %8.1f\n", quantile(&s, 2, 0, 0.5));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 32, i, k;
    print_machine();
    printf("texts of %zu MB\n%-44s", megabytes, "MB/s of text");
    for (k = 0; k < LENGTH(v); k++) printf(" %8.8s", v[k].name);
    printf(" %8s\n", "x strtof");
    for (i = 0; i < LENGTH(texts); i++) {
        generate(&texts[i], megabytes << 20);
        print_speeds(&texts[i]);
        free(texts[i].content);
        unlink(texts[i].name);
    }
    return 0;
}
