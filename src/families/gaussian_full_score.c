/* SPDX-License-Identifier: Apache-2.0 */
/* gaussian_full_score.c - Gaussian discriminant analysis: score, leave one out, sample, explain.   MATH section 3
 *
 * gaussian_full.h says what the parameters are. Values missing from a row are integrated out: what is left is normal
 * with a part of Sigma. */
#include "families/gaussian_full.h"
#include "kernels/kernels.h"
#include "math/linalg.h"

#include <math.h>

static bool complete(const double *x, size_t d) {
    for (size_t j = 0; j < d; j++)
        if (isnan(x[j]))
            return false;
    return true;
}

/* A row of finite values whose distance overflows on the way (infinity less infinity) is infinitely far. */
static double number(double distance2) {
    return isnan(distance2) ? INFINITY : distance2;
}

static void score_incomplete(double *log_joint, const double *p, const ilk_shape *s, const double *x, size_t C,
                             double *L) {
    double *y = L + s->d * s->d, *v = y + s->d;
    ilk_marginal g = {0};
    for (size_t k = 0; k < s->K; k++) {
        ilk_spread c = ilk_full_spread(p, s, C == 1 ? 0 : k);
        if (k == 0 || C > 1)
            g = ilk_normal_marginal(&c.N, x, L);
        log_joint[k] -= 0.5 * number(ilk_normal_quadratic(y, v, &c.N, &g, x, ilk_full_mu(p, s, k))) + g.log_norm;
    }
}

/* w(x) of every row of the chunk, into its scratch. Rows that lack a value become NaN. */
static const double *whiten(const ilk_spread *c, const ilk_shape *s, const ilk_chunk *rows) {
    for (size_t i = 0; i < rows->n; i++)
        ilk_full_standardise(rows->scratch + i * s->d, c, rows->x + i * s->d);
    double *inv_diagonal = rows->scratch + rows->n * s->d + s->d * s->d + 4 * s->d;
    for (size_t j = 0; j < s->d; j++)
        inv_diagonal[j] = 1 / c->N.L[j * s->d + j];
    ilk_kernels_use()->whiten(rows->scratch, c->N.L, inv_diagonal, rows->n, s->d, inv_diagonal + s->d);
    return rows->scratch;
}

/* The complete rows of a chunk under covariance `at`, for the classes first … last - 1 that use it. */
static void score_complete(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t at,
                           size_t first, size_t last) {
    ilk_spread c = ilk_full_spread(p, s, at);
    const double *w = whiten(&c, s, rows);
    const ilk_kernels *kernels = ilk_kernels_use();
    for (size_t i = 0; i < rows->n; i++) {
        if (!complete(rows->x + i * s->d, s->d))
            continue;
        for (size_t k = first; k < last; k++)
            log_joint[i * s->K + k] -=
                0.5 * number(kernels->distance2(w + i * s->d, ilk_full_z(p, s, k), s->d)) + *c.N.log_norm;
    }
}

static void score_all_incomplete(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows,
                                 size_t C) {
    for (size_t i = 0; i < rows->n; i++)
        if (!complete(rows->x + i * s->d, s->d))
            score_incomplete(log_joint + i * s->K, p, s, rows->x + i * s->d, C, rows->scratch + rows->n * s->d);
}

void ilk_full_score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C) {
    for (size_t c = 0; c < C; c++)
        score_complete(log_joint, p, s, rows, c, C == 1 ? 0 : c, C == 1 ? s->K : c + 1);
    score_all_incomplete(log_joint, p, s, rows, C);
}

/* ---- leave one out.   MATH section 3
 *
 * Taking x, of weight w, out of class c, whose weight is W: with u = x - mu_c and a = w W / (W - w), the scatter
 * becomes S - a u u', the mean moves so that x - mu_c' = u W / (W - w), and the divisor loses w. On the whitened scale
 * all that is needed are products of vectors (Sherman & Morrison; the determinant lemma). Shrinkage keeps its target
 * diag S, so what is taken away is (1 - shrink) a u u'. A row that lacks a value had no part in these statistics: it is
 * scored as ever. */

typedef struct removal {
    double left;     /* weight of the class without the row */
    double b;        /* Sigma loses b u u', before the divisor changes */
    double rest;     /* 1 - b u' Sigma^-1 u: what is left of the determinant */
    double scale;    /* new divisor / old */
    double log_norm; /* of the covariance without the row */
} removal;

static double kept(const ilk_normal *N) {
    double n = 0;
    for (size_t j = 0; j < N->d; j++)
        n += N->inv_sd[j] > 0;
    return n;
}

/* uu = u' Sigma^-1 u. The only row of a class is its mean, u = 0, and takes nothing away. */
static removal remove_row(const ilk_spread *c, double uu, double W, double w) {
    removal r = {.left = ilk_left(W, w), .scale = ilk_left(*c->divisor, w) / *c->divisor};
    r.b = r.left > 0 ? (1 - *c->shrink) * w * W / r.left / *c->divisor : 0;
    r.rest = 1 - r.b * uu;
    r.log_norm = *c->N.log_norm + 0.5 * (log(r.rest) - kept(&c->N) * log(r.scale));
    return r;
}

/* log N of a row at the whitened distance h from a mean, under the covariance without it; g is its distance from its
 * own. */
static double log_density_without(const removal *r, const double *g, const double *h, size_t d) {
    double gh = ilk_dot(g, h, d);
    return -0.5 * r->scale * (ilk_dot(h, h, d) + r->b * gh * gh / r->rest) - r->log_norm;
}

/* Where so little is left of the determinant that the formulas above lose their digits, the covariance without the row
 * is factored anew: L L' - b y y' with y = D^-1 u, into M. False if it has no inverse. */
static bool refactor(double *M, const ilk_spread *c, const removal *r, const double *y) {
    size_t d = c->N.d;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            M[i * d + j] = ilk_dot(c->N.L + i * d, c->N.L + j * d, j + 1) - r->b * y[i] * y[j];
    return ilk_cholesky(M, d, 1e-14) == 0;
}

static double log_density_refactored(const double *M, const ilk_spread *c, const removal *r, double *h) {
    size_t d = c->N.d;
    double log_norm = *c->N.log_norm - 0.5 * kept(&c->N) * log(r->scale);
    for (size_t j = 0; j < d; j++)
        log_norm += log(M[j * d + j] / c->N.L[j * d + j]);
    ilk_whiten(h, M, 1, d);
    return -0.5 * r->scale * ilk_dot(h, h, d) - log_norm;
}

/* Row x of class `own` under all classes k that use covariance c: first … last - 1. wx is w(x). */
static void without(double *log_joint, const double *p, const ilk_shape *s, const ilk_spread *c, const double *x,
                    const double *wx, uint32_t own, double w, size_t first, size_t last, double *work) {
    size_t d = s->d;
    double *M = work, *g = M + d * d, *h = g + d, *y = h + d;
    for (size_t j = 0; j < d; j++) {
        g[j] = wx[j] - ilk_full_z(p, s, own)[j];
        y[j] = (x[j] - ilk_full_mu(p, s, own)[j]) * c->N.inv_sd[j];
    }
    removal r = remove_row(c, ilk_dot(g, g, d), p[own], w);
    bool exact = r.rest<1e-8, possible = r.scale> 0 && (!exact || refactor(M, c, &r, y));
    for (size_t k = first; k < last; k++) {
        if (!possible || (k == own && !(r.left > 0))) {
            log_joint[k] = -INFINITY;
            continue;
        }
        double move = k == own ? p[own] / r.left : 1;
        const double *z = ilk_full_z(p, s, k), *mu = ilk_full_mu(p, s, k);
        for (size_t j = 0; j < d; j++)
            h[j] = move * (exact ? (x[j] - mu[j]) * c->N.inv_sd[j] : wx[j] - z[j]);
        log_joint[k] += exact ? log_density_refactored(M, c, &r, h) : log_density_without(&r, g, h, d);
    }
}

void ilk_full_score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C) {
    for (size_t at = 0; at < C; at++) {
        ilk_spread c = ilk_full_spread(p, s, at);
        const double *w = whiten(&c, s, rows);
        for (size_t i = 0; i < rows->n; i++) {
            const double *x = rows->x + i * s->d, *wx = w + i * s->d;
            double *out = log_joint + i * s->K;
            if (!complete(x, s->d))
                continue;
            if (C == 1 || rows->label[i] == at)
                without(out, p, s, &c, x, wx, rows->label[i], ilk_chunk_weight(rows, i), C == 1 ? 0 : at,
                        C == 1 ? s->K : at + 1, rows->scratch + rows->n * s->d);
            else
                out[at] -= 0.5 * number(ilk_distance2(wx, ilk_full_z(p, s, at), s->d)) + *c.N.log_norm;
        }
    }
    score_all_incomplete(log_joint, p, s, rows, C);
}

/* ---- sample and distance.   MATH sections 11, 12 */

void ilk_full_sample(double *x, const double *p, const ilk_shape *s, uint32_t k, size_t C, ilk_rng *rng) {
    ilk_spread c = ilk_full_spread(p, s, C == 1 ? 0 : k);
    const double *mu = ilk_full_mu(p, s, k);
    ilk_normal_sample(x, &c.N, rng);
    for (size_t j = 0; j < s->d; j++)
        x[j] += mu[j];
}

double ilk_full_distance2(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t k, size_t C,
                          size_t *columns) {
    ilk_spread c = ilk_full_spread(p, s, C == 1 ? 0 : k);
    const double *x = row->x;
    *columns = 0;
    for (size_t j = 0; j < s->d; j++)
        *columns += !isnan(x[j]) && c.N.inv_sd[j] > 0;
    if (complete(x, s->d))
        return number(ilk_distance2(whiten(&c, s, row), ilk_full_z(p, s, k), s->d));
    double *L = row->scratch, *y = L + s->d * s->d, *v = y + s->d;
    ilk_marginal g = ilk_normal_marginal(&c.N, x, L);
    return number(ilk_normal_quadratic(y, v, &c.N, &g, x, ilk_full_mu(p, s, k)));
}

/* ---- explain: ilk_model_explain says how a quadratic form is split among the columns */

ilk_status ilk_full_explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b, size_t C,
                            const ilk_parts *to) {
    const double *x = row->x;
    double *L = row->scratch, *ya = L + s->d * s->d, *va = ya + s->d, *yb = va + s->d, *vb = yb + s->d;
    ilk_spread ca = ilk_full_spread(p, s, C == 1 ? 0 : a), cb = ilk_full_spread(p, s, C == 1 ? 0 : b);
    ilk_marginal ga = ilk_normal_marginal(&ca.N, x, L);
    ilk_normal_quadratic(ya, va, &ca.N, &ga, x, ilk_full_mu(p, s, a));
    ilk_marginal gb = C == 1 ? ga : ilk_normal_marginal(&cb.N, x, L);
    ilk_normal_quadratic(yb, vb, &cb.N, &gb, x, ilk_full_mu(p, s, b));
    for (size_t j = 0, i = 0; j < s->d; j++) {
        if (isnan(x[j]))
            continue;
        double part = C == 1 ? (va[i] - vb[i]) * (ya[i] + yb[i]) : ya[i] * va[i] - yb[i] * vb[i];
        ILK_TRY(to->fn(to->ctx, &(ilk_part){.column = s->column[j], .x = x[j], .contribution = -0.5 * part}));
        i++;
    }
    if (C == 1)
        return ILK_OK;
    return to->fn(to->ctx,
                  &(ilk_part){.value = {"log-determinant", 15}, .x = NAN, .contribution = gb.log_norm - ga.log_norm});
}
