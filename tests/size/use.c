/* One small user of the library for each line of the size table, chosen by -DUSE=number. What comes from
 * outside is volatile, so that nothing can be computed beforehand. 0: the empty program. */
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

#if USE == 0
int main(void) { return 0; }
#else

enum { N = 16, K = 4, SLOTS = 8 };

#if USE < 20
typedef float number;
typedef pcn_vec vector;
#define VECTOR pcn_sparse
#else
typedef int16_t number;
typedef pcn_ivec vector;
#define VECTOR pcn_isparse
#endif

static volatile struct {
    const number *value;
    const uint32_t *index;
    uint32_t count;
    int label;
    const void *model;
    size_t size;
} in;
static volatile int out;

/* 1 .. 5, 20 .. 22 predict; 10 .. 16, 30 .. 33 learn and predict. */
static void use(vector x)
{
#if USE == 1 /* binary */
    out = pcn_linear_predict((const pcn_linear *)in.model, x);
#elif USE == 2 /* multiclass */
    out = pcn_linear_predict_class((const pcn_linear *)in.model, x);
#elif USE == 3 /* multiclass, an image in flash */
    pcn_linear m;
    if (pcn_linear_open(&m, in.model, in.size) == PCN_OK) out = pcn_linear_predict_class(&m, x);
#elif USE == 4 /* kernel, an image in flash */
    static float score[K], work[PCN_WORK(N, K, SLOTS, 1)];
    pcn_support m;
    if (pcn_support_open(&m, pcn_kernel_rbf(1), in.model, in.size) != PCN_OK) return;
    pcn_support_scores(&m, PCN_LAST, &x, 1, score, work);
    out = pcn_decide(score, K);
#elif USE == 10 /* binary */
    static float memory[PCN_WEIGHTS(N, 1)];
    static pcn_perceptron m;
    pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), N, 1);
    pcn_perceptron_learn(&m, x, in.label);
    out = pcn_linear_predict(&m.model, x);
#elif USE == 11 /* binary, passive-aggressive */
    static float memory[PCN_WEIGHTS(N, 1)];
    static pcn_perceptron m;
    pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), N, 1);
    m.rule = pcn_rule_pa(1);
    pcn_perceptron_learn(&m, x, in.label);
    out = pcn_linear_predict(&m.model, x);
#elif USE == 12 /* multiclass */
    static float memory[PCN_WEIGHTS(N, K)];
    static pcn_perceptron m;
    pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), N, K);
    pcn_perceptron_learn_class(&m, x, in.label);
    out = pcn_linear_predict_class(&m.model, x);
#elif USE == 13 /* multiclass, averaged */
    static float memory[PCN_WEIGHTS(N, K)], sum[PCN_SUMS(N, K)], mean[PCN_BATCH(N, K)];
    static pcn_perceptron m;
    pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), N, K);
    pcn_averaging_init(&m, sum, PCN_LENGTH(sum));
    pcn_perceptron_learn_class(&m, x, in.label);
    {
        pcn_linear average = pcn_averaging_view(&m, mean);
        out = pcn_linear_predict_class(&average, x);
    }
#elif USE == 14 /* balanced Winnow, binary */
    static float memory[PCN_WEIGHTS(N, 1)], exponent[PCN_BATCH(N, 1)];
    static pcn_perceptron m;
    pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), N, 1);
    pcn_winnow_init(&m, exponent, PCN_LENGTH(exponent), 0, 1);
    pcn_perceptron_learn(&m, x, in.label);
    out = pcn_linear_predict(&m.model, x);
#elif USE == 15 /* multiclass, loaded and saved */
    static float memory[PCN_WEIGHTS(N, K)];
    static pcn_perceptron m;
    static uint8_t page[256];
    pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), N, K);
    pcn_perceptron_load(&m, in.model, in.size);
    pcn_perceptron_learn_class(&m, x, in.label);
    out = pcn_linear_predict_class(&m.model, x);
    out = (int)pcn_perceptron_save(&m, in.size, page, sizeof page);
#elif USE == 16 /* kernel within a budget */
    static float memory[PCN_DUAL_FLOATS(N, K, SLOTS)], score[K], work[PCN_WORK(N, K, SLOTS, 1)];
    static pcn_slot slot[SLOTS];
    static pcn_dual m;
    pcn_dual_init(&m, pcn_kernel_rbf(1), N, K, slot, SLOTS, memory, PCN_LENGTH(memory));
    m.admit = pcn_admit_oldest;
    pcn_dual_learn(&m, x, in.label, PCN_NO_ID);
    pcn_support_scores(&m.model, PCN_LAST, &x, 1, score, work);
    out = pcn_decide(score, K);
#elif USE == 20 /* binary */
    out = pcn_ilinear_predict((const pcn_ilinear *)in.model, x);
#elif USE == 21 /* multiclass */
    out = pcn_ilinear_predict_class((const pcn_ilinear *)in.model, x);
#elif USE == 22 /* multiclass, quantised */
    out = pcn_quantized_predict_class((const pcn_quantized *)in.model, x);
#elif USE == 30 /* binary */
    static int32_t memory[PCN_IWEIGHTS(N, 1)];
    static pcn_iperceptron m;
    pcn_iperceptron_init(&m, memory, PCN_LENGTH(memory), N, 1);
    pcn_iperceptron_learn(&m, x, in.label);
    out = pcn_ilinear_predict(&m.model, x);
#elif USE == 31 /* multiclass */
    static int32_t memory[PCN_IWEIGHTS(N, K)];
    static pcn_iperceptron m;
    pcn_iperceptron_init(&m, memory, PCN_LENGTH(memory), N, K);
    pcn_iperceptron_learn_class(&m, x, in.label);
    out = pcn_ilinear_predict_class(&m.model, x);
#elif USE == 32 /* multiclass, averaged */
    static int32_t memory[PCN_IWEIGHTS(N, K)], mean[PCN_IWEIGHTS(N, K)];
    static int64_t sum[PCN_IWEIGHTS(N, K)];
    static pcn_iperceptron m;
    pcn_iperceptron_init(&m, memory, PCN_LENGTH(memory), N, K);
    pcn_iaveraging_init(&m, sum, PCN_LENGTH(sum));
    pcn_iperceptron_learn_class(&m, x, in.label);
    {
        pcn_ilinear average = pcn_iaveraging_view(&m, mean);
        out = pcn_ilinear_predict_class(&average, x);
    }
#elif USE == 33 /* Winnow2, binary */
    static int32_t memory[PCN_IWEIGHTS(N, 1)];
    static pcn_iperceptron m;
    pcn_iperceptron_init(&m, memory, PCN_LENGTH(memory), N, 1);
    pcn_iwinnow_init(&m, N, 0);
    pcn_iperceptron_learn(&m, x, in.label);
    out = pcn_ilinear_predict(&m.model, x);
#else
#error "no such USE"
#endif
}

int main(void)
{
    for (;;) use(VECTOR(in.index, in.value, in.count));
}

#endif
