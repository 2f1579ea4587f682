/* SPDX-License-Identifier: Apache-2.0 */
/* normal.c - see normal.h.   MATH section 2 */
#include "math/normal.h"
#include "math/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Standard deviations; false at the first column that has none or too much. */
static ilk_factor_result scale(ilk_normal *N, double divisor, size_t *column) {
    for (size_t j = 0; j < N->d; j++) {
        double variance = N->L[j * N->d + j] / divisor;
        *column = j;
        if (!isfinite(variance))
            return ILK_FACTOR_OVERFLOW;
        if (N->inv_sd[j] > 0 && !(variance > 0))
            return ILK_FACTOR_ZERO;
        if (N->inv_sd[j] > 0)
            N->inv_sd[j] = 1 / sqrt(variance);
    }
    return ILK_FACTORED;
}

double ilk_least_pivot(size_t d) {
    return 64 * DBL_EPSILON * (double)d;
}

static double log_norm(const ilk_normal *N) {
    double sum = 0;
    for (size_t j = 0; j < N->d; j++)
        if (N->inv_sd[j] > 0)
            sum += 0.5 * log(2 * M_PI) + log(N->L[j * N->d + j]) - log(N->inv_sd[j]);
    return sum;
}

/* Row j of the spoilt factor becomes the coefficients w with column j = sum of w_i column i. */
static void solve_dependence(ilk_normal *N, size_t j) {
    double *w = N->L + j * N->d;
    for (size_t i = j; i-- > 0;) {
        w[i] /= N->L[i * N->d + i];
        for (size_t h = 0; h < i; h++)
            w[h] -= N->L[i * N->d + h] * w[i];
    }
}

/* The first column after `rank` of them that are not left out, or d. */
static size_t column_beyond(const ilk_normal *N, double rank) {
    double kept = 0;
    for (size_t j = 0; j < N->d; j++) {
        kept += N->inv_sd[j] > 0;
        if (kept > rank)
            return j;
    }
    return N->d;
}

ilk_factor_result ilk_normal_factor(ilk_normal *N, double divisor, double shrink, double rank, size_t *column) {
    size_t d = N->d;
    ilk_factor_result result = scale(N, divisor, column);
    if (result != ILK_FACTORED)
        return result;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i;
             j++) /* one factor at a time: their product may overflow where the quotient does not */
            N->L[i * d + j] = (1 - shrink) * (N->L[i * d + j] / divisor * N->inv_sd[i] * N->inv_sd[j]);
        N->L[i * d + i] = 1;
        memset(N->L + i * d + i + 1, 0, (d - i - 1) * sizeof *N->L);
    }
    size_t bad = ilk_cholesky(N->L, d, ilk_least_pivot(d));
    size_t beyond = shrink > 0 ? d : column_beyond(N, rank);
    if (bad || beyond < d) {
        *column = bad ? bad - 1 : beyond;
        solve_dependence(N, *column);
        return ILK_FACTOR_DEPENDENT;
    }
    *N->log_norm = log_norm(N);
    return ILK_FACTORED;
}

/* With R the correlations, p columns and n rows: tr(R) = p, and the target is the identity. */
double ilk_oas(const double *S, size_t d, double n) {
    double p = 0, squares = 0;
    for (size_t i = 0; i < d; i++) {
        double vi = S[i * d + i];
        if (!(vi > 0))
            continue;
        p++;
        squares += 1;
        for (size_t j = 0; j < i; j++) {
            double vj = S[j * d + j], r = vj > 0 ? S[i * d + j] / sqrt(vi) / sqrt(vj) : 0;
            squares += 2 * r * r;
        }
    }
    double above = (1 - 2 / p) * squares + p * p, below = (n + 1 - 2 / p) * (squares - p);
    return below > above ? above / below : p > 1 ? 1 : 0;
}

/* Is row i of L free of correlations with columns left out? */
static bool left_alone(const ilk_normal *N, size_t i) {
    for (size_t j = 0; j < i; j++)
        if ((N->inv_sd[i] == 0 || N->inv_sd[j] == 0) && N->L[i * N->d + j] != 0)
            return false;
    return true;
}

/* Rows of L have length 1, because they give correlations; that bounds them, and what can be computed from them. */
bool ilk_normal_valid(const ilk_normal *N) {
    for (size_t i = 0; i < N->d; i++) {
        const double *row = N->L + i * N->d;
        if (!(row[i] > 0) || row[i] * row[i] < 0.5 * ilk_least_pivot(N->d) || N->inv_sd[i] < 0 ||
            !(fabs(ilk_dot(row, row, i + 1) - 1) < 1e-6) || !left_alone(N, i))
            return false;
    }
    return fabs(*N->log_norm - log_norm(N)) < 1e-6 * (double)N->d;
}

/* Correlation of columns i and j. */
static double correlation(const ilk_normal *N, size_t i, size_t j) {
    return ilk_dot(N->L + i * N->d, N->L + j * N->d, (i < j ? i : j) + 1);
}

double ilk_normal_sigma(const ilk_normal *N, size_t i, size_t j) {
    if (N->inv_sd[i] == 0 || N->inv_sd[j] == 0)
        return 0;
    return correlation(N, i, j) / N->inv_sd[i] / N->inv_sd[j];
}

/* In place, from the last column on, because x_i takes z_0 … z_i only. */
void ilk_normal_sample(double *x, const ilk_normal *N, ilk_rng *rng) {
    for (size_t j = 0; j < N->d; j++)
        x[j] = ilk_rng_normal(rng);
    for (size_t i = N->d; i-- > 0;)
        x[i] = N->inv_sd[i] > 0 ? ilk_dot(N->L + i * N->d, x, i + 1) / N->inv_sd[i] : 0;
}

ilk_marginal ilk_normal_marginal(const ilk_normal *N, const double *x, double *L) {
    ilk_marginal g = {.L = L};
    for (size_t i = 0; i < N->d; i++)
        g.m += isnan(x[i]) ? 0 : 1;
    double *row = L;
    for (size_t i = 0; i < N->d; i++) {
        if (isnan(x[i]))
            continue;
        for (size_t j = 0, at = 0; j <= i; j++)
            if (!isnan(x[j]))
                row[at++] = correlation(N, i, j);
        row += g.m;
        if (N->inv_sd[i] > 0)
            g.log_norm += 0.5 * log(2 * M_PI) - log(N->inv_sd[i]);
    }
    ilk_cholesky(L, g.m, 0); /* a part of a positive definite matrix is one */
    for (size_t i = 0; i < g.m; i++)
        g.log_norm += log(L[i * g.m + i]);
    return g;
}

double ilk_normal_quadratic(double *y, double *v, const ilk_normal *N, const ilk_marginal *g, const double *x,
                            const double *mu) {
    for (size_t j = 0, at = 0; j < N->d; j++)
        if (!isnan(x[j]))
            y[at++] = N->inv_sd[j] > 0 ? (x[j] - mu[j]) * N->inv_sd[j] : 0; /* not inf × 0 */
    memcpy(v, y, g->m * sizeof *v);
    ilk_whiten(v, g->L, 1, g->m);
    ilk_solve_transposed(v, g->L, g->m);
    double q = ilk_dot(y, v, g->m);
    return isnan(q) ? INFINITY : q;
}
