/* The parts of perceptron train: train.c the command and its settings, prepare.c from text to rows and a model,
 * learn.c the passes, testing.c the rows of --test, measure.c and folds.c those two options, advice.c what the data ask
 * for, results.c what is said of all that. */
#ifndef TRAIN_H
#define TRAIN_H

#include "commands.h"
#include "report.h"
#include "stream.h"

enum rule { RULE_FIXED, RULE_ABSOLUTE, RULE_FRACTIONAL, RULE_PA, RULE_PA1, RULE_PA2 };
enum update { UPDATE_PREDICTED, UPDATE_OTHERS, UPDATE_UNIFORM, UPDATE_ONE_VS_REST };
enum stop_word { STOP_WORD_NEVER, STOP_WORD_CLEAN, STOP_WORD_WINDOW };

typedef struct settings {
    unsigned algorithm, order, stop, rule, update, zero_class, zero_update, normalize;
    uint32_t epochs, seed, batch, features, patience, folds, shards, checkpoint;
    float bias, rate, lambda, c, margin, alpha, eta, threshold, r, gamma, coef0, validate; /* NaN: not given */
    unsigned kernel, policy, decision;
    uint32_t budget, degree;
    int binarize, pocket, final, quiet, json, force, report, measure;
    const char *roc, *plot, *classes, *resume, *test, **weights;
    uint32_t found;  /* labels; 0: not known yet */
    reader_options reader;
} settings;

enum { FIRST_ROWS = 1 << 15 }; /* rows, or values, that tell what a file is like */

typedef struct epoch_result {
    uint64_t updates, mistakes;
    uint32_t held_out_errors;
    double test_error; /* of all rows; with --test */
} epoch_result;

/* How the rows come to be learned. */
enum path {
    PATH_COLLECT, /* all are read first */
    PATH_STREAM,  /* each as it is read: classes and features are given, or the model's */
    PATH_GUESS,   /* likewise, but classes and features are taken from the first rows */
    PATH_TWICE    /* likewise, but the file is read once before to find them: when the guess was wrong, or
                     something depends on them */
};

/* Some rows of all: first, first + stride, ... */
typedef struct row_set {
    const rows *data;
    uint32_t first, stride, count;
} row_set;

enum { SHARDS_MOST = 4096 };

typedef struct shard {
    pcn_perceptron trainer;
    row_set rows;
    int result;   /* of the last epoch: below 0 if a row could not be learned */
    uint32_t row; /* its number in `rows` */
} shard;

/* One training run. */
typedef struct run {
    settings s;
    options *o;
    char **recalled;     /* stb_ds array: m.kept of the model to resume; texts of options lie there */
    model m;
    enum path path;
    labels found;        /* in order of appearance */
    float *class_weight; /* by class */
    int wrong;           /* the guess */
    uint64_t first;      /* values that the first row has */
    rows data, held_out, test;
    unsigned long *line; /* stb_ds array: where the first rows of a stream began */
    epoch_result *epochs; /* stb_ds array */
    pcn_pass pass;
    pcn_linear kept;      /* by --pocket or --validate: into kept_memory */
    float *kept_memory;   /* NULL: nothing is kept */
    uint32_t kept_errors; /* of the weights in the pocket */
    unsigned order;       /* enum pcn_order */
    unsigned threads;     /* with --shards */
    shard *shards;        /* stb_ds array: of this process; empty without --shards */
    const pcn_shard *mix; /* all shards, from number mix_from of their arrays on */
    size_t mix_from, mix_count;
    const char *name;     /* of the model */
    output out;           /* open while learning */
    uint64_t rows;        /* learned from in an epoch */
    report tested;
    uint64_t label_runs;  /* of rows with one label, in the order they were learned in; counted if that is the file's */
    uint32_t last_label;
    /* with --measure */
    float *cycle;         /* earlier weights, for pcn_pass_cycle */
    double largest_step;  /* of a weight, in an update; 0: a cycle would prove nothing */
    uint32_t inseparable_after; /* epochs; 0: not proved */
    pcn_measure measured;
    float weights_norm2, bound;
    uint64_t next_report; /* rows */
    pcn_count reported;   /* counts at the last line of progress */
    int table_begun;
    double began, read_seconds, train_seconds, test_seconds, mix_seconds;
    uint64_t sent;        /* bytes to other processes, in mixing */
} run;

/* ---- train.c ---- */

void save_checkpoint(run *r);

/* ---- prepare.c ---- */

/* Reads as far as r->path says: rows, labels and features. The rows then have classes.
 * 1 if there may be more rows. */
int find_rows(run *r, reader *in, const char *name);
void start_weights(run *r); /* with --folds: find_rows has made a model without weights */
/* All that is done with rows, and found from them, before learning. */
void prepare_rows(run *r);
/* Nothing is asked of labels and features that would have to be checked row by row. */
int is_free(const settings *s);
void check_features(const run *r, const reader *in);

/* ---- learn.c ---- */

void read_and_learn(run *r, const char *name);
void learn_collected(run *r);
/* The next epoch of a pass over some rows, or up to one that cannot be learned, whose number goes to *failed. Returns
 * what the last row gave. */
int learn_epoch(run *r, pcn_perceptron *t, const row_set *set, pcn_pass *pass, uint32_t *failed);
void fail_row(uint64_t number, int result) __attribute__((noreturn)); /* number: from 1 */
void report_dropped(const run *r, const reader *in);

/* ---- shards.c ---- */

void shards_start(run *r);
void shards_learn(run *r); /* an epoch, and mixes */
void shards_free(run *r);
/* For team_mix: what a shard has learned, the length of its arrays, and mixing of a range of them. The arrays of `of`
 * begin with number `from`. */
pcn_shard shard_all(const run *r, const shard *own);
pcn_shard shard_from(pcn_shard of, size_t from); /* the same arrays, that many numbers further */
size_t shard_numbers(const run *r);
void shards_mix(run *r, const pcn_shard *of, size_t from, size_t count);

/* ---- testing.c ---- */

/* A label that the model does not know becomes labels_count(). */
void read_test(run *r);
double test_error(run *r); /* of all rows, by the present weights */
void test_model(run *r);   /* by the weights that are saved: into r->tested */
void plot_epochs(const run *r, FILE *f);

/* ---- measure.c ---- */

void watch_cycle(run *r); /* before the first row and after each epoch */
void measure_model(run *r);
void print_measures(const run *r, FILE *f);
void print_measures_json(const run *r); /* a member of an object */

/* ---- folds.c ---- */

void cross_validate(run *r, const char *name);

/* ---- advice.c ---- */

void advise_on_values(const run *r); /* rows as they are read, before normalization */
void note_order(run *r, const rows *d);
void advise_on_order(const run *r);
void advise_on_shards(const run *r);

/* ---- results.c ---- */

void print_json(run *r, size_t bytes);
void print_summary(run *r, const char *name, size_t bytes);

#endif
