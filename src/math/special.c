/* SPDX-License-Identifier: Apache-2.0 */
/* special.c - see special.h.   MATH section 12
 *
 * The power series for P = 1 - Q where x < a + 1, Legendre's continued fraction for Q elsewhere: each converges fast on
 * its side, and each has the factor x^a e^-x / Gamma(a + 1) in front. */
#include "math/special.h"
#include "core/stirling.h"

#include <float.h>
#include <math.h>

double ilk_log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

/* With v = d / (x + m), log(x / m) = 2 atanh v, and m - x = -v (x + m): together v d + 2 x (atanh v - v), of which the
 * first part is the larger one where v is small; v^17 / 19 of it, the ninth term, is nothing. Elsewhere little cancels.
 * Halves are added because x + m may overflow; so may x / m. */
double ilk_deviance(double x, double m, double d) {
    double v = 0.5 * d / (0.5 * x + 0.5 * m), ratio = x / m, series = 0;
    if (fabs(v) < 0.1) {
        for (int n = 17; n >= 3; n -= 2)
            series = series * v * v + 1.0 / n;
        return v * d + x * (2 * v * v * v * series);
    }
    return x * (ratio > 0 && ratio < INFINITY ? log(ratio) : log(x) - log(m)) - d;
}

/* x^a e^-x / Gamma(a + 1). For large a written as a distance of x from a: a log x - x - log Gamma(a + 1) would cancel,
 * and leave 1e-16 times its largest term. */
static double factor(double a, double x) {
    if (a < 12)
        return exp(a * log(x) - x - ilk_log_gamma(a + 1));
    return exp(-ilk_deviance(a, x, a - x) - ilk_stirling(a)) / sqrt(2 * M_PI * a);
}

/* P = factor × (1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ...) */
static double series(double a, double x) {
    double term = 1, sum = 1;
    for (double n = 1; term > sum * (DBL_EPSILON / 8); n++) {
        term *= x / (a + n);
        sum += term;
    }
    return factor(a, x) * sum;
}

/* Q = factor × a × 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/(x + 5 - a - ...))), by the method of Lentz as
 * Thompson and Barnett (1986) made it. For x >= a + 1 the n-th denominators are at least n + 1: none
 * becomes zero. */
static double fraction(double a, double x) {
    double b = x + 1 - a, c = INFINITY, d = 1 / b, value = d, step = 0;
    for (double n = 1; fabs(step - 1) > 4 * DBL_EPSILON; n++) {
        double numerator = -n * (n - a);
        b += 2;
        d = 1 / (b + numerator * d);
        c = b + numerator / c;
        step = c * d;
        value *= step;
    }
    return factor(a, x) * a * value;
}

double ilk_gamma_q(double a, double x) {
    if (!(a > 0 && x >= 0))
        return NAN;
    if (x == 0 || isinf(x))
        return x == 0;
    return x < a + 1 ? 1 - series(a, x) : fraction(a, x);
}

double ilk_chi2_tail(double x, double freedom) {
    return freedom > 0 ? ilk_gamma_q(freedom / 2, x / 2) : x == 0;
}
