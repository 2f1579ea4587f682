/* SPDX-License-Identifier: Apache-2.0 */
/* negative_binomial.c - counts whose variance exceeds their mean, independent given the class.   MATH section 14
 *
 * By mean and dispersion a, variance = rate + a rate^2; a = 0 is Poisson:
 *     log p(x|k) = sum over i < x of log(1 + a i) + x log rate - (x + 1/a) log(1 + a rate) - log x!
 *     rate = (sum of x + alpha) / (n + alpha / m),   a = max(0, variance - mean) / mean^2
 * m is the column's mean over all classes, towards which rates are smoothed as poisson's are; a is not smoothed. A
 * class without a single value of a column has rate m and a = 0; without smoothing it is refused.
 * Parameters, each [K][d]: log_rate | rate | a | n | sum | M2; then mean[d], less[1], alpha[1]
 * n, sum and M2 are what rate and a were made of, variance = M2 / (n - less), and what leave-one-out takes a row from.
 * Invariants: rate >= 0, log_rate = -inf where it is 0; a >= 0; a column that is 0 everywhere says nothing: mean = 0. A
 * missing value contributes nothing.
 */
#include "families/family.h"
#include "families/rates.h"

static const double MOST = 0x1p53; /* whole numbers are exact up to here */

typedef struct layout {
    double *log_rate, *rate, *a, *n, *sum, *M2, *mean, *less, *alpha;
} layout;

static layout at(const double *p, const ilk_shape *s) {
    double *q = ilk_writable(p), *mean = q + 6 * s->K * s->d;
    size_t Kd = s->K * s->d;
    return (layout){q, q + Kd, q + 2 * Kd, q + 3 * Kd, q + 4 * Kd, q + 5 * Kd, mean, mean + s->d, mean + s->d + 1};
}

static size_t size(const ilk_shape *s) {
    return 6 * s->K * s->d + s->d + 2;
}

/* ---- estimate */

/* 0 where counts vary no more than Poisson's. */
static double dispersion_of(double M2, double n, double sum, double less) {
    double mean = sum / n, variance = n > less ? M2 / (n - less) : 0;
    return mean > 0 ? fmax(0, (variance / mean - 1) / mean) : 0;
}

static ilk_status take_moments(const layout *l, const ilk_shape *s, const ilk_moments_view *v, size_t k, size_t j,
                               ilk_error *err) {
    const double *r = v->record[k];
    size_t i = k * s->d + j;
    double mean = ldexp(r[s->d + j], v->exponent[j]);
    l->n[i] = r[j];
    l->sum[i] = r[j] * mean;
    l->M2[i] = ldexp(r[2 * s->d + j], 2 * v->exponent[j]);
    if (!(l->n[i] + *l->alpha > 0))
        return ilk_fail(err, ILK_EDATA, "column %.*s has no value in class %.*s: its rate is 0/0",
                        ILK_SHOW(s->column[j]), ILK_SHOW(s->name[k]));
    if (!(mean >= 0 && mean <= MOST) || !isfinite(l->M2[i]))
        return ilk_fail(err, ILK_EDATA, "column %.*s: no counts (their mean in class %.*s is %g)",
                        ILK_SHOW(s->column[j]), ILK_SHOW(s->name[k]), mean);
    return ILK_OK;
}

static ilk_status estimate_column(const layout *l, const ilk_shape *s, const ilk_moments_view *v, size_t j,
                                  ilk_error *err) {
    double n = 0, sum = 0;
    for (size_t k = 0; k < s->K; k++) {
        ILK_TRY(take_moments(l, s, v, k, j, err));
        n += l->n[k * s->d + j];
        sum += l->sum[k * s->d + j];
    }
    l->mean[j] = n > 0 ? sum / n : 0;
    for (size_t k = 0; k < s->K; k++) {
        size_t i = k * s->d + j;
        l->rate[i] = sum > 0 ? ilk_rate(l->sum[i], l->n[i], l->mean[j], *l->alpha) : 0;
        l->log_rate[i] = log(l->rate[i]);
        l->a[i] = dispersion_of(l->M2[i], l->n[i], l->sum[i], *l->less);
        if (!isfinite(l->a[i] * l->rate[i]))
            return ilk_fail(err, ILK_EDATA, "column %.*s: no counts (they vary too much in class %.*s)",
                            ILK_SHOW(s->column[j]), ILK_SHOW(s->name[k]));
    }
    return ILK_OK;
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    layout l = at(p, s);
    *l.alpha = o->smooth;
    *l.less = o->divisor != ILK_DIVISOR_N;
    for (size_t j = 0; j < s->d; j++)
        ILK_TRY(estimate_column(&l, s, &v->moments, j, err));
    return ILK_OK;
}

static bool accepts(double x) {
    return ilk_is_count(x) && x <= MOST;
}

/* ---- score */

/* The sum over i < x of log(1 + a i) = log Gamma(x + r) - log Gamma(r) - x log r with r = 1/a. For a large r, which is
 * nearly Poisson, that would cancel; Stirling's formula leaves the small difference. */
static double log_rising(double x, double a) {
    double r = 1 / a;
    if (!(r < 1e300))
        return 0;
    if (r < 16)
        return ilk_log_gamma(x + r) - ilk_log_gamma(r) + x * log(a);
    return (r + x - 0.5) * log1p(a * x) - x + ilk_stirling(r + x) - ilk_stirling(r);
}

/* log Gamma(r) by Stirling's formula, less that without its series. */
static double log_gamma_rest(double r) {
    return r < 16 ? ilk_log_gamma(r) - (r - 0.5) * log(r) + r - 0.5 * log(2 * M_PI) : ilk_stirling(r);
}

/* Of many. r of x + r are expected to be (x + r) p, and x to be (x + r) (1 - p): both are off by (x - rate) p. */
static double log_density_of_many(double x, double rate, double a) {
    double r = 1 / a, p = 1 / (1 + a * rate), d = (x - rate) * p;
    if (!(r < 1e300))
        return -ilk_deviance(x, rate, x - rate);
    double log_growth = a * x < INFINITY ? log1p(a * x) : log(a) + log(x);
    return -ilk_deviance(x, rate * p + x * (a * rate * p), d) - ilk_deviance(r, x * p + r * p, -d) - 0.5 * log_growth +
           ilk_stirling(x + r) - log_gamma_rest(r);
}

/* `term`, ilk_count_term, is the same for all classes. */
static double log_density(double x, double term, double rate, double log_rate, double a) {
    if (x >= ILK_MANY)
        return log_density_of_many(x, rate, a) - term;
    double growth = log1p(a * rate), zeros = 1 / a < 1e300 ? growth / a : rate;
    return (x > 0 ? x * (log_rate - growth) : 0) - zeros + log_rising(x, a) - term;
}

static double cell_density(const layout *l, size_t i, double x, double term) {
    return log_density(x, term, l->rate[i], l->log_rate[i], l->a[i]);
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
                log_joint[i * s->K + k] += cell_density(&l, k * s->d + j, x, term);
        }
    }
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    add_density(log_joint, p, s, rows, false);
}

static void score_relative(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    add_density(log_joint, p, s, rows, true);
}

/* Without x, of weight w, its class's n and sum lose w and w x, and M2 loses (x - mean)^2 w n / (n - w); m, the target
 * of smoothing, stays. */
static double without(const layout *l, size_t i, double mean, double x, double term, double w) {
    double n = l->n[i], left = ilk_left(n, w), sum = ilk_rest(l->sum[i], w * x), u = x - l->sum[i] / n;
    double rate = ilk_rate(sum, left, mean, *l->alpha), M2 = ilk_rest(l->M2[i], u * u * w * n / left);
    double a = dispersion_of(M2, left, sum, *l->less);
    return isfinite(a * rate) ? log_density(x, term, rate, log(rate), a) : -INFINITY; /* a file may hold anything */
}

static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++) {
        for (size_t j = 0; j < s->d; j++) {
            double x = rows->x[i * s->d + j], w = ilk_chunk_weight(rows, i);
            if (isnan(x) || l.mean[j] == 0)
                continue;
            double term = ilk_count_term(x);
            for (size_t k = 0; k < s->K; k++)
                log_joint[i * s->K + k] += k == rows->label[i] ? without(&l, k * s->d + j, l.mean[j], x, term, w)
                                                               : cell_density(&l, k * s->d + j, x, term);
        }
    }
}

/* ---- sample.   MATH section 11 */

/* Gamma of shape r and mean r: Marsaglia & Tsang (2000); below 1, that of r + 1 times u^(1/r). */
static double draw_gamma(ilk_rng *rng, double r) {
    if (r < 1) {
        double less = exp(-ilk_rng_exponential(rng) / r);
        return draw_gamma(rng, r + 1) * less;
    }
    double d = r - 1 / 3.0, c = 1 / sqrt(9 * d);
    for (;;) {
        double z = ilk_rng_normal(rng), v = 1 + c * z;
        v = v * v * v;
        if (v > 0 && -ilk_rng_exponential(rng) < 0.5 * z * z + d * (1 - v + log(v)))
            return d * v;
    }
}

/* Poisson with a rate that is gamma of mean `rate` and shape 1/a. */
static void sample(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        size_t i = k * s->d + j;
        double rate = l.rate[i], r = 1 / l.a[i];
        if (r < 1e15) /* above, the gamma is its mean to the last digits */
            rate *= draw_gamma(rng, r) / r;
        out->x[j] = fmin(ilk_rng_poisson(rng, fmin(rate, MOST)), MOST);
    }
}

/* ---- explain, describe, validate */

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        double x = row->x[j], part = 0;
        if (isnan(x))
            continue;
        if (l.mean[j] > 0) /* without the term that both have */
            part = cell_density(&l, a * s->d + j, x, 0) - cell_density(&l, b * s->d + j, x, 0);
        ILK_TRY(to->fn(to->ctx, &(ilk_part){.column = s->column[j], .x = x, .contribution = part}));
    }
    return ILK_OK;
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    layout l = at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        for (size_t k = 0; k < s->K; k++) {
            ilk_fact fact = {"mu",        "negative-binomial",  s->column[j], {"", 0},
                             (uint32_t)k, l.rate[k * s->d + j], NAN,          NAN};
            ILK_TRY(to->fn(to->ctx, &fact));
            fact.quantity = "dispersion";
            fact.value = l.a[k * s->d + j];
            ILK_TRY(to->fn(to->ctx, &fact));
        }
    }
    return ilk_describe_size(to, "negative-binomial", 2 * (double)s->d, 2 * (double)s->d * (double)s->K);
}

/* -0 would do as a sum, but 1/a of it is -inf. */
static bool is_sum(double x) {
    return isfinite(x) && !signbit(x);
}

static bool validate(const double *p, const ilk_shape *s) {
    layout l = at(p, s);
    for (size_t i = 0; i < s->K * s->d; i++) {
        bool silent = l.mean[i % s->d] == 0;
        if (!is_sum(l.rate[i]) || !is_sum(l.a[i]) || !is_sum(l.n[i]) || !is_sum(l.sum[i]) || !is_sum(l.M2[i]) ||
            (l.n[i] == 0 && l.sum[i] + l.M2[i] > 0) || !isfinite(l.a[i] * l.rate[i]) ||
            !(silent || l.log_rate[i] == log(l.rate[i]) || fabs(l.log_rate[i] - log(l.rate[i])) < 1e-6))
            return false;
    }
    for (size_t j = 0; j < s->d; j++)
        if (!is_sum(l.mean[j]))
            return false;
    return is_sum(*l.less) && is_sum(*l.alpha);
}

const ilk_family ilk_negative_binomial = {
    .name = "negative-binomial",
    .summary = "counts that vary more than Poisson's",
    .kind = ILK_REAL,
    .layout = ILK_LAYOUT_DIAGONAL,
    .size = size,
    .estimate = estimate,
    .accepts = accepts,
    .score = score,
    .score_relative = score_relative,
    .score_without = score_without,
    .sample = sample,
    .explain = explain,
    .describe = describe,
    .validate = validate,
};
