/* SPDX-License-Identifier: Apache-2.0 */
/* test_seeds.c - the worked examples and claims of the course notes, one test each. docs/MATH.md is the map. */
#include "direct.h"

static const char *const columns =
    "outlook:categorical temperature:categorical humidity:categorical wind:categorical play";
static const char *const tennis =
    "Sunny,Hot,High,Weak,No\nSunny,Hot,High,Strong,No\nOvercast,Hot,High,Weak,Yes\n"
    "Rain,Mild,High,Weak,Yes\nRain,Cool,Normal,Weak,Yes\nRain,Cool,Normal,Strong,No\n"
    "Overcast,Cool,Normal,Strong,Yes\nSunny,Mild,High,Weak,No\nSunny,Cool,Normal,Weak,Yes\n"
    "Rain,Mild,Normal,Weak,Yes\nSunny,Mild,Normal,Strong,Yes\nOvercast,Mild,High,Strong,Yes\n"
    "Overcast,Hot,Normal,Weak,Yes\nRain,Mild,High,Strong,No\n";

static ilk_model *tennis_model(double alpha) {
    ilk_options o = options_of(alpha);
    return model_of(columns, tennis, &o);
}

static void assert_ratio(ilk_fact f, double count, double total) {
    assert_close(f.value, count / total, 1e-15);
    assert_true(f.count == count && f.total == total);
}

/* The joints of one row, in the model's order of classes. */
static void joints(double *out, const ilk_model *m, const char *row) {
    table t = table_of(row);
    double *p = log_joints(m, &t);
    for (size_t k = 0; k < ilk_model_classes(m); k++)
        out[k] = exp(p[k]);
    free(p);
    table_free(&t);
}

/* ---- 003: playing tennis */

static void tennis__priors_are_9_and_5_of_14(void **state) {
    (void)state;
    ilk_model *m = tennis_model(0);
    assert_ratio(fact(m, "prior", "", "", "Yes"), 9, 14);
    assert_ratio(fact(m, "prior", "", "", "No"), 5, 14);
    ilk_model_free(m);
}

static void tennis__four_tables_are_those_of_figures_7_to_10(void **state) {
    (void)state;
    static const struct {
        const char *column, *value;
        double yes, no;
    } cells[] = {
        {"outlook", "Sunny", 2, 3},   {"outlook", "Overcast", 4, 0}, {"outlook", "Rain", 3, 2},
        {"temperature", "Hot", 2, 2}, {"temperature", "Mild", 4, 2}, {"temperature", "Cool", 3, 1},
        {"humidity", "High", 3, 4},   {"humidity", "Normal", 6, 1},  {"wind", "Strong", 3, 3},
        {"wind", "Weak", 6, 2},
    };
    ilk_model *m = tennis_model(0);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        assert_ratio(fact(m, "phi", cells[i].column, cells[i].value, "Yes"), cells[i].yes, 9);
        assert_ratio(fact(m, "phi", cells[i].column, cells[i].value, "No"), cells[i].no, 5);
    }
    ilk_model_free(m);
}

/* Formula (7) calls them P(C|X); they are the joints. The posterior of No is .795. */
static void tennis__joints_are_0053_and_0206(void **state) {
    (void)state;
    ilk_model *m = tennis_model(0);
    double p[2];
    joints(p, m, "Sunny,Cool,High,Strong,\n");
    uint32_t yes = ilk_model_class(m, str("Yes")), no = ilk_model_class(m, str("No"));
    assert_close(p[yes] / (9.0 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9), 1, 1e-14);
    assert_close(p[no] / (5.0 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5), 1, 1e-14);
    assert_true(round(p[yes] * 1e4) == 53 && round(p[no] * 1e4) == 206);
    double log_p[] = {log(p[0]), log(p[1])};
    assert_int_equal(ilk_argmax(log_p, 2), no);
    ilk_bayes(log_p, log_p, 2);
    assert_close(log_p[no], 0.7954, 1e-4);
    ilk_model_free(m);
}

static void tennis__needs_10_numbers_per_class_where_the_table_needs_36(void **state) {
    (void)state;
    ilk_model *m = tennis_model(0);
    assert_true(fact(m, "parameters", "", "per class", "").value == 10);
    assert_true(fact(m, "parameters", "", "in all", "").value == 20);
    assert_true(fact(m, "parameters", "", "joint table per class", "").value == 36);
    assert_true(fact(m, "parameters", "", "joint table in all", "").value == 72);
    ilk_model_free(m);
}

/* Formula (8): K_outlook = 3. No probability is zero then, not even Overcast given No. */
static void laplace__adds_one_and_the_number_of_values(void **state) {
    (void)state;
    ilk_model *m = tennis_model(1);
    assert_ratio(fact(m, "phi", "outlook", "Sunny", "Yes"), 3, 12);
    assert_ratio(fact(m, "phi", "outlook", "Overcast", "No"), 1, 8);
    assert_ratio(fact(m, "phi", "humidity", "High", "No"), 5, 7); /* a flag: + 1 and + 2 */
    double p[2];
    joints(p, m, "Overcast,Cool,High,Strong,\n");
    assert_close(p[ilk_model_class(m, str("No"))] / (5.0 / 14 * 1 / 8 * 2 / 8 * 5 / 7 * 4 / 7), 1, 1e-14);
    ilk_model_free(m);
}

/* 003, 2.4: outlook never sunny among the days of play; then such a day is impossible, unless smoothed. */
static void zero_probability__forbids_a_class_unless_smoothed(void **state) {
    (void)state;
    double p[2];
    ilk_model *m = tennis_model(0);
    joints(p, m, "Overcast,Hot,High,Weak,\n");
    assert_true(p[ilk_model_class(m, str("No"))] == 0 && p[ilk_model_class(m, str("Yes"))] > 0);
    ilk_model_free(m);
}

/* 000: given the class one feature says nothing of the other; over all classes it does. */
static void naive_bayes__is_conditional_not_marginal_independence(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("buy:categorical price:categorical y",
                            "1,1,spam\n1,1,spam\n1,0,spam\n0,1,spam\n0,0,ham\n0,0,ham\n1,0,ham\n0,1,ham\n", &o);
    double both[2], buy[2], price[2];
    joints(both, m, "1,1,\n");
    joints(buy, m, "1,,\n");
    joints(price, m, ",1,\n");
    for (size_t k = 0; k < 2; k++) { /* p(a, b|y) = p(a|y) p(b|y) */
        double prior = exp(ilk_model_log_prior(m, (uint32_t)k));
        assert_close(both[k] / prior, buy[k] / prior * (price[k] / prior), 1e-15);
    }
    assert_true(fabs(both[0] + both[1] - (buy[0] + buy[1]) * (price[0] + price[1])) > 0.01);
    ilk_model_free(m);
}

/* ---- 000, 001, 004: words */

static const char *const mail = "a neurips paper,ham\nbuy a pill,spam\nbuy buy now a,spam\n";

static void multinomial__maximum_likelihood_and_laplace_are_the_formulas(void **state) {
    (void)state;
    for (int laplace = 0; laplace <= 1; laplace++) {
        ilk_options o = options_of(laplace);
        ilk_model *m = model_of("text:multinomial y", mail, &o);
        double V = 6; /* a, buy, neurips, now, paper, pill */
        assert_ratio(fact(m, "phi", "text", "buy", "spam"), laplace + 3, 7 + laplace * V);
        assert_ratio(fact(m, "phi", "text", "a", "spam"), laplace + 2, 7 + laplace * V);
        assert_ratio(fact(m, "phi", "text", "a", "ham"), laplace + 1, 3 + laplace * V);
        assert_ratio(fact(m, "phi", "text", "buy", "ham"), laplace, 3 + laplace * V);
        assert_ratio(fact(m, "prior", "", "", "spam"), 2, 3);
        assert_true(fact(m, "parameters", "", "per class", "").value == V);
        ilk_model_free(m);
    }
}

/* The probability of a text does not depend on where its words stand, and each adds a factor. */
static void multinomial__multiplies_over_the_words_of_a_text(void **state) {
    (void)state;
    ilk_model *m = model_of("text:multinomial y", mail, NULL);
    double ab[2], ba[2], a[2], b[2];
    joints(ab, m, "a buy a,\n");
    joints(ba, m, "buy a a,\n");
    joints(a, m, "a,\n");
    joints(b, m, "buy,\n");
    for (uint32_t k = 0; k < 2; k++) {
        double prior = exp(ilk_model_log_prior(m, k));
        assert_close(ab[k], ba[k], 1e-15);
        assert_close(ab[k] / prior, a[k] / prior * (a[k] / prior) * (b[k] / prior), 1e-15);
    }
    ilk_model_free(m);
}

/* "neurips" was never seen: 0/0 by maximum likelihood, 1 / (n_y + |V| + 1) by Laplace. */
static void neurips__is_undecided_unless_smoothed(void **state) {
    (void)state;
    for (int laplace = 0; laplace <= 1; laplace++) {
        ilk_options o = options_of(laplace);
        o.unseen = ILK_UNSEEN_UNKNOWN;
        ilk_model *m = model_of("text:multinomial y", "a paper,ham\nbuy a pill,spam\n", &o);
        table t = table_of("neurips,\n");
        double *p = log_joints(m, &t);
        if (laplace) {
            assert_close(exp(p[ilk_model_class(m, str("ham"))]), 0.5 * 1 / (2 + 4 + 1), 1e-15);
            assert_close(exp(p[ilk_model_class(m, str("spam"))]), 0.5 * 1 / (3 + 4 + 1), 1e-15);
        } else {
            assert_int_equal(ilk_argmax(p, 2), ILK_NONE);
            ilk_bayes(p, p, 2);
            assert_true(isnan(p[0]) && isnan(p[1]));
        }
        free(p);
        table_free(&t);
        ilk_model_free(m);
    }
}

/* ---- 000, 002, 004: Gaussian discriminant analysis */

static double log_likelihood(const direct *f, const ilk_model *m, const table *t) {
    double sum = 0, x[DIRECT_D];
    for (size_t i = 0; i < t->n; i++) {
        direct_row(x, t, i, f->d);
        sum += direct_log_joint(f, direct_class(m, t, i), x);
    }
    return sum;
}

/* l(phi, mu_0, mu_1, Sigma) at the estimates is the sum of the model's log-joints, and no step from there raises it. */
static void gda__estimates_maximise_the_likelihood(void **state) {
    (void)state;
    rng r = rng_new(91);
    for (int shared = 0; shared <= 1; shared++) {
        table t = random_reals(&r, 50, 2, 2, 0);
        ilk_stats *s = stats_of(real_columns(2, shared ? "gda" : "qda"), &t);
        ilk_model *m = estimated(s, NULL);
        direct best = direct_fit(m, &t, 2, shared, 0);
        double *p = log_joints(m, &t), sum = 0, most = log_likelihood(&best, m, &t);
        for (size_t i = 0; i < t.n; i++)
            sum += p[2 * i + direct_class(m, &t, i)];
        assert_close(sum, most, 1e-11);
        for (int times = 0; times < 300; times++) {
            direct f = best;
            double step = pow(10, -1 - 2 * rng_unit(&r)), share = step * rng_normal(&r);
            f.rows[0] += share;
            f.rows[1] -= share;
            for (size_t k = 0; k < 2; k++)
                for (size_t j = 0; j < 2; j++) {
                    f.mu[k][j] += step * rng_normal(&r);
                    f.Sigma[k][3 * j] *= expl((long double)step * rng_normal(&r));
                }
            if (shared)
                memcpy(f.Sigma[1], f.Sigma[0], sizeof f.Sigma[0]);
            assert_true(log_likelihood(&f, m, &t) < most);
        }
        free(p);
        ilk_model_free(m);
        ilk_stats_free(s);
        table_free(&t);
    }
}

/* A shared Sigma makes the boundary a line: log-odds are affine in x. With a Sigma each they are not (002). */
static void gda__boundary_is_a_line_and_qda_s_is_not(void **state) {
    (void)state;
    rng r = rng_new(92);
    table t = random_reals(&r, 60, 2, 2, 0), line = table_of("0,0,\n3,1,\n6,2,\n");
    ilk_stats *s = stats_of(real_columns(2, "gda"), &t);
    for (int shared = 0; shared <= 1; shared++) {
        ilk_options o = options_of(1);
        o.real_family = shared ? "gda" : "qda";
        ilk_model *m = estimated(s, &o);
        double *p = log_joints(m, &line), odds[3];
        for (size_t i = 0; i < 3; i++)
            odds[i] = p[2 * i + 1] - p[2 * i];
        assert_int_equal(is_close(odds[0] + odds[2], 2 * odds[1], 1e-11), shared);
        free(p);
        ilk_model_free(m);
    }
    ilk_stats_free(s);
    table_free(&t);
    table_free(&line);
}

/* At the midpoint of two means with equal priors, the posterior is one half. */
static void gda__posterior_is_half_on_the_boundary(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gda z:gda y", "0,0,a\n2,0,a\n0,2,a\n2,2,a\n4,4,b\n6,4,b\n4,6,b\n6,6,b\n", NULL);
    double p[2];
    joints(p, m, "3,3,\n");
    assert_close(p[0] / (p[0] + p[1]), 0.5, 1e-15);
    joints(p, m, "2,4,\n");
    assert_close(p[0] / (p[0] + p[1]), 0.5, 1e-15);
    joints(p, m, "2.9,3,\n");
    assert_true(p[0] > p[1]);
    ilk_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tennis__priors_are_9_and_5_of_14),
        cmocka_unit_test(tennis__four_tables_are_those_of_figures_7_to_10),
        cmocka_unit_test(tennis__joints_are_0053_and_0206),
        cmocka_unit_test(tennis__needs_10_numbers_per_class_where_the_table_needs_36),
        cmocka_unit_test(laplace__adds_one_and_the_number_of_values),
        cmocka_unit_test(zero_probability__forbids_a_class_unless_smoothed),
        cmocka_unit_test(naive_bayes__is_conditional_not_marginal_independence),
        cmocka_unit_test(multinomial__maximum_likelihood_and_laplace_are_the_formulas),
        cmocka_unit_test(multinomial__multiplies_over_the_words_of_a_text),
        cmocka_unit_test(neurips__is_undecided_unless_smoothed),
        cmocka_unit_test(gda__estimates_maximise_the_likelihood),
        cmocka_unit_test(gda__boundary_is_a_line_and_qda_s_is_not),
        cmocka_unit_test(gda__posterior_is_half_on_the_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
