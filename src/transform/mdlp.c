/* SPDX-License-Identifier: Apache-2.0 */
/* mdlp.c - bin edges that tell about the class: Fayyad & Irani (1993), minimum description length.   MATH section 15
 *
 * An interval of sorted values is cut where the entropy of the classes falls most, if the gain pays for telling the
 * cut; then its halves are. Intervals wait on a stack, deepest first, which holds at most one per level: DEEPEST bounds
 * it, and with it the cost, O(n) per level. */
#include "core/memory.h"
#include "transform/transform.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

/* Values first … end - 1. */
typedef struct interval {
    size_t first, end, depth;
} interval;

/* The weights of the classes on one side of a cut. */
typedef struct side {
    double *weight;    /* K */
    size_t *points;    /* K: how many have it, because what is left of a weight may be rounding */
    double total, sum; /* sum: of w log2 w over the classes */
    double classes;    /* that have any */
} side;

typedef struct search {
    const ilk_point *point;
    size_t K;
    side all, left, right, best_left, best_right; /* best: of these, only the numbers */
} search;

static double w_log_w(double w) {
    return w > 0 ? w * log2(w) : 0;
}

static void side_clear(side *s, size_t K) {
    memset(s->weight, 0, K * sizeof *s->weight);
    memset(s->points, 0, K * sizeof *s->points);
    s->total = s->sum = 0;
    s->classes = 0;
}

static void side_change(side *s, uint32_t k, double w, size_t points) {
    double before = s->weight[k], after = points > 0 ? before + w : 0;
    s->total += w;
    s->sum += w_log_w(after) - w_log_w(before);
    s->classes += (points > 0) - (s->points[k] > 0);
    s->weight[k] = after;
    s->points[k] = points;
}

static void side_add(side *s, const ilk_point *p) {
    side_change(s, p->k, p->w, s->points[p->k] + 1);
}

static void side_remove(side *s, const ilk_point *p) {
    side_change(s, p->k, -p->w, s->points[p->k] - 1);
}

/* total × entropy, in bits. */
static double bits(const side *s) {
    double b = w_log_w(s->total) - s->sum;
    return b > 0 ? b : 0;
}

/* The best cut of an interval stands before *at; false if no two of its values differ. */
static bool best_cut(search *s, const interval *in, size_t *at) {
    double least = INFINITY;
    side_clear(&s->left, s->K);
    side_clear(&s->right, s->K);
    for (size_t i = in->first; i < in->end; i++)
        side_add(&s->right, &s->point[i]);
    s->all = s->right;
    for (size_t i = in->first; i + 1 < in->end; i++) {
        side_add(&s->left, &s->point[i]);
        side_remove(&s->right, &s->point[i]);
        if (s->point[i].x == s->point[i + 1].x)
            continue;
        double now = bits(&s->left) + bits(&s->right);
        if (now < least) {
            least = now;
            *at = i + 1;
            s->best_left = s->left;
            s->best_right = s->right;
        }
    }
    return least < INFINITY;
}

/* Is the gain larger than what it takes to tell the cut and the classes of both sides? Gain × N against
 * log2(N - 1) + log2(3^c - 2) - (c E - c1 E1 - c2 E2); of many classes 3^c is too large, and 2 nothing beside it. */
static bool pays(const search *s) {
    const side *a = &s->all, *l = &s->best_left, *r = &s->best_right;
    double c = a->classes, N = a->total;
    double gain = bits(a) - bits(l) - bits(r);
    double names = c < 30 ? log2(pow(3, c) - 2) : c * log2(3);
    double told = c * bits(a) / N - l->classes * bits(l) / l->total - r->classes * bits(r) / r->total;
    return N > 2 && gain > log2(N - 1) + names - told;
}

/* Between two neighbours, and above the lower one. */
static double between(double a, double b) {
    double middle = a / 2 + b / 2;
    return middle > a && middle <= b ? middle : b;
}

static ilk_status split(ilk_learnt *out, search *s, size_t n) {
    interval stack[DEEPEST + 2] = {{0, n, 0}};
    size_t cap = 0;
    for (size_t waiting = 1; waiting > 0;) {
        interval in = stack[--waiting];
        size_t at = 0;
        if (in.depth == DEEPEST || out->transform.edges == ILK_EDGES_MOST || !best_cut(s, &in, &at) || !pays(s))
            continue;
        ILK_TRY(ilk_learnt_add(out, &cap, between(s->point[at - 1].x, s->point[at].x)));
        stack[waiting++] = (interval){in.first, at, in.depth + 1};
        stack[waiting++] = (interval){at, in.end, in.depth + 1};
    }
    return ILK_OK;
}

static int ascending(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

ilk_status ilk_edges_mdlp(ilk_learnt *out, const ilk_point *sorted, size_t n, size_t K) {
    double *weight = ilk_alloc(2 * K, sizeof *weight);
    size_t *points = ilk_alloc(2 * K, sizeof *points);
    search s = {.point = sorted, .K = K, .left = {weight, points, 0, 0, 0}};
    ilk_status status = weight && points ? ILK_OK : ILK_ENOMEM;
    if (status == ILK_OK && n > 0) {
        s.right = (side){weight + K, points + K, 0, 0, 0};
        status = split(out, &s, n);
    }
    if (out->transform.edges > 1)
        qsort(out->edge, out->transform.edges, sizeof *out->edge, ascending);
    if (out->transform.edges == 0)
        out->note = "no cut tells enough about the class, so the column says nothing";
    ilk_free(weight);
    ilk_free(points);
    return status;
}
