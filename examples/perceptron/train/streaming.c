#include "streaming.h"
#include "learn/tasks.h"
#include "report/predicted.h"

#include <errno.h>

enum {
    FIRST_FEATURES = 64,
    ANSWERS = 4096,  /* bytes that are written together */
    TOGETHER = 1024, /* rows at most that one of two learners learns before it is the other's turn */
    WORTH = 64       /* so many of them are worth a thread */
};

/* ---- What is new ---- */

/* Room for all features up to now: twice of it, so that all growth together costs no more than the last. */
static void make_room(model *m, uint32_t need)
{
    if (need <= model_features(m)) return;
    model_resize(m, need > UINT32_MAX / 2 ? need : need < FIRST_FEATURES / 2 ? FIRST_FEATURES : 2 * need);
}

/* Room for those of a row. */
static void make_scores(streaming *a)
{
    size_t k;
    for (k = 0; k < LENGTH(a->side); k++)
        a->side[k].score = reallocate(a->side[k].score, model_units(a->t->m) * sizeof(float));
}

static void start_sides(streaming *a)
{
    model *const m = a->t->m;
    size_t k;
    for (k = 0; k < LENGTH(a->side); k++) {
        side *e = &a->side[k];
        e->a = a;
        e->m = k ? m->beside : m;
        e->said = allocate_zero(TOGETHER, sizeof *e->said);
        e->right = allocate(TOGETHER, sizeof *e->right);
    }
    make_scores(a);
    if (m->beside) a->begun = m->beside->trainer.learner.count;
}

/* The learner that leads becomes the model's own. */
static void end_sides(streaming *a)
{
    size_t k;
    if (pair_turn(a->t->m, 0)) a->t->begun = a->begun;
    for (k = 0; k < LENGTH(a->side); k++) {
        free(a->side[k].score);
        free(a->side[k].said);
        free(a->side[k].right);
    }
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
    make_scores(a);
    free(a->label_weight);
    a->label_weight = label_weights(m, t->s, a->r->o, 0, NULL);
    t->label_weight = a->d->label_weight = a->label_weight;
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

/* The learner that predicts. */
static const side *leader(const streaming *a)
{
    return &a->side[pair_second_leads(a->t->m)];
}

/* Writes what the model says of a row: the class, or NO_LABEL for nothing. */
static void answer(streaming *a, uint32_t class)
{
    predicted_add(&a->answers, class == NO_LABEL ? "" : labels_text(&a->t->m->labels, class));
    if (arrlenu(a->answers) >= ANSWERS) write_answers(a);
}

/* The class of row i, before it is learned. */
static uint32_t predict(const side *e, uint32_t i)
{
    e->m->kind->family->score_now(e->m, rows_vector(e->a->d, i), e->score);
    return model_class(e->m, e->score);
}

/* Of a row that is not learned. Nothing counts it. */
static void answer_only(streaming *a, uint32_t i)
{
    const model *m = a->t->m;
    const pcn_vec x = rows_vector(a->d, i);
    uint32_t class = NO_LABEL;
    if (a->d->label[i] == NO_LABEL && labels_count(&m->labels)) {
        model_normalize(m, &x, a->d->value + a->d->start[i]);
        class = predict(leader(a), i);
    }
    answer(a, class);
}

/* Counts and prepares the rows of the step. At one that cannot be, the step ends before it. */
static int prepare(streaming *a)
{
    rows *d = a->d;
    uint32_t i;
    int result;
    for (i = a->from; i < a->end; i++) {
        const pcn_vec x = rows_vector(d, i);
        result = model_normalize_next(a->t->m, &x, d->value + d->start[i]);
        if (result >= 0) continue;
        a->end = i;
        return result;
    }
    return PCN_OK;
}

/* One learner's part of a step. */
static void learn_side(void *context, size_t number)
{
    streaming *a = context;
    side *e = &a->side[number];
    const rows *d = a->d;
    const int is_new = labels_count(&e->m->labels) > a->known, asks = a->out.file || a->calibrates;
    uint32_t i, at = 0;
    int right = 0;
    e->result = PCN_OK;
    for (i = a->from; i < a->end; i++, at++) {
        const pcn_vec x = rows_vector(d, i);
        if (asks && !is_new) e->said[at] = predict(e, i);
        if (a->calibrates && a->known > 1 && !is_new) model_calibrate(e->m, e->score, d->label[i]);
        if (a->t->m->beside)
            e->result = linear_learn_judged(e->m, &x, d->label[i], &right);
        else
            e->result = training_learn_row(a->t, d, i, PCN_NO_ID);
        e->right[at] = (uint8_t)right;
        e->failed = i;
        if (e->result < 0) return;
    }
}

/* What came of the rows before `end`: answers and their errors, and who leads then. */
static void note_rows(streaming *a, uint32_t end)
{
    model *m = a->t->m;
    uint32_t i;
    for (i = a->from; i < end; i++) {
        const uint32_t at = i - a->from, class = leader(a)->said[at];
        if (a->out.file) answer(a, class);
        if (a->out.file) a->count.mistakes += class != a->d->label[i];
        if (m->beside && a->known > 1) pair_note(m, a->side[0].right[at], a->side[1].right[at]);
    }
}

/* The row of a step that brings this label: nobody could have it right. */
static void meet_label(streaming *a, const char *new_label)
{
    if (a->out.file) answer(a, a->known ? predict(leader(a), a->from) : NO_LABEL);
    a->count.mistakes += a->out.file != NULL;
    take_label(a, new_label);
}

/* A step. new_label: the text of its label, if that is new. Below 0: an error of perceptron.h, at row a->end. */
static int learn_step(streaming *a, const char *new_label)
{
    model *m = a->t->m;
    const pcn_count before = model_learner(m)->count, *now = &model_learner(m)->count;
    const size_t sides = m->beside ? 2 : 1;
    int result = prepare(a);
    uint32_t i;
    size_t k;
    if (a->from == a->end) return result;
    if (new_label) meet_label(a, new_label);
    for (i = a->from; a->swapped && i < a->end; i++)
        if (a->d->label[i] < 2) a->d->label[i] = 1 - a->d->label[i];
    do_tasks(learn_side, a, sides, a->end - a->from < WORTH ? 1 : a->t->s->reader.threads);
    for (k = 0; k < sides; k++) {
        const side *e = &a->side[k];
        if (e->result >= 0 || (result < 0 && e->failed >= a->end)) continue;
        result = e->result;
        a->end = e->failed;
    }
    if (!new_label) note_rows(a, a->end);
    if (result < 0) return result;
    a->count.rows += a->end - a->from;
    a->count.updates += now->updates - before.updates;
    if (!a->out.file) a->count.mistakes += now->mistakes - before.mistakes;
    if (a->t->progress) progress_stream(a->t->progress, &a->count);
    return PCN_OK;
}

/* Where the step ends that begins at row i, whose label is known. */
static uint32_t step_end(const streaming *a, uint32_t i)
{
    const uint32_t most = a->t->m->beside ? TOGETHER : 1, known = labels_count(&a->t->m->labels);
    uint32_t end = i + 1;
    while (end < a->d->count && end - i < most && a->d->label[end] < known) end++;
    return end;
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
    a->d = d;
    d->label_weight = t->label_weight;
    for (i = 0; i < d->count && !(interrupted && a->count.rows); i = a->end) { /* a model has one label at least */
        int result = PCN_OK, is_new;
        a->from = i;
        a->end = i + 1;
        a->known = labels_count(&m->labels);
        is_new = d->label[i] == a->known;
        if (d->label[i] < a->known) a->end = step_end(a, i);
        if (d->label[i] >= NO_ROW)
            answer_only(a, i);
        else
            result = learn_step(a, is_new ? b->label[new_labels++] : NULL);
        if (result >= 0) continue;
        if (a->more) stream_leave(&a->rest);
        die(EXIT_INPUT, "%s:%lu: %s", in->lines.name, b->line[a->end], pcn_error_text(result));
    }
}

static void learn_first(streaming *a, const reader *in)
{
    block b;
    memset(&b, 0, sizeof b);
    b.data = a->r->data;
    while (arrlenu(b.line) < b.data.count) arrput(b.line, in->lines.line);
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
    if (a->calibrates) model_end_fit(t->m); /* the calibration goes on, the fit cannot */
    start_sides(a);
    if (t->progress) progress_start(t->progress, &a->count);
    if (t->s->predictions) output_open(&a->out, t->s->predictions);
    learn_first(a, in);
    if (a->out.file && in->lines.live) write_answers(a);
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
    if (!interrupted) free(label_weights(t->m, t->s, r->o, !t->s->online, NULL)); /* each label of --weight has come */
    if (a->out.file) write_answers(a);
    arrfree(a->answers);
    end_sides(a);
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
