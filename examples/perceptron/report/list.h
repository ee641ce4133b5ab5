/* show --list: the states of a voted or kernel model one after another, each with how many rows it survived (CIML, eq.
 * 4.17): of a linear kernel its weights, and of each the step that made it. */
#ifndef LIST_H
#define LIST_H

#include "model/weight_table.h"

void list_states(listing *s, const model *m); /* it has a log */

#endif
