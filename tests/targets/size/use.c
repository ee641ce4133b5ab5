/* One small user of the library for each line of the size table, chosen by -DUSE=number. What comes from
 * outside is volatile, so that nothing can be computed beforehand. 0: the empty program. */
#define PERCEPTRON_NO_LIBC
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#if USE == 33
#define PERCEPTRON_BIAS_STEP 100
#endif
#include "perceptron.h"
#if USE >= 40
#include "examples/firmware/parts.h"
#endif

#if USE == 0
int main(void)
{
    return 0;
}
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

/* What a program does once, and what it does for each example: 1 .. 4, 20 .. 22 predict; 5 .. 8, 10 .. 17, 30 .. 33
 * learn and predict; 9 and 23 scale; 40 .. 44 are the parts of examples/firmware/parts.h. The compiler must not merge the two, or it would know in one what the other has
 * set. */
#define PART __attribute__((noinline, noclone)) static
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#if USE == 1 || USE == 2 || USE == 20 || USE == 21 || USE == 22
static void start(void) {}
#elif USE == 9                                                                 /* the scaler */
static float memory[PCN_SCALER_FLOATS(N)], row[N];
static pcn_scaler s;
PART void start(void)
{
    out = pcn_scaler_init(&s, N, memory, sizeof memory);
}
#elif USE == 23                                                                /* rows of int16, columns in flash */
static int16_t row[N];
static void start(void) {}
#elif USE == 3                                                                 /* an image in flash */
static pcn_linear m;
PART void start(void)
{
    out = pcn_linear_open(&m, in.model, in.size);
}
#elif USE == 4                                                                 /* kernel, an image in flash */
static float work[PCN_KMODEL_WORK(K, SLOTS, 1)];
static pcn_kmodel m;
PART void start(void)
{
    out = pcn_kmodel_open(&m, pcn_kernel_rbf(1), in.model, in.size);
}
#elif USE == 5 || USE == 6 || USE == 10 || USE == 11 || USE == 14 || USE == 17 /* binary */
static float memory[PCN_PERCEPTRON_FLOATS(N, 2)];
static pcn_perceptron m;
#if USE < 10                                                                   /* with probabilities */
float p[2];
#endif
#if USE == 6 /* calibrating */
static pcn_calibration c;
#endif
#if USE == 14 || USE == 17 /* balanced Winnow, AROW */
static float state[PCN_LINEAR_FLOATS(N, 2)];
#endif
PART void start(void)
{
    out = pcn_perceptron_init(&m, N, 2, memory, sizeof memory);
#if USE == 11 /* passive-aggressive */
    m.learner.rule = pcn_rule_pa(1);
#elif USE == 14
    out = pcn_perceptron_use_winnow(&m, 0, 1, state, sizeof state);
#elif USE == 17
    out = pcn_perceptron_use_confidence(&m, 1, state, sizeof state);
#endif
}
#elif USE == 7 || USE == 8 || USE == 12 || USE == 13 || USE == 15 /* multiclass */
static float memory[PCN_PERCEPTRON_FLOATS(N, K)];
static pcn_perceptron m;
#if USE < 10                                                      /* with probabilities */
float p[K];
#endif
#if USE == 8 /* calibrating */
static pcn_calibration c;
#endif
#if USE == 13   /* averaged */
static float sum[PCN_AVERAGING_FLOATS(N, K)];
#elif USE == 15 /* loaded and saved */
static uint8_t page[256];
#endif
PART void start(void)
{
    out = pcn_perceptron_init(&m, N, K, memory, sizeof memory);
#if USE == 13
    out = pcn_perceptron_use_averaging(&m, sum, sizeof sum);
#elif USE == 15
    out = pcn_perceptron_load(&m, in.model, in.size);
#endif
}
#elif USE == 16              /* kernel within a budget */
static float memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)], work[PCN_KMODEL_WORK(K, SLOTS, 1)];
static pcn_slot slot[SLOTS];
static pcn_kperceptron m;
PART void start(void)
{
    out = pcn_kperceptron_init(&m, pcn_kernel_rbf(1), N, K, slot, SLOTS, memory, sizeof memory);
    m.admit = pcn_admit_oldest;
}
#elif USE == 30 || USE == 33 /* integers, binary; by a fixed step of the bias */
static int32_t memory[PCN_IPERCEPTRON_NUMBERS(N, 2)];
static pcn_iperceptron m;
PART void start(void)
{
    out = pcn_iperceptron_init(&m, N, 2, memory, sizeof memory);
}
#elif USE == 31 || USE == 32 /* integers, multiclass */
static int32_t memory[PCN_IPERCEPTRON_NUMBERS(N, K)];
static pcn_iperceptron m;
#if USE == 32                /* averaged */
static int64_t sum[PCN_IPERCEPTRON_NUMBERS(N, K)];
#endif
PART void start(void)
{
    out = pcn_iperceptron_init(&m, N, K, memory, sizeof memory);
#if USE == 32
    out = pcn_iperceptron_use_averaging(&m, sum, sizeof sum);
#endif
}
#elif USE >= 40 && USE <= 44 /* parts, and what each keeps */
#if USE == 40
static int16_t feature[WINDOW_FEATURES];
#elif USE == 41
static debounce shown;
#elif USE == 42
static uint32_t share;
#elif USE == 43
static float most;
#elif USE == 44
static uint32_t seal;
#endif
PART void start(void)
{
#if USE == 41
    shown.shown = -1;
    shown.next = -1;
#endif
}
#else
#error "no such USE"
#endif

static void use(vector x)
{
#if USE == 1
    union {
        float number;
        int32_t bits; /* the least code: a score of 0 has no sign, as sums start at 0 */
    } score;
    score.number = pcn_linear_score((const pcn_linear *)in.model, x);
    out = score.bits >= 0;
#elif USE == 2
    out = pcn_linear_predict((const pcn_linear *)in.model, x);
#elif USE == 3
    out = pcn_linear_predict(&m, x);
#elif USE == 4
    int cls = 0;
    pcn_kmodel_predict(&m, PCN_DECIDE_LAST, &x, 1, &cls, work, sizeof work);
    out = cls;
#elif USE == 5 || USE == 7 /* of the score before the update */
    pcn_perceptron_learn(&m, x, in.label);
    out = pcn_probabilities((const pcn_calibration *)in.model, m.learner.score, LENGTH(p), p);
#elif USE == 6 || USE == 8
    pcn_perceptron_learn(&m, x, in.label);
    out = pcn_probabilities(&c, m.learner.score, LENGTH(p), p);
    pcn_calibrate(&c, m.learner.score, LENGTH(p), p, in.label);
#elif USE == 9
    out = pcn_scaler_note(&s, x.value);
    pcn_scaler_scale(&s, x.value, row);
    out = row[0] > 0;
#elif USE == 23
    pcn_icolumns_scale((const pcn_icolumn *)in.model, N, x.value, row);
    out = row[0];
#elif (USE >= 10 && USE <= 14) || USE == 17
    pcn_perceptron_learn(&m, x, in.label);
    out = pcn_perceptron_predict(&m, x);
#elif USE == 15
    pcn_perceptron_learn(&m, x, in.label);
    out = pcn_perceptron_predict(&m, x);
    out = (int)pcn_perceptron_save_part(&m, in.size, page, sizeof page);
#elif USE == 16
    pcn_kperceptron_learn(&m, x, in.label);
    int cls = 0;
    pcn_kmodel_predict(&m.model, PCN_DECIDE_LAST, &x, 1, &cls, work, sizeof work);
    out = cls;
#elif USE == 20 /* integers: 32 bits a weight */
    out = pcn_ilinear_score((const pcn_ilinear *)in.model, x) >= 0;
#elif USE == 21 || USE == 22
    out = pcn_ilinear_predict((const pcn_ilinear *)in.model, x);
#elif USE == 30 || USE == 31 || USE == 33
    pcn_iperceptron_learn(&m, x, in.label);
    out = pcn_iperceptron_predict(&m, x);
#elif USE == 32
    pcn_iperceptron_learn(&m, x, in.label);
    out = pcn_iperceptron_predict(&m, x);
#elif USE == 40
    window_features(x.value, 64, 3, feature); /* of an accelerometer */
    out = feature[0];
#elif USE == 41
    out = debounced(&shown, in.label, 2);
#elif USE == 42
    out = alarm_rings(&share, in.label, 8, 6000);
#elif USE == 43
    out = is_far((const float *)in.model, x.count, &most, in.label);
#elif USE == 44
    if (in.label) ram_seal(&seal, in.model, in.size);
    out = ram_is_sealed(seal, in.model, in.size);
#endif
}

int main(void)
{
    start();
    for (;;) use(VECTOR(in.index, in.value, in.count));
}

#endif
