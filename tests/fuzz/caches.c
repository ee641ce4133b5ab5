/* Caches of rows, with checksums and size repaired: each is refused, or gives rows on which all is clean, and which a
 * new cache keeps. With any bit changed it is refused. Input: 4 bytes that choose, the header without its first 80
 * bytes, texts and arrays. */
#include "program.h"

/* A cache is written to a file without a name. */
static void open_scratch(output *o, const char *name)
{
    (void)name;
    o->file = tmpfile();
    MUST(o->file);
}

static FILE *scratch; /* the one written last */

static void close_scratch(output *o)
{
    scratch = o->file;
}

#define output_open open_scratch
#define output_close close_scratch
#include "cache.c"

enum { CHOICES = 4, KNOWN = offsetof(header, values), MOST = 8192, MOST_FEATURES = 4096 };

static failure stop;
static cache_key key;

/* A file with the input's numbers, as long as they say; its size. NULL: there is none as long. */
static uint8_t *repair(const uint8_t *bytes, size_t size, size_t *total)
{
    header h;
    uint64_t length[ARRAYS], all;
    uint8_t *file;
    checksum sum = {{0}, {0}};
    unsigned i;
    memset(&h, 0, sizeof h);
    memcpy((char *)&h + KNOWN, bytes, size < sizeof h - KNOWN ? size : sizeof h - KNOWN);
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.version = VERSION, h.word = sizeof(size_t), h.source = key.source;
    array_bytes(&h, length);
    all = round_up(sizeof h + (uint64_t)h.text);
    for (i = 0; i < ARRAYS; i++) all += round_up(length[i]);
    if (all > MOST || h.values > MOST) return NULL;
    *total = (size_t)all;
    file = (uint8_t *)room(*total);
    memset(file, 0, *total);
    if (size > sizeof h - KNOWN) {
        size -= sizeof h - KNOWN;
        memcpy(file + sizeof h, bytes + sizeof h - KNOWN, size < *total - sizeof h ? size : *total - sizeof h);
    }
    all = round_up(sizeof h + (uint64_t)h.text);
    add_array(&sum, file + all, *total - all);
    h.sum = checksum_value(&sum);
    h.crc = header_crc(&h, file + sizeof h);
    memcpy(file, &h, sizeof h);
    return file;
}

/* By the words of cache.h and rows.h. */
static void check_rows(const cache *c)
{
    const rows *d = &c->data;
    uint32_t i, k;
    MUST(d->count > 0 && arrlenu(d->start) == d->count + (size_t)1 && arrlenu(d->label) == d->count);
    MUST(d->start[0] == 0 && (!d->index || arrlenu(d->index) == d->start[d->count]));
    MUST(!d->value || arrlenu(d->value) == d->start[d->count]);
    MUST(arrlenu(c->names) == 0 || arrlenu(c->names) == d->features);
    for (i = 0; i < d->count; i++) {
        pcn_vec x = rows_vector(d, i);
        MUST(d->start[i] <= d->start[i + 1] && x.count <= d->features && d->label[i] < labels_count(&c->labels));
        for (k = 0; k < x.count && x.index; k++)
            MUST(x.index[k] < d->features && (k == 0 || x.index[k] > x.index[k - 1]));
    }
}

/* What train does with them. */
static void learn_rows(rows *d, uint32_t classes)
{
    size_t n = PCN_PERCEPTRON_FLOATS(d->features, classes);
    float *memory, *mean;
    uint32_t i;
    pcn_perceptron m;
    if (d->features > MOST_FEATURES || classes > 64) return;
    memory = floats(n);
    MUST(pcn_perceptron_init(&m, d->features, classes, memory, n) == PCN_OK);
    for (i = 0; i < d->count; i++) {
        rows_fetch_start(d, i), rows_fetch(d, i);
        if (classes > 1)
            MUST(pcn_perceptron_learn_class(&m, rows_vector(d, i), (int)d->label[i]) != PCN_EINDEX);
        else
            MUST(pcn_perceptron_learn(&m, rows_vector(d, i), 1) != PCN_EINDEX);
    }
    mean = rows_means(d);
    if (d->value) rows_fill(d, mean);
    if (d->index && d->value && (uint64_t)d->count * d->features < 65536) rows_spread(d);
    arrfree(mean);
    free(memory);
}

/* A cache of these rows gives them again. Labels without rows are left out, so their numbers may change. */
static void save_again(cache *c)
{
    static cache again;
    char path[32];
    reader in;
    size_t values = c->data.start[c->data.count];
    uint32_t i;
    memset(&in, 0, sizeof in);
    for (i = 0; i < values && arrlenu(c->data.value) < values; i++) arrput(c->data.value, 1); /* as train saves them */
    in.dense = c->dense, in.names = c->names, in.label_name = c->label_name, in.label_number = c->label_number;
    in.options.format = c->format;
    cache_save("", &key, &c->data, &c->labels, &in);
    MUST(fflush(scratch) == 0);
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(scratch));
    MUST(cache_load(&again, path, &key) == 1);
    fclose(scratch);
    MUST(again.data.count == c->data.count && again.data.features == c->data.features && again.dense == c->dense);
    MUST(again.format == c->format && again.label_number == c->label_number);
    MUST(same(again.data.start, c->data.start, (c->data.count + (size_t)1) * sizeof(size_t)));
    if (c->data.index) MUST(same(again.data.index, c->data.index, values * sizeof(uint32_t)));
    if (c->data.value && again.data.value) MUST(same(again.data.value, c->data.value, values * sizeof(float)));
    for (i = 0; i < c->data.count; i++)
        MUST(strcmp(labels_text(&again.labels, again.data.label[i]), labels_text(&c->labels, c->data.label[i])) == 0);
    rows_free(&again.data), labels_free(&again.labels);
}

static void use_file(const uint8_t *file, size_t size, uint32_t choice)
{
    static cache c;
    uint8_t *bad = (uint8_t *)copy_of(file, size);
    size_t flip = sizeof MAGIC + choice / 8 % (size - sizeof MAGIC);
    bad[flip] ^= (uint8_t)(1 << (choice & 7));
    MUST(cache_load(&c, write_input(bad, size), &key) == 0);
    labels_free(&c.labels);
    free(bad);
    if (cache_load(&c, write_input(file, size), &key)) {
        check_rows(&c);
        save_again(&c);
        learn_rows(&c.data, labels_count(&c.labels));
        rows_free(&c.data);
    }
    labels_free(&c.labels);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char options[] = "o";
    input in;
    uint8_t *file;
    size_t total;
    static uint32_t choice; /* longjmp must not lose it */
    if (size < CHOICES || size > MOST) return 0;
    key.options = options;
    in.at = bytes, in.end = bytes + size;
    choice = take_word(&in);
    file = repair(in.at, (size_t)(in.end - in.at), &total);
    if (!file) return 0;
    failing = &stop;
    if (setjmp(stop.back) == 0)
        use_file(file, total, choice);
    else
        MUST(stop.status == EXIT_MEMORY);
    failing = NULL;
    free(file);
    return 0;
}
