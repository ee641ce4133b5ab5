/* One line each on standard error about data that the settings do not suit. */
#include "team.h"

#include <float.h>
#include <math.h>

enum {
    FEW_ROWS = 32, /* in so few, order by label may be chance, or a textbook's table */
    MANY_LABELS = 100,
    ROWS_OF_LABEL = 5, /* in fewer, on average, labels look like values */
    SCALES = 1000, /* between largest and smallest */
    ENOUGH_ROWS = 10000 /* for a shard of a learner other than AROW */
};

static void note_feature(const run *r, char *text, size_t room, uint32_t feature)
{
    if (r->m.names)
        snprintf(text, room, "%s", printable(r->m.names[feature], EXCERPT));
    else
        snprintf(text, room, "%lu", (unsigned long)feature + 1);
}

/* The largest size of each feature in the first rows. A new array. */
static float *find_sizes(const run *r, float *other_values)
{
    float *size = allocate_zero(r->data.features, sizeof *size);
    uint32_t i, k, n = r->data.count < FIRST_ROWS ? r->data.count : FIRST_ROWS;
    for (i = 0; i < n; i++) {
        pcn_vec x = rows_vector(&r->data, i);
        for (k = 0; k < x.count; k++) {
            float value = x.value ? x.value[k] : 1, *to = &size[x.index ? x.index[k] : k];
            if (isnan(value)) continue; /* missing */
            if (fabsf(value) > *to) *to = fabsf(value);
            if (value != 0 && value != 1) *other_values = 1;
        }
    }
    team_most(size, r->data.features);
    team_most(other_values, 1);
    return size;
}

static void advise_on_scales(const run *r, const float *size)
{
    uint32_t j, most = 0, least = 0;
    char large[80], small[80];
    for (j = 0; j < r->data.features; j++) {
        if (size[j] > size[most]) most = j;
        if (size[j] > FLT_MIN && (size[j] < size[least] || size[least] <= FLT_MIN)) least = j;
    }
    if (size[least] <= FLT_MIN || size[most] / size[least] < SCALES) return;
    note_feature(r, large, sizeof large, most);
    note_feature(r, small, sizeof small, least);
    fprintf(stderr, "advice: feature %s is up to %g in size, feature %s only %g; --normalize maxabs evens that out\n",
            large, (double)size[most], small, (double)size[least]);
}

/* A column of texts that hardly ever come again, such as names, tells nothing of rows to come. */
static void advise_on_texts(const run *r)
{
    struct { char *key; uint32_t value; } *texts = NULL; /* of a column, how many */
    uint32_t count;
    size_t i;
    sh_new_strdup(texts);
    for (i = 0; r->m.label_number && i < arrlenu(r->m.names); i++) {
        char *end = strchr(r->m.names[i], '=');
        if (!end) continue;
        *end = '\0';
        count = shget(texts, r->m.names[i]) + 1;
        shput(texts, r->m.names[i], count);
        *end = '=';
    }
    for (i = 0; i < shlenu(texts); i++) {
        const char *column = printable(texts[i].key, SIZE_MAX);
        count = texts[i].value;
        if (r->data.count >= FEW_ROWS && count > r->data.count / 2)
            fprintf(stderr, "advice: column '%s' has %lu texts in %lu rows; --ignore '%s' leaves it out\n", column,
                    (unsigned long)count, (unsigned long)r->data.count, column);
    }
    shfree(texts);
}

/* Numbers that hardly ever come again are no names of classes. */
static void advise_on_labels(const run *r)
{
    const uint32_t count = labels_count(&r->m.labels);
    uint32_t i;
    float value;
    if (count < MANY_LABELS || r->rows / ROWS_OF_LABEL >= count) return;
    for (i = 0; i < count; i++) {
        const char *end = parse_float(labels_text(&r->m.labels, i), &value);
        if (!end || *end) return;
    }
    fprintf(stderr, "advice: %lu different numbers as labels of %llu rows look like values, each of which is a class "
                    "here;%s\n", (unsigned long)count, (unsigned long long)r->rows,
            r->m.label_number ? " --label says which column the label is in" : " give ranges of them a label each");
}

void advise_on_values(const run *r)
{
    float other_values = 0;
    float *size;
    if (r->s.resume || r->s.quiet) return; /* the shape of a model is settled */
    advise_on_labels(r);
    if (r->data.count == 0 && team_size() == 1) return;
    advise_on_texts(r);
    size = find_sizes(r, &other_values);
    if (!model_is_winnow(&r->m)) {
        if (r->m.normalize == NORMALIZE_NONE) advise_on_scales(r, size);
    } else if (r->m.algorithm != ALGORITHM_WINNOW && other_values > 0) {
        char *algorithm = option_word(ALGORITHM_WORDS, r->m.algorithm);
        fprintf(stderr, "advice: %s is for values 0 and 1, and the data have others: use --binarize or -a winnow\n",
                algorithm);
        free(algorithm);
    }
    free(size);
}

void advise_on_shards(const run *r)
{
    const uint64_t each = r->rows / (r->s.shards ? r->s.shards : 1);
    if (r->s.quiet || r->s.shards < 2 || r->m.algorithm == ALGORITHM_AROW || each >= ENOUGH_ROWS) return;
    fprintf(stderr, "advice: mixing shards of %llu rows costs accuracy; with -a arow it costs hardly any\n",
            (unsigned long long)each);
}

void note_order(run *r, const rows *d)
{
    uint32_t i;
    for (i = 0; i < d->count; i++) {
        r->label_runs += r->label_runs == 0 || d->label[i] != r->last_label;
        r->last_label = d->label[i];
    }
}

void advise_on_order(const run *r)
{
    if (r->s.quiet || r->rows < FEW_ROWS || r->label_runs != labels_count(&r->m.labels)) return;
    fprintf(stderr, "advice: the rows are sorted by label and learned in that order, so the last label counts most; "
                    "--order each shuffles them\n");
}
