/* Multinomial logistic regression on scores. */
#include "fit.h"

#include <float.h>
#include <math.h>

/* A product must not be fused with a sum: models would differ between processors. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

enum { PASSES = 50, SHARED = 3 /* numbers of all labels */, ENOUGH = 1000 /* rows: with fewer, the ridge is wider */ };
#define MOST_BLUR 0.9
#define MOST_POWER 300.0 /* of e: slopes times it stay finite */
#define LEAST_BLUR 0.5   /* of one row: scores that part all rows are not certain */

/* ---- exp and ln, from operations that are exactly rounded ---- */

static double ours_exp(double x)
{
    double k, r, sum = 1;
    int i;
    if (!(x > -700)) return 0; /* nor is NaN */
    if (x > 700) x = 700;
    k = floor(x * 1.4426950408889634 + 0.5);
    r = x - k * 0.693147180369123816490 - k * 1.90821492927058770002e-10; /* ln 2 in two parts */
    for (i = 13; i > 0; i--) sum = 1 + sum * r / i;
    return ldexp(sum, (int)k);
}

/* ln x = e ln 2 + 2 (s + s^3 / 3 + s^5 / 5 ...), where x = 2^e m and s = (m - 1) / (m + 1). */
static double ours_ln(double x)
{
    int e, i;
    double m = frexp(x, &e), s, sum = 0;
    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    s = (m - 1) / (m + 1);
    for (i = 23; i > 0; i -= 2) sum = sum * (s * s) + 1.0 / i;
    return e * 0.69314718055994531 + 2 * (s * sum);
}

/* ---- Rows ---- */

void fit_add(fit_rows *r, uint32_t label, float norm2, const float *score)
{
    float *row;
    uint32_t k;
    if (!isfinite(norm2)) return;
    for (k = 0; k < r->scores; k++)
        if (!isfinite(score[k])) return;
    row = arraddnptr(r->row, r->scores + 2);
    row[0] = (float)label;
    row[1] = norm2;
    memcpy(row + 2, score, r->scores * sizeof *score);
}

static double length_of(float norm2)
{
    return ours_ln(1 + (double)norm2) / 2;
}

/* ---- Learning ---- */

typedef struct fitting {
    uint32_t count, scores;
    const float *row; /* of each row its label, q and its scores, in units */
    double *theta;    /* a, power, blur; K offsets, K drifts, K extra slopes: a slope is a + its own */
    double *gradient, *before, *step;
    double *z;
    double ridge, least_blur;
} fitting;

static size_t parameters(const fitting *f)
{
    return SHARED + 3 * (size_t)f->scores;
}

/* z becomes the probabilities of the row's scores. */
static void take_probabilities(const fitting *f, const float *row, double weight)
{
    const uint32_t scores = f->scores;
    const double *offset = f->theta + SHARED, *drift = offset + scores, *extra = drift + scores;
    double most = -HUGE_VAL, sum = 0;
    uint32_t k;
    if (scores == 1) most = 0; /* z of label 0 */
    for (k = 0; k < scores; k++) {
        const double slope = f->theta[0] + extra[k];
        f->z[k] = slope * weight * (double)row[2 + k] + offset[k] + drift[k] * (double)row[1];
        if (f->z[k] > most) most = f->z[k];
    }
    if (scores == 1) sum = ours_exp(-most);
    for (k = 0; k < scores; k++) {
        f->z[k] = ours_exp(f->z[k] - most);
        sum += f->z[k];
    }
    for (k = 0; k < scores; k++) f->z[k] /= sum;
}

/* The gradient of the sum of -ln p of the labels and of half the squares of all but a and blur, times the ridge. With one
 * score its offset is free, too, and its slope is a alone. `certain`: how far -ln p follows z, which it does less where
 * the label may have been drawn by chance. */
static void add_gradients(fitting *f)
{
    const uint32_t scores = f->scores;
    double *of_offset = f->gradient + SHARED, *of_drift = of_offset + scores, *of_extra = of_drift + scores;
    const double *extra = f->theta + SHARED + 2 * (size_t)scores, blur = f->theta[2];
    size_t j;
    uint32_t i, k;
    for (j = 0; j < parameters(f); j++) f->gradient[j] = f->ridge * f->theta[j];
    f->gradient[0] = 0;
    f->gradient[2] = 0;
    if (scores == 1) *of_offset = 0;
    for (i = 0; i < f->count; i++) {
        const float *row = f->row + (size_t)i * (scores + 2);
        const double q = (double)row[1], weight = ours_exp(f->theta[1] * q);
        const uint32_t label = (uint32_t)row[0];
        double sure, blurred, certain;
        take_probabilities(f, row, weight);
        sure = f->z[scores == 1 ? 0 : label];
        if (scores == 1 && label == 0) sure = 1 - sure;
        blurred = (1 - blur) * sure + blur / PCN_CLASSES(scores) + 1e-30;
        certain = (1 - blur) * sure / blurred;
        f->gradient[2] += (sure - 1.0 / PCN_CLASSES(scores)) / blurred;
        for (k = 0; k < scores; k++) {
            const int is_so = scores == 1 ? label == 1 : label == k;
            const double d = certain * (f->z[k] - is_so), along = d * weight * (double)row[2 + k];
            f->gradient[0] += along;
            f->gradient[1] += along * (f->theta[0] + extra[k]) * q;
            of_offset[k] += d;
            of_drift[k] += d * q;
            if (scores > 1) of_extra[k] += along;
        }
    }
}

/* Rprop (Riedmiller, Braun 1993): only the signs of the gradient matter. */
static void descend(fitting *f)
{
    size_t i;
    for (i = 0; i < parameters(f); i++) {
        const double turned = f->gradient[i] * f->before[i];
        if (turned > 0) f->step[i] = fmin(f->step[i] * 1.2, 1);
        if (turned < 0) {
            f->step[i] /= 2;
            f->gradient[i] = 0;
        }
        if (f->gradient[i] > 0) f->theta[i] -= f->step[i];
        if (f->gradient[i] < 0) f->theta[i] += f->step[i];
        f->before[i] = f->gradient[i];
    }
    f->theta[0] = fmax(f->theta[0], 0);
    f->theta[2] = fmin(fmax(f->theta[2], f->least_blur), MOST_BLUR);
}

/* Scores in units of their mean distance from the highest, with one score of their mean magnitude. x.x becomes q. Fills
 * the head of the fit; returns the unit. */
static double take_units(const fit_rows *r, uint32_t count, float *fit)
{
    const uint32_t scores = r->scores, width = scores + 2;
    double sum = 0, mean = 0, unit;
    uint32_t i, k;
    for (i = 0; i < count; i++) {
        float *row = r->row + (size_t)i * width, top = scores == 1 ? 0 : row[2];
        for (k = 1; k < scores; k++)
            if (row[2 + k] > top) top = row[2 + k];
        for (k = 0; k < scores; k++) sum += fabs((double)row[2 + k] - (double)top);
        row[1] = (float)length_of(row[1]);
        mean += (double)row[1];
    }
    unit = sum / count / (scores == 1 ? 1 : scores - 1) + 1e-30;
    fit[0] = (float)(mean / count);
    for (i = 0; i < count; i++) {
        float *row = r->row + (size_t)i * width;
        row[1] = (float)((double)row[1] - (double)fit[0]);
        if (i == 0 || row[1] < fit[1]) fit[1] = row[1];
        if (i == 0 || row[1] > fit[2]) fit[2] = row[1];
        for (k = 0; k < scores; k++) row[2 + k] = (float)((double)row[2 + k] / unit);
    }
    return unit;
}

float *fit_make(fit_rows *r)
{
    const uint32_t count = (uint32_t)(arrlenu(r->row) / (r->scores + 2));
    fitting f = {.count = count, .scores = r->scores, .row = r->row};
    const size_t n = parameters(&f);
    float *fit = NULL;
    double unit;
    uint32_t k, pass;
    size_t i;
    if (count >= FIT_LEAST_ROWS) {
        arrsetlen(fit, fit_numbers(r->scores));
        unit = take_units(r, count, fit);
        f.theta = allocate_zero(4 * n + r->scores, sizeof *f.theta);
        f.gradient = f.theta + n;
        f.before = f.gradient + n;
        f.step = f.before + n;
        f.z = f.step + n;
        f.ridge = fmax(1, (double)ENOUGH / count);
        f.least_blur = LEAST_BLUR / count;
        f.theta[0] = 1;
        for (i = 0; i < n; i++) f.step[i] = i == 2 ? 0.01 : 0.1;
        for (pass = 0; pass < PASSES; pass++) {
            add_gradients(&f);
            descend(&f);
        }
        fit[3] = (float)f.theta[1];
        fit[4] = (float)f.theta[2];
        for (k = 0; k < r->scores; k++) {
            float *own = fit + FIT_HEAD + k;
            own[0] = (float)((f.theta[0] + f.theta[SHARED + 2 * (size_t)r->scores + k]) / unit);
            own[r->scores] = (float)f.theta[SHARED + k];
            own[2 * (size_t)r->scores] = (float)f.theta[SHARED + (size_t)r->scores + k];
        }
        free(f.theta);
    }
    arrfree(r->row);
    return fit;
}

/* ---- Predicting ---- */

/* A row so long that its x.x overflows counts as the longest. */
static double cut_length(const float *fit, float norm2)
{
    const double low = (double)fit[1], high = (double)fit[2];
    if (!isfinite(norm2)) return high;
    return fmin(fmax(length_of(norm2) - (double)fit[0], low), high);
}

int scores_tell(const float *score, uint32_t scores)
{
    uint32_t k;
    for (k = 0; k < scores; k++)
        if (isnan(score[k])) return 0;
    return 1;
}

float score_finite(float score)
{
    return fmaxf(fminf(score, FLT_MAX), -FLT_MAX);
}

void fit_probabilities(const float *fit, uint32_t scores, uint32_t label, float norm2, const float *score, float *p)
{
    const float *slope = fit + FIT_HEAD, *offset = slope + scores, *drift = offset + scores;
    const double q = cut_length(fit, norm2), weight = ours_exp(fmin((double)fit[3] * q, MOST_POWER));
    double highest, sum = 0, *z = allocate(scores + 1, sizeof *z);
    const int tells = scores_tell(score, scores);
    uint32_t k, first = scores == 1, n = scores + first;
    z[0] = 0; /* with one score: of label 0 */
    for (k = 0; k < scores; k++) {
        const double s = (double)score_finite(score[k]);
        z[first + k] = (double)slope[k] * weight * s + (double)offset[k] + (double)drift[k] * q;
    }
    highest = scores == 1 ? fmax(z[1], 0) : z[label];
    for (k = 0; k < n; k++) {
        z[k] = tells ? ours_exp(fmin(z[k], highest) - highest) : 1;
        sum += z[k];
    }
    for (k = 0; k < n; k++) p[k] = (float)((1 - (double)fit[4]) * (z[k] / sum) + (double)fit[4] / n);
    free(z);
}

int fit_is_valid(const float *fit, uint32_t scores)
{
    size_t i;
    if (arrlenu(fit) != fit_numbers(scores)) return 0;
    for (i = 0; i < arrlenu(fit); i++)
        if (!isfinite(fit[i])) return 0;
    return fit[1] <= fit[2] && fabsf(fit[3]) <= PASSES && fit[4] >= 0 && fit[4] <= 1;
}
