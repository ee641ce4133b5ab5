#include "reading.h"
#include "model/stream.h"
#include "processes.h"

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

/* Why a model that goes on takes nothing new; NULL: it does. */
static const char *fixed_because(const reading *r)
{
    if (r->s->refuse_new) return "--fixed takes nothing new";
    if (process_count() > 1) return "several processes take nothing new, one does";
    return model_can(r->m, CAN_GROW) ? NULL : "its learner takes nothing new";
}

/* Ends the program if it may not be one more of those known. */
static void check_new_label(const reading *r, const reader *in, uint32_t known)
{
    const settings *s = r->s;
    const int online = r->path == PATH_ONLINE, few = !s->refuse_new && process_count() == 1 && known < 2;
    const char *why = s->resume && !few ? fixed_because(r) : NULL, *label = printable(in->label, EXCERPT);
    if (why) reader_fail(in, "label %s is not one of the model's: %s", label, why);
    if (r->classes && known == r->classes) reader_fail(in, "label %s is not one of the --classes", label);
    if (online && known == 2 && !model_can(r->m, CAN_GROW))
        reader_fail(in,
                    "label %s is a third one, and %s learns two labels online; --classes says beforehand that "
                    "there are more",
                    label, r->m->kind->name);
    if ((online || s->resume) && known >= s->max_classes)
        reader_fail(in, "label %s is one more than %lu labels (--max-classes)", label, (unsigned long)known);
}

uint32_t reading_label(reading *r, const reader *in)
{
    labels *known = r->s->resume || r->path == PATH_ONLINE ? &r->m->labels : &r->found;
    const uint32_t label = labels_find(known, in->label);
    if (label != NO_LABEL) return label;
    check_new_label(r, in, labels_count(known));
    return labels_add(known, in->label);
}

/* As many as are there; 0: that is not known. */
static uint32_t known_features(const reading *r)
{
    return r->s->resume ? r->had_features : r->s->features;
}

static void check_features(const reading *r, const reader *in)
{
    const uint32_t known = known_features(r);
    const int new_columns = in->csv && !in->grows;
    if (!known || in->features <= known || (r->s->reader.grows && !new_columns)) return;
    if (!r->s->resume || new_columns)
        reader_fail(in, "%lu features, %s %lu", (unsigned long)in->features,
                    r->s->resume ? "the model has" : "--features says", (unsigned long)known);
    reader_fail(in, "index %lu is not one of the model's %lu features: %s",
                (unsigned long)in->features - (in->options.zero_based != 0), (unsigned long)known, fixed_because(r));
}

/* Is enough known for learning to begin? */
static int may_begin(const reading *r)
{
    if (r->path == PATH_ONLINE) return r->rows > 0;
    if (r->path == PATH_STREAM) return r->s->resume || (r->rows > 0 && labels_count(&r->found) == r->classes);
    return r->path == PATH_GUESS && (r->rows >= FIRST_ROWS || arrlenu(r->data.value) >= FIRST_ROWS);
}

/* ---- Rows ---- */

/* The form of all rows: as asked for, or that of the model's, or as they are read. Of libsvm text the first row tells
 * it, which is the same in whatever way the file is read. Dense rows are no larger if half of the features have
 * values. */
static void decide_form(reading *r, const reader *in)
{
    const uint32_t features = known_features(r) ? known_features(r) : r->data.features;
    const int has_words = in->options.format != FORMAT_LIBSVM || in->options.products;
    const int full = !has_words && r->path != PATH_ONLINE && r->first > 0 && 2 * r->first >= features;
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
static int read_rows(reading *r, reader *in)
{
    int more = 1;
    while (!may_begin(r)) {
        uint32_t label;
        pcn_vec x;
        more = processes_read(in);
        if (!more) break;
        check_features(r, in);
        label = r->path == PATH_ONLINE ? 0 : reading_label(r, in);
        if (r->rows++ == 0) r->first = in->count;
        if (r->path == PATH_TWICE) continue;
        if (r->data.count == UINT32_MAX) reader_fail(in, "too many rows");
        x = reader_vector(in);
        rows_add(&r->data, &x, label);
        rows_weigh(&r->data, in->weight);
        if (r->path != PATH_COLLECT) arrput(r->line, in->line);
    }
    if (r->path == PATH_COLLECT) processes_deal(&r->data, &r->found, &r->rows, &r->first, r->s->shards, in);
    r->data.features = in->features;
    if (!more && r->rows == 0) die(EXIT_INPUT, "%s: no examples", in->name);
    return more;
}

static void check_labels(const reading *r, const char *data)
{
    const uint32_t found = labels_count(&r->found);
    if (found < 2)
        die(EXIT_INPUT, "%s: all rows have the label %s; two classes are needed", data,
            printable(labels_text(&r->found, 0), EXCERPT));
    if (r->classes && found != r->classes)
        die(EXIT_INPUT, "%s: %lu labels, --classes says %lu", data, (unsigned long)found, (unsigned long)r->classes);
}

static void take_label_column(model *m, reader *in)
{
    m->label_name = in->label_name;
    in->label_name = NULL;
    m->label_number = in->label_number;
}

/* Makes the model, once the labels and the features are known. --online: as far as they are. */
static void start_model(reading *r, reader *in)
{
    model *m = r->m;
    const char *data = in->name;
    uint32_t found = labels_count(&r->found);
    if (r->path != PATH_ONLINE) {
        check_labels(r, data);
        reader_check_products(in);
    }
    if (m->kind->most_classes && found > m->kind->most_classes)
        die(EXIT_INPUT, "%s: %lu labels; %s tells two classes apart", data, (unsigned long)found, m->kind->name);
    m->zero_negative = r->s->zero_class != 0; /* with many labels an idle option has its default again */
    set_defaults(m, r->data.features);
    m->labels = r->path == PATH_ONLINE ? labels_copy(&r->found) : labels_sorted(&r->found);
    m->text_labels = in->options.format != FORMAT_LIBSVM;
    m->names = in->names;
    in->names = NULL;
    take_label_column(m, in);
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

void reading_take_new(reading *r, reader *in)
{
    model *m = r->m;
    const uint32_t all = in->features > known_features(r) ? in->features : known_features(r);
    const size_t known = arrlenu(m->names), listed = arrlenu(in->names);
    size_t i = in->grows ? known + listed - in->features : listed; /* those listed before are the model's */
    for (; i < listed; i++) {
        arrput(m->names, in->names[i]);
        in->names[i] = NULL;
    }
    model_resize(m, all);
    while (m->fill && arrlenu(m->fill) < all) arrput(m->fill, 0);
}

/* What rows are like for a model that goes on. */
static void expect_rows(reading *r)
{
    reader_options *o = &r->s->reader;
    model_expects(r->m, o);
    o->refuse_new = fixed_because(r);
    o->grows = !o->refuse_new;
    o->predict = 0;
    o->features = model_features(r->m);
}

/* A model that goes on, once all labels and features are known. */
static void go_on(reading *r, reader *in)
{
    reading_take_new(r, in);
    if (r->m->old) take_label_column(r->m, in); /* it has none */
    expect_rows(r);                             /* whoever reads them again finds nothing new */
}

/* They are remembered by the column's name: its number may be another in the next file. */
static void name_weights(reader_options *o, const char *name)
{
    size_t i;
    for (i = 0; strcmp(o->ignore[i], o->weight_column) != 0;) i++;
    o->ignore[i] = o->weight_column = copy_text(name);
}

int reading_begin(reading *r, reader *in, const char *name)
{
    int more;
    r->s->reader.grows = r->path == PATH_ONLINE && !r->s->features;
    if (r->s->resume) {
        r->had_labels = labels_count(&r->m->labels);
        r->had_features = model_features(r->m);
        expect_rows(r);
    } else {
        r->s->reader.features = r->s->features;
    }
    reader_open(in, processes_first_file(name), &r->s->reader);
    reader_find_format(in);
    r->classes = read_classes(r, in);
    in->options.rows = ROWS_READ; /* these tell the form */
    rows_init(&r->data);
    more = read_rows(r, in);
    decide_form(r, in);
    r->wrong = r->path == PATH_GUESS && more && (labels_count(&r->found) < 2 || r->data.features == 0 || in->grows);
    if (r->wrong) return 1;
    if (r->path == PATH_GUESS && more && r->s->reader.rows == ROWS_SPARSE)
        r->data.features += r->data.features / 32; /* rows to come may have some features more */
    if (known_features(r) > r->data.features) r->data.features = known_features(r);
    if (r->data.features == 0 && r->path != PATH_ONLINE) die(EXIT_INPUT, "%s: no row has any feature", in->name);
    give_form(r, in);
    r->s->reader.found_format = in->options.format;
    if (r->path != PATH_ONLINE) r->s->label_count = labels_count(r->s->resume ? &r->m->labels : &r->found);
    if (in->csv && !in->grows) r->s->reader.grows = 0; /* its columns are all there */
    options_check(r->o);
    if (!r->s->resume) { /* rows for a model that goes on have its classes */
        start_model(r, in);
        number_classes(r);
    } else if (r->path != PATH_ONLINE) {
        go_on(r, in);
    }
    if (reader_weight_column(in)) name_weights(&r->s->reader, reader_weight_column(in));
    if (!r->recalled) r->recalled = r->m->kept;
    r->m->kept = options_keep(r->o, KEPT | KEPT_READING, r->s->resume ? r->m->kept : NULL);
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
    if (class == NO_LABEL) {
        if (r->s->resume) check_new_label(r, in, labels_count(&r->m->labels));
        reader_fail(in, "label %s is not one of the classes", printable(in->label, EXCERPT));
    }
    model_row_to_learn(r->m, in);
    return class;
}

void reading_free(reading *r)
{
    rows_free(&r->data);
    arrfree(r->line);
    labels_free(&r->found);
}
