/* pcn_scaler_note and _scale bring columns to mean 0 and deviation 1, beside exact fractions and double: wild rows,
 * gaps (NaN), constant columns, ends of the range. pcn_scaler_use_window follows what changes, pcn_scaler_fold moves
 * the scaling into a model, pcn_scaler_scale16 and pcn_icolumns_scale serve integers, pcn_scaler_doubts tells of odd
 * values; images, from which noting goes on.
 *
 * UPDATES: rows of the long runs (default 200,000; make endurance: 10^8). */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "random.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { N = 9, K = 3, ROOM = 68 + 20 * N };

static float infinite, not_a_number;

/* ---- A scaler and the same in double ---- */

typedef struct plain_column {
    double mean, variance, count;
} plain_column;

typedef struct both {
    pcn_scaler s;
    float moment[PCN_SCALER_FLOATS(N)];
    plain_column plain[N];
} both;

static void begin(both *t, uint32_t features)
{
    memset(t, 0, sizeof *t);
    memset(t->moment, 0x5a, sizeof t->moment);
    CHECK(pcn_scaler_init(&t->s, features, t->moment, PCN_SCALER_FLOATS(features) * sizeof(float)) == PCN_OK);
}

static double count_of(const both *t, uint32_t j)
{
    return (double)t->moment[4 * t->s.features + j];
}

static double mean_of(const both *t, uint32_t j)
{
    return (double)t->moment[j] + (double)t->moment[t->s.features + j];
}

static double variance_of(const both *t, uint32_t j)
{
    return (double)t->moment[2 * t->s.features + j] + (double)t->moment[3 * t->s.features + j];
}

static double deviation_of(const both *t, uint32_t j)
{
    return sqrt(variance_of(t, j));
}

static void plain_note(plain_column *c, double x)
{
    double d = x - c->mean, most = fmax(64, c->count / 16) * c->variance, step;
    if (c->count >= 4 && most > 0 && d * d > most) d = d > 0 ? sqrt(most) : -sqrt(most);
    c->count = fmin(c->count + 1, 16777216);
    step = d / c->count;
    c->mean += step;
    c->variance += (d * (d - step) - c->variance) / c->count;
}

static int note(both *t, const float *x)
{
    uint32_t j;
    for (j = 0; j < t->s.features; j++)
        if (!isnan(x[j])) plain_note(&t->plain[j], (double)x[j]);
    return pcn_scaler_note(&t->s, x);
}

/* How far mean and deviation are from those in double, in deviations, at most. */
static double apart(const both *t)
{
    double far = 0;
    uint32_t j;
    for (j = 0; j < t->s.features; j++) {
        const double s = sqrt(t->plain[j].variance);
        CHECK(count_of(t, j) == t->plain[j].count);
        far = fmax(far, fabs(mean_of(t, j) - t->plain[j].mean) / s);
        far = fmax(far, fabs(deviation_of(t, j) - s) / s);
    }
    return far;
}

static double uniform(void)
{
    return random_bits() / 4294967296.0;
}

static double normal(void)
{
    double sum = -6;
    int i;
    for (i = 0; i < 12; i++) sum += uniform();
    return sum;
}

/* ---- Exact fractions ---- */

/* Of whole numbers from -size to size. S = sum x and Q = sum x^2 are exact, so the mean is S / n and the variance
 * (n Q - S^2) / n^2. The first four values keep the bound away: no later one lies eight deviations off. */
static void check_fractions(int32_t size)
{
    static both t;
    int64_t sum = 0, squares = 0, n;
    double far = 0;
    begin(&t, 1);
    for (n = 1; n <= 2000; n++) {
        const int32_t x = n <= 4 ? (n % 2 ? size : -size) : (int32_t)(random_bits() % (2 * (uint32_t)size + 1)) - size;
        const float row = (float)x;
        double mean, variance;
        sum += x;
        squares += (int64_t)x * x;
        CHECK(pcn_scaler_note(&t.s, &row) == PCN_OK);
        mean = (double)sum / (double)n;
        variance = (double)(n * squares - sum * sum) / ((double)n * (double)n);
        far = fmax(far, fabs(mean_of(&t, 0) - mean) / size);
        far = fmax(far, fabs(variance_of(&t, 0) - variance) / ((double)size * size));
        CHECK(count_of(&t, 0) == (double)n);
    }
    CHECK(far < ldexp(1, -25)); /* a step is rounded once */
    printf("fractions, whole numbers up to %d: %.2g off at most\n", (int)size, far);
}

/* ---- Long runs ---- */

/* Column j is off[j] + size[j] z. */
static const float off[N] = {0, 1, -1000, 1e6f, -1e6f, 524287, 1e3f, 0, 3e5f};
static const float size[N] = {1, 1, 1, 1, 1, 1, 1e-3f, 1e6f, 4};

static void make_row(double *z, float *x)
{
    uint32_t j;
    for (j = 0; j < N; j++) {
        double v = normal();
        if (j == 1) v = uniform() < 0.3;                 /* 0 or 1 */
        if (j == 2) v = -log(uniform() + ldexp(1, -33)); /* a long tail */
        if (j == 5) v = floor(4 * uniform());
        x[j] = (float)((double)off[j] + (double)size[j] * v);
        z[j] = (double)x[j] - (double)off[j];
    }
}

/* m and s within 1e-6 s of exact ones. Both are taken of x - off, which is exact, so that double suffices. Up to 2^24
 * rows they are those of all rows. From there on the formulas in double have the same cap, and as steps do not become
 * smaller any more, whole numbers are rounded alike row by row, up to half of the last bit of m as a float. */
static void check_long(uint64_t rows)
{
    static both t;
    double z[N], sum[N] = {0}, squares[N] = {0}, far = 0, error;
    float x[N];
    uint64_t i;
    uint32_t j;
    random_state = 1;
    begin(&t, N);
    for (i = 0; i < rows; i++) {
        make_row(z, x);
        for (j = 0; j < N; j++) {
            sum[j] += z[j];
            squares[j] += z[j] * z[j];
            plain_note(&t.plain[j], z[j]);
        }
        if (pcn_scaler_note(&t.s, x) != PCN_OK) break;
    }
    CHECK(i == rows);
    for (j = 0; j < N; j++) {
        double m = sum[j] / (double)rows, v = squares[j] / (double)rows - m * m;
        if (rows > 16777216) m = t.plain[j].mean, v = t.plain[j].variance;
        error = fabs(((double)t.moment[j] - (double)off[j]) + (double)t.moment[N + j] - m);
        if (rows > 16777216) error = fmax(0, error - ldexp(fabs((double)off[j]), -24));
        far = fmax(far, error / sqrt(v));
        far = fmax(far, fabs(deviation_of(&t, j) / sqrt(v) - 1));
    }
    CHECK(far < 1e-6);
    printf("%llu rows, means up to 10^6 deviations: %.2g deviations off at most\n", (unsigned long long)rows, far);
}

/* At 2^24 the count stands still, and a value still counts 2^-24. */
static void check_cap(void)
{
    static both t;
    const float one = 1, zero = 0;
    double before;
    begin(&t, 1);
    t.moment[4] = 16777215;
    t.moment[2] = 1;
    CHECK(pcn_scaler_note(&t.s, &one) == PCN_OK && t.moment[4] == 16777216);
    CHECK(mean_of(&t, 0) == ldexp(1, -24));
    before = mean_of(&t, 0);
    CHECK(pcn_scaler_note(&t.s, &one) == PCN_OK && t.moment[4] == 16777216);
    CHECK(mean_of(&t, 0) > 1.99 * before && mean_of(&t, 0) < 2 * before);
    CHECK(pcn_scaler_note(&t.s, &zero) == PCN_OK && t.moment[4] == 16777216);
    CHECK(variance_of(&t, 0) < 1 && variance_of(&t, 0) > 1 - ldexp(1, -22));
}

/* ---- Wild rows ---- */

/* Random wild rows, tails, jumps of scale: beside double. */
static void check_any(void)
{
    static both t;
    double far = 0;
    uint32_t i, j, seed;
    for (seed = 1; seed <= 20; seed++) {
        random_state = seed * 2654435761u;
        begin(&t, N);
        for (i = 0; i < 3000; i++) {
            float x[N];
            for (j = 0; j < N; j++) {
                x[j] = (float)(normal() * exp(normal() * j / 4));
                if (random_bits() % 50 == 0) x[j] *= 1e4f;
                if (i > 1500 && j == 3) x[j] *= 1e3f;
                if (random_bits() % 8 == 0) x[j] = not_a_number;
                if (i == 0) x[j] = (float)j;
            }
            CHECK(note(&t, x) == PCN_OK);
        }
        far = fmax(far, apart(&t));
    }
    CHECK(far < 1e-5);
    printf("wild rows and gaps: %.2g deviations off at most\n", far);
}

/* ---- Gaps, constants, and the ends of the range ---- */

static void check_gaps(void)
{
    static both t, u;
    const float gap = not_a_number, gaps[3] = {gap, -gap, from_bits(0x7f800001u)};
    float x[3], z[3];
    uint32_t i, j;
    begin(&t, 3);
    begin(&u, 3);
    pcn_scaler_scale(&t.s, gaps, z); /* no value yet */
    CHECK(z[0] == 0 && z[1] == 0 && z[2] == 0);
    CHECK(pcn_scaler_note(&t.s, gaps) == PCN_OK && memcmp(t.moment, u.moment, sizeof t.moment) == 0);
    for (j = 0; j < 3; j++) x[j] = (float)j + 1;
    pcn_scaler_scale(&t.s, x, z);
    CHECK(z[0] == 0 && z[1] == 0 && z[2] == 0);
    for (i = 0; i < 300; i++) { /* each column as if it were alone */
        for (j = 0; j < 3; j++) x[j] = (float)(int)(random_bits() % 2001) - 1000;
        CHECK(pcn_scaler_note(&u.s, x) == PCN_OK);
        for (j = 0; j < 3; j++) {
            float one[3];
            one[0] = one[1] = one[2] = gap;
            one[j] = x[j];
            CHECK(pcn_scaler_note(&t.s, one) == PCN_OK);
            CHECK(pcn_scaler_note(&t.s, gaps) == PCN_OK);
        }
    }
    CHECK(memcmp(t.moment, u.moment, sizeof t.moment) == 0);
    pcn_scaler_scale(&t.s, gaps, z);
    CHECK(z[0] == 0 && z[1] == 0 && z[2] == 0);
    pcn_scaler_scale(&t.s, x, z);
    CHECK(z[0] != 0 && z[1] != 0 && z[2] != 0);
    pcn_scaler_scale(&t.s, x, x); /* in place */
    CHECK(memcmp(x, z, sizeof z) == 0);
}

static void check_constants(void)
{
    static const float constant[] = {0, -0.0f, 1, 0.1f, -3e7f, 1e-30f, 1e-42f, 1.8e16f, FLT_MIN};
    static both t;
    float x[2], z[2], next;
    uint32_t i, k;
    for (k = 0; k < LENGTH(constant); k++) {
        begin(&t, 1);
        for (i = 0; i < 100; i++) CHECK(pcn_scaler_note(&t.s, &constant[k]) == PCN_OK);
        CHECK(t.moment[0] == constant[k] && t.moment[1] == 0 && t.moment[2] == 0 && t.moment[3] == 0);
        x[0] = constant[k] + 5;
        pcn_scaler_scale(&t.s, x, z);
        CHECK(z[0] == 0);
        next = constant[k] / 2 + 1; /* the first other value counts as it is */
        CHECK(pcn_scaler_note(&t.s, &next) == PCN_OK);
        CHECK(fabs(mean_of(&t, 0) - ((double)constant[k] * 100 + (double)next) / 101) <= 1e-6 * fabs((double)next));
    }
}

/* Columns of two neighbouring floats are not constant: they become -1 and 1. */
static void check_neighbours(void)
{
    static const float low[] = {1, 16777214, 700000, 500000, 1e-30f, -1e9f, 1.7e9f, 0.1f};
    static both t;
    float x[N], z[N];
    uint32_t i, j, n = LENGTH(low);
    begin(&t, n);
    for (i = 0; i < 1000; i++) {
        for (j = 0; j < n; j++) x[j] = i % 2 ? nextafterf(low[j], infinite) : low[j];
        CHECK(pcn_scaler_note(&t.s, x) == PCN_OK);
    }
    for (i = 0; i < 2; i++) {
        for (j = 0; j < n; j++) x[j] = i % 2 ? nextafterf(low[j], infinite) : low[j];
        pcn_scaler_scale(&t.s, x, z);
        for (j = 0; j < n; j++) {
            const int tiny = fabs((double)low[j]) < 1e-20; /* s is below 2^-63 */
            CHECK(fabs((double)z[j] - (tiny ? 0 : i % 2 ? 1 : -1)) < 2e-6);
        }
    }
    CHECK(pcn_scaler_doubts(&t.s) == (PCN_DOUBT_DIGITS | PCN_DOUBT_BITS));
}

/* What is refused changes nothing. */
static void check_refused(void)
{
    const float bad[] = {infinite, -infinite, 18014398509481984.0f, -18014398509481984.0f, FLT_MAX, 1e30f};
    const float most = 18014397435740160.0f; /* the float below 2^54 */
    static both t, before;
    float x[N];
    uint32_t i, j;
    CHECK(pcn_scaler_init(&t.s, N, t.moment, sizeof t.moment - 1) == PCN_EMEMORY && !t.s.moment && t.s.features == 0);
    CHECK(pcn_scaler_init(&t.s, N, NULL, sizeof t.moment) == PCN_EMEMORY);
    CHECK(pcn_scaler_init(&t.s, UINT32_MAX, t.moment, sizeof t.moment) == PCN_EMEMORY);
    CHECK(pcn_scaler_note(&t.s, NULL) == PCN_OK && pcn_scaler_save_part(&t.s, 0, NULL, 0) == 0);
    begin(&t, N);
    for (i = 0; i < 10; i++) {
        for (j = 0; j < N; j++) x[j] = (float)(int)(random_bits() % 99);
        CHECK(pcn_scaler_note(&t.s, x) == PCN_OK);
    }
    before = t;
    for (i = 0; i < LENGTH(bad); i++)
        for (j = 0; j < N; j++) {
            const float kept = x[j];
            x[j] = bad[i];
            CHECK(pcn_scaler_note(&t.s, x) == PCN_EVALUE && memcmp(&t, &before, sizeof t) == 0);
            x[j] = kept;
        }
    for (i = 0; i < 1000; i++) { /* the largest */
        for (j = 0; j < N; j++) x[j] = random_bits() % 2 ? most : -most;
        CHECK(pcn_scaler_note(&t.s, x) == PCN_OK);
    }
    pcn_scaler_scale(&t.s, x, x);
    for (j = 0; j < N; j++) {
        CHECK(isfinite(t.moment[j]) && isfinite(t.moment[N + j]) && isfinite(t.moment[2 * N + j]));
        CHECK(fabs((double)x[j]) > 0.9 && fabs((double)x[j]) < 1.2);
    }
    for (j = 0; j < N; j++) x[j] = j % 2 ? infinite : -infinite;
    pcn_scaler_scale(&t.s, x, x);
    for (j = 0; j < N; j++) CHECK(x[j] == (j % 2 ? 64 : -64));
}

/* A column times a power of two is scaled to the same bits, from s = 2^-45 to 2^50; far below it is constant. */
static void check_powers(void)
{
    static both t, u;
    uint32_t i;
    int e;
    for (e = -149; e <= 50; e++) {
        begin(&t, 1);
        begin(&u, 1);
        random_state = 5;
        for (i = 0; i < 60; i++) {
            float x = (float)((int)(random_bits() % 1999) - 999) / 256, y = ldexpf(x, e), z, w;
            CHECK(pcn_scaler_note(&t.s, &x) == PCN_OK && pcn_scaler_note(&u.s, &y) == PCN_OK);
            pcn_scaler_scale(&t.s, &x, &z);
            pcn_scaler_scale(&u.s, &y, &w);
            if (e >= -45) CHECK(z == w);
            if (e <= -66) CHECK(w == 0);
            CHECK(isfinite(w));
        }
    }
}

/* From 64 deviations on scaled values stop. */
static void check_stop(void)
{
    static both t;
    static const float x[] = {63.9f, 64, 64.1f, 1e30f, -63.9f, -64, -64.1f, -1e30f};
    float z;
    size_t i;
    begin(&t, 1);
    t.moment[2] = 1;
    for (i = 0; i < LENGTH(x); i++) {
        pcn_scaler_scale(&t.s, &x[i], &z);
        CHECK(fabs((double)z - fmax(fmin((double)x[i], 64), -64)) < 1e-5);
    }
}

/* (x - m) / s to 2^-21 of itself, for s over all the range: the root and the products. */
static void check_scaled(void)
{
    static both t;
    uint32_t i;
    double far = 0;
    begin(&t, 1);
    for (i = 0; i < 20000; i++) {
        float x, z;
        double exact;
        t.moment[0] = (float)normal();
        t.moment[2] = from_bits(0x3f800000u + (random_bits() & 0x1ffffffu));
        t.moment[2] = ldexpf(t.moment[2], 2 * (int)(random_bits() % 40) - 40);
        if (deviation_of(&t, 0) < 1e-5 * fabs((double)t.moment[0])) continue;
        x = t.moment[0] + (float)(normal() * deviation_of(&t, 0));
        pcn_scaler_scale(&t.s, &x, &z);
        exact = ((double)x - (double)t.moment[0]) / sqrt((double)t.moment[2]);
        if (exact != 0) far = fmax(far, fabs((double)z / exact - 1));
    }
    CHECK(far < ldexp(1, -21));
    printf("scaled values %.2g of themselves off at most\n", far);
}

/* ---- A window ---- */

/* The rule, from the values themselves: a block begins every N values and has at most 2 N; m and s^2 are those of the
 * block that began before the last one did, and a value beyond max(8, sqrt(n) / 4) s of them counts as one at that
 * end. */
enum { MOST_VALUES = 4096 };
typedef struct block_column {
    double value[MOST_VALUES];
    uint32_t count, first; /* the first of the two blocks begins there, the other N values later */
} block_column;

static void block_moments(const block_column *c, uint32_t from, double *mean, double *variance)
{
    double sum = 0, squares = 0;
    uint32_t i, n = c->count - from;
    for (i = from; i < c->count; i++) sum += c->value[i];
    *mean = n ? sum / n : 0;
    for (i = from; i < c->count; i++) squares += (c->value[i] - *mean) * (c->value[i] - *mean);
    *variance = n ? squares / n : 0;
}

static void block_note(block_column *c, uint32_t window, double x)
{
    const uint32_t n = c->count - c->first;
    double mean, variance, far;
    block_moments(c, c->first, &mean, &variance);
    far = fmax(8, sqrt(n) / 4) * sqrt(variance);
    if (n > 3 && far > 0) x = fmax(fmin(x, mean + far), mean - far);
    c->value[c->count++] = x;
    if (n + 1 < 2 * window) return;
    c->first += window;
}

static void begin_window(both *t, uint32_t features, uint32_t window)
{
    begin(t, features);
    CHECK(pcn_scaler_use_window(&t->s, window) == PCN_OK && t->s.window == window);
}

static uint32_t rows_of(const both *t, uint32_t j)
{
    uint32_t bits;
    memcpy(&bits, &t->moment[t->s.features + j], sizeof bits);
    return bits;
}

/* Rows of unlike size, wild values, gaps, and jumps of scale, beside the values themselves. */
static void check_window(uint32_t window, uint32_t seed)
{
    static both t;
    static block_column c[4];
    double far = 0, mean, variance;
    uint32_t i, j, n = LENGTH(c), second;
    memset(c, 0, sizeof c);
    random_state = seed * 2654435761u;
    begin_window(&t, n, window);
    for (i = 0; i < 1500; i++) {
        float x[LENGTH(c)];
        for (j = 0; j < n; j++) {
            x[j] = (float)(normal() * exp(normal() * j / 4) + 10 * j);
            if (random_bits() % 50 == 0) x[j] *= 1e4f;
            if (i > 700 && j == 3) x[j] *= 1e3f;
            if (random_bits() % 8 == 0) x[j] = not_a_number;
            if (!isnan(x[j])) block_note(&c[j], window, (double)x[j]);
        }
        CHECK(pcn_scaler_note(&t.s, x) == PCN_OK);
        for (j = 0; j < n; j++) {
            const uint32_t rows = c[j].count - c[j].first;
            CHECK(rows_of(&t, j) == rows && rows < 2 * window);
            block_moments(&c[j], c[j].first, &mean, &variance);
            far = fmax(far, fabs((double)t.moment[j] - mean) - 1e-5 * sqrt(variance) - 1e-6 * fabs(mean));
            far = fmax(far, fabs((double)t.moment[2 * n + j] / (variance + DBL_MIN) - (variance > 0)) - 1e-4);
            second = rows > window ? c[j].first + window : c[j].count;
            block_moments(&c[j], second, &mean, &variance);
            far = fmax(far, fabs((double)t.moment[3 * n + j] - mean) - 1e-5 * sqrt(variance) - 1e-6 * fabs(mean));
            far = fmax(far, fabs((double)t.moment[4 * n + j] - variance) / (variance + 1e-9) - 1e-4);
        }
    }
    CHECK(far <= 0);
}

/* Whatever scales or folds sees m and s, and nothing of the rest. */
static void check_window_scales(void)
{
    static both t, u;
    static const uint32_t stop[] = {1, 5, 16, 17, 31, 32, 40, 100};
    pcn_icolumn column[2][N];
    float weight[PCN_LINEAR_FLOATS(N, K)], out[2][PCN_LINEAR_FLOATS(N, K)], x[N], z[2][N];
    pcn_linear m = {weight, NULL, N, K, 0, 0}, folded;
    int16_t y[2][N];
    uint32_t i, j, k;
    for (k = 0; k < LENGTH(weight); k++) weight[k] = (float)normal();
    for (k = 0; k < LENGTH(stop); k++) {
        begin_window(&t, N, 16);
        for (i = 0; i < stop[k]; i++) {
            for (j = 0; j < N; j++) x[j] = (float)(normal() * 100 + 30 * j);
            CHECK(pcn_scaler_note(&t.s, x) == PCN_OK);
        }
        begin(&u, N);
        memcpy(u.moment, t.moment, N * sizeof(float));
        memcpy(u.moment + 2 * N, t.moment + 2 * N, N * sizeof(float));
        for (j = 0; j < N; j++) x[j] = j == 4 ? not_a_number : (float)(normal() * 150);
        pcn_scaler_scale(&t.s, x, z[0]), pcn_scaler_scale(&u.s, x, z[1]);
        pcn_scaler_scale16(&t.s, x, y[0]), pcn_scaler_scale16(&u.s, x, y[1]);
        CHECK(memcmp(z[0], z[1], sizeof z[0]) == 0 && memcmp(y[0], y[1], sizeof y[0]) == 0);
        CHECK(pcn_scaler_doubts(&t.s) == pcn_scaler_doubts(&u.s));
        CHECK(pcn_scaler_integers(&t.s, column[0]) == PCN_OK && pcn_scaler_integers(&u.s, column[1]) == PCN_OK);
        CHECK(memcmp(column[0], column[1], sizeof column[0]) == 0);
        CHECK(pcn_scaler_fold(&t.s, &m, &folded, out[0], sizeof out[0]) == PCN_OK);
        CHECK(pcn_scaler_fold(&u.s, &m, &folded, out[1], sizeof out[1]) == PCN_OK);
        CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
        pcn_scaler_scale(&t.s, t.moment, z[0]); /* x = m */
        for (j = 0; j < N; j++) CHECK(fabs((double)z[0][j]) <= ldexp(1, -63));
    }
}

/* Only such windows, once; what there is so far counts as at most N values. A gap and a value that is refused change
 * nothing. */
static void check_window_begins(void)
{
    static const uint32_t good[] = {16, 17, 1024, 0x400000}, bad[] = {0, 1, 15, 0x400001, 0x80000000u, UINT32_MAX};
    static both t, before;
    float x[3] = {1, 2, not_a_number};
    uint32_t i;
    for (i = 0; i < LENGTH(good); i++) begin_window(&t, 3, good[i]);
    before = t;
    for (i = 0; i < LENGTH(good); i++)
        CHECK(pcn_scaler_use_window(&t.s, good[i]) == PCN_EOPTION && memcmp(&t, &before, sizeof t) == 0);
    CHECK(pcn_scaler_note(&t.s, x) == PCN_OK && rows_of(&t, 0) == 1 && rows_of(&t, 2) == 0);
    before = t;
    x[1] = infinite;
    CHECK(pcn_scaler_note(&t.s, x) == PCN_EVALUE && memcmp(&t, &before, sizeof t) == 0);
    begin(&t, 3);
    for (i = 0; i < 20; i++) {
        x[0] = (float)i, x[1] = i < 9 ? (float)(i % 2) : not_a_number;
        CHECK(pcn_scaler_note(&t.s, x) == PCN_OK);
    }
    before = t;
    for (i = 0; i < LENGTH(bad); i++)
        CHECK(pcn_scaler_use_window(&t.s, bad[i]) == PCN_EOPTION && memcmp(&t, &before, sizeof t) == 0);
    CHECK(pcn_scaler_use_window(&t.s, 16) == PCN_OK);
    CHECK(rows_of(&t, 0) == 16 && rows_of(&t, 1) == 9 && rows_of(&t, 2) == 0);
    CHECK(memcmp(t.moment, before.moment, 3 * sizeof(float)) == 0);
    CHECK(memcmp(t.moment + 6, before.moment + 6, 3 * sizeof(float)) == 0);
    for (i = 9; i < LENGTH(t.moment); i++) CHECK(i >= 15 || t.moment[i] == 0);
    CHECK(pcn_scaler_init(&t.s, 3, t.moment, sizeof t.moment) == PCN_OK && t.s.window == 0 && !t.s.own.note);
}

/* A column is constant while its last values are one float, and only then: exactly, whatever came before. */
static void check_window_constants(void)
{
    static const float value[] = {3, -3e7f, 0.1f, 1e-30f, 0};
    static both t;
    float x, z;
    uint32_t i, k;
    begin_window(&t, 1, 16);
    for (k = 0; k < LENGTH(value); k++) {
        x = value[k];
        for (i = 0; i < 48; i++) CHECK(pcn_scaler_note(&t.s, &x) == PCN_OK);
        CHECK(t.moment[0] == x && t.moment[2] == 0 && t.moment[4] == 0);
        x += 1e9f;
        pcn_scaler_scale(&t.s, &x, &z);
        CHECK(z == 0 && pcn_scaler_note(&t.s, &x) == PCN_OK && t.moment[2] > 0);
    }
}

/* A sensor at full scale for 1,000 rows: within 2 N rows nothing is left of them, and without a window s is far off. */
static void check_window_recovers(void)
{
    static both t[2];
    float x;
    uint32_t i, k;
    random_state = 7;
    begin(&t[0], 1);
    begin_window(&t[1], 1, 1000);
    for (i = 0; i < 8000; i++) {
        x = i >= 5000 && i < 6000 ? 32767 : (float)(100 * normal() + 500);
        for (k = 0; k < 2; k++) CHECK(pcn_scaler_note(&t[k].s, &x) == PCN_OK);
    }
    CHECK(fabs((double)t[1].moment[0] - 500) < 20 && fabs((double)t[1].moment[2] - 1e4) < 1500);
    CHECK(deviation_of(&t[0], 0) > 3000);
}

/* ---- Folding ---- */

typedef struct folding {
    both t;
    float weight[PCN_LINEAR_FLOATS(N, K)], out[PCN_LINEAR_FLOATS(N, K)];
    pcn_linear m, folded;
} folding;

static size_t place(const pcn_linear *m, uint32_t c, uint32_t j)
{
    return m->by_feature ? (size_t)j * m->scores + c : (size_t)c * m->features + j;
}

/* Column 4 is constant, column 6 has no values. */
static void folding_init(folding *f, uint32_t classes, int by_feature, int biased, double farthest)
{
    uint32_t i, j;
    memset(f, 0, sizeof *f);
    begin(&f->t, N);
    for (i = 0; i < 500; i++) {
        float x[N];
        for (j = 0; j < N; j++) x[j] = (float)((normal() + farthest * (j % 3)) * pow(10, (double)j - 4));
        x[4] = 7;
        x[6] = not_a_number;
        CHECK(note(&f->t, x) == PCN_OK);
    }
    for (i = 0; i < LENGTH(f->weight); i++) f->weight[i] = (float)normal();
    f->m.weight = f->weight;
    f->m.bias = biased ? f->weight + N * PCN_SCORES(classes) : NULL;
    f->m.features = N;
    f->m.scores = PCN_SCORES(classes);
    f->m.by_feature = (uint8_t)by_feature;
    f->m.zero_negative = 1;
}

static void check_folded(uint32_t classes, int by_feature, int biased)
{
    static folding f;
    const size_t bytes = PCN_LINEAR_FLOATS(N, classes) * sizeof(float);
    const uint32_t scores = PCN_SCORES(classes);
    uint32_t i, j, c, changed = 0;
    folding_init(&f, classes, by_feature, biased, 3);
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_OK);
    CHECK(pcn_scaler_doubts(&f.t.s) == PCN_DOUBT_BITS);
    CHECK(f.folded.weight == f.out && f.folded.bias == f.out + N * scores && f.folded.features == N);
    CHECK(f.folded.scores == scores && f.folded.by_feature == by_feature && f.folded.zero_negative == 1);
    CHECK(f.folded.folded == 1 && f.m.folded == 0);
    for (c = 0; c < scores; c++) {
        double bias = biased ? (double)f.m.bias[c] : 0, most = 1;
        for (j = 0; j < N; j++) {
            const double w = (double)f.weight[place(&f.m, c, j)], got = (double)f.out[place(&f.m, c, j)];
            const double s = sqrt(f.t.plain[j].variance), exact = s > 0 ? w / s : 0;
            CHECK(fabs(got - exact) <= 1e-6 * fabs(exact));
            bias -= got * (double)f.t.moment[j];
            most = fmax(most, fabs(got * (double)f.t.moment[j]));
        }
        CHECK(fabs((double)f.folded.bias[c] - bias) < 1e-6 * most);
    }
    for (i = 0; i < 2000; i++) {
        float x[N], z[N], score[K], of_folded[K];
        for (j = 0; j < N; j++) x[j] = (float)((normal() + 3 * (j % 3)) * pow(10, (double)j - 4));
        x[4] = 7;
        pcn_scaler_scale(&f.t.s, x, z);
        pcn_linear_scores(&f.m, pcn_dense(z, N), score);
        pcn_linear_scores(&f.folded, pcn_dense(x, N), of_folded);
        for (c = 0; c < scores; c++) CHECK(fabs((double)score[c] - (double)of_folded[c]) < 1e-5);
        changed += pcn_linear_predict(&f.m, pcn_dense(z, N)) != pcn_linear_predict(&f.folded, pcn_dense(x, N));
    }
    CHECK(changed == 0);
    f.m.bias = f.weight + N * scores; /* in place */
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_OK);
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.m, f.weight, bytes) == PCN_OK);
    CHECK(memcmp(f.weight, f.out, bytes) == 0);
}

/* What is to be doubted, whatever the model, and what fold refuses. */
static void check_fold_results(void)
{
    static folding f, before;
    const size_t bytes = sizeof f.out;
    static const struct {
        float mean, variance[2];
        uint32_t doubts;
    } c[] = {{0, {1, 1}, 0},
             {4096, {1, 1}, 0},
             {4096.5f, {1, 1}, 1},
             {-4097, {1, 1}, 1},
             {0, {1, 256}, 0},
             {0, {256, 1}, 0},
             {0, {1, 257}, 2},
             {0, {257, 1}, 2},
             {1e4f, {1, 1e4f}, 3},
             {1e4f, {0, 1}, 0},
             /* constant: it has no say */ {0, {0, 0}, 0},
             {0, {0, 9}, 0}};
    size_t i;
    for (i = 0; i < LENGTH(c); i++) {
        folding_init(&f, 2, 0, 1, 0);
        f.m.features = f.t.s.features = 2;
        f.m.bias = f.weight + 2;
        memset(f.t.moment, 0, sizeof f.t.moment);
        f.t.moment[0] = c[i].mean;
        f.t.moment[4] = c[i].variance[0];
        f.t.moment[5] = c[i].variance[1];
        CHECK(pcn_scaler_doubts(&f.t.s) == c[i].doubts);
        before = f;
        CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_OK);
        CHECK(memcmp(f.t.moment, before.t.moment, sizeof f.t.moment) == 0 && pcn_scaler_doubts(&f.t.s) == c[i].doubts);
    }
    f.t.s.features = 0;
    CHECK(pcn_scaler_doubts(&f.t.s) == 0 && PCN_DOUBT_DIGITS == 1 && PCN_DOUBT_BITS == 2);
    folding_init(&f, K, 0, 1, 0);
    before = f;
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, NULL, bytes) == PCN_EMEMORY);
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes - 1) == PCN_EMEMORY);
    f.m.features = N - 1;
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_EOPTION);
    f.m.features = N;
    for (i = 0; i <= 2; i += 2) { /* such models there are none */
        f.m.scores = (uint32_t)i;
        CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_EOPTION);
        CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, NULL, 0) == PCN_EOPTION);
    }
    f.m.scores = K;
    f.weight[N - 1] = before.weight[N - 1] = 1e20f;
    CHECK(memcmp(&f, &before, sizeof f) == 0);
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_OK); /* s is 10^4 there */
    f.t.moment[N - 1] = 0, f.t.moment[2 * N + N - 1] = ldexpf(1, -60);
    before = f;
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_EVALUE);
    f.weight[N - 1] = not_a_number;
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_EVALUE);
    f.weight[N - 1] = before.weight[N - 1];
    CHECK(memcmp(&f, &before, sizeof f) == 0);
    f.weight[N - 1] = 0;
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_OK);
    f.weight[0] = not_a_number; /* the first feature is looked at, too */
    CHECK(pcn_scaler_fold(&f.t.s, &f.m, &f.folded, f.out, bytes) == PCN_EVALUE);
    f.weight[0] = before.weight[0];
    f.weight[N - 1] = before.weight[N - 1];
}

/* ---- Rows of int16 ---- */

static int near_or_out(double exact, int16_t got, double tolerance)
{
    if (exact > 32767) return got > 32767 - tolerance;
    if (exact < -32768) return got < -32768 + tolerance;
    return fabs(exact - got) <= tolerance;
}

/* Samples of an int16 with that mean and deviation: y = 512 (x - m) / s, from floats and from integers. */
static void check_integers(double mean, double deviation)
{
    static both t;
    pcn_icolumn column;
    int32_t i;
    int good = 1;
    begin(&t, 1);
    for (i = 0; i < 3000; i++) {
        float x = (float)fmax(fmin(floor(mean + deviation * normal() + 0.5), 32767), -32768);
        CHECK(note(&t, &x) == PCN_OK);
    }
    CHECK(pcn_scaler_integers(&t.s, &column) == PCN_OK);
    for (i = -32768; i <= 32767 && good; i++) {
        const float f = (float)i;
        int16_t x = (int16_t)i, y, z;
        const double s = deviation_of(&t, 0), exact = s > 0 ? 512 * (i - mean_of(&t, 0)) / s : 0;
        pcn_scaler_scale16(&t.s, &f, &z);
        pcn_icolumns_scale(&column, 1, &x, &y);
        good &= near_or_out(exact, z, 0.51 + 1e-6 * fabs(exact));
        good &= near_or_out(exact, y, 2.01 + ldexp(s, -24) * fabs(exact) + ldexp(fabs(512 * mean_of(&t, 0) / s), -22));
        pcn_icolumns_scale(&column, 1, &x, &x); /* in place */
        good &= x == y;
    }
    CHECK(good);
}

static void check_integer_rows(void)
{
    static const double mean[] = {0, 0.5, -17, 1000, -32000, 32000}, deviation[] = {0.7, 3, 50, 400, 5000, 30000};
    const float bad[] = {32768, -32768.5f, 1e6f};
    static both t, before;
    pcn_icolumn column[3], kept[3];
    int16_t x[3] = {32767, -32768, 5}, y[3];
    float row[3] = {5, not_a_number, 100}, far[3];
    size_t i, k;
    for (i = 0; i < LENGTH(mean); i++)
        for (k = 0; k < LENGTH(deviation); k++) check_integers(mean[i], deviation[k]);
    begin(&t, 3); /* constant, without values, rare */
    for (i = 0; i < 10000; i++) {
        row[2] = i % 5000 == 0;
        CHECK(note(&t, row) == PCN_OK);
    }
    CHECK(pcn_scaler_integers(&t.s, column) == PCN_OK);
    CHECK(column[0].factor == 0 && column[0].mean == 0 && column[1].factor == 0 && column[1].mean == 0);
    pcn_icolumns_scale(column, 3, x, y);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 32767);
    pcn_scaler_scale16(&t.s, row, y);
    CHECK(y[0] == 0 && y[1] == 0);
    far[0] = far[1] = 0, far[2] = infinite;
    pcn_scaler_scale16(&t.s, far, y);
    CHECK(y[2] == 32767);
    far[2] = -infinite;
    pcn_scaler_scale16(&t.s, far, y);
    CHECK(y[2] == -32768);
    far[2] = not_a_number;
    pcn_scaler_scale16(&t.s, far, y);
    CHECK(y[2] == 0);
    t.moment[0] = 32767, t.moment[6] = ldexpf(1, -8); /* the ends: s = 1/16, 2^16, 1/256 */
    t.moment[1] = -32768, t.moment[7] = ldexpf(1, 32);
    t.moment[2] = 0, t.moment[8] = ldexpf(1, -16);
    CHECK(pcn_scaler_integers(&t.s, column) == PCN_OK);
    x[2] = 0;
    pcn_icolumns_scale(column, 3, x, y);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0);
    x[0] = 32766, x[1] = 32767, x[2] = 1;
    pcn_icolumns_scale(column, 3, x, y);
    CHECK(abs(y[0] + 512 * 16) <= 1 && y[1] == 511 && y[2] == 32767); /* 65,535 / 2^16 of 512 */
    x[0] = 32763, x[2] = -1;
    pcn_icolumns_scale(column, 3, x, y);
    CHECK(abs(y[0] + 4 * 512 * 16) <= 1 && y[2] == -32768);
    memcpy(kept, column, sizeof kept);
    before = t;
    for (i = 0; i < LENGTH(bad); i++) {
        t.moment[2] = bad[i];
        CHECK(pcn_scaler_integers(&t.s, column) == PCN_EVALUE && memcmp(kept, column, sizeof kept) == 0);
    }
    t.moment[2] = before.moment[2];
    CHECK(memcmp(&t, &before, sizeof t) == 0);
}

/* Columns from 10^-4 to 10^4: a model of 8 bits of scaled rows predicts as the floats do, but for rows near a border. */
static void check_eight_bits(void)
{
    static folding f;
    static int32_t memory[PCN_ILINEAR_NUMBERS(N, K, 8)];
    pcn_ilinear q;
    uint32_t i, j, changed = 0;
    folding_init(&f, K, 0, 1, 3);
    CHECK(pcn_ilinear_quantize(&q, &f.m, 8, PCN_SCALER_UNIT, NULL, memory, sizeof memory) >= 0);
    for (i = 0; i < 2000; i++) {
        float x[N], z[N], score[K];
        int16_t y[N];
        int k;
        for (j = 0; j < N; j++) x[j] = (float)((normal() + 3 * (j % 3)) * pow(10, (double)j - 4));
        pcn_scaler_scale(&f.t.s, x, z);
        pcn_scaler_scale16(&f.t.s, x, y);
        pcn_linear_scores(&f.m, pcn_dense(z, N), score);
        k = pcn_decide(score, K, 1);
        changed += pcn_margin(score, K, k) > 0.1f && pcn_ilinear_predict(&q, pcn_idense(y, N)) != k;
    }
    CHECK(changed == 0);
}

/* ---- Images ---- */

typedef struct forgery {
    uint32_t array, bits;
    int good;
} forgery;

/* What noting cannot produce is neither loaded nor saved. */
static void check_forgeries(both *u, const uint8_t *image, const forgery *c, size_t n)
{
    uint8_t forged[ROOM];
    size_t j, k;
    for (j = 0; j < N; j++)
        for (k = 0; k < n; k++) {
            memcpy(forged, image, ROOM);
            put_word(forged, 64 + 4 * (c[k].array * N + j), c[k].bits);
            put_checksum(forged, ROOM);
            CHECK(pcn_scaler_load(&u->s, forged, ROOM) == (c[k].good ? PCN_OK : PCN_EIMAGE));
            CHECK(pcn_image_read(NULL, forged, ROOM) == (c[k].good ? PCN_OK : PCN_EIMAGE));
            CHECK(pcn_scaler_load(&u->s, image, ROOM) == PCN_OK);
            u->moment[c[k].array * N + j] = from_bits(c[k].bits);
            CHECK((pcn_scaler_save_part(&u->s, 0, NULL, 0) != 0) == c[k].good);
            CHECK((pcn_scaler_save(&u->s, forged, ROOM) != 0) == c[k].good);
            CHECK(pcn_scaler_load(&u->s, image, ROOM) == PCN_OK);
        }
}

static void check_forged(both *u, const uint8_t *image)
{
    static const forgery c[] = {
        {0, 0x5a7fffffu, 1}, {0, 0x5a800000u, 0}, {0, 0xda7fffffu, 1}, {0, 0xda800000u, 0}, /* 2^54 */
        {1, 0x5a800000u, 0}, {1, 0x7fc00000u, 0}, {1, 0x4c000000u, 0}, {1, 0, 1},           /* no lower part */
        {2, 0x76800000u, 1}, {2, 0x76800001u, 0}, {2, 0x80000001u, 0}, {2, 0xbf800000u, 0},
        {2, 0x7f800000u, 0}, {2, 1, 0}, /* less than its lower part */
        {3, 0x76800000u, 0}, {3, 0xff800000u, 0}, {3, 0x767fffffu, 0}, {3, 0, 1},
        {4, 0x4b800000u, 1}, {4, 0x4b800001u, 0}, {4, 0xbf800000u, 0}, {4, 0x40000000u, 1},
        {4, 0, 0},           {4, 0x3f800000u, 0}, {4, 0x40100000u, 0}, {4, 1, 0}, /* 0, 1, 2.25 values */
    };
    check_forgeries(u, image, c, LENGTH(c));
}

/* With a window of 16: 20 values have come, four of them in the second block; or `rows`. */
static void check_forged_window(both *u, uint8_t *image, uint32_t rows)
{
    const int first = rows > 1, second = rows > 16, third = rows > 17;
    const forgery c[] = {
        {0, 0x5a7fffffu, 1},
        {0, 0xda800000u, 0}, /* 2^54 */
        {1, 32, 0},
        {1, 0x80000000u | rows, 0},
        {1, 0x3f800000u, 0},
        {1, 31, 1}, /* values */
        {2, 0x76800001u, 0},
        {2, 0xbf800000u, 0},
        {2, 0x76800000u, first},
        {2, 1, first},
        {2, 0, 1},
        {3, 0x5a7fffffu, second},
        {3, 0xda7fffffu, second},
        {3, 0x5a800000u, 0},
        {3, 0x7fc00000u, 0},
        {4, 0x76800000u, third},
        {4, 0x76800001u, 0},
        {4, 1, third},
        {4, 0xbf800000u, 0},
        {4, 0, 1},
    };
    uint32_t j;
    for (j = 0; j < N; j++) {
        put_word(image, 64 + 4 * (N + j), rows);
        put_word(image, 64 + 4 * (2 * N + j), first ? 0x3f800000u : 0);
        put_word(image, 64 + 4 * (3 * N + j), second ? 0x3f800000u : 0);
        put_word(image, 64 + 4 * (4 * N + j), third ? 0x3f800000u : 0);
    }
    put_checksum(image, ROOM);
    check_forgeries(u, image, c, LENGTH(c));
}

/* Row i, for t and for u, which after the first row is what was saved of t. */
static void note_both(both *t, both *u, uint32_t i)
{
    double z[N];
    float x[N];
    make_row(z, x);
    if (i % 7 == 3) x[i % N] = not_a_number;
    if (i == 20) x[2] = 1e9f;
    CHECK(pcn_scaler_note(&t->s, x) == PCN_OK);
    if (i == 0) return;
    CHECK(pcn_scaler_note(&u->s, x) == PCN_OK);
    CHECK(memcmp(t->moment, u->moment, sizeof t->moment) == 0);
}

/* The window is in the image, and only a scaler of that window takes it. */
static void check_window_image(const uint8_t *without)
{
    static const uint32_t bad[] = {1, 15, 0x400001, UINT32_MAX}, rows[] = {0, 1, 2, 15, 16, 17, 18, 31};
    static both t, u;
    uint8_t image[ROOM], other[ROOM];
    pcn_image info;
    uint32_t i, j;
    double z[N];
    float x[N];
    begin_window(&t, N, 16);
    for (i = 0; i < 90; i++) { /* saved, loaded and gone on with at any row */
        note_both(&t, &u, i);
        CHECK(pcn_scaler_save(&t.s, image, ROOM) == ROOM && get_word(image, 28) == 16);
        for (j = 0; j < ROOM; j += 16)
            CHECK(pcn_scaler_save_part(&t.s, j, other + j, ROOM - j < 16 ? ROOM - j : 16) == ROOM);
        CHECK(memcmp(image, other, ROOM) == 0);
        memset(&u, 0x5a, sizeof u);
        begin_window(&u, N, 16);
        CHECK(pcn_scaler_load(&u.s, image, ROOM) == PCN_OK);
    }
    CHECK(pcn_image_read(&info, image, ROOM) == PCN_OK && info.entries == 16 && pcn_image_size(image, ROOM) == ROOM);
    CHECK(pcn_scaler_load(&u.s, without, ROOM) == PCN_EMATCH);
    begin_window(&u, N, 17);
    CHECK(pcn_scaler_load(&u.s, image, ROOM) == PCN_EMATCH);
    begin(&u, N);
    CHECK(pcn_scaler_load(&u.s, image, ROOM) == PCN_EMATCH);
    for (i = 0; i < LENGTH(u.moment); i++) CHECK(u.moment[i] == 0);
    for (i = 0; i < LENGTH(bad); i++) {
        memcpy(other, image, ROOM);
        put_word(other, 28, bad[i]);
        put_checksum(other, ROOM);
        CHECK(pcn_image_read(NULL, other, ROOM) == PCN_EIMAGE && pcn_image_size(other, ROOM) == 0);
        CHECK(pcn_scaler_load(&u.s, other, ROOM) == PCN_EIMAGE);
    }
    begin_window(&u, N, 16);
    for (i = 0; i < LENGTH(rows); i++) check_forged_window(&u, image, rows[i]);
}

static void check_image(void)
{
    static both t, u;
    uint8_t image[ROOM], whole[ROOM];
    uint32_t word[16 + 5 * N], i, at;
    float x[N];
    double z[N];
    begin(&t, N);
    for (i = 0; i < 40; i++) { /* saved, loaded and gone on with at any row */
        note_both(&t, &u, i);
        CHECK(pcn_scaler_save_part(&t.s, 0, NULL, 0) == ROOM && PCN_SCALER_IMAGE(N) == ROOM);
        CHECK(pcn_scaler_save(&t.s, image, ROOM - 1) == 0 && pcn_scaler_save(&t.s, image, ROOM) == ROOM);
        memset(&u, 0x5a, sizeof u);
        CHECK(pcn_scaler_init(&u.s, N, u.moment, sizeof u.moment) == PCN_OK);
        CHECK(pcn_scaler_load(&u.s, image, ROOM) == PCN_OK);
    }
    memset(word, 0, sizeof word);
    word[0] = 0x1a4e4350u, word[1] = 1, word[2] = PCN_KIND_SCALER, word[4] = N, word[5] = 1;
    memcpy(word + 16, t.moment, sizeof t.moment);
    CHECK(is_words(image, ROOM, word, LENGTH(word)));
    CHECK(pcn_image_size(image, 64) == ROOM && pcn_image_size(image, 63) == 0);
    for (at = 0; at < ROOM; at += 16)
        CHECK(pcn_scaler_save_part(&t.s, at, whole + at, ROOM - at < 16 ? ROOM - at : 16) != 0);
    CHECK(memcmp(image, whole, ROOM) == 0);
    u.s.features = N - 1;
    CHECK(pcn_scaler_load(&u.s, image, ROOM) == PCN_EMATCH);
    u.s.features = N;
    check_forged(&u, image);
    check_window_image(image);
}

int main(void)
{
    const char *text = getenv("UPDATES");
    int k;
    infinite = from_bits(0x7f800000u);
    not_a_number = from_bits(0x7fc00000u);
    check_fractions(3);
    check_fractions(100);
    check_fractions(30000);
    check_long(text ? strtoull(text, NULL, 10) : 200000);
    check_cap();
    check_any();
    check_gaps();
    check_constants();
    check_neighbours();
    check_refused();
    check_powers();
    check_stop();
    check_scaled();
    for (k = 1; k <= 4; k++) {
        check_window(16, (uint32_t)k);
        check_window(100, (uint32_t)k);
    }
    check_window_scales();
    check_window_begins();
    check_window_constants();
    check_window_recovers();
    for (k = 0; k < 4; k++) {
        check_folded(2, k & 1, k >> 1);
        check_folded(K, k & 1, k >> 1);
    }
    check_fold_results();
    check_integer_rows();
    check_eight_bits();
    check_image();
    return report();
}
