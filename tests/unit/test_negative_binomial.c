/* SPDX-License-Identifier: Apache-2.0 */
/* Counts that vary more than Poisson's: the formulas written out, Poisson as the limit, leave-one-out by brute force.
 * */
#include "families/family.h"
#include "fixtures.h"

/* The density as a product: rate and a = 1/r, in the form of the textbooks. */
static double textbook(double x, double rate, double a) {
    double log_p = log(1 / (1 + a * rate)) / a;
    for (double i = 0; i < x; i++)
        log_p += log((1 / a + i) / (i + 1) * (a * rate / (1 + a * rate)));
    return log_p;
}

/* Class a: 0 1 8 3, mean 3, M2 = 38, variance 9.5 or 38/3. Class b: 2 2 5, mean 3, M2 = 6, variance 2 or 3. */
static const char *const COUNTS = "0,a\n1,a\n8,a\n3,a\n2,b\n2,b\n5,b\n";

static void negative_binomial__is_the_formula_with_every_divisor(void **state) {
    (void)state;
    for (int divisor = 0; divisor <= ILK_DIVISOR_N_MINUS_1; divisor++) {
        ilk_options o = options_of(0);
        o.divisor = (ilk_divisor)divisor;
        ilk_model *m = model_of("x:negative-binomial y", COUNTS, &o);
        double a = ((divisor ? 38 / 3.0 : 9.5) - 3) / 9;
        assert_close(fact(m, "mu", "x", "", "a").value, 3, 1e-15);
        assert_close(fact(m, "dispersion", "x", "", "a").value, a, 1e-14);
        assert_true(fact(m, "dispersion", "x", "", "b").value == 0); /* 2 and 3 do not exceed 3 */
        assert_true(fact(m, "parameters", "", "in all", "").value == 4);
        table t = table_of("0,a\n1,a\n7,a\n200,a\n,a\n");
        double *log_joint = log_joints(m, &t);
        static const double x[] = {0, 1, 7, 200};
        for (size_t i = 0; i < 4; i++) {
            assert_close(log_joint[2 * i], log(4 / 7.0) + textbook(x[i], 3, a), 1e-13);
            assert_close(log_joint[2 * i + 1], log(3 / 7.0) + x[i] * log(3) - 3 - lgamma(x[i] + 1), 1e-13);
        }
        assert_close(log_joint[8], log(4 / 7.0), 1e-15); /* nothing is known of the row but how common the class is */
        free(log_joint);
        table_free(&t);
        ilk_model_free(m);
    }
}

/* Means are smoothed towards that of all rows, 3, as if it had been seen alpha / 3 times. */
static void negative_binomial__smooths_the_mean_and_not_the_dispersion(void **state) {
    (void)state;
    ilk_options o = options_of(1.5);
    ilk_model *m = model_of("x:negative-binomial y", "0,a\n0,a\n0,a\n4,b\n12,b\n2,b\n", &o);
    assert_close(fact(m, "mu", "x", "", "a").value, 1.5 / (3 + 1.5 / 3), 1e-15);
    assert_close(fact(m, "mu", "x", "", "b").value, 19.5 / (3 + 1.5 / 3), 1e-15);
    assert_true(fact(m, "dispersion", "x", "", "a").value == 0);
    assert_close(fact(m, "dispersion", "x", "", "b").value, (56 / 3.0 - 6) / 36, 1e-14);
    ilk_model_free(m);
}

static void negative_binomial__sums_to_one(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    o.prior = ILK_PRIOR_UNIFORM;
    static const char *const texts[] = {"0,a\n1,a\n8,a\n3,a\n2,b\n9,b\n1,b\n",
                                        "0,a\n0,a\n0,a\n90,a\n1000,b\n960,b\n1100,b\n"};
    for (size_t f = 0; f < 2; f++) {
        ilk_model *m = model_of("x:negative-binomial y", texts[f], &o);
        double sum[2] = {0, 0};
        for (double x = 0; x < 20000; x++) {
            double log_joint[2];
            assert_ok(ilk_model_log_joint(log_joint, m, &(ilk_rows){.n = 1, .real = &x}, &failure));
            sum[0] += 2 * exp(log_joint[0]);
            sum[1] += 2 * exp(log_joint[1]);
        }
        assert_close(sum[0], 1, 1e-11);
        assert_close(sum[1], 1, 1e-11);
        ilk_model_free(m);
    }
}

/* From 1/a = 16 on, Stirling's series takes over, good to the last bits there too: of rate 1,
 * log p(4) = log(1 (1 + a) (1 + 2a) (1 + 3a) / 4!) - (4 + 16) log(1 + a). */
static void negative_binomial__is_exact_where_the_series_begins(void **state) {
    (void)state;
    const ilk_family *f = ilk_family_find("negative-binomial");
    const double p[] = {0, 1, 1 / 16.0, 4, 4, 6, 1, 0, 1}, x = 4;
    double out = 0;
    f->score(&out, p, &(ilk_shape){.K = 1, .d = 1}, &(ilk_chunk){.n = 1, .x = &x});
    double expected = log(17 * 18 * 19 / 4096.0 / 24) - 20 * log1p(1 / 16.0);
    printf("# off by %g\n", out - expected);
    assert_true(fabs(out - expected) < 4e-15);
}

/* Weights that sum to 1: n - 1 leaves nothing to divide by, so nothing says that they vary more than Poisson's. */
static void negative_binomial__of_nothing_to_divide_by_is_poisson(void **state) {
    (void)state;
    const double x[] = {0, 8, 1, 9, 2}, w[] = {0.5, 0.5, 1, 1, 1};
    const uint32_t label[] = {0, 0, 1, 1, 1};
    ilk_options o = options_of(0);
    o.divisor = ILK_DIVISOR_N_MINUS_1;
    ilk_stats *s = stats_of("x:negative-binomial y", NULL);
    assert_true(class_of((reader){.stats = s}, "a") == 0 && class_of((reader){.stats = s}, "b") == 1);
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 5, .real = x, .label = label, .weight = w}, &failure));
    ilk_model *m = estimated(s, &o);
    assert_true(fact(m, "dispersion", "x", "", "a").value == 0);
    assert_close(fact(m, "dispersion", "x", "", "b").value, (19 - 4) / 16.0, 1e-14);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* ---- Poisson is the limit */

/* 0, 1 and 2 with weights that make the mean 1/2 and the variance `excess` more. */
static ilk_model *nearly_poisson(const char *family, double excess) {
    double x[] = {0, 1, 2, 0, 1}, w[] = {0.625 + excess / 2, 0.25 - excess, 0.125 + excess / 2, 1, 2};
    uint32_t label[] = {0, 0, 0, 1, 1}, id;
    ilk_stats *s = stats_of(family, NULL);
    ilk_options o = options_of(0);
    assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
    assert_ok(ilk_stats_class(&id, s, str("b"), &failure));
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 5, .real = x, .label = label, .weight = w}, &failure));
    ilk_model *m = estimated(s, &o);
    ilk_stats_free(s);
    return m;
}

static void negative_binomial__is_poisson_where_counts_vary_no_more(void **state) {
    (void)state;
    for (double excess = 1e-2; excess > 1e-18; excess /= 10) {
        for (int sign = -1; sign <= 1; sign += 2) {
            ilk_model *wide = nearly_poisson("x:negative-binomial y", sign * excess);
            ilk_model *poisson = nearly_poisson("x:poisson y", sign * excess);
            static const double xs[] = {0, 1, 5, 40, 1000};
            for (size_t i = 0; i < 5; i++) {
                double p[2], q[2], x = xs[i], a = fact(wide, "dispersion", "x", "", "a").value;
                assert_ok(ilk_model_log_joint(p, wide, &(ilk_rows){.n = 1, .real = &x}, &failure));
                assert_ok(ilk_model_log_joint(q, poisson, &(ilk_rows){.n = 1, .real = &x}, &failure));
                assert_true(sign > 0 || a == 0);
                assert_true(fabs(p[0] - q[0]) <= a * (x * x + 1) + 1e-11); /* what a dispersion of a can change */
                assert_close(p[1], q[1], 1e-14);
                if (a > 1e-6)
                    assert_close(p[0], ilk_model_log_prior(wide, 0) + textbook(x, 0.5, a), 1e-8);
            }
            ilk_model_free(wide);
            ilk_model_free(poisson);
        }
    }
}

/* ---- leave-one-out */

enum { N = 30, D = 2, K = 3 };

typedef struct sample_rows {
    double x[N * D], w[N];
    uint32_t label[N];
} sample_rows;

/* Small counts, now and then a large one; the third class varies little. */
static sample_rows random_rows(rng *r, bool missing) {
    sample_rows t;
    for (size_t i = 0; i < N; i++) {
        t.label[i] = (uint32_t)(i % K);
        t.w[i] = 0.25 + rng_unit(r);
        for (size_t j = 0; j < D; j++) {
            double x = (double)rng_below(r, 4) + (t.label[i] < 2 && rng_below(r, 4) == 0 ? 5 + 30 * rng_unit(r) : 0);
            t.x[i * D + j] = missing && i >= 2 * K && rng_below(r, 5) == 0 ? NAN : floor(x);
        }
    }
    return t;
}

static ilk_model *all_but(const sample_rows *t, size_t gone, bool weighted, const ilk_options *o) {
    ilk_stats *s = stats_of("x:negative-binomial z:negative-binomial y", NULL);
    uint32_t id;
    for (int k = 0; k < K; k++)
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"abc"[k], 1}, &failure));
    for (size_t i = 0; i < N; i++)
        if (i != gone)
            assert_ok(ilk_stats_add(
                s,
                &(ilk_rows){.n = 1, .real = t->x + i * D, .label = t->label + i, .weight = weighted ? t->w + i : NULL},
                &failure));
    ilk_model *m = estimated(s, o);
    ilk_stats_free(s);
    return m;
}

static void leave_one_out_of_counts__is_retraining_without_the_row(void **state) {
    (void)state;
    rng r = rng_new(1);
    for (int way = 0; way < 24; way++) {
        bool weighted = way & 1, missing = way & 2;
        ilk_options o = options_of(0); /* smoothing has a target that retraining would move */
        o.divisor = (ilk_divisor)(way / 4 % 3);
        sample_rows t = random_rows(&r, missing);
        ilk_model *m = all_but(&t, N, weighted, &o);
        double without[N * K], again[K];
        ilk_rows rows = {.n = N, .real = t.x, .label = t.label, .weight = weighted ? t.w : NULL};
        assert_ok(ilk_model_leave_one_out(without, m, &rows, &failure));
        for (size_t i = 0; i < N; i++) {
            ilk_model *fresh = all_but(&t, i, weighted, &o);
            assert_ok(ilk_model_log_joint(again, fresh, &(ilk_rows){.n = 1, .real = t.x + i * D}, &failure));
            for (size_t k = 0; k < K; k++)
                assert_close(without[i * K + k], again[k], 1e-9);
            ilk_model_free(fresh);
        }
        ilk_model_free(m);
    }
}

static void leave_one_out__of_the_only_row_of_a_class_is_impossible(void **state) {
    (void)state;
    ilk_model *m = model_of("x:negative-binomial y", "4,a\n1,b\n9,b\n", NULL);
    double x = 4, out[2];
    uint32_t label = 0;
    assert_ok(ilk_model_leave_one_out(out, m, &(ilk_rows){.n = 1, .real = &x, .label = &label}, &failure));
    assert_true(out[0] == -INFINITY && isfinite(out[1]));
    ilk_model_free(m);
}

/* Class a has a 1 of weight 1e9, zeros of weight 100, and a 5 of so little that rounding may hide it in the sum, but not
 * in the squares: without the 1 its rate is that of smoothing, and what varies about no mean is no dispersion. */
static void leave_one_out__of_all_counts_but_a_trace_is_poisson(void **state) {
    (void)state;
    ilk_options o = options_of(1);
    o.prior = ILK_PRIOR_UNIFORM;
    ilk_model *m = model_of("x:negative-binomial w:* y", "1,1e9,a\n0,100,a\n5,1e-5,a\n1,1,b\n3,1,b\n", &o);
    double mean = (1e9 + 5e-5 + 4) / (1e9 + 100 + 1e-5 + 2), rate = mean / (100 + 1e-5 + 1), out[2];
    leave_out(out, m, "1,1e9,a\n");
    assert_close(out[0], log(0.5) + log(rate) - rate, 1e-7);
    ilk_model_free(m);
}

/* ---- draws, explanations, bad input */

static ilk_status learn_rows(void *ctx, const ilk_rows *rows) {
    return ilk_stats_add(ctx, rows, &failure);
}

/* Shapes 1/a above and below 1, and Poisson. */
static void sample__then_estimate_recovers_mean_and_dispersion(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m =
        model_of("x:negative-binomial y", "0,a\n1,a\n8,a\n3,a\n0,b\n0,b\n0,b\n9,b\n5,c\n6,c\n7,c\n5,c\n", &o);
    ilk_stats *s = stats_of("x:negative-binomial y", NULL);
    uint32_t id;
    for (int k = 0; k < 3; k++)
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"abc"[k], 1}, &failure));
    assert_ok(ilk_model_sample(m, 300000, 1, learn_rows, s, &failure));
    ilk_model *again = estimated(s, &o);
    static const char *const classes[] = {"a", "b", "c"};
    for (size_t k = 0; k < 3; k++) {
        double mu = fact(m, "mu", "x", "", classes[k]).value, a = fact(m, "dispersion", "x", "", classes[k]).value;
        assert_true(fabs(fact(again, "mu", "x", "", classes[k]).value - mu) < 0.02 * mu);
        assert_true(fabs(fact(again, "dispersion", "x", "", classes[k]).value - a) < 0.01 + 0.05 * a);
    }
    ilk_model_free(again);
    ilk_stats_free(s);
    ilk_model_free(m);
}

static ilk_status add_part(void *ctx, const ilk_part *part) {
    *(double *)ctx += part->contribution;
    return ILK_OK;
}

/* The column of zeros says nothing. */
static void explain__adds_up_to_the_log_odds(void **state) {
    (void)state;
    ilk_model *m = model_of("x:negative-binomial z:negative-binomial y", "0,0,a\n1,0,a\n8,0,a\n2,0,b\n2,0,b\n", NULL);
    double x[] = {6, 3}, log_joint[2], sum = 0;
    ilk_rows row = {.n = 1, .real = x};
    assert_ok(ilk_model_log_joint(log_joint, m, &row, &failure));
    assert_ok(ilk_model_explain(m, &row, 0, 0, 1, add_part, &sum, &failure));
    assert_close(sum, log_joint[0] - log_joint[1], 1e-13);
    ilk_model_free(m);
}

static void values__that_are_no_counts_are_refused_by_name(void **state) {
    (void)state;
    static const char *const bad[] = {"-1,a\n", "0.5,a\n", "1e16,a\n"};
    for (size_t i = 0; i < 3; i++) {
        table t = table_of(bad[i]);
        ilk_stats *s = stats_of("x:negative-binomial y", NULL);
        assert_fails(ILK_EDATA, "column x", try_learn(s, &t, false));
        assert_true(ilk_stats_rows(s) == 0);
        ilk_stats_free(s);
        table_free(&t);
    }
}

/* Statistics of a diagonal record serve all its families, unless they cannot be those of counts. */
static void family__is_exchanged_after_the_reading(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_stats *s = learnt("x:gaussian y", COUNTS);
    ilk_model *m, *direct = model_of("x:negative-binomial y", COUNTS, &o);
    o.real_family = "negative-binomial";
    m = estimated(s, &o);
    assert_true(fact(m, "dispersion", "x", "", "a").value == fact(direct, "dispersion", "x", "", "a").value);
    ilk_model_free(m);
    ilk_model_free(direct);
    ilk_stats_free(s);
    static const char *const bad[] = {"-3,a\n1,a\n2,b\n", "1e300,a\n1,a\n2,b\n", "1e200,a\n-1e200,a\n1,b\n",
                                      "1e-200,a\n1e-200,a\n4e-200,a\n1,b\n"};
    for (size_t i = 0; i < 4; i++) {
        s = learnt("x:gaussian y", bad[i]);
        ilk_status status = ilk_model_estimate(&m, s, &o, &failure);
        assert_true(status == ILK_OK || (status == ILK_EDATA && strstr(failure.message, "no counts")));
        assert_true(status == ILK_EDATA || i == 3);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* From a file: n, mean and M2 below zero, a log that is not the rate's, infinities. */
static void validate__refuses_what_no_rows_could_give(void **state) {
    (void)state;
    const ilk_family *f = ilk_family_find("negative-binomial");
    ilk_shape s = {.K = 1, .d = 1};
    const double good[] = {log(3), 3, 0.5, 4, 12, 38, 3, 0, 1};
    assert_int_equal(f->size(&s), sizeof good / sizeof *good);
    assert_true(f->validate(good, &s));
    const double bare[] = {log(3), 3, 0.5, 0, 0, 0, 3, 0, 1}, sums[] = {log(3), 3, 0.5, 0, 0.25, 0.25, 3, 0, 1};
    assert_true(f->validate(bare, &s) && !f->validate(sums, &s)); /* no values, but a sum of them */
    const double one[] = {log(3), 1, 0.5, 4, 4, 38, 1, 0, 1};     /* the mean is 1, and the logarithm not 0 */
    assert_false(f->validate(one, &s));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double p[sizeof good / sizeof *good];
        const double wild[] = {-1, NAN, INFINITY};
        for (size_t v = 0; v < 3; v++) {
            memcpy(p, good, sizeof good);
            p[i] = wild[v];
            assert_false(f->validate(p, &s));
        }
    }
}

/* Weights that sum to what the divisor takes off: there is no variance, and so no dispersion. */
static void dispersion__without_a_variance_is_none(void **state) {
    (void)state;
    ilk_options o = options_of(1);
    o.divisor = ILK_DIVISOR_N_MINUS_1;
    ilk_stats *s = stats_of("x:negative-binomial y", NULL);
    table t = table_of("0,a\n1,a\n2,b\n9,b\n");
    batch b = batch_for_stats(s, &t);
    b.rows.weight = (double[]){0.5, 0.5, 1, 1};
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    ilk_model *m = estimated(s, &o);
    assert_true(fact(m, "dispersion", "x", "", "a").value == 0);
    assert_close(fact(m, "dispersion", "x", "", "b").value, (24.5 / 5.5 - 1) / 5.5, 1e-14);
    ilk_model_free(m);
    batch_free(&b);
    table_free(&t);
    ilk_stats_free(s);
}

static void column__of_no_value_or_of_the_largest_there_is(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:negative-binomial z:negative-binomial y", "1,2,a\n3,,b\n");
    ilk_options o = options_of(0);
    ilk_model *m;
    assert_fails(ILK_EDATA, "column z has no value in class b", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
    m = model_of("x:negative-binomial y", "9007199254740992,a\n9007199254740992,a\n1,b\n", NULL);
    assert_close(fact(m, "mu", "x", "", "a").value / 0x1p53, 1, 1e-15);
    ilk_model_free(m);
    m = model_of("x:negative-binomial z:negative-binomial y", "1,0,a\n3,0,b\n", NULL);
    assert_true(fact(m, "mu", "z", "", "a").value == 0); /* 0 everywhere */
    ilk_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispersion__without_a_variance_is_none),
        cmocka_unit_test(column__of_no_value_or_of_the_largest_there_is),
        cmocka_unit_test(negative_binomial__is_the_formula_with_every_divisor),
        cmocka_unit_test(negative_binomial__smooths_the_mean_and_not_the_dispersion),
        cmocka_unit_test(negative_binomial__sums_to_one),
        cmocka_unit_test(negative_binomial__is_exact_where_the_series_begins),
        cmocka_unit_test(negative_binomial__of_nothing_to_divide_by_is_poisson),
        cmocka_unit_test(negative_binomial__is_poisson_where_counts_vary_no_more),
        cmocka_unit_test(leave_one_out_of_counts__is_retraining_without_the_row),
        cmocka_unit_test(leave_one_out__of_the_only_row_of_a_class_is_impossible),
        cmocka_unit_test(leave_one_out__of_all_counts_but_a_trace_is_poisson),
        cmocka_unit_test(sample__then_estimate_recovers_mean_and_dispersion),
        cmocka_unit_test(explain__adds_up_to_the_log_odds),
        cmocka_unit_test(values__that_are_no_counts_are_refused_by_name),
        cmocka_unit_test(family__is_exchanged_after_the_reading),
        cmocka_unit_test(validate__refuses_what_no_rows_could_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
