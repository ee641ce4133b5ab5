#include "offsets.h"

#include <math.h>

enum { SAMPLE = 101, LOOKS = 4 };
#define NEAR 0x1p-4 /* times the median: values that are at most so far from it are near */
#define WRONG 200.0 /* rounding by more than 1 / 200 of the deviation makes differences wrong by more than 1 % of it */
#define NARROW 0x1p-16 /* times the median: of greater deviations no rounding is 1 / WRONG */

/* What the values of a column are like that are near its median. */
typedef struct nearness {
    double deviation;
    float most;      /* in size */
    int some, whole; /* at least half of all values are near; all near ones are whole numbers */
} nearness;

static int is_near(double x, double median)
{
    return fabs(x - median) <= NEAR * fabs(median);
}

/* Numbers, of which the deviation is wanted. */
typedef struct gathered {
    double sum, squares;
    uint32_t count;
} gathered;

static void gather(gathered *g, double x)
{
    g->sum += x;
    g->squares += x * x;
    g->count++;
}

static double deviation_of(const gathered *g)
{
    return g->count ? sqrt(fmax(g->squares / g->count - g->sum / g->count * (g->sum / g->count), 0)) : 0;
}

static nearness nearness_of(const rows *d, uint32_t j, double median)
{
    nearness n = {0, 0, 0, 1};
    gathered near = {0, 0, 0};
    uint32_t i, all = 0;
    for (i = 0; i < d->count; i++) {
        const float x = rows_at(d, i, j);
        const double far = (double)x - median;
        if (!isnan(x)) all++;
        if (!is_near((double)x, median)) continue;
        gather(&near, far);
        n.most = fmaxf(n.most, fabsf(x));
        n.whole &= x == floorf(x);
    }
    n.some = near.count > 0 && 2 * near.count >= all;
    n.deviation = deviation_of(&near);
    return n;
}

/* ---- Which columns may have lost digits ---- */

/* Row i of a sample that lies evenly among all rows. */
static uint32_t sample_row(const rows *d, uint32_t i)
{
    return (uint32_t)((uint64_t)i * d->count / (d->count < SAMPLE ? d->count : SAMPLE));
}

/* The median of the sample. *apart: how far its quartiles are. */
static double median_of(const rows *d, uint32_t j, double *apart)
{
    float value[SAMPLE];
    uint32_t i, some = 0;
    for (i = 0; i < SAMPLE && i < d->count; i++) {
        const float x = rows_at(d, sample_row(d, i), j);
        if (!isnan(x)) value[some++] = x;
    }
    if (some == 0) return 0;
    qsort(value, some, sizeof *value, compare_floats);
    *apart = (double)value[3 * (some - 1) / 4] - (double)value[(some - 1) / 4];
    return (double)value[some / 2];
}

/* Returns the median if rounding to floats may have lost digits, else 0. If near values are one float, or whole below
 * OFFSET_FROM, only has_long tells. */
static double median_if_lost(const rows *d, uint32_t j, int has_long)
{
    double apart = 0;
    const double median = median_of(d, j, &apart), size = fabs(median);
    nearness n;
    if (size <= 0 || apart > 2 * NEAR * size) return 0;
    if (apart > 16 * NARROW * size && size < (double)OFFSET_FROM / 2) return 0;
    n = nearness_of(d, j, median);
    if (!n.some) return 0;
    if (n.most >= OFFSET_FROM) return median;
    return n.deviation < NARROW * size && (has_long || (n.deviation > 0 && !n.whole)) ? median : 0;
}

/* How many rows of the sample have a value of each feature that is not 0; most features of texts are rare. */
static uint32_t *given_in_sample(const rows *d)
{
    uint32_t *given = allocate_zero(d->features, sizeof *given), i, k;
    for (i = 0; i < SAMPLE && i < d->count; i++) {
        const pcn_vec x = rows_vector(d, sample_row(d, i));
        for (k = 0; k < x.count; k++) given[x.index ? x.index[k] : k] += !x.value || x.value[k] < 0 || x.value[k] > 0;
    }
    return given;
}

/* So many features, the first, are numbers as they are written; products of libsvm text number its indices anew. */
static uint32_t numbers(const rows *d, const reader *in)
{
    if (in->format->is_table) return in->columns;
    return in->format->has_numbers && !in->options.products ? d->features : 0;
}

/* Are all values one whole number, as in most libsvm text, all of whose digits a float has? */
static int are_one_number(const rows *d, const reader *in)
{
    const float *value = d->value;
    return !in->has_long && values_telling(value, arrlenu(value)) == 1 && fabsf(*value) < OFFSET_FROM &&
           *value == floorf(*value);
}

/* New columns, with their medians as offsets. */
static void find_columns(offsets *o, const rows *d, const reader *in)
{
    uint32_t *given = given_in_sample(d), i, j;
    const uint32_t n = d->count < SAMPLE ? d->count : SAMPLE;
    for (j = 0; j < numbers(d, in); j++) {
        const double median = 2 * given[j] >= n ? median_if_lost(d, j, in->has_long) : 0;
        long_column c = {j, median, NULL};
        if (median == 0) continue;
        c.before = allocate(d->count, sizeof *c.before);
        for (i = 0; i < d->count; i++) c.before[i] = rows_at(d, i, j);
        arrput(o->column, c);
    }
    free(given);
}

/* ---- Which have ---- */

/* The values less an offset are as good as exact. Has rounding them without it changed a whole number, or moved one too
 * far? */
static int is_lost(const rows *d, const long_column *c)
{
    gathered near = {0, 0, 0};
    double deviation;
    uint32_t i, lost = 0;
    for (i = 0; i < d->count; i++) {
        const double far = (double)rows_at(d, i, c->feature);
        if (is_near(far + c->offset, c->offset)) gather(&near, far);
    }
    deviation = deviation_of(&near);
    for (i = 0; i < d->count && deviation > 0; i++) {
        const double far = (double)rows_at(d, i, c->feature), x = far + c->offset;
        const double moved = fabs((double)c->before[i] - c->offset - far);
        lost += is_near(x, c->offset) && (moved > deviation / WRONG || (moved > 0 && x == floor(x)));
    }
    return lost > 0;
}

/* A median is the nearest float, which may be far from a number of 16 digits: then what is left has a median, too. */
static int refine(offsets *o, const rows *d)
{
    size_t i;
    int refined = 0;
    for (i = 0; i < arrlenu(o->column) && o->looks < LOOKS; i++) {
        const double median = median_if_lost(d, o->column[i].feature, 1);
        o->column[i].offset += median;
        refined |= median != 0;
    }
    return refined;
}

static void list_offsets(offsets *o)
{
    size_t i;
    arrfree(o->offset);
    for (i = 0; i < arrlenu(o->column); i++) {
        const long_column *c = &o->column[i];
        while (c->offset != 0 && arrlenu(o->offset) <= c->feature) arrput(o->offset, 0);
        if (c->offset != 0) o->offset[c->feature] = c->offset;
    }
}

int offsets_look(offsets *o, const rows *d, const reader *in)
{
    int changed = 0;
    size_t i;
    if (o->settled) return 0;
    if (o->looks++ == 0) {
        if (!are_one_number(d, in)) find_columns(o, d, in);
        changed = o->column != NULL;
    } else {
        changed = refine(o, d);
    }
    o->settled = !changed;
    for (i = 0; i < arrlenu(o->column) && o->settled; i++) {
        if (is_lost(d, &o->column[i])) continue;
        o->column[i].offset = 0;
        changed = 1;
    }
    if (changed) list_offsets(o);
    return changed;
}

void offsets_fail(const reader *in, uint32_t feature, const char *why)
{
    char number[16];
    snprintf(number, sizeof number, "%lu", (unsigned long)feature + !in->options.zero_based);
    die(EXIT_INPUT,
        "%s: floats do not hold the last digits of feature %s, and %s: subtract a constant from it, or leave it out",
        in->lines.name, in->names ? printable(in->names[feature], EXCERPT) : number, why);
}

void offsets_refuse(const rows *d, const reader *in)
{
    uint32_t *given = given_in_sample(d), j;
    const uint32_t n = d->count < SAMPLE ? d->count : SAMPLE;
    for (j = 0; j < numbers(d, in); j++)
        if (2 * given[j] >= n && median_if_lost(d, j, 0) != 0)
            offsets_fail(in, j, "only a single process finds what to subtract from all of it");
    free(given);
}

void offsets_free(offsets *o)
{
    size_t i;
    for (i = 0; i < arrlenu(o->column); i++) free(o->column[i].before);
    arrfree(o->column);
    arrfree(o->offset);
}
