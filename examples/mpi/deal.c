/* After reading: what all processes must know alike, and each row to the process that has its shard. */
#include "meet.h"

/* ---- Agreement ---- */

/* The labels of all processes, in the order in which they appear in the data. */
static labels all_labels(const labels *of_part)
{
    const uint32_t n = team_size();
    int *length = allocate_zero(n, sizeof *length), *at = allocate_zero(n + 1, sizeof *at);
    char *texts = NULL, *all, *text;
    labels joined;
    uint32_t i;
    for (i = 0; i < labels_count(of_part); i++) {
        const size_t bytes = strlen(labels_text(of_part, i)) + 1;
        memcpy(arraddnptr(texts, bytes), labels_text(of_part, i), bytes);
    }
    length[team_rank()] = (int)arrlenu(texts);
    meet();
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, length, 1, MPI_INT, MPI_COMM_WORLD);
    for (i = 0; i < n; i++) at[i + 1] = at[i] + length[i];
    all = allocate((size_t)at[n], 1);
    meet();
    MPI_Allgatherv(texts, length[team_rank()], MPI_CHAR, all, length, at, MPI_CHAR, MPI_COMM_WORLD);
    labels_init(&joined);
    for (text = all; text < all + at[n]; text += strlen(text) + 1) labels_add(&joined, text);
    arrfree(texts);
    free(all);
    free(length);
    free(at);
    return joined;
}

static void agree_on_labels(run *r)
{
    labels all = all_labels(&r->found);
    uint32_t i;
    for (i = 0; !r->s.resume && i < r->data.count; i++)
        r->data.label[i] = labels_find(&all, labels_text(&r->found, r->data.label[i]));
    labels_free(&r->found);
    r->found = all;
}

/* ---- Dealing ---- */

static uint64_t first_row; /* of this process' part: its number in the data */

/* The process that has the shard of row i of the part. */
static uint32_t owner(const run *r, uint32_t i)
{
    return (uint32_t)((first_row + i) % r->s.shards) % team_size();
}

/* How many numbers row i has in an array. */
static size_t numbers_of(const size_t *start, uint32_t i)
{
    return start ? start[i + 1] - start[i] : 1;
}

/* Puts what rows have in `array` (stb_ds), row i from start[i] on (NULL: one number), together by owners: that of
 * owner p goes to out + at[p], and at[p] moves on. */
static void sort_by_owner(const run *r, const uint32_t *array, const size_t *start, uint32_t *out, uint64_t *at)
{
    uint32_t i;
    for (i = 0; array && i < r->data.count; i++) {
        const uint32_t p = owner(r, i);
        const size_t count = numbers_of(start, i);
        memcpy(out + at[p], array + (start ? start[i] : i), count * sizeof *array);
        at[p] += count;
    }
}

/* Gives each owner what its rows have in the array, which is freed; NULL: rows have nothing there. Returns that of the
 * own rows: parts come in the order of processes, which is that of the data. */
static void *deal_array(const run *r, void *array, const size_t *start)
{
    const uint32_t n = team_size(), rank = team_rank();
    uint64_t *to = allocate_zero(n, sizeof *to), *from = allocate_zero(n, sizeof *from), sent = 0, got = 0, *at;
    uint32_t *old = array, *out = allocate(arrlenu(old), sizeof *out), *new = NULL, i;
    for (i = 0; old && i < r->data.count; i++) to[owner(r, i)] += numbers_of(start, i);
    meet();
    MPI_Alltoall(to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    at = allocate(2 * (size_t)n, sizeof *at);
    for (i = 0; i < n; i++) {
        at[i] = sent;
        at[n + i] = got;
        sent += to[i];
        got += from[i];
    }
    sort_by_owner(r, old, start, out, at);
    arrfree(old);
    if (got) arrsetlen(new, got);
    meet();
    for (i = 0; i < n; i++) {
        const uint32_t next = (rank + i) % n, last = (rank + n - i) % n;
        trade(out + at[next] - to[next], sizeof *out * to[next], next, new + at[n + last], sizeof *new * from[last],
              last);
    }
    free(out);
    free(at);
    free(to);
    free(from);
    return new;
}

/* Rows have values for all indices: ones are not left out yet. */
static void deal_rows(run *r)
{
    rows *d = &r->data;
    uint32_t *length = NULL, *label, i;
    uint64_t count = d->count;
    for (i = 0; i < d->count; i++) arrput(length, (uint32_t)(d->start[i + 1] - d->start[i]));
    meet();
    MPI_Exscan(&count, &first_row, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    d->index = deal_array(r, d->index, d->start);
    d->value = deal_array(r, d->value, d->start);
    label = deal_array(r, d->label, NULL);
    length = deal_array(r, length, NULL);
    if (arrlenu(length) > UINT32_MAX) die(EXIT_INPUT, "too many rows for %u processes", (unsigned)team_size());
    d->label = label;
    d->count = (uint32_t)arrlenu(length);
    arrsetlen(d->start, 1);
    for (i = 0; i < d->count; i++) arrput(d->start, d->start[i] + length[i]);
    arrfree(length);
}

void team_deal(run *r, reader *in)
{
    agree_on_labels(r);
    if (team_rank() > 0) r->first = 0; /* process 0 has the first row of all */
    team_sum(&r->first, 1);
    in->features = (uint32_t)(UINT32_MAX - team_least(UINT32_MAX - in->features));
    team_sum(&r->rows, 1);
    team_sum(&in->dropped, 1);
    deal_rows(r);
}
