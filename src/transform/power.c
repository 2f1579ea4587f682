/* SPDX-License-Identifier: Apache-2.0 */
/* power.c - Box-Cox and Yeo-Johnson, there and back.   MATH section 15
 *
 * Both go by way of the logarithm of what is raised to a power, so that lambda near 0 needs no case of its own. */
#include "transform/transform.h"

/* (e^(lambda l) - 1) / lambda. */
static double raise(double l, double lambda) {
    return lambda == 0 ? l : expm1(lambda * l) / lambda;
}

/* l of the above; NaN or infinite where y is outside its range. */
static double lower(double y, double lambda) {
    return lambda == 0 ? y : log1p(lambda * y) / lambda;
}

double ilk_transform_apply(const ilk_transform *t, double x) {
    if (isnan(x) || !ilk_transform_is_power(t))
        return x;
    if (t->kind == ILK_BOX_COX)
        return raise(log(x), t->lambda);
    return x >= 0 ? raise(log1p(x), t->lambda) : -raise(log1p(-x), 2 - t->lambda);
}

const char *ilk_transform_refuses(const ilk_transform *t, double x) {
    if (!ilk_transform_is_power(t))
        return NULL;
    if (t->kind == ILK_BOX_COX && x <= 0)
        return "is not positive: boxcox and log take positive data only; yeo-johnson takes any number";
    return isinf(ilk_transform_apply(t, x)) ? "is too large to be transformed" : NULL;
}

double ilk_transform_log_slope(const ilk_transform *t, double x) {
    if (isnan(x) || !ilk_transform_is_power(t))
        return 0;
    if (t->kind == ILK_BOX_COX)
        return (t->lambda - 1) * log(x);
    return (t->lambda - 1) * copysign(log1p(fabs(x)), x);
}

double ilk_transform_undo(const ilk_transform *t, double y) {
    if (!ilk_transform_is_power(t))
        return y;
    if (t->kind == ILK_BOX_COX)
        return exp(lower(y, t->lambda));
    return y >= 0 ? expm1(lower(y, t->lambda)) : -expm1(lower(-y, 2 - t->lambda));
}
