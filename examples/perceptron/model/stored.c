/* How the image of a model file is stored. It begins the file as it is, unless perceptron.h is not to open it. Then the
 * file begins with
 *
 *     "PCNM", how the image is stored (4 bytes): 0 as it is, 1 packed; its length (8 bytes)
 *
 * It is packed if it has a page of memory or more and becomes less than half as long. It is stored as it is where the
 * program prepares rows.
 *
 * Most words of a packed one are what they were before anything was learned: 0, or 1 of variances and Winnow weights.
 * Each run of others, which may be empty, is
 *
 *     how many 0 are before it, or plus 2^15, how many 1.0f    2 bytes
 *     how many words it has                                    2 bytes
 *     the words
 */
#include "model.h"

enum { AS_IT_IS, PACKED, HEAD = 16, LEAST_PACKED = 4096, WINDOW = 1 << 20 };
enum { RUN_MOST = 0x7fff, RUN_OF_ONES = 0x8000 };
#define ONE 0x3f800000u /* 1.0f */

static const char too_large[] = "the model has numbers that are too large for a model file";

/* n words, of a number. */
static void put_words(uint8_t *p, int n, uint64_t number)
{
    int i;
    for (i = 0; i < 4 * n; i++) p[i] = (uint8_t)(number >> 8 * i);
}

static uint32_t word_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

size_t pack_words(const uint8_t *from, size_t bytes, uint8_t *to)
{
    const uint8_t *const begin = to, *const end = from + bytes, *p = from;
    while (p < end) {
        const uint32_t fill = word_at(p) == ONE ? ONE : 0;
        uint32_t filled = 0, run = 0;
        for (; p < end && filled < RUN_MOST && word_at(p) == fill; p += 4) filled++;
        for (from = p; p < end && run < RUN_MOST && word_at(p) != 0 && word_at(p) != ONE; p += 4) run++;
        put_words(to, 1, filled | (fill ? RUN_OF_ONES : 0) | (uint64_t)run << 16);
        memcpy(to + 4, from, 4 * (size_t)run);
        to += 4 + 4 * (size_t)run;
    }
    return (size_t)(to - begin);
}

const uint8_t *unpack_words(const uint8_t *from, const uint8_t *end, uint8_t *to, uint64_t bytes)
{
    while (bytes > 0) {
        const uint32_t head = end - from < 4 ? 0 : word_at(from);
        const size_t filled = 4 * (size_t)(head & RUN_MOST), run = 4 * (size_t)(head >> 16);
        size_t i;
        if (head == 0 || filled + run > bytes || run > (size_t)(end - from) - 4) return NULL;
        for (i = 0; to && head & RUN_OF_ONES && i < filled; i += 4) memcpy(to + i, "\0\0\x80\x3f", 4);
        if (to) memcpy(to + filled, from + 4, run), to += filled + run;
        from += 4 + run;
        bytes -= filled + run;
    }
    return from;
}

/* Bytes of the image of `size` bytes from `from` on, at most a window. Returns how many. */
static size_t take_window(const model *m, const pcn_linear *kept, size_t from, size_t size, uint8_t *bytes)
{
    const size_t part = size - from < WINDOW ? size - from : WINDOW;
    if (m->kind->family->save(m, kept, from, bytes, part) == 0) die(EXIT_INPUT, too_large);
    return part;
}

/* output_close finds what went wrong. */
static void put_image(const model *m, const pcn_linear *kept, size_t size, FILE *f)
{
    uint8_t *bytes = allocate(WINDOW, 1);
    size_t from, part;
    for (from = 0; from < size; from += part) {
        part = take_window(m, kept, from, size, bytes);
        fwrite(bytes, 1, part, f);
    }
    free(bytes);
}

/* The packed image, an stb_ds array; NULL if it would not become less than half as long. */
static uint8_t *pack_image(const model *m, const pcn_linear *kept, size_t size)
{
    uint8_t *bytes = allocate(WINDOW, 1), *words = allocate(PACKED_MOST(WINDOW), 1), *packed = NULL;
    size_t from, part, put = 0;
    for (from = 0; from < size && put < size / 2; from += part) {
        part = take_window(m, kept, from, size, bytes);
        put = pack_words(bytes, part, words);
        memcpy(arraddnptr(packed, put), words, put);
        put = arrlenu(packed);
    }
    free(bytes);
    free(words);
    if (put >= size / 2) arrfree(packed);
    return packed;
}

static void put_head(uint8_t head[HEAD], int how, size_t size)
{
    memcpy(head, STORED_MAGIC, 4);
    put_words(head + 4, 1, (uint64_t)how);
    put_words(head + 8, 2, size);
}

void stored_add(const model *m, uint8_t **out)
{
    const size_t size = m->kind->family->save(m, NULL, 0, NULL, 0), at = arrlenu(*out);
    uint8_t *packed = size < LEAST_PACKED ? NULL : pack_image(m, NULL, size);
    const size_t length = packed ? arrlenu(packed) : size;
    uint8_t *to;
    if (size == 0) die(EXIT_INPUT, too_large);
    arrsetlen(*out, at + HEAD + length);
    to = *out + at;
    put_head(to, packed ? PACKED : AS_IT_IS, size);
    if (packed) memcpy(to + HEAD, packed, length);
    if (!packed && m->kind->family->save(m, NULL, 0, to + HEAD, size) == 0) die(EXIT_INPUT, too_large);
    arrfree(packed);
}

size_t stored_save(const model *m, const pcn_linear *kept, FILE *f)
{
    uint8_t head[HEAD], *packed = NULL;
    const size_t size = m->kind->family->save(m, kept, 0, head, sizeof head);
    size_t length = size;
    if (size == 0) die(EXIT_INPUT, too_large);
    if (size >= LEAST_PACKED) packed = pack_image(m, kept, size);
    if (packed || model_prepares(m) || m->binarize || m->offset || model_kept(m, "products")) {
        put_head(head, packed ? PACKED : AS_IT_IS, size);
        fwrite(head, 1, sizeof head, f);
        length += HEAD;
    }
    if (!packed) {
        put_image(m, kept, size, f);
        return length;
    }
    length = HEAD + arrlenu(packed);
    fwrite(packed, 1, arrlenu(packed), f);
    arrfree(packed);
    return length;
}

static uint64_t size_at(const uint8_t *head)
{
    return word_at(head + 8) | (uint64_t)word_at(head + 12) << 32;
}

const uint8_t *stored_skip(const uint8_t *p, const uint8_t *end)
{
    if (end - p < HEAD || memcmp(p, STORED_MAGIC, 4) != 0) return NULL;
    if (word_at(p + 4) == PACKED) return unpack_words(p + HEAD, end, NULL, size_at(p));
    if (word_at(p + 4) != AS_IT_IS || size_at(p) > (uint64_t)(end - p) - HEAD) return NULL;
    return p + HEAD + (size_t)size_at(p);
}

void stored_take(model *m)
{
    const uint8_t *const p = m->image, *const end = p + m->bytes;
    if (size_at(p) > memory_there_is())
        die(EXIT_MEMORY, "%s: out of memory (its weights take %llu bytes)", m->file, (unsigned long long)size_at(p));
    m->bytes = (size_t)size_at(p);
    m->image = allocate_zero(m->bytes, 1);
    if (word_at(p + 4) == PACKED)
        unpack_words(p + HEAD, end, m->image, m->bytes);
    else
        memcpy(m->image, p + HEAD, m->bytes);
}

/* The runs become words only when there are as many as they shall be: few bytes may claim many. */
void stored_open(model *m)
{
    const uint8_t *const stored = m->image + HEAD, *const end = m->image + m->bytes, *behind = stored;
    uint8_t *plain;
    uint32_t how;
    uint64_t size;
    if (m->bytes < HEAD || memcmp(m->image, STORED_MAGIC, 4) != 0) return;
    how = word_at(m->image + 4);
    size = size_at(m->image);
    if (how > PACKED) die(EXIT_INPUT, "%s: how its image is stored needs a newer version of this program", m->file);
    if (how == PACKED) behind = unpack_words(stored, end, NULL, size);
    if (how == PACKED && behind && size > memory_there_is())
        die(EXIT_MEMORY, "%s: out of memory (its weights take %llu bytes)", m->file, (unsigned long long)size);
    if (how == AS_IT_IS) {
        memmove(m->image, stored, m->bytes -= HEAD);
    } else if (behind) {
        m->bytes = (size_t)size + (size_t)(end - behind);
        plain = allocate_zero(m->bytes, 1);
        unpack_words(stored, end, plain, size);
        memcpy(plain + size, behind, (size_t)(end - behind));
        free(m->image);
        m->image = plain;
    }
    if (!behind || pcn_image_size(m->image, m->bytes) != size)
        die(EXIT_INPUT, "%s: not a model file, or cut short", m->file);
}
