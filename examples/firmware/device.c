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
 * complete: `volatile` orders only volatile accesses, so without the barrier compilers change over too early. */
static void use_mean(device *d)
{
    int spare = d->now == d->model;
    d->model[spare] = pcn_perceptron_mean(&d->trainer, d->mean[spare]);
    __asm__ volatile("" : : : "memory");
    d->now = &d->model[spare];
    d->learning = 1;
}

int device_start(device *d, const void *image, size_t size)
{
    int result = pcn_linear_open(&d->factory, image, size);
    pcn_perceptron_init(&d->trainer, DEVICE_FEATURES, DEVICE_CLASSES, d->weight, PCN_LENGTH(d->weight));
    pcn_perceptron_use_averaging(&d->trainer, d->sum, PCN_LENGTH(d->sum));
    if (result == PCN_OK) result = pcn_perceptron_load(&d->trainer, image, size); /* shape, too */
    if (result < 0) return result;
    d->now = &d->factory;
    d->learning = 0;
    d->error_rate = 0;
    d->unsaved = 0;
    state_load(&d->store, &d->trainer, &d->error_rate);
    if (d->store.page >= 0) use_mean(d);
    return PCN_OK;
}

int device_classify(const device *d, const float feature[DEVICE_FEATURES])
{
    return pcn_linear_predict_class(d->now, vector(feature));
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
    int wrong = device_classify(d, feature) != label, drifted, learned = 0;
    if (label < 0 || label >= DEVICE_CLASSES) return PCN_ELABEL;
    if (d->learning) learned = pcn_perceptron_learn_class(&d->trainer, vector(feature), label);
    if (learned < 0) return learned;
    drifted = has_drifted(d, wrong);
    d->unsaved += (uint32_t)(learned + drifted);
    if (drifted) pcn_perceptron_use_averaging(&d->trainer, d->sum, PCN_LENGTH(d->sum)); /* the mean starts anew */
    if (drifted || d->learning) use_mean(d);
    return drifted;
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
