/* Words of texts, and rows from lines of a label and a text. */
#include "reader_parts.h"
#include "text/words.h"

/* The words in small letters, a blank behind each, into r->own.word from `at` on; where each begins, and the end, into
 * *start, an stb_ds array. */
static void cut_words(reader *r, const char *p, size_t at, size_t **start)
{
    arrsetlen(r->own.word,
              at + strlen(p) / 2 * 3 + 5); /* two letters of 2 bytes have small ones of 3; none grows more */
    while (*(p = words_find(p))) {
        unsigned size;
        arrput(*start, at);
        while ((size = words_next(&p, r->own.word + at)) > 0) at += size;
        r->own.word[at++] = ' ';
    }
    arrput(*start, at);
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

void reader_add_words(reader *r, const char *column, const char *text)
{
    const size_t n = r->options.ngrams > 1 ? r->options.ngrams : 1, length = column ? strlen(column) + 1 : 0;
    const size_t from = r->count;
    size_t *begin = NULL, count, i, k;
    cut_words(r, text, length, &begin);
    count = arrlenu(begin) - 1;
    for (i = 0; i < count; i++) {
        char *name = r->own.word + begin[i] - length; /* the words before are done with */
        if (column) {
            memcpy(name, column, length - 1);
            name[length - 1] = ':';
        }
        for (k = i + 1; k <= count && k <= i + n; k++) {
            r->own.word[begin[k] - 1] = '\0';
            add_feature(r, name);
            r->own.word[begin[k] - 1] = ' ';
        }
    }
    arrfree(begin);
    if (r->count > from) /* each once, of value 1 or with its count */
        r->count = from + pcn_sort_row(r->index + from, r->options.counts ? r->value + from : NULL,
                                       (uint32_t)(r->count - from));
}

/* Before the first line. */
static void start(reader *r)
{
    const reader_options *o = &r->options;
    size_t i;
    sh_new_arena(r->own.dictionary);
    if (o->hash_bits) {
        if (o->names) die(EXIT_USAGE, "--hash: the model has words, which were not hashed; leave --hash out");
        r->features = 1u << o->hash_bits;
        if (o->features && o->features != r->features)
            die(EXIT_USAGE, "--hash %u: %u features, not %u: leave --hash or --features out", o->hash_bits, r->features,
                o->features);
        return;
    }
    if (o->model_label_column)
        die(EXIT_USAGE, "%s: --text: the model was trained on CSV, it has no words: leave --text out", r->name);
    if (o->features && !o->names && o->predict)
        die(EXIT_USAGE,
            "%s: the model has no words: it was not trained with --text, or with --hash: leave --text "
            "out",
            r->name);
    if (o->features && !o->names)
        die(EXIT_USAGE, "--features with --text: the words are known at the end only; give --hash BITS");
    r->grows = o->features == 0 || o->grows;
    r->features = o->features;
    for (i = 0; i < arrlenu(o->names); i++) shput(r->own.dictionary, o->names[i], (uint32_t)i);
}

/* What stands behind the label, which is taken: fastText's __label__x ends at a blank, any other at a tab. */
static char *take_label(reader *r)
{
    const size_t marked = strncmp(r->own.text, FASTTEXT, strlen(FASTTEXT)) == 0 ? strlen(FASTTEXT) : 0;
    char *label = r->own.text, *end = strpbrk(label, marked ? " \t" : "\t"), *text = end ? end + 1 : NULL;
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

int reader_next_text(reader *r)
{
    const char *text;
    if (!r->own.dictionary) start(r);
    r->label = NULL;
    r->count = 0;
    do {
        if (!reader_line(r, 0)) return 0;
        if (r->own.length == 0 && reader_takes_empty(r)) return 1;
    } while (r->own.length == 0 || !reader_weigh(r));
    text = take_label(r);
    reader_add_words(r, NULL, text);
    return 1;
}
