/* On the PC: learns from labelled windows and writes what leaves the factory as a C header: the images of the trainer
 * and, behind it, of its scaler, and that of the model that they make. */
#define PERCEPTRON_IMPLEMENTATION
#include "../must.h"
#include "activity.h"

enum { N = ACTIVITY_COUNT, K = ACTIVITIES };
enum { FIRST = 1000000, ROWS = 2000, EPOCHS = 10 }; /* the windows */

static int make(uint32_t number, float feature[N])
{
    static activity_window window;
    const int what = (int)activity_make(number, &window);
    activity_features(&window, feature);
    return what;
}

static void put(const char *name, const unsigned char *byte, size_t size)
{
    size_t i;
    printf("static const union { unsigned char byte[%lu]; float align; } %s = {{", (unsigned long)size, name);
    for (i = 0; i < size; i++) printf("%s%u,", i % 32 ? "" : "\n", byte[i]);
    printf("\n}};\n");
}

/* The length of an image, which must have fitted. */
static size_t saved(size_t length)
{
    must(length == 0 ? PCN_EMEMORY : PCN_OK);
    return length;
}

int main(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(N, K)], sum[PCN_AVERAGING_FLOATS(N, K)], moment[PCN_SCALER_FLOATS(N)];
    static float raw[PCN_LINEAR_FLOATS(N, K)];
    static unsigned char image[PCN_PERCEPTRON_IMAGE(N, K, PCN_PART_SUMS) + PCN_SCALER_IMAGE(N)];
    uint32_t i;
    pcn_perceptron m;
    pcn_scaler scaler;
    pcn_linear model;
    pcn_pass pass;
    float x[N];
    size_t size;
    must(pcn_perceptron_init(&m, N, K, memory, sizeof memory));
    must(pcn_perceptron_use_averaging(&m, sum, sizeof sum));
    must(pcn_scaler_init(&scaler, N, moment, sizeof moment));
    for (i = 0; i < ROWS; i++) {
        make(FIRST + i, x);
        must(pcn_scaler_note(&scaler, x));
    }
    pcn_pass_init(&pass, ROWS, EPOCHS, 1);
    while (pcn_pass_next(&pass, &i)) {
        const int what = make(FIRST + i, x);
        pcn_scaler_scale(&scaler, x, x);
        must(pcn_perceptron_learn(&m, pcn_dense(x, N), what));
    }
    size = saved(pcn_perceptron_save(&m, image, sizeof image));
    put("activity_factory", image, size + saved(pcn_scaler_save(&scaler, image + size, sizeof image - size)));
    must(pcn_perceptron_final(&m, &model, raw, sizeof raw));
    must(pcn_scaler_fold(&scaler, &model, &model, raw, sizeof raw));
    put("activity_model", image, saved(pcn_linear_save(&model, image, sizeof image)));
    return fflush(stdout) != 0 || ferror(stdout);
}
