/* SPDX-License-Identifier: Apache-2.0 */
/* moments_remove.c - see moments.h: Chan's update solved for the group that stays, and when that is not to be
 * trusted.   MATH section 13 */
#include "model/moments_record.h"

#include <float.h>

/* How many rows have a value in column j. */
static double rows_in(const ilk_moments *m, const ilk_record *p, size_t j) {
    return p->n[m->full ? 0 : j];
}

static double mean_after(double n, double mean, double gone, double gone_mean) {
    return mean + (mean - gone_mean) * (gone / (n - gone));
}

static double scatter_after(const ilk_record *p, const ilk_record *q, size_t i, size_t j, size_t at, double n,
                            double gone) {
    double left = n - gone, di = q->mean[i] - mean_after(n, p->mean[i], gone, q->mean[i]);
    double dj = q->mean[j] - mean_after(n, p->mean[j], gone, q->mean[j]);
    return p->S[at] - q->S[at] - di * dj * (left * (gone / n));
}

/* Column j's peak once `gone` is gone: eps × peak is about the error that its scatter carries. Means are known to half
 * an eps, which of the mean that stays is E eps: large where the values are far from 0 beside their spread.
 * Where nothing ever varied there is nothing to be wrong. */
static double peak_after(const ilk_record *p, const ilk_record *q, size_t j, double n, double gone) {
    double left = n - gone, E = 0.5 * (fabs(p->mean[j]) * (n / left) + fabs(q->mean[j]));
    double delta = fabs(q->mean[j] - mean_after(n, p->mean[j], gone, q->mean[j]));
    double more = (2 * delta + DBL_EPSILON * E) * E * (left * (gone / n));
    return p->peak[j] > 0 ? fmin(p->peak[j] + more, n * 0x1p961) : 0;
}

/* What is left of a scatter must stand well above its error. */
static bool is_eaten(double S, double peak) {
    return DBL_EPSILON * peak > 1e-6 * S;
}

/* The scatter of a column that stays. What does not stand above rounding is 0: ilk_moments_removable has found that it
 * may be. */
static double own_scatter_after(const ilk_record *p, const ilk_record *q, size_t j, double n, double gone) {
    double S = scatter_after(p, q, j, j, j * p->step, n, gone);
    return is_eaten(S, peak_after(p, q, j, n, gone)) ? 0 : S;
}

/* Whole numbers, each of weight 1, that are not all the same have a scatter of (n - 1) / n or more: at least 1/2. */
static bool is_constant(const ilk_moments *m, size_t j, double most, bool whole) {
    double one = ldexp(1, -m->exponent[j]);
    return whole && most < 0.5 * one * one;
}

/* Into within[d], the variance of each column within the classes once `from` is gone; there is room for 2 d. */
static void find_within(double *within, const ilk_moments *m, const ilk_moments *from, const uint32_t *map) {
    double *rows = within + m->d;
    for (size_t j = 0; j < 2 * m->d; j++)
        within[j] = 0;
    for (size_t k = 0; k < m->K; k++) {
        ilk_record p = ilk_record_of(m, k);
        for (size_t j = 0; j < m->d; j++) {
            within[j] += p.S[j * p.step];
            rows[j] += rows_in(m, &p, j);
        }
    }
    for (size_t c = 0; c < from->K; c++) {
        if (!(ilk_moments_rows(from, c) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[c]), q = ilk_record_in_units(m, from, c);
        for (size_t j = 0; j < m->d; j++) {
            double n = rows_in(m, &p, j), gone = rows_in(m, &q, j);
            within[j] -= p.S[j * p.step] - (n > gone ? own_scatter_after(&p, &q, j, n, gone) : 0);
            rows[j] -= gone;
        }
    }
    for (size_t j = 0; j < m->d; j++)
        within[j] = rows[j] > 0 ? within[j] / rows[j] : 0;
}

/* May the scatter that is left be hidden by rounding? Where it is none, or so little beside that of other classes that
 * no model would be another: less than the floor of variances, and nothing in their sum. */
static bool may_be_eaten(const ilk_moments *m, size_t j, double S, double peak, double left, double within,
                         bool whole) {
    double most = fabs(S) + 1000 * DBL_EPSILON * peak; /* the error may well be a hundred eps × peak */
    return is_constant(m, j, most, whole) || most < 1e-9 * left * within;
}

static ilk_removal column_removable(const ilk_moments *m, const ilk_record *p, const ilk_record *q, size_t j,
                                    double within, bool whole) {
    double n = rows_in(m, p, j), gone = rows_in(m, q, j), left = n - gone;
    if (left < 0)
        return ILK_REMOVES_MORE_THAN_THERE_IS;
    if (gone == 0 || left == 0 || left == 1 || p->peak[j] == 0) /* a single row has no scatter */
        return ILK_REMOVABLE;
    double S = scatter_after(p, q, j, j, j * p->step, n, gone), peak = peak_after(p, q, j, n, gone);
    return is_eaten(S, peak) && !may_be_eaten(m, j, S, peak, left, within, whole) ? ILK_REMOVES_TOO_MUCH_SCATTER
                                                                                  : ILK_REMOVABLE;
}

/* Is there something to take away of a class, in units larger than all that was learnt? */
static bool is_foreign(const ilk_moments *m, const ilk_moments *from, const uint32_t *map, size_t *k, size_t *column) {
    for (size_t c = 0; c < from->K; c++)
        for (size_t j = 0; ilk_moments_rows(from, c) > 0 && j < m->d; j++)
            if (from->exponent[j] > m->exponent[j]) {
                *k = map[c];
                *column = j;
                return true;
            }
    return false;
}

ilk_removal ilk_moments_removable(const ilk_moments *m, const ilk_moments *from, const uint32_t *map, bool whole,
                                  double *scratch, size_t *k, size_t *column) {
    if (is_foreign(m, from, map, k, column))
        return ILK_REMOVES_MORE_THAN_THERE_IS;
    find_within(scratch, m, from, map);
    for (size_t c = 0; c < from->K; c++) {
        if (!(ilk_moments_rows(from, c) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[c]), q = ilk_record_in_units(m, from, c);
        for (size_t j = 0; j < m->d; j++) {
            ilk_removal why = column_removable(m, &p, &q, j, scratch[j], whole);
            if (why != ILK_REMOVABLE) {
                *k = map[c];
                *column = j;
                return why;
            }
        }
    }
    return ILK_REMOVABLE;
}

static void subtract_full(size_t d, ilk_record *p, const ilk_record *q) {
    double n = *p->n, gone = *q->n;
    for (size_t i = 0; i < d; i++) {
        p->S[i * d + i] = own_scatter_after(p, q, i, n, gone);
        for (size_t j = 0; j < i; j++) /* no column varies with one that does not */
            p->S[i * d + j] =
                p->S[i * d + i] == 0 || p->S[j * d + j] == 0 ? 0 : scatter_after(p, q, i, j, i * d + j, n, gone);
    }
    for (size_t j = 0; j < d; j++) {
        p->peak[j] = peak_after(p, q, j, n, gone);
        p->mean[j] = mean_after(n, p->mean[j], gone, q->mean[j]);
    }
    *p->n = n - gone;
}

static void subtract_column(const ilk_moments *m, ilk_record *p, const ilk_record *q, size_t j, bool whole) {
    double n = p->n[j], gone = q->n[j];
    if (!(n > gone)) {
        p->n[j] = p->mean[j] = p->S[j] = p->peak[j] = 0; /* as if there never had been a row */
        return;
    }
    double S = own_scatter_after(p, q, j, n, gone), mean = mean_after(n, p->mean[j], gone, q->mean[j]);
    p->peak[j] = peak_after(p, q, j, n, gone);
    p->mean[j] = whole && S == 0 ? ldexp(round(ldexp(mean, m->exponent[j])), -m->exponent[j]) : mean;
    p->S[j] = S;
    p->n[j] = n - gone;
}

void ilk_moments_subtract(ilk_moments *m, const ilk_moments *from, const uint32_t *map, bool whole) {
    for (size_t k = 0; k < from->K; k++) {
        if (!(ilk_moments_rows(from, k) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[k]), q = ilk_record_in_units(m, from, k);
        if (m->full && *p.n > *q.n)
            subtract_full(m->d, &p, &q);
        else if (m->full)
            ilk_moments_forget(m, map[k]);
        else
            for (size_t j = 0; j < m->d; j++)
                subtract_column(m, &p, &q, j, whole);
    }
}
