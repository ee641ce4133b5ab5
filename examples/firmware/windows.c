/* Writes the windows that the factory has recorded and labelled, as CSV: label, then the features. */
#include "activity.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned long number, first, count;
    activity_window window;
    float feature[ACTIVITY_COUNT];
    int i;
    if (argc != 3) {
        fprintf(stderr, "usage: windows FIRST COUNT >FILE.csv\n");
        return 1;
    }
    first = strtoul(argv[1], NULL, 10);
    count = strtoul(argv[2], NULL, 10);
    for (number = first; number < first + count; number++) {
        printf("%s", activity_name[activity_make((uint32_t)number, &window)]);
        activity_features(&window, feature);
        for (i = 0; i < ACTIVITY_COUNT; i++) printf(",%.9g", (double)feature[i]);
        printf("\n");
    }
    return fflush(stdout) != 0 || ferror(stdout);
}
