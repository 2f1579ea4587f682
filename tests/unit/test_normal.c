/* SPDX-License-Identifier: Apache-2.0 */
/* test_normal.c - the multivariate normal of the course: density, marginals, and what a covariance cannot be. */
#include "direct.h"

#include "math/normal.h"

enum { MOST = DIRECT_D };

typedef struct normal {
    ilk_normal N;
    double log_norm, inv_sd[MOST], L[MOST * MOST];
} normal;

/* Factor Sigma, given as scatter Sigma × n over the divisor n. */
static ilk_factor_result factor(normal *g, const double *Sigma, size_t d, size_t *column) {
    const double n = 14;
    g->N = (ilk_normal){d, &g->log_norm, g->inv_sd, g->L};
    for (size_t j = 0; j < d; j++)
        g->inv_sd[j] = 1;
    for (size_t i = 0; i < d * d; i++)
        g->L[i] = Sigma[i] * n;
    return ilk_normal_factor(&g->N, n, 0, INFINITY, column);
}

static double density(const normal *g, const double *x, const double *mu) {
    double y[MOST], v[MOST], L[MOST * MOST];
    ilk_marginal m = ilk_normal_marginal(&g->N, x, L);
    return exp(-0.5 * ilk_normal_quadratic(y, v, &g->N, &m, x, mu) - m.log_norm);
}

/* 1 / ((2 pi)^{d/2} |Sigma|^{1/2}) exp(-1/2 (x-mu)' Sigma^-1 (x-mu)) for d = 2, inverse and determinant written out. */
static double formula(const double *S, const double *x, const double *mu) {
    double det = S[0] * S[3] - S[1] * S[2], a = x[0] - mu[0], b = x[1] - mu[1];
    double q = (S[3] * a * a - (S[1] + S[2]) * a * b + S[0] * b * b) / det;
    return 1 / (pow(2 * M_PI, 2 / 2.0) * sqrt(det)) * exp(-0.5 * q);
}

/* The panels of the five figures of document 000: three by size, three by correlation, three turned, three moved. */
static const struct panel {
    double mu[2], Sigma[4], peak; /* peak: 1 / (2 pi sqrt |Sigma|), as a reader would compute it */
} panels[] = {
    {{0, 0}, {1, 0, 0, 1}, 0.15915494309189535},       {{0, 0}, {0.6, 0, 0, 0.6}, 0.26525823848649226},
    {{0, 0}, {2, 0, 0, 2}, 0.07957747154594767},       {{0, 0}, {1, 0, 0, 1}, 0.15915494309189535},
    {{0, 0}, {1, 0.5, 0.5, 1}, 0.18377629847393068},   {{0, 0}, {1, 0.8, 0.8, 1}, 0.26525823848649221},
    {{0, 0}, {1, -0.5, -0.5, 1}, 0.18377629847393068}, {{0, 0}, {1, -0.8, -0.8, 1}, 0.26525823848649221},
    {{0, 0}, {3, 0.8, 0.8, 1}, 0.10360104359174424},   {{1, 0}, {1, 0, 0, 1}, 0.15915494309189535},
    {{-0.5, 0}, {1, 0, 0, 1}, 0.15915494309189535},    {{-1, -1.5}, {1, 0, 0, 1}, 0.15915494309189535},
};
enum { PANELS = sizeof panels / sizeof *panels };

static void density__is_that_of_the_twelve_panels(void **state) {
    (void)state;
    static const double off[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, -3}, {0.3, -0.1}};
    assert_int_equal(PANELS, 12);
    for (size_t p = 0; p < PANELS; p++) {
        const struct panel *panel = &panels[p];
        normal g;
        size_t column;
        assert_int_equal(factor(&g, panel->Sigma, 2, &column), ILK_FACTORED);
        assert_close(density(&g, panel->mu, panel->mu), panel->peak, 1e-15);
        assert_close(exp(-g.log_norm), panel->peak, 1e-15);
        for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
            double expected = formula(panel->Sigma, off[i], panel->mu);
            assert_close(density(&g, off[i], panel->mu) / expected, 1, 1e-13);
        }
    }
}

static void sigma__is_what_was_factored(void **state) {
    (void)state;
    for (size_t p = 0; p < PANELS; p++) {
        normal g;
        size_t column;
        assert_int_equal(factor(&g, panels[p].Sigma, 2, &column), ILK_FACTORED);
        for (size_t i = 0; i < 4; i++)
            assert_close(ilk_normal_sigma(&g.N, i / 2, i % 2), panels[p].Sigma[i], 1e-15);
    }
}

/* The integral over what is missing, by the trapezoid rule, which is exact to rounding for such functions. */
static void marginal__is_the_integral_over_what_is_missing(void **state) {
    (void)state;
    for (size_t p = 0; p < PANELS; p++) {
        normal g;
        size_t column;
        assert_int_equal(factor(&g, panels[p].Sigma, 2, &column), ILK_FACTORED);
        for (double x = -2; x <= 2; x += 0.5) {
            double first = 0, second = 0, step = 0.05;
            for (double t = -25; t <= 25; t += step) {
                first += step * density(&g, (double[]){x, t}, panels[p].mu);
                second += step * density(&g, (double[]){t, x}, panels[p].mu);
            }
            assert_close(density(&g, (double[]){x, NAN}, panels[p].mu) / first, 1, 1e-9);
            assert_close(density(&g, (double[]){NAN, x}, panels[p].mu) / second, 1, 1e-9);
        }
        assert_true(density(&g, (double[]){NAN, NAN}, panels[p].mu) == 1);
    }
}

static void random_sigma(rng *r, double *Sigma, size_t d) {
    double B[(MOST + 2) * MOST];
    for (size_t i = 0; i < (d + 2) * d; i++)
        B[i] = rng_normal(r);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++) {
            Sigma[i * d + j] = 0;
            for (size_t h = 0; h < d + 2; h++)
                Sigma[i * d + j] += B[h * d + i] * B[h * d + j];
        }
}

static void marginal__equals_the_direct_formula_for_every_subset(void **state) {
    (void)state;
    rng r = rng_new(31);
    for (size_t d = 1; d <= 6; d++) {
        double Sigma[MOST * MOST], mu[MOST], x[MOST];
        long double exact[MOST * MOST], at[MOST];
        normal g;
        size_t column;
        random_sigma(&r, Sigma, d);
        for (size_t i = 0; i < d * d; i++)
            exact[i] = Sigma[i];
        assert_int_equal(factor(&g, Sigma, d, &column), ILK_FACTORED);
        for (unsigned subset = 0; subset < 1u << d; subset++) {
            for (size_t j = 0; j < d; j++) {
                at[j] = mu[j] = rng_normal(&r);
                x[j] = subset >> j & 1 ? 3 * rng_normal(&r) : NAN;
            }
            assert_close(log(density(&g, x, mu)), direct_log_normal(exact, at, x, d), 1e-11);
        }
    }
}

/* Columns in other units: the same factor, and a density that differs by the units' product alone. */
static void factor__does_not_depend_on_units(void **state) {
    (void)state;
    rng r = rng_new(32);
    static const double unit[] = {1e-140, 1e140, 1e-3, 1};
    double Sigma[16], scaled[16], mu[4] = {0}, x[4], y[4];
    normal g, h;
    size_t column;
    random_sigma(&r, Sigma, 4);
    for (size_t i = 0; i < 16; i++)
        scaled[i] = Sigma[i] * unit[i / 4] * unit[i % 4];
    for (size_t j = 0; j < 4; j++) {
        x[j] = rng_normal(&r);
        y[j] = x[j] * unit[j];
    }
    assert_int_equal(factor(&g, Sigma, 4, &column), ILK_FACTORED);
    assert_int_equal(factor(&h, scaled, 4, &column), ILK_FACTORED);
    for (size_t i = 0; i < 16; i++)
        assert_close(h.L[i], g.L[i], 1e-14);
    assert_close(h.log_norm - g.log_norm, log(1e-3), 1e-10);
    assert_close(log(density(&h, y, mu)) - log(density(&g, x, mu)), -log(1e-3), 1e-10);
}

static void factor__leaves_out_a_column_as_asked(void **state) {
    (void)state;
    const double Sigma[] = {2, 0, 0.5, 0, 0, 0, 0.5, 0, 1};
    normal g = {.inv_sd = {1, 0, 1}};
    size_t column;
    g.N = (ilk_normal){3, &g.log_norm, g.inv_sd, g.L};
    memcpy(g.L, Sigma, sizeof Sigma);
    assert_int_equal(ilk_normal_factor(&g.N, 1, 0, INFINITY, &column), ILK_FACTORED);
    const double pair[] = {2, 0.5, 0.5, 1}, mu[] = {0.1, 7, 0.2};
    double expected = formula(pair, (double[]){1, -1}, (double[]){0.1, 0.2});
    assert_close(density(&g, (double[]){1, 7, -1}, mu), expected, 1e-15);
    assert_close(density(&g, (double[]){1, 1e6, -1}, mu), expected, 1e-15);
    assert_close(density(&g, (double[]){1, NAN, -1}, mu), expected, 1e-15);
    assert_close(exp(-g.log_norm), 1 / (2 * M_PI * sqrt(1.75)), 1e-15);
    assert_true(ilk_normal_sigma(&g.N, 1, 1) == 0 && ilk_normal_sigma(&g.N, 0, 1) == 0);
    assert_close(ilk_normal_sigma(&g.N, 0, 2), 0.5, 1e-15);
}

static void factor__says_which_column_cannot_be(void **state) {
    (void)state;
    normal g;
    size_t column = 99;
    assert_int_equal(factor(&g, (double[]){1, 0, 0, 0}, 2, &column), ILK_FACTOR_ZERO);
    assert_int_equal(column, 1);
    assert_int_equal(factor(&g, (double[]){1, 0, 0, 0, -1, 0, 0, 0, 1}, 3, &column), ILK_FACTOR_ZERO);
    assert_int_equal(column, 1);
    assert_int_equal(factor(&g, (double[]){1, 0, 0, INFINITY}, 2, &column), ILK_FACTOR_OVERFLOW);
    assert_int_equal(column, 1);
    assert_int_equal(factor(&g, (double[]){NAN}, 1, &column), ILK_FACTOR_OVERFLOW);
    assert_int_equal(column, 0);
}

/* Column 2 = 3 × column 0 - 4 × column 1; the coefficients come on the correlation scale. */
static void factor__finds_what_a_dependent_column_follows_from(void **state) {
    (void)state;
    const double a = 4, b = 0.25, ab = 0.5, c = 9 * a + 16 * b - 24 * ab, ac = 3 * a - 4 * ab, bc = 3 * ab - 4 * b;
    const double Sigma[] = {a, ab, ac, 0, ab, b, bc, 0, ac, bc, c, 0, 0, 0, 0, 1};
    normal g;
    size_t column;
    assert_int_equal(factor(&g, Sigma, 4, &column), ILK_FACTOR_DEPENDENT);
    assert_int_equal(column, 2);
    assert_close(g.L[2 * 4 + 0], 3 * sqrt(a) / sqrt(c), 1e-12);
    assert_close(g.L[2 * 4 + 1], -4 * sqrt(b) / sqrt(c), 1e-12);
}

static void valid__refuses_a_factor_that_no_covariance_has(void **state) {
    (void)state;
    normal g;
    size_t column;
    assert_int_equal(factor(&g, (double[]){4, 1, 0.5, 1, 2, 0.3, 0.5, 0.3, 1}, 3, &column), ILK_FACTORED);
    assert_true(ilk_normal_valid(&g.N));
    const struct {
        double *at, value;
    } bad[] = {
        {&g.L[0], -1}, {&g.L[0], 0},     {&g.L[4], 0},       {&g.L[8], 1e-9},        {&g.L[3], 0.9},
        {&g.L[6], 2},  {&g.L[7], 1e308}, {&g.inv_sd[1], -1}, {&g.inv_sd[2], 1e-300}, {&g.log_norm, g.log_norm + 0.01},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double before = *bad[i].at;
        *bad[i].at = bad[i].value;
        assert_false(ilk_normal_valid(&g.N));
        *bad[i].at = before;
    }
    g.L[0] = 0.5; /* no correlation of a column with itself */
    g.log_norm += log(0.5);
    assert_false(ilk_normal_valid(&g.N));
    double small = 1e-9, rest = sqrt(1 - small * small); /* correlations, but of columns that follow from each other */
    normal tight = {.inv_sd = {1, 1}, .L = {1, 0, rest, small}, .log_norm = log(2 * M_PI) + log(small)};
    tight.N = (ilk_normal){2, &tight.log_norm, tight.inv_sd, tight.L};
    assert_false(ilk_normal_valid(&tight.N));
}

/* A column left out has no correlations, with those before it and those after it. */
static void valid__refuses_correlations_of_a_column_left_out(void **state) {
    (void)state;
    const double rest = sqrt(1 - 0.1 * 0.1), each = 0.5 * log(2 * M_PI);
    for (size_t out = 0; out < 2; out++) {
        normal g = {.inv_sd = {1, 1}, .L = {1, 0, 0, 1}, .log_norm = each};
        g.N = (ilk_normal){2, &g.log_norm, g.inv_sd, g.L};
        g.inv_sd[out] = 0;
        assert_true(ilk_normal_valid(&g.N));
        g.L[2] = 0.1;
        g.L[3] = rest;
        g.log_norm = each + (out ? 0 : log(rest));
        assert_false(ilk_normal_valid(&g.N));
    }
}

/* As near to singular as is accepted: every part of it can still be factored. */
static void marginal__of_a_nearly_singular_covariance_is_a_number(void **state) {
    (void)state;
    rng r = rng_new(33);
    size_t factored = 0;
    for (int times = 0; times < 20000; times++) {
        size_t d = 2 + rng_below(&r, 6), column;
        double Sigma[MOST * MOST], x[MOST], mu[MOST] = {0}, near = pow(10, -4 - 5 * rng_unit(&r));
        random_sigma(&r, Sigma, d);
        size_t p = rng_below(&r, d), q = (p + 1 + rng_below(&r, d - 1)) % d; /* q becomes p, all but a little */
        for (size_t j = 0; j < d; j++)
            Sigma[q * d + j] = Sigma[p * d + j];
        for (size_t j = 0; j < d; j++)
            Sigma[j * d + q] = Sigma[q * d + j];
        Sigma[q * d + q] = Sigma[p * d + p] * (1 + near * near);
        normal g;
        if (factor(&g, Sigma, d, &column) != ILK_FACTORED)
            continue;
        factored++;
        for (size_t j = 0; j < d; j++)
            x[j] = rng_below(&r, 3) ? rng_normal(&r) : NAN;
        double y[MOST], v[MOST], L[MOST * MOST];
        ilk_marginal m = ilk_normal_marginal(&g.N, x, L);
        assert_true(isfinite(m.log_norm));
        assert_true(ilk_normal_quadratic(y, v, &g.N, &m, x, mu) >= 0);
    }
    assert_in_range(factored, 5000, 20000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(density__is_that_of_the_twelve_panels),
        cmocka_unit_test(sigma__is_what_was_factored),
        cmocka_unit_test(marginal__is_the_integral_over_what_is_missing),
        cmocka_unit_test(marginal__equals_the_direct_formula_for_every_subset),
        cmocka_unit_test(factor__does_not_depend_on_units),
        cmocka_unit_test(factor__leaves_out_a_column_as_asked),
        cmocka_unit_test(factor__says_which_column_cannot_be),
        cmocka_unit_test(factor__finds_what_a_dependent_column_follows_from),
        cmocka_unit_test(valid__refuses_a_factor_that_no_covariance_has),
        cmocka_unit_test(valid__refuses_correlations_of_a_column_left_out),
        cmocka_unit_test(marginal__of_a_nearly_singular_covariance_is_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
