#include "train.h"

#include <math.h>
#include <sys/stat.h>

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

