/* SPDX-License-Identifier: Apache-2.0 */
/* Every set of kernels that this processor can run computes what the portable one defines, to rounding: sums of
 * products in another order, and fused, differ by at most n eps times the sum of the products' absolute values; 1e-13
 * of it is asked here for sums of up to 1,000 terms. */
#include "fixtures.h"

#include "kernels/kernels.h"

static const size_t heights[] = {0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 129, 300};
static const size_t widths[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 25, 33, 50, 97};
enum { HEIGHTS = sizeof heights / sizeof *heights, WIDTHS = sizeof widths / sizeof *widths };

static double *noise(rng *r, size_t n) {
    double *x = make(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = rng_normal(r);
    return x;
}

/* For all sizes and all sets but the first. */
static void for_all(void (*check)(const ilk_kernels *k, rng *r, size_t n, size_t d)) {
    rng r = rng_new(7);
    for (size_t set = 1; ilk_kernels_at(set); set++)
        for (size_t i = 0; i < HEIGHTS; i++)
            for (size_t j = 0; j < WIDTHS; j++)
                check(ilk_kernels_at(set), &r, heights[i], widths[j]);
}

static void check_syrk(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    double *X = noise(r, n * d), *S = noise(r, d * d), *T = make(d * d, sizeof *T);
    double *scratch = make(k->syrk_scratch(n, d), sizeof *scratch);
    memcpy(T, S, d * d * sizeof *S);
    ilk_kernels_ref.syrk(S, X, n, d, NULL);
    k->syrk(T, X, n, d, scratch);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++) {
            assert_close(T[i * d + j], S[i * d + j], 1e-13 * (double)(n + 1));
            if (j > i) /* the upper triangle is nobody's business */
                assert_true(T[i * d + j] == S[i * d + j]);
        }
    free(X), free(S), free(T), free(scratch);
}

static void check_whiten(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    double *X = noise(r, n * d), *Y = make(n * d, sizeof *Y), *L = noise(r, d * d), *inv = make(d, sizeof *inv);
    double *scratch = make(k->whiten_scratch(d), sizeof *scratch);
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++)
            L[i * d + j] *= 0.1;
        L[i * d + i] = 1 + rng_unit(r);
        inv[i] = 1 / L[i * d + i];
    }
    memcpy(Y, X, n * d * sizeof *X);
    ilk_kernels_ref.whiten(X, L, inv, n, d, NULL);
    k->whiten(Y, L, inv, n, d, scratch);
    for (size_t i = 0; i < n * d; i++)
        assert_close(Y[i], X[i], 1e-12);
    free(X), free(Y), free(L), free(inv), free(scratch);
}

static void check_rows(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    double *X = noise(r, n * d), *Y = make(n * d, sizeof *Y), *mean = noise(r, d), *a = noise(r, d),
           *b = make(d, sizeof *b);
    memcpy(Y, X, n * d * sizeof *X);
    memcpy(b, a, d * sizeof *a);
    ilk_kernels_ref.add_rows(a, X, n, d);
    k->add_rows(b, Y, n, d);
    ilk_kernels_ref.center_rows(X, mean, a, n, d);
    k->center_rows(Y, mean, b, n, d);
    ilk_kernels_ref.square_rows(a, X, n, d);
    k->square_rows(b, Y, n, d);
    for (size_t j = 0; j < d; j++)
        assert_close(b[j], a[j], 1e-13 * (double)(n + 1));
    for (size_t i = 0; i < n * d; i += 7)
        X[i] = Y[i] = i % 2 ? NAN : -X[i];
    memset(a, 0, d * sizeof *a);
    memset(b, 0, d * sizeof *b);
    ilk_kernels_ref.largest(a, X, n, d);
    k->largest(b, Y, n, d);
    assert_memory_equal(a, b, d * sizeof *a);
    for (size_t i = 0; i < n * d; i++)
        assert_true(Y[i] == X[i] || isnan(X[i])); /* one subtraction each: the same bits */
    free(X), free(Y), free(mean), free(a), free(b);
}

static void check_sums(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    (void)n;
    double *x = noise(r, d), *y = noise(r, d), *v = make(d, sizeof *v);
    for (size_t j = 0; j < d; j++)
        v[j] = rng_unit(r);
    assert_close(k->dot(x, y, d), ilk_kernels_ref.dot(x, y, d), 1e-13 * (double)d);
    assert_close(k->distance2(x, y, d), ilk_kernels_ref.distance2(x, y, d), 1e-13 * (double)d);
    assert_close(k->scaled_distance2(x, y, v, d), ilk_kernels_ref.scaled_distance2(x, y, v, d), 1e-13 * (double)d);
    free(x), free(y), free(v);
}

static void kernels__syrk_is_that_of_the_reference(void **state) {
    (void)state;
    for_all(check_syrk);
}

static void kernels__whiten_is_that_of_the_reference(void **state) {
    (void)state;
    for_all(check_whiten);
}

static void kernels__sums_over_rows_are_those_of_the_reference(void **state) {
    (void)state;
    for_all(check_rows);
}

static void kernels__sums_over_columns_are_those_of_the_reference(void **state) {
    (void)state;
    for_all(check_sums);
}

static void kernels__reference_syrk_adds_the_products_of_columns_to_the_lower_triangle(void **state) {
    (void)state;
    rng r = rng_new(22);
    static const size_t sizes[] = {1, 2, 3, 7, 16, 33};
    for (size_t at = 0; at < 6; at++) {
        size_t d = sizes[at], n = rng_below(&r, 100);
        double *X = noise(&r, n * d), *before = noise(&r, d * d), *S = make(d * d, sizeof *S);
        memcpy(S, before, d * d * sizeof *S);
        ilk_kernels_ref.syrk(S, X, n, d, NULL);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++) {
                double sum = before[i * d + j];
                for (size_t h = 0; j <= i && h < n; h++)
                    sum += X[h * d + i] * X[h * d + j];
                assert_close(S[i * d + j], sum, 1e-13);
            }
        free(X);
        free(before);
        free(S);
    }
}

static void kernels__reference_whitens_by_forward_substitution(void **state) {
    (void)state;
    const double L[] = {2, 0, 1, 4}, inv[] = {0.5, 0.25};
    double x[] = {6, 11};
    ilk_kernels_ref.whiten(x, L, inv, 1, 2, NULL);
    assert_true(x[0] == 3 && x[1] == 2);
}

static void kernels__the_set_in_use_is_one_this_processor_can_run(void **state) {
    (void)state;
    bool found = false;
    for (size_t i = 0; ilk_kernels_at(i); i++)
        found = found || ilk_kernels_at(i) == ilk_kernels_use();
    assert_true(found);
    assert_string_equal(ilk_kernels_at(0)->name, "ref");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels__syrk_is_that_of_the_reference),
        cmocka_unit_test(kernels__whiten_is_that_of_the_reference),
        cmocka_unit_test(kernels__sums_over_rows_are_those_of_the_reference),
        cmocka_unit_test(kernels__sums_over_columns_are_those_of_the_reference),
        cmocka_unit_test(kernels__reference_syrk_adds_the_products_of_columns_to_the_lower_triangle),
        cmocka_unit_test(kernels__reference_whitens_by_forward_substitution),
        cmocka_unit_test(kernels__the_set_in_use_is_one_this_processor_can_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
