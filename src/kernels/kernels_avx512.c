/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_avx512.c - the kernels by vectors of 8 doubles. */
#if defined(__x86_64__)
#include "kernels/kernels.h"

#include <immintrin.h>

#define VECTOR __attribute__((target("avx512f,avx512dq,avx2,fma"))) ILK_UNSANITISED
#define INLINE static inline __attribute__((always_inline)) VECTOR
typedef __m512d V;
enum { LANES = 8, ROWS = 8, WIDTH = 2 };

INLINE V load(const double *p) {
    return _mm512_loadu_pd(p);
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
INLINE V add(V a, V b) {
    return _mm512_add_pd(a, b);
}
INLINE V sub(V a, V b) {
    return _mm512_sub_pd(a, b);
}
INLINE V mul(V a, V b) {
    return _mm512_mul_pd(a, b);
}
INLINE V size_of(V v) {
    return _mm512_abs_pd(v);
}
INLINE V larger(V a, V b) {
    return _mm512_max_pd(a, b); /* the second operand if either is NaN */
}
INLINE double sum_lanes(V v) {
    return _mm512_reduce_add_pd(v);
}

#include "kernels/vector_loops.h"

const ilk_kernels ilk_kernels_avx512 = {.name = "avx512", ILK_KERNEL_TABLE};
#endif
