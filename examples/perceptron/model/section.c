#include "section.h"

#include <float.h>
#include <math.h>

#define SECTION_VERSION 5u
#define WITH_OFFSETS 8u              /* beside enum normalize */
#define WITH_DATES 16u               /* likewise */
#define WITH_FIT 32u                 /* likewise */
enum { BESIDE = 256, LEAD = 65536 }; /* the second learner and the lead, beside the number of the first */

uint32_t code_word(codec *c, uint32_t word)
{
    const uint8_t *p = c->p;
    int i;
    if (!c->reading) {
        for (i = 0; i < 4; i++) arrput(c->out, (uint8_t)(word >> 8 * i));
        return word;
    }
    if (c->end - p < 4) {
        c->bad = 1;
        return 0;
    }
    c->p += 4;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static float code_float(codec *c, float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    word = code_word(c, word);
    memcpy(&f, &word, sizeof f);
    if (c->reading && !isfinite(f)) c->bad = 1;
    return f;
}

/* Reading: a new string; NULL if none is there, or one with a NUL byte. */
static char *code_text(codec *c, const char *text)
{
    char *copy;
    uint32_t length = code_word(c, text ? (uint32_t)strlen(text) : 0);
    if (!c->reading) {
        if (length) memcpy(arraddnptr(c->out, length), text, length);
        return NULL;
    }
    if (c->bad || (size_t)(c->end - c->p) < length || memchr(c->p, '\0', length)) {
        c->bad = 1;
        return NULL;
    }
    copy = allocate((size_t)length + 1, 1);
    memcpy(copy, c->p, length);
    copy[length] = '\0';
    c->p += length;
    return copy;
}

static void code_texts(codec *c, char ***texts)
{
    uint32_t i, n = code_word(c, (uint32_t)arrlenu(*texts));
    for (i = 0; i < n && !c->bad; i++) {
        char *text = code_text(c, c->reading ? NULL : (*texts)[i]);
        if (text) arrput(*texts, text);
    }
}

static void code_floats(codec *c, float **array)
{
    uint32_t i, n = code_word(c, (uint32_t)arrlenu(*array));
    for (i = 0; i < n && !c->bad; i++) {
        float f = code_float(c, c->reading ? 0 : (*array)[i]);
        if (c->reading) arrput(*array, f);
    }
}

static void code_labels(codec *c, labels *l)
{
    uint32_t i, n = code_word(c, labels_count(l));
    for (i = 0; i < n && !c->bad; i++) {
        char *text = code_text(c, c->reading ? NULL : labels_text(l, i));
        if (text && labels_add(l, text) != i) c->bad = 1; /* a label twice */
        free(text);
    }
}

static void code_training(codec *c, model *m)
{
    size_t i;
    m->epochs = code_word(c, m->epochs);
    code_texts(c, &m->kept);
    for (i = 0; i < arrlenu(m->kept); i++) c->bad |= !strchr(m->kept[i], '=');
}

static void code_scaler(codec *c, pcn_scaler *s)
{
    const uint32_t features = code_word(c, s->features);
    const size_t bytes = PCN_SCALER_IMAGE(features);
    if (features == 0) return;
    if (!c->reading) {
        c->bad |= pcn_scaler_save(s, arraddnptr(c->out, bytes), bytes) == 0;
        return;
    }
    if ((size_t)(c->end - c->p) < bytes) {
        c->bad = 1;
        return;
    }
    must(pcn_scaler_init(s, features, allocate(bytes, 1), bytes));
    c->bad |= pcn_scaler_load(s, c->p, bytes) < 0;
    c->p += bytes;
}

/* Those that are not 0, each behind its feature: of hashed words most are. */
static void code_frequencies(codec *c, model *m)
{
    uint32_t *all = m->document_frequency, some = 0, i, j;
    const uint32_t n = code_word(c, (uint32_t)arrlenu(all));
    for (i = 0; !c->reading && i < n; i++) some += all[i] != 0;
    some = code_word(c, some);
    c->bad |= c->reading && (n > c->features || some > n);
    if (c->bad) return;
    if (c->reading && n != 0) {
        arrsetlen(all, n);
        memset(all, 0, n * sizeof *all);
        m->document_frequency = all;
    }
    for (j = 0; some > 0 && !c->bad; some--, j++) {
        if (some < n - j) { /* otherwise no more are 0 */
            while (!c->reading && all[j] == 0) j++;
            i = code_word(c, j);
            c->bad |= i < j || i > n - some;
            if (c->bad) return;
            j = i;
        }
        all[j] = code_word(c, all[j]);
        c->bad |= all[j] == 0 || (all[j] != NOT_A_WORD && all[j] > m->documents);
    }
}

static void code_preparation(codec *c, model *m)
{
    m->words = code_word(c, m->words);
    c->bad |= m->words > WORDS_LOG;
    if (!c->bad && model_weighs_words(m)) {
        m->documents = code_word(c, m->documents);
        code_frequencies(c, m);
    }
    code_scaler(c, &m->scaler);
}

static double code_double(codec *c, double f)
{
    uint64_t bits, low;
    memcpy(&bits, &f, sizeof bits);
    low = code_word(c, (uint32_t)bits);
    bits = low | (uint64_t)code_word(c, (uint32_t)(bits >> 32)) << 32;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Those that are not 0, each behind its feature; the last of the array is not 0. */
static void code_offsets(codec *c, model *m)
{
    uint32_t some = 0, j;
    for (j = 0; !c->reading && j < arrlenu(m->offset); j++) some += m->offset[j] != 0;
    some = code_word(c, some);
    c->bad |= some == 0;
    for (j = 0; some > 0 && !c->bad; some--, j++) {
        uint32_t i;
        double offset;
        while (!c->reading && m->offset[j] == 0) j++;
        i = code_word(c, j);
        offset = code_double(c, c->reading ? 0 : m->offset[j]);
        c->bad |= i < j || (c->reading && i >= c->features) || !(fabs(offset) > 0 && fabs(offset) <= DBL_MAX);
        for (; c->reading && !c->bad && j < i; j++) arrput(m->offset, 0);
        if (c->reading && !c->bad) arrput(m->offset, offset);
    }
}

/* The features that are dates, each with its order; the last of the array is one. */
static void code_dates(codec *c, model *m)
{
    uint32_t some = 0, j;
    for (j = 0; !c->reading && j < arrlenu(m->date); j++) some += m->date[j] != NO_DATE;
    some = code_word(c, some);
    c->bad |= some == 0;
    for (j = 0; some > 0 && !c->bad; some--, j++) {
        uint32_t i, order;
        while (!c->reading && m->date[j] == NO_DATE) j++;
        i = code_word(c, j);
        order = code_word(c, model_date(m, j));
        c->bad |= i < j || (c->reading && i >= c->features) || order == NO_DATE || order >= DATE_UNCLEAR;
        for (; c->reading && !c->bad && j < i; j++) arrput(m->date, NO_DATE);
        if (c->reading && !c->bad) arrput(m->date, (uint8_t)order);
    }
}

/* Nothing is behind it if it is the last. */
static void code_calibration(codec *c, pcn_calibration *of, int is_last)
{
    size_t size = PCN_CALIBRATION_IMAGE;
    if (!c->reading) {
        c->bad |= pcn_calibration_save(of, arraddnptr(c->out, size), size) == 0;
        return;
    }
    if (is_last || size > (size_t)(c->end - c->p)) size = (size_t)(c->end - c->p);
    c->bad |= pcn_calibration_load(of, c->p, size) < 0 || of->rows == 0;
    c->p += size;
}

static void code_learners(codec *c, model *m)
{
    const model *b = m->beside;
    uint32_t number = m->kind ? (uint32_t)(m->kind - learners) : 0, other;
    if (b) number += (uint32_t)(b->kind - learners + 1) * BESIDE + (uint32_t)(m->lead + LEAD_MOST) * LEAD;
    number = code_word(c, number);
    other = number % LEAD / BESIDE;
    m->lead = other ? (int)(number / LEAD) - LEAD_MOST : 0;
    if (other) number %= BESIDE;
    if (number >= learner_count || other > learner_count || m->lead > LEAD_MOST) c->bad = 1;
    if (c->bad) return;
    m->kind = &learners[number];
    if (other == 0 || b) return;
    pair_begin(m, &learners[other - 1]);
    c->bad |= m->kind != learner_named(pair_learner[m->lead > 0]) ||
              m->beside->kind != learner_named(pair_learner[m->lead <= 0]);
}

/* What the second learner has. Reading: where its image lies. */
static void code_beside(codec *c, model *b)
{
    const uint8_t *const p = c->p;
    int calibrated;
    if (!c->reading) {
        stored_add(b, &c->out);
    } else {
        c->p = stored_skip(p, c->end);
        c->bad |= c->p == NULL;
        if (c->bad) return;
        b->image = (uint8_t *)p;
        b->bytes = (size_t)(c->p - p);
    }
    calibrated = code_word(c, model_calibrated(b) ? 1 : 0) != 0;
    if (!c->bad && calibrated) code_calibration(c, &b->calibration, 0);
}

void code_section(codec *c, model *m)
{
    const uint32_t version = code_word(c, SECTION_VERSION);
    uint32_t normalize;
    char *text;
    if (!c->bad && version != SECTION_VERSION)
        die(EXIT_INPUT,
            "%s: a model file of version %lu; this program reads %lu: train again, or take the program that wrote it",
            m->file, (unsigned long)version, (unsigned long)SECTION_VERSION);
    m->text_labels = code_word(c, (uint32_t)m->text_labels) != 0;
    code_learners(c, m);
    if (c->bad) return;
    m->decision = code_word(c, m->decision);
    m->zero_negative = code_word(c, (uint32_t)m->zero_negative) != 0;
    normalize = code_word(c, m->normalize | (m->offset ? WITH_OFFSETS : 0) | (m->date ? WITH_DATES : 0) |
                                 (m->fit ? WITH_FIT : 0));
    m->normalize = normalize & ~(WITH_OFFSETS | WITH_DATES | WITH_FIT);
    m->binarize = code_word(c, (uint32_t)m->binarize) != 0;
    code_training(c, m);
    code_labels(c, &m->labels);
    code_texts(c, &m->names);
    code_floats(c, &m->scale);
    c->bad |= m->decision > PCN_DECIDE_VOTE || m->normalize > NORMALIZE_STANDARD_L2;
    code_floats(c, &m->fill);
    m->label_number = code_word(c, m->label_number);
    text = code_text(c, m->label_name);
    if (text && *text)
        m->label_name = text;
    else
        free(text);
    m->largest_value = code_float(c, m->largest_value);
    m->has_fractions = code_float(c, m->has_fractions);
    c->bad |= m->largest_value < 0;
    code_preparation(c, m);
    if (normalize & WITH_OFFSETS) code_offsets(c, m);
    if (normalize & WITH_DATES) code_dates(c, m);
    if (normalize & WITH_FIT) {
        code_floats(c, &m->fit);
        c->bad |= !fit_is_valid(m->fit, model_units(m));
    }
    if (!c->bad && m->beside) code_beside(c, m->beside);
    if (!c->bad && (c->reading ? c->p < c->end : model_calibrated(m))) code_calibration(c, &m->calibration, 1);
}
