#include "reading.h"
#include "offsets.h"
#include "processes.h"
#include "advice.h"

#include <math.h>

/* ---- Features ---- */

/* As many as are there; 0: that is not known. */
static uint32_t known_features(const reading *r)
{
    return r->s->resume ? r->had_features : r->s->features;
}

/* Features that appear while a model learns a stream. */
static void check_growth(const reading *r, const reader *in, uint32_t began)
{
    const model *m = r->m;
    if (m->normalize == NORMALIZE_MAXABS || (model_standardizes(m) && !in->format->is_table))
        reader_fail(in, "a new feature, for which --normalize has no scale: go on without --online");
    if (!model_can(m, CAN_GROW))
        reader_fail(in, "there are %lu features now, and %s began with %lu: give --features, or --hash with --text",
                    (unsigned long)in->features, m->kind->name, (unsigned long)began);
}

static void check_features(const reading *r, const reader *in)
{
    const uint32_t known = known_features(r);
    const int new_columns = in->format->is_table && !in->grows;
    const uint32_t began = r->s->resume ? r->had_features : r->rows ? r->data.features : UINT32_MAX;
    if (r->streams && in->features > began) check_growth(r, in, began);
    if (!known || in->features <= known || (r->s->reader.grows && !new_columns)) return;
    if (!r->s->resume || new_columns)
        reader_fail(in, "%lu features, %s %lu", (unsigned long)in->features,
                    r->s->resume ? "the model has" : "--features says", (unsigned long)known);
    reader_fail(in, "index %lu is not one of the model's %lu features: %s",
                (unsigned long)in->features - (in->options.zero_based != 0), (unsigned long)known, found_fixed(r));
}

static void note_values(reading *r, const reader *in)
{
    size_t i;
    for (i = 0; r->any == 0 && i < in->count; i++) r->any = in->value[i] != 0;
}

/* ---- Rows ---- */

/* The form of all rows: as asked for, or that of the model's, or as they are read. Of libsvm text the first row tells
 * it, which is the same in whatever way the file is read. Dense rows are no larger if half of the features have
 * values. */
static void decide_form(reading *r, const reader *in)
{
    const uint32_t features = known_features(r) ? known_features(r) : r->data.features;
    const int has_words = !in->format->has_numbers || in->options.products;
    const int full = !has_words && !(r->streams && !known_features(r)) && r->first > 0 && 2 * r->first >= features;
    if (r->s->reader.rows == ROWS_SPARSE && !has_words && model_standardizes(r->m) && !in->format->is_table)
        die(EXIT_USAGE, "--normalize standard of libsvm text makes rows dense: leave --rows sparse out");
    if (r->s->reader.rows == ROWS_READ)
        r->s->reader.rows = in->dense || full || (!in->format->is_table && model_standardizes(r->m))
                                ? ROWS_DENSE
                                : ROWS_SPARSE;
}

/* The rows read until now take that form, and so will those to come. */
static void give_form(reading *r, reader *in)
{
    reader_options *o = &r->s->reader;
    o->width = r->data.features;
    in->options.rows = o->rows;
    in->options.width = o->width;
    if (o->rows == ROWS_DENSE && !in->dense) rows_spread(&r->data);
    if (o->rows == ROWS_SPARSE && in->dense) rows_thin(&r->data, in->numbers);
}

/* Rows that are predicted only. */
static uint32_t unlearned(const reader *in)
{
    return in->no_row ? NO_ROW : NO_LABEL;
}

/* All rows, or of a stream the first that is learned, and those before it. */
static void read_rows(reading *r, reader *in)
{
    while (!(r->streams && r->rows) && processes_read(in)) {
        const pcn_vec x = reader_vector(in);
        if (r->data.count == UINT32_MAX) reader_fail(in, "too many rows");
        if (!in->label) {
            rows_add(&r->data, &x, unlearned(in));
            continue;
        }
        check_features(r, in);
        note_values(r, in);
        if (r->rows++ == 0) r->first = in->count;
        rows_add(&r->data, &x, found_label(r, in));
        rows_weigh(&r->data, in->weight);
    }
    if (!r->streams) processes_deal(&r->data, &r->found, &r->rows, &r->first, r->s->shards, in);
    r->data.features = r->typed = in->features;
    if (r->rows == 0 && in->dropped)
        die(EXIT_INPUT, "%s: all %llu rows have %s", in->lines.name, (unsigned long long)in->dropped,
            in->options.missing == MISSING_DROP
                ? "missing values: --ignore leaves a column out, --missing mean keeps rows"
                : "no label: --label says which column it is in");
    if (r->rows == 0) die(EXIT_INPUT, "%s: no examples", in->lines.name);
}

/* What a new model needs to have met. */
static void check_found(reading *r, const reader *in)
{
    if (labels_count(&r->found) < 2)
        die(EXIT_INPUT, "%s: all rows have the label %s; two classes are needed%s", in->lines.name,
            printable(labels_text(&r->found, 0), EXCERPT),
            in->label_number ? ": --label says which column the label is in" : "");
    processes_largest(&r->any, 1);
    if (r->any == 0 && !r->s->quiet) fprintf(stderr, "advice: all values are 0, so every row is predicted alike\n");
    reader_check_products(in);
}

static void take_label_column(model *m, reader *in)
{
    m->label_name = in->label_name;
    in->label_name = NULL;
    m->label_number = in->label_number;
}

/* Makes the model: of rows in memory with their labels, of a stream with those that --classes lists. */
static void start_model(reading *r, reader *in)
{
    model *m = r->m;
    const uint32_t found = labels_count(&r->found);
    if (!r->streams) check_found(r, in);
    if (m->kind->most_classes && found > m->kind->most_classes)
        die(EXIT_INPUT, "%s: %lu labels; %s tells two classes apart", in->lines.name, (unsigned long)found,
            m->kind->name);
    m->zero_negative = r->s->zero_class != 0; /* with many labels an idle option has its default again */
    set_defaults(m, r->data.features);
    if (r->streams && !r->given)
        labels_init(&m->labels);
    else
        m->labels = labels_sorted(&r->found);
    m->text_labels = !in->format->has_numbers;
    m->names = in->names;
    in->names = NULL;
    m->date = in->date;
    in->date = NULL;
    take_label_column(m, in);
    if (!r->s->quiet) advise_on_names(m);
}

void reading_start(reading *r, model *m, settings *s, options *o, int streams)
{
    memset(r, 0, sizeof *r);
    r->m = m;
    r->s = s;
    r->o = o;
    r->streams = streams;
    labels_init(&r->found);
}

static void take_new(reading *r, reader *in)
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
    o->refuse_new = found_fixed(r);
    o->grows = !o->refuse_new;
    o->predict = 0;
    o->features = model_features(r->m);
}

/* A model that goes on, once all labels and features are known. */
static void go_on(reading *r, reader *in)
{
    take_new(r, in);
    expect_rows(r); /* whoever reads them again finds nothing new */
}

/* The columns that multiply steps are remembered by their names: their numbers may be others in the next file. */
static void name_step_columns(reader_options *o, const reader *in)
{
    size_t i, k;
    for (k = 0; k < STEP_COLUMNS; k++) {
        const char *name = reader_step_column(in, (enum step_column)k);
        if (!name) continue;
        for (i = 0; strcmp(o->ignore[i], o->step_column[k]) != 0;) i++;
        o->step_column[k] = copy_text(name);
        o->ignore[i] = o->step_column[k];
    }
}

/* Once labels are known, on which some options depend. */
static void keep_options(reading *r)
{
    r->m->kept = options_keep(r->o, KEPT | KEPT_READING, r->s->resume ? r->m->kept : NULL);
}

/* A stream begins with the labels that are known: those of the model, or those listed, in their order as classes. */
static void sort_known(reading *r)
{
    labels known = r->s->resume ? labels_copy(&r->m->labels) : labels_sorted(&r->found);
    labels_free(&r->found);
    r->found = known;
}

/* All rows, or of a stream the first. */
static void read_first(reading *r, reader *in, const char *name)
{
    settings *s = r->s;
    reader_open(in, name, &s->reader);
    reader_find_format(in);
    if (!s->resume) {
        settle_by_format(r, in);
        in->options.numbers = s->reader.numbers = model_standardizes(r->m) ? NUMBERS_ALL : 0;
        in->options.counts = s->reader.counts = r->m->words != WORDS_BINARY;
    }
    found_begin(r, in);
    if (r->streams) sort_known(r);
    in->options.rows = ROWS_READ; /* these tell the form */
    rows_init(&r->data);
    read_rows(r, in);
}

static void read_again(reading *r, reader *in, const char *name)
{
    rows_free(&r->data);
    labels_free(&r->found);
    labels_init(&r->found);
    reader_close(in);
    r->rows = r->first = 0;
    r->any = 0;
    read_first(r, in, name);
}

/* A new model: what floats do not hold of columns is subtracted from them. */
static void read_with_offsets(reading *r, reader *in, const char *name)
{
    reader_options *o = &r->s->reader;
    offsets found = {NULL, NULL, 0, 0};
    uint32_t j = 0;
    o->finds_offsets = r->streams;
    if (!r->streams) o->tape = &r->tape;
    read_first(r, in, name);
    while (!r->streams && process_count() == 1 && offsets_look(&found, &r->data, in)) {
        o->offset = found.offset;
        read_again(r, in, name);
    }
    for (; j < arrlenu(in->offset); j++) arrput(r->m->offset, in->offset[j]);
    if (process_count() > 1) offsets_refuse(&r->data, in);
    if (in->offset && model_can(r->m, CAN_ALPHA))
        offsets_fail(in, (uint32_t)arrlenu(in->offset) - 1, "Winnow takes values as they are");
    o->offset = r->m->offset;
    o->finds_offsets = 0;
    o->tape = NULL;
    arrfree(r->tape.bytes);
    offsets_free(&found);
}

void reading_begin(reading *r, reader *in, const char *name)
{
    settings *s = r->s;
    uint32_t columns;
    s->reader.grows = r->streams && !s->features;
    s->reader.every_line = s->predictions != NULL;
    if (s->resume) {
        r->had_labels = labels_count(&r->m->labels);
        r->had_features = model_features(r->m);
        expect_rows(r);
    } else {
        s->reader.features = s->features;
    }
    name = processes_first_file(name);
    if (s->resume || s->reader.text || s->reader.binarize)
        read_first(r, in, name);
    else
        read_with_offsets(r, in, name);
    columns = r->data.features;
    if (known_features(r) > r->data.features) r->data.features = known_features(r);
    settle_by_rows(r, in);
    decide_form(r, in);
    if (r->data.features == 0 && !r->streams) die(EXIT_INPUT, "%s: no row has any feature", in->lines.name);
    give_form(r, in);
    begin_preparation(r, in);
    r->is_table = in->format->is_table;
    s->reader.found = in->format;
    if (!r->streams || r->given) s->label_count = labels_count(s->resume ? &r->m->labels : &r->found);
    if (in->format->is_table && !in->grows) s->reader.grows = 0; /* its columns are all there */
    options_check(r->o);
    if (!s->resume && in->format->is_table && s->features > columns) /* predict would not take these rows */
        die(EXIT_INPUT, "%s: %s %lu features: leave --features %lu out", in->lines.name,
            in->names ? "the first line names" : "each row has", (unsigned long)columns, (unsigned long)s->features);
    if (!s->resume)
        start_model(r, in);
    else if (!r->streams)
        go_on(r, in);
    if (!s->resume && !r->streams) found_number(r);
    name_step_columns(&s->reader, in);
    if (!r->recalled) r->recalled = r->m->kept;
    if (!r->streams) keep_options(r);
}

uint32_t reading_take(void *context, reader *in, block *b)
{
    reading *r = context;
    const uint32_t known = labels_count(&r->found);
    uint32_t label;
    if (!in->label) return unlearned(in);
    label = found_label(r, in);
    check_features(r, in);
    note_values(r, in);
    if (label == known) arrput(b->label, copy_text(in->label));
    for (; model_weighs_words(r->m) && r->typed < in->features; r->typed++)
        arrput(b->is_word, (uint8_t)reader_is_word(in, r->typed));
    return label;
}

void reading_end(reading *r, reader *in)
{
    note_words(r->m, in, in->features); /* of rows that were not learned, if that was interrupted */
    take_new(r, in);
    if (r->s->online) keep_options(r); /* more labels may come in the next run */
    r->s->label_count = labels_count(&r->found);
    if (!r->s->online) keep_options(r);
    if (interrupted) return;
    options_check(r->o);
    if (model_features(r->m) == 0) die(EXIT_INPUT, "%s: no row has any feature", in->lines.name);
    if (!r->s->resume && !r->s->online) check_found(r, in);
}
