#include "advice.h"
#include "processes.h"
#include "text/number.h"

#include <math.h>

#define BALANCED "balanced"

/* ---- The model ---- */

/* log2 of the factor of a Winnow update. */
static float winnow_step(const settings *s)
{
    const float eta = !isnan(s->eta) ? s->eta : settings_learner(s)->eta;
    if (!isnan(s->alpha)) return (float)log2((double)s->alpha);
    return eta > 0 ? (float)((double)eta / log(2)) : 1;
}

/* Budget, decision and the defaults of a kernel. */
static void set_kernel(model *m, const settings *s)
{
    const int forgets = s->budget && s->policy != POLICY_STOP;
    m->budget = s->budget;
    m->policy = s->policy;
    if (s->decision != OPTION_UNSET)
        m->decision = s->decision;
    else if (!s->resume)
        m->decision = forgets ? PCN_DECIDE_LAST : m->kind->decision;
    if (m->decision != PCN_DECIDE_LAST && forgets)
        die(EXIT_USAGE, "--policy: a model that forgets has only --decision last: leave --decision out");
    if (s->resume) return;
    m->kernel = (unsigned)settings_kernel(s);
    m->degree = s->degree;
    m->gamma = s->gamma;
    m->coef0 = s->coef0;
}

/* The decision of AROW says whether sums are kept, so a model keeps it. */
static void set_arow(model *m, const settings *s)
{
    unsigned decision = s->decision == OPTION_UNSET ? PCN_DECIDE_LAST : s->decision;
    if (s->resume && s->decision != OPTION_UNSET && decision != m->decision)
        die(EXIT_USAGE, "--decision: %s was trained with another: leave it out, or train anew", s->resume);
    if (!s->resume) m->decision = decision;
    m->r = s->r;
}

static void suppose_all(const options *o, const char *const (*pair)[2], size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) options_suppose(o, pair[i][0], pair[i][1]);
}

static int any_given(const options *o, const char *const *names, size_t n)
{
    while (n > 0 && !option_given(o, names[n - 1])) n--;
    return n > 0;
}

void set_usual(settings *s, const options *o)
{
    static const char *const textbook[][2] = {
        {"algorithm", "perceptron"}, {"rule", "fixed"}, {"normalize", "none"}, {"words", "binary"}, {"marks", "no"},
        {"stop", "clean"},           {"order", "file"}};
    static const char *const of_one[] = {"algorithm", "r", "regrow", "decision"};
    static const char *const of_rules[] = {"rule", "aggressive", "lambda", "rate", "batch"};
    const int text = s->reader.text || s->reader.text_columns, passes_once = s->online || (s->epochs == 1 && text);
    const int others = s->update == UPDATE_OTHERS || s->update == UPDATE_UNIFORM;
    const int ruled = any_given(o, of_rules, LENGTH(of_rules)) || (s->online && others); /* which arow has not */
    if (s->resume) return;
    if (s->textbook) {
        suppose_all(o, textbook, LENGTH(textbook) - !settings_shuffle(s)); /* or it has this order anyway */
        return;
    }
    /* C = 1 hardly limits a step of pa1, so that weights of rows would change nothing */
    s->pair = s->online && !settings_weigh(s) && !ruled && !any_given(o, of_one, LENGTH(of_one));
    if ((passes_once || settings_weigh(s)) && !ruled) options_suppose(o, "algorithm", pair_learner[0]);
    if (!settings_can(s, CAN_R)) {
        s->follow |= s->online && settings_can(s, CAN_KEEP) && settings_decision(s) == PCN_DECIDE_MEAN;
        return;
    }
    if (text) options_suppose(o, "r", "0.1");
    if (passes_once || settings_weigh(s)) options_suppose(o, "decision", "averaged");
    if (s->online) options_suppose(o, "regrow", "0.003");
    s->follow |= s->online && settings_decision(s) == PCN_DECIDE_MEAN;
}

/* What a new model is; --resume takes that from its file. */
static void set_shape(model *m, const settings *s)
{
    m->kind = settings_learner(s);
    if (s->pair) pair_begin(m, learner_named(pair_learner[1]));
    m->normalize = s->normalize;
    m->words = s->words;
    m->follows = s->follow;
    m->binarize = s->binarize;
    m->zero_negative = s->zero_class != 0;
    m->threshold = s->threshold;
}

static void take_shape(settings *s, const model *m)
{
    s->pair = m->beside != NULL;
    s->algorithm = (unsigned)((s->pair ? learner_named(pair_learner[0]) : m->kind) - learners);
    s->kernel = m->kernel;
    s->normalize = m->normalize;
    s->words = m->words;
    s->binarize = m->binarize;
    s->zero_class = (unsigned)m->zero_negative;
    s->drawn = m->epochs;
    s->label_count = s->refuse_new ? labels_count(&m->labels) : 0; /* else more may come */
}

void set_online(settings *s, const options *o)
{
    const int known = s->features || s->resume || s->reader.hash_bits;
    const struct {
        const char *option;
        int wrong;
        const char *instead;
    } refused[] = {
        {"epochs", s->epochs > 1, "each row is learned once; leave -e out"},
        {"order", s->order != PCN_ORDER_FILE, "rows are learned as they come; leave --order out"},
        {"stop", s->stop != STOP_WORD_NEVER, "there is one pass; leave --stop out"},
        {"checkpoint", 1, "there is one pass; cut the rows into runs of --resume"},
        {"shards", s->shards > 1, "one learner takes the rows; leave --shards out"},
        {"batch", 1, "a batch would end where a run ends; leave --batch out"},
        {"validate", 1, "no row is held back; --predict tests each before it is learned"},
        {"patience", 1, "there is one pass; leave --patience out"},
        {"pocket", 1, "rows are not kept to count errors on; -a averaged holds on to what was learned, too"},
        {"measure", 1, "rows are not kept; --measure works without --online"},
        {"folds", 1, "rows are not kept; --folds works without --online"},
        {"trace", 1, "what it learns gets its names at the end; -e 1 --order file shows the same rows"},
        {"normalize", s->normalize == NORMALIZE_MAXABS, "the greatest values are not known; take standard or l2"},
        {"missing", s->reader.missing == MISSING_MEAN && !settings_standard(s),
         "only --normalize standard knows means then; take --missing zero or drop"},
    };
    size_t i;
    for (i = 0; i < LENGTH(refused); i++)
        if (refused[i].wrong && option_given(o, refused[i].option))
            die(EXIT_USAGE, "--%s does not go with --online: %s", refused[i].option, refused[i].instead);
    s->epochs = 1;
    s->reader.arriving = 1;
    if (isnan(s->gamma) && !known && settings_kernel(s) > KERNEL_LINEAR)
        die(EXIT_USAGE, "--online: give --gamma, whose default is 1 over the number of features, not known yet");
}

/* In place of the column that a model remembers. */
static void take_weights(settings *s, const options *o)
{
    if (option_given(o, "weight-column"))
        die(EXIT_USAGE, "--weights and --weight-column both weigh the rows: give one of them");
    if (strcmp(s->reader.weights, "-") == 0) die(EXIT_USAGE, "--weights -: only rows may come from standard input");
    s->reader.step_column[STEP_BY_WEIGHT] = NULL;
    s->reader.row_weight = read_row_weights(s->reader.weights);
}

void set_model(model *m, settings *s, options *o)
{
    if (s->resume) {
        options_refuse_shape(o);
        model_open(m, s->resume);
        if (m->is_bare)
            die(EXIT_INPUT,
                "%s is an image alone, which says nothing of labels and settings: --resume takes a model "
                "file, in C pcn_perceptron_load goes on from an image",
                s->resume);
        options_recall(o, m->kept, KEPT | KEPT_READING, s->resume);
        if (option_given(o, "eta") && !option_given(o, "alpha")) s->alpha = NAN;
        if (option_given(o, "alpha") && !option_given(o, "eta")) s->eta = NAN;
        if (!s->online && !s->quiet) advise_on_pair(m);
        if (!s->online) pair_end(m); /* epochs are for one learner */
        if (m->beside && settings_weigh(s))
            die(EXIT_USAGE, "%s has two learners, and weights of rows and labels are for one: train anew, with -a arow",
                s->resume);
        take_shape(s, m);
    } else {
        set_shape(m, s);
    }
    if (s->resume && option_given(o, "probabilities") && !s->online && !model_calibrated(m))
        die(EXIT_USAGE,
            "--probabilities: %s may have learned these rows, which tell nothing of others then: --online calibrates "
            "on new rows, and so does training anew",
            s->resume);
    if (s->reader.weights) take_weights(s, o);
    m->bias = settings_can(s, CAN_BIAS) && !isnan(s->bias) ? s->bias : m->kind->bias;
    m->step = winnow_step(s);
    m->seed = s->seed;
    if (settings_can(s, CAN_KERNEL)) set_kernel(m, s);
    if (settings_can(s, CAN_R)) set_arow(m, s);
    if (s->resume) model_load_both(m, s->batch != 0);
    pair_turn(m, 1);
    m->frozen = 0; /* kept weights are a start like any other */
    options_check(o);
    reader_options_complete(&s->reader, o); /* --sep may be recalled, or be the default again */
    s->reader.binarize = m->binarize;
}

void set_defaults(model *m, uint32_t features)
{
    if (isnan(m->threshold)) m->threshold = m->kind->threshold * (float)features;
    if (isnan(m->gamma)) m->gamma = model_has_unit_rows(m) || model_weighs_words(m) ? 1 : 1 / (float)features;
}

void make_weights(model *m, const settings *s, uint32_t features)
{
    model_init(m, features, labels_count(&m->labels), s->reader.rows == ROWS_DENSE, s->batch != 0);
}

/* ---- What learns ---- */

static pcn_rule chosen_rule(const model *m, const settings *s)
{
    pcn_rule rule = settings_make_rule(s);
    if (model_can(m, CAN_R)) rule = m->trainer.learner.rule;
    if (model_can(m, CAN_ALPHA)) rule.rate = m->step;
    if (m->kind->margin > 0) rule.margin = m->kind->margin;
    if (!isnan(s->margin)) rule.margin = s->margin;
    return rule;
}

void set_learner(model *m, const settings *s)
{
    static uint32_t (*const update[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    pcn_learner *l = model_learner(m);
    l->rule = chosen_rule(m, s);
    l->moved = 1; /* options have been checked: what is 0 is the step of a row that weighs next to nothing */
    l->bias_input = m->bias;
    l->update = update[s->update];
    l->zero_predicted = s->zero_update != 0;
    if (model_can(m, CAN_R)) must(pcn_perceptron_use_regrowth(&m->trainer, s->regrow));
    if (s->follow && !m->follows) must(pcn_perceptron_use_following(&m->trainer));
    m->follows |= s->follow;
    if (!m->beside) return;
    pair_share(m);
    set_learner(m->beside, s);
}

/* What follows the last '=' of LABEL=W; its class, NO_LABEL if that may come. */
static uint32_t read_label_weight(const model *m, const settings *s, const options *o, const char *text, float *weight)
{
    const char *equals = strrchr(text, '='), *end = NULL;
    char *label = copy_text(text);
    uint32_t class;
    if (equals) {
        label[equals - text] = '\0';
        end = parse_float(equals + 1, weight);
    }
    if (!end || *end || !(*weight > 0) || isinf(*weight))
        option_fail(o, "weight", text, "give LABEL=W with W > 0, or " BALANCED);
    class = labels_find(&m->labels, label);
    if (class == NO_LABEL && reader_labels_are_numbers(&s->reader, s->reader.found)) {
        char *number = label_canonical(label);
        class = labels_find(&m->labels, number);
        free(number);
    }
    free(label);
    return class;
}

int settings_balanced(const settings *s)
{
    size_t i = 0;
    while (i < arrlenu(s->weights) && strcmp(s->weights[i], BALANCED) != 0) i++;
    return i < arrlenu(s->weights);
}

/* rows / (labels x rows of the label), which are on average 1 */
static void balance(float *weight, uint32_t classes, const rows *d)
{
    uint64_t *count = allocate_zero(classes, sizeof *count), all = 0;
    uint32_t k, met = 0;
    if (!d)
        die(EXIT_USAGE, "--weight balanced counts the labels of all rows, which --online does not keep: give LABEL=W");
    for (k = 0; k < d->count; k++) count[d->label[k]]++;
    processes_sum(count, classes);
    for (k = 0; k < classes; all += count[k++]) met += count[k] > 0;
    for (k = 0; k < classes; k++)
        if (count[k]) weight[k] = (float)((double)all / (double)met / (double)count[k]);
    free(count);
}

float *label_weights(const model *m, const settings *s, const options *o, int all_known, const rows *d)
{
    uint32_t k, classes = labels_count(&m->labels);
    uint8_t *given = allocate_zero(classes ? classes : 1, 1);
    float *all = allocate(classes ? classes : 1, sizeof *all), weight = 0;
    size_t i;
    for (k = 0; k < classes; k++) all[k] = 1;
    if (settings_balanced(s)) balance(all, classes, d);
    for (i = 0; i < arrlenu(s->weights); i++) {
        if (strcmp(s->weights[i], BALANCED) == 0) continue;
        k = read_label_weight(m, s, o, s->weights[i], &weight);
        if (k == NO_LABEL && all_known && option_given(o, "weight"))
            option_fail(o, "weight", s->weights[i], "no such label in the data");
        if (k == NO_LABEL) continue; /* it may come; a stream has remembered that */
        if (given[k]++) option_fail(o, "weight", s->weights[i], "this label has a weight already");
        all[k] *= weight;
    }
    free(given);
    return all;
}
