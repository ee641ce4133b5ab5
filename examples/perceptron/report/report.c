#include "report.h"
#include "cli/table.h"

#include <math.h>

/* A matrix as wide as LINE still reads well; a longer list of mistakes does not. */
enum { LINE = 120, MISTAKES = 20, LESSON_ROWS = 20, FEW_ROWS = 100 /* of so few nobody needs to be warned */ };

static const char unknown[] = "(unknown)";
static const double undefined = (double)NAN;

void report_init(report *r, const labels *l, int full)
{
    const uint32_t n = labels_count(l);
    memset(r, 0, sizeof *r);
    r->labels = labels_copy(l);
    r->full = full;
    r->of_label = allocate_zero((size_t)n + 1, sizeof *r->of_label);
    if (full) r->matrix = allocate_zero(((size_t)n + 1) * n, sizeof *r->matrix);
}

void report_add(report *r, uint32_t label, uint32_t class, float score, const float *p)
{
    uint32_t n = labels_count(&r->labels);
    if (label == NO_LABEL) {
        r->unlabelled++;
        return;
    }
    if (label > n) label = n;
    if (r->labelled++ == 0) r->always = class;
    if (r->always != class) r->always = NO_LABEL;
    r->errors += label != class;
    r->of_label[label]++;
    if (!r->full) return;
    r->matrix[(size_t)label * n + class]++;
    if (p) sure_add(&r->sure, p, n, label, class);
    if (n == 2 && label < n) arrput(r->score[label], isnan(score) ? -INFINITY : score);
    r->sorted = 0;
}

void report_free(report *r)
{
    labels_free(&r->labels);
    free(r->matrix);
    free(r->of_label);
    arrfree(r->score[0]);
    arrfree(r->score[1]);
}

/* ---- Measures ---- */

typedef struct measures {
    uint64_t rows, predicted;
    double precision, recall, f1; /* or undefined */
} measures;

static uint64_t cell(const report *r, uint32_t label, uint32_t class)
{
    return r->matrix[(size_t)label * labels_count(&r->labels) + class];
}

static double ratio(uint64_t part, uint64_t all)
{
    return all ? (double)part / (double)all : undefined;
}

static measures measure(const report *r, uint32_t class)
{
    uint64_t right = cell(r, class, class);
    measures m = {r->of_label[class], 0, 0, 0, 0};
    uint32_t i;
    for (i = 0; i <= labels_count(&r->labels); i++) m.predicted += cell(r, i, class);
    m.precision = ratio(right, m.predicted);
    m.recall = ratio(right, m.rows);
    m.f1 = ratio(2 * right, m.rows + m.predicted);
    return m;
}

/* As scikit-learn has it: a class that occurs nowhere is no part of it, and what is undefined counts as 0. */
static measures macro_average(const report *r)
{
    measures sum = {0, 0, 0, 0, 0};
    uint32_t n = 0, i;
    for (i = 0; i < labels_count(&r->labels); i++) {
        const measures m = measure(r, i);
        if (isnan(m.f1)) continue;
        n++;
        sum.precision += m.predicted ? m.precision : 0;
        sum.recall += m.rows ? m.recall : 0;
        sum.f1 += m.f1;
    }
    sum.precision = n ? sum.precision / n : undefined;
    sum.recall = n ? sum.recall / n : undefined;
    sum.f1 = n ? sum.f1 / n : undefined;
    return sum;
}

/* Of the model's classes; the first of those equally common. */
static uint32_t commonest(const report *r)
{
    uint32_t best = 0, i;
    for (i = 1; i < labels_count(&r->labels); i++)
        if (r->of_label[i] > r->of_label[best]) best = i;
    return best;
}

/* ---- The report ---- */

/* numbered: columns are headed by the numbers of the rows. */
static table confusion_table(const report *r, int numbered)
{
    uint32_t n = labels_count(&r->labels), i, j;
    table t = {.columns = n + 1, .texts = 1};
    char number[16] = "";
    table_text(&t, "%s", "");
    for (j = 0; j < n; j++) {
        if (numbered)
            table_text(&t, "#%lu", (unsigned long)j + 1);
        else
            table_label(&t, "", labels_text(&r->labels, j));
    }
    for (i = 0; i <= n; i++) {
        if (i == n && r->of_label[n] == 0) break;
        if (numbered && i < n) snprintf(number, sizeof number, "#%lu ", (unsigned long)i + 1);
        table_label(&t, i < n ? number : "", i < n ? labels_text(&r->labels, i) : unknown);
        for (j = 0; j < n; j++) table_count(&t, cell(r, i, j));
    }
    return t;
}

typedef struct mistake {
    uint32_t label, class;
    uint64_t rows;
} mistake;

static int compare_mistakes(const void *a, const void *b)
{
    const mistake *x = a, *y = b;
    if (x->rows != y->rows) return x->rows < y->rows ? 1 : -1;
    if (x->label != y->label) return x->label > y->label ? 1 : -1;
    return (x->class > y->class) - (x->class < y->class);
}

/* Instead of a matrix that is too wide. */
static void print_mistakes(const report *r, FILE *f)
{
    uint32_t n = labels_count(&r->labels), i, j;
    table t = {.columns = 3, .texts = 2};
    mistake *all = NULL;
    size_t k;
    for (i = 0; i <= n; i++)
        for (j = 0; j < n; j++) {
            mistake m = {i, j, cell(r, i, j)};
            if (i != j && m.rows) arrput(all, m);
        }
    if (arrlenu(all)) qsort(all, arrlenu(all), sizeof *all, compare_mistakes);
    fprintf(f, "The matrix is too wide for a page (--json has it). The commonest mistakes of %llu:\n",
            (unsigned long long)r->errors);
    table_text(&t, "label");
    table_text(&t, "predicted");
    table_text(&t, "rows");
    for (k = 0; k < arrlenu(all) && k < MISTAKES; k++) {
        table_label(&t, "", all[k].label < n ? labels_text(&r->labels, all[k].label) : unknown);
        table_label(&t, "", labels_text(&r->labels, all[k].class));
        table_count(&t, all[k].rows);
    }
    table_print(&t, f);
    arrfree(all);
}

/* By labels, by numbers if these are too long, and as a list if there are too many. */
static void print_matrix(const report *r, FILE *f)
{
    int numbered;
    for (numbered = 0; numbered < 2 && labels_count(&r->labels) < LINE / 3; numbered++) {
        table t = confusion_table(r, numbered);
        if (table_width(&t) <= LINE) {
            fprintf(f, "Rows by label (down) and prediction (across):\n");
            table_print(&t, f);
            return;
        }
        table_free(&t);
    }
    print_mistakes(r, f);
}

static void put_measures(say *to, table *t, const measures *m)
{
    json_number(&to->j, "precision", m->precision);
    json_number(&to->j, "recall", m->recall);
    json_number(&to->j, "f1", m->f1);
    table_measure(t, m->precision);
    table_measure(t, m->recall);
    table_measure(t, m->f1);
}

/* The mean comes first in JSON, and last in the table. */
static void put_classes(const report *r, say *to)
{
    static const char *const head[] = {"label", "rows", "predicted", "precision", "recall", "F1"};
    const measures macro = macro_average(r);
    say to_none = {{NULL, 0}, NULL};
    table t = {.columns = to->text ? 6 : TABLE_SILENT, .texts = 1}, none = {.columns = TABLE_SILENT, .texts = 1};
    uint32_t i;
    for (i = 0; i < 6; i++) table_text(&t, "%s", head[i]);
    json_open(&to->j, "macro", '{');
    put_measures(to, &none, &macro);
    json_close(&to->j, '}');
    json_open(&to->j, "classes", '[');
    for (i = 0; i < labels_count(&r->labels); i++) {
        const measures m = measure(r, i);
        json_open(&to->j, NULL, '{');
        json_text(&to->j, "label", labels_text(&r->labels, i));
        json_count(&to->j, "rows", m.rows);
        json_count(&to->j, "predicted", m.predicted);
        table_label(&t, "", labels_text(&r->labels, i));
        table_text(&t, "%llu", (unsigned long long)m.rows);
        table_text(&t, "%llu", (unsigned long long)m.predicted);
        put_measures(to, &t, &m);
        json_close(&to->j, '}');
    }
    json_close(&to->j, ']');
    table_text(&t, "macro average");
    table_text(&t, "%s", "");
    table_text(&t, "%s", "");
    put_measures(&to_none, &t, &macro);
    if (to->text) table_print(&t, to->text);
}

void report_print_accuracy(const report *r, FILE *f)
{
    if (r->labelled == 0) return;
    print_share(f, "Accuracy", r->labelled - r->errors, r->labelled);
    fputc('\n', f);
    if (r->unlabelled)
        fprintf(f, "%llu %s not counted\n", (unsigned long long)r->unlabelled,
                r->unlabelled == 1 ? "row without a label is" : "rows without a label are");
}

/* The rows that it has wrong by predicting the same label for all; 0: it does not, or so they all are, or too few. */
static uint64_t wrong_by_one_label(const report *r)
{
    return r->labelled >= LESSON_ROWS && r->always != NO_LABEL ? r->errors : 0;
}

void report_advise(const report *r, int weighted)
{
    const uint32_t always = commonest(r);
    const double ahead = (double)r->of_label[always] - (double)(r->labelled - r->errors);
    const uint64_t strange = r->of_label[labels_count(&r->labels)];
    if (strange > 0 && strange < r->labelled) {
        fprintf(
            stderr,
            "advice: in %llu of %llu rows the label is none of the model's (perceptron show lists them): such a row "
            "counts as an error\n",
            (unsigned long long)strange, (unsigned long long)r->labelled);
        return;
    }
    if (wrong_by_one_label(r))
        fprintf(
            stderr,
            "advice: '%s' is predicted for every row, of which %llu of %llu have another label: perceptron compare looks "
            "for a learner that tells them apart\n",
            printable(labels_text(&r->labels, r->always), EXCERPT), (unsigned long long)r->errors,
            (unsigned long long)r->labelled);
    if (weighted || r->labelled < FEW_ROWS || ahead <= 0 || ahead * ahead < (double)r->labelled) return;
    fprintf(stderr,
            "advice: '%s' for every row would be right more often, in %llu of %llu: perceptron compare looks for a "
            "better learner\n",
            printable(labels_text(&r->labels, always), EXCERPT), (unsigned long long)r->of_label[always],
            (unsigned long long)r->labelled);
}

void report_put_counts(const report *r, uint64_t rows, json *j)
{
    json_count(j, "rows", rows);
    json_known(j, "errors", r->errors, r->labelled > 0);
    json_number(j, "accuracy", ratio(r->labelled - r->errors, r->labelled));
    json_count(j, "unlabelled", r->unlabelled);
    json_text(j, "always", wrong_by_one_label(r) ? labels_text(&r->labels, r->always) : NULL);
}

static void put_row(const report *r, json *j, const char *name, uint32_t label)
{
    uint32_t k;
    json_open(j, name, '[');
    for (k = 0; k < labels_count(&r->labels); k++) json_count(j, NULL, cell(r, label, k));
    json_close(j, ']');
}

static void put_matrix(const report *r, json *j)
{
    const uint32_t n = labels_count(&r->labels);
    uint32_t i;
    json_open(j, "labels", '[');
    for (i = 0; i < n; i++) json_text(j, NULL, labels_text(&r->labels, i));
    json_close(j, ']');
    json_open(j, "matrix", '[');
    for (i = 0; i < n; i++) put_row(r, j, NULL, i);
    json_close(j, ']');
    put_row(r, j, "unknown_labels", n);
}

static void put_baseline(const report *r, say *to)
{
    const uint32_t always = commonest(r);
    const uint64_t rows = r->of_label[always];
    json_open(&to->j, "baseline", '{');
    if (to->text) print_share(to->text, "Baseline", rows, r->labelled);
    if (rows)
        say_text(to, "label", ", always ", labels_text(&r->labels, always), "");
    else
        json_word(&to->j, "label", "null");
    json_number(&to->j, "accuracy", ratio(rows, r->labelled));
    json_close(&to->j, '}');
    say_line(to, "\n");
}

void report_say(report *r, say *to)
{
    const double auc = labels_count(&r->labels) == 2 ? report_auc(r) : undefined;
    if (to->text && r->labelled == 0) {
        say_line(to, "No row has a label: there is nothing to report\n");
        return;
    }
    json_open(&to->j, "report", '{');
    if (to->text)
        print_matrix(r, to->text);
    else
        put_matrix(r, &to->j);
    say_line(to, "\n");
    put_classes(r, to);
    say_line(to, "\n");
    if (to->text) report_print_accuracy(r, to->text);
    json_number(&to->j, "accuracy", ratio(r->labelled - r->errors, r->labelled));
    put_baseline(r, to);
    json_number(&to->j, "auc", auc);
    if (labels_count(&r->labels) == 2) say_line(to, isnan(auc) ? "AUC = -\n" : "AUC = %.6g\n", auc);
    sure_say(&r->sure, labels_count(&r->labels), labels_text(&r->labels, 1), to);
    json_close(&to->j, '}');
}
