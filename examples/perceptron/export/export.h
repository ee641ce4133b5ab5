/* The commands export and import, and the parts of the first. */
#ifndef EXPORT_H
#define EXPORT_H

#include "model/model.h"
#include "cli/options.h"

extern const command command_export, command_import;

enum target { TARGET_C, TARGET_LIBLINEAR, TARGET_LIBSVM };
enum form { FORM_IMAGE, FORM_ARRAYS, FORM_RAW, FORM_TRAINER };

/* A linear model in 8 or 16 bits a weight, and what that costs on the rows of a file. */
typedef struct quantized {
    pcn_ilinear model;
    float unit;      /* the value of 1 in a feature */
    int32_t *memory; /* of the model */
    float one;       /* what an integer score of 1 stands for */
    /* What a device makes of a number x of the first features: (x - mean) 2^shift. 0: it divides all by the unit. */
    uint32_t columns;
    int centred; /* with means */
    float *mean; /* of all features */
    int8_t *shift;
    /* the rows */
    rows test;       /* values as a device has them, times the unit; NO_LABEL: none */
    uint32_t *class; /* stb_ds array: predicted in floats */
    uint64_t labelled, errors_float, errors, changed, saturated;
} quantized;

/* The columns of a model that is scaled. */
void quantized_columns(quantized *q, const model *m);

/* Reads the rows and predicts them in floats; before the weights of m take rows as they are.
 * Returns their format. */
const row_format *quantized_read(quantized *q, model *m, const char *name, const reader_options *reading);

/* Makes m->predictor, whose weights take numbers as they are, meet those of the device. */
void quantized_fold(const quantized *q, model *m);

/* Quantises m->predictor and predicts the rows again; without rows, ends the program if too much may get lost. unit 0:
 * 1, or a power of two such that no value of the rows saturates, if one of them is not a whole number of 16 bits;
 * without rows the same for those that the model has learned from; 2^-14 for rows of unit length; of columns that are scaled 2^-14 of
 * the greatest value, or 2^-9 deviations. */
void quantized_make(quantized *q, const model *m, uint32_t bits, float unit);

/* Ends the program if they cost more than a point of the rows of that file. */
void quantized_check(const quantized *q, const char *file, int unit_given);

/* What the smaller weights cost. */
void quantized_say(const quantized *q, FILE *f, int as_json, enum form form);
void quantized_free(quantized *q);

/* What the caller of an exported model has to do to its rows, in words, with the model's name in the place of each $;
 * NULL: nothing. */
const char *export_preparation(const model *m, const quantized *q);
/* Is there $_row, which prepares them? It is written behind $_value, which prepares a number, and its tables. */
int export_makes_rows(const model *m, const quantized *q);
/* Does that scale columns, so that weights and vectors take them scaled? */
int export_scales_rows(const model *m, const quantized *q);
void export_rows(FILE *f, const model *m, const quantized *q, const char *name, int flash);

/* What is exported as C. */
typedef struct c_header {
    const char *name; /* with which all names begin */
    unsigned form;
    int predict; /* also a function that needs no other file */
    int flash;   /* the arrays lie in the flash of an AVR */
    int few;     /* they have not all weights */
} c_header;

/* A header of m, or of q unless that is NULL. */
void export_c(FILE *f, const model *m, const quantized *q, c_header h);

/* What every form has, up to the labels; whoever calls closes it. */
void export_begin(FILE *f, const model *m, const char *name, const char *include, int flash);
/* An array of bytes, aligned as images need. */
void export_bytes(FILE *f, const uint8_t *bytes, size_t size, const char *name, const char *what);

/* The comment at its head. */
void export_comment(FILE *f, const model *m, const quantized *q, const c_header *h);

/* How the score of a class is summed: in so many partial sums; place: by where in the row a value stands. */
typedef struct summing {
    const char *value, *score; /* types */
    int sums, place, products, few, integers, flash;
} summing;

summing export_summing(const model *m, const quantized *q, const c_header *h);

/* $_add, $_total, and $_score of a row. */
void export_sums(FILE *f, const quantized *q, const summing *by, const char *name);

/* Parts of a header: code with the model's name in the place of each $, and @x...@ only if x is one of the parts; of
 * `type:place` the place, or what reads it from flash if F is one of the parts; a literal. */
void put_parts(FILE *f, const char *name, const char *text, const char *parts);
static inline void put_code(FILE *f, const char *name, const char *text)
{
    put_parts(f, name, text, "");
}
void put_literal(FILE *f, const char *text);
/* An array of n numbers, integers so many a line. count: of them, as code; flash: it lies in $_FLASH. */
enum integer { INT8, INT16, INT32, UINT16, UINT32 };
void put_float(FILE *f, float v);
void put_floats(FILE *f, const char *name, const char *what, const char *count, const float *v, size_t n, int flash);
void put_integers(FILE *f, const char *name, enum integer type, const char *what, const char *count, const void *v,
                  size_t n, size_t across, int flash);
/* Was the model trained on texts? On tables with columns of words? */
int export_takes_text(const model *m);
int export_takes_words(const model *m);
/* $_text_row, which makes a row of a text, and all that it needs; for rows of unit length $_text_value. */
void export_text_row(FILE *f, const model *m, const char *name);

/* Of a calibrated model: its numbers; functions of scores of that type. */
void export_calibration(FILE *f, const model *m, const quantized *q, const char *name);
void export_sure(FILE *f, const model *m, const char *type, const char *name);

/* Has the model products? $_row makes a row with them; then $_predict_text is for a bounded number of words. */
int export_takes_products(const model *m);
void export_products(FILE *f, const model *m, const char *name);
void export_predict_words(FILE *f, const char *name);

/* Ends the program if `whose` has no such labels: integers, of which no two are equal. */
void export_check_labels(const model *m, const char *whose);
void export_liblinear(FILE *f, const model *m);
void export_libsvm(FILE *f, const model *m);

/* The image alone, which is opened in place. */
void export_raw(FILE *f, const model *m, const quantized *q);
/* What the comment of a header would say and the image does not. */
void export_raw_manual(FILE *f, const model *m, const quantized *q);

/* ---- export_trainer.c ---- */

/* What a factory has learned counts as a mean of so many rows: a mean of all epochs would hardly move, and one of none
 * would follow the first wrong labels. */
enum { TRAINER_ROWS = 100 };

/* Ends the program if C cannot go on learning as the program does. */
void export_check_trainer(const model *m);
void export_trainer(FILE *f, const model *m, const char *name);

/* ---- import_state.c ---- */

/* Makes m of what such a trainer has stored, or of its factory. like: the model that it was exported from. */
void import_state(const char *name, const char *like, model *m);

/* ---- export_few.c ---- */

/* The features that have a weight, and their weights, class by class. */
typedef struct few_weights {
    uint32_t *index;
    void *weight;
    uint32_t count;
} few_weights;

/* Of class-major weights of so many bytes each; index NULL: most features have one. */
few_weights few_weights_of(const void *weight, uint32_t features, uint32_t scores, size_t bytes);
void few_weights_index(FILE *f, const few_weights *few, const char *name, int flash);
void few_weights_function(FILE *f, const char *type, const char *name, int flash); /* $_weight_of */

#endif
