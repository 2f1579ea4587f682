/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.h - the loops that take the time, in the best form for the processor at hand.
 *
 * kernels_ref.c is portable C and says what each loop computes; kernels_avx2.c and kernels_avx512.c put faster ones in
 * its place. One set serves a whole process: it is chosen at first use, and ILK_KERNELS=ref (avx2, avx512) in the
 * environment overrides the choice. Sets agree to rounding (tests/unit/test_kernels.c states how closely): sums are
 * taken in another order. Kernels cannot fail and do not allocate; what they are given has been checked.
 */
#ifndef ILK_KERNELS_KERNELS_H
#define ILK_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* gcc's address sanitizer moves local variables to where vectors cannot stand (detect_stack_use_after_return): what computes
 * with them is left out of it, and watched by valgrind. */
#if defined(__SANITIZE_ADDRESS__)
#define ILK_UNSANITISED __attribute__((no_sanitize_address))
#else
#define ILK_UNSANITISED
#endif

typedef struct ilk_kernels {
    const char *name;

    /* Lower triangle of S[d × d] += X' X for X[n × d]. */
    void (*syrk)(double *S, const double *X, size_t n, size_t d, double *scratch);
    /* Doubles of scratch that syrk wants for n rows. */
    size_t (*syrk_scratch)(size_t n, size_t d);

    /* Each of the n rows x of X[n × d] becomes L^-1 x, L lower triangular; inv_diagonal[j] = 1 / L_jj. */
    void (*whiten)(double *X, const double *L, const double *inv_diagonal, size_t n, size_t d, double *scratch);
    size_t (*whiten_scratch)(size_t d);

    /* sum[j] += x_j, for n rows of X[n × d]. */
    void (*add_rows)(double *sum, const double *X, size_t n, size_t d);
    /* x_j -= mean[j]; rest[j] += what is left. */
    void (*center_rows)(double *X, const double *mean, double *rest, size_t n, size_t d);
    /* most[j] = the larger of itself and |x_j|, NaN left out. */
    void (*largest)(double *most, const double *X, size_t n, size_t d);
    /* square[j] += x_j^2. */
    void (*square_rows)(double *square, const double *X, size_t n, size_t d);

    /* Sum over j of (x_j - mu_j)^2 inv_variance_j. */
    double (*scaled_distance2)(const double *x, const double *mu, const double *inv_variance, size_t d);
    double (*dot)(const double *a, const double *b, size_t d);
    double (*distance2)(const double *a, const double *b, size_t d);
} ilk_kernels;

/* The set in use. */
const ilk_kernels *ilk_kernels_use(void);

/* The i-th set that this processor can run, NULL beyond the last; the first is the portable one. */
const ilk_kernels *ilk_kernels_at(size_t i);

extern const ilk_kernels ilk_kernels_ref;
#if defined(__x86_64__)
extern const ilk_kernels ilk_kernels_avx2, ilk_kernels_avx512;
#endif

#endif
