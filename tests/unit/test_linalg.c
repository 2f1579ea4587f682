/* SPDX-License-Identifier: Apache-2.0 */
/* test_linalg.c - the linear algebra against loops written as the formulas are. */
#include "fixtures.h"

#include "math/linalg.h"

static double *random_matrix(rng *r, size_t rows, size_t columns) {
    double *X = make(rows * columns, sizeof *X);
    for (size_t i = 0; i < rows * columns; i++)
        X[i] = rng_normal(r);
    return X;
}

/* A random positive definite matrix, both triangles. */
static double *random_spd(rng *r, size_t d) {
    double *B = random_matrix(r, d + 2, d), *A = make(d * d, sizeof *A);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            for (size_t h = 0; h < d + 2; h++)
                A[i * d + j] += B[h * d + i] * B[h * d + j];
    free(B);
    return A;
}

static void dot__is_the_sum_of_products(void **state) {
    (void)state;
    rng r = rng_new(21);
    for (size_t d = 0; d < 40; d++) {
        double *a = random_matrix(&r, 1, d), *b = random_matrix(&r, 1, d), dot = 0, distance = 0;
        for (size_t j = 0; j < d; j++) {
            dot += a[j] * b[j];
            distance += (a[j] - b[j]) * (a[j] - b[j]);
        }
        assert_close(ilk_dot(a, b, d), dot, 1e-14);
        assert_close(ilk_distance2(a, b, d), distance, 1e-14);
        free(a);
        free(b);
    }
}

static void cholesky__is_the_root_of_the_matrix(void **state) {
    (void)state;
    rng r = rng_new(23);
    for (size_t d = 1; d < 40; d += 3) {
        double *A = random_spd(&r, d), *L = make(d * d, sizeof *L);
        memcpy(L, A, d * d * sizeof *L);
        assert_int_equal(ilk_cholesky(L, d, 0), 0);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++) {
                double sum = 0;
                for (size_t h = 0; h <= j; h++)
                    sum += L[i * d + h] * L[j * d + h];
                assert_close(j <= i ? sum : L[i * d + j], A[i * d + j], 1e-12); /* above the diagonal nothing changes */
            }
        free(A);
        free(L);
    }
}

static void cholesky__names_the_first_pivot_that_is_too_small(void **state) {
    (void)state;
    double semidefinite[] = {1, 0, 0, 2, 4, 0, 0, 0, 1}, negative[] = {1, 0, 0, -1}, with_nan[] = {NAN};
    assert_int_equal(ilk_cholesky(semidefinite, 3, 0), 2);
    assert_int_equal(ilk_cholesky(negative, 2, 0), 2);
    assert_int_equal(ilk_cholesky(with_nan, 1, 0), 1);
    double small[] = {1, 0, 0, 1e-3}, enough[] = {1, 0, 0, 1e-3};
    assert_int_equal(ilk_cholesky(small, 2, 1e-3), 2);
    assert_int_equal(ilk_cholesky(enough, 2, 0.999e-3), 0);
}

static void whiten__solves_with_the_factor_and_its_transpose(void **state) {
    (void)state;
    rng r = rng_new(24);
    for (size_t d = 1; d < 40; d += 4) {
        enum { N = 37 };
        double *L = random_spd(&r, d), *x = random_matrix(&r, N, d), *y = make(N * d, sizeof *y);
        assert_int_equal(ilk_cholesky(L, d, 0), 0);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < d; j++)
                for (size_t h = 0; h <= j; h++)
                    y[i * d + j] += L[j * d + h] * x[i * d + h];
        ilk_whiten(y, L, N, d);
        for (size_t i = 0; i < N * d; i++)
            assert_close(y[i], x[i], 1e-9);
        memset(y, 0, d * sizeof *y);
        for (size_t j = 0; j < d; j++)
            for (size_t h = 0; h <= j; h++)
                y[h] += L[j * d + h] * x[j];
        ilk_solve_transposed(y, L, d);
        for (size_t j = 0; j < d; j++)
            assert_close(y[j], x[j], 1e-9);
        free(L);
        free(x);
        free(y);
    }
}

/* One bad row must not reach its neighbours: rows are scored together. */
static void whiten__keeps_nan_in_its_own_row(void **state) {
    (void)state;
    rng r = rng_new(25);
    enum { N = 64 };
    for (size_t d = 1; d < 24; d++) {
        double *L = random_spd(&r, d), *x = random_matrix(&r, N, d);
        assert_int_equal(ilk_cholesky(L, d, 0), 0);
        for (size_t i = 0; i < N; i += 3)
            x[i * d + i % d] = i % 2 ? NAN : INFINITY;
        ilk_whiten(x, L, N, d);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < d && i % 3; j++)
                assert_true(isfinite(x[i * d + j]));
        free(L);
        free(x);
    }
}

/* A row with every value missing is a system of no equations. */
static void whiten__of_nothing_changes_nothing(void **state) {
    (void)state;
    double one[] = {5};
    ilk_whiten(one, one, 1, 0);
    ilk_whiten(one, one, 0, 1);
    assert_true(one[0] == 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dot__is_the_sum_of_products),
        cmocka_unit_test(cholesky__is_the_root_of_the_matrix),
        cmocka_unit_test(cholesky__names_the_first_pivot_that_is_too_small),
        cmocka_unit_test(whiten__solves_with_the_factor_and_its_transpose),
        cmocka_unit_test(whiten__keeps_nan_in_its_own_row),
        cmocka_unit_test(whiten__of_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
