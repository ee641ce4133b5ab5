#include "tasks.h"
#include "cli/common.h"
#include "cli/system.h"

typedef struct work {
    void (*task)(void *context, size_t number);
    void *context;
    size_t next, tasks;
    pthread_mutex_t lock; /* of next */
} work;

static void *do_some(void *given)
{
    work *w = given;
    size_t number;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        number = w->next++;
        pthread_mutex_unlock(&w->lock);
        if (number >= w->tasks) return NULL;
        w->task(w->context, number);
    }
}

void do_tasks(void (*task)(void *context, size_t number), void *context, size_t tasks, size_t threads)
{
    work w = {task, context, 0, tasks, PTHREAD_MUTEX_INITIALIZER};
    size_t started = 0;
    pthread_t *thread;
    if (threads > tasks) threads = tasks;
    if (threads < 2) {
        for (; w.next < tasks; w.next++) task(context, w.next);
        return;
    }
    thread = allocate(threads, sizeof *thread);
    while (started + 1 < threads && pthread_create(&thread[started], NULL, do_some, &w) == 0) started++;
    do_some(&w);
    while (started > 0) pthread_join(thread[--started], NULL);
    pthread_mutex_destroy(&w.lock);
    free(thread);
}
