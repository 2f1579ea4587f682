/* SPDX-License-Identifier: Apache-2.0 */
/* Weighed words: counted once, by the logarithm, in documents of unit length. MATH section 6. */
#include "fixtures.h"

static const ilk_tokenizer binary = {ILK_WORDS, false, 1, 1, ILK_TERM_BINARY, false};
static const ilk_tokenizer logs = {ILK_WORDS, false, 1, 1, ILK_TERM_LOG, false};
static const ilk_tokenizer unit = {ILK_WORDS, false, 1, 1, ILK_TERM_COUNT, true};

static void weigh__is_what_the_tokenizer_says(void **state) {
    (void)state;
    ilk_tokenizer plain = {.ngram_min = 1, .ngram_max = 1};
    uint32_t a[] = {1, 3, 900}, b[] = {1, 3, 900}, c[] = {1, 3, 900}, d[] = {3, 4};
    ilk_tokenizer_weigh(a, NULL, 3, &plain);
    assert_true(a[0] == 1 && a[1] == 3 && a[2] == 900 && ilk_tokenizer_unit(&plain) == 1);
    ilk_tokenizer_weigh(b, NULL, 3, &binary);
    assert_true(b[0] == 1 && b[1] == 1 && b[2] == 1 && ilk_tokenizer_unit(&binary) == 1);
    ilk_tokenizer_weigh(c, NULL, 3, &logs);
    for (size_t i = 0; i < 3; i++)
        assert_close(c[i] * ilk_tokenizer_unit(&logs), log(1 + (double)a[i]), 1.0 / 4096);
    ilk_tokenizer_weigh(d, NULL, 2, &unit); /* 3, 4: of length 5 */
    assert_close(d[0] * ilk_tokenizer_unit(&unit), 0.6, 1.0 / 4096);
    assert_close(d[1] * ilk_tokenizer_unit(&unit), 0.8, 1.0 / 4096);
}

/* Unknown words are one entry, but as many terms as there were; and what occurs never weighs nothing. */
static void weigh__takes_unseen_words_apart_and_leaves_none_out(void **state) {
    (void)state;
    enum { MANY = 1 << 25 };
    ilk_tokenizer both = binary;
    both.unit_length = true;
    uint32_t count[] = {7, 15}, id[] = {3, ILK_UNSEEN};
    ilk_tokenizer_weigh(count, id, 2, &both); /* 16 terms: 1/4 each */
    assert_true(count[0] == 1024 && count[1] == 15 * 1024);
    uint32_t tiny[] = {1, MANY};
    ilk_tokenizer_weigh(tiny, NULL, 2, &unit);
    assert_true(tiny[0] == 1 && tiny[1] == 4096);
    ilk_tokenizer_weigh(NULL, NULL, 0, &unit);
}

/* Two classes, words u and v; the counts are weighed here and learnt. */
static ilk_stats *learn(const ilk_tokenizer *t, const char *family) {
    ilk_schema *schema;
    ilk_stats *s;
    uint32_t id, count[] = {1, 3, 2, 1}, word[] = {0, 1, 0, 1}, label[] = {0, 1};
    size_t begin[] = {0, 2, 4};
    assert_ok(ilk_schema_new(&schema, &failure));
    assert_ok(ilk_schema_add(
        schema, &(ilk_column){.name = str("t"), .kind = ILK_TEXT, .family = family, .tokenizer = *t}, &failure));
    assert_ok(ilk_stats_new(&s, schema, &failure));
    for (int i = 0; i < 2; i++) {
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"ab"[i], 1}, &failure));
        assert_ok(ilk_stats_word(&id, s, 0, (ilk_str){&"uv"[i], 1}, &failure));
        ilk_tokenizer_weigh(count + begin[i], NULL, 2, t);
    }
    ilk_tokens bags = {begin, word, count, NULL};
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 2, .text = &bags, .label = label}, &failure));
    ilk_schema_free(schema);
    return s;
}

/* In weights too: a word outside the dictionary has alpha of them. */
static void weigh__enters_the_room_for_the_unseen(void **state) {
    (void)state;
    ilk_stats *s = learn(&logs, "multinomial");
    ilk_options o = options_of(0.5);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    ilk_model *m = estimated(s, &o);
    double total = log(2) + log(4) + 1.5, close = 3.0 / 4096;
    ilk_fact unseen = fact(m, "unseen", "t", "", "a");
    assert_close(unseen.value, 0.5 / total, close);
    assert_close(unseen.count, 0.5, close);
    assert_close(unseen.total, total, close);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* phi = (sum of weights + alpha) / (all weights + alpha V), and a document's weights multiply its logarithms. */
static void weigh__enters_phi_and_the_score(void **state) {
    (void)state;
    ilk_stats *s = learn(&logs, "multinomial");
    ilk_options o = options_of(0.5);
    ilk_model *m = estimated(s, &o);
    double u = log(2), v = log(4), log_joint[2], close = 3.0 / 4096;
    ilk_fact phi = fact(m, "phi", "t", "u", "a");
    assert_close(phi.value, (u + 0.5) / (u + v + 1), close);
    assert_close(phi.count, u + 0.5, close);
    assert_close(phi.total, u + v + 1, close);
    uint32_t word[] = {1}, count[] = {5};
    size_t begin[] = {0, 1};
    ilk_tokens bag = {begin, word, count, NULL};
    ilk_tokenizer_weigh(count, NULL, 1, &logs);
    assert_ok(ilk_model_log_joint(log_joint, m, &(ilk_rows){.n = 1, .text = &bag}, &failure));
    assert_close(log_joint[0], log(0.5) + log(6) * log((v + 0.5) / (u + v + 1)), 10 * close);
    ilk_model_free(m);
    ilk_stats_free(s);
}

static void weigh__is_no_way_to_draw_texts(void **state) {
    (void)state;
    ilk_stats *s = learn(&unit, "multinomial");
    ilk_model *m = estimated(s, NULL);
    uint32_t word[] = {0}, count[] = {1};
    size_t begin[] = {0, 1};
    ilk_tokens bag = {begin, word, count, NULL};
    double out;
    assert_fails(ILK_EARG, "weighed words (column t) has no density",
                 ilk_model_log_density(&out, m, &(ilk_rows){.n = 1, .text = &bag}, &failure));
    assert_fails(ILK_EARG, "weighed words (column t)", ilk_model_sample(m, 1, 1, NULL, NULL, &failure));
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* A model file keeps it, and other weights are another schema. */
static void weigh__is_part_of_the_schema(void **state) {
    (void)state;
    ilk_stats *s = learn(&unit, "complement"), *other = learn(&logs, "complement");
    assert_fails(ILK_EARG, "tokens", ilk_stats_merge(s, other, &failure));
    ilk_model *m = estimated(s, NULL), *again;
    const char *path = temp_path("m.bayes");
    assert_ok(ilk_model_save(m, s, path, &failure));
    assert_ok(ilk_model_open(&again, path, &failure));
    const ilk_tokenizer *t = &ilk_schema_column(ilk_model_schema(again), 0)->tokenizer;
    assert_true(t->unit_length && t->weight == ILK_TERM_COUNT);
    ilk_model_free(again);
    ilk_model_free(m);
    ilk_stats_free(other);
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weigh__is_what_the_tokenizer_says),
        cmocka_unit_test(weigh__takes_unseen_words_apart_and_leaves_none_out),
        cmocka_unit_test(weigh__enters_phi_and_the_score),
        cmocka_unit_test(weigh__enters_the_room_for_the_unseen),
        cmocka_unit_test(weigh__is_no_way_to_draw_texts),
        cmocka_unit_test(weigh__is_part_of_the_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
