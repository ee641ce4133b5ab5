#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_IMPLEMENTATION
#include "device.h"

/* Drift: more than a quarter wrong in the moving mean over about 32 labels. */
enum { RATE_ONE = 65536, RATE_LIMIT = RATE_ONE / 4, RATE_LABELS = 32 };

/* A page has room for every state: otherwise this does not compile. */
typedef char state_fits_a_page
    [STATE_ROOM >= PCN_LINEAR_IMAGE(DEVICE_FEATURES, DEVICE_CLASSES, PCN_PART_BIAS | PCN_PART_SUMS) ? 1 : -1];

static pcn_vec vector(const float *feature)
{
    return pcn_dense(feature, DEVICE_FEATURES);
}

/* The mean of the weights since learning started is steadier than the last ones. Interrupts see it when it is
 * complete: `volatile` orders only volatile accesses, so without the barrier a compiler may change over too early. */
static int use_mean(device *d)
{
    int spare = d->now == d->model;
    int result = pcn_perceptron_final(&d->trainer, &d->model[spare], d->mean[spare], sizeof d->mean[spare]);
    if (result < 0) return result;
    __asm__ volatile("" : : : "memory");
    d->now = &d->model[spare];
    d->learning = 1;
    return PCN_OK;
}

int device_start(device *d, const void *image, size_t size)
{
    pcn_perceptron *m = &d->trainer;
    int result = pcn_linear_open(&d->factory, image, size);
    if (result == PCN_OK) result = pcn_perceptron_init(m, DEVICE_FEATURES, DEVICE_CLASSES, d->weight, sizeof d->weight);
    if (result == PCN_OK) result = pcn_perceptron_use_averaging(m, d->sum, sizeof d->sum);
    if (result == PCN_OK) result = pcn_perceptron_load(m, image, size); /* shape, too */
    if (result < 0) return result;
    d->now = &d->factory;
    d->learning = 0;
    d->error_rate = 0;
    d->unsaved = 0;
    state_load(&d->store, m, &d->error_rate);
    return d->store.page >= 0 ? use_mean(d) : PCN_OK;
}

int device_classify(const device *d, const float feature[DEVICE_FEATURES])
{
    return pcn_linear_predict(d->now, vector(feature));
}

/* error_rate += (1 or 0 - error_rate) / RATE_LABELS. 1 if it has become too high: it starts again. */
static int has_drifted(device *d, int wrong)
{
    d->error_rate -= d->error_rate / RATE_LABELS;
    if (wrong) d->error_rate += RATE_ONE / RATE_LABELS;
    if (d->error_rate <= RATE_LIMIT) return 0;
    d->error_rate = 0;
    return 1;
}

int device_label(device *d, const float feature[DEVICE_FEATURES], int label)
{
    int wrong = device_classify(d, feature) != label, drifted, learned = 0, result = PCN_OK;
    if (label < 0 || label >= DEVICE_CLASSES) return PCN_ELABEL;
    if (d->learning) learned = pcn_perceptron_learn(&d->trainer, vector(feature), label);
    if (learned < 0) return learned;
    drifted = has_drifted(d, wrong);
    d->unsaved += (uint32_t)(learned + drifted);
    if (drifted) result = pcn_perceptron_use_averaging(&d->trainer, d->sum, sizeof d->sum); /* the mean starts anew */
    if (result == PCN_OK && (drifted || d->learning)) result = use_mean(d);
    return result < 0 ? result : drifted;
}

int device_save(device *d)
{
    int result;
    if (d->unsaved == 0) return 0;
    result = state_save(&d->store, &d->trainer, d->error_rate);
    if (result < 0) return result;
    d->unsaved = 0;
    return 1;
}
