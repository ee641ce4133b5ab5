#include "model.h"

#include <errno.h>
#include <math.h>

#define SECTION_VERSION 1u
#define SECTION_MAGIC 0x504e4350u /* "PCNP" */
enum { TRAILER = 12 };

/* ---- The weights ---- */

int model_is_winnow(const model *m)
{
    return m->algorithm >= ALGORITHM_WINNOW && m->algorithm <= ALGORITHM_BALANCED_WINNOW;
}

static void init_winnow(model *m)
{
    size_t floats = PCN_BATCH(m->trainer.model.features, m->trainer.model.classes);
    m->exponent = allocate_zero(floats, sizeof *m->exponent);
    pcn_winnow_init(&m->trainer, m->exponent, floats, m->threshold,
                    m->algorithm == ALGORITHM_BALANCED_WINNOW);
}

/* Kept weights come without exponents: w = 2^e, or 2^e - 2^-e = 2 sinh(e ln 2), solved for e. */
static void find_exponents(model *m)
{
    const pcn_linear *l = &m->trainer.model;
    size_t i, n = (size_t)l->features * l->classes;
    m->trainer.exponent = m->exponent;
    for (i = 0; i < n; i++) {
        double w = (double)l->weight[i];
        if (m->algorithm == ALGORITHM_BALANCED_WINNOW)
            m->exponent[i] = (float)(asinh(w / 2) / log(2));
        else
            m->exponent[i] = w > 0 ? (float)log2(w) : -PCN_ELIMINATE;
    }
}

void model_init(model *m, uint32_t features, uint32_t classes, int feature_major, int averaged,
                int batched)
{
    uint32_t units = classes == 2 ? 1 : classes;
    size_t floats = PCN_WEIGHTS(features, units);
    if (features > SIZE_MAX / 16 / units - 3) die(EXIT_MEMORY, "out of memory (the model is too large)");
    m->memory = allocate_zero(floats, sizeof *m->memory);
    pcn_perceptron_init(&m->trainer, m->memory, floats, features, units);
    if (feature_major) pcn_feature_major_init(&m->trainer);
    if (model_is_winnow(m)) init_winnow(m);
    m->mean = allocate_zero(PCN_BATCH(features, units), sizeof *m->mean);
    if (averaged) {
        m->sum = allocate_zero(PCN_SUMS(features, units), sizeof *m->sum);
        pcn_averaging_init(&m->trainer, m->sum, PCN_SUMS(features, units));
    }
    if (batched) {
        m->batch = allocate_zero(PCN_BATCH(features, units), sizeof *m->batch);
        pcn_batching_init(&m->trainer, m->batch, PCN_BATCH(features, units));
    }
}

pcn_linear model_decision(model *m)
{
    if (m->sum && !m->frozen) return pcn_averaging_view(&m->trainer, m->mean);
    return m->trainer.model;
}

void model_normalize(const model *m, pcn_vec x, float *value)
{
    uint32_t i;
    if (m->normalize == NORMALIZE_L2) {
        float norm = sqrtf(pcn_norm2(x));
        for (i = 0; norm > 0 && i < x.count; i++) value[i] /= norm;
    } else if (m->normalize == NORMALIZE_MAXABS) {
        for (i = 0; i < x.count; i++) {
            uint32_t j = x.index ? x.index[i] : i;
            if (j < arrlenu(m->scale)) value[i] *= m->scale[j];
        }
    }
}

uint32_t model_class(const model *m, const pcn_linear *weights, pcn_vec x, float *score)
{
    pcn_linear_scores(weights, x, score);
    if (weights->classes != 1) return (uint32_t)pcn_decide(score, weights->classes);
    return m->zero_negative ? score[0] > 0 : score[0] >= 0;
}

void model_free(model *m)
{
    size_t i;
    for (i = 0; i < arrlenu(m->names); i++) free(m->names[i]);
    arrfree(m->names);
    arrfree(m->scale);
    labels_free(&m->labels);
    free(m->memory);
    free(m->sum);
    free(m->batch);
    free(m->exponent);
    free(m->mean);
}

/* ---- Writing ---- */

static void put(uint8_t **s, uint32_t word)
{
    int i;
    for (i = 0; i < 4; i++) arrput(*s, (uint8_t)(word >> 8 * i));
}

static void put_float(uint8_t **s, float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    put(s, word);
}

static void put_text(uint8_t **s, const char *text)
{
    size_t length = strlen(text);
    put(s, (uint32_t)length);
    memcpy(arraddnptr(*s, length), text, length);
}

static uint8_t *make_image(const model *m, const pcn_linear *kept, size_t *size)
{
    pcn_perceptron state = m->trainer;
    uint8_t *image;
    state.batch = NULL; /* empty after an epoch: the image need not have it */
    *size = kept ? pcn_linear_save(kept, 0, NULL, 0) : pcn_perceptron_save(&state, 0, NULL, 0);
    image = allocate(*size, 1);
    if (kept)
        pcn_linear_save(kept, 0, image, *size);
    else
        pcn_perceptron_save(&state, 0, image, *size);
    return image;
}

size_t model_save(const model *m, const pcn_linear *kept, output *o)
{
    size_t size;
    uint8_t *image = make_image(m, kept, &size), *s = NULL;
    uint32_t i, n = labels_count(&m->labels), length;
    put(&s, SECTION_VERSION);
    put(&s, m->algorithm);
    put(&s, (uint32_t)m->zero_negative);
    put(&s, m->normalize);
    put(&s, (uint32_t)m->binarize);
    put_float(&s, m->bias);
    put(&s, m->epochs);
    put(&s, m->seed);
    put(&s, m->order);
    if (model_is_winnow(m)) put_float(&s, m->step);
    put(&s, n);
    for (i = 0; i < n; i++) put_text(&s, labels_text(&m->labels, i));
    put(&s, (uint32_t)arrlenu(m->names));
    for (i = 0; i < arrlenu(m->names); i++) put_text(&s, m->names[i]);
    put(&s, (uint32_t)arrlenu(m->scale));
    for (i = 0; i < arrlenu(m->scale); i++) put_float(&s, m->scale[i]);
    length = (uint32_t)arrlenu(s);
    put(&s, pcn_crc32(0, s, length));
    put(&s, length);
    put(&s, SECTION_MAGIC);
    fwrite(image, 1, size, o->file); /* output_close finds what went wrong */
    fwrite(s, 1, arrlenu(s), o->file);
    size += arrlenu(s);
    free(image);
    arrfree(s);
    return size;
}

/* ---- Reading ---- */

typedef struct cursor {
    const uint8_t *p, *end;
    int bad; /* something was read beyond the end */
} cursor;

static uint32_t get(cursor *c)
{
    const uint8_t *p = c->p;
    if (c->end - p < 4) {
        c->bad = 1;
        return 0;
    }
    c->p += 4;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static float get_float(cursor *c)
{
    uint32_t word = get(c);
    float f;
    memcpy(&f, &word, sizeof f);
    if (!isfinite(f)) c->bad = 1;
    return f;
}

/* A new string; NULL if none is there, or one with a NUL byte. */
static char *get_text(cursor *c)
{
    uint32_t length = get(c);
    char *text;
    if (c->bad || (size_t)(c->end - c->p) < length || memchr(c->p, '\0', length)) {
        c->bad = 1;
        return NULL;
    }
    text = allocate((size_t)length + 1, 1);
    memcpy(text, c->p, length);
    text[length] = '\0';
    c->p += length;
    return text;
}

/* The section into m; 0 if it is not one. */
static int read_section(model *m, cursor *c)
{
    uint32_t i, n;
    if (get(c) != SECTION_VERSION) return 0;
    m->algorithm = get(c);
    m->zero_negative = get(c) != 0;
    m->normalize = get(c);
    m->binarize = get(c) != 0;
    m->bias = get_float(c);
    m->epochs = get(c);
    m->seed = get(c);
    m->order = get(c);
    if (model_is_winnow(m)) m->step = get_float(c);
    n = get(c);
    for (i = 0; i < n && !c->bad; i++) {
        char *text = get_text(c);
        if (text && labels_add(&m->labels, text) != i) c->bad = 1; /* a label twice */
        free(text);
    }
    n = get(c);
    for (i = 0; i < n && !c->bad; i++) {
        char *text = get_text(c);
        if (text) arrput(m->names, text);
    }
    n = get(c);
    for (i = 0; i < n && !c->bad; i++) arrput(m->scale, get_float(c));
    return !c->bad && c->p == c->end && m->algorithm < ALGORITHMS &&
           m->normalize <= NORMALIZE_MAXABS && m->order <= PCN_ORDER_FILE;
}

static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    uint8_t *bytes = NULL;
    size_t room = 0, got = 0;
    if (!f) die(EXIT_IO, "%s: %s", name, strerror(errno));
    do {
        if (got == room) bytes = reallocate(bytes, room = 2 * room + 65536);
        got += fread(bytes + got, 1, room - got, f);
        if (ferror(f)) die(EXIT_IO, "%s: %s", name, strerror(errno));
    } while (!feof(f));
    if (f != stdin) fclose(f);
    *size = got;
    return bytes;
}

void model_load(model *m, const char *name, int batched)
{
    size_t size, section = 0;
    uint8_t *bytes = read_file(name, &size);
    uint32_t classes, crc = 0;
    pcn_image info;
    cursor c;
    int result;
    memset(m, 0, sizeof *m);
    labels_init(&m->labels);
    c.bad = 0;
    if (size >= TRAILER) {
        c.p = bytes + size - TRAILER;
        c.end = bytes + size;
        crc = get(&c);
        section = get(&c);
    }
    if (size < TRAILER || get(&c) != SECTION_MAGIC || section > size - TRAILER)
        die(EXIT_INPUT, "%s: not a model file, or cut short", name);
    size -= TRAILER + section;
    c.p = bytes + size;
    c.end = c.p + section;
    result = pcn_image_read(&info, bytes, size);
    if (result < 0) die(EXIT_INPUT, "%s: %s", name, pcn_error_text(result));
    if (crc != pcn_crc32(0, c.p, section) || !read_section(m, &c))
        die(EXIT_INPUT, "%s: the section behind the image is damaged or of a newer version", name);
    classes = info.classes == 1 ? 2 : info.classes;
    if (labels_count(&m->labels) != classes || info.features == 0 ||
        (m->names && arrlenu(m->names) != info.features) ||
        arrlenu(m->scale) != (m->normalize == NORMALIZE_MAXABS ? info.features : 0))
        die(EXIT_INPUT, "%s: the image and the section behind it do not fit each other", name);
    m->frozen = info.kind == PCN_KIND_LINEAR;
    model_init(m, info.features, classes, (info.parts & PCN_PART_FEATURE_MAJOR) != 0,
               m->algorithm == ALGORITHM_AVERAGED, batched);
    if (m->frozen) m->trainer.exponent = NULL; /* as in the image */
    result = pcn_perceptron_load(&m->trainer, bytes, size);
    if (result < 0) die(EXIT_INPUT, "%s: %s", name, pcn_error_text(result));
    if (m->exponent && m->frozen) find_exponents(m);
    free(bytes);
}
