#include "processes.h"
#include "cli/signals.h"
#include "run.h"

static void print_epochs(const run *r, json *j)
{
    size_t i;
    json_open(j, "epochs", '[');
    for (i = 0; i < arrlenu(r->progress.epochs); i++) {
        const epoch_result *e = &r->progress.epochs[i];
        json_open(j, NULL, '{');
        json_count(j, "epoch", i + 1);
        json_count(j, "updates", e->updates);
        json_count(j, "mistakes", e->mistakes);
        if (r->t.held_out.count) json_count(j, "held_out_errors", e->held_out_errors);
        if (r->s->test) json_number(j, "test_error", e->test_error);
        if (r->s->batch == BATCH_ALL) json_number(j, "mean_step", e->step);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* What has come that the model had not. */
static uint32_t new_labels(const run *r)
{
    return labels_count(&r->m.labels) - r->in.had_labels;
}

static uint32_t new_features(const run *r)
{
    return model_features(&r->m) - r->in.had_features;
}

static void say_test(const run *r, say *to)
{
    const testing *t = &r->test;
    json *j = &to->j;
    json_open(j, "test", '{');
    json_count(j, "rows", t->data.count);
    json_count(j, "errors", t->result.errors);
    json_number(j, "accuracy", 1 - (double)t->result.errors / t->data.count);
    json_count(j, "unlabelled", t->result.unlabelled);
    json_close(j, '}');
    if (to->text && !r->s->report) report_print_accuracy(&t->result, to->text);
}

FILE *results_file(const run *r)
{
    return strcmp(r->name, "-") == 0 ? stderr : stdout; /* the model may be on standard output */
}

void say_results(run *r, size_t bytes)
{
    say to = say_to(results_file(r), r->s->json);
    json *j = &to.j;
    json_text(j, "algorithm", r->m.kind->name);
    json_count(j, "rows", r->t.rows);
    json_count(j, "features", model_features(&r->m));
    json_count(j, "classes", labels_count(&r->m.labels));
    if (r->s->resume || r->s->online) {
        json_count(j, "new_labels", new_labels(r));
        json_count(j, "new_features", new_features(r));
    }
    print_epochs(r, j);
    if (r->s->predictions) {
        json_open(j, "progressive", '{');
        json_count(j, "errors", r->a.count.mistakes);
        json_number(j, "accuracy", 1 - (double)r->a.count.mistakes / (double)r->a.count.rows);
        json_close(j, '}');
    }
    json_count(j, "model_bytes", bytes);
    json_open(j, "seconds", '{');
    json_seconds(j, "read", r->read_seconds);
    json_seconds(j, "train", r->train_seconds);
    json_seconds(j, "test", r->test.seconds);
    json_close(j, '}');
    if (r->s->shards > 1) {
        json_count(j, "shards", r->s->shards);
        json_count(j, "threads", r->t.shards.threads);
        json_seconds(j, "mixing_seconds", r->t.shards.mix_seconds);
    }
    if (process_count() > 1) {
        json_count(j, "processes", process_count());
        json_count(j, "sent_bytes", r->t.shards.sent);
    }
    if (model_vectors(&r->m)) json_count(j, "support_vectors", model_vectors(&r->m)->slots);
    if (r->s->test) say_test(r, &to);
    if (r->s->report) report_say(&r->test.result, &to);
    if (r->s->budget) json_count(j, "dropped", r->m.dropped);
    if (train_observer) train_observer->say_more(&r->t, &to);
    if (interrupted) json_word(j, "interrupted", "true");
    say_end(&to);
}

void print_summary(run *r, size_t bytes)
{
    const pcn_count *c = &model_learner(&r->m)->count;
    const char *column = r->m.label_name ? printable(r->m.label_name, SIZE_MAX) : NULL; /* before a line is begun */
    size_t i;
    fprintf(stderr, "%llu rows, %lu features, %lu classes", (unsigned long long)r->t.rows,
            (unsigned long)model_features(&r->m), (unsigned long)labels_count(&r->m.labels));
    if (column) fprintf(stderr, " (column '%s')", column);
    fprintf(stderr, "\n%zu %s, %llu updates, %llu mistakes", (size_t)arrlenu(r->progress.epochs),
            arrlenu(r->progress.epochs) == 1 ? "epoch" : "epochs", (unsigned long long)c->updates,
            (unsigned long long)c->mistakes);
    if (r->s->shards > 1) fprintf(stderr, ", %lu shards", (unsigned long)r->s->shards);
    if (r->m.dropped) fprintf(stderr, ", %llu times no room for a row", (unsigned long long)r->m.dropped);
    if (r->s->resume) fprintf(stderr, " in all");
    fprintf(stderr, "; %s: %zu bytes\n", strcmp(r->name, "-") == 0 ? "standard output" : r->name, bytes);
    if (r->s->online || (r->s->resume && (new_labels(r) || new_features(r))))
        fprintf(stderr, "new: %lu %s, %lu %s\n", (unsigned long)new_labels(r), new_labels(r) == 1 ? "label" : "labels",
                (unsigned long)new_features(r), new_features(r) == 1 ? "feature" : "features");
    if (r->s->predictions)
        fprintf(stderr, "predicted before they were learned: %llu of %llu wrong (%.4g %%)\n",
                (unsigned long long)r->a.count.mistakes, (unsigned long long)r->a.count.rows,
                100 * (double)r->a.count.mistakes / (double)r->a.count.rows);
    for (i = 0; i < arrlenu(r->o->overridden); i++)
        fprintf(stderr, "%s%s%s", i ? ", " : "given again: ", r->o->overridden[i],
                i + 1 < arrlenu(r->o->overridden) ? "" : "\n");
}

/* ---- Interrupted ---- */

uint32_t epochs_left(const run *r)
{
    const uint32_t n = (uint32_t)arrlenu(r->progress.epochs);
    if (!interrupted || (!r->t.partial && r->t.pass.result != PCN_END_LIMIT)) return 0;
    return r->s->epochs - (gives_up(r) ? r->saved : n - (r->t.partial != 0));
}

/* The command that goes on: with the options that no model remembers. */
static void print_command(const run *r, const char *data)
{
    const char *name = strcmp(r->name, "-") == 0 ? "MODEL" : r->name;
    char **again = options_typed(r->o, KEPT | SHAPE);
    size_t i;
    fputs("  perceptron train --resume ", stderr);
    print_shell_word(stderr, name);
    fprintf(stderr, " -e %lu ", (unsigned long)epochs_left(r));
    for (i = 0; i < arrlenu(again); i++) {
        if (strncmp(again[i], "--epochs=", 9) == 0 || strncmp(again[i], "--resume=", 9) == 0) continue;
        print_shell_word(stderr, again[i]);
        fputc(' ', stderr);
    }
    print_shell_word(stderr, data);
    fputc(' ', stderr);
    print_shell_word(stderr, name);
    fputc('\n', stderr);
}

void print_way_on(const run *r, const char *data)
{
    const unsigned long all = r->s->epochs, learned = all - epochs_left(r);
    say made;
    if (learned == all) {
        fprintf(stderr, "perceptron: interrupted when all was learned\n");
        return;
    }
    if (r->t.partial && !r->whole)
        fprintf(stderr, "perceptron: interrupted in epoch %lu of %lu; to go on%s:\n", learned + 1, all,
                strcmp(data, "-") == 0 ? "" : ", all rows again");
    else
        fprintf(stderr, "perceptron: interrupted after %lu of %lu epochs; to go on:\n", learned, all);
    print_command(r, data);
    if (!r->s->json || !gives_up(r)) return;
    made = say_to(stdout, 1);
    json_word(&made.j, "interrupted", "true");
    json_count(&made.j, "checkpoint", learned);
    say_end(&made);
}
