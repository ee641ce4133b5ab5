/* Three users who wear the band otherwise than those of the factory did, and sometimes say what is wrong. */
#ifndef USERS_H
#define USERS_H

#include "activity.h"

enum { USERS = 3 };

/* The features of window `number` of a user, 1 .. USERS; 0: as in the factory. Returns what is being done. */
enum activity user_window(int user, uint32_t number, float feature[ACTIVITY_COUNT]);

/* What the user says that it was: in one window of twenty something else. */
enum activity user_says(uint32_t number, enum activity what);

#endif
