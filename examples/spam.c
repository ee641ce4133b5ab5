/* build with: cc -std=c99 -O2 -I. examples/spam.c -o build/spam
 *
 * Few of many words tell spam: balanced Winnow multiplies their weights, so they soon stand out. What a word is,
 * perceptron/text/words.h knows.
 * spam [MESSAGE]... learns the messages below, names the words it found, and judges yours: a score above
 * 0 is spam.
 *
 * It prints:
 *
 *     38 words; 8 mistakes in 4 epochs
 *     words that speak for spam: prize (+64) cash (+32) claim (+15.9)
 *     words that speak against spam: meeting (-32) are (-15.9) is (-7.88)
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"
#include "perceptron/text/words.h"
#include <string.h>

enum { WORDS = 512, LETTERS = 16, TOP = 3 };
/* clang-format off */
static const struct { int spam; const char *text; } mail[] = {
    {1, "you can claim a free holiday, call us today"}, {0, "are you free for a call today, mum"},
    {1, "the prize of the week is at home with you"}, {0, "the meeting is on monday this week"},
    {1, "call now, you can win cash for a holiday"}, {0, "the number of my phone at home is new"},
    {1, "reply now to win the cash prize"}, {0, "is the meeting on, or are you on holiday"},
    {1, "mum or dad can claim the cash on monday"}, {0, "text me now, you can win the meeting"},
    {1, "for this prize text us now"}, {0, "mum is at home, can you call her now"},
};
/* clang-format on */
static char word[WORDS][LETTERS];
static uint32_t words;

/* The number of the word. A new one gets the next; WORDS if there is none left. */
static uint32_t number(words_token token)
{
    char name[LETTERS] = "", letter[4];
    size_t size, n = 0;
    uint32_t j = 0;
    while ((size = words_next(&token, letter)) > 0)
        if (n + size < LETTERS) memcpy(name + n, letter, size), n += size;
    while (j < words && strcmp(word[j], name) != 0) j++;
    if (j < words || words == WORDS) return j;
    memcpy(word[words++], name, sizeof name);
    return j;
}

/* x[j] = 1 if word j is in the text. */
static pcn_vec words_of(const char *text)
{
    static float x[WORDS];
    words_token token = words_begin(text);
    memset(x, 0, sizeof x);
    while (words_go(&token, 0)) {
        uint32_t j = number(token);
        if (j < WORDS) x[j] = 1;
    }
    return pcn_dense(x, WORDS);
}

int main(int argc, char **argv)
{
    static float memory[PCN_PERCEPTRON_FLOATS(WORDS, 2)], exponent[PCN_LINEAR_FLOATS(WORDS, 2)];
    uint32_t row, i, top[TOP];
    pcn_perceptron m;
    pcn_linear model;
    pcn_pass pass;
    must(pcn_perceptron_init(&m, WORDS, 2, memory, sizeof memory));
    must(pcn_perceptron_use_winnow(&m, 0, 1, exponent, sizeof exponent));
    m.learner.rule.margin = 20; /* sure of every message */
    pcn_pass_init(&pass, sizeof mail / sizeof *mail, 100, 1);
    while (pcn_pass_next(&pass, &row)) /* until an epoch needs no update */
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, words_of(mail[row].text), mail[row].spam));
    must(pass.result);
    must(pcn_perceptron_final(&m, &model, NULL, 0)); /* without averaging: the weights as they are */
    printf("%u words; %u mistakes in %u epochs", words, (unsigned)m.learner.count.mistakes, pass.epoch);
    for (int sign = 1; sign >= -1; sign -= 2) {
        printf("\nwords that speak %s spam:", sign > 0 ? "for" : "against");
        pcn_linear_top(&model, 1, sign, top, TOP);
        for (i = 0; i < TOP; i++) printf(" %s (%+.3g)", word[top[i]], (double)model.weight[top[i]]);
    }
    printf("\n");
    for (int j = 1; j < argc; j++) printf("%+7.2f %s\n", (double)pcn_linear_score(&model, words_of(argv[j])), argv[j]);
}
