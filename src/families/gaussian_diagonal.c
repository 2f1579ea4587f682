/* SPDX-License-Identifier: Apache-2.0 */
/* gaussian_diagonal.c - real columns, each normal and independent given the class.   MATH section 4
 *
 * gaussian gives each class its own variance per column, gaussian-shared one for all classes.
 * Parameters, each [K][d]: mu | inv_sd | log_norm = 1/2 log(2 pi variance) | n | M2; then floor[d], unit[d], less[1]
 * n and M2 are what the variance was made of, variance = M2 / (n - less), and what leave-one-out takes a row from. M2
 * and floor are those of unit × x, unit the power of two that the store chose, because they may not fit a double
 * otherwise.
 * Invariants: a variance is never below floor × the column's variance over all rows, so that a class in which a column
 * happens to be constant does not forbid every other value; a column constant over all rows says nothing: inv_sd and
 * log_norm are 0. A missing value contributes nothing. A class without a single value of a column (n = 0) borrows: it
 * takes the column to be as in all rows together, with or without the row that is left out.
 */
#include "families/family.h"
#include "kernels/kernels.h"
#include "math/log_sum.h"

#include <math.h>

typedef struct layout {
    double *mu, *inv_sd, *log_norm, *n, *M2, *floor, *unit, *less;
} layout;

static layout at(const double *p, const ilk_shape *s) {
    double *q = ilk_writable(p);
    size_t Kd = s->K * s->d;
    return (layout){q,          q + Kd,     q + 2 * Kd,        q + 3 * Kd,
                    q + 4 * Kd, q + 5 * Kd, q + 5 * Kd + s->d, q + 5 * Kd + 2 * s->d};
}

static size_t size(const ilk_shape *s) {
    return 5 * s->K * s->d + 2 * s->d + 1;
}

/* A row's squared distances and log-joint; K sums of log_norm, and what leave-one-out knows of K classes. */
static void scratch(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    *per_row = s->K + 1;
    *fixed = 4 * s->K;
}

/* A column's numbers in one class's record, in the store's units. */
typedef struct column {
    double n, mean, M2;
} column;

static column column_of(const ilk_moments_view *v, const ilk_shape *s, size_t k, size_t j) {
    const double *r = v->record[k];
    return (column){r[j], r[s->d + j], r[2 * s->d + j]};
}

/* Both together: Chan's merge. */
static column merge(column all, column c) {
    if (!(c.n > 0))
        return all;
    double n = all.n + c.n, delta = c.mean - all.mean; /* into nothing, which has all 0, this copies to the bit */
    return (column){n, all.mean + delta * (c.n / n), all.M2 + (c.M2 + delta * delta * (all.n * (c.n / n)))};
}

/* All classes' rows of column j together. */
static column pool(const ilk_moments_view *v, const ilk_shape *s, size_t j, double *within) {
    column all = {0};
    *within = 0;
    for (size_t k = 0; k < s->K; k++) {
        column c = column_of(v, s, k, j);
        all = merge(all, c);
        *within += c.M2;
    }
    return all;
}

/* Of the variance in units of 2^exponent. */
static void set_variance(const layout *l, size_t i, double variance, int exponent) {
    l->inv_sd[i] = variance > 0 ? ldexp(1 / sqrt(variance), -exponent) : 0;
    l->log_norm[i] = variance > 0 ? 0.5 * log(2 * M_PI * variance) + exponent * M_LN2 : 0;
}

/* M2 / (n - less), but not below the column's floor. */
static double variance_of(double M2, double n, double less, double least) {
    double variance = n > less ? M2 / (n - less) : 0;
    return fmax(variance, least);
}

static ilk_status estimate_column(const layout *l, const ilk_shape *s, const ilk_moments_view *v, double floor,
                                  size_t j, bool shared, ilk_error *err) {
    double within;
    column all = pool(v, s, j, &within);
    l->floor[j] = all.n > 0 ? floor * all.M2 / all.n : 0;
    l->unit[j] = ldexp(1, -v->exponent[j]);
    for (size_t k = 0; k < s->K; k++) {
        column c = column_of(v, s, k, j);
        size_t i = k * s->d + j;
        bool borrows = !(c.n > 0);
        double M2 = shared ? within : borrows ? all.M2 : c.M2, n = shared || borrows ? all.n : c.n;
        if (M2 > 0 && !(n > *l->less)) /* weights that sum to less than is taken off: not a matter for the floor */
            return ilk_fail(err, ILK_EDATA, "column %.*s: class %.*s has too few rows for this divisor",
                            ILK_SHOW(s->column[j]), ILK_SHOW(s->name[k]));
        double variance = variance_of(M2, n, *l->less, l->floor[j]);
        if (all.M2 > 0 && !(variance >= 1e-300)) /* no floor, or so low that the inverse would overflow */
            return ilk_fail(err, ILK_ESINGULAR, "column %.*s does not vary in class %.*s", ILK_SHOW(s->column[j]),
                            ILK_SHOW(s->name[k]));
        l->mu[i] = ldexp(borrows ? all.mean : c.mean, v->exponent[j]);
        l->n[i] = c.n;
        l->M2[i] = c.M2;
        set_variance(l, i, variance, v->exponent[j]);
        if (!isfinite(l->inv_sd[i]))
            return ilk_fail(err, ILK_EDATA, "column %.*s: its variance is too small for a double",
                            ILK_SHOW(s->column[j]));
    }
    return ILK_OK;
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, bool shared,
                           ilk_error *err) {
    layout l = at(p, s);
    *l.less = o->divisor == ILK_DIVISOR_N ? 0 : shared && o->divisor == ILK_DIVISOR_N_MINUS_K ? (double)s->K : 1;
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(estimate_column(&l, s, &v->moments, o->floor, j, shared, err));
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
    double z = (x - l->mu[i]) * l->inv_sd[i];
    return -0.5 * z * z - l->log_norm[i];
}

static double score_row(const layout *l, const ilk_shape *s, const double *x, size_t k) {
    double sum = 0;
    for (size_t j = 0; j < s->d; j++) {
        double part = log_density(l, k * s->d + j, x[j]);
        sum += isnan(part) ? 0 : part; /* x is missing, or the column never varies and x is infinitely far from it */
    }
    return sum;
}

/* -1/2 the sum of z^2 - log_norm over the columns, or column by column where that is no number. */
static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    double *distance2 = rows->scratch, *log_norm = distance2 + rows->n * s->K;
    ilk_kernels_use()->scaled_distances(distance2, rows->x, rows->n, s->d, l.mu, l.inv_sd, s->K);
    for (size_t k = 0; k < s->K; k++) {
        log_norm[k] = 0;
        for (size_t j = 0; j < s->d; j++)
            log_norm[k] += l.log_norm[k * s->d + j];
    }
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < s->K; k++)
            log_joint[i * s->K + k] += isnan(distance2[i * s->K + k]) ? score_row(&l, s, rows->x + i * s->d, k)
                                                                      : -0.5 * distance2[i * s->K + k] - log_norm[k];
}

/* ---- leave one out.   MATH section 4
 *
 * Without x, of weight w, its class's n, mean and M2 become n - w, mean - (x - mean) w / (n - w) and
 * M2 - (x - mean)^2 w n / (n - w). */

/* delta and variance are those of unit × x. */
static double log_normal(double delta, double variance, double unit) {
    return -0.5 * (delta * delta / variance + log(2 * M_PI * variance)) + log(unit);
}

/* All classes' rows of column j together, without x of class `own`, in the store's units. */
static column pool_without(const layout *l, const ilk_shape *s, size_t j, double x, uint32_t own, double w) {
    column all = {0, 0, 0};
    for (size_t k = 0; k < s->K; k++) {
        size_t i = k * s->d + j;
        column c = {l->n[i], l->mu[i] * l->unit[j], l->M2[i]};
        if (k == own) {
            double left = ilk_left(c.n, w), u = x * l->unit[j] - c.mean;
            c = (column){left, c.mean - u * w / left, fmax(0, c.M2 - u * u * w * c.n / left)};
        }
        all = merge(all, c);
    }
    return all;
}

/* log p(x) for a class that has no value of column j once x is gone, and borrows. */
static double without_borrowed(const layout *l, const ilk_shape *s, size_t j, double x, uint32_t own, double w) {
    column all = pool_without(l, s, j, x, own, w);
    double variance = variance_of(all.M2, all.n, *l->less, l->floor[j]);
    return all.n > 0 && variance > 0 ? log_normal(x * l->unit[j] - all.mean, variance, l->unit[j]) : -INFINITY;
}

static double without_own(const layout *l, const ilk_shape *s, const double *x, uint32_t own, double w) {
    double squares = 0, left = 0, move = 0, inv_divisor = 0, n = NAN;
    ilk_log_sum logs = {0, 1};
    for (size_t j = 0; j < s->d; j++) {
        size_t i = own * s->d + j;
        if (isnan(x[j]) || l->inv_sd[i] == 0)
            continue;
        if (l->n[i] != n) { /* most columns have as many values as the one before */
            n = l->n[i];
            left = ilk_left(n, w);
            move = n / left;
            inv_divisor = left > *l->less ? 1 / (left - *l->less) : 0;
        }
        if (!(left > 0)) {
            logs.sum -= 2 * without_borrowed(l, s, j, x[j], own, w);
            continue;
        }
        double u = (x[j] - l->mu[i]) * l->unit[j], variance = (l->M2[i] - u * u * w * move) * inv_divisor;
        variance = variance > l->floor[j] ? variance : l->floor[j];
        if (!(variance > 0))
            return -INFINITY;
        squares += u * move * (u * move) / variance;
        ilk_log_sum_add(&logs, 2 * M_PI * variance, 1);
        if (l->unit[j] != 1)
            logs.sum -= 2 * log(l->unit[j]);
    }
    return -0.5 * (squares + ilk_log_sum_get(&logs));
}

/* Where all columns of a class have the same n, and variances well above the floors, a row's z^2 say all: variance
 * becomes variance (1 - c z^2) scale, with c = w n / (n - w) / (n - less) and scale = (n - less) / (n - w - less). */
typedef struct regular {
    double n;       /* 0 if it is not so */
    double columns; /* that vary */
} regular;

static regular find_regular(const layout *l, const ilk_shape *s, size_t k) {
    regular r = {0, 0};
    for (size_t i = k * s->d, j = 0; j < s->d; i++, j++) {
        bool varies = l->inv_sd[i] > 0;
        if (varies && ((r.n > 0 && l->n[i] != r.n) || !(l->M2[i] / (l->n[i] - *l->less) > 4 * l->floor[j])))
            return (regular){0};
        r.n = varies ? l->n[i] : r.n;
        r.columns += varies;
    }
    return r;
}

/* NaN where it takes a look at every column: values missing, or a variance that would lose more than half. */
static double without_regular(const layout *l, const ilk_shape *s, const double *x, uint32_t own, double w, regular r,
                              double log_norm) {
    double left = ilk_left(r.n, w), move = r.n / left, of[3];
    if (!(left > *l->less))
        return NAN;
    double scale = (r.n - *l->less) / (left - *l->less), c = w * move / (r.n - *l->less);
    ilk_kernels_use()->removed(of, x, l->mu + own * s->d, l->inv_sd + own * s->d, s->d, c);
    if (!(of[2] <= 0.5 && of[1] > 1e-300))
        return NAN;
    return -0.5 * (move * move / scale * of[0] + log(of[1]) + r.columns * log(scale)) - log_norm;
}

static bool borrows_any(const layout *l, const ilk_shape *s, size_t k) {
    for (size_t j = 0; j < s->d; j++)
        if (!(l->n[k * s->d + j] > 0))
            return true;
    return false;
}

/* By how much class k's score changes, which is not the row's own but borrows from it. */
static double borrowed_change(const layout *l, const ilk_shape *s, const double *x, size_t k, uint32_t own, double w) {
    double change = 0;
    for (size_t j = 0; j < s->d; j++) {
        size_t i = k * s->d + j;
        if (isnan(x[j]) || l->inv_sd[i] == 0 || l->n[i] > 0)
            continue;
        double part = without_borrowed(l, s, j, x[j], own, w) - log_density(l, i, x[j]);
        change += isnan(part) ? 0 : part; /* impossible before and after */
    }
    return change;
}

/* Beside the other classes' scores, which do not change unless they borrow. */
static void score_without_own(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    double *log_norm = rows->scratch + rows->n * s->K, *known = log_norm + s->K, *borrows = known + 2 * s->K;
    double *before = borrows + s->K;
    for (size_t i = 0; i < rows->n; i++)
        before[i] = log_joint[i * s->K + rows->label[i]];
    score(log_joint, p, s, rows);
    for (size_t k = 0; k < s->K; k++) {
        regular r = find_regular(&l, s, k);
        known[2 * k] = r.n;
        known[2 * k + 1] = r.columns;
        borrows[k] = borrows_any(&l, s, k);
    }
    for (size_t i = 0; i < rows->n; i++) {
        const double *x = rows->x + i * s->d;
        uint32_t own = rows->label[i];
        regular r = {known[2 * own], known[2 * own + 1]};
        double w = ilk_chunk_weight(rows, i), part = without_regular(&l, s, x, own, w, r, log_norm[own]);
        log_joint[i * s->K + own] = before[i] + (isnan(part) ? without_own(&l, s, x, own, w) : part);
        for (size_t k = 0; k < s->K; k++)
            if (k != own && borrows[k] > 0)
                log_joint[i * s->K + k] += borrowed_change(&l, s, x, k, own, w);
    }
}

/* The variance of a column is everybody's: without the row it changes for all classes. */
static void without_shared(double *log_joint, const layout *l, const ilk_shape *s, const double *x, uint32_t own,
                           double w) {
    for (size_t j = 0; j < s->d; j++) {
        size_t i = own * s->d + j;
        if (isnan(x[j]) || l->inv_sd[i] == 0)
            continue;
        double within = 0, n = 0, left = ilk_left(l->n[i], w), u = (x[j] - l->mu[i]) * l->unit[j];
        for (size_t k = 0; k < s->K; k++) {
            within += l->M2[k * s->d + j];
            n += l->n[k * s->d + j];
        }
        double M2 = fmax(0, within - (left > 0 ? u * u * w * l->n[i] / left : 0));
        double variance = variance_of(M2, ilk_left(n, w), *l->less, l->floor[j]);
        for (size_t k = 0; k < s->K; k++) {
            double delta = (x[j] - l->mu[k * s->d + j]) * l->unit[j];
            if (!((k == own ? left : l->n[k * s->d + j]) > 0))
                delta = x[j] * l->unit[j] - pool_without(l, s, j, x[j], own, w).mean;
            else if (k == own)
                delta = u * l->n[i] / left;
            log_joint[k] += variance > 0 ? log_normal(delta, variance, l->unit[j]) : -INFINITY;
        }
    }
}

static void score_without_shared(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        without_shared(log_joint + i * s->K, &l, s, rows->x + i * s->d, rows->label[i], ilk_chunk_weight(rows, i));
}

/* ---- sample and distance.   MATH sections 11, 12 */

static void sample(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        size_t i = k * s->d + j;
        double z = ilk_rng_normal(rng);
        out->x[j] = l.mu[i] + (l.inv_sd[i] > 0 ? z / l.inv_sd[i] : 0);
    }
}

static double distance2(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t k, size_t *columns) {
    layout l = at(p, s);
    double sum = 0;
    *columns = 0;
    for (size_t j = 0; j < s->d; j++) {
        size_t i = k * s->d + j;
        if (isnan(row->x[j]) || l.inv_sd[i] == 0)
            continue;
        double z = (row->x[j] - l.mu[i]) * l.inv_sd[i];
        sum += z * z;
        ++*columns;
    }
    return sum;
}

/* ---- explain and describe */

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

/* theta of class k against class 0, where the variances are shared: (mu_k - mu_0) / variance per unit of a column. */
static ilk_status describe_theta(const layout *l, const ilk_shape *s, size_t k, const ilk_facts *to) {
    const double *mu = l->mu + k * s->d;
    double intercept = ilk_facts_prior(to, k);
    for (size_t j = 0; j < s->d; j++)
        intercept -= 0.5 * (mu[j] - l->mu[j]) * l->inv_sd[j] * ((mu[j] + l->mu[j]) * l->inv_sd[j]);
    ILK_TRY(ilk_describe_intercept(to, "gaussian-shared", k, intercept));
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(ilk_describe_theta(to, "gaussian-shared", s->column[j], (ilk_str){"", 0}, k,
                                   (mu[j] - l->mu[j]) * l->inv_sd[j] * l->inv_sd[j]));
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
            fact.value = l.inv_sd[i] > 0 ? 1 / l.inv_sd[i] / l.inv_sd[i] : 0;
            ILK_TRY(to->fn(to->ctx, &fact));
        }
    }
    for (size_t k = 1; shared && k < s->K; k++)
        ILK_TRY(describe_theta(&l, s, k, to));
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
    for (size_t i = 0; i < size(s); i++)
        if (!isfinite(p[i]))
            return false;
    for (size_t i = 0; i < s->K * s->d; i++)
        if (l.inv_sd[i] < 0 || l.n[i] < 0 || l.M2[i] < 0 || (l.n[i] == 0 && l.M2[i] > 0) ||
            !(fabs(l.log_norm[i] - (l.inv_sd[i] > 0 ? 0.5 * log(2 * M_PI) - log(l.inv_sd[i]) : 0)) < 1e-6))
            return false;
    for (size_t j = 0; j < s->d; j++)
        if (!(l.unit[j] > 0))
            return false;
    return *l.less >= 0;
}

const ilk_family ilk_gaussian = {
    .name = "gaussian",
    .summary = "normal per column, a variance per class",
    .kind = ILK_REAL,
    .layout = ILK_LAYOUT_DIAGONAL,
    .size = size,
    .scratch = scratch,
    .estimate = estimate_own,
    .score = score,
    .score_without = score_without_own,
    .sample = sample,
    .distance2 = distance2,
    .explain = explain,
    .describe = describe_own,
    .validate = validate,
};

const ilk_family ilk_gaussian_shared = {
    .name = "gaussian-shared",
    .summary = "normal per column, one variance for all classes",
    .kind = ILK_REAL,
    .layout = ILK_LAYOUT_DIAGONAL,
    .shared = true,
    .size = size,
    .scratch = scratch,
    .estimate = estimate_shared,
    .score = score,
    .score_without = score_without_shared,
    .sample = sample,
    .distance2 = distance2,
    .explain = explain,
    .describe = describe_shared,
    .validate = validate,
};
