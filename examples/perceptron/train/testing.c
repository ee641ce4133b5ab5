#include "testing.h"

void testing_read(testing *t, const settings *s, const model *m)
{
    reader in;
    reader_options o = s->reader;
    double from = seconds();
    uint32_t known = 0;
    model_expects(m, &o);
    o.ignore_given = 0;
    o.weights = NULL; /* each row counts once */
    memset(o.step_column, 0, sizeof o.step_column);
    o.read_for = READ_FOR_TEST;
    o.every_line = 0;
    if (!s->resume) o.label = NULL; /* the model has it by name: its number may be another there */
    reader_open(&in, s->test, &o);
    rows_init(&t->data);
    report_init(&t->result, &m->labels, s->report || s->roc);
    while (reader_next(&in)) {
        const pcn_vec x = model_row(m, &in);
        const uint32_t label = model_row_label(m, &in);
        known += label < labels_count(&m->labels);
        if (t->data.count == UINT32_MAX) reader_fail(&in, "too many rows");
        if (label == NO_LABEL)
            report_add(&t->result, NO_LABEL, 0, 0, NULL);
        else
            rows_add(&t->data, &x, label);
    }
    if (interrupted) t->data.count = 0;
    if (t->data.count == 0 && !interrupted) die(EXIT_INPUT, "%s: no row with a label", in.lines.name);
    if (known == 0 && !interrupted)
        die(EXIT_INPUT, "%s: no row with a label of the model, such as '%s'", in.lines.name,
            printable(labels_text(&m->labels, 0), EXCERPT));
    if (!s->quiet) reader_say_empty(&in);
    reader_close(&in);
    t->seconds = seconds() - from;
}

double testing_error(testing *t, model *m)
{
    const double from = seconds();
    double error;
    model_use(m, NULL);
    error = (double)model_errors(m, &t->data, UINT32_MAX) / t->data.count;
    t->seconds += seconds() - from;
    return error;
}

static int report_row(void *context, uint32_t row, const float *score)
{
    testing *t = context;
    const pcn_vec x = rows_vector(&t->data, row);
    if (t->p) model_probabilities(t->m, &x, score, t->p);
    report_add(&t->result, t->data.label[row], model_class(t->m, score), *score, t->p);
    return 1;
}

void testing_report(testing *t, model *m, const pcn_linear *kept)
{
    const double from = seconds();
    t->m = m;
    if (model_calibrated(m)) t->p = allocate(labels_count(&m->labels), sizeof *t->p);
    model_use(m, kept);
    model_score_rows(m, &t->data, report_row, t);
    t->seconds += seconds() - from;
}
