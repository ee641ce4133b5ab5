#include "telltale.h"
#include "model/stream.h"
#include "report/svg.h"
#include "learn/processes.h"
#include "run.h"

/* Where the model goes when nobody says: DATA's name in this folder. */
static const char *default_model(const char *data)
{
    const char *name = system_base(data);
    char *path = allocate(strlen(name) + sizeof ".model", 1);
    if (strcmp(data, "-") == 0) die(EXIT_USAGE, "standard input as data: give a MODEL to write");
    sprintf(path, "%s.model", name);
    return path;
}

static unsigned choose_order(const settings *s)
{
    if (s->online) return PCN_ORDER_FILE;
    return s->order != OPTION_UNSET ? s->order : settings_shuffle(s) ? PCN_ORDER_EACH : PCN_ORDER_FILE;
}

/* Is each row learned as it is read? Otherwise all are read first. One epoch is streamed, unless an order is asked for
 * or something else that needs all rows. A learner that cannot grow needs to know labels and features. */
static int streams(const settings *s, const model *m, unsigned order)
{
    if (s->online) return 1;
    return s->epochs == 1 && order == PCN_ORDER_FILE && (s->order == OPTION_UNSET || s->resume) &&
           settings_can(s, CAN_GROW) && !s->pocket && !(s->validate > 0) && !s->measure && !s->folds && s->shards < 2 &&
           !s->trace && !settings_balanced(s) && s->normalize != NORMALIZE_MAXABS &&
           (s->resume || s->normalize == NORMALIZE_AUTO || !settings_standard(s)) &&
           !(reader_leaves_gaps(&s->reader) && !m->fill && !settings_standard(s));
}

static void check_predictions(const settings *s, const char *data, const char *name)
{
    const char *const other[] = {data, s->resume, s->reader.weights, name};
    FILE *old;
    if (strcmp(s->predictions, "-") == 0 && (s->json || strcmp(name, "-") == 0))
        die(EXIT_USAGE, "--predict: the predictions and %s cannot both go to standard output",
            s->json ? "--json" : "the model");
    output_spare(s->predictions, other, strcmp(s->predictions, "-") == 0 ? 0 : LENGTH(other));
    old = output_old(s->predictions);
    if (old) fclose(old);
    if (old && !s->force)
        die(EXIT_USAGE, "--predict: there is something in %s already: --force replaces it", s->predictions);
}

/* Files that learning would cost, and files that cannot be read. */
static void check_files(const settings *s, const char *data, const char *name)
{
    const char *const input[] = {data, s->test, s->reader.weights};
    const char *const other[] = {data, s->test, s->reader.weights, s->resume};
    if (s->checkpoint && strcmp(name, "-") == 0)
        die(EXIT_USAGE, "--checkpoint replaces the model, which cannot be standard output then: name a file");
    if (s->json && strcmp(name, "-") == 0)
        die(EXIT_USAGE, "--json and the model cannot both go to standard output: name a MODEL");
    if (s->test && strcmp(s->test, "-") == 0 && strcmp(data, "-") == 0)
        die(EXIT_USAGE, "DATA and --test cannot both be standard input");
    if (s->predictions) check_predictions(s, data, name);
    output_spare(name, input, LENGTH(input));
    if (s->roc) output_spare(s->roc, other, LENGTH(other));
    if (s->plot) output_spare(s->plot, other, LENGTH(other));
    if (!s->force && !model_replaces(name))
        die(EXIT_USAGE, "%s is no model; test rows go after -t, and --force replaces it", name);
}

/* What is written beside the model. */
static void draw(run *r, output *roc, output *plot)
{
    r->progress.tests = has_test(r);
    if (r->s->plot && arrlenu(r->progress.epochs)) {
        progress_plot(&r->progress, r->t.rows, plot->file);
        output_close(plot);
    }
    if (r->s->roc && has_test(r)) {
        report_roc(&r->test.result, roc->file);
        output_close(roc);
    }
}

/* ---- Learning ---- */

static size_t save_model(run *r)
{
    const size_t bytes = model_save(&r->m, training_kept(&r->t), &r->out);
    output_close(&r->out);
    return bytes;
}

static void after_epoch(void *context, const epoch_result *learned)
{
    run *r = context;
    const settings *s = r->s;
    epoch_result e = *learned;
    if (r->in.streams && (s->test || s->final)) model_sort_classes(&r->m);
    if (r->in.streams && s->test) testing_read(&r->test, s, &r->m); /* what the model knows is known now */
    if (has_test(r)) e.test_error = testing_error(&r->test, &r->m);
    r->progress.tests = has_test(r);
    progress_epoch(&r->progress, &e);
    if (train_observer) train_observer->epoch_ended(&r->t, (uint32_t)arrlenu(r->progress.epochs));
    if (s->checkpoint && !r->t.partial && arrlenu(r->progress.epochs) % s->checkpoint == 0) {
        save_model(r);
        output_open(&r->out, r->name);
        r->whole = 1;
        r->saved = (uint32_t)arrlenu(r->progress.epochs);
    }
}

static void learn_collected_rows(run *r)
{
    training_begin(&r->t);
    if (train_observer) train_observer->run_begins(&r->t, results_file(r));
    learn_collected(&r->t);
}

static void advise_on_size(const run *r)
{
    const reader_options *o = &r->s->reader;
    if (!r->s->quiet) advise_on_ngrams(&r->m, o->ngrams, o->text && !o->hash_bits);
}

static void report_dropped(const run *r, const reader *in)
{
    const settings *s = r->s;
    const int values = s->reader.missing == MISSING_DROP;
    if (!s->quiet) reader_say_empty(in);
    if (!in->dropped || s->quiet) return;
    fprintf(stderr, "rows with %s that were left out: %llu\n", values ? "missing values" : "no label",
            (unsigned long long)in->dropped);
    if (!values && !s->reader.label && in->dropped > r->in.rows)
        fputs("advice: most rows have no label: is another column than the last meant? --label COLUMN takes it\n",
              stderr);
}

static void learn_rows(run *r, reader *in)
{
    settings *s = r->s;
    if (!s->quiet && !s->resume) advise_on_memory(&r->m, r->in.data.features, s->batch != 0);
    note_words(&r->m, in, r->in.data.features);
    if (!r->in.streams) advise_on_telltales(&r->t, r->o, &r->in.data);
    if (s->probabilities && !s->resume && !r->in.streams) {
        if (process_count() == 1) interrupt_softly();
        calibrate_on_fifths(&r->t, r->o, &r->in.data, &r->fifth);
    }
    if (!s->resume) make_weights(&r->m, s, r->in.data.features);
    if (!r->in.streams) {
        prepare_rows(&r->m, s, &r->in.data, &r->t.held_out);
        if (!s->quiet && !s->resume) advise_on_labels(&r->m, r->in.rows);
        model_know_rows(&r->m, &r->in.data);
        advise_on_size(r);
    }
    r->label_weight = label_weights(&r->m, s, r->o, !r->in.streams, r->in.streams ? NULL : &r->in.data);
    r->t.label_weight = r->label_weight;
    training_start(&r->t, &r->in.data);
    if (s->test && !r->in.streams) testing_read(&r->test, s, &r->m);
    r->read_seconds = seconds() - r->began;
    r->had_rows = model_learner(&r->m)->count.rows;
    if (process_count() == 1) interrupt_softly(); /* others would not hear of it */
    if (r->in.streams)
        learn_streamed(&r->a, &r->t, &r->in, in);
    else
        learn_collected_rows(r);
}

static void read_and_learn(run *r, const char *data)
{
    settings *s = r->s;
    reader in;
    reading_begin(&r->in, &in, data);
    learn_rows(r, &in);
    report_dropped(r, &in);
    if (r->in.streams) advise_on_size(r);
    if (!s->quiet) {
        if (r->in.streams && !s->resume && !s->online) {
            advise_on_labels(&r->m, r->t.rows);
            advise_on_texts(&r->m, r->t.rows);
        }
        if (s->predictions) advise_on_change(&r->m, r->progress.epochs->mistakes, r->a.count.mistakes);
        advise_on_order(&r->t.labels, &r->m, r->t.rows);
        advise_on_shards(&r->m, s->shards, r->t.rows);
        if (s->probabilities && (!s->resume || model_calibrated(&r->m))) advise_on_probabilities(&r->m);
    }
    r->train_seconds = seconds() - r->began - r->read_seconds;
    reader_close(&in);
}

static int has_learned(run *r)
{
    return model_learner(&r->m)->count.rows > r->had_rows;
}

/* Interrupted before its own training, the run takes the model that has learned four fifths of the rows. */
static void take_fifth(run *r)
{
    const pcn_calibration scored = r->m.calibration; /* from fewer rows than a fit wants */
    const training own = r->t;
    if (!r->fifth.m.kind) return;
    training_free(&r->t);
    model_free_learned(&r->m);
    r->m = r->fifth.m;
    r->m.calibration = scored;
    r->t = r->fifth.t;
    r->t.s = own.s;
    r->t.m = &r->m;
    r->t.data = own.data;
    r->is_fifth = 1;
    r->had_rows = 0;
}

/* Process 0 writes. */
static const char *own_output(const char *name)
{
    return name && process_number() > 0 ? SYSTEM_NOWHERE : name;
}

static void learn_and_save(run *r, const char *data)
{
    const settings *s = r->s;
    output roc, plot;
    size_t bytes;
    if (s->roc) svg_open(&roc, s->roc, s->force);
    if (s->plot) svg_open(&plot, s->plot, s->force);
    output_open(&r->out, r->name);
    read_and_learn(r, data);
    if (interrupted && !has_learned(r)) take_fifth(r);
    if (interrupted && !has_learned(r)) interrupt_end();
    if (!r->is_fifth) fold_model_free(&r->fifth);
    if (train_observer && !r->is_fifth) train_observer->run_ended(&r->t, !gives_up(r));
    if (gives_up(r)) {
        outputs_drop();
        return;
    }
    if (s->final && epochs_left(r) == 0 && !training_kept(&r->t)) r->t.kept = model_final(&r->m);
    if (training_kept(&r->t)) pair_leave(&r->m);
    if (s->keep && training_kept(&r->t)) model_keep_largest(&r->t.kept, s->keep);
    if (has_test(r)) testing_report(&r->test, &r->m, training_kept(&r->t));
    if (s->keep && training_kept(&r->t)) model_forget_words(&r->m, &r->t.kept);
    if (!training_kept(&r->t)) model_unsort_classes(&r->m);
    bytes = save_model(r);
    draw(r, &roc, &plot);
    if (r->in.streams) streaming_end(&r->a);
    say_results(r, bytes);
    outputs_drop(); /* what is left without an end: predictions that nobody reads, a chart of nothing */
}

void train_read(run *r, const char *data)
{
    reader in;
    reading_begin(&r->in, &in, data);
    report_dropped(r, &in);
    note_words(&r->m, &in, r->in.data.features);
    reader_close(&in);
}

void train_start(run *r, options *o, const char *data)
{
    settings *s = r->s = &train_settings;
    r->o = o;
    r->began = r->progress.began = seconds();
    set_usual(s, o);
    if (s->online) set_online(s, o);
    set_model(&r->m, s, o);
    processes_check(s, data);
    r->t.s = s;
    r->t.m = &r->m;
    r->t.order = choose_order(s);
    r->t.shards.threads = option_given(o, "threads") ? s->reader.threads : processors();
    reading_start(&r->in, &r->m, s, o, streams(s, &r->m, r->t.order));
}

static int train(options *o, int arguments, char **argument)
{
    static run all;
    run *r = &all;
    settings *s = &train_settings;
    const char *data = argument[0], *name = arguments == 2 ? argument[1] : s->folds ? "" : default_model(data);
    r->name = name = own_output(name);
    s->roc = own_output(s->roc);
    s->plot = own_output(s->plot);
    if (s->folds && arguments == 2) die(EXIT_USAGE, "--folds writes no model: leave %s out", name);
    if (!s->folds) check_files(s, data, name);
    train_start(r, o, data);
    if (s->folds) {
        train_read(r, data);
        advise_on_telltales(&r->t, r->o, &r->in.data);
        cross_validate(&r->t, r->o, &r->in.data, r->began);
    } else {
        r->whole = s->checkpoint && s->resume && strcmp(s->resume, name) == 0 && !s->online;
        r->progress.quiet = s->quiet;
        r->progress.tests = s->test != NULL;
        r->progress.steps = s->batch == BATCH_ALL;
        r->t.progress = &r->progress;
        r->t.ended = after_epoch;
        r->t.context = r;
        learn_and_save(r, data);
    }
    if (!interrupted) return 0;
    print_way_on(r, data);
    return EXIT_SIGNAL + interrupted;
}

const command command_train = {"train",        "Learns a model from labelled rows",
                               "DATA [MODEL]", "MODEL: if you leave it out, the name of DATA with .model added.",
                               train_groups,   TRAIN_GROUPS,
                               train};
