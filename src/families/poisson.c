/* SPDX-License-Identifier: Apache-2.0 */
/* poisson.c - counts with one rate per class and column, independent given the class.   MATH section 9
 *
 *     log p(x|k) = x log rate - rate - log x!,   rate = (sum of x + alpha) / (n + alpha / m)
 *                = -deviance of x from rate - log sqrt(2 pi x) - ...   of many (rates.h)
 * m is the column's mean over all classes: smoothing adds alpha to the sum as if m were seen alpha / m times. So a
 * class without a single value of a column has m; without smoothing it has nothing, 0/0, and is refused.
 * Parameters, each [K][d]: log_rate | rate | n | sum; then mean[d], alpha[1]
 * Invariants: rate >= 0, log_rate = -inf where it is 0; a column that is 0 everywhere says nothing: mean = 0, rate = 0,
 * log_rate = 0. A missing value contributes nothing.
 */
#include "families/family.h"
#include "families/rates.h"

typedef struct layout {
    double *log_rate, *rate, *n, *sum, *mean, *alpha;
} layout;

static layout at(const double *p, const ilk_shape *s) {
    double *q = ilk_writable(p);
    size_t Kd = s->K * s->d;
    return (layout){q, q + Kd, q + 2 * Kd, q + 3 * Kd, q + 4 * Kd, q + 4 * Kd + s->d};
}

static size_t size(const ilk_shape *s) {
    return 4 * s->K * s->d + s->d + 1;
}

static ilk_status estimate_column(const layout *l, const ilk_shape *s, const ilk_moments_view *v, size_t j,
                                  ilk_error *err) {
    double n = 0, sum = 0;
    for (size_t k = 0; k < s->K; k++) {
        size_t i = k * s->d + j;
        l->n[i] = v->record[k][j];
        double mean = ldexp(v->record[k][s->d + j], v->exponent[j]);
        l->sum[i] = l->n[i] * mean;
        if (!(l->n[i] + *l->alpha > 0))
            return ilk_fail(err, ILK_EDATA, "column %.*s has no value in class %.*s: its rate is 0/0",
                            ILK_SHOW(s->column[j]), ILK_SHOW(s->name[k]));
        if (l->sum[i] < 0 || !isfinite(l->sum[i]))
            return ilk_fail(err, ILK_EDATA, "column %.*s: no counts (their mean in class %.*s is %g)",
                            ILK_SHOW(s->column[j]), ILK_SHOW(s->name[k]), mean);
        n += l->n[i];
        sum += l->sum[i];
    }
    l->mean[j] = n > 0 ? sum / n : 0;
    for (size_t k = 0; k < s->K; k++) {
        size_t i = k * s->d + j;
        l->rate[i] = sum > 0 ? ilk_rate(l->sum[i], l->n[i], l->mean[j], *l->alpha) : 0;
        l->log_rate[i] = sum > 0 ? log(l->rate[i]) : 0;
    }
    return ILK_OK;
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    layout l = at(p, s);
    *l.alpha = o->smooth;
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(estimate_column(&l, s, &v->moments, j, err));
    return ILK_OK;
}

/* `term`, ilk_count_term, is the same for all classes, and what takes the time. */
static double log_density(double x, double term, double rate, double log_rate) {
    if (x >= ILK_MANY)
        return -ilk_deviance(x, rate, x - rate) - term;
    return (x > 0 ? x * log_rate : 0) - rate - term;
}

static void add_density(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, bool relative) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++) {
        for (size_t j = 0; j < s->d; j++) {
            double x = rows->x[i * s->d + j];
            if (isnan(x) || l.mean[j] == 0)
                continue;
            double term = relative ? 0 : ilk_count_term(x);
            for (size_t k = 0; k < s->K; k++)
                log_joint[i * s->K + k] += log_density(x, term, l.rate[k * s->d + j], l.log_rate[k * s->d + j]);
        }
    }
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    add_density(log_joint, p, s, rows, false);
}

static void score_relative(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    add_density(log_joint, p, s, rows, true);
}

/* Without the row, its class's sum loses w x and n loses w; m, the target of smoothing, stays. */
static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++) {
        double w = ilk_chunk_weight(rows, i);
        for (size_t j = 0; j < s->d; j++) {
            double x = rows->x[i * s->d + j];
            if (isnan(x) || l.mean[j] == 0)
                continue;
            double term = ilk_count_term(x);
            for (size_t k = 0; k < s->K; k++) {
                size_t cell = k * s->d + j;
                double rate = l.rate[cell], log_rate = l.log_rate[cell];
                if (k == rows->label[i]) {
                    rate = ilk_rate(ilk_rest(l.sum[cell], w * x), ilk_left(l.n[cell], w), l.mean[j], *l.alpha);
                    log_rate = log(rate);
                }
                log_joint[i * s->K + k] += isfinite(rate) ? log_density(x, term, rate, log_rate) : -INFINITY;
            }
        }
    }
}

static void sample(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++)
        out->x[j] = ilk_rng_poisson(rng, l.rate[k * s->d + j]);
}

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        double x = row->x[j], part = 0;
        size_t ia = a * s->d + j, ib = b * s->d + j;
        if (isnan(x))
            continue;
        if (l.mean[j] > 0) /* without the term that both have */
            part = log_density(x, 0, l.rate[ia], l.log_rate[ia]) - log_density(x, 0, l.rate[ib], l.log_rate[ib]);
        ILK_TRY(to->fn(to->ctx, &(ilk_part){.column = s->column[j], .x = x, .contribution = part}));
    }
    return ILK_OK;
}

/* theta of class k against class 0: the log-odds are linear in x, log(rate_k / rate_0) per unit, less the rates'
 * difference. */
static ilk_status describe_theta(const layout *l, const ilk_shape *s, size_t k, const ilk_facts *to) {
    double intercept = ilk_facts_prior(to, k);
    for (size_t j = 0; j < s->d; j++)
        intercept -= l->rate[k * s->d + j] - l->rate[j];
    ILK_TRY(ilk_describe_intercept(to, "poisson", k, intercept));
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(ilk_describe_theta(to, "poisson", s->column[j], (ilk_str){"", 0}, k,
                                   l->log_rate[k * s->d + j] - l->log_rate[j]));
    return ILK_OK;
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++)
        for (size_t k = 0; k < s->K; k++)
            ILK_TRY(to->fn(
                to->ctx,
                &(ilk_fact){"lambda", "poisson", s->column[j], {"", 0}, (uint32_t)k, l.rate[k * s->d + j], NAN, NAN}));
    for (size_t k = 1; k < s->K; k++)
        ILK_TRY(describe_theta(&l, s, k, to));
    return ilk_describe_size(to, "poisson", (double)s->d, (double)s->d * (double)s->K);
}

static bool is_log(double log_rate, double rate) {
    return rate > 0 ? fabs(log_rate - log(rate)) < 1e-6 : log_rate == -INFINITY || log_rate == 0;
}

static bool validate(const double *p, const ilk_shape *s) {
    layout l = at(p, s);
    for (size_t i = 0; i < s->K * s->d; i++)
        if (!isfinite(l.rate[i]) || l.rate[i] < 0 || !is_log(l.log_rate[i], l.rate[i]) || !isfinite(l.n[i]) ||
            l.n[i] < 0 || !isfinite(l.sum[i]) || l.sum[i] < 0 || (l.n[i] == 0 && l.sum[i] > 0))
            return false;
    for (size_t j = 0; j < s->d; j++)
        if (!isfinite(l.mean[j]) || l.mean[j] < 0)
            return false;
    return isfinite(*l.alpha) && *l.alpha >= 0;
}

const ilk_family ilk_poisson = {
    .name = "poisson",
    .summary = "counts, a rate per class and column",
    .kind = ILK_REAL,
    .layout = ILK_LAYOUT_DIAGONAL,
    .size = size,
    .estimate = estimate,
    .accepts = ilk_is_count,
    .score = score,
    .score_relative = score_relative,
    .score_without = score_without,
    .sample = sample,
    .explain = explain,
    .describe = describe,
    .validate = validate,
};
