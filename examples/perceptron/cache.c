#define _POSIX_C_SOURCE 200809L
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "PCNROWS" /* and its NUL */
enum { VERSION = 6, STEP = 64, LANES = 16, START = 0, LABEL, INDEX, VALUE, ARRAYS };
enum {
    BLOCKS = 8, BLOCK = 4096, /* of the source, for its sum */
    PART = 1 << 18            /* of an array: summed while the caches still have it */
};

typedef struct header {
    char magic[8];
    uint32_t version, word;           /* bytes of a size_t */
    source_state source;
    uint64_t values, sum;             /* of the arrays */
    uint32_t rows, features, labels, names, text; /* text: bytes */
    uint32_t dense, ones;
    uint32_t crc;                     /* of what stands before it, and from the texts to the arrays */
} header;

/* ---- Layout ---- */

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + STEP - 1) / STEP * STEP;
}

/* Bytes of each array; not too large if values is at most 2^61. */
static void array_bytes(const header *h, uint64_t bytes[ARRAYS])
{
    bytes[START] = ((uint64_t)h->rows + 1) * sizeof(size_t);
    bytes[LABEL] = (uint64_t)h->rows * sizeof(uint32_t);
    bytes[INDEX] = h->dense ? 0 : h->values * sizeof(uint32_t);
    bytes[VALUE] = h->ones ? 0 : h->values * sizeof(float);
}

static size_t padded_text(const header *h)
{
    return (size_t)round_up(sizeof *h + h->text) - sizeof *h;
}

static uint32_t header_crc(const header *h, const void *texts)
{
    return pcn_crc32(pcn_crc32(0, h, offsetof(header, crc)), texts, padded_text(h));
}

/* ---- Checksum ---- */

/* Fletcher's sum, of words of 64 bits in eight lanes: a change within one word always changes it. */
typedef struct checksum {
    uint64_t sum[8], sums[8]; /* of the words; of the sums up to each */
} checksum;

static void add_step(checksum *c, const void *bytes)
{
    uint64_t word[8];
    unsigned i;
    memcpy(word, bytes, STEP);
    for (i = 0; i < 8; i++) {
        c->sum[i] += word[i];
        c->sums[i] += c->sum[i];
    }
}

/* As if zeros filled the last step. */
static void add_array(checksum *total, const void *array, uint64_t bytes)
{
    const char *p = array, *end = p + bytes / STEP * STEP;
    char rest[STEP] = {0};
    checksum c = *total;
    for (; p < end; p += STEP) add_step(&c, p);
    if (bytes % STEP) {
        memcpy(rest, p, bytes % STEP);
        add_step(&c, rest);
    }
    *total = c;
}

static uint64_t mix(uint64_t value, uint64_t word)
{
    value = (value ^ word) * 0x9E3779B97F4A7C15u;
    return value ^ value >> 32;
}

static uint64_t checksum_value(const checksum *c)
{
    uint64_t value = 0;
    unsigned i;
    for (i = 0; i < 8; i++) value = mix(mix(value, c->sum[i]), c->sums[i]);
    return value;
}

/* ---- Key ---- */

/* Of blocks from the first to the last, equally far apart; of all of a small file. */
static uint64_t source_sum(const char *name, uint64_t bytes)
{
    const uint64_t last = bytes > BLOCK ? bytes - BLOCK : 0;
    int file = open(name, O_RDONLY);
    checksum sum = {{0}, {0}};
    char block[BLOCK];
    unsigned i;
    if (file < 0) die_of(name);
    for (i = 0; i < BLOCKS; i++) {
        ssize_t size = pread(file, block, BLOCK, (off_t)(last * i / (BLOCKS - 1)));
        if (size < 0) die_of(name);
        add_array(&sum, block, (uint64_t)size);
    }
    close(file);
    return checksum_value(&sum);
}

void cache_key_init(cache_key *key, const char *source, const reader_options *o)
{
    struct stat there;
    if (strcmp(source, "-") == 0) die(EXIT_USAGE, "--cache needs DATA in a file, not standard input");
    if (stat(source, &there) != 0) die_of(source);
    if (!S_ISREG(there.st_mode)) die(EXIT_USAGE, "--cache needs DATA in a regular file: %s is none", source);
    key->source.bytes = (uint64_t)there.st_size;
    key->source.device = (uint64_t)there.st_dev;
    key->source.inode = (uint64_t)there.st_ino;
    key->source.modified[0] = there.st_mtim.tv_sec;
    key->source.modified[1] = there.st_mtim.tv_nsec;
    key->source.changed[0] = there.st_ctim.tv_sec;
    key->source.changed[1] = there.st_ctim.tv_nsec;
    key->source.sum = source_sum(source, key->source.bytes);
    key->options = reader_options_text(o);
}

/* ---- Loading ---- */

/* Counts what is not above the index before it; SIZE_MAX: some index is not below `features`. In lanes of a
 * length that compilers make vectors of. */
static size_t count_falls(const uint32_t *index, size_t values, uint32_t features)
{
    uint32_t falls[LANES] = {0}, beyond[LANES] = {0}, some = 0;
    size_t total = 0, k = 1, i;
    if (values > 0 && index[0] >= features) return SIZE_MAX;
    for (; k + LANES <= values; k += LANES)
        for (i = 0; i < LANES; i++) {
            beyond[i] |= index[k + i] >= features;
            falls[i] += index[k + i] <= index[k + i - 1];
        }
    for (; k < values; k++) {
        some |= index[k] >= features;
        total += index[k] <= index[k - 1];
    }
    for (i = 0; i < LANES; i++) {
        some |= beyond[i];
        total += falls[i];
    }
    return some ? SIZE_MAX : total;
}

/* Rows lie one behind the other, labels and features below their numbers, indices rise within a row. */
static int arrays_fit(const rows *d, const header *h)
{
    const size_t *start = d->start;
    size_t falls_between = 0, k, values = (size_t)h->values;
    uint32_t i;
    int good = start[0] == 0 && start[h->rows] == values;
    for (i = 0; i < h->rows; i++) {
        good &= start[i] <= start[i + 1] && start[i + 1] - start[i] <= h->features;
        good &= d->label[i] < h->labels;
    }
    if (!good || h->dense) return good;
    for (i = 1; i < h->rows; i++) {
        k = start[i];
        falls_between += k > 0 && k < start[i + 1] && d->index[k] <= d->index[k - 1];
    }
    return count_falls(d->index, values, h->features) == falls_between;
}

/* The format, the label's column and its name, if it has one. */
static void take_source(cache *c, const char *text)
{
    char *end;
    c->format = (unsigned)strtoul(text, &end, 10);
    c->label_number = (uint32_t)strtoul(end, &end, 10);
    if (*end == ' ') c->label_name = copy_text(end + 1);
}

/* The texts from p on into *c; 0 if these are others or not as many. */
static int take_texts(cache *c, const header *h, const char *p, const cache_key *key)
{
    const char *end = p + h->text;
    uint64_t i, n = (uint64_t)2 + h->labels + h->names;
    if (h->text == 0 || end[-1] != '\0') return 0;
    for (i = 0; i < n && p < end; i++, p += strlen(p) + 1) {
        if (i < 2) {
            if (i == 0 && strcmp(p, key->options) != 0) return 0;
            if (i == 1) take_source(c, p);
        } else if (i - 2 < h->labels) {
            if (labels_add(&c->labels, p) != i - 2) return 0;
        } else {
            arrput(c->names, copy_text(p));
        }
    }
    return i == n && p == end;
}

/* The next bytes of the file into an array, and into its sum. 0: there are not as many. They are read, not mapped:
 * a mapping would change, or end, with the file. */
static int read_array(FILE *f, void *array, uint64_t bytes, checksum *sum)
{
    char *p = array;
    size_t part;
    use_huge_pages(array, (size_t)bytes);
    for (; bytes > 0; p += part, bytes -= part) {
        part = bytes < PART ? (size_t)bytes : PART;
        if (fread(p, 1, part, f) != part) return 0;
        add_array(sum, p, part);
    }
    return 1;
}

/* For as many, and for what fills the last step. */
#define MAKE_ROOM(array, count) \
    (arrsetcap(array, (count) + STEP / sizeof *(array)), arrsetlen(array, count), (void *)(array))

/* All that is behind the texts, in a file of `size` bytes, into c->data; 0 if it is not as it should be. */
static int take_arrays(cache *c, FILE *f, const header *h, uint64_t size)
{
    rows *d = &c->data;
    uint64_t bytes[ARRAYS], total = round_up(sizeof *h + h->text);
    checksum sum = {{0}, {0}};
    void *array[ARRAYS];
    unsigned i;
    array_bytes(h, bytes);
    for (i = 0; i < ARRAYS; i++) total += round_up(bytes[i]);
    if (total != size) return 0;
    array[START] = MAKE_ROOM(d->start, h->rows + (size_t)1);
    array[LABEL] = MAKE_ROOM(d->label, h->rows);
    array[INDEX] = bytes[INDEX] ? MAKE_ROOM(d->index, (size_t)h->values) : NULL;
    array[VALUE] = bytes[VALUE] ? MAKE_ROOM(d->value, (size_t)h->values) : NULL;
    for (i = 0; i < ARRAYS; i++)
        if (!read_array(f, array[i], round_up(bytes[i]), &sum)) return 0;
    c->dense = h->dense != 0;
    d->count = h->rows;
    d->features = h->features;
    return checksum_value(&sum) == h->sum && arrays_fit(d, h);
}

static int header_fits(const header *h, uint64_t size, const cache_key *key)
{
    return h->version == VERSION && h->word == sizeof(size_t) &&
           memcmp(&h->source, &key->source, sizeof h->source) == 0 &&
           round_up(sizeof *h + (uint64_t)h->text) <= size && h->rows > 0 && h->values <= size &&
           (h->names == 0 || h->names == h->features) && !(h->dense && h->ones);
}

static int read_cache(cache *c, FILE *f, uint64_t size, const cache_key *key)
{
    header h;
    char *texts;
    size_t padded;
    int good;
    if (fread(&h, sizeof h, 1, f) != 1 || !header_fits(&h, size, key)) return 0;
    padded = padded_text(&h);
    texts = allocate(padded, 1);
    good = fread(texts, 1, padded, f) == padded && header_crc(&h, texts) == h.crc &&
           take_texts(c, &h, texts, key) && take_arrays(c, f, &h, size);
    free(texts);
    return good;
}

/* NULL: there is none. */
static FILE *open_cache(const char *name, uint64_t *size)
{
    char magic[sizeof MAGIC];
    struct stat there;
    int good;
    FILE *f = fopen(name, "rb");
    if (!f && errno == ENOENT) return NULL;
    if (!f || setvbuf(f, NULL, _IONBF, 0) != 0 || fstat(fileno(f), &there) != 0)
        die_of(name);
    *size = (uint64_t)there.st_size;
    good = S_ISREG(there.st_mode) && *size <= SIZE_MAX && fread(magic, sizeof magic, 1, f) == 1 &&
           memcmp(magic, MAGIC, sizeof magic) == 0;
    if (ferror(f)) die_of(name);
    if (!good)
        die(EXIT_INPUT, "%s: not a cache of rows, so it is left as it is: give --cache another name", name);
    rewind(f);
    return f;
}

void cache_free(cache *c)
{
    size_t i;
    for (i = 0; i < arrlenu(c->names); i++) free(c->names[i]);
    arrfree(c->names);
    free(c->label_name);
    labels_free(&c->labels);
    rows_free(&c->data);
}

int cache_load(cache *c, const char *name, const cache_key *key)
{
    uint64_t size;
    FILE *f = open_cache(name, &size);
    int good;
    memset(c, 0, sizeof *c);
    if (!f) return 0;
    labels_init(&c->labels);
    good = read_cache(c, f, size, key);
    fclose(f);
    if (!good) cache_free(c);
    return good;
}

/* ---- Saving ---- */

static void put_text(char **texts, const char *text)
{
    size_t size = strlen(text) + 1;
    memcpy(arraddnptr(*texts, size), text, size);
}

/* The labels that have rows, ascending; label: for each row the number among them. */
static labels number_labels(const rows *data, const labels *numbering, uint32_t *label)
{
    labels used, sorted;
    uint32_t i, n = labels_count(numbering), *number = allocate_zero(n, sizeof *number);
    labels_init(&used);
    for (i = 0; i < data->count; i++) number[data->label[i]] = 1;
    for (i = 0; i < n; i++)
        if (number[i]) labels_add(&used, labels_text(numbering, i));
    sorted = labels_sorted(&used);
    for (i = 0; i < n; i++) number[i] = labels_find(&sorted, labels_text(numbering, i));
    for (i = 0; i < data->count; i++) label[i] = number[data->label[i]];
    labels_free(&used);
    free(number);
    return sorted;
}

static uint32_t is_all_ones(const rows *data, size_t values)
{
    size_t i = 0;
    while (i < values && data->value[i] == 1) i++;
    return i == values;
}

static void write_padded(FILE *f, const void *bytes, uint64_t size, uint64_t padded)
{
    static const char zero[STEP];
    if (size) fwrite(bytes, 1, (size_t)size, f); /* output_close finds what went wrong */
    fwrite(zero, 1, (size_t)(padded - size), f);
}

static char *make_texts(const cache_key *key, const labels *l, const reader *in)
{
    const char *label_name = in->label_name ? in->label_name : "";
    char *texts = NULL, *source = allocate(strlen(label_name) + 32, 1);
    uint32_t i;
    sprintf(source, "%u %lu%s%s", in->options.format, (unsigned long)in->label_number, in->label_name ? " " : "",
            label_name);
    put_text(&texts, key->options);
    put_text(&texts, source);
    free(source);
    for (i = 0; i < labels_count(l); i++) put_text(&texts, labels_text(l, i));
    for (i = 0; i < arrlenu(in->names); i++) put_text(&texts, in->names[i]);
    arrsetcap(texts, arrlenu(texts) + STEP);
    memset(texts + arrlenu(texts), 0, STEP);
    return texts;
}

static header make_header(const cache_key *key, const rows *data, int dense)
{
    header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.version = VERSION;
    h.word = sizeof(size_t);
    h.source = key->source;
    h.values = data->start[data->count];
    h.rows = data->count;
    h.features = data->features;
    h.dense = dense != 0;
    h.ones = !h.dense && is_all_ones(data, (size_t)h.values);
    return h;
}

void cache_save(const char *name, const cache_key *key, const rows *data, const labels *numbering, const reader *in)
{
    uint32_t i, *label = allocate(data->count, sizeof *label);
    labels sorted = number_labels(data, numbering, label);
    char *texts = make_texts(key, &sorted, in);
    header h = make_header(key, data, in->dense);
    const void *array[ARRAYS];
    uint64_t bytes[ARRAYS];
    checksum sum = {{0}, {0}};
    output o;
    array[START] = data->start;
    array[LABEL] = label;
    array[INDEX] = data->index;
    array[VALUE] = data->value;
    array_bytes(&h, bytes);
    h.labels = labels_count(&sorted);
    h.names = (uint32_t)arrlenu(in->names);
    h.text = (uint32_t)arrlenu(texts);
    for (i = 0; i < ARRAYS; i++)
        if (bytes[i]) add_array(&sum, array[i], bytes[i]);
    h.sum = checksum_value(&sum);
    h.crc = header_crc(&h, texts);

    output_open(&o, name);
    fwrite(&h, 1, sizeof h, o.file);
    write_padded(o.file, texts, h.text, padded_text(&h));
    for (i = 0; i < ARRAYS; i++) write_padded(o.file, array[i], bytes[i], round_up(bytes[i]));
    output_close(&o);
    free(label);
    arrfree(texts);
    labels_free(&sorted);
}
