/* train --test: rows that are only predicted, after each epoch and at the end; --plot: how learning went. */
#include "svg.h"
#include "train.h"

#include <math.h>

void read_test(run *r)
{
    reader in;
    reader_options o = r->s.reader;
    double from = seconds();
    model_expects(&r->m, &o);
    o.ignore_given = 0;
    if (!r->s.resume) o.label = NULL; /* the model has it by name: its number may be another there */
    reader_open(&in, r->s.test, &o);
    rows_init(&r->test);
    report_init(&r->tested, &r->m.labels, r->s.report || r->s.roc);
    while (reader_next(&in)) {
        pcn_vec x = reader_vector(&in);
        uint32_t label = in.label ? labels_find(&r->m.labels, in.label) : NO_LABEL;
        if (r->test.count == UINT32_MAX) reader_fail(&in, "too many rows");
        if (!in.label)
            report_add(&r->tested, NO_LABEL, 0, 0);
        else
            rows_add(&r->test, &x, label == NO_LABEL ? labels_count(&r->m.labels) : label);
    }
    if (r->test.count == 0) die(EXIT_INPUT, "%s: no row with a label", in.name);
    model_normalize_rows(&r->m, &r->test);
    reader_close(&in);
    r->test_seconds = seconds() - from;
}

double test_error(run *r)
{
    double from = seconds(), error;
    model_use(&r->m, NULL);
    error = (double)model_errors(&r->m, &r->test, UINT32_MAX) / r->test.count;
    r->test_seconds += seconds() - from;
    return error;
}

static int report_row(void *context, uint32_t row, const float *score)
{
    run *r = context;
    report_add(&r->tested, r->test.label[row], model_class(&r->m, score), *score);
    return 1;
}

void test_model(run *r)
{
    double from = seconds();
    model_use(&r->m, r->kept.weight ? &r->kept : NULL);
    model_score_rows(&r->m, &r->test, report_row, r);
    r->test_seconds += seconds() - from;
}

/* Updates, mistakes and the test error in percent by epoch. */
void plot_epochs(const run *r, FILE *f)
{
    size_t i, n = arrlenu(r->epochs);
    double *series = allocate(4 * n, sizeof *series), *epoch = series, *updates = series + n,
           *mistakes = series + 2 * n, *error = series + 3 * n;
    char subtitle[160];
    const svg_line counts[] = {{"updates", epoch, updates, n, SVG_ORANGE}, {"mistakes", epoch, mistakes, n, SVG_GREY}};
    const svg_line errors[] = {{"test error", epoch, error, n, SVG_BLUE}};
    const svg_panel panels[] = {{{"Updates and mistakes", "", 1}, 220, counts, 2},
                                {{"Test error", " %", 0}, 220, errors, 1}};
    const svg_chart chart = {"Learning by epoch", subtitle, {"epoch", "", 1}, 500, panels, r->s.test ? 2 : 1};
    for (i = 0; i < n; i++) {
        epoch[i] = (double)(i + 1);
        updates[i] = (double)r->epochs[i].updates;
        mistakes[i] = (double)r->epochs[i].mistakes;
        error[i] = r->s.test ? 100 * r->epochs[i].test_error : 0;
    }
    snprintf(subtitle, sizeof subtitle, "%llu rows an epoch%s", (unsigned long long)r->rows,
             r->s.test ? ", and the rows of --test after each" : "");
    svg_draw(f, &chart);
    free(series);
}
