/* SPDX-License-Identifier: Apache-2.0 */
/* test_options.c - what is chosen after the data was read: priors, families, classes and their order. */
#include "fixtures.h"

static const char *const columns = "x:gaussian y";
static const char *const rows = "1,a\n2,a\n3,a\n5,b\n6,b\n9,c\n8,c\n7,c\n4,c\n";

static void options__begin_as_the_header_says(void **state) {
    (void)state;
    ilk_options o;
    ilk_options_init(&o);
    assert_true(o.smooth == 1 && o.prior == ILK_PRIOR_EMPIRICAL && o.divisor == ILK_DIVISOR_N && o.floor == 1e-9);
    assert_true(o.vocab == 0 && o.min_docs == 1 && o.unseen == ILK_UNSEEN_IGNORE && !o.real_family && !o.text_family);
}

static void options__are_those_the_model_was_estimated_with(void **state) {
    (void)state;
    ilk_stats *s = learnt(columns, rows);
    ilk_options o = {.smooth = 0.5,
                     .prior = ILK_PRIOR_SMOOTHED,
                     .divisor = ILK_DIVISOR_N_MINUS_1,
                     .floor = 1e-3,
                     .vocab = 17,
                     .min_docs = 3,
                     .unseen = ILK_UNSEEN_ERROR};
    ilk_model *m = estimated(s, &o);
    const ilk_options *kept = ilk_model_options(m);
    assert_true(kept->smooth == 0.5 && kept->prior == ILK_PRIOR_SMOOTHED && kept->divisor == ILK_DIVISOR_N_MINUS_1);
    assert_true(kept->floor == 1e-3 && kept->vocab == 17 && kept->min_docs == 3 && kept->unseen == ILK_UNSEEN_ERROR);
    ilk_model_free(m);
    ilk_stats_free(s);
}

static void options__that_make_no_sense_are_refused(void **state) {
    (void)state;
    ilk_stats *s = learnt(columns, rows);
    ilk_model *m;
    static const double bad[] = {-1, -1e-300, NAN, INFINITY, 1.5e100}, off[] = {-1e-9, 1.5, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ilk_options o = options_of(bad[i]);
        assert_fails(ILK_EARG, "smoothing by", ilk_model_estimate(&m, s, &o, &failure));
        assert_null(m);
        o = options_of(1);
        o.floor = bad[i];
        assert_fails(ILK_EARG, "a variance floor of", ilk_model_estimate(&m, s, &o, &failure));
    }
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        ilk_options o = options_of(1);
        o.shrink = off[i];
        assert_fails(ILK_EARG, "is not between 0 and 1", ilk_model_estimate(&m, s, &o, &failure));
    }
    ilk_options o = options_of(1);
    o.prior = (ilk_prior)4;
    assert_fails(ILK_EARG, "there is no prior 4", ilk_model_estimate(&m, s, &o, &failure));
    o = options_of(1);
    o.divisor = (ilk_divisor)3;
    assert_fails(ILK_EARG, "there is no divisor 3", ilk_model_estimate(&m, s, &o, &failure));
    o = options_of(1);
    o.unseen = (ilk_unseen)-1;
    assert_fails(ILK_EARG, "there is no way 4294967295 with unseen", ilk_model_estimate(&m, s, &o, &failure));
    o = options_of(1e100); /* the most there may be */
    o.floor = 1e100;
    ilk_model_free(estimated(s, &o));
    ilk_stats_free(s);
}

/* b is given, a and c share the rest as their rows do; all given must sum to 1; and none given is no prior. */
static void prior__that_is_given_names_classes_once_and_leaves_a_rest(void **state) {
    (void)state;
    ilk_stats *s = learnt(columns, rows);
    ilk_model *m;
    const ilk_given all[] = {{str("a"), 0.25}, {str("b"), 0.5}, {str("c"), 0.25}, {str("b"), 0.125}, {str("d"), 0.5}},
                    whole = {str("a"), 1}, none = {str("a"), 0}, nan = {str("a"), NAN};
    ilk_options o = options_of(1);
    o.prior = ILK_PRIOR_GIVEN;
    assert_fails(ILK_EARG, "no class has one", ilk_model_estimate(&m, s, &o, &failure));
    o.givens = 1;
    assert_fails(ILK_EARG, "no class has one", ilk_model_estimate(&m, s, &o, &failure));
    o.given = all + 1;
    m = estimated(s, &o);
    assert_close(exp(ilk_model_log_prior(m, 0)), 0.5 * 3 / 7, 1e-15);
    assert_close(exp(ilk_model_log_prior(m, 1)), 0.5, 1e-15);
    assert_close(exp(ilk_model_log_prior(m, 2)), 0.5 * 4 / 7, 1e-15);
    const ilk_options *kept = ilk_model_options(m); /* what was given, not what came of it */
    assert_true(kept->prior == ILK_PRIOR_GIVEN && kept->givens == 1 && kept->given[0].p == 0.5);
    assert_string_equal(text_of(kept->given[0].name), "b");
    ilk_model_free(m);
    o.given = all;
    o.givens = 3;
    m = estimated(s, &o);
    assert_close(exp(ilk_model_log_prior(m, 2)), 0.25, 1e-15);
    ilk_model_free(m);
    o.given = all + 1;
    assert_fails(ILK_EARG, "two priors for class b: 0.5 and 0.125", ilk_model_estimate(&m, s, &o, &failure));
    o.given = all + 4;
    o.givens = 1;
    assert_fails(ILK_EARG, "class d, which is not there", ilk_model_estimate(&m, s, &o, &failure));
    o.given = &whole;
    assert_fails(ILK_EARG, "sum to 1", ilk_model_estimate(&m, s, &o, &failure));
    o.given = &none;
    assert_fails(ILK_EARG, "a prior of 0 for class a is not above 0", ilk_model_estimate(&m, s, &o, &failure));
    o.given = &nan;
    assert_fails(ILK_EARG, "a prior of nan for class a", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

/* Too little or too much is refused; tenths, whose sum is off in the last digit, are not. */
static void prior__that_is_given_to_all_sums_to_one(void **state) {
    (void)state;
    ilk_stats *s = learnt(columns, rows);
    static const struct {
        double p[3];
        const char *sum;
    } cases[] = {{{0.25, 0.5, 0.125}, "sum to 0.875"}, {{0.25, 0.5, 0.375}, "sum to 1.125"}, {{0.1, 0.2, 0.7}, NULL}};
    for (size_t c = 0; c < 3; c++) {
        const double *p = cases[c].p;
        const ilk_given all[] = {{str("a"), p[0]}, {str("b"), p[1]}, {str("c"), p[2]}};
        ilk_options o = options_of(1);
        ilk_model *m = NULL;
        o.prior = ILK_PRIOR_GIVEN;
        o.given = all;
        o.givens = 3;
        if (cases[c].sum)
            assert_fails(ILK_EARG, cases[c].sum, ilk_model_estimate(&m, s, &o, &failure));
        else
            assert_ok(ilk_model_estimate(&m, s, &o, &failure));
        ilk_model_free(m);
    }
    ilk_stats_free(s);
}

static void prior__is_shares_of_rows_equal_or_smoothed(void **state) {
    (void)state;
    ilk_stats *s = learnt(columns, rows);
    static const double expected[3][3] = {
        {3.0 / 9, 2.0 / 9, 4.0 / 9}, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {4.0 / 12, 3.0 / 12, 5.0 / 12}};
    static const char *const name[] = {"a", "b", "c"};
    for (int prior = ILK_PRIOR_EMPIRICAL; prior <= ILK_PRIOR_SMOOTHED; prior++) {
        ilk_options o = options_of(1);
        o.prior = (ilk_prior)prior;
        ilk_model *m = estimated(s, &o);
        for (uint32_t k = 0; k < 3; k++) {
            assert_close(exp(ilk_model_log_prior(m, k)), expected[prior][k], 1e-15);
            ilk_fact f = fact(m, "prior", "", "", name[k]);
            assert_close(f.value, expected[prior][k], 1e-15);
            assert_close(f.count / f.total, expected[prior][k], 1e-15);
        }
        assert_true(isnan(ilk_model_log_prior(m, 3)));
        ilk_model_free(m);
    }
    ilk_stats_free(s);
}

static void one_class__or_none_is_refused(void **state) {
    (void)state;
    ilk_model *m;
    ilk_stats *s = stats_of(columns, NULL);
    assert_fails(ILK_EDATA, "there is no row to learn from", ilk_model_estimate(&m, s, NULL, &failure));
    assert_null(m);
    ilk_stats_free(s);
    s = learnt(columns, "1,a\n2,a\n");
    assert_fails(ILK_EDATA, "there is only one class, a", ilk_model_estimate(&m, s, NULL, &failure));
    assert_null(m);
    ilk_stats_free(s);
}

static void assert_order(const char *text, const char *const *expected, size_t K) {
    ilk_model *m = model_of(columns, text, NULL);
    assert_int_equal(ilk_model_classes(m), K);
    for (uint32_t k = 0; k < K; k++) {
        assert_string_equal(text_of(ilk_model_class_name(m, k)), expected[k]);
        assert_int_equal(ilk_model_class(m, str(expected[k])), k);
    }
    assert_int_equal(ilk_model_class(m, str("none")), ILK_NONE);
    assert_int_equal(ilk_model_class_name(m, (uint32_t)K).n, 0);
    ilk_model_free(m);
}

static void classes__are_in_order_of_value_if_all_are_numbers_else_of_bytes(void **state) {
    (void)state;
    assert_order("1,10\n2,9\n3,-1\n4,1e1\n5,2.50\n", (const char *[]){"-1", "2.50", "9", "10", "1e1"}, 5);
    assert_order("1,1.0\n2,1\n", (const char *[]){"1", "1.0"}, 2); /* two names, one value: two classes */
    assert_order("1,10\n2,9\n3,x\n", (const char *[]){"10", "9", "x"}, 3);
    assert_order("1,nan\n2,9\n", (const char *[]){"9", "nan"}, 2);
    assert_order("1,b\n2,B\n3,é\n4,\n5,bb\n", (const char *[]){"", "B", "b", "bb", "é"}, 5);
}

static void many_classes__are_learnt(void **state) {
    (void)state;
    enum { K = 3000 };
    ilk_stats *s = stats_of("x:gda z:categorical y", NULL);
    uint32_t label[2 * K], code[2 * K];
    double x[2 * K], *out = make(2 * K * K, sizeof *out);
    char name[16];
    for (size_t i = 0; i < 2 * K; i++) {
        snprintf(name, sizeof name, "%zu", i % K);
        assert_ok(ilk_stats_class(&label[i], s, str(name), &failure));
        assert_ok(ilk_stats_code(&code[i], s, 0, str(name), &failure));
        x[i] = (double)(i % K) * 10 + (double)(i / K);
    }
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 2 * K, .real = x, .code = code, .label = label}, &failure));
    ilk_model *m = estimated(s, NULL);
    assert_int_equal(ilk_model_classes(m), K);
    for (size_t i = 0; i < 2 * K; i++) {
        snprintf(name, sizeof name, "%zu", i % K);
        code[i] = ilk_model_code(m, 0, str(name));
    }
    assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 2 * K, .real = x, .code = code}, &failure));
    for (size_t i = 0; i < 2 * K; i++)
        assert_int_equal(ilk_argmax(out + i * K, K), i % K);
    free(out);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* Two blocks of real columns cannot be fused after the reading. */
static void family__cannot_join_blocks(void **state) {
    (void)state;
    ilk_stats *s = learnt("a:gda b:qda y", "1,2,p\n2,1,p\n5,5,p\n3,8,q\n4,1,q\n0,0,q\n");
    ilk_options o = options_of(1);
    ilk_model *m;
    o.real_family = "gda";
    assert_fails(ILK_EARG, "two blocks of columns cannot become one of family gda",
                 ilk_model_estimate(&m, s, &o, &failure));
    assert_null(m);
    ilk_stats_free(s);
}

static void family__of_text_is_exchanged_by_name(void **state) {
    (void)state;
    ilk_stats *s = learnt("t:multinomial y", "a b,p\nb c,q\n");
    ilk_options o = options_of(1);
    ilk_model *m;
    o.text_family = "multinomial";
    ilk_model_free(estimated(s, &o));
    o.text_family = "categorical";
    assert_fails(ILK_EARG, "column t: family 'categorical' cannot be estimated",
                 ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

static void family__that_no_column_could_have_is_refused(void **state) {
    (void)state;
    ilk_stats *numbers = learnt("x:gaussian y", "1,p\n2,p\n3,q\n5,q\n"),
              *words = learnt("t:multinomial y", "a,p\nb,q\n");
    ilk_options o = options_of(1);
    ilk_model *m;
    o.text_family = "bernoulli";
    assert_fails(ILK_EARG, "there is no text feature that could be of family 'bernoulli'",
                 ilk_model_estimate(&m, numbers, &o, &failure));
    assert_null(m);
    ilk_model_free(estimated(words, &o));
    o = options_of(1);
    o.real_family = "gaussian-shared";
    assert_fails(ILK_EARG, "there is no real feature that could be of family 'gaussian-shared'",
                 ilk_model_estimate(&m, words, &o, &failure));
    ilk_model_free(estimated(numbers, &o));
    ilk_stats_free(numbers);
    ilk_stats_free(words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options__begin_as_the_header_says),
        cmocka_unit_test(options__are_those_the_model_was_estimated_with),
        cmocka_unit_test(options__that_make_no_sense_are_refused),
        cmocka_unit_test(prior__that_is_given_names_classes_once_and_leaves_a_rest),
        cmocka_unit_test(prior__that_is_given_to_all_sums_to_one),
        cmocka_unit_test(prior__is_shares_of_rows_equal_or_smoothed),
        cmocka_unit_test(one_class__or_none_is_refused),
        cmocka_unit_test(classes__are_in_order_of_value_if_all_are_numbers_else_of_bytes),
        cmocka_unit_test(many_classes__are_learnt),
        cmocka_unit_test(family__cannot_join_blocks),
        cmocka_unit_test(family__of_text_is_exchanged_by_name),
        cmocka_unit_test(family__that_no_column_could_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
