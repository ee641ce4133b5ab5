/* Writes a generated data set as libsvm text to standard output.
 *
 *     cc -std=gnu99 -O2 tests/bench/generate.c -o build/bench_generate
 *     build/bench_generate text | images [ROWS] */
#include "data.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_texts(uint32_t rows)
{
    static const text_set t = BENCH_TEXTS;
    uint32_t *seen = (uint32_t *)calloc(t.features, sizeof *seen);
    uint32_t index[MOST_NONZEROS], millionths[MOST_NONZEROS], i, j;
    if (!seen) return 1;
    for (i = 0; i < rows; i++) {
        fputs(text_row(&t, i, seen, index, millionths) == 0 ? "-1" : "1", stdout);
        for (j = 0; j < t.nonzeros; j++)
            printf(" %lu:0.%06lu", (unsigned long)index[j] + 1, (unsigned long)millionths[j]);
        putchar('\n');
    }
    free(seen);
    return fflush(stdout) != 0;
}

static int write_images(uint32_t rows)
{
    uint8_t pixel[FEATURES];
    uint32_t i, j;
    for (i = 0; i < rows; i++) {
        image_row(i, pixel);
        printf("%d", (int)(i % CLASSES));
        for (j = 0; j < FEATURES; j++)
            if (pixel[j] != 0) printf(" %d:%d", (int)j + 1, pixel[j]);
        putchar('\n');
    }
    return fflush(stdout) != 0;
}

int main(int argc, char **argv)
{
    static const text_set t = BENCH_TEXTS;
    uint32_t rows = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    if (argc > 1 && strcmp(argv[1], "text") == 0) return write_texts(rows ? rows : t.rows);
    if (argc > 1 && strcmp(argv[1], "images") == 0) return write_images(rows ? rows : ROWS);
    fputs("usage: generate text | images [ROWS]\n", stderr);
    return 1;
}
