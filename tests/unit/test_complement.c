/* SPDX-License-Identifier: Apache-2.0 */
/* A model of complement blocks only takes no prior, as scikit-learn's ComplementNB; beside another block it does. */
#include "families/family.h"
#include "random_tables.h"

/* Scores written out: - sum of count log((tokens outside k + alpha) / (all outside k + alpha V)). */
static void complement__scores_are_those_of_the_words_alone(void **state) {
    (void)state;
    ilk_model *m = model_of("t:complement y", "u u v,a\nv w,b\nw w,b\nw,b\n", NULL);
    table t = table_of("u w w,a\n,a\n");
    double *score = log_joints(m, &t);
    assert_close(score[0], -(log(1 / 8.0) + 2 * log(5 / 8.0)), 1e-14); /* outside a: v 1, w 4 */
    assert_close(score[1], -(log(3 / 6.0) + 2 * log(1 / 6.0)), 1e-14); /* outside b: u 2, v 1 */
    assert_true(score[2] == 0 && score[3] == 0);                       /* an empty text: no prior speaks */
    free(score);
    table_free(&t);
    ilk_model_free(m);
}

static ilk_status add_part(void *ctx, const ilk_part *part) {
    double *sum = ctx; /* of the parts, and how many are the prior's */
    sum[0] += part->contribution;
    sum[1] += part->column.n == 0;
    return ILK_OK;
}

static void check_explain(const char *columns, const char *row, double priors) {
    rng r = rng_new(1);
    ilk_model *m = random_model(&r, columns, NULL);
    table t = table_of(row);
    batch b = batch_for_model(m, &t);
    double *score = log_joints(m, &t), sum[2] = {0, 0};
    assert_ok(ilk_model_explain(m, &b.rows, 0, 2, 1, add_part, sum, &failure));
    assert_close(sum[0], score[2] - score[1], 1e-12);
    assert_true(sum[1] == priors);
    free(score);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

static void complement__explains_without_a_prior(void **state) {
    (void)state;
    check_explain("t:complement y", "u u v,a\n", 0);
    check_explain("t:complement u:complement y", "u u v,w,a\n", 0);
    check_explain("t:complement i:gaussian y", "u u v,1,a\n", 1);
}

/* Without its only row a class is gone; the others' scores have no prior either. */
static void complement__leaves_out_the_only_row_of_a_class(void **state) {
    (void)state;
    ilk_model *m = model_of("t:complement y", "u u v,a\nv w,b\nw w,b\n", NULL);
    double out[2];
    leave_out(out, m, "u u v,a\n");
    assert_true(out[0] == -INFINITY);
    assert_close(out[1], -log(1 / 2.0), 1e-14); /* u is gone, and outside b nothing is left but alpha */
    ilk_model_free(m);
}

static void complement__has_no_density(void **state) {
    (void)state;
    rng r = rng_new(2);
    ilk_model *m = random_model(&r, "t:complement y", NULL);
    double likelihood;
    assert_fails(ILK_EARG, "complement", ilk_model_log_likelihood(&likelihood, m, &(ilk_rows){0}, &failure));
    ilk_model_free(m);
}

/* By (6.4) with theta in the place of phi, and the other sign. */
static void complement__ranks_words_by_how_little_the_others_use_them(void **state) {
    (void)state;
    ilk_model *m = model_of("t:complement y", "u u v,a\nv w,b\nw w v u,c\n", NULL);
    ilk_word words[3];
    size_t n = 3;
    assert_ok(ilk_model_words(words, &n, m, 0, ilk_model_class(m, str("a")), &failure));
    /* tokens outside a: u 1, v 2, w 3 of 6; outside b: 3, 2, 2 of 7; outside c: 2, 2, 1 of 5; alpha 1 */
    assert_int_equal(n, 3);
    assert_true(ilk_str_equal(words[0].word, str("u")) && ilk_str_equal(words[2].word, str("w")));
    assert_close(words[0].log_odds, log((4 / 10. + 3 / 8.) / 2) - log(2 / 9.), 1e-14);
    assert_close(words[1].log_odds, log((3 / 10. + 3 / 8.) / 2) - log(3 / 9.), 1e-14);
    assert_close(words[2].log_odds, log((3 / 10. + 2 / 8.) / 2) - log(4 / 9.), 1e-14);
    ilk_model_free(m);
}

static void complement__without_smoothing_refuses_a_word_of_one_class(void **state) {
    (void)state;
    ilk_stats *s = learnt("t:complement y", "a b,p\nb,q\n");
    ilk_options o = options_of(0);
    ilk_model *m;
    assert_fails(ILK_EDATA, "the word a is in class p alone", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
    s = learnt("t:complement y", "a b,p\nb a,q\n");
    uint32_t id;
    assert_ok(ilk_stats_declare(&id, s, ILK_TEXT, 0, str("c"), &failure)); /* and so is one that never occurred */
    assert_fails(ILK_EDATA, "the word c", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
    s = learnt("t:complement y", "a b,p\nb a,q\n");
    ilk_model_free(estimated(s, &o));
    o.unseen = ILK_UNSEEN_UNKNOWN;
    assert_fails(ILK_EDATA, "column t: words never seen", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

/* Room for words outside the dictionary is one word more: alpha of all, outside a: v 1, w 4, and 4 alpha. */
static void complement__has_room_for_the_unseen(void **state) {
    (void)state;
    ilk_options o = options_of(0.5);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    ilk_model *m = model_of("t:complement y", "u u v,a\nv w,b\nw w,b\nw,b\n", &o);
    table t = table_of("w zebra,a\n");
    double *score = log_joints(m, &t);
    assert_close(score[0], -(log(4.5 / 7) + log(0.5 / 7)), 1e-14);
    assert_close(score[1], -(log(0.5 / 5) + log(0.5 / 5)), 1e-14); /* outside b: u 2, v 1 */
    free(score);
    table_free(&t);
    ilk_model_free(m);
}

/* The first row left out: outside b there were u 2, v 1, now u 1; outside a nothing has changed. Words outside the
 * dictionary, which the text had then too, are worth alpha where there is room for them. */
static void complement__leaves_out_unseen_words(void **state) {
    (void)state;
    for (int room = 0; room < 2; room++) {
        ilk_options o = options_of(0.5);
        o.unseen = room ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = model_of("t:complement y", "u v,a\nu,a\nv w,b\nw w,b\nw,b\n", &o);
        double out[2], V = 3 + room;
        leave_out(out, m, "u v zebra yak,a\n");
        assert_close(out[0], -(log(0.5) + log(1.5) - 2 * log(5 + 0.5 * V) + 2 * room * log(0.5 / (5 + 0.5 * V))),
                     1e-13);
        assert_close(out[1], -(log(1.5) + log(0.5) - 2 * log(1 + 0.5 * V) + 2 * room * log(0.5 / (1 + 0.5 * V))),
                     1e-13);
        ilk_model_free(m);
    }
}

/* Without smoothing, of the only text outside b nothing is left: there would be no model. */
static void complement__leaves_out_all_that_is_outside(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("t:complement y", "u v,a\n,a\nu v,b\nu v v,b\n", &o);
    double out[2];
    leave_out(out, m, "u v,a\n");
    assert_true(out[0] == -INFINITY && out[1] == -INFINITY);
    ilk_model_free(m);
}

static void complement__needs_words_outside_every_class(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m;
    ilk_stats *s = learnt("t:complement y", "u v,a\n,b\n");
    assert_fails(ILK_EDATA, "column t has no word outside class a", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

/* Counts in halves of a word: alpha = 1 is two of these. Words 0 (4 in class 0, 2 in class 1) and 1 (6 in class 1). */
static void complement__smooths_by_whole_words(void **state) {
    (void)state;
    const ilk_keys keys = {.n = 2, .fields = 1, .field_begin = (const uint32_t[]){0, 2}};
    const ilk_shape s = {.K = 2, .d = 1, .keys = &keys, .unit = 0.5};
    const ilk_view view = {.counts = {.begin = (const size_t[]){0, 2, 3},
                                      .cls = (const uint32_t[]){0, 1, 1},
                                      .count = (const double[]){4, 2, 6}}};
    const ilk_options o = options_of(1);
    double p[9];
    assert_int_equal(ilk_family_find("complement")->size(&s), 9);
    assert_ok(ilk_family_find("complement")->estimate(p, &s, &view, &o, &failure));
    assert_close(p[0], log((2 + 2) / (8 + 4.0)), 1e-15);
    assert_close(p[3], log((0 + 2) / (4 + 4.0)), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complement__has_room_for_the_unseen),
        cmocka_unit_test(complement__leaves_out_unseen_words),
        cmocka_unit_test(complement__leaves_out_all_that_is_outside),
        cmocka_unit_test(complement__needs_words_outside_every_class),
        cmocka_unit_test(complement__smooths_by_whole_words),
        cmocka_unit_test(complement__without_smoothing_refuses_a_word_of_one_class),
        cmocka_unit_test(complement__scores_are_those_of_the_words_alone),
        cmocka_unit_test(complement__explains_without_a_prior),
        cmocka_unit_test(complement__leaves_out_the_only_row_of_a_class),
        cmocka_unit_test(complement__has_no_density),
        cmocka_unit_test(complement__ranks_words_by_how_little_the_others_use_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
