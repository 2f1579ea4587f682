/* SPDX-License-Identifier: Apache-2.0 */
/* Outliers: the score is -log p(x); p is what its definition says, and on the model's own rows as uniform as it can
 * be. */
#include "random_tables.h"

#include "math/special.h"

enum { ROWS = 4000, BINS = 10 };

/* ---- the score, and p of one Gaussian block */

static void score__is_minus_the_log_density(void **state) {
    (void)state;
    rng r = rng_new(1);
    const char *columns = "i:gaussian c:categorical t:multinomial y";
    char *text = random_table(&r, columns);
    ilk_model *m = model_of(columns, text, NULL);
    table t = table_of(text);
    batch b = batch_for_model(m, &t);
    double density[TABLE_ROWS], score[TABLE_ROWS];
    assert_ok(ilk_model_log_density(density, m, &b.rows, &failure));
    assert_ok(ilk_model_outlier(score, NULL, m, &b.rows, 1, &failure)); /* p is not wanted */
    for (size_t i = 0; i < TABLE_ROWS; i++)
        assert_true(score[i] == -density[i]);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
    free(text);
}

/* p of rows of reals. */
static void p_of(double *p, const ilk_model *m, const double *real, size_t n) {
    double score[16];
    assert_ok(ilk_model_outlier(score, p, m, &(ilk_rows){.n = n, .real = real}, 1, &failure));
}

/* Class a is around 2, class b around 12, both of variance 1: p is that of the nearer. */
static void p__of_one_column_is_the_two_sided_tail_of_the_nearest_class(void **state) {
    (void)state;
    static const char *const families[] = {"x:gaussian y", "x:gaussian-shared y", "x:gda y", "x:qda y"};
    const double x[] = {2, 12, 2 + 1.959963984540054, 12 - 2.5758293035489004, 7};
    for (size_t f = 0; f < 4; f++) {
        ilk_model *m = model_of(families[f], "1,a\n3,a\n11,b\n13,b\n", NULL);
        double p[5];
        p_of(p, m, x, 5);
        assert_close(p[0], 1, 1e-15);
        assert_close(p[1], 1, 1e-15);
        assert_close(p[2] / 0.05, 1, 1e-12);
        assert_close(p[3] / 0.01, 1, 1e-12);
        assert_close(p[4] / erfc(5 / sqrt(2)), 1, 1e-12);
        ilk_model_free(m);
    }
}

/* On the columns that are there; a column that never varied says nothing. With nothing there, nothing is unusual. */
static void p__is_taken_on_the_columns_present(void **state) {
    (void)state;
    static const char *const families[] = {"x:gaussian z:gaussian w:gaussian y", "x:gda z:gda w:gda y",
                                           "x:qda z:qda w:qda y"};
    static const char text[] = "1,1,7,a\n3,1,7,a\n1,3,7,a\n3,3,7,a\n31,1,7,b\n33,1,7,b\n31,3,7,b\n33,3,7,b\n";
    for (size_t f = 0; f < 3; f++) {
        ilk_model *m = model_of(families[f], text, NULL);
        const double x[] = {4, NAN, 7, NAN, 5, NAN, 4, 5, 7, NAN, NAN, 9, NAN, NAN, NAN};
        double p[5];
        p_of(p, m, x, 5);
        assert_close(p[0] / erfc(2 / sqrt(2)), 1, 1e-12);
        assert_close(p[1] / erfc(3 / sqrt(2)), 1, 1e-12);
        assert_close(p[2] / exp(-(4 + 9) / 2.0), 1, 1e-12);
        assert_true(p[3] == 1 && p[4] == 1);
        ilk_model_free(m);
    }
}

/* Correlated columns, by the quadratic form written out. */
static void p__follows_the_mahalanobis_distance(void **state) {
    (void)state;
    rng r = rng_new(2);
    ilk_model *m = random_model(&r, "i:qda j:qda y", NULL);
    const double x[] = {1.5, -0.5};
    double p, most = 0;
    p_of(&p, m, x, 1);
    for (size_t k = 0; k < CLASSES; k++) {
        const char class[] = {"abc"[k], '\0'};
        double u = x[0] - fact(m, "mu", "i", "", class).value, v = x[1] - fact(m, "mu", "j", "", class).value;
        double a = fact(m, "Sigma", "i", "i", class).value, b = fact(m, "Sigma", "i", "j", class).value,
               c = fact(m, "Sigma", "j", "j", class).value;
        most = fmax(most, exp(-0.5 * (c * u * u - 2 * b * u * v + a * v * v) / (a * c - b * b)));
    }
    assert_close(p / most, 1, 1e-12);
    ilk_model_free(m);
}

/* ---- p on draws of the model */

typedef struct collected {
    const ilk_model *m;
    double score[ROWS], p[ROWS];
    size_t n;
} collected;

/* The draws are scored in one call each batch; the reference draws come from another seed. */
static ilk_status collect(void *ctx, const ilk_rows *rows) {
    collected *c = ctx;
    assert_ok(ilk_model_outlier(c->score + c->n, c->p + c->n, c->m, rows, 1000, &failure));
    c->n += rows->n;
    return ILK_OK;
}

static const double *p_of_draws(const ilk_model *m, uint64_t seed) {
    static collected c;
    printf("# seed %llu\n", (unsigned long long)seed);
    c = (collected){.m = m};
    assert_ok(ilk_model_sample(m, ROWS, seed, collect, &c, &failure));
    assert_int_equal(c.n, ROWS);
    return c.p;
}

/* Coarse chi-squared. p found by simulation is a rank among `reference` draws, which are random too: that adds
 * ROWS / reference to the variance of every bin. */
static void assert_uniform(const double *p, double reference) {
    double count[BINS] = {0}, chi2 = 0;
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(p[i] > 0 && p[i] <= 1);
        count[(size_t)fmin(p[i] * BINS, BINS - 1)]++;
    }
    for (size_t i = 0; i < BINS; i++)
        chi2 += pow(count[i] - ROWS / BINS, 2) / (ROWS / BINS) / (1 + ROWS / reference);
    if (!(ilk_chi2_tail(chi2, BINS - 1) > 1e-3))
        fail_msg("chi-squared %g on %d", chi2, BINS - 1);
}

/* At most a share t of the rows has p <= t, give or take 4 standard errors. */
static void assert_at_most_uniform(const double *p) {
    for (double t = 0.01; t < 1; t += 0.01) {
        double below = 0;
        for (size_t i = 0; i < ROWS; i++)
            below += p[i] <= t;
        if (!(below / ROWS <= t + 4 * sqrt(t * (1 - t) / ROWS) + 4 * sqrt(t * (1 - t) / 10000)))
            fail_msg("a share of %g has p <= %g", below / ROWS, t);
    }
}

static void p__is_uniform_on_draws_of_gaussians_that_stand_apart(void **state) {
    (void)state;
    static const char *const families[] = {"i:gaussian j:gaussian y", "i:gaussian-shared j:gaussian-shared y",
                                           "i:gda j:gda y", "i:qda j:qda y"};
    for (size_t f = 0; f < 4; f++) {
        ilk_model *m = model_of(families[f], "1,1,a\n3,2,a\n1,3,a\n4,3,a\n91,1,b\n93,1,b\n94,3,b\n93,3,b\n", NULL);
        assert_uniform(p_of_draws(m, 10 + f), INFINITY);
        ilk_model_free(m);
    }
}

static void p__is_a_bound_where_gaussians_overlap(void **state) {
    (void)state;
    rng r = rng_new(3);
    ilk_model *m = random_model(&r, "i:gda j:gda y", NULL);
    assert_at_most_uniform(p_of_draws(m, 20));
    ilk_model_free(m);
}

static void p__by_simulation_is_uniform_where_a_column_is_continuous(void **state) {
    (void)state;
    static const char *const mixes[] = {"i:gaussian c:categorical y", "i:gda j:gda t:multinomial y",
                                        "i:qda c:table d:table y", "i:gaussian j:gda k:gda y"};
    for (size_t f = 0; f < 4; f++) {
        rng r = rng_new(30 + f);
        ilk_model *m = random_model(&r, mixes[f], NULL);
        assert_uniform(p_of_draws(m, 30 + f), 10000);
        ilk_model_free(m);
    }
}

/* Rows that are equally likely tie, and ties count as unusual: p errs on the safe side. */
static void p__by_simulation_is_a_bound_where_nothing_is_continuous(void **state) {
    (void)state;
    static const char *const discrete[] = {"c:categorical d:categorical y", "c:table d:table y", "t:multinomial y",
                                           "t:bernoulli y", "i:poisson j:poisson y"};
    for (size_t f = 0; f < 5; f++) {
        rng r = rng_new(40 + f);
        ilk_model *m = random_model(&r, discrete[f], NULL);
        assert_at_most_uniform(p_of_draws(m, 40 + f));
        ilk_model_free(m);
    }
}

/* ---- simulation: its formula, missing values, refusals */

/* Two values of probability 3/4 and 1/4 in both classes: the rarer is as unusual as a quarter of all draws. */
static void p__by_simulation_counts_draws_at_most_as_likely(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("c:categorical y", "p,a\np,a\np,a\nq,a\np,b\np,b\np,b\nq,b\n", &o);
    uint32_t code[] = {0, 1, ILK_MISSING, ILK_UNSEEN};
    double score[4], p[4], again[4];
    ilk_rows rows = {.n = 4, .code = code};
    printf("# seed 50\n");
    assert_ok(ilk_model_outlier(score, p, m, &rows, 50, &failure));
    assert_true(p[0] == 1); /* all 10,000 draws are at most as likely */
    double quarter = p[1] * 10001 - 1;
    assert_true(fabs(quarter - round(quarter)) < 1e-6 && fabs(quarter / 10000 - 0.25) < 4 * sqrt(0.1875 / 10000));
    assert_true(isnan(p[2]) && isnan(p[3])); /* missing, and unseen as good as missing */
    assert_close(score[1], log(4), 1e-15);
    assert_ok(ilk_model_outlier(score, again, m, &rows, 50, &failure));
    assert_memory_equal(p, again, 2 * sizeof *p);
    ilk_model_free(m);
}

/* A row the model excludes is as unusual as can be. */
static void p__of_the_impossible_is_the_least_there_is(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("c:categorical d:categorical y", "p,p,a\np,p,a\nq,q,b\nq,q,b\n", &o);
    uint32_t code[] = {0, 3};
    double score, p;
    assert_ok(ilk_model_outlier(&score, &p, m, &(ilk_rows){.n = 1, .code = code}, 1, &failure));
    assert_true(score == INFINITY && p == 1 / 10001.0);
    ilk_model_free(m);
}

/* Of a text without a word that the model knows nothing can be said; one that it knows is enough. */
static void p__of_a_text_of_unknown_words_is_not_known(void **state) {
    (void)state;
    for (int unknown = 0; unknown < 2; unknown++) {
        ilk_options o = options_of(1);
        o.unseen = unknown ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = model_of("t:multinomial y", "u u v,a\nv w w,b\nu v,b\n", &o);
        table t = table_of("u zebra,a\nzebra yak,a\n");
        batch b = batch_for_model(m, &t);
        double score[2], p[2];
        assert_ok(ilk_model_outlier(score, p, m, &b.rows, 1, &failure));
        assert_true(p[0] > 0 && (unknown ? p[1] > 0 : isnan(p[1])));
        batch_free(&b);
        table_free(&t);
        ilk_model_free(m);
    }
}

static void outlier__is_refused_where_scores_are_no_probabilities(void **state) {
    (void)state;
    rng r = rng_new(4);
    ilk_model *m = random_model(&r, "t:complement y", NULL);
    double score, p;
    assert_fails(ILK_EARG, "complement", ilk_model_outlier(&score, &p, m, &(ilk_rows){.n = 1}, 1, &failure));
    ilk_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(score__is_minus_the_log_density),
        cmocka_unit_test(p__of_one_column_is_the_two_sided_tail_of_the_nearest_class),
        cmocka_unit_test(p__is_taken_on_the_columns_present),
        cmocka_unit_test(p__follows_the_mahalanobis_distance),
        cmocka_unit_test(p__is_uniform_on_draws_of_gaussians_that_stand_apart),
        cmocka_unit_test(p__is_a_bound_where_gaussians_overlap),
        cmocka_unit_test(p__by_simulation_is_uniform_where_a_column_is_continuous),
        cmocka_unit_test(p__by_simulation_is_a_bound_where_nothing_is_continuous),
        cmocka_unit_test(p__by_simulation_counts_draws_at_most_as_likely),
        cmocka_unit_test(p__of_the_impossible_is_the_least_there_is),
        cmocka_unit_test(p__of_a_text_of_unknown_words_is_not_known),
        cmocka_unit_test(outlier__is_refused_where_scores_are_no_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
