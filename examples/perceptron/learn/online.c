#include "online.h"
#include "cli/signals.h"

enum { FIRST_FEATURES = 64 };

/* ---- What is new ---- */

/* Twice the room, so that all growth together costs no more than the last. */
static void make_room(const online *a)
{
    model *m = a->t->m;
    const reader *in = a->in;
    const uint32_t had = model_features(m), need = in->features;
    if (m->normalize == NORMALIZE_MAXABS && need > arrlenu(m->scale))
        reader_fail(in, "a new feature, for which --normalize maxabs has no scale: go on without --online");
    if (need <= had) return;
    if (!model_can(m, CAN_GROW))
        reader_fail(in, "there are %lu features now, and %s began with %lu: give --features, or --hash with --text",
                    (unsigned long)need, m->kind->name, (unsigned long)had);
    model_resize(m, need > UINT32_MAX / 2 ? need : need < FIRST_FEATURES / 2 ? FIRST_FEATURES : 2 * need);
}

/* The class of the row's label; a new one gets weights. */
static uint32_t take_label(online *a)
{
    model *m = a->t->m;
    const uint32_t known = labels_count(&m->labels), class = reading_label(a->r, a->in);
    if (class < known) return class;
    model_resize(m, model_features(m));
    free(a->class_weight);
    a->t->class_weight = a->class_weight = class_weights(m, a->t->s, a->r->o);
    return class;
}

/* ---- Rows ---- */

static void flush_answers(void *context)
{
    fflush(context);
}

/* Writes what the model says of the row; before the first label it says nothing. Returns the class. */
static uint32_t answer(online *a, pcn_vec x)
{
    model *m = a->t->m;
    const int any = labels_count(&m->labels) > 0;
    const uint32_t class = any ? model_class_now(m, x) : NO_LABEL;
    fprintf(a->out, "%s\n", any ? labels_text(&m->labels, class) : "");
    return class;
}

static void learn_arrived(online *a, pcn_vec x)
{
    model *m = a->t->m;
    const pcn_count before = model_learner(m)->count, *now = &model_learner(m)->count;
    uint32_t predicted = NO_LABEL, class;
    int result;
    make_room(a);
    if (a->out) predicted = answer(a, x);
    class = take_label(a);
    result = m->kind->family->learn(m, x, class, a->t->class_weight[class] * a->in->weight, PCN_NO_ID);
    if (result < 0) reader_fail(a->in, "%s", pcn_error_text(result));
    a->count.rows++;
    a->count.updates += now->updates - before.updates;
    a->count.mistakes += a->out ? predicted != class : now->mistakes - before.mistakes;
    if (a->t->progress) progress_stream(a->t->progress, &a->count);
}

void learn_online(online *a, training *t, reading *r, reader *in)
{
    const epoch_result none = {0, 0, 0, 0, 0};
    epoch_result e = none;
    output out;
    memset(a, 0, sizeof *a);
    if (t->progress) progress_start(t->progress, &a->count);
    a->t = t;
    a->r = r;
    a->in = in;
    if (t->s->predictions) {
        output_open(&out, t->s->predictions);
        a->out = out.file;
        if (in->live) in->before_read = flush_answers;
        in->context = out.file;
    }
    model_note(t->m, r->data.value, arrlenu(r->data.value));
    model_normalize_rows(t->m, &r->data);
    learn_arrived(a, rows_vector(&r->data, 0));
    while (!interrupted && reader_next(in)) learn_arrived(a, model_row_to_learn(t->m, in));
    if (in->features == 0 && model_features(t->m) == 0) die(EXIT_INPUT, "%s: no row has any feature", in->name);
    reading_take_new(r, in);
    if (a->out) output_close(&out);
    t->rows = a->count.rows;
    t->partial = interrupted;
    e.updates = a->count.updates;
    e.mistakes = a->count.mistakes;
    if (t->ended) t->ended(t->context, &e);
}
