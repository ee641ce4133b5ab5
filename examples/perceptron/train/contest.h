/* perceptron compare: settings that learn the same rows in turn, and are tested on the same others. */
#ifndef CONTEST_H
#define CONTEST_H

#include "judge.h"
#include "run.h"
#include "ways.h"

enum { CONTEST_ROWS = 10000 /* at most, in part 1 */ };
enum state { SKIPPED, TRIED, BEATEN, GIVEN_UP };

typedef struct candidate {
    enum state state;
    options o;
    settings s;
    model m;
    const run *again;        /* it reads the data in a way of its own; NULL: as the others */
    const rows *again_drawn; /* the rows of part 1, as it reads them */
    float *label_weight;
    losses l;
    float *score, *norm2; /* of the rows; NULL: nobody asks */
    uint32_t always;      /* the class of all its predictions; NO_LABEL: there are several */
    uint32_t learned;     /* folds of all repeats */
    int stopped;          /* it has no time for another repeat */
    size_t bytes;         /* of the last model */
    double seconds, last; /* of all, and of its last repeat */
    double expected;      /* of what it needs, as far as is known */
    double may_take;      /* seconds */
} candidate;

/* Rows, and the settings that learn them. */
typedef struct contest {
    const run *r;
    tests t;
    losses commonest;
    candidate all[WAYS];
    uint32_t learns;  /* rows that a model learns from */
    uint32_t held;    /* rows that it is tested on, in part 2 */
    uint32_t need;    /* folds: who cannot end them in time is given up */
    uint32_t repeats; /* that have ended */
    double until;     /* by seconds() */
    double odd;       /* seconds that tell nothing yet of those to come */
    int time_is_over;
    int is_last;     /* one repeat, each fold of which is tested by itself */
    output *nowhere; /* takes models, which tells their bytes */
    uint32_t *class; /* said of the rows */
    /* the one that learns now */
    candidate *now;
    double began;
    uint32_t epochs; /* of its fold, that have ended */
} contest;

/* ---- contest.c ---- */

const way *way_of(const contest *c, const candidate *k);
/* Makes room for what is known of its rows. r, until, odd, nowhere, learns and need are set, and the tests as
 * tests_init wants them. */
void contest_begin(contest *c, const rows *all);
/* Takes part in it: its options, settings and model are there. */
void contest_join(contest *c, candidate *k, double may_take);
/* All settings learn all folds once more. In the first repeat who is clearly worse than the best leaves after each
 * fold. What time breaks off counts for nothing: a repeat, of the first a fold. */
void contest_repeat(contest *c);
/* Is there time for another, as the last one went? */
int contest_has_time(contest *c);
/* All settings are tested on the next fold, and learn what has another number in `fold_of`. If that breaks off, it
 * counts for nothing. */
void contest_block(contest *c, const uint32_t *fold_of);
/* Those that are left, who costs least first; returns how many. */
size_t contest_order(contest *c, candidate *order[WAYS]);
void tell(const char *text); /* on a terminal, in place of the last line; "": nothing */

/* ---- last.c ---- */

/* Of those left in `from` the default and the two best learn as many rows as the time allows, and are tested on tenths
 * that are held out in turn; of three one leaves before. If the time is too short, no fold is tested. */
void contest_last(contest *p, contest *from, const rows *all, double until);

/* ---- compared.c ---- */

typedef struct verdict {
    const candidate *best, *hint; /* NULL: there is none */
    double z, asked;              /* of that of both which there is; NaN: neither */
    double baseline_z;            /* of the best, over the commonest label */
    int nothing;                  /* nobody predicts better than the commonest label */
} verdict;

void say_first(const contest *c, uint32_t all, say *to); /* all: rows that there are */
void say_last(const contest *c, say *to);
void say_verdict(const contest *c, const verdict *v, say *to);

#endif
