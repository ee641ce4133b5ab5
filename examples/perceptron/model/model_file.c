/* Model files, and what other files are: this is the one place that knows the layout. A model file is an image of
 * perceptron.h, then a section of the program's own.
 *
 *     image     pcn_perceptron (the whole state), or pcn_linear (weights that are imported, or kept by
 *               --pocket or --validate); of two learners that of the one that leads
 *     section   all numbers little-endian:
 *         version (4 bytes) = 5. Files of any other are refused
 *         1, or 0 where equal integers are one label: in models of libsvm text, and imported ones
 *         number of the learner in the table, decision, zero_negative, normalize, binarize, epochs (those whose order
 *         was drawn) (4 bytes each)
 *         options of training that are remembered: count, then length and bytes of each, as name=value
 *         labels: count, then length and bytes of each, in the order of classes; there may be one alone
 *         feature names: likewise; 0 of them if the data had none
 *         scale of each feature: count, binary32 each; 0 of them if not --normalize maxabs
 *         what stands for a missing value of each feature: likewise; 0 of them if not --missing mean
 *         label column: its number from 1, its name; 0 and nothing if there was none
 *         greatest size of a value, or 0, and 1 if some are no whole numbers, else 0 (binary32 each). 0: they are not
 *         known, as for rows of unit length and models that store vectors, and in imported models
 *         words (4 bytes): enum words. If tfidf or log: rows that were counted; number of features; how many frequencies
 *         follow, those that are not 0, each behind the number of its feature; it lacks where all from there on follow
 *         features that --normalize standard scales (4 bytes); unless 0, the image of their pcn_scaler
 *         if 8 is added to normalize: how many offsets are not 0; number of the feature and binary64 of each
 *         if 16 is: how many features are dates; number and enum date_order of each (4 bytes each)
 *         if 32 is: how many numbers a fit has, and binary32 each: see fit.h
 *         of two learners (pair.c; then the number of the learner has 256 (1 + that of the other) + 65536 (16 + lead)
 *         added): the image of the other with the head of stored.c; 1 and the image of its pcn_calibration, or 0
 *         image of a pcn_calibration, of a model that gives probabilities; otherwise nothing
 *     CRC-32 of the section, its length without this and what follows (4 bytes each), "PCNP"
 *
 * An image alone, as C programs save them, is a model without names: its labels are the numbers of its classes. */
#include "model.h"
#include "section.h"

#include <math.h>

#define IMAGE_MAGIC "PCN\x1a"
#define SECTION_MAGIC 0x504e4350u /* "PCNP" */
enum { TRAILER = 12, FEATURES_UNSEEN = 1 << 20 /* in rows of a kernel model that has stored none */ };
enum { OPENED_MOST = 1 << 20 }; /* bytes of a model file that is opened whole when it has been written */

/* ---- Writing ---- */

/* Opens what is written as every command will, before it takes the place of an older model; ends the program if that
 * cannot be done. Of a large file it opens the section: perceptron.h has checked the numbers of the image. */
static void check_written(const model *m, const pcn_linear *kept, const output *o, const uint8_t *section,
                          uint32_t length, size_t size);

size_t model_save(const model *m, const pcn_linear *kept, output *o)
{
    size_t size = stored_save(m, kept, o->file);
    model copy = *m;
    codec c = {NULL, NULL, NULL, 0, 0, 0};
    uint32_t length;
    code_section(&c, &copy);
    if (c.bad || arrlenu(c.out) > UINT32_MAX)
        die(EXIT_INPUT, "the model has numbers that are too large for a model file");
    length = (uint32_t)arrlenu(c.out);
    code_word(&c, pcn_crc32(0, c.out, length));
    code_word(&c, length);
    code_word(&c, SECTION_MAGIC);
    fwrite(c.out, 1, arrlenu(c.out), o->file);
    size += arrlenu(c.out);
    check_written(m, kept, o, c.out, length, size);
    arrfree(c.out);
    return size;
}

/* ---- Reading ---- */

uint8_t *read_file(const char *name, size_t *size)
{
    FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    uint8_t *bytes = NULL;
    size_t room = 0, got = 0;
    if (!f) die_of(name);
    do {
        if (got == room) bytes = reallocate(bytes, room = 2 * room + 65536);
        got += fread(bytes + got, 1, room - got, f);
        if (ferror(f)) die_of(name);
    } while (!feof(f));
    if (f != stdin) fclose(f);
    *size = got;
    return bytes;
}

static codec read_from(const uint8_t *p, size_t size)
{
    codec c = {NULL, p, p + size, 0, 1, 0};
    return c;
}

/* A section into m, whose image is known. Returns 0 if it is damaged; ends the program if the two do not fit. */
static int open_section(model *m, const uint8_t *bytes, size_t length)
{
    const pcn_image *info = &m->info;
    codec c = read_from(bytes, length);
    c.features = info->features;
    code_section(&c, m);
    if (c.bad || c.p != c.end) return 0;
    if (labels_count(&m->labels) == 0 || model_units(m) != info->scores || info->features == 0 ||
        (m->names && arrlenu(m->names) != info->features) ||
        arrlenu(m->scale) != (m->normalize == NORMALIZE_MAXABS ? info->features : 0) ||
        (m->fill && arrlenu(m->fill) != info->features) ||
        arrlenu(m->document_frequency) != (model_weighs_words(m) ? info->features : 0) ||
        m->scaler.features > (model_standardizes(m) ? info->features : 0) ||
        (model_calibrated(m) && labels_count(&m->labels) < 2) ||
        (model_vectors(m) != NULL) != (info->kind == PCN_KIND_KERNEL))
        die(EXIT_INPUT, "%s: the image and the section behind it do not fit each other", m->file);
    return 1;
}

/* The section behind the image, and the end of the file. */
static void load_section(model *m, const uint8_t *bytes, size_t size)
{
    codec c = read_from(bytes + size - TRAILER, TRAILER);
    const uint32_t crc = code_word(&c, 0), length = code_word(&c, 0);
    const size_t image = (size_t)pcn_image_size(bytes, size);
    const int good = image <= size - TRAILER && size - TRAILER - image == length &&
                     crc == pcn_crc32(0, bytes + image, length);
    if (!good || !open_section(m, bytes + image, length))
        die(EXIT_INPUT, "%s: the section behind the image is damaged", m->file);
}

static int has_trailer(const uint8_t *bytes, size_t size)
{
    codec c;
    if (size < TRAILER) return 0;
    c = read_from(bytes + size - 4, 4);
    return code_word(&c, 0) == SECTION_MAGIC;
}

int begins_as_model(const char *name)
{
    return file_begins(name, IMAGE_MAGIC) || file_begins(name, STORED_MAGIC);
}

int model_replaces(const char *name)
{
    FILE *old = output_old(name);
    uint8_t start[4], end[TRAILER];
    int is_model;
    if (!old) return 1;
    is_model = fread(start, 1, sizeof start, old) == sizeof start &&
               (memcmp(start, IMAGE_MAGIC, sizeof start) == 0 || memcmp(start, STORED_MAGIC, sizeof start) == 0) &&
               fseek(old, -(long)sizeof end, SEEK_END) == 0 && fread(end, 1, sizeof end, old) == sizeof end &&
               has_trailer(end, sizeof end);
    output_old_read(old, name);
    return is_model;
}

int image_replaces(const char *name)
{
    FILE *old = output_old(name);
    pcn_image info;
    uint8_t *bytes;
    size_t size;
    int is_raw;
    if (!old) return 1;
    fclose(old);
    bytes = read_file(name, &size);
    is_raw = pcn_image_read(&info, bytes, size) == PCN_OK && pcn_image_size(bytes, size) == size &&
             image_kind_of(&info)->is_frozen;
    free(bytes);
    return is_raw;
}

/* What it is nearest to. */
static const char *learner_of(const pcn_image *i)
{
    if (i->kind == PCN_KIND_KERNEL) return "kernel";
    if (i->parts & PCN_PART_VARIANCES) return "arow";
    if (i->parts & PCN_PART_BALANCED) return "balanced-winnow";
    if (i->parts & PCN_PART_EXPONENTS) return "winnow";
    return i->parts & PCN_PART_SUMS ? "averaged" : "perceptron";
}

/* Images that C programs save beside a model. */
static void refuse_part(const char *name, const pcn_image *info)
{
    if (info->kind == PCN_KIND_CALIBRATION)
        die(EXIT_INPUT,
            "%s: the image of a pcn_calibration, by which scores become probabilities, and no model: give the model's "
            "file; in C pcn_calibration_load takes this one",
            name);
    if (info->kind == PCN_KIND_SCALER)
        die(EXIT_INPUT,
            "%s: the image of a pcn_scaler, the means and variances of %lu columns, and no model: give the model's "
            "file; in C pcn_scaler_load takes this one",
            name, (unsigned long)info->features);
}

/* Is there another image behind the first? As a calibration lies behind its model. */
static void refuse_several(const char *name, const uint8_t *bytes, size_t size)
{
    const size_t first = (size_t)pcn_image_size(bytes, size);
    pcn_image info;
    if (pcn_image_read(&info, bytes + first, size - first) != PCN_OK) return;
    die(EXIT_INPUT, "%s: an image of %zu bytes and another behind it%s: head -c %zu %s has the first alone", name,
        first, info.kind == PCN_KIND_CALIBRATION ? ", of a pcn_calibration" : "", first, name);
}

/* One row of weights has the labels -1 and 1. */
static void take_image(model *m, const char *name)
{
    const pcn_image *info = &m->info;
    const uint32_t one = info->scores == 1; /* row of weights */
    char label[16];
    uint32_t k;
    if (info->features == 0 || info->scores > m->bytes)
        die(EXIT_INPUT, "%s: an image of %lu features and %lu classes: there is nothing in it", name,
            (unsigned long)info->features, (unsigned long)info->scores);
    m->is_bare = 1;
    m->kind = learner_named(learner_of(info));
    m->decision = info->kind == PCN_KIND_PERCEPTRON && info->parts & PCN_PART_SUMS ? PCN_DECIDE_MEAN : PCN_DECIDE_LAST;
    m->frozen = info->count.rows == 0;
    m->zero_negative = (info->parts & PCN_PART_ZERO_NEGATIVE) != 0;
    if (one) labels_add(&m->labels, "-1");
    for (k = one; k < info->scores + one; k++) {
        snprintf(label, sizeof label, "%lu", (unsigned long)k);
        labels_add(&m->labels, label);
    }
}

void model_take_as(const model *m, int image)
{
    if (image && !m->is_bare) die(EXIT_USAGE, "--image: %s is a model file, with labels: leave it out", m->file);
    if (!image && m->is_bare)
        die(EXIT_INPUT,
            "%s: an image alone, or a model file cut short, without labels, names and scaling: --image takes it for "
            "an image, with labels -1 and 1, or 0 to K - 1",
            m->file);
    if (image_kind_of(&m->info)->has_integers)
        die(EXIT_INPUT,
            "%s is an image of integers, and does not say in what units its rows are: show prints it, and "
            "in C pcn_ilinear_open predicts by it",
            m->file);
}

/* Weights are all in the image, so that its bytes bound what is to be allocated. Dense rows of a kernel model, which
 * are as long as the features are many, need not be. */
static void check_numbers(const char *name, const pcn_image *info)
{
    const int dense = info->kind == PCN_KIND_KERNEL && !(info->parts & PCN_PART_SPARSE);
    if (dense && info->features > FEATURES_UNSEEN && info->features - FEATURES_UNSEEN > info->cells)
        die(EXIT_INPUT, "%s: damaged: rows of %lu numbers, of which it has stored %lu", name,
            (unsigned long)info->features, (unsigned long)info->cells);
}

/* Opens the bytes in m->image. m->file: what errors call them. */
static void take_bytes(model *m)
{
    const char *const name = m->file;
    const pcn_image *info = &m->info;
    int result;
    m->file_bytes = m->bytes;
    stored_open(m);
    labels_init(&m->labels);
    result = pcn_image_read(&m->info, m->image, m->bytes);
    if (result == PCN_OK && pcn_image_size(m->image, m->bytes) == m->bytes) {
        refuse_part(name, info);
        take_image(m, name);
    } else {
        if (result == PCN_ESCORES) die(EXIT_INPUT, "%s: %s", name, pcn_error_text(result));
        if (result == PCN_OK && !has_trailer(m->image, m->bytes)) refuse_several(name, m->image, m->bytes);
        if (!has_trailer(m->image, m->bytes)) die(EXIT_INPUT, "%s: not a model file, or cut short", name);
        if (result < 0) die(EXIT_INPUT, "%s: %s", name, pcn_error_text(result));
        load_section(m, m->image, m->bytes);
    }
    check_numbers(name, info);
    if (model_vectors(m)) m->kernel = info->kernel_id - 1;
    if (model_vectors(m) && m->kernel > KERNEL_RBF)
        die(EXIT_INPUT, "%s: kernel %lu is not one of this program's", name, (unsigned long)info->kernel_id);
}

void model_open(model *m, const char *name)
{
    m->file = name;
    m->image = read_file(name, &m->bytes);
    take_bytes(m);
}

void model_load(model *m, int batched)
{
    int result = m->kind->family->load(m, &m->info, batched);
    if (result == PCN_ENOMEM) die(EXIT_MEMORY, "%s (%s)", pcn_error_text(result), m->file);
    if (result < 0) die(EXIT_INPUT, "%s: %s", m->file, pcn_error_text(result));
    free(m->image);
    m->image = NULL;
}

void model_load_both(model *m, int batched)
{
    model *other = m->beside;
    const pcn_image *info = &m->info;
    if (other) {
        pair_share(m);
        stored_take(other);
        if (pcn_image_read(&other->info, other->image, other->bytes) < 0 || other->info.kind != PCN_KIND_PERCEPTRON ||
            other->info.features != info->features || other->info.scores != info->scores)
            die(EXIT_INPUT, "%s: damaged: what its second learner has learned", m->file);
        model_load(other, batched);
    }
    model_load(m, batched);
}

static void check_written(const model *m, const pcn_linear *kept, const output *o, const uint8_t *section,
                          uint32_t length, size_t size)
{
    static const char lost[] = " is not written, since it could not be opened again";
    model again;
    char *what;
    if (!o->temporary) return;
    if (fflush(o->file) != 0 || ferror(o->file)) return; /* output_close says what went wrong */
    what = allocate(strlen(o->name) + sizeof lost, 1);
    sprintf(what, "%s%s", o->name, lost);
    memset(&again, 0, sizeof again);
    again.file = what;
    if (size <= OPENED_MOST) {
        again.image = read_file(o->temporary, &again.bytes);
        take_bytes(&again);
        model_load_both(&again, 0);
    } else {
        labels_init(&again.labels);
        again.info.kind = model_vectors(m) ? PCN_KIND_KERNEL : PCN_KIND_PERCEPTRON;
        again.info.features = kept ? kept->features : model_features(m);
        again.info.scores = kept ? kept->scores : model_units(m);
        if (!open_section(&again, section, length)) die(EXIT_INPUT, "%s: its section is damaged", what);
    }
    model_free(&again);
    free(what);
}
