/* perceptron.h - v0.1.0 - online linear classifiers in one C99 header - MIT or public domain
 *
 * Binary, multiclass, averaged, voted and kernel perceptrons, passive-aggressive learners and Winnow
 * over dense, sparse and 0/1 data. Learns one example at a time in arrays that you provide: no
 * allocation (but for kernel models that grow), no libm, no global state, and the same bits on every
 * processor.
 *
 * SYNOPSIS
 *
 *     #define PERCEPTRON_IMPLEMENTATION // in exactly one C or C++ file
 *     #include "perceptron.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const float x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
 *         static const int y[4] = {0, 1, 1, 1}; // OR
 *         static float memory[PCN_WEIGHTS(2, 1)];
 *         pcn_perceptron m;
 *         pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), 2, 1);
 *         for (int i = 0; i < 24; i++) pcn_perceptron_learn(&m, pcn_dense(x[i % 4], 2), y[i % 4]);
 *         for (int i = 0; i < 4; i++)
 *             printf("%+d\n", pcn_linear_predict(&m.model, pcn_dense(x[i], 2)));
 *     }
 *
 * WHICH ONE DO I WANT?
 *
 *     two classes                        pcn_perceptron_learn        PCN_WEIGHTS(n, 1) floats
 *     K classes                          pcn_perceptron_learn_class  PCN_WEIGHTS(n, K) floats
 *     steadier, nearly always better     + pcn_averaging_init        + PCN_SUMS(n, K) floats
 *     noisy or overlapping classes       + m.rule = pcn_rule_pa(0.1f)
 *     weights that change once a batch   + pcn_batching_init         + PCN_BATCH(n, K) floats
 *     many classes on sparse rows        + pcn_feature_major_init
 *     few of very many features matter   + pcn_winnow_init            + PCN_BATCH(n, K) floats
 *     no plane divides the classes       pcn_dual_learn               PCN_DUAL_FLOATS(n, K, vectors)
 *
 * FIVE RULES THAT HOLD EVERYWHERE
 *
 *  1. A trainer holds its frozen model: `m.model` is always current, const, and all that
 *     inference needs.
 *  2. Settings belong to the program, state belongs to the image: a setting is never saved or loaded.
 *  3. An option that costs code is a function that you name (rule, update, averaging, batching);
 *     unnamed, it is not linked.
 *  4. An option that costs memory takes an array of yours, with its length, and checks it.
 *  5. learn returns 1 (updated), 0 (not updated) or a negative PCN_E... code, and then the model and
 *     its counts have not changed.
 *
 * CONVENTIONS
 *
 *  labels     one class: binary, y > 0 is positive, anything else negative. K >= 2: 0 .. K-1.
 *  score      w.x + b. Binary predicts +1 at a score of 0; among equal classes the lowest wins.
 *  update     by default when y (w.x + b) <= margin; multiclass: score of the true class minus the
 *             best rival's <= margin. See `zero_predicted` and `zero_negative` for the four
 *             conventions of the literature at exactly 0.
 *  counts     updates (the rule fired), mistakes (the class predicted before the update was wrong)
 *             and errors (wrong in a pass without learning) are three different numbers.
 *  memory     vectors are read during the call and never kept. Models point into your arrays and
 *             never free them. Memory of a trainer: see PCN_WEIGHTS, PCN_SUMS, PCN_BATCH.
 *  threads    functions on const models may run at the same time; one thread per trainer.
 *
 * THE SAME BITS EVERYWHERE
 *
 *  Every sum has one order: 32 partial sums from 0, the product of index i is added to partial sum
 *  i mod 32 in rising i, product and sum rounded apart (never fused); then partial sum j += j + h for
 *  h = 16, 8, 4, 2, 1. A partial sum is never -0 and adding +0 changes nothing, so skipped zeros and
 *  empty lanes do not matter: dense, sparse and 0/1 rows of equal value give equal bits, and so do
 *  all instruction sets and compilers. Compiling with -ffast-math is refused; linking with it sets
 *  some processors to flush denormals, which this file cannot stop. NEON of 32-bit ARM flushes them
 *  always and is used only on request.
 *
 * CONFIGURATION (nothing here changes a struct or a constant)
 *
 *  PERCEPTRON_IMPLEMENTATION  in exactly one file
 *  PERCEPTRON_STATIC          with the implementation: private copy of everything for this file
 *  PCN_API                    how public functions are declared, if neither extern nor static suits
 *  PERCEPTRON_NO_HEAP         removes pcn_admit_grow and pcn_dual_free, and with them stb_ds.h and
 *                             realloc
 *  PERCEPTRON_REALLOC, _FREE  with the implementation: (p, size) and (p), both or neither
 *  PERCEPTRON_STB_DS_H        with the implementation: where stb_ds.h is, in quotes or angles
 *  PERCEPTRON_SIMD            with the implementation: 0 portable C, 1 SSE2, 2 AVX2, 3 NEON.
 *                             Default: what the compiler targets (AVX2: -mavx2 or -march=native)
 *
 * LIMITS
 *
 *  Weights are kept below 2^80 in size: an example that would carry one further is refused. NaN and
 *  infinity in an example are refused by learn; predict gives some class. Indices of a sparse row
 *  must ascend strictly: then a row is what you mean; otherwise it is still memory-safe.
 *  The mean of averaging is within 2^-23 of its own size + 2^-34 of the largest weight of the exact
 *  mean of all weights seen, up to 2^36 rows. On integers it is the exact mean, rounded once, up to
 *  2^24 rows and as long as rows times the largest weight stay below 2^46.
 *
 * SOURCES
 *
 *  Su: X. Su, lecture notes "Perceptron Learning". Honavar: V. Honavar, "Perceptron Algorithm", 1996.
 *  CIML: H. Daume III, A Course in Machine Learning, chapter 4. Eaton: E. Eaton, lecture slides.
 *  Crammer: Crammer, Dekel, Keshet, Shalev-Shwartz, Singer, JMLR 7, 2006 (passive-aggressive);
 *  Crammer, Singer, JMLR 3, 2003 (multiclass updates). Gallant, IEEE Trans. Neural Networks 1, 1990.
 *  Novikoff, 1962. Nilsson, Learning Machines, 1965.
 */
#ifndef PERCEPTRON_H_5D1C7A90
#define PERCEPTRON_H_5D1C7A90

#include <stddef.h>
#include <stdint.h>

#define PERCEPTRON_VERSION 0x000100 /* 0xMMmmpp */

#if defined(__GNUC__) || defined(__clang__)
#define PCN_MAYBE_UNUSED __attribute__((unused))
#else
#define PCN_MAYBE_UNUSED
#endif
#define PCN_INLINE PCN_MAYBE_UNUSED static inline

#ifndef PCN_API
#ifdef PERCEPTRON_STATIC
#define PCN_API PCN_MAYBE_UNUSED static
#else
#define PCN_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results --------------------------------------------------------------------------------- */

#define PCN_ERRORS(X)                                                                            \
    X(PCN_EVALUE, -1, "NaN, infinity or overflow in an example")                                 \
    X(PCN_EINDEX, -2, "feature index at or beyond the model's features")                         \
    X(PCN_ELABEL, -3, "label is not a class of the model, or the model is of the other kind")    \
    X(PCN_ESETUP, -4, "arrays missing or too small, or options that contradict each other")      \
    X(PCN_EFULL, -5, "no room for another vector or log entry")                                  \
    X(PCN_ENOMEM, -6, "out of memory")                                                           \
    X(PCN_EIMAGE, -7, "not an image, cut short, or damaged")                                     \
    X(PCN_EVERSION, -8, "image of a newer version")                                              \
    X(PCN_EMATCH, -9, "image of another kind, shape or layout than this model")                  \
    X(PCN_EALIGN, -10, "open needs a 4-byte aligned image and a little-endian machine; use load")

#define PCN_ENUM_(name, value, text) name = value,
enum pcn_result { PCN_ERRORS(PCN_ENUM_) PCN_OK = 0 };
#undef PCN_ENUM_

/* Static English text of a result; "ok" for 0 and above. */
PCN_API const char *pcn_error_text(int result);

#define PCN_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Vectors ---------------------------------------------------------------------------------
 * One example in any of three forms; equal content gives equal bits. Features not given are 0.
 * What takes a vector is inline and hands its address to the function of the same name and _at:
 * compilers copy a struct of this size into a call by wider loads than it was just stored with, and
 * for those a processor waits 5 to 20 ns. */

typedef struct pcn_vec {
    const float *value;    /* NULL: every feature given is 1 */
    const uint32_t *index; /* NULL: features 0 .. count-1; otherwise 0-based, strictly ascending */
    uint32_t count;        /* features given */
} pcn_vec;

PCN_INLINE pcn_vec pcn_sparse(const uint32_t *index, const float *value, uint32_t count)
{
    pcn_vec x;
    x.value = value;
    x.index = index;
    x.count = count;
    return x;
}

PCN_INLINE pcn_vec pcn_dense(const float *value, uint32_t count)
{
    return pcn_sparse(NULL, value, count);
}

PCN_INLINE pcn_vec pcn_ones(const uint32_t *index, uint32_t count)
{
    return pcn_sparse(index, NULL, count);
}

/* ---- Kernels ---------------------------------------------------------------------------------
 * Features at or beyond n are left out. w and the vector may be the same array, not overlap else. */

PCN_API float pcn_dot_at(const float *w, uint32_t n, const pcn_vec *x);
PCN_API void pcn_add_at(float *w, uint32_t n, float scale, const pcn_vec *x);
PCN_API float pcn_norm2_at(const pcn_vec *x);

PCN_INLINE float pcn_dot(const float *w, uint32_t n, pcn_vec x) /* sum of w[j] x[j] */
{
    return pcn_dot_at(w, n, &x);
}

PCN_INLINE void pcn_add(float *w, uint32_t n, float scale, pcn_vec x) /* w[j] += scale x[j] */
{
    pcn_add_at(w, n, scale, &x);
}

PCN_INLINE float pcn_norm2(pcn_vec x) /* sum of x[j]^2 */
{
    return pcn_norm2_at(&x);
}

/* The class of a set of scores. 1 class: +1 if score >= 0, else -1. More: the lowest best class. */
PCN_API int pcn_decide(const float *score, uint32_t classes);

/* ---- Frozen linear models --------------------------------------------------------------------
 * Const and small: 24 bytes beside the weights on a 32-bit machine; both may lie in flash.
 * Class-major (row = features, column = 1) is fast on dense rows, feature-major (row = 1,
 * column = classes) on sparse rows; scores are the same, bit for bit. */

typedef struct pcn_linear {
    const float *weight; /* of class c and feature j: weight[c * row + j * column] */
    const float *bias;   /* one per class, added last to its score; NULL: none */
    uint32_t features, classes;
    uint32_t row, column;
} pcn_linear;

/* Score and class of a binary model (classes == 1): predict is +1 if score >= 0, else -1. */
PCN_API float pcn_linear_score_at(const pcn_linear *m, const pcn_vec *x);

PCN_INLINE float pcn_linear_score(const pcn_linear *m, pcn_vec x)
{
    return pcn_linear_score_at(m, &x);
}

PCN_INLINE int pcn_linear_predict(const pcn_linear *m, pcn_vec x)
{
    return pcn_linear_score_at(m, &x) >= 0 ? 1 : -1;
}

/* All scores -> score[classes], and the class with the highest (equal: the lowest class). */
PCN_API void pcn_linear_scores_at(const pcn_linear *m, const pcn_vec *x, float *score);
PCN_API int pcn_linear_predict_class_at(const pcn_linear *m, const pcn_vec *x);

PCN_INLINE void pcn_linear_scores(const pcn_linear *m, pcn_vec x, float *score)
{
    pcn_linear_scores_at(m, &x, score);
}

PCN_INLINE int pcn_linear_predict_class(const pcn_linear *m, pcn_vec x)
{
    return pcn_linear_predict_class_at(m, &x);
}

/* Copies weights, then biases (0 if none), to out[PCN_BATCH(features, classes)] and returns the model
 * that stands there: a pocket, the best so far, a part of a mix. To mix models that were trained
 * apart, copy the first, scale it and pcn_add the others: the arrays have one length and layout. */
PCN_API pcn_linear pcn_linear_copy(const pcn_linear *m, float *out);

/* The k features with the largest sign * weight in a class (sign +1 or -1) -> feature[k], best first,
 * of equal ones the lowest first. Returns how many: the lesser of k and the features. Time
 * features * k at worst. Weights compare across features only if these have like scales. */
PCN_API uint32_t pcn_linear_top(const pcn_linear *m, uint32_t cls, int sign, uint32_t *feature,
                                uint32_t k);

/* ---- The linear trainer: rules ---------------------------------------------------------------
 * When the rule fires, W += step y X, where X = (x, bias_input), y = +-1. With gap = margin - y s:
 *
 *     fixed          rate                                      Honavar sec. 2, Su Alg. 1, CIML Alg. 5
 *     absolute       floor(gap / X.X) + 1                      Honavar sec. 4, Nilsson 1965
 *     fractional     lambda gap / X.X; rate where gap == 0     Honavar sec. 4; 0 < lambda <= 2
 *     pa, PA-I       min(C, gap / X.X) with margin 1           Crammer 2006; C = FLT_MAX: plain PA
 *     PA-II          gap / (X.X + 1 / (2 C)) with margin 1     Crammer 2006
 *
 * The absolute rule is printed with a ceiling in Honavar, which never leaves W = 0; floor + 1 is the
 * smallest whole number of steps that crosses the plane. Multiclass: y s is the score of the true
 * class minus the best rival's, and X.X counts (a_y - a_r) times when the classes move by a_k X.
 * Any margin >= 0 goes with any rule. X.X = 0: no step, but for the fixed rule. */

typedef struct pcn_rule {
    /* The step, 0 for none; a step of 1 moves y s by slope = (a_y - a_r) X.X. */
    float (*step)(const struct pcn_rule *rule, float gap, float slope);
    float rate;   /* fixed and fractional; may change between any two calls (decay, class weights) */
    float margin; /* >= 0: fires iff y s <= margin */
    float limit;  /* lambda of fractional, C of pa and pa2 */
} pcn_rule;

PCN_API pcn_rule pcn_rule_fixed(float rate); /* the default, with rate 1 and margin 0 */
PCN_API pcn_rule pcn_rule_absolute(void);
PCN_API pcn_rule pcn_rule_fractional(float lambda);
PCN_API pcn_rule pcn_rule_pa(float c);
PCN_API pcn_rule pcn_rule_pa2(float c);

/* ---- The linear trainer ---------------------------------------------------------------------- */

typedef struct pcn_count { /* yours to read and to clear */
    uint64_t rows;         /* examples learned from without an error */
    uint64_t updates;      /* times that the rule fired; one-vs-rest: summed over the classes */
    uint64_t mistakes;     /* predicted class != label, before the update */
} pcn_count;

typedef struct pcn_perceptron {
    pcn_linear model; /* the live weights: predict, save and inspect through this */
    /* settings: yours, between any two calls */
    pcn_rule rule;
    float bias_input; /* constant input B of the bias: 1; 0: the bias is not learned. The model keeps
                         the bias times B, so an update moves it by step B^2 */
    uint32_t (*update)(const struct pcn_perceptron *m, const pcn_vec *x, uint32_t y, float *change);
                      /* multiclass: one of pcn_update_...; NULL: pcn_update_predicted */
    uint8_t zero_negative;  /* class predicted at a score of 0 while learning: 0: +1; 1: -1. The
                               frozen model always says +1: compare its score yourself */
    uint8_t zero_predicted; /* a score of 0, or a tie with a rival, while learning. 0: always updates
                               (Eaton, CIML); 1: updates iff the predicted class is wrong (Su with
                               zero_negative 0, Honavar with zero_negative 1) */
    /* results */
    pcn_count count;
    int guess;    /* what the last learn would have predicted: +1 or -1; multiclass 0 .. classes-1 */
    float *score; /* score[classes] of the last learn, before its update */
    /* memory and state, kept by the functions below; `weight` may be written between calls */
    float *weight; /* classes * features weights, then classes biases */
    float *sum, *batch, *exponent;
    float norm2; /* X.X of the example, computed when a step needs it: -1. A kernel model has it */
    uint8_t balanced;
    void (*move)(struct pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias);
    void (*held)(struct pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias);
    void (*account)(const struct pcn_perceptron *m, size_t at, const pcn_vec *x, uint32_t i,
                    uint32_t k, const float *old, const float *now);
    uint64_t clock; /* examples since init or pcn_averaging_init */
} pcn_perceptron;

/* Floats of one trainer: for each class n weights, a bias, a score and a change. Constant
 * expressions, for static arrays. */
#define PCN_WEIGHTS(features, classes) (((size_t)(features) + 3u) * (size_t)(classes))
#define PCN_BATCH(features, classes) (((size_t)(features) + 1u) * (size_t)(classes))
#define PCN_SUMS(features, classes) (PCN_BATCH(features, classes) * 2u)

/* All weights 0, default settings, class-major. memory: PCN_WEIGHTS floats; classes: 1 for binary.
 * PCN_ESETUP: no memory, too little of it, or no classes; then *m is not touched. */
PCN_API int pcn_perceptron_init(pcn_perceptron *m, float *memory, size_t floats, uint32_t features,
                                uint32_t classes);

/* Learns from one example: binary with any int as label, multiclass with 0 .. classes-1. */
PCN_API int pcn_perceptron_learn_at(pcn_perceptron *m, const pcn_vec *x, int y);
PCN_API int pcn_perceptron_learn_class_at(pcn_perceptron *m, const pcn_vec *x, int y);

PCN_INLINE int pcn_perceptron_learn(pcn_perceptron *m, pcn_vec x, int y)
{
    return pcn_perceptron_learn_at(m, &x, y);
}

PCN_INLINE int pcn_perceptron_learn_class(pcn_perceptron *m, pcn_vec x, int y)
{
    return pcn_perceptron_learn_class_at(m, &x, y);
}

/* Which classes move, for `update`: class k moves by a_k step X. Each returns how often the rule
 * fired and, if it did, fills change[classes]. Equal for two classes. r = best rival, the lowest of
 * equal ones. */
PCN_API uint32_t pcn_update_predicted(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                      float *change); /* a_y = 1, a_r = -1 */
PCN_API uint32_t pcn_update_others(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                   float *change); /* a_y = 1, all others -1: Su, Algorithm 2, which
                                                      may never converge for three classes or more */
PCN_API uint32_t pcn_update_uniform(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                    float *change); /* a_y = 1, each of the |E| violators -1 / |E| */
PCN_API uint32_t pcn_update_one_vs_rest(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                        float *change); /* every class on its own mistakes */

/* Options: each turns itself on for an initialised trainer, in any combination and order.
 * PCN_ESETUP: no array or too short a one. */

/* Lays the weights out feature by feature; they start again from 0. Before the options below. */
PCN_API int pcn_feature_major_init(pcn_perceptron *m);

/* Keeps the mean of the weights after each example from now on, the present ones included (CIML
 * Algorithm 7; w_0 .. w_n for n examples). sum: PCN_SUMS floats. Learning goes on undisturbed; the
 * cost of an update grows by a constant factor, that of other examples not at all. */
PCN_API int pcn_averaging_init(pcn_perceptron *m, float *sum, size_t floats);

/* Writes the mean to out[PCN_BATCH] and returns it as a model. The trainer does not change.
 * Call it on a trainer with averaging. */
PCN_API pcn_linear pcn_averaging_view(const pcn_perceptron *m, float *out);

/* learn only collects from now on, in batch[PCN_BATCH]; apply adds scale * batch to the weights and
 * empties it: 1 if weights moved, 0 if not, PCN_EVALUE if a weight would leave its range (then
 * nothing changes). |batch| before apply: pcn_norm2(pcn_dense(m.batch, PCN_BATCH(n, K))) (Eaton). */
PCN_API int pcn_batching_init(pcn_perceptron *m, float *batch, size_t floats);
PCN_API int pcn_batching_apply(pcn_perceptron *m, float scale);

/* Winnow: a step multiplies weights instead of adding to them. The state are exponents, e += step x,
 * and the weight of a feature is 2^e, or 2^e - 2^-e if balanced (Littlestone's two weights in one;
 * features may then speak against a class). All e start at 0. exponent: PCN_BATCH floats.
 * The score is w.x - threshold; there is no other bias: bias_input becomes 0.
 *
 *     Winnow2 (Littlestone 1988)    0/1 features, rate log2 of the factor, threshold e.g. n
 *     Winnow1                       rate PCN_ELIMINATE while learning a negative example
 *     exponentiated (Su, Alg. 3)    any features, rate eta / ln 2, threshold 0
 *     balanced                      rate log2 of the factor, threshold 0 or what divides the classes
 *
 * Weights are exact where 2^e is a float. They end at 2^64 in size, and below 2^-126 at 0, while e goes
 * on counting to +-2^20: nothing overflows, denormals and NaN do not arise, and what went up comes down
 * by as many steps. Goes with averaging (the mean of the weights), batches, every update and the fixed
 * rule. An image of a Winnow trainer has its exponents; a frozen one has not, and is no start for it. */
#define PCN_ELIMINATE 2097152.0f /* 2^21: e falls to its lowest */
PCN_API int pcn_winnow_init(pcn_perceptron *m, float *exponent, size_t floats, float threshold,
                            int balanced);

/* ---- Kernel models ---------------------------------------------------------------------------
 * f(x) = sum over stored vectors z of coef_z (K(x, z) + B^2), B the bias input (0: no bias). A step
 * adds to the coefficient of the example's own vector, which is stored when it errs for the first
 * time. With the linear kernel this is the voted or dual perceptron, with others the kernel
 * perceptron (Freund, Schapire, Machine Learning 37, 1999; Su sec. 2.2). */

typedef struct pcn_kernel {
    /* n dot products x.z_i -> K(x, z_i), given |x|^2 and all |z_i|^2; NULL: of_vectors instead */
    void (*of_dots)(const struct pcn_kernel *k, float *dot, const float *norm2, float xx, uint32_t n);
    float (*of_vectors)(const struct pcn_kernel *k, const pcn_vec *x, const pcn_vec *z); /* any other */
    uint32_t id; /* kept in images: 1 linear, 2 polynomial, 3 RBF; yours from 256 on */
    uint32_t degree;
    float gamma, coef0;
    const void *user;
} pcn_kernel;

PCN_API pcn_kernel pcn_kernel_linear(void);                                    /* x.z */
PCN_API pcn_kernel pcn_kernel_poly(uint32_t degree, float gamma, float coef0); /* (gamma x.z + coef0)^degree */
PCN_API pcn_kernel pcn_kernel_rbf(float gamma);                                /* exp(-gamma |x - z|^2) */

typedef struct pcn_slot { /* one stored vector */
    uint32_t start, count; /* its numbers in `value` (and `index`) */
    uint32_t id;           /* the row identity that learn was given */
} pcn_slot;

typedef struct pcn_change { /* one entry of the log: one class of one update */
    uint32_t slot, cls;
    float step;
    uint32_t clock; /* the example, counted from 1 */
} pcn_change;

/* Last: the present coefficients. Mean: the mean of f over all examples seen (CIML Algorithm 7). Vote:
 * each f gives its class a vote for its making and one for each example that it survived; f = 0 at the
 * start has no vote (CIML eq. 4.17). Mean and vote need a log. */
enum pcn_decision { PCN_LAST = 0, PCN_MEAN, PCN_VOTE };

typedef struct pcn_support { /* frozen */
    pcn_kernel kernel;
    const float *value;    /* the stored vectors */
    const uint32_t *index; /* NULL: dense */
    const pcn_slot *slot;
    const float *norm2;    /* |z|^2 of each */
    const float *coef;     /* of slot s and class c: coef[s * classes + c] */
    const pcn_change *log; /* NULL: only PCN_LAST */
    uint32_t features, classes, slots, changes;
    uint32_t clock;        /* examples seen */
    float bias2;           /* B^2 */
    uint8_t by_class;      /* votes: each class for itself (binary, one-vs-rest); 0: for the best */
    uint8_t zero_negative; /* votes: the sign of a score of 0 */
} pcn_support;

/* Scores of `rows` examples -> score[rows * classes]; many at once are faster. work: PCN_WORK floats.
 * PCN_ESETUP: mean or vote without a log (one that grows is there from the first update on). Take the
 * class by pcn_decide. Indices at or beyond the features are ignored. Memory of a model in bytes:
 * 12 a slot + 4 (classes + 1) a slot + 4 a number stored (8 if sparse) + 16 an entry of the log. */
#define PCN_WORK(features, classes, slots, rows) \
    ((size_t)(rows) * (size_t)(slots) + (size_t)(classes) + (size_t)(features))
PCN_API int pcn_support_scores(const pcn_support *m, enum pcn_decision how, const pcn_vec *x,
                               uint32_t rows, float *score, float *work);

typedef struct pcn_dual { /* trainer */
    pcn_support model;
    pcn_perceptron p; /* settings and results: rule, update, zero_..., bias_input, count, guess, score */
    /* Called before a new vector is stored. PCN_OK: store it, there is room; 1: it is taken care of;
     * below 0: an error. NULL: PCN_EFULL when there is no room. One of pcn_admit_... or yours. */
    int (*admit)(struct pcn_dual *m, const pcn_vec *x, float kxx);
    uint32_t seed;   /* state of pcn_admit_random */
    float tolerance; /* of pcn_admit_projectron */
    float *aux;      /* of forgetron: slots floats; of projectron: slots * (slots + 2) floats */
    uint32_t aux_slots; /* slots that aux of projectron stands for */
    float spent;     /* state of pcn_admit_forgetron: Q */
    /* memory, laid out by the functions below */
    pcn_slot *slot;
    float *norm2, *coef, *kernel, *value, *scratch;
    uint32_t *index;
    pcn_change *log;
    uint32_t slot_room, log_room, drops;
    size_t cells, cell_room;
    uint8_t borrowed, sparse, logged, grown;
} pcn_dual;

#define PCN_NO_ID UINT32_MAX

/* memory: PCN_DUAL_FLOATS floats, and `slots` slots; dense vectors. With slots = 0 (slot NULL) the
 * model grows: set m->admit = pcn_admit_grow, release it by pcn_dual_free. bias_input is 0. */
#define PCN_DUAL_FLOATS(features, classes, slots) \
    (2u * (size_t)(classes) + (size_t)(slots) * ((size_t)(classes) + (size_t)(features) + 2u))
PCN_API int pcn_dual_init(pcn_dual *m, pcn_kernel kernel, uint32_t features, uint32_t classes,
                          pcn_slot *slot, uint32_t slots, float *memory, size_t floats);

/* Options, before the first example. Sparse: vectors are stored as pairs, in value[cells] and
 * index[cells] (NULL and 0 if the model grows); scratch: `features` floats. Rows: nothing is copied,
 * all examples lie in these arrays of yours, with values, and stay (the true dual form; index NULL:
 * dense); they need less memory, but learn more slowly than copies, which lie side by side. Log: an
 * entry for each class of each update (NULL and 0 if the model grows). */
PCN_API int pcn_dual_sparse_init(pcn_dual *m, float *value, uint32_t *index, size_t cells, float *scratch);
PCN_API int pcn_dual_rows_init(pcn_dual *m, const float *value, const uint32_t *index, float *scratch);
PCN_API int pcn_dual_log_init(pcn_dual *m, pcn_change *log, uint32_t entries);

/* As pcn_perceptron_learn (one class) and _learn_class. Equal ids share a slot; PCN_NO_ID: a new one. */
PCN_API int pcn_dual_learn_at(pcn_dual *m, const pcn_vec *x, int y, uint32_t id);

PCN_INLINE int pcn_dual_learn(pcn_dual *m, pcn_vec x, int y, uint32_t id)
{
    return pcn_dual_learn_at(m, &x, y, id);
}

/* The same for `rows` examples in turn, result[i] what learn returns for each, bit for bit. All rows meet
 * the vectors that are stored already at once, tile by tile, which is several times as fast when these
 * outgrow the caches. work: rows * m->model.slots floats. */
PCN_API void pcn_dual_learn_rows(pcn_dual *m, const pcn_vec *x, const int *y, const uint32_t *id,
                                 uint32_t rows, int *result, float *work);

/* Drops the vectors with the least sum of |coef| until `slots` are left, and the log. */
PCN_API void pcn_dual_shrink(pcn_dual *m, uint32_t slots);

/* What to do with a new vector when there is no room. All of these forget, so the model has no log.
 * Oldest and random: another goes (Cavallanti, Cesa-Bianchi, Gentile, Machine Learning 69, 2007).
 * Forgetron (binary only): coefficients shrink so far that dropping the oldest is harmless (Dekel,
 * Shalev-Shwartz, Singer, SIAM J. Computing 37, 2008). Projectron (Orabona, Keshet, Caputo, ICML 2008):
 * a vector whose squared distance from the span of the stored ones is at most `tolerance`, or 3e-4
 * K(x, x) (what floats tell apart), or that has no room, is projected on it. */
PCN_API int pcn_admit_oldest(pcn_dual *m, const pcn_vec *x, float kxx);
PCN_API int pcn_admit_random(pcn_dual *m, const pcn_vec *x, float kxx);
PCN_API int pcn_admit_forgetron(pcn_dual *m, const pcn_vec *x, float kxx);
PCN_API int pcn_admit_projectron(pcn_dual *m, const pcn_vec *x, float kxx);
#ifndef PERCEPTRON_NO_HEAP
/* Takes more memory: the arrays of the model are then stb_ds arrays. PCN_ENOMEM: nothing changed. */
PCN_API int pcn_admit_grow(pcn_dual *m, const pcn_vec *x, float kxx);
PCN_API void pcn_dual_free(pcn_dual *m); /* what has grown; NULL, 0 afterwards */
#endif

/* ---- Passes ----------------------------------------------------------------------------------
 * An iterator over row numbers; the loop is yours:
 *
 *     pcn_pass_init(&pass, rows, epochs, seed);
 *     while (pcn_pass_next(&pass, &row)) {
 *         pcn_pass_note(&pass, pcn_perceptron_learn(&m, x[row], y[row]));
 *         if (pass.left == 0) ... // an epoch has ended
 *     }
 *
 * Each epoch shows every row once. The order is a function of seed, epoch and rows, computed without
 * memory, the same on every machine; the struct is all of its state. */

enum pcn_order { /* permute the rows anew each epoch, once, never */
    PCN_ORDER_EACH = 0,
    PCN_ORDER_ONCE,
    PCN_ORDER_FILE
};
enum pcn_stop {
    PCN_STOP_EPOCH = 0, /* an epoch without an update */
    PCN_STOP_WINDOW,    /* `rows` rows without an update, wherever they start (Honavar's trace) */
    PCN_STOP_NEVER      /* only the limit of epochs */
};
enum pcn_end { PCN_END_LIMIT = 0, PCN_END_CLEAN, PCN_END_PATIENCE };

typedef struct pcn_pass {
    /* settings */
    uint32_t rows, epochs; /* epochs: the most; 0: no limit */
    uint32_t seed;
    uint32_t patience;   /* checks in a row without improvement that end the pass; 0: no end */
    uint8_t order, stop; /* enum pcn_order, enum pcn_stop */
    /* results */
    uint32_t epoch, left; /* epochs begun; rows left in this one: 0 = it has just ended */
    uint32_t updates;     /* rows of this epoch that updated */
    uint64_t run, best_run; /* rows without an update: up to now, and the longest run that ended */
    uint32_t waited;        /* checks since the best one */
    float best_error;
    uint32_t changed;     /* of pcn_pass_cycle: updates since its copy */
    uint32_t cycle_epoch; /* and when it copies next */
    int result; /* enum pcn_end, or the error that ended the pass */
} pcn_pass;

PCN_API void pcn_pass_init(pcn_pass *p, uint32_t rows, uint32_t epochs, uint32_t seed);

/* 1: learn *row now. 0: the pass is over, p->result says why. */
PCN_API int pcn_pass_next(pcn_pass *p, uint32_t *row);

/* Takes what learn returned; an error ends the pass. 1 when this row makes the run without an update
 * longer than any earlier run: time to copy the weights (pocket, Gallant 1990). */
PCN_API int pcn_pass_note(pcn_pass *p, int learned);

/* Takes an error measured on held-out rows, at any time. 1: best so far, time to copy the weights. */
PCN_API int pcn_pass_check(pcn_pass *p, float error);

/* Call before the first row and after each epoch with the n weights (biases included) and an array
 * copy[n] of yours. 1: the weights have returned to an earlier state although there were updates in
 * between, so they will for ever. With a fixed order, the fixed rule, rate and rows of integers, and
 * scores below 2^24, that proves that no weights have y s > 0 on all rows. Finds every cycle. */
PCN_API int pcn_pass_cycle(pcn_pass *p, const float *weight, float *copy, size_t n);

/* ---- Measures --------------------------------------------------------------------------------
 * Of a model on a set, row by row; start from zeros. */

typedef struct pcn_measure {
    uint64_t rows;
    uint64_t errors;     /* predicted class != label */
    uint64_t strict;     /* y s < 0: the 0/1 risk of Su times rows */
    uint64_t violations; /* y s <= 0 */
    float margin;        /* least y s; multiclass: least s_y - s_rival */
    float radius2;       /* R^2 = largest |X|^2, bias input included */
    float loss, loss_low; /* sum of max(0, -y s), the perceptron loss times rows, in two parts */
} pcn_measure;

/* One row: y s (or s_y - s_rival), whether the predicted class is wrong, and |X|^2. */
PCN_API void pcn_measure_add(pcn_measure *q, float margin, int wrong, float norm2);

/* margin(D, w, b) of CIML: the least y s if that is > 0, otherwise -infinity. */
PCN_API float pcn_measure_margin(const pcn_measure *q);

/* Novikoff's bound on the updates of the fixed rule from zero weights, (R |W| / margin)^2, for
 * separating weights W of squared norm weight_norm2, biases included; infinity if they do not
 * separate. Multiclass (all classes in W, update predicted or uniform): twice this. */
PCN_API float pcn_measure_bound(const pcn_measure *q, float weight_norm2);

/* ---- Images ----------------------------------------------------------------------------------
 * State for disk, wire or flash; the same bytes from every machine. All numbers little-endian:
 *
 *      0  "PCN" 0x1A        4  version = 1       8  kind: 1 linear, 2 perceptron trainer, 3 kernel model
 *     12  parts: 1 bias, 2 sums, 4 batch, 8 feature-major, 16 exponents, 32 sparse, 64 log
 *     16  features         20  classes          24  slots      28  entries of the log
 *     32  rows (8 bytes)   40  updates (8)      48  mistakes (8)         56  clock (8)
 *     64  weights as in memory, biases, sums (PCN_SUMS), batch, exponents (PCN_BATCH): binary32 each
 *    end  CRC-32 (IEEE 802.3) of everything before
 *
 * Kernel models (no distinction between frozen and trainer) have instead of the weights:
 *
 *     64  kernel id        68  degree           72  gamma      76  coef0 (binary32)
 *     80  B^2 (binary32)   84  1 votes by class, 2 a score of 0 is negative
 *     88  numbers stored   92  seed             96  Q of the Forgetron (binary32)      100  0
 *    104  slots: start, count, id of each; |z|^2 of each; coefficients; values; indices if sparse;
 *         log: slot, class, step, clock of each entry
 *
 * save writes bytes [from, from + size) of the image to out, 0xff beyond its end, and returns the
 * length of the whole: ask with (m, 0, NULL, 0), then save at once or page by page.
 * open gives a frozen model that points into the image, from either kind; no copy. The memory must
 * stay, be aligned to 4 bytes and be such that floats may be read from it (malloc, mmap, flash).
 * load restores an initialised trainer of the same shape and layout, on any machine, bit for bit.
 * Arrays that the image has and the trainer has not, and exponents that only one has: PCN_EMATCH;
 * otherwise arrays that the image has not start empty, and so does all but weights and biases from a frozen image. A kernel trainer must have room
 * (or grow), store vectors in the same way, and have a log if and only if the image has one.
 * open and load check length, shape, checksum and every number first; on error nothing changes. */

enum pcn_kind { PCN_KIND_LINEAR = 1, PCN_KIND_PERCEPTRON = 2, PCN_KIND_DUAL = 3 };
enum pcn_part {
    PCN_PART_BIAS = 1,
    PCN_PART_SUMS = 2,
    PCN_PART_BATCH = 4,
    PCN_PART_FEATURE_MAJOR = 8,
    PCN_PART_EXPONENTS = 16,
    PCN_PART_SPARSE = 32,
    PCN_PART_LOG = 64
};

typedef struct pcn_image {
    uint32_t version, kind, parts, features, classes;
    uint32_t slots, changes, cells, kernel; /* kernel models, otherwise 0 */
    pcn_count count;
    uint64_t clock;
} pcn_image;

/* Verifies a whole image of exactly `size` bytes: what is it, what must I allocate?
 * PCN_EIMAGE, PCN_EVERSION. */
PCN_API int pcn_image_read(pcn_image *info, const void *image, size_t size);

PCN_API size_t pcn_linear_save(const pcn_linear *m, size_t from, void *out, size_t size);
PCN_API int pcn_linear_open(pcn_linear *m, const void *image, size_t size);
PCN_API size_t pcn_perceptron_save(const pcn_perceptron *m, size_t from, void *out, size_t size);
PCN_API int pcn_perceptron_load(pcn_perceptron *m, const void *image, size_t size);

/* kernel: its functions; its id must be the image's, its numbers are taken from there. */
PCN_API size_t pcn_support_save(const pcn_support *m, size_t from, void *out, size_t size);
PCN_API int pcn_support_open(pcn_support *m, pcn_kernel kernel, const void *image, size_t size);
PCN_API size_t pcn_dual_save(const pcn_dual *m, size_t from, void *out, size_t size);
PCN_API int pcn_dual_load(pcn_dual *m, const void *image, size_t size);

/* The checksum of images, for what you store beside them. Start with crc = 0. */
PCN_API uint32_t pcn_crc32(uint32_t crc, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif /* PERCEPTRON_H_5D1C7A90 */

/* ============================================================================================== */
/* ==== Implementation ========================================================================== */
/* ============================================================================================== */

#ifdef PERCEPTRON_IMPLEMENTATION
#ifndef PCN_IMPLEMENTED
#define PCN_IMPLEMENTED

#ifdef __FAST_MATH__
#error "perceptron.h needs IEEE arithmetic: compile this file without -ffast-math and -Ofast"
#endif

#include <float.h>
#include <string.h> /* memcpy, memset */

/* ---- Results --------------------------------------------------------------------------------- */

PCN_API const char *pcn_error_text(int result)
{
#define PCNI_TEXT(name, value, text)                                                             \
    if (result == value) return text;
    PCN_ERRORS(PCNI_TEXT)
#undef PCNI_TEXT
    return result < 0 ? "unknown error" : "ok";
}

/* ---- Arithmetic that is rounded where it is written ------------------------------------------
 * An empty asm statement that may change a value keeps the compiler from fusing a product into a sum,
 * from reordering sums, and from keeping excess precision. It must stand behind products and sums
 * both: flags and pragmas do not suffice (gcc fuses vector intrinsics in its gnu modes). */

#if !defined(__GNUC__) && !defined(__clang__)
#define PCNI_ROUND(s) do { volatile float pcni_r = (s); (s) = pcni_r; } while (0)
#elif defined(__x86_64__) || (defined(__i386__) && defined(__SSE_MATH__))
#define PCNI_ROUND(s) __asm__("" : "+x"(s))
#elif defined(__aarch64__)
#define PCNI_ROUND(s) __asm__("" : "+w"(s))
#elif defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
#define PCNI_ROUND(s) __asm__("" : "+t"(s))
#elif defined(__riscv_flen) || defined(__s390__) || defined(__powerpc__)
#define PCNI_ROUND(s) __asm__("" : "+f"(s))
#elif defined(__i386__) || defined(__m68k__)
#define PCNI_ROUND(s) __asm__("" : "+m"(s)) /* x87: the store rounds */
#else
#define PCNI_ROUND(s) __asm__("" : "+r"(s))
#endif

PCN_MAYBE_UNUSED static inline float pcni_plus(float a, float b)
{
    float s = a + b;
    PCNI_ROUND(s);
    return s;
}

PCN_MAYBE_UNUSED static inline float pcni_minus(float a, float b)
{
    float s = a - b;
    PCNI_ROUND(s);
    return s;
}

PCN_MAYBE_UNUSED static inline float pcni_times(float a, float b)
{
    float p = a * b;
    PCNI_ROUND(p);
    return p;
}

PCN_MAYBE_UNUSED static inline float pcni_over(float a, float b)
{
    float q = a / b;
    PCNI_ROUND(q);
    return q;
}

static float pcni_from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t pcni_to_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static int pcni_finite(float f)
{
    return (pcni_to_bits(f) & 0x7f800000u) != 0x7f800000u;
}

/* A bijective mixer of 32 bits (Wellons' lowbias32). */
static uint32_t pcni_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* ---- The vector vocabulary -------------------------------------------------------------------
 * pcni_v: PCNI_W floats, 8 or, in portable C, 1. All kernels are written once in it:
 *   pcni_set, _load, _store      all lanes
 *   _load_part, _store_part      the first k lanes; load: the others 0
 *   _add, _sub, _mul, _div       lane by lane
 *   _min, _max                   likewise
 *   _pow2                        2^k for whole k from -126 to 127; 0 for -127
 *   _head                        the upper 12 of the 24 bits of each lane: the product of two such
 *                                heads, or of a head and the exact rest of another lane, is exact
 *   _sum                         halving tree over the lanes: +4, +2, +1 */

#ifndef PERCEPTRON_SIMD
#if defined(__TINYC__)
#define PERCEPTRON_SIMD 0
#elif defined(__AVX2__)
#define PERCEPTRON_SIMD 2
#elif defined(__SSE2__) || defined(_M_X64)
#define PERCEPTRON_SIMD 1
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define PERCEPTRON_SIMD 3
#else
#define PERCEPTRON_SIMD 0
#endif
#endif

#if PERCEPTRON_SIMD < 0 || PERCEPTRON_SIMD > 3
#error "PERCEPTRON_SIMD: 0 portable C, 1 SSE2, 2 AVX2, 3 NEON"
#endif

#if PERCEPTRON_SIMD == 0

#define PCNI_W 1u
typedef float pcni_v;
#define pcni_set(f) (f)
#define pcni_load(p) (*(p))
#define pcni_store(p, v) (*(p) = (v))
#define pcni_load_part(p, k) (*(p))
#define pcni_store_part(p, v, k) (*(p) = (v))
#define pcni_add pcni_plus
#define pcni_sub pcni_minus
#define pcni_mul pcni_times
#define pcni_div pcni_over
#define pcni_min(a, b) ((a) < (b) ? (a) : (b))
#define pcni_max(a, b) ((a) > (b) ? (a) : (b))
#define pcni_pow2(k) pcni_from_bits((uint32_t)((int32_t)(k) + 127) << 23)
#define pcni_head(f) pcni_from_bits(pcni_to_bits(f) & 0xfffff000u)
#define pcni_sum(v) (v)
#define pcni_done() ((void)0)

#elif PERCEPTRON_SIMD == 2

#include <immintrin.h>
#define PCNI_W 8u
#if defined(__GNUC__) || defined(__clang__)
#define PCNI_ROUND_V(v) __asm__("" : "+x"(v))
#else
#define PCNI_ROUND_V(v) ((void)0)
#endif
typedef __m256 pcni_v;

static inline pcni_v pcni_set(float f) { return _mm256_set1_ps(f); }
static inline pcni_v pcni_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void pcni_store(float *p, pcni_v v) { _mm256_storeu_ps(p, v); }

static inline __m256i pcni_mask(uint32_t k)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline pcni_v pcni_load_part(const float *p, uint32_t k)
{
    return _mm256_maskload_ps(p, pcni_mask(k));
}

static inline void pcni_store_part(float *p, pcni_v v, uint32_t k)
{
    _mm256_maskstore_ps(p, pcni_mask(k), v);
}

static inline pcni_v pcni_add(pcni_v a, pcni_v b)
{
    pcni_v s = _mm256_add_ps(a, b);
    PCNI_ROUND_V(s);
    return s;
}

static inline pcni_v pcni_sub(pcni_v a, pcni_v b)
{
    pcni_v s = _mm256_sub_ps(a, b);
    PCNI_ROUND_V(s);
    return s;
}

static inline pcni_v pcni_mul(pcni_v a, pcni_v b)
{
    pcni_v p = _mm256_mul_ps(a, b);
    PCNI_ROUND_V(p);
    return p;
}

static inline pcni_v pcni_div(pcni_v a, pcni_v b)
{
    return _mm256_div_ps(a, b);
}

static inline pcni_v pcni_min(pcni_v a, pcni_v b)
{
    return _mm256_min_ps(a, b);
}

static inline pcni_v pcni_max(pcni_v a, pcni_v b)
{
    return _mm256_max_ps(a, b);
}

static inline pcni_v pcni_pow2(pcni_v k)
{
    __m256i bits = _mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(bits, 23));
}

static inline pcni_v pcni_head(pcni_v v)
{
    return _mm256_and_ps(v, _mm256_castsi256_ps(_mm256_set1_epi32(-4096)));
}

static inline float pcni_sum(pcni_v v)
{
    __m128 q = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    PCNI_ROUND_V(q);
    q = _mm_add_ps(q, _mm_movehl_ps(q, q));
    PCNI_ROUND_V(q);
    return pcni_plus(_mm_cvtss_f32(q), _mm_cvtss_f32(_mm_shuffle_ps(q, q, 1)));
}

/* Ends every function with wide registers: gcc -O1 and -Os leave it out, and legacy SSE code in the
 * caller then runs 20 times slower. */
#define pcni_done() _mm256_zeroupper()

#else /* SSE2 and NEON: 8 floats as two halves of 4 */

#define PCNI_W 8u
#if PERCEPTRON_SIMD == 1
#include <emmintrin.h>
typedef __m128 pcni_h;
#define PCNI_HALF(op, x86, arm) x86
#else
#include <arm_neon.h>
typedef float32x4_t pcni_h;
#define PCNI_HALF(op, x86, arm) arm
#endif
#if !defined(__GNUC__) && !defined(__clang__)
#define PCNI_ROUND_V(v) ((void)0)
#elif PERCEPTRON_SIMD == 1
#define PCNI_ROUND_V(v) __asm__("" : "+x"((v).lo), "+x"((v).hi))
#else
#define PCNI_ROUND_V(v) __asm__("" : "+w"((v).lo), "+w"((v).hi))
#endif

typedef struct pcni_v {
    pcni_h lo, hi;
} pcni_v;

static inline pcni_v pcni_set(float f)
{
    pcni_v v;
    v.lo = v.hi = PCNI_HALF(set, _mm_set1_ps(f), vdupq_n_f32(f));
    return v;
}

static inline pcni_v pcni_load(const float *p)
{
    pcni_v v;
    v.lo = PCNI_HALF(load, _mm_loadu_ps(p), vld1q_f32(p));
    v.hi = PCNI_HALF(load, _mm_loadu_ps(p + 4), vld1q_f32(p + 4));
    return v;
}

static inline void pcni_store(float *p, pcni_v v)
{
    PCNI_HALF(store, _mm_storeu_ps(p, v.lo), vst1q_f32(p, v.lo));
    PCNI_HALF(store, _mm_storeu_ps(p + 4, v.hi), vst1q_f32(p + 4, v.hi));
}

/* Not by way of an array: a wide load of what was just stored in small parts waits. */
static inline pcni_h pcni_load_part4(const float *p, uint32_t k)
{
    float a = k > 0 ? p[0] : 0, b = k > 1 ? p[1] : 0, c = k > 2 ? p[2] : 0, d = k > 3 ? p[3] : 0;
    return PCNI_HALF(set, _mm_setr_ps(a, b, c, d),
                     vsetq_lane_f32(
                         d, vsetq_lane_f32(c, vsetq_lane_f32(b, vdupq_n_f32(a), 1), 2), 3));
}

static inline pcni_v pcni_load_part(const float *p, uint32_t k)
{
    pcni_v v;
    if (k >= 8) return pcni_load(p);
    v.lo = k < 4 ? pcni_load_part4(p, k) : PCNI_HALF(load, _mm_loadu_ps(p), vld1q_f32(p));
    v.hi = k > 4 ? pcni_load_part4(p + 4, k - 4) : PCNI_HALF(set, _mm_setzero_ps(), vdupq_n_f32(0));
    return v;
}

static inline void pcni_store_part(float *p, pcni_v v, uint32_t k)
{
    float t[8];
    uint32_t i;
    pcni_store(t, v);
    for (i = 0; i < k && i < 8; i++) p[i] = t[i];
}

static inline pcni_v pcni_add(pcni_v a, pcni_v b)
{
    a.lo = PCNI_HALF(add, _mm_add_ps(a.lo, b.lo), vaddq_f32(a.lo, b.lo));
    a.hi = PCNI_HALF(add, _mm_add_ps(a.hi, b.hi), vaddq_f32(a.hi, b.hi));
    PCNI_ROUND_V(a);
    return a;
}

static inline pcni_v pcni_sub(pcni_v a, pcni_v b)
{
    a.lo = PCNI_HALF(sub, _mm_sub_ps(a.lo, b.lo), vsubq_f32(a.lo, b.lo));
    a.hi = PCNI_HALF(sub, _mm_sub_ps(a.hi, b.hi), vsubq_f32(a.hi, b.hi));
    PCNI_ROUND_V(a);
    return a;
}

static inline pcni_v pcni_mul(pcni_v a, pcni_v b)
{
    a.lo = PCNI_HALF(mul, _mm_mul_ps(a.lo, b.lo), vmulq_f32(a.lo, b.lo));
    a.hi = PCNI_HALF(mul, _mm_mul_ps(a.hi, b.hi), vmulq_f32(a.hi, b.hi));
    PCNI_ROUND_V(a);
    return a;
}

static inline pcni_v pcni_div(pcni_v a, pcni_v b)
{
    float s[8], t[8];
    uint32_t i;
    pcni_store(s, a);
    pcni_store(t, b);
    for (i = 0; i < 8; i++) s[i] = pcni_over(s[i], t[i]);
    return pcni_load(s);
}

static inline pcni_v pcni_min(pcni_v a, pcni_v b)
{
    a.lo = PCNI_HALF(min, _mm_min_ps(a.lo, b.lo), vminq_f32(a.lo, b.lo));
    a.hi = PCNI_HALF(min, _mm_min_ps(a.hi, b.hi), vminq_f32(a.hi, b.hi));
    return a;
}

static inline pcni_v pcni_max(pcni_v a, pcni_v b)
{
    a.lo = PCNI_HALF(max, _mm_max_ps(a.lo, b.lo), vmaxq_f32(a.lo, b.lo));
    a.hi = PCNI_HALF(max, _mm_max_ps(a.hi, b.hi), vmaxq_f32(a.hi, b.hi));
    return a;
}

static inline pcni_h pcni_pow24(pcni_h k)
{
    return PCNI_HALF(pow2,
                     _mm_castsi128_ps(_mm_slli_epi32(
                         _mm_add_epi32(_mm_cvtps_epi32(k), _mm_set1_epi32(127)), 23)),
                     vreinterpretq_f32_s32(
                         vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(k), vdupq_n_s32(127)), 23)));
}

static inline pcni_v pcni_pow2(pcni_v k)
{
    k.lo = pcni_pow24(k.lo);
    k.hi = pcni_pow24(k.hi);
    return k;
}

static inline pcni_h pcni_head4(pcni_h h)
{
    return PCNI_HALF(and, _mm_and_ps(h, _mm_castsi128_ps(_mm_set1_epi32(-4096))),
                     vreinterpretq_f32_u32(
                         vandq_u32(vreinterpretq_u32_f32(h), vdupq_n_u32(0xfffff000u))));
}

static inline pcni_v pcni_head(pcni_v v)
{
    v.lo = pcni_head4(v.lo);
    v.hi = pcni_head4(v.hi);
    return v;
}

static inline float pcni_sum(pcni_v v)
{
    float t[8];
    pcni_store(t, v);
    return pcni_plus(pcni_plus(pcni_plus(t[0], t[4]), pcni_plus(t[2], t[6])),
                     pcni_plus(pcni_plus(t[1], t[5]), pcni_plus(t[3], t[7])));
}

#undef PCNI_HALF
#define pcni_done() ((void)0)

#endif

/* ---- Kernels --------------------------------------------------------------------------------- */

#if defined(__GNUC__) || defined(__clang__)
#define PCNI_INLINE static inline __attribute__((always_inline)) /* sums stay in registers */
#define PCNI_PREFETCH(p) __builtin_prefetch(p)
#else
#define PCNI_INLINE static inline
#define PCNI_PREFETCH(p) ((void)0)
#endif

#define PCNI_LANES 32u

/* Halving tree over the first n of 32 partial sums; the others are 0. */
static float pcni_tree(float *lane, uint32_t n)
{
    uint32_t h, j;
    if (n == 0) return 0;
    for (h = PCNI_LANES / 2; h != 0; h >>= 1)
        if (n > h) {
            for (j = h; j < n; j++) lane[j - h] = pcni_plus(lane[j - h], lane[j]);
            n = h;
        }
    return lane[0];
}

/* Sum of w[j * column] x[j] over j < n; without w, of x[j]^2. */
static float pcni_lanes(const float *w, size_t column, uint32_t n, const pcn_vec *x)
{
    float lane[PCNI_LANES];
    uint32_t i, used = !x->index && x->count < PCNI_LANES ? x->count : PCNI_LANES;
    for (i = 0; i < used; i++) lane[i] = 0;
#if PERCEPTRON_SIMD == 0
    if (!x->index && x->value && w && column == 1) {
        if (x->count < n) n = x->count;
        for (i = 0; i < n; i++)
            lane[i % PCNI_LANES] = pcni_plus(lane[i % PCNI_LANES], pcni_times(w[i], x->value[i]));
        return pcni_tree(lane, used);
    }
#endif
    for (i = 0; i < x->count; i++) {
        uint32_t j = x->index ? x->index[i] : i;
        float v = x->value ? x->value[i] : 1.0f;
        if (j >= n) continue;
        v = pcni_times(v, w ? w[j * column] : v);
        lane[j % PCNI_LANES] = pcni_plus(lane[j % PCNI_LANES], v);
    }
    return pcni_tree(lane, used);
}

#if PERCEPTRON_SIMD != 0

/* The 32 partial sums: lanes 0-7 in a, 8-15 in b, 16-23 in c, 24-31 in d. */
typedef struct pcni_sums {
    pcni_v a, b, c, d;
} pcni_sums;

static inline pcni_v pcni_mul_add(pcni_v sum, const float *a, const float *b)
{
    return pcni_add(sum, pcni_mul(pcni_load(a), pcni_load(b)));
}

static inline pcni_v pcni_mul_add_part(pcni_v sum, const float *a, const float *b, uint32_t k)
{
    if (k >= PCNI_W) return pcni_mul_add(sum, a, b);
    return pcni_add(sum, pcni_mul(pcni_load_part(a, k), pcni_load_part(b, k)));
}

PCNI_INLINE void pcni_block(pcni_sums *s, const float *w, const float *x)
{
    s->a = pcni_mul_add(s->a, w, x);
    s->b = pcni_mul_add(s->b, w + 8, x + 8);
    s->c = pcni_mul_add(s->c, w + 16, x + 16);
    s->d = pcni_mul_add(s->d, w + 24, x + 24);
}

PCNI_INLINE void pcni_clear(pcni_sums *s)
{
    s->a = s->b = s->c = s->d = pcni_set(0);
}

/* Adds the whole blocks of 32 among n products. */
PCNI_INLINE void pcni_blocks(pcni_sums *s, const float *w, const float *x, uint32_t n)
{
    pcni_sums t = *s;
    for (; n >= 2 * PCNI_LANES; n -= 2 * PCNI_LANES, w += 2 * PCNI_LANES, x += 2 * PCNI_LANES) {
        pcni_block(&t, w, x); /* two at once: counting competes with adding */
        pcni_block(&t, w + PCNI_LANES, x + PCNI_LANES);
    }
    if (n >= PCNI_LANES) pcni_block(&t, w, x);
    *s = t;
}

/* Adds the rest of n products, then takes the tree. */
PCNI_INLINE float pcni_finish(pcni_sums *s, const float *w, const float *x, uint32_t n)
{
    uint32_t k = n % PCNI_LANES;
    w += n - k;
    x += n - k;
    if (k > 0) s->a = pcni_mul_add_part(s->a, w, x, k);
    if (k > 8) s->b = pcni_mul_add_part(s->b, w + 8, x + 8, k - 8);
    if (k > 16) s->c = pcni_mul_add_part(s->c, w + 16, x + 16, k - 16);
    if (k > 24) s->d = pcni_mul_add_part(s->d, w + 24, x + 24, k - 24);
    return pcni_sum(pcni_add(pcni_add(s->a, s->c), pcni_add(s->b, s->d)));
}

/* Sum of w[i] x[i]. */
static inline float pcni_dense(const float *w, const float *x, uint32_t n)
{
    pcni_sums s;
    float sum;
    pcni_clear(&s);
    pcni_blocks(&s, w, x, n);
    sum = pcni_finish(&s, w, x, n);
    pcni_done();
    return sum;
}

/* The same for many rows of weights, piece by piece of x: while one piece is multiplied with all
 * rows, the next comes from memory. */
static void pcni_dense_rows(const float *w, size_t row, uint32_t rows, const float *x, uint32_t n,
                            float *score)
{
    enum { GROUP = 16 };
    const uint32_t piece = 128, line = 16;
    pcni_sums s[GROUP];
    uint32_t r, i, j, k;
    for (; rows != 0; rows -= k, w += k * row, score += k) {
        k = rows;
        if (k > GROUP) k = GROUP;
        for (r = 0; r < k; r++) pcni_clear(&s[r]);
        for (i = 0; i < n; i += j) {
            j = n - i < piece ? n - i : piece;
            for (r = i + piece; r < n && r < i + 2 * piece; r += line) PCNI_PREFETCH(x + r);
            for (r = 0; r < k; r++) pcni_blocks(&s[r], w + r * row + i, x + i, j);
        }
        for (r = 0; r < k; r++) score[r] = pcni_finish(&s[r], w + r * row, x, n);
    }
    pcni_done();
}

/* Scores of PCNI_W classes that stand side by side in feature-major weights: a lane is a vector. */
static void pcni_classes(const float *w, size_t column, uint32_t n, const pcn_vec *x, float *score,
                         uint32_t classes)
{
    pcni_v lane[PCNI_LANES];
    uint32_t i, h;
    for (i = 0; i < PCNI_LANES; i++) lane[i] = pcni_set(0);
    for (i = 0; i < x->count; i++) {
        uint32_t j = x->index ? x->index[i] : i;
        pcni_v v;
        if (j >= n) continue;
        v = pcni_load_part(w + j * column, classes);
        if (x->value) v = pcni_mul(v, pcni_set(x->value[i]));
        lane[j % PCNI_LANES] = pcni_add(lane[j % PCNI_LANES], v);
    }
    for (h = PCNI_LANES / 2; h != 0; h >>= 1)
        for (i = 0; i < h; i++) lane[i] = pcni_add(lane[i], lane[i + h]);
    pcni_store_part(score, lane[0], classes);
    pcni_done();
}

#endif

/* Sum of w[j * column] x[j] over j < n. */
static float pcni_dot(const float *w, size_t column, uint32_t n, const pcn_vec *x)
{
#if PERCEPTRON_SIMD != 0
    if (!x->index && x->value && column == 1)
        return pcni_dense(w, x->value, x->count < n ? x->count : n);
#endif
    return pcni_lanes(w, column, n, x);
}

/* Values i .. i + k - 1 of x, and the weights that go with them: read (pick) and written (place). */
PCNI_INLINE pcni_v pcni_values(const pcn_vec *x, uint32_t i, uint32_t k)
{
    if (!x->value) return pcni_set(1);
    return k == PCNI_W ? pcni_load(x->value + i) : pcni_load_part(x->value + i, k);
}

PCNI_INLINE pcni_v pcni_pick(const float *w, size_t column, uint32_t n, const pcn_vec *x,
                               uint32_t i, uint32_t k)
{
    float t[PCNI_W] = {0};
    uint32_t q;
    if (!x->index && column == 1)
        return k == PCNI_W ? pcni_load(w + i) : pcni_load_part(w + i, k);
    for (q = 0; q < k; q++) {
        uint32_t j = x->index ? x->index[i + q] : i + q;
        if (j < n) t[q] = w[j * column];
    }
    return pcni_load(t);
}

PCNI_INLINE void pcni_place(float *w, size_t column, uint32_t n, const pcn_vec *x, uint32_t i,
                              uint32_t k, pcni_v v)
{
    float t[PCNI_W];
    uint32_t q;
    if (!x->index && column == 1) {
        if (k == PCNI_W)
            pcni_store(w + i, v);
        else
            pcni_store_part(w + i, v, k);
        return;
    }
    pcni_store(t, v);
    for (q = 0; q < k; q++) {
        uint32_t j = x->index ? x->index[i + q] : i + q;
        if (j < n) w[j * column] = t[q];
    }
}

/* How many values stand at i, at most PCNI_W; 0 at the end. Dense vectors must fit n before. */
static inline uint32_t pcni_some(const pcn_vec *x, uint32_t i)
{
    return x->count - i < PCNI_W ? x->count - i : PCNI_W;
}

/* w[i] += step x[i]. */
static void pcni_dense_axpy(float *w, float step, const float *x, uint32_t n)
{
    pcni_v s = pcni_set(step);
#if PERCEPTRON_SIMD != 0
    for (; n >= PCNI_LANES; n -= PCNI_LANES, w += PCNI_LANES, x += PCNI_LANES) {
        pcni_v a = pcni_add(pcni_load(w), pcni_mul(s, pcni_load(x)));
        pcni_v b = pcni_add(pcni_load(w + 8), pcni_mul(s, pcni_load(x + 8)));
        pcni_v c = pcni_add(pcni_load(w + 16), pcni_mul(s, pcni_load(x + 16)));
        pcni_v d = pcni_add(pcni_load(w + 24), pcni_mul(s, pcni_load(x + 24)));
        pcni_store(w, a);
        pcni_store(w + 8, b);
        pcni_store(w + 16, c);
        pcni_store(w + 24, d);
    }
#endif
    for (; n >= PCNI_W; n -= PCNI_W, w += PCNI_W, x += PCNI_W)
        pcni_store(w, pcni_add(pcni_load(w), pcni_mul(s, pcni_load(x))));
    if (n != 0)
        pcni_store_part(w, pcni_add(pcni_load_part(w, n), pcni_mul(s, pcni_load_part(x, n))), n);
    pcni_done();
}

/* w[j * column] += step x[j] */
static void pcni_axpy(float *w, size_t column, uint32_t n, float step, const pcn_vec *x)
{
    pcni_v s = pcni_set(step);
    uint32_t i, k;
    if (!x->index && x->value && column == 1) {
        pcni_dense_axpy(w, step, x->value, x->count);
        return;
    }
    for (i = 0; (k = pcni_some(x, i)) != 0; i += k)
        pcni_place(w, column, n, x, i, k,
                   pcni_add(pcni_pick(w, column, n, x, i, k), pcni_mul(s, pcni_values(x, i, k))));
    pcni_done();
}

/* Would w[j * column] + step x[j] stay below 2^80 in size? From there on 2^48 times as much is
 * infinite, and infinity times 0 is NaN, which sticks to a sum. This loop and that of
 * pcni_axpy_mean are compiled twice: for dense rows the tests of the row's form leave the loop. */
PCNI_INLINE int pcni_fits_form(const float *w, size_t column, uint32_t n, float step,
                               const pcn_vec *x)
{
    pcni_v s = pcni_set(step), nil = pcni_set(0), large = pcni_set(281474976710656.0f), bad = nil;
    uint32_t i, k;
    float sum;
    for (i = 0; (k = pcni_some(x, i)) != 0; i += k) {
        pcni_v v = pcni_mul(s, pcni_values(x, i, k));
        v = pcni_add(pcni_pick(w, column, n, x, i, k), v);
        bad = pcni_add(bad, pcni_mul(pcni_mul(v, large), nil));
    }
    sum = pcni_sum(bad);
    pcni_done();
    return pcni_finite(sum);
}

static int pcni_fits(const float *w, size_t column, uint32_t n, float step, const pcn_vec *x)
{
#if PERCEPTRON_SIMD != 0
    if (!x->index && x->value && column == 1) {
        pcn_vec dense = pcn_dense(x->value, x->count);
        return pcni_fits_form(w, 1, n, step, &dense);
    }
#endif
    return pcni_fits_form(w, column, n, step, x);
}

/* 2^k e^r for whole k from -127 to 127 and |r| <= (ln 2) / 2: 1 + r + r^2 p(r), where p interpolates
 * (e^r - 1 - r) / r^2 at six Chebyshev nodes. Exact for r = 0; 0 for k = -127. */
static inline pcni_v pcni_exp_parts(pcni_v k, pcni_v r)
{
    static const float c[] = {0.00139336416f, 0.00833331048f, 0.0416664667f, 0.166666672f, 0.5f};
    pcni_v p = pcni_set(0.000198909809f);
    uint32_t i;
    for (i = 0; i < 5; i++) p = pcni_add(pcni_mul(p, r), pcni_set(c[i]));
    p = pcni_add(pcni_set(1), pcni_add(r, pcni_mul(pcni_mul(r, r), p)));
    return pcni_mul(p, pcni_pow2(k));
}

/* The nearest whole number, for |v| < 2^22. */
static inline pcni_v pcni_whole(pcni_v v)
{
    pcni_v magic = pcni_set(12582912.0f); /* 1.5 * 2^23: no place for fractions */
    return pcni_sub(pcni_add(v, magic), magic);
}

/* e, but -127 for everything below -126: what would be denormal becomes 0. */
static inline pcni_v pcni_above_denormal(pcni_v e)
{
    pcni_v below = pcni_min(pcni_add(e, pcni_set(126)), pcni_set(0));
    return pcni_max(pcni_add(e, pcni_mul(below, pcni_set(1048576.0f))), pcni_set(-127));
}

/* 2^e for e <= 127.4, within 1.5 ulp; 0 below 2^-126. */
static inline pcni_v pcni_exp2(pcni_v e)
{
    pcni_v k;
    e = pcni_above_denormal(e);
    k = pcni_whole(e);
    return pcni_exp_parts(k, pcni_mul(pcni_sub(e, k), pcni_set(0.693147182f)));
}

/* e^t for t <= 0, within 1.5 ulp; 0 below 2^-126. ln 2 is taken off in two parts, of which the first has
 * so few bits that its product with k is exact (Cody and Waite). */
PCN_MAYBE_UNUSED static inline pcni_v pcni_exp(pcni_v t)
{
    pcni_v e = pcni_above_denormal(pcni_mul(t, pcni_set(1.44269502f))), k = pcni_whole(e), r;
    r = pcni_sub(pcni_max(t, pcni_set(-88)), pcni_mul(k, pcni_set(0.693359375f)));
    r = pcni_sub(r, pcni_mul(k, pcni_set(-0.000212194440f)));
    return pcni_exp_parts(k, r);
}

PCN_API float pcn_dot_at(const float *w, uint32_t n, const pcn_vec *x)
{
    return pcni_dot(w, 1, n, x);
}

PCN_API void pcn_add_at(float *w, uint32_t n, float scale, const pcn_vec *x)
{
    if (x->index || x->count <= n) {
        pcni_axpy(w, 1, n, scale, x);
    } else {
        pcn_vec part = pcn_dense(x->value, n);
        pcni_axpy(w, 1, n, scale, &part);
    }
}

static float pcni_norm2(const pcn_vec *x)
{
#if PERCEPTRON_SIMD != 0
    if (!x->index && x->value) return pcni_dense(x->value, x->value, x->count);
#endif
    return pcni_lanes(NULL, 0, UINT32_MAX, x);
}

PCN_API float pcn_norm2_at(const pcn_vec *x)
{
    return pcni_norm2(x);
}

/* The lowest class with the highest score, `not_this` left out. */
static uint32_t pcni_best(const float *score, uint32_t classes, uint32_t not_this)
{
    uint32_t k, best = not_this == 0;
    for (k = best + 1; k < classes; k++)
        if (k != not_this && score[k] > score[best]) best = k;
    return best;
}

PCN_API int pcn_decide(const float *score, uint32_t classes)
{
    if (classes == 1) return score[0] >= 0 ? 1 : -1;
    return (int)pcni_best(score, classes, UINT32_MAX);
}

/* ---- Frozen linear models -------------------------------------------------------------------- */

static void pcni_scores(const pcn_linear *m, const pcn_vec *x, float *score)
{
    uint32_t c;
#if PERCEPTRON_SIMD != 0
    if (m->column != 1) {
        for (c = 0; c < m->classes; c += PCNI_W) {
            uint32_t left = m->classes - c;
            if (left > PCNI_W) left = PCNI_W;
            pcni_classes(m->weight + c, m->column, m->features, x, score + c, left);
        }
    } else if (!x->index && x->value) {
        pcni_dense_rows(m->weight, m->row, m->classes, x->value,
                        x->count < m->features ? x->count : m->features, score);
    } else
#endif
        for (c = 0; c < m->classes; c++)
            score[c] = pcni_dot(m->weight + (size_t)c * m->row, m->column, m->features, x);
    for (c = 0; m->bias && c < m->classes; c++) score[c] = pcni_plus(score[c], m->bias[c]);
}

PCN_API float pcn_linear_score_at(const pcn_linear *m, const pcn_vec *x)
{
    float s = pcni_dot(m->weight, m->column, m->features, x);
    return m->bias ? pcni_plus(s, m->bias[0]) : s;
}

PCN_API void pcn_linear_scores_at(const pcn_linear *m, const pcn_vec *x, float *score)
{
    pcni_scores(m, x, score);
}

PCN_API int pcn_linear_predict_class_at(const pcn_linear *m, const pcn_vec *x)
{
    float score[PCNI_W], best = 0;
    uint32_t c, k, winner = 0;
    pcn_linear part = *m;
    for (c = 0; c < m->classes; c += PCNI_W) {
        part.weight = m->weight + (size_t)c * m->row;
        part.bias = m->bias ? m->bias + c : NULL;
        part.classes = m->classes - c < PCNI_W ? m->classes - c : PCNI_W;
        pcni_scores(&part, x, score);
        k = pcni_best(score, part.classes, UINT32_MAX);
        if (c == 0 || score[k] > best) {
            best = score[k];
            winner = c + k;
        }
    }
    return (int)winner;
}

PCN_API pcn_linear pcn_linear_copy(const pcn_linear *m, float *out)
{
    pcn_linear copy = *m;
    uint32_t c, j;
    copy.weight = out;
    copy.row = m->column == 1 ? m->features : 1;
    for (c = 0; c < m->classes; c++)
        for (j = 0; j < m->features; j++)
            out[(size_t)c * copy.row + (size_t)j * copy.column] =
                m->weight[(size_t)c * m->row + (size_t)j * m->column];
    out += (size_t)m->features * m->classes;
    copy.bias = out;
    for (c = 0; c < m->classes; c++) out[c] = m->bias ? m->bias[c] : 0;
    return copy;
}

PCN_API uint32_t pcn_linear_top(const pcn_linear *m, uint32_t cls, int sign, uint32_t *feature,
                                uint32_t k)
{
    const float *w = m->weight + (size_t)cls * m->row;
    uint32_t j, i, found = 0;
    for (j = 0; j < m->features && k != 0; j++) {
        float v = w[(size_t)j * m->column];
        for (i = found; i != 0; i--) {
            float other = w[(size_t)feature[i - 1] * m->column];
            if (sign < 0 ? other <= v : other >= v) break;
            if (i < k) feature[i] = feature[i - 1];
        }
        if (i < k) feature[i] = j;
        if (found < k) found++;
    }
    return found;
}

/* ---- The linear trainer: rules --------------------------------------------------------------- */

/* gap / norm2: 0 for an empty row, NaN for an infinite norm, so that learn reports it. */
static float pcni_ratio(float gap, float norm2)
{
    return norm2 > 0 ? pcni_plus(pcni_over(gap, norm2), pcni_minus(norm2, norm2)) : 0;
}

static float pcni_step_fixed(const pcn_rule *rule, float gap, float slope)
{
    (void)gap, (void)slope;
    return rule->rate;
}

static float pcni_step_absolute(const pcn_rule *rule, float gap, float slope)
{
    float q = pcni_ratio(gap, slope);
    (void)rule;
    if (q < 16777216.0f) q = pcni_plus((float)(int32_t)q, 1); /* from 2^24 on floats have no +1 */
    return slope > 0 ? q : 0;
}

static float pcni_step_fractional(const pcn_rule *rule, float gap, float slope)
{
    return gap == 0 ? rule->rate : pcni_times(rule->limit, pcni_ratio(gap, slope));
}

static float pcni_step_pa(const pcn_rule *rule, float gap, float slope)
{
    float q = pcni_ratio(gap, slope);
    return q > rule->limit ? rule->limit : q;
}

static float pcni_step_pa2(const pcn_rule *rule, float gap, float slope)
{
    return slope > 0 ? pcni_ratio(gap, pcni_plus(slope, pcni_over(0.5f, rule->limit))) : 0;
}

PCN_API pcn_rule pcn_rule_fixed(float rate)
{
    pcn_rule r;
    r.step = pcni_step_fixed;
    r.rate = rate;
    r.margin = 0;
    r.limit = 0;
    return r;
}

PCN_API pcn_rule pcn_rule_absolute(void)
{
    pcn_rule r = pcn_rule_fixed(1);
    r.step = pcni_step_absolute;
    return r;
}

PCN_API pcn_rule pcn_rule_fractional(float lambda)
{
    pcn_rule r = pcn_rule_fixed(1);
    r.step = pcni_step_fractional;
    r.limit = lambda;
    return r;
}

PCN_API pcn_rule pcn_rule_pa(float c)
{
    pcn_rule r = pcn_rule_fixed(1);
    r.step = pcni_step_pa;
    r.margin = 1;
    r.limit = c;
    return r;
}

PCN_API pcn_rule pcn_rule_pa2(float c)
{
    pcn_rule r = pcn_rule_pa(c);
    r.step = pcni_step_pa2;
    return r;
}

/* ---- The linear trainer ---------------------------------------------------------------------- */

static float *pcni_biases(const pcn_perceptron *m, float *array)
{
    return array + (size_t)m->model.features * m->model.classes;
}

/* One class moves by step (x, bias). */
static void pcni_move(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias)
{
    const pcn_linear *l = &m->model;
    float *b = pcni_biases(m, m->weight) + cls;
    pcni_axpy(m->weight + (size_t)cls * l->row, l->column, l->features, step, x);
    *b = pcni_plus(*b, pcni_times(step, bias));
}

PCN_API int pcn_perceptron_init(pcn_perceptron *m, float *memory, size_t floats, uint32_t features,
                                uint32_t classes)
{
    size_t each = classes ? floats / classes : 0;
    if (!memory || each < 3 || each - 3 < features) return PCN_ESETUP;
    memset(m, 0, sizeof *m);
    m->weight = memory;
    m->score = memory + PCN_BATCH(features, classes);
    m->model.weight = memory;
    m->model.features = m->model.row = features;
    m->model.classes = classes;
    m->model.column = 1;
    m->model.bias = pcni_biases(m, memory);
    m->rule = pcn_rule_fixed(1);
    m->bias_input = 1;
    m->norm2 = -1;
    m->move = pcni_move;
    memset(memory, 0, PCN_WEIGHTS(features, classes) * sizeof *memory);
    return PCN_OK;
}

/* Does every class fit its change, in the array that is about to move? */
static int pcni_all_fit(const pcn_perceptron *m, const float *change, const pcn_vec *x, float bias)
{
    const pcn_linear *l = &m->model;
    const float *array = m->batch ? m->batch : m->weight;
    size_t row = m->batch ? l->features : l->row, column = m->batch ? 1 : l->column;
    pcn_vec one = pcn_dense(&bias, 1);
    uint32_t k;
    for (k = 0; k < l->classes; k++)
        if (change[k] != 0 &&
            (!pcni_fits(array + k * row, column, l->features, change[k], x) ||
             !pcni_fits(array + (size_t)l->features * l->classes + k, 1, 1, change[k], &one)))
            return 0;
    return 1;
}

/* NaN or infinity times 0 is NaN, which sticks to the sum. */
static int pcni_all_finite(const float *f, uint32_t n)
{
    float bad = 0;
    uint32_t i;
    for (i = 0; i < n; i++) bad = pcni_plus(bad, pcni_times(f[i], 0));
    return pcni_finite(bad);
}

/* Guess and counts of an example that has been learned. */
static int pcni_note(pcn_perceptron *m, uint32_t y, uint32_t fired)
{
    int wrong;
    m->guess = pcn_decide(m->score, m->model.classes);
    if (m->model.classes == 1) {
        if (m->zero_negative && m->score[0] == 0) m->guess = -1;
        wrong = (m->guess < 0) != (y != 0);
    } else {
        wrong = m->guess != (int)y;
    }
    m->count.rows++;
    m->count.updates += fired;
    m->count.mistakes += (uint32_t)wrong;
    return fired != 0;
}

static int pcni_fits_features(const pcn_vec *x, uint32_t features)
{
    return x->count == 0 || (x->index ? x->index[x->count - 1] : x->count - 1) < features;
}

/* y: the class; binary: 0 is the positive one. */
static int pcni_learn(pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                      uint32_t (*update)(const pcn_perceptron *, const pcn_vec *, uint32_t, float *))
{
    const pcn_linear *l = &m->model;
    float *change = m->score + l->classes, bias = pcni_times(m->bias_input, m->bias_input);
    uint32_t k, fired;
    if (!pcni_fits_features(x, l->features)) return PCN_EINDEX;
    pcni_scores(l, x, m->score);
    if (!pcni_all_finite(m->score, l->classes)) return PCN_EVALUE; /* NaN in x is NaN in all */

    fired = update(m, x, y, change);
    if (fired && !pcni_all_fit(m, change, x, bias)) return PCN_EVALUE;
    m->clock++;
    for (k = 0; fired && k < l->classes; k++)
        if (change[k] != 0) m->move(m, k, change[k], x, bias);

    return pcni_note(m, y, fired);
}

PCN_API int pcn_perceptron_learn_at(pcn_perceptron *m, const pcn_vec *x, int y)
{
    if (m->model.classes != 1) return PCN_ELABEL;
    return pcni_learn(m, x, y <= 0, pcn_update_one_vs_rest);
}

PCN_API int pcn_perceptron_learn_class_at(pcn_perceptron *m, const pcn_vec *x, int y)
{
    if (m->model.classes < 2 || y < 0 || (uint32_t)y >= m->model.classes) return PCN_ELABEL;
    return pcni_learn(m, x, (uint32_t)y, m->update ? m->update : pcn_update_predicted);
}

/* The rule's step for margin y s, 0 if it does not fire. wrong_at_0: is the class predicted at a
 * score of 0, or at this tie, the wrong one? direction = a_y - a_r. */
static float pcni_step(const pcn_perceptron *m, float margin, int wrong_at_0, const pcn_vec *x,
                       float direction)
{
    float gap = pcni_minus(m->rule.margin, margin), norm2 = m->norm2;
    if (!(gap >= 0)) return 0;
    if (gap == 0 && m->rule.margin == 0 && m->zero_predicted && !wrong_at_0) return 0;
    if (norm2 < 0) norm2 = pcni_plus(pcni_norm2(x), pcni_times(m->bias_input, m->bias_input));
    return m->rule.step(&m->rule, gap, pcni_times(direction, norm2));
}

/* Class y gains the rule's step, every other loses `share` of it. r: the best rival of y. */
static uint32_t pcni_push(const pcn_perceptron *m, const pcn_vec *x, uint32_t y, uint32_t r,
                          float share, float *change)
{
    const float *s = m->score;
    uint32_t k;
    float step = pcni_step(m, pcni_minus(s[y], s[r]), r < y, x, pcni_plus(1, share));
    for (k = 0; k < m->model.classes; k++) change[k] = k == y ? step : -pcni_times(step, share);
    return step != 0;
}

PCN_API uint32_t pcn_update_predicted(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                      float *change)
{
    uint32_t k, r = pcni_best(m->score, m->model.classes, y);
    uint32_t fired = pcni_push(m, x, y, r, 1, change);
    for (k = 0; k < m->model.classes; k++)
        if (k != y && k != r) change[k] = 0;
    return fired;
}

PCN_API uint32_t pcn_update_others(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                   float *change)
{
    return pcni_push(m, x, y, pcni_best(m->score, m->model.classes, y), 1, change);
}

PCN_API uint32_t pcn_update_uniform(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                    float *change)
{
    const float *s = m->score;
    uint32_t k, violators = 0, fired;
    for (k = 0; k < m->model.classes; k++)
        violators += k != y && pcni_minus(s[y], s[k]) <= m->rule.margin;
    if (violators == 0) return 0;
    fired = pcni_push(m, x, y, pcni_best(s, m->model.classes, y), pcni_over(1, (float)violators),
                      change);
    for (k = 0; k < m->model.classes; k++)
        if (k != y && !(pcni_minus(s[y], s[k]) <= m->rule.margin)) change[k] = 0;
    return fired;
}

PCN_API uint32_t pcn_update_one_vs_rest(const pcn_perceptron *m, const pcn_vec *x, uint32_t y,
                                        float *change)
{
    uint32_t k, fired = 0;
    for (k = 0; k < m->model.classes; k++) {
        int positive = k == y;
        float s = m->score[k], step;
        step = pcni_step(m, positive ? s : -s, positive == (m->zero_negative != 0), x, 1);
        change[k] = positive ? step : -step;
        fired += step != 0;
    }
    return fired;
}

PCN_API int pcn_feature_major_init(pcn_perceptron *m)
{
    pcn_linear *l = &m->model;
    if (m->sum || m->batch || m->exponent) return PCN_ESETUP;
    l->row = l->classes == 1 ? l->features : 1;
    l->column = l->classes;
    memset(m->weight, 0, PCN_BATCH(l->features, l->classes) * sizeof *m->weight);
    return PCN_OK;
}

/* ---- The linear trainer: averaging -----------------------------------------------------------
 * CIML Algorithm 7: with c = the number of the example, u += c (change of w); mean = w - u / (n + 1).
 * u is an unevaluated sum of two floats, and so is each product that is added to it: c = c1 + c0,
 * where c1 is a multiple of 4,096 and both have at most 12 bits (c1 of 24 above 2^24 examples), and a
 * change is split likewise, so that the partial products are exact and tell what the whole one lost. */

/* s + e = a + b exactly (Knuth). */
#define PCNI_TWO_SUM(a, b, s, e)                                                                 \
    do {                                                                                         \
        pcni_v pcni_t;                                                                           \
        s = pcni_add(a, b);                                                                      \
        pcni_t = pcni_sub(s, a);                                                                 \
        e = pcni_add(pcni_sub(a, pcni_sub(s, pcni_t)), pcni_sub(b, pcni_t));                     \
    } while (0)

/* p + t = c x exactly, where c = c1 + c0 as above (Dekel). */
#define PCNI_TWO_PRODUCT(c, c1, c0, x, p, t)                                                     \
    do {                                                                                         \
        pcni_v pcni_x1 = pcni_head(x), pcni_x0 = pcni_sub(x, pcni_x1);                           \
        p = pcni_mul(c, x);                                                                      \
        t = pcni_add(pcni_sub(pcni_mul(c1, pcni_x1), p), pcni_mul(c1, pcni_x0));                 \
        t = pcni_add(pcni_add(t, pcni_mul(c0, pcni_x1)), pcni_mul(c0, pcni_x0));                 \
    } while (0)

typedef struct pcni_clock { /* as above */
    pcni_v c, c1, c0;
} pcni_clock;

static inline pcni_clock pcni_split_clock(uint64_t clock)
{
    pcni_clock c;
    c.c1 = pcni_set((float)(uint32_t)(clock >> 12) * 4096.0f);
    c.c0 = pcni_set((float)(uint32_t)(clock & 4095u));
    c.c = pcni_add(c.c1, c.c0);
    return c;
}

/* Adds c (now - old) to k sums, those that belong to the values of x from i on. */
PCNI_INLINE void pcni_account_part(float *sum, float *rest, size_t column, uint32_t n,
                                   const pcn_vec *x, uint32_t i, uint32_t k, pcni_v old, pcni_v now,
                                   const pcni_clock *c)
{
    pcni_v d, lost, p, u, v, e, t = pcni_sub(pcni_set(0), old);
    PCNI_TWO_SUM(now, t, d, lost); /* d + lost = now - old */
    PCNI_TWO_PRODUCT(c->c, c->c1, c->c0, d, p, t);
    t = pcni_add(t, pcni_mul(c->c, lost));
    v = pcni_pick(sum, column, n, x, i, k);
    PCNI_TWO_SUM(v, p, u, e);
    v = pcni_add(pcni_pick(rest, column, n, x, i, k), pcni_add(e, t));
    PCNI_TWO_SUM(u, v, t, e);
    pcni_place(sum, column, n, x, i, k, t);
    pcni_place(rest, column, n, x, i, k, e);
}

/* w[j * column] += step x[j], and c times the true change to the sums beside it. */
PCNI_INLINE void pcni_axpy_mean_form(float *w, float *sum, float *rest, size_t column, uint32_t n,
                                     float step, const pcn_vec *x, uint64_t clock)
{
    pcni_clock c = pcni_split_clock(clock);
    pcni_v s = pcni_set(step);
    uint32_t i, k;
    for (i = 0; (k = pcni_some(x, i)) != 0; i += k) {
        pcni_v old = pcni_pick(w, column, n, x, i, k);
        pcni_v now = pcni_add(old, pcni_mul(s, pcni_values(x, i, k)));
        pcni_place(w, column, n, x, i, k, now);
        pcni_account_part(sum, rest, column, n, x, i, k, old, now, &c);
    }
    pcni_done();
}

static void pcni_axpy_mean(float *w, float *sum, float *rest, size_t column, uint32_t n, float step,
                           const pcn_vec *x, uint64_t clock)
{
#if PERCEPTRON_SIMD != 0
    if (!x->index && x->value && column == 1) {
        pcn_vec dense = pcn_dense(x->value, x->count);
        pcni_axpy_mean_form(w, sum, rest, 1, n, step, &dense, clock);
        return;
    }
#endif
    pcni_axpy_mean_form(w, sum, rest, column, n, step, x, clock);
}

static void pcni_move_mean(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias)
{
    const pcn_linear *l = &m->model;
    size_t at = (size_t)cls * l->row, b = (size_t)l->features * l->classes + cls;
    float *rest = m->sum + PCN_BATCH(l->features, l->classes);
    pcn_vec one = pcn_dense(&bias, 1);
    pcni_axpy_mean(m->weight + at, m->sum + at, rest + at, l->column, l->features, step, x, m->clock);
    pcni_axpy_mean(m->weight + b, m->sum + b, rest + b, 1, 1, step, &one, m->clock);
}

/* The same for weights that another section moves; `at`: the first weight of the class. */
static void pcni_account(const pcn_perceptron *m, size_t at, const pcn_vec *x, uint32_t i, uint32_t k,
                         const float *old, const float *now)
{
    const pcn_linear *l = &m->model;
    float *sum = m->sum + at, *rest = sum + PCN_BATCH(l->features, l->classes);
    pcni_clock c = pcni_split_clock(m->clock);
    pcni_account_part(sum, rest, l->column, l->features, x, i, k, pcni_load(old), pcni_load(now), &c);
}

PCN_API int pcn_averaging_init(pcn_perceptron *m, float *sum, size_t floats)
{
    size_t need = PCN_SUMS(m->model.features, m->model.classes);
    if (!sum || floats / 2 < need / 2) return PCN_ESETUP;
    memset(sum, 0, need * sizeof *sum);
    m->sum = sum;
    m->clock = 0;
    m->account = pcni_account;
    if (m->exponent) return PCN_OK;
    if (m->batch)
        m->held = pcni_move_mean;
    else
        m->move = pcni_move_mean;
    return PCN_OK;
}

/* mean = (c w - sum - rest) / c for n weights. The numerator is exact but for the last bits of its
 * lower part, however much cancels; the quotient is corrected once by what is left over. */
static void pcni_mean(const float *w, const float *sum, const float *rest, size_t n, uint64_t clock,
                      float *mean)
{
    pcni_clock c = pcni_split_clock(clock);
    uint32_t k;
    for (; n != 0; n -= k, w += k, sum += k, rest += k, mean += k) {
        pcni_v v, p, t, s, e, q;
        k = n < PCNI_W ? (uint32_t)n : PCNI_W;
        v = pcni_load_part(w, k);
        PCNI_TWO_PRODUCT(c.c, c.c1, c.c0, v, p, t);
        v = pcni_sub(pcni_set(0), pcni_load_part(sum, k));
        PCNI_TWO_SUM(p, v, s, e);
        v = pcni_add(e, pcni_sub(t, pcni_load_part(rest, k)));
        PCNI_TWO_SUM(s, v, p, e); /* p + e: the sum of all weights */
        q = pcni_div(p, c.c);
        PCNI_TWO_PRODUCT(c.c, c.c1, c.c0, q, s, t);
        v = pcni_add(pcni_sub(pcni_sub(p, s), t), e);
        pcni_store_part(mean, pcni_add(q, pcni_div(v, c.c)), k);
    }
    pcni_done();
}

PCN_API pcn_linear pcn_averaging_view(const pcn_perceptron *m, float *out)
{
    pcn_linear mean = m->model;
    size_t n = PCN_BATCH(mean.features, mean.classes);
    pcni_mean(m->weight, m->sum, m->sum + n, n, m->clock + 1, out);
    mean.weight = out;
    mean.bias = pcni_biases(m, out);
    return mean;
}

/* ---- The linear trainer: batches ------------------------------------------------------------- */

static void pcni_collect(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias)
{
    uint32_t n = m->model.features;
    float *b = pcni_biases(m, m->batch) + cls;
    pcni_axpy(m->batch + (size_t)cls * n, 1, n, step, x); /* class-major, whatever the weights are */
    *b = pcni_plus(*b, pcni_times(step, bias));
}

PCN_API int pcn_batching_init(pcn_perceptron *m, float *batch, size_t floats)
{
    size_t need = PCN_BATCH(m->model.features, m->model.classes);
    if (!batch || floats < need) return PCN_ESETUP;
    memset(batch, 0, need * sizeof *batch);
    if (!m->batch) {
        m->held = m->move;
        m->move = pcni_collect;
    }
    m->batch = batch;
    return PCN_OK;
}

PCN_API int pcn_batching_apply(pcn_perceptron *m, float scale)
{
    const pcn_linear *l = &m->model;
    const float *bias = pcni_biases(m, m->batch);
    size_t i, n = l->features, all = PCN_BATCH(n, l->classes);
    uint32_t k;
    int changed = 0;
    for (i = 0; i < all; i++) changed |= m->batch[i] != 0;
    if (!changed) return 0;
    for (k = 0; k < l->classes; k++) {
        pcn_vec x = pcn_dense(m->batch + k * n, l->features), one = pcn_dense(bias + k, 1);
        if (!pcni_fits(m->weight + (size_t)k * l->row, l->column, l->features, scale, &x) ||
            !pcni_fits(pcni_biases(m, m->weight) + k, 1, 1, scale, &one))
            return PCN_EVALUE;
    }
    for (k = 0; k < l->classes; k++) {
        pcn_vec x = pcn_dense(m->batch + k * n, l->features);
        m->held(m, k, scale, &x, bias[k]);
    }
    memset(m->batch, 0, all * sizeof *m->batch);
    return scale != 0;
}

/* ---- The linear trainer: Winnow -------------------------------------------------------------- */

/* 2^e, or 2^e - 2^-e, at most 2^64 in size. */
static inline pcni_v pcni_winnow_weight(pcni_v e, int balanced)
{
    pcni_v most = pcni_set(64), w = pcni_exp2(pcni_min(e, most));
    if (!balanced) return w;
    return pcni_sub(w, pcni_exp2(pcni_min(pcni_sub(pcni_set(0), e), most)));
}

static void pcni_move_winnow(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias)
{
    const pcn_linear *l = &m->model;
    size_t at = (size_t)cls * l->row;
    float *w = m->weight + at, *exponent = m->exponent + at, before[PCNI_W], after[PCNI_W];
    pcni_v s = pcni_set(step), most = pcni_set(1048576.0f), least = pcni_set(-1048576.0f);
    uint32_t i, k;
    (void)bias;
    for (i = 0; (k = pcni_some(x, i)) != 0; i += k) {
        pcni_v e = pcni_pick(exponent, l->column, l->features, x, i, k), now;
        e = pcni_add(e, pcni_mul(s, pcni_values(x, i, k)));
        e = pcni_max(pcni_min(e, most), least);
        now = pcni_winnow_weight(e, m->balanced);
        if (m->account) {
            pcni_store(before, pcni_pick(w, l->column, l->features, x, i, k));
            pcni_store(after, now);
            m->account(m, at, x, i, k, before, after);
        }
        pcni_place(exponent, l->column, l->features, x, i, k, e);
        pcni_place(w, l->column, l->features, x, i, k, now);
    }
    pcni_done();
}

PCN_API int pcn_winnow_init(pcn_perceptron *m, float *exponent, size_t floats, float threshold,
                            int balanced)
{
    const pcn_linear *l = &m->model;
    size_t need = PCN_BATCH(l->features, l->classes), i, n = need - l->classes;
    if (!exponent || floats < need || m->sum || m->batch || !pcni_finite(threshold)) return PCN_ESETUP;
    memset(exponent, 0, need * sizeof *exponent);
    for (i = 0; i < need; i++) m->weight[i] = i >= n ? -threshold : balanced ? 0 : 1;
    m->exponent = exponent;
    m->balanced = balanced != 0;
    m->bias_input = 0;
    m->move = pcni_move_winnow;
    return PCN_OK;
}

/* ---- Kernel models: kernels ------------------------------------------------------------------ */

static void pcni_linear_of_dots(const pcn_kernel *k, float *dot, const float *norm2, float xx,
                                uint32_t n)
{
    (void)k, (void)dot, (void)norm2, (void)xx, (void)n;
}

static void pcni_poly_of_dots(const pcn_kernel *k, float *dot, const float *norm2, float xx, uint32_t n)
{
    pcni_v gamma = pcni_set(k->gamma), coef0 = pcni_set(k->coef0);
    uint32_t i, some, d;
    (void)norm2, (void)xx;
    for (i = 0; i < n; i += some) {
        pcni_v base, power = pcni_set(1);
        some = n - i < PCNI_W ? n - i : PCNI_W;
        base = pcni_add(pcni_mul(gamma, pcni_load_part(dot + i, some)), coef0);
        for (d = k->degree; d != 0; d >>= 1) { /* squares: as many products as degree has bits */
            if (d & 1u) power = pcni_mul(power, base);
            if (d > 1) base = pcni_mul(base, base);
        }
        pcni_store_part(dot + i, power, some);
    }
    pcni_done();
}

static void pcni_rbf_of_dots(const pcn_kernel *k, float *dot, const float *norm2, float xx, uint32_t n)
{
    pcni_v gamma = pcni_set(-k->gamma), nil = pcni_set(0), x2 = pcni_set(xx), two = pcni_set(2);
    uint32_t i, some;
    for (i = 0; i < n; i += some) {
        pcni_v d;
        some = n - i < PCNI_W ? n - i : PCNI_W;
        d = pcni_add(x2, pcni_load_part(norm2 + i, some));
        d = pcni_sub(d, pcni_mul(two, pcni_load_part(dot + i, some))); /* |x - z|^2 but for rounding */
        pcni_store_part(dot + i, pcni_exp(pcni_mul(gamma, pcni_max(d, nil))), some);
    }
    pcni_done();
}

PCN_API pcn_kernel pcn_kernel_linear(void)
{
    pcn_kernel k;
    memset(&k, 0, sizeof k);
    k.of_dots = pcni_linear_of_dots;
    k.id = 1;
    return k;
}

PCN_API pcn_kernel pcn_kernel_poly(uint32_t degree, float gamma, float coef0)
{
    pcn_kernel k = pcn_kernel_linear();
    k.of_dots = pcni_poly_of_dots;
    k.id = 2;
    k.degree = degree;
    k.gamma = gamma;
    k.coef0 = coef0;
    return k;
}

PCN_API pcn_kernel pcn_kernel_rbf(float gamma)
{
    pcn_kernel k = pcn_kernel_linear();
    k.of_dots = pcni_rbf_of_dots;
    k.id = 3;
    k.gamma = gamma;
    return k;
}

static pcn_vec pcni_stored(const pcn_support *m, uint32_t s)
{
    const pcn_slot *slot = &m->slot[s];
    return pcn_sparse(m->index ? m->index + slot->start : NULL, m->value + slot->start, slot->count);
}

/* Spreads a sparse x over an array of `features` zeros; with on = 0, takes it away again. */
static void pcni_spread(const pcn_vec *x, float *dense, uint32_t features, int on)
{
    uint32_t i;
    for (i = 0; i < x->count; i++) {
        uint32_t j = x->index ? x->index[i] : i;
        if (j < features) dense[j] = !on ? 0 : x->value ? x->value[i] : 1;
    }
}

/* Does x meet the stored vectors as an array of numbers? If they are sparse, one of both must be. */
static int pcni_needs_spread(const pcn_support *m, const pcn_vec *x)
{
    return m->index && (x->index || !x->value);
}

/* x.z for n slots from `from` on. spread: x as an array, where pcni_needs_spread. */
static void pcni_dots(const pcn_support *m, const pcn_vec *x, const float *spread, uint32_t from,
                      uint32_t n, float *dot)
{
    uint32_t i;
    for (i = 0; i < n; i++) {
        pcn_vec z = pcni_stored(m, from + i);
        if (!z.index)
            dot[i] = pcni_dot(z.value, 1, z.count, x);
        else if (spread)
            dot[i] = pcni_lanes(spread, 1, m->features, &z);
        else
            dot[i] = pcni_lanes(x->value, 1, x->count, &z);
    }
}

/* K(x, z) + B^2 for n slots from `from` on. */
static void pcni_kernels(const pcn_support *m, const pcn_vec *x, float xx, const float *spread,
                         uint32_t from, uint32_t n, float *out)
{
    uint32_t i;
    if (n == 0) return;
    if (m->kernel.of_dots) {
        pcni_dots(m, x, spread, from, n, out);
        m->kernel.of_dots(&m->kernel, out, m->norm2 + from, xx, n);
    } else {
        for (i = 0; i < n; i++) {
            pcn_vec z = pcni_stored(m, from + i);
            out[i] = m->kernel.of_vectors(&m->kernel, x, &z);
        }
    }
    for (i = 0; m->bias2 != 0 && i < n; i++) out[i] = pcni_plus(out[i], m->bias2);
}

/* K(x, x) + B^2 */
static float pcni_kernel_self(const pcn_support *m, const pcn_vec *x, float xx)
{
    float k = xx;
    if (m->kernel.of_dots)
        m->kernel.of_dots(&m->kernel, &k, &xx, xx, 1);
    else
        k = m->kernel.of_vectors(&m->kernel, x, x);
    return pcni_plus(k, m->bias2);
}

/* ---- Kernel models: decisions ---------------------------------------------------------------- */

/* The coefficients as a feature-major linear model over kernel values. */
static pcn_linear pcni_coefficients(const pcn_support *m)
{
    pcn_linear l;
    l.weight = m->coef;
    l.bias = NULL;
    l.features = m->slots;
    l.classes = m->classes;
    l.row = m->classes == 1 ? m->slots : 1;
    l.column = m->classes;
    return l;
}

/* A step counts from its example to the present, T + 1 - clock examples of T + 1. */
static void pcni_mean_scores(const pcn_support *m, const float *kernel, float *score)
{
    uint32_t i, c;
    for (i = 0; i < m->changes; i++) {
        const pcn_change *e = &m->log[i];
        float age = (float)(m->clock + 1 - e->clock);
        age = pcni_times(pcni_times(age, e->step), kernel[e->slot]);
        score[e->cls] = pcni_plus(score[e->cls], age);
    }
    for (c = 0; c < m->classes; c++) score[c] = pcni_over(score[c], (float)(m->clock + 1));
}

/* A vote of `count` for the class that f predicts; by class: for the sign of each score. */
static void pcni_vote(const pcn_support *m, const float *f, uint32_t cls, uint32_t count, float *votes)
{
    float c = (float)count;
    if (!m->by_class)
        cls = pcni_best(f, m->classes, UINT32_MAX);
    else if (f[cls] < 0 || (f[cls] == 0 && m->zero_negative))
        c = -c;
    votes[cls] = pcni_plus(votes[cls], c);
}

/* work: f of each class. Votes are counted in floats: exact up to 2^24. */
static void pcni_vote_scores(const pcn_support *m, const float *kernel, float *score, float *work)
{
    float *f = work, *votes = score;
    uint32_t i, c, begun;
    for (c = 0; c < m->classes; c++) f[c] = 0;
    if (m->by_class) {
        for (c = 0; c < m->classes; c++) {
            begun = 0;
            for (i = 0; i < m->changes; i++) {
                const pcn_change *e = &m->log[i];
                if (e->cls != c) continue;
                if (begun) pcni_vote(m, f, c, e->clock - begun, votes);
                begun = e->clock;
                f[c] = pcni_plus(f[c], pcni_times(e->step, kernel[e->slot]));
            }
            if (begun) pcni_vote(m, f, c, m->clock + 1 - begun, votes);
        }
        return;
    }
    for (i = 0, begun = 0; i < m->changes; i++) {
        const pcn_change *e = &m->log[i];
        if (begun && e->clock != begun) pcni_vote(m, f, 0, e->clock - begun, votes);
        begun = e->clock;
        f[e->cls] = pcni_plus(f[e->cls], pcni_times(e->step, kernel[e->slot]));
    }
    if (begun) pcni_vote(m, f, 0, m->clock + 1 - begun, votes);
}

static void pcni_decide(const pcn_support *m, enum pcn_decision how, const float *kernel, float *score,
                        float *work)
{
    pcn_linear l = pcni_coefficients(m);
    pcn_vec k = pcn_dense(kernel, m->slots);
    uint32_t c;
    for (c = 0; c < m->classes; c++) score[c] = 0;
    if (m->slots == 0) return;
    if (how == PCN_LAST)
        pcni_scores(&l, &k, score);
    else if (how == PCN_MEAN)
        pcni_mean_scores(m, kernel, score);
    else
        pcni_vote_scores(m, kernel, score, work);
}

/* x without the indices at or beyond the features. */
static pcn_vec pcni_within(pcn_vec x, uint32_t features)
{
    if (!x.index && x.count > features) x.count = features;
    while (x.index && x.count != 0 && x.index[x.count - 1] >= features) x.count--;
    return x;
}

/* K + B^2 of all rows with all stored vectors -> kernel[rows * slots]. A tile of vectors stays in the
 * first or second cache while all rows meet it. */
static void pcni_meet(const pcn_support *m, const pcn_vec *x, uint32_t rows, float *kernel, float *spread)
{
    enum { TILE = 16 };
    uint32_t s, r, n;
    for (s = 0; s < m->slots; s += n) {
        n = m->slots - s;
        if (n > TILE && !m->index) n = TILE;
        for (r = 0; r < rows; r++) {
            pcn_vec v = pcni_within(x[r], m->features);
            int on = pcni_needs_spread(m, &v);
            if (on) pcni_spread(&v, spread, m->features, 1);
            pcni_kernels(m, &v, pcni_norm2(&v), on ? spread : NULL, s, n,
                         kernel + (size_t)r * m->slots + s);
            if (on) pcni_spread(&v, spread, m->features, 0);
        }
    }
}

PCN_API int pcn_support_scores(const pcn_support *m, enum pcn_decision how, const pcn_vec *x,
                               uint32_t rows, float *score, float *work)
{
    float *rest = work + (size_t)rows * m->slots, *spread = rest + m->classes;
    uint32_t r, i;
    if (how != PCN_LAST && !m->log) return PCN_ESETUP;
    for (i = 0; m->index && i < m->features; i++) spread[i] = 0;
    pcni_meet(m, x, rows, work, spread);
    for (r = 0; r < rows; r++)
        pcni_decide(m, how, work + (size_t)r * m->slots, score + (size_t)r * m->classes, rest);
    return PCN_OK;
}

/* ---- Kernel models: the trainer -------------------------------------------------------------- */

static void pcni_refresh(pcn_dual *m)
{
    m->model.slot = m->slot;
    m->model.norm2 = m->norm2;
    m->model.coef = m->coef;
    m->model.log = m->logged ? m->log : NULL;
    if (!m->borrowed) {
        m->model.value = m->value;
        m->model.index = m->index;
    }
}

PCN_API int pcn_dual_init(pcn_dual *m, pcn_kernel kernel, uint32_t features, uint32_t classes,
                          pcn_slot *slot, uint32_t slots, float *memory, size_t floats)
{
    size_t each = (size_t)features + classes + 2u;
    if (!memory || classes == 0 || (slots != 0 && !slot) || floats < 2u * (size_t)classes ||
        (floats - 2u * (size_t)classes) / each < slots)
        return PCN_ESETUP;
    memset(m, 0, sizeof *m);
    m->p.score = memory;
    m->p.model.classes = classes;
    m->p.rule = pcn_rule_fixed(1);
    m->model.kernel = kernel;
    m->model.features = features;
    m->model.classes = classes;
    if (slots != 0) {
        m->slot_room = slots;
        m->slot = slot;
        m->kernel = memory + 2u * (size_t)classes;
        m->norm2 = m->kernel + slots;
        m->coef = m->norm2 + slots;
        m->value = m->coef + (size_t)slots * classes;
        m->cell_room = (size_t)slots * features;
    }
    pcni_refresh(m);
    return PCN_OK;
}

PCN_API int pcn_dual_sparse_init(pcn_dual *m, float *value, uint32_t *index, size_t cells, float *scratch)
{
    uint32_t i;
    if (!scratch || m->borrowed || m->model.slots != 0 || (cells != 0 && (!value || !index)))
        return PCN_ESETUP;
    m->value = value;
    m->index = index;
    m->cell_room = cells;
    m->sparse = 1;
    m->scratch = scratch;
    for (i = 0; i < m->model.features; i++) scratch[i] = 0;
    pcni_refresh(m);
    return PCN_OK;
}

PCN_API int pcn_dual_rows_init(pcn_dual *m, const float *value, const uint32_t *index, float *scratch)
{
    uint32_t i;
    if (!value || m->sparse || m->model.slots != 0 || (index && !scratch)) return PCN_ESETUP;
    m->borrowed = 1;
    m->model.value = value;
    m->model.index = index;
    m->scratch = scratch;
    for (i = 0; index && i < m->model.features; i++) scratch[i] = 0;
    return PCN_OK;
}

PCN_API int pcn_dual_log_init(pcn_dual *m, pcn_change *log, uint32_t entries)
{
    if (m->model.clock != 0 || (entries != 0 && !log)) return PCN_ESETUP;
    m->log = log;
    m->log_room = entries;
    m->logged = 1;
    pcni_refresh(m);
    return PCN_OK;
}

/* Numbers that a copy of x takes. */
static size_t pcni_cells(const pcn_dual *m, const pcn_vec *x)
{
    return m->borrowed ? 0 : m->sparse ? x->count : m->model.features;
}

/* Copies x into the cells of a new slot, as it is or spread out. */
static void pcni_store_vector(pcn_dual *m, const pcn_vec *x, size_t cells)
{
    float *to = m->value + m->cells;
    uint32_t i;
    if (!m->sparse) {
        for (i = 0; i < m->model.features; i++) to[i] = 0;
        pcni_spread(x, to, m->model.features, 1);
    } else {
        for (i = 0; i < x->count; i++) {
            to[i] = x->value ? x->value[i] : 1;
            m->index[m->cells + i] = x->index ? x->index[i] : i;
        }
    }
    m->cells += cells;
}

static int pcni_has_room(const pcn_dual *m, const pcn_vec *x)
{
    return m->model.slots < m->slot_room && pcni_cells(m, x) <= m->cell_room - m->cells &&
           m->cells + pcni_cells(m, x) <= UINT32_MAX;
}

/* The slot of a vector that is not stored yet; PCN_EFULL. */
static int pcni_keep(pcn_dual *m, const pcn_vec *x, float xx, uint32_t id)
{
    uint32_t s = m->model.slots, c;
    size_t cells = pcni_cells(m, x);
    pcn_slot *slot = m->slot + s;
    if (!pcni_has_room(m, x)) return PCN_EFULL;
    if (m->borrowed && (uint64_t)(x->value - m->model.value) > UINT32_MAX) return PCN_EFULL;
    slot->start = m->borrowed ? (uint32_t)(x->value - m->model.value) : (uint32_t)m->cells;
    slot->count = m->borrowed || m->sparse ? x->count : m->model.features;
    slot->id = id;
    if (!m->borrowed) pcni_store_vector(m, x, cells);
    m->norm2[s] = xx;
    for (c = 0; c < m->model.classes; c++) m->coef[(size_t)s * m->model.classes + c] = 0;
    m->model.slots++;
    return PCN_OK;
}

static uint32_t pcni_find(const pcn_dual *m, uint32_t id)
{
    uint32_t s = 0;
    if (id == PCN_NO_ID) return m->model.slots;
    while (s < m->model.slots && m->slot[s].id != id) s++;
    return s;
}

static uint32_t pcni_changes(const pcn_dual *m)
{
    const float *change = m->p.score + m->model.classes;
    uint32_t k, n = 0;
    for (k = 0; k < m->model.classes; k++) n += change[k] != 0;
    return n;
}

/* Adds the changes to slot s, and to the log. */
static void pcni_apply(pcn_dual *m, uint32_t s)
{
    const float *change = m->p.score + m->model.classes;
    float *coef = m->coef + (size_t)s * m->model.classes;
    uint32_t k;
    for (k = 0; k < m->model.classes; k++) {
        if (change[k] == 0) continue;
        coef[k] = pcni_plus(coef[k], change[k]);
        if (m->logged) {
            pcn_change *e = &m->log[m->model.changes++];
            e->slot = s;
            e->cls = k;
            e->step = change[k];
            e->clock = m->model.clock + 1;
        }
    }
}

/* Finds or makes the slot of x and changes its coefficients. Below 0: nothing has changed. */
static int pcni_commit(pcn_dual *m, const pcn_vec *x, float xx, float kxx, uint32_t id)
{
    const float *change = m->p.score + m->model.classes;
    pcn_vec changes = pcn_dense(change, m->model.classes);
    uint32_t s = pcni_find(m, id);
    int result = PCN_OK;
    if (s < m->model.slots &&
        !pcni_fits(m->coef + (size_t)s * m->model.classes, 1, m->model.classes, 1, &changes))
        return PCN_EVALUE;
    if (!pcni_fits(change, 1, m->model.classes, 0, &changes)) return PCN_EVALUE; /* a new slot */
    if (m->admit && (s == m->model.slots || m->logged)) result = m->admit(m, x, kxx);
    if (result != PCN_OK) return result < 0 ? result : PCN_OK;
    pcni_refresh(m);
    if (m->logged && m->log_room - m->model.changes < pcni_changes(m)) return PCN_EFULL;
    if (s >= m->model.slots) {
        s = m->model.slots;
        result = pcni_keep(m, x, xx, id);
        if (result < 0) return result;
    }
    pcni_apply(m, s);
    return PCN_OK;
}

/* known: kernel values of x with the first n slots. */
static int pcni_dual_learn(pcn_dual *m, const pcn_vec *x, int y, uint32_t id, const float *known,
                           uint32_t n)
{
    pcn_support *model = &m->model;
    pcn_perceptron *p = &m->p;
    uint32_t classes = model->classes, cls = classes == 1 ? y <= 0 : (uint32_t)y, fired;
    uint32_t (*update)(const pcn_perceptron *, const pcn_vec *, uint32_t, float *) = p->update;
    float xx = pcni_norm2(x), kxx;
    int on = pcni_needs_spread(model, x), result;
    if (classes > 1 && (y < 0 || cls >= classes)) return PCN_ELABEL;
    if (!pcni_fits_features(x, model->features)) return PCN_EINDEX;
    if (!pcni_finite(xx)) return PCN_EVALUE;
    if (m->borrowed && !x->value) return PCN_ESETUP;
    if (model->clock == UINT32_MAX - 1) return PCN_EFULL;
    if (classes == 1)
        update = pcn_update_one_vs_rest;
    else if (!update)
        update = pcn_update_predicted;
    model->bias2 = pcni_times(p->bias_input, p->bias_input);
    model->by_class = update == pcn_update_one_vs_rest;
    model->zero_negative = p->zero_negative;
    if (on) pcni_spread(x, m->scratch, model->features, 1);
    if (n != 0) memcpy(m->kernel, known, n * sizeof *known);
    if (n < model->slots)
        pcni_kernels(model, x, xx, on ? m->scratch : NULL, n, model->slots - n, m->kernel + n);
    if (on) pcni_spread(x, m->scratch, model->features, 0);
    pcni_decide(model, PCN_LAST, m->kernel, p->score, NULL);
    kxx = pcni_kernel_self(model, x, xx);
    if (!pcni_all_finite(p->score, classes) || !pcni_finite(kxx)) return PCN_EVALUE;

    p->norm2 = kxx;
    fired = update(p, x, cls, p->score + classes);
    if (fired) {
        result = pcni_commit(m, x, xx, kxx, id);
        if (result < 0) return result;
    }
    model->clock++;
    return pcni_note(p, cls, fired);
}

/* The same, but on error what the settings say has not come to pass. */
static int pcni_dual_try(pcn_dual *m, const pcn_vec *x, int y, uint32_t id, const float *known, uint32_t n)
{
    pcn_support before = m->model;
    int result = pcni_dual_learn(m, x, y, id, known, n);
    if (result < 0) {
        m->model.bias2 = before.bias2;
        m->model.by_class = before.by_class;
        m->model.zero_negative = before.zero_negative;
    }
    return result;
}

PCN_API int pcn_dual_learn_at(pcn_dual *m, const pcn_vec *x, int y, uint32_t id)
{
    return pcni_dual_try(m, x, y, id, NULL, 0);
}

PCN_API void pcn_dual_learn_rows(pcn_dual *m, const pcn_vec *x, const int *y, const uint32_t *id,
                                 uint32_t rows, int *result, float *work)
{
    pcn_support now = m->model;
    uint32_t i, n = now.slots, drops = m->drops;
    now.bias2 = pcni_times(m->p.bias_input, m->p.bias_input);
    if (n != 0) pcni_meet(&now, x, rows, work, m->scratch);
    for (i = 0; i < rows; i++) { /* vectors that this block adds follow the n; if one goes, all move */
        uint32_t known = m->drops == drops ? n : 0;
        result[i] = pcni_dual_try(m, &x[i], y[i], id[i], known ? work + (size_t)i * n : NULL, known);
    }
}

/* ---- Kernel models: budgets ------------------------------------------------------------------ */

/* Takes n elements of `size` bytes out of an array of `all`, at `at`. */
static void pcni_cut(void *array, size_t size, size_t at, size_t n, size_t all)
{
    uint8_t *p = (uint8_t *)array + at * size;
    memmove(p, p + n * size, (all - at - n) * size);
}

/* Takes slot s out; the others keep their order. */
static void pcni_drop(pcn_dual *m, uint32_t s)
{
    pcn_slot gone = m->slot[s];
    uint32_t slots = m->model.slots, i;
    if (!m->borrowed) {
        pcni_cut(m->value, sizeof *m->value, gone.start, gone.count, m->cells);
        if (m->sparse) pcni_cut(m->index, sizeof *m->index, gone.start, gone.count, m->cells);
        m->cells -= gone.count;
        for (i = s + 1; i < slots; i++) m->slot[i].start -= gone.count;
    }
    pcni_cut(m->slot, sizeof *m->slot, s, 1, slots);
    pcni_cut(m->norm2, sizeof *m->norm2, s, 1, slots);
    pcni_cut(m->coef, sizeof *m->coef * m->model.classes, s, 1, slots);
    m->model.slots--;
    m->drops++;
    m->aux_slots = 0;
}

/* |coef| of a slot, summed over the classes. */
static float pcni_weight_of(const pcn_dual *m, uint32_t s)
{
    float sum = 0;
    uint32_t c;
    for (c = 0; c < m->model.classes; c++) {
        float f = m->coef[(size_t)s * m->model.classes + c];
        sum = pcni_plus(sum, f < 0 ? -f : f);
    }
    return sum;
}

PCN_API void pcn_dual_shrink(pcn_dual *m, uint32_t slots)
{
    while (m->model.slots > slots) {
        uint32_t s, lightest = 0;
        for (s = 1; s < m->model.slots; s++)
            if (pcni_weight_of(m, s) < pcni_weight_of(m, lightest)) lightest = s;
        pcni_drop(m, lightest);
        m->logged = 0; /* its entries name slots by number */
        m->model.changes = 0;
        pcni_refresh(m);
    }
}

/* Before anything is dropped: would x have room in an empty store? */
static int pcni_may_drop(const pcn_dual *m, const pcn_vec *x)
{
    if (m->logged) return PCN_ESETUP;
    return m->slot_room != 0 && pcni_cells(m, x) <= m->cell_room ? PCN_OK : PCN_EFULL;
}

PCN_API int pcn_admit_oldest(pcn_dual *m, const pcn_vec *x, float kxx)
{
    int result = pcni_may_drop(m, x);
    (void)kxx;
    if (result < 0) return result;
    while (m->model.slots != 0 && !pcni_has_room(m, x)) pcni_drop(m, 0);
    return PCN_OK;
}

PCN_API int pcn_admit_random(pcn_dual *m, const pcn_vec *x, float kxx)
{
    int result = pcni_may_drop(m, x);
    (void)kxx;
    if (result < 0) return result;
    while (m->model.slots != 0 && !pcni_has_room(m, x)) {
        m->seed += 0x9e3779b9u;
        pcni_drop(m, (uint32_t)((uint64_t)pcni_mix(m->seed) * m->model.slots >> 32));
    }
    return PCN_OK;
}

/* Newton's iteration from above; the same bits everywhere. */
static float pcni_sqrt(float f)
{
    float r = f > 1 ? f : 1, next = r;
    if (!(f > 0)) return 0;
    do {
        r = next;
        next = pcni_times(0.5f, pcni_plus(r, pcni_over(f, r)));
    } while (next < r);
    return r;
}

/* The largest phi in (0, 1] with Q + Psi <= 15/32 M, Psi = (phi sigma)^2 + 2 phi sigma (1 - phi mu):
 * a phi^2 + b phi = c. A little less, so that rounding keeps the bound. */
static float pcni_shrinking(float sigma, float mu, float left)
{
    float a = pcni_times(sigma, pcni_minus(sigma, pcni_times(2, mu))), b = pcni_times(2, sigma), root;
    if (pcni_plus(a, b) <= left) return 1;
    root = pcni_sqrt(pcni_plus(pcni_times(b, b), pcni_times(4, pcni_times(a, left))));
    return pcni_times(pcni_over(pcni_times(2, left), pcni_plus(b, root)), 0.99999f);
}

/* K + B^2 of slot s with the first n slots. */
static void pcni_slot_kernels(pcn_dual *m, uint32_t s, uint32_t n, float *out)
{
    pcn_vec z = pcni_stored(&m->model, s);
    int on = pcni_needs_spread(&m->model, &z);
    if (on) pcni_spread(&z, m->scratch, m->model.features, 1);
    pcni_kernels(&m->model, &z, m->norm2[s], on ? m->scratch : NULL, 0, n, out);
    if (on) pcni_spread(&z, m->scratch, m->model.features, 0);
}

/* m->aux: the kernel values of the oldest vector with all others. */
PCN_API int pcn_admit_forgetron(pcn_dual *m, const pcn_vec *x, float kxx)
{
    pcn_support *model = &m->model;
    float *change = m->p.score + 1, sigma, mu, phi, left;
    uint32_t s;
    int result = pcni_may_drop(m, x);
    (void)kxx;
    if (!m->aux || model->classes != 1) return PCN_ESETUP;
    if (result < 0) return result;
    while (model->slots != 0 && !pcni_has_room(m, x)) {
        pcni_slot_kernels(m, 0, model->slots, m->aux);
        mu = pcni_times(change[0], m->kernel[0]); /* the new vector included */
        for (s = 0; s < model->slots; s++) mu = pcni_plus(mu, pcni_times(m->coef[s], m->aux[s]));
        sigma = m->coef[0] < 0 ? -m->coef[0] : m->coef[0];
        if (m->coef[0] < 0) mu = -mu;
        left = pcni_minus(pcni_times(0.46875f, (float)(m->p.count.updates + 1)), m->spent);
        phi = pcni_shrinking(sigma, mu, left);
        for (s = 0; s < model->slots; s++) m->coef[s] = pcni_times(m->coef[s], phi);
        change[0] = pcni_times(change[0], phi);
        sigma = pcni_times(sigma, phi);
        mu = pcni_times(pcni_times(2, sigma), pcni_minus(1, pcni_times(phi, mu)));
        m->spent = pcni_plus(m->spent, pcni_plus(pcni_times(sigma, sigma), mu));
        pcni_drop(m, 0);
        for (s = 0; s < model->slots; s++) m->kernel[s] = m->kernel[s + 1];
    }
    return PCN_OK;
}

/* d = G^-1 k for the first n slots, at m->aux; k and kxx belong to another vector. Returns its squared
 * distance from their span, kxx - k.d; G^-1 follows, slot_room numbers a row. */
static float pcni_project(pcn_dual *m, const float *k, float kxx, uint32_t n)
{
    float *d = m->aux, *inverse = m->aux + 2 * (size_t)m->slot_room;
    uint32_t i, j;
    for (i = 0; i < n; i++) {
        d[i] = 0;
        for (j = 0; j < n; j++)
            d[i] = pcni_plus(d[i], pcni_times(inverse[(size_t)i * m->slot_room + j], k[j]));
        kxx = pcni_minus(kxx, pcni_times(k[i], d[i]));
    }
    return kxx;
}

/* The vector just projected becomes slot n: G^-1 grows by (d, -1)(d, -1)^T / far. */
static void pcni_extend(pcn_dual *m, float far, uint32_t n)
{
    float *d = m->aux, *inverse = m->aux + 2 * (size_t)m->slot_room;
    uint32_t i, j;
    d[n] = -1;
    for (i = 0; i <= n; i++)
        for (j = 0; j <= n; j++) {
            float *g = &inverse[(size_t)i * m->slot_room + j];
            *g = pcni_plus(i < n && j < n ? *g : 0, pcni_over(pcni_times(d[i], d[j]), far));
        }
    m->aux_slots = n + 1;
}

/* m->aux: d, kernel values of one slot, G^-1. */
PCN_API int pcn_admit_projectron(pcn_dual *m, const pcn_vec *x, float kxx)
{
    pcn_vec changes = pcn_dense(m->p.score + m->model.classes, m->model.classes);
    float *d = m->aux, *k, far;
    uint32_t n = m->model.slots, i;
    if (m->logged || !m->aux) return PCN_ESETUP;
    k = m->aux + m->slot_room;
    while (m->aux_slots < n) { /* after loading: the same numbers in the same order */
        i = m->aux_slots;
        pcni_slot_kernels(m, i, i + 1, k);
        pcni_extend(m, pcni_project(m, k, k[i], i), i);
    }
    far = pcni_project(m, m->kernel, kxx, n);
    /* nearer than rounding tells apart: in the span */
    if (far > m->tolerance && far > pcni_times(kxx, 3e-4f) && pcni_has_room(m, x)) {
        pcni_extend(m, far, n);
        return PCN_OK;
    }
    for (i = 0; i < n; i++)
        if (!pcni_fits(m->coef + (size_t)i * changes.count, 1, changes.count, d[i], &changes))
            return PCN_EVALUE;
    for (i = 0; i < n; i++)
        pcni_axpy(m->coef + (size_t)i * changes.count, 1, changes.count, d[i], &changes);
    return 1;
}

#ifndef PERCEPTRON_NO_HEAP

/* ---- Kernel models: growth ------------------------------------------------------------------- */

/* stb_ds supplies the form of the arrays, never its functions: they cannot report a failed
 * allocation. A request to instantiate it is the includer's, and stays for after this file. */
#ifndef INCLUDE_STB_DS_H
#ifdef STB_DS_IMPLEMENTATION
#undef STB_DS_IMPLEMENTATION
#define PCNI_KEEP_STB_DS
#endif
#if defined(PERCEPTRON_STB_DS_H)
#include PERCEPTRON_STB_DS_H
#elif !defined(__has_include)
#include "stb_ds.h"
#elif __has_include("stb_ds.h")
#include "stb_ds.h"
#elif __has_include(<stb/stb_ds.h>)
#include <stb/stb_ds.h>
#else
#error "perceptron.h needs stb_ds.h (Debian: libstb-dev; or PERCEPTRON_STB_DS_H), or PERCEPTRON_NO_HEAP"
#endif
#ifdef PCNI_KEEP_STB_DS
#undef PCNI_KEEP_STB_DS
#define STB_DS_IMPLEMENTATION
#endif
#endif

#ifndef PERCEPTRON_REALLOC
#include <stdlib.h>
#define PERCEPTRON_REALLOC(p, size) realloc(p, size)
#define PERCEPTRON_FREE(p) free(p)
#endif

/* A larger copy of an stb_ds array, NULL if there is no memory; the old one stays valid. */
static void *pcni_grown(void *array, size_t element, size_t want)
{
    stbds_array_header *old = array ? (stbds_array_header *)array - 1 : NULL, *h;
    size_t room = old ? old->capacity : 0;
    if (room >= want) return array;
    room = room < want / 2 ? want : 2 * room < 16 ? 16 : 2 * room;
    if (room < want) room = want;
    if (room > (SIZE_MAX - sizeof *h) / element) return NULL;
    h = (stbds_array_header *)PERCEPTRON_REALLOC(old, sizeof *h + room * element);
    if (!h) return NULL;
    if (!old) memset(h, 0, sizeof *h);
    h->capacity = room;
    return h + 1;
}

/* Room for `want` elements in the array at `array`. */
static int pcni_reserve(void *array, size_t element, size_t want)
{
    void *old, *p;
    memcpy(&old, array, sizeof old);
    p = pcni_grown(old, element, want ? want : 1);
    if (!p) return 0;
    memcpy(array, &p, sizeof p);
    return 1;
}

static int pcni_grow(pcn_dual *m, size_t slots, size_t cells, size_t entries)
{
    size_t classes = m->model.classes;
    if (!m->grown && (m->slot_room != 0 || m->cell_room != 0 || m->log_room != 0)) return PCN_ESETUP;
    if (cells > UINT32_MAX || entries > UINT32_MAX) return PCN_EFULL;
    m->grown = 1; /* from now on pcn_dual_free has something to do, even if this fails */
    if (!pcni_reserve(&m->slot, sizeof *m->slot, slots) ||
        !pcni_reserve(&m->kernel, sizeof *m->kernel, slots) ||
        !pcni_reserve(&m->norm2, sizeof *m->norm2, slots) ||
        !pcni_reserve(&m->coef, sizeof *m->coef * classes, slots) ||
        (!m->borrowed && !pcni_reserve(&m->value, sizeof *m->value, cells)) ||
        (m->sparse && !pcni_reserve(&m->index, sizeof *m->index, cells)) ||
        (m->logged && !pcni_reserve(&m->log, sizeof *m->log, entries))) {
        pcni_refresh(m); /* what did grow has moved */
        return PCN_ENOMEM;
    }
    m->slot_room = (uint32_t)slots;
    m->cell_room = cells;
    m->log_room = (uint32_t)entries;
    pcni_refresh(m);
    return PCN_OK;
}

PCN_API int pcn_admit_grow(pcn_dual *m, const pcn_vec *x, float kxx)
{
    (void)kxx;
    return pcni_grow(m, (size_t)m->model.slots + 1, m->cells + pcni_cells(m, x),
                     (size_t)m->model.changes + m->model.classes);
}

static void pcni_free(void *array)
{
    if (array) PERCEPTRON_FREE((stbds_array_header *)array - 1);
}

PCN_API void pcn_dual_free(pcn_dual *m)
{
    if (!m->grown) return; /* the arrays are the caller's */
    pcni_free(m->slot);
    pcni_free(m->kernel);
    pcni_free(m->norm2);
    pcni_free(m->coef);
    if (!m->borrowed) pcni_free(m->value);
    pcni_free(m->index);
    pcni_free(m->log);
    m->slot = NULL;
    m->kernel = m->norm2 = m->coef = m->value = NULL;
    m->index = NULL;
    m->log = NULL;
    m->slot_room = m->log_room = m->model.slots = m->model.changes = 0;
    m->cells = m->cell_room = 0;
    pcni_refresh(m);
}

#endif /* PERCEPTRON_NO_HEAP */

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Place i of permutation `key` of 0 .. n-1. Each round is a bijection of the numbers below the next
 * power of two: multiply by an odd number, add, fold the upper half into the lower. Numbers from n on
 * are walked through until one below n comes. */
static uint32_t pcni_permute(uint32_t i, uint32_t n, uint32_t key)
{
    uint32_t bits = 0, mask, round, k;
    while (bits < 32 && n - 1 >= (uint64_t)1 << bits) bits++;
    mask = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1u;
    do {
        k = key;
        for (round = 0; round < 8; round++) { /* fewer leave small sets uneven */
            k = k * 22695477u + 1u;
            i = (i * (k >> 12 | 1u) + (k >> 16)) & mask;
            i ^= i >> (bits + 1) / 2;
        }
    } while (i >= n);
    return i;
}

PCN_API void pcn_pass_init(pcn_pass *p, uint32_t rows, uint32_t epochs, uint32_t seed)
{
    memset(p, 0, sizeof *p);
    p->rows = rows;
    p->epochs = epochs;
    p->seed = seed;
    p->best_error = FLT_MAX;
}

PCN_API int pcn_pass_next(pcn_pass *p, uint32_t *row)
{
    if (p->result != PCN_END_LIMIT || p->rows == 0) return 0;
    if (p->left == 0) {
        if (p->epochs != 0 && p->epoch >= p->epochs) return 0;
        p->epoch++;
        p->left = p->rows;
        p->updates = 0;
    }
    *row = p->rows - p->left--;
    if (p->order != PCN_ORDER_FILE) {
        uint32_t key = pcni_mix(p->seed) + (p->order == PCN_ORDER_EACH ? p->epoch : 0);
        *row = pcni_permute(*row, p->rows, pcni_mix(key));
    }
    return 1;
}

PCN_API int pcn_pass_note(pcn_pass *p, int learned)
{
    if (learned < 0) {
        p->result = learned;
        return 0;
    }
    if (learned != 0) {
        if (p->run > p->best_run) p->best_run = p->run;
        p->run = 0;
        p->updates++;
        p->changed = 1;
        return 0;
    }
    p->run++;
    if ((p->stop == PCN_STOP_EPOCH && p->left == 0 && p->updates == 0) ||
        (p->stop == PCN_STOP_WINDOW && p->run >= p->rows))
        p->result = PCN_END_CLEAN;
    return p->run == p->best_run + 1;
}

PCN_API int pcn_pass_check(pcn_pass *p, float error)
{
    if (error < p->best_error) {
        p->best_error = error;
        p->waited = 0;
        return 1;
    }
    p->waited++;
    if (p->patience != 0 && p->waited >= p->patience && p->result == PCN_END_LIMIT)
        p->result = PCN_END_PATIENCE;
    return 0;
}

/* Brent: compare with one copy, renewed at epochs 0, 1, 2, 4, 8 ... */
PCN_API int pcn_pass_cycle(pcn_pass *p, const float *weight, float *copy, size_t n)
{
    size_t i = 0;
    if (p->epoch != 0 && p->changed) {
        while (i < n && weight[i] == copy[i]) i++;
        if (i == n) return 1;
    }
    if (p->epoch >= p->cycle_epoch) {
        for (i = 0; i < n; i++) copy[i] = weight[i];
        p->cycle_epoch = p->epoch == 0 ? 1 : 2 * p->epoch;
        p->changed = 0;
    }
    return 0;
}

/* ---- Measures -------------------------------------------------------------------------------- */

PCN_API void pcn_measure_add(pcn_measure *q, float margin, int wrong, float norm2)
{
    if (q->rows == 0 || margin < q->margin) q->margin = margin;
    if (norm2 > q->radius2) q->radius2 = norm2;
    q->rows++;
    q->errors += wrong != 0;
    q->strict += margin < 0;
    q->violations += margin <= 0;
    if (margin < 0) { /* compensated: both terms are positive */
        float sum = pcni_minus(q->loss, margin), t = pcni_minus(sum, q->loss);
        float lost = pcni_plus(pcni_minus(q->loss, pcni_minus(sum, t)), pcni_minus(-margin, t));
        q->loss = sum;
        q->loss_low = pcni_plus(q->loss_low, lost);
    }
}

static float pcni_infinity(void)
{
    return pcni_from_bits(0x7f800000u);
}

PCN_API float pcn_measure_margin(const pcn_measure *q)
{
    return q->margin > 0 ? q->margin : -pcni_infinity();
}

PCN_API float pcn_measure_bound(const pcn_measure *q, float weight_norm2)
{
    if (!(q->margin > 0)) return pcni_infinity();
    return pcni_times(pcni_over(q->radius2, q->margin), pcni_over(weight_norm2, q->margin));
}

/* ---- Images ---------------------------------------------------------------------------------- */

#define PCNI_HEADER 64u
#define PCNI_KERNEL_HEADER 40u
#define PCNI_VERSION 1u
#define PCNI_MAGIC 0x1a4e4350u /* "PCN" 0x1A */

PCN_API uint32_t pcn_crc32(uint32_t crc, const void *bytes, size_t size)
{
    static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                       0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                       0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                       0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    const uint8_t *p = (const uint8_t *)bytes;
    crc = ~crc;
    for (; size != 0; size--) {
        crc ^= *p++;
        crc = crc >> 4 ^ table[crc & 15u];
        crc = crc >> 4 ^ table[crc & 15u];
    }
    return ~crc;
}

/* A window of the image on its way out. */
typedef struct pcni_window {
    uint8_t *out;
    size_t from, size, at;
    uint32_t crc;
    int summed; /* the window reaches the checksum, so everything before must be summed */
} pcni_window;

static void pcni_put(pcni_window *o, uint32_t word)
{
    uint8_t byte[4];
    uint32_t i;
    for (i = 0; i < 4; i++) byte[i] = (uint8_t)(word >> 8 * i);
    if (o->summed) o->crc = pcn_crc32(o->crc, byte, 4);
    for (i = 0; i < 4; i++, o->at++)
        if (o->at >= o->from && o->at - o->from < o->size) o->out[o->at - o->from] = byte[i];
}

static void pcni_put64(pcni_window *o, uint64_t number)
{
    pcni_put(o, (uint32_t)(number & UINT32_MAX));
    pcni_put(o, (uint32_t)(number >> 32));
}

static void pcni_put_floats(pcni_window *o, const float *f, size_t n, size_t stride)
{
    size_t i = 0, end = n;
    if (!o->summed) { /* only what the window shows */
        size_t stop = o->from + o->size;
        if (o->from > o->at) i = (o->from - o->at) / 4;
        if (i > n) i = n;
        if (stop < o->at + 4 * n) end = stop > o->at ? (stop - o->at + 3) / 4 : 0;
        if (end < i) end = i;
    }
    o->at += 4 * i;
    for (; i < end; i++) pcni_put(o, pcni_to_bits(f[i * stride]));
    o->at += 4 * (n - end);
}

static void pcni_open(pcni_window *o, size_t total, size_t from, void *out, size_t size)
{
    size_t end = total - 4;
    o->out = (uint8_t *)out;
    o->from = from;
    o->size = size;
    o->at = 0;
    o->crc = 0;
    o->summed = from < total && (from >= end || size > end - from);
}

static void pcni_close(pcni_window *o, size_t total)
{
    size_t i;
    pcni_put(o, o->crc);
    for (i = o->from < total ? total - o->from : 0; i < o->size; i++) o->out[i] = 0xff;
}

static void pcni_put_header(pcni_window *o, uint32_t kind, uint32_t parts, uint32_t features,
                            uint32_t classes)
{
    pcni_put(o, PCNI_MAGIC);
    pcni_put(o, PCNI_VERSION);
    pcni_put(o, kind);
    pcni_put(o, parts);
    pcni_put(o, features);
    pcni_put(o, classes);
}

static void pcni_put_counts(pcni_window *o, const pcn_count *count, uint64_t clock)
{
    pcni_put64(o, count->rows);
    pcni_put64(o, count->updates);
    pcni_put64(o, count->mistakes);
    pcni_put64(o, clock);
}

/* Linear models and their trainers; without a trainer, linear. */
static size_t pcni_save(const pcn_linear *m, const pcn_perceptron *trainer, size_t from, void *out,
                        size_t size)
{
    size_t weights = (size_t)m->features * m->classes, each = weights + m->classes, total;
    int by_feature = m->column != 1;
    uint32_t parts = by_feature ? PCN_PART_FEATURE_MAJOR : 0, i;
    pcn_count none = {0, 0, 0};
    pcni_window o;
    total = PCNI_HEADER + 4 * weights + 4;
    if (m->bias) {
        parts |= PCN_PART_BIAS;
        total += 4 * (size_t)m->classes;
    }
    if (trainer && trainer->sum) {
        parts |= PCN_PART_SUMS;
        total += 8 * each;
    }
    if (trainer && trainer->batch) {
        parts |= PCN_PART_BATCH;
        total += 4 * each;
    }
    if (trainer && trainer->exponent) {
        parts |= PCN_PART_EXPONENTS;
        total += 4 * each;
    }
    if (size == 0) return total;
    pcni_open(&o, total, from, out, size);
    pcni_put_header(&o, trainer ? PCN_KIND_PERCEPTRON : PCN_KIND_LINEAR, parts, m->features, m->classes);
    pcni_put64(&o, 0);
    pcni_put_counts(&o, trainer ? &trainer->count : &none, trainer ? trainer->clock : 0);
    if (by_feature)
        for (i = 0; i < m->features; i++)
            pcni_put_floats(&o, m->weight + (size_t)i * m->column, m->classes, m->row);
    else
        for (i = 0; i < m->classes; i++)
            pcni_put_floats(&o, m->weight + (size_t)i * m->row, m->features, 1);
    if (parts & PCN_PART_BIAS) pcni_put_floats(&o, m->bias, m->classes, 1);
    if (parts & PCN_PART_SUMS) pcni_put_floats(&o, trainer->sum, 2 * each, 1);
    if (parts & PCN_PART_BATCH) pcni_put_floats(&o, trainer->batch, each, 1);
    if (parts & PCN_PART_EXPONENTS) pcni_put_floats(&o, trainer->exponent, each, 1);
    pcni_close(&o, total);
    return total;
}

static uint32_t pcni_get(const void *image, size_t at)
{
    const uint8_t *p = (const uint8_t *)image + at;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t pcni_get64(const void *image, size_t at)
{
    return pcni_get(image, at) | (uint64_t)pcni_get(image, at + 4) << 32;
}

/* How long an image of this header must be; 0 if the header contradicts itself. The counts are at
 * most size / 4, so that no sum can overflow. */
static uint64_t pcni_image_length(const pcn_image *i)
{
    const uint32_t options = PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_EXPONENTS;
    uint64_t weights = (uint64_t)i->features * i->classes, each = weights + i->classes, words;
    if (i->kind == PCN_KIND_DUAL) {
        if (i->parts & ~(uint32_t)(PCN_PART_SPARSE | PCN_PART_LOG)) return 0;
        words = (uint64_t)i->slots * 4 + (uint64_t)i->slots * i->classes + 4 * (uint64_t)i->changes;
        words += i->parts & PCN_PART_SPARSE ? 2 * (uint64_t)i->cells : i->cells;
        return PCNI_HEADER + PCNI_KERNEL_HEADER + 4 * words + 4;
    }
    if (i->parts & (PCN_PART_SPARSE | PCN_PART_LOG) || i->slots != 0 || i->changes != 0) return 0;
    if (i->kind == PCN_KIND_LINEAR && (i->parts & options)) return 0;
    if (i->kind == PCN_KIND_PERCEPTRON && !(i->parts & PCN_PART_BIAS)) return 0;
    words = i->parts & PCN_PART_BIAS ? each : weights;
    words += i->parts & PCN_PART_SUMS ? 2 * each : 0;
    words += i->parts & PCN_PART_BATCH ? each : 0;
    words += i->parts & PCN_PART_EXPONENTS ? each : 0;
    return PCNI_HEADER + 4 * words + 4;
}

/* Are the words at [at, at + 4 n) finite floats? */
static int pcni_floats_finite(const void *image, size_t at, size_t n)
{
    for (; n != 0; n--, at += 4)
        if ((pcni_get(image, at) & 0x7f800000u) == 0x7f800000u) return 0;
    return 1;
}

/* Do slots, indices and log of a kernel model stay within it? */
static int pcni_kernel_image_ok(const pcn_image *i, const void *image)
{
    size_t slot = PCNI_HEADER + PCNI_KERNEL_HEADER, index, log, at, end;
    uint32_t s, k, c, last = 0;
    index = slot + 4 * (4 * (size_t)i->slots + (size_t)i->slots * i->classes + i->cells);
    log = index + (i->parts & PCN_PART_SPARSE ? 4 * (size_t)i->cells : 0);
    if (!pcni_floats_finite(image, 72, 3) || !pcni_floats_finite(image, 96, 1)) return 0;
    if (!pcni_floats_finite(image, slot + 12 * (size_t)i->slots, (index - slot) / 4 - 3 * (size_t)i->slots))
        return 0;
    for (s = 0; s < i->slots; s++, slot += 12) {
        uint32_t start = pcni_get(image, slot), count = pcni_get(image, slot + 4);
        if (count > i->cells || start > i->cells - count) return 0;
        if (!(i->parts & PCN_PART_SPARSE) && count > i->features) return 0;
        at = index + 4 * (size_t)start;
        for (k = 0; (i->parts & PCN_PART_SPARSE) && k < count; k++, at += 4) {
            uint32_t j = pcni_get(image, at);
            if (j >= i->features || (k != 0 && j <= pcni_get(image, at - 4))) return 0;
        }
    }
    for (at = log, end = log + 16 * (size_t)i->changes; at < end; at += 16) {
        c = pcni_get(image, at + 12);
        if (pcni_get(image, at) >= i->slots || pcni_get(image, at + 4) >= i->classes || c < last ||
            c == 0 || c > i->clock || !pcni_floats_finite(image, at + 8, 1))
            return 0;
        last = c;
    }
    return i->clock < UINT32_MAX;
}

PCN_API int pcn_image_read(pcn_image *info, const void *image, size_t size)
{
    pcn_image i;
    if (!image || size < PCNI_HEADER + 4 || pcni_get(image, 0) != PCNI_MAGIC) return PCN_EIMAGE;
    memset(&i, 0, sizeof i);
    i.version = pcni_get(image, 4);
    i.kind = pcni_get(image, 8);
    i.parts = pcni_get(image, 12);
    i.features = pcni_get(image, 16);
    i.classes = pcni_get(image, 20);
    i.slots = pcni_get(image, 24);
    i.changes = pcni_get(image, 28);
    i.count.rows = pcni_get64(image, 32);
    i.count.updates = pcni_get64(image, 40);
    i.count.mistakes = pcni_get64(image, 48);
    i.clock = pcni_get64(image, 56);
    if (i.version > PCNI_VERSION) return PCN_EVERSION;
    if (i.version == 0 || i.kind < PCN_KIND_LINEAR || i.kind > PCN_KIND_DUAL || i.classes == 0)
        return PCN_EIMAGE;
    if (i.kind == PCN_KIND_DUAL) {
        if (size < PCNI_HEADER + PCNI_KERNEL_HEADER + 4) return PCN_EIMAGE;
        i.kernel = pcni_get(image, 64);
        i.cells = pcni_get(image, 88);
    }
    if (i.parts > 127 || i.classes > size / 4 || i.slots > size / 4 || i.changes > size / 4 ||
        i.cells > size / 4 || (uint64_t)i.slots * i.classes > size / 4 ||
        (i.kind != PCN_KIND_DUAL && (uint64_t)i.features * i.classes > size / 4))
        return PCN_EIMAGE;
    if ((uint64_t)size != pcni_image_length(&i)) return PCN_EIMAGE;
    if (pcn_crc32(0, image, size - 4) != pcni_get(image, size - 4)) return PCN_EIMAGE;
    if (i.kind == PCN_KIND_DUAL ? !pcni_kernel_image_ok(&i, image)
                                : !pcni_floats_finite(image, PCNI_HEADER, (size - PCNI_HEADER) / 4 - 1))
        return PCN_EIMAGE;
    if (info) *info = i;
    return PCN_OK;
}

PCN_API size_t pcn_linear_save(const pcn_linear *m, size_t from, void *out, size_t size)
{
    return pcni_save(m, NULL, from, out, size);
}

/* pcn_image_read for an image that is to be pointed into. */
static int pcni_read_in_place(pcn_image *i, const void *image, size_t size)
{
    const uint32_t one = 1;
    uint8_t first;
    int result = pcn_image_read(i, image, size);
    if (result < 0) return result;
    memcpy(&first, &one, 1);
    return first == 1 && (uintptr_t)image % 4 == 0 ? PCN_OK : PCN_EALIGN;
}

PCN_API int pcn_linear_open(pcn_linear *m, const void *image, size_t size)
{
    pcn_image i;
    int result = pcni_read_in_place(&i, image, size);
    if (result < 0) return result;
    if (i.kind == PCN_KIND_DUAL) return PCN_EMATCH;
    m->weight = (const float *)(const void *)((const uint8_t *)image + PCNI_HEADER);
    m->bias = i.parts & PCN_PART_BIAS ? m->weight + (size_t)i.features * i.classes : NULL;
    m->features = i.features;
    m->classes = i.classes;
    m->row = i.parts & PCN_PART_FEATURE_MAJOR ? 1 : i.features;
    m->column = i.parts & PCN_PART_FEATURE_MAJOR ? i.classes : 1;
    return PCN_OK;
}

PCN_API size_t pcn_perceptron_save(const pcn_perceptron *m, size_t from, void *out, size_t size)
{
    return pcni_save(&m->model, m, from, out, size);
}

/* Reads n floats at *at, or zeros where the image has none. */
static void pcni_get_floats(const void *image, size_t *at, int there, float *f, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) f[i] = there ? pcni_from_bits(pcni_get(image, *at + 4 * i)) : 0;
    if (there) *at += 4 * n;
}

PCN_API int pcn_perceptron_load(pcn_perceptron *m, const void *image, size_t size)
{
    size_t at = PCNI_HEADER, weights, each;
    pcn_image i;
    int result = pcn_image_read(&i, image, size);
    if (result < 0) return result;
    if (i.kind == PCN_KIND_DUAL || i.features != m->model.features || i.classes != m->model.classes ||
        (m->model.column != 1) != ((i.parts & PCN_PART_FEATURE_MAJOR) != 0) ||
        ((i.parts & PCN_PART_SUMS) && !m->sum) || ((i.parts & PCN_PART_BATCH) && !m->batch) ||
        ((i.parts & PCN_PART_EXPONENTS) != 0) != (m->exponent != NULL))
        return PCN_EMATCH;
    weights = (size_t)i.features * i.classes;
    each = weights + i.classes;
    pcni_get_floats(image, &at, 1, m->weight, weights);
    pcni_get_floats(image, &at, (i.parts & PCN_PART_BIAS) != 0, m->weight + weights, i.classes);
    if (m->sum) pcni_get_floats(image, &at, (i.parts & PCN_PART_SUMS) != 0, m->sum, 2 * each);
    if (m->batch) pcni_get_floats(image, &at, (i.parts & PCN_PART_BATCH) != 0, m->batch, each);
    if (m->exponent) pcni_get_floats(image, &at, 1, m->exponent, each);
    m->count = i.count;
    m->clock = m->sum && !(i.parts & PCN_PART_SUMS) ? 0 : i.clock;
    return PCN_OK;
}

static void pcni_put_words(pcni_window *o, const uint32_t *word, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) pcni_put(o, word[i]);
}

static void pcni_put_slots(pcni_window *o, const pcn_support *m)
{
    uint32_t s, start = 0;
    for (s = 0; s < m->slots; s++) {
        pcni_put(o, start); /* where it lies in the image; borrowed rows lie elsewhere in memory */
        pcni_put(o, m->slot[s].count);
        pcni_put(o, m->slot[s].id);
        start += m->slot[s].count;
    }
}

static void pcni_put_log(pcni_window *o, const pcn_support *m)
{
    uint32_t i;
    for (i = 0; i < m->changes; i++) {
        pcni_put(o, m->log[i].slot);
        pcni_put(o, m->log[i].cls);
        pcni_put(o, pcni_to_bits(m->log[i].step));
        pcni_put(o, m->log[i].clock);
    }
}

static size_t pcni_save_support(const pcn_support *m, const pcn_count *count, uint32_t seed, float spent,
                                size_t from, void *out, size_t size)
{
    size_t cells = 0, total;
    uint32_t s;
    pcni_window o;
    pcn_image i;
    memset(&i, 0, sizeof i);
    for (s = 0; s < m->slots; s++) cells += m->slot[s].count;
    i.kind = PCN_KIND_DUAL;
    if (m->index) i.parts |= PCN_PART_SPARSE;
    if (m->log) i.parts |= PCN_PART_LOG;
    i.classes = m->classes;
    i.slots = m->slots;
    i.changes = m->log ? m->changes : 0;
    i.cells = (uint32_t)cells;
    total = (size_t)pcni_image_length(&i);
    if (size == 0) return total;
    pcni_open(&o, total, from, out, size);
    pcni_put_header(&o, i.kind, i.parts, m->features, m->classes);
    pcni_put(&o, i.slots);
    pcni_put(&o, i.changes);
    pcni_put_counts(&o, count, m->clock);
    pcni_put(&o, m->kernel.id);
    pcni_put(&o, m->kernel.degree);
    pcni_put(&o, pcni_to_bits(m->kernel.gamma));
    pcni_put(&o, pcni_to_bits(m->kernel.coef0));
    pcni_put(&o, pcni_to_bits(m->bias2));
    pcni_put(&o, (m->by_class ? 1u : 0u) | (m->zero_negative ? 2u : 0u));
    pcni_put(&o, i.cells);
    pcni_put(&o, seed);
    pcni_put(&o, pcni_to_bits(spent));
    pcni_put(&o, 0);
    pcni_put_slots(&o, m);
    pcni_put_floats(&o, m->norm2, m->slots, 1);
    pcni_put_floats(&o, m->coef, (size_t)m->slots * m->classes, 1);
    for (s = 0; s < m->slots; s++)
        pcni_put_floats(&o, m->value + m->slot[s].start, m->slot[s].count, 1);
    for (s = 0; m->index && s < m->slots; s++)
        pcni_put_words(&o, m->index + m->slot[s].start, m->slot[s].count);
    if (m->log) pcni_put_log(&o, m);
    pcni_close(&o, total);
    return total;
}

PCN_API size_t pcn_support_save(const pcn_support *m, size_t from, void *out, size_t size)
{
    pcn_count none = {0, 0, 0};
    return pcni_save_support(m, &none, 0, 0, from, out, size);
}

/* What the header of a kernel image says of the model. */
static void pcni_get_support(pcn_support *m, const pcn_image *i, const void *image)
{
    m->kernel.degree = pcni_get(image, 68);
    m->kernel.gamma = pcni_from_bits(pcni_get(image, 72));
    m->kernel.coef0 = pcni_from_bits(pcni_get(image, 76));
    m->bias2 = pcni_from_bits(pcni_get(image, 80));
    m->by_class = pcni_get(image, 84) & 1u;
    m->zero_negative = pcni_get(image, 84) >> 1 & 1u;
    m->slots = i->slots;
    m->changes = i->changes;
    m->clock = (uint32_t)i->clock;
}

PCN_API int pcn_support_open(pcn_support *m, pcn_kernel kernel, const void *image, size_t size)
{
    const uint32_t *word;
    pcn_image i;
    int result = pcni_read_in_place(&i, image, size);
    if (result < 0) return result;
    if (i.kind != PCN_KIND_DUAL || i.kernel != kernel.id) return PCN_EMATCH;
    m->kernel = kernel;
    m->features = i.features;
    m->classes = i.classes;
    pcni_get_support(m, &i, image);
    word = (const uint32_t *)(const void *)((const uint8_t *)image + PCNI_HEADER + PCNI_KERNEL_HEADER);
    m->slot = (const pcn_slot *)(const void *)word;
    m->norm2 = (const float *)(const void *)(word + 3 * (size_t)i.slots);
    m->coef = m->norm2 + i.slots;
    m->value = m->coef + (size_t)i.slots * i.classes;
    m->index = i.parts & PCN_PART_SPARSE ? (const uint32_t *)(const void *)(m->value + i.cells) : NULL;
    m->log = NULL;
    if (i.parts & PCN_PART_LOG)
        m->log = (const pcn_change *)(const void *)(m->value + (m->index ? 2 : 1) * (size_t)i.cells);
    return PCN_OK;
}

PCN_API size_t pcn_dual_save(const pcn_dual *m, size_t from, void *out, size_t size)
{
    return pcni_save_support(&m->model, &m->p.count, m->seed, m->spent, from, out, size);
}

PCN_API int pcn_dual_load(pcn_dual *m, const void *image, size_t size)
{
    size_t at = PCNI_HEADER + PCNI_KERNEL_HEADER;
    uint32_t k;
    pcn_image i;
    int result = pcn_image_read(&i, image, size);
    if (result < 0) return result;
    if (i.kind != PCN_KIND_DUAL || i.kernel != m->model.kernel.id || m->borrowed ||
        i.features != m->model.features || i.classes != m->model.classes ||
        ((i.parts & PCN_PART_SPARSE) != 0) != m->sparse || ((i.parts & PCN_PART_LOG) != 0) != m->logged)
        return PCN_EMATCH;
#ifndef PERCEPTRON_NO_HEAP
    if (m->admit == pcn_admit_grow) result = pcni_grow(m, i.slots, i.cells, i.changes);
    if (result < 0) return result;
#endif
    if (i.slots > m->slot_room || i.cells > m->cell_room || i.changes > m->log_room) return PCN_EFULL;
    pcni_get_support(&m->model, &i, image);
    for (k = 0; k < i.slots; k++, at += 12) {
        m->slot[k].start = pcni_get(image, at);
        m->slot[k].count = pcni_get(image, at + 4);
        m->slot[k].id = pcni_get(image, at + 8);
    }
    pcni_get_floats(image, &at, 1, m->norm2, i.slots);
    pcni_get_floats(image, &at, 1, m->coef, (size_t)i.slots * i.classes);
    pcni_get_floats(image, &at, 1, m->value, i.cells);
    for (k = 0; m->sparse && k < i.cells; k++, at += 4) m->index[k] = pcni_get(image, at);
    for (k = 0; k < i.changes; k++, at += 16) {
        m->log[k].slot = pcni_get(image, at);
        m->log[k].cls = pcni_get(image, at + 4);
        m->log[k].step = pcni_from_bits(pcni_get(image, at + 8));
        m->log[k].clock = pcni_get(image, at + 12);
    }
    m->cells = i.cells;
    m->p.count = i.count;
    m->seed = pcni_get(image, 92);
    m->spent = pcni_from_bits(pcni_get(image, 96));
    m->aux_slots = 0;
    return PCN_OK;
}

#undef PCNI_INLINE
#undef PCNI_PREFETCH
#undef PCNI_ROUND
#undef PCNI_ROUND_V
#undef PCNI_W
#undef PCNI_LANES
#undef PCNI_TWO_SUM
#undef PCNI_TWO_PRODUCT
#undef PCNI_MAGIC
#undef PCNI_HEADER
#undef PCNI_KERNEL_HEADER
#undef PCNI_VERSION
#undef pcni_done
#if PERCEPTRON_SIMD == 0
#undef pcni_set
#undef pcni_load
#undef pcni_store
#undef pcni_load_part
#undef pcni_store_part
#undef pcni_add
#undef pcni_sub
#undef pcni_mul
#undef pcni_div
#undef pcni_min
#undef pcni_max
#undef pcni_pow2
#undef pcni_head
#undef pcni_sum
#endif

#endif /* PCN_IMPLEMENTED */
#endif /* PERCEPTRON_IMPLEMENTATION */
