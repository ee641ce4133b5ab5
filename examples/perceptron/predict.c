#include "commands.h"
#include "stream.h"

typedef struct tally {
    const model *m;
    uint64_t rows, labelled, errors;
    uint64_t ignored;  /* values of unknown features: counted by the reading thread */
    uint64_t *table;   /* labels * labels + unknown labels in the last row; NULL: not asked for */
} tally;

/* Values of features beyond the model. */
static uint64_t count_unknown(pcn_vec x, uint32_t features)
{
    uint32_t i = x.count;
    if (!x.index) return x.count > features ? x.count - features : 0;
    while (i > 0 && x.index[i - 1] >= features) i--;
    return x.count - i;
}

static void write_row(FILE *f, const model *m, uint32_t class, const float *score, uint32_t scores)
{
    uint32_t k;
    fputs(labels_text(&m->labels, class), f);
    for (k = 0; k < scores; k++) fprintf(f, " %.9g", (double)score[k]);
    fputc('\n', f);
}

static void print_confusion(const model *m, const tally *t)
{
    uint32_t n = labels_count(&m->labels), i, j;
    fprintf(stderr, "%10s", "");
    for (j = 0; j < n; j++) fprintf(stderr, " %8s", labels_text(&m->labels, j));
    fprintf(stderr, "  <- predicted\n");
    for (i = 0; i <= n; i++) {
        uint64_t sum = 0;
        for (j = 0; j < n; j++) sum += t->table[(size_t)i * n + j];
        if (i == n && sum == 0) break;
        fprintf(stderr, "%10s", i < n ? labels_text(&m->labels, i) : "(unknown)");
        for (j = 0; j < n; j++)
            fprintf(stderr, " %8llu", (unsigned long long)t->table[(size_t)i * n + j]);
        fputc('\n', stderr);
    }
}

/* In the reading thread: the label of the row, which is made ready for model_scores. A label that the model
 * has not counts as the one behind its last. */
static uint32_t take_row_to_predict(void *context, reader *in)
{
    tally *t = context;
    pcn_vec x = reader_vector(in);
    uint32_t label;
    t->ignored += count_unknown(x, model_features(t->m));
    model_normalize(t->m, &x, in->value);
    if (!in->label) return NO_LABEL;
    label = labels_find(&t->m->labels, in->label);
    return label == NO_LABEL ? labels_count(&t->m->labels) : label;
}

static void count_row(tally *t, uint32_t label, uint32_t class)
{
    if (label == NO_LABEL) return;
    t->labelled++;
    t->errors += label != class;
    if (t->table) t->table[(size_t)label * labels_count(&t->m->labels) + class]++;
}

static void predict_rows(const model *m, reader *in, FILE *out, int with_scores, tally *t)
{
    uint32_t n = labels_count(&m->labels), units = n == 2 ? 1 : n, i, k, count, class;
    float *score = allocate((size_t)MODEL_BLOCK * units, sizeof *score);
    pcn_vec x[MODEL_BLOCK];
    const block *b;
    stream s;
    stream_start(&s, in, take_row_to_predict, t, 0);
    while ((b = stream_next(&s)) != NULL) {
        for (i = 0; i < b->data.count; i += count) {
            count = b->data.count - i < MODEL_BLOCK ? b->data.count - i : MODEL_BLOCK;
            for (k = 0; k < count; k++) x[k] = rows_vector(&b->data, i + k);
            model_scores(m, x, count, score);
            for (k = 0; k < count; k++) {
                class = model_class(m, score + (size_t)k * units);
                count_row(t, b->data.label[i + k], class);
                if (out) write_row(out, m, class, score + (size_t)k * units, with_scores ? units : 0);
            }
        }
        t->rows += b->data.count;
    }
    if (t->rows == 0) die(EXIT_INPUT, "%s: no examples", in->name);
    free(score);
}

static void print_json(const tally *t, double time)
{
    printf("{\"rows\": %llu, ", (unsigned long long)t->rows);
    if (t->labelled)
        printf("\"errors\": %llu, \"accuracy\": %.9g, ", (unsigned long long)t->errors,
               1 - (double)t->errors / (double)t->labelled);
    else
        printf("\"errors\": null, \"accuracy\": null, ");
    printf("\"ignored\": %llu, \"seconds\": %.6f}\n", (unsigned long long)t->ignored, time);
}

static void print_summary(const tally *t, int output_used)
{
    FILE *f = output_used ? stderr : stdout; /* predictions may be on standard output */
    if (t->labelled)
        fprintf(f, "Accuracy = %g%% (%llu/%llu)\n",
                100 * (1 - (double)t->errors / (double)t->labelled),
                (unsigned long long)(t->labelled - t->errors), (unsigned long long)t->labelled);
    if (t->ignored)
        fprintf(stderr, "%llu values of features that the model has not seen were ignored\n",
                (unsigned long long)t->ignored);
}

/* Could the model write this line, with or without scores? Labels may hold blanks. */
static int is_prediction(const model *m, char *line)
{
    uint32_t n = labels_count(&m->labels), k, scores;
    for (k = 0; k < n; k++) {
        size_t length = strlen(labels_text(&m->labels, k));
        char *p = line + length, *end;
        if (strncmp(line, labels_text(&m->labels, k), length) != 0) continue;
        for (scores = 0; *p == ' '; scores++, p = end) {
            strtod(p + 1, &end);
            if (end == p + 1) break;
        }
        if (*p == '\0' && (scores == 0 || scores == (n == 2 ? 1 : n))) return 1;
    }
    return 0;
}

static void check_old_output(const model *m, const char *name)
{
    FILE *f = output_old(name);
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (f && (length = getline(&line, &room, f)) >= 0) {
        if (line[length - 1] == '\n') line[--length] = '\0';
        if (strlen(line) != (size_t)length || !is_prediction(m, line))
            die(EXIT_USAGE, "%s holds no predictions of this model: --force replaces it", name);
    }
    free(line);
    if (f) fclose(f);
}

static struct settings {
    unsigned decision;
    int scores, quiet, json, confusion, force;
    reader_options reader;
} given;

#define AT(member) .at = offsetof(struct settings, member)

static const option_entry predict_options[] = {
    {"scores", 's', OPTION_FLAG, AT(scores),
     .help = "behind each label the score, or those of all classes in their order"},
    {"quiet", 'q', OPTION_FLAG, AT(quiet), .help = "no summary"},
    {"confusion", 0, OPTION_FLAG, AT(confusion), .help = "count labels against predictions, on standard error"},
    {"json", 0, OPTION_FLAG, AT(json), .help = "one JSON object on standard output"},
    {"decision", 0, OPTION_CHOICE, AT(decision), .words = DECISION_WORDS, .argument = "D",
     .help = "of voted and kernel models; default: as trained"},
    FORCE_OPTION(struct settings, force),
};
static const option_group groups[] = {{NULL, predict_options, PCN_LENGTH(predict_options), &given},
                                      READER_GROUPS(given.reader)};

static int predict(options *o, int arguments, char **argument)
{
    const char *data = argument[0], *file = argument[1], *name = arguments == 3 ? argument[2] : given.json ? NULL : "-";
    double began = seconds();
    model m;
    reader in;
    output out;
    tally t = {&m, 0, 0, 0, 0, NULL};
    uint32_t n;
    if (given.json && name && strcmp(name, "-") == 0)
        die(EXIT_USAGE, "--json and the predictions cannot both go to standard output");
    if (strcmp(data, "-") == 0 && strcmp(file, "-") == 0)
        die(EXIT_USAGE, "DATA and MODEL cannot both be standard input");

    if (name) output_spare(name, (const char *const *)argument, 2);
    memset(&m, 0, sizeof m);
    model_open(&m, file);
    model_load(&m, 0);
    options_recall(o, m.kept, KEPT_READING);
    reader_options_settle(&given.reader);
    if (name && !given.force) check_old_output(&m, name);
    if (given.decision != OPTION_UNSET) model_decide_by(&m, given.decision);
    model_use(&m, NULL);
    n = labels_count(&m.labels);
    if (given.confusion) t.table = allocate_zero((size_t)(n + 1) * n, sizeof *t.table);
    model_expects(&m, &given.reader);
    reader_open(&in, data, &given.reader);
    if (name) output_open(&out, name);
    predict_rows(&m, &in, name ? out.file : NULL, given.scores, &t);
    given.reader.found = in.options.format;
    options_check(o);
    reader_close(&in);
    if (name) output_close(&out);
    if (given.json)
        print_json(&t, seconds() - began);
    else if (!given.quiet)
        print_summary(&t, name && strcmp(name, "-") == 0);
    if (given.confusion) print_confusion(&m, &t);
    free(t.table);
    model_free(&m);
    return 0;
}

const command command_predict = {
    "predict", "Predicts the label of each row", "DATA MODEL [OUTPUT]",
    "OUTPUT: one label a line; default: standard output, with --json none. Rows may lack labels; values of\n"
    "features that the model has not seen are ignored and counted.\n",
    groups, PCN_LENGTH(groups), predict};
