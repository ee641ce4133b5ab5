/* The jobs by hand: the least C for this number of features and classes that checks what the library checks (labels,
 * NaN and infinity, steps of 2^54 or more, integers that would overflow), counts what it counts, and gives its bits. The
 * order of the sums is a halving tree, which for 16 features is all of the library's. */
#include "job.h"

#include "model.h"

#include <string.h>

#ifdef __AVR__
#define READ_FLOAT(p) pgm_read_float(p)
#define READ_8(p) ((int8_t)pgm_read_byte(p))
#define READ_16(p) ((uint16_t)pgm_read_word(p))
#define READ_32(p) ((int32_t)pgm_read_dword(p))
#else
#define READ_FLOAT(p) (*(p))
#define READ_8(p) (*(p))
#define READ_16(p) (*(p))
#define READ_32(p) (*(p))
#endif

#if JOB <= PREDICT_8
#include "frozen.h"
#endif

#if JOB == PREDICT

int job_predict(const job_value *x)
{
    const float *w = model_weight;
    float highest = 0;
    int best = 0, c, i, h;
    for (c = 0; c < CLASSES; c++) {
        float s[FEATURES], score;
        for (i = 0; i < FEATURES; i++) s[i] = READ_FLOAT(w++) * x[i];
        for (h = FEATURES / 2; h != 0; h >>= 1)
            for (i = 0; i < h; i++) s[i] += s[i + h];
        score = s[0] + READ_FLOAT(model_bias + c);
        if (c == 0 || score > highest) highest = score, best = c;
    }
    return best;
}

#elif JOB == PREDICT_8

int job_predict(const job_value *x)
{
    const int8_t *w = model_weight;
    int64_t highest = 0;
    int best = 0, c, i;
    for (c = 0; c < CLASSES; c++) {
        int32_t sum = 0; /* 16 * 127 * 2^15 < 2^31 */
        int64_t score;
        for (i = 0; i < FEATURES; i++) sum += (int32_t)READ_8(w++) * x[i];
        score = ((int64_t)sum + READ_32(model_bias + c)) * READ_16(model_scale + c);
        if (c == 0 || score > highest) highest = score, best = c;
    }
    return best;
}

#elif JOB == LEARN_INTEGERS

static struct {
    int32_t w[FEATURES], bias;
    uint32_t rows, updates, mistakes;
} m;

void job_init(void)
{
    memset(&m, 0, sizeof m);
}

static int64_t score(const int16_t *x)
{
    int64_t s = m.bias;
    int i;
    for (i = 0; i < FEATURES; i++) s += (int64_t)m.w[i] * x[i];
    return s;
}

int job_predict(const job_value *x)
{
    return score(x) >= 0;
}

static void add(int32_t *w, int32_t change) /* it stops at 2^30 */
{
    const int32_t most = (int32_t)1 << 30;
    change += *w;
    *w = change > most ? most : change < -most ? -most : change;
}

int job_learn(const job_value *x, int y)
{
    int64_t s;
    int i;
    if (y != 0 && y != 1) return -3;
    s = score(x);
    m.rows++;
    m.mistakes += (s >= 0) != y;
    if (y ? s > 0 : s < 0) return 0;
    for (i = 0; i < FEATURES; i++) add(&m.w[i], y ? x[i] : -(int32_t)x[i]);
    add(&m.bias, y ? 1 : -1);
    m.updates++;
    return 1;
}

const void *job_state(uint32_t *bytes)
{
    *bytes = sizeof m.w + sizeof m.bias;
    return &m;
}

#else

enum { SCORES = CLASSES == 2 ? 1 : CLASSES };

static struct {
    float w[SCORES][FEATURES], bias[SCORES];
    uint64_t rows, updates, mistakes;
} m;

void job_init(void)
{
    memset(&m, 0, sizeof m);
}

/* Is f a number below 2^(exponent - 127) in size? */
static int below(float f, uint32_t exponent)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits << 1 < exponent << 24;
}

static float score(int c, const float *x)
{
    float s[FEATURES];
    int i, h;
    for (i = 0; i < FEATURES; i++) s[i] = m.w[c][i] * x[i];
    for (h = FEATURES / 2; h != 0; h >>= 1)
        for (i = 0; i < h; i++) s[i] += s[i + h];
    return s[0] + m.bias[c];
}

static int may_step(const float *x)
{
    int i;
    for (i = 0; i < FEATURES; i++)
        if (!below(x[i], 127 + 54)) return 0;
    return 1;
}

static void step(int c, float size, const float *x)
{
    int i;
    for (i = 0; i < FEATURES; i++) m.w[c][i] += size * x[i];
    m.bias[c] += size;
}

const void *job_state(uint32_t *bytes)
{
    *bytes = sizeof m.w + sizeof m.bias;
    return &m;
}

#if JOB == LEARN_TWO

int job_predict(const job_value *x)
{
    return score(0, x) >= 0;
}

int job_learn(const job_value *x, int y)
{
    float s;
    int fires;
    if (y != 0 && y != 1) return -3;
    s = score(0, x);
    if (!below(s, 255)) return -1;
    fires = y ? s <= 0 : s >= 0;
    if (fires && !may_step(x)) return -1;
    m.rows++;
    m.mistakes += (s >= 0) != y;
    m.updates += (uint64_t)fires;
    if (fires) step(0, y ? 1.0f : -1.0f, x);
    return fires;
}

#else

static int scores(const float *x, float *s)
{
    int best = 0, c;
    for (c = 0; c < CLASSES; c++) {
        s[c] = score(c, x);
        if (s[c] > s[best]) best = c;
    }
    return best;
}

int job_predict(const job_value *x)
{
    float s[CLASSES];
    return scores(x, s);
}

int job_learn(const job_value *x, int y)
{
    float s[CLASSES];
    int c, best, rival = y == 0, fires;
    if (y < 0 || y >= CLASSES) return -3;
    best = scores(x, s);
    for (c = 0; c < CLASSES; c++) {
        if (!below(s[c], 255)) return -1;
        if (c != y && s[c] > s[rival]) rival = c;
    }
    fires = s[y] <= s[rival];
    if (fires && !may_step(x)) return -1;
    m.rows++;
    m.mistakes += best != y;
    m.updates += (uint64_t)fires;
    if (fires) step(y, 1, x), step(rival, -1, x);
    return fires;
}

#endif
#endif
