/* The options of train. */
#include "settings.h"

#include <math.h>

settings train_settings;

/* ---- What options need ---- */

int settings_kernel(const settings *s)
{
    return settings_can(s, CAN_KERNEL) && s->kernel != OPTION_UNSET ? (int)s->kernel : settings_learner(s)->kernel;
}

unsigned settings_decision(const settings *s)
{
    return s->decision != OPTION_UNSET ? s->decision : (unsigned)settings_learner(s)->decision;
}

static int has_no_margin(const settings *s)
{
    return isnan(s->margin) ? settings_rule(s) < RULE_PA && settings_learner(s)->margin == 0 : s->margin == 0;
}

int settings_shuffle(const settings *s)
{
    if (s->online) return 0;
    if (s->order != OPTION_UNSET) return s->order != PCN_ORDER_FILE;
    return s->epochs > 1 || s->drawn || settings_can(s, CAN_KERNEL);
}

#define NEED(...) OPTION_NEED(settings, s, __VA_ARGS__)

NEED(epochs, "--epochs of more than 1", s->epochs > 1 ? 1 : OPTION_IDLE)
NEED(checkpoints, "--epochs of more than 1, or --resume", s->epochs > 1 || s->resume ? 1 : OPTION_IDLE)
NEED(an_order, "an --order that is drawn, --validate, --folds, --policy random or --blank",
     settings_shuffle(s) || s->validate > 0 || s->folds || s->policy == POLICY_RANDOM || s->blank ? 1 : OPTION_IDLE)
NEED(additive, "an algorithm other than Winnow, which has --alpha or --eta and --threshold", settings_can(s, CAN_BIAS))
NEED(ruled, "an algorithm other than Winnow and arow, which have their own", settings_can(s, CAN_RULE))
NEED(fixed_rule, "--rule fixed, and an algorithm other than Winnow and arow", settings_rule_is_fixed(s))
NEED(fractional, "--rule fractional", settings_rule(s) == RULE_FRACTIONAL)
NEED(limited, "--rule pa1 or pa2, and an algorithm that takes rules",
     settings_rule(s) == RULE_PA1 || settings_rule(s) == RULE_PA2)
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
NEED(weighted, "-a arow, Winnow, or a --rule with --rate, --lambda or -C",
     settings_rule(s) != RULE_ABSOLUTE && settings_rule(s) != RULE_PA)
NEED(weighted_csv, "rows of CSV, and -a arow, Winnow, or a --rule with --rate, --lambda or -C",
     weighted.holds(s) ? reader_expects(&s->reader, "csv") : 0)
NEED(weights, "weights, which voted and kernel models have not", settings_can(s, CAN_KEEP))
NEED(batches, "weights, which voted and kernel models have not, an algorithm other than arow, and no --shards",
     settings_can(s, CAN_BATCH) && s->shards < 2)
NEED(mean_steps, "--batch all, and --epochs of more than 1",
     s->batch != BATCH_ALL ? 0
     : s->epochs > 1       ? 1
                           : OPTION_IDLE)
NEED(live_weights, "weights that are no mean (-a perceptron), and neither --validate nor --shards",
     settings_can(s, CAN_KEEP) && settings_decision(s) != PCN_DECIDE_MEAN && !(s->validate > 0) && s->shards < 2)
NEED(whole_model, "a linear model, and neither --pocket nor --validate, which save no more",
     !settings_can(s, CAN_KEEP)     ? 0
     : s->pocket || s->validate > 0 ? OPTION_IDLE
                                    : 1)
NEED(frozen, "--final, --pocket or --validate", s->final || s->pocket || s->validate > 0)
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
NEED(following, "weights whose mean decides, no --batch, --shards and --pocket",
     settings_can(s, CAN_KEEP) && settings_decision(s) == PCN_DECIDE_MEAN && !s->batch && s->shards < 2 && !s->pocket)
NEED(tested, "--test", s->test != NULL)
NEED(tested_two, "--test, and two labels", !s->test ? 0 : s->label_count == 0 ? -1 : s->label_count == 2)
NEED(validation, "--validate, and --epochs of more than 1", !(s->validate > 0) ? 0 : s->epochs > 1 ? 1 : OPTION_IDLE)
NEED(resumed, "--resume", s->resume != NULL)
NEED(one_learner, "one learner: no --shards and no --folds", s->shards < 2 && !s->folds)
NEED(unfolded, "no --folds, which writes no model", !s->folds)
NEED(arriving, "--online", s->online)
NEED(has_words, "--text or --text-column", s->reader.text || s->reader.text_columns)
NEED(traced, "--trace", s->trace)
NEED(traced_mean, "--trace, and weights whose mean decides (-a averaged)",
     s->trace &&settings_can(s, CAN_KEEP) && settings_decision(s) == PCN_DECIDE_MEAN)
NEED(traced_sum, "--trace, and weights that are sums of rows",
     s->trace &&settings_can(s, CAN_KEEP) && settings_can(s, CAN_BIAS))
NEED(a_table, "--trace without --json", s->trace && !s->json)
NEED(whole_table, "--trace, and none of --json, --resume, --budget, --weights and --weight-column",
     s->trace && !s->json && !s->resume && !s->budget && !s->reader.weights && !s->reader.weight_column)
NEED(blanks, "--blank", s->blank > 0)
NEED(folding, "a training without --resume, --test, --plot, --measure, --final and --checkpoint",
     !s->resume && !s->test && !s->plot && !s->measure && !s->final && !s->checkpoint)

/* ---- The options ---- */

#define AT(member) .at = offsetof(settings, member)

static const option_entry learning_options[] = {
    {"algorithm", 'a', OPTION_CHOICE, AT(algorithm), .words_of = learner_words, .preset = "averaged", .argument = "A",
     .memory = SHAPE, .common = 1,
     .help =
         "Use arow for text, kernel for curves. averaged is a good start for all else; arow is the best in a "
         "single pass, balanced-winnow where few of very many 0/1 features matter, and kernel where no plane "
         "divides the classes. If you name none, texts with -e 1, and weights of labels or rows, take arow, and --online "
         "takes both averaged and arow."},
    {"epochs", 'e', OPTION_COUNT, AT(epochs), .low = 1, .high = 1e9, .argument = "N", .preset = "10", .common = 1,
     .help = "Go through the rows at most N times. Use more as long as the error on other rows falls. Each row is "
             "learned as it is read, and not kept, with --online, or if N is 1 and no other option, such as --order, "
             "needs all rows. Otherwise all rows are read first."},
    {"order", 0, OPTION_CHOICE, AT(order), .words = "each|once|file|draw", .argument = "O", .memory = KEPT,
     .usual = "each, but file with one epoch of weights; with --resume the order of the model",
     .help = "Shuffle the rows for each epoch, shuffle them once, take them as in the file, or draw each of them from "
             "all rows, whatever came before (an epoch is as many draws as there are rows). Use file if rows depend on "
             "the rows before them."},
    {"seed", 0, OPTION_COUNT, AT(seed), .low = 0, .high = 4294967295.0, .argument = "N", .preset = "1", .memory = KEPT,
     .needs = &an_order,
     .help = "Draw random numbers from this seed. Use other seeds to see how much of a result is luck."},
    {"stop", 0, OPTION_CHOICE, AT(stop), .words = "never|clean|window", .preset = "never", .argument = "S",
     .memory = KEPT, .needs = &epochs,
     .help = "End before the last epoch: after an epoch without updates (clean), or once as many rows as there are "
             "have come one after another without an update (window). Use clean where a plane divides the classes."},
    {"textbook", 0, OPTION_FLAG, AT(textbook), .memory = SHAPE,
     .help = "Learn as books define the perceptron. Its defaults are -a perceptron --rule fixed --order file --stop "
             "clean --normalize none --words binary. You may give any of them another value."},
    {"shards", 0, OPTION_COUNT, AT(shards), .low = 1, .high = SHARDS_MOST, .argument = "S", .memory = KEPT,
     .needs = &sharding, .usual = "1",
     .help = "Deal the rows to S learners and mix their weights after each epoch. Use as many as there are processors "
             "if learning takes too long; -a arow suits it best. --threads says how many of them learn at the same "
             "time, which does not change the model."},
    {"bias", 'B', OPTION_NUMBER, AT(bias), .low = 0, .high = 1e6, .argument = "B", .memory = KEPT, .needs = &additive,
     .usual = "1, but 0 for -a kernel",
     .help = "Give the bias this constant input. Use 0 for no bias. If the features are far from 1 in size, use a B of "
             "about their size."},
};

static const option_entry rule_options[] = {
    {"rule", 0, OPTION_CHOICE, AT(rule), .words = "fixed|absolute|fractional|pa|pa1|pa2", .preset = "pa1",
     .argument = "R", .memory = KEPT, .needs = &ruled,
     .help = "Choose how long a step is. fixed: --rate times the row; absolute: the smallest whole number of times "
             "that makes the row right; fractional: the part --lambda of the way to where it is right; pa: just enough "
             "for the margin; pa1 and pa2: the same, but limited by -C. Use pa1 where classes overlap or some labels "
             "are wrong."},
    {"r", 0, OPTION_NUMBER, AT(r), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .needs = &arow, .usual = "1, but 0.1 for texts",
     .help = "Use more if some labels are wrong. The greater R, the smaller the steps of arow."},
    {"regrow", 0, OPTION_NUMBER, AT(regrow), .low = 0, .high = 1, .argument = "P", .preset = "0", .memory = KEPT,
     .needs = &arow, .usual = "0, but 0.003 with --online",
     .help = "Let the variances that a step lowers grow again by this part. Use it if the target changes with time: "
             "after about 0.7 / P updates of a feature, half of what was learned about it has faded."},
    {"follow", 0, OPTION_FLAG, AT(follow), .memory = KEPT, .needs = &following,
     .usual = "with --online, if the mean decides",
     .help = "Start the mean of the weights again when the last weights do better for a while, and predict by the "
             "better of the two. Use it if the target changes with time."},
    {"rate", 0, OPTION_NUMBER, AT(rate), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .needs = &fixed_rule,
     .help = "Make each step R times the row. Use it with --margin: without a margin it only scales the weights."},
    {"lambda", 0, OPTION_NUMBER, AT(lambda), .low = 1e-9, .high = 2, .argument = "L", .preset = "1", .memory = KEPT,
     .needs = &fractional,
     .help = "Go this part of the way to the point where the row is just right. Use less than 1 for cautious steps."},
    {"aggressive", 'C', OPTION_NUMBER, AT(c), .low = 1e-9, .high = 1e9, .argument = "C", .preset = "1", .memory = KEPT,
     .needs = &limited,
     .help = "Limit the steps of pa1 and pa2. Use a smaller C where labels may be wrong, a larger C where they can be "
             "trusted."},
    {"margin", 0, OPTION_NUMBER, AT(margin), .low = 0, .high = 1e9, .argument = "M", .memory = KEPT,
     .usual = "0, but 1 for pa, pa1, pa2 and arow",
     .help = "Update unless the score is right by more than M. Use a larger M to learn from rows that are only just "
             "right."},
    {"update", 0, OPTION_CHOICE, AT(update), .words = "predicted|others|uniform|one-vs-rest", .preset = "predicted",
     .argument = "U", .memory = KEPT, .needs = &many_labels,
     .help =
         "Choose which rivals of the right class change. Use one-vs-rest if each score should tell its own class from "
         "all others."},
    {"zero-class", 0, OPTION_CHOICE, AT(zero_class), .words = "positive|negative", .preset = "positive",
     .argument = "C", .memory = SHAPE, .needs = &signs,
     .help = "Predict this class at a score of 0. Use negative if a row without any known feature should be negative."},
    {"zero-update", 0, OPTION_CHOICE, AT(zero_update), .words = "always|predicted", .preset = "always", .argument = "U",
     .memory = KEPT, .needs = &no_margin,
     .help = "Update at a score of 0 always, or only if the label predicted there is wrong."},
    {"weight", 0, OPTION_LIST, AT(weights), .argument = "LABEL=W", .memory = KEPT, .needs = &weighted,
     .help = "Multiply the step for rows with this label. Use more than 1 for a label that is rare or must not be "
             "missed. --weight balanced gives each label a weight by its number of rows, so that all count alike. May "
             "be repeated."},
    {"weight-column", 0, OPTION_TEXT, AT(reader.weight_column), .argument = "COLUMN", .memory = KEPT,
     .needs = &weighted_csv,
     .help = "Multiply the step of each row by its value in this column, given by name or number. The column is then "
             "not a feature. Use it if rows stand for different numbers of cases, or are not trusted alike. A row of "
             "weight 0 is left out."},
    {"weights", 0, OPTION_TEXT, AT(reader.weights), .argument = "FILE", .needs = &weighted,
     .help = "Read the weights of the rows of DATA from FILE, one a line, in the order of the rows."},
};

/* Which stands before kernels and Winnow: models remember options in the order of the tables. */
static const option_entry lesson_options[] = {
    {"batch", 0, OPTION_COUNT, AT(batch), .low = 1, .high = 4294967294.0, .words = "all", .argument = "N",
     .memory = KEPT, .needs = &batches,
     .help = "Change the weights once every N rows, by the sum of the steps. With all, change them once an epoch, by "
             "the mean of the steps, and print its length. Use it where single rows are too noisy to act upon."},
    {"until", 0, OPTION_NUMBER, AT(until), .low = 1e-9, .high = 1e9, .argument = "EPS", .memory = KEPT,
     .needs = &mean_steps, .help = "End after an epoch whose mean step is shorter than EPS."},
    {"pocket", 0, OPTION_FLAG, AT(pocket), .needs = &live_weights,
     .help = "Keep the weights with the longest run of rows without an update, if they also make fewer errors on DATA "
             "than those kept before (Gallant's pocket with ratchet). At the end, keep the last weights if they make "
             "fewer. Use it if -a perceptron cannot get all rows right, and best with --order draw."},
    {"measure", 0, OPTION_FLAG, AT(measure), .needs = &weights,
     .help = "Measure whether a plane can divide the rows. Prints for the rows learned from: 0/1 risk; perceptron "
             "loss; margin; distance to the plane (the margin divided by |w|); margin of the padded rows (divided by "
             "|(w, b)|), and the best such margin, between two bounds; Novikoff's bound beside the updates made."},
    {"trace", 0, OPTION_FLAG, AT(trace), .needs = &one_learner, .common = 1,
     .help = "Print a line for each row that is learned. Use it to follow an algorithm by hand, on few rows. The line "
             "has epoch, row, label, x, W.X, the prediction, whether the rule fires, the step (for Winnow the factor "
             "of a weight), then the weights that learn (for arow with their variances), or the coefficients of voted "
             "and kernel models. From 13 features on, only the features of the row are printed. With --json each row "
             "is an object."},
    {"ys", 0, OPTION_FLAG, AT(ys), .needs = &traced,
     .help = "Add y.s to --trace: the score, negated for the negative label. With more than two labels: the score of "
             "the right label minus that of its best rival."},
    {"sums", 0, OPTION_FLAG, AT(sums), .needs = &traced_mean,
     .help = "Add u and c to --trace, as in CIML's Algorithm 7, whose beta is u(bias): the mean is w - u / c."},
    {"angle", 0, OPTION_FLAG, AT(angle), .needs = &traced_sum,
     .help = "Add to --trace the degrees between w and w*, the weights of the best margin, which are printed above it. "
             "Both include the bias. A plane must divide the rows."},
    {"as", 0, OPTION_CHOICE, AT(as), .words = "plain|markdown|latex", .preset = "plain", .argument = "FORM",
     .needs = &a_table, .help = "Print the table of --trace in this form."},
    {"blank", 0, OPTION_COUNT, AT(blank), .low = 1, .high = 1e9, .argument = "N", .needs = &whole_table,
     .help = "Leave N cells of --trace empty, as an exercise. --seed draws them from the cells that follow from the "
             "rows and the options, so that all can be filled in."},
    {"key", 0, OPTION_FLAG, AT(key), .needs = &blanks,
     .help = "Print below the table what belongs in its empty cells."},
};

static const option_entry kernel_options[] = {
    {"kernel", 0, OPTION_CHOICE, AT(kernel), .words = KERNEL_WORDS, .argument = "K", .memory = SHAPE, .needs = &vectors,
     .usual = "linear for voted, rbf for kernel",
     .help = "Compare rows x and z by x.z (linear), (G x.z + C)^D (poly) or exp(-G |x - z|^2) (rbf). Use rbf if you "
             "know little about the boundary, poly if products of features matter."},
    {"degree", 0, OPTION_COUNT, AT(degree), .low = 1, .high = 1000, .argument = "D", .preset = "3", .memory = SHAPE,
     .needs = &poly, .help = "Set D of poly: how many features a product has."},
    {"gamma", 0, OPTION_NUMBER, AT(gamma), .low = 1e-9, .high = 1e9, .argument = "G", .memory = SHAPE,
     .needs = &poly_or_rbf, .usual = "1 / features, but 1 for rows or words of length 1",
     .help = "Set G of poly and rbf. Use a larger G for a finer boundary. Try several, a factor of 4 apart, with "
             "--folds."},
    {"coef0", 0, OPTION_NUMBER, AT(coef0), .low = -1e9, .high = 1e9, .argument = "C", .preset = "1", .memory = SHAPE,
     .needs = &poly, .help = "Set C of poly. Use 0 if only products of exactly D features should count."},
    {"budget", 0, OPTION_COUNT, AT(budget), .low = 1, .high = 1e7, .argument = "N", .memory = KEPT, .needs = &vectors,
     .usual = "no limit",
     .help = "Store at most N vectors. Use it where memory or the time of a prediction is limited."},
    {"policy", 0, OPTION_CHOICE, AT(policy), .words = POLICY_WORDS, .argument = "P", .preset = "stop", .memory = KEPT,
     .needs = &a_budget,
     .help = "Choose what makes room for a row when the budget is full; stop leaves the row out. Use oldest if the "
             "data change with time, and projectron to lose as little as possible."},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D", .memory = KEPT,
     .needs = &deciding, .usual = "voted for -a voted, last for -a kernel and for -a arow on tables",
     .help =
         "Predict by the last state, the mean of all states, or their votes. Use averaged after several epochs: it is "
         "steadier than last. arow takes it with --online, for texts with -e 1, and for weights of labels and rows; "
         "a --policy that forgets takes last."},
};

static const option_entry winnow_options[] = {
    {"alpha", 0, OPTION_NUMBER, AT(alpha), .low = 1.0001, .high = 1e6, .argument = "A", .memory = KEPT,
     .needs = &no_eta, .usual = "2, but e^0.1 for -a winnow",
     .help = "Multiply weights by A in an update. Use a smaller A where labels may be wrong."},
    {"eta", 0, OPTION_NUMBER, AT(eta), .low = 1e-4, .high = 10, .argument = "E", .memory = KEPT, .needs = &winnow,
     .help = "Set --alpha to e^E. Use it if a text gives the rate in this form."},
    {"threshold", 0, OPTION_NUMBER, AT(threshold), .low = -1e9, .high = 1e9, .argument = "T", .memory = SHAPE,
     .needs = &winnow, .usual = "the number of features for winnow1 and winnow2, otherwise 0",
     .help = "Subtract T from the score. Use a smaller T where few features of a row are 1."},
};

const option_entry train_preparing[TRAIN_PREPARING] = {
    {"normalize", 0, OPTION_CHOICE, AT(normalize), .words = NORMALIZE_WORDS, .preset = "auto", .argument = "HOW",
     .memory = SHAPE, .common = 1,
     .help = "Scale the values. predict scales in the same way. standard subtracts the mean of each column of numbers "
             "and divides by its standard deviation, for which far values count less. maxabs divides each feature by "
             "its largest size, and l2 brings each row to length 1. auto: standard for tables, maxabs for those with "
             "--products, none for all else, for Winnow and --binarize. libsvm text is a table if half of all values "
             "are given, unless rows are learned as they are read."},
    {"words", 0, OPTION_CHOICE, AT(words), .words = WORDS_WORDS, .preset = "auto", .argument = "HOW", .memory = SHAPE,
     .needs = &has_words,
     .help = "Weigh the words of a text. tfidf: (1 + ln count) (ln((1 + N) / (1 + rows with the word)) + 1) with N "
             "rows, then the words of the row are scaled to length 1; log: ln(1 + count), then the same; counts: how "
             "often a word occurs; binary: 1. auto: tfidf, but binary for Winnow, --binarize and --products."},
    {"binarize", 0, OPTION_FLAG, AT(binarize), .memory = SHAPE,
     .help = "Use it for counts of words: every value that is not 0 counts as 1. winnow1, winnow2 and "
             "balanced-winnow are for 0 and 1."},
};

static const option_entry keeping_options[] = {
    {"validate", 0, OPTION_NUMBER, AT(validate), .low = 1e-6, .high = 0.999999, .argument = "FRACTION",
     .needs = &weights, .common = 1,
     .help = "Hold rows back; keep the weights that do best on them. Use 0.1 or 0.2 if the error on other rows "
             "rises again in later epochs."},
    {"patience", 0, OPTION_COUNT, AT(patience), .low = 1, .high = 1e9, .argument = "N", .needs = &validation,
     .help = "Stop after N epochs without improvement on those rows."},
};

static const option_entry resuming_options[] = {
    {"resume", 0, OPTION_TEXT, AT(resume), .argument = "MODEL", .common = 1,
     .help = "Go on learning from a model file. Its settings hold unless you give others."},
    {"fixed", 0, OPTION_FLAG, AT(refuse_new), .needs = &resumed,
     .help = "Refuse what is new in DATA: labels, words, texts of columns and indices. Without --fixed they are "
             "learned, but not by Winnow, voted and kernel models."},
    {"online", 0, OPTION_FLAG, AT(online), .common = 1,
     .help =
         "Learn each row once, as it arrives, and keep none. Use it for rows from a running program, with labels "
         "and words that nobody knows beforehand. Two learners learn them, if no option names one: arow and averaged. "
         "The one that was right more often of late predicts. With --resume it goes on. The same rows give the same "
         "model, however they are divided into runs."},
    {"classes", 0, OPTION_TEXT, AT(classes), .argument = "K",
     .usual = "1000 for rows that are not kept, and with "
              "--resume",
     .help = "Refuse more than K labels, including those of the model. Or list labels, A,B,...: then all others are "
             "refused. Use it if a wrong column could be taken for the labels, or if some labels are not in the data "
             "yet."},
    {"features", 0, OPTION_COUNT, AT(features), .low = 1, .high = 2147483647.0, .argument = "N", .memory = SHAPE,
     .help = "Say how many features a row may have. Use it if later rows may have features that the first rows lack."},
};

static const option_entry result_options[] = {
    {"test", 't', OPTION_TEXT, AT(test), .argument = "FILE", .common = 1,
     .help = "Count errors on the rows of FILE. It is done after each epoch, and with the weights that are saved."},
    {"report", 0, OPTION_FLAG, AT(report), .needs = &tested, .common = 1,
     .help = "Show which labels of FILE are confused. Prints a confusion matrix, precision, recall and F1 of each "
             "class, the accuracy of always predicting the commonest label and, for two labels, the area under the ROC "
             "curve."},
    {"folds", 0, OPTION_COUNT, AT(folds), .low = 2, .high = 1e9, .argument = "K", .needs = &folding, .common = 1,
     .help = "Cross-validate: leave out each K-th of the rows once. Counts errors on the part left out, which "
             "--seed draws, and writes no model. Use it to compare options, or if there are few rows."},
    {"roc", 0, OPTION_TEXT, AT(roc), .argument = "FILE.svg", .needs = &tested_two,
     .help = "Draw the ROC curve: how many are found at how many false alarms."},
    {"plot", 0, OPTION_TEXT, AT(plot), .argument = "FILE.svg",
     .help = "Draw updates, mistakes and test error by epoch. Use it to see whether more epochs would help."},
    {"predict", 0, OPTION_TEXT, AT(predictions), .argument = "FILE", .needs = &arriving,
     .help =
         "Write the label predicted for each row before it is learned, and count the errors (progressive "
         "validation). Rows that are not learned, such as empty lines, are answered, too. '-' is standard output, which gets each line as soon as the row has come."},
    {"probabilities", 0, OPTION_FLAG, AT(probabilities), .memory = KEPT, .needs = &unfolded,
     .help = "Learn how scores become probabilities, so that predict can say how sure it is. Rows that are learned as "
             "they come are scored before they are learned. Otherwise models that learn four fifths of the rows score "
             "the other fifth, until 4,096 rows are scored: 1.8 to 5 trainings in all."},
    {"final", 0, OPTION_FLAG, AT(final), .needs = &whole_model,
     .help = "Save only the weights that predict: a third of the file of an averaged model. --resume can only start "
             "anew from these weights."},
    {"keep", 0, OPTION_COUNT, AT(keep), .low = 1, .high = 4294967295.0, .argument = "N", .needs = &frozen,
     .help = "Save only the N weights that are largest in size; the others become 0. Use it for small files and "
             "exports, with -t to see what it costs. For texts a tenth of the weights is often as good."},
    {"checkpoint", 0, OPTION_COUNT, AT(checkpoint), .low = 1, .high = 1e9, .argument = "K", .needs = &checkpoints,
     .help =
         "Write the model after every K epochs, too; --resume goes on from it. Use it for long runs: Ctrl-C, or another signal, then "
         "leaves the last model written."},
    {"quiet", 'q', OPTION_FLAG, AT(quiet), .common = 1, .help = "Print no progress, summary and advice."},
    {"json", 0, OPTION_FLAG, AT(json), .common = 1,
     .help = "Print one JSON object on standard output. It has the summary, too."},
    FORCE_OPTION(settings, force),
};

const option_group train_groups[] = {
    OPTION_GROUP(TOPIC_LEARNING, "Learning", learning_options, &train_settings),
    OPTION_GROUP(TOPIC_LEARNING, "Rule of updates", rule_options, &train_settings),
    OPTION_GROUP(TOPIC_LESSONS, "Lessons", lesson_options, &train_settings),
    OPTION_GROUP(TOPIC_LEARNING, "With -a voted or -a kernel", kernel_options, &train_settings),
    OPTION_GROUP(TOPIC_LEARNING, "With a Winnow algorithm, which multiplies: winnow any values, the others 0 and 1",
                 winnow_options, &train_settings),
    OPTION_GROUP(TOPIC_LEARNING, "Scaling", train_preparing, &train_settings),
    OPTION_GROUP(TOPIC_LEARNING, "Which weights to keep", keeping_options, &train_settings),
    OPTION_GROUP(TOPIC_LEARNING, "Going on", resuming_options, &train_settings),
    OPTION_GROUP(TOPIC_OUTPUT, "Results", result_options, &train_settings),
    READER_GROUPS(train_settings.reader),
    READER_LEARNING_GROUP(train_settings.reader),
};
