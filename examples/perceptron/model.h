/* A trained model and its file: an image of perceptron.h, then a section of the program's own.
 *
 *     image     pcn_perceptron (the whole state), or pcn_linear (weights kept by --pocket, --validate)
 *     section   all numbers little-endian:
 *         version (4 bytes) = 1, algorithm, zero_negative, normalize, binarize, bias (binary32),
 *         epochs, seed, order (4 bytes each); Winnow only: step (binary32)
 *         labels: count, then length and bytes of each, ascending
 *         feature names: likewise; 0 of them if the data had none
 *         scale of each feature: count, binary32 each; 0 of them if not --normalize maxabs
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
    ALGORITHMS
};
#define ALGORITHM_WORDS "perceptron|averaged|winnow|winnow1|winnow2|balanced-winnow"
enum normalize { NORMALIZE_NONE, NORMALIZE_L2, NORMALIZE_MAXABS };
#define NORMALIZE_WORDS "none|l2|maxabs"

typedef struct model {
    /* what prediction and --resume need to know of the training */
    unsigned algorithm, normalize, order;
    int zero_negative, binarize;
    uint32_t epochs, seed;
    float bias;
    float step;      /* of Winnow: log2 of the factor */
    float threshold; /* of Winnow, for model_init: an image has it as its bias */
    labels labels; /* class k is labels_text(k); of two, the second is the positive one */
    char **names;  /* stb_ds array; empty: none */
    float *scale;  /* stb_ds array; empty: none */
    /* the weights */
    pcn_perceptron trainer;
    float *memory, *sum, *batch, *exponent, *mean;
    int frozen; /* loaded from kept weights: nothing to average */
} model;

int model_is_winnow(const model *m);
/* Room for the weights; averaged, batched: with those options on. */
void model_init(model *m, uint32_t features, uint32_t classes, int feature_major, int averaged,
                int batched);
/* The weights that predict: the mean or the live ones. Stays until the next call. */
pcn_linear model_decision(model *m);
/* Scales a row as the model's rows were: x.value must be writable and is changed. */
void model_normalize(const model *m, pcn_vec x, float *value);
/* Predicted class: 0 .. labels - 1. score: one place for each class of the weights. */
uint32_t model_class(const model *m, const pcn_linear *weights, pcn_vec x, float *score);

void model_load(model *m, const char *name, int batched);
/* `kept`: write these weights instead of the trainer's state; may be NULL. Returns the bytes. */
size_t model_save(const model *m, const pcn_linear *kept, output *o);
void model_free(model *m);

#endif
