#include "folds.h"
#include "cli/signals.h"
#include "model/stream.h"
#include "report/svg.h"
#include "processes.h"
#include "run.h"

#include <sys/stat.h>

/* Where the model goes when nobody says: DATA's name in this folder. */
static const char *default_model(const char *data)
{
    const char *slash = strrchr(data, '/'), *name = slash ? slash + 1 : data;
    char *path = allocate(strlen(name) + sizeof ".model", 1);
    if (strcmp(data, "-") == 0) die(EXIT_USAGE, "standard input as data: give a MODEL to write");
    sprintf(path, "%s.model", name);
    return path;
}

/* One epoch takes the rows as they come. Those of voted and kernel models have numbers to be known by in
 * later epochs, so these read all of them first, unless a stream is asked for. */
static unsigned choose_order(settings *s, const options *o)
{
    const int known = s->classes && s->features;
    if (s->online) return PCN_ORDER_FILE;
    if (known && !option_given(o, "epochs")) s->epochs = 1;
    return s->order != OPTION_UNSET ? s->order : settings_shuffle(s) ? PCN_ORDER_EACH : PCN_ORDER_FILE;
}

static enum path choose_path(const settings *s, const model *m, unsigned order, const char *data)
{
    struct stat there;
    if (s->online) return PATH_ONLINE;
    if (s->epochs > 1 || order != PCN_ORDER_FILE || s->pocket || s->validate > 0 || s->measure || s->folds ||
        s->shards > 1 || s->trace || s->normalize == NORMALIZE_MAXABS || (reader_leaves_gaps(&s->reader) && !m->fill))
        return PATH_COLLECT;
    if (s->resume && (s->refuse_new || (!model_can(m, CAN_GROW) && labels_count(&m->labels) > 1))) return PATH_STREAM;
    if (!s->resume && s->classes && s->features) return PATH_STREAM;
    if ((settings_can(s, CAN_KERNEL) && !s->resume) || strcmp(data, "-") == 0) return PATH_COLLECT;
    if (stat(data, &there) != 0 || !S_ISREG(there.st_mode)) return PATH_COLLECT;
    return s->resume || s->classes || s->features || s->weights || s->test || s->batch || !settings_can(s, CAN_GROW)
               ? PATH_TWICE
               : PATH_GUESS;
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
    if (r->s->plot) {
        progress_plot(&r->progress, r->t.rows, plot->file);
        output_close(plot);
    }
    if (r->s->roc) {
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
    if (s->test) e.test_error = testing_error(&r->test, &r->m);
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

/* 0: what was guessed from the first rows is wrong; then all is done again. */
static int learn_rows(run *r, reader *in, const char *data, int again)
{
    settings *s = r->s;
    int more = reading_begin(&r->in, in, data);
    if (r->in.wrong) return 0;
    if (!s->resume) make_weights(&r->m, s, r->in.data.features);
    if (!s->quiet && !s->resume && !s->online && !again) advise_on_labels(&r->m, r->in.rows);
    if (!s->online) prepare_rows(&r->m, s, &r->in.data, &r->t.held_out);
    r->t.class_weight = r->class_weight = class_weights(&r->m, s, r->o);
    training_start(&r->t, &r->in.data);
    if (s->test) testing_read(&r->test, s, &r->m);
    r->read_seconds = seconds() - r->began;
    if (r->in.path == PATH_TWICE) {
        reader_close(in);
        reader_open(in, data, &s->reader);
        more = 1;
    }
    if (process_count() == 1) interrupt_softly(); /* others would not hear of it */
    if (s->online)
        learn_online(&r->a, &r->t, &r->in, in);
    else if (r->in.path == PATH_COLLECT)
        learn_collected_rows(r);
    else
        learn_streaming(&r->t, &r->in, in, more);
    return !r->in.wrong;
}

static void report_dropped(const settings *s, const reader *in)
{
    if (in->dropped && !s->quiet)
        fprintf(stderr, "%llu rows with missing values were left out\n", (unsigned long long)in->dropped);
}

static void read_and_learn(run *r, const char *data)
{
    settings *s = r->s;
    const model untrained = r->m;
    const training idle = r->t;
    const unsigned form = s->reader.rows;
    reader in;
    if (!learn_rows(r, &in, data, 0)) {
        reader_close(&in);
        reading_free(&r->in);
        model_free(&r->m);
        free(r->class_weight);
        r->m = untrained;
        r->t = idle;
        s->reader.rows = form;
        reading_start(&r->in, &r->m, s, r->o, PATH_TWICE);
        learn_rows(r, &in, data, 1);
    }
    report_dropped(s, &in);
    if (!s->quiet) {
        advise_on_order(&r->t.labels, &r->m, r->t.rows);
        advise_on_shards(&r->m, s->shards, r->t.rows);
    }
    r->train_seconds = seconds() - r->began - r->read_seconds;
    reader_close(&in);
}

/* Process 0 writes. */
static const char *own_output(const char *name)
{
    return name && process_number() > 0 ? "/dev/null" : name;
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
    if (train_observer) train_observer->run_ended(&r->t, !gives_up(r));
    if (gives_up(r)) {
        outputs_drop();
        return;
    }
    if (s->test) testing_report(&r->test, &r->m, training_kept(&r->t));
    if (s->final && epochs_left(r) == 0 && !training_kept(&r->t)) r->t.kept = model_final(&r->m);
    bytes = save_model(r);
    draw(r, &roc, &plot);
    if (!s->quiet) print_summary(r, bytes);
    say_results(r, bytes);
}

void train_read(run *r, const char *data)
{
    reader in;
    reading_begin(&r->in, &in, data);
    report_dropped(r->s, &in);
    reader_close(&in);
}

void train_start(run *r, options *o, const char *data)
{
    settings *s = r->s = &train_settings;
    r->o = o;
    r->began = r->progress.began = seconds();
    if (s->online) set_online(s, o);
    set_model(&r->m, s, o);
    processes_check(s, data);
    r->t.s = s;
    r->t.m = &r->m;
    r->t.order = choose_order(s, o);
    r->t.shards.threads = option_given(o, "threads") ? s->reader.threads : processors();
    reading_start(&r->in, &r->m, s, o, choose_path(s, &r->m, r->t.order, data));
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
        cross_validate(&r->t, r->o, &r->in.data, r->began);
    } else {
        r->whole = s->checkpoint && s->resume && strcmp(s->resume, name) == 0;
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
    return EXIT_INTERRUPTED;
}

const command command_train = {"train",        "Learns a model from labelled rows",
                               "DATA [MODEL]", "MODEL: default is DATA's name + .model",
                               train_groups,   TRAIN_GROUPS,
                               train};
