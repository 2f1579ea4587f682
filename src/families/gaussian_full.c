/* SPDX-License-Identifier: Apache-2.0 */
/* gaussian_full.c - Gaussian discriminant analysis, gda and qda: estimate and describe.   MATH section 3
 *
 * gaussian_full.h says what the parameters are; scoring is in gaussian_full_score.c. */
#include "families/gaussian_full.h"
#include "kernels/kernels.h"
#include "math/linalg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t size_gda(const ilk_shape *s) {
    return s->K + 3 * s->K * s->d + ilk_spread_size(s->d);
}

static size_t size_qda(const ilk_shape *s) {
    return s->K + 2 * s->K * s->d + s->K * ilk_spread_size(s->d);
}

/* Squared distances from K means, a norm and a turned row; then room for one row on its own, and the inverse diagonal
 * of L. */
static void scratch(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    *per_row = s->K + 1 + s->d;
    *fixed = ilk_kernels_use()->turn_size(1, s->d) + s->d * s->d + 5 * s->d;
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

/* Within class k, as far as is known. */
static const double *scatter_of(const ilk_moments_view *v, const ilk_shape *s, size_t k) {
    return v->pooled ? v->pooled : record_scatter(v->record[k], s->d);
}

static bool varies(const ilk_moments_view *v, const ilk_shape *s, size_t j) {
    for (size_t k = 0; k < s->K; k++)
        if (scatter_of(v, s, k)[j * s->d + j] > 0 || record_mean(v->record[k])[j] != record_mean(v->record[0])[j])
            return true;
    return false;
}

/* So many columns at most do not follow from others, of n rows about their mean, or about the classes' means. */
static double rank_of(double n, const ilk_shape *s, bool of_class) {
    return n - (of_class ? 1 : (double)s->K);
}

static void add_scarcity(char *to, size_t size, double n, const ilk_shape *s, bool of_class) {
    if (rank_of(n, s, of_class) < (double)s->d)
        snprintf(to, size, "; %.15g complete row%s cannot tell %zu columns apart without shrinkage", n,
                 n == 1 ? "" : "s", s->d);
}

static ilk_status fail_singular(const ilk_normal *N, const ilk_shape *s, ilk_factor_result why, size_t j, double n,
                                ilk_str of, ilk_error *err) {
    const char *intro = of.n ? " of class " : "";
    if (why == ILK_FACTOR_OVERFLOW)
        return ilk_fail(err, ILK_EDATA, "column %.*s: its variance is too large for a double", ILK_SHOW(s->column[j]));
    if (why == ILK_FACTOR_ZERO)
        return ilk_fail(err, ILK_ESINGULAR, "the covariance%s%.*s is singular: column %.*s does not vary within %s",
                        intro, ILK_SHOW(of), ILK_SHOW(s->column[j]), of.n ? "it" : "any class");
    char names[256] = "", scarcity[128] = "";
    size_t used = 0;
    add_scarcity(scarcity, sizeof scarcity, n, s, of.n > 0);
    for (size_t i = 0; i < j && used + 100 < sizeof names; i++)
        if (fabs(N->L[j * s->d + i]) > 1e-6)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", used ? ", " : "", ILK_SHOW(s->column[i]));
    return ilk_fail(err, ILK_ESINGULAR, "the covariance%s%.*s is singular: column %.*s follows from %s%s", intro,
                    ILK_SHOW(of), ILK_SHOW(s->column[j]), names, scarcity);
}

/* Factor the scatter that stands in the place of L, in units of 2^exponent. */
static ilk_status factor(ilk_spread *c, const ilk_shape *s, const ilk_moments_view *v, double n, double divisor,
                         double shrink, ilk_str of, ilk_error *err) {
    if (!(divisor > 0))
        return ilk_fail(err, ILK_EDATA, "%s%.*s has too few rows for this divisor", of.n ? "class " : "the table",
                        ILK_SHOW(of));
    size_t column = 0;
    for (size_t j = 0; j < s->d;
         j++) /* so little beside the column's largest value that squares have lost their digits */
        if (c->N.inv_sd[j] > 0 && c->N.L[j * s->d + j] / divisor < 1e-290)
            return fail_singular(&c->N, s, ILK_FACTOR_ZERO, j, n, of, err);
    *c->divisor = divisor;
    *c->shrink = shrink == ILK_SHRINK_OAS ? ilk_oas(c->N.L, s->d, n) : shrink;
    double rank = v->rows ? rank_of(n, s, of.n > 0) : INFINITY;
    ilk_factor_result why = ilk_normal_factor(&c->N, divisor, *c->shrink, rank, &column);
    if (why != ILK_FACTORED)
        return fail_singular(&c->N, s, why, column, n, of, err);
    for (size_t j = 0; j < s->d; j++) {
        *c->N.log_norm += c->N.inv_sd[j] > 0 ? v->exponent[j] * M_LN2 : 0;
        c->N.inv_sd[j] = ldexp(c->N.inv_sd[j], -v->exponent[j]);
        if (!isfinite(c->N.inv_sd[j]))
            return ilk_fail(err, ILK_EDATA, "column %.*s: its variance is too small for a double",
                            ILK_SHOW(s->column[j]));
    }
    return ILK_OK;
}

static ilk_status estimate_shared(double *p, const ilk_shape *s, const ilk_moments_view *v, const ilk_options *o,
                                  ilk_error *err) {
    ilk_spread c = ilk_full_spread(p, s, 0);
    double n = 0;
    memset(c.N.L, 0, s->d * s->d * sizeof *c.N.L);
    memset(c.center, 0, s->d * sizeof *c.center);
    for (size_t k = 0; k < s->K; k++) {
        const double *scatter = scatter_of(v, s, k), *mu = ilk_full_mu(p, s, k);
        n += record_n(v->record[k]);
        for (size_t i = 0; (!v->pooled || k == 0) && i < s->d * s->d; i++)
            c.N.L[i] += scatter[i];
        for (size_t j = 0; j < s->d; j++)
            c.center[j] += mu[j] / (double)s->K;
    }
    double less = o->divisor == ILK_DIVISOR_N ? 0 : o->divisor == ILK_DIVISOR_N_MINUS_1 ? 1 : (double)s->K;
    ILK_TRY(factor(&c, s, v, n, n - less, o->shrink, (ilk_str){"", 0}, err));
    for (size_t k = 0; k < s->K; k++) {
        ilk_full_standardise(ilk_full_z(p, s, k), &c, ilk_full_mu(p, s, k));
        ilk_whiten(ilk_full_z(p, s, k), c.N.L, 1, s->d);
        memcpy(ilk_full_t(p, s, k), ilk_full_z(p, s, k), s->d * sizeof *p);
        ilk_solve_transposed(ilk_full_t(p, s, k), c.N.L, s->d);
    }
    return ILK_OK;
}

static ilk_status estimate_free(double *p, const ilk_shape *s, const ilk_moments_view *v, const ilk_options *o,
                                ilk_error *err) {
    for (size_t k = 0; k < s->K; k++) {
        ilk_spread c = ilk_full_spread(p, s, k);
        double n = record_n(v->record[k]);
        memcpy(c.N.L, record_scatter(v->record[k], s->d), s->d * s->d * sizeof *c.N.L);
        memcpy(c.center, ilk_full_mu(p, s, k), s->d * sizeof *c.center);
        memset(ilk_full_z(p, s, k), 0, s->d * sizeof *c.center);
        ILK_TRY(factor(&c, s, v, n, n - (o->divisor != ILK_DIVISOR_N), o->shrink, s->name[k], err));
    }
    return ILK_OK;
}

/* What both share: the means, and which columns are worth keeping. */
static ilk_status estimate_means(double *p, const ilk_shape *s, const ilk_moments_view *v, size_t C, ilk_error *err) {
    for (size_t k = 0; k < s->K; k++) {
        p[k] = record_n(v->record[k]);
        if (!(p[k] > 0))
            return ilk_fail(err, ILK_EDATA,
                            "class %.*s has no row in which all %zu columns of one Gaussian are present: leave out "
                            "those that lack values there, or model each by itself",
                            ILK_SHOW(s->name[k]), s->d);
        for (size_t j = 0; j < s->d; j++)
            ilk_full_mu(p, s, k)[j] = ldexp(record_mean(v->record[k])[j], v->exponent[j]);
    }
    for (size_t j = 0; j < s->d; j++) {
        double keep = varies(v, s, j);
        for (size_t c = 0; c < C; c++)
            ilk_full_spread(p, s, c).N.inv_sd[j] = keep;
    }
    return ILK_OK;
}

static ilk_status estimate_gda(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    ILK_TRY(estimate_means(p, s, &v->moments, 1, err));
    return estimate_shared(p, s, &v->moments, o, err);
}

static ilk_status estimate_qda(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    ILK_TRY(estimate_means(p, s, &v->moments, s->K, err));
    return estimate_free(p, s, &v->moments, o, err);
}

/* ---- describe */

static ilk_status tell(const ilk_facts *to, const char *quantity, const char *family, ilk_str column, ilk_str key,
                       size_t k, double value) {
    return to->fn(to->ctx, &(ilk_fact){quantity, family, column, key, (uint32_t)k, value, NAN, NAN});
}

static ilk_status describe_mu(const double *p, const ilk_shape *s, const char *family, const ilk_facts *to) {
    for (size_t k = 0; k < s->K; k++)
        for (size_t j = 0; j < s->d; j++)
            ILK_TRY(tell(to, "mu", family, s->column[j], (ilk_str){"", 0}, k, ilk_full_mu(p, s, k)[j]));
    return ILK_OK;
}

static ilk_status describe_sigma(const ilk_normal *N, const ilk_shape *s, const char *family, size_t k,
                                 const ilk_facts *to) {
    for (size_t i = 0; i < s->d; i++)
        for (size_t j = 0; j < s->d; j++)
            ILK_TRY(tell(to, "Sigma", family, s->column[i], s->column[j], k, ilk_normal_sigma(N, i, j)));
    return ILK_OK;
}

/* theta of class k against class 0: log p(k|x) / p(0|x) = theta_1 + theta'x, theta = D^-1 (t_k - t_0). */
static ilk_status describe_theta(const double *p, const ilk_shape *s, size_t k, const ilk_facts *to) {
    ilk_spread c = ilk_full_spread(p, s, 0);
    double *theta = to->scratch;
    const double *t = ilk_full_t(p, s, k), *t0 = ilk_full_t(p, s, 0);
    const double *z = ilk_full_z(p, s, k), *z0 = ilk_full_z(p, s, 0);
    double intercept = ilk_facts_prior(to, k) - 0.5 * (ilk_dot(z, z, s->d) - ilk_dot(z0, z0, s->d));
    for (size_t j = 0; j < s->d; j++) {
        theta[j] = (t[j] - t0[j]) * c.N.inv_sd[j];
        intercept -= theta[j] * c.center[j];
    }
    ILK_TRY(ilk_describe_intercept(to, "gda", k, intercept));
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(ilk_describe_theta(to, "gda", s->column[j], (ilk_str){"", 0}, k, theta[j]));
    return ILK_OK;
}

static double triangle(const ilk_shape *s) {
    return (double)s->d * ((double)s->d + 1) / 2;
}

static ilk_status describe_gda(const double *p, const ilk_shape *s, const ilk_facts *to) {
    double d = (double)s->d, K = (double)s->K;
    ilk_spread c = ilk_full_spread(p, s, 0);
    ILK_TRY(describe_mu(p, s, "gda", to));
    ILK_TRY(describe_sigma(&c.N, s, "gda", ILK_NONE, to));
    for (size_t k = 1; k < s->K; k++)
        ILK_TRY(describe_theta(p, s, k, to));
    return ilk_describe_size(to, "gda", d, K * d + triangle(s));
}

static ilk_status describe_qda(const double *p, const ilk_shape *s, const ilk_facts *to) {
    double each = (double)s->d + triangle(s);
    ILK_TRY(describe_mu(p, s, "qda", to));
    for (size_t k = 0; k < s->K; k++) {
        ilk_spread c = ilk_full_spread(p, s, k);
        ILK_TRY(describe_sigma(&c.N, s, "qda", k, to));
    }
    return ilk_describe_size(to, "qda", each, (double)s->K * each);
}

/* ---- validate */

/* Is L z = D^-1 (mu - center), to rounding? */
static bool validate_z(const ilk_spread *c, const double *mu, const double *z) {
    for (size_t i = 0; i < c->N.d; i++) {
        double rest = (mu[i] - c->center[i]) * c->N.inv_sd[i], scale = fabs(rest);
        for (size_t j = 0; j <= i; j++) {
            double part = c->N.L[i * c->N.d + j] * z[j];
            rest -= part;
            scale += fabs(part);
        }
        if (!(fabs(rest) <= 1e-6 * scale && scale < INFINITY))
            return false;
    }
    return true;
}

static bool validate(const double *p, const ilk_shape *s, size_t C, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!isfinite(p[i]))
            return false;
    for (size_t k = 0; k < s->K; k++)
        if (!(p[k] > 0))
            return false;
    for (size_t c = 0; c < C; c++) {
        ilk_spread v = ilk_full_spread(p, s, c);
        if (!(*v.divisor > 0) || *v.shrink < 0 || *v.shrink > 1 || !ilk_normal_valid(&v.N))
            return false;
    }
    for (size_t k = 0; k < s->K; k++) {
        ilk_spread v = ilk_full_spread(p, s, C == 1 ? 0 : k);
        if (!validate_z(&v, ilk_full_mu(p, s, k), ilk_full_z(p, s, k)))
            return false;
    }
    return true;
}

/* Is L't = z, to rounding? */
static bool validate_t(const ilk_normal *N, const double *t, const double *z) {
    for (size_t i = 0; i < N->d; i++) {
        double rest = z[i], scale = fabs(z[i]);
        for (size_t j = i; j < N->d; j++) {
            double part = N->L[j * N->d + i] * t[j];
            rest -= part;
            scale += fabs(part);
        }
        if (!(fabs(rest) <= 1e-6 * scale && scale < INFINITY))
            return false;
    }
    return true;
}

static bool validate_gda(const double *p, const ilk_shape *s) {
    ilk_spread c = ilk_full_spread(p, s, 0);
    bool good = validate(p, s, 1, size_gda(s));
    for (size_t k = 0; good && k < s->K; k++)
        good = validate_t(&c.N, ilk_full_t(p, s, k), ilk_full_z(p, s, k));
    return good;
}

static bool validate_qda(const double *p, const ilk_shape *s) {
    return validate(p, s, s->K, size_qda(s));
}

/* ---- the two families: one covariance, or one per class */

static void score_gda(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_full_score(log_joint, p, s, rows, 1);
}

static void score_without_gda(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_full_score_without(log_joint, p, s, rows, 1);
}

static void sample_gda(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    ilk_full_sample(out->x, p, s, k, 1, rng);
}

static double distance2_gda(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t k, size_t *columns) {
    return ilk_full_distance2(p, s, row, k, 1, columns);
}

static ilk_status explain_gda(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                              const ilk_parts *to) {
    return ilk_full_explain(p, s, row, a, b, 1, to);
}

static void score_qda(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_full_score(log_joint, p, s, rows, s->K);
}

static void score_without_qda(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_full_score_without(log_joint, p, s, rows, s->K);
}

static void sample_qda(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    ilk_full_sample(out->x, p, s, k, s->K, rng);
}

static double distance2_qda(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t k, size_t *columns) {
    return ilk_full_distance2(p, s, row, k, s->K, columns);
}

static ilk_status explain_qda(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                              const ilk_parts *to) {
    return ilk_full_explain(p, s, row, a, b, s->K, to);
}

const ilk_family ilk_gda = {
    .name = "gda",
    .summary = "multivariate normal, one covariance for all classes",
    .kind = ILK_REAL,
    .layout = ILK_LAYOUT_FULL,
    .shared = true,
    .size = size_gda,
    .scratch = scratch,
    .estimate = estimate_gda,
    .score = score_gda,
    .score_relative = ilk_full_score_relative,
    .score_without = score_without_gda,
    .sample = sample_gda,
    .distance2 = distance2_gda,
    .explain = explain_gda,
    .describe = describe_gda,
    .validate = validate_gda,
};

const ilk_family ilk_qda = {
    .name = "qda",
    .summary = "multivariate normal, a covariance per class",
    .kind = ILK_REAL,
    .layout = ILK_LAYOUT_FULL,
    .size = size_qda,
    .scratch = scratch,
    .estimate = estimate_qda,
    .score = score_qda,
    .score_without = score_without_qda,
    .sample = sample_qda,
    .distance2 = distance2_qda,
    .explain = explain_qda,
    .describe = describe_qda,
    .validate = validate_qda,
};
