/* Cuts a text in UTF-8 into words by Unicode, for --text, exported C and examples/text.c.
 *
 * Letters, digits and other numbers of any script make words, in small letters; accents belong to the letter before
 * them. An apostrophe, ' or U+2019, between two letters or digits belongs to the word, and is written as '. All other
 * characters divide words: blanks, hyphens, points (3.5 is 3 and 5), underscores, signs, emoji. Small letters are
 * Unicode's simple ones, one letter for one letter: sharp s stays, dotted I becomes i, and capital sigma never becomes
 * the final one. A composed accent is not the same as a decomposed one. A byte that is not UTF-8 counts as a letter
 * and stays as it is: words of Latin-1 stay together.
 *
 * With marks, each visible character that divides is a token of its own, a mark. Each character of a script without
 * blanks (Chinese, Japanese, Thai, Lao, Khmer, Burmese) is a token, too; without marks, all that stands between two
 * signs is one word. Two marks, or two such characters, with nothing between them touch: they are a pair. */
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

enum words_kind { WORDS_DIVIDES, WORDS_JOINS, WORDS_LETTER, WORDS_MARK, WORDS_CHARACTER };

/* The first three are those of words_class. A code point that Unicode does not know is a mark. */
static unsigned words_kind(uint32_t c, int marks)
{
    /* from even places on up to the next odd one */
    static const uint32_t blank[] = {0x80,   0xA1,   0xAD,   0xAE,   0x61C,  0x61D,  0x1680,  0x1681,
                                     0x180E, 0x180F, 0x2000, 0x2010, 0x2028, 0x2030, 0x205F,  0x2070,
                                     0x3000, 0x3001, 0xFEFF, 0xFF00, 0xFFF9, 0xFFFC, 0xE0000, 0xE1000};
    static const uint32_t no_blanks[] = {
        0xE00,  0xF00,  0x1000, 0x10A0, 0x1780, 0x1800, 0x3005,  0x3100,  0x31F0,  0x3200,
        0x3400, 0xA000, 0xF900, 0xFB00, 0xFF66, 0xFFA0, 0x1B000, 0x1B300, 0x20000, 0x40000};
    const unsigned kind = words_class(c);
    if (!marks || kind == WORDS_JOINS) return kind;
    if (c < 0x80 && (kind == WORDS_LETTER || c <= ' ' || c == 0x7F)) return kind;
    if (kind == WORDS_LETTER)
        return words_count(no_blanks, sizeof no_blanks / 4, c) & 1 ? (unsigned)WORDS_CHARACTER : kind;
    return words_count(blank, sizeof blank / 4, c) & 1 ? kind : (unsigned)WORDS_MARK;
}

typedef struct words_token {
    const char *begin, *end;
    unsigned kind; /* of a word LETTER; at the end of the text DIVIDES */
    int touches;   /* it is a pair with the one before */
} words_token;

/* Before the first token. */
static words_token words_begin(const char *text)
{
    words_token t;
    t.begin = t.end = text;
    t.kind = WORDS_DIVIDES;
    t.touches = 0;
    return t;
}

static int words_apostrophe(uint32_t c)
{
    return c == '\'' || c == 0x2019;
}

/* The end of the word whose letters until p are known. */
static const char *words_end(const char *p, int marks)
{
    unsigned size, behind;
    for (;; p += size) {
        uint32_t c;
        unsigned kind;
        while ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9')) p++; /* most are */
        c = words_character(p, &size);
        kind = words_kind(c, marks);
        if (kind == WORDS_LETTER || kind == WORDS_JOINS) continue;
        if (!words_apostrophe(c) || words_kind(words_character(p + size, &behind), marks) != WORDS_LETTER) return p;
    }
}

/* Goes to the next token; 0: there is none. An accent behind a character of a script without blanks is one, too;
 * elsewhere it parts no pair. An apostrophe between two letters is no mark where a word ends or begins, either. */
static int words_go(words_token *t, int marks)
{
    unsigned before = t->kind, kind = WORDS_DIVIDES, size = 0, behind;
    const char *p = t->end;
    for (; *p; p += size) {
        const uint32_t c = words_character(p, &size);
        kind = words_kind(c, marks);
        if (kind == WORDS_JOINS && before == WORDS_CHARACTER) kind = before;
        if (words_apostrophe(c) && before != WORDS_DIVIDES && before != WORDS_MARK &&
            words_class(words_character(p + size, &behind)) == WORDS_LETTER)
            kind = WORDS_DIVIDES;
        if (kind > WORDS_JOINS) break;
        if (kind == WORDS_DIVIDES) before = kind;
    }
    t->begin = p;
    t->kind = *p ? kind : (unsigned)WORDS_DIVIDES;
    t->touches = t->kind > WORDS_LETTER && t->kind == before;
    t->end = *p ? p + size : p;
    if (t->kind == WORDS_LETTER) t->end = words_end(t->end, marks);
    return t->kind != WORDS_DIVIDES;
}

/* The next character of the token, in small letters, to to[0 .. 3]; it begins behind that then. Returns its bytes; at
 * the end of the token 0. */
static unsigned words_next(words_token *t, char *to)
{
    unsigned size;
    uint32_t c = (unsigned char)*t->begin;
    if (t->begin == t->end) return 0;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
        *to = *t->begin++;
        return 1;
    }
    c = words_character(t->begin, &size);
    t->begin += size;
    if (c == 0x2019 && t->kind == WORDS_LETTER) c = '\'';
    return words_put(words_small(c), to);
}

#endif
