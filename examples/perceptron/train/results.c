#include "cli/option_values.h"
#include "learn/processes.h"
#include "report/list.h"
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
        if (has_test(r)) json_number(j, "test_error", e->test_error);
        if (r->s->batch == BATCH_ALL) json_number(j, "mean_step", e->step);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* What was done to the rows. */
static void say_preparation(const model *m, say *to)
{
    static const char *const scaled[] = {NULL, "rows have length 1", "each feature is divided by its greatest value",
                                         "columns of numbers have mean 0 and deviation 1",
                                         "columns of numbers have mean 0 and deviation 1, then rows length 1"};
    char *words = option_word(WORDS_WORDS, m->words), *normalize = option_word(NORMALIZE_WORDS, m->normalize);
    json_text(&to->j, "normalize", normalize);
    if (model_weighs_words(m)) json_text(&to->j, "words", words);
    if (m->normalize != NORMALIZE_NONE && (!model_standardizes(m) || m->scaler.features > 0))
        say_line(to, "%s (--normalize %s)\n", scaled[m->normalize], normalize);
    if (model_weighs_words(m)) say_line(to, "words are weighted, those of a row have length 1 (--words %s)\n", words);
    list_dates(to, m, "dates are " DATE_UNIT ": ", "\n", model_first(m));
    free(words);
    free(normalize);
}

static void say_learned(run *r, say *to, size_t bytes)
{
    const pcn_count *c = &model_learner(&r->m)->count;
    const char *column = r->m.label_name ? printable(r->m.label_name, SIZE_MAX) : NULL; /* before a line is begun */
    const size_t epochs = arrlenu(r->progress.epochs), overridden = arrlenu(r->o->overridden);
    size_t i;
    json_text(&to->j, "algorithm", r->m.kind->name);
    list_pair(to, &r->m, "");
    if (r->m.beside) say_line(to, "\n");
    say_count(to, "rows", "", r->t.rows, " rows, ");
    say_count(to, "features", "", model_features(&r->m), " features, ");
    say_count(to, "classes", "", labels_count(&r->m.labels), " classes");
    if (column) say_line(to, " (column '%s')", column);
    say_line(to, "\n");
    say_preparation(&r->m, to);
    print_epochs(r, &to->j);
    say_line(to, "%zu %s, %llu updates, %llu mistakes", epochs, epochs == 1 ? "epoch" : "epochs",
             (unsigned long long)c->updates, (unsigned long long)c->mistakes);
    if (r->s->shards > 1) {
        say_count(to, "shards", ", ", r->s->shards, " shards");
        json_count(&to->j, "threads", r->t.shards.threads);
        json_seconds(&to->j, "mixing_seconds", r->t.shards.mix_seconds);
    }
    if (r->s->budget) say_count(to, "dropped", ", ", r->m.dropped, " times no room for a row");
    say_line(to, "%s; %s: ", r->s->resume ? " in all" : "", strcmp(r->name, "-") == 0 ? "standard output" : r->name);
    say_count(to, "model_bytes", "", bytes, " bytes\n");
    if (r->s->resume || r->s->online) {
        const uint32_t classes = labels_count(&r->m.labels) - r->in.had_labels;
        const uint32_t features = model_features(&r->m) - r->in.had_features;
        say_count(to, "new_labels", "new: ", classes, classes == 1 ? " label, " : " labels, ");
        say_count(to, "new_features", "", features, features == 1 ? " feature\n" : " features\n");
        if (r->s->probabilities && r->in.had_labels == 2 && classes > 0)
            say_text(to, "probabilities", "a third label ends the probabilities of two: ",
                     model_calibrated(&r->m) ? "begun anew" : "none; --online begins anew", "\n");
    }
    if (r->s->predictions) {
        const double share = (double)r->a.count.mistakes / (double)r->a.count.rows;
        json_open(&to->j, "progressive", '{');
        say_count(to, "errors", "predicted before they were learned: ", r->a.count.mistakes, " of ");
        json_number(&to->j, "accuracy", 1 - share);
        json_close(&to->j, '}');
        say_line(to, "%llu wrong (%.4g %%)\n", (unsigned long long)r->a.count.rows, 100 * share);
    }
    if (overridden > 0) json_open(&to->j, "given_again", '[');
    for (i = 0; i < overridden; i++)
        say_text(to, NULL, i ? ", " : "given again: ", r->o->overridden[i], i + 1 < overridden ? "" : "\n");
    if (overridden > 0) json_close(&to->j, ']');
}

FILE *results_file(const run *r)
{
    return strcmp(r->name, "-") == 0 ? stderr : stdout; /* the model may be on standard output */
}

void say_results(run *r, size_t bytes)
{
    say to = say_to(results_file(r), r->s->json);
    json *j = &to.j;
    FILE *results = to.text;
    to.text = r->s->quiet || r->s->json ? NULL : stderr;
    say_learned(r, &to, bytes);
    to.text = results;
    json_open(j, "seconds", '{');
    json_seconds(j, "read", r->read_seconds);
    json_seconds(j, "train", r->train_seconds);
    json_seconds(j, "test", r->test.seconds);
    json_close(j, '}');
    if (process_count() > 1) {
        json_count(j, "processes", process_count());
        json_count(j, "sent_bytes", r->t.shards.sent);
    }
    if (model_vectors(&r->m)) json_count(j, "support_vectors", model_vectors(&r->m)->slots);
    if (has_test(r)) {
        json_open(j, "test", '{');
        report_put_counts(&r->test.result, r->test.data.count, j);
        json_close(j, '}');
    }
    if (has_test(r) && r->s->report)
        report_say(&r->test.result, &to);
    else if (has_test(r) && to.text)
        report_print_accuracy(&r->test.result, to.text);
    if (has_test(r) && !r->s->quiet) report_advise(&r->test.result, r->s->weights != NULL);
    if (train_observer && !r->is_fifth) train_observer->say_more(&r->t, &to);
    if (interrupted) json_word(j, "interrupted", "true");
    say_end(&to);
}

/* ---- Interrupted ---- */

uint32_t epochs_left(const run *r)
{
    const uint32_t n = (uint32_t)arrlenu(r->progress.epochs), all = r->s->epochs;
    uint32_t learned;
    if (r->is_fifth) { /* once at least, since other rows were held back */
        learned = r->t.pass.epoch - (r->t.partial != 0);
        return learned < all ? all - learned : 1;
    }
    if (!interrupted || (!r->t.partial && r->t.pass.result != PCN_END_LIMIT)) return 0;
    return all - (gives_up(r) ? r->saved : n - (r->t.partial != 0));
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
    texts_free(&again);
}

void print_way_on(const run *r, const char *data)
{
    const unsigned long all = r->s->epochs, learned = all - epochs_left(r);
    say made;
    if (learned == all) {
        fprintf(stderr, "perceptron: interrupted when all was learned\n");
        return;
    }
    if (r->is_fifth)
        fprintf(stderr, "perceptron: interrupted while rows were scored for --probabilities; saved is a model of four "
                        "fifths of the rows; to go on, all rows again:\n");
    else if (r->t.partial && !r->whole)
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
