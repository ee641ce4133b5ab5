/* Exported arrays with a function that predicts: where most features have no weight, only the others' are written. */
#include "export.h"

few_weights few_weights_of(const void *weight, uint32_t features, uint32_t scores, size_t bytes)
{
    static const uint8_t zero[sizeof(float)];
    const few_weights none = {NULL, NULL, 0};
    few_weights few = {allocate(features, sizeof *few.index), NULL, 0};
    const uint8_t *from = weight;
    uint32_t j, c, k;
    for (j = 0; j < features; j++) {
        for (c = 0; c < scores && memcmp(from + ((size_t)c * features + j) * bytes, zero, bytes) == 0;) c++;
        if (c < scores) few.index[few.count++] = j;
    }
    if (few.count == 0) few.index[few.count++] = 0; /* C has no empty arrays */
    if (few.count * (sizeof *few.index + scores * bytes) >= (size_t)features * scores * bytes / 2) {
        free(few.index);
        return none;
    }
    few.weight = allocate((size_t)few.count * scores, bytes);
    for (c = 0; c < scores; c++)
        for (k = 0; k < few.count; k++)
            memcpy((uint8_t *)few.weight + ((size_t)c * few.count + k) * bytes,
                   from + ((size_t)c * features + few.index[k]) * bytes, bytes);
    return few;
}

void few_weights_index(FILE *f, const few_weights *few, const char *name, int flash)
{
    put_code(f, name, "enum { $_WEIGHTS = ");
    fprintf(f, "%lu }; /* of a class: of the features in the index, which rise */\n\n", (unsigned long)few->count);
    put_integers(f, name, UINT32, "index", "$_WEIGHTS", few->index, few->count, 12, flash);
}

void few_weights_function(FILE *f, const char *type, const char *name, int flash)
{
    char parts[8];
    snprintf(parts, sizeof parts, "%s%s", flash ? "F" : "",
             strcmp(type, "float") == 0    ? "f"
             : strcmp(type, "int8_t") == 0 ? "1"
                                           : "2");
    put_code(f, name, "/* The weight of feature j. */\nPERCEPTRON_UNUSED static ");
    fputs(type, f);
    put_parts(f, name,
              " $_weight_of(unsigned long j, unsigned cls)\n"
              "{\n"
              "    unsigned long low = 0, high = $_WEIGHTS;\n"
              "    while (low < high) {\n"
              "        const unsigned long middle = low + (high - low) / 2;\n"
              "        if (`uint32_t:$_index[middle]` < j) low = middle + 1;\n"
              "        else high = middle;\n"
              "    }\n"
              "    if (low == $_WEIGHTS || `uint32_t:$_index[low]` != j) return 0;\n"
              "    low += (unsigned long)cls * $_WEIGHTS;\n"
              "    return @f`float:$_weight[low]`@@1`int8_t:$_weight[low]`@@2`int16_t:$_weight[low]`@;\n"
              "}\n\n",
              parts);
}
