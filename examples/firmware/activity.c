#include "activity.h"

#include <stddef.h>

const char *const activity_name[ACTIVITIES] = {"cycling", "resting", "running", "walking"};

typedef struct motion {
    int stride, spread;         /* strides a minute: the least, and how many more there may be */
    int swing[ACTIVITY_AXES];   /* amplitude in milli-g: forward and up twice a stride, left once */
    int posture[ACTIVITY_AXES]; /* mean in milli-g */
    int noise;
} motion;

static const motion motions[ACTIVITIES] = {
    {60, 35, {110, 150, 80}, {300, 0, 900}, 150},
    {0, 1, {0, 0, 0}, {0, 0, 1000}, 25},
    {75, 20, {380, 240, 850}, {100, 0, 1000}, 90},
    {48, 20, {200, 130, 330}, {0, 0, 1000}, 50},
};

/* A bijective mixer of 32 bits (Wellons' lowbias32), and the generator that counts through it. */
static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* From -range to range. */
static int around(uint32_t *state, int range)
{
    return (int)(mix(++*state) % (2 * (uint32_t)range + 1)) - range;
}

/* 1000 sin(2 pi phase / 65536) by parabolas. */
static int sine(uint32_t phase)
{
    int x = (int)(phase & 0xffffu) - 32768;
    return -(x * (32768 - (x < 0 ? -x : x)) / 32768) * 1000 / 8192;
}

enum activity activity_make(uint32_t number, activity_window *w)
{
    uint32_t state = mix(number) << 10, phase, step;
    enum activity what = (enum activity)(mix(~(number / 8)) % ACTIVITIES);
    const motion *m = &motions[what];
    int vigour = 1000 + around(&state, 950), mean[ACTIVITY_AXES], i, axis;
    phase = mix(++state);
    step = (uint32_t)(m->stride + (int)(mix(++state) % (uint32_t)m->spread)) * 65536u / (60 * 50);
    for (axis = 0; axis < ACTIVITY_AXES; axis++) mean[axis] = m->posture[axis] + around(&state, 200);
    for (i = 0; i < ACTIVITY_SAMPLES; i++, phase += step)
        for (axis = 0; axis < ACTIVITY_AXES; axis++) {
            int wave = sine(axis == 1 ? phase : 2 * phase + 0x2000u * (uint32_t)axis);
            int swing = m->swing[axis] * vigour / 1000 * wave / 1000;
            w->sample[i][axis] = (int16_t)(mean[axis] + swing + around(&state, m->noise));
        }
    return what;
}

int activity_is_told(uint32_t number)
{
    return mix(number ^ 0x5bd1e995u) % 4 == 0;
}

void activity_turn(activity_window *w)
{
    int i;
    for (i = 0; i < ACTIVITY_SAMPLES; i++) {
        int forward = w->sample[i][0], left = w->sample[i][1], up = w->sample[i][2];
        w->sample[i][0] = (int16_t)(up * 3 / 4);
        w->sample[i][1] = (int16_t)(forward * -3 / 4);
        w->sample[i][2] = (int16_t)(left * 3 / 4);
    }
}

static int size_of(int x)
{
    return x < 0 ? -x : x;
}

/* The features of one axis, in milli-g and crossings. */
static void features_of(const int16_t *sample, int feature[ACTIVITY_PER_AXIS])
{
    int mean = 0, deviation = 0, difference = 0, crossings = 0, i;
    for (i = 0; i < ACTIVITY_SAMPLES; i++) mean += sample[i * ACTIVITY_AXES];
    mean /= ACTIVITY_SAMPLES;
    for (i = 0; i < ACTIVITY_SAMPLES; i++) {
        int now = sample[i * ACTIVITY_AXES];
        deviation += size_of(now - mean);
        if (i == 0) continue;
        difference += size_of(now - sample[(i - 1) * ACTIVITY_AXES]);
        crossings += (now > mean) != (sample[(i - 1) * ACTIVITY_AXES] > mean);
    }
    feature[0] = mean;
    feature[1] = deviation / ACTIVITY_SAMPLES;
    feature[2] = difference / (ACTIVITY_SAMPLES - 1);
    feature[3] = crossings;
}

void activity_features(const activity_window *w, float feature[ACTIVITY_COUNT])
{
    static const float scale[ACTIVITY_PER_AXIS] = {1 / 1024.0f, 1 / 512.0f, 1 / 256.0f, 1 / 32.0f};
    int number[ACTIVITY_PER_AXIS], axis, i;
    for (axis = 0; axis < ACTIVITY_AXES; axis++) {
        features_of(&w->sample[0][axis], number);
        for (i = 0; i < ACTIVITY_PER_AXIS; i++)
            *feature++ = (float)number[i] * scale[i]; /* exact: the scales are powers of 2 */
    }
}
