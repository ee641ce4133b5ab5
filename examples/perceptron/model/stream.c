#include "stream.h"

enum {
    BLOCK_VALUES = 1 << 16, /* of a block from a thread */
    HERE_VALUES = 1 << 12   /* of one made in the caller's thread, to stay in the first cache */
};

static int is_long(const block *b)
{
    return arrlenu(b->data.value) > 2 * BLOCK_VALUES;
}

static int holds(const block *b, size_t values)
{
    return arrlenu(b->data.value) >= values || b->data.count >= values;
}

static void free_labels(block *b)
{
    while (arrlenu(b->label)) free(arrpop(b->label));
}

static void free_block(block *b)
{
    rows_free(&b->data);
    arrfree(b->line);
    free_labels(b);
    arrfree(b->label);
    arrfree(b->is_word);
    arrfree(b->raw);
}

/* Keeps the memory. */
static void empty_block(block *b)
{
    if (!b->data.start) {
        rows_init(&b->data);
        return;
    }
    arrsetlen(b->data.index, 0);
    arrsetlen(b->data.value, 0);
    arrsetlen(b->data.start, 1);
    arrsetlen(b->data.label, 0);
    arrsetlen(b->data.weight, 0);
    arrsetlen(b->line, 0);
    arrsetlen(b->is_word, 0);
    arrsetlen(b->raw, 0);
    free_labels(b);
    b->data.count = 0;
}

static block *open_block(stream *s)
{
    return &s->blocks[s->read % STREAM_BLOCKS];
}

/* 0: the file has ended. */
static int add_row(stream *s)
{
    block *b;
    uint32_t label;
    pcn_vec x;
    if (!reader_next(s->in)) return 0;
    b = open_block(s); /* perhaps another one than before */
    label = s->take(s->context, s->in, b);
    b->data.features = s->in->features;
    arrput(b->line, s->in->lines.line);
    x = reader_vector(s->in);
    rows_add(&b->data, &x, label);
    rows_weigh(&b->data, s->in->weight);
    return 1;
}

/* ---- In the reading thread ---- */

/* Waits for an empty block then. One that a long row has made large is waited for and freed. */
static void hand_over(void *context)
{
    stream *s = context;
    block *b = open_block(s);
    int large = is_long(b);
    if (b->data.count == 0) return;
    pthread_mutex_lock(&s->lock);
    s->read++;
    pthread_cond_signal(&s->changed);
    while (s->read - s->taken > (large ? 0 : STREAM_BLOCKS - 1)) pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    if (large) free_block(b);
    empty_block(open_block(s));
}

/* All that may end the program happens while `failing` is set. */
static void *read_rows(void *context)
{
    stream *s = context;
    failing = &s->why;
    if (setjmp(s->why.back) == 0)
        while (add_row(s))
            if (holds(open_block(s), BLOCK_VALUES)) hand_over(s);
    pthread_mutex_lock(&s->lock);
    if (open_block(s)->data.count) s->read++;
    s->ended = 1;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    printable_end();
    return NULL;
}

/* ---- In the caller's ---- */

static void destroy_locks(stream *s)
{
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
}

void stream_start(stream *s, reader *in, take_row *take, void *context)
{
    memset(s, 0, sizeof *s);
    s->in = in;
    s->take = take;
    s->context = context;
    empty_block(open_block(s));
    if (in->options.threads == 1) return;
    in->lines.before_read = hand_over;
    in->lines.context = s;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (pthread_create(&s->thread, NULL, read_rows, s) == 0) return;
    destroy_locks(s);
    in->lines.before_read = NULL;
    in->options.threads = 1;
}

static void close_stream(stream *s)
{
    size_t i;
    if (s->in->options.threads > 1) {
        pthread_join(s->thread, NULL);
        destroy_locks(s);
    }
    for (i = 0; i < STREAM_BLOCKS; i++) free_block(&s->blocks[i]);
    s->in->lines.before_read = NULL;
    if (s->why.status && !interrupted) die(s->why.status, "%s", s->why.text); /* what was cut there is no mistake */
}

/* Reads some rows: the next one, and those whose lines are in memory by then. */
static block *read_here(stream *s)
{
    block *b = open_block(s);
    empty_block(b);
    failing = &s->why;
    if (setjmp(s->why.back) != 0)
        s->ended = 1;
    else
        while (!s->ended && !holds(b, HERE_VALUES) && (b->data.count == 0 || reader_has_line(s->in)))
            s->ended = !add_row(s);
    failing = NULL;
    return b->data.count ? b : NULL;
}

static block *await_block(stream *s)
{
    block *b = NULL;
    pthread_mutex_lock(&s->lock);
    s->taken += (size_t)s->begun;
    s->begun = 1;
    pthread_cond_signal(&s->changed);
    while (s->read == s->taken && !s->ended) pthread_cond_wait(&s->changed, &s->lock);
    if (s->read != s->taken) b = &s->blocks[s->taken % STREAM_BLOCKS];
    pthread_mutex_unlock(&s->lock);
    return b;
}

block *stream_next(stream *s)
{
    block *b = s->in->options.threads == 1 ? read_here(s) : await_block(s);
    if (!b) close_stream(s);
    return b;
}

int stream_waits(stream *s)
{
    int waits;
    if (!s->in->lines.live) return 0;
    if (s->in->options.threads == 1) return !s->ended && !reader_has_line(s->in);
    pthread_mutex_lock(&s->lock);
    waits = s->read == s->taken + (size_t)s->begun && !s->ended;
    pthread_mutex_unlock(&s->lock);
    return waits;
}

void stream_leave(stream *s)
{
    if (s->in->options.threads > 1) pthread_detach(s->thread);
}
