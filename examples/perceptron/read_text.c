/* Rows from lines of a label, a tab and a text: the words of the text. */
#include "reader_parts.h"

static int is_word_character(char c)
{
    unsigned char u = (unsigned char)c;
    return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u >= 0x80;
}

static int is_in_word(const char *p)
{
    return is_word_character(*p) || (*p == '\'' && is_word_character(p[1]));
}

/* The words of the text in place, each in small letters with a NUL behind it, into *words, an stb_ds array. */
static void cut_words(char *p, char ***words)
{
    arrsetlen(*words, 0);
    while (*p) {
        while (*p && !is_word_character(*p)) p++;
        if (*p) arrput(*words, p);
        for (; is_in_word(p); p++)
            if (*p >= 'A' && *p <= 'Z') *p = (char)(*p - 'A' + 'a');
        if (*p) *p++ = '\0';
    }
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

/* The word and those behind it, up to n together. */
static void add_ngrams(reader *r, char *const *words, size_t count, size_t n)
{
    size_t k;
    arrsetlen(r->word, 0);
    for (k = 0; k < n && k < count; k++) {
        size_t size = strlen(words[k]) + 1;
        if (k > 0) r->word[arrlenu(r->word) - 1] = ' '; /* in the place of the NUL */
        memcpy(arraddnptr(r->word, size), words[k], size);
        add_feature(r, r->word);
    }
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return (i > j) - (i < j);
}

/* Rising indices, each once; all values are 1. */
static void sort_features(reader *r)
{
    size_t i, n = 0;
    if (r->count > 1) qsort(r->index, r->count, sizeof *r->index, compare_indices);
    for (i = 0; i < r->count; i++)
        if (n == 0 || r->index[n - 1] != r->index[i]) r->index[n++] = r->index[i];
    r->count = n;
}

/* Before the first line. */
static void start(reader *r)
{
    const reader_options *o = &r->options;
    size_t i;
    sh_new_arena(r->dictionary);
    if (o->hash_bits) {
        if (o->names) die(EXIT_USAGE, "--hash: the model has words, which were not hashed; leave --hash out");
        r->features = 1u << o->hash_bits;
        if (o->features && o->features != r->features)
            die(EXIT_USAGE, "--hash %u: %u features, not %u: leave --hash or --features out", o->hash_bits,
                r->features, o->features);
        return;
    }
    if (o->model_label_column)
        die(EXIT_USAGE, "%s: --text: the model was trained on CSV, it has no words: leave --text out", r->name);
    if (o->features && !o->names && o->predict)
        die(EXIT_USAGE, "%s: the model has no words: it was not trained with --text, or with --hash: leave --text "
            "out", r->name);
    if (o->features && !o->names)
        die(EXIT_USAGE, "--features with --text: the words are known at the end only; give --hash BITS");
    r->grows = o->features == 0;
    r->closed = !r->grows;
    r->features = o->features;
    for (i = 0; i < arrlenu(o->names); i++) shput(r->dictionary, o->names[i], (uint32_t)i);
}

/* What stands behind the label, which is taken. */
static char *take_label(reader *r)
{
    char *tab = strchr(r->text, '\t'), *label;
    if (!tab && !r->options.predict)
        reader_fail(r, "no tab: with --text a line is a label, a tab and a text");
    if (!tab) return r->text;
    *tab = '\0';
    label = trim(r->text);
    if (*label || !r->options.predict) reader_set_label(r, label, strlen(label), reader_column(r, label), 1);
    return tab + 1;
}

int reader_next_text(reader *r)
{
    size_t i, n = r->options.ngrams > 1 ? r->options.ngrams : 1;
    char **words = NULL, *text;
    if (!r->dictionary) start(r);
    r->label = NULL;
    do
        if (!reader_line(r, 0)) return 0;
    while (r->length == 0);
    reader_end_line(r);
    text = take_label(r);
    r->count = 0;
    cut_words(text, &words);
    for (i = 0; i < arrlenu(words); i++) add_ngrams(r, words + i, arrlenu(words) - i, n);
    sort_features(r);
    arrfree(words);
    return 1;
}
