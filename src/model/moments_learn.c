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
        kernels->syrk(p.S, packed, rows, d, X, &row[next]);
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

/* Columns on their own are summed up where kernels->shifted is fast, and become records in the end. */
typedef struct column_sums {
    double *shift, *square, *sum;
} column_sums;

static column_sums sums_of(double *sums, size_t c, size_t d) {
    double *shift = sums + c * 3 * ilk_padded(d);
    return (column_sums){shift, shift + ilk_padded(d), shift + 2 * ilk_padded(d)};
}

/* The shifts of all groups, from their first rows, without a list of these. Until they are done a record holds how many
 * rows went in, and the sums the first one and those of the others less the first. */
static void find_shifts(const ilk_moments *m, const double *X, const ilk_groups *g, double *sums) {
    size_t d = m->d, open = g->n;
    memset(sums, 0, g->n * 3 * ilk_padded(d) * sizeof *sums);
    for (size_t i = 0; open > 0; i++) {
        double *in = ilk_record_of(m, g->of[i]).n, some = (double)share_of(rows_of(g, g->of[i]));
        if (*in == some)
            continue;
        if (*in == 0)
            memcpy(sums_of(sums, g->of[i], d).shift, X + i * d, d * sizeof *X);
        else
            ilk_kernels_use()->shifted(sums, X + i * d, &g->of[i], 1, d);
        open -= ++*in == some;
    }
    for (size_t c = 0; c < g->n; c++) {
        column_sums s = sums_of(sums, c, d);
        for (size_t j = 0; j < d; j++) {
            s.shift[j] += s.sum[j] / *ilk_record_of(m, c).n;
            s.sum[j] = s.square[j] = 0;
        }
    }
}

static bool finish_columns(ilk_moments *m, const double *X, const ilk_groups *g, size_t c, double *sums) {
    ilk_record p = ilk_record_of(m, c);
    column_sums s = sums_of(sums, c, m->d);
    double n = (double)rows_of(g, c);
    for (size_t j = 0; j < m->d; j++) {
        double mean = s.sum[j] / n;
        if (!common_column(m, j, s.shift[j], s.square[j], s.sum[j], X, g, c))
            return false;
        p.n[j] = n;
        p.mean[j] = s.shift[j] + mean;
        p.S[j] = p.peak[j] = fmax(0, s.square[j] - mean * s.sum[j]);
    }
    return true;
}

static bool learn_columns(ilk_moments *m, const double *X, size_t n, const ilk_groups *g, double *sums) {
    find_shifts(m, X, g, sums);
    ilk_kernels_use()->shifted(sums, X, g->of, n, m->d);
    for (size_t c = 0; c < g->n; c++)
        if (!finish_columns(m, X, g, c, sums))
            return false;
    return true;
}

bool ilk_moments_learn(ilk_moments *m, const double *X, size_t n, const ilk_groups *g, double *scratch) {
    if (!m->full)
        return learn_columns(m, X, n, g, scratch);
    for (size_t c = 0; c < g->n; c++)
        if (!learn_full(m, c, X, g, scratch))
            return false;
    return true;
}
