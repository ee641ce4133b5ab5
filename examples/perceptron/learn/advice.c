#include "advice.h"
#include "processes.h"
#include "text/number.h"

#include <float.h>
#include <math.h>

enum {
    FIRST_ROWS = 1 << 15, /* that tell what values are like */
    FEW_ROWS = 32,        /* in so few, order by label may be chance, or a textbook's table */
    MANY_LABELS = 20,
    FEW_LABELS = 200,    /* to compare each with each */
    ROWS_OF_LABEL = 20,  /* in fewer, on average, labels look like values */
    CLEARLY = 3,         /* standard errors */
    SCALES = 1000,       /* between largest and smallest */
    SURE_ROWS = 1000,    /* scored, from which probabilities can be trusted */
    ENOUGH_ROWS = 10000, /* for a shard of a learner other than AROW */
    LONG_RUNS = 8        /* times as long as by chance */
};

/* The largest size of each feature in the first rows. A new array. */
static float *find_sizes(const rows *d, float *other_values)
{
    float *size = allocate_zero(d->features, sizeof *size);
    uint32_t i, k, n = d->count < FIRST_ROWS ? d->count : FIRST_ROWS;
    for (i = 0; i < n; i++) {
        pcn_vec x = rows_vector(d, i);
        for (k = 0; k < x.count; k++) {
            float value = x.value ? x.value[k] : 1, *to = &size[x.index ? x.index[k] : k];
            if (isnan(value)) continue; /* missing */
            if (fabsf(value) > *to) *to = fabsf(value);
            if (value != 0 && value != 1) *other_values = 1;
        }
    }
    processes_largest(size, d->features);
    processes_largest(other_values, 1);
    return size;
}

static void advise_on_scales(const model *m, uint32_t features, const float *size)
{
    uint32_t j, most = 0, least = 0;
    char large[FEATURE_ROOM], small[FEATURE_ROOM];
    for (j = 0; j < features; j++) {
        if (size[j] > size[most]) most = j;
        if (size[j] > FLT_MIN && (size[j] < size[least] || size[least] <= FLT_MIN)) least = j;
    }
    if (size[least] <= FLT_MIN || size[most] / size[least] < SCALES) return;
    fprintf(stderr, "advice: feature %s is up to %g in size, feature %s only %g; --normalize %s evens that out\n",
            printable(model_feature(m, most, model_first(m), large), EXCERPT), (double)size[most],
            printable(model_feature(m, least, model_first(m), small), EXCERPT), (double)size[least],
            m->label_number ? "standard" : "maxabs");
}

void advise_on_memory(const model *m, uint32_t features, int batched)
{
    const double all = (double)memory_there_is(), bytes = (double)model_weight_bytes(m, features, batched);
    int bits = 31;
    if (bytes <= all / 2) return;
    fprintf(stderr, "advice: the weights take %.3g GB, more than half of the %.3g GB of memory that there are; ",
            1e-9 * bytes, 1e-9 * all);
    while (bits > 1 && ldexp(bytes / features, bits) > all / 2) bits--;
    if (model_kept(m, "text"))
        fprintf(stderr, "--hash %d would take %.3g GB\n", bits, 1e-9 * ldexp(bytes / features, bits));
    else
        fprintf(stderr, "fewer features or labels would take less%s\n",
                m->kind->decision == PCN_DECIDE_MEAN ? ", and -a perceptron a third" : "");
}

typedef struct text_count { /* of a column */
    uint32_t all, sentences, amounts;
    size_t name; /* the first, counted from 1 */
} text_count;

/* Is it a number with a sign before or behind it, or with commas, such as $5, 12 % or 1,234.50? It is read as a text. */
static int is_amount(const char *text)
{
    static const char no_signs[] = "0123456789+-.,abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t before = strcspn(text, no_signs);
    const char *end;
    float value;
    end = parse_float(text + before, &value);
    if (!end || (before == 0 && *end == '\0')) return 0;
    if (*end == ',') end += strspn(end, "0123456789,.");
    return end[strcspn(end, no_signs)] == '\0';
}

/* A column of texts that hardly ever come again, such as names, tells nothing of rows to come. */
void advise_on_texts(const model *m, uint64_t rows_read)
{
    struct {
        char *key;
        text_count value;
    } *texts = NULL;
    text_count count;
    size_t i;
    sh_new_strdup(texts);
    for (i = 0; m->label_number && i < arrlenu(m->names); i++) {
        char *end = strchr(m->names[i], '=');
        if (!end || model_names_word(m, m->names[i]) || (model_kept(m, "products") && strchr(m->names[i], '*')))
            continue;
        *end = '\0';
        count = shget(texts, m->names[i]);
        count.all++;
        count.sentences += strchr(end + 1, ' ') != NULL;
        count.amounts += (uint32_t)is_amount(end + 1);
        if (!count.name) count.name = i + 1;
        shput(texts, m->names[i], count);
        *end = '=';
    }
    for (i = 0; i < shlenu(texts); i++) {
        const char *column = printable(texts[i].key, SIZE_MAX);
        count = texts[i].value;
        if (count.all > 1 && count.amounts == count.all && rows_read >= FEW_ROWS) {
            const char *text = strchr(m->names[count.name - 1], '=') + 1;
            fprintf(
                stderr,
                "advice: column '%s' has %lu texts like '%s', each a feature of its own: as numbers they need digits "
                "and a point alone\n",
                column, (unsigned long)count.all, printable(text, EXCERPT));
            continue;
        }
        if (rows_read < FEW_ROWS || count.all <= rows_read / 2) continue;
        fprintf(stderr, "advice: column '%s' has %lu texts in %llu rows; ", column, (unsigned long)count.all,
                (unsigned long long)rows_read);
        if (count.sentences > count.all / 2)
            fprintf(stderr, "--text-column '%s' takes their words, --ignore leaves them out\n", column);
        else
            fprintf(stderr, "--ignore '%s' leaves it out\n", column);
    }
    shfree(texts);
}

/* Of a table without names: columns but that of the label and those left out are features. */
const char *advice_column(const model *m, uint32_t j, char room[FEATURE_ROOM])
{
    uint32_t column = 0;
    char text[32];
    if (m->names) return m->names[j];
    for (j++; j > 0;) {
        size_t i = 0;
        snprintf(text, sizeof text, "ignore=%lu", (unsigned long)++column);
        while (i < arrlenu(m->kept) && strcmp(m->kept[i], text) != 0) i++;
        j -= column != m->label_number && i == arrlenu(m->kept);
    }
    snprintf(room, FEATURE_ROOM, "%lu", (unsigned long)column);
    return room;
}

static int are_different(const rows *d, uint32_t n, uint32_t j)
{
    float *value = allocate(n, sizeof *value);
    uint32_t i;
    int different = 1;
    for (i = 0; i < n; i++) value[i] = rows_at(d, i, j);
    qsort(value, n, sizeof *value, compare_floats);
    for (i = 1; i < n; i++) different &= value[i] > value[i - 1];
    free(value);
    return different;
}

/* Are they as many whole numbers, in any order, less than `reach` apart? Most columns show in a few rows that they are not. */
static int count_rows(const rows *d, uint32_t j, float reach)
{
    float first[FEW_ROWS], low = FLT_MAX, high = -FLT_MAX;
    uint32_t i, k;
    for (i = 0; i < d->count; i++) {
        const float x = rows_at(d, i, j);
        if (!(floorf(x) == x)) return 0;
        low = fminf(low, x);
        high = fmaxf(high, x);
        if (high - low >= reach) return 0;
        for (k = 0; i < FEW_ROWS && k < i; k++)
            if (first[k] == x) return 0;
        if (i < FEW_ROWS) first[i] = x;
    }
    return are_different(d, d->count, j);
}

/* Columns that count the rows, or have such a name and all values different, only number them. Where rows may have been
 * left out, every second number may be. */
static void advise_on_row_numbers(const model *m, const rows *d)
{
    static const char names[] = "|id|Id|ID|index|Index|row|Unnamed: 0|";
    const uint32_t n = d->count < FIRST_ROWS ? d->count : FIRST_ROWS;
    const int leaves_out = strcmp(model_kept_or(m, "missing", "refuse"), "refuse") != 0;
    const float reach = (float)d->count * (leaves_out ? 2 : 1);
    uint32_t j;
    if (!m->label_number || n < FEW_ROWS || process_count() > 1) return;
    for (j = 0; j < d->features; j++) {
        char name[32] = "", room[FEATURE_ROOM];
        const char *column;
        if (m->names) snprintf(name, sizeof name, "|%s|", m->names[j]);
        if (strcmp(name, "||") == 0) continue; /* advise_on_names has told of it */
        if (model_date(m, j) != NO_DATE) continue;
        if (!count_rows(d, j, reach) && !(*name && strstr(names, name) && are_different(d, n, j))) continue;
        column = advice_column(m, j, room);
        fprintf(stderr, "advice: column '%s' seems to number the rows: --ignore '%s' leaves it out\n",
                printable(column, EXCERPT), printable(column, SIZE_MAX));
    }
}

void advise_on_names(const model *m)
{
    size_t i;
    for (i = 0; i < arrlenu(m->names); i++)
        if (m->label_number && *m->names[i] == '\0')
            fputs("advice: a column has no name, as row numbers have none: --ignore '' leaves it out\n", stderr);
}

/* Numbers that hardly ever come again, or are no whole ones, are no names of classes. */
void advise_on_labels(const model *m, uint64_t rows_read)
{
    const uint32_t count = labels_count(&m->labels);
    uint32_t i, numbers = 0, whole = 0;
    float value;
    long integer;
    const char *several = NULL;
    for (i = 0; i < count; i++) {
        const char *text = labels_text(&m->labels, i), *end = parse_float(text, &value);
        const char *comma = strchr(text, ',');
        numbers += end && !*end;
        if (comma && comma > text && comma[1] && comma[1] != ' ') several = text;
        whole += label_is_integer(text, &integer) != 0;
    }
    for (i = 0; i < count && count <= FEW_LABELS; i++) {
        const char *text = labels_text(&m->labels, i);
        uint32_t k = i + 1;
        while (k < count && strcasecmp(text, labels_text(&m->labels, k)) != 0) k++;
        if (k == count || strlen(text) < 2) continue;
        fprintf(stderr, "advice: '%s' and '%s' are two labels here: capitals count\n", printable(text, EXCERPT),
                printable(labels_text(&m->labels, k), EXCERPT));
        break;
    }
    if (several)
        fprintf(
            stderr,
            "advice: '%s' is one label here; of rows with several, train a model for each label against the others\n",
            printable(several, EXCERPT));
    if (count >= MANY_LABELS && numbers == count && (whole < count || rows_read / ROWS_OF_LABEL < count))
        fprintf(stderr,
                "advice: %lu different numbers as labels of %llu rows look like values, which are not estimated: "
                "each is a class; give ranges of them a label each%s\n",
                (unsigned long)count, (unsigned long long)rows_read,
                m->label_number ? ", or name another column by --label" : "");
    else if (count > 2 && count == rows_read)
        fprintf(stderr, "advice: each of the %lu rows has a label of its own, so none is seen twice%s\n",
                (unsigned long)count, m->label_number ? "; --label says which column the label is in" : "");
}

void advise_on_values(const model *m, const rows *d)
{
    float other_values = 0;
    float *size;
    if (d->count == 0 && process_count() == 1) return;
    advise_on_texts(m, d->count);
    advise_on_row_numbers(m, d);
    size = find_sizes(d, &other_values);
    if (m->kind->values_01 && other_values > 0)
        fprintf(stderr, "advice: %s is for values 0 and 1, and the data have others: use --binarize or -a winnow\n",
                m->kind->name);
    if (!model_can(m, CAN_ALPHA) && m->normalize == NORMALIZE_NONE && !model_weighs_words(m))
        advise_on_scales(m, d->features, size);
    free(size);
}

void advise_on_ngrams(const model *m, uint32_t ngrams, int can_hash)
{
    const uint32_t features = model_features(m);
    if (ngrams < 2 || model_can(m, CAN_KERNEL)) return;
    fprintf(stderr, "advice: with --ngrams %lu there are %lu features, %.4g MB of weights%s\n", (unsigned long)ngrams,
            (unsigned long)features, (double)model_weight_bytes(m, features, m->arrays.batch != NULL) / 1e6,
            can_hash ? "; --hash BITS sets how many there are" : "");
}

void advise_on_shards(const model *m, uint32_t shards, uint64_t learned)
{
    if (shards < 2 || model_can(m, CAN_R) || learned / shards >= ENOUGH_ROWS) return;
    fprintf(stderr, "advice: mixing shards of %llu rows costs accuracy; with -a arow it costs hardly any\n",
            (unsigned long long)(learned / shards));
}

/* Which rows came last decides what the last weights are; those of AROW hardly change then. */
void advise_on_probabilities(const model *m)
{
    const unsigned decision = model_can(m, CAN_DECISION) ? m->decision : m->kind->decision;
    if (decision == PCN_DECIDE_LAST && !model_can(m, CAN_R))
        fprintf(stderr, "advice: probabilities of the last %s depend on the rows that came last: %s is steadier\n",
                model_vectors(m) ? "state" : "weights",
                model_can(m, CAN_DECISION) ? "--decision averaged" : "-a averaged");
    if (m->calibration.rows < SURE_ROWS)
        fprintf(stderr, "advice: probabilities from %lu rows are rough: take them seriously from %d rows on\n",
                (unsigned long)m->calibration.rows, SURE_ROWS);
}

void note_order(label_order *o, const rows *d)
{
    uint32_t i;
    for (i = 0; i < d->count; i++) {
        if (d->label[i] >= NO_ROW) continue;
        while (arrlenu(o->count) <= d->label[i]) arrput(o->count, 0);
        o->count[d->label[i]]++;
        o->runs += o->runs == 0 || d->label[i] != o->last;
        o->last = d->label[i];
    }
}

/* Runs of one label that rows in no order have on average: 1, and one more for each of n - 1 pairs whose labels differ. With
 * c rows of a label that is 1 + (n - 1) (1 - sum c (c - 1) / (n (n - 1))) = n - sum c (c - 1) / n. */
static double runs_by_chance(const label_order *o, double n)
{
    double same = 0;
    size_t k;
    for (k = 0; k < arrlenu(o->count); k++) same += (double)o->count[k] * ((double)o->count[k] - 1);
    return n - same / n;
}

void advise_on_order(const label_order *o, const model *m, uint64_t learned)
{
    double n = 0;
    size_t k;
    for (k = 0; k < arrlenu(o->count); k++) n += (double)o->count[k];
    if (m->follows && runs_by_chance(o, n) > LONG_RUNS * (double)o->runs) {
        fprintf(stderr,
                "advice: a label comes in %.3g rows one after another, on average; by chance it would be %.3g. What is "
                "learned follows such runs: for rows in no order train without --online, or with -a arow --regrow 0\n",
                n / (double)o->runs, n / runs_by_chance(o, n));
        return;
    }
    if (learned < FEW_ROWS || o->runs != labels_count(&m->labels)) return;
    fprintf(stderr, "advice: the rows are sorted by label and learned in that order, so the last label counts most; "
                    "--order each shuffles them\n");
}

void advise_on_pair(const model *m)
{
    if (!m->beside) return;
    fprintf(stderr, "advice: %s has two learners: %s, which leads, goes on alone; --online goes on with both\n",
            m->file, m->kind->name);
}

void advise_on_change(const model *m, uint64_t mistakes, uint64_t errors)
{
    if (m->follows || !m->arrays.sum || (double)errors < (double)mistakes + CLEARLY * sqrt((double)errors)) return;
    fprintf(stderr,
            "advice: the mean of the weights was wrong %llu times, the last weights only %llu times, so what is to be "
            "learned seems to change; --follow begins the mean anew then\n",
            (unsigned long long)errors, (unsigned long long)mistakes);
}
