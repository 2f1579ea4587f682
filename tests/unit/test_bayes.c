/* SPDX-License-Identifier: Apache-2.0 */
/* test_bayes.c - Bayes' rule in log space: p(y|x) = p(x|y) p(y) / p(x), however small its parts. */
#include "fixtures.h"

static double sum(const double *p, size_t K) {
    double s = 0;
    for (size_t k = 0; k < K; k++)
        s += p[k];
    return s;
}

static void bayes__is_the_quotient_of_the_course(void **state) {
    (void)state;
    const double joint[] = {0.0053, 0.0206}, log_joint[] = {log(0.0053), log(0.0206)};
    double posterior[2];
    assert_close(ilk_bayes(posterior, log_joint, 2), log(0.0053 + 0.0206), 1e-15);
    for (size_t k = 0; k < 2; k++)
        assert_close(posterior[k], joint[k] / (0.0053 + 0.0206), 1e-15);
}

static void bayes__sums_to_one_for_any_classes(void **state) {
    (void)state;
    rng r = rng_new(41);
    double log_joint[300], posterior[300];
    for (int times = 0; times < 2000; times++) {
        size_t K = 1 + rng_below(&r, 300);
        double spread = pow(10, (double)rng_below(&r, 7)), level = (rng_unit(&r) - 0.5) * 1e6;
        for (size_t k = 0; k < K; k++)
            log_joint[k] = level + spread * rng_normal(&r);
        double evidence = ilk_bayes(posterior, log_joint, K);
        assert_close(sum(posterior, K), 1, 1e-13);
        for (size_t k = 0; k < K; k++) {
            assert_true(posterior[k] >= 0 && posterior[k] <= 1);
            if (log_joint[k] - evidence > -700)
                assert_close(posterior[k] / exp(log_joint[k] - evidence), 1, 1e-9);
        }
    }
}

static void bayes__does_not_overflow_or_underflow(void **state) {
    (void)state;
    static const double level[] = {1e300, -1e300, 1e5, -1e5, 1e-300, 0};
    double p[2];
    for (size_t i = 0; i < 6; i++) {
        assert_close(ilk_bayes(p, (double[]){level[i], level[i]}, 2), level[i] + log(2), 1e-15);
        assert_true(p[0] == 0.5 && p[1] == 0.5);
    }
    assert_true(ilk_bayes(p, (double[]){-1e308, -1e-308}, 2) == -1e-308);
    assert_true(p[0] == 0 && p[1] == 1);
    ilk_bayes(p, (double[]){-1000, -1001}, 2);
    assert_close(p[0], 1 / (1 + exp(-1)), 1e-15);
}

static void bayes__of_an_impossible_class_is_zero(void **state) {
    (void)state;
    double p[3];
    assert_true(ilk_bayes(p, (double[]){-INFINITY, -5, -INFINITY}, 3) == -5);
    assert_true(p[0] == 0 && p[1] == 1 && p[2] == 0);
}

static void bayes__of_zero_over_zero_is_undecided(void **state) {
    (void)state;
    double p[] = {-INFINITY, -INFINITY, -INFINITY};
    assert_int_equal(ilk_argmax(p, 3), ILK_NONE);
    assert_true(ilk_bayes(p, p, 3) == -INFINITY);
    assert_true(isnan(p[0]) && isnan(p[1]) && isnan(p[2]));
}

static void bayes__may_overwrite_the_joints(void **state) {
    (void)state;
    double p[] = {-3, -1, -2}, q[3];
    double evidence = ilk_bayes(q, p, 3);
    assert_true(ilk_bayes(p, p, 3) == evidence);
    assert_memory_equal(p, q, sizeof p);
}

static void argmax__takes_the_first_of_equals(void **state) {
    (void)state;
    assert_int_equal(ilk_argmax((double[]){1, 3, 3, 2}, 4), 1);
    assert_int_equal(ilk_argmax((double[]){-INFINITY, -1e308}, 2), 1);
    assert_int_equal(ilk_argmax((double[]){0}, 1), 0);
    assert_int_equal(ilk_argmax(NULL, 0), ILK_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bayes__is_the_quotient_of_the_course),
        cmocka_unit_test(bayes__sums_to_one_for_any_classes),
        cmocka_unit_test(bayes__does_not_overflow_or_underflow),
        cmocka_unit_test(bayes__of_an_impossible_class_is_zero),
        cmocka_unit_test(bayes__of_zero_over_zero_is_undecided),
        cmocka_unit_test(bayes__may_overwrite_the_joints),
        cmocka_unit_test(argmax__takes_the_first_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
