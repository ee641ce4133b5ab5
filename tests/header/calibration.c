/* pcn_probabilities turns scores into probabilities as its definition in double precision says, and pcn_calibrate
 * adjusts to one row: at any scale of scores, for two classes and more, floats and integers. pcn_calibration_gap
 * tells how far they are off. What is wrong with scores or labels is refused and changes nothing; images and shards
 * give the same. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "random.h"
#include "test.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { MOST = 9, ROWS = 20000, WINDOW = 4096 };

static const double e = 0x1p-24; /* of a rounding */
static const double NOISE = 0.1; /* share of labels that are wrong */

/* In (0, 1). */
static double uniform(void)
{
    return (random_bits() + 0.5) / 4294967296.0;
}

/* ---- The definition, in double ---- */

/* Logits are differences to the base: class 0 of two, otherwise the top class. */
static uint32_t base_of(const float *score, uint32_t classes)
{
    return classes == 2 ? 0 : (uint32_t)pcn_decide(score, classes, 0);
}

static int is_base(const float *score, uint32_t classes, uint32_t k)
{
    return k == base_of(score, classes);
}

/* The score of class k less that of the base. Two classes share a score, which is that difference. */
static double above(const float *score, uint32_t classes, uint32_t k)
{
    if (classes == 2) return k == 1 ? (double)score[0] : 0;
    return (double)score[k] - (double)score[base_of(score, classes)];
}

static uint32_t class_of(uint32_t classes, int y)
{
    return classes == 2 ? y > 0 : (uint32_t)y;
}

typedef struct plain {
    double a, b, c, ab, aa, bb, cc, rows;
    double g, h, l, r, det; /* of the row learned last: the gradient by a, b and c */
} plain;

static plain plain_of(const pcn_calibration *c)
{
    plain m;
    memset(&m, 0, sizeof m);
    m.a = (double)c->a;
    m.b = (double)c->b;
    m.c = (double)c->c;
    m.rows = c->rows;
    m.ab = (double)c->ab;
    m.aa = (double)c->aa;
    m.bb = (double)c->bb;
    m.cc = (double)c->cc;
    return m;
}

/* The logit of a class, its derivatives, and how far rounding may take each off. */
typedef struct point {
    double z, by_a, by_b, by_c, z_off, a_off, b_off, c_off;
} point;

static double bend_of(const plain *m, uint32_t classes)
{
    return expm1(fmin(fabs(classes == 2 ? m->c : m->b), 12));
}

static int is_flat(const plain *m, uint32_t classes)
{
    return classes > 2 && m->b > 0;
}

/* z = log((1 + t) e^u / (1 + t e^u)) */
static point flat(double u, double d, double t)
{
    const double w = (1 + t) / (exp(-u) + t), off = e * (12 + 2 * fabs(u) + 24);
    point p = {log1p(t) + u - log1p(t * exp(u)), d * (1 - w * t / (1 + t)), 1 - w, 0, 0, 0, 0, 0};
    p.z_off = off;
    p.a_off = fabs(d) * (w * off + 4 * e);
    p.b_off = w * off + e;
    return p;
}

/* z = u / sqrt(1 + t u^2 / 32), where t has the sign of `by` when that is b */
static point bounded(double u, double d, double t, double of)
{
    const double h = 1 + t * u * u / 32, root = 1 / sqrt(h);
    const double off = e * (12 + (1 + t) * u * u / 32 / h * (4 + 2 * fabs(of)));
    point p = {u * root, d * root * root * root, 0, 0, 0, 0, 0, 0};
    p.by_c = -(1 + t) / 64 * pow(p.z, 3);
    p.z_off = fabs(p.z) * off;
    p.a_off = 3 * off * fabs(p.by_a);
    p.c_off = 4 * off * fabs(p.by_c) + 1e-30;
    return p;
}

static point point_of(const plain *m, const float *score, uint32_t classes, uint32_t k)
{
    const double d = above(score, classes, k), t = bend_of(m, classes);
    const double u = fmax(-16384, fmin(m->a * d + (classes == 2 ? m->b : 0), 16384));
    point p = {0, 0, 0, 0, 0, 0, 0, 0};
    if (is_base(score, classes, k)) return p;
    if (is_flat(m, classes)) return flat(u, d, t);
    if (classes > 2) {
        p = bounded(u, d, t, m->b);
        p.by_b = -p.by_c;
        p.b_off = p.c_off;
        p.by_c = p.c_off = 0;
        return p;
    }
    p = bounded(u, d, t, m->c);
    p.by_b = pow(1 + t * u * u / 32, -1.5);
    p.b_off = 64 * e * p.by_b * (1 + fabs(m->c));
    p.z_off += 2 * e * (fabs(m->a * d) + fabs(m->b));
    return p;
}

static void plain_probabilities(const plain *m, const float *score, uint32_t classes, double *p)
{
    double most = 0, sum = 0;
    uint32_t k;
    for (k = 0; k < classes; k++) {
        p[k] = point_of(m, score, classes, k).z;
        most = fmax(most, p[k]);
    }
    for (k = 0; k < classes; k++) sum += p[k] = exp(p[k] - most);
    for (k = 0; k < classes; k++) p[k] /= sum;
}

/* 0: no step. */
static int plain_learn(plain *m, const float *score, uint32_t classes, const double *p, int y)
{
    const uint32_t cls = class_of(classes, y);
    double x = 0, o = 0, l = 0, xx = 0, xo = 0, oo = 0, ll = 0, keep, aa, bb;
    point at, right = point_of(m, score, classes, cls);
    uint32_t k;
    if (p[cls] < 1e-9) {
        m->a -= m->a / 64;
        m->b -= m->b / 64;
        return 1;
    }
    for (k = 0; k < classes; k++) {
        at = point_of(m, score, classes, k);
        x += p[k] * at.by_a;
        o += p[k] * at.by_b;
        l += p[k] * at.by_c;
    }
    for (k = 0; k < classes; k++) {
        at = point_of(m, score, classes, k);
        xx += p[k] * pow(at.by_a - x, 2);
        oo += p[k] * pow(at.by_b - o, 2);
        ll += p[k] * pow(at.by_c - l, 2);
        xo += p[k] * (at.by_a - x) * (at.by_b - o);
    }
    m->g = x - right.by_a;
    m->h = o - right.by_b;
    m->l = l - right.by_c;
    m->rows = fmin(m->rows + 1, WINDOW);
    keep = 1 - 2 / (m->rows + 16);
    m->r = 1 + 1 / m->rows;
    m->ab = keep * m->ab + (xo + m->g * m->h) / 2;
    m->aa = keep * m->aa + (xx + m->g * m->g) / 2;
    m->bb = keep * m->bb + (oo + m->h * m->h) / 2;
    aa = m->r * m->aa;
    bb = m->r * m->bb + (classes == 2 ? 0 : 4);
    m->det = aa * bb - m->ab * m->ab;
    if (!(m->det > 0)) return 0;
    m->a = fmax(m->a - (bb * m->g - m->ab * m->h) / m->det, 0);
    m->b -= (aa * m->h - m->ab * m->g) / m->det;
    if (classes > 2) {
        m->b = fmin(fmax(m->b, -8), 12);
        return 1;
    }
    m->cc = keep * m->cc + (ll + m->l * m->l) / 2;
    m->c = fmin(fmax(m->c - m->l / (m->cc + 4), 0), 8);
    return 1;
}

/* ---- Each row beside it ---- */

/* p is right to within a rounding of each operation; that of a logit is as good as a factor of p. Below 2^-126 e^z is
 * 0, and beyond 30 it is cut. Of two classes, that is p[1], and p[0] the rest. */
static void check_probabilities(const pcn_calibration *c, const float *score, uint32_t classes, const float *p)
{
    const plain m = plain_of(c);
    double right[MOST], sum = 0, error = 0;
    uint32_t k;
    plain_probabilities(&m, score, classes, right);
    for (k = 0; k < classes; k++) {
        const point at = point_of(&m, score, classes, k);
        if (at.z > -100) error = fmax(error, at.z_off);
    }
    error = 2 * error + 16 * e;
    for (k = classes == 2; k < classes; k++) {
        const double cut = classes == 2 && m.b > 29 ? 1e-12 : 0x1p-125;
        CHECK(p[k] >= 0 && p[k] <= 1 && fabs((double)p[k] - right[k]) <= right[k] * error + cut);
        sum += (double)p[k];
    }
    if (classes > 2) CHECK(fabs(sum - 1) <= (classes + 2) * e);
    if (classes == 2) CHECK(p[0] == 1 - p[1]);
}

/* How far rounding may take each number off after a row that `m`, which was `before`, has learned, too. 0: it may
 * decide more than that. */
static int rounding(const plain *before, const plain *m, plain *off, const float *score, uint32_t classes,
                    const double *p, int y)
{
    const double some = 4 * (PCN_SCORES(classes) + 8) * e, r = m->r, g = fabs(m->g), h = fabs(m->h), ab = fabs(m->ab);
    const point label = point_of(before, score, classes, class_of(classes, y));
    const double bb = r * m->bb + (classes == 2 ? 0 : 4);
    double over, over_off;
    uint32_t k;
    off->g = label.a_off + some * fabs(label.by_a);
    off->h = label.b_off + some * fabs(label.by_b);
    off->l = label.c_off + some * fabs(label.by_c);
    off->aa = some * m->aa;
    off->ab = some * ab;
    off->bb = some * m->bb;
    off->cc = some * m->cc;
    for (k = 0; k < classes; k++) {
        const point at = point_of(before, score, classes, k);
        const double x = fabs(at.by_a), o = fabs(at.by_b), l = fabs(at.by_c);
        off->g += p[k] * (at.a_off + some * x);
        off->h += p[k] * (at.b_off + some * o);
        off->l += p[k] * (at.c_off + some * l);
        off->aa += p[k] * x * (4 * at.a_off + some * x);
        off->bb += p[k] * o * (4 * at.b_off + some * o);
        off->ab += p[k] * (x * (2 * at.b_off + some * o) + 2 * o * at.a_off);
        off->cc += p[k] * l * (4 * at.c_off + some * l);
    }
    off->aa += 2 * g * off->g;
    off->bb += 2 * h * off->h;
    off->ab += g * off->h + h * off->g;
    off->cc += 2 * fabs(m->l) * off->l;
    off->c = 2 * (off->l + fabs(m->l) * off->cc / (m->cc + 4)) / (m->cc + 4) + 2 * e * m->c;
    off->det = r * (r * m->aa * off->bb + bb * off->aa) + 2 * ab * off->ab;
    off->det += 6 * e * (r * m->aa * bb + ab * ab);
    if (m->det <= 4 * off->det || m->det < 1e-30 || r * m->aa * fmax(bb, 1) > 1e37) return 0;
    over = fabs(bb * m->g - m->ab * m->h);
    over_off = bb * off->g + g * r * off->bb + ab * off->h + h * off->ab + 6 * e * (bb * g + ab * h);
    off->a = 2 * (over_off + over * off->det / m->det) / m->det + 2 * e * m->a;
    over = fabs(r * m->aa * m->h - m->ab * m->g);
    over_off = r * m->aa * off->h + h * off->aa + ab * off->g + g * off->ab + 6 * e * (r * m->aa * h + ab * g);
    off->b = 2 * (over_off + over * off->det / m->det) / m->det + 2 * e * fabs(m->b);
    return 1;
}

static int is_valid(const pcn_calibration *c)
{
    return pcn_calibration_save_part(c, 0, NULL, 0) == PCN_CALIBRATION_IMAGE;
}

static int is_near(float f, double right, double off)
{
    return fabs((double)f - right) <= off;
}

/* One row through both functions, each compared with the definition. Returns 1 if the step could be. */
static int learn(pcn_calibration *c, const float *score, uint32_t classes, float *p, int y)
{
    const pcn_calibration before = *c;
    const uint32_t cls = class_of(classes, y);
    const plain was = plain_of(c);
    plain m = was, off;
    double right[MOST];
    uint32_t k;
    int compared, result;
    CHECK(pcn_probabilities(c, score, classes, p) == pcn_decide(score, PCN_SCORES(classes), 0));
    check_probabilities(c, score, classes, p);
    for (k = 0; k < classes; k++) right[k] = (double)p[k];
    compared = right[cls] > 1.01e-9 && plain_learn(&m, score, classes, right, y) &&
               rounding(&was, &m, &off, score, classes, right, y);
    result = pcn_calibrate(c, score, classes, p, y);
    CHECK(result == 0 || result == 1);
    CHECK(is_valid(c) && (c->rows == before.rows || c->rows == before.rows + 1) && c->rows <= WINDOW);
    if (result == 0) CHECK(memcmp(c, &before, offsetof(pcn_calibration, rows)) == 0);
    if (!compared) return 0;
    CHECK(result == 1 && c->rows == m.rows && is_near(c->a, m.a, off.a) && is_near(c->b, m.b, off.b));
    CHECK(is_near(c->aa, m.aa, off.aa) && is_near(c->ab, m.ab, off.ab) && is_near(c->bb, m.bb, off.bb));
    if (classes == 2) CHECK(is_near(c->c, m.c, off.c) && is_near(c->cc, m.cc, off.cc));
    if (classes > 2) CHECK(c->c == 0 && c->cc == 0);
    return 1;
}

/* ---- Streams ---- */

/* How scores come to be, and labels. */
enum stream { KNOWN, NOISY, ONE_LABEL, EQUAL, SEPARABLE, WRONG, ZEROS_FIRST, WILD };

typedef struct source {
    enum stream kind;
    uint32_t classes;
    double scale, a, b; /* the class has a logit of a s / scale, plus b of two classes */
} source;

/* Fills the scores; returns the label. */
static int draw(const source *s, uint32_t row, float *score)
{
    const uint32_t n = PCN_SCORES(s->classes);
    double weight[MOST], sum = 0, left;
    uint32_t k;
    int y;
    for (k = 0; k < n; k++) score[k] = (float)(s->scale * (6 * uniform() - 3));
    if (n == 1) {
        y = uniform() < 1 / (1 + exp(-s->a * (double)score[0] / s->scale - s->b));
    } else {
        for (k = 0; k < n; k++) sum += weight[k] = exp(s->a * (double)score[k] / s->scale);
        for (left = uniform() * sum, y = 0; y < (int)n - 1 && (left -= weight[y]) > 0; y++) continue;
    }
    if (s->kind == EQUAL)
        for (k = 0; k < n; k++) score[k] = (float)s->scale;
    if (s->kind == ZEROS_FIRST && row < ROWS / 4) memset(score, 0, n * sizeof *score);
    if (s->kind == WILD && row % 100 == 99)
        for (k = 0; k < n; k++) score[k] *= 1e6f;
    if (s->kind == NOISY && uniform() < NOISE) y = n == 1 ? !y : (y + 1 + (int)(random_bits() % (n - 1))) % (int)n;
    if (s->kind == ONE_LABEL) y = 1;
    if (s->kind == SEPARABLE) y = pcn_decide(score, n, 0);
    if (s->kind == WRONG) y = n == 1 ? score[0] < 0 : (pcn_decide(score, n, 0) + 1) % (int)n;
    return y;
}

static double loss_of(const float *p, uint32_t classes, int y)
{
    return -log(fmax((double)p[class_of(classes, y)], 1e-12));
}

/* Of the probabilities that the labels were drawn by. */
static double best_loss(const source *s, const float *score, int y)
{
    const uint32_t n = PCN_SCORES(s->classes);
    const double wrong = s->kind == NOISY ? NOISE : 0;
    double z[MOST] = {0}, most = 0, sum = 0, p;
    uint32_t k;
    for (k = 0; k < n; k++) {
        z[k + (n == 1)] = s->a * (double)score[k] / s->scale + s->b;
        most = fmax(most, z[k + (n == 1)]);
    }
    for (k = 0; k < s->classes; k++) sum += exp(z[k] - most);
    p = exp(z[class_of(s->classes, y)] - most) / sum;
    return -log(fmax((1 - wrong) * p + wrong * (1 - p) / (s->classes - 1), 1e-12));
}

/* Learns a stream. Returns the mean log-loss of its second half, before each row was learned, less `best`. */
static double run(pcn_calibration *c, const source *s, double *best)
{
    double loss = 0, least = 0;
    uint32_t row, compared = 0;
    float score[MOST], p[MOST];
    pcn_calibration_init(c);
    random_state = 5;
    for (row = 0; row < ROWS; row++) {
        const int y = draw(s, row, score);
        compared += (uint32_t)learn(c, score, s->classes, p, y);
        if (row < ROWS / 2) continue;
        loss += loss_of(p, s->classes, y);
        least += best_loss(s, score, y);
    }
    if (s->kind == KNOWN && s->scale > 1e-15 && s->scale < 1e15) CHECK(compared > ROWS * 99 / 100);
    *best = least / (ROWS / 2);
    return loss / (ROWS / 2) - *best;
}

/* a and b come back, as exactly as some 2,000 rows can tell, and the loss is that of the true probabilities. */
static void check_known(void)
{
    static const source s[] = {{KNOWN, 2, 1, 1.3, -0.4}, {KNOWN, 2, 1, 0.2, 2},  {KNOWN, 2, 1, 4, 0},
                               {KNOWN, 3, 1, 1.3, 0},    {KNOWN, 4, 1, 1.3, 0},  {KNOWN, MOST, 1, 0.7, 0},
                               {KNOWN, 4, 1, 0, 0},      {KNOWN, 4, 1e3, 2.5, 0}};
    pcn_calibration c;
    double best, excess;
    uint32_t i;
    for (i = 0; i < LENGTH(s); i++) {
        excess = run(&c, &s[i], &best);
        CHECK(fabs((double)c.a * s[i].scale - s[i].a) < 0.05 + 0.15 * s[i].a &&
              (s[i].a == 0 || fabs((double)c.b - s[i].b) < 0.3));
        CHECK(c.rows == WINDOW && excess < 0.004 && excess > -0.004);
    }
}

/* A tenth of the labels is wrong: p stays below 0.9 however high the score, and the loss is near to the best. */
static void check_noise(void)
{
    static const float sure[MOST] = {1e6f, 0, 0};
    uint32_t classes;
    for (classes = 2; classes <= 5; classes++) {
        const source s = {NOISY, classes, 1, 6, 0};
        pcn_calibration c;
        double best, excess = run(&c, &s, &best), floor;
        float p[MOST];
        CHECK(excess < 0.012 && excess > -0.004);
        CHECK(classes == 2 ? c.c > 1 && fabs((double)c.b) < 0.5 : c.b < -1 && c.c == 0);
        (void)pcn_probabilities(&c, sure, classes, p);
        floor = exp(-sqrt(32 / expm1((double)(classes == 2 ? c.c : -c.b))));
        CHECK(fabs((double)p[classes == 2] * (1 + (classes - 1) * floor) - 1) < 1e-4);
        CHECK(fabs((double)p[classes == 2] - 0.9) < 0.03);
    }
}

/* The derivatives that plain_learn takes are those of the logit. */
static void check_derivatives(void)
{
    static const plain at[] = {{1.3, 0.7, 0.9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                               {0.6, -1.5, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
    static const float score[4] = {-0.75f, 1.25f, -3, 0.5f};
    const double step = 1e-6;
    uint32_t i, k, classes;
    for (i = 0; i < LENGTH(at); i++)
        for (classes = 2; classes <= 4; classes++)
            for (k = 0; k < classes; k++) {
                const point p = point_of(&at[i], score, classes, k);
                plain a = at[i], b = at[i], c = at[i];
                a.a += step;
                b.b += step;
                c.c += step;
                CHECK(fabs((point_of(&a, score, classes, k).z - p.z) / step - p.by_a) < 1e-4);
                CHECK(fabs((point_of(&b, score, classes, k).z - p.z) / step - p.by_b) < 1e-4);
                CHECK(fabs((point_of(&c, score, classes, k).z - p.z) / step - p.by_c) < 1e-4);
            }
}

/* Equal scores, equal p; where two classes change places p does not jump; more score, not less p. */
static void check_ties(void)
{
    static const float offset[] = {-8, -1.47f, -1e-3f, 0, 1e-3f, 0.5f, 3, 12};
    uint32_t i, k;
    for (i = 0; i < LENGTH(offset); i++) {
        pcn_calibration c;
        float score[3] = {5, 5, -40}, p[3], before[3];
        pcn_calibration_init(&c);
        c.a = 3.57f;
        c.b = offset[i];
        CHECK(pcn_probabilities(&c, score, 3, before) == 0 && before[0] == before[1] && before[2] <= before[0]);
        score[1] = 5.00001f;
        CHECK(pcn_probabilities(&c, score, 3, p) == 1 && p[1] >= p[0]);
        for (k = 0; k < 3; k++) CHECK(fabsf(p[k] - before[k]) < 1e-4f);
        score[0] = score[2] = 5;
        score[1] = 5;
        CHECK(pcn_probabilities(&c, score, 3, p) == 0 && p[0] == p[1] && p[1] == p[2]);
        for (k = 0, score[0] = 5; k < 200; k++) {
            score[0] += 0.01f;
            memcpy(before, p, sizeof p);
            CHECK(pcn_probabilities(&c, score, 3, p) == 0 && p[0] >= before[0] * (1 - 8 * (float)e));
        }
    }
}

/* A limit without e. Two classes: just that of p. More: that of p if all others are far behind. */
static void check_gap(void)
{
    static const float cost[] = {0.001f, 0.05f, 0.2f, 0.45f, 0.6f, 0.95f};
    static const pcn_calibration curve[] = {
        {1.3f, -0.4f, 0, 0, 0, 0, 0, 1}, {2.5f, 0.3f, 2.2f, 0, 0, 0, 0, 1}, {0.01f, 3, 0, 0, 0, 0, 0, 1},
        {900, -1.6f, 5, 0, 0, 0, 0, 1},  {0, 0, 0, 0, 0, 0, 0, 1},          {1, -8, 8, 0, 0, 0, 0, 1}};
    uint32_t i, j, k, classes, none = 0, all = 0;
    for (i = 0; i < LENGTH(curve); i++)
        for (j = 0; j < LENGTH(cost); j++)
            for (classes = 2; classes <= 5; classes++)
                for (k = 0; k < 200; k++) {
                    float score[5], p[5];
                    int guess;
                    float gap;
                    for (guess = 0; guess < 5; guess++) score[guess] = -1e30f;
                    score[0] = (float)k / 10 - (classes == 2 ? 10 : 0);
                    if (classes > 2) score[1] = 0;
                    if (curve[i].a > 100) score[0] /= 900;
                    if (curve[i].a == 0 && classes > 2) score[0] = 0;
                    guess = pcn_probabilities(&curve[i], score, classes, p);
                    gap = pcn_calibration_gap(&curve[i], classes, guess, cost[j]);
                    none += gap == 0;
                    all += gap > FLT_MAX;
                    if (fabsf(p[guess] - (1 - cost[j])) < 1e-6f) continue;
                    CHECK((1 - p[guess] > cost[j]) == (pcn_margin(score, PCN_SCORES(classes), guess) < gap));
                }
    CHECK(none > 1000 && all > 1000);
    CHECK(pcn_calibration_gap(&curve[0], 2, 1, 0.05f) > pcn_calibration_gap(&curve[0], 2, 0, 0.05f)); /* b < 0 */
    CHECK(pcn_calibration_gap(&curve[0], 2, -1, 0.05f) == pcn_calibration_gap(&curve[0], 2, 0, 0.05f));
}

/* Scores times a power of two give the same probabilities, bit for bit, and a divided by it. */
static void check_scales(void)
{
    static const int power[] = {-59, -40, -1, 1, 30, 49};
    source s = {KNOWN, 2, 1, 1.3, -0.4};
    pcn_calibration c, d;
    float score[MOST], p[MOST], q[MOST];
    uint32_t i, k, row;
    int y;
    for (s.classes = 2; s.classes <= 4; s.classes += 2)
        for (i = 0; i < LENGTH(power); i++) {
            const uint32_t scores = PCN_SCORES(s.classes);
            pcn_calibration_init(&c), pcn_calibration_init(&d);
            random_state = 6;
            for (row = 0; row < 5000; row++) {
                y = draw(&s, row, score);
                CHECK(pcn_probabilities(&c, score, s.classes, p) == pcn_decide(score, scores, 0));
                CHECK(pcn_calibrate(&c, score, s.classes, p, y) == 1);
                for (k = 0; k < scores; k++) score[k] = ldexpf(score[k], power[i]);
                CHECK(pcn_probabilities(&d, score, s.classes, q) == pcn_decide(score, scores, 0));
                CHECK(pcn_calibrate(&d, score, s.classes, q, y) == 1);
                CHECK(memcmp(p, q, s.classes * sizeof *p) == 0);
            }
            CHECK(c.a > 1 && d.a == ldexpf(c.a, -power[i]) && d.b == c.b && d.rows == c.rows);
        }
    for (s.classes = 2; s.classes <= 4; s.classes += 2) /* 1e-18 .. 1e15 and on */
        for (s.scale = 1e-18; s.scale < 2e15; s.scale *= 1e3) {
            double best;
            CHECK(fabs(run(&c, &s, &best)) < 0.004 && fabs((double)c.a * s.scale - 1.3) < 0.2);
        }
}

/* Whatever the stream: probabilities, and no number that learning would not go on from. `learn` checks that. */
static void check_edges(void)
{
    static const struct {
        enum stream kind;
        double scale, loss; /* at most */
    } c[] = {{ONE_LABEL, 1, 1.4}, {EQUAL, 1, 1.4},   {SEPARABLE, 1, 0.01}, {WRONG, 1, 1.4},     {ZEROS_FIRST, 1, 0.8},
             {WILD, 1, 0.8},      {KNOWN, 1e18, 30}, {KNOWN, 1e22, 1.4},   {KNOWN, 1e-25, 1.4}, {KNOWN, 3e37, 1.4}};
    pcn_calibration d;
    double best, loss;
    uint32_t i, classes;
    for (i = 0; i < LENGTH(c); i++)
        for (classes = 2; classes <= 4; classes += 2) {
            const source s = {c[i].kind, classes, c[i].scale, 1.3, classes == 2 ? -0.4 : 0};
            loss = run(&d, &s, &best) + best;
            CHECK(loss < c[i].loss);
            if (c[i].scale > 1e30 || c[i].scale < 1e-20) CHECK(d.a == 0 && d.b == 0 && d.rows == WINDOW);
            if (c[i].kind == WRONG) CHECK((double)d.a < 0.1);
        }
}

/* It follows: only some 2,000 rows count. */
static void check_drift(void)
{
    static const source s[2] = {{KNOWN, 2, 1, 1.3, -0.4}, {KNOWN, 2, 1, 0.5, 1.5}};
    pcn_calibration c;
    float score[MOST], p[MOST];
    uint32_t row;
    double excess = 0;
    pcn_calibration_init(&c);
    random_state = 7;
    for (row = 0; row < 2 * ROWS; row++) {
        const source *now = &s[row >= ROWS];
        const int y = draw(now, row, score);
        (void)learn(&c, score, 2, p, y);
        if (row >= ROWS + WINDOW) excess += loss_of(p, 2, y) - best_loss(now, score, y);
    }
    CHECK(fabs((double)c.a - 0.5) < 0.2 && fabs((double)c.b - 1.5) < 0.3);
    CHECK(excess / (ROWS - WINDOW) < 0.004);
}

/* Many rows, beside the definition from the same start: roundings do not add up. */
static void endure(const source *s, uint64_t rows)
{
    pcn_calibration c;
    plain m;
    float score[MOST], p[MOST];
    double right[MOST], most = 0, excess = 0;
    uint64_t row;
    pcn_calibration_init(&c), memset(&m, 0, sizeof m);
    random_state = 14;
    for (row = 0; row < rows; row++) {
        const int y = draw(s, 0, score);
        (void)pcn_probabilities(&c, score, s->classes, p);
        (void)pcn_calibrate(&c, score, s->classes, p, y);
        plain_probabilities(&m, score, s->classes, right);
        (void)plain_learn(&m, score, s->classes, right, y);
        if (row >= 1000) most = fmax(most, fmax(fabs((double)c.a - m.a), fabs((double)c.b - m.b)));
        excess += loss_of(p, s->classes, y) - best_loss(s, score, y);
    }
    printf("%u classes, %.0f rows: a and b at most %.1e from those in double, log-loss %.5f above the best\n",
           (unsigned)s->classes, (double)rows, most, excess / (double)rows);
    CHECK(most < 1e-4 && excess / (double)rows < 0.003 && is_valid(&c));
}

static void check_long(void)
{
    static const source s[2] = {{NOISY, 2, 1, 3, -0.4}, {NOISY, 4, 1, 3, 0}};
    const char *text = getenv("UPDATES");
    uint64_t rows = text ? strtoull(text, NULL, 10) : 100000;
    endure(&s[0], rows);
    endure(&s[1], rows);
}

/* ---- Scores, labels, results ---- */

/* A calibration that has learned something. */
static pcn_calibration learned(uint32_t classes)
{
    const source s = {KNOWN, classes, 1, 1.3, 0};
    pcn_calibration c;
    float score[MOST], p[MOST];
    uint32_t row;
    pcn_calibration_init(&c);
    random_state = 8;
    for (row = 0; row < 300; row++) {
        const int y = draw(&s, row, score);
        (void)learn(&c, score, classes, p, y);
    }
    return c;
}

static void check_labels(void)
{
    static const int bad_two[] = {-2, 2, 3, INT_MIN, INT_MAX}, bad[] = {-1, 4, 5, INT_MIN, INT_MAX};
    static const float score[4] = {0.5f, -1, 2, 0.25f};
    pcn_calibration c, before, d;
    float p[4];
    uint32_t i, classes;
    for (classes = 2; classes <= 4; classes += 2)
        for (i = 0; i < LENGTH(bad); i++) {
            c = before = learned(classes);
            (void)pcn_probabilities(&c, score, classes, p);
            CHECK(pcn_calibrate(&c, score, classes, p, (classes == 2 ? bad_two : bad)[i]) == PCN_ELABEL);
            CHECK(memcmp(&c, &before, sizeof c) == 0);
        }
    c = d = learned(2);
    (void)pcn_probabilities(&c, score, 2, p);
    CHECK(pcn_calibrate(&c, score, 2, p, 0) == 1 && pcn_calibrate(&d, score, 2, p, -1) == 1);
    CHECK(memcmp(&c, &d, sizeof c) == 0);
}

/* No class, no probability, but never anything worse. */
static void check_not_finite(void)
{
    const float bad[] = {from_bits(0x7fc00000u), from_bits(0xffc00000u), from_bits(0x7f800000u),
                         from_bits(0xff800000u)};
    uint32_t i, k, j, classes, start;
    int y;
    for (classes = 2; classes <= 4; classes++)
        for (i = 0; i < LENGTH(bad); i++)
            for (k = 0; k < 2 * PCN_SCORES(classes); k++)
                for (start = 0; start < 2; start++) {
                    const uint32_t scores = PCN_SCORES(classes);
                    float score[4] = {0.5f, -1, 2, 0.25f}, p[4];
                    pcn_calibration c, before;
                    pcn_calibration_init(&c);
                    if (start == 1) c = learned(classes);
                    score[k % scores] = bad[i];
                    for (j = 0; k >= scores && j < scores; j++) score[j] = bad[i];
                    before = c;
                    (void)pcn_probabilities(&c, score, classes, p);
                    for (j = 0; j < classes; j++) CHECK(p[j] >= 0 && p[j] <= 1);
                    for (y = 0; y < (int)classes; y++) CHECK(pcn_calibrate(&c, score, classes, p, y) == PCN_EVALUE);
                    CHECK(memcmp(&c, &before, sizeof c) == 0);
                }
}

/* The class is that of the scores: 1 at 0, the lowest of equal ones. */
static void check_classes(void)
{
    static const float none[4] = {0, 0, 0, 0};
    pcn_calibration c = learned(2), zero;
    float score[4] = {-0.0f, 3, 3, 1}, p[4];
    memset(&zero, 0x5a, sizeof zero);
    pcn_calibration_init(&zero);
    CHECK(zero.a == 0 && zero.b == 0 && zero.aa == 0 && zero.ab == 0 && zero.bb == 0 && zero.rows == 0);
    CHECK(pcn_probabilities(&c, none, 2, p) == 1 && pcn_probabilities(&c, score, 2, p) == 1);
    score[0] = -FLT_MIN;
    CHECK(pcn_probabilities(&c, score, 2, p) == 0 && pcn_probabilities(&c, none, 4, p) == 0);
    CHECK(pcn_probabilities(&c, score, 4, p) == 1 && p[1] > p[2] - c.b && p[2] > p[3]);
    p[2] = 7;
    CHECK(pcn_probabilities(&zero, score, 2, p) == 0 && p[0] == 0.5f && p[1] == 0.5f && p[2] == 7);
    CHECK(pcn_probabilities(&zero, score, 4, p) == 1 && p[0] == 0.25f && p[1] == 0.25f && p[3] == 0.25f);
}

/* Probabilities in the place of the scores cannot be learned from. */
static void check_same_array(void)
{
    uint32_t classes, i;
    int y;
    for (classes = 2; classes <= 4; classes++)
        for (y = 0; y < (int)classes; y++) {
            float score[4] = {0.5f, 0.25f, 0.125f, 0.125f};
            pcn_calibration c = learned(classes);
            const pcn_calibration before = c;
            CHECK(pcn_calibrate(&c, score, classes, score, y) == PCN_EOPTION);
            CHECK(memcmp(&c, &before, sizeof c) == 0);
            for (i = 0; i < 4; i++) CHECK(score[i] == (i == 0 ? 0.5f : i == 1 ? 0.25f : 0.125f));
        }
}

/* What the definition leaves to rounding, by its checksum: probabilities, of two classes p[1]; a, b and the sums. Scores
 * are multiples of 1/1024, so rows are the same everywhere. */
static void check_bits(uint32_t classes, uint32_t expected)
{
    pcn_calibration c;
    uint32_t row, k, crc = 0;
    pcn_calibration_init(&c);
    random_state = 15;
    for (row = 0; row < 6000; row++) {
        uint8_t bytes[4 * (MOST + 7)];
        uint32_t words[MOST + 7], n = 0;
        float score[MOST], p[MOST];
        const int noise = (int)(random_bits() % 4096) - 2048;
        int y;
        for (k = 0; k < PCN_SCORES(classes); k++) score[k] = (float)((int)(random_bits() % 8193) - 4096) / 1024;
        y = classes == 2 ? score[0] * 512 + (float)noise > 100 : pcn_decide(score, classes, 0);
        if (classes > 2 && noise > 900) y = (int)(random_bits() % classes);
        (void)pcn_probabilities(&c, score, classes, p);
        CHECK(pcn_calibrate(&c, score, classes, p, y) == 1);
        for (k = classes == 2; k < classes; k++) memcpy(&words[n++], &p[k], 4);
        memcpy(&words[n], &c, 4 * 7), n += 7;
        for (k = 0; k < n; k++) put_word(bytes, 4 * k, words[k]);
        crc = pcn_crc32(crc, bytes, 4 * n);
    }
    if (crc != expected) printf("%u classes: 0x%08xu\n", (unsigned)classes, (unsigned)crc);
    CHECK(crc == expected && c.rows == WINDOW);
}

/* No step: nothing but the rows moves. Too sure: a and b become 63/64, and nothing else moves. */
static void check_results(void)
{
    static const float zeros[4] = {0, 0, 0, 0}, wild[4] = {1e20f, -1e20f, 3e20f, 0}, tiny[4] = {1e-25f, 0, 2e-25f, 0};
    static const float *none[] = {zeros, wild, tiny};
    float score[4] = {-90, 80, -70, -60}, p[4];
    pcn_calibration c, before;
    uint32_t i, classes;
    for (classes = 2; classes <= 4; classes += 2) {
        pcn_calibration_init(&c);
        for (i = 0; i < LENGTH(none); i++) {
            (void)pcn_probabilities(&c, none[i], classes, p);
            CHECK(pcn_calibrate(&c, none[i], classes, p, 1) == 0 && c.rows == i + 1);
            CHECK(c.a == 0 && c.b == 0 && c.aa == 0 && c.ab == 0 && c.bb == 0);
        }
        c = learned(classes);
        c.b = 0.5f;
        c.c = 0;
        before = c;
        (void)pcn_probabilities(&c, score, classes, p);
        CHECK(pcn_calibrate(&c, score, classes, p, classes == 2 ? 1 : 0) == 1);
        CHECK(c.a == before.a * 63 / 64 && c.b == before.b * 63 / 64);
        CHECK(memcmp(&c.c, &before.c, sizeof c - offsetof(pcn_calibration, c)) == 0);
    }
}

/* Whatever an image says that load takes, p is a probability; where z has no bend it comes back, too. */
static void check_forged(void)
{
    static const float b[] = {1000, -1000, FLT_MAX, -FLT_MAX}, a[] = {0, 1, FLT_MAX};
    uint32_t i, j, k, row, classes;
    for (i = 0; i < LENGTH(a) * LENGTH(b); i++)
        for (j = 0; j < 3; j++)
            for (classes = 2; classes <= 4; classes += 2) {
                const source s = {KNOWN, classes, 1, 1.3, 0};
                pcn_calibration c = {0, 0, 0, 0, 0, 0, 0, 1};
                double excess = 0;
                c.a = a[i / LENGTH(b)];
                c.b = b[i % LENGTH(b)];
                c.c = 4 * (float)j;
                random_state = 16;
                for (row = 0; row < 6000; row++) {
                    float score[MOST], p[MOST];
                    const int y = draw(&s, row, score);
                    (void)pcn_probabilities(&c, score, classes, p);
                    for (k = 0; k < classes; k++) CHECK(p[k] >= 0 && p[k] <= 1);
                    CHECK(pcn_calibrate(&c, score, classes, p, y) >= 0 && is_valid(&c));
                    if (row >= 4000) excess += loss_of(p, classes, y) - best_loss(&s, score, y);
                }
                if (classes == 2 && j == 0 && a[i / LENGTH(b)] < 2 && fabsf(b[i % LENGTH(b)]) < 2000)
                    CHECK(excess / 2000 < 0.02);
            }
}

/* Where e^z is cut, where a row is too sure, and where the determinant ends. */
static void check_limits(void)
{
    static const float score[3] = {1, 0, 0};
    float p[3];
    pcn_calibration c = {0, 40, 0, 0, 0, 0, 0, 0};
    double low = 1e30, high = 1e38;
    CHECK(pcn_probabilities(&c, score, 2, p) == 1 && p[0] == 0 && p[1] == 1);
    c.b = -40;
    CHECK(pcn_probabilities(&c, score, 2, p) == 1 && fabs((double)p[1] * exp(40.0) - 1) < 1e-5);
    c.a = 0.5f;
    c.b = 28;
    (void)pcn_probabilities(&c, score, 3, p);
    check_probabilities(&c, score, 3, p);
    (void)pcn_probabilities(&c, score, 2, p);
    check_probabilities(&c, score, 2, p);
    c = learned(2);
    p[0] = 1;
    p[1] = 1e-9f;
    CHECK(pcn_calibrate(&c, score, 2, p, 1) == 1 && c.rows == 301);
    p[1] = nextafterf(1e-9f, 0);
    CHECK(pcn_calibrate(&c, score, 2, p, 1) == 1 && c.rows == 301);
    p[1] = 1, p[0] = nextafterf(1e-9f, 0); /* so it is for class 0 */
    CHECK(pcn_calibrate(&c, score, 2, p, 0) == 1 && pcn_calibrate(&c, score, 2, p, -1) == 1 && c.rows == 301);
    while (high > low * (1 + 1e-7)) { /* det = (0.25 + keep 4) keep aa (1 + 1 / 4096)^2 */
        const double middle = (low + high) / 2;
        const pcn_calibration with = {0, 0, 0, 0, (float)middle, 4, 0, WINDOW};
        c = with;
        p[0] = p[1] = 0.5f;
        *(pcn_calibrate(&c, score + 1, 2, p, 1) == 1 ? &low : &high) = middle;
    }
    high *= 4110.0 / 4112 * (0.25 + 4 * 4110.0 / 4112) * 4097 / 4096 * 4097 / 4096;
    CHECK(fabs(high / 1e38 - 1) < 1e-6);
}

/* ---- Images ---- */

/* Bits of numbers that learning cannot produce, or can, by the word. */
static void check_numbers(void)
{
    static const uint32_t bad[8][4] = {
        {0x80000000u, 0xbf800000u, 0x7f800000u, 0x7fc00000u}, {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffffffffu},
        {0x80000000u, 0xbf800000u, 0x41000001u, 0x7fc00000u}, {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffffffffu},
        {0x80000000u, 0xbf800000u, 0x7f800000u, 0x7fc00000u}, {0x80000000u, 0xbf800000u, 0x7f800000u, 0x7fc00000u},
        {0x80000000u, 0xbf800000u, 0x7f800000u, 0x7fc00000u}, {4097, 0x3f800000u, 0x80000000u, 0xffffffffu}};
    static const uint32_t good[8] = {0x7f7fffffu, 0xff7fffffu, 0x41000000u, 0x80000000u, 0x7f7fffffu, 1, 1, 4096};
    uint8_t image[PCN_CALIBRATION_IMAGE], again[PCN_CALIBRATION_IMAGE];
    uint32_t words[8], i, k;
    pcn_calibration c, d;
    for (k = 0; k < 8; k++)
        for (i = 0; i < 5; i++) {
            c = learned(2);
            CHECK(pcn_calibration_save(&c, image, sizeof image) == sizeof image);
            CHECK(pcn_calibration_save(&c, again, sizeof again - 1) == 0);
            memcpy(words, &c, sizeof c);
            words[k] = i < 4 ? bad[k][i] : good[k];
            memcpy(&c, words, sizeof c);
            CHECK(is_valid(&c) == (i == 4));
            put_word(image, HEADER + 4 * k, words[k]);
            put_checksum(image, sizeof image);
            d = learned(4);
            CHECK(pcn_calibration_load(&d, image, sizeof image) == (i == 4 ? PCN_OK : PCN_EIMAGE));
            c = i == 4 ? c : learned(4);
            CHECK(memcmp(&c, &d, sizeof c) == 0);
            if (i == 4) CHECK(pcn_calibration_save(&d, again, sizeof again) == sizeof again);
            if (i == 4) CHECK(memcmp(image, again, sizeof image) == 0);
        }
}

/* Word for word; learning goes on bit for bit; behind a model's image it is found by the length of that. */
static void check_image(void)
{
    static const float weight[2] = {1.5f, -2};
    const pcn_linear m = {weight, NULL, 2, 1, 0, 0, 0};
    const source s = {KNOWN, 4, 1, 1.3, 0};
    const pcn_calibration some = {1, -0.5f, 0.25f, -3, 2, 4, 8, 5};
    /* clang-format off */
    static const uint32_t words[] = {HEAD_WORDS(6, 0, 0, 1), 0, 0, 0, 0, 0, 0, 0, 0,
                                     0x3f800000u, 0xbf000000u, 0x3e800000u, 0xc0400000u, 0x40000000u, 0x40800000u, 0x41000000u, 5};
    /* clang-format on */
    uint8_t both[256];
    pcn_calibration c = learned(4), d = learned(2);
    pcn_image info;
    float score[MOST], p[MOST];
    uint32_t row, k;
    size_t size, more;
    CHECK(is_words(both, pcn_calibration_save(&some, both, sizeof both), words, LENGTH(words)));
    size = pcn_linear_save(&m, both, sizeof both);
    more = pcn_calibration_save(&c, both + size, sizeof both - size);
    put_word(both, size + HEADER + 4 * 6, pcn_crc32(0, both + size, HEADER + 4 * 6)); /* of six numbers */
    CHECK(pcn_calibration_load(&d, both + size, HEADER + 4 * 7) == PCN_EIMAGE);
    more = pcn_calibration_save(&c, both + size, sizeof both - size);
    CHECK(size == 68 + 8 && more == PCN_CALIBRATION_IMAGE && pcn_image_size(both, sizeof both) == size);
    CHECK(pcn_image_size(both + size, HEADER) == more && pcn_image_size(both + size, HEADER - 1) == 0);
    CHECK(pcn_image_read(&info, both + size, more) == PCN_OK && info.kind == PCN_KIND_CALIBRATION);
    CHECK(info.features == 0 && info.scores == 1 && info.parts == 0);
    CHECK(pcn_calibration_load(&d, both, sizeof both) == PCN_EMATCH);
    CHECK(pcn_calibration_load(&d, both + size, sizeof both - size) == PCN_OK && memcmp(&c, &d, sizeof c) == 0);
    random_state = 9;
    for (row = 0; row < 500; row++) {
        const int y = draw(&s, row, score);
        for (k = 0; k < 2; k++) {
            pcn_calibration *each = k ? &d : &c;
            (void)pcn_probabilities(each, score, 4, p);
            CHECK(pcn_calibrate(each, score, 4, p, y) == 1);
        }
    }
    CHECK(memcmp(&c, &d, sizeof c) == 0 && c.rows == 800);
}

/* ---- With models ---- */

/* The manual's line: means of four parts of a stream, weighted by rows, are as good as one of the whole. */
static void check_shards(void)
{
    const source s = {KNOWN, 4, 1, 1.3, 0};
    pcn_calibration part[4], c;
    float score[MOST], p[MOST];
    double excess = 0;
    uint32_t row, i;
    for (i = 0; i < 4; i++) pcn_calibration_init(&part[i]);
    pcn_calibration_init(&c);
    random_state = 10;
    for (i = 0; i < 4; i++)
        for (row = 0; row < 500 * (i + 1); row++) {
            const int y = draw(&s, row, score);
            (void)learn(&part[i], score, 4, p, y);
        }
    for (i = 0; i < 4; i++) {
        const float share = (float)(i + 1) / 10;
        c.a += part[i].a * share;
        c.b += part[i].b * share;
        c.c += part[i].c * share;
        c.ab += part[i].ab * share;
        c.aa += part[i].aa * share;
        c.bb += part[i].bb * share;
        c.cc += part[i].cc * share;
        if (part[i].rows > c.rows) c.rows = part[i].rows;
    }
    for (row = 0; row < ROWS; row++) { /* and it goes on */
        const int y = draw(&s, row, score);
        (void)learn(&c, score, 4, p, y);
        excess += loss_of(p, 4, y) - best_loss(&s, score, y);
    }
    CHECK(excess / ROWS < 0.004 && fabs((double)c.a - 1.3) < 0.2);
}

/* Integer scores times `one` are worth as much as those of the floats; a limit needs no exponential. */
static void check_integers(uint32_t classes)
{
    enum { N = 60 };
    static float weight[MOST * N], value[N];
    static int32_t narrow[PCN_ILINEAR_NUMBERS(N, MOST, 16)];
    const uint32_t scores = PCN_SCORES(classes);
    const pcn_linear m = {weight, NULL, N, scores, 0, 0, 0};
    const double limit = 0.8;
    int16_t row[N];
    pcn_ilinear q;
    pcn_calibration c = learned(classes);
    uint32_t i, j, k, bits;
    int top, same, changed = 0;
    random_state = 12;
    for (i = 0; i < N * scores; i++) weight[i] = (float)(uniform() - 0.5) / 100;
    for (bits = 8; bits <= 16; bits += 8) {
        float one = 0, least, score[MOST], p[MOST], r[MOST];
        int64_t whole[MOST];
        CHECK(pcn_ilinear_quantize(&q, &m, bits, 0.01f, &one, narrow, sizeof narrow) == PCN_OK && one > 0);
        least = pcn_calibration_gap(&c, 2, 1, (float)(1 - limit)) / one;
        for (i = 0; i < 500; i++) {
            for (j = 0; j < N; j++) value[j] = 0.01f * (float)(row[j] = (int16_t)(random_bits() % 10000) - 5000);
            pcn_linear_scores(&m, pcn_dense(value, N), score);
            top = pcn_probabilities(&c, score, classes, p);
            pcn_ilinear_scores(&q, pcn_idense(row, N), whole);
            for (k = 0; k < scores; k++) score[k] = (float)whole[k] * one;
            same = top == pcn_probabilities(&c, score, classes, r);
            changed += !same;
            for (k = 0; same && k < classes; k++) CHECK(fabsf(p[k] - r[k]) < (bits == 8 ? 0.05f : 0.001f));
            if (classes == 2 && fabs((double)r[1] - limit) > 1e-5)
                CHECK(((float)whole[0] >= least) == ((double)r[1] > limit));
        }
    }
    CHECK(changed < 30);
}

int main(void)
{
    check_known();
    check_noise();
    check_derivatives();
    check_ties();
    check_gap();
    check_scales();
    check_edges();
    check_drift();
    check_long();
    check_labels();
    check_not_finite();
    check_classes();
    check_same_array();
    check_bits(2, 0xc5e57503u);
    check_bits(3, 0x1d7f7c1eu);
    check_bits(MOST, 0x77b0cf92u);
    check_results();
    check_forged();
    check_limits();
    check_numbers();
    check_image();
    check_shards();
    check_integers(2);
    check_integers(4);
    return report();
}
