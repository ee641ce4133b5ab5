#include "explain.h"
#include "report.h"
#include "read/reader_options.h"
#include "model/stream.h"
#include "svg.h"

#include <math.h>

typedef struct predict {
    /* the command line */
    reader_options reader;
    unsigned decision;
    int scores, no_header, quiet, json, report, image, force, explain, ignore_labels;
    uint32_t top;    /* features of a row that are explained */
    float threshold; /* NaN: not given */
    const char *roc;
    const char *name; /* of the output; NULL: none */
    /* the work */
    double began;
    model m;
    uint32_t label_count; /* 0: not known yet */
    uint64_t rows;
    /* Counted by the reading thread: values of unknown features, and of others; unknown labels that a table's row may
     * be. */
    uint64_t ignored, known, strange;
    uint64_t unknown; /* labels that the model has not: how many, the first, is there another, which of two it has */
    char *unknown_label;
    int unknown_differ, met[2];
    report result;
    const block *block;
    FILE *out; /* NULL: no predictions are written */
} predict;

/* ---- Lines of predictions ---- */

/* Among scores a label is one word. */
static void write_word(FILE *f, const char *label)
{
    print_field(f, label, " \t\"\r\n");
}

static void write_header(FILE *f, const model *m)
{
    uint32_t k;
    fputs("label", f);
    for (k = 0; k < model_units(m); k++) {
        fputc(' ', f);
        write_word(f, model_unit_label(m, k));
    }
}

static void write_row(const predict *p, uint32_t class, const float *score)
{
    uint32_t k;
    if (!p->scores) {
        fprintf(p->out, "%s\n", labels_text(&p->m.labels, class));
        return;
    }
    write_word(p->out, labels_text(&p->m.labels, class));
    for (k = 0; k < model_units(&p->m); k++) fprintf(p->out, " %.9g", (double)score[k]);
    fputc('\n', p->out);
}

/* What an output may begin with: a label as it is written among scores, or for NO_LABEL the header. */
static char *beginning(const model *m, uint32_t label)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f && label == NO_LABEL) write_header(f, m);
    if (f && label != NO_LABEL) write_word(f, labels_text(&m->labels, label));
    if (!f || fclose(f) != 0 || !text) die(EXIT_MEMORY, "out of memory");
    return text;
}

/* Could the model write this line, with or without scores? word: the labels as among scores. */
static int is_prediction(const model *m, char *const *word, const char *line)
{
    uint32_t k, scores;
    if (labels_find(&m->labels, line) != NO_LABEL) return 1;
    for (k = 0; k < labels_count(&m->labels); k++) {
        size_t length = strlen(word[k]);
        const char *p = line + length;
        char *end;
        if (strncmp(line, word[k], length) != 0) continue;
        for (scores = 0; *p == ' '; scores++, p = end) {
            strtod(p + 1, &end);
            if (end == p + 1) break;
        }
        if (*p == '\0' && scores == model_units(m)) return 1;
    }
    return 0;
}

static void check_old_output(const model *m, const char *name)
{
    FILE *f = output_old(name);
    char *line = NULL, *header = beginning(m, NO_LABEL), **word = NULL;
    size_t room = 0, number, i;
    ssize_t length;
    for (i = 0; i < labels_count(&m->labels); i++) arrput(word, beginning(m, (uint32_t)i));
    for (number = 0; f && (length = getline(&line, &room, f)) >= 0; number++) {
        if (line[length - 1] == '\n') line[--length] = '\0';
        if (number == 0 && strcmp(line, header) == 0) continue;
        if (strlen(line) != (size_t)length || !is_prediction(m, word, line))
            die(EXIT_USAGE, "%s holds no predictions of this model: --force replaces it", name);
    }
    if (f && !feof(f)) die_of(name); /* a line that could not be read, or held */
    for (i = 0; i < arrlenu(word); i++) free(word[i]);
    arrfree(word);
    free(header);
    free(line);
    if (f) fclose(f);
}

/* ---- Rows ---- */

/* In the reading thread: the label of the row, which is made ready for scores. */
static uint32_t take_row_to_predict(void *context, reader *in, block *b)
{
    predict *p = context;
    const uint32_t label = p->ignore_labels ? NO_LABEL : model_row_label(&p->m, in);
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

static uint32_t decide(const predict *p, const float *score)
{
    const float margin = model_margin(&p->m, score);
    if (isnan(p->threshold)) return model_class(&p->m, score);
    return margin > p->threshold || (margin == p->threshold && !p->m.zero_negative);
}

static void explain(const predict *p, uint32_t row, uint32_t class, const float *score)
{
    const rows *d = &p->block->data;
    const explained e = {
        rows_vector(d, row), p->block->raw + d->start[row], p->rows + row + 1, d->label[row], class, score};
    explain_row(p->out, &p->m, &e, p->top, !p->reader.zero_based, p->json);
}

static int take_prediction(void *context, uint32_t row, const float *score)
{
    predict *p = context;
    const uint32_t class = decide(p, score);
    report_add(&p->result, p->block->data.label[row], class, model_margin(&p->m, score));
    if (p->explain)
        explain(p, row, class, score);
    else if (p->out)
        write_row(p, class, score);
    return 1;
}

static void predict_rows(predict *p, reader *in)
{
    stream s;
    stream_start(&s, in, take_row_to_predict, p);
    for (;;) {
        if (p->out && stream_waits(&s)) fflush(p->out); /* whoever sends the rows may wait for the answer */
        p->block = stream_next(&s);
        if (!p->block) break;
        model_score_rows(&p->m, &p->block->data, take_prediction, p);
        p->rows += p->block->data.count;
    }
    if (p->rows == 0) die(EXIT_INPUT, "%s: no examples", in->name);
    if (p->ignored && p->known == 0)
        die(EXIT_INPUT, "%s: no value is of a feature that the model has seen: are these rows for it?", in->name);
    if (p->ignored + p->known == 0 && p->strange == p->rows)
        die(EXIT_INPUT, "%s: no row has a value or a label of the model: --format csv reads a table", in->name);
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
        p->result.unlabelled = p->rows;
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
    report_put_counts(r, p->rows, j);
    json_count(j, "ignored", p->ignored);
    json_seconds(j, "seconds", seconds() - p->began);
    if (p->report)
        report_say(&p->result, &to);
    else if (!p->json && !p->quiet)
        report_print_accuracy(r, f);
    say_end(&to);
    if (!p->json && p->ignored && !p->quiet)
        fprintf(stderr, "%llu %s that the model has not seen %s ignored\n", (unsigned long long)p->ignored,
                p->ignored == 1 ? "value of a feature" : "values of features", p->ignored == 1 ? "was" : "were");
}

/* ---- The command ---- */

static void check_files(const predict *p, char **argument)
{
    if (p->json && !p->explain && p->name && strcmp(p->name, "-") == 0)
        die(EXIT_USAGE, "--json and the predictions cannot both go to standard output: name an OUTPUT");
    if (strcmp(argument[0], "-") == 0 && strcmp(argument[1], "-") == 0)
        die(EXIT_USAGE, "DATA and MODEL cannot both be standard input");
    if (begins_as_model(argument[0]) && !begins_as_model(argument[1]))
        die(EXIT_USAGE, "DATA comes before MODEL: perceptron predict %s %s", argument[1], argument[0]);
    if (p->scores && !p->name) die(EXIT_USAGE, "-s --json: give an OUTPUT, where the scores go");
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
    if (p->explain && p->name && !p->force && !output_begins(p->name, p->json ? "{\"row\": 1, " : "row 1: "))
        die(EXIT_USAGE, "%s holds no such explanations: --force replaces it", p->name);
    if (!p->explain && p->name && !p->force) check_old_output(m, p->name);
    model_decide_by(m, p->decision);
    model_use(m, NULL);
    model_expects(m, &p->reader);
}

static void predict_file(predict *p, options *o, const char *data)
{
    output predictions, roc;
    reader in;
    report_init(&p->result, &p->m.labels, p->report || p->roc);
    reader_open(&in, data, &p->reader);
    if (p->roc) svg_open(&roc, p->roc, p->force);
    if (p->name) {
        output_open(&predictions, p->name);
        p->out = predictions.file;
    }
    if (p->scores && !p->no_header) {
        write_header(p->out, &p->m);
        fputc('\n', p->out);
    }
    predict_rows(p, &in);
    p->reader.found_format = in.options.format;
    options_check(o);
    reader_close(&in);
    if (has_other_labels(p)) {
        if (p->name) output_close(&predictions);
        die(EXIT_INPUT,
            "%s: labels of other rows: '%s' is none of the model's, of which the first is '%s': "
            "--ignore-labels does without%s",
            in.name, printable(p->unknown_label, EXCERPT), printable(labels_text(&p->m.labels, 0), EXCERPT),
            in.csv ? ", --label says which column has them" : "");
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
NEED(explained_rows, "--explain", p->explain)
NEED(scored, "--scores", p->scores ? 1 : OPTION_IDLE)
NEED(two_labels, "a model of two labels", p->label_count == 0 ? -1 : p->label_count == 2)
NEED(roc_labels, "a model of two labels, and no --ignore-labels", p->ignore_labels ? 0 : two_labels.holds(p))
NEED(labelled, "no --ignore-labels, which counts no label", !p->ignore_labels)
NEED(no_json, "no --json, which prints no summary", !p->json ? 1 : OPTION_IDLE)

static const option_entry predict_options[] = {
    {"scores", 's', OPTION_FLAG, AT(scores), .needs = &unexplained, .common = 1,
     .help =
         "Print scores behind each label. Use it to rank rows, or to see which are near the boundary. Of two labels it "
         "is the score of the positive one, the second, otherwise those of all; blanks stand between, and the first "
         "line names them. Labels with blanks or quotes are quoted as in CSV."},
    {"no-header", 0, OPTION_FLAG, AT(no_header), .needs = &scored, .help = "Leave that first line out."},
    {"explain", 0, OPTION_FLAG, AT(explain), .common = 1,
     .help =
         "Print why each row gets its label. Of linear models: the features whose value x weight is greatest, for the "
         "positive label (+) and against it (-), the bias and the sum; of more than two labels for the best against "
         "the next. With --json an object a line."},
    {"top", 0, OPTION_COUNT, AT(top), .low = 1, .high = 1e9, .preset = "10", .argument = "N", .needs = &explained_rows,
     .help = "Explain a row by N features."},
    {"threshold", 0, OPTION_NUMBER, AT(threshold), .low = -1e30, .high = 1e30, .argument = "T", .needs = &two_labels,
     .common = 1,
     .help =
         "Predict the positive label for scores above T, not 0. Use more than 0 if a false alarm costs more than a "
         "miss, less if a miss costs more. A score of T is positive, too, unless the model has --zero-class negative."},
    {"ignore-labels", 0, OPTION_FLAG, AT(ignore_labels),
     .help = "Take rows as if they had no labels. Use it if DATA has labels of another kind."},
    {"report", 0, OPTION_FLAG, AT(report), .needs = &labelled, .common = 1,
     .help =
         "Show which labels are confused. Prints a confusion matrix; precision, recall and F1 of each class and their "
         "means; accuracy, also of always predicting the commonest label; of two labels the area under the ROC curve "
         "(AUC). It goes to standard output with OUTPUT, otherwise to standard error."},
    {"roc", 0, OPTION_TEXT, AT(roc), .argument = "FILE.svg", .needs = &roc_labels, .common = 1,
     .help = "Draw the ROC curve. It shows for each --threshold how many are found at how many false alarms."},
    {"quiet", 'q', OPTION_FLAG, AT(quiet), .needs = &no_json, .common = 1, .help = "Print no summary."},
    {"json", 0, OPTION_FLAG, AT(json), .common = 1,
     .help = "Print one JSON object on standard output. With --report it has all of that."},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D", .usual = "as trained",
     .help = "Predict by other states of a voted or kernel model than in training. Use it to compare what they give."},
    IMAGE_OPTION(predict, image),
    FORCE_OPTION(predict, force),
};
static const option_group groups[] = {{TOPIC_OUTPUT, "Results", predict_options, LENGTH(predict_options), &given},
                                      READER_GROUPS(given.reader)};

static int run_predict(options *o, int arguments, char **argument)
{
    predict *p = &given;
    p->began = seconds();
    p->name = arguments == 3 ? argument[2] : p->json && !p->explain ? NULL : "-";
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
    "OUTPUT: one label a line; default: standard output, with --json none. Rows may lack labels and are not counted "
    "then. Labels that the model has not are errors, in a line of their own; if all are, that ends with status 2, "
    "unless they are one and the same. A measure of 0/0 is printed as -, in JSON as null, and left out of means. "
    "Values of features that the model has not seen are ignored and counted. --report "
    "and --roc with two labels keep all scores in memory.",
    groups,
    LENGTH(groups),
    run_predict};
