/* What show says of columns, of probabilities, and of voted and kernel models. first: the number of the first feature. */
#ifndef LIST_H
#define LIST_H

#include "cli/say.h"
#include "model/model.h"

/* The label that score c speaks for. */
static inline const char *list_label(const model *m, uint32_t scores, uint32_t c)
{
    return scores == 1 ? model_unit_label(m, 0) : labels_text(&m->labels, c);
}

/* Of two learners the other, and which leads by how much. */
void list_pair(say *to, const model *m, const char *before);
/* Which features are dates, in which order; nothing if none is. */
void list_dates(say *to, const model *m, const char *before, const char *behind, uint32_t first);
void list_offsets(say *to, const model *m, uint32_t first); /* what is subtracted from values as they are written */
/* What turns scores into probabilities: the calibration, and the fit, or that there is none. */
void list_probabilities(say *to, const model *m);
void list_vectors(say *to, const model *m, uint32_t top, uint32_t first); /* those that weigh most */
/* show --list: the states one after another, each with how many rows it survived (CIML, eq. 4.17): of a linear kernel its
 * weights, and of each the step that made it. There must be a log. */
void list_states(say *to, const model *m, uint32_t first);

#endif
