/* The parts of examples/firmware/parts.h beside plain computations, and the scan for saturated integer weights, for
 * firmware.sh. With an argument it prints the table of the page: what notices a sensor that was turned. */
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "parts.h"

#include "activity.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 1;

static int below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)(((uint64_t)state * (uint64_t)n) >> 32);
}

/* ---- Features of a window ---- */

/* In double and with a copy of the axis, by the definition. */
static int has_features(const int16_t *sample, int n, int step, const int16_t *x)
{
    static double s[32768];
    double sum = 0, mean, deviation = 0, difference = 0, peak = 0;
    int crossings = 0, i;
    for (i = 0; i < n; i++) s[i] = sample[i * step];
    for (i = 0; i < n; i++) sum += s[i];
    mean = trunc(sum / n);
    for (i = 0; i < n; i++) {
        deviation += fabs(s[i] - mean);
        peak = fmax(peak, fabs(s[i] - mean));
    }
    for (i = 1; i < n; i++) {
        difference += fabs(s[i] - s[i - 1]);
        crossings += (s[i] * n >= sum && s[i - 1] * n < sum) || (s[i] * n < sum && s[i - 1] * n >= sum);
    }
    return x[0] == mean && x[1] == fmin(32767, floor(deviation / n)) && x[2] == fmin(32767, floor(difference / n)) &&
           x[3] == crossings && x[4] == fmin(32767, peak);
}

static void features(void)
{
    static int16_t sample[3 * 32768];
    static const int lengths[] = {1, 2, 3, 64, 1000, 32768};
    int16_t x[WINDOW_FEATURES];
    int shape, trial, i;
    for (trial = 0; trial < 60; trial++)
        for (shape = 0; shape < 6; shape++) {
            const int n = lengths[trial % 6], step = 1 + trial % 3, range = 1 << below(17);
            for (i = 0; i < n * step; i++) {
                int v = below(range) - range / 2;
                if (shape == 1) v = i / step % 2 ? 32767 : -32768; /* the largest differences, */
                if (shape == 2) v = i ? -32768 : 32767;            /* the largest peak, */
                if (shape == 3) v = i < n * step / 2 ? -32768 : 32767;
                if (shape == 4) v = -32768; /* the largest sums, */
                if (shape == 5) v = below(2);
                sample[i] = (int16_t)v;
            }
            window_features(sample, n, step, x);
            CHECK(has_features(sample, n, step, x));
        }
    for (i = 0; i < 64; i++)
        sample[i] = (int16_t)(i % 2); /* a mean of 1/2, which is cut off, is crossed all the same */
    window_features(sample, 64, 1, x);
    CHECK(x[0] == 0 && x[3] == 63);
}

/* ---- Answers ---- */

/* Of all answers so far: the class of the last run that was as long as needed. */
static int last_long_run(const int *k, int count, int need)
{
    int answer[300], answers = 0, i, j;
    for (i = 0; i < count; i++)
        if (k[i] >= 0) answer[answers++] = k[i];
    for (i = answers; i >= need; i--) {
        for (j = i - need; j < i && answer[j] == answer[i - 1]; j++) {
        }
        if (j == i) return answer[i - 1];
    }
    return -1;
}

static void debounces(void)
{
    static const debounce first = {-1, -1, 0};
    int k[300], need, i;
    for (need = 1; need <= 6; need++) {
        debounce d = first;
        for (i = 0; i < 300; i++) {
            k[i] = below(4) ? (i ? k[i - 1] : 0) : below(4) - 1;
            if (i % 50 == 49) k[i] = 32767;
            CHECK(debounced(&d, k[i], (uint16_t)need) == last_long_run(k, i + 1, need));
        }
    }
}

static void debounces_long(void)
{
    debounce d = {-1, -1, 0};
    long i, late = 0;
    for (i = 1; i <= 70000; i++) late += (debounced(&d, 5, 65535) == 5) != (i >= 65535);
    CHECK(late == 0 && debounced(&d, 6, 2) == 5 && debounced(&d, 6, 2) == 6);
}

/* ---- The alarm ---- */

static void alarm_share(void)
{
    unsigned k;
    int i, parts;
    for (k = 0; k <= 16; k++)
        for (parts = 0; parts <= 8; parts++) {
            uint32_t share = 0;
            double exact = 0, worst = 0;
            int wrong = 0;
            for (i = 0; i < 20000; i++) {
                const int event = below(8) < parts, rings = alarm_rings(&share, event, k, 30000);
                exact += ((event ? 1 : 0) - exact) / (double)(1 << k);
                worst = fmax(worst, fabs(share / 4294967296.0 - exact));
                wrong += rings != (share >= 30001u * 65536u);
            }
            CHECK(worst <= 2.0 * (1 << k) / 4294967296.0 && wrong == 0);
        }
}

static void alarm_ends(void)
{
    unsigned k;
    long i;
    for (k = 0; k <= 16; k++) {
        uint32_t share = UINT32_MAX, before;
        int fell = 0;
        for (i = 0; i < 100; i++) {
            before = share;
            alarm_rings(&share, 1, k, 0);
            fell += share < before;
        }
        CHECK(fell == 0 && share == UINT32_MAX && alarm_rings(&share, 1, k, 65534) == 1);
        CHECK(alarm_rings(&share, 1, k, 65535) == 0);
    }
}

/* What its comment says of the standard deviation, and of how soon it rings. */
static void alarm_formulas(void)
{
    const int k = 8, rows = 2000000;
    const double p = 0.05, q = 0.5, limit = 0.05 + 4 * sqrt(0.05 * 0.95 / 511);
    double sum = 0, squares = 0, mean, deviation, late = 0;
    uint32_t share = (uint32_t)(p * 4294967296.0);
    int i, false_alarms = 0;
    for (i = 0; i < rows; i++) {
        false_alarms += alarm_rings(&share, below(20) == 0, (unsigned)k, (uint16_t)(limit * 65536));
        sum += share / 4294967296.0;
        squares += share / 4294967296.0 * (share / 4294967296.0);
    }
    mean = sum / rows;
    deviation = sqrt(squares / rows - mean * mean);
    CHECK(fabs(mean - p) < 0.001 && fabs(deviation / sqrt(p * (1 - p) / 511) - 1) < 0.05);
    CHECK(false_alarms < rows / 1000);
    for (i = 0; i < 1000; i++) {
        share = (uint32_t)(p * 4294967296.0);
        do late++;
        while (!alarm_rings(&share, below(2), (unsigned)k, (uint16_t)(limit * 65536)));
    }
    CHECK(fabs(late / 1000 / (256 * log((q - p) / (q - limit))) - 1) < 0.15);
}

/* ---- Far rows ---- */

static void far_rows(void)
{
    float row[37], most = 0;
    double longest = 0, length2;
    int i, j, found = 0;
    for (i = 0; i < 2000; i++) {
        const int n = 37, learn = i < 500, wide = learn ? 200 : 400;
        for (j = 0, length2 = 0; j < n; j++) {
            row[j] = (float)(below(2 * wide + 1) - wide) / 64;
            length2 += (double)row[j] * (double)row[j]; /* exact in both: whole 1/4096s */
        }
        if (learn) longest = fmax(longest, length2);
        found += length2 > 2 * longest;
        CHECK(is_far(row, 37, &most, learn) == (length2 > 2 * longest));
        CHECK((double)most == longest);
    }
    CHECK(found > 10 && found < 1490);
    row[3] = (float)NAN;
    CHECK(is_far(row, 37, &most, 0) == 1 && is_far(row, 37, &most, 1) == 1 && (double)most == longest);
}

/* ---- RAM ---- */

static uint32_t plain_crc(const unsigned char *p, size_t size)
{
    uint32_t crc = 0xffffffffu;
    int bit;
    while (size--)
        for (crc ^= *p++, bit = 0; bit < 8; bit++) crc = crc & 1u ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    return ~crc;
}

static void seals(void)
{
    float memory[22];
    unsigned char *byte = (unsigned char *)memory;
    uint32_t seal = 0;
    int missed = 0, i, j, k;
    for (i = 0; i < 22; i++) memory[i] = (float)(below(2000) - 1000) / 7;
    CHECK(!ram_is_sealed(seal, memory, sizeof memory));
    ram_seal(&seal, memory, sizeof memory);
    CHECK(seal == plain_crc(byte, sizeof memory) && ram_is_sealed(seal, memory, sizeof memory));
    for (i = 0; i < 22 * 32; i++) {
        byte[i / 8] ^= (unsigned char)(1 << i % 8);
        missed += ram_is_sealed(seal, memory, sizeof memory);
        for (j = 0; j < i; j++) {
            byte[j / 8] ^= (unsigned char)(1 << j % 8);
            missed += ram_is_sealed(seal, memory, sizeof memory);
            byte[j / 8] ^= (unsigned char)(1 << j % 8);
        }
        for (k = 0; k < 32; k++) missed += ram_is_sealed(seal ^ (uint32_t)1 << k, memory, sizeof memory);
        byte[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    CHECK(missed == 0 && ram_is_sealed(seal, memory, sizeof memory));
    for (k = 0; k < 32; k++) missed += ram_is_sealed(seal ^ (uint32_t)1 << k, memory, sizeof memory);
    CHECK(missed == 0);
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Three flipped bits in 11 KB and a seal: they are missed only if 1 + x^i + x^j is a multiple of the polynomial. */
static void seals_of_11_KB(void)
{
    enum { BITS = 11 * 1024 * 8 + 32 };
    static uint32_t power[BITS], sorted[BITS];
    int i, missed = 0;
    power[0] = 0x80000000u; /* x^0; the lowest bit is x^31 */
    for (i = 1; i < BITS; i++) power[i] = power[i - 1] & 1u ? power[i - 1] >> 1 ^ 0xedb88320u : power[i - 1] >> 1;
    memcpy(sorted, power, sizeof power);
    qsort(sorted, BITS, sizeof *sorted, compare);
    for (i = 1; i < BITS; i++) missed += sorted[i] == sorted[i - 1]; /* two bits */
    for (i = 1; i < BITS; i++) {
        const uint32_t other = power[i] ^ power[0];
        missed += bsearch(&other, sorted, BITS, sizeof *sorted, compare) != NULL;
    }
    CHECK(missed == 0);
}

/* ---- Saturated weights: the scan of the manual and of the page ---- */

enum { N = 5, K = 3 };

static size_t scan(const int32_t *memory)
{
    size_t n, i;
    for (n = i = 0; i < PCN_IPERCEPTRON_NUMBERS(N, K); i++) n += memory[i] >= PCN_IMAX || memory[i] <= -PCN_IMAX;
    return n;
}

/* A margin that no score reaches makes every row an update, of 2^30 - 65,535. */
static void saturated(void)
{
    static int32_t memory[PCN_IPERCEPTRON_NUMBERS(N, K)];
    static const int16_t x[N] = {0, 0, 32767, 1, 0};
    int32_t largest = 0;
    size_t i, at_end = 0;
    pcn_iperceptron m;
    CHECK(pcn_iperceptron_init(&m, N, K, memory, sizeof memory) == PCN_OK && scan(memory) == 0);
    m.rate = 32767;
    m.margin = INT64_MAX;
    CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, N), 0) == 1);
    for (i = 0; i < PCN_IPERCEPTRON_NUMBERS(N, K); i++)
        if (memory[i] > largest) largest = memory[i];
    CHECK(largest == 32767 * 32767 && scan(memory) == 0);
    CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, N), 0) == 1 && scan(memory) == 1); /* up, */
    CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, N), 0) == 1 && scan(memory) == 2); /* and down: a rival's */
    for (i = 0; i < PCN_IPERCEPTRON_NUMBERS(N, K); i++) at_end += labs(memory[i]) == 1073741824;
    CHECK(at_end == 2);
    for (i = 1; i < K; i++) CHECK(pcn_iperceptron_learn(&m, pcn_idense(x, N), (int)i) == 1);
    CHECK(scan(memory) == 0); /* they came back, and no scan tells that they were there */
}

/* ---- A sensor that was turned ---- */

enum { ROWS = 1000, OF = ACTIVITY_COUNT };

static float weight[PCN_PERCEPTRON_FLOATS(OF, ACTIVITIES)], sum[PCN_AVERAGING_FLOATS(OF, ACTIVITIES)];
static float moment[PCN_SCALER_FLOATS(OF)], most;
static pcn_perceptron trainer;
static pcn_scaler scaler;
static pcn_calibration sure;

enum mount { AS_TRAINED, TURNED, UPSIDE_DOWN, DEAD, STUCK, MOUNTS };

static int window(uint32_t number, enum mount mount, float *x)
{
    static activity_window w;
    const int what = (int)activity_make(number, &w);
    int i, axis;
    if (mount == TURNED) activity_turn(&w);
    for (i = 0; i < ACTIVITY_SAMPLES; i++)
        for (axis = 0; axis < ACTIVITY_AXES; axis++) {
            int16_t *s = &w.sample[i][axis];
            if (mount == UPSIDE_DOWN && axis > 0) *s = (int16_t) - *s;
            if (mount == DEAD) *s = 0;
            if (mount == STUCK) *s = 32767;
        }
    activity_features(&w, x);
    return what;
}

typedef struct counts {
    int wrong, refused, far;
} counts;

/* Of 1,000 windows, how many answers are wrong, would be refused as in adc.c, and are far. */
static counts ask(enum mount mount)
{
    float x[OF], score[ACTIVITIES], p[ACTIVITIES];
    counts n = {0, 0, 0};
    uint32_t i;
    for (i = 0; i < ROWS; i++) {
        const int what = window(i, mount, x);
        int guess;
        pcn_scaler_scale(&scaler, x, x);
        pcn_perceptron_scores(&trainer, pcn_dense(x, OF), score);
        guess = pcn_probabilities(&sure, score, ACTIVITIES, p);
        n.wrong += guess != what;
        n.refused += 1 - p[guess] > 0.1f;
        n.far += is_far(x, OF, &most, 0);
    }
    return n;
}

static void turned_sensor(int print)
{
    float x[OF], score[ACTIVITIES], p[ACTIVITIES];
    static const char *const name[MOUNTS] = {"as in training", "turned, damped by a quarter", "upside down",
                                             "dead: all 0", "stuck: all 32,767"};
    counts n[MOUNTS];
    int mount;
    uint32_t i;
    CHECK(pcn_perceptron_init(&trainer, OF, ACTIVITIES, weight, sizeof weight) == PCN_OK);
    CHECK(pcn_perceptron_use_averaging(&trainer, sum, sizeof sum) == PCN_OK);
    CHECK(pcn_scaler_init(&scaler, OF, moment, sizeof moment) == PCN_OK);
    pcn_calibration_init(&sure);
    for (i = 0; i < 4 * ROWS; i++) {
        const int what = window(1000000 + i, AS_TRAINED, x);
        if (i < 2 * ROWS) CHECK(pcn_scaler_note(&scaler, x) == PCN_OK);
        pcn_scaler_scale(&scaler, x, x);
        pcn_perceptron_scores(&trainer, pcn_dense(x, OF), score);
        pcn_probabilities(&sure, score, ACTIVITIES, p);
        CHECK(pcn_calibrate(&sure, score, ACTIVITIES, p, what) >= 0);
        CHECK(pcn_perceptron_learn(&trainer, pcn_dense(x, OF), what) >= 0);
        if (i >= 2 * ROWS) is_far(x, OF, &most, 1);
    }
    for (mount = 0; mount < MOUNTS; mount++) n[mount] = ask((enum mount)mount);
    CHECK(n[AS_TRAINED].wrong < 50 && n[AS_TRAINED].far == 0);
    CHECK(n[UPSIDE_DOWN].wrong > 300 && n[UPSIDE_DOWN].far > 950 && n[STUCK].far == ROWS && n[STUCK].refused == 0);
    CHECK(n[DEAD].wrong > 700 && n[DEAD].refused == 0 && n[DEAD].far == 0); /* no one notices */
    if (!print) return;
    puts("| of 1,000 windows, the sensor | wrong | refused | far |\n|---|---|---|---|");
    for (mount = 0; mount < MOUNTS; mount++)
        printf("| %s | %d | %d | %d |\n", name[mount], n[mount].wrong, n[mount].refused, n[mount].far);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        turned_sensor(1);
        return 0;
    }
    features();
    debounces();
    debounces_long();
    alarm_share();
    alarm_ends();
    alarm_formulas();
    far_rows();
    seals();
    seals_of_11_KB();
    saturated();
    turned_sensor(0);
    return report();
}
