/* The device: classifies windows, watches its own errors, learns when they become too many. No input,
 * no output, no memory but this struct. */
#ifndef DEVICE_H
#define DEVICE_H

#include "activity.h"
#include "state.h"

enum { DEVICE_FEATURES = ACTIVITY_COUNT, DEVICE_CLASSES = ACTIVITIES };

typedef struct device {
    pcn_linear factory;             /* points into the image in flash */
    pcn_linear model[2];            /* the means: one classifies, the other is the next */
    const pcn_linear *volatile now; /* what classifies: the factory's or, when learning, a mean */
    pcn_perceptron trainer;         /* starts from the factory's weights */
    state_store store;
    uint32_t error_rate; /* moving mean over the labels that have come, in units of 2^-16 */
    uint32_t unsaved;    /* changes since the state was last loaded or saved */
    int learning;
    float weight[PCN_PERCEPTRON_FLOATS(DEVICE_FEATURES, DEVICE_CLASSES)];
    float sum[PCN_AVERAGING_FLOATS(DEVICE_FEATURES, DEVICE_CLASSES)];
    float mean[2][PCN_LINEAR_FLOATS(DEVICE_FEATURES, DEVICE_CLASSES)];
} device;

/* After every reset. image: the factory model, which stays where it is. Goes on from the newest good
 * state in flash, or else with the factory model. Below 0: the factory model is refused, and then there
 * is nothing to run. */
int device_start(device *d, const void *image, size_t size);

/* The class of a window. An interrupt may ask, at any time after device_start. */
int device_classify(const device *d, const float feature[DEVICE_FEATURES]);

/* The user says what the window was. 1: the errors have become too many, learning starts (again);
 * 0: fine; below 0: a label or number that cannot be, nothing has changed. */
int device_label(device *d, const float feature[DEVICE_FEATURES], int label);

/* Saves if there is something new. 1: saved, 0: nothing new, below 0: see state_save. */
int device_save(device *d);

#endif
