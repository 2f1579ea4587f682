/* SPDX-License-Identifier: Apache-2.0 */
/* bayes.h - Bayes' rule for many rows, where the evidence is not asked for.   MATH section 1 */
#ifndef ILK_MATH_BAYES_H
#define ILK_MATH_BAYES_H

#include <ilk.h>

/* What ilk_bayes makes of each of n rows of K log-joints. They may be the same array. */
void ilk_posterior(double *posterior, const double *log_joint, size_t K, size_t n);

#endif
