#include "streaming.h"
#include "report/predicted.h"

#include <errno.h>

enum { FIRST_FEATURES = 64, ANSWERS = 4096 /* bytes that are written together */ };

/* ---- What is new ---- */

/* Room for all features up to now: twice of it, so that all growth together costs no more than the last. */
static void make_room(model *m, uint32_t need)
{
    if (need <= model_features(m)) return;
    model_resize(m, need > UINT32_MAX / 2 ? need : need < FIRST_FEATURES / 2 ? FIRST_FEATURES : 2 * need);
}

/* A new label becomes the last class. Of two, though, the greater is the positive one: if the first label is, what has
 * been learned for it changes its sign. */
static void take_label(streaming *a, const char *label)
{
    training *t = a->t;
    model *m = t->m;
    labels_add(&m->labels, label);
    if (labels_count(&m->labels) == 2) a->swapped = model_sort_two(m);
    model_resize(m, model_features(m));
    free(a->class_weight);
    t->class_weight = a->class_weight = class_weights(m, t->s, a->r->o, 0, NULL);
}

/* ---- Rows ---- */

/* A reader that has gone away ends learning, even where SIGPIPE is ignored. */
static void write_answers(streaming *a)
{
    if (!a->failed && system_write(fileno(a->out.file), a->answers, arrlenu(a->answers)) < 0) {
        a->failed = errno;
        if (errno == EPIPE && !interrupted) interrupted = SIGPIPE;
    }
    arrsetlen(a->answers, 0);
}

/* Writes what the model says of the row; before the first label it says nothing. Returns the class. */
static uint32_t answer(streaming *a, const float *score)
{
    const model *m = a->t->m;
    const uint32_t class = score ? model_class(m, score) : NO_LABEL;
    predicted_add(&a->answers, score ? labels_text(&m->labels, class) : "");
    if (arrlenu(a->answers) >= ANSWERS) write_answers(a);
    return class;
}

/* Of a row that is not learned. Nothing counts it. */
static void answer_only(streaming *a, const rows *d, uint32_t i)
{
    model *m = a->t->m;
    const pcn_vec x = rows_vector(d, i);
    float *score = NULL;
    if (d->label[i] == NO_LABEL && labels_count(&m->labels)) {
        score = allocate(model_units(m), sizeof *score);
        model_normalize(m, &x, d->value + d->start[i]);
        m->kind->family->score_now(m, x, score);
    }
    answer(a, score);
    free(score);
}

/* new_label: the text of its label, if that is new. Below 0: an error of perceptron.h. */
static int learn_row(streaming *a, rows *d, uint32_t i, const char *new_label)
{
    training *t = a->t;
    model *m = t->m;
    const pcn_count before = model_learner(m)->count, *now = &model_learner(m)->count;
    const uint32_t known = labels_count(&m->labels);
    const pcn_vec x = rows_vector(d, i);
    float *score = known && (a->out.file || a->calibrates) ? allocate(model_units(m), sizeof *score) : NULL;
    int result = model_normalize_next(m, &x, d->value + d->start[i]);
    uint32_t class = NO_LABEL;
    if (score && result >= 0) m->kind->family->score_now(m, x, score);
    if (a->out.file && result >= 0) class = answer(a, score);
    if (new_label) {
        take_label(a, new_label);
        class = NO_LABEL;
    }
    if (a->swapped && d->label[i] < 2) d->label[i] = 1 - d->label[i];
    if (a->calibrates && known > 1 && d->label[i] < known && result >= 0) model_calibrate(m, score, d->label[i]);
    free(score);
    if (result >= 0) result = training_learn_row(t, d, i, PCN_NO_ID);
    if (result < 0) return result;
    a->count.rows++;
    a->count.updates += now->updates - before.updates;
    a->count.mistakes += a->out.file ? class != d->label[i] : now->mistakes - before.mistakes;
    if (t->progress) progress_stream(t->progress, &a->count);
    return PCN_OK;
}

/* Labels of the rows are numbers by arrival, and become classes of the model. */
static void learn_block(streaming *a, const reader *in, block *b)
{
    training *t = a->t;
    model *m = t->m;
    rows *d = &b->data;
    size_t new_labels = 0;
    uint32_t i;
    note_order(&t->labels, d);
    make_room(m, d->features);
    for (i = 0; model_weighs_words(m) && i < arrlenu(b->is_word); i++) model_add_feature(m, b->is_word[i]);
    for (i = 0; i < d->count && !(interrupted && a->count.rows); i++) { /* a model has one label at least */
        const int is_new = d->label[i] == labels_count(&m->labels);
        int result = PCN_OK;
        if (d->label[i] >= NO_ROW)
            answer_only(a, d, i);
        else
            result = learn_row(a, d, i, is_new ? b->label[new_labels++] : NULL);
        if (result >= 0) continue;
        if (a->more) stream_leave(&a->rest);
        die(EXIT_INPUT, "%s:%lu: %s", in->name, b->line[i], pcn_error_text(result));
    }
}

static void learn_first(streaming *a, const reader *in)
{
    block b;
    memset(&b, 0, sizeof b);
    b.data = a->r->data;
    while (arrlenu(b.line) < b.data.count) arrput(b.line, in->line);
    arrput(b.label, (char *)in->label);
    learn_block(a, in, &b);
    arrfree(b.line);
    arrfree(b.label);
}

void learn_streamed(streaming *a, training *t, reading *r, reader *in)
{
    block *b;
    memset(a, 0, sizeof *a);
    a->t = t;
    a->r = r;
    a->calibrates = t->s->probabilities && (t->s->online || !t->s->resume);
    if (t->progress) progress_start(t->progress, &a->count);
    if (t->s->predictions) output_open(&a->out, t->s->predictions);
    learn_first(a, in);
    if (a->out.file && in->live) write_answers(a);
    stream_start(&a->rest, in, reading_take, r);
    a->more = 1;
    while ((b = stream_next(&a->rest)) != NULL) {
        if (a->count.rows == 1 && !t->s->quiet && !t->s->resume && !t->s->online && !in->grows)
            advise_on_values(t->m, &b->data);
        learn_block(a, in, b);
        if (a->out.file && stream_waits(&a->rest))
            write_answers(a); /* whoever sends the rows may wait for the answer */
    }
    reading_end(r, in);
    if (!interrupted) free(class_weights(t->m, t->s, r->o, !t->s->online, NULL)); /* each label of --weight has come */
    if (a->out.file) write_answers(a);
    arrfree(a->answers);
    t->rows = a->count.rows;
    t->partial = interrupted != 0;
    training_end_epoch(t);
}

void streaming_end(streaming *a)
{
    if (!a->out.file) return;
    errno = a->failed;
    if (a->failed && a->failed != EPIPE) die_of(a->out.name);
    if (!a->failed) output_close(&a->out);
}
