#include "svg.h"
#include "team.h"

#include <math.h>
#include <sys/stat.h>

static run training;

/* ---- What options need ---- */

static int is_winnow(const settings *s)
{
    return s->algorithm >= ALGORITHM_WINNOW && s->algorithm <= ALGORITHM_BALANCED_WINNOW;
}

static int has_vectors(const settings *s)
{
    return s->algorithm == ALGORITHM_VOTED || s->algorithm == ALGORITHM_KERNEL;
}

static int chosen_kernel(const settings *s)
{
    if (!has_vectors(s)) return -1;
    if (s->kernel != OPTION_UNSET) return (int)s->kernel;
    return s->algorithm == ALGORITHM_VOTED ? KERNEL_LINEAR : KERNEL_RBF;
}

static int is_arow(const settings *s)
{
    return s->algorithm == ALGORITHM_AROW;
}

static int has_fixed_rule(const settings *s)
{
    return s->rule == RULE_FIXED && !is_winnow(s) && !is_arow(s);
}

static int has_no_margin(const settings *s)
{
    return isnan(s->margin) ? s->rule < RULE_PA && !is_arow(s) : s->margin == 0;
}

/* Are the weights that predict a mean? */
static int is_mean(const settings *s)
{
    return s->algorithm == ALGORITHM_AVERAGED || (is_arow(s) && s->decision == PCN_DECIDE_MEAN);
}

static int is_shuffled(const settings *s)
{
    if (s->order != OPTION_UNSET) return s->order != PCN_ORDER_FILE;
    return (s->epochs > 1 || has_vectors(s)) && !(s->classes && s->features);
}

#define NEED(...) OPTION_NEED(settings, s, __VA_ARGS__)

NEED(epochs, "--epochs of more than 1", s->epochs > 1 ? 1 : OPTION_IDLE)
NEED(an_order, "an --order that is drawn, --validate, --folds or --policy random",
     is_shuffled(s) || s->validate > 0 || s->folds || s->policy == POLICY_RANDOM ? 1 : OPTION_IDLE)
NEED(additive, "an algorithm other than Winnow, which has --alpha or --eta and --threshold", !is_winnow(s))
NEED(ruled, "an algorithm other than Winnow and arow, which have their own", !is_winnow(s) && !is_arow(s))
NEED(fixed_rule, "--rule fixed, and an algorithm other than Winnow and arow", has_fixed_rule(s))
NEED(fractional, "--rule fractional", s->rule == RULE_FRACTIONAL)
NEED(limited, "--rule pa1 or pa2", s->rule == RULE_PA1 || s->rule == RULE_PA2)
NEED(many_labels, "more than two labels, and for -a arow predicted or one-vs-rest",
     is_arow(s) && (s->update == UPDATE_OTHERS || s->update == UPDATE_UNIFORM) ? 0
     : s->found == 0 ? -1 : s->found > 2 ? 1 : OPTION_IDLE)
NEED(sharding, "weights, which voted and kernel models have not, no --stop window, and rows in memory, which "
               "--classes with --features does not keep",
     !has_vectors(s) && s->stop != STOP_WORD_WINDOW && !(s->classes && s->features))
NEED(signs, "two labels, or --update one-vs-rest",
     s->found == 0 ? -1 : s->found == 2 || s->update == UPDATE_ONE_VS_REST ? 1 : OPTION_IDLE)
NEED(no_margin, "a margin of 0", has_no_margin(s))
NEED(weighted, "-a arow, or a --rule with --rate, --lambda or -C", s->rule != RULE_ABSOLUTE && s->rule != RULE_PA)
NEED(weights, "weights, which voted and kernel models have not", !has_vectors(s))
NEED(batches, "weights, which voted and kernel models have not, an algorithm other than arow, and no --shards",
     !has_vectors(s) && !is_arow(s) && s->shards < 2)
NEED(live_weights, "weights that are no mean (-a perceptron), and neither --validate nor --shards",
     !has_vectors(s) && !is_mean(s) && !(s->validate > 0) && s->shards < 2)
NEED(whole_model, "a linear model, and neither --pocket nor --validate, which save no more",
     has_vectors(s) ? 0 : s->pocket || s->validate > 0 ? OPTION_IDLE : 1)
NEED(vectors, "-a voted or -a kernel", has_vectors(s))
NEED(deciding, "-a voted or -a kernel, or -a arow, which has no voted one",
     has_vectors(s) || (is_arow(s) && s->decision != PCN_DECIDE_VOTE))
NEED(poly, "--kernel poly", chosen_kernel(s) == KERNEL_POLY)
NEED(poly_or_rbf, "--kernel poly or rbf", chosen_kernel(s) > KERNEL_LINEAR)
NEED(a_budget, "--budget, and with forgetron two labels",
     s->budget > 0 && !(s->policy == POLICY_FORGETRON && s->found > 2))
NEED(no_eta, "a Winnow algorithm, and no --eta, which says the same", is_winnow(s) && isnan(s->eta))
NEED(winnow, "a Winnow algorithm", is_winnow(s))
NEED(arow, "-a arow", is_arow(s))
NEED(tested, "--test", s->test != NULL)
NEED(tested_two, "--test, and two labels", !s->test ? 0 : s->found == 0 ? -1 : s->found == 2)
NEED(validation, "--validate, and --epochs of more than 1", !(s->validate > 0) ? 0 : s->epochs > 1 ? 1 : OPTION_IDLE)
NEED(folding, "a training without --resume, --test, --plot, --measure, --final, or --classes with --features",
     !s->resume && !s->test && !s->plot && !s->measure && !s->final && !(s->classes && s->features))

/* ---- The options ---- */

#define AT(member) .at = offsetof(settings, member)

static const option_entry learning_options[] = {
    {"algorithm", 'a', OPTION_CHOICE, AT(algorithm), .words = ALGORITHM_WORDS, .preset = "averaged", .argument = "A",
     .memory = SHAPE, .help = ""},
    {"epochs", 'e', OPTION_COUNT, AT(epochs), .low = 1, .high = 1e9, .argument = "N", .preset = "10",
     .help = "most passes over the data"},
    {"order", 0, OPTION_CHOICE, AT(order), .words = "each|once|file", .argument = "O", .memory = KEPT,
     .help = "a new order for each epoch, one order, or that of the file; default: each, but file with one epoch, "
             "in which rows are learned as they are read and not kept"},
    {"seed", 0, OPTION_COUNT, AT(seed), .low = 0, .high = 4294967295.0, .argument = "N", .preset = "1",
     .memory = KEPT, .needs = &an_order, .help = "seed of all that is drawn at random"},
    {"stop", 0, OPTION_CHOICE, AT(stop), .words = "never|clean|window", .preset = "never", .argument = "S",
     .memory = KEPT, .needs = &epochs,
     .help = "when to end before the last epoch: clean is after an epoch without updates, window after a run without "
             "updates of as many rows as there are"},
    {"shards", 0, OPTION_COUNT, AT(shards), .low = 1, .high = SHARDS_MOST, .argument = "S", .memory = KEPT,
     .needs = &sharding,
     .help = "deal the rows to S learners, whose weights are mixed after each epoch; --threads of them learn at the "
             "same time, and the model is the same for any number of threads. Goes best with -a arow; default 1"},
    {"bias", 'B', OPTION_NUMBER, AT(bias), .low = 0, .high = 1e6, .argument = "B", .memory = KEPT, .needs = &additive,
     .help = "constant input of the bias, 0 for no bias; default 1, but 0 for -a kernel"},
};

static const option_entry rule_options[] = {
    {"rule", 0, OPTION_CHOICE, AT(rule), .words = "fixed|absolute|fractional|pa|pa1|pa2", .preset = "fixed",
     .argument = "R", .memory = KEPT, .needs = &ruled, .help = ""},
    {"r", 0, OPTION_NUMBER, AT(r), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .needs = &arow, .help = "of -a arow: the greater, the smaller its steps; 0.1 suits text"},
    {"rate", 0, OPTION_NUMBER, AT(rate), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .needs = &fixed_rule, .help = "step of the fixed rule"},
    {"lambda", 0, OPTION_NUMBER, AT(lambda), .low = 1e-9, .high = 2, .argument = "L", .preset = "1", .memory = KEPT,
     .needs = &fractional, .help = "part of the way that the fractional rule goes"},
    {"aggressive", 'C', OPTION_NUMBER, AT(c), .low = 1e-9, .high = 1e9, .argument = "C", .preset = "0.1",
     .memory = KEPT, .needs = &limited, .help = "aggressiveness of the passive-aggressive rules pa1 and pa2"},
    {"margin", 0, OPTION_NUMBER, AT(margin), .low = 0, .high = 1e9, .argument = "M", .memory = KEPT,
     .help = "update unless the score is right by more than M; default 0, but 1 for pa, pa1, pa2 and arow"},
    {"update", 0, OPTION_CHOICE, AT(update), .words = "predicted|others|uniform|one-vs-rest", .preset = "predicted",
     .argument = "U", .memory = KEPT, .needs = &many_labels, .help = "which rivals of the right class change"},
    {"zero-class", 0, OPTION_CHOICE, AT(zero_class), .words = "positive|negative", .preset = "positive",
     .argument = "C", .memory = SHAPE, .needs = &signs, .help = "class predicted at a score of 0"},
    {"zero-update", 0, OPTION_CHOICE, AT(zero_update), .words = "always|predicted", .preset = "always",
     .argument = "U", .memory = KEPT, .needs = &no_margin,
     .help = "update at a score of 0, or only if what it predicts is wrong"},
    {"weight", 0, OPTION_LIST, AT(weights), .argument = "LABEL=W", .memory = KEPT, .needs = &weighted,
     .help = "multiply the step for rows with this label; may be repeated"},
    {"batch", 0, OPTION_COUNT, AT(batch), .low = 1, .high = 4294967295.0, .argument = "N", .memory = KEPT,
     .needs = &batches, .help = "change the weights once every N rows, by the sum of the steps"},
};

static const option_entry kernel_options[] = {
    {"kernel", 0, OPTION_CHOICE, AT(kernel), .words = KERNEL_WORDS, .argument = "K", .memory = SHAPE,
     .needs = &vectors, .help = "default linear for voted, rbf for kernel"},
    {"degree", 0, OPTION_COUNT, AT(degree), .low = 1, .high = 1000, .argument = "D", .preset = "3", .memory = SHAPE,
     .needs = &poly, .help = "the D of (G x.z + C)^D"},
    {"gamma", 0, OPTION_NUMBER, AT(gamma), .low = 1e-9, .high = 1e9, .argument = "G", .memory = SHAPE,
     .needs = &poly_or_rbf, .help = "the G there and in exp(-G |x - z|^2); default 1 / features"},
    {"coef0", 0, OPTION_NUMBER, AT(coef0), .low = -1e9, .high = 1e9, .argument = "C", .preset = "1", .memory = SHAPE,
     .needs = &poly, .help = "the C of poly"},
    {"budget", 0, OPTION_COUNT, AT(budget), .low = 1, .high = 1e7, .argument = "N", .memory = KEPT,
     .needs = &vectors, .help = "most vectors to store; default: any number"},
    {"policy", 0, OPTION_CHOICE, AT(policy), .words = POLICY_WORDS, .argument = "P", .preset = "stop",
     .memory = KEPT, .needs = &a_budget,
     .help = "what to do with a row for which the budget has no room; stop: leave it out"},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D", .memory = KEPT,
     .needs = &deciding, .help = "default voted for -a voted, last for -a kernel and -a arow"},
};

static const option_entry winnow_options[] = {
    {"alpha", 0, OPTION_NUMBER, AT(alpha), .low = 1.0001, .high = 1e6, .argument = "A", .memory = KEPT,
     .needs = &no_eta, .help = "factor of an update; default 2, but e^0.1 for -a winnow"},
    {"eta", 0, OPTION_NUMBER, AT(eta), .low = 1e-4, .high = 10, .argument = "E", .memory = KEPT, .needs = &winnow,
     .help = "the same as --alpha e^E"},
    {"threshold", 0, OPTION_NUMBER, AT(threshold), .low = -1e9, .high = 1e9, .argument = "T", .memory = SHAPE,
     .needs = &winnow,
     .help = "subtracted from the score; default: the number of features for winnow1 and winnow2, else 0"},
};

static const option_entry preparing_options[] = {
    {"normalize", 0, OPTION_CHOICE, AT(normalize), .words = NORMALIZE_WORDS, .preset = "none", .argument = "HOW",
     .memory = SHAPE, .help = "l2 brings each row to length 1, maxabs each feature to at most 1 in size"},
    {"binarize", 0, OPTION_FLAG, AT(binarize), .memory = SHAPE, .help = "every value that is not 0 counts as 1"},
};

static const option_entry keeping_options[] = {
    {"validate", 0, OPTION_NUMBER, AT(validate), .low = 1e-6, .high = 0.999999, .argument = "FRACTION",
     .needs = &weights, .help = "hold so many rows back, keep the weights that do best on them after an epoch"},
    {"patience", 0, OPTION_COUNT, AT(patience), .low = 1, .high = 1e9, .argument = "N", .needs = &validation,
     .help = "stop after N epochs without improvement on those rows"},
    {"pocket", 0, OPTION_FLAG, AT(pocket), .needs = &live_weights,
     .help = "keep the weights with the longest run of rows without an update, if they also make fewer errors on DATA "
             "than those kept before (Gallant's pocket with ratchet); at the end the last weights, if they make fewer"},
    {"final", 0, OPTION_FLAG, AT(final), .needs = &whole_model,
     .help = "save the weights that predict and nothing else: a third of an averaged model's file, from which "
             "learning can only start anew"},
    {"checkpoint", 0, OPTION_COUNT, AT(checkpoint), .low = 1, .high = 1e9, .argument = "K", .needs = &epochs,
     .help = "write the model after every K epochs, too; --resume goes on from there"},
    {"cache", 0, OPTION_TEXT, AT(cache), .argument = "FILE",
     .help = "keep the rows of DATA there in binary form; later runs read that instead of text, if DATA and the "
             "options that say how to read it are the same"},
};

static const option_entry resuming_options[] = {
    {"resume", 0, OPTION_TEXT, AT(resume), .argument = "MODEL",
     .help = "go on learning from a model file, with its settings where none are given"},
    {"classes", 0, OPTION_TEXT, AT(classes), .argument = "K", .memory = SHAPE,
     .help = "number of classes, or their labels A,B,...; together with --features: learn row by row as rows arrive "
             "through a pipe, one epoch, without keeping them (with K: once K labels have been seen)"},
    {"features", 0, OPTION_COUNT, AT(features), .low = 1, .high = 2147483647.0, .argument = "N", .memory = SHAPE,
     .help = "most features that a row may have"},
};

static const option_entry result_options[] = {
    {"test", 't', OPTION_TEXT, AT(test), .argument = "FILE", 
     .help = "count errors on these rows after each epoch and with the weights that are saved"},
    {"report", 0, OPTION_FLAG, AT(report), .needs = &tested,
     .help = "for those: confusion matrix, precision, recall and F1 of each class, the accuracy of always "
             "predicting the commonest label; two labels: area under the ROC curve"},
    {"roc", 0, OPTION_TEXT, AT(roc), .argument = "FILE.svg", .needs = &tested_two, .help = "draw the ROC curve"},
    {"plot", 0, OPTION_TEXT, AT(plot), .argument = "FILE.svg",
     .help = "draw updates, mistakes and test error by epoch"},
    {"measure", 0, OPTION_FLAG, AT(measure), .needs = &weights,
     .help = "on the rows learned from: 0/1 risk, perceptron loss, margin, geometric margin, Novikoff's bound beside "
             "the updates made, and whether the rows are separable, as far as that is proved"},
    {"folds", 0, OPTION_COUNT, AT(folds), .low = 2, .high = 1e9, .argument = "K", .needs = &folding,
     .help = "cross-validation: train K times without a K-th of the rows, drawn by --seed, and count errors on it; "
             "no model is written"},
    {"quiet", 'q', OPTION_FLAG, AT(quiet), .help = "no progress, no summary, no advice"},
    {"json", 0, OPTION_FLAG, AT(json), .help = "one JSON object on standard output"},
    FORCE_OPTION(settings, force),
};

static const option_group groups[] = {
    {NULL, learning_options, PCN_LENGTH(learning_options), &training.s},
    {"Rule", rule_options, PCN_LENGTH(rule_options), &training.s},
    {"Voted and kernel models", kernel_options, PCN_LENGTH(kernel_options), &training.s},
    {"Winnow (multiplies weights: winnow with any values, the others with 0 and 1)", winnow_options,
     PCN_LENGTH(winnow_options), &training.s},
    {"Data preparation", preparing_options, PCN_LENGTH(preparing_options), &training.s},
    {"Which weights to keep", keeping_options, PCN_LENGTH(keeping_options), &training.s},
    {"Going on", resuming_options, PCN_LENGTH(resuming_options), &training.s},
    {"Results", result_options, PCN_LENGTH(result_options), &training.s},
    READER_GROUPS(training.s.reader),
    {"Features", reader_learning, READER_LEARNING, &training.s.reader},
};

static int train(options *o, int arguments, char **argument);

const command command_train = {"train", "Learns a model from labelled rows", "DATA [MODEL]",
                               "MODEL: default is DATA's name + .model", groups, PCN_LENGTH(groups), train};

/* ---- The command ---- */

/* Where the model goes when nobody says: DATA's name in this folder. */
static const char *default_model(const char *data)
{
    const char *slash = strrchr(data, '/'), *name = slash ? slash + 1 : data;
    char *path = allocate(strlen(name) + sizeof ".model", 1);
    if (strcmp(data, "-") == 0) die(EXIT_USAGE, "standard input as data: give a MODEL to write");
    sprintf(path, "%s.model", name);
    return path;
}

/* log2 of the factor of a Winnow update. */
static float winnow_step(const settings *s)
{
    double eta = !isnan(s->eta) ? (double)s->eta : (double)0.1f;
    if (!isnan(s->alpha)) return (float)log2((double)s->alpha);
    if (!isnan(s->eta) || s->algorithm == ALGORITHM_WINNOW) return (float)(eta / log(2));
    return 1;
}

/* Budget, decision and the defaults of a kernel. */
static void settle_kernel(model *m, const settings *s)
{
    int is_voted = m->algorithm == ALGORITHM_VOTED, forgets = s->budget && s->policy != POLICY_STOP;
    m->budget = s->budget;
    m->policy = s->policy;
    if (s->decision != OPTION_UNSET)
        m->decision = s->decision;
    else if (!s->resume)
        m->decision = is_voted && !forgets ? PCN_DECIDE_VOTE : PCN_DECIDE_LAST;
    if (m->decision != PCN_DECIDE_LAST && forgets)
        die(EXIT_USAGE, "--policy: a model that forgets has only --decision last: leave --decision out");
    if (s->resume) return;
    m->kernel = (unsigned)chosen_kernel(s);
    m->degree = s->degree;
    m->gamma = s->gamma;
    m->coef0 = s->coef0;
}

/* The decision of AROW says whether sums are kept, so a model keeps it. */
static void settle_arow(model *m, const settings *s)
{
    unsigned decision = s->decision == OPTION_UNSET ? PCN_DECIDE_LAST : s->decision;
    if (s->resume && s->decision != OPTION_UNSET && decision != m->decision)
        die(EXIT_USAGE, "--decision: %s was trained with another: leave it out, or train anew", s->resume);
    if (!s->resume) m->decision = decision;
    m->r = s->r;
}

/* What a new model is; --resume takes that from its file. */
static void settle_shape(model *m, const settings *s)
{
    m->algorithm = s->algorithm;
    m->normalize = s->normalize;
    m->binarize = s->binarize;
    m->zero_negative = s->zero_class != 0;
    m->threshold = s->threshold;
}

static void take_shape(settings *s, const model *m)
{
    s->algorithm = m->algorithm;
    s->kernel = m->kernel;
    s->normalize = m->normalize;
    s->binarize = m->binarize;
    s->zero_class = (unsigned)m->zero_negative;
    s->found = labels_count(&m->labels);
}

/* What the command line says of the model itself, or the model says for --resume. */
static void settle_model(run *r, options *o)
{
    settings *s = &r->s;
    model *m = &r->m;
    if (s->resume) {
        options_refuse_shape(o);
        model_open(m, s->resume);
        options_recall(o, m->kept, KEPT | KEPT_READING, s->resume);
        if (option_given(o, "eta") && !option_given(o, "alpha")) s->alpha = NAN;
        if (option_given(o, "alpha") && !option_given(o, "eta")) s->eta = NAN;
        take_shape(s, m);
    } else {
        settle_shape(m, s);
    }
    m->bias = model_is_winnow(m) ? 0 : !isnan(s->bias) ? s->bias : m->algorithm != ALGORITHM_KERNEL;
    m->step = winnow_step(s);
    m->seed = s->seed;
    if (model_is_kernel(m)) settle_kernel(m, s);
    if (is_arow(s)) settle_arow(m, s);
    if (s->resume) model_load(m, s->batch != 0);
    m->frozen = 0; /* kept weights are a start like any other */
    s->reader.learners = s->shards > 1;
    options_check(o);
    reader_options_settle(&s->reader, o); /* --sep may be recalled, or be the default again */
    s->reader.binarize = m->binarize;
    labels_init(&r->found);
}

/* One epoch takes the rows as they come. Those of voted and kernel models have numbers to be known by in
 * later epochs, so these read all of them first, unless a stream is asked for. */
static void settle_order(run *r, const options *o)
{
    settings *s = &r->s;
    int known = s->classes && s->features;
    if (known && !option_given(o, "epochs")) s->epochs = 1;
    r->order = s->order != OPTION_UNSET ? s->order : is_shuffled(s) ? PCN_ORDER_EACH : PCN_ORDER_FILE;
}

static enum path choose_path(const run *r, const char *data)
{
    const settings *s = &r->s;
    struct stat there;
    if (s->epochs > 1 || r->order != PCN_ORDER_FILE || s->pocket || s->validate > 0 || s->cache ||
        s->measure || s->folds || s->shards > 1 ||
        s->normalize == NORMALIZE_MAXABS || (reader_leaves_gaps(&s->reader) && !r->m.fill))
        return PATH_COLLECT;
    if (s->resume || (s->classes && s->features)) return PATH_STREAM;
    if (model_is_kernel(&r->m) || strcmp(data, "-") == 0) return PATH_COLLECT;
    if (stat(data, &there) != 0 || !S_ISREG(there.st_mode)) return PATH_COLLECT;
    return is_free(s) && !s->test && !s->batch && !model_is_winnow(&r->m) ? PATH_GUESS : PATH_TWICE;
}

/* Files that learning would cost, and files that cannot be read. */
static void check_files(const settings *s, const char *data, const char *name)
{
    const char *const input[] = {data, s->test, s->cache};
    const char *const other[] = {data, s->test, s->cache, s->resume};
    if (s->checkpoint && strcmp(name, "-") == 0)
        die(EXIT_USAGE, "--checkpoint replaces the model, which cannot be standard output then: name a file");
    if (s->json && strcmp(name, "-") == 0)
        die(EXIT_USAGE, "--json and the model cannot both go to standard output: name a MODEL");
    if (s->cache && strcmp(s->cache, name) == 0)
        die(EXIT_USAGE, "--cache and the model cannot be the same file");
    if (s->test && strcmp(s->test, "-") == 0 && strcmp(data, "-") == 0)
        die(EXIT_USAGE, "DATA and --test cannot both be standard input");
    output_spare(name, input, PCN_LENGTH(input));
    if (s->roc) output_spare(s->roc, other, PCN_LENGTH(other));
    if (s->plot) output_spare(s->plot, other, PCN_LENGTH(other));
    if (!s->force && !model_replaces(name))
        die(EXIT_USAGE, "%s is no model; test rows go after -t, and --force replaces it", name);
}

/* What is written beside the model. */
static void draw(run *r, output *roc, output *plot)
{
    if (r->s.plot) {
        plot_epochs(r, plot->file);
        output_close(plot);
    }
    if (r->s.roc) {
        report_roc(&r->tested, roc->file);
        output_close(roc);
    }
}

static void print_results(run *r, const char *name, size_t bytes)
{
    FILE *f = strcmp(name, "-") == 0 ? stderr : stdout; /* the model may be on standard output */
    if (!r->s.quiet) print_summary(r, name, bytes);
    if (r->s.json) {
        print_json(r, bytes);
        return;
    }
    if (r->s.report)
        report_print(&r->tested, f);
    else if (r->s.test)
        report_print_accuracy(&r->tested, f);
    if (r->s.measure) print_measures(r, f);
}

static size_t save_model(run *r)
{
    const size_t bytes = model_save(&r->m, r->kept.weight ? &r->kept : NULL, &r->out);
    output_close(&r->out);
    return bytes;
}

void save_checkpoint(run *r)
{
    save_model(r);
    output_open(&r->out, r->name);
}

/* Process 0 writes. */
static const char *own_output(const char *name)
{
    return name && team_rank() > 0 ? "/dev/null" : name;
}

static void learn_and_save(run *r, const char *data)
{
    const settings *s = &r->s;
    output roc, plot;
    size_t bytes;
    if (s->roc) svg_open(&roc, s->roc, s->force);
    if (s->plot) svg_open(&plot, s->plot, s->force);
    output_open(&r->out, r->name);
    read_and_learn(r, data);
    if (s->test) test_model(r);
    if (s->measure) measure_model(r);
    if (s->final && !r->kept.weight) r->kept = model_final(&r->m);
    bytes = save_model(r);
    draw(r, &roc, &plot);
    print_results(r, r->name, bytes);
}

static int train(options *o, int arguments, char **argument)
{
    run *r = &training;
    settings *s = &r->s;
    const char *data = argument[0], *name = arguments == 2 ? argument[1] : s->folds ? "" : default_model(data);
    r->o = o;
    r->name = name = own_output(name);
    s->roc = own_output(s->roc);
    s->plot = own_output(s->plot);
    if (s->folds && arguments == 2) die(EXIT_USAGE, "--folds writes no model: leave %s out", name);
    if (!s->folds) check_files(s, data, name);
    r->began = seconds();
    settle_model(r, o);
    team_check(r, data);
    settle_order(r, o);
    r->path = choose_path(r, data);
    r->threads = option_given(o, "threads") ? s->reader.threads : processors();
    if (s->folds)
        cross_validate(r, data);
    else
        learn_and_save(r, data);
    if (!interrupted) return 0;
    fprintf(stderr, "perceptron: interrupted; to go on from here:\n  perceptron train --resume %s %s %s\n", name, data,
            name);
    return EXIT_INTERRUPTED;
}
