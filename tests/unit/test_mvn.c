/* SPDX-License-Identifier: Apache-2.0 */
/* The multivariate normal: the twelve panels of the course notes, marginals and conditionals against their formulas,
 * normals that live in a plane, and the two forms of the covariance. Seeds are fixed. */
#include "fixtures.h"

#include <ilk_normal.h>

enum { N = 40000 };

static ilk_mvn *normal_of(const double *mu, const double *Sigma, size_t d) {
    ilk_mvn *n;
    assert_ok(ilk_mvn_new(&n, mu, Sigma, d, &failure));
    return n;
}

/* ---- the panels */

typedef struct panel {
    double mu[2], Sigma[4];
} panel;

static const panel panels[] = {
    {{0, 0}, {1, 0, 0, 1}},     {{0, 0}, {0.6, 0, 0, 0.6}}, {{0, 0}, {2, 0, 0, 2}},       {{0, 0}, {1, 0, 0, 1}},
    {{0, 0}, {1, 0.5, 0.5, 1}}, {{0, 0}, {1, 0.8, 0.8, 1}}, {{0, 0}, {1, -0.5, -0.5, 1}}, {{0, 0}, {1, -0.8, -0.8, 1}},
    {{0, 0}, {3, 0.8, 0.8, 1}}, {{1, 0}, {1, 0, 0, 1}},     {{-0.5, 0}, {1, 0, 0, 1}},    {{-1, -1.5}, {1, 0, 0, 1}},
};
enum { PANELS = sizeof panels / sizeof *panels };

static double density_at(const ilk_mvn *n, double x, double y) {
    double p;
    assert_ok(ilk_mvn_density(&p, n, (double[]){x, y}, 1, &failure));
    return p;
}

/* The formula of the notes, with inverse and determinant written out. */
static double density_2d(const panel *f, double x, double y) {
    const double *S = f->Sigma;
    double det = S[0] * S[3] - S[1] * S[2], u = x - f->mu[0], v = y - f->mu[1];
    double quadratic = (S[3] * u * u - 2 * S[1] * u * v + S[0] * v * v) / det;
    return exp(-0.5 * quadratic) / (2 * M_PI * sqrt(det));
}

static void panels__have_the_density_of_the_formula_at_the_mean_and_off_it(void **state) {
    (void)state;
    for (size_t f = 0; f < PANELS; f++) {
        const panel *p = &panels[f];
        ilk_mvn *n = normal_of(p->mu, p->Sigma, 2);
        assert_close(density_at(n, p->mu[0], p->mu[1]), density_2d(p, p->mu[0], p->mu[1]), 1e-15);
        for (double x = -3; x <= 3; x += 0.75)
            for (double y = -3; y <= 3; y += 0.75)
                assert_close(density_at(n, x, y) / density_2d(p, x, y), 1, 1e-13);
        ilk_mvn_free(n);
    }
    ilk_mvn *standard = normal_of(panels[0].mu, panels[0].Sigma, 2);
    assert_close(density_at(standard, 0, 0), 0.15915494309189535, 1e-15); /* 1 / 2 pi */
    ilk_mvn_free(standard);
}

/* As Sigma grows the density spreads out, as it shrinks it is compressed. */
static void panels__are_flatter_the_larger_sigma(void **state) {
    (void)state;
    ilk_mvn *small = normal_of(panels[1].mu, panels[1].Sigma, 2), *one = normal_of(panels[0].mu, panels[0].Sigma, 2),
            *large = normal_of(panels[2].mu, panels[2].Sigma, 2);
    assert_true(density_at(small, 0, 0) > density_at(one, 0, 0) && density_at(one, 0, 0) > density_at(large, 0, 0));
    assert_true(density_at(small, 2, 2) < density_at(one, 2, 2) && density_at(one, 2, 2) < density_at(large, 2, 2));
    ilk_mvn_free(small);
    ilk_mvn_free(one);
    ilk_mvn_free(large);
}

/* Long axis of the ellipse: its angle, and the variances along it and across. */
typedef struct axes {
    double angle, along, across;
} axes;

static axes axes_of(const double *S) {
    double mean = (S[0] + S[3]) / 2, radius = hypot((S[0] - S[3]) / 2, S[1]);
    return (axes){0.5 * atan2(2 * S[1], S[0] - S[3]), mean + radius, mean - radius};
}

/* One standard deviation along each eigenvector lie the four ends of one contour, at exp(-1/2) of the peak. */
static void panels__have_their_contours_along_the_eigenvectors(void **state) {
    (void)state;
    for (size_t f = 0; f < PANELS; f++) {
        const panel *p = &panels[f];
        ilk_mvn *n = normal_of(p->mu, p->Sigma, 2);
        axes a = axes_of(p->Sigma);
        double peak = density_at(n, p->mu[0], p->mu[1]), c = cos(a.angle), s = sin(a.angle);
        double r = sqrt(a.along), q = sqrt(a.across);
        for (int sign = -1; sign <= 1; sign += 2) {
            assert_close(density_at(n, p->mu[0] + sign * r * c, p->mu[1] + sign * r * s), peak * exp(-0.5), 1e-14);
            assert_close(density_at(n, p->mu[0] - sign * q * s, p->mu[1] + sign * q * c), peak * exp(-0.5), 1e-14);
        }
        ilk_mvn_free(n);
    }
    assert_close(axes_of(panels[4].Sigma).angle, M_PI / 4, 1e-15);  /* x1 = x2 for a positive covariance */
    assert_close(axes_of(panels[7].Sigma).angle, -M_PI / 4, 1e-15); /* x1 = -x2 for a negative one */
}

static void assert_within(double found, double expected, double standard_error, size_t at) {
    if (!(fabs(found - expected) <= 4 * standard_error))
        fail_msg("panel %zu: %.6g, not %.6g, %.1f standard errors", at, found, expected,
                 (found - expected) / standard_error);
}

static void panels__give_samples_with_their_moments_and_axes(void **state) {
    (void)state;
    static double X[2 * N];
    printf("# seeds 100 to %d\n", 100 + PANELS - 1);
    for (size_t f = 0; f < PANELS; f++) {
        const panel *p = &panels[f];
        const double *S = p->Sigma;
        double mean[2], found[4];
        ilk_mvn *n = normal_of(p->mu, S, 2);
        ilk_mvn_sample(X, n, N, 100 + f);
        ilk_covariance(found, mean, X, N, 2, ILK_COVARIANCE_CENTRED);
        for (size_t i = 0; i < 2; i++) {
            assert_within(mean[i], p->mu[i], sqrt(S[3 * i] / N), f);
            for (size_t j = 0; j < 2; j++) {
                double s = S[2 * i + j];
                assert_within(found[2 * i + j], s, sqrt((S[3 * i] * S[3 * j] + s * s) / N), f);
            }
        }
        axes a = axes_of(S), b = axes_of(found);
        if (a.along > a.across) /* a circle has no axes */
            assert_within(b.angle, a.angle, sqrt(a.along * a.across / N) / (a.along - a.across), f);
        ilk_mvn_free(n);
    }
}

/* ---- marginal and conditional */

static const double mu4[] = {1, -2, 0.5, 3};
static const double Sigma4[] = {4, 1.2, -0.6, 0.4, 1.2, 2, 0.3, -0.5, -0.6, 0.3, 1, 0.2, 0.4, -0.5, 0.2, 3};

static void marginal__has_the_rows_and_columns_of_sigma(void **state) {
    (void)state;
    static const size_t columns[] = {3, 1};
    ilk_mvn *n = normal_of(mu4, Sigma4, 4), *m;
    assert_ok(ilk_mvn_marginal(&m, n, columns, 2, &failure));
    assert_int_equal(ilk_mvn_columns(m), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(ilk_mvn_mean(m)[i] == mu4[columns[i]]);
        for (size_t j = 0; j < 2; j++)
            assert_true(ilk_mvn_covariance(m)[i * 2 + j] == Sigma4[columns[i] * 4 + columns[j]]);
    }
    ilk_mvn_free(m);
    assert_fails(ILK_EARG, "no column 4", ilk_mvn_marginal(&m, n, (size_t[]){0, 4}, 2, &failure));
    assert_fails(ILK_EARG, "no columns", ilk_mvn_marginal(&m, n, columns, 0, &failure));
    assert_fails(ILK_EARG, "5 columns", ilk_mvn_marginal(&m, n, (size_t[]){0, 1, 2, 3, 0}, 5, &failure));
    assert_null(m);
    ilk_mvn_free(n);
}

/* Columns 0 and 2 given 1 and 3: the formulas, with the 2 × 2 inverse written out. */
static void conditional__is_the_formula(void **state) {
    (void)state;
    static const size_t u[] = {0, 2}, k[] = {1, 3};
    const double *S = Sigma4, x[] = {NAN, 0.7, NAN, 1.1};
    double det = S[5] * S[15] - S[7] * S[7], inverse[] = {S[15] / det, -S[7] / det, -S[7] / det, S[5] / det};
    ilk_mvn *n = normal_of(mu4, S, 4), *c;
    assert_ok(ilk_mvn_conditional(&c, n, x, &failure));
    for (size_t i = 0; i < 2; i++) {
        double mean = mu4[u[i]];
        for (size_t a = 0; a < 2; a++)
            for (size_t b = 0; b < 2; b++)
                mean += S[u[i] * 4 + k[a]] * inverse[a * 2 + b] * (x[k[b]] - mu4[k[b]]);
        assert_close(ilk_mvn_mean(c)[i], mean, 1e-14);
        for (size_t j = 0; j < 2; j++) {
            double covariance = S[u[i] * 4 + u[j]];
            for (size_t a = 0; a < 2; a++)
                for (size_t b = 0; b < 2; b++)
                    covariance -= S[u[i] * 4 + k[a]] * inverse[a * 2 + b] * S[k[b] * 4 + u[j]];
            assert_close(ilk_mvn_covariance(c)[i * 2 + j], covariance, 1e-14);
        }
    }
    ilk_mvn_free(c);
    ilk_mvn_free(n);
}

/* p(x) = p(x_k) p(x_u | x_k), whatever the columns. */
static void conditional__times_marginal_is_the_joint(void **state) {
    (void)state;
    const double x[] = {0.3, -1.1, 2, 2.2};
    ilk_mvn *n = normal_of(mu4, Sigma4, 4);
    double joint, of_known, of_rest;
    assert_ok(ilk_mvn_log_density(&joint, n, x, 1, &failure));
    for (unsigned mask = 1; mask < 15; mask++) {
        double given[4], known[4], rest[4];
        size_t columns[4], m = 0, r = 0;
        for (size_t j = 0; j < 4; j++) {
            given[j] = mask >> j & 1 ? x[j] : NAN;
            if (mask >> j & 1)
                columns[m] = j, known[m++] = x[j];
            else
                rest[r++] = x[j];
        }
        ilk_mvn *a, *b;
        assert_ok(ilk_mvn_marginal(&a, n, columns, m, &failure));
        assert_ok(ilk_mvn_conditional(&b, n, given, &failure));
        assert_ok(ilk_mvn_log_density(&of_known, a, known, 1, &failure));
        assert_ok(ilk_mvn_log_density(&of_rest, b, rest, 1, &failure));
        assert_close(of_known + of_rest, joint, 1e-13);
        ilk_mvn_free(a);
        ilk_mvn_free(b);
    }
    ilk_mvn_free(n);
}

static void conditional__refuses_what_it_cannot_answer(void **state) {
    (void)state;
    ilk_mvn *n = normal_of(mu4, Sigma4, 4), *c;
    assert_fails(ILK_EARG, "NaN", ilk_mvn_conditional(&c, n, mu4, &failure));
    assert_fails(ILK_EDATA, "column 1", ilk_mvn_conditional(&c, n, (double[]){NAN, INFINITY, 0, 0}, &failure));
    assert_null(c);
    /* nothing known: the same normal */
    assert_ok(ilk_mvn_conditional(&c, n, (double[]){NAN, NAN, NAN, NAN}, &failure));
    for (size_t i = 0; i < 16; i++)
        assert_close(ilk_mvn_covariance(c)[i], Sigma4[i], 1e-15);
    ilk_mvn_free(c);
    ilk_mvn_free(n);
}

/* ---- semidefinite: x2 = 2 x0 - x1 + 5, x3 = 7 */

static const double plane_mu[] = {1, 2, 5, 7};
static const double plane_Sigma[] = {1, 0.5, 1.5, 0, 0.5, 2, -1, 0, 1.5, -1, 4, 0, 0, 0, 0, 0};

static void plane__is_where_samples_stay(void **state) {
    (void)state;
    static double X[4 * N];
    double mean[4], found[16];
    ilk_mvn *n = normal_of(plane_mu, plane_Sigma, 4);
    assert_int_equal(ilk_mvn_rank(n), 2);
    printf("# seed 3\n");
    ilk_mvn_sample(X, n, N, 3);
    for (size_t i = 0; i < N; i++) {
        assert_close(X[4 * i + 2], 2 * X[4 * i] - X[4 * i + 1] + 5, 1e-13);
        assert_true(X[4 * i + 3] == 7);
    }
    ilk_covariance(found, mean, X, N, 4, ILK_COVARIANCE_CENTRED);
    const double *S = plane_Sigma;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            assert_within(found[4 * i + j], S[4 * i + j],
                          sqrt((S[5 * i] * S[5 * j] + S[4 * i + j] * S[4 * i + j]) / N) + 1e-12, 0);
    ilk_mvn_free(n);
}

static void plane__has_no_density_and_names_the_column(void **state) {
    (void)state;
    double p;
    ilk_mvn *n = normal_of(plane_mu, plane_Sigma, 4), *constant = normal_of(plane_mu, (double[]){0, 0, 0, 1}, 2);
    assert_fails(ILK_ESINGULAR, "column 2 follows", ilk_mvn_log_density(&p, n, plane_mu, 1, &failure));
    assert_fails(ILK_ESINGULAR, "column 0 does not vary", ilk_mvn_density(&p, constant, plane_mu, 1, &failure));
    ilk_mvn_free(n);
    ilk_mvn_free(constant);
}

/* Given x0 and x2 the rest is certain; given also x1, it must agree. */
static void plane__is_conditioned_on_and_contradictions_are_refused(void **state) {
    (void)state;
    ilk_mvn *n = normal_of(plane_mu, plane_Sigma, 4), *c;
    assert_ok(ilk_mvn_conditional(&c, n, (double[]){1.5, NAN, 4, NAN}, &failure));
    assert_close(ilk_mvn_mean(c)[0], 2 * 1.5 + 5 - 4, 1e-13);
    assert_close(ilk_mvn_mean(c)[1], 7, 0);
    for (size_t i = 0; i < 4; i++)
        assert_close(ilk_mvn_covariance(c)[i], 0, 1e-13);
    ilk_mvn_free(c);
    assert_ok(ilk_mvn_conditional(&c, n, (double[]){1.5, 4, 4, NAN}, &failure));
    ilk_mvn_free(c);
    const double off[] = {1.5, 4, 4.1, NAN}, moved[] = {1.5, 4, NAN, 6};
    assert_fails(ILK_EDATA, "column 2 cannot be 4.1", ilk_mvn_conditional(&c, n, off, &failure));
    assert_fails(ILK_EDATA, "column 3 cannot be 6", ilk_mvn_conditional(&c, n, moved, &failure));
    ilk_mvn_free(n);
}

/* ---- what is no normal */

static void new__refuses_what_no_rows_could_have(void **state) {
    (void)state;
    ilk_mvn *n;
    double mu[2] = {0, 0}, three[] = {1, 1, 0, 1, 1, 0.5, 0, 0.5, 1}; /* any two of its columns are possible */
    assert_fails(ILK_EARG, "semidefinite", ilk_mvn_new(&n, mu, (double[]){1, 2, 2, 1}, 2, &failure));
    assert_fails(ILK_EARG, "semidefinite", ilk_mvn_new(&n, mu, (double[]){0, 1, 1, 0}, 2, &failure));
    assert_fails(ILK_EARG, "semidefinite", ilk_mvn_new(&n, mu, (double[]){1, 0, 0, -1e-30}, 2, &failure));
    assert_fails(ILK_EARG, "semidefinite", ilk_mvn_new(&n, mu4, three, 3, &failure));
    assert_fails(ILK_EARG, "columns 1 and 0: covariances of 0.5 and 0.25, which differ",
                 ilk_mvn_new(&n, mu, (double[]){1, 0.25, 0.5, 1}, 2, &failure));
    assert_fails(ILK_EARG, "columns 1 and 0: a covariance of nan",
                 ilk_mvn_new(&n, mu, (double[]){1, NAN, NAN, 1}, 2, &failure));
    assert_fails(ILK_EARG, "mean", ilk_mvn_new(&n, (double[]){0, INFINITY}, panels[0].Sigma, 2, &failure));
    assert_fails(ILK_EARG, "no columns", ilk_mvn_new(&n, mu, mu, 0, &failure));
    assert_null(n);
    ilk_mvn_free(NULL);
}

static void density__refuses_what_is_not_a_number(void **state) {
    (void)state;
    double p[2];
    ilk_mvn *n = normal_of(panels[0].mu, panels[0].Sigma, 2);
    assert_fails(ILK_EDATA, "row 1, column 0", ilk_mvn_density(p, n, (double[]){0, 0, NAN, 0}, 2, &failure));
    ilk_mvn_free(n);
}

/* Units do not matter: 1e-100 and 1e100 in one covariance. */
/* Infinitely far in two columns, one of which is taken off the other. */
static void density__of_what_is_too_far_is_zero(void **state) {
    (void)state;
    const double mu[] = {1e308, -1e308}, sigma[] = {1, 0.5, 0.5, 1}, x[] = {-1e308, 1e308};
    ilk_mvn *n;
    double out;
    assert_ok(ilk_mvn_new(&n, mu, sigma, 2, &failure));
    assert_ok(ilk_mvn_log_density(&out, n, x, 1, &failure));
    assert_true(out == -INFINITY);
    ilk_mvn_free(n);
}

static void density__does_not_depend_on_units(void **state) {
    (void)state;
    double scale[] = {1e-100, 1e100}, Sigma[4], p, q;
    for (size_t i = 0; i < 4; i++)
        Sigma[i] = panels[5].Sigma[i] * scale[i / 2] * scale[i % 2];
    ilk_mvn *n = normal_of(panels[5].mu, Sigma, 2), *plain = normal_of(panels[5].mu, panels[5].Sigma, 2);
    assert_ok(ilk_mvn_log_density(&p, n, (double[]){0.3 * scale[0], -0.4 * scale[1]}, 1, &failure));
    assert_ok(ilk_mvn_log_density(&q, plain, (double[]){0.3, -0.4}, 1, &failure));
    assert_close(p, q, 1e-13);
    ilk_mvn_free(n);
    ilk_mvn_free(plain);
}

/* ---- the two forms of the covariance */

static void covariance__is_the_same_in_both_forms(void **state) {
    (void)state;
    static double X[4 * 1000];
    double mean[4], a[16], b[16];
    ilk_mvn *n = normal_of(mu4, Sigma4, 4);
    ilk_mvn_sample(X, n, 1000, 5);
    ilk_covariance(a, mean, X, 1000, 4, ILK_COVARIANCE_CENTRED);
    ilk_covariance(b, mean, X, 1000, 4, ILK_COVARIANCE_MOMENTS);
    for (size_t i = 0; i < 16; i++)
        assert_close(a[i], b[i], 1e-13);
    ilk_mvn_free(n);
}

/* Variance 38 / 4 of 1e9 + {1, 2, 4, 9}: the second form has nothing left to say. */
static void covariance__keeps_its_digits_only_when_centred(void **state) {
    (void)state;
    const double X[] = {1e9 + 1, 1e9 + 2, 1e9 + 4, 1e9 + 9};
    double mean, centred, moments;
    ilk_covariance(&centred, &mean, X, 4, 1, ILK_COVARIANCE_CENTRED);
    ilk_covariance(&moments, &mean, X, 4, 1, ILK_COVARIANCE_MOMENTS);
    assert_true(mean == 1e9 + 4 && centred == 9.5);
    assert_true(fabs(moments - 9.5) > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels__have_the_density_of_the_formula_at_the_mean_and_off_it),
        cmocka_unit_test(panels__are_flatter_the_larger_sigma),
        cmocka_unit_test(panels__have_their_contours_along_the_eigenvectors),
        cmocka_unit_test(panels__give_samples_with_their_moments_and_axes),
        cmocka_unit_test(marginal__has_the_rows_and_columns_of_sigma),
        cmocka_unit_test(conditional__is_the_formula),
        cmocka_unit_test(conditional__times_marginal_is_the_joint),
        cmocka_unit_test(conditional__refuses_what_it_cannot_answer),
        cmocka_unit_test(plane__is_where_samples_stay),
        cmocka_unit_test(plane__has_no_density_and_names_the_column),
        cmocka_unit_test(plane__is_conditioned_on_and_contradictions_are_refused),
        cmocka_unit_test(new__refuses_what_no_rows_could_have),
        cmocka_unit_test(density__refuses_what_is_not_a_number),
        cmocka_unit_test(density__of_what_is_too_far_is_zero),
        cmocka_unit_test(density__does_not_depend_on_units),
        cmocka_unit_test(covariance__is_the_same_in_both_forms),
        cmocka_unit_test(covariance__keeps_its_digits_only_when_centred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
