#include "ways.h"
#include "cli/common.h"

const way ways[WAYS] = {
    {{""}, ANY},
    {{"--aggressive=0.1"}, ANY},
    {{"--aggressive=0.01"}, TABLES},
    {{"--aggressive=0.1", "--epochs=30"}, ANY | BY_LOSS},
    {{"--epochs=30"}, OTHERS | TEXTS},
    {{"--rule=fixed"}, TABLES | OTHERS},
    {{"--algorithm=arow", "--decision=averaged"}, TABLES},
    {{"--algorithm=arow", "--decision=averaged", "--r=0.1"}, OTHERS | TEXTS},
    {{"--algorithm=arow", "--decision=averaged", "--r=1"}, OTHERS | TEXTS},
    {{"--algorithm=arow", "--decision=averaged", "--r=10"}, TABLES | NO_ACCURACY},
    {{"--weight=balanced"}, ANY | NO_ACCURACY},
    {{"--normalize=standard-l2", "--aggressive=0.1"}, TABLES},
    {{"--normalize=standard-l2", "--epochs=50"}, TABLES},
    {{"--normalize=maxabs"}, TABLES},
    {{"--normalize=l2"}, OTHERS},
    {{"--marks=no"}, TEXTS | READS},
    {{"--words=log"}, TEXTS},
    {{"--words=binary"}, TEXTS},
    {{"--words=binary", "--rule=fixed"}, TEXTS},
    {{"--update=one-vs-rest", "--epochs=50", "--aggressive=0.1"}, ANY | MANY_LABELS},
    {{"--algorithm=kernel", "--decision=averaged"}, TABLES | IS_KERNEL},
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
