/* Work that several threads share. */
#ifndef TASKS_H
#define TASKS_H

#include <stddef.h>

/* Does tasks 0 .. tasks - 1, each by whichever thread is free. A thread that cannot be had is done without. */
void do_tasks(void (*task)(void *context, size_t number), void *context, size_t tasks, size_t threads);

#endif
