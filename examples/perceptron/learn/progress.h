/* How training goes: lines of progress, results of the epochs, a drawing of them. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "perceptron.h"
#include "cli/common.h"

typedef struct epoch_result {
    uint64_t updates, mistakes;
    uint32_t held_out_errors;
    double test_error; /* of all rows; with --test */
    double step;       /* length of the mean step; with --batch all */
} epoch_result;

typedef struct progress {
    int quiet, tests, steps; /* with --test or --batch all a line an epoch takes the place of progress */
    double began;
    epoch_result *epochs; /* stb_ds array */
    uint64_t next_report; /* rows */
    pcn_count reported;   /* counts at the last line of progress */
    int table_begun;
} progress;

void progress_start(progress *w, const pcn_count *now);
void progress_rows(progress *w, const pcn_count *now, uint32_t epoch);
void progress_stream(progress *w, const pcn_count *now); /* instead, of a run that has begun with no rows */
void progress_epoch(progress *w, const epoch_result *e);
void progress_plot(const progress *w, uint64_t rows, FILE *f); /* updates, mistakes, test error in percent by epoch */

#endif
