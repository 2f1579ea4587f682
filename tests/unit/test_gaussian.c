/* SPDX-License-Identifier: Apache-2.0 */
/* test_gaussian.c - independent normal columns: the formulas, the floor, and the peers' defects that are not ours. */
#include "direct.h"
#include "families/family.h"

/* n, mean and sum of squares about it of column j in class k (or in all, ILK_NONE), over the values that are there. */
typedef struct summary {
    long double n, mean, M2;
} summary;

static summary summary_of(const ilk_model *m, const table *t, size_t j, uint32_t k) {
    summary s = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < t->n; i++) {
            double x = cell_number(t, i, j);
            if (isnan(x) || (k != ILK_NONE && direct_class(m, t, i) != k))
                continue;
            s.n += pass == 0;
            s.mean += pass == 0 ? x : 0;
            s.M2 += pass == 1 ? (x - s.mean) * (x - s.mean) : 0;
        }
        s.mean /= pass == 0 ? s.n : 1;
    }
    return s;
}

/* The variance of column j in class k by definition, divisors and all. */
static double variance_of(const ilk_model *m, const table *t, size_t j, uint32_t k, bool shared, ilk_divisor divisor) {
    size_t K = ilk_model_classes(m);
    summary own = summary_of(m, t, j, k);
    if (!shared)
        return (double)(own.M2 / (own.n - (divisor == ILK_DIVISOR_N ? 0 : 1)));
    long double M2 = 0, n = 0;
    for (uint32_t c = 0; c < K; c++) {
        summary s = summary_of(m, t, j, c);
        M2 += s.M2;
        n += s.n;
    }
    return (double)(M2 / (n - (divisor == ILK_DIVISOR_N ? 0 : divisor == ILK_DIVISOR_N_MINUS_1 ? 1 : (long double)K)));
}

static void assert_direct(const ilk_model *m, const table *t, size_t d, bool shared, ilk_divisor divisor) {
    double *log_joint = log_joints(m, t);
    size_t K = ilk_model_classes(m);
    for (uint32_t k = 0; k < K; k++) {
        const char *name = text_of(ilk_model_class_name(m, k));
        for (size_t j = 0; j < d; j++) {
            const char *column = text_of(ilk_schema_column(ilk_model_schema(m), j)->name);
            assert_close(fact(m, "mu", column, "", name).value, (double)summary_of(m, t, j, k).mean, 1e-13);
            assert_close(fact(m, "variance", column, "", name).value, variance_of(m, t, j, k, shared, divisor), 1e-12);
        }
        for (size_t i = 0; i < t->n; i++) {
            double sum = ilk_model_log_prior(m, k);
            for (size_t j = 0; j < d; j++) {
                double x = cell_number(t, i, j), v = variance_of(m, t, j, k, shared, divisor);
                double delta = x - (double)summary_of(m, t, j, k).mean;
                if (!isnan(x))
                    sum += -0.5 * log(2 * M_PI * v) - delta * delta / (2 * v);
            }
            assert_close(log_joint[i * K + k], sum, 1e-11);
        }
    }
    free(log_joint);
}

static void gaussian__is_the_formula_with_every_divisor_and_missing_values(void **state) {
    (void)state;
    rng r = rng_new(81);
    table t = random_reals(&r, 40, 3, 3, 0.2);
    ilk_stats *s = stats_of(real_columns(3, "gaussian"), &t);
    for (int shared = 0; shared <= 1; shared++)
        for (int divisor = ILK_DIVISOR_N; divisor <= ILK_DIVISOR_N_MINUS_1; divisor++) {
            ilk_options o = options_of(1);
            o.divisor = (ilk_divisor)divisor;
            o.real_family = shared ? "gaussian-shared" : "gaussian";
            ilk_model *m = estimated(s, &o);
            assert_direct(m, &t, 3, shared, o.divisor);
            ilk_model_free(m);
        }
    ilk_stats_free(s);
    table_free(&t);
}

static double posterior_of(const ilk_model *m, const char *row, const char *class) {
    table t = table_of(row);
    double *p = log_joints(m, &t), answer;
    ilk_bayes(p, p, ilk_model_classes(m));
    answer = p[ilk_model_class(m, str(class))];
    free(p);
    table_free(&t);
    return answer;
}

static void divisor__of_one_degree_of_freedom_is_enough(void **state) {
    (void)state;
    ilk_options o = options_of(1);
    o.divisor = ILK_DIVISOR_N_MINUS_K;
    ilk_model *m = model_of("x:gaussian-shared y", "1,a\n3,a\n7,b\n", &o);
    assert_close(fact(m, "variance", "x", "", "b").value, 2, 1e-15); /* (1 + 1) / (3 - 2) */
    ilk_model_free(m);
}

/* ---- the floor */

static void floor__holds_where_a_column_is_constant_in_one_class(void **state) {
    (void)state;
    const char *text = "1,a\n1,a\n1,a\n2,b\n4,b\n9,b\n";
    ilk_model *m = model_of("x:gaussian y", text, NULL);
    table t = table_of(text);
    double pooled = (double)(summary_of(m, &t, 0, ILK_NONE).M2 / 6);
    assert_close(fact(m, "variance", "x", "", "a").value / (1e-9 * pooled), 1, 1e-12);
    assert_true(posterior_of(m, "1,a\n", "a") > 0.999);
    assert_true(posterior_of(m, "1.5,a\n", "a") < 1e-9);
    ilk_model_free(m);
    ilk_options o = options_of(1);
    o.floor = 0.25;
    m = model_of("x:gaussian y", text, &o);
    assert_close(fact(m, "variance", "x", "", "a").value, 0.25 * pooled, 1e-12);
    ilk_model_free(m);
    table_free(&t);
}

/* Of three classes; and with divisor n - 1, of which a class of one row has none left. */
static void floor__is_a_share_of_the_variance_over_all_rows(void **state) {
    (void)state;
    const char *text = "1,a\n1,a\n1,a\n2,b\n4,b\n9,b\n-5,c\n";
    table t = table_of(text);
    for (int divisor = ILK_DIVISOR_N; divisor <= ILK_DIVISOR_N_MINUS_1; divisor++) {
        ilk_options o = options_of(1);
        o.divisor = (ilk_divisor)divisor;
        o.floor = 1e-3;
        ilk_model *m = model_of("x:gaussian y", text, &o);
        double over_all = (double)(summary_of(m, &t, 0, ILK_NONE).M2 / 7);
        assert_close(fact(m, "variance", "x", "", "a").value, 1e-3 * over_all, 1e-12);
        assert_close(fact(m, "variance", "x", "", "c").value, 1e-3 * over_all, 1e-12);
        ilk_model_free(m);
    }
    table_free(&t);
}

static void floor__of_zero_refuses_a_column_that_does_not_vary(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:gaussian z:gaussian y", "1,1,a\n2,1,a\n2,2,b\n4,5,b\n");
    ilk_options o = options_of(1);
    ilk_model *m;
    o.floor = 0;
    assert_fails(ILK_ESINGULAR, "column z does not vary in class a", ilk_model_estimate(&m, s, &o, &failure));
    assert_null(m);
    ilk_stats_free(s);
    s = learnt("x:gaussian z:gaussian y", "1,.1,a\n2,.1,a\n2,.2,b\n4,.5,b\n"); /* and where all vary little */
    assert_fails(ILK_ESINGULAR, "column z does not vary in class a", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

/* scikit-learn adds 1e-9 of the *largest* variance: a column of sd 1e-4 beside one of sd 1e7 is drowned (#14054). */
static void floor__of_a_column_does_not_depend_on_the_others(void **state) {
    (void)state;
    ilk_model *m = model_of("big:gaussian small:gaussian y",
                            "1e7,1e-4,a\n-1e7,3e-4,a\n2e7,2e-4,a\n1e7,9e-4,b\n0,7e-4,b\n-1e7,8e-4,b\n", NULL);
    assert_close(fact(m, "variance", "small", "", "a").value / (2e-8 / 3), 1, 1e-12);
    assert_true(posterior_of(m, "0,2e-4,a\n", "a") > 0.99);
    assert_true(posterior_of(m, "0,8e-4,a\n", "b") > 0.99);
    ilk_model_free(m);
}

static void one_row_per_class__is_enough(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gaussian y", "1,a\n5,b\n", NULL);
    assert_true(posterior_of(m, "1,a\n", "a") == 1 && posterior_of(m, "5,a\n", "b") == 1);
    ilk_model_free(m);
}

/* z of a and c together: mean 5, squares around it 16 + 4 + 1 + 9 = 30, of which 18 + 2 are within the classes. */
static void column__without_a_value_in_a_class_is_as_in_all_rows(void **state) {
    (void)state;
    const char *rows = "1,1,a\n2,7,a\n2,,b\n4,,b\n2,4,c\n5,8,c\n";
    static const ilk_divisor divisors[] = {ILK_DIVISOR_N, ILK_DIVISOR_N_MINUS_1};
    for (size_t i = 0; i < 2; i++) {
        ilk_options o = options_of(1);
        o.divisor = divisors[i];
        ilk_model *own = model_of("x:gaussian z:gaussian y", rows, &o),
                  *shared = model_of("x:gaussian-shared z:gaussian-shared y", rows, &o);
        assert_close(fact(own, "mu", "z", "", "b").value, 5, 1e-15);
        assert_close(fact(own, "variance", "z", "", "b").value, 30 / (4.0 - (double)i), 1e-15);
        assert_close(fact(shared, "mu", "z", "", "b").value, 5, 1e-15);
        assert_close(fact(shared, "variance", "z", "", "b").value, 26 / (4.0 - (double)i), 1e-15);
        ilk_model_free(own);
        ilk_model_free(shared);
    }
}

static void column__without_any_value_says_nothing(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gaussian z:gaussian y", "1,,a\n2,,a\n2,,b\n4,,b\n", NULL);
    assert_close(fact(m, "variance", "z", "", "b").value, 0, 0);
    assert_close(posterior_of(m, "1,9,a\n", "a"), posterior_of(m, "1,,a\n", "a"), 1e-15);
    ilk_model_free(m);
}

/* ---- peers' defects */

/* A ~ N(0, 1), B ~ N(-3, 1), x = 38: e1071 replaces the underflowed density by 0.001 and says P(B) = 1. */
static void underflow__does_not_turn_the_answer(void **state) {
    (void)state;
    static const double shape[] = {-1.5, -0.5, 0.5, 1.5, 0};
    char text[512] = "";
    for (size_t i = 0, n = 0; i < 5; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%g,A\n%g,B\n", shape[i], shape[i] - 3);
    ilk_model *m = model_of("x:gaussian y", text, NULL);
    assert_true(posterior_of(m, "38,A\n", "A") == 1);
    assert_true(posterior_of(m, "1e6,A\n", "A") == 1);
    assert_true(posterior_of(m, "-1e6,A\n", "B") == 1);
    ilk_model_free(m);
}

/* Variance as E[x^2] - E[x]^2 gives 0 or less at 1e8 (Spark, Weka, pomegranate, …). */
static void variance__survives_a_large_mean(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "gaussian-shared", "gda", "qda"};
    for (size_t i = 0; i < 4; i++) {
        const char *columns = real_columns(1, families[i]);
        ilk_model *m =
            model_of(columns, "100000001,a\n99999999,a\n100000001,a\n99999999,a\n100000002,b\n100000004,b\n", NULL);
        ilk_fact f = i < 2 ? fact(m, "variance", "x0", "", "a") : fact(m, "Sigma", "x0", "x0", i == 2 ? "" : "a");
        assert_close(f.value, 1, 1e-12);
        ilk_model_free(m);
    }
}

/* 1e145 at 1e160: the mean's square overflows, the variance does not. */
static void variance__does_not_overflow_with_the_mean(void **state) {
    (void)state;
    ilk_model *m = model_of(
        "x:gaussian y",
        "1.00000000000001e160,a\n1.00000000000002e160,a\n1.00000000000005e160,b\n1.00000000000009e160,b\n", NULL);
    assert_true(posterior_of(m, "1.00000000000001e160,a\n", "a") > 0.9);
    assert_true(posterior_of(m, "1.00000000000009e160,a\n", "b") > 0.9);
    ilk_model_free(m);
}

static void infinity__is_refused_when_scoring(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gaussian z:gaussian y", "1,1,a\n2,7,a\n2,3,b\n4,9,b\n", NULL);
    const double x[] = {1, 2, 3, INFINITY};
    double out[4];
    assert_fails(ILK_EDATA, "row 1, column z: an infinite value",
                 ilk_model_log_joint(out, m, &(ilk_rows){.n = 2, .real = x}, &failure));
    assert_fails(ILK_EDATA, "row 0, column z: an infinite value",
                 ilk_model_log_joint(out, m, &(ilk_rows){.n = 1, .real = x + 2}, &failure));
    assert_fails(ILK_EARG, "column x: the rows have no values of its kind",
                 ilk_model_log_joint(out, m, &(ilk_rows){.n = 2}, &failure));
    assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){0}, &failure));
    ilk_model_free(m);
}

/* Three columns, of which the second never varied; distances and how many columns they are of. */
static void distance2__counts_the_columns_that_are_there_and_vary(void **state) {
    (void)state;
    const double p[] = {3, 0, 0, 2, 0, 1}, rows[][3] = {{4, 5, 2}, {4, 5, NAN}, {NAN, 5, 3}, {NAN, NAN, NAN}};
    const double expected[] = {4 + 4, 4, 9, 0}, columns[] = {2, 1, 1, 0}; /* mu, then inv_sd */
    for (size_t i = 0; i < 4; i++) {
        const ilk_chunk row = {.n = 1, .x = rows[i]};
        size_t found;
        assert_close(ilk_family_find("gaussian")->distance2(p, &(ilk_shape){.K = 1, .d = 3}, &row, 0, &found),
                     expected[i], 1e-15);
        assert_true((double)found == columns[i]);
    }
}

/* ---- from a file: mu, inv_sd, log_norm, n, M2, floor, unit, less, of two classes and two columns */

enum { MU = 0, INV_SD = 4, LOG_NORM = 8, COUNT = 12, SQUARES = 16, FLOOR = 20, UNIT = 22, LESS = 24, SIZE = 25 };

static void validate__refuses_what_no_rows_could_give(void **state) {
    (void)state;
    static const struct {
        size_t at, n;
        double value;
        bool fits;
    } cases[] = {{COUNT, 4, 0, false},   {COUNT, 4, -1, false},  {COUNT, 4, 0.5, true},      {SQUARES, 4, -1, false},
                 {SQUARES, 4, 0, true},  {UNIT, 2, 0, false},    {UNIT, 2, -1, false},       {UNIT, 2, 0.5, true},
                 {LESS, 1, -1, false},   {LESS, 1, 1, true},     {LOG_NORM, 4, 0, false},    {LOG_NORM, 4, 9, false},
                 {INV_SD, 4, -2, false}, {INV_SD, 4, 0, false},  {INV_SD, 4, 2.01, false},   {FLOOR, 2, 0, true},
                 {MU, 4, -7, true},      {MU, SIZE, NAN, false}, {MU, SIZE, INFINITY, false}};
    const ilk_shape s = {.K = 2, .d = 2};
    const ilk_family *f = ilk_family_find("gaussian");
    double good[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        good[i] = i < LOG_NORM ? 2 : i < COUNT ? 0.5 * log(2 * M_PI) - log(2) : 1;
    assert_int_equal(f->size(&s), SIZE);
    assert_true(f->validate(good, &s));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t i = cases[c].at; i < cases[c].at + cases[c].n; i++) {
            double p[SIZE];
            memcpy(p, good, sizeof p);
            p[i] = cases[c].value;
            assert_int_equal(f->validate(p, &s), cases[c].fits);
        }
    for (int sd = -1; sd < 2; sd++) { /* of a column that never varies the logarithm is 0 too */
        good[INV_SD] = sd;
        good[LOG_NORM] = sd > 0 ? 0.5 * log(2 * M_PI) : 0;
        assert_int_equal(f->validate(good, &s), sd >= 0);
    }
}

/* A share of the variance of all rows, however little they weigh. */
static void floor__does_not_depend_on_the_unit_of_weights(void **state) {
    (void)state;
    ilk_stats *s = stats_of("x:gaussian y", NULL);
    table t = table_of("1,a\n1,a\n0,b\n2,b\n");
    batch b = batch_for_stats(s, &t);
    ilk_options o = options_of(1);
    o.floor = 1e-3;
    b.rows.weight = (double[]){0.1, 0.1, 0.1, 0.1};
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    ilk_model *m = estimated(s, &o);
    assert_close(fact(m, "variance", "x", "", "a").value, 1e-3 * 0.5, 1e-15);
    ilk_model_free(m);
    batch_free(&b);
    table_free(&t);
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian__is_the_formula_with_every_divisor_and_missing_values),
        cmocka_unit_test(divisor__of_one_degree_of_freedom_is_enough),
        cmocka_unit_test(validate__refuses_what_no_rows_could_give),
        cmocka_unit_test(distance2__counts_the_columns_that_are_there_and_vary),
        cmocka_unit_test(floor__holds_where_a_column_is_constant_in_one_class),
        cmocka_unit_test(floor__is_a_share_of_the_variance_over_all_rows),
        cmocka_unit_test(floor__of_zero_refuses_a_column_that_does_not_vary),
        cmocka_unit_test(floor__of_a_column_does_not_depend_on_the_others),
        cmocka_unit_test(one_row_per_class__is_enough),
        cmocka_unit_test(column__without_a_value_in_a_class_is_as_in_all_rows),
        cmocka_unit_test(column__without_any_value_says_nothing),
        cmocka_unit_test(underflow__does_not_turn_the_answer),
        cmocka_unit_test(variance__survives_a_large_mean),
        cmocka_unit_test(variance__does_not_overflow_with_the_mean),
        cmocka_unit_test(infinity__is_refused_when_scoring),
        cmocka_unit_test(floor__does_not_depend_on_the_unit_of_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
