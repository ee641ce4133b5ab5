/* Finds words and marks of texts, and reads rows from lines of a label and a text.
 *
 * Features are the words (text/words.h), or n-grams with a blank between words; their value is 1. With hash_bits, a
 * feature is the FNV-1a hash of 32 bits modulo 2^hash_bits. */
#include "reader_parts.h"
#include "text/words.h"

typedef struct placed_token { /* where a token is in r->own.word */
    size_t begin, end;
    int touches, is_word;
} placed_token;

static int has_marks(const reader *r)
{
    return r->options.marks == MARKS_YES;
}

/* Writes the tokens in small letters to r->own.word from `at` on, with a blank between tokens that do not touch.
 * Returns a new stb_ds array of their places. With --products, whose names have a star, U+2217 stands for the mark
 * *. */
static placed_token *cut_text(reader *r, const char *text, size_t at)
{
    placed_token *all = NULL;
    words_token t = words_begin(text);
    arrsetlen(r->own.word,
              at + 4 * strlen(text) + 5); /* the star has one byte in the text, and with its blank four here */
    while (words_go(&t, has_marks(r))) {
        placed_token placed = {at, at, t.touches, t.kind == WORDS_LETTER};
        unsigned size;
        if (all && !t.touches) r->own.word[at++] = ' ';
        placed.begin = at;
        if (*t.begin == '*' && r->options.products)
            at += words_put(0x2217, r->own.word + at);
        else
            while ((size = words_next(&t, r->own.word + at)) > 0) at += size;
        placed.end = at;
        arrput(all, placed);
    }
    return all;
}

static uint32_t fnv1a(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static void add_feature(reader *r, const char *name)
{
    if (r->options.hash_bits == 0) {
        reader_add_named(r, name);
        return;
    }
    reader_reserve(r, r->count + 1);
    r->value[r->count] = 1;
    r->index[r->count++] = fnv1a(name) & ((1u << r->options.hash_bits) - 1);
}

/* Adds the pieces of a word by --letters: un-, -or-, -ing, but not the whole word. Each end of the word counts as a
 * letter. name: the column's part, which has `length` bytes, the word, and a NUL. */
static void add_pieces(reader *r, const char *name, size_t length)
{
    const char *word = name + length;
    char *piece = allocate(strlen(name) + sizeof "--", 1);
    size_t *letter = NULL, at = 0, letters, from, some;
    unsigned size;
    for (; word[at]; at += size) {
        arrput(letter, at);
        words_character(word + at, &size);
    }
    letters = arrlenu(letter);
    arrput(letter, at);
    memcpy(piece, name, length);
    for (from = 0; from <= letters + 1; from++) /* 0: before the first letter */
        for (some = r->options.letters_least; some <= r->options.letters_most && from + some <= letters + 2; some++) {
            const size_t first = from ? from : 1, behind = from + some > letters ? letters + 1 : from + some;
            if (first >= behind || (from == 0 && some == letters + 2)) continue;
            sprintf(piece + length, "%s%.*s%s", from ? "-" : "", (int)(letter[behind - 1] - letter[first - 1]),
                    word + letter[first - 1], from + some > letters + 1 ? "" : "-");
            add_feature(r, piece);
        }
    arrfree(letter);
    free(piece);
}

/* Adds the features that begin with token i. Their name begins with the column's part, which has `length` bytes. */
static void add_grams(reader *r, const placed_token *all, size_t i, char *name, size_t length)
{
    const size_t n = r->options.ngrams > 1 ? r->options.ngrams : 1, count = arrlenu(all);
    size_t k;
    for (k = i; k < count && (k < i + n || (k == i + 1 && all[k].touches)); k++) {
        char *end = r->own.word + all[k].end;
        const char behind = *end;
        *end = '\0';
        add_feature(r, name);
        if (k == i && all[i].is_word && r->options.letters_most) add_pieces(r, name, length);
        *end = behind;
    }
}

/* Keeps each of the sorted features from that place on once, with the value 1 or with its count. */
static void keep_single(reader *r, size_t from)
{
    size_t i, kept = from;
    for (i = from; i < r->count; i++) {
        if (kept > from && r->index[kept - 1] == r->index[i]) {
            if (r->options.counts) r->value[kept - 1]++;
            continue;
        }
        r->index[kept] = r->index[i];
        r->value[kept++] = 1;
    }
    r->count = kept;
}

void reader_add_words(reader *r, const char *column, const char *text)
{
    const size_t length = column ? strlen(column) + 1 : 0, from = r->count;
    placed_token *all = cut_text(r, text, length);
    size_t i;
    for (i = 0; i < arrlenu(all); i++) {
        char *name = r->own.word + all[i].begin - length; /* over tokens before it, which are done with */
        if (column) {
            memcpy(name, column, length - 1);
            name[length - 1] = ':';
        }
        add_grams(r, all, i, name, length);
    }
    arrfree(all);
    reader_sort(r, from);
    keep_single(r, from);
}

/* Begins before the first line: checks what the model has. */
static void start(reader *r)
{
    const reader_options *o = &r->options;
    reader_begin_names(r);
    if (o->hash_bits) {
        r->grows = 0;
        if (o->names) die(EXIT_USAGE, "--hash: the model has words, which were not hashed; leave --hash out");
        r->features = 1u << o->hash_bits;
        if (o->features && o->features != r->features)
            die(EXIT_USAGE, "--hash %u: %u features, not %u: leave --hash or --features out", o->hash_bits, r->features,
                o->features);
        return;
    }
    if (o->model_label_column)
        die(EXIT_USAGE, "%s: --text: the model was trained on CSV, it has no words: leave --text out", r->lines.name);
    if (o->features && !o->names && o->predict)
        die(EXIT_USAGE,
            "%s: the model has no words: it was not trained with --text, or with --hash: leave --text "
            "out",
            r->lines.name);
    if (o->features && !o->names)
        die(EXIT_USAGE, "--features with --text: the words are known at the end only; give --hash BITS");
}

/* Takes the label, and returns what stands behind it. fastText's __label__x ends at a blank, any other label at a
 * tab. */
static char *take_label(reader *r)
{
    const size_t marked = strncmp(r->lines.text, FASTTEXT, strlen(FASTTEXT)) == 0 ? strlen(FASTTEXT) : 0;
    char *label = r->lines.text, *end = strpbrk(label, marked ? " \t" : "\t"), *text = end ? end + 1 : NULL;
    if (!text && !marked && !r->options.predict)
        reader_fail(r, "no tab: with --text a line is a label, a tab and a text, or " FASTTEXT "LABEL and a text");
    if (!text && !marked) return label;
    if (!text) text = label + strlen(label);
    if (marked && strncmp(skip_blanks(text), FASTTEXT, marked) == 0)
        reader_fail(r, SEVERAL_LABELS, printable(label, EXCERPT));
    if (end) *end = '\0';
    label = trim(label + marked);
    if (*label || !r->options.predict) reader_set_label(r, label, strlen(label), reader_column(r, label), 1);
    return text;
}

static int next_row(reader *r)
{
    const char *text;
    if (!r->own.dictionary) start(r);
    r->label = NULL;
    r->count = 0;
    do {
        if (!lines_next(&r->lines, 0)) return 0;
        if (r->lines.length == 0 && reader_takes_empty(r)) return 1;
    } while (r->lines.length == 0 || !reader_weigh(r));
    text = take_label(r);
    reader_add_words(r, NULL, text);
    return 1;
}

/* ---- What is told of it ---- */

static int is_chosen(const reader_options *o)
{
    return o->text;
}

#define AT(member) .at = offsetof(reader_options, member)
#define NEED(...) OPTION_NEED(reader_options, o, __VA_ARGS__)

NEED(text_rows, "--text", o->text)
NEED(words, "--text or --text-column", o->text || o->text_columns)
NEED(no_format, "rows to read, and no --format, since it is one",
     !o->no_rows && (!o->format || strcmp(o->format, "auto") == 0))

static const option_entry text_options[] = {
    {"text", 0, OPTION_FLAG, AT(text), .memory = KEPT_READING | SHAPE, .needs = &no_format, .common = 1,
     .help =
         "Use for lines of a label, a tab and a text. Its words are features. fastText's lines of __label__LABEL and a text "
         "are taken, too."},
    {"text-column", 0, OPTION_LIST, AT(text_columns), .argument = "COLUMN", .memory = KEPT_READING | SHAPE | FIXED,
     .needs = &need_new_columns,
     .help = "Use for a column of texts in CSV: its words are features column:word. May be repeated."},
    {"marks", 0, OPTION_CHOICE, AT(marks), .words = "yes|no", .preset = "yes", .argument = "YES",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &words,
     .help = "Use no to leave out punctuation, signs and emoji. Otherwise each is a word, and so are two that touch, "
             "such as ':)'. In scripts without blanks between words, such as Chinese, each character and each two "
             "neighbours are then words, too; with no, all between two signs is one word."},
    {"ngrams", 0, OPTION_COUNT, AT(ngrams), .low = 1, .high = 16, .argument = "N", .preset = "1",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &words,
     .help = "Use 2 if the order of words matters, as in 'not good'. Each 2 to N words that follow each other become a "
             "feature, too."},
    {"letters", 0, OPTION_TEXT, AT(letters), .preset = "no", .argument = "A-B", .memory = KEPT_READING | SHAPE | FIXED,
     .needs = &words,
     .help = "Use 2-4 to tell languages or names apart, or where words are often misspelled. Each piece of A to B "
             "letters of a word becomes a feature, too: 'un-' begins words, '-ing' ends them, '-or-' is within them. "
             "The beginning and the end count as a letter."},
    {"hash", 0, OPTION_COUNT, AT(hash_bits), .low = 1, .high = 28, .argument = "BITS",
     .memory = KEPT_READING | SHAPE | FIXED, .needs = &text_rows,
     .help = "Use 18 to 22 if there are too many words for a dictionary: a hash turns them into 2^BITS features."},
};

const row_format format_text = {
    .name = "text",
    .title = "texts",
    .chosen = is_chosen,
    .is_text = 1,
    .may_be_empty = 1,
    .next = next_row,
    .options = {"For texts", text_options, LENGTH(text_options)}};
