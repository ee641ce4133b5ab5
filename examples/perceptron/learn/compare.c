/* perceptron compare: learners on the same folds of rows that are read once. Each is what perceptron train --folds is
 * with these options. */
#include "folds.h"
#include "run.h"

#include <math.h>

static char tried[][32] = {"--algorithm=averaged", "--algorithm=arow", "--rule=pa1", "--algorithm=balanced-winnow",
                           "--algorithm=kernel"};

enum { KERNEL_ROWS = 5000 }; /* a kernel compares each row with many others */

typedef struct comparison {
    run r; /* has the rows */
    char *data;
    char **given;   /* stb_ds array: options as they are typed */
    output nowhere; /* takes models, which tells their bytes */
    say to;
    size_t best;
    double least; /* its error */
} comparison;

/* The settings of train, as a command line has them for that learner. */
static void take_settings(const comparison *c, options *o, size_t number)
{
    char **line = NULL;
    size_t i;
    arrput(line, "train");
    arrput(line, "--folds=5");
    arrput(line, tried[number]);
    for (i = 0; i < arrlenu(c->given); i++) arrput(line, c->given[i]);
    if (number > 0) arrput(line, "--quiet"); /* advice on the rows comes once */
    arrput(line, "--");
    arrput(line, c->data);
    options_read(o, &command_train, (int)arrlenu(line), line);
    arrfree(line);
}

/* The command to paste: train by the options given, but for those of compare alone. */
static void print_command(const comparison *c)
{
    size_t i;
    printf("perceptron train %s", tried[c->best]);
    for (i = 0; i < arrlenu(c->given); i++) {
        if (strncmp(c->given[i], "--folds=", 8) == 0) continue;
        putchar(' ');
        print_shell_word(stdout, c->given[i]);
    }
    fputs(*c->data == '-' && c->data[1] ? " -- " : " ", stdout);
    print_shell_word(stdout, c->data);
    puts(strcmp(c->data, "-") == 0 ? " best.model" : "");
}

static int suits(const learner *k, const settings *s, const rows *d)
{
    size_t i = 0;
    if (k->values_01 && s->normalize == NORMALIZE_L2) return 0;
    if ((k->can & CAN_KERNEL) && d->count > KERNEL_ROWS) return 0;
    while (k->values_01 && i < arrlenu(d->value) && (d->value[i] == 0 || d->value[i] == 1)) i++;
    return !k->values_01 || i == arrlenu(d->value);
}

static void show(comparison *c, size_t number, const spread *found, double took, size_t bytes)
{
    const double error = 1 - found->mean, deviation = found->deviation / sqrt(c->r.s->folds);
    json *j = &c->to.j;
    if (number == 0) {
        c->to = say_to(stdout, c->r.s->json);
        json_open(j, "learners", '[');
        say_line(&c->to, "%-15s %8s %8s %9s %11s\n", "learner", "error %", "+-", "seconds", "bytes");
    }
    if (number == 0 || error < c->least) {
        c->least = error;
        c->best = number;
    }
    say_line(&c->to, "%-15s %8.2f %8.2f %9.3f %11zu\n", strchr(tried[number], '=') + 1, 100 * error, 100 * deviation,
             took, bytes);
    json_open(j, NULL, '{');
    json_text(j, "option", tried[number]);
    json_count(j, "errors", found->errors);
    json_number(j, "error", error);
    json_number(j, "standard_error", deviation);
    json_seconds(j, "seconds", took);
    json_count(j, "model_bytes", bytes);
    json_close(j, '}');
    if (c->to.text) fflush(stdout);
}

static void try_learner(comparison *c, size_t number)
{
    settings *s = c->r.s;
    const reader_options as_read = s->reader;
    const rows *all = &c->r.in.data;
    const double from = seconds();
    model m = c->r.m;
    training t = c->r.t;
    options o;
    fold *folds;
    spread found;
    take_settings(c, &o, number);
    s->reader = as_read;
    set_model(&m, s, &o);
    set_defaults(&m, all->features);
    if (!suits(m.kind, s, all)) return;
    m.kept = options_keep(&o, KEPT | KEPT_READING, NULL);
    t.m = &m;
    folds = learn_folds(&t, &o, all, &c->nowhere, NULL);
    found = spread_of(folds, s->folds);
    show(c, number, &found, seconds() - from, folds[s->folds - 1].bytes);
    free(folds);
}

static int compare(options *given, int arguments, char **argument)
{
    static comparison all;
    comparison *c = &all;
    options o;
    size_t i;
    (void)arguments;
    c->data = argument[0];
    c->given = options_typed(given, 0);
    take_settings(c, &o, 0);
    train_start(&c->r, &o, c->data);
    train_read(&c->r, c->data);
    output_open(&c->nowhere, "/dev/null");
    for (i = 0; i < LENGTH(tried); i++) try_learner(c, i);
    json_close(&c->to.j, ']');
    json_text(&c->to.j, "best", tried[c->best]);
    say_end(&c->to);
    say_line(&c->to, "+- is the standard error over %lu folds, bytes are those of a fold's model; the best:\n",
             (unsigned long)c->r.s->folds);
    if (c->to.text) print_command(c);
    return 0;
}

#define AT(member) .at = offsetof(settings, member)

static const option_entry compare_options[] = {
    {"folds", 0, OPTION_COUNT, AT(folds), .low = 2, .high = 1e9, .preset = "5", .argument = "K", .common = 1,
     .help = "Learn K times without a K-th of the rows. Errors are counted on that. Use more if there are few rows."},
    {"seed", 0, OPTION_COUNT, AT(seed), .low = 0, .high = 4294967295.0, .preset = "1", .argument = "N", .common = 1,
     .help = "Draw folds and orders of rows from this seed. Use others to see how much is luck."},
    {"json", 0, OPTION_FLAG, AT(json), .common = 1, .help = "Print one JSON object on standard output."},
};
static const option_group groups[] = {
    {TOPIC_LEARNING, "Comparing", compare_options, LENGTH(compare_options), &train_settings},
    {TOPIC_LEARNING, "Scaling", train_preparing, TRAIN_PREPARING, &train_settings},
    READER_GROUPS(train_settings.reader),
    {TOPIC_READING, "Features", reader_learning, READER_LEARNING, &train_settings.reader}};

const command command_compare = {
    "compare",
    "Tries learners by cross-validation",
    "DATA",
    "Tries averaged, arow, averaged by the rule pa1, balanced-winnow and kernel. balanced-winnow only if all values "
    "are 0 or 1 (not with --normalize l2), kernel (rbf) only up to 5000 rows. Each has train's defaults. No model is "
    "written: the last line is the command that trains the best.",
    groups,
    LENGTH(groups),
    compare};
