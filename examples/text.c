/* build with: cc -std=c99 -O2 -I. examples/text.c -o build/text
 *
 * Words as features: each is hashed to one of 4,096 numbers, a text is the ascending list of them, as the program
 * perceptron makes it with --text --hash 12. What a word is stands in perceptron/words.h.
 * text [FILE|-] learns lines `label<TAB>text` (label > 0: positive) and classifies all others. Each line has
 * the mean's score before it was learned, the text, and how often the live weights were right so far.
 *
 * It prints:
 *
 *      +0.00  Stir butter into the flour          100.0 % right so far
 *      +1.00  Rain and wind from the north         50.0 % right so far
 *      +1.33  Add salt to the flour                66.7 % right so far
 *      -0.25  Strong wind, then snow               75.0 % right so far
 *      +1.20  Bake the bread in butter             80.0 % right so far
 *      -0.50  Rain by noon, then clouds            83.3 % right so far
 *      +1.00  Slice bread, add butter              85.7 % right so far
 *      -1.38  Wind, clouds and snow                87.5 % right so far
 *      +0.11  Add onions, salt, pepper             88.9 % right so far
 *      +0.20  A cold night, snow by noon           80.0 % right so far
 *      +1.27  Fry onions in butter                 81.8 % right so far
 *      -2.00  North wind, a cold night             83.3 % right so far
 *      +0.31  Add salt and pepper to the bread    new
 *      -2.00  Then frost and rain by night        new
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "perceptron/words.h"
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

/* Inserts h into the ascending list, unless it is there. Returns the list's new length. */
static uint32_t insert(uint32_t *index, uint32_t n, uint32_t h)
{
    uint32_t i = n;
    while (i > 0 && index[i - 1] > h) i--;
    if (i > 0 && index[i - 1] == h) return n;
    memmove(index + i + 1, index + i, (n - i) * sizeof *index);
    index[i] = h;
    return n + 1;
}

/* FNV-1a of each word, in small letters: ascending, each once. */
static uint32_t hash_words(const char *s, uint32_t *index)
{
    uint32_t n = 0;
    while (n < WORDS && *(s = words_find(s))) {
        uint32_t h = 2166136261u;
        unsigned size;
        char letter[4];
        while ((size = words_next(&s, letter)) > 0)
            for (unsigned i = 0; i < size; i++) h = (h ^ (uint8_t)letter[i]) * 16777619u;
        n = insert(index, n, h % FEATURES);
    }
    return n;
}

static void take(pcn_perceptron *m, const char *line)
{
    static float out[PCN_LINEAR_FLOATS(FEATURES, 1)];
    uint32_t index[WORDS];
    const char *tab = strchr(line, '\t'), *text = tab ? tab + 1 : line;
    pcn_vec x = pcn_ones(index, hash_words(text, index));
    pcn_linear mean = pcn_perceptron_mean(m, out);
    if (tab) pcn_perceptron_learn(m, x, atoi(line));
    printf("%+6.2f  %-36.*s", (double)pcn_linear_score(&mean, x), (int)strcspn(text, "\r\n"), text);
    if (!tab) printf("new\n");
    else printf("%5.1f %% right so far\n",
                100.0 - 100.0 * (double)m->learner.count.mistakes / (double)m->learner.count.rows);
}

int main(int argc, char **argv)
{
    static float memory[PCN_PERCEPTRON_FLOATS(FEATURES, 1)], sums[PCN_AVERAGING_FLOATS(FEATURES, 1)];
    static char line[16384];
    FILE *in = stdin;
    pcn_perceptron m;
    if (argc > 1 && strcmp(argv[1], "-") != 0) in = fopen(argv[1], "r");
    if (!in) return perror(argv[1]), 3;
    if (pcn_perceptron_init(&m, FEATURES, 1, memory, PCN_LENGTH(memory)) != PCN_OK ||
        pcn_perceptron_use_averaging(&m, sums, PCN_LENGTH(sums)) != PCN_OK) return 1;
    if (argc < 2) {
        for (size_t i = 0; i < PCN_LENGTH(sample); i++) take(&m, sample[i]);
    } else {
        while (fgets(line, sizeof line, in)) take(&m, line);
    }
}
