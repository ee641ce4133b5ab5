/* build with: cc -std=c99 -O2 -I. examples/text.c -o build/text
 *
 * A stream of texts, learned by AROW. Each line is predicted, then learned, once, and not kept: so a mistake is one on
 * a text that is new. Words, as the program perceptron finds them with --marks no (perceptron/text/words.h), are hashed
 * to features, and a new label becomes a class when it comes.
 * text [FILE] learns lines `label<TAB>text` of up to 4,095 bytes from FILE or standard input. A text without a label
 * is predicted only. After build/text examples/data/languages.tsv
 *
 * It prints:
 *
 *     lines  labels   mistakes in the last 20   in all  refused
 *        20       4                          7        7        0
 *        40       4                          4       11        0
 *        60       4                          4       15        0
 *        80       4                          4       19        0
 *       100       4                          2       21        0
 *       120       4                          0       21        0
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"
#include "perceptron/text/words.h"
#include <string.h>

enum { FEATURES = 1 << 14, CLASSES = 16, LETTERS = 32, STRETCH = 20 };
enum { LINE = 4096, WORDS = LINE / 2 }; /* a line has no more */
static float memory[PCN_PERCEPTRON_FLOATS(FEATURES, CLASSES)], variance[PCN_LINEAR_FLOATS(FEATURES, CLASSES)];
static const pcn_arrays arrays = {memory, sizeof memory, NULL, 0, NULL, 0, variance, sizeof variance};
static char label[CLASSES][LETTERS];
static int labels;

/* The label's number, a new one if it is new; -1 if there is no room for it. */
static int number(const char *name, size_t letters)
{
    for (int k = 0; k < labels; k++)
        if (strlen(label[k]) == letters && memcmp(label[k], name, letters) == 0) return k;
    if (labels == CLASSES || letters >= LETTERS) return -1;
    memcpy(label[labels], name, letters);
    return labels++;
}

/* FNV-1a of the word, in small letters. */
static uint32_t hash(words_token token)
{
    uint32_t h = 2166136261u;
    unsigned size, i;
    char letter[4];
    while ((size = words_next(&token, letter)) > 0)
        for (i = 0; i < size; i++) h = (h ^ (uint8_t)letter[i]) * 16777619u;
    return h % FEATURES;
}

/* The hashes of the words, each once, in order, as rows of 0/1 features must be. */
static pcn_vec words(const char *s, uint32_t *index)
{
    uint32_t n = 0;
    words_token token = words_begin(s);
    while (words_go(&token, 0)) index[n++] = hash(token);
    return pcn_ones(index, pcn_sort_row(index, NULL, n));
}

/* Returns 0 if the line has a label for which there is no room. */
static int take(pcn_perceptron *m, const char *line)
{
    static uint64_t before;
    uint32_t index[WORDS];
    const char *tab = strchr(line, '\t');
    pcn_vec x = words(tab ? tab + 1 : line, index);
    if (!tab) return printf("%s: %s", label[pcn_perceptron_predict(m, x)], line) > 0;
    int y = number(line, (size_t)(tab - line));
    if (y < 0) return 0;
    if (labels > (int)PCN_CLASSES(m->live.scores)) must(pcn_perceptron_resize(m, FEATURES, (uint32_t)labels, &arrays));
    if (pcn_perceptron_learn(m, x, y) < 0) return 1; /* it counts as refused */
    const pcn_count *count = &m->learner.count;
    if (count->rows % STRETCH == 0) {
        printf("%5d %7d %26d %8d %8u\n", (int)count->rows, labels, (int)(count->mistakes - before),
               (int)count->mistakes, (unsigned)m->refused);
        before = count->mistakes;
    }
    return 1;
}

int main(int argc, char **argv)
{
    static char line[LINE];
    FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
    pcn_perceptron m;
    if (!in) return perror(argv[1]), 3;
    must(pcn_perceptron_init(&m, FEATURES, 2, memory, sizeof memory));
    must(pcn_perceptron_use_confidence(&m, 0.1f, variance, sizeof variance));
    printf("lines  labels   mistakes in the last %d   in all  refused\n", STRETCH);
    while (fgets(line, sizeof line, in))
        if (!take(&m, line)) return fprintf(stderr, "no room for the label of: %s", line), 2;
}
