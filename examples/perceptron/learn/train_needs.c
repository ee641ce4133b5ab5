/* Says what each option of train needs. A row has the option; a condition without which it would mislead, so that it is
 * refused; a condition without which it changes nothing, so that it is ignored; and both in words. */
#include "settings.h"
#include "cli/option_values.h"

#include <math.h>

enum { ALWAYS = 1 };

/* As long as labels are not known, there may be two of them, or more. */
static int may_be_two(const settings *s)
{
    return s->label_count == 0 || s->label_count == 2;
}

static int may_be_many(const settings *s)
{
    return s->label_count == 0 || s->label_count > 2;
}

static int draws(const settings *s)
{
    return settings_shuffle(s) || s->validate > 0 || s->folds || s->policy == POLICY_RANDOM || s->blank;
}

/* Does the mean of weights decide? */
static int has_mean(const settings *s)
{
    return settings_can(s, CAN_KEEP) && settings_decision(s) == PCN_DECIDE_MEAN;
}

/* Can a step be longer for one row than for another like it? */
static int weighs(const settings *s)
{
    return settings_rule(s)->by != BY_NOTHING;
}

#define HAS_WEIGHTS "weights, which voted and kernel models have not"
#define WEIGHS "-a arow, Winnow, or a --rule with --rate, --lambda or -C"

option_needs learning_needs(const void *given, const char *option)
{
    const settings *s = given;
    const int has_rivals = s->update == UPDATE_OTHERS || s->update == UPDATE_UNIFORM;
    const int follows = has_mean(s) && !s->batch && s->shards < 2 && !s->pocket;
    const int needs_two = s->policy == POLICY_FORGETRON && s->label_count > 2;
    const int decides = settings_can(s, CAN_DECISION) && s->decision != PCN_DECIDE_VOTE;
    const option_needs table[] = {
        {"stop", ALWAYS, s->epochs > 1, "--epochs of more than 1"},
        {"seed", ALWAYS, draws(s), "an --order that is drawn, --validate, --folds, --policy random or --blank"},
        {"shards", settings_can(s, CAN_SHARDS) && s->stop != STOP_WORD_WINDOW, ALWAYS,
         HAS_WEIGHTS ", and no --stop window"},
        {"bias", settings_can(s, CAN_BIAS), ALWAYS,
         "an algorithm other than Winnow, which has --alpha or --eta and --threshold"},
        {"rule", settings_can(s, CAN_RULE), ALWAYS, "an algorithm other than Winnow and arow, which have their own"},
        {"r", settings_can(s, CAN_R), ALWAYS, "-a arow"},
        {"regrow", settings_can(s, CAN_R), ALWAYS, "-a arow"},
        {"follow", follows, ALWAYS, "weights whose mean decides, no --batch, --shards and --pocket"},
        {"rate", settings_can(s, CAN_RULE) && settings_rule(s)->by == BY_RATE, ALWAYS,
         "--rule fixed, and an algorithm other than Winnow and arow"},
        {"lambda", settings_rule(s)->by == BY_LAMBDA, ALWAYS, "--rule fractional"},
        {"aggressive", settings_rule(s)->by == BY_C, ALWAYS, "--rule pa1 or pa2, and an algorithm that takes rules"},
        {"update", settings_can(s, CAN_OTHERS) || !has_rivals, may_be_many(s),
         "more than two labels, and for -a arow predicted or one-vs-rest"},
        {"zero-class", ALWAYS, may_be_two(s) || s->update == UPDATE_ONE_VS_REST, "two labels, or --update one-vs-rest"},
        {"zero-update", settings_margin(s) == 0, ALWAYS, "a margin of 0"},
        {"weight", weighs(s), ALWAYS, WEIGHS},
        {"weight-column", weighs(s) && reader_expects(&s->reader, "csv"), ALWAYS, "rows of CSV, and " WEIGHS},
        {"weights", weighs(s), ALWAYS, WEIGHS},
        {"kernel", settings_can(s, CAN_KERNEL), ALWAYS, "-a voted or -a kernel"},
        {"degree", settings_kernel(s) == KERNEL_POLY, ALWAYS, "--kernel poly"},
        {"gamma", settings_kernel(s) == KERNEL_POLY || settings_kernel(s) == KERNEL_RBF, ALWAYS,
         "--kernel poly or rbf"},
        {"coef0", settings_kernel(s) == KERNEL_POLY, ALWAYS, "--kernel poly"},
        {"budget", settings_can(s, CAN_KERNEL), ALWAYS, "-a voted or -a kernel"},
        {"policy", s->budget > 0 && !needs_two, ALWAYS, "--budget, and with forgetron two labels"},
        {"decision", settings_can(s, CAN_KERNEL) || decides, ALWAYS,
         "-a voted or -a kernel, or -a arow, which has no voted one"},
        {"alpha", settings_can(s, CAN_ALPHA) && isnan(s->eta), ALWAYS,
         "a Winnow algorithm, and no --eta, which says the same"},
        {"eta", settings_can(s, CAN_ALPHA), ALWAYS, "a Winnow algorithm"},
        {"threshold", settings_can(s, CAN_ALPHA), ALWAYS, "a Winnow algorithm"},
        {"words", s->reader.text || s->reader.text_columns, ALWAYS, "--text or --text-column"},
    };
    return needs_in(table, option);
}

option_needs lesson_needs(const void *given, const char *option)
{
    const settings *s = given;
    const int weights = settings_can(s, CAN_KEEP);
    const int is_plain = !s->json && !s->resume && !s->budget && !settings_weigh_rows(s);
    const option_needs table[] = {
        {"batch", settings_can(s, CAN_BATCH) && s->shards < 2, ALWAYS,
         HAS_WEIGHTS ", an algorithm other than arow, and no --shards"},
        {"until", s->batch == BATCH_ALL, s->epochs > 1, "--batch all, and --epochs of more than 1"},
        {"pocket", weights && !has_mean(s) && !(s->validate > 0) && s->shards < 2, ALWAYS,
         "weights that are no mean (-a perceptron), and neither --validate nor --shards"},
        {"measure", weights, ALWAYS, HAS_WEIGHTS},
        {"trace", s->shards < 2 && !s->folds, ALWAYS, "one learner: no --shards and no --folds"},
        {"ys", s->trace, ALWAYS, "--trace"},
        {"sums", s->trace && has_mean(s), ALWAYS, "--trace, and weights whose mean decides (-a averaged)"},
        {"angle", s->trace && weights && settings_can(s, CAN_BIAS), ALWAYS,
         "--trace, and weights that are sums of rows"},
        {"as", s->trace && !s->json, ALWAYS, "--trace without --json"},
        {"blank", s->trace && is_plain, ALWAYS,
         "--trace, and none of --json, --resume, --budget, --weights and --weight-column"},
        {"key", s->blank > 0, ALWAYS, "--blank"},
    };
    return needs_in(table, option);
}

option_needs result_needs(const void *given, const char *option)
{
    const settings *s = given;
    const int weights = settings_can(s, CAN_KEEP), is_kept = s->pocket || s->validate > 0;
    const int is_alone = !s->resume && !s->test && !s->plot && !s->measure && !s->final && !s->checkpoint;
    const option_needs table[] = {
        {"validate", weights, ALWAYS, HAS_WEIGHTS},
        {"patience", s->validate > 0, s->epochs > 1, "--validate, and --epochs of more than 1"},
        {"fixed", s->resume != NULL, ALWAYS, "--resume"},
        {"report", s->test != NULL, ALWAYS, "--test"},
        {"folds", is_alone, ALWAYS, "a training without --resume, --test, --plot, --measure, --final and --checkpoint"},
        {"roc", s->test && may_be_two(s), ALWAYS, "--test, and two labels"},
        {"predict", s->online, ALWAYS, "--online"},
        {"probabilities", !s->folds, ALWAYS, "no --folds, which writes no model"},
        {"final", weights, !is_kept, "a linear model, and neither --pocket nor --validate, which save no more"},
        {"keep", s->final || is_kept, ALWAYS, "--final, --pocket or --validate"},
        {"checkpoint", ALWAYS, s->epochs > 1 || s->resume, "--epochs of more than 1, or --resume"},
    };
    return needs_in(table, option);
}
