/* SPDX-License-Identifier: Apache-2.0 */
/* rates.h - what families of counts share: smoothed rates, and which form of a density is computed.   MATH section 9
 *
 * x log rate - rate - log x! is a sum of numbers of size x log x, most of which cancel: of 10^15 counts no digit is
 * left. Many counts are written by their deviance from the rate (ilk_deviance) instead; fewer than ILK_MANY, for which
 * the plain form is off by some 1e-12 at most, are not, because it takes no logarithm per class. */
#ifndef ILK_FAMILIES_RATES_H
#define ILK_FAMILIES_RATES_H

#include "core/stirling.h"
#include "math/special.h"

#include <float.h>
#include <math.h>

#define ILK_MANY 1024.0

/* As if the column's mean had been seen alpha / mean times. */
static inline double ilk_rate(double sum, double n, double mean, double alpha) {
    return (sum + alpha) / (n + alpha / mean);
}

/* What is left of a sum, or of squares, without a row: nothing where rounding may hide it, as after a removal. MATH
 * section 13 */
static inline double ilk_rest(double sum, double gone) {
    double left = sum - gone;
    return left > 1000 * DBL_EPSILON * sum ? left : 0;
}

/* What log p(x|k) has of x alone, to be taken off, which is the same for all classes: log x!; of many counts without
 * x log x - x, which is in the deviance. */
static inline double ilk_count_term(double x) {
    return x < ILK_MANY ? ilk_log_gamma(x + 1) : 0.5 * (log(2 * M_PI) + log(x)) + ilk_stirling(x);
}

#endif
