/* SPDX-License-Identifier: Apache-2.0 */
/* edges.c - bin edges from sorted values, without a look at the classes.   MATH section 15
 *
 * An edge that would leave a bin empty below the least value, or between equal edges, is left out: bins that no value
 * can show would only take probability away. */
#include "transform/transform.h"

static const double WHOLE = 0x1p53; /* below it every whole number is a double, and i + 1 is more than i */

/* Append an edge if it lies above the last one and above the least value. */
static ilk_status add_above(ilk_learnt *out, size_t *cap, double edge, double least) {
    double last = out->transform.edges ? out->edge[out->transform.edges - 1] : least;
    return edge > last ? ilk_learnt_add(out, cap, edge) : ILK_OK;
}

static void note_fewer(ilk_learnt *out, size_t wished, bool few) {
    if (out->transform.edges + 1 < wished)
        out->note = few ? "fewer than asked for, because there are fewer values"
                        : "fewer than asked for, because values are equal";
}

ilk_status ilk_edges_count(ilk_learnt *out, size_t bins, const ilk_point *sorted, size_t n) {
    size_t cap = 0;
    if (n == 0)
        return ILK_OK;
    double least = sorted[0].x, most = sorted[n - 1].x;
    for (size_t i = 1; i < bins; i++) {
        double share = (double)i / (double)bins; /* not most - least, which may overflow */
        ILK_TRY(add_above(out, &cap, least * (1 - share) + most * share, least));
    }
    note_fewer(out, bins, false);
    return ILK_OK;
}

ilk_status ilk_edges_width(ilk_learnt *out, double width, const ilk_point *sorted, size_t n, ilk_error *err) {
    size_t cap = 0;
    if (n == 0)
        return ILK_OK;
    double first = floor(sorted[0].x / width) + 1, last = floor(sorted[n - 1].x / width);
    if (!(last - first < (double)ILK_EDGES_MOST))
        return ilk_fail(err, ILK_EDATA, "a width of %g makes more than %zu bins of the values from %g to %g", width,
                        ILK_EDGES_MOST + 1, sorted[0].x, sorted[n - 1].x);
    if (!(fabs(first) < WHOLE && fabs(last) < WHOLE))
        return ilk_fail(err, ILK_EDATA, "a width of %g is less than doubles can tell apart in values from %g to %g",
                        width, sorted[0].x, sorted[n - 1].x);
    for (double i = first; i <= last; i++)
        ILK_TRY(add_above(out, &cap, i * width, sorted[0].x));
    return ILK_OK;
}

/* The i-th edge is the value at a share of i / bins of the weight. */
ilk_status ilk_edges_quantile(ilk_learnt *out, size_t bins, const ilk_point *sorted, size_t n) {
    size_t cap = 0, at = 0;
    double total = 0, below = 0;
    for (size_t i = 0; i < n; i++)
        total += sorted[i].w;
    for (size_t i = 1; i < bins; i++) {
        while (at < n && below + sorted[at].w <= total * (double)i / (double)bins)
            below += sorted[at++].w;
        if (at < n)
            ILK_TRY(add_above(out, &cap, sorted[at].x, sorted[0].x));
    }
    note_fewer(out, bins, n < bins);
    return ILK_OK;
}
