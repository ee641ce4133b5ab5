#include "contest.h"

#include <math.h>

enum { LEAVES = 3 /* standard errors behind the best */ };

const way *way_of(const contest *c, const candidate *k)
{
    return &ways[k - c->all];
}

void contest_begin(contest *c, const rows *all)
{
    tests_init(&c->t, all);
    c->commonest = losses_of_commonest(&c->t);
    c->class = allocate(all->count, sizeof *c->class);
}

void contest_join(contest *c, candidate *k, double may_take)
{
    k->s.quiet = 1;
    k->label_weight = label_weights(&k->m, &k->s, &k->o, 1, c->t.all);
    k->l = losses_init(&c->t);
    if (c->t.by != BY_ACCURACY)
        k->score = allocate_zero((size_t)c->t.all->count * model_units(&k->m), sizeof *k->score);
    if (c->t.by == BY_LOGLOSS && can_fit(&k->m, &k->s)) k->norm2 = allocate_zero(c->t.all->count, sizeof *k->norm2);
    k->may_take = may_take;
    k->learned = 0;
    k->seconds = 0;
    k->state = TRIED;
}

/* ---- Time ---- */

void tell(const char *text)
{
    static int width; /* of the last line */
    if (*text || width) fprintf(stderr, "\r%-*s%s", width, text, *text ? "" : "\r");
    width = *text ? 78 : 0;
}

static void end_epoch(void *context, const epoch_result *e)
{
    contest *c = context;
    (void)e;
    c->epochs++;
}

static void tell_fold(const contest *c, double now)
{
    static double told;
    char text[80];
    const uint32_t folds = c->t.repeats * c->t.folds;
    if (!system_is_terminal() || now - fmax(told, c->r->began) < 1) return;
    snprintf(text, sizeof text, "fold %lu of %lu, %d seconds: %s", (unsigned long)c->now->learned + 1,
             (unsigned long)folds, (int)(now - c->r->began), way_text(way_of(c, c->now)));
    told = now;
    tell(text);
}

/* Until the time is over, or in the first fold is sure to be before all that it needs is learned: what is left takes no
 * less time than what was learned, since models only grow. */
static int in_time(const training *t)
{
    contest *c = t->context;
    candidate *k = c->now;
    const pcn_pass *p = &t->pass;
    const double now = seconds(), took = k->seconds + now - c->began, epochs = (double)c->need * k->s.epochs,
                 done = (double)k->learned * k->s.epochs + c->epochs + (p->left ? 1 - (double)p->left / p->rows : 0);
    k->expected = done > 0 ? fmax(took * epochs / done, took) : took;
    tell_fold(c, now);
    return now < c->until && took < k->may_take &&
           (k->learned > 0 || took < c->odd || (now + k->expected - took < c->until && k->expected < k->may_take));
}

int contest_has_time(contest *c)
{
    double all = 0;
    size_t i;
    if (c->repeats == 0) return 0; /* the time has ended the first, or nobody is left */
    for (i = 0; i < WAYS; i++) {
        candidate *k = &c->all[i];
        if (k->state != TRIED) continue;
        k->stopped |= k->seconds + k->last > k->may_take;
        if (!k->stopped) all += k->last;
    }
    return !c->time_is_over && !c->all->stopped && seconds() + all < c->until;
}

/* ---- Folds ---- */

static void note_answers(const contest *c, candidate *k, const uint32_t *fold_of, uint32_t number)
{
    int is_first = k->learned == 0;
    uint32_t i;
    for (i = 0; i < c->t.all->count; i++) {
        if (fold_of[i] != number) continue;
        if (is_first) k->always = c->class[i];
        if (k->always != c->class[i]) k->always = NO_LABEL;
        is_first = 0;
    }
}

/* The rows of the contest, as the candidate reads them. */
static const rows *rows_of(const contest *c, const candidate *k)
{
    if (!k->again) return c->t.all;
    return c->is_last ? &k->again->in.data : k->again_drawn;
}

/* The candidate learns what is in other folds, and says what is in this one. */
static void learn(contest *c, candidate *k, const uint32_t *fold_of, uint32_t number)
{
    const answers said = {c->class, k->score, k->norm2};
    training t = c->r->t;
    fold tested;
    int is_learned;
    t.m = &k->m;
    t.s = &k->s;
    t.label_weight = k->label_weight;
    t.ended = end_epoch;
    t.goes_on = in_time;
    t.context = c;
    c->now = k;
    c->epochs = 0;
    c->began = seconds();
    is_learned = learn_fold(&t, rows_of(c, k), fold_of, number, c->nowhere, &tested, &said, NULL);
    k->seconds += seconds() - c->began;
    k->last += seconds() - c->began;
    if (is_learned) {
        note_answers(c, k, fold_of, number);
        if (c->t.by != BY_LOGLOSS || c->is_last)
            losses_take(&c->t, &k->l, c->repeats, number, number + 1, &said, model_units(&k->m));
        k->learned++;
        k->bytes = tested.bytes;
    } else if (k->learned == 0 || (seconds() < c->until && c->repeats == 0)) {
        k->state = GIVEN_UP;
    } else if (seconds() < c->until) {
        k->stopped = 1;
    } else {
        c->time_is_over = 1;
    }
}

size_t contest_order(contest *c, candidate *order[WAYS])
{
    size_t count = 0, i, k;
    for (i = 0; i < WAYS; i++) {
        if (c->all[i].state != TRIED) continue;
        for (k = count++; k > 0 && compare_losses(&c->t, &order[k - 1]->l, &c->all[i].l).gain > 0; k--)
            order[k] = order[k - 1];
        order[k] = &c->all[i];
    }
    return count;
}

/* The default stays. */
static void drop_losers(contest *c)
{
    candidate *order[WAYS];
    size_t count = contest_order(c, order), i;
    for (i = 1; i < count; i++)
        if (order[i] != c->all && compare_losses(&c->t, &order[0]->l, &order[i]->l).low_z < -LEAVES)
            order[i]->state = BEATEN;
}

/* So many folds of the repeat have been learned. By log-loss a row has its cost only now, when other folds are
 * scored. */
static void end_folds(contest *c, uint32_t folds)
{
    size_t i;
    for (i = 0; i < WAYS; i++) {
        candidate *k = &c->all[i];
        const answers said = {c->class, k->score, k->norm2};
        if (k->state != TRIED || k->stopped) continue;
        if (c->t.by == BY_LOGLOSS && !c->is_last)
            losses_take(&c->t, &k->l, c->repeats, 0, folds, &said, model_units(&k->m));
        if (c->repeats == 0) k->l.folds = folds;
    }
}

/* Returns whether the time was enough, for some of them at least. */
static int learn_fold_number(contest *c, const uint32_t *fold_of, uint32_t number)
{
    size_t left = 0, i;
    for (i = 0; i < WAYS && !c->time_is_over; i++) {
        if (c->all[i].state == TRIED && !c->all[i].stopped) learn(c, &c->all[i], fold_of, number);
        left += c->all[i].state == TRIED;
    }
    return !c->time_is_over && left > 0;
}

void contest_repeat(contest *c)
{
    const uint32_t *fold_of = c->t.fold_of + (size_t)c->repeats * c->t.all->count;
    uint32_t folds = 0;
    size_t i;
    for (i = 0; i < WAYS; i++) {
        candidate *k = &c->all[i];
        k->s.seed = k->m.seed = c->t.seed + c->repeats;
        k->last = 0;
    }
    while (folds < c->t.folds && learn_fold_number(c, fold_of, folds)) {
        folds++;
        if (c->repeats > 0 || (c->t.by == BY_LOGLOSS && folds < c->t.folds)) continue;
        end_folds(c, folds);
        drop_losers(c);
    }
    if (folds < c->t.folds && (c->repeats > 0 || folds == 0)) return;
    if (c->repeats > 0 || (c->t.by == BY_LOGLOSS && folds < c->t.folds)) end_folds(c, folds);
    if (folds < c->t.folds) return;
    for (i = 0; i < WAYS; i++) c->all[i].l.repeats += c->all[i].state == TRIED && !c->all[i].stopped;
    c->repeats++;
}

void contest_block(contest *c, const uint32_t *fold_of)
{
    const uint32_t number = c->all->l.folds;
    if (learn_fold_number(c, fold_of, number)) end_folds(c, number + 1);
}
