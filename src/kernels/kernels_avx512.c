/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_avx512.c - the kernels by vectors of 8 doubles. */
#if defined(__x86_64__)
#include "kernels/kernels.h"

#include <immintrin.h>
#include <math.h>

#define VECTOR __attribute__((target("avx512f,avx512dq,avx512bw,avx2,fma,bmi,popcnt"))) ILK_UNSANITISED
#define INLINE static inline __attribute__((always_inline)) VECTOR
typedef __m512d V;
enum { LANES = 8, ROWS = 8, WIDTH = 2, DEEP = 4, HALVES = 1 };

INLINE V load(const double *p) {
    return _mm512_loadu_pd(p);
}
INLINE V load_first(const double *p, size_t n) {
    return _mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), p);
}
INLINE void store_first(double *p, V v, size_t n) {
    _mm512_mask_storeu_pd(p, (__mmask8)((1u << n) - 1), v);
}
INLINE void store(double *p, V v) {
    _mm512_storeu_pd(p, v);
}
INLINE V splat(double x) {
    return _mm512_set1_pd(x);
}
INLINE V zero(void) {
    return _mm512_setzero_pd();
}
INLINE V fma_(V a, V b, V c) {
    return _mm512_fmadd_pd(a, b, c);
}
INLINE V fma_half(V a, V b, V c) {
    return _mm512_castpd256_pd512(
        _mm256_fmadd_pd(_mm512_castpd512_pd256(a), _mm512_castpd512_pd256(b), _mm512_castpd512_pd256(c)));
}
INLINE V fnma_(V a, V b, V c) {
    return _mm512_fnmadd_pd(a, b, c);
}
INLINE V add(V a, V b) {
    return _mm512_add_pd(a, b);
}
INLINE V sub(V a, V b) {
    return _mm512_sub_pd(a, b);
}
INLINE V mul(V a, V b) {
    return _mm512_mul_pd(a, b);
}
INLINE V div_(V a, V b) {
    return _mm512_div_pd(a, b);
}
INLINE V size_of(V v) {
    return _mm512_abs_pd(v);
}
INLINE V larger(V a, V b) {
    return _mm512_max_pd(a, b); /* the second operand if either is NaN */
}
INLINE V swap_pairs(V v) {
    return _mm512_permute_pd(v, 0x55);
}
/* v 2^k for whole k from -1100 to 0. */
INLINE V times_2_to(V v, V k) {
    return _mm512_scalef_pd(v, k);
}
INLINE double sum_lanes(V v) {
    return _mm512_reduce_add_pd(v);
}
/* Pairs of rows, then halves of four, then halves of eight change places. */
INLINE void transpose(V v[LANES]) {
    V a[LANES], b[LANES];
    for (size_t i = 0; i < LANES; i += 2) {
        a[i] = _mm512_unpacklo_pd(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_pd(v[i], v[i + 1]);
    }
    for (size_t i = 0; i < LANES; i += 4) {
        for (size_t j = 0; j < 2; j++) {
            b[i + j] = _mm512_shuffle_f64x2(a[i + j], a[i + j + 2], 0x88);
            b[i + j + 2] = _mm512_shuffle_f64x2(a[i + j], a[i + j + 2], 0xdd);
        }
    }
    for (size_t j = 0; j < 4; j++) {
        v[j] = _mm512_shuffle_f64x2(b[j], b[j + 4], 0x88);
        v[j + 4] = _mm512_shuffle_f64x2(b[j], b[j + 4], 0xdd);
    }
}

INLINE uint64_t equal(const char *p, char c) {
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p), _mm512_set1_epi8(c));
}

INLINE uint32_t equal_groups(const uint32_t *p, uint32_t g) {
    __m512i all = _mm512_set1_epi32((int)g);
    uint32_t low = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(p), all);
    return low | (uint32_t)_mm512_cmpeq_epi32_mask(_mm512_loadu_si512(p + 16), all) << 16;
}

#include "kernels/bayes_loops.h"
#include "kernels/byte_loops.h"
#include "kernels/vector_loops.h"

const ilk_kernels ilk_kernels_avx512 = {.name = "avx512", .numbers = ilk_numbers_avx512, ILK_KERNEL_TABLE};
#endif
