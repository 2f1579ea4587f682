/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.c - see linalg.h. */
#include "math/linalg.h"

#include <math.h>

/* Four partial sums: independent additions, in an order that is fixed and does not depend on the compiler's taste. */
double ilk_dot(const double *a, const double *b, size_t d) {
    double s[4] = {0};
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (size_t l = 0; l < 4; l++)
            s[l] += a[j + l] * b[j + l];
    for (; j < d; j++)
        s[0] += a[j] * b[j];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

double ilk_distance2(const double *a, const double *b, size_t d) {
    double s[4] = {0};
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (size_t l = 0; l < 4; l++)
            s[l] += (a[j + l] - b[j + l]) * (a[j + l] - b[j + l]);
    for (; j < d; j++)
        s[0] += (a[j] - b[j]) * (a[j] - b[j]);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

void ilk_whiten(double *X, const double *L, size_t n, size_t d) {
    for (size_t r = 0; r < n; r++) {
        double *x = X + r * d;
        for (size_t i = 0; i < d; i++)
            x[i] = (x[i] - ilk_dot(L + i * d, x, i)) / L[i * d + i];
    }
}

size_t ilk_cholesky(double *A, size_t d, double least) {
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++)
            A[i * d + j] = (A[i * d + j] - ilk_dot(A + i * d, A + j * d, j)) / A[j * d + j];
        double pivot = A[i * d + i] - ilk_dot(A + i * d, A + i * d, i);
        if (!(pivot > least))
            return i + 1;
        A[i * d + i] = sqrt(pivot);
    }
    return 0;
}

void ilk_solve_transposed(double *x, const double *L, size_t d) {
    for (size_t i = d; i-- > 0;) {
        x[i] /= L[i * d + i];
        for (size_t j = 0; j < i; j++)
            x[j] -= L[i * d + j] * x[i];
    }
}
