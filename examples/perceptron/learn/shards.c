#include "shards.h"
#include "processes.h"
#include "tasks.h"

/* ---- Shards ---- */

/* In an array of a shard. */
static size_t numbers_of(const shards *s)
{
    return model_numbers(&s->common->trainer.live);
}

/* Shards of this process: every process_count()-th. */
static uint32_t shard_number(size_t own)
{
    return process_number() + (uint32_t)own * process_count();
}

void shards_start(shards *s, const rows *data)
{
    const pcn_linear *l = &s->common->trainer.live;
    const pcn_arrays *like = &s->common->arrays;
    uint32_t k, i, owned;
    for (k = process_number(); k < s->count; k += process_count()) {
        shard *own = arraddnptr(s->own, 1);
        memset(own, 0, sizeof *own);
        own->trainer = s->common->trainer;
        arrays_make(&own->arrays, l->features, l->scores, like->sum != NULL, 0, like->state != NULL);
        must(pcn_perceptron_resize(&own->trainer, l->features, PCN_CLASSES(l->scores),
                                   &own->arrays)); /* takes the new arrays */
    }
    owned = (uint32_t)arrlenu(s->own);
    for (i = 0; i < owned; i++) { /* in turn, as in the order of the data */
        const row_set own = {data, i, owned, data->count / owned + (i < data->count % owned)};
        s->own[i].rows = own;
    }
}

void shards_free(shards *s)
{
    size_t i;
    for (i = 0; i < arrlenu(s->own); i++) arrays_free(&s->own[i].arrays);
    arrfree(s->own);
}

/* ---- An epoch ---- */

/* As it begins. */
static void take_common(shard *own, const shards *s)
{
    pcn_perceptron *t = &own->trainer;
    const pcn_arrays *from = &s->common->arrays, *to = &own->arrays;
    const size_t bytes = numbers_of(s) * sizeof *to->memory;
    memcpy(to->memory, from->memory, bytes);
    if (to->state) memcpy(to->state, from->state, bytes);
    if (to->sum) must(pcn_perceptron_use_averaging(t, to->sum, to->sum_bytes));
    memset(&t->learner.count, 0, sizeof t->learner.count);
    own->result = 0;
}

/* The next epoch of a pass, or up to a row that cannot be learned, whose number goes to *failed. Returns what the last
 * row gave. */
static int learn_pass(const shards *s, pcn_perceptron *t, const row_set *set, pcn_pass *pass, uint32_t *failed)
{
    uint32_t row[ROWS_BLOCK], i, n;
    do {
        n = rows_draw(set, pass, row);
        for (i = 0; i < n && !interrupted; i++) {
            const pcn_vec x = rows_vector(set->data, row[i]);
            const uint32_t class = set->data->label[row[i]];
            const float weight = rows_weight(set->data, row[i]);
            int result;
            rows_look_ahead(set->data, &t->live, row, i, n);
            result = linear_learn(s->common->kind, t, &x, class, weight);
            if (result >= 0) continue;
            *failed = (row[i] - set->first) / set->stride;
            return result;
        }
    } while (pass->left != 0 && !interrupted);
    return 0;
}

/* By a trainer on the stack: what it counts at each row must not share a line of the caches with another shard. */
static void learn_shard(void *context, size_t number)
{
    const shards *s = context;
    shard *own = &s->own[number];
    pcn_perceptron trainer;
    pcn_pass pass;
    take_common(own, s);
    trainer = own->trainer;
    pcn_pass_init(&pass, own->rows.count, 0, s->seed ^ shard_number(number) * 0x9e3779b9u);
    pass.order = (uint8_t)s->order;
    pass.epoch = s->epoch - 1;
    own->result = learn_pass(s, &trainer, &own->rows, &pass, &own->row);
    own->trainer = trainer;
}

void fail_row(uint64_t number, int result)
{
    die(EXIT_INPUT, "row %llu of the data: %s", (unsigned long long)number, pcn_error_text(result));
}

/* The first row of all that cannot be learned ends the program. */
static void check_results(const shards *s)
{
    uint64_t first = UINT64_MAX; /* its number, and the error */
    size_t i;
    for (i = 0; i < arrlenu(s->own); i++) {
        const shard *own = &s->own[i];
        uint64_t row = (uint64_t)own->row * s->count + shard_number(i) + 1;
        if (own->result < 0 && first > (row << 8 | (uint8_t)-own->result)) first = row << 8 | (uint8_t)-own->result;
    }
    first = processes_least(first);
    if (first != UINT64_MAX) fail_row(first >> 8, -(int)(first & 255));
}

/* ---- Mixing ---- */

enum { SLICE = 1 << 14 }; /* numbers that a thread mixes at once */

/* From number `from` of s->mixed on. */
static void mix_range(shards *s, size_t from, size_t count)
{
    pcn_shard range[SHARDS_MOST];
    uint32_t k;
    for (k = 0; k < s->count; k++) range[k] = shard_from(s->mixed[k], from);
    pcn_perceptron_mix(&s->common->trainer, range, s->count, s->mixed_from + from, count);
}

static void mix_slice(void *context, size_t number)
{
    shards *s = context;
    const size_t from = number * SLICE;
    mix_range(s, from, s->mixed_count - from < SLICE ? s->mixed_count - from : SLICE);
}

/* The last number of all, or the empty range behind it, adds the counts. It comes when the threads are done. */
static void mix(void *context, const pcn_shard *all, size_t from, size_t count)
{
    shards *s = context;
    const size_t n = numbers_of(s), last = from + count == n;
    int result = pcn_perceptron_mix(&s->common->trainer, all, s->count, from, 0);
    if (result < 0) die(EXIT_INPUT, "mixing: %s", pcn_error_text(result));
    s->mixed = all;
    s->mixed_from = from;
    s->mixed_count = count - last;
    do_tasks(mix_slice, s, (s->mixed_count + SLICE - 1) / SLICE, s->threads);
    if (last) mix_range(s, s->mixed_count, 1);
    if (!last) pcn_perceptron_mix(&s->common->trainer, all, s->count, n, 0);
}

void shards_learn(shards *s, uint32_t epoch)
{
    pcn_shard own[SHARDS_MOST];
    double from;
    size_t i;
    s->epoch = epoch;
    do_tasks(learn_shard, s, arrlenu(s->own), s->threads);
    check_results(s);
    from = seconds();
    for (i = 0; i < arrlenu(s->own); i++) {
        const pcn_arrays *a = &s->own[i].arrays;
        const pcn_learner *l = &s->own[i].trainer.learner;
        const pcn_shard learned = {a->memory, a->sum,   a->sum ? a->sum + numbers_of(s) : NULL,
                                   a->state,  l->count, l->clock};
        own[i] = learned;
    }
    s->sent += processes_mix(&s->common->arrays, numbers_of(s), own, s->count, mix, s);
    s->mix_seconds += seconds() - from;
}
