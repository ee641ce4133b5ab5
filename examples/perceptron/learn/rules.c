/* Lists the rules of updates: an entry is all that the program knows of a rule of perceptron.h. */
#include "settings.h"

#include <float.h>

static pcn_rule make_absolute(float by)
{
    (void)by;
    return pcn_rule_absolute();
}

static pcn_rule make_pa(float by)
{
    (void)by;
    return pcn_rule_pa(FLT_MAX);
}

static const step_rule rules[] = {
    {"fixed", pcn_rule_fixed, BY_RATE, "--rate times the row"},
    {"absolute", make_absolute, BY_NOTHING, "the smallest whole number of times that makes the row right"},
    {"fractional", pcn_rule_fractional, BY_LAMBDA, "the part --lambda of the way to where it is right"},
    {"pa", make_pa, BY_NOTHING, "just enough for the margin"},
    {"pa1", pcn_rule_pa, BY_C, "as pa, but at most -C"},
    {"pa2", pcn_rule_pa2, BY_C, "as pa, but shortened by a small -C"},
};

const char *rule_names(void)
{
    static char *names;
    size_t i;
    if (names) return names;
    for (i = 0; i < LENGTH(rules); i++) append(&names, i ? "|%s" : "%s", rules[i].name);
    return names;
}

const char *rule_steps(void)
{
    static char *steps;
    size_t i;
    if (steps) return steps;
    for (i = 0; i < LENGTH(rules); i++) append(&steps, "%s%s: %s", i ? "; " : "", rules[i].name, rules[i].step);
    append(&steps, ".");
    return steps;
}

const step_rule *settings_rule(const settings *s)
{
    return settings_can(s, CAN_RULE) ? &rules[s->rule] : rules;
}

int settings_rule_is_fixed(const settings *s)
{
    return settings_can(s, CAN_RULE) && settings_rule(s) == rules;
}

pcn_rule settings_make_rule(const settings *s)
{
    const step_rule *of = settings_rule(s);
    const float by[] = {[BY_NOTHING] = 1, [BY_RATE] = s->rate, [BY_LAMBDA] = s->lambda, [BY_C] = s->c};
    return of->make(by[of->by]);
}
