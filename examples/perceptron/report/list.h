/* show --list: the states of a voted or kernel model one after another, each with how many rows it survived (CIML, eq.
 * 4.17): of a linear kernel its weights, and of each the step that made it. */
#ifndef LIST_H
#define LIST_H

#include "model/sheet.h"

void list_states(sheet *s, const model *m); /* it has a log */

#endif
