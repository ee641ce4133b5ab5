/* Harness of the measurements. Every round times every variant once, so that other work on the machine
 * hits all alike. Times are medians of CPU time over the rounds; ratios are medians of the ratios
 * within a round. */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown"
#endif

enum { VARIANTS = 7, ROUNDS = 400, SLOT_NS = 100000 };

typedef struct variant {
    const char *name;
    float (*run)(float *w, const float *x, size_t n, size_t times); /* NULL: not on this machine */
} variant;

typedef struct sample {
    double ns[VARIANTS][ROUNDS];
    int rounds;
} sample;

/* A variant that evaluates an expression in w, x and n; the barrier keeps every evaluation. */
#define REPEAT(name, expression)                                                                                       \
    static float name(float *w, const float *x, size_t n, size_t times)                                                \
    {                                                                                                                  \
        float sum = 0;                                                                                                 \
        (void)w, (void)x, (void)n;                                                                                     \
        for (; times != 0; times--) {                                                                                  \
            sum += (float)(expression);                                                                                \
            __asm__ volatile("" : : : "memory");                                                                       \
        }                                                                                                              \
        return sum;                                                                                                    \
    }

static volatile float sink;

static double run_ns(const variant *v, float *w, const float *x, size_t n, size_t times)
{
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    sink = v->run(w, x, n, times);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)times;
}

/* slot: work per timing in ns; rounds go on until all variants have run for `budget` ns. */
static void measure(sample *s, const variant *v, int variants, float *w, const float *x, size_t n, double slot,
                    double budget)
{
    size_t times[VARIANTS] = {0};
    double ns, spent = 0;
    int i, k;
    for (k = 0; k < variants; k++) {
        if (!v[k].run) continue;
        run_ns(&v[k], w, x, n, 1);
        ns = run_ns(&v[k], w, x, n, 1);
        if (slot > ns) ns = run_ns(&v[k], w, x, n, (size_t)(slot / 10 / ns) + 1);
        times[k] = (size_t)(slot / (ns + 1)) + 1;
    }
    for (s->rounds = 0; s->rounds < ROUNDS && (s->rounds < 5 || spent < budget); s->rounds++)
        for (i = 0; i < variants; i++) {
            k = (i + s->rounds) % variants; /* nobody always runs after the same neighbour */
            if (!v[k].run) continue;
            ns = run_ns(&v[k], w, x, n, times[k]);
            s->ns[k][s->rounds] = ns;
            spent += ns * (double)times[k];
        }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quantile q of the times of variant k; of their ratios to variant `of` if that is >= 0. */
static double quantile(const sample *s, int k, int of, double q)
{
    double t[ROUNDS];
    int i;
    for (i = 0; i < s->rounds; i++) t[i] = s->ns[k][i] / (of < 0 ? 1 : s->ns[of][i]);
    qsort(t, (size_t)s->rounds, sizeof *t, ascending);
    return t[(int)(q * (s->rounds - 1) + 0.5)];
}

/* The faster of two variants. */
static inline int faster(const sample *s, const variant *v, int a, int b)
{
    return v[b].run && quantile(s, b, a, 0.5) < 1 ? b : a;
}

static inline void cell(int there, double value)
{
    if (there)
        printf(value < 9.95 ? "%10.2f" : value < 999.5 ? "%10.1f" : "%10.0f", value);
    else
        printf("%10s", "-");
}

static inline void quartiles(const sample *s, int k, double unit)
{
    printf("  %-8.4g-%8.4g", quantile(s, k, -1, 0.25) / unit, quantile(s, k, -1, 0.75) / unit);
}

/* They begin at a line of the caches. */
static inline float *floats(size_t n)
{
    float *p = (float *)aligned_alloc(64, (n / 16 + 1) * 64);
    if (!p) {
        fprintf(stderr, "out of memory: %zu floats\n", n);
        exit(1);
    }
    return p;
}

static void print_machine(void)
{
    char line[256] = "";
    const char *model;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f) && strncmp(line, "model name", 10) != 0) continue;
    if (f) fclose(f);
    line[strcspn(line, "\n")] = 0;
    model = strchr(line, ':');
    printf("machine: %s; compiler: %s, %s", model ? model + 2 : "unknown", __VERSION__, BENCH_FLAGS);
#ifdef PERCEPTRON_SIMD
    printf("; PERCEPTRON_SIMD %d", PERCEPTRON_SIMD);
#endif
    putchar('\n');
}

#endif
