#include "team.h"

#include <unistd.h>

/* ---- Progress ---- */

static void report_progress(run *r)
{
    const pcn_count *now = &model_learner(&r->m)->count;
    uint64_t rows_since = now->rows - r->reported.rows;
    if (r->s.quiet || r->s.test || now->rows < r->next_report) return;
    while (r->next_report <= now->rows) r->next_report *= 2;
    if (!isatty(STDERR_FILENO) && seconds() - r->began < 1) return;
    if (!r->table_begun)
        fprintf(stderr, "%12s %6s %12s %12s %14s\n", "rows", "epoch", "updates", "mistakes",
                "mistakes since");
    r->table_begun = 1;
    fprintf(stderr, "%12llu %6lu %12llu %12llu %12.2f %%\n", (unsigned long long)now->rows,
            (unsigned long)(r->pass.epoch ? r->pass.epoch : 1), (unsigned long long)now->updates,
            (unsigned long long)now->mistakes,
            100.0 * (double)(now->mistakes - r->reported.mistakes) / (double)rows_since);
    r->reported = *now;
}

/* With --test a line an epoch takes its place. */
static void print_epoch(const run *r, const epoch_result *e)
{
    if (arrlenu(r->epochs) == 1) fprintf(stderr, "%6s %12s %12s %12s\n", "epoch", "updates", "mistakes", "test error");
    fprintf(stderr, "%6zu %12llu %12llu %10.2f %%\n", (size_t)arrlenu(r->epochs), (unsigned long long)e->updates,
            (unsigned long long)e->mistakes, 100 * e->test_error);
}

/* ---- Learning ---- */

static float weight_of(const run *r, uint32_t class)
{
    return r->class_weight ? r->class_weight[class] : 1;
}

static int learn_row(run *r, const rows *d, uint32_t i, uint32_t id)
{
    pcn_perceptron *t = &r->m.trainer;
    int result, applied;
    result = r->m.kind->family->learn(&r->m, rows_vector(d, i), d->label[i], weight_of(r, d->label[i]), id);
    if (r->s.batch && result >= 0 && t->learner.count.rows % r->s.batch == 0) {
        applied = pcn_perceptron_apply_batch(t, 1);
        if (applied < 0) result = applied;
    }
    return result;
}

/* Keeps the weights that predict if they make the fewest errors yet on the rows held back. */
static uint32_t keep_if_best(run *r)
{
    uint32_t errors;
    model_use(&r->m, NULL);
    errors = model_errors(&r->m, &r->held_out, UINT32_MAX);
    if (pcn_pass_check(&r->pass, (float)errors) == 1)
        r->kept = pcn_linear_copy(&r->m.use, r->kept_memory);
    return errors;
}

/* The ratchet: weights go to the pocket if they make fewer errors than those there on the rows learned from. */
static void offer_to_pocket(run *r)
{
    uint32_t enough = r->kept.weight ? r->kept_errors : UINT32_MAX, errors;
    model_use(&r->m, NULL);
    errors = model_errors(&r->m, &r->data, enough);
    if (errors >= enough) return;
    r->kept_errors = errors;
    r->kept = pcn_linear_copy(&r->m.use, r->kept_memory);
    pcn_pass_keep(&r->pass);
}

static void end_epoch(run *r, const pcn_count *before)
{
    const pcn_count *now = &model_learner(&r->m)->count;
    epoch_result e = {0, 0, 0, 0};
    if (r->s.batch) { /* the last rows of an epoch may be fewer */
        int applied = pcn_perceptron_apply_batch(&r->m.trainer, 1);
        if (applied < 0) die(EXIT_INPUT, "a batch: %s", pcn_error_text(applied));
    }
    e.updates = now->updates - before->updates;
    e.mistakes = now->mistakes - before->mistakes;
    if (r->s.validate > 0) e.held_out_errors = keep_if_best(r);
    if (r->s.test) e.test_error = test_error(r);
    arrput(r->epochs, e);
    if (r->order != PCN_ORDER_FILE) r->m.epochs = r->pass.epoch;
    if (r->s.measure) watch_cycle(r);
    if (r->s.test && !r->s.quiet) print_epoch(r, &e);
    if (r->s.checkpoint && arrlenu(r->epochs) % r->s.checkpoint == 0) save_checkpoint(r);
}

void fail_row(uint64_t number, int result)
{
    die(EXIT_INPUT, "row %llu of the data: %s", (unsigned long long)number, pcn_error_text(result));
}

/* Rows are drawn in blocks, so that they can be brought near before their turn. */
enum { BLOCK = 64, AHEAD = 8 };

/* Draws the rows of this epoch that come next, at most a block: their numbers in the set's data. */
static uint32_t draw_block(const row_set *set, pcn_pass *p, uint32_t *row)
{
    uint32_t n = 0;
    while (n < BLOCK && pcn_pass_next(p, &row[n])) {
        row[n] = set->first + row[n] * set->stride;
        rows_fetch_start(set->data, row[n++]);
        if (p->left == 0) break;
    }
    return n;
}

/* What the rows after place i of a block need: their values, and the weights of the next one. */
static void look_ahead(const pcn_linear *m, const rows *d, const uint32_t *row, uint32_t i, uint32_t n)
{
    if (i + AHEAD < n) rows_fetch(d, row[i + AHEAD]);
    if (i + 1 < n && (m->column > 1 || !d->index)) pcn_linear_fetch(m, rows_vector(d, row[i + 1]));
}

int learn_epoch(run *r, pcn_perceptron *t, const row_set *set, pcn_pass *pass, uint32_t *failed)
{
    uint32_t row[BLOCK], i, n;
    do {
        n = draw_block(set, pass, row);
        for (i = 0; i < n && !interrupted; i++) {
            const uint32_t class = set->data->label[row[i]];
            int result;
            look_ahead(&t->model, set->data, row, i, n);
            result = linear_learn(r->m.kind, t, rows_vector(set->data, row[i]), class, weight_of(r, class));
            if (result >= 0) continue;
            *failed = (row[i] - set->first) / set->stride;
            return result;
        }
    } while (pass->left != 0 && !interrupted);
    return 0;
}

static void learn_in_shards(run *r)
{
    pcn_pass *p = &r->pass;
    pcn_count before = r->m.trainer.learner.count, now;
    uint32_t row;
    p->rows = 1; /* an epoch is one step of learning */
    shards_start(r);
    while (!interrupted && pcn_pass_next(p, &row)) {
        shards_learn(r);
        now = r->m.trainer.learner.count;
        pcn_pass_note(p, now.updates > before.updates);
        report_progress(r);
        end_epoch(r, &before);
        before = now;
    }
    shards_free(r);
}

/* Learns from a block of rows. The pass is told of each as if drawn alone. Returns the place of the last. */
static uint32_t learn_block(run *r, const uint32_t *row, uint32_t n)
{
    pcn_pass *p = &r->pass;
    const uint32_t last = p->left + n - 1;
    uint32_t i = 0;
    for (;; i++) {
        look_ahead(&r->m.trainer.model, &r->data, row, i, n);
        p->left = last - i;
        if (pcn_pass_note(p, learn_row(r, &r->data, row[i], row[i])) == 1 && r->s.pocket) offer_to_pocket(r);
        if (i + 1 == n || p->result != PCN_END_LIMIT || interrupted) return i;
    }
}

static void learn_in_turn(run *r)
{
    const row_set all = {&r->data, 0, 1, r->data.count};
    pcn_pass *p = &r->pass;
    pcn_count before = model_learner(&r->m)->count;
    uint32_t row[BLOCK], n, last;
    while (!interrupted && (n = draw_block(&all, p, row)) != 0) {
        last = learn_block(r, row, n);
        if (p->result < 0) fail_row((uint64_t)row[last] + 1, p->result);
        report_progress(r);
        if (p->left != 0) continue;
        end_epoch(r, &before);
        before = model_learner(&r->m)->count;
    }
    if (p->left != 0) end_epoch(r, &before); /* a clean window may end within an epoch */
    if (r->s.pocket) offer_to_pocket(r);     /* however short their run: it is not worse than the last weights */
}

void learn_collected(run *r)
{
    pcn_pass *p = &r->pass;
    static const uint8_t stop[] = {PCN_STOP_NEVER, PCN_STOP_EPOCH, PCN_STOP_WINDOW};
    r->rows = r->data.count;
    team_sum(&r->rows, 1);
    rows_drop_ones(&r->data);
    rows_drop_ones(&r->held_out);
    if (r->order == PCN_ORDER_FILE && team_size() == 1) note_order(r, &r->data);
    pcn_pass_init(p, r->data.count, r->m.epochs + r->s.epochs, r->s.seed);
    p->order = (uint8_t)r->order;
    p->stop = stop[r->s.stop];
    p->patience = r->s.patience;
    p->epoch = r->m.epochs; /* --resume: the orders go on where they were */
    if (r->s.measure) watch_cycle(r);
    if (r->s.shards > 1)
        learn_in_shards(r);
    else
        learn_in_turn(r);
}

/* ---- Rows as they are read ---- */

/* In the reading thread: the class of the row, which is made ready to be learned. */
static uint32_t take_example(void *context, reader *in)
{
    run *r = context;
    uint32_t class = labels_find(&r->m.labels, in->label);
    pcn_vec x;
    check_features(r, in);
    if (r->path == PATH_GUESS && (class == NO_LABEL || in->features > model_features(&r->m))) {
        r->wrong = 1;
        return END_STREAM;
    }
    if (class == NO_LABEL)
        reader_fail(in, "label %s is not one of the %s", in->label, r->s.resume ? "model's" : "classes");
    x = reader_vector(in);
    model_normalize(&r->m, &x, in->value);
    return class;
}

static void fail_in_stream(const run *r, const char *name, unsigned long line, int result)
    __attribute__((noreturn));

/* An error in the text of a file comes before learning's. */
static void fail_in_stream(const run *r, const char *name, unsigned long line, int result)
{
    reader in;
    if (r->path != PATH_STREAM) {
        reader_open(&in, name, &r->s.reader);
        while (reader_next(&in)) {}
    }
    die(EXIT_INPUT, "%s:%lu: %s", name, line, pcn_error_text(result));
}

/* Learns from all rows of a part of a stream, or up to one that cannot be learned: its number, else their count. */
static uint32_t learn_part(run *r, const rows *d, int *result)
{
    uint32_t i;
    *result = 0;
    note_order(r, d);
    for (i = 0; i < d->count && !interrupted; i++) {
        *result = learn_row(r, d, i, PCN_NO_ID);
        if (*result < 0) break;
        if (i % BLOCK == 0) report_progress(r);
    }
    return i;
}

static void learn_streaming(run *r, reader *in, int more)
{
    pcn_count before = model_learner(&r->m)->count;
    const block *b;
    stream s;
    int result;
    uint32_t i = learn_part(r, &r->data, &result); /* read while something was still missing */
    if (result < 0) fail_in_stream(r, in->name, r->line[i], result);
    rows_free(&r->data);
    arrfree(r->line);
    if (more) stream_start(&s, in, take_example, r);
    while (more && (b = stream_next(&s)) != NULL) {
        i = learn_part(r, &b->data, &result);
        if (result >= 0) continue;
        stream_leave(&s);
        fail_in_stream(r, in->name, b->line[i], result);
    }
    if (r->wrong) return;
    if (r->path == PATH_GUESS) pcn_perceptron_resize(&r->m.trainer, in->features, r->m.trainer.model.classes);
    end_epoch(r, &before);
    r->rows = model_learner(&r->m)->count.rows - before.rows;
    if (r->rows == 0 && !interrupted) die(EXIT_INPUT, "%s: no examples", in->name);
}

static void learn_rows(run *r, reader *in, const char *name)
{
    int more = find_rows(r, in, name);
    if (r->wrong) return;
    prepare_rows(r);
    if (r->s.test) read_test(r);
    r->read_seconds = seconds() - r->began;
    if (r->path == PATH_TWICE) {
        reader_close(in);
        reader_open(in, name, &r->s.reader);
        more = 1;
    }
    if (team_size() == 1) interrupt_softly(); /* others would not hear of it */
    if (r->path == PATH_COLLECT)
        learn_collected(r);
    else
        learn_streaming(r, in, more);
}

void report_dropped(const run *r, const reader *in)
{
    if (in->dropped && !r->s.quiet)
        fprintf(stderr, "%llu rows with missing values were left out\n", (unsigned long long)in->dropped);
}

void read_and_learn(run *r, const char *name)
{
    const model untrained = r->m;
    const unsigned form = r->s.reader.rows;
    reader in;
    learn_rows(r, &in, name);
    if (r->wrong) {
        reader_close(&in);
        rows_free(&r->data);
        arrfree(r->line);
        labels_free(&r->found);
        labels_init(&r->found);
        model_free(&r->m);
        free(r->class_weight);
        r->m = untrained;
        r->s.reader.rows = form;
        r->rows = r->label_runs = 0;
        r->wrong = 0;
        r->path = PATH_TWICE;
        learn_rows(r, &in, name);
    }
    report_dropped(r, &in);
    advise_on_order(r);
    advise_on_shards(r);
    r->train_seconds = seconds() - r->began - r->read_seconds;
    reader_close(&in);
}
