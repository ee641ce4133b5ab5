#include "telltale.h"
#include "folds.h"
#include "learn/processes.h"

#include <math.h>

enum {
    LEAST_ROWS = 200,
    PERMILLE_WRONG = 5,   /* of a column alone, at most */
    PERCENT_WITHOUT = 95, /* right without it: the label is no secret of that column */
    PAIRS = 32,           /* of rows with different labels */
    ALIKE = PAIRS / 2,    /* so many pairs more are in one order than in the other */
    DRAWN = 1024,         /* rows, for a threshold */
    EDGE = 13,            /* of DRAWN: more than are wrong if PERMILLE_WRONG of all are */
    TRIED_ROWS = 10000,   /* for the model without */
    TESTED_ROWS = 1000,
    FIFTHS = 5,
    LISTED = 3 /* columns */
};
#define A_NUMBER UINT32_MAX
#define A_WORD (UINT32_MAX - 1) /* of --text-column */

typedef struct search {
    const training *t;
    const rows *all;
    uint32_t *count;    /* rows of each label */
    uint32_t common[2]; /* the two commonest labels */
    uint32_t *drawn, n; /* rows, in a drawn order */
    uint32_t *column;   /* of each feature: the first feature of its column of texts, or one of these */
    int texts;          /* there are such columns */
    uint8_t *alone;     /* of each feature: does its column tell the label? */
    uint32_t right;     /* rows that the best such column gets right */
} search;

static int is_rare(const search *q, uint32_t wrong)
{
    return (uint64_t)wrong * 1000 <= (uint64_t)q->all->count * PERMILLE_WRONG;
}

/* ---- Columns of numbers ---- */

/* A gap is below all numbers. */
static inline int is_lower(float a, float b)
{
    return (a < b) | (isnan(a) & !isnan(b));
}

static void compare_dense(int *order, const float *a, const float *b, uint32_t n)
{
    uint32_t j;
    for (j = 0; j < n; j++) order[j] += is_lower(a[j], b[j]) - is_lower(b[j], a[j]);
}

static void compare_sparse(int *order, pcn_vec a, pcn_vec b)
{
    uint32_t i = 0, k = 0;
    while (i < a.count || k < b.count) {
        const uint32_t in_a = i < a.count ? a.index[i] : UINT32_MAX, in_b = k < b.count ? b.index[k] : UINT32_MAX;
        const uint32_t j = in_a < in_b ? in_a : in_b;
        const float x = in_a == j ? a.value[i] : 0, y = in_b == j ? b.value[k] : 0;
        order[j] += is_lower(x, y) - is_lower(y, x);
        i += in_a == j;
        k += in_b == j;
    }
}

/* Compares columns in PAIRS pairs of rows with different labels. What one threshold can part nearly always has nearly
 * all pairs in one order, so most columns end here. Returns a new array. */
static int *order_pairs(const search *q)
{
    const rows *d = q->all;
    int *order = allocate_zero(d->features, sizeof *order);
    uint32_t row[2] = {0, 0}, i, k;
    for (i = 0; i < PAIRS; i++) { /* both labels are among the drawn rows */
        pcn_vec x[2];
        for (k = 0; k < 2; k++) {
            do row[k] = (row[k] + 1) % q->n;
            while (d->label[q->drawn[row[k]]] != q->common[k]);
            x[k] = rows_vector(d, q->drawn[row[k]]);
        }
        if (d->index)
            compare_sparse(order, x[0], x[1]);
        else
            compare_dense(order, x[0].value, x[1].value, d->features);
    }
    return order;
}

typedef struct threshold {
    float at;
    uint32_t low; /* values up to there have this one of the two commonest labels, the others have the other */
    uint32_t wrong;
} threshold;

typedef struct border { /* the values of one label that are farthest towards the other label, these first */
    float value[EDGE];
    uint32_t n;
} border;

static float value_of(const search *q, uint32_t row, uint32_t j)
{
    const float x = rows_at(q->all, row, j);
    return isnan(x) ? -INFINITY : x; /* a gap is below all numbers */
}

static void add_to_border(border *b, float value)
{
    uint32_t i = b->n < EDGE ? b->n++ : EDGE;
    if (i == EDGE && value <= b->value[--i]) return;
    for (; i > 0 && b->value[i - 1] < value; i--) b->value[i] = b->value[i - 1];
    b->value[i] = value;
}

/* The best threshold between these borders. The values of `high` have changed their sign. */
static void part(const border *low, const border *high, threshold *t)
{
    uint32_t i, k, wrong;
    t->wrong = UINT32_MAX;
    for (i = 0; i < low->n; i++) {
        const float at = low->value[i];
        float next = INFINITY;
        for (wrong = k = 0; k < low->n && low->value[k] > at; k++, wrong++) next = low->value[k];
        for (k = 0; k < high->n; k++) {
            wrong += -high->value[k] <= at;
            if (-high->value[k] > at) next = fminf(next, -high->value[k]);
        }
        if (wrong >= t->wrong) continue;
        t->wrong = wrong;
        t->at = next < INFINITY && at / 2 + next / 2 < next ? at / 2 + next / 2 : at;
    }
}

/* Finds the best of feature j for the drawn rows. If EDGE values of `low` are not below EDGE of `high`, each threshold
 * has EDGE wrong or more: most columns end there. */
static void find_threshold(const search *q, uint32_t j, threshold *t)
{
    border low = {{0}, 0}, high = {{0}, 0};
    uint32_t i;
    for (i = 0; i < q->n; i++) {
        const uint32_t label = q->all->label[q->drawn[i]];
        if (label == q->common[t->low])
            add_to_border(&low, value_of(q, q->drawn[i], j));
        else if (label == q->common[!t->low])
            add_to_border(&high, -value_of(q, q->drawn[i], j));
        t->wrong = EDGE;
        if (low.n == EDGE && high.n == EDGE && low.value[EDGE - 1] >= -high.value[EDGE - 1]) return;
    }
    part(&low, &high, t);
}

/* Takes the column if its threshold for the drawn rows holds for all. low: which label has the lower values. */
static void try_number(search *q, uint32_t j, uint32_t low)
{
    threshold t = {0, low, 0};
    uint32_t i, wrong = 0;
    find_threshold(q, j, &t);
    if (t.wrong >= EDGE) return;
    for (i = 0; i < q->all->count && is_rare(q, wrong); i++)
        wrong += q->all->label[i] != q->common[value_of(q, i, j) <= t.at ? low : !low];
    if (!is_rare(q, wrong)) return;
    q->alone[j] = 1;
    if (q->all->count - wrong > q->right) q->right = q->all->count - wrong;
}

static void try_numbers(search *q)
{
    uint32_t j, k, both = 0;
    int *order;
    if (!is_rare(q, q->all->count - q->count[q->common[0]] - q->count[q->common[1]])) return;
    for (k = 0; k < q->n; k++) both |= 1u << (q->all->label[q->drawn[k]] == q->common[1]);
    if (both != 3) return;
    order = order_pairs(q);
    for (j = 0; j < q->all->features; j++)
        if (abs(order[j]) >= ALIKE && q->column[j] == A_NUMBER) try_number(q, j, order[j] < 0);
    free(order);
}

/* ---- Columns of texts ---- */

/* Finds which column each feature is from: those of a column of texts are called column=text. */
static void find_text_columns(search *q)
{
    char *const *names = q->t->m->names;
    name_number *columns = NULL;
    uint32_t j;
    sh_new_strdup(columns);
    q->column = allocate(q->all->features, sizeof *q->column);
    for (j = 0; j < q->all->features; j++) {
        char *end = j < arrlenu(names) ? strchr(names[j], '=') : NULL;
        q->column[j] = j < arrlenu(names) && model_names_word(q->t->m, names[j]) ? A_WORD : A_NUMBER;
        if (!end || q->column[j] == A_WORD) continue;
        *end = '\0';
        if (shgeti(columns, names[j]) < 0) shput(columns, names[j], j);
        q->column[j] = shget(columns, names[j]);
        *end = '=';
    }
    q->texts = shlenu(columns) > 0;
    shfree(columns);
}

/* Returns how many rows with one text have its commonest label; 0 if without one of these that is not the commonest.
 * whole: each row counts for itself, too. */
static uint32_t commonest(const uint32_t *count, uint32_t classes, int whole)
{
    uint32_t best = 0, next = 0, c;
    for (c = 0; c < classes; c++) {
        if (count[c] > best)
            next = best, best = count[c];
        else if (count[c] > next)
            next = count[c];
    }
    return whole || best > next + 1 ? best : 0;
}

/* Returns how many of the drawn rows, or of all, each column of texts gets right: a new array, at its first
 * feature. A gap is a text, too. */
static uint32_t *count_right(const search *q, int all)
{
    const rows *d = q->all;
    const size_t classes = labels_count(&q->t->m->labels), features = d->features;
    /* rows of each text and label; behind, at a column's first text, less the rows that have some text */
    uint32_t *count = allocate_zero(2 * features * classes, sizeof *count);
    uint32_t *of_label = allocate_zero(classes, sizeof *of_label), *right = allocate_zero(features, sizeof *right);
    uint32_t i, k;
    size_t j, c;
    for (i = 0; i < (all ? d->count : q->n); i++) {
        const uint32_t row = all ? i : q->drawn[i], label = d->label[row];
        const pcn_vec x = rows_vector(d, row);
        of_label[label]++;
        for (k = 0; k < x.count; k++) {
            j = x.index ? x.index[k] : k;
            if (q->column[j] >= A_WORD || !(x.value[k] > 0)) continue;
            count[j * classes + label]++;
            count[(features + q->column[j]) * classes + label]--;
        }
    }
    for (j = 0; j < features; j++) {
        uint32_t *gap = count + (features + j) * classes;
        if (q->column[j] >= A_WORD) continue;
        right[q->column[j]] += commonest(count + j * classes, (uint32_t)classes, !all);
        for (c = 0; c < classes; c++) gap[c] += of_label[c];
        if (q->column[j] == j) right[j] += commonest(gap, (uint32_t)classes, !all);
    }
    free(count);
    free(of_label);
    return right;
}

/* Could a column be right often enough, if each drawn row counts for itself, too? */
static int may_be_right(const search *q)
{
    uint32_t *right = count_right(q, 0), j, most = 0;
    for (j = 0; j < q->all->features; j++)
        if (right[j] > most) most = right[j];
    free(right);
    return q->n - most < EDGE;
}

static void try_texts(search *q)
{
    uint32_t *right, j;
    if (!q->texts || !may_be_right(q)) return;
    right = count_right(q, 1);
    for (j = 0; j < q->all->features; j++) {
        const uint32_t column = q->column[j];
        if (column >= A_WORD) continue;
        q->alone[j] = is_rare(q, q->all->count - right[column]) != 0;
        if (q->alone[j] && right[column] > q->right) q->right = right[column];
    }
    free(right);
}

/* ---- The model without ---- */

static rows rows_without(const search *q)
{
    rows d = draw_rows(q->all, TRIED_ROWS, q->t->s->seed);
    uint32_t i;
    size_t k;
    for (i = 0; i < d.count; i++)
        for (k = d.start[i]; k < d.start[i + 1]; k++)
            if (q->alone[d.index ? d.index[k] : k - d.start[i]]) d.value[k] = 0;
    if (d.index) rows_thin(&d, q->t->m->scaler.features);
    return d;
}

/* How many percent of rows that it has not learned it gets right. */
static double learn_without(const search *q, const options *o)
{
    rows d = rows_without(q);
    settings s = *q->t->s;
    training each = {.s = &s, .m = q->t->m, .order = q->t->order, .shards = q->t->shards};
    fold one;
    float *label_weight;
    uint32_t *fold_of, k, tested = 0, errors = 0;
    s.folds = FIFTHS;
    s.quiet = 1;
    s.probabilities = 0;
    each.label_weight = label_weight = label_weights(q->t->m, &s, o, 1, &d);
    fold_of = draw_folds(&s, d.count);
    for (k = 0; k < FIFTHS && tested < TESTED_ROWS; k++) {
        learn_fold(&each, &d, fold_of, k, NULL, &one, NULL, NULL);
        tested += one.rows;
        errors += one.errors;
    }
    free(label_weight);
    free(fold_of);
    rows_free(&d);
    return 100 * (1 - (double)errors / tested);
}

/* ---- What is said ---- */

static void tell(const search *q, double without)
{
    const model *m = q->t->m;
    const char *what = m->label_number ? "column" : "feature", *it, *cure;
    char *listed = NULL, *ignore = NULL, room[FEATURE_ROOM];
    uint32_t j, found = 0;
    for (j = 0; j < q->all->features; j++) {
        char *name;
        if (!q->alone[j] || (q->column[j] < A_WORD && q->column[j] != j)) continue;
        name = copy_text(m->label_number ? advice_column(m, j, room) : model_feature(m, j, model_first(m), room));
        if (q->column[j] == j) name[strcspn(name, "=")] = '\0';
        if (found == LISTED) append(&listed, " and more");
        if (found < LISTED) append(&listed, "%s'%s'", found ? ", " : "", printable(name, EXCERPT));
        append(&ignore, "%s--ignore '%s'", found ? " " : "", printable(name, SIZE_MAX));
        free(name);
        found++;
    }
    it = found > 1 ? "them" : "it";
    cure = found > 1 ? "leave them out" : "leaves it out";
    fprintf(stderr, "advice: %s%s %s alone get%s %.4g %% of the rows right, and a model without %s %.4g %%: ", what,
            found > 1 ? "s" : "", listed, found > 1 ? "" : "s", 100.0 * q->right / q->all->count, it, without);
    fprintf(stderr, "if %s not known when you predict, ", found > 1 ? "they are" : "it is");
    if (m->label_number)
        fprintf(stderr, "%s %s\n", ignore, cure);
    else
        fprintf(stderr, "leave %s out of the rows\n", it);
    arrfree(listed);
    arrfree(ignore);
}

/* ---- The search ---- */

static uint32_t commonest_label(const search *q, uint32_t but)
{
    uint32_t k, best = NO_LABEL;
    for (k = 0; k < labels_count(&q->t->m->labels); k++)
        if (k != but && (best == NO_LABEL || q->count[k] > q->count[best])) best = k;
    return best;
}

static void draw(search *q)
{
    pcn_pass draw;
    uint32_t row;
    q->drawn = allocate(DRAWN, sizeof *q->drawn);
    pcn_pass_init(&draw, q->all->count, 1, q->t->s->seed);
    while (q->n < DRAWN && pcn_pass_next(&draw, &row)) q->drawn[q->n++] = row;
}

void advise_on_telltales(const training *t, const options *o, const rows *all)
{
    search q = {.t = t, .all = all};
    uint32_t i;
    double without;
    if (t->s->quiet || t->s->resume || all->count < LEAST_ROWS || t->s->reader.text || t->s->reader.products ||
        process_count() > 1)
        return;
    q.count = allocate_zero(labels_count(&t->m->labels), sizeof *q.count);
    for (i = 0; i < all->count; i++) q.count[all->label[i]]++;
    q.common[0] = commonest_label(&q, NO_LABEL);
    q.common[1] = commonest_label(&q, q.common[0]);
    if ((uint64_t)q.count[q.common[0]] * 100 < (uint64_t)all->count * PERCENT_WITHOUT) {
        q.alone = allocate_zero(all->features, 1);
        draw(&q);
        find_text_columns(&q);
        try_numbers(&q);
        try_texts(&q);
        if (q.right && (without = learn_without(&q, o)) < PERCENT_WITHOUT) tell(&q, without);
    }
    free(q.count);
    free(q.drawn);
    free(q.column);
    free(q.alone);
}
