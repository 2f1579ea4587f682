/* SPDX-License-Identifier: Apache-2.0 */
/* test_gda.c - Gaussian discriminant analysis, one covariance or one per class, against the formulas of the course. */
#include "direct.h"

/* Facts of a model against the formulas: phi, mu, Sigma. */
static void assert_facts(const ilk_model *m, const direct *f, bool shared, double tolerance) {
    const ilk_schema *schema = ilk_model_schema(m);
    long double n = 0;
    for (size_t k = 0; k < f->K; k++)
        n += f->rows[k];
    for (uint32_t k = 0; k < f->K; k++) {
        const char *name = text_of(ilk_model_class_name(m, k));
        ilk_fact prior = fact(m, "prior", "", "", name);
        assert_close(prior.value, (double)(f->rows[k] / n), tolerance);
        assert_true(prior.count == (double)f->rows[k] && prior.total == (double)n);
        for (size_t i = 0; i < f->d; i++) {
            const char *a = text_of(ilk_schema_column(schema, i)->name);
            assert_close(fact(m, "mu", a, "", name).value, (double)f->mu[k][i], tolerance);
            for (size_t j = 0; j < f->d; j++) {
                const char *b = text_of(ilk_schema_column(schema, j)->name);
                ilk_fact Sigma = fact(m, "Sigma", a, b, shared ? "" : name);
                assert_close(Sigma.value, (double)f->Sigma[k][i * f->d + j], tolerance);
            }
        }
    }
}

static void assert_log_joints(const ilk_model *m, const direct *f, const table *t, double tolerance) {
    double *log_joint = log_joints(m, t), x[DIRECT_D];
    for (size_t i = 0; i < t->n; i++) {
        direct_row(x, t, i, f->d);
        for (size_t k = 0; k < f->K; k++)
            assert_close(log_joint[i * f->K + k], direct_log_joint(f, k, x), tolerance);
    }
    free(log_joint);
}

/* theta of class k against the first, from the facts; theta[0] is the intercept. */
static void theta_of(double *theta, const ilk_model *m, size_t d, const char *class) {
    theta[0] = fact(m, "theta", "1", "", class).value;
    for (size_t j = 0; j < d; j++)
        theta[1 + j] = fact(m, "theta", text_of(ilk_schema_column(ilk_model_schema(m), j)->name), "", class).value;
}

/* log p(k|x) / p(0|x) by Bayes' rule and by theta'x, every row. The tolerance is relative to the parts of the sum. */
static void assert_logistic(const ilk_model *m, const table *t, size_t d, double tolerance) {
    size_t K = ilk_model_classes(m);
    double *log_joint = log_joints(m, t), theta[DIRECT_D + 1], x[DIRECT_D];
    for (uint32_t k = 1; k < K; k++) {
        theta_of(theta, m, d, text_of(ilk_model_class_name(m, k)));
        for (size_t i = 0; i < t->n; i++) {
            direct_row(x, t, i, d);
            double odds = theta[0], size = fabs(theta[0]), by_bayes = log_joint[i * K + k] - log_joint[i * K];
            for (size_t j = 0; j < d; j++) {
                odds += theta[1 + j] * x[j];
                size += fabs(theta[1 + j] * x[j]);
            }
            size += fabs(log_joint[i * K + k]) + fabs(log_joint[i * K]);
            assert_true(fabs(odds - by_bayes) <= tolerance * size);
            double posterior[DIRECT_K];
            ilk_bayes(posterior, log_joint + i * K, K);
            if (K == 2)
                assert_close(posterior[1], 1 / (1 + exp(-odds)), 1e-12);
        }
    }
    free(log_joint);
}

static void gda__parameters_are_the_formulas(void **state) {
    (void)state;
    rng r = rng_new(71);
    for (size_t d = 1; d <= 6; d++)
        for (size_t K = 2; K <= 4; K++) {
            table t = random_reals(&r, 60, d, K, 0);
            ilk_stats *s = stats_of(real_columns(d, "gda"), &t);
            ilk_model *m = estimated(s, NULL);
            direct f = direct_fit(m, &t, d, true, 0);
            assert_facts(m, &f, true, 1e-12);
            assert_log_joints(m, &f, &t, 1e-11);
            ilk_model_free(m);
            ilk_stats_free(s);
            table_free(&t);
        }
}

static void gda__posterior_equals_logistic_of_theta(void **state) {
    (void)state;
    rng r = rng_new(72);
    for (size_t d = 1; d <= 6; d++)
        for (size_t K = 2; K <= 4; K++) {
            table t = random_reals(&r, 60, d, K, 0);
            ilk_stats *s = stats_of(real_columns(d, "gda"), &t);
            ilk_model *m = estimated(s, NULL);
            assert_logistic(m, &t, d, 1e-12);
            ilk_model_free(m);
            ilk_stats_free(s);
            table_free(&t);
        }
}

static table read_table(const char *path) {
    bytes b = read_file(path);
    table t = table_of(strchr((const char *)b.p, '\n') + 1); /* without its header; make() ended it with a NUL */
    free(b.p);
    return t;
}

static void assert_cs229(const char *train, const char *valid, const char *reference) {
    table t = read_table(data_path(train));
    ilk_stats *s = stats_of("x_1:gda x_2:gda y", &t);
    ilk_model *m = estimated(s, NULL);
    direct f = direct_fit(m, &t, 2, true, 0);
    assert_facts(m, &f, true, 1e-12);
    assert_logistic(m, &t, 2, 1e-12);
    table v = read_table(data_path(valid));
    assert_log_joints(m, &f, &v, 1e-11);
    assert_logistic(m, &v, 2, 1e-12);
    bytes labels = read_file(data_path(reference));
    double *log_joint = log_joints(m, &v);
    for (size_t i = 0; i < v.n; i++)
        assert_int_equal(ilk_argmax(log_joint + 2 * i, 2), labels.p[2 * i] - '0');
    free(log_joint);
    free(labels.p);
    ilk_model_free(m);
    ilk_stats_free(s);
    table_free(&t);
    table_free(&v);
}

static void gda__of_cs229_ds1_is_the_formulas_and_the_reference(void **state) {
    (void)state;
    NEED_DATA(data, "cs229_2018");
    assert_cs229("cs229_2018/PS1/ds1_train.csv", "cs229_2018/PS1/ds1_valid.csv",
                 "cs229_2018/reference_outputs/PS1_p01e_pred_1.txt");
}

static void gda__of_cs229_ds2_is_the_formulas_and_the_reference(void **state) {
    (void)state;
    NEED_DATA(data, "cs229_2018");
    assert_cs229("cs229_2018/PS1/ds2_train.csv", "cs229_2018/PS1/ds2_valid.csv",
                 "cs229_2018/reference_outputs/PS1_p01e_pred_2.txt");
}

static void qda__parameters_are_the_formulas_of_each_class(void **state) {
    (void)state;
    rng r = rng_new(73);
    for (size_t d = 1; d <= 5; d++) {
        table t = random_reals(&r, 80, d, 3, 0);
        ilk_stats *s = stats_of(real_columns(d, "qda"), &t);
        ilk_model *m = estimated(s, NULL);
        direct f = direct_fit(m, &t, d, false, 0);
        assert_facts(m, &f, false, 1e-12);
        assert_log_joints(m, &f, &t, 1e-11);
        ilk_model_free(m);
        ilk_stats_free(s);
        table_free(&t);
    }
}

static void divisor__is_n_or_less_as_asked(void **state) {
    (void)state;
    rng r = rng_new(74);
    table t = random_reals(&r, 40, 3, 3, 0);
    static const double shared[] = {0, 3, 1}, own[] = {0, 1, 1};
    ilk_stats *s = stats_of(real_columns(3, "gda"), &t);
    for (int divisor = ILK_DIVISOR_N; divisor <= ILK_DIVISOR_N_MINUS_1; divisor++)
        for (int free_ones = 0; free_ones <= 1; free_ones++) {
            ilk_options o = options_of(1);
            o.divisor = (ilk_divisor)divisor;
            o.real_family = free_ones ? "qda" : "gda"; /* from the same statistics */
            ilk_model *m = estimated(s, &o);
            direct f = direct_fit(m, &t, 3, !free_ones, free_ones ? own[divisor] : shared[divisor]);
            assert_facts(m, &f, !free_ones, 1e-12);
            assert_log_joints(m, &f, &t, 1e-11);
            ilk_model_free(m);
        }
    ilk_stats_free(s);
    table_free(&t);
}

/* Training leaves incomplete rows out of the block; scoring integrates over what is missing. */
static void missing_values__are_integrated_out(void **state) {
    (void)state;
    rng r = rng_new(75);
    for (int free_ones = 0; free_ones <= 1; free_ones++)
        for (size_t d = 1; d <= 5; d++) {
            table t = random_reals(&r, 400, d, 2, 0.25);
            ilk_stats *s = stats_of(real_columns(d, free_ones ? "qda" : "gda"), &t);
            ilk_model *m = estimated(s, NULL);
            direct f = direct_fit(m, &t, d, !free_ones, 0);
            assert_facts(m, &f, !free_ones, 1e-12);
            assert_log_joints(m, &f, &t, 1e-10);
            ilk_model_free(m);
            ilk_stats_free(s);
            table_free(&t);
        }
}

static void missing_values__all_of_them_leave_the_prior(void **state) {
    (void)state;
    static const char *const families[] = {"gda", "qda", "gaussian", "gaussian-shared"};
    for (size_t i = 0; i < 4; i++) {
        ilk_stats *s = learnt(real_columns(2, families[i]), "1,2,a\n2,1,a\n0,3,b\n1,7,b\n9,2,a\n4,4,b\n5,0,a\n");
        ilk_model *m = estimated(s, NULL);
        table t = table_of(",,a\n");
        double *log_joint = log_joints(m, &t);
        assert_true(log_joint[0] == ilk_model_log_prior(m, 0) && log_joint[1] == ilk_model_log_prior(m, 1));
        assert_close(exp(log_joint[0]), 4.0 / 7, 1e-15);
        free(log_joint);
        table_free(&t);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* A row's answer does not depend on the rows it is asked with, complete or not. */
static void score__of_a_row_is_its_own(void **state) {
    (void)state;
    rng r = rng_new(76);
    table t = random_reals(&r, 600, 5, 3, 0.05);
    ilk_stats *s = stats_of(real_columns(5, "gda"), &t);
    for (int free_ones = 0; free_ones <= 1; free_ones++) {
        ilk_options o = options_of(1);
        o.real_family = free_ones ? "qda" : "gda";
        ilk_model *m = estimated(s, &o);
        double *all = log_joints(m, &t);
        for (size_t i = 0; i < t.n; i++) {
            table one = table_part(&t, i, 1);
            double *alone = log_joints(m, &one);
            for (size_t k = 0; k < 3; k++)
                assert_true(alone[k] == all[i * 3 + k]);
            free(alone);
        }
        free(all);
        ilk_model_free(m);
    }
    ilk_stats_free(s);
    table_free(&t);
}

/* ---- what cannot be: refused by name, never NaN */

static void assert_refused(const char *columns, const char *text, ilk_status status, const char *says) {
    ilk_stats *s = learnt(columns, text);
    ilk_model *m = (ilk_model *)s;
    assert_fails(status, says, ilk_model_estimate(&m, s, NULL, &failure));
    assert_null(m);
    ilk_stats_free(s);
}

static void singular_covariance__is_refused_naming_the_columns(void **state) {
    (void)state;
    assert_refused("a:gda b:gda c:gda y", "1,5,6,p\n2,3,5,p\n4,4,12,q\n7,1,12,q\n3,9,12,p\n5,5,14,q\n", ILK_ESINGULAR,
                   "the covariance is singular: column c follows from a, b"); /* c = a + b within each class */
    assert_null(strstr(failure.message, "shrinkage"));                        /* of rows there are enough */
    assert_refused("a:gda b:gda c:gda y", "1,2,7,p\n2,4,1,p\n4,8,12,q\n7,14,9,q\n3,6,15,p\n", ILK_ESINGULAR,
                   "column b follows from a");
    assert_refused("a:gda b:gda y", "1,7,p\n2,7,p\n4,8,q\n7,8,q\n", ILK_ESINGULAR,
                   "column b does not vary within any class");
    assert_refused("a:qda b:qda y", "1,7,p\n2,6,p\n3,1,p\n4,8,q\n7,8,q\n9,8,q\n", ILK_ESINGULAR,
                   "the covariance of class q is singular: column b does not vary within it");
    assert_refused("a:qda b:qda y", "1,7,p\n2,6,p\n3,1,p\n4,4,q\n7,7,q\n9,9,q\n", ILK_ESINGULAR,
                   "the covariance of class q is singular: column b follows from a");
    assert_refused("a:gda b:gda c:gda y", "1,5,2,p\n2,3,8,p\n4,4,1,q\n7,1,3,q\n", ILK_ESINGULAR,
                   "column c follows from a, b; 4 complete rows cannot tell 3 columns apart without shrinkage");
}

/* By rounding alone the last pivot may be anything; as few rows as columns are too few however they come. */
static void too_few_rows__are_refused_whatever_their_pivots(void **state) {
    (void)state;
    static const char *const families[] = {"gda", "qda"};
    rng r = rng_new(61);
    for (size_t times = 0; times < 400; times++) {
        char text[512];
        int n = 0;
        bool own = times % 2;
        for (size_t i = 0; i < (own ? 8 : 4); i++) { /* 3 of class q and 5 of p, or 2 of each */
            double x0 = 4 * rng_unit(&r), x1 = rng_unit(&r) - 0.5, x2 = 9 * rng_unit(&r);
            n += snprintf(text + n, sizeof text - (size_t)n, "%.2f,%.3f,%.4f,%c\n", x0, x1, x2,
                          i < (own ? 3 : 2) ? 'q' : 'p');
        }
        assert_refused(real_columns(3, families[own]), text, ILK_ESINGULAR,
                       own ? "of class q is singular: column x2 follows from" : "is singular: column x2 follows from");
        ilk_options o = options_of(1);
        o.shrink = 0.5;
        ilk_model_free(model_of(real_columns(3, families[own]), text, &o));
    }
}

static void class__without_a_complete_row_is_refused_by_name(void **state) {
    (void)state;
    assert_refused("a:gda b:gda y", "1,2,p\n2,5,p\n3,1,p\n,8,q\n7,,q\n", ILK_EDATA,
                   "class q has no row in which all 2 columns of one Gaussian are present: leave out those that lack "
                   "values there, or model each by itself");
}

static void divisor__that_leaves_nothing_is_refused(void **state) {
    (void)state;
    ilk_stats *s = learnt("a:gda y", "1,p\n2,q\n");
    ilk_options o = options_of(1);
    ilk_model *m;
    o.divisor = ILK_DIVISOR_N_MINUS_K;
    assert_fails(ILK_EDATA, "the table has too few rows", ilk_model_estimate(&m, s, &o, &failure));
    o.real_family = "qda";
    assert_fails(ILK_EDATA, "class p has too few rows", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

static void constant_column__says_nothing(void **state) {
    (void)state;
    static const char *const families[] = {"gda", "qda", "gaussian"};
    for (size_t i = 0; i < 6; i++) {
        const char *c = i % 2 ? "7" : "-1.7e308", *family = families[i / 2];
        char text[256];
        snprintf(text, sizeof text, "1,%s,2,a\n2,%s,1,a\n4,%s,4,a\n0,%s,3,b\n1,%s,9,b\n5,%s,2,b\n", c, c, c, c, c, c);
        ilk_model *with = model_of(real_columns(3, family), text, NULL);
        ilk_model *without = model_of(real_columns(2, family), "1,2,a\n2,1,a\n4,4,a\n0,3,b\n1,9,b\n5,2,b\n", NULL);
        table t = table_of("1,7,2,a\n1,-1e200,2,a\n1,1.7e308,2,a\n1,,2,a\n,7,2,a\n,,2,a\n,1.7e308,2,a\n");
        table u = table_of("1,2,a\n1,2,a\n1,2,a\n1,2,a\n,2,a\n,2,a\n,2,a\n");
        double *x = log_joints(with, &t), *y = log_joints(without, &u);
        for (size_t j = 0; j < 2 * t.n; j++)
            assert_close(x[j], y[j], 1e-12);
        if (i / 2 == 0)
            assert_true(fact(with, "Sigma", "x1", "x1", "").value == 0);
        free(x);
        free(y);
        table_free(&t);
        table_free(&u);
        ilk_model_free(with);
        ilk_model_free(without);
    }
}

/* The second column has the same mean in both classes, and varies in one of them only. */
static void column__that_varies_about_equal_means_counts(void **state) {
    (void)state;
    const char *text = "1,7,a\n2,7,a\n4,7,a\n0,6,b\n1,9,b\n5,6,b\n";
    table t = table_of(text);
    ilk_model *m = model_of("x0:gda x1:gda y", text, NULL);
    direct f = direct_fit(m, &t, 2, true, 0);
    assert_facts(m, &f, true, 1e-12);
    assert_log_joints(m, &f, &t, 1e-11);
    ilk_model_free(m);
    table_free(&t);
}

static void family__is_exchanged_only_for_one_of_the_same_statistics(void **state) {
    (void)state;
    ilk_stats *s = learnt("a:gda y", "1,p\n2,p\n4,q\n9,q\n");
    ilk_options o = options_of(1);
    ilk_model *m;
    o.real_family = "gaussian";
    assert_fails(ILK_EARG, "column a: family 'gaussian' cannot be estimated from the statistics of 'gda'",
                 ilk_model_estimate(&m, s, &o, &failure));
    o.real_family = "nonsense";
    assert_fails(ILK_EARG, "family 'nonsense' cannot be estimated", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

/* ---- far away: no NaN, and no class wins that should not */

static void far_rows__never_give_nan(void **state) {
    (void)state;
    static const char *const families[] = {"gda", "qda", "gaussian", "gaussian-shared"};
    for (size_t i = 0; i < 4; i++) {
        ilk_model *m = model_of(
            real_columns(3, families[i]),
            "1,2e-5,0,a\n2,1e-5,1,a\n4,4e-5,2,a\n0,2e-5,5,a\n0,3e-5,0,b\n1,9e-5,4,b\n5,2e-5,1,b\n7,1e-5,3,b\n", NULL);
        table t =
            table_of("1e300,0,0,a\n0,1e300,-1e300,a\n1.7e308,1.7e308,1.7e308,a\n-1.7e308,1.7e308,,a\n,1e306,-1e306,a\n"
                     "1e160,-1e160,1,a\n1e-320,1e-320,0,a\n1e100,1e100,1e100,a\n,1.7e308,,a\n");
        double *log_joint = log_joints(m, &t);
        for (size_t j = 0; j < 2 * t.n; j++)
            assert_false(isnan(log_joint[j]) || log_joint[j] == INFINITY);
        free(log_joint);
        table_free(&t);
        ilk_model_free(m);
    }
    ilk_model *counts = model_of("x:poisson y", "1,a\n20,a\n7,b\n0,b\n", NULL);
    table t = table_of("1e300,a\n1e305,a\n1.7e308,a\n9007199254740993,a\n0,a\n");
    double *log_joint = log_joints(counts, &t);
    for (size_t j = 0; j < 2 * t.n; j++)
        assert_false(isnan(log_joint[j]) || log_joint[j] == INFINITY);
    assert_true(log_joint[0] > log_joint[1]); /* a has the larger rate */
    free(log_joint);
    table_free(&t);
    ilk_model_free(counts);
}

/* Units do not matter: the same table in millionths and in 1e150ths (MASS refuses iris × 1e-4 and × 1e160). */
static void units__do_not_matter(void **state) {
    (void)state;
    rng r = rng_new(77);
    static const double unit[] = {1e-150, 1e150, 1e-4};
    table t = random_reals(&r, 50, 3, 2, 0.1), scaled = random_reals(&(rng){r.state}, 50, 3, 2, 0);
    char cells[150][32];
    scaled.n = 50;
    for (size_t i = 0; i < 50; i++)
        for (size_t j = 0; j < 4; j++) {
            char *cell = t.cell[i * 4 + j];
            if (j < 3 && *cell)
                sprintf(cells[i * 3 + j], "%.17g", strtod(cell, NULL) * unit[j]);
            scaled.cell[i * 4 + j] = j < 3 && *cell ? cells[i * 3 + j] : cell;
        }
    for (int free_ones = 0; free_ones <= 1; free_ones++) {
        const char *columns = real_columns(3, free_ones ? "qda" : "gda");
        ilk_stats *s = stats_of(columns, &t), *u = stats_of(columns, &scaled);
        ilk_model *m = estimated(s, NULL), *v = estimated(u, NULL);
        double *x = log_joints(m, &t), *y = log_joints(v, &scaled);
        for (size_t i = 0; i < 50; i++)
            assert_close(x[2 * i] - x[2 * i + 1], y[2 * i] - y[2 * i + 1], 1e-9);
        free(x);
        free(y);
        ilk_model_free(m);
        ilk_model_free(v);
        ilk_stats_free(s);
        ilk_stats_free(u);
    }
    table_free(&t);
    table_free(&scaled);
}

/* Beside values of 1 in the other class, the squares of such small ones have lost their digits; larger ones have not.
 */
static void column__that_varies_less_than_squares_can_tell_is_singular(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[128];
        double t = i ? 1e-144 : 1e-145;
        snprintf(text, sizeof text, "1,-%g,a\n2,0,a\n4,%g,a\n3,1,b\n5,1,b\n9,1,b\n", t, t);
        ilk_stats *s = learnt("z:gda x:gda y", text);
        ilk_model *m;
        if (i) {
            m = estimated(s, NULL);
            assert_close(fact(m, "Sigma", "x", "x", "").value / (2 * t * t / 6), 1, 1e-9);
            ilk_model_free(m);
        } else {
            assert_fails(ILK_ESINGULAR, "column x does not vary within any class",
                         ilk_model_estimate(&m, s, NULL, &failure));
        }
        ilk_stats_free(s);
    }
}

static void column__that_varies_little_about_equal_means_counts(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gda y", "-.25,a\n.25,a\n-.5,b\n.5,b\n", NULL);
    assert_close(fact(m, "Sigma", "x", "x", "").value, (2 / 16.0 + 2 / 4.0) / 4, 1e-15);
    ilk_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gda__parameters_are_the_formulas),
        cmocka_unit_test(gda__posterior_equals_logistic_of_theta),
        cmocka_unit_test(gda__of_cs229_ds1_is_the_formulas_and_the_reference),
        cmocka_unit_test(gda__of_cs229_ds2_is_the_formulas_and_the_reference),
        cmocka_unit_test(qda__parameters_are_the_formulas_of_each_class),
        cmocka_unit_test(divisor__is_n_or_less_as_asked),
        cmocka_unit_test(missing_values__are_integrated_out),
        cmocka_unit_test(missing_values__all_of_them_leave_the_prior),
        cmocka_unit_test(score__of_a_row_is_its_own),
        cmocka_unit_test(singular_covariance__is_refused_naming_the_columns),
        cmocka_unit_test(too_few_rows__are_refused_whatever_their_pivots),
        cmocka_unit_test(class__without_a_complete_row_is_refused_by_name),
        cmocka_unit_test(divisor__that_leaves_nothing_is_refused),
        cmocka_unit_test(constant_column__says_nothing),
        cmocka_unit_test(column__that_varies_about_equal_means_counts),
        cmocka_unit_test(column__that_varies_less_than_squares_can_tell_is_singular),
        cmocka_unit_test(column__that_varies_little_about_equal_means_counts),
        cmocka_unit_test(family__is_exchanged_only_for_one_of_the_same_statistics),
        cmocka_unit_test(far_rows__never_give_nan),
        cmocka_unit_test(units__do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
