/* SPDX-License-Identifier: Apache-2.0 */
/* test_worth.c - means by weight and their standard errors against the sums written out. */
#include "fixtures.h"
#include "model/worth.h"

enum { N = 6 };
static const double weight[N] = {1, 2, 0.5, 3, 0, 1.25};
static const double loss[N] = {0.2, 1.5, 0.7, 0.1, 9, 2.75};
static const bool right[N] = {true, false, true, true, false, false};

typedef struct figure {
    double mean, se;
} figure;

/* sum of w x / sum of w, and sqrt(sum of w^2 (x - mean)^2 × n / (n - 1)) / sum of w, of the rows with a weight. */
static figure written_out(const double *x, size_t rows) {
    double n = 0, W = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < rows; i++) {
        n += weight[i] > 0;
        W += weight[i];
        mean += weight[i] * x[i];
    }
    mean /= W;
    for (size_t i = 0; i < rows; i++)
        squares += weight[i] * weight[i] * (x[i] - mean) * (x[i] - mean);
    return (figure){mean, sqrt(squares * n / (n - 1)) / W};
}

static ilk_worth worth_of(size_t rows, double unit) {
    ilk_worth worth = {0};
    for (size_t i = 0; i < rows; i++)
        ilk_worth_add(&worth, &(ilk_outcome){weight[i] * unit, loss[i], right[i]});
    return worth;
}

static void worth__is_means_by_weight_with_their_errors_in_any_unit(void **state) {
    (void)state;
    double hits[N];
    for (size_t i = 0; i < N; i++)
        hits[i] = right[i];
    for (double unit = 0x1p-40; unit <= 0x1p40; unit *= 0x1p40)
        for (size_t rows = 2; rows <= N; rows++) {
            ilk_worth worth = worth_of(rows, unit);
            ilk_loo got = ilk_worth_sum(&worth);
            figure a = written_out(hits, rows), l = written_out(loss, rows);
            assert_true(got.n == rows - (rows > 4) && got.impossible == 0); /* the fifth weighs nothing */
            assert_close(got.accuracy, a.mean, 1e-14);
            assert_close(got.accuracy_se, a.se, 1e-14);
            assert_close(got.log_loss, l.mean, 1e-14);
            assert_close(got.log_loss_se, l.se, 1e-14);
            assert_true(got.log_loss_rest == got.log_loss);
        }
}

/* An infinite loss makes the mean infinite; the rest is told beside it. A weight may be too small for a square. */
static void worth__of_an_impossible_row_and_of_tiny_weights(void **state) {
    (void)state;
    ilk_worth worth = worth_of(4, 1);
    ilk_worth_add(&worth, &(ilk_outcome){1.5, INFINITY, false});
    ilk_loo got = ilk_worth_sum(&worth);
    assert_true(got.n == 5 && got.impossible == 1 && isinf(got.log_loss) && isnan(got.log_loss_se));
    assert_close(got.log_loss_rest, written_out(loss, 4).mean, 1e-14);
    assert_close(got.accuracy, 4.5 / 8, 1e-14);
    worth = worth_of(4, 0x1p-600);
    got = ilk_worth_sum(&worth);
    assert_close(got.log_loss, written_out(loss, 4).mean, 1e-14);
    worth = worth_of(1, 1);
    got = ilk_worth_sum(&worth);
    assert_true(got.accuracy == 1 && isnan(got.accuracy_se) && isnan(got.log_loss_se));
}

/* -log of the class's share of the evidence; no class possible: infinitely bad, and never right. */
static void judge__tells_the_loss_of_the_true_class(void **state) {
    (void)state;
    const double p[] = {log(0.1), log(0.3)}, none[] = {-INFINITY, -INFINITY};
    double posterior[2];
    ilk_outcome o = ilk_judge(posterior, p, 2, 0, 2.5);
    assert_close(o.loss, log(4), 1e-15);
    assert_true(o.weight == 2.5 && !o.right);
    o = ilk_judge(posterior, p, 2, 1, 1);
    assert_close(o.loss, log(4 / 3.0), 1e-15);
    assert_close(posterior[1], 0.75, 1e-15);
    assert_true(o.right);
    o = ilk_judge(posterior, none, 2, 0, 1);
    assert_true(o.loss == INFINITY && !o.right);
}

/* Two rows without a square have no error that could be told, but no NaN either. */
static void worth__of_tiny_weights_has_numbers(void **state) {
    (void)state;
    ilk_worth worth = worth_of(4, 1e-200);
    ilk_loo got = ilk_worth_sum(&worth);
    assert_close(got.accuracy, written_out((double[]){1, 0, 1, 1}, 4).mean, 1e-14);
    assert_true(got.accuracy_se == 0 && got.log_loss_se == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worth__is_means_by_weight_with_their_errors_in_any_unit),
        cmocka_unit_test(worth__of_an_impossible_row_and_of_tiny_weights),
        cmocka_unit_test(judge__tells_the_loss_of_the_true_class),
        cmocka_unit_test(worth__of_tiny_weights_has_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
