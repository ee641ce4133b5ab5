/* build with: cc -std=c99 -O2 -I. examples/spam.c -o build/spam
 *
 * Few of many words tell spam. After a mistake, balanced Winnow multiplies the weights of the words
 * of that message, so the words that matter soon stand out from those that only came along.
 * spam [MESSAGE]... learns the messages below, says which words it found and judges yours. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>
#include <string.h>

enum { WORDS = 512, LETTERS = 16, TOP = 3 };
static const struct { int spam; const char *text; } sample[] = {
    {1, "you can claim a free holiday, call us today"}, {0, "are you free for a call today, mum"},
    {1, "the prize of the week is at home with you"}, {0, "the meeting is on monday this week"},
    {1, "reply to this text for a cash prize"}, {0, "mum is at home, can you call her now"},
    {1, "call now, you can win cash for a holiday"}, {0, "the number of my phone at home is new"},
    {1, "claim a new phone, text us your number"}, {0, "reply to your mum, or call us at home"},
    {1, "are you the one to win the prize today"}, {0, "is the meeting on, or are you on holiday"},
    {1, "mum or dad can claim the cash on monday"}, {0, "text me now, you can win the meeting"},
    {1, "win a new home this week, reply now"}, {0, "my new number is on the phone at home"},
};
static char word[WORDS][LETTERS];
static uint32_t words;

/* x[j] = 1 if word j is in the text; new words get the next numbers, as long as there are any. */
static pcn_vec words_of(const char *text, float *x)
{
    static const char gaps[] = " ,:.!?";
    memset(x, 0, WORDS * sizeof *x);
    for (text += strspn(text, gaps); *text; text += strspn(text, gaps)) {
        size_t length = strcspn(text, gaps), kept = length < LETTERS ? length : LETTERS - 1;
        char *end = memcpy(word[words], text, kept);
        uint32_t j = 0;
        for (end[kept] = '\0'; strcmp(word[j], word[words]) != 0;) j++;
        if (j == words && words < WORDS - 1) words++;
        if (j < words) x[j] = 1;
        text += length;
    }
    return pcn_dense(x, WORDS);
}

int main(int argc, char **argv)
{
    static float memory[PCN_WEIGHTS(WORDS, 1)], exponent[PCN_BATCH(WORDS, 1)], x[WORDS];
    uint32_t row, top[TOP];
    pcn_perceptron m;
    pcn_pass pass;
    if (pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), WORDS, 1) != PCN_OK ||
        pcn_winnow_init(&m, exponent, PCN_LENGTH(exponent), 0, 1) != PCN_OK) return 1;
    m.rule.margin = 20; /* sure of every message */
    pcn_pass_init(&pass, PCN_LENGTH(sample), 100, 1);
    while (pcn_pass_next(&pass, &row)) /* until an epoch needs no update */
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, words_of(sample[row].text, x),
                                                  sample[row].spam));
    printf("%u words; %u mistakes in %u epochs", words, (unsigned)m.count.mistakes, pass.epoch);
    for (int sign = 1; sign >= -1; sign -= 2) {
        printf("\nwords that speak %s spam:", sign > 0 ? "for" : "against");
        uint32_t i, found = pcn_linear_top(&m.model, 0, sign, top, TOP);
        for (i = 0; i < found; i++)
            printf(" %s (%+.3g)", word[top[i]], (double)m.model.weight[top[i]]);
    }
    puts("");
    for (int i = 1; i < argc; i++)
        printf("%+7.2f %s\n", (double)pcn_linear_score(&m.model, words_of(argv[i], x)), argv[i]);
}
