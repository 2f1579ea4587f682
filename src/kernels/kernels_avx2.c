/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_avx2.c - the kernels by vectors of 4 doubles. */
#if defined(__x86_64__)
#include "kernels/kernels.h"

#include <immintrin.h>

#define VECTOR __attribute__((target("avx2,fma"))) ILK_UNSANITISED
#define INLINE static inline __attribute__((always_inline)) VECTOR
typedef __m256d V;
enum { LANES = 4, ROWS = 4, WIDTH = 3 };

INLINE V load(const double *p) {
    return _mm256_loadu_pd(p);
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
INLINE V add(V a, V b) {
    return _mm256_add_pd(a, b);
}
INLINE V sub(V a, V b) {
    return _mm256_sub_pd(a, b);
}
INLINE V mul(V a, V b) {
    return _mm256_mul_pd(a, b);
}
INLINE V size_of(V v) {
    return _mm256_andnot_pd(splat(-0.0), v);
}
INLINE V larger(V a, V b) {
    return _mm256_max_pd(a, b); /* the second operand if either is NaN */
}
INLINE double sum_lanes(V v) {
    double s[LANES];
    store(s, v);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

#include "kernels/vector_loops.h"

const ilk_kernels ilk_kernels_avx2 = {.name = "avx2", ILK_KERNEL_TABLE};
#endif
