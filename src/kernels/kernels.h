/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.h - the loops that take the time, in the best form for the processor at hand.
 *
 * kernels_ref.c is portable C and says what each loop computes; kernels_avx2.c and kernels_avx512.c put faster ones in
 * its place. One set serves a whole process: it is chosen at first use, and ILK_KERNELS=ref (avx2, avx512) in the
 * environment overrides the choice. Sets agree to rounding (tests/unit/test_kernels.c states how closely): sums are
 * taken in another order. Kernels cannot fail and do not allocate; what they are given has been checked.
 *
 * Matrices are row-major. What pack and turn write only their own set can read.
 */
#ifndef ILK_KERNELS_KERNELS_H
#define ILK_KERNELS_KERNELS_H

#include <ilk.h>

/* gcc's address sanitizer moves local variables to where vectors cannot stand (detect_stack_use_after_return): what
 * computes with them is left out of it, and watched by valgrind. */
#if defined(__SANITIZE_ADDRESS__)
#define ILK_UNSANITISED __attribute__((no_sanitize_address))
#else
#define ILK_UNSANITISED
#endif

/* A large local variable that hardened builds need not clear: what is read of it was written before. */
#if defined(__has_attribute) && __has_attribute(uninitialized)
#define ILK_UNCLEARED __attribute__((uninitialized))
#else
#define ILK_UNCLEARED
#endif

enum { ILK_STRIP = 128 }; /* rows that are multiplied at a time, at most */

/* Rows of one group, less its shift, until they are multiplied. */
typedef struct ilk_strip {
    double *packed;      /* room for `room` rows of packed_width(d) doubles */
    const double *shift; /* as sum: ilk_padded(d) doubles, 0 behind column d */
    double *sum;         /* of all rows that were packed, less the shift */
    size_t n, room;      /* rows that are in it; not above ILK_STRIP */
} ilk_strip;

/* Doubles that fill whole lines of the cache, for d. */
static inline size_t ilk_padded(size_t d) {
    return (d + 7) / 8 * 8;
}

/* A normal with its covariance factored: w(x) = L^-1 D^-1 (x - center), D^-1 = diag(inv_sd). A column whose inv_sd is 0
 * counts as if it stood on the center, however far it is. */
typedef struct ilk_whitening {
    size_t d;
    const double *center, *inv_sd, *L, *inv_diagonal; /* inv_diagonal[j] = 1 / L_jj */
} ilk_whitening;

/* What some bytes of text hold. */
typedef struct ilk_census {
    size_t newlines;
    uint64_t quotes, nuls; /* 0: none */
} ilk_census;

typedef struct ilk_kernels {
    const char *name;

    /* ---- learning */

    /* The n rows of X, each into the strip of its own group, until one is full. Returns how many were packed: the last
     * of them filled its strip, if any is full. */
    size_t (*pack)(ilk_strip *strip, const double *X, const uint32_t *group, size_t n, size_t d);
    /* The doubles that a packed row takes. */
    size_t (*packed_width)(size_t d);
    /* Lower triangle of S[d × d] += Y' Y for the rows Y of a full strip. The doubles next[0] … next[ahead - 1] are about
     * to be packed, and may be prefetched meanwhile. */
    void (*syrk)(double *S, const ilk_strip *full, size_t d, const double *next, size_t ahead);
    /* Sums g, of 3 ilk_padded(d) doubles, are those of group g: shift | square | sum, 0 behind column d. Of each of the
     * n rows x of X, with the g of its own: sum[j] += x_j - shift[j], and square[j] += the same squared. Fast where the
     * sums begin on a line of the cache. */
    void (*shifted)(double *sums, const double *X, const uint32_t *group, size_t n, size_t d);

    /* ---- scoring */

    /* The largest of n absolute values, NaN left out. */
    double (*largest)(const double *x, size_t n);
    /* n rows of X turned, for distances. */
    void (*turn)(double *turned, const double *X, size_t n, size_t d);
    /* The doubles that n turned rows and distances' own work take. */
    size_t (*turn_size)(size_t n, size_t d);
    /* out[i × stride + k] = |w(x_i) - z_k|^2 for n turned rows, k < K and z[K × d]. The n rows at `next` (NULL: none)
     * are about to be turned, and may be prefetched meanwhile. */
    void (*distances)(double *out, size_t stride, double *turned, size_t n, const ilk_whitening *w, const double *z,
                      size_t K, const double *next);
    /* out[i × K + k] = sum over j of ((x_ij - mu_kj) inv_sd_kj)^2, for mu and inv_sd [K × d]. */
    void (*scaled_distances)(double *out, const double *X, size_t n, size_t d, const double *mu, const double *inv_sd,
                             size_t K);
    /* With y = (x - mu) inv_sd, column by column: the sum of y^2 / (1 - c y^2), the product of 1 - c y^2, and the
     * largest c y^2, NaN left out; c is at least 0. */
    void (*removed)(double out[3], const double *x, const double *mu, const double *inv_sd, size_t d, double c);
    /* With y = (x_i - center) inv_sd, column by column: out[i × K + k] = y't_k, and norm2[i] = y'y. */
    void (*linear)(double *out, double *norm2, const double *X, size_t n, size_t d, const double *center,
                   const double *inv_sd, const double *t, size_t K);

    /* Bayes' rule: what ilk_bayes makes of each of n rows of K log-joints. They may be the same array. */
    void (*posterior)(double *out, const double *log_joint, size_t K, size_t n);
    /* x becomes exp(x), for n of them, none above 0 by more than rounding. */
    void (*exps)(double *x, size_t n);

    /* ---- reading */

    ilk_census (*census)(const char *p, size_t n);
    /* The places in p[n] of three bytes, in rising order, into `at`, which has room for n + 64. Returns how many. */
    size_t (*marks)(uint32_t *at, const char *p, size_t n, const char three[3]);
    /* What ilk_number_parse_row does, to the bit. */
    size_t (*numbers)(double *x, const ilk_str *field, const size_t *at, size_t n);
} ilk_kernels;

/* The set in use. */
const ilk_kernels *ilk_kernels_use(void);

/* The i-th set that this processor can run, NULL beyond the last; the first is the portable one. */
const ilk_kernels *ilk_kernels_at(size_t i);

extern const ilk_kernels ilk_kernels_ref;
#if defined(__x86_64__)
extern const ilk_kernels ilk_kernels_avx2, ilk_kernels_avx512;
size_t ilk_numbers_avx512(double *x, const ilk_str *field, const size_t *at, size_t n);
#endif

#endif
