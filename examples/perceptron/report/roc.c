/* Two classes: the ROC curve, and the area under it. */
#include "report.h"
#include "svg.h"
#include "cli/table.h"

#include <math.h>

enum { ROC_SIDE = 450 };

static void sort_scores(report *r)
{
    int k;
    for (k = 0; k < 2 && !r->sorted; k++)
        if (arrlenu(r->score[k])) qsort(r->score[k], arrlenu(r->score[k]), sizeof **r->score, compare_floats);
    r->sorted = 1;
}

/* Each positive row has so many negative ones below it, and so many beside it. */
double report_auc(report *r)
{
    const size_t negatives = arrlenu(r->score[0]), positives = arrlenu(r->score[1]);
    size_t below = 0, not_above = 0, i;
    uint64_t halves = 0;
    sort_scores(r);
    for (i = 0; i < positives; i++) {
        while (below < negatives && r->score[0][below] < r->score[1][i]) below++;
        while (not_above < negatives && r->score[0][not_above] <= r->score[1][i]) not_above++;
        halves += below + not_above;
    }
    return negatives && positives ? (double)halves / 2 / (double)negatives / (double)positives : (double)NAN;
}

/* The points from the highest score down; equal scores make one step. */
static void follow_curve(report *r, double **x, double **y)
{
    const size_t negatives = arrlenu(r->score[0]), positives = arrlenu(r->score[1]);
    size_t n = negatives, p = positives;
    float s;
    sort_scores(r);
    for (;;) {
        arrput(*x, (double)(negatives - n) / (double)negatives);
        arrput(*y, (double)(positives - p) / (double)positives);
        if (n == 0 && p == 0) return;
        s = n == 0 || (p > 0 && r->score[1][p - 1] > r->score[0][n - 1]) ? r->score[1][p - 1] : r->score[0][n - 1];
        while (n > 0 && r->score[0][n - 1] >= s) n--;
        while (p > 0 && r->score[1][p - 1] >= s) p--;
    }
}

/* "false positive rate (20 rows: ham)" */
static void name_axis(char *name, size_t size, const report *r, const char *rate, uint32_t label)
{
    table t = {.columns = 1, .texts = 1};
    table_label(&t, "", labels_text(&r->labels, label));
    snprintf(name, size, "%s positive rate (%llu rows: %s)", rate, (unsigned long long)arrlenu(r->score[label]),
             t.cell[0]);
    table_free(&t);
}

void report_roc(report *r, FILE *f)
{
    static const double ends[] = {0, 1};
    double *x = NULL, *y = NULL;
    char subtitle[100], x_name[5 * LABEL_LENGTH + 100], y_name[sizeof x_name];
    uint32_t k;
    for (k = 0; k < 2; k++)
        if (arrlenu(r->score[k]) == 0)
            die(EXIT_INPUT, "--roc: the data have no row with label %s: a curve needs both labels",
                labels_text(&r->labels, k));
    snprintf(subtitle, sizeof subtitle, "AUC = %.4f: so often a positive row scores above a negative one",
             report_auc(r));
    name_axis(x_name, sizeof x_name, r, "false", 0);
    name_axis(y_name, sizeof y_name, r, "true", 1);
    follow_curve(r, &x, &y);
    const svg_line line[] = {{"model", x, y, arrlenu(x), SVG_BLUE}, {"chance", ends, ends, 2, SVG_GREY}};
    const svg_panel panel = {{y_name, "", 0}, ROC_SIDE, line, 2};
    const svg_chart chart = {"ROC curve", subtitle, {x_name, "", 0}, ROC_SIDE, &panel, 1};
    svg_draw(f, &chart);
    arrfree(x);
    arrfree(y);
}
