/* SPDX-License-Identifier: Apache-2.0 */
/* gaussian_full.c - Gaussian discriminant analysis: one multivariate normal per class.   MATH section 3
 *
 * gda shares one covariance among the classes, qda gives each its own. C is the number of covariances: 1 or K.
 * Parameters: mu[K][d] | z[K][d] | then per covariance: log_norm, center[d], inv_sd[d], L[d][d]
 *
 *     log p(x|k) = -1/2 |w(x) - z_k|^2 - log_norm,   w(x) = L^-1 D^-1 (x - center),   z_k = w(mu_k)
 * center is the mean of the means where Sigma is shared, and mu_k itself (z_k = 0) where it is not.
 * Invariants: L_jj > 0; a column constant over all classes is left out (math/normal.h). Values missing from a row are
 * integrated out: what is left is normal with a part of Sigma.
 */
#include "families/family.h"
#include "math/linalg.h"
#include "math/normal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t covariance_size(size_t d) {
    return 1 + 2 * d + d * d;
}

/* Where things stand in the parameters. They are const but while being estimated; C cannot say that in a type. */
static double *mu_of(const double *p, const ilk_shape *s, size_t k) {
    return (double *)(uintptr_t)p + k * s->d;
}

static double *z_of(const double *p, const ilk_shape *s, size_t k) {
    return mu_of(p, s, s->K + k);
}

static ilk_normal normal_of(const double *p, const ilk_shape *s, size_t c, double **center) {
    double *at = mu_of(p, s, 2 * s->K) + c * covariance_size(s->d);
    *center = at + 1;
    return (ilk_normal){s->d, at, at + 1 + s->d, at + 1 + 2 * s->d};
}

static size_t size_gda(const ilk_shape *s) {
    return 2 * s->K * s->d + covariance_size(s->d);
}

static size_t size_qda(const ilk_shape *s) {
    return 2 * s->K * s->d + s->K * covariance_size(s->d);
}

static void scratch(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    *per_row = s->d;
    *fixed = s->d * s->d + 4 * s->d;
}

/* ---- estimate */

static double record_n(const double *r) {
    return r[0];
}
static const double *record_mean(const double *r) {
    return r + 1;
}
static const double *record_scatter(const double *r, size_t d) {
    return r + 1 + 2 * d;
}

static bool varies(const ilk_moments_view *v, const ilk_shape *s, size_t j) {
    for (size_t k = 0; k < s->K; k++)
        if (record_scatter(v->record[k], s->d)[j * s->d + j] > 0 ||
            record_mean(v->record[k])[j] != record_mean(v->record[0])[j])
            return true;
    return false;
}

static ilk_status fail_singular(const ilk_normal *N, const ilk_shape *s, ilk_factor_result why, size_t j, ilk_str of,
                                ilk_error *err) {
    const char *intro = of.n ? " of class " : "";
    if (why == ILK_FACTOR_OVERFLOW)
        return ilk_fail(err, ILK_EDATA, "column %.*s: its variance is too large for a double", ILK_SHOW(s->column[j]));
    if (why == ILK_FACTOR_ZERO)
        return ilk_fail(err, ILK_ESINGULAR, "the covariance%s%.*s is singular: column %.*s does not vary within %s",
                        intro, ILK_SHOW(of), ILK_SHOW(s->column[j]), of.n ? "it" : "any class");
    char names[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < j && used + 100 < sizeof names; i++)
        if (fabs(N->L[j * s->d + i]) > 1e-6)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", used ? ", " : "",
                                     ILK_SHOW(s->column[i]));
    return ilk_fail(err, ILK_ESINGULAR, "the covariance%s%.*s is singular: column %.*s follows from %s", intro,
                    ILK_SHOW(of), ILK_SHOW(s->column[j]), names);
}

static ilk_status factor(ilk_normal *N, const ilk_shape *s, double divisor, ilk_str of, ilk_error *err) {
    if (!(divisor > 0))
        return ilk_fail(err, ILK_EDATA, "%s%.*s has too few rows for this divisor", of.n ? "class " : "the table",
                        ILK_SHOW(of));
    size_t column = 0;
    ilk_factor_result why = ilk_normal_factor(N, divisor, &column);
    return why == ILK_FACTORED ? ILK_OK : fail_singular(N, s, why, column, of, err);
}

static void standardise(double *out, const ilk_normal *N, const double *x, const double *center) {
    for (size_t j = 0; j < N->d; j++)
        out[j] = N->inv_sd[j] > 0 ? (x[j] - center[j]) * N->inv_sd[j] : 0; /* not inf × 0 */
}

static ilk_status estimate_shared(double *p, const ilk_shape *s, const ilk_moments_view *v, ilk_divisor divisor,
                                  ilk_error *err) {
    double n = 0, *center;
    ilk_normal N = normal_of(p, s, 0, &center);
    memset(N.L, 0, s->d * s->d * sizeof *N.L);
    memset(center, 0, s->d * sizeof *center);
    for (size_t k = 0; k < s->K; k++) {
        const double *scatter = record_scatter(v->record[k], s->d), *mean = record_mean(v->record[k]);
        n += record_n(v->record[k]);
        for (size_t i = 0; i < s->d * s->d; i++)
            N.L[i] += scatter[i];
        for (size_t j = 0; j < s->d; j++)
            center[j] += mean[j] / (double)s->K;
    }
    n -= divisor == ILK_DIVISOR_N ? 0 : divisor == ILK_DIVISOR_N_MINUS_1 ? 1 : (double)s->K;
    ILK_TRY(factor(&N, s, n, (ilk_str){"", 0}, err));
    for (size_t k = 0; k < s->K; k++) {
        standardise(z_of(p, s, k), &N, mu_of(p, s, k), center);
        ilk_whiten(z_of(p, s, k), N.L, 1, s->d);
    }
    return ILK_OK;
}

static ilk_status estimate_free(double *p, const ilk_shape *s, const ilk_moments_view *v, ilk_divisor divisor,
                                ilk_error *err) {
    for (size_t k = 0; k < s->K; k++) {
        double *center;
        ilk_normal N = normal_of(p, s, k, &center);
        memcpy(N.L, record_scatter(v->record[k], s->d), s->d * s->d * sizeof *N.L);
        memcpy(center, mu_of(p, s, k), s->d * sizeof *center);
        memset(z_of(p, s, k), 0, s->d * sizeof *center);
        ILK_TRY(factor(&N, s, record_n(v->record[k]) - (divisor != ILK_DIVISOR_N), s->name[k], err));
    }
    return ILK_OK;
}

/* What both share: the means, and which columns are worth keeping. */
static ilk_status estimate_means(double *p, const ilk_shape *s, const ilk_moments_view *v, size_t C, ilk_error *err) {
    for (size_t k = 0; k < s->K; k++) {
        if (!(record_n(v->record[k]) > 0))
            return ilk_fail(err, ILK_EDATA, "class %.*s has no row in which all %zu real columns are present",
                            ILK_SHOW(s->name[k]), s->d);
        memcpy(mu_of(p, s, k), record_mean(v->record[k]), s->d * sizeof *p);
    }
    for (size_t j = 0; j < s->d; j++) {
        double keep = varies(v, s, j), *center;
        for (size_t c = 0; c < C; c++)
            normal_of(p, s, c, &center).inv_sd[j] = keep;
    }
    return ILK_OK;
}

static ilk_status estimate_gda(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    ILK_TRY(estimate_means(p, s, &v->moments, 1, err));
    return estimate_shared(p, s, &v->moments, o->divisor, err);
}

static ilk_status estimate_qda(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    ILK_TRY(estimate_means(p, s, &v->moments, s->K, err));
    return estimate_free(p, s, &v->moments, o->divisor, err);
}

/* ---- score */

static bool complete(const double *x, size_t d) {
    for (size_t j = 0; j < d; j++)
        if (isnan(x[j]))
            return false;
    return true;
}

static void score_incomplete(double *log_joint, const double *p, const ilk_shape *s, const double *x, size_t C,
                             double *L) {
    double *y = L + s->d * s->d, *v = y + s->d, *center;
    ilk_marginal g = {0};
    for (size_t k = 0; k < s->K; k++) {
        ilk_normal N = normal_of(p, s, C == 1 ? 0 : k, &center);
        if (k == 0 || C > 1)
            g = ilk_normal_marginal(&N, x, L);
        log_joint[k] -= 0.5 * ilk_normal_quadratic(y, v, &N, &g, x, mu_of(p, s, k)) + g.log_norm;
    }
}

/* The complete rows of a chunk under covariance c, for the classes first … last - 1 that use it. */
static void score_complete(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t c,
                           size_t first, size_t last) {
    double *w = rows->scratch, *center;
    ilk_normal N = normal_of(p, s, c, &center);
    for (size_t i = 0; i < rows->n; i++)
        standardise(w + i * s->d, &N, rows->x + i * s->d, center);
    ilk_whiten(w, N.L, rows->n, s->d);
    for (size_t i = 0; i < rows->n; i++) {
        if (!complete(rows->x + i * s->d, s->d))
            continue;
        for (size_t k = first; k < last; k++) {
            double q = ilk_distance2(w + i * s->d, z_of(p, s, k), s->d);
            log_joint[i * s->K + k] -= 0.5 * (isnan(q) ? INFINITY : q) + *N.log_norm; /* NaN: inf - inf, too far away */
        }
    }
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C) {
    for (size_t c = 0; c < C; c++)
        score_complete(log_joint, p, s, rows, c, C == 1 ? 0 : c, C == 1 ? s->K : c + 1);
    for (size_t i = 0; i < rows->n; i++)
        if (!complete(rows->x + i * s->d, s->d))
            score_incomplete(log_joint + i * s->K, p, s, rows->x + i * s->d, C, rows->scratch + rows->n * s->d);
}

static void score_gda(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    score(log_joint, p, s, rows, 1);
}

static void score_qda(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    score(log_joint, p, s, rows, s->K);
}

/* ---- explain: ilk_model_explain says how a quadratic form is split among the columns */

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b, size_t C,
                          const ilk_parts *to) {
    const double *x = row->x;
    double *L = row->scratch, *ya = L + s->d * s->d, *va = ya + s->d, *yb = va + s->d, *vb = yb + s->d, *center;
    ilk_normal Na = normal_of(p, s, C == 1 ? 0 : a, &center), Nb = normal_of(p, s, C == 1 ? 0 : b, &center);
    ilk_marginal ga = ilk_normal_marginal(&Na, x, L);
    ilk_normal_quadratic(ya, va, &Na, &ga, x, mu_of(p, s, a));
    ilk_marginal gb = C == 1 ? ga : ilk_normal_marginal(&Nb, x, L);
    ilk_normal_quadratic(yb, vb, &Nb, &gb, x, mu_of(p, s, b));
    for (size_t j = 0, i = 0; j < s->d; j++) {
        if (isnan(x[j]))
            continue;
        double part = C == 1 ? (va[i] - vb[i]) * (ya[i] + yb[i]) : ya[i] * va[i] - yb[i] * vb[i];
        ILK_TRY(to->fn(to->ctx, &(ilk_part){.column = s->column[j], .x = x[j], .contribution = -0.5 * part}));
        i++;
    }
    if (C == 1)
        return ILK_OK;
    return to->fn(to->ctx, &(ilk_part){.value = {"log-determinant", 15}, .x = NAN,
                                       .contribution = gb.log_norm - ga.log_norm});
}

static ilk_status explain_gda(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                              const ilk_parts *to) {
    return explain(p, s, row, a, b, 1, to);
}

static ilk_status explain_qda(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                              const ilk_parts *to) {
    return explain(p, s, row, a, b, s->K, to);
}

/* ---- describe */

static ilk_status tell(const ilk_facts *to, const char *quantity, const char *family, ilk_str column, ilk_str key,
                       size_t k, double value) {
    return to->fn(to->ctx, &(ilk_fact){quantity, family, column, key, (uint32_t)k, value, NAN, NAN});
}

static ilk_status describe_mu(const double *p, const ilk_shape *s, const char *family, const ilk_facts *to) {
    for (size_t k = 0; k < s->K; k++)
        for (size_t j = 0; j < s->d; j++)
            ILK_TRY(tell(to, "mu", family, s->column[j], (ilk_str){"", 0}, k, mu_of(p, s, k)[j]));
    return ILK_OK;
}

static ilk_status describe_sigma(const ilk_normal *N, const ilk_shape *s, const char *family, size_t k,
                                 const ilk_facts *to) {
    for (size_t i = 0; i < s->d; i++)
        for (size_t j = 0; j < s->d; j++)
            ILK_TRY(tell(to, "Sigma", family, s->column[i], s->column[j], k, ilk_normal_sigma(N, i, j)));
    return ILK_OK;
}

/* theta of class k against class 0: log p(k|x) / p(0|x) = theta_1 + theta'x, theta = D^-1 L^-T (z_k - z_0). */
static ilk_status describe_theta(const double *p, const ilk_shape *s, size_t k, const ilk_facts *to) {
    double *center, *theta = to->scratch;
    ilk_normal N = normal_of(p, s, 0, &center);
    const double *z = z_of(p, s, k), *z0 = z_of(p, s, 0);
    double intercept = to->log_prior[k] - to->log_prior[0] - 0.5 * (ilk_dot(z, z, s->d) - ilk_dot(z0, z0, s->d));
    for (size_t j = 0; j < s->d; j++)
        theta[j] = z[j] - z0[j];
    ilk_solve_transposed(theta, N.L, s->d);
    for (size_t j = 0; j < s->d; j++) {
        theta[j] *= N.inv_sd[j];
        intercept -= theta[j] * center[j];
    }
    ILK_TRY(tell(to, "theta", "gda", (ilk_str){"1", 1}, (ilk_str){"", 0}, k, intercept));
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(tell(to, "theta", "gda", s->column[j], (ilk_str){"", 0}, k, theta[j]));
    return ILK_OK;
}

static double triangle(const ilk_shape *s) {
    return (double)s->d * ((double)s->d + 1) / 2;
}

static ilk_status describe_gda(const double *p, const ilk_shape *s, const ilk_facts *to) {
    double d = (double)s->d, K = (double)s->K, *center;
    ilk_normal N = normal_of(p, s, 0, &center);
    ILK_TRY(describe_mu(p, s, "gda", to));
    ILK_TRY(describe_sigma(&N, s, "gda", ILK_NONE, to));
    for (size_t k = 1; k < s->K; k++)
        ILK_TRY(describe_theta(p, s, k, to));
    return ilk_describe_size(to, "gda", d, K * d + triangle(s));
}

static ilk_status describe_qda(const double *p, const ilk_shape *s, const ilk_facts *to) {
    double each = (double)s->d + triangle(s), *center;
    ILK_TRY(describe_mu(p, s, "qda", to));
    for (size_t k = 0; k < s->K; k++) {
        ilk_normal N = normal_of(p, s, k, &center);
        ILK_TRY(describe_sigma(&N, s, "qda", k, to));
    }
    return ilk_describe_size(to, "qda", each, (double)s->K * each);
}

/* ---- validate */

static bool validate(const double *p, const ilk_shape *s, size_t C, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!isfinite(p[i]))
            return false;
    for (size_t c = 0; c < C; c++) {
        double *center;
        ilk_normal N = normal_of(p, s, c, &center);
        if (!ilk_normal_valid(&N))
            return false;
    }
    return true;
}

static bool validate_gda(const double *p, const ilk_shape *s) {
    return validate(p, s, 1, size_gda(s));
}

static bool validate_qda(const double *p, const ilk_shape *s) {
    return validate(p, s, s->K, size_qda(s));
}

const ilk_family ilk_gda = {
    .name = "gda", .summary = "multivariate normal, one covariance for all classes", .kind = ILK_REAL,
    .layout = ILK_LAYOUT_FULL, .size = size_gda, .scratch = scratch, .estimate = estimate_gda, .score = score_gda,
    .explain = explain_gda, .describe = describe_gda, .validate = validate_gda,
};

const ilk_family ilk_qda = {
    .name = "qda", .summary = "multivariate normal, a covariance per class", .kind = ILK_REAL,
    .layout = ILK_LAYOUT_FULL, .size = size_qda, .scratch = scratch, .estimate = estimate_qda, .score = score_qda,
    .explain = explain_qda, .describe = describe_qda, .validate = validate_qda,
};
