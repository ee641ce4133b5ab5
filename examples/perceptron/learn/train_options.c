/* The options of train. */
#include "settings.h"

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
     .need = learning_needs,
     .help = "Draw random numbers from this seed. Use other seeds to see how much of a result is luck."},
    {"stop", 0, OPTION_CHOICE, AT(stop), .words = "never|clean|window", .preset = "never", .argument = "S",
     .memory = KEPT, .need = learning_needs,
     .help = "End before the last epoch: after an epoch without updates (clean), or once as many rows as there are "
             "have come one after another without an update (window). Use clean where a plane divides the classes."},
    {"textbook", 0, OPTION_FLAG, AT(textbook), .memory = SHAPE,
     .help = "Learn as books define the perceptron. Its defaults are -a perceptron --rule fixed --order file --stop "
             "clean --normalize none --words binary. You may give any of them another value."},
    {"shards", 0, OPTION_COUNT, AT(shards), .low = 1, .high = SHARDS_MOST, .argument = "S", .memory = KEPT,
     .need = learning_needs, .usual = "1",
     .help = "Deal the rows to S learners and mix their weights after each epoch. Use as many as there are processors "
             "if learning takes too long; -a arow suits it best. --threads says how many of them learn at the same "
             "time, which does not change the model."},
    {"bias", 'B', OPTION_NUMBER, AT(bias), .low = 0, .high = 1e6, .argument = "B", .memory = KEPT,
     .need = learning_needs, .usual = "1, but 0 for -a kernel",
     .help = "Give the bias this constant input. Use 0 for no bias. If the features are far from 1 in size, use a B of "
             "about their size."},
};

static const option_entry rule_options[] = {
    {"rule", 0, OPTION_CHOICE, AT(rule), .words_of = rule_names, .meanings_of = rule_steps, .preset = "pa1",
     .argument = "R", .memory = KEPT, .need = learning_needs,
     .help = "Choose how long a step is. Use pa1 where classes overlap or some labels are wrong."},
    {"r", 0, OPTION_NUMBER, AT(r), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .need = learning_needs, .usual = "1, but 0.1 for texts",
     .help = "Use more if some labels are wrong. The greater R, the smaller the steps of arow."},
    {"regrow", 0, OPTION_NUMBER, AT(regrow), .low = 0, .high = 1, .argument = "P", .preset = "0", .memory = KEPT,
     .need = learning_needs, .usual = "0, but 0.003 with --online",
     .help = "Let the variances that a step lowers grow again by this part. Use it if the target changes with time: "
             "after about 0.7 / P updates of a feature, half of what was learned about it has faded."},
    {"follow", 0, OPTION_FLAG, AT(follow), .memory = KEPT, .need = learning_needs,
     .usual = "with --online, if the mean decides",
     .help = "Start the mean of the weights again when the last weights do better for a while, and predict by the "
             "better of the two. Use it if the target changes with time."},
    {"rate", 0, OPTION_NUMBER, AT(rate), .low = 1e-9, .high = 1e9, .argument = "R", .preset = "1", .memory = KEPT,
     .need = learning_needs,
     .help = "Make each step R times the row. Use it with --margin: without a margin it only scales the weights."},
    {"lambda", 0, OPTION_NUMBER, AT(lambda), .low = 1e-9, .high = 2, .argument = "L", .preset = "1", .memory = KEPT,
     .need = learning_needs,
     .help = "Go this part of the way to the point where the row is just right. Use less than 1 for cautious steps."},
    {"aggressive", 'C', OPTION_NUMBER, AT(c), .low = 1e-9, .high = 1e9, .argument = "C", .preset = "1", .memory = KEPT,
     .need = learning_needs,
     .help = "Limit the steps of pa1 and pa2. Use a smaller C where labels may be wrong, a larger C where they can be "
             "trusted."},
    {"margin", 0, OPTION_NUMBER, AT(margin), .low = 0, .high = 1e9, .argument = "M", .memory = KEPT,
     .usual = "0, but 1 for pa, pa1, pa2 and arow",
     .help = "Update unless the score is right by more than M. Use a larger M to learn from rows that are only just "
             "right."},
    {"update", 0, OPTION_CHOICE, AT(update), .words = "predicted|others|uniform|one-vs-rest", .preset = "predicted",
     .argument = "U", .memory = KEPT, .need = learning_needs,
     .help =
         "Choose which rivals of the right class change. Use one-vs-rest if each score should tell its own class from "
         "all others."},
    {"zero-class", 0, OPTION_CHOICE, AT(zero_class), .words = "positive|negative", .preset = "positive",
     .argument = "C", .memory = SHAPE, .need = learning_needs,
     .help = "Predict this class at a score of 0. Use negative if a row without any known feature should be negative."},
    {"zero-update", 0, OPTION_CHOICE, AT(zero_update), .words = "always|predicted", .preset = "always", .argument = "U",
     .memory = KEPT, .need = learning_needs,
     .help = "Update at a score of 0 always, or only if the label predicted there is wrong."},
    {"weight", 0, OPTION_LIST, AT(weights), .argument = "LABEL=W", .memory = KEPT, .need = learning_needs,
     .help = "Multiply the step for rows with this label. Use more than 1 for a label that is rare or must not be "
             "missed. --weight balanced gives each label a weight by its number of rows, so that all count alike. May "
             "be repeated."},
    {"weight-column", 0, OPTION_TEXT, AT(reader.step_column[STEP_BY_WEIGHT]), .argument = "COLUMN", .memory = KEPT,
     .need = learning_needs,
     .help = "Multiply the step of each row by its value in this column, given by name or number. The column is then "
             "not a feature. Use it if rows stand for different numbers of cases, or are not trusted alike. A row of "
             "weight 0 is left out."},
    {"weights", 0, OPTION_TEXT, AT(reader.weights), .argument = "FILE", .need = learning_needs,
     .help = "Read the weights of the rows of DATA from FILE, one a line, in the order of the rows."},
};

/* Which stands before kernels and Winnow: models remember options in the order of the tables. */
static const option_entry lesson_options[] = {
    {"batch", 0, OPTION_COUNT, AT(batch), .low = 1, .high = 4294967294.0, .words = "all", .argument = "N",
     .memory = KEPT, .need = lesson_needs,
     .help = "Change the weights once every N rows, by the sum of the steps. With all, change them once an epoch, by "
             "the mean of the steps, and print its length. Use it where single rows are too noisy to act upon."},
    {"until", 0, OPTION_NUMBER, AT(until), .low = 1e-9, .high = 1e9, .argument = "EPS", .memory = KEPT,
     .need = lesson_needs, .help = "End after an epoch whose mean step is shorter than EPS."},
    {"pocket", 0, OPTION_FLAG, AT(pocket), .need = lesson_needs,
     .help = "Keep the weights with the longest run of rows without an update, if they also make fewer errors on DATA "
             "than those kept before (Gallant's pocket with ratchet). At the end, keep the last weights if they make "
             "fewer. Use it if -a perceptron cannot get all rows right, and best with --order draw."},
    {"measure", 0, OPTION_FLAG, AT(measure), .need = lesson_needs,
     .help = "Measure whether a plane can divide the rows. Prints for the rows learned from: 0/1 risk; perceptron "
             "loss; margin; distance to the plane (the margin divided by |w|); margin of the padded rows (divided by "
             "|(w, b)|), and the best such margin, between two bounds; Novikoff's bound beside the updates made."},
    {"trace", 0, OPTION_FLAG, AT(trace), .need = lesson_needs, .common = 1,
     .help = "Print a line for each row that is learned. Use it to follow an algorithm by hand, on few rows. The line "
             "has epoch, row, label, x, W.X, the prediction, whether the rule fires, the step (for Winnow the factor "
             "of a weight), then the weights that learn (for arow with their variances), or the coefficients of voted "
             "and kernel models. From 13 features on, only the features of the row are printed. With --json each row "
             "is an object."},
    {"ys", 0, OPTION_FLAG, AT(ys), .need = lesson_needs,
     .help = "Add y.s to --trace: the score, negated for the negative label. With more than two labels: the score of "
             "the right label minus that of its best rival."},
    {"sums", 0, OPTION_FLAG, AT(sums), .need = lesson_needs,
     .help = "Add u and c to --trace, as in CIML's Algorithm 7, whose beta is u(bias): the mean is w - u / c."},
    {"angle", 0, OPTION_FLAG, AT(angle), .need = lesson_needs,
     .help = "Add to --trace the degrees between w and w*, the weights of the best margin, which are printed above it. "
             "Both include the bias. A plane must divide the rows."},
    {"as", 0, OPTION_CHOICE, AT(as), .words = "plain|markdown|latex", .preset = "plain", .argument = "FORM",
     .need = lesson_needs, .help = "Print the table of --trace in this form."},
    {"blank", 0, OPTION_COUNT, AT(blank), .low = 1, .high = 1e9, .argument = "N", .need = lesson_needs,
     .help = "Leave N cells of --trace empty, as an exercise. --seed draws them from the cells that follow from the "
             "rows and the options, so that all can be filled in."},
    {"key", 0, OPTION_FLAG, AT(key), .need = lesson_needs,
     .help = "Print below the table what belongs in its empty cells."},
};

static const option_entry kernel_options[] = {
    {"kernel", 0, OPTION_CHOICE, AT(kernel), .words = KERNEL_WORDS, .argument = "K", .memory = SHAPE,
     .need = learning_needs, .usual = "linear for voted, rbf for kernel",
     .help = "Compare rows x and z by x.z (linear), (G x.z + C)^D (poly) or exp(-G |x - z|^2) (rbf). Use rbf if you "
             "know little about the boundary, poly if products of features matter."},
    {"degree", 0, OPTION_COUNT, AT(degree), .low = 1, .high = 1000, .argument = "D", .preset = "3", .memory = SHAPE,
     .need = learning_needs, .help = "Set D of poly: how many features a product has."},
    {"gamma", 0, OPTION_NUMBER, AT(gamma), .low = 1e-9, .high = 1e9, .argument = "G", .memory = SHAPE,
     .need = learning_needs, .usual = "1 / features, but 1 for rows or words of length 1",
     .help = "Set G of poly and rbf. Use a larger G for a finer boundary. Try several, a factor of 4 apart, with "
             "--folds."},
    {"coef0", 0, OPTION_NUMBER, AT(coef0), .low = -1e9, .high = 1e9, .argument = "C", .preset = "1", .memory = SHAPE,
     .need = learning_needs, .help = "Set C of poly. Use 0 if only products of exactly D features should count."},
    {"budget", 0, OPTION_COUNT, AT(budget), .low = 1, .high = 1e7, .argument = "N", .memory = KEPT,
     .need = learning_needs, .usual = "no limit",
     .help = "Store at most N vectors. Use it where memory or the time of a prediction is limited."},
    {"policy", 0, OPTION_CHOICE, AT(policy), .words = POLICY_WORDS, .argument = "P", .preset = "stop", .memory = KEPT,
     .need = learning_needs,
     .help = "Choose what makes room for a row when the budget is full; stop leaves the row out. Use oldest if the "
             "data change with time, and projectron to lose as little as possible."},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D", .memory = KEPT,
     .need = learning_needs, .usual = "voted for -a voted, last for -a kernel and for -a arow on tables",
     .help =
         "Predict by the last state, the mean of all states, or their votes. Use averaged after several epochs: it is "
         "steadier than last. arow takes it with --online, for texts with -e 1, and for weights of labels and rows; "
         "a --policy that forgets takes last."},
};

static const option_entry winnow_options[] = {
    {"alpha", 0, OPTION_NUMBER, AT(alpha), .low = 1.0001, .high = 1e6, .argument = "A", .memory = KEPT,
     .need = learning_needs, .usual = "2, but e^0.1 for -a winnow",
     .help = "Multiply weights by A in an update. Use a smaller A where labels may be wrong."},
    {"eta", 0, OPTION_NUMBER, AT(eta), .low = 1e-4, .high = 10, .argument = "E", .memory = KEPT, .need = learning_needs,
     .help = "Set --alpha to e^E. Use it if a text gives the rate in this form."},
    {"threshold", 0, OPTION_NUMBER, AT(threshold), .low = -1e9, .high = 1e9, .argument = "T", .memory = SHAPE,
     .need = learning_needs, .usual = "the number of features for winnow1 and winnow2, otherwise 0",
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
     .need = learning_needs,
     .help = "Weigh the words of a text. tfidf: (1 + ln count) (ln((1 + N) / (1 + rows with the word)) + 1) with N "
             "rows, then the words of the row are scaled to length 1; log: ln(1 + count), then the same; counts: how "
             "often a word occurs; binary: 1. auto: tfidf, but binary for Winnow, --binarize and --products."},
    {"binarize", 0, OPTION_FLAG, AT(binarize), .memory = SHAPE,
     .help = "Use it for counts of words: every value that is not 0 counts as 1. winnow1, winnow2 and "
             "balanced-winnow are for 0 and 1."},
};

static const option_entry keeping_options[] = {
    {"validate", 0, OPTION_NUMBER, AT(validate), .low = 1e-6, .high = 0.999999, .argument = "FRACTION",
     .need = result_needs, .common = 1,
     .help = "Hold rows back; keep the weights that do best on them. Use 0.1 or 0.2 if the error on other rows "
             "rises again in later epochs."},
    {"patience", 0, OPTION_COUNT, AT(patience), .low = 1, .high = 1e9, .argument = "N", .need = result_needs,
     .help = "Stop after N epochs without improvement on those rows."},
};

static const option_entry resuming_options[] = {
    {"resume", 0, OPTION_TEXT, AT(resume), .argument = "MODEL", .common = 1,
     .help = "Go on learning from a model file. Its settings hold unless you give others."},
    {"fixed", 0, OPTION_FLAG, AT(refuse_new), .need = result_needs,
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
    {"report", 0, OPTION_FLAG, AT(report), .need = result_needs, .common = 1,
     .help = "Show which labels of FILE are confused. Prints a confusion matrix, precision, recall and F1 of each "
             "class, the accuracy of always predicting the commonest label and, for two labels, the area under the ROC "
             "curve."},
    {"folds", 0, OPTION_COUNT, AT(folds), .low = 2, .high = 1e9, .argument = "K", .need = result_needs, .common = 1,
     .help = "Cross-validate: leave out each K-th of the rows once. Counts errors on the part left out, which "
             "--seed draws, and writes no model. Use it to compare options, or if there are few rows."},
    {"roc", 0, OPTION_TEXT, AT(roc), .argument = "FILE.svg", .need = result_needs,
     .help = "Draw the ROC curve: how many are found at how many false alarms."},
    {"plot", 0, OPTION_TEXT, AT(plot), .argument = "FILE.svg",
     .help = "Draw updates, mistakes and test error by epoch. Use it to see whether more epochs would help."},
    {"predict", 0, OPTION_TEXT, AT(predictions), .argument = "FILE", .need = result_needs,
     .help =
         "Write the label predicted for each row before it is learned, and count the errors (progressive "
         "validation). Rows that are not learned, such as empty lines, are answered, too. '-' is standard output, which gets each line as soon as the row has come."},
    {"probabilities", 0, OPTION_FLAG, AT(probabilities), .memory = KEPT, .need = result_needs,
     .help = "Learn how scores become probabilities, so that predict can say how sure it is. Rows that are learned as "
             "they come are scored before they are learned. Otherwise models that learn four fifths of the rows score "
             "the other fifth, until 4,096 rows are scored: 1.8 to 5 trainings in all."},
    {"final", 0, OPTION_FLAG, AT(final), .need = result_needs,
     .help = "Save only the weights that predict: a third of the file of an averaged model. --resume can only start "
             "anew from these weights."},
    {"keep", 0, OPTION_COUNT, AT(keep), .low = 1, .high = 4294967295.0, .argument = "N", .need = result_needs,
     .help = "Save only the N weights that are largest in size; the others become 0. Use it for small files and "
             "exports, with -t to see what it costs. For texts a tenth of the weights is often as good."},
    {"checkpoint", 0, OPTION_COUNT, AT(checkpoint), .low = 1, .high = 1e9, .argument = "K", .need = result_needs,
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
