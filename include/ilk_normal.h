/* SPDX-License-Identifier: Apache-2.0 */
/* ilk_normal.h - the multivariate normal N(mu, Sigma) as an object of its own: density, sample, marginal, conditional.
 *
 *     p(x) = exp(-1/2 (x - mu)' Sigma^-1 (x - mu)) / ((2 pi)^(d/2) |Sigma|^(1/2))
 *
 * It is what the Gaussian families of <ilk.h> put in every class. Sigma may be semidefinite: such a normal lives in a
 * plane, has no density, but can be drawn from and conditioned on. The conventions are those of <ilk.h>; an ilk_mvn is
 * immutable, so any number of threads may share one.
 */
#ifndef ILK_NORMAL_H
#define ILK_NORMAL_H

#include <ilk.h>

#ifdef __cplusplus
extern "C" {
#endif

/** N(mu, Sigma) over d columns. */
typedef struct ilk_mvn ilk_mvn;

/** The normal with mean mu[d] and covariance Sigma[d × d], both copied. Cost: O(d^3).
 *  Returns ILK_OK, ILK_ENOMEM, ILK_EARG (d is 0; a number is not finite; Sigma is not symmetric, or not positive
 *  semidefinite: no rows have such a covariance). */
ILK_API ilk_status ilk_mvn_new(ilk_mvn **out, const double *mu, const double *Sigma, size_t d, ilk_error *err);
ILK_API void ilk_mvn_free(ilk_mvn *N);

/** The number d of columns, the rank of Sigma (d unless it is singular), E[x] as d numbers and Cov(x) as d × d, which
 *  live as long as `N`. */
ILK_API size_t ilk_mvn_columns(const ilk_mvn *N);
ILK_API size_t ilk_mvn_rank(const ilk_mvn *N);
ILK_API const double *ilk_mvn_mean(const ilk_mvn *N);
ILK_API const double *ilk_mvn_covariance(const ilk_mvn *N);

/** log p(x) of n rows X[n × d] into out[n]. Cost: O(d^2) per row.
 *  Returns ILK_OK, ILK_ENOMEM, ILK_ESINGULAR (Sigma has no inverse; names the column), ILK_EDATA (a value is not
 *  finite; names row and column. For rows that lack a column, ask the marginal). */
ILK_API ilk_status ilk_mvn_log_density(double *out, const ilk_mvn *N, const double *X, size_t n, ilk_error *err);

/** The same without the logarithm: 0 where it underflows. */
ILK_API ilk_status ilk_mvn_density(double *out, const ilk_mvn *N, const double *X, size_t n, ilk_error *err);

/** Draw n rows into X[n × d]. The same seed gives the same rows, and fewer rows are the first of more. */
ILK_API void ilk_mvn_sample(double *X, const ilk_mvn *N, size_t n, uint64_t seed);

/** The normal of m of the columns, in the order listed. Returns ILK_ENOMEM, ILK_EARG (m is 0 or above d, a column is
 *  not there). */
ILK_API ilk_status ilk_mvn_marginal(ilk_mvn **out, const ilk_mvn *N, const size_t *columns, size_t m, ilk_error *err);

/** The normal of the columns that are NaN in x[d], in their order, given the values of the others:
 *      mean mu_u + Sigma_uk Sigma_kk^-1 (x_k - mu_k),   covariance Sigma_uu - Sigma_uk Sigma_kk^-1 Sigma_ku
 *  Where Sigma_kk is singular, any generalised inverse gives the same.
 *  Returns ILK_OK, ILK_ENOMEM, ILK_EARG (no column is NaN), ILK_EDATA (an infinity; known values that cannot occur
 *  together because one of their columns follows from the others). */
ILK_API ilk_status ilk_mvn_conditional(ilk_mvn **out, const ilk_mvn *N, const double *x, ilk_error *err);

/** The two forms of the covariance. Equal on paper; the second loses all digits where the mean is large against the
 *  spread. */
typedef enum ilk_covariance_form {
    ILK_COVARIANCE_CENTRED = 0, /**< E[(Z - E[Z])(Z - E[Z])'] */
    ILK_COVARIANCE_MOMENTS = 1  /**< E[ZZ'] - E[Z] E[Z]' */
} ilk_covariance_form;

/** Mean[d] and covariance Sigma[d × d] of n > 0 rows X[n × d], E being the mean over them (divisor n).
 *  Cost: O(n d^2). */
ILK_API void ilk_covariance(double *Sigma, double *mean, const double *X, size_t n, size_t d, ilk_covariance_form form);

#ifdef __cplusplus
}
#endif
#endif
