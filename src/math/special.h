/* SPDX-License-Identifier: Apache-2.0 */
/* special.h - the gamma function's logarithm, the incomplete one, regularised, the tail of chi-squared, and how far a
 * count is from a rate.   MATH section 12 */
#ifndef ILK_MATH_SPECIAL_H
#define ILK_MATH_SPECIAL_H

/* log Gamma(x) for x > 0. lgamma would also write a sign, to a variable that all threads share. */
double ilk_log_gamma(double x);

/* x log(x / m) + m - x for x > 0 and m >= 0, where d = x - m is known better than by subtracting: to a few eps of
 * itself, however near x is to m. inf for m = 0.   MATH section 9 */
double ilk_deviance(double x, double m, double d);

/* Q(a, x), the integral of t^(a-1) e^-t from x on over Gamma(a), for a > 0 and x >= 0; NaN elsewhere. To about 1e-13
 * relative for a from 1/2 to 1e5; for smaller a it is 1 - P where x < a + 1. Cost: O(sqrt(a)). */
double ilk_gamma_q(double a, double x);

/* The probability that a sum of `freedom` squared standard normals exceeds x >= 0.
 * For no freedom: 1 at x = 0, else 0. */
double ilk_chi2_tail(double x, double freedom);

#endif
