/* SPDX-License-Identifier: Apache-2.0 */
/* Each class against the rest. That leave-one-out is retraining, and that no file can harm: tests of all families. */
#include "random_tables.h"

#include "model/model.h"

/* sum of count (log((tokens in k + alpha) / (all in k + alpha V)) - log of the same outside k) */
static void one_vs_rest__is_its_formula(void **state) {
    (void)state;
    ilk_model *m = model_of("t:one-vs-rest y", "u u v,a\nv w,b\nw w,b\nw,c\n", NULL);
    table t = table_of("u w w,a\n,a\n");
    double *score = log_joints(m, &t);
    assert_close(score[0], log(3 / 6.0) + 2 * log(1 / 6.0) - log(1 / 8.0) - 2 * log(5 / 8.0), 1e-14);
    assert_close(score[1], log(1 / 7.0) + 2 * log(4 / 7.0) - log(3 / 7.0) - 2 * log(2 / 7.0), 1e-14);
    assert_close(score[2], log(1 / 4.0) + 2 * log(2 / 4.0) - log(3 / 10.0) - 2 * log(4 / 10.0), 1e-14);
    assert_true(score[3] == 0 && score[4] == 0 && score[5] == 0); /* an empty text: no prior speaks */
    free(score);
    table_free(&t);
    ilk_model_free(m);
}

/* Outside one of two classes is the other. */
static void one_vs_rest__of_two_classes_is_twice_the_complement(void **state) {
    (void)state;
    const char *rows = "u u v,a\nv w,b\nw w,b\nw x,a\n";
    ilk_model *complement = model_of("t:complement y", rows, NULL), *own = model_of("t:one-vs-rest y", rows, NULL);
    table t = table_of("u v w w,a\nx,b\n");
    double *c = log_joints(complement, &t), *o = log_joints(own, &t);
    for (size_t i = 0; i < 2; i++)
        assert_close(o[2 * i] - o[2 * i + 1], 2 * (c[2 * i] - c[2 * i + 1]), 1e-13);
    free(c);
    free(o);
    table_free(&t);
    ilk_model_free(complement);
    ilk_model_free(own);
}

static ilk_status add_part(void *ctx, const ilk_part *part) {
    *(double *)ctx += part->contribution;
    return ILK_OK;
}

static void one_vs_rest__explains_by_its_words(void **state) {
    (void)state;
    ilk_model *m = model_of("t:one-vs-rest y", "u u v,a\nv w,b\nw w,b\nw,c\n", NULL);
    table t = table_of("u v w w,a\n");
    batch b = batch_for_model(m, &t);
    double *score = log_joints(m, &t), sum = 0;
    assert_ok(ilk_model_explain(m, &b.rows, 0, 2, 1, add_part, &sum, &failure));
    assert_close(sum, score[2] - score[1], 1e-13);
    assert_close(fact(m, "rest", "t", "w", "b").value, 2 / 7.0, 1e-15);
    assert_true(fact(m, "rest", "t", "w", "b").count == 2 && fact(m, "rest", "t", "w", "b").total == 7);
    free(score);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

static void one_vs_rest__needs_smoothing(void **state) {
    (void)state;
    ilk_stats *s = learnt("t:one-vs-rest y", "a b,p\nb,q\n");
    ilk_options o = options_of(0);
    ilk_model *m;
    assert_fails(ILK_EDATA, "one-vs-rest needs smoothing", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

static void one_vs_rest__has_no_density(void **state) {
    (void)state;
    ilk_model *m = model_of("t:one-vs-rest y", "u u v,a\nv w,b\n", NULL);
    double likelihood;
    assert_fails(ILK_EARG, "one-vs-rest", ilk_model_log_likelihood(&likelihood, m, &(ilk_rows){0}, &failure));
    ilk_model_free(m);
}

static void one_vs_rest__ranks_words_by_what_they_add_to_a_class(void **state) {
    (void)state;
    ilk_model *m = model_of("t:one-vs-rest y", "u u v,a\nv w,b\nw w v u,c\n", NULL);
    ilk_word words[2];
    size_t n = 2;
    assert_ok(ilk_model_words(words, &n, m, 0, ilk_model_class(m, str("a")), &failure));
    assert_int_equal(n, 2);
    assert_true(ilk_str_equal(words[0].word, str("u")) && ilk_str_equal(words[1].word, str("v")));
    assert_close(words[0].log_odds, log(3 / 6.) - log(2 / 9.), 1e-14); /* 2 of 3 in a, 1 of 6 outside; alpha 1 */
    assert_close(words[1].log_odds, log(2 / 6.) - log(3 / 9.), 1e-14);
    ilk_model_free(m);
}

/* In a file either half may say that a word is impossible, or that there was no smoothing. */
static void one_vs_rest__of_a_file_is_smoothed_and_finite(void **state) {
    (void)state;
    ilk_model *m = model_of("t:one-vs-rest y", "u u v,a\nv w,b\n", NULL);
    const ilk_model_block *b = &m->block[0];
    size_t size = b->family->size(&b->shape), half = size / 2;
    double *p = make(size, sizeof *p);
    for (size_t at = 0; at < size; at += half) {
        memcpy(p, b->params, size * sizeof *p);
        assert_true(b->family->validate(p, &b->shape));
        p[at + half - 1] = 0; /* alpha */
        assert_false(b->family->validate(p, &b->shape));
        memcpy(p, b->params, size * sizeof *p);
        p[at] = -INFINITY;
        assert_false(b->family->validate(p, &b->shape));
    }
    free(p);
    ilk_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_vs_rest__is_its_formula),
        cmocka_unit_test(one_vs_rest__of_two_classes_is_twice_the_complement),
        cmocka_unit_test(one_vs_rest__explains_by_its_words),
        cmocka_unit_test(one_vs_rest__needs_smoothing),
        cmocka_unit_test(one_vs_rest__has_no_density),
        cmocka_unit_test(one_vs_rest__ranks_words_by_what_they_add_to_a_class),
        cmocka_unit_test(one_vs_rest__of_a_file_is_smoothed_and_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
