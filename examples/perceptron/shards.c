/* train --shards: row i belongs to shard i mod S. Every shard learns an epoch of its rows by itself, from the weights
 * that all began with; then these are mixed. The order of a shard is that of a pass with a seed of its own, so what
 * comes out depends on S and not on the number of threads or processes. */
#include "team.h"

#include <pthread.h>

/* ---- Tasks for threads ---- */

typedef struct work {
    void (*task)(run *r, size_t number);
    run *r;
    size_t next, tasks;
    pthread_mutex_t lock; /* of next */
} work;

static void *do_tasks(void *given)
{
    work *w = given;
    size_t number;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        number = w->next++;
        pthread_mutex_unlock(&w->lock);
        if (number >= w->tasks) return NULL;
        w->task(w->r, number);
    }
}

/* Tasks 0 .. tasks - 1, each done by whichever thread is free. A thread that cannot be had is done without. */
static void do_all(run *r, void (*task)(run *r, size_t number), size_t tasks)
{
    work w = {task, r, 0, tasks, PTHREAD_MUTEX_INITIALIZER};
    size_t threads = r->threads < tasks ? r->threads : tasks, started = 0;
    pthread_t *thread = allocate(threads, sizeof *thread);
    while (started + 1 < threads && pthread_create(&thread[started], NULL, do_tasks, &w) == 0) started++;
    do_tasks(&w);
    while (started > 0) pthread_join(thread[--started], NULL);
    pthread_mutex_destroy(&w.lock);
    free(thread);
}

/* ---- Shards ---- */

size_t shard_numbers(const run *r)
{
    return PCN_LINEAR_FLOATS(r->m.trainer.model.features, r->m.trainer.model.classes);
}

/* Shards of this process: every team_size()-th. */
static uint32_t shard_number(size_t own)
{
    return team_rank() + (uint32_t)own * team_size();
}

void shards_start(run *r)
{
    const pcn_perceptron *common = &r->m.trainer;
    const uint32_t features = common->model.features, classes = common->model.classes;
    uint32_t s, i, owned;
    for (s = team_rank(); s < r->s.shards; s += team_size()) {
        shard *own = arraddnptr(r->shards, 1);
        memset(own, 0, sizeof *own);
        own->trainer = *common;
        own->trainer.weight = allocate_for_weights(PCN_PERCEPTRON_FLOATS(features, classes), sizeof(float));
        if (common->sum)
            own->trainer.sum = allocate_for_weights(PCN_AVERAGING_FLOATS(features, classes), sizeof(float));
        if (common->state) own->trainer.state = allocate_for_weights(shard_numbers(r), sizeof(float));
        pcn_perceptron_resize(&own->trainer, features, classes); /* takes the new arrays */
    }
    owned = (uint32_t)arrlenu(r->shards);
    for (i = 0; i < owned; i++) { /* in turn, as in the order of the data */
        const row_set own = {&r->data, i, owned, r->data.count / owned + (i < r->data.count % owned)};
        r->shards[i].rows = own;
    }
}

void shards_free(run *r)
{
    size_t i;
    for (i = 0; i < arrlenu(r->shards); i++) {
        free(r->shards[i].trainer.weight);
        free(r->shards[i].trainer.sum);
        free(r->shards[i].trainer.state);
    }
    arrfree(r->shards);
}

/* As an epoch begins. */
static void take_common(shard *own, const run *r)
{
    pcn_perceptron *t = &own->trainer;
    memcpy(t->weight, r->m.trainer.weight, shard_numbers(r) * sizeof *t->weight);
    if (t->state) memcpy(t->state, r->m.trainer.state, shard_numbers(r) * sizeof *t->state);
    if (t->sum) pcn_perceptron_use_averaging(t, t->sum, 2 * shard_numbers(r));
    memset(&t->learner.count, 0, sizeof t->learner.count);
    own->result = 0;
}

/* By a trainer on the stack: what it counts at each row must not share a line of the caches with another shard. */
static void learn_shard(run *r, size_t number)
{
    shard *own = &r->shards[number];
    pcn_perceptron trainer;
    pcn_pass pass;
    take_common(own, r);
    trainer = own->trainer;
    pcn_pass_init(&pass, own->rows.count, 0, r->s.seed ^ shard_number(number) * 0x9e3779b9u);
    pass.order = (uint8_t)r->order;
    pass.epoch = r->pass.epoch - 1;
    own->result = learn_epoch(r, &trainer, &own->rows, &pass, &own->row);
    own->trainer = trainer;
}

/* The first row of all that cannot be learned ends the program. */
static void check_results(const run *r)
{
    uint64_t first = UINT64_MAX; /* its number, and the error */
    size_t i;
    for (i = 0; i < arrlenu(r->shards); i++) {
        const shard *own = &r->shards[i];
        uint64_t row = (uint64_t)own->row * r->s.shards + shard_number(i) + 1;
        if (own->result < 0 && first > (row << 8 | (uint8_t)-own->result)) first = row << 8 | (uint8_t)-own->result;
    }
    first = team_least(first);
    if (first != UINT64_MAX) fail_row(first >> 8, -(int)(first & 255));
}

/* ---- Mixing ---- */

enum { SLICE = 1 << 14 }; /* numbers that a thread mixes at once */

pcn_shard shard_from(pcn_shard of, size_t from)
{
    of.weight += from;
    if (of.sum) of.sum += from, of.rest += from;
    if (of.state) of.state += from;
    return of;
}

/* From number `from` of r->mix on. */
static void mix_range(run *r, size_t from, size_t count)
{
    pcn_shard range[SHARDS_MOST];
    uint32_t s;
    for (s = 0; s < r->s.shards; s++) range[s] = shard_from(r->mix[s], from);
    pcn_perceptron_mix(&r->m.trainer, range, r->s.shards, r->mix_from + from, count);
}

static void mix_slice(run *r, size_t number)
{
    const size_t from = number * SLICE;
    mix_range(r, from, r->mix_count - from < SLICE ? r->mix_count - from : SLICE);
}

/* The last number of all, or the empty range behind it, adds the counts. It comes when the threads are done. */
void shards_mix(run *r, const pcn_shard *of, size_t from, size_t count)
{
    const size_t all = shard_numbers(r), last = from + count == all;
    int result = pcn_perceptron_mix(&r->m.trainer, of, r->s.shards, from, 0);
    if (result < 0) die(EXIT_INPUT, "mixing: %s", pcn_error_text(result));
    r->mix = of;
    r->mix_from = from;
    r->mix_count = count - last;
    do_all(r, mix_slice, (r->mix_count + SLICE - 1) / SLICE);
    if (last) mix_range(r, r->mix_count, 1);
    if (!last) pcn_perceptron_mix(&r->m.trainer, of, r->s.shards, all, 0);
}

pcn_shard shard_all(const run *r, const shard *own)
{
    const pcn_perceptron *t = &own->trainer;
    pcn_shard all = {t->weight, t->sum, t->sum ? t->sum + shard_numbers(r) : NULL, t->state, t->learner.count};
    return all;
}

void shards_learn(run *r)
{
    double from;
    do_all(r, learn_shard, arrlenu(r->shards));
    check_results(r);
    from = seconds();
    team_mix(r);
    r->mix_seconds += seconds() - from;
}
