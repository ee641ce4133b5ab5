/* A trained model: what learns (learner.h), and all that prediction needs to know of the training. */
#ifndef MODEL_H
#define MODEL_H

#include "cli/output.h"
#include "fit.h"
#include "learner.h"
#include "text/date.h"

/* What is done to rows before they are learned or predicted: preparation.c. AUTO is settled once the first rows are
 * known, and in no model. */
enum normalize {
    NORMALIZE_NONE,
    NORMALIZE_L2,
    NORMALIZE_MAXABS,
    NORMALIZE_STANDARD,
    NORMALIZE_STANDARD_L2, /* then rows get length 1 */
    NORMALIZE_AUTO
};
#define NORMALIZE_WORDS "none|l2|maxabs|standard|standard-l2|auto"
enum words { WORDS_BINARY, WORDS_COUNTS, WORDS_TFIDF, WORDS_LOG, WORDS_AUTO }; /* what values words have */
#define WORDS_WORDS "binary|counts|tfidf|log|auto"
#define NOT_A_WORD UINT32_MAX

struct model {
    /* what prediction and --resume need to know of the training */
    const learner *kind;
    unsigned normalize, words;   /* enum normalize, enum words */
    int follows;                 /* it has a mean that follows, see pcn_perceptron_use_following */
    int text_labels;             /* CSV and text: a label is its text; otherwise equal integers are one label */
    int zero_negative, binarize; /* zero_negative: as the weights or vectors have it */
    uint32_t epochs, seed;
    float bias;
    float step;            /* of Winnow: log2 of the factor */
    float threshold;       /* of Winnow, for model_init: an image has it as its bias */
    float r;               /* of AROW; 0 where nothing is learned */
    char **kept;           /* stb_ds array: the options of training that are remembered, "name=value" */
    uint32_t *unsorted;    /* by model_sort_classes: where each class comes from; NULL: they are as they were */
    labels labels;         /* class k is labels_text(k); of two, the second is the positive one */
    char *label_name;      /* CSV: of the label's column; NULL: none */
    uint32_t label_number; /* its number, from 1; 0: it has none */
    float *fill;           /* stb_ds array: what stands for a missing value of each feature; NULL: nothing */
    char **names;          /* stb_ds array; empty: none */
    float *scale;          /* stb_ds array; empty: none */
    double *offset;        /* stb_ds array; empty: none; what is subtracted from values as they are written */
    uint8_t *date;         /* stb_ds array; empty: none; of each feature the enum date_order of the dates that it is */
    pcn_scaler scaler;     /* of --normalize standard: of the features that are numbers, which are the first */
    uint32_t documents; /* of --words tfidf: rows, and in how many of them each feature is, NOT_A_WORD if it is none */
    uint32_t *document_frequency; /* stb_ds array; empty: none */
    /* of the scores that predict; no rows: there is none */
    pcn_calibration calibration;
    float *fit; /* stb_ds array, see fit.h, which goes before the calibration; NULL: there is none */
    /* of the values learned from, as exported weights meet them */
    float largest_value; /* in size; 0: not known, or rows have unit length */
    float has_fractions; /* 1: some are no whole numbers */
    /* the weights */
    pcn_perceptron trainer;
    pcn_arrays arrays; /* of the trainer; `memory` of what stores vectors, too */
    float *mean;       /* by model_decision */
    const char *file;  /* that it is loaded from */
    pcn_image info;    /* what the image of the file says of itself */
    int is_bare;       /* the file is an image that a C program has saved, and no model file */
    uint8_t *image;    /* its bytes and what is behind, between model_open and model_load */
    size_t bytes;      /* of these */
    size_t file_bytes; /* which it was read from */
    int frozen;        /* loaded from kept weights: nothing to average */
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
    pcn_linear predictor;
    float *work, *score; /* score: of a block of rows */
    uint64_t dropped;    /* rows for which the budget had no room, since the program began */
    /* a stream's second learner: pair.c */
    struct model
        *beside; /* has kind, weights and calibration of its own, and all else of this one; NULL: there is none */
    int lead;    /* rows that averaged alone had right less those of arow, -LEAD_MOST to LEAD_MOST */
};

enum { MODEL_BLOCK = 32 }; /* rows that are scored at once */
enum { LEAD_MOST = 16 };

static inline int model_can(const model *m, unsigned what) /* enum can */
{
    return (m->kind->can & what) != 0;
}

/* NULL: it has weights. */
static inline const pcn_kmodel *model_vectors(const model *m)
{
    return model_can(m, CAN_KERNEL) ? &m->dual.model : NULL;
}

/* What learns: settings, counts, and how many scores it has (1 for two labels). */
static inline pcn_learner *model_learner(model *m)
{
    return model_can(m, CAN_KERNEL) ? &m->dual.learner : &m->trainer.learner;
}

static inline uint32_t model_features(const model *m)
{
    return model_can(m, CAN_KERNEL) ? m->dual.model.features : m->trainer.live.features;
}

static inline uint32_t model_units(const model *m) /* scores of a row */
{
    if (m->is_bare) return m->info.scores;
    return labels_count(&m->labels) < 2 ? 1 : PCN_SCORES(labels_count(&m->labels));
}

static inline int model_calibrated(const model *m)
{
    return m->calibration.rows > 0;
}

/* Whose score it is. Of a model that has met one label only, it is of the one to come. */
static inline const char *model_unit_label(const model *m, uint32_t unit)
{
    if (model_units(m) > 1) return labels_text(&m->labels, unit);
    return labels_count(&m->labels) == 2 ? labels_text(&m->labels, 1) : "(none yet)";
}

/* The class at a score of 0. */
static inline void model_settle_zero(model *m, uint8_t *zero_negative)
{
    m->zero_negative |= *zero_negative;
    *zero_negative = m->zero_negative != 0;
}

/* Ends the program if a result of perceptron.h is an error. */
void must(int result);

/* The value of an option of training, the first of a list; NULL: it is not remembered. */
const char *model_kept(const model *m, const char *name);
const char *model_kept_or(const model *m, const char *name, const char *otherwise);
int model_names_word(const model *m, const char *feature); /* of a column of words, of which it may have an = */

/* enum row_form: whatever is learned or predicted has it, since it decides the order of sums. */
unsigned model_rows(const model *m);

/* How many weights and biases there are. */
static inline size_t model_numbers(const pcn_linear *l)
{
    return PCN_LINEAR_FLOATS(l->features, l->scores);
}

/* Where the weight of score c and feature j stands, in either layout. */
static inline size_t model_weight_at(const pcn_linear *l, uint32_t c, uint32_t j)
{
    return l->by_feature ? (size_t)j * l->scores + c : (size_t)c * l->features + j;
}

/* Room for the weights, laid out for dense rows or for sparse ones; batched: with that option on. */
void model_init(model *m, uint32_t features, uint32_t classes, int dense, int batched);
/* Room for that many features, and for all labels. What is there stays, what is new has learned nothing; only the
 * probabilities of two labels end with a third. */
void model_resize(model *m, uint32_t features);
/* Sorts two labels. 1: they were in descending order, and what has been learned has changed its sign. */
int model_sort_two(model *m);
/* A model of a stream has its classes in the order in which their labels came. Whoever predicts or shows sorts them, so
 * that equal scores go to the first label everywhere. What learns on needs the order that it had. Weights alone keep
 * theirs: --final has sorted them, and an imported model has that of its file. */
void model_sort_classes(model *m);
void model_unsort_classes(model *m);
/* Of a voted or kernel model that goes on: stored vectors that are no rows of d lose their numbers, so that rows with
 * these numbers are new ones. The rows are ready to be learned and have values. */
void model_know_rows(model *m, const rows *d);
/* Makes ready for scores; `kept`: predict by these weights; may be NULL. */
void model_use(model *m, const pcn_linear *kept);
/* Scores of at most MODEL_BLOCK rows: model_units() each. */
void model_scores(const model *m, const pcn_vec *x, uint32_t n, float *score);
/* What the scores of a row say of each label. */
void model_probabilities(const model *m, const pcn_vec *x, const float *score, float *p);
/* Learns that from a row that the model has not learned. class: of the model's, which are two or more. */
void model_calibrate(model *m, const float *score, uint32_t class);
void model_end_fit(model *m);            /* the calibration alone is left */
double model_bend(const model *m);       /* t of the curve of a pcn_calibration */
double model_least_odds(const model *m); /* of a label against the one predicted, however far it is behind */
/* Predicted class, 0 .. labels - 1, from the scores of a row. */
uint32_t model_class(const model *m, const float *score);

/* Scores all rows in their order and hands them to `take`, which returns 0 when it has enough. */
typedef int take_scores(void *context, uint32_t row, const float *score);
void model_score_rows(const model *m, const rows *d, take_scores *take, void *context);
/* Rows of which another class is predicted; from `enough` on some may be left out. */
uint32_t model_errors(const model *m, const rows *d, uint32_t enough);

/* The class of its label: labels_count() for one that the model has not, NO_LABEL if there is none. */
uint32_t model_row_label(const model *m, const reader *in);
enum { FEATURE_ROOM = 16 };
/* The number of its first feature in the files that it was trained on, unless it has names. */
uint32_t model_first(const model *m);
/* What a feature is called: its name, or its number counted from `first`, in `room`. */
const char *model_feature(const model *m, uint32_t j, uint32_t first, char room[FEATURE_ROOM]);

/* Voted and kernel models: which of their decisions model_scores takes; ends the program if the model
 * has it not. OPTION_UNSET: as trained, which an image alone does not say. */
void model_decide_by(model *m, unsigned decision);
/* Of the dates that a feature is; NO_DATE: it is none. */
static inline enum date_order model_date(const model *m, uint32_t j)
{
    return j < arrlenu(m->date) ? (enum date_order)m->date[j] : NO_DATE;
}
/* How a reader reads rows for this model. */
void model_expects(const model *m, reader_options *o);
void model_free_learned(model *m); /* all but names, labels and remembered options */
void model_free(model *m);

/* ---- preparation.c ---- */

/* Has it means and deviations of columns? */
static inline int model_standardizes(const model *m)
{
    return m->normalize == NORMALIZE_STANDARD || m->normalize == NORMALIZE_STANDARD_L2;
}

/* Have whole rows length 1? */
static inline int model_has_unit_rows(const model *m)
{
    return m->normalize == NORMALIZE_L2 || m->normalize == NORMALIZE_STANDARD_L2;
}

/* Do the words of a row have length 1? Then the model knows which features are words. */
static inline int model_weighs_words(const model *m)
{
    return m->words == WORDS_TFIDF || m->words == WORDS_LOG;
}

/* Are rows changed before they are learned? */
static inline int model_prepares(const model *m)
{
    return m->normalize != NORMALIZE_NONE || model_weighs_words(m);
}

/* The features of the row just read, as the model predicts and explains them; read as model_expects says. Names, words and
 * products are the reader's, all else is done here, in the reader's memory. */
pcn_vec model_row(const model *m, reader *in);
/* Prepares a row as the model's rows were: value, which is x->value, is changed. */
void model_normalize(const model *m, const pcn_vec *x, float *value);
void model_normalize_rows(const model *m, rows *d); /* which have values */
/* The same of a row of a stream, after the means, deviations and frequencies up to now have taken it in. Returns PCN_OK
 * or an error of perceptron.h. */
int model_normalize_next(model *m, const pcn_vec *x, float *value);
/* Remembers how large the values of rows to be learned are; before they are prepared. */
void model_note(model *m, const float *value, size_t n);
void model_count_words(model *m, const pcn_vec *x);
/* The next feature, which a row may have from now on: is it a word? */
void model_add_feature(model *m, int is_word);
void model_scaler_init(model *m, uint32_t features);

/* A number x of a feature becomes (x - mean) factor, of a constant column 0: as long as it is within 64 deviations. */
typedef struct scaling {
    double mean, offset; /* offset: by which the value as written is greater than x */
    float factor;
} scaling;
scaling model_column(const model *m, uint32_t j);
float model_idf(const model *m, uint32_t j); /* what a count of 1 weighs; 0: no row had that word; -1: it is none */
/* The weights of l for numbers as rows have them, less taken[j] unless that is NULL: w' = w factor, b' = b - sum w' (mean
 * - taken). Class-major, in new memory, which begins with the weights. */
pcn_linear model_unscaled(const model *m, const pcn_linear *l, const float *taken);

/* ---- linear.c ---- */

/* Of all arrays of weights that model_init would make; 0: it stores vectors. */
uint64_t model_weight_bytes(const model *m, uint32_t features, int batched);
/* The weights that predict: the mean or the live ones. Stays until the next call. */
pcn_linear model_decision(model *m);
/* The same, at the end: they take the place of what learning would go on from, and no more memory. */
pcn_linear model_final(model *m);

/* ---- vectors.c ---- */

/* Of slot s and score c: coef[s * scores + c]. The mean is over the examples seen: a step counts from its
 * example to the present. */
double *vector_coefficients(const pcn_kmodel *d, unsigned decision);
pcn_vec vector_stored(const pcn_kmodel *d, uint32_t slot);

/* ---- pair.c ---- */

extern const char *const pair_learner[2]; /* the names of the two */
/* Makes a new model one of two learners, or ends that: m alone stays. */
void pair_begin(model *m, const learner *second);
void pair_end(model *m);
/* The same; m, whose training is over, forgets the options that only the other learner has. */
void pair_leave(model *m);
/* What the two share is as m has it now. */
void pair_share(model *m);
/* Notes that of a row that both could know only one learner had it right, or both or neither. */
void pair_note(model *m, int first_right, int second_right);
/* Makes the learner that leads m's own, or `arow` if `first`. Returns whether they have changed places. */
int pair_turn(model *m, int first);

/* Does averaged predict, and not arow? */
static inline int pair_second_leads(const model *m)
{
    return m->beside != NULL && m->lead > 0;
}

/* ---- keep.c ---- */

/* Of the model's own weights the n largest in size stay, of equal ones the first; the others become 0. */
void model_keep_largest(const pcn_linear *l, size_t n);
/* Words without a weight leave a model of texts; l: the weights that it will be saved with. */
void model_forget_words(model *m, pcn_linear *l);

/* ---- stored.c ---- */

#define STORED_MAGIC "PCNM"
/* Writes the image, stored in the one way or the other; returns the bytes. */
size_t stored_save(const model *m, const pcn_linear *kept, FILE *f);
/* The same for an image that lies in a section, with a head in any case: appends it to `out`, an stb_ds array. */
void stored_add(const model *m, uint8_t **out);
/* What follows it; NULL: there is none. */
const uint8_t *stored_skip(const uint8_t *p, const uint8_t *end);
/* m->image, which another owns and stored_skip has looked at, becomes the image itself. */
void stored_take(model *m);
/* m->image, of a whole file: if the image was stored in another way, it is as it is now, and what was behind it too. */
void stored_open(model *m);

/* Packs whole words of 4 bytes; `to` has room for PACKED_MOST. Returns the bytes, which follow those of other calls. */
#define PACKED_MOST(bytes) ((bytes) + (bytes) / 1024 + 4)
size_t pack_words(const uint8_t *from, size_t bytes, uint8_t *to);
/* As many bytes of words back, to where all bytes are 0; `to` NULL: looks whether that can be done. Returns what follows
 * in `from`; NULL: these are not so many words. */
const uint8_t *unpack_words(const uint8_t *from, const uint8_t *end, uint8_t *to, uint64_t bytes);

/* ---- image_kind.c ---- */

/* What the program knows of each kind of image. */
typedef struct image_kind {
    const char *saved_from; /* the object in C */
    uint8_t is_frozen;      /* a frozen model can have such an image */
    uint8_t has_integers;
} image_kind;
const image_kind *image_kind_of(const pcn_image *info);

/* ---- model_file.c ---- */

/* All bytes of a file, or of standard input. */
uint8_t *read_file(const char *name, size_t *size);
/* Is it a regular file that begins as a model file or an image does? */
int begins_as_model(const char *name);
/* Would an output of that name replace a model, or nothing? An image alone is no model. */
int model_replaces(const char *name);
int image_replaces(const char *name); /* likewise: the image of a frozen model, and nothing else */
/* Ends the program unless the file is what it is said to be, an image alone or not, and can predict: the weights of an
 * image of integers can only be shown. */
void model_take_as(const model *m, int image);
/* clang-format off */
#define IMAGE_OPTION(type, member)                                                                                     \
    {"image", 0, OPTION_FLAG, .at = offsetof(type, member),                                                            \
     .help = "Read MODEL as an image alone, as C programs save it. Its features are numbered from 0, and its "         \
             "labels are -1 and 1, or 0 to K - 1."}
/* clang-format on */
/* Reads all but the weights. Between the two the caller may set budget, policy and seed. */
void model_open(model *m, const char *name);
void model_load(model *m, int batched);
/* The same of both learners, if there are two. */
void model_load_both(model *m, int batched);
/* `kept`: write these weights instead of the trainer's state; may be NULL. Returns the bytes. */
size_t model_save(const model *m, const pcn_linear *kept, output *o);

#endif
