/* build with: cc -std=c99 -O2 -I. examples/firmware/adc.c examples/firmware/print.c examples/firmware/host.c -o build/adc
 *
 * From an ADC to an answer, or to "?". Windows of samples become rows of whole numbers; the scaler's columns scale them
 * and a model of 8 bits scores them, both in integers; what is not sure enough gets no answer. With each label a trainer
 * in floats learns, follows, and makes that model anew. The same bits on every machine.
 *
 * The samples stand for yours: a fan's vibration at 1 kHz in 12 bits. Each of its five kinds is left out of training in
 * turn, to see how many of its windows get an answer all the same, which is wrong. Then the amplifier's gain falls. */
#define PERCEPTRON_STATIC
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#include "board.h"
#include "print.h"

enum { OFF, RUNNING, UNBALANCED, RUBBING, BEARING, KINDS };
enum { N = 5, K = KINDS - 1, SCORES = PCN_SCORES(K) }; /* features; classes: all kinds but the one left out */
enum { SAMPLES = 64, BITS = 8, UNKNOWN = -1 };
#define COST 0.1f /* of a "?", where that of a wrong answer is 1 */

/* ---- The device ---- */

static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sums[PCN_AVERAGING_FLOATS(N, K)], moment[PCN_SCALER_FLOATS(N)];
static float mean[PCN_LINEAR_FLOATS(N, K)], one; /* one: the real value of an integer score of 1 */
static int32_t packed[PCN_ILINEAR_NUMBERS(N, K, BITS)];
static pcn_icolumn column[N];
static pcn_perceptron trainer;
static pcn_scaler scaler;
static pcn_calibration sure;
static pcn_ilinear model;

static int16_t raw[N];            /* of the last window: its features, */
static float score[SCORES], p[K]; /* scores and probabilities, */
static int guess;                 /* and the answer if it must give one */

static int size_of(int x)
{
    return x < 0 ? -x : x;
}

static void features(const int16_t *sample)
{
    int middle = 0, deviation = 0, difference = 0, crossings = 0, jump = 0, low = sample[0], high = low, i;
    for (i = 0; i < SAMPLES; i++) middle += sample[i];
    middle /= SAMPLES;
    for (i = 0; i < SAMPLES; i++) {
        const int now = sample[i], last = sample[i ? i - 1 : 0], step = size_of(now - last);
        deviation += size_of(now - middle);
        difference += step;
        crossings += (now > middle) != (last > middle);
        if (step > jump) jump = step;
        if (now < low) low = now;
        if (now > high) high = now;
    }
    raw[0] = (int16_t)(deviation / 8); /* SAMPLES times the mean: in eighths of it, to lose less */
    raw[1] = (int16_t)(difference / 8);
    raw[2] = (int16_t)crossings;
    raw[3] = (int16_t)jump;
    raw[4] = (int16_t)(high - low);
}

/* The class of a window, or UNKNOWN. */
static int answer(const int16_t *sample)
{
    int16_t row[N];
    int64_t whole[SCORES];
    int i;
    features(sample);
    pcn_icolumns_scale(column, N, raw, row);
    pcn_ilinear_scores(&model, pcn_idense(row, N), whole);
    for (i = 0; i < SCORES; i++)
        score[i] = (float)(int32_t)(whole[i] / 65536) * (65536 * one); /* int64 to float links doubles */
    guess = pcn_probabilities(&sure, score, K, p);
    return 1 - p[guess] > COST ? UNKNOWN : guess;
}

/* From floats to what answers. An interrupt that answers needs two of each, as device.c has them. */
static int deploy(void)
{
    pcn_linear last;
    int result = pcn_perceptron_final(&trainer, &last, mean, sizeof mean);
    if (result >= 0) result = pcn_scaler_integers(&scaler, column);
    if (result >= 0) result = pcn_ilinear_quantize(&model, &last, BITS, PCN_SCALER_UNIT, &one, packed, sizeof packed);
    return result;
}

/* The true class of the window that was answered last. */
static int learn(int y)
{
    float x[N];
    int i, result;
    for (i = 0; i < N; i++) x[i] = raw[i];
    result = pcn_calibrate(&sure, score, K, p, y); /* before the model learns the row */
    if (result >= 0) result = pcn_scaler_note(&scaler, x);
    if (result < 0) return result;
    pcn_scaler_scale(&scaler, x, x);
    result = pcn_perceptron_learn(&trainer, pcn_dense(x, N), y);
    return result < 0 ? result : deploy();
}

static int start(void)
{
    int result = pcn_perceptron_init(&trainer, N, K, memory, sizeof memory);
    if (result >= 0) result = pcn_perceptron_use_averaging(&trainer, sums, sizeof sums);
    if (result >= 0) result = pcn_perceptron_use_following(&trainer);
    if (result >= 0) result = pcn_scaler_init(&scaler, N, moment, sizeof moment);
    pcn_calibration_init(&sure);
    return result < 0 ? result : deploy();
}

/* ---- What is measured ---- */

static uint32_t state = 1;
static int gain = 1000; /* thousandths */

static int from_to(int low, int high)
{
    state = state * 1664525u + 1013904223u;
    return low + (int)((state >> 16) % (uint32_t)(high - low + 1));
}

/* 1000 sin(2 pi phase / 65536) by parabolas. */
static int sine(int phase)
{
    int x = (phase & 0xffff) - 32768;
    return -(x * (32768 - (x < 0 ? -x : x)) / 32768) * 1000 / 8192;
}

static void measure(int what, int16_t *sample)
{
    const int turn = from_to(2600, 3900), offset = from_to(1950, 2150); /* 40 to 60 turns a second */
    const int swing = what == OFF ? 0 : what == UNBALANCED ? from_to(350, 1100) : from_to(150, 450);
    const int knock = what == RUBBING ? from_to(250, 900) : 0, whine = what == BEARING ? from_to(150, 500) : 0;
    const int noise = what == OFF ? 25 : 60;
    int phase = from_to(0, 65535), ring = 0, i;
    for (i = 0; i < SAMPLES; i++) {
        int v = swing * sine(phase) / 1000 + from_to(-noise, noise);
        ring = (phase & 0xffff) < turn ? knock : ring * -3 / 4;
        v += ring + whine * sine(7 * phase) / 1000 * (1000 + sine(phase / 3)) / 2000;
        v = offset + v * gain / 1000;
        sample[i] = (int16_t)(v < 0 ? 0 : v > 4095 ? 4095 : v);
        phase += turn;
    }
}

/* ---- The story ---- */

static uint32_t tenths(uint32_t part, uint32_t whole)
{
    return whole ? (1000 * part + whole / 2) / whole : 0;
}

/* Answers a stretch of windows of all kinds, or of all but one; 1 in `told` gets its label, but for that kind. A line of
 * the table, unless label is NULL. */
static int stretch(const char *label, int left_out, int with_it, uint32_t windows, int told)
{
    uint32_t known = 0, wrong = 0, answers = 0, wrong_answers = 0, others = 0, other_answers = 0;
    int16_t sample[SAMPLES];
    int result = 0;
    while (windows-- && result >= 0) {
        int kind = from_to(0, KINDS - 1), y, said;
        while (!with_it && kind == left_out) kind = from_to(0, KINDS - 1);
        measure(kind, sample);
        said = answer(sample);
        if (kind == left_out) {
            others++;
            other_answers += said != UNKNOWN;
            continue;
        }
        y = kind - (kind > left_out);
        known++;
        wrong += guess != y;
        answers += said != UNKNOWN;
        wrong_answers += said != UNKNOWN && said != y;
        if (from_to(1, told) == 1) result = learn(y);
    }
    if (label) {
        print("%s      %4t %%         %4t %%    %4t %%", label, tenths(wrong, known), tenths(answers, known),
              tenths(wrong_answers, answers));
        if (others) print("     %4t %%", tenths(other_answers, others));
        print("\n");
    }
    return result;
}

int demo(void)
{
    static const char *const name[KINDS] = {"off       ", "running   ", "unbalanced", "rubbing   ", "bearing   "};
    int kind, result = 0;
    print("            if it must answer   if it may say ?    left out:\n");
    print("left out          wrong         answered   wrong   answered\n");
    for (kind = 0; kind < KINDS && result >= 0; kind++) {
        result = start();
        if (result >= 0) result = stretch(NULL, kind, 0, 500, 1);
        if (result >= 0) result = stretch(name[kind], kind, 1, 2000, 4);
    }
    gain = 600;
    print("the gain falls\n");
    for (kind = 0; kind < 4 && result >= 0; kind++) result = stretch("          ", BEARING, 0, 1000, 4);
    if (result < 0) print("%s\n", pcn_error_text(result));
    return result < 0 ? BOARD_FAILED : BOARD_OK;
}
