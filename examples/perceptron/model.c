#include "model.h"
#include "options.h"

#include <math.h>

#define SECTION_VERSION 2u
#define SECTION_MAGIC 0x504e4350u /* "PCNP" */
enum { TRAILER = 12 };

/* ---- The weights ---- */

int model_is_winnow(const model *m)
{
    return m->algorithm >= ALGORITHM_WINNOW && m->algorithm <= ALGORITHM_BALANCED_WINNOW;
}

/* Does it predict by the mean of its weights? */
static int is_averaged(const model *m)
{
    return m->algorithm == ALGORITHM_AVERAGED || (m->algorithm == ALGORITHM_AROW && m->decision == PCN_DECIDE_MEAN);
}

/* A model that does not remember it, such as an imported one, tells it by its layout or its source. */
unsigned model_rows(const model *m)
{
    const pcn_linear *l = &m->trainer.model;
    int dense = m->label_number > 0;
    size_t i;
    for (i = 0; i < arrlenu(m->kept); i++) {
        if (strcmp(m->kept[i], "rows=sparse") == 0) return ROWS_SPARSE;
        if (strcmp(m->kept[i], "rows=dense") == 0) return ROWS_DENSE;
    }
    if (model_is_kernel(m)) dense = !m->dual.sparse;
    else if (l->classes > 1) dense = l->column == 1;
    return dense ? ROWS_DENSE : ROWS_SPARSE;
}

uint32_t model_features(const model *m)
{
    return model_is_kernel(m) ? m->dual.model.features : m->trainer.model.features;
}

static pcn_kernel chosen_kernel(const model *m)
{
    if (m->kernel == KERNEL_POLY) return pcn_kernel_poly(m->degree, m->gamma, m->coef0);
    if (m->kernel == KERNEL_RBF) return pcn_kernel_rbf(m->gamma);
    return pcn_kernel_linear();
}

/* What a budget does when it is used up; without one the arrays grow. */
static void init_policy(model *m)
{
    pcn_kperceptron *d = &m->dual;
    size_t floats = m->policy == POLICY_PROJECTRON ? m->budget * ((size_t)m->budget + 2) : m->budget;
    if (m->budget && m->policy >= POLICY_FORGETRON) m->aux = allocate_zero(floats, sizeof *m->aux);
    if (!m->budget)
        d->admit = pcn_admit_grow;
    else if (m->policy == POLICY_OLDEST)
        d->admit = pcn_admit_oldest;
    else if (m->policy == POLICY_RANDOM)
        d->admit = pcn_admit_random;
    else if (m->policy == POLICY_FORGETRON && pcn_kperceptron_use_forgetron(d, m->aux, floats) < 0)
        die(EXIT_USAGE, "--policy forgetron is for two labels: more can have oldest, random or projectron");
    else if (m->policy == POLICY_PROJECTRON)
        pcn_kperceptron_use_projectron(d, m->aux, floats, 1e-3f);
}

/* Without a budget the arrays grow; with one they are all here. Forgetting policies have no log. */
static void init_kernel(model *m, uint32_t features, uint32_t units, int sparse)
{
    size_t floats = PCN_KPERCEPTRON_FLOATS(sparse ? 0 : features, units, m->budget);
    size_t cells = sparse ? (size_t)m->budget * features : 0, entries = (size_t)m->budget * 64;
    if (m->budget) m->slots = allocate_zero(m->budget, sizeof *m->slots);
    m->memory = allocate_zero(floats, sizeof *m->memory);
    pcn_kperceptron_init(&m->dual, chosen_kernel(m), features, units, m->slots, m->budget, m->memory, floats);
    m->dual.seed = m->seed;
    init_policy(m);
    if (sparse) {
        m->store = cells ? allocate(cells, sizeof *m->store) : NULL;
        m->store_index = cells ? allocate(cells, sizeof *m->store_index) : NULL;
        pcn_kperceptron_use_sparse(&m->dual, m->store, m->store_index, cells);
    }
    if (m->budget && m->policy != POLICY_STOP) return;
    if (entries > UINT32_MAX) entries = UINT32_MAX;
    m->log = m->budget ? allocate(entries, sizeof *m->log) : NULL;
    pcn_kperceptron_use_log(&m->dual, m->log, (uint32_t)entries);
}

static void init_winnow(model *m)
{
    size_t floats = PCN_LINEAR_FLOATS(m->trainer.model.features, m->trainer.model.classes);
    m->state = allocate_zero(floats, sizeof *m->state);
    pcn_perceptron_use_winnow(&m->trainer, m->state, floats, m->threshold,
                              m->algorithm == ALGORITHM_BALANCED_WINNOW);
}

static void init_arow(model *m)
{
    size_t floats = PCN_LINEAR_FLOATS(m->trainer.model.features, m->trainer.model.classes);
    m->state = allocate_for_weights(floats, sizeof *m->state);
    pcn_perceptron_use_confidence(&m->trainer, m->state, floats, m->r > 0 ? m->r : 1);
}

/* w = 2^e, or 2^e - 2^-e = 2 sinh(e ln 2), solved for e. */
static void find_exponents(model *m)
{
    const pcn_linear *l = &m->trainer.model;
    size_t i, n = (size_t)l->features * l->classes;
    for (i = 0; i < n; i++) {
        double w = (double)l->weight[i];
        if (m->algorithm == ALGORITHM_BALANCED_WINNOW)
            m->state[i] = (float)(asinh(w / 2) / log(2));
        else
            m->state[i] = w > 0 ? (float)log2(w) : -PCN_ELIMINATE / 2; /* the lowest e */
    }
}

/* The class at a score of 0: of a linear model from 0.1, the section alone says it. */
static void settle_zero_class(model *m)
{
    uint8_t *zero_negative = model_is_kernel(m) ? &m->dual.model.zero_negative : &m->trainer.model.zero_negative;
    m->zero_negative |= *zero_negative;
    *zero_negative = m->zero_negative != 0;
}

static void init_linear(model *m, uint32_t features, uint32_t units, int dense, int batched)
{
    size_t floats = PCN_PERCEPTRON_FLOATS(features, units);
    if (features > SIZE_MAX / 16 / units - 3) die(EXIT_MEMORY, "out of memory (the model is too large)");
    m->memory = allocate_for_weights(floats, sizeof *m->memory);
    pcn_perceptron_init(&m->trainer, m->memory, floats, features, units);
    if (!dense) pcn_perceptron_use_feature_major(&m->trainer);
    if (model_is_winnow(m)) init_winnow(m);
    if (m->algorithm == ALGORITHM_AROW) init_arow(m);
    m->mean = allocate_zero(PCN_LINEAR_FLOATS(features, units), sizeof *m->mean);
    if (is_averaged(m)) {
        m->sum = allocate_for_weights(PCN_AVERAGING_FLOATS(features, units), sizeof *m->sum);
        pcn_perceptron_use_averaging(&m->trainer, m->sum, PCN_AVERAGING_FLOATS(features, units));
    }
    if (batched) {
        m->batch = allocate_zero(PCN_LINEAR_FLOATS(features, units), sizeof *m->batch);
        pcn_perceptron_use_batch(&m->trainer, m->batch, PCN_LINEAR_FLOATS(features, units));
    }
}

void model_init(model *m, uint32_t features, uint32_t classes, int dense, int batched)
{
    uint32_t units = classes == 2 ? 1 : classes;
    if (model_is_kernel(m))
        init_kernel(m, features, units, !dense);
    else
        init_linear(m, features, units, dense, batched);
    settle_zero_class(m);
}

static pcn_linear predicting_weights(const model *m, float *mean)
{
    if (m->sum && !m->frozen) return pcn_perceptron_mean(&m->trainer, mean);
    return m->trainer.model;
}

pcn_linear model_decision(model *m)
{
    return predicting_weights(m, m->mean);
}

pcn_linear model_final(model *m)
{
    return predicting_weights(m, m->sum);
}

void model_normalize(const model *m, const pcn_vec *x, float *value)
{
    uint32_t i;
    if (m->normalize == NORMALIZE_L2) {
        float norm = sqrtf(pcn_norm2_at(x));
        for (i = 0; norm > 0 && i < x->count; i++) value[i] /= norm;
    } else if (m->normalize == NORMALIZE_MAXABS) {
        for (i = 0; i < x->count; i++) {
            uint32_t j = x->index ? x->index[i] : i;
            if (j < arrlenu(m->scale)) value[i] *= m->scale[j];
        }
    }
}

static size_t work_floats(const model *m)
{
    return PCN_KMODEL_WORK(m->dual.model.classes, m->dual.model.slots, MODEL_BLOCK);
}

void model_use(model *m, const pcn_linear *kept)
{
    if (model_is_kernel(m)) {
        free(m->work);
        m->work = allocate(work_floats(m), sizeof *m->work);
    } else {
        m->use = kept ? *kept : model_decision(m);
    }
}

void model_scores(const model *m, const pcn_vec *x, uint32_t n, float *score)
{
    const pcn_kmodel *d = &m->dual.model;
    uint32_t i;
    if (model_is_kernel(m))
        pcn_kmodel_scores(d, d->log ? (enum pcn_decision)m->decision : PCN_DECIDE_LAST, x, n, score, m->work,
                          work_floats(m)); /* no log although it is to vote: nothing was learned */
    else
        for (i = 0; i < n; i++) {
            if (i + 1 < n) pcn_linear_fetch(&m->use, x[i + 1]);
            pcn_linear_scores(&m->use, x[i], score + (size_t)i * m->use.classes);
        }
}

uint32_t model_class(const model *m, const float *score)
{
    uint32_t units = labels_count(&m->labels) == 2 ? 1 : labels_count(&m->labels);
    int decided = pcn_decide(score, units, m->zero_negative);
    return units == 1 ? decided > 0 : (uint32_t)decided;
}

void model_decide_by(model *m, unsigned decision)
{
    if (!model_is_kernel(m)) die(EXIT_USAGE, "--decision is for voted and kernel models: leave it out");
    if (decision != PCN_DECIDE_LAST && !m->dual.model.log)
        die(EXIT_USAGE, "--decision: a model that forgets has only the last: leave it out");
    m->decision = decision;
}

static void texts_free(char ***texts)
{
    size_t i;
    for (i = 0; i < arrlenu(*texts); i++) free((*texts)[i]);
    arrfree(*texts);
}

void model_free_learned(model *m)
{
    arrfree(m->scale);
    arrfree(m->fill);
    free(m->memory);
    free(m->sum);
    free(m->batch);
    free(m->state);
    free(m->mean);
    if (model_is_kernel(m) && !m->budget) pcn_kperceptron_free(&m->dual);
    free(m->slots);
    free(m->log);
    free(m->store);
    free(m->store_index);
    free(m->aux);
    free(m->work);
}

void model_free(model *m)
{
    texts_free(&m->names);
    texts_free(&m->kept);
    free(m->label_name);
    labels_free(&m->labels);
    model_free_learned(m);
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

static void put_texts(uint8_t **s, char *const *text)
{
    size_t i;
    put(s, (uint32_t)arrlenu(text));
    for (i = 0; i < arrlenu(text); i++) put_text(s, text[i]);
}

/* Part of the image, as pcn_perceptron_save. */
static size_t save_part(const model *m, const pcn_linear *kept, size_t from, void *out, size_t size)
{
    pcn_perceptron state = m->trainer;
    if (model_is_kernel(m)) return pcn_kperceptron_save(&m->dual, from, out, size);
    if (kept) return pcn_linear_save(kept, from, out, size);
    state.batch = NULL; /* empty after an epoch: the image need not have it */
    return pcn_perceptron_save(&state, from, out, size);
}

static size_t write_image(const model *m, const pcn_linear *kept, FILE *f)
{
    const size_t most = 1 << 20;
    size_t size = save_part(m, kept, 0, NULL, 0), from, part;
    uint8_t *bytes = allocate(size < most ? size : most, 1);
    if (size == 0) die(EXIT_INPUT, "the model has numbers that are too large for a model file");
    for (from = 0; from < size; from += part) {
        part = size - from < most ? size - from : most;
        save_part(m, kept, from, bytes, part);
        fwrite(bytes, 1, part, f); /* output_close finds what went wrong */
    }
    free(bytes);
    return size;
}

size_t model_save(const model *m, const pcn_linear *kept, output *o)
{
    size_t size = write_image(m, kept, o->file);
    uint8_t *s = NULL;
    uint32_t i, n = labels_count(&m->labels), length;
    put(&s, SECTION_VERSION);
    put(&s, m->algorithm);
    put(&s, m->decision);
    put(&s, (uint32_t)m->zero_negative);
    put(&s, m->normalize);
    put(&s, (uint32_t)m->binarize);
    put(&s, m->epochs);
    put_texts(&s, m->kept);
    put(&s, n);
    for (i = 0; i < n; i++) put_text(&s, labels_text(&m->labels, i));
    put_texts(&s, m->names);
    put(&s, (uint32_t)arrlenu(m->scale));
    for (i = 0; i < arrlenu(m->scale); i++) put_float(&s, m->scale[i]);
    put(&s, (uint32_t)arrlenu(m->fill));
    for (i = 0; i < arrlenu(m->fill); i++) put_float(&s, m->fill[i]);
    put(&s, m->label_number);
    put_text(&s, m->label_name ? m->label_name : "");
    length = (uint32_t)arrlenu(s);
    put(&s, pcn_crc32(0, s, length));
    put(&s, length);
    put(&s, SECTION_MAGIC);
    fwrite(s, 1, arrlenu(s), o->file);
    size += arrlenu(s);
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

static char **get_texts(cursor *c)
{
    uint32_t i, n = get(c);
    char **texts = NULL, *text;
    for (i = 0; i < n && !c->bad; i++) {
        text = get_text(c);
        if (text) arrput(texts, text);
    }
    return texts;
}

/* The section into m; 0 if it is not one. */
static int read_section(model *m, cursor *c)
{
    uint32_t i, n;
    if (get(c) != SECTION_VERSION) return 0;
    m->algorithm = get(c);
    m->decision = get(c);
    m->zero_negative = get(c) != 0;
    m->normalize = get(c);
    m->binarize = get(c) != 0;
    m->epochs = get(c);
    m->kept = get_texts(c);
    for (i = 0; i < arrlenu(m->kept); i++) c->bad |= !strchr(m->kept[i], '=');
    n = get(c);
    for (i = 0; i < n && !c->bad; i++) {
        char *text = get_text(c);
        if (text && labels_add(&m->labels, text) != i) c->bad = 1; /* a label twice */
        free(text);
    }
    m->names = get_texts(c);
    n = get(c);
    for (i = 0; i < n && !c->bad; i++) arrput(m->scale, get_float(c));
    n = get(c);
    for (i = 0; i < n && !c->bad; i++) arrput(m->fill, get_float(c));
    m->label_number = get(c);
    m->label_name = get_text(c);
    if (m->label_name && *m->label_name == '\0') {
        free(m->label_name);
        m->label_name = NULL;
    }
    return !c->bad && c->p == c->end && m->algorithm < ALGORITHMS &&
           m->decision <= PCN_DECIDE_VOTE && m->normalize <= NORMALIZE_MAXABS;
}

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

/* A model that is to go on learning has a budget, or room for any number, and goes on forgetting, or not. */
static void check_budget(const model *m, const char *name, const pcn_image *info)
{
    int forgot = !(info->parts & PCN_PART_LOG), forgets = m->budget && m->policy != POLICY_STOP;
    char *policy = option_word(POLICY_WORDS, m->policy);
    if (m->budget && m->budget < info->slots)
        die(EXIT_USAGE, "--budget %lu is less than the %lu vectors of %s: give as many or more",
            (unsigned long)m->budget, (unsigned long)info->slots, name);
    if (m->budget && forgot && !forgets)
        die(EXIT_USAGE, "--policy %s: %s has forgotten vectors, and goes on with a policy that forgets, such as "
            "oldest", policy, name);
    if (!forgot && forgets)
        die(EXIT_USAGE, "--policy %s: %s has forgotten no vectors: leave --policy out, or train anew", policy, name);
    free(policy);
}

/* The budget of a model that is to go on learning is the caller's; otherwise there is room for all. */
static void load_kernel(model *m, const char *name, const pcn_image *info)
{
    int result, sparse = (info->parts & PCN_PART_SPARSE) != 0;
    check_budget(m, name, info);
    if (!(info->parts & PCN_PART_LOG)) { /* it forgets */
        if (!m->budget) m->budget = info->slots ? info->slots : 1;
        if (m->policy == POLICY_STOP) m->policy = POLICY_OLDEST;
        m->decision = PCN_DECIDE_LAST;
    }
    model_init(m, info->features, labels_count(&m->labels), !sparse, 0);
    result = pcn_kperceptron_load(&m->dual, m->image, m->bytes);
    if (result == PCN_ENOMEM) die(EXIT_MEMORY, "%s (%s)", pcn_error_text(result), name);
    if (result < 0) die(EXIT_INPUT, "%s: %s", name, pcn_error_text(result));
}

/* Kept weights come without exponents, so no Winnow trainer loads them: another one does. */
static int load_kept_winnow(model *m, int dense, const void *bytes, size_t size)
{
    pcn_linear *l = &m->trainer.model;
    size_t floats = PCN_PERCEPTRON_FLOATS(l->features, l->classes);
    float *memory = allocate(floats, sizeof *memory);
    pcn_perceptron kept;
    int result;
    pcn_perceptron_init(&kept, memory, floats, l->features, l->classes);
    if (!dense) pcn_perceptron_use_feature_major(&kept);
    result = pcn_perceptron_load(&kept, bytes, size);
    if (result == PCN_OK) {
        pcn_linear_copy(&kept.model, m->trainer.weight);
        l->zero_negative = kept.model.zero_negative;
        find_exponents(m);
    }
    free(memory);
    return result;
}

static void load_linear(model *m, const char *name, const pcn_image *info, int batched)
{
    int dense = !(info->parts & PCN_PART_FEATURE_MAJOR), result;
    m->frozen = info->kind == PCN_KIND_LINEAR;
    model_init(m, info->features, labels_count(&m->labels), dense, batched);
    if (m->frozen && model_is_winnow(m))
        result = load_kept_winnow(m, dense, m->image, m->bytes);
    else
        result = pcn_perceptron_load(&m->trainer, m->image, m->bytes);
    if (result < 0) die(EXIT_INPUT, "%s: %s", name, pcn_error_text(result));
}

/* The section into m, and the end of the file; what the image says of itself is known. */
static void load_section(model *m, const char *name, const uint8_t *bytes, size_t size, const pcn_image *info)
{
    uint32_t classes = info->classes == 1 ? 2 : info->classes, crc, length;
    cursor c;
    c.p = bytes + size - TRAILER;
    c.end = bytes + size;
    c.bad = 0;
    crc = get(&c);
    length = get(&c);
    c.p = bytes + (size_t)pcn_image_size(bytes, size);
    c.end = bytes + size - TRAILER;
    if (c.p > c.end || (size_t)(c.end - c.p) != length || crc != pcn_crc32(0, c.p, length) || !read_section(m, &c))
        die(EXIT_INPUT, "%s: the section behind the image is damaged or of another version", name);
    if (labels_count(&m->labels) != classes || info->features == 0 ||
        (m->names && arrlenu(m->names) != info->features) ||
        arrlenu(m->scale) != (m->normalize == NORMALIZE_MAXABS ? info->features : 0) ||
        (m->fill && arrlenu(m->fill) != info->features) ||
        model_is_kernel(m) != (info->kind == PCN_KIND_KERNEL))
        die(EXIT_INPUT, "%s: the image and the section behind it do not fit each other", name);
}

static int has_trailer(const uint8_t *bytes, size_t size)
{
    cursor c;
    if (size < TRAILER) return 0;
    c.p = bytes + size - 4;
    c.end = bytes + size;
    return get(&c) == SECTION_MAGIC;
}

int model_replaces(const char *name)
{
    FILE *old = output_old(name);
    uint8_t start[4], end[TRAILER];
    int is_model;
    if (!old) return 1;
    is_model = fread(start, 1, sizeof start, old) == sizeof start && memcmp(start, IMAGE_MAGIC, sizeof start) == 0 &&
               fseek(old, -(long)sizeof end, SEEK_END) == 0 && fread(end, 1, sizeof end, old) == sizeof end &&
               has_trailer(end, sizeof end);
    output_old_read(old, name);
    return is_model;
}

void model_open(model *m, const char *name)
{
    pcn_image info;
    int result;
    m->file = name;
    m->image = read_file(name, &m->bytes);
    labels_init(&m->labels);
    if (!has_trailer(m->image, m->bytes)) die(EXIT_INPUT, "%s: not a model file, or cut short", name);
    result = pcn_image_read(&info, m->image, m->bytes);
    if (result < 0) die(EXIT_INPUT, "%s: %s", name, pcn_error_text(result));
    load_section(m, name, m->image, m->bytes, &info);
    if (model_is_kernel(m)) m->kernel = info.kernel_id - 1;
    if (model_is_kernel(m) && m->kernel > KERNEL_RBF)
        die(EXIT_INPUT, "%s: kernel %lu is not one of this program's", name, (unsigned long)info.kernel_id);
}

void model_load(model *m, int batched)
{
    pcn_image info;
    pcn_image_read(&info, m->image, m->bytes);
    if (model_is_kernel(m))
        load_kernel(m, m->file, &info);
    else
        load_linear(m, m->file, &info, batched);
    settle_zero_class(m);
    free(m->image);
    m->image = NULL;
}

static int remembers(const model *m, const char *option)
{
    size_t i = 0;
    while (i < arrlenu(m->kept) && strncmp(m->kept[i], option, strlen(option)) != 0) i++;
    return i < arrlenu(m->kept);
}

/* Those of libsvm text and of imported models are numbers. All were, whatever their rows were read from, in versions
 * whose models do not remember the form of rows. */
static int has_number_labels(const model *m)
{
    const int has_texts = m->label_number > 0 || remembers(m, "text=");
    return !has_texts || remembers(m, "number-labels=") || !remembers(m, "rows=");
}

void model_expects(const model *m, reader_options *o)
{
    o->predict = 1;
    o->features = o->width = model_features(m);
    o->rows = model_rows(m);
    o->names = m->names;
    o->binarize = m->binarize;
    o->words |= labels_have_words(&m->labels);
    o->model_numbers = has_number_labels(m);
    o->model_labels = &m->labels;
    o->model_label = m->label_name;
    o->model_label_column = m->label_number;
    o->mean = m->fill;
}
