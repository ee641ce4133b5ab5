/* A trained model and its file: an image of perceptron.h, then a section of the program's own.
 *
 *     image     pcn_perceptron (the whole state), or pcn_linear (weights that are imported, or kept by
 *               --pocket or --validate)
 *     section   all numbers little-endian:
 *         version (4 bytes) = 2, algorithm, decision, zero_negative, normalize, binarize,
 *         epochs (those whose order was drawn) (4 bytes each)
 *         options of training that are remembered: count, then length and bytes of each, as name=value
 *         labels: count, then length and bytes of each, ascending; more than two imported ones: as there
 *         feature names: likewise; 0 of them if the data had none
 *         scale of each feature: count, binary32 each; 0 of them if not --normalize maxabs
 *         what stands for a missing value of each feature: likewise; 0 of them if not --missing mean
 *         label column: its number from 1, its name; 0 and nothing if there was none
 *     CRC-32 of the section, its length without this and what follows (4 bytes each), "PCNP" */
#ifndef MODEL_H
#define MODEL_H

#include "rows.h"

/* Their numbers stand in model files. */
enum algorithm {
    ALGORITHM_PERCEPTRON,
    ALGORITHM_AVERAGED,
    ALGORITHM_WINNOW,
    ALGORITHM_WINNOW1,
    ALGORITHM_WINNOW2,
    ALGORITHM_BALANCED_WINNOW,
    ALGORITHM_VOTED,
    ALGORITHM_KERNEL,
    ALGORITHM_AROW,
    ALGORITHMS
};
#define ALGORITHM_WORDS "perceptron|averaged|winnow|winnow1|winnow2|balanced-winnow|voted|kernel|arow"
enum kernel { KERNEL_LINEAR, KERNEL_POLY, KERNEL_RBF };
#define KERNEL_WORDS "linear|poly|rbf"
enum policy { POLICY_STOP, POLICY_OLDEST, POLICY_RANDOM, POLICY_FORGETRON, POLICY_PROJECTRON };
#define POLICY_WORDS "stop|oldest|random|forgetron|projectron"
#define DECISION_WORDS "last|averaged|voted" /* as enum pcn_decision */
enum normalize { NORMALIZE_NONE, NORMALIZE_L2, NORMALIZE_MAXABS };
#define NORMALIZE_WORDS "none|l2|maxabs"

typedef struct model {
    /* what prediction and --resume need to know of the training */
    unsigned algorithm, normalize;
    int zero_negative, binarize; /* zero_negative: as the weights or vectors have it */
    uint32_t epochs, seed;
    float bias;
    float step;      /* of Winnow: log2 of the factor */
    float threshold; /* of Winnow, for model_init: an image has it as its bias */
    float r;         /* of AROW; 0 where nothing is learned */
    char **kept;     /* stb_ds array: the options of training that are remembered, "name=value" */
    labels labels; /* class k is labels_text(k); of two, the second is the positive one */
    char *label_name;      /* CSV: of the label's column; NULL: none */
    uint32_t label_number; /* its number, from 1; 0: it has none */
    float *fill;           /* stb_ds array: what stands for a missing value of each feature; NULL: nothing */
    char **names;  /* stb_ds array; empty: none */
    float *scale;  /* stb_ds array; empty: none */
    /* the weights */
    pcn_perceptron trainer;
    float *memory, *sum, *batch, *mean;
    float *state;     /* exponents of Winnow, variances of AROW */
    const char *file; /* that it is loaded from */
    uint8_t *image;   /* its bytes, between model_open and model_load */
    size_t bytes;
    int frozen; /* loaded from kept weights: nothing to average */
    /* voted and kernel: vectors and coefficients instead */
    pcn_kperceptron dual;
    unsigned kernel, policy, decision;
    uint32_t budget; /* vectors at most; 0: any number */
    uint32_t degree;
    float gamma, coef0;
    pcn_slot *slots; /* with a budget; otherwise the arrays of `dual` grow */
    pcn_log_entry *log;
    uint32_t *store_index;
    float *store, *aux;
    /* ready to predict, by model_use */
    pcn_linear use;
    float *work;
} model;

enum { MODEL_BLOCK = 32 }; /* rows that are scored at once */

int model_is_winnow(const model *m);

static inline int model_is_kernel(const model *m)
{
    return m->algorithm == ALGORITHM_VOTED || m->algorithm == ALGORITHM_KERNEL;
}

/* What learns: settings, counts, and the number of classes of its scores (1 for two labels). */
static inline pcn_learner *model_learner(model *m)
{
    return model_is_kernel(m) ? &m->dual.learner : &m->trainer.learner;
}

uint32_t model_features(const model *m);
/* enum row_form: whatever is learned or predicted has it, since it decides the order of sums. */
unsigned model_rows(const model *m);
/* Room for the weights, laid out for dense rows or for sparse ones; batched: with that option on. */
void model_init(model *m, uint32_t features, uint32_t classes, int dense, int batched);
/* The weights that predict: the mean or the live ones. Stays until the next call. */
pcn_linear model_decision(model *m);
/* The same, at the end: they take the place of what learning would go on from, and no more memory. */
pcn_linear model_final(model *m);
/* Makes ready for model_scores; `kept`: predict by these weights; may be NULL. */
void model_use(model *m, const pcn_linear *kept);
/* Scores of at most MODEL_BLOCK rows: one for each class of model_learner. */
void model_scores(const model *m, const pcn_vec *x, uint32_t n, float *score);
/* Predicted class, 0 .. labels - 1, from the scores of a row. */
uint32_t model_class(const model *m, const float *score);
/* Scales a row as the model's rows were: x->value must be writable and is changed. */
void model_normalize(const model *m, const pcn_vec *x, float *value);

/* Voted and kernel models: which of their decisions model_scores takes; ends the program if the model
 * has it not. */
void model_decide_by(model *m, unsigned decision);

/* All bytes of a file, or of standard input. */
uint8_t *read_file(const char *name, size_t *size);
#define IMAGE_MAGIC "PCN\x1a" /* begins every model file */
/* Would an output of that name replace a model, or nothing? An image alone is no model. */
int model_replaces(const char *name);
/* Reads all but the weights. Between the two the caller may set budget, policy and seed. */
void model_open(model *m, const char *name);
void model_load(model *m, int batched);
/* How a reader reads rows for this model. */
void model_expects(const model *m, reader_options *o);
/* `kept`: write these weights instead of the trainer's state; may be NULL. Returns the bytes. */
size_t model_save(const model *m, const pcn_linear *kept, output *o);
void model_free_learned(model *m); /* all but names, labels and remembered options */
void model_free(model *m);

#endif
