/* Tells what follows from settings of train alone. */
#include "settings.h"

#include <math.h>

settings train_settings;

int settings_kernel(const settings *s)
{
    if (settings_can(s, CAN_KERNEL) && s->kernel != OPTION_UNSET) return (int)s->kernel;
    return settings_learner(s)->kernel;
}

unsigned settings_decision(const settings *s)
{
    return s->decision != OPTION_UNSET ? s->decision : (unsigned)settings_learner(s)->decision;
}

int settings_shuffle(const settings *s)
{
    if (s->online) return 0;
    if (s->order != OPTION_UNSET) return s->order != PCN_ORDER_FILE;
    return s->epochs > 1 || s->drawn || settings_can(s, CAN_KERNEL);
}

float settings_margin(const settings *s)
{
    if (!isnan(s->margin)) return s->margin;
    if (settings_learner(s)->margin > 0) return settings_learner(s)->margin;
    return settings_make_rule(s).margin;
}

int settings_weigh_rows(const settings *s)
{
    return s->reader.weights || reader_has_step_columns(&s->reader);
}

int settings_weigh(const settings *s)
{
    return arrlenu(s->weights) > 0 || settings_weigh_rows(s);
}
