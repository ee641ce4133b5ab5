#include "sure.h"
#include "cli/common.h"

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
    for (k = (uint32_t)(count == 2); k < count; k++) s->brier += pow((double)p[k] - (k == label), 2);
    s->bin[bin].rows++;
    s->bin[bin].so += label == of;
    s->bin[bin].p += sure_of;
}

void sure_say(const sure *s, uint32_t count, const char *positive, say *to)
{
    const double rows = (double)s->rows;
    double ece = 0;
    size_t i;
    if (s->rows == 0) return;
    for (i = 0; i < SURE_BINS; i++) ece += fabs(s->bin[i].p - (double)s->bin[i].so) / rows;
    json_open(&to->j, "probabilities", '{');
    say_number(to, "log_loss", "\nLog-loss = ", s->loss / rows, "");
    say_number(to, "brier", ", Brier score = ", s->brier / rows, "");
    say_number(to, "ece", ", ECE = ", ece, "\n");
    say_line(to, "Rows by the probability of %s, its mean, and the share that is so:\n",
             count == 2 ? printable(positive, EXCERPT) : "the label predicted");
    json_open(&to->j, "reliability", '[');
    for (i = 0; i < SURE_BINS; i++) {
        const double n = (double)s->bin[i].rows, mean = s->bin[i].p / n, share = (double)s->bin[i].so / n;
        json_open(&to->j, NULL, '{');
        json_count(&to->j, "rows", s->bin[i].rows);
        json_number(&to->j, "mean", mean);
        json_number(&to->j, "share", share);
        json_close(&to->j, '}');
        if (n > 0)
            say_line(to, "%.1f to %.1f %9.0f  %.4f  %.4f\n", 0.1 * (double)i, 0.1 * (double)(i + 1), n, mean, share);
    }
    json_close(&to->j, ']');
    json_close(&to->j, '}');
}

/* ---- "I do not know" ---- */

static int is_least(const refusal *r, float gap)
{
    const uint32_t n = r->rows < REFUSAL_ROWS ? (uint32_t)r->rows : REFUSAL_ROWS;
    const double golden = 0.6180339887498949;
    uint32_t less = 0, same = 1, i;
    for (i = 0; i < n; i++) {
        less += r->gap[i] < gap;
        same += r->gap[i] == gap;
    }
    return less + same * fmod((double)(r->rows + 1) * golden, 1) < (double)r->share * (n + 1);
}

int refusal_add(refusal *r, float error, float gap, int is_wrong)
{
    const int refused = isnan(r->share) ? !isnan(r->cost) && !(error <= r->cost) : is_least(r, gap);
    if (r->rows == 0 || error < r->least) r->least = error;
    r->gap[r->rows++ % REFUSAL_ROWS] = gap;
    r->refused += (uint64_t)refused;
    r->labelled[refused] += is_wrong >= 0;
    r->errors[refused] += is_wrong > 0;
    return refused;
}

static void say_extreme(const refusal *r, say *to)
{
    if (isnan(r->cost)) return;
    if (r->refused == 0) say_line(to, "No row is refused: no error is likelier than %g\n", (double)r->cost);
    if (r->refused == r->rows)
        say_line(to, "All rows are refused: no label has a probability above %.4g, and --refuse %g asks for %g\n",
                 1 - (double)r->least, (double)r->cost, 1 - (double)r->cost);
}

void refusal_say(const refusal *r, say *to)
{
    static const char *const name[] = {"errors", "refused_errors"};
    static const char *const what[] = {"Errors among those answered", "Errors among those left out"};
    int k;
    json_open(&to->j, "refusal", '{');
    json_count(&to->j, "answered", r->rows - r->refused);
    if (to->text) print_share(to->text, "Coverage", r->rows - r->refused, r->rows);
    say_line(to, "\n");
    say_extreme(r, to);
    for (k = 0; k < 2; k++) {
        json_known(&to->j, name[k], r->errors[k], r->labelled[k] > 0);
        if (!to->text || r->labelled[k] == 0) continue;
        print_share(to->text, what[k], r->errors[k], r->labelled[k]);
        say_line(to, "\n");
    }
    json_close(&to->j, '}');
}
