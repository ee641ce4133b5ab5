/* What the program knows of each learner: an entry of the table in learner.c, and nothing anywhere else. Learners of
 * weights (linear.c) and those that store vectors (vectors.c) differ by functions, the rest by data. */
#ifndef LEARNER_H
#define LEARNER_H

#include "rows.h"

enum kernel { KERNEL_LINEAR, KERNEL_POLY, KERNEL_RBF };
#define KERNEL_WORDS "linear|poly|rbf"
enum policy { POLICY_STOP, POLICY_OLDEST, POLICY_RANDOM, POLICY_FORGETRON, POLICY_PROJECTRON };
#define POLICY_WORDS "stop|oldest|random|forgetron|projectron"
#define DECISION_WORDS "last|averaged|voted" /* as enum pcn_decision */

typedef struct model model; /* model.h */

/* What has an effect on a learner: the options of train name what they need. */
enum can {
    CAN_BIAS = 1,
    CAN_RULE = 2,
    CAN_R = 4,       /* it has variances */
    CAN_ALPHA = 8,   /* it multiplies: --alpha, --eta, --threshold */
    CAN_KERNEL = 16, /* it stores vectors */
    CAN_DECISION = 32,
    CAN_BATCH = 64,
    CAN_SHARDS = 128,
    CAN_KEEP = 256,   /* --pocket, --validate, --final, --measure */
    CAN_OTHERS = 512, /* --update others, uniform */
    /* what can be done with its model */
    CAN_GROW = 1024,      /* pcn_perceptron_resize while it learns a stream */
    CAN_LEARN_ON = 2048,  /* pcn_perceptron_load of its image */
    CAN_BE_WEIGHTS = 4096 /* export --as arrays, --bits, --format liblinear; show --csv */
};

typedef struct family {
    /* Room for the weights or vectors; units: scores of a row. dense, batched: as model_init. */
    void (*init)(model *m, uint32_t features, uint32_t units, int dense, int batched);
    int (*load)(model *m, const pcn_image *info, int batched); /* from m->image; an error of perceptron.h below 0 */
    size_t (*save)(const model *m, const pcn_linear *kept, size_t from, void *out, size_t size); /* part of the image */
    /* One row; its step is multiplied. id: PCN_NO_ID, or what the row is known by. */
    int (*learn)(model *m, const pcn_vec *x, uint32_t class, float weight, uint32_t id);
    void (*use)(model *m, const pcn_linear *kept);
    void (*scores)(const model *m, const pcn_vec *x, uint32_t n, float *score);
    /* The same of one row between two that are learned, as model_use would have it, from its own weights alone. */
    void (*score_now)(model *m, pcn_vec x, float *score);
    void (*resize)(model *m, uint32_t features, uint32_t units); /* of what can grow; units never fall */
    void (*negate)(model *m); /* two labels change places: what has been learned changes its sign */
    void (*free)(model *m);
} family;
extern const family linear_family, vector_family;

typedef struct learner {
    const char *name;
    unsigned can; /* enum can */
    const family *family;
    float bias, margin;         /* where the command line says nothing */
    int kernel;                 /* likewise; -1: none */
    enum pcn_decision decision; /* likewise; weights that predict: the mean or the last */
    void (*state)(model *m);    /* switches exponents or variances on; NULL: there are none */
    float eta;                  /* of Winnow: the factor is e^eta; 0: it is 2 */
    float threshold;            /* likewise, in units of the number of features */
    uint32_t most_classes;      /* 0: any number */
    int eliminates;             /* the negative class takes the greatest step */
    int balanced;
    int values_01; /* other values earn advice */
} learner;

extern const learner learners[]; /* in the order of their numbers in model files */
extern const uint32_t learner_count;

const learner *learner_named(const char *name); /* the table has it */
const char *learner_words(void);                /* all names, as an option takes them */

/* The rule for a row of that class and weight. */
static inline pcn_rule learner_rule(const learner *k, pcn_rule rule, uint32_t class, float weight)
{
    if (k->eliminates && class == 0) rule.rate = PCN_ELIMINATE;
    rule.rate *= weight;
    rule.strength *= weight;
    return rule;
}

/* ---- linear.c ---- */

void use_winnow(model *m);
void use_confidence(model *m);
/* For a trainer of its own, as a shard has. Its arrays: at least of that shape, and with what they hold. */
void arrays_make(pcn_arrays *a, uint32_t features, uint32_t units, int summed, int batched, int stateful);
void arrays_free(const pcn_arrays *a);
int linear_learn(const learner *k, pcn_perceptron *t, const pcn_vec *x, uint32_t class, float weight);
/* Learns a row of weight 1, with a mean that follows. *right: did the model have the row right before? That costs nothing. */
int linear_learn_judged(model *m, const pcn_vec *x, uint32_t class, int *right);

#endif
