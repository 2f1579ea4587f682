/* SPDX-License-Identifier: Apache-2.0 */
/* test_moments.c - the store of means and scatters: exact where cancellation lurks, and honest where it wins. */
#include "fixtures.h"

#include "families/family.h"
#include "model/moments.h"

static const uint32_t same[] = {0, 1, 2, 3};
static const ilk_known unweighted = {.rows = true};
static double room[256];

static void add_weighed(ilk_moments *m, size_t k, const double *x, const double *w, size_t n) {
    double *X = make(n * m->d, sizeof *X), *scratch = make(ilk_moments_scratch(m, 1, n), sizeof *scratch);
    bool complete = true;
    memcpy(X, x, n * m->d * sizeof *X);
    for (size_t i = 0; i < n * m->d; i++)
        complete = complete && !isnan(x[i]);
    ilk_moments_add(m, k, X, w, n, complete, scratch);
    free(X);
    free(scratch);
}

static void add(ilk_moments *m, size_t k, const double *x, size_t n) {
    add_weighed(m, k, x, NULL, n);
}

static ilk_moments moments(bool full, size_t d, size_t K) {
    ilk_moments m;
    ilk_moments_init(&m, full, d);
    assert_int_equal(ilk_moments_grow(&m, K), ILK_OK);
    return m;
}

/* A record's numbers, whatever its layout. */
static double n_of(const ilk_moments *m, size_t k, size_t j) {
    return ilk_moments_record(m, k)[m->full ? 0 : j];
}
static double mean_of(const ilk_moments *m, size_t k, size_t j) {
    return ilk_moments_record(m, k)[m->full ? 1 + j : m->d + j];
}
static double scatter_of(const ilk_moments *m, size_t k, size_t i, size_t j) {
    return ilk_moments_record(m, k)[m->full ? 1 + 2 * m->d + i * m->d + j : 2 * m->d + i];
}

/* Every number of class k of both, to a tolerance relative to the columns' scatter. */
static void assert_same_moments(const ilk_moments *a, const ilk_moments *b, size_t k, double tolerance) {
    for (size_t i = 0; i < a->d; i++) {
        assert_true(n_of(a, k, i) == n_of(b, k, i));
        assert_close(mean_of(a, k, i), mean_of(b, k, i), tolerance);
        for (size_t j = a->full ? 0 : i; j <= i; j++)
            assert_close(scatter_of(a, k, i, j), scatter_of(b, k, i, j), tolerance);
    }
}

static double *random_rows(rng *r, size_t n, size_t d, double offset, double missing) {
    double *x = make(n * d, sizeof *x);
    for (size_t i = 0; i < n * d; i++)
        x[i] =
            rng_unit(r) < missing ? NAN : offset + (double)(i % d + 1) * rng_normal(r) + (i % d ? 0.3 * x[i - 1] : 0);
    return x;
}

/* ---- cancellation */

static void moments__of_1e9_plus_1_2_4_9_have_scatter_38(void **state) {
    (void)state;
    const double x[] = {1e9 + 1, 1e9 + 2, 1e9 + 4, 1e9 + 9};
    for (int full = 0; full <= 1; full++) {
        ilk_moments at_once = moments(full, 1, 2), apart = moments(full, 1, 2);
        add(&at_once, 0, x, 4);
        for (size_t i = 0; i < 4; i++)
            add(&apart, 0, x + i, 1);
        assert_true(scatter_of(&at_once, 0, 0, 0) == 38);
        assert_close(scatter_of(&apart, 0, 0, 0), 38, 1e-6);
        assert_true(mean_of(&at_once, 0, 0) == 1e9 + 4 && n_of(&at_once, 0, 0) == 4);
        assert_true(n_of(&at_once, 1, 0) == 0);
        ilk_moments_free(&at_once);
        ilk_moments_free(&apart);
    }
}

static void moments__of_data_at_1e8_keep_their_variance(void **state) {
    (void)state;
    rng r = rng_new(51);
    enum { N = 10000 };
    for (int full = 0; full <= 1; full++) {
        ilk_moments far = moments(full, 1, 1), near = moments(full, 1, 1);
        for (int i = 0; i < N; i += 100) {
            double x[100], y[100];
            for (int j = 0; j < 100; j++) {
                x[j] = 1e8 + rng_normal(&r);
                y[j] = x[j] - 1e8; /* exact */
            }
            add(&far, 0, x, 100);
            add(&near, 0, y, 100);
        }
        assert_close(scatter_of(&far, 0, 0, 0) / scatter_of(&near, 0, 0, 0), 1, 1e-7);
        assert_close(mean_of(&far, 0, 0) - 1e8, mean_of(&near, 0, 0), 1e-7);
        ilk_moments_free(&far);
        ilk_moments_free(&near);
    }
}

/* NIST StRD NumAcc4: 10000000.2, then 10000000.1 and 10000000.3 in turn, 1001 values: mean 10000000.2, sd 0.1. */
static void moments__of_numacc4_have_the_digits_its_input_allows(void **state) {
    (void)state;
    double x[1001];
    for (size_t i = 0; i < 1001; i++)
        x[i] = i == 0 ? 10000000.2 : i % 2 ? 10000000.1 : 10000000.3;
    ilk_moments m = moments(false, 1, 1);
    add(&m, 0, x, 1001);
    double sd = sqrt(scatter_of(&m, 0, 0, 0) / 1000);
    assert_true(-log10(fabs(sd - 0.1) / 0.1) > 8.2);
    assert_close(mean_of(&m, 0, 0), 10000000.2, 1e-16);
    ilk_moments_free(&m);
}

/* Once a column is kept in larger units, whatever comes later is put into them: 1 too, of which nothing is left. */
static void moments__in_large_units_take_small_values(void **state) {
    (void)state;
    const double large = 0x1p600, one = 1, none = 0;
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 1, 1);
        add(&m, 0, &large, 1);
        add(&m, 0, &one, 1);
        add(&m, 0, &none, 1);
        assert_close(ldexp(mean_of(&m, 0, 0), m.exponent[0]) / large, 1 / 3.0, 1e-15);
        assert_close(ldexp(scatter_of(&m, 0, 0, 0), 2 * m.exponent[0] - 1200), 2 / 3.0, 1e-15);
        ilk_moments_free(&m);
    }
}

/* A row by itself has a mean and no scatter. Its units grow with those of another class. */
static void units__grow_for_a_class_of_one_row(void **state) {
    (void)state;
    const double tiny = 0x1p-400, one = 1;
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 1, 2);
        add(&m, 0, &tiny, 1);
        add(&m, 1, &one, 1);
        assert_int_equal(m.exponent[0], 0);
        assert_true(mean_of(&m, 0, 0) == tiny && mean_of(&m, 1, 0) == one);
        ilk_moments_free(&m);
    }
}

/* The mean of these is no double: what it is off by, times n, squared, over n, is taken from the squares. */
static void scatter__does_not_depend_on_how_the_mean_is_rounded(void **state) {
    (void)state;
    enum { N = 100 };
    double x[N], mean = 0, S = 0;
    for (size_t i = 0; i < N; i++) {
        x[i] = 1e12 + (double)(i * i % 7);
        mean += (double)(i * i % 7) / N;
    }
    for (size_t i = 0; i < N; i++)
        S += (x[i] - 1e12 - mean) * (x[i] - 1e12 - mean);
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 1, 1);
        add(&m, 0, x, N);
        assert_close(scatter_of(&m, 0, 0, 0), S, 1e-10);
        assert_close(mean_of(&m, 0, 0) - 1e12, mean, 1e-4);
        ilk_moments_free(&m);
    }
}

/* Beside 10^16 the others are rounded; their mean is not: (10^16 + 6) / 4. */
static void mean__of_values_far_apart_is_the_nearest_double(void **state) {
    (void)state;
    const double x[] = {1e16, 1, 2, 3, NAN};
    ilk_moments m = moments(false, 1, 1);
    add(&m, 0, x, 5);
    assert_true(n_of(&m, 0, 0) == 4 && mean_of(&m, 0, 0) == 2500000000000001.5);
    ilk_moments_free(&m);
}

/* Scatters of 0 and of 1 are ones like any other: what stays are four rows, the same in both columns, or one row. */
static void removal__leaves_the_products_of_what_stays(void **state) {
    (void)state;
    const double rows[] = {-0.5, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 3, 9, 9, 3};
    ilk_moments m = moments(true, 2, 1), far = moments(true, 2, 1), more = moments(true, 2, 1);
    add(&m, 0, rows, 6);
    add(&far, 0, rows + 8, 2);
    add(&more, 0, rows, 3);
    ilk_moments_subtract(&m, &far, same, unweighted);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j <= i; j++)
            assert_true(scatter_of(&m, 0, i, j) == 1);
    ilk_moments_subtract(&m, &more, same, unweighted);
    assert_true(scatter_of(&m, 0, 0, 0) == 0 && scatter_of(&m, 0, 1, 1) == 0 && scatter_of(&m, 0, 1, 0) == 0);
    ilk_moments_free(&m);
    ilk_moments_free(&far);
    ilk_moments_free(&more);
}

static void rows__of_weight_0_leave_nothing(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 6}, gap[] = {1, NAN, 3, 6};
    for (int way = 0; way < 3; way++) { /* columns, columns with a value missing, a full scatter */
        ilk_moments m = moments(way == 2, 2, 1);
        add_weighed(&m, 0, way == 1 ? gap : x, (double[]){0, 0}, 2);
        assert_true(n_of(&m, 0, 0) == 0 && mean_of(&m, 0, 0) == 0 && scatter_of(&m, 0, 1, 1) == 0);
        add(&m, 0, x, 2);
        assert_true(n_of(&m, 0, 0) == 2 && mean_of(&m, 0, 1) == 4 && scatter_of(&m, 0, 1, 1) == 8);
        ilk_moments_free(&m);
    }
}

/* What is added to no rows takes their mean for 0. */
static void mean__of_no_rows_is_0(void **state) {
    (void)state;
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 2, 1);
        assert_true(ilk_moments_valid(&m));
        ilk_moments_record(&m, 0)[full ? 1 : 2] = 1;
        assert_false(ilk_moments_valid(&m));
        ilk_moments_free(&m);
    }
}

/* Products of two weights would be 0. */
static void moments__of_tiny_weights_are_those_of_large_ones(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 6, 5, 1, 2, 2}, tiny = 0x1p-600, w[] = {tiny, 2 * tiny, tiny, tiny};
    const double large[] = {1, 2, 1, 1};
    for (int full = 0; full <= 1; full++) {
        ilk_moments sum[2] = {moments(full, 2, 1), moments(full, 2, 1)};
        for (int i = 0; i < 2; i++) {
            ilk_moments rest = moments(full, 2, 1);
            add_weighed(&sum[i], 0, x, i ? w : large, 2);
            add_weighed(&sum[i], 0, x + 4, i ? w + 2 : large + 2, 1);
            add_weighed(&rest, 0, x + 6, i ? w + 3 : large + 3, 1);
            ilk_moments_merge(&sum[i], &rest, same);
            ilk_moments_free(&rest);
        }
        for (size_t j = 0; j < 2; j++) {
            assert_true(n_of(&sum[1], 0, j) == n_of(&sum[0], 0, j) * tiny);
            assert_close(mean_of(&sum[1], 0, j), mean_of(&sum[0], 0, j), 1e-15);
            assert_close(scatter_of(&sum[1], 0, j, j) / tiny, scatter_of(&sum[0], 0, j, j), 1e-15);
        }
        ilk_moments_free(&sum[0]);
        ilk_moments_free(&sum[1]);
    }
}

/* ---- adding and merging */

static void scatter__is_the_sum_of_products_about_the_mean(void **state) {
    (void)state;
    rng r = rng_new(52);
    enum { N = 300, D = 5 };
    double *x = random_rows(&r, N, D, 100, 0);
    ilk_moments m = moments(true, D, 1);
    add(&m, 0, x, 120);
    add(&m, 0, x + 120 * D, N - 120);
    long double mean[D] = {0};
    for (size_t i = 0; i < N * D; i++)
        mean[i % D] += x[i] / (long double)N;
    for (size_t a = 0; a < D; a++) {
        assert_close(mean_of(&m, 0, a), (double)mean[a], 1e-14);
        for (size_t b = 0; b <= a; b++) {
            long double sum = 0;
            for (size_t i = 0; i < N; i++)
                sum += (x[i * D + a] - mean[a]) * (x[i * D + b] - mean[b]);
            assert_close(scatter_of(&m, 0, a, b), (double)sum, 1e-12);
        }
    }
    ilk_moments_free(&m);
    free(x);
}

static void merge__equals_one_pass(void **state) {
    (void)state;
    rng r = rng_new(53);
    for (int times = 0; times < 40; times++) {
        bool full = times % 2;
        size_t d = 1 + rng_below(&r, 6), n = 2 + rng_below(&r, 200), cut = rng_below(&r, n + 1);
        double *x = random_rows(&r, n, d, 10, full ? 0 : 0.2);
        ilk_moments whole = moments(full, d, 2), left = moments(full, d, 2), right = moments(full, d, 3);
        add(&whole, 1, x, n);
        add(&left, 1, x, cut);
        add(&right, 2, x + cut * d, n - cut);
        ilk_moments_merge(&left, &right, (uint32_t[]){0, 0, 1});
        assert_same_moments(&left, &whole, 1, 1e-12);
        assert_same_moments(&left, &whole, 0, 0); /* nothing and nothing is nothing */
        assert_true(n_of(&left, 0, 0) == 0);
        ilk_moments_free(&whole);
        ilk_moments_free(&left);
        ilk_moments_free(&right);
        free(x);
    }
}

/* Into nothing, a merge is a copy, even of means whose squares overflow. */
static void merge__into_nothing_is_a_copy(void **state) {
    (void)state;
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 2, 1), from = moments(full, 2, 1);
        add(&from, 0, (double[]){1e200, 1, 1e200, 3}, 2);
        ilk_moments_merge(&m, &from, same);
        assert_memory_equal(m.data, from.data, m.record * sizeof *m.data);
        ilk_moments_free(&m);
        ilk_moments_free(&from);
    }
}

static void columns__count_only_the_rows_that_have_them(void **state) {
    (void)state;
    const double x[] = {1, NAN, 2, NAN, 3, 10, NAN, 20, NAN, NAN};
    ilk_moments m = moments(false, 2, 1);
    add(&m, 0, x, 5);
    assert_true(n_of(&m, 0, 0) == 3 && n_of(&m, 0, 1) == 2);
    assert_true(mean_of(&m, 0, 0) == 2 && mean_of(&m, 0, 1) == 15);
    assert_true(scatter_of(&m, 0, 0, 0) == 2 && scatter_of(&m, 0, 1, 1) == 50);
    assert_true(ilk_moments_rows(&m, 0) == 3);
    add(&m, 0, (double[]){NAN, NAN}, 1);
    assert_true(n_of(&m, 0, 0) == 3 && n_of(&m, 0, 1) == 2);
    ilk_moments_free(&m);
}

static void grow__makes_empty_classes_and_keeps_the_others(void **state) {
    (void)state;
    ilk_moments m = moments(true, 2, 1);
    add(&m, 0, (double[]){1, 2, 3, 5}, 2);
    for (size_t K = 2; K < 100; K++) {
        assert_int_equal(ilk_moments_grow(&m, K), ILK_OK);
        assert_true(ilk_moments_rows(&m, K - 1) == 0 && scatter_of(&m, K - 1, 1, 1) == 0);
    }
    assert_true(n_of(&m, 0, 0) == 2 && mean_of(&m, 0, 1) == 3.5 && scatter_of(&m, 0, 1, 0) == 3);
    add(&m, 1, (double[]){100, 200}, 1);
    assert_true(ilk_moments_rows(&m, 0) == 2 && ilk_moments_rows(&m, 1) == 1);
    ilk_moments_clear(&m);
    assert_true(n_of(&m, 0, 0) == 0 && scatter_of(&m, 0, 1, 0) == 0 && m.K == 99);
    ilk_moments_free(&m);
}

/* ---- removing */

static void remove__undoes_add_to_rounding(void **state) {
    (void)state;
    rng r = rng_new(54);
    for (int times = 0; times < 40; times++) {
        bool full = times % 2;
        size_t d = 1 + rng_below(&r, 5), n = 5 + rng_below(&r, 100), gone = 1 + rng_below(&r, 100), k, column;
        double *x = random_rows(&r, n + gone, d, 10, full ? 0 : 0.1);
        ilk_moments all = moments(full, d, 1), stay = moments(full, d, 1), go = moments(full, d, 1);
        add(&all, 0, x, n + gone);
        add(&stay, 0, x, n);
        add(&go, 0, x + n * d, gone);
        assert_int_equal(ilk_moments_removable(&all, &go, same, unweighted, room, &k, &column), ILK_REMOVABLE);
        ilk_moments_subtract(&all, &go, same, unweighted);
        assert_same_moments(&all, &stay, 0, 1e-10);
        ilk_moments_free(&all);
        ilk_moments_free(&stay);
        ilk_moments_free(&go);
        free(x);
    }
}

static void remove__of_everything_leaves_nothing_at_all(void **state) {
    (void)state;
    const double x[] = {0.1, 7, 0.7, -1e9, 1e16, 3};
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 2, 1), from = moments(full, 2, 1);
        size_t k, column;
        add(&m, 0, x, 3);
        add(&from, 0, x, 3);
        assert_int_equal(ilk_moments_removable(&m, &from, same, unweighted, room, &k, &column), ILK_REMOVABLE);
        ilk_moments_subtract(&m, &from, same, unweighted);
        for (size_t i = 0; i < m.record; i++)
            assert_true(m.data[i] == 0);
        ilk_moments_free(&m);
        ilk_moments_free(&from);
    }
}

static void remove__of_all_but_one_row_leaves_no_scatter(void **state) {
    (void)state;
    const double x[] = {0.1, 7, 0.7, -1e3, 1e5 / 3, 3};
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 2, 1), from = moments(full, 2, 1);
        add(&m, 0, x, 3);
        add(&from, 0, x + 2, 2);
        ilk_moments_subtract(&m, &from, same, unweighted);
        assert_true(n_of(&m, 0, 0) == 1);
        for (size_t i = 0; i < 2; i++) {
            assert_close(mean_of(&m, 0, i), x[i], 1e-9);
            assert_true(scatter_of(&m, 0, i, i) == 0);
        }
        ilk_moments_free(&m);
        ilk_moments_free(&from);
    }
}

/* 100 values near 1e6, learn and unlearn 1e16: the scatter is gone, so it is not to be had. */
static void remove__is_refused_where_rounding_has_eaten_the_scatter(void **state) {
    (void)state;
    rng r = rng_new(55);
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 2, 2), from = moments(full, 2, 2), mild = moments(full, 2, 2);
        size_t k = 9, column = 9;
        for (int i = 0; i < 100; i++)
            add(&m, 1, (double[]){rng_normal(&r), 1e6 + rng_normal(&r)}, 1);
        const double outlier[] = {0, 1e16}, harmless[] = {0, 1.1e6};
        add(&m, 1, harmless, 1);
        add(&mild, 1, harmless, 1);
        assert_int_equal(ilk_moments_removable(&m, &mild, same, unweighted, room, &k, &column), ILK_REMOVABLE);
        ilk_moments_subtract(&m, &mild, same, unweighted);
        add(&m, 1, outlier, 1);
        add(&from, 1, outlier, 1);
        assert_int_equal(ilk_moments_removable(&m, &from, same, unweighted, room, &k, &column),
                         ILK_REMOVES_TOO_MUCH_SCATTER);
        assert_int_equal(k, 1);
        assert_int_equal(column, 1);
        ilk_moments_free(&m);
        ilk_moments_free(&from);
        ilk_moments_free(&mild);
    }
}

/* n values about `offset`, of which all but `left` are taken away, at once or one by one, as long as that is allowed:
 * the relative error of the scatter that stays. */
static double error_of_removal(bool full, double offset, int n, int left, int at_a_time, rng *r) {
    ilk_moments m = moments(full, 1, 1), rest = moments(full, 1, 1);
    double *x = make((size_t)n, sizeof *x), worst = 0;
    size_t k, column;
    for (int i = 0; i < n; i++)
        x[i] = offset + rng_normal(r);
    add(&m, 0, x, (size_t)n);
    for (int gone = 0; gone < n - left; gone += at_a_time) {
        ilk_moments from = moments(full, 1, 1);
        add(&from, 0, x + gone, (size_t)at_a_time);
        bool removable = ilk_moments_removable(&m, &from, same, unweighted, room, &k, &column) == ILK_REMOVABLE;
        if (removable)
            ilk_moments_subtract(&m, &from, same, unweighted);
        ilk_moments_free(&from);
        if (!removable)
            break;
        ilk_moments_clear(&rest);
        add(&rest, 0, x + gone + at_a_time, (size_t)(n - gone - at_a_time));
        worst = fmax(worst, fabs(scatter_of(&m, 0, 0, 0) / scatter_of(&rest, 0, 0, 0) - 1));
    }
    ilk_moments_free(&m);
    ilk_moments_free(&rest);
    free(x);
    return worst;
}

/* Where values are far from 0 beside their spread, the rounding of the mean is what eats the scatter. */
static void remove__leaves_a_scatter_to_1e_6_or_is_refused(void **state) {
    (void)state;
    rng r = rng_new(57);
    for (int full = 0; full <= 1; full++)
        for (double offset = 1; offset < 1e14; offset *= 10) {
            assert_true(error_of_removal(full, offset, 1000, 10, 990, &r) < 3e-6);
            assert_true(error_of_removal(full, offset, 200, 10, 1, &r) < 3e-6);
            if (offset <= 1e6) /* and is not refused there, or there would be no error at all */
                assert_true(error_of_removal(full, offset, 1000, 10, 990, &r) > 0);
        }
}

static void remove__of_what_never_varied_is_allowed_again_and_again(void **state) {
    (void)state;
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 1, 1), one = moments(full, 1, 1);
        size_t k, column;
        add(&m, 0, (double[]){0.1, 0.1, 0.1, 0.1, 0.1}, 5);
        add(&one, 0, (double[]){0.1}, 1);
        for (int left = 4; left >= 0; left--) {
            assert_int_equal(ilk_moments_removable(&m, &one, same, unweighted, room, &k, &column), ILK_REMOVABLE);
            ilk_moments_subtract(&m, &one, same, unweighted);
            assert_true(n_of(&m, 0, 0) == left && scatter_of(&m, 0, 0, 0) == 0);
        }
        ilk_moments_free(&m);
        ilk_moments_free(&one);
    }
}

/* Also when the outlier is taken away bit by bit, or came in through a merge: the peak is remembered. */
static void remove__remembers_the_peak_through_merges(void **state) {
    (void)state;
    rng r = rng_new(56);
    ilk_moments m = moments(false, 1, 1), other = moments(false, 1, 1), from = moments(false, 1, 1);
    size_t k, column;
    double x[100];
    for (int i = 0; i < 100; i++)
        x[i] = rng_normal(&r);
    add(&other, 0, (double[]){1e16, 1e16 + 2}, 2);
    add(&m, 0, x, 100);
    ilk_moments_merge(&m, &other, same);
    add(&from, 0, (double[]){1e16}, 1);
    assert_int_equal(ilk_moments_removable(&m, &from, same, unweighted, room, &k, &column),
                     ILK_REMOVABLE); /* one outlier stays */
    ilk_moments_subtract(&m, &from, same, unweighted);
    ilk_moments_clear(&from);
    add(&from, 0, (double[]){1e16 + 2}, 1);
    assert_int_equal(ilk_moments_removable(&m, &from, same, unweighted, room, &k, &column),
                     ILK_REMOVES_TOO_MUCH_SCATTER);
    ilk_moments_free(&m);
    ilk_moments_free(&other);
    ilk_moments_free(&from);
}

static void remove__is_refused_where_there_are_fewer_rows(void **state) {
    (void)state;
    ilk_moments m = moments(false, 2, 1), from = moments(false, 2, 1);
    size_t k, column;
    add(&m, 0, (double[]){1, NAN, 2, 5, 3, 7}, 3);
    add(&from, 0, (double[]){1, 1, 2, 5, 3, 7}, 3);
    assert_int_equal(ilk_moments_removable(&m, &from, same, unweighted, room, &k, &column),
                     ILK_REMOVES_MORE_THAN_THERE_IS);
    assert_int_equal(column, 1);
    ilk_moments_free(&m);
    ilk_moments_free(&from);
}

/* Values larger than all that was learnt, in the class that has them and not in the one before it. */
static void remove__names_the_class_that_has_too_much(void **state) {
    (void)state;
    ilk_moments m = moments(false, 1, 2), from = moments(false, 1, 2);
    size_t k = 9, column;
    add(&m, 0, (double[]){1, 2}, 2);
    add(&m, 1, (double[]){1, 2}, 2);
    add(&from, 1, (double[]){1e300}, 1);
    assert_int_equal(ilk_moments_removable(&m, &from, same, unweighted, room, &k, &column),
                     ILK_REMOVES_MORE_THAN_THERE_IS);
    assert_int_equal(k, 1);
    ilk_moments_free(&m);
    ilk_moments_free(&from);
}

/* What one row, and rows of two classes that never varied, tell once all that varied is gone: `pattern` times delta.
 * Is that more than rounding? Class 0 loses all it has; one that lost nothing, and is not known, passes for class 1. */
static bool tells(double delta, const double *pattern, const size_t *rows) {
    static const uint32_t map[] = {0, 1, 2, 3, 1};
    ilk_moments m = moments(false, 1, 4), from = moments(false, 1, 5);
    const double gone = 7, odd = 1;
    size_t k, column;
    add(&m, 0, &gone, 1);
    add(&m, 1, &odd, 1);
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < rows[c]; i++)
            add(&m, c + 1, (double[]){delta * pattern[c]}, 1);
    add(&from, 0, &gone, 1);
    add(&from, 1, &odd, 1);
    ilk_removal why = ilk_moments_removable(&m, &from, map, unweighted, room, &k, &column);
    assert_true(why == ILK_REMOVABLE || why == ILK_REMOVES_TOO_MUCH_SCATTER);
    ilk_moments_free(&m);
    ilk_moments_free(&from);
    return why == ILK_REMOVABLE;
}

/* The bound is one of the scatter of the classes' means, each of which counts as its rows. */
static void remove__of_all_that_varied_is_judged_by_the_scatter_of_means(void **state) {
    (void)state;
    static const double patterns[][3] = {{0, 1, 1}, {0, 1, 0}, {0, 0, 1}, {0, 1, -1}, {0, 2, 1}, {1, 1, 1}};
    static const size_t rows[][3] = {{1, 1, 1}, {1, 3, 5}, {1, 8, 2}};
    double bound = 0;
    for (size_t i = 0; i < 18; i++) {
        const double *v = patterns[i % 6];
        const size_t *n = rows[i / 6];
        double N = 0, sum = 0, squares = 0, low = 1e-9, high = 1e-1;
        for (size_t c = 0; c < 3; c++) {
            N += (double)n[c];
            sum += (double)n[c] * v[c];
            squares += (double)n[c] * v[c] * v[c];
        }
        double scatter = squares - sum * sum / N;
        if (scatter == 0) { /* equal values, as far as rounding tells: no model takes them for more */
            assert_true(tells(0, v, n));
            continue;
        }
        assert_false(tells(low, v, n));
        assert_true(tells(high, v, n));
        for (size_t step = 0; step < 60; step++) {
            double middle = sqrt(low * high);
            *(tells(middle, v, n) ? &high : &low) = middle;
        }
        bound = bound > 0 ? bound : high * high * scatter;
        assert_close(high * high * scatter / bound, 1, 1e-3);
    }
}

/* ---- from a file */

static void valid__refuses_what_no_rows_could_give(void **state) {
    (void)state;
    for (int full = 0; full <= 1; full++) {
        ilk_moments m = moments(full, 2, 2);
        add(&m, 1, (double[]){1, 2, 3, 5}, 2);
        assert_true(ilk_moments_valid(&m));
        for (size_t i = 0; i < 2 * m.record; i++) {
            double before = m.data[i];
            m.data[i] = NAN;
            assert_false(ilk_moments_valid(&m));
            m.data[i] = INFINITY;
            assert_false(ilk_moments_valid(&m));
            m.data[i] = before;
        }
        double *r = ilk_moments_record(&m, 1), *numbers[] = {r, full ? r + 3 : r + 6, full ? r + 5 : r + 4};
        for (size_t i = 0; i < 3; i++) { /* rows, peak, scatter */
            double before = *numbers[i];
            *numbers[i] = -1;
            assert_false(ilk_moments_valid(&m));
            *numbers[i] = before;
        }
        ilk_moments_free(&m);
    }
}

/* Also where the weights' sum, and its product with the value, are rounded. */
static void weights__of_equal_values_leave_no_scatter(void **state) {
    (void)state;
    rng r = rng_new(67);
    static const double values[] = {7.3, 0.1, 3.3, -1e9 - 0.7};
    for (size_t i = 0; i < 400; i++) {
        size_t n = 2 + rng_below(&r, 60);
        double *x = make(2 * n, sizeof *x), *w = make(n, sizeof *w);
        for (size_t at = 0; at < n; at++) {
            x[2 * at] = values[i % 4];
            x[2 * at + 1] = i & 4 && at == n / 2 ? NAN : rng_unit(&r); /* then a column is learnt by itself */
            w[at] = at == 0 ? 0 : 0.1 * (double)(1 + rng_below(&r, 9));
        }
        bool full = i & 8 && !(i & 4);
        ilk_moments m = moments(full, 2, 1);
        add_weighed(&m, 0, x, w, n);
        assert_true(mean_of(&m, 0, 0) == values[i % 4] && scatter_of(&m, 0, 0, 0) == 0);
        ilk_moments_free(&m);
        free(x);
        free(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights__of_equal_values_leave_no_scatter),
        cmocka_unit_test(removal__leaves_the_products_of_what_stays),
        cmocka_unit_test(mean__of_values_far_apart_is_the_nearest_double),
        cmocka_unit_test(rows__of_weight_0_leave_nothing),
        cmocka_unit_test(scatter__does_not_depend_on_how_the_mean_is_rounded),
        cmocka_unit_test(mean__of_no_rows_is_0),
        cmocka_unit_test(moments__of_tiny_weights_are_those_of_large_ones),
        cmocka_unit_test(moments__in_large_units_take_small_values),
        cmocka_unit_test(units__grow_for_a_class_of_one_row),
        cmocka_unit_test(moments__of_1e9_plus_1_2_4_9_have_scatter_38),
        cmocka_unit_test(moments__of_data_at_1e8_keep_their_variance),
        cmocka_unit_test(moments__of_numacc4_have_the_digits_its_input_allows),
        cmocka_unit_test(scatter__is_the_sum_of_products_about_the_mean),
        cmocka_unit_test(merge__equals_one_pass),
        cmocka_unit_test(merge__into_nothing_is_a_copy),
        cmocka_unit_test(columns__count_only_the_rows_that_have_them),
        cmocka_unit_test(grow__makes_empty_classes_and_keeps_the_others),
        cmocka_unit_test(remove__undoes_add_to_rounding),
        cmocka_unit_test(remove__of_everything_leaves_nothing_at_all),
        cmocka_unit_test(remove__of_all_but_one_row_leaves_no_scatter),
        cmocka_unit_test(remove__is_refused_where_rounding_has_eaten_the_scatter),
        cmocka_unit_test(remove__leaves_a_scatter_to_1e_6_or_is_refused),
        cmocka_unit_test(remove__of_what_never_varied_is_allowed_again_and_again),
        cmocka_unit_test(remove__remembers_the_peak_through_merges),
        cmocka_unit_test(remove__is_refused_where_there_are_fewer_rows),
        cmocka_unit_test(remove__names_the_class_that_has_too_much),
        cmocka_unit_test(remove__of_all_that_varied_is_judged_by_the_scatter_of_means),
        cmocka_unit_test(valid__refuses_what_no_rows_could_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
