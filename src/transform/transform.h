/* SPDX-License-Identifier: Apache-2.0 */
/* transform.h - what is done to a column's numbers before they are modelled, and how it is learnt.   MATH section 15
 *
 * Invariant of a transform that ilk_transform_check lets pass: lambda is 0 or from 1e-9 to 5 in size, edges are finite
 * and ascending. All other functions rely on it.
 */
#ifndef ILK_TRANSFORM_TRANSFORM_H
#define ILK_TRANSFORM_TRANSFORM_H

#include "core/error.h"

#include <math.h>

#define ILK_EDGES_MOST ((size_t)65535)
#define ILK_LAMBDA_MOST 5.0

/* Is this a transform? The message has no subject: "edges are not ascending". */
ilk_status ilk_transform_check(const ilk_transform *t, ilk_error *err);
bool ilk_transform_same(const ilk_transform *a, const ilk_transform *b);

static inline bool ilk_transform_is_power(const ilk_transform *t) {
    return t->kind == ILK_BOX_COX || t->kind == ILK_YEO_JOHNSON;
}

/* ---- powers: x to y and back. NaN stays NaN. */

/* Why a finite x has no finite y, or NULL: "is not positive …". */
const char *ilk_transform_refuses(const ilk_transform *t, double x);
/* Of an x that is not refused. */
double ilk_transform_apply(const ilk_transform *t, double x);
/* log dy/dx; 0 for NaN. */
double ilk_transform_log_slope(const ilk_transform *t, double x);
/* The x of a y; not finite if there is none. */
double ilk_transform_undo(const ilk_transform *t, double y);

/* ---- wishes: what a user asks for, before there are values to learn it from */

typedef enum ilk_wish_kind {
    ILK_WISH_NONE,
    ILK_WISH_EDGES,    /* these edges */
    ILK_WISH_COUNT,    /* so many bins of one width over the range of the values */
    ILK_WISH_WIDTH,    /* edges at the multiples of a width */
    ILK_WISH_QUANTILE, /* so many bins of as many values each */
    ILK_WISH_MDLP,     /* as many as pay for themselves in what they tell about the class */
    ILK_WISH_BOX_COX,
    ILK_WISH_YEO_JOHNSON,
    ILK_WISH_LOG /* Box-Cox of lambda 0 */
} ilk_wish_kind;

typedef struct ilk_wish {
    ilk_wish_kind kind;
    size_t count;
    double width;
    double *edge; /* owned */
    size_t edges;
} ilk_wish;

/* "400,800", "bins:5", "width:400", "quantile:5", "mdlp". ILK_EARG says what is wrong. */
ilk_status ilk_wish_bins(ilk_wish *out, ilk_str spec, ilk_error *err);
/* "boxcox", "yeo-johnson", "log". */
ilk_status ilk_wish_power(ilk_wish *out, ilk_str spec, ilk_error *err);
void ilk_wish_free(ilk_wish *wish);

static inline bool ilk_wish_is_bins(const ilk_wish *w) {
    return w->kind >= ILK_WISH_EDGES && w->kind <= ILK_WISH_MDLP;
}

/* Must values be seen? */
static inline bool ilk_wish_learns(const ilk_wish *w) {
    return w->kind >= ILK_WISH_COUNT && w->kind != ILK_WISH_LOG;
}

/* ---- learning */

/* A value that a column has in a row. */
typedef struct ilk_point {
    double x, w;
    uint32_t k; /* class */
} ilk_point;

/* A transform whose edges are its own; ilk_learnt_free. */
typedef struct ilk_learnt {
    ilk_transform transform;
    double *edge;
    const char *note; /* what is odd about it, or NULL */
} ilk_learnt;

/* Learn what is wished from n points (that no transform of this kind refuses, of weights above 0) of K classes; sorts
 * them. `shared`: the classes have one variance. ILK_OK, ILK_ENOMEM, ILK_EDATA (more bins than there may be).
 * Cost: O(n log n), about 60 n logarithms or exponentials for lambda. */
ilk_status ilk_transform_learn(ilk_learnt *out, const ilk_wish *wish, ilk_point *points, size_t n, size_t K,
                               bool shared, ilk_error *err);
void ilk_learnt_free(ilk_learnt *learnt);

/* The parts of it. Points are sorted for edges. */
ilk_status ilk_edges_count(ilk_learnt *out, size_t bins, const ilk_point *sorted, size_t n);
ilk_status ilk_edges_width(ilk_learnt *out, double width, const ilk_point *sorted, size_t n, ilk_error *err);
ilk_status ilk_edges_quantile(ilk_learnt *out, size_t bins, const ilk_point *sorted, size_t n);
ilk_status ilk_edges_mdlp(ilk_learnt *out, const ilk_point *sorted, size_t n, size_t K);
ilk_status ilk_lambda_learn(double *lambda, ilk_transform_kind kind, const ilk_point *points, size_t n, size_t K,
                            bool shared);
/* What of x is raised to a power, as its logarithm: log x, or log(1 + |x|) with the sign of x. */
double ilk_lambda_log(ilk_transform_kind kind, double x);
/* The profile log-likelihood that is maximised, at one lambda; l[n] are these logarithms, y has room for n, per_class
 * for 3 K. */
double ilk_lambda_likelihood(ilk_transform_kind kind, double lambda, const double *l, const ilk_point *points, size_t n,
                             size_t K, bool shared, double *y, double *per_class);
/* Append an edge. */
ilk_status ilk_learnt_add(ilk_learnt *out, size_t *cap, double edge);

#endif
