/* SPDX-License-Identifier: Apache-2.0 */
/* test_gaussian_left_out.c - leave-one-out of independent normal columns: near the floor, in other units, where a row
 * is all that the divisor leaves. */
#include "direct.h"

static double log_normal(double x, double mu, double variance) {
    return -0.5 * log(2 * M_PI * variance) - (x - mu) * (x - mu) / (2 * variance);
}

/* Class a weighs 1: n - 1 leaves nothing to divide by, and its rows do vary. With a row more, leaving that one out
 * leaves only the floor. */
static void divisor__that_leaves_nothing_is_refused(void **state) {
    (void)state;
    const double x[] = {1, 3, 5, 9, 4}, w[] = {0.5, 0.5, 1, 1, 1}, mean = 5;
    const uint32_t label[] = {0, 0, 1, 1, 0};
    double M2 = 0, total = 0, out[10];
    ilk_options o = options_of(1);
    ilk_stats *s = stats_of("x:gaussian y", NULL);
    ilk_model *m;
    o.divisor = ILK_DIVISOR_N_MINUS_1;
    o.floor = 0.01;
    assert_true(class_of((reader){.stats = s}, "a") == 0 && class_of((reader){.stats = s}, "b") == 1);
    ilk_rows rows = {.n = 4, .real = x, .label = label, .weight = w};
    assert_ok(ilk_stats_add(s, &rows, &failure));
    assert_fails(ILK_EDATA, "column x: class a has too few rows", ilk_model_estimate(&m, s, &o, &failure));
    rows = (ilk_rows){.n = 1, .real = x + 4, .label = label + 4, .weight = w + 4};
    assert_ok(ilk_stats_add(s, &rows, &failure));
    m = estimated(s, &o);
    for (size_t i = 0; i < 5; i++) {
        total += w[i];
        M2 += w[i] * (x[i] - mean) * (x[i] - mean);
    }
    assert_close(fact(m, "variance", "x", "", "b").value, 8, 1e-14);
    assert_ok(ilk_model_leave_one_out(out, m, &rows, &failure));
    assert_close(out[0], log(1 / 3.0) + log_normal(4, 2, 0.01 * M2 / total), 1e-12);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* Without the far row, class a varies less than the floor allows: the floor of all rows, which stays. */
static void leave_one_out__does_not_go_below_the_floor(void **state) {
    (void)state;
    const char *rows = "0,a\n0.001,a\n-0.001,a\n0.002,a\n10,a\n-5,b\n5,b\n";
    const double x[] = {0, 0.001, -0.001, 0.002, 10, -5, 5}, mean = 10.002 / 7;
    table t = table_of(rows), far = table_part(&t, 4, 1);
    ilk_options o = options_of(1);
    o.floor = 0.01;
    ilk_model *m = model_of("x:gaussian y", rows, &o);
    batch b = batch_for_model(m, &far);
    double out[2], variance = 0;
    for (size_t i = 0; i < 7; i++)
        variance += (x[i] - mean) * (x[i] - mean) / 7;
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_close(out[0], log(4 / 6.0) + log_normal(10, 0.0005, 0.01 * variance), 1e-12);
    batch_free(&b);
    ilk_model_free(m);
    table_free(&t);
}

/* A variance just above the floor, of which no row takes much: without the farthest it would be below. In units in
 * which the floor is far below 1 and far above it. */
static void leave_one_out__near_the_floor_stays_on_it(void **state) {
    (void)state;
    const double x[] = {-2, -2, 0, 0, 2, 2, -20, 20}, M2 = 816, own = 16 / 6.0;
    for (double unit = 1e-3; unit <= 1e3; unit *= 10) {
        char rows[256] = "";
        for (size_t i = 0, used = 0; i < 8; i++)
            used += (size_t)snprintf(rows + used, sizeof rows - used, "%.17g,%c\n", x[i] * unit, i < 6 ? 'a' : 'b');
        ilk_options o = options_of(1);
        o.floor = own / 1.1 / (M2 / 8);
        table t = table_of(rows);
        ilk_model *m = model_of("x:gaussian y", rows, &o);
        batch b = batch_for_model(m, &t);
        double out[16], least = o.floor * M2 / 8 * unit * unit;
        assert_close(fact(m, "variance", "x", "", "a").value / unit / unit, own, 1e-12);
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        assert_close(out[0], log(5 / 7.0) + log_normal(-2 * unit, 0.4 * unit, least), 1e-12);
        batch_free(&b);
        ilk_model_free(m);
        table_free(&t);
    }
}

/* A shared variance of exactly 1 is one like any other: without the row, 2/3 of it is left, around the other value. */
static void leave_one_out__of_a_variance_of_one(void **state) {
    (void)state;
    const char *rows = "-1,a\n1,a\n9,b\n11,b\n";
    table t = table_of(rows);
    ilk_model *m = model_of("x:gaussian-shared y", rows, NULL);
    batch b = batch_for_model(m, &t);
    double out[8];
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_close(out[0], log(1 / 3.0) + log_normal(-1, 1, 2 / 3.0), 1e-12);
    assert_close(out[1], log(2 / 3.0) + log_normal(-1, 10, 2 / 3.0), 1e-12);
    batch_free(&b);
    ilk_model_free(m);
    m = model_of("x:gaussian y", rows, NULL); /* its own: nothing but the floor is left, a share of 104 / 4 */
    b = batch_for_model(m, &t);
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_close(out[0], log(1 / 3.0) + log_normal(-1, 1, 26e-9), 1e-9);
    assert_close(out[1], log(2 / 3.0) + log_normal(-1, 10, 1), 1e-12);
    batch_free(&b);
    ilk_model_free(m);
    table_free(&t);
}

/* Four rows, of which three degrees of freedom are taken off: without one nothing is left to divide by. */
static void leave_one_out__of_the_last_degree_of_freedom_leaves_the_floor(void **state) {
    (void)state;
    const char *rows = "0,a\n2,a\n5,b\n9,c\n";
    table t = table_of(rows);
    ilk_options o = options_of(1);
    o.divisor = ILK_DIVISOR_N_MINUS_K;
    o.floor = 0.01;
    ilk_model *m = model_of("x:gaussian-shared y", rows, &o);
    batch b = batch_for_model(m, &t);
    double out[12], least = 0.01 * (16 + 4 + 1 + 25) / 4; /* about the mean of all, 4 */
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_close(out[6], log(2 / 3.0) + log_normal(5, 1, least), 1e-12);
    assert_true(out[7] == -INFINITY);
    assert_close(out[8], log(1 / 3.0) + log_normal(5, 9, least), 1e-12);
    batch_free(&b);
    ilk_model_free(m);
    table_free(&t);
}

/* The same beside a column of another variance, where what a row takes away is little; with every divisor. */
static void leave_one_out__is_retraining_where_little_is_lost(void **state) {
    (void)state;
    const char *rows = "-1,0,a\n1,3,a\n-1,1,a\n1,4,a\n-1,7,a\n1,2,a\n4,0,b\n7,2,b\n";
    table t = table_of(rows);
    for (int divisor = ILK_DIVISOR_N; divisor <= ILK_DIVISOR_N_MINUS_1; divisor++) {
        ilk_options o = options_of(1);
        o.divisor = (ilk_divisor)divisor;
        ilk_model *m = model_of("x:gaussian z:gaussian y", rows, &o);
        ilk_model *rest = model_of("x:gaussian z:gaussian y", strchr(rows, '\n') + 1, &o);
        batch b = batch_for_model(m, &t);
        double out[16], *again = log_joints(rest, &t);
        assert_close(fact(m, "variance", "x", "", "a").value, divisor == ILK_DIVISOR_N ? 1 : 6 / 5.0, 1e-15);
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        assert_close(out[0], again[0], 1e-13);
        assert_close(out[1], again[1], 1e-13);
        free(again);
        batch_free(&b);
        ilk_model_free(rest);
        ilk_model_free(m);
    }
    table_free(&t);
}

/* A row at the mean, of the only weight above what the divisor takes off. */
static void leave_one_out__of_all_that_the_divisor_leaves(void **state) {
    (void)state;
    const double x[] = {-1, 1, 0, 5, 9}, w[] = {0.5, 0.5, 0.125, 2, 2}, total = 5.125;
    const uint32_t label[] = {0, 0, 0, 1, 1};
    ilk_options o = options_of(1);
    o.divisor = ILK_DIVISOR_N_MINUS_1;
    o.floor = 0.001;
    ilk_stats *s = stats_of("x:gaussian y", NULL);
    assert_true(class_of((reader){.stats = s}, "a") == 0 && class_of((reader){.stats = s}, "b") == 1);
    ilk_rows rows = {.n = 5, .real = x, .label = label, .weight = w};
    assert_ok(ilk_stats_add(s, &rows, &failure));
    ilk_model *m = estimated(s, &o);
    double out[10], mean = 28 / total, least = 0.001 * (1 + 2 * 25 + 2 * 81 - total * mean * mean) / total;
    assert_close(fact(m, "variance", "x", "", "a").value, 8, 1e-14);
    assert_ok(ilk_model_leave_one_out(out, m, &rows, &failure));
    assert_close(out[4], log(1 / 5.0) + log_normal(0, 0, least), 1e-12);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* Of two rows one is left, which does not vary: without a floor every other value is impossible. */
static void leave_one_out__without_a_floor_may_leave_nothing(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "gaussian-shared"};
    for (size_t f = 0; f < 2; f++) {
        const char *rows = f ? "1,a\n3,a\n5,b\n" : "1,a\n3,a\n5,b\n8,b\n";
        table t = table_of(rows);
        ilk_options o = options_of(1);
        o.floor = 0;
        ilk_model *m = model_of(real_columns(1, families[f]), rows, &o);
        batch b = batch_for_model(m, &t);
        double out[8];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        assert_true(out[0] == -INFINITY && out[2] == -INFINITY);
        assert_true(f ? out[1] == -INFINITY : isfinite(out[1]));
        batch_free(&b);
        ilk_model_free(m);
        table_free(&t);
    }
}

/* The only row of a class takes no scatter with it, only itself. */
static void leave_one_out__of_the_only_row_of_a_class(void **state) {
    (void)state;
    const char *rows = "5,b\n0,a\n2,a\n9,c\n";
    table t = table_of(rows);
    ilk_model *m = model_of("x:gaussian-shared y", rows, NULL);
    batch b = batch_for_model(m, &t);
    double out[12];
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_close(out[0], log(2 / 3.0) + log_normal(5, 1, 2 / 3.0), 1e-13);
    assert_true(out[1] == -INFINITY);
    assert_close(out[2], log(1 / 3.0) + log_normal(5, 9, 2 / 3.0), 1e-13);
    batch_free(&b);
    ilk_model_free(m);
    table_free(&t);
}

/* Of x in another unit the density is that of x less the logarithm of the unit, per column: twelve of them, so that
 * products of variances overflow where their logarithms do not, and values missing. */
static void leave_one_out__holds_in_any_unit(void **state) {
    (void)state;
    enum { N = 30, D = 12 };
    rng r = rng_new(82);
    double x[N * D], y[N * D], expected[2 * N], got[2 * N];
    uint32_t label[N];
    static const int units[] = {-600, -60, 60, 500};
    for (size_t i = 0; i < N * D; i++)
        x[i] = rng_below(&r, 8) ? rng_normal(&r) * (double)(1 + i % 3) + (double)(i / D % 2) : NAN;
    for (size_t i = 0; i < N; i++)
        label[i] = i % 2;
    for (size_t f = 0; f < 2; f++)
        for (size_t u = 0; u <= 4; u++) {
            for (size_t i = 0; i < N * D; i++)
                y[i] = u ? ldexp(x[i], units[u - 1]) : x[i];
            ilk_stats *s = stats_of(real_columns(D, f ? "gaussian-shared" : "gaussian"), NULL);
            assert_true(class_of((reader){.stats = s}, "a") == 0 && class_of((reader){.stats = s}, "b") == 1);
            ilk_rows rows = {.n = N, .real = y, .label = label};
            assert_ok(ilk_stats_add(s, &rows, &failure));
            ilk_model *m = estimated(s, NULL);
            assert_ok(ilk_model_leave_one_out(u ? got : expected, m, &rows, &failure));
            for (size_t i = 0; u && i < 2 * N; i++) {
                double columns = 0;
                for (size_t j = 0; j < D; j++)
                    columns += !isnan(x[i / 2 * D + j]);
                assert_close(got[i] + columns * units[u - 1] * M_LN2, expected[i], 1e-9);
            }
            ilk_model_free(m);
            ilk_stats_free(s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divisor__that_leaves_nothing_is_refused),
        cmocka_unit_test(leave_one_out__does_not_go_below_the_floor),
        cmocka_unit_test(leave_one_out__near_the_floor_stays_on_it),
        cmocka_unit_test(leave_one_out__of_a_variance_of_one),
        cmocka_unit_test(leave_one_out__of_the_last_degree_of_freedom_leaves_the_floor),
        cmocka_unit_test(leave_one_out__is_retraining_where_little_is_lost),
        cmocka_unit_test(leave_one_out__of_all_that_the_divisor_leaves),
        cmocka_unit_test(leave_one_out__without_a_floor_may_leave_nothing),
        cmocka_unit_test(leave_one_out__of_the_only_row_of_a_class),
        cmocka_unit_test(leave_one_out__holds_in_any_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
