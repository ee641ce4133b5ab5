#include "cache.h"
#include "scan.h"
#include "team.h"

#include <float.h>
#include <math.h>

/* ---- Collected rows ---- */

static void find_scale(model *m, const rows *d)
{
    uint32_t i, k, j;
    arrsetlen(m->scale, d->features);
    for (j = 0; j < d->features; j++) m->scale[j] = 0;
    for (i = 0; i < d->count; i++) {
        pcn_vec x = rows_vector(d, i);
        for (k = 0; k < x.count; k++) {
            j = x.index ? x.index[k] : k;
            if (fabsf(x.value[k]) > m->scale[j]) m->scale[j] = fabsf(x.value[k]);
        }
    }
    team_most(m->scale, d->features);
    for (j = 0; j < d->features; j++) /* features of nothing but zeros, or tiny ones, stay */
        m->scale[j] = m->scale[j] > FLT_MIN ? 1 / m->scale[j] : 1;
}

void normalize_rows(const model *m, rows *d)
{
    uint32_t i;
    for (i = 0; m->normalize != NORMALIZE_NONE && i < d->count; i++) {
        pcn_vec x = rows_vector(d, i);
        model_normalize(m, &x, d->value + d->start[i]);
    }
}

/* Labels, numbered as there -> classes of the model. */
static void number_classes(run *r, const labels *numbering)
{
    uint32_t i, k, n = labels_count(numbering), *class_of = allocate(n, sizeof *class_of);
    int same = 1;
    for (k = 0; k < n; k++) {
        class_of[k] = labels_find(&r->m.labels, labels_text(numbering, k));
        same &= class_of[k] == k;
    }
    for (i = 0; !same && i < r->data.count; i++) r->data.label[i] = class_of[r->data.label[i]];
    free(class_of);
}

/* Moves a random part of the rows to held_out; what stays keeps its order. */
static void hold_out(run *r)
{
    rows all = r->data, *to;
    pcn_pass draw;
    uint8_t *held = allocate_zero(all.count, 1);
    uint32_t want = (uint32_t)(r->s.validate * (float)all.count), row, i;
    if (want == 0 || want >= all.count)
        die(EXIT_USAGE, "--validate %g of %lu rows leaves one side empty: hold back another part",
            (double)r->s.validate,
            (unsigned long)all.count);
    pcn_pass_init(&draw, all.count, 1, r->s.seed);
    while (want-- && pcn_pass_next(&draw, &row)) held[row] = 1;
    rows_init(&r->data);
    rows_init(&r->held_out);
    for (i = 0; i < all.count; i++) {
        pcn_vec x = rows_vector(&all, i);
        to = held[i] ? &r->held_out : &r->data;
        rows_add(to, &x, all.label[i]);
    }
    r->data.features = all.features;
    free(held);
    rows_free(&all);
}

/* A new string: the label as rows have it. */
static char *label_of_rows(const reader_options *o, unsigned format, const char *text)
{
    return reader_labels_are_numbers(o, format) ? label_canonical(text) : copy_text(text);
}

/* --classes: the labels themselves into `found`, or their number. Returns how many; 0: not given. */
static uint32_t read_classes(run *r, const reader *in)
{
    const char *text = r->s.classes;
    long number;
    char *copy, *label;
    if (!text) return 0;
    if (!strchr(text, ',')) {
        if (!label_is_integer(text, &number) || number < 2)
            die(EXIT_USAGE, "--classes %s: give a number from 2 on, or labels with commas", text);
        return (uint32_t)number;
    }
    copy = copy_text(text);
    for (label = strtok(copy, ","); label; label = strtok(NULL, ",")) {
        char *own = label_of_rows(&r->s.reader, in->options.format, label);
        labels_add(&r->found, own);
        free(own);
    }
    free(copy);
    if (labels_count(&r->found) < 2) die(EXIT_USAGE, "--classes %s: two labels at least", text);
    return labels_count(&r->found);
}

/* Class of the row just read: from the model, or a new label of at most `most` (0: any number). */
static uint32_t label_of_row(run *r, const reader *in, uint32_t most)
{
    int fixed = r->s.resume || (most && labels_count(&r->found) == most);
    const labels *known = r->s.resume ? &r->m.labels : &r->found;
    uint32_t label = fixed ? labels_find(known, in->label) : labels_add(&r->found, in->label);
    if (label == NO_LABEL)
        reader_fail(in, "label %s is not one of the %s", printable(in->label, EXCERPT),
                    r->s.resume ? "model's" : "--classes");
    return label;
}

/* As many as there may be; 0: any number. */
static uint32_t feature_limit(const run *r)
{
    return r->s.resume ? model_features(&r->m) : r->s.features;
}

void check_features(const run *r, const reader *in)
{
    uint32_t limit = feature_limit(r);
    if (limit && in->features > limit)
        reader_fail(in, "%lu features, %s %lu", (unsigned long)in->features,
                    r->s.resume ? "the model has" : "--features says", (unsigned long)limit);
}

/* Is enough known for learning to begin? */
static int may_begin(const run *r, uint32_t classes)
{
    if (r->path == PATH_STREAM) return r->s.resume || (r->rows > 0 && labels_count(&r->found) == classes);
    return r->path == PATH_GUESS && (r->rows >= FIRST_ROWS || arrlenu(r->data.value) >= FIRST_ROWS);
}

/* The form of all rows: as asked for, or that of the model's, or as they are read. Of libsvm text the first row tells
 * it, which is the same in whatever way the file is read. Dense rows are no larger if half of the features have
 * values. */
static void decide_form(run *r, const reader *in)
{
    const uint32_t features = feature_limit(r) ? feature_limit(r) : r->data.features;
    const int has_words = in->options.format == FORMAT_CSV || in->options.format == FORMAT_TEXT;
    const int full = !has_words && r->first > 0 && 2 * r->first >= features;
    if (r->s.reader.rows == ROWS_READ) r->s.reader.rows = in->dense || full ? ROWS_DENSE : ROWS_SPARSE;
}

/* The rows read until now take that form, and so will those to come. */
static void give_form(run *r, reader *in)
{
    reader_options *o = &r->s.reader;
    o->width = r->data.features;
    in->options.rows = o->rows;
    in->options.width = o->width;
    if (o->rows == ROWS_DENSE && !in->dense) rows_spread(&r->data);
    if (o->rows == ROWS_SPARSE && in->dense) rows_thin(&r->data);
}

/* Reads rows until learning may begin, or to the end. They go to r->data, unless the file is read twice. 1 if
 * there may be more. */
static int read_rows(run *r, reader *in, uint32_t classes)
{
    int more = 1;
    while (!may_begin(r, classes)) {
        uint32_t label;
        pcn_vec x;
        more = team_read(in);
        if (!more) break;
        check_features(r, in);
        label = label_of_row(r, in, classes);
        if (r->rows++ == 0) r->first = in->count;
        if (r->path == PATH_TWICE) continue;
        if (r->data.count == UINT32_MAX) reader_fail(in, "too many rows");
        x = reader_vector(in);
        rows_add(&r->data, &x, label);
        if (r->path != PATH_COLLECT) arrput(r->line, in->line);
    }
    if (r->path == PATH_COLLECT) team_deal(r, in);
    r->data.features = in->features;
    if (!more && r->rows == 0) die(EXIT_INPUT, "%s: no examples", in->name);
    return more;
}

int is_free(const settings *s)
{
    return !s->classes && !s->features && !s->weights && s->algorithm != ALGORITHM_WINNOW1;
}

/* For a file that is read twice: labels and features without the reader. 0: the reader has to find them. */
static int scan_rows(run *r, const char *name)
{
    if (r->path != PATH_TWICE || !is_free(&r->s)) return 0;
    r->data.features = scan_libsvm(name, &r->s.reader, &r->found, &r->first);
    if (r->data.features && labels_count(&r->found) > 1) return 1;
    labels_free(&r->found);
    labels_init(&r->found);
    return 0;
}

/* ---- The cache ---- */

/* May the rows have these labels, too, with `most` classes (0: any number)? */
static int labels_fit(const run *r, const labels *l, uint32_t most)
{
    const labels *known = r->s.resume ? &r->m.labels : &r->found;
    uint32_t i, unknown = 0;
    for (i = 0; i < labels_count(l); i++) unknown += labels_find(known, labels_text(l, i)) == NO_LABEL;
    return unknown == 0 || (!r->s.resume && (most == 0 || labels_count(known) + unknown <= most));
}

/* Are columns of these names read as if the model had no names? */
static int names_fit(char *const *names, char *const *of_model)
{
    size_t i = 0, n = arrlenu(names);
    if (n == 0 || arrlenu(of_model) == 0) return 1;
    while (i < n && n == arrlenu(of_model) && strcmp(names[i], of_model[i]) == 0) i++;
    return i == n;
}

/* Is the label's column of the cache the one that the text would be read with? */
static int label_column_fits(const run *r, const cache *c)
{
    const model *m = &r->m;
    if (!r->s.resume || r->s.reader.label || m->label_number == 0) return 1;
    if (m->label_name && c->label_name) return strcmp(m->label_name, c->label_name) == 0;
    return m->label_number == c->label_number;
}

/* Takes the rows of the cache, if nothing is wrong with them that the text would tell better; else frees them. */
static int take_cached(run *r, cache *c, uint32_t classes)
{
    uint32_t i;
    if ((feature_limit(r) && c->data.features > feature_limit(r)) || !labels_fit(r, &c->labels, classes) ||
        !names_fit(c->names, r->m.names) || !label_column_fits(r, c)) {
        cache_free(c);
        return 0;
    }
    rows_free(&r->data);
    r->data = c->data;
    r->first = r->data.start[1];
    for (i = 0; !r->s.resume && i < labels_count(&c->labels); i++)
        labels_add(&r->found, labels_text(&c->labels, i));
    if (!r->data.value && (r->m.normalize != NORMALIZE_NONE || r->s.validate > 0 || r->s.folds))
        rows_give_ones(&r->data);
    return 1;
}

/* ---- Settings of the learner ---- */

static pcn_rule chosen_rule(const run *r)
{
    const settings *s = &r->s;
    pcn_rule rule;
    switch (s->rule) {
    case RULE_ABSOLUTE: rule = pcn_rule_absolute(); break;
    case RULE_FRACTIONAL: rule = pcn_rule_fractional(s->lambda); break;
    case RULE_PA: rule = pcn_rule_pa(FLT_MAX); break;
    case RULE_PA1: rule = pcn_rule_pa(s->c); break;
    case RULE_PA2: rule = pcn_rule_pa2(s->c); break;
    default: rule = pcn_rule_fixed(s->rate); break;
    }
    if (r->m.algorithm == ALGORITHM_AROW) rule = r->m.trainer.learner.rule;
    if (model_is_winnow(&r->m)) rule.rate = r->m.step;
    if (!isnan(s->margin)) rule.margin = s->margin;
    return rule;
}

/* Everything but the weights; for --resume after loading. */
static void apply_settings(run *r)
{
    static uint32_t (*const update[])(const pcn_learner *, pcn_update *, uint32_t, float *) = {
        pcn_update_predicted, pcn_update_others, pcn_update_uniform, pcn_update_one_vs_rest};
    pcn_learner *l = model_learner(&r->m);
    l->rule = chosen_rule(r);
    l->bias_input = r->m.bias;
    l->update = update[r->s.update];
    l->zero_predicted = r->s.zero_update != 0;
}

/* What follows the last '=' of LABEL=W; its class. */
static uint32_t read_class_weight(const run *r, const char *text, float *weight)
{
    const char *equals = strrchr(text, '='), *end = NULL;
    char *label = copy_text(text), *own;
    uint32_t class;
    if (equals) {
        label[equals - text] = '\0';
        end = parse_float(equals + 1, weight);
    }
    if (!end || *end || !(*weight > 0) || isinf(*weight))
        option_fail(r->o, "weight", text, "give LABEL=W with W > 0");
    own = label_of_rows(&r->s.reader, r->s.reader.found, label);
    class = labels_find(&r->m.labels, own);
    if (class == NO_LABEL) option_fail(r->o, "weight", text, "no such label in the data");
    free(own);
    free(label);
    return class;
}

static void read_class_weights(run *r)
{
    uint32_t k, classes = labels_count(&r->m.labels);
    uint8_t *given = allocate_zero(classes, 1);
    float weight = 0;
    size_t i;
    r->class_weight = allocate(classes, sizeof *r->class_weight);
    for (k = 0; k < classes; k++) r->class_weight[k] = 1;
    for (i = 0; i < arrlenu(r->s.weights); i++) {
        k = read_class_weight(r, r->s.weights[i], &weight);
        if (given[k]++) option_fail(r->o, "weight", r->s.weights[i], "this label has a weight already");
        r->class_weight[k] = weight;
    }
    r->weighted = i > 0 || r->m.algorithm == ALGORITHM_WINNOW1;
    free(given);
}

/* ---- The model ---- */

void start_weights(run *r)
{
    model_init(&r->m, r->data.features, labels_count(&r->m.labels), r->s.reader.rows == ROWS_DENSE, r->s.batch != 0);
}

/* Makes the model, once the labels and the features are known. */
static void start_model(run *r, reader *in, uint32_t classes)
{
    model *m = &r->m;
    const char *data = in->name;
    uint32_t found = labels_count(&r->found);
    if (found < 2)
        die(EXIT_INPUT, "%s: all rows have the label %s; two classes are needed", data,
            printable(labels_text(&r->found, 0), EXCERPT));
    if (classes && found != classes)
        die(EXIT_INPUT, "%s: %lu labels, --classes says %lu", data, (unsigned long)found,
            (unsigned long)classes);
    if (m->algorithm == ALGORITHM_WINNOW1 && found != 2)
        die(EXIT_INPUT, "%s: %lu labels; winnow1 tells two classes apart", data, (unsigned long)found);
    m->zero_negative = r->s.zero_class != 0; /* with many labels an idle option has its default again */
    if (isnan(m->threshold)) /* not given */
        m->threshold = m->algorithm == ALGORITHM_WINNOW1 || m->algorithm == ALGORITHM_WINNOW2
                           ? (float)r->data.features
                           : 0;
    if (isnan(m->gamma)) m->gamma = 1 / (float)r->data.features; /* not given */
    m->labels = labels_sorted(&r->found);
    m->names = in->names;
    in->names = NULL;
    m->label_name = in->label_name;
    in->label_name = NULL;
    m->label_number = in->label_number;
    if (!r->s.folds) start_weights(r);
}

/* What is left to make before learning. */
static void prepare_run(run *r)
{
    uint32_t classes = labels_count(&r->m.labels);
    apply_settings(r);
    read_class_weights(r);
    r->score = allocate((size_t)classes * MODEL_BLOCK, sizeof *r->score);
    if (r->s.pocket || r->s.validate > 0)
        r->kept_memory =
            allocate(PCN_LINEAR_FLOATS(r->m.trainer.model.features, r->m.trainer.model.classes), sizeof(float));
    r->next_report = model_learner(&r->m)->count.rows + 1;
    r->reported = model_learner(&r->m)->count;
}

void prepare_rows(run *r)
{
    if (reader_leaves_gaps(&r->s.reader)) r->s.reader.mean = r->m.fill = rows_means(&r->data);
    if (r->m.fill && r->data.value) rows_fill(&r->data, r->m.fill); /* a cache has gaps, whatever the model knows */
    advise_on_values(r);
    if (r->m.normalize == NORMALIZE_MAXABS && !r->s.resume) find_scale(&r->m, &r->data);
    normalize_rows(&r->m, &r->data);
    if (r->s.validate > 0) hold_out(r);
    prepare_run(r);
}

int find_rows(run *r, reader *in, const char *name)
{
    uint32_t classes;
    const labels *numbering = r->s.resume ? &r->m.labels : &r->found;
    int more = 0, stale = 0;
    cache c;
    cache_key key;
    if (r->s.cache) { /* its key is how the file is read, not for what model */
        cache_key_init(&key, name, &r->s.reader);
        stale = !cache_load(&c, r->s.cache, &key);
    }
    if (r->s.resume) model_expects(&r->m, &r->s.reader);
    r->s.reader.predict = 0;
    r->s.reader.features = feature_limit(r);
    reader_open(in, team_first_file(name), &r->s.reader);
    reader_find_format(in);
    classes = read_classes(r, in);
    in->options.rows = ROWS_READ; /* a cache has rows as they are read, and these tell the form */
    rows_init(&r->data);
    if (r->s.cache && !stale && take_cached(r, &c, classes)) {
        in->dense = c.dense;
        in->names = c.names;
        in->options.format = c.format;
        in->label_name = c.label_name;
        in->label_number = c.label_number;
        numbering = &c.labels;
    } else if (!scan_rows(r, name)) {
        more = read_rows(r, in, classes);
    }
    decide_form(r, in);
    if (stale && !in->closed && !(r->s.resume && in->csv)) /* a model says how its columns are read */
        cache_save(r->s.cache, &key, &r->data, numbering, in);
    if (r->s.cache) free(key.options);
    r->wrong = r->path == PATH_GUESS && more &&
               (labels_count(&r->found) < 2 || r->data.features == 0 || in->grows);
    if (r->wrong) return 1;
    if (r->path == PATH_GUESS && more && r->s.reader.rows == ROWS_SPARSE)
        r->data.features += r->data.features / 32; /* rows to come may have some features more */
    if (feature_limit(r)) r->data.features = feature_limit(r);
    if (r->data.features == 0) die(EXIT_INPUT, "%s: no row has any feature", in->name);
    give_form(r, in);
    r->s.reader.found = in->options.format;
    r->s.reader.number_labels |= r->s.reader.model_numbers && in->options.format != FORMAT_LIBSVM;
    if (!r->s.resume) r->s.found = labels_count(&r->found);
    options_check(r->o);
    if (!r->s.resume) start_model(r, in, classes);
    number_classes(r, numbering);
    if (!r->recalled) r->recalled = r->m.kept;
    r->m.kept = options_keep(r->o, KEPT | KEPT_READING);
    if (numbering == &c.labels) labels_free(&c.labels);
    return more;
}
