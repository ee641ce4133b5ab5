/* After reading: what all processes must know alike, and each row to the process that has its shard. */
#include "meet.h"

/* ---- Agreement ---- */

/* The labels of all processes, in the order in which they appear in the data. */
static labels all_labels(const labels *of_part)
{
    const uint32_t n = process_count();
    int *length = allocate_zero(n, sizeof *length), *at = allocate_zero(n + 1, sizeof *at);
    char *texts = NULL, *all, *text;
    labels joined;
    uint32_t i;
    for (i = 0; i < labels_count(of_part); i++) {
        const size_t bytes = strlen(labels_text(of_part, i)) + 1;
        memcpy(arraddnptr(texts, bytes), labels_text(of_part, i), bytes);
    }
    length[process_number()] = (int)arrlenu(texts);
    meet();
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, length, 1, MPI_INT, MPI_COMM_WORLD);
    for (i = 0; i < n; i++) at[i + 1] = at[i] + length[i];
    all = allocate((size_t)at[n], 1);
    meet();
    MPI_Allgatherv(texts, length[process_number()], MPI_CHAR, all, length, at, MPI_CHAR, MPI_COMM_WORLD);
    labels_init(&joined);
    for (text = all; text < all + at[n]; text += strlen(text) + 1) labels_add(&joined, text);
    arrfree(texts);
    free(all);
    free(length);
    free(at);
    return joined;
}

/* None are found where a model has them. */
static void agree_on_labels(rows *data, labels *found)
{
    labels all = all_labels(found);
    uint32_t i;
    for (i = 0; labels_count(found) > 0 && i < data->count; i++)
        data->label[i] = labels_find(&all, labels_text(found, data->label[i]));
    labels_free(found);
    *found = all;
}

/* ---- Dealing ---- */

typedef struct dealing {
    uint32_t rows, shards;
    uint64_t first; /* row of this process' part: its number in the data */
} dealing;

/* The process that has the shard of row i of the part. */
static uint32_t owner(const dealing *d, uint32_t i)
{
    return (uint32_t)((d->first + i) % d->shards) % process_count();
}

/* How many numbers row i has in an array. */
static size_t numbers_of(const size_t *start, uint32_t i)
{
    return start ? start[i + 1] - start[i] : 1;
}

/* Puts what rows have in `array` (stb_ds), row i from start[i] on (NULL: one number), together by owners: that of
 * owner p goes to out + at[p], and at[p] moves on. */
static void sort_by_owner(const dealing *d, const uint32_t *array, const size_t *start, uint32_t *out, uint64_t *at)
{
    uint32_t i;
    for (i = 0; array && i < d->rows; i++) {
        const uint32_t p = owner(d, i);
        const size_t count = numbers_of(start, i);
        memcpy(out + at[p], array + (start ? start[i] : i), count * sizeof *array);
        at[p] += count;
    }
}

/* Gives each owner what its rows have in the array, which is freed; NULL: rows have nothing there. Returns that of the
 * own rows: parts come in the order of processes, which is that of the data. */
static void *deal_array(const dealing *d, void *array, const size_t *start)
{
    const uint32_t n = process_count(), rank = process_number();
    uint64_t *to = allocate_zero(n, sizeof *to), *from = allocate_zero(n, sizeof *from), sent = 0, got = 0, *at;
    uint32_t *old = array, *out = allocate(arrlenu(old), sizeof *out), *new = NULL, i;
    for (i = 0; old && i < d->rows; i++) to[owner(d, i)] += numbers_of(start, i);
    meet();
    MPI_Alltoall(to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    at = allocate(2 * (size_t)n, sizeof *at);
    for (i = 0; i < n; i++) {
        at[i] = sent;
        at[n + i] = got;
        sent += to[i];
        got += from[i];
    }
    sort_by_owner(d, old, start, out, at);
    arrfree(old);
    if (got) arrsetlen(new, got);
    meet();
    for (i = 0; i < n; i++) {
        const uint32_t next = (rank + i) % n, last = (rank + n - i) % n;
        trade(out + at[next] - to[next], sizeof *out * to[next], next, new + at[n + last], sizeof *new *from[last],
              last);
    }
    free(out);
    free(at);
    free(to);
    free(from);
    return new;
}

/* Rows have values for all indices: ones are not left out yet. */
static void deal_rows(rows *data, uint32_t shards)
{
    dealing d = {data->count, shards, 0};
    uint32_t *length = NULL, *label, i;
    uint64_t count = data->count;
    for (i = 0; i < data->count; i++) arrput(length, (uint32_t)(data->start[i + 1] - data->start[i]));
    meet();
    MPI_Exscan(&count, &d.first, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    data->index = deal_array(&d, data->index, data->start);
    data->value = deal_array(&d, data->value, data->start);
    label = deal_array(&d, data->label, NULL);
    length = deal_array(&d, length, NULL);
    if (arrlenu(length) > UINT32_MAX) die(EXIT_INPUT, "too many rows for %u processes", (unsigned)process_count());
    data->label = label;
    data->count = (uint32_t)arrlenu(length);
    arrsetlen(data->start, 1);
    for (i = 0; i < data->count; i++) arrput(data->start, data->start[i] + length[i]);
    arrfree(length);
}

void processes_deal(rows *data, labels *found, uint64_t *count, uint64_t *first, uint32_t shards, reader *in)
{
    agree_on_labels(data, found);
    if (process_number() > 0) *first = 0; /* process 0 has the first row of all */
    processes_sum(first, 1);
    in->features = (uint32_t)(UINT32_MAX - processes_least(UINT32_MAX - in->features));
    processes_sum(count, 1);
    processes_sum(&in->dropped, 1);
    processes_sum(&in->empty, 1);
    deal_rows(data, shards);
}
