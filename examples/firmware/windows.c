/* On the PC: prints windows of a user as a table. windows USER FIRST COUNT [said]: said leaves those of which the user
 * says what they were, with what he says. */
#include "users.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_window(int user, uint32_t number, int said)
{
    float feature[ACTIVITY_COUNT];
    enum activity what = user_window(user, number, feature);
    int j;
    if (said && !activity_is_told(number)) return;
    if (said) what = user_says(number, what);
    for (j = 0; j < ACTIVITY_COUNT; j++) printf("%.9g,", (double)feature[j]);
    printf("%s\n", activity_name[what]);
}

int main(int arguments, char **argument)
{
    static const char *const axis[] = {"forward", "left", "up"}, *const kind[] = {"mean", "deviation", "change",
                                                                                  "crossings"};
    const int said = arguments == 5 && strcmp(argument[4], "said") == 0;
    uint32_t number, end;
    int user, j;
    if (arguments != 4 && !said) {
        fputs("usage: windows USER FIRST COUNT [said]\n", stderr);
        return 2;
    }
    user = atoi(argument[1]);
    number = (uint32_t)strtoul(argument[2], NULL, 10);
    end = number + (uint32_t)strtoul(argument[3], NULL, 10);
    for (j = 0; j < ACTIVITY_COUNT; j++) printf("%s_%s,", axis[j / ACTIVITY_PER_AXIS], kind[j % ACTIVITY_PER_AXIS]);
    puts("activity");
    for (; number < end; number++) print_window(user, number, said);
    return fflush(stdout) != 0 || ferror(stdout);
}
