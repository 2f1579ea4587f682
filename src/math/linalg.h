/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.h - the linear algebra Ilk needs, row-major.
 *
 * Our own, and no BLAS: Debian's serial OpenBLAS (0.3.21) is built without locks, and two threads that call dsyrk or
 * dtrsm at the same time now and then get wrong numbers from it.
 *
 * Serial: threads are ours, one block of rows each, so that bits do not depend on their number. */
#ifndef ILK_MATH_LINALG_H
#define ILK_MATH_LINALG_H

#include <stddef.h>

/* Lower triangle of A[d × d] becomes L with A = L L'; the upper is not touched. Returns 0, or j + 1 if the j-th pivot
 * is not above `least` (then A is spoilt). */
size_t ilk_cholesky(double *A, size_t d, double least);

/* Each of the n rows x of X[n × d] becomes L^-1 x. */
void ilk_whiten(double *X, const double *L, size_t n, size_t d);

/* x becomes L^-T x. */
void ilk_solve_transposed(double *x, const double *L, size_t d);

double ilk_dot(const double *a, const double *b, size_t d);
/* Squared Euclidean distance. */
double ilk_distance2(const double *a, const double *b, size_t d);

#endif
