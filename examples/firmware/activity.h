/* Windows of a wrist's acceleration during four activities, made by integer arithmetic alone: the same
 * numbers on a PC and on the device. On a real device the samples come from the sensor; the features
 * stay. */
#ifndef ACTIVITY_H
#define ACTIVITY_H

#include <stdint.h>

enum { ACTIVITY_AXES = 3, ACTIVITY_SAMPLES = 64 }; /* 64 samples at 50 Hz: 1.28 s */
enum { ACTIVITY_PER_AXIS = 4, ACTIVITY_COUNT = ACTIVITY_PER_AXIS * ACTIVITY_AXES };

/* In the order of their names, as the program `perceptron` numbers classes. */
enum activity { CYCLING, RESTING, RUNNING, WALKING, ACTIVITIES };
extern const char *const activity_name[ACTIVITIES];

typedef struct activity_window {
    int16_t sample[ACTIVITY_SAMPLES][ACTIVITY_AXES]; /* milli-g: forward, left, up */
} activity_window;

/* Fills the window with this number of the endless stream; returns what is being done. */
enum activity activity_make(uint32_t number, activity_window *w);

/* Does the user say what he was doing in this window? In one of four. */
int activity_is_told(uint32_t number);

/* The device is mounted anew: its axes point elsewhere and its strap, looser, damps by a quarter. */
void activity_turn(activity_window *w);

/* Of each axis: mean, mean absolute deviation from it, mean absolute difference of neighbours, and how
 * often the mean is crossed; all between -2 and 2, but for shocks. */
void activity_features(const activity_window *w, float feature[ACTIVITY_COUNT]);

#endif
