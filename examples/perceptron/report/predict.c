#include "explain.h"
#include "predicted.h"
#include "report.h"
#include "read/reader_options.h"
#include "model/stream.h"
#include "svg.h"

#include <math.h>

typedef struct predict {
    /* the command line */
    reader_options reader;
    unsigned decision;
    int no_header, quiet, json, report, image, force, explain, ignore_labels;
    float threshold; /* NaN: not given */
    predicted lines;
    refusal refusal;
    const char *roc;
    const char *name; /* of the output; NULL: none */
    /* the work */
    double began;
    model m;
    uint32_t label_count; /* 0: not known yet */
    uint64_t rows, empty; /* lines that are answered, and those among them that are no rows */
    /* Counted by the reading thread: values of unknown features, and of others; unknown labels that a table's row may
     * be. */
    uint64_t ignored, known, strange;
    uint64_t unknown; /* labels that the model has not: how many, the first, is there another, which of two it has */
    char *unknown_label;
    int unknown_differ, met[2];
    report result;
    const block *block;
    float *p; /* the probability of each label; NULL: nobody asks */
} predict;

/* ---- Rows ---- */

/* In the reading thread: the label of the row, which is made ready for scores. */
static uint32_t take_row_to_predict(void *context, reader *in, block *b)
{
    predict *p = context;
    const uint32_t label = p->ignore_labels ? NO_LABEL : model_row_label(&p->m, in);
    if (in->no_row) return NO_ROW;
    if (p->explain && in->count) memcpy(arraddnptr(b->raw, in->count), in->value, in->count * sizeof *in->value);
    p->ignored = in->unknown;
    p->known = in->known;
    model_row(&p->m, in);
    if (label == labels_count(&p->m.labels)) {
        if (p->unknown++ == 0) p->unknown_label = copy_text(in->label);
        p->unknown_differ |= strcmp(in->label, p->unknown_label) != 0;
    } else if (label < 2) {
        p->met[label] = 1;
    }
    p->strange += label == labels_count(&p->m.labels) && strpbrk(in->label, ",;\t");
    return label;
}

static int refuses(const predict *p)
{
    return !isnan(p->refusal.cost) || !isnan(p->refusal.share);
}

static uint32_t decide(const predict *p, const float *score)
{
    const float margin = score[0];
    if (isnan(p->threshold)) return model_class(&p->m, score);
    return margin > p->threshold || (margin == p->threshold && !p->m.zero_negative);
}

static void explain(const predict *p, uint32_t row, uint32_t class, const float *score)
{
    const rows *d = &p->block->data;
    const explained e = {
        rows_vector(d, row), p->block->raw + d->start[row], p->rows + row + 1, d->label[row], class, score};
    explain_row(p->lines.out, &p->m, &e, p->lines.top ? p->lines.top : 10, !p->reader.zero_based, p->json);
}

/* Of an empty line that is no row. */
static void answer_nothing(predict *p, uint32_t row)
{
    json j = {p->lines.json ? p->lines.out : NULL, 0};
    p->empty++;
    json_open(&j, NULL, '{');
    json_count(&j, "row", p->rows + row + 1);
    json_word(&j, p->explain ? "class" : "label", "null");
    json_close(&j, '}');
    if (!p->lines.out) return;
    if (p->explain && !p->json)
        fprintf(p->lines.out, "row %llu: an empty line\n", (unsigned long long)p->rows + row + 1);
    fputc('\n', p->lines.out);
}

static int take_prediction(void *context, uint32_t row, const float *score)
{
    predict *p = context;
    const uint32_t class = decide(p, score), label = p->block->data.label[row], units = model_units(&p->m);
    const float at = isnan(p->threshold) ? 0 : p->threshold, margin = score[0];
    const float gap = p->label_count > 2 ? pcn_margin(score, units, (int)class) : fabsf(margin - at);
    const pcn_vec x = rows_vector(&p->block->data, row);
    int refused = 0;
    if (label == NO_ROW) {
        answer_nothing(p, row);
        return 1;
    }
    if (p->p) model_probabilities(&p->m, &x, score, p->p);
    if (refuses(p))
        refused = refusal_add(&p->refusal, p->p ? 1 - p->p[class] : 0, gap, label == NO_LABEL ? -1 : label != class);
    report_add(&p->result, label, class, margin, p->p);
    if (p->explain)
        explain(p, row, class, score);
    else if (p->lines.out && !p->lines.scores && !p->lines.probabilities)
        predicted_label(p->lines.out, refused ? REFUSED : labels_text(&p->m.labels, class));
    else if (p->lines.out)
        predicted_row(&p->lines, p->rows + row + 1, class, refused, score, p->p);
    return 1;
}

static void predict_rows(predict *p, reader *in)
{
    stream s;
    stream_start(&s, in, take_row_to_predict, p);
    for (;;) {
        if (p->lines.out && stream_waits(&s)) fflush(p->lines.out); /* whoever sends the rows may wait for the answer */
        p->block = stream_next(&s);
        if (!p->block) break;
        model_score_rows(&p->m, &p->block->data, take_prediction, p);
        p->rows += p->block->data.count;
    }
    if (p->rows == p->empty) die(EXIT_INPUT, "%s: no examples", in->lines.name);
    if (p->ignored && p->known == 0)
        die(EXIT_INPUT, "%s: no value is of a feature that the model has seen: are these rows for it?", in->lines.name);
    if (p->ignored + p->known == 0 && p->strange > 0 && p->strange == p->result.labelled)
        die(EXIT_INPUT, "%s: no row has a value or a label of the model: --format csv reads a table", in->lines.name);
}

/* ---- Results ---- */

/* Has DATA 0 where the model has -1, or the reverse? Then 1 alone would be a label of both. */
static int has_other_sign(const predict *p)
{
    const int zero = p->unknown > 0 && strcmp(p->unknown_label, "0") == 0;
    uint32_t other;
    if (p->unknown_differ || (!zero && (p->unknown == 0 || strcmp(p->unknown_label, "-1") != 0))) return 0;
    other = labels_find(&p->m.labels, zero ? "-1" : "0");
    return labels_count(&p->m.labels) == 2 && other != NO_LABEL && !p->met[other];
}

/* Does DATA have other labels than the model? One alone, in all rows, is what is written where none is known. */
static int has_other_labels(predict *p)
{
    const int all = p->unknown > 0 && p->unknown == p->result.labelled;
    if (all && !p->unknown_differ) {
        report_free(&p->result);
        report_init(&p->result, &p->m.labels, p->report || p->roc);
        p->result.unlabelled = p->rows - p->empty;
        memset(p->refusal.labelled, 0, sizeof p->refusal.labelled);
        return 0;
    }
    return all || has_other_sign(p);
}

static void print_results(predict *p)
{
    const report *r = &p->result;
    FILE *f = !p->json && strcmp(p->name, "-") == 0 ? stderr : stdout; /* predictions may be on standard output */
    say to = say_to(f, p->json);
    json *j = &to.j;
    report_put_counts(r, p->rows - p->empty, j);
    json_count(j, "empty_lines", p->empty);
    json_count(j, "ignored", p->ignored);
    json_seconds(j, "seconds", seconds() - p->began);
    if (p->report)
        report_say(&p->result, &to);
    else if (!p->json && !p->quiet)
        report_print_accuracy(r, f);
    if (!p->json && !p->quiet) report_advise(r, model_kept(&p->m, "weight") != NULL);
    if (p->quiet) to.text = NULL;
    if (refuses(p)) refusal_say(&p->refusal, &to);
    say_end(&to);
    if (p->empty && !p->quiet)
        fprintf(stderr, "empty lines, which are no rows of this table and got empty answers: %llu\n",
                (unsigned long long)p->empty);
    if (!p->json && p->ignored && !p->quiet)
        fprintf(stderr, "%llu %s that the model has not seen %s ignored\n", (unsigned long long)p->ignored,
                p->ignored == 1 ? "value of a feature" : "values of features", p->ignored == 1 ? "was" : "were");
}

/* ---- The command ---- */

/* What only some models give. */
static void check_answers(predict *p, const char *name)
{
    const model *m = &p->m;
    const char *option = p->lines.probabilities ? "probabilities" : "refuse";
    if ((p->lines.probabilities || !isnan(p->refusal.cost)) && !model_calibrated(m))
        die(EXIT_USAGE, "--%s: %s has no probabilities: train --probabilities makes a model that has%s", option, name,
            p->lines.probabilities ? "; --scores prints what it has" : ", --refuse-share needs none");
    if (refuses(p) && labels_find(&m->labels, REFUSED) != NO_LABEL)
        die(EXIT_USAGE, "--refuse: '" REFUSED "' is a label of %s, and nobody could tell it from a refusal", name);
    if (model_calibrated(m) && (p->lines.probabilities || p->report || !isnan(p->refusal.cost)))
        p->p = allocate(p->label_count, sizeof *p->p);
}

static void check_files(const predict *p, char **argument)
{
    if (p->json && !p->lines.json && p->name && strcmp(p->name, "-") == 0)
        die(EXIT_USAGE, "--json and the predictions cannot both go to standard output: name an OUTPUT");
    if (strcmp(argument[0], "-") == 0 && strcmp(argument[1], "-") == 0)
        die(EXIT_USAGE, "DATA and MODEL cannot both be standard input");
    if (begins_as_model(argument[0]) && !begins_as_model(argument[1]))
        die(EXIT_USAGE, "DATA comes before MODEL: perceptron predict %s %s", argument[1], argument[0]);
    if (p->lines.scores && p->lines.probabilities) die(EXIT_USAGE, "--scores and --probabilities: choose one");
    if (!isnan(p->refusal.cost) && !isnan(p->refusal.share)) die(EXIT_USAGE, "--refuse and --refuse-share: choose one");
    if (p->lines.scores && !p->name) die(EXIT_USAGE, "-s --json: give an OUTPUT, where the scores go");
    if (p->roc && p->name && strcmp(p->roc, "-") != 0 && strcmp(p->roc, p->name) == 0)
        die(EXIT_USAGE, "--roc and OUTPUT cannot be the same file");
    if (p->name) output_spare(p->name, (const char *const *)argument, 2);
    if (p->roc) output_spare(p->roc, (const char *const *)argument, 2);
}

static void load_model(predict *p, options *o, const char *name)
{
    model *m = &p->m;
    model_open(m, name);
    model_take_as(m, p->image);
    model_load(m, 0);
    model_sort_classes(m);
    options_recall(o, m->kept, KEPT_READING, name);
    reader_options_complete(&p->reader, o);
    p->label_count = labels_count(&m->labels);
    p->reader.word_labels |= p->ignore_labels;
    options_check(o);
    if (p->explain && model_vectors(m))
        die(EXIT_USAGE,
            "--explain is for weights of features: %s predicts by stored rows, and show prints those that weigh most",
            name);
    if ((p->explain || p->lines.json) && p->name && !p->force &&
        !output_begins(p->name, p->json ? "{\"row\": 1, " : "row 1: "))
        die(EXIT_USAGE, "%s holds no such %s: --force replaces it", p->name,
            p->explain ? "explanations" : "predictions");
    if (!p->explain && !p->lines.json && p->name && !p->force) predicted_check_old(m, p->name);
    model_decide_by(m, p->decision);
    check_answers(p, name);
    model_use(m, NULL);
    model_expects(m, &p->reader);
}

static void predict_file(predict *p, options *o, const char *data)
{
    output predictions, roc;
    reader in;
    report_init(&p->result, &p->m.labels, p->report || p->roc);
    p->reader.every_line = 1;
    reader_open(&in, data, &p->reader);
    if (p->roc) svg_open(&roc, p->roc, p->force);
    if (p->name) {
        output_open(&predictions, p->name);
        p->lines.out = predictions.file;
    }
    if ((p->lines.scores || (p->lines.probabilities && !p->json)) && !p->no_header && !p->lines.top)
        predicted_header(&p->lines);
    predict_rows(p, &in);
    p->reader.found = in.format;
    options_check(o);
    reader_close(&in);
    if (has_other_labels(p)) {
        if (p->name) output_close(&predictions);
        die(EXIT_INPUT,
            "%s: labels of other rows: '%s' is none of the model's, of which the first is '%s': "
            "--ignore-labels does without%s",
            in.lines.name, printable(p->unknown_label, EXCERPT), printable(labels_text(&p->m.labels, 0), EXCERPT),
            in.format->is_table ? ", --label says which column has them" : "");
    }
    if (p->roc) {
        report_roc(&p->result, roc.file);
        output_close(&roc);
    }
    if (p->name) output_close(&predictions);
    print_results(p);
    report_free(&p->result);
}

static predict given;

#define AT(member) .at = offsetof(predict, member)

#define NEED(...) OPTION_NEED(predict, p, __VA_ARGS__)

NEED(unexplained, "no --explain, which has them", p->explain ? OPTION_IDLE : 1)
NEED(answers, "no --explain, which explains all rows", !p->explain)
NEED(several, "--explain, --scores or --probabilities", p->explain || p->lines.scores || p->lines.probabilities)
NEED(scored, "--scores or --probabilities", p->lines.scores || p->lines.probabilities ? 1 : OPTION_IDLE)
NEED(two_labels, "a model of two labels", p->label_count == 0 ? -1 : p->label_count == 2)
NEED(roc_labels, "a model of two labels, and no --ignore-labels", p->ignore_labels ? 0 : two_labels.holds(p))
NEED(labelled, "no --ignore-labels, which counts no label", !p->ignore_labels)
NEED(no_json, "no --json, which prints no summary", !p->json ? 1 : OPTION_IDLE)

static const option_entry predict_options[] = {
    {"scores", 's', OPTION_FLAG, AT(lines.scores), .needs = &unexplained, .common = 1,
     .help = "Print scores behind each label. Use it to rank rows, or to see which are near the boundary. With two "
             "labels it prints the score of the positive label, which is the second; otherwise those of all labels, "
             "with blanks between. The first line names them. Labels with blanks or quotes are quoted as in CSV."},
    {"probabilities", 0, OPTION_FLAG, AT(lines.probabilities), .needs = &answers, .common = 1,
     .help = "Print the probability of each label. It needs a model of train --probabilities. Probabilities choose "
             "among the labels of the model only: a row with none of them may get a high one, too. With --json each "
             "line is an object, with --top the likeliest label first."},
    {"no-header", 0, OPTION_FLAG, AT(no_header), .needs = &scored,
     .help = "Leave out the line of names that comes first."},
    {"explain", 0, OPTION_FLAG, AT(explain), .common = 1,
     .help = "Print why each row gets its label. For linear models: the features whose value x weight is greatest, for "
             "the positive label (+) and against it (-), the bias and the sum. With more than two labels it compares "
             "the best label with the next. With --json each line is an object."},
    {"top", 0, OPTION_COUNT, AT(lines.top), .low = 1, .high = 1e9, .argument = "N", .needs = &several,
     .usual = "10 with --explain, otherwise all labels",
     .help = "Explain a row by N features, or print N labels, each before its score or probability: first the one "
             "predicted, then the best of the others. Then no line of names comes first."},
    {"threshold", 0, OPTION_NUMBER, AT(threshold), .low = -1e30, .high = 1e30, .argument = "T", .needs = &two_labels,
     .common = 1,
     .help =
         "Predict the positive label from a score of T on, not 0. Use more than 0 if a false alarm costs more than a "
         "miss, less if a miss costs more. A score of T is positive, too, unless the model has --zero-class negative."},
    {"refuse", 0, OPTION_NUMBER, AT(refusal.cost), .low = 1e-6, .high = 0.999999, .argument = "COST", .needs = &answers,
     .common = 1,
     .help = "Print ? where an error is likelier than COST. COST is what a refusal costs, in errors: 0.1 if ten "
             "questions to a person cost as much as one error. The summary says how many rows are answered, and counts "
             "errors among these and among the others. It needs a model of train --probabilities."},
    {"refuse-share", 0, OPTION_NUMBER, AT(refusal.share), .low = 1e-6, .high = 0.999999, .argument = "S",
     .needs = &answers,
     .help = "Print ? for this share of the rows: those whose best label is least ahead, compared with up to 1,000 "
             "rows before them. It works with any model."},
    {"ignore-labels", 0, OPTION_FLAG, AT(ignore_labels),
     .help = "Take rows as if they had no labels. Use it if DATA has labels of another kind."},
    {"report", 0, OPTION_FLAG, AT(report), .needs = &labelled, .common = 1,
     .help = "Show which labels are confused. Prints a confusion matrix; precision, recall and F1 of each class and "
             "their means; accuracy, also of always predicting the commonest label; for two labels the area under the "
             "ROC curve (AUC). It goes to standard output with OUTPUT, otherwise to standard error."},
    {"roc", 0, OPTION_TEXT, AT(roc), .argument = "FILE.svg", .needs = &roc_labels, .common = 1,
     .help = "Draw the ROC curve. It shows for each --threshold how many are found at how many false alarms."},
    {"quiet", 'q', OPTION_FLAG, AT(quiet), .needs = &no_json, .common = 1, .help = "Print no summary."},
    {"json", 0, OPTION_FLAG, AT(json), .common = 1,
     .help = "Print one JSON object on standard output. With --report it has the report, too."},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D", .usual = "as trained",
     .help = "Predict by other states of a voted or kernel model than those it was trained to use. Use it to compare "
             "them."},
    IMAGE_OPTION(predict, image),
    FORCE_OPTION(predict, force),
};
static const option_group groups[] = {OPTION_GROUP(TOPIC_OUTPUT, "Results", predict_options, &given),
                                      READER_GROUPS(given.reader)};

static int run_predict(options *o, int arguments, char **argument)
{
    predict *p = &given;
    p->began = seconds();
    p->lines.json = p->json && (p->explain || p->lines.probabilities); /* rows, before the summary */
    p->name = arguments == 3 ? argument[2] : p->json && !p->lines.json ? NULL : "-";
    p->lines.m = &p->m;
    check_files(p, argument);
    load_model(p, o, argument[1]);
    predict_file(p, o, argument[0]);
    model_free(&p->m);
    return 0;
}

const command command_predict = {
    "predict",
    "Predicts the label of each row",
    "DATA MODEL [OUTPUT]",
    "OUTPUT: one label a line; default: standard output, with --json none. Line k belongs to line k of DATA, behind the "
    "names. An empty line is a row without words or features; in a table of several columns its answer is an empty line. "
    "Rows without labels are not counted. Labels that the model does not know are errors, counted in a line of their own. If all labels "
    "are unknown, and not all the same, the status is 2. A measure of 0/0 is printed as -, in JSON as null, "
    "and counts as 0 in means, of which a label that occurs nowhere is no part. Values of features that the model has not seen are ignored and counted. "
    "--report and --roc with two labels keep all scores in memory.",
    groups,
    LENGTH(groups),
    run_predict};
