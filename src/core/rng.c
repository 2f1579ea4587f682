/* SPDX-License-Identifier: Apache-2.0 */
/* rng.c - see rng.h.   MATH section 11 */
#include "core/rng.h"
#include "core/stirling.h"

#include <math.h>

/* ---- bits */

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* splitmix64 is one-to-one, so of four successive values at most one is zero. */
ilk_rng ilk_rng_new(uint64_t seed) {
    ilk_rng r;
    for (int i = 0; i < 4; i++)
        r.s[i] = splitmix64(&seed);
    return r;
}

static uint64_t rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

uint64_t ilk_rng_next(ilk_rng *r) {
    uint64_t *s = r->s, out = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return out;
}

/* 52 bits, because with 53 the largest would round to 1. */
double ilk_rng_uniform(ilk_rng *r) {
    return ((double)(ilk_rng_next(r) >> 12) + 0.5) * 0x1p-52;
}

/* The 2^64 mod n smallest numbers are refused: what is left is a multiple of n. */
uint64_t ilk_rng_below(ilk_rng *r, uint64_t n) {
    uint64_t refused = (UINT64_MAX - n + 1) % n, x;
    do
        x = ilk_rng_next(r);
    while (x < refused);
    return x % n;
}

/* ---- logarithm and exponential, from what IEEE 754 fixes. Good to a few units in the last place. */

/* log((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...) for |s| < 0.18: the first term left out is below 1e-18. */
static double log_ratio(double s) {
    double s2 = s * s, sum = 0;
    for (int n = 23; n > 1; n -= 2)
        sum = (sum + 1.0 / n) * s2;
    return 2 * (s + s * sum);
}

static const double LN2_HIGH = 0x1.62e42fefap-1, LN2_LOW = 0x1.cf79abc9e3b39p-40; /* a multiple of the first is exact */

static double log_of(double x) {
    int exponent;
    double m = frexp(x, &exponent);
    if (m < M_SQRT1_2) {
        m *= 2;
        exponent--;
    }
    return exponent * LN2_HIGH + (exponent * LN2_LOW + log_ratio((m - 1) / (m + 1)));
}

static double exp_of(double x) {
    if (!(x > -745))
        return 0;
    double k = floor(x * M_LOG2E + 0.5), r = x - k * LN2_HIGH - k * LN2_LOW, sum = 1;
    for (int n = 14; n > 0; n--)
        sum = 1 + sum * r / n;
    return ldexp(sum, (int)k);
}

/* ---- distributions */

double ilk_rng_exponential(ilk_rng *r) {
    return -log_of(ilk_rng_uniform(r));
}

/* Marsaglia's polar method. The second number is thrown away: to keep it would be state beside the generator's. */
double ilk_rng_normal(ilk_rng *r) {
    for (;;) {
        double u = 2 * ilk_rng_uniform(r) - 1, v = 2 * ilk_rng_uniform(r) - 1, s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * log_of(s) / s);
    }
}

int ilk_rng_happens(ilk_rng *r, double log_p) {
    return ilk_rng_uniform(r) < exp_of(log_p);
}

size_t ilk_rng_pick(ilk_rng *r, const double *log_p, size_t n, size_t stride, double mass) {
    double u = ilk_rng_uniform(r) * mass;
    size_t last = n; /* rounding may leave a little of u behind the last value */
    for (size_t i = 0; i < n; i++) {
        double p = exp_of(log_p[i * stride]);
        if (!(p > 0))
            continue;
        last = i;
        u -= p;
        if (u < 0)
            break;
    }
    return last;
}

/* Inversion: p(0), p(1), ... are taken from u until it is used up. Above 150 there is nothing for a rate below 10: only
 * the rounding of the sum leads there. */
static double poisson_small(ilk_rng *r, double rate) {
    for (;;) {
        double u = ilk_rng_uniform(r), p = exp_of(-rate);
        for (int k = 0; k < 150; k++) {
            if (u < p)
                return k;
            u -= p;
            p *= rate / (k + 1);
        }
    }
}

/* ilk_stirling for any k > 0: below 10 carried up by log k! = log (k+1)! - log(k+1). */
static double stirling(double k) {
    double up = 0;
    for (; k < 10; k++) /* what the definition changes by from k to k + 1 */
        up += (k + 0.5) * log_of((k + 1) / k) - 1;
    return up + ilk_stirling(k);
}

/* log p(k), as the distance of k from the rate: rate^k e^-rate / k! itself would lose digits to cancellation. */
static double poisson_log(double k, double rate) {
    if (k == 0)
        return -rate;
    double s = (k - rate) / (k + rate), log_k_rate = fabs(s) < 0.17 ? log_ratio(s) : log_of(k / rate);
    return (k - rate) - k * log_k_rate - 0.5 * log_of(2 * M_PI * k) - stirling(k);
}

/* Hörmann (1993), transformed rejection with squeeze: algorithm PTRS, for rates from 10 on. */
static double poisson_large(ilk_rng *r, double rate) {
    double b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    double inv_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = ilk_rng_uniform(r) - 0.5, v = ilk_rng_uniform(r), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= v_r)
            return k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log_of(v * inv_alpha / (a / (us * us) + b)) <= poisson_log(k, rate))
            return k;
    }
}

double ilk_rng_poisson(ilk_rng *r, double rate) {
    return rate < 10 ? poisson_small(r, rate) : poisson_large(r, rate);
}
