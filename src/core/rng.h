/* SPDX-License-Identifier: Apache-2.0 */
/* rng.h - random numbers from a seed, the same bits on every machine.   MATH section 11
 *
 * The generator is xoshiro256** (Blackman & Vigna 2018), seeded by splitmix64. What is drawn from it uses additions,
 * multiplications, divisions and square roots only, which IEEE 754 fixes to the last bit; the logarithm and exponential
 * of the C library, which it does not, are replaced by our own. For simulation, not for secrets.
 */
#ifndef ILK_CORE_RNG_H
#define ILK_CORE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct ilk_rng {
    uint64_t s[4]; /* never all zero */
} ilk_rng;

ilk_rng ilk_rng_new(uint64_t seed);
/* 64 random bits. */
uint64_t ilk_rng_next(ilk_rng *r);
/* Uniform on (0, 1), both ends excluded: (m + 1/2) / 2^52 for a whole m, so u and 1 - u are equally likely. */
double ilk_rng_uniform(ilk_rng *r);
/* Uniform on 0 … n - 1, n > 0, without bias. */
uint64_t ilk_rng_below(ilk_rng *r, uint64_t n);
/* Standard normal. */
double ilk_rng_normal(ilk_rng *r);
/* Of mean 1. */
double ilk_rng_exponential(ilk_rng *r);
/* Of a rate of at least 0, finite. A whole number in a double; its cost does not depend on the rate. */
double ilk_rng_poisson(ilk_rng *r, double rate);
/* True with probability exp(log_p). */
int ilk_rng_happens(ilk_rng *r, double log_p);
/* One of n values, the i-th with probability exp(log_p[i × stride]) / mass, where mass is what these sum to, give or
 * take rounding. `n` if all are impossible. O(n). */
size_t ilk_rng_pick(ilk_rng *r, const double *log_p, size_t n, size_t stride, double mass);

#endif
