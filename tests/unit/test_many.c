/* SPDX-License-Identifier: Apache-2.0 */
/* test_many.c - families of counts where counts are many: x log rate and log x! are so large there that all digits of
 * what is left of them would be lost.   MATH sections 9 and 14
 *
 * The expected numbers are those of (9.1) and (14.1), with mean and dispersion of the three values as fractions
 * (divisor n, no smoothing), computed by Python's decimal module with 80 digits. log Gamma(z) is by Stirling's series
 * with 29 terms, Bernoulli numbers as fractions, after z was raised above 200 by log Gamma(z) = log Gamma(z + 1) - log z.
 */
#include "direct.h"
#include "families/family.h"
#include "math/special.h"

#include <float.h>

static const char *const families[] = {"poisson", "negative-binomial"};

static const struct {
    double a[3], b[3], x;
    double log_p[4]; /* poisson: a, b; negative-binomial: a, b */
} cases[] = {
    {{1024, 1056, 1088},
     {1056, 1024, 1120},
     1040,
     {-4.5143356414550695, -4.7286530204802366, -4.5143356414550695, -4.8146008448654181}},
    {{1048576, 1049600, 1050624},
     {1049600, 1048576, 1051648},
     1049088,
     {-7.9755528583862034, -8.197519180596899, -7.9755528583862034, -8.2940717999660514}},
    {{1073741824, 1073774592, 1073807360},
     {1073774592, 1073741824, 1073840128},
     1073758208,
     {-11.441150692185856, -11.663364908543633, -11.441150692185856, -11.76026221532161}},
    {{1099511627776, 1099512676352, 1099513724928},
     {1099512676352, 1099511627776, 1099514773504},
     1099512152064,
     {-14.906882283481183, -15.129104255511352, -14.906882283481183, -15.226012347228091}},
    {{1125899906842624, 1125899940397056, 1125899973951488},
     {1125899940397056, 1125899906842624, 1125900007505920},
     1125899923619840,
     {-18.372618051549477, -18.594840265953188, -18.372618051549477, -18.69174869471242}},
    {{2000, 4000, 8000},
     {4000, 6000, 10000},
     5000,
     {-16.808575897003362, -233.43385620334146, -8.8419787918710515, -8.7340276418665006}},
    {{2000000, 4000000, 8000000},
     {4000000, 6000000, 10000000},
     5000000,
     {-11639.655514208995, -228264.93582054711, -15.749776590234443, -15.641647457905941}},
    {{2000000000, 4000000000, 8000000000},
     {4000000000, 6000000000, 10000000000},
     5000000000,
     {-11631036.186714333, -228256316.49305242, -22.657531911746894, -22.549402601422322}},
    {{20000000000000, 40000000000000, 80000000000000},
     {40000000000000, 60000000000000, 100000000000000},
     50000000000000,
     {-116310241030.9297, -2282563044094.3105, -31.867872283765646, -31.759742973262917}},
    {{1600000000000000, 3200000000000000, 6400000000000000},
     {3200000000000000, 4800000000000000, 8000000000000000},
     4000000000000000,
     {-9304819281158.0215, -182605043526228.5, -36.249898918439534, -36.141769607936787}},
    {{1045504, 1048576, 1051648},
     {1046528, 1049600, 1052672},
     1049088,
     {-7.9756341591914657, -7.9755528583862034, -8.7675650930772626, -8.766682812948936}},
    {{17179475968, 17179869184, 17180262400},
     {17179607040, 17180000256, 17180393472},
     17179934720,
     {-12.827442351128171, -12.827441715350146, -13.619157118929207, -13.619150222479748}},
    {{1125899806179328, 1125899906842624, 1125900007505920},
     {1125899839733760, 1125899940397056, 1125900041060352},
     1125899923619840,
     {-18.372618054033005, -18.372618051549477, -19.164331128620351, -19.164331101680983}},
};
enum { CASES = sizeof cases / sizeof *cases };

static ilk_stats *learn(const char *family, size_t i, size_t without) {
    ilk_stats *s = stats_of(real_columns(1, family), NULL);
    for (uint32_t n = 0, k; n < 6; n++) {
        const double *x = n < 3 ? &cases[i].a[n] : &cases[i].b[n - 3];
        assert_ok(ilk_stats_class(&k, s, str(n < 3 ? "a" : "b"), &failure));
        if (n != without)
            assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 1, .real = x, .label = &k}, &failure));
    }
    return s;
}

static ilk_status add_part(void *ctx, const ilk_part *part) {
    *(double *)ctx += part->contribution;
    return ILK_OK;
}

static double mean_of(const double x[3]) {
    return (x[0] + x[1] + x[2]) / 3;
}

/* The rate is a double, half an eps off at least, which is worth |x - rate| eps. */
static double allowed(size_t i, const double *log_p) {
    double far = fmax(fabs(cases[i].x - mean_of(cases[i].a)), fabs(cases[i].x - mean_of(cases[i].b)));
    return 2 * DBL_EPSILON * (far + fmax(fabs(log_p[0]), fabs(log_p[1])));
}

static void log_joint__of_many_counts_has_its_digits(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < CASES; i++) {
            ilk_stats *s = learn(families[f], i, 6);
            ilk_model *m = estimated(s, &o);
            const double *log_p = cases[i].log_p + 2 * f;
            ilk_rows row = {.n = 1, .real = &cases[i].x};
            double out[2], p[2], parts = 0, most = allowed(i, log_p);
            assert_ok(ilk_model_log_joint(out, m, &row, &failure));
            assert_ok(ilk_model_posterior(p, m, &row, &failure));
            assert_ok(ilk_model_explain(m, &row, 0, 0, 1, add_part, &parts, &failure));
            for (size_t k = 0; k < 2; k++)
                assert_true(fabs(out[k] - (log(0.5) + log_p[k])) <= most);
            assert_true(fabs(parts - (log_p[0] - log_p[1])) <= 2 * most);
            assert_true(fabs(p[1] - 1 / (1 + exp(log_p[0] - log_p[1]))) <= 2 * most);
            ilk_model_free(m);
            ilk_stats_free(s);
        }
}

/* To what the sums of a class are rounded by. */
static void leave_one_out__of_many_counts_is_retraining(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < CASES; i++)
            for (uint32_t gone = 0, k; gone < 6; gone++) {
                ilk_stats *all = learn(families[f], i, 6), *others = learn(families[f], i, gone);
                ilk_model *m = estimated(all, &o), *never = estimated(others, &o);
                k = gone / 3;
                ilk_rows row = {.n = 1, .real = k ? &cases[i].b[gone - 3] : &cases[i].a[gone], .label = &k};
                double left[2], right[2], far = fabs(*row.real - mean_of(k ? cases[i].b : cases[i].a)) * 4;
                assert_ok(ilk_model_leave_one_out(left, m, &row, &failure));
                assert_ok(ilk_model_log_joint(right, never, &row, &failure));
                for (size_t c = 0; c < 2; c++)
                    assert_true(fabs(left[c] - right[c]) <= 64 * DBL_EPSILON * (far + fabs(right[c])));
                ilk_model_free(m);
                ilk_model_free(never);
                ilk_stats_free(all);
                ilk_stats_free(others);
            }
}

/* What is left may be far below a single row that goes, and yet be known: the threes are all the same, their squares
 * are lost in rounding. */
static void leave_one_out__of_a_count_above_all_others_leaves_these(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    static const char rows[] = "3,a\n3,a\n5e10,a\n1,b\n4,b\n9,b\n", others[] = "3,a\n3,a\n1,b\n4,b\n9,b\n";
    for (size_t f = 0; f < 2; f++) {
        char columns[40];
        snprintf(columns, sizeof columns, "x:%s y", families[f]);
        ilk_model *m = model_of(columns, rows, &o), *never = model_of(columns, others, &o);
        const uint32_t a = 0;
        ilk_rows row = {.n = 1, .real = (double[]){5e10}, .label = &a};
        double left[2], right[2];
        assert_ok(ilk_model_leave_one_out(left, m, &row, &failure));
        assert_ok(ilk_model_log_joint(right, never, &row, &failure));
        assert_true(isfinite(left[0]));
        assert_close(left[0] / right[0], 1, 1e-7);
        ilk_model_free(m);
        ilk_model_free(never);
    }
}

/* What a family says of x; p are all its parameters. */
static double score(const char *family, const double *p, double x) {
    double out = 0;
    ilk_family_find(family)->score(&out, p, &(ilk_shape){.K = 1, .d = 1}, &(ilk_chunk){.n = 1, .x = &x});
    return out;
}

/* One form gives over to the other at 1024; long doubles have digits enough for either there, but not under valgrind,
 * which computes them as doubles. */
static void density__is_one_function(void **state) {
    (void)state;
    volatile long double one = 1;
    const bool long_enough = one + 0x1p-60L > 1;
    static const double rate[] = {1e-3, 1, 700, 1000, 1100, 5e4, 1e9}, a[] = {1e-12, 1e-4, 1 / 17.0, 1 / 15.0, 0.5, 40};
    for (double x = 1015; x < 1032; x++)
        for (size_t i = 0; i < sizeof rate / sizeof *rate; i++) {
            const double log_rate = log(rate[i]), near = !long_enough ? 1e-10 : x < 1024 ? 1e-12 : 2e-14;
            long double plain = x * logl(rate[i]) - rate[i] - lgammal(x + 1);
            assert_close(score("poisson", (double[]){log_rate, rate[i], 1, 1, 1, 0}, x), (double)plain, near);
            for (size_t j = 0; j < sizeof a / sizeof *a; j++) {
                const double p[] = {log_rate, rate[i], a[j], 1, 1, 1, 1, 0, 0};
                long double sum = x * (logl(rate[i]) - log1pl((long double)a[j] * rate[i])) - lgammal(x + 1);
                for (long double n = 0; n < x; n++)
                    sum += log1pl(a[j] * n);
                assert_close(score("negative-binomial", p, x),
                             (double)(sum - log1pl((long double)a[j] * rate[i]) / a[j]), near);
            }
        }
}

/* A dispersion that no product bears, one that is none, a rate that is none. */
static void density__of_many_is_a_number_for_all_that_a_file_may_hold(void **state) {
    (void)state;
    const double x = 0x1p52;
    /* r = 1e-300: log p(x) = log(r / x) + x log(a mu / (1 + a mu)) - r log(1 + a mu), to rounding */
    assert_close(score("negative-binomial", (double[]){log(1e8), 1e8, 1e300, 1, 1, 1, 1, 0, 0}, x),
                 -300 * log(10) - log(x), 1e-14);
    assert_true(score("negative-binomial", (double[]){log(1e-9), 1e-9, 1e308, 1, 1, 1, 1, 0, 0}, x) < 0);
    assert_close(score("negative-binomial", (double[]){log(x), x, 5e-324, 1, 1, 1, 1, 0, 0}, x),
                 score("poisson", (double[]){log(x), x, 1, 1, 1, 0}, x), 1e-15);
    assert_close(score("negative-binomial", (double[]){log(1e-300), 1e-300, 1e-20, 1, 1, 1, 1, 0, 0}, 2000),
                 2000 * log(1e-300) - lgamma(2001), 1e-14);
    assert_true(score("negative-binomial", (double[]){-INFINITY, 0, 0.5, 1, 1, 1, 1, 0, 0}, x) == -INFINITY);
    assert_true(score("poisson", (double[]){-INFINITY, 0, 1, 1, 1, 0}, x) == -INFINITY);
}

/* 0 at its least, where it is a square; of numbers far apart and of all that are. */
static void deviance__has_its_digits_everywhere(void **state) {
    (void)state;
    assert_true(ilk_deviance(3, 3, 0) == 0 && ilk_deviance(DBL_MAX, DBL_MAX, 0) == 0);
    assert_true(ilk_deviance(5, 0, 5) == INFINITY);
    for (double v = 1e-9; v < 2; v *= 1.07)
        for (int sign = -1; sign <= 1; sign += 2) {
            double m = sign > 0 ? 1 + v : 1 / (1 + v);
            long double d = 1 - (long double)m, series = 0, power = d * d;
            for (int n = 2; n < 60; n++, power *= d) /* -log(1 - d) - d */
                series += power / n;
            assert_close(ilk_deviance(1, m, 1 - m) / (double)(fabsl(d) < 0.3L ? series : -logl(m) - d), 1, 4e-15);
        }
    assert_close(ilk_deviance(1e300, 1e-300, 1e300), 1e300 * (600 * log(10) - 1), 1e-15);
    assert_close(ilk_deviance(1e-300, 1e300, -1e300), 1e300, 1e-15);
    assert_close(ilk_deviance(1e308, 1.1e308, -1e307) / 1e308, 0.1 - log(1.1), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_joint__of_many_counts_has_its_digits),
        cmocka_unit_test(leave_one_out__of_many_counts_is_retraining),
        cmocka_unit_test(leave_one_out__of_a_count_above_all_others_leaves_these),
        cmocka_unit_test(density__is_one_function),
        cmocka_unit_test(density__of_many_is_a_number_for_all_that_a_file_may_hold),
        cmocka_unit_test(deviance__has_its_digits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
