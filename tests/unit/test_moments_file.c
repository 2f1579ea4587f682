/* SPDX-License-Identifier: Apache-2.0 */
/* test_moments_file.c - which moments a file may hold: those that rows could have given, but for rounding. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid__are_sums_that_rows_could_give),
        cmocka_unit_test(valid__are_the_units_there_are),
        cmocka_unit_test(valid__are_products_within_cauchy_and_schwarz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
