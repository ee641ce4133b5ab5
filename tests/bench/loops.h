/* Loops of more than one measurement. */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint32_t word8 __attribute__((vector_size(32), aligned(4), may_alias));

/* Reads n floats with nothing but wide loads. */
static APART PCN_MAYBE_UNUSED float read_all(const float *x, size_t n)
{
    word8 a = {0}, b = a, c = a, d = a;
    uint32_t any = 0;
    for (; n >= 32; n -= 32, x += 32) {
        a |= *(const word8 *)x;
        b |= *(const word8 *)(x + 8);
        c |= *(const word8 *)(x + 16);
        d |= *(const word8 *)(x + 24);
    }
    for (; n != 0; n--) any |= (uint32_t)*x++;
    a |= b | c | d;
    return (float)(any | a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]);
}

#ifdef __AVX2__
static inline float sum8(__m256 a)
{
    __m128 q = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    q = _mm_add_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_add_ss(q, _mm_shuffle_ps(q, q, 1)));
}
#endif

/* Gathers n weights and sums them, times x unless that is NULL, in no particular order: what a sparse dot
 * product costs at least. */
static inline float scalar_sum(const float *w, const uint32_t *index, const float *x, size_t n)
{
    float a = 0, b = 0, c = 0, d = 0;
    size_t i;
    for (i = 0; i + 4 <= n; i += 4) {
        a += w[index[i]] * (x ? x[i] : 1);
        b += w[index[i + 1]] * (x ? x[i + 1] : 1);
        c += w[index[i + 2]] * (x ? x[i + 2] : 1);
        d += w[index[i + 3]] * (x ? x[i + 3] : 1);
    }
    for (; i < n; i++) a += w[index[i]] * (x ? x[i] : 1);
    return (a + b) + (c + d);
}

static APART PCN_MAYBE_UNUSED float scalar_gather(const float *w, const uint32_t *index, const float *x, size_t n)
{
    return x ? scalar_sum(w, index, x, n) : scalar_sum(w, index, NULL, n);
}

#ifdef __AVX2__
static inline __m256 gather8(const float *w, const uint32_t *index, const float *x)
{
    __m256 v = _mm256_i32gather_ps(w, _mm256_loadu_si256((const __m256i *)(const void *)index), 4);
    return x ? _mm256_mul_ps(v, _mm256_loadu_ps(x)) : v;
}

static inline float vector_sum(const float *w, const uint32_t *index, const float *x, size_t n)
{
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
    size_t i;
    for (i = 0; i + 32 <= n; i += 32) {
        a = _mm256_add_ps(a, gather8(w, index + i, x ? x + i : x));
        b = _mm256_add_ps(b, gather8(w, index + i + 8, x ? x + i + 8 : x));
        c = _mm256_add_ps(c, gather8(w, index + i + 16, x ? x + i + 16 : x));
        d = _mm256_add_ps(d, gather8(w, index + i + 24, x ? x + i + 24 : x));
    }
    for (; i + 8 <= n; i += 8) a = _mm256_add_ps(a, gather8(w, index + i, x ? x + i : x));
    a = _mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d));
    return sum8(a) + scalar_sum(w, index + i, x ? x + i : x, n - i);
}

static APART PCN_MAYBE_UNUSED float vector_gather(const float *w, const uint32_t *index, const float *x, size_t n)
{
    return x ? vector_sum(w, index, x, n) : vector_sum(w, index, NULL, n);
}
#endif

#endif
