/* How well a model does on rows with labels: counts, confusion matrix, measures of each class, ROC curve.
 *
 *     precision  of the rows predicted so, those of that label; recall: of the rows of that label, those predicted so
 *     F1         2 right / (rows + predicted)
 *     macro      the mean over the classes with rows or predictions; 0/0, which prints as - and in JSON as null, counts
 *                as 0 there
 *     baseline   the accuracy of always predicting the commonest label of these rows, of those that the model knows
 *     AUC        two classes: of all pairs of a positive and a negative row the share where the positive one
 *                has the higher score, equal scores count half; rows with other labels left out
 *
 * Rows whose label the model does not know are errors and have a row of the matrix of their own; rows without
 * a label count nowhere. */
#ifndef REPORT_H
#define REPORT_H

#include "cli/say.h"
#include "cli/options.h"
#include "text/labels.h"
#include "sure.h"

extern const command command_predict, command_show;

typedef struct report {
    labels labels; /* of the model: a copy */
    uint64_t labelled, errors, unlabelled;
    uint32_t always;    /* the class predicted for all labelled rows, if there are some; NO_LABEL: there are several */
    uint64_t *of_label; /* rows; the last number is for unknown labels */
    /* NULL without `full` */
    uint64_t *matrix; /* [label * classes + predicted class]; the last row is for unknown labels */
    float *score[2];  /* stb_ds arrays: two classes: of the negative and of the positive rows */
    int full, sorted;
    sure sure; /* of rows with probabilities */
} report;

/* full: for report_say and report_roc; 0: only the counts. l: the model's. */
void report_init(report *r, const labels *l, int full);
/* label: its number, labels_count() if the model does not know it, NO_LABEL if there is none. score: of the
 * positive class, if there are two; others are not looked at. p: the probability of each label; NULL: they are not known. */
void report_add(report *r, uint32_t label, uint32_t class, float score, const float *p);
void report_print_accuracy(const report *r, FILE *f); /* a line or two; none without labelled rows */
/* On standard error, if one label is predicted for all rows, which have several, or if always predicting one label
 * would be better by more than chance. weighted: labels weigh differently, so more errors may be meant. */
void report_advise(const report *r, int weighted);
/* The same in JSON, as members of an object. rows: all there are. */
void report_put_counts(const report *r, uint64_t rows, json *j);
void report_say(report *r, say *to); /* all of it; in JSON a member "report" */
void report_free(report *r);

/* ---- roc.c: two classes ---- */

double report_auc(report *r); /* NaN: not both labels have rows */
/* The curve as a chart, see svg_open. Ends the program if there are not rows of both labels. */
void report_roc(report *r, FILE *f);

#endif
