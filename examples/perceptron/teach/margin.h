/* The best margin of rows that are padded by an input for the bias, between two bounds: for the program's --measure and
 * examples/literature/margin.c.
 *
 * Row X of label y has a point z for each rival k: X in the place of class y, -X in that of k, else 0 (Kesler). Classes
 * as they are of W separate the rows if W.z > 0 for all points. Of any p = sum of share z, with shares >= 0 whose sum
 * is 1, the least W.z <= W.p <= |W| |p|: no margin (least W.z) / |W| is above |p|, and p itself has (least p.z) / |p|.
 * Both bounds are one where |p| is least (Gilbert 1966). A step moves share from the point with the greatest p.z to
 * that with the least, as far as |p| falls (Mitchell, Demyanov, Malozemov 1974): like a perceptron it adds the worst.
 * Of two classes W is (-w, w), so that a margin of w.X is what we find over the root of 2. */
#ifndef MARGIN_H
#define MARGIN_H

#include "perceptron.h"

#include <math.h>

typedef struct margin {
    pcn_vec (*row)(const void *rows, uint32_t i);
    const void *rows;
    const uint32_t *label;             /* class of each row */
    uint32_t count, features, classes; /* classes: 2 or more */
    float input;                       /* what comes with the bias; 0: none */
    double effort;                     /* multiplications at most; fewer are left at the end */
    double *share;                     /* of row i and rival k: share[i * classes + k]; all 0 */
    double *point, *change;            /* p, and room for a step: classes * (features + 1) each; all 0 */
    uint32_t *active, actives;         /* rows with a share, and what was worse; room for all */
    size_t worst, best;                /* where p.z is least, and where greatest among shares */
    double least, greatest;            /* p.z there */
    double low, high, radius;          /* the bounds; the longest row */
} margin;

/* The cell of x, or behind the last one the bias, in *at. */
static inline double margin_cell(const margin *m, const pcn_vec *x, uint32_t cell, size_t *at)
{
    *at = cell == x->count ? m->features : x->index ? x->index[cell] : cell;
    return cell == x->count ? (double)m->input : x->value ? (double)x->value[cell] : 1;
}

/* v += step z. Step 0: v becomes 0 where z has features; returns |v|^2 there. */
static double margin_add(const margin *m, double *v, size_t place, double step)
{
    const uint32_t i = (uint32_t)(place / m->classes), class[] = {m->label[i], (uint32_t)(place % m->classes)};
    const pcn_vec x = m->row(m->rows, i);
    double norm2 = 0;
    size_t at;
    for (int side = 0; side < 2; side++, step = -step) {
        double *of = v + (size_t) class[side] * (m->features + 1);
        for (uint32_t j = 0; j <= x.count; j++) {
            const double value = margin_cell(m, &x, j, &at);
            norm2 += of[at] * of[at];
            of[at] = step == 0 ? 0 : of[at] + step * value;
        }
    }
    return norm2;
}

/* The products of a row's points. Returns the least, or -infinity if one of the points has a share. */
static double margin_look(margin *m, uint32_t i)
{
    const pcn_vec x = m->row(m->rows, i);
    double own = 0, least = HUGE_VAL, product;
    size_t at;
    for (uint32_t pass = 0; pass <= m->classes; pass++) { /* the row's own class first */
        const uint32_t k = pass ? pass - 1 : m->label[i];
        const size_t place = (size_t)i * m->classes + k;
        if (pass && k == m->label[i]) continue;
        product = 0;
        for (uint32_t j = 0; j <= x.count; j++) {
            const double value = margin_cell(m, &x, j, &at);
            product += value * m->point[(size_t)k * (m->features + 1) + at];
        }
        if (!pass) {
            own = product;
            continue;
        }
        product = own - product;
        if (product < m->least) m->least = product, m->worst = place;
        if (m->share[place] > 0 && product > m->greatest) m->greatest = product, m->best = place;
        least = m->share[place] > 0 ? -HUGE_VAL : fmin(least, product);
    }
    m->effort -= (double)m->classes * (x.count + 1);
    return least;
}

static void margin_step(margin *m)
{
    double step = m->share[m->best], length2, sought;
    margin_add(m, m->change, m->worst, 1);
    margin_add(m, m->change, m->best, -1);
    length2 = margin_add(m, m->change, m->best, 0);
    length2 += margin_add(m, m->change, m->worst, 0);
    sought = (m->greatest - m->least) / length2;
    if (sought < step) step = sought;
    m->share[m->best] -= step;
    m->share[m->worst] += step;
    margin_add(m, m->point, m->worst, step);
    margin_add(m, m->point, m->best, -step);
}

/* All rows: the bounds, and which rows are active. Rounding is no proof: 2^-40 of the longest row is allowed for it. */
static void margin_bound(margin *m)
{
    const size_t n = (size_t)m->classes * (m->features + 1), places = (size_t)m->count * m->classes;
    const double slack = ldexp(m->radius, -40), root = m->classes == 2 ? sqrt(2) : 1, bar = m->least;
    double sum = 0, norm2 = 0;
    for (size_t j = 0; j < n; j++) m->point[j] = 0; /* anew: no step leaves its rounding */
    for (size_t z = 0; z < places; z++) sum += m->share[z];
    for (size_t z = 0; z < places; z++)
        if (m->share[z] > 0) margin_add(m, m->point, z, m->share[z] /= sum);
    for (size_t j = 0; j < n; j++) norm2 += m->point[j] * m->point[j];
    m->least = HUGE_VAL, m->greatest = -HUGE_VAL, m->actives = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const size_t worst = m->worst;
        if (margin_look(m, i) < bar || m->worst != worst) m->active[m->actives++] = i;
    }
    m->high = fmin(m->high, sqrt(norm2) / root + slack);
    if (norm2 > 0) m->low = fmax(m->low, m->least / sqrt(norm2) / root - slack);
}

/* Less than floats resolve is no margin. */
static inline int margin_none(const margin *m)
{
    return m->high < ldexp(m->radius, -24);
}

/* To four digits, so that a bound stays one. */
static inline double margin_digits(double bound, int up)
{
    const double unit = bound == 0 ? 1 : pow(10, floor(log10(fabs(bound))) - 3);
    return (up ? ceil(bound / unit) : floor(bound / unit)) * unit + 0.0; /* no -0 */
}

static inline void margin_find(margin *m)
{
    m->radius = 0, m->least = -HUGE_VAL;
    for (uint32_t i = 0; i < m->count; i++) {
        const double norm = sqrt((double)pcn_norm2(m->row(m->rows, i)) + (double)m->input * (double)m->input);
        m->radius = fmax(m->radius, norm);
    }
    m->high = m->radius * 2;
    m->low = -m->high;
    m->share[m->label[0] == 0] = 1; /* row 0, and its first rival */
    for (margin_bound(m); !margin_none(m) && m->high - m->low > 1e-6 * m->high && m->effort > 0; margin_bound(m)) {
        const double enough = (m->greatest - m->least) / 2;
        for (int steps = 0; steps < 200 && m->greatest - m->least > enough && m->effort > 0; steps++) {
            margin_step(m);
            m->least = HUGE_VAL, m->greatest = -HUGE_VAL;
            for (uint32_t i = 0; i < m->actives; i++) margin_look(m, m->active[i]);
        }
    }
}

#endif
