/* Parts of a product around a classifier. Each stands alone: copy the one that you need. None allocates memory or has
 * variables of its own. The last two call perceptron.h, so include that first; without it they are left out.
 * What each takes and what it cannot do: README.md, "Parts". */
#ifndef PARTS_H
#define PARTS_H

#include <stdint.h>

/* ---- Computes five features of a window of n int16 samples: x[0 .. 4] become the mean, the mean absolute deviation
 * from it, the sum of the absolute differences of neighbours divided by n, how often the mean is crossed, and the
 * largest deviation. sample: those of one axis, `step` int16s apart. n: 1 .. 32,768, so all sums are below 2^31. All
 * but the crossings are in the samples' unit, without their fractions. A feature above 32,767 becomes 32,767.
 * Cannot: see deviations below 1 unit (shift the samples left first), or tell frequencies apart as an FFT does. */
enum { WINDOW_FEATURES = 5 };

static inline void window_features(const int16_t *sample, int32_t n, int32_t step, int16_t *x)
{
    int32_t sum = 0, mean, deviation = 0, difference = 0, peak = 0, last = sample[0], i;
    int16_t crossings = 0;
    for (i = 0; i < n; i++) sum += sample[i * step];
    mean = sum / n;
    for (i = 0; i < n; i++) {
        const int32_t now = sample[i * step], d = now < mean ? mean - now : now - mean;
        deviation += d;
        difference += now < last ? last - now : now - last;
        if ((now * n < sum) != (last * n < sum)) crossings++; /* of the mean with its fraction */
        if (d > peak) peak = d;
        last = now;
    }
    x[0] = (int16_t)mean;
    x[1] = (int16_t)(deviation / n); /* at most half of the range */
    x[2] = (int16_t)(difference / n < 32767 ? difference / n : 32767);
    x[3] = crossings;
    x[4] = (int16_t)(peak < 32767 ? peak : 32767);
}

/* ---- Debounces answers: returns the class to show, which changes after `need` equal answers in a row. k: the answer,
 * 0 .. 32,767, or below 0 if it was refused. A refused answer neither counts nor breaks a run. Returns -1 until a class
 * has come `need` times in a row. need: 1 (shows every answer) .. 65,535.
 * Cannot: show a state of fewer than `need` answers, or show a change at once. It shows a change `need` - 1 answers
 * late, and until then the class that is over. */
typedef struct debounce {
    int16_t shown, next;
    uint16_t run; /* of `next` */
} debounce;       /* at first {-1, -1, 0} */

static inline int debounced(debounce *d, int k, uint16_t need)
{
    if (k < 0) return d->shown;
    if (k != d->next) d->run = 0;
    d->next = (int16_t)k;
    d->run++; /* beyond 65,535 it begins again: `next` is shown by then */
    if (d->run >= need) d->shown = d->next;
    return d->shown;
}

/* ---- Rings while the share of events among about the last 2^k rows is above a limit: returns 1 then, otherwise 0.
 * share: in 1 / 2^32. Begin it at the usual share, or at 0. A row moves it by 2^-k of its distance to 1 if the row is
 * an event, and to 0 if it is not. k: 0 .. 16. limit: in 1 / 65,536.
 * If events are independent and have the probability p, the standard deviation of the share is
 * sqrt(p (1 - p) / (2^(k + 1) - 1)): take a limit that is at least four of them above p. If p becomes q, above the
 * limit, it rings after about 2^k ln((q - p) / (q - limit)) rows.
 * Cannot: notice what is not an event. A broken sensor may bring sure answers, so refusals alone do not tell: count
 * wrong answers and far rows, too. */
static inline int alarm_rings(uint32_t *share, int event, unsigned k, uint16_t limit)
{
    *share -= *share >> k;
    if (event) *share += UINT32_MAX >> k; /* stays below 2^32: (2^32 - 1 - t) >> k is 2^(32 - k) - 1 - (t >> k) */
    return *share >> 16 > limit;
}

#ifdef PERCEPTRON_VERSION
/* ---- Finds rows unlike all that were learned: returns 1 if |row| is more than sqrt(2) times the largest |row| that
 * was learned, otherwise 0. row: n floats, as pcn_scaler_scale writes them. most: the largest |row|^2 so far; at first
 * 0. learn: 1 for rows that you trust, which may raise `most`; otherwise 0. A row with NaN is far.
 * Cannot: find what stays within the usual spread, such as an unknown class between the others or, often, a dead
 * sensor. Ask it with a scaler that has noted only rows that you trust: one that follows a turned sensor brings its
 * rows near. */
static inline int is_far(const float *row, uint32_t n, float *most, int learn)
{
    const float length2 = pcn_norm2(pcn_dense(row, n));
    if (learn && length2 > *most) *most = length2;
    return !(length2 <= 2 * *most);
}

/* ---- Checks RAM: ram_seal notes the CRC-32 of an array after you have changed it (init, load, learn). ram_is_sealed
 * returns 1 if the array is still as it was then, otherwise 0: load the last saved state. memory: an array of numbers,
 * such as that of a trainer, of `bytes` bytes; not a struct, whose padding may change by itself.
 * It finds up to three flipped bits in at most 11 KB and its seal, and any that lie within 32 bits. Of others it misses
 * one in 2^32.
 * Cannot: repair, or see what flips between a check and the next seal, or in what has no seal (structs, the stack). */
static inline void ram_seal(uint32_t *seal, const void *memory, size_t bytes)
{
    *seal = pcn_crc32(0, memory, bytes);
}

static inline int ram_is_sealed(uint32_t seal, const void *memory, size_t bytes)
{
    return seal == pcn_crc32(0, memory, bytes);
}
#endif

#endif
