/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_avx2.c - the kernels by vectors of 4 doubles. */
#if defined(__x86_64__)
#include "core/number.h"
#include "kernels/kernels.h"

#include <immintrin.h>
#include <math.h>

#define VECTOR __attribute__((target("avx2,fma,bmi,popcnt"))) ILK_UNSANITISED
#define INLINE static inline __attribute__((always_inline)) VECTOR
typedef __m256d V;
enum { LANES = 4, ROWS = 4, WIDTH = 3, DEEP = 2, HALVES = 0 };

INLINE V load(const double *p) {
    return _mm256_loadu_pd(p);
}
INLINE __m256i first(size_t n) {
    static const int64_t mask[] = {-1, -1, -1, -1, 0, 0, 0, 0};
    return _mm256_loadu_si256((const __m256i *)(const void *)(mask + LANES - n));
}
INLINE V load_first(const double *p, size_t n) {
    return _mm256_maskload_pd(p, first(n));
}
INLINE void store_first(double *p, V v, size_t n) {
    _mm256_maskstore_pd(p, first(n), v);
}
INLINE void store(double *p, V v) {
    _mm256_storeu_pd(p, v);
}
INLINE V splat(double x) {
    return _mm256_set1_pd(x);
}
INLINE V zero(void) {
    return _mm256_setzero_pd();
}
INLINE V fma_(V a, V b, V c) {
    return _mm256_fmadd_pd(a, b, c);
}
INLINE V fma_half(V a, V b, V c) {
    return fma_(a, b, c);
}
INLINE V fnma_(V a, V b, V c) {
    return _mm256_fnmadd_pd(a, b, c);
}
INLINE V add(V a, V b) {
    return _mm256_add_pd(a, b);
}
INLINE V sub(V a, V b) {
    return _mm256_sub_pd(a, b);
}
INLINE V mul(V a, V b) {
    return _mm256_mul_pd(a, b);
}
INLINE V div_(V a, V b) {
    return _mm256_div_pd(a, b);
}
INLINE V size_of(V v) {
    return _mm256_andnot_pd(splat(-0.0), v);
}
INLINE V larger(V a, V b) {
    return _mm256_max_pd(a, b); /* the second operand if either is NaN */
}
INLINE V swap_pairs(V v) {
    return _mm256_permute_pd(v, 0x5);
}
/* 2^k for whole k from -1022 to 0: the sum has k + 1023 in its last bits, which become the exponent. */
INLINE V power_of_2(V k) {
    V sum = add(k, splat(0x1.8p52 + 1023));
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(sum), 52));
}
/* v 2^k for whole k from -1100 to 0. What is not normal is rounded once, in the second product. */
INLINE V times_2_to(V v, V k) {
    V most = larger(k, splat(-1000));
    return mul(mul(v, power_of_2(most)), power_of_2(sub(k, most)));
}
INLINE double sum_lanes(V v) {
    double s[LANES];
    store(s, v);
    return (s[0] + s[1]) + (s[2] + s[3]);
}
INLINE void transpose(V v[LANES]) {
    V a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
    V c = _mm256_unpacklo_pd(v[2], v[3]), e = _mm256_unpackhi_pd(v[2], v[3]);
    v[0] = _mm256_permute2f128_pd(a, c, 0x20);
    v[1] = _mm256_permute2f128_pd(b, e, 0x20);
    v[2] = _mm256_permute2f128_pd(a, c, 0x31);
    v[3] = _mm256_permute2f128_pd(b, e, 0x31);
}

INLINE uint32_t equal_half(const char *p, char c) {
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_set1_epi8(c)));
}
INLINE uint64_t equal(const char *p, char c) {
    return equal_half(p, c) | (uint64_t)equal_half(p + 32, c) << 32;
}

INLINE uint32_t equal_groups(const uint32_t *p, uint32_t g) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        __m256 same = _mm256_castsi256_ps(_mm256_cmpeq_epi32(x, _mm256_set1_epi32((int)g)));
        result |= (uint32_t)_mm256_movemask_ps(same) << i;
    }
    return result;
}

#include "kernels/bayes_loops.h"
#include "kernels/byte_loops.h"
#include "kernels/vector_loops.h"

const ilk_kernels ilk_kernels_avx2 = {.name = "avx2", .numbers = ilk_number_parse_row, ILK_KERNEL_TABLE};
#endif
