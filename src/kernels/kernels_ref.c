/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_ref.c - the kernels in portable C: the definition the others are tested against. */
#include "kernels/kernels.h"

/* Four rows at a time, so that S is read and written once for four products. */
static void syrk(double *S, const double *X, size_t n, size_t d, double *scratch) {
    size_t r = 0;
    (void)scratch;
    for (; r + 4 <= n; r += 4) {
        const double *a = X + r * d, *b = a + d, *c = b + d, *e = c + d;
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j <= i; j++)
                S[i * d + j] += (a[i] * a[j] + b[i] * b[j]) + (c[i] * c[j] + e[i] * e[j]);
    }
    for (; r < n; r++) {
        const double *x = X + r * d;
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j <= i; j++)
                S[i * d + j] += x[i] * x[j];
    }
}

static size_t no_scratch(size_t n, size_t d) {
    (void)n, (void)d;
    return 0;
}

static size_t no_whiten_scratch(size_t d) {
    (void)d;
    return 0;
}

/* Four partial sums: independent additions, in an order that is fixed. */
static double dot(const double *a, const double *b, size_t d) {
    double s[4] = {0};
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (size_t l = 0; l < 4; l++)
            s[l] += a[j + l] * b[j + l];
    for (; j < d; j++)
        s[0] += a[j] * b[j];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double distance2(const double *a, const double *b, size_t d) {
    double s[4] = {0};
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (size_t l = 0; l < 4; l++)
            s[l] += (a[j + l] - b[j + l]) * (a[j + l] - b[j + l]);
    for (; j < d; j++)
        s[0] += (a[j] - b[j]) * (a[j] - b[j]);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double scaled_distance2(const double *x, const double *mu, const double *inv_variance, size_t d) {
    double s[4] = {0};
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (size_t l = 0; l < 4; l++)
            s[l] += (x[j + l] - mu[j + l]) * (x[j + l] - mu[j + l]) * inv_variance[j + l];
    for (; j < d; j++)
        s[0] += (x[j] - mu[j]) * (x[j] - mu[j]) * inv_variance[j];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static void whiten(double *X, const double *L, const double *inv_diagonal, size_t n, size_t d, double *scratch) {
    (void)scratch;
    for (size_t r = 0; r < n; r++) {
        double *x = X + r * d;
        for (size_t i = 0; i < d; i++)
            x[i] = (x[i] - dot(L + i * d, x, i)) * inv_diagonal[i];
    }
}

static void add_rows(double *sum, const double *X, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            sum[j] += X[i * d + j];
}

static void center_rows(double *X, const double *mean, double *rest, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++) {
            X[i * d + j] -= mean[j];
            rest[j] += X[i * d + j];
        }
    }
}

static void largest(double *most, const double *X, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++) {
            double x = X[i * d + j], size = x < 0 ? -x : x;
            most[j] = size > most[j] ? size : most[j]; /* not so for NaN */
        }
    }
}

static void square_rows(double *square, const double *X, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            square[j] += X[i * d + j] * X[i * d + j];
}

const ilk_kernels ilk_kernels_ref = {
    .name = "ref",
    .syrk = syrk,
    .syrk_scratch = no_scratch,
    .whiten = whiten,
    .whiten_scratch = no_whiten_scratch,
    .add_rows = add_rows,
    .center_rows = center_rows,
    .largest = largest,
    .square_rows = square_rows,
    .scaled_distance2 = scaled_distance2,
    .dot = dot,
    .distance2 = distance2,
};
