/* SPDX-License-Identifier: Apache-2.0 */
/* gaussian_diagonal.c - real columns, each normal and independent given the class.   MATH section 4
 *
 * gaussian gives each class its own variance per column, gaussian-shared one for all classes.
 * Parameters, each [K][d]: mu | inv_variance | log_norm = 1/2 log(2 pi variance)
 * Invariants: a variance is never below floor × the column's variance over all rows, so that a class in which a column
 * happens to be constant does not forbid every other value; a column constant over all rows says nothing: inv_variance
 * and log_norm are 0. A missing value contributes nothing.
 */
#include "families/family.h"

#include <math.h>

typedef struct layout {
    double *mu, *inv_variance, *log_norm;
} layout;

/* The parameters are const but while being estimated; C cannot say that in a type. */
static layout at(const double *p, const ilk_shape *s) {
    double *q = (double *)(uintptr_t)p;
    return (layout){q, q + s->K * s->d, q + 2 * s->K * s->d};
}

static size_t size(const ilk_shape *s) {
    return 3 * s->K * s->d;
}

/* A column's numbers in one class's record. */
typedef struct column {
    double n, mean, M2;
} column;

static column column_of(const ilk_moments_view *v, const ilk_shape *s, size_t k, size_t j) {
    const double *r = v->record[k];
    return (column){r[j], r[s->d + j], r[2 * s->d + j]};
}

/* All classes' rows of column j together: Chan's merge, K times. */
static column pool(const ilk_moments_view *v, const ilk_shape *s, size_t j, double *within) {
    column all = {0, 0, 0};
    *within = 0;
    for (size_t k = 0; k < s->K; k++) {
        column c = column_of(v, s, k, j);
        if (!(c.n > 0))
            continue;
        double n = all.n + c.n, delta = c.mean - all.mean;
        all.M2 += c.M2 + (all.n > 0 ? delta * delta * (all.n * c.n / n) : 0); /* not inf × 0 */
        all.mean += delta * (c.n / n);
        all.n = n;
        *within += c.M2;
    }
    return all;
}

static double degrees(double n, double K, ilk_divisor divisor) {
    return n - (divisor == ILK_DIVISOR_N ? 0 : divisor == ILK_DIVISOR_N_MINUS_1 ? 1 : K);
}

static void set_variance(const layout *l, size_t i, double variance) {
    l->inv_variance[i] = variance > 0 ? 1 / variance : 0;
    l->log_norm[i] = variance > 0 ? 0.5 * log(2 * M_PI * variance) : 0;
}

static ilk_status estimate_column(const layout *l, const ilk_shape *s, const ilk_moments_view *v, const ilk_options *o,
                                  size_t j, bool shared, ilk_error *err) {
    double within;
    column all = pool(v, s, j, &within);
    double least = o->floor * all.M2 / all.n, n = degrees(all.n, (double)s->K, o->divisor);
    double pooled = n > 0 ? within / n : 0;
    if (!isfinite(all.M2))
        return ilk_fail(err, ILK_EDATA, "column %.*s: its variance is too large for a double", ILK_SHOW(s->column[j]));
    for (size_t k = 0; k < s->K; k++) {
        column c = column_of(v, s, k, j);
        if (!(c.n > 0))
            return ilk_fail(err, ILK_EDATA, "column %.*s has no value in class %.*s", ILK_SHOW(s->column[j]),
                            ILK_SHOW(s->name[k]));
        double own = degrees(c.n, 1, o->divisor);
        double variance = shared ? pooled : own > 0 ? c.M2 / own : 0;
        if (all.M2 > 0 && !(variance > least))
            variance = least;
        if (all.M2 > 0 && !(variance >= 1e-300)) /* floor 0, or so small that its inverse overflows */
            return ilk_fail(err, ILK_ESINGULAR, "column %.*s does not vary in class %.*s", ILK_SHOW(s->column[j]),
                            ILK_SHOW(s->name[k]));
        l->mu[k * s->d + j] = c.mean;
        set_variance(l, k * s->d + j, all.M2 > 0 ? variance : 0);
    }
    return ILK_OK;
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, bool shared,
                           ilk_error *err) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(estimate_column(&l, s, &v->moments, o, j, shared, err));
    return ILK_OK;
}

static ilk_status estimate_own(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    return estimate(p, s, v, o, false, err);
}

static ilk_status estimate_shared(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o,
                                  ilk_error *err) {
    return estimate(p, s, v, o, true, err);
}

/* log N(x; mu, variance) of the i-th pair of class and column. The variance comes between the deltas, whose square may
 * overflow where the quotient does not. */
static double log_density(const layout *l, size_t i, double x) {
    double delta = x - l->mu[i];
    return l->inv_variance[i] > 0 ? -0.5 * delta * l->inv_variance[i] * delta - l->log_norm[i] : 0;
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++) {
        const double *x = rows->x + i * s->d;
        for (size_t k = 0; k < s->K; k++) {
            double sum = 0;
            for (size_t j = 0; j < s->d; j++)
                sum += isnan(x[j]) ? 0 : log_density(&l, k * s->d + j, x[j]);
            log_joint[i * s->K + k] += sum;
        }
    }
}

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        double x = row->x[j];
        if (isnan(x))
            continue;
        double part = log_density(&l, a * s->d + j, x) - log_density(&l, b * s->d + j, x);
        ILK_TRY(to->fn(to->ctx, &(ilk_part){.column = s->column[j], .x = x, .contribution = part}));
    }
    return ILK_OK;
}

static ilk_status describe(const double *p, const ilk_shape *s, const char *family, bool shared, const ilk_facts *to) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        ilk_fact fact = {.family = family, .column = s->column[j], .count = NAN, .total = NAN};
        for (size_t k = 0; k < s->K; k++) {
            size_t i = k * s->d + j;
            fact.k = (uint32_t)k;
            fact.quantity = "mu";
            fact.value = l.mu[i];
            ILK_TRY(to->fn(to->ctx, &fact));
            fact.quantity = "variance";
            fact.value = l.inv_variance[i] > 0 ? 1 / l.inv_variance[i] : 0;
            ILK_TRY(to->fn(to->ctx, &fact));
        }
    }
    double d = (double)s->d, K = (double)s->K;
    return ilk_describe_size(to, family, shared ? d : 2 * d, shared ? (K + 1) * d : 2 * K * d);
}

static ilk_status describe_own(const double *p, const ilk_shape *s, const ilk_facts *to) {
    return describe(p, s, "gaussian", false, to);
}

static ilk_status describe_shared(const double *p, const ilk_shape *s, const ilk_facts *to) {
    return describe(p, s, "gaussian-shared", true, to);
}

static bool validate(const double *p, const ilk_shape *s) {
    layout l = at(p, s);
    for (size_t i = 0; i < s->K * s->d; i++) {
        double inv = l.inv_variance[i], log_norm = inv > 0 ? 0.5 * (log(2 * M_PI) - log(inv)) : 0;
        if (!isfinite(l.mu[i]) || !isfinite(inv) || inv < 0 || !(fabs(l.log_norm[i] - log_norm) < 1e-6))
            return false;
    }
    return true;
}

const ilk_family ilk_gaussian = {
    .name = "gaussian", .summary = "normal per column, a variance per class", .kind = ILK_REAL,
    .layout = ILK_LAYOUT_DIAGONAL, .size = size, .estimate = estimate_own, .score = score, .explain = explain,
    .describe = describe_own, .validate = validate,
};

const ilk_family ilk_gaussian_shared = {
    .name = "gaussian-shared", .summary = "normal per column, one variance for all classes", .kind = ILK_REAL,
    .layout = ILK_LAYOUT_DIAGONAL, .size = size, .estimate = estimate_shared, .score = score, .explain = explain,
    .describe = describe_shared, .validate = validate,
};
