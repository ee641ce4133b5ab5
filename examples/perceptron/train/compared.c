#include "contest.h"

#include <math.h>

/* How a measure is written: errors and what they are less by in percent; of AUC more is better. */
static const struct {
    const char *head, *gain, *json;
    double factor;
    int digits;
    const char *hinted, *unbeaten;
} words[] = {
    {"error %", "less than default", "error", 100, 2, "was wrong less often by %.2f points", "wrong less often"},
    {"AUC", "more than default", "auc", 1, 4, "had an AUC higher by %.4f", "better by AUC"},
    {"log-loss", "less than default", "log_loss", 1, 4, "had a log-loss lower by %.4f", "better by log-loss"},
};

static const char *label_of(const contest *c, uint32_t class)
{
    return labels_text(&c->r->m.labels, class);
}

static double mean_of(const contest *c, const losses *l)
{
    const double mean = losses_mean(&c->t, l);
    return c->t.by == BY_AUC ? 1 - mean : mean;
}

/* d NULL: there is no default to compare with, or it is that. */
static void say_gain(const contest *c, const difference *d, say *to)
{
    const double factor = words[c->t.by].factor;
    const int digits = words[c->t.by].digits;
    json_number(&to->j, "gain", d ? d->gain : (double)NAN);
    json_number(&to->j, "standard_error", d ? d->error : (double)NAN);
    json_number(&to->j, "z", d ? d->z : (double)NAN);
    if (d)
        say_line(to, " %18.*f %7.*f", digits, factor * d->gain, digits, factor * d->error);
    else
        say_line(to, " %18s %7s", "-", "-");
}

static void say_mean(const contest *c, const losses *l, say *to)
{
    const double mean = mean_of(c, l);
    json_number(&to->j, words[c->t.by].json, mean);
    say_line(to, " %9.*f", words[c->t.by].digits, words[c->t.by].factor * mean);
}

/* What left was tested on fewer rows than the others, and what was given up on none: a mean would be one of other
 * rows. */
static void say_candidate(const contest *c, const candidate *k, say *to)
{
    const candidate *usual = c->all;
    const int compared = k != usual && usual->state == TRIED && k->state != GIVEN_UP;
    const difference d = compared ? compare_losses(&c->t, &usual->l, &k->l) : (difference){0, 0, 0, 0};
    const int whole = c->is_last || k->l.repeats > 0; /* else: folds of the first repeat */
    json *j = &to->j;
    char times[32];
    json_open(j, NULL, '{');
    json_text(j, "options", k == usual ? "" : way_text(way_of(c, k)));
    say_line(to, "%-52s", way_text(way_of(c, k)));
    json_count(j, "repeats", k->l.repeats);
    json_count(j, "folds", k->learned);
    if (k->state == TRIED)
        say_mean(c, &k->l, to);
    else
        json_word(j, words[c->t.by].json, "null");
    if (k->state == GIVEN_UP) {
        say_line(to, " given up: it would take %.0f seconds or more\n", ceil(k->expected));
        json_seconds(j, "expected_seconds", k->expected);
    } else if (k->state == BEATEN) {
        say_line(to, " %9s", "-");
        say_gain(c, compared ? &d : NULL, to);
        say_line(to, " left after fold %lu\n", (unsigned long)k->l.folds);
        json_count(j, "left_after", k->l.folds);
    } else {
        say_gain(c, compared ? &d : NULL, to);
        snprintf(times, sizeof times, whole ? "%lu" : "%lu/%lu",
                 (unsigned long)(k->l.repeats ? k->l.repeats : k->l.folds), (unsigned long)c->t.folds);
        say_line(to, " %7s %9.3f %11zu", times, k->seconds, k->bytes);
        if (k->always != NO_LABEL) say_line(to, " always %s", printable(label_of(c, k->always), EXCERPT));
        say_line(to, "\n");
        json_count(j, "model_bytes", k->bytes);
        json_text(j, "always", k->always != NO_LABEL ? label_of(c, k->always) : NULL);
    }
    json_seconds(j, "seconds", k->seconds);
    json_close(j, '}');
}

static void say_table(const contest *c, say *to)
{
    const int compared = c->all->state == TRIED;
    const difference d = compared ? compare_losses(&c->t, &c->all->l, &c->commonest) : (difference){0, 0, 0, 0};
    json *j = &to->j;
    size_t i;
    say_line(to, "%-52s %9s %18s %7s %7s %9s %11s\n", "setting", words[c->t.by].head, words[c->t.by].gain, "+-",
             c->is_last ? "times" : "repeats", "seconds", "bytes");
    json_open(j, "baseline", '{');
    json_text(j, "label", label_of(c, c->t.commonest));
    say_line(to, "%-52s", "always the commonest label");
    say_mean(c, &c->commonest, to);
    say_gain(c, compared ? &d : NULL, to);
    say_line(to, "\n");
    json_close(j, '}');
    json_open(j, "tried", '[');
    for (i = 0; i < WAYS; i++)
        if (c->all[i].state != SKIPPED) say_candidate(c, &c->all[i], to);
    json_close(j, ']');
}

static size_t count_tried(const contest *c)
{
    size_t count = 0, i;
    for (i = 0; i < WAYS; i++) count += c->all[i].state != SKIPPED;
    return count;
}

static void say_times(const say *to, uint32_t times)
{
    if (times == 1)
        say_line(to, "tested once");
    else
        say_line(to, "tested %lu times", (unsigned long)times);
}

void say_first(const contest *c, uint32_t all, say *to)
{
    const uint32_t n = c->t.all->count;
    json *j = &to->j;
    json_text(j, "by", words[c->t.by].json);
    json_count(j, "rows", all);
    json_count(j, "drawn", n);
    json_count(j, "learned", c->learns);
    json_count(j, "repeats", c->repeats);
    json_count(j, "repeats_planned", c->t.repeats);
    say_table(c, to);
    if (n < all) say_line(to, "all %zu settings on %lu of ", count_tried(c), (unsigned long)n);
    say_line(to, "%lu rows, ", (unsigned long)all);
    if (c->repeats > 0)
        say_times(to, c->repeats);
    else
        say_line(to, "%lu of %lu folds tested", (unsigned long)c->all->l.folds, (unsigned long)c->t.folds);
    say_line(to, " by models that learned from %lu of them (%lu of %lu parts)", (unsigned long)c->learns,
             (unsigned long)c->t.folds - 1, (unsigned long)c->t.folds);
    if (c->repeats == 0 || c->repeats < c->t.repeats) say_line(to, ", for lack of time not more: see --seconds");
    say_line(to, "; +-: standard error of the difference on the same rows\n");
}

void say_last(const contest *c, say *to)
{
    const uint32_t times = c->all->l.folds;
    json *j = &to->j;
    if (times == 0) {
        json_word(j, "last", "null");
        say_line(to, "there was no time (--seconds) to learn more rows: with all of them the error is lower\n");
        return;
    }
    json_open(j, "last", '{');
    json_count(j, "learned", c->learns);
    json_count(j, "held_out", c->held);
    json_count(j, "times", times);
    say_table(c, to);
    json_close(j, '}');
    say_line(to, "the last %zu, ", count_tried(c));
    say_times(to, times);
    say_line(to, " on %lu rows by models that learned from %lu of the others", (unsigned long)c->held,
             (unsigned long)c->learns);
    if (c->learns < 0.8 * (c->t.all->count - c->held)) say_line(to, ": with all of them the error is lower");
    say_line(to, "\n");
}

static void say_choice(const contest *c, const verdict *v, const say *to)
{
    const double factor = words[c->t.by].factor;
    if (!v->best) return;
    if (c->all->state != TRIED) {
        say_line(to, "the default was given up; of the others this was the best:\n");
    } else if (v->best != c->all) {
        say_line(to, "better than the default by %.1f standard errors (%.3g are asked):\n", v->z, v->asked);
    } else if (v->hint) {
        say_line(to, "the default; %s ", way_text(way_of(c, v->hint)));
        say_line(to, words[c->t.by].hinted, factor * compare_losses(&c->t, &c->all->l, &v->hint->l).gain);
        say_line(to, ", %.1f standard errors, which may be chance:\n", v->z);
    } else if (v->nothing) {
        say_line(to, "the default, but none predicts better than always %s:\n",
                 printable(label_of(c, c->t.commonest), EXCERPT));
    } else {
        say_line(to, "the default; no other was clearly %s:\n", words[c->t.by].unbeaten);
    }
}

static void put_options(const contest *c, json *j, const char *name, const candidate *k)
{
    const char *const text = k && k != c->all ? way_text(way_of(c, k)) : "";
    json_text(j, name, k ? text : NULL);
}

void say_verdict(const contest *c, const verdict *v, say *to)
{
    json *j = &to->j;
    put_options(c, j, "best", v->best);
    put_options(c, j, "hint", v->hint);
    json_number(j, "z", v->z);
    json_number(j, "asked", v->asked);
    json_number(j, "baseline_z", v->baseline_z);
    say_choice(c, v, to);
}
