#include "reading.h"
#include "stream.h"
#include "team.h"

#include <math.h>

enum { FIRST_ROWS = 1 << 15 }; /* rows, or values, that tell what a file is like */

/* ---- Labels and features ---- */

/* Labels in order of appearance -> classes of the model. */
static void number_classes(reading *r)
{
    uint32_t i, k, n = labels_count(&r->found), *class_of = allocate(n, sizeof *class_of);
    int same = 1;
    for (k = 0; k < n; k++) {
        class_of[k] = labels_find(&r->m->labels, labels_text(&r->found, k));
        same &= class_of[k] == k;
    }
    for (i = 0; !same && i < r->data.count; i++) r->data.label[i] = class_of[r->data.label[i]];
    free(class_of);
}

/* A new string: the label as rows have it. */
static char *label_of_rows(const reader *in, const char *text)
{
    return reader_labels_are_numbers(&in->options, in->options.format) ? label_canonical(text) : copy_text(text);
}

/* --classes: the labels themselves into `found`, or their number. Returns how many; 0: not given. */
static uint32_t read_classes(reading *r, const reader *in)
{
    const char *text = r->s->classes;
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
        char *own = label_of_rows(in, label);
        labels_add(&r->found, own);
        free(own);
    }
    free(copy);
    if (labels_count(&r->found) < 2) die(EXIT_USAGE, "--classes %s: two labels at least", text);
    return labels_count(&r->found);
}

/* Class of the row just read: from the model, or a new label of at most `most` (0: any number). */
static uint32_t label_of_row(reading *r, const reader *in, uint32_t most)
{
    int fixed = r->s->resume || (most && labels_count(&r->found) == most);
    const labels *known = r->s->resume ? &r->m->labels : &r->found;
    uint32_t label = fixed ? labels_find(known, in->label) : labels_add(&r->found, in->label);
    if (label == NO_LABEL)
        reader_fail(in, "label %s is not one of the %s", printable(in->label, EXCERPT),
                    r->s->resume ? "model's" : "--classes");
    return label;
}

/* As many as there may be; 0: any number. */
static uint32_t feature_limit(const reading *r)
{
    return r->s->resume ? model_features(r->m) : r->s->features;
}

static void check_features(const reading *r, const reader *in)
{
    uint32_t limit = feature_limit(r);
    if (limit && in->features > limit)
        reader_fail(in, "%lu features, %s %lu", (unsigned long)in->features,
                    r->s->resume ? "the model has" : "--features says", (unsigned long)limit);
}

/* Is enough known for learning to begin? */
static int may_begin(const reading *r, uint32_t classes)
{
    if (r->path == PATH_STREAM) return r->s->resume || (r->rows > 0 && labels_count(&r->found) == classes);
    return r->path == PATH_GUESS && (r->rows >= FIRST_ROWS || arrlenu(r->data.value) >= FIRST_ROWS);
}

/* ---- Rows ---- */

/* The form of all rows: as asked for, or that of the model's, or as they are read. Of libsvm text the first row tells
 * it, which is the same in whatever way the file is read. Dense rows are no larger if half of the features have
 * values. */
static void decide_form(reading *r, const reader *in)
{
    const uint32_t features = feature_limit(r) ? feature_limit(r) : r->data.features;
    const int has_words = in->options.format == FORMAT_CSV || in->options.format == FORMAT_TEXT;
    const int full = !has_words && r->first > 0 && 2 * r->first >= features;
    if (r->s->reader.rows == ROWS_READ) r->s->reader.rows = in->dense || full ? ROWS_DENSE : ROWS_SPARSE;
}

/* The rows read until now take that form, and so will those to come. */
static void give_form(reading *r, reader *in)
{
    reader_options *o = &r->s->reader;
    o->width = r->data.features;
    in->options.rows = o->rows;
    in->options.width = o->width;
    if (o->rows == ROWS_DENSE && !in->dense) rows_spread(&r->data);
    if (o->rows == ROWS_SPARSE && in->dense) rows_thin(&r->data);
}

/* Reads rows until learning may begin, or to the end. They go to r->data, unless the file is read twice. 1 if
 * there may be more. */
static int read_rows(reading *r, reader *in, uint32_t classes)
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
    if (r->path == PATH_COLLECT) team_deal(&r->data, &r->found, &r->rows, &r->first, r->s->shards, in);
    r->data.features = in->features;
    if (!more && r->rows == 0) die(EXIT_INPUT, "%s: no examples", in->name);
    return more;
}

/* Makes the model, once the labels and the features are known. */
static void start_model(reading *r, reader *in, uint32_t classes)
{
    model *m = r->m;
    const char *data = in->name;
    uint32_t found = labels_count(&r->found);
    if (found < 2)
        die(EXIT_INPUT, "%s: all rows have the label %s; two classes are needed", data,
            printable(labels_text(&r->found, 0), EXCERPT));
    if (classes && found != classes)
        die(EXIT_INPUT, "%s: %lu labels, --classes says %lu", data, (unsigned long)found,
            (unsigned long)classes);
    if (m->kind->most_classes && found > m->kind->most_classes)
        die(EXIT_INPUT, "%s: %lu labels; %s tells two classes apart", data, (unsigned long)found, m->kind->name);
    m->zero_negative = r->s->zero_class != 0; /* with many labels an idle option has its default again */
    if (isnan(m->threshold)) m->threshold = m->kind->threshold * (float)r->data.features; /* not given */
    if (isnan(m->gamma)) m->gamma = 1 / (float)r->data.features; /* not given */
    m->labels = labels_sorted(&r->found);
    m->text_labels = in->options.format != FORMAT_LIBSVM;
    m->names = in->names;
    in->names = NULL;
    m->label_name = in->label_name;
    in->label_name = NULL;
    m->label_number = in->label_number;
}

void reading_start(reading *r, model *m, settings *s, options *o, enum path path)
{
    memset(r, 0, sizeof *r);
    r->m = m;
    r->s = s;
    r->o = o;
    r->path = path;
    labels_init(&r->found);
}

int reading_begin(reading *r, reader *in, const char *name)
{
    uint32_t classes;
    int more;
    if (r->s->resume) model_expects(r->m, &r->s->reader);
    r->s->reader.predict = 0;
    r->s->reader.features = feature_limit(r);
    reader_open(in, team_first_file(name), &r->s->reader);
    reader_find_format(in);
    classes = read_classes(r, in);
    in->options.rows = ROWS_READ; /* these tell the form */
    rows_init(&r->data);
    more = read_rows(r, in, classes);
    decide_form(r, in);
    r->wrong = r->path == PATH_GUESS && more &&
               (labels_count(&r->found) < 2 || r->data.features == 0 || in->grows);
    if (r->wrong) return 1;
    if (r->path == PATH_GUESS && more && r->s->reader.rows == ROWS_SPARSE)
        r->data.features += r->data.features / 32; /* rows to come may have some features more */
    if (feature_limit(r)) r->data.features = feature_limit(r);
    if (r->data.features == 0) die(EXIT_INPUT, "%s: no row has any feature", in->name);
    give_form(r, in);
    r->s->reader.found = in->options.format;
    if (!r->s->resume) r->s->found = labels_count(&r->found);
    options_check(r->o);
    if (!r->s->resume) { /* rows for a model that goes on have its classes */
        start_model(r, in, classes);
        number_classes(r);
    }
    if (!r->recalled) r->recalled = r->m->kept;
    r->m->kept = options_keep(r->o, KEPT | KEPT_READING);
    return more;
}

/* In the reading thread. */
uint32_t reading_take(void *context, reader *in)
{
    reading *r = context;
    uint32_t class = labels_find(&r->m->labels, in->label);
    check_features(r, in);
    if (r->path == PATH_GUESS && (class == NO_LABEL || in->features > model_features(r->m))) {
        r->wrong = 1;
        return END_STREAM;
    }
    if (class == NO_LABEL)
        reader_fail(in, "label %s is not one of the %s", printable(in->label, EXCERPT),
                    r->s->resume ? "model's" : "classes");
    model_row(r->m, in);
    return class;
}

void reading_free(reading *r)
{
    rows_free(&r->data);
    arrfree(r->line);
    labels_free(&r->found);
}
