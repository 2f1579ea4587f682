/* SPDX-License-Identifier: Apache-2.0 */
/* gaussian_full.h - the parameters of Gaussian discriminant analysis, which its two files share.   MATH section 3
 *
 * gda shares one covariance among the classes, qda gives each its own. C is the number of covariances: 1 or K.
 * Parameters: n[K] | mu[K][d] | z[K][d] | then per covariance: divisor, shrink, log_norm, center[d], inv_sd[d],
 * L[d][d]; at last, gda only, t[K][d]
 *
 *     log p(x|k) = -1/2 |w(x) - z_k|^2 - log_norm,   w(x) = L^-1 D^-1 (x - center),   z_k = w(mu_k)
 *                = z_k'w(x) - 1/2 |z_k|^2 + what all classes share = t_k' D^-1 (x - center) - ...,   t_k = L^-T z_k
 * Sigma = ((1 - shrink) S + shrink diag S) / divisor, S the scatter. center is the mean of the means where Sigma is
 * shared, and mu_k itself (z_k = 0) where it is not.
 * Invariants: L_jj > 0; a column constant over all classes is left out (math/normal.h).
 */
#ifndef ILK_FAMILIES_GAUSSIAN_FULL_H
#define ILK_FAMILIES_GAUSSIAN_FULL_H

#include "families/family.h"
#include "math/normal.h"

/* One covariance: how it was made, around what it is taken, and its factor. */
typedef struct ilk_spread {
    double *divisor, *shrink, *center;
    ilk_normal N;
} ilk_spread;

static inline size_t ilk_spread_size(size_t d) {
    return 3 + 2 * d + d * d;
}

/* Where things stand in the parameters. */
static inline double *ilk_full_mu(const double *p, const ilk_shape *s, size_t k) {
    return ilk_writable(p) + s->K + k * s->d;
}

static inline double *ilk_full_z(const double *p, const ilk_shape *s, size_t k) {
    return ilk_full_mu(p, s, s->K + k);
}

static inline ilk_spread ilk_full_spread(const double *p, const ilk_shape *s, size_t c) {
    double *at = ilk_full_mu(p, s, 2 * s->K) + c * ilk_spread_size(s->d), *center = at + 3, *inv_sd = center + s->d;
    return (ilk_spread){at, at + 1, center, {s->d, at + 2, inv_sd, inv_sd + s->d}};
}

/* t_k, of gda. */
static inline double *ilk_full_t(const double *p, const ilk_shape *s, size_t k) {
    return ilk_full_mu(p, s, 2 * s->K + k) + ilk_spread_size(s->d);
}

/* D^-1 (x - center), 0 in a column left out, however far x is. */
static inline void ilk_full_standardise(double *out, const ilk_spread *c, const double *x) {
    for (size_t j = 0; j < c->N.d; j++)
        out[j] = c->N.inv_sd[j] > 0 ? (x[j] - c->center[j]) * c->N.inv_sd[j] : 0;
}

/* gaussian_full_score.c; C covariances. */
void ilk_full_sample(double *x, const double *p, const ilk_shape *s, uint32_t k, size_t C, ilk_rng *rng);
double ilk_full_distance2(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t k, size_t C,
                          size_t *columns);
void ilk_full_score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C);
/* With one covariance: up to a term common to all classes. */
void ilk_full_score_relative(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows);
void ilk_full_score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C);
ilk_status ilk_full_explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b, size_t C,
                            const ilk_parts *to);

#endif
