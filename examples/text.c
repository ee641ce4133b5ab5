/* build with: cc -std=c99 -O2 -I. examples/text.c -o build/text
 *
 * Words as features: each is hashed to one of 4,096 numbers, a text is the ascending list of them.
 * text [FILE|-] learns lines `label<TAB>text` (label > 0: positive) and classifies all others. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 4096, WORDS = 256 };
static const char *const sample[] = {/* kitchen (1) or weather (-1)? */
    "1\tStir butter into the flour", "-1\tRain and wind from the north", "1\tAdd salt to the flour",
    "-1\tStrong wind, then snow", "1\tBake the bread in butter", "-1\tRain by noon, then clouds",
    "1\tSlice bread, add butter", "-1\tWind, clouds and snow", "1\tAdd onions, salt, pepper",
    "-1\tA cold night, snow by noon", "1\tFry onions in butter", "-1\tNorth wind, a cold night",
    "Add salt and pepper to the bread", "Then frost and rain by night"};

/* The words' hashes (FNV-1a, either case), each once, sorted by insertion. */
static uint32_t hash_words(const char *s, uint32_t *index)
{
    static const char gaps[] = " \t\r\n.,:;!?";
    uint32_t n = 0, i, h;
    while (*(s += strspn(s, gaps)) && n < WORDS) {
        for (h = 2166136261u; !strchr(gaps, *s); s++) h = (h ^ (uint8_t)(*s | 32)) * 16777619u;
        for (h %= FEATURES, i = n; i > 0 && index[i - 1] > h; i--) {}
        if (i > 0 && index[i - 1] == h) continue;
        memmove(index + i + 1, index + i, (n++ - i) * sizeof *index);
        index[i] = h;
    }
    return n;
}

static void take(pcn_perceptron *m, const char *line)
{
    static float out[PCN_BATCH(FEATURES, 1)];
    uint32_t index[WORDS];
    const char *tab = strchr(line, '\t'), *text = tab ? tab + 1 : line;
    pcn_vec x = pcn_ones(index, hash_words(text, index));
    pcn_linear mean = pcn_averaging_view(m, out);
    if (tab) pcn_perceptron_learn(m, x, atoi(line));
    /* the mean's score before learning, the text, and how often the live weights were right */
    printf("%+6.2f  %-36.*s", (double)pcn_linear_score(&mean, x), (int)strcspn(text, "\r\n"), text);
    printf(tab ? "%5.1f %% right so far\n" : "new\n",
           100.0 - 100.0 * (double)m->learner.count.mistakes / (double)m->learner.count.rows);
}

int main(int argc, char **argv)
{
    static float memory[PCN_WEIGHTS(FEATURES, 1)], sums[PCN_SUMS(FEATURES, 1)];
    static char line[16384];
    FILE *in = argc < 2 ? NULL : strcmp(argv[1], "-") == 0 ? stdin : fopen(argv[1], "r");
    pcn_perceptron m;
    if (argc > 1 && !in) return perror(argv[1]), 3;
    if (pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), FEATURES, 1) != PCN_OK ||
        pcn_averaging_init(&m, sums, PCN_LENGTH(sums)) != PCN_OK) return 1;
    for (size_t i = 0; !in && i < PCN_LENGTH(sample); i++) take(&m, sample[i]);
    while (in && fgets(line, sizeof line, in)) take(&m, line);
}
