/* SPDX-License-Identifier: Apache-2.0 */
/* test_bernoulli.c - words there or not: where counts are whole, where rounding must not count, where there is none. */
#include "families/family.h"
#include "fixtures.h"

/* Statistics that were read from rows count every text of a class, those of a file may count none. */
static void class__without_a_text_is_refused_without_smoothing(void **state) {
    (void)state;
    const ilk_family *f = ilk_family_find("bernoulli");
    const ilk_keys no_words = {0};
    const ilk_str column = str("t"), class = str("b");
    const ilk_shape s = {.K = 1, .d = 1, .keys = &no_words, .column = &column, .name = &class, .unit = 1};
    const double none = 0, some = 0.25;
    const ilk_view empty = {.counts = {.present = &none}}, one = {.counts = {.present = &some}};
    double p[7];
    ilk_options o = options_of(0);
    assert_int_equal(f->size(&s), 7);
    assert_fails(ILK_EDATA, "column t has no text in class b: its probabilities are 0/0",
                 f->estimate(p, &s, &empty, &o, &failure));
    assert_ok(f->estimate(p, &s, &one, &o, &failure));
    o.smooth = 0.5; /* 1/2 each way */
    assert_ok(f->estimate(p, &s, &empty, &o, &failure));
    assert_ok(f->estimate(p, &s, &one, &o, &failure));
}

/* They are taken back from logarithms of ratios, which end a bit above or below. */
static void counts__that_are_shown_are_whole(void **state) {
    (void)state;
    for (size_t n = 1; n < 60; n++) {
        char rows[2048] = "";
        for (size_t i = 0; i < n; i++)
            strcat(rows, i < (n + 1) / 3 + 1 ? "now buy,a\n" : "now,a\n");
        strcat(rows, "buy,b\n");
        ilk_options o = options_of((double)(n % 2));
        ilk_model *m = model_of("t:bernoulli y", rows, &o);
        double with = (double)(n < 2 ? 1 : (n + 1) / 3 + 1);
        assert_true(fact(m, "phi", "t", "buy", "a").count == with + o.smooth);
        assert_true(fact(m, "phi", "t", "now", "a").count == (double)n + o.smooth);
        ilk_model_free(m);
    }
}

/* The text left out is the only one of its class without "buy"; the others' weights, ten tenths, do not sum to 1, and
 * what rounding leaves of it is no text without the word. */
static void leave_one_out__of_the_only_text_without_a_word_is_impossible(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_stats *s = stats_of("t:bernoulli y", NULL);
    table t = table_of("now,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\n"
                       "now buy,a\nnow buy,a\nnow,b\nbuy,b\n");
    batch b = batch_for_stats(s, &t);
    double weight[] = {1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 1, 1}, out[26];
    b.rows.weight = weight;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    batch_free(&b);
    ilk_model *m = estimated(s, &o);
    b = batch_for_model(m, &t);
    b.rows.weight = weight;
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_true(out[0] == -INFINITY);
    assert_close(out[1], log(2 / 3.0) + log(0.5) + log(0.5), 1e-12);
    assert_close(out[2], log(1.9 / 3.9) + log(0.9 / 1.9), 1e-9); /* "now" is certain */
    ilk_model_free(m);
    batch_free(&b);
    ilk_stats_free(s);
    table_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(class__without_a_text_is_refused_without_smoothing),
        cmocka_unit_test(counts__that_are_shown_are_whole),
        cmocka_unit_test(leave_one_out__of_the_only_text_without_a_word_is_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
