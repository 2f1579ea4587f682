/* SPDX-License-Identifier: Apache-2.0 */
/* mvn.c - the multivariate normal as an object.   MATH section 2
 *
 * Sigma = D L L' D, D = diag(sd), as in normal.h, but here Sigma may be singular: a column that does not vary has
 * inv_sd = 0, and one that follows from those before it has L_jj = 0 and nothing below. What is drawn, D L z, then
 * stays in the plane.
 */
#include "core/error.h"
#include "core/memory.h"
#include "math/linalg.h"
#include "math/normal.h"

#include <ilk_normal.h>

#include <float.h>
#include <math.h>
#include <string.h>

struct ilk_mvn {
    size_t rank;
    size_t dependent; /* the first column that adds nothing, where rank < d */
    double *mu, *Sigma;
    ilk_normal N;
    double log_norm; /* N.log_norm points here */
};

void ilk_mvn_free(ilk_mvn *N) {
    if (!N)
        return;
    ilk_free(N->mu);
    ilk_free(N->Sigma);
    ilk_free(N->N.inv_sd);
    ilk_free(N->N.L);
    ilk_free(N);
}

size_t ilk_mvn_columns(const ilk_mvn *N) {
    return N->N.d;
}

size_t ilk_mvn_rank(const ilk_mvn *N) {
    return N->rank;
}

const double *ilk_mvn_mean(const ilk_mvn *N) {
    return N->mu;
}

const double *ilk_mvn_covariance(const ilk_mvn *N) {
    return N->Sigma;
}

/* ---- making one */

static ilk_status check(const double *mu, const double *Sigma, size_t d, ilk_error *err) {
    if (d == 0)
        return ilk_fail(err, ILK_EARG, "a normal over no columns");
    for (size_t i = 0; i < d; i++) {
        if (!isfinite(mu[i]))
            return ilk_fail(err, ILK_EARG, "column %zu: a mean of %g", i, mu[i]);
        for (size_t j = 0; j <= i; j++) {
            double a = Sigma[i * d + j], b = Sigma[j * d + i];
            double rounding = 1e-12 * sqrt(fabs(Sigma[i * d + i])) * sqrt(fabs(Sigma[j * d + j]));
            if (!isfinite(a) || !isfinite(b))
                return ilk_fail(err, ILK_EARG, "columns %zu and %zu: a covariance of %g", i, j, isfinite(a) ? b : a);
            if (fabs(a - b) > rounding)
                return ilk_fail(err, ILK_EARG, "columns %zu and %zu: covariances of %.17g and %.17g, which differ", i,
                                j, a, b);
        }
    }
    return ILK_OK;
}

static ilk_status fail_indefinite(size_t j, ilk_error *err) {
    return ilk_fail(err, ILK_EARG, "the covariance is not positive semidefinite (seen at column %zu)", j);
}

/* Sigma's correlations into the lower triangle of L. */
static ilk_status correlate(ilk_mvn *N, ilk_error *err) {
    size_t d = N->N.d;
    for (size_t i = 0; i < d; i++) {
        double variance = N->Sigma[i * d + i];
        if (variance < 0)
            return fail_indefinite(i, err);
        N->N.inv_sd[i] = variance > 0 ? 1 / sqrt(variance) : 0;
        for (size_t j = 0; j < i; j++) {
            double covariance = N->Sigma[i * d + j];
            if (covariance != 0 && (N->N.inv_sd[i] == 0 || N->N.inv_sd[j] == 0))
                return fail_indefinite(i, err);
            N->N.L[i * d + j] = covariance * N->N.inv_sd[i] * N->N.inv_sd[j];
        }
        N->N.L[i * d + i] = variance > 0;
    }
    return ILK_OK;
}

/* Column j of the factor, from the pivot down. A pivot is the share of a column's variance that those before it leave
 * open; where rounding is all that is left of it, nothing may be left of its covariances either: their squares are at
 * most the product of two such shares. */
static ilk_status factor_column(ilk_mvn *N, size_t j, double least, ilk_error *err) {
    size_t d = N->N.d;
    double *L = N->N.L, pivot = L[j * d + j] - ilk_dot(L + j * d, L + j * d, j);
    bool zero = pivot <= least;
    if (pivot < -least)
        return fail_indefinite(j, err);
    L[j * d + j] = zero ? 0 : sqrt(pivot);
    for (size_t i = j + 1; i < d; i++) {
        double rest = L[i * d + j] - ilk_dot(L + i * d, L + j * d, j);
        if (zero && fabs(rest) > sqrt(least))
            return fail_indefinite(i, err);
        L[i * d + j] = zero ? 0 : rest / L[j * d + j];
    }
    if (zero && N->rank == j)
        N->dependent = j;
    N->rank += !zero;
    return ILK_OK;
}

static ilk_status factor(ilk_mvn *N, ilk_error *err) {
    size_t d = N->N.d;
    ILK_TRY(correlate(N, err));
    for (size_t j = 0; j < d; j++)
        ILK_TRY(factor_column(N, j, ilk_least_pivot(d), err));
    for (size_t j = 0; N->rank == d && j < d; j++)
        N->log_norm += 0.5 * log(2 * M_PI) + log(N->N.L[j * d + j]) - log(N->N.inv_sd[j]);
    return ILK_OK;
}

/* A normal without numbers. */
static ilk_mvn *blank(size_t d) {
    ilk_mvn *N = ilk_zalloc(1, sizeof *N);
    size_t squares = d <= SIZE_MAX / d ? d * d : SIZE_MAX;
    if (!N)
        return NULL;
    N->mu = ilk_alloc(d, sizeof *N->mu);
    N->Sigma = ilk_alloc(squares, sizeof *N->Sigma);
    N->N = (ilk_normal){d, &N->log_norm, ilk_alloc(d, sizeof *N->N.inv_sd), ilk_zalloc(squares, sizeof *N->N.L)};
    if (N->mu && N->Sigma && N->N.inv_sd && N->N.L)
        return N;
    ilk_mvn_free(N);
    return NULL;
}

ilk_status ilk_mvn_new(ilk_mvn **out, const double *mu, const double *Sigma, size_t d, ilk_error *err) {
    *out = NULL;
    ILK_TRY(check(mu, Sigma, d, err));
    ilk_mvn *N = blank(d);
    if (!N)
        return ilk_fail_memory(err);
    memcpy(N->mu, mu, d * sizeof *mu);
    memcpy(N->Sigma, Sigma, d * d * sizeof *Sigma);
    ilk_status status = factor(N, err);
    if (status == ILK_OK)
        *out = N;
    else
        ilk_mvn_free(N);
    return status;
}

/* ---- density and sample */

static double log_density(const ilk_mvn *N, const double *x, double *y) {
    size_t d = N->N.d;
    for (size_t j = 0; j < d; j++)
        y[j] = (x[j] - N->mu[j]) * N->N.inv_sd[j];
    ilk_whiten(y, N->N.L, 1, d);
    double distance2 = ilk_dot(y, y, d);
    return isnan(distance2) ? -INFINITY : -0.5 * distance2 - N->log_norm; /* infinity less infinity is far, too */
}

ilk_status ilk_mvn_log_density(double *out, const ilk_mvn *N, const double *X, size_t n, ilk_error *err) {
    size_t d = N->N.d;
    if (N->rank < d)
        return ilk_fail(err, ILK_ESINGULAR, "no density: column %zu %s", N->dependent,
                        N->N.inv_sd[N->dependent] > 0 ? "follows from those before it" : "does not vary");
    for (size_t i = 0; i < n * d; i++)
        if (!isfinite(X[i]))
            return ilk_fail(err, ILK_EDATA, "row %zu, column %zu: %g", i / d, i % d, X[i]);
    double *y = ilk_alloc(d, sizeof *y);
    if (!y)
        return ilk_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        out[i] = log_density(N, X + i * d, y);
    ilk_free(y);
    return ILK_OK;
}

ilk_status ilk_mvn_density(double *out, const ilk_mvn *N, const double *X, size_t n, ilk_error *err) {
    ILK_TRY(ilk_mvn_log_density(out, N, X, n, err));
    for (size_t i = 0; i < n; i++)
        out[i] = exp(out[i]);
    return ILK_OK;
}

void ilk_mvn_sample(double *X, const ilk_mvn *N, size_t n, uint64_t seed) {
    ilk_rng rng = ilk_rng_new(seed);
    for (size_t i = 0; i < n; i++) {
        double *x = X + i * N->N.d;
        ilk_normal_sample(x, &N->N, &rng);
        for (size_t j = 0; j < N->N.d; j++)
            x[j] += N->mu[j];
    }
}

/* ---- marginal and conditional */

ilk_status ilk_mvn_marginal(ilk_mvn **out, const ilk_mvn *N, const size_t *columns, size_t m, ilk_error *err) {
    size_t d = N->N.d;
    *out = NULL;
    if (m > d)
        return ilk_fail(err, ILK_EARG, "%zu columns of a normal that has %zu", m, d);
    for (size_t i = 0; i < m; i++)
        if (columns[i] >= d)
            return ilk_fail(err, ILK_EARG, "there is no column %zu, only %zu of them", columns[i], d);
    double *mu = ilk_alloc(m, sizeof *mu), *Sigma = ilk_alloc(m * m, sizeof *Sigma);
    ilk_status status = mu && Sigma ? ILK_OK : ilk_fail_memory(err);
    for (size_t i = 0; status == ILK_OK && i < m; i++) {
        mu[i] = N->mu[columns[i]];
        for (size_t j = 0; j < m; j++)
            Sigma[i * m + j] = N->Sigma[columns[i] * d + columns[j]];
    }
    status = status == ILK_OK ? ilk_mvn_new(out, mu, Sigma, m, err) : status;
    ilk_free(mu);
    ilk_free(Sigma);
    return status;
}

/* Where a pivot is zero the column follows from those before it, or is constant: does what is given agree? `off` is x -
 * mu, `rest` what those before it leave of that, in standard deviations. */
static bool agrees(const ilk_mvn *P, size_t i, double off, double rest) {
    double inv_sd = P->N.inv_sd[i];
    return inv_sd > 0 ? fabs(rest) <= 1e-6 * (1 + fabs(off) * inv_sd) : off == 0;
}

/* With the `known` columns first, L has the blocks kk, uk and uu. z solves L_kk z = D^-1 (x - mu); then the mean of the
 * others moves by D L_uk z, and their covariance is D L_uu L_uu' D. */
static ilk_status solve_known(double *z, const ilk_mvn *P, const double *x, const size_t *order, size_t known,
                              ilk_error *err) {
    size_t d = P->N.d;
    for (size_t i = 0; i < known; i++) {
        double off = x[order[i]] - P->mu[i], pivot = P->N.L[i * d + i];
        double rest = off * P->N.inv_sd[i] - ilk_dot(P->N.L + i * d, z, i);
        if (pivot == 0 && !agrees(P, i, off, rest))
            return ilk_fail(err, ILK_EDATA, "column %zu cannot be %g when those before it are as given", order[i],
                            x[order[i]]);
        z[i] = pivot > 0 ? rest / pivot : 0;
    }
    return ILK_OK;
}

static void condition(double *mu, double *Sigma, const ilk_mvn *P, const double *z, size_t known) {
    size_t d = P->N.d, m = d - known;
    for (size_t i = 0; i < m; i++) {
        const double *row = P->N.L + (known + i) * d;
        double inv_sd = P->N.inv_sd[known + i], sd = inv_sd > 0 ? 1 / inv_sd : 0;
        mu[i] = P->mu[known + i] + sd * ilk_dot(row, z, known);
        for (size_t j = 0; j <= i; j++) {
            double sd_j = P->N.inv_sd[known + j] > 0 ? 1 / P->N.inv_sd[known + j] : 0;
            Sigma[i * m + j] = sd * sd_j * ilk_dot(row + known, P->N.L + (known + j) * d + known, j + 1);
            Sigma[j * m + i] = Sigma[i * m + j];
        }
    }
}

static ilk_status conditional(ilk_mvn **out, const ilk_mvn *P, const double *x, const size_t *order, size_t known,
                              ilk_error *err) {
    size_t m = P->N.d - known;
    double *z = ilk_alloc(known, sizeof *z), *mu = ilk_alloc(m, sizeof *mu), *Sigma = ilk_alloc(m * m, sizeof *Sigma);
    ilk_status status = z && mu && Sigma ? solve_known(z, P, x, order, known, err) : ilk_fail_memory(err);
    if (status == ILK_OK) {
        condition(mu, Sigma, P, z, known);
        status = ilk_mvn_new(out, mu, Sigma, m, err);
    }
    ilk_free(z);
    ilk_free(mu);
    ilk_free(Sigma);
    return status;
}

/* The known columns, then the others. Returns how many are known. */
static size_t known_first(size_t *order, const double *x, size_t d) {
    size_t known = 0, at = 0;
    for (size_t j = 0; j < d; j++)
        if (!isnan(x[j]))
            order[known++] = j;
    at = known;
    for (size_t j = 0; j < d; j++)
        if (isnan(x[j]))
            order[at++] = j;
    return known;
}

ilk_status ilk_mvn_conditional(ilk_mvn **out, const ilk_mvn *N, const double *x, ilk_error *err) {
    size_t d = N->N.d;
    ilk_mvn *P = NULL;
    *out = NULL;
    for (size_t j = 0; j < d; j++)
        if (isinf(x[j]))
            return ilk_fail(err, ILK_EDATA, "column %zu: %g", j, x[j]);
    size_t *order = ilk_alloc(d, sizeof *order);
    if (!order)
        return ilk_fail_memory(err);
    size_t known = known_first(order, x, d);
    ilk_status status = known < d ? ilk_mvn_marginal(&P, N, order, d, err)
                                  : ilk_fail(err, ILK_EARG, "no column is NaN: nothing is left to be distributed");
    if (status == ILK_OK)
        status = conditional(out, P, x, order, known, err);
    ilk_mvn_free(P);
    ilk_free(order);
    return status;
}

/* ---- the two forms of the covariance.   MATH section 2 */

static void mean_of(double *mean, const double *X, size_t n, size_t d) {
    memset(mean, 0, d * sizeof *mean);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            mean[j] += X[i * d + j];
    for (size_t j = 0; j < d; j++)
        mean[j] /= (double)n;
}

/* E[(Z_i - c_i)(Z_j - c_j)] with c the mean, or zero. */
static double second_moment(const double *X, size_t n, size_t d, size_t i, size_t j, double c_i, double c_j) {
    double sum = 0;
    for (size_t r = 0; r < n; r++)
        sum += (X[r * d + i] - c_i) * (X[r * d + j] - c_j);
    return sum / (double)n;
}

void ilk_covariance(double *Sigma, double *mean, const double *X, size_t n, size_t d, ilk_covariance_form form) {
    bool centred = form == ILK_COVARIANCE_CENTRED;
    mean_of(mean, X, n, d);
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j <= i; j++) {
            double value = centred ? second_moment(X, n, d, i, j, mean[i], mean[j])
                                   : second_moment(X, n, d, i, j, 0, 0) - mean[i] * mean[j];
            Sigma[i * d + j] = Sigma[j * d + i] = value;
        }
    }
}
