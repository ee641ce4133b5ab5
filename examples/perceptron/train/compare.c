/* perceptron compare: ways to learn, on the same folds of the same rows, which are read once. Each is what perceptron
 * train --folds is with these options. Part 1 tries all, on at most CONTEST_ROWS rows: few rows are dealt to folds
 * again and again. Of more rows, part 2 tries the last two or three on as many as the time allows. */
#include "contest.h"
#include "telltale.h"

#include <math.h>

enum {
    KERNEL_ROWS = 5000, /* a kernel compares each row with many others */
    REPEATS = 10        /* at most, and no more than CONTEST_ROWS rows in all */
};
/* In standard errors, see judge.h: so at most 5 % of tables without any connection get another setting named
 * (tests/program/compare.py). By AUC and log-loss, which vary a little more than their standard errors say, the named
 * one is also better than the commonest label by what is asked. */
#define ASKED 2.75
#define ASKED_BY_AUC 3.0
#define HINTED 1.0
#define ABOVE_COMMONEST 1.0

static struct given_here {
    uint32_t seconds;
    unsigned by;
} given_here;

typedef struct comparison {
    run r;                  /* has the rows */
    reader_options as_read; /* what was found in the data, too */
    char *data;
    char **given; /* stb_ds array: options as they are typed, but for those of compare alone */
    rows drawn;   /* of these rows, if they are many */
    output nowhere;
    contest first, last;
} comparison;

/* ---- What is tried ---- */

/* The settings of train, as a command line has them for that candidate. */
static void take_settings(const comparison *c, options *o, const candidate *k)
{
    const way *of = way_of(&c->first, k);
    char **line = NULL;
    size_t i;
    arrput(line, "train");
    arrput(line, "--folds=5");
    for (i = 0; i < WAY_OPTIONS && *of->option[i]; i++) arrput(line, (char *)of->option[i]);
    for (i = 0; i < arrlenu(c->given); i++) arrput(line, c->given[i]);
    if (k != c->first.all) arrput(line, "--quiet"); /* advice on the rows comes once */
    arrput(line, "--");
    arrput(line, c->data);
    options_read(o, &command_train, (int)arrlenu(line), line);
    arrfree(line);
}

static int is_read_once(const comparison *c)
{
    return strcmp(c->data, "-") == 0;
}

static int suits(const comparison *c, const candidate *k)
{
    const way *w = way_of(&c->first, k);
    const model *m = &c->r.m;
    const unsigned numbers = c->r.in.is_table || model_standardizes(m) ? TABLES : OTHERS;
    const unsigned data = model_weighs_words(m) ? (unsigned)TEXTS : numbers;
    if (k != c->first.all && way_is_settled(w, c->given)) return 0;
    return (w->suits & data) && !((w->suits & READS) && is_read_once(c)) &&
           !((w->suits & MANY_LABELS) && labels_count(&m->labels) < 3) &&
           !((w->suits & IS_KERNEL) && c->drawn.count > KERNEL_ROWS) &&
           !((w->suits & NO_ACCURACY) && given_here.by == BY_ACCURACY) &&
           !((w->suits & BY_LOSS) && given_here.by != BY_LOGLOSS);
}

/* The same rows, read as the candidate's own options say: standard input cannot be. */
static void read_again(const comparison *c, candidate *k)
{
    run *again = allocate_zero(1, sizeof *again);
    rows *drawn = allocate(1, sizeof *drawn);
    train_start(again, &k->o, c->data);
    train_read(again, c->data);
    *drawn = draw_rows(&again->in.data, CONTEST_ROWS, c->first.t.seed);
    k->again = again;
    k->again_drawn = drawn;
}

static void begin_candidate(comparison *c, candidate *k)
{
    const model *read = &c->r.m;
    if (!suits(c, k)) return;
    take_settings(c, &k->o, k);
    if (way_of(&c->first, k)->suits & READS) {
        read_again(c, k);
        read = &k->again->m;
    } else {
        c->r.s->reader = c->as_read;
    }
    k->m = *read;
    set_usual(c->r.s, &k->o);
    set_model(&k->m, c->r.s, &k->o);
    if (k->m.normalize == NORMALIZE_AUTO) k->m.normalize = read->normalize;
    if (k->m.words == WORDS_AUTO) k->m.words = read->words;
    if (!model_standardizes(&k->m)) k->m.scaler.features = 0;
    if (model_standardizes(&k->m) && !model_standardizes(read)) return; /* columns were not read for it */
    set_defaults(&k->m, k->again ? k->again_drawn->features : c->drawn.features);
    k->m.kept = options_keep(&k->o, KEPT | KEPT_READING, NULL);
    k->s = *c->r.s;
    contest_join(&c->first, k, given_here.seconds / (way_of(&c->first, k)->suits & IS_KERNEL ? 3.0 : 1.0));
}

/* ---- Part 1 ---- */

static void begin_first(comparison *c)
{
    contest *p = &c->first;
    const uint32_t n = c->drawn.count, seed = c->r.s->seed, folds = c->r.s->folds;
    const double now = seconds(), left = c->r.began + given_here.seconds - now;
    settings s = *c->r.s;
    const uint32_t repeats = CONTEST_ROWS / n < REPEATS ? CONTEST_ROWS / n : REPEATS; /* n is at most CONTEST_ROWS */
    uint32_t r, *fold_of;
    size_t i;
    p->r = &c->r;
    p->nowhere = &c->nowhere;
    p->t = (tests){
        .labels = labels_count(&c->r.m.labels), .folds = folds, .repeats = repeats, .seed = seed, .by = given_here.by};
    p->until = now + (n < c->r.in.data.count ? left / 2 : left);
    p->odd = 0.1 * given_here.seconds;
    p->need = folds;
    p->learns = n - (n + folds - 1) / folds;
    contest_begin(p, &c->drawn);
    for (r = 0; r < repeats; r++) {
        s.seed = seed + r;
        fold_of = draw_folds(&s, n);
        memcpy(p->t.fold_of + (size_t)r * n, fold_of, n * sizeof *fold_of);
        free(fold_of);
    }
    for (i = 0; i < WAYS; i++) begin_candidate(c, &p->all[i]);
    if (is_read_once(c) && model_weighs_words(&c->r.m))
        fputs("advice: --marks no is not tried, because standard input is read once: give a file\n", stderr);
}

/* ---- The choice ---- */

/* The default stays unless another is better by more than chance, and than the commonest label. */
static verdict choose(contest *p)
{
    verdict v = {NULL, NULL, NAN, given_here.by == BY_AUC ? ASKED_BY_AUC : ASKED, NAN, 1};
    const candidate *usual = p->all->state == TRIED ? p->all : NULL;
    candidate *order[WAYS];
    const size_t count = contest_order(p, order);
    const double base = given_here.by == BY_ACCURACY ? ABOVE_COMMONEST : v.asked;
    size_t i;
    for (i = 0; i < count; i++) {
        const double above = compare_losses(&p->t, &p->commonest, &order[i]->l).z;
        const double z = usual ? compare_losses(&p->t, &usual->l, &order[i]->l).z : 0;
        if (above <= ABOVE_COMMONEST) continue;
        v.nothing = 0;
        if (!v.best && z > v.asked && above > base) {
            v.best = order[i];
            v.z = z;
        }
        if (!v.best && i == 0 && z > HINTED) v.hint = order[i];
    }
    if (!v.best && v.hint) v.z = compare_losses(&p->t, &usual->l, &v.hint->l).z;
    if (v.best) v.hint = NULL;
    if (!v.best && count > 0) v.best = usual ? usual : order[0];
    if (v.best) v.baseline_z = compare_losses(&p->t, &p->commonest, &v.best->l).z;
    return v;
}

/* ---- The command ---- */

/* The command to paste: train by the options given, but for those of compare alone. */
static void print_command(const comparison *c, const char *chosen)
{
    size_t i;
    printf("perceptron train %s%s", chosen, *chosen ? " " : "");
    for (i = 0; i < arrlenu(c->given); i++) {
        if (strncmp(c->given[i], "--folds=", 8) == 0) continue;
        print_shell_word(stdout, c->given[i]);
        putchar(' ');
    }
    if (*c->data == '-' && c->data[1]) printf("-- ");
    print_shell_word(stdout, c->data);
    puts(strcmp(c->data, "-") == 0 ? " best.model" : "");
}

/* Options that train has not, too. */
static char **options_of_train(const options *given)
{
    char **typed = options_typed(given, 0);
    size_t i;
    for (i = arrlenu(typed); i-- > 0;)
        if (strncmp(typed[i], "--seconds=", 10) == 0 || strncmp(typed[i], "--by=", 5) == 0) arrdel(typed, i);
    return typed;
}

static void read_all(comparison *c)
{
    options o;
    take_settings(c, &o, c->first.all);
    train_start(&c->r, &o, c->data);
    train_read(&c->r, c->data);
    c->as_read = c->r.s->reader;
    if (given_here.by == BY_AUC && labels_count(&c->r.m.labels) != 2)
        die(EXIT_USAGE,
            "--by auc needs two labels, and here are %lu: --by logloss asks for probabilities of any number",
            (unsigned long)labels_count(&c->r.m.labels));
    c->drawn = draw_rows(&c->r.in.data, CONTEST_ROWS, c->r.s->seed);
    check_folds(&c->r.t, &c->drawn);
    advise_on_telltales(&c->r.t, &o, &c->drawn);
}

static int compare(options *given, int arguments, char **argument)
{
    static comparison all;
    comparison *c = &all;
    contest *judged = &c->first;
    verdict v;
    say to;
    (void)arguments;
    c->data = argument[0];
    c->given = options_of_train(given);
    read_all(c);
    output_open(&c->nowhere, SYSTEM_NOWHERE);
    begin_first(c);
    do contest_repeat(&c->first);
    while (c->first.repeats < c->first.t.repeats && contest_has_time(&c->first));
    tell("");
    to = say_to(stdout, c->r.s->json);
    say_first(&c->first, c->r.in.data.count, &to);
    if (c->drawn.count < c->r.in.data.count) {
        contest_last(&c->last, &c->first, &c->r.in.data, c->r.began + given_here.seconds);
        tell("");
        say_last(&c->last, &to);
        if (c->last.all->l.folds > 0) judged = &c->last;
    }
    v = choose(judged);
    say_verdict(judged, &v, &to);
    say_end(&to);
    if (v.best && to.text) print_command(c, v.best == judged->all ? "" : way_text(way_of(judged, v.best)));
    if (v.best) return 0;
    errors_as_json = 0; /* its object is whole */
    die(EXIT_USAGE, "all take longer than --seconds %lu: give more", (unsigned long)given_here.seconds);
}

#define AT(member) .at = offsetof(settings, member)

static const option_entry compare_options[] = {
    {"folds", 0, OPTION_COUNT, AT(folds), .low = 2, .high = 1e9, .preset = "5", .argument = "K", .common = 1,
     .help = "Learn K times without a K-th of the rows. Rows are tested on that. Use more if there are few rows."},
    {"seed", 0, OPTION_COUNT, AT(seed), .low = 0, .high = 4294967295.0, .preset = "1", .argument = "N", .common = 1,
     .help = "Draw folds and orders of rows from this seed. Use other seeds to see how much of a result is luck."},
    {"json", 0, OPTION_FLAG, AT(json), .common = 1, .help = "Print one JSON object on standard output."},
};
static const option_entry own_options[] = {
    {"by", 0, OPTION_CHOICE, .at = offsetof(struct given_here, by), .words = MEASURE_WORDS, .preset = "accuracy",
     .argument = "M", .common = 1,
     .help =
         "Judge by errors, AUC or log-loss. Use auc (the area under the ROC curve, of two labels) if rows are ranked by "
         "their scores, and logloss if you train with --probabilities. Both also try --weight balanced and AROW with "
         "--r 10, logloss 30 epochs with -C 0.1."},
    {"seconds", 0, OPTION_COUNT, .at = offsetof(struct given_here, seconds), .low = 1, .high = 1e9, .preset = "60",
     .argument = "N", .common = 1,
     .help = "End after N seconds. What would take longer is given up, so another machine may give up others."},
};
static const option_group groups[] = {
    OPTION_GROUP(TOPIC_LEARNING, "Comparing", compare_options, &train_settings),
    OPTION_GROUP(TOPIC_LEARNING, NULL, own_options, &given_here),
    OPTION_GROUP(TOPIC_LEARNING, "Scaling", train_preparing, &train_settings), READER_GROUPS(train_settings.reader),
    READER_LEARNING_GROUP(train_settings.reader)};

const command command_compare = {
    "compare",
    "Finds good options of train by cross-validation",
    "DATA",
    "Tries what helps most often; options that you give hold for all. It tests few rows ten times in other folds. If there "
    "are more than 10000 rows, it tries all on so many, and the last two or three on as many as the time allows. It names "
    "another setting than the default only if that is better by 2.75 standard errors (by AUC: 3) on the same rows. It "
    "writes no model: the last line is the command that trains the choice.",
    groups,
    LENGTH(groups),
    compare};
