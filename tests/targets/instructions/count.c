/* Do the dense loops of the library and those by hand (m0.S, m4.S) agree, bit for bit, and how many
 * instructions do they take? Runs in qemu with -icount shift=0, where an instruction takes a nanosecond;
 * SysTick counts them, at MHZ megahertz. Prints "count LOOP hand|library FEATURES INSTRUCTIONS", of one call
 * with its arguments. */
#include "perceptron.h"
#include "random.h"
#include "test.h"

enum { MOST = 1024, TRIED = 400, REPEATS = 500 };

typedef void call(uint32_t n);

static void nothing(uint32_t n)
{
    (void)n;
}

/* ---- Integers: sum of w x; w += rate x ---- */

int64_t hand_idot(const int32_t *w, const int16_t *x, uint32_t n);
void hand_iadd(int32_t *w, const int16_t *x, uint32_t n, int32_t step);

static int32_t iw[MOST + 1], iv[MOST]; /* of the library, with a bias; of the loops by hand */
static int16_t ix[MOST];
static pcn_iperceptron trainer;
static pcn_ilinear no_bias; /* the trainer's weights */
static volatile int64_t integer;

static void idot_hand(uint32_t n)
{
    integer = hand_idot(iv, ix, n);
}

static void idot_library(uint32_t n)
{
    integer = pcn_ilinear_score(&no_bias, pcn_idense(ix, n));
}

static void iadd_hand(uint32_t n)
{
    hand_iadd(iv, ix, n, trainer.rate);
}

static void iadd_library(uint32_t n) /* the rule fires whatever the score is */
{
    trainer.margin = INT64_MAX;
    integer = pcn_iperceptron_learn(&trainer, pcn_idense(ix, n), 1);
}

static void learn_without_update(uint32_t n) /* if the score is above 0 */
{
    trainer.margin = 0;
    integer = pcn_iperceptron_learn(&trainer, pcn_idense(ix, n), 1);
}

/* One set in four is of any size; the others are as large as can be, so that sums are, too, and weights stop
 * at PCN_IMAX: all positive, all negative, or both. */
static void random_integers(void)
{
    uint32_t i, kind = random_bits() % 4;
    for (i = 0; i < MOST; i++) {
        int negative = kind == 1 || (kind == 2 && random_bits() % 2);
        iv[i] = negative ? -PCN_IMAX : PCN_IMAX;
        ix[i] = -32767 - 1;
        if (kind == 3) {
            iv[i] = (int32_t)(random_bits() >> 1) - PCN_IMAX;
            ix[i] = (int16_t)(random_bits() >> 16);
        }
        iw[i] = iv[i];
    }
    trainer.rate = (int16_t)(random_bits() % 32767 + 1);
}

static void equal_integers(void)
{
    uint32_t n;
    int64_t sum;
    for (n = 0; n <= TRIED; n++) {
        random_integers();
        idot_hand(n);
        sum = integer;
        idot_library(n);
        CHECK(integer == sum);
        iadd_hand(n);
        iadd_library(n);
        CHECK(integer == 1);
        CHECK(memcmp(iw, iv, sizeof iv) == 0);
    }
}

/* ---- Floats: the same ---- */

#ifdef __ARM_FP

float hand_dot(const float *w, const float *x, uint32_t n);
void hand_add(float *w, const float *x, uint32_t n, float step);

static float w[MOST], v[MOST], x[MOST], step;
static volatile float sum;

static void dot_hand(uint32_t n)
{
    sum = hand_dot(v, x, n);
}

static void dot_library(uint32_t n)
{
    sum = pcn_dot(w, n, pcn_dense(x, n));
}

static void add_hand(uint32_t n)
{
    hand_add(v, x, n, step);
}

static void add_library(uint32_t n)
{
    pcn_add(w, n, step, pcn_dense(x, n));
}

/* Of either sign, from 2^-64 to 2^64; a few denormal, or zero. */
static float random_float(void)
{
    uint32_t bits = random_bits(), exponent = random_bits() % 129 + 63;
    if (random_bits() % 16 == 0) exponent = 0;
    if (random_bits() % 32 == 0) return from_bits(bits & 0x80000000u);
    return from_bits((bits & 0x807fffffu) | exponent << 23);
}

static void equal_floats(void)
{
    uint32_t n, i;
    for (n = 0; n <= TRIED; n++) {
        float by_hand, library;
        for (i = 0; i < MOST; i++) {
            w[i] = v[i] = random_float();
            x[i] = random_float();
        }
        step = random_float();
        dot_hand(n);
        by_hand = sum;
        dot_library(n);
        library = sum;
        CHECK(memcmp(&library, &by_hand, sizeof library) == 0);
        add_hand(n);
        add_library(n);
        CHECK(memcmp(v, w, sizeof v) == 0);
    }
}

#endif

/* ---- Counting ---- */

#define SYST_CSR (*(volatile uint32_t *)0xE000E010)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018)

static uint32_t ticks(call *f, uint32_t n)
{
    uint32_t i, start = SYST_CVR; /* it counts down, in 24 bits */
    for (i = 0; i < REPEATS; i++) f(n);
    return (start - SYST_CVR) & 0xffffffu;
}

/* without: what f does besides, which does not count. */
static void count(const char *name, const char *whose, call *f, call *without)
{
    static const uint32_t lengths[] = {8, 32, 256, 512, 1024};
    uint32_t i;
    for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        uint32_t t = ticks(f, lengths[i]) - ticks(without, lengths[i]);
        printf("count %s %s %lu %lu\n", name, whose, (unsigned long)lengths[i],
               (unsigned long)((t * 1000 / MHZ + REPEATS / 2) / REPEATS));
    }
}

int main(void)
{
    uint32_t i;
    CHECK(pcn_iperceptron_init(&trainer, MOST, 2, iw, sizeof iw) == PCN_OK);
    no_bias = trainer.live;
    no_bias.bias = NULL;
    equal_integers();
    trainer.rate = 1;
    for (i = 0; i < MOST; i++) {
        iw[i] = iv[i] = 0; /* they stay far from PCN_IMAX */
        ix[i] = (int16_t)i;
    }
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5;
    count("idot", "hand", idot_hand, nothing);
    count("idot", "library", idot_library, nothing);
    count("iadd", "hand", iadd_hand, nothing);
    count("iadd", "library", iadd_library, learn_without_update);
    CHECK(integer == 0);
#ifdef __ARM_FP
    equal_floats();
    count("dot", "hand", dot_hand, nothing);
    count("dot", "library", dot_library, nothing);
    count("add", "hand", add_hand, nothing);
    count("add", "library", add_library, nothing);
#endif
    return report();
}
