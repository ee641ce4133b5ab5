#include "users.h"

/* User 1 wears it on the other arm, user 3 lower and swings more. */
static void wear(activity_window *w, int user)
{
    int i;
    if (user == 2) activity_turn(w);
    for (i = 0; i < ACTIVITY_SAMPLES && (user == 1 || user == 3); i++) {
        int16_t *sample = w->sample[i];
        const int16_t forward = sample[0], left = sample[1];
        sample[0] = (int16_t)(user == 1 ? -forward : left);
        sample[1] = (int16_t)(user == 1 ? -left : forward * 3 / 2);
    }
}

enum activity user_window(int user, uint32_t number, float feature[ACTIVITY_COUNT])
{
    static activity_window window;
    const enum activity what = activity_make(number, &window);
    wear(&window, user);
    activity_features(&window, feature);
    return what;
}

enum activity user_says(uint32_t number, enum activity what)
{
    return (number * 2654435761u >> 16) % 20 == 0 ? (enum activity)((what + 1) % ACTIVITIES) : what;
}
