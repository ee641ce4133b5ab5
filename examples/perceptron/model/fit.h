/* Probabilities that are fitted to the scores of rows which the model had not learned: a slope and an offset for each
 * label, and a power of the row's length, since the score of a long row means less. With K scores, of a row x as the
 * learner sees it:
 *
 *     q     ln(1 + x.x) / 2 - q0, cut to low .. high, between which lie the rows that were scored
 *     z_k   slope_k e^(power q) score_k + offset_k + drift_k q        K = 1: z of label 1; label 0 has z = 0
 *     p     (1 - blur) e^z_k / sum of e^z + blur / labels. With three labels and more, z_k is at most that of the label,
 *           whose p is the highest. blur: as if so large a share of labels had been drawn by chance
 *
 * Numbers of a fit: q0, low, high, power, blur, then K slopes, K offsets, K drifts. Sums, exp and ln are computed in an order
 * of their own, so that models are the same bytes from every compiler. Measured: tests/bench/README.md,
 * "Probabilities". */
#ifndef FIT_H
#define FIT_H

#include "cli/common.h"
#include "perceptron.h"

enum { FIT_HEAD = 5, FIT_LEAST_ROWS = 200 /* with fewer, a pcn_calibration errs as little */ };

static inline size_t fit_numbers(uint32_t scores)
{
    return FIT_HEAD + 3 * (size_t)scores;
}

/* Rows that were scored, to fit to. */
typedef struct fit_rows {
    uint32_t scores; /* of a row; 1 for two labels */
    float *row;      /* stb_ds array: of each row its label, x.x and its scores */
} fit_rows;

void fit_add(fit_rows *r, uint32_t label, float norm2, const float *score); /* not if one is not finite */
float *fit_make(fit_rows *r); /* a new stb_ds array, or NULL if the rows are too few; frees those */

/* Writes the probability of each label: PCN_CLASSES(scores). label: the one that is predicted. A row whose x.x is not finite
 * counts as the longest. Scores that are not finite: as below. */
void fit_probabilities(const float *fit, uint32_t scores, uint32_t label, float norm2, const float *score, float *p);
int fit_is_valid(const float *fit, uint32_t scores); /* of a file */

/* Scores of huge values may not be finite. An infinite one counts as the largest float. If one is NaN, the scores tell
 * nothing, and all labels are equally likely. */
float score_finite(float score);
int scores_tell(const float *score, uint32_t scores);

#endif
