/* SPDX-License-Identifier: Apache-2.0 */
/* bins.c - transforms as such: which are possible, which bin a number lies in, what they are called.   MATH section 15
 */
#include "core/number.h"
#include "transform/transform.h"

#include <stdio.h>
#include <string.h>

/* ---- which are possible */

static ilk_status check_edges(const ilk_transform *t, ilk_error *err) {
    char a[ILK_NUMBER_SIZE], b[ILK_NUMBER_SIZE];
    if (t->edges > ILK_EDGES_MOST)
        return ilk_fail(err, ILK_EARG, "%zu bins are more than %zu", t->edges + 1, ILK_EDGES_MOST + 1);
    if (t->edges > 0 && !t->edge)
        return ilk_fail(err, ILK_EARG, "%zu edges are promised, and none is given (NULL)", t->edges);
    for (size_t i = 0; i < t->edges; i++) {
        ilk_number_format(a, t->edge[i]);
        if (!isfinite(t->edge[i]))
            return ilk_fail(err, ILK_EARG, "an edge of %s", a);
        if (i == 0 || t->edge[i - 1] < t->edge[i])
            continue;
        ilk_number_format(b, t->edge[i - 1]);
        return ilk_fail(err, ILK_EARG, "edges must ascend, but %s comes after %s", a, b);
    }
    return ILK_OK;
}

ilk_status ilk_transform_check(const ilk_transform *t, ilk_error *err) {
    double size = fabs(t->lambda);
    if ((unsigned)t->kind > ILK_YEO_JOHNSON)
        return ilk_fail(err, ILK_EARG, "there is no transform %u", t->kind);
    if (t->kind == ILK_BINS)
        return check_edges(t, err);
    if (ilk_transform_is_power(t) && size != 0 && !(size >= 1e-9 && size <= ILK_LAMBDA_MOST))
        return ilk_fail(err, ILK_EARG, "a lambda of %g", t->lambda);
    return ILK_OK;
}

bool ilk_transform_same(const ilk_transform *a, const ilk_transform *b) {
    if (a->kind != b->kind)
        return false;
    if (a->kind == ILK_BINS)
        return a->edges == b->edges && (a->edges == 0 || memcmp(a->edge, b->edge, a->edges * sizeof *a->edge) == 0);
    return !ilk_transform_is_power(a) || a->lambda == b->lambda;
}

/* ---- bins */

size_t ilk_transform_bin(const ilk_transform *t, double x) {
    size_t low = 0; /* edges that are at most x */
    if (isnan(x))
        return 0;
    for (size_t n = t->edges; n > 0;) {
        size_t half = n / 2;
        if (t->edge[low + half] <= x) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low + 1;
}

size_t ilk_transform_bin_name(char *buf, const ilk_transform *t, size_t bin) {
    char from[ILK_NUMBER_SIZE] = "-inf", to[ILK_NUMBER_SIZE] = "inf";
    bool first = bin == 1, last = bin == t->edges + 1;
    buf[0] = '\0';
    if (bin == 0 || bin > t->edges + 1)
        return 0;
    if (!first)
        ilk_number_format(from, t->edge[bin - 2]);
    if (!last)
        ilk_number_format(to, t->edge[bin - 1]);
    return (size_t)snprintf(buf, ILK_BIN_NAME, "%c%s,%s)", first ? '(' : '[', from, to);
}

/* ---- in words */

static size_t add(char *buf, size_t size, size_t at, const char *s) {
    size_t n = strlen(s);
    if (at + n >= size)
        n = size - 1 - at;
    memcpy(buf + at, s, n);
    buf[at + n] = '\0';
    return at + n;
}

size_t ilk_transform_text(char *buf, size_t size, const ilk_transform *t) {
    static const char *const names[] = {"none", "bins", "boxcox", "yeo-johnson"};
    char number[ILK_NUMBER_SIZE];
    if (size == 0)
        return 0;
    bool is_log = t->kind == ILK_BOX_COX && t->lambda == 0;
    bool one = t->kind == ILK_BINS && t->edges == 0;
    size_t at = add(buf, size, 0, is_log ? "log" : one ? "one bin" : names[t->kind]);
    if (ilk_transform_is_power(t) && !is_log) {
        ilk_number_format(number, t->lambda);
        at = add(buf, size, at, " ");
        at = add(buf, size, at, number);
    }
    for (size_t i = 0; t->kind == ILK_BINS && i < t->edges && at + 1 < size; i++) {
        ilk_number_format(number, t->edge[i]);
        at = add(buf, size, at, i ? "," : " ");
        at = add(buf, size, at, number);
    }
    return at;
}
