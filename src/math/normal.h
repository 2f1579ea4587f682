/* SPDX-License-Identifier: Apache-2.0 */
/* normal.h - the covariance of a multivariate normal, factored.   MATH section 2
 *
 * With D = diag(sd), Sigma = D L L' D: the factor is that of the correlations, so that units do not matter. A column
 * may be left out: its inv_sd is 0, its row of L the identity's, and log_norm does not count it.
 */
#ifndef ILK_MATH_NORMAL_H
#define ILK_MATH_NORMAL_H

#include "core/rng.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ilk_normal {
    size_t d;
    double *log_norm; /* d/2 log(2 pi) + 1/2 log|Sigma|, over the columns kept */
    double *inv_sd;   /* d */
    double *L;        /* d × d, lower */
} ilk_normal;

/* The shrinkage that OAS chooses for the correlations of a scatter (lower triangle of S[d × d]) of n rows: between 0
 * and 1. */
double ilk_oas(const double *S, size_t d, double n);

typedef enum ilk_factor_result {
    ILK_FACTORED,
    ILK_FACTOR_ZERO,
    ILK_FACTOR_OVERFLOW,
    ILK_FACTOR_DEPENDENT
} ilk_factor_result;

/* A pivot is the share of a column's variance that the columns before it leave unexplained. None is left where it is no
 * more than this, which rounding may leave of d columns. */
double ilk_least_pivot(size_t d);

/* Factor the scatter in the lower triangle of N->L over its divisor, correlations shrunk by the factor 1 - shrink.
 * inv_sd comes in as 0 for a column to be left out, else positive. No more than `rank` columns can be independent, as
 * rows tell that are too few (INFINITY: nobody knows): a pivot after these is rounding, however large. On failure
 * *column is the one without variance, with too much, or that follows from those before it; in the last case row
 * *column of L then holds the coefficients with which it does (on the correlation scale). */
ilk_factor_result ilk_normal_factor(ilk_normal *N, double divisor, double shrink, double rank, size_t *column);

/* Are these (finite) numbers, from a file, a factor such as ilk_normal_factor makes? */
bool ilk_normal_valid(const ilk_normal *N);

/* Sigma_ij, 0 for a column left out. */
double ilk_normal_sigma(const ilk_normal *N, size_t i, size_t j);

/* Draw x of mean 0: D L z, z standard normal. 0 in a column left out. */
void ilk_normal_sample(double *x, const ilk_normal *N, ilk_rng *rng);

/* The normal of some columns of another: those where x is not NaN. Its m columns are stored densely. */
typedef struct ilk_marginal {
    size_t m;
    double log_norm;
    const double *L; /* m × m */
} ilk_marginal;

/* `L` has room for d × d. */
ilk_marginal ilk_normal_marginal(const ilk_normal *N, const double *x, double *L);

/* On the columns present: y = D^-1 (x - mu) and v = (L L')^-1 y, each m long. Returns (x - mu)' Sigma^-1 (x - mu) =
 * y'v, or infinity where a part of it overflows. */
double ilk_normal_quadratic(double *y, double *v, const ilk_normal *N, const ilk_marginal *g, const double *x,
                            const double *mu);

#endif
