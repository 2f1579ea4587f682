/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_ref.c - the kernels in portable C: the definition the others are tested against. Packed and turned rows are
 * the rows themselves. */
#include "core/number.h"
#include "kernels/kernels.h"
#include "math/linalg.h"

#include <math.h>
#include <string.h>

static size_t packed_width(size_t d) {
    return d;
}

static size_t pack(ilk_strip *strip, const double *X, const uint32_t *group, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        ilk_strip *s = &strip[group[i]];
        double *to = s->packed + s->n * d;
        for (size_t j = 0; j < d; j++) {
            to[j] = X[i * d + j] - s->shift[j];
            s->sum[j] += to[j];
        }
        if (++s->n == s->room)
            return i + 1;
    }
    return n;
}

/* Four rows at a time, so that S is read and written once for four products. */
static void syrk(double *S, const ilk_strip *full, size_t d, const double *next, size_t ahead) {
    const double *Y = full->packed;
    size_t n = full->n, r = 0;
    (void)next, (void)ahead;
    for (; r + 4 <= n; r += 4) {
        const double *a = Y + r * d, *b = a + d, *c = b + d, *e = c + d;
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j <= i; j++)
                S[i * d + j] += (a[i] * a[j] + b[i] * b[j]) + (c[i] * c[j] + e[i] * e[j]);
    }
    for (; r < n; r++) {
        const double *x = Y + r * d;
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j <= i; j++)
                S[i * d + j] += x[i] * x[j];
    }
}

static void shifted(double *sums, const double *X, const uint32_t *group, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        double *shift = sums + group[i] * 3 * ilk_padded(d), *square = shift + ilk_padded(d),
               *sum = square + ilk_padded(d);
        for (size_t j = 0; j < d; j++) {
            double y = X[i * d + j] - shift[j];
            sum[j] += y;
            square[j] += y * y;
        }
    }
}

static double largest(const double *x, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most; /* not so for NaN */
    return most;
}

/* Behind the rows there is room for one whitened. */
static size_t turn_size(size_t n, size_t d) {
    return (n + 1) * d;
}

static void turn(double *turned, const double *X, size_t n, size_t d) {
    memcpy(turned, X, n * d * sizeof *X);
}

static void distances(double *out, size_t stride, double *X, size_t n, const ilk_whitening *w, const double *z,
                      size_t K, const double *next) {
    (void)next;
    double *y = X + n * w->d;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < w->d; j++) {
            double u = w->inv_sd[j] > 0 ? (X[i * w->d + j] - w->center[j]) * w->inv_sd[j] : 0;
            y[j] = (u - ilk_dot(w->L + j * w->d, y, j)) * w->inv_diagonal[j];
        }
        for (size_t k = 0; k < K; k++)
            out[i * stride + k] = ilk_distance2(y, z + k * w->d, w->d);
    }
}

static void scaled_distances(double *out, const double *X, size_t n, size_t d, const double *mu, const double *inv_sd,
                             size_t K) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < K; k++) {
            double sum = 0;
            for (size_t j = 0; j < d; j++) {
                double y = (X[i * d + j] - mu[k * d + j]) * inv_sd[k * d + j];
                sum += y * y;
            }
            out[i * K + k] = sum;
        }
    }
}

static void removed(double out[3], const double *x, const double *mu, const double *inv_sd, size_t d, double c) {
    out[0] = out[2] = 0;
    out[1] = 1;
    for (size_t j = 0; j < d; j++) {
        double y = (x[j] - mu[j]) * inv_sd[j], gone = y * y * c;
        out[0] += y * y / (1 - gone);
        out[1] *= 1 - gone;
        out[2] = gone > out[2] ? gone : out[2];
    }
}

static void linear(double *out, double *norm2, const double *X, size_t n, size_t d, const double *center,
                   const double *inv_sd, const double *t, size_t K) {
    for (size_t i = 0; i < n; i++) {
        norm2[i] = 0;
        for (size_t k = 0; k < K; k++)
            out[i * K + k] = 0;
        for (size_t j = 0; j < d; j++) {
            double y = (X[i * d + j] - center[j]) * inv_sd[j];
            norm2[i] += y * y;
            for (size_t k = 0; k < K; k++)
                out[i * K + k] += y * t[k * d + j];
        }
    }
}

static void exps(double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        x[i] = exp(x[i]);
}

/* Of two classes the likelier weighs exp(0) = 1, the other exp(-|difference|): one exponential, and no branch that
 * could go either way. A difference of two infinities is NaN, and so is all that follows. */
static void posterior_of_two(double *out, const double *log_joint) {
    double difference = log_joint[0] - log_joint[1], weight = exp(-fabs(difference)), sum = 1 + weight;
    double likelier = 1 / sum, other = weight / sum;
    out[0] = difference < 0 ? other : likelier;
    out[1] = difference < 0 ? likelier : other;
}

static void posterior(double *out, const double *log_joint, size_t K, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (K == 2)
            posterior_of_two(out + 2 * i, log_joint + 2 * i);
        else
            ilk_bayes(out + i * K, log_joint + i * K, K);
    }
}

/* The top bit of every byte of x that is zero, exactly: no carry runs from one byte into the next. */
static inline uint64_t zero_bytes(uint64_t x) {
    const uint64_t lows = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ~(((x & lows) + lows) | x | lows);
}

/* Eight bytes in one word at a time. The last multiplication gathers their top bits, the first byte's lowest. */
static uint64_t equal(const char *p, char c) {
    uint64_t result = 0, every = UINT64_C(0x0101010101010101) * (unsigned char)c;
    for (unsigned i = 0; i < 64; i += 8)
        result |= ((zero_bytes(ilk_load8(p + i) ^ every) >> 7) * UINT64_C(0x0102040810204080)) >> 56 << i;
    return result;
}

#define VECTOR
#define INLINE static inline
#include "kernels/byte_loops.h"

const ilk_kernels ilk_kernels_ref = {
    .name = "ref",
    .pack = pack,
    .packed_width = packed_width,
    .syrk = syrk,
    .shifted = shifted,
    .largest = largest,
    .turn = turn,
    .turn_size = turn_size,
    .distances = distances,
    .scaled_distances = scaled_distances,
    .removed = removed,
    .linear = linear,
    .posterior = posterior,
    .exps = exps,
    .census = census,
    .marks = marks,
    .numbers = ilk_number_parse_row,
};
