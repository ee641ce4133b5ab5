/* perceptron.h - v1.0.0 - online linear classifiers in one C99 header
 * SPDX-License-Identifier: MIT OR Unlicense
 *
 * Binary, multiclass, averaged, voted and kernel perceptrons, passive-aggressive learners, AROW and Winnow. They learn
 * one row at a time, in arrays that you provide, and give the same bits on a server and on a Cortex-M0. The library
 * allocates nothing (except with PERCEPTRON_GROW), needs no libm and has no global state. Each function is described
 * at its declaration below. examples/GUIDE.md explains how to choose, what to expect, and why.
 *
 * QUICK REFERENCE           of n features and K classes (K = 2 or more)
 *
 *  Rows                     x below is a row: the values of the features of one example
 *    pcn_dense(value, n)                     all n features
 *    pcn_sparse(index, value, count)         some features; the others are 0; indices ascend strictly
 *    pcn_ones(index, count)                  0/1 features: those with these indices are 1
 *    pcn_sort_row(index, value, count)       brings indices into order, adds up the values of equal ones
 *  Train
 *    pcn_perceptron_init(&m, n, K, memory, sizeof memory)
 *    pcn_perceptron_use_averaging(&m, sums, sizeof sums)   predict with the mean of the weights over time
 *    pcn_perceptron_learn(&m, x, y)          1: the rule fired; 0: it did not; below 0: an error, counted in m.refused
 *    m.learner.rule = pcn_rule_pa(0.1f)      another rule; you may change settings between any two calls
 *    pcn_pass_init, _next, _note             epochs over rows in memory, in a new order each time
 *    pcn_perceptron_resize                   more features or classes in the middle of a stream
 *  Predict
 *    pcn_perceptron_predict(&m, x)           the class, from a trainer
 *    pcn_perceptron_final(&m, &model, out, sizeof out)     writes a frozen copy of what was learned
 *    pcn_linear_predict(&model, x)           the class, from a frozen model
 *    pcn_linear_scores(&model, x, score)     score[PCN_SCORES(K)]: one score for two classes, otherwise one for each
 *  Save
 *    pcn_linear_save(&model, out, size)      returns the length; 0 if it does not fit or cannot be saved
 *    pcn_linear_open(&model, image, size)    a model that points into the image: in RAM, in flash or mapped
 *    pcn_perceptron_save, _load              a trainer, which then learns on with the same bits. Settings such as the
 *                                            rule are not in the image: set them again
 *  Scale
 *    pcn_scaler_init, _note, _scale          columns of a stream to mean 0 and deviation 1; _use_window if they change
 *    pcn_scaler_fold                         moves the scaling into a model, which then takes unscaled rows
 *  Probabilities
 *    pcn_probabilities(&c, score, K, p)      turns scores into probabilities p[K]; c is from pcn_calibration_init(&c)
 *    pcn_calibrate(&c, score, K, p, y)       adjusts c to one row; call it before the trainer learns that row
 *  Kernels
 *    pcn_kperceptron_init, _learn, _predict  for classes that no plane separates; keeps rows as support vectors
 *  Integers
 *    pcn_ilinear_quantize, pcn_ilinear_predict             8 or 16 bits a weight, no floats
 *    pcn_iperceptron_init, _learn, _predict  learning without floats
 *
 * A FIRST JOB
 *
 *  Learns from rows such as 5.1,3.5,1.4,0.2,0 (four features and the class, 0 to 2), then predicts: ./job < rows.csv
 *
 *     #define PERCEPTRON_IMPLEMENTATION // in exactly one C or C++ file
 *     #include "perceptron.h"
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *
 *     enum { N = 4, K = 3, MOST = 1000 }; // features, classes, room for rows
 *     static float x[MOST][N], columns[PCN_SCALER_FLOATS(N)], memory[PCN_PERCEPTRON_FLOATS(N, K)];
 *     static float sums[PCN_AVERAGING_FLOATS(N, K)], mean[PCN_LINEAR_FLOATS(N, K)];
 *     static uint32_t image[PCN_LINEAR_IMAGE(N, K) / 4]; // uint32_t, because open needs multiples of 4 bytes
 *     static int y[MOST];
 *
 *     static void must(int result) { if (result < 0) puts(pcn_error_text(result)), exit(1); }
 *
 *     int main(void) {
 *         const float flower[N] = {5.9f, 3.0f, 5.1f, 1.8f};
 *         uint32_t rows = 0, i;
 *         pcn_scaler scaler;
 *         pcn_perceptron m;
 *         pcn_linear model;
 *         pcn_pass pass;
 *         must(pcn_scaler_init(&scaler, N, columns, sizeof columns));
 *         for (; rows < MOST; rows++) {
 *             float *v = x[rows];
 *             if (scanf("%f,%f,%f,%f,%d", v, v + 1, v + 2, v + 3, &y[rows]) != N + 1) break;
 *             must(pcn_scaler_note(&scaler, v));
 *         }
 *         for (i = 0; i < rows; i++) pcn_scaler_scale(&scaler, x[i], x[i]);
 *         must(pcn_perceptron_init(&m, N, K, memory, sizeof memory));
 *         must(pcn_perceptron_use_averaging(&m, sums, sizeof sums));
 *         pcn_pass_init(&pass, rows, 10, 1); // 10 epochs; 1 is a seed, and any other will do
 *         while (pcn_pass_next(&pass, &i)) pcn_perceptron_learn(&m, pcn_dense(x[i], N), y[i]);
 *         must(pcn_perceptron_final(&m, &model, mean, sizeof mean));
 *         must(pcn_scaler_fold(&scaler, &model, &model, mean, sizeof mean)); // for rows that are not scaled
 *         size_t size = pcn_linear_save(&model, image, sizeof image);
 *         if (size == 0) return 1;
 *         must(pcn_linear_open(&model, image, size)); // on another day, or on another machine
 *         printf("%u rows, %u refused, class %d\n", (unsigned)rows, (unsigned)m.refused,
 *                pcn_linear_predict(&model, pcn_dense(flower, N)));
 *     }
 *
 * PICK A LEARNER               arrays in addition to those of the trainer in line 1
 *
 *  most data                    pcn_perceptron, use_averaging           PCN_PERCEPTRON_FLOATS, PCN_AVERAGING_FLOATS
 *  noisy or overlapping classes + m.learner.rule = pcn_rule_pa(0.1f)    none
 *  text, one pass (AROW)        + pcn_perceptron_use_confidence         PCN_LINEAR_FLOATS
 *  the target changes           + pcn_perceptron_use_following          none (AROW: also use_regrowth)
 *  few of many features matter  + pcn_perceptron_use_winnow             PCN_LINEAR_FLOATS
 *  sparse rows, many classes    + pcn_perceptron_use_feature_major      none; call it before all other options
 *  weights change in steps      + pcn_perceptron_use_batch              PCN_LINEAR_FLOATS
 *  several processors           + pcn_perceptron_mix                    a trainer for each part of the rows
 *  no plane separates           pcn_kperceptron, pcn_kernel_rbf         PCN_KPERCEPTRON_FLOATS, pcn_slot[slots]
 *    voted perceptron           + use_log, PCN_DECIDE_VOTE              pcn_log_entry[entries]
 *  no FPU                       pcn_iperceptron                         int32_t[PCN_IPERCEPTRON_NUMBERS]
 *  a model in 1/4 of the flash  pcn_ilinear_quantize                    int32_t[PCN_ILINEAR_NUMBERS]
 *
 *  Averaging goes with every option. Confidence does not go with batches or Winnow; following does not go with batches
 *  or mixing. Winnow takes only the fixed rule (the default); confidence sets a rule of its own.
 *
 * CONVENTIONS
 *
 *  Classes     Labels are 0 .. K-1. Two classes share one score: above 0 it predicts class 1, below 0 class 0, and at
 *              exactly 0 class 1, or class 0 if zero_negative is set. Label -1 also means class 0. Three or more
 *              classes have a score each. The highest score wins; on a tie, the lowest class wins.
 *  Formulas    w weights, b bias, s score. y is +1 for class 1 and -1 for class 0. The rule fires if y s <= margin;
 *              with several scores y s stands for the score of the true class minus that of its best rival.
 *  Names       init starts an object; use_... switches on an option; a trainer learns, and `live` is the model inside
 *              it. pcn_i... is for integers, pcn_k... for kernels. pcnp_... and members of `own` are private.
 *  Parameters  bytes and size are lengths in bytes (use sizeof); all others count elements. `scores` is PCN_SCORES(K).
 *  Results     0 (PCN_OK) or above, or a negative PCN_E... code; pcn_error_text gives the words. An error leaves models
 *              and weights as they were. A failed init sets the object to zeros: a trainer then returns PCN_EOPTION.
 *
 * MEMORY, THREADS, INTERRUPTS
 *
 *  All arrays are yours, must outlive the object, and must not overlap unless a comment allows it. Their lengths are
 *  constant expressions: PCN_..._FLOATS, _NUMBERS and _IMAGE. A copied struct shares the arrays. Only kernel trainers
 *  keep rows after the call. Functions that take const objects may run in parallel while nobody writes to the arrays.
 *  A trainer belongs to one thread. An interrupt or another thread that predicts while the trainer learns needs a copy,
 *  which pcn_perceptron_final writes: see GUIDE.md, "Threads and interrupts".
 *
 * CONFIGURATION             define before the #include; a * marks what only PERCEPTRON_IMPLEMENTATION reads
 *
 *  PERCEPTRON_IMPLEMENTATION    in exactly one file of a program, or in each file that defines PERCEPTRON_STATIC
 *  PERCEPTRON_STATIC            a private copy for this file; use a trainer only in the file that has initialised it
 *  PERCEPTRON_DEBUG           * assertions find wrong calls that have no error code
 *  PCN_ASSERT(condition)      * your own assertion, with or without PERCEPTRON_DEBUG
 *  PERCEPTRON_SIMD            * 0 portable C, 1 SSE2, 2 AVX2, 3 NEON (AArch64), 4 WebAssembly; default: what the
 *                               compiler builds for (-mavx2). All give the same bits, so -ffast-math is refused
 *  PERCEPTRON_SMALLEST        * only dense rows and the fixed rule; trainers of floats have no options
 *  PERCEPTRON_BIAS_STEP       * fixes bias_step of pcn_iperceptron (0 .. PCN_IMAX - 2); saves code
 *  PERCEPTRON_UNROLL          * Arm with an FPU: dense rows in less time, with more flash and the same bits
 *  PERCEPTRON_NO_LIBC         * no calls of memcpy, memmove or memset (gcc or clang, SIMD 0, below -O3; clang from -O1)
 *  PERCEPTRON_GROW              in every file: kernel models may grow on the heap; needs stb_ds.h
 *  PERCEPTRON_STB_DS_H        * the path of stb_ds.h, in "" or <>
 *  PERCEPTRON_REALLOC, _FREE  * for this heap, called as realloc(p, size) and free(p); define both or neither
 *  PCN_READ_WEIGHT(to, from)  * reads a weight into *to from the flash of an AVR: see GUIDE.md, "AVR and firmware"
 *  PCN_TEXT(text)             * keeps error texts in the flash of an AVR
 *  PCN_MUST_CHECK               marks functions whose result must be checked; you may define it empty
 *  PCN_API                      stands before each public function
 *
 * MORE                      examples/GUIDE.md: mistakes and cures, streams, order of sums, limits, design, sources
 *                           examples/FORMAT.md: images byte by byte; HISTORY.md beside it: what 1.x promises
 *                           tests/bench/README.md: measured speed, errors and accuracy */

/* WHAT IS WHERE       a section calls only those before it, and functions that "What the engine room gives" declares
 *
 *  INTERFACE
 *    Results, Classes and scores, Vectors, Products         codes of errors, rows, and how rows are multiplied
 *    Linear models, The learner, The linear trainer         settings, rules, learning, and each option
 *    Frozen linear models, Passes                           predicting; epochs over rows in memory
 *    The scaler, Calibration, Images                        columns of one scale; probabilities; save, open, load
 *    The integer twin, Kernel models, Measures, By address  other learners; accuracy; twins that take rows by address
 *  IMPLEMENTATION
 *    What the engine room gives                             the words in which all that follows is written
 *    Bytes, Arrays that are declared as another type        copies without libc; arrays that hold several types
 *    The step                                               W += step y X, the line that learns
 *    The learner: rules, The learner: updates               how large a step is; which classes take it
 *    The linear trainer: learning                           learn for one score, and for several
 *    Averaging, The linear trainer: following               the mean of all weights; which of both predicts
 *    Frozen linear models, The linear trainer: predicting   scores and classes
 *    The linear trainer: what has been learned, its arrays  final; init, options, resize
 *    The linear trainer: batches, Passes, Measures, Results
 *    Images, Images: reading, writing, linear models        the form of an image, and those of linear models
 *  THE ENGINE ROOM
 *    Arithmetic that is rounded where it is written         why every build gives the same bits
 *    Vectors, The vector vocabulary                         one set of words for SSE2, AVX2, NEON, wasm, portable C
 *    Powers of 2 and e, lane by lane
 *    Products: dense rows, sparse rows, many rows, many classes, updates
 *    Hints for the caches, Averaging: sums without loss
 *  OTHER LEARNERS
 *    The linear trainer: methods with a state, Winnow, confidence, mixing
 *    The integer twin, The scaler, Kernel models, Calibration, and their images */
#ifndef PERCEPTRON_H_5D1C7A90
#define PERCEPTRON_H_5D1C7A90

#include <stddef.h>
#include <stdint.h>

#define PERCEPTRON_VERSION 0x010000 /* major, minor and patch: 0xMMmmpp */

#if defined(PERCEPTRON_NO_LIBC) && defined(PERCEPTRON_GROW)
#error "perceptron.h: PERCEPTRON_GROW needs a C library, so it does not go with PERCEPTRON_NO_LIBC"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PCN_MAYBE_UNUSED __attribute__((unused))
#else
#define PCN_MAYBE_UNUSED
#endif
#define PCN_INLINE PCN_MAYBE_UNUSED static inline /* stands before functions whose bodies are in the interface */

#ifndef PCN_MUST_CHECK /* marks functions whose result must be checked; you may define it empty */
#if defined(__GNUC__) || defined(__clang__)
#define PCN_MUST_CHECK __attribute__((warn_unused_result))
#elif defined(_Check_return_) /* MSVC: stddef.h has it */
#define PCN_MUST_CHECK _Check_return_
#else
#define PCN_MUST_CHECK
#endif
#endif

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

/* ---- Results ---------------------------------------------------------------------------------
 * A result below 0 is an error. PCN_ERRORS lists all errors: name, number, and the text of pcn_error_text. */

#define PCN_ERRORS(X)                                                                                                  \
    X(PCN_EVALUE, -1, "NaN, infinity or overflow in an example: mend the row, or scale the features")                  \
    X(PCN_EINDEX, -2, "a feature index that the model does not have (0 is the first); kernels: or not ascending")      \
    X(PCN_ELABEL, -3, "a label that is no class: labels count from 0; of two classes 0 (or -1) and 1")                 \
    X(PCN_EMEMORY, -4,                                                                                                 \
      "an array is missing, too short (lengths are in bytes, give sizeof the array), or in use by the model itself")   \
    X(PCN_EFULL, -5, "no room for another vector or log entry: give more, or set admit; or too many rows to count")    \
    X(PCN_ENOMEM, -6, "out of memory")                                                                                 \
    X(PCN_EIMAGE, -7, "not an image, cut short, or damaged")                                                           \
    X(PCN_EVERSION, -8, "image of a newer version: needs a newer perceptron.h")                                        \
    X(PCN_EMATCH, -9, "image of another kind, shape or layout than this model: pcn_image_read says which")             \
    X(PCN_EALIGN, -10, "open needs an image aligned to 4 bytes, on a little-endian machine: move it, or load it")      \
    X(PCN_EOPTION, -11,                                                                                                \
      "fewer than 2 classes, a setting that is out of range, learns nothing or is not used by the "                    \
      "rule, options that do not go together or with this model, or no init")                                          \
    X(PCN_EMEAN, -12, "image of an averaged trainer: load it, or save what ..._final gives and open that image")       \
    X(PCN_ELATE, -13, "too late: this option must be switched on before the first row is learned")                     \
    X(PCN_EBATCH, -14, "a batch holds steps that are not applied yet: apply or discard it first")                      \
    X(PCN_EPROGRAM, -15, "a model file that only the program reads: perceptron export --as image (or raw) for C")      \
    X(PCN_ESCORES, -16, "two scores: two classes share one, the score of class 1 minus that of class 0")               \
    X(PCN_EFOLDED, -17,                                                                                                \
      "image of a folded model, which only predicts: load that of the trainer, which learns scaled rows")

#define PCN_ENUM_(name, value, text) name = value,
enum pcn_result { PCN_ERRORS(PCN_ENUM_) PCN_OK = 0 }; /* PCN_OK: no error */
#undef PCN_ENUM_

PCN_API const char *pcn_error_text(int result); /* returns the text of an error, "ok" for 0 and above */

PCN_API uint32_t pcn_version(void); /* returns the PERCEPTRON_VERSION of the implementation */

/* ---- Classes and scores ----------------------------------------------------------------------
 * Two classes share one score; K > 2 classes have one score each. So a model has 1 score, or 3 or more. */

#define PCN_SCORES(classes) ((uint32_t)(classes) - ((uint32_t)(classes) == 2u)) /* the scores of so many classes */
#define PCN_CLASSES(scores) ((uint32_t)(scores) + ((uint32_t)(scores) == 1u))   /* the classes of so many scores */

/* Returns the class that these scores give. One score: class 1 above 0, class 0 below, and at 0 class 1, or 0 if
 * zero_negative. Several scores: the class with the highest score; of equal scores, the lowest class. */
PCN_API int pcn_decide(const float *score, uint32_t scores, int zero_negative);

/* Returns how far the scores favour class y. With one score s it is s for class 1, and -s for class 0 (or -1). With
 * several scores it is the score of y minus that of its best rival, the other class with the highest score. */
PCN_API float pcn_margin(const float *score, uint32_t scores, int y);

/* ---- Vectors ---------------------------------------------------------------------------------
 * A row is dense, sparse or 0/1. Features that are not given are 0. A 0/1 row and a sparse row of ones give the same
 * scores, bit for bit. A dense row is summed in another order: see examples/GUIDE.md, "The order of sums". */

typedef struct pcn_vec {   /* a row in your arrays */
    const float *value;    /* values of the features given; NULL: each is 1 */
    const uint32_t *index; /* their numbers, from 0, strictly ascending; NULL: features 0 .. count-1 */
    uint32_t count;        /* how many features are given */
} pcn_vec;

PCN_INLINE pcn_vec pcn_sparse(const uint32_t *index, const float *value, uint32_t count) /* a row; indices ascend */
{
    pcn_vec x;
    x.value = value;
    x.index = index;
    x.count = count;
    return x;
}

PCN_INLINE pcn_vec pcn_dense(const float *value, uint32_t count) /* a row of the features 0 .. count-1 */
{
    return pcn_sparse(NULL, value, count);
}

PCN_INLINE pcn_vec pcn_ones(const uint32_t *index, uint32_t count) /* a row of ones; indices ascend */
{
    return pcn_sparse(index, NULL, count);
}

/* Sorts a row by index and adds up values of equal indices (value NULL: ones). Returns how many features are left. */
PCN_API uint32_t pcn_sort_row(uint32_t *index, float *value, uint32_t count);

/* ---- Products --------------------------------------------------------------------------------
 * Features with an index of n or more are skipped. w and x.value may be the same array, but not overlap otherwise. */

PCN_INLINE float pcn_dot(const float *w, uint32_t n, pcn_vec x);       /* returns the sum of w[j] x[j] */
PCN_INLINE void pcn_add(float *w, uint32_t n, float scale, pcn_vec x); /* adds scale x[j] to each w[j] */
PCN_INLINE float pcn_norm2(pcn_vec x);                                 /* returns the sum of x[j]^2 */

/* ---- Linear models ---------------------------------------------------------------------------
 * Weights and biases, which a trainer learns and a frozen model keeps. Class-major weights are fast on dense rows,
 * feature-major weights on sparse rows. Both give the same scores, bit for bit. With one score they are identical. */

typedef struct pcn_linear { /* each score is w.x + b */
    const float *weight;    /* of score c and feature j: [c * features + j], or [j * scores + c] if by_feature */
    const float *bias;      /* one for each score, added after the products; NULL: all are 0 */
    uint32_t features;      /* numbers of features are 0 .. features-1 */
    uint32_t scores;        /* 1 for two classes, otherwise one for each class; never 2 */
    uint8_t by_feature;     /* layout of the weights: 0 class-major, 1 feature-major */
    uint8_t zero_negative;  /* 0: a single score of 0 is class 1; 1: class 0. You may set it, also in a trainer */
    uint8_t folded;         /* 1: made by pcn_scaler_fold, for unscaled rows; no trainer loads it */
} pcn_linear;

/* ---- The learner -----------------------------------------------------------------------------
 * Settings and results that linear and kernel trainers share. X is the row with the bias input, X = (x, B). W is the
 * weights with the bias, W = (w, b). s is the score; y is +1 for class 1 and -1 for class 0. The gap is margin - y s.
 * If it is 0 or more, the rule fires: it computes a step, and the trainer adds step y X to W.
 *
 *     fixed          rate                                      Honavar sec. 2, Su Alg. 1, CIML Alg. 5
 *     absolute       floor(gap / X.X) + 1                      Honavar sec. 4, Nilsson 1965
 *     fractional     lambda gap / X.X; rate if gap is 0        Honavar sec. 4; 0 < lambda <= 2
 *     pa (PA-I)      min(C, gap / X.X) with margin 1           Crammer 2006; C = FLT_MAX: plain PA
 *     pa2 (PA-II)    gap / (X.X + 1 / (2 C)) with margin 1     Crammer 2006
 *
 * With several scores, y s stands for the score of the true class minus that of its best rival. The true class gains
 * the step, and the rival loses `share` of it. A step of 1 then changes y s by (1 + share) X.X, which replaces X.X in
 * the table.
 * A step of 0 is not an update. If X.X is 0, only the fixed rule makes a step, and the fractional rule if the gap is 0.
 * With margin 0 the rule also fires at a score of 0 and at a tie (Eaton, CIML). If zero_predicted is 1, it fires there
 * only if the predicted class is wrong (Su with zero_negative 0, Honavar with 1).
 * You may change settings between any two calls. If the rule may fire, learn() checks them first. It returns
 * PCN_EOPTION if rate or bias_input is not finite, or if margin or strength is negative or NaN. Some settings are
 * probably mistakes: a rate, C or lambda of 0 (in C, 1 / 10 is 0), and a rate other than 1 that the rule does not use.
 * For these, learn() returns PCN_EOPTION until the rule has fired once since init() or load(). Afterwards it accepts
 * them, because a rate that decays may end at 0. */

struct pcn_learner;

typedef struct pcn_update { /* one update under way, for rules and updates of your own */
    const pcn_vec *x;       /* the row */
    float bias;             /* B^2, where B is the bias input: a step moves the bias by step B^2 */
    uint32_t up, down;      /* the class that gains the step, and its best rival */
    float share;            /* the part of the step that the rival loses; 0: there is no rival */
    uint8_t zero_negative;  /* as in the model */
    /* Computes pcn_slope for this trainer. NULL: the slope is (1 + share) X.X. */
    float (*slope_of)(const struct pcn_update *update);
    const void *trainer; /* the trainer that learns; slope_of may need it */
} pcn_update;

typedef struct pcn_rule { /* how large a step is */
    /* Returns the step for this gap, or 0 for no update, or infinity to make learn() return PCN_EOPTION. */
    float (*step)(const struct pcn_learner *learner, pcn_update *update, float gap);
    float rate;     /* of fixed and fractional; all others need 1. You may change it before any row, to let it decay */
    float margin;   /* 0 or more, with any rule: the rule fires if y s <= margin */
    float strength; /* above 0: lambda of fractional, C of pa and pa2; steps grow with it */
} pcn_rule;

PCN_API pcn_rule pcn_rule_fixed(float rate);        /* step = rate, margin 0; the default, with rate 1 */
PCN_API pcn_rule pcn_rule_absolute(void);           /* step = floor(gap / X.X) + 1, margin 0 */
PCN_API pcn_rule pcn_rule_fractional(float lambda); /* step = lambda gap / X.X, margin 0 */
PCN_API pcn_rule pcn_rule_pa(float c);              /* step = min(c, gap / X.X), margin 1 */
PCN_API pcn_rule pcn_rule_pa2(float c);             /* step = gap / (X.X + 1 / (2 c)), margin 1 */

typedef struct pcn_count { /* how much was learned; you may clear it */
    uint64_t rows;         /* rows learned without an error */
    uint64_t updates;      /* how often the rule fired; with one-vs-rest, summed over the classes */
    uint64_t mistakes;     /* rows that the current weights predicted wrongly, before the update */
} pcn_count;

typedef struct pcn_learner { /* what linear and kernel trainers share */
    /* settings */
    pcn_rule rule;    /* pcn_rule_fixed(1) at first */
    float bias_input; /* B. init() sets 1, for kernel trainers 0. If it is 0, no bias is learned */
    /* Decides which classes move, if there are several scores. NULL: pcn_update_predicted. You may write your own. */
    uint32_t (*update)(const struct pcn_learner *learner, pcn_update *update, uint32_t y, float *change);
    void *user;             /* for rules and updates of your own; the library never reads it */
    uint8_t zero_predicted; /* at a score of 0 with margin 0: 0 updates always, 1 only if the class is wrong */
    /* state */
    uint8_t scored; /* 1: score already has the scores of the row that learn() is given */
    uint8_t moved;  /* 1: the rule has fired since init() or load(). Set it to 1 to allow a first step of 0 */
    /* results */
    int8_t ahead;    /* -15 .. 17, see pcn_perceptron_use_following */
    pcn_count count; /* of rows, updates and mistakes */
    int guess;       /* the class that the current weights predicted for the last row, before its update */
    float *score;    /* score[scores] of the last row, before its update; see pcn_changes */
    /* state */
    uint32_t scores; /* as in the model */
    uint64_t clock;  /* rows since init(), or since the current mean began */
} pcn_learner;

/* Returns the changes of the last learn() that returned 1: class k (with one score, class 1) moved by change[k] X. */
PCN_INLINE const float *pcn_changes(const pcn_learner *l)
{
    return l->score + l->scores;
}

PCN_API float pcn_slope(const pcn_update *update); /* for your own rule: returns how far a step of 1 moves y s */

/* Decides which classes of a model with three or more move: class k moves by change[k] X. Returns how often the rule
 * fired. If that is not 0, it fills change[scores]. r is the best rival of y; of equal rivals, the one with the lowest
 * number. n is how many rivals k have s_y - s_k <= margin. pcn_update_others is Algorithm 2 of Su. */
PCN_API uint32_t pcn_update_predicted(const pcn_learner *learner, pcn_update *update, uint32_t y,
                                      float *change); /* y gains the step, r loses it */
PCN_API uint32_t pcn_update_others(const pcn_learner *learner, pcn_update *update, uint32_t y,
                                   float *change); /* y gains the step, all others lose it; may never converge */
PCN_API uint32_t pcn_update_uniform(const pcn_learner *learner, pcn_update *update, uint32_t y,
                                    float *change); /* y gains the step, n classes lose 1 / n of it each */
PCN_API uint32_t pcn_update_one_vs_rest(const pcn_learner *learner, pcn_update *update, uint32_t y,
                                        float *change); /* each class learns on its own score: y, or not y */

/* ---- The linear trainer ---------------------------------------------------------------------- */

typedef struct pcn_perceptron { /* a trainer of linear models */
    pcn_learner learner;        /* settings and results */
    pcn_linear live;            /* the current weights; with averaging, see pcn_perceptron_final */
    uint32_t refused;           /* rows for which learn returned an error; you may clear it. Not in images */
    struct {                    /* private */
        /* For one score or several; NULL: there was no init() */
        int (*learn)(struct pcn_perceptron *m, const pcn_vec *x, int y);
        int (*predict)(const struct pcn_perceptron *m, const pcn_vec *x);
        /* Adds a step to the weights, or to the batch */
        void (*take)(struct pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p);
        const struct pcnp_method *method;       /* how weights follow a step; NULL: W += step X */
        const struct pcnp_averaging *averaging; /* NULL: none */
        float *sum, *batch;
        float *state; /* what the method keeps for each weight: exponents of Winnow, variances */
        float regrow;
    } own;
} pcn_perceptron;

/* Lengths of arrays in floats, as constant expressions. PCN_PERCEPTRON_FLOATS: a trainer's memory, which holds the
 * weights and, for each score, a bias, the score and its change. PCN_LINEAR_FLOATS: weights and biases.
 * PCN_AVERAGING_FLOATS: sums. */
#define PCN_PERCEPTRON_FLOATS(features, classes) (((size_t)(features) + 3u) * (size_t)PCN_SCORES(classes))
#define PCN_LINEAR_FLOATS(features, classes) (((size_t)(features) + 1u) * (size_t)PCN_SCORES(classes))
#define PCN_AVERAGING_FLOATS(features, classes) (PCN_LINEAR_FLOATS(features, classes) * 2u)

/* Starts a trainer with weights of 0, class-major, and the fixed rule with rate 1, margin 0 and bias_input 1. memory:
 * PCN_PERCEPTRON_FLOATS floats, which must stay valid. They begin with the weights, then the biases; you may write
 * these between calls.
 * PCN_EOPTION: fewer than two classes. PCN_EMEMORY: memory is NULL or too short. After an error *m is zero, and learn()
 * and the options return PCN_EOPTION. */
PCN_INLINE PCN_MUST_CHECK int pcn_perceptron_init(pcn_perceptron *m, uint32_t features, uint32_t classes, float *memory,
                                                  size_t bytes);

typedef struct pcn_arrays { /* the arrays of a trainer, and their lengths in bytes; NULL and 0 for those not in use */
    float *memory;          /* of pcn_perceptron_init */
    size_t memory_bytes;    /* its length */
    float *sum;             /* of pcn_perceptron_use_averaging */
    size_t sum_bytes;       /* its length */
    float *batch;           /* of pcn_perceptron_use_batch */
    size_t batch_bytes;     /* its length */
    float *state;           /* exponents of Winnow, or variances of confidence */
    size_t state_bytes;     /* its length */
} pcn_arrays;

/* Changes the number of features, or adds classes, and keeps what was learned. All rows so far count as if the new
 * features were 0. New classes start with weights of 0. arrays: every array in use, or a copy of it, long enough for
 * the old numbers of features and classes, and for the new ones. To clone a trainer, copy its struct and its arrays,
 * then resize the copy to the same numbers.
 * When two classes become more, class 1 gets the weights w, class 0 gets -w, and both get the variances. Compare a
 * trainer that began with two scores. If both have the fixed rule with margin 0, or update by pcn_update_one_vs_rest,
 * then both have the same weights, bit for bit. So they have if its margin is twice that of m (PA-II: and its strength
 * half that of m). Except with one-vs-rest, its variances are larger. Ties are class 0 now, and zero_predicted and
 * mistakes treat them as they did a score of 0 with zero_negative 1.
 * PCN_EOPTION: m is not initialised, fewer classes, or any change with Winnow. PCN_EMEMORY: an array is NULL, too
 * short, or given twice. After an error nothing has changed. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_resize(pcn_perceptron *m, uint32_t features, uint32_t classes,
                                                 const pcn_arrays *arrays);

/* Learns from one row x of class y. Classes count from 0. With two classes, the label -1 also means class 0. Returns 1
 * if the rule fired, and 0 if it did not. With a batch, the step goes into the batch. An error adds 1 to m->refused and
 * changes no weight, but may change learner.score. So you may check m->refused once, after all rows.
 * PCN_EOPTION: m is not initialised, or a setting that learn() refuses (see section "The learner"). PCN_ELABEL: y is
 * not a class. PCN_EINDEX: x has a feature that the model lacks. PCN_EFULL: the mean has 2^36 rows. PCN_EVALUE: a score
 * is not finite, or a weight would move by 2^54 or more. */
PCN_INLINE int pcn_perceptron_learn(pcn_perceptron *m, pcn_vec x, int y);

/* Returns the class of x: by the mean of the weights if the trainer averages, otherwise by the current weights. Steps
 * in a batch count only after they are applied. x may be any row that pcn_linear_predict takes. */
PCN_INLINE int pcn_perceptron_predict(const pcn_perceptron *m, pcn_vec x);

/* Writes the scores by which pcn_perceptron_predict decides to score[scores]. With averaging, each is the score of the
 * current weights minus the score of the sums divided by the number of rows in the mean. That takes two products, and
 * no division for each weight. So its last bits differ from those of pcn_perceptron_final_scores. */
PCN_INLINE void pcn_perceptron_scores(const pcn_perceptron *m, pcn_vec x, float *score);

/* Writes the scores that the model of pcn_perceptron_final gives for x, bit for bit, to score[scores]. It computes the
 * mean only of the weights that x needs. Even so it takes several times as long as pcn_perceptron_scores. */
PCN_INLINE void pcn_perceptron_final_scores(const pcn_perceptron *m, pcn_vec x, float *score);

/* Makes *model a frozen model of the weights that predict: their mean if the trainer averages, otherwise the current
 * ones. They are written to out, PCN_LINEAR_FLOATS floats, and the trainer does not change. out may be the array of
 * sums, but then the trainer must not learn on. If out is NULL and the current weights predict, the model points to
 * them.
 * PCN_EOPTION: m is not initialised. PCN_EBATCH: a batch holds steps. PCN_EMEMORY: out is too short, NULL although the
 * mean predicts, or another array of the trainer. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_final(const pcn_perceptron *m, pcn_linear *model, float *out, size_t bytes);

/* Options of an initialised trainer. Switch feature-major on first. The others may come in any order, but following
 * needs averaging, and regrowth needs confidence. Averaging, following and regrowth may begin at any row; all other
 * options return PCN_ELATE after the first row. Feature-major and Winnow also return it after weights were loaded or
 * written. All options return PCN_EOPTION before init(), and PCN_EMEMORY if an array is NULL, too short, or part of the
 * trainer's memory. */

/* Lays the weights out feature by feature, and zeroes them. Use it for sparse rows and three or more classes. If half
 * of the features or more have values, dense rows with class-major weights are faster. With two classes it has no
 * effect until resize() adds classes. PCN_EOPTION: another option is on. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_use_feature_major(pcn_perceptron *m);

/* Averages: from now on predict(), scores() and final() use the mean of the current weights and of the weights after
 * each later row (CIML, Algorithm 7). Learning does not change. sum: PCN_AVERAGING_FLOATS floats. A row with an update
 * takes longer, by a constant factor; a row without one does not. After 2^36 rows learn() returns PCN_EFULL. Then call
 * this again with the same array: a new mean begins from the current weights, and the clock is 0. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_use_averaging(pcn_perceptron *m, float *sum, size_t bytes);

/* Follows a target that changes: predict(), scores() and final() use the current weights while these do better than the
 * mean. On each row, before the update, learn() compares the two. If only the current weights are right, learner.ahead
 * rises by 1, up to 17. If only the mean is right, it falls by 1, down to -15. It starts at 0; while it is above 0, the
 * current weights predict. When it is 17 and the mean is at least 1,000 rows old, a new mean begins from the current
 * weights, with clock 0, and ahead becomes 5. Each row costs one more product with the weights.
 * pcn_perceptron_use_batch and pcn_perceptron_mix refuse a trainer that follows.
 * PCN_EOPTION: averaging is off, or a batch is on. Measured: tests/bench/README.md, "Following". */
PCN_API PCN_MUST_CHECK int pcn_perceptron_use_following(pcn_perceptron *m);

/* Collects steps in a batch, instead of moving the weights. batch: PCN_LINEAR_FLOATS floats, class-major. Eaton's
 * |batch|^2 is pcn_norm2(pcn_dense(batch, PCN_LINEAR_FLOATS(n, K))).
 * PCN_EOPTION: confidence or following is on. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_use_batch(pcn_perceptron *m, float *batch, size_t bytes);

/* Adds scale * batch to the weights, and empties the batch. Returns 1 if it held a step, 0 if it did not. For
 * averaging, the change belongs to the last learned row.
 * PCN_EOPTION: there is no batch, or scale is 0 (beware: with integers, 1 / rows is 0 in C). PCN_EVALUE: the batch is
 * not finite, or a weight would move by 2^54 or more. After an error nothing has changed. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_apply_batch(pcn_perceptron *m, float scale);

/* Empties the batch without applying it.
 * PCN_EOPTION: there is no batch. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_discard_batch(pcn_perceptron *m);

/* Ends batches: learn() moves the weights again, and the array is free.
 * PCN_EOPTION: there is no batch. PCN_EBATCH: it holds steps. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_end_batch(pcn_perceptron *m);

#define PCN_ELIMINATE 2097152.0f /* 2^21: with this rate of Winnow1, one step takes e to its minimum */

/* Makes the trainer a Winnow, which multiplies weights instead of adding to them. A weight is 2^e. If `balanced` is 1,
 * it is 2^e - 2^-e instead, so that a feature can also speak against a class (Littlestone's two weights in one). An
 * update adds step x to the exponents e, which start at 0. The score is w.x - threshold. There is no other bias:
 * bias_input becomes 0. exponent: PCN_LINEAR_FLOATS floats. If averaging or a batch is on, it starts again.
 *
 *     Winnow2 (Littlestone 1988)    0/1 features, rate log2 of the factor, threshold e.g. n
 *     Winnow1                       as Winnow2, but with rate PCN_ELIMINATE for rows of class 0
 *     exponentiated (Su, Alg. 3)    any features, rate eta / ln 2, threshold 0
 *     balanced                      rate log2 of the factor, threshold 0 or a score between the classes
 *
 * Exponents are at most 2^20 in magnitude, and weights at most 2^64. Weights below 2^-126 become 0. So nothing
 * overflows, and there are no denormals and no NaN. A weight is exact if 2^e is a float. A step down undoes a step up
 * exactly if each step x is a multiple of 2^-k and |e| < 2^(24-k); rate 1/16 and 0/1 features always satisfy this.
 * Otherwise each step rounds e by up to 2^-24 |e|.
 * Winnow needs the fixed rule and takes any pcn_update_.... Images of the trainer hold the exponents. Frozen images do
 * not, so the trainer cannot load them.
 * PCN_EOPTION: the threshold is NaN, or 2^54 or more in magnitude; confidence is on; or another rule is set. If another
 * rule is set later, learn() returns PCN_EOPTION. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_use_winnow(pcn_perceptron *m, float threshold, int balanced, float *exponent,
                                                     size_t bytes);

/* Switches on confidence (diagonal AROW: Crammer, Kulesza, Dredze, NIPS 2009). Each weight and each bias has a variance
 * S, at first 1. It falls when its feature takes part in an update, and steps shrink with it. Let v = sum of S_j x_j^2,
 * where the bias is a feature of value B, the bias_input. The rule fires if y s < margin (if y s is the margin, the
 * step would be 0). Then
 *     beta = 1 / (v + r)    w_j += (margin - y s) beta y S_j x_j    S_j -= beta (S_j x_j)^2
 * This is PA-II with v in place of X.X: m->learner.rule becomes pcn_rule_pa2(1 / (2 r)) with margin 1, and pcn_slope
 * returns v. With several scores v is the sum over the two classes that move. In exact numbers the new S_j is at least
 * S_j / (1 + S_j x_j^2 / r). The rounded S_j is never below this bound, and never below 2^-126. Images hold the
 * variances.
 * variance: PCN_LINEAR_FLOATS floats. r: 1, or 0.1 for text; a larger r makes smaller steps. If averaging is on, its
 * mean starts again. From now on learn() returns PCN_EOPTION if another rule is set, or an update other than
 * pcn_update_predicted and pcn_update_one_vs_rest.
 * PCN_EOPTION: r, 1 / r or 1 / (2 r) is not above 0 and finite; a batch or Winnow is on; or a rule was set. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_use_confidence(pcn_perceptron *m, float r, float *variance, size_t bytes);

/* Lets variances grow again, so that the trainer can follow a target that changes. A variance that a step has lowered
 * is then multiplied by 1 + part, but never raised above 1. About 0.7 / part updates of a feature halve the influence
 * of what was learned before. part: 0.003 suits streams; images do not hold it.
 * PCN_EOPTION: confidence is off, or part is negative or not finite. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_use_regrowth(pcn_perceptron *m, float part);

/* Mixing makes one trainer of several, the shards, which learn different rows in threads, processes or machines
 * (iterative parameter mixing: McDonald, Hall, Mann, NAACL 2010). Shards have the shape and the options of m. In each
 * epoch, give every shard the weights and the state of m, and counts of 0. If m averages, call
 * pcn_perceptron_use_averaging on the shard. Let it learn its rows. Then mix the shards; a_s is the number of rows of
 * shard s divided by that of all:
 *
 *     weights w            sum of a_s w_s
 *     Winnow               e = sum of a_s e_s, and the weight of e; the threshold stays
 *     confidence           w = sum of p_s w_s / sum of p_s, where p = 1 / S; S = shards / sum of p_s, but S never grows
 *     averaging            the mean of all weights that any shard had after each of its rows
 *
 * Each sum adds shard s + h to shard s, for h = ..., 4, 2, 1. So the bits depend only on the rows and the number of
 * shards. */

typedef struct pcn_shard {   /* what one shard has learned in an epoch */
    const float *weight;     /* weights, then biases */
    const float *sum, *rest; /* sums of averaging, or NULL; rest is their second half */
    const float *state;      /* exponents or variances; NULL without them */
    pcn_count count;         /* of this epoch */
    uint64_t clock;          /* learner.clock; with averaging it must be count.rows */
} pcn_shard;

/* Mixes the numbers from number `from` to number `from + count - 1` of each array of m. The arrays have
 * PCN_LINEAR_FLOATS numbers. So several threads or processes can share the work. The pointers of a shard must point at
 * its number `from`. The call that reaches the end of the arrays also adds the counts of the shards to
 * m->learner.count, and their rows to the clock. Make that call last, and once for each m. If another process has mixed
 * the last numbers, make it with from = PCN_LINEAR_FLOATS and count = 0. Returns 1, or 0 if no shard has rows.
 * PCN_EOPTION: m is not initialised; m has a batch or follows; shards is not 1 to 65,536; or m averages and the clock
 * of a shard is not its count.rows. PCN_EMEMORY: a shard lacks an array that m has, or the range is not in the arrays.
 * PCN_EFULL: a shard has over 2^36 rows, or m averages and would have. */
PCN_API int pcn_perceptron_mix(pcn_perceptron *m, const pcn_shard *shard, uint32_t shards, size_t from, size_t count);

/* ---- Frozen linear models --------------------------------------------------------------------
 * A frozen model (pcn_linear) predicts and never changes. On a 32-bit machine it takes 20 bytes, and its weights may be
 * in flash. */

/* Returns the class of x, from 0, by the rules of pcn_decide. A dense row must not be longer than the model:
 * PERCEPTRON_DEBUG asserts this, other builds ignore the rest of the row. A sparse row may have features that the model
 * lacks; they are skipped. If a value is NaN or infinite, the class means nothing. */
PCN_INLINE int pcn_linear_predict(const pcn_linear *m, pcn_vec x);

PCN_INLINE void pcn_linear_scores(const pcn_linear *m, pcn_vec x, float *score); /* writes score[m->scores] */

/* Returns the score of x by a model with one score; with several, NaN (PERCEPTRON_DEBUG asserts that there is one). */
PCN_INLINE float pcn_linear_score(const pcn_linear *m, pcn_vec x);

/* Prefetches what the next row needs: the values of a dense row; for a sparse row the weights, if they are
 * feature-major and take 4 MB or more. This saves time and changes no result. Call it before the current row is scored
 * or learned. m: the model, or &m.live of a trainer. */
PCN_INLINE void pcn_linear_fetch(const pcn_linear *m, pcn_vec next);

/* Copies weights and biases (0 if m has none) to out, PCN_LINEAR_FLOATS floats, and makes *copy a model of them. The
 * pocket of pcn_pass_note needs it.
 * PCN_EOPTION: m has 0 or 2 scores. PCN_EMEMORY: out is NULL or too short. */
PCN_API PCN_MUST_CHECK int pcn_linear_copy(const pcn_linear *m, pcn_linear *copy, float *out, size_t bytes);

/* Writes the k features that speak most for a class (if sign < 0, most against it) to feature[k]: the strongest first
 * and, of equal ones, the lowest number first. With two classes, class 0 has the negated weights of class 1. Returns
 * how many it wrote, which is k or the number of features if that is less, and 0 if there is no such class. Cost: up to
 * features * k. */
PCN_API uint32_t pcn_linear_top(const pcn_linear *m, uint32_t cls, int sign, uint32_t *feature, uint32_t k);

/* ---- Passes ----------------------------------------------------------------------------------
 * An iterator over row numbers; the loop is yours:
 *
 *     pcn_pass_init(&pass, rows, epochs, seed);
 *     while (pcn_pass_next(&pass, &row)) {
 *         pcn_pass_note(&pass, pcn_perceptron_learn(&m, x[row], y[row]));
 *         if (pass.left == 0) ... // an epoch has ended
 *     }
 *
 * Each epoch visits every row once; with PCN_ORDER_DRAWN it draws as many rows, with repeats. The order depends only on
 * seed, epoch and rows, and takes no memory: its formula is in examples/GUIDE.md, "The order of rows". You may copy the
 * struct: the copy visits the same rows. You may change settings after pcn_pass_init: `rows` and `order` while `left`
 * is 0; `seed` and `epoch` at any time, for the next epoch. To resume a pass, set `epoch` to the number of epochs
 * done. */

/* How an epoch visits the rows. */
enum pcn_order {
    PCN_ORDER_EACH = 0, /* in a new order in each epoch */
    PCN_ORDER_ONCE,     /* in one random order, the same in each epoch */
    PCN_ORDER_FILE,     /* in the order of their numbers */
    PCN_ORDER_DRAWN     /* each drawn from all rows, so some come twice in an epoch and some do not come */
};

/* After how many rows without an update a pass ends. */
enum pcn_stop {
    PCN_STOP_EPOCH = 0, /* a whole epoch, if any of its rows were noted */
    PCN_STOP_WINDOW,    /* `rows` noted rows, wherever they start (Honavar's trace) */
    PCN_STOP_NEVER      /* the pass ends only by the limit of epochs, or by patience */
};

/* Why a pass has ended. */
enum pcn_end {
    PCN_END_LIMIT = 0, /* the limit of epochs */
    PCN_END_CLEAN,     /* no update: see enum pcn_stop */
    PCN_END_PATIENCE   /* `patience` checks without improvement */
};

typedef struct pcn_pass { /* the whole state of a pass */
    /* settings */
    uint32_t rows, epochs; /* rows of an epoch; the pass ends after this many epochs, or never if it is 0 */
    uint32_t seed;         /* any number */
    uint32_t patience;     /* this many checks in turn without improvement end the pass; 0: they never do */
    uint8_t order, stop;   /* enum pcn_order, enum pcn_stop */
    /* results */
    uint32_t epoch, left;    /* epochs begun; rows that this epoch still has, 0 when it has just ended */
    uint32_t noted;          /* rows of this epoch that were passed to pcn_pass_note */
    uint32_t updates;        /* noted rows of this epoch that updated */
    uint64_t run;            /* noted rows since the last update */
    uint64_t pocket_run;     /* `run` when pcn_pass_keep was called last */
    uint8_t offered;         /* 1: pcn_pass_note has returned 1 for the current weights */
    uint32_t waited;         /* checks since the best one */
    float best_error;        /* the lowest error checked so far */
    uint32_t changed;        /* 1: there was an update since pcn_pass_cycle made its copy */
    uint32_t cycle_epoch;    /* the epoch in which pcn_pass_cycle copies next */
    uint32_t key[9];         /* of this epoch */
    uint8_t low, to_a, to_b; /* for the order: bits of the half b; shifts that give the halves a and b */
    int result;              /* enum pcn_end, or the error that ended the pass */
} pcn_pass;

/* Starts a pass over the rows 0 .. rows-1, of at most `epochs` epochs (0: no limit), in the order PCN_ORDER_EACH. */
PCN_API void pcn_pass_init(pcn_pass *pass, uint32_t rows, uint32_t epochs, uint32_t seed);

/* Returns 1 and sets *row to the row to learn next, or 0 at the end (see pass->result). Skipped rows do not count. */
PCN_API int pcn_pass_next(pcn_pass *pass, uint32_t *row);

/* Takes the result of learn(); an error ends the pass and becomes pass->result. The pocket is a copy of the best
 * weights so far, which you keep. Returns 1 if the current weights might be better, because they have gone longer
 * without an update than the pocket's weights had. In this case, count the errors of the current weights on all rows.
 * If the pocket's weights make more, copy the current ones (pcn_linear_copy) and call pcn_pass_keep. This is the pocket
 * algorithm with ratchet (Gallant 1990). If you copy without counting, it is the one without ratchet. The function
 * returns 1 only once for the same weights, and once more after pcn_pass_keep. */
PCN_API int pcn_pass_note(pcn_pass *pass, int learned);

PCN_API void pcn_pass_keep(pcn_pass *pass); /* notes that the current weights are now in the pocket */

/* Takes an error measured on held-out rows, at any time. Returns 1 if it is the lowest so far: copy the weights. */
PCN_API int pcn_pass_check(pcn_pass *pass, float error);

/* Returns 1 if the weights have changed and have come back to an earlier state: then they will repeat for ever. Call it
 * before the first row and after each epoch, with the n weights (biases included) and your array copy[n]. It finds
 * every cycle. A result of 1 proves that no weights predict all rows correctly, if all of this holds: the order is
 * PCN_ORDER_ONCE or _FILE; the rule is fixed; the rate and all values are integers; scores stay below 2^24; there is no
 * batch; and there is one score, or the update is pcn_update_predicted. */
PCN_API int pcn_pass_cycle(pcn_pass *pass, const float *weight, float *copy, size_t n);

/* ---- The scaler ------------------------------------------------------------------------------
 * Perceptrons learn badly if columns differ in scale. A scaler keeps the mean m and the standard deviation s of each
 * column of dense rows, and turns a value x into (x - m) / s. NaN marks a gap, a missing value. The n-th value x of a
 * column updates m and s^2 (Welford, Technometrics 4, 1962):
 *     d = x - m    m += d / n    s^2 += (d (d - d / n) - s^2) / n
 * n stops at 2^24. From there on m and s^2 are moving averages over about that many values, and m may be wrong by 2^-24
 * |m|. From the fifth value on, |d| is clipped to 8 s, or after k > 1,024 values to sqrt(k) s / 4 (not while s is 0).
 * An outlier among the first four values inflates s for long, so begin with rows that you trust. */

typedef struct pcn_scaler { /* what is known of the columns */
    float *moment;          /* all m and their low-order parts (48 bits together), likewise all s^2; all n */
    uint32_t features;      /* how many columns */
    uint32_t window;        /* that of pcn_scaler_use_window; 0: none */
    struct {                /* private */
        void (*note)(struct pcn_scaler *s, const float *x); /* NULL: no window */
    } own;
} pcn_scaler;

#define PCN_SCALER_FLOATS(features) (5u * (size_t)(features)) /* length of its array: a constant expression */

/* Starts a scaler that has seen no rows. memory: PCN_SCALER_FLOATS floats, which are zeroed and must stay valid.
 * PCN_EMEMORY: memory is NULL or too short; then *s has no columns. */
PCN_API PCN_MUST_CHECK int pcn_scaler_init(pcn_scaler *s, uint32_t features, float *memory, size_t bytes);

/* Updates m and s with one row x[features]. In a stream, note each row, scale it, then learn it.
 * PCN_EVALUE: a value is infinite, or 2^54 or more in magnitude; then the row is not noted. */
PCN_API int pcn_scaler_note(pcn_scaler *s, const float *x);

/* Computes m and s from the last N to 2 N values of a column, for columns that change and sensors that break down. N is
 * window, 16 to 2^22. All values so far count as at most N. When n reaches 2 N, the mean and the variance of the last N
 * values replace m and s^2; until then they grow in the last two fifths of `moment`. With a window m has only 24 bits,
 * because the place of its low-order part holds n. Used as a float, the bits of n are below 2^-126, so they change a
 * scaled value by at most 2^-63. Call this before you load an image with this window, or after you loaded one without.
 * PCN_EOPTION: the window is out of range, or s has one; then nothing has changed. */
PCN_API PCN_MUST_CHECK int pcn_scaler_use_window(pcn_scaler *s, uint32_t window);

/* Writes the scaled row to out[features], which may be x. Scaled values are clipped to -64 .. 64. Gaps become 0, and so
 * do all values of a column that is empty or constant. A column is constant if all its values are the same float, or s
 * <= 2^-63. */
PCN_API void pcn_scaler_scale(const pcn_scaler *s, const float *x, float *out);

/* Moves the scaling into the weights: *folded gives an unscaled row the scores that m gives the scaled row, if no
 * scaled value was clipped. w' = w / s (0 for a constant column), and b' = b - sum of w' m. In place of a gap, give it
 * the mean of the column. out: PCN_LINEAR_FLOATS floats. It may be the array of m, but not the array of a trainer,
 * which would learn on from the folded weights.
 * PCN_EOPTION: m has other features than s, or no scores, or two. PCN_EVALUE: some w / s is 2^54 or more in magnitude.
 * PCN_EMEMORY: out is NULL, too short or the array of s. After an error nothing has changed. */
PCN_API PCN_MUST_CHECK int pcn_scaler_fold(const pcn_scaler *s, const pcn_linear *m, pcn_linear *folded, float *out,
                                           size_t bytes);

/* Reasons not to use a folded model, whatever its weights. */
enum pcn_doubt {
    PCN_DOUBT_DIGITS = 1, /* some |m| > 4096 s: unscaled rows lose digits. Scale them, or subtract a constant */
    PCN_DOUBT_BITS = 2    /* one s is over 16 times another: quantise the unfolded model, see pcn_scaler_scale16 */
};

PCN_API uint32_t pcn_scaler_doubts(const pcn_scaler *s); /* returns a sum of enum pcn_doubt; 0: no doubts */

#define PCN_SCALER_UNIT (1.0f / 512.0f) /* for pcn_ilinear_quantize: the unit of rows of pcn_scaler_scale16 */

/* Writes the scaled row as int16 numbers in units of s / 512, clipped to int16: for a model that learned scaled rows,
 * is not folded, and was quantised with unit PCN_SCALER_UNIT. Quantising a folded model causes far more errors than
 * quantising one that is not folded. Measured: tests/bench/README.md, "Scaling". */
PCN_API void pcn_scaler_scale16(const pcn_scaler *s, const float *x, int16_t *out);

typedef struct pcn_icolumn { /* turns x, an int16, into ((x + 2^15) factor >> 16) - mean, clipped to int16 */
    uint32_t factor;         /* 2^25 / s, at most 2^31 - 1; 0 if the column is constant */
    int32_t mean;            /* of x + 2^15, times factor / 2^16 */
} pcn_icolumn;

/* Fills column[features], a table that scales int16 rows and may then be in flash.
 * PCN_EVALUE: the mean of a column does not fit in an int16; then nothing is written. */
PCN_API PCN_MUST_CHECK int pcn_scaler_integers(const pcn_scaler *s, pcn_icolumn *column);

/* Scales the int16 row x[features] by the table and writes it to out[features], which may be x. The unit of out is s /
 * 512. This needs no scaler, no floats and no division. If a value is missing, write 0 to its place in out yourself. */
PCN_API void pcn_icolumns_scale(const pcn_icolumn *column, uint32_t features, const int16_t *x, int16_t *out);

/* ---- Calibration -----------------------------------------------------------------------------
 * Turns the scores of any model into probabilities. a, b and c are learned in the same stream:
 *
 *     two classes        p_1 = 1 / (1 + e^-z) and p_0 = 1 - p_1, for the one score s, with u = a s + b (Platt 1999),
 *                        z = u / sqrt(1 + t u^2 / 32), t = e^c - 1
 *     more               p_k = e^z_k / (sum of all e^z), with u = a (s_k - s_top), for the highest score s_top
 *         b > 0          e^z = (1 + t) e^u / (1 + t e^u), t = e^b - 1: flat near ties, z = u + b far from them
 *         b <= 0         z = u / sqrt(1 + t u^2 / 32), t = e^-b - 1
 *
 * If some labels are wrong, c grows, or b falls below 0. Then p stays below 1 / (1 + (K - 1) e^-sqrt(32 / t)), however
 * high the score. p is continuous, and equal scores have equal p. With two classes, b decides p at a score of 0. At
 * first all classes are equally probable. Calibrate with each row first, then learn it:
 *
 *     pcn_perceptron_scores(&m, x, score);             // of the model that predicts
 *     guess = pcn_probabilities(&c, score, K, p);      // p[guess]: how sure it is
 *     pcn_calibrate(&c, score, K, p, y);               // a row that the model has not learned yet
 *     pcn_perceptron_learn(&m, x, y);
 *
 * Use the scores of the model that predicts: with averaging these are not learner.score. Never use a row that the model
 * has learned, because on such rows it is too sure. After several epochs over a file, calibrate on held-out rows
 * (tests/bench/README.md, "Probabilities"). Scores may have any scale from 1e-18 to 1e15. If the class of a row was
 * never learned, p of another class may be near 1. The guess is wrong with the probability 1 - p[guess]. If a refusal
 * costs `cost` times what an error costs, refuse a row if 1 - p[guess] > cost (Chow 1970). pcn_calibration_gap turns
 * this into a limit for scores. If every tenth label is wrong, a cost below 0.1 refuses everything.
 * Keep the calibration when classes are added, but start it again when two classes become more. To join shards, average
 * a, b, c, ab, aa, bb and cc, weighted by rows, and take the largest `rows`. Each row makes one Newton step of a and b
 * on the log-loss, and a step of its own for c. aa, ab and bb are the information matrix of a and b (the mean of the
 * expected and the observed one), and cc is the information of c. All four are means over some 2,000 rows. */

typedef struct pcn_calibration { /* from scores to probabilities */
    float a, b, c;        /* the result: a >= 0; b of more than two classes is -8 .. 12; c of two classes is 0 .. 8 */
    float ab, aa, bb, cc; /* information matrix of a and b; information of c */
    uint32_t rows;        /* rows learned, at most 4,096 */
} pcn_calibration;

PCN_API void pcn_calibration_init(pcn_calibration *c); /* starts one that has seen no rows: all numbers are 0 */

/* Fills p[classes] with probabilities that add up to 1. Returns the class that the scores give, by the rules of
 * pcn_decide with zero_negative 0. (With two classes, b may put the p of this class below 1/2.) score:
 * PCN_SCORES(classes) numbers; p must not be that array.
 * PCN_EOPTION: fewer than two classes. */
PCN_API int pcn_probabilities(const pcn_calibration *c, const float *score, uint32_t classes, float *p);

/* Learns from one row of class y, where p is what pcn_probabilities gave for these scores. Returns 1 if it took a step.
 * Returns 0 if p leaves no doubt, if scores are too large (1e17) or too small (1e-22) to square, or if all scores so
 * far were 0 (with several scores: equal to each other). If p of y is below 1e-9, scores have outgrown a and b, which
 * then shrink by 1/64.
 * PCN_EOPTION: fewer than two classes, or p and score are one array. PCN_ELABEL: y is not a class. PCN_EVALUE: a score
 * is not finite. After an error nothing has changed. */
PCN_API int pcn_calibrate(pcn_calibration *c, const float *score, uint32_t classes, const float *p, int y);

/* Returns the smallest gap at which 1 - p[guess] <= cost, where the gap is pcn_margin(score, PCN_SCORES(classes),
 * guess). Refuse rows with a smaller gap. 0 refuses no row. Infinity refuses all rows, because no p is high enough.
 * Compute it once, so that a device needs no powers of e. With two classes the gap is exact, and differs between guess
 * 0 and 1. With more, it is the same for all guesses. It assumes that only the runner-up has a score near the best one;
 * if several have, a test of p itself would refuse more rows. */
PCN_API float pcn_calibration_gap(const pcn_calibration *c, uint32_t classes, int guess, float cost);

/* ---- Images ----------------------------------------------------------------------------------
 * A model or a trainer as bytes for disk, wire or flash, the same from every machine: a header of 64 bytes (kernel
 * models: 104), the arrays, and a CRC-32. examples/FORMAT.md has every byte of it. A calibration can lie behind its
 * model's image, at image + pcn_image_size(image, size).
 * save() writes the whole image to out[size], fills what is left of out with 0xff, and returns the length of the image.
 * It returns 0 if out is too short, or if m has no valid image; open() and load() of 0 bytes return PCN_EIMAGE. There
 * is no valid image of
 *
 *     a model with no scores, two scores, or more features than init() takes, or longer than size_t counts
 *     a model with an array that is missing, or that is out
 *     integer weights of 8 or 16 bits without scales or biases, or of 32 bits with scales
 *     a number that load() would refuse, such as NaN, or a clock or a kernel out of range
 *
 * save_part() writes only bytes [from, from + size) of the image, and 0xff beyond its end. So a small array is enough
 * to save an image page by page. It returns the length of the whole image, or 0 if there is none. The arguments (m, 0,
 * NULL, 0) only ask for the length. Numbers are checked when you ask for the length or for the last bytes.
 * open() makes a frozen model from the image of a frozen model or of a trainer. It copies nothing: the image must stay,
 * be aligned to 4 bytes (an array of uint32_t is), and be where floats may be read (malloc, mmap, flash).
 * load() restores an initialised trainer of the same shape and layout, on any machine, bit for bit. Switch its options
 * on first. Set the rule and other settings again: images hold only zero_negative, because it decides what a score of 0
 * predicts, and the settings of a kernel. Arrays that the image lacks start empty, variances at 1. A frozen image has
 * only weights and biases. A kernel trainer must have room for the vectors, or grow, and must not borrow rows.
 * open() and load() ignore what follows the image. They check the shape, the checksum, and that learning can produce
 * every number: weights are below 2^80 in magnitude, no mean passes 2^84, the slack of a Forgetron is 0 .. 1,024, and
 * a, aa and bb of a calibration are at least 0. After an error nothing has changed. Errors:
 *
 *     PCN_EIMAGE      it is not an image, is cut short or damaged, or has a number that learning cannot produce
 *     PCN_EPROGRAM    it is a model file that stores its image in another way, or whose rows must be prepared
 *     PCN_EVERSION    it is of a newer version, or has a kind, parts or flags that this version does not know
 *     PCN_ESCORES     it has two scores: make one of them, weights and bias of class 1 minus those of class 0
 *     PCN_EMATCH      it is of another kind. load(): also other features, scores, layout, kernel or window; an array
 *                     that the trainer lacks; or only one has (balanced) Winnow, following, sparse vectors or a log
 *     PCN_EMEAN       open: the trainer averages, and its image has the current weights, not their mean
 *     PCN_EALIGN      open: not aligned, or the machine is big-endian: load it (pcn_ilinear_load needs no trainer)
 *     PCN_EBATCH      open: a batch has steps that are not applied
 *     PCN_EOPTION     load: m is not initialised
 *     PCN_EFOLDED     load: pcn_scaler_fold made the model, which cannot learn: load the trainer and its scaler
 *     PCN_EFULL       load: a kernel trainer has no room for the vectors or the log (if it grows: PCN_ENOMEM) */

/* What an image holds. */
enum pcn_kind {
    PCN_KIND_LINEAR = 1,      /* pcn_linear */
    PCN_KIND_PERCEPTRON = 2,  /* pcn_perceptron */
    PCN_KIND_KERNEL = 3,      /* pcn_kmodel or pcn_kperceptron, which look alike */
    PCN_KIND_ILINEAR = 4,     /* pcn_ilinear */
    PCN_KIND_IPERCEPTRON = 5, /* pcn_iperceptron */
    PCN_KIND_CALIBRATION = 6, /* pcn_calibration */
    PCN_KIND_SCALER = 7       /* pcn_scaler */
};

/* Parts that an image has: bits of pcn_image.parts. */
enum pcn_part {
    PCN_PART_BIAS = 1,            /* biases */
    PCN_PART_SUMS = 2,            /* sums of averaging */
    PCN_PART_BATCH = 4,           /* a batch */
    PCN_PART_FEATURE_MAJOR = 8,   /* weights lie feature by feature */
    PCN_PART_EXPONENTS = 16,      /* of Winnow */
    PCN_PART_SPARSE = 32,         /* stored vectors are sparse */
    PCN_PART_LOG = 64,            /* the log of a kernel model */
    PCN_PART_8_BITS = 128,        /* integer weights of 8 bits */
    PCN_PART_16_BITS = 256,       /* integer weights of 16 bits */
    PCN_PART_ZERO_NEGATIVE = 512, /* a single score of 0 is class 0; kernel models say so elsewhere */
    PCN_PART_VARIANCES = 1024,    /* of confidence */
    PCN_PART_BALANCED = 2048,     /* Winnow is balanced */
    PCN_PART_FOLLOWING = 8192,    /* the trainer follows */
    PCN_PART_FOLDED = 16384       /* pcn_scaler_fold made the model */
};

typedef struct pcn_image {                                  /* what the header of an image says */
    uint32_t magic, version, kind, parts, features, scores; /* enum pcn_kind, enum pcn_part */
    uint32_t slots;                                         /* vectors of a kernel model, otherwise 0 */
    uint32_t entries;          /* of a log; `ahead`; window of a scaler; bias_rows + 256 bias_doubled; or 0 */
    pcn_count count;           /* of a trainer */
    uint64_t clock;            /* of a trainer, or of a kernel model */
    uint32_t cells, kernel_id; /* of a kernel model: how many numbers its vectors have; pcn_kernel.id */
} pcn_image;

/* Lengths of images in bytes, as constant expressions, for static arrays and pages of flash. PCN_LINEAR_IMAGE: a frozen
 * model with biases, such as pcn_perceptron_final makes. parts: what a trainer has of PCN_PART_SUMS, _BATCH, _EXPONENTS
 * and _VARIANCES, added up, or 0. bits: the width of a weight, 8, 16 or 32. PCN_KERNEL_IMAGE: a frozen model or a
 * trainer; numbers are those in its stored vectors, at most slots * features; entries are those of the log; parts is
 * PCN_PART_SPARSE or 0. */
/* clang-format off */
#define PCN_LINEAR_IMAGE(features, classes) (68u + 4u * PCN_LINEAR_FLOATS(features, classes))
#define PCN_PERCEPTRON_IMAGE(features, classes, parts)                                                                 \
    (68u + 4u * PCN_LINEAR_FLOATS(features, classes) *                                                                 \
               (1u + ((parts) & PCN_PART_SUMS ? 2u : 0u) + ((parts) & PCN_PART_BATCH ? 1u : 0u) +                      \
                ((parts) & (PCN_PART_EXPONENTS | PCN_PART_VARIANCES) ? 1u : 0u)))
#define PCN_ILINEAR_IMAGE(features, classes, bits) (68u + 4u * PCN_ILINEAR_NUMBERS(features, classes, bits))
#define PCN_IPERCEPTRON_IMAGE(features, classes, parts)                                                                \
    (68u + 4u * PCN_IPERCEPTRON_NUMBERS(features, classes) * ((parts) & PCN_PART_SUMS ? 3u : 1u))
#define PCN_KERNEL_IMAGE(classes, slots, numbers, entries, parts)                                                      \
    (108u + 4u * ((size_t)(slots) * (4u + (size_t)PCN_SCORES(classes)) + 4u * (size_t)(entries) +                      \
                  (size_t)(numbers) * ((parts) & PCN_PART_SPARSE ? 2u : 1u)))
/* clang-format on */

#define PCN_CALIBRATION_IMAGE 100u /* the length of the image of a calibration, in bytes */
#define PCN_SCALER_IMAGE(features) (68u + 20u * (size_t)(features)) /* that of a scaler */

/* Returns the length of the image that begins at `bytes`. have: how many of its bytes there are; 64 are enough, 104 for
 * kernel models. Returns 0 if these are too few, or not an image of this version. It trusts the header; open() and
 * load() check it. */
PCN_API uint64_t pcn_image_size(const void *bytes, size_t have);

/* Checks the image at the start of `size` bytes, and fills *info (or NULL) with what it is and what to allocate. Errors
 * are those of open(), from PCN_EIMAGE to PCN_ESCORES. Without features and biases, an image of 68 bytes can claim 2^32
 * - 1 scores. So limit info->scores before you allocate or predict, if you do not trust the image. */
PCN_API PCN_MUST_CHECK int pcn_image_read(pcn_image *info, const void *image, size_t size);

/* Saves, opens or loads a model, as section "Images" says. */
PCN_INLINE PCN_MUST_CHECK size_t pcn_linear_save(const pcn_linear *m, void *out, size_t size);
PCN_API size_t pcn_linear_save_part(const pcn_linear *m, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_linear_open(pcn_linear *m, const void *image, size_t size);
PCN_INLINE PCN_MUST_CHECK size_t pcn_perceptron_save(const pcn_perceptron *m, void *out, size_t size);
PCN_API size_t pcn_perceptron_save_part(const pcn_perceptron *m, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_perceptron_load(pcn_perceptron *m, const void *image, size_t size);

/* Saves or loads a calibration or a scaler. load() takes an image at any address, from any machine.
 * PCN_EMATCH: the image is of another kind, or of a scaler with other features or another window. */
PCN_INLINE PCN_MUST_CHECK size_t pcn_calibration_save(const pcn_calibration *c, void *out, size_t size);
PCN_API size_t pcn_calibration_save_part(const pcn_calibration *c, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_calibration_load(pcn_calibration *c, const void *image, size_t size);
PCN_INLINE PCN_MUST_CHECK size_t pcn_scaler_save(const pcn_scaler *s, void *out, size_t size);
PCN_API size_t pcn_scaler_save_part(const pcn_scaler *s, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_scaler_load(pcn_scaler *s, const void *image, size_t size);

/* Returns the CRC-32 (IEEE 802.3) that images have, for data that you store beside them. crc: 0, or the CRC-32 of the
 * bytes before these. */
PCN_API uint32_t pcn_crc32(uint32_t crc, const void *bytes, size_t size);

/* ---- The integer twin ------------------------------------------------------------------------
 * Learns with the fixed rule on processors without an FPU: features are int16 (copy features of 8 bits into an int16
 * row), weights int32, and scores int64. Nothing is rounded, so results are the same everywhere. A weight or bias that
 * would exceed PCN_IMAX in magnitude becomes PCN_IMAX or -PCN_IMAX. Weights are class-major. At a score of 0, or a tie,
 * learn() always updates. To count the weights and biases that have reached PCN_IMAX in the memory of a trainer:
 *     for (n = i = 0; i < PCN_IPERCEPTRON_NUMBERS(N, K); i++) n += memory[i] >= PCN_IMAX || memory[i] <= -PCN_IMAX; */

#define PCN_IMAX ((int32_t)1 << 30) /* the largest magnitude of a weight or bias */

typedef struct pcn_ivec {  /* a row of at most 65,535 features given */
    const int16_t *value;  /* values of the features given; NULL: each is 1 */
    const uint32_t *index; /* as in pcn_vec */
    uint32_t count;        /* how many features are given */
} pcn_ivec;

PCN_INLINE pcn_ivec pcn_isparse(const uint32_t *index, const int16_t *value, uint32_t count) /* a row; indices ascend */
{
    pcn_ivec x;
    x.value = value;
    x.index = index;
    x.count = count;
    return x;
}

PCN_INLINE pcn_ivec pcn_idense(const int16_t *value, uint32_t count) /* a row of the features 0 .. count-1 */
{
    return pcn_isparse(NULL, value, count);
}

PCN_INLINE pcn_ivec pcn_iones(const uint32_t *index, uint32_t count) /* a row of ones; indices ascend */
{
    return pcn_isparse(index, NULL, count);
}

typedef struct pcn_ilinear {   /* a frozen model of integers */
    const void *weight;        /* int8_t, int16_t or int32_t; of score c and feature j: [c * features + j] */
    const int32_t *bias;       /* one for each score; NULL: all are 0 */
    const uint16_t *scale;     /* with several scores, one for each: score = scale (w.x + bias); NULL: all are 1 */
    uint32_t features, scores; /* as in pcn_linear */
    uint8_t bits;              /* of a weight: 8, 16 or 32 */
    uint8_t zero_negative;     /* as in pcn_linear */
} pcn_ilinear;

/* The length in int32s of the array that holds a model: weights, padded to whole words; biases; and, for weights of 8
 * or 16 bits, scales, padded too. A model of 32-bit weights must not have scales: PERCEPTRON_DEBUG asserts this. */
#define PCN_ILINEAR_NUMBERS(features, classes, bits)                                                                   \
    (((size_t)(features) * (size_t)PCN_SCORES(classes) * ((size_t)(bits) / 8u) + 3u) / 4u +                            \
     (size_t)PCN_SCORES(classes) + ((bits) == 32 ? 0u : ((size_t)PCN_SCORES(classes) + 1u) / 2u))

PCN_INLINE int pcn_ilinear_predict(const pcn_ilinear *m, pcn_ivec x); /* returns the class, as pcn_linear_predict */

PCN_INLINE void pcn_ilinear_scores(const pcn_ilinear *m, pcn_ivec x, int64_t *score); /* writes score[m->scores] */

PCN_INLINE int64_t pcn_ilinear_score(const pcn_ilinear *m, pcn_ivec x); /* returns the one score, or 0 of several */

typedef struct pcn_iperceptron { /* a trainer of integers */
    pcn_ilinear live;            /* the current weights */
    /* settings */
    int16_t rate;                    /* 1 .. 32,767, at first 1: a step adds rate x to the weights */
    uint8_t bias_rows, bias_doubled; /* of PCN_BIAS_OF_ROWS: updates seen; B = 2 << bias_doubled */
    int32_t bias_step;               /* rate B^2 for a bias input B: 0 .. PCN_IMAX - 2; at first PCN_BIAS_OF_ROWS */
    int64_t margin;                  /* 0 or more, at first 0: the rule fires if y s <= margin */
    /* results */
    uint32_t rows, updates, mistakes; /* as in pcn_count; after 2^32 - 1 comes 0 */
    int guess;                        /* as in pcn_learner */
    uint32_t refused;                 /* as in pcn_perceptron */
    struct {                          /* private */
        int64_t *sum;
        /* For one score or several; NULL: there was no init() */
        int (*learn)(struct pcn_iperceptron *m, const pcn_ivec *x, int y);
        int (*predict)(const struct pcn_iperceptron *m, const pcn_ivec *x);
        void (*add)(struct pcn_iperceptron *m, uint32_t cls, int sign, const pcn_ivec *x);
        uint32_t clock; /* rows since init() or pcn_iperceptron_use_averaging */
    } own;
} pcn_iperceptron;

/* A bias_step that fits the rows: B^2, where B starts at 2. Each of the first 32 updates doubles B, up to 2^13, if the
 * mean magnitude of the nonzero features of its row is above B / 2. Then B stays. Images hold B. With a rate other than
 * 1, set bias_step yourself. Features near +-32,767 make steps of 2^26: after 16 updates in one direction the bias has
 * reached PCN_IMAX. Centre such features, or shift them right. */
#define PCN_BIAS_OF_ROWS (-1)

/* The length of a trainer's memory in int32s, and of the sums of its averaging in int64s. */
#define PCN_IPERCEPTRON_NUMBERS(features, classes) (((size_t)(features) + 1u) * (size_t)PCN_SCORES(classes))

/* Starts a trainer with weights of 0. memory: PCN_IPERCEPTRON_NUMBERS int32s, which must stay valid.
 * PCN_EOPTION: fewer than two classes, or 2^31 features or more. PCN_EMEMORY: memory is NULL or too short. After an
 * error *m is zero. */
PCN_INLINE PCN_MUST_CHECK int pcn_iperceptron_init(pcn_iperceptron *m, uint32_t features, uint32_t classes,
                                                   int32_t *memory, size_t bytes);

/* Learns from one row x of class y, as pcn_perceptron_learn: the true class moves by rate x, its best rival by -rate x.
 * PCN_EOPTION: m is not initialised, or a setting is out of range. PCN_ELABEL: y is not a class. PCN_EVALUE: x gives
 * over 65,535 features. PCN_EINDEX: x has a feature that the model lacks. PCN_EFULL: averaging has counted 2^32 - 1
 * rows. */
PCN_INLINE int pcn_iperceptron_learn(pcn_iperceptron *m, pcn_ivec x, int y);

/* Returns the class of x by the exact mean of the weights if the trainer averages, otherwise by the current weights.
 * The model of pcn_iperceptron_final keeps only 30 bits of each mean. If two scores are nearly equal, it may predict
 * another class than this function does. */
PCN_INLINE int pcn_iperceptron_predict(const pcn_iperceptron *m, pcn_ivec x);

/* Makes *model a frozen model of what was learned. out: PCN_IPERCEPTRON_NUMBERS int32s, or NULL as for
 * pcn_perceptron_final. With averaging the weights are the sums, divided by the smallest power of two that brings all
 * below 2^30, and rounded. As all have the same divisor, the model predicts as the mean does.
 * PCN_EOPTION: m is not initialised. PCN_EMEMORY: out is too short, NULL with averaging, or an array of m. */
PCN_API PCN_MUST_CHECK int pcn_iperceptron_final(const pcn_iperceptron *m, pcn_ilinear *model, int32_t *out,
                                                 size_t bytes);

/* Averages: keeps the exact sum of the weights after each row. sum: PCN_IPERCEPTRON_NUMBERS int64s. After 2^32 - 1 rows
 * learn() returns PCN_EFULL: then call this again. PCN_EOPTION: m is not initialised. PCN_EMEMORY: sum is NULL or too
 * short. */
PCN_API PCN_MUST_CHECK int pcn_iperceptron_use_averaging(pcn_iperceptron *m, int64_t *sum, size_t bytes);

/* Makes a model of 8 or 16 bits a weight, which predicts without floats. unit: the real value of an int16 feature of 1.
 * This is 1 for whole numbers, PCN_SCALER_UNIT for pcn_scaler_scale16, otherwise at least the largest value / 32,767.
 * memory: PCN_ILINEAR_NUMBERS(features, classes, bits) int32s. *one (or NULL) becomes the real value of a score of 1:
 * (float)score * one is about the score of m. To compare integer scores with a limit on real ones, divide the limit by
 * it.
 * PCN_EOPTION: unit is not above 0 and finite, bits is not 8 or 16, or m has 0 or 2 scores. PCN_EMEMORY: memory is
 * NULL, too short, or that of m. PCN_EVALUE: a weight or bias / unit is not finite, or all are too small (one of 2^-80
 * is enough). */
PCN_API PCN_MUST_CHECK int pcn_ilinear_quantize(pcn_ilinear *q, const pcn_linear *m, uint32_t bits, float unit,
                                                float *one, int32_t *memory, size_t bytes);

/* Saves or opens a model of integers, as section "Images" says. */
PCN_INLINE PCN_MUST_CHECK size_t pcn_ilinear_save(const pcn_ilinear *m, void *out, size_t size);
PCN_API size_t pcn_ilinear_save_part(const pcn_ilinear *m, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_ilinear_open(pcn_ilinear *m, const void *image, size_t size);

/* Loads an image from anywhere into your own memory[PCN_ILINEAR_NUMBERS], which may begin where the image does. Errors
 * are those of open(), but for PCN_EALIGN.
 * PCN_EMEMORY: memory is NULL, too short, or inside the image. */
PCN_API PCN_MUST_CHECK int pcn_ilinear_load(pcn_ilinear *m, int32_t *memory, size_t bytes, const void *image,
                                            size_t size);

/* Saves or loads a trainer of integers, as section "Images" says. load() also takes a model of 32-bit weights. */
PCN_INLINE PCN_MUST_CHECK size_t pcn_iperceptron_save(const pcn_iperceptron *m, void *out, size_t size);
PCN_API size_t pcn_iperceptron_save_part(const pcn_iperceptron *m, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_iperceptron_load(pcn_iperceptron *m, const void *image, size_t size);

/* ---- Kernel models ---------------------------------------------------------------------------
 * A kernel model has the score f(x) = sum of coef_z (K(x, z) + B^2) over its stored vectors z. A row becomes one when
 * the rule first fires for it. Each step is added to the coefficient of its row. K is the kernel, B the bias_input (0:
 * no bias). With the linear kernel this is the voted or dual perceptron, with others the kernel perceptron (Freund,
 * Schapire, Machine Learning 37, 1999; Su sec. 2.2). A model takes 12 + 4 (scores + 1) bytes for each slot, 4 for each
 * number stored (8 if sparse), and 16 for each entry of the log. */

typedef struct pcn_kernel { /* one of pcn_kernel_..., or your own */
    /* Turns n products x.z_i in dot into K(x, z_i). norm2: each |z_i|^2; xx: |x|^2. NULL: of_vectors is called. */
    void (*of_dots)(const struct pcn_kernel *k, float *dot, const float *norm2, float xx, uint32_t n);
    /* Returns K(x, z). If there is of_dots, it is called only where that leaves a number below 0. */
    float (*of_vectors)(const struct pcn_kernel *k, const pcn_vec *x, const pcn_vec *z);
    uint32_t id;        /* 1 linear, 2 polynomial, 3 RBF; your own: 256 or more. Images hold it */
    uint32_t degree;    /* of the polynomial kernel */
    float gamma, coef0; /* of the polynomial kernel; gamma: of RBF, too */
    const void *user;   /* for your own kernel */
} pcn_kernel;

PCN_API pcn_kernel pcn_kernel_linear(void);                                    /* K(x, z) = x.z */
PCN_API pcn_kernel pcn_kernel_poly(uint32_t degree, float gamma, float coef0); /* (gamma x.z + coef0)^degree */

/* Returns the kernel exp(-gamma |x - z|^2), gamma > 0. The squared distance is computed as |x|^2 + |z|^2 - 2 x.z. This
 * formula loses too many bits if two conditions hold: the result is below 1/64 of |x|^2 + |z|^2, and gamma (|x|^2 +
 * |z|^2) is 16 or more. The distance is then computed as the sum of (x_j - z_j)^2. So values need not be centred, but
 * rows far from 0 take longer. */
PCN_API pcn_kernel pcn_kernel_rbf(float gamma);

typedef struct pcn_slot {  /* one stored vector */
    uint32_t start, count; /* its numbers in `value` (and `index`): the first, and how many */
    uint32_t id;           /* the number that pcn_kperceptron_learn_row had for its row; PCN_NO_ID: none */
} pcn_slot;

typedef struct pcn_log_entry { /* one change of a coefficient */
    uint32_t slot, cls;        /* the coefficient of this slot, for the score of this class */
    float step;                /* the change */
    uint32_t clock;            /* number of the row that made it, from 1 */
} pcn_log_entry;

/* How a kernel model decides. Mean and vote need a log. Vote is the voted perceptron (CIML eq. 4.17): each f votes for
 * its class once when it is made, and once for each row that it survives; f = 0 at the start has no vote. */
enum pcn_decision {
    PCN_DECIDE_LAST = 0, /* by the current f */
    PCN_DECIDE_MEAN,     /* by the mean of f over all rows seen (CIML, Algorithm 7) */
    PCN_DECIDE_VOTE      /* by the votes of all f */
};

typedef struct pcn_kmodel {                    /* a frozen kernel model */
    pcn_kernel kernel;                         /* K */
    const float *value;                        /* the features' values in the stored vectors */
    const uint32_t *index;                     /* their features; NULL: vectors are dense */
    const pcn_slot *slot;                      /* one for each vector */
    const float *norm2;                        /* |z|^2 of each vector z */
    const float *coef;                         /* coefficients: of slot s and score c: [s * scores + c] */
    const pcn_log_entry *log;                  /* one entry for each change; NULL: only PCN_DECIDE_LAST */
    uint32_t features, scores, slots, entries; /* slots: vectors. entries: of the log */
    uint32_t clock;                            /* rows seen; without a log it stops at 2^32 - 2 */
    float bias2;                               /* B^2, for the bias input B */
    uint8_t by_class;      /* 1: each score votes on its class (one score, one-vs-rest); 0: f votes for one */
    uint8_t zero_negative; /* as in pcn_linear */
} pcn_kmodel;

/* The length of `work` in floats, for pcn_kmodel_scores and pcn_kmodel_predict. */
#define PCN_KMODEL_WORK(classes, slots, rows) ((size_t)(rows) * (size_t)(slots) + 2u * (size_t)PCN_SCORES(classes))

/* Writes the scores of the rows x[0] .. x[rows-1] to score[rows * scores]. One call for many rows is faster than a call
 * for each. With SIMD a call takes 25 KB of stack. work: PCN_KMODEL_WORK floats. Features that the model lacks are
 * skipped.
 * PCN_EOPTION: how is mean or vote, but m has no log (one that grows begins to exist at the first update). PCN_EMEMORY:
 * work is NULL, too short, or the same array as score. */
PCN_API int pcn_kmodel_scores(const pcn_kmodel *m, enum pcn_decision how, const pcn_vec *x, uint32_t rows, float *score,
                              float *work, size_t bytes);

/* Writes the classes of the rows to cls[rows], by the rules of pcn_decide. All else is as in pcn_kmodel_scores. */
PCN_API int pcn_kmodel_predict(const pcn_kmodel *m, enum pcn_decision how, const pcn_vec *x, uint32_t rows, int *cls,
                               float *work, size_t bytes);

typedef struct pcn_kperceptron { /* a trainer of kernel models */
    pcn_learner learner;         /* settings and results */
    pcn_kmodel model;            /* what it has learned; see pcn_kmodel_scores */
    /* Makes room. It is called before a new vector is stored and, with a log, before every update. Returns PCN_OK if
     * there is room, 1 if it has made the update without storing the vector, or an error. You may write your own.
     * NULL: when there is no room, learn() returns PCN_EFULL. */
    int (*admit)(struct pcn_kperceptron *m, const pcn_vec *x);
    uint32_t seed; /* state of pcn_admit_random */
    struct {       /* private */
        pcn_slot *slot;
        float *norm2, *coef, *value;
        float *row; /* K(x, z) + B^2 of the row x and each stored vector: a row of the kernel matrix */
        float self; /* K(x, x) + B^2 */
        uint32_t *index;
        pcn_log_entry *log;
        uint32_t slot_room, log_room, removals;
        size_t cells, cell_room;
        float slack;        /* of the Forgetron: 15/32 M - Q, what its removals may still spend */
        float tolerance;    /* of the projectron */
        float *aux;         /* of both */
        uint32_t aux_slots; /* projectron: slots that G^-1 in aux covers */
        uint8_t borrowed, sparse, logged, grown, shrinks; /* shrinks: a Forgetron; updates add to its slack */
    } own;
    uint32_t refused; /* as in pcn_perceptron */
} pcn_kperceptron;

#define PCN_NO_ID UINT32_MAX /* the id of a row that comes once */

/* The length of `memory` in floats, for vectors that are stored dense. With use_sparse or use_rows, features is 0. */
#define PCN_KPERCEPTRON_FLOATS(features, classes, slots)                                                               \
    (2u * (size_t)PCN_SCORES(classes) + (size_t)(slots) * ((size_t)PCN_SCORES(classes) + (size_t)(features) + 2u))

/* Starts a trainer without vectors, with bias_input 0. Vectors are stored dense, in memory[PCN_KPERCEPTRON_FLOATS] and
 * slot[slots], which must stay valid. If slots is 0 (slot NULL) the model grows: define PERCEPTRON_GROW, set m->admit
 * to pcn_admit_grow, and release it with pcn_kperceptron_free.
 * PCN_EOPTION: slots is 0 without PERCEPTRON_GROW; fewer than two classes; gamma or coef0 is not finite; RBF with gamma
 * <= 0 (in C, 1 / n is 0); polynomial with gamma or degree 0. PCN_EMEMORY: memory or slot is NULL, or memory is too
 * short. (If it is too short only for the vectors, init() succeeds, and learn() returns PCN_EMEMORY later.) After an
 * error *m is zero, as for pcn_perceptron_init. */
PCN_API PCN_MUST_CHECK int pcn_kperceptron_init(pcn_kperceptron *m, pcn_kernel kernel, uint32_t features,
                                                uint32_t classes, pcn_slot *slot, uint32_t slots, float *memory,
                                                size_t bytes);

/* Stores vectors as pairs of a value and an index, in value[cells] and index[cells]; cells is 0 if the model grows.
 * PCN_EOPTION: m is not initialised, or use_rows is on. PCN_ELATE: after the first row. PCN_EMEMORY: value or index is
 * NULL, or value is in use. */
PCN_API PCN_MUST_CHECK int pcn_kperceptron_use_sparse(pcn_kperceptron *m, float *value, uint32_t *index, size_t cells);

/* Borrows the rows instead of copying them (the true dual form). All rows must have values, lie in value[cells] and, if
 * they are sparse, in index[cells], and stay there. If rows are dense, index is NULL. This takes less memory, but
 * learning is slower than with copies, which lie side by side.
 * PCN_EOPTION: m is not initialised, or use_sparse is on. PCN_ELATE: after the first row. PCN_EMEMORY: value is NULL or
 * in use. */
PCN_API PCN_MUST_CHECK int pcn_kperceptron_use_rows(pcn_kperceptron *m, const float *value, const uint32_t *index,
                                                    size_t cells);

/* Keeps a log, with an entry for each score that an update moves. entries: its length, 0 if the model grows. After 2^32
 * - 2 rows learn() returns PCN_EFULL. You may call this again, also from your own m->admit, to go on in a longer array,
 * which may be the old one: it copies the entries.
 * PCN_EOPTION: m is not initialised. PCN_ELATE: the first call comes after a row. PCN_EMEMORY: log is NULL or too
 * short. */
PCN_API PCN_MUST_CHECK int pcn_kperceptron_use_log(pcn_kperceptron *m, pcn_log_entry *log, uint32_t entries);

/* Learns from one row x of class y, as pcn_perceptron_learn. Each time that the rule fires, the row takes a new slot.
 * For rows that come again, as in epochs, call pcn_kperceptron_learn_row.
 * PCN_EOPTION: m is not initialised; use_rows is on; a setting that learn() refuses (section "The learner"); or
 * bias_input has changed since a vector was stored. PCN_ELABEL: y is not a class. PCN_EINDEX: x has a feature that the
 * model lacks, or does not ascend. PCN_EMEMORY: memory has no room for dense vectors. PCN_EVALUE: |x|^2, a score or
 * K(x, x) is not finite, or a step is 2^54 or more. PCN_EFULL: no room for a vector or in the log, or the log has seen
 * 2^32 - 2 rows. */
PCN_INLINE int pcn_kperceptron_learn(pcn_kperceptron *m, pcn_vec x, int y);

/* Learns from a row that may come again. id: a number that you choose for it, but with use_rows not PCN_NO_ID. When the
 * rule fires again for this id, its slot is used again. So an id must stand for one row; PERCEPTRON_DEBUG asserts it.
 * Errors are those of pcn_kperceptron_learn, and PCN_EMEMORY: the row is not in the arrays of use_rows. */
PCN_INLINE int pcn_kperceptron_learn_row(pcn_kperceptron *m, pcn_vec x, int y, uint32_t id);

/* Learns from the rows x[0] .. x[rows-1] in turn, bit for bit as pcn_kperceptron_learn_row, whose result for row i
 * becomes result[i]. id: the number of each row, or NULL if they have none. It first computes the kernel values of all
 * rows with the vectors stored so far, tile by tile. This is faster than single rows if the vectors outgrow the caches.
 * work: rows * m->model.slots floats. Returns PCN_OK even if rows were refused.
 * PCN_EMEMORY: work is NULL, too short, or in use by m; then nothing is learned. */
PCN_API int pcn_kperceptron_learn_rows(pcn_kperceptron *m, const pcn_vec *x, const int *y, const uint32_t *id,
                                       uint32_t rows, int *result, float *work, size_t bytes);

/* Returns the class of x by the mean of f if the trainer has a log, otherwise by the current f. It uses arrays of m as
 * scratch space, and does not change what m has learned. For votes, and for many rows at once, call pcn_kmodel_predict
 * or pcn_kmodel_scores. */
PCN_INLINE int pcn_kperceptron_predict(pcn_kperceptron *m, pcn_vec x);

PCN_INLINE void pcn_kperceptron_scores(pcn_kperceptron *m, pcn_vec x, float *score); /* writes score[scores] */

/* Gives slot s a new id, when rows are numbered anew; PCN_NO_ID if its row is gone. s must be below m->model.slots. */
PCN_API void pcn_kperceptron_set_id(pcn_kperceptron *m, uint32_t s, uint32_t id);

/* Swaps two classes: negates the coefficients, and the steps in the log.
 * PCN_EOPTION: not two classes, or m is not initialised. */
PCN_API PCN_MUST_CHECK int pcn_kperceptron_swap_classes(pcn_kperceptron *m);

/* A budget decides what happens to a new vector when there is no room. Each is a function for m->admit, and returns
 * PCN_EOPTION if m has a log. PCN_EFULL: there would be no room even if all vectors were dropped. pcn_admit_oldest and
 * pcn_admit_random are by Cavallanti, Cesa-Bianchi, Gentile (Machine Learning 69, 2007). */

PCN_API int pcn_admit_oldest(pcn_kperceptron *m, const pcn_vec *x); /* for m->admit: drops the oldest vector */

PCN_API int pcn_admit_random(pcn_kperceptron *m, const pcn_vec *x); /* for m->admit: drops a random vector */

/* Makes m a Forgetron, which shrinks all coefficients before it drops the oldest vector. This keeps Q, the damage of
 * all drops, within 15/32 of M, the number of updates (Dekel, Shalev-Shwartz, Singer, SIAM J. Computing 37, 2008). The
 * drops of an update may use what is left, 15/32 M - Q, of which at most 1,024 are kept. aux: `slots` floats.
 * PCN_EOPTION: not two classes, a log, or a model that grows. PCN_EMEMORY: aux is NULL, too short, or in use by m. */
PCN_API PCN_MUST_CHECK int pcn_kperceptron_use_forgetron(pcn_kperceptron *m, float *aux, size_t bytes);

/* Makes m a projectron, which drops nothing (Orabona, Keshet, Caputo, ICML 2008). If there is no room for a vector, it
 * is projected on the span of the stored ones. So is a vector whose squared distance from the span is at most
 * `tolerance`, or 3e-4 K(x, x), below which rounding hides it. aux: slots * (slots + 2) floats.
 * PCN_EOPTION: m is not initialised, a log, a model that grows, or a tolerance that is negative or NaN. PCN_EMEMORY:
 * aux is NULL, too short, or in use by
 * m. */
PCN_API PCN_MUST_CHECK int pcn_kperceptron_use_projectron(pcn_kperceptron *m, float tolerance, float *aux,
                                                          size_t bytes);
#ifdef PERCEPTRON_GROW
/* For m->admit: grows the arrays of the model, which are stb_ds arrays.
 * PCN_EFULL: the model would have 2^32 numbers or entries. PCN_EOPTION: an array is yours. PCN_ENOMEM: there is no
 * memory; then the model is as it was. */
PCN_API int pcn_admit_grow(pcn_kperceptron *m, const pcn_vec *x);
/* Frees the arrays that have grown. If there are any, the trainer, its options and its settings are then as after
 * pcn_kperceptron_init. A model in your own arrays does not change. */
PCN_API void pcn_kperceptron_free(pcn_kperceptron *m);
#endif

/* Saves or opens a kernel model. open() takes the functions from `kernel`, and degree, gamma and coef0 from the image.
 * PCN_EMATCH: kernel.id is not the id in the image. */
PCN_INLINE PCN_MUST_CHECK size_t pcn_kmodel_save(const pcn_kmodel *m, void *out, size_t size);
PCN_API size_t pcn_kmodel_save_part(const pcn_kmodel *m, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_kmodel_open(pcn_kmodel *m, pcn_kernel kernel, const void *image, size_t size);

/* Saves or loads a kernel trainer. load() takes degree, gamma and coef0 from the image. Then set bias_input to the B of
 * the image before you learn on: otherwise learn() returns PCN_EOPTION. */
PCN_INLINE PCN_MUST_CHECK size_t pcn_kperceptron_save(const pcn_kperceptron *m, void *out, size_t size);
PCN_API size_t pcn_kperceptron_save_part(const pcn_kperceptron *m, size_t from, void *out, size_t size);
PCN_API PCN_MUST_CHECK int pcn_kperceptron_load(pcn_kperceptron *m, const void *image, size_t size);

/* ---- Measures --------------------------------------------------------------------------------
 * Measure a model on a set, row by row. Accuracy is 1 - errors / rows. */

typedef struct pcn_measure { /* what a model did on a set */
    uint64_t rows;           /* rows added */
    uint64_t errors;         /* rows predicted wrongly */
    uint64_t strict;         /* rows with y s < 0: the 0/1 risk of Su times rows */
    uint64_t violations;     /* rows with y s <= 0 */
    float margin;            /* the least y s; with several scores, the least s_y minus that of its best rival */
    float radius2;           /* R^2: the largest |X|^2, bias input included */
    float loss, loss_low;    /* upper and lower part of the sum of max(0, -y s): the perceptron loss times rows */
} pcn_measure;

PCN_API void pcn_measure_init(pcn_measure *measure); /* starts a measure of no rows */

/* Adds one row: the score[scores] that any model gives for it, its class y, and the class that was predicted. norm2:
 * |X|^2 = pcn_norm2(x) + bias_input^2, or 0 if you do not need radius2. */
PCN_API void pcn_measure_add(pcn_measure *measure, const float *score, uint32_t scores, int y, int guess, float norm2);

/* Returns margin(D, w, b) of CIML: the least y s, or -infinity if that is 0 or less. */
PCN_API float pcn_measure_margin(const pcn_measure *measure);

/* Returns Novikoff's bound on the updates of the fixed rule from zero weights, (R |W| / margin)^2. If W does not
 * separate the rows, it is infinity. weight_norm2: |W|^2, biases included. With several scores W holds all classes, and
 * the bound, for pcn_update_predicted and pcn_update_uniform, is twice the result. */
PCN_API float pcn_measure_bound(const pcn_measure *measure, float weight_norm2);

/* ---- By address ------------------------------------------------------------------------------ */

/* Does what the function without _at in its name does, but takes the address of the row. A function that takes a row by
 * value is inline and calls this one. A real call by value would load the struct wider than it was stored, and the
 * processor would wait. */
PCN_API float pcn_dot_at(const float *w, uint32_t n, const pcn_vec *x);
PCN_API void pcn_add_at(float *w, uint32_t n, float scale, const pcn_vec *x);
PCN_API float pcn_norm2_at(const pcn_vec *x);
PCN_API float pcn_linear_score_at(const pcn_linear *m, const pcn_vec *x);
PCN_API int pcn_linear_predict_at(const pcn_linear *m, const pcn_vec *x);
PCN_API void pcn_linear_scores_at(const pcn_linear *m, const pcn_vec *x, float *score);
PCN_API void pcn_linear_fetch_at(const pcn_linear *m, const pcn_vec *next);
PCN_API int pcn_perceptron_learn_at(pcn_perceptron *m, const pcn_vec *x, int y);
PCN_API int pcn_perceptron_predict_at(const pcn_perceptron *m, const pcn_vec *x);
PCN_API void pcn_perceptron_scores_at(const pcn_perceptron *m, const pcn_vec *x, float *score);
PCN_API void pcn_perceptron_final_scores_at(const pcn_perceptron *m, const pcn_vec *x, float *score);
PCN_API int64_t pcn_ilinear_score_at(const pcn_ilinear *m, const pcn_ivec *x);
PCN_API int pcn_ilinear_predict_at(const pcn_ilinear *m, const pcn_ivec *x);
PCN_API void pcn_ilinear_scores_at(const pcn_ilinear *m, const pcn_ivec *x, int64_t *score);
PCN_API int pcn_iperceptron_learn_at(pcn_iperceptron *m, const pcn_ivec *x, int y);
PCN_API int pcn_iperceptron_predict_at(const pcn_iperceptron *m, const pcn_ivec *x);
PCN_API int pcn_kperceptron_learn_row_at(pcn_kperceptron *m, const pcn_vec *x, int y, uint32_t id);
PCN_API int pcn_kperceptron_predict_at(pcn_kperceptron *m, const pcn_vec *x);
PCN_API void pcn_kperceptron_scores_at(pcn_kperceptron *m, const pcn_vec *x, float *score);

/* Starts a trainer as init() does: ..._one for two classes, ..._several for three or more. init() is inline, so that if
 * the number of classes is a constant, only the code of one of the two is linked. */
PCN_API PCN_MUST_CHECK int pcn_perceptron_init_one(pcn_perceptron *m, uint32_t features, float *memory, size_t bytes);
PCN_API PCN_MUST_CHECK int pcn_perceptron_init_several(pcn_perceptron *m, uint32_t features, uint32_t classes,
                                                       float *memory, size_t bytes);
PCN_API PCN_MUST_CHECK int pcn_iperceptron_init_one(pcn_iperceptron *m, uint32_t features, int32_t *memory,
                                                    size_t bytes);
PCN_API PCN_MUST_CHECK int pcn_iperceptron_init_several(pcn_iperceptron *m, uint32_t features, uint32_t classes,
                                                        int32_t *memory, size_t bytes);

/* clang-format off */
PCN_INLINE float pcn_dot(const float *w, uint32_t n, pcn_vec x) { return pcn_dot_at(w, n, &x); }
PCN_INLINE void pcn_add(float *w, uint32_t n, float scale, pcn_vec x) { pcn_add_at(w, n, scale, &x); }
PCN_INLINE float pcn_norm2(pcn_vec x) { return pcn_norm2_at(&x); }
PCN_INLINE float pcn_linear_score(const pcn_linear *m, pcn_vec x) { return pcn_linear_score_at(m, &x); }
PCN_INLINE int pcn_linear_predict(const pcn_linear *m, pcn_vec x) { return pcn_linear_predict_at(m, &x); }
PCN_INLINE void pcn_linear_scores(const pcn_linear *m, pcn_vec x, float *score) { pcn_linear_scores_at(m, &x, score); }
PCN_INLINE void pcn_linear_fetch(const pcn_linear *m, pcn_vec next) { pcn_linear_fetch_at(m, &next); }
PCN_INLINE int pcn_perceptron_learn(pcn_perceptron *m, pcn_vec x, int y) { return pcn_perceptron_learn_at(m, &x, y); }
PCN_INLINE int pcn_perceptron_predict(const pcn_perceptron *m, pcn_vec x) { return pcn_perceptron_predict_at(m, &x); }
PCN_INLINE void pcn_perceptron_scores(const pcn_perceptron *m, pcn_vec x, float *score)
{
    pcn_perceptron_scores_at(m, &x, score);
}
PCN_INLINE void pcn_perceptron_final_scores(const pcn_perceptron *m, pcn_vec x, float *score)
{
    pcn_perceptron_final_scores_at(m, &x, score);
}
PCN_INLINE int pcn_perceptron_init(pcn_perceptron *m, uint32_t features, uint32_t classes, float *memory, size_t bytes)
{
    return classes == 2 ? pcn_perceptron_init_one(m, features, memory, bytes)
                        : pcn_perceptron_init_several(m, features, classes, memory, bytes);
}
PCN_INLINE int64_t pcn_ilinear_score(const pcn_ilinear *m, pcn_ivec x) { return pcn_ilinear_score_at(m, &x); }
PCN_INLINE int pcn_ilinear_predict(const pcn_ilinear *m, pcn_ivec x) { return pcn_ilinear_predict_at(m, &x); }
PCN_INLINE void pcn_ilinear_scores(const pcn_ilinear *m, pcn_ivec x, int64_t *score)
{
    pcn_ilinear_scores_at(m, &x, score);
}
PCN_INLINE int pcn_iperceptron_learn(pcn_iperceptron *m, pcn_ivec x, int y)
{
    return pcn_iperceptron_learn_at(m, &x, y);
}
PCN_INLINE int pcn_iperceptron_predict(const pcn_iperceptron *m, pcn_ivec x)
{
    return pcn_iperceptron_predict_at(m, &x);
}
PCN_INLINE int pcn_iperceptron_init(pcn_iperceptron *m, uint32_t features, uint32_t classes, int32_t *memory,
                                    size_t bytes)
{
    return classes == 2 ? pcn_iperceptron_init_one(m, features, memory, bytes)
                        : pcn_iperceptron_init_several(m, features, classes, memory, bytes);
}
PCN_INLINE int pcn_kperceptron_learn(pcn_kperceptron *m, pcn_vec x, int y)
{
    return pcn_kperceptron_learn_row_at(m, &x, y, PCN_NO_ID);
}
PCN_INLINE int pcn_kperceptron_learn_row(pcn_kperceptron *m, pcn_vec x, int y, uint32_t id)
{
    return pcn_kperceptron_learn_row_at(m, &x, y, id);
}
PCN_INLINE int pcn_kperceptron_predict(pcn_kperceptron *m, pcn_vec x) { return pcn_kperceptron_predict_at(m, &x); }
PCN_INLINE void pcn_kperceptron_scores(pcn_kperceptron *m, pcn_vec x, float *score)
{
    pcn_kperceptron_scores_at(m, &x, score);
}
/* Returns what save() returns for an image of this length: 0 if it does not fit. */
PCN_INLINE size_t pcnp_if_it_fits(size_t length, size_t size) { return length <= size ? length : 0; }
PCN_INLINE size_t pcn_linear_save(const pcn_linear *m, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_linear_save_part(m, 0, out, size), size);
}
PCN_INLINE size_t pcn_perceptron_save(const pcn_perceptron *m, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_perceptron_save_part(m, 0, out, size), size);
}
PCN_INLINE size_t pcn_ilinear_save(const pcn_ilinear *m, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_ilinear_save_part(m, 0, out, size), size);
}
PCN_INLINE size_t pcn_iperceptron_save(const pcn_iperceptron *m, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_iperceptron_save_part(m, 0, out, size), size);
}
PCN_INLINE size_t pcn_kmodel_save(const pcn_kmodel *m, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_kmodel_save_part(m, 0, out, size), size);
}
PCN_INLINE size_t pcn_kperceptron_save(const pcn_kperceptron *m, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_kperceptron_save_part(m, 0, out, size), size);
}
PCN_INLINE size_t pcn_calibration_save(const pcn_calibration *c, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_calibration_save_part(c, 0, out, size), size);
}
PCN_INLINE size_t pcn_scaler_save(const pcn_scaler *s, void *out, size_t size)
{
    return pcnp_if_it_fits(pcn_scaler_save_part(s, 0, out, size), size);
}
/* clang-format on */

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

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||                               \
    defined(__RECIPROCAL_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) ||                   \
    defined(_M_FP_FAST)
#error "perceptron.h needs IEEE arithmetic: compile this file without -ffast-math, -Ofast and parts of them, /fp:fast"
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#pragma float_control(precise, on, push)
#pragma fp_contract(off) /* MSVC cannot push this pragma, so contraction stays off to the end of the file */
#ifdef PERCEPTRON_STATIC
#pragma warning(disable : 4505) /* not restored later, because MSVC reports unused functions at the end of the file */
#endif
#elif defined(__clang__) && (defined(__x86_64__) || defined(__i386__)) /* on other targets clang warns of the pragma */
#pragma float_control(precise, on, push) /* overrides options such as -fno-signed-zeros, for which clang has no macro */
#endif

#include <float.h>

#ifndef PCN_ASSERT
#ifdef PERCEPTRON_DEBUG
#include <assert.h>
#define PCN_ASSERT(condition) assert(condition)
#else
#define PCN_ASSERT(condition) ((void)0)
#endif
#define PCNP_OWN_ASSERT
#endif

#if defined(__GNUC__) && SIZE_MAX < UINT32_MAX
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" /* no array has more elements than a 16-bit size_t can count */
#endif

/* ---- What the engine room gives --------------------------------------------------------------
 * Declares functions that the next sections call. Most of these functions are defined in "The engine room" below. */

#ifdef PERCEPTRON_SMALLEST
#define PCNP_ALL 0 /* makes conditions constant, so that compilers drop the code of options */
#else
#define PCNP_ALL 1
#endif

#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2) /* MSVC defines the last two */
#define PCNP_HAS_SSE2 1
#else
#define PCNP_HAS_SSE2 0
#endif
#if (defined(__aarch64__) && defined(__ARM_NEON)) || defined(_M_ARM64)
#define PCNP_HAS_NEON 1
#else
#define PCNP_HAS_NEON 0
#endif

#ifndef PERCEPTRON_SIMD
#if defined(__TINYC__)
#define PERCEPTRON_SIMD 0
#elif defined(__AVX2__)
#define PERCEPTRON_SIMD 2
#elif PCNP_HAS_SSE2
#define PERCEPTRON_SIMD 1
#elif PCNP_HAS_NEON
#define PERCEPTRON_SIMD 3
#elif defined(__wasm_simd128__)
#define PERCEPTRON_SIMD 4
#else
#define PERCEPTRON_SIMD 0
#endif
#endif

#if PERCEPTRON_SIMD < 0 || PERCEPTRON_SIMD > 4 || (PERCEPTRON_SIMD == 1 && !PCNP_HAS_SSE2) ||                          \
    (PERCEPTRON_SIMD == 2 && !defined(__AVX2__)) || (PERCEPTRON_SIMD == 3 && !PCNP_HAS_NEON) ||                        \
    (PERCEPTRON_SIMD == 4 && !defined(__wasm_simd128__))
#error "PERCEPTRON_SIMD is not what the compiler builds for: 0 any, 1 SSE2, 2 AVX2, 3 NEON (AArch64), 4 WebAssembly"
#undef PERCEPTRON_SIMD
#define PERCEPTRON_SIMD 0
#endif

#if PERCEPTRON_SIMD == 0
#define PCNP_W 1u /* floats in a vector */
#else
#define PCNP_W 8u
#endif
#if PERCEPTRON_SIMD == 0 && (defined(__OPTIMIZE_SIZE__) || defined(__AVR__))
#define PCNP_SMALL 1 /* 1: short code is preferred to fast code */
#else
#define PCNP_SMALL 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PCNP_NOINLINE __attribute__((noinline))
#else
#define PCNP_NOINLINE
#endif

/* Lengths of arrays, in elements. These macros take scores, unlike the macros of the interface, which take classes. */
#define PCNP_LINEAR(features, scores) (((size_t)(features) + 1u) * (size_t)(scores))
#define PCNP_TRAINER(features, scores) (((size_t)(features) + 3u) * (size_t)(scores))
#define PCNP_INTEGERS(features, scores, bits)                                                                          \
    (((size_t)(features) * (size_t)(scores) * ((size_t)(bits) / 8u) + 3u) / 4u + (size_t)(scores) +                    \
     ((bits) == 32 ? 0u : ((size_t)(scores) + 1u) / 2u))

#if (defined(__arm__) && !defined(__ARM_FP)) || (defined(__riscv) && !defined(__riscv_flen))
#define PCNP_SOFT_FLOAT 1 /* without an FPU, comparing the bits of floats avoids a library call */
#define pcnp_greater(a, b) (pcnp_order(a) > pcnp_order(b))
static inline int32_t pcnp_order(float f); /* returns an integer that grows with f */
#else
#define PCNP_SOFT_FLOAT 0
#define pcnp_greater(a, b) ((a) > (b)) /* for NaN the result depends on the build, so callers must not rely on it */
#endif

/* Floats. Every result is rounded to float at once, so that all builds give the same bits. */
static inline float pcnp_plus(float a, float b);               /* returns a + b */
static inline float pcnp_minus(float a, float b);              /* returns a - b */
static inline float pcnp_times(float a, float b);              /* returns a b */
static inline float pcnp_over(float a, float b);               /* returns a / b */
static inline int pcnp_is_zero(float f);                       /* is f 0 or -0? */
static inline int pcnp_finite(float f);                        /* is f neither infinity nor NaN? */
static inline int pcnp_not_negative(float f);                  /* is f at least 0? (NaN is not) */
static inline int pcnp_moderate(float f);                      /* is |f| < 2^54? Such steps keep weights below 2^80 */
static inline float pcnp_float(uint64_t n);                    /* returns n as a float */
static float pcnp_from_bits(uint32_t bits);                    /* returns the float that has these bits */
static uint32_t pcnp_to_bits(float f);                         /* returns the bits of f */
static float pcnp_largest(const float *f, uint32_t n);         /* returns the largest |f[k]|, or NaN if one is NaN */
static float pcnp_plus_exactly(float a, float b, float *lost); /* returns s, the rounded a + b; s + *lost = a + b */
static void pcnp_set_all(float *f, size_t n, float value);     /* sets n floats to `value` */
static int pcnp_any(const float *f, size_t n);                 /* is any of n floats not 0? */
static inline uint32_t pcnp_lesser(uint32_t a, uint32_t b);    /* returns the lesser of a and b */
static uint32_t pcnp_mix(uint32_t x);                          /* returns a hash; different x give different hashes */

/* Rows. */
static int pcnp_ascends(const uint32_t *index, uint32_t count);  /* do the indices ascend strictly? */
static inline uint32_t pcnp_index(const pcn_vec *x, uint32_t i); /* returns the index of the i-th given feature */
static inline float pcnp_value(const pcn_vec *x, uint32_t i);    /* returns the value of the i-th given feature */
static float pcnp_norm2(const pcn_vec *x);                       /* returns x.x */

/* Models. The weight of feature j for class c is weight[pcnp_class_at(m, c) + j * pcnp_stride(m)]. */
static inline size_t pcnp_class_at(const pcn_linear *m, uint32_t c);
static inline size_t pcnp_stride(const pcn_linear *m);
static float pcnp_score(const pcn_linear *m, const pcn_vec *x); /* returns w.x + b of a model with one score */
/* Writes `scores` scores of x to score[], beginning with score number `from`. */
static void pcnp_scores(const pcn_linear *m, uint32_t from, uint32_t scores, const pcn_vec *x, float *score);
/* Are all scores finite? Sets *rival to nonzero if a class other than y scores at least as high as y. */
static int pcnp_check_scores(const float *score, uint32_t scores, uint32_t y, uint32_t *rival);
/* If w is large, prefetches the n weights at w[j * stride] for each feature j of a sparse row. */
static inline void pcnp_fetch(const float *w, size_t stride, uint32_t features, const pcn_vec *x, uint32_t n);

/* Steps. pcnp_axpy adds step x_j to w[j * stride], for each feature j of x that is below n. */
static void pcnp_axpy(float *w, size_t stride, uint32_t n, float step, const pcn_vec *x);
static int pcnp_step_is_moderate(float step, const pcn_vec *x); /* is each |step x_j| < 2^54? */

/* Averaging. */
typedef struct pcnp_block pcnp_block; /* some features of a row, and where their weights are */
/* Applies a step to weight[at + j * stride], for each feature j of x that is below n. Adds the change of each weight,
 * times the number of the row, to the sum that belongs to this weight. plain: 1 if the trainer has no method. */
static void pcnp_mean_row(pcn_perceptron *m, size_t at, size_t stride, uint32_t n, const pcn_vec *x, float step,
                          float shrink, int plain);
/* Writes the means of n weights. A mean is w - (sum + rest) / clock. */
static void pcnp_mean(const float *w, const float *sum, const float *rest, size_t n, uint64_t clock, float *mean);
static float pcnp_score_of_mean(const pcn_perceptron *m, uint32_t c, const pcn_vec *x); /* score by the frozen mean */

/* Defined in other sections, after their first callers. */
static pcn_linear pcnp_model_at(const pcn_linear *m, const float *out);
static int pcnp_check_option(const pcn_perceptron *m, const float *array, size_t numbers, int early);
static int pcnp_predict_several(const pcn_perceptron *m, const pcn_vec *x);

/* ---- Bytes -----------------------------------------------------------------------------------
 * Sets, copies and clears memory. Without libc, an empty asm statement keeps compilers from turning the loops into
 * calls of memset or memcpy. Large structs are copied with pcnp_copy, because compilers call memcpy to assign them. */

#ifdef PERCEPTRON_NO_LIBC

static void pcnp_fill(void *array, uint8_t byte, size_t size)
{
    uint8_t *p = (uint8_t *)array;
    for (; size != 0; size--) {
        *p++ = byte;
        __asm__ volatile("");
    }
}

static void pcnp_copy(void *to, const void *from, size_t size)
{
    uint8_t *p = (uint8_t *)to;
    const uint8_t *q = (const uint8_t *)from;
    size_t i;
    for (i = 0; i < size; i++) {
        size_t at = i;
        if (p > q) at = size - 1 - i; /* the last byte first, because the arrays may overlap */
        p[at] = q[at];
        __asm__ volatile("");
    }
}

#define pcnp_copy_word __builtin_memcpy /* makes no call, because the size is constant */
#else
#include <string.h>
#define pcnp_fill memset
#define pcnp_copy memmove
#define pcnp_copy_word memcpy
#endif
#define pcnp_zero(array, size) pcnp_fill(array, 0, size)

/* ---- Arrays that are declared as another type ------------------------------------------------
 * An image is an array of uint32_t that contains floats. A quantised model is an array of int32_t that contains 8-bit
 * and 16-bit integers. Under strict aliasing, compilers may swap a load and a store of different types. They do not
 * swap accesses by the types below, by bytes (also int8_t), or by vector intrinsics of gcc and clang. So access such
 * arrays in these ways only. Callers also read floats of opened images. So each open function ends with PCNP_FORGET.
 * No access moves across PCNP_FORGET, even if the linker inlines the function. MSVC has no strict aliasing. */

#if defined(__GNUC__) || defined(__clang__)
#define PCNP_ANY_MEMORY __attribute__((may_alias))
#define PCNP_FORGET(array) __asm__ volatile("" : : "r"(array) : "memory")
#else
#define PCNP_ANY_MEMORY
#define PCNP_FORGET(array) ((void)(array))
#endif

typedef float pcnp_any_float PCNP_ANY_MEMORY;
typedef int16_t pcnp_any_int16 PCNP_ANY_MEMORY;
typedef uint16_t pcnp_any_uint16 PCNP_ANY_MEMORY;

static inline float pcnp_float_at(const float *p)
{
    return *(const pcnp_any_float *)p;
}

/* ---- The step --------------------------------------------------------------------------------
 * Linear learners learn by W += step y X, unless a method (Winnow, confidence) replaces this formula. A rule computes
 * how large the step is. An update decides which classes take the step. */

static float *pcnp_weights(const pcn_perceptron *m)
{
    return (float *)(uintptr_t)m->live.weight; /* weight is const for frozen models, but a trainer may write */
}

static float *pcnp_biases(const pcn_perceptron *m, float *array)
{
    return array + (size_t)m->live.features * m->live.scores;
}

/* Adds step x to the weights of class cls. Its bias is stored times B, the bias input, so the bias gains step B^2. */
static void pcnp_add_plain(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p)
{
    const pcn_linear *l = &m->live;
    float *weight = pcnp_weights(m), *bias = (float *)(uintptr_t)l->bias + cls;
    *bias = pcnp_plus(*bias, pcnp_times(step, p->bias));
    pcnp_axpy(weight + pcnp_class_at(l, cls), PCNP_ALL ? pcnp_stride(l) : 1, l->features, step, p->x);
}

/* ---- The learner: rules ---------------------------------------------------------------------- */

PCN_API float pcn_slope(const pcn_update *update)
{
    if (update->slope_of) return update->slope_of(update);
    return pcnp_times(pcnp_plus(1, update->share), pcnp_plus(pcnp_norm2(update->x), update->bias));
}

/* Returns q, or NaN if q or the slope is infinite. For a step of NaN, learn() returns PCN_EVALUE. */
static float pcnp_finite_step(float q, float slope)
{
    const float sum = pcnp_plus(q, slope);
    return pcnp_plus(q, pcnp_minus(sum, sum));
}

/* Returns gap / slope, or 0 if the slope is 0, as for an empty row. */
static float pcnp_ratio(float gap, float slope)
{
    if (!pcnp_greater(slope, 0)) return 0;
    return pcnp_finite_step(pcnp_over(gap, slope), slope);
}

#define PCNP_NO_STEP 0x7f800000u /* infinity */

/* Returns the step for which learn() returns PCN_EOPTION. Rules return this step if their settings must be a
 * mistake. */
static float pcnp_no_step(void)
{
    return pcnp_from_bits(PCNP_NO_STEP);
}

static int pcnp_is_one(float f)
{
    return pcnp_to_bits(f) == 0x3f800000u;
}

/* Does a PA rule have a rate other than 1, or C = 0? Once the rule has fired, returns 0, because C may decay to 0. */
static int pcnp_is_misset(const pcn_learner *learner)
{
    return !learner->moved && (!pcnp_is_one(learner->rule.rate) || pcnp_is_zero(learner->rule.strength));
}

static float pcnp_step_fixed(const pcn_learner *learner, pcn_update *update, float gap)
{
    uint32_t bits = pcnp_to_bits(learner->rule.rate);
    (void)update;
    (void)gap;
    if (!learner->moved && bits << 1 == 0) bits = PCNP_NO_STEP;
    return pcnp_from_bits(bits);
}

static float pcnp_step_absolute(const pcn_learner *learner, pcn_update *update, float gap)
{
    float slope = pcn_slope(update), q = pcnp_ratio(gap, slope);
    const float most = 16777216.0f;
    if (!learner->moved && !pcnp_is_one(learner->rule.rate)) return pcnp_no_step();
    if (!pcnp_greater(slope, 0)) return 0;
    if (q < most) q = pcnp_plus((float)(int32_t)q, 1); /* from 2^24 on, q is an integer, and q + 1 is not a float */
    return q;
}

static float pcnp_step_fractional(const pcn_learner *learner, pcn_update *update, float gap)
{
    const pcn_rule *rule = &learner->rule;
    if (!learner->moved && (pcnp_is_zero(rule->rate) || pcnp_is_zero(rule->strength))) return pcnp_no_step();
    if (pcnp_is_zero(gap)) return rule->rate;
    return pcnp_finite_step(pcnp_times(rule->strength, pcnp_ratio(gap, pcn_slope(update))), 0);
}

static float pcnp_step_pa(const pcn_learner *learner, pcn_update *update, float gap)
{
    float q;
    if (pcnp_is_misset(learner)) return pcnp_no_step();
    q = pcnp_ratio(gap, pcn_slope(update));
    if (pcnp_greater(q, learner->rule.strength)) return learner->rule.strength;
    return q;
}

static float pcnp_step_pa2(const pcn_learner *learner, pcn_update *update, float gap)
{
    float slope, softened;
    if (pcnp_is_misset(learner)) return pcnp_no_step();
    slope = pcn_slope(update);
    if (!pcnp_greater(slope, 0)) return 0;
    softened = pcnp_plus(slope, pcnp_over(0.5f, learner->rule.strength)); /* C = 0 makes this infinity and the step 0 */
    return pcnp_finite_step(pcnp_over(gap, softened), slope);
}

PCN_API pcn_rule pcn_rule_fixed(float rate)
{
    pcn_rule r;
    r.step = PCNP_ALL ? pcnp_step_fixed : NULL;
    r.rate = rate;
    r.margin = 0;
    r.strength = 0;
    return r;
}

PCN_API pcn_rule pcn_rule_absolute(void)
{
    pcn_rule r = pcn_rule_fixed(1);
    r.step = pcnp_step_absolute;
    return r;
}

PCN_API pcn_rule pcn_rule_fractional(float lambda)
{
    pcn_rule r = pcn_rule_fixed(1);
    r.step = pcnp_step_fractional;
    r.strength = lambda;
    return r;
}

PCN_API pcn_rule pcn_rule_pa(float c)
{
    pcn_rule r = pcn_rule_fixed(1);
    r.step = pcnp_step_pa;
    r.margin = 1;
    r.strength = c;
    return r;
}

PCN_API pcn_rule pcn_rule_pa2(float c)
{
    pcn_rule r = pcn_rule_pa(c);
    r.step = pcnp_step_pa2;
    return r;
}

static void pcnp_learner_init(pcn_learner *learner, float *score, uint32_t scores)
{
    learner->rule.step = PCNP_ALL ? pcnp_step_fixed : NULL; /* like pcn_rule_fixed(1), as all other members are 0 */
    learner->rule.rate = 1;
    learner->score = score;
    learner->scores = scores;
}

/* Are the rate and the bias input finite, and are the margin and the strength at least 0? */
static int pcnp_settings_valid(const pcn_learner *learner)
{
    const pcn_rule *rule = &learner->rule;
    if (!PCNP_ALL && rule->step) return 0;
    if (!pcnp_finite(rule->rate) || !pcnp_finite(learner->bias_input)) return 0;
    if (PCNP_ALL && !pcnp_not_negative(rule->strength)) return 0;
    return pcnp_not_negative(rule->margin);
}

/* Returns the step of a rule that fires (gap >= 0). wrong: at a tie, 1 if the predicted class is not y. */
static float pcnp_step(const pcn_learner *learner, pcn_update *update, float gap, int wrong)
{
    if (pcnp_is_zero(gap) && pcnp_is_zero(learner->rule.margin)) { /* a tie: y s = 0 */
        if (learner->zero_predicted && !wrong) return 0;
    }
    if (PCNP_ALL) return learner->rule.step(learner, update, gap);
    return pcnp_step_fixed(learner, update, gap);
}

/* Returns the step of the rule for a row with y s = margin, or 0 if the rule does not fire. */
static float pcnp_step_if(const pcn_learner *learner, pcn_update *update, float margin, int wrong)
{
    float gap = pcnp_minus(learner->rule.margin, margin);
    if (pcnp_greater(0, gap)) return 0;
    return pcnp_step(learner, update, gap, wrong);
}

/* ---- The learner: updates -------------------------------------------------------------------- */

/* Returns the class with the highest score, on a tie the lowest. Skips `excluded`, which must not be the only class. */
static uint32_t pcnp_best(const float *score, uint32_t scores, uint32_t excluded)
{
    uint32_t best = 0, k;
    float highest;
    if (excluded == 0) best = 1;
    highest = score[best];
    for (k = best + 1; k < scores; k++) {
        if (k == excluded || !pcnp_greater(score[k], highest)) continue;
        best = k;
        highest = score[k];
    }
    return best;
}

/* Returns the class, 0 or 1, that a single score predicts. */
static int pcnp_class(float s, int zero_negative)
{
    if (pcnp_is_zero(s)) return !zero_negative;
    return pcnp_to_bits(s) <= 0x7f800000u;
}

/* Fills *update for row x, except its classes. learner must be the first member of the trainer that slope_of reads. */
static inline void pcnp_new_update(
    pcn_update *update, const pcn_learner *learner, const pcn_vec *x, uint8_t zero_negative,
    float (*slope_of)(const pcn_update *update)) /* returns no struct, because clang would copy it with memcpy */
{
    update->x = x;
    update->bias = pcnp_times(learner->bias_input, learner->bias_input);
    update->up = 0;
    update->down = 0;
    update->share = 0;
    update->zero_negative = zero_negative;
    update->slope_of = slope_of;
    update->trainer = learner;
}

#if PCNP_SMALL /* pcnp_count is not inlined, because adding 64 bits takes much code on small processors */
#define PCNP_ONCE PCNP_NOINLINE
#else
#define PCNP_ONCE
#endif
PCNP_ONCE static void pcnp_count(uint64_t *count, uint32_t more)
{
    *count += more;
}

/* Counts one learned row, for which the rule fired `fired` times. */
static void pcnp_count_row(pcn_learner *learner, int guess, int wrong, uint32_t fired)
{
    learner->guess = guess;
    pcnp_count(&learner->clock, 1);
    pcnp_count(&learner->count.rows, 1);
    pcnp_count(&learner->count.updates, fired);
    pcnp_count(&learner->count.mistakes, wrong != 0);
}

/* Returns the step that class update->up gains. Its best rival, update->down, loses `share` times this step. */
static float pcnp_step_up(const pcn_learner *learner, pcn_update *update, float share)
{
    update->share = share;
    return pcnp_step_if(learner, update, pcnp_minus(learner->score[update->up], learner->score[update->down]),
                        update->down < update->up);
}

PCN_API uint32_t pcn_update_predicted(const pcn_learner *learner, pcn_update *update, uint32_t y, float *change)
{
    float step = pcnp_step_up(learner, update, 1);
    pcnp_zero(change, learner->scores * sizeof *change);
    change[y] = step;
    change[update->down] = -step;
    return !pcnp_is_zero(step);
}

PCN_API uint32_t pcn_update_others(const pcn_learner *learner, pcn_update *update, uint32_t y, float *change)
{
    float step = pcnp_step_up(learner, update, 1);
    uint32_t k;
    for (k = 0; k < learner->scores; k++) change[k] = k == y ? step : -step;
    return !pcnp_is_zero(step);
}

/* Is s_y - s_k <= margin, where s_k is the score of class k? This is true for k = y, so the caller must exclude y. */
static int pcnp_violates(const pcn_learner *learner, uint32_t y, uint32_t k)
{
    const float *score = learner->score;
    return !pcnp_greater(pcnp_minus(score[y], score[k]), learner->rule.margin);
}

PCN_API uint32_t pcn_update_uniform(const pcn_learner *learner, pcn_update *update, uint32_t y, float *change)
{
    uint32_t k, violators = 0;
    float step, share;
    for (k = 0; k < learner->scores; k++) violators += k != y && pcnp_violates(learner, y, k);
    if (violators == 0) return 0;
    share = pcnp_over(1, (float)violators);
    step = pcnp_step_up(learner, update, share);
    for (k = 0; k < learner->scores; k++) change[k] = pcnp_violates(learner, y, k) ? -pcnp_times(step, share) : 0;
    change[y] = step;
    return !pcnp_is_zero(step);
}

PCN_API uint32_t pcn_update_one_vs_rest(const pcn_learner *learner, pcn_update *update, uint32_t y, float *change)
{
    uint32_t k, fired = 0;
    for (k = 0; k < learner->scores; k++) {
        const int is_y = k == y;
        float margin = learner->score[k], step;
        if (!is_y) margin = -margin;
        update->up = k;
        step = pcnp_step_if(learner, update, margin, is_y == (update->zero_negative != 0));
        change[k] = is_y ? step : -step;
        fired += !pcnp_is_zero(step);
    }
    return fired;
}

/* Sets update->up to class y, and update->down to the best rival of y. Returns the predicted class. It is y or this
 * rival: the class with the higher score or, on a tie, the lower class. There must be at least two scores. */
static int pcnp_find_rival(const pcn_learner *learner, pcn_update *update, uint32_t y)
{
    const float *score = learner->score;
    const uint32_t rival = pcnp_best(score, learner->scores, y);
    update->up = y;
    update->down = rival;
    if (pcnp_greater(score[rival], score[y])) return (int)rival;
    if (pcnp_greater(score[y], score[rival])) return (int)y;
    return (int)pcnp_lesser(rival, y);
}

/* ---- The linear trainer: learning ------------------------------------------------------------ */

/* A method, such as Winnow, replaces W += step X. Its state, m->own.state, has a number for each weight and bias. */
typedef struct pcnp_method {
    void (*add)(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p); /* applies a step to class cls */
    /* Changes the states of the features in b; the first state is m->own.state[at]. Writes new weights to weight[]. */
    void (*reweigh)(pcn_perceptron *m, size_t at, const pcnp_block *b, float step, float shrink, float *weight);
    float (*shrink)(const pcn_learner *l, uint32_t cls, float step,
                    const pcn_update *p);   /* computes the argument shrink of reweigh; NULL: it is 0 */
    float (*slope_of)(const pcn_update *p); /* computes pcn_slope; NULL: (1 + share) X.X */
    int (*accepts)(const pcn_learner *l);   /* does the method go with these settings? */
    uint16_t part;                          /* the bit of enum pcn_part for this state in images */
    uint8_t begin;                          /* the state of a weight before its first step */
    uint8_t balanced;                       /* 1: balanced Winnow, where weights can be negative */
} pcnp_method;

static uint32_t pcnp_state_part(const pcn_perceptron *m)
{
    return m->own.method ? m->own.method->part : 0;
}

enum { PCNP_AHEAD = 17, PCNP_BEHIND = 15 }; /* learner.ahead ranges from -PCNP_BEHIND to PCNP_AHEAD */

/* The functions of a trainer that averages. */
struct pcnp_averaging {
    void (*add)(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p); /* applies a step to class cls */
    /* Replaces the scores of the current weights by the scores with which the trainer predicts. */
    void (*scores)(const pcn_perceptron *m, uint32_t from, uint32_t scores, const pcn_vec *x, float *score);
    uint32_t parts; /* PCN_PART_FOLLOWING, or 0 without following */
};

static int pcnp_follows(const pcn_perceptron *m)
{
    return PCNP_ALL && m->own.averaging && m->own.averaging->parts;
}

#define PCNP_CLOCK_END ((uint64_t)1 << 36) /* the mean is accurate up to this number of rows */

static int pcnp_row_in_range(const pcn_vec *x, uint32_t features)
{
    if (!PCNP_ALL) return !x->index && x->value && x->count <= features;
    return x->count == 0 || pcnp_index(x, x->count - 1) < features;
}

/* Checks what takes no time: the last index must be in range, and the mean must not have 2^36 rows yet. NaN and
 * infinity in x are found later, because they make a score that is not finite. */
static inline int pcnp_check_row(const pcn_perceptron *m, const pcn_vec *x)
{
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    if (!pcnp_row_in_range(x, m->live.features)) return PCN_EINDEX;
    return PCNP_ALL && m->own.averaging && m->learner.clock >= PCNP_CLOCK_END ? PCN_EFULL : PCN_OK;
}

static inline float (*pcnp_slope_of(const pcn_perceptron *m))(const pcn_update *p)
{
    return PCNP_ALL && m->own.method ? m->own.method->slope_of : NULL;
}

/* Are the rule and the other settings valid? To save time, learn() asks this only if the rule may fire. */
static int pcnp_accepts_settings(const pcn_perceptron *m)
{
    const pcnp_method *method = m->own.method;
    return pcnp_settings_valid(&m->learner) && (!PCNP_ALL || !method || method->accepts(&m->learner));
}

/* Returns 1 if the step keeps weights below 2^80, PCN_EOPTION if the step is infinite, and otherwise PCN_EVALUE. */
static int pcnp_check_step(float step, const pcn_update *p)
{
    if (pcnp_to_bits(step) << 1 == PCNP_NO_STEP << 1) return PCN_EOPTION;
    if (!pcnp_moderate(pcnp_times(step, p->bias))) return PCN_EVALUE;
    return pcnp_step_is_moderate(step, p->x) ? 1 : PCN_EVALUE;
}

static inline void pcnp_apply_step(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p)
{
    if (PCNP_ALL)
        m->own.take(m, cls, step, p);
    else
        pcnp_add_plain(m, cls, step, p);
}

static inline int pcnp_no_binary_label(int y)
{
    return (unsigned)y + 1u > 2u; /* the labels of two classes are -1, 0 and 1 */
}

static int pcnp_learn_one(pcn_perceptron *m, const pcn_vec *x, int y)
{
    pcn_learner *l = &m->learner;
    int guess, wrong, fired;
    float s, step = 0;
    pcn_update p;
    if (pcnp_no_binary_label(y)) return PCN_ELABEL;
    fired = pcnp_check_row(m, x);
    if (fired < 0) return fired;
    if (!PCNP_ALL || !l->scored) l->score[0] = pcnp_score(&m->live, x);
    s = l->score[0];
    if (!pcnp_finite(s)) return PCN_EVALUE; /* any NaN or infinity in x makes s NaN or infinite */
    guess = pcnp_class(s, m->live.zero_negative);
    wrong = guess != (y > 0);
    if (y <= 0) s = -s;
    if (!pcnp_greater(s, l->rule.margin)) {
        if (!pcnp_accepts_settings(m)) return PCN_EOPTION;
        pcnp_new_update(&p, l, x, m->live.zero_negative, pcnp_slope_of(m));
        step = pcnp_step(l, &p, pcnp_minus(l->rule.margin, s), wrong);
        if (!pcnp_is_zero(step)) fired = pcnp_check_step(step, &p);
        if (fired < 0) return fired;
    }
    /* Counts the row before the step, because averaging needs the number of the row. */
    pcnp_count_row(l, guess, wrong, (uint32_t)fired);
    if (!fired) return 0;
    if (y <= 0) step = -step;
    l->moved = 1;
    l->score[1] = step; /* pcn_changes points here */
    pcnp_apply_step(m, 0, step, &p);
    return 1;
}

/* Learns as with pcn_update_predicted: the true class gains the step, and its best rival loses it. */
static int pcnp_learn_pair(pcn_perceptron *m, pcn_update *p, int guess)
{
    pcn_learner *l = &m->learner;
    float step = pcnp_step_up(l, p, 1), *change = l->score + l->scores;
    int fired = pcnp_is_zero(step) ? 0 : pcnp_check_step(step, p);
    if (fired < 0) return fired;
    pcnp_count_row(l, guess, guess != (int)p->up, (uint32_t)fired);
    if (!fired) return 0;
    l->moved = 1;
    pcnp_zero(change, l->scores * sizeof *change);
    change[p->up] = step;
    change[p->down] = -step;
    pcnp_apply_step(m, p->up, step, p);
    pcnp_apply_step(m, p->down, -step, p);
    return 1;
}

static int pcnp_learn_several(pcn_perceptron *m, const pcn_vec *x, int y)
{
    pcn_learner *l = &m->learner;
    uint32_t scores = l->scores, rival, fired = 0, k;
    float *change = l->score + scores;
    int guess = y, result;
    pcn_update p;
    if (y < 0 || (uint32_t)y >= scores) return PCN_ELABEL;
    result = pcnp_check_row(m, x);
    if (result < 0) return result;
    if (!PCNP_ALL || !l->scored) pcnp_scores(&m->live, 0, scores, x, l->score);
    if (!pcnp_check_scores(l->score, scores, (uint32_t)y, &rival)) return PCN_EVALUE;
    if (rival || l->update || !pcnp_is_zero(l->rule.margin)) { /* in all other cases the rule cannot fire */
        if (!pcnp_accepts_settings(m)) return PCN_EOPTION;
        pcnp_new_update(&p, l, x, m->live.zero_negative, pcnp_slope_of(m));
        guess = pcnp_find_rival(l, &p, (uint32_t)y);
        if (!PCNP_SMALL && !l->update)
            return pcnp_learn_pair(m, &p, guess); /* gives the same bits as the code below, in less time */
        fired = (l->update ? l->update : pcn_update_predicted)(l, &p, (uint32_t)y, change);
        if (fired) result = pcnp_check_step(pcnp_largest(change, scores), &p);
        if (result < 0) return result;
    }
    pcnp_count_row(l, guess, guess != y, fired);
    for (k = 0; fired && k < scores; k++) {
        if (pcnp_is_zero(change[k])) continue;
        l->moved = 1;
        pcnp_apply_step(m, k, change[k], &p);
    }
    return fired != 0;
}

PCN_API int pcn_perceptron_learn_at(pcn_perceptron *m, const pcn_vec *x, int y)
{
    int result = m->own.learn ? m->own.learn(m, x, y) : PCN_EOPTION;
    m->refused += result < 0;
    return result;
}

/* ---- Averaging -------------------------------------------------------------------------------
 * Computes means of weights by CIML, Algorithm 7. Each weight w has a sum u. When row number c changes w by d, u grows
 * by c d. After n rows the mean is w - u / (n + 1). So only the weights that a row changes take time. */

#define PCNP_CHUNK (PCNP_W > 1 ? 64u : 1u) /* how many scores predict() computes at a time */

static float pcnp_shrink(const pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p)
{
    return m->own.method && m->own.method->shrink ? m->own.method->shrink(&m->learner, cls, step, p) : 0;
}

/* Returns a row that has the bias as its only feature. Changes *step to the step for this row. With Winnow the row is
 * empty, because a step does not change the threshold. */
static pcn_vec pcnp_bias_row(const pcn_perceptron *m, const pcn_update *p, float *step)
{
    if (!m->own.method) return pcn_dense(&p->bias, 1);
    if (pcnp_state_part(m) == PCN_PART_EXPONENTS) return pcn_dense(NULL, 0);
    *step = pcnp_times(*step, m->learner.bias_input); /* because a bias is stored times B */
    return pcn_dense(&m->learner.bias_input, 1);
}

static void pcnp_add_mean(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p)
{
    const pcn_linear *l = &m->live;
    const size_t at = pcnp_class_at(l, cls), stride = pcnp_stride(l);
    int plain = !m->own.method;
    float bias_step = step, shrink = pcnp_shrink(m, cls, step, p), *sum = m->own.sum + at;
    pcn_vec bias = pcnp_bias_row(m, p, &bias_step);
    if (PCNP_W > 1) {
        pcnp_fetch(sum, stride, l->features, p->x, 1);
        pcnp_fetch(sum + PCNP_LINEAR(l->features, l->scores), stride, l->features, p->x, 1);
    }
    pcnp_mean_row(m, at, stride, l->features, p->x, step, shrink, plain);
    pcnp_mean_row(m, (size_t)l->features * l->scores + cls, 1, 1, &bias, bias_step, shrink, plain);
}

/* Turns the scores of w into those of the mean, w - u / (n + 1), by subtracting the scores of u, divided by n + 1. */
static void pcnp_scores_of_mean(const pcn_perceptron *m, uint32_t from, uint32_t scores, const pcn_vec *x, float *score)
{
    const pcn_linear sums = pcnp_model_at(&m->live, m->own.sum);
    const float seen = pcnp_float(m->learner.clock + 1);
    float part[PCNP_CHUNK];
    uint32_t c, k, lanes;
    for (c = 0; c < scores; c += lanes) {
        lanes = pcnp_lesser(scores - c, PCNP_CHUNK);
        pcnp_scores(&sums, from + c, lanes, x, part);
        for (k = 0; k < lanes; k++) score[c + k] = pcnp_minus(score[c + k], pcnp_over(part[k], seen));
    }
}

static const struct pcnp_averaging pcnp_averages = {pcnp_add_mean, pcnp_scores_of_mean, 0};

PCN_API int pcn_perceptron_use_averaging(pcn_perceptron *m, float *sum, size_t bytes)
{
    int result = pcnp_check_option(m, sum, bytes / (2 * sizeof *sum), 0);
    if (result < 0) return result;
    pcnp_zero(sum, 2 * PCNP_LINEAR(m->live.features, m->live.scores) * sizeof *sum);
    m->own.sum = sum;
    m->learner.clock = 0;
    if (!m->own.averaging) m->own.averaging = &pcnp_averages; /* a trainer that already follows continues to follow */
    m->own.predict = pcnp_predict_several;                    /* predicts by the mean, also with one score */
    if (!m->own.batch) m->own.take = pcnp_add_mean;
    return PCN_OK;
}

/* ---- The linear trainer: following ----------------------------------------------------------- */

enum { PCNP_AHEAD_AGAIN = 5, PCNP_YOUNG = 1000 }; /* `ahead` when a new mean begins; minimum number of rows of a mean */

static void pcnp_scores_ahead(const pcn_perceptron *m, uint32_t from, uint32_t scores, const pcn_vec *x, float *score)
{
    if (m->learner.ahead <= 0) pcnp_scores_of_mean(m, from, scores, x, score);
}

/* Learns a row. `ahead` rises if only the current weights predict its class, and falls if only the mean does. */
static int pcnp_learn_following(pcn_perceptron *m, const pcn_vec *x, int y)
{
    pcn_learner *l = &m->learner;
    float *score = l->score + l->scores; /* scores of the mean, until learn() writes its changes here */
    int mean, result;
    pcnp_scores(&m->live, 0, l->scores, x, l->score);
    pcnp_copy(score, l->score, l->scores * sizeof *score);
    pcnp_scores_of_mean(m, 0, l->scores, x, score);
    mean = pcn_decide(score, l->scores, m->live.zero_negative);
    l->scored = 1;
    result = (l->scores == 1 ? pcnp_learn_one : pcnp_learn_several)(m, x, y);
    l->scored = 0;
    if (l->scores == 1) y = y > 0;
    if (result < 0 || (l->guess == y) == (mean == y)) return result;
    if (mean == y && l->ahead > -PCNP_BEHIND) l->ahead--;
    if (mean != y && l->ahead < PCNP_AHEAD) l->ahead++;
    if (l->ahead == PCNP_AHEAD && l->clock >= PCNP_YOUNG) {
        l->ahead = PCNP_AHEAD_AGAIN;
        l->clock = 0;
        pcnp_zero(m->own.sum, 2 * PCNP_LINEAR(m->live.features, m->live.scores) * sizeof *m->own.sum);
    }
    return result;
}

static const struct pcnp_averaging pcnp_following = {pcnp_add_mean, pcnp_scores_ahead, PCN_PART_FOLLOWING};

PCN_API int pcn_perceptron_use_following(pcn_perceptron *m)
{
    if (!m->own.averaging || m->own.batch) return PCN_EOPTION;
    m->learner.ahead = 0;
    m->own.averaging = &pcnp_following;
    m->own.learn = pcnp_learn_following;
    return PCN_OK;
}

/* Does the mean predict, rather than the current weights? Without following, `ahead` stays 0. */
static int pcnp_by_mean(const pcn_perceptron *m)
{
    return m->own.averaging && m->learner.ahead <= 0;
}

/* ---- Frozen linear models -------------------------------------------------------------------- */

PCN_API float pcn_linear_score_at(const pcn_linear *m, const pcn_vec *x)
{
    PCN_ASSERT(m->scores == 1);
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    if (m->scores != 1) return pcnp_from_bits(0x7fc00000u); /* NaN */
    return pcnp_score(m, x);
}

/* If the highest score exceeds *best, sets *best to it and *winner to its class. score[0] belongs to class `from`. */
static inline void pcnp_keep_best(const float *score, uint32_t from, uint32_t scores, float *best, uint32_t *winner)
{
    uint32_t k = pcnp_best(score, scores, UINT32_MAX);
    if (from != 0 && !pcnp_greater(score[k], *best)) return;
    *best = score[k];
    *winner = from + k;
}

/* Calls no function through a pointer, so that clang can prove that it never blocks. */
PCN_API int pcn_linear_predict_at(const pcn_linear *m, const pcn_vec *x)
{
    float score[PCNP_CHUNK], best = 0;
    uint32_t c, lanes, winner = 0;
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    PCN_ASSERT(x->index || x->count <= m->features);
    for (c = 0; c < m->scores; c += lanes) {
        lanes = pcnp_lesser(m->scores - c, PCNP_CHUNK);
        pcnp_scores(m, c, lanes, x, score);
        pcnp_keep_best(score, c, lanes, &best, &winner);
    }
    if (m->scores == 1) return pcnp_class(best, m->zero_negative);
    return (int)winner;
}

PCN_API void pcn_linear_scores_at(const pcn_linear *m, const pcn_vec *x, float *score)
{
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    pcnp_scores(m, 0, m->scores, x, score);
}

static pcn_linear pcnp_linear_of(const float *weight, const float *bias, uint32_t features, uint32_t scores,
                                 uint8_t by_feature, uint8_t zero_negative)
{
    pcn_linear model;
    model.weight = weight;
    model.bias = bias;
    model.features = features;
    model.scores = scores;
    model.by_feature = by_feature;
    model.zero_negative = zero_negative;
    return model;
}

/* Returns a model of the shape of m with the weights and biases at `out`. The caller must set the member `folded`. */
static pcn_linear pcnp_model_at(const pcn_linear *m, const float *out)
{
    return pcnp_linear_of(out, out + (size_t)m->features * m->scores, m->features, m->scores, m->by_feature,
                          m->zero_negative);
}

/* Can a model have this number of scores? No model has 2 scores, because two classes share one, or 0 scores. */
static int pcnp_is_scores(uint32_t scores)
{
    return (scores & ~2u) != 0;
}

/* Does an array of `numbers` elements have room for scores * (features + extra)? This function divides, because the
 * product could overflow size_t, which has 16 bits on some machines. Use it, or divide likewise, before you compute a
 * length from numbers of a caller or of an image. Once the check has passed, the product cannot overflow. */
static int pcnp_holds(const void *array, size_t numbers, uint32_t features, uint32_t scores, uint32_t extra)
{
    const size_t each = numbers / scores;
    return array && each >= extra && each - extra >= features;
}

PCN_API int pcn_linear_copy(const pcn_linear *m, pcn_linear *copy, float *out, size_t bytes)
{
    const size_t n = (size_t)m->features * m->scores, biases = m->scores;
    pcn_linear model;
    if (!pcnp_is_scores(m->scores)) return PCN_EOPTION;
    if (!pcnp_holds(out, bytes / sizeof *out, m->features, m->scores, 1)) return PCN_EMEMORY;
    model = pcnp_model_at(m, out);
    model.folded = m->folded;
    if (n != 0) pcnp_copy(out, m->weight, n * sizeof *out);
    if (m->bias)
        pcnp_copy(out + n, m->bias, biases * sizeof *out);
    else
        pcnp_zero(out + n, biases * sizeof *out);
    pcnp_copy(copy, &model, sizeof model);
    return PCN_OK;
}

PCN_API uint32_t pcn_linear_top(const pcn_linear *m, uint32_t cls, int sign, uint32_t *feature, uint32_t k)
{
    const size_t stride = pcnp_stride(m);
    const int binary = m->scores == 1;
    const int least = (sign < 0) != (binary && cls == 0); /* of one score, the lowest weights speak most for class 0 */
    const float *w;
    uint32_t j, i, found = 0;
    if (cls >= PCN_CLASSES(m->scores) || m->features == 0) return 0;
    w = m->weight;
    if (!binary) w += pcnp_class_at(m, cls);
    for (j = 0; j < m->features && k != 0; j++) {
        float v = pcnp_float_at(w + j * stride);
        for (i = found; i != 0; i--) {
            float other = pcnp_float_at(w + feature[i - 1] * stride);
            if (least ? other <= v : other >= v) break;
            if (i < k) feature[i] = feature[i - 1];
        }
        if (i < k) feature[i] = j;
        if (found < k) found++;
    }
    return found;
}

PCN_API int pcn_decide(const float *score, uint32_t scores, int zero_negative)
{
    if (scores == 1) return pcnp_class(score[0], zero_negative);
    return (int)pcnp_best(score, scores, UINT32_MAX);
}

PCN_API float pcn_margin(const float *score, uint32_t scores, int y)
{
    if (scores == 1) return y > 0 ? score[0] : -score[0];
    return pcnp_minus(score[y], score[pcnp_best(score, scores, (uint32_t)y)]);
}

/* ---- The linear trainer: predicting ---------------------------------------------------------- */

static int pcnp_predict_one(const pcn_perceptron *m, const pcn_vec *x)
{
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    PCN_ASSERT(x->index || x->count <= m->live.features);
    return pcnp_class(pcnp_score(&m->live, x), m->live.zero_negative);
}

/* Writes to score[] `scores` scores with which the trainer predicts, beginning with score number `from`. */
static void pcnp_trainer_scores(const pcn_perceptron *m, uint32_t from, uint32_t scores, const pcn_vec *x, float *score)
{
    pcnp_scores(&m->live, from, scores, x, score);
    if (PCNP_ALL && m->own.averaging) m->own.averaging->scores(m, from, scores, x, score);
}

static int pcnp_predict_several(const pcn_perceptron *m, const pcn_vec *x)
{
    const pcn_linear *l = &m->live;
    float score[PCNP_CHUNK], best = 0;
    uint32_t c, lanes, winner = 0;
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    PCN_ASSERT(x->index || x->count <= l->features);
    for (c = 0; c < l->scores; c += lanes) {
        lanes = pcnp_lesser(l->scores - c, PCNP_CHUNK);
        pcnp_trainer_scores(m, c, lanes, x, score);
        pcnp_keep_best(score, c, lanes, &best, &winner);
    }
    return l->scores == 1 ? pcnp_class(best, l->zero_negative) : (int)winner;
}

PCN_API int pcn_perceptron_predict_at(const pcn_perceptron *m, const pcn_vec *x)
{
    PCN_ASSERT(m->own.predict);
    return m->own.predict ? m->own.predict(m, x) : 0;
}

PCN_API void pcn_perceptron_scores_at(const pcn_perceptron *m, const pcn_vec *x, float *score)
{
    PCN_ASSERT(m->own.learn);
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    pcnp_trainer_scores(m, 0, m->live.scores, x, score);
}

/* ---- The linear trainer: what has been learned ----------------------------------------------- */

PCN_API int pcn_perceptron_final(const pcn_perceptron *m, pcn_linear *model, float *out, size_t bytes)
{
    const pcn_linear *l = &m->live;
    const size_t n = PCNP_LINEAR(l->features, l->scores);
    pcn_linear to;
    if (!m->own.learn) return PCN_EOPTION;
    if (m->own.batch && pcnp_any(m->own.batch, n)) return PCN_EBATCH;
    if (out && (out == l->weight || out == m->own.batch || out == m->own.state)) return PCN_EMEMORY;
    if (out || pcnp_by_mean(m)) {
        if (!pcnp_holds(out, bytes / sizeof *out, l->features, l->scores, 1)) return PCN_EMEMORY;
        if (pcnp_by_mean(m))
            pcnp_mean(l->weight, m->own.sum, m->own.sum + n, n, m->learner.clock + 1, out);
        else
            pcnp_copy(out, l->weight, n * sizeof *out);
    }
    to = pcnp_model_at(l, out ? out : l->weight);
    to.folded = 0;
    pcnp_copy(model, &to, sizeof to);
    return PCN_OK;
}

PCN_API void pcn_perceptron_final_scores_at(const pcn_perceptron *m, const pcn_vec *x, float *score)
{
    uint32_t c;
    PCN_ASSERT(m->own.learn);
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    if (!pcnp_by_mean(m)) {
        pcnp_scores(&m->live, 0, m->live.scores, x, score);
        return;
    }
    for (c = 0; c < m->live.scores; c++) score[c] = pcnp_score_of_mean(m, c, x);
}

/* ---- The linear trainer: its arrays ---------------------------------------------------------- */

static int pcnp_init(pcn_perceptron *m, uint32_t features, uint32_t scores, float *memory, size_t bytes)
{
    pcnp_zero(m, sizeof *m);
    if (scores == 0) return PCN_EOPTION;
    if (!pcnp_holds(memory, bytes / sizeof *memory, features, scores, 3)) return PCN_EMEMORY;
    pcnp_zero(memory, PCNP_TRAINER(features, scores) * sizeof *memory);
    pcnp_learner_init(&m->learner, memory + PCNP_LINEAR(features, scores), scores);
    m->learner.bias_input = 1;
    m->live.weight = memory;
    m->live.features = features;
    m->live.scores = scores;
    m->live.bias = pcnp_biases(m, memory);
    m->own.take = PCNP_ALL ? pcnp_add_plain : NULL;
    return PCN_OK;
}

PCN_API int pcn_perceptron_init_one(pcn_perceptron *m, uint32_t features, float *memory, size_t bytes)
{
    int result = pcnp_init(m, features, 1, memory, bytes);
    if (result < 0) return result;
    m->own.learn = pcnp_learn_one;
    m->own.predict = pcnp_predict_one;
    return PCN_OK;
}

PCN_API int pcn_perceptron_init_several(pcn_perceptron *m, uint32_t features, uint32_t classes, float *memory,
                                        size_t bytes)
{
    int result = pcnp_init(m, features, classes < 3 ? 0 : classes, memory, bytes);
    if (result < 0) return result;
    m->own.learn = pcnp_learn_several;
    m->own.predict = pcnp_predict_several;
    return PCN_OK;
}

/* Returns PCN_OK if an option may be switched on now. numbers: the length of its array in floats (averaging: in pairs
 * of floats). It must cover all weights and biases. early: 1 if the option is allowed only before the first row. */
static int pcnp_check_option(const pcn_perceptron *m, const float *array, size_t numbers, int early)
{
    if (!PCNP_ALL || !m->own.learn) return PCN_EOPTION;
    if (early && (m->learner.clock != 0 || m->learner.count.rows != 0)) return PCN_ELATE;
    if (array == m->live.weight) return PCN_EMEMORY;
    return pcnp_holds(array, numbers, m->live.features, m->live.scores, 1) ? PCN_OK : PCN_EMEMORY;
}

static int pcnp_any(const float *f, size_t n)
{
    while (n != 0 && pcnp_is_zero(pcnp_float_at(f))) n--, f++;
    return n != 0;
}

PCN_API int pcn_perceptron_use_feature_major(pcn_perceptron *m)
{
    pcn_linear *l = &m->live;
    int result = pcnp_check_option(m, m->learner.score, SIZE_MAX, 1);
    if (result < 0) return result;
    if (m->own.sum || m->own.batch || m->own.state) return PCN_EOPTION;
    if (pcnp_any(l->weight, PCNP_LINEAR(l->features, l->scores))) return PCN_ELATE; /* weights were loaded or written */
    l->by_feature = 1;
    pcnp_zero(pcnp_weights(m), PCNP_LINEAR(l->features, l->scores) * sizeof(float));
    return PCN_OK;
}

/* The arrays of a trainer, as resize() sees them. An option with an array has an entry here and one in
 * pcnp_linear_format. */
enum { PCNP_MEMORY, PCNP_SUMS, PCNP_BATCH, PCNP_STATE, PCNP_RESIZED };

typedef struct pcnp_resized {
    const float *used; /* the array that the trainer has; NULL: none */
    float *array;      /* the array that takes its place */
    size_t bytes;      /* the length of that array */
    size_t blocks;     /* how often it holds weights and biases, one behind the other */
    int by_feature;    /* the layout of its weights */
    int negated;       /* 1: when one score becomes several, class 0 gets the negatives of the numbers of class 1 */
    float fresh;       /* what new numbers become */
} pcnp_resized;

static void pcnp_list_array(pcnp_resized *entry, const float *used, float *array, size_t bytes, size_t blocks,
                            int by_feature)
{
    entry->used = used;
    entry->array = array;
    entry->bytes = bytes;
    entry->blocks = blocks;
    entry->by_feature = by_feature;
    entry->negated = 1;
    entry->fresh = 0;
}

static void pcnp_list_arrays(const pcn_perceptron *m, const pcn_arrays *a, pcnp_resized *list)
{
    const int by_feature = m->live.by_feature;
    pcnp_list_array(list + PCNP_MEMORY, m->live.weight, a->memory, a->memory_bytes, 1, by_feature);
    pcnp_list_array(list + PCNP_SUMS, m->own.sum, a->sum, a->sum_bytes, 2, by_feature);
    pcnp_list_array(list + PCNP_BATCH, m->own.batch, a->batch, a->batch_bytes, 1, 0);
    pcnp_list_array(list + PCNP_STATE, m->own.state, a->state, a->state_bytes, 1, by_feature);
    list[PCNP_STATE].negated = 0;
    if (m->own.state) list[PCNP_STATE].fresh = m->own.method->begin;
}

/* Is each array that the trainer needs there, only once, and with room for the old and the new numbers? With fewer
 * features and more scores, either may be more. */
static int pcnp_arrays_fit(const pcnp_resized *list, const pcn_linear *old, uint32_t features, uint32_t scores)
{
    uint32_t i, k;
    for (i = 0; i < PCNP_RESIZED; i++) {
        const size_t numbers = list[i].bytes / (list[i].blocks * sizeof(float));
        if (!list[i].used) continue;
        if (!pcnp_holds(list[i].array, numbers, old->features, old->scores, 1)) return 0;
        if (!pcnp_holds(list[i].array, numbers, features, scores, i == PCNP_MEMORY ? 3 : 1)) return 0;
        for (k = 0; k < i; k++)
            if (list[k].used && list[k].array == list[i].array) return 0;
    }
    return 1;
}

/* Changes an array from the shape of `from` to that of `to`. New numbers become entry->fresh. If the array grows, the
 * last part moves first, so that no number is overwritten before it has moved. All parts must move in one direction:
 * `to` must not have more features and fewer scores, or the reverse. */
static void pcnp_set_shape(const pcnp_resized *entry, const pcn_linear *from, const pcn_linear *to)
{
    const int by_feature = entry->by_feature;
    const size_t old_all = PCNP_LINEAR(from->features, from->scores), all = PCNP_LINEAR(to->features, to->scores);
    const size_t old_runs = by_feature ? from->features : from->scores, runs = by_feature ? to->features : to->scores;
    const size_t old_each = by_feature ? from->scores : from->features, each = by_feature ? to->scores : to->features;
    const size_t parts = entry->blocks * (runs + 1); /* the last part of a block is its biases */
    size_t part;
    for (part = 0; part < parts; part++) {
        size_t at = all > old_all ? parts - 1 - part : part, block = at / (runs + 1), run = at % (runs + 1);
        size_t old_run = run, kept = run < old_runs ? old_each : 0, n = each;
        const float *old;
        float *now = entry->array + block * all + run * each;
        if (run == runs) {
            old_run = old_runs;
            kept = from->scores;
            n = to->scores;
        }
        old = entry->array + block * old_all + old_run * old_each;
        if (kept > n) kept = n;
        if (now != old) pcnp_copy(now, old, kept * sizeof *now);
        pcnp_set_all(now + kept, n - kept, entry->fresh);
    }
}

/* Changes all arrays to another number of features, or to more scores. */
static void pcnp_reshape(pcn_perceptron *m, const pcnp_resized *list, uint32_t features, uint32_t scores)
{
    float *weight = pcnp_weights(m);
    const pcn_linear to = pcnp_linear_of(weight, weight + (size_t)features * scores, features, scores,
                                         m->live.by_feature, m->live.zero_negative);
    uint32_t i;
    for (i = 0; i < PCNP_RESIZED; i++)
        if (list[i].used) pcnp_set_shape(list + i, &m->live, &to);
    pcnp_copy(&m->live, &to, sizeof to);
    m->live.folded = 0;
}

/* Makes the numbers of two classes from those of a single score, w. Class 1 gets w. Class 0 gets w if entry->negated is
 * 0, otherwise 0 - w (not -w, because learning never leaves a weight at -0). */
static void pcnp_split_binary(const pcnp_resized *entry, const pcn_linear *l)
{
    const size_t features = l->features, all = PCNP_LINEAR(features, l->scores);
    const size_t row = entry->by_feature ? 1 : features, stride = entry->by_feature ? l->scores : 1;
    size_t block, j;
    for (block = 0; block < entry->blocks; block++) {
        float *first = entry->array + block * all;
        for (j = 0; j <= features; j++) {
            const int weight = j < features;
            float *w = weight ? first + j * stride : first + features * l->scores;
            w[weight ? row : 1] = *w;
            if (entry->negated) *w = pcnp_minus(0, *w);
        }
    }
}

PCN_API int pcn_perceptron_resize(pcn_perceptron *m, uint32_t features, uint32_t classes, const pcn_arrays *arrays)
{
    const uint32_t was = m->live.scores, scores = PCN_SCORES(classes);
    pcnp_resized list[PCNP_RESIZED];
    uint32_t i;
    if (!m->own.learn || classes < 2 || scores < was) return PCN_EOPTION;
    if (pcnp_state_part(m) == PCN_PART_EXPONENTS && (features != m->live.features || scores != was)) return PCN_EOPTION;
    pcnp_list_arrays(m, arrays, list);
    if (!pcnp_arrays_fit(list, &m->live, features, scores)) return PCN_EMEMORY;
    m->live.weight = arrays->memory;
    if (m->own.sum) m->own.sum = arrays->sum;
    if (m->own.batch) m->own.batch = arrays->batch;
    if (m->own.state) m->own.state = arrays->state;
    pcnp_reshape(m, list, features, was); /* features first: more scores with the old features might not fit */
    pcnp_reshape(m, list, features, scores);
    if (was == 1 && scores != 1) {
        if (!pcnp_follows(m)) m->own.learn = pcnp_learn_several;
        m->own.predict = pcnp_predict_several;
        for (i = 0; i < PCNP_RESIZED; i++)
            if (list[i].used) pcnp_split_binary(list + i, &m->live);
    }
    m->learner.scores = scores;
    m->learner.score = pcnp_weights(m) + PCNP_LINEAR(features, scores);
    pcnp_zero(m->learner.score, 2 * (size_t)scores * sizeof *m->learner.score);
    return PCN_OK;
}

/* ---- The linear trainer: batches ------------------------------------------------------------- */

/* Adds a step to the batch, not to the weights. A batch is always class-major. */
static void pcnp_move_batch(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p)
{
    const uint32_t n = m->live.features;
    float *bias = pcnp_biases(m, m->own.batch) + cls;
    *bias = pcnp_plus(*bias, pcnp_times(step, p->bias));
    pcnp_axpy(m->own.batch + (size_t)cls * n, 1, n, step, p->x);
}

PCN_API int pcn_perceptron_use_batch(pcn_perceptron *m, float *batch, size_t bytes)
{
    int result = pcnp_check_option(m, batch, bytes / sizeof *batch, 1);
    if (result < 0) return result;
    if (pcnp_state_part(m) == PCN_PART_VARIANCES || pcnp_follows(m)) return PCN_EOPTION;
    pcnp_zero(batch, PCNP_LINEAR(m->live.features, m->live.scores) * sizeof *batch);
    m->own.batch = batch;
    m->own.take = pcnp_move_batch;
    return PCN_OK;
}

static void pcnp_move_weights(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p)
{
    if (m->own.averaging)
        m->own.averaging->add(m, cls, step, p);
    else
        (m->own.method ? m->own.method->add : pcnp_add_plain)(m, cls, step, p);
}

PCN_API int pcn_perceptron_apply_batch(pcn_perceptron *m, float scale)
{
    const pcn_linear *l = &m->live;
    float *batch = m->own.batch;
    size_t i, n = l->features, all = PCNP_LINEAR(n, l->scores);
    uint32_t k;
    int moves = 0, apply;
    if (!batch || pcnp_is_zero(scale)) return PCN_EOPTION;
    for (i = 0; i < all; i++) {
        if (!pcnp_finite(batch[i])) return PCN_EVALUE;
        moves |= !pcnp_is_zero(batch[i]);
    }
    for (apply = 0; moves && apply < 2; apply++)
        for (k = 0; k < l->scores; k++) {
            pcn_vec x = pcn_dense(batch + k * n, l->features);
            pcn_update p;
            pcnp_new_update(&p, &m->learner, &x, 0, NULL);
            p.bias = pcnp_biases(m, batch)[k];
            if (apply)
                pcnp_move_weights(m, k, scale, &p);
            else if (pcnp_check_step(scale, &p) < 0)
                return PCN_EVALUE;
        }
    pcnp_zero(batch, all * sizeof *batch);
    return moves;
}

PCN_API int pcn_perceptron_discard_batch(pcn_perceptron *m)
{
    if (!m->own.batch) return PCN_EOPTION;
    pcnp_zero(m->own.batch, PCNP_LINEAR(m->live.features, m->live.scores) * sizeof *m->own.batch);
    return PCN_OK;
}

PCN_API int pcn_perceptron_end_batch(pcn_perceptron *m)
{
    if (!m->own.batch) return PCN_EOPTION;
    if (pcnp_any(m->own.batch, PCNP_LINEAR(m->live.features, m->live.scores))) return PCN_EBATCH;
    m->own.batch = NULL;
    m->own.take = pcnp_move_weights;
    return PCN_OK;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Begins an epoch and sets up its Feistel network. A network of fewer than 7 bits would favour some orders of few rows.
 * Fewer than eight half-rounds would favour some differences between the numbers of successive rows. */
PCNP_NOINLINE static void pcnp_begin_epoch(pcn_pass *pass)
{
    uint32_t bits = 7, k, key;
    pass->epoch++;
    pass->left = pass->rows;
    pass->noted = 0;
    pass->updates = 0;
    while (bits < 32 && (pass->rows - 1) >> bits != 0) bits++;
    pass->low = (uint8_t)(bits / 2);
    pass->to_a = (uint8_t)(32 - (bits - pass->low));
    pass->to_b = (uint8_t)(32 - pass->low);
    key = pcnp_mix(pcnp_mix(pass->seed) + (pass->order == PCN_ORDER_ONCE ? 0 : pass->epoch));
    for (k = 0; k < sizeof pass->key / sizeof *pass->key; k++) {
        key += 0x9e3779b9u;
        pass->key[k] = pcnp_mix(key);
    }
}

/* Applies the Feistel network once. Each half-round is a bijection, whatever its hash. A hash multiplies by one key and
 * adds another, because without the second key the hash of 0 would always be 0. */
PCNP_NOINLINE static uint32_t pcnp_permute(const pcn_pass *pass, uint32_t place)
{
    const uint32_t *key = pass->key;
    uint32_t a = place >> pass->low, b = place - (a << pass->low);
    a ^= (b * key[0] + key[1]) >> pass->to_a;
    b ^= (a * key[1] + key[2]) >> pass->to_b;
    a ^= (b * key[2] + key[3]) >> pass->to_a;
    b ^= (a * key[3] + key[4]) >> pass->to_b;
    a ^= (b * key[4] + key[5]) >> pass->to_a;
    b ^= (a * key[5] + key[6]) >> pass->to_b;
    a ^= (b * key[6] + key[7]) >> pass->to_a;
    b ^= (a * key[7] + key[8]) >> pass->to_b;
    return (a << pass->low) + b;
}

PCN_API void pcn_pass_init(pcn_pass *pass, uint32_t rows, uint32_t epochs, uint32_t seed)
{
    pcnp_zero(pass, sizeof *pass);
    pass->rows = rows;
    pass->epochs = epochs;
    pass->seed = seed;
    pass->best_error = FLT_MAX;
}

/* Has the pass gone without an update for as long as pass->stop requires? */
static int pcnp_pass_is_clean(const pcn_pass *pass)
{
    if (pass->stop == PCN_STOP_WINDOW) return pass->epoch != 0 && pass->run >= pass->rows;
    if (pass->stop != PCN_STOP_EPOCH || pass->left != 0) return 0;
    return pass->noted != 0 && pass->updates == 0;
}

PCN_API int pcn_pass_next(pcn_pass *pass, uint32_t *row)
{
    uint32_t i;
    if (pass->result == PCN_END_LIMIT && pcnp_pass_is_clean(pass)) pass->result = PCN_END_CLEAN;
    if (pass->result != PCN_END_LIMIT) return 0;
    if (pass->left == 0) {
        if (pass->rows == 0 || (pass->epochs != 0 && pass->epoch >= pass->epochs)) return 0;
        pcnp_begin_epoch(pass);
    }
    i = pass->rows - pass->left;
    pass->left--;
    if (pass->order <= PCN_ORDER_ONCE) {
        do i = pcnp_permute(pass, i); /* ends at a row, because the cycle of a permutation leads back to its start */
        while (i >= pass->rows);
    } else if (pass->order == PCN_ORDER_DRAWN) {
        const uint32_t drawn = pcnp_mix(pass->key[0] + i) ^ pcnp_mix(pass->key[1] + i);
        i = (uint32_t)((uint64_t)drawn * pass->rows >> 32);
    }
    *row = i;
    return 1;
}

PCN_API int pcn_pass_note(pcn_pass *pass, int learned)
{
    if (learned < 0) {
        pass->result = learned;
        return 0;
    }
    pass->noted++;
    if (learned != 0) {
        pass->run = 0;
        pass->offered = 0;
        pass->updates++;
        pass->changed = 1;
        return 0;
    }
    pass->run++;
    if (pass->run <= pass->pocket_run || pass->offered) return 0;
    pass->offered = 1;
    return 1;
}

PCN_API void pcn_pass_keep(pcn_pass *pass)
{
    pass->pocket_run = pass->run;
    pass->offered = 0;
}

PCN_API int pcn_pass_check(pcn_pass *pass, float error)
{
    int is_over;
    if (error < pass->best_error) {
        pass->best_error = error;
        pass->waited = 0;
        return 1;
    }
    pass->waited++;
    is_over = pass->patience != 0 && pass->waited >= pass->patience;
    if (is_over && pass->result == PCN_END_LIMIT && !pcnp_pass_is_clean(pass)) pass->result = PCN_END_PATIENCE;
    return 0;
}

/* Uses Brent's algorithm. It compares the weights with one copy, made anew at epochs 0, 1, 2, 4, 8 and so on. */
PCN_API int pcn_pass_cycle(pcn_pass *pass, const float *weight, float *copy, size_t n)
{
    size_t i = 0;
    PCN_ASSERT(copy != weight);
    if (pass->epoch != 0 && pass->changed) {
        while (i < n && weight[i] == copy[i]) i++;
        if (i == n) return 1;
    }
    if (pass->epoch >= pass->cycle_epoch) {
        pcnp_copy(copy, weight, n * sizeof *copy);
        if (pass->epoch == 0)
            pass->cycle_epoch = 1;
        else if (pass->epoch <= UINT32_MAX / 2)
            pass->cycle_epoch = 2 * pass->epoch;
        else
            pass->cycle_epoch = UINT32_MAX;
        pass->changed = 0;
    }
    return 0;
}

/* ---- Measures -------------------------------------------------------------------------------- */

PCN_API void pcn_measure_init(pcn_measure *measure)
{
    pcnp_zero(measure, sizeof *measure);
}

PCN_API void pcn_measure_add(pcn_measure *measure, const float *score, uint32_t scores, int y, int guess, float norm2)
{
    const float margin = pcn_margin(score, scores, y);
    const int label = scores == 1 ? y > 0 : y;
    if (measure->rows == 0 || margin < measure->margin) measure->margin = margin;
    if (norm2 > measure->radius2) measure->radius2 = norm2;
    measure->rows++;
    measure->errors += guess != label;
    measure->strict += margin < 0;
    measure->violations += margin <= 0;
    if (margin < 0) {
        float lost;
        measure->loss = pcnp_plus_exactly(measure->loss, -margin, &lost);
        measure->loss_low = pcnp_plus(measure->loss_low, lost);
    }
}

static float pcnp_infinity(void)
{
    return pcnp_from_bits(0x7f800000u);
}

PCN_API float pcn_measure_margin(const pcn_measure *measure)
{
    return measure->margin > 0 ? measure->margin : -pcnp_infinity();
}

PCN_API float pcn_measure_bound(const pcn_measure *measure, float weight_norm2)
{
    if (!(measure->margin > 0)) return pcnp_infinity();
    return pcnp_times(pcnp_over(measure->radius2, measure->margin), pcnp_over(weight_norm2, measure->margin));
}

/* ---- Results --------------------------------------------------------------------------------- */

#ifndef PCN_TEXT
#define PCN_TEXT(text) text
#endif

PCN_API const char *pcn_error_text(int result)
{
#define PCNP_TEXT(name, value, text)                                                                                   \
    if (result == value) return PCN_TEXT(text);
    PCN_ERRORS(PCNP_TEXT)
#undef PCNP_TEXT
    if (result < 0) return PCN_TEXT("unknown error");
    return PCN_TEXT("ok");
}

PCN_API uint32_t pcn_version(void)
{
    return PERCEPTRON_VERSION;
}

/* ---- Images ----------------------------------------------------------------------------------
 * A pcnp_format lists the arrays of an image in their order. The functions that check, load and save arrays follow this
 * list. Each open function names its own format, so that only the formats in use are linked. */

#define PCNP_VERSION 1u
#define PCNP_MAGIC 0x1a4e4350u         /* "PCN" 0x1A */
#define PCNP_PROGRAM_MAGIC 0x4d4e4350u /* "PCNM" */
#define PCNP_ALL_PARTS 32767u
#define PCNP_LAST_KIND PCN_KIND_SCALER

enum { PCNP_HEADER = 64, PCNP_KERNEL_HEADER = 104, PCNP_ARRAYS = 6 }; /* header lengths; maximum number of arrays */

typedef struct pcnp_kernel_head { /* bytes 64 .. 103 of the image of a kernel model */
    uint32_t id, degree;
    float gamma, coef0, bias2;
    uint32_t votes, cells, seed;
    float slack;
    uint32_t none;
} pcnp_kernel_head;

struct pcnp_format;

enum { PCNP_PRODUCT, PCNP_PER_SCORE, PCNP_BOTH };          /* values of pcnp_array.unit: weights, scores, or both */
enum { PCNP_SLOTS, PCNP_COEFS, PCNP_CELLS, PCNP_ENTRIES }; /* values of pcnp_array.unit in kernel models */
#define PCNP_ALWAYS 0x8000u                                /* in pcnp_array.parts: all images have the array */

typedef struct pcnp_image { /* the layout of an image */
    pcn_image head;         /* its first 64 bytes are the header, in the machine's byte order */
    pcnp_kernel_head kernel;
    const struct pcnp_format *format;
    uint64_t unit[4]; /* how many of each unit there are */
    uint64_t length;
    size_t at[PCNP_ARRAYS + 1]; /* where each array begins and, last, where the checksum begins */
    uint32_t bytes;             /* length of a weight of an integer model */
    uint32_t more;              /* is added to `most` of the arrays whose `wider` is 1 */
} pcnp_image;

typedef struct pcnp_array {
    uint16_t parts;              /* the array is in images that have one of these parts */
    unsigned bytes : 4;          /* length of a number; 0: it is pcnp_image.bytes */
    unsigned each : 3, unit : 2; /* the array has `each` numbers for each unit, such as a weight */
    unsigned shift : 1;          /* word w is valid if (w << shift) - (least << 23) <= most; a shift drops the sign */
    unsigned wider : 1;          /* 1: pcnp_image.more is added to most */
    uint16_t least;
    uint32_t most;
} pcnp_array;

/* Ranges of words: the members shift, wider, least and most of pcnp_array. */
#define PCNP_ANY 0, 0, 0, UINT32_MAX
#define PCNP_FLOATS(end) 1, 0, 0, (end)*2u - 1                     /* |f| is below the float that has the bits `end` */
#define PCNP_WEIGHT_END 0x67800000u                                /* 2^80 */
#define PCNP_EXPONENT_END 0x49800001u                              /* the next float above 2^20 */
#define PCNP_FLOAT_END 0x7f800000u                                 /* infinity */
#define PCNP_UP_TO(most) 0, 0, 0, (most)                           /* 0 .. most, as integers or bits of floats */
#define PCNP_WHOLE(wider) 0, wider, 0x180, 2u * (uint32_t)PCN_IMAX /* -PCN_IMAX .. PCN_IMAX */
#define PCNP_VARIANCE 0, 0, 1, 0x3f800000u - 0x00800000u           /* 2^-126 .. 1 */
/* A sum is (clock + 1) (w - mean). As |w| and |mean| are below 2^80, |sum| is below 2^81 (clock + 1). The limit here is
 * 2^81. pcnp_image.more multiplies it by clock + 1, rounded up to a power of 2. Then no |mean| passes 2^84. */
#define PCNP_SUM 1, 1, 0, 2u * 0x68000000u - 1

typedef struct pcnp_format {
    uint8_t first, last, header;                         /* first and last kind; length of the header in bytes */
    int (*valid)(pcnp_image *layout, const void *image); /* Is the header valid? Also fills layout->unit. */
    pcnp_array array[PCNP_ARRAYS];
} pcnp_format;

static int pcnp_is_little_endian(void)
{
    const uint32_t one = 1;
    uint8_t first;
    pcnp_copy_word(&first, &one, 1);
    return first == 1;
}

/* Copies n numbers of 1, 2, 4 or 8 bytes from memory to an image, which is little-endian, or back. */
static void pcnp_copy_numbers(void *to, const void *from, size_t n, size_t bytes)
{
    uint8_t *p = (uint8_t *)to;
    const uint8_t *q = (const uint8_t *)from;
    size_t k;
    if (pcnp_is_little_endian())
        pcnp_copy(to, from, n * bytes);
    else
        for (k = 0; k < n * bytes; k++) p[k] = q[k ^ (bytes - 1)];
}

static void pcnp_copy_header(void *to, const void *from)
{
    pcnp_copy_numbers(to, from, 8, 4);
    pcnp_copy_numbers((uint8_t *)to + 32, (const uint8_t *)from + 32, 4, 8);
}

static uint32_t pcnp_get(const void *image, size_t at)
{
    const uint8_t *p = (const uint8_t *)image + at;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static const uint32_t pcnp_crc_table[16] = {
    0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
    0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};

/* Updates a CRC by eight bytes at a time, without the last size % 8. t[k][b] is the CRC of byte b and k zero bytes. */
static uint32_t pcnp_crc_long(uint32_t crc, const uint8_t *p, size_t size)
{
    uint32_t t[8][256], i, k, more;
    for (i = 0; i < 256; i++) {
        more = i;
        for (k = 0; k < 16; k++) {
            more = more >> 4 ^ pcnp_crc_table[more & 15u];
            t[k / 2][i] = more;
        }
    }
    for (; size >= 8; size -= 8, p += 8) {
        crc ^= pcnp_get(p, 0);
        more = pcnp_get(p, 4);
        crc = t[7][crc & 255u] ^ t[6][crc >> 8 & 255u] ^ t[5][crc >> 16 & 255u] ^ t[4][crc >> 24];
        crc ^= t[3][more & 255u] ^ t[2][more >> 8 & 255u] ^ t[1][more >> 16 & 255u] ^ t[0][more >> 24];
    }
    return crc;
}

/* Looks up each half of a byte in a table of 64 bytes. For long inputs, 64-bit machines first make tables of 8 KB. */
PCN_API uint32_t pcn_crc32(uint32_t crc, const void *bytes, size_t size)
{
    const uint8_t *p = (const uint8_t *)bytes;
    crc = ~crc;
    if (!PCNP_SMALL && SIZE_MAX > UINT32_MAX && size >= 2048) {
        crc = pcnp_crc_long(crc, p, size);
        p += size - size % 8;
        size %= 8;
    }
    for (; size != 0; size--) {
        crc ^= *p++;
        crc = crc >> 4 ^ pcnp_crc_table[crc & 15u];
        crc = crc >> 4 ^ pcnp_crc_table[crc & 15u];
    }
    return ~crc;
}

/* ---- Images: reading ------------------------------------------------------------------------- */

static int pcnp_has(const pcnp_image *layout, const pcnp_array *form)
{
    return ((layout->head.parts | PCNP_ALWAYS) & form->parts) != 0;
}

static uint32_t pcnp_bytes(const pcnp_image *layout, const pcnp_array *form)
{
    return form->bytes != 0 ? form->bytes : layout->bytes;
}

/* Reads a header, of which `have` bytes are present, and finds the arrays. PCN_EMATCH: the image has another format. */
static int pcnp_read_header(pcnp_image *layout, const pcnp_format *format, const void *image, size_t have)
{
    pcn_image *head = &layout->head;
    uint64_t at = format->header;
    uint32_t k;
    layout->bytes = 0;
    layout->more = 0;
    if (!image || have < PCNP_HEADER) return PCN_EIMAGE;
    if (pcnp_get(image, 0) == PCNP_PROGRAM_MAGIC) return PCN_EPROGRAM;
    if (pcnp_get(image, 0) != PCNP_MAGIC) return PCN_EIMAGE;
    pcnp_copy_header(head, image);
    head->cells = 0;
    head->kernel_id = 0;
    if (head->version > PCNP_VERSION || head->parts > PCNP_ALL_PARTS || head->kind > PCNP_LAST_KIND)
        return PCN_EVERSION;
    if (head->version == 0 || head->kind == 0) return PCN_EIMAGE;
    if (!pcnp_is_scores(head->scores)) return head->scores == 0 ? PCN_EIMAGE : PCN_ESCORES;
    if (head->kind < format->first || head->kind > format->last) return PCN_EMATCH;
    if (have < format->header) return PCN_EIMAGE;
    if (!format->valid(layout, image)) return PCN_EIMAGE;
    if (format->header == PCNP_KERNEL_HEADER && layout->kernel.votes > 3) return PCN_EVERSION;
    layout->format = format;
    for (k = 0; k < PCNP_ARRAYS; k++) {
        const pcnp_array *form = &format->array[k];
        layout->at[k] = (size_t)at;
        if (pcnp_has(layout, form))
            at += (layout->unit[form->unit] * (form->each * pcnp_bytes(layout, form)) + 3) / 4 * 4;
    }
    layout->at[k] = (size_t)at;
    layout->length = at + 4;
    return PCN_OK;
}

/* Are these words of an array in the range that learning can produce? */
static int pcnp_words_valid(const pcnp_image *layout, const pcnp_array *form, const void *words, size_t n)
{
    const uint32_t most = form->wider ? form->most + layout->more : form->most;
    size_t k;
    for (k = 0; k < n; k++)
        if ((pcnp_get(words, 4 * k) << form->shift) - ((uint32_t)form->least << 23) > most) return 0;
    return 1;
}

/* Verifies an image: its header, its checksum and its numbers. */
static int pcnp_read(pcnp_image *layout, const pcnp_format *format, const void *image, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)image;
    int k, result = pcnp_read_header(layout, format, image, size);
    if (result < 0) return result;
    if (layout->length > size) return PCN_EIMAGE;
    size = layout->at[PCNP_ARRAYS];
    if (pcn_crc32(0, image, size) != pcnp_get(image, size)) return PCN_EIMAGE;
    for (k = 0; k < PCNP_ARRAYS; k++) {
        const size_t first = layout->at[k], words = (layout->at[k + 1] - first) / 4;
        if (!pcnp_words_valid(layout, &format->array[k], bytes + first, words)) return PCN_EIMAGE;
    }
    return PCN_OK;
}

/* Returns PCN_OK if a frozen model can point into this verified image, otherwise the error. */
static int pcnp_in_place(const pcnp_image *layout, const void *image)
{
    if (layout->head.parts & PCN_PART_SUMS) return PCN_EMEAN;
    if (!pcnp_is_little_endian() || (uintptr_t)image % 4 != 0) return PCN_EALIGN;
    return PCN_OK;
}

static const void *pcnp_array_in(const pcnp_image *layout, const void *image, int k)
{
    return pcnp_has(layout, &layout->format->array[k]) ? (const uint8_t *)image + layout->at[k] : NULL;
}

/* Is there an array in memory for each array of the image? */
static int pcnp_covers(const void *const *array, const pcnp_image *layout)
{
    int k;
    for (k = 0; k < PCNP_ARRAYS; k++)
        if (layout->at[k] != layout->at[k + 1] && !array[k]) return 0;
    return 1;
}

/* Copies the arrays of an image to those of a trainer. If the image lacks an array, the trainer's array becomes 0. */
static void pcnp_load_arrays(const void *const *array, const pcnp_image *layout, const void *image)
{
    int k;
    for (k = 0; k < PCNP_ARRAYS; k++) {
        const pcnp_array *form = &layout->format->array[k];
        const size_t n = form->each * (size_t)layout->unit[form->unit], bytes = pcnp_bytes(layout, form);
        const void *from = pcnp_array_in(layout, image, k);
        void *to = (void *)(uintptr_t)array[k];
        if (to && from) pcnp_copy_numbers(to, from, n, bytes);
        if (to && !from) pcnp_zero(to, n * bytes);
    }
}

/* ---- Images: writing ------------------------------------------------------------------------- */

/* An image that is being written. Only its bytes [from, from + size) go to out. `at` counts the bytes so far. */
typedef struct pcnp_window {
    pcnp_image image;
    uint8_t *out;
    size_t from, size, at;
    uint32_t crc;
    uint8_t summed;  /* 1: out gets bytes of the checksum, so the checksum is computed */
    uint8_t checked; /* 1: numbers are checked */
    uint8_t bad;     /* 1: load() would refuse a number */
} pcnp_window;

static void pcnp_put_bytes(pcnp_window *window, const void *bytes, size_t n)
{
    const size_t skip = window->at < window->from ? window->from - window->at : 0;
    const size_t shown = window->at + skip - window->from;
    if (window->summed) window->crc = pcn_crc32(window->crc, bytes, n);
    if (skip < n && shown < window->size) {
        const size_t most = window->size - shown, rest = n - skip;
        pcnp_copy(window->out + shown, (const uint8_t *)bytes + skip, rest < most ? rest : most);
    }
    window->at += n;
}

static void pcnp_put_numbers(pcnp_window *window, int k, const void *numbers, size_t n)
{
    const pcnp_array *form = &window->image.format->array[k];
    const size_t bytes = pcnp_bytes(&window->image, form), step = pcnp_is_little_endian() ? n : 1;
    const uint8_t *p = (const uint8_t *)numbers;
    uint8_t turned[8];
    for (; n != 0; n -= step, p += step * bytes) {
        const void *from = pcnp_is_little_endian() ? p : turned;
        if (from == turned) pcnp_copy_numbers(turned, p, 1, bytes);
        if (window->checked && !pcnp_words_valid(&window->image, form, from, step * bytes / 4)) window->bad = 1;
        pcnp_put_bytes(window, from, step * bytes);
    }
}

/* Writes array k if the image has it. Pads it with zeros to a multiple of 4 bytes. */
static void pcnp_put_array(pcnp_window *window, int k, const void *array)
{
    static const uint8_t zeros[3] = {0, 0, 0};
    const pcnp_image *layout = &window->image;
    const pcnp_array *form = &layout->format->array[k];
    if (layout->at[k] == layout->at[k + 1]) return;
    pcnp_put_numbers(window, k, array, form->each * (size_t)layout->unit[form->unit]);
    pcnp_put_bytes(window, zeros, layout->at[k + 1] - window->at);
}

/* Clears *window and fills what all kinds of images have in the head. The caller then sets what only this kind has. */
static void pcnp_describe(pcnp_window *window, uint32_t kind, uint32_t parts, uint32_t features, uint32_t scores)
{
    pcn_image *head = &window->image.head;
    pcnp_zero(window, sizeof *window);
    head->magic = PCNP_MAGIC;
    head->version = PCNP_VERSION;
    head->kind = kind;
    head->parts = parts;
    head->features = features;
    head->scores = scores;
}

/* Writes the header. Returns 0 if load() would refuse it, if an array is missing, or if out is one of the arrays. */
static int pcnp_window_begin(pcnp_window *window, const pcnp_format *format, const void *const *array, size_t from,
                             void *out, size_t size)
{
    uint8_t header[PCNP_KERNEL_HEADER];
    pcnp_image *layout = &window->image;
    size_t end;
    int k;
    for (k = 0; k < PCNP_ARRAYS; k++)
        if (out && out == array[k]) return 0;
    pcnp_copy_header(header, &layout->head);
    pcnp_copy_numbers(header + PCNP_HEADER, &layout->kernel, 10, 4);
    if (pcnp_read_header(layout, format, header, format->header) < 0) return 0;
    if (!pcnp_covers(array, layout) || layout->length > SIZE_MAX) return 0;
    end = layout->at[PCNP_ARRAYS];
    window->out = (uint8_t *)out;
    window->from = from;
    window->size = size;
    window->summed = from < end + 4 && (from >= end || size > end - from);
    window->checked = window->summed || size == 0;
    pcnp_put_bytes(window, header, format->header);
    return 1;
}

/* Writes the checksum, and 0xff to the rest of out. Returns the length, or 0 if load() would refuse a number. */
static size_t pcnp_window_end(pcnp_window *window)
{
    uint8_t sum[4];
    size_t shown;
    pcnp_copy_numbers(sum, &window->crc, 1, 4);
    pcnp_put_bytes(window, sum, 4);
    shown = window->from < window->at ? window->at - window->from : 0;
    if (shown < window->size) pcnp_fill(window->out + shown, 0xff, window->size - shown);
    return window->bad ? 0 : window->at;
}

/* Writes an image that consists of a header and whole arrays. Returns what save_part() returns. */
static size_t pcnp_save_arrays(pcnp_window *window, const pcnp_format *format, const void *const *array, size_t from,
                               void *out, size_t size)
{
    int k;
    if (!pcnp_window_begin(window, format, array, from, out, size)) return 0;
    for (k = 0; k < PCNP_ARRAYS; k++) pcnp_put_array(window, k, array[k]);
    return pcnp_window_end(window);
}

/* ---- Images: linear models ------------------------------------------------------------------- */

/* Sets layout->unit of a linear or integer model. Returns 0 if the header has 2^56 weights or more, or any slots. */
static int pcnp_count_weights(pcnp_image *layout)
{
    const uint32_t scores = layout->head.scores;
    const uint64_t product = (uint64_t)layout->head.features * scores;
    layout->unit[PCNP_PRODUCT] = product;
    layout->unit[PCNP_PER_SCORE] = scores;
    layout->unit[PCNP_BOTH] = product + scores;
    return product >> 56 == 0 && layout->head.slots == 0;
}

static int pcnp_linear_header_valid(pcnp_image *layout, const void *image)
{
    const pcn_image *head = &layout->head;
    const uint32_t parts = head->parts, flags = PCN_PART_BIAS | PCN_PART_FEATURE_MAJOR | PCN_PART_ZERO_NEGATIVE;
    const uint32_t arrays = PCN_PART_SUMS | PCN_PART_BATCH | PCN_PART_EXPONENTS | PCN_PART_VARIANCES;
    uint64_t clock;
    (void)image;
    if (!pcnp_count_weights(layout)) return 0;
    if (head->entries != 0 && !(parts & PCN_PART_FOLLOWING)) return 0;
    if (head->entries + PCNP_BEHIND > PCNP_AHEAD + PCNP_BEHIND) return 0; /* entries is learner.ahead, as a uint32_t */
    if (head->kind == PCN_KIND_LINEAR) return !(parts & ~(flags | PCN_PART_FOLDED));
    if (parts & ~(flags | arrays | PCN_PART_FOLLOWING | PCN_PART_BALANCED)) return 0;
    if (!(parts & PCN_PART_BIAS)) return 0;
    if ((parts & PCN_PART_VARIANCES) && (parts & (PCN_PART_BATCH | PCN_PART_EXPONENTS))) return 0;
    if ((parts & PCN_PART_BALANCED) && !(parts & PCN_PART_EXPONENTS)) return 0;
    if ((parts & PCN_PART_FOLLOWING) && (parts & (PCN_PART_SUMS | PCN_PART_BATCH)) != PCN_PART_SUMS) return 0;
    for (clock = head->clock; clock != 0; clock >>= 1) layout->more += 2u * 0x00800000u; /* doubles the limit */
    return !(parts & PCN_PART_SUMS) || head->clock <= PCNP_CLOCK_END;
}

static const pcnp_format pcnp_linear_format = {
    PCN_KIND_LINEAR,
    PCN_KIND_PERCEPTRON,
    PCNP_HEADER,
    pcnp_linear_header_valid,
    {{PCNP_ALWAYS, 4, 1, PCNP_PRODUCT, PCNP_FLOATS(PCNP_WEIGHT_END)},
     {PCN_PART_BIAS, 4, 1, PCNP_PER_SCORE, PCNP_FLOATS(PCNP_WEIGHT_END)},
     {PCN_PART_SUMS, 4, 2, PCNP_BOTH, PCNP_SUM},
     {PCN_PART_BATCH, 4, 1, PCNP_BOTH, PCNP_FLOATS(PCNP_WEIGHT_END)},
     {PCN_PART_EXPONENTS, 4, 1, PCNP_BOTH, PCNP_FLOATS(PCNP_EXPONENT_END)},
     {PCN_PART_VARIANCES, 4, 1, PCNP_BOTH, PCNP_VARIANCE}}};

/* Lists the arrays of m, and of trainer if not NULL, in the order of the format. Returns the parts of the image. */
static uint32_t pcnp_linear_arrays(const pcn_linear *m, const pcn_perceptron *trainer, const void **array)
{
    uint32_t state = trainer ? pcnp_state_part(trainer) : 0, parts = 0, k;
    array[0] = m->weight;
    array[1] = m->bias;
    array[2] = trainer ? trainer->own.sum : NULL;
    array[3] = trainer ? trainer->own.batch : NULL;
    array[4] = state == PCN_PART_EXPONENTS ? trainer->own.state : NULL;
    array[5] = state == PCN_PART_VARIANCES ? trainer->own.state : NULL;
    for (k = 1; k < PCNP_ARRAYS; k++)
        if (array[k]) parts |= pcnp_linear_format.array[k].parts;
    if (state != 0 && trainer->own.method->balanced) parts |= PCN_PART_BALANCED;
    if (array[2]) parts |= trainer->own.averaging->parts;
    if (pcnp_stride(m) != 1) parts |= PCN_PART_FEATURE_MAJOR;
    if (m->zero_negative) parts |= PCN_PART_ZERO_NEGATIVE;
    if (m->folded) parts |= PCN_PART_FOLDED;
    return parts;
}

static size_t pcnp_save_linear(const pcn_linear *m, const pcn_perceptron *trainer, size_t from, void *out, size_t size)
{
    const void *array[PCNP_ARRAYS];
    const uint32_t parts = pcnp_linear_arrays(m, trainer, array);
    pcnp_window window;
    pcn_image *head = &window.image.head;
    pcnp_describe(&window, trainer ? PCN_KIND_PERCEPTRON : PCN_KIND_LINEAR, parts, m->features, m->scores);
    if (trainer) {
        pcnp_copy(&head->count, &trainer->learner.count, sizeof head->count);
        head->clock = trainer->learner.clock;
        head->entries = (uint32_t)trainer->learner.ahead;
    }
    return pcnp_save_arrays(&window, &pcnp_linear_format, array, from, out, size);
}

PCN_API size_t pcn_linear_save_part(const pcn_linear *m, size_t from, void *out, size_t size)
{
    return pcnp_save_linear(m, NULL, from, out, size);
}

PCN_API size_t pcn_perceptron_save_part(const pcn_perceptron *m, size_t from, void *out, size_t size)
{
    return m->own.learn ? pcnp_save_linear(&m->live, m, from, out, size) : 0;
}

/* Returns PCN_EBATCH if the image has a batch with steps, because these steps are not in the weights yet. */
static int pcnp_batch_is_empty(const pcnp_image *layout, const void *image)
{
    const float *batch = (const float *)(const void *)((const uint8_t *)image + layout->at[3]);
    return pcnp_any(batch, (layout->at[4] - layout->at[3]) / 4) ? PCN_EBATCH : PCN_OK;
}

PCN_API int pcn_linear_open(pcn_linear *m, const void *image, size_t size)
{
    pcnp_image layout;
    const pcn_image *head = &layout.head;
    int result = pcnp_read(&layout, &pcnp_linear_format, image, size);
    if (result == PCN_OK) result = pcnp_in_place(&layout, image);
    if (result == PCN_OK) result = pcnp_batch_is_empty(&layout, image);
    if (result < 0) return result;
    m->weight = (const float *)pcnp_array_in(&layout, image, 0);
    m->bias = (const float *)pcnp_array_in(&layout, image, 1);
    m->features = head->features;
    m->scores = head->scores;
    m->by_feature = (head->parts & PCN_PART_FEATURE_MAJOR) != 0;
    m->zero_negative = (head->parts & PCN_PART_ZERO_NEGATIVE) != 0;
    m->folded = (uint8_t)(head->parts / PCN_PART_FOLDED); /* 0 or 1, because linear images have no higher bit */
    PCNP_FORGET(image);
    return PCN_OK;
}

PCN_API int pcn_perceptron_load(pcn_perceptron *m, const void *image, size_t size)
{
    uint32_t must = PCN_PART_EXPONENTS | PCN_PART_BALANCED; /* image and trainer must agree in these parts */
    const void *array[PCNP_ARRAYS];
    pcnp_image layout;
    const pcn_image *head = &layout.head;
    int result = pcnp_read(&layout, &pcnp_linear_format, image, size);
    if (result < 0) return result;
    if (!m->own.learn) return PCN_EOPTION;
    if (head->parts & PCN_PART_FOLDED) return PCN_EFOLDED;
    if (head->features != m->live.features || head->scores != m->live.scores) return PCN_EMATCH;
    must |= head->parts & PCN_PART_FOLLOWING;
    if (head->scores != 1) must |= PCN_PART_FEATURE_MAJOR;
    if ((head->parts ^ pcnp_linear_arrays(&m->live, m, array)) & must) return PCN_EMATCH;
    if (!pcnp_covers(array, &layout)) return PCN_EMATCH;
    pcnp_load_arrays(array, &layout, image);
    if (pcnp_state_part(m) & ~head->parts)
        pcnp_set_all(m->own.state, PCNP_LINEAR(head->features, head->scores), m->own.method->begin);
    pcnp_copy(&m->learner.count, &head->count, sizeof head->count);
    m->learner.clock = m->own.sum && !(head->parts & PCN_PART_SUMS) ? 0 : head->clock;
    m->learner.ahead = (int8_t)(int32_t)head->entries;
    m->learner.moved = 0;
    m->live.zero_negative = (head->parts & PCN_PART_ZERO_NEGATIVE) != 0;
    return PCN_OK;
}

/* ============================================================================================== */
/* ==== The engine room ========================================================================= */
/* ============================================================================================== */

/* ---- Arithmetic that is rounded where it is written ------------------------------------------
 * PCNP_ROUND must follow every product and every sum. It is an empty asm statement that could change the value, as far
 * as the compiler knows. So the compiler cannot fuse a product into a sum, reorder sums, or keep excess precision.
 * Flags and pragmas do not suffice: in its gnu modes, gcc fuses even vector intrinsics. MSVC has no such asm statement.
 * There, a volatile variable rounds scalars, and the pragmas above keep vectors from being fused or reordered. */

#if defined(__GNUC__) || defined(__clang__)
#define PCNP_BARRIER(where, v) __asm__("" : where(v))
#else
#define PCNP_BARRIER(where, v) ((void)0)
#define PCNP_ROUND(s)                                                                                                  \
    do {                                                                                                               \
        volatile float pcnp_r = (s);                                                                                   \
        (s) = pcnp_r;                                                                                                  \
    } while (0)
#endif

#ifdef PCNP_ROUND
#elif defined(__x86_64__) || (defined(__i386__) && defined(__SSE_MATH__))
#define PCNP_ROUND(s) PCNP_BARRIER("+x", s)
#elif defined(__aarch64__)
#define PCNP_ROUND(s) PCNP_BARRIER("+w", s)
#elif defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
#define PCNP_ROUND(s) PCNP_BARRIER("+t", s)
#elif defined(__riscv_flen) || (defined(__powerpc__) && !defined(_SOFT_FLOAT) && !defined(__NO_FPRS__)) ||             \
    (defined(__s390__) &&                                                                                              \
     (defined(__clang__) || defined(__FP_FAST_FMAF))) /* the only macro by which gcc shows hardware floats */
#define PCNP_ROUND(s) PCNP_BARRIER("+f", s)
#elif defined(__i386__) || defined(__m68k__)
#define PCNP_ROUND(s) PCNP_BARRIER("+m", s) /* x87 and m68k: the store to memory rounds */
#elif !defined(__clang__) || defined(__arm__) || defined(__riscv) || defined(__wasm__) || defined(__loongarch__) ||    \
    defined(__hexagon__) || defined(__xcore__)
#define PCNP_ROUND(s) PCNP_BARRIER("+r", s) /* gcc can move any float to such a register and back */
#else
#define PCNP_ROUND(s) PCNP_BARRIER("+m", s) /* clang cannot do so on MIPS and AVR; memory works nearly everywhere */
#endif

static float pcnp_from_bits(uint32_t bits)
{
    float f;
    pcnp_copy_word(&f, &bits, sizeof f);
    return f;
}

static uint32_t pcnp_to_bits(float f)
{
    uint32_t bits;
    pcnp_copy_word(&bits, &f, sizeof bits);
    return bits;
}

PCN_MAYBE_UNUSED static inline float pcnp_plus(float a, float b)
{
    float s = a + b;
    PCNP_ROUND(s);
    return s;
}

PCN_MAYBE_UNUSED static inline float pcnp_times(float a, float b)
{
    float p = a * b;
    PCNP_ROUND(p);
    return p;
}

PCN_MAYBE_UNUSED static inline float pcnp_over(float a, float b)
{
    float q = a / b;
    PCNP_ROUND(q);
    return q;
}

#if PCNP_SOFT_FLOAT
/* Without an FPU, a - b is computed as a + -b, and floats are compared by their bits. So the library's functions for
 * subtraction and comparison are not linked. */

PCN_MAYBE_UNUSED static inline float pcnp_minus(float a, float b)
{
    b = -b;
    PCNP_ROUND(b);
    return pcnp_plus(a, b);
}

/* Returns an integer for each float, in the order of the floats. -0 becomes 0. */
PCN_MAYBE_UNUSED static inline int32_t pcnp_order(float f)
{
    uint32_t bits = pcnp_to_bits(f);
    if (bits >> 31) return -(int32_t)(bits & 0x7fffffffu);
    return (int32_t)bits;
}

/* Compares floats, NaN included. Returns 1 if a > b, 0 if a == b, and -1 if a < b or if one of them is NaN. */
PCNP_NOINLINE PCN_MAYBE_UNUSED static int pcnp_compare(float a, float b)
{
    const int32_t x = pcnp_order(a), y = pcnp_order(b);
    const uint32_t nan = 0xff000001u;
    if (x < y || pcnp_to_bits(a) << 1 >= nan || pcnp_to_bits(b) << 1 >= nan) return -1;
    return x > y;
}

#define pcnp_above(a, b) (pcnp_compare(a, b) > 0)
#define pcnp_reaches(a, b) (pcnp_compare(a, b) >= 0)
#else
#define pcnp_above(a, b) ((a) > (b)) /* false if a or b is NaN */
#define pcnp_reaches(a, b) ((a) >= (b))
PCN_MAYBE_UNUSED static inline float pcnp_minus(float a, float b)
{
    float s = a - b;
    PCNP_ROUND(s);
    return s;
}
#endif

static inline int pcnp_is_zero(float f)
{
    return pcnp_to_bits(f) << 1 == 0;
}

static inline int pcnp_finite(float f)
{
    return pcnp_to_bits(f) << 1 < 0xff000000u;
}

/* Is f at least 0? Infinity is, NaN is not. */
static inline int pcnp_not_negative(float f)
{
    return pcnp_to_bits(f) <= 0x7f800000u || pcnp_is_zero(f);
}

/* Converts a count to float: the upper 32 bits times 2^32, plus the lower 32 bits. */
PCN_MAYBE_UNUSED static inline float pcnp_float(uint64_t n)
{
    float high = (float)(uint32_t)(n >> 32), low = (float)(uint32_t)(n & UINT32_MAX);
    PCNP_ROUND(low);
    return pcnp_plus(pcnp_times(high, 4294967296.0f), low);
}

/* A pcnp_isum is a sum of products w x of integers, modulo 2^64, with |w| <= 2^30 and x of 16 bits. pcnp_idense_dot
 * takes some of the n products, from the first on, sets *sum to their sum, and returns how many. The caller adds the
 * rest. */
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__) || defined(__AVR__)
/* These processors have no instruction that multiplies 32 by 32 bits to 64 bits. So w is split: w = 65536 (w >> 16) +
 * (w mod 65536). The products of both parts with x fit in 32 bits. */

typedef struct pcnp_isum {
    uint64_t high;
    uint32_t low; /* the sum is 65536 high + low; 65,535 additions cannot overflow low */
} pcnp_isum;

static inline void pcnp_izero(pcnp_isum *s) /* by address, because gcc -O0 calls memcpy to return a struct */
{
    s->high = 0;
    s->low = 0;
}

static inline void pcnp_iadd(pcnp_isum *s, int32_t w, int32_t x)
{
    int32_t low = (int32_t)((uint32_t)w & 0xffffu) * x;
    s->high += (uint64_t)(int64_t)((w >> 16) * x + (low >> 16));
    s->low += (uint32_t)low & 0xffffu;
}

static inline int64_t pcnp_itotal(const pcnp_isum *s)
{
    return (int64_t)((s->high << 16) + s->low);
}

/* Keeps three sums modulo 2^32, so that no carry is needed: `all` of w x, `upper` of (w >> 10) x, and `top` of (w >>
 * 20) x. Up to 62 products cannot overflow `top`, because 62 * 2^25 < 2^31. Two differences cannot overflow either:
 * upper - 2^10 top, which is the sum of ((w >> 10) mod 2^10) x, and all - 2^10 upper, which is the sum of (w mod 2^10)
 * x. */
static inline uint32_t pcnp_idense_dot(const int32_t *w, const int16_t *x, uint32_t n, pcnp_isum *sum)
{
    uint32_t i = 0;
    int64_t total = 0;
    while (i < n) {
        uint32_t all = 0, upper = 0, top = 0, end = n;
        if (n - i > 62) end = i + 62;
        for (; i < end; i++) {
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

typedef struct pcnp_isum {
    uint64_t all;
} pcnp_isum;

static inline void pcnp_izero(pcnp_isum *s)
{
    s->all = 0;
}

static inline void pcnp_iadd(pcnp_isum *s, int32_t w, int32_t x)
{
    s->all += (uint64_t)((int64_t)w * x);
}

static inline int64_t pcnp_itotal(const pcnp_isum *s)
{
    return (int64_t)s->all;
}

static inline int64_t pcnp_itwo(int64_t sum, const int32_t *w, const int16_t *x)
{
    int32_t a = w[0], b = w[1];
#if defined(__GNUC__) && defined(__arm__)
    __asm__("" : "+r"(a), "+r"(b)); /* so that one instruction loads both */
#endif
    return sum + (int64_t)a * x[0] + (int64_t)b * x[1];
}

/* Not inlined, because in its caller it would have too few registers. */
PCNP_NOINLINE PCN_MAYBE_UNUSED static uint32_t pcnp_idense_dot(const int32_t *w, const int16_t *x, uint32_t n,
                                                               pcnp_isum *sum)
{
    uint32_t i;
    int64_t s = 0;
    if (n > 65535u) n = 65535u; /* so that s cannot overflow */
    for (i = 0; n - i >= 8; i += 8, w += 8, x += 8) {
        s = pcnp_itwo(s, w, x);
        s = pcnp_itwo(s, w + 2, x + 2);
        s = pcnp_itwo(s, w + 4, x + 4);
        s = pcnp_itwo(s, w + 6, x + 6);
    }
    if (n - i >= 4) {
        s = pcnp_itwo(s, w, x);
        s = pcnp_itwo(s, w + 2, x + 2);
        i += 4;
    }
    sum->all = (uint64_t)s;
    return i;
}

#endif

/* Mixes the bits of x. Different x give different results (lowbias32 by Wellons). */
static uint32_t pcnp_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Sorts by Shell's method, with gaps 1, 4, 13, 40 and so on, then adds up values of equal indices. */
PCN_API uint32_t pcn_sort_row(uint32_t *index, float *value, uint32_t count)
{
    uint32_t gap = 1, kept = 0, i, k;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap != 0; gap /= 3)
        for (i = gap; i < count; i++) {
            const uint32_t j = index[i];
            const float v = value ? value[i] : 1;
            for (k = i; k >= gap && index[k - gap] > j; k -= gap) {
                index[k] = index[k - gap];
                if (value) value[k] = value[k - gap];
            }
            index[k] = j;
            if (value) value[k] = v;
        }
    for (i = 0; i < count; i++) {
        if (kept != 0 && index[kept - 1] == index[i]) {
            if (value) value[kept - 1] = pcnp_plus(value[kept - 1], value[i]);
            continue;
        }
        index[kept] = index[i];
        if (value) value[kept] = value[i];
        kept++;
    }
    return kept;
}

/* ---- The vector vocabulary -------------------------------------------------------------------
 * A pcnp_v holds PCNP_W floats, called lanes: 8, or 1 in portable C. Each instruction set has one block below that
 * defines these functions. All other code is written once, with them.
 *
 *   pcnp_set, _load, _store      fills, loads or stores all lanes
 *   _load_part, _store_part      takes the first k lanes, or all if k >= PCNP_W; _load_part sets the others to 0
 *   _gather                      loads the floats w[at[0]] .. w[at[PCNP_W - 1]]
 *   _add, _sub, _mul, _div, _min, _max
 *                                lane by lane; sums, differences and products are rounded where they are written
 *   _mul_sub                     a b - c, rounded once if PCNP_FUSED is 1, otherwise twice
 *   _where                       v where a >= b, 0 elsewhere
 *   _pow2                        2^k for whole k from -126 to 127; 0 for -127
 *   _head                        each lane cut to the upper 12 of its 24 significant bits. The product of two heads is
 *                                exact, and so is the product of a head and a rest (a float minus its head)
 *   _sum                         adds up the lanes: i and i + 4, then i and i + 2, then two. Not in portable C
 *   _mask                        bit i of the result is 1 if lane i >= f. Lanes must not be NaN in portable C
 *   _finite_lanes                are all lanes finite?
 *   _round                       PCNP_ROUND for all lanes
 *   _done                        stands at the end of each function that uses wide registers
 *   _part                        how many of n numbers the next vector takes: n, but at most PCNP_W
 *
 * These serve to add up the lanes of eight vectors at once (not in portable C):
 *   _low2, _high2, _even, _odd   take two lanes of each half of four, first of a, then of b: _low2 lanes 0 and 1 of the
 *                                half, _high2 lanes 2 and 3, _even lanes 0 and 2, _odd lanes 1 and 3
 *   _halves                      lane i + lane i + 4, for i = 0 .. 3: four sums of a, then four of b */

#if PERCEPTRON_SIMD == 0

/* ---- Portable C: one lane ---- */

/* clang-format off */
typedef float pcnp_v;
#define pcnp_part(n) 1u
#define PCNP_FUSED 0
static inline pcnp_v pcnp_set(float f) { return f; }
static inline pcnp_v pcnp_load(const float *p) { return pcnp_float_at(p); }
static inline void pcnp_store(float *p, pcnp_v v) { *p = v; }
static inline pcnp_v pcnp_load_part(const float *p, uint32_t k) { return (void)k, pcnp_float_at(p); }
static inline void pcnp_store_part(float *p, pcnp_v v, uint32_t k) { (void)k; *p = v; }
static inline pcnp_v pcnp_gather(const float *w, const size_t *at) { return pcnp_float_at(w + at[0]); }
static inline pcnp_v pcnp_add(pcnp_v a, pcnp_v b) { return pcnp_plus(a, b); }
static inline pcnp_v pcnp_sub(pcnp_v a, pcnp_v b) { return pcnp_minus(a, b); }
static inline pcnp_v pcnp_mul(pcnp_v a, pcnp_v b) { return pcnp_times(a, b); }
static inline pcnp_v pcnp_div(pcnp_v a, pcnp_v b) { return pcnp_over(a, b); }
static inline pcnp_v pcnp_min(pcnp_v a, pcnp_v b) { return pcnp_above(b, a) ? a : b; }
static inline pcnp_v pcnp_max(pcnp_v a, pcnp_v b) { return pcnp_above(a, b) ? a : b; }
static inline pcnp_v pcnp_mul_sub(pcnp_v a, pcnp_v b, pcnp_v c) { return pcnp_minus(pcnp_times(a, b), c); }
static inline pcnp_v pcnp_where(pcnp_v v, pcnp_v a, pcnp_v b) { return pcnp_reaches(a, b) ? v : 0; }
static inline pcnp_v pcnp_pow2(pcnp_v k) { return pcnp_from_bits((uint32_t)((int32_t)k + 127) << 23); }
static inline pcnp_v pcnp_head(pcnp_v v) { return pcnp_from_bits(pcnp_to_bits(v) & 0xfffff000u); }
static inline uint32_t pcnp_mask(pcnp_v v, float f) { return !pcnp_greater(f, v); }
static inline int pcnp_finite_lanes(pcnp_v v) { return pcnp_finite(v); }
#define pcnp_round PCNP_ROUND
#define pcnp_done() ((void)0)

#if defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
/* Adds p[i] q[i] for i < 8 to the eight partial sums a .. h, which stay in registers. On a Cortex-M4, one load of eight
 * numbers takes 9 cycles, and eight loads take 16 (see its manual). So this code takes 34 cycles instead of 48. */
#define PCNP_EIGHT(p, q, a, b, c, d, e, f, g, h)                                                 \
    do {                                                                                         \
        const float *pcnp_p = (p), *pcnp_q = (q);                                                \
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
                : "r"(pcnp_p), "r"(pcnp_q)                                                       \
                : "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26",   \
                  "s27", "s28", "s29", "s30", "s31", "memory");                                  \
    } while (0)
#else
#define PCNP_EIGHT(p, q, a, b, c, d, e, f, g, h)                                                 \
    do {                                                                                         \
        const pcnp_any_float *pcnp_p = (const pcnp_any_float *)(p);                              \
        const pcnp_any_float *pcnp_q = (const pcnp_any_float *)(q);                              \
        a = pcnp_plus(a, pcnp_times(pcnp_p[0], pcnp_q[0]));                                      \
        b = pcnp_plus(b, pcnp_times(pcnp_p[1], pcnp_q[1]));                                      \
        c = pcnp_plus(c, pcnp_times(pcnp_p[2], pcnp_q[2]));                                      \
        d = pcnp_plus(d, pcnp_times(pcnp_p[3], pcnp_q[3]));                                      \
        e = pcnp_plus(e, pcnp_times(pcnp_p[4], pcnp_q[4]));                                      \
        f = pcnp_plus(f, pcnp_times(pcnp_p[5], pcnp_q[5]));                                      \
        g = pcnp_plus(g, pcnp_times(pcnp_p[6], pcnp_q[6]));                                      \
        h = pcnp_plus(h, pcnp_times(pcnp_p[7], pcnp_q[7]));                                      \
    } while (0)
#endif

#if defined(PERCEPTRON_UNROLL) && !defined(PCN_READ_WEIGHT) && defined(__GNUC__) && defined(__arm__) &&               \
    defined(__ARM_FP) && !defined(__SOFTFP__)
#define PCNP_EIGHTS
#define PCNP_EIGHT_REGISTERS                                                                     \
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15"

/* Sets sum[k] to w[k] x[k] for k < 8, or adds w[k] x[k] to sum[k] if `feature` is 32 or more. */
#define PCNP_EIGHT_PRODUCTS(sum, w, x, feature)                                                  \
    __asm__ volatile("vldmia %1, {s0-s7}\n\tvldmia %2, {s8-s15}\n\t"                             \
                     "vmul.f32 s0, s0, s8\n\tvmul.f32 s1, s1, s9\n\t"                            \
                     "vmul.f32 s2, s2, s10\n\tvmul.f32 s3, s3, s11\n\t"                          \
                     "vmul.f32 s4, s4, s12\n\tvmul.f32 s5, s5, s13\n\t"                          \
                     "vmul.f32 s6, s6, s14\n\tvmul.f32 s7, s7, s15\n\t"                          \
                     "cmp %3, %4\n\tblo 1f\n\tvldmia %0, {s8-s15}\n\t"                           \
                     "vadd.f32 s0, s0, s8\n\tvadd.f32 s1, s1, s9\n\t"                            \
                     "vadd.f32 s2, s2, s10\n\tvadd.f32 s3, s3, s11\n\t"                          \
                     "vadd.f32 s4, s4, s12\n\tvadd.f32 s5, s5, s13\n\t"                          \
                     "vadd.f32 s6, s6, s14\n\tvadd.f32 s7, s7, s15\n"                            \
                     "1:\n\tvstmia %0, {s0-s7}"                                                  \
                     :                                                                           \
                     : "r"(sum), "r"(w), "r"(x), "r"(feature), "I"(PCNP_LANES)                   \
                     : PCNP_EIGHT_REGISTERS, "cc", "memory")

/* Adds from[k] to to[k], for k < 8. */
#define PCNP_EIGHT_ADD(to, from)                                                                 \
    __asm__ volatile("vldmia %0, {s0-s7}\n\tvldmia %1, {s8-s15}\n\t"                             \
                     "vadd.f32 s0, s0, s8\n\tvadd.f32 s1, s1, s9\n\t"                            \
                     "vadd.f32 s2, s2, s10\n\tvadd.f32 s3, s3, s11\n\t"                          \
                     "vadd.f32 s4, s4, s12\n\tvadd.f32 s5, s5, s13\n\t"                          \
                     "vadd.f32 s6, s6, s14\n\tvadd.f32 s7, s7, s15\n\t"                          \
                     "vstmia %0, {s0-s7}"                                                        \
                     :                                                                           \
                     : "r"(to), "r"(from)                                                        \
                     : PCNP_EIGHT_REGISTERS, "memory")

/* Sets s to the sum of lane[0 .. 7] by the halving tree. */
#define PCNP_EIGHT_TREE(s, lane)                                                                 \
    __asm__ volatile("vldmia %1, {s0-s7}\n\t"                                                    \
                     "vadd.f32 s0, s0, s4\n\tvadd.f32 s1, s1, s5\n\t"                            \
                     "vadd.f32 s2, s2, s6\n\tvadd.f32 s3, s3, s7\n\t"                            \
                     "vadd.f32 s0, s0, s2\n\tvadd.f32 s1, s1, s3\n\t"                            \
                     "vadd.f32 %0, s0, s1"                                                       \
                     : "=t"(s)                                                                   \
                     : "r"(lane)                                                                 \
                     : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "memory")
#endif

#elif PERCEPTRON_SIMD == 2

/* ---- AVX2 ---- */

#include <immintrin.h>
typedef __m256 pcnp_v;
#define pcnp_round(v) PCNP_BARRIER("+x", v)
/* Clears the upper halves of the registers, because SSE code in the caller would be slow otherwise. gcc adds this
 * itself, but not at -O1 and -Os. Before version 12, gcc keeps vectors in registers across the intrinsic. The asm
 * statement names all registers, so that it cannot. */
#if !defined(__GNUC__) || defined(__clang__) || __GNUC__ >= 12
#define pcnp_done() _mm256_zeroupper()
#elif defined(__x86_64__)
#define pcnp_done()                                                                                                    \
    __asm__ volatile("vzeroupper"                                                                                      \
                     :                                                                                                 \
                     :                                                                                                 \
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",        \
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#else
#define pcnp_done()                                                                                                    \
    __asm__ volatile("vzeroupper" : : : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7")
#endif

static inline __m256i pcnp_lanes_below(uint32_t k)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline pcnp_v pcnp_set(float f) { return _mm256_set1_ps(f); }
static inline pcnp_v pcnp_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void pcnp_store(float *p, pcnp_v v) { _mm256_storeu_ps(p, v); }
static inline pcnp_v pcnp_load_part(const float *p, uint32_t k) { return _mm256_maskload_ps(p, pcnp_lanes_below(k)); }

static inline void pcnp_store_part(float *p, pcnp_v v, uint32_t k)
{
    if (k >= 8)
        pcnp_store(p, v); /* a store with a mask is far slower */
    else
        _mm256_maskstore_ps(p, pcnp_lanes_below(k), v);
}

#define PCNP_ENDS 1u /* the least k that pcnp_load_ends takes */
#define pcnp_load_ends pcnp_load_part
#define pcnp_store_ends pcnp_store_part
#define pcnp_load_few pcnp_load_part

static inline pcnp_v pcnp_gather(const float *weight, const size_t *at)
{
    const pcnp_any_float *w = (const pcnp_any_float *)weight;
    return _mm256_setr_ps(w[at[0]], w[at[1]], w[at[2]], w[at[3]], w[at[4]], w[at[5]], w[at[6]], w[at[7]]);
}

static inline pcnp_v pcnp_add(pcnp_v a, pcnp_v b)
{
    a = _mm256_add_ps(a, b);
    pcnp_round(a);
    return a;
}

static inline pcnp_v pcnp_sub(pcnp_v a, pcnp_v b)
{
    a = _mm256_sub_ps(a, b);
    pcnp_round(a);
    return a;
}

static inline pcnp_v pcnp_mul(pcnp_v a, pcnp_v b)
{
    a = _mm256_mul_ps(a, b);
    pcnp_round(a);
    return a;
}

#ifdef __FMA__
#define PCNP_FUSED 1
static inline pcnp_v pcnp_mul_sub(pcnp_v a, pcnp_v b, pcnp_v c) { return _mm256_fmsub_ps(a, b, c); }
#else
#define PCNP_FUSED 0
static inline pcnp_v pcnp_mul_sub(pcnp_v a, pcnp_v b, pcnp_v c) { return pcnp_sub(pcnp_mul(a, b), c); }
#endif

static inline pcnp_v pcnp_div(pcnp_v a, pcnp_v b) { return _mm256_div_ps(a, b); }
static inline pcnp_v pcnp_min(pcnp_v a, pcnp_v b) { return _mm256_min_ps(a, b); }
static inline pcnp_v pcnp_max(pcnp_v a, pcnp_v b) { return _mm256_max_ps(a, b); }
static inline pcnp_v pcnp_low2(pcnp_v a, pcnp_v b) { return _mm256_shuffle_ps(a, b, 0x44); }
static inline pcnp_v pcnp_high2(pcnp_v a, pcnp_v b) { return _mm256_shuffle_ps(a, b, 0xEE); }
static inline pcnp_v pcnp_even(pcnp_v a, pcnp_v b) { return _mm256_shuffle_ps(a, b, 0x88); }
static inline pcnp_v pcnp_odd(pcnp_v a, pcnp_v b) { return _mm256_shuffle_ps(a, b, 0xDD); }

static inline pcnp_v pcnp_halves(pcnp_v a, pcnp_v b)
{
    return pcnp_add(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

static inline pcnp_v pcnp_where(pcnp_v v, pcnp_v a, pcnp_v b)
{
    return _mm256_and_ps(v, _mm256_cmp_ps(a, b, _CMP_GE_OQ));
}

static inline pcnp_v pcnp_pow2(pcnp_v k)
{
    __m256i bits = _mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(bits, 23));
}

static inline pcnp_v pcnp_head(pcnp_v v)
{
    return _mm256_and_ps(v, _mm256_castsi256_ps(_mm256_set1_epi32(-4096)));
}

static inline uint32_t pcnp_mask(pcnp_v v, float f)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(v, pcnp_set(f), _CMP_GE_OQ));
}

static inline float pcnp_sum(pcnp_v v)
{
    v = pcnp_halves(v, v);
    v = pcnp_add(v, pcnp_high2(v, v));
    return pcnp_plus(_mm256_cvtss_f32(v), _mm256_cvtss_f32(pcnp_odd(v, v)));
}

#else

#if PERCEPTRON_SIMD == 1

/* ---- SSE2: four lanes ---- */

#include <emmintrin.h>
typedef __m128 pcnp_4;
#define PCNP_ROUND_4(v) PCNP_BARRIER("+x", v)
static inline pcnp_4 pcnp_4_set(float f) { return _mm_set1_ps(f); }
static inline pcnp_4 pcnp_4_of(float a, float b, float c, float d) { return _mm_setr_ps(a, b, c, d); }
static inline pcnp_4 pcnp_4_load(const float *p) { return _mm_loadu_ps(p); }
static inline void pcnp_4_store(float *p, pcnp_4 v) { _mm_storeu_ps(p, v); }
static inline float pcnp_4_first(pcnp_4 v) { return _mm_cvtss_f32(v); }
static inline pcnp_4 pcnp_4_add(pcnp_4 a, pcnp_4 b) { return _mm_add_ps(a, b); }
static inline pcnp_4 pcnp_4_sub(pcnp_4 a, pcnp_4 b) { return _mm_sub_ps(a, b); }
static inline pcnp_4 pcnp_4_mul(pcnp_4 a, pcnp_4 b) { return _mm_mul_ps(a, b); }
static inline pcnp_4 pcnp_4_div(pcnp_4 a, pcnp_4 b) { return _mm_div_ps(a, b); }
static inline pcnp_4 pcnp_4_min(pcnp_4 a, pcnp_4 b) { return _mm_min_ps(a, b); }
static inline pcnp_4 pcnp_4_max(pcnp_4 a, pcnp_4 b) { return _mm_max_ps(a, b); }
static inline pcnp_4 pcnp_4_low2(pcnp_4 a, pcnp_4 b) { return _mm_shuffle_ps(a, b, 0x44); }
static inline pcnp_4 pcnp_4_high2(pcnp_4 a, pcnp_4 b) { return _mm_shuffle_ps(a, b, 0xEE); }
static inline pcnp_4 pcnp_4_even(pcnp_4 a, pcnp_4 b) { return _mm_shuffle_ps(a, b, 0x88); }
static inline pcnp_4 pcnp_4_odd(pcnp_4 a, pcnp_4 b) { return _mm_shuffle_ps(a, b, 0xDD); }
static inline pcnp_4 pcnp_4_where(pcnp_4 v, pcnp_4 a, pcnp_4 b) { return _mm_and_ps(v, _mm_cmpge_ps(a, b)); }
static inline uint32_t pcnp_4_mask(pcnp_4 v, pcnp_4 f) { return (uint32_t)_mm_movemask_ps(_mm_cmpge_ps(v, f)); }

static inline pcnp_4 pcnp_4_pow2(pcnp_4 k)
{
    __m128i bits = _mm_add_epi32(_mm_cvtps_epi32(k), _mm_set1_epi32(127));
    return _mm_castsi128_ps(_mm_slli_epi32(bits, 23));
}

static inline pcnp_4 pcnp_4_head(pcnp_4 v)
{
    return _mm_and_ps(v, _mm_castsi128_ps(_mm_set1_epi32(-4096)));
}

#elif PERCEPTRON_SIMD == 3

/* ---- NEON: four lanes ---- */

#include <arm_neon.h>
typedef float32x4_t pcnp_4;
#define PCNP_ROUND_4(v) PCNP_BARRIER("+w", v)
static inline pcnp_4 pcnp_4_set(float f) { return vdupq_n_f32(f); }
static inline pcnp_4 pcnp_4_load(const float *p) { return vld1q_f32(p); }
static inline void pcnp_4_store(float *p, pcnp_4 v) { vst1q_f32(p, v); }
static inline float pcnp_4_first(pcnp_4 v) { return vgetq_lane_f32(v, 0); }
static inline pcnp_4 pcnp_4_add(pcnp_4 a, pcnp_4 b) { return vaddq_f32(a, b); }
static inline pcnp_4 pcnp_4_sub(pcnp_4 a, pcnp_4 b) { return vsubq_f32(a, b); }
static inline pcnp_4 pcnp_4_mul(pcnp_4 a, pcnp_4 b) { return vmulq_f32(a, b); }
static inline pcnp_4 pcnp_4_div(pcnp_4 a, pcnp_4 b) { return vdivq_f32(a, b); }
#define PCNP_FUSED 1
static inline pcnp_4 pcnp_4_mul_sub(pcnp_4 a, pcnp_4 b, pcnp_4 c) { return vfmaq_f32(vnegq_f32(c), a, b); }
static inline pcnp_4 pcnp_4_min(pcnp_4 a, pcnp_4 b) { return vminnmq_f32(a, b); } /* b if a is NaN, as in all blocks */
static inline pcnp_4 pcnp_4_max(pcnp_4 a, pcnp_4 b) { return vmaxnmq_f32(a, b); }
static inline pcnp_4 pcnp_4_low2(pcnp_4 a, pcnp_4 b) { return vcombine_f32(vget_low_f32(a), vget_low_f32(b)); }
static inline pcnp_4 pcnp_4_high2(pcnp_4 a, pcnp_4 b) { return vcombine_f32(vget_high_f32(a), vget_high_f32(b)); }
static inline pcnp_4 pcnp_4_even(pcnp_4 a, pcnp_4 b) { return vuzp1q_f32(a, b); }
static inline pcnp_4 pcnp_4_odd(pcnp_4 a, pcnp_4 b) { return vuzp2q_f32(a, b); }

static inline pcnp_4 pcnp_4_of(float a, float b, float c, float d)
{
    return vsetq_lane_f32(d, vsetq_lane_f32(c, vsetq_lane_f32(b, vdupq_n_f32(a), 1), 2), 3);
}

static inline pcnp_4 pcnp_4_where(pcnp_4 v, pcnp_4 a, pcnp_4 b)
{
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(v), vcgeq_f32(a, b)));
}

static inline uint32_t pcnp_4_mask(pcnp_4 v, pcnp_4 f)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcgeq_f32(v, f), vld1q_u32(bit)));
}

static inline pcnp_4 pcnp_4_pow2(pcnp_4 k)
{
    return vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(k), vdupq_n_s32(127)), 23));
}

static inline pcnp_4 pcnp_4_head(pcnp_4 v)
{
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(v), vdupq_n_u32(0xfffff000u)));
}

#else

/* ---- WebAssembly SIMD128: four lanes ---- */

#include <wasm_simd128.h>
typedef v128_t pcnp_4;
#define PCNP_ROUND_4(v) PCNP_BARRIER("+r", v)
static inline pcnp_4 pcnp_4_set(float f) { return wasm_f32x4_splat(f); }
static inline pcnp_4 pcnp_4_of(float a, float b, float c, float d) { return wasm_f32x4_make(a, b, c, d); }
static inline pcnp_4 pcnp_4_load(const float *p) { return wasm_v128_load(p); }
static inline void pcnp_4_store(float *p, pcnp_4 v) { wasm_v128_store(p, v); }
static inline float pcnp_4_first(pcnp_4 v) { return wasm_f32x4_extract_lane(v, 0); }
static inline pcnp_4 pcnp_4_add(pcnp_4 a, pcnp_4 b) { return wasm_f32x4_add(a, b); }
static inline pcnp_4 pcnp_4_sub(pcnp_4 a, pcnp_4 b) { return wasm_f32x4_sub(a, b); }
static inline pcnp_4 pcnp_4_mul(pcnp_4 a, pcnp_4 b) { return wasm_f32x4_mul(a, b); }
static inline pcnp_4 pcnp_4_div(pcnp_4 a, pcnp_4 b) { return wasm_f32x4_div(a, b); }
static inline pcnp_4 pcnp_4_min(pcnp_4 a, pcnp_4 b) { return wasm_f32x4_pmin(b, a); } /* a < b ? a : b */
static inline pcnp_4 pcnp_4_max(pcnp_4 a, pcnp_4 b) { return wasm_f32x4_pmax(b, a); }
static inline pcnp_4 pcnp_4_low2(pcnp_4 a, pcnp_4 b) { return wasm_i32x4_shuffle(a, b, 0, 1, 4, 5); }
static inline pcnp_4 pcnp_4_high2(pcnp_4 a, pcnp_4 b) { return wasm_i32x4_shuffle(a, b, 2, 3, 6, 7); }
static inline pcnp_4 pcnp_4_even(pcnp_4 a, pcnp_4 b) { return wasm_i32x4_shuffle(a, b, 0, 2, 4, 6); }
static inline pcnp_4 pcnp_4_odd(pcnp_4 a, pcnp_4 b) { return wasm_i32x4_shuffle(a, b, 1, 3, 5, 7); }
static inline pcnp_4 pcnp_4_where(pcnp_4 v, pcnp_4 a, pcnp_4 b) { return wasm_v128_and(v, wasm_f32x4_ge(a, b)); }
static inline uint32_t pcnp_4_mask(pcnp_4 v, pcnp_4 f) { return (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_ge(v, f)); }
static inline pcnp_4 pcnp_4_head(pcnp_4 v) { return wasm_v128_and(v, wasm_i32x4_splat(-4096)); }

static inline pcnp_4 pcnp_4_pow2(pcnp_4 k)
{
    return wasm_i32x4_shl(wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(k), wasm_i32x4_splat(127)), 23);
}

#endif

/* ---- Eight lanes as two halves of four ---- */

typedef struct pcnp_v {
    pcnp_4 lo, hi;
} pcnp_v;
#define pcnp_round(v) do { PCNP_ROUND_4((v).lo); PCNP_ROUND_4((v).hi); } while (0)
#define pcnp_done() ((void)0)

static inline pcnp_v pcnp_pair(pcnp_4 lo, pcnp_4 hi)
{
    pcnp_v v;
    v.lo = lo;
    v.hi = hi;
    return v;
}

static inline pcnp_v pcnp_set(float f) { return pcnp_pair(pcnp_4_set(f), pcnp_4_set(f)); }
static inline pcnp_v pcnp_load(const float *p) { return pcnp_pair(pcnp_4_load(p), pcnp_4_load(p + 4)); }

static inline void pcnp_store(float *p, pcnp_v v)
{
    pcnp_4_store(p, v.lo);
    pcnp_4_store(p + 4, v.hi);
}

static inline pcnp_4 pcnp_4_load_part(const float *part, uint32_t k)
{
    const pcnp_any_float *p = (const pcnp_any_float *)part;
    return pcnp_4_of(k > 0 ? p[0] : 0, k > 1 ? p[1] : 0, k > 2 ? p[2] : 0, k > 3 ? p[3] : 0);
}

static inline pcnp_v pcnp_load_part(const float *p, uint32_t k)
{
    if (k >= 8) return pcnp_load(p);
    return pcnp_pair(k < 4 ? pcnp_4_load_part(p, k) : pcnp_4_load(p),
                     k > 4 ? pcnp_4_load_part(p + 4, k - 4) : pcnp_4_set(0));
}

static inline void pcnp_store_part(float *p, pcnp_v v, uint32_t k)
{
    float t[8];
    uint32_t i;
    pcnp_store(k >= 8 ? p : t, v);
    for (i = 0; i < k && k < 8; i++) p[i] = t[i];
}

/* pcnp_load_ends and pcnp_store_ends take the first four and the last four of k numbers, for k from 4 to 8.
 * pcnp_load_few loads k numbers, for k from 1 to 3. These functions need no test for each lane. */
#define PCNP_ENDS 4u
static inline pcnp_v pcnp_load_ends(const float *p, uint32_t k)
{
    return pcnp_pair(pcnp_4_load(p), pcnp_4_load(p + k - 4));
}

static inline void pcnp_store_ends(float *p, pcnp_v v, uint32_t k)
{
    pcnp_4_store(p, v.lo);
    pcnp_4_store(p + k - 4, v.hi);
}

static inline pcnp_v pcnp_load_few(const float *few, uint32_t k)
{
    const pcnp_any_float *p = (const pcnp_any_float *)few;
    return pcnp_pair(pcnp_4_of(p[0], p[k / 2], p[k - 1], 0), pcnp_4_set(0));
}

static inline pcnp_v pcnp_gather(const float *weight, const size_t *at)
{
    const pcnp_any_float *w = (const pcnp_any_float *)weight;
    return pcnp_pair(pcnp_4_of(w[at[0]], w[at[1]], w[at[2]], w[at[3]]),
                     pcnp_4_of(w[at[4]], w[at[5]], w[at[6]], w[at[7]]));
}

#define PCNP_LANEWISE(name, half, round)                                                         \
    static inline pcnp_v name(pcnp_v a, pcnp_v b)                                                \
    {                                                                                            \
        a = pcnp_pair(half(a.lo, b.lo), half(a.hi, b.hi));                                       \
        round;                                                                                   \
        return a;                                                                                \
    }
PCNP_LANEWISE(pcnp_add, pcnp_4_add, pcnp_round(a))
PCNP_LANEWISE(pcnp_sub, pcnp_4_sub, pcnp_round(a))
PCNP_LANEWISE(pcnp_mul, pcnp_4_mul, pcnp_round(a))
PCNP_LANEWISE(pcnp_div, pcnp_4_div, (void)0)
PCNP_LANEWISE(pcnp_min, pcnp_4_min, (void)0)
PCNP_LANEWISE(pcnp_max, pcnp_4_max, (void)0)
PCNP_LANEWISE(pcnp_low2, pcnp_4_low2, (void)0)
PCNP_LANEWISE(pcnp_high2, pcnp_4_high2, (void)0)
PCNP_LANEWISE(pcnp_even, pcnp_4_even, (void)0)
PCNP_LANEWISE(pcnp_odd, pcnp_4_odd, (void)0)
#undef PCNP_LANEWISE

#if defined(PCNP_FUSED)
static inline pcnp_v pcnp_mul_sub(pcnp_v a, pcnp_v b, pcnp_v c)
{
    return pcnp_pair(pcnp_4_mul_sub(a.lo, b.lo, c.lo), pcnp_4_mul_sub(a.hi, b.hi, c.hi));
}
#else
#define PCNP_FUSED 0
static inline pcnp_v pcnp_mul_sub(pcnp_v a, pcnp_v b, pcnp_v c) { return pcnp_sub(pcnp_mul(a, b), c); }
#endif

static inline pcnp_v pcnp_halves(pcnp_v a, pcnp_v b)
{
    return pcnp_add(pcnp_pair(a.lo, b.lo), pcnp_pair(a.hi, b.hi));
}

static inline pcnp_v pcnp_where(pcnp_v v, pcnp_v a, pcnp_v b)
{
    return pcnp_pair(pcnp_4_where(v.lo, a.lo, b.lo), pcnp_4_where(v.hi, a.hi, b.hi));
}

static inline pcnp_v pcnp_pow2(pcnp_v k) { return pcnp_pair(pcnp_4_pow2(k.lo), pcnp_4_pow2(k.hi)); }
static inline pcnp_v pcnp_head(pcnp_v v) { return pcnp_pair(pcnp_4_head(v.lo), pcnp_4_head(v.hi)); }

static inline uint32_t pcnp_mask(pcnp_v v, float f)
{
    return pcnp_4_mask(v.lo, pcnp_4_set(f)) | pcnp_4_mask(v.hi, pcnp_4_set(f)) << 4;
}
/* clang-format on */

static inline float pcnp_sum(pcnp_v v)
{
    v = pcnp_halves(v, v);
    v.lo = pcnp_4_add(v.lo, pcnp_4_high2(v.lo, v.lo));
    PCNP_ROUND_4(v.lo);
    return pcnp_plus(pcnp_4_first(v.lo), pcnp_4_first(pcnp_4_odd(v.lo, v.lo)));
}

#endif

#if PERCEPTRON_SIMD != 0

#define pcnp_part(n) ((n) < PCNP_W ? (uint32_t)(n) : PCNP_W)

static inline int pcnp_finite_lanes(pcnp_v v) /* infinity times 0 is NaN, and NaN >= 0 is false */
{
    return pcnp_mask(pcnp_mul(v, pcnp_set(0)), 0) == (1u << PCNP_W) - 1;
}

#if defined(__GNUC__) || defined(__clang__)
#define PCNP_INLINE static inline __attribute__((always_inline)) /* so that sums stay in registers */
#define PCNP_PREFETCH(p, level)                                                                                        \
    do {                                                                                                               \
        __builtin_prefetch((const void *)(p), 0, level);                                                               \
        __asm__ volatile(""); /* gcc would drop calls of a function that only prefetches */                            \
    } while (0)
#else
#define PCNP_INLINE static inline
#define PCNP_PREFETCH(p, level) ((void)(p))
#endif

#else
#define PCNP_INLINE static inline
#define PCNP_PREFETCH(p, level) ((void)(p))
#endif

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define PCNP_UNROLL _Pragma("GCC unroll 8") /* clang unrolls by itself */
#else
#define PCNP_UNROLL
#endif

/* ---- Powers of 2 and e, lane by lane --------------------------------------------------------- */

/* Returns the whole number nearest to e, but at least -127. e must be below 2^22. */
static inline pcnp_v pcnp_whole(pcnp_v e)
{
    pcnp_v magic = pcnp_set(12582912.0f); /* 1.5 * 2^23: so large a float has no bits for a fraction */
    return pcnp_sub(pcnp_add(pcnp_max(e, pcnp_set(-127)), magic), magic);
}

static inline pcnp_v pcnp_horner(pcnp_v p, pcnp_v r, float c)
{
    return pcnp_add(pcnp_mul(p, r), pcnp_set(c));
}

/* Returns 2^k exp(r), where k = pcnp_whole(e) and |r| <= (ln 2) / 2. If e < -126 it returns 0, so no result is
 * denormal. exp(r) is computed as 1 + r + r^2 p(r), which is exact for r = 0. The polynomial p interpolates (exp(r) - 1
 * - r) / r^2 at six Chebyshev nodes. */
static inline pcnp_v pcnp_exp_parts(pcnp_v e, pcnp_v k, pcnp_v r)
{
    pcnp_v p = pcnp_horner(pcnp_set(0.000198909809f), r, 0.00139336416f);
    p = pcnp_horner(p, r, 0.00833331048f);
    p = pcnp_horner(p, r, 0.0416664667f);
    p = pcnp_horner(p, r, 0.166666672f);
    p = pcnp_horner(p, r, 0.5f);
    p = pcnp_add(pcnp_set(1), pcnp_add(r, pcnp_mul(pcnp_mul(r, r), p)));
    return pcnp_where(pcnp_mul(p, pcnp_pow2(k)), e, pcnp_set(-126));
}

/* Returns 2^e for e <= 127.4, within 1.5 ulp, or 0 if the result is below 2^-126. */
static inline pcnp_v pcnp_exp2(pcnp_v e)
{
    pcnp_v k = pcnp_whole(e);
    return pcnp_exp_parts(e, k, pcnp_mul(pcnp_sub(e, k), pcnp_set(0.693147182f)));
}

/* Returns e^t for t <= 0, within 1.5 ulp, or 0 if the result is below 2^-126. k ln 2 is subtracted from t in two parts.
 * The first part of ln 2 has so few bits that its product with k is exact (Cody and Waite). */
PCN_MAYBE_UNUSED static inline pcnp_v pcnp_exp(pcnp_v t)
{
    pcnp_v e = pcnp_mul(t, pcnp_set(1.44269502f)), k = pcnp_whole(e), r;
    r = pcnp_sub(t, pcnp_mul(k, pcnp_set(0.693359375f)));
    r = pcnp_sub(r, pcnp_mul(k, pcnp_set(-0.000212194440f)));
    return pcnp_exp_parts(e, k, r);
}

/* ---- Products: dense rows --------------------------------------------------------------------
 * The five sections "Products" contain all sums over features. w[j * stride] is the weight of feature j. In a dense
 * row, product i is added to partial sum i % 32. pcnp_tree adds up the partial sums. GUIDE.md says why: "The order of
 * sums". */

#if defined(PCN_READ_WEIGHT) && !PCNP_SMALL
#error "perceptron.h: PCN_READ_WEIGHT goes with -Os and PERCEPTRON_SIMD 0; other sums read several weights at once"
#endif
#ifndef PCN_READ_WEIGHT
#define PCN_READ_WEIGHT(to, from) (*(to) = *(from))
#endif

#define PCNP_LANES 32u
#define PCNP_COLUMNS 16u      /* scores, or stored vectors, that are computed side by side */
#define PCNP_FAR 65536u       /* floats (256 KB): more than the first-level cache holds */
#define PCNP_FARTHER 1048576u /* floats (4 MB): more than the second-level cache holds */

/* pcnp_index and pcnp_value return the index and the value of the i-th feature that x gives. */
static inline uint32_t pcnp_index(const pcn_vec *x, uint32_t i)
{
    return x->index ? x->index[i] : i;
}

static inline float pcnp_value(const pcn_vec *x, uint32_t i)
{
    float v = 1;
    if (x->value) v = pcnp_float_at(x->value + i);
    return v;
}

static inline int pcnp_is_dense(const pcn_vec *x)
{
    return !PCNP_ALL || (!x->index && x->value);
}

/* Is x dense, and does the weight of feature i stand at w[i]? */
static inline int pcnp_is_contiguous(const pcn_vec *x, size_t stride)
{
    return pcnp_is_dense(x) && stride == 1;
}

static inline uint32_t pcnp_lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Adds up the first n > 0 partial sums by the halving tree: lane[j] is added to lane[j - h], for h = 16, 8, 4, 2 and 1.
 * Lanes may hold products that were not added to 0. Then the sum can be -0, and the last addition makes it 0. */
static float pcnp_tree(float *lane, size_t n)
{
    size_t h, i;
    for (h = PCNP_LANES / 2; h != 0; h >>= 1) {
        for (i = h; i < n; i++) lane[i - h] = pcnp_plus(lane[i - h], lane[i]);
        if (n > h) n = h;
    }
    return pcnp_plus(lane[0], 0);
}

/* Adds the products of a dense row to 32 partial sums (n, if n is less), and returns the number of partial sums. */
static size_t pcnp_dense_lanes(float *lane, const float *w, size_t stride, const float *x, size_t n)
{
    const size_t used = n < PCNP_LANES ? n : PCNP_LANES;
    size_t i;
    float v;
    for (i = 0; i < used; i++, w += stride) {
        PCN_READ_WEIGHT(&v, (const pcnp_any_float *)w);
        lane[i] = pcnp_times(v, pcnp_float_at(x + i));
    }
    for (; i < n; i++, w += stride) {
        float *sum = lane + i % PCNP_LANES;
        PCN_READ_WEIGHT(&v, (const pcnp_any_float *)w);
        *sum = pcnp_plus(*sum, pcnp_times(v, pcnp_float_at(x + i)));
    }
    return used;
}

#ifdef PCNP_EIGHTS
/* Returns the sum of w[j * stride] x[j] over a dense row. If weights stand side by side, eight products are computed at
 * once. Partial sums are added up eight at a time; any that got no product are 0. */
PCNP_NOINLINE static float pcnp_eights_dot(const float *w, size_t stride, const float *x, size_t n)
{
    float lane[PCNP_LANES], s;
    size_t i = 0, h, k;
    do {
        const size_t few = n - i < 8 ? n - i : 8;
        float *sum = lane + i % PCNP_LANES;
        if (few == 8 && stride == 1) {
            PCNP_EIGHT_PRODUCTS(sum, w, x, i);
            w += 8;
            x += 8;
        } else {
            for (k = 0; k < few; k++, w += stride, x++) {
                float v = pcnp_times(pcnp_float_at(w), pcnp_float_at(x));
                if (i >= PCNP_LANES) v = pcnp_plus(v, sum[k]);
                sum[k] = v;
            }
            for (; k < 8 && i < PCNP_LANES; k++) {
                float zero = 0;
                PCNP_ROUND(zero); /* so that no memset is called */
                sum[k] = zero;
            }
        }
        i += 8;
    } while (i < n);
    for (h = PCNP_LANES / 2; h >= 8; h >>= 1)
        for (i = h; i < n && i < 2 * h; i += 8) PCNP_EIGHT_ADD(lane + i - h, lane + i);
    PCNP_EIGHT_TREE(s, lane);
    return pcnp_plus(s, 0);
}
#endif

#if PERCEPTRON_SIMD == 0

/* Adds products 0 .. end - 1 to the 32 partial sums in lane[]; end is a multiple of 32. If more is 0, the sums start at
 * 0. */
static void pcnp_lane_blocks(const float *w, const float *x, uint32_t end, float *lane, int more)
{
    uint32_t first, i;
    for (first = 0; first < PCNP_LANES; first += 8, lane += 8) {
        float a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
        if (more) {
            a = lane[0], b = lane[1], c = lane[2], d = lane[3];
            e = lane[4], f = lane[5], g = lane[6], h = lane[7];
        }
        for (i = first; i < end; i += PCNP_LANES) PCNP_EIGHT(w + i, x + i, a, b, c, d, e, f, g, h);
        lane[0] = a, lane[1] = b, lane[2] = c, lane[3] = d;
        lane[4] = e, lane[5] = f, lane[6] = g, lane[7] = h;
    }
}

/* Returns the sum of w[i] x[i] for i < n. */
static float pcnp_dense_dot(const float *w, const float *x, uint32_t n)
{
    const uint32_t cached = 2048; /* of more floats, w and x would leave the cache before the last of four rounds */
    float lane[PCNP_LANES];
    uint32_t i, k;
#ifdef PCNP_EIGHTS /* longer rows are faster with the code below, which stores each partial sum only once */
    if (n < 4 * PCNP_LANES) return pcnp_eights_dot(w, 1, x, n);
#endif
    if (n < PCNP_LANES) {
        for (i = 0; i < n; i++) lane[i] = pcnp_times(pcnp_float_at(w + i), pcnp_float_at(x + i));
        if (n == 0) return 0;
        return pcnp_tree(lane, n);
    }
    for (i = 0; n - i >= PCNP_LANES; i += k) {
        k = cached;
        if (n - i < cached) k = n - i - (n - i) % PCNP_LANES;
        pcnp_lane_blocks(w + i, x + i, k, lane, i != 0);
    }
    for (k = i; k < n; k++) { /* i is a multiple of 32, so k - i is k % 32 */
        const float product = pcnp_times(pcnp_float_at(w + k), pcnp_float_at(x + k));
        lane[k - i] = pcnp_plus(lane[k - i], product);
    }
    return pcnp_tree(lane, PCNP_LANES);
}

#else

/* The 32 partial sums: 0 to 7 in a, 8 to 15 in b, and so on. It is not an array: compilers keep arrays in memory. */
typedef struct pcnp_32 {
    pcnp_v a, b, c, d;
} pcnp_32;

PCNP_INLINE pcnp_v pcnp_mul_add(pcnp_v sum, const float *w, const float *x)
{
    return pcnp_add(sum, pcnp_mul(pcnp_load(w), pcnp_load(x)));
}

PCNP_INLINE pcnp_v pcnp_mul_add_part(pcnp_v sum, const float *w, const float *x, uint32_t k)
{
    return pcnp_add(sum, pcnp_mul(pcnp_load_part(w, k), pcnp_load_part(x, k)));
}

PCNP_INLINE pcnp_32 pcnp_32_add(pcnp_32 s, const float *w, const float *x)
{
    s.a = pcnp_mul_add(s.a, w, x);
    s.b = pcnp_mul_add(s.b, w + 8, x + 8);
    s.c = pcnp_mul_add(s.c, w + 16, x + 16);
    s.d = pcnp_mul_add(s.d, w + 24, x + 24);
    return s;
}

/* Adds the first k < 32 products of a block to the partial sums. */
PCNP_INLINE pcnp_32 pcnp_32_add_part(pcnp_32 s, const float *w, const float *x, uint32_t k)
{
    if (k > 0) s.a = pcnp_mul_add_part(s.a, w, x, k);
    if (k > 8) s.b = pcnp_mul_add_part(s.b, w + 8, x + 8, k - 8);
    if (k > 16) s.c = pcnp_mul_add_part(s.c, w + 16, x + 16, k - 16);
    if (k > 24) s.d = pcnp_mul_add_part(s.d, w + 24, x + 24, k - 24);
    return s;
}

/* Returns the sum of w[i] x[i] for i < n. */
static float pcnp_dense_dot(const float *w, const float *x, uint32_t n)
{
    pcnp_32 s;
    float sum;
    s.a = pcnp_set(0);
    s.b = s.a;
    s.c = s.a;
    s.d = s.a;
    for (; n >= 2 * PCNP_LANES; n -= 2 * PCNP_LANES, w += 2 * PCNP_LANES, x += 2 * PCNP_LANES) {
        s = pcnp_32_add(s, w, x); /* two blocks in each turn, so that the loop itself costs less */
        s = pcnp_32_add(s, w + PCNP_LANES, x + PCNP_LANES);
    }
    if (n >= PCNP_LANES) {
        s = pcnp_32_add(s, w, x);
        n -= PCNP_LANES;
        w += PCNP_LANES;
        x += PCNP_LANES;
    }
    if (n != 0) s = pcnp_32_add_part(s, w, x, n);
    sum = pcnp_sum(pcnp_add(pcnp_add(s.a, s.c), pcnp_add(s.b, s.d)));
    pcnp_done();
    return sum;
}

#endif

/* ---- Products: sparse rows, and rows of any form ---------------------------------------------
 * In a row with indices, the i-th product is added to partial sum i % 4: most such rows are too short for 32 sums. */

static int pcnp_ascends(const uint32_t *index, uint32_t count)
{
    uint32_t i;
    for (i = 1; index && i < count; i++)
        if (index[i] <= index[i - 1]) return 0;
    return 1;
}

/* Returns sum + w[j * stride] x[j], or just sum if j, the index of feature i, is n or more. squared: takes x[j]^2. */
PCNP_INLINE float pcnp_take_product(float sum, const float *w, size_t stride, uint32_t n, const uint32_t *index,
                                    const float *value, uint32_t i, int squared)
{
    float v;
    if (index[i] >= n) return sum;
    v = pcnp_float_at(w + index[i] * stride);
    if (value) v = pcnp_times(v, pcnp_float_at(value + i));
    if (value && squared) v = pcnp_times(v, pcnp_float_at(value + i));
    return pcnp_plus(sum, v);
}

/* Returns the sum of w[j * stride] x[j] over a row with indices, by four partial sums. squared: takes x[j]^2. */
PCNP_INLINE float pcnp_sparse_sum(const float *w, size_t stride, uint32_t n, const uint32_t *index, const float *value,
                                  uint32_t count, int squared)
{
    float a = 0, b = 0, c = 0, d = 0;
    uint32_t i;
    for (i = 0; count - i >= 4; i += 4) {
        a = pcnp_take_product(a, w, stride, n, index, value, i, squared);
        b = pcnp_take_product(b, w, stride, n, index, value, i + 1, squared);
        c = pcnp_take_product(c, w, stride, n, index, value, i + 2, squared);
        d = pcnp_take_product(d, w, stride, n, index, value, i + 3, squared);
    }
    if (i < count) a = pcnp_take_product(a, w, stride, n, index, value, i, squared);
    if (i + 1 < count) b = pcnp_take_product(b, w, stride, n, index, value, i + 1, squared);
    if (i + 2 < count) c = pcnp_take_product(c, w, stride, n, index, value, i + 2, squared);
    return pcnp_plus(pcnp_plus(a, c), pcnp_plus(b, d));
}

/* Sums the products of a row of any form in 32 partial sums, or in 4 if it has indices. A shorter row has one partial
 * sum for each feature. Returns the number of partial sums. */
static size_t pcnp_any_lanes(float *lane, const float *w, size_t stride, uint32_t n, const pcn_vec *x, int squared)
{
    const float *value = x->value;
    const uint32_t last = x->index ? 3 : PCNP_LANES - 1;
    size_t used;
    uint32_t i; /* not size_t, which has 16 bits on some machines: a row without arrays can have more features */
    for (used = 0; used <= last && used < x->count; used++) {
        float zero = 0;
        PCNP_ROUND(zero); /* so that no memset is called */
        lane[used] = zero;
    }
    for (i = 0; i < x->count; i++) {
        const uint32_t j = x->index ? x->index[i] : i;
        float v, *sum = lane + (i & last);
        if (j >= n) continue;
        PCN_READ_WEIGHT(&v, (const pcnp_any_float *)&w[j * stride]);
        if (value) v = pcnp_times(v, pcnp_float_at(value + i));
        if (squared && value) v = pcnp_times(v, pcnp_float_at(value + i));
        *sum = pcnp_plus(*sum, v);
    }
    return used;
}

/* Returns the sum of w[j * stride] x[j] over a row of any form. squared: takes x[j]^2. */
static float pcnp_sum_of(const float *w, size_t stride, uint32_t n, const pcn_vec *x, int squared)
{
    float lane[PCNP_LANES];
    size_t used;
    if (!PCNP_SMALL && x->index) return pcnp_sparse_sum(w, stride, n, x->index, x->value, x->count, squared);
#ifdef PCNP_EIGHTS
    if (!squared && pcnp_is_dense(x)) return pcnp_eights_dot(w, stride, x->value, pcnp_lesser(x->count, n));
#endif
    if (PCNP_SMALL && !squared && pcnp_is_dense(x))
        used = pcnp_dense_lanes(lane, w, stride, x->value, pcnp_lesser(x->count, n));
    else
        used = pcnp_any_lanes(lane, w, stride, n, x, squared);
    if (used == 0) return 0;
    return pcnp_tree(lane, used);
}

/* Returns the sum of w[j * stride] x[j] over j < n. */
static float pcnp_dot(const float *w, size_t stride, uint32_t n, const pcn_vec *x)
{
    if (PCNP_SMALL) return pcnp_sum_of(w, stride, n, x, 0);
    if (pcnp_is_contiguous(x, stride)) return pcnp_dense_dot(w, x->value, pcnp_lesser(x->count, n));
    if (!x->index || stride != 1) return pcnp_sum_of(w, stride, n, x, 0);
    /* For sparse rows and weights side by side. The constants 1 and NULL let the compiler drop tests from the loop. */
    if (x->value) return pcnp_sparse_sum(w, 1, n, x->index, x->value, x->count, 0);
    return pcnp_sparse_sum(w, 1, n, x->index, NULL, x->count, 0);
}

/* Says which features a row may have: it has a bit for each index modulo 1,024 (modulo 32 where memory is short). */
enum { PCNP_FILTER = PCNP_SMALL ? 1 : 32 }; /* words */
typedef struct pcnp_filter {
    uint32_t bits[PCNP_FILTER];
} pcnp_filter;

static void pcnp_make_filter(pcnp_filter *filter, const pcn_vec *x)
{
    uint32_t i, j;
    pcnp_zero(filter->bits, sizeof filter->bits);
    for (i = 0; i < x->count; i++) {
        j = pcnp_index(x, i);
        filter->bits[j / 32 % PCNP_FILTER] |= (uint32_t)1 << j % 32;
    }
}

/* Returns the sum of x[j] z[j] over features that both rows give, by four partial sums. filter: the filter of x. */
PCNP_NOINLINE static float pcnp_dot_of_two(const pcn_vec *x, const pcnp_filter *filter, const pcn_vec *z)
{
    float a = 0, b = 0, c = 0, d = 0, t;
    uint32_t i = 0, k;
    for (k = 0; k < z->count; k++) {
        uint32_t j = pcnp_index(z, k);
        if ((filter->bits[j / 32 % PCNP_FILTER] >> j % 32 & 1u) == 0) continue;
        while (i < x->count && pcnp_index(x, i) < j) i++;
        if (i >= x->count || pcnp_index(x, i) != j) continue;
        t = pcnp_plus(a, pcnp_times(pcnp_value(x, i), pcnp_value(z, k)));
        a = b;
        b = c;
        c = d;
        d = t;
    }
    return pcnp_plus(pcnp_plus(a, c), pcnp_plus(b, d));
}

static float pcnp_norm2(const pcn_vec *x)
{
    const float one = 1;
    if (!PCNP_SMALL && pcnp_is_contiguous(x, 1)) return pcnp_dense_dot(x->value, x->value, x->count);
    return pcnp_sum_of(&one, 0, UINT32_MAX, x, 1);
}

PCN_API float pcn_dot_at(const float *w, uint32_t n, const pcn_vec *x)
{
    return pcnp_dot(w, 1, n, x);
}

PCN_API float pcn_norm2_at(const pcn_vec *x)
{
    return pcnp_norm2(x);
}

/* ---- Products: many rows ---------------------------------------------------------------------
 * Lays out the stored vectors of a kernel model, so that their products with many rows take less time. */

#if PERCEPTRON_SIMD == 0

/* Packing (see pcnp_pack below) saves time only with vector registers. */
#define PCNP_PACKED 1u
static inline int pcnp_pack(const pcn_kmodel *m, uint32_t from, uint32_t n, uint32_t rows, float *to)
{
    (void)m;
    (void)from;
    (void)n;
    (void)rows;
    (void)to;
    return 0;
}

#else

/* A panel holds 16 stored vectors, feature by feature. The products of a row with all of them are computed at once,
 * without sums over lanes. Many rows use the same panel. */
#define PCNP_PACKED 6144u /* floats (24 KB), to fit in the first-level cache */

/* Packs n slots, starting at slot `from`, into panels, if that saves time for `rows` rows. Copies of the last vector
 * fill the last panel. Returns 0 if it packs nothing, because there are few rows or few vectors, or because the vectors
 * are sparse, long or of different lengths. */
static int pcnp_pack(const pcn_kmodel *m, uint32_t from, uint32_t n, uint32_t rows, float *to)
{
    const pcn_slot *slot = m->slot + from;
    size_t at[PCNP_COLUMNS];
    uint32_t count = slot->count, i, j;
    if (m->index || m->features > PCNP_PACKED / PCNP_COLUMNS) return 0;
    if (n < PCNP_COLUMNS / 2 || m->features / 8 >= rows) return 0; /* packing would take longer than it saves */
    for (i = 0; i < n; i++)
        if (slot[i].count != count || count > m->features) return 0;
    for (i = 0; i < n;) {
        for (j = 0; j < PCNP_COLUMNS; j++, i++) at[j] = slot[pcnp_lesser(i, n - 1)].start;
        for (j = 0; j < count; j++, to += PCNP_COLUMNS) {
            pcnp_store(to, pcnp_gather(m->value + j, at));
            pcnp_store(to + PCNP_W, pcnp_gather(m->value + j, at + PCNP_W));
        }
    }
    pcnp_done();
    return 1;
}

#endif

/* ---- Products: many classes ------------------------------------------------------------------
 * Computes the scores of a model (several at once where vectors are wide), checks them, and finds the best. */

/* pcnp_class_at returns where the weights of score c begin, pcnp_stride the distance between a feature and the next. */
static inline size_t pcnp_class_at(const pcn_linear *m, uint32_t c)
{
    return m->by_feature ? c : (size_t)c * m->features;
}

static inline size_t pcnp_stride(const pcn_linear *m)
{
    return m->by_feature ? m->scores : 1;
}

static inline float pcnp_add_bias(const pcn_linear *m, uint32_t c, float s)
{
    float bias;
    if (!m->bias) return s;
    PCN_READ_WEIGHT(&bias, (const pcnp_any_float *)&m->bias[c]);
    return pcnp_plus(s, bias);
}

/* Returns the score of a model that has one score. Its weights have the same order in both layouts. */
static float pcnp_score(const pcn_linear *m, const pcn_vec *x)
{
    return pcnp_add_bias(m, 0, pcnp_dot(m->weight, 1, m->features, x));
}

/* Returns score c of m. */
static float pcnp_score_of(const pcn_linear *m, uint32_t c, const pcn_vec *x)
{
    float s = 0; /* without features, weight may be NULL */
    if (m->features != 0) s = pcnp_dot(m->weight + pcnp_class_at(m, c), pcnp_stride(m), m->features, x);
    return pcnp_add_bias(m, c, s);
}

#if PERCEPTRON_SIMD == 0

/* Writes `scores` scores of x, from score `from` on. */
static void pcnp_scores(const pcn_linear *m, uint32_t from, uint32_t scores, const pcn_vec *x, float *score)
{
    uint32_t c;
    for (c = 0; c < scores; c++) score[c] = pcnp_score_of(m, from + c, x);
}

#else

/* A dense row x of 1 to 32 features, in `parts` vectors, and rows of weights, `row` floats apart. */
typedef struct pcnp_short {
    const float *w;
    size_t row;
    uint32_t rows, last; /* rows: of weights. last: lanes in use in the last vector of x */
    pcnp_v x[4];
} pcnp_short;

/* Adds up the products of x with row r of weights to 8 sums, in the order of the halving tree. If there is no row r, it
 * takes row 0. The additions do not start from 0, so a sum can be -0. pcnp_short_sums adds the 0 later. */
PCNP_INLINE pcnp_v pcnp_short_row(const pcnp_short *s, uint32_t r, uint32_t parts)
{
    const float *w;
    pcnp_v a, b, end;
    if (r >= s->rows) r = 0;
    w = s->w + r * s->row;
    end = pcnp_mul(s->x[parts - 1], pcnp_load_part(w + (parts - 1) * PCNP_W, s->last));
    if (parts == 1) return end;
    a = pcnp_mul(s->x[0], pcnp_load(w));
    if (parts == 2) return pcnp_add(a, end);
    b = pcnp_mul(s->x[1], pcnp_load(w + PCNP_W));
    if (parts == 3) return pcnp_add(pcnp_add(a, end), b);
    return pcnp_add(pcnp_add(a, pcnp_mul(s->x[2], pcnp_load(w + 2 * PCNP_W))), pcnp_add(b, end));
}

PCNP_INLINE pcnp_v pcnp_short_pair(const pcnp_short *s, uint32_t r, uint32_t parts)
{
    return pcnp_halves(pcnp_short_row(s, r, parts), pcnp_short_row(s, r + 4, parts));
}

/* Returns the products of x with up to eight rows of weights, one in each lane, by eight halving trees at once. */
PCNP_INLINE pcnp_v pcnp_short_sums(const float *w, size_t row, uint32_t rows, const float *x, uint32_t n,
                                   uint32_t parts)
{
    pcnp_short s;
    pcnp_v a, b, c, d;
    uint32_t i;
    s.w = w;
    s.row = row;
    s.rows = rows;
    s.last = n - (parts - 1) * PCNP_W;
    for (i = 0; i < parts - 1; i++) s.x[i] = pcnp_load(x + i * PCNP_W);
    s.x[parts - 1] = pcnp_load_part(x + i * PCNP_W, s.last);
    a = pcnp_short_pair(&s, 0, parts);
    b = pcnp_short_pair(&s, 1, parts);
    c = pcnp_short_pair(&s, 2, parts);
    d = pcnp_short_pair(&s, 3, parts);
    a = pcnp_add(pcnp_low2(a, b), pcnp_high2(a, b));
    c = pcnp_add(pcnp_low2(c, d), pcnp_high2(c, d));
    return pcnp_add(pcnp_set(0), pcnp_add(pcnp_even(a, c), pcnp_odd(a, c)));
}

/* Writes the scores of a dense row of up to 32 features. The weights of score c begin at w[c * row]. bias may be
 * NULL. */
static void pcnp_scores_few_features(const float *w, size_t row, uint32_t rows, const float *x, uint32_t n,
                                     const float *bias, float *score)
{
    const uint32_t fewest = 4; /* with at least so many scores, computing eight at once is faster than one by one */
    pcnp_v sum;
    uint32_t c, k = 0;
    for (c = 0; rows - c >= fewest; c += k, w += k * row) {
        k = pcnp_part(rows - c);
        if (n <= PCNP_W)
            sum = pcnp_short_sums(w, row, k, x, n, 1);
        else if (n <= 2 * PCNP_W)
            sum = pcnp_short_sums(w, row, k, x, n, 2);
        else if (n <= 3 * PCNP_W)
            sum = pcnp_short_sums(w, row, k, x, n, 3);
        else
            sum = pcnp_short_sums(w, row, k, x, n, 4);
        if (bias) sum = pcnp_add(sum, pcnp_load_part(bias + c, k));
        pcnp_store_part(score + c, sum, k);
    }
    pcnp_done();
    for (; c < rows; c++, w += row) {
        score[c] = pcnp_dense_dot(w, x, n);
        if (bias) score[c] = pcnp_plus(score[c], pcnp_float_at(bias + c));
    }
}

/* How many scores of a feature-major model are computed at once. Calls pass constants, so testing it costs nothing. */
enum pcnp_width {
    PCNP_FEW, /* fewer than PCNP_ENDS, in one vector: short code, not the fastest */
    PCNP_ONE, /* PCNP_ENDS to 8, in one vector */
    PCNP_TWO  /* 16, in two vectors */
};

typedef struct pcnp_columns_sum {
    pcnp_v a, b; /* b: only with PCNP_TWO */
} pcnp_columns_sum;

/* A row x, and feature-major weights of `scores` scores: those of feature j begin at w[j * stride]. */
typedef struct pcnp_columns {
    const float *w, *value;
    const uint32_t *index;
    size_t stride;
    uint32_t features, scores;
} pcnp_columns;

PCNP_INLINE pcnp_columns_sum pcnp_columns_add(enum pcnp_width width, pcnp_columns_sum s, pcnp_columns_sum t)
{
    s.a = pcnp_add(s.a, t.a);
    if (width == PCNP_TWO) s.b = pcnp_add(s.b, t.b);
    return s;
}

/* Loads the first vector of the weights or biases at w. */
PCNP_INLINE pcnp_v pcnp_columns_load(enum pcnp_width width, const float *w, uint32_t scores)
{
    if (width == PCNP_TWO) return pcnp_load(w);
    if (width == PCNP_ONE) return pcnp_load_ends(w, scores);
    return pcnp_load_few(w, scores);
}

/* Returns the products of one value x with the weights at w. */
PCNP_INLINE pcnp_columns_sum pcnp_columns_product(const pcnp_columns *columns, enum pcnp_width width, const float *w,
                                                  float x)
{
    const pcnp_v v = pcnp_set(x);
    pcnp_columns_sum s;
    s.a = pcnp_mul(pcnp_columns_load(width, w, columns->scores), v);
    s.b = s.a;
    if (width == PCNP_TWO) s.b = pcnp_mul(pcnp_load(w + PCNP_W), v);
    return s;
}

PCNP_INLINE pcnp_columns_sum pcnp_columns_take(pcnp_columns_sum s, const pcnp_columns *columns, enum pcnp_width width,
                                               uint32_t i)
{
    const uint32_t j = columns->index[i];
    const float x = columns->value ? pcnp_float_at(columns->value + i) : 1;
    if (j >= columns->features) return s;
    return pcnp_columns_add(width, s, pcnp_columns_product(columns, width, columns->w + j * columns->stride, x));
}

/* Returns the sums over a row with indices. The four partial sums of each score stay in registers. */
PCNP_INLINE pcnp_columns_sum pcnp_columns_sparse(const pcnp_columns *columns, enum pcnp_width width, uint32_t count)
{
    pcnp_columns_sum a, b, c, d;
    uint32_t i;
    a.a = pcnp_set(0);
    a.b = a.a;
    b = a;
    c = a;
    d = a;
    for (i = 0; count - i >= 4; i += 4) {
        a = pcnp_columns_take(a, columns, width, i);
        b = pcnp_columns_take(b, columns, width, i + 1);
        c = pcnp_columns_take(c, columns, width, i + 2);
        d = pcnp_columns_take(d, columns, width, i + 3);
    }
    if (i < count) a = pcnp_columns_take(a, columns, width, i);
    if (i + 1 < count) b = pcnp_columns_take(b, columns, width, i + 1);
    if (i + 2 < count) c = pcnp_columns_take(c, columns, width, i + 2);
    return pcnp_columns_add(width, pcnp_columns_add(width, a, c), pcnp_columns_add(width, b, d));
}

/* Returns the sum of partial sums i and i + 16 of n > i products. w: the weights of feature i. more: 1 if n may exceed
 * 32. */
PCNP_INLINE pcnp_columns_sum pcnp_columns_16(const pcnp_columns *columns, enum pcnp_width width, int more, uint32_t n,
                                             const float *w, size_t i)
{
    const size_t half = PCNP_LANES / 2, step = half * columns->stride;
    pcnp_columns_sum s = pcnp_columns_product(columns, width, w, pcnp_float_at(columns->value + i)), t;
    if (i + half >= n) return s;
    t = pcnp_columns_product(columns, width, w + step, pcnp_float_at(columns->value + i + half));
    for (i += PCNP_LANES; more && i + half < n; i += PCNP_LANES) {
        w += 2 * step;
        s = pcnp_columns_add(width, s, pcnp_columns_product(columns, width, w, pcnp_float_at(columns->value + i)));
        t = pcnp_columns_add(width, t,
                             pcnp_columns_product(columns, width, w + step, pcnp_float_at(columns->value + i + half)));
    }
    if (more && i < n)
        s = pcnp_columns_add(width, s,
                             pcnp_columns_product(columns, width, w + 2 * step, pcnp_float_at(columns->value + i)));
    return pcnp_columns_add(width, s, t);
}

/* Add up the partial sums by the halving tree, one branch after the other, so that few of them are in use at a time. */
#define PCNP_HALVE(half, quarter, distance)                                                                            \
    PCNP_INLINE pcnp_columns_sum half(const pcnp_columns *r, enum pcnp_width width, int more, uint32_t n,              \
                                      const float *w, size_t i)                                                        \
    {                                                                                                                  \
        pcnp_columns_sum s = quarter(r, width, more, n, w, i);                                                         \
        if (i + distance >= n) return s;                                                                               \
        return pcnp_columns_add(width, s, quarter(r, width, more, n, w + distance * r->stride, i + distance));         \
    }
PCNP_HALVE(pcnp_columns_8, pcnp_columns_16, 8)
PCNP_HALVE(pcnp_columns_4, pcnp_columns_8, 4)
PCNP_HALVE(pcnp_columns_2, pcnp_columns_4, 2)
PCNP_HALVE(pcnp_columns_1, pcnp_columns_2, 1)
#undef PCNP_HALVE

/* Returns the sums over a dense row (of features, or of kernel values). For up to 32 values, the additions of the tree
 * are written out without a loop. For more, a loop runs a quarter of the tree four times, because the code of the whole
 * tree would be four times as long. */
PCNP_INLINE pcnp_columns_sum pcnp_columns_dense(const pcnp_columns *columns, enum pcnp_width width, uint32_t n)
{
    pcnp_columns_sum even, odd, s; /* after the loop: branches 0 and 2 of the tree, and 1 and 3 */
    uint32_t i;
    even.a = pcnp_set(0);
    even.b = even.a;
    odd = even;
    if (width != PCNP_FEW && n != 0 && n <= PCNP_LANES)
        return pcnp_columns_add(width, even, pcnp_columns_1(columns, width, 0, n, columns->w, 0));
    for (i = 0; i < 4 && i < n; i++) {
        s = pcnp_columns_add(width, even, pcnp_columns_4(columns, width, 1, n, columns->w + i * columns->stride, i));
        even = odd;
        odd = s;
    }
    return pcnp_columns_add(width, even, odd);
}

/* Writes the scores of x from score `from` on: as many as `width` stands for. */
PCNP_INLINE void pcnp_columns_part(const pcn_linear *m, uint32_t from, uint32_t scores, const pcn_vec *x,
                                   enum pcnp_width width, float *score)
{
    const float *bias = m->bias;
    pcnp_columns columns;
    pcnp_columns_sum s;
    if (bias) bias += from;
    columns.w = m->weight;
    if (m->features != 0) columns.w += from; /* NULL + from is undefined */
    columns.value = x->value;
    columns.index = x->index;
    columns.stride = m->scores;
    columns.features = m->features;
    columns.scores = scores;
    if (x->index)
        s = pcnp_columns_sparse(&columns, width, x->count);
    else
        s = pcnp_columns_dense(&columns, width, pcnp_lesser(x->count, columns.features));
    if (bias) s.a = pcnp_add(s.a, pcnp_columns_load(width, bias, scores));
    if (bias && width == PCNP_TWO) s.b = pcnp_add(s.b, pcnp_load(bias + PCNP_W));
    if (width == PCNP_FEW)
        pcnp_store_part(score, s.a, scores);
    else if (width == PCNP_ONE)
        pcnp_store_ends(score, s.a, scores);
    else {
        pcnp_store(score, s.a);
        pcnp_store(score + PCNP_W, s.b);
    }
    pcnp_done();
}

/* Writes scores as pcnp_scores, for feature-major weights. Not inlined, so that pcnp_scores needs less stack. */
PCNP_NOINLINE static void pcnp_columns_scores(const pcn_linear *m, uint32_t from, uint32_t scores, const pcn_vec *x,
                                              float *score)
{
    uint32_t c, k;
    for (c = 0; c < scores; c += k) {
        const int wide = scores - c > PCNP_W && scores >= PCNP_COLUMNS;
        k = wide ? PCNP_COLUMNS : pcnp_part(scores);
        if (scores - c < k) c = scores - k; /* some scores may be computed twice: fewer at once take as long */
        if (wide)
            pcnp_columns_part(m, from + c, PCNP_COLUMNS, x, PCNP_TWO, score + c);
        else if (PCNP_ENDS == 1 || k >= PCNP_ENDS)
            pcnp_columns_part(m, from + c, k, x, PCNP_ONE, score + c);
        else
            pcnp_columns_part(m, from + c, k, x, PCNP_FEW, score + c);
    }
}

/* Writes `scores` scores of x, from score `from` on. */
static void pcnp_scores(const pcn_linear *m, uint32_t from, uint32_t scores, const pcn_vec *x, float *score)
{
    const float *w = m->weight, *bias = m->bias;
    const uint32_t n = pcnp_lesser(x->count, m->features);
    uint32_t c;
    if (m->features != 0) w += pcnp_class_at(m, from); /* NULL + from is undefined */
    if (bias) bias += from;
    if (pcnp_stride(m) != 1 && (x->index || x->value))
        pcnp_columns_scores(m, from, scores, x, score);
    else if (pcnp_is_contiguous(x, 1) && n <= PCNP_LANES)
        pcnp_scores_few_features(w, m->features, scores, x->value, n, bias, score);
    else
        for (c = 0; c < scores; c++) score[c] = pcnp_score_of(m, from + c, x);
}

#endif

/* Are all scores finite? If so, *rival becomes nonzero if a score other than y is at least as high as score y. */
static int pcnp_check_scores(const float *score, uint32_t scores, uint32_t y, uint32_t *rival)
{
    uint32_t c, k, lanes;
    int good = 1;
    *rival = 0;
    if (PCNP_SMALL) { /* a loop that gives the same result and needs less code */
        for (c = 0; c < scores; c++) {
            if (!pcnp_finite(score[c])) return 0;
            if (c != y && !pcnp_greater(score[y], score[c])) *rival = 1;
        }
        return 1;
    }
    for (c = 0; c < scores; c += k) {
        pcnp_v v;
        k = pcnp_part(scores - c);
        v = pcnp_load_part(score + c, k);
        good &= pcnp_finite_lanes(v);
        lanes = (1u << k) - 1;
        if (y - c < k) lanes &= ~(1u << (y - c));
        *rival |= pcnp_mask(v, score[y]) & lanes;
    }
    pcnp_done();
    return good;
}

/* ---- Products: updates -----------------------------------------------------------------------
 * Adds a multiple of a row to weights: with pcnp_axpy, or block by block for methods that compute new weights. */

/* Is |f| below 2^54? If every |step x[j]| is, no weight ever reaches 2^80, and no weight needs a check. Proof: floats
 * from 2^79 to 2^80 are 2^56 apart, so the largest float below 2^80 is 2^80 - 2^56. Sums are rounded to the nearest
 * float. So a change below 2^55, half the distance, leaves that float as it is, and takes no smaller float past it. */
static inline int pcnp_moderate(float f)
{
    return pcnp_to_bits(f) << 1 < 0xb5000000u;
}

#if PERCEPTRON_SIMD == 0

/* Are all |step x[j]| below 2^54? */
static int pcnp_step_is_moderate(float step, const pcn_vec *x)
{
    const float *value = x->value;
    uint32_t n = x->count;
    for (; n != 0; n--) {
        float v = step;
        if (!PCNP_ALL || value) v = pcnp_times(v, *value++);
        if (!pcnp_moderate(v)) return 0;
    }
    return 1;
}

#else

/* Are all |step x[j]| below 2^54? A NaN in x passes, because pcnp_max returns its second operand if the first is NaN.
 * But learn() finds it in the score. */
static int pcnp_step_is_moderate(float step, const pcn_vec *x)
{
    const pcnp_v nil = pcnp_set(0), s = pcnp_set(step);
    pcnp_v most = nil, v;
    uint32_t i, k;
    if (!x->value) return x->count == 0 || pcnp_moderate(step);
    if (!pcnp_finite(step)) return 0;
    for (i = 0; i < x->count; i += k) {
        k = pcnp_part(x->count - i);
        v = pcnp_mul(s, pcnp_load_part(x->value + i, k));
        most = pcnp_max(pcnp_max(v, pcnp_sub(nil, v)), most);
    }
    k = pcnp_mask(most, 18014398509481984.0f);
    pcnp_done();
    return k == 0;
}

#endif

/* Returns the largest magnitude of n numbers. NaN counts as larger than all others. */
static float pcnp_largest(const float *f, uint32_t n)
{
    uint32_t most = 0;
    for (; n != 0; n--, f++)
        if (most < (pcnp_to_bits(*f) & 0x7fffffffu)) most = pcnp_to_bits(*f) & 0x7fffffffu;
    return pcnp_from_bits(most);
}

/* A block: k features of x from the i-th on, at most PCNP_W, and where their weights stand. */
struct pcnp_block {
    const pcn_vec *x;
    uint32_t i, k;
    int beside;        /* the weights stand side by side from w[i] on; otherwise at[] says where */
    size_t at[PCNP_W]; /* from at[k] on, at[0] is repeated */
};

/* Sets *block to the block of k features of x from the i-th on. Returns 0 if the index of one of these features is n or
 * more. The caller must then leave out the block. (This happens only if the indices do not ascend.) */
PCNP_INLINE int pcnp_block_find(pcnp_block *block, const pcn_vec *x, size_t stride, uint32_t n, uint32_t i, uint32_t k)
{
    uint32_t q, j, most = 0;
    block->x = x;
    block->i = i;
    block->k = k;
    block->beside = !x->index && stride == 1;
    if (block->beside) return i + block->k <= n;
    PCNP_UNROLL
    for (q = 0; q < PCNP_W; q++) {
        j = pcnp_index(x, i + (q < block->k ? q : 0));
        block->at[q] = j * stride;
        if (j > most) most = j;
    }
    return most < n;
}

PCNP_INLINE pcnp_v pcnp_block_values(const pcnp_block *block)
{
    if (!block->x->value) return pcnp_set(1);
    return pcnp_load_part(block->x->value + block->i, block->k);
}

/* Loads the elements for the block's features from an array with the same layout as the weights. */
PCNP_INLINE pcnp_v pcnp_block_gather(const float *w, const pcnp_block *block)
{
    if (block->beside) return pcnp_load_part(w + block->i, block->k);
    return pcnp_gather(w, block->at);
}

PCNP_INLINE void pcnp_block_scatter(float *w, const pcnp_block *block, pcnp_v v)
{
    float t[PCNP_W];
    uint32_t q;
    if (block->beside) {
        pcnp_store_part(w + block->i, v, block->k);
        return;
    }
    pcnp_store(t, v);
    PCNP_UNROLL
    for (q = PCNP_W; q != 0; q--) w[block->at[q - 1]] = t[q - 1]; /* t[0] must come last: from at[k] on at[0] repeats */
}

/* Adds step x[j] to w[j * stride], for the features below n of a row of any form. */
PCNP_INLINE void pcnp_sparse_axpy(float *w, size_t stride, uint32_t n, float step, const uint32_t *index,
                                  const float *value, uint32_t count)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        uint32_t j = PCNP_ALL && index ? index[i] : i;
        float v = step;
        if (j >= n) continue;
        if (!PCNP_ALL || value) v = pcnp_times(v, pcnp_float_at(value + i));
        w[j * stride] = pcnp_plus(w[j * stride], v);
    }
}

/* Adds step x[i] to w[i], for PCNP_W weights. */
PCNP_INLINE void pcnp_axpy_vector(float *w, pcnp_v step, const float *x)
{
    pcnp_store(w, pcnp_add(pcnp_load(w), pcnp_mul(step, pcnp_load(x))));
}

static void pcnp_dense_axpy(float *w, size_t stride, float step, const float *x, size_t n)
{
    const pcnp_v s = pcnp_set(step);
    for (; !PCNP_SMALL && n >= 4 * PCNP_W; n -= 4 * PCNP_W, w += 4 * PCNP_W, x += 4 * PCNP_W) {
        pcnp_axpy_vector(w, s, x); /* four vectors in each turn, so that the loop itself costs less */
        pcnp_axpy_vector(w + PCNP_W, s, x + PCNP_W);
        pcnp_axpy_vector(w + 2 * PCNP_W, s, x + 2 * PCNP_W);
        pcnp_axpy_vector(w + 3 * PCNP_W, s, x + 3 * PCNP_W);
    }
    for (; !PCNP_SMALL && n >= PCNP_W; n -= PCNP_W, w += PCNP_W, x += PCNP_W) pcnp_axpy_vector(w, s, x);
    pcnp_done(); /* the rest one by one, which is faster than a part of a vector */
    for (; n != 0; n--, w += stride, x++) *w = pcnp_plus(*w, pcnp_times(step, pcnp_float_at(x)));
}

static void pcnp_axpy(float *w, size_t stride, uint32_t n, float step, const pcn_vec *x)
{
    if (PCNP_SMALL && pcnp_is_dense(x))
        pcnp_dense_axpy(w, stride, step, x->value, pcnp_lesser(x->count, n));
    else if (!PCNP_SMALL && pcnp_is_contiguous(x, stride))
        pcnp_dense_axpy(w, 1, step, x->value, pcnp_lesser(x->count, n));
    else if (PCNP_W == 1 || !x->index || stride != 1)
        pcnp_sparse_axpy(w, stride, n, step, x->index, x->value, x->count);
    else if (x->value) /* the constants 1 and NULL let the compiler drop tests from the loop */
        pcnp_sparse_axpy(w, 1, n, step, x->index, x->value, x->count);
    else
        pcnp_sparse_axpy(w, 1, n, step, x->index, NULL, x->count);
}

PCN_API void pcn_add_at(float *w, uint32_t n, float scale, const pcn_vec *x)
{
    pcnp_axpy(w, 1, n, scale, x);
}

/* ---- Hints for the caches -------------------------------------------------------------------- */

static void pcnp_set_all(float *f, size_t n, float value)
{
    for (; n != 0; n--) {
        PCNP_ROUND(value); /* so that no memset is called */
        *f++ = value;
    }
}

/* Prefetches the first and the last of the n floats at w[j * stride], for each feature j of a sparse row, if w has
 * PCNP_FAR floats or more. It fills the second-level cache: in the first, they would displace what the current row
 * needs. */
PCNP_INLINE void pcnp_fetch(const float *w, size_t stride, uint32_t features, const pcn_vec *x, uint32_t n)
{
    size_t i, last = (n - 1) * sizeof *w;
    if (PCNP_W == 1) return; /* small processors have no caches */
    if (!x->index || features * stride < PCNP_FAR) return;
    for (i = 0; i < x->count; i++) {
        uintptr_t at = (uintptr_t)w + x->index[i] * stride * sizeof *w;
        PCNP_PREFETCH(at, 2);
        if (n > 1) PCNP_PREFETCH(at + last, 2); /* perhaps in another cache line */
    }
}

/* Prefetches the values of a dense row, or the weights of a sparse row if they are feature-major and do not fit in the
 * second-level cache. To prefetch other weights would save no time. */
PCN_API void pcn_linear_fetch_at(const pcn_linear *m, const pcn_vec *next)
{
    const size_t line = 16, stride = pcnp_stride(m); /* line: floats in a cache line */
    size_t i;
    if (!next->index && next->value && PCNP_W > 1)
        for (i = 0; i < next->count; i += line) PCNP_PREFETCH((uintptr_t)(next->value + i), 3);
    if (stride == 1 || (uint64_t)m->features * stride < PCNP_FARTHER) return;
    pcnp_fetch(m->weight, stride, m->features, next, m->scores);
}

/* ---- Averaging: sums without loss ------------------------------------------------------------
 * Computes u of CIML, Algorithm 7. If row number c changes a weight by d, then c d is added to its u. After n rows the
 * mean is w - u / (n + 1). u and each product c d are kept as sums of two floats. c is split into c2 + c1 + c0,
 * multiples of 2^24, 2^12 and 1 with at most 12 bits each, and d into two parts of 12 bits. So the products of these
 * parts are exact. Together they give the part of c d that was lost in rounding. */

/* Returns s, a + b rounded, and sets *e so that s + *e = a + b exactly (Knuth). */
PCNP_INLINE pcnp_v pcnp_two_sum(pcnp_v a, pcnp_v b, pcnp_v *e)
{
    pcnp_v s = pcnp_add(a, b), t = pcnp_sub(s, a);
    *e = pcnp_add(pcnp_sub(a, pcnp_sub(s, t)), pcnp_sub(b, t));
    return s;
}

typedef struct pcnp_clock { /* c, c2, c1 and c0 of the section's head, the same in all lanes */
    pcnp_v c, c2, c1, c0;
    int exact; /* c has at most 24 bits */
} pcnp_clock;

/* Returns p, which is c x rounded, and sets *t so that p + *t = c x (Dekker). That is exact if c < 2^24; otherwise its
 * relative error is at most 2^-35, and nearly always 2^-48. All sums but the last three are exact. Because c is a whole
 * number, no bit of c x is too small for *t. */
PCNP_INLINE pcnp_v pcnp_two_product(const pcnp_clock *c, pcnp_v x, pcnp_v *t)
{
    pcnp_v x1 = pcnp_head(x), x0 = pcnp_sub(x, x1), p = pcnp_mul(c->c, x), low;
    if (PCNP_FUSED && c->exact) {
        *t = pcnp_mul_sub(c->c, x, p);
        return p;
    }
    low = pcnp_add(pcnp_sub(pcnp_mul(c->c2, x1), p), pcnp_mul(c->c1, x1));
    low = pcnp_add(pcnp_add(low, pcnp_mul(c->c2, x0)), pcnp_mul(c->c0, x1));
    *t = pcnp_add(pcnp_add(low, pcnp_mul(c->c1, x0)), pcnp_mul(c->c0, x0));
    return p;
}

static inline pcnp_clock pcnp_split_clock(uint64_t clock)
{
    pcnp_clock c;
    c.c2 = pcnp_set((float)(uint32_t)(clock >> 24) * 16777216.0f);
    c.c1 = pcnp_set((float)(uint32_t)(clock >> 12 & 4095u) * 4096.0f);
    c.c0 = pcnp_set((float)(uint32_t)(clock & 4095u));
    c.c = pcnp_add(c.c2, pcnp_add(c.c1, c.c0));
    c.exact = clock < 16777216u;
    return c;
}

/* Adds x + lower to the two floats *sum + *rest. */
PCNP_INLINE void pcnp_add_pair(pcnp_v *sum, pcnp_v *rest, pcnp_v x, pcnp_v lower)
{
    pcnp_v e, s = pcnp_two_sum(*sum, x, &e);
    *sum = pcnp_two_sum(s, pcnp_add(*rest, pcnp_add(e, lower)), rest);
}

/* Moves a block of weights by step x, or as the method does, and adds c times the rounded change to their sums u. */
PCNP_INLINE void pcnp_mean_block(pcn_perceptron *m, size_t at, const pcnp_block *b, float step, float shrink, int plain,
                                 const pcnp_clock *c)
{
    float *w = pcnp_weights(m) + at, *sum = m->own.sum + at, weight[PCNP_W];
    float *rest = sum + PCNP_LINEAR(m->live.features, m->live.scores);
    pcnp_v old = pcnp_block_gather(w, b), now, change, lost, product, t, u, e;
    if (plain) {
        now = pcnp_add(old, pcnp_mul(pcnp_set(step), pcnp_block_values(b)));
    } else {
        m->own.method->reweigh(m, at, b, step, shrink, weight);
        now = pcnp_load(weight);
    }
    pcnp_block_scatter(w, b, now);
    change = pcnp_two_sum(now, pcnp_sub(pcnp_set(0), old), &lost);
    product = pcnp_two_product(c, change, &t);
    u = pcnp_block_gather(sum, b);
    e = pcnp_block_gather(rest, b);
    pcnp_add_pair(&u, &e, product, pcnp_add(t, pcnp_mul(c->c, lost)));
    pcnp_block_scatter(sum, b, u);
    pcnp_block_scatter(rest, b, e);
}

PCNP_INLINE void pcnp_mean_blocks(pcn_perceptron *m, size_t at, size_t stride, uint32_t n, const pcn_vec *x, float step,
                                  float shrink, int plain)
{
    pcnp_clock c = pcnp_split_clock(m->learner.clock);
    pcnp_block b;
    uint32_t i;
    for (i = 0; x->count - i >= PCNP_W; i += PCNP_W)
        if (pcnp_block_find(&b, x, stride, n, i, PCNP_W)) pcnp_mean_block(m, at, &b, step, shrink, plain, &c);
    if (PCNP_W > 1 && i < x->count && pcnp_block_find(&b, x, stride, n, i, x->count - i))
        pcnp_mean_block(m, at, &b, step, shrink, plain, &c);
    pcnp_done();
}

/* Moves all weights of the features of x, which begin at number `at`, and their sums. Dense rows have a loop of their
 * own, which does not ask for the form of the row. */
static void pcnp_mean_row(pcn_perceptron *m, size_t at, size_t stride, uint32_t n, const pcn_vec *x, float step,
                          float shrink, int plain)
{
    if (PCNP_W > 1 && plain && pcnp_is_contiguous(x, stride)) {
        pcn_vec dense = pcn_dense(x->value, x->count);
        pcnp_mean_blocks(m, at, 1, n, &dense, step, shrink, 1);
    } else {
        pcnp_mean_blocks(m, at, stride, n, x, step, shrink, plain);
    }
}

/* Writes mean = (c w - sum - rest) / c for n weights. The numerator is exact but for the last bits of its lower part,
 * however much its terms cancel. The quotient is corrected once, with the remainder of the division. */
static void pcnp_mean(const float *w, const float *sum, const float *rest, size_t n, uint64_t clock, float *mean)
{
    pcnp_clock c = pcnp_split_clock(clock);
    uint32_t k;
    for (; n != 0; n -= k, w += k, sum += k, rest += k, mean += k) {
        pcnp_v v, p, t, s, e, q;
        k = pcnp_part(n);
        v = pcnp_load_part(w, k);
        p = pcnp_two_product(&c, v, &t);
        s = pcnp_two_sum(p, pcnp_sub(pcnp_set(0), pcnp_load_part(sum, k)), &e);
        v = pcnp_add(e, pcnp_sub(t, pcnp_load_part(rest, k)));
        p = pcnp_two_sum(s, v, &e); /* p + e is the sum of all weights so far */
        q = pcnp_div(p, c.c);
        s = pcnp_two_product(&c, q, &t);
        v = pcnp_add(pcnp_sub(pcnp_sub(p, s), t), e);
        pcnp_store_part(mean, pcnp_add(q, pcnp_div(v, c.c)), k);
    }
    pcnp_done();
}

#define PCNP_MEANS                                                                                                     \
    (PCNP_W > 1 ? 32u                                                                                                  \
                : 2u) /* means computed at a time; few in portable C, because small processors have small stacks */

/* Writes the means of n weights, those with the numbers at[0] .. at[n - 1]. */
static void pcnp_mean_of(const pcn_perceptron *m, const size_t *at, uint32_t n, float *mean)
{
    const float *w = m->live.weight, *sum = m->own.sum, *rest = sum + PCNP_LINEAR(m->live.features, m->live.scores);
    float part[3][PCNP_MEANS];
    uint32_t k;
    for (k = 0; k < n; k++) {
        part[0][k] = w[at[k]];
        part[1][k] = sum[at[k]];
        part[2][k] = rest[at[k]];
    }
    pcnp_mean(part[0], part[1], part[2], n, m->learner.clock + 1, mean);
}

/* Returns the score that the frozen mean gives, bit for bit. It computes the same means of weights, and adds their
 * products in the order of pcnp_scores: to 4 partial sums if the row has indices, otherwise to 32. The mean of the bias
 * is computed together with those of the last weights. */
static float pcnp_score_of_mean(const pcn_perceptron *m, uint32_t c, const pcn_vec *x)
{
    const pcn_linear *l = &m->live;
    const size_t stride = pcnp_stride(l), first = pcnp_class_at(l, c);
    const uint32_t lanes = x->index ? 4 : PCNP_LANES;
    size_t at[PCNP_MEANS];
    float part[PCNP_LANES], value[PCNP_MEANS], mean[PCNP_MEANS];
    uint32_t i = 0, n, h, last, k = 0;
    pcnp_set_all(part, lanes, 0);
    do {
        for (n = 0; i < x->count && n < PCNP_MEANS; i++) {
            const uint32_t j = pcnp_index(x, i);
            if (j >= l->features) continue;
            at[n] = first + j * stride;
            value[n++] = pcnp_value(x, i);
        }
        last = n < PCNP_MEANS;
        if (last) at[n] = (size_t)l->features * l->scores + c;
        pcnp_mean_of(m, at, n + last, mean);
        for (h = 0; h < n; h++, k++) {
            float *sum = part + k % lanes;
            *sum = pcnp_plus(*sum, pcnp_times(mean[h], value[h]));
        }
    } while (!last);
    for (h = lanes / 2; h != 0; h /= 2)
        for (i = 0; i < h; i++) part[i] = pcnp_plus(part[i], part[i + h]);
    return pcnp_plus(part[0], mean[n]);
}

/* ============================================================================================== */
/* ==== Other learners ========================================================================== */
/* ============================================================================================== */

/* ---- The linear trainer: methods with a state ------------------------------------------------ */

static void pcnp_state_row(pcn_perceptron *m, size_t at, size_t stride, uint32_t n, const pcn_vec *x, float step,
                           float shrink)
{
    float weight[PCNP_W];
    pcnp_block b;
    uint32_t i, k;
    for (i = 0; i < x->count; i += k) {
        k = pcnp_part(x->count - i);
        if (!pcnp_block_find(&b, x, stride, n, i, k)) continue;
        m->own.method->reweigh(m, at, &b, step, shrink, weight);
        pcnp_block_scatter(pcnp_weights(m) + at, &b, pcnp_load(weight));
    }
    pcnp_done();
}

static void pcnp_add_reweighed(pcn_perceptron *m, uint32_t cls, float step, const pcn_update *p)
{
    const pcn_linear *l = &m->live;
    float bias_step = step, shrink = pcnp_shrink(m, cls, step, p);
    pcn_vec bias = pcnp_bias_row(m, p, &bias_step);
    pcnp_state_row(m, pcnp_class_at(l, cls), pcnp_stride(l), l->features, p->x, step, shrink);
    pcnp_state_row(m, (size_t)l->features * l->scores + cls, 1, 1, &bias, bias_step, shrink);
}

/* Switches a method on. If averaging is on, its sums start again, because they belong to the old weights. */
static void pcnp_set_method(pcn_perceptron *m, const pcnp_method *method, float *state)
{
    size_t n = PCNP_LINEAR(m->live.features, m->live.scores);
    pcnp_set_all(state, n, method->begin);
    if (m->own.sum) pcnp_zero(m->own.sum, 2 * n * sizeof *m->own.sum);
    if (!m->own.batch && !m->own.averaging) m->own.take = method->add;
    m->own.state = state;
    m->own.method = method;
}

/* ---- The linear trainer: Winnow -------------------------------------------------------------- */

/* Returns the weight for exponent e: 2^e, or 2^e - 2^-e if balanced. Its magnitude is at most 2^64. */
static inline pcnp_v pcnp_winnow_weight(pcnp_v e, int balanced)
{
    pcnp_v most = pcnp_set(64), w = pcnp_exp2(pcnp_min(e, most));
    if (!balanced) return w;
    return pcnp_sub(w, pcnp_exp2(pcnp_min(pcnp_sub(pcnp_set(0), e), most)));
}

/* Returns e, clipped to -2^20 .. 2^20. */
static inline pcnp_v pcnp_bound_exponent(pcnp_v e)
{
    return pcnp_max(pcnp_min(e, pcnp_set(1048576.0f)), pcnp_set(-1048576.0f));
}

static void pcnp_reweigh_winnow(pcn_perceptron *m, size_t at, const pcnp_block *b, float step, float shrink,
                                float *weight)
{
    pcnp_v e = pcnp_block_gather(m->own.state + at, b);
    (void)shrink;
    e = pcnp_bound_exponent(pcnp_add(e, pcnp_mul(pcnp_set(step), pcnp_block_values(b))));
    pcnp_block_scatter(m->own.state + at, b, e);
    pcnp_store(weight, pcnp_winnow_weight(e, m->own.method->balanced));
    pcnp_done();
}

/* Is the fixed rule set? Other rules compute steps for W += step X, but Winnow multiplies weights. */
static int pcnp_winnow_accepts(const pcn_learner *l)
{
    return l->rule.step == pcn_rule_fixed(0).step;
}

static const pcnp_method pcnp_winnow = {pcnp_add_reweighed,  pcnp_reweigh_winnow, NULL, NULL,
                                        pcnp_winnow_accepts, PCN_PART_EXPONENTS,  0,    0};
static const pcnp_method pcnp_balanced_winnow = {pcnp_add_reweighed,  pcnp_reweigh_winnow, NULL, NULL,
                                                 pcnp_winnow_accepts, PCN_PART_EXPONENTS,  0,    1};

PCN_API int pcn_perceptron_use_winnow(pcn_perceptron *m, float threshold, int balanced, float *exponent, size_t bytes)
{
    const float first = balanced ? 0 : 1;
    const pcn_linear *l = &m->live;
    float *weight = pcnp_weights(m);
    size_t need = PCNP_LINEAR(l->features, l->scores), i, n = need - l->scores;
    int result = pcnp_check_option(m, exponent, bytes / sizeof *exponent, 1);
    if (result < 0) return result;
    if (!m->own.state && pcnp_any(weight, need)) return PCN_ELATE; /* the caller has loaded or written weights */
    if (!pcnp_moderate(threshold) || pcnp_state_part(m) == PCN_PART_VARIANCES || !pcnp_winnow_accepts(&m->learner))
        return PCN_EOPTION;
    for (i = 0; i < need; i++) weight[i] = i < n ? first : pcnp_minus(0, threshold);
    m->learner.bias_input = 0;
    pcnp_set_method(m, balanced ? &pcnp_balanced_winnow : &pcnp_winnow, exponent);
    return PCN_OK;
}

/* ---- The linear trainer: confidence ----------------------------------------------------------
 * Let S_j be the variance of weight j, and v the sum of all S_j x_j^2. A step q adds q S_j x_j to weight j, which adds
 * q v to the score. S_j then falls by beta (S_j x_j)^2, where beta is 1 / (v + r). */

static float pcnp_class_slope(const pcn_perceptron *m, uint32_t cls, const pcn_update *p)
{
    const pcn_linear *l = &m->live;
    float s = pcnp_sum_of(m->own.state + pcnp_class_at(l, cls), pcnp_stride(l), l->features, p->x, 1);
    return pcnp_plus(s, pcnp_times(pcnp_biases(m, m->own.state)[cls], p->bias));
}

static float pcnp_confidence_slope(const pcn_update *p)
{
    const pcn_perceptron *m = (const pcn_perceptron *)p->trainer;
    float slope = pcnp_class_slope(m, p->up, p);
    return pcnp_is_zero(p->share) ? slope : pcnp_plus(slope, pcnp_class_slope(m, p->down, p));
}

/* Returns beta = |step| / (margin - y s). learner.score still holds the scores from which the step was computed. */
static float pcnp_confidence_shrink(const pcn_learner *l, uint32_t cls, float step, const pcn_update *p)
{
    int forward = pcnp_greater(step, 0);
    float margin = forward ? l->score[cls] : -l->score[cls];
    if (!pcnp_is_zero(p->share)) margin = pcnp_minus(l->score[p->up], l->score[p->down]);
    return pcnp_over(forward ? step : -step, pcnp_minus(l->rule.margin, margin));
}

/* Keeps the new S at or above S / (1 + S x^2 / r). In exact arithmetic it always is, because v >= S x^2. If S x^2 is
 * far above r, rounding could make S 0 or negative, and the feature would never learn again. S also stays at or above
 * 2^-126, because smaller floats are denormal. */
static void pcnp_reweigh_confidence(pcn_perceptron *m, size_t at, const pcnp_block *b, float step, float shrink,
                                    float *weight)
{
    const float precision = pcnp_plus(m->learner.rule.strength, m->learner.rule.strength); /* 1 / r */
    pcnp_v x = pcnp_block_values(b), s = pcnp_block_gather(m->own.state + at, b), move = pcnp_mul(s, x);
    pcnp_v w = pcnp_add(pcnp_block_gather(m->live.weight + at, b), pcnp_mul(pcnp_set(step), move));
    pcnp_v least = pcnp_add(pcnp_mul(pcnp_mul(move, x), pcnp_set(precision)), pcnp_set(1));
    least = pcnp_max(pcnp_div(s, least), pcnp_set(1.17549435e-38f));
    s = pcnp_sub(s, pcnp_mul(pcnp_set(shrink), pcnp_mul(move, move)));
    pcnp_block_scatter(m->own.state + at, b, pcnp_max(least, s));
    pcnp_store(weight, w);
    pcnp_done();
}

/* Calls pcnp_reweigh_confidence. Then, unless x^2 is below 2^-126, multiplies S by 1 + regrow, but not beyond 1. */
static void pcnp_reweigh_regrowing(pcn_perceptron *m, size_t at, const pcnp_block *b, float step, float shrink,
                                   float *weight)
{
    const pcnp_v x = pcnp_block_values(b), part = pcnp_set(m->own.regrow);
    const pcnp_v more = pcnp_add(pcnp_where(part, pcnp_mul(x, x), pcnp_set(FLT_MIN)), pcnp_set(1));
    float *s = m->own.state + at;
    pcnp_reweigh_confidence(m, at, b, step, shrink, weight);
    pcnp_block_scatter(s, b, pcnp_min(pcnp_mul(pcnp_block_gather(s, b), more), pcnp_set(1)));
    pcnp_done();
}

static int pcnp_confidence_accepts(const pcn_learner *l)
{
    return l->rule.step == pcnp_step_pa2 &&
           (!l->update || l->update == pcn_update_predicted || l->update == pcn_update_one_vs_rest);
}

static const pcnp_method pcnp_confidence = {
    pcnp_add_reweighed,
    pcnp_reweigh_confidence,
    pcnp_confidence_shrink,
    pcnp_confidence_slope,
    pcnp_confidence_accepts,
    PCN_PART_VARIANCES,
    1,
    0};
static const pcnp_method pcnp_regrowing_confidence = {
    pcnp_add_reweighed,
    pcnp_reweigh_regrowing,
    pcnp_confidence_shrink,
    pcnp_confidence_slope,
    pcnp_confidence_accepts,
    PCN_PART_VARIANCES,
    1,
    0};

PCN_API int pcn_perceptron_use_confidence(pcn_perceptron *m, float r, float *variance, size_t bytes)
{
    const float c = pcnp_greater(r, 0) ? pcnp_over(0.5f, r) : 0;
    const pcn_rule *rule = &m->learner.rule;
    int result = pcnp_check_option(m, variance, bytes / sizeof *variance, 1);
    if (result < 0) return result;
    if (!pcnp_greater(c, 0) || !pcnp_finite(pcnp_plus(c, c)) || m->own.batch ||
        pcnp_state_part(m) == PCN_PART_EXPONENTS || rule->step != pcn_rule_fixed(0).step || !pcnp_is_one(rule->rate) ||
        !pcnp_is_zero(rule->margin))
        return PCN_EOPTION;
    m->learner.rule = pcn_rule_pa2(c);
    pcnp_set_method(m, &pcnp_confidence, variance);
    return PCN_OK;
}

PCN_API int pcn_perceptron_use_regrowth(pcn_perceptron *m, float part)
{
    if (pcnp_state_part(m) != PCN_PART_VARIANCES || !pcnp_finite(part) || pcnp_greater(0, part)) return PCN_EOPTION;
    m->own.regrow = part;
    m->own.method = &pcnp_regrowing_confidence;
    return PCN_OK;
}

/* ---- The linear trainer: mixing -------------------------------------------------------------- */

#define PCNP_SHARDS 65536u
#define PCNP_HALVES 17u                /* partial sums: up to 16 that wait for their other half, and the current one */
#define PCNP_TILE (PCNP_W > 1 ? 8 : 4) /* how many vectors are mixed at a time */

typedef struct pcnp_tile { /* part of the arrays of each shard: up to PCNP_TILE vectors */
    pcnp_v part[PCNP_HALVES][PCNP_TILE];
    const pcn_shard *shard;
    uint32_t shards;
    uint64_t rows;  /* the sum over all shards */
    size_t at;      /* the index of its first number in the arrays of a shard */
    uint32_t count; /* how many numbers it has */
} pcnp_tile;

/* Names what pcnp_mixing_sum adds up over the shards s. The factor a_s is the rows of s divided by all rows.
 *     PCNP_WEIGHTS, _STATES    a_s times the weight or the state of s
 *     PCNP_PRECISIONS          p_s = 2^-32 / (variance of s). Without 2^-32 the sum of all p could overflow
 *     PCNP_SURE_WEIGHTS        p_s / (sum of all p) times the weight of s */
enum pcnp_term { PCNP_WEIGHTS, PCNP_STATES, PCNP_PRECISIONS, PCNP_SURE_WEIGHTS };

PCNP_INLINE pcnp_v pcnp_mixing_term(const pcn_shard *s, enum pcnp_term term, pcnp_v part, pcnp_v total, size_t at,
                                    uint32_t k)
{
    if (term == PCNP_WEIGHTS) return pcnp_mul(part, pcnp_load_part(s->weight + at, k));
    if (term == PCNP_STATES) return pcnp_mul(part, pcnp_load_part(s->state + at, k));
    part = pcnp_div(pcnp_set(2.32830644e-10f), pcnp_load_part(s->state + at, k));
    return term == PCNP_PRECISIONS ? part : pcnp_mul(pcnp_div(part, total), pcnp_load_part(s->weight + at, k));
}

/* Returns which shard to visit next: `number` with its bits reversed. In this order both halves of each sum are
 * completed one after the other, so that at most 16 partial sums wait. */
static uint32_t pcnp_reversed(uint32_t number, uint32_t leaves)
{
    uint32_t leaf = 0;
    for (; leaves > 1; leaves /= 2, number /= 2) leaf = leaf * 2 + number % 2;
    return leaf;
}

/* Writes the sums of `term` over all shards to sum[PCNP_TILE]. total: the sums of PCNP_PRECISIONS, if needed. */
static void pcnp_mixing_sum(pcnp_tile *t, enum pcnp_term term, const pcnp_v *total, pcnp_v *sum)
{
    uint32_t leaves = 1, number, parts = 0, whole, i, b, h;
    while (leaves < t->shards) leaves *= 2;
    for (number = 0; number < leaves; number++, parts++) {
        uint32_t leaf = pcnp_reversed(number, leaves);
        const int present = leaf < t->shards;
        pcnp_v x, part = pcnp_set(present ? pcnp_over(pcnp_float(t->shard[leaf].count.rows), pcnp_float(t->rows)) : 0);
        for (whole = 0; number >> whole & 1; whole++) continue; /* how many sums this shard completes */
        parts -= whole;
        for (i = 0, b = 0; i < t->count; i += PCNP_W, b++) {
            x = pcnp_set(0);
            if (present)
                x = pcnp_add(x, pcnp_mixing_term(t->shard + leaf, term, part, total[b], t->at + i,
                                                 pcnp_part(t->count - i)));
            for (h = whole; h != 0; h--) x = pcnp_add(t->part[parts + h - 1][b], x);
            t->part[parts][b] = x;
            if (number + 1 == leaves) sum[b] = x;
        }
    }
    pcnp_done();
}

/* Computes the averaging sums u' of the mixed trainer. Before the epoch, with clock T, weights w and sums u, all
 * weights seen add up to A = (T + 1) w - u. Each shard starts with w, and its weights after each of n_s rows add up to
 * B_s = (n_s + 1) w_s - u_s - w. After the epoch, with T' and w', the total must be (T' + 1) w' - u'. Therefore
 * u' = (T' + 1) w' - A - (sum of all B_s). */
static void pcnp_mix_sums(const pcnp_tile *t, pcn_perceptron *m, size_t at, const pcnp_v *weight)
{
    size_t n = PCNP_LINEAR(m->live.features, m->live.scores);
    const pcnp_clock old = pcnp_split_clock(m->learner.clock + 1);
    const pcnp_clock now = pcnp_split_clock(m->learner.clock + t->rows + 1);
    const pcnp_v zero = pcnp_set(0);
    uint32_t i, b, k, s;
    for (i = 0, b = 0; i < t->count; i += PCNP_W, b++) {
        const float *w = m->live.weight + at + i;
        float *sum = m->own.sum + at + i, *rest = sum + n;
        pcnp_v was, u, e, p, lower;
        k = pcnp_part(t->count - i);
        was = pcnp_load_part(w, k);
        u = pcnp_load_part(sum, k);
        e = pcnp_load_part(rest, k);
        p = pcnp_two_product(&now, weight[b], &lower);
        pcnp_add_pair(&u, &e, p, lower);
        p = pcnp_two_product(&old, was, &lower);
        pcnp_add_pair(&u, &e, pcnp_sub(zero, p), pcnp_sub(zero, lower));
        for (s = 0; s < t->shards; s++) {
            const pcn_shard *from = t->shard + s;
            const pcnp_clock rows = pcnp_split_clock(from->count.rows + 1);
            p = pcnp_two_product(&rows, pcnp_load_part(from->weight + t->at + i, k), &lower);
            pcnp_add_pair(&u, &e, pcnp_sub(zero, p), pcnp_sub(zero, lower));
            pcnp_add_pair(&u, &e, pcnp_load_part(from->sum + t->at + i, k), pcnp_load_part(from->rest + t->at + i, k));
            pcnp_add_pair(&u, &e, was, zero);
        }
        pcnp_store_part(sum, u, k);
        pcnp_store_part(rest, e, k);
    }
    pcnp_done();
}

static void pcnp_mix_weights(pcnp_tile *t, const pcn_perceptron *m, size_t at, pcnp_v *weight, pcnp_v *state)
{
    const pcnp_v most = pcnp_set(pcnp_from_bits(0x677fffffu)); /* the last float below 2^80 */
    const pcnp_v shards = pcnp_set(pcnp_times(pcnp_float(t->shards), 2.32830644e-10f));
    const int winnow = pcnp_state_part(m) == PCN_PART_EXPONENTS, sure = pcnp_state_part(m) == PCN_PART_VARIANCES;
    enum pcnp_term term = PCNP_WEIGHTS;
    uint32_t i, b;
    if (winnow) term = PCNP_STATES;
    if (sure) term = PCNP_PRECISIONS;
    pcnp_mixing_sum(t, term, state, state);
    if (sure)
        pcnp_mixing_sum(t, PCNP_SURE_WEIGHTS, state, weight);
    else
        for (b = 0; b < PCNP_TILE; b++)
            weight[b] = pcnp_add(state[b], pcnp_set(0)); /* copies; an assignment could call memcpy */
    for (i = 0, b = 0; i < t->count; i += PCNP_W, b++) {
        if (winnow) {
            state[b] = pcnp_bound_exponent(state[b]); /* rounding can take a mean beyond the bound */
            weight[b] = pcnp_winnow_weight(state[b], m->own.method->balanced);
        } else if (sure) {
            pcnp_v was = pcnp_load_part(m->own.state + at + i, pcnp_part(t->count - i));
            state[b] = pcnp_max(pcnp_min(was, pcnp_div(shards, state[b])), pcnp_set(1.17549435e-38f));
        }
        weight[b] = pcnp_max(pcnp_min(weight[b], most), pcnp_sub(pcnp_set(0), most));
    }
    pcnp_done();
}

static void pcnp_mix_tile(pcnp_tile *t, pcn_perceptron *m, size_t at)
{
    pcnp_v weight[PCNP_TILE], state[PCNP_TILE];
    uint32_t i, b, k;
    for (b = 0; b < PCNP_TILE; b++) state[b] = pcnp_set(0);
    pcnp_mix_weights(t, m, at, weight, state);
    if (m->own.sum) pcnp_mix_sums(t, m, at, weight);
    for (i = 0, b = 0; i < t->count; i += PCNP_W, b++) {
        k = pcnp_part(t->count - i);
        pcnp_store_part(pcnp_weights(m) + at + i, weight[b], k);
        if (m->own.state) pcnp_store_part(m->own.state + at + i, state[b], k);
    }
    pcnp_done();
}

/* Returns PCN_OK if the shards can be mixed into m, otherwise an error. Sets *rows to the rows of all shards. */
static int pcnp_check_shards(const pcn_perceptron *m, const pcn_shard *shard, uint32_t shards, uint64_t *rows)
{
    uint32_t s;
    if (!m->own.learn || m->own.batch || pcnp_follows(m) || shards == 0 || shards > PCNP_SHARDS) return PCN_EOPTION;
    if (!shard) return PCN_EMEMORY;
    for (s = 0, *rows = 0; s < shards; s++) {
        if (!shard[s].weight || (m->own.state && !shard[s].state)) return PCN_EMEMORY;
        if (m->own.sum && (!shard[s].sum || !shard[s].rest)) return PCN_EMEMORY;
        if (m->own.sum && shard[s].clock != shard[s].count.rows) return PCN_EOPTION;
        if (shard[s].count.rows > PCNP_CLOCK_END) return PCN_EFULL;
        *rows += shard[s].count.rows;
    }
    return m->own.sum && m->learner.clock + *rows > PCNP_CLOCK_END ? PCN_EFULL : PCN_OK;
}

/* Adds the counts of the shards to those of m. Call it once, after the last number has been mixed. */
static void pcnp_mix_counts(const pcnp_tile *t, pcn_learner *l)
{
    uint32_t s;
    for (s = 0; s < t->shards; s++) {
        l->count.updates += t->shard[s].count.updates;
        l->count.mistakes += t->shard[s].count.mistakes;
        if (t->shard[s].count.updates != 0) l->moved = 1;
    }
    l->count.rows += t->rows;
    l->clock += t->rows;
}

PCN_API int pcn_perceptron_mix(pcn_perceptron *m, const pcn_shard *shard, uint32_t shards, size_t from, size_t count)
{
    const size_t n = (size_t)m->live.features * m->live.scores, all = n + m->live.scores;
    size_t end;
    pcnp_tile t;
    int last, result = pcnp_check_shards(m, shard, shards, &t.rows);
    if (result < 0) return result;
    end = pcnp_state_part(m) == PCN_PART_EXPONENTS ? n : all; /* the biases of Winnow are its threshold, which stays */
    if (from > all || count > all - from) return PCN_EMEMORY;
    if (t.rows == 0) return 0;
    t.shard = shard;
    t.shards = shards;
    last = count == all - from;
    if (end > from + count) end = from + count;
    for (t.at = 0; from < end; t.at += t.count, from += t.count) {
        t.count = end - from < PCNP_TILE * PCNP_W ? (uint32_t)(end - from) : PCNP_TILE * PCNP_W;
        pcnp_mix_tile(&t, m, from);
    }
    if (last) pcnp_mix_counts(&t, &m->learner);
    return 1;
}

/* ---- The integer twin ------------------------------------------------------------------------ */

#ifndef PERCEPTRON_BIAS_STEP
#define PERCEPTRON_BIAS_STEP PCN_BIAS_OF_ROWS
#elif PERCEPTRON_BIAS_STEP < 0 || PERCEPTRON_BIAS_STEP > 0x3ffffffe
#error "perceptron.h: PERCEPTRON_BIAS_STEP is 0 .. PCN_IMAX - 2"
#endif
#define PCNP_BIAS_OF_ROWS (PERCEPTRON_BIAS_STEP < 0)  /* a constant, so that compilers drop dead branches */
enum { PCNP_BIAS_ROWS = 32, PCNP_BIAS_DOUBLED = 12 }; /* the largest bias_rows and bias_doubled */

static inline int32_t pcnp_ivalue(const pcn_ivec *x, uint32_t i)
{
    return x->value ? x->value[i] : 1;
}

static inline uint32_t pcnp_iindex(const pcn_ivec *x, uint32_t i)
{
    return PCNP_ALL && x->index ? x->index[i] : i;
}

static inline int pcnp_iis_dense(const pcn_ivec *x)
{
    return !PCNP_ALL || (!x->index && x->value);
}

/* Returns the sum of all w[i] x[i], modulo 2^64, with the shortest code. */
PCN_MAYBE_UNUSED static int64_t pcnp_ismall_dot(const int32_t *w, const int16_t *x, size_t n)
{
    pcnp_isum sum;
    int32_t v;
    pcnp_izero(&sum);
    if (n == 0) return 0;
    do {
        PCN_READ_WEIGHT(&v, w++);
        pcnp_iadd(&sum, v, *x++);
    } while (--n != 0);
    return pcnp_itotal(&sum);
}

/* Returns the sum of w[j] x[j], modulo 2^64, over the features j < n of the row. */
static inline int64_t pcnp_idot(const int32_t *w, uint32_t n, const pcn_ivec *x)
{
    const int dense = pcnp_iis_dense(x);
    pcnp_isum sum;
    uint32_t i = 0, j;
    int32_t v;
    if (PCNP_SMALL && dense) return pcnp_ismall_dot(w, x->value, pcnp_lesser(x->count, n));
    pcnp_izero(&sum);
    if (!PCNP_SMALL && dense) i = pcnp_idense_dot(w, x->value, pcnp_lesser(x->count, n), &sum);
    for (; i < x->count; i++) {
        j = pcnp_iindex(x, i);
        if (j >= n) continue;
        PCN_READ_WEIGHT(&v, &w[j]);
        pcnp_iadd(&sum, v, pcnp_ivalue(x, i));
    }
    return pcnp_itotal(&sum);
}

static int64_t pcnp_bytes_dot(const int8_t *w, const int16_t *x, size_t n)
{
    int64_t sum = 0;
    while (n != 0) {
        size_t few = n < 511 ? n : 511; /* `part` cannot overflow, because 511 * 2^7 * 2^15 < 2^31 */
        int32_t part = 0;
        for (n -= few; few != 0; few--) {
            int8_t v;
            PCN_READ_WEIGHT(&v, w++);
            part += (int32_t)v * *x++;
        }
        sum += part;
    }
    return sum;
}

/* Returns the dot product of x with the weights of one class, which have 8 or 16 bits and begin at number `row`. */
static int64_t pcnp_narrow_dot(const pcn_ilinear *m, size_t row, const pcn_ivec *x)
{
    const int8_t *w8 = (const int8_t *)m->weight + row;
    const pcnp_any_int16 *w16 = (const pcnp_any_int16 *)m->weight + row;
    int64_t sum = 0;
    uint32_t i, j;
    int16_t v;
    int8_t byte;
    if (m->bits == 8 && pcnp_iis_dense(x)) return pcnp_bytes_dot(w8, x->value, pcnp_lesser(x->count, m->features));
    for (i = 0; i < x->count; i++) {
        j = pcnp_iindex(x, i);
        if (j >= m->features) continue;
        if (m->bits == 8) {
            PCN_READ_WEIGHT(&byte, &w8[j]);
            v = byte;
        } else {
            PCN_READ_WEIGHT(&v, &w16[j]);
        }
        sum += (int32_t)v * pcnp_ivalue(x, i);
    }
    return sum;
}

/* Returns the score of class c before it is multiplied by the scale of c. */
static int64_t pcnp_unscaled(const pcn_ilinear *m, uint32_t c, const pcn_ivec *x)
{
    size_t row = (size_t)c * m->features;
    int64_t s = m->bits == 32 ? pcnp_idot((const int32_t *)m->weight + row, m->features, x)
                              : pcnp_narrow_dot(m, row, x);
    int32_t bias;
    PCN_ASSERT(m->bits != 32 || !m->scale);
    if (!m->bias) return s;
    PCN_READ_WEIGHT(&bias, &m->bias[c]);
    return s + bias;
}

static int64_t pcnp_iscore(const pcn_ilinear *m, uint32_t c, const pcn_ivec *x)
{
    int64_t s = pcnp_unscaled(m, c, x);
    uint16_t scale;
    if (!m->scale || m->scores == 1) return s;
    PCN_READ_WEIGHT(&scale, (const pcnp_any_uint16 *)&m->scale[c]);
    return s * scale;
}

static int pcnp_iclass(const pcn_ilinear *m, int64_t s)
{
    return s >= (m->zero_negative != 0);
}

/* Returns the class other than not_this with the highest score, on a tie the lowest class. Sets *best to that score. */
static uint32_t pcnp_ibest(const pcn_ilinear *m, const pcn_ivec *x, uint32_t not_this, int64_t *best)
{
    uint32_t c, winner = 0;
    *best = INT64_MIN;
    for (c = 0; c < m->scores; c++) {
        int64_t s = c == not_this ? INT64_MIN : pcnp_iscore(m, c, x);
        if (s <= *best) continue;
        *best = s;
        winner = c;
    }
    return winner;
}

PCN_API int64_t pcn_ilinear_score_at(const pcn_ilinear *m, const pcn_ivec *x)
{
    PCN_ASSERT(m->scores == 1);
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    return m->scores == 1 ? pcnp_unscaled(m, 0, x) : 0;
}

PCN_API int pcn_ilinear_predict_at(const pcn_ilinear *m, const pcn_ivec *x)
{
    int64_t best;
    int winner;
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    PCN_ASSERT(x->index || x->count <= m->features);
    winner = (int)pcnp_ibest(m, x, UINT32_MAX, &best);
    return m->scores == 1 ? pcnp_iclass(m, best) : winner;
}

PCN_API void pcn_ilinear_scores_at(const pcn_ilinear *m, const pcn_ivec *x, int64_t *score)
{
    uint32_t c;
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    for (c = 0; c < m->scores; c++) score[c] = pcnp_iscore(m, c, x);
}

static inline int32_t pcnp_saturate(int32_t w)
{
    if (((uint32_t)w ^ (uint32_t)w << 1) >> 31 == 0) return w; /* the two top bits of -2^30 .. 2^30 - 1 are equal */
    return w < 0 ? -PCN_IMAX : PCN_IMAX;
}

/* Adds step x[i] to w[i], and returns how many numbers it has changed: all n if PCNP_SMALL, otherwise n - n % 4. */
static uint32_t pcnp_idense_add(int32_t *w, int32_t step, const int16_t *x, uint32_t n)
{
    uint32_t left = n;
    for (; !PCNP_SMALL && left >= 4; left -= 4, w += 4, x += 4) {
        w[0] = pcnp_saturate(w[0] + step * x[0]); /* 2^30 + (2^15 - 1) 2^15 fits in an int32 */
        w[1] = pcnp_saturate(w[1] + step * x[1]);
        w[2] = pcnp_saturate(w[2] + step * x[2]);
        w[3] = pcnp_saturate(w[3] + step * x[3]);
    }
    for (; PCNP_SMALL && left != 0; left--, w++, x++) *w = pcnp_saturate(*w + step * *x);
    return n - left;
}

static int32_t *pcnp_iweights(const pcn_iperceptron *m)
{
    return (int32_t *)(uintptr_t)m->live.weight; /* the trainer's own memory, const for those who only predict */
}

static inline int32_t pcnp_ibias_step(const pcn_iperceptron *m)
{
    if (!PCNP_BIAS_OF_ROWS || m->bias_step >= 0) return m->bias_step;
    return (int32_t)4 << 2 * m->bias_doubled;
}

/* Adjusts B for PCN_BIAS_OF_ROWS before an update with x: doubles it if the non-zero features of x have a mean
 * magnitude above B / 2. Rows of ones never double it, because B / 2 is at least 1. */
PCNP_NOINLINE PCN_MAYBE_UNUSED static void pcnp_ifind_bias_step(pcn_iperceptron *m, const pcn_ivec *x)
{
    const int16_t *p = x->value;
    const uint32_t doubled = m->bias_doubled;
    int32_t above = 0; /* the sum of |value| - B / 2; it fits, because a row has fewer than 2^16 values */
    uint32_t left = x->count;
    if (m->bias_step >= 0 || m->bias_rows == PCNP_BIAS_ROWS) return;
    m->bias_rows++;
    if (!p) return;
    for (; left != 0; left--) {
        int32_t v = *p++;
        if (v < 0) v = -v;
        if (v != 0) above += v - ((int32_t)1 << doubled);
    }
    if (above > 0 && doubled < PCNP_BIAS_DOUBLED) m->bias_doubled++;
}

/* Adds sign * rate * x to the weights of a class, and sign * (bias step) to its bias. */
static void pcnp_iadd_step(pcn_iperceptron *m, uint32_t cls, int sign, const pcn_ivec *x)
{
    uint32_t n = m->live.features, i = 0, j;
    int32_t *w = pcnp_iweights(m) + (size_t)cls * n, *b = pcnp_iweights(m) + (size_t)n * m->live.scores + cls;
    int32_t step = sign * (int32_t)m->rate;
    const int dense = pcnp_iis_dense(x);
    if (dense) i = pcnp_idense_add(w, step, x->value, x->count);
    for (; !(PCNP_SMALL && dense) && i < x->count; i++) {
        j = pcnp_iindex(x, i);
        if (j < n) w[j] = pcnp_saturate(w[j] + step * pcnp_ivalue(x, i));
    }
    *b = pcnp_saturate(*b + sign * pcnp_ibias_step(m));
}

/* Is a setting out of range? b is the bias step, plus 1 where PCN_BIAS_OF_ROWS, which is -1, is allowed. All settings
 * are in range if rate - 1, b, 2 b and the margin have no sign bit. (2 b has one from b = 2^30 on.) */
static int pcnp_isettings_bad(const pcn_iperceptron *m)
{
    const uint32_t b = (uint32_t)m->bias_step + PCNP_BIAS_OF_ROWS;
    return (((uint32_t)((int32_t)m->rate - 1) | b | b << 1 | (uint32_t)((uint64_t)m->margin >> 32)) >> 31) != 0;
}

static inline int pcnp_icheck(const pcn_iperceptron *m, const pcn_ivec *x)
{
    uint32_t n = x->count;
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    if (n >> 16 != 0) return PCN_EVALUE;
    if (!PCNP_ALL && (x->index || !x->value)) return PCN_EINDEX;
    if (n != 0 && pcnp_iindex(x, n - 1) >= m->live.features) return PCN_EINDEX;
    if (pcnp_isettings_bad(m)) return PCN_EOPTION;
    return m->own.sum && m->own.clock == UINT32_MAX ? PCN_EFULL : PCN_OK;
}

/* Counts a row with y s = margin. Returns 1 if the rule fires, otherwise 0. */
static inline int pcnp_icount_row(pcn_iperceptron *m, int64_t margin, int guess, int wrong)
{
    m->guess = guess;
    m->rows++;
    m->mistakes += wrong != 0;
    m->own.clock++;
    if (margin > m->margin) return 0;
    m->updates++;
    return 1;
}

/* Returns the score of a trainer of two classes, whose weights always have 32 bits and no scale. */
static int64_t pcnp_iscore_one(const pcn_ilinear *m, const pcn_ivec *x)
{
    return pcnp_idot((const int32_t *)m->weight, m->features, x) + *m->bias;
}

static int pcnp_ilearn_one(pcn_iperceptron *m, const pcn_ivec *x, int y)
{
    int64_t s;
    int sign = y > 0 ? 1 : -1, guess, result;
    if (pcnp_no_binary_label(y)) return PCN_ELABEL;
    result = pcnp_icheck(m, x);
    if (result < 0) return result;
    s = pcnp_iscore_one(&m->live, x);
    guess = pcnp_iclass(&m->live, s);
    if (sign < 0) s = -s;
    if (!pcnp_icount_row(m, s, guess, guess != (y > 0))) return 0;
    if (PCNP_BIAS_OF_ROWS) pcnp_ifind_bias_step(m, x);
    m->own.add(m, 0, sign, x);
    return 1;
}

static int pcnp_ilearn_several(pcn_iperceptron *m, const pcn_ivec *x, int y)
{
    int64_t s, best;
    uint32_t cls = (uint32_t)y, rival;
    int wrong, result;
    if (cls >= m->live.scores) return PCN_ELABEL; /* cls is unsigned, so negative labels are refused, too */
    result = pcnp_icheck(m, x);
    if (result < 0) return result;
    s = pcnp_iscore(&m->live, cls, x);
    rival = pcnp_ibest(&m->live, x, cls, &best);
    wrong = best > s || (best == s && rival < cls);
    if (!pcnp_icount_row(m, s - best, wrong ? (int)rival : y, wrong)) return 0;
    if (PCNP_BIAS_OF_ROWS) pcnp_ifind_bias_step(m, x);
    m->own.add(m, cls, 1, x);
    m->own.add(m, rival, -1, x);
    return 1;
}

static int pcnp_ipredict_one(const pcn_iperceptron *m, const pcn_ivec *x)
{
    return pcnp_iclass(&m->live, pcnp_iscore_one(&m->live, x));
}

static int pcnp_ipredict_several(const pcn_iperceptron *m, const pcn_ivec *x)
{
    int64_t best;
    return (int)pcnp_ibest(&m->live, x, UINT32_MAX, &best);
}

static int pcnp_iinit(pcn_iperceptron *m, uint32_t features, uint32_t scores, int32_t *memory, size_t bytes)
{
    pcnp_zero(m, sizeof *m);
    if (scores == 0 || features > UINT32_MAX / 2) return PCN_EOPTION;
    if (!pcnp_holds(memory, bytes / sizeof *memory, features, scores, 1)) return PCN_EMEMORY;
    pcnp_zero(memory, PCNP_LINEAR(features, scores) * sizeof *memory);
    m->live.weight = memory;
    m->live.bias = memory + (size_t)features * scores;
    m->live.features = features;
    m->live.scores = scores;
    m->live.bits = 32;
    m->rate = 1;
    m->bias_step = PERCEPTRON_BIAS_STEP;
    m->own.add = pcnp_iadd_step;
    return PCN_OK;
}

PCN_API int pcn_iperceptron_init_one(pcn_iperceptron *m, uint32_t features, int32_t *memory, size_t bytes)
{
    int result = pcnp_iinit(m, features, 1, memory, bytes);
    if (result < 0) return result;
    m->own.learn = pcnp_ilearn_one;
    m->own.predict = pcnp_ipredict_one;
    return PCN_OK;
}

PCN_API int pcn_iperceptron_init_several(pcn_iperceptron *m, uint32_t features, uint32_t classes, int32_t *memory,
                                         size_t bytes)
{
    int result = pcnp_iinit(m, features, classes < 3 ? 0 : classes, memory, bytes);
    if (result < 0) return result;
    m->own.learn = pcnp_ilearn_several;
    m->own.predict = pcnp_ipredict_several;
    return PCN_OK;
}

PCN_API int pcn_iperceptron_learn_at(pcn_iperceptron *m, const pcn_ivec *x, int y)
{
    int result = m->own.learn ? m->own.learn(m, x, y) : PCN_EOPTION;
    m->refused += result < 0;
    return result;
}

PCN_API int pcn_iperceptron_predict_at(const pcn_iperceptron *m, const pcn_ivec *x)
{
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    PCN_ASSERT(x->index || x->count <= m->live.features);
    PCN_ASSERT(m->own.predict);
    return m->own.predict ? m->own.predict(m, x) : 0;
}

/* Moves each weight w, and adds clock * (change of w) to its sum u (CIML, Algorithm 7). Then the values of w over all
 * rows add up to (clock + 1) w - u. Although u can wrap modulo 2^64, this total is right, because it is below 2^62. */
static void pcnp_iadd_mean(pcn_iperceptron *m, uint32_t cls, int sign, const pcn_ivec *x)
{
    size_t n = m->live.features, at;
    int32_t step = sign * (int32_t)m->rate, change;
    uint32_t i;
    for (i = 0; i <= x->count; i++) {
        int32_t *w, old;
        at = n * m->live.scores + cls;
        change = sign * pcnp_ibias_step(m);
        if (i < x->count) {
            at = pcnp_iindex(x, i);
            if (at >= n) continue;
            at += cls * n;
            change = step * pcnp_ivalue(x, i);
        }
        w = pcnp_iweights(m) + at;
        old = *w;
        *w = pcnp_saturate(old + change);
        m->own.sum[at] = (int64_t)((uint64_t)m->own.sum[at] + (uint64_t)((int64_t)(*w - old) * m->own.clock));
    }
}

/* Returns the sum of all values that weight i has had, one for each row so far. */
static int64_t pcnp_iseen(const pcn_iperceptron *m, size_t i)
{
    return (int64_t)(((uint64_t)m->own.clock + 1) * (uint64_t)(int64_t)pcnp_iweights(m)[i] - (uint64_t)m->own.sum[i]);
}

static uint64_t pcnp_iabs(int64_t n)
{
    return n < 0 ? (uint64_t)0 - (uint64_t)n : (uint64_t)n;
}

typedef struct pcnp_wide { /* the number high 2^30 + low, with low in 0 .. 2^30 - 1 */
    int64_t high;
    int32_t low;
} pcnp_wide;

/* Adds seen * x to *s. seen is a result of pcnp_iseen, so |seen| < 2^62, and x has 16 bits. */
static void pcnp_add_wide(pcnp_wide *s, int64_t seen, int32_t x)
{
    const int64_t low = s->low + (seen & (PCN_IMAX - 1)) * x;
    s->high = (int64_t)((uint64_t)s->high +
                        (uint64_t)((seen >> 30) * x + (low >> 30))); /* wraps only if an image has forged sums */
    s->low = (int32_t)(low & (PCN_IMAX - 1));
}

/* Sets *s to clock + 1 times the score that the mean weights give class c. This saves a division and its rounding. */
static void pcnp_iscore_of_mean(const pcn_iperceptron *m, uint32_t c, const pcn_ivec *x, pcnp_wide *s)
{
    const size_t n = m->live.features;
    size_t at;
    uint32_t i;
    s->high = 0;
    s->low = 0;
    for (i = 0; i < x->count; i++) {
        at = pcnp_iindex(x, i);
        if (at < n) pcnp_add_wide(s, pcnp_iseen(m, c * n + at), pcnp_ivalue(x, i));
    }
    pcnp_add_wide(s, pcnp_iseen(m, n * m->live.scores + c), 1);
}

static int pcnp_ipredict_mean(const pcn_iperceptron *m, const pcn_ivec *x)
{
    pcnp_wide s;
    int64_t high;
    int32_t low;
    uint32_t c;
    int winner = 0;
    pcnp_iscore_of_mean(m, 0, x, &s);
    if (m->live.scores == 1) return pcnp_iclass(&m->live, s.high < 0 ? -1 : (s.high | s.low) != 0);
    high = s.high;
    low = s.low;
    for (c = 1; c < m->live.scores; c++) {
        pcnp_iscore_of_mean(m, c, x, &s);
        if (s.high < high || (s.high == high && s.low <= low)) continue;
        high = s.high;
        low = s.low;
        winner = (int)c;
    }
    return winner;
}

PCN_API int pcn_iperceptron_use_averaging(pcn_iperceptron *m, int64_t *sum, size_t bytes)
{
    if (!m->own.learn) return PCN_EOPTION;
    if (!pcnp_holds(sum, bytes / sizeof *sum, m->live.features, m->live.scores, 1)) return PCN_EMEMORY;
    pcnp_zero(sum, PCNP_LINEAR(m->live.features, m->live.scores) * sizeof *sum);
    m->own.sum = sum;
    m->own.clock = 0;
    m->own.add = pcnp_iadd_mean;
    m->own.predict = pcnp_ipredict_mean;
    return PCN_OK;
}

/* Writes the mean weights as integers: all sums, shifted by the same number of bits, so that their proportions stay. */
static void pcnp_write_imean(const pcn_iperceptron *m, int32_t *out, size_t n)
{
    size_t i;
    uint64_t all = 0, half;
    uint32_t shift = 0;
    for (i = 0; i < n; i++) all |= pcnp_iabs(pcnp_iseen(m, i));
    while (all >> shift >= (uint64_t)PCN_IMAX) shift++;
    half = shift == 0 ? 0 : (uint64_t)1 << (shift - 1);
    for (i = 0; i < n; i++) {
        int64_t t = pcnp_iseen(m, i);
        int32_t size = (int32_t)((pcnp_iabs(t) + half) >> shift);
        out[i] = t < 0 ? -size : size;
    }
}

PCN_API int pcn_iperceptron_final(const pcn_iperceptron *m, pcn_ilinear *model, int32_t *out, size_t bytes)
{
    const size_t n = PCNP_LINEAR(m->live.features, m->live.scores);
    if (!m->own.learn) return PCN_EOPTION;
    if (out ? bytes / sizeof *out < n : m->own.sum != NULL) return PCN_EMEMORY;
    if (out && (out == m->live.weight || (void *)out == (void *)m->own.sum)) return PCN_EMEMORY;
    if (m->own.sum)
        pcnp_write_imean(m, out, n);
    else if (out)
        pcnp_copy(out, m->live.weight, n * sizeof *out);
    pcnp_copy(model, &m->live, sizeof *model);
    if (out) {
        model->weight = out;
        model->bias = out + n - m->live.scores;
    }
    return PCN_OK;
}

/* ---- The integer twin: quantised models ------------------------------------------------------ */

/* Returns the whole number that is nearest to f, for |f| < 2^31. If |f| < 2^22, adding 3 * 2^22 rounds it, because
 * floats near 2^24 have no fraction. A larger |f| is truncated: its fraction can only be 0 or 1/2. */
static int32_t pcnp_nearest(float f)
{
    const float whole = 4194304.0f; /* 2^22 */
    float size = f < 0 ? -f : f;
    if (size < whole) size = pcnp_minus(pcnp_plus(size, 3 * whole), 3 * whole);
    return f < 0 ? -(int32_t)size : (int32_t)size;
}

static float pcnp_weight_of(const pcn_linear *m, uint32_t c, uint32_t j)
{
    return pcnp_float_at(m->weight + pcnp_class_at(m, c) + j * pcnp_stride(m));
}

static float pcnp_bias_of(const pcn_linear *m, uint32_t c)
{
    return m->bias ? pcnp_float_at(m->bias + c) : 0;
}

/* Returns the least quantisation step for which the weights of class c fit in `bits` bits and |bias| in PCN_IMAX. */
static float pcnp_row_unit(const pcn_linear *m, uint32_t c, uint32_t bits, float unit)
{
    float most = 0, bias = pcnp_bias_of(m, c), f;
    uint32_t j;
    for (j = 0; j < m->features; j++) {
        f = pcnp_weight_of(m, c, j);
        if (f < 0) f = -f;
        if (f > most || !pcnp_finite(f)) most = f;
    }
    most = pcnp_over(most, bits == 8 ? 127.0f : 32767.0f);
    if (bias < 0) bias = -bias;
    bias = pcnp_over(pcnp_over(bias, unit), 1073741824.0f);
    return bias > most || !pcnp_finite(bias) ? bias : most;
}

/* Returns row / unit, rounded up to a whole number, but at most 65,535. */
static uint16_t pcnp_scale(float row, float unit)
{
    float f = unit > 0 ? pcnp_over(row, unit) : 0;
    int32_t scale = pcnp_nearest(f);
    if ((float)scale < f) scale++;
    return (uint16_t)(scale > 65535 ? 65535 : scale);
}

static int32_t pcnp_quantum(float f, float unit)
{
    return unit > 0 ? pcnp_nearest(pcnp_over(f, unit)) : 0;
}

/* Does memory[words] have room for the quantised m? Its weights must fit beside the biases and scales. */
static int pcnp_holds_integers(const int32_t *memory, size_t words, const pcn_linear *m, uint32_t bits)
{
    const uint32_t scales = m->scores / 2 + m->scores % 2;
    if (words < m->scores || words - m->scores < scales) return 0;
    words -= (size_t)m->scores + scales;
    return pcnp_holds(memory, words * (32 / bits), m->features, m->scores, 0);
}

PCN_API int pcn_ilinear_quantize(pcn_ilinear *q, const pcn_linear *m, uint32_t bits, float unit, float *one,
                                 int32_t *memory, size_t bytes)
{
    const float normal = FLT_MIN;
    float least = 0, row; /* least: the quantisation step of a class whose scale is 1 */
    int32_t *bias;
    pcnp_any_uint16 *scale;
    uint32_t c, j;
    size_t at = 0;
    if (!(unit > 0) || !pcnp_finite(unit) || (bits != 8 && bits != 16) || !pcnp_is_scores(m->scores))
        return PCN_EOPTION;
    if (!pcnp_holds_integers(memory, bytes / sizeof *memory, m, bits)) return PCN_EMEMORY;
    if ((const void *)memory == (const void *)m->weight) return PCN_EMEMORY;
    bias = memory + ((size_t)m->features * m->scores * (bits / 8) + 3) / 4;
    scale = (pcnp_any_uint16 *)(void *)(bias + m->scores);
    for (c = 0; c < m->scores; c++) {
        row = pcnp_row_unit(m, c, bits, unit);
        if (row > least || !pcnp_finite(row)) least = row;
    }
    least = pcnp_over(least, 65535.0f);
    if (!pcnp_finite(least) || (least > 0 && least < normal)) return PCN_EVALUE;
    pcnp_zero(memory, PCNP_INTEGERS(m->features, m->scores, bits) * sizeof *memory);
    for (c = 0; c < m->scores; c++) {
        scale[c] = pcnp_scale(pcnp_row_unit(m, c, bits, unit), least);
        row = pcnp_times(least, (float)scale[c]);
        for (j = 0; j < m->features; j++, at++) {
            int32_t w = pcnp_quantum(pcnp_weight_of(m, c, j), row);
            if (bits == 8)
                ((int8_t *)(void *)memory)[at] = (int8_t)w;
            else
                ((pcnp_any_int16 *)(void *)memory)[at] = (int16_t)w;
        }
        bias[c] = pcnp_saturate(pcnp_quantum(pcnp_over(pcnp_bias_of(m, c), unit), row));
    }
    if (one) *one = pcnp_times(m->scores == 1 ? pcnp_times(least, (float)scale[0]) : least, unit);
    q->weight = memory;
    q->bias = bias;
    q->scale = (const uint16_t *)scale;
    q->features = m->features;
    q->scores = m->scores;
    q->bits = (uint8_t)bits;
    q->zero_negative = m->zero_negative;
    return PCN_OK;
}

/* ---- The scaler ------------------------------------------------------------------------------ */

/* Returns s = a + b, rounded, and sets *lost to the rounding error, so that s + *lost is exactly a + b (Knuth). */
static float pcnp_plus_exactly(float a, float b, float *lost)
{
    float s = pcnp_plus(a, b), t = pcnp_minus(s, a);
    *lost = pcnp_plus(pcnp_minus(a, pcnp_minus(s, t)), pcnp_minus(b, t));
    return s;
}

/* Adds b to *a + *low, a number that is kept in two floats. */
static void pcnp_move_pair(float *a, float *low, float b)
{
    float e, s = pcnp_plus_exactly(*a, b, &e);
    *a = pcnp_plus_exactly(s, pcnp_plus(*low, e), low);
}

/* Returns 1 / sqrt(v) for a normal float v > 0. The first guess is within 3.6 %, so three Newton steps are enough. */
static float pcnp_inverse_root(float v)
{
    float r = pcnp_from_bits(0x5f370000u - (pcnp_to_bits(v) >> 1));
    int k;
    for (k = 0; k < 3; k++) r = pcnp_times(r, pcnp_minus(1.5f, pcnp_times(pcnp_times(pcnp_times(0.5f, v), r), r)));
    return r;
}

/* Below, c points at one of n columns. c[0] + c[n] is its mean, c[2 n] + c[3 n] its variance, c[4 n] its count. */

static float pcnp_deviation(const float *c, size_t n, float x)
{
    return pcnp_minus(pcnp_minus(x, c[0]), c[n]);
}

/* Returns 1 / s, or 0 if s^2 is at most 2^-126. If all values of a column are the same float, s^2 is exactly 0. */
static float pcnp_inverse_deviation(const float *c, size_t n)
{
    const float v = c[2 * n];
    return pcnp_greater(v, FLT_MIN) ? pcnp_inverse_root(v) : 0;
}

static int pcnp_is_gap(float f)
{
    return pcnp_to_bits(f) << 1 > 0xff000000u;
}

static float pcnp_scaled(const float *c, size_t n, float x)
{
    float r = pcnp_is_gap(x) ? 0 : pcnp_inverse_deviation(c, n);
    if (pcnp_is_zero(r)) return r;
    r = pcnp_times(pcnp_deviation(c, n, x), r);
    if (pcnp_greater(r, 64)) return 64;
    return pcnp_greater(-64, r) ? -64 : r;
}

/* Returns x minus the mean, clipped as section "The scaler" says. rows: how many values came before x. */
static float pcnp_clipped(const float *c, size_t n, float rows, float x)
{
    float d = pcnp_deviation(c, n, x), most = pcnp_times(rows, 0.0625f);
    most = pcnp_times(pcnp_greater(most, 64) ? most : 64, c[2 * n]);
    if (pcnp_greater(rows, 3) && pcnp_greater(most, FLT_MIN) && pcnp_greater(pcnp_times(d, d), most)) {
        most = pcnp_times(most, pcnp_inverse_root(most));
        d = pcnp_to_bits(d) >> 31 ? -most : most;
    }
    return d;
}

static void pcnp_note_value(float *c, size_t n, float x)
{
    float rows = c[4 * n], d = pcnp_clipped(c, n, rows, x), step;
    c[4 * n] = rows = pcnp_plus(rows, 1); /* stops at 2^24, because 2^24 + 1 is rounded to 2^24 */
    step = pcnp_over(d, rows);
    pcnp_move_pair(c, c + n, step);
    step = pcnp_deviation(c + 2 * n, n, pcnp_times(d, pcnp_minus(d, step)));
    pcnp_move_pair(c + 2 * n, c + 3 * n, pcnp_over(step, rows));
}

PCN_API int pcn_scaler_init(pcn_scaler *s, uint32_t features, float *memory, size_t bytes)
{
    const int fits = pcnp_holds(memory, bytes / (PCN_SCALER_FLOATS(1) * sizeof *memory), features, 1, 0);
    s->moment = fits ? memory : NULL;
    s->features = fits ? features : 0;
    s->window = 0;
    s->own.note = NULL;
    if (fits) pcnp_zero(memory, PCN_SCALER_FLOATS(features) * sizeof *memory);
    return fits ? PCN_OK : PCN_EMEMORY;
}

PCN_API int pcn_scaler_note(pcn_scaler *s, const float *x)
{
    uint32_t j;
    for (j = 0; j < s->features; j++)
        if (!pcnp_moderate(x[j]) && !pcnp_is_gap(x[j])) return PCN_EVALUE;
    if (s->own.note)
        s->own.note(s, x);
    else
        for (j = 0; j < s->features; j++)
            if (!pcnp_is_gap(x[j])) pcnp_note_value(s->moment + j, s->features, x[j]);
    return PCN_OK;
}

PCN_API void pcn_scaler_scale(const pcn_scaler *s, const float *x, float *out)
{
    uint32_t j;
    for (j = 0; j < s->features; j++) out[j] = pcnp_scaled(s->moment + j, s->features, x[j]);
}

PCN_API void pcn_scaler_scale16(const pcn_scaler *s, const float *x, int16_t *out)
{
    uint32_t j;
    for (j = 0; j < s->features; j++) {
        float f = pcnp_times(pcnp_scaled(s->moment + j, s->features, x[j]), 512);
        out[j] = (int16_t)pcnp_nearest(pcnp_greater(f, 32767) ? 32767 : f);
    }
}

PCN_API uint32_t pcn_scaler_doubts(const pcn_scaler *s)
{
    float least = 0, most = 0;
    uint32_t j, doubts = 0;
    for (j = 0; j < s->features; j++) {
        const float r = pcnp_inverse_deviation(s->moment + j, s->features);
        const float f = pcnp_times(s->moment[j], r); /* |f| is below 2^117 */
        if (f > 4096 || f < -4096) doubts |= PCN_DOUBT_DIGITS;
        if (r > most) most = r;
        if (r > 0 && (least <= 0 || r < least)) least = r;
    }
    if (most > 16 * least) doubts |= PCN_DOUBT_BITS;
    return doubts;
}

PCN_API int pcn_scaler_fold(const pcn_scaler *s, const pcn_linear *m, pcn_linear *folded, float *out, size_t bytes)
{
    const uint32_t n = s->features;
    const size_t stride = pcnp_stride(m);
    float r, low;
    uint32_t c, j;
    int result;
    if (m->features != n) return PCN_EOPTION;
    if (out == s->moment) return PCN_EMEMORY;
    for (j = 0; j < n; j++) {
        r = pcnp_inverse_deviation(s->moment + j, n);
        for (c = 0; c < m->scores; c++)
            if (!pcnp_moderate(pcnp_times(pcnp_weight_of(m, c, j), r))) return PCN_EVALUE;
    }
    result = pcn_linear_copy(m, folded, out, bytes);
    if (result < 0) return result;
    folded->folded = 1;
    for (j = 0; j < n; j++) {
        r = pcnp_inverse_deviation(s->moment + j, n);
        for (c = 0; c < folded->scores; c++) {
            float *w = out + pcnp_class_at(folded, c) + j * stride;
            *w = pcnp_times(*w, r);
        }
    }
    for (c = 0; c < folded->scores; c++) {
        const float *w = out + pcnp_class_at(folded, c);
        float *b = out + (size_t)n * folded->scores + c;
        for (j = 0, low = 0; j < n; j++, w += stride) pcnp_move_pair(b, &low, -pcnp_times(*w, s->moment[j]));
    }
    return PCN_OK;
}

PCN_API int pcn_scaler_integers(const pcn_scaler *s, pcn_icolumn *column)
{
    uint32_t j;
    for (j = 0; j < s->features; j++)
        if (s->moment[j] < -32768 || s->moment[j] > 32767) return PCN_EVALUE;
    for (j = 0; j < s->features; j++, column++) {
        float f = pcnp_times(pcnp_inverse_deviation(s->moment + j, s->features), 33554432.0f); /* 512 * 2^16 / s */
        /* Limits the factor to 2^31 - 1. From there on 1 / s >= 64, so each |x - m| >= 1 is clipped in any case. */
        column->factor = f < 2147483648.0f ? (uint32_t)pcnp_nearest(f) : 0x7fffffffu;
        f = pcnp_times(pcnp_times((float)column->factor, 1 / 65536.0f), s->moment[j]);
        column->mean = (int32_t)(column->factor >> 1) + pcnp_nearest(f);
    }
    return PCN_OK;
}

PCN_API void pcn_icolumns_scale(const pcn_icolumn *column, uint32_t features, const int16_t *x, int16_t *out)
{
    pcn_icolumn c;
    for (; features != 0; features--) {
        uint32_t u = (uint32_t)(*x++ + (int32_t)32768);
        int32_t y;
        PCN_READ_WEIGHT(&c, column++);
        y = (int32_t)(u * (c.factor >> 16) + (u * (c.factor & 65535u) >> 16)) - c.mean;
        if (y > 32767) y = 32767;
        if (y < -32768) y = -32768;
        *out++ = (int16_t)y;
    }
}

/* ---- The scaler: a window ---------------------------------------------------------------------
 * The bits of c[n] are the count of values in the first block, which has the mean c[0] and the variance c[2 n]. Values
 * after its first N also enter a second block, with mean c[3 n] and variance c[4 n]. When the count is 2 N, the second
 * block replaces the first one, and the count becomes N. */

static int pcnp_is_window(uint32_t window)
{
    return window - 16 <= 0x400000u - 16; /* counts stay below 2^23, so that the float c[n] stays below 2^-126 */
}

/* Updates a mean and a variance with a value. d: the value minus the old mean; rows: how many values there are now. */
static void pcnp_move_moments(float *mean, float *variance, float d, uint32_t rows)
{
    const float n = (float)(int32_t)rows, step = pcnp_over(d, n);
    *mean = pcnp_plus(*mean, step);
    *variance = pcnp_plus(*variance, pcnp_over(pcnp_minus(pcnp_times(d, pcnp_minus(d, step)), *variance), n));
}

/* Updates both blocks with x, clipped by the variance of the first block, because a new second block has none yet. */
static void pcnp_note_recent(float *c, size_t n, uint32_t window, float x)
{
    uint32_t rows = pcnp_to_bits(c[n]);
    float d;
    c[n] = 0;
    d = pcnp_clipped(c, n, (float)(int32_t)rows, x);
    if (!pcnp_is_zero(pcnp_minus(pcnp_minus(x, c[0]), d))) x = pcnp_plus(c[0], d);
    pcnp_move_moments(c, c + 2 * n, d, ++rows);
    if (rows > window) pcnp_move_moments(c + 3 * n, c + 4 * n, pcnp_minus(x, c[3 * n]), rows - window);
    if (rows == 2 * window) {
        c[0] = c[3 * n];
        c[2 * n] = c[4 * n];
        c[3 * n] = 0;
        c[4 * n] = 0;
        rows = window;
    }
    c[n] = pcnp_from_bits(rows);
}

static void pcnp_note_row_recent(pcn_scaler *s, const float *x)
{
    uint32_t j;
    for (j = 0; j < s->features; j++)
        if (!pcnp_is_gap(x[j])) pcnp_note_recent(s->moment + j, s->features, s->window, x[j]);
}

PCN_API int pcn_scaler_use_window(pcn_scaler *s, uint32_t window)
{
    const uint32_t n = s->features;
    uint32_t j;
    if (!pcnp_is_window(window) || s->window != 0) return PCN_EOPTION;
    for (j = 0; j < n; j++) {
        float *c = s->moment + j;
        c[n] = pcnp_from_bits(pcnp_lesser((uint32_t)(int32_t)c[4 * (size_t)n], window));
    }
    pcnp_zero(s->moment + 3 * (size_t)n, 2 * (size_t)n * sizeof *s->moment);
    s->window = window;
    s->own.note = pcnp_note_row_recent;
    return PCN_OK;
}

/* ---- Kernel models: kernels ------------------------------------------------------------------ */

enum { PCNP_KERNEL_LINEAR = 1, PCNP_KERNEL_POLY = 2, PCNP_KERNEL_RBF = 3 }; /* in pcn_kernel.id */

static void pcnp_linear_of_dots(const pcn_kernel *k, float *dot, const float *norm2, float xx, uint32_t n)
{
    (void)k, (void)dot, (void)norm2, (void)xx, (void)n;
}

static void pcnp_poly_of_dots(const pcn_kernel *k, float *dot, const float *norm2, float xx, uint32_t n)
{
    pcnp_v gamma = pcnp_set(k->gamma), coef0 = pcnp_set(k->coef0);
    uint32_t i, lanes, d;
    (void)norm2, (void)xx;
    for (i = 0; i < n; i += lanes) {
        pcnp_v base, power = pcnp_set(1);
        lanes = pcnp_part(n - i);
        base = pcnp_add(pcnp_mul(gamma, pcnp_load_part(dot + i, lanes)), coef0);
        for (d = k->degree; d != 0; d >>= 1) { /* each bit of degree takes at most two products */
            if (d & 1u) power = pcnp_mul(power, base);
            if (d > 1) base = pcnp_mul(base, base);
        }
        pcnp_store_part(dot + i, power, lanes);
    }
    pcnp_done();
}

/* Returns exp(-gamma d) for a squared distance d. Rounding can make d negative, and overflow can make it infinite. */
static inline pcnp_v pcnp_rbf_of(const pcn_kernel *k, pcnp_v d)
{
    d = pcnp_min(pcnp_max(d, pcnp_set(0)), pcnp_set(FLT_MAX));
    return pcnp_exp(pcnp_mul(pcnp_set(-k->gamma), d));
}

/* Turns n dot products x.z into exp(-gamma d). Here d is both - 2 x.z, where `both` is |x|^2 + |z|^2. Rounding changes
 * d by about 2^-23 both. This matters if gamma * both >= 16 and d < both / 64. In this case, or if d is NaN after an
 * overflow, it writes a number below 0, and the caller calls pcnp_rbf_of_vectors. */
static void pcnp_rbf_of_dots(const pcn_kernel *k, float *dot, const float *norm2, float xx, uint32_t n)
{
    const pcnp_v x2 = pcnp_set(xx), one = pcnp_set(1), two = pcnp_set(2), part = pcnp_set(0.015625f);
    const pcnp_v gamma = pcnp_set(k->gamma), large = pcnp_set(16);
    uint32_t i, lanes;
    for (i = 0; i < n; i += lanes) {
        pcnp_v d, both, least, sure;
        lanes = pcnp_part(n - i);
        both = pcnp_add(x2, pcnp_load_part(norm2 + i, lanes));
        d = pcnp_sub(both, pcnp_mul(two, pcnp_load_part(dot + i, lanes)));
        least = pcnp_where(pcnp_mul(both, part), pcnp_mul(gamma, both), large); /* 0 if gamma * both < 16 */
        sure = pcnp_sub(pcnp_where(one, d, least), one);                        /* -1 if d is inexact, otherwise 0 */
        pcnp_store_part(dot + i, pcnp_add(pcnp_rbf_of(k, d), pcnp_mul(sure, two)), lanes);
    }
    pcnp_done();
}

static uint32_t pcnp_index_or_end(const pcn_vec *x, uint32_t i)
{
    return i < x->count ? pcnp_index(x, i) : UINT32_MAX;
}

/* Returns the sum of (x_j - z_j)^2 over the features that x or z gives, in four partial sums, as for a sparse row. */
static float pcnp_distance2(const pcn_vec *x, const pcn_vec *z)
{
    float a = 0, b = 0, c = 0, d = 0, difference, next;
    uint32_t i = 0, k = 0;
    while (i < x->count || k < z->count) {
        const uint32_t of_x = pcnp_index_or_end(x, i), of_z = pcnp_index_or_end(z, k);
        difference = 0;
        if (of_x <= of_z) difference = pcnp_value(x, i++);
        if (of_z <= of_x) difference = pcnp_minus(difference, pcnp_value(z, k++));
        next = pcnp_plus(a, pcnp_times(difference, difference));
        a = b;
        b = c;
        c = d;
        d = next;
    }
    return pcnp_plus(pcnp_plus(a, c), pcnp_plus(b, d));
}

static float pcnp_rbf_of_vectors(const pcn_kernel *k, const pcn_vec *x, const pcn_vec *z)
{
    float value;
    pcnp_store_part(&value, pcnp_rbf_of(k, pcnp_set(pcnp_distance2(x, z))), 1);
    pcnp_done();
    return value;
}

PCN_API pcn_kernel pcn_kernel_poly(uint32_t degree, float gamma, float coef0)
{
    pcn_kernel k;
    k.of_dots = pcnp_poly_of_dots;
    k.of_vectors = NULL;
    k.id = PCNP_KERNEL_POLY;
    k.degree = degree;
    k.gamma = gamma;
    k.coef0 = coef0;
    k.user = NULL;
    return k;
}

PCN_API pcn_kernel pcn_kernel_linear(void)
{
    pcn_kernel k = pcn_kernel_poly(0, 0, 0);
    k.of_dots = pcnp_linear_of_dots;
    k.id = PCNP_KERNEL_LINEAR;
    return k;
}

PCN_API pcn_kernel pcn_kernel_rbf(float gamma)
{
    pcn_kernel k = pcn_kernel_poly(0, gamma, 0);
    k.of_dots = pcnp_rbf_of_dots;
    k.of_vectors = pcnp_rbf_of_vectors;
    k.id = PCNP_KERNEL_RBF;
    return k;
}

/* Are the settings of a kernel valid? The gamma of an RBF must be above 0. With gamma < 0, pcnp_exp would get a
 * positive argument, for which it is not defined. With gamma = 0, all kernel values would be 1. */
static int pcnp_kernel_valid(uint32_t id, float gamma, float coef0)
{
    if (!pcnp_finite(gamma) || !pcnp_finite(coef0)) return 0;
    return id != PCNP_KERNEL_RBF || pcnp_to_bits(gamma) - 1u < 0x7fffffffu;
}

/* Is k a polynomial kernel that has the same value for all pairs of rows? */
static int pcnp_kernel_is_flat(const pcn_kernel *k)
{
    return k->id == PCNP_KERNEL_POLY && (k->degree == 0 || pcnp_is_zero(k->gamma));
}

static pcn_vec pcnp_stored(const pcn_kmodel *m, uint32_t s)
{
    const pcn_slot *slot = &m->slot[s];
    return pcn_sparse(m->index ? m->index + slot->start : NULL, m->value + slot->start, slot->count);
}

/* Returns up to n stored dense vectors, from slot `from` on, as a matrix: as many as are adjacent and equally long. */
static pcn_linear pcnp_stored_rows(const pcn_kmodel *m, uint32_t from, uint32_t n)
{
    const pcn_slot *slot = m->slot + from;
    uint32_t i = 1;
    while (i < n && slot[i].count == slot->count && slot[i].start == (size_t)slot[i - 1].start + slot->count) i++;
    return pcnp_linear_of(m->value + slot->start, NULL, slot->count, i, 0, 0);
}

/* Writes the dot products of x with n stored vectors, from slot `from` on. packed: panels of pcnp_pack, or NULL. */
static void pcnp_dots(const pcn_kmodel *m, const pcn_vec *x, const float *packed, uint32_t from, uint32_t n, float *dot)
{
    uint32_t i;
    pcnp_filter filter;
    pcn_linear rows;
    if (packed && pcnp_is_contiguous(x, 1)) {
        rows = pcnp_linear_of(packed, NULL, m->slot[from].count, PCNP_COLUMNS, 1, 0);
        for (i = 0; i < n; i += PCNP_COLUMNS, rows.weight += PCNP_COLUMNS * (size_t)rows.features)
            pcnp_scores(&rows, 0, pcnp_lesser(n - i, PCNP_COLUMNS), x, dot + i);
        return;
    }
    for (i = 0; !m->index && i < n; i += rows.scores) {
        rows = pcnp_stored_rows(m, from + i, n - i);
        pcnp_scores(&rows, 0, rows.scores, x, dot + i);
    }
    if (m->index && !pcnp_is_contiguous(x, 1)) pcnp_make_filter(&filter, x);
    for (; i < n; i++) {
        pcn_vec z = pcnp_stored(m, from + i);
        if (pcnp_is_contiguous(x, 1))
            dot[i] = pcnp_dot(x->value, 1, x->count, &z);
        else
            dot[i] = pcnp_dot_of_two(x, &filter, &z);
    }
}

/* Writes K(x, z) + B^2 for n stored vectors z, from slot `from` on, to out[n]. xx is |x|^2. packed: as in pcnp_dots. */
static void pcnp_kernel_row(const pcn_kmodel *m, const pcn_vec *x, float xx, const float *packed, uint32_t from,
                            uint32_t n, float *out)
{
    const pcn_kernel *k = &m->kernel;
    uint32_t i, j, lanes;
    if (n == 0) return;
    if (k->of_dots) {
        pcnp_dots(m, x, packed, from, n, out);
        k->of_dots(k, out, m->norm2 + from, xx, n);
    }
    for (i = 0; k->of_vectors && i < n; i += lanes) {
        lanes = pcnp_part(n - i);
        if (k->of_dots && pcnp_mask(pcnp_load_part(out + i, lanes), 0) == (1u << PCNP_W) - 1) continue;
        for (j = i; j < i + lanes; j++) {
            pcn_vec z = pcnp_stored(m, from + j);
            if (!k->of_dots || pcnp_greater(0, out[j])) out[j] = k->of_vectors(k, x, &z);
        }
    }
    pcnp_done();
    for (i = 0; !pcnp_is_zero(m->bias2) && i < n; i++) out[i] = pcnp_plus(out[i], m->bias2);
}

/* Returns K(x, x) + B^2, where xx is |x|^2. */
static float pcnp_kernel_self(const pcn_kmodel *m, const pcn_vec *x, float xx)
{
    const pcn_kernel *k = &m->kernel;
    float value = xx;
    if (k->of_dots) k->of_dots(k, &value, &xx, xx, 1);
    if (k->of_vectors && (!k->of_dots || pcnp_greater(0, value))) value = k->of_vectors(k, x, x);
    return pcnp_plus(value, m->bias2);
}

/* Returns x without the features whose index is `features` or more. */
static pcn_vec pcnp_clip_row(const pcn_vec *x, uint32_t features)
{
    uint32_t n = x->count;
    if (!x->index && n > features) n = features;
    while (x->index && n != 0 && x->index[n - 1] >= features) n--;
    return pcn_sparse(x->index, x->value, n); /* gcc -O1 calls memcpy to copy a whole pcn_vec */
}

typedef union pcnp_packed {
    float value[PCNP_PACKED];
    pcnp_v aligned;
} pcnp_packed;

/* Writes K(x, z) + B^2 for all rows x and all stored vectors z to kernel[rows * slots]. It takes the vectors in tiles,
 * so that a tile stays in the first-level cache until all rows have used it. */
static void pcnp_kernel_matrix(const pcn_kmodel *m, const pcn_vec *x, uint32_t rows, float *kernel)
{
    pcnp_packed packed;
    uint32_t tile = 8, longest = 384, s, r, n; /* tile: how many dense vectors fit in 24 KB, 8 .. 256 */
    for (; m->features <= longest && tile < 256; longest /= 2) tile *= 2;
    for (s = 0; s < m->slots; s += n) {
        const float *panels = NULL;
        n = m->slots - s;
        if (n > tile && !m->index) n = tile;
        if (pcnp_pack(m, s, n, rows, packed.value)) panels = packed.value;
        for (r = 0; r < rows; r++) {
            pcn_vec v = pcnp_clip_row(&x[r], m->features);
            float *out = kernel + (size_t)r * m->slots;
            if (s == 0) out[m->slots - 1] = pcnp_norm2(&v); /* holds |x|^2 until the last tile */
            pcnp_kernel_row(m, &v, out[m->slots - 1], panels, s, n, out + s);
        }
    }
}

/* ---- Kernel models: decisions ---------------------------------------------------------------- */

/* Adds the scores of n classes, from class `from` on, to score[n], which the caller has zeroed. They are scores of the
 * mean of f over T + 1 versions: f = 0, then f after each of T = m->clock rows. A step of row number k is contained in
 * the last T + 1 - k versions. */
static void pcnp_mean_scores(const pcn_kmodel *m, uint32_t from, uint32_t n, const float *kernel, float *score)
{
    uint32_t i, c;
    for (i = 0; i < m->entries; i++) {
        const pcn_log_entry *entry = &m->log[i];
        const float age = pcnp_float(m->clock + 1 - entry->clock);
        c = entry->cls - from;
        if (c >= n) continue; /* also skips classes below `from`, because c is unsigned */
        score[c] = pcnp_plus(score[c], pcnp_times(pcnp_times(age, pcnp_float_at(&entry->step)), kernel[entry->slot]));
    }
    for (c = 0; c < n; c++) score[c] = pcnp_over(score[c], pcnp_float(m->clock + 1));
}

/* Adds `count` votes for the class that f predicts. With by_class, f votes for or against cls instead. */
static void pcnp_vote(const pcn_kmodel *m, const float *f, uint32_t cls, uint32_t count, float *votes)
{
    float change = pcnp_float(count);
    if (!m->by_class)
        cls = pcnp_best(f, m->scores, UINT32_MAX);
    else if (!pcnp_class(f[cls], m->zero_negative))
        change = -change;
    votes[cls] = pcnp_plus(votes[cls], change);
}

/* Replays the log entries of class `only`, or all entries if `only` is UINT32_MAX. Each version of f votes once for
 * each row until its next update. f: m->scores floats of work, which must be 0. Votes are floats, exact up to 2^24. */
static void pcnp_vote_entries(const pcn_kmodel *m, const float *kernel, uint32_t only, float *f, float *votes)
{
    uint32_t i, since = 0;
    for (i = 0; i < m->entries; i++) {
        const pcn_log_entry *entry = &m->log[i];
        if (only != UINT32_MAX && entry->cls != only) continue;
        if (since && entry->clock != since) pcnp_vote(m, f, only, entry->clock - since, votes);
        since = entry->clock;
        f[entry->cls] = pcnp_plus(f[entry->cls], pcnp_times(pcnp_float_at(&entry->step), kernel[entry->slot]));
    }
    if (since) pcnp_vote(m, f, only, m->clock + 1 - since, votes);
}

/* Writes the scores of a row with the given kernel values. work: m->scores floats, which only PCN_DECIDE_VOTE uses. */
static void pcnp_decision_scores(const pcn_kmodel *m, enum pcn_decision how, const float *kernel, float *score,
                                 float *work)
{
    const pcn_linear coefficients = pcnp_linear_of(m->coef, NULL, m->slots, m->scores, 1, m->zero_negative);
    const pcn_vec row = pcn_dense(kernel, m->slots);
    uint32_t c;
    pcnp_zero(score, m->scores * sizeof *score);
    if (m->slots == 0) return;
    if (how == PCN_DECIDE_LAST) {
        pcnp_scores(&coefficients, 0, coefficients.scores, &row, score);
    } else if (how == PCN_DECIDE_MEAN) {
        pcnp_mean_scores(m, 0, m->scores, kernel, score);
    } else {
        pcnp_zero(work, m->scores * sizeof *work);
        for (c = 0; m->by_class && c < m->scores; c++) pcnp_vote_entries(m, kernel, c, work, score);
        if (!m->by_class) pcnp_vote_entries(m, kernel, UINT32_MAX, work, score);
    }
}

/* Does array[floats] have room for rows * length floats? Here rows must not be 0. It is inline to save stack. */
PCNP_INLINE int pcnp_holds_rows(const float *array, size_t floats, size_t rows, size_t length)
{
    return array && floats / rows >= length;
}

/* Checks the arguments of pcn_kmodel_scores or _predict, and writes the kernel values of all rows to work. */
static int pcnp_kmodel_rows(const pcn_kmodel *m, enum pcn_decision how, const pcn_vec *x, uint32_t rows, float *work,
                            size_t bytes)
{
    const size_t floats = bytes / sizeof *work;
    uint32_t r;
    for (r = 0; r < rows; r++) PCN_ASSERT(pcnp_ascends(x[r].index, x[r].count));
    if (how != PCN_DECIDE_LAST && !m->log) return PCN_EOPTION;
    if (!pcnp_holds_rows(work, floats, 2, m->scores)) return PCN_EMEMORY;
    if (rows != 0 && (floats - 2 * (size_t)m->scores) / rows < m->slots) return PCN_EMEMORY;
    pcnp_kernel_matrix(m, x, rows, work);
    return PCN_OK;
}

PCN_API int pcn_kmodel_scores(const pcn_kmodel *m, enum pcn_decision how, const pcn_vec *x, uint32_t rows, float *score,
                              float *work, size_t bytes)
{
    float *rest;
    uint32_t r;
    int result;
    if (score == work) return PCN_EMEMORY;
    result = pcnp_kmodel_rows(m, how, x, rows, work, bytes);
    if (result < 0) return result;
    rest = work + (size_t)rows * m->slots;
    for (r = 0; r < rows; r++)
        pcnp_decision_scores(m, how, work + (size_t)r * m->slots, score + (size_t)r * m->scores, rest);
    return PCN_OK;
}

PCN_API int pcn_kmodel_predict(const pcn_kmodel *m, enum pcn_decision how, const pcn_vec *x, uint32_t rows, int *cls,
                               float *work, size_t bytes)
{
    float *rest, *score;
    uint32_t r;
    int result = pcnp_kmodel_rows(m, how, x, rows, work, bytes);
    if (result < 0) return result;
    rest = work + (size_t)rows * m->slots;
    score = rest + m->scores;
    for (r = 0; r < rows; r++) {
        pcnp_decision_scores(m, how, work + (size_t)r * m->slots, score, rest);
        cls[r] = pcn_decide(score, m->scores, m->zero_negative);
    }
    return PCN_OK;
}

/* ---- Kernel models: the trainer -------------------------------------------------------------- */

/* Makes the model point to the trainer's arrays, which may have moved. */
static void pcnp_point_model(pcn_kperceptron *m)
{
    m->model.slot = m->own.slot;
    m->model.norm2 = m->own.norm2;
    m->model.coef = m->own.coef;
    m->model.log = m->own.logged ? m->own.log : NULL;
    if (!m->own.borrowed) {
        m->model.value = m->own.value;
        m->model.index = m->own.index;
    }
}

static float pcnp_kperceptron_slope(const pcn_update *update)
{
    const pcn_kperceptron *m = (const pcn_kperceptron *)update->trainer;
    return pcnp_times(pcnp_plus(1, update->share), m->own.self);
}

static void pcnp_kperceptron_begin(pcn_kperceptron *m, const pcn_kernel *kernel, uint32_t features, uint32_t scores,
                                   float *memory)
{
    pcnp_zero(m, sizeof *m);
    pcnp_learner_init(&m->learner, memory, scores);
    pcnp_copy(&m->model.kernel, kernel, sizeof *kernel);
    m->model.features = features;
    m->model.scores = scores;
}

PCN_API int pcn_kperceptron_init(pcn_kperceptron *m, pcn_kernel kernel, uint32_t features, uint32_t classes,
                                 pcn_slot *slot, uint32_t slots, float *memory, size_t bytes)
{
    const uint32_t scores = PCN_SCORES(classes);
    const size_t floats = bytes / sizeof *memory;
    size_t each; /* floats for each slot */
    pcnp_zero(m, sizeof *m);
#ifndef PERCEPTRON_GROW
    if (slots == 0) return PCN_EOPTION;
#endif
    if (classes < 2 || !pcnp_kernel_valid(kernel.id, kernel.gamma, kernel.coef0)) return PCN_EOPTION;
    if (pcnp_kernel_is_flat(&kernel)) return PCN_EOPTION;
    if (!pcnp_holds_rows(memory, floats, 2, scores) || (slots != 0 && !slot)) return PCN_EMEMORY;
    each = slots ? (floats - 2 * (size_t)scores) / slots : 0;
    if (slots != 0 && (each < 2 || each - 2 < scores)) return PCN_EMEMORY;
    pcnp_kperceptron_begin(m, &kernel, features, scores, memory);
    if (slots != 0) {
        m->own.slot_room = slots;
        m->own.slot = slot;
        m->own.row = memory + 2u * (size_t)scores;
        m->own.norm2 = m->own.row + slots;
        m->own.coef = m->own.norm2 + slots;
        m->own.value = m->own.coef + (size_t)slots * scores;
        if (each - 2 - scores >= features) m->own.cell_room = (size_t)slots * features;
    }
    pcnp_point_model(m);
    return PCN_OK;
}

/* Returns PCN_OK if an option may be switched on: after init(), and before the first row. */
static int pcnp_check_koption(const pcn_kperceptron *m)
{
    if (m->model.scores == 0) return PCN_EOPTION;
    if (m->model.clock != 0 || m->model.slots != 0) return PCN_ELATE;
    return m->own.grown ? PCN_ELATE : PCN_OK;
}

/* Is the array the trainer's memory, or the work array of its budget? */
static int pcnp_in_use(const pcn_kperceptron *m, const float *array)
{
    return array == m->learner.score || array == m->own.aux;
}

PCN_API int pcn_kperceptron_use_sparse(pcn_kperceptron *m, float *value, uint32_t *index, size_t cells)
{
    const int grows = cells == 0 && m->own.slot_room == 0; /* growth will allocate */
    int result = pcnp_check_koption(m);
    if (result < 0) return result;
    if (m->own.borrowed) return PCN_EOPTION;
    if (grows) {
        value = NULL;
        index = NULL;
    } else if (!value || !index || pcnp_in_use(m, value)) {
        return PCN_EMEMORY;
    }
    m->own.value = value;
    m->own.index = index;
    m->own.cell_room = cells;
    m->own.sparse = 1;
    pcnp_point_model(m);
    return PCN_OK;
}

PCN_API int pcn_kperceptron_use_rows(pcn_kperceptron *m, const float *value, const uint32_t *index, size_t cells)
{
    int result = pcnp_check_koption(m);
    if (result < 0) return result;
    if (m->own.sparse) return PCN_EOPTION;
    if (!value || pcnp_in_use(m, value)) return PCN_EMEMORY;
    m->own.borrowed = 1;
    m->own.cell_room = cells;
    m->model.value = value;
    m->model.index = index;
    return PCN_OK;
}

PCN_API int pcn_kperceptron_use_log(pcn_kperceptron *m, pcn_log_entry *log, uint32_t entries)
{
    const int grows = entries == 0 && m->own.slot_room == 0; /* growth will allocate */
    int result = pcnp_check_koption(m);
    if (m->own.logged && !m->own.grown && result == PCN_ELATE) result = PCN_OK; /* a log may move at any time */
    if (result < 0) return result;
    if ((!grows && !log) || entries < m->model.entries) return PCN_EMEMORY;
    if (log && m->model.entries != 0) pcnp_copy(log, m->own.log, m->model.entries * sizeof *log);
    m->own.log = grows ? NULL : log;
    m->own.log_room = entries;
    m->own.logged = 1;
    pcnp_point_model(m);
    return PCN_OK;
}

/* Returns how many numbers a copy of x takes, as a uint32_t, because a size_t can have 16 bits. */
static uint32_t pcnp_cells(const pcn_kperceptron *m, const pcn_vec *x)
{
    if (m->own.borrowed) return 0;
    return m->own.sparse ? x->count : m->model.features;
}

static int pcnp_has_room_without(const pcn_kperceptron *m, const pcn_vec *x, uint32_t removed)
{
    size_t cells = m->own.cells;
    if (removed != 0 && !m->own.borrowed)
        cells -= m->own.slot[removed - 1].start + (size_t)m->own.slot[removed - 1].count;
    if (m->model.slots - removed >= m->own.slot_room) return 0;
    return pcnp_cells(m, x) <= m->own.cell_room - cells && (uint64_t)cells + pcnp_cells(m, x) <= UINT32_MAX;
}

static int pcnp_has_room(const pcn_kperceptron *m, const pcn_vec *x)
{
    return pcnp_has_room_without(m, x, 0);
}

/* Returns at which number x begins in the arrays of pcn_kperceptron_use_rows, or SIZE_MAX if x does not lie in them. */
static size_t pcnp_borrowed_start(const pcn_kperceptron *m, const pcn_vec *x)
{
    const uintptr_t value = (uintptr_t)x->value - (uintptr_t)m->model.value;
    const uintptr_t index = (uintptr_t)x->index - (uintptr_t)m->model.index;
    const uintptr_t start = value / sizeof *x->value;
    if (!x->value || value % sizeof *x->value != 0) return SIZE_MAX;
    if (start > m->own.cell_room || m->own.cell_room - start < x->count) return SIZE_MAX;
    if (!x->index != !m->model.index) return SIZE_MAX;
    if (x->index && index != start * sizeof *x->index) return SIZE_MAX;
    return start;
}

/* Appends a copy of x to the stored numbers: values and indices if the trainer is sparse, otherwise a dense row. */
static void pcnp_store_vector(pcn_kperceptron *m, const pcn_vec *x)
{
    float *to = m->own.value + m->own.cells;
    uint32_t i;
    if (!m->own.sparse) pcnp_zero(to, m->model.features * sizeof *to);
    for (i = 0; i < x->count; i++) {
        to[m->own.sparse ? i : pcnp_index(x, i)] = pcnp_value(x, i);
        if (m->own.sparse) m->own.index[m->own.cells + i] = pcnp_index(x, i);
    }
    m->own.cells += pcnp_cells(m, x);
}

/* Stores x in a new slot, with coefficients of 0. Returns PCN_EFULL if there is no room. */
static int pcnp_append(pcn_kperceptron *m, const pcn_vec *x, float xx, uint32_t id)
{
    const uint32_t s = m->model.slots;
    const size_t start = m->own.borrowed ? pcnp_borrowed_start(m, x) : m->own.cells;
    pcn_slot *slot;
    if (!pcnp_has_room(m, x)) return PCN_EFULL;
    slot = &m->own.slot[s];
    slot->start = (uint32_t)start;
    slot->count = m->own.borrowed || m->own.sparse ? x->count : m->model.features;
    slot->id = id;
    if (!m->own.borrowed) pcnp_store_vector(m, x);
    m->own.norm2[s] = xx;
    pcnp_zero(m->own.coef + (size_t)s * m->model.scores, m->model.scores * sizeof *m->own.coef);
    m->model.slots++;
    return PCN_OK;
}

static uint32_t pcnp_find_slot(const pcn_kperceptron *m, uint32_t id)
{
    uint32_t s = 0;
    if (id == PCN_NO_ID) return m->model.slots;
    while (s < m->model.slots && m->own.slot[s].id != id) s++;
    return s;
}

/* Adds the changes, which stand behind the scores in learner.score, to the coefficients of slot s and to the log. */
static void pcnp_add_coefficients(pcn_kperceptron *m, uint32_t s)
{
    const float *change = m->learner.score + m->model.scores;
    float *coef = m->own.coef + (size_t)s * m->model.scores;
    uint32_t k;
    for (k = 0; k < m->model.scores; k++) {
        if (pcnp_is_zero(change[k])) continue;
        coef[k] = pcnp_plus(coef[k], change[k]);
        if (m->own.logged) {
            pcn_log_entry *entry = &m->own.log[m->model.entries++];
            entry->slot = s;
            entry->cls = k;
            entry->step = change[k];
            entry->clock = m->model.clock + 1;
        }
    }
}

/* Finds or makes the slot of x, and adds the changes to its coefficients. An error changes nothing. */
static int pcnp_kperceptron_update(pcn_kperceptron *m, const pcn_vec *x, float xx, uint32_t id)
{
    float *change = m->learner.score + m->model.scores;
    uint32_t s = pcnp_find_slot(m, id), k, moved = 0;
    int result = PCN_OK;
    for (k = 0; k < m->model.scores; k++) {
        if ((pcnp_to_bits(change[k]) & 0x7fffffffu) == PCNP_NO_STEP) return PCN_EOPTION;
        if (!pcnp_moderate(change[k])) return PCN_EVALUE;
        moved += !pcnp_is_zero(change[k]);
    }
    if (m->own.borrowed && s == m->model.slots && (uint64_t)pcnp_borrowed_start(m, x) + x->count > UINT32_MAX)
        return PCN_EFULL;
    if (m->admit && (s == m->model.slots || m->own.logged)) result = m->admit(m, x);
    if (result != PCN_OK) return result < 0 ? result : PCN_OK;
    pcnp_point_model(m);
    if (m->own.logged && m->own.log_room - m->model.entries < moved) return PCN_EFULL;
    if (s >= m->model.slots) {
        s = m->model.slots;
        result = pcnp_append(m, x, xx, id);
        if (result < 0) return result;
    }
    pcnp_add_coefficients(m, s);
    return PCN_OK;
}

/* Are all features of two rows equal? One row may be dense and the other sparse. */
PCN_MAYBE_UNUSED static int pcnp_same_rows(const pcn_vec *a, const pcn_vec *b)
{
    uint32_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        const uint32_t of_a = pcnp_index_or_end(a, i), of_b = pcnp_index_or_end(b, k);
        float value_a = 0, value_b = 0;
        if (of_a <= of_b) value_a = pcnp_value(a, i++);
        if (of_b <= of_a) value_b = pcnp_value(b, k++);
        if (value_a < value_b || value_a > value_b) return 0;
    }
    return 1;
}

/* Is the id new, or does x equal the row that was stored with it? Only assertions call this. */
PCN_MAYBE_UNUSED static inline int pcnp_id_fits(const pcn_kperceptron *m, const pcn_vec *x, uint32_t id)
{
    const uint32_t s = pcnp_find_slot(m, id);
    pcn_vec z;
    if (s == m->model.slots) return 1;
    z = pcnp_stored(&m->model, s);
    return pcnp_same_rows(x, &z);
}

/* Does the trainer store dense rows, although the memory of init() has no room for them? */
static int pcnp_lacks_dense_room(const pcn_kperceptron *m)
{
    if (m->own.borrowed || m->own.sparse || m->own.grown) return 0;
    return m->own.slot_room != 0 && m->own.cell_room < m->model.features;
}

static int pcnp_label_fits(int y, uint32_t scores)
{
    if (scores == 1) return !pcnp_no_binary_label(y);
    return y >= 0 && (uint32_t)y < scores;
}

/* Returns PCN_OK if m can learn from x. bias2: B^2 of the settings, which must not change once a vector is stored. */
static int pcnp_kperceptron_check(const pcn_kperceptron *m, const pcn_vec *x, int y, uint32_t id, float bias2)
{
    if (m->model.scores == 0 || (m->own.borrowed && id == PCN_NO_ID)) return PCN_EOPTION;
    if (!pcnp_label_fits(y, m->model.scores)) return PCN_ELABEL;
    if (!pcnp_settings_valid(&m->learner)) return PCN_EOPTION;
    if (m->model.slots != 0 && pcnp_to_bits(bias2) != pcnp_to_bits(m->model.bias2)) return PCN_EOPTION;
    if (!pcnp_row_in_range(x, m->model.features)) return PCN_EINDEX;
    if (!pcnp_ascends(x->index, x->count)) return PCN_EINDEX; /* load() would refuse an image with this row */
    if (m->own.borrowed && pcnp_borrowed_start(m, x) == SIZE_MAX) return PCN_EMEMORY;
    if (pcnp_lacks_dense_room(m)) return PCN_EMEMORY;
    if (m->own.logged && m->model.clock == UINT32_MAX - 1) return PCN_EFULL;
    return PCN_OK;
}

/* Adds 15/32 - 2^-20 to the slack of a Forgetron, for one update. 2^-20 covers the rounding errors of what the update
 * spends. The slack is limited to 1,024, to keep its rounding errors small. */
#define PCNP_MOST_SLACK 1024.0f
static void pcnp_earn_slack(pcn_kperceptron *m)
{
    m->own.slack = pcnp_plus(m->own.slack, 0.468749046f);
    if (pcnp_greater(m->own.slack, PCNP_MOST_SLACK)) m->own.slack = PCNP_MOST_SLACK;
}

/* Computes all kernel values of x, then its scores. The first `known` kernel values are copied from `kernel`. */
static int pcnp_kperceptron_score_row(pcn_kperceptron *m, const pcn_vec *x, float xx, const float *kernel,
                                      uint32_t known)
{
    const pcn_kmodel *model = &m->model;
    uint32_t rival; /* not used */
    if (known != 0) pcnp_copy(m->own.row, kernel, known * sizeof *kernel);
    if (known < model->slots) pcnp_kernel_row(model, x, xx, NULL, known, model->slots - known, m->own.row + known);
    pcnp_decision_scores(model, PCN_DECIDE_LAST, m->own.row, m->learner.score, NULL);
    m->own.self = pcnp_kernel_self(model, x, xx);
    if (!pcnp_check_scores(m->learner.score, model->scores, 0, &rival)) return PCN_EVALUE;
    return pcnp_finite(m->own.self) ? PCN_OK : PCN_EVALUE;
}

/* Learns from x. kernel[known]: those kernel values of x that are known already. After an error, the caller must
 * restore m, as pcnp_kperceptron_try does. */
static int pcnp_kperceptron_learn(pcn_kperceptron *m, const pcn_vec *x, int y, uint32_t id, const float *kernel,
                                  uint32_t known)
{
    pcn_kmodel *model = &m->model;
    pcn_learner *learner = &m->learner;
    pcn_update step;
    uint32_t (*update)(const pcn_learner *, pcn_update *, uint32_t, float *) = learner->update;
    const int binary = model->scores == 1;
    const float xx = pcnp_norm2(x);
    uint32_t label = (uint32_t)y, fired;
    int guess, result;
    pcnp_new_update(&step, learner, x, model->zero_negative, pcnp_kperceptron_slope);
    result = pcnp_kperceptron_check(m, x, y, id, step.bias);
    if (result < 0) return result;
    if (!pcnp_finite(xx)) return PCN_EVALUE;
    PCN_ASSERT(pcnp_id_fits(m, x, id));
    if (binary) {
        update = pcn_update_one_vs_rest;
        label = y <= 0; /* the only score is number 0: it rises for class 1, and falls for class 0 */
        y = y > 0;
    } else if (!update) {
        update = pcn_update_predicted;
    }
    model->bias2 = step.bias;
    model->by_class = update == pcn_update_one_vs_rest;
    result = pcnp_kperceptron_score_row(m, x, xx, kernel, known);
    if (result < 0) return result;

    guess = binary ? pcnp_class(learner->score[0], step.zero_negative) : pcnp_find_rival(learner, &step, label);
    fired = update(learner, &step, label, learner->score + model->scores);
    if (fired) {
        if (m->own.shrinks) pcnp_earn_slack(m);
        result = pcnp_kperceptron_update(m, x, xx, id);
        if (result < 0) return result;
    }
    if (model->clock < UINT32_MAX - 1) model->clock++;
    pcnp_count_row(learner, guess, guess != y, fired);
    if (fired) learner->moved = 1;
    return fired != 0;
}

/* Calls pcnp_kperceptron_learn. After an error it restores bias2, by_class and the slack, and counts a refusal. */
static int pcnp_kperceptron_try(pcn_kperceptron *m, const pcn_vec *x, int y, uint32_t id, const float *kernel,
                                uint32_t known)
{
    const float bias2 = m->model.bias2, slack = m->own.slack;
    const uint8_t by_class = m->model.by_class;
    int result = pcnp_kperceptron_learn(m, x, y, id, kernel, known);
    if (result < 0) {
        m->model.bias2 = bias2;
        m->model.by_class = by_class;
        m->own.slack = slack;
        m->refused++;
    }
    return result;
}

PCN_API int pcn_kperceptron_learn_row_at(pcn_kperceptron *m, const pcn_vec *x, int y, uint32_t id)
{
    return pcnp_kperceptron_try(m, x, y, id, NULL, 0);
}

PCN_API int pcn_kperceptron_learn_rows(pcn_kperceptron *m, const pcn_vec *x, const int *y, const uint32_t *id,
                                       uint32_t rows, int *result, float *work, size_t bytes)
{
    const uint32_t slots = m->model.slots, removals = m->own.removals;
    uint32_t i;
    if (slots != 0) {
        if (!pcnp_holds_rows(work, bytes / sizeof *work, slots, rows) || pcnp_in_use(m, work)) return PCN_EMEMORY;
        pcnp_kernel_matrix(&m->model, x, rows, work);
    }
    for (i = 0; i < rows; i++) { /* new vectors come last, so work stays valid until a vector is removed */
        const uint32_t known = m->own.removals == removals ? slots : 0, row = id ? id[i] : PCN_NO_ID;
        const float *kernel = known != 0 ? work + (size_t)i * slots : NULL;
        result[i] = pcnp_kperceptron_try(m, &x[i], y[i], row, kernel, known);
    }
    return PCN_OK;
}

/* Writes the kernel values of x to m->own.row. */
static void pcnp_kperceptron_row(pcn_kperceptron *m, const pcn_vec *x)
{
    const pcn_vec known = pcnp_clip_row(x, m->model.features);
    PCN_ASSERT(m->model.scores != 0);
    PCN_ASSERT(pcnp_ascends(x->index, x->count));
    pcnp_kernel_row(&m->model, &known, pcnp_norm2(&known), NULL, 0, m->model.slots, m->own.row);
}

/* Writes n scores, from class `from` on. m->own.row must hold the kernel values of the row. */
static void pcnp_kperceptron_scores(const pcn_kperceptron *m, uint32_t from, uint32_t n, float *score)
{
    const pcn_kmodel *model = &m->model;
    const pcn_linear weights = pcnp_linear_of(model->coef, NULL, model->slots, model->scores, 1, model->zero_negative);
    const pcn_vec row = pcn_dense(m->own.row, model->slots);
    pcnp_zero(score, n * sizeof *score);
    if (model->slots == 0) return;
    if (m->own.logged)
        pcnp_mean_scores(model, from, n, m->own.row, score);
    else
        pcnp_scores(&weights, from, n, &row, score);
}

PCN_API void pcn_kperceptron_scores_at(pcn_kperceptron *m, const pcn_vec *x, float *score)
{
    pcnp_kperceptron_row(m, x);
    pcnp_kperceptron_scores(m, 0, m->model.scores, score);
}

PCN_API int pcn_kperceptron_predict_at(pcn_kperceptron *m, const pcn_vec *x)
{
    const uint32_t scores = m->model.scores;
    float score[PCNP_W], best = 0;
    uint32_t c, lanes, winner = 0;
    pcnp_kperceptron_row(m, x);
    for (c = 0; c < scores; c += lanes) {
        lanes = pcnp_part(scores - c);
        pcnp_kperceptron_scores(m, c, lanes, score);
        pcnp_keep_best(score, c, lanes, &best, &winner);
    }
    return scores == 1 ? pcnp_class(best, m->model.zero_negative) : (int)winner;
}

PCN_API void pcn_kperceptron_set_id(pcn_kperceptron *m, uint32_t s, uint32_t id)
{
    PCN_ASSERT(s < m->model.slots);
    if (s < m->model.slots) m->own.slot[s].id = id;
}

PCN_API int pcn_kperceptron_swap_classes(pcn_kperceptron *m)
{
    uint32_t i;
    if (m->model.scores != 1) return PCN_EOPTION;
    for (i = 0; i < m->model.slots; i++) m->own.coef[i] = pcnp_minus(0, m->own.coef[i]);
    for (i = 0; i < m->model.entries; i++) m->own.log[i].step = pcnp_minus(0, m->own.log[i].step);
    return PCN_OK;
}

/* ---- Kernel models: budgets ------------------------------------------------------------------ */

/* Deletes n elements, from element `at` on, from an array of `all` elements of `size` bytes. */
static void pcnp_delete_elements(void *array, size_t size, size_t at, size_t n, size_t all)
{
    uint8_t *p = (uint8_t *)array + at * size;
    pcnp_copy(p, p + n * size, (all - at - n) * size);
}

/* Removes slot s. The other slots keep their order. */
static void pcnp_remove(pcn_kperceptron *m, uint32_t s)
{
    uint32_t start = m->own.slot[s].start, count = m->own.slot[s].count, slots = m->model.slots, i;
    if (!m->own.borrowed) {
        pcnp_delete_elements(m->own.value, sizeof *m->own.value, start, count, m->own.cells);
        if (m->own.sparse) pcnp_delete_elements(m->own.index, sizeof *m->own.index, start, count, m->own.cells);
        m->own.cells -= count;
        for (i = s + 1; i < slots; i++) m->own.slot[i].start -= count;
    }
    pcnp_delete_elements(m->own.slot, sizeof *m->own.slot, s, 1, slots);
    pcnp_delete_elements(m->own.norm2, sizeof *m->own.norm2, s, 1, slots);
    pcnp_delete_elements(m->own.coef, sizeof *m->own.coef * m->model.scores, s, 1, slots);
    m->model.slots--;
    m->own.removals++;
    m->own.aux_slots = 0;
}

/* Returns PCN_OK if removals can make room for x, and there is no log. Call it before the first removal. */
static int pcnp_may_remove(const pcn_kperceptron *m, const pcn_vec *x)
{
    if (m->own.logged) return PCN_EOPTION;
    if (m->own.slot_room == 0 || pcnp_cells(m, x) > m->own.cell_room) return PCN_EFULL;
    return PCN_OK;
}

PCN_API int pcn_admit_oldest(pcn_kperceptron *m, const pcn_vec *x)
{
    int result = pcnp_may_remove(m, x);
    if (result < 0) return result;
    while (m->model.slots != 0 && !pcnp_has_room(m, x)) pcnp_remove(m, 0);
    return PCN_OK;
}

PCN_API int pcn_admit_random(pcn_kperceptron *m, const pcn_vec *x)
{
    int result = pcnp_may_remove(m, x);
    if (result < 0) return result;
    while (m->model.slots != 0 && !pcnp_has_room(m, x)) {
        m->seed += 0x9e3779b9u;
        pcnp_remove(m, (uint32_t)((uint64_t)pcnp_mix(m->seed) * m->model.slots >> 32));
    }
    return PCN_OK;
}

/* Returns sqrt(f), or 0 if f is not above 0. Newton's iteration starts above the root and ends when it stops
 * falling. */
static float pcnp_sqrt(float f)
{
    float next = f > 1 ? f : 1, root;
    if (!(f > 0)) return 0;
    do {
        root = next;
        next = pcnp_times(0.5f, pcnp_plus(root, pcnp_over(f, root)));
    } while (next < root);
    return root;
}

/* Returns the largest phi in [0, 1] with psi <= left, where psi is the damage of a removal:
 *     psi = (phi sigma)^2 + 2 phi sigma (1 - phi mu) = a phi^2 + b phi.
 * The result is made 0.001 % smaller, so that the bound holds after rounding. */
static float pcnp_shrinking(float sigma, float mu, float left)
{
    float a = pcnp_times(sigma, pcnp_minus(sigma, pcnp_times(2, mu))), b = pcnp_times(2, sigma), root;
    if (pcnp_plus(a, b) <= left) return 1;
    root = pcnp_sqrt(pcnp_plus(pcnp_times(b, b), pcnp_times(4, pcnp_times(a, left))));
    return pcnp_times(pcnp_over(pcnp_times(2, left), pcnp_plus(b, root)), 0.99999f);
}

/* Writes K(z, z_i) + B^2 for the vector z in slot s and the first n stored vectors z_i. */
static void pcnp_slot_row(const pcn_kperceptron *m, uint32_t s, uint32_t n, float *out)
{
    pcn_vec z = pcnp_stored(&m->model, s);
    pcnp_kernel_row(&m->model, &z, m->own.norm2[s], NULL, 0, n, out);
}

static void pcnp_spend_slack(pcn_kperceptron *m, float psi)
{
    float left = pcnp_minus(m->own.slack, psi);
    if (pcnp_greater(0, left)) left = 0;
    if (pcnp_greater(left, PCNP_MOST_SLACK)) left = PCNP_MOST_SLACK; /* psi can be negative */
    m->own.slack = left;
}

/* Is the array the trainer's memory, or the values of its vectors? */
static int pcnp_is_stored_in(const pcn_kperceptron *m, const float *array)
{
    return array == m->learner.score || array == m->model.value;
}

/* Sets *sigma to |coef| of the oldest vector z, and *mu to f(z) times the sign of coef. Here f includes the new vector.
 * Returns 0 if computing with *sigma and *mu would overflow. Writes the kernel values of z to m->own.aux. */
static int pcnp_oldest(pcn_kperceptron *m, float *sigma, float *mu)
{
    const float *coef = m->own.coef, *change = m->learner.score + 1;
    float f = pcnp_times(change[0], m->own.row[0]);
    uint32_t s;
    pcnp_slot_row(m, 0, m->model.slots, m->own.aux);
    for (s = 0; s < m->model.slots; s++) f = pcnp_plus(f, pcnp_times(coef[s], m->own.aux[s]));
    *sigma = coef[0];
    *mu = f;
    if (coef[0] < 0) {
        *sigma = -coef[0];
        *mu = -f;
    }
    return pcnp_finite(pcnp_times(*sigma, pcnp_minus(*sigma, pcnp_times(2, *mu)))) && /* then mu is finite, too */
           pcnp_finite(pcnp_times(*sigma, *sigma));
}

/* Removes the oldest vectors until x has room. Before each removal it shrinks all coefficients, so that the removal
 * spends at most its equal share of the slack. */
static int pcnp_admit_forgetron(pcn_kperceptron *m, const pcn_vec *x)
{
    const uint32_t removals = m->own.removals;
    float *change = m->learner.score + 1; /* the step for x, which is not yet in coef */
    uint32_t more = 0, s;                 /* more: how many vectors must still be removed */
    int result = pcnp_may_remove(m, x);
    if (result < 0) return result;
    while (more < m->model.slots && !pcnp_has_room_without(m, x, more)) more++;
    for (; more != 0; more--) {
        float sigma, mu, phi = 0, psi = 0;
        if (pcnp_oldest(m, &sigma, &mu)) {
            phi = pcnp_shrinking(sigma, mu, pcnp_over(m->own.slack, pcnp_float(more)));
            sigma = pcnp_times(sigma, phi);
            psi = pcnp_times(pcnp_times(2, sigma), pcnp_minus(1, pcnp_times(phi, mu)));
            psi = pcnp_plus(pcnp_times(sigma, sigma), psi);
        } else if (m->own.removals == removals) {
            return PCN_EVALUE; /* nothing has changed yet */
        }
        for (s = 0; s < m->model.slots; s++) m->own.coef[s] = pcnp_times(m->own.coef[s], phi);
        change[0] = pcnp_times(change[0], phi);
        pcnp_spend_slack(m, psi);
        pcnp_remove(m, 0);
        pcnp_delete_elements(m->own.row, sizeof *m->own.row, 0, 1, (size_t)m->model.slots + 1);
    }
    return PCN_OK;
}

PCN_API int pcn_kperceptron_use_forgetron(pcn_kperceptron *m, float *aux, size_t bytes)
{
    const uint32_t slots = m->own.slot_room;
    if (m->model.scores != 1 || m->own.logged || slots == 0) return PCN_EOPTION;
    if (!pcnp_holds_rows(aux, bytes / sizeof *aux, 1, slots) || pcnp_is_stored_in(m, aux)) return PCN_EMEMORY;
    m->own.aux = aux;
    m->own.shrinks = 1;
    m->admit = pcnp_admit_forgetron;
    return PCN_OK;
}

/* Projects a vector v on the span of the first n stored vectors z_i. Let k[i] and kxx be the kernel values of v with
 * z_i and with itself, and let G be the kernel matrix of all z_i. Writes the coefficients d = G^-1 k of the projection,
 * and returns kxx - k.d, its squared distance from v. Rows of m->own.aux have slot_room floats: d, the kernel values of
 * a slot, G^-1. */
static float pcnp_project(pcn_kperceptron *m, const float *k, float kxx, uint32_t n)
{
    float *d = m->own.aux, *inverse = m->own.aux + 2 * (size_t)m->own.slot_room;
    uint32_t i, j;
    for (i = 0; i < n; i++) {
        d[i] = 0;
        for (j = 0; j < n; j++) d[i] = pcnp_plus(d[i], pcnp_times(inverse[(size_t)i * m->own.slot_room + j], k[j]));
        kxx = pcnp_minus(kxx, pcnp_times(k[i], d[i]));
    }
    return kxx;
}

/* Extends G^-1 by slot n, whose vector was projected last: adds u u^T / distance, where u is (d, -1). */
static void pcnp_extend(pcn_kperceptron *m, float distance, uint32_t n)
{
    float *d = m->own.aux, *inverse = m->own.aux + 2 * (size_t)m->own.slot_room;
    uint32_t i, j;
    d[n] = -1;
    for (i = 0; i <= n; i++)
        for (j = 0; j <= n; j++) {
            float *g = &inverse[(size_t)i * m->own.slot_room + j];
            *g = pcnp_plus(i < n && j < n ? *g : 0, pcnp_over(pcnp_times(d[i], d[j]), distance));
        }
    m->own.aux_slots = n + 1;
}

/* Returns PCN_OK if x must be stored. Otherwise it adds the projection of x to the coefficients, and returns 1. */
static int pcnp_admit_projectron(pcn_kperceptron *m, const pcn_vec *x)
{
    const pcn_vec changes = pcn_dense(m->learner.score + m->model.scores, m->model.scores);
    const uint32_t n = m->model.slots;
    float *d = m->own.aux, *k = m->own.aux + m->own.slot_room, distance;
    uint32_t i;
    int is_apart;
    if (m->own.logged) return PCN_EOPTION;
    while (m->own.aux_slots < n) { /* G^-1 comes from the stored vectors, so it is the same after load() */
        i = m->own.aux_slots;
        pcnp_slot_row(m, i, i + 1, k);
        pcnp_extend(m, pcnp_project(m, k, k[i], i), i);
    }
    distance = pcnp_project(m, m->own.row, m->own.self, n);
    is_apart = distance > m->own.tolerance &&
               distance > pcnp_times(m->own.self, 3e-4f); /* rounding hides smaller distances */
    if (is_apart) {
        if (pcnp_has_room(m, x)) return PCN_OK;
        if (n == 0) return PCN_EFULL;
    }
    for (i = 0; i < n; i++)
        if (!pcnp_step_is_moderate(d[i], &changes)) return PCN_EVALUE;
    for (i = 0; i < n; i++) pcnp_axpy(m->own.coef + (size_t)i * changes.count, 1, changes.count, d[i], &changes);
    return 1;
}

PCN_API int pcn_kperceptron_use_projectron(pcn_kperceptron *m, float tolerance, float *aux, size_t bytes)
{
    const uint32_t slots = m->own.slot_room;
    if (m->own.logged || slots == 0 || !(tolerance >= 0)) return PCN_EOPTION;
    if (!pcnp_holds_rows(aux, bytes / sizeof *aux, slots, (size_t)slots + 2)) return PCN_EMEMORY;
    if (pcnp_is_stored_in(m, aux)) return PCN_EMEMORY;
    m->own.aux = aux;
    m->own.aux_slots = 0;
    m->own.shrinks = 0;
    m->own.tolerance = tolerance;
    m->admit = pcnp_admit_projectron;
    return PCN_OK;
}

#ifdef PERCEPTRON_GROW

/* ---- Kernel models: growth ------------------------------------------------------------------- */

/* Arrays that grow have the layout of stb_ds. Its functions are not used, because they cannot report a failed
 * allocation. If you define STB_DS_IMPLEMENTATION, it is undefined for this #include, and defined again after it. */
#ifndef INCLUDE_STB_DS_H
#ifdef STB_DS_IMPLEMENTATION
#undef STB_DS_IMPLEMENTATION
#define PCNP_KEEP_STB_DS
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
#error "perceptron.h: PERCEPTRON_GROW needs stb_ds.h (Debian: libstb-dev; or set PERCEPTRON_STB_DS_H)"
#endif
#ifdef PCNP_KEEP_STB_DS
#undef PCNP_KEEP_STB_DS
#define STB_DS_IMPLEMENTATION
#endif
#endif

#ifndef PERCEPTRON_REALLOC
#include <stdlib.h>
#define PERCEPTRON_REALLOC(p, size) realloc(p, size)
#define PERCEPTRON_FREE(p) free(p)
#endif

/* Returns the array with room for `want` elements. Without memory it returns NULL, and the old array stays valid. */
static void *pcnp_grown(void *array, size_t element, uint64_t want)
{
    stbds_array_header *old = array ? (stbds_array_header *)array - 1 : NULL, *header;
    uint64_t room = old ? old->capacity : 0;
    if (room >= want) return array;
    if (room < want / 2) {
        room = want;
    } else {
        room *= 2;
        if (room < 16) room = 16;
        if (room < want) room = want;
    }
    if (room > (SIZE_MAX - sizeof *header) / element) return NULL;
    header = (stbds_array_header *)PERCEPTRON_REALLOC(old, sizeof *header + (size_t)room * element);
    if (!header) return NULL;
    if (!old) pcnp_zero(header, sizeof *header);
    header->capacity = (size_t)room;
    return header + 1;
}

/* Makes room for `want` elements. array: the address of the pointer to the array. Returns 0 if there is no memory. */
static int pcnp_reserve(void *array, size_t element, uint64_t want)
{
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = pcnp_grown(old, element, want ? want : 1);
    if (!grown) return 0;
    memcpy(array, &grown, sizeof grown);
    return 1;
}

static int pcnp_is_given_arrays(const pcn_kperceptron *m)
{
    if (m->own.grown) return 0;
    if (m->own.slot_room != 0 || m->own.log_room != 0) return 1;
    return m->own.cell_room != 0 && !m->own.borrowed;
}

static int pcnp_reserve_all(pcn_kperceptron *m, uint64_t slots, uint64_t cells, uint64_t entries)
{
    if (!pcnp_reserve(&m->own.slot, sizeof *m->own.slot, slots)) return 0;
    if (!pcnp_reserve(&m->own.row, sizeof *m->own.row, slots)) return 0;
    if (!pcnp_reserve(&m->own.norm2, sizeof *m->own.norm2, slots)) return 0;
    if (!pcnp_reserve(&m->own.coef, sizeof *m->own.coef * m->model.scores, slots)) return 0;
    if (!m->own.borrowed && !pcnp_reserve(&m->own.value, sizeof *m->own.value, cells)) return 0;
    if (m->own.sparse && !pcnp_reserve(&m->own.index, sizeof *m->own.index, cells)) return 0;
    return !m->own.logged || pcnp_reserve(&m->own.log, sizeof *m->own.log, entries);
}

/* Makes room for so many slots, cells (stored numbers) and log entries. PCN_EOPTION: the arrays are the caller's. */
static int pcnp_grow(pcn_kperceptron *m, uint64_t slots, uint64_t cells, uint64_t entries)
{
    int has_room;
    if (pcnp_is_given_arrays(m)) return PCN_EOPTION;
    if (entries > UINT32_MAX) return PCN_EFULL; /* callers have checked `cells` */
    m->own.grown = 1;                           /* even a failure may leave an array to free */
    has_room = pcnp_reserve_all(m, slots, cells, entries);
    if (has_room) {
        m->own.slot_room = (uint32_t)slots;
        if (!m->own.borrowed) m->own.cell_room = (size_t)cells;
        m->own.log_room = (uint32_t)entries;
    }
    pcnp_point_model(m); /* arrays may have moved, even if a later one got no memory */
    return has_room ? PCN_OK : PCN_ENOMEM;
}

PCN_API int pcn_admit_grow(pcn_kperceptron *m, const pcn_vec *x)
{
    if (pcnp_cells(m, x) > UINT32_MAX - m->own.cells) return PCN_EFULL;
    return pcnp_grow(m, (uint64_t)m->model.slots + 1, (uint64_t)m->own.cells + pcnp_cells(m, x),
                     (uint64_t)m->model.entries + m->model.scores);
}

static void pcnp_free(void *array)
{
    if (array) PERCEPTRON_FREE((stbds_array_header *)array - 1);
}

PCN_API void pcn_kperceptron_free(pcn_kperceptron *m)
{
    pcn_kernel kernel;
    if (!m->own.grown) return; /* the arrays are the caller's */
    pcnp_free(m->own.slot);
    pcnp_free(m->own.row);
    pcnp_free(m->own.norm2);
    pcnp_free(m->own.coef);
    if (!m->own.borrowed) pcnp_free(m->own.value);
    pcnp_free(m->own.index);
    pcnp_free(m->own.log);
    pcnp_copy(&kernel, &m->model.kernel, sizeof kernel);
    pcnp_kperceptron_begin(m, &kernel, m->model.features, m->model.scores, m->learner.score);
}

#endif /* PERCEPTRON_GROW */

/* ---- Calibration ----------------------------------------------------------------------------- */

enum { PCNP_CALIBRATED = 4096 };  /* the largest pcn_calibration.rows */
#define PCNP_TOO_SURE 0x3089705fu /* the bits of 1e-9 */
#define PCNP_DET_END 0x7e967699u  /* the bits of 1e38 */
#define PCNP_MOST_BENT 8          /* limits c if there are two classes, and -b if there are more */
#define PCNP_RIDGE 4              /* added to the information of b or c: the first rows change b and c little */

PCN_API void pcn_calibration_init(pcn_calibration *c)
{
    pcnp_zero(c, sizeof *c);
}

static float pcnp_exp_of(float t)
{
    float e;
    pcnp_store_part(&e, pcnp_exp(pcnp_set(t)), 1);
    pcnp_done();
    return e;
}

/* Returns e^|c| - 1 for two classes, otherwise e^|b| - 1. The exponent is at most 12, because images can hold any b. */
static float pcnp_bend(const pcn_calibration *c, int two)
{
    float magnitude = pcnp_from_bits(pcnp_to_bits(two ? c->c : c->b) & 0x7fffffffu);
    if (!pcnp_above(12, magnitude)) magnitude = 12; /* NaN becomes 12, too */
    return pcnp_minus(pcnp_exp_of(magnitude), 1);
}

static float pcnp_between(float least, float f, float most)
{
    if (pcnp_above(f, most)) f = most;
    return pcnp_above(least, f) ? least : f;
}

typedef struct pcnp_logit { /* z: logit of a class minus that of the base (class 0 of two, otherwise the top class) */
    float weight;           /* e^z */
    float x, o, bent;       /* the derivatives of z with respect to a, b and -c */
} pcnp_logit;

/* Computes the logit of a class. d: its score minus the score of the base. Clamping u keeps u^2 finite. Clamping z to
 * 30 changes no probability, because e^30 + e^0 is rounded to e^30. */
static void pcnp_find_logit(const pcn_calibration *c, int two, float bend, float d, pcnp_logit *to)
{
    const float more = pcnp_plus(1, bend);
    float u = pcnp_times(c->a, d), root, cube, z;
    if (two) u = pcnp_plus(u, c->b);
    u = pcnp_between(-16384, u, 16384);
    if (!two && pcnp_greater(c->b, 0)) {
        z = pcnp_exp_of(u);
        to->weight = pcnp_between(0, pcnp_over(pcnp_times(more, z), pcnp_plus(1, pcnp_times(bend, z))), 1);
        to->o = pcnp_minus(1, to->weight);
        to->x = pcnp_times(d, pcnp_minus(1, pcnp_times(to->weight, pcnp_over(bend, more))));
        return;
    }
    root = pcnp_inverse_root(pcnp_plus(1, pcnp_times(pcnp_times(pcnp_times(bend, 0.03125f), u), u)));
    cube = pcnp_times(pcnp_times(root, root), root);
    z = pcnp_times(u, root);
    to->bent = pcnp_times(pcnp_times(pcnp_times(more, 0.015625f), z), pcnp_times(z, z));
    to->x = pcnp_times(d, cube);
    to->o = two ? cube : to->bent;
    to->weight = pcnp_exp_of(pcnp_above(z, 30) ? 30 : z);
}

PCN_API int pcn_probabilities(const pcn_calibration *c, const float *score, uint32_t classes, float *p)
{
    const int two = classes == 2;
    const uint32_t scores = PCN_SCORES(classes);
    const float bend = pcnp_bend(c, two);
    float base = 0, sum = (float)two; /* with two classes, class 0 adds e^0 */
    pcnp_logit logit;
    uint32_t k;
    int top;
    if (classes < 2) return PCN_EOPTION;
    PCN_ASSERT(p != score);
    top = pcn_decide(score, scores, 0);
    if (!two) base = score[top];
    p += two; /* with two classes, the score belongs to class 1 */
    for (k = 0; k < scores; k++) {
        const int is_base = !two && k == (uint32_t)top;
        pcnp_find_logit(c, two, bend, is_base ? 0 : pcnp_minus(score[k], base), &logit);
        p[k] = logit.weight;
        sum = pcnp_plus(sum, p[k]);
    }
    for (k = 0; k < scores; k++) p[k] = pcnp_over(p[k], sum);
    if (two) p[-1] = pcnp_minus(1, p[0]);
    return top;
}

PCN_API float pcn_calibration_gap(const pcn_calibration *c, uint32_t classes, int guess, float cost)
{
    float score[3] = {0, 0, -FLT_MAX}, p[3] = {0, 0, 0}, sum;
    uint32_t low = 0, high = 0x7f800000u; /* the bits of 0 and infinity, between which the gap lies */
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const float gap = pcnp_from_bits(middle);
        int enough;
        if (classes == 2) {
            score[0] = guess > 0 ? gap : -gap;
            (void)pcn_probabilities(c, score, 2, p);
            enough = pcnp_reaches(p[guess > 0], pcnp_minus(1, cost));
        } else {
            score[1] = -gap;
            (void)pcn_probabilities(c, score, 3, p);
            sum = pcnp_plus(pcnp_plus(p[0], p[1]), pcnp_times(p[2], (float)(classes - 2)));
            enough = pcnp_reaches(p[0], pcnp_times(pcnp_minus(1, cost), sum));
        }
        if (enough)
            high = middle;
        else
            low = middle + 1;
    }
    return pcnp_from_bits(low);
}

/* Returns keep * sum plus the information of a row, which is the mean of the expected one and the observed one, g h. */
static float pcnp_information(float sum, float keep, float expected, float g, float h)
{
    return pcnp_plus(pcnp_times(sum, keep), pcnp_times(0.5f, pcnp_plus(expected, pcnp_times(g, h))));
}

typedef struct pcnp_slope { /* how the loss of a row depends on a, b and c */
    float a, b, c;          /* its derivatives with respect to a, b and -c */
    float aa, ab, bb, cc;   /* the expected information */
} pcnp_slope;

static int pcnp_newton(pcn_calibration *c, int two, const pcnp_slope *slope)
{
    float n, keep, more, aa, ab, bb, a, b, det;
    if (c->rows < PCNP_CALIBRATED) c->rows++;
    n = (float)c->rows;
    keep = pcnp_minus(1, pcnp_over(2, pcnp_plus(n, 16)));
    aa = pcnp_information(c->aa, keep, slope->aa, slope->a, slope->a);
    ab = pcnp_information(c->ab, keep, slope->ab, slope->a, slope->b);
    bb = pcnp_information(c->bb, keep, slope->bb, slope->b, slope->b);
    more = pcnp_plus(1, pcnp_over(1, n));
    a = pcnp_times(aa, more); /* adds a ridge that fades, aa / n */
    b = pcnp_times(bb, more);
    if (!two) b = pcnp_plus(b, PCNP_RIDGE);
    det = pcnp_minus(pcnp_times(a, b), pcnp_times(ab, ab));
    if (pcnp_to_bits(det) - 1u >= PCNP_DET_END - 1u) return 0; /* det is 0 or less, 1e38 or more, or NaN */
    c->aa = aa;
    c->ab = ab;
    c->bb = bb;
    c->a = pcnp_minus(c->a, pcnp_over(pcnp_minus(pcnp_times(b, slope->a), pcnp_times(ab, slope->b)), det));
    c->b = pcnp_minus(c->b, pcnp_over(pcnp_minus(pcnp_times(a, slope->b), pcnp_times(ab, slope->a)), det));
    if (!pcnp_greater(c->a, 0)) c->a = 0;
    if (two) {
        c->cc = pcnp_information(c->cc, keep, slope->cc, slope->c, slope->c);
        c->c = pcnp_between(0, pcnp_plus(c->c, pcnp_over(slope->c, pcnp_plus(c->cc, PCNP_RIDGE))), PCNP_MOST_BENT);
    } else {
        c->b = pcnp_between(-PCNP_MOST_BENT, c->b, 12);
    }
    return 1;
}

/* Let x_k and o_k be the derivatives of the logit of class k with respect to a and b, or 0 for the base. The gradient
 * of the loss is their mean under the probabilities p, minus their values for the label. The expected information is
 * their covariance matrix under p. One pass computes the means x and o, and the matrix (Welford 1962). Let total be the
 * sum of p so far, and r = p_k / total. Class k then adds r (x_k - x) to x, and p_k (1 - r) (x_k - x)^2 to slope.aa. */
PCN_API int pcn_calibrate(pcn_calibration *c, const float *score, uint32_t classes, const float *p, int y)
{
    const int two = classes == 2;
    const uint32_t label = two ? y > 0 : (uint32_t)y, scores = PCN_SCORES(classes);
    const float bend = pcnp_bend(c, two);
    float x = 0, o = 0, base = 0, total;
    pcnp_slope slope;
    pcnp_logit logit;
    uint32_t k;
    int top = 0;
    if (classes < 2 || p == score) return PCN_EOPTION;
    if (!pcnp_label_fits(y, scores)) return PCN_ELABEL;
    slope.a = 0; /* an initialiser would call memset */
    slope.b = 0;
    slope.c = 0;
    slope.aa = 0;
    slope.ab = 0;
    slope.bb = 0;
    slope.cc = 0;
    if (!two) {
        top = pcn_decide(score, classes, 0);
        base = score[top];
    }
    total = p[top];
    PCN_ASSERT(total <= 1 && (two ? total >= 0 : total > 0)); /* p must come from pcn_probabilities */
    for (k = 0; k < scores; k++) {
        const uint32_t cls = k + (uint32_t)two;
        float r, spread, d_x, d_o;
        if (cls == (uint32_t)top) continue;
        pcnp_find_logit(c, two, bend, pcnp_minus(score[k], base), &logit);
        total = pcnp_plus(total, p[cls]);
        r = pcnp_over(p[cls], total);
        d_x = pcnp_minus(logit.x, x);
        d_o = pcnp_minus(logit.o, o);
        x = pcnp_plus(x, pcnp_times(r, d_x));
        o = pcnp_plus(o, pcnp_times(r, d_o));
        spread = pcnp_minus(p[cls], pcnp_times(p[cls], r));
        slope.aa = pcnp_plus(slope.aa, pcnp_times(spread, pcnp_times(d_x, d_x)));
        slope.ab = pcnp_plus(slope.ab, pcnp_times(spread, pcnp_times(d_x, d_o)));
        slope.bb = pcnp_plus(slope.bb, pcnp_times(spread, pcnp_times(d_o, d_o)));
        if (two) {
            slope.cc = pcnp_times(spread, pcnp_times(logit.bent, logit.bent));
            slope.c = pcnp_times(p[cls], logit.bent);
        }
        if (cls != label) continue;
        slope.a = logit.x;
        slope.b = logit.o;
        if (two) slope.c = pcnp_minus(slope.c, logit.bent);
    }
    if (!pcnp_finite(x)) return PCN_EVALUE;
    if (pcnp_to_bits(p[label]) < PCNP_TOO_SURE) {
        c->a = pcnp_times(c->a, 0.984375f);
        c->b = pcnp_times(c->b, 0.984375f);
        return 1;
    }
    slope.a = pcnp_minus(x, slope.a);
    slope.b = pcnp_minus(o, slope.b);
    return pcnp_newton(c, two, &slope);
}

/* ---- Images: integer models ------------------------------------------------------------------ */

static int pcnp_integer_header_valid(pcnp_image *layout, const void *image)
{
    const pcn_image *head = &layout->head;
    const uint32_t parts = head->parts, has = parts & (PCN_PART_8_BITS | PCN_PART_16_BITS);
    const int is_frozen = head->kind == PCN_KIND_ILINEAR;
    uint32_t all = PCN_PART_BIAS | PCN_PART_ZERO_NEGATIVE;
    (void)image;
    layout->bytes = 4;
    if (has) {
        layout->bytes = parts & PCN_PART_8_BITS ? 1 : 2;
        layout->more = UINT32_MAX - 2u * (uint32_t)PCN_IMAX; /* weights of 8 or 16 bits make words of any value */
    }
    all |= is_frozen ? PCN_PART_8_BITS | PCN_PART_16_BITS : PCN_PART_SUMS;
    if ((parts & ~all) || has == (PCN_PART_8_BITS | PCN_PART_16_BITS)) return 0;
    if (!(parts & PCN_PART_BIAS) && (has || !is_frozen)) return 0;
    if (is_frozen && head->entries != 0) return 0;
    if (head->features > UINT32_MAX / 2) return 0;
    if ((head->count.rows | head->count.updates | head->count.mistakes | head->clock) >> 32 != 0) return 0;
    return pcnp_count_weights(layout);
}

static const pcnp_format pcnp_integer_format = {
    PCN_KIND_ILINEAR,
    PCN_KIND_IPERCEPTRON,
    PCNP_HEADER,
    pcnp_integer_header_valid,
    {{PCNP_ALWAYS, 0, 1, PCNP_PRODUCT, PCNP_WHOLE(1)},
     {PCN_PART_BIAS, 4, 1, PCNP_PER_SCORE, PCNP_WHOLE(0)},
     {PCN_PART_8_BITS | PCN_PART_16_BITS, 2, 1, PCNP_PER_SCORE, PCNP_ANY},
     {PCN_PART_SUMS, 8, 1, PCNP_BOTH, PCNP_ANY},
     {0, 0, 0, 0, PCNP_ANY},
     {0, 0, 0, 0, PCNP_ANY}}};

/* Verifies an image of integers. With PCN_BIAS_OF_ROWS, also checks its `entries`: bias_rows + 256 bias_doubled. */
static int pcnp_read_integers(pcnp_image *layout, const void *image, size_t size)
{
    const int result = pcnp_read(layout, &pcnp_integer_format, image, size);
    uint32_t rows, doubled;
    if (!PCNP_BIAS_OF_ROWS || result < 0) return result;
    rows = layout->head.entries & 255u;
    doubled = layout->head.entries >> 8;
    if (rows > PCNP_BIAS_ROWS || doubled > pcnp_lesser(rows, PCNP_BIAS_DOUBLED)) return PCN_EIMAGE;
    return PCN_OK;
}

static size_t pcnp_save_integers(const pcn_ilinear *m, const pcn_iperceptron *trainer, size_t from, void *out,
                                 size_t size)
{
    const void *array[PCNP_ARRAYS] = {m->weight, m->bias, m->scale, trainer ? trainer->own.sum : NULL, NULL, NULL};
    uint32_t parts = 0;
    pcnp_window window;
    pcn_image *head = &window.image.head;
    if ((m->bits < 32) != (m->scale != NULL)) return 0; /* only weights of 8 and 16 bits have scales */
    if (m->bits == 8) parts |= PCN_PART_8_BITS;
    if (m->bits == 16) parts |= PCN_PART_16_BITS;
    if (m->bias) parts |= PCN_PART_BIAS;
    if (array[3]) parts |= PCN_PART_SUMS;
    if (m->zero_negative) parts |= PCN_PART_ZERO_NEGATIVE;
    pcnp_describe(&window, trainer ? PCN_KIND_IPERCEPTRON : PCN_KIND_ILINEAR, parts, m->features, m->scores);
    if (trainer) {
        head->count.rows = trainer->rows;
        head->count.updates = trainer->updates;
        head->count.mistakes = trainer->mistakes;
        head->clock = trainer->own.clock;
        if (PCNP_BIAS_OF_ROWS) head->entries = trainer->bias_rows | (uint32_t)trainer->bias_doubled << 8;
    }
    return pcnp_save_arrays(&window, &pcnp_integer_format, array, from, out, size);
}

PCN_API size_t pcn_ilinear_save_part(const pcn_ilinear *m, size_t from, void *out, size_t size)
{
    return pcnp_save_integers(m, NULL, from, out, size);
}

PCN_API size_t pcn_iperceptron_save_part(const pcn_iperceptron *m, size_t from, void *out, size_t size)
{
    return m->own.learn ? pcnp_save_integers(&m->live, m, from, out, size) : 0;
}

/* Makes the model that a verified image describes. numbers: the arrays for m, laid out as in the image. */
static void pcnp_get_integers(pcn_ilinear *m, const pcnp_image *layout, const void *numbers)
{
    const uint8_t *weight = (const uint8_t *)numbers;
    const size_t *at = layout->at;
    m->weight = weight;
    m->bias = NULL;
    m->scale = NULL;
    if (pcnp_has(layout, &layout->format->array[1]))
        m->bias = (const int32_t *)(const void *)(weight + (at[1] - at[0]));
    if (pcnp_has(layout, &layout->format->array[2]))
        m->scale = (const uint16_t *)(const void *)(weight + (at[2] - at[0]));
    m->features = layout->head.features;
    m->scores = layout->head.scores;
    m->bits = (uint8_t)(8 * layout->bytes);
    m->zero_negative = (layout->head.parts & PCN_PART_ZERO_NEGATIVE) != 0;
}

PCN_API int pcn_ilinear_open(pcn_ilinear *m, const void *image, size_t size)
{
    pcnp_image layout;
    int result = pcnp_read(&layout, &pcnp_integer_format, image, size);
    if (result == PCN_OK) result = pcnp_in_place(&layout, image);
    if (result < 0) return result;
    pcnp_get_integers(m, &layout, (const uint8_t *)image + layout.at[0]);
    PCNP_FORGET(image);
    return PCN_OK;
}

PCN_API int pcn_ilinear_load(pcn_ilinear *m, int32_t *memory, size_t bytes, const void *image, size_t size)
{
    const void *array[PCNP_ARRAYS];
    pcnp_image layout;
    int result = pcnp_read(&layout, &pcnp_integer_format, image, size);
    if (result < 0) return result;
    if (layout.head.parts & PCN_PART_SUMS) return PCN_EMEAN;
    if (!memory || bytes < layout.at[PCNP_ARRAYS] - layout.at[0]) return PCN_EMEMORY;
    if ((uintptr_t)memory > (uintptr_t)image && (uintptr_t)memory - (uintptr_t)image < layout.at[PCNP_ARRAYS])
        return PCN_EMEMORY; /* the copy could overwrite numbers before it has read them */
    pcnp_get_integers(m, &layout, memory);
    pcnp_zero(array, sizeof array);
    array[0] = m->weight;
    array[1] = m->bias;
    array[2] = m->scale;
    pcnp_load_arrays(array, &layout, image);
    return PCN_OK;
}

PCN_API int pcn_iperceptron_load(pcn_iperceptron *m, const void *image, size_t size)
{
    const void *array[PCNP_ARRAYS] = {m->live.weight, m->live.bias, NULL, m->own.sum, NULL, NULL};
    pcnp_image layout;
    const pcn_image *head = &layout.head;
    int result = pcnp_read_integers(&layout, image, size);
    if (result < 0) return result;
    if (!m->own.learn) return PCN_EOPTION;
    if (head->features != m->live.features || head->scores != m->live.scores) return PCN_EMATCH;
    if (!pcnp_covers(array, &layout)) return PCN_EMATCH; /* an image of 8 or 16 bits has scales, a trainer has not */
    pcnp_load_arrays(array, &layout, image);
    m->rows = (uint32_t)head->count.rows;
    m->updates = (uint32_t)head->count.updates;
    m->mistakes = (uint32_t)head->count.mistakes;
    if (PCNP_BIAS_OF_ROWS) {
        m->bias_rows = (uint8_t)head->entries;
        m->bias_doubled = (uint8_t)(head->entries >> 8);
    }
    m->own.clock = m->own.sum && !(head->parts & PCN_PART_SUMS) ? 0 : (uint32_t)head->clock;
    m->live.zero_negative = (head->parts & PCN_PART_ZERO_NEGATIVE) != 0;
    return PCN_OK;
}

/* ---- Images: kernel models ------------------------------------------------------------------- */

/* Checks the header of a kernel image. A slack below 0 would change the signs of a Forgetron's coefficients. */
static int pcnp_kernel_header_valid(pcnp_image *layout, const void *image)
{
    const pcnp_kernel_head *kernel = &layout->kernel;
    pcn_image *head = &layout->head;
    pcnp_copy_numbers(&layout->kernel, (const uint8_t *)image + PCNP_HEADER, 10, 4);
    head->cells = kernel->cells;
    head->kernel_id = kernel->id;
    layout->unit[PCNP_SLOTS] = head->slots;
    layout->unit[PCNP_COEFS] = (uint64_t)head->slots * head->scores;
    layout->unit[PCNP_CELLS] = head->cells;
    layout->unit[PCNP_ENTRIES] = head->entries;
    if (head->parts & ~(uint32_t)(PCN_PART_SPARSE | PCN_PART_LOG)) return 0;
    if (head->entries != 0 && !(head->parts & PCN_PART_LOG)) return 0;
    if (layout->unit[PCNP_COEFS] >> 56 != 0 || head->clock >= UINT32_MAX) return 0;
    if (!pcnp_kernel_valid(kernel->id, kernel->gamma, kernel->coef0)) return 0;
    if (pcnp_to_bits(kernel->bias2) >= PCNP_FLOAT_END) return 0;
    if (pcnp_to_bits(kernel->slack) > pcnp_to_bits(PCNP_MOST_SLACK)) return 0;
    return kernel->none == 0;
}

static const pcnp_format pcnp_kernel_format = {
    PCN_KIND_KERNEL,
    PCN_KIND_KERNEL,
    PCNP_KERNEL_HEADER,
    pcnp_kernel_header_valid,
    {{PCNP_ALWAYS, 4, 3, PCNP_SLOTS, PCNP_ANY}, /* pcn_slot */
     {PCNP_ALWAYS, 4, 1, PCNP_SLOTS, PCNP_FLOATS(PCNP_FLOAT_END)},
     {PCNP_ALWAYS, 4, 1, PCNP_COEFS, PCNP_FLOATS(PCNP_WEIGHT_END)},
     {PCNP_ALWAYS, 4, 1, PCNP_CELLS, PCNP_FLOATS(PCNP_FLOAT_END)},
     {PCN_PART_SPARSE, 4, 1, PCNP_CELLS, PCNP_ANY},
     {PCN_PART_LOG, 4, 4, PCNP_ENTRIES, PCNP_ANY}}}; /* pcn_log_entry */

/* Do the slots cover all stored numbers, one slot after the other, and do the indices of each slot ascend? */
static int pcnp_slots_valid(const pcnp_image *layout, const void *image)
{
    const pcn_image *head = &layout->head;
    const uint8_t *slot = (const uint8_t *)pcnp_array_in(layout, image, 0);
    const uint8_t *index = (const uint8_t *)pcnp_array_in(layout, image, 4);
    uint32_t s, k, start = 0;
    for (s = 0; s < head->slots; s++, slot += 12) {
        const uint32_t count = pcnp_get(slot, 4);
        if (pcnp_get(slot, 0) != start || count > head->cells - start) return 0;
        if (count > head->features) return 0;
        start += count;
        for (k = 0; index && k < count; k++, index += 4) {
            const uint32_t j = pcnp_get(index, 0);
            if (j >= head->features || (k != 0 && j <= pcnp_get(index - 4, 0))) return 0;
        }
    }
    return start == head->cells;
}

static int pcnp_log_valid(const pcnp_image *layout, const void *image)
{
    const pcn_image *head = &layout->head;
    const uint8_t *entry = (const uint8_t *)pcnp_array_in(layout, image, 5);
    uint32_t k, clock, last = 1;
    for (k = 0; k < head->entries; k++, entry += 16) {
        clock = pcnp_get(entry, 12);
        if (pcnp_get(entry, 0) >= head->slots || pcnp_get(entry, 4) >= head->scores) return 0;
        if (!pcnp_moderate(pcnp_from_bits(pcnp_get(entry, 8)))) return 0;
        if (clock < last || clock > head->clock) return 0;
        last = clock;
    }
    return 1;
}

static int pcnp_read_kernel(pcnp_image *layout, const void *image, size_t size)
{
    int result = pcnp_read(layout, &pcnp_kernel_format, image, size);
    if (result < 0) return result;
    return pcnp_slots_valid(layout, image) && pcnp_log_valid(layout, image) ? PCN_OK : PCN_EIMAGE;
}

/* Saves a kernel model. parts: PCN_PART_SPARSE and _LOG. A trainer knows them even while its arrays are NULL. */
static size_t pcnp_save_kmodel(const pcn_kmodel *m, const pcn_kperceptron *trainer, uint32_t parts, size_t from,
                               void *out, size_t size)
{
    const void *array[PCNP_ARRAYS] = {m->slot, m->norm2, m->coef, m->value, m->index, m->log};
    uint64_t cells = 0;
    uint32_t s, start = 0;
    pcnp_window window;
    pcn_image *head = &window.image.head;
    pcnp_kernel_head *kernel = &window.image.kernel;
    pcnp_describe(&window, PCN_KIND_KERNEL, parts, m->features, m->scores);
    for (s = 0; s < m->slots; s++) cells += m->slot[s].count;
    if (cells > UINT32_MAX) return 0;
    head->slots = m->slots;
    head->entries = m->log ? m->entries : 0;
    head->clock = m->clock;
    kernel->id = m->kernel.id;
    kernel->degree = m->kernel.degree;
    kernel->gamma = m->kernel.gamma;
    kernel->coef0 = m->kernel.coef0;
    kernel->bias2 = m->bias2;
    if (m->by_class) kernel->votes |= 1u;
    if (m->zero_negative) kernel->votes |= 2u;
    kernel->cells = (uint32_t)cells;
    if (trainer) {
        pcnp_copy(&head->count, &trainer->learner.count, sizeof head->count);
        kernel->seed = trainer->seed;
        kernel->slack = trainer->own.slack;
    }
    if (!pcnp_window_begin(&window, &pcnp_kernel_format, array, from, out, size)) return 0;
    for (s = 0; s < m->slots; s++) { /* offsets in the image, not those of borrowed rows in your array */
        const uint32_t slot[3] = {start, m->slot[s].count, m->slot[s].id};
        pcnp_put_numbers(&window, 0, slot, 3);
        start += slot[1];
    }
    pcnp_put_array(&window, 1, array[1]);
    pcnp_put_array(&window, 2, array[2]);
    for (s = 0; s < m->slots; s++) pcnp_put_numbers(&window, 3, m->value + m->slot[s].start, m->slot[s].count);
    for (s = 0; m->index && s < m->slots; s++)
        pcnp_put_numbers(&window, 4, m->index + m->slot[s].start, m->slot[s].count);
    for (s = 0; window.checked && s < head->entries; s++)
        if (!pcnp_moderate(pcnp_float_at(&m->log[s].step))) window.bad = 1;
    pcnp_put_array(&window, 5, array[5]);
    return pcnp_window_end(&window);
}

PCN_API size_t pcn_kmodel_save_part(const pcn_kmodel *m, size_t from, void *out, size_t size)
{
    uint32_t parts = 0;
    if (m->index) parts |= PCN_PART_SPARSE;
    if (m->log) parts |= PCN_PART_LOG;
    return pcnp_save_kmodel(m, NULL, parts, from, out, size);
}

PCN_API size_t pcn_kperceptron_save_part(const pcn_kperceptron *m, size_t from, void *out, size_t size)
{
    uint32_t parts = 0;
    if (m->own.sparse || (m->own.borrowed && m->model.index)) parts |= PCN_PART_SPARSE;
    if (m->own.logged) parts |= PCN_PART_LOG;
    return pcnp_save_kmodel(&m->model, m, parts, from, out, size);
}

static void pcnp_get_kmodel(pcn_kmodel *m, const pcnp_image *layout)
{
    const pcnp_kernel_head *kernel = &layout->kernel;
    m->kernel.degree = kernel->degree;
    m->kernel.gamma = kernel->gamma;
    m->kernel.coef0 = kernel->coef0;
    m->bias2 = kernel->bias2;
    m->by_class = kernel->votes & 1u;
    m->zero_negative = kernel->votes >> 1 & 1u;
    m->slots = layout->head.slots;
    m->entries = layout->head.entries;
    m->clock = (uint32_t)layout->head.clock;
}

PCN_API int pcn_kmodel_open(pcn_kmodel *m, pcn_kernel kernel, const void *image, size_t size)
{
    pcnp_image layout;
    int result = pcnp_read_kernel(&layout, image, size);
    if (result == PCN_OK) result = pcnp_in_place(&layout, image);
    if (result < 0) return result;
    if (layout.kernel.id != kernel.id) return PCN_EMATCH;
    pcnp_copy(&m->kernel, &kernel, sizeof kernel);
    m->features = layout.head.features;
    m->scores = layout.head.scores;
    pcnp_get_kmodel(m, &layout);
    m->slot = (const pcn_slot *)pcnp_array_in(&layout, image, 0);
    m->norm2 = (const float *)pcnp_array_in(&layout, image, 1);
    m->coef = (const float *)pcnp_array_in(&layout, image, 2);
    m->value = (const float *)pcnp_array_in(&layout, image, 3);
    m->index = (const uint32_t *)pcnp_array_in(&layout, image, 4);
    m->log = (const pcn_log_entry *)pcnp_array_in(&layout, image, 5);
    PCNP_FORGET(image);
    return PCN_OK;
}

static int pcnp_fits_kernel_image(const pcn_kperceptron *m, const pcnp_image *layout)
{
    const pcn_image *head = &layout->head;
    if (layout->kernel.id != m->model.kernel.id || m->own.borrowed) return 0;
    if (head->features != m->model.features || head->scores != m->model.scores) return 0;
    if (((head->parts & PCN_PART_SPARSE) != 0) != m->own.sparse) return 0;
    return ((head->parts & PCN_PART_LOG) != 0) == m->own.logged;
}

PCN_API int pcn_kperceptron_load(pcn_kperceptron *m, const void *image, size_t size)
{
    const void *array[PCNP_ARRAYS];
    pcnp_image layout;
    const pcn_image *head = &layout.head;
    int result = pcnp_read_kernel(&layout, image, size);
    if (result < 0) return result;
    if (m->model.scores == 0) return PCN_EOPTION;
    if (!pcnp_fits_kernel_image(m, &layout)) return PCN_EMATCH;
#ifdef PERCEPTRON_GROW
    if (m->own.slot_room == 0 || m->own.grown) result = pcnp_grow(m, head->slots, head->cells, head->entries);
    if (result < 0) return result;
#endif
    if (head->slots > m->own.slot_room || head->cells > m->own.cell_room) return PCN_EFULL;
    if (head->entries > m->own.log_room) return PCN_EFULL;
    array[0] = m->own.slot;
    array[1] = m->own.norm2;
    array[2] = m->own.coef;
    array[3] = m->own.value;
    array[4] = m->own.index;
    array[5] = m->own.log;
    pcnp_load_arrays(array, &layout, image);
    pcnp_get_kmodel(&m->model, &layout);
    pcnp_copy(&m->learner.count, &head->count, sizeof head->count);
    m->own.cells = head->cells;
    m->learner.clock = head->clock;
    m->learner.moved = 0;
    m->seed = layout.kernel.seed;
    m->own.slack = layout.kernel.slack;
    m->own.aux_slots = 0;
    return PCN_OK;
}

/* ---- Images: what stands beside a model ------------------------------------------------------
 * Headers of calibrations and scalers have one score, no parts and no counts. `entries` of a scaler is its window. */

static int pcnp_beside_header_valid(pcnp_image *layout, const void *image)
{
    const pcn_image *head = &layout->head;
    (void)image;
    if (!pcnp_count_weights(layout) || head->scores != 1 || head->parts != 0) return 0;
    if (head->kind == PCN_KIND_CALIBRATION) return (head->features | head->entries) == 0;
    return head->entries == 0 || pcnp_is_window(head->entries);
}

static size_t pcnp_save_beside(pcnp_window *window, const pcnp_format *format, uint32_t features, uint32_t entries,
                               const void *const *array, size_t from, void *out, size_t size)
{
    pcnp_describe(window, format->first, 0, features, 1);
    window->image.head.entries = entries;
    return pcnp_save_arrays(window, format, array, from, out, size);
}

/* Lists six arrays, which are a, b, c, ab, (aa, bb, cc) and rows. c is at most 8. */
static const pcnp_format pcnp_calibration_format = {
    PCN_KIND_CALIBRATION,
    PCN_KIND_CALIBRATION,
    PCNP_HEADER,
    pcnp_beside_header_valid,
    {{PCNP_ALWAYS, 4, 1, PCNP_PER_SCORE, PCNP_UP_TO(PCNP_FLOAT_END - 1)},
     {PCNP_ALWAYS, 4, 1, PCNP_PER_SCORE, PCNP_FLOATS(PCNP_FLOAT_END)},
     {PCNP_ALWAYS, 4, 1, PCNP_PER_SCORE, PCNP_UP_TO(0x41000000u)},
     {PCNP_ALWAYS, 4, 1, PCNP_PER_SCORE, PCNP_FLOATS(PCNP_FLOAT_END)},
     {PCNP_ALWAYS, 4, 3, PCNP_PER_SCORE, PCNP_UP_TO(PCNP_FLOAT_END - 1)},
     {PCNP_ALWAYS, 4, 1, PCNP_PER_SCORE, PCNP_UP_TO(PCNP_CALIBRATED)}}};

PCN_API size_t pcn_calibration_save_part(const pcn_calibration *c, size_t from, void *out, size_t size)
{
    const void *array[PCNP_ARRAYS] = {&c->a, &c->b, &c->c, &c->ab, &c->aa, &c->rows};
    pcnp_window window;
    return pcnp_save_beside(&window, &pcnp_calibration_format, 0, 0, array, from, out, size);
}

PCN_API int pcn_calibration_load(pcn_calibration *c, const void *image, size_t size)
{
    pcnp_image layout;
    int result = pcnp_read(&layout, &pcnp_calibration_format, image, size);
    if (result == PCN_OK) pcnp_copy_numbers(c, (const uint8_t *)image + PCNP_HEADER, sizeof *c / 4, 4);
    return result;
}

/* Lists four arrays, which are (m, lower part of m), s^2, lower part of s^2, and n. With a window they are (m, n), s^2,
 * m of the second block and s^2 of the second block. */
static const pcnp_format pcnp_scaler_format = {
    PCN_KIND_SCALER,
    PCN_KIND_SCALER,
    PCNP_HEADER,
    pcnp_beside_header_valid,
    {{PCNP_ALWAYS, 4, 2, PCNP_PRODUCT, PCNP_FLOATS(0x5a800000u)}, /* 2^54 */
     {PCNP_ALWAYS, 4, 1, PCNP_PRODUCT, PCNP_UP_TO(0x76800000u)},  /* 2^110 */
     {PCNP_ALWAYS, 4, 1, PCNP_PRODUCT, PCNP_FLOATS(0x76800000u)},
     {PCNP_ALWAYS, 4, 1, PCNP_PRODUCT, PCNP_UP_TO(0x76800000u)}}};

/* Can pcn_scaler_note produce these numbers of a column together? Each alone is known to be in range. */
static int pcnp_window_column_valid(const float *c, size_t n, uint32_t window)
{
    const uint32_t rows = pcnp_to_bits(c[n]), s2 = pcnp_to_bits(c[2 * n]), second_s2 = pcnp_to_bits(c[4 * n]);
    const float second_m = c[3 * n];
    if (rows >= 2 * window || (rows < 2 && s2 != 0)) return 0;
    if (rows <= window) return (pcnp_to_bits(second_m) | second_s2) == 0;
    return pcnp_moderate(second_m) && (rows > window + 1 || second_s2 == 0);
}

static int pcnp_column_valid(const float *c, size_t n, uint32_t window)
{
    const float m = c[0], m_low = c[n], s2 = c[2 * n], s2_low = c[3 * n], rows = c[4 * n];
    if (window != 0) return pcnp_window_column_valid(c, n, window);
    if (pcnp_plus(m, m_low) != m || pcnp_plus(s2, s2_low) != s2) return 0;
    if (pcnp_to_bits(rows) > 0x4b800000u || (float)(int32_t)rows != rows) return 0; /* not a whole number up to 2^24 */
    return pcnp_to_bits(rows) >= 0x40000000u || pcnp_is_zero(s2); /* s^2 of fewer than 2 values is 0 */
}

static int pcnp_read_scaler(pcnp_image *layout, const void *image, size_t size)
{
    int result = pcnp_read(layout, &pcnp_scaler_format, image, size);
    const size_t n = result == PCN_OK ? layout->head.features : 0;
    float c[5];
    size_t j, k;
    for (j = 0; j < n; j++) {
        for (k = 0; k < 5; k++) c[k] = pcnp_from_bits(pcnp_get(image, PCNP_HEADER + 4 * (k * n + j)));
        if (!pcnp_column_valid(c, 1, layout->head.entries)) return PCN_EIMAGE;
    }
    return result;
}

PCN_API size_t pcn_scaler_save_part(const pcn_scaler *s, size_t from, void *out, size_t size)
{
    const size_t n = s->features;
    const void *array[PCNP_ARRAYS];
    pcnp_window window;
    size_t length, j, k;
    if (!s->moment) return 0;
    pcnp_zero(array, sizeof array);
    array[0] = s->moment;
    for (k = 1; k < 4; k++) array[k] = s->moment + (k + 1) * n;
    length = pcnp_save_beside(&window, &pcnp_scaler_format, s->features, s->window, array, from, out, size);
    for (j = 0; length != 0 && window.checked && j < n; j++)
        if (!pcnp_column_valid(s->moment + j, n, s->window)) length = 0;
    return length;
}

PCN_API int pcn_scaler_load(pcn_scaler *s, const void *image, size_t size)
{
    pcnp_image layout;
    int result = pcnp_read_scaler(&layout, image, size);
    if (result < 0) return result;
    if (layout.head.features != s->features || layout.head.entries != s->window) return PCN_EMATCH;
    pcnp_copy_numbers(s->moment, (const uint8_t *)image + PCNP_HEADER, PCN_SCALER_FLOATS(s->features), 4);
    return PCN_OK;
}

/* ---- Images: any kind ------------------------------------------------------------------------ */

/* Lists the format of each kind of image. Unknown kinds get any format, because pcnp_read_header refuses them. */
static const pcnp_format *const pcnp_format_of_kind[PCNP_LAST_KIND + 1] = {
    &pcnp_linear_format,  &pcnp_linear_format,  &pcnp_linear_format,      &pcnp_kernel_format,
    &pcnp_integer_format, &pcnp_integer_format, &pcnp_calibration_format, &pcnp_scaler_format};

static const pcnp_format *pcnp_format_of(const void *image, size_t have)
{
    const uint32_t kind = image && have >= PCNP_HEADER ? pcnp_get(image, 8) : 0;
    return pcnp_format_of_kind[kind <= PCNP_LAST_KIND ? kind : 0];
}

PCN_API uint64_t pcn_image_size(const void *bytes, size_t have)
{
    pcnp_image layout;
    int result = pcnp_read_header(&layout, pcnp_format_of(bytes, have), bytes, have);
    return result == PCN_OK ? layout.length : 0;
}

PCN_API int pcn_image_read(pcn_image *info, const void *image, size_t size)
{
    const pcnp_format *format = pcnp_format_of(image, size);
    pcnp_image layout;
    int result;
    if (format == &pcnp_integer_format)
        result = pcnp_read_integers(&layout, image, size);
    else if (format == &pcnp_kernel_format)
        result = pcnp_read_kernel(&layout, image, size);
    else if (format == &pcnp_scaler_format)
        result = pcnp_read_scaler(&layout, image, size);
    else
        result = pcnp_read(&layout, format, image, size);
    if (result == PCN_OK && info) pcnp_copy(info, &layout.head, sizeof layout.head);
    return result;
}

#ifdef PCNP_OWN_ASSERT
#undef PCNP_OWN_ASSERT
#undef PCN_ASSERT
#endif
#if defined(__GNUC__) && SIZE_MAX < UINT32_MAX
#pragma GCC diagnostic pop
#endif
#if (defined(_MSC_VER) && !defined(__clang__)) || (defined(__clang__) && (defined(__x86_64__) || defined(__i386__)))
#pragma float_control(pop)
#endif

#endif /* PCN_IMPLEMENTED */
#endif /* PERCEPTRON_IMPLEMENTATION */
