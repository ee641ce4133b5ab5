/* Kernel trainers with a budget drift only so far from a model in double precision that takes the same steps
 * (projectron: when its own score asks for one); the Forgetron spends no more than its paper allows.
 *
 * UPDATES: of each trainer (default 100,000; make endurance: 10^8). */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2, SLOTS = 10, PARTS = 10, CLASSES = 1, TIMES = 0 };
enum policy { OLDEST, FORGETRON, PROJECTRON };

typedef struct trial {
    const char *name;
    enum policy policy;
    int rbf, pa, noise; /* pa: PA-I with C = 2; noise: labels in 16 that are turned round */
    double drift;       /* at most: of coefficients, as a part of the largest; of the sizes of Forgetrons; of the
                     projectron's mistakes */
} trial;

/* The Forgetron's phi jumps to 1 where that comes to cost no more than is left. So a rounding error may turn into
 * another model, until all of its vectors have gone; two of them agree in how large they are on average. Steps of PA
 * depend on scores, and so on all coefficients. What a projectron adds is never forgotten, and its rounding errors are
 * not 0 on average: its coefficients go their own way, but scores that are wrong are put right. */
static const trial trials[] = {
    {"Forgetron, linear, noisy", FORGETRON, 0, 0, 3, 0.01}, {"Forgetron, linear", FORGETRON, 0, 0, 0, 0.01},
    {"Forgetron, RBF", FORGETRON, 1, 0, 0, 0.01},           {"oldest, RBF, PA-I", OLDEST, 1, 1, 1, 1e-4},
    {"projectron, RBF", PROJECTRON, 1, 0, 1, 0.01},
};

static uint64_t state = 88172645463325252u;

static uint32_t next_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

/* Points of a square: labels by a line, or with an RBF by quadrants. */
static int next_row(const trial *t, float *x)
{
    uint32_t bits = next_bits();
    int y;
    x[0] = (float)(bits >> 20) / 2048 - 1;
    x[1] = (float)(bits >> 8 & 4095) / 2048 - 1;
    y = t->rbf ? (x[0] > 0) == (x[1] > 0) : x[0] + 2 * x[1] > 0;
    return (int)(bits & 15) < t->noise ? !y : y;
}

/* ---- The model in double precision ---- */

#include "plain_kernel.h"

static plain_model p;
static double updates_made;          /* the Forgetron's M */
static double inverse[SLOTS][SLOTS]; /* the projectron's G^-1 */

static void project(const float *x, double step, int extend)
{
    double k[SLOTS], d[SLOTS + 1], distance = plain_kernel(&p.kernel, x, x, N);
    uint32_t i, j;
    for (i = 0; i < p.n; i++) k[i] = plain_kernel(&p.kernel, p.x[i], x, N);
    for (i = 0; i < p.n; i++) {
        for (d[i] = 0, j = 0; j < p.n; j++) d[i] += inverse[i][j] * k[j];
        distance -= k[i] * d[i];
    }
    d[p.n] = -1;
    for (i = 0; extend && i <= p.n; i++)
        for (j = 0; j <= p.n; j++) inverse[i][j] = (i < p.n && j < p.n ? inverse[i][j] : 0) + d[i] * d[j] / distance;
    for (i = 0; !extend && i < p.n; i++) p.coef[i] += step * d[i];
    if (extend) plain_append(&p, x, 0, step);
}

/* The trainer has learned x, and now holds `slots` vectors. */
static void follow(const trial *t, const float *x, int y, uint32_t slots)
{
    double step = y ? 1 : -1;
    if (t->pa) step *= fmin(2, fmax(0, (1 - step * kernel_score(&p, p.coef, x)) / plain_kernel(&p.kernel, x, x, N)));
    updates_made++;
    if (t->policy == PROJECTRON) {
        project(x, step, slots > p.n);
        return;
    }
    plain_append(&p, x, 0, step);
    if (p.n > SLOTS && t->policy == FORGETRON)
        forgetron_forget(&p, updates_made);
    else if (p.n > SLOTS)
        plain_drop(&p);
}

/* ---- The trainer beside it ---- */

static pcn_kperceptron m;
static float memory[PCN_KPERCEPTRON_FLOATS(N, 2, SLOTS)], aux[SLOTS * (SLOTS + 2)];
static pcn_slot slot[SLOTS];

static void trainer_init(const trial *t)
{
    CHECK(pcn_kperceptron_init(&m, t->rbf ? pcn_kernel_rbf(4) : pcn_kernel_linear(), N, 2, slot, SLOTS, memory,
                               sizeof memory) == PCN_OK);
    if (t->policy == OLDEST) m.admit = pcn_admit_oldest;
    if (t->policy == FORGETRON) CHECK(pcn_kperceptron_use_forgetron(&m, aux, sizeof aux) == PCN_OK);
    if (t->policy == PROJECTRON) CHECK(pcn_kperceptron_use_projectron(&m, 0, aux, sizeof aux) == PCN_OK);
    if (t->pa) m.learner.rule = pcn_rule_pa(2);
    memset(&p, 0, sizeof p);
    p.kernel = m.model.kernel;
    updates_made = 0;
}

/* Psi of the removal that the trainer has just made, from its own coefficients before and after it: the new one, of
 * size 1, has become phi. p still holds the vectors of before. */
static double spent(const float *x, const float *before)
{
    double own[SLOTS], last = (double)m.own.coef[SLOTS - 1], mu, sign;
    uint32_t i;
    for (i = 0; i < SLOTS; i++) own[i] = (double)before[i];
    sign = own[0] < 0 ? -1 : 1;
    mu = sign * (kernel_score(&p, own, p.x[0]) + (last < 0 ? -1 : 1) * plain_kernel(&p.kernel, x, p.x[0], N));
    return forgetron_psi(fabs(last), fabs(own[0]), mu);
}

/* The distance of the coefficients, as a part of the largest. */
static double drift(void)
{
    double most = 1e-3, apart = 0; /* a model that is nearly forgotten counts for as much as one of 0.001 */
    uint32_t i;
    for (i = 0; i < p.n; i++) most = fmax(most, fabs(p.coef[i]));
    for (i = 0; i < p.n; i++) apart = fmax(apart, fabs((double)m.own.coef[i] - p.coef[i]));
    return apart / most;
}

/* Sum of |coefficient| of the trainer, and of the model in double precision. */
static double own_size(void)
{
    double sum = 0;
    uint32_t i;
    for (i = 0; i < m.model.slots; i++) sum += fabs((double)m.own.coef[i]);
    return sum;
}

static double plain_size(void)
{
    double sum = 0;
    uint32_t i;
    for (i = 0; i < p.n; i++) sum += fabs(p.coef[i]);
    return sum;
}

/* What is found over all updates. */
typedef struct sums {
    double drift, spent, excess, own, plain; /* excess: of Q over 15/32 M, at most; own, plain: sums of the sizes */
    uint64_t forgotten, plain_forgotten;     /* updates that left next to nothing */
    uint64_t plain_mistakes;                 /* of the projectron */
} sums;

/* The trainer has updated with x; before: its coefficients before that. */
static void compare(const trial *t, const float *x, int y, const float *before, int removed, sums *f)
{
    if (t->policy == FORGETRON && removed) f->spent += spent(x, before);
    follow(t, x, y, m.model.slots);
    f->excess = fmax(f->excess, f->spent - 15.0 / 32 * updates_made);
    if (t->policy == OLDEST) f->drift = fmax(f->drift, drift());
    f->own += own_size();
    f->plain += plain_size();
    f->forgotten += own_size() < 0.01 ? 1 : 0;
    f->plain_forgotten += plain_size() < 0.01 ? 1 : 0;
}

/* The projectron's model in double learns by itself, but it stores what the trainer stores. */
static void compare_projected(const trial *t, const float *x, int y, sums *f)
{
    const double score = kernel_score(&p, p.coef, x);
    f->plain_mistakes += (score >= 0) != y ? 1 : 0;
    if ((y ? score : -score) <= 0 || m.model.slots > p.n) follow(t, x, y, m.model.slots);
}

static void endure(const trial *t, uint64_t updates)
{
    sums f = {0, 0, -1, 0, 0, 0, 0, 0};
    uint64_t done = 0, rows = 0, limit = 100 * updates + 1000;
    int part, good = 1;
    trainer_init(t);
    for (part = 1; part <= PARTS && good; part++) {
        uint64_t mistakes = m.learner.count.mistakes, first = rows;
        for (; done < updates / PARTS * (uint64_t)part && rows < limit && good; rows++) {
            float x[N], before[SLOTS];
            const uint32_t slots = m.model.slots;
            int y = next_row(t, x), result;
            memcpy(before, m.own.coef, slots * sizeof *before);
            result = pcn_kperceptron_learn(&m, pcn_dense(x, N), y);
            done += result > 0 ? 1 : 0;
            if (t->policy == PROJECTRON)
                compare_projected(t, x, y, &f);
            else if (result > 0)
                compare(t, x, y, before, slots == SLOTS, &f);
            good = result >= 0 && p.n == m.model.slots;
        }
        if (part > 1 && part < PARTS) continue;
        printf("%-25s %11llu updates, %5.2f %% mistakes", t->name, (unsigned long long)done,
               100 * (double)(m.learner.count.mistakes - mistakes) / (double)(rows - first));
        if (t->policy == FORGETRON)
            printf(", Q / M %.7f, Q - 15/32 M at most %.1e, mean size %.4f (double %.4f), "
                   "forgotten %llu times (%llu)\n",
                   f.spent / updates_made, f.excess, f.own / updates_made, f.plain / updates_made,
                   (unsigned long long)f.forgotten, (unsigned long long)f.plain_forgotten);
        else if (t->policy == OLDEST)
            printf(", drift %.1e\n", f.drift);
        else
            printf(", %llu mistakes (double %llu)\n", (unsigned long long)m.learner.count.mistakes,
                   (unsigned long long)f.plain_mistakes);
    }
    if (t->policy == FORGETRON) f.drift = fabs(f.own / f.plain - 1);
    if (t->policy == PROJECTRON) f.drift = fabs((double)f.plain_mistakes / (double)m.learner.count.mistakes - 1);
    CHECK(good && rows < limit);
    CHECK(f.drift <= t->drift);
    CHECK(f.excess <= 0);
    CHECK(f.forgotten == f.plain_forgotten);
}

int main(void)
{
    const char *text = getenv("UPDATES");
    uint64_t updates = text ? strtoull(text, NULL, 10) : 100000;
    size_t i;
    for (i = 0; i < LENGTH(trials); i++) endure(&trials[i], updates);
    return report();
}
