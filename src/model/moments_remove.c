/* SPDX-License-Identifier: Apache-2.0 */
/* moments_remove.c - see moments.h: Chan's update solved for the group that stays, and when that is not to be
 * trusted.   MATH section 13 */
#include "model/moments_record.h"

#include <float.h>
#include <string.h>

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

/* How much a removal adds to a column's peak; eps × peak is about the error of its scatter. The remaining mean is known
 * only to eps × E, which matters where values are large beside their spread. */
static double error_of_means(const ilk_record *p, const ilk_record *q, size_t j, double n, double gone) {
    double left = n - gone, E = 0.5 * (fabs(p->mean[j]) * (n / left) + fabs(q->mean[j]));
    double delta = fabs(q->mean[j] - mean_after(n, p->mean[j], gone, q->mean[j]));
    return (2 * delta + DBL_EPSILON * E) * E * (left * (gone / n));
}

/* A column that never varied has no error. */
static double peak_after(const ilk_record *p, const ilk_record *q, size_t j, double n, double gone) {
    return p->peak[j] > 0 ? fmin(p->peak[j] + error_of_means(p, q, j, n, gone), n * 0x1p961) : 0;
}

/* What is left of a scatter must stand well above its error. */
static bool is_eaten(double S, double peak) {
    return DBL_EPSILON * peak > 1e-6 * S;
}

/* What stays of a column by itself. */
typedef struct rest {
    double left, mean, S, peak;
    double doubt; /* what the scatter may be at most, where rounding hides it and S is therefore 0; else 0 */
} rest;

/* Sums of weights are rounded: what is that little beside them is nothing. */
static double rows_after(double n, double gone, ilk_known known) {
    double left = n - gone;
    return known.rows || fabs(left) > 1e-9 * n ? left : 0;
}

/* Are counts, and rows, whole numbers here? Not in units in which 1 is nothing. */
static bool is_whole(const ilk_moments *m, size_t j, ilk_known known) {
    return known.counts && known.rows && m->exponent[j] == 0;
}

/* Is the mean of counts 0, as far as rounding tells? Then they all are. What was added up was sqrt(n peak) or less, by
 * Cauchy and Schwarz, and the error may well be a hundred eps of it. But the sum of whole counts is 0 or at least 1. */
static bool is_zero(const rest *r, double n, bool whole) {
    double sum = r->left * r->mean;
    return fabs(sum) <= 1000 * DBL_EPSILON * sqrt(n * r->peak) && !(whole && sum > 0.5);
}

static rest rest_of(const ilk_moments *m, const ilk_record *p, const ilk_record *q, size_t j, ilk_known known) {
    double n = rows_in(m, p, j), gone = rows_in(m, q, j);
    rest r = {rows_after(n, gone, known), p->mean[j], p->S[j * p->step], p->peak[j], 0};
    if (gone == 0)
        return r;
    if (!(r.left > 0))
        return (rest){.left = r.left};
    r.mean = mean_after(n, p->mean[j], gone, q->mean[j]);
    r.S = scatter_after(p, q, j, j, j * p->step, n, gone);
    r.peak = peak_after(p, q, j, n, gone);
    if (known.counts && is_zero(&r, n, is_whole(m, j, known))) {
        r.mean = r.S = 0;
    } else if (r.peak == 0 || (known.rows && r.left == 1)) { /* nothing ever varied, or a single row stays */
        r.S = 0;
    } else if (is_eaten(r.S, r.peak)) {
        r.doubt = fabs(r.S) + 1000 * DBL_EPSILON * r.peak; /* the error may well be a hundred eps × peak */
        r.S = 0;
        if (is_whole(m, j, known) && r.doubt < 0.5) { /* whole counts that differ have (n - 1) / n or more */
            r.mean = round(r.mean);
            r.doubt = 0;
        }
    }
    return r;
}

/* What stays of a column in all classes together. */
typedef struct all_rest {
    double rows, mean, between; /* between is the scatter of the classes' means, each of which counts as its rows */
    double within, peak;        /* sums; within becomes the variance within the classes */
} all_rest;

static void add_class(all_rest *all, const rest *r) {
    if (!(r->left > 0))
        return;
    double n = all->rows + r->left, delta = r->mean - all->mean;
    all->between += delta * delta * (all->rows * (r->left / n));
    all->mean += delta * (r->left / n);
    all->rows = n;
    all->within += r->S;
    all->peak += r->peak;
}

/* Into all[d]. `of` has room for a number per class: which of `from` it loses, from 1 on. */
static void find_rest(all_rest *all, double *of, const ilk_moments *m, const ilk_moments *from, const uint32_t *map,
                      ilk_known known) {
    memset(all, 0, m->d * sizeof *all);
    memset(of, 0, m->K * sizeof *of);
    for (size_t c = 0; c < from->K; c++)
        if (ilk_moments_rows(from, c) > 0)
            of[map[c]] = (double)c + 1;
    for (size_t k = 0; k < m->K; k++) {
        ilk_record p = ilk_record_of(m, k), q = of[k] > 0 ? ilk_record_in_units(m, from, (size_t)of[k] - 1) : p;
        for (size_t j = 0; j < m->d; j++) {
            rest r = {rows_in(m, &p, j), p.mean[j], p.S[j * p.step], p.peak[j], 0};
            if (of[k] > 0)
                r = rest_of(m, &p, &q, j, known);
            add_class(&all[j], &r);
        }
    }
    for (size_t j = 0; j < m->d; j++)
        all[j].within /= all[j].rows; /* where no row stays nobody asks */
}

/* May the remaining scatter be lost in rounding without harm? Yes if it is under 1e-9 of the variance within the
 * classes: the default variance floor then hides it, and a sum over classes does not show it. Counts have no floor: for
 * them it must also give less than a Poisson's variance, the mean, whether it is divided by n or n - 1. */
static bool may_be_hidden(const ilk_moments *m, size_t j, const rest *r, double within, ilk_known known) {
    double rows = r->left > 1 ? r->left - 1 : r->left;
    return r->doubt < 1e-9 * r->left * within && (!known.counts || (m->exponent[j] == 0 && r->doubt < rows * r->mean));
}

/* Where a column varies in no class any more, models tell classes apart by the means alone: are their differences what
 * removals have made of equal values? Counts have a variance all the same. */
static bool is_left_to_rounding(const all_rest *all, ilk_known known) {
    return !known.counts && all->within == 0 && all->between > 0 && is_eaten(all->between, all->peak);
}

static ilk_removal column_removable(const ilk_moments *m, const ilk_record *p, const ilk_record *q, size_t j,
                                    const all_rest *all, ilk_known known) {
    rest r = rest_of(m, p, q, j, known);
    if (r.left < 0)
        return ILK_REMOVES_MORE_THAN_THERE_IS;
    if (known.counts && r.mean < 0)
        return ILK_REMOVES_WHAT_WAS_NEVER_THERE;
    bool hidden = r.doubt > 0 && !may_be_hidden(m, j, &r, all->within, known);
    return hidden || is_left_to_rounding(all, known) ? ILK_REMOVES_TOO_MUCH_SCATTER : ILK_REMOVABLE;
}

/* Has `from` a column in larger units than m? Then it has values larger than any that were learnt. */
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

/* ---- one scatter for all classes: it is judged as a whole, and so is what a removal does to it */

/* A class of so many rows has no scatter. A weight of 1 may be that of several rows, unless known.rows. */
static double lone(ilk_known known) {
    return known.rows ? 1 : 0;
}

/* Do rows stay that could differ from others of their class? */
static bool pool_varies(const ilk_moments *m, const ilk_moments *from, const uint32_t *map, ilk_known known) {
    size_t classes = 0;
    for (size_t k = 0; k < m->K; k++)
        classes += *ilk_record_of(m, k).n > lone(known);
    for (size_t c = 0; c < from->K; c++) {
        double n = *ilk_record_of(m, map[c]).n, left = rows_after(n, ilk_moments_rows(from, c), known);
        classes -= n > lone(known) && left <= lone(known);
    }
    return classes > 0;
}

/* A peak of all classes when class p, of n rows, loses q. */
static double pool_peak_after(double peak, const ilk_record *p, const ilk_record *q, size_t j) {
    return peak > 0 ? fmin(peak + error_of_means(p, q, j, *p->n, *q->n), 0x1p1014) : 0;
}

/* What is left of the diagonal and its peaks, when class p loses q's rows, but not all it has; q's own scatter apart. */
static void take_diagonal(size_t d, double *S, double *peak, const ilk_record *p, const ilk_record *q) {
    double n = *p->n, gone = *q->n;
    for (size_t j = 0; j < d; j++) {
        double delta = q->mean[j] - mean_after(n, p->mean[j], gone, q->mean[j]);
        S[j] -= delta * delta * ((n - gone) * (gone / n));
        peak[j] = pool_peak_after(peak[j], p, q, j);
    }
}

static ilk_removal pool_removable(const ilk_moments *m, const ilk_moments *from, const uint32_t *map, ilk_known known,
                                  double *scratch, size_t *k, size_t *column) {
    double *S = scratch, *peak = S + m->d;
    bool taken = false;
    for (size_t j = 0; j < m->d; j++) {
        S[j] = m->pool[m->d + j * (m->d + 1)];
        peak[j] = m->pool[j];
    }
    for (size_t c = 0; c < from->K; c++) {
        if (!(ilk_moments_rows(from, c) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[c]), q = ilk_record_in_units(m, from, c);
        double left = rows_after(*p.n, *q.n, known);
        *k = map[c];
        *column = 0;
        if (left < 0)
            return ILK_REMOVES_MORE_THAN_THERE_IS;
        for (size_t j = 0; (!from->pooled || !taken) && j < m->d; j++)
            S[j] -= q.S[j * q.step];
        taken = true;
        if (left > 0)
            take_diagonal(m->d, S, peak, &p, &q);
    }
    *k = SIZE_MAX;
    bool varies = pool_varies(m, from, map, known);
    for (*column = 0; varies && *column < m->d; ++*column)
        if (peak[*column] > 0 && is_eaten(S[*column], peak[*column]))
            return ILK_REMOVES_TOO_MUCH_SCATTER;
    return ILK_REMOVABLE;
}

size_t ilk_moments_removal_scratch(const ilk_moments *m) {
    return m->d * (sizeof(all_rest) / sizeof(double)) + m->K; /* what is pooled takes less */
}

ilk_removal ilk_moments_removable(const ilk_moments *m, const ilk_moments *from, const uint32_t *map, ilk_known known,
                                  double *scratch, size_t *k, size_t *column) {
    if (is_foreign(m, from, map, k, column))
        return ILK_REMOVES_MORE_THAN_THERE_IS;
    if (m->pooled)
        return pool_removable(m, from, map, known, scratch, k, column);
    all_rest *all = (all_rest *)scratch;
    find_rest(all, (double *)(all + m->d), m, from, map, known);
    for (size_t c = 0; c < from->K; c++) {
        if (!(ilk_moments_rows(from, c) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[c]), q = ilk_record_in_units(m, from, c);
        for (size_t j = 0; j < m->d; j++) {
            ilk_removal why = column_removable(m, &p, &q, j, &all[j], known);
            if (why != ILK_REMOVABLE) {
                *k = map[c];
                *column = j;
                return why;
            }
        }
    }
    return ILK_REMOVABLE;
}

static void subtract_full(const ilk_moments *m, ilk_record *p, const ilk_record *q, ilk_known known) {
    double n = *p->n, gone = *q->n;
    size_t d = m->d;
    for (size_t i = 0; i < d; i++) {
        p->S[i * d + i] = rest_of(m, p, q, i, known).S;
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

/* Class p loses q's rows, but not all it has: its mean, and what q's differed by from the mean that stays. */
static void take_means(size_t d, ilk_record *p, const ilk_record *q) {
    double n = *p->n, gone = *q->n;
    for (size_t j = 0; j < d; j++) {
        p->peak[j] = pool_peak_after(p->peak[j], p, q, j);
        p->mean[j] = mean_after(n, p->mean[j], gone, q->mean[j]);
    }
    for (size_t i = 0; i < d; i++) {
        double di = (q->mean[i] - p->mean[i]) * ((n - gone) * (gone / n));
        for (size_t j = 0; j <= i; j++)
            p->S[i * d + j] -= di * (q->mean[j] - p->mean[j]);
    }
    *p->n = n - gone;
}

/* Column j varies in no class, and with no other column. */
static void still_column(size_t d, double *S, size_t j) {
    for (size_t i = 0; i < d; i++)
        S[i > j ? i * d + j : j * d + i] = 0;
}

static void pool_subtract(ilk_moments *m, const ilk_moments *from, const uint32_t *map, ilk_known known) {
    size_t d = m->d;
    bool varies = pool_varies(m, from, map, known), taken = false, rows = false;
    for (size_t c = 0; c < from->K; c++) {
        if (!(ilk_moments_rows(from, c) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[c]), q = ilk_record_in_units(m, from, c);
        for (size_t i = 0; (!from->pooled || !taken) && i < d; i++)
            for (size_t j = 0; j <= i; j++)
                p.S[i * d + j] -= q.S[i * d + j];
        taken = true;
        if (rows_after(*p.n, *q.n, known) > 0)
            take_means(d, &p, &q);
        else
            memset(p.n, 0, m->record * sizeof *p.n);
    }
    for (size_t k = 0; k < m->K; k++)
        rows = rows || *ilk_record_of(m, k).n > 0;
    for (size_t j = 0; j < d; j++) {
        if (!rows)
            m->pool[j] = 0;
        if (!varies || m->pool[j] == 0)
            still_column(d, m->pool + d, j);
    }
}

void ilk_moments_subtract(ilk_moments *m, const ilk_moments *from, const uint32_t *map, ilk_known known) {
    if (m->pooled) {
        pool_subtract(m, from, map, known);
        return;
    }
    for (size_t k = 0; k < from->K; k++) {
        if (!(ilk_moments_rows(from, k) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[k]), q = ilk_record_in_units(m, from, k);
        if (m->full && rows_after(*p.n, *q.n, known) > 0)
            subtract_full(m, &p, &q, known);
        else if (m->full)
            ilk_moments_forget(m, map[k]);
        for (size_t j = 0; !m->full && j < m->d; j++) {
            rest r = rest_of(m, &p, &q, j, known); /* of no rows: as if there never had been one */
            p.n[j] = r.left;
            p.mean[j] = r.mean;
            p.S[j] = r.S;
            p.peak[j] = r.peak;
        }
    }
}
