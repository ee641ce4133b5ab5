/* Linear learners in double precision: nothing but the formulas, for tests and the fuzzer. The weights of a class lie
 * side by side, the biases behind all of them. `classes` counts those that have weights: 1 if two classes share a score.
 * Two may have one each, which the library does not know. WORDS: of weights and biases at most, CLASSES: of classes;
 * define both and include perceptron.h first. */
#ifndef TEST_PLAIN_LINEAR_H
#define TEST_PLAIN_LINEAR_H

#include <math.h>
#include <string.h>

enum rule { FIXED, ABSOLUTE, FRACTIONAL, PA, PA2, AROW, WINNOW, BALANCED };
enum update { PREDICTED, OTHERS, UNIFORM, ONE_VS_REST };

typedef struct plain_linear {
    uint32_t n, classes;
    enum rule rule;
    enum update update;
    int zero_negative, zero_predicted;
    int as_float;                        /* differences of scores are rounded as the learner rounds them */
    double rate, by, margin, bias_input; /* by: lambda, C, or r of AROW */
    double w[WORDS], state[WORDS];       /* state: variances, or Winnow's exponents */
    double seen[WORDS];                  /* the sum of the weights before each example */
    uint64_t rows, mistakes;
} plain_linear;

/* By how much a class moves along x, and what that was made from. */
typedef struct plain_step {
    double gap, slope, step;
} plain_step;

static inline void linear_init(plain_linear *p, uint32_t n, uint32_t classes, enum rule rule)
{
    uint32_t i;
    memset(p, 0, sizeof *p);
    p->n = n, p->classes = classes, p->rule = rule;
    p->rate = p->bias_input = 1;
    for (i = 0; i < (n + 1) * classes; i++) {
        p->state[i] = rule == AROW;
        p->w[i] = rule == WINNOW && i < n * classes;
    }
}

static inline double linear_score(const plain_linear *p, const double *w, uint32_t c, const float *x)
{
    double s = w[p->n * p->classes + c];
    uint32_t j;
    for (j = 0; j < p->n; j++) s += w[c * p->n + j] * (double)x[j];
    return s;
}

/* X.X, or v of AROW. */
static inline double linear_slope(const plain_linear *p, uint32_t c, const float *x)
{
    const double *v = p->state + c * p->n, bias = p->bias_input * p->bias_input;
    double sum = p->rule == AROW ? p->state[p->n * p->classes + c] * bias : bias;
    uint32_t j;
    for (j = 0; j < p->n; j++) sum += (p->rule == AROW ? v[j] : 1) * (double)x[j] * (double)x[j];
    return sum;
}

/* The class of these scores; of two classes and more one other than `without`, which may be -1. */
static inline int linear_best(const plain_linear *p, const double *s, int without)
{
    int c, best = without == 0;
    if (p->classes == 1) return s[0] > 0 || (s[0] == 0 && !p->zero_negative);
    for (c = best + 1; c < (int)p->classes; c++)
        if (c != without && s[c] > s[best]) best = c;
    return best;
}

static inline double linear_minus(const plain_linear *p, double a, double b)
{
    return p->as_float ? (double)(float)(a - b) : a - b;
}

/* The rule's step for a gap; where that is divided it counts as (1 + e) of itself. */
static inline double linear_step(const plain_linear *p, double gap, double slope, double e)
{
    if (p->rule == FIXED || p->rule >= WINNOW || (p->rule == FRACTIONAL && gap == 0)) return p->rate;
    if (slope == 0) return 0;
    gap *= 1 + e;
    switch (p->rule) {
    case ABSOLUTE: return floor(gap / slope) + 1;
    case FRACTIONAL: return p->by * gap / slope;
    case PA: return fmin(p->by, gap / slope);
    case PA2: return gap / (slope + 0.5 / p->by);
    default: return gap / (slope + p->by);
    }
}

/* The steps of all classes by an example of class y with these scores. slope: X.X, or v of each class. wrong: at a gap
 * of 0, is the class of the scores not y? */
static inline void linear_steps(const plain_linear *p, const double *s, const double *slope, int y, double e,
                                plain_step *step)
{
    const int one_by_one = p->classes == 1 || p->update == ONE_VS_REST, down = linear_best(p, s, y);
    double share = 1;
    int c, violators = 0, violates[CLASSES] = {0};
    for (c = 0; c < (int)p->classes && !one_by_one; c++)
        violators += violates[c] = c != y && !(linear_minus(p, s[y], s[c]) > p->margin);
    if (p->update == UNIFORM && violators) share = 1.0 / violators;
    for (c = 0; c < (int)p->classes; c++) {
        const int up = p->classes == 1 ? y > 0 : c == y, moves = p->update == UNIFORM ? violates[c] : c == down;
        const int wrong = one_by_one ? up == (p->zero_negative != 0) : down < y;
        double gap = one_by_one ? up ? s[c] : -s[c] : linear_minus(p, s[y], s[down]);
        memset(&step[c], 0, sizeof step[c]);
        if (!one_by_one && !up && p->update != OTHERS && !moves) continue;
        gap = linear_minus(p, p->margin, gap);
        if (gap < 0 || (gap == 0 && p->zero_predicted && !wrong && p->margin == 0)) continue;
        step[c].gap = gap;
        step[c].slope = one_by_one ? slope[c] : p->rule == AROW ? slope[y] + slope[down] : (1 + share) * slope[y];
        step[c].step = (up ? 1 : -share) * linear_step(p, gap, step[c].slope, e);
    }
}

static inline double winnow_weight(double e, int balanced)
{
    double w = e < -126 ? 0 : exp2(fmin(e, 64));
    return !balanced ? w : w - (-e < -126 ? 0 : exp2(fmin(-e, 64)));
}

/* A weight and its state take a step. x: what the state belongs to, the feature or the bias input; the bias also
 * multiplies what is added by its input. */
static inline void linear_move(const plain_linear *p, double *w, double *s, plain_step by, double x, double bias_input)
{
    if (p->rule == AROW) {
        const double move = *s * x;
        *w += by.step * move * bias_input;
        if (by.step != 0) *s -= fabs(by.step) / by.gap * move * move;
    } else if (p->rule >= WINNOW) {
        *s = fmax(fmin(*s + by.step * x, 1048576), -1048576);
        *w = winnow_weight(*s, p->rule == BALANCED);
    } else {
        *w += by.step * x * bias_input;
    }
}

static inline void linear_learn(plain_linear *p, const float *x, int y)
{
    const uint32_t biases = p->n * p->classes;
    double s[CLASSES], slope[CLASSES];
    plain_step step[CLASSES];
    uint32_t c, i;
    for (c = 0; c < p->classes; c++) {
        s[c] = linear_score(p, p->w, c, x);
        slope[c] = linear_slope(p, c, x);
    }
    p->rows++;
    p->mistakes += linear_best(p, s, -1) != y;
    for (i = 0; i < biases + p->classes; i++) p->seen[i] += p->w[i];
    linear_steps(p, s, slope, y, 0, step);
    for (c = 0; c < p->classes; c++) {
        if (step[c].step == 0) continue;
        for (i = c * p->n; i < (c + 1) * p->n; i++)
            linear_move(p, &p->w[i], &p->state[i], step[c], (double)x[i - c * p->n], 1);
        i = biases + c;
        if (p->rule < WINNOW) linear_move(p, &p->w[i], &p->state[i], step[c], p->bias_input, p->bias_input);
    }
}

/* Number i of the mean of all weights so far. */
static inline double linear_mean(const plain_linear *p, size_t i, double rows)
{
    return (p->seen[i] + p->w[i]) / (rows + 1);
}

#endif
