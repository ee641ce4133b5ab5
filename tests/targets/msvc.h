/* Makes the header take another compiler for MSVC, in C and C++: put before a source by -include. What it defines is
 * what cl.exe defines for the same processor; of what cl.exe makes of it this says nothing. The system's headers come
 * first, because they need to know their compiler. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* MSVC's */
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wignored-pragmas" /* float_control where clang 14 has none */
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#define _M_X64 100
#undef __x86_64__
#elif defined(__i386__)
#include <immintrin.h>
#ifdef __SSE2_MATH__
#define _M_IX86_FP 2
#else
#define _M_IX86_FP 0
#endif
#undef __i386__
#elif defined(__aarch64__)
#include <arm_neon.h>
#define _M_ARM64 1
#undef __aarch64__
#endif
#undef __SSE2__
#undef __ARM_NEON
#undef __GNUC__
#undef __clang__
#undef _MSC_VER
#define _MSC_VER 1930
