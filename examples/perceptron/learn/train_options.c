/* The options of train. */
#include "settings.h"

#include <math.h>

settings train_settings;

/* ---- What options need ---- */

int settings_kernel(const settings *s)
{
    return settings_can(s, CAN_KERNEL) && s->kernel != OPTION_UNSET ? (int)s->kernel : settings_learner(s)->kernel;
}

static unsigned chosen_decision(const settings *s)
{
    return s->decision != OPTION_UNSET ? s->decision : (unsigned)settings_learner(s)->decision;
}

static int has_no_margin(const settings *s)
{
    return isnan(s->margin) ? s->rule < RULE_PA && settings_learner(s)->margin == 0 : s->margin == 0;
}

int settings_shuffle(const settings *s)
{
    if (s->online) return 0;
    if (s->order != OPTION_UNSET) return s->order != PCN_ORDER_FILE;
    return s->epochs > 1 || s->drawn || settings_can(s, CAN_KERNEL);
}

static int csv_rows(const settings *s)
{
    const unsigned format = s->reader.found_format != FORMAT_AUTO ? s->reader.found_format : s->reader.format;
    return format == FORMAT_AUTO ? -1 : format == FORMAT_CSV;
}

#define NEED(...) OPTION_NEED(settings, s, __VA_ARGS__)

NEED(epochs, "--epochs of more than 1", s->epochs > 1 ? 1 : OPTION_IDLE)
NEED(checkpoints, "--epochs of more than 1, or --resume", s->epochs > 1 || s->resume ? 1 : OPTION_IDLE)
NEED(an_order, "an --order that is drawn, --validate, --folds or --policy random",
     settings_shuffle(s) || s->validate > 0 || s->folds || s->policy == POLICY_RANDOM ? 1 : OPTION_IDLE)
NEED(additive, "an algorithm other than Winnow, which has --alpha or --eta and --threshold", settings_can(s, CAN_BIAS))
NEED(ruled, "an algorithm other than Winnow and arow, which have their own", settings_can(s, CAN_RULE))
NEED(fixed_rule, "--rule fixed, and an algorithm other than Winnow and arow", settings_rule_is_fixed(s))
NEED(fractional, "--rule fractional", s->rule == RULE_FRACTIONAL)
NEED(limited, "--rule pa1 or pa2", s->rule == RULE_PA1 || s->rule == RULE_PA2)
NEED(many_labels, "more than two labels, and for -a arow predicted or one-vs-rest",
     !settings_can(s, CAN_OTHERS) && (s->update == UPDATE_OTHERS || s->update == UPDATE_UNIFORM) ? 0
     : s->label_count == 0                                                                       ? -1
     : s->label_count > 2                                                                        ? 1
                                                                                                 : OPTION_IDLE)
NEED(sharding, "weights, which voted and kernel models have not, and no --stop window",
     settings_can(s, CAN_SHARDS) && s->stop != STOP_WORD_WINDOW)
NEED(signs, "two labels, or --update one-vs-rest",
     s->label_count == 0 ? -1
     : s->label_count == 2 || s->update == UPDATE_ONE_VS_REST
         ? 1
         : OPTION_IDLE)
NEED(no_margin, "a margin of 0", has_no_margin(s))
NEED(weighted, "-a arow, or a --rule with --rate, --lambda or -C", s->rule != RULE_ABSOLUTE && s->rule != RULE_PA)
NEED(weighted_csv, "rows of CSV, and -a arow, or a --rule with --rate, --lambda or -C",
     weighted.holds(s) ? csv_rows(s) : 0)
NEED(weights, "weights, which voted and kernel models have not", settings_can(s, CAN_KEEP))
NEED(batches, "weights, which voted and kernel models have not, an algorithm other than arow, and no --shards",
     settings_can(s, CAN_BATCH) && s->shards < 2)
NEED(mean_steps, "--batch all, and --epochs of more than 1",
     s->batch != BATCH_ALL ? 0
     : s->epochs > 1       ? 1
                           : OPTION_IDLE)
NEED(live_weights, "weights that are no mean (-a perceptron), and neither --validate nor --shards",
     settings_can(s, CAN_KEEP) && chosen_decision(s) != PCN_DECIDE_MEAN && !(s->validate > 0) && s->shards < 2)
NEED(whole_model, "a linear model, and neither --pocket nor --validate, which save no more",
     !settings_can(s, CAN_KEEP)     ? 0
     : s->pocket || s->validate > 0 ? OPTION_IDLE
                                    : 1)
NEED(vectors, "-a voted or -a kernel", settings_can(s, CAN_KERNEL))
NEED(deciding, "-a voted or -a kernel, or -a arow, which has no voted one",
     settings_can(s, CAN_KERNEL) || (settings_can(s, CAN_DECISION) && s->decision != PCN_DECIDE_VOTE))
NEED(poly, "--kernel poly", settings_kernel(s) == KERNEL_POLY)
NEED(poly_or_rbf, "--kernel poly or rbf", settings_kernel(s) > KERNEL_LINEAR)
NEED(a_budget, "--budget, and with forgetron two labels",
     s->budget > 0 && !(s->policy == POLICY_FORGETRON && s->label_count > 2))
NEED(no_eta, "a Winnow algorithm, and no --eta, which says the same", settings_can(s, CAN_ALPHA) && isnan(s->eta))
NEED(winnow, "a Winnow algorithm", settings_can(s, CAN_ALPHA))
NEED(arow, "-a arow", settings_can(s, CAN_R))
NEED(tested, "--test", s->test != NULL)
NEED(tested_two, "--test, and two labels", !s->test ? 0 : s->label_count == 0 ? -1 : s->label_count == 2)
NEED(validation, "--validate, and --epochs of more than 1", !(s->validate > 0) ? 0 : s->epochs > 1 ? 1 : OPTION_IDLE)
NEED(resumed, "--resume", s->resume != NULL)
NEED(one_learner, "one learner: no --shards and no --folds", s->shards < 2 && !s->folds)
NEED(arriving, "--online", s->online)
NEED(folding, "a training without --resume, --test, --plot, --measure, --final and --checkpoint",
     !s->resume && !s->test && !s->plot && !s->measure && !s->final && !s->checkpoint)

/* ---- The options ---- */

#define AT(member) .at = offsetof(settings, member)

static const option_entry learning_options[] = {
    {"algorithm", 'a', OPTION_CHOICE, AT(algorithm), .words_of = learner_words, .preset = "averaged", .argument = "A",
     .memory = SHAPE,
     .when = "Take averaged first, arow for words or a single pass, balanced-winnow where few of very many 0/1 "
             "features matter, kernel where no plane divides the classes.",
     .help = ""},
    {"epochs", 'e', OPTION_COUNT, AT(epochs), .low = 1, .high = 1e9, .argument = "N", .preset = "10",
     .when = "Take 1 for a stream, and more as long as the error on other rows falls.",
     .help = "most passes over the data"},
    {"order", 0, OPTION_CHOICE, AT(order), .words = "each|once|file|draw", .argument = "O", .memory = KEPT,
     .when = "Take file where rows depend on those before, as in a stream; once or draw to repeat what a text "
             "describes, draw for --pocket.",
     .help =
         "a new order for each epoch, one order, that of the file, or each row drawn from all, whatever came before "
         "(an epoch is as many draws as there are rows); default: each, but file with one epoch, "
         "in which rows are learned as they are read and not kept. --resume goes on with the order of the model"},
    {"seed", 0, OPTION_COUNT, AT(seed), .low = 0, .high = 4294967295.0, .argument = "N", .preset = "1", .memory = KEPT,
     .needs = &an_order, .when = "Take others to see how much of a result is luck.",
     .help = "seed of all that is drawn at random"},
    {"stop", 0, OPTION_CHOICE, AT(stop), .words = "never|clean|window", .preset = "never", .argument = "S",
     .memory = KEPT, .needs = &epochs,
     .when = "Take clean if a plane divides the classes: learning ends when nothing is left to learn.",
     .help = "when to end before the last epoch: clean is after an epoch without updates, window after a run without "
             "updates of as many rows as there are"},
    {"shards", 0, OPTION_COUNT, AT(shards), .low = 1, .high = SHARDS_MOST, .argument = "S", .memory = KEPT,
     .needs = &sharding, .when = "Take as many as the machine has processors if learning takes too long.",
     .help = "deal the rows to S learners, whose weights are mixed after each epoch; --threads of them learn at the "
             "same time, and the model is the same for any number of threads. Goes best with -a arow; default 1"},
    {"bias", 'B', OPTION_NUMBER, AT(bias), .low = 0, .high = 1e6, .argument = "B", .memory = KEPT, .needs = &additive,
     .when = "Take 0 for planes through the origin, and about the size of the features where that is far from 1.",
     .help = "constant input of the bias, 0 for no bias; default 1, but 0 for -a kernel"},
};

static const option_entry rule_options[] = {
    {"rule", 0, OPTION_CHOICE, AT(rule), .words = "fixed|absolute|fractional|pa|pa1|pa2", .preset = "fixed",
     .argument = "R", .memory = KEPT, .needs = &ruled,
     .when = "Take pa1 where classes overlap or some labels are wrong; the others repeat what texts describe.",
     .help = ""},
    {"r", 0, OPTION_NUMBER, AT(r), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .needs = &arow, .when = "Take less if one pass should go further, more if some labels are wrong.",
     .help = "of -a arow: the greater, the smaller its steps; 0.1 suits text"},
    {"rate", 0, OPTION_NUMBER, AT(rate), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .needs = &fixed_rule, .when = "Take another together with --margin; without a margin it only scales the weights.",
     .help = "step of the fixed rule"},
    {"lambda", 0, OPTION_NUMBER, AT(lambda), .low = 1e-9, .high = 2, .argument = "L", .preset = "1", .memory = KEPT,
     .needs = &fractional,
     .when = "Take less for cautious steps, more than 1 to go beyond the point where the row is just right.",
     .help = "part of the way that the fractional rule goes"},
    {"aggressive", 'C', OPTION_NUMBER, AT(c), .low = 1e-9, .high = 1e9, .argument = "C", .preset = "0.1",
     .memory = KEPT, .needs = &limited, .when = "Take less where labels may be wrong, more where they can be trusted.",
     .help = "aggressiveness of the passive-aggressive rules pa1 and pa2"},
    {"margin", 0, OPTION_NUMBER, AT(margin), .low = 0, .high = 1e9, .argument = "M", .memory = KEPT,
     .when = "Take more to go on learning from rows that are only just right.",
     .help = "update unless the score is right by more than M; default 0, but 1 for pa, pa1, pa2 and arow"},
    {"update", 0, OPTION_CHOICE, AT(update), .words = "predicted|others|uniform|one-vs-rest", .preset = "predicted",
     .argument = "U", .memory = KEPT, .needs = &many_labels,
     .when = "Take one-vs-rest if each score should tell its own class from all others.",
     .help = "which rivals of the right class change"},
    {"zero-class", 0, OPTION_CHOICE, AT(zero_class), .words = "positive|negative", .preset = "positive",
     .argument = "C", .memory = SHAPE, .needs = &signs,
     .when = "Take negative if a row without any known feature should be negative.",
     .help = "class predicted at a score of 0"},
    {"zero-update", 0, OPTION_CHOICE, AT(zero_update), .words = "always|predicted", .preset = "always", .argument = "U",
     .memory = KEPT, .needs = &no_margin,
     .when = "Take predicted to repeat a text in which only mistakes change weights.",
     .help = "update at a score of 0, or only if what it predicts is wrong"},
    {"weight", 0, OPTION_LIST, AT(weights), .argument = "LABEL=W", .memory = KEPT, .needs = &weighted,
     .when = "Take more than 1 for a label that is rare or must not be missed.",
     .help = "multiply the step for rows with this label; may be repeated"},
    {"weight-column", 0, OPTION_TEXT, AT(reader.weight_column), .argument = "COLUMN", .memory = KEPT,
     .needs = &weighted_csv, .when = "Take it if rows stand for different numbers of cases, or are not trusted alike.",
     .help = "CSV: a column, by its name or number, that is no feature, but multiplies the step of each row; 0 leaves "
             "the row out, as if it were not there"},
    {"weights", 0, OPTION_TEXT, AT(reader.weights), .argument = "FILE", .needs = &weighted,
     .when = "Take it for the same where no column has the weights, as in libsvm text.",
     .help = "a file of such weights of DATA's rows, one a line, in their order"},
    {"batch", 0, OPTION_COUNT, AT(batch), .low = 1, .high = 4294967294.0, .words = "all", .argument = "N",
     .memory = KEPT, .needs = &batches,
     .when = "Take it where single rows are too noisy to act upon, or to repeat what a text describes.",
     .help = "change the weights once every N rows, by the sum of the steps; the last rows of an epoch may be fewer. "
             "all: once an epoch, by the mean of the steps, whose length is printed after each"},
    {"until", 0, OPTION_NUMBER, AT(until), .low = 1e-9, .high = 1e9, .argument = "EPS", .memory = KEPT,
     .needs = &mean_steps, .when = "Take it to end when the weights hardly move.",
     .help = "end after an epoch whose mean step is shorter than EPS"},
};

static const option_entry kernel_options[] = {
    {"kernel", 0, OPTION_CHOICE, AT(kernel), .words = KERNEL_WORDS, .argument = "K", .memory = SHAPE, .needs = &vectors,
     .when = "Take rbf if little is known of the boundary, poly if products of features matter.",
     .help = "default linear for voted, rbf for kernel"},
    {"degree", 0, OPTION_COUNT, AT(degree), .low = 1, .high = 1000, .argument = "D", .preset = "3", .memory = SHAPE,
     .needs = &poly, .when = "Take as many as there are features in a product that matters, mostly 2 or 3.",
     .help = "the D of (G x.z + C)^D"},
    {"gamma", 0, OPTION_NUMBER, AT(gamma), .low = 1e-9, .high = 1e9, .argument = "G", .memory = SHAPE,
     .needs = &poly_or_rbf, .when = "Take more for a finer boundary; try some, a factor of 4 apart, with --folds.",
     .help = "the G there and in exp(-G |x - z|^2); default 1 / features"},
    {"coef0", 0, OPTION_NUMBER, AT(coef0), .low = -1e9, .high = 1e9, .argument = "C", .preset = "1", .memory = SHAPE,
     .needs = &poly, .when = "Take 0 if only products of exactly D features should count.", .help = "the C of poly"},
    {"budget", 0, OPTION_COUNT, AT(budget), .low = 1, .high = 1e7, .argument = "N", .memory = KEPT, .needs = &vectors,
     .when = "Take it where memory or the time of a prediction is limited.",
     .help = "most vectors to store; default: any number"},
    {"policy", 0, OPTION_CHOICE, AT(policy), .words = POLICY_WORDS, .argument = "P", .preset = "stop", .memory = KEPT,
     .needs = &a_budget, .when = "Take oldest if the data change with time, projectron to lose least.",
     .help = "what to do with a row for which the budget has no room; stop: leave it out"},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D", .memory = KEPT,
     .needs = &deciding, .when = "Take averaged after several epochs; it is steadier than last.",
     .help = "default voted for -a voted, last for -a kernel and -a arow"},
};

static const option_entry winnow_options[] = {
    {"alpha", 0, OPTION_NUMBER, AT(alpha), .low = 1.0001, .high = 1e6, .argument = "A", .memory = KEPT,
     .needs = &no_eta, .when = "Take a smaller factor where labels may be wrong.",
     .help = "factor of an update; default 2, but e^0.1 for -a winnow"},
    {"eta", 0, OPTION_NUMBER, AT(eta), .low = 1e-4, .high = 10, .argument = "E", .memory = KEPT, .needs = &winnow,
     .when = "Take it instead of --alpha where a text gives the rate so.", .help = "the same as --alpha e^E"},
    {"threshold", 0, OPTION_NUMBER, AT(threshold), .low = -1e9, .high = 1e9, .argument = "T", .memory = SHAPE,
     .needs = &winnow, .when = "Take less where few features of a row are 1.",
     .help = "subtracted from the score; default: the number of features for winnow1 and winnow2, else 0"},
};

const option_entry train_preparing[TRAIN_PREPARING] = {
    {"normalize", 0, OPTION_CHOICE, AT(normalize), .words = NORMALIZE_WORDS, .preset = "none", .argument = "HOW",
     .memory = SHAPE, .when = "Take maxabs for features of very different size, l2 for texts of very different length.",
     .help = "l2 brings each row to length 1, maxabs each feature to at most 1 in size"},
    {"binarize", 0, OPTION_FLAG, AT(binarize), .memory = SHAPE,
     .when = "Take it for counts of words, and for winnow1 and winnow2, which know only 0 and 1.",
     .help = "every value that is not 0 counts as 1"},
};

static const option_entry keeping_options[] = {
    {"validate", 0, OPTION_NUMBER, AT(validate), .low = 1e-6, .high = 0.999999, .argument = "FRACTION",
     .needs = &weights, .when = "Take it if the error on other rows rises again in later epochs.",
     .help = "hold so many rows back, keep the weights that do best on them after an epoch"},
    {"patience", 0, OPTION_COUNT, AT(patience), .low = 1, .high = 1e9, .argument = "N", .needs = &validation,
     .when = "Take it if it is not known how many epochs are enough.",
     .help = "stop after N epochs without improvement on those rows"},
    {"pocket", 0, OPTION_FLAG, AT(pocket), .needs = &live_weights,
     .when = "Take it if -a perceptron cannot get all rows right.",
     .help = "keep the weights with the longest run of rows without an update, if they also make fewer errors on DATA "
             "than those kept before (Gallant's pocket with ratchet); at the end the last weights, if they make fewer"},
    {"final", 0, OPTION_FLAG, AT(final), .needs = &whole_model, .when = "Take it for a model that will only predict.",
     .help = "save the weights that predict and nothing else: a third of an averaged model's file, from which "
             "learning can only start anew"},
    {"checkpoint", 0, OPTION_COUNT, AT(checkpoint), .low = 1, .high = 1e9, .argument = "K", .needs = &checkpoints,
     .when = "Take it for long runs, of which a loss of power should not cost much.",
     .help = "write the model after every K epochs, too; --resume goes on from there. Ctrl-C leaves the last of these"},
};

static const option_entry resuming_options[] = {
    {"resume", 0, OPTION_TEXT, AT(resume), .argument = "MODEL",
     .when = "Take it when new rows have come, or when the last run was too short.",
     .help = "go on learning from a model file, with its settings where none are given"},
    {"fixed", 0, OPTION_FLAG, AT(refuse_new), .needs = &resumed,
     .when = "Take it if labels, words or indices that the model has not are mistakes in the data.",
     .help = "refuse what is new in DATA; otherwise new labels, words, texts of columns and indices are learned, too"},
    {"online", 0, OPTION_FLAG, AT(online),
     .when = "Take it for rows that come from a running program, with labels and words that nobody knows beforehand.",
     .help = "learn each row once, as it arrives, and keep none; labels and features appear while it learns. Classes "
             "have the order of their labels in the data. With --resume it goes on: the same rows give the same model, "
             "however they are cut into runs"},
    {"predict", 0, OPTION_TEXT, AT(predictions), .argument = "FILE", .needs = &arriving,
     .when = "Take it for an honest error without test rows, or for answers while it learns.",
     .help = "write the label predicted for each row before it is learned, and count the errors (progressive "
             "validation); '-': standard output, a line as soon as its row has come"},
    {"classes", 0, OPTION_TEXT, AT(classes), .argument = "K",
     .when = "Take it if some labels are not in the data yet, or if a wrong column could turn up as labels.",
     .help =
         "most labels that there may be, default 1000 with --online, -e 1 or --resume, otherwise any number; or the "
         "labels themselves, A,B,...: all others are refused"},
    {"features", 0, OPTION_COUNT, AT(features), .low = 1, .high = 2147483647.0, .argument = "N", .memory = SHAPE,
     .when = "Take it if later rows may have features that the first have not.",
     .help = "most features that a row may have"},
};

static const option_entry result_options[] = {
    {"test", 't', OPTION_TEXT, AT(test), .argument = "FILE",
     .when = "Take it to see how good a model is on rows that it has not learned.",
     .help = "count errors on these rows after each epoch and with the weights that are saved"},
    {"report", 0, OPTION_FLAG, AT(report), .needs = &tested,
     .when = "Take it to see which labels are confused, and whether rare ones are found.",
     .help = "for those: confusion matrix, precision, recall and F1 of each class, the accuracy of always "
             "predicting the commonest label; two labels: area under the ROC curve"},
    {"roc", 0, OPTION_TEXT, AT(roc), .argument = "FILE.svg", .needs = &tested_two,
     .when = "Take it to see how many false alarms each --threshold of predict would cost.",
     .help = "draw the ROC curve"},
    {"plot", 0, OPTION_TEXT, AT(plot), .argument = "FILE.svg", .when = "Take it to see whether more epochs would help.",
     .help = "draw updates, mistakes and test error by epoch"},
    {"measure", 0, OPTION_FLAG, AT(measure), .needs = &weights,
     .when = "Take it to know whether a plane can divide the rows at all.",
     .help = "on the rows learned from: 0/1 risk, perceptron loss, margin, distance to the plane (divided by |w|), "
             "margin of the padded rows (by |(w, b)|) and the best that there is, between two bounds, Novikoff's bound "
             "beside the updates made, and whether the rows are separable, as far as that is proved"},
    {"trace", 0, OPTION_FLAG, AT(trace), .needs = &one_learner,
     .when = "Take it to follow an algorithm by hand, on few rows.",
     .help =
         "a line for each row that is learned: epoch, row, label, x, W.X, what it predicts, whether the rule fires, "
         "the step (of Winnow the factor of a weight), and then the weights that learn, with -a arow their "
         "variances, of voted and kernel models the coefficients. From 13 features on x and weights are those that "
         "the row has. With --json an object each"},
    {"folds", 0, OPTION_COUNT, AT(folds), .low = 2, .high = 1e9, .argument = "K", .needs = &folding,
     .when = "Take it to compare options, or if there are few rows.",
     .help = "cross-validation: train K times without a K-th of the rows, drawn by --seed, and count errors on it; "
             "no model is written"},
    {"quiet", 'q', OPTION_FLAG, AT(quiet), .when = "Take it in scripts.", .help = "no progress, no summary, no advice"},
    {"json", 0, OPTION_FLAG, AT(json), .when = "Take it if a program reads the results.",
     .help = "one JSON object on standard output"},
    FORCE_OPTION(settings, force),
};

const option_group train_groups[] = {
    {NULL, learning_options, LENGTH(learning_options), &train_settings},
    {"Rule", rule_options, LENGTH(rule_options), &train_settings},
    {"Voted and kernel models", kernel_options, LENGTH(kernel_options), &train_settings},
    {"Winnow (multiplies weights: winnow with any values, the others with 0 and 1)", winnow_options,
     LENGTH(winnow_options), &train_settings},
    {"Data preparation", train_preparing, TRAIN_PREPARING, &train_settings},
    {"Which weights to keep", keeping_options, LENGTH(keeping_options), &train_settings},
    {"Going on", resuming_options, LENGTH(resuming_options), &train_settings},
    {"Results", result_options, LENGTH(result_options), &train_settings},
    READER_GROUPS(train_settings.reader),
    {"Features", reader_learning, READER_LEARNING, &train_settings.reader},
};
