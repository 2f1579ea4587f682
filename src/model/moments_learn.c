/* SPDX-License-Identifier: Apache-2.0 */
/* moments_learn.c - see moments.h: a chunk of common rows, in one pass over the values.   MATH section 13
 *
 * Sums and squares are those of x - shift, the shift being the mean of one in SHIFT_SHARE of the group's rows: then
 * n (mean - shift)^2, which is taken from the squares in the end, is at most SHIFT_SHARE times what is left of them,
 * and no more than log2 of that many bits can be lost, whatever the rows are. Of a constant column nothing is left. */
#include "kernels/kernels.h"
#include "model/moments_record.h"

#include <string.h>

enum { SHIFT_SHARE = 32 };

/* How many of a group's n rows make its shift. */
static size_t share_of(size_t n) {
    return (n + SHIFT_SHARE - 1) / SHIFT_SHARE;
}

/* Packing sums up; what is packed for it nobody reads. */
static void find_shift(double *shift, const double *X, const uint32_t *row, size_t n, size_t d, double *packed,
                       double *sum) {
    size_t some = share_of(n);
    memcpy(shift, X + row[0] * d, d * sizeof *shift);
    memset(sum, 0, d * sizeof *sum);
    for (size_t i = 1; i < some; i += ILK_STRIP)
        ilk_kernels_use()->pack(packed, sum, X, row + i, some - i < ILK_STRIP ? some - i : ILK_STRIP, d, shift);
    for (size_t j = 0; j < d; j++)
        shift[j] += sum[j] / (double)some;
}

static bool all_zero(const double *X, const ilk_groups *g, size_t c, size_t d, size_t j) {
    for (size_t i = 0, n = g->end[g->n - 1]; i < n; i++)
        if (g->of[i] == c && X[i * d + j] != 0)
            return false;
    return true;
}

static size_t rows_of(const ilk_groups *g, size_t c) {
    return g->end[c] - (c ? g->end[c - 1] : 0);
}

/* Were the values of a column finite, and are its units those of exponent 0 or, if all are 0, any? The largest value is
 * at least the shift, a mean, and at least half the root of the mean square: clear cases are told by these. */
static bool common_column(ilk_moments *m, size_t j, double shift, double square, double sum, const double *X,
                          const ilk_groups *g, size_t c) {
    if (!(square < 0x1p956 && fabs(sum) < 0x1p478 && fabs(shift) < 0x1p478))
        return false;
    if (fabs(shift) < 0x1p-299 && square < 0x1p-596 * (double)rows_of(g, c))
        return all_zero(X, g, c, m->d, j);
    m->exponent[j] = 0;
    return true;
}

/* Group c; while a strip is multiplied, the next one is fetched, be it of the next group. */
static bool learn_full(ilk_moments *m, size_t c, const double *X, const ilk_groups *g, double *scratch) {
    const ilk_kernels *kernels = ilk_kernels_use();
    ilk_record p = ilk_record_of(m, c);
    size_t d = m->d, n = rows_of(g, c), begin = g->end[c] - n, to_end = g->end[g->n - 1] - begin;
    const uint32_t *row = g->row + begin;
    double *packed = scratch, *sum = packed + kernels->pack_size(d);
    find_shift(p.mean, X, row, n, d, packed, sum);
    memset(sum, 0, d * sizeof *sum);
    for (size_t done = 0; done < n; done += ILK_STRIP) {
        size_t rows = n - done < ILK_STRIP ? n - done : ILK_STRIP;
        kernels->pack(packed, sum, X, row + done, rows, d, p.mean);
        size_t next = done + ILK_STRIP < to_end - rows ? done + ILK_STRIP : to_end - rows;
        kernels->syrk(p.S, packed, rows, d, X, row + next);
    }
    for (size_t i = 0; i < d; i++) {
        if (!common_column(m, i, p.mean[i], p.S[i * d + i], sum[i], X, g, c))
            return false;
        double mean = sum[i] / (double)n;
        for (size_t j = 0; j <= i; j++)
            p.S[i * d + j] -= mean * sum[j];
        p.S[i * d + i] = fmax(0, p.S[i * d + i]);
        p.mean[i] += mean;
    }
    *p.n = (double)n;
    ilk_record_raise_peaks(m, &p);
    return true;
}

/* The shifts of all groups, from their first rows, without a list of these. Until they are done a record holds how many
 * rows went in, the first one, and where the kernel leaves it the sum of the others less the first. */
static void find_shifts(ilk_moments *m, const double *X, const ilk_groups *g) {
    size_t d = m->d, open = g->n;
    for (size_t i = 0; open > 0; i++) {
        ilk_record p = ilk_record_of(m, g->of[i]);
        const double *x = X + i * d;
        double some = (double)share_of(rows_of(g, g->of[i]));
        if (*p.n == some)
            continue;
        if (*p.n == 0)
            memcpy(p.mean, x, d * sizeof *x);
        else
            ilk_kernels_use()->shifted(m->data, x, &g->of[i], 1, d);
        open -= ++*p.n == some;
    }
    for (size_t c = 0; c < g->n; c++) {
        ilk_record p = ilk_record_of(m, c);
        for (size_t j = 0; j < d; j++) {
            p.mean[j] += p.peak[j] / *p.n;
            p.peak[j] = p.S[j] = 0;
        }
    }
}

/* kernels->shifted has left squares and sums in the places of scatter and peak. */
static bool finish_columns(ilk_moments *m, const double *X, const ilk_groups *g, size_t c) {
    ilk_record p = ilk_record_of(m, c);
    double n = (double)rows_of(g, c);
    for (size_t j = 0; j < m->d; j++) {
        double sum = p.peak[j], mean = sum / n;
        if (!common_column(m, j, p.mean[j], p.S[j], sum, X, g, c))
            return false;
        p.n[j] = n;
        p.mean[j] += mean;
        p.S[j] = p.peak[j] = fmax(0, p.S[j] - mean * sum);
    }
    return true;
}

static bool learn_columns(ilk_moments *m, const double *X, size_t n, const ilk_groups *g) {
    find_shifts(m, X, g);
    ilk_kernels_use()->shifted(m->data, X, g->of, n, m->d);
    for (size_t c = 0; c < g->n; c++)
        if (!finish_columns(m, X, g, c))
            return false;
    return true;
}

bool ilk_moments_learn(ilk_moments *m, const double *X, size_t n, const ilk_groups *g, double *scratch) {
    if (!m->full)
        return learn_columns(m, X, n, g);
    for (size_t c = 0; c < g->n; c++)
        if (!learn_full(m, c, X, g, scratch))
            return false;
    return true;
}
