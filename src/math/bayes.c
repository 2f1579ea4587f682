/* SPDX-License-Identifier: Apache-2.0 */
/* bayes.c - Bayes' rule in log space.   MATH section 1
 *
 * p(y|x) = exp(log p(x, y) - log p(x)), log p(x) = m + log sum exp(log p(x, y) - m), m the largest: nothing overflows,
 * and what underflows is below 1e-308 of the largest. */
#include <ilk.h>

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
