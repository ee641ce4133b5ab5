#include "judge.h"

#include <math.h>

enum {
    PARTS = 5,    /* of a single fold, to calibrate each on the others */
    FITTED = 4096 /* rows, as of train --probabilities */
};

void tests_init(tests *t, const rows *all)
{
    uint32_t *count = allocate_zero(t->labels, sizeof *count), i;
    t->all = all;
    t->fold_of = allocate((size_t)t->repeats * all->count, sizeof *t->fold_of);
    for (i = 0; i < all->count; i++) count[all->label[i]]++;
    for (i = 0, t->commonest = 0; i < t->labels; i++)
        if (count[i] > count[t->commonest]) t->commonest = i;
    free(count);
}

losses losses_init(const tests *t)
{
    return (losses){allocate_zero((size_t)t->repeats * t->all->count, sizeof(float)), 0, 0};
}

losses losses_of_commonest(const tests *t)
{
    losses l = {allocate((size_t)t->repeats * t->all->count, sizeof(float)), t->repeats, t->folds};
    const uint32_t n = t->all->count;
    float *of_label = allocate_zero(t->labels, sizeof *of_label);
    uint32_t i, r;
    for (i = 0; i < n; i++) of_label[t->all->label[i]]++;
    for (i = 0; i < t->labels; i++) {
        if (t->by == BY_LOGLOSS)
            of_label[i] = (float)-log(fmax((double)of_label[i], 1) / n);
        else
            of_label[i] = t->by == BY_AUC ? 0.5f : (float)(i != t->commonest);
    }
    for (r = 0; r < t->repeats; r++)
        for (i = 0; i < n; i++) l.loss[(size_t)r * n + i] = of_label[t->all->label[i]];
    free(of_label);
    return l;
}

/* ---- AUC ---- */

/* How many are below x; of equal ones half. */
static double count_below(const float *sorted, uint32_t n, float x)
{
    uint32_t low = 0, high = n, end;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < n && sorted[end] == x; end++) {
    }
    return (low + end) / 2.0;
}

/* A fold without the other label tells nothing: its rows cost 1/2, as those of any order do on average. */
static void rank_fold(const tests *t, const uint32_t *fold_of, uint32_t number, const float *score, float *loss)
{
    const uint32_t *label = t->all->label;
    float *sorted[2];
    uint32_t n[2] = {0, 0}, i, k;
    for (k = 0; k < 2; k++) sorted[k] = allocate(t->all->count, sizeof **sorted);
    for (i = 0; i < t->all->count; i++)
        if (fold_of[i] == number) sorted[label[i]][n[label[i]]++] = isnan(score[i]) ? -INFINITY : score[i];
    for (k = 0; k < 2; k++) qsort(sorted[k], n[k], sizeof **sorted, compare_floats);
    for (i = 0; i < t->all->count; i++) {
        const uint32_t other = !label[i];
        double below;
        if (fold_of[i] != number) continue;
        below = n[other] ? count_below(sorted[other], n[other], isnan(score[i]) ? -INFINITY : score[i]) / n[other]
                         : 0.5;
        loss[i] = (float)(label[i] ? 1 - below : below);
    }
    for (k = 0; k < 2; k++) free(sorted[k]);
}

/* ---- Log-loss ---- */

typedef struct scored {
    const tests *t;
    const float *score, *norm2; /* norm2 NULL: probabilities are not fitted */
    uint32_t units;
    uint32_t *row, *group; /* in a drawn order */
    uint32_t count;
    float *p; /* of each label */
} scored;

/* What turns scores into probabilities: learned from those of other groups, as train --probabilities learns it. */
static pcn_calibration calibrate_on_others(const scored *s, uint32_t group)
{
    pcn_calibration c;
    uint32_t i;
    pcn_calibration_init(&c);
    for (i = 0; i < s->count; i++) {
        const float *score = s->score + (size_t)s->row[i] * s->units;
        if (s->group[i] == group) continue;
        pcn_probabilities(&c, score, s->t->labels, s->p);
        pcn_calibrate(&c, score, s->t->labels, s->p, (int)s->t->all->label[s->row[i]]); /* not if one is not finite */
    }
    return c;
}

/* Likewise; NULL: there is none. */
static float *fit_others(const scored *s, uint32_t group)
{
    fit_rows others = {s->units, NULL};
    uint32_t i, taken = 0;
    if (!s->norm2) return NULL;
    for (i = 0; i < s->count && taken < FITTED; i++) {
        const uint32_t row = s->row[i];
        if (s->group[i] == group) continue;
        fit_add(&others, s->t->all->label[row], s->norm2[row], s->score + (size_t)row * s->units);
        taken++;
    }
    return fit_make(&others);
}

static void lose_group(const scored *s, uint32_t group, float *loss)
{
    float *fit = fit_others(s, group);
    pcn_calibration c;
    uint32_t i;
    if (!fit) c = calibrate_on_others(s, group);
    for (i = 0; i < s->count; i++) {
        const uint32_t row = s->row[i];
        const float *score = s->score + (size_t)row * s->units;
        if (s->group[i] != group) continue;
        if (fit)
            fit_probabilities(fit, s->units, (uint32_t)pcn_decide(score, s->units, 0), s->norm2[row], score, s->p);
        else
            pcn_probabilities(&c, score, s->t->labels, s->p);
        loss[row] = (float)-log(fmax((double)s->p[s->t->all->label[row]], ldexp(1, -24)));
    }
    arrfree(fit);
}

/* Of the folds from .. to - 1. A single one has no others: it is parted. */
static void lose_folds(scored *s, const uint32_t *fold_of, uint32_t from, uint32_t to, float *loss)
{
    const uint32_t n = s->t->all->count, groups = to - from > 1 ? to - from : PARTS;
    pcn_pass draw;
    uint32_t row, g;
    s->row = allocate(n, sizeof *s->row);
    s->group = allocate(n, sizeof *s->group);
    s->p = allocate(s->t->labels, sizeof *s->p);
    pcn_pass_init(&draw, n, 1, s->t->seed);
    while (pcn_pass_next(&draw, &row)) {
        if (fold_of[row] < from || fold_of[row] >= to) continue;
        s->row[s->count] = row;
        s->group[s->count] = to - from > 1 ? fold_of[row] - from : s->count % PARTS;
        s->count++;
    }
    for (g = 0; g < groups; g++) lose_group(s, g, loss);
    free(s->row);
    free(s->group);
    free(s->p);
}

/* ---- Costs, and their differences ---- */

void losses_take(const tests *t, losses *l, uint32_t repeat, uint32_t from, uint32_t to, const answers *said,
                 uint32_t units)
{
    const uint32_t *fold_of = t->fold_of + (size_t)repeat * t->all->count;
    float *loss = l->loss + (size_t)repeat * t->all->count;
    scored s = {.t = t, .score = said->score, .norm2 = said->norm2, .units = units};
    uint32_t i;
    if (t->by == BY_LOGLOSS) {
        lose_folds(&s, fold_of, from, to, loss);
        return;
    }
    for (i = from; t->by == BY_AUC && i < to; i++) rank_fold(t, fold_of, i, said->score, loss);
    for (i = 0; t->by == BY_ACCURACY && i < t->all->count; i++)
        if (fold_of[i] >= from && fold_of[i] < to) loss[i] = said->class[i] != t->all->label[i];
}

/* What row i costs, on the mean over these repeats. */
static double cost(const tests *t, const losses *l, uint32_t repeats, uint32_t i)
{
    double sum = 0;
    uint32_t r;
    for (r = 0; r < repeats; r++) sum += (double)l->loss[(size_t)r * t->all->count + i];
    return sum / repeats;
}

/* Sums over the rows of one label, or of all, weigh the same: by AUC both labels have a mean of their own. */
typedef struct sums {
    double n[2], sum[2], squares[2];
    uint32_t groups;
} sums;

/* a NULL: it costs nothing. */
static sums add_up(const tests *t, const losses *a, const losses *b)
{
    sums s = {{0, 0}, {0, 0}, {0, 0}, t->by == BY_AUC ? 2 : 1};
    const uint32_t whole = a && a->repeats < b->repeats ? a->repeats : b->repeats;
    const uint32_t folds = a && a->folds < b->folds ? a->folds : b->folds, repeats = whole ? whole : 1;
    uint32_t i;
    for (i = 0; i < t->all->count; i++) {
        const uint32_t group = s.groups > 1 ? t->all->label[i] : 0;
        double g;
        if (t->fold_of[i] == NO_FOLD || (!whole && t->fold_of[i] >= folds)) continue;
        g = (a ? cost(t, a, repeats, i) : 0) - cost(t, b, repeats, i);
        s.n[group]++;
        s.sum[group] += g;
        s.squares[group] += g * g;
    }
    return s;
}

difference compare_losses(const tests *t, const losses *a, const losses *b)
{
    const sums s = add_up(t, a, b);
    difference d = {0, 0, 0, 0};
    double variance = 0, squares = 0;
    uint32_t k;
    for (k = 0; k < s.groups; k++) {
        const double n = fmax(s.n[k], 1), mean = s.sum[k] / n;
        d.gain += mean / s.groups;
        variance += fmax(s.squares[k] / n - mean * mean, 0) / n;
        squares += s.squares[k] / n / n;
    }
    d.error = sqrt(variance);
    if (squares > 0) d.low_z = d.gain / sqrt(squares);
    d.z = variance > 0 ? d.gain / d.error : d.low_z;
    return d;
}

double losses_mean(const tests *t, const losses *l)
{
    const sums s = add_up(t, NULL, l);
    double mean = 0;
    uint32_t k;
    for (k = 0; k < s.groups; k++) mean -= s.sum[k] / fmax(s.n[k], 1) / s.groups;
    return mean;
}
