/* What train is told, by the command line or by the model to resume: train_options.c has the tables, defaults.c what
 * follows for a model and its learner. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "model/model.h"
#include "read/reader_options.h"

enum update { UPDATE_PREDICTED, UPDATE_OTHERS, UPDATE_UNIFORM, UPDATE_ONE_VS_REST };
enum stop_word { STOP_WORD_NEVER, STOP_WORD_CLEAN, STOP_WORD_WINDOW };

typedef struct settings {
    unsigned algorithm, order, stop, rule, update, zero_class, zero_update, normalize, words, as;
    uint32_t epochs, seed, batch, features, patience, folds, shards, checkpoint, keep, blank;
    float bias, rate, lambda, c, margin, alpha, eta, threshold, r, regrow, gamma, coef0, validate,
        until; /* NaN: not given */
    unsigned kernel, policy, decision;
    uint32_t budget, degree;
    int binarize, pocket, final, quiet, json, force, report, measure, online, refuse_new, trace, ys, sums, angle, key,
        follow, textbook, probabilities, pair; /* pair: two learners learn, see pair.c; `algorithm` is the first */
    const char *roc, *plot, *classes, *resume, *test, *predictions, **weights;
    uint32_t label_count; /* 0: not known yet */
    uint32_t drawn;       /* epochs whose order was drawn, of the model to resume */
    reader_options reader;
} settings;

enum { SHARDS_MOST = 4096, STREAM_CLASSES = 1000 }; /* labels of a stream, unless --classes says more */
#define BATCH_ALL OPTION_UNSET                      /* all rows of an epoch, and the mean of their steps */

static inline const learner *settings_learner(const settings *s)
{
    return &learners[s->algorithm];
}

static inline int settings_can(const settings *s, unsigned what) /* enum can */
{
    return ((settings_learner(s)->can | (s->pair ? CAN_RULE : 0)) & what) != 0;
}

/* Values that are to stay as they are: those that multiply, and those that were made so. */
static inline int settings_keep_values(const settings *s)
{
    return settings_can(s, CAN_ALPHA) || s->binarize || s->reader.products;
}

/* Will columns be scaled by --normalize standard, if these are rows of CSV? */
static inline int settings_standard(const settings *s)
{
    return s->normalize == NORMALIZE_STANDARD || s->normalize == NORMALIZE_STANDARD_L2 ||
           (s->normalize == NORMALIZE_AUTO && !settings_keep_values(s));
}

/* ---- rules.c ---- */

enum rule_by { BY_NOTHING, BY_RATE, BY_LAMBDA, BY_C }; /* the option that says how long steps are */

typedef struct step_rule {
    const char *name;
    pcn_rule (*make)(float by); /* the value of that option */
    enum rule_by by;
    const char *step; /* how long one is, for --help */
} step_rule;

/* Of a learner with a rule of its own it is the fixed one, as far as options ask. */
const step_rule *settings_rule(const settings *s);
int settings_rule_is_fixed(const settings *s); /* by --rule */
pcn_rule settings_make_rule(const settings *s);
const char *rule_names(void); /* as an option takes them */
const char *rule_steps(void); /* what each name means */

/* ---- settings.c ---- */

int settings_kernel(const settings *s); /* enum kernel; -1: none */
unsigned settings_decision(const settings *s);
float settings_margin(const settings *s);   /* up to which a row that is right is learned */
int settings_shuffle(const settings *s);    /* is an order drawn? */
int settings_weigh_rows(const settings *s); /* have rows weights of their own? */
int settings_weigh(const settings *s);      /* have rows or labels weights? */

/* ---- train_options.c ---- */

enum { TRAIN_GROUPS = 9 + READER_GROUP_COUNT, TRAIN_PREPARING = 3 };
extern const option_group train_groups[TRAIN_GROUPS];
extern const option_entry train_preparing[TRAIN_PREPARING]; /* one of these groups, which compare has, too */
extern settings train_settings;                             /* where they put what is given */

/* ---- train_needs.c ---- */

/* What options need that are about learning, about lessons, about results and what is kept. */
needs_table learning_needs, lesson_needs, result_needs;

/* ---- defaults.c ---- */

/* Defaults that depend on what else is given. */
void set_usual(settings *s, const options *o);
/* Refuses what does not go with --online, and sets what follows from it; before the model is settled. */
void set_online(settings *s, const options *o);
/* What the command line says of the model itself, or the model says for --resume, which is loaded. */
void set_model(model *m, settings *s, options *o);
/* Of a new model, what depends on the number of features where nothing is given. */
void set_defaults(model *m, uint32_t features);
/* Room for the weights of a new model whose labels are known. */
void make_weights(model *m, const settings *s, uint32_t features);
/* Everything but the weights; for --resume after loading. */
void set_learner(model *m, const settings *s);
/* What multiplies the steps of each label: a new array. all_known: otherwise labels of --weight may still come. d: all
 * rows; NULL: they are not kept. */
float *label_weights(const model *m, const settings *s, const options *o, int all_known, const rows *d);
int settings_balanced(const settings *s); /* --weight balanced */

#endif
