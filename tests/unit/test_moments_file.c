/* SPDX-License-Identifier: Apache-2.0 */
/* test_moments_file.c - which moments a file may hold: those that rows could have given, but for rounding; and which
 * may be removed from others. */
#include "fixtures.h"

#include "model/counts.h"
#include "model/moments.h"

/* n | mean | S | peak of one column. */
static void valid__are_sums_that_rows_could_give(void **state) {
    (void)state;
    static const struct {
        double n, mean, S, peak;
        bool fits;
    } cases[] = {
        {5, 3, 2, 2, true},
        {0, 0, 0, 0, true},
        {0.5, 0, 0, 0, true},
        {ILK_COUNT_MAX, 3, 2, 2, true},
        {2 * ILK_COUNT_MAX, 3, 2, 2, false},
        {-1, 3, 2, 2, false},
        {5, 3, -1, 2, false},
        {5, 3, 2, -1, false},
        {5, 3, 2, 0, true},
        {0, 3, 2, 2, false}, /* a scatter of no rows */
        {5, 0x1p480, 2, 2, true},
        {5, -0x1p481, 2, 2, false}, /* too large for its unit */
        {5, 3, 5 * 0x1p960, 2, true},
        {5, 3, 5 * 0x1p962, 2, false},
        {5, 0x1.6a09ep480, 5 * 0x1p955, 2, false}, /* too large together */
        {5, 3, 2, 0x1p1014, true},                 /* 2^53 squares of the largest */
        {5, 3, 2, 0x1p1015, false},
        {NAN, 3, 2, 2, false},
        {5, INFINITY, 2, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ilk_moments m;
        ilk_moments_init(&m, false, 1);
        assert_int_equal(ilk_moments_grow(&m, 2), ILK_OK);
        double *r = ilk_moments_record(&m, 1); /* the last class as well as the first */
        r[0] = cases[i].n;
        r[1] = cases[i].mean;
        r[2] = cases[i].S;
        r[3] = cases[i].peak;
        if (ilk_moments_valid(&m) != cases[i].fits)
            fail_msg("case %zu", i);
        ilk_moments_free(&m);
    }
}

static void valid__are_the_units_there_are(void **state) {
    (void)state;
    static const int units[] = {-2 * ILK_UNIT, -ILK_UNIT, 0, ILK_UNIT, 2 * ILK_UNIT, 1, ILK_UNIT - 1};
    for (size_t i = 0; i < 7; i++) {
        ilk_moments m;
        ilk_moments_init(&m, false, 2);
        assert_int_equal(ilk_moments_grow(&m, 1), ILK_OK);
        m.exponent[1] = units[i];
        assert_int_equal(ilk_moments_valid(&m), i >= 1 && i <= 3);
        ilk_moments_free(&m);
    }
}

/* Of two columns of scatter 4 and 9: |S_10| is at most 6, and what rounding may have added to it, which is relative to
 * the sums of squares. n | mean[2] | peak[2] | S[4]. */
static void valid__are_products_within_cauchy_and_schwarz(void **state) {
    (void)state;
    static const struct {
        double mean[2], product;
        bool fits;
    } cases[] = {{{0, 0}, 6, true},          {{0, 0}, 6.1, false},    {{0, 0}, -6.1, false},   {{0, 0}, -5.9, true},
                 {{1e6, 0}, 6.006, true},    {{1e6, 0}, 6.03, false}, {{0, 1e6}, 6.004, true}, {{0, 1e6}, 6.03, false},
                 {{1e6, -1e6}, -9000, true}, {{1e6, 1e6}, 2e4, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ilk_moments m;
        ilk_moments_init(&m, true, 2);
        assert_int_equal(ilk_moments_grow(&m, 1), ILK_OK);
        const double record[] = {10, cases[i].mean[0], cases[i].mean[1], 9, 9, 4, 0, cases[i].product, 9};
        memcpy(ilk_moments_record(&m, 0), record, sizeof record);
        if (ilk_moments_valid(&m) != cases[i].fits)
            fail_msg("case %zu", i);
        ilk_moments_free(&m);
    }
}

/* ---- what may be removed */

static ilk_removal removal_of(const double *rows, size_t n, const double *gone, size_t g, double mean_of_gone) {
    ilk_moments m, from;
    size_t k, column;
    ilk_moments_init(&m, false, 1);
    double X[8], *scratch = make(ilk_moments_scratch(&m, 1, 8), sizeof *scratch);
    ilk_moments_init(&from, false, 1);
    assert_int_equal(ilk_moments_grow(&m, 1), ILK_OK);
    assert_int_equal(ilk_moments_grow(&from, 1), ILK_OK);
    memcpy(X, rows, n * sizeof *X);
    ilk_moments_add(&m, 0, X, NULL, n, true, scratch);
    memcpy(X, gone, g * sizeof *X);
    ilk_moments_add(&from, 0, X, NULL, g, true, scratch);
    if (mean_of_gone != 0)
        ilk_moments_record(&from, 0)[1] = mean_of_gone;
    ilk_removal why =
        ilk_moments_removable(&m, &from, (uint32_t[]){0}, (ilk_known){.rows = true}, (double[16]){0}, &k, &column);
    ilk_moments_free(&m);
    ilk_moments_free(&from);
    free(scratch);
    return why;
}

/* One row has no scatter and none needs one; two that are equal have lost theirs to rounding, as far as one can
 * tell. */
/* Beside values about 1, the square of 1e-200 is nothing, and its product with 1 is not. */
static void valid__are_products_of_what_has_no_square(void **state) {
    (void)state;
    ilk_moments m;
    ilk_moments_init(&m, true, 2);
    assert_int_equal(ilk_moments_grow(&m, 2), ILK_OK);
    double scratch[4096], large[] = {1, 1, 2, 3}, tiny[] = {1, 1e-200, 3, 0, 4, 1e-200};
    assert_in_range(ilk_moments_scratch(&m, 1, 3), 1, 4096);
    ilk_moments_add(&m, 0, large, NULL, 2, true, scratch);
    ilk_moments_add(&m, 1, tiny, NULL, 3, true, scratch);
    double *S = ilk_moments_record(&m, 1) + 5; /* n | mean[2] | peak[2] | scatter[2][2] */
    assert_true(S[3] == 0 && S[2] != 0 && ilk_moments_valid(&m));
    S[2] = 1e-100;
    assert_false(ilk_moments_valid(&m));
    ilk_moments_free(&m);
}

static void removal__is_refused_where_nothing_is_left_of_the_scatter(void **state) {
    (void)state;
    const double rows[] = {1, 2, 4}, pairs[] = {-0.5, -0.5, 0.5, 0.5}, same[] = {0.1, 0.1, 0.1, 0.1};
    assert_int_equal(removal_of(rows, 3, rows, 3, 0), ILK_REMOVABLE);
    assert_int_equal(removal_of(rows, 3, rows, 2, 0), ILK_REMOVABLE);
    assert_int_equal(removal_of(rows, 3, rows, 1, 0), ILK_REMOVABLE);
    assert_int_equal(removal_of(pairs, 4, pairs + 2, 2, 0), ILK_REMOVES_TOO_MUCH_SCATTER);
    assert_int_equal(removal_of(rows, 3, pairs, 4, 0), ILK_REMOVES_MORE_THAN_THERE_IS);
    assert_int_equal(removal_of(same, 4, same, 2, 0), ILK_REMOVABLE);
    assert_int_equal(removal_of(same, 4, same, 2, nextafter(0.1, 1)), ILK_REMOVABLE); /* a mean of weights is rounded */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid__are_sums_that_rows_could_give),
        cmocka_unit_test(valid__are_the_units_there_are),
        cmocka_unit_test(removal__is_refused_where_nothing_is_left_of_the_scatter),
        cmocka_unit_test(valid__are_products_of_what_has_no_square),
        cmocka_unit_test(valid__are_products_within_cauchy_and_schwarz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
