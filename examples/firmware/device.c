#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_IMPLEMENTATION
#include "device.h"

/* A page has room for every state: otherwise this does not compile. */
enum { N = DEVICE_FEATURES, K = DEVICE_CLASSES };
typedef char state_fits_a_page[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS) + PCN_SCALER_IMAGE(N) <= STATE_ROOM ? 1 : -1];

/* Makes the next model, of raw rows: one product classifies a window, and an interrupt needs no scaler. It sees the
 * model when it is complete: `volatile` orders only volatile accesses, so without the barrier a compiler may change
 * over too early. */
static int change_over(device *d)
{
    const uint8_t spare = !d->now;
    pcn_linear *next = &d->model[spare];
    float *out = d->raw[spare];
    int result = pcn_perceptron_final(&d->trainer, next, out, sizeof d->raw[spare]);
    if (result == PCN_OK) result = pcn_scaler_fold(&d->scaler, next, next, out, sizeof d->raw[spare]);
    if (result < 0) return result;
    __asm__ volatile("" : : : "memory");
    d->now = spare;
    return PCN_OK;
}

static int load(void *owner, const void *images, size_t size)
{
    device *d = (device *)owner;
    const int result = pcn_perceptron_load(&d->trainer, images, size);
    const size_t first = (size_t)pcn_image_size(images, size);
    return result < 0 ? result : pcn_scaler_load(&d->scaler, (const unsigned char *)images + first, size - first);
}

/* The image of the trainer, and of its scaler behind it. */
static size_t save_part(const void *owner, size_t from, void *out, size_t size)
{
    const device *d = (const device *)owner;
    const size_t first = pcn_perceptron_save_part(&d->trainer, from, out, size);
    const size_t before = from < first ? first - from : 0, left = before < size ? size - before : 0;
    size_t second = PCN_SCALER_IMAGE(N);
    if (left != 0 || size == 0)
        second = pcn_scaler_save_part(&d->scaler, from < first ? 0 : from - first,
                                      left != 0 ? (unsigned char *)out + before : NULL, left);
    return first != 0 && second != 0 ? first + second : 0;
}

int device_start(device *d, const void *factory, size_t size)
{
    pcn_perceptron *m = &d->trainer;
    int result = pcn_perceptron_init(m, N, K, d->weight, sizeof d->weight);
    if (result == PCN_OK) result = pcn_perceptron_use_averaging(m, d->sum, sizeof d->sum);
    if (result == PCN_OK) result = pcn_perceptron_use_following(m);
    if (result == PCN_OK) result = pcn_scaler_init(&d->scaler, N, d->moment, sizeof d->moment);
    if (result == PCN_OK) result = state_load(&d->store, d, load, factory, size);
    d->news = 0;
    return result < 0 ? result : change_over(d);
}

int device_classify(const device *d, const float feature[N])
{
    return pcn_linear_predict(&d->model[d->now], pcn_dense(feature, N));
}

int device_label(device *d, const float feature[N], int label)
{
    float row[N];
    int result;
    if (label < 0 || label >= K) return PCN_ELABEL;
    result = pcn_scaler_note(&d->scaler, feature);
    if (result < 0) return result;
    pcn_scaler_scale(&d->scaler, feature, row);
    result = pcn_perceptron_learn(&d->trainer, pcn_dense(row, N), label);
    d->news = 1;
    return result < 0 ? result : change_over(d);
}

int device_save(device *d)
{
    int result;
    if (!d->news) return 0;
    result = state_save(&d->store, d, save_part);
    if (result < 0) return result;
    d->news = 0;
    return 1;
}
