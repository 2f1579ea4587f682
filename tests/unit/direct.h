/* SPDX-License-Identifier: Apache-2.0 */
/* direct.h - the formulas of the course for Gaussians, written out in long double: what models are compared with. */
#ifndef ILK_TESTS_DIRECT_H
#define ILK_TESTS_DIRECT_H

#include "fixtures.h"

enum { DIRECT_D = 8, DIRECT_K = 6 };

/* log N(x; mu, Sigma), Sigma[d × d], of the values that are not NaN: (x - mu)' Sigma^-1 (x - mu) by elimination. */
static inline double direct_log_normal(const long double *Sigma, const long double *mu, const double *x, size_t d) {
    long double A[DIRECT_D][DIRECT_D + 1], log_det = 0, q = 0;
    size_t at[DIRECT_D], m = 0;
    for (size_t j = 0; j < d; j++)
        if (!isnan(x[j]))
            at[m++] = j;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++)
            A[i][j] = Sigma[at[i] * d + at[j]];
        A[i][m] = x[at[i]] - mu[at[i]];
    }
    for (size_t i = 0; i < m; i++) {
        log_det += logl(A[i][i]);
        for (size_t h = i + 1; h < m; h++)
            for (size_t j = m + 1; j-- > i;)
                A[h][j] -= A[h][i] / A[i][i] * A[i][j];
        q += A[i][m] * A[i][m] / A[i][i];
    }
    return (double)(-0.5L * q - 0.5L * log_det - (long double)m / 2 * logl(2 * acosl(-1)));
}

typedef struct direct {
    size_t d, K;
    long double rows[DIRECT_K], n[DIRECT_K]; /* all rows of a class, and the complete ones */
    long double mu[DIRECT_K][DIRECT_D], Sigma[DIRECT_K][DIRECT_D * DIRECT_D];
} direct;

static inline double cell_number(const table *t, size_t i, size_t j) {
    const char *cell = t->cell[i * t->columns + j];
    return *cell ? strtod(cell, NULL) : NAN;
}

/* The first d cells of row i into x. Are they all there? */
static inline bool direct_row(double *x, const table *t, size_t i, size_t d) {
    bool complete = true;
    for (size_t j = 0; j < d; j++) {
        x[j] = cell_number(t, i, j);
        complete = complete && !isnan(x[j]);
    }
    return complete;
}

static inline uint32_t direct_class(const ilk_model *m, const table *t, size_t i) {
    return ilk_model_class(m, str(t->cell[i * t->columns + t->columns - 1]));
}

/* phi, mu and Sigma of the first d columns by class, the last column; `less` is what the divisor lacks of n: 0 for
 * maximum likelihood. Where Sigma is shared every class has the same. */
static inline direct direct_fit(const ilk_model *m, const table *t, size_t d, bool shared, double less) {
    direct f = {.d = d, .K = ilk_model_classes(m)};
    double x[DIRECT_D];
    long double n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < t->n; i++) {
            uint32_t k = direct_class(m, t, i), c = shared ? 0 : k;
            bool complete = direct_row(x, t, i, d);
            f.rows[k] += pass == 0;
            f.n[k] += pass == 0 && complete;
            for (size_t a = 0; complete && a < d; a++) {
                if (pass == 0)
                    f.mu[k][a] += x[a];
                for (size_t b = 0; pass == 1 && b < d; b++)
                    f.Sigma[c][a * d + b] += (x[a] - f.mu[k][a]) * (x[b] - f.mu[k][b]);
            }
        }
        for (size_t k = 0; pass == 0 && k < f.K; k++) {
            n += f.n[k];
            for (size_t a = 0; a < d; a++)
                f.mu[k][a] /= f.n[k];
        }
    }
    for (size_t k = f.K; k-- > 0;)
        for (size_t a = 0; a < d * d; a++)
            f.Sigma[k][a] = shared ? f.Sigma[0][a] / (k ? 1 : n - less) : f.Sigma[k][a] / (f.n[k] - less);
    for (size_t k = 1; shared && k < f.K; k++)
        memcpy(f.Sigma[k], f.Sigma[0], sizeof f.Sigma[0]);
    return f;
}

/* log p(x, y = k) with the empirical prior n_k / n. */
static inline double direct_log_joint(const direct *f, size_t k, const double *x) {
    long double n = 0;
    for (size_t c = 0; c < f->K; c++)
        n += f->rows[c];
    return (double)logl(f->rows[k] / n) + direct_log_normal(f->Sigma[k], f->mu[k], x, f->d);
}

/* Random rows: d correlated columns, a class that moves them, the last column the class. Cells are missing at a rate.
 * */
static inline table random_reals(rng *r, size_t n, size_t d, size_t K, double missing) {
    char *text = make(n * (d + 1) * 32, 1);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = i < 2 * K ? i % K : rng_below(r, K);
        double previous = 0;
        for (size_t j = 0; j < d; j++) {
            previous = 0.6 * previous + rng_normal(r) * (1 + 0.3 * (double)k) + (double)(k * (j + 1));
            if (rng_unit(r) >= missing)
                used += (size_t)sprintf(text + used, "%.17g", previous * (double)(j + 1) + 5);
            text[used++] = ',';
        }
        used += (size_t)sprintf(text + used, "k%zu\n", k);
    }
    table t = table_of(text);
    free(text);
    return t;
}

/* "x0:FAMILY … y" for d columns. */
static inline const char *real_columns(size_t d, const char *family) {
    static char out[512];
    size_t n = 0;
    for (size_t j = 0; j < d; j++)
        n += (size_t)snprintf(out + n, sizeof out - n, "x%zu:%s ", j, family);
    snprintf(out + n, sizeof out - n, "y");
    return out;
}

#endif
