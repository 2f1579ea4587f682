/* SPDX-License-Identifier: Apache-2.0 */
/* moments.c - see moments.h: the store, its units, rows added one by one, merging, and what a file may hold. */
#include "model/moments_record.h"
#include "core/least.h"
#include "core/memory.h"
#include "families/family.h"
#include "kernels/kernels.h"
#include "model/counts.h"

#include <float.h>
#include <math.h>
#include <string.h>

void ilk_moments_init(ilk_moments *m, bool full, size_t d) {
    *m = (ilk_moments){.full = full, .d = d, .record = ilk_record_size(full, d), .limit = SIZE_MAX};
}

void ilk_moments_init_like(ilk_moments *m, const ilk_moments *like) {
    ilk_moments_init(m, like->full, like->d);
    m->limit = like->pooled ? 0 : SIZE_MAX;
}

void ilk_moments_free(ilk_moments *m) {
    ilk_free(m->data);
    ilk_free(m->pool);
    ilk_free(m->exponent);
    m->data = m->pool = NULL;
    m->exponent = NULL;
}

static void reset_units(ilk_moments *m) {
    for (size_t j = 0; j < m->d; j++)
        m->exponent[j] = -ILK_UNIT;
}

static bool passes_limit(const ilk_moments *m, size_t K) {
    return m->full && (double)K * (double)m->d * (double)m->d > (double)m->limit;
}

void ilk_moments_settle(ilk_moments *m) {
    if (!m->pooled && passes_limit(m, m->K))
        ilk_moments_pool(m);
}

ilk_status ilk_moments_grow(ilk_moments *m, size_t K) {
    if (K <= m->K)
        return ILK_OK;
    if (!m->exponent) {
        m->exponent = ilk_alloc(m->d, sizeof *m->exponent);
        if (!m->exponent)
            return ILK_ENOMEM;
        reset_units(m);
    }
    if (!m->pooled && passes_limit(m, K)) {
        ILK_TRY(ilk_moments_prepare_pool(m));
        if (m->K == 0)
            ilk_moments_pool(m);
    }
    if (ilk_grow(&m->data, &m->cap, K + 1, m->record * sizeof *m->data))
        return ILK_ENOMEM;
    memset(ilk_moments_record(m, m->K), 0, (K - m->K) * m->record * sizeof *m->data);
    m->K = K;
    return ILK_OK;
}

void ilk_moments_clear(ilk_moments *m) {
    if (m->K) {
        memset(m->data, 0, m->K * m->record * sizeof *m->data);
        reset_units(m);
    }
    if (m->pooled)
        memset(m->pool, 0, (m->d + m->d * m->d) * sizeof *m->pool);
}

void ilk_moments_empty(ilk_moments *m) {
    size_t before = m->record;
    if (m->pooled)
        memset(m->pool, 0, (m->d + m->d * m->d) * sizeof *m->pool);
    if (m->exponent)
        reset_units(m);
    m->record = ilk_record_size(m->full, m->d);
    m->cap = m->cap * before / m->record;
    m->pooled = false;
    m->K = 0;
}

void ilk_moments_forget(ilk_moments *m, size_t k) {
    memset(m->data + k * m->record, 0, m->record * sizeof *m->data);
}

double ilk_moments_rows(const ilk_moments *m, size_t k) {
    ilk_record p = ilk_record_of(m, k);
    double most = 0;
    for (size_t j = 0; j < (m->full ? 1 : m->d); j++)
        most = fmax(most, p.n[j]);
    return most;
}

/* ---- units */

static int exponent_for(double most) {
    return most >= 0x1p480 ? ILK_UNIT : most < 0x1p-300 ? -ILK_UNIT : 0; /* 2^53 squares of 2^480 are finite */
}

/* Column j in the next larger units. A full scatter has it in a row and in a column of the lower triangle, and twice in
 * their crossing. */
static void scale_scatter(const ilk_moments *m, const ilk_record *p, size_t j) {
    const double f = 0x1p-700;
    size_t d = m->d;
    p->peak[j] = p->peak[j] * f * f;
    if (!m->full)
        p->S[j] = p->S[j] * f * f;
    for (size_t i = 0; m->full && i <= j; i++)
        p->S[j * d + i] *= f;
    for (size_t i = j; m->full && i < d; i++)
        p->S[i * d + j] *= f;
}

static void scale_column(const ilk_moments *m, const ilk_record *p, size_t j) {
    p->mean[j] *= 0x1p-700;
    scale_scatter(m, p, j);
}

/* The same of a pooled store: the scatter once. */
static void scale_pool(const ilk_moments *m, size_t j) {
    for (size_t k = 0; k < m->K; k++)
        ilk_record_of(m, k).mean[j] *= 0x1p-700;
    ilk_record all = ilk_record_of(m, 0);
    scale_scatter(m, &all, j);
}

/* Larger units for column j, where values are larger than any before. A class without rows has nothing but zeros. */
static void raise_unit(ilk_moments *m, size_t j, int exponent) {
    for (; m->exponent[j] < exponent; m->exponent[j] += ILK_UNIT) {
        if (m->pooled)
            scale_pool(m, j);
        for (size_t k = 0; !m->pooled && k < m->K; k++) {
            ilk_record p = ilk_record_of(m, k);
            if (p.n[m->full ? 0 : j] > 0)
                scale_column(m, &p, j);
        }
    }
}

/* Make X's values fit the units and put them into them. */
static void take_units(ilk_moments *m, double *X, size_t n) {
    for (size_t j = 0; j < m->d; j++) {
        double most = 0;
        for (size_t i = 0; i < n; i++)
            most = fmax(most, fabs(X[i * m->d + j])); /* NaN left out */
        raise_unit(m, j, exponent_for(most));
        for (size_t i = 0; m->exponent[j] != 0 && i < n; i++)
            X[i * m->d + j] *= ldexp(1, -m->exponent[j]);
    }
}

ilk_record ilk_record_in_units(const ilk_moments *m, const ilk_moments *from, size_t k) {
    if (memcmp(m->exponent, from->exponent, m->d * sizeof *m->exponent) == 0)
        return ilk_record_of(from, k);
    ilk_record p = ilk_record_scratch(m), q = ilk_record_of(from, k);
    size_t d = m->d;
    memcpy(p.n, q.n, (m->full ? 1 : d) * sizeof *p.n);
    memcpy(p.mean, q.mean, d * sizeof *p.mean);
    memcpy(p.peak, q.peak, d * sizeof *p.peak);
    memcpy(p.S, q.S, (m->full ? d * d : d) * sizeof *p.S);
    for (size_t j = 0; j < d; j++)
        for (int e = from->exponent[j]; e < m->exponent[j]; e += ILK_UNIT)
            scale_column(m, &p, j);
    return p;
}

/* ---- adding rows one by one: with weights, missing values, or in other units */

/* Subtract the weighted mean of n complete rows from them, which is found from the first row that counts: of equal values
 * nothing is left then. `rest` becomes the weighted sum of what X then holds, 0 but for rounding, and `mean` is corrected
 * by it. Returns the sum of the weights; if that is 0 there is no mean. */
static double center(double *X, const double *w, size_t n, size_t d, double *mean, double *rest) {
    double W = 0;
    size_t first = 0;
    while (w && first + 1 < n && w[first] == 0)
        first++;
    memcpy(mean, X + first * d, d * sizeof *mean);
    memset(rest, 0, d * sizeof *rest);
    for (size_t i = first; i < n; i++) {
        double wi = w ? w[i] : 1;
        W += wi;
        for (size_t j = 0; j < d; j++)
            rest[j] += wi * (X[i * d + j] - mean[j]);
    }
    for (size_t j = 0; j < d; j++) {
        mean[j] += rest[j] / W;
        rest[j] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        double wi = w ? w[i] : 1;
        for (size_t j = 0; j < d; j++) {
            X[i * d + j] -= mean[j];
            rest[j] += wi * X[i * d + j];
        }
    }
    for (size_t j = 0; j < d; j++)
        mean[j] += rest[j] / W;
    return W;
}

/* Y' Y of n rows into the lower triangle of S. */
static void add_products(double *S, const double *Y, size_t n, size_t d, double *scratch) {
    static const uint32_t one_group[ILK_STRIP];
    const ilk_kernels *kernels = ilk_kernels_use();
    size_t padded = ilk_padded(d);
    ilk_strip strip = {.packed = scratch + 2 * padded, .shift = scratch, .sum = scratch + padded};
    memset(scratch, 0, 2 * padded * sizeof *scratch);
    for (size_t done = 0; done < n; done += strip.n) {
        strip.n = 0;
        strip.room = ilk_least(n - done, ILK_STRIP);
        kernels->pack(&strip, Y + done * d, one_group, strip.room, d);
        kernels->syrk(S, &strip, d, NULL, 0);
    }
}

static void add_full(ilk_moments *m, ilk_record *p, double *X, const double *w, size_t n, double *scratch) {
    size_t d = m->d;
    double *mean = scratch, *rest = mean + d, *delta = rest + d, W = center(X, w, n, d, mean, rest), before = *p->n;
    double after = before + W;
    if (W == 0)
        return;
    for (size_t i = 0; w && i < n; i++)
        for (size_t j = 0; j < d; j++)
            X[i * d + j] *= sqrt(w[i]);
    add_products(p->S, X, n, d, delta + d);
    for (size_t j = 0; j < d; j++) {
        delta[j] = mean[j] - p->mean[j];
        p->mean[j] += delta[j] * (W / after);
    }
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            p->S[i * d + j] += delta[i] * delta[j] * (before * (W / after)) - rest[i] * rest[j] / W;
    for (size_t j = 0; j < d; j++)
        p->S[j * d + j] = fmax(0, p->S[j * d + j]); /* of one row, or one value, rounding alone is left */
    *p->n = after;
}

/* Chan's update of (n, mean, S), all 0 where there is no row yet, by another group. */
static void merge_column(double *n, double *mean, double *S, double other_n, double other_mean, double other_S) {
    if (!(other_n > 0))
        return;
    double before = *n, after = before + other_n, delta = other_mean - *mean;
    *S += other_S + delta * delta * (before * (other_n / after));
    *mean += delta * (other_n / after);
    *n = after;
}

static void add_complete_columns(ilk_moments *m, ilk_record *p, double *X, const double *w, size_t n, double *scratch) {
    size_t d = m->d;
    double *mean = scratch, *rest = mean + d, *S = rest + d, W = center(X, w, n, d, mean, rest);
    if (W == 0)
        return;
    memset(S, 0, d * sizeof *S);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            S[j] += (w ? w[i] : 1) * X[i * d + j] * X[i * d + j];
    for (size_t j = 0; j < d; j++)
        merge_column(&p->n[j], &p->mean[j], &p->S[j], W, mean[j], fmax(0, S[j] - rest[j] * rest[j] / W));
}

/* One column with values missing: the same, among those present. */
static void add_column(ilk_record *p, const double *X, const double *w, size_t n, size_t d, size_t j) {
    double shift = NAN, sum = 0, W = 0, S = 0;
    for (size_t i = 0; i < n; i++) {
        double x = X[i * d + j], wi = w ? w[i] : 1;
        if (isnan(x) || wi == 0)
            continue;
        if (isnan(shift))
            shift = x;
        W += wi;
        sum += wi * (x - shift);
    }
    if (W == 0)
        return;
    double mean = shift + sum / W, rest = 0;
    for (size_t i = 0; i < n; i++) {
        double x = X[i * d + j] - mean, wi = w ? w[i] : 1;
        S += isnan(x) ? 0 : wi * x * x;
        rest += isnan(x) ? 0 : wi * x;
    }
    merge_column(&p->n[j], &p->mean[j], &p->S[j], W, mean + rest / W, S);
}

size_t ilk_moments_scratch(const ilk_moments *m, size_t groups, size_t n) {
    size_t d = m->d, width = m->full ? ilk_kernels_use()->packed_width(d) : 0;
    return ilk_most(3 * d + 2 * ilk_padded(d) + ILK_STRIP * width, ilk_moments_learn_scratch(m, groups, n));
}

void ilk_moments_add(ilk_moments *m, size_t k, double *X, const double *w, size_t n, bool complete, double *scratch) {
    if (n == 0)
        return;
    take_units(m, X, n);
    ilk_record p = ilk_record_of(m, k);
    if (m->full)
        add_full(m, &p, X, w, n, scratch);
    else if (complete)
        add_complete_columns(m, &p, X, w, n, scratch);
    else
        for (size_t j = 0; j < m->d; j++)
            add_column(&p, X, w, n, m->d, j);
    ilk_record_raise_peaks(m, &p);
}

/* ---- merging */

/* Into a record that has no rows yet. */
static void copy_full(size_t d, ilk_record *p, const ilk_record *q) {
    *p->n = *q->n;
    memcpy(p->mean, q->mean, d * sizeof *p->mean);
    for (size_t i = 0; i < d; i++)
        memcpy(p->S + i * d, q->S + i * d, (i + 1) * sizeof *p->S);
}

static void merge_full(size_t d, ilk_record *p, const ilk_record *q) {
    double before = *p->n, n = *q->n, after = before + n;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            double di = q->mean[i] - p->mean[i], dj = q->mean[j] - p->mean[j];
            p->S[i * d + j] += q->S[i * d + j] + di * dj * (before * (n / after));
        }
    for (size_t j = 0; j < d; j++)
        p->mean[j] += (q->mean[j] - p->mean[j]) * (n / after);
    *p->n = after;
}

static bool has_rows(const ilk_moments *m) {
    for (size_t k = 0; k < m->K; k++)
        if (ilk_moments_rows(m, k) > 0)
            return true;
    return false;
}

void ilk_moments_merge(ilk_moments *m, const ilk_moments *from, const uint32_t *map) {
    if (from->pooled && !m->pooled && has_rows(from))
        ilk_moments_pool(m);
    for (size_t j = 0; from->K && j < m->d; j++)
        raise_unit(m, j, from->exponent[j]);
    if (m->pooled) {
        ilk_pool_merge(m, from, map);
        return;
    }
    for (size_t k = 0; k < from->K; k++) {
        if (!(ilk_moments_rows(from, k) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[k]), q = ilk_record_in_units(m, from, k);
        if (m->full)
            (*p.n > 0 ? merge_full : copy_full)(m->d, &p, &q);
        else
            for (size_t j = 0; j < m->d; j++)
                merge_column(&p.n[j], &p.mean[j], &p.S[j], q.n[j], q.mean[j], q.S[j]);
        for (size_t j = 0; j < m->d; j++)
            p.peak[j] = fmax(p.peak[j], q.peak[j]);
        ilk_record_raise_peaks(m, &p);
    }
}

/* ---- from a file */

/* Sums that n rows could have given, whose values are below 2^480 in their unit (exponent_for): then all that merging
 * makes of them is finite too, because the sum of squares, scatter + n mean^2, is at most n 2^960 before and after. No
 * rows have all 0. */
static bool sums_valid(double n, double mean, double S, double peak) {
    const double most = 0x1p961;
    return n >= 0 && S >= 0 && S + n * (mean * mean) <= n * most && peak >= 0 &&
           peak <= fmax(n, ILK_COUNT_MAX) * most && (n > 0 || mean == 0);
}

static bool column_valid(const ilk_moments *m, const ilk_record *p, size_t j) {
    double n = p->n[m->full ? 0 : j];
    return n <= ILK_COUNT_MAX && sums_valid(n, p->mean[j], p->S[j * p->step], p->peak[j]);
}

/* Cauchy and Schwarz, but for rounding, which is relative to the sums of squares; and a square may be less than the
 * least number there is, where a product is not. */
static bool product_valid(const ilk_moments *m, const ilk_record *p, size_t i, size_t j) {
    double n = *p->n, Si = p->S[i * p->step] + n * DBL_MIN, Sj = p->S[j * p->step] + n * DBL_MIN;
    double squares = sqrt(Si + n * (p->mean[i] * p->mean[i])) * sqrt(Sj + n * (p->mean[j] * p->mean[j]));
    return fabs(p->S[i * m->d + j]) <= (1 + 1e-5) * sqrt(Si) * sqrt(Sj) + 1e-9 * squares;
}

static bool all_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool products_valid(const ilk_moments *m, const ilk_record *p) {
    for (size_t j = 0; j < m->d; j++)
        for (size_t i = 0; i < j; i++)
            if (!product_valid(m, p, j, i))
                return false;
    return true;
}

/* A pooled scatter is judged beside all rows, as if their classes had one mean: the root of the mean square. */
static bool pool_valid(const ilk_moments *m) {
    ilk_record all = ilk_record_scratch(m), p = ilk_record_of(m, 0);
    *all.n = 0;
    memset(all.mean, 0, m->d * sizeof *all.mean);
    all.peak = p.peak;
    all.S = p.S;
    for (size_t k = 0; k < m->K; k++) {
        p = ilk_record_of(m, k);
        *all.n += *p.n;
        for (size_t j = 0; j < m->d; j++) {
            if (!(*p.n <= ILK_COUNT_MAX) || !sums_valid(*p.n, p.mean[j], 0, 0))
                return false;
            if (*p.n > 0)
                all.mean[j] += (p.mean[j] * p.mean[j] - all.mean[j]) * (*p.n / *all.n);
        }
    }
    for (size_t j = 0; j < m->d; j++)
        all.mean[j] = sqrt(all.mean[j]);
    for (size_t j = 0; j < m->d; j++)
        if (!sums_valid(*all.n, all.mean[j], all.S[j * all.step], all.peak[j]))
            return false;
    return products_valid(m, &all);
}

bool ilk_moments_valid(const ilk_moments *m) {
    if (!all_finite(m->data, m->K * m->record) || (m->pooled && !all_finite(m->pool, m->d + m->d * m->d)))
        return false;
    for (size_t j = 0; m->K && j < m->d; j++)
        if (m->exponent[j] < -ILK_UNIT || m->exponent[j] > ILK_UNIT || m->exponent[j] % ILK_UNIT)
            return false;
    if (m->pooled)
        return pool_valid(m);
    for (size_t k = 0; k < m->K; k++) {
        ilk_record p = ilk_record_of(m, k);
        for (size_t j = 0; j < m->d; j++)
            if (!column_valid(m, &p, j))
                return false;
        if (m->full && !products_valid(m, &p))
            return false;
    }
    return true;
}
