/* SPDX-License-Identifier: Apache-2.0 */
/* log_sum.h - a sum of logarithms, as the logarithm of a product as long as that is well within the doubles: a
 * logarithm takes as long as ten products. */
#ifndef ILK_MATH_LOG_SUM_H
#define ILK_MATH_LOG_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { ILK_LOG_SUM_TIMES = 4 }; /* up to this power a product is taken */

/* Begins as {0, 1}. */
typedef struct ilk_log_sum {
    double sum, product; /* the product from 2^-400 to 2^400 */
} ilk_log_sum;

static inline bool ilk_is_within(double x, double power_of_2) {
    return x > 1 / power_of_2 && x < power_of_2;
}

/* Add log(x), for x from 2^-400 to 2^400. */
static inline void ilk_log_sum_multiply(ilk_log_sum *l, double x) {
    l->product *= x;
    if (ilk_is_within(l->product, 0x1p400))
        return;
    l->sum += log(l->product);
    l->product = 1;
}

/* Add `times` log(x), for any x; times is a whole number, at least 1. */
static inline void ilk_log_sum_add(ilk_log_sum *l, double x, double times) {
    if (times > ILK_LOG_SUM_TIMES || !ilk_is_within(x, 0x1p100)) {
        l->sum += times * log(x);
        return;
    }
    const double power[ILK_LOG_SUM_TIMES + 1] = {1, x, x * x, x * x * x, (x * x) * (x * x)};
    ilk_log_sum_multiply(l, power[(size_t)times]); /* by a table: which power it will be nobody can guess */
}

static inline double ilk_log_sum_get(const ilk_log_sum *l) {
    return l->sum + log(l->product);
}

#endif
