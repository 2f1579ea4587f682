/* SPDX-License-Identifier: Apache-2.0 */
/* bayes.c - Bayes' rule in log space.   MATH section 1
 *
 * p(y|x) = exp(log p(x, y) - log p(x)), log p(x) = m + log sum exp(log p(x, y) - m), m the largest: nothing overflows,
 * and what underflows is below 1e-308 of the largest. */
#include "math/bayes.h"

#include <math.h>

uint32_t ilk_argmax(const double *log_joint, size_t K) {
    uint32_t best = ILK_NONE;
    double most = -INFINITY;
    for (size_t k = 0; k < K; k++) {
        if (log_joint[k] > most) {
            most = log_joint[k];
            best = (uint32_t)k;
        }
    }
    return best;
}

double ilk_bayes(double *posterior, const double *log_joint, size_t K) {
    uint32_t best = ilk_argmax(log_joint, K);
    if (best == ILK_NONE) {
        for (size_t k = 0; k < K; k++)
            posterior[k] = NAN;
        return -INFINITY;
    }
    double most = log_joint[best], sum = 0;
    for (size_t k = 0; k < K; k++) {
        posterior[k] = exp(log_joint[k] - most);
        sum += posterior[k];
    }
    for (size_t k = 0; k < K; k++)
        posterior[k] /= sum;
    return most + log(sum);
}

/* Of two classes the likelier weighs exp(0) = 1, the other exp(-|difference|): one exponential, and no branch that
 * could go either way. A difference of two infinities is NaN, and so is all that follows. */
static void posterior_of_two(double *posterior, const double *log_joint) {
    double difference = log_joint[0] - log_joint[1], weight = exp(-fabs(difference)), sum = 1 + weight;
    double likelier = 1 / sum, other = weight / sum;
    posterior[0] = difference < 0 ? other : likelier;
    posterior[1] = difference < 0 ? likelier : other;
}

void ilk_posterior(double *posterior, const double *log_joint, size_t K, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (K == 2)
            posterior_of_two(posterior + 2 * i, log_joint + 2 * i);
        else
            ilk_bayes(posterior + i * K, log_joint + i * K, K);
    }
}
