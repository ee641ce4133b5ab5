/* Learners that store vectors: voted and kernel perceptron. */
#include "model.h"
#include "cli/option_values.h"

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
    const size_t bytes = floats * sizeof *m->aux;
    if (m->budget && m->policy >= POLICY_FORGETRON) m->aux = allocate_zero(floats, sizeof *m->aux);
    if (!m->budget)
        d->admit = pcn_admit_grow;
    else if (m->policy == POLICY_OLDEST)
        d->admit = pcn_admit_oldest;
    else if (m->policy == POLICY_RANDOM)
        d->admit = pcn_admit_random;
    else if (m->policy == POLICY_FORGETRON && pcn_kperceptron_use_forgetron(d, m->aux, bytes) < 0)
        die(EXIT_USAGE, "--policy forgetron is for two labels: more can have oldest, random or projectron");
    else if (m->policy == POLICY_PROJECTRON)
        must(pcn_kperceptron_use_projectron(d, 1e-3f, m->aux, bytes));
}

/* Without a budget the arrays grow; with one they are all here, and sparse vectors have so many cells. Forgetting
 * policies have no log. */
static void make_room(model *m, uint32_t features, uint32_t units, int sparse, size_t cells)
{
    size_t floats = PCN_KPERCEPTRON_FLOATS(sparse ? 0 : features, units, m->budget);
    size_t entries = (size_t)m->budget * 64;
    float *memory = m->arrays.memory = allocate_zero(floats, sizeof *memory);
    if (m->budget) m->slots = allocate_zero(m->budget, sizeof *m->slots);
    must(pcn_kperceptron_init(&m->dual, chosen_kernel(m), features, PCN_CLASSES(units), m->slots, m->budget, memory,
                              floats * sizeof *memory));
    m->dual.seed = m->seed;
    init_policy(m);
    if (sparse) {
        m->store = m->budget ? allocate(cells, sizeof *m->store) : NULL;
        m->store_index = m->budget ? allocate(cells, sizeof *m->store_index) : NULL;
        must(pcn_kperceptron_use_sparse(&m->dual, m->store, m->store_index, m->budget ? cells : 0));
    }
    if (m->budget && m->policy != POLICY_STOP) return;
    if (entries > UINT32_MAX) entries = UINT32_MAX;
    m->log = m->budget ? allocate(entries, sizeof *m->log) : NULL;
    must(pcn_kperceptron_use_log(&m->dual, m->log, (uint32_t)entries));
}

static void init_vectors(model *m, uint32_t features, uint32_t units, int dense, int batched)
{
    (void)batched;
    make_room(m, features, units, !dense, (size_t)m->budget * features);
    model_settle_zero(m, &m->dual.model.zero_negative);
}

/* A model that is to go on learning has a budget, or room for any number, and goes on forgetting, or not. */
static void check_budget(const model *m, const pcn_image *info)
{
    const char *name = m->file;
    int forgot = !(info->parts & PCN_PART_LOG), forgets = m->budget && m->policy != POLICY_STOP;
    char *policy = option_word(POLICY_WORDS, m->policy);
    if (m->budget && m->budget < info->slots)
        die(EXIT_USAGE, "--budget %lu is less than the %lu vectors of %s: give as many or more",
            (unsigned long)m->budget, (unsigned long)info->slots, name);
    if (m->budget && forgot && !forgets)
        die(EXIT_USAGE,
            "--policy %s: %s has forgotten vectors, and goes on with a policy that forgets, such as "
            "oldest",
            policy, name);
    if (!forgot && forgets)
        die(EXIT_USAGE, "--policy %s: %s has forgotten no vectors: leave --policy out, or train anew", policy, name);
    free(policy);
}

/* The budget of a model that is to go on learning is the caller's; otherwise there is room for what it has. */
static int load_vectors(model *m, const pcn_image *info, int batched)
{
    const int sparse = (info->parts & PCN_PART_SPARSE) != 0;
    const size_t cells = m->budget ? (size_t)m->budget * info->features : info->cells;
    int result;
    (void)batched;
    check_budget(m, info);
    if (!(info->parts & PCN_PART_LOG)) { /* it forgets */
        if (!m->budget) m->budget = info->slots ? info->slots : 1;
        if (m->policy == POLICY_STOP) m->policy = POLICY_OLDEST;
        m->decision = PCN_DECIDE_LAST;
    }
    m->degree = 1; /* load takes the kernel's numbers from the image; here they only need to be valid ones */
    m->gamma = 1;
    make_room(m, info->features, model_units(m), sparse, cells);
    result = pcn_kperceptron_load(&m->dual, m->image, m->bytes);
    model_settle_zero(m, &m->dual.model.zero_negative);
    return result;
}

static size_t save_vectors(const model *m, const pcn_linear *kept, size_t from, void *out, size_t size)
{
    (void)kept;
    return pcn_kperceptron_save_part(&m->dual, from, out, size);
}

/* A row for which the budget has no room is left out by --policy stop. */
static int learn_vectors(model *m, const pcn_vec *x, uint32_t class, float weight, uint32_t id)
{
    pcn_kperceptron *t = &m->dual;
    const pcn_rule rule = t->learner.rule;
    int result;
    t->learner.rule = learner_rule(m->kind, rule, class, weight);
    result = pcn_kperceptron_learn_row(t, *x, (int)class, id);
    t->learner.rule = rule;
    if (result == PCN_ENOMEM) die(EXIT_MEMORY, "%s", pcn_error_text(result));
    if (result != PCN_EFULL || !m->budget) return result;
    m->dropped++;
    return 0;
}

static size_t work_floats(const model *m)
{
    return PCN_KMODEL_WORK(m->dual.model.scores, m->dual.model.slots, MODEL_BLOCK);
}

static void use_vectors(model *m, const pcn_linear *kept)
{
    (void)kept;
    free(m->work);
    m->work = allocate(work_floats(m), sizeof *m->work);
}

/* Without a log although it is to vote nothing was learned. */
static void vector_scores(const model *m, const pcn_vec *x, uint32_t n, float *score)
{
    const pcn_kmodel *d = &m->dual.model;
    pcn_kmodel_scores(d, d->log ? (enum pcn_decision)m->decision : PCN_DECIDE_LAST, x, n, score, m->work,
                      work_floats(m) * sizeof *m->work);
}

static void score_vectors_now(model *m, pcn_vec x, float *score)
{
    use_vectors(m, NULL);
    vector_scores(m, &x, 1, score);
}

pcn_vec vector_stored(const pcn_kmodel *d, uint32_t s)
{
    const pcn_slot *slot = &d->slot[s];
    return pcn_sparse(d->index ? d->index + slot->start : NULL, d->value + slot->start, slot->count);
}

double *vector_coefficients(const pcn_kmodel *d, unsigned decision)
{
    size_t i, n = (size_t)d->slots * d->scores;
    double *coef = allocate(n, sizeof *coef);
    int mean = decision == PCN_DECIDE_MEAN && d->log;
    for (i = 0; i < n; i++) coef[i] = mean ? 0 : (double)d->coef[i];
    for (i = 0; mean && i < d->entries; i++) {
        const pcn_log_entry *e = &d->log[i];
        coef[(size_t)e->slot * d->scores + e->cls] += (double)e->step * ((double)d->clock + 1 - e->clock) /
                                                      ((double)d->clock + 1);
    }
    return coef;
}

static void free_vectors(model *m)
{
    if (!m->budget) pcn_kperceptron_free(&m->dual);
    free(m->arrays.memory);
    free(m->slots);
    free(m->log);
    free(m->store);
    free(m->store_index);
    free(m->aux);
    free(m->work);
}

/* Are they the same numbers, in the same form? */
static int is_row(pcn_vec z, const rows *d, uint32_t i)
{
    const pcn_vec x = rows_vector(d, i);
    if (z.count != x.count || (z.count && !x.value)) return 0;
    if (z.index && z.count && (!x.index || memcmp(z.index, x.index, z.count * sizeof *z.index) != 0)) return 0;
    return !z.count || memcmp(z.value, x.value, z.count * sizeof *z.value) == 0;
}

void model_know_rows(model *m, const rows *d)
{
    const pcn_kmodel *known = model_vectors(m);
    uint32_t s;
    for (s = 0; known && s < known->slots; s++) {
        const uint32_t id = known->slot[s].id;
        if (id >= d->count || !is_row(vector_stored(known, s), d, id)) pcn_kperceptron_set_id(&m->dual, s, PCN_NO_ID);
    }
}

static void negate_vectors(model *m)
{
    must(pcn_kperceptron_swap_classes(&m->dual));
}

const family vector_family = {init_vectors,  load_vectors,      save_vectors, learn_vectors,  use_vectors,
                              vector_scores, score_vectors_now, NULL,         negate_vectors, free_vectors};
