/* SPDX-License-Identifier: Apache-2.0 */
/* test_gda_left_out.c - leave-one-out of Gaussian discriminant analysis where a row is all of something: its class, the
 * scatter, the divisor. */
#include "fixtures.h"

/* Leaving the first of the rows out is a model of the others, for every class that is still there. */
static void assert_left_out(const char *columns, const char *all, const ilk_options *o) {
    table t = table_of(all), first = table_part(&t, 0, 1);
    ilk_model *m = model_of(columns, all, o), *rest = model_of(columns, strchr(all, '\n') + 1, o);
    batch b = batch_for_model(m, &first);
    double out[3], *again = log_joints(rest, &first);
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    for (uint32_t k = 0; k < ilk_model_classes(m); k++) {
        uint32_t there = ilk_model_class(rest, ilk_model_class_name(m, k));
        assert_close(out[k], there == ILK_NONE ? -INFINITY : again[there], 1e-11);
    }
    free(again);
    batch_free(&b);
    ilk_model_free(m);
    ilk_model_free(rest);
    table_free(&t);
}

/* Of a class's only row, which is its mean; of one of two; beside a column that never varies. */
static void leave_one_out__of_few_rows_is_retraining(void **state) {
    (void)state;
    for (int divisor = ILK_DIVISOR_N; divisor <= ILK_DIVISOR_N_MINUS_1; divisor++) {
        ilk_options o = options_of(1);
        o.divisor = (ilk_divisor)divisor;
        const char *others = "1,2,7,a\n3,1,7,a\n4,4,7,a\n2,7,7,a\n5,5,7,a\n"
                             "0,1,7,b\n3,9,7,b\n6,4,7,b\n5,1,7,b\n8,8,7,b\n";
        char rows[256];
        snprintf(rows, sizeof rows, "9,1,7,c\n4,2,7,c\n%s", others);
        assert_left_out("x:gda z:gda w:gda y", rows, &o);
        if (divisor != ILK_DIVISOR_N_MINUS_K) { /* which has one class less to take off then */
            snprintf(rows, sizeof rows, "9,1,7,c\n%s", others);
            assert_left_out("x:gda z:gda w:gda y", rows, &o);
        }
        assert_left_out("x:gda y", "4,a\n0,a\n10,b\n11,b\n", &o); /* one of two, and most of the scatter */
        assert_left_out("x:qda z:qda w:qda y", others, &o);
    }
}

/* Without the row nothing varies any more, so that no class can have it, not only its own. */
static void leave_one_out__of_all_the_scatter_is_impossible(void **state) {
    (void)state;
    table t = table_of("4,a\n0,a\n10,b\n");
    ilk_model *m = model_of("x:gda y", "4,a\n0,a\n10,b\n", NULL);
    batch b = batch_for_model(m, &t);
    double out[6];
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_true(out[0] == -INFINITY && out[1] == -INFINITY);
    assert_true(isfinite(out[4]) && out[5] == -INFINITY);
    batch_free(&b);
    ilk_model_free(m);
    table_free(&t);
}

/* A class of d + 1 rows has no covariance without one of them, however far from 0 and ill conditioned they are; one of
 * d + 2 has. */
static void leave_one_out__of_one_row_more_than_columns_is_impossible(void **state) {
    (void)state;
    enum { D = 4 };
    for (uint32_t seed = 0; seed < 300; seed++) {
        rng r = rng_new(seed);
        char text[8192], *at = text;
        double far = (double)rng_below(&r, 3) * pow(10, 4 * rng_unit(&r)), spread = pow(10, 4 * rng_unit(&r) - 2);
        size_t d = 1 + rng_below(&r, D), few = d + 1 + seed % 2;
        for (size_t i = 0; i < few + 10; i++) {
            for (size_t j = 0; j < D; j++)
                at += sprintf(at, "%.17g,", j < d ? far + spread * (rng_unit(&r) + rng_unit(&r)) : 0);
            at += sprintf(at, "%s\n", i < few ? "a" : "b");
        }
        table t = table_of(text);
        ilk_model *m = model_of("x:qda z:qda u:qda v:qda y", text, NULL);
        batch b = batch_for_model(m, &t);
        double out[2 * (D + 12)];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        for (size_t i = 0; i < few; i++)
            if (isfinite(out[2 * i]) != seed % 2)
                fail_msg("seed %u, %zu columns, row %zu: %g", seed, d, i, out[2 * i]);
        batch_free(&b);
        ilk_model_free(m);
        table_free(&t);
    }
}

/* Without the row nothing is left to divide by, also where there is nothing to divide. */
static void leave_one_out__of_all_that_the_divisor_leaves_is_impossible(void **state) {
    (void)state;
    static const char *const rows[] = {"4,a\n0,a\n10,b\n", "7,a\n7,a\n7,b\n"};
    for (size_t i = 0; i < 2; i++) {
        ilk_options o = options_of(1);
        o.divisor = ILK_DIVISOR_N_MINUS_K;
        table t = table_of(rows[i]);
        ilk_model *m = model_of("x:gda y", rows[i], &o);
        batch b = batch_for_model(m, &t);
        double out[6];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        for (size_t k = 0; k < 6; k++)
            assert_true(out[k] == -INFINITY);
        batch_free(&b);
        ilk_model_free(m);
        table_free(&t);
    }
}

/* Columns that are nearly the same: what rounding leaves of a pivot is no covariance where retraining has too few rows.
 * With fractional weights nobody knows how many there are. */
static void leave_one_out__of_too_few_rows_is_impossible_whatever_their_pivots(void **state) {
    (void)state;
    rng r = rng_new(71);
    for (size_t times = 0; times < 200; times++) {
        bool own = times % 2;
        char text[1024], columns[64];
        int n = 0;
        size_t rows = own ? 5 + 6 : 6; /* of 4 columns: one row more than they need */
        for (size_t i = 0; i < rows; i++) {
            double x = rng_unit(&r);
            n += snprintf(text + n, sizeof text - (size_t)n, "%.17g,%.17g,%.17g,%.17g,%c\n", x,
                          2 * x + 1e-4 * rng_unit(&r), 3 * x + 1e-4 * rng_unit(&r), 4 * x + 1e-4 * rng_unit(&r),
                          i < (own ? 5 : 3) ? 'p' : 'q');
        }
        snprintf(columns, sizeof columns, "%s y", own ? "a:qda b:qda c:qda d:qda" : "a:gda b:gda c:gda d:gda");
        ilk_stats *s = learnt(columns, text);
        ilk_model *m;
        if (ilk_model_estimate(&m, s, NULL, &failure) == ILK_OK) { /* pivots may be too small with all rows */
            double out[22];
            leave_out(out, m, text);
            for (size_t i = 0; i < (own ? 5 : rows); i++)
                assert_true(out[i * 2] == -INFINITY && (own || out[i * 2 + 1] == -INFINITY));
            ilk_model_free(m);
        }
        ilk_stats_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_one_out__of_few_rows_is_retraining),
        cmocka_unit_test(leave_one_out__of_all_the_scatter_is_impossible),
        cmocka_unit_test(leave_one_out__of_one_row_more_than_columns_is_impossible),
        cmocka_unit_test(leave_one_out__of_too_few_rows_is_impossible_whatever_their_pivots),
        cmocka_unit_test(leave_one_out__of_all_that_the_divisor_leaves_is_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
