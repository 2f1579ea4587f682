/* SPDX-License-Identifier: Apache-2.0 */
/* gaussian_full_score.c - Gaussian discriminant analysis: score, leave one out, sample, explain.   MATH section 3
 *
 * gaussian_full.h says what the parameters are. Values missing from a row are integrated out: what is left is normal
 * with a part of Sigma. */
#include "families/gaussian_full.h"
#include "kernels/kernels.h"
#include "math/linalg.h"

#include <float.h>
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

/* Where a chunk's scratch has what. The turned rows come first, where vectors do not lie across lines of the cache. */
typedef struct room {
    double *turned;
    double *distance2;    /* n × K */
    double *norm2;        /* n */
    double *inv_diagonal; /* d */
    double *one;          /* d × d + 4 d, for a row on its own */
} room;

static room room_of(const ilk_shape *s, const ilk_chunk *rows) {
    double *distance2 = rows->scratch + ilk_kernels_use()->turn_size(rows->n, s->d),
           *norm2 = distance2 + rows->n * s->K;
    return (room){rows->scratch, distance2, norm2, norm2 + rows->n, norm2 + rows->n + s->d};
}

/* Squared distances of turned rows under covariance `at`, for the classes first … last - 1 that use it. */
static void find_distances(const room *r, const double *p, const ilk_shape *s, const ilk_spread *c, size_t n,
                           size_t first, size_t last, const double *next) {
    for (size_t j = 0; j < s->d; j++)
        r->inv_diagonal[j] = 1 / c->N.L[j * s->d + j];
    ilk_whitening w = {s->d, c->center, c->N.inv_sd, c->N.L, r->inv_diagonal};
    ilk_kernels_use()->distances(r->distance2 + first, s->K, r->turned, n, &w, ilk_full_z(p, s, first), last - first,
                                 next);
}

/* Squared distances of a chunk's rows from all classes; NaN for rows that lack a value. */
static room distances(const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C) {
    room r = room_of(s, rows);
    ilk_kernels_use()->turn(r.turned, rows->x, rows->n, s->d);
    for (size_t c = 0; c < C; c++) {
        ilk_spread spread = ilk_full_spread(p, s, c);
        find_distances(&r, p, s, &spread, rows->n, C == 1 ? 0 : c, C == 1 ? s->K : c + 1, rows->x + rows->n * s->d);
    }
    return r;
}

static void add_row(double *log_joint, const double *p, const ilk_shape *s, const double *x, size_t C,
                    const double *distance2, double *work) {
    bool nan = false;
    for (size_t k = 0; k < s->K; k++)
        nan = nan || isnan(distance2[k]);
    if (nan && !complete(x, s->d)) {
        score_incomplete(log_joint, p, s, x, C, work);
        return;
    }
    for (size_t k = 0; k < s->K; k++)
        log_joint[k] -= 0.5 * number(distance2[k]) + *ilk_full_spread(p, s, C == 1 ? 0 : k).N.log_norm;
}

void ilk_full_score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C) {
    room r = distances(p, s, rows, C);
    for (size_t i = 0; i < rows->n; i++)
        add_row(log_joint + i * s->K, p, s, rows->x + i * s->d, C, r.distance2 + i * s->K, r.one);
}

/* w(x) of one row. */
static void whiten_row(double *out, const ilk_spread *c, const double *x) {
    ilk_full_standardise(out, c, x);
    ilk_whiten(out, c->N.L, 1, c->N.d);
}

/* One row in full, where the linear form would not say what it says. The first distances are no longer needed. */
static void score_row(double *log_joint, const double *p, const ilk_shape *s, const double *x, const room *r) {
    ilk_spread c = ilk_full_spread(p, s, 0);
    double *w = r->one + s->d * s->d;
    whiten_row(w, &c, x);
    for (size_t k = 0; k < s->K; k++)
        r->distance2[k] = ilk_distance2(w, ilk_full_z(p, s, k), s->d);
    add_row(log_joint, p, s, x, 1, r->distance2, r->one);
}

/* t_k' D^-1 (x - center) - 1/2 |z_k|^2, O(d) where the whole is O(d^2). A row that lacks a value, or is so far away
 * that it may be excluded by all classes, is scored in full. */
void ilk_full_score_relative(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_spread c = ilk_full_spread(p, s, 0);
    room r = room_of(s, rows);
    ilk_kernels_use()->linear(r.distance2, r.norm2, rows->x, rows->n, s->d, c.center, c.N.inv_sd, ilk_full_t(p, s, 0),
                              s->K);
    for (size_t k = 0; k < s->K; k++) {
        const double *z = ilk_full_z(p, s, k);
        double constant = 0.5 * ilk_dot(z, z, s->d);
        for (size_t i = 0; i < rows->n; i++)
            r.distance2[i * s->K + k] -= constant;
    }
    for (size_t i = 0; i < rows->n; i++) {
        bool good = r.norm2[i] < 1e280;
        for (size_t k = 0; k < s->K; k++)
            good = good && isfinite(r.distance2[i * s->K + k]);
        for (size_t k = 0; good && k < s->K; k++)
            log_joint[i * s->K + k] += r.distance2[i * s->K + k];
        if (!good)
            score_row(log_joint + i * s->K, p, s, rows->x + i * s->d, &r);
    }
}

/* ---- leave one out.   MATH section 3
 *
 * Taking x, of weight w, out of class c, whose weight is W: with u = x - mu_c and a = w W / (W - w), the scatter
 * becomes S - a u u', the mean moves so that x - mu_c' = u W / (W - w), and the divisor loses w. On the whitened scale
 * all that is needed are products of vectors (Sherman & Morrison; the determinant lemma). The target of shrinkage,
 * diag S, loses a u_j^2, which is no product of two vectors: then the covariance is factored anew for each row. To keep
 * the target instead would leave the row in it, and noise would look like something learnt. A row that lacks a value
 * had no part in these statistics: it is scored as ever. */

typedef struct removal {
    double left;           /* weight of the class without the row */
    double b, on_diagonal; /* Sigma loses b u u' + on_diagonal diag(u)^2, before the divisor changes */
    double rest;           /* 1 - b u' Sigma^-1 u: what is left of the determinant, without shrinkage */
    double scale;          /* new divisor / old */
    double log_norm;       /* of the covariance without the row */
} removal;

/* What the removal of a row of weight w does to a divisor: the same for row after row. */
typedef struct divisor_change {
    const double *divisor;
    double w, scale, log_norm;
    double kept; /* columns that are not left out */
} divisor_change;

static double kept(const ilk_normal *N) {
    double n = 0;
    for (size_t j = 0; j < N->d; j++)
        n += N->inv_sd[j] > 0;
    return n;
}

static void change_divisor(divisor_change *change, const ilk_spread *c, double w) {
    if (change->divisor == c->divisor && change->w == w)
        return;
    double scale = ilk_left(*c->divisor, w) / *c->divisor, columns = kept(&c->N);
    *change = (divisor_change){c->divisor, w, scale, *c->N.log_norm - 0.5 * columns * log(scale), columns};
}

/* uu = u' Sigma^-1 u. The only row of a class is its mean, u = 0, and takes nothing away. */
static removal remove_row(const ilk_spread *c, const divisor_change *change, double uu, double W) {
    removal r = {.left = ilk_left(W, change->w), .scale = change->scale};
    double a = r.left > 0 ? change->w * W / r.left / *c->divisor : 0;
    r.b = (1 - *c->shrink) * a;
    r.on_diagonal = *c->shrink * a;
    r.rest = 1 - r.b * uu;
    r.log_norm = change->log_norm + 0.5 * log(r.rest);
    return r;
}

/* log N of a row under the covariance without it; h is the row less a mean, g the row less its own, both whitened. */
static double log_density_without(const removal *r, double gh, double hh) {
    return -0.5 * r->scale * (hh + r->b * gh * gh / r->rest) - r->log_norm;
}

/* How far rounding may be from what is left of a column's variance, which is 1 with the row: u = x - mu has lost digits
 * where both are far from 0. */
static double noise(const ilk_spread *c, const double *x, const double *mu, size_t j) {
    return ilk_least_pivot(c->N.d) + 4 * DBL_EPSILON * (fabs(x[j]) + fabs(mu[j])) * c->N.inv_sd[j];
}

/* Where so little is left of the determinant that the formulas above lose their digits, or where there is shrinkage,
 * the covariance without the row is factored anew: L L' - b y y' - on_diagonal diag(y)^2 with y = D^-1 u, into M. It is
 * judged as when it is estimated: by its correlations, of which rounding may leave less. False if it has no inverse.
 * `sd` is room for d numbers. */
static bool refactor(double *M, const ilk_spread *c, const removal *r, const double *x, const double *mu,
                     const double *y, double *sd) {
    size_t d = c->N.d;
    double least = 0;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j <= i; j++)
            M[i * d + j] = ilk_dot(c->N.L + i * d, c->N.L + j * d, j + 1) - r->b * y[i] * y[j];
        double left = M[i * d + i] -= r->on_diagonal * y[i] * y[i], blur = noise(c, x, mu, i);
        if (!(left > blur))
            return false;
        sd[i] = sqrt(left);
        least = fmax(least, blur / left);
        for (size_t j = 0; j <= i; j++)
            M[i * d + j] /= sd[i] * sd[j];
    }
    if (ilk_cholesky(M, d, least) != 0)
        return false;
    double smallest = 1;
    for (size_t i = 0; i < d; i++) {
        double pivot = M[i * d + i] * M[i * d + i];
        if (!(pivot * smallest > least)) /* those before it have been divided by, and the noise with them */
            return false;
        smallest = fmin(smallest, pivot);
        for (size_t j = 0; j <= i; j++)
            M[i * d + j] *= sd[i];
    }
    return true;
}

static double log_density_refactored(const double *M, const ilk_spread *c, const removal *r, double *h) {
    size_t d = c->N.d;
    double log_norm = *c->N.log_norm - 0.5 * kept(&c->N) * log(r->scale);
    for (size_t j = 0; j < d; j++)
        log_norm += log(M[j * d + j] / c->N.L[j * d + j]);
    ilk_whiten(h, M, 1, d);
    return -0.5 * r->scale * ilk_dot(h, h, d) - log_norm;
}

/* Classes first … last - 1 that use the covariance of class `own`. */
typedef struct range {
    size_t first, last;
} range;

static range sharing(const ilk_shape *s, size_t C, uint32_t own) {
    return C == 1 ? (range){0, s->K} : (range){own, own + 1};
}

/* Row x of class `own` under those classes, where the row is so much of its class that what is left needs care. */
static void without(double *log_joint, const double *p, const ilk_shape *s, const ilk_spread *c,
                    const divisor_change *change, const double *x, uint32_t own, range ks, double *work) {
    size_t d = s->d;
    double *M = work, *g = M + d * d, *h = g + d, *y = h + d, *wx = y + d;
    whiten_row(wx, c, x);
    for (size_t j = 0; j < d; j++) {
        g[j] = wx[j] - ilk_full_z(p, s, own)[j];
        y[j] = (x[j] - ilk_full_mu(p, s, own)[j]) * c->N.inv_sd[j];
    }
    removal r = remove_row(c, change, ilk_dot(g, g, d), p[own]);
    bool exact = r.rest < 1e-8 || *c->shrink > 0;
    bool possible = r.scale > 0 && (!exact || refactor(M, c, &r, x, ilk_full_mu(p, s, own), y, g)); /* g has done */
    for (size_t k = ks.first; k < ks.last; k++) {
        if (!possible || (k == own && !(r.left > 0))) {
            log_joint[k] = -INFINITY;
            continue;
        }
        double move = k == own ? p[own] / r.left : 1;
        const double *z = ilk_full_z(p, s, k), *mu = ilk_full_mu(p, s, k);
        for (size_t j = 0; j < d; j++)
            h[j] = move * (exact ? (x[j] - mu[j]) * c->N.inv_sd[j] : wx[j] - z[j]);
        log_joint[k] +=
            exact ? log_density_refactored(M, c, &r, h) : log_density_without(&r, ilk_dot(g, h, d), ilk_dot(h, h, d));
    }
}

/* The same where there is no shrinkage and at least half of the determinant is left, so that distances say enough: g'h
 * from |g|, |h| and |g - h|. False elsewhere. */
static bool without_by_distances(double *log_joint, const double *p, const ilk_shape *s, const ilk_spread *c,
                                 const divisor_change *change, const double *distance2, uint32_t own, range ks) {
    double gg = distance2[own];
    removal r = remove_row(c, change, gg, p[own]);
    if (!(r.rest >= 0.5 && r.left > 0 && r.scale > 0 && *c->shrink == 0))
        return false;
    for (size_t k = ks.first; k < ks.last; k++) {
        double hh = distance2[k], move = k == own ? p[own] / r.left : 1, gh = gg;
        if (k != own)
            gh = 0.5 * (gg + hh - ilk_distance2(ilk_full_z(p, s, own), ilk_full_z(p, s, k), s->d));
        log_joint[k] += log_density_without(&r, move * gh, move * move * hh);
    }
    return true;
}

/* So many columns at most were independent; INFINITY if a weight is a fraction, and rows cannot be counted. */
static double rank_of(const double *p, range ks) {
    double n = 0;
    for (size_t k = ks.first; k < ks.last; k++)
        n += p[k] == floor(p[k]) ? p[k] - 1 : INFINITY;
    return n;
}

/* Are too few rows left for a covariance without shrinkage? The only row of a class takes nothing away. */
static bool leaves_too_few(const divisor_change *change, const ilk_spread *c, double rank, double W) {
    return *c->shrink == 0 && change->w == floor(change->w) && ilk_left(W, change->w) > 0 &&
           rank - change->w < change->kept;
}

void ilk_full_score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows, size_t C) {
    room r = distances(p, s, rows, C);
    divisor_change change = {0};
    double shared_rank = rank_of(p, (range){0, C == 1 ? s->K : 0});
    for (size_t i = 0; i < rows->n; i++) {
        const double *x = rows->x + i * s->d, *distance2 = r.distance2 + i * s->K;
        double *out = log_joint + i * s->K;
        uint32_t own = rows->label[i];
        if (isnan(distance2[own]) && !complete(x, s->d)) {
            score_incomplete(out, p, s, x, C, r.one);
            continue;
        }
        ilk_spread c = ilk_full_spread(p, s, C == 1 ? 0 : own);
        range ks = sharing(s, C, own);
        change_divisor(&change, &c, ilk_chunk_weight(rows, i));
        if (leaves_too_few(&change, &c, C == 1 ? shared_rank : rank_of(p, ks), p[own]))
            for (size_t k = ks.first; k < ks.last; k++)
                out[k] = -INFINITY;
        else if (!without_by_distances(out, p, s, &c, &change, distance2, own, ks))
            without(out, p, s, &c, &change, x, own, ks, r.one);
        for (size_t k = 0; k < s->K; k++)
            if (k < ks.first || k >= ks.last)
                out[k] -= 0.5 * number(distance2[k]) + *ilk_full_spread(p, s, k).N.log_norm;
    }
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
    double *L = row->scratch, *y = L + s->d * s->d, *v = y + s->d;
    if (complete(x, s->d)) {
        whiten_row(y, &c, x);
        return number(ilk_distance2(y, ilk_full_z(p, s, k), s->d));
    }
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
