/* SPDX-License-Identifier: Apache-2.0 */
/* lambda.c - the lambda under which the values of each class are most nearly normal.   MATH section 15
 *
 * The profile likelihood has one peak as a rule, but need not have: a coarse grid finds the neighbourhood, golden
 * section the place. The result is rounded to six decimals, far below what data can tell, so that it reads well and the
 * last bits of a system's logarithm do not matter. */
#include "core/memory.h"
#include "transform/transform.h"

enum { STEPS = 20 };                            /* of the grid, from -5 to 5 */
static const double least_share = 1e-9;         /* of the variance over all rows, as in the model: ilk_options.floor */
static const double golden = 0.618033988749895; /* (sqrt 5 - 1) / 2 */

/* Weighted means and squares about them, per class: n | mean | M2. */
static void moments(double *per_class, const double *y, const ilk_point *p, size_t n, size_t K) {
    double *N = per_class, *mean = N + K, *M2 = mean + K;
    for (size_t k = 0; k < 3 * K; k++)
        per_class[k] = 0;
    for (size_t i = 0; i < n; i++) {
        N[p[i].k] += p[i].w;
        mean[p[i].k] += p[i].w * y[i];
    }
    for (size_t k = 0; k < K; k++)
        mean[k] = N[k] > 0 ? mean[k] / N[k] : 0;
    for (size_t i = 0; i < n; i++)
        M2[p[i].k] += p[i].w * (y[i] - mean[p[i].k]) * (y[i] - mean[p[i].k]);
}

/* -1/2 sum of n_k log variance_k. */
static double spread(const double *per_class, size_t K, bool shared) {
    const double *N = per_class, *mean = N + K, *M2 = mean + K;
    double n = 0, all = 0, within = 0, between = 0, sum = 0;
    for (size_t k = 0; k < K; k++) {
        n += N[k];
        all += N[k] * mean[k];
        within += M2[k];
    }
    for (size_t k = 0; k < K; k++)
        between += N[k] * (mean[k] - all / n) * (mean[k] - all / n);
    double floor = least_share * (within + between) / n;
    if (shared)
        return -n / 2 * log(fmax(within / n, floor));
    for (size_t k = 0; k < K; k++)
        sum -= N[k] > 0 ? N[k] / 2 * log(fmax(M2[k] / N[k], floor)) : 0;
    return sum;
}

double ilk_lambda_log(ilk_transform_kind kind, double x) {
    return kind == ILK_BOX_COX ? log(x) : copysign(log1p(fabs(x)), x);
}

static double raise(double l, double lambda) {
    return lambda == 0 ? l : expm1(lambda * l) / lambda;
}

/* Box-Cox is computed of x over its geometric mean g, which neither overflows nor cancels: the variance of x^lambda is
 * g^(2 lambda) times that of (x/g)^lambda, and the slopes take the powers of g out again but for one. */
double ilk_lambda_likelihood(ilk_transform_kind kind, double lambda, const double *l, const ilk_point *p, size_t n,
                             size_t K, bool shared, double *y, double *per_class) {
    double W = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        W += p[i].w;
        sum += p[i].w * l[i];
    }
    double log_g = sum / W;
    for (size_t i = 0; i < n; i++)
        y[i] = kind == ILK_BOX_COX ? raise(l[i] - log_g, lambda)
               : l[i] >= 0         ? raise(l[i], lambda)
                                   : -raise(-l[i], 2 - lambda);
    moments(per_class, y, p, n, K);
    double value = spread(per_class, K, shared) + (kind == ILK_BOX_COX ? -sum : (lambda - 1) * sum);
    return isfinite(value) ? value : -INFINITY;
}

typedef struct hunt {
    ilk_transform_kind kind;
    const ilk_point *p;
    size_t n, K;
    bool shared;
    double *l, *y, *per_class;
} hunt;

static double at(const hunt *h, double lambda) {
    return ilk_lambda_likelihood(h->kind, lambda, h->l, h->p, h->n, h->K, h->shared, h->y, h->per_class);
}

static double best_of_grid(const hunt *h) {
    double best = 1, most = -INFINITY;
    for (int i = 0; i <= STEPS; i++) {
        double lambda = ILK_LAMBDA_MOST * (2.0 * i / STEPS - 1), value = at(h, lambda);
        if (value > most) {
            most = value;
            best = lambda;
        }
    }
    return best;
}

/* Golden section: the peak lies between low and high. */
static double narrow(const hunt *h, double low, double high) {
    double a = high - golden * (high - low), b = low + golden * (high - low), fa = at(h, a), fb = at(h, b);
    while (high - low > 1e-7) {
        if (fa >= fb) {
            high = b;
            b = a;
            fb = fa;
            fa = at(h, a = high - golden * (high - low));
        } else {
            low = a;
            a = b;
            fa = fb;
            fb = at(h, b = low + golden * (high - low));
        }
    }
    return (low + high) / 2;
}

ilk_status ilk_lambda_learn(double *lambda, ilk_transform_kind kind, const ilk_point *points, size_t n, size_t K,
                            bool shared) {
    hunt h = {.kind = kind, .p = points, .n = n, .K = K, .shared = shared};
    h.l = ilk_alloc(n, sizeof *h.l);
    h.y = ilk_alloc(n, sizeof *h.y);
    h.per_class = ilk_alloc(3 * K, sizeof *h.per_class);
    ilk_status status = h.l && h.y && h.per_class ? ILK_OK : ILK_ENOMEM;
    for (size_t i = 0; status == ILK_OK && i < n; i++)
        h.l[i] = ilk_lambda_log(kind, points[i].x);
    if (status == ILK_OK) {
        double step = 2 * ILK_LAMBDA_MOST / STEPS, from = best_of_grid(&h);
        double low = fmax(from - step, -ILK_LAMBDA_MOST), high = fmin(from + step, ILK_LAMBDA_MOST);
        double found = round(narrow(&h, low, high) * 1e6) / 1e6;
        *lambda = found == 0 ? 0 : found; /* no -0 */
    }
    ilk_free(h.l);
    ilk_free(h.y);
    ilk_free(h.per_class);
    return status;
}
