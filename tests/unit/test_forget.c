/* SPDX-License-Identifier: Apache-2.0 */
/* test_forget.c - what rounding makes of columns that lose rows: weights that sum to 1, counts of which zeros stay, and
 * classes that go as a whole.   MATH section 13 */
#include "direct.h"
#include "model/stats.h"

/* One column: class a has four rows, in which it varies by `spread`; the rows of b are still to come. */
static ilk_stats *begin(const char *family, double spread) {
    ilk_stats *s = stats_of(real_columns(1, family), NULL);
    uint32_t id;
    assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
    assert_ok(ilk_stats_class(&id, s, str("b"), &failure));
    const double x[] = {0, spread, 2 * spread, 4 * spread};
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 4, .real = x, .label = (uint32_t[4]){0}}, &failure));
    return s;
}

static const uint32_t b[] = {1, 1, 1, 1, 1, 1, 1, 1};

static void learn(ilk_stats *s, const double *x, const double *weight, size_t n) {
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = n, .real = x, .label = b, .weight = weight}, &failure));
}

static ilk_status forget(ilk_stats *s, const double *x, const double *weight, size_t n) {
    return ilk_stats_remove(s, &(ilk_rows){.n = n, .real = x, .label = b, .weight = weight}, &failure);
}

/* x is not to be had, and what was learnt stays as it was. */
static void assert_refused(const char *says, ilk_stats *s, double x) {
    bytes before = stats_file(s);
    assert_fails(ILK_EDATA, says, forget(s, &x, NULL, 1));
    bytes after = stats_file(s);
    assert_same_bytes(before, after);
    free(before.p);
    free(after.p);
}

/* log p(x, y) of 0, 1, 2, 3 without smoothing. */
static void answers(double out[8], const ilk_stats *s) {
    ilk_options o = options_of(0);
    ilk_model *m = estimated(s, &o);
    assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 4, .real = (double[]){0, 1, 2, 3}}, &failure));
    ilk_model_free(m);
}

/* Two halves weigh 1, and vary. */
static void remove__of_all_but_a_weight_of_1_does_not_take_it_for_one_row(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "gaussian-shared", "gda", "qda"};
    for (size_t f = 0; f < 4; f++) {
        ilk_stats *s = begin(families[f], 1.1);
        double before[8], after[8];
        learn(s, (double[]){1.5, 3.5}, (double[]){0.5, 0.5}, 2);
        answers(before, s);
        learn(s, (double[]){9}, NULL, 1);
        assert_ok(forget(s, (double[]){9}, NULL, 1));
        answers(after, s);
        for (size_t i = 0; i < 8; i++)
            assert_close(after[i], before[i], 1e-9);
        learn(s, (double[]){1000000.5}, NULL, 1);
        assert_refused("class b, column x0: what would be left varies so little", s, 1000000.5);
        ilk_stats_free(s);
    }
}

/* One row has no scatter, whatever sums say of rows that were never learnt; nor has a part of what was one value. */
static void remove__of_all_but_one_row_leaves_no_scatter(void **state) {
    (void)state;
    ilk_stats *s = begin("gaussian", 1);
    learn(s, (double[]){1, 2, 30}, NULL, 3);
    assert_ok(forget(s, (double[]){3, 4}, NULL, 2));
    assert_true(ilk_moments_record(&s->store[0].moments, 1)[2] == 0);
    ilk_stats_free(s);
    s = begin("gaussian", 1);
    learn(s, (double[]){5, 5, 5}, NULL, 3);
    assert_ok(forget(s, (double[]){6}, NULL, 1));
    assert_true(ilk_moments_record(&s->store[0].moments, 1)[2] == 0);
    ilk_stats_free(s);
}

/* What hides the little that b has left is what a has left, not what goes with it. */
static void remove__from_two_classes_judges_by_what_stays_in_both(void **state) {
    (void)state;
    for (double spread = 1; spread <= 1e4; spread *= 1e4) {
        ilk_stats *s = begin("gaussian", spread);
        learn(s, (double[]){0.3, 0.3, 90}, NULL, 3);
        const double gone[] = {4 * spread, 90};
        ilk_rows rows = {.n = 2, .real = gone, .label = (uint32_t[]){0, 1}};
        if (spread == 1)
            assert_fails(ILK_EDATA, "class b, column x0: what would be left", ilk_stats_remove(s, &rows, &failure));
        else
            assert_ok(ilk_stats_remove(s, &rows, &failure));
        ilk_stats_free(s);
    }
}

/* The variance that hides it is per row that stays, however many go. */
static void remove__of_most_rows_judges_by_those_that_stay(void **state) {
    (void)state;
    ilk_stats *s = begin("gaussian", 1e5);
    learn(s, (double[]){0.3, 0.3, 90}, (double[]){1, 1, 1e6}, 3);
    assert_ok(forget(s, (double[]){90}, (double[]){1e6}, 1));
    ilk_stats_free(s);
    s = begin("gaussian", 1);
    learn(s, (double[]){0.3, 90}, (double[]){1e4, 1}, 2);
    assert_ok(forget(s, (double[]){90}, NULL, 1));
    ilk_stats_free(s);
    s = begin("gaussian", 1);
    ilk_rows more = {.n = 2, .real = (double[]){0, 1}, .label = (uint32_t[]){0, 0}, .weight = (double[]){1e6, 1e6}};
    assert_ok(ilk_stats_add(s, &more, &failure));
    learn(s, (double[]){0.3, 0.3, 900}, NULL, 3);
    assert_refused("class b, column x0: what would be left", s, 900);
    ilk_stats_free(s);
}

/* Sums of weights are rounded: in another order they are others. */
static void remove__of_all_weights_in_any_order_leaves_nothing(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "gda", "poisson", "negative-binomial"};
    rng r = rng_new(31);
    for (size_t times = 0; times < 200; times++) {
        ilk_stats *s = begin(families[times % 4], 1);
        double x[8], weight[8], back[8], back_weight[8];
        size_t n = 2 + rng_below(&r, 7);
        for (size_t i = 0; i < n; i++) {
            x[i] = back[n - 1 - i] = (double)rng_below(&r, 100);
            weight[i] = back_weight[n - 1 - i] = rng_unit(&r) * (times % 8 < 4 ? 1 : 1e6);
        }
        learn(s, x, weight, n);
        assert_ok(forget(s, back, back_weight, n));
        for (size_t i = 0; i < s->store[0].moments.record; i++)
            assert_true(ilk_moments_record(&s->store[0].moments, 1)[i] == 0);
        assert_true(ilk_stats_classes(s) == 1);
        ilk_stats_free(s);
    }
}

/* Zeros stay, and what has never had another count knows that: -inf where it was. */
static void remove__may_leave_zeros(void **state) {
    (void)state;
    static const char *const families[] = {"poisson", "negative-binomial"};
    rng r = rng_new(32);
    for (size_t times = 0; times < 400; times++) {
        ilk_stats *s = begin(families[times % 2], 3);
        double weight[8], x[8] = {0}, before[8], after[8], most = times % 3 ? 6 : 100000;
        bool weighted = times % 4 < 2;
        size_t zeros = 1 + rng_below(&r, 3), others = 1 + rng_below(&r, 3);
        for (size_t i = 0; i < 8; i++)
            weight[i] = weighted ? 0.1 + rng_unit(&r) : 1;
        for (size_t i = zeros; i < zeros + others; i++)
            x[i] = floor(rng_unit(&r) * most);
        learn(s, x, weight, zeros);
        answers(before, s);
        learn(s, x + zeros, weight + zeros, others);
        assert_ok(forget(s, x + zeros, weight + zeros, others));
        answers(after, s);
        for (size_t i = 0; i < 8; i++)
            assert_true(before[i] == after[i] || (isfinite(before[i]) && is_close(before[i], after[i], 1e-12)));
        ilk_stats_free(s);
    }
}

/* The first removal leaves an error in the mean that is large beside what the second one takes. */
static void remove__may_leave_zeros_in_two_steps(void **state) {
    (void)state;
    rng r = rng_new(33);
    for (size_t times = 0; times < 100; times++) {
        ilk_stats *s = begin("poisson", 3);
        double weight[4], x[] = {0, 0, 2 + (double)rng_below(&r, 4), 5000 + (double)rng_below(&r, 20000)}, out[8];
        for (size_t i = 0; i < 4; i++)
            weight[i] = 0.3 + rng_unit(&r);
        learn(s, x, weight, 4);
        assert_ok(forget(s, x + 3, weight + 3, 1));
        assert_ok(forget(s, x + 2, weight + 2, 1));
        answers(out, s);
        assert_true(isfinite(out[1]) && out[3] == -INFINITY);
        ilk_stats_free(s);
    }
}

/* What is all the same, and whole, has a mean that is. */
static void remove__of_counts_may_leave_a_mean_without_an_error(void **state) {
    (void)state;
    rng r = rng_new(34);
    for (size_t times = 0; times < 100; times++) {
        ilk_stats *s = begin("poisson", 3);
        ilk_options o = options_of(0);
        double x[8];
        size_t sevens = 2 + rng_below(&r, 3);
        for (size_t i = 0; i < 8; i++)
            x[i] = i < sevens ? 7 : (double)rng_below(&r, 100);
        learn(s, x, NULL, 8);
        assert_ok(forget(s, x + sevens, NULL, 8 - sevens));
        ilk_model *m = estimated(s, &o);
        assert_true(fact(m, "lambda", "x0", "", "b").value == 7);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* Counts that stay may weigh 1 or less. */
static void remove__may_leave_counts_of_little_weight(void **state) {
    (void)state;
    for (double weight = 0.25; weight <= 1; weight *= 2) {
        ilk_stats *s = begin("negative-binomial", 3);
        learn(s, (double[]){7, 7, 30}, (double[]){weight, weight, 0.7}, 3);
        assert_ok(forget(s, (double[]){30}, (double[]){0.7}, 1));
        ilk_model *m = estimated(s, NULL);
        assert_true(fact(m, "dispersion", "x0", "", "b").value == 0);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* Most of a class goes, and came bit by bit: the error is that of its sum, not that of the little that stays. */
static void remove__may_leave_few_zeros_of_many_counts(void **state) {
    (void)state;
    for (size_t sevens = 3000; sevens < 3020; sevens++) {
        ilk_stats *s = begin("poisson", 3), *from = begin("poisson", 3);
        double out[8];
        assert_ok(ilk_stats_remove_class(from, str("a"), &failure));
        learn(s, (double[]){0}, (double[]){0.01}, 1);
        for (size_t i = 0; i < sevens; i++) {
            learn(s, (double[]){7}, (double[]){90.1}, 1);
            learn(from, (double[]){7}, (double[]){90.1}, 1);
        }
        assert_ok(ilk_stats_subtract(s, from, &failure));
        answers(out, s);
        assert_true(isfinite(out[1]) && out[3] == -INFINITY);
        ilk_stats_free(s);
        ilk_stats_free(from);
    }
}

/* In 10^9 zeros a single 1 is far below what rounding may have left, but 1 is not 0. */
static void remove__does_not_take_the_only_count_for_zero(void **state) {
    (void)state;
    ilk_stats *s = begin("poisson", 1e6);
    learn(s, (double[]){0, 1}, (double[]){1e9, 1}, 2);
    learn(s, (double[]){1e9}, NULL, 1);
    assert_refused("rounding hides it", s, 1e9);
    ilk_stats_free(s);
}

/* Beside another class that varies much, their own variance is nothing to a normal; to counts it is, where it exceeds
 * their mean. And their mean stays what it is. */
static void remove__of_counts_keeps_the_mean_of_what_varies(void **state) {
    (void)state;
    static const char *const families[] = {"poisson", "negative-binomial"};
    for (size_t f = 0; f < 2; f++) {
        ilk_stats *s = begin(families[f], 1e6);
        ilk_options o = options_of(0);
        learn(s, (double[]){0, 1, 0, 1, 100000}, NULL, 5);
        assert_ok(forget(s, (double[]){100000}, NULL, 1));
        ilk_model *m = estimated(s, &o);
        assert_close(fact(m, f ? "mu" : "lambda", "x0", "", "b").value, 0.5, 1e-9);
        assert_true(!f || fact(m, "dispersion", "x0", "", "b").value == 0);
        ilk_model_free(m);
        ilk_stats_free(s);
        s = begin(families[f], 1e6);
        learn(s, (double[]){0, 3, 0, 3, 1000000}, NULL, 5);
        assert_refused("rounding hides it", s, 1000000);
        ilk_stats_free(s);
        s = begin(families[f], 1e6);
        learn(s, (double[]){0, 1, 100000}, NULL, 3); /* a scatter of 1/2 */
        assert_refused("rounding hides it", s, 100000);
        ilk_stats_free(s);
    }
}

static void remove__of_counts_that_were_never_learnt_is_refused(void **state) {
    (void)state;
    static const char *const families[] = {"poisson", "negative-binomial"};
    for (size_t f = 0; f < 2; f++) {
        ilk_stats *s = begin(families[f], 1);
        learn(s, (double[]){1, 2, 3}, NULL, 3);
        assert_refused("class b, column x0: these rows were never learnt: counts below 0 would be left", s, 9);
        ilk_stats_free(s);
    }
}

/* One value is left in each class. That the last digit of means differs, which are rounded, says nothing: it is refused
 * unless they are equal. What differs by more does. */
static void remove__of_all_that_varied_does_not_leave_rounding_to_decide(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "gaussian-shared", "gda"};
    static const struct {
        double stays, goes, other;
    } cases[] = {{0.3, 0.1, 0.3}, {0, 3, 0}, {1e9 + 0.1, -7, 1e9 + 0.1}, {0.3, 100, 0.7}};
    size_t refused = 0;
    for (size_t i = 0; i < 6; i++) {
        for (size_t c = 0; c < 3 + (i % 3 < 2); c++) { /* gda refuses what varies from class to class only */
            char columns[64], text[256];
            const char *family = families[i % 3];
            double stays = cases[c].stays, goes = cases[c].goes, other = cases[c].other;
            snprintf(columns, sizeof columns, "x:%s v:%s y", family, family);
            snprintf(text, sizeof text, "%.17g,3,a\n%.17g,1,a\n%.17g,2,a\n%.17g,6,b\n%.17g,4,b\n", goes, goes / 3,
                     stays, other, other);
            table t = table_of(text), gone[] = {table_part(&t, 0, 1), table_part(&t, 1, 1)},
                  rest = table_part(&t, 2, 3);
            ilk_stats *s = stats_of(columns, &t), *others = stats_of(columns, &rest);
            assert_ok(try_learn(s, &gone[i / 3], true));
            if (c < 3 && try_learn(s, &gone[1 - i / 3], true) != ILK_OK) {
                assert_non_null(strstr(failure.message, "rounding hides it"));
                refused++;
            } else {
                if (c == 3)
                    assert_ok(try_learn(s, &gone[1 - i / 3], true));
                ilk_model *m = estimated(s, NULL), *expected = estimated(others, NULL);
                double *x = log_joints(m, &t), *y = log_joints(expected, &t);
                for (size_t k = 0; k < t.n * 2; k++)
                    assert_close(x[k], y[k], 1e-6);
                free(x), free(y);
                ilk_model_free(m);
                ilk_model_free(expected);
            }
            ilk_stats_free(s);
            ilk_stats_free(others);
            table_free(&t);
        }
    }
    assert_true(refused > 0);
}

/* As long as it varies in class c, rounded means of a and b harm nobody. */
static void remove_class__does_not_leave_rounding_to_decide(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:gaussian y", "0.3,a\n0.1,a\n0.3,b\n0.3,b\n5,c\n7,c\n8,d\n");
    table gone = table_of("0.1,a\n");
    assert_ok(try_learn(s, &gone, true));
    assert_ok(ilk_stats_remove_class(s, str("d"), &failure));
    bytes before = stats_file(s);
    assert_fails(ILK_EDATA, "class c, column x: what would be left", ilk_stats_remove_class(s, str("c"), &failure));
    bytes after = stats_file(s);
    assert_same_bytes(before, after);
    free(before.p);
    free(after.p);
    table_free(&gone);
    ilk_stats_free(s);
}

/* -0 is a mean that a file may hold, but no rows give: the statistics are to blame, not a file. */
static void estimate__of_numbers_that_no_rows_give_blames_the_statistics(void **state) {
    (void)state;
    ilk_stats *s = begin("negative-binomial", 1);
    ilk_model *m;
    learn(s, (double[]){0, 0}, NULL, 2);
    ilk_moments_record(&s->store[0].moments, 1)[1] = -0.0;
    assert_fails(ILK_EDATA,
                 "no model comes of these statistics: the model has bad parameters (block 0, family "
                 "negative-binomial)",
                 ilk_model_estimate(&m, s, NULL, &failure));
    assert_null(m);
    ilk_stats_free(s);
}

/* Rows, and all words of a class, are there to be taken; of one word, in the first class or the last, there are too few.
 */
static void subtract__of_too_many_of_a_word_is_refused_in_any_class(void **state) {
    (void)state;
    static const char *const shards[] = {"u u,a\nu,b\nu,c\n", "u,a\nu u,b\nu,c\n", "u,a\nu,b\nu u,c\n",
                                         "u,a\nu,b\nu,c\n"};
    for (size_t i = 0; i < 4; i++) {
        ilk_stats *s = learnt("t:multinomial y", "u v v,a\nw w,a\nu x x x,b\ny y,b\nu z z,c\nz,c\n"),
                  *shard = learnt("t:multinomial y", shards[i]);
        if (i < 3)
            assert_fails(ILK_EDATA, "never learnt", ilk_stats_subtract(s, shard, &failure));
        else
            assert_ok(ilk_stats_subtract(s, shard, &failure));
        ilk_stats_free(s);
        ilk_stats_free(shard);
    }
}

/* A word's occurrences and its rows are summed apart: what is left of either is rounded in its own way, and yet no word
 * is in more rows than it occurs, which a file must keep to be read again. */
static void remove__of_weighed_words_leaves_what_can_be_saved_and_read(void **state) {
    (void)state;
    static const char *const words[] = {"buy", "buy buy", "buy you", "you you you", "you"};
    rng r = rng_new(53);
    for (size_t times = 0; times < 200; times++) {
        char text[512];
        int n = 0;
        size_t rows = 4 + rng_below(&r, 8), gone = 1 + rng_below(&r, rows - 3);
        for (size_t i = 0; i < rows; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%s,%.2g,%c\n", words[rng_below(&r, 5)],
                          0.05 + rng_unit(&r), i < rows - 2 ? 's' : 'h');
        table all = table_of(text), part = table_part(&all, 0, gone), rest = table_part(&all, gone, rows - gone);
        ilk_stats *s = stats_of("t:bernoulli w:* y", &all), *again, *other = stats_of("t:bernoulli w:* y", &rest);
        assert_ok(try_learn(s, &part, true));
        const ilk_options o = options_of(1);
        ilk_model *m = estimated(s, &o), *expected = estimated(other, &o);
        bytes file = saved(m, s);
        assert_ok(ilk_stats_open(&again, temp_path("saved.bayes"), &failure));
        double *left = log_joints(m, &rest), *right = log_joints(expected, &rest);
        for (size_t i = 0; i < rest.n * 2; i++)
            assert_close(left[i], right[i], 1e-9);
        free(left);
        free(right);
        free(file.p);
        ilk_stats_free(again);
        ilk_model_free(expected);
        ilk_model_free(m);
        ilk_stats_free(s);
        ilk_stats_free(other);
        table_free(&all);
    }
}

/* Fractions may be taken from whole weights; what is left is a sum of fractions then, also in the file. */
static void remove__of_parts_of_rows_leaves_weights(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:gaussian y", "1,a\n2,a\n4,b\n5,b\n7,b\n"), *again;
    batch all;
    table t = table_of("1,a\n4,b\n");
    all = batch_for_stats(s, &t);
    all.rows.weight = (double[]){0.5, 0.25};
    assert_ok(ilk_stats_remove(s, &all.rows, &failure));
    ilk_model *m = estimated(s, NULL);
    bytes file = saved(m, s);
    assert_ok(ilk_stats_open(&again, temp_path("saved.bayes"), &failure));
    assert_true(ilk_stats_rows(again) == 4.25);
    free(file.p);
    batch_free(&all);
    table_free(&t);
    ilk_model_free(m);
    ilk_stats_free(again);
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remove__of_all_but_a_weight_of_1_does_not_take_it_for_one_row),
        cmocka_unit_test(remove__of_all_but_one_row_leaves_no_scatter),
        cmocka_unit_test(remove__from_two_classes_judges_by_what_stays_in_both),
        cmocka_unit_test(remove__of_most_rows_judges_by_those_that_stay),
        cmocka_unit_test(remove__of_all_weights_in_any_order_leaves_nothing),
        cmocka_unit_test(remove__may_leave_zeros),
        cmocka_unit_test(remove__may_leave_zeros_in_two_steps),
        cmocka_unit_test(remove__of_counts_may_leave_a_mean_without_an_error),
        cmocka_unit_test(remove__may_leave_counts_of_little_weight),
        cmocka_unit_test(remove__may_leave_few_zeros_of_many_counts),
        cmocka_unit_test(remove__does_not_take_the_only_count_for_zero),
        cmocka_unit_test(remove__of_counts_keeps_the_mean_of_what_varies),
        cmocka_unit_test(remove__of_counts_that_were_never_learnt_is_refused),
        cmocka_unit_test(remove__of_all_that_varied_does_not_leave_rounding_to_decide),
        cmocka_unit_test(remove_class__does_not_leave_rounding_to_decide),
        cmocka_unit_test(estimate__of_numbers_that_no_rows_give_blames_the_statistics),
        cmocka_unit_test(remove__of_parts_of_rows_leaves_weights),
        cmocka_unit_test(subtract__of_too_many_of_a_word_is_refused_in_any_class),
        cmocka_unit_test(remove__of_weighed_words_leaves_what_can_be_saved_and_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
