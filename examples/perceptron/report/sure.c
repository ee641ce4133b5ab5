#include "sure.h"
#include "report.h"
#include "cli/table.h"

#include <math.h>

void sure_add(sure *s, const float *p, uint32_t count, uint32_t label, uint32_t class)
{
    const uint32_t of = count == 2 ? 1 : class;
    const double sure_of = (double)p[of];
    const int bin = (int)fmin(SURE_BINS * sure_of, SURE_BINS - 1);
    uint32_t k;
    if (label >= count) return;
    s->rows++;
    s->loss -= log(fmax((double)p[label], ldexp(1, -24)));
    for (k = count == 2; k < count; k++) s->brier += pow((double)p[k] - (k == label), 2);
    s->bin[bin].rows++;
    s->bin[bin].so += label == of;
    s->bin[bin].p += sure_of;
}

void sure_say(const sure *s, uint32_t count, const char *positive, say *to)
{
    static const char *const head[] = {"probability", "rows", "mean", "so"};
    const double rows = (double)s->rows;
    table t = {NULL, to->text ? LENGTH(head) : TABLE_SILENT, 1};
    double ece = 0;
    size_t i;
    if (s->rows == 0) return;
    for (i = 0; i < SURE_BINS; i++) ece += fabs(s->bin[i].p - (double)s->bin[i].so) / rows;
    json_open(&to->j, "probabilities", '{');
    json_count(&to->j, "rows", s->rows);
    say_number(to, "log_loss", "\nLog-loss = ", s->loss / rows, "");
    say_number(to, "brier", ", Brier score = ", s->brier / rows, "");
    say_number(to, "ece", ", ECE = ", ece, "\n");
    if (count == 2)
        say_line(to, "Rows by the probability of %s, and the share that is so:\n", printable(positive, EXCERPT));
    else
        say_line(to, "Rows by the probability of the label predicted, and the share that is so:\n");
    for (i = 0; i < LENGTH(head); i++) table_text(&t, "%s", head[i]);
    json_open(&to->j, "reliability", '[');
    for (i = 0; i < SURE_BINS; i++) {
        const double n = (double)s->bin[i].rows;
        if (s->bin[i].rows == 0) continue;
        json_open(&to->j, NULL, '{');
        json_number(&to->j, "from", (double)i / SURE_BINS);
        json_count(&to->j, "rows", s->bin[i].rows);
        json_number(&to->j, "mean", s->bin[i].p / n);
        json_number(&to->j, "share", (double)s->bin[i].so / n);
        json_close(&to->j, '}');
        table_text(&t, "%.1f to %.1f", (double)i / SURE_BINS, (double)(i + 1) / SURE_BINS);
        table_count(&t, s->bin[i].rows);
        table_measure(&t, s->bin[i].p / n);
        table_measure(&t, (double)s->bin[i].so / n);
    }
    json_close(&to->j, ']');
    json_close(&to->j, '}');
    if (to->text) table_print(&t, to->text);
}

/* ---- "I do not know" ---- */

static int is_least(const refusal *r, float gap)
{
    const uint64_t n = r->rows < REFUSAL_ROWS ? r->rows : REFUSAL_ROWS;
    const double golden = 0.6180339887498949;
    uint32_t less = 0, same = 1, i;
    for (i = 0; i < n; i++) {
        less += r->gap[i] < gap;
        same += r->gap[i] == gap;
    }
    return less + same * fmod((double)(r->rows + 1) * golden, 1) < (double)r->share * (double)(n + 1);
}

int refusal_add(refusal *r, float error, float gap, int is_wrong)
{
    const int refused = isnan(r->share) ? !isnan(r->cost) && !(error <= r->cost) : is_least(r, gap);
    r->gap[r->rows++ % REFUSAL_ROWS] = gap;
    r->refused += (uint64_t)refused;
    r->labelled[refused] += is_wrong >= 0;
    r->errors[refused] += is_wrong > 0;
    return refused;
}

static void say_errors(const refusal *r, say *to, int refused, const char *name, const char *what)
{
    json_open(&to->j, name, '{');
    json_count(&to->j, "labelled", r->labelled[refused]);
    json_count(&to->j, "errors", r->errors[refused]);
    json_close(&to->j, '}');
    if (!to->text || r->labelled[refused] == 0) return;
    report_print_share(to->text, what, r->errors[refused], r->labelled[refused]);
    say_line(to, "\n");
}

void refusal_say(const refusal *r, say *to)
{
    json_open(&to->j, "refusal", '{');
    json_count(&to->j, "refused", r->refused);
    json_number(&to->j, "coverage", (double)(r->rows - r->refused) / (double)r->rows);
    if (to->text) report_print_share(to->text, "Coverage", r->rows - r->refused, r->rows);
    say_line(to, "\n");
    say_errors(r, to, 0, "answered", "Errors among those answered");
    say_errors(r, to, 1, "left_out", "Errors among those left out");
    json_close(&to->j, '}');
}
