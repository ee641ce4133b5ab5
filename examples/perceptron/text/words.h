/* The words of a text in UTF-8: what --text, exported C and examples/text.c take for one, by Unicode.
 *
 * Letters, digits and other numbers of any script make words, in small letters; marks (accents) belong to the letter
 * before them. An apostrophe, ' or U+2019, between two letters or digits belongs to the word, as '. All else divides:
 * hyphens, points (3.5 is 3 and 5), underscores, signs, emoji. Small letters are Unicode's simple ones, a letter for a
 * letter: sharp s stays, dotted I becomes i, capital sigma never a final one; composed and decomposed accents differ.
 * A byte that is not UTF-8 counts as a letter and stays as it is: words of Latin-1 stay together.
 * Scripts without blanks (Chinese, Thai) give one word for all between two signs: divide such texts before. */
#ifndef WORDS_H
#define WORDS_H

#include "unicode.h"

/* The character at p, or 0x110000 + the byte there if it is not UTF-8; *size: its bytes. */
static uint32_t words_character(const char *p, unsigned *size)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const uint32_t first = (unsigned char)*p;
    unsigned more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3, k;
    uint32_t c = more ? first & (0x3Fu >> more) : first;
    *size = 1;
    if (first >= 0x80 && (first < 0xC0 || first > 0xF4)) return 0x110000 + first;
    for (k = 1; k <= more; k++) {
        uint32_t next = (unsigned char)p[k];
        if ((next & 0xC0) != 0x80) return 0x110000 + first; /* the end of the text, too */
        c = c << 6 | (next & 0x3F);
    }
    if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0x110000 + first;
    *size = more + 1;
    return c;
}

/* How many of n rising numbers are at most this. */
static unsigned words_count(const uint32_t *rising, unsigned n, uint32_t most)
{
    unsigned low = 0;
    while (low < n) {
        unsigned middle = low + (n - low) / 2;
        if (rising[middle] <= most)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* 2: makes words; 1: belongs to a word that has begun; 0: divides. */
static unsigned words_class(uint32_t c)
{
    if (c < 0x80) return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) ? 2 : 0;
    return words_bound[words_count(words_bound, sizeof words_bound / 4, c << 2 | 3) - 1] & 3;
}

static uint32_t words_small(uint32_t c)
{
    unsigned run;
    uint32_t past;
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    run = words_count(words_capital, sizeof words_capital / 4, c << 9 | 511);
    if (run-- == 0) return c;
    past = c - (words_capital[run] >> 9);
    if (past > (words_capital[run] & 255) || (past & words_capital[run] >> 8 & 1)) return c;
    return (uint32_t)((int32_t)c + words_shift[run]);
}

/* Writes the character in UTF-8, or the byte that is not, to to[0 .. 3]; returns how many bytes. */
static unsigned words_put(uint32_t c, char *to)
{
    const unsigned more = c < 0x80 || c >= 0x110000 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    unsigned k;
    for (k = more; k > 0; k--, c >>= 6) to[k] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)((more ? 0xFF & ~(0x7Fu >> more) : 0) | (c & 0xFF));
    return more + 1;
}

/* Where the next word begins, from the end of another on; or the end of the text. */
static const char *words_find(const char *p)
{
    unsigned size;
    while (*p && words_class(words_character(p, &size)) != 2) p += size;
    return p;
}

/* The next character of the word, in small letters, to to[0 .. 3]; *p goes behind it. Returns its bytes; at
 * the end of the word 0. */
static unsigned words_next(const char **p, char *to)
{
    unsigned size, behind;
    uint32_t c = (unsigned char)**p;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) { /* most are */
        *to = *(*p)++;
        return 1;
    }
    c = words_character(*p, &size);
    if (c == '\'' || c == 0x2019) {
        if (words_class(words_character(*p + size, &behind)) != 2) return 0;
        c = '\'';
    } else if (words_class(c) == 0) {
        return 0;
    }
    *p += size;
    return words_put(words_small(c), to);
}

#endif
