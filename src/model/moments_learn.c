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

static void find_shift(double *shift, const double *X, const uint32_t *row, size_t n, size_t d) {
    const double *x0 = X + row[0] * d;
    size_t some = (n + SHIFT_SHARE - 1) / SHIFT_SHARE;
    memset(shift, 0, d * sizeof *shift);
    for (size_t i = 1; i < some; i++)
        for (size_t j = 0; j < d; j++)
            shift[j] += X[row[i] * d + j] - x0[j];
    for (size_t j = 0; j < d; j++)
        shift[j] = x0[j] + shift[j] / (double)some;
}

static bool all_zero(const double *X, const uint32_t *row, size_t n, size_t d, size_t j) {
    for (size_t i = 0; i < n; i++)
        if (X[row[i] * d + j] != 0)
            return false;
    return true;
}

/* Were the values of a column finite, and are its units those of exponent 0 or, if all are 0, any? The largest value is
 * at least the shift, a mean, and at least half the root of the mean square: clear cases are told by these. */
static bool common_column(ilk_moments *m, size_t j, double shift, double square, double sum, const double *X,
                          const uint32_t *row, size_t n) {
    if (!(square < 0x1p956 && fabs(sum) < 0x1p478 && fabs(shift) < 0x1p478))
        return false;
    if (fabs(shift) < 0x1p-299 && square < 0x1p-596 * (double)n)
        return all_zero(X, row, n, m->d, j);
    m->exponent[j] = 0;
    return true;
}

/* Group c; while a strip is multiplied, the next one is fetched, be it of the next group. */
static bool learn_full(ilk_moments *m, size_t c, const double *X, const ilk_groups *g, double *scratch) {
    const ilk_kernels *kernels = ilk_kernels_use();
    ilk_record p = ilk_record_of(m, c);
    size_t d = m->d, begin = c ? g->end[c - 1] : 0, n = g->end[c] - begin, to_end = g->end[g->n - 1] - begin;
    const uint32_t *row = g->row + begin;
    double *sum = scratch, *packed = sum + d;
    memset(sum, 0, d * sizeof *sum);
    find_shift(p.mean, X, row, n, d);
    for (size_t done = 0; done < n; done += ILK_STRIP) {
        size_t rows = n - done < ILK_STRIP ? n - done : ILK_STRIP;
        kernels->pack(packed, sum, X, row + done, rows, d, p.mean);
        size_t next = done + ILK_STRIP < to_end - rows ? done + ILK_STRIP : to_end - rows;
        kernels->syrk(p.S, packed, rows, d, X, row + next);
    }
    for (size_t i = 0; i < d; i++) {
        if (!common_column(m, i, p.mean[i], p.S[i * d + i], sum[i], X, row, n))
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

/* kernels->shifted has left squares and sums in the places of scatter and peak. */
static bool finish_columns(ilk_moments *m, size_t k, const double *X, const uint32_t *row, size_t n) {
    ilk_record p = ilk_record_of(m, k);
    for (size_t j = 0; j < m->d; j++) {
        double sum = p.peak[j], mean = sum / (double)n;
        if (!common_column(m, j, p.mean[j], p.S[j], sum, X, row, n))
            return false;
        p.n[j] = (double)n;
        p.mean[j] += mean;
        p.S[j] = p.peak[j] = fmax(0, p.S[j] - mean * sum);
    }
    return true;
}

static bool learn_columns(ilk_moments *m, const double *X, size_t n, const ilk_groups *g) {
    for (size_t c = 0, begin = 0; c < g->n; begin = g->end[c++])
        find_shift(ilk_record_of(m, c).mean, X, g->row + begin, g->end[c] - begin, m->d);
    ilk_kernels_use()->shifted(m->data, X, g->of, n, m->d);
    for (size_t c = 0, begin = 0; c < g->n; begin = g->end[c++])
        if (!finish_columns(m, c, X, g->row + begin, g->end[c] - begin))
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
