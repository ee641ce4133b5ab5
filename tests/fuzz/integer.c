/* Integer trainers and quantised models against plain 64-bit code, which keeps the sum of all weights for the mean.
 * Every number must be equal. After an error nothing may have changed, but the count of refused rows. */
#include "perceptron.h"
#include "fuzz.h"
#include "../sums.h"

#include <float.h>

enum { FEATURES = 40, CLASSES = 5, WORDS = (FEATURES + 1) * CLASSES, CALLS = 200 };

#include "../header/plain_integer.h"

static input in;
static pcn_iperceptron m;
static uint32_t features, classes, scores;
static int32_t *memory;
static int64_t *sums;

static plain beside, kept_plain;

static struct saved {
    uint8_t *image;
    size_t size;
    int has_sums;
} saved;

/* ---- Rows ---- */

typedef struct row {
    int16_t all[FEATURES + 1]; /* every feature */
    int16_t *value;
    uint32_t *index;
    pcn_ivec x;
} row;

static int16_t take_value(void)
{
    static const int16_t extreme[] = {INT16_MAX, INT16_MIN, INT16_MIN + 1, 256, -256, 1000};
    uint8_t byte = take(&in);
    return byte >= 250 ? extreme[byte - 250] : (int16_t)((byte & 15) - 7);
}

/* In any form; at times with a feature too many. */
static row make_row(void)
{
    uint32_t form = take(&in), n = features + (form > 250), i, given = 0;
    row r;
    r.value = (int16_t *)room(n * sizeof *r.value);
    r.index = (uint32_t *)room(n * sizeof *r.index);
    memset(r.all, 0, sizeof r.all);
    for (i = 0; i < n; i++) {
        int16_t v = take_value();
        if (form > 250 && i == features) v = 1;
        if (form % 3 == 0) v = v > 0;
        if (form % 3 != 2 && v == 0) continue;
        r.all[i] = r.value[given] = v;
        r.index[given++] = i;
    }
    r.x = form % 3 == 0   ? pcn_iones(r.index, given)
          : form % 3 == 1 ? pcn_isparse(r.index, r.value, given)
                          : pcn_idense(r.value, n);
    return r;
}

static void free_row(row *r)
{
    free(r->value), free(r->index);
}

static void agree(void)
{
    size_t i, all = PCN_IPERCEPTRON_NUMBERS(features, classes);
    for (i = 0; i < all; i++) MUST(memory[i] == beside.w[i]);
    if (m.own.sum) MUST(m.own.clock == beside.clock);
}

/* ---- Calls ---- */

static uint8_t *save(size_t *size)
{
    uint8_t *image;
    *size = pcn_iperceptron_save_part(&m, 0, NULL, 0);
    MUST(*size != 0);
    image = (uint8_t *)room(*size);
    MUST(pcn_iperceptron_save(&m, image, *size - 1) == 0);
    MUST(pcn_iperceptron_save(&m, image, *size) == *size);
    return image;
}

/* A label that is none. */
static void refuse_label(const row *r)
{
    static const int no_binary[] = {2, -2, INT32_MAX, INT32_MIN};
    const int y = classes == 2 ? no_binary[r->x.count & 3] : r->x.count & 1 ? -1 : (int)classes;
    pcn_iperceptron old = m;
    old.refused++;
    MUST(pcn_iperceptron_learn(&m, r->x, y) == PCN_ELABEL && memcmp(&old, &m, sizeof m) == 0);
}

static void call_learn(void)
{
    row r = make_row();
    int y = (int)take_below(&in, classes + 2) - 1, result, fits = r.x.count == 0;
    size_t size, now;
    uint8_t *before = save(&size), *after;
    pcn_iperceptron old;
    refuse_label(&r);
    memcpy(&old, &m, sizeof m);
    if (!fits) fits = (r.x.index ? r.x.index[r.x.count - 1] : r.x.count - 1) < features;
    result = pcn_iperceptron_learn(&m, r.x, y);
    after = save(&now);
    if (y >= (int)classes || (y < 0 && classes > 2))
        MUST(result == PCN_ELABEL);
    else if (!fits)
        MUST(result == PCN_EINDEX);
    else if (m.rate < 1 || m.bias_step < PCN_BIAS_OF_ROWS || m.bias_step > PCN_IMAX - 2 || m.margin < 0)
        MUST(result == PCN_EOPTION);
    else
        MUST(result == plain_learn(&beside, &m, r.all, y));
    if (result < 0) {
        old.refused++;
        MUST(size == now && memcmp(before, after, size) == 0 && memcmp(&old, &m, sizeof m) == 0);
    } else {
        MUST(m.guess == beside.guess && m.rows == old.rows + 1 && m.updates == old.updates + (uint32_t)result);
        MUST(m.mistakes == old.mistakes + (m.guess != (classes == 2 ? y > 0 : y)) && m.refused == old.refused);
    }
    free(before), free(after);
    free_row(&r);
}

static void call_predict(void)
{
    row r = make_row();
    int64_t score[CLASSES];
    uint32_t c;
    int best = plain_best(&beside, beside.w, r.all, -1);
    pcn_ilinear_scores(&m.live, r.x, score);
    for (c = 0; c < scores; c++) MUST(score[c] == integer_score(&beside, beside.w, c, r.all));
    MUST(pcn_ilinear_predict(&m.live, r.x) == best);
    if (scores == 1) MUST(pcn_ilinear_score(&m.live, r.x) == score[0]);
    if (m.own.sum) best = plain_mean_class(beside.total, features, scores, m.live.zero_negative, r.all);
    MUST(pcn_iperceptron_predict(&m, r.x) == best);
    free_row(&r);
}

static void call_settings(void)
{
    static const int64_t margin[] = {0, 1, -1, 1000, (int64_t)1 << 40, INT64_MAX, INT64_MIN};
    static const int32_t step[] = {0, 1, 1000, PCN_IMAX - 2, PCN_BIAS_OF_ROWS, PCN_IMAX - 1, -2};
    static const int16_t rate[] = {1, 2, 1000, INT16_MAX, 0, INT16_MIN};
    uint32_t choice = take(&in);
    switch (choice & 3) {
    case 0: m.margin = margin[(choice >> 2) % 7]; break;
    case 1: m.bias_step = step[(choice >> 2) % 7]; break;
    case 2: m.rate = rate[(choice >> 2) % 6]; break;
    default: m.live.zero_negative = choice >> 2 & 1; beside.zero_negative = m.live.zero_negative;
    }
}

static void call_average(void)
{
    const size_t bytes = PCN_IPERCEPTRON_NUMBERS(features, classes) * sizeof(int64_t);
    int64_t *array = (int64_t *)room(bytes);
    MUST(pcn_iperceptron_use_averaging(&m, array, bytes - 1) == PCN_EMEMORY);
    MUST(pcn_iperceptron_use_averaging(&m, array, bytes) == PCN_OK);
    free(sums);
    sums = array;
    plain_average(&beside);
}

/* Between calls a program may write the weights. To a mean it is as if the new one had been there all the time. */
static void call_write(void)
{
    static const int32_t weights[] = {0, PCN_IMAX, -PCN_IMAX, PCN_IMAX - 1, 1, 12345};
    const uint32_t i = take(&in) % (uint32_t)PCN_IPERCEPTRON_NUMBERS(features, classes);
    const int32_t w = weights[take_below(&in, 6)];
    beside.total[i] += ((int64_t)beside.clock + 1) * (w - beside.w[i]);
    beside.w[i] = w;
    memory[i] = w;
}

static void call_final(void)
{
    const size_t all = PCN_IPERCEPTRON_NUMBERS(features, classes), bytes = all * sizeof(int32_t);
    int32_t *out = (int32_t *)room(bytes);
    pcn_ilinear view;
    MUST(pcn_iperceptron_final(&m, &view, out, bytes - 1) == PCN_EMEMORY);
    MUST(pcn_iperceptron_final(&m, &view, NULL, 0) == (m.own.sum ? PCN_EMEMORY : PCN_OK));
    if (!m.own.sum) MUST(memcmp(&view, &m.live, sizeof view) == 0);
    MUST(pcn_iperceptron_final(&m, &view, out, bytes) == PCN_OK);
    MUST(m.own.sum ? plain_means(beside.total, out, all) : memcmp(out, memory, bytes) == 0);
    MUST(view.weight == out && view.bias == out + features * scores && !view.scale && view.bits == 32);
    MUST(view.features == features && view.scores == scores && view.zero_negative == m.live.zero_negative);
    free(out);
}

static void call_save(void)
{
    free(saved.image);
    saved.image = save(&saved.size);
    saved.has_sums = m.own.sum != NULL;
    kept_plain = beside;
}

static void call_load(void)
{
    int fits;
    pcn_ilinear opened;
    uint8_t *again;
    size_t size;
    if (!saved.image) return;
    fits = m.own.sum || !saved.has_sums;
    MUST(pcn_ilinear_open(&opened, saved.image, saved.size) == (saved.has_sums ? PCN_EMEAN : PCN_OK));
    MUST(saved.has_sums || opened.features == features);
    MUST(pcn_iperceptron_load(&m, saved.image, saved.size) == (fits ? PCN_OK : PCN_EMATCH));
    if (!fits) return;
    again = save(&size);
    if (saved.has_sums == (m.own.sum != NULL)) MUST(size == saved.size && memcmp(again, saved.image, size) == 0);
    free(again);
    beside = kept_plain;
    beside.zero_negative = m.live.zero_negative;
    if (saved.has_sums) return;
    plain_average(&beside);
}

/* ---- Quantised models ---- */

static void check_quantised(const pcn_ilinear *q)
{
    row r = make_row();
    int64_t score[CLASSES], s;
    uint32_t c, j;
    int best = 0;
    pcn_ilinear_scores(q, r.x, score);
    for (c = 0; c < scores; c++) {
        for (s = q->bias[c], j = 0; j < features; j++) s += narrow_weight(q, c, j) * r.all[j];
        MUST(score[c] == s * (scores == 1 ? 1 : q->scale[c]));
        if (score[c] > score[best]) best = (int)c;
    }
    if (scores == 1) best = score[0] > 0 || (score[0] == 0 && !q->zero_negative);
    MUST(pcn_ilinear_predict(q, r.x) == best);
    free_row(&r);
}

static void call_quantise(void)
{
    const size_t all = PCN_LINEAR_FLOATS(features, classes), room_for = PCN_PERCEPTRON_FLOATS(features, classes);
    const uint32_t bits = take(&in) & 1 && features ? 8 : 16;
    const size_t bytes = PCN_ILINEAR_NUMBERS(features, classes, bits) * sizeof(int32_t);
    float *weight = floats(room_for), unit = take_float(&in);
    int32_t *narrow = (int32_t *)room(bytes);
    pcn_perceptron f;
    pcn_ilinear q;
    size_t i;
    int result, finite = 1;
    MUST(pcn_perceptron_init(&f, features, classes, weight, room_for * sizeof *weight) == PCN_OK);
    f.live.zero_negative = m.live.zero_negative;
    for (i = 0; i < all; i++) {
        weight[i] = take_float(&in);
        finite &= is_finite(weight[i]);
    }
    MUST(pcn_ilinear_quantize(&q, &f.live, bits, 1, NULL, narrow, bytes - 1) == PCN_EMEMORY);
    MUST(pcn_ilinear_quantize(&q, &f.live, 12, 1, NULL, narrow, bytes) == PCN_EOPTION);
    result = pcn_ilinear_quantize(&q, &f.live, bits, unit, NULL, narrow, bytes);
    if (!(unit > 0) || !is_finite(unit))
        MUST(result == PCN_EOPTION);
    else if (!finite)
        MUST(result == PCN_EVALUE);
    if (result == PCN_OK) {
        size_t size = pcn_ilinear_save_part(&q, 0, NULL, 0);
        uint8_t *image = (uint8_t *)room(size);
        pcn_ilinear opened;
        MUST(size == PCN_ILINEAR_IMAGE(features, classes, bits) && pcn_ilinear_save(&q, image, size) == size);
        MUST(pcn_ilinear_open(&opened, image, size) == PCN_OK && opened.bits == bits);
        MUST(plain_quantised(&q, &f.live, unit));
        check_quantised(&q);
        check_quantised(&opened);
        free(image);
    }
    free(weight), free(narrow);
}

/* ---- A run ---- */

/* A trainer whose init has failed refuses what is asked of it. */
static void check_no_init(int result, int expected)
{
    static const pcn_iperceptron nothing;
    pcn_ilinear view;
    int64_t sum[1];
    MUST(result == expected && memcmp(&m, &nothing, sizeof nothing) == 0);
    MUST(pcn_iperceptron_learn(&m, pcn_idense(NULL, 0), 0) == PCN_EOPTION && m.refused == 1);
    MUST(pcn_iperceptron_use_averaging(&m, sum, sizeof sum) == PCN_EOPTION);
    MUST(pcn_iperceptron_final(&m, &view, NULL, 0) == PCN_EOPTION && pcn_iperceptron_save_part(&m, 0, NULL, 0) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static void (*const calls[])(void) = {call_predict, call_settings, call_average, call_write,
                                          call_final,   call_save,     call_load,    call_quantise};
    uint32_t i, call;
    size_t room_for;
    in.at = bytes, in.end = bytes + size;
    features = take_below(&in, FEATURES + 1);
    classes = 1 + take_below(&in, CLASSES);
    classes += classes < 3; /* two, or three and more */
    scores = PCN_SCORES(classes);
    room_for = PCN_IPERCEPTRON_NUMBERS(features, classes) * sizeof *memory;
    plain_init(&beside, features, scores);
    memset(&saved, 0, sizeof saved);
    sums = NULL;
    memory = (int32_t *)room(room_for);
    check_no_init(pcn_iperceptron_init(&m, features, classes, memory, room_for - 1), PCN_EMEMORY);
    check_no_init(pcn_iperceptron_init(&m, features, take(&in) & 1, memory, room_for), PCN_EOPTION);
    MUST(pcn_iperceptron_init(&m, features, classes, memory, room_for) == PCN_OK);
    for (i = 0; i < CALLS && in.at < in.end; i++) {
        call = take_below(&in, 24);
        (call < sizeof calls / sizeof calls[0] ? calls[call] : call_learn)();
        agree();
    }
    free(memory), free(sums), free(saved.image);
    return 0;
}
