#include "cache.h"
#include "commands.h"
#include "scan.h"
#include "stream.h"

#include <float.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: perceptron train [options] DATA [MODEL]      MODEL: default is DATA's name + .model\n"
    "  -a, --algorithm A      perceptron | averaged (default) | winnow | winnow1 | winnow2 |\n"
    "                         balanced-winnow | voted | kernel\n"
    "  -e, --epochs N         most passes over the data; default 10\n"
    "  --order O              each (default: a new order each epoch) | once | file (default with one\n"
    "                         epoch: then rows are learned as they are read and not kept)\n"
    "  --seed N               of that order; default 1\n"
    "  --stop S               never (default) | clean (an epoch without updates) | window (as many\n"
    "                         rows in a row without updates as there are rows)\n"
    "  -B, --bias B           constant input of the bias; 0: no bias; default 1\n"
    "Rule\n"
    "  --rule R               fixed (default) | absolute | fractional | pa | pa1 | pa2\n"
    "  --rate R               step of the fixed rule; default 1\n"
    "  --lambda L             of the fractional rule; default 1\n"
    "  -C, --aggressive C     of pa1 and pa2; default 0.1\n"
    "  --margin M             update unless the score is right by more than M; default 0, pa 1\n"
    "  --update U             several classes: predicted (default) | others | uniform | one-vs-rest\n"
    "  --zero-class C         class predicted at a score of 0: positive (default) | negative\n"
    "  --zero-update U        at a score of 0: always (default) | predicted (if it is wrong)\n"
    "  --weight LABEL=W       multiply the step for rows of a class; may be repeated\n"
    "  --batch N              change the weights once every N rows, by the sum of the steps\n"
    "Voted and kernel models\n"
    "  --kernel K             linear (default for voted) | poly | rbf (default for kernel)\n"
    "  --degree D, --gamma G, --coef0 C   poly: (G x.z + C)^D, rbf: exp(-G |x - z|^2); default: 3,\n"
    "                         1 / features, 1\n"
    "  --budget N             most vectors to store; default: any number\n"
    "  --policy P             what then: stop (default: drop the row) | oldest | random | forgetron\n"
    "                         | projectron\n"
    "  --decision D           last (default for kernel) | averaged | voted (default for voted)\n"
    "Winnow (multiplies weights: winnow with values of any sign, the others with 0 and 1; no bias)\n"
    "  --alpha A              factor of an update; default 2\n"
    "  --eta E                the same as --alpha e^E; default of winnow: 0.1\n"
    "  --threshold T          taken from the score; default: the number of features for winnow1 and\n"
    "                         winnow2, 0 for the others\n"
    "Data preparation\n"
    "  --normalize HOW        none (default) | l2 (each row to length 1) | maxabs (each feature to\n"
    "                         at most 1 in size)\n"
    "  --binarize             every value that is not 0 counts as 1\n"
    "Which weights to keep\n"
    "  --validate FRACTION    hold rows back, keep the weights that do best on them after an epoch\n"
    "  --patience N           stop after N epochs without improvement on those rows\n"
    "  --pocket               keep weights whose run of rows without an update is longer than that\n"
    "                         of those kept before, if they also make fewer errors, on the rows of\n"
    "                         DATA or those held back (Gallant's pocket with ratchet); the last\n"
    "                         weights, if they make fewer\n"
    "  --final                save the weights that predict and nothing else: a third of an averaged\n"
    "                         model's file, from which learning can only start anew (--resume)\n"
    "  --cache FILE           keep the rows of DATA there in binary form; later runs read that instead\n"
    "                         of text, if DATA and the options that say how to read it are the same\n"
    "Going on\n"
    "  --resume MODEL         go on learning from a model file\n"
    "  --classes K|A,B,...    number of classes, or their labels; together with\n"
    "  --features N           : learn row by row as they arrive through a pipe, one epoch, without\n"
    "                         keeping them (with K: once K labels have been seen)\n"
    "Results\n"
    "  -t, --test FILE        count errors on these rows after training\n"
    "  -q, --quiet            no progress, no summary\n"
    "  --json                 one JSON object on standard output\n";

enum rule { RULE_FIXED, RULE_ABSOLUTE, RULE_FRACTIONAL, RULE_PA, RULE_PA1, RULE_PA2 };
enum stop_word { STOP_WORD_NEVER, STOP_WORD_CLEAN, STOP_WORD_WINDOW };

typedef struct settings {
    unsigned algorithm, order, stop, rule, update, zero_class, zero_update, normalize;
    uint32_t epochs, seed, batch, features, patience;
    float bias, rate, lambda, c, margin, alpha, eta, threshold, gamma, coef0, validate;
    unsigned kernel, policy, decision;
    uint32_t budget, degree;
    int binarize, pocket, final, quiet, json, force;
    const char *classes, *resume, *test, *cache, **weights;
    reader_options reader;
} settings;

typedef struct epoch_result {
    uint64_t updates, mistakes;
    uint32_t held_out_errors;
} epoch_result;

/* How the rows come to be learned. */
enum path {
    PATH_COLLECT, /* all are read first */
    PATH_STREAM,  /* each as it is read: classes and features are given, or the model's */
    PATH_GUESS,   /* likewise, but classes and features are taken from the first rows */
    PATH_TWICE    /* likewise, but the file is read once before to find them: when the guess was wrong, or
                     something depends on them */
};

/* One training run. */
typedef struct run {
    settings s;
    model m;
    enum path path;
    labels found;        /* in order of appearance */
    float *class_weight; /* by class */
    float *score;
    int wrong;           /* the guess */
    fullness first;      /* of the rows of the file */
    int spread;          /* sparse rows are learned dense */
    rows data, held_out, test;
    unsigned long *line; /* stb_ds array: where the first rows of a stream began */
    int mapped;          /* data are those of a cache */
    epoch_result *epochs; /* stb_ds array */
    pcn_pass pass;
    pcn_linear kept;      /* by --pocket or --validate: into kept_memory */
    float *kept_memory;   /* NULL: nothing is kept */
    uint32_t kept_errors; /* of the weights in the pocket */
    uint64_t rows;        /* learned from in an epoch */
    uint32_t test_errors;
    uint64_t next_report; /* rows */
    pcn_count reported;   /* counts at the last line of progress */
    int table_begun;
    double began, read_seconds, train_seconds, test_seconds;
} run;

/* ---- Settings ---- */

static pcn_rule chosen_rule(const settings *s, int margin_given)
{
    pcn_rule r;
    switch (s->rule) {
    case RULE_ABSOLUTE: r = pcn_rule_absolute(); break;
    case RULE_FRACTIONAL: r = pcn_rule_fractional(s->lambda); break;
    case RULE_PA: r = pcn_rule_pa(FLT_MAX); break;
    case RULE_PA1: r = pcn_rule_pa(s->c); break;
    case RULE_PA2: r = pcn_rule_pa2(s->c); break;
    default: r = pcn_rule_fixed(s->rate); break;
    }
    if (margin_given) r.margin = s->margin;
    return r;
}

/* Everything but the weights; for --resume after loading. */
static void apply_settings(run *r, int margin_given)
{
    static uint32_t (*const update[])(const pcn_learner *, pcn_push *, uint32_t, float *) = {
        pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    pcn_learner *l = model_learner(&r->m);
    l->rule = chosen_rule(&r->s, margin_given);
    if (model_is_winnow(&r->m)) l->rule.rate = r->m.step;
    l->bias_input = r->m.bias;
    l->update = update[r->s.update];
    l->zero_predicted = r->s.zero_update != 0;
}

/* What follows the last '=' of LABEL=W, by class. */
static void read_class_weights(run *r)
{
    uint32_t k, classes = labels_count(&r->m.labels);
    size_t i;
    r->class_weight = allocate(classes, sizeof *r->class_weight);
    for (k = 0; k < classes; k++) r->class_weight[k] = 1;
    for (i = 0; i < arrlenu(r->s.weights); i++) {
        const char *text = r->s.weights[i], *equals = strrchr(text, '='), *end = NULL;
        char *label = copy_text(text);
        float weight = 0;
        if (equals) {
            label[equals - text] = '\0';
            end = parse_float(equals + 1, &weight);
        }
        if (!end || *end || !(weight > 0) || isinf(weight))
            die(EXIT_USAGE, "--weight %s: give LABEL=W with W > 0", text);
        k = labels_find(&r->m.labels, label);
        if (k == NO_LABEL) die(EXIT_USAGE, "--weight %s: no such label in the data", text);
        r->class_weight[k] = weight;
        free(label);
    }
}

static void check_settings(const settings *s, const option_entry *table)
{
    if (s->pocket && s->algorithm == ALGORITHM_AVERAGED)
        die(EXIT_USAGE, "--pocket keeps live weights, not a mean: use it with -a perceptron");
    if (s->patience && !(s->validate > 0)) die(EXIT_USAGE, "--patience needs --validate");
    if (s->classes && s->resume) die(EXIT_USAGE, "--resume takes the classes from its model");
    if (s->features && s->resume) die(EXIT_USAGE, "--resume takes the features from its model");
    if (s->weights && (s->rule == RULE_ABSOLUTE || s->rule == RULE_PA))
        die(EXIT_USAGE, "--weight has no meaning for this --rule: its steps have no rate and no C");
    if (s->resume && (option_given(table, "normalize") || option_given(table, "binarize") ||
                      option_given(table, "algorithm") || option_given(table, "zero-class")))
        die(EXIT_USAGE, "--resume takes --algorithm, --normalize, --binarize and --zero-class "
                        "from its model");
}

/* What can be said only when --resume has told the algorithm. */
static void check_winnow(const run *r, const option_entry *table)
{
    const settings *s = &r->s;
    int alpha = option_given(table, "alpha"), eta = option_given(table, "eta");
    int threshold = option_given(table, "threshold");
    if (!model_is_winnow(&r->m)) {
        if (alpha || eta || threshold)
            die(EXIT_USAGE, "--alpha, --eta and --threshold are for the Winnow algorithms");
        return;
    }
    if (alpha && eta) die(EXIT_USAGE, "--alpha and --eta say the same: give one of them");
    if (threshold && s->resume) die(EXIT_USAGE, "--resume takes --threshold from its model");
    if (s->rule != RULE_FIXED || option_given(table, "rate"))
        die(EXIT_USAGE, "Winnow has --alpha or --eta in the place of --rule and --rate");
    if (option_given(table, "bias") && s->bias != 0)
        die(EXIT_USAGE, "Winnow learns no bias: use --threshold");
}

/* ---- Progress ---- */

static void report_progress(run *r)
{
    const pcn_count *now = &model_learner(&r->m)->count;
    uint64_t rows_since = now->rows - r->reported.rows;
    if (r->s.quiet || now->rows < r->next_report) return;
    while (r->next_report <= now->rows) r->next_report *= 2;
    if (!isatty(STDERR_FILENO) && seconds() - r->began < 1) return;
    if (!r->table_begun)
        fprintf(stderr, "%12s %6s %12s %12s %14s\n", "rows", "epoch", "updates", "mistakes",
                "mistakes since");
    r->table_begun = 1;
    fprintf(stderr, "%12llu %6lu %12llu %12llu %12.2f %%\n", (unsigned long long)now->rows,
            (unsigned long)(r->pass.epoch ? r->pass.epoch : 1), (unsigned long long)now->updates,
            (unsigned long long)now->mistakes,
            100.0 * (double)(now->mistakes - r->reported.mistakes) / (double)rows_since);
    r->reported = *now;
}

/* ---- Learning ---- */

/* Learns from x; `next` will be the one after it. */
static int learn_vector(model *m, pcn_vec x, int class, pcn_vec next)
{
    pcn_linear_fetch(&m->trainer.model, next);
    if (m->trainer.model.classes > 1) return pcn_perceptron_learn_class(&m->trainer, x, class);
    return pcn_perceptron_learn(&m->trainer, x, class);
}

/* Learns from row i; row `next` will be the one after it. */
static int learn_row(run *r, const rows *d, uint32_t i, uint32_t next, uint32_t id)
{
    pcn_learner *l = model_learner(&r->m);
    pcn_rule rule = l->rule;
    uint32_t class = d->label[i];
    int result;
    if (r->m.algorithm == ALGORITHM_WINNOW1 && class == 0) l->rule.rate = PCN_ELIMINATE;
    l->rule.rate *= r->class_weight[class];
    l->rule.limit *= r->class_weight[class];
    if (model_is_kernel(&r->m))
        result = pcn_dual_learn(&r->m.dual, rows_vector(d, i), (int)class, id);
    else
        result = learn_vector(&r->m, rows_vector(d, i), (int)class, rows_vector(d, next));
    if (result == PCN_ENOMEM) die(EXIT_MEMORY, "%s", pcn_error_text(result));
    if (result == PCN_EFULL && r->s.budget) result = 0; /* policy stop: the row is dropped */
    l->rule = rule;
    if (r->s.batch && result >= 0 && l->count.rows % r->s.batch == 0) {
        int applied = pcn_batching_apply(&r->m.trainer, 1);
        if (applied < 0) result = applied;
    }
    report_progress(r);
    return result;
}

/* Of the weights or vectors that model_use has made ready; from `enough` errors on some rows may be left out. */
static uint32_t count_errors(run *r, const rows *d, uint32_t enough)
{
    uint32_t units = model_learner(&r->m)->classes, i, k, n, errors = 0;
    pcn_vec x[MODEL_BLOCK];
    for (i = 0; i < d->count && errors < enough; i += n) {
        n = d->count - i < MODEL_BLOCK ? d->count - i : MODEL_BLOCK;
        for (k = 0; k < n; k++) x[k] = rows_vector(d, i + k);
        model_scores(&r->m, x, n, r->score);
        for (k = 0; k < n; k++)
            errors += model_class(&r->m, r->score + (size_t)k * units) != d->label[i + k];
    }
    return errors;
}

/* Keeps the weights that predict if they make the fewest errors yet on the rows held back. */
static uint32_t keep_if_best(run *r)
{
    uint32_t errors;
    model_use(&r->m, NULL);
    errors = count_errors(r, &r->held_out, UINT32_MAX);
    if (pcn_pass_check(&r->pass, (float)errors) == 1)
        r->kept = pcn_linear_copy(&r->m.use, r->kept_memory);
    return errors;
}

/* The ratchet: weights go to the pocket if they make fewer errors than those there, on the rows held back or,
 * without such, on those learned from. */
static void offer_to_pocket(run *r)
{
    uint32_t enough = r->kept.weight ? r->kept_errors : UINT32_MAX, errors;
    model_use(&r->m, NULL);
    errors = count_errors(r, r->held_out.count ? &r->held_out : &r->data, enough);
    if (r->held_out.count) pcn_pass_check(&r->pass, (float)errors); /* for --patience */
    if (errors >= enough) return;
    r->kept_errors = errors;
    r->kept = pcn_linear_copy(&r->m.use, r->kept_memory);
    pcn_pass_keep(&r->pass);
}

static void end_epoch(run *r, const pcn_count *before)
{
    const pcn_count *now = &model_learner(&r->m)->count;
    epoch_result e = {0, 0, 0};
    if (r->s.batch) { /* the last rows of an epoch may be fewer */
        int applied = pcn_batching_apply(&r->m.trainer, 1);
        if (applied < 0) die(EXIT_INPUT, "a batch: %s", pcn_error_text(applied));
    }
    e.updates = now->updates - before->updates;
    e.mistakes = now->mistakes - before->mistakes;
    if (r->s.validate > 0 && !r->s.pocket) e.held_out_errors = keep_if_best(r);
    arrput(r->epochs, e);
}

/* number: from 1. */
static void fail_row(uint32_t number, int result) __attribute__((noreturn));

static void fail_row(uint32_t number, int result)
{
    die(EXIT_INPUT, "row %lu of the data: %s", (unsigned long)number, pcn_error_text(result));
}

enum { AHEAD = 16 };

/* The rows to come, which are brought near before their turn. */
typedef struct outlook {
    pcn_pass pass; /* AHEAD rows further than the one that learns */
    uint32_t row[AHEAD], now;
} outlook;

/* 0 when the pass is over. */
static uint32_t row_ahead(outlook *o)
{
    uint32_t row = 0;
    pcn_pass_next(&o->pass, &row);
    return row;
}

static void look_ahead(outlook *o, const pcn_pass *p)
{
    o->pass = *p;
    for (o->now = 0; o->now < AHEAD; o->now++) o->row[o->now] = row_ahead(o);
}

/* The row whose turn it is; those to come are brought nearer. */
static uint32_t due_row(outlook *o, run *r)
{
    uint32_t *place = &o->row[o->now++ % AHEAD], row = *place;
    *place = row_ahead(o);
    if (o->pass.order != PCN_ORDER_FILE) {
        rows_fetch_start(&r->data, *place);
        rows_fetch(&r->data, o->row[(o->now + AHEAD / 2) % AHEAD]);
    }
    return row;
}

static void learn_collected(run *r)
{
    pcn_pass *p = &r->pass;
    static const uint8_t stop[] = {PCN_STOP_NEVER, PCN_STOP_EPOCH, PCN_STOP_WINDOW};
    pcn_count before = model_learner(&r->m)->count;
    uint32_t row = 0;
    outlook ahead;
    pcn_pass_init(p, r->data.count, r->m.epochs + r->s.epochs, r->s.seed);
    p->order = (uint8_t)r->s.order;
    p->stop = stop[r->s.stop];
    p->patience = r->s.patience;
    p->epoch = r->m.epochs; /* --resume: the orders go on where they were */
    look_ahead(&ahead, p);
    p->order = PCN_ORDER_FILE; /* it counts; its rows are those of the outlook */
    while (pcn_pass_next(p, &row)) {
        int longest;
        row = due_row(&ahead, r);
        longest = pcn_pass_note(p, learn_row(r, &r->data, row, ahead.row[ahead.now % AHEAD], row));
        if (longest == 1 && r->s.pocket) offer_to_pocket(r);
        if (p->left == 0 && p->result >= 0) {
            end_epoch(r, &before);
            before = model_learner(&r->m)->count;
        }
    }
    if (p->result < 0) fail_row(row + 1, p->result);
    if (p->left != 0) end_epoch(r, &before); /* a clean window may end within an epoch */
    if (r->s.pocket) offer_to_pocket(r);     /* however short their run: it is not worse than the last weights */
    if (r->s.order != PCN_ORDER_FILE) r->m.epochs = p->epoch;
}

/* ---- Collected rows ---- */

static void find_scale(model *m, const rows *d)
{
    uint32_t i, k, j;
    arrsetlen(m->scale, d->features);
    for (j = 0; j < d->features; j++) m->scale[j] = 0;
    for (i = 0; i < d->count; i++) {
        pcn_vec x = rows_vector(d, i);
        for (k = 0; k < x.count; k++) {
            j = x.index ? x.index[k] : k;
            if (fabsf(x.value[k]) > m->scale[j]) m->scale[j] = fabsf(x.value[k]);
        }
    }
    for (j = 0; j < d->features; j++) /* features of nothing but zeros, or tiny ones, stay */
        m->scale[j] = m->scale[j] > FLT_MIN ? 1 / m->scale[j] : 1;
}

static void normalize_rows(const model *m, rows *d)
{
    uint32_t i;
    for (i = 0; m->normalize != NORMALIZE_NONE && i < d->count; i++) {
        pcn_vec x = rows_vector(d, i);
        model_normalize(m, &x, d->value + d->start[i]);
    }
}

/* Labels, numbered as there -> classes of the model. */
static void number_classes(run *r, const labels *numbering)
{
    uint32_t i, k, n = labels_count(numbering), *class_of = allocate(n, sizeof *class_of);
    int same = 1;
    for (k = 0; k < n; k++) {
        class_of[k] = labels_find(&r->m.labels, labels_text(numbering, k));
        same &= class_of[k] == k;
    }
    for (i = 0; !same && i < r->data.count; i++) r->data.label[i] = class_of[r->data.label[i]];
    free(class_of);
}

/* Moves a random part of the rows to held_out; what stays keeps its order. */
static void hold_out(run *r)
{
    rows all = r->data, *to;
    pcn_pass draw;
    uint8_t *held = allocate_zero(all.count, 1);
    uint32_t want = (uint32_t)(r->s.validate * (float)all.count), row, i;
    if (want == 0 || want >= all.count)
        die(EXIT_USAGE, "--validate %g of %lu rows leaves one side empty", (double)r->s.validate,
            (unsigned long)all.count);
    pcn_pass_init(&draw, all.count, 1, r->s.seed);
    while (want-- && pcn_pass_next(&draw, &row)) held[row] = 1;
    rows_init(&r->data);
    rows_init(&r->held_out);
    for (i = 0; i < all.count; i++) {
        pcn_vec x = rows_vector(&all, i);
        to = held[i] ? &r->held_out : &r->data;
        rows_add(to, &x, all.label[i], 0);
    }
    r->data.features = all.features;
    free(held);
    if (!r->mapped) rows_free(&all);
    r->mapped = 0;
}

/* --classes: the labels themselves into `found`, or their number. Returns how many; 0: not given. */
static uint32_t read_classes(run *r)
{
    const char *text = r->s.classes;
    long number, i;
    char *copy, *label;
    if (!text) return 0;
    if (!strchr(text, ',')) {
        if (!label_is_integer(text, &number) || number < 2)
            die(EXIT_USAGE, "--classes %s: give a number from 2 on, or labels with commas", text);
        return (uint32_t)number;
    }
    copy = copy_text(text);
    for (label = strtok(copy, ","); label; label = strtok(NULL, ",")) {
        char canonical[16];
        if (label_is_integer(label, &i)) {
            snprintf(canonical, sizeof canonical, "%ld", i);
            label = canonical;
        }
        labels_add(&r->found, label);
    }
    free(copy);
    if (labels_count(&r->found) < 2) die(EXIT_USAGE, "--classes %s: two labels at least", text);
    return labels_count(&r->found);
}

/* Class of the row just read: from the model, or a new label of at most `most` (0: any number). */
static uint32_t label_of_row(run *r, const reader *in, uint32_t most)
{
    int fixed = r->s.resume || (most && labels_count(&r->found) == most);
    const labels *known = r->s.resume ? &r->m.labels : &r->found;
    uint32_t label = fixed ? labels_find(known, in->label) : labels_add(&r->found, in->label);
    if (label == NO_LABEL)
        reader_fail(in, "label %s is not one of the %s", in->label,
                    r->s.resume ? "model's" : "--classes");
    return label;
}

/* As many as there may be; 0: any number. */
static uint32_t feature_limit(const run *r)
{
    return r->s.resume ? model_features(&r->m) : r->s.features;
}

static void check_features(const run *r, const reader *in)
{
    uint32_t limit = feature_limit(r);
    if (limit && in->features > limit)
        reader_fail(in, "%lu features, %s %lu", (unsigned long)in->features,
                    r->s.resume ? "the model has" : "--features says", (unsigned long)limit);
}

/* Is enough known for learning to begin? */
static int may_begin(const run *r, uint32_t classes)
{
    if (r->path == PATH_STREAM) return r->s.resume || (r->rows > 0 && labels_count(&r->found) == classes);
    return r->path == PATH_GUESS && fullness_known(&r->first);
}

/* Are sparse rows to be learned dense? As a model is that goes on learning, or as the first rows are. */
static int wants_dense(const run *r, const reader *in)
{
    if (in->dense) return 0;
    if (r->s.resume) return model_is_dense(&r->m);
    return are_full(&r->first, feature_limit(r) ? feature_limit(r) : r->data.features);
}

/* Reads rows until learning may begin, or to the end. They go to r->data, unless the file is read twice. 1 if
 * there may be more. */
static int read_rows(run *r, reader *in, uint32_t classes)
{
    int more = 1;
    memset(&r->first, 0, sizeof r->first);
    while (!may_begin(r, classes)) {
        uint32_t label;
        pcn_vec x;
        more = reader_next(in);
        if (!more) break;
        check_features(r, in);
        label = label_of_row(r, in, classes);
        r->rows++;
        fullness_add(&r->first, in->count);
        if (r->path == PATH_TWICE) continue;
        if (r->data.count == UINT32_MAX) reader_fail(in, "too many rows");
        x = reader_vector(in);
        rows_add(&r->data, &x, label, 0);
        if (r->path != PATH_COLLECT) arrput(r->line, in->line);
    }
    r->data.features = in->features;
    if (!more && r->rows == 0) die(EXIT_INPUT, "%s: no examples", in->name);
    return more;
}

/* Nothing is asked of labels and features that would have to be checked row by row. */
static int is_free(const settings *s)
{
    return !s->classes && !s->features && !s->weights && s->algorithm != ALGORITHM_WINNOW1;
}

/* For a file that is read twice: labels and features without the reader. 0: the reader has to find them. */
static int scan_rows(run *r, const char *name)
{
    if (r->path != PATH_TWICE || !is_free(&r->s)) return 0;
    r->data.features = scan_libsvm(name, &r->s.reader, &r->found, &r->first);
    if (r->data.features && labels_count(&r->found) > 1) return 1;
    labels_free(&r->found);
    labels_init(&r->found);
    return 0;
}

/* ---- The cache ---- */

/* May the rows have these labels, too, with `most` classes (0: any number)? */
static int labels_fit(const run *r, const labels *l, uint32_t most)
{
    const labels *known = r->s.resume ? &r->m.labels : &r->found;
    uint32_t i, unknown = 0;
    for (i = 0; i < labels_count(l); i++) unknown += labels_find(known, labels_text(l, i)) == NO_LABEL;
    return unknown == 0 || (!r->s.resume && (most == 0 || labels_count(known) + unknown <= most));
}

/* Are columns of these names read as if the model had no names? */
static int names_fit(char *const *names, char *const *of_model)
{
    size_t i = 0, n = arrlenu(names);
    if (n == 0 || arrlenu(of_model) == 0) return 1;
    while (i < n && n == arrlenu(of_model) && strcmp(names[i], of_model[i]) == 0) i++;
    return i == n;
}

/* Takes the rows of the cache, if nothing is wrong with them that the text would tell better. */
static int take_cached(run *r, const cache *c, uint32_t classes)
{
    uint32_t i;
    size_t values = c->data.start[c->data.count], k;
    if ((feature_limit(r) && c->data.features > feature_limit(r)) || !labels_fit(r, &c->labels, classes) ||
        !names_fit(c->names, r->m.names))
        return 0;
    r->data = c->data;
    r->mapped = 1;
    r->first = c->first;
    for (i = 0; !r->s.resume && i < labels_count(&c->labels); i++)
        labels_add(&r->found, labels_text(&c->labels, i));
    if (!r->data.value && (r->m.normalize != NORMALIZE_NONE || r->s.validate > 0)) {
        r->data.value = allocate(values, sizeof *r->data.value);
        for (k = 0; k < values; k++) r->data.value[k] = 1;
    }
    return 1;
}

/* ---- Reading and learning ---- */

/* Makes the model, once the labels and the features are known. */
static void start_model(run *r, reader *in, uint32_t classes)
{
    model *m = &r->m;
    const char *data = in->name;
    uint32_t found = labels_count(&r->found);
    if (found < 2)
        die(EXIT_INPUT, "%s: all rows have the label %s; two classes are needed", data,
            labels_text(&r->found, 0));
    if (classes && found != classes)
        die(EXIT_INPUT, "%s: %lu labels, --classes says %lu", data, (unsigned long)found,
            (unsigned long)classes);
    if (m->algorithm == ALGORITHM_WINNOW1 && found != 2)
        die(EXIT_INPUT, "%s: %lu labels; winnow1 tells two classes apart", data, (unsigned long)found);
    if (isnan(m->threshold)) /* not given */
        m->threshold = m->algorithm == ALGORITHM_WINNOW1 || m->algorithm == ALGORITHM_WINNOW2
                           ? (float)r->data.features
                           : 0;
    if (isnan(m->gamma)) m->gamma = 1 / (float)r->data.features; /* not given */
    m->labels = labels_sorted(&r->found);
    m->names = in->names;
    in->names = NULL;
    model_init(m, r->data.features, found, in->dense || r->spread, m->algorithm == ALGORITHM_AVERAGED,
               r->s.batch != 0);
}

static void prepare_run(run *r, int margin_given)
{
    uint32_t classes = labels_count(&r->m.labels);
    apply_settings(r, margin_given);
    read_class_weights(r);
    r->score = allocate((size_t)classes * MODEL_BLOCK, sizeof *r->score);
    if (r->s.pocket || r->s.validate > 0)
        r->kept_memory =
            allocate(PCN_BATCH(r->m.trainer.model.features, r->m.trainer.model.classes), sizeof(float));
    r->next_report = model_learner(&r->m)->count.rows + 1;
    r->reported = model_learner(&r->m)->count;
}

/* In the reading thread: the class of the row, which is made ready to be learned. */
static uint32_t take_example(void *context, reader *in)
{
    run *r = context;
    uint32_t class = labels_find(&r->m.labels, in->label);
    pcn_vec x;
    check_features(r, in);
    if (r->path == PATH_GUESS && (class == NO_LABEL || in->features > model_features(&r->m))) {
        r->wrong = 1;
        return END_STREAM;
    }
    if (class == NO_LABEL)
        reader_fail(in, "label %s is not one of the %s", in->label, r->s.resume ? "model's" : "classes");
    x = reader_vector(in);
    model_normalize(&r->m, &x, in->value);
    return class;
}

static void fail_in_stream(const run *r, const char *name, unsigned long line, int result)
    __attribute__((noreturn));

/* An error in the text of a file comes before learning's. */
static void fail_in_stream(const run *r, const char *name, unsigned long line, int result)
{
    reader in;
    if (r->path != PATH_STREAM) {
        reader_open(&in, name, &r->s.reader);
        while (reader_next(&in)) {}
    }
    die(EXIT_INPUT, "%s:%lu: %s", name, line, pcn_error_text(result));
}

/* Learns from all rows of a part of a stream, or up to one that cannot be learned: its number, else their count. */
static uint32_t learn_part(run *r, const rows *d, int *result)
{
    uint32_t i;
    *result = 0;
    for (i = 0; i < d->count; i++) {
        *result = learn_row(r, d, i, i + 1 < d->count ? i + 1 : i, PCN_NO_ID);
        if (*result < 0) break;
    }
    return i;
}

static void learn_streaming(run *r, reader *in, int more)
{
    pcn_count before = model_learner(&r->m)->count;
    const block *b;
    stream s;
    int result;
    uint32_t i = learn_part(r, &r->data, &result); /* read while something was still missing */
    if (result < 0) fail_in_stream(r, in->name, r->line[i], result);
    rows_free(&r->data);
    arrfree(r->line);
    if (more) stream_start(&s, in, take_example, r, r->spread ? model_features(&r->m) : 0);
    while (more && (b = stream_next(&s)) != NULL) {
        i = learn_part(r, &b->data, &result);
        if (result >= 0) continue;
        stream_leave(&s);
        fail_in_stream(r, in->name, b->line[i], result);
    }
    if (r->wrong) return;
    if (r->path == PATH_GUESS) pcn_perceptron_resize(&r->m.trainer, in->features);
    end_epoch(r, &before);
    r->rows = model_learner(&r->m)->count.rows - before.rows;
    if (r->rows == 0) die(EXIT_INPUT, "%s: no examples", in->name);
}

/* From the cache, or read as far as r->path says: rows, labels and features. The rows then have classes.
 * 1 if there may be more rows. */
static int find_rows(run *r, reader *in, const char *name)
{
    uint32_t classes = read_classes(r);
    const labels *numbering = r->s.resume ? &r->m.labels : &r->found;
    int more = 0, stale = 0;
    cache c;
    cache_key key;
    r->s.reader.names = r->m.names;
    r->s.reader.features = r->s.resume ? model_features(&r->m) : 0;
    if (r->s.cache) {
        cache_key_init(&key, name, &r->s.reader);
        stale = !cache_load(&c, r->s.cache, &key);
    }
    reader_open(in, name, &r->s.reader);
    rows_init(&r->data);
    if (r->s.cache && !stale && take_cached(r, &c, classes)) {
        in->dense = c.dense;
        in->names = c.names;
        numbering = &c.labels;
    } else if (!scan_rows(r, name)) {
        more = read_rows(r, in, classes);
    }
    r->spread = wants_dense(r, in);
    if (r->spread && !r->mapped) rows_spread(&r->data);
    if (stale && names_fit(in->names, r->m.names))
        cache_save(r->s.cache, &key, &r->data, &r->first, in->dense, numbering, in->names);
    r->wrong = r->path == PATH_GUESS && more && (labels_count(&r->found) < 2 || r->data.features == 0);
    if (r->wrong) return 1;
    if (r->path == PATH_GUESS && more && !in->dense && !r->spread) /* rows to come may have some features more */
        r->data.features += r->data.features / 32;
    if (feature_limit(r)) r->data.features = feature_limit(r);
    if (r->data.features == 0) die(EXIT_INPUT, "%s: no row has any feature", in->name);
    if (!r->s.resume) start_model(r, in, classes);
    number_classes(r, numbering);
    if (numbering == &c.labels) labels_free(&c.labels);
    return more;
}

static void learn_rows(run *r, reader *in, const char *name, int margin_given)
{
    int more = find_rows(r, in, name);
    if (r->wrong) return;
    if (r->m.normalize == NORMALIZE_MAXABS && !r->s.resume) find_scale(&r->m, &r->data);
    normalize_rows(&r->m, &r->data);
    if (r->s.validate > 0) hold_out(r);
    prepare_run(r, margin_given);
    r->read_seconds = seconds() - r->began;
    if (r->path == PATH_TWICE) {
        reader_close(in);
        reader_open(in, name, &r->s.reader);
        more = 1;
    }
    if (r->path == PATH_COLLECT) {
        r->rows = r->data.count;
        if (!r->mapped) rows_drop_ones(&r->data);
        rows_drop_ones(&r->held_out);
        learn_collected(r);
    } else {
        learn_streaming(r, in, more);
    }
}

static void read_and_learn(run *r, const char *name, int margin_given)
{
    const model untrained = r->m;
    reader in;
    learn_rows(r, &in, name, margin_given);
    if (r->wrong) {
        reader_close(&in);
        rows_free(&r->data);
        arrfree(r->line);
        labels_free(&r->found);
        labels_init(&r->found);
        model_free(&r->m);
        free(r->class_weight);
        free(r->score);
        r->m = untrained;
        r->rows = 0;
        r->wrong = 0;
        r->path = PATH_TWICE;
        learn_rows(r, &in, name, margin_given);
    }
    r->train_seconds = seconds() - r->began - r->read_seconds;
    reader_close(&in);
}

/* ---- Results ---- */

static void test_model(run *r)
{
    reader in;
    reader_options o = r->s.reader;
    double from = seconds();
    o.predict = 1;
    o.features = model_features(&r->m);
    o.names = r->m.names;
    reader_open(&in, r->s.test, &o);
    rows_init(&r->test);
    rows_read(&r->test, &in, NULL, &r->m.labels);
    normalize_rows(&r->m, &r->test);
    r->test_errors = count_errors(r, &r->test, UINT32_MAX);
    reader_close(&in);
    r->test_seconds = seconds() - from;
}

static void print_json(const run *r, size_t bytes)
{
    char *algorithm = option_word(ALGORITHM_WORDS, r->m.algorithm);
    size_t i;
    printf("{\"algorithm\": \"%s\", \"rows\": %lu, \"features\": %lu, \"classes\": %lu, \"epochs\": [",
           algorithm, (unsigned long)r->rows, (unsigned long)model_features(&r->m),
           (unsigned long)labels_count(&r->m.labels));
    for (i = 0; i < arrlenu(r->epochs); i++) {
        printf("%s{\"epoch\": %zu, \"updates\": %llu, \"mistakes\": %llu", i ? ", " : "", i + 1,
               (unsigned long long)r->epochs[i].updates, (unsigned long long)r->epochs[i].mistakes);
        if (r->held_out.count && !r->s.pocket)
            printf(", \"held_out_errors\": %lu", (unsigned long)r->epochs[i].held_out_errors);
        printf("}");
    }
    printf("], \"model_bytes\": %zu, \"seconds\": {\"read\": %.6f, \"train\": %.6f, \"test\": %.6f}",
           bytes, r->read_seconds, r->train_seconds, r->test_seconds);
    if (model_is_kernel(&r->m))
        printf(", \"support_vectors\": %lu", (unsigned long)r->m.dual.model.slots);
    if (r->s.test)
        printf(", \"test\": {\"rows\": %lu, \"errors\": %lu, \"accuracy\": %.9g}",
               (unsigned long)r->test.count, (unsigned long)r->test_errors,
               1 - (double)r->test_errors / r->test.count);
    printf("}\n");
    free(algorithm);
}

static void print_summary(run *r, const char *name, size_t bytes)
{
    const pcn_count *c = &model_learner(&r->m)->count;
    fprintf(stderr,
            "%llu rows, %lu features, %lu classes; %zu %s, %llu updates, %llu mistakes; "
            "%s: %zu bytes\n",
            (unsigned long long)r->rows, (unsigned long)model_features(&r->m),
            (unsigned long)labels_count(&r->m.labels), (size_t)arrlenu(r->epochs),
            arrlenu(r->epochs) == 1 ? "epoch" : "epochs", (unsigned long long)c->updates,
            (unsigned long long)c->mistakes, name, bytes);
}

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

static void start_settings(run *r)
{
    settings *s = &r->s;
    s->algorithm = ALGORITHM_AVERAGED;
    s->epochs = 10;
    s->seed = 1;
    s->bias = s->rate = s->lambda = 1;
    s->c = 0.1f;
    s->alpha = 2;
    s->eta = 0.1f;
    s->threshold = NAN;
    s->degree = 3;
    s->gamma = NAN;
    s->coef0 = 1;
    reader_options_default(&s->reader);
}

/* Kernel, budget and decision, as given or by default; the features may not be known yet. */
static void settle_kernel(run *r, const option_entry *table)
{
    const settings *s = &r->s;
    model *m = &r->m;
    int is_voted = m->algorithm == ALGORITHM_VOTED, forgets = s->budget && s->policy != POLICY_STOP;
    if (!model_is_kernel(m)) {
        if (option_given(table, "kernel") || s->budget || option_given(table, "decision"))
            die(EXIT_USAGE, "--kernel, --budget and --decision are for -a voted and -a kernel");
        return;
    }
    if (s->batch || s->pocket || s->validate > 0)
        die(EXIT_USAGE, "--batch, --pocket and --validate are not for voted and kernel models");
    if (s->policy != POLICY_STOP && !s->budget) die(EXIT_USAGE, "--policy needs --budget");
    if (option_given(table, "decision") || !s->resume)
        m->decision = option_given(table, "decision") ? s->decision
                      : is_voted && !forgets          ? PCN_VOTE
                                                      : PCN_LAST;
    if (m->decision != PCN_LAST && forgets)
        die(EXIT_USAGE, "--policy: a model that forgets has only --decision last");
    if (s->resume) return;
    m->kernel = option_given(table, "kernel") ? s->kernel : is_voted ? KERNEL_LINEAR : KERNEL_RBF;
    m->degree = s->degree;
    m->gamma = s->gamma;
    m->coef0 = s->coef0;
    if (!option_given(table, "bias") && !is_voted) m->bias = 0;
}

/* log2 of the factor of a Winnow update. */
static float winnow_step(const settings *s, const option_entry *table)
{
    int by_eta = option_given(table, "eta") ||
                 (s->algorithm == ALGORITHM_WINNOW && !option_given(table, "alpha"));
    return (float)(by_eta ? (double)s->eta / log(2) : log2((double)s->alpha));
}

/* What the command line says of the model itself, or the model says for --resume. */
static void settle_model(run *r, const option_entry *table)
{
    settings *s = &r->s;
    model *m = &r->m;
    m->budget = s->budget;
    m->policy = s->policy;
    m->seed = s->seed;
    if (s->resume) {
        model_load(m, s->resume, s->batch != 0);
        if (option_given(table, "bias")) m->bias = s->bias;
        m->frozen = 0; /* kept weights are a start like any other */
        s->algorithm = m->algorithm;
    } else {
        m->algorithm = s->algorithm;
        m->normalize = s->normalize;
        m->binarize = s->binarize;
        m->zero_negative = s->zero_class != 0;
        m->bias = model_is_winnow(m) ? 0 : s->bias;
        m->threshold = s->threshold;
    }
    if (!s->resume || option_given(table, "alpha") || option_given(table, "eta"))
        m->step = winnow_step(s, table);
    check_winnow(r, table);
    settle_kernel(r, table);
    s->reader.binarize = m->binarize;
    labels_init(&r->found);
}

/* One epoch takes the rows as they come. Those of voted and kernel models have numbers to be known by in
 * later epochs, so these read all of them first, unless a stream is asked for. */
static void settle_order(run *r, const option_entry *table)
{
    settings *s = &r->s;
    int known = s->classes && s->features;
    if (known && !option_given(table, "epochs")) s->epochs = 1;
    if (!option_given(table, "order") && (known || (s->epochs == 1 && !model_is_kernel(&r->m))))
        s->order = PCN_ORDER_FILE;
}

static enum path choose_path(const run *r, const char *data)
{
    const settings *s = &r->s;
    struct stat there;
    if (s->epochs > 1 || s->order != PCN_ORDER_FILE || s->pocket || s->validate > 0 || s->cache ||
        s->normalize == NORMALIZE_MAXABS)
        return PATH_COLLECT;
    if (s->resume || (s->classes && s->features)) return PATH_STREAM;
    if (model_is_kernel(&r->m) || strcmp(data, "-") == 0) return PATH_COLLECT;
    if (stat(data, &there) != 0 || !S_ISREG(there.st_mode)) return PATH_COLLECT;
    return is_free(s) && !s->batch && !model_is_winnow(&r->m) ? PATH_GUESS : PATH_TWICE;
}

/* Files that learning would cost. */
static void check_outputs(const settings *s, const char *data, const char *name)
{
    const char *const input[] = {data, s->test, s->cache};
    output_spare(name, input, PCN_LENGTH(input));
    if (!s->force && !output_begins(name, MODEL_START))
        die(EXIT_USAGE, "%s is no model; test rows go after -t, and --force replaces it", name);
}

int command_train(int argc, char **argv)
{
    static run r;
    settings *s = &r.s;
    option_entry table[] = {
        {"help", 'h', OPTION_FLAG, NULL, 0, 0, NULL, 0},
        {"algorithm", 'a', OPTION_CHOICE, &s->algorithm, 0, 0, ALGORITHM_WORDS, 0},
        {"epochs", 'e', OPTION_COUNT, &s->epochs, 1, 1e9, NULL, 0},
        {"order", 0, OPTION_CHOICE, &s->order, 0, 0, "each|once|file", 0},
        {"seed", 0, OPTION_COUNT, &s->seed, 0, 4294967295.0, NULL, 0},
        {"stop", 0, OPTION_CHOICE, &s->stop, 0, 0, "never|clean|window", 0},
        {"bias", 'B', OPTION_NUMBER, &s->bias, 0, 1e6, NULL, 0},
        {"rule", 0, OPTION_CHOICE, &s->rule, 0, 0, "fixed|absolute|fractional|pa|pa1|pa2", 0},
        {"rate", 0, OPTION_NUMBER, &s->rate, 1e-9, 1e9, NULL, 0},
        {"lambda", 0, OPTION_NUMBER, &s->lambda, 1e-9, 2, NULL, 0},
        {"aggressive", 'C', OPTION_NUMBER, &s->c, 1e-9, 1e9, NULL, 0},
        {"margin", 0, OPTION_NUMBER, &s->margin, 0, 1e9, NULL, 0},
        {"update", 0, OPTION_CHOICE, &s->update, 0, 0, "predicted|others|uniform|one-vs-rest", 0},
        {"zero-class", 0, OPTION_CHOICE, &s->zero_class, 0, 0, "positive|negative", 0},
        {"zero-update", 0, OPTION_CHOICE, &s->zero_update, 0, 0, "always|predicted", 0},
        {"alpha", 0, OPTION_NUMBER, &s->alpha, 1.0001, 1e6, NULL, 0},
        {"eta", 0, OPTION_NUMBER, &s->eta, 1e-4, 10, NULL, 0},
        {"threshold", 0, OPTION_NUMBER, &s->threshold, -1e9, 1e9, NULL, 0},
        {"kernel", 0, OPTION_CHOICE, &s->kernel, 0, 0, KERNEL_WORDS, 0},
        {"degree", 0, OPTION_COUNT, &s->degree, 1, 1000, NULL, 0},
        {"gamma", 0, OPTION_NUMBER, &s->gamma, 1e-9, 1e9, NULL, 0},
        {"coef0", 0, OPTION_NUMBER, &s->coef0, -1e9, 1e9, NULL, 0},
        {"budget", 0, OPTION_COUNT, &s->budget, 1, 1e7, NULL, 0},
        {"policy", 0, OPTION_CHOICE, &s->policy, 0, 0, POLICY_WORDS, 0},
        {"decision", 0, OPTION_CHOICE, &s->decision, 0, 0, DECISION_WORDS, 0},
        {"weight", 0, OPTION_LIST, &s->weights, 0, 0, NULL, 0},
        {"batch", 0, OPTION_COUNT, &s->batch, 1, 4294967295.0, NULL, 0},
        {"normalize", 0, OPTION_CHOICE, &s->normalize, 0, 0, NORMALIZE_WORDS, 0},
        {"binarize", 0, OPTION_FLAG, &s->binarize, 0, 0, NULL, 0},
        {"validate", 0, OPTION_NUMBER, &s->validate, 0, 1, NULL, 0},
        {"patience", 0, OPTION_COUNT, &s->patience, 1, 1e9, NULL, 0},
        {"pocket", 0, OPTION_FLAG, &s->pocket, 0, 0, NULL, 0},
        {"final", 0, OPTION_FLAG, &s->final, 0, 0, NULL, 0},
        {"cache", 0, OPTION_TEXT, &s->cache, 0, 0, NULL, 0},
        {"resume", 0, OPTION_TEXT, &s->resume, 0, 0, NULL, 0},
        {"classes", 0, OPTION_TEXT, &s->classes, 0, 0, NULL, 0},
        {"features", 0, OPTION_COUNT, &s->features, 1, 2147483647.0, NULL, 0},
        {"test", 't', OPTION_TEXT, &s->test, 0, 0, NULL, 0},
        {"quiet", 'q', OPTION_FLAG, &s->quiet, 0, 0, NULL, 0},
        {"json", 0, OPTION_FLAG, &s->json, 0, 0, NULL, 0},
        FORCE_OPTION(s->force),
        READER_OPTIONS(s->reader),
    };
    const size_t entries = sizeof table / sizeof *table;
    int arguments, help = 0;
    const char *name;
    output o;
    size_t bytes;
    table[0].value = &help;
    start_settings(&r);
    arguments = options_read(table, entries, "perceptron train", argc, argv);
    if (help) {
        fputs(usage, stdout);
        fputs(FORCE_USAGE READER_USAGE, stdout);
        return 0;
    }
    if (arguments < 1 || arguments > 2)
        die(EXIT_USAGE, "train takes DATA and perhaps MODEL; see perceptron train --help");
    reader_options_check(&s->reader);
    check_settings(s, table);
    name = arguments == 2 ? argv[1] : default_model(argv[0]);
    if (s->json && strcmp(name, "-") == 0)
        die(EXIT_USAGE, "--json and the model cannot both go to standard output");
    if (s->cache && strcmp(s->cache, name) == 0)
        die(EXIT_USAGE, "--cache and the model cannot be the same file");
    check_outputs(s, argv[0], name);

    r.began = seconds();
    settle_model(&r, table);
    if (s->final && model_is_kernel(&r.m))
        die(EXIT_USAGE, "--final saves weights; voted and kernel models have none");
    settle_order(&r, table);
    r.path = choose_path(&r, argv[0]);
    output_open(&o, name);
    read_and_learn(&r, argv[0], option_given(table, "margin"));
    if (s->test) {
        model_use(&r.m, r.kept.weight ? &r.kept : NULL);
        test_model(&r);
    }
    if (s->final && !r.kept.weight) r.kept = model_final(&r.m);
    bytes = model_save(&r.m, r.kept.weight ? &r.kept : NULL, &o);
    output_close(&o);
    if (!s->quiet) print_summary(&r, o.name, bytes);
    if (s->json)
        print_json(&r, bytes);
    else if (s->test)
        printf("Accuracy = %g%% (%lu/%lu)\n",
               100 * (1 - (double)r.test_errors / r.test.count),
               (unsigned long)(r.test.count - r.test_errors), (unsigned long)r.test.count);
    return 0;
}
