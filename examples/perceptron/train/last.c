/* perceptron compare, part 2: the last settings learn as many rows as the time allows. */
#include "contest.h"

#include <math.h>

enum {
    BLOCKS = 5, /* held-out tenths, at most */
    GROWS = 5,  /* times as many rows as part 1 has, before more */
    SLOW = 3    /* times the default's seconds: only for a lower cost */
};

typedef struct block_draw {           /* the place of each row in a drawn order */
    uint32_t *place, *fold_of, first; /* first: places before those that are held out in turn */
} block_draw;

/* Rows in the places behind a block learn, round the end, as many as shall; the others are left out. */
static void draw_block(const contest *p, const block_draw *d, uint32_t number)
{
    const uint32_t n = p->t.all->count, from = d->first + number * p->held;
    uint32_t i;
    for (i = 0; i < n; i++) {
        const uint32_t behind = (d->place[i] + n - from) % n;
        if (behind < p->held)
            d->fold_of[i] = number;
        else
            d->fold_of[i] = behind - p->held < p->learns ? number + 1 : NO_FOLD;
    }
}

/* Nothing has been tested; blocks begin there. */
static void begin_blocks(contest *p, block_draw *d, uint32_t first)
{
    size_t i;
    d->first = first;
    for (i = 0; i < p->t.all->count; i++)
        p->t.fold_of[i] = d->place[i] - first < BLOCKS * p->held ? (d->place[i] - first) / p->held : NO_FOLD;
    for (i = 0; i < WAYS; i++) {
        candidate *k = &p->all[i];
        k->l.folds = k->learned = 0;
        k->seconds = k->last = 0;
    }
}

static double row_seconds(const candidate *k, uint32_t learns)
{
    return k->seconds / ((double)k->learned * learns);
}

/* Takes the default and the two that cost least, of those that are not too slow for what they gain. */
static void enter_last(contest *p, contest *from)
{
    candidate *order[WAYS], *usual = from->all;
    size_t count = contest_order(from, order), others = 0, i;
    for (i = 0; i < count; i++) {
        const candidate *k = order[i];
        const int is_slow = row_seconds(k, from->learns) > SLOW * row_seconds(usual, from->learns);
        if (k != usual && (others == 2 || (is_slow && compare_losses(&from->t, &usual->l, &k->l).gain <= 0))) continue;
        p->all[k - from->all] = *k;
        contest_join(p, &p->all[k - from->all], HUGE_VAL);
        others += k != usual;
    }
}

/* How many rows all can learn once in 0.8 of the time left. Part 1 tells how long a row takes at most; what they have
 * learned since, beside that, which part of it each training costs, however few rows it has: at most half is taken
 * off. */
static uint32_t rows_in_time(const contest *p, const contest *from)
{
    const uint32_t most = p->t.all->count - p->held;
    double each = 0, fixed = 0, in_time;
    size_t i;
    for (i = 0; i < WAYS; i++) {
        const candidate *k = &p->all[i];
        const double first = from->all[i].seconds / from->all[i].learned;
        double a_row = first / from->learns;
        if (k->state != TRIED) continue;
        if (k->learned > 0) {
            a_row = fmax((k->seconds - first) / (p->learns - from->learns), k->seconds / p->learns / 2);
            fixed += fmax(k->seconds - a_row * p->learns, 0);
        }
        each += a_row;
    }
    in_time = (0.8 * (p->until - seconds()) - fixed) / each;
    return in_time < most ? (uint32_t)fmax(in_time, 0) : most;
}

/* If there is no time for all rows, twice to GROWS times as many as in part 1 tell how long more would take, and of
 * three the default stays and the better one of the others. */
static void grow(contest *p, const contest *from, block_draw *d)
{
    const double quarter = p->learns / 4.0;
    candidate *order[WAYS];
    p->learns = (uint32_t)fmin(fmax(quarter, 2.0 * from->learns), GROWS * from->learns);
    begin_blocks(p, d, 0);
    draw_block(p, d, 0);
    contest_block(p, d->fold_of);
    if (contest_order(p, order) == 3) order[order[2] == p->all ? 1 : 2]->state = SKIPPED;
}

static void learn_blocks(contest *p, block_draw *d, uint32_t first)
{
    double before, took;
    begin_blocks(p, d, first);
    do {
        before = seconds();
        draw_block(p, d, p->all->l.folds);
        contest_block(p, d->fold_of);
        took = seconds() - before;
    } while (!p->time_is_over && p->all->l.folds < BLOCKS && seconds() + took < p->until);
}

static void begin_last(contest *p, contest *from, const rows *all, double until, block_draw *d)
{
    const uint32_t n = all->count;
    pcn_pass draw;
    uint32_t row, i;
    p->r = from->r;
    p->nowhere = from->nowhere;
    p->t = from->t;
    p->t.repeats = 1;
    p->t.folds = BLOCKS;
    p->until = until;
    p->odd = from->odd;
    p->need = 1;
    p->is_last = 1;
    p->held = n / 10 < CONTEST_ROWS ? n / 10 : CONTEST_ROWS;
    contest_begin(p, all);
    enter_last(p, from);
    d->place = allocate(n, sizeof *d->place);
    d->fold_of = allocate(n, sizeof *d->fold_of);
    pcn_pass_init(&draw, n, 1, p->t.seed);
    for (i = 0; pcn_pass_next(&draw, &row); i++) d->place[row] = i;
}

void contest_last(contest *p, contest *from, const rows *all, double until)
{
    block_draw d;
    uint32_t first = 0;
    if (from->all->state != TRIED) return;
    begin_last(p, from, all, until, &d);
    p->learns = rows_in_time(p, from);
    if (p->learns < all->count - p->held && p->learns > 3 * from->learns) {
        grow(p, from, &d);
        p->learns = rows_in_time(p, from);
        first = p->held;
    }
    if (p->learns > from->learns && !p->time_is_over) learn_blocks(p, &d, first);
    free(d.place);
    free(d.fold_of);
}
