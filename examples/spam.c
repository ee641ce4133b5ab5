/* build with: cc -std=c99 -O2 -I. examples/spam.c -o build/spam
 *
 * Few of many words tell spam: balanced Winnow multiplies their weights, so they soon stand out.
 * spam [MESSAGE]... learns the messages below, names the words it found, and judges yours. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>
#include <string.h>

enum { WORDS = 512, LETTERS = 16, TOP = 3 };
static const struct { int spam; const char *text; } mail[] = {
    {1, "you can claim a free holiday, call us today"}, {0, "are you free for a call today, mum"},
    {1, "the prize of the week is at home with you"}, {0, "the meeting is on monday this week"},
    {1, "call now, you can win cash for a holiday"}, {0, "the number of my phone at home is new"},
    {1, "reply now to win the cash prize"}, {0, "is the meeting on, or are you on holiday"},
    {1, "mum or dad can claim the cash on monday"}, {0, "text me now, you can win the meeting"},
    {1, "for this prize text us now"}, {0, "mum is at home, can you call her now"},
};
static char word[WORDS][LETTERS];
static uint32_t words;

/* x[j] = 1 if word j is in the text; new words get the next numbers, as long as there are any. */
static pcn_vec words_of(const char *text)
{
    static const char gaps[] = " ,:.!?";
    static float x[WORDS];
    memset(x, 0, sizeof x);
    for (; *(text += strspn(text, gaps)); text += strcspn(text, gaps)) {
        uint32_t j = 0;
        snprintf(word[words], LETTERS, "%.*s", (int)strcspn(text, gaps), text);
        while (strcmp(word[j], word[words]) != 0) j++;
        if (j == words && words < WORDS - 1) words++;
        if (j < words) x[j] = 1;
    }
    return pcn_dense(x, WORDS);
}

int main(int argc, char **argv)
{
    static float memory[PCN_WEIGHTS(WORDS, 1)], exponent[PCN_BATCH(WORDS, 1)];
    uint32_t row, i, top[TOP];
    pcn_perceptron m;
    pcn_pass pass;
    if (pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), WORDS, 1) != PCN_OK ||
        pcn_winnow_init(&m, exponent, PCN_LENGTH(exponent), 0, 1) != PCN_OK) return 1;
    m.learner.rule.margin = 20; /* sure of every message */
    pcn_pass_init(&pass, PCN_LENGTH(mail), 100, 1);
    while (pcn_pass_next(&pass, &row)) /* until an epoch needs no update */
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, words_of(mail[row].text), mail[row].spam));
    printf("%u words; %u mistakes in %u epochs", words, (unsigned)m.learner.count.mistakes,
           pass.epoch);
    for (int sign = 1; sign >= -1; sign -= 2) {
        printf("\nwords that speak %s spam:", sign > 0 ? "for" : "against");
        pcn_linear_top(&m.model, 0, sign, top, TOP);
        for (i = 0; i < TOP; i++)
            printf(" %s (%+.3g)", word[top[i]], (double)m.model.weight[top[i]]);
    }
    for (puts(""); argc > 1; argc--, argv++)
        printf("%+7.2f %s\n", (double)pcn_linear_score(&m.model, words_of(argv[1])), argv[1]);
}
