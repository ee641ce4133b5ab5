/* perceptron compare: ways to learn, on the same folds of the same rows, which are read once. Each is what perceptron
 * train --folds is with these options. After each fold those that are clearly worse than the best leave. */
#include "folds.h"
#include "run.h"
#include "telltale.h"
#include "ways.h"

#include <math.h>

enum {
    DRAWN_ROWS = 10000, /* at most */
    KERNEL_ROWS = 5000  /* a kernel compares each row with many others */
};

enum state { SKIPPED, TRIED, BEATEN, GIVEN_UP };

typedef struct candidate {
    enum state state;
    options o;
    settings s;
    model m;
    float *class_weight;
    fold *folds;
    uint8_t *wrong; /* of each row of the folds that are learned */
    uint32_t learned, errors;
    double seconds, expected; /* of all its folds */
} candidate;

static uint32_t most_seconds;

typedef struct comparison {
    run r; /* has the rows */
    char *data;
    char **given;   /* stb_ds array: options as they are typed, but for those of compare alone */
    rows drawn;     /* of these rows, if they are many */
    output nowhere; /* takes models, which tells their bytes */
    uint32_t *fold_of;
    candidate all[WAYS];
    /* the one that learns now */
    candidate *now;
    double began, told;
    uint32_t epochs; /* of its fold, that have ended */
    int time_is_over;
} comparison;

/* ---- What is tried ---- */

static const way *way_of(const comparison *c, const candidate *k)
{
    return &ways[k - c->all];
}

/* The settings of train, as a command line has them for that candidate. */
static void take_settings(const comparison *c, options *o, const candidate *k)
{
    const way *of = way_of(c, k);
    char **line = NULL;
    size_t i;
    arrput(line, "train");
    arrput(line, "--folds=5");
    for (i = 0; i < WAY_OPTIONS && *of->option[i]; i++) arrput(line, (char *)of->option[i]);
    for (i = 0; i < arrlenu(c->given); i++) arrput(line, c->given[i]);
    if (k != c->all) arrput(line, "--quiet"); /* advice on the rows comes once */
    arrput(line, "--");
    arrput(line, c->data);
    options_read(o, &command_train, (int)arrlenu(line), line);
    arrfree(line);
}

static int suits(const comparison *c, const candidate *k)
{
    const unsigned what = way_of(c, k)->suits;
    const model *m = &c->r.m;
    const unsigned data = model_weighs_words(m) ? TEXTS : c->r.in.csv || model_standardizes(&c->r.m) ? TABLES : OTHERS;
    if (k != c->all && way_is_settled(way_of(c, k), c->given)) return 0;
    return (what & data) && !((what & MANY_LABELS) && labels_count(&m->labels) < 3) &&
           !((what & FEW_ROWS) && c->drawn.count > KERNEL_ROWS);
}

static void begin_candidate(comparison *c, candidate *k)
{
    const model *read = &c->r.m;
    const reader_options as_read = c->r.s->reader;
    if (!suits(c, k)) return;
    take_settings(c, &k->o, k);
    c->r.s->reader = as_read;
    k->m = *read;
    set_usual(c->r.s, &k->o);
    set_model(&k->m, c->r.s, &k->o);
    if (k->m.normalize == NORMALIZE_AUTO) k->m.normalize = read->normalize;
    if (k->m.words == WORDS_AUTO) k->m.words = read->words;
    if (!model_standardizes(&k->m)) k->m.scaler.features = 0;
    if (model_standardizes(&k->m) && !model_standardizes(read)) return; /* columns were not read for it */
    set_defaults(&k->m, c->drawn.features);
    k->m.kept = options_keep(&k->o, KEPT | KEPT_READING, NULL);
    k->s = *c->r.s;
    k->s.quiet = 1;
    k->class_weight = class_weights(&k->m, &k->s, &k->o, 1, &c->drawn);
    k->folds = allocate(k->s.folds, sizeof *k->folds);
    k->wrong = allocate_zero(c->drawn.count, 1);
    k->state = TRIED;
}

/* ---- Folds ---- */

/* A line on a terminal, in place of the last; "": none. */
static void tell(comparison *c, const char *text)
{
    const int width = c->told > c->r.began ? 78 : 0;
    if (*text || width) fprintf(stderr, "\r%-*s%s", width, text, *text ? "" : "\r");
}

static void end_epoch(void *context, const epoch_result *e)
{
    comparison *c = context;
    (void)e;
    c->epochs++;
}

/* Until the time is over, or in the first fold is sure to be before all are learned: what is left takes no less time than
 * what was learned, since models only grow. The first tenth of the time may be odd. */
static int in_time(const training *t)
{
    comparison *c = t->context;
    candidate *k = c->now;
    const pcn_pass *p = &t->pass;
    const double now = seconds(), all = now - c->r.began, epochs = (double)k->s.folds * k->s.epochs,
                 done = (double)k->learned * k->s.epochs + c->epochs + (p->left ? 1 - (double)p->left / p->rows : 0);
    const double took = k->seconds + now - c->began;
    char text[80];
    k->expected = done > 0 ? took * epochs / done : took;
    if (system_is_terminal() && now - c->told >= 1) {
        snprintf(text, sizeof text, "fold %lu of %lu, %d seconds: %s", (unsigned long)k->learned + 1,
                 (unsigned long)k->s.folds, (int)all, way_text(way_of(c, k)));
        c->told = now;
        tell(c, text);
    }
    return all < most_seconds &&
           (k->learned > 0 || took < 0.1 * most_seconds || all + k->expected - took < most_seconds);
}

static void learn_next_fold(comparison *c, candidate *k)
{
    training t = c->r.t;
    t.m = &k->m;
    t.s = &k->s;
    t.class_weight = k->class_weight;
    t.ended = end_epoch;
    t.goes_on = in_time;
    t.context = c;
    c->now = k;
    c->epochs = 0;
    c->began = seconds();
    if (learn_fold(&t, &c->drawn, c->fold_of, k->learned, &c->nowhere, &k->folds[k->learned], k->wrong, NULL))
        k->errors += k->folds[k->learned++].errors;
    else if (k->learned == 0)
        k->state = GIVEN_UP;
    else
        c->time_is_over = 1;
    k->seconds += seconds() - c->began;
}

/* All learn their next fold, those that are left. If the time ends before, this fold counts for none. */
static void learn_round(comparison *c, uint32_t number)
{
    size_t i;
    for (i = 0; i < WAYS && !c->time_is_over; i++)
        if (c->all[i].state == TRIED) learn_next_fold(c, &c->all[i]);
    for (i = 0; i < WAYS && c->time_is_over; i++)
        if (c->all[i].learned > number) c->all[i].errors -= c->all[i].folds[--c->all[i].learned].errors;
}

/* The square root of how many rows only one of the two has right: the standard error of the difference of their
 * errors. */
static double chance(const comparison *c, const candidate *a, const candidate *b, uint32_t folds)
{
    uint32_t i, differ = 0;
    for (i = 0; i < c->drawn.count; i++) differ += c->fold_of[i] < folds && a->wrong[i] != b->wrong[i];
    return sqrt(differ);
}

static candidate *fewest_errors(comparison *c)
{
    candidate *best = NULL;
    size_t i;
    for (i = 0; i < WAYS; i++)
        if (c->all[i].state == TRIED && (!best || c->all[i].errors < best->errors)) best = &c->all[i];
    return best;
}

static void drop_losers(comparison *c, uint32_t folds)
{
    const candidate *best = fewest_errors(c);
    size_t i;
    for (i = 0; best && i < WAYS; i++) {
        candidate *k = &c->all[i];
        if (k->state == TRIED && (double)k->errors - best->errors > 2 * chance(c, k, best, folds)) k->state = BEATEN;
    }
}

/* The default, unless another is better by more than chance. NULL: all were given up. */
static candidate *choose(comparison *c)
{
    candidate *best = fewest_errors(c), *usual = c->all;
    if (!best || usual->state != TRIED) return best;
    return usual->errors - (double)best->errors > chance(c, usual, best, usual->learned) ? best : usual;
}

/* ---- What is said ---- */

/* Errors of always predicting the commonest label. */
static uint32_t count_others(const comparison *c)
{
    uint32_t *count = allocate_zero(labels_count(&c->r.m.labels), sizeof *count), most = 0, i;
    for (i = 0; i < c->drawn.count; i++)
        if (++count[c->drawn.label[i]] > most) most = count[c->drawn.label[i]];
    free(count);
    return c->drawn.count - most;
}

static void say_candidate(const comparison *c, const candidate *k, say *to)
{
    const spread found = spread_of(k->folds, k->learned);
    const double error = 1 - found.mean, deviation = k->learned > 1 ? found.deviation / sqrt(k->learned) : (double)NAN;
    json *j = &to->j;
    json_open(j, NULL, '{');
    json_text(j, "options", k == c->all ? "" : way_text(way_of(c, k)));
    say_line(to, "%-52s ", way_text(way_of(c, k)));
    json_count(j, "folds", k->learned);
    if (k->state == GIVEN_UP) {
        say_line(to, "given up: it would take %.0f seconds or more\n", ceil(k->expected));
        json_word(j, "error", "null");
        json_seconds(j, "expected_seconds", k->expected);
    } else {
        say_line(to, "%8.2f ", 100 * error);
        say_line(to, k->learned > 1 ? "%8.2f" : "       -", 100 * deviation);
        say_line(to, " %9.3f %11zu%s\n", k->seconds, k->folds[k->learned - 1].bytes, k->state == BEATEN ? " left" : "");
        json_count(j, "errors", found.errors);
        json_number(j, "error", error);
        json_number(j, "standard_error", deviation);
        json_count(j, "model_bytes", k->folds[k->learned - 1].bytes);
    }
    json_seconds(j, "seconds", k->seconds);
    json_close(j, '}');
}

/* The command to paste: train by the options given, but for those of compare alone. */
static void print_command(const comparison *c, const candidate *best)
{
    size_t i;
    printf("perceptron train ");
    if (best != c->all) printf("%s ", way_text(way_of(c, best)));
    for (i = 0; i < arrlenu(c->given); i++) {
        if (strncmp(c->given[i], "--folds=", 8) == 0) continue;
        print_shell_word(stdout, c->given[i]);
        putchar(' ');
    }
    if (*c->data == '-' && c->data[1]) printf("-- ");
    print_shell_word(stdout, c->data);
    puts(strcmp(c->data, "-") == 0 ? " best.model" : "");
}

static void say_all(comparison *c, const candidate *best)
{
    const uint32_t others = count_others(c), folds = best ? best->learned : 0;
    say to = say_to(stdout, c->all->s.json);
    json *j = &to.j;
    size_t i;
    say_line(&to, "%-52s %8s %8s %9s %11s\n", "options", "error %", "+-", "seconds", "bytes");
    say_line(&to, "%-52s %8.2f\n", "baseline: always the commonest label", 100.0 * others / c->drawn.count);
    json_count(j, "rows", c->drawn.count);
    json_number(j, "baseline_error", (double)others / c->drawn.count);
    json_open(j, "tried", '[');
    for (i = 0; i < WAYS; i++)
        if (c->all[i].state != SKIPPED) say_candidate(c, &c->all[i], &to);
    json_close(j, ']');
    if (best)
        json_text(j, "best", best == c->all ? "" : way_text(way_of(c, best)));
    else
        json_word(j, "best", "null");
    if (best)
        say_line(
            &to,
            "+- is the standard error over %lu folds of %lu rows, bytes are those of a fold's model; left: clearly "
            "worse after some folds\n%s:\n",
            (unsigned long)folds, (unsigned long)c->drawn.count,
            best == c->all ? "the default, which none beats by more than chance" : "the best");
    say_end(&to);
    if (best && to.text) print_command(c, best);
}

static int compare(options *given, int arguments, char **argument)
{
    static comparison all;
    comparison *c = &all;
    candidate *best;
    options o;
    size_t i;
    uint32_t k;
    (void)arguments;
    c->data = argument[0];
    c->given = options_typed(given, 0);
    for (i = arrlenu(c->given); i-- > 0;)
        if (strncmp(c->given[i], "--seconds=", 10) == 0) arrdel(c->given, i);
    take_settings(c, &o, c->all);
    train_start(&c->r, &o, c->data);
    train_read(&c->r, c->data);
    c->drawn = draw_rows(&c->r.in.data, DRAWN_ROWS, c->r.s->seed);
    check_folds(&c->r.t, &c->drawn);
    advise_on_telltales(&c->r.t, &o, &c->drawn);
    c->fold_of = draw_folds(c->r.s, c->drawn.count);
    c->told = c->r.began;
    output_open(&c->nowhere, SYSTEM_NOWHERE);
    for (i = 0; i < WAYS; i++) begin_candidate(c, &c->all[i]);
    for (k = 0; k < c->all->s.folds && !c->time_is_over; k++) {
        learn_round(c, k);
        if (!c->time_is_over) drop_losers(c, k + 1);
    }
    tell(c, "");
    best = choose(c);
    say_all(c, best);
    if (best) return 0;
    errors_as_json = 0; /* its object is whole */
    die(EXIT_USAGE, "all take longer than --seconds %lu: give more", (unsigned long)most_seconds);
}

#define AT(member) .at = offsetof(settings, member)

static const option_entry compare_options[] = {
    {"folds", 0, OPTION_COUNT, AT(folds), .low = 2, .high = 1e9, .preset = "5", .argument = "K", .common = 1,
     .help = "Learn K times without a K-th of the rows. Errors are counted on that. Use more if there are few rows."},
    {"seed", 0, OPTION_COUNT, AT(seed), .low = 0, .high = 4294967295.0, .preset = "1", .argument = "N", .common = 1,
     .help = "Draw folds and orders of rows from this seed. Use other seeds to see how much of a result is luck."},
    {"json", 0, OPTION_FLAG, AT(json), .common = 1, .help = "Print one JSON object on standard output."},
};
static const option_entry own_options[] = {
    {"seconds", 0, OPTION_COUNT, .at = 0, .low = 1, .high = 1e9, .preset = "60", .argument = "N", .common = 1,
     .help = "End after N seconds. What would take longer is given up, so another machine may give up others."},
};
static const option_group groups[] = {
    {TOPIC_LEARNING, "Comparing", compare_options, LENGTH(compare_options), &train_settings},
    {TOPIC_LEARNING, NULL, own_options, LENGTH(own_options), &most_seconds},
    {TOPIC_LEARNING, "Scaling", train_preparing, TRAIN_PREPARING, &train_settings},
    READER_GROUPS(train_settings.reader),
    {TOPIC_READING, "Features", reader_learning, READER_LEARNING, &train_settings.reader}};

const command command_compare = {
    "compare",
    "Finds good options of train by cross-validation",
    "DATA",
    "Tries what helps most often; options that you give hold for all. If there are more than 10000 rows, it "
    "draws so many. After each fold it drops what is clearly worse than the best. It chooses the default "
    "unless another is better by more than chance. It writes no model: the last line is the command that "
    "trains the choice.",
    groups,
    LENGTH(groups),
    compare};
