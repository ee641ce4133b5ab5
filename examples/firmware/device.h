/* The device: classifies windows, and learns from every label that comes. No input, no output, no memory but this
 * struct. */
#ifndef DEVICE_H
#define DEVICE_H

#include "activity.h"
#include "state.h"

enum { DEVICE_FEATURES = ACTIVITY_COUNT, DEVICE_CLASSES = ACTIVITIES };

typedef struct device {
    pcn_linear model[2];    /* of raw rows: one classifies, the other is the next */
    volatile uint8_t now;   /* which of them classifies */
    uint8_t news;           /* has something been learned since the state was last loaded or saved? */
    pcn_perceptron trainer; /* of scaled rows: averages and follows */
    pcn_scaler scaler;
    state_store store;
    float weight[PCN_PERCEPTRON_FLOATS(DEVICE_FEATURES, DEVICE_CLASSES)];
    float sum[PCN_AVERAGING_FLOATS(DEVICE_FEATURES, DEVICE_CLASSES)];
    float moment[PCN_SCALER_FLOATS(DEVICE_FEATURES)];
    float raw[2][PCN_LINEAR_FLOATS(DEVICE_FEATURES, DEVICE_CLASSES)];
} device;

/* After every reset. factory: the images that a state has (state.h), as they left the factory. Goes on from the newest
 * good state in flash, or else from the factory's. Below 0: that is refused, too, and there is nothing to run. */
int device_start(device *d, const void *factory, size_t size);

/* The class of a window. An interrupt may ask, at any time after device_start. */
int device_classify(const device *d, const float feature[DEVICE_FEATURES]);

/* The user says what the window was: it is learned. NaN is a gap. Below 0: a label or number that cannot be, nothing
 * has changed. */
int device_label(device *d, const float feature[DEVICE_FEATURES], int label);

/* Saves if there is something new. 1: saved, 0: nothing new, below 0: see state_save. */
int device_save(device *d);

#endif
