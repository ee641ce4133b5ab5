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
 *     no FPU                             pcn_iperceptron_learn        PCN_IWEIGHTS(n, K) int32s
 *     a trained model in a quarter of    pcn_quantize                 n K bytes, 6 K beside them
 *       the flash, no floats
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
 *  PERCEPTRON_NO_LIBC         the same, and no memcpy, memmove and memset either (gcc, clang; portable C
 *                             below -O3, but for structs that compilers copy by memcpy)
 *  PERCEPTRON_REALLOC, _FREE  with the implementation: (p, size) and (p), both or neither
 *  PERCEPTRON_STB_DS_H        with the implementation: where stb_ds.h is, in quotes or angles
 *  PERCEPTRON_SIMD            with the implementation: 0 portable C, 1 SSE2, 2 AVX2 (and AVX-512 if the
 *                             compiler targets it), 3 NEON. Default: what the compiler targets
 *                             (-mavx2, -march=native). Fastest: arrays at multiples of 64 bytes
 *
 *  Portable C compiled with -Os takes the smallest loops, otherwise fast ones. Firmware is smallest
 *  with PERCEPTRON_STATIC in the one file that uses it, -ffunction-sections and -Wl,--gc-sections.
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

#if defined(PERCEPTRON_NO_LIBC) && !defined(PERCEPTRON_NO_HEAP)
#define PERCEPTRON_NO_HEAP
#endif

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

/* A hint, for speed: the weights of a sparse row are brought near while the row before it is scored. Changes
 * nothing; does nothing where all weights are near. Class-major: of class 0 only. */
PCN_API void pcn_linear_fetch_at(const pcn_linear *m, const pcn_vec *x);

PCN_INLINE void pcn_linear_fetch(const pcn_linear *m, pcn_vec x)
{
    pcn_linear_fetch_at(m, &x);
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

struct pcn_perceptron;

typedef struct pcn_rule {
    /* The step, 0 for none. direction = a_y - a_r: a step of 1 moves y s by pcn_slope(m, x, direction). */
    float (*step)(const struct pcn_perceptron *m, const pcn_vec *x, float gap, float direction);
    float rate;   /* fixed and fractional; may change between any two calls (decay, class weights) */
    float margin; /* >= 0: fires iff y s <= margin */
    float limit;  /* lambda of fractional, C of pa and pa2 */
} pcn_rule;

PCN_API pcn_rule pcn_rule_fixed(float rate); /* the default, with rate 1 and margin 0 */
PCN_API pcn_rule pcn_rule_absolute(void);
PCN_API pcn_rule pcn_rule_fractional(float lambda);
PCN_API pcn_rule pcn_rule_pa(float c);
PCN_API pcn_rule pcn_rule_pa2(float c);

/* For rules of yours: direction X.X. */
PCN_API float pcn_slope(const struct pcn_perceptron *m, const pcn_vec *x, float direction);

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
    uint8_t balanced, has_norm2;
    float norm2; /* X.X of the example, in a kernel model */
    int (*move)(struct pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias, int commit);
    int (*held)(struct pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias, int commit);
    void (*renew)(struct pcn_perceptron *m, size_t at, const pcn_vec *x, uint32_t i, float step, float *weight);
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

/* Changes the number of features, for streams that bring new ones: those that stay keep what they have
 * learned, new ones are as if they had always been 0. The arrays m->weight, m->sum and m->batch, as far as
 * they are in use, need room for the greater number; set them before the call if they have moved. Returns
 * PCN_OK; for Winnow PCN_ESETUP, and *m is not touched. */
PCN_API int pcn_perceptron_resize(pcn_perceptron *m, uint32_t features);

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

/* Either, as the model is binary or multiclass, for rows that come from memory in any order: while x is learned, what
 * will be needed of the row after it is brought near, values of long dense rows or the weights of a sparse one. A
 * hint that changes nothing: next may be any row, x where there is no other, and with _at NULL. */
PCN_API int pcn_perceptron_learn_before_at(pcn_perceptron *m, const pcn_vec *x, int y, const pcn_vec *next);

PCN_INLINE int pcn_perceptron_learn_before(pcn_perceptron *m, pcn_vec x, int y, pcn_vec next)
{
    return pcn_perceptron_learn_before_at(m, &x, y, &next);
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

/* Lays the weights out feature by feature; they start again from 0. Before the options below. For sparse rows of
 * three classes or more: four to seven times as fast with 17 classes. Where half of the features or more have values,
 * dense rows and class-major weights are faster. */
PCN_API int pcn_feature_major_init(pcn_perceptron *m);

/* Keeps the mean of the weights after each example from now on, the present ones included (CIML
 * Algorithm 7; w_0 .. w_n for n examples). sum: PCN_SUMS floats. Learning goes on undisturbed; the
 * cost of an update grows by a constant factor, that of other examples not at all. */
PCN_API int pcn_averaging_init(pcn_perceptron *m, float *sum, size_t floats);

/* Writes the mean to out[PCN_BATCH] and returns it as a model. The trainer does not change, unless out is
 * m->sum: then the sums are lost, and learning must not go on. Call it on a trainer with averaging. */
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

/* ---- The integer twin ------------------------------------------------------------------------
 * The perceptron with the fixed rule for processors without an FPU: int16 features, int32 weights,
 * int64 scores. No rounding, so the same everywhere by nature. A weight or bias that would pass
 * PCN_IMAX in size stops there. Class-major; at a score of 0, or a tie, it always updates. Features of 8
 * bits: copy them into an int16 row. */

#define PCN_IMAX ((int32_t)1 << 30)

typedef struct pcn_ivec { /* one example, as pcn_vec; at most 65,535 features given */
    const int16_t *value; /* NULL: every feature given is 1 */
    const uint32_t *index;
    uint32_t count;
} pcn_ivec;

PCN_INLINE pcn_ivec pcn_isparse(const uint32_t *index, const int16_t *value, uint32_t count)
{
    pcn_ivec x;
    x.value = value;
    x.index = index;
    x.count = count;
    return x;
}

PCN_INLINE pcn_ivec pcn_idense(const int16_t *value, uint32_t count)
{
    return pcn_isparse(NULL, value, count);
}

PCN_INLINE pcn_ivec pcn_iones(const uint32_t *index, uint32_t count)
{
    return pcn_isparse(index, NULL, count);
}

typedef struct pcn_ilinear { /* frozen */
    const int32_t *weight; /* of class c and feature j: weight[c * features + j]; at most PCN_IMAX in size */
    const int32_t *bias;   /* one per class; NULL: none */
    uint32_t features, classes;
} pcn_ilinear;

/* As their namesakes of pcn_linear. */
PCN_API int64_t pcn_ilinear_score_at(const pcn_ilinear *m, const pcn_ivec *x);
PCN_API void pcn_ilinear_scores_at(const pcn_ilinear *m, const pcn_ivec *x, int64_t *score);
PCN_API int pcn_ilinear_predict_class_at(const pcn_ilinear *m, const pcn_ivec *x);

PCN_INLINE int64_t pcn_ilinear_score(const pcn_ilinear *m, pcn_ivec x)
{
    return pcn_ilinear_score_at(m, &x);
}

PCN_INLINE int pcn_ilinear_predict(const pcn_ilinear *m, pcn_ivec x)
{
    return pcn_ilinear_score_at(m, &x) >= 0 ? 1 : -1;
}

PCN_INLINE void pcn_ilinear_scores(const pcn_ilinear *m, pcn_ivec x, int64_t *score)
{
    pcn_ilinear_scores_at(m, &x, score);
}

PCN_INLINE int pcn_ilinear_predict_class(const pcn_ilinear *m, pcn_ivec x)
{
    return pcn_ilinear_predict_class_at(m, &x);
}

typedef struct pcn_iperceptron { /* trainer */
    pcn_ilinear model;
    /* settings */
    int16_t rate;      /* step of the features: 1; above 0 */
    int32_t bias_step; /* step of the bias, rate B^2 for the constant input B: 1; below PCN_IMAX */
    int64_t margin;    /* fires iff y s, or the true class's score minus the best rival's, <= margin: 0 */
    /* results */
    uint32_t rows, updates, mistakes; /* as in pcn_count; after 2^32 - 1 comes 0 */
    int guess;
    /* memory and state */
    uint8_t eliminate;
    int32_t *weight;
    int64_t *sum;
    void (*move)(struct pcn_iperceptron *m, uint32_t cls, int sign, const pcn_ivec *x);
    uint32_t clock; /* examples since init or pcn_iaveraging_init; stops at 2^32 - 1 */
} pcn_iperceptron;

/* int32s of one trainer, and int64s of its averaging. */
#define PCN_IWEIGHTS(features, classes) (((size_t)(features) + 1u) * (size_t)(classes))

/* All weights 0. PCN_ESETUP: no memory or too little, no classes, or 2^31 features or more. */
PCN_API int pcn_iperceptron_init(pcn_iperceptron *m, int32_t *memory, size_t words, uint32_t features,
                                 uint32_t classes);

/* As pcn_perceptron_learn and _learn_class; the true class moves by rate x, its best rival by -rate x.
 * PCN_EVALUE: too many features given. */
PCN_API int pcn_iperceptron_learn_at(pcn_iperceptron *m, const pcn_ivec *x, int y);
PCN_API int pcn_iperceptron_learn_class_at(pcn_iperceptron *m, const pcn_ivec *x, int y);

PCN_INLINE int pcn_iperceptron_learn(pcn_iperceptron *m, pcn_ivec x, int y)
{
    return pcn_iperceptron_learn_at(m, &x, y);
}

PCN_INLINE int pcn_iperceptron_learn_class(pcn_iperceptron *m, pcn_ivec x, int y)
{
    return pcn_iperceptron_learn_class_at(m, &x, y);
}

/* Keeps the sum of the weights after each example, exactly, up to 2^32 examples. */
PCN_API int pcn_iaveraging_init(pcn_iperceptron *m, int64_t *sum, size_t sums);

/* Writes the sums to out[PCN_IWEIGHTS], divided by the least power of two that brings all below 2^30 and
 * rounded, and returns them as a model: a multiple of the mean, it predicts as the mean does. */
PCN_API pcn_ilinear pcn_iaveraging_view(const pcn_iperceptron *m, int32_t *out);

/* Winnow2 for features 0 and 1 (anything else counts as 1): a step doubles or halves weights, from 1 to
 * PCN_IMAX, where 1024 stands for a weight of 1. eliminate: a step down makes them 0 (Winnow1). The bias
 * is -1024 threshold and stays; threshold: 0 .. 2^20. Not together with averaging. */
PCN_API int pcn_iwinnow_init(pcn_iperceptron *m, int32_t threshold, int eliminate);

/* ---- Quantised models ------------------------------------------------------------------------
 * A frozen linear model in 8 or 16 bits a weight, for prediction without floats: a quarter or half of
 * the flash. Class c scores (weights.x + bias) scale, x in units of `unit`. */

typedef struct pcn_quantized {
    const void *weight; /* int8_t or int16_t, class-major */
    const int32_t *bias;
    const uint16_t *scale; /* of each class */
    uint32_t features, classes;
    uint32_t bits; /* 8 or 16 */
} pcn_quantized;

/* weight: features * classes int8_t or int16_t; bias and scale: one of each per class; unit > 0: the
 * value that 1 stands for in an int16 feature (32,767 units must reach the largest value that comes:
 * 1 for features that are whole numbers). Each row has the scale that its largest weight needs.
 * PCN_ESETUP: unit or bits wrong. PCN_EVALUE: a weight or bias / unit is no number, or all are below 2^-94. */
PCN_API int pcn_quantize(pcn_quantized *q, const pcn_linear *m, uint32_t bits, float unit, void *weight,
                         int32_t *bias, uint16_t *scale);

/* Binary: +1 if score >= 0, else -1. */
PCN_API int64_t pcn_quantized_score_at(const pcn_quantized *m, uint32_t cls, const pcn_ivec *x);
PCN_API int pcn_quantized_predict_class_at(const pcn_quantized *m, const pcn_ivec *x);

PCN_INLINE int64_t pcn_quantized_score(const pcn_quantized *m, uint32_t cls, pcn_ivec x)
{
    return pcn_quantized_score_at(m, cls, &x);
}

PCN_INLINE int pcn_quantized_predict(const pcn_quantized *m, pcn_ivec x)
{
    return pcn_quantized_score_at(m, 0, &x) >= 0 ? 1 : -1;
}

PCN_INLINE int pcn_quantized_predict_class(const pcn_quantized *m, pcn_ivec x)
{
    return pcn_quantized_predict_class_at(m, &x);
}

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

/* Scores of `rows` examples -> score[rows * classes]; many at once are faster, and with SIMD take 25 KB of
 * stack. work: PCN_WORK floats.
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
 *      0  "PCN" 0x1A        4  version = 1       8  kind: 1 linear, 2 perceptron trainer, 3 kernel model,
 *                                                   4 integer linear, 5 integer trainer
 *     12  parts: 1 bias, 2 sums, 4 batch, 8 feature-major, 16 exponents, 32 sparse, 64 log, 128 weights
 *         of 8 bits, 256 weights of 16 bits
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
 * Integer models have: weights of 32, 16 or 8 bits, biases of 32, scales of 16 if the weights have 8 or
 * 16 bits, sums of 64; each of these arrays is filled up with zeros to whole words of 4 bytes.
 *
 * save writes bytes [from, from + size) of the image to out, 0xff beyond its end, and returns the
 * length of the whole: ask with (m, 0, NULL, 0), then save at once or page by page.
 * open gives a frozen model that points into the image, from either kind; no copy. The memory must
 * stay, be aligned to 4 bytes and be such that floats may be read from it (malloc, mmap, flash).
 * load restores an initialised trainer of the same shape and layout, on any machine, bit for bit.
 * Arrays that the image has and the trainer has not, and exponents that only one has: PCN_EMATCH;
 * otherwise arrays that the image has not start empty, and so does all but weights and biases from a frozen
 * image. A kernel trainer must have room (or grow), store vectors in the same way, and have a log if and only
 * if the image has one.
 * open and load check length, shape, checksum and every number first; on error nothing changes. */

enum pcn_kind {
    PCN_KIND_LINEAR = 1,
    PCN_KIND_PERCEPTRON = 2,
    PCN_KIND_DUAL = 3,
    PCN_KIND_ILINEAR = 4, /* quantised ones too */
    PCN_KIND_IPERCEPTRON = 5
};
enum pcn_part {
    PCN_PART_BIAS = 1,
    PCN_PART_SUMS = 2,
    PCN_PART_BATCH = 4,
    PCN_PART_FEATURE_MAJOR = 8,
    PCN_PART_EXPONENTS = 16,
    PCN_PART_SPARSE = 32,
    PCN_PART_LOG = 64,
    PCN_PART_8_BITS = 128,
    PCN_PART_16_BITS = 256
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

PCN_API size_t pcn_ilinear_save(const pcn_ilinear *m, size_t from, void *out, size_t size);
PCN_API int pcn_ilinear_open(pcn_ilinear *m, const void *image, size_t size);
PCN_API size_t pcn_iperceptron_save(const pcn_iperceptron *m, size_t from, void *out, size_t size);
PCN_API int pcn_iperceptron_load(pcn_iperceptron *m, const void *image, size_t size);
PCN_API size_t pcn_quantized_save(const pcn_quantized *m, size_t from, void *out, size_t size);
PCN_API int pcn_quantized_open(pcn_quantized *m, const void *image, size_t size);

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

#if defined(__GNUC__) && SIZE_MAX < UINT32_MAX
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" /* what counts elements of an array fits a 16-bit size_t */
#endif

/* ---- Bytes -----------------------------------------------------------------------------------
 * Without libc: an asm statement keeps compilers from making calls of memset and memcpy of loops. */

#ifdef PERCEPTRON_NO_LIBC

static void pcni_fill(void *array, uint8_t byte, size_t size)
{
    uint8_t *p = (uint8_t *)array;
    for (; size != 0; size--) {
        *p++ = byte;
        __asm__ volatile("");
    }
}

static void pcni_copy(void *to, const void *from, size_t size)
{
    uint8_t *p = (uint8_t *)to;
    const uint8_t *q = (const uint8_t *)from;
    size_t i;
    for (i = 0; i < size; i++) {
        size_t at = p > q ? size - 1 - i : i; /* they may overlap */
        p[at] = q[at];
        __asm__ volatile("");
    }
}

#define pcni_copy_word __builtin_memcpy /* of constant size: no call */
#else
#include <string.h>
#define pcni_fill memset
#define pcni_copy memmove
#define pcni_copy_word memcpy
#endif
#define pcni_zero(array, size) pcni_fill(array, 0, size)

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

/* A count. */
PCN_MAYBE_UNUSED static inline float pcni_float(uint64_t n)
{
    float high = (float)(uint32_t)(n >> 32), low = (float)(uint32_t)(n & UINT32_MAX);
    PCNI_ROUND(low);
    return pcni_plus(pcni_times(high, 4294967296.0f), low);
}

static float pcni_from_bits(uint32_t bits)
{
    float f;
    pcni_copy_word(&f, &bits, sizeof f);
    return f;
}

static uint32_t pcni_to_bits(float f)
{
    uint32_t bits;
    pcni_copy_word(&bits, &f, sizeof bits);
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
 * pcni_v: PCNI_W floats: 8, with AVX-512 16, in portable C 1. All kernels are written once in it:
 *   pcni_set, _load, _store      all lanes
 *   _gather                      the floats at PCNI_APART places, 8 or 1, in the first lanes; not by way
 *                                of an array: a wide load of what was just stored in small parts waits
 *   _load_part, _store_part      the first k lanes (all from PCNI_W on); load: the others 0
 *   _mask, _load_mask            the same, for loops with the same k: a pcni_m, made once, says it
 *   _add, _sub, _mul, _div, _min, _max
 *                                lane by lane
 *   _mul_sub                     a b - c rounded once, if the processor can: PCNI_FUSED
 *   _where                       v where a >= b, 0 elsewhere
 *   _pow2                        2^k for whole k from -126 to 127; 0 for -127
 *   _head                        the upper 12 of the 24 bits of each lane: the product of two such
 *                                heads, or of a head and the exact rest of another lane, is exact
 *   _halves                      half a vector of the sums of lanes PCNI_W / 2 apart of a, then that of b
 *   _low2, _high2, _even, _odd   of each four lanes 0 and 1, 2 and 3, 0 and 2, 1 and 3: those of a, then of b
 *   _sum                         halving tree over the lanes: (+8,) +4, +2, +1
 *   _fold                        the levels (+8,) +4 for four (two) vectors that stand `apart`, side by side
 *   _sums                        the levels +2, +1: PCNI_W sums, from the folds of vectors 0, 4 .., 1, 5 .., 2, 6 ..
 *                                and 3, 7 ..
 *   pcni_8, _8_set ...           the first of these for 8 floats, where 16 are no faster
 *   _reach                       the lanes that are f or more: a bit for each, the lowest for the first */

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
#define pcni_where(v, a, b) ((a) >= (b) ? (v) : 0)
#define pcni_pow2(k) pcni_from_bits((uint32_t)((int32_t)(k) + 127) << 23)
#define pcni_head(f) pcni_from_bits(pcni_to_bits(f) & 0xfffff000u)
#define pcni_sum(v) (v)
#define pcni_reach(v, f) ((uint32_t)((v) >= (f)))
#define pcni_done() ((void)0)

#elif PERCEPTRON_SIMD == 2

#include <immintrin.h>
#if !defined(__GNUC__) && !defined(__clang__)
#define PCNI_ROUND_V(v) ((void)0)
#elif defined(__AVX512F__)
#define PCNI_ROUND_V(v) __asm__("" : "+v"(v))
#else
#define PCNI_ROUND_V(v) __asm__("" : "+x"(v))
#endif

static inline __m256i pcni_mask_of_8(uint32_t k)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

typedef __m256 pcni_8;
static inline pcni_8 pcni_8_set(float f) { return _mm256_set1_ps(f); }
static inline pcni_8 pcni_8_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void pcni_8_store(float *p, pcni_8 v) { _mm256_storeu_ps(p, v); }

static inline pcni_8 pcni_8_load_part(const float *p, uint32_t k)
{
    return _mm256_maskload_ps(p, pcni_mask_of_8(k));
}

static inline void pcni_8_store_part(float *p, pcni_8 v, uint32_t k)
{
    if (k >= 8)
        pcni_8_store(p, v);
    else
        _mm256_maskstore_ps(p, pcni_mask_of_8(k), v);
}

static inline pcni_8 pcni_8_add(pcni_8 a, pcni_8 b)
{
    pcni_8 s = _mm256_add_ps(a, b);
    PCNI_ROUND_V(s);
    return s;
}

static inline pcni_8 pcni_8_mul(pcni_8 a, pcni_8 b)
{
    pcni_8 p = _mm256_mul_ps(a, b);
    PCNI_ROUND_V(p);
    return p;
}

/* The halving tree over 8 lanes. */
static inline float pcni_sum_of_8(pcni_8 v)
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

#ifdef __AVX512F__
#define PCNI_W 16u
#define PCNI_WIDE(op) _mm512_##op
typedef __m512 pcni_v;
#else
#define PCNI_W 8u
#define PCNI_WIDE(op) _mm256_##op
typedef __m256 pcni_v;
#endif

static inline pcni_v pcni_set(float f) { return PCNI_WIDE(set1_ps)(f); }
static inline pcni_v pcni_load(const float *p) { return PCNI_WIDE(loadu_ps)(p); }
static inline void pcni_store(float *p, pcni_v v) { PCNI_WIDE(storeu_ps)(p, v); }

static inline pcni_v pcni_add(pcni_v a, pcni_v b)
{
    pcni_v s = PCNI_WIDE(add_ps)(a, b);
    PCNI_ROUND_V(s);
    return s;
}

static inline pcni_v pcni_sub(pcni_v a, pcni_v b)
{
    pcni_v s = PCNI_WIDE(sub_ps)(a, b);
    PCNI_ROUND_V(s);
    return s;
}

static inline pcni_v pcni_mul(pcni_v a, pcni_v b)
{
    pcni_v p = PCNI_WIDE(mul_ps)(a, b);
    PCNI_ROUND_V(p);
    return p;
}

static inline pcni_v pcni_div(pcni_v a, pcni_v b)
{
    return PCNI_WIDE(div_ps)(a, b);
}

#if defined(__AVX512F__) || defined(__FMA__)
#define PCNI_FUSED
static inline pcni_v pcni_mul_sub(pcni_v a, pcni_v b, pcni_v c)
{
    return PCNI_WIDE(fmsub_ps)(a, b, c);
}
#endif

#ifdef __AVX512F__

/* Masks of all lanes where they are not needed: for the forms without, g++ 12 warns of its own header. */
#define PCNI_ALL 0xFFFF

typedef __mmask16 pcni_m;

static inline pcni_m pcni_mask(uint32_t k)
{
    return (pcni_m)(((uint32_t)1 << (k < PCNI_W ? k : PCNI_W)) - 1);
}

static inline pcni_v pcni_load_mask(const float *p, pcni_m m)
{
    return _mm512_maskz_loadu_ps(m, p);
}

static inline pcni_v pcni_widen(pcni_8 v)
{
    return _mm512_castpd_ps(_mm512_maskz_broadcast_f64x4(0xF, _mm256_castps_pd(v)));
}

static inline pcni_v pcni_gather(const float *w, const size_t *at)
{
    return pcni_widen(_mm256_setr_ps(w[at[0]], w[at[1]], w[at[2]], w[at[3]], w[at[4]], w[at[5]], w[at[6]],
                                     w[at[7]]));
}

/* A wide load may wait for a line of which it needs nothing. */
static inline pcni_v pcni_load_part(const float *p, uint32_t k)
{
    return k > 8 ? pcni_load_mask(p, pcni_mask(k)) : pcni_widen(pcni_8_load_part(p, k));
}

static inline void pcni_store_part(float *p, pcni_v v, uint32_t k)
{
    _mm512_mask_storeu_ps(p, pcni_mask(k), v);
}

static inline pcni_v pcni_min(pcni_v a, pcni_v b)
{
    return _mm512_maskz_min_ps(PCNI_ALL, a, b);
}

static inline pcni_v pcni_max(pcni_v a, pcni_v b)
{
    return _mm512_maskz_max_ps(PCNI_ALL, a, b);
}

static inline pcni_v pcni_where(pcni_v v, pcni_v a, pcni_v b)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ), v);
}

static inline pcni_v pcni_pow2(pcni_v k)
{
    __m512i bits = _mm512_add_epi32(_mm512_maskz_cvtps_epi32(PCNI_ALL, k), _mm512_set1_epi32(127));
    return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(PCNI_ALL, bits, 23));
}

static inline pcni_v pcni_head(pcni_v v)
{
    return _mm512_castsi512_ps(_mm512_and_epi32(_mm512_castps_si512(v), _mm512_set1_epi32(-4096)));
}

#define PCNI_SHUFFLE(op, a, b, which) _mm512_maskz_##op(PCNI_ALL, a, b, which)

static inline pcni_v pcni_halves(pcni_v a, pcni_v b)
{
    return pcni_add(PCNI_SHUFFLE(shuffle_f32x4, a, b, 0x44), PCNI_SHUFFLE(shuffle_f32x4, a, b, 0xEE));
}

static inline pcni_v pcni_fold(const pcni_v *v, size_t apart)
{
    pcni_v a = pcni_halves(v[0], v[apart]), b = pcni_halves(v[2 * apart], v[3 * apart]);
    return pcni_add(PCNI_SHUFFLE(shuffle_f32x4, a, b, 0x88), PCNI_SHUFFLE(shuffle_f32x4, a, b, 0xDD));
}

/* Lanes 0 to 7, and 8 to 15. */
static inline pcni_8 pcni_half(pcni_v v, int upper)
{
    __m512d t = _mm512_castps_pd(v);
    return _mm256_castpd_ps(upper ? _mm512_maskz_extractf64x4_pd(0xF, t, 1) : _mm512_maskz_extractf64x4_pd(0xF, t, 0));
}

static inline float pcni_sum(pcni_v v)
{
    return pcni_sum_of_8(pcni_8_add(pcni_half(v, 0), pcni_half(v, 1)));
}

static inline uint32_t pcni_reach(pcni_v v, float f)
{
    return _mm512_cmp_ps_mask(v, pcni_set(f), _CMP_GE_OQ);
}

#else

static inline pcni_v pcni_gather(const float *w, const size_t *at)
{
    return _mm256_setr_ps(w[at[0]], w[at[1]], w[at[2]], w[at[3]], w[at[4]], w[at[5]], w[at[6]], w[at[7]]);
}

typedef __m256i pcni_m;
#define pcni_mask pcni_mask_of_8

static inline pcni_v pcni_load_mask(const float *p, pcni_m m)
{
    return _mm256_maskload_ps(p, m);
}

#define pcni_store_part pcni_8_store_part

static inline pcni_v pcni_load_part(const float *p, uint32_t k)
{
    return k >= PCNI_W ? pcni_load(p) : pcni_8_load_part(p, k);
}

static inline pcni_v pcni_min(pcni_v a, pcni_v b)
{
    return _mm256_min_ps(a, b);
}

static inline pcni_v pcni_max(pcni_v a, pcni_v b)
{
    return _mm256_max_ps(a, b);
}

static inline pcni_v pcni_where(pcni_v v, pcni_v a, pcni_v b)
{
    return _mm256_and_ps(v, _mm256_cmp_ps(a, b, _CMP_GE_OQ));
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

#define PCNI_SHUFFLE(op, a, b, which) _mm256_##op(a, b, which)

static inline pcni_v pcni_halves(pcni_v a, pcni_v b)
{
    return pcni_add(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

#define pcni_sum pcni_sum_of_8

static inline uint32_t pcni_reach(pcni_v v, float f)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(v, pcni_set(f), _CMP_GE_OQ));
}

#endif

static inline pcni_v pcni_low2(pcni_v a, pcni_v b) { return PCNI_SHUFFLE(shuffle_ps, a, b, 0x44); }
static inline pcni_v pcni_high2(pcni_v a, pcni_v b) { return PCNI_SHUFFLE(shuffle_ps, a, b, 0xEE); }
static inline pcni_v pcni_even(pcni_v a, pcni_v b) { return PCNI_SHUFFLE(shuffle_ps, a, b, 0x88); }
static inline pcni_v pcni_odd(pcni_v a, pcni_v b) { return PCNI_SHUFFLE(shuffle_ps, a, b, 0xDD); }

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

static inline pcni_h pcni_of4(float a, float b, float c, float d)
{
    return PCNI_HALF(set, _mm_setr_ps(a, b, c, d),
                     vsetq_lane_f32(
                         d, vsetq_lane_f32(c, vsetq_lane_f32(b, vdupq_n_f32(a), 1), 2), 3));
}

static inline pcni_v pcni_gather(const float *w, const size_t *at)
{
    pcni_v v;
    v.lo = pcni_of4(w[at[0]], w[at[1]], w[at[2]], w[at[3]]);
    v.hi = pcni_of4(w[at[4]], w[at[5]], w[at[6]], w[at[7]]);
    return v;
}

static inline pcni_h pcni_load_part4(const float *p, uint32_t k)
{
    return pcni_of4(k > 0 ? p[0] : 0, k > 1 ? p[1] : 0, k > 2 ? p[2] : 0, k > 3 ? p[3] : 0);
}

static inline pcni_v pcni_load_part(const float *p, uint32_t k)
{
    pcni_v v;
    if (k >= 8) return pcni_load(p);
    v.lo = k < 4 ? pcni_load_part4(p, k) : PCNI_HALF(load, _mm_loadu_ps(p), vld1q_f32(p));
    v.hi = k > 4 ? pcni_load_part4(p + 4, k - 4) : PCNI_HALF(set, _mm_setzero_ps(), vdupq_n_f32(0));
    return v;
}

typedef uint32_t pcni_m;
#define pcni_mask(k) (k)
#define pcni_load_mask pcni_load_part

static inline void pcni_store_part(float *p, pcni_v v, uint32_t k)
{
    float t[8];
    uint32_t i;
    pcni_store(k >= 8 ? p : t, v);
    for (i = 0; i < k && k < 8; i++) p[i] = t[i];
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

#if PERCEPTRON_SIMD == 3
#define PCNI_FUSED
static inline pcni_v pcni_mul_sub(pcni_v a, pcni_v b, pcni_v c)
{
    a.lo = vfmaq_f32(vnegq_f32(c.lo), a.lo, b.lo);
    a.hi = vfmaq_f32(vnegq_f32(c.hi), a.hi, b.hi);
    return a;
}
#endif

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

static inline pcni_h pcni_where4(pcni_h v, pcni_h a, pcni_h b)
{
    return PCNI_HALF(where, _mm_and_ps(v, _mm_cmpge_ps(a, b)),
                     vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(v), vcgeq_f32(a, b))));
}

static inline pcni_v pcni_where(pcni_v v, pcni_v a, pcni_v b)
{
    v.lo = pcni_where4(v.lo, a.lo, b.lo);
    v.hi = pcni_where4(v.hi, a.hi, b.hi);
    return v;
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

static inline pcni_v pcni_halves(pcni_v a, pcni_v b)
{
    pcni_v v, t;
    v.lo = a.lo, v.hi = b.lo;
    t.lo = a.hi, t.hi = b.hi;
    return pcni_add(v, t);
}

#define PCNI_PAIRS(name, which, arm)                                                             \
    static inline pcni_v name(pcni_v a, pcni_v b)                                                \
    {                                                                                            \
        a.lo = PCNI_HALF(name, _mm_shuffle_ps(a.lo, b.lo, which), arm(a.lo, b.lo));              \
        a.hi = PCNI_HALF(name, _mm_shuffle_ps(a.hi, b.hi, which), arm(a.hi, b.hi));              \
        return a;                                                                                \
    }
#define PCNI_LOW2(p, q) vcombine_f32(vget_low_f32(p), vget_low_f32(q))
#define PCNI_HIGH2(p, q) vcombine_f32(vget_high_f32(p), vget_high_f32(q))
PCNI_PAIRS(pcni_low2, 0x44, PCNI_LOW2)
PCNI_PAIRS(pcni_high2, 0xEE, PCNI_HIGH2)
PCNI_PAIRS(pcni_even, 0x88, vuzp1q_f32)
PCNI_PAIRS(pcni_odd, 0xDD, vuzp2q_f32)
#undef PCNI_PAIRS
#undef PCNI_LOW2
#undef PCNI_HIGH2

static inline uint32_t pcni_reach4(pcni_h h, float f)
{
#if PERCEPTRON_SIMD == 3
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcgeq_f32(h, vdupq_n_f32(f)), vld1q_u32(bit)));
#else
    return (uint32_t)_mm_movemask_ps(_mm_cmpge_ps(h, _mm_set1_ps(f)));
#endif
}

static inline uint32_t pcni_reach(pcni_v v, float f)
{
    return pcni_reach4(v.lo, f) | pcni_reach4(v.hi, f) << 4;
}

#undef PCNI_HALF
#define pcni_8 pcni_v
#define pcni_8_set pcni_set
#define pcni_8_load pcni_load
#define pcni_8_store pcni_store
#define pcni_8_load_part pcni_load_part
#define pcni_8_store_part pcni_store_part
#define pcni_8_add pcni_add
#define pcni_8_mul pcni_mul
#define pcni_done() ((void)0)

#endif

#if PERCEPTRON_SIMD != 0

#if PCNI_W == 8
#define pcni_fold(v, apart) pcni_halves((v)[0], (v)[apart])
#endif

static inline pcni_v pcni_sums(pcni_v a, pcni_v b, pcni_v c, pcni_v d)
{
    a = pcni_add(pcni_low2(a, b), pcni_high2(a, b));
    c = pcni_add(pcni_low2(c, d), pcni_high2(c, d));
    return pcni_add(pcni_even(a, c), pcni_odd(a, c));
}

#endif

/* ---- Kernels --------------------------------------------------------------------------------- */

#if (defined(__GNUC__) || defined(__clang__)) && PERCEPTRON_SIMD != 0
#define PCNI_INLINE static inline __attribute__((always_inline)) /* sums stay in registers */
#define PCNI_PREFETCH(p) __builtin_prefetch((const void *)(p))
#define PCNI_PREFETCH_L2(p) __builtin_prefetch((const void *)(p), 0, 2)
#else
#define PCNI_INLINE static inline
#define PCNI_PREFETCH(p) ((void)(p))
#define PCNI_PREFETCH_L2(p) ((void)(p))
#endif

#define PCNI_LANES 32u
#define PCNI_APART (PCNI_W < 8 ? PCNI_W : 8)
#define PCNI_FAR 524288u /* floats: more than near caches hold */
#define PCNI_AHEAD 16u

/* The number and the value of feature i of those given. */
static inline uint32_t pcni_index(const pcn_vec *x, uint32_t i)
{
    return x->index ? x->index[i] : i;
}

static inline float pcni_value(const pcn_vec *x, uint32_t i)
{
    float v = 1;
    if (x->value) v = x->value[i];
    return v;
}

#if PERCEPTRON_SIMD == 0 && !defined(__OPTIMIZE_SIZE__)

/* Adds w[i] x[i] for 8 values of i to 8 partial sums, which stay in registers. */
#if defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
/* Compilers load one at a time what this loads in two instructions. */
#define PCNI_EIGHT(p, q, a, b, c, d, e, f, g, h)                                                 \
    do {                                                                                         \
        const float *pcni_p = (p), *pcni_q = (q);                                                \
        __asm__("vldmia %8, {s16-s23}\n\tvldmia %9, {s24-s31}\n\t"                               \
                "vmul.f32 s16, s16, s24\n\tvmul.f32 s17, s17, s25\n\t"                           \
                "vmul.f32 s18, s18, s26\n\tvmul.f32 s19, s19, s27\n\t"                           \
                "vmul.f32 s20, s20, s28\n\tvmul.f32 s21, s21, s29\n\t"                           \
                "vmul.f32 s22, s22, s30\n\tvmul.f32 s23, s23, s31\n\t"                           \
                "vadd.f32 %0, %0, s16\n\tvadd.f32 %1, %1, s17\n\t"                               \
                "vadd.f32 %2, %2, s18\n\tvadd.f32 %3, %3, s19\n\t"                               \
                "vadd.f32 %4, %4, s20\n\tvadd.f32 %5, %5, s21\n\t"                               \
                "vadd.f32 %6, %6, s22\n\tvadd.f32 %7, %7, s23"                                   \
                : "+t"(a), "+t"(b), "+t"(c), "+t"(d), "+t"(e), "+t"(f), "+t"(g), "+t"(h)         \
                : "r"(pcni_p), "r"(pcni_q)                                                       \
                : "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26",   \
                  "s27", "s28", "s29", "s30", "s31", "memory");                                  \
    } while (0)
#else
#define PCNI_EIGHT(p, q, a, b, c, d, e, f, g, h)                                                 \
    do {                                                                                         \
        const float *pcni_p = (p), *pcni_q = (q);                                                \
        a = pcni_plus(a, pcni_times(pcni_p[0], pcni_q[0]));                                      \
        b = pcni_plus(b, pcni_times(pcni_p[1], pcni_q[1]));                                      \
        c = pcni_plus(c, pcni_times(pcni_p[2], pcni_q[2]));                                      \
        d = pcni_plus(d, pcni_times(pcni_p[3], pcni_q[3]));                                      \
        e = pcni_plus(e, pcni_times(pcni_p[4], pcni_q[4]));                                      \
        f = pcni_plus(f, pcni_times(pcni_p[5], pcni_q[5]));                                      \
        g = pcni_plus(g, pcni_times(pcni_p[6], pcni_q[6]));                                      \
        h = pcni_plus(h, pcni_times(pcni_p[7], pcni_q[7]));                                      \
    } while (0)
#endif

/* The partial sums of whole blocks of 32 products, eight at a time; begun: they go on. */
static void pcni_lane_blocks(const float *w, const float *x, uint32_t end, float *lane, int begun)
{
    uint32_t first, i;
    for (first = 0; first < PCNI_LANES; first += 8, lane += 8) {
        float a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
        if (begun) {
            a = lane[0], b = lane[1], c = lane[2], d = lane[3];
            e = lane[4], f = lane[5], g = lane[6], h = lane[7];
        }
        for (i = first; i < end; i += PCNI_LANES) PCNI_EIGHT(w + i, x + i, a, b, c, d, e, f, g, h);
        lane[0] = a, lane[1] = b, lane[2] = c, lane[3] = d;
        lane[4] = e, lane[5] = f, lane[6] = g, lane[7] = h;
    }
}
#endif

/* Empties the partial sums that x can reach and returns how many: 32, but at least 1. */
static uint32_t pcni_empty_lanes(float *lane, const pcn_vec *x)
{
    uint32_t used = !x->index && x->count < PCNI_LANES ? x->count : PCNI_LANES, i = 0;
#if PERCEPTRON_SIMD != 0
    for (; i < PCNI_LANES; i += PCNI_W) pcni_store(lane + i, pcni_set(0));
    pcni_done();
    i = used ? used : 1;
#else
    float zero = 0;
    do {
        PCNI_ROUND(zero); /* no call of memset */
        lane[i++] = zero;
    } while (i < used);
#endif
    return i;
}

#if PERCEPTRON_SIMD != 0

/* The halving tree over 4, 8 and 16 partial sums apart from each other, from memory once: single floats that
 * have just been written can be read again at once, vectors of such cannot. */
PCNI_INLINE float pcni_four(const float *lane)
{
    return pcni_plus(pcni_plus(lane[0], lane[16]), pcni_plus(lane[8], lane[24]));
}

PCNI_INLINE float pcni_eight(const float *lane)
{
    return pcni_plus(pcni_four(lane), pcni_four(lane + 4));
}

PCNI_INLINE float pcni_sixteen(const float *lane)
{
    return pcni_plus(pcni_eight(lane), pcni_eight(lane + 2));
}

#endif

/* The halving tree over the first n partial sums: lane j is added to lane j - h, where h is the
 * highest power of two in j. */
static float pcni_tree(float *lane, uint32_t n)
{
    uint32_t h = PCNI_LANES / 2;
#if PERCEPTRON_SIMD != 0
    if (n == PCNI_LANES) return pcni_plus(pcni_sixteen(lane), pcni_sixteen(lane + 1));
#endif
    while (--n != 0) {
        while (h > n) h >>= 1;
        lane[n - h] = pcni_plus(lane[n - h], lane[n]);
    }
    return lane[0];
}

/* Adds w[j * column] x[j] over j < n to the partial sums, for the features from `from` to before `to`. ahead: and
 * brings the weight of feature ahead[i] near while that of i is added; NULL: none. */
PCNI_INLINE void pcni_add_products(float *lane, const float *w, size_t column, uint32_t n, const uint32_t *index,
                                   const float *value, uint32_t from, uint32_t to, const uint32_t *ahead)
{
    uint32_t i;
    for (i = from; i < to; i++) {
        uint32_t j = index ? index[i] : i;
        float *sum = &lane[j % PCNI_LANES], v;
        if (ahead) PCNI_PREFETCH((uintptr_t)w + ahead[i] * sizeof *w);
        if (j >= n) continue;
        v = w[j * column];
        if (value) v = pcni_times(v, value[i]);
        *sum = pcni_plus(*sum, v);
    }
}

#if PERCEPTRON_SIMD != 0

/* Brings what is at w[j * column] near for all j of a sparse x, from number i on, if n of these are more than is near:
 * all of it at once, not one after the other. */
static void pcni_fetch(const float *w, size_t column, uint32_t n, const pcn_vec *x, uint32_t i)
{
    if (n * column < PCNI_FAR / 8) return;
    for (; x->index && i < x->count; i++) PCNI_PREFETCH((uintptr_t)w + x->index[i] * column * sizeof *w);
}

/* Adds the products of the usual sparse rows, without tests of their form in the loop. What is brought near is for the
 * next row; where that is not known, for this one. */
PCNI_INLINE void pcni_add_sparse(float *lane, const float *w, uint32_t n, const uint32_t *index,
                                 const float *value, uint32_t count, const pcn_vec *next)
{
    const uint32_t *ahead = NULL;
    uint32_t some = 0;
    if (next && next->index) {
        ahead = next->index;
        if (n >= PCNI_FAR / 8) some = count < next->count ? count : next->count;
    } else if (n >= PCNI_FAR && count > PCNI_AHEAD) {
        ahead = index + PCNI_AHEAD;
        some = count - PCNI_AHEAD;
    }
    pcni_add_products(lane, w, 1, n, index, value, 0, some, ahead);
    pcni_add_products(lane, w, 1, n, index, value, some, count, NULL);
    if (next) pcni_fetch(w, 1, n, next, some);
}

/* The sum for rows of one or two: two products have but one sum. */
PCNI_INLINE float pcni_two_at_most(const float *w, size_t column, uint32_t n, const pcn_vec *x)
{
    float sum = 0;
    uint32_t i, j;
    for (i = 0; i < x->count; i++) {
        j = pcni_index(x, i);
        if (j < n) sum = pcni_plus(sum, pcni_times(w[j * column], pcni_value(x, i)));
    }
    return sum;
}

#endif

/* Sum of w[j * column] x[j] over j < n, with partial sums in memory. next: the row that follows; NULL: not known. */
static float pcni_lanes(const float *w, size_t column, uint32_t n, const pcn_vec *x, const pcn_vec *next)
{
    float lane[PCNI_LANES];
    uint32_t used;
#if PERCEPTRON_SIMD != 0
    if (x->count <= 2) {
        if (next) pcni_fetch(w, column, n, next, 0);
        return pcni_two_at_most(w, column, n, x);
    }
#else
    (void)next;
#endif
    used = pcni_empty_lanes(lane, x);
#if PERCEPTRON_SIMD != 0
    if (x->index && x->value && column == 1)
        pcni_add_sparse(lane, w, n, x->index, x->value, x->count, next);
    else if (x->index && column == 1)
        pcni_add_sparse(lane, w, n, x->index, NULL, x->count, next);
    else
#endif
        pcni_add_products(lane, w, column, n, x->index, x->value, 0, x->count, NULL);
    return pcni_tree(lane, used);
}

#if PERCEPTRON_SIMD == 0 && !defined(__OPTIMIZE_SIZE__)

/* Sum of w[i] x[i]. */
static float pcni_dense(const float *w, const float *x, uint32_t n)
{
    const uint32_t near = 2048; /* floats of each that stay in the first cache for all four rounds */
    float lane[PCNI_LANES];
    uint32_t i, k;
    if (n < PCNI_LANES) {
        for (i = 0; i < n; i++) lane[i] = pcni_plus(0, pcni_times(w[i], x[i]));
        return n != 0 ? pcni_tree(lane, n) : 0;
    }
    for (i = 0; n - i >= PCNI_LANES; i += k) {
        k = n - i < near ? n - i - (n - i) % PCNI_LANES : near;
        pcni_lane_blocks(w + i, x + i, k, lane, i != 0);
    }
    for (; i < n; i++) {
        float *sum = &lane[i % PCNI_LANES];
        *sum = pcni_plus(*sum, pcni_times(w[i], x[i]));
    }
    return pcni_tree(lane, PCNI_LANES);
}

#elif PERCEPTRON_SIMD != 0

/* pcni_32: 32 floats, such as all partial sums:
 *   pcni_32_set, _load, _store
 *   _mul_add                     s + w v
 *   _mul_add_part                the same for the first k < 32 at w and x
 *   _fold                        the halving tree down to PCNI_W sums */

static inline pcni_v pcni_mul_add_part(pcni_v sum, const float *a, const float *b, uint32_t k)
{
    return pcni_add(sum, pcni_mul(pcni_load_part(a, k), pcni_load_part(b, k)));
}

#if PCNI_W == 16

typedef struct pcni_32 {
    pcni_v a, b; /* lanes 0-15, 16-31 */
} pcni_32;

PCNI_INLINE pcni_32 pcni_32_set(float f)
{
    pcni_32 v;
    v.a = v.b = pcni_set(f);
    return v;
}

PCNI_INLINE pcni_32 pcni_32_load(const float *p)
{
    pcni_32 v;
    v.a = pcni_load(p);
    v.b = pcni_load(p + 16);
    return v;
}

PCNI_INLINE void pcni_32_store(float *p, pcni_32 v)
{
    pcni_store(p, v.a);
    pcni_store(p + 16, v.b);
}

PCNI_INLINE pcni_32 pcni_32_mul_add(pcni_32 s, pcni_32 w, pcni_32 v)
{
    s.a = pcni_add(s.a, pcni_mul(w.a, v.a));
    s.b = pcni_add(s.b, pcni_mul(w.b, v.b));
    return s;
}

PCNI_INLINE pcni_32 pcni_32_mul_add_part(pcni_32 s, const float *w, const float *x, uint32_t k)
{
    s.a = pcni_mul_add_part(s.a, w, x, k);
    if (k > 16) s.b = pcni_mul_add_part(s.b, w + 16, x + 16, k - 16);
    return s;
}

PCNI_INLINE pcni_v pcni_32_fold(pcni_32 s)
{
    return pcni_add(s.a, s.b);
}

#else

typedef struct pcni_32 {
    pcni_v a, b, c, d; /* lanes 0-7, 8-15, 16-23, 24-31 */
} pcni_32;

PCNI_INLINE pcni_32 pcni_32_set(float f)
{
    pcni_32 v;
    v.a = v.b = v.c = v.d = pcni_set(f);
    return v;
}

PCNI_INLINE pcni_32 pcni_32_load(const float *p)
{
    pcni_32 v;
    v.a = pcni_load(p);
    v.b = pcni_load(p + 8);
    v.c = pcni_load(p + 16);
    v.d = pcni_load(p + 24);
    return v;
}

PCNI_INLINE void pcni_32_store(float *p, pcni_32 v)
{
    pcni_store(p, v.a);
    pcni_store(p + 8, v.b);
    pcni_store(p + 16, v.c);
    pcni_store(p + 24, v.d);
}

PCNI_INLINE pcni_32 pcni_32_mul_add(pcni_32 s, pcni_32 w, pcni_32 v)
{
    s.a = pcni_add(s.a, pcni_mul(w.a, v.a));
    s.b = pcni_add(s.b, pcni_mul(w.b, v.b));
    s.c = pcni_add(s.c, pcni_mul(w.c, v.c));
    s.d = pcni_add(s.d, pcni_mul(w.d, v.d));
    return s;
}

PCNI_INLINE pcni_32 pcni_32_mul_add_part(pcni_32 s, const float *w, const float *x, uint32_t k)
{
    if (k > 0) s.a = pcni_mul_add_part(s.a, w, x, k);
    if (k > 8) s.b = pcni_mul_add_part(s.b, w + 8, x + 8, k - 8);
    if (k > 16) s.c = pcni_mul_add_part(s.c, w + 16, x + 16, k - 16);
    if (k > 24) s.d = pcni_mul_add_part(s.d, w + 24, x + 24, k - 24);
    return s;
}

PCNI_INLINE pcni_v pcni_32_fold(pcni_32 s)
{
    return pcni_add(pcni_add(s.a, s.c), pcni_add(s.b, s.d));
}

#endif

/* Adds the whole blocks of 32 among n products. */
PCNI_INLINE void pcni_blocks(pcni_32 *s, const float *w, const float *x, uint32_t n)
{
    pcni_32 t = *s;
    for (; n >= 2 * PCNI_LANES; n -= 2 * PCNI_LANES, w += 2 * PCNI_LANES, x += 2 * PCNI_LANES) {
        t = pcni_32_mul_add(t, pcni_32_load(w), pcni_32_load(x)); /* two at once: counting competes with adding */
        t = pcni_32_mul_add(t, pcni_32_load(w + PCNI_LANES), pcni_32_load(x + PCNI_LANES));
    }
    if (n >= PCNI_LANES) t = pcni_32_mul_add(t, pcni_32_load(w), pcni_32_load(x));
    *s = t;
}

#if PERCEPTRON_SIMD != 1 /* which has too few registers */
/* The same for two rows of weights, into s[0] and s[1]: x is loaded once. */
PCNI_INLINE void pcni_two_rows(pcni_32 *s, const float *w, const float *v, const float *x, uint32_t n)
{
    pcni_32 t = s[0], u = s[1];
    for (; n >= PCNI_LANES; n -= PCNI_LANES, w += PCNI_LANES, v += PCNI_LANES, x += PCNI_LANES) {
        pcni_32 f = pcni_32_load(x);
        t = pcni_32_mul_add(t, pcni_32_load(w), f);
        u = pcni_32_mul_add(u, pcni_32_load(v), f);
    }
    s[0] = t, s[1] = u;
}
#endif

/* Adds the rest of n products, then takes the tree down to PCNI_W sums. */
PCNI_INLINE pcni_v pcni_finish_lanes(const pcni_32 *s, const float *w, const float *x, uint32_t n)
{
    uint32_t k = n % PCNI_LANES;
    return pcni_32_fold(k == 0 ? *s : pcni_32_mul_add_part(*s, w + n - k, x + n - k, k));
}

/* The same down to one. */
PCNI_INLINE float pcni_finish(const pcni_32 *s, const float *w, const float *x, uint32_t n)
{
    return pcni_sum(pcni_finish_lanes(s, w, x, n));
}

/* w[i] x[i] + w[i + 4] x[i + 4] of n < 8 products, as far as there are such. */
PCNI_INLINE float pcni_lane_pair(const float *w, const float *x, uint32_t n, uint32_t i)
{
    float sum = 0;
    if (i < n) sum = pcni_plus(0, pcni_times(w[i], x[i]));
    if (i + 4 < n) sum = pcni_plus(sum, pcni_times(w[i + 4], x[i + 4]));
    return sum;
}

PCNI_INLINE float pcni_few(const float *w, const float *x, uint32_t n)
{
    float a, b;
    if (n == 0) return 0;
    a = pcni_lane_pair(w, x, n, 0);
    if (n == 1) return a;
    b = pcni_lane_pair(w, x, n, 1);
    if (n > 2) a = pcni_plus(a, pcni_lane_pair(w, x, n, 2));
    if (n > 3) b = pcni_plus(b, pcni_lane_pair(w, x, n, 3));
    return pcni_plus(a, b);
}

PCNI_INLINE float pcni_one_row(const float *w, const float *x, uint32_t n)
{
    pcni_32 s = pcni_32_set(0);
    if (n < 8) return pcni_few(w, x, n);
    pcni_blocks(&s, w, x, n);
    return pcni_finish(&s, w, x, n);
}

/* Sum of w[i] x[i]. */
static inline float pcni_dense(const float *w, const float *x, uint32_t n)
{
    float sum = pcni_one_row(w, x, n);
    pcni_done();
    return sum;
}

/* The sums of `rows` rows of weights, the whole blocks of 32 among n products added. */
PCNI_INLINE void pcni_add_rows(pcni_32 *s, const float *w, size_t row, uint32_t rows, const float *x, uint32_t n)
{
    uint32_t r = 0;
#if PERCEPTRON_SIMD != 1
    for (; r + 1 < rows; r += 2) pcni_two_rows(&s[r], w + r * row, w + (r + 1) * row, x, n);
#endif
    for (; r < rows; r++) pcni_blocks(&s[r], w + r * row, x, n);
}

#define PCNI_ROWS 5u

/* What follows an example, and is brought near while some groups of rows of weights are multiplied with that: each
 * has its share. Also what stands `beyond` bytes behind it, into the second cache: memory takes longer than one
 * example lasts. */
typedef struct pcni_next {
    uintptr_t at;
    uint32_t groups; /* 0: nothing is brought near */
    uint32_t beyond; /* 0: not known; then the same once more */
} pcni_next;

#define PCNI_BEYOND 12288u /* bytes: some four rows of 784 floats; half and twice as many served as well */

PCNI_INLINE void pcni_bring(const pcni_next *next, size_t i)
{
    PCNI_PREFETCH(next->at + i);
    PCNI_PREFETCH_L2(next->at + next->beyond + i);
}

#if PCNI_W == 16

/* The sums of PCNI_ROWS rows of weights; brings a share of `next` near. */
static void pcni_dense_group(const float *w, size_t row, const float *x, uint32_t n, pcni_next next, float *score)
{
    const float *a = w, *b = a + row, *c = b + row, *d = c + row, *e = d + row, *f = x;
    const uint32_t share = next.groups ? (uint32_t)sizeof *x * PCNI_LANES / next.groups : 0; /* of one line or two */
    pcni_32 s[PCNI_ROWS], v; /* in registers: no loop over them */
    uint32_t i;
    s[0] = s[1] = s[2] = s[3] = s[4] = pcni_32_set(0);
    for (i = n / PCNI_LANES; i != 0; i--, f += PCNI_LANES) {
        if (share > 0) pcni_bring(&next, 0);
        if (share > 64) pcni_bring(&next, 64);
        next.at += share;
        v = pcni_32_load(f);
        s[0] = pcni_32_mul_add(s[0], pcni_32_load(a), v), a += PCNI_LANES;
        s[1] = pcni_32_mul_add(s[1], pcni_32_load(b), v), b += PCNI_LANES;
        s[2] = pcni_32_mul_add(s[2], pcni_32_load(c), v), c += PCNI_LANES;
        s[3] = pcni_32_mul_add(s[3], pcni_32_load(d), v), d += PCNI_LANES;
        s[4] = pcni_32_mul_add(s[4], pcni_32_load(e), v), e += PCNI_LANES;
    }
    score[0] = pcni_finish(&s[0], w, x, n);
    score[1] = pcni_finish(&s[1], w + row, x, n);
    score[2] = pcni_finish(&s[2], w + 2 * row, x, n);
    score[3] = pcni_finish(&s[3], w + 3 * row, x, n);
    score[4] = pcni_finish(&s[4], w + 4 * row, x, n);
    pcni_done();
}

#else

/* Eight partial sums each of PCNI_ROWS rows of weights: enough chains of additions to keep a processor busy,
 * and registers enough even with SSE2. */
typedef struct pcni_rows {
    pcni_v v[PCNI_ROWS];
} pcni_rows;

/* Adds up to PCNI_W products to each. */
PCNI_INLINE void pcni_add_to_rows(pcni_rows *s, const float *w, size_t row, const float *x, uint32_t k)
{
    const float *b = w + row, *c = b + row, *d = c + row, *e = d + row;
    pcni_v f = pcni_load_part(x, k);
    s->v[0] = pcni_add(s->v[0], pcni_mul(f, pcni_load_part(w, k)));
    s->v[1] = pcni_add(s->v[1], pcni_mul(f, pcni_load_part(b, k)));
    s->v[2] = pcni_add(s->v[2], pcni_mul(f, pcni_load_part(c, k)));
    s->v[3] = pcni_add(s->v[3], pcni_mul(f, pcni_load_part(d, k)));
    s->v[4] = pcni_add(s->v[4], pcni_mul(f, pcni_load_part(e, k)));
}

/* Adds every fourth eight of n products, the first first. */
PCNI_INLINE void pcni_add_lanes(pcni_rows *s, const float *w, size_t row, const float *x, uint32_t n)
{
    uint32_t eights = (n + PCNI_LANES - PCNI_W) / PCNI_LANES, k = n % PCNI_LANES;
    pcni_rows t = *s;
    for (; eights > 1; eights -= 2, w += 2 * PCNI_LANES, x += 2 * PCNI_LANES) {
        pcni_add_to_rows(&t, w, row, x, PCNI_W); /* two at once: counting competes with adding */
        pcni_add_to_rows(&t, w + PCNI_LANES, row, x + PCNI_LANES, PCNI_W);
    }
    if (eights != 0) {
        pcni_add_to_rows(&t, w, row, x, PCNI_W);
        w += PCNI_LANES;
        x += PCNI_LANES;
    }
    if (k > 0 && k < PCNI_W) pcni_add_to_rows(&t, w, row, x, k);
    *s = t;
}

/* The same as above. */
static void pcni_dense_group(const float *w, size_t row, const float *x, uint32_t n, pcni_next next, float *score)
{
    enum { LINE = 16 };
    pcni_rows s[4];
    uint32_t share = next.groups ? n / (4 * next.groups) + 1 : 0, g, r, k;
    for (g = 0; g < 4; g++, next.at += share * sizeof *x) {
        for (r = 0; r < PCNI_ROWS; r++) s[g].v[r] = pcni_set(0);
        for (k = 0; k < share; k += LINE) pcni_bring(&next, k * sizeof *x);
        pcni_add_lanes(&s[g], w + g * PCNI_W, row, x + g * PCNI_W, n - g * PCNI_W);
    }
    for (r = 0; r < PCNI_ROWS; r++)
        score[r] = pcni_sum(pcni_add(pcni_add(s[0].v[r], s[2].v[r]), pcni_add(s[1].v[r], s[3].v[r])));
    pcni_done();
}

#endif

/* Some rows of weights, and few features in `parts` vectors, a constant up to 4 that is told apart. */
typedef struct pcni_short {
    const float *w;
    size_t row;
    uint32_t rows;
    pcni_v x[4];
    pcni_m last; /* lanes of the last part */
} pcni_short;

/* The products of row r (where there is none, of row 0), folded to PCNI_W sums; but perhaps -0 where sums that
 * begin with 0 are 0. (0 + 2) + (1 + 3) of the parts is with PCNI_W 8 the top of the tree, with 16 partial sums
 * 0 + 2 and 1 + 3, and the top. */
PCNI_INLINE pcni_v pcni_products(const pcni_short *s, uint32_t r, uint32_t parts)
{
    const float *w = s->w + (r < s->rows ? r : 0) * s->row;
    pcni_v p[4];
    p[0] = pcni_mul(s->x[0], parts > 1 ? pcni_load(w) : pcni_load_mask(w, s->last));
    if (parts > 2) p[1] = pcni_mul(s->x[1], pcni_load(w + PCNI_W));
    if (parts > 3) p[2] = pcni_mul(s->x[2], pcni_load(w + 2 * PCNI_W));
    if (parts > 1) p[parts - 1] = pcni_mul(s->x[parts - 1], pcni_load_mask(w + (parts - 1) * PCNI_W, s->last));
    if (parts > 2) p[0] = pcni_add(p[0], p[2]);
    if (parts > 3) p[1] = pcni_add(p[1], p[3]);
    return parts > 1 ? pcni_add(p[0], p[1]) : p[0];
}

/* Of rows that are 4 apart. */
PCNI_INLINE pcni_v pcni_fold_products(const pcni_short *s, uint32_t r, uint32_t parts)
{
    pcni_v v[4];
    v[0] = pcni_products(s, r, parts);
    v[1] = v[2] = v[3] = pcni_products(s, r + 4, parts);
    if (PCNI_W > 8 && s->rows > 8) v[2] = v[3] = pcni_products(s, r + 8, parts);
    if (PCNI_W > 8 && s->rows > 12) v[3] = pcni_products(s, r + 12, parts);
    return pcni_fold(v, 1);
}

/* The sums of up to PCNI_W rows of weights, side by side: in registers. */
PCNI_INLINE pcni_v pcni_few_sums(const float *w, size_t row, uint32_t rows, const float *x, uint32_t n, uint32_t parts)
{
    const uint32_t before = (parts - 1) * PCNI_W;
    pcni_short s;
    uint32_t i;
    s.w = w, s.row = row, s.rows = rows;
    s.last = pcni_mask(n - before);
    for (i = 0; i < parts - 1; i++) s.x[i] = pcni_load(x + i * PCNI_W);
    s.x[parts - 1] = pcni_load_mask(x + before, s.last);
    return pcni_sums(pcni_fold_products(&s, 0, parts), pcni_fold_products(&s, 1, parts),
                     pcni_fold_products(&s, 2, parts), pcni_fold_products(&s, 3, parts));
}

/* The same for any number of products. */
PCNI_INLINE pcni_v pcni_many_sums(const float *w, size_t row, uint32_t rows, const float *x, uint32_t n)
{
    pcni_v v[PCNI_W];
    uint32_t r;
    for (r = 0; r < rows; r++, w += row) {
        pcni_32 s = pcni_32_set(0);
        pcni_blocks(&s, w, x, n);
        v[r] = pcni_finish_lanes(&s, w, x, n);
    }
    for (; r < PCNI_W; r++) v[r] = v[0];
    return pcni_sums(pcni_fold(v, 4), pcni_fold(v + 1, 4), pcni_fold(v + 2, 4), pcni_fold(v + 3, 4));
}

/* Sums, and biases, of some rows of weights, for few products: PCNI_W trees at once. bias may be NULL. */
static void pcni_short_rows(const float *w, size_t row, uint32_t rows, const float *x, uint32_t n,
                            const float *bias, float *score)
{
    const uint32_t fewest = PCNI_W / 4 + 2; /* of these that are faster than one tree after the other */
    pcni_v sum;
    uint32_t c, k = 0;
    for (c = 0; rows - c >= fewest; c += k, w += k * row) {
        k = rows - c < PCNI_W ? rows - c : PCNI_W;
        if (n <= PCNI_W)
            sum = pcni_few_sums(w, row, k, x, n, 1);
        else if (n <= 2 * PCNI_W)
            sum = pcni_few_sums(w, row, k, x, n, 2);
        else if (n <= 3 * PCNI_W)
            sum = pcni_few_sums(w, row, k, x, n, 3);
        else if (n <= 4 * PCNI_W)
            sum = pcni_few_sums(w, row, k, x, n, 4);
        else
            sum = pcni_many_sums(w, row, k, x, n);
        sum = pcni_add(sum, pcni_set(0));
        if (bias) sum = pcni_add(sum, pcni_load_part(bias + c, k));
        pcni_store_part(score + c, sum, k);
    }
    for (; c < rows; c++, w += row) {
        score[c] = pcni_one_row(w, x, n);
        if (bias) score[c] = pcni_plus(score[c], bias[c]);
    }
    pcni_done();
}

/* The same for any number of products. next: x comes from memory, and then what begins there, so piece by piece:
 * while one is multiplied with all rows, a later one is on its way. NULL: x is near. */
static void pcni_dense_rows(const float *w, size_t row, uint32_t rows, const float *x, uint32_t n, const float *next,
                            const float *bias, float *score)
{
    enum { GROUP = 16, PIECE = 128, LINE = 16, NEAR = 1024 };
    const uint32_t ahead = n < 4 * PIECE ? n : 4 * PIECE;
    pcni_32 s[GROUP];
    pcni_next share = {(uintptr_t)next, next ? rows / PCNI_ROWS : 0u, next == x + n ? PCNI_BEYOND : 0u};
    const uint32_t most = PCNI_W == 16 ? 16 * NEAR : NEAR; /* that stay near: x alone, or a group's weights, too */
    uint32_t c = 0, r, i, j, k;
    if (n <= PIECE) {
        pcni_short_rows(w, row, rows, x, n, bias, score);
        return;
    }
    for (; n <= most && rows - c >= PCNI_ROWS; c += PCNI_ROWS, w += PCNI_ROWS * row) {
        pcni_dense_group(w, row, x, n, share, score + c);
        if (share.groups) share.at += (n / share.groups + 1) * sizeof *x;
    }
    for (; c < rows; c += k, w += k * row) {
        k = rows - c;
        if (k > GROUP) k = GROUP;
        for (r = 0; r < k; r++) s[r] = pcni_32_set(0);
        for (i = 0; i < n; i += j) {
            j = n - i;
            if (next && j > PIECE) j = PIECE;
            for (r = i + ahead; next && r < i + ahead + j; r += LINE)
                PCNI_PREFETCH(r < n ? (uintptr_t)(x + r) : (uintptr_t)next + (r - n) * sizeof *x);
            pcni_add_rows(s, w + i, row, k, x + i, j);
        }
        for (r = 0; r < k; r++) score[c + r] = pcni_finish(&s[r], w + r * row, x, n);
    }
    pcni_done();
    for (c = 0; bias && c < rows; c++) score[c] = pcni_plus(score[c], bias[c]);
}

/* Brings near what is needed of all classes in feature-major weights, a line of 16 floats after the other. */
static void pcni_fetch_classes(const float *w, size_t column, uint32_t n, const pcn_vec *x, uint32_t classes)
{
    uint32_t c;
    for (c = 0; c < classes - 1; c += 16) pcni_fetch(w + c, column, n, x, 0);
    pcni_fetch(w + classes - 1, column, n, x, 0);
}

#define PCNI_SIDE 32u
#define PCNI_GROUPS (PCNI_SIDE / 8)

/* The halving tree over 4 lanes. */
PCNI_INLINE pcni_8 pcni_four_lanes(const pcni_8 *lane, size_t apart)
{
    return pcni_8_add(pcni_8_add(lane[0], lane[2 * apart]), pcni_8_add(lane[apart], lane[3 * apart]));
}

/* The same over every fourth of 16 or 32 lanes. */
PCNI_INLINE pcni_8 pcni_fourth(const pcni_8 *lane, size_t groups, uint32_t lanes)
{
    if (lanes < PCNI_LANES) return pcni_four_lanes(lane, 4 * groups);
    return pcni_8_add(pcni_four_lanes(lane, 8 * groups), pcni_four_lanes(lane + 4 * groups, 8 * groups));
}

/* Scores of classes that stand side by side in feature-major weights: `groups` times 8, but `part` in the
 * last group. A lane is a vector for each group, of 8 everywhere: wider ones take stores and loads that are
 * twice as long. bias may be NULL. */
PCNI_INLINE void pcni_groups(const float *w, size_t column, uint32_t n, const pcn_vec *x, const float *bias,
                             float *score, uint32_t groups, uint32_t part)
{
    pcni_8 lane[PCNI_LANES * PCNI_GROUPS], v;
    const uint32_t *index = x->index;
    const float *value = x->value;
    uint32_t lanes = n > PCNI_LANES / 2 ? PCNI_LANES : PCNI_LANES / 2; /* the others would stay 0 */
    uint32_t last = groups - 1, count = x->count, i;
    for (i = 0; i < lanes * groups; i++) lane[i] = pcni_8_set(0);
    for (i = 0; i < count; i++) {
        uint32_t j = index ? index[i] : i;
        pcni_8 *sum = lane + j % PCNI_LANES * groups;
        const float *from;
        if (j >= n) continue;
        from = w + j * column;
        v = pcni_8_set(value ? value[i] : 1);
        if (groups > 1) sum[0] = pcni_8_add(sum[0], pcni_8_mul(pcni_8_load(from), v));
        if (groups > 2) sum[1] = pcni_8_add(sum[1], pcni_8_mul(pcni_8_load(from + 8), v));
        if (groups > 3) sum[2] = pcni_8_add(sum[2], pcni_8_mul(pcni_8_load(from + 16), v));
        sum[last] = pcni_8_add(sum[last], pcni_8_mul(pcni_8_load_part(from + last * 8, part), v));
    }
    for (i = 0; i < groups; i++) {
        const pcni_8 *l = lane + i;
        uint32_t k = i < last ? 8 : part;
        pcni_8 a = pcni_8_add(pcni_fourth(l, groups, lanes), pcni_fourth(l + 2 * groups, groups, lanes));
        l += groups;
        v = pcni_8_add(a, pcni_8_add(pcni_fourth(l, groups, lanes), pcni_fourth(l + 2 * groups, groups, lanes)));
        if (bias) v = pcni_8_add(v, pcni_8_load_part(bias + i * 8, k));
        pcni_8_store_part(score + i * 8, v, k);
    }
    pcni_done();
}

/* Scores of up to PCNI_SIDE classes. */
static void pcni_classes(const float *w, size_t column, uint32_t n, const pcn_vec *x, const float *bias,
                         float *score, uint32_t classes)
{
    uint32_t groups = (classes - 1) / 8 + 1, part = classes - (groups - 1) * 8;
    if (groups == 1) pcni_groups(w, column, n, x, bias, score, 1, part);
    if (groups == 2) pcni_groups(w, column, n, x, bias, score, 2, part);
    if (groups == 3) pcni_groups(w, column, n, x, bias, score, 3, part);
    if (groups == 4) pcni_groups(w, column, n, x, bias, score, 4, part);
}

#endif

/* Sum of w[j * column] x[j] over j < n. next: the row that follows; NULL: not known. */
static float pcni_dot(const float *w, size_t column, uint32_t n, const pcn_vec *x, const pcn_vec *next)
{
#if PERCEPTRON_SIMD != 0 || !defined(__OPTIMIZE_SIZE__)
    if (!x->index && x->value && column == 1) {
        uint32_t some = x->count < n ? x->count : n;
#if PERCEPTRON_SIMD != 0
        float sum;
        if (next && next->value) {
            pcni_dense_rows(w, 0, 1, x->value, some, next->value, NULL, &sum);
            return sum;
        }
#endif
        return pcni_dense(w, x->value, some);
    }
#endif
    return pcni_lanes(w, column, n, x, next);
}

/* Do the weights of x's features lie beside each other? */
PCNI_INLINE int pcni_beside(const pcn_vec *x, size_t column)
{
    return !x->index && column == 1;
}

/* k features of x, from i on, and their places in an array of weights: up to PCNI_W if these lie beside each
 * other, else up to PCNI_APART. */
typedef struct pcni_some {
    const pcn_vec *x;
    size_t column;
    uint32_t n, i, k;
#if PERCEPTRON_SIMD != 0
    size_t at[PCNI_APART]; /* beyond the k that of the first */
#endif
} pcni_some;

#if PERCEPTRON_SIMD != 0

/* Finds place q; returns the greater of its feature and `most`. */
PCNI_INLINE uint32_t pcni_at(pcni_some *s, uint32_t q, uint32_t most)
{
    uint32_t j = pcni_beside(s->x, s->column) ? 0 : pcni_index(s->x, s->i + (q < s->k ? q : 0));
    s->at[q] = j * s->column;
    return j > most ? j : most;
}

PCNI_INLINE uint32_t pcni_at_four(pcni_some *s, uint32_t q, uint32_t most)
{
    return pcni_at(s, q, pcni_at(s, q + 1, pcni_at(s, q + 2, pcni_at(s, q + 3, most))));
}

PCNI_INLINE int pcni_places(pcni_some *s)
{
    uint32_t most = pcni_at_four(s, 0, pcni_at_four(s, 4, 0));
    return pcni_beside(s->x, s->column) ? s->i + s->k <= s->n : most < s->n;
}

#endif

/* How many features are taken together at most. */
PCNI_INLINE uint32_t pcni_together(const pcn_vec *x, size_t column)
{
    return pcni_beside(x, column) ? PCNI_W : PCNI_APART;
}

/* How many from i on. */
PCNI_INLINE uint32_t pcni_take(const pcn_vec *x, size_t column, uint32_t i)
{
    uint32_t most = pcni_together(x, column);
    return x->count - i < most ? x->count - i : most;
}

/* Returns 0 if one of them is n or above, as in a row that does not ascend: they are left out then. */
PCNI_INLINE int pcni_from(pcni_some *s, const pcn_vec *x, size_t column, uint32_t n, uint32_t i, uint32_t k)
{
    s->x = x;
    s->column = column;
    s->n = n;
    s->i = i;
    s->k = k;
#if PERCEPTRON_SIMD != 0
    return pcni_places(s);
#else
    return 1;
#endif
}

#if PERCEPTRON_SIMD == 0

#define pcni_values(s) pcni_value((s)->x, (s)->i)

PCNI_INLINE pcni_v pcni_pick(const float *w, const pcni_some *s)
{
    uint32_t j = pcni_index(s->x, s->i);
    return j < s->n ? w[j * s->column] : 0;
}

PCNI_INLINE void pcni_place(float *w, const pcni_some *s, pcni_v v)
{
    uint32_t j = pcni_index(s->x, s->i);
    if (j < s->n) w[j * s->column] = v;
}

#else

PCNI_INLINE pcni_v pcni_values(const pcni_some *s)
{
    if (!s->x->value) return pcni_set(1);
    return pcni_load_part(s->x->value + s->i, s->k);
}

PCNI_INLINE pcni_v pcni_pick(const float *w, const pcni_some *s)
{
    if (pcni_beside(s->x, s->column)) return pcni_load_part(w + s->i, s->k);
    return pcni_gather(w, s->at);
}

PCNI_INLINE void pcni_place_four(float *w, const size_t *at, const float *v)
{
    w[at[3]] = v[3];
    w[at[2]] = v[2];
    w[at[1]] = v[1];
    w[at[0]] = v[0];
}

PCNI_INLINE void pcni_place(float *w, const pcni_some *s, pcni_v v)
{
    float t[PCNI_W];
    if (pcni_beside(s->x, s->column)) {
        pcni_store_part(w + s->i, v, s->k);
        return;
    }
    pcni_store(t, v);
    pcni_place_four(w, s->at + 4, t + 4);
    pcni_place_four(w, s->at, t); /* the first last: it stands for what is beyond the k */
}

#endif

/* Below 2^80 in size: from there on sums of products could be infinite, and infinity - infinity is NaN, which
 * sticks. */
static inline int pcni_bounded(float f)
{
    return (pcni_to_bits(f) & 0x7fffffffu) < 0x67800000u;
}

#if PERCEPTRON_SIMD != 0

/* w[i] += step x[i] */
PCNI_INLINE void pcni_dense_axpy(float *w, float step, const float *x, uint32_t n)
{
    if (n >= PCNI_W) {
        const pcni_v s = pcni_set(step);
        const pcni_32 f = pcni_32_set(step);
        for (; n >= PCNI_LANES; n -= PCNI_LANES, w += PCNI_LANES, x += PCNI_LANES)
            pcni_32_store(w, pcni_32_mul_add(pcni_32_load(w), pcni_32_load(x), f));
        for (; n >= PCNI_W; n -= PCNI_W, w += PCNI_W, x += PCNI_W)
            pcni_store(w, pcni_add(pcni_load(w), pcni_mul(s, pcni_load(x))));
        pcni_done();
    }
    for (; n > 1; n -= 2, w += 2, x += 2) { /* faster than part of a vector */
        w[0] = pcni_plus(w[0], pcni_times(step, x[0]));
        w[1] = pcni_plus(w[1], pcni_times(step, x[1]));
    }
    if (n != 0) *w = pcni_plus(*w, pcni_times(step, *x));
}

/* w[j * column] += step x[j] */
PCNI_INLINE void pcni_sparse_axpy(float *w, size_t column, uint32_t n, float step, const uint32_t *index,
                                  const float *value, uint32_t count)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        uint32_t j = index[i];
        float v = step;
        if (j >= n) continue;
        if (value) v = pcni_times(v, value[i]);
        w[j * column] = pcni_plus(w[j * column], v);
    }
}

#elif !defined(__OPTIMIZE_SIZE__)

/* w[i] += step x[i] */
static void pcni_dense_axpy(float *w, float step, const float *x, uint32_t n)
{
    uint32_t i;
    for (i = 0; i < n; i++) w[i] = pcni_plus(w[i], pcni_times(step, x[i]));
}

#endif

#if PERCEPTRON_SIMD != 0 || !defined(__OPTIMIZE_SIZE__)

/* Are all lanes? Infinity times 0 is NaN. */
PCNI_INLINE int pcni_finite_lanes(pcni_v v)
{
    return pcni_reach(pcni_mul(v, pcni_set(0)), 0) == (1u << PCNI_W) - 1;
}

/* Does every bounded weight stay so when it moves by step x[j], or step bias? By less than 2^54 it does: a quarter
 * of the distance of floats above 2^79, it leaves the greatest below 2^80 where it is. From 2^54 on, 2^74 times
 * as much is infinite. */
static int pcni_always_fits(float step, const pcn_vec *x, float bias)
{
    const float large = 18889465931478580854784.0f;
    pcni_v nil = pcni_set(0), most = pcni_set(x->value ? 0 : 1), least = nil, v;
    uint32_t i = 0, k;
    int fits;
    for (; x->value && i < x->count; i += k) {
        k = x->count - i < PCNI_W ? x->count - i : PCNI_W;
        v = pcni_load_part(x->value + i, k);
        most = pcni_max(most, v);
        least = pcni_min(least, v);
    }
    most = pcni_mul(pcni_max(most, pcni_sub(nil, least)), pcni_set(step));
    fits = pcni_finite_lanes(pcni_mul(most, pcni_set(large)));
    pcni_done();
    return fits && pcni_finite(pcni_times(pcni_times(step, bias), large));
}

#endif

/* w[j * column] += step x[j] and *b += step bias if `commit`; otherwise nothing, but do all stay bounded then?
 * (What moves by less than 2^54 does, or was not bounded before, as if loaded so, and stays as it is.) b may
 * be NULL. */
static int pcni_change(float *w, size_t column, uint32_t n, float *b, float step, const pcn_vec *x,
                       float bias, int commit)
{
    uint32_t i = 0, j;
#if PERCEPTRON_SIMD != 0 || !defined(__OPTIMIZE_SIZE__)
    if (!commit && pcni_always_fits(step, x, bias)) return 1;
    if (commit && !x->index && x->value && column == 1) {
        i = x->count < n ? x->count : n;
        pcni_dense_axpy(w, step, x->value, i);
    }
#endif
#if PERCEPTRON_SIMD != 0
    if (commit && x->index) {
        if (column != 1)
            pcni_sparse_axpy(w, column, n, step, x->index, x->value, x->count);
        else if (x->value)
            pcni_sparse_axpy(w, 1, n, step, x->index, x->value, x->count);
        else
            pcni_sparse_axpy(w, 1, n, step, x->index, NULL, x->count);
        i = x->count;
    }
#endif
    for (;; i++) { /* the bias last */
        float *f = b, v = bias;
        int last = i == x->count;
        if (!last) {
            j = pcni_index(x, i);
            if (j >= n) continue;
            f = w + j * column;
            v = pcni_value(x, i);
        } else if (!b) {
            return 1;
        }
        v = pcni_times(step, v);
        if (commit)
            *f = pcni_plus(*f, v);
        else if (!pcni_bounded(pcni_plus(*f, v)) && (pcni_to_bits(v) & 0x7fffffffu) >= 0x5a800000u) /* 2^54 */
            return 0;
        if (last) return 1;
    }
}

/* The nearest whole number to e, but at least -127, for e < 2^22. */
static inline pcni_v pcni_whole(pcni_v e)
{
    pcni_v magic = pcni_set(12582912.0f); /* 1.5 * 2^23: no place for fractions */
    return pcni_sub(pcni_add(pcni_max(e, pcni_set(-127)), magic), magic);
}

static inline pcni_v pcni_horner(pcni_v p, pcni_v r, float c)
{
    return pcni_add(pcni_mul(p, r), pcni_set(c));
}

/* 2^k e^r for k = pcni_whole(e) and |r| <= (ln 2) / 2: 1 + r + r^2 p(r), where p interpolates
 * (e^r - 1 - r) / r^2 at six Chebyshev nodes. Exact for r = 0. 0 for e < -126: no denormal numbers. */
static inline pcni_v pcni_exp_parts(pcni_v e, pcni_v k, pcni_v r)
{
    pcni_v p = pcni_horner(pcni_set(0.000198909809f), r, 0.00139336416f);
    p = pcni_horner(p, r, 0.00833331048f);
    p = pcni_horner(p, r, 0.0416664667f);
    p = pcni_horner(p, r, 0.166666672f);
    p = pcni_horner(p, r, 0.5f);
    p = pcni_add(pcni_set(1), pcni_add(r, pcni_mul(pcni_mul(r, r), p)));
    return pcni_where(pcni_mul(p, pcni_pow2(k)), e, pcni_set(-126));
}

/* 2^e for e <= 127.4, within 1.5 ulp; 0 below 2^-126. */
static inline pcni_v pcni_exp2(pcni_v e)
{
    pcni_v k = pcni_whole(e);
    return pcni_exp_parts(e, k, pcni_mul(pcni_sub(e, k), pcni_set(0.693147182f)));
}

/* e^t for t <= 0, within 1.5 ulp; 0 below 2^-126. ln 2 is taken off in two parts, of which the first has
 * so few bits that its product with k is exact (Cody and Waite). */
PCN_MAYBE_UNUSED static inline pcni_v pcni_exp(pcni_v t)
{
    pcni_v e = pcni_mul(t, pcni_set(1.44269502f)), k = pcni_whole(e), r;
    r = pcni_sub(t, pcni_mul(k, pcni_set(0.693359375f)));
    r = pcni_sub(r, pcni_mul(k, pcni_set(-0.000212194440f)));
    return pcni_exp_parts(e, k, r);
}

PCN_API float pcn_dot_at(const float *w, uint32_t n, const pcn_vec *x)
{
    return pcni_dot(w, 1, n, x, NULL);
}

PCN_API void pcn_add_at(float *w, uint32_t n, float scale, const pcn_vec *x)
{
#if PERCEPTRON_SIMD != 0
    if (!x->index && x->value) {
        pcni_dense_axpy(w, scale, x->value, x->count < n ? x->count : n);
        return;
    }
#endif
    pcni_change(w, 1, n, NULL, scale, x, 0, 1);
}

static float pcni_norm2(const pcn_vec *x)
{
    float lane[PCNI_LANES], *sum, v;
    uint32_t i, used;
#if PERCEPTRON_SIMD != 0 || !defined(__OPTIMIZE_SIZE__)
    if (!x->index && x->value) return pcni_dense(x->value, x->value, x->count);
#endif
    used = pcni_empty_lanes(lane, x);
    for (i = 0; i < x->count; i++) {
        sum = &lane[pcni_index(x, i) % PCNI_LANES];
        v = pcni_value(x, i);
        *sum = pcni_plus(*sum, pcni_times(v, v));
    }
    return pcni_tree(lane, used);
}

PCN_API float pcn_norm2_at(const pcn_vec *x)
{
    return pcni_norm2(x);
}

/* The lowest class with the highest score, `not_this` left out. */
static uint32_t pcni_best(const float *score, uint32_t classes, uint32_t not_this)
{
    uint32_t k, best = not_this == 0;
    float highest = score[best];
    for (k = best + 1; k < classes; k++) {
        float s = k == not_this ? highest : score[k];
        best = s > highest ? k : best;
        highest = s > highest ? s : highest;
    }
    return best;
}

PCN_API int pcn_decide(const float *score, uint32_t classes)
{
    if (classes == 1) return score[0] >= 0 ? 1 : -1;
    return (int)pcni_best(score, classes, UINT32_MAX);
}

/* ---- Frozen linear models -------------------------------------------------------------------- */

/* Score of class c. next: the example that follows; NULL: not known. */
static float pcni_score(const pcn_linear *m, uint32_t c, const pcn_vec *x, const pcn_vec *next)
{
    float s = pcni_dot(m->weight + (size_t)c * m->row, m->column, m->features, x, next);
    return m->bias ? pcni_plus(s, m->bias[c]) : s;
}

/* Scores of `classes` classes from `from` on. next: if it is not known, what follows a dense example perhaps stands
 * behind it. */
static void pcni_scores(const pcn_linear *m, uint32_t from, uint32_t classes, const pcn_vec *x, const pcn_vec *next,
                        float *score)
{
    uint32_t c = 0;
#if PERCEPTRON_SIMD != 0
    const float *w = m->weight + (size_t)from * m->row, *bias = m->bias ? m->bias + from : NULL;
    if (m->column != 1) {
        if (next)
            pcn_linear_fetch_at(m, next);
        else if ((size_t)m->features * m->column >= PCNI_FAR)
            pcni_fetch_classes(w, m->column, m->features, x, classes);
        for (; c < classes; c += PCNI_SIDE)
            pcni_classes(w + c, m->column, m->features, x, bias ? bias + c : NULL, score + c,
                         classes - c < PCNI_SIDE ? classes - c : PCNI_SIDE);
        return;
    }
    if (!x->index && x->value) {
        pcni_dense_rows(w, m->row, classes, x->value, x->count < m->features ? x->count : m->features,
                        next && next->value ? next->value : x->value + x->count, bias, score);
        return;
    }
#endif
    for (; c < classes; c++) score[c] = pcni_score(m, from + c, x, next);
}

PCN_API float pcn_linear_score_at(const pcn_linear *m, const pcn_vec *x)
{
    return pcni_score(m, 0, x, NULL);
}

PCN_API void pcn_linear_scores_at(const pcn_linear *m, const pcn_vec *x, float *score)
{
    pcni_scores(m, 0, m->classes, x, NULL, score);
}

PCN_API int pcn_linear_predict_class_at(const pcn_linear *m, const pcn_vec *x)
{
    float score[PCNI_W], best = 0;
    uint32_t c, k, some, winner = 0;
    for (c = 0; c < m->classes; c += some) {
#if PERCEPTRON_SIMD == 0
        some = 1;
        k = 0;
        score[0] = pcni_score(m, c, x, NULL);
#else
        some = m->classes - c < PCNI_W ? m->classes - c : PCNI_W;
        pcni_scores(m, c, some, x, NULL, score);
        k = pcni_best(score, some, UINT32_MAX);
#endif
        if (c == 0 || score[k] > best) {
            best = score[k];
            winner = c + k;
        }
    }
    return (int)winner;
}

PCN_API void pcn_linear_fetch_at(const pcn_linear *m, const pcn_vec *x)
{
#if PERCEPTRON_SIMD != 0
    pcni_fetch_classes(m->weight, m->column, m->features, x, m->column == 1 ? 1 : m->classes);
#else
    (void)m, (void)x;
#endif
}

/* The model that weights and biases at `out` make, laid out as m. */
static pcn_linear pcni_like(const pcn_linear *m, const float *out)
{
    pcn_linear l;
    l.weight = out;
    l.bias = out + (size_t)m->features * m->classes;
    l.features = m->features;
    l.classes = m->classes;
    l.row = m->column == 1 ? m->features : 1;
    l.column = m->column;
    return l;
}

PCN_API pcn_linear pcn_linear_copy(const pcn_linear *m, float *out)
{
    pcn_linear copy = pcni_like(m, out);
    uint32_t c, j;
    for (c = 0; c < m->classes; c++) {
        for (j = 0; j < m->features; j++)
            out[(size_t)c * copy.row + (size_t)j * copy.column] =
                m->weight[(size_t)c * m->row + (size_t)j * m->column];
        out[(size_t)m->features * m->classes + c] = m->bias ? m->bias[c] : 0;
    }
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

PCN_API float pcn_slope(const pcn_perceptron *m, const pcn_vec *x, float direction)
{
    float norm2 = m->norm2;
    if (!m->has_norm2) norm2 = pcni_plus(pcni_norm2(x), pcni_times(m->bias_input, m->bias_input));
    return pcni_times(direction, norm2);
}

/* gap / slope: 0 for an empty row, NaN for an infinite norm, so that learn reports it. */
static float pcni_ratio(float gap, float slope)
{
    return slope > 0 ? pcni_plus(pcni_over(gap, slope), pcni_minus(slope, slope)) : 0;
}

static float pcni_step_fixed(const pcn_perceptron *m, const pcn_vec *x, float gap, float direction)
{
    (void)x, (void)gap, (void)direction;
    return m->rule.rate;
}

static float pcni_step_absolute(const pcn_perceptron *m, const pcn_vec *x, float gap, float direction)
{
    float slope = pcn_slope(m, x, direction), q = pcni_ratio(gap, slope);
    const float most = 16777216.0f;
    if (q < most) q = pcni_plus((float)(int32_t)q, 1); /* from 2^24 on floats have no +1 */
    return slope > 0 ? q : 0;
}

static float pcni_step_fractional(const pcn_perceptron *m, const pcn_vec *x, float gap, float direction)
{
    if (gap == 0) return m->rule.rate;
    return pcni_times(m->rule.limit, pcni_ratio(gap, pcn_slope(m, x, direction)));
}

static float pcni_step_pa(const pcn_perceptron *m, const pcn_vec *x, float gap, float direction)
{
    float q = pcni_ratio(gap, pcn_slope(m, x, direction));
    return q > m->rule.limit ? m->rule.limit : q;
}

static float pcni_step_pa2(const pcn_perceptron *m, const pcn_vec *x, float gap, float direction)
{
    float slope = pcn_slope(m, x, direction);
    return slope > 0 ? pcni_ratio(gap, pcni_plus(slope, pcni_over(0.5f, m->rule.limit))) : 0;
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

/* One class moves by step (x, bias) if `commit`; otherwise: could it? */
static int pcni_move(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias, int commit)
{
    const pcn_linear *l = &m->model;
    return pcni_change(m->weight + (size_t)cls * l->row, l->column, l->features,
                       pcni_biases(m, m->weight) + cls, step, x, bias, commit);
}

PCN_API int pcn_perceptron_init(pcn_perceptron *m, float *memory, size_t floats, uint32_t features,
                                uint32_t classes)
{
    size_t each = classes ? floats / classes : 0;
    if (!memory || each < 3 || each - 3 < features) return PCN_ESETUP;
    pcni_zero(m, sizeof *m);
    m->weight = memory;
    m->score = memory + PCN_BATCH(features, classes);
    m->model.weight = memory;
    m->model.features = m->model.row = features;
    m->model.classes = classes;
    m->model.column = 1;
    m->model.bias = pcni_biases(m, memory);
    m->rule = pcn_rule_fixed(1);
    m->bias_input = 1;
    m->move = pcni_move;
    pcni_zero(memory, PCN_WEIGHTS(features, classes) * sizeof *memory);
    return PCN_OK;
}

/* Blocks of `runs` runs of numbers and `tail` more: each run gets another length. */
static void pcni_set_runs(float *f, size_t blocks, size_t runs, size_t from, size_t to, size_t tail)
{
    size_t parts = blocks * (runs + 1), part, kept = from < to ? from : to;
    for (part = 0; part < parts; part++) {
        size_t at = to > from ? parts - 1 - part : part; /* what moves up goes last to first */
        size_t block = at / (runs + 1), run = at % (runs + 1), n = run < runs ? kept : tail;
        const float *old = f + block * (runs * from + tail) + run * from;
        float *now = f + block * (runs * to + tail) + run * to;
        if (now != old) pcni_copy(now, old, n * sizeof *now);
        if (run < runs && n < to) pcni_zero(now + n, (to - n) * sizeof *now);
    }
}

PCN_API int pcn_perceptron_resize(pcn_perceptron *m, uint32_t features)
{
    pcn_linear *l = &m->model;
    size_t classes = l->classes, runs = l->column == 1 ? classes : 1, each = l->column;
    size_t from = l->features * each, to = features * each;
    if (m->exponent) return PCN_ESETUP;
    pcni_set_runs(m->weight, 1, runs, from, to, classes);
    if (m->sum) pcni_set_runs(m->sum, 2, runs, from, to, classes);
    if (m->batch) pcni_set_runs(m->batch, 1, classes, l->features, features, classes); /* class-major */
    if (l->column == 1) l->row = features;
    l->features = features;
    l->weight = m->weight;
    l->bias = pcni_biases(m, m->weight);
    m->score = m->weight + PCN_BATCH(features, classes);
    pcni_zero(m->score, 2 * classes * sizeof *m->score);
    return PCN_OK;
}

static int pcni_all_finite(const float *f, uint32_t n)
{
#if PERCEPTRON_SIMD != 0
    int good = 1;
    for (; n > PCNI_W; n -= PCNI_W, f += PCNI_W) good &= pcni_finite_lanes(pcni_load(f));
    good &= pcni_finite_lanes(pcni_load_part(f, n));
    pcni_done();
    return good;
#else
    while (n != 0)
        if (!pcni_finite(f[--n])) return 0;
    return 1;
#endif
}

/* The binary class of a score while learning. */
static int pcni_sign(const pcn_perceptron *m, float s)
{
    return s > 0 || (s == 0 && !m->zero_negative) ? 1 : -1;
}

/* Counts an example that is learned. */
static void pcni_note(pcn_perceptron *m, int guess, int wrong, uint32_t fired)
{
    m->guess = guess;
    m->clock++;
    m->count.rows++;
    m->count.updates += fired;
    m->count.mistakes += wrong != 0;
}

static int pcni_fits_features(const pcn_vec *x, uint32_t features)
{
    return x->count == 0 || (x->index ? x->index[x->count - 1] : x->count - 1) < features;
}

/* The rule's step for margin y s, 0 if it does not fire. wrong: does the class predicted now, or at this
 * tie, differ from y? direction = a_y - a_r. */
static float pcni_step(const pcn_perceptron *m, float margin, int wrong, const pcn_vec *x, float direction)
{
    float gap = pcni_minus(m->rule.margin, margin);
    if (!(gap >= 0)) return 0;
    if (gap == 0 && m->zero_predicted && !wrong && m->rule.margin == 0) return 0;
    return m->rule.step(m, x, gap, direction);
}

/* next: the example that follows; NULL: not known. */
static int pcni_learn_binary(pcn_perceptron *m, const pcn_vec *x, int y, const pcn_vec *next)
{
    float bias = pcni_times(m->bias_input, m->bias_input), s, step;
    int guess, wrong;
    if (m->model.classes != 1) return PCN_ELABEL;
    if (!pcni_fits_features(x, m->model.features)) return PCN_EINDEX;
    s = m->score[0] = pcni_score(&m->model, 0, x, next);
    if (!pcni_finite(s)) return PCN_EVALUE; /* NaN in x is NaN in s */

    guess = pcni_sign(m, s);
    wrong = (guess > 0) != (y > 0);
    step = pcni_step(m, y > 0 ? s : -s, wrong, x, 1);
    if (y <= 0) step = -step;
    if (step != 0 && !m->move(m, 0, step, x, bias, 0)) return PCN_EVALUE;
    pcni_note(m, guess, wrong, step != 0);
    if (step != 0) m->move(m, 0, step, x, bias, 1);
    return step != 0;
}

static int pcni_all_move(pcn_perceptron *m, const float *change, const pcn_vec *x, int commit)
{
    float bias = pcni_times(m->bias_input, m->bias_input);
    uint32_t k;
    for (k = 0; k < m->model.classes; k++)
        if (change[k] != 0 && !m->move(m, k, change[k], x, bias, commit)) return 0;
    return 1;
}

#if PERCEPTRON_SIMD != 0

/* Are all scores finite? *reached: a class other than y has as high a score as y. */
static int pcni_look_at_scores(const float *score, uint32_t classes, uint32_t y, uint32_t *reached)
{
    uint32_t c, k, lanes;
    int good = 1;
    for (*reached = c = 0; c < classes; c += PCNI_W) {
        pcni_v v;
        k = classes - c < PCNI_W ? classes - c : PCNI_W;
        v = pcni_load_part(score + c, k);
        good &= pcni_finite_lanes(v);
        lanes = (1u << k) - 1;
        if (y - c < PCNI_W) lanes &= ~(1u << (y - c));
        *reached |= pcni_reach(v, score[y]) & lanes;
    }
    pcni_done();
    return good;
}

/* Goes on from the scores as pcn_perceptron_learn_class_at and pcn_update_predicted do, but searches them at most
 * once. */
static int pcni_learn_predicted(pcn_perceptron *m, const pcn_vec *x, uint32_t y)
{
    const float *s = m->score;
    float bias, step;
    uint32_t reached, r, guess;
    if (!pcni_look_at_scores(s, m->model.classes, y, &reached)) return PCN_EVALUE;
    if (!reached && m->rule.margin == 0) {
        pcni_note(m, (int)y, 0, 0);
        return 0;
    }
    r = pcni_best(s, m->model.classes, y);
    guess = s[r] > s[y] || (s[r] == s[y] && r < y) ? r : y;
    bias = pcni_times(m->bias_input, m->bias_input);
    step = pcni_step(m, pcni_minus(s[y], s[r]), r < y, x, 2);
    if (step != 0 && !(m->move(m, y, step, x, bias, 0) && m->move(m, r, -step, x, bias, 0))) return PCN_EVALUE;
    pcni_note(m, (int)guess, guess != y, step != 0);
    if (step != 0) {
        m->move(m, y, step, x, bias, 1);
        m->move(m, r, -step, x, bias, 1);
    }
    return step != 0;
}

#endif

static int pcni_learn_class(pcn_perceptron *m, const pcn_vec *x, int y, const pcn_vec *next)
{
    uint32_t classes = m->model.classes, fired;
    float *change = m->score + classes;
    int guess;
    if (classes < 2 || y < 0 || (uint32_t)y >= classes) return PCN_ELABEL;
    if (!pcni_fits_features(x, m->model.features)) return PCN_EINDEX;
    pcni_scores(&m->model, 0, classes, x, next, m->score);
#if PERCEPTRON_SIMD != 0
    if (!m->update || m->update == pcn_update_predicted) return pcni_learn_predicted(m, x, (uint32_t)y);
#endif
    if (!pcni_all_finite(m->score, classes)) return PCN_EVALUE;

    guess = pcn_decide(m->score, classes);
    fired = (m->update ? m->update : pcn_update_predicted)(m, x, (uint32_t)y, change);
    if (fired && !pcni_all_move(m, change, x, 0)) return PCN_EVALUE;
    pcni_note(m, guess, guess != y, fired);
    if (fired) pcni_all_move(m, change, x, 1);
    return fired != 0;
}

PCN_API int pcn_perceptron_learn_at(pcn_perceptron *m, const pcn_vec *x, int y)
{
    return pcni_learn_binary(m, x, y, NULL);
}

PCN_API int pcn_perceptron_learn_class_at(pcn_perceptron *m, const pcn_vec *x, int y)
{
    return pcni_learn_class(m, x, y, NULL);
}

PCN_API int pcn_perceptron_learn_before_at(pcn_perceptron *m, const pcn_vec *x, int y, const pcn_vec *next)
{
    return m->model.classes == 1 ? pcni_learn_binary(m, x, y, next) : pcni_learn_class(m, x, y, next);
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
    const float *s = m->score;
    uint32_t classes = m->model.classes, r = pcni_best(s, classes, y);
    float step = pcni_step(m, pcni_minus(s[y], s[r]), r < y, x, 2);
    pcni_zero(change, classes * sizeof *change);
    change[y] = step;
    change[r] = -step;
    return step != 0;
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
    pcni_zero(m->weight, PCN_BATCH(l->features, l->classes) * sizeof *m->weight);
    return PCN_OK;
}

/* ---- The linear trainer: averaging -----------------------------------------------------------
 * CIML Algorithm 7: with c = the number of the example, u += c (change of w); mean = w - u / (n + 1).
 * u is an unevaluated sum of two floats, and so is each product that is added to it: c = c1 + c0,
 * where c1 is a multiple of 4,096 and both have at most 12 bits (c1 of 24 above 2^24 examples), and a
 * change is split likewise, so that the partial products are exact and tell what the whole one lost. */

/* Returns s, where s + *e = a + b exactly (Knuth). */
PCNI_INLINE pcni_v pcni_two_sum(pcni_v a, pcni_v b, pcni_v *e)
{
    pcni_v s = pcni_add(a, b), t = pcni_sub(s, a);
    *e = pcni_add(pcni_sub(a, pcni_sub(s, t)), pcni_sub(b, t));
    return s;
}

typedef struct pcni_clock { /* as above */
    pcni_v c, c1, c0;
    int exact; /* c = c1 + c0 */
} pcni_clock;

/* Returns p, where p + *t = c x exactly (Dekker). As c is whole, no bit of it is too small for *t. */
PCNI_INLINE pcni_v pcni_two_product(const pcni_clock *c, pcni_v x, pcni_v *t)
{
    pcni_v x1, x0, p = pcni_mul(c->c, x), low;
#ifdef PCNI_FUSED
    if (c->exact) {
        *t = pcni_mul_sub(c->c, x, p);
        return p;
    }
#endif
    x1 = pcni_head(x);
    x0 = pcni_sub(x, x1);
    low = pcni_add(pcni_sub(pcni_mul(c->c1, x1), p), pcni_mul(c->c1, x0));
    *t = pcni_add(pcni_add(low, pcni_mul(c->c0, x1)), pcni_mul(c->c0, x0));
    return p;
}

static inline pcni_clock pcni_split_clock(uint64_t clock)
{
    pcni_clock c;
    c.c1 = pcni_set((float)(uint32_t)(clock >> 12) * 4096.0f);
    c.c0 = pcni_set((float)(uint32_t)(clock & 4095u));
    c.c = pcni_add(c.c1, c.c0);
    c.exact = clock < 16777216u;
    return c;
}

/* Adds c (now - old) to the sums of some features. */
PCNI_INLINE void pcni_account(float *sum, float *rest, const pcni_some *s, pcni_v old, pcni_v now,
                              const pcni_clock *c)
{
    pcni_v lost, t, e, d = pcni_two_sum(now, pcni_sub(pcni_set(0), old), &lost); /* now - old */
    pcni_v p = pcni_two_product(c, d, &t), u = pcni_two_sum(pcni_pick(sum, s), p, &e);
    t = pcni_add(t, pcni_mul(c->c, lost));
    u = pcni_two_sum(u, pcni_add(pcni_pick(rest, s), pcni_add(e, t)), &e);
    pcni_place(sum, s, u);
    pcni_place(rest, s, e);
}

/* Changes some weights, from `at` on, by step x or, if they are renewed, by m->renew, and their sums by the
 * clock times the true change. */
PCNI_INLINE void pcni_change_mean_some(pcn_perceptron *m, size_t at, float *sum, const pcni_some *s, float step,
                                       int renewed, const pcni_clock *c)
{
    float *w = m->weight + at, *rest = sum + PCN_BATCH(m->model.features, m->model.classes), weight[PCNI_W];
    pcni_v old = pcni_pick(w, s), now;
    if (renewed) {
        m->renew(m, at, s->x, s->i, step, weight);
        now = pcni_load(weight);
    } else {
        now = pcni_add(old, pcni_mul(pcni_set(step), pcni_values(s)));
    }
    pcni_place(w, s, now);
    pcni_account(sum, rest, s, old, now, c);
}

PCNI_INLINE void pcni_change_mean_form(pcn_perceptron *m, size_t at, size_t column, uint32_t n, float step,
                                       const pcn_vec *x, int renewed)
{
    const uint32_t most = pcni_together(x, column);
    pcni_clock c = pcni_split_clock(m->clock);
    float *sum = m->sum + at;
    pcni_some s;
    uint32_t i;
    for (i = 0; x->count - i >= most; i += most) {
        if (pcni_from(&s, x, column, n, i, most)) pcni_change_mean_some(m, at, sum, &s, step, renewed, &c);
    }
    if (PCNI_W > 1 && i < x->count && pcni_from(&s, x, column, n, i, x->count - i))
        pcni_change_mean_some(m, at, sum, &s, step, renewed, &c);
    pcni_done();
}

static void pcni_change_mean(pcn_perceptron *m, size_t at, size_t column, uint32_t n, float step,
                             const pcn_vec *x, int renewed)
{
#if PERCEPTRON_SIMD != 0
    if (x->index && !renewed) {
        pcn_vec sparse = pcn_sparse(x->index, x->value, x->count);
        pcni_change_mean_form(m, at, column, n, step, &sparse, 0);
        return;
    }
    if (!x->index && x->value && column == 1 && !renewed) {
        pcn_vec dense = pcn_dense(x->value, x->count);
        pcni_change_mean_form(m, at, 1, n, step, &dense, 0);
        return;
    }
#endif
    pcni_change_mean_form(m, at, column, n, step, x, renewed);
}

static int pcni_move_mean(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias,
                          int commit)
{
    const pcn_linear *l = &m->model;
    pcn_vec one = pcn_dense(&bias, 1);
#if PERCEPTRON_SIMD != 0
    const float *sum = m->sum + (size_t)cls * l->row;
    if (!commit) {
        pcni_fetch(sum, l->column, l->features, x, 0);
        pcni_fetch(sum + PCN_BATCH(l->features, l->classes), l->column, l->features, x, 0);
    }
#endif
    if (!commit) return pcni_move(m, cls, step, x, bias, 0);
    pcni_change_mean(m, (size_t)cls * l->row, l->column, l->features, step, x, m->renew != NULL);
    pcni_change_mean(m, (size_t)l->features * l->classes + cls, 1, 1, step, &one, 0);
    return 1;
}

PCN_API int pcn_averaging_init(pcn_perceptron *m, float *sum, size_t floats)
{
    size_t need = PCN_SUMS(m->model.features, m->model.classes);
    if (!sum || floats / 2 < need / 2) return PCN_ESETUP;
    pcni_zero(sum, need * sizeof *sum);
    m->sum = sum;
    m->clock = 0;
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
        p = pcni_two_product(&c, v, &t);
        s = pcni_two_sum(p, pcni_sub(pcni_set(0), pcni_load_part(sum, k)), &e);
        v = pcni_add(e, pcni_sub(t, pcni_load_part(rest, k)));
        p = pcni_two_sum(s, v, &e); /* p + e: the sum of all weights */
        q = pcni_div(p, c.c);
        s = pcni_two_product(&c, q, &t);
        v = pcni_add(pcni_sub(pcni_sub(p, s), t), e);
        pcni_store_part(mean, pcni_add(q, pcni_div(v, c.c)), k);
    }
    pcni_done();
}

PCN_API pcn_linear pcn_averaging_view(const pcn_perceptron *m, float *out)
{
    size_t n = PCN_BATCH(m->model.features, m->model.classes);
    pcni_mean(m->weight, m->sum, m->sum + n, n, m->clock + 1, out);
    return pcni_like(&m->model, out);
}

/* ---- The linear trainer: batches ------------------------------------------------------------- */

static int pcni_collect(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias, int commit)
{
    uint32_t n = m->model.features; /* class-major, whatever the weights are */
    return pcni_change(m->batch + (size_t)cls * n, 1, n, pcni_biases(m, m->batch) + cls, step, x, bias,
                       commit);
}

PCN_API int pcn_batching_init(pcn_perceptron *m, float *batch, size_t floats)
{
    size_t need = PCN_BATCH(m->model.features, m->model.classes);
    if (!batch || floats < need) return PCN_ESETUP;
    pcni_zero(batch, need * sizeof *batch);
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
    int changed = 0, commit;
    for (i = 0; i < all; i++) changed |= m->batch[i] != 0;
    if (!changed) return 0;
    for (commit = 0; commit < 2; commit++)
        for (k = 0; k < l->classes; k++) {
            pcn_vec x = pcn_dense(m->batch + k * n, l->features);
            if (!m->held(m, k, scale, &x, bias[k], commit)) return PCN_EVALUE;
        }
    pcni_zero(m->batch, all * sizeof *m->batch);
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

/* Moves the exponents of some features from i on, and writes their new weights. */
static void pcni_renew_winnow(pcn_perceptron *m, size_t at, const pcn_vec *x, uint32_t i, float step,
                              float *weight)
{
    pcni_some s;
    pcni_v most = pcni_set(1048576.0f), least = pcni_set(-1048576.0f), e;
    pcni_from(&s, x, m->model.column, m->model.features, i, pcni_take(x, m->model.column, i));
    e = pcni_pick(m->exponent + at, &s);
    e = pcni_add(e, pcni_mul(pcni_set(step), pcni_values(&s)));
    e = pcni_max(pcni_min(e, most), least);
    pcni_place(m->exponent + at, &s, e);
    pcni_store(weight, pcni_winnow_weight(e, m->balanced));
    pcni_done();
}

static int pcni_move_winnow(pcn_perceptron *m, uint32_t cls, float step, const pcn_vec *x, float bias,
                            int commit)
{
    size_t at = (size_t)cls * m->model.row, column = m->model.column;
    float weight[PCNI_W];
    pcni_some s;
    uint32_t i;
    if (!commit) return pcni_move(m, cls, step, x, bias, 0);
    for (i = 0; i < x->count; i += s.k) {
        if (!pcni_from(&s, x, column, m->model.features, i, pcni_take(x, column, i))) continue;
        pcni_renew_winnow(m, at, x, s.i, step, weight);
        pcni_place(m->weight + at, &s, pcni_load(weight));
    }
    pcni_done();
    return 1;
}

PCN_API int pcn_winnow_init(pcn_perceptron *m, float *exponent, size_t floats, float threshold,
                            int balanced)
{
    const pcn_linear *l = &m->model;
    size_t need = PCN_BATCH(l->features, l->classes), i, n = need - l->classes;
    if (!exponent || floats < need || m->sum || m->batch || !pcni_finite(threshold)) return PCN_ESETUP;
    pcni_zero(exponent, need * sizeof *exponent);
    for (i = 0; i < need; i++) m->weight[i] = i >= n ? pcni_minus(0, threshold) : balanced ? 0 : 1;
    m->exponent = exponent;
    m->balanced = balanced != 0;
    m->bias_input = 0;
    m->renew = pcni_renew_winnow;
    m->move = pcni_move_winnow;
    return PCN_OK;
}

/* ---- The integer twin ------------------------------------------------------------------------ */

/* A sum of products of weights and features, modulo 2^64. Processors without an instruction for 32 x 32
 * -> 64 bits multiply by halves: w = 65536 (w >> 16) + (w mod 65536), and with |w| <= 2^30 each product
 * fits 32 bits. */
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__) || defined(__AVR__)
#define PCNI_HALVES

typedef struct pcni_isum {
    uint64_t high;
    uint32_t low; /* the sum is 65536 high + low: no carry in 65,535 additions */
} pcni_isum;

static inline pcni_isum pcni_inil(void)
{
    pcni_isum s;
    s.high = 0;
    s.low = 0;
    return s;
}

static inline void pcni_iadd(pcni_isum *s, int32_t w, int32_t x)
{
    int32_t low = (int32_t)((uint32_t)w & 0xffffu) * x;
    s->high += (uint64_t)(int64_t)((w >> 16) * x + (low >> 16));
    s->low += (uint32_t)low & 0xffffu;
}

static inline int64_t pcni_itotal(const pcni_isum *s)
{
    return (int64_t)((s->high << 16) + s->low);
}

#else

typedef struct pcni_isum {
    uint64_t all;
} pcni_isum;

static inline pcni_isum pcni_inil(void)
{
    pcni_isum s;
    s.all = 0;
    return s;
}

static inline void pcni_iadd(pcni_isum *s, int32_t w, int32_t x)
{
    s->all += (uint64_t)((int64_t)w * x);
}

static inline int64_t pcni_itotal(const pcni_isum *s)
{
    return (int64_t)s->all;
}

#endif

static inline int32_t pcni_ivalue(const pcn_ivec *x, uint32_t i)
{
    return x->value ? x->value[i] : 1;
}

/* Not above PCN_IMAX in size. */
static inline int32_t pcni_saturate(int32_t w)
{
    if (((uint32_t)w ^ (uint32_t)w << 1) >> 31 == 0) return w; /* -2^30 .. 2^30 - 1: two equal upper bits */
    return w < 0 ? -PCN_IMAX : PCN_IMAX;
}

/* Dense rows have loops of their own, which return how many features they have done. An AVR is faster by
 * halves. */
#if PERCEPTRON_SIMD >= 2 || !(defined(__OPTIMIZE_SIZE__) || defined(__AVR__))
#define PCNI_IDENSE
#endif

#if PERCEPTRON_SIMD >= 2
static uint32_t pcni_idense_dot(const int32_t *w, const int16_t *x, uint32_t n, pcni_isum *sum)
{
    uint32_t i;
    int64_t part[4];
#if PERCEPTRON_SIMD == 2
    __m256i s = _mm256_setzero_si256();
    for (i = 0; n - i >= 8; i += 8) { /* mul_epi32 takes every other number */
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(w + i));
        __m256i b = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(x + i)));
        s = _mm256_add_epi64(s, _mm256_mul_epi32(a, b));
        s = _mm256_add_epi64(s, _mm256_mul_epi32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32)));
    }
    _mm256_storeu_si256((__m256i *)(void *)part, s);
    pcni_done();
#else
    int64x2_t s = vdupq_n_s64(0), t = s;
    for (i = 0; n - i >= 8; i += 8) {
        int32x4_t a = vld1q_s32(w + i), b = vld1q_s32(w + i + 4);
        int16x8_t c = vld1q_s16(x + i);
        int32x4_t d = vmovl_s16(vget_low_s16(c)), e = vmovl_s16(vget_high_s16(c));
        s = vmlal_s32(vmlal_s32(s, vget_low_s32(a), vget_low_s32(d)), vget_high_s32(a), vget_high_s32(d));
        t = vmlal_s32(vmlal_s32(t, vget_low_s32(b), vget_low_s32(e)), vget_high_s32(b), vget_high_s32(e));
    }
    vst1q_s64(part, s);
    vst1q_s64(part + 2, t);
#endif
    sum->all = (uint64_t)part[0] + (uint64_t)part[1] + (uint64_t)part[2] + (uint64_t)part[3];
    return i;
}

static uint32_t pcni_idense_add(int32_t *w, int32_t step, const int16_t *x, uint32_t n)
{
    uint32_t i;
#if PERCEPTRON_SIMD == 2
    __m256i most = _mm256_set1_epi32(PCN_IMAX), least = _mm256_set1_epi32(-PCN_IMAX);
    for (i = 0; n - i >= 8; i += 8) {
        __m256i *p = (__m256i *)(void *)(w + i);
        __m256i v = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(x + i)));
        v = _mm256_add_epi32(_mm256_loadu_si256(p), _mm256_mullo_epi32(v, _mm256_set1_epi32(step)));
        _mm256_storeu_si256(p, _mm256_max_epi32(_mm256_min_epi32(v, most), least));
    }
    pcni_done();
#else
    int32x4_t most = vdupq_n_s32(PCN_IMAX), least = vdupq_n_s32(-PCN_IMAX);
    for (i = 0; n - i >= 4; i += 4) {
        int32x4_t v = vmlaq_n_s32(vld1q_s32(w + i), vmovl_s16(vld1_s16(x + i)), step);
        vst1q_s32(w + i, vmaxq_s32(vminq_s32(v, most), least));
    }
#endif
    return i;
}
#endif

#if PERCEPTRON_SIMD < 2 && defined(PCNI_IDENSE)

#ifdef PCNI_HALVES
/* By three sums modulo 2^32, of w x, (w >> 10) x and (w >> 20) x: no carries. Of up to 62 products the last
 * is exact, and so are the differences, the sums of (w >> 10) mod 2^10 times x and of w mod 2^10 times x. */
static uint32_t pcni_idense_dot(const int32_t *w, const int16_t *x, uint32_t n, pcni_isum *sum)
{
    uint32_t i = 0, end;
    int64_t total = 0;
    while (i < n) {
        uint32_t all = 0, upper = 0, top = 0;
        for (end = n - i < 62 ? n : i + 62; i < end; i++) {
            uint32_t v = (uint32_t)(int32_t)x[i];
            top += (uint32_t)(w[i] >> 20) * v;
            upper += (uint32_t)(w[i] >> 10) * v;
            all += (uint32_t)w[i] * v;
        }
        total += (int64_t)(int32_t)top * 1048576 + (int64_t)(int32_t)(upper - (top << 10)) * 1024 +
                 (int32_t)(all - (upper << 10));
    }
    sum->high = (uint64_t)(total >> 16);
    sum->low = (uint32_t)total & 0xffffu;
    return n;
}
#else
static inline int64_t pcni_itwo(int64_t sum, const int32_t *w, const int16_t *x)
{
    int32_t a = w[0], b = w[1];
#if defined(__GNUC__) && defined(__arm__)
    __asm__("" : "+r"(a), "+r"(b)); /* by one load */
#endif
    return sum + (int64_t)a * x[0] + (int64_t)b * x[1];
}

#if defined(__GNUC__) || defined(__clang__)
__attribute__((noinline)) /* else it has not all registers */
#endif
static uint32_t pcni_idense_dot(const int32_t *w, const int16_t *x, uint32_t n, pcni_isum *sum)
{
    uint32_t i;
    int64_t s = 0;
    if (n > 65535u) n = 65535u; /* s does not overflow */
    for (i = 0; n - i >= 8; i += 8, w += 8, x += 8) {
        s = pcni_itwo(s, w, x);
        s = pcni_itwo(s, w + 2, x + 2);
        s = pcni_itwo(s, w + 4, x + 4);
        s = pcni_itwo(s, w + 6, x + 6);
    }
    if (n - i >= 4) {
        s = pcni_itwo(s, w, x);
        s = pcni_itwo(s, w + 2, x + 2);
        i += 4;
    }
    sum->all = (uint64_t)s;
    return i;
}
#endif

static uint32_t pcni_idense_add(int32_t *w, int32_t step, const int16_t *x, uint32_t n)
{
    uint32_t i;
    for (i = 0; n - i >= 4; i += 4, w += 4, x += 4) {
        w[0] = pcni_saturate(w[0] + step * x[0]);
        w[1] = pcni_saturate(w[1] + step * x[1]);
        w[2] = pcni_saturate(w[2] + step * x[2]);
        w[3] = pcni_saturate(w[3] + step * x[3]);
    }
    return i;
}

#endif

/* Sum of w[j] x[j] over j < n, modulo 2^64. */
static int64_t pcni_idot(const int32_t *w, uint32_t n, const pcn_ivec *x)
{
    pcni_isum sum = pcni_inil();
    uint32_t i = 0, j;
#ifdef PCNI_IDENSE
    if (!x->index && x->value) i = pcni_idense_dot(w, x->value, x->count < n ? x->count : n, &sum);
#endif
    for (; i < x->count; i++) {
        j = x->index ? x->index[i] : i;
        if (j < n) pcni_iadd(&sum, w[j], pcni_ivalue(x, i));
    }
    return pcni_itotal(&sum);
}

static int64_t pcni_iscore(const pcn_ilinear *m, uint32_t c, const pcn_ivec *x)
{
    int64_t s = pcni_idot(m->weight + (size_t)c * m->features, m->features, x);
    return m->bias ? s + m->bias[c] : s;
}

PCN_API int64_t pcn_ilinear_score_at(const pcn_ilinear *m, const pcn_ivec *x)
{
    return pcni_iscore(m, 0, x);
}

PCN_API void pcn_ilinear_scores_at(const pcn_ilinear *m, const pcn_ivec *x, int64_t *score)
{
    uint32_t c;
    for (c = 0; c < m->classes; c++) score[c] = pcni_iscore(m, c, x);
}

/* The lowest class with the highest score, `not_this` left out; *best: that score. */
static uint32_t pcni_ibest(const pcn_ilinear *m, const pcn_ivec *x, uint32_t not_this, int64_t *best)
{
    uint32_t c, winner = 0;
    *best = INT64_MIN;
    for (c = 0; c < m->classes; c++) {
        int64_t s = c == not_this ? INT64_MIN : pcni_iscore(m, c, x);
        if (s <= *best) continue;
        *best = s;
        winner = c;
    }
    return winner;
}

PCN_API int pcn_ilinear_predict_class_at(const pcn_ilinear *m, const pcn_ivec *x)
{
    int64_t best;
    return (int)pcni_ibest(m, x, UINT32_MAX, &best);
}

/* weight += sign step; features, then the bias. */
static void pcni_imove(pcn_iperceptron *m, uint32_t cls, int sign, const pcn_ivec *x)
{
    uint32_t n = m->model.features, i = 0, j;
    int32_t *w = m->weight + (size_t)cls * n, *b = m->weight + (size_t)n * m->model.classes + cls;
    int32_t step = sign * (int32_t)m->rate, change;
#ifdef PCNI_IDENSE
    if (!x->index && x->value) i = pcni_idense_add(w, step, x->value, x->count);
#endif
    for (; i <= x->count; i++) {
        int32_t *f = b;
        change = sign * m->bias_step;
        if (i < x->count) {
            j = x->index ? x->index[i] : i;
            if (j >= n) continue;
            f = w + j;
            change = step * pcni_ivalue(x, i);
        }
        *f = pcni_saturate(*f + change); /* 2^30 + 2^15 2^15 fits */
    }
}

PCN_API int pcn_iperceptron_init(pcn_iperceptron *m, int32_t *memory, size_t words, uint32_t features,
                                 uint32_t classes)
{
    if (!memory || classes == 0 || features > UINT32_MAX / 2 || classes > words ||
        ((uint64_t)features + 1) * classes > words)
        return PCN_ESETUP;
    pcni_zero(m, sizeof *m);
    pcni_zero(memory, PCN_IWEIGHTS(features, classes) * sizeof *memory);
    m->weight = memory;
    m->model.weight = memory;
    m->model.bias = memory + (size_t)features * classes;
    m->model.features = features;
    m->model.classes = classes;
    m->rate = 1;
    m->bias_step = 1;
    m->move = pcni_imove;
    return PCN_OK;
}

/* PCN_OK if x can be learned from. */
static int pcni_icheck(const pcn_iperceptron *m, const pcn_ivec *x)
{
    uint32_t n = x->count;
    if (n >> 16 != 0) return PCN_EVALUE;
    return n == 0 || (x->index ? x->index[n - 1] : n - 1) < m->model.features ? PCN_OK : PCN_EINDEX;
}

/* Counts an example; does the rule fire at this margin? */
static int pcni_inote(pcn_iperceptron *m, int64_t margin, int guess, int wrong)
{
    m->guess = guess;
    m->rows++;
    m->mistakes += wrong != 0;
    m->clock += m->clock != UINT32_MAX;
    if (margin > m->margin) return 0;
    m->updates++;
    return 1;
}

PCN_API int pcn_iperceptron_learn_at(pcn_iperceptron *m, const pcn_ivec *x, int y)
{
    int64_t s;
    int sign = y > 0 ? 1 : -1, guess = 1, result = pcni_icheck(m, x);
    if (m->model.classes != 1) return PCN_ELABEL;
    if (result < 0) return result;
    s = pcni_iscore(&m->model, 0, x);
    if (s < 0) guess = -1;
    if (sign < 0) s = -s;
    if (!pcni_inote(m, s, guess, guess != sign)) return 0;
    m->move(m, 0, sign, x);
    return 1;
}

PCN_API int pcn_iperceptron_learn_class_at(pcn_iperceptron *m, const pcn_ivec *x, int y)
{
    int64_t s, best;
    uint32_t cls = (uint32_t)y, rival;
    int wrong, result = pcni_icheck(m, x);
    if (m->model.classes < 2 || y < 0 || cls >= m->model.classes) return PCN_ELABEL;
    if (result < 0) return result;
    s = pcni_iscore(&m->model, cls, x);
    rival = pcni_ibest(&m->model, x, cls, &best);
    wrong = best > s || (best == s && rival < cls);
    if (!pcni_inote(m, s - best, wrong ? (int)rival : y, wrong)) return 0;
    m->move(m, cls, 1, x);
    m->move(m, rival, -1, x);
    return 1;
}

/* CIML Algorithm 7 as in pcn_averaging_init: sum += clock (change of w); all weights so far add up to
 * (clock + 1) w - sum. Modulo 2^64: what is wanted is below 2^62. */
static void pcni_imove_mean(pcn_iperceptron *m, uint32_t cls, int sign, const pcn_ivec *x)
{
    uint32_t n = m->model.features, b = n * m->model.classes + cls, i, j;
    int32_t step = sign * (int32_t)m->rate;
    for (i = 0; i <= x->count; i++) {
        int32_t *w, old;
        size_t at = b;
        if (i < x->count) {
            j = x->index ? x->index[i] : i;
            if (j >= n) continue;
            at = (size_t)cls * n + j;
        }
        w = m->weight + at;
        old = *w;
        *w = pcni_saturate(old + (i < x->count ? step * pcni_ivalue(x, i) : sign * m->bias_step));
        m->sum[at] = (int64_t)((uint64_t)m->sum[at] + (uint64_t)((int64_t)(*w - old) * m->clock));
    }
}

PCN_API int pcn_iaveraging_init(pcn_iperceptron *m, int64_t *sum, size_t sums)
{
    size_t need = PCN_IWEIGHTS(m->model.features, m->model.classes);
    if (!sum || sums < need || (m->move != pcni_imove && m->move != pcni_imove_mean)) return PCN_ESETUP;
    pcni_zero(sum, need * sizeof *sum);
    m->sum = sum;
    m->clock = 0;
    m->move = pcni_imove_mean;
    return PCN_OK;
}

/* The sum of weight i over all examples, and its size. */
static int64_t pcni_iseen(const pcn_iperceptron *m, size_t i)
{
    return (int64_t)(((uint64_t)m->clock + 1) * (uint64_t)(int64_t)m->weight[i] - (uint64_t)m->sum[i]);
}

static uint64_t pcni_isize(int64_t n)
{
    return n < 0 ? (uint64_t)0 - (uint64_t)n : (uint64_t)n;
}

PCN_API pcn_ilinear pcn_iaveraging_view(const pcn_iperceptron *m, int32_t *out)
{
    size_t i, n = PCN_IWEIGHTS(m->model.features, m->model.classes);
    pcn_ilinear mean;
    uint64_t all = 0, half;
    uint32_t shift = 0;
    for (i = 0; i < n; i++) all |= pcni_isize(pcni_iseen(m, i));
    while (all >> shift >= (uint64_t)PCN_IMAX) shift++;
    half = shift == 0 ? 0 : (uint64_t)1 << (shift - 1);
    for (i = 0; i < n; i++) {
        int64_t t = pcni_iseen(m, i);
        int32_t size = (int32_t)((pcni_isize(t) + half) >> shift);
        out[i] = t < 0 ? -size : size;
    }
    mean.weight = out;
    mean.bias = out + n - m->model.classes;
    mean.features = m->model.features;
    mean.classes = m->model.classes;
    return mean;
}

static void pcni_imove_winnow(pcn_iperceptron *m, uint32_t cls, int sign, const pcn_ivec *x)
{
    uint32_t n = m->model.features, i;
    int32_t *w = m->weight + (size_t)cls * n;
    for (i = 0; i < x->count; i++) {
        uint32_t j = x->index ? x->index[i] : i;
        if (j >= n || pcni_ivalue(x, i) == 0) continue;
        if (sign > 0)
            w[j] = w[j] < PCN_IMAX / 2 ? pcni_saturate(w[j] * 2) : PCN_IMAX; /* negative ones: loaded */
        else if (m->eliminate)
            w[j] = 0;
        else if (w[j] > 1)
            w[j] /= 2;
    }
}

PCN_API int pcn_iwinnow_init(pcn_iperceptron *m, int32_t threshold, int eliminate)
{
    size_t i, n = (size_t)m->model.features * m->model.classes;
    if (m->sum || threshold < 0 || threshold > PCN_IMAX / 1024) return PCN_ESETUP;
    for (i = 0; i < n; i++) m->weight[i] = 1024;
    for (i = 0; i < m->model.classes; i++) m->weight[n + i] = -threshold * 1024;
    m->eliminate = eliminate != 0;
    m->move = pcni_imove_winnow;
    return PCN_OK;
}

/* ---- Quantised models ------------------------------------------------------------------------ */

/* The nearest whole number, for |f| < 2^31. */
static int32_t pcni_round(float f)
{
    const float whole = 4194304.0f; /* 2^22; the next floats but one have no fractions */
    float size = f < 0 ? -f : f;
    if (size < whole) size = pcni_minus(pcni_plus(size, 3 * whole), 3 * whole);
    return f < 0 ? -(int32_t)size : (int32_t)size;
}

/* What 1 in a weight of class c must stand for: the largest weight fits, and the bias fits 2^30. */
static float pcni_row_unit(const pcn_linear *m, uint32_t c, uint32_t bits, float unit)
{
    float most = 0, bias = m->bias ? m->bias[c] : 0, f;
    uint32_t j;
    for (j = 0; j < m->features; j++) {
        f = m->weight[(size_t)c * m->row + (size_t)j * m->column];
        if (f < 0) f = -f;
        if (f > most || !pcni_finite(f)) most = f;
    }
    most = pcni_over(most, bits == 8 ? 127.0f : 32767.0f);
    if (bias < 0) bias = -bias;
    bias = pcni_over(pcni_over(bias, unit), 1073741824.0f);
    return bias > most || !pcni_finite(bias) ? bias : most;
}

/* The whole number of units that a row takes, from 0 to 65,535, not below row / unit. */
static uint16_t pcni_scale(float row, float unit)
{
    float f = unit > 0 ? pcni_over(row, unit) : 0;
    int32_t scale = pcni_round(f);
    if ((float)scale < f) scale++;
    return (uint16_t)(scale > 65535 ? 65535 : scale);
}

static int32_t pcni_quantum(float f, float unit)
{
    return unit > 0 ? pcni_round(pcni_over(f, unit)) : 0;
}

PCN_API int pcn_quantize(pcn_quantized *q, const pcn_linear *m, uint32_t bits, float unit, void *weight,
                         int32_t *bias, uint16_t *scale)
{
    const float normal = FLT_MIN;
    float least = 0, row; /* what 1 stands for in a row of scale 1 */
    uint32_t c, j;
    size_t at = 0;
    if (!(unit > 0) || !pcni_finite(unit) || (bits != 8 && bits != 16)) return PCN_ESETUP;
    for (c = 0; c < m->classes; c++) {
        row = pcni_row_unit(m, c, bits, unit);
        if (row > least || !pcni_finite(row)) least = row;
    }
    least = pcni_over(least, 65535.0f);
    if (!pcni_finite(least) || (least > 0 && least < normal)) return PCN_EVALUE;
    for (c = 0; c < m->classes; c++) {
        scale[c] = pcni_scale(pcni_row_unit(m, c, bits, unit), least);
        row = pcni_times(least, (float)scale[c]);
        for (j = 0; j < m->features; j++, at++) {
            int32_t w = pcni_quantum(m->weight[(size_t)c * m->row + (size_t)j * m->column], row);
            if (bits == 8)
                ((int8_t *)weight)[at] = (int8_t)w;
            else
                ((int16_t *)weight)[at] = (int16_t)w;
        }
        bias[c] = m->bias ? pcni_saturate(pcni_quantum(pcni_over(m->bias[c], unit), row)) : 0;
    }
    q->weight = weight;
    q->bias = bias;
    q->scale = scale;
    q->features = m->features;
    q->classes = m->classes;
    q->bits = bits;
    return PCN_OK;
}

/* Sum of w[j] x[j] over j < n, weights of 8 bits or, if w8 is NULL, 16. */
static inline int64_t pcni_qdot(const int8_t *w8, const int16_t *w16, uint32_t n, const pcn_ivec *x)
{
    int64_t sum = 0;
    uint32_t i;
    for (i = 0; i < x->count; i++) {
        uint32_t j = x->index ? x->index[i] : i;
        if (j < n) sum += (int32_t)(w8 ? w8[j] : w16[j]) * pcni_ivalue(x, i);
    }
    return sum;
}

PCN_API int64_t pcn_quantized_score_at(const pcn_quantized *m, uint32_t cls, const pcn_ivec *x)
{
    size_t at = (size_t)cls * m->features;
    int64_t sum = m->bits == 8 ? pcni_qdot((const int8_t *)m->weight + at, NULL, m->features, x)
                               : pcni_qdot(NULL, (const int16_t *)m->weight + at, m->features, x);
    return (sum + m->bias[cls]) * m->scale[cls];
}

PCN_API int pcn_quantized_predict_class_at(const pcn_quantized *m, const pcn_ivec *x)
{
    int64_t best = INT64_MIN;
    uint32_t c, winner = 0;
    for (c = 0; c < m->classes; c++) {
        int64_t s = pcn_quantized_score_at(m, c, x);
        if (s <= best) continue;
        best = s;
        winner = c;
    }
    return (int)winner;
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
    pcni_zero(&k, sizeof k);
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

#if PERCEPTRON_SIMD != 0

/* How many of the n slots from `from` on have dense vectors as long as the first, one behind the other. */
static uint32_t pcni_neighbours(const pcn_support *m, uint32_t from, uint32_t n)
{
    const pcn_slot *slot = m->slot + from;
    uint32_t i = 1;
    while (i < n && slot[i].count == slot->count && slot[i].start == (size_t)slot[i - 1].start + slot->count) i++;
    return i;
}

#endif

#define PCNI_TILE 6144u /* floats: 24 KB, which stay in the first cache */

#if PERCEPTRON_SIMD != 0

#define PCNI_PANEL 16u

/* Vectors in panels: PCNI_PANEL side by side, feature by feature. */
typedef union pcni_packed {
    float value[PCNI_TILE];
    pcni_v aligned;
} pcni_packed;

/* Packs a tile, the n slots from `from` on, if that pays for `rows` rows: a number packed takes a cycle, and a
 * product of two vectors is some 10 cycles faster, the sum over lanes. All must be equally long. The last
 * panel is filled with the last vector. */
static int pcni_pack(const pcn_support *m, uint32_t from, uint32_t n, uint32_t rows, float *to)
{
    const pcn_slot *slot = m->slot + from;
    size_t at[PCNI_PANEL];
    uint32_t count = slot->count, i, j;
    if (m->index || n < PCNI_PANEL / 2 || m->features / 8 >= rows || m->features > PCNI_TILE / PCNI_PANEL) return 0;
    for (i = 0; i < n; i++)
        if (slot[i].count != count || count > m->features) return 0;
    for (i = 0; i < n;) {
        for (j = 0; j < PCNI_PANEL; j++, i++) at[j] = slot[i < n ? i : n - 1].start;
        for (j = 0; j < count; j++, to += PCNI_PANEL) {
            pcni_store_part(to, pcni_gather(m->value + j, at), 8);
            pcni_store_part(to + 8, pcni_gather(m->value + j, at + 8), 8);
        }
    }
    pcni_done();
    return 1;
}

/* A sum for each of PCNI_PANEL vectors side by side. */
typedef struct pcni_wide {
    pcni_v a, b; /* b: with PCNI_W 8 */
} pcni_wide;

/* x of n features, and PCNI_PANEL vectors, feature by feature. */
typedef struct pcni_panel {
    const float *w, *x;
    uint32_t n;
} pcni_panel;

PCNI_INLINE pcni_wide pcni_wide_add(pcni_wide s, pcni_wide t)
{
    s.a = pcni_add(s.a, t.a);
    if (PCNI_W < PCNI_PANEL) s.b = pcni_add(s.b, t.b);
    return s;
}

PCNI_INLINE pcni_wide pcni_wide_product(const pcni_panel *p, size_t j)
{
    const float *w = p->w + j * PCNI_PANEL;
    const pcni_v x = pcni_set(p->x[j]);
    pcni_wide v;
    v.a = v.b = pcni_mul(pcni_load(w), x);
    if (PCNI_W < PCNI_PANEL) v.b = pcni_mul(pcni_load(w + 8), x);
    return v;
}

/* Partial sum j of the products. all: there are 32 of these. */
PCNI_INLINE pcni_wide pcni_wide_32(const pcni_panel *p, int all, size_t j)
{
    pcni_wide s = pcni_wide_product(p, j);
    for (j += PCNI_LANES; all && j < p->n; j += PCNI_LANES) s = pcni_wide_add(s, pcni_wide_product(p, j));
    return s;
}

/* The halving tree, branch by branch: few sums are in use at a time. */
#define PCNI_HALVE(half, quarter, distance)                                                      \
    PCNI_INLINE pcni_wide half(const pcni_panel *p, int all, size_t j)                           \
    {                                                                                            \
        pcni_wide s = quarter(p, all, j);                                                        \
        if (all || j + distance < p->n) s = pcni_wide_add(s, quarter(p, all, j + distance));     \
        return s;                                                                                \
    }
PCNI_HALVE(pcni_wide_16, pcni_wide_32, 16)
PCNI_HALVE(pcni_wide_8, pcni_wide_16, 8)
PCNI_HALVE(pcni_wide_4, pcni_wide_8, 4)
PCNI_HALVE(pcni_wide_2, pcni_wide_4, 2)
PCNI_HALVE(pcni_wide_1, pcni_wide_2, 1)
#undef PCNI_HALVE

/* Sums of n > 0 products of x with each of `vectors` packed ones of `count` features. */
static void pcni_panels(const float *packed, uint32_t count, uint32_t vectors, const float *x, uint32_t n,
                        float *dot)
{
    const pcni_v nil = pcni_set(0); /* -0 becomes 0: sums begin with 0 */
    pcni_panel p = {packed, x, n};
    uint32_t i, some;
    for (i = 0; i < vectors; i += PCNI_PANEL, p.w += PCNI_PANEL * count) {
        pcni_wide s = n < PCNI_LANES ? pcni_wide_1(&p, 0, 0) : pcni_wide_1(&p, 1, 0);
        some = vectors - i < PCNI_PANEL ? vectors - i : PCNI_PANEL;
        pcni_store_part(dot + i, pcni_add(s.a, nil), some);
        if (some > PCNI_W) pcni_store_part(dot + i + 8, pcni_add(s.b, nil), some - 8);
    }
    pcni_done();
}

/* x.z for n slots of a dense model. packed: these, or NULL. */
static void pcni_dense_dots(const pcn_support *m, const pcn_vec *x, const float *packed, uint32_t from,
                            uint32_t n, float *dot)
{
    uint32_t i, k, all = m->slot[from].count, some = x->count < all ? x->count : all;
    if (packed && some != 0) {
        pcni_panels(packed, all, n, x->value, some, dot);
    } else {
        for (i = 0; i < n; i += k) {
            pcn_vec z = pcni_stored(m, from + i);
            some = x->count < z.count ? x->count : z.count;
            k = pcni_neighbours(m, from + i, n - i);
            pcni_dense_rows(z.value, z.count, k, x->value, some, NULL, NULL, dot + i);
        }
    }
}

#endif

/* x.z for n slots from `from` on. array: x, where pcni_needs_spread; of a dense model, its slots packed, or
 * NULL. */
static void pcni_dots(const pcn_support *m, const pcn_vec *x, const float *array, uint32_t from,
                      uint32_t n, float *dot)
{
    uint32_t i;
#if PERCEPTRON_SIMD != 0
    if (!m->index && !x->index && x->value) {
        pcni_dense_dots(m, x, array, from, n, dot);
        return;
    }
#endif
    for (i = 0; i < n; i++) {
        pcn_vec z = pcni_stored(m, from + i);
        if (!z.index)
            dot[i] = pcni_dot(z.value, 1, z.count, x, NULL);
        else if (array)
            dot[i] = pcni_lanes(array, 1, m->features, &z, NULL);
        else
            dot[i] = pcni_lanes(x->value, 1, x->count, &z, NULL);
    }
}

/* K(x, z) + B^2 for n slots from `from` on. */
static void pcni_kernels(const pcn_support *m, const pcn_vec *x, float xx, const float *array,
                         uint32_t from, uint32_t n, float *out)
{
    uint32_t i;
    if (n == 0) return;
    if (m->kernel.of_dots) {
        pcni_dots(m, x, array, from, n, out);
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
        float age = pcni_float(m->clock + 1 - e->clock);
        age = pcni_times(pcni_times(age, e->step), kernel[e->slot]);
        score[e->cls] = pcni_plus(score[e->cls], age);
    }
    for (c = 0; c < m->classes; c++) score[c] = pcni_over(score[c], pcni_float(m->clock + 1));
}

/* A vote of `count` for the class that f predicts; by class: for the sign of each score. */
static void pcni_vote(const pcn_support *m, const float *f, uint32_t cls, uint32_t count, float *votes)
{
    float c = pcni_float(count);
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
    pcni_zero(f, m->classes * sizeof *f);
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
    pcni_zero(score, m->classes * sizeof *score);
    if (m->slots == 0) return;
    if (how == PCN_LAST)
        pcni_scores(&l, 0, l.classes, &k, NULL, score);
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
 * first cache while all rows meet it. */
static void pcni_meet(const pcn_support *m, const pcn_vec *x, uint32_t rows, float *kernel, float *spread)
{
#if PERCEPTRON_SIMD != 0
    pcni_packed tile_packed;
#endif
    uint32_t tile = 8, longest = PCNI_TILE / 16, s, r, n; /* but at least 8 and at most 256 vectors */
    for (; m->features <= longest && tile < 256; longest /= 2) tile *= 2;
    for (s = 0; s < m->slots; s += n) {
        const float *packed = NULL;
        n = m->slots - s;
        if (n > tile && !m->index) n = tile;
#if PERCEPTRON_SIMD != 0
        if (pcni_pack(m, s, n, rows, tile_packed.value)) packed = tile_packed.value;
#endif
        for (r = 0; r < rows; r++) {
            pcn_vec v = pcni_within(x[r], m->features);
            float *out = kernel + (size_t)r * m->slots;
            int on = pcni_needs_spread(m, &v);
            if (s == 0) out[m->slots - 1] = pcni_norm2(&v); /* it stays there until the last tile */
            if (on) pcni_spread(&v, spread, m->features, 1);
            pcni_kernels(m, &v, out[m->slots - 1], on ? spread : packed, s, n, out + s);
            if (on) pcni_spread(&v, spread, m->features, 0);
        }
    }
}

PCN_API int pcn_support_scores(const pcn_support *m, enum pcn_decision how, const pcn_vec *x,
                               uint32_t rows, float *score, float *work)
{
    float *rest = work + (size_t)rows * m->slots, *spread = rest + m->classes;
    uint32_t r;
    if (how != PCN_LAST && !m->log) return PCN_ESETUP;
    if (m->index) pcni_zero(spread, m->features * sizeof *spread);
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
    size_t each; /* floats of a slot */
    if (!memory || classes == 0 || (slots != 0 && !slot) || floats / 2 < classes) return PCN_ESETUP;
    each = slots ? (floats - 2 * (size_t)classes) / slots : 0;
    if (slots != 0 && (each < 2 || each - 2 < classes || each - 2 - classes < features))
        return PCN_ESETUP;
    pcni_zero(m, sizeof *m);
    m->p.score = memory;
    m->p.model.classes = classes;
    m->p.has_norm2 = 1;
    m->p.rule = pcn_rule_fixed(1);
    pcni_copy(&m->model.kernel, &kernel, sizeof kernel);
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
    if (!scratch || m->borrowed || m->model.slots != 0 || (cells != 0 && (!value || !index)))
        return PCN_ESETUP;
    m->value = value;
    m->index = index;
    m->cell_room = cells;
    m->sparse = 1;
    m->scratch = scratch;
    pcni_zero(scratch, m->model.features * sizeof *scratch);
    pcni_refresh(m);
    return PCN_OK;
}

PCN_API int pcn_dual_rows_init(pcn_dual *m, const float *value, const uint32_t *index, float *scratch)
{
    if (!value || m->sparse || m->model.slots != 0 || (index && !scratch)) return PCN_ESETUP;
    m->borrowed = 1;
    m->model.value = value;
    m->model.index = index;
    m->scratch = scratch;
    if (index) pcni_zero(scratch, m->model.features * sizeof *scratch);
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
        pcni_zero(to, m->model.features * sizeof *to);
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
           (uint64_t)m->cells + pcni_cells(m, x) <= UINT32_MAX;
}

/* The slot of a vector that is not stored yet; PCN_EFULL. */
static int pcni_keep(pcn_dual *m, const pcn_vec *x, float xx, uint32_t id)
{
    uint32_t s = m->model.slots;
    size_t cells = pcni_cells(m, x);
    pcn_slot *slot = m->slot + s;
    if (!pcni_has_room(m, x)) return PCN_EFULL;
    if (m->borrowed && (uint64_t)(x->value - m->model.value) > UINT32_MAX) return PCN_EFULL;
    slot->start = m->borrowed ? (uint32_t)(x->value - m->model.value) : (uint32_t)m->cells;
    slot->count = m->borrowed || m->sparse ? x->count : m->model.features;
    slot->id = id;
    if (!m->borrowed) pcni_store_vector(m, x, cells);
    m->norm2[s] = xx;
    pcni_zero(m->coef + (size_t)s * m->model.classes, m->model.classes * sizeof *m->coef);
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
    float *change = m->p.score + m->model.classes;
    pcn_vec changes = pcn_dense(change, m->model.classes);
    uint32_t s = pcni_find(m, id), k;
    int result = PCN_OK;
    if (s < m->model.slots &&
        !pcni_change(m->coef + (size_t)s * m->model.classes, 1, m->model.classes, NULL, 1, &changes, 0, 0))
        return PCN_EVALUE;
    for (k = 0; k < m->model.classes; k++)
        if (!pcni_bounded(change[k])) return PCN_EVALUE;
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
    int on = pcni_needs_spread(model, x), result, guess;
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
    if (n != 0) pcni_copy(m->kernel, known, n * sizeof *known);
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
    guess = classes == 1 ? pcni_sign(p, p->score[0]) : pcn_decide(p->score, classes);
    pcni_note(p, guess, classes == 1 ? (guess > 0) != (y > 0) : guess != y, fired);
    return fired != 0;
}

/* The same, but on error what the settings say has not come to pass. */
static int pcni_dual_try(pcn_dual *m, const pcn_vec *x, int y, uint32_t id, const float *known, uint32_t n)
{
    pcn_support *model = &m->model;
    float bias2 = model->bias2;
    uint8_t by_class = model->by_class, zero_negative = model->zero_negative;
    int result = pcni_dual_learn(m, x, y, id, known, n);
    if (result < 0) {
        model->bias2 = bias2;
        model->by_class = by_class;
        model->zero_negative = zero_negative;
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
    pcn_support now;
    uint32_t i, n = m->model.slots, drops = m->drops;
    pcni_copy(&now, &m->model, sizeof now);
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
    pcni_copy(p, p + n * size, (all - at - n) * size);
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
        left = pcni_minus(pcni_times(0.46875f, pcni_float(m->p.count.updates + 1)), m->spent);
        phi = pcni_shrinking(sigma, mu, left);
        for (s = 0; s < model->slots; s++) m->coef[s] = pcni_times(m->coef[s], phi);
        change[0] = pcni_times(change[0], phi);
        sigma = pcni_times(sigma, phi);
        mu = pcni_times(pcni_times(2, sigma), pcni_minus(1, pcni_times(phi, mu)));
        m->spent = pcni_plus(m->spent, pcni_plus(pcni_times(sigma, sigma), mu));
        pcni_drop(m, 0);
        pcni_cut(m->kernel, sizeof *m->kernel, 0, 1, (size_t)model->slots + 1);
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
        if (!pcni_change(m->coef + (size_t)i * changes.count, 1, changes.count, NULL, d[i], &changes, 0, 0))
            return PCN_EVALUE;
    for (i = 0; i < n; i++)
        pcni_change(m->coef + (size_t)i * changes.count, 1, changes.count, NULL, d[i], &changes, 0, 1);
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
    if (!old) pcni_zero(h, sizeof *h);
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
    if (pcni_cells(m, x) > UINT32_MAX - m->cells) return PCN_EFULL;
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
    for (k = 16; k != 0; k /= 2)
        if ((n - 1) >> bits >> k != 0) bits += k;
    bits += (n - 1) >> bits; /* those of n - 1 */
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
    pcni_zero(p, sizeof *p);
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
        pcni_copy(copy, weight, n * sizeof *copy);
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

static uint32_t pcni_get(const void *image, size_t at)
{
    const uint8_t *p = (const uint8_t *)image + at;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t pcni_get64(const void *image, size_t at)
{
    return pcni_get(image, at) | (uint64_t)pcni_get(image, at + 4) << 32;
}

#if PERCEPTRON_SIMD != 0

/* The same as below for whole eights of bytes at once (Sarwate; Kounavis and Berry): table[k][b] is what
 * byte b contributes with k zeros behind it. */
static uint32_t pcni_crc_eights(uint32_t crc, const uint8_t *p, size_t eights)
{
    uint32_t table[8][256], i, k;
    for (i = 0; i < 256; i++) {
        uint32_t c = i;
        for (k = 0; k < 8; k++) c = c >> 1 ^ (c & 1u ? 0xedb88320u : 0);
        table[0][i] = c;
    }
    for (k = 1; k < 8; k++)
        for (i = 0; i < 256; i++) table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 255u];
    for (; eights != 0; eights--, p += 8) {
        uint32_t a = crc ^ pcni_get(p, 0), b = pcni_get(p, 4);
        crc = table[7][a & 255u] ^ table[6][a >> 8 & 255u] ^ table[5][a >> 16 & 255u] ^ table[4][a >> 24] ^
              table[3][b & 255u] ^ table[2][b >> 8 & 255u] ^ table[1][b >> 16 & 255u] ^ table[0][b >> 24];
    }
    return crc;
}

#endif

PCN_API uint32_t pcn_crc32(uint32_t crc, const void *bytes, size_t size)
{
    static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                       0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                       0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                       0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    const uint8_t *p = (const uint8_t *)bytes;
    crc = ~crc;
#if PERCEPTRON_SIMD != 0
    if (size >= 16384) { /* else the tables are not worth their making */
        crc = pcni_crc_eights(crc, p, size / 8);
        p += size / 8 * 8;
        size %= 8;
    }
#endif
    for (; size != 0; size--) {
        crc ^= *p++;
        crc = crc >> 4 ^ table[crc & 15u];
        crc = crc >> 4 ^ table[crc & 15u];
    }
    return ~crc;
}

static int pcni_is_little_endian(void)
{
    const uint32_t one = 1;
    uint8_t first;
    pcni_copy_word(&first, &one, 1);
    return first == 1;
}

/* A window of the image on its way out. */
typedef struct pcni_window {
    uint8_t *out;
    size_t from, size, at;
    uint32_t crc;
    int summed; /* the window reaches the checksum, so everything before must be summed */
} pcni_window;

static void pcni_put_bytes(pcni_window *o, const void *bytes, size_t n)
{
    size_t skip = o->at < o->from ? o->from - o->at : 0, shown = o->at + skip - o->from, k;
    if (o->summed) o->crc = pcn_crc32(o->crc, bytes, n);
    if (skip < n && shown < o->size) {
        k = n - skip < o->size - shown ? n - skip : o->size - shown;
        pcni_copy(o->out + shown, (const uint8_t *)bytes + skip, k);
    }
    o->at += n;
}

static void pcni_put(pcni_window *o, uint32_t word)
{
    uint8_t byte[4];
    uint32_t i;
    for (i = 0; i < 4; i++) byte[i] = (uint8_t)(word >> 8 * i);
    pcni_put_bytes(o, byte, 4);
}

static void pcni_put64(pcni_window *o, uint64_t number)
{
    pcni_put(o, (uint32_t)(number & UINT32_MAX));
    pcni_put(o, (uint32_t)(number >> 32));
}

static void pcni_put_floats(pcni_window *o, const float *f, size_t n, size_t stride)
{
    if (pcni_is_little_endian() && stride == 1) { /* the bytes of the image */
        pcni_put_bytes(o, f, 4 * n);
        return;
    }
    for (; n != 0; n--, f += stride) pcni_put(o, pcni_to_bits(*f));
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
    size_t shown = o->from < total ? total - o->from : 0;
    pcni_put(o, o->crc);
    if (shown < o->size) pcni_fill(o->out + shown, 0xff, o->size - shown);
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

/* count: NULL if there is no trainer. */
static void pcni_put_counts(pcni_window *o, const pcn_count *count, uint64_t clock)
{
    pcni_put64(o, count ? count->rows : 0);
    pcni_put64(o, count ? count->updates : 0);
    pcni_put64(o, count ? count->mistakes : 0);
    pcni_put64(o, clock);
}

/* Linear models and their trainers; without a trainer, linear. */
static size_t pcni_save(const pcn_linear *m, const pcn_perceptron *trainer, size_t from, void *out,
                        size_t size)
{
    size_t weights = (size_t)m->features * m->classes, each = weights + m->classes, total;
    int by_feature = m->column != 1;
    size_t rows = by_feature ? m->features : m->classes, each_row = by_feature ? m->classes : m->features;
    size_t step = by_feature ? m->column : m->row, stride = by_feature ? m->row : 1;
    const float *w = m->weight;
    uint32_t parts = by_feature ? PCN_PART_FEATURE_MAJOR : 0;
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
    pcni_put_counts(&o, trainer ? &trainer->count : NULL, trainer ? trainer->clock : 0);
    if (each_row == step && stride == 1) { /* all of them at once */
        each_row = weights;
        rows = 1;
    }
    for (; rows != 0; rows--, w += step) pcni_put_floats(&o, w, each_row, stride);
    if (parts & PCN_PART_BIAS) pcni_put_floats(&o, m->bias, m->classes, 1);
    if (parts & PCN_PART_SUMS) pcni_put_floats(&o, trainer->sum, 2 * each, 1);
    if (parts & PCN_PART_BATCH) pcni_put_floats(&o, trainer->batch, each, 1);
    if (parts & PCN_PART_EXPONENTS) pcni_put_floats(&o, trainer->exponent, each, 1);
    pcni_close(&o, total);
    return total;
}

/* Each of these: how long an image of this header must be; 0 if the header contradicts itself. The
 * counts are at most size / 4, features times classes size, so that no sum can overflow. */
static uint64_t pcni_linear_image_length(const pcn_image *i)
{
    const uint32_t options = PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_EXPONENTS;
    uint64_t weights = (uint64_t)i->features * i->classes, each = weights + i->classes, words;
    if (i->slots != 0 || i->changes != 0 || i->parts > 31) return 0;
    if (i->kind == PCN_KIND_LINEAR && (i->parts & options)) return 0;
    if (i->kind == PCN_KIND_PERCEPTRON && !(i->parts & PCN_PART_BIAS)) return 0;
    words = i->parts & PCN_PART_BIAS ? each : weights;
    words += i->parts & PCN_PART_SUMS ? 2 * each : 0;
    words += i->parts & PCN_PART_BATCH ? each : 0;
    words += i->parts & PCN_PART_EXPONENTS ? each : 0;
    return PCNI_HEADER + 4 * words + 4;
}

/* Words of n numbers of 1, 2 or 4 bytes. */
static uint64_t pcni_words(uint64_t n, uint32_t bytes)
{
    return (n * bytes + 3) / 4;
}

/* Bytes of a weight of an integer model. */
static uint32_t pcni_weight_bytes(uint32_t parts)
{
    return parts & PCN_PART_8_BITS ? 1 : parts & PCN_PART_16_BITS ? 2 : 4;
}

static uint64_t pcni_integer_image_length(const pcn_image *i)
{
    const uint32_t narrow = PCN_PART_8_BITS | PCN_PART_16_BITS;
    uint64_t weights = (uint64_t)i->features * i->classes, words;
    if (i->slots != 0 || i->changes != 0) return 0;
    if (i->parts & ~(PCN_PART_BIAS | PCN_PART_SUMS | narrow) || (i->parts & narrow) == narrow) return 0;
    if (i->parts & PCN_PART_SUMS && i->kind == PCN_KIND_ILINEAR) return 0;
    if (i->parts & narrow && i->kind == PCN_KIND_IPERCEPTRON) return 0;
    if (!(i->parts & PCN_PART_BIAS) && (i->parts & narrow || i->kind == PCN_KIND_IPERCEPTRON)) return 0;
    words = pcni_words(weights, pcni_weight_bytes(i->parts));
    if (i->parts & PCN_PART_BIAS) words += i->classes;
    if (i->parts & narrow) words += pcni_words(i->classes, 2);
    if (i->parts & PCN_PART_SUMS) words += 2 * (weights + i->classes);
    return PCNI_HEADER + 4 * words + 4;
}

static uint64_t pcni_kernel_image_length(const pcn_image *i)
{
    uint64_t words = (uint64_t)i->slots * 4 + (uint64_t)i->slots * i->classes + 4 * (uint64_t)i->changes;
    if (i->parts & ~(uint32_t)(PCN_PART_SPARSE | PCN_PART_LOG)) return 0;
    words += i->parts & PCN_PART_SPARSE ? 2 * (uint64_t)i->cells : i->cells;
    return PCNI_HEADER + PCNI_KERNEL_HEADER + 4 * words + 4;
}

/* Are the words at [at, at + 4 n) finite floats? */
static int pcni_floats_finite(const void *image, size_t at, size_t n)
{
    for (; n != 0; n--, at += 4)
        if ((pcni_get(image, at) & 0x7f800000u) == 0x7f800000u) return 0;
    return 1;
}

/* Each of these: is the rest of an image what its header says? Another kind: PCN_EMATCH. */
static int pcni_check_linear(pcn_image *i, const void *image, size_t size)
{
    if (i->kind > PCN_KIND_PERCEPTRON) return PCN_EMATCH;
    if ((uint64_t)size != pcni_linear_image_length(i)) return PCN_EIMAGE;
    return pcni_floats_finite(image, PCNI_HEADER, (size - PCNI_HEADER) / 4 - 1) ? PCN_OK : PCN_EIMAGE;
}

/* Are the weights of 32 bits and the biases of an integer model within their range? */
static int pcni_integer_image_ok(const pcn_image *i, const void *image)
{
    uint64_t weights = (uint64_t)i->features * i->classes;
    size_t n = (size_t)weights, at = PCNI_HEADER, k;
    if (i->parts & (PCN_PART_8_BITS | PCN_PART_16_BITS)) {
        at += 4 * (size_t)pcni_words(weights, pcni_weight_bytes(i->parts));
        n = 0;
    }
    if (i->parts & PCN_PART_BIAS) n += i->classes;
    for (k = 0; k < n; k++, at += 4)
        if (pcni_get(image, at) + (uint32_t)PCN_IMAX > 2 * (uint32_t)PCN_IMAX) return 0;
    return i->features <= UINT32_MAX / 2 && i->clock <= UINT32_MAX;
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

static int pcni_check_integers(pcn_image *i, const void *image, size_t size)
{
    if (i->kind < PCN_KIND_ILINEAR) return PCN_EMATCH;
    if ((uint64_t)size != pcni_integer_image_length(i)) return PCN_EIMAGE;
    return pcni_integer_image_ok(i, image) ? PCN_OK : PCN_EIMAGE;
}

static int pcni_check_kernel(pcn_image *i, const void *image, size_t size)
{
    if (i->kind != PCN_KIND_DUAL) return PCN_EMATCH;
    if (size < PCNI_HEADER + PCNI_KERNEL_HEADER + 4) return PCN_EIMAGE;
    i->kernel = pcni_get(image, 64);
    i->cells = pcni_get(image, 88);
    if (i->cells > size / 4 || (uint64_t)size != pcni_kernel_image_length(i)) return PCN_EIMAGE;
    return pcni_kernel_image_ok(i, image) ? PCN_OK : PCN_EIMAGE;
}

/* Verifies an image: who opens one names the check of its kind, and links no other. */
static int pcni_read(pcn_image *i, const void *image, size_t size,
                     int (*check)(pcn_image *i, const void *image, size_t size))
{
    if (!image || size < PCNI_HEADER + 4 || pcni_get(image, 0) != PCNI_MAGIC) return PCN_EIMAGE;
    pcni_zero(i, sizeof *i);
    i->version = pcni_get(image, 4);
    i->kind = pcni_get(image, 8);
    i->parts = pcni_get(image, 12);
    i->features = pcni_get(image, 16);
    i->classes = pcni_get(image, 20);
    i->slots = pcni_get(image, 24);
    i->changes = pcni_get(image, 28);
    i->count.rows = pcni_get64(image, 32);
    i->count.updates = pcni_get64(image, 40);
    i->count.mistakes = pcni_get64(image, 48);
    i->clock = pcni_get64(image, 56);
    if (i->version > PCNI_VERSION) return PCN_EVERSION;
    if (i->version == 0 || i->classes == 0 || pcn_crc32(0, image, size - 4) != pcni_get(image, size - 4))
        return PCN_EIMAGE;
    if (i->kind < PCN_KIND_LINEAR || i->kind > PCN_KIND_IPERCEPTRON || i->classes > size / 4 ||
        i->slots > size / 4 || i->changes > size / 4 || (uint64_t)i->slots * i->classes > size / 4 ||
        (i->kind != PCN_KIND_DUAL && (uint64_t)i->features * i->classes > size))
        return PCN_EIMAGE;
    return check(i, image, size);
}

PCN_API int pcn_image_read(pcn_image *info, const void *image, size_t size)
{
    pcn_image i;
    int result = pcni_read(&i, image, size, pcni_check_linear);
    if (result == PCN_EMATCH) result = pcni_read(&i, image, size, pcni_check_kernel);
    if (result == PCN_EMATCH) result = pcni_read(&i, image, size, pcni_check_integers);
    if (result == PCN_OK && info) pcni_copy(info, &i, sizeof i);
    return result;
}

PCN_API size_t pcn_linear_save(const pcn_linear *m, size_t from, void *out, size_t size)
{
    return pcni_save(m, NULL, from, out, size);
}

/* The same for an image that is to be pointed into. */
static int pcni_read_in_place(pcn_image *i, const void *image, size_t size,
                              int (*check)(pcn_image *i, const void *image, size_t size))
{
    int result = pcni_read(i, image, size, check);
    if (result < 0) return result;
    return pcni_is_little_endian() && (uintptr_t)image % 4 == 0 ? PCN_OK : PCN_EALIGN;
}

PCN_API int pcn_linear_open(pcn_linear *m, const void *image, size_t size)
{
    pcn_image i;
    int result = pcni_read_in_place(&i, image, size, pcni_check_linear);
    if (result < 0) return result;
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
    if (!there) pcni_zero(f, n * sizeof *f);
    for (; there && n != 0; n--, *at += 4) *f++ = pcni_from_bits(pcni_get(image, *at));
}

PCN_API int pcn_perceptron_load(pcn_perceptron *m, const void *image, size_t size)
{
    size_t at = PCNI_HEADER, weights, each;
    pcn_image i;
    int result = pcni_read(&i, image, size, pcni_check_linear);
    if (result < 0) return result;
    if (i.features != m->model.features || i.classes != m->model.classes ||
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
    pcni_copy(&m->count, &i.count, sizeof m->count);
    m->clock = m->sum && !(i.parts & PCN_PART_SUMS) ? 0 : i.clock;
    return PCN_OK;
}

/* n numbers of 1, 2 or 4 bytes, filled up to whole words. */
static void pcni_put_packed(pcni_window *o, const void *array, size_t n, uint32_t bytes)
{
    uint32_t word = 0, at = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        word |= (bytes == 1   ? ((const uint8_t *)array)[i]
                 : bytes == 2 ? ((const uint16_t *)array)[i]
                              : ((const uint32_t *)array)[i]) << at;
        at += 8 * bytes;
        if (at < 32 && i + 1 < n) continue;
        pcni_put(o, word);
        word = at = 0;
    }
}

/* Integer models: without a trainer frozen, with scales quantised. */
static size_t pcni_save_integers(const pcn_quantized *m, const pcn_iperceptron *trainer, size_t from, void *out,
                                 size_t size)
{
    size_t weights = (size_t)m->features * m->classes, total, k;
    pcni_window o;
    pcn_image i;
    pcni_zero(&i, sizeof i);
    i.kind = trainer ? PCN_KIND_IPERCEPTRON : PCN_KIND_ILINEAR;
    if (m->bias) i.parts |= PCN_PART_BIAS;
    if (m->bits == 8) i.parts |= PCN_PART_8_BITS;
    if (m->bits == 16) i.parts |= PCN_PART_16_BITS;
    if (trainer && trainer->sum) i.parts |= PCN_PART_SUMS;
    i.features = m->features;
    i.classes = m->classes;
    total = (size_t)pcni_integer_image_length(&i);
    if (size == 0) return total;
    pcni_open(&o, total, from, out, size);
    pcni_put_header(&o, i.kind, i.parts, i.features, i.classes);
    pcni_put64(&o, 0);
    pcni_put64(&o, trainer ? trainer->rows : 0);
    pcni_put64(&o, trainer ? trainer->updates : 0);
    pcni_put64(&o, trainer ? trainer->mistakes : 0);
    pcni_put64(&o, trainer ? trainer->clock : 0);
    pcni_put_packed(&o, m->weight, weights, m->bits / 8);
    if (m->bias) pcni_put_packed(&o, m->bias, m->classes, 4);
    if (m->scale) pcni_put_packed(&o, m->scale, m->classes, 2);
    for (k = 0; i.parts & PCN_PART_SUMS && k < weights + m->classes; k++) pcni_put64(&o, (uint64_t)trainer->sum[k]);
    pcni_close(&o, total);
    return total;
}

static pcn_quantized pcni_as_quantized(const pcn_ilinear *m)
{
    pcn_quantized q;
    q.weight = m->weight;
    q.bias = m->bias;
    q.scale = NULL;
    q.features = m->features;
    q.classes = m->classes;
    q.bits = 32;
    return q;
}

PCN_API size_t pcn_ilinear_save(const pcn_ilinear *m, size_t from, void *out, size_t size)
{
    pcn_quantized q = pcni_as_quantized(m);
    return pcni_save_integers(&q, NULL, from, out, size);
}

PCN_API size_t pcn_iperceptron_save(const pcn_iperceptron *m, size_t from, void *out, size_t size)
{
    pcn_quantized q = pcni_as_quantized(&m->model);
    return pcni_save_integers(&q, m, from, out, size);
}

PCN_API size_t pcn_quantized_save(const pcn_quantized *m, size_t from, void *out, size_t size)
{
    return pcni_save_integers(m, NULL, from, out, size);
}

/* An integer model that points into an image, of 32 bits or (narrow) fewer. */
static int pcni_open_integers(pcn_quantized *m, int narrow, const void *image, size_t size)
{
    const uint8_t *at = (const uint8_t *)image + PCNI_HEADER;
    pcn_image i;
    int result = pcni_read_in_place(&i, image, size, pcni_check_integers);
    if (result < 0) return result;
    m->bits = 8 * pcni_weight_bytes(i.parts);
    if ((m->bits != 32) != narrow) return PCN_EMATCH;
    m->features = i.features;
    m->classes = i.classes;
    m->weight = at;
    at += 4 * (size_t)pcni_words((uint64_t)i.features * i.classes, m->bits / 8);
    m->bias = i.parts & PCN_PART_BIAS ? (const int32_t *)(const void *)at : NULL;
    m->scale = narrow ? (const uint16_t *)(const void *)(at + 4 * (size_t)i.classes) : NULL;
    return PCN_OK;
}

PCN_API int pcn_ilinear_open(pcn_ilinear *m, const void *image, size_t size)
{
    pcn_quantized q;
    int result = pcni_open_integers(&q, 0, image, size);
    if (result < 0) return result;
    m->weight = (const int32_t *)q.weight;
    m->bias = q.bias;
    m->features = q.features;
    m->classes = q.classes;
    return PCN_OK;
}

PCN_API int pcn_quantized_open(pcn_quantized *m, const void *image, size_t size)
{
    pcn_quantized q;
    int result = pcni_open_integers(&q, 1, image, size);
    if (result == PCN_OK) pcni_copy(m, &q, sizeof q);
    return result;
}

PCN_API int pcn_iperceptron_load(pcn_iperceptron *m, const void *image, size_t size)
{
    size_t at = PCNI_HEADER, n = PCN_IWEIGHTS(m->model.features, m->model.classes), k;
    size_t weights = n - m->model.classes;
    pcn_image i;
    int result = pcni_read(&i, image, size, pcni_check_integers);
    if (result < 0) return result;
    if (pcni_weight_bytes(i.parts) != 4 || i.features != m->model.features ||
        i.classes != m->model.classes || (i.parts & PCN_PART_SUMS && !m->sum))
        return PCN_EMATCH;
    pcni_zero(m->weight, n * sizeof *m->weight);
    for (k = 0; k < (i.parts & PCN_PART_BIAS ? n : weights); k++, at += 4)
        m->weight[k] = (int32_t)pcni_get(image, at);
    if (m->sum) pcni_zero(m->sum, n * sizeof *m->sum);
    for (k = 0; i.parts & PCN_PART_SUMS && k < n; k++, at += 8) m->sum[k] = (int64_t)pcni_get64(image, at);
    m->rows = (uint32_t)i.count.rows;
    m->updates = (uint32_t)i.count.updates;
    m->mistakes = (uint32_t)i.count.mistakes;
    m->clock = m->sum && !(i.parts & PCN_PART_SUMS) ? 0 : (uint32_t)i.clock;
    return PCN_OK;
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
    pcni_zero(&i, sizeof i);
    for (s = 0; s < m->slots; s++) cells += m->slot[s].count;
    i.kind = PCN_KIND_DUAL;
    if (m->index) i.parts |= PCN_PART_SPARSE;
    if (m->log) i.parts |= PCN_PART_LOG;
    i.classes = m->classes;
    i.slots = m->slots;
    i.changes = m->log ? m->changes : 0;
    i.cells = (uint32_t)cells;
    total = (size_t)pcni_kernel_image_length(&i);
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
        pcni_put_packed(&o, m->index + m->slot[s].start, m->slot[s].count, 4);
    if (m->log) pcni_put_log(&o, m);
    pcni_close(&o, total);
    return total;
}

PCN_API size_t pcn_support_save(const pcn_support *m, size_t from, void *out, size_t size)
{
    return pcni_save_support(m, NULL, 0, 0, from, out, size);
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
    int result = pcni_read_in_place(&i, image, size, pcni_check_kernel);
    if (result < 0) return result;
    if (i.kernel != kernel.id) return PCN_EMATCH;
    pcni_copy(&m->kernel, &kernel, sizeof kernel);
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
    int result = pcni_read(&i, image, size, pcni_check_kernel);
    if (result < 0) return result;
    if (i.kernel != m->model.kernel.id || m->borrowed ||
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
    pcni_copy(&m->p.count, &i.count, sizeof m->p.count);
    m->seed = pcni_get(image, 92);
    m->spent = pcni_from_bits(pcni_get(image, 96));
    m->aux_slots = 0;
    return PCN_OK;
}

#undef PCNI_INLINE
#undef PCNI_PREFETCH
#undef PCNI_PREFETCH_L2
#undef PCNI_ROUND
#undef PCNI_ROUND_V
#undef PCNI_W
#undef PCNI_WIDE
#undef PCNI_SHUFFLE
#undef PCNI_LANES
#undef PCNI_APART
#undef PCNI_FAR
#undef PCNI_AHEAD
#undef PCNI_BEYOND
#undef PCNI_ROWS
#undef PCNI_ALL
#undef PCNI_FUSED
#undef PCNI_GROUPS
#undef PCNI_SIDE
#undef PCNI_TILE
#undef PCNI_PANEL
#undef PCNI_EIGHT
#undef PCNI_HALVES
#undef PCNI_IDENSE
#undef PCNI_MAGIC
#undef PCNI_HEADER
#undef PCNI_KERNEL_HEADER
#undef PCNI_VERSION
#undef pcni_done
#undef pcni_set
#undef pcni_load
#undef pcni_store
#undef pcni_load_part
#undef pcni_store_part
#undef pcni_mask
#undef pcni_load_mask
#undef pcni_add
#undef pcni_sub
#undef pcni_mul
#undef pcni_div
#undef pcni_min
#undef pcni_max
#undef pcni_where
#undef pcni_pow2
#undef pcni_head
#undef pcni_sum
#undef pcni_fold
#undef pcni_reach
#undef pcni_values
#undef pcni_8
#undef pcni_8_set
#undef pcni_8_load
#undef pcni_8_store
#undef pcni_8_load_part
#undef pcni_8_store_part
#undef pcni_8_add
#undef pcni_8_mul
#ifndef PERCEPTRON_NO_LIBC
#undef pcni_fill
#undef pcni_copy
#endif
#undef pcni_zero
#undef pcni_copy_word
#if defined(__GNUC__) && SIZE_MAX < UINT32_MAX
#pragma GCC diagnostic pop
#endif

#endif /* PCN_IMPLEMENTED */
#endif /* PERCEPTRON_IMPLEMENTATION */
