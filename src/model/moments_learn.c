/* SPDX-License-Identifier: Apache-2.0 */
/* moments_learn.c - see moments.h: a chunk of common rows, in one pass over the values.   MATH section 13
 *
 * Sums and squares are those of x - shift, the shift being the mean of one in SHIFT_SHARE of the group's rows: then
 * n (mean - shift)^2, which is taken from the squares in the end, is at most SHIFT_SHARE times what is left of them,
 * and no more than log2 of that many bits can be lost, whatever the rows are. Of a constant column nothing is left.
 *
 * Rows are read in their order. Columns on their own are summed up as they come; for products a row waits in the strip
 * of its group until that is full, and the next rows are prefetched while a strip is multiplied. */
#include "core/least.h"
#include "kernels/kernels.h"
#include "model/moments_record.h"

#include <string.h>

enum { SHIFT_SHARE = 32 };

static size_t rows_of(const ilk_groups *g, size_t c) {
    return g->end[c] - (c ? g->end[c - 1] : 0);
}

/* How many of a group's n rows make its shift. */
static size_t share_of(size_t n) {
    return (n + SHIFT_SHARE - 1) / SHIFT_SHARE;
}

/* Sums of a group, laid out as kernels like them; they become its record in the end. */
typedef struct column_sums {
    double *shift, *square, *sum; /* squares of columns on their own: products are added up in the record */
} column_sums;

static column_sums sums_of(double *sums, size_t c, size_t d) {
    double *shift = sums + c * 3 * ilk_padded(d);
    return (column_sums){shift, shift + ilk_padded(d), shift + 2 * ilk_padded(d)};
}

/* Stands for `square`, in a group and column whose sums say that all values should be 0: zeros_hold looks at them. The
 * last of the sums belong to no group; there, it marks the columns in which it stands for that of any group. */
static const double SHOULD_BE_ZERO = -1;

static size_t sums_size(const ilk_moments *m, size_t groups) {
    return (groups + 1) * 3 * ilk_padded(m->d);
}

/* The shift of each group is the mean of its first share_of(n) rows. While it is being found, record.n counts the rows
 * used so far, `shift` holds the first row and `sum` the sum of (row - first row). */
static void find_shifts(const ilk_moments *m, const double *X, const ilk_groups *g, double *sums) {
    size_t d = m->d, open = g->n;
    memset(sums, 0, sums_size(m, g->n) * sizeof *sums);
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

/* ---- are they common? */

/* True if column j's values in group c are finite and need no rescaling (exponent 0), or if they should all be 0, which
 * zeros_hold must confirm (any exponent does for zeros). Decided from the sums: the largest value is at least |shift|
 * and at least half the root mean square. A pooled store has the squares of all rows, hence `rows`. */
static bool common_column(ilk_moments *m, size_t j, double square, const ilk_groups *g, size_t c, double *sums) {
    column_sums s = sums_of(sums, c, m->d);
    double rows = (double)(m->pooled ? g->end[g->n - 1] : rows_of(g, c));
    if (!(square < 0x1p956 && fabs(s.sum[j]) < 0x1p478 && fabs(s.shift[j]) < 0x1p478))
        return false;
    if (fabs(s.shift[j]) < 0x1p-299 && square < 0x1p-596 * rows)
        s.square[j] = sums_of(sums, g->n, m->d).square[j] = SHOULD_BE_ZERO;
    else
        m->exponent[j] = 0;
    return true;
}

/* Are all values 0 that should be? Sums cannot tell, because squares may underflow and values cancel. Called once all
 * groups are finished: the shift of the last sums, used by nothing else, then lists the marked columns. O(n) for each
 * of them, in the order of the rows. */
static bool zeros_hold(const double *X, size_t n, size_t d, const ilk_groups *g, double *sums) {
    column_sums all = sums_of(sums, g->n, d);
    size_t marked = 0, *column = (void *)all.shift;
    for (size_t j = 0; j < d; j++)
        if (all.square[j] < 0)
            column[marked++] = j;
    for (size_t i = 0; marked > 0 && i < n; i++)
        for (size_t a = 0; a < marked; a++)
            if (X[i * d + column[a]] != 0 && sums_of(sums, g->of[i], d).square[column[a]] < 0)
                return false;
    return true;
}

/* ---- columns on their own */

static bool finish_columns(ilk_moments *m, const ilk_groups *g, size_t c, double *sums) {
    ilk_record p = ilk_record_of(m, c);
    column_sums s = sums_of(sums, c, m->d);
    double n = (double)rows_of(g, c);
    for (size_t j = 0; j < m->d; j++) {
        double mean = s.sum[j] / n, square = s.square[j];
        if (!common_column(m, j, square, g, c, sums))
            return false;
        p.n[j] = n;
        p.mean[j] = s.shift[j] + mean;
        p.S[j] = p.peak[j] = fmax(0, square - mean * s.sum[j]);
    }
    return true;
}

static bool learn_columns(ilk_moments *m, const double *X, size_t n, const ilk_groups *g, double *sums) {
    ilk_kernels_use()->shifted(sums, X, g->of, n, m->d);
    for (size_t c = 0; c < g->n; c++)
        if (!finish_columns(m, g, c, sums))
            return false;
    return zeros_hold(X, n, m->d, g, sums);
}

/* ---- columns together */

/* A strip for each group, with room for no more rows than the group still has: its last row fills it, and nothing is
 * left over. */
static void make_strips(ilk_strip *strip, const ilk_moments *m, const ilk_groups *g, double *sums, double *packed) {
    size_t width = ilk_kernels_use()->packed_width(m->d);
    for (size_t c = 0; c < g->n; c++) {
        column_sums s = sums_of(sums, c, m->d);
        strip[c] = (ilk_strip){packed, s.shift, s.sum, 0, ilk_least(rows_of(g, c), ILK_STRIP)};
        *ilk_record_of(m, c).n = 0;
        packed += strip[c].room * width;
    }
}

/* All rows of the group have been multiplied. */
static bool finish_products(ilk_moments *m, const ilk_groups *g, size_t c, double *sums) {
    ilk_record p = ilk_record_of(m, c);
    size_t d = m->d;
    column_sums s = sums_of(sums, c, d);
    for (size_t i = 0; i < d; i++) {
        if (!common_column(m, i, p.S[i * d + i], g, c, sums))
            return false;
        double mean = s.sum[i] / *p.n;
        for (size_t j = 0; j <= i; j++)
            p.S[i * d + j] -= mean * s.sum[j];
        p.S[i * d + i] = fmax(0, p.S[i * d + i]);
        p.mean[i] = s.shift[i] + mean;
    }
    if (!m->pooled)
        ilk_record_raise_peaks(m, &p);
    return true;
}

/* A group's strip is full. A group is finished as soon as it can be, while its record is in the cache. */
static bool multiply_strip(ilk_moments *m, const ilk_groups *g, size_t c, double *sums, ilk_strip *full,
                           const double *next, size_t ahead) {
    ilk_record p = ilk_record_of(m, c);
    ilk_kernels_use()->syrk(p.S, full, m->d, next, ahead);
    *p.n += (double)full->n;
    full->n = 0;
    full->room = ilk_least(rows_of(g, c) - (size_t)*p.n, ILK_STRIP);
    return full->room > 0 || finish_products(m, g, c, sums);
}

/* How many doubles of X to prefetch next. *asked is how far they have been prefetched, `at` how far rows are packed,
 * `all` the size of X. At most `most`, as many as are multiplied meanwhile, which hides the latency; and never more
 * than FARTHEST ahead, so that prefetched lines do not evict each other. */
static size_t prefetch_ahead(size_t *asked, size_t at, size_t all, size_t most) {
    enum { FARTHEST = 1 << 15 }; /* 256 KiB: a quarter of a common second-level cache */
    *asked = ilk_most(*asked, at);
    size_t more = ilk_least(ilk_least(at + FARTHEST, all) - *asked, most);
    *asked += more;
    return more;
}

static bool learn_products(ilk_moments *m, const double *X, size_t n, const ilk_groups *g, double *sums,
                           ilk_strip *strip) {
    size_t d = m->d, asked = 0;
    for (size_t i = 0; i < n;) {
        i += ilk_kernels_use()->pack(strip, X + i * d, g->of + i, n - i, d);
        ilk_strip *full = &strip[g->of[i - 1]];
        size_t ahead = prefetch_ahead(&asked, i * d, n * d, full->n * d);
        if (!multiply_strip(m, g, g->of[i - 1], sums, full, X + (asked - ahead), ahead))
            return false;
    }
    if (m->pooled) { /* whose scatter is done only now */
        ilk_record all = ilk_record_of(m, 0);
        ilk_record_raise_peaks(m, &all);
    }
    return zeros_hold(X, n, d, g, sums);
}

/* ---- scratch: the sums, and for products the rows that wait and the strips that tell of them */

static size_t waiting_size(const ilk_moments *m, size_t groups, size_t n) {
    return ilk_least(groups * ILK_STRIP, n) * ilk_kernels_use()->packed_width(m->d);
}

size_t ilk_moments_learn_scratch(const ilk_moments *m, size_t groups, size_t n) {
    size_t strips = (groups * sizeof(ilk_strip) + sizeof(double) - 1) / sizeof(double);
    return sums_size(m, groups) + (m->full ? waiting_size(m, groups, n) + strips : 0);
}

bool ilk_moments_learn(ilk_moments *m, const double *X, size_t n, const ilk_groups *g, double *scratch) {
    double *sums = scratch, *waiting = sums + sums_size(m, g->n);
    find_shifts(m, X, g, sums);
    if (!m->full)
        return learn_columns(m, X, n, g, sums);
    ilk_strip *strip = (void *)(waiting + waiting_size(m, g->n, n));
    make_strips(strip, m, g, sums, waiting);
    return learn_products(m, X, n, g, sums, strip);
}
