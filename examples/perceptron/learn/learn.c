#include "learn.h"
#include "processes.h"

#include <math.h>

const observer *train_observer;

/* ---- A row ---- */

int training_learn_row(training *t, const rows *d, uint32_t i, uint32_t id)
{
    const pcn_vec x = rows_vector(d, i);
    int result = t->learn(t->m, &x, d->label[i], rows_weight(d, i), id), applied;
    if (t->s->batch && result >= 0 && (model_learner(t->m)->count.rows - t->begun.rows) % t->s->batch == 0) {
        applied = pcn_perceptron_apply_batch(&t->m->trainer, 1);
        if (applied < 0) result = applied;
    }
    return result;
}

static void show_progress(training *t)
{
    if (t->progress) progress_rows(t->progress, &model_learner(t->m)->count, t->pass.epoch);
}

/* ---- Epochs ---- */

static void keep(training *t)
{
    const pcn_linear *l = &t->m->predictor;
    must(pcn_linear_copy(l, &t->kept, t->kept_memory, model_numbers(l) * sizeof *t->kept_memory));
}

/* Keeps the weights that predict if they make the fewest errors yet on the rows held back. */
static uint32_t keep_if_best(training *t)
{
    uint32_t errors;
    model_use(t->m, NULL);
    errors = model_errors(t->m, &t->held_out, UINT32_MAX);
    if (pcn_pass_check(&t->pass, (float)errors) == 1) keep(t);
    return errors;
}

/* The ratchet: weights go to the pocket if they make fewer errors than those there on the rows learned from. */
static void offer_to_pocket(training *t)
{
    uint32_t enough = t->kept.weight ? t->kept_errors : UINT32_MAX, errors;
    model_use(t->m, NULL);
    errors = model_errors(t->m, t->data, enough);
    if (errors >= enough) return;
    t->kept_errors = errors;
    keep(t);
    pcn_pass_keep(&t->pass);
}

/* The last rows of an epoch may be fewer. The mean step of all is Eaton's, and its length ends learning. */
static double end_batch(training *t)
{
    pcn_perceptron *p = &t->m->trainer;
    const float *batch = t->m->arrays.batch;
    const size_t n = model_numbers(&p->live);
    const uint64_t learned = p->learner.count.rows - t->begun.rows;
    const float share = t->s->batch == BATCH_ALL && learned ? 1 / (float)learned : 1;
    double length = 0;
    size_t i;
    int applied;
    for (i = 0; t->s->batch == BATCH_ALL && i < n; i++) length += pow((double)(share * batch[i]), 2);
    length = sqrt(length);
    if (length < (double)t->s->until) t->pass.result = PCN_END_CLEAN;
    applied = pcn_perceptron_apply_batch(p, share);
    if (applied < 0) die(EXIT_INPUT, "a batch: %s", pcn_error_text(applied));
    return length;
}

void training_end_epoch(training *t)
{
    const pcn_count *now = &model_learner(t->m)->count;
    epoch_result e = {0, 0, 0, 0, 0};
    if (t->s->batch) e.step = end_batch(t);
    e.updates = now->updates - t->begun.updates;
    e.mistakes = now->mistakes - t->begun.mistakes;
    t->begun = *now;
    if (t->s->validate > 0) e.held_out_errors = keep_if_best(t);
    if (t->order != PCN_ORDER_FILE) t->m->epochs = t->pass.epoch;
    if (t->ended) t->ended(t->context, &e);
}

static void learn_in_shards(training *t)
{
    pcn_pass *p = &t->pass;
    const pcn_count *now = &t->m->trainer.learner.count;
    uint32_t row;
    p->rows = 1; /* an epoch is one step of learning */
    t->shards.common = t->m;
    t->shards.count = t->s->shards;
    t->shards.seed = t->s->seed;
    t->shards.order = t->order;
    shards_start(&t->shards, t->data);
    while (!interrupted && pcn_pass_next(p, &row)) {
        shards_learn(&t->shards, p->epoch);
        t->partial = interrupted != 0;
        pcn_pass_note(p, now->updates > t->begun.updates);
        show_progress(t);
        training_end_epoch(t);
    }
    shards_free(&t->shards);
}

/* Are the rows that were drawn ahead not to be learned any more? The next look for rows ends the pass then. */
static int ends_here(const pcn_pass *p)
{
    return p->stop == PCN_STOP_WINDOW && p->run >= p->rows;
}

/* Learns from a block of rows. The pass is told of each as if drawn alone. Returns the place of the last. */
static uint32_t learn_block(training *t, const uint32_t *row, uint32_t n)
{
    pcn_pass *p = &t->pass;
    const uint32_t last = p->left + n - 1;
    uint32_t i = 0;
    for (;; i++) {
        rows_look_ahead(t->data, &t->m->trainer.live, row, i, n);
        p->left = last - i;
        if (pcn_pass_note(p, training_learn_row(t, t->data, row[i], row[i])) == 1 && t->s->pocket) offer_to_pocket(t);
        if (i + 1 == n || p->result != PCN_END_LIMIT || ends_here(p) || interrupted) return i;
    }
}

static int may_go_on(training *t)
{
    t->given_up = t->goes_on && !t->goes_on(t);
    return !interrupted && !t->given_up;
}

static void learn_in_turn(training *t)
{
    const row_set all = {t->data, 0, 1, t->data->count};
    pcn_pass *p = &t->pass;
    uint32_t row[ROWS_BLOCK], n, last;
    while (may_go_on(t) && (n = rows_draw(&all, p, row)) != 0) {
        last = learn_block(t, row, n);
        if (p->result < 0) fail_row((uint64_t)row[last] + 1, p->result);
        show_progress(t);
        if (p->left == 0) training_end_epoch(t);
    }
    if (t->given_up) return;
    t->partial = p->left != 0 && p->result == PCN_END_LIMIT;
    if (p->left != 0) training_end_epoch(t); /* a clean window may end within an epoch, too */
    if (t->s->pocket) offer_to_pocket(t);    /* however short their run: it is not worse than the last weights */
}

void training_start(training *t, rows *data)
{
    t->data = data;
    data->label_weight = t->label_weight;
    set_learner(t->m, t->s);
    if (!t->learn) t->learn = t->m->kind->family->learn;
    t->begun = model_learner(t->m)->count;
    if (t->s->pocket || t->s->validate > 0)
        t->kept_memory = allocate(model_numbers(&t->m->trainer.live), sizeof *t->kept_memory);
    if (t->progress) progress_start(t->progress, &model_learner(t->m)->count);
}

void training_begin(training *t)
{
    static const uint8_t stop[] = {PCN_STOP_NEVER, PCN_STOP_EPOCH, PCN_STOP_WINDOW};
    pcn_pass *p = &t->pass;
    t->rows = t->data->count;
    processes_sum(&t->rows, 1);
    rows_drop_ones(t->data);
    rows_drop_ones(&t->held_out);
    if (t->order == PCN_ORDER_FILE && process_count() == 1) note_order(&t->labels, t->data);
    pcn_pass_init(p, t->data->count, t->m->epochs + t->s->epochs, t->s->seed);
    p->order = (uint8_t)t->order;
    p->stop = stop[t->s->stop];
    p->patience = t->s->patience;
    p->epoch = t->m->epochs; /* --resume: the orders go on where they were */
}

void learn_collected(training *t)
{
    if (t->s->shards > 1)
        learn_in_shards(t);
    else
        learn_in_turn(t);
}

const pcn_linear *training_kept(const training *t)
{
    return t->kept.weight ? &t->kept : NULL;
}

void training_free(training *t)
{
    rows_free(&t->held_out);
    arrfree(t->labels.count);
    free(t->kept_memory);
}
