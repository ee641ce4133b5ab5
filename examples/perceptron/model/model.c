#include "model.h"
#include "cli/options.h"

#include <math.h>

void must(int result)
{
    if (result < 0) die(EXIT_INPUT, "%s", pcn_error_text(result));
}

const char *model_kept(const model *m, const char *name)
{
    size_t i, length = strlen(name);
    for (i = 0; i < arrlenu(m->kept); i++)
        if (strncmp(m->kept[i], name, length) == 0 && m->kept[i][length] == '=') return m->kept[i] + length + 1;
    return NULL;
}

const char *model_kept_or(const model *m, const char *name, const char *otherwise)
{
    const char *value = model_kept(m, name);
    return value ? value : otherwise;
}

int model_names_word(const model *m, const char *feature)
{
    static const char option[] = "text-column=";
    size_t i;
    for (i = 0; i < arrlenu(m->kept); i++) {
        if (strncmp(m->kept[i], option, sizeof option - 1) != 0) continue;
        if (names_word_of(feature, m->kept[i] + sizeof option - 1)) return 1;
    }
    return 0;
}

/* A model that does not remember it, such as an imported one, tells it by its layout or its source. */
unsigned model_rows(const model *m)
{
    const pcn_linear *l = &m->trainer.live;
    int dense = m->label_number > 0;
    const char *form = model_kept(m, "rows");
    if (form && strcmp(form, "sparse") == 0) return ROWS_SPARSE;
    if (form && strcmp(form, "dense") == 0) return ROWS_DENSE;
    if (model_vectors(m))
        dense = !m->dual.model.index;
    else if (l->scores > 1)
        dense = !l->by_feature;
    return dense ? ROWS_DENSE : ROWS_SPARSE;
}

void model_init(model *m, uint32_t features, uint32_t classes, int dense, int batched)
{
    const uint32_t units = PCN_SCORES(classes < 2 ? 2 : classes);
    m->kind->family->init(m, features, units, dense, batched);
    if (!m->beside) return;
    pair_share(m);
    m->beside->kind->family->init(m->beside, features, units, dense, batched);
}

static void resize_own(model *m, uint32_t features)
{
    const uint32_t units = model_units(m);
    if (features == model_features(m) && units == model_learner(m)->scores) return;
    if (units != model_learner(m)->scores) model_end_fit(m);
    if (units > 1 && model_learner(m)->scores == 1) /* whose one score was calibrated */
        pcn_calibration_init(&m->calibration);
    m->kind->family->resize(m, features, units);
}

void model_resize(model *m, uint32_t features)
{
    resize_own(m, features);
    if (!m->beside) return;
    pair_share(m);
    resize_own(m->beside, features);
}

int model_sort_two(model *m)
{
    labels sorted = labels_sorted(&m->labels);
    const int descending = labels_find(&sorted, labels_text(&m->labels, 0)) != 0;
    labels_free(&m->labels);
    m->labels = sorted;
    if (descending) m->kind->family->negate(m);
    if (descending && m->beside) m->beside->kind->family->negate(m->beside);
    return descending;
}

void model_use(model *m, const pcn_linear *kept)
{
    free(m->score);
    m->score = allocate((size_t)model_units(m) * MODEL_BLOCK, sizeof *m->score);
    m->kind->family->use(m, kept);
}

void model_scores(const model *m, const pcn_vec *x, uint32_t n, float *score)
{
    m->kind->family->scores(m, x, n, score);
}

uint32_t model_class(const model *m, const float *score)
{
    if (labels_count(&m->labels) < 2) return 0;
    return (uint32_t)pcn_decide(score, model_units(m), m->zero_negative);
}

static void calibrated_probabilities(const model *m, const float *score, float *p)
{
    const uint32_t classes = labels_count(&m->labels), units = model_units(m);
    float *finite = allocate(units, sizeof *finite);
    uint32_t k;
    for (k = 0; k < units; k++) finite[k] = score_finite(score[k]);
    pcn_probabilities(&m->calibration, finite, classes, p);
    for (k = 0; k < classes && !scores_tell(score, units); k++) p[k] = 1 / (float)classes;
    free(finite);
}

void model_probabilities(const model *m, const pcn_vec *x, const float *score, float *p)
{
    if (m->fit)
        fit_probabilities(m->fit, model_units(m), model_class(m, score), pcn_norm2(*x), score, p);
    else
        calibrated_probabilities(m, score, p);
}

void model_end_fit(model *m)
{
    arrfree(m->fit);
}

double model_bend(const model *m)
{
    return expm1(fmin(fabs((double)(labels_count(&m->labels) == 2 ? m->calibration.c : m->calibration.b)), 12));
}

double model_least_odds(const model *m)
{
    if (labels_count(&m->labels) > 2 && m->calibration.b > 0) return 0;
    return exp(-sqrt(32 / fmax(model_bend(m), 1e-30)));
}

void model_calibrate(model *m, const float *score, uint32_t class)
{
    const uint32_t classes = labels_count(&m->labels);
    float *p = allocate(classes, sizeof *p);
    pcn_probabilities(&m->calibration, score, classes, p);
    pcn_calibrate(&m->calibration, score, classes, p, (int)class); /* not from scores that are not finite */
    free(p);
}

void model_score_rows(const model *m, const rows *d, take_scores *take, void *context)
{
    const uint32_t units = model_units(m);
    uint32_t i, k, n;
    pcn_vec x[MODEL_BLOCK];
    for (i = 0; i < d->count; i += n) {
        n = d->count - i < MODEL_BLOCK ? d->count - i : MODEL_BLOCK;
        for (k = 0; k < n; k++) x[k] = rows_vector(d, i + k);
        model_scores(m, x, n, m->score);
        for (k = 0; k < n; k++)
            if (!take(context, i + k, m->score + (size_t)k * units)) return;
    }
}

typedef struct counting {
    const model *m;
    const uint32_t *label;
    uint32_t errors, enough;
} counting;

static int count_error(void *context, uint32_t row, const float *score)
{
    counting *c = context;
    c->errors += model_class(c->m, score) != c->label[row];
    return c->errors < c->enough;
}

uint32_t model_errors(const model *m, const rows *d, uint32_t enough)
{
    counting c = {m, d->label, 0, enough};
    model_score_rows(m, d, count_error, &c);
    return c.errors;
}

uint32_t model_row_label(const model *m, const reader *in)
{
    uint32_t label = in->label ? labels_find(&m->labels, in->label) : NO_LABEL;
    return in->label && label == NO_LABEL ? labels_count(&m->labels) : label;
}

uint32_t model_first(const model *m)
{
    return !m->is_bare && !model_kept(m, "zero-based");
}

const char *model_feature(const model *m, uint32_t j, uint32_t first, char room[FEATURE_ROOM])
{
    if (m->names) return m->names[j];
    snprintf(room, FEATURE_ROOM, "%lu", (unsigned long)j + first);
    return room;
}

void model_decide_by(model *m, unsigned decision)
{
    if (decision == OPTION_UNSET) {
        if (m->is_bare && m->info.parts & PCN_PART_LOG)
            die(EXIT_USAGE, "--decision last, averaged or voted: %s has all its states, and does not say which decide",
                m->file);
        return;
    }
    if (!model_vectors(m)) die(EXIT_USAGE, "--decision is for voted and kernel models: leave it out");
    if (decision != PCN_DECIDE_LAST && !m->dual.model.log)
        die(EXIT_USAGE, "--decision: a model that forgets has only the last: leave it out");
    if (decision != m->decision) { /* both are of the scores that decided */
        m->calibration.rows = 0;
        model_end_fit(m);
    }
    m->decision = decision;
}

void model_expects(const model *m, reader_options *o)
{
    static const char products[] = "products=";
    const int given = o->products != NULL; /* --resume has them from there, too */
    size_t i;
    o->predict = 1;
    o->features = o->width = model_features(m);
    o->rows = model_rows(m);
    o->names = m->names;
    o->binarize = m->binarize;
    o->word_labels |= labels_have_words(&m->labels);
    o->counts = m->words != WORDS_BINARY;
    o->numbers = m->scaler.features;
    o->number_labels = !m->text_labels;
    o->model_labels = &m->labels;
    o->any_format = !m->names;
    o->model_label = m->label_name;
    o->model_label_column = m->label_number;
    o->model_ignored = 0;
    for (i = 0; i < arrlenu(m->kept); i++) o->model_ignored += strncmp(m->kept[i], "ignore=", 7) == 0;
    o->mean = m->fill;
    o->offset = m->offset;
    o->date = m->date;
    o->finds_offsets = 0;
    o->tape = NULL;
    for (i = 0; i < arrlenu(m->kept) && !given; i++) {
        const char *product = m->kept[i] + sizeof products - 1;
        if (strncmp(m->kept[i], products, sizeof products - 1) != 0) continue;
        if (arrlenu(o->products) == PRODUCTS_MOST || (!strchr(product, '*') && strcmp(product, "all") != 0))
            die(EXIT_INPUT, "%s: damaged: it remembers --products %s", m->file, printable(product, EXCERPT));
        arrput(o->products, product);
    }
    if (o->products && !m->names) die(EXIT_INPUT, "%s: damaged: it has products of features without names", m->file);
}

void model_free_learned(model *m)
{
    arrfree(m->scale);
    arrfree(m->fill);
    arrfree(m->document_frequency);
    free(m->scaler.moment);
    free(m->score);
    pair_end(m);
    m->kind->family->free(m);
}

void model_free(model *m)
{
    texts_free(&m->names);
    texts_free(&m->kept);
    free(m->label_name);
    arrfree(m->offset);
    arrfree(m->date);
    arrfree(m->fit);
    labels_free(&m->labels);
    free(m->unsorted);
    model_free_learned(m);
}
