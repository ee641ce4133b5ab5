/* Numbers of classes and features in a listing, as --trace and --list have them. */
#ifndef WEIGHT_TABLE_H
#define WEIGHT_TABLE_H

#include "cli/listing.h"
#include "model.h"

/* One of these for each class. */
void list_classes(listing *s, const model *m, const char *member, const float *value);
/* Weights or the like, in the layout of l, an array that ends with those of the biases: of the features whose value in
 * `own` is not 0; NULL: of all. */
void list_weights(listing *s, const model *m, const pcn_linear *l, const char *member, const float *from,
                  const float *own);
/* Behind the name of a column: of which class; nothing where there is one score and one vector of weights. */
const char *list_class_name(const model *m, uint32_t c);

#endif
