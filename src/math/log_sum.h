/* SPDX-License-Identifier: Apache-2.0 */
/* log_sum.h - a sum of logarithms, as the logarithm of a product as long as that is well within the doubles: a
 * logarithm takes as long as ten products. */
#ifndef ILK_MATH_LOG_SUM_H
#define ILK_MATH_LOG_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Begins as {0, 1}. */
typedef struct ilk_log_sum {
    double sum, product; /* the product from 2^-400 to 2^400 */
} ilk_log_sum;

static inline bool ilk_is_within(double x, double power_of_2) {
    return x > 1 / power_of_2 && x < power_of_2;
}

/* Add `times` log(x); times is a whole number, at least 1. Which power it will be nobody can guess: a table has no
 * branch. */
static inline void ilk_log_sum_add(ilk_log_sum *l, double x, double times) {
    enum { MOST = 4 };
    if (times > MOST || !ilk_is_within(x, 0x1p100)) {
        l->sum += times * log(x);
        return;
    }
    const double power[MOST + 1] = {1, x, x * x, x * x * x, (x * x) * (x * x)};
    l->product *= power[(size_t)times];
    if (ilk_is_within(l->product, 0x1p400))
        return;
    l->sum += log(l->product);
    l->product = 1;
}

static inline double ilk_log_sum_get(const ilk_log_sum *l) {
    return l->sum + log(l->product);
}

#endif
