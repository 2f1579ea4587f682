/* SPDX-License-Identifier: Apache-2.0 */
/* wish.c - transforms as users write them, and from there to transforms. */
#include "core/memory.h"
#include "core/number.h"
#include "transform/transform.h"

#include <stdlib.h>
#include <string.h>

void ilk_wish_free(ilk_wish *wish) {
    ilk_free(wish->edge);
    *wish = (ilk_wish){0};
}

void ilk_learnt_free(ilk_learnt *learnt) {
    ilk_free(learnt->edge);
    *learnt = (ilk_learnt){0};
}

/* ---- reading */

static bool is_word(ilk_str s, const char *word) {
    return ilk_str_equal(s, (ilk_str){word, strlen(word)});
}

/* What stands behind "name:". */
static bool behind(ilk_str *rest, ilk_str s, const char *name) {
    size_t n = strlen(name);
    if (s.n <= n || memcmp(s.p, name, n) != 0 || s.p[n] != ':')
        return false;
    *rest = (ilk_str){s.p + n + 1, s.n - n - 1};
    return true;
}

/* A whole number of bins. */
static ilk_status read_count(ilk_wish *out, ilk_wish_kind kind, ilk_str s, ilk_error *err) {
    double x = 0, most = (double)ILK_EDGES_MOST + 1;
    if (!ilk_number_parse(&x, s) || !(x >= 1 && x <= most) || x != floor(x))
        return ilk_fail(err, ILK_EARG, "'%.*s' is no number of bins: a whole number from 1 to %g", ILK_SHOW(s), most);
    *out = (ilk_wish){.kind = kind, .count = (size_t)x};
    return ILK_OK;
}

static ilk_status read_width(ilk_wish *out, ilk_str s, ilk_error *err) {
    double x = 0;
    if (!ilk_number_parse(&x, s) || !isfinite(x) || !(x > 0))
        return ilk_fail(err, ILK_EARG, "'%.*s' is no width: a number above 0", ILK_SHOW(s));
    *out = (ilk_wish){.kind = ILK_WISH_WIDTH, .width = x};
    return ILK_OK;
}

static ilk_status read_edge(ilk_wish *out, size_t *cap, ilk_str s, ilk_error *err) {
    double x;
    if (!ilk_number_parse(&x, s))
        return ilk_fail(err, ILK_EARG,
                        "'%.*s' is none of bins: edges as in 400,800, or bins:N, width:W, quantile:N or mdlp",
                        ILK_SHOW(s));
    if (ilk_grow(&out->edge, cap, out->edges + 1, sizeof *out->edge))
        return ilk_fail_memory(err);
    out->edge[out->edges++] = x;
    return ILK_OK;
}

static ilk_status read_edges(ilk_wish *out, ilk_str s, ilk_error *err) {
    size_t cap = 0;
    *out = (ilk_wish){.kind = ILK_WISH_EDGES};
    ilk_status status = ILK_OK;
    for (size_t at = 0; status == ILK_OK && at <= s.n;) {
        const char *comma = at < s.n ? memchr(s.p + at, ',', s.n - at) : NULL;
        size_t end = comma ? (size_t)(comma - s.p) : s.n;
        status = read_edge(out, &cap, (ilk_str){s.p + at, end - at}, err);
        at = end + 1;
    }
    if (status == ILK_OK)
        status = ilk_transform_check(&(ilk_transform){.kind = ILK_BINS, .edge = out->edge, .edges = out->edges}, err);
    if (status != ILK_OK)
        ilk_wish_free(out);
    return status;
}

ilk_status ilk_wish_bins(ilk_wish *out, ilk_str spec, ilk_error *err) {
    ilk_str rest;
    *out = (ilk_wish){0};
    if (is_word(spec, "mdlp")) {
        out->kind = ILK_WISH_MDLP;
        return ILK_OK;
    }
    if (behind(&rest, spec, "bins"))
        return read_count(out, ILK_WISH_COUNT, rest, err);
    if (behind(&rest, spec, "quantile"))
        return read_count(out, ILK_WISH_QUANTILE, rest, err);
    if (behind(&rest, spec, "width"))
        return read_width(out, rest, err);
    return read_edges(out, spec, err);
}

ilk_status ilk_wish_power(ilk_wish *out, ilk_str spec, ilk_error *err) {
    *out = (ilk_wish){.kind = is_word(spec, "boxcox")        ? ILK_WISH_BOX_COX
                              : is_word(spec, "yeo-johnson") ? ILK_WISH_YEO_JOHNSON
                              : is_word(spec, "log")         ? ILK_WISH_LOG
                                                             : ILK_WISH_NONE};
    if (out->kind == ILK_WISH_NONE)
        return ilk_fail(err, ILK_EARG, "'%.*s' is none of boxcox, yeo-johnson and log", ILK_SHOW(spec));
    return ILK_OK;
}

/* ---- learning */

ilk_status ilk_learnt_add(ilk_learnt *out, size_t *cap, double edge) {
    size_t n = out->transform.edges;
    if (ilk_grow(&out->edge, cap, n + 1, sizeof *out->edge))
        return ILK_ENOMEM;
    out->edge[n] = edge;
    out->transform.edges = n + 1;
    out->transform.edge = out->edge;
    return ILK_OK;
}

static int by_value(const void *a, const void *b) {
    const ilk_point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->k > q->k) - (p->k < q->k);
}

static ilk_status copy_edges(ilk_learnt *out, const ilk_wish *wish) {
    size_t cap = 0;
    for (size_t i = 0; i < wish->edges; i++)
        ILK_TRY(ilk_learnt_add(out, &cap, wish->edge[i]));
    return ILK_OK;
}

static ilk_status learn_bins(ilk_learnt *out, const ilk_wish *wish, ilk_point *points, size_t n, size_t K,
                             ilk_error *err) {
    out->transform.kind = ILK_BINS;
    if (wish->kind == ILK_WISH_EDGES)
        return copy_edges(out, wish);
    if (n > 1)
        qsort(points, n, sizeof *points, by_value);
    switch (wish->kind) {
    case ILK_WISH_COUNT:
        return ilk_edges_count(out, wish->count, points, n);
    case ILK_WISH_WIDTH:
        return ilk_edges_width(out, wish->width, points, n, err);
    case ILK_WISH_QUANTILE:
        return ilk_edges_quantile(out, wish->count, points, n);
    default:
        return ilk_edges_mdlp(out, points, n, K);
    }
}

static ilk_status learn_power(ilk_learnt *out, const ilk_wish *wish, const ilk_point *points, size_t n, size_t K,
                              bool shared) {
    ilk_transform *t = &out->transform;
    t->kind = wish->kind == ILK_WISH_YEO_JOHNSON ? ILK_YEO_JOHNSON : ILK_BOX_COX;
    if (wish->kind == ILK_WISH_LOG)
        return ILK_OK;
    bool varies = false;
    for (size_t i = 1; i < n; i++)
        varies = varies || points[i].x != points[0].x;
    if (!varies) {
        t->kind = ILK_AS_IS;
        out->note = "it never varies, so there is nothing to learn from";
        return ILK_OK;
    }
    ILK_TRY(ilk_lambda_learn(&t->lambda, t->kind, points, n, K, shared));
    if (fabs(t->lambda) == ILK_LAMBDA_MOST)
        out->note = "that is as far as the search goes";
    return ILK_OK;
}

ilk_status ilk_transform_learn(ilk_learnt *out, const ilk_wish *wish, ilk_point *points, size_t n, size_t K,
                               bool shared, ilk_error *err) {
    *out = (ilk_learnt){0};
    ilk_status status = ilk_wish_is_bins(wish) ? learn_bins(out, wish, points, n, K, err)
                                               : learn_power(out, wish, points, n, K, shared);
    if (status == ILK_OK)
        return ILK_OK;
    ilk_learnt_free(out);
    return status == ILK_ENOMEM ? ilk_fail_memory(err) : status;
}
