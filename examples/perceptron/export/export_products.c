/* The part of an exported header that finds the products of a row's features (--products). */
#include "export.h"

static const char products_code[] =
    "/* Where feature j stands in a row; count: it is not there. */\n"
    "PERCEPTRON_UNUSED static unsigned long $_place(const uint32_t *index, unsigned long count, uint32_t j)\n"
    "{\n"
    "    unsigned long low = 0, high = count, middle;\n"
    "    if (!index) return j < count ? j : count;\n"
    "    while (low < high) {\n"
    "        middle = low + (high - low) / 2;\n"
    "        if (index[middle] < j) low = middle + 1;\n"
    "        else high = middle;\n"
    "    }\n"
    "    return low < count && index[low] == j ? low : count;\n"
    "}\n\n"
    "/* The features of a row and their products one after the other, by their numbers; *i and *p begin with 0.\n"
    " * Returns the number, and the value in *v; $_FEATURES: that was all. */\n"
    "PERCEPTRON_UNUSED static uint32_t $_next(const uint32_t *index, const float *value, unsigned long count,\n"
    "    unsigned long *i, unsigned long *p, float *v)\n"
    "{\n"
    "    volatile float product;\n"
    "    for (; *p < $_PRODUCTS; ++*p) {\n"
    "        const uint32_t j = $_product[*p].number;\n"
    "        unsigned long a, b;\n"
    "        if (*i < count && (index ? index[*i] : *i) < j) break;\n"
    "        if (*i < count && (index ? index[*i] : *i) == j) ++*i;\n"
    "        a = $_place(index, count, $_product[*p].first);\n"
    "        b = $_place(index, count, $_product[*p].second);\n"
    "        if (a == count || b == count) continue;\n"
    "        product = (value ? value[a] : 1.0f) * (value ? value[b] : 1.0f);\n"
    "        if (product == 0) continue;\n"
    "        *v = product;\n"
    "        ++*p;\n"
    "        return j;\n"
    "    }\n"
    "    if (*i == count) return $_FEATURES;\n"
    "    *v = value ? value[*i] : 1.0f;\n"
    "    ++*i;\n"
    "    return index ? index[*i - 1] : (uint32_t)(*i - 1);\n"
    "}\n\n"
    "/* For perceptron.h: a row with its products, in room for $_FEATURES numbers and values; returns how many.@D\n"
    " * Dates are " DATE_UNIT ".@ */\n"
    "PERCEPTRON_UNUSED static unsigned long $_row(const uint32_t *index, const float *value, unsigned long count,\n"
    "    uint32_t *to_index, float *to)\n"
    "{\n"
    "    unsigned long i = 0, p = 0, n = 0;\n"
    "    uint32_t j;\n"
    "    float v;\n"
    "    while ((j = $_next(index, value, count, &i, &p, &v)) < $_FEATURES) {\n"
    "        to_index[n] = j;\n"
    "        to[n++] = v;\n"
    "    }\n"
    "    return n;\n"
    "}\n\n";

int export_takes_products(const model *m)
{
    return model_kept(m, "products") != NULL;
}

void export_products(FILE *f, const model *m, const char *name)
{
    name_number *number = NULL; /* of each feature */
    size_t j, count = 0;
    for (j = 0; j < arrlenu(m->names); j++) shput(number, m->names[j], (uint32_t)j);
    put_code(f, name,
             "/* The feature of that number is the product of two others. */\n"
             "PERCEPTRON_UNUSED static const struct {\n"
             "    uint32_t number, first, second;\n"
             "} $_product[] = {\n");
    for (j = 0; j < arrlenu(m->names); j++) {
        char *factor[2];
        ptrdiff_t first, second;
        if (!strchr(m->names[j], '*')) continue;
        cut_product(m->names[j], factor);
        first = shgeti(number, factor[0]);
        second = shgeti(number, factor[1]);
        free(factor[0]);
        free(factor[1]);
        if (first < 0 || second < 0) continue; /* no row has it */
        fprintf(f, "    {%zu, %lu, %lu},\n", j, (unsigned long)number[first].value,
                (unsigned long)number[second].value);
        count++;
    }
    shfree(number);
    if (count == 0) fputs("    {0, 0, 0},\n", f);
    fprintf(f, "};\nenum { %s_PRODUCTS = %zu };\n\n", name, count);
    put_parts(f, name, products_code, m->date ? "D" : "");
}

void export_predict_words(FILE *f, const char *name)
{
    put_code(f, name,
             "/* The number in $_label of a text in UTF-8 that ends with a 0; -1: it has more than $_WORDS - $_TEXT\n"
             " * different words of the model. */\n"
             "enum { $_WORDS = 1088 };\n"
             "PERCEPTRON_UNUSED static int $_predict_text(const char *text)\n"
             "{\n"
             "    uint32_t index[$_WORDS], from = 0;\n"
             "    unsigned n, count = 0;\n"
             "    do {\n"
             "        if (count + $_TEXT > $_WORDS) return -1;\n"
             "        n = $_text_row(text, from, index + count);\n"
             "        count += n;\n"
             "        if (n > 0) from = index[count - 1] + 1;\n"
             "    } while (n == $_TEXT);\n"
             "    return $_predict(index, 0, count);\n"
             "}\n\n");
}
