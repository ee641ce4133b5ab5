/* The part of an exported header that takes a text for a row, as --text does: words.h, the model's words, and functions
 * without memory of their own. A text of any length is read for 64 features at a time, the lowest first: so those of a
 * row rise, and each is there once. */
#include "export.h"
#include "text/unicode.h"
#include "words_code.h"

void put_literal(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32 || c > 126 || strchr("\"\\?*", c)) /* ?: trigraphs; *: ends of comments */
            fprintf(f, "\\%03o", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

void put_parts(FILE *f, const char *name, const char *text, const char *parts)
{
    const int flash = strchr(parts, 'F') != NULL;
    int off = 0, inside = 0, reads = 0;
    for (; *text; text++) {
        if (*text == '@') {
            inside = !inside;
            off = inside && !strchr(parts, *++text);
        } else if (*text == '`' && !off) {
            const char *end = reads ? text : strchr(text, ':');
            if (flash && reads) fputc(')', f);
            if (flash && !reads) fprintf(f, "%s_read_%.*s(&", name, (int)(end - text - 1), text + 1);
            reads = !reads;
            text = end;
        } else if (*text == '$' && !off) {
            fputs(name, f);
        } else if (!off) {
            fputc(*text, f);
        }
    }
}

/* The head of an array, up to its {. */
static void put_array_begin(FILE *f, const char *name, const char *type, const char *what, const char *count, int flash)
{
    fprintf(f, "PERCEPTRON_UNUSED static const %s %s_%s[", type, name, what);
    put_code(f, name, count);
    put_code(f, name, flash ? "] $_FLASH = {" : "] = {");
}

static long long integer_at(enum integer type, const void *v, size_t i)
{
    switch (type) {
    case INT8: return ((const int8_t *)v)[i];
    case INT16: return ((const int16_t *)v)[i];
    case INT32: return ((const int32_t *)v)[i];
    case UINT16: return ((const uint16_t *)v)[i];
    default: return ((const uint32_t *)v)[i];
    }
}

void put_integers(FILE *f, const char *name, enum integer type, const char *what, const char *count, const void *v,
                  size_t n, size_t across, int flash)
{
    static const char *const word[] = {"int8_t", "int16_t", "int32_t", "uint16_t", "uint32_t"};
    size_t i;
    put_array_begin(f, name, word[type], what, count, flash);
    for (i = 0; i < n; i++) fprintf(f, "%s%lld,", i % across ? " " : "\n    ", integer_at(type, v, i));
    fputs("\n};\n\n", f);
}

/* Exact: 9 digits tell all floats apart. */
void put_float(FILE *f, float v)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", (double)v);
    fprintf(f, "%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
}

void put_floats(FILE *f, const char *name, const char *what, const char *count, const float *v, size_t n, int flash)
{
    size_t i;
    put_array_begin(f, name, "float", what, count, flash);
    for (i = 0; i < n; i++) {
        fputs(i % 8 ? " " : "\n    ", f);
        put_float(f, v[i]);
        fputc(',', f);
    }
    fputs("\n};\n\n", f);
}

int export_takes_text(const model *m)
{
    return model_kept(m, "text") != NULL;
}

int export_takes_words(const model *m)
{
    return model_kept(m, "text-column") != NULL;
}

/* ---- The tables ---- */

#define TABLE(f, name, type, array) put_table(f, name, type, #array, array, LENGTH(array))

static void put_table(FILE *f, const char *name, enum integer type, const char *array, const void *v, size_t n)
{
    char count[24];
    snprintf(count, sizeof count, "%zu", n);
    put_integers(f, name, type, array, count, v, n, 12, 0);
}

static void put_tokenizer(FILE *f, const char *name)
{
    size_t i;
    TABLE(f, name, UINT32, words_bound);
    TABLE(f, name, UINT32, words_capital);
    TABLE(f, name, INT32, words_shift);
    for (i = 0; i < LENGTH(words_code); i++) put_code(f, name, words_code[i]);
    fputc('\n', f);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(**(char **const *)a, **(char **const *)b);
}

/* The names in the order of their bytes. */
static void put_names(FILE *f, const model *m, const char *name)
{
    size_t i, n = arrlenu(m->names);
    char ***sorted = allocate(n, sizeof *sorted);
    for (i = 0; i < n; i++) sorted[i] = &m->names[i];
    qsort(sorted, n, sizeof *sorted, compare_names);
    put_code(f, name,
             "PERCEPTRON_UNUSED static const struct {\n    const char *text;\n    uint32_t feature;\n"
             "} $_word[$_FEATURES] = {\n");
    for (i = 0; i < n; i++) {
        fputs("    {", f);
        put_literal(f, *sorted[i]);
        fprintf(f, ", %zu},\n", (size_t)(sorted[i] - m->names));
    }
    fputs("};\n\n", f);
    free(sorted);
}

/* ---- From a text to features ---- */

/* s: names of products have a star. */
static const char next_code[] =
    "/* The next character of *n tokens in a row, a blank between two that do not touch, to to[0 .. 3]; returns its\n"
    " * bytes. 0: at the end; *n is 0 then, if there were so many. */\n"
    "PERCEPTRON_UNUSED static unsigned $_text_next($_words_token *t, unsigned *n, char *to)\n"
    "{\n"
    "    unsigned size = $_words_next(t, to);\n"
    "@s    if (size == 1 && to[0] == '*') return $_words_put(0x2217, to); /* as in the names of a model with products */\n@"
    "    if (size > 0 || --*n == 0) return size;\n"
    "    to[0] = ' ';\n"
    "    if (!$_words_go(t, $_MARKS)) return 0;\n"
    "    return t->touches ? $_text_next(t, n, to) : 1;\n"
    "}\n\n";

#define FEATURE_HEAD                                                                                                   \
    "/* The feature of the n tokens from t on; $_FEATURES: there is none. */\n"                                        \
    "PERCEPTRON_UNUSED static uint32_t $_text_feature($_words_token t, unsigned n)\n"                                  \
    "{\n"

static const char hash_code[] = FEATURE_HEAD
    "    uint32_t hash = 2166136261u; /* FNV-1a */\n"
    "    unsigned size, i;\n"
    "    char to[4];\n"
    "    while ((size = $_text_next(&t, &n, to)) > 0)\n"
    "        for (i = 0; i < size; i++) hash = (hash ^ (unsigned char)to[i]) * 16777619u;\n"
    "    return n == 0 ? hash % $_FEATURES : (uint32_t)$_FEATURES;\n"
    "}\n\n";

static const char search_code[] =
    "/* Below 0, 0 or above it, as the n tokens from t on stand before a name, are it, or stand behind it. */\n"
    "PERCEPTRON_UNUSED static int $_text_compare($_words_token t, unsigned n, const char *name)\n"
    "{\n"
    "    unsigned size, i;\n"
    "    char to[4];\n"
    "    while ((size = $_text_next(&t, &n, to)) > 0)\n"
    "        for (i = 0; i < size; i++, name++)\n"
    "            if (to[i] != *name) return (unsigned char)to[i] < (unsigned char)*name ? -1 : 1;\n"
    "    return n == 0 && *name == 0 ? 0 : -1;\n"
    "}\n\n" FEATURE_HEAD "    uint32_t low = 0, high = $_FEATURES;\n"
    "    while (low < high) {\n"
    "        const uint32_t middle = low + (high - low) / 2;\n"
    "        const int order = $_text_compare(t, n, $_word[middle].text);\n"
    "        if (order == 0) return $_word[middle].feature;\n"
    "        if (order < 0) high = middle;\n"
    "        else low = middle + 1;\n"
    "    }\n"
    "    return $_FEATURES;\n"
    "}\n\n";

/* n: how often each is there, too. */
static const char row_code[] =
    "/* Adds a feature to the rising list of the lowest $_TEXT that are not below from, each once; returns its length. */\n"
    "PERCEPTRON_UNUSED static unsigned $_text_add(uint32_t *index, @nfloat *times, @unsigned count, uint32_t from, "
    "uint32_t feature)\n"
    "{\n"
    "    unsigned i = count, k;\n"
    "    if (feature < from || feature >= $_FEATURES) return count;\n"
    "    while (i > 0 && index[i - 1] > feature) i--;\n"
    "@n    if (i > 0 && index[i - 1] == feature) times[i - 1] += 1;\n@"
    "    if (i == $_TEXT || (i > 0 && index[i - 1] == feature)) return count;\n"
    "    if (count < $_TEXT) count++;\n"
    "    for (k = count - 1; k > i; k--) @ntimes[k] = times[k - 1], @index[k] = index[k - 1];\n"
    "    index[i] = feature;\n"
    "@n    times[i] = 1;\n@"
    "    return count;\n"
    "}\n\n"
    "/* The lowest features of a text that are not below from, at most $_TEXT, rising, each once: for @b$_predict, or pcn_ones@"
    "@n$_value@.\n"
    " * Returns how many; if they are $_TEXT, go on from the last + 1. */\n"
    "PERCEPTRON_UNUSED static unsigned $_text_row(const char *text, uint32_t from, uint32_t *index@n, float *times@)\n"
    "{\n"
    "    $_words_token t = $_words_begin(text), next;\n"
    "    unsigned count = 0, n;\n"
    "    $_words_go(&t, $_MARKS);\n"
    "    for (next = t; t.kind != $_WORDS_DIVIDES; t = next) {\n"
    "        $_words_go(&next, $_MARKS);\n"
    "        for (n = 1; n <= $_NGRAMS || (n == 2 && next.touches); n++)\n"
    "            count = $_text_add(index, @ntimes, @count, from, $_text_feature(t, n));\n"
    "    }\n"
    "    return count;\n"
    "}\n\n";

/* w: of words that are weighed; b: what is 1 in rows of length 1, by sqrtf as the program does. */
static const char length_code[] =
    "@w/* Of all words of a text, as they are weighed. */\n"
    "PERCEPTRON_UNUSED static double $_text_length(const char *text)\n@"
    "@b/* The value of each feature of a text: its row has length 1. */\n"
    "PERCEPTRON_UNUSED static float $_text_value(const char *text)\n@"
    "{\n"
    "    uint32_t index[$_TEXT], from = 0;\n"
    "@b    unsigned long count = 0;\n"
    "    unsigned n;\n@"
    "@w    float count[$_TEXT];\n"
    "    double length = 0, v;\n"
    "    unsigned n, i;\n@"
    "    do {\n"
    "        n = $_text_row(text, from, index@w, count@);\n"
    "@w        for (i = 0; i < n; i++) v = (double)$_weighed(count[i], index[i]), length += v * v;\n@"
    "        if (n > 0) from = index[n - 1] + 1;\n"
    "@b        count += n;\n@"
    "    } while (n == $_TEXT);\n"
    "    return @bcount > 0 ? 1 / sqrtf((float)count) : 0@@wlength > 0 ? sqrt(length) : 1@;\n"
    "}\n\n";

void export_text_row(FILE *f, const model *m, const char *name)
{
    const int marks = strcmp(model_kept_or(m, "marks", "no"), "yes") == 0;
    put_tokenizer(f, name);
    fprintf(f, "enum { %s_NGRAMS = %s, %s_MARKS = %d, %s_TEXT = 64 };\n\n", name, model_kept_or(m, "ngrams", "1"), name,
            marks, name);
    if (!model_kept(m, "hash")) put_names(f, m, name);
    put_parts(f, name, next_code, model_kept(m, "products") ? "s" : "");
    put_code(f, name, model_kept(m, "hash") ? hash_code : search_code);
    put_parts(f, name, row_code, m->words == WORDS_BINARY ? "b" : "n");
    if (model_weighs_words(m) || m->normalize == NORMALIZE_L2)
        put_parts(f, name, length_code, model_weighs_words(m) ? "w" : "b");
}
