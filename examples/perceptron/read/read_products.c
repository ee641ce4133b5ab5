/* Adds products of two features of a row, which are features, too: --products. Their names are A*B, so no other name
 * has a star. Rows are sparse, and have a product if they have both factors. */
#include "reader_parts.h"

#include <math.h>

static int takes_all(const reader *r)
{
    return strcmp(r->options.products[0], "all") == 0;
}

static uint64_t pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Returns the key of a feature of libsvm text, which goes by its number. No pair of features has such a high key. */
static uint64_t index_key(uint32_t index)
{
    return (uint64_t)INT32_MAX << 32 | index;
}

/* ---- What is multiplied ---- */

void cut_product(const char *product, char *factor[2])
{
    factor[0] = copy_text(product);
    factor[1] = strchr(factor[0], '*');
    *factor[1]++ = '\0';
    factor[1] = copy_text(factor[1]);
}

/* Is the feature the factor itself, or a text or a word of the column of that name? */
static int is_factor(const reader *r, const char *feature, const char *factor)
{
    const size_t length = strlen(factor);
    if (strncmp(feature, factor, length) != 0) return 0;
    if (feature[length] == '\0') return 1;
    return (feature[length] == '=' || feature[length] == ':') && !names_have(r->own.dictionary, factor);
}

/* Returns in which products the feature is a factor. Bit 2k: it is a first factor of product k; bit 2k + 1: a second
 * one. */
static uint64_t sides_of(const reader *r, const char *feature)
{
    uint64_t sides = 0;
    size_t k;
    char *factor[2];
    if (takes_all(r)) return 3;
    for (k = 0; k < arrlenu(r->options.products); k++) {
        cut_product(r->options.products[k], factor);
        sides |= (uint64_t)is_factor(r, feature, factor[0]) << 2 * k;
        sides |= (uint64_t)is_factor(r, feature, factor[1]) << (2 * k + 1);
        free(factor[0]);
        free(factor[1]);
    }
    return sides;
}

/* Returns the name of the column of CSV that has this name or number, or the factor itself if it is not a column. */
static const char *factor_name(const reader *r, const char *product, const char *factor)
{
    const size_t columns = arrlenu(r->own.columns);
    size_t i;
    long number;
    for (i = 0; i < columns && strcmp(r->own.columns[i].name, factor) != 0;) i++;
    if (i == columns && label_is_integer(factor, &number) && number >= 1 && (size_t)number <= columns)
        i = (size_t)number - 1;
    if (i < columns && r->own.columns[i].kind > COLUMN_WORDS)
        reader_fail(r, "--products %s: column '%s' is no feature", product, factor);
    if (i == columns && columns > 0 && !strpbrk(factor, "=:"))
        reader_fail(r, "--products %s: no column '%s'", product, factor);
    return i < columns ? r->own.columns[i].name : factor;
}

/* Puts names of columns in place of their numbers, which may be others in the next file. */
static void name_products(reader *r)
{
    const char **product = r->options.products;
    char *factor[2], *named;
    size_t k, i;
    for (k = 0; k < arrlenu(product); k++) {
        const char *name[2];
        cut_product(product[k], factor);
        for (i = 0; i < 2; i++) name[i] = factor_name(r, product[k], factor[i]);
        named = allocate(strlen(name[0]) + strlen(name[1]) + 2, 1);
        sprintf(named, "%s*%s", name[0], name[1]);
        if (strcmp(named, product[k]) != 0) product[k] = copy_text(named);
        free(named);
        free(factor[0]);
        free(factor[1]);
    }
}

void reader_check_products(const reader *r)
{
    size_t k;
    if (!r->options.products || takes_all(r)) return;
    for (k = 0; k < arrlenu(r->options.products); k++)
        if (!(r->own.products_seen >> k & 1))
            die(EXIT_INPUT, "%s: --products %s: no row has both", r->lines.name,
                printable(r->options.products[k], EXCERPT));
}

/* ---- The features ---- */

/* Takes the products that the model has. */
static void take_known(reader *r)
{
    size_t j;
    char *factor[2];
    for (j = 0; j < arrlenu(r->options.names); j++) {
        ptrdiff_t a, b;
        if (!strchr(r->options.names[j], '*')) continue;
        cut_product(r->options.names[j], factor);
        a = shgeti(r->own.dictionary, factor[0]);
        b = shgeti(r->own.dictionary, factor[1]);
        if (a >= 0 && b >= 0) hmput(r->own.pairs, pair_key((uint32_t)a, (uint32_t)b), (uint32_t)j);
        free(factor[0]);
        free(factor[1]);
    }
}

/* Before the products of the first row. */
static void start(reader *r)
{
    const reader_options *o = &r->options;
    if (o->features && !o->names)
        die(EXIT_USAGE, "--features with --products: the pairs are known at the end only; leave --features out");
    if (!r->own.dictionary) reader_begin_names(r); /* libsvm text */
    if (shlenu(r->own.dictionary) != r->features)
        die(EXIT_INPUT, "%s: two features have one name, which --products cannot have", r->lines.name);
    if (o->features == 0 && !takes_all(r)) name_products(r);
    take_known(r);
}

/* Replaces the indices of libsvm text by the features that have them as names. New features get the next numbers. */
static void number_features(reader *r)
{
    const size_t n = r->count;
    size_t i;
    char name[16];
    r->count = 0;
    for (i = 0; i < n; i++) {
        const uint32_t index = r->index[i];
        const float value = r->value[i];
        ptrdiff_t known = hmgeti(r->own.pairs, index_key(index));
        size_t count = r->count;
        if (known >= 0) {
            r->index[r->count++] = r->own.pairs[known].value;
        } else {
            sprintf(name, "%lu", (unsigned long)index + !r->options.zero_based);
            reader_add_named(r, name);
            if (r->count > count) hmput(r->own.pairs, index_key(index), r->index[count]);
        }
        if (r->count > count) r->value[count] = value;
    }
    reader_sort(r, 0);
}

/* Finds out in which products the new features are factors. */
static void add_sides(reader *r)
{
    while (arrlenu(r->own.product_sides) < r->features) {
        const size_t j = arrlenu(r->own.product_sides);
        const char *name = r->own.dictionary[j].key;
        const int star = strchr(name, '*') != NULL;
        uint64_t sides;
        if (star && j >= arrlenu(r->options.names))
            reader_fail(r, "feature '%s': with --products no name has a star", printable(name, EXCERPT));
        sides = star ? 0 : sides_of(r, name);
        arrput(r->own.product_sides, sides);
    }
}

/* Adds a product that no row has had. Its name comes from those of its factors. */
static void add_new(reader *r, uint32_t a, uint32_t b)
{
    const char *one = r->own.dictionary[a].key, *two = r->own.dictionary[b].key;
    const size_t count = r->count;
    if (!r->grows && !reader_refuses_new(r)) {
        r->unknown++;
        return;
    }
    arrsetlen(r->own.word, strlen(one) + strlen(two) + 2);
    sprintf(r->own.word, "%s*%s", one, two);
    reader_add_named(r, r->own.word);
    hmput(r->own.pairs, pair_key(a, b), r->index[count]);
    arrput(r->own.product_sides, 0);
}

/* Adds the product of the features at places i and k of the row. */
static void add_product(reader *r, size_t i, size_t k)
{
    const float product = r->value[i] * r->value[k];
    const uint32_t a = r->index[i], b = r->index[k];
    const ptrdiff_t known = hmgeti(r->own.pairs, pair_key(a, b));
    const size_t count = r->count;
    if (isinf(product))
        reader_fail(r, "the product of '%s' and '%s' overflows a 32-bit float",
                    printable(r->own.dictionary[a].key, EXCERPT), printable(r->own.dictionary[b].key, EXCERPT));
    if (product == 0) return;
    if (known < 0) {
        add_new(r, a, b);
    } else {
        reader_reserve(r, count + 1);
        r->index[r->count++] = r->own.pairs[known].value;
    }
    if (r->count > count) r->value[count] = product;
}

/* Does product `number` ask for the feature times itself, by its name? */
static int is_square(const reader *r, size_t number, uint32_t feature)
{
    const char *product = r->options.products[number], *name = r->own.dictionary[feature].key;
    const size_t length = strlen(name);
    return strncmp(product, name, length) == 0 && product[length] == '*' && strcmp(product + length + 1, name) == 0;
}

/* Adds product `number` of --products, from the first n features of the row, which are not products. */
static void multiply(reader *r, size_t n, size_t number)
{
    size_t *first = NULL, *second = NULL, i, k;
    for (i = 0; i < n; i++) {
        const uint64_t sides = r->own.product_sides[r->index[i]] >> 2 * number;
        if (sides & 1) arrput(first, i);
        if (sides & 2) arrput(second, i);
    }
    if (arrlenu(first) && arrlenu(second) > r->options.max_features / arrlenu(first))
        reader_fail(r,
                    "a row with %zu times %zu features to multiply, which is above the limit of %lu features "
                    "(--max-dim): --products 'A*B' takes some of them",
                    (size_t)arrlenu(first), (size_t)arrlenu(second), (unsigned long)r->options.max_features);
    if (arrlenu(first) && arrlenu(second)) r->own.products_seen |= (uint64_t)1 << number;
    for (i = 0; i < arrlenu(first); i++)
        for (k = 0; k < arrlenu(second); k++) {
            const size_t a = first[i], b = second[k];
            const int again = b < a && r->own.product_sides[r->index[a]] >> 2 * number & 2 &&
                              r->own.product_sides[r->index[b]] >> 2 * number &
                                  1; /* it comes with its factors exchanged */
            if (a == b ? is_square(r, number, r->index[a]) : !again) add_product(r, a, b);
        }
    arrfree(first);
    arrfree(second);
}

void reader_add_products(reader *r)
{
    const size_t all = arrlenu(r->options.products);
    size_t n, i, k;
    if (!r->own.pairs) {
        hmdefault(r->own.pairs, 0);
        start(r);
    }
    if (r->format->has_numbers) number_features(r);
    add_sides(r);
    n = r->count;
    for (i = 0; i < all; i++) multiply(r, n, i);
    reader_sort(r, 0);
    for (i = k = 0; i < r->count; i++) { /* two of --products may give one product */
        if (k > 0 && r->index[k - 1] == r->index[i]) continue;
        r->index[k] = r->index[i];
        r->value[k++] = r->value[i];
    }
    r->count = k;
}
