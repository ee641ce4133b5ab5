/* One line each on standard error about data that the settings do not suit. */
#ifndef ADVICE_H
#define ADVICE_H

#include "model/model.h"

/* How often the label changes, in the order in which rows are learned if that is the file's. */
typedef struct label_order {
    uint64_t runs; /* of rows with one label */
    uint32_t last;
    uint64_t *count; /* stb_ds array: rows of each label */
} label_order;

/* What --ignore calls the column of feature j: its name, or its number, in `room`. Without names, columns but that of the
 * label and those left out are features. */
const char *advice_column(const model *m, uint32_t j, char room[FEATURE_ROOM]);

void advise_on_names(const model *m);
void advise_on_memory(const model *m, uint32_t features, int batched); /* before there are weights */
void advise_on_labels(const model *m, uint64_t rows_read);
void advise_on_texts(const model *m, uint64_t rows_read); /* of the columns that its features come from */
void advise_on_values(const model *m, const rows *d);     /* rows as they are read, before normalization */
/* How large it is, once its features are known. can_hash: --hash would go with it. */
void advise_on_ngrams(const model *m, uint32_t ngrams, int can_hash);
void note_order(label_order *o, const rows *d);
void advise_on_order(const label_order *o, const model *m, uint64_t learned);
void advise_on_shards(const model *m, uint32_t shards, uint64_t learned);
void advise_on_probabilities(const model *m);

void advise_on_pair(const model *m); /* that goes on without --online */

/* Of a stream whose rows were predicted: mistakes of the last weights, errors of the mean. */
void advise_on_change(const model *m, uint64_t mistakes, uint64_t errors);

#endif
