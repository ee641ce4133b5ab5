#include "lessons.h"

static void begin_run(training *t, FILE *results)
{
    if (t->s->trace) trace_begin(t, results);
    if (t->s->measure) measure_cycle(t, 0);
}

static void end_epoch(training *t, uint32_t epochs)
{
    if (t->s->measure) measure_cycle(t, epochs);
}

static void end_run(training *t, int is_saved)
{
    if (t->s->trace) trace_end();
    if (t->s->measure && is_saved) measure_model(t);
}

static void say_more(const training *t, say *to)
{
    if (t->s->measure) measures_say(t, to);
}

const observer lessons = {begin_run, end_epoch, end_run, say_more};
