/* SPDX-License-Identifier: Apache-2.0 */
/* test_gda_file.c - the parameters of Gaussian discriminant analysis as a file may hold them: which are refused, and
 * what is made of the others. */
#include "families/family.h"
#include "fixtures.h"

#include <float.h>

/* Two classes, two columns: n[2] | mu[4] | z[4] | divisor, shrink, log_norm, center[2], inv_sd[2], L[4]
 * and, of gda, t[4] */

enum { SIZE_GDA = 10 + 11 + 4, SIZE_QDA = 10 + 22, MU = 2, DIVISOR = 10, SHRINK = 11, T = 21 };

static bool valid_with(const char *family, const double *good, size_t size, size_t at, double value) {
    double p[SIZE_QDA];
    memcpy(p, good, size * sizeof *p);
    p[at] = value;
    return ilk_family_find(family)->validate(p, &(ilk_shape){.K = 2, .d = 2});
}

static void validate__refuses_what_no_rows_could_give(void **state) {
    (void)state;
    static const double a[] = {5, 1, 2, 0, 0, 0.8, 0.3, 0.3, 0.6}, b[] = {4, -2, 1, 0, 0, 0.5, -0.1, -0.1, 0.9};
    const double *const record[] = {a, b};
    const int exponent[] = {0, 0};
    const ilk_view view = {.moments = {.record = record, .exponent = exponent}};
    const ilk_str name[] = {str("a"), str("b")};
    const ilk_shape s = {.K = 2, .d = 2, .column = name, .name = name};
    static const char *const families[] = {"gda", "qda"};
    for (size_t f = 0; f < 2; f++) {
        const char *family = families[f];
        size_t size = f ? SIZE_QDA : SIZE_GDA;
        double p[SIZE_QDA];
        ilk_options o = options_of(1);
        o.shrink = 0.25;
        assert_int_equal(ilk_family_find(family)->size(&s), size);
        assert_ok(ilk_family_find(family)->estimate(p, &s, &view, &o, &failure));
        assert_true(valid_with(family, p, size, 0, p[0]));
        for (size_t i = 0; i < size; i++)
            assert_false(valid_with(family, p, size, i, NAN) || valid_with(family, p, size, i, INFINITY));
        for (size_t k = 0; k < 2; k++) {
            assert_true(valid_with(family, p, size, k, 0.5));
            assert_false(valid_with(family, p, size, k, 0) || valid_with(family, p, size, k, -1));
        }
        for (size_t c = 0; c <= 11 * f; c += 11) {
            assert_true(valid_with(family, p, size, DIVISOR + c, 0.5));
            assert_false(valid_with(family, p, size, DIVISOR + c, 0) || valid_with(family, p, size, DIVISOR + c, -1));
            assert_true(valid_with(family, p, size, SHRINK + c, 0) && valid_with(family, p, size, SHRINK + c, 1));
            assert_false(valid_with(family, p, size, SHRINK + c, -0.1) || valid_with(family, p, size, SHRINK + c, 1.1));
        }
        for (size_t i = MU; i < MU + 8; i++) { /* L z is not D^-1 (mu - center) any more: of qda, 0 */
            assert_true(valid_with(family, p, size, i, f ? p[i] : p[i] * (1 + 1e-13)));
            assert_false(valid_with(family, p, size, i, p[i] == 0 ? 0.5 : 1.5 * p[i]) ||
                         valid_with(family, p, size, i, -1e308) || valid_with(family, p, size, i, -DBL_MAX));
        }
        for (size_t i = T; i < T + 4 && !f; i++) { /* L't is not z any more */
            assert_true(valid_with(family, p, size, i, p[i] * (1 + 1e-9)));
            assert_false(valid_with(family, p, size, i, p[i] * 1.001) || valid_with(family, p, size, i, -p[i]));
        }
    }
}

/* z_0 = t_0 + 0.6 t_1 is 0, and off by as little as the two parts' own rounding. */
static void validate__allows_for_rounding_of_what_cancels(void **state) {
    (void)state;
    double p[] = {1, 0, 0.64, 0, 0.8, 1, 0, log(2 * M_PI) + log(0.8), 0, 0, 1, 1, 1, 0, 0.6, 0.8, -0.6, 1};
    const ilk_shape s = {.K = 1, .d = 2};
    double *t = p + sizeof p / sizeof *p - 2;
    assert_int_equal(ilk_family_find("gda")->size(&s), sizeof p / sizeof *p);
    assert_true(ilk_family_find("gda")->validate(p, &s));
    t[0] = -0.6 * (1 + 1e-9);
    assert_true(ilk_family_find("gda")->validate(p, &s));
    t[0] = -0.6 * (1 + 1e-5);
    assert_false(ilk_family_find("gda")->validate(p, &s));
}

/* L't is as far from z as numbers go: farther than there is a number for, which no share of what is summed allows. */
static void validate__refuses_what_is_off_by_no_number(void **state) {
    (void)state;
    double p[] = {1, -0.4e308, 0.016e308, -0.4e308, 0.32e308, 1,         0,      log(2 * M_PI) + log(0.8), 0, 0, 1,
                  1, 1,        0,         0.6,      0.8,      -0.64e308, 0.4e308};
    const ilk_shape s = {.K = 1, .d = 2};
    double *t = p + sizeof p / sizeof *p - 2;
    assert_true(ilk_family_find("gda")->validate(p, &s));
    t[0] = DBL_MAX;
    assert_false(ilk_family_find("gda")->validate(p, &s));
}

/* z says nothing of the class, but varies with x, which does: what makes up its difference of 0 is large and cancels.
 * And where classes hardly differ, what is off by little is off by much of it. */
static void validate__is_relative_to_what_is_summed(void **state) {
    (void)state;
    const ilk_str name[] = {str("a"), str("b")};
    const ilk_shape s = {.K = 2, .d = 2, .column = name, .name = name};
    const int exponent[] = {0, 0};
    for (size_t i = 0; i <= 50; i++) {
        double x = i ? -10 - 0.37 * (double)i : 1e-4;
        const double a[] = {7, x, 0.1, 0, 0, 8.3, 7.7, 7.7, 7.9}, b[] = {5, -x, 0.1, 0, 0, 5.1, 4.9, 4.9, 5.3};
        const double *const record[] = {a, b};
        double p[SIZE_GDA];
        ilk_options o = options_of(1);
        const ilk_view view = {.moments = {.record = record, .exponent = exponent}};
        assert_ok(ilk_family_find("gda")->estimate(p, &s, &view, &o, &failure));
        assert_true(valid_with("gda", p, SIZE_GDA, 0, p[0]));
        assert_false(valid_with("gda", p, SIZE_GDA, MU, p[MU] * 1.001));
    }
}

/* A file may say that a class is so far away that the linear form is infinity less infinity: that is infinitely far. */
static void score_relative__of_a_class_out_of_reach_is_no_nan(void **state) {
    (void)state;
    const double far = 1e200, x = 1e139, log_norm = 0.5 * log(2 * M_PI);
    const double p[] = {1, 1, 0, far, 0, far, 1, 0, log_norm, 0, 1, 1, 0, far};
    const ilk_shape s = {.K = 2, .d = 1};
    const ilk_family *gda = ilk_family_find("gda");
    size_t per_row, fixed;
    gda->scratch(&per_row, &fixed, &s);
    double *scratch = make(per_row + fixed, sizeof *scratch), out[2] = {0, 0};
    assert_int_equal(gda->size(&s), sizeof p / sizeof *p);
    assert_true(gda->validate(p, &s));
    gda->score_relative(out, p, &s, &(ilk_chunk){.n = 1, .x = &x, .scratch = scratch});
    assert_close(out[0] / 1e278, -0.5, 1e-12);
    assert_true(out[1] == -INFINITY);
    free(scratch);
}

/* Class a has 0, 1/2 and 4, class b 10 and 11. Without the 4, which is most of the scatter, 5/8 of it is left, whatever
 * was computed in this scratch before. */
static void score_without__does_not_depend_on_what_was_before(void **state) {
    (void)state;
    static const double a[] = {3, 1.5, 0, 9.5}, b[] = {2, 10.5, 0, 0.5}, x = 4;
    const ilk_view view = {.moments = {.record = (const double *const[]){a, b}, .exponent = (const int[]){0}}};
    const ilk_str name[] = {str("a"), str("b")};
    const ilk_shape s = {.K = 2, .d = 1, .column = name, .name = name};
    const ilk_family *gda = ilk_family_find("gda");
    const ilk_options o = options_of(1);
    double p[14], out[2] = {0, 0}, variance = 0.625 / 4, log_norm = 0.5 * log(2 * M_PI * variance);
    size_t per_row, fixed;
    gda->scratch(&per_row, &fixed, &s);
    double *scratch = make(per_row + fixed, sizeof *scratch);
    assert_int_equal(gda->size(&s), sizeof p / sizeof *p);
    assert_ok(gda->estimate(p, &s, &view, &o, &failure));
    gda->score_without(out, p, &s, &(ilk_chunk){.n = 1, .x = &x, .label = (uint32_t[]){0}, .scratch = scratch});
    assert_close(out[0], -0.5 * 3.75 * 3.75 / variance - log_norm, 1e-12);
    assert_close(out[1], -0.5 * 6.5 * 6.5 / variance - log_norm, 1e-12);
    free(scratch);
}

/* Three columns, of which the second never varied; distances and how many columns they are of. */
static void distance2__counts_the_columns_that_are_there_and_vary(void **state) {
    (void)state;
    const ilk_shape s = {.K = 1, .d = 3};
    const double log_norm = log(2 * M_PI) - log(2), rows[][3] = {{1, 5, 2}, {1, 5, NAN}, {NAN, 5, 3}, {NAN, NAN, NAN}};
    const double p[] = {4, 0, 0, 0, 0, 0, 0, 4, 0, log_norm, 0, 0, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const double expected[] = {4 + 4, 4, 9, 0}, columns[] = {2, 1, 1, 0};
    for (int f = 0; f < 2; f++) {
        const ilk_family *family = ilk_family_find(f ? "qda" : "gda");
        size_t per_row, fixed, found;
        family->scratch(&per_row, &fixed, &s);
        double *scratch = make(per_row + fixed, sizeof *scratch);
        assert_true(family->validate(p, &s));
        for (size_t i = 0; i < 4; i++) {
            double d2 = family->distance2(p, &s, &(ilk_chunk){.n = 1, .x = rows[i], .scratch = scratch}, 0, &found);
            assert_close(d2, expected[i], 1e-15);
            assert_true((double)found == columns[i]);
        }
        free(scratch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validate__refuses_what_no_rows_could_give),
        cmocka_unit_test(validate__is_relative_to_what_is_summed),
        cmocka_unit_test(validate__allows_for_rounding_of_what_cancels),
        cmocka_unit_test(validate__refuses_what_is_off_by_no_number),
        cmocka_unit_test(score_without__does_not_depend_on_what_was_before),
        cmocka_unit_test(distance2__counts_the_columns_that_are_there_and_vary),
        cmocka_unit_test(score_relative__of_a_class_out_of_reach_is_no_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
