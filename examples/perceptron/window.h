/* The numbers of 64 characters at once, with AVX-512 and its instructions that move bytes (VBMI, VBMI2). */
#ifndef WINDOW_H
#define WINDOW_H

#if defined(__AVX512VBMI2__) && defined(__AVX512VBMI__) && defined(__AVX512BW__) && defined(__AVX512CD__) && \
    defined(__AVX512DQ__) && defined(__AVX512VL__) && defined(__BMI__) && defined(__BMI2__) &&               \
    defined(__LZCNT__) && defined(__POPCNT__)
#define HAVE_WINDOW

#include <immintrin.h>
#include <stdint.h>

/* 64 characters. Bit i of a mask tells of character i. */
typedef struct window {
    __m512i digits; /* the characters less '0' */
    uint64_t digit, zero, point, minus, colon;
    uint64_t end;       /* of the line: no part of it */
    uint64_t line;      /* up to the end */
    uint64_t separator; /* in the line */
} window;

static inline uint64_t mask_of(__m512i text, char c)
{
    return _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(c));
}

/* last: the end of the line. */
static inline window window_at(const char *p, const char *last, char separator)
{
    const __m512i text = _mm512_loadu_si512(p);
    window w;
    w.digits = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
    w.digit = _mm512_cmplt_epu8_mask(w.digits, _mm512_set1_epi8(10));
    w.zero = _mm512_testn_epi8_mask(w.digits, w.digits);
    w.point = mask_of(text, '.');
    w.minus = mask_of(text, '-');
    w.colon = mask_of(text, ':');
    w.end = last - p < 64 ? (uint64_t)1 << (last - p) : 0;
    w.line = w.end ^ (w.end - 1);
    w.separator = mask_of(text, separator) & w.line;
    return w;
}

/* ---- Numerals, one behind the other ---- */

typedef struct numeral_run {
    uint64_t breaks;   /* that end numerals, in the window */
    uint64_t good;     /* bit i: the i-th of them ends one of one to eight digits, not counting a 0 before a point */
    uint64_t odd;      /* signs and points */
    uint64_t negative; /* bit i: the i-th that may have a sign has one */
    __m512i digits;    /* of all, without signs, points and zeros before points */
    __m512i fractions; /* if odd: -1 where a digit is the first behind a point, else 0 */
    __m512i ends;      /* byte i: 1 + the place of break i among the digits */
} numeral_run;

/* Those that end at `breaks`. values: where they begin that may have a sign; whole: breaks that end others, which
 * may not have a point either. */
static inline numeral_run window_numerals(const window *w, uint64_t breaks, uint64_t values, uint64_t whole)
{
    const __m512i next = _mm512_set_epi64(
        0x403F3E3D3C3B3A39, 0x3837363534333231, 0x302F2E2D2C2B2A29, 0x2827262524232221,
        0x201F1E1D1C1B1A19, 0x1817161514131211, 0x100F0E0D0C0B0A09, 0x0807060504030201); /* byte i: i + 1 */
    const uint64_t sign = w->minus & values, other = ~(w->digit | w->point | sign | breaks);
    const uint64_t region = w->line & ((other & (0 - other)) - 1);
    uint64_t left = breaks & region, clashes = 0;
    __m128i size;
    numeral_run n;
    n.breaks = left;
    n.odd = (w->point | sign) & region;
    n.digits = n.fractions = w->digits;
    n.negative = 0;
    if (n.odd) {
        const uint64_t zero = w->zero & w->point >> 1 & (values | sign << 1), kept = ~(w->point | sign | zero);
        const uint64_t marks = (w->point | breaks) & region, points = _pext_u64(w->point, marks);
        clashes = points << 1 & _pext_u64(w->point | whole, marks);
        left = _pext_u64(left, kept);
        n.negative = _pext_u64(sign, values);
        n.digits = _mm512_maskz_compress_epi8(kept, w->digits);
        n.fractions = _mm512_movm_epi8(_pext_u64(w->point << 1, kept));
    }
    n.ends = _mm512_maskz_compress_epi8(left, next);
    size = _mm512_castsi512_si128(n.ends);
    size = _mm_sub_epi8(size, _mm_bslli_si128(size, 1));
    n.good = clashes ? 0 : _mm_cmple_epu8_mask(_mm_sub_epi8(size, _mm_set1_epi8(2)), _mm_set1_epi8(7));
    return n;
}

/* How many groups of `breaks` numerals are good, of `count`; *used: the place behind them if not all are. */
static inline unsigned good_numerals(const numeral_run *n, uint64_t good, unsigned breaks, unsigned count,
                                     unsigned *used)
{
    unsigned some = (unsigned)_tzcnt_u64(~good) / breaks;
    if (some >= count) return count;
    *used = some ? (unsigned)_tzcnt_u64(_pdep_u64((uint64_t)1 << (some * breaks - 1), n->breaks)) + 1 : 0;
    return some;
}

/* ---- Eight numbers: each numeral goes to the end of eight bytes of its own ---- */

typedef struct slots {
    __m512i from; /* where each byte comes from */
    __mmask64 in; /* other bytes are 0 */
} slots;

/* order: for each byte the number of the break that ends its numeral. */
static inline slots eight_slots(const numeral_run *n, __m512i order)
{
    const __m512i back = _mm512_set1_epi64(0x0203040506070809); /* from `ends` */
    const __m512i before = _mm512_sub_epi8(order, _mm512_set1_epi8(1)); /* -1 means byte 63, which is 0 */
    slots s;
    s.from = _mm512_sub_epi8(_mm512_permutexvar_epi8(order, n->ends), back);
    s.in = _mm512_cmpge_epi8_mask(s.from, _mm512_permutexvar_epi8(before, n->ends));
    return s;
}

/* Pairs of digits, fours and eights. */
static inline __m256i eight_numbers(const numeral_run *n, const slots *s)
{
    __m512i v = _mm512_maskz_permutexvar_epi8(s->in, s->from, n->digits);
    v = _mm512_maddubs_epi16(v, _mm512_set1_epi16(1 << 8 | 10));
    v = _mm512_madd_epi16(v, _mm512_set1_epi32(1 << 16 | 100));
    return _mm256_madd_epi16(_mm512_cvtepi32_epi16(v), _mm256_set1_epi32(1 << 16 | 10000));
}

/* The values, correctly rounded: see numeral_value. negative: bit i: the i-th. */
static inline __m256 eight_values(const numeral_run *n, const slots *s, uint64_t negative)
{
    const __m512d unit = _mm512_setr_pd(1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8), one = _mm512_set1_pd(1);
    const __m256i number = eight_numbers(n, s);
    __m256 value = _mm256_cvtepi32_ps(number);
    if (n->odd) {
        __m512i places = _mm512_maskz_permutexvar_epi8(s->in, s->from, n->fractions);
        places = _mm512_srli_epi64(_mm512_lzcnt_epi64(places), 3); /* less one; 8: there is no point */
        value = _mm512_cvtpd_ps(_mm512_mul_pd(_mm512_cvtepi32_pd(number), _mm512_permutex2var_pd(unit, places, one)));
        value = _mm256_mask_xor_ps(value, (__mmask8)negative, value, _mm256_set1_ps(-0.0f));
    }
    return value;
}

/* ---- Pairs and fields ---- */

/* How many of these there are, up to `most`; *used: the place behind them. */
static inline unsigned count_separators(uint64_t separators, unsigned most, unsigned *used)
{
    const uint64_t last = _pdep_u64((uint64_t)1 << (most - 1), separators);
    *used = last ? (unsigned)_tzcnt_u64(last) + 1 : 64 - (unsigned)_lzcnt_u64(separators);
    return last ? most : (unsigned)_mm_popcnt_u64(separators);
}

/* Up to eight pairs index:value at p, each with a blank or the end of the line behind it: their number. *used: the
 * characters of these. */
static inline unsigned window_pairs(const char *p, const char *last, __m256i *index, __m256 *value, unsigned *used)
{
    const __m512i even = _mm512_set_epi64(
        0x0E0E0E0E0E0E0E0E, 0x0C0C0C0C0C0C0C0C, 0x0A0A0A0A0A0A0A0A, 0x0808080808080808,
        0x0606060606060606, 0x0404040404040404, 0x0202020202020202, 0);
    const window w = window_at(p, last, ' ');
    const uint64_t separators = w.separator | w.end;
    const numeral_run n = window_numerals(&w, w.colon | separators, w.colon << 1, w.colon);
    const uint64_t alternate = ~(_pext_u64(w.colon, n.breaks) ^ 0x5555);
    const slots indices = eight_slots(&n, even), values = eight_slots(&n, _mm512_add_epi8(even, _mm512_set1_epi8(1)));
    const unsigned count = good_numerals(&n, n.good & alternate, 2, count_separators(separators, 8, used), used);
    *index = eight_numbers(&n, &indices);
    *value = eight_values(&n, &values, n.negative);
    return count;
}

/* Up to sixteen fields at p, but at most `most` > 0, each with a separator behind it: their number. */
static inline unsigned window_fields(const char *p, const char *last, char separator, size_t most, float value[16],
                                     unsigned *used)
{
    const __m512i first = _mm512_set_epi64(
        0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
        0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const window w = window_at(p, last, separator);
    const numeral_run n = window_numerals(&w, w.separator, w.separator << 1 | 1, 0);
    const slots s = eight_slots(&n, first);
    unsigned count = count_separators(w.separator, most < 16 ? (unsigned)most : 16, used);
    count = good_numerals(&n, n.good, 1, count, used);
    _mm256_storeu_ps(value, eight_values(&n, &s, n.negative));
    if (count > 8) {
        const slots t = eight_slots(&n, _mm512_add_epi8(first, _mm512_set1_epi8(8)));
        _mm256_storeu_ps(value + 8, eight_values(&n, &t, n.negative >> 8));
    }
    return count;
}

#endif
#endif
