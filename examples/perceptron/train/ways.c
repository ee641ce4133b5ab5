#include "ways.h"
#include "cli/common.h"

const way ways[WAYS] = {
    {{""}, TABLES | OTHERS | TEXTS},
    {{"--aggressive=0.1"}, OTHERS | TEXTS},
    {{"--aggressive=0.01"}, TABLES},
    {{"--epochs=30"}, TABLES},
    {{"--rule=fixed"}, TABLES | OTHERS},
    {{"--algorithm=arow", "--decision=averaged"}, TABLES},
    {{"--algorithm=arow", "--decision=averaged", "--r=0.1"}, OTHERS | TEXTS},
    {{"--algorithm=arow", "--decision=averaged", "--r=1"}, OTHERS | TEXTS},
    {{"--normalize=standard-l2"}, TABLES},
    {{"--normalize=none"}, TABLES},
    {{"--normalize=none", "--algorithm=arow", "--decision=averaged"}, TABLES},
    {{"--normalize=maxabs"}, TABLES},
    {{"--normalize=l2"}, OTHERS},
    {{"--words=log"}, TEXTS},
    {{"--words=binary"}, TEXTS},
    {{"--words=binary", "--rule=fixed"}, TEXTS},
    {{"--update=one-vs-rest"}, TABLES | OTHERS | TEXTS | MANY_LABELS},
    {{"--algorithm=kernel", "--decision=averaged"}, TABLES | FEW_ROWS},
};

const char *way_text(const way *w)
{
    static char text[WAY_OPTIONS * sizeof w->option[0]];
    size_t i;
    *text = '\0';
    for (i = 0; i < WAY_OPTIONS && *w->option[i]; i++) {
        if (i > 0) strcat(text, " ");
        strcat(text, w->option[i]);
    }
    return *text ? text : "(default)";
}

int way_is_settled(const way *w, char *const *given)
{
    size_t i, j;
    for (i = 0; i < WAY_OPTIONS && *w->option[i]; i++)
        for (j = 0; j < arrlenu(given); j++)
            if (strncmp(w->option[i], given[j], strcspn(w->option[i], "=") + 1) == 0) return 1;
    return 0;
}
